"""An API of one's own behind real HTTP, which verifies the credentials of identities with signing keys that it asks identity-service for:
botocore, AWS's CRT and curl are its clients."""
import base64
import http.server
import json
import re
import subprocess
import threading
import time

import pytest
import requests
from botocore.auth import SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from identity_support import REGION, ROLE
from programs import Lines, peer_command
from sync_support import Sync
from test_role_policies import put, statement
from waiting import LIMIT, eventually

NAME, API_REGION = "orders", "eu-west-1"
OWN = "arn:aws:orders:::users/${cognito-identity.amazonaws.com:sub}/*"


class Api:
    """An HTTP server with a handler that answers what the verifier says. `/users/ID/…` is the resource."""

    def __init__(self, service, key):
        self.peer = Lines(peer_command("apis"))
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                path = self.path.split("?")[0]
                found = api.peer.ask(
                    "verify", method=self.command, target=self.path, headers=[list(pair) for pair in self.headers.items()],
                    body=base64.b64encode(body).decode(), address=self.client_address[0], action=f"orders:{self.command}",
                    resource=f"arn:aws:orders:::{path[1:]}")
                status = found.get("status") or (200 if found["allowed"] else 403)
                text = json.dumps(found).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_DELETE = answer

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.peer.do(
            "configure", service=NAME, region=API_REGION, host=self.host, endpoint=service.url, endpoint_region=REGION, key=key[0],
            secret=key[1])

    def call(self, user, path, method="GET", body=b"", sign=SigV4Auth, keys=None, **more):
        key, token = keys or user.keys
        request = AWSRequest(method, f"http://{self.host}{path}", data=body)
        sign(Credentials(*key, token), NAME, API_REGION, **more).add_auth(request)
        sent = requests.request(method, request.prepare().url, data=body, headers=dict(request.headers), timeout=LIMIT)
        return sent.status_code, sent.json()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.peer.close()


def api_key(sync, *options):
    made = json.loads(sync.service.command("key", "create", *(options or ("--api", NAME)), "--json"))
    return made["AccessKeyId"], made["SecretAccessKey"]


@pytest.fixture(scope="module")
def sync(tmp_path_factory):
    sync = Sync(tmp_path_factory.mktemp("own-api"))
    put(sync, [statement("Allow", "orders:*", [OWN, "arn:aws:orders:::status"]), statement("Deny", "orders:DELETE", "*")])
    yield sync
    assert sync.stop() == 0


@pytest.fixture(scope="module")
def api(sync):
    api = Api(sync.service, api_key(sync))
    yield api
    api.close()


def test_own_folder_alone(sync, api):
    jane, joe = sync.user("jane"), sync.user("joe")
    for user, path, method, allowed in [
            (jane, f"/users/{jane.id}/1", "GET", True), (jane, f"/users/{jane.id}/a%20b/%C3%A9?x=1&y=%20", "GET", True),
            (jane, f"/users/{jane.id}/1", "POST", True), (joe, f"/users/{jane.id}/1", "GET", False),
            (jane, f"/users/{jane.id}/1", "DELETE", False), (jane, "/", "GET", False)]:
        status, found = api.call(user, path, method, b'{"a": 1}' if method == "POST" else b"")
        assert (status == 200) == allowed and "error" not in found, (path, method, found)
        assert found["identity"] == user.id and found["methods"][0] == "authenticated"
        assert found["arn"] == "arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials"
        assert found["tags"] == {} and "source_identity" not in found


def test_other_clients(sync, api):
    jane = sync.user("jane")
    key, token = jane.keys
    status, found = api.call(jane, f"/users/{jane.id}/1", sign=SigV4QueryAuth, expires=60)
    assert status == 200 and found["identity"] == jane.id, found

    def curl(path):
        done = subprocess.run(
            ["curl", "-s", "--aws-sigv4", f"aws:amz:{API_REGION}:{NAME}", "-u", ":".join(key), "-H", f"X-Amz-Security-Token: {token}",
             f"http://{api.host}{path}"], capture_output=True, text=True, timeout=LIMIT)
        return json.loads(done.stdout)

    assert curl("/status").get("allowed")
    # 7.88 signs the colon of an identity as it is, and not encoded.
    version = subprocess.run(["curl", "--version"], capture_output=True, text=True, timeout=LIMIT).stdout.split()[1]
    if version.startswith("7."):
        assert curl(f"/users/{jane.id}/1")["code"] == "signature_mismatch"


def test_requests_that_are_changed(sync, api):
    jane, joe = sync.user("jane"), sync.user("joe")
    path = f"/users/{jane.id}/1"
    # The token of one session with the key of another one, and a made-up one.
    for keys, code in [((joe.keys[0], jane.keys[1]), "session_refused"), ((jane.keys[0], joe.keys[1]), "session_refused"),
                       (((jane.keys[0][0], "x" * 40), jane.keys[1]), "signature_mismatch"),
                       ((sync.service.key, None), "access_key_unknown"), ((jane.keys[0], None), "access_key_unknown"),
                       ((jane.keys[0], "TS1." + "A" * 300), "session_refused")]:
        status, found = api.call(jane, path, keys=keys)
        assert status == 403 and found["code"] == code, (found, code)
    # Of another API.
    for name, region in [("billing", API_REGION), (NAME, "us-east-1")]:
        request = AWSRequest("GET", f"http://{api.host}{path}")
        SigV4Auth(Credentials(*jane.keys[0], jane.keys[1]), name, region).add_auth(request)
        found = requests.get(request.url, headers=dict(request.headers), timeout=LIMIT)
        assert found.status_code == 403 and found.json()["code"] in ("wrong_service", "wrong_region"), found.text


def test_revoked_sessions(sync, api):
    jane, joe = sync.user("jane-2"), sync.user("joe-2")
    for user in (jane, joe):
        assert api.call(user, f"/users/{user.id}/1")[0] == 200
    sync.service.command("session", "revoke", "--access-key-id", jane.keys[0][0])
    sync.service.command("session", "revoke", "--identity", joe.id)
    # The service itself refuses them at once.
    for user in (jane, joe):
        with pytest.raises(ClientError) as refused:
            user.client().list_datasets(**user.place)
        assert refused.value.response["Error"]["Code"] == "NotAuthorizedException"
        key, token = user.keys
        with pytest.raises(ClientError) as refused:
            sync.service.client("sts", key=key, token=token).get_caller_identity()
        assert refused.value.response["Error"]["Code"] == "ExpiredToken"
    # An answer serves for a minute; the verifier's clock is two ahead.
    for user in (jane, joe):
        key, token = user.keys
        request = AWSRequest("GET", f"http://{api.host}/users/{user.id}/1")
        SigV4Auth(Credentials(*key, token), NAME, API_REGION).add_auth(request)
        found = api.peer.ask(
            "verify", method="GET", target=f"/users/{user.id}/1", headers=[*map(list, request.headers.items()), ["host", api.host]],
            body="", action="orders:GET", resource="*", now=int(time.time()) + 120)
        assert found["code"] == "session_refused", found
    listed = json.loads(sync.service.command("session", "list", "--json"))["revocations"]
    assert {(found["kind"], found["name"]) for found in listed} >= {("session", jane.keys[0][0]), ("identity", joe.id)}


@pytest.mark.parametrize("options", [("--api", "billing"), ("--may", "read,issue,administer")])
def test_keys_of_others(sync, options):
    api, jane = Api(sync.service, api_key(sync, *options)), sync.user("jane")
    try:
        status, found = api.call(jane, f"/users/{jane.id}/1")
        assert status == 503 and found["code"] == "service_refused_call" and "AccessDeniedException" in found["error"], found
    finally:
        api.close()


def test_questions_in_metrics_and_log(sync):
    """Questions that an API may ask are counted by its name. One that it may not ask has a line in the log."""
    api, jane = Api(sync.service, api_key(sync)), sync.user("jane-3")
    keys = {name: api_key(sync, *options) for name, options in {
        "billing": ("--api", "billing"), "admin": ("--may", "read,issue,administer"), "sts": ("--policy", policy(sync))}.items()}

    def counted():
        text = requests.get(sync.service.url + "/metrics", timeout=LIMIT).text
        return {code: float(value) for name, code, value in re.findall(
            r'^identity_session_keys_total\{api="([^"]*)",code="([^"]*)"\} (\S+)$', text, re.MULTILINE) if name == NAME}

    before = counted()
    try:
        assert api.call(jane, f"/users/{jane.id}/1")[0] == 200
        assert api.call(jane, f"/users/{jane.id}/1", keys=(jane.keys[0], "TS1." + "B" * 300))[0] == 403
    finally:
        api.close()
    after = counted()
    assert {code: after[code] - before.get(code, 0) for code in after if after[code] != before.get(code)} == {
        "ok": 1, "session_token_invalid": 1}
    # Of another API's key, of an administrator's, and for the name of a service.
    assert [ask(sync, keys[name], jane, service) for name, service in (("billing", NAME), ("admin", NAME), ("sts", "sts"))] == [
        "AccessDeniedException"] * 3
    assert counted() == after

    def found(message):
        return {(line["caller"], line.get("api"), line["code"]) for line in map(json.loads, list(sync.service.log))
                if line["message"] == message and line.get("operation") == "GetScopedSigningKey"}

    eventually(lambda: len(found("audit")) >= 2)
    assert found("audit") >= {(keys["admin"][0], NAME, "caller_forbidden"), (keys["sts"][0], "sts", "caller_forbidden")}
    assert (keys["billing"][0], None, "role_policy_refused") in found("denied by policies")
    assert {code for _, _, code in found("audit")} == {"caller_forbidden"}


def policy(sync):
    """A policy that allows questions for keys of all names."""
    file = sync.folder / "keys.json"
    file.write_text(json.dumps({"Version": "2012-10-17", "Statement": statement("Allow", "signing-keys:*", "*")}))
    return str(file)


def ask(sync, key, user, service):
    """The type of the error for which a question is refused."""
    body = json.dumps({"AccessKeyId": user.keys[0][0], "SessionToken": user.keys[1], "Region": API_REGION, "Service": service,
                       "Day": time.strftime("%Y%m%d", time.gmtime())})
    request = AWSRequest("POST", sync.service.url + "/", data=body, headers={
        "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "SigningKeyService.GetScopedSigningKey"})
    SigV4Auth(Credentials(*key), "signing-keys", REGION).add_auth(request)
    return requests.post(request.url, data=body, headers=dict(request.headers), timeout=LIMIT).json()["__type"]


def test_key_of_an_api_does_nothing_else(sync):
    key = api_key(sync)
    for call in (lambda: sync.service.client(key=key).list_identity_pools(MaxResults=1),
                 lambda: sync.service.client("sts", key=key).assume_role(RoleArn=ROLE, RoleSessionName="me"),
                 lambda: sync.service.client("cognito-idp", key=key).list_user_pools(MaxResults=1)):
        with pytest.raises(ClientError) as refused:
            call()
        assert refused.value.response["Error"]["Code"] in ("AccessDeniedException", "AccessDenied")
    assert sync.service.client("sts", key=key).get_caller_identity()["UserId"] == key[0]


def test_issued_credentials_are_in_the_log(sync):
    made = sync.service.client("sts").get_session_token()["Credentials"]

    def line():
        return [line for line in map(json.loads, list(sync.service.log))
                if line["message"] == "audit" and made["AccessKeyId"] in line.values()]

    eventually(line)
    assert [(found["operation"], found["caller"]) for found in line()] == [("GetSessionToken", sync.service.key[0])]
