#!/bin/bash
# Surprise: cryptography 50 does not read an encrypted PKCS #8 key whose PBKDF2 uses hmacWithSHA512-256, which cryptography 43 read and OpenSSL writes; the error names that identifier a key encryption algorithm.
# Packages: Debian 12 openssl 3.0 (installed; version checked); PyPI cryptography 50.0.2 (2026) and 43.0.3 (2024).
# Why it matters: RFC 8018, B.1.2 lists that function beside hmacWithSHA512. The message points to the cipher, which is plain AES-256-CBC. A toolkit that reads encrypted keys should name the pseudorandom function when it refuses it.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
case "$(openssl version)" in "OpenSSL 3.0."*) echo "version: $(openssl version)";; *) die "another OpenSSL: $(openssl version)";; esac
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem 2>/dev/null
for prf in hmacWithSHA224 hmacWithSHA256 hmacWithSHA384 hmacWithSHA512 hmacWithSHA512-224 hmacWithSHA512-256; do
  openssl pkcs8 -topk8 -in key.pem -passout pass:pw -v2 aes-256-cbc -v2prf $prf -out $prf.pem
  openssl pkey -in $prf.pem -passin pass:pw -noout || die "OpenSSL does not read $prf"
done
cat >check.py <<'P'
import glob, cryptography
from cryptography.hazmat.primitives.serialization import load_pem_private_key
for f in ("hmacWithSHA224", "hmacWithSHA256", "hmacWithSHA384", "hmacWithSHA512", "hmacWithSHA512-224", "hmacWithSHA512-256"):
    try: load_pem_private_key(open(f + ".pem", "rb").read(), b"pw"); said = "reads it"
    except Exception as e: said = f"refuses it: {type(e).__name__}: {e}"
    print(f"cryptography {cryptography.__version__:8} {f:20} {said}")
P
py cryptography==43.0.3; v/bin/python check.py >old.txt; cat old.txt
rm -rf v; py cryptography==50.0.2; v/bin/python check.py >new.txt; cat new.txt
{ [ "$(grep -c 'reads it' old.txt)" = 6 ] && [ "$(grep -c 'SHA[0-9]* .*reads it' new.txt)" = 4 ] && [ "$(grep -c 'SHA512-2.*Unknown key encryption algorithm' new.txt)" = 2 ]; } || { echo "CHANGED"; exit 1; }
echo "behaviour: OpenSSL writes and reads the key with all six functions. cryptography 43.0.3 reads all six. cryptography 50.0.2 reads four, and refuses the two of SHA-512 that are cut to 224 and 256 bits."
