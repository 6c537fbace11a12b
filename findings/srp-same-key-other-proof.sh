#!/bin/bash
# Surprise: srp (Python) with rfc5054_enable() and srptools agree on the verifier and on the session key, and refuse each other's proof: srp hashes the padded generator in H(N) xor H(g), which RFC 2945 hashes as the number 2.
# Packages: PyPI srp 1.0.22, srptools 2.0.0 (2026).
# Why it matters: RFC 5054 pads g in k = H(N | PAD(g)) and in u, and has no such proof; M = H(H(N) xor H(g), …) is RFC 2945's. A test of the two that compares session keys passes, and no sign-in between them succeeds.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py srp==1.0.22 srptools==2.0.0
cat >check.py <<'P'
import hashlib, sys
import srp
from srptools import SRPContext, SRPServerSession
from srptools.constants import PRIME_2048, PRIME_2048_GEN
NAME, PASSWORD = "alice", "password123"
srp.rfc5054_enable()
salt, verifier = srp.create_salted_verification_key(NAME, PASSWORD, hash_alg=srp.SHA256, ng_type=srp.NG_2048)
user = srp.User(NAME, PASSWORD, hash_alg=srp.SHA256, ng_type=srp.NG_2048)
_, ours = user.start_authentication()
server = SRPServerSession(
    SRPContext(NAME, prime=PRIME_2048, generator=PRIME_2048_GEN, hash_func=hashlib.sha256), password_verifier=verifier.hex())
server.process(ours.hex(), salt.hex())
theirs = bytes.fromhex(server.public)
proof = user.process_challenge(salt, theirs)
text = lambda value: value.decode() if isinstance(value, bytes) else value
key = bytes.fromhex(text(server.key))
modulus = bytes.fromhex(PRIME_2048)

def made(generator):
    mixed = bytes(a ^ b for a, b in zip(hashlib.sha256(modulus).digest(), hashlib.sha256(generator).digest()))
    return hashlib.sha256(mixed + hashlib.sha256(NAME.encode()).digest() + salt + ours + theirs + key).digest()

found = {
    "session keys are equal": user.K == key,
    "srptools accepts the proof of srp": server.verify_proof(proof.hex()),
    "the proof of srp has g in 256 bytes": made(bytes(255) + b"\2") == proof,
    "the proof of srptools has g in one byte": made(b"\2").hex() == text(server.key_proof)}
for name, value in found.items(): print(f"{name}: {value}")
sys.exit(0 if list(found.values()) == [True, False, True, True] else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: one session key, two proofs. Without rfc5054_enable() the session keys differ, too."
