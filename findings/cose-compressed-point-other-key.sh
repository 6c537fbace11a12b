#!/bin/bash
# Surprise: pycose reads a compressed COSE key with y = false (an even y, RFC 9053) as the key with the odd y, always the wrong one of the two; y = true it refuses, and cwt refuses both.
# Packages: PyPI pycose 1.1.0, cwt 3.3.0, cbor2 5.9.0.
# Why it matters: RFC 9053, 7.1.1 lets y be its sign bit, and small devices send that. A right signature then fails with no hint that the key is another one. A toolkit must compute y from the bit, or refuse with a reason that names the compressed form.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py pycose==1.1.0 cwt==3.3.0 cbor2==5.9.0
cat >check.py <<'P'
import sys
import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cwt import COSEKey
from pycose.algorithms import Es256
from pycose.headers import Algorithm
from pycose.keys import CoseKey, EC2Key
from pycose.messages import Sign1Message
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
wrong = refused = odd = even = 0
for d in range(1, 14):
    n = ec.derive_private_key(d, ec.SECP256R1()).public_key().public_numbers()
    x, y = n.x.to_bytes(32, "big"), n.y.to_bytes(32, "big")
    bit = bool(n.y & 1)
    assert ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes([2 + bit]) + x).public_numbers() == n
    message = Sign1Message(phdr={Algorithm: Es256}, payload=b"hi"); message.key = EC2Key(crv="P_256", x=x, y=y, d=d.to_bytes(32, "big")); raw = message.encode()
    key = {1: 2, 3: -7, -1: 1, -2: x, -3: bit}
    try: COSEKey.new(key); c = "reads it"
    except Exception as e: c = f"{type(e).__name__}: {e}"
    try:
        k = CoseKey.decode(cbor2.dumps(key)); m = Sign1Message.decode(raw); m.key = k; fits = m.verify_signature()
        p = f"reads it, y right: {k.y == y}, y is p - y: {int.from_bytes(k.y, 'big') == P - n.y}, signature fits: {fits}"
        wrong += int.from_bytes(k.y, "big") == P - n.y and not fits
    except Exception as e: p = f"{type(e).__name__}: {e}"; refused += 1
    odd += bit; even += not bit
    assert not c.startswith("reads")
    full = Sign1Message.decode(raw); full.key = CoseKey.decode(cbor2.dumps(dict(key) | {-3: y})); assert full.verify_signature()
    print(f"private key {d:2} y {str(bit):5} pycose {p}")
print("cwt, each key:", c)
print(f"even keys {even}, read as the other key {wrong}; odd keys {odd}, refused {refused}")
sys.exit(0 if wrong == even == 9 and refused == odd == 4 else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: with the full y, pycose verifies the signature of each key. With y = false it takes the point whose y is odd, so the key is p - y and the signature does not fit. With y = true it raises a TypeError. cryptography finds the right point from the same bit."
