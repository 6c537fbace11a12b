#!/bin/bash
# Surprise: Crypt::JWT writes the header member "epk" of ECDH-ES tokens as a JSON string that holds JSON text, not as an object.
# Packages: Debian 12 libcrypt-jwt-perl 0.034-1, libcryptx-perl 0.077-1+b1; PyPI jwcrypto 1.6.1.
# Why it matters: RFC 7518, 4.6.1.1 says that epk is a JWK, so an object. No other reader opens such a token. A reader must refuse it with a reason that names epk, and not fail with an inner type error.
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
deb libcrypt-jwt-perl=0.034-1 libcryptx-perl=0.077-1+b1
export PERL5LIB="$R/usr/share/perl5:$L/perl5/5.36"
py jwcrypto==1.6.1
cat >make.pl <<'P'
use Crypt::JWT qw(encode_jwt decode_jwt); use Crypt::PK::ECC; use JSON::PP;
my $k = Crypt::PK::ECC->new->generate_key('secp256r1');
my $t = encode_jwt(payload => {sub => "a"}, alg => 'ECDH-ES+A128KW', enc => 'A128GCM', key => $k);
print encode_json({token => $t, key => decode_json($k->export_key_jwk('private')), self => decode_jwt(token => $t, key => $k)->{sub}});
P
perl make.pl >made.json
cat >check.py <<'P'
import base64, json, sys
from jwcrypto import jwe, jwk
made = json.load(open("made.json")); head = made["token"].split(".")[0]
epk = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))["epk"]
print("type of epk in the header:", type(epk).__name__)
print("epk:", epk[:60], "...")
print("Crypt::JWT reads its own token:", made["self"] == "a")
def reads(token):
    try:
        t = jwe.JWE(); t.deserialize(token, jwk.JWK(**made["key"])); return t.payload.decode()
    except Exception as e:
        return "error " + type(e).__name__ + ": " + str(e)[:110]
out = reads(made["token"]); print("jwcrypto reads that token:", out)
sys.exit(0 if isinstance(epk, str) and json.loads(epk)["kty"] == "EC" and made["self"] == "a" and out.startswith("error") else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: Crypt::JWT encodes a token with ECDH-ES+A128KW and a P-256 key. The ephemeral key in the header is text with JSON inside, not an object. Crypt::JWT opens its own token, jwcrypto does not."
