"""The ten programs of docs/uses.md: they are the programs that were built, and do what the page says."""
import datetime
import json
import re
import subprocess
import time
import urllib.parse

import joserfc.jwk
import joserfc.jwt
import jwt
import pyotp
import pytest

import botocore.auth
import botocore.awsrequest
import botocore.credentials
from identity_support import make_pool
from programs import PROGRAMS, ROOT
from user_pool_peers import OwnIssuer, Pool
from user_pool_support import PASSWORD
from waiting import LIMIT

PAGE = (ROOT / "docs/uses.md").read_text()
BLOCKS = re.findall(r"```swift\n(.*?)```", PAGE, re.S)
SOURCES = {path.parent.name: path.read_text() for path in (ROOT / "Examples/uses").glob("*/main.swift")}
HOST = "api.example.com"


def run(use, *arguments, lines=""):
    done = subprocess.run(
        [PROGRAMS / use, *map(str, arguments)], input=lines, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_page_has_each_program():
    assert sorted(BLOCKS) == sorted(SOURCES.values()) and len(BLOCKS) == 10


def test_issue_and_verify(tmp_path):
    token, short, published = run("issue-a-token")
    (key,) = json.loads(published)["keys"]
    assert "d" not in key
    claims = joserfc.jwt.decode(token, joserfc.jwk.ECKey.import_key(key)).claims
    assert claims["exp"] - claims["iat"] == 900 and claims["aud"] == "my-api"
    times = jwt.decode(short, options={"verify_signature": False})
    assert times["exp"] - times["iat"] == 300
    keys = tmp_path / "keys.json"
    keys.write_text(published)
    other = joserfc.jwk.ECKey.generate_key("P-256")
    forged = joserfc.jwt.encode({"alg": "ES256", "kid": key["kid"]}, claims, other)
    *right, refused = run("verify-a-token", keys, lines=f"{token}\n{short}\n{forged}\n")
    assert right == ["Hello, alice of [\"admins\", \"staff\"]"] * 2 and refused.startswith("401 signature_invalid: ")


def test_tokens_of_a_provider():
    """What the program refuses without a network. Its calls are those that other tests make against real providers."""
    key = joserfc.jwk.RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256"})
    now = int(time.time())

    def token(issuer):
        claims = {"iss": issuer, "aud": "my-client", "sub": "jane", "iat": now, "exp": now + 600}
        return joserfc.jwt.encode({"alg": "RS256", "kid": "1"}, claims, key)

    address = "http://127.0.0.1:9"
    lines = [token(address), token("https://elsewhere.example"), "no token"]
    said = run("verify-tokens-of-a-provider", address, "my-client", lines="\n".join(lines) + "\n")
    assert said == ["401 fetch_not_secure", "401 issuer_unknown", "401 not_compact"]


def test_sign_and_verify(monkeypatch):
    *signed, url = run("sign-a-request")
    headers = dict(line.split(": ", 1) for line in signed)
    assert headers["Host"] == HOST
    sent = "\r\n".join(["POST /items HTTP/1.1", *signed, "", '{"name":"x"}'])
    assert run("verify-a-request", lines=sent) == ["signed by ASIAIOSFODNN7EXAMPLE"]
    # Requests of botocore are accepted, and one that was changed is not.
    keys = botocore.credentials.Credentials("ASIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AQoDYXdzEJr")
    presigned = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    then = datetime.datetime.strptime(presigned["X-Amz-Date"][0], "%Y%m%dT%H%M%SZ")
    request = botocore.awsrequest.AWSRequest("GET", f"https://{HOST}/items")
    monkeypatch.setattr(botocore.auth, "get_current_datetime", lambda **_: then)
    botocore.auth.SigV4QueryAuth(keys, "execute-api", "eu-west-1", expires=300).add_auth(request)
    assert urllib.parse.parse_qs(urllib.parse.urlsplit(request.url).query) == presigned
    monkeypatch.undo()
    request = botocore.awsrequest.AWSRequest("PUT", f"https://{HOST}/items?limit=10", data=b"a\nb")
    botocore.auth.SigV4Auth(keys, "execute-api", "eu-west-1").add_auth(request)
    head = "\r\n".join(["PUT /items?limit=10 HTTP/1.1", f"Host: {HOST}", *(f"{name}: {value}" for name, value in request.headers.items())])
    assert run("verify-a-request", lines=head + "\r\n\r\na\nb") == ["signed by ASIAIOSFODNN7EXAMPLE"]
    (refused,) = run("verify-a-request", lines=head + "\r\n\r\na\nc")
    assert refused.startswith("403 signature_mismatch: ")


def test_one_time_code():
    uri, used = run("check-a-one-time-code")
    assert pyotp.parse_uri(uri).issuer == "Example" and used == "code_used"


def test_password_and_lifetime():
    assert run("prove-a-password") == ["true", "srp_proof_mismatch"]
    standard, hour, week, refused = run("limit-a-lifetime")
    assert (standard, hour, week) == ("900.0 seconds", "3600.0 seconds", "604800.0 seconds")
    assert refused.startswith("duration_too_long ")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = OwnIssuer(tmp_path_factory.mktemp("uses"))
    yield service
    assert service.stop() == 0


def test_sign_in_and_credentials(service, tmp_path):
    pool = Pool(service)
    name = pool.add_user("jane")
    arguments = [service.url, pool.id, pool.client_id, name]
    assert run("sign-a-user-in", *arguments, PASSWORD) == ["Hello, jane"]
    assert run("sign-a-user-in", *arguments, "Wrong-horse-1") == ["Wrong name or password."]
    service.admin.admin_set_user_password(UserPoolId=pool.id, Username=name, Password="Battery-staple-8", Permanent=False)
    assert run("sign-a-user-in", *arguments, "Battery-staple-8") == ["The pool asks for more: newPassword"]

    jane = service.user(pool.id, "john")
    token = service.sign_in(pool.client_id, jane)["IdToken"]
    # The tokens' issuer is the service's address. The login has the pool's name at AWS.
    assert jwt.decode(token, options={"verify_signature": False})["iss"] == f"{service.url}/{pool.id}"
    identities = make_pool(service.service, tmp_path, CognitoIdentityProviders=[
        {"ProviderName": f"cognito-idp.us-east-1.amazonaws.com/{pool.id}", "ClientId": pool.client_id}])
    identity, signature = run("get-temporary-credentials", service.url, identities, token)
    assert identity.startswith("Identity us-east-1:") and signature.startswith("AWS4-HMAC-SHA256 Credential=ASIA")
