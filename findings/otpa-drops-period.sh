#!/bin/bash
# Surprise: otpa turns otpauth://totp URIs with period=60 or digits=7 into an otpauth-migration link without an error, and back they are period=30 and 6 digits.
# Packages: PyPI otpa 0.0.2 (August 2026), pyotp 2.9.0.
# Why it matters: the migration format of Google Authenticator has no field for the period and only 6 or 8 digits. A writer of that format must refuse what the format cannot say; a silent change gives an account whose codes never fit.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py otpa==0.0.2 pyotp==2.9.0
cat >check.py <<'P'
import subprocess, sys
import pyotp
S = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
def otpa(*a):
    r = subprocess.run(["v/bin/otpa", *a], capture_output=True, text=True)
    return r.returncode, r.stdout.strip(), r.stderr.strip()
ok = True
for uri in (f"otpauth://totp/x:y?secret={S}&issuer=x&digits=8&algorithm=SHA256", f"otpauth://totp/x:y?secret={S}&issuer=x&period=60", f"otpauth://totp/x:y?secret={S}&issuer=x&digits=7"):
    code, link, err = otpa("cm", uri); code2, back, err2 = otpa("ca", link)
    a, b = (pyotp.parse_uri(u).at(1111111109) for u in (uri, back))
    print("in:  ", uri.split("?")[1].split("&", 1)[1], "\nback:", back.split("?")[1].split("&", 1)[1], f"\nexit {code} and {code2}, messages {err + err2!r}, code before {a}, after {b}")
    ok &= code == code2 == 0 and not err + err2 and (a == b) == ("SHA256" in uri)
sys.exit(0 if ok else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: a URI that the format can hold comes back the same. One with period=60 comes back with period=30, one with digits=7 comes back with 6 digits. Both commands exit with 0 and print no warning."
