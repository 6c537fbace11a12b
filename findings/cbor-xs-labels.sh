#!/bin/bash
# Surprise: CBOR::XS (Perl) turns the integer labels of a map into byte strings when it decodes a CWT and encodes it again: {4: 1900000000} becomes {h'34': 1900000000}.
# Packages: Debian 12 libcbor-xs-perl 1.86-1+b2; PyPI cbor2 5.9.0.
# Why it matters: such a claims set is well-formed CBOR and has no iss, no exp and no aud for any reader. A verifier of CWT must refuse a claims set whose labels are neither integers nor text, else the token has no expiry.
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
deb libcbor-xs-perl=1.86-1+b2
export PERL5LIB="$R/usr/share/perl5:$L/perl5/5.36"
py cbor2==5.9.0
cat >check.py <<'P'
import subprocess, sys
import cbor2
claims = {1: "https://issuer.example", 4: 1900000000, "note": "x"}
raw = cbor2.dumps(claims)
out = subprocess.run(["perl", "-MCBOR::XS", "-e", 'binmode STDIN; binmode STDOUT; local $/; print CBOR::XS->new->encode(CBOR::XS->new->decode(<STDIN>))'], input=raw, capture_output=True, check=True).stdout
back = cbor2.loads(out)
print("before:", claims, raw.hex()); print("after: ", back, out.hex())
text = subprocess.run(["perl", "-MCBOR::XS", "-e", 'binmode STDIN; binmode STDOUT; local $/; print CBOR::XS->new->text_keys->encode(CBOR::XS->new->decode(<STDIN>))'], input=raw, capture_output=True, check=True).stdout
print("with text_keys:", cbor2.loads(text))
print("exp after:", back.get(4))
sys.exit(0 if back.get(4) is None and back.get(b"4") == 1900000000 and back.get(b"1") == "https://issuer.example" and 4 not in cbor2.loads(text) else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: Perl's hashes have only text keys. CBOR::XS reads the label 4 as the key \"4\" and writes it as a byte string; with text_keys it is the text \"4\". The label 4 (exp of RFC 8392) is gone in both."
