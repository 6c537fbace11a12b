#!/bin/bash
# Surprise: AuthEncoding, "for handling LDAP style password hashes", takes {CRYPT} of OpenLDAP only where the salt is two letters of DES: every $6$ and $5$ text is another password for it. Its {SHA256} is hexadecimal, so a text of OpenLDAP's {SHA256} never matches. {SSHA}, {SHA} agree.
# Packages: PyPI authencoding 6.1 (September 2026); Debian 12 slapd 2.5.13+dfsg-5 (slappasswd with pw-sha2); libcrypt of Debian 12 (version printed).
# Why it matters: a scheme name is an agreement on a text form. The answer is "wrong password", not "unknown form", so moved accounts cannot sign in and nothing tells why. A crypt text must be given whole as the setting of the next crypt; a test needs one text of each prefix made by another program.
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
deb slapd=2.5.13+dfsg-5
echo "version: libcrypt1=$(dpkg-query -W -f '${Version}' libcrypt1) (Debian)"
python3 -W ignore -c 'import crypt' 2>/dev/null || die "this Python has no crypt module"
py authencoding==6.1
cat >check.py <<'P'
import hashlib, os, subprocess, sys, warnings
from base64 import b64encode
warnings.simplefilter("ignore")
from crypt import crypt
from AuthEncoding import AuthEncoding as A
root = os.environ["R"]
def slap(*a): return subprocess.run([root + "/usr/sbin/slappasswd", *a, "-s", "secret"], capture_output=True, text=True, check=True).stdout.strip()
sha2 = ["-o", f"module-path={root}/usr/lib/ldap", "-o", "module-load=pw-sha2"]
seen = []
for name, text in [("{SSHA}", slap("-h", "{SSHA}")), ("{SHA}", slap("-h", "{SHA}")), ("{CRYPT} DES", slap("-h", "{CRYPT}", "-c", "%.2s")), ("{CRYPT} $5$", slap("-h", "{CRYPT}", "-c", "$5$%.16s")),
                   ("{CRYPT} $6$", slap("-h", "{CRYPT}", "-c", "$6$%.16s")), ("{SHA256}", slap(*sha2, "-h", "{SHA256}"))]:
    right = crypt("secret", text[7:]) == text[7:] if "CRYPT" in name else None
    print(f"{name} of slappasswd: {text[:44]} AuthEncoding: {A.pw_validate(text.encode(), 'secret')}" + (f", crypt(3): {right}" if right is not None else ""))
    seen.append((name, A.pw_validate(text.encode(), "secret"), right))
h = hashlib.sha256(b"secret"); theirs = A.pw_encrypt("secret", "SHA256").decode(); openldap = slap(*sha2, "-h", "{SHA256}")
print("{SHA256} of AuthEncoding:", theirs)
forms = theirs == "{SHA256}" + h.hexdigest(), openldap == "{SHA256}" + b64encode(h.digest()).decode()
sys.exit(0 if forms == (True, True) and seen == [("{SSHA}", True, None), ("{SHA}", True, None), ("{CRYPT} DES", True, True), ("{CRYPT} $5$", False, True), ("{CRYPT} $6$", False, True), ("{SHA256}", False, None)] else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: six texts of one password by slappasswd; AuthEncoding says True for {SSHA}, {SHA} and the DES form of {CRYPT}, False for the others. Its own {SHA256} is the same digest in hexadecimal, that of OpenLDAP is base64."
