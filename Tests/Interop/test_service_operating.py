"""The management address, the settings in the log, readiness, shutdown, and the region of the data."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess

import pytest
import requests

from identity_support import PROGRAM, REGION, Service, run
from raw_http import JSON, TARGET, call, connect, exchange, is_read, request, response
from waiting import LIMIT, eventually

PATHS = ["/health/live", "/health/ready", "/version", "/metrics"]


def lines(service):
    return [json.loads(line) for line in service.log]


def management(service):
    return re.search(r"metrics +(http://\S+)/metrics", service.greeting)[1]


def status(url):
    return requests.get(url, timeout=LIMIT).status_code


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("management") / "data", "--management-address", "127.0.0.1:0")
    yield service
    assert service.stop() == 0


def test_the_management_address(service):
    url = management(service)
    assert url != service.url
    assert requests.get(url + "/health/live", timeout=LIMIT).json() == {"status": "live"}
    assert requests.get(url + "/health/ready", timeout=LIMIT).json() == {"status": "ready"}
    version = requests.get(url + "/version", timeout=LIMIT).json()
    assert version["name"] == "identity-service" and re.fullmatch(r"\d+\.\d+\.\d+", version["version"])
    assert [status(service.url + path) for path in [*PATHS, "/health"]] == [404] * 5
    for path in ("/", "/health/", "//metrics", "/metrics/", "/health/live/x", "/.well-known/jwks_uri", "/nowhere"):
        assert status(url + path) == 404, path
    assert requests.post(url + "/metrics", timeout=LIMIT).status_code == 404
    assert requests.post(url + "/", data=b"{}", headers={"Content-Type": JSON, "X-Amz-Target": TARGET + "ListIdentityPools"}, timeout=LIMIT).status_code == 404


def samples(text):
    """The samples of a Prometheus text, each of a name with one HELP and one TYPE line before it."""
    found, kinds, helped = {}, {}, set()
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, words = line[7:].split(" ", 1)
            assert name not in helped and words.endswith("."), line
            helped.add(name)
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert name not in kinds and name in helped, line
            kinds[name] = kind
        else:
            series, value = line.rsplit(" ", 1)
            name = series.partition("{")[0]
            base = re.sub("_(bucket|sum|count)$", "", name)
            assert kinds.get(name) in ("counter", "gauge") or kinds.get(base) == "histogram", line
            assert series not in found
            found[series] = float(value)
    return found


def test_metrics(service):
    device = service.unsigned()
    with contextlib.suppress(device.exceptions.ClientError):
        device.get_id(IdentityPoolId=f"{REGION}:00000000-0000-4000-8000-000000000000")
    service.client().list_identity_pools(MaxResults=1)
    with connect(service) as connection:
        connection.sendall(request(path="/.well-known/jwks_uri"))
        assert response(connection)[0] == 200
        found = samples(requests.get(management(service) + "/metrics", timeout=LIMIT).text)
        assert found["identity_open_connections"] >= 1
    assert found['identity_calls_total{operation="ListIdentityPools",code="ok"}'] >= 1
    assert found['identity_calls_total{operation="GetId",code="pool_unknown"}'] >= 1
    assert found['identity_call_seconds_bucket{operation="ListIdentityPools",le="+Inf"}'] >= 1
    assert found['identity_service_info{version="%s"}' % requests.get(management(service) + "/version", timeout=LIMIT).json()["version"]] == 1
    assert found["identity_ready"] == 1
    for kind in ("read", "write"):
        assert found[f'identity_store_{kind}_seconds_bucket{{le="+Inf"}}'] == found[f"identity_store_{kind}_seconds_count"] > 0
        assert 0 < found[f"identity_store_{kind}_seconds_sum"] < 600
    assert 0 <= found["identity_signing_key_age_seconds"] < 3_600
    assert found["process_cpu_seconds_total"] > 0 and found["process_resident_memory_bytes"] > 1 << 20
    assert found["process_virtual_memory_bytes"] >= found["process_resident_memory_bytes"]
    assert 3 < found["process_open_fds"] < found["process_max_fds"]
    # In ticks since the start of the system. The clock may have been corrected in between.
    ticks = int(pathlib.Path(f"/proc/{service.process.pid}/stat").read_text().rpartition(")")[2].split()[19])
    [boot] = re.findall(r"^btime (\d+)$", pathlib.Path("/proc/stat").read_text(), re.MULTILINE)
    assert found["process_start_time_seconds"] == pytest.approx(int(boot) + ticks / os.sysconf("SC_CLK_TCK"), abs=300)
    assert "identity_certificate_days_left" not in found
    # A label comes from the service, never from a caller.
    exchange(service, call(TARGET + 'Nothing"}', b"{}"))
    assert "Nothing" not in requests.get(management(service) + "/metrics", timeout=LIMIT).text


def test_paths_that_are_asked_for(tmp_path):
    asked = Service(tmp_path / "data", "--management-address", "[::1]:0", "--public-path", "/metrics", "--public-path", "/health/ready")
    assert management(asked).startswith("http://[::1]:")
    assert status(asked.url + "/metrics") == status(asked.url + "/health/ready") == status(management(asked) + "/version") == 200
    assert [status(asked.url + path) for path in ("/health", "/health/live", "/version")] == [404] * 3
    asked.stop()
    plain = Service(tmp_path / "data", "--address", "0.0.0.0", key=asked.key, environment={"IDENTITY_SERVICE_PUBLIC_PATHS": "/version"})
    assert [status(plain.url + path) for path in ("/health", "/version", "/health/live", "/health/ready")] == [200, 200, 404, 404]
    plain.stop()


@pytest.mark.parametrize("options", [
    ["--host", "id.example"], ["--public-url", "https://id.example"], ["--trusted-proxy", "192.0.2.0/24"]])
def test_metrics_are_not_public_where_a_proxy_is_configured(tmp_path, options):
    service = Service(tmp_path / "data", *options)
    assert status(service.url + "/metrics") == 404 and status(service.url + "/health") == 200
    service.stop()


@pytest.mark.parametrize("field", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Proto"])
def test_metrics_are_not_for_requests_of_proxies(tmp_path_factory, field):
    service = Service(tmp_path_factory.mktemp("proxied") / "data")
    assert status(service.url + "/metrics") == 200
    assert requests.get(service.url + "/metrics", headers={field: "127.0.0.1"}, timeout=LIMIT).status_code == 404
    service.stop()


def test_a_store_that_cannot_be_read(tmp_path):
    service = Service(tmp_path / "data", "--management-address", "127.0.0.1:0")
    url = management(service)
    database = sqlite3.connect(tmp_path / "data" / "identities.sqlite")
    database.execute('ALTER TABLE "records.tables" RENAME TO hidden')
    database.commit()
    eventually(lambda: status(url + "/health/ready") == 503)
    body = requests.get(url + "/health/ready", timeout=LIMIT)
    assert body.json() == {"status": "not ready", "reason": "the store cannot be read"}
    assert body.headers["content-type"] == "application/json"
    assert status(url + "/health/live") == 200
    assert samples(requests.get(url + "/metrics", timeout=LIMIT).text)["identity_ready"] == 0
    # Their number is no caller's to choose: one line in ten seconds for each code.
    refused = [exchange(service, call(TARGET + "GetId", b'{"IdentityPoolId": "us-east-1:00000000-0000-4000-8000-000000000000"}')) for _ in range(50)]
    assert {answer[0] for answer in refused} == {500}
    eventually(lambda: any(line["message"] == "call" for line in lines(service)))
    failed = [line for line in lines(service) if line["message"] == "call"]
    assert 1 <= len(failed) <= 5 and {line["level"] for line in failed} == {"error"} and "before" in failed[0]
    database.execute('ALTER TABLE hidden RENAME TO "records.tables"')
    database.execute("DELETE FROM signing_key")
    database.execute('UPDATE "records.tables" SET change = change + 1')
    database.commit()
    database.close()
    # The service makes a key by itself.
    eventually(lambda: status(url + "/health/ready") == 200)
    service.stop()
    reported = [(line["message"], line["problem"]) for line in lines(service) if "ready" in line["message"]]
    assert reported[0] == ("the service is not ready", "the store cannot be read") and reported[-1] == ("the service is ready", "")
    # Changes are reported, not checks.
    assert len(reported) <= 4


def test_calls_that_have_begun_are_finished(tmp_path):
    """SIGTERM during a slow call: the call gets its response, the readiness says that the service stops, and nothing new is accepted."""
    service = Service(tmp_path / "data", "--management-address", "127.0.0.1:0", "--request-timeout", 30, "--shutdown-timeout", 30)
    url = management(service)
    data = call(TARGET + "GetId", b'{"IdentityPoolId": "%s:00000000-0000-4000-8000-000000000000"}' % REGION.encode())
    with connect(service) as slow:
        slow.sendall(data[:-10])
        eventually(lambda: samples(requests.get(url + "/metrics", timeout=LIMIT).text)["identity_open_connections"] == 1)
        eventually(lambda: is_read(slow))
        service.process.send_signal(signal.SIGTERM)
        eventually(lambda: status(url + "/health/ready") == 503)
        assert requests.get(url + "/health/ready", timeout=LIMIT).json()["reason"] == "the service is stopping"
        assert status(url + "/health/live") == 200
        with pytest.raises(OSError):
            eventually(lambda: connect(service).close())
        # Does not end a process that is stopping.
        service.process.send_signal(signal.SIGHUP)
        slow.sendall(data[-10:])
        answer = response(slow)
        assert answer[0] == 400 and json.loads(answer[2])["code"] == "pool_unknown"
    assert service.process.wait(LIMIT) == 0
    service.reader.join(LIMIT)
    assert [line["message"] for line in lines(service) if line["message"].startswith("stop")] == ["stopping", "stopped"]


def test_a_log_that_nothing_reads_does_not_keep_the_process(tmp_path):
    """A thread that writes to a full pipe waits, and all tasks with it that it serves."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [PROGRAM, "serve", "--data", tmp_path / "data", "--port", "0", "--shutdown-timeout", "0"], stdout=subprocess.PIPE, stderr=writing,
        text=True)
    while "metrics" not in process.stdout.readline():
        assert process.poll() is None
    # This description of the pipe does not wait; that of the process does.
    full = os.open(f"/proc/self/fd/{writing}", os.O_WRONLY | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(full, b" ")
    process.send_signal(signal.SIGTERM)
    assert process.wait(LIMIT) == 1
    for descriptor in (reading, writing, full):
        os.close(descriptor)
    process.stdout.close()


def test_calls_that_wait_for_keys_do_not_delay_the_end(tmp_path):
    """Keys of many new user pools are made one after the other. A call that needs one at the end fails, and can be sent again."""
    # Far longer than the test waits for the end.
    service = Service(tmp_path / "data", "--shutdown-timeout", 86_400)
    client = service.client("cognito-idp")
    pools = [client.create_user_pool(PoolName=f"p{number}")["UserPool"]["Id"] for number in range(40)]

    def key_set(pool):
        with contextlib.suppress(requests.ConnectionError):
            return status(f"{service.url}/{pool}/.well-known/jwks.json")

    with concurrent.futures.ThreadPoolExecutor(len(pools)) as crowd:
        calls = [crowd.submit(key_set, pool) for pool in pools]
        concurrent.futures.wait(calls, LIMIT, concurrent.futures.FIRST_COMPLETED)
        assert service.stop() == 0
        found = {call.result() for call in calls}
    assert 503 in found and found <= {200, 503, None}, found


def test_a_management_client_does_not_delay_the_end(tmp_path):
    # Far longer than the test waits for the end.
    service = Service(tmp_path / "data", "--management-address", "127.0.0.1:0", "--shutdown-timeout", 86_400)
    host, _, port = management(service).removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port))) as idle, socket.create_connection((host, int(port))) as half:
        half.sendall(b"GET /metr")
        idle.sendall(request(path="/metrics") * 200)
        assert service.stop() == 0


def test_addresses_that_are_in_use(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        failed = run("serve", "--data", tmp_path / "data", "--port", 0, "--management-address", f"127.0.0.1:{port}")
    assert failed.returncode != 0 and f"cannot listen on 127.0.0.1:{port}" in failed.stderr and "listening" not in failed.stdout
    assert "access " not in run("key", "list", "--data", tmp_path / "data").stdout


@pytest.mark.parametrize("name, value", [
    *(("management-address", value) for value in ("", "x", "127.0.0.1", ":9000", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "::1:9000", "[::1]", "a b:1", "http://a:1", "a:\u0661")),
    *(("public-path", value) for value in ("", "/", "metrics", "/metrics/", "/METRICS", "/nowhere", "/health/l\u0131ve")),
    ("certificate-check", "0"), ("certificate-check", "-1"), ("certificate-check", str(2 ** 63 - 1))])
def test_settings_that_cannot_be_used(tmp_path, name, value):
    failed = run("serve", "--data", tmp_path / "d", "--port", 0, f"--{name}={value}")
    assert failed.returncode in (1, 2, 64) and name.replace("-", " ") in failed.stderr.replace("-", " "), failed.stderr
    assert not (tmp_path / "d").exists()


def test_the_log_of_a_start(tmp_path):
    service = Service(tmp_path / "data", "--rate", 123, "--management-address", "127.0.0.1:0", environment={"IDENTITY_SERVICE_TRUSTED_PROXIES": "10.0.0.0/8, 192.0.2.1"})
    assert requests.get(management(service) + "/health/live", timeout=LIMIT).ok
    service.client().list_identity_pools(MaxResults=1)
    assert service.stop() == 0
    starting, listening = lines(service)[:2]
    assert starting["message"] == "starting" and re.fullmatch(r"\d+\.\d+\.\d+", starting["version"])
    assert starting["rate"] == "123" and starting["trustedProxies"] == "10.0.0.0/8,192.0.2.1" and starting["logLevel"] == "info"
    assert starting["data"] == str(tmp_path / "data") and "certificate" not in starting
    assert listening["message"] == "listening" and listening["address"] == service.url and listening["management"] == management(service)
    assert service.key[1] not in "".join(service.log)
    # A call that changes nothing is not logged at this level.
    assert not any("operation" in line for line in lines(service))


def test_lines_of_the_log_are_bounded_and_plain(tmp_path):
    """Paths are what an operator, or a tool of theirs, can fill with anything."""
    odd = tmp_path / "a\nb\x1b[31m\x7f\u0085\u009b\u2028\u202e\u2066\u00e9\U0001F600"
    settings = odd.joinpath(*["\u00e9" * 100] * 10) / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{}")
    service = Service(tmp_path / "data", "--config", settings)
    assert service.stop() == 0
    starting = lines(service)[0]
    assert starting["message"] == "starting" and starting["config"].startswith(str(odd)) and starting["config"].endswith("\u00e9\u2026")
    assert 1_000 < len(starting["config"].encode()) < 1_030
    for line in service.log:
        assert len(line.encode()) < 16_384 and line.endswith("}\n")
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", line), line


def test_the_region_belongs_to_the_data(tmp_path):
    service = Service(tmp_path / "data")
    service.stop()
    # The first start has stored it.
    for _ in range(2):
        failed = run("serve", "--data", tmp_path / "data", "--port", 0, "--region", "eu-west-1")
        assert failed.returncode == 2 and "us-east-1" in failed.stderr and "eu-west-1" in failed.stderr and "listening" not in failed.stdout
    service.start()
    service.client().create_identity_pool(IdentityPoolName="here", AllowUnauthenticatedIdentities=False)
    service.stop()
    failed = run("serve", "--data", tmp_path / "data", "--port", 0, "--region", "eu-west-1")
    assert failed.returncode != 0 and "us-east-1" in failed.stderr and "eu-west-1" in failed.stderr and "listening" not in failed.stdout
    service.start()
    assert len(service.client().list_identity_pools(MaxResults=5)["IdentityPools"]) == 1
    service.stop()
