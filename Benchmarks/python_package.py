#!/usr/bin/env python3
"""Times of the Python package beside PyJWT and joserfc: one access token of Cognito's shape, RS256, in one run. Beside a batch
stands the same work in Swift alone: `verify-token --batch` on one processor, with what it reads and writes.

    make wheel static-command && .venv/bin/pip install --no-deps --target .build-wheel/site .build-wheel/*.whl
    PYTHONPATH=.build-wheel/site .venv/bin/python Benchmarks/python_package.py
"""
import json
import os
import pathlib
import statistics
import subprocess
import time

import jwt
from joserfc import jwk
from joserfc import jwt as jose

import token_security

root = pathlib.Path(__file__).resolve().parent.parent
example = root / "docs/example"
token = (example / "access-token.txt").read_text().strip()
keys = (example / "jwks.json").read_text()
then = 1788598987
pool = ("eu-west-1_Example01", "1h57kf5cpq17m0eml12EXAMPLE")
verifier = token_security.Verifier.cognito(*pool, jwks=keys)
caching = token_security.Verifier.cognito(*pool, jwks=keys, cache_capacity=100)
key_id = jwt.get_unverified_header(token)["kid"]
key = next(key.key for key in jwt.PyJWKSet.from_json(keys).keys if key.key_id == key_id)
key_set = jwk.KeySet.import_key_set(json.loads(keys))

from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA256

content, _, signature = token.rpartition(".")
content, signature = content.encode(), jwt.utils.base64url_decode(signature)
tokens = [token] * 100
refused = [token[:-4] + "AAAA"] * 100

# The peers verify the signature and decode the claims; this package checks the claims, too.
CONTENDERS = {
    "token_security": (1, lambda: verifier.verify(token, at=then)),
    "token_security, a batch of 100": (100, lambda: verifier.verify_batch(tokens, at=then)),
    "token_security, a batch of 100 with wrong signatures": (100, lambda: verifier.verify_batch(refused, at=then)),
    "token_security, a token seen again": (1, lambda: caching.verify(token, at=then)),
    "cryptography, the signature alone": (1, lambda: key.verify(signature, content, padding.PKCS1v15(), SHA256())),
    "PyJWT": (1, lambda: jwt.decode(token, key, algorithms=["RS256"], options={"verify_exp": False, "verify_aud": False})),
    "joserfc": (1, lambda: jose.decode(token, key_set, algorithms=["RS256"])),
}
COMMAND = [
    "taskset", "-c", "0", root / ".build-static/verify-token", "--batch", "--user-pool", pool[0], "--use", "access",
    "--client-id", pool[1], "--jwks", example / "jwks.json", "--at", "2026-09-05T09:03:07Z"]
SWIFT = "Swift alone, a batch of 20000"


def batch_in_swift():
    """Microseconds of processor time for each token."""
    before = os.times()
    done = subprocess.run(COMMAND, input=(token + "\n").encode() * 20_000, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    assert done.returncode == 0
    return (after.children_user + after.children_system - before.children_user - before.children_system) / 20_000 * 1e6


times = {name: [] for name in (*CONTENDERS, SWIFT)}
for _ in range(9):
    times[SWIFT].append(batch_in_swift())
    for name, (size, run) in CONTENDERS.items():
        count = max(1, 1_000 // size)
        start = time.process_time()
        for _ in range(count):
            run()
        times[name].append((time.process_time() - start) / count / size * 1e6)
first = statistics.median(times["token_security"])
print("| contender | microseconds | times token_security |\n|---|---:|---:|")
for name, found in times.items():
    print(f"| {name} | {statistics.median(found):.1f} | {statistics.median(found) / first:.2f} |")
