#!/bin/bash
# Surprise: fast-paseto 0.1.0 makes v4.local tokens that only fast-paseto opens, and opens none of others. Its v2.local and v4.public tokens are right.
# Packages: PyPI fast-paseto 0.1.0 (September 2026), pyseto 1.10.0, pycryptodomex 3.24.2.
# Why it matters: a test that writes and reads with one library passes. A token library needs the vectors of the specification for each version and purpose, and one token of another library for each.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py fast-paseto==0.1.0 pyseto==1.10.0 pycryptodomex==3.24.2
cat >check.py <<'P'
import base64, hashlib, sys
import fast_paseto, pyseto
from Cryptodome.Cipher import ChaCha20
key, message = bytes(range(32)), b'{"sub":"a"}'
def mac(k, data, size): return hashlib.blake2b(data, key=k, digest_size=size).digest()
def pae(*parts): return len(parts).to_bytes(8, "little") + b"".join(len(p).to_bytes(8, "little") + p for p in parts)
def by_the_text(token):  # the specification of v4, "Decrypt": 32 octets of nonce, text, 32 octets of tag
    raw = base64.urlsafe_b64decode(token[9:] + "=" * (-len(token[9:]) % 4)); n, c, t = raw[:32], raw[32:-32], raw[-32:]
    if mac(mac(key, b"paseto-auth-key-for-aead" + n, 32), pae(b"v4.local.", n, c, b"", b""), 32) != t: return "wrong tag"
    both = mac(key, b"paseto-encryption-key" + n, 56)
    return ChaCha20.new(key=both[:32], nonce=both[32:]).decrypt(c)
def attempt(f):
    try: return f()
    except Exception as e: return f"{type(e).__name__}: {e}"
public = bytes.fromhex("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")  # the Ed25519 public key of this seed
def fast_write(v, p): return fast_paseto.encode(key + public if p == "public" else key, message, purpose=p, version=v)
def fast_read(v, p, t): return attempt(lambda: fast_paseto.decode(t, public if p == "public" else key, purpose=p, version=v).payload == {"sub": "a"})
def other(v, p, write): return pyseto.Key.from_asymmetric_key_params(4, **({"d": key} if write else {"x": public})) if p == "public" else pyseto.Key.new(int(v[1]), p, key)
seen = {}
for v, p in (("v2", "local"), ("v4", "public"), ("v4", "local")):
    mine, theirs = fast_write(v, p), pyseto.encode(other(v, p, True), message).decode()
    row = fast_read(v, p, mine), fast_read(v, p, theirs), attempt(lambda: pyseto.decode(other(v, p, False), mine).payload == message)
    print(f"{v}.{p}: fast-paseto reads its own: {row[0]}; reads pyseto's: {row[1]}; pyseto reads fast-paseto's: {row[2]}")
    seen[v + p] = [r is True for r in row]
print("v4.local by the text of the specification: pyseto's", by_the_text(theirs), "; fast-paseto's", by_the_text(mine))
sys.exit(0 if seen == {"v2local": [True] * 3, "v4public": [True] * 3, "v4local": [True, False, False]} and by_the_text(theirs) == message and by_the_text(mine) == "wrong tag" else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: v2.local and v4.public go both ways. A v4.local token of fast-paseto fails in pyseto and in a direct calculation of the tag, which agrees with pyseto's tokens. fast-paseto refuses those."
