"""--public-url and --trusted-proxy: what clients behind a proxy get, and header fields that lie."""
import itertools
import json

import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

import clock
from identity_support import DEVELOPER, REGION, Service, run
from raw_http import JSON, TARGET, call, connect, exchange, request, response
from waiting import LIMIT, eventually

UNKNOWN = b'{"IdentityPoolId": "%s:00000000-0000-4000-8000-000000000000"}' % REGION.encode()


def lines(service):
    return [json.loads(line) for line in service.log]


def signed(service, host, region=REGION, name="cognito-identity"):
    head = AWSRequest("POST", f"http://{host}/", data=b'{"MaxResults": 1}', headers={"Content-Type": JSON, "X-Amz-Target": TARGET + "ListIdentityPools"})
    SigV4Auth(Credentials(*service.key), name, region).add_auth(head)
    fields = [(name, value) for name, value in head.headers.items() if name not in ("Content-Length", "Host")]
    return request("POST", "/", fields, b'{"MaxResults": 1}', host=host.encode())


# The public URL.


@pytest.mark.parametrize("url, host", [
    ("https://id.example", "id.example"), ("https://id.example/", "id.example"), ("https://ID.example:443", "id.example"),
    ("https://id.example:8443", "id.example:8443"), ("http://localhost:8080", "localhost:8080")])
def test_documents_and_tokens_have_the_public_url(tmp_path, url, host):
    service = Service(tmp_path / "data", "--public-url", url, "--host", "other.example", "--log-level", "debug")
    base = url.split("://")[0] + "://" + host
    answer = requests.get(service.url + "/.well-known/openid-configuration", headers={"Host": "evil.example"}, timeout=LIMIT)
    assert answer.json()["issuer"] == base and answer.json()["jwks_uri"] == base + "/.well-known/jwks_uri"
    assert "public" in answer.headers["cache-control"]
    for accepted in (host, "other.example"):
        assert exchange(service, signed(service, accepted))[0] == 200
    refused = exchange(service, signed(service, "evil.example"))
    assert refused[0] == 400 and json.loads(refused[2])["code"] == "host_not_accepted"
    assert service.stop() == 0


def test_the_issuer_of_tokens(tmp_path):
    service = Service(tmp_path / "data", "--public-url", "https://id.example", "--host", "127.0.0.1")
    # Signed for the host of --public-url, as a proxy passes it on.
    body = json.dumps({"IdentityPoolName": "a", "AllowUnauthenticatedIdentities": True, "DeveloperProviderName": DEVELOPER}).encode()

    def send(operation, body):
        head = AWSRequest("POST", "https://id.example/", data=body, headers={"Content-Type": JSON, "X-Amz-Target": TARGET + operation})
        SigV4Auth(Credentials(*service.key), "cognito-identity", REGION).add_auth(head)
        return requests.post(service.url + "/", data=body, headers={**dict(head.headers), "Host": "id.example"}, timeout=LIMIT).json()
    pool = send("CreateIdentityPool", body)["IdentityPoolId"]
    issued = send("GetOpenIdTokenForDeveloperIdentity", json.dumps({"IdentityPoolId": pool, "Logins": {DEVELOPER: "jane"}}).encode())
    import jwt
    assert jwt.decode(issued["Token"], options={"verify_signature": False})["iss"] == "https://id.example"
    service.stop()
    # The data keeps it, whatever the public URL is later.
    again = Service(tmp_path / "data", "--public-url", "https://other.example", key=service.key)
    assert requests.get(again.url + "/.well-known/openid-configuration", timeout=LIMIT).json()["issuer"] == "https://id.example"
    again.stop()
    own = Service(tmp_path / "own", "--public-url", "https://id.example", "--issuer", "https://issuer.example")
    assert requests.get(own.url + "/.well-known/openid-configuration", timeout=LIMIT).json()["issuer"] == "https://issuer.example"
    own.stop()


@pytest.mark.parametrize("value", [
    "", "id.example", "http://id.example", "ftp://id.example", "https://", "https://id.example/path", "https://id.example?x", "https://id.example/?x",
    "https://id.example#x", "https://user@id.example", "https://user:secret-word@id.example", "https://id example", "https://\u212Aey.example", "https://id.example:0",
    "https://0127.0.0.1"])
def test_public_urls_that_cannot_be_used(tmp_path, value):
    failed = run("serve", "--data", tmp_path / "d", "--port", 0, f"--public-url={value}")
    assert failed.returncode in (1, 2, 64) and "public-url" in failed.stderr and "secret-word" not in failed.stderr, failed.stderr
    assert not (tmp_path / "d").exists()


def test_wrong_regions_and_hosts_are_told_apart(tmp_path):
    service = Service(tmp_path / "data", "--host", "id.example", "--log-level", "debug")
    found = {}
    for name, data in {"region": signed(service, "id.example", region="eu-west-1"), "service": signed(service, "id.example", name="sts"),
                       "host": signed(service, "evil.example")}.items():
        answer = exchange(service, data)
        assert answer[0] == 400 and answer[1]["x-amzn-errortype"] == "AccessDeniedException"
        found[name] = json.loads(answer[2])
    assert {name: body["code"] for name, body in found.items()} == {"region": "wrong_region", "service": "wrong_service", "host": "host_not_accepted"}
    assert all(name in body["message"] for name, body in found.items())
    service.stop()
    reasons = {line["code"]: line["reason"] for line in lines(service) if line["message"] == "call"}
    assert "eu-west-1" in reasons["wrong_region"] and "evil.example" in reasons["host_not_accepted"] and "sts" in reasons["wrong_service"]


# Trusted proxies.


@pytest.fixture(scope="module")
def limited(tmp_path_factory):
    """127.0.5.1 is a proxy, and so is 127.0.5.2, which is behind it."""
    folder = tmp_path_factory.mktemp("proxies")
    service = Service(folder / "data", "--rate", 5, "--connections-per-address", 2, "--trusted-proxy", "127.0.5.1", "--trusted-proxy", "127.0.5.2/32",
                      "--log-level", "debug", clock=clock.slow(folder))
    yield service
    assert service.stop() == 0


def is_limited(service, fields, source="127.0.5.1", count=15):
    """Whether so many calls with these fields exceed a client's rate."""
    with connect(service, source) as connection:
        codes = []
        for number in range(count):
            connection.sendall(call(TARGET + "GetId", UNKNOWN, fields(number) if callable(fields) else fields))
            codes.append(json.loads(response(connection)[2])["code"])
    return "too_many_requests" in codes


def test_clients_of_a_proxy_are_limited_one_by_one(limited):
    assert is_limited(limited, [("X-Forwarded-For", "198.51.100.1")])
    assert not is_limited(limited, [("X-Forwarded-For", "198.51.100.2")], count=5)
    assert not is_limited(limited, lambda number: [("X-Forwarded-For", f"198.51.101.{number}")], count=40)
    assert not is_limited(limited, lambda number: [("Forwarded", f'for="[2001:db8:{number:x}::1]:443";proto=https')], count=40)
    # Both are in one /64 network, and both spellings are one address.
    assert is_limited(limited, lambda number: [("Forwarded", f'for="[2001:db8:ffff::{number:x}]"')])
    assert is_limited(limited, lambda number: [("X-Forwarded-For", ["::ffff:198.51.100.3", "198.51.100.3", "198.51.100.3:8080", "[::FFFF:C633:6403]:1"][number % 4])])


def test_a_client_cannot_choose_its_address(limited):
    assert is_limited(limited, lambda number: [("X-Forwarded-For", f"10.0.0.{number}, 198.51.100.10")])
    assert is_limited(limited, lambda number: [("X-Forwarded-For", f"10.0.0.{number}"), ("X-Forwarded-For", "198.51.100.11")])
    assert is_limited(limited, lambda number: [("X-Forwarded-For", f"10.0.0.{number}, 198.51.100.12, 127.0.5.2")])
    assert is_limited(limited, lambda number: [("Forwarded", f'for="10.0.0.{number}, for=198.51.100.13')])
    # The proxy sets one field and passes the other one through.
    assert is_limited(limited, lambda number: [("Forwarded", f"for=10.0.0.{number}"), ("X-Forwarded-For", "198.51.100.14")])


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_fields_of_others_are_ignored(limited, name):
    source = f"127.0.6.{1 + len(name)}"
    assert is_limited(limited, lambda number: [(name, f"for=10.0.0.{number}" if name == "Forwarded" else f"10.0.0.{number}")], source=source)


GARBAGE = ["", "unknown", "_hidden", "1.2.3", "0300.1.1.1", "::1%lo", "[::1", "x" * 20_000, "," * 20_000, "127.0.5.1," * 2_000, '"' * 999, "for=" * 5_000,
           'for="' + "\\" * 5_000, "203.0.113.9:99999999", b"\xff\xfe", "\u212A", "for=a;for=b", "127.0.5.2, " * 40 + "127.0.5.2", "a,b;c=d,e=\"f;g=h\""]


@pytest.mark.parametrize("place, value", list(enumerate(GARBAGE)))
@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded"])
def test_garbage_is_the_proxys(limited, name, place, value):
    answer = exchange(limited, request(path="/.well-known/jwks_uri", headers=[(name, value)] * (1 if len(value) > 9_000 else 3)), "127.0.5.1")
    assert answer is None or answer[0] in (200, 400, 429)


def test_the_log_has_the_clients_address(limited):
    with connect(limited, "127.0.5.1") as connection:
        connection.sendall(call(TARGET + "GetIdentityPoolRoles", b"{}", [("X-Forwarded-For", "10.9.9.9, 198.51.100.77")]))
        response(connection)
    eventually(lambda: any("198.51.100.77" in (line.get("address"), line.get("caller")) for line in lines(limited)))


def test_connections_of_a_proxy_are_not_limited_but_requests_of_its_client_are(tmp_path):
    limited = Service(tmp_path / "data", "--rate", 0, "--connections-per-address", 2, "--trusted-proxy", "127.0.5.1")
    proxies = [connect(limited, "127.0.5.1") for _ in range(20)]
    clients = itertools.count(1)

    def attempt():
        """Begins calls of a client until one more is refused, then ends them."""
        number = next(clients)
        data = call(TARGET + "GetId", UNKNOWN, [("X-Forwarded-For", f"198.51.100.{number}")])
        held = []

        def is_busy():
            held.append(connect(limited, "127.0.5.1"))
            held[-1].sendall(data[:-5])
            return exchange(limited, data, "127.0.5.1")[0] == 429
        eventually(is_busy)
        proxies[5].sendall(call(TARGET + "GetId", UNKNOWN, [("X-Forwarded-For", f"203.0.113.{number}")]))
        assert response(proxies[5])[0] == 400
        for connection in held:
            connection.sendall(data[-5:])
        statuses = sorted(response(connection)[0] for connection in held)
        for connection in held:
            connection.close()
        # Its places are free again when both calls have ended.
        eventually(lambda: exchange(limited, data, "127.0.5.1")[0] == 400)
        return statuses[:3]
    # Two are in progress, and others are refused. The service can read the head of the last one late, when the first ones
    # have ended, but not each time.
    eventually(lambda: attempt() in ([400, 400], [400, 400, 429]))
    for connection in proxies:
        connection.close()
    # Other addresses have their limit.
    clients = [connect(limited, "127.0.7.1") for _ in range(2)]
    for client in clients:
        client.sendall(request())
        assert response(client)[0] == 200
    assert exchange(limited, request(), "127.0.7.1") is None
    for client in clients:
        client.close()
    assert limited.stop() == 0


UNNAMED = {"contradiction": [("X-Forwarded-For", "198.51.100.20"), ("Forwarded", "for=198.51.100.21")], "hidden": [("X-Forwarded-For", "unknown")]}


@pytest.mark.parametrize("fields", UNNAMED.values(), ids=UNNAMED)
def test_a_proxys_own_requests_pass_while_clients_that_it_does_not_name_are_limited(limited, fields):
    with connect(limited, "127.0.5.1") as connection:
        statuses = []
        for _ in range(15):
            connection.sendall(request(headers=fields))
            statuses.append(response(connection)[0])
        assert 429 in statuses
        connection.sendall(request())
        assert response(connection)[0] == 200
    assert is_limited(limited, fields) and not is_limited(limited, [], count=5)


@pytest.mark.parametrize("fields", [*UNNAMED.values(), [("X-Forwarded-For", "198.51.100.20")]], ids=[*UNNAMED, "named"])
def test_health_checks_pass_while_calls_of_a_client_are_in_progress(tmp_path, fields):
    service = Service(tmp_path / "data", "--rate", 0, "--connections-per-address", 2, "--trusted-proxy", "127.0.5.1")
    data = call(TARGET + "GetId", UNKNOWN, fields)
    held = []

    def is_busy():
        held.append(connect(service, "127.0.5.1"))
        held[-1].sendall(data[:-5])
        return exchange(service, data, "127.0.5.1")[0] == 429
    eventually(is_busy)
    for own in ([], fields):
        assert exchange(service, request(headers=own), "127.0.5.1")[0] == 200
    assert exchange(service, call(TARGET + "GetId", UNKNOWN), "127.0.5.1")[0] == 400
    for connection in held:
        connection.close()
    assert service.stop() == 0


@pytest.mark.parametrize("value", ["", "x", "10.0.0.0/33", "10.0.0.1/8", "0.0.0.0/0", "::/0", "10.0.0.0/", "10.0.0.0/08", "::ffff:0:0/96", "id.example", "fe80::1%eth0", "\u0661.0.0.0"])
def test_ranges_that_cannot_be_used(tmp_path, value):
    failed = run("serve", "--data", tmp_path / "d", "--port", 0, f"--trusted-proxy={value}")
    assert failed.returncode in (1, 2, 64) and "trusted-proxy" in failed.stderr, failed.stderr
    assert not (tmp_path / "d").exists()


def test_audit_lines_have_the_clients_address(tmp_path):
    service = Service(tmp_path / "data", "--trusted-proxy", "127.0.5.1", "--public-url", "https://id.example")
    body = json.dumps({"IdentityPoolName": "audited", "AllowUnauthenticatedIdentities": False}).encode()
    head = AWSRequest("POST", "https://id.example/", data=body, headers={"Content-Type": JSON, "X-Amz-Target": TARGET + "CreateIdentityPool"})
    SigV4Auth(Credentials(*service.key), "cognito-identity", REGION).add_auth(head)
    fields = [(name, value) for name, value in head.headers.items() if name not in ("Content-Length", "Host")]
    made = exchange(service, request("POST", "/", [*fields, ("X-Forwarded-For", "198.51.100.7, 203.0.113.9")], body, host=b"id.example"), "127.0.5.1")
    assert made[0] == 200
    assert exchange(service, call(TARGET + "ListIdentityPools", b"{}"), "127.0.5.1")[0] == 400
    assert service.stop() == 0
    audited = [line for line in lines(service) if line["message"] == "audit"]
    assert len(audited) == 1 and "call" not in [line["message"] for line in lines(service)]
    line = audited[0]
    assert line["level"] == "info" and line["operation"] == "CreateIdentityPool" and line["code"] == "ok"
    assert line["address"] == "203.0.113.9" and line["caller"] == service.key[0] and line["request"] == made[1]["x-amzn-requestid"]
    assert json.loads(made[2])["IdentityPoolId"] in line.values()
