"""The table "Coming from another library" of the guide: each call there, and the one here in its place."""
import base64
import time

import jose.jwt
import jwt
import pyotp
import pytest
import srp
import srptools
from botocore.auth import SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotoCredentials
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from joserfc import jwk
from joserfc import jwt as joserfc_jwt

from support import ISSUER, code
from token_security import (
    Credentials, RequestVerifier, Signer, SrpClient, SrpRecord, SrpServer, TokenSecurityError, Totp, TotpState, Verifier, decode, encode,
    presign_request, sign_request)

RULES = {"audience": "api", "issuer": ISSUER}
CLAIMS = {"iss": ISSUER, "aud": "api", "sub": "jane"}
SECRET = b"a secret of thirty-two bytes, 32"
JWK = {"kty": "oct", "k": base64.urlsafe_b64encode(SECRET).decode().rstrip("=")}


@pytest.fixture(scope="module")
def pair():
    """A private and a public key, in PEM."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2048)
    return (
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
        key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))


def payload(**changed):
    now = int(time.time())
    return {**CLAIMS, "iat": now, "exp": now + 60, **changed}


def test_pyjwt(pair):
    private, public = pair
    token = jwt.encode(payload(), private, algorithm="RS256")
    assert decode(token, public, ["RS256"], **RULES) == jwt.decode(token, public, algorithms=["RS256"], **RULES)
    ours = encode(CLAIMS, private, "RS256", lifetime=60)
    found = jwt.decode(ours, public, algorithms=["RS256"], **RULES)
    assert found["exp"] - found["iat"] == 60 and found == decode(ours, public.decode(), "RS256", **RULES)
    # A list of several, as there.
    assert decode(token, public, audience=["other", "api"], issuer=["https://other.example", ISSUER]).subject == "jane"


@pytest.mark.parametrize("changed, theirs, ours", [
    ({"exp": 1, "iat": 0}, jwt.ExpiredSignatureError, "token_expired"), ({"aud": "other"}, jwt.InvalidAudienceError, "audience_mismatch"),
    ({"iss": "https://other.example"}, jwt.InvalidIssuerError, "issuer_unknown"),
    ({"nbf": int(time.time()) + 100_000}, jwt.ImmatureSignatureError, "token_not_yet_valid"),
    # Only here: there it is an option.
    ({"exp": None}, None, "claim_missing")])
def test_refusals_of_pyjwt(changed, theirs, ours):
    claims = {name: value for name, value in payload(**changed).items() if value is not None}
    token = jwt.encode(claims, SECRET, algorithm="HS256")
    if theirs:
        with pytest.raises(theirs):
            jwt.decode(token, SECRET, algorithms=["HS256"], **RULES)
    else:
        jwt.decode(token, SECRET, algorithms=["HS256"], **RULES)
    assert code(lambda: decode(token, JWK, **RULES)) == ours


def test_what_decode_does_not_take(pair):
    token = jwt.encode(payload(), SECRET, algorithm="HS256")
    assert decode(token, JWK, **RULES).subject == "jane"
    # Each would verify less than it seems, or other keys.
    for wrong in (lambda: decode(token, JWK), lambda: decode(token, JWK, audience="api"), lambda: decode(token, None, **RULES),
                  lambda: decode(token, JWK, **RULES, options={"verify_signature": False})):
        with pytest.raises(TypeError):
            wrong()
    assert code(lambda: decode(token, SECRET, **RULES)) == "key_unreadable"
    assert code(lambda: decode(token, JWK, [], **RULES)) == "policy_document_invalid"
    assert code(lambda: decode(token, JWK, **{**RULES, "audience": None})) == "policy_document_invalid"
    # A public key is never the secret of an HMAC.
    assert code(lambda: decode(jwt.encode(payload(), SECRET, algorithm="HS256"), pair[1], **RULES)) == "key_type_mismatch"
    unsigned = jwt.encode(payload(), None, algorithm="none")
    assert code(lambda: decode(unsigned, JWK, **RULES)) == "alg_none"
    for name in ("exp", "iat"):
        with pytest.raises(ValueError):
            encode({**CLAIMS, name: 1 << 40}, JWK, "HS256")
    assert code(lambda: encode(CLAIMS, JWK)) == "policy_invalid"
    assert code(lambda: encode(CLAIMS, JWK, "HS256", lifetime=86_401)) == "lifetime_refused"
    long = jwt.encode(payload(exp=int(time.time()) + 100_000), SECRET, algorithm="HS256")
    assert code(lambda: decode(long, JWK, **RULES)) == "lifetime_too_long" and Verifier(jwks=JWK, maximum_lifetime=200_000, **RULES).verify(long)
    assert code(lambda: decode(token, {**JWK, "k": JWK["k"][:40]}, **RULES)) == "hmac_key_too_short"
    bound, delegated = (jwt.encode(payload(**each), SECRET, algorithm="HS256") for each in ({"cnf": {"jkt": "a"}}, {"act": {"sub": "a"}}))
    assert (code(lambda: decode(bound, JWK, **RULES)), code(lambda: decode(delegated, JWK, **RULES))) == ("token_bound", "token_delegated")
    late = jwt.encode(payload(iat=int(time.time()) - 80, exp=int(time.time()) - 20), SECRET, algorithm="HS256")
    assert code(lambda: decode(late, JWK, **RULES)) == "token_expired" and decode(late, JWK, **RULES, leeway=60)


def test_joserfc_and_python_jose(pair):
    key = jwk.generate_key("EC", "P-256", {"kid": "a"}, private=True)
    token = joserfc_jwt.encode({"alg": "ES256", "kid": "a"}, payload(), key)
    assert decode(token, key.as_dict(private=False), ["ES256"], **RULES) == joserfc_jwt.decode(token, key, algorithms=["ES256"]).claims
    issued = Signer(key.as_dict(private=True), algorithm="ES256").issue(CLAIMS)
    assert joserfc_jwt.decode(issued, key).claims["sub"] == "jane"
    private, public = pair
    theirs = jose.jwt.encode(payload(), private.decode(), algorithm="RS256")
    assert decode(theirs, public, ["RS256"], **RULES) == jose.jwt.decode(theirs, public.decode(), algorithms=["RS256"], **RULES)
    # What get_unverified_claims is for: what a token that is refused says.
    assert Verifier(jwks=public, **RULES).explain(token)["header"]["alg"] == "ES256"


def test_pyotp():
    secret = pyotp.random_base32()
    theirs, ours = pyotp.TOTP(secret), Totp.from_base32(secret)
    now = time.time()
    assert ours.base32() == secret and ours.code(at=now) == theirs.at(now) and pyotp.TOTP(Totp.random().base32()).now()
    state = ours.verify(theirs.at(now), TotpState(), at=now)
    assert theirs.verify(theirs.at(now), for_time=now, valid_window=1)
    assert code(lambda: ours.verify(theirs.at(now), state, at=now)) == "code_used"
    found = pyotp.parse_uri(ours.uri("Example", "alice@example.org"))
    assert (found.secret, found.issuer, found.name) == (secret, "Example", "alice@example.org")
    assert ours.uri(issuer="Example", account="jane") == ours.uri("Example", "jane")
    # The order of pyotp's arguments is another.
    with pytest.raises(TypeError):
        ours.uri("alice@example.org", issuer="Example")


def test_srp():
    """Records carry over. Proofs of srp 1.0.22 do not: with rfc5054_enable() it pads g in them."""
    srp.rfc5054_enable()
    theirs = {"hash_alg": srp.SHA256, "ng_type": srp.NG_2048}
    salt, verifier = srp.create_salted_verification_key("jane", "secret", salt_len=16, **theirs)
    client, server = SrpClient(group=2048), SrpServer(group=2048)
    proof = client.respond("jane", "secret", salt, server.challenge("jane", SrpRecord(salt, verifier)))
    assert client.verify(server.verify(client.public_key, proof)[0])
    user, server = srp.User("jane", "secret", **theirs), SrpServer(group=2048)
    key = user.start_authentication()[1]
    proof = user.process_challenge(salt, server.challenge("jane", SrpRecord(salt, verifier)))
    assert code(lambda: server.verify(key, proof)) == "srp_proof_mismatch"


def test_srptools():
    constants = srptools.constants
    context = srptools.SRPContext(
        "jane", "secret", prime=constants.PRIME_2048, generator=constants.PRIME_2048_GEN, hash_func=constants.HASH_SHA_256, bits_salt=128)
    _, verifier, salt = context.get_user_data_triplet(binary=True)
    # A salt is a number to it: zeros in front would go.
    while salt[0] == 0 or len(salt) < 16:
        _, verifier, salt = context.get_user_data_triplet(binary=True)
    client, server = srptools.SRPClientSession(context), SrpServer(group=2048)
    key, proof, _ = client.process(server.challenge("jane", SrpRecord(salt, verifier)).hex(), salt.hex())
    server_proof, shared = server.verify(client.public_bin, bytes.fromhex(proof))
    assert client.verify_proof(server_proof.hex()) and shared.hex() == key


def test_botocore():
    key = Credentials("AKIDEXAMPLE", "secret")
    request = AWSRequest("GET", "https://api.example/orders?b=2&a=1", headers={"Host": "api.example"})
    SigV4Auth(BotoCredentials(*key[:2]), "orders", "eu-west-1").add_auth(request)
    verifier = RequestVerifier(service="orders", region="eu-west-1", accepts_presigned=True)
    sent = {"method": "GET", "target": "/orders?b=2&a=1"}
    ours = sign_request(key, service="orders", region="eu-west-1", headers={"Host": "api.example"}, **sent)
    presigned = AWSRequest("GET", "https://api.example/orders?b=2&a=1", headers={"Host": "api.example"})
    SigV4QueryAuth(BotoCredentials(*key[:2]), "orders", "eu-west-1", expires=300).add_auth(presigned)
    url = presign_request(key, service="orders", region="eu-west-1", headers={"Host": "api.example"}, lifetime=300, **sent)
    assert {name.lower() for name, _ in ours} >= {name.lower() for name in request.headers}
    # The equal signature of one second is accepted once.
    for fields in (request.headers.items(), ours):
        try:
            assert verifier.verify({key.access_key_id: key}.get, headers=fields, **sent) == "AKIDEXAMPLE"
        except TokenSecurityError as error:
            assert error.code == "request_replayed"
    for each in (presigned.url, url):
        target = each.removeprefix("https://api.example")
        assert verifier.verify({key.access_key_id: key}.get, method="GET", target=target, headers={"Host": "api.example"}) == "AKIDEXAMPLE"
