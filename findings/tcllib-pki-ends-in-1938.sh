#!/bin/bash
# Surprise: the pki package of tcllib (Tcl) reads a certificate that ends in 2038 to 2049 as one that ended in 1938 to 1949, and refuses one that begins before 2050 and ends later: "Expected UTCTime (0x17), but got 18".
# Packages: Debian 12 tcllib 1.21+dfsg-1, tcl8.6 8.6.13+dfsg-2; PyPI cryptography 50.0.2.
# Why it matters: RFC 5280, 4.1.2.5 reads years of two digits below 50 as 20YY and wants GeneralizedTime from 2050 on, so a change of form inside one certificate is the rule. Roots of 15 or 25 years and devices "without an end" (99991231235959Z) meet one of the two. A reader needs dates of 2037, 2038, 2049, 2050 and 9999 among its tests.
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
deb tcl8.6=8.6.13+dfsg-2 tcllib=1.21+dfsg-1
export TCLLIBPATH="$R/usr/share/tcltk/tcllib1.21"
[ ! -d "$R/usr/share/tcltk/tcl8.6" ] || export TCL_LIBRARY="$R/usr/share/tcltk/tcl8.6"
py cryptography==50.0.2
cat >read.tcl <<'P'
package require pki
if {[catch {array set c [::pki::x509::parse_cert [read stdin]]} e]} { puts "refused: $e" } else { puts "read: [clock format $c(notBefore) -gmt 1 -format %Y-%m-%d] to [clock format $c(notAfter) -gmt 1 -format %Y-%m-%d], key $c(type) $c(l)" }
P
cat >check.py <<'P'
import subprocess, sys
from datetime import datetime, timezone
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
key = rsa.generate_private_key(65537, 2048); name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "device")])
def tcllib(start, end):
    c = x509.CertificateBuilder(name, name, key.public_key(), 1, datetime(*start, tzinfo=timezone.utc), datetime(*end, tzinfo=timezone.utc)).sign(key, SHA256())
    times = ["GeneralizedTime" if b"\x18\x0f%04d%02d%02d" % d[:3] in c.public_bytes(Encoding.DER) else "UTCTime" for d in (start, end)]
    said = subprocess.run(["tclsh8.6", "read.tcl"], input=c.public_bytes(Encoding.PEM).decode(), capture_output=True, text=True, check=True).stdout.strip()
    print(f"{times[0]} {start[0]} to {times[1]} {end[0]}: {said}")
    return times, said
B = (2026, 1, 1)
seen = [tcllib(B, (year, 1, 2)) for year in (2037, 2038, 2049, 2050)] + [tcllib(B, (9999, 12, 31, 23, 59, 59)), tcllib((2050, 1, 1), (2051, 1, 2))]
U, G = "UTCTime", "GeneralizedTime"; N = ([U, G], "refused: Expected UTCTime (0x17), but got 18")
R = lambda form, start, end: ([form, form], f"read: {start}-01-01 to {end}-01-02, key rsa 2048")
sys.exit(0 if seen == [R(U, 2026, 2037), R(U, 2026, 1938), R(U, 2026, 1949), N, N, R(G, 2050, 2051)] else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: an end in 2037 is read right. An end in 2038 or 2049 is read as a hundred years earlier. An end in 2050 or 9999 is refused where the begin has the other form; a certificate with both dates after 2049 is read."
