#!/bin/bash
# Surprise: jwcrypto forgets the order of a JWK set: each process exports the same set with its keys in another order.
# Packages: PyPI jwcrypto 1.6.1.
# Why it matters: a set that is published by several processes has several texts, so ETag, hash and diff of the file change without a change of keys. A verifier must not read a meaning ("the first key is the current one") out of the order, nor call a new order a rotation.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py jwcrypto==1.6.1
cat >one.py <<'P'
import json
from jwcrypto.jwk import JWKSet
keys = [{"kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAA" + c, "kid": "key-" + c} for c in "AQgw"] + [{"kty": "oct", "k": "BBBBBBBBBBBBBBBBBBBBB" + c, "kid": "other-" + c} for c in "AQgw"]
out = json.loads(JWKSet.from_json(json.dumps({"keys": keys})).export())["keys"]
assert sorted(k["kid"] for k in out) == sorted(k["kid"] for k in keys)
print(" ".join(k["kid"] for k in out))
P
echo "in the file:      key-A key-Q key-g key-w other-A other-Q other-g other-w"
for n in 1 2 3 4 5; do PYTHONHASHSEED=$n v/bin/python one.py; done >orders.txt; cat orders.txt
n=$(sort -u orders.txt | wc -l); echo "different orders in five processes: $n"
[ "$n" -ge 3 ] || { echo "CHANGED"; exit 1; }
echo "behaviour: JWKSet.from_json and export keep all eight keys. They come out in an order that depends on Python's hash seed, not on the file. (The seeds are fixed here so that the run is repeatable; without them each process draws its own.)"
