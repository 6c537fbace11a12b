#!/bin/bash
# Surprise: cryptojwt refuses a whole key set when one of its keys has both "use" and "key_ops"; keys of unknown types in the same set are only skipped.
# Packages: PyPI cryptojwt 1.11.0, PyJWT 2.15.1, jwcrypto 1.6.1.
# Why it matters: RFC 7517, 4.3 says that the two should not be together, and must agree where they are, so a publisher may send both. A provider that adds key_ops to one key stops every client of that library. A toolkit should not write both, and should read both where they agree.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py cryptojwt==1.11.0 PyJWT==2.15.1 jwcrypto==1.6.1
cat >check.py <<'P'
import json, logging, sys
import jwt
from cryptojwt.key_jar import KeyJar
from jwcrypto import jwk
logging.disable(logging.CRITICAL)
# The public points of the private keys 1 and 2 on P-256.
G = {"kty": "EC", "crv": "P-256", "x": "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY", "y": "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}
one = dict(G, kid="one", use="sig"); both = dict(G, kid="both", use="sig", key_ops=["verify"]); ops = dict(G, kid="ops", key_ops=["verify"]); new = {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA", "kid": "new"}
def cryptojwt(keys):
    jar = KeyJar()
    try: jar.import_jwks({"keys": keys}, "https://issuer.example"); return [k.kid for k in jar.get_issuer_keys("https://issuer.example")]
    except Exception as e: return f"{type(e).__name__}: {e}"
seen = []
for keys in ([one], [one, ops], [one, new], [one, both]):
    seen.append(cryptojwt(keys)); names = [k["kid"] for k in keys]
    print("set", names, "-> cryptojwt", seen[-1], "| PyJWT", [k.key_id for k in jwt.PyJWKSet.from_dict({"keys": keys}).keys])
j = jwk.JWKSet.from_json(json.dumps({"keys": [one, both]})); print("jwcrypto, the last set:", sorted(k["kid"] for k in j))
sys.exit(0 if seen[:3] == [["one"], ["one", "ops"], ["one"]] and str(seen[3]) == "ValueError: Not allowed to specify use and key_ops" else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: KeyJar.import_jwks reads a key with use, a key with key_ops, and skips a key of a type that it does not know. One key with both members raises a ValueError and no key of the set is there. PyJWT and jwcrypto read the set."
