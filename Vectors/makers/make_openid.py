#!/usr/bin/env python3
"""Makes Vectors/openid.json: each rule of OpenID Connect, of access, logout and proof tokens, and of the providers'
profiles, kept and broken. Uses the Python package `cryptography`, never the code under test."""
import base64
import hashlib
import json
import pathlib

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

NOW = 1767225600
ISSUER, CLIENT = "https://op.example", "client-1"
POOL, POOL_CLIENT = "eu-west-1_Example01", "1h57kf5cpq17m0eml12EXAMPLE"
POOL_ISSUER = f"https://cognito-idp.eu-west-1.amazonaws.com/{POOL}"
IDENTITY_POOL = "us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
IDENTITY = "us-east-1:b7a4c1d9-60e2-4f3a-8d5b-1c9e7f2a3046"
BALANCER = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188"
BALANCER_KEY = "f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e0f"
EVENT = "http://schemas.openid.net/event/backchannel-logout"
TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad"


def b64(data, pad=False):
    text = base64.urlsafe_b64encode(data).decode()
    return text if pad else text.rstrip("=")


def number(value):
    return b64(value.to_bytes((value.bit_length() + 7) // 8, "big"))


rsa_key = rsa.generate_private_key(65537, 2048)
pool_key = rsa.generate_private_key(65537, 2048)
ec_key = ec.generate_private_key(ec.SECP256R1())
edwards = {"Ed25519": ed25519.Ed25519PrivateKey.generate(), "Ed448": ed448.Ed448PrivateKey.generate()}
proof_key = ec.generate_private_key(ec.SECP256R1())


def rsa_jwk(key, kid, alg):
    numbers = key.public_key().public_numbers()
    return {"kty": "RSA", "kid": kid, "alg": alg, "use": "sig", "n": number(numbers.n), "e": number(numbers.e)}


def ec_jwk(key, **extra):
    numbers = key.public_key().public_numbers()
    return {"kty": "EC", "crv": "P-256", "x": b64(numbers.x.to_bytes(32, "big")),
            "y": b64(numbers.y.to_bytes(32, "big")), **extra}


def loose_jwk(key, kid):
    """As the identity pools' key set has been seen: standard base64, padded, a zero byte in front."""
    numbers = key.public_key().public_numbers()
    return {"kty": "RSA", "kid": kid, "alg": "RS512", "use": "sig",
            "n": base64.b64encode(b"\0" + numbers.n.to_bytes(256, "big")).decode(), "e": "AQAB"}


def thumbprint(jwk):
    members = {name: jwk[name] for name in ("crv", "kty", "x", "y")}
    return b64(hashlib.sha256(json.dumps(members, sort_keys=True, separators=(",", ":")).encode()).digest())


def token(claims, alg="RS256", kid="rsa", key=None, pad=False, **header):
    header = {"alg": alg, **({"kid": kid} if kid else {}), **header}
    text = ".".join(b64(json.dumps(part, separators=(",", ":")).encode(), pad) for part in (header, claims))
    if alg == "ES256":
        r, s = decode_dss_signature((key or ec_key).sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    elif kid in edwards:
        signature = edwards[kid].sign(text.encode())
    else:
        digest = {"RS256": hashes.SHA256(), "RS384": hashes.SHA384(), "RS512": hashes.SHA512()}[alg]
        signature = (key or rsa_key).sign(text.encode(), padding.PKCS1v15(), digest)
    return text + "." + b64(signature, pad)


def half(text, digest="sha256"):
    hashed = hashlib.new(digest, text.encode()).digest()
    return b64(hashed[:len(hashed) // 2])


def without(claims, *names):
    return {name: value for name, value in claims.items() if name not in names}


cases = []


def case(name, profile, compact, reject=None, at=NOW, expect=None, **more):
    entry = {"id": name, "input": {"profile": profile, "token": compact, "at": at, **more}}
    entry.update({"reject": reject} if reject else {"expect": expect or {}})
    cases.append(entry)


# ID tokens: OpenID Connect Core, sections 2 and 3.1.3.7.
id_claims = {"iss": ISSUER, "sub": "248289761001", "aud": CLIENT, "exp": NOW + 600, "iat": NOW - 60}
plain = {"kind": "id", "issuers": [ISSUER], "clients": [CLIENT]}
for name, change, reject in [
    ("good", {}, None), ("aud-array", {"aud": [CLIENT]}, None),
    ("sub-255", {"sub": "a" * 255}, None), ("sub-256", {"sub": "a" * 256}, "sub_invalid"),
    ("sub-empty", {"sub": ""}, "sub_invalid"), ("sub-not-ascii", {"sub": "jané"}, "sub_invalid"),
    ("aud-other", {"aud": "client-2"}, "audience_mismatch"),
    ("aud-untrusted", {"aud": [CLIENT, "client-2"], "azp": CLIENT}, "aud_untrusted"),
    ("azp-ours", {"azp": CLIENT}, None), ("azp-other", {"azp": "client-2"}, "azp_mismatch"),
    ("azp-number", {"azp": 1}, "claim_invalid"),
    ("iss-other", {"iss": ISSUER + "/"}, "issuer_mismatch"),
    ("expired", {"exp": NOW}, "token_expired"), ("iat-future", {"iat": NOW + 11}, "token_issued_in_future"),
    ("life-too-long", {"exp": NOW - 60 + 86_401}, "lifetime_too_long"),
    ("life-longest", {"exp": NOW - 60 + 86_400}, None),
    ("access-token-by-use", {"token_use": "access"}, "wrong_token_kind"),
    ("access-token-by-scp", {"scp": "user.read"}, "wrong_token_kind"),
    ("access-token-by-typ-claim", {"typ": "Bearer"}, "wrong_token_kind"),
    ("logout-token", {"events": {EVENT: {}}}, "wrong_token_kind"),
]:
    case(f"id-{name}", plain, token({**id_claims, **change}), reject)
for missing in ("sub", "iat", "exp", "aud"):
    case(f"id-without-{missing}", plain, token(without(id_claims, missing)), "claim_missing")
case("id-without-iss", plain, token(without(id_claims, "iss")), "claim_missing")
case("id-typ-access", plain, token(id_claims, typ="at+jwt"), "wrong_token_kind")
case("id-typ-access-expired", plain, token({**id_claims, "exp": NOW - 1, "iat": NOW - 60}, typ="application/AT+jwt"), "wrong_token_kind")
trusting = {**plain, "trusted": ["client-2"], "parties": [CLIENT, "client-2"]}
case("id-aud-trusted", trusting, token({**id_claims, "aud": [CLIENT, "client-2"], "azp": "client-2"}))
case("id-azp-missing", trusting, token({**id_claims, "aud": [CLIENT, "client-2"]}), "azp_missing")
classes = {**plain, "acr": ["gold", "silver"]}
case("id-acr", classes, token({**id_claims, "acr": "silver"}))
case("id-acr-other", classes, token({**id_claims, "acr": "bronze"}), "acr_mismatch")
case("id-acr-missing", classes, token(id_claims), "acr_mismatch")
methods = {**plain, "amr": ["pwd", "otp"]}
case("id-amr", methods, token({**id_claims, "amr": ["otp", "x", "pwd"]}))
case("id-amr-lacks-one", methods, token({**id_claims, "amr": ["pwd"]}), "amr_missing")
case("id-amr-string", methods, token({**id_claims, "amr": "pwd otp"}), "amr_missing")

# What belongs to one sign-in.
nonce = {"nonce": "n-0S6_WzA2Mj"}
case("nonce", plain, token({**id_claims, **nonce}), sign_in=nonce)
case("nonce-other", plain, token({**id_claims, "nonce": "n-0S6_WzA2Mk"}), "nonce_mismatch", sign_in=nonce)
case("nonce-number", plain, token({**id_claims, "nonce": 1}), "nonce_mismatch", sign_in=nonce)
case("nonce-missing", plain, token(id_claims), "nonce_missing", sign_in=nonce)
case("nonce-unexpected", plain, token({**id_claims, **nonce}), "nonce_unexpected", sign_in={"nonce": None})
case("nonce-absent", plain, token(id_claims), sign_in={"nonce": None})
ACCESS, CODE = "opaque-access-token", "authorization-code"
for alg, digest in (("RS256", "sha256"), ("RS384", "sha384"), ("RS512", "sha512"), ("ES256", "sha256")):
    kid = "ec" if alg == "ES256" else "any-rsa"
    hashes_ = {"at_hash": half(ACCESS, digest), "c_hash": half(CODE, digest)}
    with_hashes = {**nonce, "access_token": ACCESS, "code": CODE}
    case(f"hashes-{alg}", plain, token({**id_claims, **nonce, **hashes_}, alg, kid), sign_in=with_hashes)
    case(f"at-hash-other-{alg}", plain, token({**id_claims, **nonce, **hashes_, "at_hash": half("x", digest)}, alg, kid),
         "hash_mismatch", sign_in=with_hashes)
    case(f"c-hash-other-{alg}", plain, token({**id_claims, **nonce, **hashes_, "c_hash": half("x", digest)}, alg, kid),
         "hash_mismatch", sign_in=with_hashes)
for alg in ("EdDSA", "Ed25519"):
    case(f"at-hash-{alg}", plain, token({**id_claims, **nonce, "at_hash": half(ACCESS, "sha512")}, alg, "Ed25519"),
         sign_in={**nonce, "access_token": ACCESS})
case("at-hash-Ed448", plain, token({**id_claims, **nonce, "at_hash": half(ACCESS, "sha512")}, "Ed448", "Ed448"), "hash_undefined",
     sign_in={**nonce, "access_token": ACCESS})
case("at-hash-whole-digest", plain, token({**id_claims, **nonce, "at_hash": b64(hashlib.sha256(ACCESS.encode()).digest())}),
     "hash_mismatch", sign_in={**nonce, "access_token": ACCESS})
case("at-hash-missing", plain, token({**id_claims, **nonce}), "hash_missing", sign_in={**nonce, "access_token": ACCESS})
case("c-hash-missing", plain, token({**id_claims, **nonce}), "hash_missing", sign_in={**nonce, "code": CODE})
case("at-hash-missing-allowed", plain, token({**id_claims, **nonce}), sign_in={**nonce, "access_token": ACCESS, "hashes": "optional"})
aged = {**nonce, "max_age": 300}
case("auth-time", plain, token({**id_claims, **nonce, "auth_time": NOW - 300}), sign_in=aged)
case("auth-time-old", plain, token({**id_claims, **nonce, "auth_time": NOW - 301}), "token_too_old", sign_in=aged)
case("auth-time-missing", plain, token({**id_claims, **nonce}), "claim_missing", sign_in=aged)

# Access tokens: RFC 9068.
access_claims = {"iss": ISSUER, "sub": "jane", "aud": "https://api.example", "exp": NOW + 600, "iat": NOW - 60,
                 "jti": "t-1", "client_id": CLIENT, "scope": "orders/read profile"}
access = {"kind": "access", "issuers": [ISSUER], "audiences": ["https://api.example"], "clients": [CLIENT], "scopes": ["orders/read"]}
case("access-good", access, token(access_claims, typ="at+jwt"))
case("access-typ-whole", access, token(access_claims, typ="application/at+JWT"))
case("access-typ-missing", access, token(access_claims), "typ_missing")
case("access-typ-jwt", access, token(access_claims, typ="JWT"), "typ_missing")
case("access-id-token", access, token({**id_claims, "nonce": "x"}), "wrong_token_kind")
case("access-logout-token", access, token({**access_claims, "events": {EVENT: {}}}, typ="logout+jwt"), "wrong_token_kind")
for missing in ("iss", "sub", "aud", "exp", "iat", "jti", "client_id"):
    case(f"access-without-{missing}", access, token(without(access_claims, missing), typ="at+jwt"), "claim_missing")
case("access-client-other", access, token({**access_claims, "client_id": "client-2"}, typ="at+jwt"), "client_mismatch")
case("access-client-number", access, token({**access_claims, "client_id": 1}, typ="at+jwt"), "client_mismatch")
case("access-scope-other", access, token({**access_claims, "scope": "orders/reader orders"}, typ="at+jwt"), "scope_missing")
case("access-scope-missing", access, token(without(access_claims, "scope"), typ="at+jwt"), "scope_missing")
case("access-scope-array", access, token({**access_claims, "scope": ["orders/read"]}, typ="at+jwt"), "scope_missing")

# Logout tokens: OpenID Connect Back-Channel Logout 1.0.
logout_claims = {"iss": ISSUER, "aud": CLIENT, "iat": NOW - 5, "exp": NOW + 115, "jti": "l-1", "sub": "jane",
                 "sid": "s-1", "events": {EVENT: {}}}
logout = {"kind": "logout", "issuers": [ISSUER], "clients": [CLIENT]}
case("logout-good", logout, token(logout_claims, typ="logout+jwt"))
case("logout-without-typ", logout, token(logout_claims))
case("logout-sub-only", logout, token(without(logout_claims, "sid"), typ="logout+jwt"))
case("logout-sid-only", logout, token(without(logout_claims, "sub"), typ="logout+jwt"))
case("logout-neither", logout, token(without(logout_claims, "sub", "sid"), typ="logout+jwt"), "logout_subject_missing")
case("logout-sid-number", logout, token({**logout_claims, "sid": 1}, typ="logout+jwt"), "claim_invalid")
case("logout-nonce", logout, token({**logout_claims, "nonce": "x"}, typ="logout+jwt"), "nonce_unexpected")
case("logout-events-missing", logout, token(without(logout_claims, "events"), typ="logout+jwt"), "events_invalid")
case("logout-events-other", logout, token({**logout_claims, "events": {"x": {}}}, typ="logout+jwt"), "events_invalid")
case("logout-events-array", logout, token({**logout_claims, "events": [EVENT]}, typ="logout+jwt"), "events_invalid")
case("logout-event-true", logout, token({**logout_claims, "events": {EVENT: True}}, typ="logout+jwt"), "events_invalid")
case("logout-id-token", logout, token({**id_claims, "nonce": "x"}), "wrong_token_kind")
case("logout-too-long", logout, token({**logout_claims, "exp": NOW + 116}, typ="logout+jwt"), "lifetime_too_long")
for missing in ("jti", "iat", "exp"):
    case(f"logout-without-{missing}", logout, token(without(logout_claims, missing), typ="logout+jwt"), "claim_missing")
case("logout-replayed", logout, token(logout_claims, typ="logout+jwt"), "replayed", used=True)

# Proofs of possession: RFC 9449.
proof_jwk = ec_jwk(proof_key)
ADDRESS = "https://api.example/orders"
bound = token({**access_claims, "cnf": {"jkt": thumbprint(proof_jwk)}}, typ="at+jwt")
unbound = token(access_claims, typ="at+jwt")
proof_claims = {"jti": "p-1", "htm": "POST", "htu": ADDRESS, "iat": NOW - 1}
ath = {"ath": b64(hashlib.sha256(bound.encode()).digest())}
request = {"kind": "dpop", "method": "POST", "address": ADDRESS + "?page=2"}


def proof(claims, jwk=proof_jwk, key=proof_key, typ="dpop+jwt"):
    return token(claims, "ES256", None, key, typ=typ, **({"jwk": jwk} if jwk is not None else {}))


case("proof-good", request, proof(proof_claims), expect={"thumbprint": thumbprint(proof_jwk)})
case("proof-with-token", request, proof({**proof_claims, **ath}), access_token=bound)
case("proof-htu-normalised", request, proof({**proof_claims, "htu": "HTTPS://API.example:443/orders?x#y"}))
for name, claims, reject in [
    ("htm-other", {**proof_claims, "htm": "GET"}, "proof_mismatch"), ("htm-case", {**proof_claims, "htm": "post"}, "proof_mismatch"),
    ("htm-missing", without(proof_claims, "htm"), "proof_mismatch"),
    ("htu-path", {**proof_claims, "htu": ADDRESS + "/"}, "proof_mismatch"),
    ("htu-host", {**proof_claims, "htu": "https://api.example.org/orders"}, "proof_mismatch"),
    ("htu-scheme", {**proof_claims, "htu": "http://api.example/orders"}, "proof_mismatch"),
    ("htu-garbage", {**proof_claims, "htu": "https://api.example\\@x/orders"}, "proof_mismatch"),
    ("jti-missing", without(proof_claims, "jti"), "claim_missing"), ("iat-missing", without(proof_claims, "iat"), "claim_missing"),
    ("old", {**proof_claims, "iat": NOW - 66}, "token_too_old"), ("old-within-leeway", {**proof_claims, "iat": NOW - 65}, None),
    ("future", {**proof_claims, "iat": NOW + 6}, "token_issued_in_future"), ("future-within-leeway", {**proof_claims, "iat": NOW + 5}, None),
]:
    case(f"proof-{name}", request, proof(claims), reject)
case("proof-typ", request, proof(proof_claims, typ="JWT"), "typ_mismatch")
case("proof-jwk-missing", request, proof(proof_claims, jwk=None), "proof_key")
case("proof-jwk-other", request, proof(proof_claims, jwk=ec_jwk(ec_key)), "signature_invalid")
private = number(proof_key.private_numbers().private_value)
case("proof-jwk-private", request, proof(proof_claims, jwk={**proof_jwk, "d": b64(proof_key.private_numbers().private_value.to_bytes(32, "big"))}), "proof_key")
case("proof-jwk-secret", request, proof(proof_claims, jwk={"kty": "oct", "k": b64(b"k" * 32)}), "proof_key")
case("proof-jwk-off-curve", request, proof(proof_claims, jwk={**proof_jwk, "y": proof_jwk["x"]}), "proof_key")
case("proof-ath-missing", request, proof(proof_claims), "hash_missing", access_token=bound)
case("proof-ath-other", request, proof({**proof_claims, "ath": half("x")}), "hash_mismatch", access_token=bound)
case("proof-token-not-bound", request,
     proof({**proof_claims, "ath": b64(hashlib.sha256(unbound.encode()).digest())}), "not_bound", access_token=unbound)
case("proof-nonce", request, proof({**proof_claims, "nonce": "n"}), nonce="n")
case("proof-nonce-missing", request, proof(proof_claims), "nonce_missing", nonce="n")
case("proof-nonce-other", request, proof({**proof_claims, "nonce": "m"}), "nonce_mismatch", nonce="n")
case("proof-replayed", request, proof(proof_claims), "replayed", used=True)

# Cognito user pools.
pool_id = {"iss": POOL_ISSUER, "sub": "0d1c6e2a", "aud": POOL_CLIENT, "token_use": "id", "cognito:username": "jane",
           "cognito:groups": ["editors", "admins"], "custom:team": "blue", "cognito:roles": ["arn:aws:iam::1:role/a"],
           "auth_time": NOW - 60, "iat": NOW - 60, "exp": NOW + 3540, "origin_jti": "o-1", "jti": "j-1", "email": "j@example.com"}
pool_access = {"iss": POOL_ISSUER, "sub": "0d1c6e2a", "client_id": POOL_CLIENT, "token_use": "access", "username": "jane",
               "cognito:groups": ["editors", "admins"], "scope": "openid orders/read", "auth_time": NOW - 60, "iat": NOW - 60,
               "exp": NOW + 3540, "origin_jti": "o-1", "jti": "j-2"}
user_id = {"kind": "user-pool", "pool": POOL, "use": "id", "clients": [POOL_CLIENT]}
user_access, user_either = {**user_id, "use": "access"}, {**user_id, "use": "either"}
seen = {"use": "id", "username": "jane", "client": POOL_CLIENT, "groups": ["editors", "admins"], "scopes": [],
        "roles": ["arn:aws:iam::1:role/a"], "custom": {"team": "blue"}}
case("pool-id", user_id, token(pool_id), expect=seen)
case("pool-roles-as-text", user_id, token({**pool_id, "cognito:roles": "arn:a,arn:b"}), expect={**seen, "roles": ["arn:a", "arn:b"]})
seen_access = {"use": "access", "username": "jane", "client": POOL_CLIENT, "groups": ["editors", "admins"],
               "scopes": ["openid", "orders/read"], "roles": [], "custom": {}}
case("pool-access", user_access, token(pool_access), expect=seen_access)
case("pool-either-id", user_either, token(pool_id), expect=seen)
case("pool-either-access", user_either, token(pool_access), expect=seen_access)
case("pool-id-wanted", user_id, token(pool_access), "wrong_token_kind")
case("pool-access-wanted", user_access, token(pool_id), "wrong_token_kind")
case("pool-id-wanted-expired", user_id, token({**pool_access, "exp": NOW - 1}), "wrong_token_kind")
case("pool-use-refresh", user_either, token({**pool_access, "token_use": "refresh"}), "profile_mismatch")
case("pool-use-missing", user_either, token(without(pool_access, "token_use")), "profile_mismatch")
case("pool-id-client-other", user_id, token({**pool_id, "aud": "other"}), "audience_mismatch")
case("pool-access-client-other", user_access, token({**pool_access, "client_id": "other"}), "client_mismatch")
case("pool-access-client-missing", user_access, token(without(pool_access, "client_id")), "client_mismatch")
case("pool-access-with-aud", user_access, token({**pool_access, "aud": POOL_CLIENT}), expect=seen_access)
case("pool-either-client-other", user_either, token({**pool_id, "aud": "other"}), "client_mismatch")
case("pool-either-client-in-wrong-place", user_either, token({**without(pool_id, "aud"), "client_id": POOL_CLIENT}), "client_mismatch")
case("pool-either-two-clients", user_either, token({**pool_id, "aud": [POOL_CLIENT, "other"]}), "client_mismatch")
case("pool-either-access-with-aud", user_either, token({**pool_access, "aud": POOL_CLIENT}), expect=seen_access)
case("pool-issuer-other", user_id, token({**pool_id, "iss": POOL_ISSUER[:-1] + "2"}), "issuer_mismatch")
case("pool-alg-other", user_id, token(pool_id, "RS384", "any-rsa"), "alg_not_allowed")
case("pool-groups-text", user_access, token({**pool_access, "cognito:groups": "editors"}), "claim_invalid")
case("pool-roles-number", user_id, token({**pool_id, "cognito:roles": 1}), "claim_invalid")
case("pool-username-number", user_access, token({**pool_access, "username": 1}), "claim_invalid")
case("pool-custom-number", user_id, token({**pool_id, "custom:level": 1}), expect={**seen, "custom": "claim_invalid"})
case("pool-custom-null", user_access, token({**pool_access, "custom:": None}), expect={**seen_access, "custom": "claim_invalid"})
case("pool-sub-empty", user_access, token({**pool_access, "sub": ""}), "sub_invalid")
case("pool-life-longest", user_access, token({**pool_access, "exp": NOW - 60 + 86_400}), expect=seen_access)
case("pool-life-too-long", user_access, token({**pool_access, "exp": NOW - 60 + 86_401}), "lifetime_too_long")
case("pool-group", {**user_access, "groups": ["owners", "admins"]}, token(pool_access), expect=seen_access)
case("pool-group-missing", {**user_access, "groups": ["owners"]}, token(pool_access), "group_missing")
case("pool-group-none", {**user_access, "groups": ["owners"]}, token(without(pool_access, "cognito:groups")), "group_missing")
case("pool-scopes", {**user_access, "scopes": ["openid", "orders/read"]}, token(pool_access), expect=seen_access)
case("pool-scope-missing", {**user_access, "scopes": ["openid", "orders/write"]}, token(pool_access), "scope_missing")
case("pool-revoked", {**user_access, "revoked": ["o-1"]}, token(pool_access), "token_revoked")
case("pool-not-revoked", {**user_access, "revoked": ["o-2"]}, token(pool_access), expect=seen_access)
case("pool-revocation-unknown", {**user_access, "revoked": ["o-2"]}, token(without(pool_access, "origin_jti")), "claim_invalid")
for region, issuer in [("cn-north-1", "https://cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_Abc"),
                       ("us-gov-west-1", "https://cognito-idp.us-gov-west-1.amazonaws.com/us-gov-west-1_Abc")]:
    case(f"pool-{region}", {**user_access, "pool": f"{region}_Abc"}, token({**pool_access, "iss": issuer}), expect=seen_access)

# Cognito identity pools.
identity_claims = {"sub": IDENTITY, "aud": IDENTITY_POOL, "amr": ["authenticated", "login.example", f"login.example:{IDENTITY_POOL}:jane:doe:7"],
                   "iss": "https://cognito-identity.amazonaws.com",
                   "https://cognito-identity.amazonaws.com/identity-pool-arn": f"arn:aws:cognito-identity:us-east-1:123456789012:identitypool/{IDENTITY_POOL}",
                   "exp": NOW + 840, "iat": NOW - 60}
identity = {"kind": "identity-pool", "pool": IDENTITY_POOL}


def identity_token(claims=None, alg="RS512", typ="JWS", **change):
    return token({**(claims or identity_claims), **change}, alg, "us-east-11" if alg == "RS512" else "any-rsa",
                 pool_key if alg == "RS512" else rsa_key, **({"typ": typ} if typ else {}))


def logins(*entries):
    return {"logins": [{"provider": provider, "user": user, "source": source} for provider, user, source in entries]}


case("identity-developer", identity, identity_token(), expect=logins(("login.example", "jane:doe:7", "developer")))
case("identity-without-user", identity, identity_token(amr=["authenticated", "graph.facebook.com"]),
     expect=logins(("graph.facebook.com", None, "untold")))
ARN = "arn:aws:iam::123456789012:oidc-provider/op.example"
case("identity-openid", identity, identity_token(amr=["authenticated", "op.example", f"{ARN}:OIDC:a:OIDC:b"]),
     expect=logins(("op.example", "a:OIDC:b", "openID")))
UPOOL = f"cognito-idp.us-east-1.amazonaws.com/us-east-1_Abc"
case("identity-user-pool", identity, identity_token(amr=["authenticated", UPOOL, f"{UPOOL}:CognitoSignIn:0d1c6e2a"]),
     expect=logins((UPOOL, "0d1c6e2a", "userPool")))
case("identity-several", identity, identity_token(
    amr=["authenticated", "graph.facebook.com", "login.example", f"login.example:{IDENTITY_POOL}:x", "accounts.google.com"]),
    expect=logins(("graph.facebook.com", None, "untold"), ("login.example", "x", "developer"), ("accounts.google.com", None, "untold")))
case("identity-guest", identity, identity_token(amr=["unauthenticated"]), "identity_mismatch")
case("identity-guest-allowed", {**identity, "guests": True}, identity_token(amr=["unauthenticated"]), expect=logins())
case("identity-provider", {**identity, "providers": ["login.example"]}, identity_token(), expect=logins(("login.example", "jane:doe:7", "developer")))
case("identity-provider-missing", {**identity, "providers": ["login.other"]}, identity_token(), "provider_missing")
case("identity-provider-prefix", {**identity, "providers": ["login"]}, identity_token(), "provider_missing")
for name, amr in [("empty", []), ("text", "authenticated"), ("order", ["login.example", "authenticated"]),
                  ("word", ["Authenticated", "x"]), ("guest-with-login", ["unauthenticated", "x"]),
                  ("no-login", ["authenticated"]), ("empty-element", ["authenticated", ""]), ("numbers", ["authenticated", 1])]:
    case(f"identity-amr-{name}", {**identity, "guests": True}, identity_token(amr=amr), "claim_invalid")
case("identity-amr-missing", identity, identity_token(without(identity_claims, "amr")), "claim_missing")
case("identity-other-pool", identity, identity_token(aud=IDENTITY_POOL[:-1] + "4"), "audience_mismatch")
case("identity-sub-other-region", identity, identity_token(sub=IDENTITY.replace("us-east-1", "eu-west-1")), "claim_invalid")
case("identity-sub-form", identity, identity_token(sub="jane"), "claim_invalid")
case("identity-typ", identity, identity_token(typ="JWT"), "typ_mismatch")
case("identity-alg", identity, identity_token(alg="RS256"), "alg_not_allowed")
case("identity-life-longest", identity, identity_token(exp=NOW - 60 + 86_400), expect=logins(("login.example", "jane:doe:7", "developer")))
case("identity-life-too-long", identity, identity_token(exp=NOW - 60 + 86_401), "lifetime_too_long")
for pool, issuer in [("us-gov-west-1", "https://cognito-identity-us-gov.amazonaws.com"),
                     ("cn-north-1", "https://cognito-identity.cn-north-1.amazonaws.com.cn")]:
    there = IDENTITY_POOL.replace("us-east-1", pool)
    case(f"identity-{pool}", {**identity, "pool": there},
         identity_token(aud=there, sub=IDENTITY.replace("us-east-1", pool), iss=issuer, amr=["authenticated", "x"]),
         expect=logins(("x", None, "untold")))

# Other providers.
google = {"kind": "google", "clients": [CLIENT]}
google_claims = {**id_claims, "iss": "https://accounts.google.com", "email": "j@example.com", "email_verified": True, "hd": "example.com"}
case("google", google, token(google_claims))
case("google-short-issuer", google, token({**google_claims, "iss": "accounts.google.com"}))
case("google-other-issuer", google, token({**google_claims, "iss": "http://accounts.google.com"}), "issuer_mismatch")
case("google-domain", {**google, "domains": ["example.com"]}, token(google_claims))
case("google-domain-other", {**google, "domains": ["example.org"]}, token(google_claims), "profile_mismatch")
case("google-domain-missing", {**google, "domains": ["example.org"]}, token(without(google_claims, "hd")), "profile_mismatch")
case("google-email-verified-number", google, token({**google_claims, "email_verified": 1}), "claim_invalid")
case("apple", {"kind": "apple", "clients": [CLIENT]}, token({**id_claims, "iss": "https://appleid.apple.com", "email_verified": "true"}))
case("apple-other-issuer", {"kind": "apple", "clients": [CLIENT]}, token(id_claims), "issuer_mismatch")
case("apple-es256", {"kind": "apple", "clients": [CLIENT]}, token({**id_claims, "iss": "https://appleid.apple.com"}, "ES256", "ec"), "alg_not_allowed")
case("amazon", {"kind": "amazon", "clients": [CLIENT]}, token({**id_claims, "iss": "https://www.amazon.com"}))
case("amazon-other-client", {"kind": "amazon", "clients": ["x"]}, token({**id_claims, "iss": "https://www.amazon.com"}), "audience_mismatch")
case("facebook", {"kind": "facebook", "clients": [CLIENT]}, token({**id_claims, "iss": "https://www.facebook.com", "nonce": "n"}), sign_in={"nonce": "n"})
case("facebook-limited", {"kind": "facebook", "clients": [CLIENT]}, token({**id_claims, "iss": "https://limited.facebook.com"}))
case("facebook-other-client", {"kind": "facebook", "clients": ["x"]}, token({**id_claims, "iss": "https://www.facebook.com"}), "audience_mismatch")
entra = {"kind": "microsoft", "tenant": TENANT, "clients": [CLIENT]}
entra_claims = {**id_claims, "iss": f"https://login.microsoftonline.com/{TENANT}/v2.0", "tid": TENANT, "ver": "2.0"}
case("microsoft", entra, token(entra_claims))
case("microsoft-other-tenant", entra, token({**entra_claims, "tid": TENANT[:-1] + "e"}), "profile_mismatch")
case("microsoft-version-1", entra, token({**entra_claims, "ver": "1.0"}), "profile_mismatch")
case("microsoft-other-issuer", entra, token({**entra_claims, "iss": "https://login.microsoftonline.com/common/v2.0"}), "issuer_mismatch")
case("microsoft-access-token", entra, token({**entra_claims, "scp": "User.Read"}), "wrong_token_kind")

# Load balancers: padded, with signer and client in the header.
balancer = {"kind": "load-balancer", "arn": BALANCER, "clients": [CLIENT]}
balancer_claims = {"sub": "jane", "name": "Jané", "email": "j@example.com", "exp": NOW + 120, "iss": ISSUER}
balancer_header = {"signer": BALANCER, "iss": ISSUER, "client": CLIENT, "exp": NOW + 120}


def balancer_token(claims=balancer_claims, pad=True, **change):
    header = {**balancer_header, **change}
    return token(claims, "ES256", header.pop("kid", BALANCER_KEY), None, pad, **{n: v for n, v in header.items() if v is not None})


for filler in range(3):
    # All three lengths of padding.
    case(f"balancer-{filler}", balancer, balancer_token({**balancer_claims, "x": "a" * filler}))
case("balancer-unpadded", balancer, balancer_token(pad=False))
case("balancer-signer-other", balancer, balancer_token(signer=BALANCER + "1"), "profile_mismatch")
case("balancer-signer-missing", balancer, balancer_token(signer=None), "profile_mismatch")
case("balancer-client-other", balancer, balancer_token(client="client-2"), "profile_mismatch")
case("balancer-header-expired", balancer, balancer_token(exp=NOW), "token_expired")
case("balancer-header-exp-text", balancer, balancer_token(exp="never"), "claim_invalid")
case("balancer-expired", balancer, balancer_token({**balancer_claims, "exp": NOW}), "token_expired")
case("balancer-without-exp", balancer, balancer_token(without(balancer_claims, "exp")), "claim_missing")
case("balancer-kid-other", balancer, balancer_token(kid="f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e00"), "key_not_found")
whole = balancer_token({**balancer_claims, "x": ""})
for name, text in [("padding-inside", whole.replace(".", "=.", 1) if "=." not in whole else whole.replace("=.", "==.", 1)),
                   ("padding-three", whole + "==="), ("padding-three-of-four", whole[:-3] + "===")]:
    case(f"balancer-{name}", balancer, text, "base64url_padding")
case("balancer-alphabet", balancer, whole[:-4] + "+" + whole[-3:], "base64url_alphabet")
case("id-padded", plain, token(id_claims, pad=True) if "=" in token(id_claims, pad=True) else whole, "base64url_padding")

public = {"keys": [rsa_jwk(rsa_key, "rsa", "RS256"), without(rsa_jwk(rsa_key, "any-rsa", ""), "alg"), ec_jwk(ec_key, kid="ec", alg="ES256")] + [
    {"kty": "OKP", "crv": name, "kid": name, "x": b64(key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw))}
    for name, key in edwards.items()]}
suite = {
    "suite": "openid", "source": "made by makers/make_openid.py with the Python package cryptography",
    "keys": public, "identity_pool_keys": {"keys": [loose_jwk(pool_key, "us-east-11"), rsa_jwk(rsa_key, "any-rsa", "RS256")]},
    "load_balancer_key": {"kid": BALANCER_KEY, "pem": ec_key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()},
    "cases": cases,
}
path = pathlib.Path(__file__).resolve().parents[1] / "openid.json"
path.write_text(json.dumps(suite, indent=1, ensure_ascii=False) + "\n")
print(f"{len(cases)} cases")
