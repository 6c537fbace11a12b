#!/bin/bash
# Surprise: keepassxc-cli reads an otpauth://hotp URI and shows the time-based code of its secret, without a word.
# Packages: Debian 12 keepassxc 2.7.4+dfsg.1-2 (keepassxc-cli); PyPI pykeepass 4.2.0, pyotp 2.9.0.
# Why it matters: a database whose entries came from another tool shows codes that no counter-based verifier takes. A reader of otpauth must look at the type before the secret, and say hotp where it means hotp.
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
deb keepassxc=2.7.4+dfsg.1-2
py pykeepass==4.2.0 pyotp==2.9.0
cat >check.py <<'P'
import os, subprocess, sys, time
import pyotp
from pykeepass import create_database
os.environ["QT_QPA_PLATFORM"] = "offscreen"; os.environ["HOME"] = os.getcwd()
S = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
kp = create_database("a.kdbx", password="pw")
for name, uri in (("hotp", f"otpauth://hotp/a?secret={S}&counter=0"), ("totp", f"otpauth://totp/a?secret={S}")):
    kp.add_entry(kp.root_group, name, "u", "p").otp = uri
kp.save()
def shows(entry):
    r = subprocess.run(["keepassxc-cli", "show", "-q", "-t", "a.kdbx", entry], input="pw\n", capture_output=True, text=True)
    return r.stdout.strip() or r.stderr.strip()
print("HOTP code of counter 0 (RFC 4226):", pyotp.HOTP(S).at(0))
for attempt in range(3):
    step = int(time.time()) // 30
    got, ref, now = shows("hotp"), shows("totp"), pyotp.TOTP(S).at(step * 30)
    if int(time.time()) // 30 == step: break
print("keepassxc-cli, entry with the hotp URI:", got); print("keepassxc-cli, entry with a totp URI:  ", ref); print("TOTP code of the moment by pyotp:      ", now)
sys.exit(0 if got == ref == now and got != "755224" else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: an entry holds otpauth://hotp/a?secret=...&counter=0. keepassxc-cli show -t prints the TOTP code of 30 seconds, the same as for a totp URI. It gives no error, and the counter is not used."
