"""Routes of signed requests: `verify-token serve` behind Debian's nginx and behind Envoy, in front of an application that has no code of
this project. botocore, boto3's client of S3 and curl sign with the credentials of identities."""
import hashlib
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import sys

import boto3
import pytest
import yaml
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from identity_support import REGION
from ports import free_port
from programs import VERIFY_TOKEN
from sidecar_support import Nginx, Server, Sidecar
from sync_support import Sync
from test_role_policies import put, statement
from waiting import LIMIT, eventually

GUIDE = (pathlib.Path(__file__).resolve().parents[2] / "docs/signed-routes.md").read_text()
NAME, API_REGION = "orders", "eu-west-1"
SUB = "${cognito-identity.amazonaws.com:sub}"
OWN = f"arn:aws:orders:::users/{SUB}/*"
ENVOY = pathlib.Path(sys.prefix) / "lib" / f"python3.{sys.version_info[1]}" / "site-packages/envoy/_bin/envoy"
NOTHING = hashlib.sha256(b"").hexdigest()


class NoIssuer:
    policy = None


class Signed(Sidecar):
    """A sidecar that asks a service for keys, with routes of signed requests only."""

    def __init__(self, folder, service, host, routes, names=(NAME,), **more):
        self.key_file = pathlib.Path(folder) / "key.json"
        options = [word for name in names for word in ("--api", name)]
        self.key_file.write_text(service.command("key", "create", *options, "--json"))
        self.key_file.chmod(0o600)
        common = {"kind": "sigv4", "keys": "identity", "service": NAME, "region": API_REGION, "hosts": host}
        super().__init__(
            folder, NoIssuer, {name: {**common, **route} for name, route in routes.items()}, policies={}, session_keys={
                "identity": {"endpoint": service.url, "region": REGION, "key_file": str(self.key_file)}}, **more)

    def lines(self, message):
        return [line for line in map(json.loads, self.log.read_text().splitlines()) if line["message"] == message]


def application():
    """Answers with the header fields and the body's hash that it got, and compares them as the guide says."""
    def answer(request):
        body = request.body
        fields = [[name.lower(), value] for name, value in request.headers.items()]
        same = request.headers.get("X-Body-SHA256") in (hashlib.sha256(body).hexdigest(), "UNSIGNED-PAYLOAD")
        found = json.dumps({"target": request.path, "method": request.command, "fields": fields})
        # boto3 takes a body for S3 that is not XML for an error.
        is_object = request.path.startswith("/app")
        return 200 if same else 422, {"X-Found": found} if is_object else {}, b"<ok/>" if is_object else found.encode()
    server = Server(answer)
    server.server.RequestHandlerClass.do_PUT = server.server.RequestHandlerClass.do_DELETE = server.server.RequestHandlerClass.do_GET
    server.server.RequestHandlerClass.do_HEAD = server.server.RequestHandlerClass.do_GET
    return server


@pytest.fixture(scope="module")
def sync(tmp_path_factory):
    sync = Sync(tmp_path_factory.mktemp("signed"), "--session-recheck", "0")
    put(sync, [statement("Allow", "orders:*", [OWN, "arn:aws:orders:::status"]), statement("Deny", "orders:Delete", "*"),
               statement("Allow", "s3:*Object*", f"arn:aws:s3:::app/users/{SUB}/*"),
               statement("Allow", "s3:ListBucket", "arn:aws:s3:::app", StringLike={"s3:prefix": f"users/{SUB}/*"})])
    yield sync
    assert sync.stop() == 0


@pytest.fixture(scope="module")
def backend():
    server = application()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def front(sync, backend, tmp_path_factory):
    """nginx and the sidecar as in the guide."""
    folder = tmp_path_factory.mktemp("front")
    port = free_port()
    guide = json.loads(re.search(r"```json\n(.*?)```", GUIDE, re.S)[1])["routes"]["orders"]
    own = {name: value for name, value in guide.items() if name not in ("kind", "keys", "service", "region", "hosts")}
    s3 = {"form": "s3", "service": "s3", "presigned": True, "unsigned_bodies": True,
          "headers": {"X-Identity": "identity_id", "X-Action": "action", "X-Body-SHA256": "body_sha256"}}
    own["actions"]["POST"] = "orders:Write"
    host = f"127.0.0.1:{port}"
    sidecar = Signed(folder, sync.service, host, {"orders": own, "s3": s3}, names=(NAME, "s3"))
    text = re.search(r"```nginx\n(.*?)```", GUIDE, re.S)[1].replace("127.0.0.1:3000", f"127.0.0.1:{backend.port}")
    signed = text[text.index("    location = /_signed"):]
    objects = """
    location /app {
      auth_request /_objects;
      auth_request_set $identity $upstream_http_x_identity;
      auth_request_set $action $upstream_http_x_action;
      auth_request_set $body $upstream_http_x_body_sha256;
      proxy_set_header X-Identity $identity;
      proxy_set_header X-Action $action;
      proxy_set_header X-Body-SHA256 $body;
      auth_request_set $error $upstream_http_x_amzn_errortype;
      error_page 403 @refused;
      proxy_pass http://127.0.0.1:%d;
    }
""" % backend.port + signed.replace("/_signed", "/_objects").replace("/route/orders", "/route/s3")
    outer = f"upstream sidecar {{ server unix:{sidecar.socket}; keepalive 32; }}"
    nginx = Nginx(folder, text + objects, port, outer=outer)
    yield nginx, sidecar
    nginx.stop()
    assert sidecar.stop() == 0


def signed(user, host, path, method="GET", body=b"", headers=(), sign=SigV4Auth, name=NAME):
    """The header fields that botocore signs."""
    key, token = user.keys
    request = AWSRequest(method, f"http://{host}{path}", data=body, headers=dict(headers))
    sign(Credentials(*key, token), name, API_REGION).add_auth(request)
    return dict(request.headers)


def call(front, user, path, method="GET", body=b"", sent=None, headers=(), more=(), **options):
    nginx = front[0]
    fields = {**signed(user, f"127.0.0.1:{nginx.port}", path, method, body, headers, **options), **dict(more)}
    answer, content = nginx.get(path, fields, method, body if sent is None else sent)
    return answer, json.loads(content) if answer.status in (200, 422) and method != "HEAD" else {}


def values(found, name):
    return [value for field, value in found["fields"] if field == name]


def declared(body):
    return [("X-Amz-Content-Sha256", hashlib.sha256(body).hexdigest())]


def test_own_folder_alone(front, sync):
    jane, joe = sync.user("jane"), sync.user("joe")
    answer, found = call(front, jane, f"/users/{jane.id}/a%20b/17?x=1")
    assert answer.status == 200, answer.headers
    assert values(found, "x-identity") == [jane.id] and values(found, "x-body-sha256") == [NOTHING]
    assert values(found, "x-role") == ["arn:aws:iam::123456789012:role/app-user"] and values(found, "x-team") == []
    assert values(found, "authorization") == values(found, "x-amz-security-token") == []
    assert found["target"] == f"/users/{jane.id}/a%20b/17?x=1"
    before = len(front[1].lines("denied by policies"))
    answer, _ = call(front, joe, f"/users/{jane.id}/17")
    assert answer.status == 403 and answer.headers["X-Amzn-ErrorType"] == "AccessDenied"
    line, = front[1].lines("denied by policies")[before:]
    assert (line["identity"], line["code"], line["level"]) == (joe.id, "session_denied", "info")
    assert (line["action"], line["resource"]) == ("orders:Read", f"arn:aws:orders:::users/{jane.id}/17")
    assert "[access_resource_mismatch]" in line["explanation"]
    # Denied whoever asks; a method without an action.
    assert call(front, jane, f"/users/{jane.id}/17", "DELETE")[0].status == 403
    assert call(front, jane, f"/users/{jane.id}/17", "PATCH")[0].status == 403
    assert front[1].lines("denied by policies")[-1]["code"] == "access_unmapped"
    assert call(front, jane, f"/users/{jane.id}/17", "HEAD")[0].status == 200


def test_what_a_client_sends_of_these_fields_is_removed(front, sync):
    jane = sync.user("jane")
    for spelling in ("X-Identity", "x-identity", "X-Team", "X-Role", "X-Body-SHA256", "X_Identity", "X_Body_SHA256"):
        answer, found = call(front, jane, f"/users/{jane.id}/1", more={spelling: "admin"})
        assert answer.status == 200 and "admin" not in json.dumps(found), (spelling, found)
    # What the proxy says of the request does not come from the client either.
    for name, value in (("X-Original-URI", f"/users/{jane.id}/1"), ("X-Original-Method", "GET"), ("X-Original-Content-Length", "3")):
        answer, _ = call(front, jane, "/users/other/1", more={name: value})
        assert answer.status == 403, name


def test_bodies(front, sync):
    jane = sync.user("jane")
    path, body = f"/users/{jane.id}/1", b'{"a": 1}'
    answer, found = call(front, jane, path, "PUT", body, headers=declared(body))
    assert answer.status == 200 and values(found, "x-body-sha256") == [hashlib.sha256(body).hexdigest()]
    # Changed on its way: the application compares.
    assert call(front, jane, path, "PUT", body, sent=b'{"a": 2}', headers=declared(body))[0].status == 422
    assert call(front, jane, path, sent=b"{}")[0].status == 403
    # Without the hash nothing can be verified; an empty body has one.
    answer, _ = call(front, jane, path, "PUT", body)
    assert answer.status == 403 and front[1].lines("decision")[-1]["code"] == "payload_hash_missing"
    assert call(front, jane, path, "POST", b"", more={"Content-Length": "0"})[0].status == 200
    # A length that is signed.
    fields = [*declared(body), ("Content-Length", str(len(body)))]
    assert call(front, jane, path, "PUT", body, headers=fields)[0].status == 200
    # In chunks, whose length nobody knows.
    nginx = front[0]
    for announced, status in ((declared(body), 200), ((), 422)):
        connection = http.client.HTTPConnection("127.0.0.1", nginx.port, timeout=LIMIT)
        fields = signed(jane, f"127.0.0.1:{nginx.port}", path, "PUT", body if announced else b"", announced)
        connection.request("PUT", path, iter([body]), fields, encode_chunked=True)
        assert connection.getresponse().status == status, announced
        connection.close()


@pytest.mark.parametrize("path", [
    "/users/{id}/../other/1", "/users/{id}/..%2fother/1", "/users/{id}/%2e%2e/other/1", "/users/{id}/..;/other/1", "/users//{id}/1",
    "/users/{id}/.%3B/1", "/users/{id}/a%5C..%5Cb", "/users/{id}%2F1", "/users/{id}/%00", "/users/{id}/%FF", "/users/{id}/;a/1",
    "/users/{id}/..%20/1", "/users/{ID}/1", "/USERS/{id}/1", "/users/{id}/1;x", "/users/{id};x/1"])
def test_paths_that_are_read_in_two_ways(front, sync, backend, path):
    jane = sync.user("jane")
    path = path.replace("{id}", jane.id).replace("{ID}", jane.id.upper())
    nginx = front[0]
    host = f"127.0.0.1:{nginx.port}"
    before = len(backend.paths)
    # botocore normalises; the signature is made of the path as it is sent, too.
    for sign in (SigV4Auth, S3SigV4Auth):
        fields = signed(jane, host, path, sign=sign)
        with socket.create_connection(("127.0.0.1", nginx.port), LIMIT) as connection:
            head = "".join(f"{name}: {value}\r\n" for name, value in {"Host": host, **fields, "Connection": "close"}.items())
            connection.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
            answer = b""
            while part := connection.recv(65_536):
                answer += part
        assert answer.split(b" ")[1] in (b"400", b"403", b"404"), answer
    assert len(backend.paths) == before


def test_signatures_of_others(front, sync):
    jane, joe = sync.user("jane"), sync.user("joe")
    host, path = f"127.0.0.1:{front[0].port}", f"/users/{jane.id}/1"
    good = signed(jane, host, path)
    cases = [({}, "signature_missing", "IncompleteSignature"), ({**good, "Authorization": good["Authorization"] + "0"}, "signature_malformed", None),
             (signed(jane, "other.example", path), "signature_mismatch", "SignatureDoesNotMatch"),
             (signed(jane, host, path, name="billing"), "wrong_service", "AccessDenied"),
             ({**good, "X-Amz-Security-Token": joe.keys[1]}, "session_refused", "ExpiredToken"),
             ({name: value for name, value in good.items() if name != "X-Amz-Security-Token"}, "signed_header_absent", "IncompleteSignature")]
    for fields, code, error in cases:
        answer, _ = front[0].get(path, fields)
        assert answer.status == 403, (code, answer.status)
        decision = front[1].lines("decision")[-1]
        assert code is None or decision["code"] == code, decision
        assert error is None or answer.headers["X-Amzn-ErrorType"] == error
    # The good one still passes, twice: routes accept repeated requests unless they say otherwise.
    assert front[0].get(path, good)[0].status == front[0].get(path, good)[0].status == 200


def test_curl(front, sync):
    jane, joe = sync.user("jane"), sync.user("joe")

    def curl(user, path, name):
        key, token = user.keys
        return subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--aws-sigv4", f"aws:amz:{API_REGION}:{name}", "-u", ":".join(key),
             "-H", f"X-Amz-Security-Token: {token}", "-H", f"X-Amz-Content-Sha256: {NOTHING}", f"http://127.0.0.1:{front[0].port}{path}"],
            capture_output=True, text=True, timeout=LIMIT).stdout

    own = f"users/{jane.id.replace(':', '%3A')}/1"
    # The form of S3 encodes paths once, as curl 7.88 does for all services.
    assert [curl(user, f"/app/{own}", "s3") for user in (jane, joe)] == ["200", "403"], front[1].lines("decision")[-2:]
    version = subprocess.run(["curl", "--version"], capture_output=True, text=True, timeout=LIMIT).stdout.split()[1]
    assert curl(jane, f"/{own}", NAME) == ("403" if version.startswith("7.") else "200")


def test_verify_token_signs_for_curl(front, sync, tmp_path):
    """As the guide has it for curl 7.88, whose own signature has no colon: a body with its hash."""
    jane = sync.user("jane")
    key, token = jane.keys
    host, path = f"127.0.0.1:{front[0].port}", f"/users/{jane.id}/1"
    (tmp_path / "request").write_bytes(
        f"PUT {path} HTTP/1.1\nHost: {host}\nContent-Type: text/plain\nX-Amz-Content-Sha256: -\n\nsome text".encode())
    done = subprocess.run(
        [VERIFY_TOKEN, "sigv4", "sign", "--print", "headers", "--service", NAME, "--region", API_REGION, tmp_path / "request"],
        capture_output=True, text=True, timeout=LIMIT, env={
            **os.environ, "AWS_ACCESS_KEY_ID": key[0], "AWS_SECRET_ACCESS_KEY": key[1], "AWS_SESSION_TOKEN": token})
    assert done.returncode == 0, done.stderr
    (tmp_path / "signed").write_text(done.stdout)
    answer = subprocess.run(
        ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", "PUT", "-H", f"@{tmp_path}/signed", "--data-binary", "some text",
         f"http://{host}{path}"], capture_output=True, text=True, timeout=LIMIT).stdout
    assert answer == "200", front[1].lines("decision")[-1]


def test_objects_of_boto3(front, sync):
    jane, joe = sync.user("jane"), sync.user("joe")

    def client(user, **more):
        key, token = user.keys
        return boto3.client(
            "s3", endpoint_url=f"http://127.0.0.1:{front[0].port}", region_name=API_REGION, aws_access_key_id=key[0],
            aws_secret_access_key=key[1], aws_session_token=token, config=Config(
                s3={"addressing_style": "path"}, retries={"max_attempts": 0}, connect_timeout=LIMIT, read_timeout=LIMIT,
                request_checksum_calculation="when_required", response_checksum_validation="when_required", **more))

    def code(call, **arguments):
        try:
            call(**arguments)
        except ClientError as error:
            return error.response["ResponseMetadata"]["HTTPStatusCode"]
        return 200

    own = f"users/{jane.id}/a b/\u00e9+1"
    for user, allowed in ((jane, 200), (joe, 403)):
        s3 = client(user)
        assert code(s3.put_object, Bucket="app", Key=own, Body=b"text") == allowed
        assert code(s3.get_object, Bucket="app", Key=own) == allowed
        assert code(s3.head_object, Bucket="app", Key=own) == allowed
        assert code(s3.delete_object, Bucket="app", Key=own) == allowed
        assert code(s3.get_object_tagging, Bucket="app", Key=own) == allowed
        assert code(s3.copy_object, Bucket="app", Key=f"users/{user.id}/copy", CopySource={"Bucket": "app", "Key": own}) == allowed
    s3 = client(jane)
    # What is not the bucket's, and what has no action: keys in the body.
    assert code(s3.get_object, Bucket="app-2", Key=own) == 403
    assert code(s3.delete_objects, Bucket="app", Delete={"Objects": [{"Key": own}]}) == 403
    for prefix, status in ((f"users/{jane.id}/", 200), (f"users/{joe.id}/", 403), ("", 403)):
        assert code(s3.list_objects_v2, Bucket="app", Prefix=prefix) == status, prefix
    url = client(jane, signature_version="s3v4").generate_presigned_url("get_object", Params={"Bucket": "app", "Key": own}, ExpiresIn=60)
    answer, _ = front[0].get(url.split(str(front[0].port), 1)[1])
    assert answer.status == 200, front[1].lines("decision")[-1]
    found = json.loads(answer.headers["X-Found"])
    assert values(found, "x-action") == ["s3:GetObject"]
    assert values(found, "x-body-sha256") == ["UNSIGNED-PAYLOAD"]


def test_revoked_sessions(front, sync):
    jane = sync.user("jane-2")
    assert call(front, jane, f"/users/{jane.id}/1")[0].status == 200
    sync.service.command("session", "revoke", "--access-key-id", jane.keys[0][0])
    answer, _ = call(front, jane, f"/users/{jane.id}/1")
    assert answer.status == 403 and answer.headers["X-Amzn-ErrorType"] == "ExpiredToken"


def test_what_a_proxy_leaves_out(front, sync):
    jane, sidecar = sync.user("jane"), front[1]
    host, path = f"127.0.0.1:{front[0].port}", f"/users/{jane.id}/1"
    fields = [*signed(jane, host, path).items(), ("Host", host), ("X-Original-Method", "GET"), ("X-Original-URI", path),
              ("X-Real-IP", "203.0.113.7")]
    assert sidecar.ask("/route/orders", fields)[0] == 200
    assert sidecar.ask("/route/orders", [field for field in fields if field[0] != "Host"])[0] == 403
    for name in ("X-Original-Method", "X-Original-URI", "X-Real-IP"):
        assert sidecar.ask("/route/orders", [field for field in fields if field[0] != name])[0] == 503, name
    assert sidecar.ask("/route/orders", [*fields, ("X-Original-URI", path)])[0] == 503
    assert sidecar.ask("/route/orders", [*fields, ("X-Original-Method", "PUT")])[0] == 503
    assert sidecar.lines("decision")[-1]["code"] == "proxy_fields_missing"


def test_other_proxies_questions(sync, tmp_path):
    """As Traefik's forwardAuth with forwardBody asks, with the client's address, and each signature once."""
    jane = sync.user("jane")
    members = {"form": "execute-api", "account": "123456789012", "api": "a1", "stage": "live", "once": True, "body": "checked",
               "body_limit": 64, "method_header": "X-Forwarded-Method", "target_header": "X-Forwarded-Uri",
               "host_header": "X-Forwarded-Host", "address_header": "X-Forwarded-For", "headers": {"X-Resource": "resource"}}
    put(sync, [statement("Allow", "execute-api:Invoke", "arn:aws:execute-api:eu-west-1:123456789012:a1/live/*/things/*",
                         IpAddress={"aws:SourceIp": "203.0.113.0/24"}), statement("Allow", "orders:*", OWN)])
    sidecar = Signed(tmp_path, sync.service, "api.example", {"api": members})
    try:
        def ask(path, method="POST", body=b"{}", sent=None, address="203.0.113.7", headers=()):
            fields = [*signed(jane, "api.example", path, method, body, headers).items(), ("X-Forwarded-Method", method), ("X-Forwarded-Uri", path),
                      ("X-Forwarded-Host", "api.example"), ("X-Forwarded-For", address)]
            return sidecar.ask("/route/api", fields, body=body if sent is None else sent), fields

        (status, found), fields = ask("/things/1")
        assert status == 200 and found["x-resource"] == "arn:aws:execute-api:eu-west-1:123456789012:a1/live/POST/things/1"
        assert sidecar.ask("/route/api", fields, body=b"{}")[0] == 403 and sidecar.lines("decision")[-1]["code"] == "request_replayed"
        assert ask("/things/2", sent=b"[]")[0][0] == 403 and sidecar.lines("decision")[-1]["code"] == "signature_mismatch"
        # A request that came with another body is still good for its own, once.
        fields = ask("/things/5", sent=b"[]", headers=declared(b"{}"))[1]
        assert sidecar.lines("decision")[-1]["code"] == "payload_hash_mismatch"
        assert [sidecar.ask("/route/api", fields, body=b"{}")[0] for _ in range(2)] == [200, 403]
        (status, found), fields = ask("/things/1", headers=[("Cache-Control", "no-store")])
        assert status == 200
        assert ask("/things/2", body=b"x" * 65)[0][0] == 403 and sidecar.lines("decision")[-1]["code"] == "body_too_large"
        assert ask("/things/2", body=b"x" * 64)[0][0] == 200
        # A part of a body, as Envoy says.
        part = [*ask("/things/5", body=b"part")[1], ("X-Envoy-Auth-Partial-Body", "true")]
        assert sidecar.ask("/route/api", part, body=b"part")[0] == 403 and sidecar.lines("decision")[-1]["code"] == "body_too_large"
        assert ask("/things/3", address="198.51.100.1")[0][0] == 403 and sidecar.lines("decision")[-1]["code"] == "session_denied"
        # A client can have made up the first address of a list.
        for address in ("203.0.113.7, 198.51.100.1", "203.0.113.7:80", "unix:", "unknown"):
            assert ask("/things/4", address=address)[0][0] == 503 and sidecar.lines("decision")[-1]["code"] == "proxy_fields_missing"
        # Another file with the same routes, and one with other members of the route: what was accepted stays so.
        for name in ("X-Resource", "X-Other"):
            sidecar.configuration["routes"]["api"]["headers"] = {name: "resource"}
            sidecar.write()
            sidecar.reload()
            assert sidecar.ask("/route/api", fields, body=b"{}")[0] == 403 and sidecar.lines("decision")[-1]["code"] == "request_replayed"
    finally:
        sidecar.stop()


def test_keys_that_cannot_be_asked_for(sync, tmp_path):
    """The key's file is read for each question. Why one cannot be asked is in the log, once in a while for each code."""
    jane, path = sync.user("jane"), "/status"
    put(sync, [statement("Allow", "orders:*", "arn:aws:orders:::status")])
    sidecar = Signed(tmp_path, sync.service, "api.example", {"orders": {"actions": {"GET": "orders:Read"}, "resource": "arn:aws:orders:::{path}"}})
    try:
        def ask():
            fields = [*signed(jane, "api.example", path).items(), ("X-Original-Method", "GET"), ("X-Original-URI", path), ("Host", "api.example")]
            return sidecar.ask("/route/orders", fields)[0], sidecar.lines("decision")[-1]["code"]

        assert ask() == (200, "ok")
        text = sidecar.key_file.read_text()
        sidecar.key_file.chmod(0o644)
        assert [ask(), ask()] == [(503, "client_configuration_invalid")] * 2
        sidecar.key_file.chmod(0o600)
        assert ask() == (200, "ok")
        sidecar.key_file.write_text(sync.service.command("key", "create", "--api", "billing", "--json"))
        assert ask() == (503, "service_refused_call")
        sidecar.key_file.write_text(text)
        assert ask() == (200, "ok")
        lines = sidecar.lines("keys of sessions cannot be asked for")
        assert [(line["code"], line["keys"], line["before"], line["level"]) for line in lines] == [
            (code, "identity", "0", "warning") for code in ("client_configuration_invalid", "service_refused_call")]
        assert "mode 600" in lines[0]["reason"]
    finally:
        sidecar.stop()


@pytest.fixture(scope="module")
def envoy(sync, backend, tmp_path_factory):
    """Envoy 1.40 with the filter of the guide."""
    folder, port, asked = tmp_path_factory.mktemp("envoy"), free_port(), free_port()
    host = f"127.0.0.1:{port}"
    sidecar = Signed(folder, sync.service, host, {"orders": {
        "actions": {"GET": "orders:Read", "PUT": "orders:Write"}, "resource": "arn:aws:orders:::{path}", "method_header": ":method",
        "target_header": ":path", "body": "checked", "headers": {"X-Identity": "identity_id", "X-Body-SHA256": "body_sha256"}}},
        listen=f"127.0.0.1:{asked}")
    filters = yaml.safe_load(re.search(r"```yaml\n(.*?)```", GUIDE, re.S)[1])["http_filters"]
    router = {"name": "envoy.filters.http.router",
              "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}

    def cluster(name, port):
        endpoint = {"endpoint": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": port}}}}
        return {"name": name, "type": "STATIC", "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": [endpoint]}]}}

    manager = {
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "in", "http_filters": [*filters, router], "common_http_protocol_options": {"headers_with_underscores_action": "DROP_HEADER"},
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [{
            "match": {"prefix": "/"}, "route": {"cluster": "application"}}]}]}}
    (folder / "envoy.json").write_text(json.dumps({"static_resources": {
        "listeners": [{"address": {"socket_address": {"address": "127.0.0.1", "port_value": port}}, "filter_chains": [{
            "filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}]}],
        "clusters": [cluster("sidecar", asked), cluster("application", backend.port)]}}))
    log = (folder / "envoy.log").open("w")
    process = subprocess.Popen(
        [ENVOY, "-c", folder / "envoy.json", "--use-dynamic-base-id", "--concurrency", "1", "--log-level", "warning"], stderr=log, stdout=log)

    class Front:
        def __init__(self):
            self.port = port

        def get(self, path, headers=None, method="GET", body=None):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            return answer, content

    def is_open():
        assert process.poll() is None, (folder / "envoy.log").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    eventually(is_open)
    yield Front(), sidecar
    process.terminate()
    process.wait(LIMIT)
    sidecar.stop()


def test_envoy(envoy, sync, backend):
    put(sync, [statement("Allow", "orders:*", OWN)])
    jane, joe = sync.user("jane"), sync.user("joe")
    path, body = f"/users/{jane.id}/a%20b?x=%2F", b'{"a": 1}'
    answer, found = call(envoy, jane, path)
    assert answer.status == 200, (answer.status, envoy[1].lines("decision")[-1:])
    assert values(found, "x-identity") == [jane.id] and found["target"] == path
    # boto3 declares no hash of bodies that are not for S3. Envoy hands the body over.
    answer, found = call(envoy, jane, path, "PUT", body, headers=[("Content-Type", "application/json")])
    assert answer.status == 200 and values(found, "x-body-sha256") == [hashlib.sha256(body).hexdigest()]
    assert call(envoy, jane, path, "PUT", body, sent=b'{"a": 2}')[0].status == 403
    assert call(envoy, joe, path)[0].status == 403
    for spelling in ("X-Identity", "x-identity", "X_Identity", "X-Body-SHA256"):
        answer, found = call(envoy, jane, path, more={spelling: "admin"})
        assert answer.status == 200 and "admin" not in json.dumps(found), (spelling, found)
    before = len(backend.paths)
    for path in (f"/users/{jane.id}/../{joe.id}/1", f"/users/{jane.id}/..;/1", f"/users//{jane.id}/1", f"/users/{jane.id}%2F1"):
        assert call(envoy, jane, path, sign=S3SigV4Auth)[0].status in (400, 403, 404), path
    assert len(backend.paths) == before


def test_questions_of_envoy(envoy, sync):
    """What Envoy does not send: a path with its first slash in the query. And a body that is not read of a stranger's request."""
    sidecar, path = envoy[1], "/users/a/1"
    host = sidecar.configuration["routes"]["orders"]["hosts"]
    fields = {**signed(sync.user("jane"), host, path), "Host": host}

    def ask(target, fields, body=b""):
        with socket.create_connection(("127.0.0.1", int(sidecar.configuration["listen"].split(":")[1])), LIMIT) as connection:
            head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
            connection.sendall(f"PUT /route/orders{target} HTTP/1.1\r\n{head}\r\n".encode() + body)
            return connection.recv(65_536).split(b" ")[1], sidecar.lines("decision")[-1]["code"]

    assert ask(f"?x={path}", {**fields, "Content-Length": "0"}) == (b"403", "signature_mismatch")
    # Nothing of the body has been sent when the answer comes.
    stranger = {"Host": host, "Content-Length": str(1 << 20)}
    assert ask(path, stranger) == (b"403", "signature_missing")
    assert ask(path, {**fields, "Content-Length": str(1 << 20), "X-Amz-Content-Sha256": NOTHING}) == (b"403", "header_unsigned")
    forged = signed(sync.user("jane"), host, path, "PUT", b"a", declared(b"a"))
    forged["Authorization"] = forged["Authorization"][:-64] + "0" * 64
    assert ask(path, {**forged, **stranger}) == (b"403", "signature_mismatch")


WRONG = [
    ({"kind": "jwt"}, "kind"), ({"keys": "other"}, "keys"), ({"service": ""}, "service"), ({"service": "a/b"}, "service"),
    ({"region": None}, "region"), ({"hosts": "API.example"}, "hosts"), ({"hosts": []}, "hosts"), ({"hosts": "https://api.example"}, "hosts"),
    ({"hosts": ["api.example", "*.example"]}, "hosts"), ({"hosts": "api.example/v1"}, "hosts"), ({"actions": {}}, "actions"),
    ({"actions": {"GET": "orders:*"}}, "actions"), ({"actions": {"GET": "Read"}}, "actions"), ({"resource": "arn:aws:orders:::*"}, "resource"),
    ({"body": "checked", "unsigned_bodies": True}, "unsigned_bodies"),
    ({"actions": {"get": "orders:Read"}}, "actions"), ({"actions": {"GET": 1}}, "actions"), ({"resource": "{paths}"}, "resource"),
    ({"resource": None}, "resource"), ({"path_prefix": "/a/"}, "resource"), ({"form": "sqs"}, "form"), ({"form": "execute-api"}, "account"),
    ({"form": "execute-api", "account": "*", "api": "a1"}, "account"), ({"form": "execute-api", "account": "1", "api": "a1/live"}, "api"),
    ({"form": "execute-api", "account": "1", "api": "a1", "stage": "*"}, "stage"),
    ({"body": "none"}, "body"), ({"body_limit": 5}, "body_limit"), ({"body": "checked", "body_limit": 1 << 25}, "body_limit"),
    ({"headers": {"X-A": "secret"}}, "headers"), ({"headers": {"X-A": ["tags"]}}, "headers"), ({"headers": {"Host": "arn"}}, "headers"),
    ({"headers": {"X-A": "arn", "x-a": "arn"}}, "headers"), ({"presigned": 1}, "presigned"), ({"method_header": "X_M"}, "method_header"),
    ({"other": 1}, "other"), ({"scopes": "a"}, "scopes")]


@pytest.mark.parametrize(("change", "place"), WRONG, ids=[place + str(index) for index, (_, place) in enumerate(WRONG)])
def test_wrong_configurations(tmp_path, change, place):
    key = tmp_path / "key.json"
    key.write_text('{"Version":1,"AccessKeyId":"AKIA0123456789ABCDEF","SecretAccessKey":"secret"}')
    key.chmod(0o600)
    route = {"kind": "sigv4", "keys": "identity", "service": "orders", "region": "eu-west-1", "hosts": "api.example",
             "actions": {"GET": "orders:Read"}, "resource": "arn:aws:orders:::{path}"}
    keys = {"endpoint": "http://127.0.0.1:9", "region": REGION, "key_file": str(key)}

    def check(route, keys):
        file = tmp_path / "sidecar.json"
        file.write_text(json.dumps({
            "version": 1, "listen": f"unix:{tmp_path}/s", "session_keys": {"identity": keys},
            "routes": {"a": {name: value for name, value in route.items() if value is not None}}}))
        return subprocess.run([VERIFY_TOKEN, "serve", "--check-config", file], capture_output=True, text=True, timeout=LIMIT)

    done = check({**route, **change}, keys)
    assert done.returncode == 2 and "policy_document_invalid" in done.stderr and f"routes.a.{place}" in done.stderr.replace('"', ""), done.stderr
    if change is WRONG[0][0]:
        assert check(route, keys).stdout == "the configuration is valid: 1 route, 0 policies\n"
        for wrong, place in (({**keys, "endpoint": "http://identity.example"}, "endpoint"), ({**keys, "key_file": str(tmp_path / "no")}, "key_file"),
                             ({**keys, "capacity": 0}, "capacity"), ({**keys, "other": 1}, "other"), ({**keys, "trust_roots": ""}, "trust_roots"),
                             ({**keys, "trust_roots": str(tmp_path / "no")}, "trust_roots"), ({**keys, "trust_roots": str(key)}, "trust_roots"),
                             ({**keys, "key_file": str(tmp_path / "sidecar.json")}, "key_file"),
                             ({name: keys[name] for name in ("endpoint", "region")}, "key_file")):
            done = check(route, wrong)
            assert done.returncode == 2 and f"session_keys.identity.{place}" in done.stderr.replace('"', ""), done.stderr
        os.chmod(key, 0o644)
        assert "key_file" in check(route, keys).stderr
