#!/bin/bash
# Surprise: Crypt::JWT derives another key than all others for ECDH-ES (direct) when the content key is longer than 256 bits: A192CBC-HS384 and A256CBC-HS512 fail, all other encryptions work.
# Packages: Debian 12 libcrypt-jwt-perl 0.034-1, libcryptx-perl 0.077-1+b1; PyPI jwcrypto 1.6.1, joserfc 1.8.0.
# Why it matters: the Concat KDF of RFC 7518, 4.6.2 uses SHA-256 in several rounds for long keys. A test with A128GCM or with key wrapping does not show a fault there; a toolkit needs a vector with a key of 512 bits.
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
py jwcrypto==1.6.1 joserfc==1.8.0
cat >check.py <<'P'
import json, subprocess, sys
from jwcrypto import jwe, jwk
import joserfc.jwe, joserfc.jwk
key = jwk.JWK.generate(kty="EC", crv="P-256"); pub = jwk.JWK(**json.loads(key.export_public()))
code = 'print decode_jwt(token=>$ARGV[0],key=>decode_json($ARGV[1]))->{sub}'
seen = {}
for alg in ("ECDH-ES", "ECDH-ES+A128KW"):
    for enc in ("A128GCM", "A256GCM", "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512"):
        token = jwe.JWE(b'{"sub":"a"}', json.dumps({"alg": alg, "enc": enc}), recipient=pub).serialize(compact=True)
        other = joserfc.jwe.decrypt_compact(token, joserfc.jwk.ECKey.import_key(json.loads(key.export())), algorithms=[alg, enc]).plaintext == b'{"sub":"a"}'
        r = subprocess.run(["perl", "-MJSON::PP", "-MCrypt::JWT=decode_jwt", "-e", code, token, key.export()], capture_output=True, text=True)
        seen[alg, enc] = r.stdout == "a"
        print(f"{alg:15} {enc:14} joserfc reads: {other}  Crypt::JWT reads: {r.stdout == 'a'} {r.stderr.strip()[:60]}")
        if not other: sys.exit(1)
bad = {k for k, v in seen.items() if not v}
sys.exit(0 if bad == {("ECDH-ES", "A192CBC-HS384"), ("ECDH-ES", "A256CBC-HS512")} else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: jwcrypto writes tokens for a P-256 key with two algorithms and five encryptions, and joserfc reads all ten. Crypt::JWT reads eight. It fails on the two where ECDH-ES must make more than 256 bits of key."
