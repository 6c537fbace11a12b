"""Tokens of PyJWT and joserfc verify here; tokens of ours verify there; for every algorithm that each knows."""
import base64
import json

import jwt
import pytest
from joserfc import jwk as rfc_jwk
from joserfc import jws as rfc_jws
from joserfc import jwt as rfc_jwt

from conftest import ALGORITHMS, AUDIENCE, ISSUER, NOW, run, verify
from programs import ROOT

CLAIMS = {"iss": ISSUER, "aud": AUDIENCE, "sub": "jane", "iat": NOW, "exp": NOW + 900, "café": "é😀\"\\\n", "deep": {"a": [1, 2.5, None, True]}}

# PyJWT has no names of RFC 9864; it knows EdDSA for both curves.
PYJWT = [name for name in ALGORITHMS if name not in ("Ed25519", "Ed448")]
JOSERFC = list(ALGORITHMS)


def pyjwt_key(keys, algorithm):
    return jwt.PyJWK(keys[algorithm]["private"], algorithm).key


def public(keys, algorithm):
    """The options that make verify-token trust the key of an algorithm."""
    folder = keys["folder"]
    if algorithm.startswith("HS"):
        return ["--key", folder / f"{algorithm}.jwk"]
    return ["--key", folder / f"{algorithm}.pub.jwk"]


@pytest.mark.parametrize("algorithm", PYJWT)
def test_pyjwt_signs(keys, algorithm):
    token = jwt.encode(CLAIMS, pyjwt_key(keys, algorithm), algorithm=algorithm, headers={"kid": algorithm})
    verdict = verify(token, *public(keys, algorithm))
    assert verdict["code"] is None
    assert verdict["claims"] == CLAIMS
    assert verdict["header"]["alg"] == algorithm


@pytest.mark.parametrize("algorithm", PYJWT)
def test_pyjwt_verifies(keys, algorithm):
    token = ours(keys, algorithm)
    key = jwt.PyJWK(keys[algorithm].get("public", keys[algorithm]["private"]), algorithm).key
    options = {"verify_exp": False, "verify_iat": False}
    assert jwt.decode(token, key, algorithms=[algorithm], audience=AUDIENCE, issuer=ISSUER, options=options) == CLAIMS
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.decode(tampered(token), key, algorithms=[algorithm], audience=AUDIENCE, issuer=ISSUER, options=options)


@pytest.mark.parametrize("algorithm", JOSERFC)
def test_joserfc_signs(keys, algorithm):
    key = rfc_jwk.import_key(keys[algorithm]["private"])
    token = rfc_jwt.encode({"alg": algorithm, "kid": algorithm}, CLAIMS, key, algorithms=[algorithm])
    verdict = verify(token, *public(keys, algorithm))
    assert verdict["code"] is None
    assert verdict["claims"] == CLAIMS


@pytest.mark.parametrize("algorithm", JOSERFC)
def test_joserfc_verifies(keys, algorithm):
    token = ours(keys, algorithm)
    key = rfc_jwk.import_key(keys[algorithm].get("public", keys[algorithm]["private"]))
    decoded = rfc_jwt.decode(token, key, algorithms=[algorithm])
    assert decoded.claims == CLAIMS
    with pytest.raises(Exception, match="(?i)signature"):
        rfc_jwt.decode(tampered(token), key, algorithms=[algorithm])


@pytest.mark.parametrize("algorithm", ["RS256", "PS384", "ES256", "ES512", "ES256K", "EdDSA", "Ed448"])
def test_keys_travel_as_pem(keys, algorithm):
    from cryptography.hazmat.primitives import serialization

    private = serialization.load_pem_private_key(keys[algorithm]["private_pem"].encode(), None)
    again = private.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    assert again.decode() == keys[algorithm]["pem"]
    name = algorithm if algorithm in PYJWT else "EdDSA"
    token = jwt.encode(CLAIMS, private, algorithm=name)
    verdict = verify(token, "--key", keys["folder"] / f"{algorithm}.pem", *(["--alg", name]))
    assert verdict["valid"], verdict["message"]
    der = private.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = keys["folder"] / "key.der"
    path.write_bytes(der)
    assert verify(token, "--key", path)["valid"]


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if not name.startswith("HS")])
def test_thumbprints_agree(keys, algorithm):
    key = rfc_jwk.import_key(keys[algorithm]["public"])
    assert key.thumbprint() == keys[algorithm]["thumbprint"]


def test_joserfc_general_serialisation(keys):
    key = rfc_jwk.import_key(keys["ES256"]["public"])
    result = run("peer", "tokens", "general", json.dumps(keys["ES256"]["private"]), "a payload")
    verified = rfc_jws.deserialize_json(json.loads(result.stdout), key, algorithms=["ES256"])
    assert verified.payload == b"a payload"


def test_refusals_of_both_sides_agree(keys):
    """What PyJWT refuses to read is refused here too, for the same token."""
    key = pyjwt_key(keys, "HS256")
    for claims, code in [({**CLAIMS, "exp": NOW}, "token_expired"), ({**CLAIMS, "aud": "web"}, "audience_mismatch"), ({**CLAIMS, "iss": "x"}, "issuer_mismatch"),
                         ({**CLAIMS, "nbf": NOW + 11}, "token_not_yet_valid"), ({k: v for k, v in CLAIMS.items() if k != "exp"}, "claim_missing")]:
        assert verify(jwt.encode(claims, key, "HS256"), *public(keys, "HS256"))["code"] == code
    # Clocks may differ by ten seconds here; PyJWT allows none unless asked to.
    assert verify(jwt.encode({**CLAIMS, "nbf": NOW + 10}, key, "HS256"), *public(keys, "HS256"))["valid"]


def test_bulk_of_random_tokens(keys, tmp_path):
    """Tokens of random shapes, made by PyJWT and judged in one batch: no verdict is lost and none is wrong."""
    import random

    generator = random.Random(7797)
    key = pyjwt_key(keys, "ES256")
    lines, expected = [], []
    for number in range(400):
        claims = {**CLAIMS, "n": number, "text": "".join(chr(generator.choice([34, 92, 10, 65, 233, 0x1F600])) for _ in range(generator.randrange(40)))}
        token = jwt.encode(claims, key, algorithm="ES256")
        if generator.random() < 0.3:
            token = tampered(token)
            expected.append((False, "signature_invalid", None))
        else:
            expected.append((True, None, claims))
        lines.append(token)
    result = run("verify-token", "--batch", "--issuer", ISSUER, "--audience", AUDIENCE, "--at", NOW, *public(keys, "ES256"), stdin="\n".join(lines).encode())
    assert result.returncode == 1
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    assert [v["line"] for v in verdicts] == list(range(1, 401))
    assert [(v["valid"], v["code"], v["claims"]) for v in verdicts] == expected


def test_example_verifies_with_pyjwt():
    """The demonstration's token and key set are sound in the eyes of others too."""
    token = (ROOT / "docs/example/access-token.txt").read_text().strip()
    keys = jwt.PyJWKSet.from_json((ROOT / "docs/example/jwks.json").read_text())
    key = keys[jwt.get_unverified_header(token)["kid"]].key
    claims = jwt.decode(token, key, algorithms=["RS256"], options={"verify_exp": False, "verify_iat": False, "verify_aud": False})
    assert claims["token_use"] == "access"


def ours(keys, algorithm):
    result = run("peer", "tokens", "sign", algorithm, json.dumps(keys[algorithm]["private"]), json.dumps(CLAIMS))
    assert result.returncode == 0, result.stderr
    return result.stdout.decode().strip()


def tampered(token):
    """The same token with one byte of its signature changed."""
    head, signature = token.rsplit(".", 1)
    raw = bytearray(base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)))
    raw[len(raw) // 2] ^= 1
    return head + "." + base64.urlsafe_b64encode(bytes(raw)).rstrip(b"=").decode()
