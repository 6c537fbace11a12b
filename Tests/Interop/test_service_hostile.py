"""Requests that mean harm to identity-service: whatever a caller sends is the caller's error, never the service's."""
import datetime
import hashlib
import itertools
import json
import random
import unicodedata

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from identity_support import DEVELOPER, DEVELOPER_TOKEN, REGION, Service, make_pool
from raw_http import JSON, TARGET, call, exchange, request
from test_service_limits import code, signed

FORM = "application/x-www-form-urlencoded"
KELVIN = "\u212A"
MODES = [
    "UNSIGNED-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER", "STREAMING-AWS4-HMAC-SHA256-EVENTS",
    "STREAMING-AWS4-ECDSA-P256-SHA256-EVENTS", "", "x", "0" * 64, "A" * 64, "f" * 63, "f" * 65, hashlib.sha256(b"").hexdigest(), "UNSIGNED-PAYLOAD\u212A"]
METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "LOCK", "QUERY", "post", "X" * 200, "\u212A"]
OPERATIONS = [
    "CreateIdentityPool", "DeleteIdentities", "DeleteIdentityPool", "DescribeIdentity", "DescribeIdentityPool", "GetCredentialsForIdentity", "GetId",
    "GetIdentityPoolRoles", "GetOpenIdToken", "GetOpenIdTokenForDeveloperIdentity", "GetPrincipalTagAttributeMap", "ListIdentities", "ListIdentityPools",
    "ListTagsForResource", "LookupDeveloperIdentity", "MergeDeveloperIdentities", "SetIdentityPoolRoles", "SetPrincipalTagAttributeMap", "TagResource",
    "UnlinkDeveloperIdentity", "UnlinkIdentity", "UntagResource", "UpdateIdentityPool"]
MEMBERS = [
    "IdentityPoolId", "IdentityId", "IdentityPoolName", "AllowUnauthenticatedIdentities", "Logins", "MaxResults", "IdentityIdsToDelete", "LoginsToRemove", "Roles",
    "RoleMappings", "SourceUserIdentifier", "DestinationUserIdentifier", "DeveloperProviderName", "DeveloperUserIdentifier", "IdentityProviderName", "ResourceArn",
    "Tags", "TagKeys", "PrincipalTags", "TokenDuration", "NextToken", "CustomRoleArn", "AccountId", "CognitoIdentityProviders", "OpenIdConnectProviderARNs",
    "SupportedLoginProviders", "UseDefaults", "HideDisabled"]
VALUES = [
    None, True, 0, -1, 2 ** 63, -2 ** 63, 1e308, 1e-400, "", "\0", "\u212A", "\ud800", "\U0010FFFF" * 40, "a" * 2_000, [], {}, [[]], [None], {"": ""}, {"a": None},
    {"\0": "\0"}, [{}], [{"": {}}], {"a": {"b": {"c": []}}}, f"{REGION}:00000000-0000-4000-8000-000000000000", f"{REGION}:\0", "'; DROP TABLE pool; --",
    {"accounts.google.com": "a.b.c"}, {DEVELOPER_TOKEN: "a.b.c"}, {DEVELOPER: "x", DEVELOPER_TOKEN: "e30.e30.e30"}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def service(folder):
    """Whatever the tests sent: no response was the service's error, and its log says nothing of any."""
    service = Service(folder / "data", "--rate", 0, "--connections-per-address", 0, "--log-level", "warning")
    yield service
    assert exchange(service, request())[0] == 200
    assert service.stop() == 0
    assert service.log == []


@pytest.fixture(scope="module")
def pool(service, folder):
    return make_pool(service, folder)


def refused(service, data):
    """A response that blames the caller, or a connection that was closed."""
    answer = exchange(service, data)
    assert answer is None or 400 <= answer[0] < 500, answer
    return answer


def credential(service, name="cognito-identity", algorithm="AWS4-HMAC-SHA256", signature="0" * 64, key=None, signed_headers="content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target"):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{key or service.key[0]}/{now[:8]}/{REGION}/{name}/aws4_request"
    return [("X-Amz-Date", now), ("Authorization", f"{algorithm} Credential={scope}, SignedHeaders={signed_headers}, Signature={signature}")]


# Signatures.


@pytest.mark.parametrize("mode", MODES)
def test_every_way_to_declare_a_body(service, mode):
    """Signed with the right key, and by anybody: with headers alone, the mode comes before the signature."""
    expected = {"AccessDeniedException", "IncompleteSignatureException", "InvalidSignatureException"}
    for data in (signed(service, "ListIdentityPools", b'{"MaxResults": 1}', headers=[("X-Amz-Content-SHA256", mode)]) if mode.isascii() else None,
                 call(TARGET + "ListIdentityPools", b"{}", [*credential(service), ("X-Amz-Content-SHA256", mode)]),
                 call(TARGET + "ListIdentityPools", b"{}", [*credential(service, algorithm="AWS4-ECDSA-P256-SHA256"), ("X-Amz-Content-SHA256", mode)])):
        if data:
            answer = refused(service, data)
            assert answer[0] == 400 and answer[1]["x-amzn-errortype"] in expected
    for name in ("sts", "cognito-identity"):
        answer = refused(service, request("POST", "/", [("Content-Type", FORM), *credential(service, name), ("X-Amz-Content-SHA256", mode)],
                                          b"Action=GetCallerIdentity&Version=2011-06-15"))
        assert b"<Type>Sender</Type>" in answer[2]


def test_a_body_that_is_not_bound(service):
    """The codes, where the mode is known."""
    for mode in MODES[:2] + ["STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-EVENTS"]:
        answer = refused(service, call(TARGET + "ListIdentityPools", b"{}", [*credential(service), ("X-Amz-Content-SHA256", mode)]))
        assert code(answer) == "payload_not_accepted" and answer[1]["x-amzn-errortype"] == "AccessDeniedException"


@pytest.mark.parametrize("algorithm", ["AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256", "AWS4-X509-RSA-SHA256", "AWS3", "", "Bearer", "Basic", "\u212A"])
@pytest.mark.parametrize("key", ["", "A", "AKIA" + "A" * 16, "ASIA" + "A" * 16, "\u212A" * 20, "A" * 5_000, "../x", "%00", "a/b"])
def test_odd_credentials(service, algorithm, key):
    for signature in ("0" * 64, "", "z" * 64, "0" * 5_000):
        fields = credential(service, algorithm=algorithm, key=key, signature=signature)
        refused(service, call(TARGET + "ListIdentityPools", b"{}", fields))
    refused(service, call(TARGET + "ListIdentityPools", b"{}", [*fields, ("X-Amz-Security-Token", key + "." * 3_000)]))
    refused(service, call(TARGET + "ListIdentityPools", b"{}", [*fields, *fields]))
    refused(service, request("POST", f"/?X-Amz-Algorithm={key}&X-Amz-Signature=%00&X-Amz-Expires=99999999999999999999&X-Amz-Credential=%2F%2F%2F%2F",
                             [("Content-Type", JSON), ("X-Amz-Target", TARGET + "ListIdentityPools")], b"{}"))


@pytest.mark.parametrize("headers", ["", ";", "host", "host;host", "\u212A", "x" * 5_000, ";".join(f"x-{i}" for i in range(500)), "content-type\u037Ehost"])
def test_odd_signed_headers(service, headers):
    refused(service, call(TARGET + "ListIdentityPools", b"{}", credential(service, signed_headers=headers)))


# Methods, paths, heads.


@pytest.mark.parametrize("method", METHODS)
def test_methods(service, method):
    for path in ("/", "/health", "/nowhere", "*", "", "http://other.example/", "localhost:80", "//", "/%00", "/\u212A", "/" + "a" * 30_000, "/?" + "a=b&" * 5_000):
        if (method, path) != ("GET", "/health"):
            refused(service, request(method, path))


@pytest.mark.parametrize("path", ["//metrics", "/metrics/", "/./metrics", "/x/../metrics", "/%6Detrics", "/METRICS", "/metrics%00", "/metrics;x", "/metrics\u037Ex",
                                  "/.well-known/jw\u212As_uri", "/.well-known/jwks_ur\u0131", "/.well-known/jwks_uri/", "//", "/health\u0301", "/health%CC%81", "/\u212A"])
def test_one_spelling_of_each_path(service, path):
    assert exchange(service, request(path=path))[0] in (400, 404)


@pytest.mark.parametrize("data", [
    b"\0" * 2_000 + b"\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 600, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    request(headers=[("Content-Length", "1")] * 2, body=b"x"), request("POST", "/", [("Content-Length", "-1")]), request("POST", "/", [("Content-Length", "9" * 40)]),
    request("POST", "/", [("Content-Length", "1"), ("Transfer-Encoding", "chunked")]), request("POST", "/", [("Transfer-Encoding", "gzip, chunked, x")]),
    request("POST", "/", [("Transfer-Encoding", "chunked"), ("Content-Type", JSON)]) + b"FFFFFFFFFFFFFFFFF\r\n",
    request(headers=[(KELVIN, "x")]), request(headers=[("X-A\0", "x")]), request(headers=[("X-A", "\0")]), request(headers=[("X A", "x")]),
    request(headers=[("Upgrade", "websocket"), ("Connection", "upgrade")], method="POST"), request("POST", "/", [("Expect", "100-continue"), ("Content-Type", JSON)], b"{")])
def test_heads_that_are_none(service, data):
    refused(service, data)


@pytest.mark.parametrize("version,encodings,status", [
    ("1.1", ["chunked"], 200), ("1.1", ["Chunked"], 200), ("1.1", ["xchunked"], 400), ("1.1", ["gzip, chunked"], 400), ("1.1", ["chunked", "chunked"], 400),
    ("1.1", ["chun\u212Aed"], 400), ("1.1", [""], 400), ("1.0", ["chunked"], 400)])
def test_bodies_whose_end_is_unknown(service, version, encodings, status):
    fields = "".join(f"Transfer-Encoding: {encoding}\r\n" for encoding in encodings)
    assert exchange(service, f"GET /health HTTP/{version}\r\nHost: x\r\n{fields}\r\n0\r\n\r\n".encode())[0] == status


# Bodies.


@pytest.mark.parametrize("target", ["", "\0", "x", TARGET, TARGET + "getid", TARGET + "GetId\u0301", "AWSCognitoIdentityService\u2024GetId", "GetId",
                                    TARGET + "GetId,GetId", TARGET + "\u212A", TARGET + "x" * 20_000, TARGET.replace("A", "\u0410") + "GetId"])
def test_targets(service, target):
    answer = refused(service, call(target, b"{}"))
    assert answer[0] == 400 and (b'"code":"operation_unknown"' in answer[2] or "\0" in target)


@pytest.mark.parametrize("kind", ["", "\0", "text/plain", JSON + "; charset=utf-16", JSON + ", " + JSON, JSON + "\u0301", JSON.replace("k", KELVIN), "application/json", FORM,
                                  FORM.replace("-", "\u2010"), "multipart/form-data; boundary=x", "application / x-amz-json-1.1", "x" * 20_000, ";", " "])
def test_content_types(service, kind):
    for body in (b"{}", b"", b"Action=GetCallerIdentity", b"\0" * 100):
        refused(service, request("POST", "/", [("Content-Type", kind), ("X-Amz-Target", TARGET + "GetId")], body))


BODIES = {
    "nothing": b"", "NUL": b"\0", "array": b"[]", "text": b'"x"', "number": b"1", "half": b'{"', "two": b"{}{}", "deep array": b'{"a":' + b"[" * 100_000,
    "deep object": b'{"a":' * 100_000, "closed deep": b"[" * 500_000 + b"]" * 500_000, "digits": b'{"MaxResults":' + b"1" * 1_000_000 + b"}",
    "fraction": b'{"MaxResults": 0.' + b"1" * 1_000_000 + b"}", "exponent": b'{"MaxResults": 1e' + b"9" * 1_000_000 + b"}", "largest": b'{"MaxResults": 1e999999999999}',
    "minus": b'{"MaxResults": -0}', "twice": b'{"IdentityPoolId": "a:0", "IdentityPoolId": "b:0"}', "not UTF-8": b'{"IdentityPoolId": "\xff\xfe"}',
    "overlong": b'{"IdentityPoolId": "\xc0\x80"}', "surrogates": rb'{"IdentityPoolId": "\ud800\udc00\ud800"}', "escapes": b'{"IdentityPoolId": "' + rb"\u0000" * 150_000 + b'"}',
    "members": b"{" + b",".join(b'"%d":1' % i for i in range(80_000)) + b"}", "name": b'{"' + b"a" * 1_000_000 + b'":1}', "mark": b"\xef\xbb\xbf{}", "UTF-16": "{}".encode("utf-16"),
    "logins": json.dumps({"IdentityPoolId": "a:0", "Logins": {f"p{i}": "x" for i in range(10_000)}}).encode(),
    "combining": json.dumps({"IdentityPoolId": "a" + "\u0301" * 150_000}).encode(), "spaces": b" " * 1_000_000, "too large": b"x" * (1 << 21)}


@pytest.mark.parametrize("name", BODIES)
def test_bodies(service, name):
    for operation in ("GetId", "GetCredentialsForIdentity"):
        refused(service, call(TARGET + operation, BODIES[name]))
    for operation in ("ListIdentities", "SetIdentityPoolRoles"):
        refused(service, signed(service, operation, BODIES[name]))
    refused(service, request("POST", "/", [("Content-Type", FORM)], b"Action=AssumeRoleWithWebIdentity&Version=2011-06-15&WebIdentityToken=" + BODIES[name]))
    refused(service, request("POST", "/", [("Content-Type", FORM)], BODIES[name]))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_members_of_every_kind(service, pool, operation):
    """Seeded, so that what fails fails again."""
    generator = random.Random(operation)
    good = {"IdentityPoolId": pool, "IdentityPoolName": "x", "MaxResults": 1, "Logins": {DEVELOPER: "x"}}
    for _ in range(25):
        body = {name: good.get(name) if generator.random() < 0.5 else generator.choice(VALUES) for name in generator.sample(MEMBERS, 12)}
        # One that is wrong for certain: no pool and no operation has it as text.
        body |= {"AllowUnauthenticatedIdentities": [], "IdentityId": generator.choice(VALUES)} if operation in ("CreateIdentityPool", "UpdateIdentityPool") else {}
        data = json.dumps(body).encode()
        send = call(TARGET + operation, data) if operation in ("GetId", "GetOpenIdToken", "GetCredentialsForIdentity", "UnlinkIdentity") else signed(service, operation, data)
        answer = exchange(service, send)
        assert answer[0] < 500, (body, answer)
    for name, value in itertools.product(MEMBERS, VALUES[:14]):
        if operation not in ("CreateIdentityPool", "DeleteIdentityPool"):
            answer = exchange(service, call(TARGET + operation, json.dumps({"IdentityPoolId": pool, name: value}).encode()))
            assert answer[0] < 500, (name, value, answer)


FIELDS = ["RoleArn", "RoleSessionName", "WebIdentityToken", "DurationSeconds", "Policy", "ProviderId", "\u212A", "\0", "Action", "Version"]


@pytest.mark.parametrize("field", FIELDS)
def test_forms(service, field):
    start = b"Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
    for value in (b"", b"%", b"%0", b"%zz", b"%00", b"%ff", b"%E2%84%AA", b"+", b"=", b"9" * 100, b"-1", b"9223372036854775808", b"a.b.c", b"e30.e30.e30", b"A" * 100_000,
                  b"arn:aws:iam::123456789012:role/x", b"%F0%9F%98%80"):
        refused(service, request("POST", "/", [("Content-Type", FORM)], start + b"&" + field.encode() + b"=" + value))
        refused(service, request("POST", "/", [("Content-Type", FORM)], start + b"&RoleArn=arn:aws:iam::123456789012:role/x&RoleSessionName=xx&WebIdentityToken=e30.e30.e30"
                                 + b"&" + field.encode() + b"=" + value))


# Unicode: U+212A where a K belongs, and other forms of letters.


@pytest.mark.parametrize("data", [
    (lambda s: call(TARGET.replace("I", "\u0130") + "GetId", b"{}")), (lambda s: call(TARGET + "Loo\u212AupDeveloperIdentity", b"{}")),
    (lambda s: call(TARGET + "GetOpenIdTo\u212AenForDeveloperIdentity", b"{}")), (lambda s: call(TARGET + "Unlin\u212AIdentity", b"{}"))])
def test_kelvin_in_targets(service, data):
    assert code(refused(service, data(service))) == "operation_unknown"


@pytest.mark.parametrize("name", ["X-Amz-Tar\u212Aet", "\u212A", "Hos\u212A", "Content-\u212AType", "X-Amz-Date\u0301", "\u017FX"])
def test_kelvin_in_header_names(service, name):
    answer = refused(service, request(headers=[(name, "x")]))
    assert answer[0] == 400 and answer[2] == b""


def test_kelvin_in_hosts(service):
    assert refused(service, request(host=f"{KELVIN}ey.example".encode()))[0] == 400


def test_kelvin_in_members(service, pool):
    """A member of another spelling is another member; a pool of another spelling is no pool."""
    answer = refused(service, call(TARGET + "GetCredentialsForIdentity", json.dumps({"Identity\u0130d": pool}).encode()))
    assert code(answer) == "member_missing"
    for operation, name in (("GetId", "IdentityPoolId"), ("GetOpenIdToken", "IdentityId"), ("GetCredentialsForIdentity", "IdentityId")):
        assert code(refused(service, call(TARGET + operation, json.dumps({name: f"{REGION}{KELVIN}:0"}).encode()))) == "member_pattern"
    for action in ("AssumeRoleWithWeb\u0130dentity", "GetCallerIdentity\u0301", unicodedata.normalize("NFD", "GetCallerIdent\u00efty")):
        assert b"<Code>InvalidAction</Code>" in refused(service, request("POST", "/", [("Content-Type", FORM)], f"Action={action}&Version=2011-06-15".encode()))[2]


def test_hosts_are_compared_by_their_bytes(folder):
    """A signed call for the name that the operator said with another K is for another host: it is not even read."""
    service = Service(folder / "hosts", "--host", "Key.example", "--connections-per-address", 0)
    for host, status in (("key.example", 200), ("KEY.example", 200), ("\u212Aey.example", 400), ("other.example", 400)):
        assert exchange(service, signed_for(service, host))[0] == status
    service.stop()


def signed_for(service, host):
    """A call signed for a host name."""
    body = b'{"MaxResults": 1}'
    head = AWSRequest("POST", service.url + "/", data=body, headers={"Content-Type": JSON, "X-Amz-Target": TARGET + "ListIdentityPools", "Host": host})
    SigV4Auth(Credentials(*service.key), "cognito-identity", REGION).add_auth(head)
    fields = [(name, value) for name, value in head.headers.items() if name not in ("Content-Length", "Host")]
    return request("POST", "/", fields, body, host=host.encode())


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
@pytest.mark.parametrize("asked, answered", [("close", "close"), ("keep-alive", None)])
def test_the_last_response_of_a_connection_says_so(service, version, asked, answered):
    """A proxy that keeps connections would send its next request into one that the service closes: nginx does."""
    for data in (request(headers=[("Connection", asked)], version=version), request("POST", "/", [("Connection", asked)], b"{", version=version)):
        assert exchange(service, data)[1].get("connection") == answered
