#!/bin/bash
# Surprise: sshpk (Node) writes every second P-256 key of ssh-keygen as a PKCS #8 file that cryptography 50 does not read: the private value gets a 33rd octet where its top bit is set, and the error calls it "too short". openssl and cryptography 43 read these files.
# Packages: Debian 12 node-sshpk 1.17.0+dfsg-2 with nodejs; PyPI cryptography 50.0.2 (2026) and 43.0.3 (2024); openssl of Debian 12.
# Why it matters: RFC 5915, 3 gives the private value the length of the order, so 32 octets, and is no INTEGER. A converter that is tried with one key passes by luck. A reader that refuses such a file should say that it is too long; a test needs a value with the top bit set and one with a zero octet first.
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
deb node-sshpk=1.17.0+dfsg-2
command -v node >/dev/null || die "no node"
echo "version: nodejs $(node --version), openssl=$(dpkg-query -W -f '${Version}' openssl) (Debian)"
py cryptography==50.0.2
python3 -m venv w; w/bin/pip install -q --disable-pip-version-check cryptography==43.0.3 >pip.txt 2>&1 || die "pip failed"; echo "version: cryptography==43.0.3 (PyPI)"
cat >make.py <<'P'
import hashlib
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
for i in range(60):
    k = ec.derive_private_key(int.from_bytes(hashlib.sha256(b"%d" % i).digest(), "big") % (2**256 - 2**224), ec.SECP256R1())
    open(f"k{i}", "wb").write(k.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
P
cat >conv.js <<'P'
const sshpk = require("sshpk"), fs = require("fs");
for (let i = 0; i < 60; i++) fs.writeFileSync(`k${i}.pem`, sshpk.parsePrivateKey(fs.readFileSync(`k${i}`), "ssh-private").toBuffer("pkcs8"));
P
cat >read.py <<'P'
import hashlib, subprocess, sys
import cryptography
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_ssh_private_key
count, errors = {}, set()
for i in range(60):
    value = load_ssh_private_key(open(f"k{i}", "rb").read(), None).private_numbers().private_value; top = value >> 255 == 1
    try: ok = load_pem_private_key(open(f"k{i}.pem", "rb").read(), None).private_numbers().private_value == value
    except ValueError as e: ok = False; errors.add(str(e).split(".")[0])
    other = subprocess.run(["openssl", "pkey", "-in", f"k{i}.pem", "-noout", "-check"], capture_output=True, text=True).returncode == 0
    n = count.setdefault(top, [0, 0, 0]); n[0] += 1; n[1] += ok; n[2] += other
print(f"cryptography {cryptography.__version__}: " + "; ".join(f"top bit {'set' if t else 'clear'}: {c[0]} keys, read by cryptography {c[1]}, by openssl {c[2]}" for t, c in sorted(count.items())), *errors)
want = sys.argv[1] == "all"; a, b, c = count[True]; d, e, f = count[False]
sys.exit(0 if a == 20 and d == 40 and (b == a if want else b == 0 and errors) and c == a and e == f == d else 1)
P
v/bin/python -W ignore make.py; NODE_PATH="$R/usr/share/nodejs:$R/usr/lib/nodejs:/usr/share/nodejs" node conv.js || die "sshpk does not run"
{ v/bin/python -W ignore read.py half && w/bin/python -W ignore read.py all; } || { echo "CHANGED"; exit 1; }
echo "behaviour: of 60 keys, the 20 with a private value of 2^255 and more become files of 33 octets. cryptography 50 refuses exactly these, cryptography 43 and openssl read all."
