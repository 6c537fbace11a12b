"""Tokens that are bound to a key: proofs that joserfc and PyJWT make, and certificates of cryptography."""
import base64
import datetime
import hashlib
import json

import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from joserfc import jwk
from joserfc import jwt as jose

from support import ISSUER, code
from token_security import ProofVerifier, Verifier, check_certificate

NOW = 1_800_000_000
URL = "https://api.example/orders/1"
SECRET = {"kty": "oct", "alg": "HS256", "k": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def verifier(*binding):
    return Verifier.from_policy({"version": 1, "issuers": [
        {"profile": "token", "issuer": ISSUER, "audience": "api", "keys": "given", **({"binding": binding} if binding else {})}]}, jwks=SECRET)


def token(confirmation):
    claims = {"iss": ISSUER, "aud": "api", "sub": "jane", "iat": NOW, "exp": NOW + 600}
    if confirmation:
        claims["cnf"] = confirmation
    return jwt.encode(claims, base64.urlsafe_b64decode(SECRET["k"] + "="), algorithm="HS256")


def proof(key, bearer, **more):
    claims = {"jti": "1", "htm": "GET", "htu": URL, "iat": NOW, "ath": encoded(hashlib.sha256(bearer.encode()).digest()), **more}
    header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": key.as_dict(private=False)}
    return jose.encode(header, claims, key, algorithms=["ES256"])


@pytest.fixture(scope="module")
def key():
    return jwk.ECKey.generate_key("P-256", private=True)


def test_a_bound_token_needs_its_policy(key):
    bearer = token({"jkt": key.thumbprint()})
    assert code(lambda: verifier().verify(bearer, at=NOW)) == "token_bound"
    assert code(lambda: verifier("x5t#S256").verify(bearer, at=NOW)) == "token_bound"
    assert verifier("jkt").verify(bearer, at=NOW)["cnf"] == {"jkt": key.thumbprint()}


def test_proofs_of_joserfc(key):
    bearer = token({"jkt": key.thumbprint()})
    claims = verifier("jkt", "x5t#S256").verify(bearer, at=NOW)
    proofs = ProofVerifier(capacity=10)

    def verify(text, **more):
        arguments = {"method": "GET", "url": URL + "?page=2", "token": bearer, "claims": claims, "at": NOW, **more}
        return proofs.verify(text, **arguments)

    first = proof(key, bearer)
    assert verify(first) is None
    assert code(lambda: verify(first)) == "replayed"
    assert code(lambda: verify(proof(key, bearer, jti="2"), method="POST")) == "proof_mismatch"
    assert code(lambda: verify(proof(key, bearer, jti="3"), url="https://other.example/orders/1")) == "proof_mismatch"
    assert code(lambda: verify(proof(key, bearer + "x", jti="4"))) == "hash_mismatch"
    other = jwk.ECKey.generate_key("P-256", private=True)
    assert code(lambda: verify(proof(other, bearer, jti="5"))) == "not_bound"
    assert code(lambda: verify(proof(key, bearer, jti="6"), claims={"sub": "jane"})) == "not_bound"
    assert code(lambda: verify(proof(key, bearer, jti="7"), nonce="n")) == "nonce_missing"
    assert verify(proof(key, bearer, jti="8", nonce="n"), nonce="n") is None
    assert code(lambda: verify(proof(key, bearer, jti="9"), at=NOW + 66)) == "token_too_old"
    assert code(lambda: verify("abc")) == "not_compact"


def test_the_capacity_of_proofs(key):
    for capacity in (0, -1, 100_000_001):
        with pytest.raises(ValueError):
            ProofVerifier(capacity=capacity)
    bearer = token({"jkt": key.thumbprint()})
    claims = verifier("jkt").verify(bearer, at=NOW)
    proofs = ProofVerifier(capacity=1)
    results = []
    for number in range(3):
        try:
            results.append(proofs.verify(proof(key, bearer, jti=str(number)), method="GET", url=URL, token=bearer, claims=claims, at=NOW))
        except Exception as error:
            results.append(error.code)
    assert results == [None, "replayed", "replayed"]


def test_certificates(key):
    pair = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "client")])
    start = datetime.datetime(2026, 1, 1)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(pair.public_key()).serial_number(1).not_valid_before(
        start).not_valid_after(start + datetime.timedelta(days=900)).sign(pair, hashes.SHA256())
    certificate = made.public_bytes(serialization.Encoding.DER)
    bearer = token({"x5t#S256": encoded(made.fingerprint(hashes.SHA256()))})
    claims = verifier("x5t#S256").verify(bearer, at=NOW)
    assert check_certificate(claims, certificate) is None
    assert code(lambda: check_certificate(claims, certificate + b"x")) == "client_certificate_mismatch"
    assert code(lambda: check_certificate(json.loads('{"cnf": {"jkt": "a"}}'), certificate)) == "client_certificate_mismatch"
    assert code(lambda: check_certificate({}, certificate)) == "client_certificate_mismatch"


def test_actors():
    claims = {"iss": ISSUER, "aud": "api", "sub": "jane", "iat": NOW, "exp": NOW + 600, "act": {"sub": "assistant"}}
    delegated = jwt.encode(claims, base64.urlsafe_b64decode(SECRET["k"] + "="), algorithm="HS256")
    assert code(lambda: verifier().verify(delegated, at=NOW)) == "token_delegated"
    accepting = Verifier.from_policy({"version": 1, "issuers": [
        {"profile": "token", "issuer": ISSUER, "audience": "api", "keys": "given", "actors": "assistant"}]}, jwks=SECRET)
    assert accepting.verify(delegated, at=NOW)["act"] == {"sub": "assistant"}
