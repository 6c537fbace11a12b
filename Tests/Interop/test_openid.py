"""The command against providers made by others, over real HTTP and HTTPS: an OpenID provider of Authlib, moto's user pools, load
balancers' tokens of PyJWT; and what it keeps of their keys."""
import base64
import hashlib
import json
import os
import subprocess
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import oidc_provider_mock
import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core.util import create_half_hash
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from moto.server import ThreadedMotoServer
from werkzeug.serving import make_server

import aws_clients
from conftest import run

os.environ.setdefault("OAUTHLIB_INSECURE_TRANSPORT", "1")


def verdict(token, *options):
    """The verdict as JSON; the reason where there is none."""
    result = run("verify-token", "--output", "json", *options, stdin=token.encode())
    if result.returncode == 2:
        return {"valid": None, "reason": result.stderr.decode().strip()}
    answer = json.loads(result.stdout)
    assert answer["valid"] == (result.returncode == 0)
    return answer


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
        check=True, capture_output=True)
    return folder / "certificate.pem", folder / "key.pem"


@pytest.fixture(scope="session")
def provider(certificate):
    """Authlib's provider over HTTPS; its address, and the certificate to trust."""
    server = make_server("localhost", 0, oidc_provider_mock.app(), threaded=True, ssl_context=tuple(map(str, certificate)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://localhost:{server.server_port}", str(certificate[0])
    server.shutdown()


def sign_in(provider, client, nonce):
    """Signs in as a browser and a client do; the token endpoint's answer."""
    issuer, trusted = provider
    session = OAuth2Session(client, "secret", scope="openid email", redirect_uri="https://client.example/cb")
    metadata = requests.get(issuer + "/.well-known/openid-configuration", verify=trusted).json()
    url, _ = session.create_authorization_url(metadata["authorization_endpoint"], nonce=nonce)
    answer = requests.post(url, data={"sub": "jane"}, allow_redirects=False, verify=trusted)
    assert answer.status_code == 302, answer.text
    code = urllib.parse.parse_qs(urllib.parse.urlparse(answer.headers["Location"]).query)["code"][0]
    return session.fetch_token(metadata["token_endpoint"], code=code, verify=trusted)


def test_id_token_of_a_provider(provider, tmp_path):
    issuer, trusted = provider
    tokens = sign_in(provider, "client-1", "n-1")
    # Servers differ in whether they name themselves with a slash at the end; its own tokens decide.
    name = jwt.decode(tokens["id_token"], options={"verify_signature": False})["iss"]
    options = ["--use", "id", "--issuer", name, "--discover", "--client-id", "client-1", "--ca-file", trusted]
    accepted = verdict(tokens["id_token"], *options, "--nonce", "n-1")
    assert accepted["valid"], accepted
    assert accepted["claims"]["sub"] == "jane"
    assert verdict(tokens["id_token"], *options, "--nonce", "n-2")["code"] == "nonce_mismatch"
    assert verdict(tokens["id_token"], *options[:-3], "client-2", *options[-2:])["code"] == "audience_mismatch"
    (tmp_path / "access").write_text("another access token")
    expected = "hash_mismatch" if "at_hash" in accepted["claims"] else "hash_missing"
    assert verdict(tokens["id_token"], *options, "--access-token", tmp_path / "access")["code"] == expected
    if "at_hash" in accepted["claims"]:
        (tmp_path / "access").write_text(tokens["access_token"])
        assert verdict(tokens["id_token"], *options, "--access-token", tmp_path / "access")["valid"]


def test_the_machine_does_not_trust_the_provider(provider):
    tokens = sign_in(provider, "client-1", "n-1")
    answer = verdict(tokens["id_token"], "--use", "id", "--issuer", provider[0], "--discover", "--client-id", "client-1")
    assert answer["valid"] is None
    assert "certificate" in answer["reason"] and "fetch_connection" in answer["reason"]


def test_a_description_of_another_issuer(provider):
    tokens = sign_in(provider, "client-1", "n-1")
    wrong = provider[0].replace("localhost", "127.0.0.1")
    name = jwt.decode(tokens["id_token"], options={"verify_signature": False})["iss"]
    other = provider[0] if name.endswith("/") else provider[0] + "/"
    for issuer in (other, wrong + "/elsewhere"):
        answer = verdict(tokens["id_token"], "--use", "id", "--issuer", issuer, "--discover", "--client-id", "client-1",
                         "--ca-file", provider[1])
        assert answer["valid"] is None
        assert "discovery_issuer_mismatch" in answer["reason"] or "fetch_status" in answer["reason"], answer


@pytest.mark.parametrize("algorithm", ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256"])
def test_hashes_are_authlibs(algorithm, keys, tmp_path):
    access = "an-access-token"
    claims = {"iss": "https://op.example", "aud": "client-1", "sub": "jane", "iat": int(time.time()), "exp": int(time.time()) + 600,
              "at_hash": create_half_hash(access, algorithm).decode()}
    key = jwt.PyJWK(keys[algorithm]["private"], algorithm).key
    token = jwt.encode(claims, key, algorithm=algorithm)
    (tmp_path / "access").write_text("Bearer " + access + "\n")
    options = ["--use", "id", "--issuer", "https://op.example", "--client-id", "client-1", "--key", keys["folder"] / f"{algorithm}.pub.jwk"]
    assert verdict(token, *options, "--access-token", tmp_path / "access")["valid"]
    (tmp_path / "access").write_text(access + "x")
    assert verdict(token, *options, "--access-token", tmp_path / "access")["code"] == "hash_mismatch"


@pytest.fixture(scope="session")
def user_pool():
    """A user pool of moto with a user in it: ids, tokens, and where the keys are."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    client = aws_clients.client("cognito-idp", region_name="eu-west-1", endpoint_url=address, aws_access_key_id="x", aws_secret_access_key="x")
    pool = client.create_user_pool(PoolName="p")["UserPool"]["Id"]
    app = client.create_user_pool_client(UserPoolId=pool, ClientName="c", ExplicitAuthFlows=["ADMIN_NO_SRP_AUTH"])["UserPoolClient"]["ClientId"]
    client.create_group(UserPoolId=pool, GroupName="editors")
    client.admin_create_user(UserPoolId=pool, Username="jane", TemporaryPassword="Passw0rd!", MessageAction="SUPPRESS")
    client.admin_set_user_password(UserPoolId=pool, Username="jane", Password="Passw0rd!1", Permanent=True)
    client.admin_add_user_to_group(UserPoolId=pool, Username="jane", GroupName="editors")
    tokens = client.admin_initiate_auth(
        UserPoolId=pool, ClientId=app, AuthFlow="ADMIN_NO_SRP_AUTH",
        AuthParameters={"USERNAME": "jane", "PASSWORD": "Passw0rd!1"})["AuthenticationResult"]
    yield pool, app, tokens, f"{address}/{pool}/.well-known/jwks.json"
    server.stop()


@pytest.mark.parametrize("use, member", [("id", "IdToken"), ("access", "AccessToken")])
def test_user_pool_tokens_of_moto(user_pool, use, member):
    pool, app, tokens, keys = user_pool
    options = ["--user-pool", pool, "--client-id", app, "--jwks", keys, "--plain-loopback"]
    accepted = verdict(tokens[member], *options, "--use", use, "--group", "editors")
    assert accepted["valid"], accepted
    assert accepted["claims"]["token_use"] == use
    assert verdict(tokens[member], *options, "--use", "either")["valid"]
    assert verdict(tokens[member], *options, "--use", "access" if use == "id" else "id")["code"] == "wrong_token_kind"
    assert verdict(tokens[member], *options, "--use", use, "--group", "owners")["code"] == "group_missing"
    other = verdict(tokens[member], "--user-pool", pool, "--client-id", "other", "--jwks", keys, "--plain-loopback", "--use", use)
    assert other["code"] == ("audience_mismatch" if use == "id" else "client_mismatch")
    assert run("verify-token", "jwks", keys, "--plain-loopback").returncode == 0


def test_load_balancer_tokens_of_pyjwt(tmp_path):
    """PyJWT signs without padding; the load balancer pads, and signs what it has padded."""
    key = ec.generate_private_key(ec.SECP256R1())
    arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188"
    (tmp_path / "key.pem").write_bytes(
        key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    signer = jwt.get_algorithm_by_name("ES256")
    seen = set()
    for filler in range(3):
        header = {"typ": "JWT", "kid": "f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e0f", "alg": "ES256", "iss": "https://op.example",
                  "client": "client-1", "signer": arn, "exp": int(time.time()) + 120}
        claims = {"sub": "jane", "exp": int(time.time()) + 120, "iss": "https://op.example", "x": "a" * filler}
        text = b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()) for part in (header, claims))
        token = (text + b"." + base64.urlsafe_b64encode(signer.sign(text, key))).decode()
        seen.add(token.count("="))
        options = ["--load-balancer", arn, "--client-id", "client-1", "--key", tmp_path / "key.pem"]
        accepted = verdict(token, *options)
        assert accepted["valid"], accepted
        assert verdict(token, "--load-balancer", arn + "0", *options[2:])["code"] == "profile_mismatch"
        assert verdict(token, *options[:3], "client-2", *options[4:])["code"] == "profile_mismatch"
        # Everywhere else padding is refused.
        assert verdict(token, "--key", tmp_path / "key.pem", "--any-issuer", "--any-audience")["code"] == "base64url_padding"
    assert len(seen) > 1


def test_identity_pool_tokens_of_pyjwt(tmp_path):
    """The key set as it has been seen: numbers in standard base64, padded, with a zero byte in front."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(65537, 2048)
    modulus = b"\0" + key.public_key().public_numbers().n.to_bytes(256, "big")
    server = KeyServer({"keys": [{"kty": "RSA", "kid": "us-east-11", "alg": "RS512", "use": "sig",
                                  "n": base64.b64encode(modulus).decode(), "e": "AQAB"}]})
    pool, now = "us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53", int(time.time())

    def token(lives=900, **change):
        claims = {"sub": "us-east-1:b7a4c1d9-60e2-4f3a-8d5b-1c9e7f2a3046", "aud": pool, "iss": "https://cognito-identity.amazonaws.com",
                  "amr": ["authenticated", "login.example", f"login.example:{pool}:jane:7"], "iat": now, "exp": now + lives, **change}
        return jwt.encode(claims, key, algorithm="RS512", headers={"typ": "JWS", "kid": "us-east-11"})

    where = ["--jwks", server.address, "--plain-loopback"]
    options = ["--identity-pool", pool, *where]
    assert verdict(token(), *options)["valid"]
    assert verdict(token(86_400), *options)["valid"]
    assert verdict(token(86_401), *options)["code"] == "lifetime_too_long"
    assert verdict(token(86_400), *options, "--max-lifetime", "developer-token")["valid"]
    assert verdict(token(901), *options, "--max-lifetime", "15m")["code"] == "lifetime_too_long"
    assert verdict(token(amr=["unauthenticated"]), *options)["code"] == "identity_mismatch"
    assert verdict(token(amr=["unauthenticated"]), *options, "--allow-guests")["valid"]
    assert verdict(token(aud=pool[:-1] + "4"), *options)["code"] == "audience_mismatch"
    # The strict reader goes on refusing such keys everywhere else.
    refused = verdict(token(), "--any-issuer", "--audience", pool, *where)
    assert refused["valid"] is None and "fetch_no_usable_key" in refused["reason"]


class KeyServer:
    """A server for one key set, which counts."""

    def __init__(self, keys):
        self.body, self.life, self.requests, self.tags = json.dumps(keys), 3600, 0, []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests += 1
                tag = '"' + hashlib.sha256(outer.body.encode()).hexdigest()[:8] + '"'
                outer.tags.append(self.headers.get("If-None-Match"))
                unchanged = outer.tags[-1] == tag
                self.send_response(304 if unchanged else 200)
                self.send_header("Cache-Control", f"max-age={outer.life}")
                self.send_header("ETag", tag)
                if not unchanged:
                    self.send_header("Content-Length", str(len(outer.body)))
                self.end_headers()
                if not unchanged:
                    self.wfile.write(outer.body.encode())

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/jwks.json"


def test_keys_are_kept_between_runs(keys, tmp_path):
    first, second = ({**keys[name]["public"], "kid": name} for name in ("ES256", "ES384"))
    server = KeyServer({"keys": [first]})
    cache = tmp_path / "cache"
    now = int(time.time())

    def check(algorithm="ES256", valid=True, kid=None):
        claims = {"iss": "https://op.example", "aud": "api", "sub": "jane", "iat": now, "exp": now + 900}
        token = jwt.encode(claims, jwt.PyJWK(keys[algorithm]["private"], algorithm).key, algorithm=algorithm, headers={"kid": kid or algorithm})
        answer = verdict(token, "--issuer", "https://op.example", "--audience", "api", "--jwks", server.address, "--plain-loopback", "--keys-cache", cache)
        assert answer["valid"] == valid, answer
        return server.requests

    def entry():
        return next(cache.glob("*.json"))

    def age(seconds):
        """Makes what is kept so much older, and due."""
        kept = json.loads(entry().read_text())
        kept["stored_at"] -= seconds
        kept["fresh_until"] -= seconds
        entry().write_text(json.dumps(kept))

    assert check() == 1
    assert check() == 1
    assert oct(cache.stat().st_mode & 0o777) == "0o700"
    assert oct(entry().stat().st_mode & 0o777) == "0o600"
    assert [path.suffix for path in cache.iterdir()] == [".json"]
    # A name that nobody has: asked for anew only once what is kept is ten seconds old.
    assert check(valid=False, kid="made up") == 1
    age(11)
    assert check(valid=False, kid="made up") == 2
    assert server.tags[-1] is not None
    # Never past its time; then with the tag.
    age(3600)
    assert check() == 3
    assert server.tags[-1] is not None
    assert check() == 3
    # A new key is found.
    age(11)
    server.body = json.dumps({"keys": [first, second]})
    assert check("ES384") == 4
    assert check("ES384") == 4
    # What others can read or may have written is not trusted, nor what is from the future or lives too long.
    entry().chmod(0o644)
    assert check() == 5
    for stored, until in ((now + 1000, now + 2000), (now - 10, now - 10 + 86_401)):
        kept = json.loads(entry().read_text())
        kept["stored_at"], kept["fresh_until"] = stored, until
        entry().write_text(json.dumps(kept))
        before = server.requests
        assert check() == before + 1
    for broken in ("", "{", "[]", '{"address":"https://other.example"}'):
        entry().write_text(broken)
        before = server.requests
        assert check() == before + 1
    # A set that is of no use is not kept.
    age(3600)
    kept = entry().read_text()
    server.body = '{"keys":[]}'
    result = run("verify-token", "--any-issuer", "--any-audience", "--jwks", server.address, "--plain-loopback", "--keys-cache", cache,
                 stdin=jwt.encode({"exp": now + 9}, "s" * 32, algorithm="HS256").encode())
    assert result.returncode == 2 and b"fetch_no_usable_key" in result.stderr
    assert entry().read_text() == kept


def test_many_tokens_with_fetched_keys(keys):
    server = KeyServer({"keys": [{**keys["ES256"]["public"], "kid": "ES256"}]})
    now = int(time.time())
    key = jwt.PyJWK(keys["ES256"]["private"], "ES256").key
    tokens = [jwt.encode({"iss": "x", "aud": "api", "iat": now, "exp": now + 60 * (n % 3)}, key, algorithm="ES256", headers={"kid": "ES256"})
              for n in range(300)]
    result = run("verify-token", "--batch", "--issuer", "x", "--audience", "api", "--jwks", server.address, "--plain-loopback",
                 stdin="\n".join(tokens).encode())
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["valid"] for line in lines] == [n % 3 != 0 for n in range(300)]
    assert server.requests == 1
