"""identity-service and clients that take without giving: connections, deadlines, rates, starts that fail, settings."""
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

import clock
from identity_support import PROGRAM, REGION, Service, run
from raw_http import JSON, TARGET, call, connect, exchange, is_open, request, response
from sizes import sampled
from waiting import LIMIT, eventually

MAXIMUM = 2 ** 63 - 1


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """Without limits that a test of something else would meet."""
    service = Service(tmp_path_factory.mktemp("limits") / "data", "--rate", 0, "--connections-per-address", 0)
    yield service
    assert service.stop() == 0


def code(answer):
    return json.loads(answer[2])["code"]


def signed(service, operation, body=b"{}", key=None, headers=()):
    head = AWSRequest("POST", service.url + "/", data=body, headers={"Content-Type": JSON, "X-Amz-Target": TARGET + operation, **dict(headers)})
    SigV4Auth(Credentials(*(key or service.key)), "cognito-identity", REGION).add_auth(head)
    fields = [(name, value) for name, value in head.headers.items() if name not in ("Content-Length", "Host")]
    return request("POST", "/", fields, body, host=service.url.partition("//")[2].encode())


def flood(service, count=20):
    """Clients that ask for much and read nothing."""
    clients = []
    for _ in range(count):
        client = connect(service, receive_buffer=4096)
        client.setblocking(False)
        with contextlib.suppress(OSError):
            client.send(request(path="/.well-known/jwks_uri") * 2400)
        clients.append(client)
    return clients


# Connections and deadlines.


def test_clients_that_do_not_read_are_closed(tmp_path):
    service = Service(
        tmp_path / "data", "--rate", 0, "--connections", 24, "--connections-per-address", 0, "--request-timeout", 120, "--response-timeout", 1, "--idle-timeout", 600)
    clients = flood(service)
    # Not the health, which may be bad while the machine is busy.
    for _ in range(5):
        assert exchange(service, request(path="/.well-known/jwks_uri"))[0] == 200
    eventually(lambda: not any(is_open(client) for client in clients))
    # Their places are free: together with these there would be more than 24.
    for client in [connect(service) for _ in range(20)]:
        client.sendall(request(path="/.well-known/jwks_uri"))
        assert response(client)[0] == 200
        client.close()
    for client in clients:
        client.close()
    assert service.stop() == 0


def test_shutdown_is_bounded(tmp_path):
    service = Service(
        tmp_path / "data", "--rate", 0, "--request-timeout", 600, "--response-timeout", 600, "--idle-timeout", 600, "--shutdown-timeout", 1)
    clients = flood(service)
    # And one whose request does not end.
    slow = connect(service)
    slow.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx")
    assert exchange(service, request(path="/.well-known/jwks_uri"))[0] == 200
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(LIMIT) == 0
    for client in [*clients, slow]:
        client.close()


STARTS = {
    "byte": b"G", "header": b"GET /health HTTP/1.1\r\nHost: x\r\nX-", "empty line": b"\r\n",
    "body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n",
    "chunk extension": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;x="}


def test_requests_that_drip_are_cut(tmp_path):
    """In the place of a connection's first request, and of its second."""
    service = Service(tmp_path / "data", "--connections-per-address", 0, "--request-timeout", 3, "--idle-timeout", 600)
    silent, dripping = connect(service), {}
    for name, start in STARTS.items():
        dripping["first", name], dripping["second", name] = connect(service), connect(service)
        dripping["first", name].sendall(start)
        dripping["second", name].sendall(request())
        assert response(dripping["second", name])[0] == 200
        dripping["second", name].sendall(start)

    def are_cut():
        for connection in dripping.values():
            with contextlib.suppress(OSError):
                connection.send(b"a")
        return not any(is_open(connection) for connection in [silent, *dripping.values()])
    eventually(are_cut)
    assert service.stop() == 0


def test_the_same_over_tls(tmp_path):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", tmp_path / "key.pem",
                    "-out", tmp_path / "cert.pem", "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True)
    service = Service(tmp_path / "data", "--certificate", tmp_path / "cert.pem", "--private-key", tmp_path / "key.pem", "--rate", 0, "--request-timeout", 3,
                      "--response-timeout", 1, "--idle-timeout", 600)
    context = ssl.create_default_context(cafile=tmp_path / "cert.pem")
    context.check_hostname = False
    raw = [connect(service) for _ in range(4)]
    # Silence, a handshake that drips, a request that drips, a response that is not read.
    raw[1].sendall(b"\x16\x03\x01\x02\x00\x01")
    clients = [raw[0], raw[1], *(context.wrap_socket(client) for client in raw[2:])]
    clients[2].sendall(request() + b"GET /")
    clients[3].setblocking(False)
    with contextlib.suppress(OSError):
        clients[3].sendall(request(path="/.well-known/jwks_uri") * 5000)

    def are_cut():
        for client in clients[1:3]:
            with contextlib.suppress(OSError):
                client.send(b"a")
        return not any(is_open(client) for client in clients)
    eventually(are_cut)
    with context.wrap_socket(connect(service)) as client:
        client.sendall(request())
        assert response(client)[0] == 200
    assert service.stop() == 0


def test_a_silent_connection_is_closed_after_a_response(tmp_path):
    service = Service(tmp_path / "data", "--idle-timeout", 1)

    def is_closed_after_a_response():
        with connect(service) as connection:
            connection.sendall(request())
            # On a busy machine it may be closed before.
            answer = response(connection)
            eventually(lambda: not is_open(connection))
        return answer and answer[0] == 200
    eventually(is_closed_after_a_response)
    service.stop()


def test_requests_in_a_row_are_answered_in_order(service):
    paths = ["/health", "/nowhere", "/.well-known/jwks_uri", "/metrics"] * 200
    data = b"".join(request(path=path) for path in paths)
    with connect(service) as connection:
        connection.setblocking(False)
        received = bytearray()

        def are_all_answered():
            nonlocal data
            with contextlib.suppress(BlockingIOError):
                data = data[connection.send(data):] if data else data
            with contextlib.suppress(BlockingIOError):
                received.extend(connection.recv(1 << 20))
            return received.count(b"HTTP/1.1 ") >= len(paths)
        eventually(are_all_answered)
        statuses = re.findall(rb"HTTP/1.1 (\d+)", received)
    assert statuses == [b"200", b"404", b"200", b"200"] * 200


def test_requests_before_an_end_of_input_are_answered(service):
    with connect(service) as connection:
        connection.sendall(request() * 300)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while part := connection.recv(65536):
            received += part
    assert received.count(b"HTTP/1.1 200") == 300


def test_an_address_has_so_many_connections(tmp_path):
    service = Service(tmp_path / "data", "--connections-per-address", 5)
    held = [connect(service) for _ in range(5)]
    for connection in held:
        connection.sendall(request())
        assert response(connection)[0] == 200
    assert exchange(service, request()) is None
    assert exchange(service, request(), source="127.0.0.2")[0] == 200
    held.pop().close()
    eventually(lambda: exchange(service, request()) is not None)
    # Those that were refused have not stopped the service.
    for _ in range(50):
        exchange(service, request())
    assert exchange(service, request(), source="127.0.0.2")[0] == 200
    for connection in held:
        connection.close()
    assert service.stop() == 0


# The form of a head.


@pytest.mark.parametrize("data, status", [
    (request(host=None), 400), (request(headers=[("Host", "other")]), 400), (request(headers=[("hOST", "localhost")]), 400),
    (request(host="\u212Aey.example".encode()), 400), (request(host=b"a b"), 400), (request(host=b"a/b"), 400), (request(host=b"x\"y"), 400),
    (request(host=b"x" * 300), 400), (request(version=b"1.0", host=None), 200), (request(version=b"1.0", host=b"a", headers=[("Host", "a")]), 400),
    (request(version=b"2.0"), 400), (request(host=b"[::1]:80"), 200), (request(host=b""), 200)])
def test_exactly_one_plain_host(service, data, status):
    assert exchange(service, data)[0] == status


CHUNKED = request("POST", "/", [("Transfer-Encoding", "chunked"), ("Content-Type", JSON), ("X-Amz-Target", TARGET + "GetId")])


@pytest.mark.parametrize("chunks", [
    b"2;" + b"x" * 2_000_000 + b"\r\n{}\r\n0\r\n\r\n", b"2" + b";a=b" * 40_000 + b"\r\n{}\r\n0\r\n\r\n", b"1\r\n \r\n" * 100_000 + b"2\r\n{}\r\n0\r\n\r\n",
    b"2\r\n{}\r\n0\r\n" + b"X-Trailer: x\r\n" * 20_000 + b"\r\n"], ids=["one extension", "many extensions", "small chunks", "trailers"])
def test_framing_is_bounded(service, chunks):
    """It would be `member_missing` if the body were read."""
    answer = exchange(service, CHUNKED + chunks)
    assert answer is None or answer[0] == 400 and (not answer[2] or code(answer) == "request_malformed")


@pytest.mark.parametrize("data", [
    b"\r\n" * 200_000 + request(), request(headers=[("X-Long", "x" * 100_000)]), request(headers=[(f"X-{i}", "x" * 1_000) for i in range(99)]),
    request(path="/" + "x" * 100_000)], ids=["empty lines", "a long field", "many fields", "a long path"])
def test_heads_are_bounded(service, data):
    answer = exchange(service, data)
    assert answer is None or answer[0] == 400


def test_small_chunks_are_read(service):
    body = json.dumps({"IdentityPoolId": f"{REGION}:00000000-0000-4000-8000-000000000000"}).encode()
    chunks = b"".join(b"1;a=b\r\n%c\r\n" % byte for byte in body) + b"0\r\nX-Trailer: x\r\n\r\n"
    answer = exchange(service, CHUNKED + chunks)
    assert answer[0] == 400 and code(answer) == "pool_unknown"


# Rates.


@pytest.fixture(scope="module")
def limited(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rates")
    service = Service(folder / "data", "--rate", 5, "--connections-per-address", 0, clock=clock.slow(folder))
    yield service
    assert service.stop() == 0


OVERSIZE = request("POST", "/", [("Content-Type", JSON), ("X-Amz-Target", TARGET + "GetId")], b"x" * (3 << 20))
REFUSED = {
    "wrong signature": lambda service: signed(service, "ListIdentityPools", b'{"MaxResults": 1}', (service.key[0], "x" * 40)),
    "unknown key": lambda service: signed(service, "ListIdentityPools", b'{"MaxResults": 1}', ("AKIA" + os.urandom(8).hex().upper(), "x" * 40)),
    "no signature": lambda service: call(TARGET + "ListIdentityPools", b"{}"), "unknown operation": lambda service: call(TARGET + "Nothing", b"{}"),
    "not JSON": lambda service: call(TARGET + "GetId", b"{"), "content type": lambda service: request("POST", "/", [("Content-Type", "text/html")], b"x"),
    "too large": lambda service: OVERSIZE, "unknown pool": lambda service: call(TARGET + "GetId", b'{"IdentityPoolId": "a:0"}'),
    "query": lambda service: request("POST", "/", [("Content-Type", "application/x-www-form-urlencoded")], b"Action=Nothing"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_calls_count(limited, kind):
    # An address of its own, so that the tests do not count for each other.
    source = f"127.0.1.{1 + list(REFUSED).index(kind)}"
    bodies = [exchange(limited, REFUSED[kind](limited), source)[2] for _ in range(15)]
    refusals = [b"too_many_requests" in body or b"Throttling" in body for body in bodies]
    assert not refusals[0] and any(refusals)


@pytest.mark.parametrize("place, path", list(enumerate(["/health", "/metrics", "/.well-known/jwks_uri", "/nowhere"])))
def test_documents_count(limited, place, path):
    source = f"127.0.2.{1 + place}"
    answers = [exchange(limited, request(path=path), source) for _ in range(15)]
    assert answers[0][0] != 429 and answers[-1][0] == 429 and answers[-1][1]["retry-after"] == "1"
    # A proxy's health check is apart from what its clients ask for.
    if path != "/health":
        assert exchange(limited, request(), source)[0] == 200


def test_verified_calls_count_for_their_key(limited):
    key = re.findall(r"=(\S+)", limited.command("key", "create"))
    busy, source = signed(limited, "ListIdentityPools", b'{"MaxResults": 1}'), "127.0.3.1"
    answers = [exchange(limited, busy, source) for _ in range(25)]
    assert answers[0][0] == 200 and code(answers[-1]) == "too_many_requests"
    # Verified calls are given back to the address: another key has all of its own.
    other = [exchange(limited, signed(limited, "ListIdentityPools", b'{"MaxResults": 1}', key[:2]), "127.0.3.2") for _ in range(5)]
    assert [answer[0] for answer in other] == [200] * 5


def test_calls_beyond_the_rate_of_a_key_count_for_their_address(limited):
    key, source = re.findall(r"=(\S+)", limited.command("key", "create")), "127.0.3.3"
    with connect(limited, source) as connection:
        answers = []
        for _ in range(60):
            connection.sendall(signed(limited, "ListIdentityPools", b'{"MaxResults": 1}', key[:2]))
            answers.append(response(connection))
    last = exchange(limited, call(TARGET + "GetId", b"{}"), source)
    assert code(answers[-1]) == "too_many_requests"
    assert code(last) == "too_many_requests"


@pytest.mark.skipif(subprocess.run(["unshare", "-Urn", "true"], capture_output=True).returncode != 0, reason="this user may not make network namespaces")
def test_an_ipv6_network_counts_as_one_address(tmp_path):
    """Whoever has one IPv6 address has 2^64 of them."""
    script = pathlib.Path(__file__).with_name("ipv6_clients.py")
    done = subprocess.run(["unshare", "-Urn", sys.executable, script, tmp_path], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert all(found["rate of strangers"]) and all(found["connections of strangers"])
    assert found["rate of neighbours"][0] and not all(found["rate of neighbours"])
    assert found["connections of neighbours"] == [True] * 20 + [False] * 10


# Starts.


def test_open_files(tmp_path):
    """Connections leave descriptors for everything else; without one the process would end."""
    service = Service(tmp_path / "data", "--rate", 0, "--connections-per-address", 0, prefix=["prlimit", "--nofile=200:200"])
    first = connect(service)
    clients = [connect(service) for _ in range(300)]
    for operation, body in (("CreateIdentityPool", b'{"IdentityPoolName": "a", "AllowUnauthenticatedIdentities": false}'), ("ListIdentityPools", b'{"MaxResults": 1}')) * 5:
        first.sendall(signed(service, operation, body))
        assert response(first)[0] == 200
    for client in [first, *clients]:
        client.close()
    assert service.stop() == 0
    assert any(json.loads(line)["level"] == "warning" and json.loads(line)["connections"] == "72" for line in service.log)
    raised = Service(tmp_path / "raised", prefix=["prlimit", "--nofile=200:2000"])
    with open(f"/proc/{raised.process.pid}/limits") as limits:
        assert re.search(r"Max open files +1152 ", limits.read())
    assert raised.stop() == 0 and not any("open files" in line for line in raised.log)
    failed = subprocess.run(["prlimit", "--nofile=128:128", PROGRAM, "serve", "--data", tmp_path / "none", "--port", "0"], capture_output=True, text=True, timeout=LIMIT)
    assert failed.returncode == 2 and "open files" in failed.stderr


def test_a_start_on_a_used_port_leaves_nothing(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        for options in (["--port", port], ["--port", 0, "--management-address", f"127.0.0.1:{port}"]):
            for command in ("serve", "demo", "demo-user-pool"):
                failed = run(command, "--data", tmp_path / "data", *options)
                assert failed.returncode == 2 and f"cannot listen on 127.0.0.1:{port}" in failed.stderr
                assert not (tmp_path / "data").exists()
        service = Service(tmp_path / "data")
        assert exchange(service, signed(service, "ListIdentityPools", b'{"MaxResults": 1}'))[0] == 200
        service.stop()
        # Data that exists gets no pools either.
        assert run("demo-user-pool", "--data", tmp_path / "data", "--port", port).returncode == 2
        assert run("user-pool", "list", "--data", tmp_path / "data").stdout == ""
        assert run("pool", "list", "--data", tmp_path / "data").stdout == ""


def test_a_host_without_an_address_is_refused(tmp_path):
    failed = run("serve", "--data", tmp_path / "data", "--address", "none.invalid", "--port", 0)
    assert failed.returncode == 2 and "cannot listen on none.invalid:0: the host has no address" in failed.stderr
    assert not (tmp_path / "data").exists()


def test_a_key_that_cannot_be_shown_is_not_kept(tmp_path):
    with open("/dev/full", "w") as full:
        failed = subprocess.run([PROGRAM, "serve", "--data", tmp_path / "data", "--port", "0"], stdout=full, stderr=subprocess.PIPE, timeout=LIMIT)
    assert failed.returncode == 2 and b"standard output" in failed.stderr
    assert "access " not in run("key", "list", "--data", tmp_path / "data").stdout


def test_plain_http_beyond_the_machine_is_warned_of(tmp_path):
    exposed = Service(tmp_path / "data", "--address", "0.0.0.0")
    exposed.stop()
    assert any(json.loads(line)["level"] == "warning" and "plain HTTP" in line for line in exposed.log)
    for address in ("127.0.0.1", "::1", "localhost"):
        local = Service(tmp_path / "data", "--address", address, key=exposed.key)
        assert ("[::1]" in local.url) == (address == "::1")
        local.stop()
        assert not any("plain HTTP" in line for line in local.log)


# Settings.


NUMBERS = ["port", "rate", "connections", "connections-per-address", "request-timeout", "response-timeout", "idle-timeout", "shutdown-timeout", "rotation"]


def environment_name(name):
    return "IDENTITY_SERVICE_" + name.upper().replace("-", "_")


def starts_or_is_refused(folder, *options, environment=None):
    """True where the service starts and answers; False where it is refused. A signal, a trap for instance, is neither."""
    process = subprocess.Popen([PROGRAM, "serve", "--data", folder, *map(str, options)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "IDENTITY_SERVICE_PORT": "0", **(environment or {})})
    first = process.stdout.readline()
    if not first:
        error = process.communicate(timeout=LIMIT)[1]
        assert process.returncode == 2, error
        return False, error
    process.url = re.search(r"listening on (\S+)", first)[1]
    assert exchange(process, request())[0] == 200
    process.terminate()
    process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    return True, ""


# Each is a start of the program; all of them run in the nightly checks.
@pytest.mark.parametrize("name", sampled(NUMBERS, 3))
def test_numbers_at_their_ends(tmp_path, name):
    for value in (MAXIMUM, -MAXIMUM - 1, -1):
        words = [] if value < 0 else [f"--{name}", value]
        started, error = starts_or_is_refused(tmp_path / "d", f"--{name}={value}", *words)
        assert not started and name in error and str(value) in error
    started, error = starts_or_is_refused(tmp_path / "d", environment={environment_name(name): str(MAXIMUM)})
    assert not started and name in error
    camel = re.sub("-(.)", lambda match: match[1].upper(), name)
    for text in ("9" * 30, "x", "1.5", ""):
        started, error = starts_or_is_refused(tmp_path / "d", environment={environment_name(name): text})
        assert not started and camel in error, error
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({camel: "many"}))
    options = [] if name == "port" else ["--port", 0]
    environment = {"IDENTITY_SERVICE_PORT": ""} if name == "port" else None
    assert not starts_or_is_refused(tmp_path / "d", "--config", settings, *options, environment=environment)[0]


def test_the_largest_numbers_that_are_taken(tmp_path):
    largest = {"rate": 1_000_000, "connections": 1_000_000, "connections-per-address": 1_000_000, "request-timeout": 86_400, "response-timeout": 86_400,
               "idle-timeout": 86_400, "shutdown-timeout": 86_400, "rotation": 3_650}
    assert starts_or_is_refused(tmp_path / "d", *[word for name, value in largest.items() for word in (f"--{name}", value)])[0]
    smallest = {"rate": 0, "connections": 1, "connections-per-address": 0, "request-timeout": 1, "response-timeout": 1, "idle-timeout": 1,
                "shutdown-timeout": 0, "rotation": 1}
    assert starts_or_is_refused(tmp_path / "d", *[word for name, value in smallest.items() for word in (f"--{name}", value)])[0]


@pytest.mark.parametrize("name, value", sampled([
    *(("region", value) for value in ("us-iso-east-1", "us-isob-east-1", "eusc-de-east-1", "mars", "", "us-east-1 ", "US-EAST-1", "us-east-\u0661", "us--east-1",
                                      "abcdefgh-abcdefgh-1", "us-east-1:x")),
    *(("issuer", value) for value in ("x", "", "http://issuer.example", "https://", "https://i.example?x", "https://i.example#x", "https://i example", "https://\u212A.example")),
    *(("host", value) for value in ("", "a b", "https://a", "a/b", "a?", "user@a", "a:99999", "a:x", "\u212Aey.example")),
    *(("address", value) for value in ("", "a b", "[::1]", "\u212Aey", "x" * 300)),
    *(("account", value) for value in ("1", "", "1234567890123", "\u0661" * 12, "12345678901x")),
    ("authorities", "/dev/null"), ("authorities", "/nowhere"), ("log-level", "loud")], 14))
def test_texts_that_cannot_be_used(tmp_path, name, value):
    started, error = starts_or_is_refused(tmp_path / "d", f"--{name}={value}")
    assert not started and name.replace("-", " ") in error.replace("-", " ")
    assert not (tmp_path / "d").exists()


def test_files_that_cannot_be_used(tmp_path):
    for number in (1, 2):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", tmp_path / f"key{number}.pem",
                        "-out", tmp_path / f"cert{number}.pem", "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True)
    for certificate, key, complaint in (("/nowhere", "key1.pem", "certificate:"), ("key1.pem", "key1.pem", "certificate:"), ("cert1.pem", "/nowhere", "private-key:"),
                                        ("cert1.pem", "cert1.pem", "private-key:"), ("cert1.pem", "key2.pem", "private-key:")):
        started, error = starts_or_is_refused(tmp_path / "d", "--certificate", tmp_path / certificate, "--private-key", tmp_path / key)
        assert not started and complaint in error
    assert "access " not in run("key", "list", "--data", tmp_path / "d").stdout
    assert starts_or_is_refused(tmp_path / "e", "--authorities", tmp_path / "cert1.pem")[0]


def test_commands_with_numbers_at_their_ends(tmp_path):
    policy = tmp_path / "policy.json"
    policy.write_text("{}")
    for value in (MAXIMUM, -MAXIMUM - 1, 0, "9" * 30):
        put = run("role", "put", "arn:aws:iam::123456789012:role/x", "--data", tmp_path / "d", "--trust-policy", policy, f"--longest-session={value}")
        assert put.returncode == 2
