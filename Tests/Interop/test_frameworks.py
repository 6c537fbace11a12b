"""The programs of docs/frameworks.md and docs/flyingfox.md: they are the programs that were built, and let valid tokens pass alone."""
import json
import re
import subprocess
import threading
import time
from http.client import HTTPConnection

import pytest
from joserfc import jwk, jwt
from werkzeug.serving import make_server

from ports import free_port
from programs import PROGRAMS, ROOT
from waiting import LIMIT, eventually

# The pages by the programs whose first Swift block they have.
PAGES = {"hummingbird": "frameworks.md", "flyingfox": "flyingfox.md"}


@pytest.mark.parametrize("name, page", PAGES.items())
def test_the_pages_have_the_programs(name, page):
    block = re.search(r"```swift\n(.*?)```", (ROOT / "docs" / page).read_text(), re.S)
    assert block.group(1) == (ROOT / f"Examples/{name}/main.swift").read_text()


class Issuer:
    """An authorization server over HTTPS: its metadata, and its keys."""

    def __init__(self, folder):
        self.certificate = folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", self.certificate],
            check=True, capture_output=True)
        self.key = jwk.ECKey.generate_key("P-256", {"kid": "1", "use": "sig", "alg": "ES256"}, private=True)
        self.works, self.fetches = True, []
        self.server = make_server("localhost", 0, self.answer, threaded=True, ssl_context=(str(self.certificate), str(folder / "key.pem")))
        self.url = f"https://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, environment, start):
        path = environment["PATH_INFO"]
        self.fetches.append(path)
        start("200 OK" if self.works else "500 Internal Server Error", [("Content-Type", "application/json")])
        keys = {"keys": [self.key.as_dict(private=False)]}
        return [json.dumps(keys if path == "/keys" else {"issuer": self.url, "jwks_uri": self.url + "/keys"}).encode()]

    def token(self, key=None, lifetime=600, **claims):
        now = int(time.time())
        body = {"iss": self.url, "aud": "my-api", "sub": "jane", "client_id": "c", "jti": "1", "iat": now - 700, "exp": now + lifetime, **claims}
        return jwt.encode({"typ": "at+jwt", "alg": "ES256", "kid": "1"}, body, key or self.key, algorithms=["ES256"])

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def issuer(tmp_path):
    issuer = Issuer(tmp_path)
    yield issuer
    issuer.stop()


@pytest.fixture(params=PAGES)
def ask(request, issuer, tmp_path):
    """Asks one of the programs: the status, the challenge and the body."""
    port = free_port()
    with open(tmp_path / "log", "wb") as log:
        program = subprocess.Popen(
            [PROGRAMS / f"verify-in-{request.param}", str(port), issuer.url, "my-api", str(issuer.certificate)], stdout=log, stderr=log)

    def ask(*fields, path="/me"):
        connection = HTTPConnection("127.0.0.1", port, timeout=LIMIT)
        try:
            connection.putrequest("GET", path)
            for value in fields:
                connection.putheader("Authorization", value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.headers["WWW-Authenticate"], answer.read().decode()
        finally:
            connection.close()

    def answers():
        assert program.poll() is None, (tmp_path / "log").read_text()
        try:
            return ask(path="/")
        except ConnectionRefusedError:
            return None

    try:
        eventually(answers)
        yield ask
        assert program.poll() is None
    finally:
        program.terminate()
        program.wait(LIMIT)


def refused(code):
    return 401, f'Bearer error="invalid_token", error_description="{code}"', ""


def test_tokens(ask, issuer):
    token = issuer.token()
    for scheme in ("Bearer", "bearer"):
        assert ask(f"{scheme} {token}") == (200, None, "Hello, jane")
    # Discovered and fetched once.
    assert len(issuer.fetches) == 2 and issuer.fetches[1] == "/keys"
    assert ask() == ask("Basic amFuZTp4") == ask("Bearer") == ask(f"Bearer {token} x") == (401, "Bearer", "")
    assert ask("Bearer no-token") == refused("not_compact")
    assert ask(f"Bearer {token[:-1]}") == refused("base64url_length")
    assert ask(f"Bearer {issuer.token(lifetime=-300)}") == refused("token_expired")
    assert ask(f"Bearer {issuer.token(aud='other')}") == refused("audience_mismatch")
    assert ask(f"Bearer {issuer.token(iss='https://other.example')}") == refused("issuer_unknown")
    other = jwk.ECKey.generate_key("P-256", {"kid": "1"}, private=True)
    assert ask(f"Bearer {issuer.token(other)}") == refused("signature_invalid")
    assert ask(f"Bearer {token}", path="/other")[0] == 404


def test_an_issuer_that_does_not_answer(ask, issuer):
    issuer.works = False
    assert ask(f"Bearer {issuer.token()}") == (503, None, "")


def test_two_tokens(ask, issuer, request):
    """Hummingbird sees both fields; FlyingFox keeps the last one, and a proxy in front of it may have read the first."""
    answer = ask(f"Bearer {issuer.token()}", f"Bearer {issuer.token()}")
    assert answer == ((401, "Bearer", "") if "hummingbird" in request.node.name else (200, None, "Hello, jane"))
