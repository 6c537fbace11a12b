#!/bin/bash
# Surprise: three of four P-521 keys that rnbyc (rhonabwy) makes have an x or y of 65 octets, and PyJWT refuses them while others read them.
# Packages: Debian 12 rnbyc 1.1.11-1 and librhonabwy1.1 1.1.11-1; PyPI PyJWT 2.15.1, jwcrypto 1.6.1, joserfc 1.8.0, cryptography 50.0.2.
# Why it matters: RFC 7518, 6.2.1.2 wants the full size of the field, 66 octets. The top octet of a P-521 coordinate is 0 for every second key and rnbyc drops it, so a reader that is tested with one key passes by luck.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# deb NAME=VERSION ...: fetches the packages and what they still need, and unpacks them under $T/root.
deb() {
  sim() { apt-get -q -s --no-install-recommends install "$@" >sim.txt 2>/dev/null; }
  sim "$@" || { apt-get -qq update >/dev/null 2>&1 || true; sim "$@" || die "no such packages: $*"; }
  sed -n 's/^Inst \([^ ]*\) .*(\([^ ]*\) .*/\1=\2/p' sim.txt >want.txt
  mkdir -p debs root
  (cd debs && xargs -r apt-get -qq -o APT::Sandbox::User=root download <../want.txt >/dev/null 2>&1) || die "download failed"
  for f in debs/*.deb; do [ ! -e "$f" ] || dpkg-deb -x "$f" root; done
  for p; do echo "version: $p (Debian 12)"; done
  R=$T/root; export R
  L=$R/usr/lib/x86_64-linux-gnu
  export LD_LIBRARY_PATH="$L:$R/usr/lib" PATH="$R/usr/bin:$PATH"
}
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
deb rnbyc=1.1.11-1 librhonabwy1.1=1.1.11-1
py PyJWT==2.15.1 jwcrypto==1.6.1 joserfc==1.8.0 cryptography==50.0.2
cat >check.py <<'P'
import json, subprocess, sys
import jwt, joserfc.jwk
from jwcrypto import jwk
def octets(text): return len(text) * 6 // 8
short, example = 0, None
for i in range(24):
    subprocess.run(["rnbyc", "-j", "-g", "EC521", "-o", "key.json"], check=True, capture_output=True)
    k = json.load(open("key.json"))["keys"][0]
    if octets(k["x"]) < 66 or octets(k["y"]) < 66: short += 1; example = k
print(f"keys with a short x or y: {short} of 24")
if not example: sys.exit(1)
print("octets of the last one: x", octets(example["x"]), "y", octets(example["y"]))
pub = {n: v for n, v in example.items() if n != "d"}
def tries(f):
    try: f(); return "reads it"
    except Exception as e: return f"refuses it: {type(e).__name__}: {e}"
r = {"PyJWT": tries(lambda: jwt.PyJWK(pub)), "jwcrypto": tries(lambda: jwk.JWK(**pub)), "joserfc": tries(lambda: joserfc.jwk.ECKey.import_key(pub))}
for n, v in r.items(): print(n, v)
sys.exit(0 if 8 <= short <= 24 and r["PyJWT"].startswith("refuses") and r["jwcrypto"] == r["joserfc"] == "reads it" else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: rnbyc -j -g EC521 drops a zero octet at the start of x or y. PyJWT refuses such a key, jwcrypto and joserfc read it. (24 keys are made; about 18 are short.)"
