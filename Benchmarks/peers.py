"""Measures PyJWT and joserfc on the token that is given in material.json: microseconds a verification."""
import base64
import json
import statistics
import sys
import time

import jwt
from joserfc import jwk as jrfc_jwk
from joserfc import jwt as jrfc_jwt

ISSUER = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01"
CLIENT = "1h57kf5cpq17m0eml12EXAMPLE"


def ours(claims):
    assert claims["token_use"] == "access" and claims["client_id"] == CLIENT


def contenders(name, entry):
    token = entry["token"]
    alg = "EdDSA" if name == "Ed25519" else name
    secret = base64.b64decode(entry["secret"])
    if name == "Ed25519":
        return  # Both libraries know Ed25519 under its older name alone, or not at all.
    key = jwt.PyJWK(json.loads(entry["jwk"]), alg).key if entry.get("jwk") else secret

    def pyjwt():
        ours(jwt.decode(token, key, algorithms=[alg], issuer=ISSUER, options={"require": ["exp"], "verify_aud": False}))

    rfc_key = jrfc_jwk.import_key(json.loads(entry["jwk"])) if entry.get("jwk") else jrfc_jwk.OctKey.import_key(secret)
    registry = jrfc_jwt.JWTClaimsRegistry(iss={"essential": True, "value": ISSUER}, exp={"essential": True})

    def joserfc():
        decoded = jrfc_jwt.decode(token, rfc_key, algorithms=[alg])
        registry.validate(decoded.claims)
        ours(decoded.claims)

    yield "PyJWT", pyjwt
    yield "joserfc", joserfc


def main():
    with open(sys.argv[1]) as file:
        material = json.load(file)
    for name, entry in material.items():
        for peer, run in contenders(name, entry):
            times = []
            for _ in range(8):
                start = time.perf_counter()
                for _ in range(200):
                    run()
                times.append((time.perf_counter() - start) / 200 * 1e6)
            print(json.dumps({"group": name, "name": peer, "value": statistics.median(times[1:])}))


main()
