"""The Python package as it is installed from its wheel: against PyJWT, joserfc, botocore, pyotp and the example's token."""
import datetime
import base64
import copy
import hashlib
import hmac
import http.server
import os
import pathlib
import pickle
import re
import subprocess
import sys
import threading
import time
import urllib.parse

import jwt
import pyotp
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotoCredentials
from joserfc import jwk
from joserfc import jwt as jose

import token_security
from ports import closed_port
from support import CLIENT, ISSUER, KEYS, POOL, THEN, TOKEN, Keys, code, fetching
from token_security import (Claims, Credentials, RequestVerifier, Signer, SrpClient, SrpRecord, SrpServer, TokenSecurityError, Totp, TotpState, Verifier,
                            check_lifetime, enroll, presign_request, sign_request)
from waiting import LIMIT


@pytest.fixture(scope="module")
def pool():
    return Verifier.cognito(POOL, CLIENT, jwks=KEYS)


def test_a_token_of_a_user_pool(pool):
    claims = pool.verify(TOKEN, at=THEN)
    assert claims["token_use"] == "access" and claims.subject == "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    assert claims.issuer.endswith(POOL) and claims.header["alg"] == "RS256"
    assert pool.verify(TOKEN.encode(), at=THEN) == claims
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        stored = pickle.dumps(claims, protocol)
        again = pickle.loads(stored)
        assert again == claims and again.header == claims.header == copy.copy(claims).header
        assert TOKEN.split(".")[2].encode() not in stored
    made = type(claims)({"sub": "a"})
    assert made.header == pickle.loads(pickle.dumps(made)).header == {}


@pytest.mark.parametrize("at", [float("inf"), -float("inf"), float("nan"), 1e30, 1 << 63])
def test_values_that_are_no_times(pool, at):
    with pytest.raises(ValueError):
        pool.verify(TOKEN, at=at)
    with pytest.raises(TypeError):
        pool.verify(TOKEN, at=str(THEN))


def test_refusals_have_codes_and_evidence(pool):
    with pytest.raises(TokenSecurityError) as refused:
        pool.verify(TOKEN, at=THEN + 3600)
    assert refused.value.code == "token_expired" and refused.value.evidence["at"] == "2026-09-05T09:53:07Z"
    assert "2026-09-05T09:53:07Z" in str(refused.value)
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.code, again.evidence) == (refused.value.code, refused.value.evidence)
    assert code(lambda: pool.verify("", at=THEN)) == "token_empty"
    assert code(lambda: pool.verify(b"\xff\xfe", at=THEN)) == "argument_not_utf8"
    assert code(lambda: pool.verify("a" * 20_000_000, at=THEN)) == "argument_too_long"
    assert code(lambda: pool.verify(TOKEN[:-4] + "AAAA", at=THEN)) == "signature_invalid"


def test_explanations(pool):
    found = pool.explain(TOKEN, at=THEN)
    assert found["valid"] and {"name", "expected", "actual", "outcome"} <= found["checks"][0].keys()
    assert str(found).startswith("checked at 2026-09-05T09:03:07Z\n\n  ok    form ") and "\nVALID  RS256, key " in str(found)
    for text, failure in (("garbage", "not_compact"), ("", "token_empty")):
        assert pool.explain(text, at=THEN)["code"] == failure
    for time in ("2026-09-05T09:03:07Z", datetime.datetime(2026, 9, 5)):
        with pytest.raises(TypeError, match="at must be a number of seconds since 1970"):
            pool.verify(TOKEN, at=time)
    refused = pool.explain(TOKEN, at=THEN + 3600)
    assert refused["code"] == "token_expired" and str(refused).endswith("[token_expired]\n         1 check failed: exp\n")
    assert all(len(line) <= 80 for line in str(refused).splitlines()) and repr(refused).startswith("{'claims': None")


def test_batches(pool):
    claims, refused, again = pool.verify_batch([TOKEN, "a.b.c", TOKEN], at=THEN)
    assert claims == again == pool.verify(TOKEN, at=THEN) and isinstance(refused, TokenSecurityError)
    assert pool.verify_batch([]) == []


@pytest.mark.parametrize("algorithm", ["RS256", "PS384", "ES256", "ES512", "EdDSA", "HS256"])
def test_tokens_of_others(algorithm):
    kind = {"R": ("RSA", 2048), "P": ("RSA", 2048), "H": ("oct", 256)}.get(algorithm[0]) or (
        ("OKP", "Ed25519") if algorithm == "EdDSA" else ("EC", {"ES256": "P-256", "ES512": "P-521"}[algorithm]))
    key = jwk.generate_key(*kind, {"kid": "a"}, private=True)
    now = int(time.time())
    token = jose.encode({"alg": algorithm, "kid": "a"}, {"iss": ISSUER, "aud": "api", "sub": "jane", "iat": now, "exp": now + 60}, key, algorithms=[algorithm])
    keys = {"keys": [key.as_dict(private=kind[0] == "oct")]}
    verifier = Verifier(jwks=keys, issuer=ISSUER, audience="api")
    assert verifier.verify(token).subject == "jane"
    assert code(lambda: Verifier(jwks=keys, issuer=ISSUER, audience="other").verify(token)) == "audience_mismatch"
    assert code(lambda: Verifier(jwks=keys, issuer=ISSUER, audience="api", claims={"scope": "x"}).verify(token)) == "claim_missing"


def test_issued_tokens_are_valid_for_others():
    key = jwk.generate_key("EC", "P-256", {"kid": "a"}, private=True)
    token = Signer(key.as_dict(private=True), algorithm="ES256").issue({"iss": ISSUER, "aud": "api", "sub": "jane"})
    public = jwt.PyJWK(key.as_dict(private=False)).key
    claims = jwt.decode(token, public, algorithms=["ES256"], audience="api", issuer=ISSUER)
    assert claims["exp"] - claims["iat"] == 900
    assert code(lambda: Signer(key.as_dict(private=True), algorithm="ES256").issue({}, lifetime=86_401)) == "lifetime_refused"
    assert (check_lifetime(), check_lifetime(86_400)) == (900, 86_400)
    assert code(lambda: check_lifetime(86_401)) == "duration_too_long"


def test_policies_are_checked():
    with pytest.raises(TokenSecurityError, match="issuers\\[0\\]"):
        Verifier.from_policy({"version": 1, "issuers": [{"profile": "google", "client_ids": "a", "colour": "red"}]})
    assert code(lambda: Verifier(jwks="no keys", issuer=ISSUER, audience="api")) == "key_unreadable"
    with pytest.raises(ValueError):
        Verifier(jwks={}, jwks_uri="https://a.example", issuer=ISSUER, audience="api")


@pytest.mark.parametrize("profile, issuer", [
    ("google", "https://accounts.google.com"), ("apple", "https://appleid.apple.com"), ("amazon", "https://www.amazon.com"),
    ("facebook", "https://www.facebook.com"), ("facebook", "https://limited.facebook.com")])
def test_providers_by_name(profile, issuer):
    key = jwk.generate_key("RSA", 2048, {"kid": "a"}, private=True)
    verifier = Verifier.from_policy(
        {"version": 1, "issuers": [{"profile": profile, "client_ids": "app", "keys": "given"}]}, jwks={"keys": [key.as_dict(private=False)]})
    now = int(time.time())

    def token(audience):
        return jose.encode({"alg": "RS256", "kid": "a"}, {"iss": issuer, "sub": "u", "aud": audience, "iat": now, "exp": now + 600}, key)

    assert verifier.verify(token("app")).subject == "u"
    assert code(lambda: verifier.verify(token("other"))) == "audience_mismatch"


def test_keys_are_fetched_once_for_many_threads(address):
    verifier = fetching(address)
    found = []
    threads = [threading.Thread(target=lambda: found.append(verifier.verify(TOKEN, at=THEN).subject)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    with closed_port() as port:
        assert code(lambda: fetching(port, timeout=0).verify(TOKEN, at=THEN)) == "keys_not_held"
        assert code(lambda: fetching(port).verify(TOKEN, at=THEN)) == "fetch_connection"


def test_claims_that_an_application_made_are_pickled():
    again = pickle.loads(pickle.dumps(Claims({"sub": "jane"})))
    assert (type(again), again, again.subject) == (Claims, {"sub": "jane"}, "jane")


def test_verifiers_that_fetch_are_pickled_by_their_policy(address):
    verifier = fetching(address)
    for copied in (pickle.loads(pickle.dumps(verifier)), copy.copy(verifier), copy.deepcopy({"a": verifier})["a"]):
        assert copied.verify(TOKEN, at=THEN).subject
        del copied
    assert verifier.verify(TOKEN, at=THEN).subject


@pytest.mark.parametrize("made", [
    lambda: Verifier.cognito(POOL, CLIENT, jwks=KEYS), lambda: Signer({"kty": "oct", "k": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}, algorithm="HS256"),
    lambda: RequestVerifier(service="a", region="b"), SrpClient, SrpServer, Totp.random])
def test_other_objects_cannot_be_copied(made):
    thing = made()
    for copying in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            copying(thing)


def test_a_pool_of_another_service(address):
    issuer = f"http://127.0.0.1:{address}/{POOL}"
    key = jwk.generate_key("RSA", 2048, {"kid": "a"}, private=True)
    now = int(time.time())
    claims = {"sub": "jane", "iss": issuer, "client_id": CLIENT, "token_use": "access", "iat": now - 600, "exp": now - 20, "auth_time": now - 600,
              "jti": "1", "username": "jane", "scope": "openid", "version": 2, "origin_jti": "2", "event_id": "3"}
    token = jose.encode({"alg": "RS256", "kid": "a"}, claims, key)
    keys = {"keys": [key.as_dict(private=False)]}
    assert code(lambda: Verifier.cognito(POOL, CLIENT, jwks=keys, leeway=30).verify(token)) == "issuer_unknown"
    assert code(lambda: Verifier.cognito(POOL, CLIENT, jwks=keys, issuer=issuer).verify(token)) == "token_expired"
    assert Verifier.cognito(POOL, CLIENT, jwks=keys, issuer=issuer, leeway=30).verify(token).subject == "jane"
    # Its keys are those of its issuer, here of the example, which has no such key.
    with pytest.raises(TokenSecurityError, match="plain http"):
        Verifier.cognito(POOL, CLIENT, issuer=issuer)
    assert code(lambda: Verifier.cognito(POOL, CLIENT, issuer=issuer, leeway=30, allow_plain_loopback=True, timeout=60).verify(token)) == "key_not_found"


def test_a_verifier_that_only_refreshes_has_the_time_of_a_fetch(address):
    """With a timeout of 0, only `refresh` fetches."""
    verifier = Verifier.cognito(POOL, CLIENT, issuer=f"http://127.0.0.1:{address}/{POOL}", allow_plain_loopback=True, timeout=0)
    assert "timeout" not in verifier._fetching
    assert code(lambda: verifier.verify(TOKEN, at=THEN)) == "issuer_unknown"
    assert verifier.refresh(timeout=60) > 0


def test_records_have_two_names():
    for record in (SrpRecord.create("jane", "secret", group=2048), enroll("jane", "secret", group=2048)):
        assert type(record) is SrpRecord and 0 < len(record.verifier) <= 256
    with pytest.raises(TokenSecurityError) as refused:
        SrpRecord.create("jane", "secret", group=1000)
    assert refused.value.code == "argument_out_of_range"


def test_which_errors_say_nothing_about_a_token():
    """Those of the guide's sections on fetching; for no other code of a token."""
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/error-codes.md").read_text()

    def codes(start):
        section = page[page.index(f"\n## {start}"):]
        return re.findall(r"^\| `(\w+)` \|", section[:section.index("\n## ", 1)], re.M)

    of_fetches = {*codes("HTTP exchanges"), *codes("Fetched keys"), "keys_not_held", "keys_unavailable", "address_refused", "timed_out",
                  "fetch_function_missing", "fetch_reentered", "fetch_cancelled"}
    tokens = {*(each for section in ("Form (", "Header (", "Keys (", "Signature (", "Claims (", "ID, access") for each in codes(section)), "issuer_missing", "issuer_unknown", "argument_not_utf8", "argument_too_long"}
    assert len(of_fetches) > 15 and {"token_expired", "signature_invalid", "key_not_found"} <= tokens
    assert {each for each in of_fetches | tokens if TokenSecurityError(each, "").is_unavailable} == of_fetches
    assert TokenSecurityError("endpoint_unreachable", "", "{}", 503).is_unavailable
    assert not TokenSecurityError("session_refused", "", "{}", 403).is_unavailable


def test_numbers_are_not_cut():
    large = 1 << 64
    totp = Totp.random()
    for body in (
            lambda: check_lifetime(large + 900), lambda: totp.verify(totp.code(), TotpState(large - 1)), lambda: totp.code(at=large),
            lambda: Totp(b"a" * 20, period=1 << 32), lambda: enroll("jane", "secret", group=(1 << 32) + 2048),
            lambda: Verifier.cognito(POOL, CLIENT, jwks=KEYS).verify(TOKEN, at=large + THEN)):
        with pytest.raises(ValueError):
            body()
    for body in (lambda: Totp(20), lambda: Totp([1] * 20), lambda: enroll("jane", 1234), lambda: Totp(b"a" * 20, period=30.5)):
        with pytest.raises(TypeError):
            body()


def test_one_text_is_a_list_of_one(pool):
    with pytest.raises(TokenSecurityError) as refused:
        Verifier.cognito(POOL, CLIENT, groups="staff", jwks=KEYS).verify(TOKEN, at=THEN)
    assert '"staff"' in str(refused.value)


def test_numbers_of_many_digits():
    key = jwk.generate_key("oct", 256, {"kid": "a"})
    digits = "1" * 5_000
    body = '{"iss":"%s","aud":"api","exp":%d,"n":%s}' % (ISSUER, int(time.time()) + 60, digits)
    from joserfc import jws
    token = jws.serialize_compact({"alg": "HS256", "kid": "a"}, body.encode(), key)
    verifier = Verifier(jwks={"keys": [key.as_dict()]}, issuer=ISSUER, audience="api")
    assert str(verifier.verify(token)["n"]) == digits
    assert str(verifier.verify_batch([token, "a"])[0]["n"]) == digits


def test_secrets_are_in_no_representation_or_error():
    record = enroll("jane", "secret", group=2048)
    assert SECRET not in repr(KEY) and repr(record.verifier) not in repr(record)
    with pytest.raises(ValueError) as refused:
        enroll("jane", "pass\udc80word")
    assert "pass" not in str(refused.value) and refused.value.__cause__ is None


def test_other_threads_run_while_a_call_waits():
    """A call that waits for keys does not hold the interpreter's lock."""
    asked, answered = threading.Event(), threading.Event()

    class Waiting(Keys):
        def do_GET(self):
            asked.set()
            answered.wait(LIMIT)
            super().do_GET()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Waiting)
    server.requests = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    verifier, subjects = fetching(server.server_port, timeout=60, fetch_timeout=60), []
    waiting = threading.Thread(target=lambda: subjects.append(verifier.verify(TOKEN, at=THEN).subject))
    waiting.start()
    # The server's thread and this one run while the call waits for both.
    assert asked.wait(LIMIT) and subjects == []
    answered.set()
    waiting.join(LIMIT)
    assert len(subjects) == 1
    server.shutdown()


SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
KEY = Credentials("AKIDEXAMPLE", SECRET)


def test_requests_are_signed_as_botocore_signs_them():
    theirs = AWSRequest("POST", "https://api.example/path?b=2&a=1", data=b"{}", headers={"X-Other": "1"})
    SigV4Auth(BotoCredentials(*KEY[:2]), "execute-api", "eu-west-1").add_auth(theirs)
    at = time.strptime(theirs.context["timestamp"], "%Y%m%dT%H%M%SZ")
    import calendar
    ours = dict(sign_request(
        KEY, service="execute-api", region="eu-west-1", method="POST", target="/path?b=2&a=1",
        headers={"Host": "api.example", "X-Other": "1"}, body=b"{}", at=calendar.timegm(at)))
    assert ours["Authorization"] == theirs.headers["Authorization"]
    declared = dict(sign_request(
        KEY, service="execute-api", region="eu-west-1", method="POST", target="/",
        headers={"Host": "api.example", "X-Amz-Content-Sha256": "of any value"}, body=b"{}"))
    assert declared["x-amz-content-sha256"] == hashlib.sha256(b"{}").hexdigest()
    verifier = RequestVerifier(service="execute-api", region="eu-west-1", host="api.example")
    sent = {"method": "POST", "target": "/path?b=2&a=1", "headers": ours, "body": b"{}"}
    assert code(lambda: verifier.verify(lambda key: None, **sent)) == "access_key_unknown"
    assert code(lambda: verifier.verify(lambda key: KEY, **{**sent, "body": b"{ }"})) == "signature_mismatch"
    assert verifier.verify({KEY.access_key_id: KEY}.get, **sent) == "AKIDEXAMPLE"
    assert code(lambda: verifier.verify(lambda key: KEY, **sent)) == "request_replayed"
    assert code(lambda: verifier.verify(lambda key: Credentials("AKIDOTHER", SECRET), **sent)) == "access_key_unknown"
    as_received = {**sent, "headers": {name: value.encode() for name, value in ours.items()}}
    assert code(lambda: verifier.verify(lambda key: KEY, **as_received)) == "request_replayed"
    with pytest.raises(ValueError):
        sign_request(KEY, service="a", region="b", method="GET", target="/", headers={"Host": "a\0b"})


def test_repeated_requests_and_a_plus_for_a_space():
    """What boto3 1.44.8 and rclone repeat in one second, and what requests-aws4auth 1.4.0 sends."""
    sent = {"method": "GET", "headers": {"Host": "api.example"}}
    signed = sign_request(KEY, service="execute-api", region="eu-west-1", target="/?a=x%20y", **sent)
    received = {"method": "GET", "target": "/?a=x+y", "headers": signed}
    verifier = RequestVerifier(service="execute-api", region="eu-west-1", once=False, plus_as_space=True)
    for _ in range(2):
        assert verifier.verify(lambda key: KEY, **received) == "AKIDEXAMPLE"
    strict = RequestVerifier(service="execute-api", region="eu-west-1")
    assert code(lambda: strict.verify(lambda key: KEY, **received)) == "ambiguous"


def test_signatures_of_version_2_and_empty_tokens():
    """boto3 1.44.8 presigns for S3 in us-east-1 like this; object_store 0.14.2 signs an empty session token."""
    verifier = RequestVerifier(service="s3", region="us-east-1", accepts_presigned=True)
    address = {"method": "GET", "headers": {"Host": "bkt.s3.amazonaws.com"}}
    target = "/k?AWSAccessKeyId=AKIDEXAMPLE&Signature=99JOacMkTiYXHef7ScS4KXqfRaU%3D&Expires=1795861422"
    assert code(lambda: verifier.verify(lambda key: KEY, target=target, **address)) == "signature_version_2"
    signed = dict(sign_request(
        Credentials(*KEY[:2], ""), service="s3", region="us-east-1", method="GET", target="/k", headers=address["headers"]))
    assert "X-Amz-Security-Token" not in signed


def test_a_lookup_that_ignores_case():
    sent = {"method": "GET", "target": "/", "headers": {"Host": "api.example"}}
    key = Credentials("akidexample", SECRET)
    signed = sign_request(key, service="execute-api", region="eu-west-1", **sent)
    verifier = RequestVerifier(service="execute-api", region="eu-west-1")
    found = {KEY.access_key_id: KEY}
    received = {**sent, "headers": signed}
    assert verifier.verify(lambda name: key, **received) == "akidexample"
    assert code(lambda: verifier.verify(lambda name: found[name.upper()], **received)) == "access_key_unknown"


def test_presigned_addresses():
    host = "bucket.s3.eu-west-1.amazonaws.com"
    url = presign_request(KEY, service="s3", region="eu-west-1", method="GET", target="/photo.jpg", headers={"Host": host}, lifetime=300)
    verifier = RequestVerifier(service="s3", region="eu-west-1", accepts_presigned=True)
    sent = {"method": "GET", "target": url.removeprefix(f"https://{host}"), "headers": {"Host": host}}
    assert verifier.verify(lambda key: KEY, **sent) == "AKIDEXAMPLE"
    later = time.time() + 301
    assert code(lambda: verifier.verify(lambda key: KEY, **sent, at=later)) == "presigned_expired"


def presigned(service, payload):
    """A request to a presigned address that signs X-Amz-Content-Sha256 with this value."""
    date, scope = "20231114T221320Z", f"20231114/eu-west-1/{service}/aws4_request"
    fields = {
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"AKIDEXAMPLE/{scope}", "X-Amz-Date": date,
        "X-Amz-Expires": "300", "X-Amz-SignedHeaders": "host;x-amz-content-sha256"}
    query = "&".join(f"{name}={urllib.parse.quote(value, safe='')}" for name, value in sorted(fields.items()))
    canonical = f"PUT\n/orders\n{query}\nhost:api.example\nx-amz-content-sha256:{payload}\n\nhost;x-amz-content-sha256\n{payload}"
    key = f"AWS4{SECRET}".encode()
    for part in (*scope.split("/"), f"AWS4-HMAC-SHA256\n{date}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return {
        "method": "PUT", "target": f"/orders?{query}&X-Amz-Signature={key.hex()}", "at": 1700000001,
        "headers": {"Host": "api.example", "X-Amz-Content-Sha256": payload}}


@pytest.mark.parametrize("service", ["s3", "execute-api"])
def test_a_presigned_address_with_a_hash_covers_the_body(service):
    verifier = RequestVerifier(service=service, region="eu-west-1", accepts_presigned=True)
    sent = presigned(service, hashlib.sha256(b"one").hexdigest())
    assert code(lambda: verifier.verify(lambda key: KEY, body=b"other", **sent)) == "payload_hash_mismatch"
    assert verifier.verify(lambda key: KEY, body=b"one", **sent) == "AKIDEXAMPLE"
    unsigned = presigned(service, "UNSIGNED-PAYLOAD")
    if service == "s3":
        assert verifier.verify(lambda key: KEY, body=b"any", **unsigned) == "AKIDEXAMPLE"
    else:
        assert code(lambda: verifier.verify(lambda key: KEY, body=b"any", **unsigned)) == "payload_not_accepted"


@pytest.mark.parametrize("service,payload,expected", [
    ("s3", hashlib.sha256(b"one").hexdigest(), ["AKIDEXAMPLE", "payload_hash_mismatch"]),
    ("execute-api", hashlib.sha256(b"one").hexdigest(), ["AKIDEXAMPLE", "payload_hash_mismatch"]),
    ("s3", "UNSIGNED-PAYLOAD", ["AKIDEXAMPLE"] * 2), ("s3", None, ["AKIDEXAMPLE"] * 2), ("execute-api", None, ["signature_mismatch"] * 2)])
def test_presigned_addresses_are_for_the_body_that_they_name(service, payload, expected):
    headers = {"Host": "api.example", **({"X-Amz-Content-Sha256": payload} if payload else {})}
    url = presign_request(KEY, service=service, region="eu-west-1", method="PUT", target="/orders", headers=headers, lifetime=300)
    verifier = RequestVerifier(service=service, region="eu-west-1", accepts_presigned=True)
    sent = {"method": "PUT", "target": url.removeprefix("https://api.example"), "headers": headers}
    found = []
    for body in (b"one", b"other"):
        try:
            found.append(verifier.verify(lambda key: KEY, body=body, **sent))
        except TokenSecurityError as error:
            found.append(error.code)
    assert found == expected
    if payload is None and service != "s3":
        assert verifier.verify(lambda key: KEY, **sent) == "AKIDEXAMPLE"


def test_a_presigned_address_with_a_signed_checksum_is_for_its_body():
    checksum = base64.b64encode(hashlib.sha256(b"one").digest()).decode()
    headers = {"Host": "api.example", "x-amz-checksum-sha256": checksum}
    url = presign_request(KEY, service="s3", region="eu-west-1", method="PUT", target="/orders", headers=headers, lifetime=300)
    verifier = RequestVerifier(service="s3", region="eu-west-1", accepts_presigned=True)
    sent = {"method": "PUT", "target": url.removeprefix("https://api.example"), "headers": headers}
    assert verifier.verify(lambda key: KEY, body=b"one", **sent) == "AKIDEXAMPLE"
    assert code(lambda: verifier.verify(lambda key: KEY, body=b"other", **sent)) == "checksum_mismatch"
    assert code(lambda: verifier.verify(lambda key: None, body=b"one", **sent)) == "access_key_unknown"


@pytest.mark.parametrize("payload,refusal", [
    ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "payload_not_presignable"), ("0" * 63, "payload_hash_malformed")])
def test_what_cannot_be_presigned(payload, refusal):
    headers = {"Host": "api.example", "X-Amz-Content-Sha256": payload}
    assert code(lambda: presign_request(
        KEY, service="s3", region="eu-west-1", method="PUT", target="/", headers=headers, lifetime=300)) == refusal


def test_codes_are_those_of_pyotp():
    totp = Totp.random(algorithm="SHA256", digits=8)
    theirs = pyotp.parse_uri(totp.uri(issuer="Example", account="alice@example.org"))
    assert totp.code(at=THEN) == theirs.at(THEN)
    state = totp.verify(theirs.at(THEN), at=THEN)
    assert state == TotpState(THEN // 30, 0)
    assert code(lambda: totp.verify(theirs.at(THEN), state, at=THEN)) == "code_used"
    assert code(lambda: totp.verify("x", at=THEN)) == "code_malformed"
    assert code(lambda: Totp(b"short")) == "otp_secret_too_short"
    assert "secret" not in repr(totp).lower()


@pytest.mark.parametrize("password", ["secret", "wrong"])
def test_sign_in_by_password(password):
    record = enroll("jane", "secret", group=2048)
    client, server = SrpClient(group=2048), SrpServer(group=2048)
    key = server.challenge("jane", record)
    proof = client.respond("jane", password, record.salt, key)
    if password == "wrong":
        assert code(lambda: server.verify(client.public_key, proof)) == "srp_proof_mismatch"
        return
    server_proof, shared = server.verify(client.public_key, proof)
    assert client.verify(server_proof) == shared
    assert code(lambda: client.verify(server_proof)) == "step_used"


def test_what_an_import_loads():
    """Most programs verify tokens: what they do not need is imported when it is used."""
    program = "import sys, token_security; print(*sys.modules); token_security.Totp; from token_security import enroll; print(*dir(token_security))"
    lines = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True, env={
        **os.environ, "PYTHONPATH": str(pathlib.Path(token_security.__file__).parent.parent)}).stdout.splitlines()
    assert not {"typing", "socket", "ssl", "threading", "http.client", "urllib", "subprocess", "token_security.srp"} & set(lines[0].split())
    assert set(token_security.__all__) <= set(lines[1].split())
    assert all(getattr(token_security, name) for name in token_security.__all__) and token_security.codes.Totp is Totp
    with pytest.raises(AttributeError):
        token_security.nothing


def test_the_version():
    assert token_security.__version__.count(".") == 2


def test_what_the_library_needs():
    """As the guide says: libcrypto 3, libstdc++, glibc 2.34 or an earlier one."""
    library = pathlib.Path(token_security.__file__).parent / "libtokensecurity.so.2"
    needed = subprocess.run(["readelf", "--wide", "-d", library], capture_output=True, text=True, check=True).stdout
    found = set(re.findall(r"NEEDED.*\[(.*)\]", needed))
    assert "libcrypto.so.3" in found
    assert found <= {"libcrypto.so.3", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    versions = subprocess.run(["readelf", "--wide", "-V", library], capture_output=True, text=True, check=True).stdout
    assert max(tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(2\.\d+)", versions)) <= (2, 34)
