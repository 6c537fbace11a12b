#!/bin/bash
# Surprise: CryptX names the curve secp256k1 "P-256K" when it exports a JWK, although its input of that key says "secp256k1" (RFC 8812).
# Packages: Debian 12 libcryptx-perl 0.077-1+b1; PyPI joserfc 1.8.0, PyJWT 2.15.1.
# Why it matters: a key set that went through CryptX has a curve name that no registry holds. The kid made by RFC 7638 changes too, because crv is a part of the thumbprint.
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
deb libcryptx-perl=0.077-1+b1
export PERL5LIB="$R/usr/share/perl5:$L/perl5/5.36"
py joserfc==1.8.0 PyJWT==2.15.1 cryptography==50.0.2
cat >make.pl <<'P'
use Crypt::PK::ECC; use JSON::PP;
# The private key 1: the public point is the generator of the curve (SEC 2).
my $in = {kty => "EC", crv => "secp256k1", x => "eb5mfvncu6xVoGKVzocLBwKb_NstzijZWfKBWxb4F5g", y => "SDradyajxGVdpPv8DhEIqP0XtEimhVQZnEfQj_sQ1Lg", d => "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"};
my $k = Crypt::PK::ECC->new($in);
print encode_json({in => $in, out => decode_json($k->export_key_jwk('public')), thumb => $k->export_key_jwk_thumbprint('SHA256')});
P
perl make.pl >made.json
cat >check.py <<'P'
import json, sys
import jwt, joserfc.jwk
m = json.load(open("made.json")); out = m["out"]
print("in:", m["in"]["crv"], " out:", out["crv"])
def tries(f):
    try: f(); return "reads it"
    except Exception as e: return f"refuses it: {type(e).__name__}: {e}"
pub = {n: v for n, v in m["in"].items() if n != "d"}
same = {n: out[n] for n in "xy"} == {n: pub[n] for n in "xy"}
right = joserfc.jwk.ECKey.import_key(pub).thumbprint()
print("same x and y:", same); print("thumbprint by joserfc:", right); print("thumbprint by CryptX: ", m["thumb"])
a = tries(lambda: joserfc.jwk.ECKey.import_key(out)); b = tries(lambda: jwt.PyJWK(dict(out, alg="ES256K"))); c = tries(lambda: jwt.PyJWK(dict(pub, alg="ES256K")))
print("joserfc, exported key:", a); print("PyJWT, exported key:", b); print("PyJWT, key of the input:", c)
sys.exit(0 if out["crv"] == "P-256K" and same and a.startswith("refuses") and b.startswith("refuses") and c == "reads it" and m["thumb"] != right else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: CryptX reads a JWK with crv secp256k1 and writes the same key with crv P-256K. joserfc and PyJWT refuse the exported key. The RFC 7638 thumbprint that CryptX computes differs from that of the input."
