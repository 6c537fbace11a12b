#!/usr/bin/env python3
"""Makes Vectors/tokens.json: tokens that keep or break each rule, with the code of the refusal.

Written against the standards with the Python package `cryptography` alone, so that the
expectations do not come from the code under test. Run it in this folder:

    python3 make_tokens.py > ../tokens.json
"""
import base64
import hashlib
import hmac
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, ed448, padding, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

NOW = 1767225600  # 2026-01-01T00:00:00Z
ISS, AUD = "https://issuer.example", "api"


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, size=None):
    return b64u(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


def jwk_rsa(key, **more):
    n = key.public_key().public_numbers()
    return {"kty": "RSA", "n": number(n.n), "e": number(n.e), **more}


CURVES = {"P-256": (ec.SECP256R1, 32), "P-384": (ec.SECP384R1, 48), "P-521": (ec.SECP521R1, 66), "secp256k1": (ec.SECP256K1, 32)}


def jwk_ec(key, crv, **more):
    n = key.public_key().public_numbers()
    size = CURVES[crv][1]
    return {"kty": "EC", "crv": crv, "x": number(n.x, size), "y": number(n.y, size), **more}


def jwk_okp(key, crv, **more):
    return {"kty": "OKP", "crv": crv, "x": b64u(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)), **more}


rsa_key = rsa.generate_private_key(65537, 2048)
rsa_other = rsa.generate_private_key(65537, 2048)
rsa_weak = rsa.generate_private_key(65537, 1024)
rsa_3072 = rsa.generate_private_key(65537, 3072)
ecs = {crv: ec.generate_private_key(c()) for crv, (c, _) in CURVES.items()}
ed = ed25519.Ed25519PrivateKey.generate()
ed4 = ed448.Ed448PrivateKey.generate()
secret = hashlib.sha512(b"token vectors").digest()
pem = rsa_key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

HASH = {"256": hashes.SHA256, "384": hashes.SHA384, "512": hashes.SHA512}


def sign(alg, message, key=None):
    digits = alg[2:5]
    if alg.startswith("HS"):
        return hmac.new(key or secret, message, "sha" + digits).digest()
    if alg.startswith("RS"):
        return (key or rsa_key).sign(message, padding.PKCS1v15(), HASH[digits]())
    if alg.startswith("PS"):
        h = HASH[digits]()
        return (key or rsa_key).sign(message, padding.PSS(padding.MGF1(h), h.digest_size), h)
    if alg.startswith("ES"):
        crv = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521", "ES256K": "secp256k1"}[alg]
        r, s = utils.decode_dss_signature((key or ecs[crv]).sign(message, ec.ECDSA(HASH[digits]())))
        size = CURVES[crv][1]
        return r.to_bytes(size, "big") + s.to_bytes(size, "big")
    if alg in ("EdDSA", "Ed25519"):
        return (key or ed).sign(message)
    if alg == "Ed448":
        return (key or ed4).sign(message)
    raise ValueError(alg)


CLAIMS = {"iss": ISS, "aud": AUD, "sub": "jane", "iat": NOW - 60, "exp": NOW + 840}


def text(value):
    return value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else json.dumps(value, separators=(",", ":")).encode()


def token(alg="HS256", header=None, claims=None, key=None, signature=None, sign_as=None, **more):
    header = text(header if header is not None else {"alg": alg, **more})
    claims = text(CLAIMS if claims is None else claims)
    message = (b64u(header) + "." + b64u(claims)).encode()
    if signature is None:
        signature = sign(sign_as or alg, message, key)
    return message.decode() + "." + b64u(signature)


def claims(drop=(), **more):
    return {**{k: v for k, v in CLAIMS.items() if k not in drop}, **more}


KEYS = {
    "secret": {"keys": [{"kty": "oct", "k": b64u(secret)}]},
    "short": {"keys": [{"kty": "oct", "k": b64u(secret[:31])}]},
    "all": {"keys": [
        jwk_rsa(rsa_key, kid="rsa"), *[jwk_ec(k, c, kid=c) for c, k in ecs.items()],
        jwk_okp(ed, "Ed25519", kid="Ed25519"), jwk_okp(ed4, "Ed448", kid="Ed448")]},
    "rsa": {"keys": [jwk_rsa(rsa_key, kid="a")]},
    "rsa-named": {"keys": [jwk_rsa(rsa_key, kid="a", alg="RS256", use="sig", key_ops=["verify"])]},
    "rsa-weak": {"keys": [jwk_rsa(rsa_weak, kid="weak"), jwk_rsa(rsa_key, kid="a")]},
    "rsa-enc": {"keys": [jwk_rsa(rsa_key, kid="a", use="enc")]},
    "rsa-sign-only": {"keys": [jwk_rsa(rsa_key, kid="a", key_ops=["sign"])]},
    "rsa-ps": {"keys": [jwk_rsa(rsa_key, kid="a", alg="PS256")]},
    "twins": {"keys": [jwk_rsa(rsa_other, kid="a"), jwk_rsa(rsa_key, kid="a")]},
    "twins-kinds": {"keys": [jwk_ec(ecs["P-256"], "P-256", kid="a"), jwk_rsa(rsa_key, kid="a")]},
    "no-kid": {"keys": [jwk_rsa(rsa_other), jwk_rsa(rsa_3072), jwk_rsa(rsa_key)]},
    "many": {"keys": [jwk_rsa(rsa_key)] * 9},
    "unknown": {"keys": [
        {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA", "kid": "pq"},
        {"kty": "EC", "crv": "BP-256", "x": "AAAA", "y": "AAAA", "kid": "bp"}, jwk_rsa(rsa_key, kid="a")]},
    "ec": {"keys": [jwk_ec(ecs["P-256"], "P-256", kid="e")]},
    "ed": {"keys": [jwk_okp(ed, "Ed25519", kid="d", alg="EdDSA")]},
}

cases = []


def case(rule, id, comment, tok, keys="secret", policy=None, reject=None):
    cases.append({
        "id": rule + "/" + id, "comment": comment,
        "input": {"token": tok, "keys": keys, **({"policy": policy} if policy else {})},
        **({"reject": reject} if reject else {"expect": {"valid": True}})})


# Form
good = token()
h, p, s = good.split(".")
case("form", "good", "a plain token", good)
case("form", "empty", "nothing", "", reject="token_empty")
case("form", "one part", "no dots", h, reject="not_compact")
case("form", "two parts", "no signature part", h + "." + p, reject="not_compact")
case("form", "four parts", "a part too many", good + "." + s, reject="not_compact")
case("form", "five parts", "a JWE's parts", good + "." + s + "." + s, reject="not_compact")
case("form", "dots", "only dots", "..", reject="json_empty")
case("form", "space in front", "white space", " " + good, reject="base64url_white_space")
case("form", "line break behind", "white space", good + "\n", reject="base64url_white_space")
case("form", "line break inside", "a folded token", h + "." + p[:8] + "\r\n" + p[8:] + "." + s, reject="base64url_white_space")
case("form", "tab", "white space", h + "." + p + "\t." + s, reject="base64url_white_space")
case("form", "padding", "the payload padded", h + "." + p + "=" * (-len(p) % 4 or 4) + "." + s, reject="base64url_padding")
case("form", "plus", "the alphabet of base64", h + "." + p[:-4] + "+/Aa." + s, reject="base64url_alphabet")
case("form", "not ascii", "a character that is no character", h + "." + p[:-4] + "\u00e9Aaa." + s, reject="base64url_alphabet")
case("form", "nul", "a NUL", h + "." + p[:-4] + "\u0000Aaa." + s, reject="base64url_alphabet")
while len(s) % 4 != 3:
    raise SystemExit("the signature has another length than expected")
last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".index(s[-1])
case("form", "tail bits", "a bit in the unused tail of the signature", good[:-1] + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[last | 1], reject="base64url_trailing_bits")
case("form", "length", "one character too many", good + "AA", reject="base64url_length")
case("form", "at the limit", "exactly the limit", good, policy={"size": len(good)})
case("form", "above the limit", "one byte more than the limit", good, policy={"size": len(good) - 1}, reject="token_too_large")
case("form", "header above its limit", "a long header", token(kid="k" * 9000), policy={"size": 65536}, reject="part_too_large")
case("form", "default limit", "17 KiB where nobody set a limit", token(claims=claims(x="x" * 17000)), reject="token_too_large")

# JSON
case("json", "duplicate claim", "a name given twice", token(claims=text(CLAIMS)[:-1] + b',"sub":"eve"}'), reject="json_duplicate_name")
case("json", "duplicate escaped", "the same name escaped differently", token(claims=text(CLAIMS)[:-1] + b',"\\u0073ub":"eve"}'), reject="json_duplicate_name")
case("json", "duplicate deep", "a name given twice inside", token(claims=text(CLAIMS)[:-1] + b',"x":[{"a":1,"a":2}]}'), reject="json_duplicate_name")
case("json", "duplicate header", "two algorithms", token(header=b'{"alg":"HS256","alg":"none"}'), reject="json_duplicate_name")
case("json", "escaped name", "a registered name written with escapes means the same", token(claims=text(claims(drop=["exp"]))[:-1] + b',"\\u0065xp":' + str(NOW - 1).encode() + b'}'), reject="token_expired")
case("json", "escaped alg", "alg written with escapes means the same", token(header=b'{"\\u0061lg":"HS256"}'))
case("json", "bom", "a byte order mark", token(claims=b"\xef\xbb\xbf" + text(CLAIMS)), reject="json_byte_order_mark")
case("json", "behind", "text behind the object", token(claims=text(CLAIMS) + b"{}"), reject="json_trailing_data")
case("json", "utf-16", "not UTF-8", token(claims=json.dumps(CLAIMS).encode("utf-16-le")), reject="json_syntax")
case("json", "bad utf-8", "not UTF-8", token(claims=text(CLAIMS)[:-1] + b',"x":"\xff"}'), reject="json_invalid_utf8")
case("json", "overlong", "an overlong form", token(claims=text(CLAIMS)[:-1] + b',"x":"\xc0\xaf"}'), reject="json_invalid_utf8")
case("json", "surrogate", "half a pair", token(claims=text(CLAIMS)[:-1] + b',"x":"\\ud800"}'), reject="json_lone_surrogate")
case("json", "surrogates swapped", "the halves the wrong way round", token(claims=text(CLAIMS)[:-1] + b',"x":"\\udc00\\ud800"}'), reject="json_lone_surrogate")
case("json", "pair", "a whole pair", token(claims=text(CLAIMS)[:-1] + b',"x":"\\ud83d\\ude00"}'))
case("json", "control", "a raw control character", token(claims=text(CLAIMS)[:-1] + b',"x":"\x01"}'), reject="json_control_character")
case("json", "escape", "an escape that is none", token(claims=text(CLAIMS)[:-1] + b',"x":"\\x41"}'), reject="json_invalid_escape")
case("json", "nan", "NaN", token(claims=text(claims(drop=["exp"]))[:-1] + b',"exp":NaN}'), reject="json_syntax")
case("json", "array", "claims that are no object", token(claims=b"[1]"), reject="not_an_object")
case("json", "string", "claims that are no object", token(claims=b'"x"'), reject="not_an_object")
case("json", "header array", "a header that is no object", token(header=b"[]"), reject="not_an_object")
case("json", "header text", "a header that is no JSON", token(header=b"alg: HS256"), reject="json_syntax")
case("json", "deep", "nested 17 levels", token(claims=text(CLAIMS)[:-1] + b',"x":' + b"[" * 16 + b"]" * 16 + b"}"), reject="json_nesting")
case("json", "deep enough", "nested 16 levels", token(claims=text(CLAIMS)[:-1] + b',"x":' + b"[" * 15 + b"]" * 15 + b"}"))
case("json", "thousands", "nested thousands of levels", token(claims=b'{"x":' + b"[" * 5000 + b"]" * 5000 + b"}"), reject="json_nesting")

# Header
for alg in ["HS256", "HS384", "HS512"]:
    case("alg", alg, "signed with it", token(alg))
for alg, kid in [("RS256", "rsa"), ("RS384", "rsa"), ("RS512", "rsa"), ("PS256", "rsa"), ("PS384", "rsa"), ("PS512", "rsa"), ("ES256", "P-256"), ("ES384", "P-384"), ("ES512", "P-521"), ("ES256K", "secp256k1"), ("EdDSA", "Ed25519"), ("Ed25519", "Ed25519"), ("Ed448", "Ed448")]:
    case("alg", alg, "signed with it", token(alg, kid=kid), keys="all")
    case("alg", alg + " without kid", "found by type alone", token(alg), keys="all")
case("alg", "EdDSA on Ed448", "the older name for the larger curve", token(header={"alg": "EdDSA", "kid": "Ed448"}, alg="Ed448"), keys="all")
case("alg", "Ed25519 with an EdDSA key", "two names of one algorithm", token("Ed25519", kid="d"), keys="ed")
case("alg", "Ed448 with an Ed25519 key", "the name of the other curve", token(header={"alg": "Ed448", "kid": "Ed25519"}, alg="EdDSA"), keys="all", reject="key_type_mismatch")
case("alg", "missing", "no alg", token(header={"typ": "JWT"}), reject="alg_missing")
case("alg", "not a string", "alg is a number", token(header={"alg": 256}), reject="header_parameter_type")
for spelling in ["none", "None", "NONE", "nOnE"]:
    case("alg", spelling, "no signature", token(header={"alg": spelling}, signature=b""), reject="alg_none")
case("alg", "none signed", "none with a signature", token(header={"alg": "none"}), reject="alg_none")
case("alg", "lower case", "names have case", token(header={"alg": "hs256"}), reject="alg_unknown")
case("alg", "RS1", "an algorithm that is registered and bad", token(header={"alg": "RS1"}), reject="alg_unknown")
case("alg", "space", "a name with a space", token(header={"alg": "HS256 "}), reject="alg_unknown")
case("alg", "not allowed", "known and not wanted", token("HS384"), policy={"algorithms": ["HS256"]}, reject="alg_not_allowed")
case("alg", "rsa as hmac", "the public key's PEM as a secret", token("HS256", key=pem, kid="a"), keys="rsa", reject="key_type_mismatch")
case("alg", "key says", "the key is for PS256", token("RS256", kid="a"), keys="rsa-ps", reject="key_alg_mismatch")
case("crit", "empty", "an empty list", token(header={"alg": "HS256", "crit": []}), reject="crit_empty")
case("crit", "twice", "a name twice", token(header={"alg": "HS256", "crit": ["exp", "exp"], "exp": 1}), policy={"critical": ["exp"]}, reject="crit_duplicate")
case("crit", "absent", "a name that the header does not have", token(header={"alg": "HS256", "crit": ["exp"]}), reject="crit_absent")
case("crit", "not understood", "an extension", token(header={"alg": "HS256", "crit": ["exp"], "exp": 1}), reject="crit_not_understood")
case("crit", "understood", "an extension that the caller knows", token(header={"alg": "HS256", "crit": ["exp"], "exp": 1}), policy={"critical": ["exp"]})
case("crit", "standard name", "a name of the standard itself", token(header={"alg": "HS256", "crit": ["alg"]}), reject="crit_not_understood")
case("crit", "not a list", "a string", token(header={"alg": "HS256", "crit": "exp", "exp": 1}), reject="header_parameter_type")
case("crit", "not strings", "a number in the list", token(header={"alg": "HS256", "crit": [1]}), reject="header_parameter_type")
case("crit", "b64", "an unencoded payload in a JWT", token(header={"alg": "HS256", "b64": False, "crit": ["b64"]}), reject="b64_unencoded")
case("crit", "b64 true", "encoded, and said so", token(header={"alg": "HS256", "b64": True, "crit": ["b64"]}))
case("crit", "b64 alone", "not named critical", token(header={"alg": "HS256", "b64": True}), reject="b64_not_critical")
case("crit", "b64 type", "not a boolean", token(header={"alg": "HS256", "b64": "false", "crit": ["b64"]}), reject="header_parameter_type")
for name, value in [("jwk", jwk_rsa(rsa_other)), ("jku", "https://evil.example/keys"), ("x5u", "https://evil.example/cert"), ("x5c", ["MIIB"])]:
    case("key source", name, "a token that brings its own key", token("RS256", key=rsa_other, **{name: value}), keys="rsa", reject="header_key_source")
    case("key source", name + " ignored", "and where it is passed over, the key is not used", token("RS256", key=rsa_other, **{name: value}), keys="rsa", policy={"key_sources": "ignored"}, reject="signature_invalid")
    case("key source", name + " ignored, good key", "passed over, signed with ours", token("RS256", **{name: value}), keys="rsa", policy={"key_sources": "ignored"})
case("header", "zip", "compression", token(header={"alg": "HS256", "zip": "DEF"}), reject="header_encryption")
case("header", "enc", "encryption", token(header={"alg": "HS256", "enc": "A128GCM"}), reject="header_encryption")
case("header", "epk", "encryption", token(header={"alg": "HS256", "epk": {}}), reject="header_encryption")
case("header", "kid number", "a kid that is no string", token(header={"alg": "HS256", "kid": 1}), reject="header_parameter_type")
case("header", "typ number", "a typ that is no string", token(header={"alg": "HS256", "typ": 1}), reject="header_parameter_type")
for typ, wanted, ok in [("at+jwt", "at+jwt", True), ("AT+JWT", "at+jwt", True), ("application/at+jwt", "at+jwt", True), ("at+jwt", "application/at+jwt", True), ("JWT", "at+jwt", False), ("x/at+jwt", "at+jwt", False), ("dpop+jwt", "JWT", False)]:
    case("typ", f"{typ} for {wanted}", "compared as media types", token(typ=typ), policy={"typ": [wanted]}, reject=None if ok else "typ_mismatch")
case("typ", "missing", "a typ is wanted", token(), policy={"typ": ["at+jwt"]}, reject="typ_mismatch")

# Keys
case("key", "named", "kid, alg, use and key_ops all fit", token("RS256", kid="a"), keys="rsa-named")
case("key", "unknown kid", "no such key", token("RS256", kid="b"), keys="rsa", reject="key_not_found")
case("key", "kid compared by bytes", "equal only after normalisation", token(kid="\u00e9"), keys="secret", reject="key_not_found")
case("key", "no kid", "the third key is the one", token("RS256"), keys="no-kid")
case("key", "kid for keys without", "keys without kid do not serve a token with one", token("RS256", kid="a"), keys="no-kid", reject="key_not_found")
case("key", "no kid, no fit", "no key of the type", token("ES256"), keys="no-kid", reject="key_not_found")
case("key", "too many", "nine keys would have to be tried", token("RS256"), keys="many", reject="key_ambiguous")
case("key", "twins", "two keys with one kid are both tried", token("RS256", kid="a"), keys="twins")
case("key", "twins, neither", "and neither holds", token("RS256", kid="a", key=rsa_3072), keys="twins", reject="signature_invalid")
case("key", "twins of two kinds", "only the one that fits is tried", token("RS256", kid="a"), keys="twins-kinds")
case("key", "use enc", "a key for encryption", token("RS256", kid="a"), keys="rsa-enc", reject="key_use_mismatch")
case("key", "key_ops sign", "a key that may not verify", token("RS256", kid="a"), keys="rsa-sign-only", reject="key_ops_mismatch")
case("key", "weak neighbour", "a weak key does not spoil the set", token("RS256", kid="a"), keys="rsa-weak")
case("key", "weak", "RSA with 1,024 bits", token("RS256", kid="weak", key=rsa_weak), keys="rsa-weak", reject="key_not_found")
case("key", "unknown neighbours", "keys of unknown types and curves are passed over", token("RS256", kid="a"), keys="unknown")
case("key", "hmac short", "31 bytes for SHA-256", token(key=secret[:31]), keys="short", reject="hmac_key_too_short")

# Signature
case("signature", "other key", "signed by somebody else", token("RS256", kid="a", key=rsa_other), keys="rsa", reject="signature_invalid")
case("signature", "claims changed", "the claims of another token", h + "." + b64u(text(claims(sub="eve"))) + "." + s, reject="signature_invalid")
case("signature", "header changed", "another header", b64u(b'{"alg":"HS256","typ":"JWT"}') + "." + p + "." + s, reject="signature_invalid")
case("signature", "empty", "no signature", h + "." + p + ".", reject="signature_length")
case("signature", "hmac short", "a truncated code", token(signature=sign("HS256", (h + "." + p).encode())[:16]), reject="signature_length")
case("signature", "hmac zero", "zeros", token(signature=bytes(32)), reject="signature_invalid")
case("signature", "rsa short", "a byte less than the modulus", token("RS256", kid="a", signature=bytes(255)), keys="rsa", reject="signature_length")
case("signature", "rsa long", "a byte more than the modulus", token("RS256", kid="a", signature=bytes(1) + sign("RS256", b"x")), keys="rsa", reject="signature_length")
case("signature", "rsa zero", "zeros", token("RS256", kid="a", signature=bytes(256)), keys="rsa", reject="signature_invalid")
case("signature", "rsa ones", "a number above the modulus", token("RS256", kid="a", signature=b"\xff" * 256), keys="rsa", reject="signature_invalid")
case("signature", "ps as rs", "PSS where PKCS#1 v1.5 is said", token("RS256", kid="a", sign_as="PS256"), keys="rsa", reject="signature_invalid")


def pss_salt(length):
    header = {"alg": "PS256", "kid": "a"}
    message = (b64u(text(header)) + "." + b64u(text(CLAIMS))).encode()
    return token("PS256", header=header, signature=rsa_key.sign(message, padding.PSS(padding.MGF1(hashes.SHA256()), length), hashes.SHA256()))


case("signature", "pss salt", "a salt of the digest's length", pss_salt(32), keys="rsa")
case("signature", "pss salt 0", "no salt", pss_salt(0), keys="rsa", reject="signature_invalid")
case("signature", "pss salt 20", "a short salt", pss_salt(20), keys="rsa", reject="signature_invalid")
case("signature", "pss salt 222", "the longest salt", pss_salt(222), keys="rsa", reject="signature_invalid")
ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551
case("signature", "ec zero", "r and s of 0 (CVE-2022-21449)", token("ES256", kid="e", signature=bytes(64)), keys="ec", reject="signature_range")
case("signature", "ec s zero", "s of 0", token("ES256", kid="e", signature=b"\x01" * 32 + bytes(32)), keys="ec", reject="signature_range")
case("signature", "ec r is n", "r of n", token("ES256", kid="e", signature=ORDER.to_bytes(32, "big") + b"\x01" * 32), keys="ec", reject="signature_range")
case("signature", "ec s above n", "s above n", token("ES256", kid="e", signature=b"\x01" * 32 + b"\xff" * 32), keys="ec", reject="signature_range")
case("signature", "ec n-1", "the largest numbers, and no signature", token("ES256", kid="e", signature=(ORDER - 1).to_bytes(32, "big") * 2), keys="ec", reject="signature_invalid")
case("signature", "ec short", "63 bytes", token("ES256", kid="e", signature=b"\x01" * 63), keys="ec", reject="signature_length")
case("signature", "ec long", "65 bytes", token("ES256", kid="e", signature=b"\x01" * 65), keys="ec", reject="signature_length")
case("signature", "ec der", "the DER form", token("ES256", kid="e", signature=ecs["P-256"].sign(b"x", ec.ECDSA(hashes.SHA256()))), keys="ec", reject="signature_length")
case("signature", "ec other hash", "SHA-384 where SHA-256 is said", token("ES256", header={"alg": "ES256", "kid": "e"}, signature=(lambda m: (lambda rs: rs[0].to_bytes(32, "big") + rs[1].to_bytes(32, "big"))(utils.decode_dss_signature(ecs["P-256"].sign(m, ec.ECDSA(hashes.SHA384())))))((b64u(text({"alg": "ES256", "kid": "e"})) + "." + b64u(text(CLAIMS))).encode())), keys="ec", reject="signature_invalid")
case("signature", "ed zero", "zeros", token("EdDSA", kid="d", signature=bytes(64)), keys="ed", reject="signature_invalid")
case("signature", "ed short", "63 bytes", token("EdDSA", kid="d", signature=bytes(63)), keys="ed", reject="signature_length")
case("signature", "before claims", "an expired token with a bad signature is refused for the signature", token(claims=claims(exp=1), signature=bytes(32)), reject="signature_invalid")

# Claims
case("exp", "missing", "exp must be there", token(claims=claims(drop=["exp"])), reject="claim_missing")
case("exp", "missing and allowed", "unless the policy says otherwise", token(claims=claims(drop=["exp"])), policy={"no_expiration": True})
case("exp", "at", "refused at exp itself", token(claims=claims(exp=NOW)), reject="token_expired")
case("exp", "one second", "accepted a second before", token(claims=claims(exp=NOW + 1)))
case("exp", "fraction after", "a fraction of a second left", token(claims=text(claims(drop=["exp"]))[:-1] + f',"exp":{NOW}.000000001}}'.encode()))
case("exp", "fraction", "fractional and in the future", token(claims=claims(exp=NOW + 0.5)))
case("exp", "exponent", "a number with an exponent", token(claims=text(claims(drop=["exp"]))[:-1] + b',"exp":1.7672256005e9}'))
case("exp", "leeway", "within the leeway", token(claims=claims(exp=NOW - 59)), policy={"leeway": 60})
case("exp", "leeway edge", "at the end of the leeway", token(claims=claims(exp=NOW - 60)), policy={"leeway": 60}, reject="token_expired")
case("exp", "negative", "before 1970", token(claims=claims(exp=-1)), reject="token_expired")
for name, literal in [("string", '"1767225700"'), ("null", "null"), ("boolean", "true"), ("array", "[1767225700]"), ("object", "{}")]:
    case("exp", name, "never anything but a number", token(claims=text(claims(drop=["exp"]))[:-1] + b',"exp":' + literal.encode() + b"}"), reject="claim_type")
case("exp", "1e400", "beyond what can be told", token(claims=text(claims(drop=["exp"]))[:-1] + b',"exp":1e400}'), reject="date_out_of_range")
case("exp", "milliseconds", "the usual mistake", token(claims=claims(exp=(NOW + 60) * 1000)), reject="date_out_of_range")
case("exp", "digits", "a thousand digits", token(claims=text(claims(drop=["exp"]))[:-1] + b',"exp":' + b"9" * 1000 + b"}"), reject="date_out_of_range")
case("exp", "tiny exponent", "a number that is nearly nothing", token(claims=text(claims(drop=["exp"]))[:-1] + b',"exp":1e-99999}'), reject="token_expired")
case("nbf", "future", "not valid yet", token(claims=claims(nbf=NOW + 11)), reject="token_not_yet_valid")
case("nbf", "default leeway", "ten seconds ahead where nobody set a leeway", token(claims=claims(nbf=NOW + 10)))
case("nbf", "no leeway", "a second ahead of a clock that is exact", token(claims=claims(nbf=NOW + 1)), policy={"leeway": 0}, reject="token_not_yet_valid")
case("nbf", "at", "valid from then on", token(claims=claims(nbf=NOW)))
case("nbf", "leeway", "within the leeway", token(claims=claims(nbf=NOW + 60)), policy={"leeway": 60})
case("nbf", "leeway edge", "beyond the leeway", token(claims=claims(nbf=NOW + 61)), policy={"leeway": 60}, reject="token_not_yet_valid")
case("nbf", "string", "never a string", token(claims=claims(nbf="0")), reject="claim_type")
case("iat", "future", "issued in the future", token(claims=claims(iat=NOW + 11)), reject="token_issued_in_future")
case("iat", "default leeway", "ten seconds ahead where nobody set a leeway", token(claims=claims(iat=NOW + 10)))
case("iat", "no leeway", "a second ahead of a clock that is exact", token(claims=claims(iat=NOW + 1)), policy={"leeway": 0}, reject="token_issued_in_future")
case("iat", "leeway", "within the leeway", token(claims=claims(iat=NOW + 60)), policy={"leeway": 60})
case("iat", "boolean", "never a boolean", token(claims=claims(iat=True)), reject="claim_type")
case("iss", "other", "another issuer", token(claims=claims(iss=ISS + "/")), reject="issuer_mismatch")
case("iss", "case", "compared byte for byte", token(claims=claims(iss=ISS.upper())), reject="issuer_mismatch")
case("iss", "missing", "an issuer is wanted", token(claims=claims(drop=["iss"])), reject="claim_missing")
case("iss", "array", "never an array", token(claims=claims(iss=[ISS])), reject="claim_type")
case("iss", "one of two", "several are accepted", token(), policy={"issuer": ["https://other.example", ISS]})
case("iss", "normalised", "equal only after normalisation", token(claims=claims(iss="https://e\u0301.example")), policy={"issuer": ["https://\u00e9.example"]}, reject="issuer_mismatch")
case("aud", "array", "one of several matches", token(claims=claims(aud=["web", AUD])))
case("aud", "array of one", "the same as a string", token(claims=claims(aud=[AUD])))
case("aud", "empty array", "none matches", token(claims=claims(aud=[])), reject="audience_mismatch")
case("aud", "other", "for somebody else", token(claims=claims(aud="web")), reject="audience_mismatch")
case("aud", "prefix", "longer than ours", token(claims=claims(aud=AUD + "x")), reject="audience_mismatch")
case("aud", "missing", "an audience is wanted", token(claims=claims(drop=["aud"])), reject="claim_missing")
case("aud", "number", "never a number", token(claims=claims(aud=1)), reject="claim_type")
case("aud", "mixed", "an array of strings only", token(claims=claims(aud=[AUD, 1])), reject="claim_type")
case("aud", "absent and wanted so", "tokens without an audience", token(claims=claims(drop=["aud"])), policy={"audience": "absent"})
case("aud", "present and unwanted", "an audience where none may be", token(), policy={"audience": "absent"}, reject="claim_unexpected")
case("sub", "other", "another subject", token(), policy={"subject": ["eve"]}, reject="subject_mismatch")
case("sub", "same", "the subject that is wanted", token(), policy={"subject": ["jane"]})
case("sub", "number", "never a number", token(claims=claims(sub=7)), reject="claim_type")
case("jti", "number", "never a number", token(claims=claims(jti=7)), reject="claim_type")
case("life", "day", "24 hours", token(claims=claims(iat=NOW, exp=NOW + 86400)))
case("life", "day and a second", "a second more", token(claims=claims(iat=NOW, exp=NOW + 86401)), reject="lifetime_too_long")
case("life", "fraction", "a fraction more", token(claims=text(claims(drop=["exp"], iat=NOW))[:-1] + f',"exp":{NOW + 86400}.5}}'.encode()), reject="lifetime_too_long")
case("life", "policy", "the policy's own limit", token(), policy={"lifetime": 899}, reject="lifetime_too_long")
case("life", "policy edge", "at the policy's own limit", token(), policy={"lifetime": 900})
case("life", "negative", "over before it began", token(claims=claims(iat=NOW, exp=NOW - 1)), policy={"leeway": 60}, reject="lifetime_negative")
case("life", "no iat", "what is left of it is judged", token(claims=claims(drop=["iat"], exp=NOW + 86401)), reject="lifetime_too_long")
case("age", "young", "within the limit", token(), policy={"age": 60})
case("age", "old", "beyond the limit", token(), policy={"age": 59}, reject="token_too_old")
case("age", "huge limit", "no overflow", token(), policy={"age": 9223372036854775807, "leeway": 300})
case("age", "leeway", "beyond the limit, within the leeway", token(), policy={"age": 59, "leeway": 1})
case("age", "no iat", "an age is asked for", token(claims=claims(drop=["iat"])), policy={"age": 60}, reject="claim_missing")
case("auth_time", "young", "within the limit", token(claims=claims(auth_time=NOW - 60)), policy={"auth_age": 60})
case("auth_time", "old", "beyond the limit", token(claims=claims(auth_time=NOW - 61)), policy={"auth_age": 60}, reject="token_too_old")
case("auth_time", "missing", "an age is asked for", token(), policy={"auth_age": 60}, reject="claim_missing")
case("auth_time", "future", "in the future", token(claims=claims(auth_time=NOW + 11)), policy={"auth_age": 60}, reject="token_issued_in_future")
case("auth_time", "default leeway", "ten seconds ahead where nobody set a leeway", token(claims=claims(auth_time=NOW + 10)), policy={"auth_age": 60})
case("auth_time", "no leeway", "a second ahead of a clock that is exact", token(claims=claims(auth_time=NOW + 1)), policy={"auth_age": 60, "leeway": 0}, reject="token_issued_in_future")
case("auth_time", "string", "never a string", token(claims=claims(auth_time="0")), reject="claim_type")
case("claim", "required", "a claim that is there", token(claims=claims(scope="a")), policy={"required": ["scope"]})
case("claim", "required missing", "a claim that is not", token(), policy={"required": ["scope"]}, reject="claim_missing")
case("claim", "value", "the value that is wanted", token(claims=claims(token_use="access")), policy={"values": {"token_use": "access"}})
case("claim", "other value", "another value", token(claims=claims(token_use="id")), policy={"values": {"token_use": "access"}}, reject="claim_mismatch")
case("claim", "element", "an element of an array", token(claims=claims(groups=["a", "b"])), policy={"values": {"groups": "b"}})
case("claim", "no element", "no element of an array", token(claims=claims(groups=["a", "bb"])), policy={"values": {"groups": "b"}}, reject="claim_mismatch")

if __name__ == "__main__":
    print(json.dumps({
        "suite": "tokens", "source": "made by makers/make_tokens.py with the Python package cryptography", "now": NOW,
        "issuer": ISS, "audience": AUD, "keys": KEYS, "cases": cases}, indent=1))
