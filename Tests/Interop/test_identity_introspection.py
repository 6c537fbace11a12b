"""Opaque access tokens of Facebook and Amazon, which the service asks their providers about. The providers are ours."""
import http.server
import json
import threading
import urllib.parse

import pytest
from botocore.exceptions import ClientError

from identity_support import DEVELOPER, Service, run

APP, SECRET, CLIENT = "12345", "facebook-secret-0123456789", "amzn1.application-oa2-client.1"
USERS = {"EAAB|jane+1/x=": "jane", "EAAB|revoked": None, "Atza|sam&x": "amzn1.account.SAM"}


class Providers(http.server.BaseHTTPRequestHandler):
    """`debug_token` and `tokeninfo` as the guides of Facebook and Amazon describe them."""

    asked = []
    status = None

    def do_GET(self):
        path, _, query = self.path.partition("?")
        values = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
        Providers.asked.append(path)
        status, body = 404, {}
        if Providers.status:
            status = Providers.status
        elif path == "/debug_token":
            user = USERS.get(values["input_token"])
            if values["access_token"] != f"{APP}|{SECRET}":
                status, body = 400, {"error": {"message": "Invalid OAuth access token signature.", "code": 190}}
            elif user:
                status, body = 200, {"data": {"app_id": APP, "type": "USER", "is_valid": True, "expires_at": 0, "user_id": user}}
            else:
                status, body = 200, {"data": {"app_id": APP, "is_valid": False, "scopes": [], "error": {"code": 190, "message": "expired"}}}
        elif path == "/auth/o2/tokeninfo":
            user = USERS.get(values["access_token"])
            if user:
                status, body = 200, {"iss": "https://www.amazon.com", "user_id": user, "aud": CLIENT, "app_id": "amzn1.application.1", "exp": 3597, "iat": 1311280970}
            else:
                status, body = 400, {"error": "invalid_token", "error_description": "not valid"}
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def providers():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Providers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def settings(folder, value, mode=0o600):
    file = folder / "introspection.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    file.chmod(mode)
    return file


@pytest.fixture(scope="module")
def service(providers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("introspection")
    file = settings(folder, {
        "graph.facebook.com": {"appId": APP, "appSecret": SECRET, "address": providers},
        "www.amazon.com": {"address": providers}})
    service = Service(folder / "data", "--introspection", file, "--log-level", "debug")
    yield service
    service.stop()


@pytest.fixture(scope="module")
def pool(service):
    return service.client().create_identity_pool(
        IdentityPoolName="opaque", AllowUnauthenticatedIdentities=False, AllowClassicFlow=True, DeveloperProviderName=DEVELOPER,
        SupportedLoginProviders={"graph.facebook.com": APP, "www.amazon.com": CLIENT})["IdentityPoolId"]


def refusal(call):
    with pytest.raises(ClientError) as caught:
        call()
    return caught.value.response["Error"]["Code"]


def test_opaque_tokens_are_logins(service, pool):
    device = service.unsigned()
    for name, token, path in (
            ("graph.facebook.com", "EAAB|jane+1/x=", "/debug_token"), ("www.amazon.com", "Atza|sam&x", "/auth/o2/tokeninfo")):
        before = len(Providers.asked)
        identity = device.get_id(IdentityPoolId=pool, Logins={name: token})["IdentityId"]
        assert device.get_id(IdentityPoolId=pool, Logins={name: token})["IdentityId"] == identity
        assert Providers.asked[before:] == [path] * 2
        assert service.client().describe_identity(IdentityId=identity)["Logins"] == [name]
        found = device.get_open_id_token(IdentityId=identity, Logins={name: token})
        assert found["IdentityId"] == identity and found["Token"].count(".") == 2


def test_tokens_that_the_provider_refuses(service, pool):
    device = service.unsigned()
    for name, token in (("graph.facebook.com", "EAAB|revoked"), ("graph.facebook.com", "unknown"), ("www.amazon.com", "Atza|unknown")):
        assert refusal(lambda: device.get_id(IdentityPoolId=pool, Logins={name: token})) == "NotAuthorizedException"
    # A client of another pool.
    other = service.client().create_identity_pool(
        IdentityPoolName="other", AllowUnauthenticatedIdentities=False,
        SupportedLoginProviders={"graph.facebook.com": "99999", "www.amazon.com": "amzn1.application-oa2-client.2"})["IdentityPoolId"]
    for name, token in (("graph.facebook.com", "EAAB|jane+1/x="), ("www.amazon.com", "Atza|sam&x")):
        assert refusal(lambda: device.get_id(IdentityPoolId=other, Logins={name: token})) == "NotAuthorizedException"


def test_a_provider_that_is_away(service, pool):
    device = service.unsigned()
    Providers.status = 503
    try:
        for name, token in (("graph.facebook.com", "EAAB|jane+1/x="), ("www.amazon.com", "Atza|sam&x")):
            assert refusal(lambda: device.get_id(IdentityPoolId=pool, Logins={name: token})) == "ExternalServiceException"
    finally:
        Providers.status = None
    # Neither tokens nor the app's secret are in the log.
    text = "".join(service.log)
    assert SECRET not in text and "EAAB" not in text and "Atza" not in text


def test_a_provider_that_is_off(tmp_path, providers):
    file = settings(tmp_path, {"www.amazon.com": {"address": providers}})
    service = Service(tmp_path / "data", "--introspection", file)
    try:
        pool = service.client().create_identity_pool(
            IdentityPoolName="off", AllowUnauthenticatedIdentities=False,
            SupportedLoginProviders={"graph.facebook.com": APP, "www.amazon.com": CLIENT})["IdentityPoolId"]
        device = service.unsigned()
        before = len(Providers.asked)
        assert refusal(lambda: device.get_id(IdentityPoolId=pool, Logins={"graph.facebook.com": "EAAB|jane+1/x="})) == "NotAuthorizedException"
        assert len(Providers.asked) == before
        assert device.get_id(IdentityPoolId=pool, Logins={"www.amazon.com": "Atza|sam&x"})["IdentityId"]
    finally:
        service.stop()


@pytest.mark.parametrize("value, rule", [
    ("[]", "it must be a JSON object"), ("{", "invalid"),
    ({"accounts.google.com": {}}, "it must be graph.facebook.com or www.amazon.com"),
    ({"graph.facebook.com": {"appId": APP}}, "16 to 256 bytes"),
    ({"graph.facebook.com": {"appId": "x", "appSecret": SECRET}}, "1 to 32 digits"),
    ({"www.amazon.com": {"secret": "x"}}, "it can have the texts"),
    ({"www.amazon.com": {"address": "http://example.com"}}, "must use https://"),
])
def test_settings_that_are_refused(tmp_path, value, rule):
    file = settings(tmp_path, value)
    done = run("serve", "--data", tmp_path / "data", "--check-config", "--introspection", file)
    assert done.returncode == 2 and str(file) in done.stderr, done.stderr
    assert SECRET not in done.stderr
    if value != "{":
        assert rule in done.stderr, done.stderr


def test_a_file_that_others_can_read_is_refused(tmp_path):
    file = settings(tmp_path, {"www.amazon.com": {}}, mode=0o644)
    done = run("serve", "--data", tmp_path / "data", "--check-config", "--introspection", file)
    assert done.returncode == 2 and "mode 600" in done.stderr
