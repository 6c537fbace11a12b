"""`verify-token serve` behind Debian's nginx, in front of a real application, and by Envoy's documented contract."""
import contextlib
import fcntl
import json
import os
import pathlib
import re
import signal
import socket
import stat
import subprocess
import threading

import pytest

from sidecar_support import PROGRAM, Issuer, Nginx, Server, Sidecar
from waiting import LIMIT, eventually

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs/sidecar.md"
ROUTES = {
    "orders": {"policy": "users", "realm": "orders", "headers": {"X-User": "sub", "X-Roles": ["access", "roles"]}},
    "orders-write": {"policy": "users", "scopes": ["orders/write"], "headers": {"X-User": "sub"}},
}


@pytest.fixture(scope="module")
def issuer():
    issuer = Issuer()
    yield issuer
    issuer.server.stop()


@pytest.fixture(scope="module")
def application():
    """Answers with the header fields that it got."""
    server = Server(lambda request: (200, {}, json.dumps([[name.lower(), value] for name, value in request.headers.items()]).encode()))
    yield server
    server.stop()


@pytest.fixture
def sidecar(issuer, tmp_path):
    sidecar = Sidecar(tmp_path, issuer, ROUTES)
    yield sidecar
    sidecar.stop()


@pytest.fixture
def nginx(sidecar, application, tmp_path):
    outer, text, public, _ = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text(), re.S)
    outer = outer.replace("/run/verify-token/sidecar.sock", str(sidecar.socket))
    nginx = Nginx(tmp_path, (text + public).replace("127.0.0.1:3000", f"127.0.0.1:{application.port}"), outer=outer)
    yield nginx
    nginx.stop()


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class TestNginx:
    def test_a_valid_token_reaches_the_application_with_its_claims(self, nginx, issuer):
        answer, content = nginx.get("/orders/7?x=1", bearer(issuer.token(access={"roles": ["a", "b,c"]})))
        assert answer.status == 200
        fields = json.loads(content)
        assert [value for name, value in fields if name == "x-user"] == ["jane"]
        assert [value for name, value in fields if name == "x-roles"] == ["a,b%2Cc"]

    def test_what_a_client_sends_of_these_fields_is_removed(self, nginx, issuer):
        for spelling in ("X-User", "x-user", "X-Roles", "X_User"):
            headers = {**bearer(issuer.token()), spelling: "admin"}
            _, content = nginx.get("/orders/7", headers)
            assert "admin" not in content.decode(), (spelling, content)

    def test_without_a_valid_token_the_application_is_not_asked(self, nginx, issuer):
        answer, content = nginx.get("/orders/7")
        assert answer.status == 401 and answer.headers["WWW-Authenticate"] == 'Bearer realm="orders"'
        assert b"x-user" not in content
        for token, code in ((issuer.token(lifetime=-10), "token_expired"), (issuer.token(aud="other"), "audience_mismatch")):
            answer, _ = nginx.get("/orders/7", bearer(token))
            assert answer.status == 401
            assert answer.headers["WWW-Authenticate"] == f'Bearer realm="orders", error="invalid_token", error_description="{code}"'

    def test_paths_reach_the_application_unchanged(self, nginx, issuer, application):
        token = issuer.token(scope="orders/write")
        for method in ("GET", "POST"):
            for path in ("/orders/a%20b%2Fc%3Fd", "/orders//a", "/orders/a;b?x=%2F"):
                assert nginx.get(path, bearer(token), method)[0].status == 200
                assert application.paths[-1] == path

    def test_a_location_without_tokens_passes_on_the_path_that_it_compared(self, nginx, application):
        for path, passed in (("/orders/1/../../public/a", "/public/a"), ("/orders/..%2Fpublic/a", "/public/a"), ("/public/%252e%252e/a", "/public/%252e%252e/a")):
            answer, content = nginx.get(path, {"X-User": "admin", "X-Roles": "admin"})
            assert answer.status == 200 and application.paths[-1] == passed and b"admin" not in content, path
        for path in ("/public/../orders/1", "/public/..%2Forders/1"):
            before = len(application.paths)
            assert nginx.get(path)[0].status == 401 and len(application.paths) == before, path

    def test_claims_of_the_longest_size(self, nginx, issuer):
        assert nginx.get("/orders/7", bearer(issuer.token(sub="a" * 4_096)))[0].status == 200
        assert nginx.get("/orders/7", bearer(issuer.token(sub="a" * 4_097)))[0].status == 403

    def test_missing_scopes(self, nginx, issuer):
        answer, _ = nginx.get("/orders/7", bearer(issuer.token(scope="orders/read")), "POST", b"x" * 100_000)
        assert answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="orders/write"'
        assert answer.status == 403
        answer, _ = nginx.get("/orders/7", bearer(issuer.token(scope="orders/read orders/write")), "POST", b"x" * 100_000)
        assert answer.status == 200

    def test_without_a_sidecar_nothing_passes(self, nginx, sidecar, issuer):
        assert sidecar.stop() == 0
        answer, content = nginx.get("/orders/7", bearer(issuer.token()))
        assert answer.status == 500 and b"x-user" not in content


class TestRecipes:
    """The configuration and the map of the section, with an issuer of the tests."""

    @pytest.fixture
    def recipes(self, issuer, tmp_path):
        text = GUIDE.read_text()
        section = text[text.index("## Recipes"):text.index("## nginx")]
        configuration = json.loads(re.search(r"```json\n(.*?)```", section, re.S)[1])
        # Keys of a user pool cannot be fetched here.
        del configuration["policies"]["editors"], configuration["routes"]["pages"]
        for policy in configuration["policies"].values():
            policy["fetching"] = {"allows_plain_loopback": True}
            policy["issuers"][0] |= {"issuer": issuer.url, "keys": {"jwks_uri": issuer.url + "/jwks"}}
        sidecar = Sidecar(tmp_path, issuer, configuration["routes"], policies=configuration["policies"])
        yield sidecar, [re.sub("^    ", "", found, flags=re.M) for found in re.findall(r"^    \w.*?^    }$", section, re.S | re.M)]
        sidecar.stop()

    @pytest.mark.parametrize("route, claims, status, challenge", [
        ("reports", {"groups": ["reports", "others"]}, 200, None),
        ("reports", {"groups": ["others"]}, 403, 'Bearer error="insufficient_scope", scope="reports"'),
        ("reports", {}, 403, 'Bearer error="insufficient_scope", scope="reports"'),
        ("settings", {"role": "admin"}, 200, None),
        ("settings", {"role": "editor"}, 200, None),
        ("settings", {"role": "reader"}, 401, 'Bearer error="invalid_token", error_description="claim_mismatch"'),
    ])
    def test_groups_and_roles(self, recipes, issuer, route, claims, status, challenge):
        answer = recipes[0].ask(f"/route/{route}", list(bearer(issuer.token(**claims)).items()))
        assert answer[0] == status and answer[1].get("www-authenticate") == challenge

    def test_a_map_selects_the_route(self, recipes, issuer, application, tmp_path):
        sidecar, (*selections, location) = recipes
        outer, text, *_ = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text(), re.S)
        outer = outer.replace("/run/verify-token/sidecar.sock", str(sidecar.socket)) + "\n".join(selections)
        server = location + text[text.index("    location = /_verify"):]
        nginx = Nginx(tmp_path, server.replace("127.0.0.1:3000", f"127.0.0.1:{application.port}"), outer=outer)
        try:
            for method, path, claims, status in (
                    ("GET", "/orders/1", {}, 200), ("POST", "/orders/1", {}, 403), ("POST", "/orders/1", {"scope": "orders/write"}, 200),
                    ("GET", "/reports/1", {}, 403), ("GET", "/reports/1", {"groups": ["reports"]}, 200),
                    ("GET", "/settings/1", {"role": "reader"}, 401), ("GET", "/settings/1", {"role": "admin"}, 200),
                    ("GET", "/settings/%20/orders/1", {"scope": "orders/write"}, 401), ("GET", "/others/%20/orders/1", {}, 500),
                    ("GET", "/reports/../orders/1", {}, 400), ("GET", "/orders/..;/reports/1", {}, 400), ("GET", "//orders/1", {}, 400),
                    ("GET", "/orders/%2E%2E%5Creports/1", {}, 400), ("GET", "/orders/a%2fb", {}, 400), ("GET", "/orders/a.b", {}, 200),
                    ("GET", "/others/orders/1", {}, 500), ("GET", "/", {}, 500)):
                answer, content = nginx.get(path, {**bearer(issuer.token(**claims)), "X-User": "eve"}, method)
                assert answer.status == status, (method, path, claims)
                assert status != 200 or ["x-user", "jane"] in json.loads(content)
        finally:
            nginx.stop()


class TestEnvoy:
    """The HTTP service of ext_authz: the path is the prefix and the request's own, the method that of the request. 200 lets it
    pass with the fields of the answer; any other status is answered to the client with the fields of the answer."""

    @pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
    @pytest.mark.parametrize("path", ["", "/", "/orders/7?a=b", "/%2e%2e/route/open", "/..//x", "?x=/route/other"])
    def test_every_path_and_method_of_a_request(self, sidecar, issuer, method, path):
        field = ("Authorization", f"Bearer {issuer.token()}")
        status, fields = sidecar.ask("/route/orders" + path, [field], method)
        assert status == 200 and fields["x-user"] == "jane" and fields["x-roles"] == ""
        status, fields = sidecar.ask("/route/orders" + path, [], method)
        assert status == 401 and fields["www-authenticate"] == 'Bearer realm="orders"'
        status, fields = sidecar.ask("/route/orders-write" + path, [field], method)
        assert status == 403 and 'scope="orders/write"' in fields["www-authenticate"]

    def test_bodies_are_ignored(self, sidecar, issuer):
        field = ("Authorization", f"Bearer {issuer.token()}")
        assert sidecar.ask("/route/orders", [field], "POST", b"a" * 500_000)[0] == 200

    def test_an_unknown_route_does_not_pass(self, sidecar, issuer):
        field = ("Authorization", f"Bearer {issuer.token()}")
        for path in ("/", "/route", "/route/", "/route/Orders", "/route/other", "/routes/orders", "//route/orders", "/x/route/orders"):
            assert sidecar.ask(path, [field])[0] == 404, path

    def test_several_fields_are_refused(self, sidecar, issuer):
        field = ("Authorization", f"Bearer {issuer.token()}")
        status, fields = sidecar.ask("/route/orders", [field, field])
        assert status == 401 and 'error="invalid_request"' in fields["www-authenticate"]


class TestOperation:
    def test_keys_are_fetched_once_and_rotated(self, sidecar, issuer):
        eventually(lambda: sidecar.status("/health/ready")[0] == 200)
        fetches = issuer.fetches
        for _ in range(20):
            assert sidecar.ask("/route/orders", [("Authorization", f"Bearer {issuer.token()}")])[0] == 200
        assert issuer.fetches == fetches
        issuer.keys.append(issuer.new_key("2"))
        eventually(lambda: sidecar.ask("/route/orders", [("Authorization", f"Bearer {issuer.token()}")])[0] == 200)
        other = issuer.new_key("3")
        status, fields = sidecar.ask("/route/orders", [("Authorization", f"Bearer {issuer.token(other)}")])
        assert status == 401 and "invalid_token" in fields["www-authenticate"]

    def test_without_keys_nothing_passes(self, tmp_path):
        issuer = Issuer()
        issuer.works = False
        sidecar = Sidecar(tmp_path, issuer, ROUTES)
        try:
            assert sidecar.ask("/route/orders", [("Authorization", f"Bearer {issuer.token()}")])[0] == 503
            assert sidecar.status("/health/ready")[0] == 503 and sidecar.status("/health/live")[0] == 200
            issuer.works = True
            eventually(lambda: sidecar.status("/health/ready")[0] == 200)
            eventually(lambda: sidecar.ask("/route/orders", [("Authorization", f"Bearer {issuer.token()}")])[0] == 200)
        finally:
            assert sidecar.stop() == 0
            issuer.server.stop()

    def test_reload(self, sidecar, issuer):
        field = ("Authorization", f"Bearer {issuer.token()}")
        sidecar.configuration["routes"] = {"new": {"policy": "users"}}
        sidecar.write()
        sidecar.reload()
        assert sidecar.ask("/route/new", [field])[0] == 200 and sidecar.ask("/route/orders", [field])[0] == 404
        # All or nothing: a mistake, and what needs a restart.
        for change in ({"routes": {"other": {"policy": "none"}}}, {"listen": "127.0.0.1:1"}, {"connections": 5}):
            before = sidecar.log.read_text().count("nothing was changed")
            kept = dict(sidecar.configuration)
            sidecar.configuration.update(change)
            sidecar.write()
            sidecar.reload()
            assert sidecar.ask("/route/new", [field])[0] == 200
            assert sidecar.log.read_text().count("nothing was changed") == before + 1
            sidecar.configuration = kept

    def test_a_reload_keeps_the_keys_of_unchanged_policies(self, tmp_path):
        issuer, other = Issuer(), Issuer()
        sidecar = Sidecar(tmp_path, issuer, ROUTES)
        field = ("Authorization", f"Bearer {issuer.token()}")
        try:
            eventually(lambda: sidecar.status("/health/ready")[0] == 200)
            issuer.works = other.works = False
            sidecar.configuration["log_level"] = "info"
            sidecar.write()
            sidecar.reload()
            assert sidecar.ask("/route/orders", [field])[0] == 200 and sidecar.status("/health/ready")[0] == 200
            # The keys of a new policy are not there yet.
            sidecar.configuration["policies"]["others"] = other.policy
            sidecar.configuration["routes"] = {**ROUTES, "others": {"policy": "others"}}
            sidecar.write()
            sidecar.reload()
            assert sidecar.ask("/route/orders", [field])[0] == 200 and sidecar.status("/health/ready")[0] == 503
            assert sidecar.ask("/route/others", [("Authorization", f"Bearer {other.token()}")])[0] == 503
            other.works = True
            eventually(lambda: sidecar.status("/health/ready")[0] == 200)
            assert sidecar.ask("/route/others", [("Authorization", f"Bearer {other.token()}")])[0] == 200
        finally:
            assert sidecar.stop() == 0
            issuer.server.stop()
            other.server.stop()

    def test_an_issuer_without_keys_delays_no_other(self, tmp_path):
        live, dead = Issuer(), Issuer()
        dead.works = False
        # Whichever is first in the order of the program.
        policies = {f"dead{number}": dead.policy for number in range(8)}
        sidecar = Sidecar(tmp_path, live, ROUTES, policies={**policies, "users": live.policy})
        try:
            eventually(lambda: live.fetches > 0)
            assert sidecar.status("/health/ready")[0] == 503
        finally:
            assert sidecar.stop() == 0
            live.server.stop()
            dead.server.stop()

    @staticmethod
    def handles(process, number):
        if pathlib.Path(f"/proc/{process.pid}/exe").resolve().name != "verify-token-serve":
            return False
        [caught] = re.findall(r"SigCgt:\s+([0-9a-f]+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
        return int(caught, 16) >> (number - 1) & 1

    @staticmethod
    def runs_for(process, milliseconds, listener):
        """Waits until a process has had a processor for so long, or has its socket and waits for requests."""
        def nanoseconds():
            return sum(int((task / "schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir())
        with contextlib.suppress(OSError):
            end = nanoseconds() + milliseconds * 1_000_000
            eventually(lambda: nanoseconds() >= end or listener.exists())

    def test_a_reload_right_after_the_start(self, tmp_path, issuer):
        file = tmp_path / "sidecar.json"
        file.write_text(json.dumps({
            "version": 1, "listen": f"unix:{tmp_path}/sidecar.sock", "policies": {"users": issuer.policy}, "routes": ROUTES}))
        for milliseconds in (0, 5, 10, 20, 40):
            process = subprocess.Popen([PROGRAM, "serve", file], stderr=subprocess.PIPE, text=True)
            # Before that the signal has its usual meaning.
            eventually(lambda: self.handles(process, signal.SIGHUP))
            self.runs_for(process, milliseconds, tmp_path / "sidecar.sock")
            process.send_signal(signal.SIGHUP)
            eventually((tmp_path / "sidecar.sock").exists)
            process.terminate()
            process.communicate(timeout=LIMIT)
            assert process.returncode == 0, milliseconds

    def test_the_next_one_starts_while_the_former_ends(self, tmp_path):
        issuer = Issuer()
        former = Sidecar(tmp_path, issuer, ROUTES)
        eventually(lambda: former.status("/health/ready")[0] == 200)
        # A request that waits for keys keeps the former one for seconds.
        issuer.released.clear()
        field = ("Authorization", f"Bearer {issuer.token(issuer.new_key('unknown'))}")
        answers = []
        asked = threading.Thread(target=lambda: answers.append(former.ask("/route/orders", [field])[0]))
        fetches = issuer.fetches
        asked.start()
        eventually(lambda: issuer.fetches > fetches)
        former.process.terminate()
        eventually(lambda: not former.socket.exists())
        folder = tmp_path / "next"
        folder.mkdir()
        later = Sidecar(folder, issuer, ROUTES, listen=f"unix:{former.socket}")
        later.socket = former.socket
        assert former.process.poll() is None and asked.is_alive()
        issuer.released.set()
        assert former.process.wait(LIMIT) == 0
        asked.join()
        assert answers == [401]
        assert later.ask("/route/orders")[0] == 401
        assert later.stop() == 0 and not former.socket.exists()
        issuer.server.stop()

    def test_a_process_removes_no_socket_but_its_own(self, tmp_path, issuer):
        former = Sidecar(tmp_path, issuer, ROUTES)
        former.socket.unlink()
        folder = tmp_path / "next"
        folder.mkdir()
        later = Sidecar(folder, issuer, ROUTES, listen=f"unix:{former.socket}")
        later.socket = former.socket
        assert former.stop() == 0
        assert later.ask("/route/orders")[0] == 401
        assert later.stop() == 0
        assert not [file for file in tmp_path.iterdir() if stat.S_ISSOCK(file.stat().st_mode)]

    def test_a_start_that_fails_or_is_ended_leaves_no_socket(self, tmp_path, issuer):
        def sockets():
            return [file.name for file in tmp_path.iterdir() if stat.S_ISSOCK(file.stat().st_mode)]

        with socket.create_server(("127.0.0.1", 0)) as other:
            file = tmp_path / "sidecar.json"
            configuration = {"version": 1, "listen": f"unix:{tmp_path}/\u0301s", "policies": {"users": issuer.policy}, "routes": ROUTES}
            file.write_text(json.dumps({**configuration, "management": f"127.0.0.1:{other.getsockname()[1]}"}))
            for _ in range(8):
                done = subprocess.run([PROGRAM, "serve", file], capture_output=True, text=True, timeout=LIMIT)
                assert done.returncode == 2 and "Address already in use [address_unusable]" in done.stderr, done.stderr
                assert not sockets()
        file.write_text(json.dumps(configuration))
        for number in range(40):
            process = subprocess.Popen([PROGRAM, "serve", file], stderr=subprocess.PIPE, text=True)
            # Before it handles the signal, it would end by it.
            eventually(lambda: process.poll() is not None or self.handles(process, signal.SIGTERM))
            self.runs_for(process, number, tmp_path / "\u0301s")
            process.terminate()
            log = process.communicate(timeout=LIMIT)[1]
            assert process.returncode == 0, log
            assert not sockets(), number

    def test_two_that_start_together_do_not_both_listen(self, tmp_path, issuer):
        file = tmp_path / "sidecar.json"
        file.write_text(json.dumps({
            "version": 1, "listen": f"unix:{tmp_path}/sidecar.sock", "policies": {"users": issuer.policy}, "routes": ROUTES}))
        for _ in range(4):
            pair = [subprocess.Popen([PROGRAM, "serve", file], stderr=subprocess.DEVNULL) for _ in range(2)]
            eventually(lambda: any(process.poll() is not None for process in pair))
            assert [process.poll() for process in pair].count(2) == 1 and [process.poll() for process in pair].count(None) == 1
            for process in pair:
                process.terminate()
                process.wait(LIMIT)

    def test_others_cannot_stop_a_start_by_a_lock(self, tmp_path, issuer):
        """Whoever can read a folder can lock it. The lock of a start is a file that other users cannot open."""
        folder = os.open(tmp_path, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        # Two names of one folder do not lock each other out either.
        (tmp_path / "link").symlink_to(tmp_path)
        sidecar = Sidecar(tmp_path, issuer, ROUTES, management=f"unix:{tmp_path}/link/management.sock")
        os.close(folder)
        for name in ("sidecar.sock.lock", "management.sock.lock"):
            assert stat.S_IMODE(os.stat(tmp_path / name).st_mode) == 0o600
        assert sidecar.stop() == 0

    @pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
    def test_sockets_have_their_modes_whatever_the_mask(self, tmp_path, issuer, umask):
        management = tmp_path / "management.sock"
        sidecar = Sidecar(tmp_path, issuer, ROUTES, socket_mode="660", umask=umask, management=f"unix:{management}")
        eventually(lambda: "management is listening" in sidecar.log.read_text())
        assert stat.S_IMODE(os.stat(sidecar.socket).st_mode) == stat.S_IMODE(os.stat(management).st_mode) == 0o660
        assert sidecar.stop() == 0 and not management.exists()

    def test_metrics_and_logs_have_no_tokens(self, sidecar, issuer):
        token = issuer.token()
        assert sidecar.ask("/route/orders", [("Authorization", f"Bearer {token}")])[0] == 200
        assert sidecar.ask("/route/secret-name", [("Authorization", f"Bearer {token}")])[0] == 404
        assert sidecar.ask("/route/orders", [("Authorization", "Bearer secret-text")])[0] == 401
        metrics = sidecar.status("/metrics")[1]
        assert 'verify_token_decisions_total{route="orders",code="ok"} ' in metrics.replace('code="ok",route="orders"', 'route="orders",code="ok"')
        assert "process_resident_memory_bytes" in metrics and sidecar.status("/version")[1].startswith("verify-token ")
        everything = metrics + sidecar.log.read_text()
        assert token not in everything and "secret" not in everything

    def test_the_socket(self, sidecar, issuer, tmp_path):
        assert stat.S_IMODE(os.stat(sidecar.socket).st_mode) == 0o666
        # A second one takes neither the socket of the first nor its management address, and removes nothing.
        for listen, management in ((str(sidecar.socket), 0), (f"{tmp_path}/other.sock", sidecar.management)):
            file = tmp_path / "other.json"
            configuration = {**sidecar.configuration, "listen": f"unix:{listen}", "management": f"127.0.0.1:{management}"}
            file.write_text(json.dumps(configuration))
            other = subprocess.run([PROGRAM, "serve", file], capture_output=True, text=True, timeout=LIMIT)
            assert other.returncode == 2 and "cannot listen on " in other.stderr and "[address_unusable]" in other.stderr
            assert sidecar.ask("/route/orders")[0] == 401
        file.write_text(json.dumps({**sidecar.configuration, "listen": f"unix:{file}", "management": "127.0.0.1:0"}))
        other = subprocess.run([PROGRAM, "serve", file], capture_output=True, text=True, timeout=LIMIT)
        assert other.returncode == 2 and "no socket" in other.stderr and file.exists()
        file.write_text(json.dumps({**sidecar.configuration, "listen": f"unix:{tmp_path}/none/s.sock", "management": "127.0.0.1:0"}))
        other = subprocess.run([PROGRAM, "serve", file], capture_output=True, text=True, timeout=LIMIT)
        assert other.returncode == 2 and "its folder cannot be used: No such file or directory [address_unusable]" in other.stderr
        # One that was killed leaves its socket, which the next one replaces.
        sidecar.process.kill()
        sidecar.process.wait(LIMIT)
        assert sidecar.socket.exists()
        again = Sidecar(tmp_path, issuer, ROUTES)
        assert again.ask("/route/orders")[0] == 401
        assert again.stop() == 0 and not sidecar.socket.exists()

    def test_check_config(self, tmp_path, issuer):
        file = tmp_path / "sidecar.json"
        good = {"version": 1, "listen": "127.0.0.1:0", "policies": {"users": issuer.policy}, "routes": ROUTES}
        file.write_text(json.dumps(good))

        def check():
            return subprocess.run([PROGRAM, "serve", "--check-config", file], capture_output=True, text=True, timeout=LIMIT)

        done = check()
        assert (done.returncode, done.stdout) == (0, "the configuration is valid: 2 routes, 1 policy\n"), done
        for change, rule in (
                ({"listen": "0.0.0.0:80"}, 'listen is "0.0.0.0:80" and must be'), ({"colour": 1}, '"colour" is unknown here'),
                ({"routes": {}}, "routes must be 1 to 1000 routes")):
            file.write_text(json.dumps({**good, **change}))
            done = check()
            assert done.returncode == 2 and rule in done.stderr and "[policy_document_invalid]" in done.stderr, done
        done = subprocess.run([PROGRAM, "serve", tmp_path / "none"], capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 2 and "[file_unusable]" in done.stderr

    def test_the_configuration_of_the_guide_is_valid(self, tmp_path):
        key = tmp_path / "nonce.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        for text in re.findall(r"```json\n(.*?)```", GUIDE.read_text(), re.S):
            file = tmp_path / "sidecar.json"
            file.write_text(text.replace("/etc/verify-token/nonce.key", str(key)))
            done = subprocess.run([PROGRAM, "serve", "--check-config", file], capture_output=True, text=True, timeout=LIMIT)
            assert done.returncode == 0, done
        key.write_bytes(b"short")
        done = subprocess.run([PROGRAM, "serve", "--check-config", file], capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 2 and "at least 32 are needed" in done.stderr and "[file_unusable]" in done.stderr
        key.write_bytes(os.urandom(32))
        for mode in (0o644, 0o604, 0o620):
            key.chmod(mode)
            done = subprocess.run([PROGRAM, "serve", "--check-config", file], capture_output=True, text=True, timeout=LIMIT)
            assert done.returncode == 2 and "that other users cannot read" in done.stderr and "[file_unusable]" in done.stderr
