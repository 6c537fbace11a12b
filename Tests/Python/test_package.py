"""The Python package as it is installed from its wheel: against PyJWT, joserfc, botocore, pyotp and the example's token."""
import copy
import http.server
import json
import multiprocessing
import pathlib
import pickle
import re
import subprocess
import sys
import threading
import time

import jwt
import pyotp
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotoCredentials
from joserfc import jwk
from joserfc import jwt as jose

import token_security
from token_security import _process
from token_security import (
    Credentials, RequestVerifier, Signer, SrpClient, SrpServer, TokenSecurityError, Totp, TotpState, Verifier, check_lifetime,
    enroll, presign_request, sign_request)

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/example"
TOKEN = (EXAMPLE / "access-token.txt").read_text().strip()
KEYS = (EXAMPLE / "jwks.json").read_text()
THEN = 1788598987
POOL, CLIENT = "eu-west-1_Example01", "1h57kf5cpq17m0eml12EXAMPLE"
ISSUER = "https://issuer.example"


def code(body):
    with pytest.raises(TokenSecurityError) as refused:
        body()
    return refused.value.code


@pytest.fixture(scope="module")
def pool():
    return Verifier.cognito(POOL, CLIENT, jwks=KEYS)


def test_a_token_of_a_user_pool(pool):
    claims = pool.verify(TOKEN, at=THEN)
    assert claims["token_use"] == "access" and claims.subject == "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    assert claims.issuer.endswith(POOL) and claims.header["alg"] == "RS256"
    assert pool.verify(TOKEN.encode(), at=THEN) == claims
    again = pickle.loads(pickle.dumps(claims))
    assert again == claims and again.header == claims.header == copy.copy(claims).header


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
    assert pool.explain(TOKEN, at=THEN + 3600)["code"] == "token_expired"


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


class Keys(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests += 1
        body = KEYS.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    server.requests = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    assert server.requests <= 8
    server.shutdown()


def fetching(port, timeout=60):
    return Verifier.from_policy({
        "version": 1, "fetching": {"allows_plain_loopback": True},
        "issuers": [{"profile": "cognito-user-pool", "pool": POOL, "use": "access", "client_ids": CLIENT,
                     "keys": {"jwks_uri": f"http://127.0.0.1:{port}/"}}]}, timeout=timeout)


def test_keys_are_fetched_once_for_many_threads(address):
    verifier = fetching(address)
    found = []
    threads = [threading.Thread(target=lambda: found.append(verifier.verify(TOKEN, at=THEN).subject)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    # Nothing listens at port 9.
    assert code(lambda: fetching(9, timeout=0).verify(TOKEN, at=THEN)) == "keys_not_held"
    assert code(lambda: fetching(9).verify(TOKEN, at=THEN)) == "fetch_connection"


def in_child(verifier, without_keys, port, results):
    held = verifier.verify(TOKEN, at=THEN).subject
    # What follows is fetched by a process that the child starts.
    unreachable = code(lambda: without_keys.verify(TOKEN, at=THEN))
    new = fetching(port)
    new.prefetch()
    batch = new.verify_batch([TOKEN, "a.b.c", TOKEN[:-4] + "AAAA"], at=THEN)
    explained = new.explain(TOKEN, at=THEN)["valid"]
    threads = [threading.Thread(target=lambda: batch.append(new.verify(TOKEN, at=THEN))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put((held, unreachable, new.verify(TOKEN, at=THEN).header["alg"], [
        result.code if isinstance(result, TokenSecurityError) else result.subject for result in batch], explained))


def test_forked_processes_have_the_keys_that_were_cached(address):
    verifier, without_keys = fetching(address), fetching(9)
    verifier.prefetch()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    children = [context.Process(target=in_child, args=(verifier, without_keys, address, results)) for _ in range(3)]
    for child in children:
        child.start()
    answers = [results.get(timeout=60) for _ in children]
    for child in children:
        child.join()
        assert child.exitcode == 0
    subject = "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    batch = [subject, "base64url_length", "signature_invalid", *[subject] * 8]
    assert answers == [(subject, "fetch_connection", "RS256", batch, True)] * 3
    # The parent goes on.
    assert verifier.verify(TOKEN, at=THEN).subject == subject


def leave_a_key_process(verifier, results):
    verifier.verify(TOKEN, at=THEN)
    results.put(_process.key_process()._process.pid)


def test_a_key_process_ends_with_the_process_that_started_it(address):
    fetching(address).prefetch()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=leave_a_key_process, args=(fetching(address, timeout=20), results))
    child.start()
    pid = results.get(timeout=60)
    child.join()
    end = time.monotonic() + 60
    while pathlib.Path(f"/proc/{pid}").exists() and "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text().split()[2]:
        assert time.monotonic() < end
        time.sleep(0.05)


def fork_again(port, results):
    """A process that a forked process forks: it has a key process of its own, and the first one is not disturbed."""
    verifier = fetching(port)
    first = verifier.verify(TOKEN, at=THEN).subject
    own = _process.key_process()
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=lambda: answers.put((
        verifier.verify(TOKEN, at=THEN).subject, _process.key_process()._process.pid != own._process.pid)))
    child.start()
    second, is_another = answers.get(timeout=60)
    child.join()
    # One that is killed is replaced.
    own._process.kill()
    own._process.wait()
    results.put(first == second == verifier.verify(TOKEN, at=THEN).subject and is_another)


def test_a_fork_of_a_fork(address):
    fetching(address).prefetch()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=fork_again, args=(address, results))
    child.start()
    assert results.get(timeout=60)
    child.join()
    assert child.exitcode == 0


def start_nothing(port, results):
    multiprocessing.set_executable("/nonexistent")
    results.put(code(lambda: fetching(port).verify(TOKEN, at=THEN)))


def test_a_key_process_that_cannot_be_started(address):
    fetching(address).prefetch()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=start_nothing, args=(address, results))
    child.start()
    assert results.get(timeout=60) == "process_forked"
    child.join()


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


def test_the_types_are_strict():
    folder = pathlib.Path(token_security.__file__).parent
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_other_threads_run_while_a_call_waits(address):
    """A call that waits for keys does not hold the interpreter's lock."""
    silent = http.server.HTTPServer(("127.0.0.1", 0), Keys)      # accepts connections and never answers
    verifier = fetching(silent.server_port, timeout=2)
    ended = threading.Event()
    waiting = threading.Thread(target=lambda: (code(lambda: verifier.verify(TOKEN, at=THEN)), ended.set()))
    waiting.start()
    steps = 0
    while not ended.is_set():
        steps += 1
        time.sleep(0.001)
    assert steps > 10
    silent.server_close()


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
    verifier = RequestVerifier(service="execute-api", region="eu-west-1", host="api.example")
    sent = {"method": "POST", "target": "/path?b=2&a=1", "headers": ours, "body": b"{}"}
    assert code(lambda: verifier.verify(lambda key: None, **sent)) == "access_key_unknown"
    assert code(lambda: verifier.verify(lambda key: KEY, **{**sent, "body": b"{ }"})) == "signature_mismatch"
    assert verifier.verify({KEY.access_key_id: KEY}.get, **sent) == "AKIDEXAMPLE"
    assert code(lambda: verifier.verify(lambda key: KEY, **sent)) == "request_replayed"
    with pytest.raises(ValueError):
        verifier.verify(lambda key: Credentials("AKIDOTHER", SECRET), **sent)
    as_received = {**sent, "headers": {name: value.encode() for name, value in ours.items()}}
    assert code(lambda: verifier.verify(lambda key: KEY, **as_received)) == "request_replayed"
    with pytest.raises(ValueError):
        sign_request(KEY, service="a", region="b", method="GET", target="/", headers={"Host": "a\0b"})


def test_presigned_addresses():
    host = "bucket.s3.eu-west-1.amazonaws.com"
    url = presign_request(KEY, service="s3", region="eu-west-1", method="GET", target="/photo.jpg", headers={"Host": host}, lifetime=300)
    verifier = RequestVerifier(service="s3", region="eu-west-1", accepts_presigned=True)
    sent = {"method": "GET", "target": url.removeprefix(f"https://{host}"), "headers": {"Host": host}}
    assert verifier.verify(lambda key: KEY, **sent) == "AKIDEXAMPLE"
    assert code(lambda: verifier.verify(lambda key: KEY, **sent, at=time.time() + 301)) == "presigned_expired"


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


def test_the_version():
    assert token_security.__version__.count(".") == 2


def test_what_the_library_needs():
    """As the guide says: libcrypto 3, libstdc++, glibc 2.35 or an earlier one."""
    library = pathlib.Path(token_security.__file__).parent / "libtokensecurity.so.1"
    needed = subprocess.run(["readelf", "--wide", "-d", library], capture_output=True, text=True, check=True).stdout
    found = set(re.findall(r"NEEDED.*\[(.*)\]", needed))
    assert "libcrypto.so.3" in found
    assert found <= {"libcrypto.so.3", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    versions = subprocess.run(["readelf", "--wide", "-V", library], capture_output=True, text=True, check=True).stdout
    assert max(tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(2\.\d+)", versions)) <= (2, 35)
