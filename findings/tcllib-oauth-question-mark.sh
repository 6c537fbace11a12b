#!/bin/bash
# Surprise: the oauth package of tcllib (Tcl) signs GET https://api.example.com/items?a=1 as if its parameter were named "?a", so every GET with a query has a wrong signature. It also sorts item2 before item10.
# Packages: Debian 12 tcllib 1.21+dfsg-1, tcl8.6 8.6.13+dfsg-2, tcl-tls 1.7.22-3+b1; PyPI oauthlib 4.0.1.
# Why it matters: RFC 5849, 3.4.1.3 takes the names from the query without its question mark, and sorts by bytes. A check with a GET without a query passes. A verifier that prints its base string shows such a fault at once; one that only says "bad signature" does not.
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
deb tcl8.6=8.6.13+dfsg-2 tcllib=1.21+dfsg-1 tcl-tls=1.7.22-3+b1
export TCLLIBPATH="$R/usr/share/tcltk/tcllib1.21 $R/usr/lib/tcltk/x86_64-linux-gnu"
[ ! -d "$R/usr/share/tcltk/tcl8.6" ] || export TCL_LIBRARY="$R/usr/share/tcltk/tcl8.6"
py oauthlib==4.0.1
cat >sign.tcl <<'P'
package require oauth
oauth::config -consumerkey ck -consumersecret cs -accesstoken at -accesstokensecret as -debug 1
puts [oauth::header {*}$argv]
P
cat >check.py <<'P'
import re, subprocess, sys
from urllib.parse import unquote
from oauthlib.oauth1.rfc5849 import signature as rfc5849
U = "https://api.example.com/items"
def signs(url, body=""):
    out = subprocess.run(["tclsh8.6", "sign.tcl", url, body], capture_output=True, text=True, check=True).stdout
    base = re.search("BaseString: (.*)", out)[1]; header = re.search("OAuth [^}]*", out)[0]
    signature = unquote(re.search('oauth_signature="([^"]*)"', header)[1])
    params = rfc5849.collect_parameters(uri_query=url.partition("?")[2], body=body, headers={"Authorization": header})
    want = rfc5849.signature_base_string("POST" if body else "GET", rfc5849.base_string_uri(url), rfc5849.normalize_parameters(params))
    same = signature == rfc5849.sign_hmac_sha1_with_client(want, type("C", (), {"client_secret": "cs", "resource_owner_secret": "as"}))
    short = lambda s: unquote(unquote(re.sub("oauth_.*?(%26|$)", "", s)))
    print(("POST " + body if body else "GET " + url), "\n  tcllib:  ", short(base), "\n  oauthlib:", short(want), "\n  signatures equal:", same)
    return same
seen = [signs(U), signs(U, "a=1&b=2"), signs(U + "?a=1"), signs(U, "item10=x&item2=y")]
sys.exit(0 if seen == [True, True, False, False] else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: a GET without a query and a POST with the parameters a and b are signed as RFC 5849 says. The question mark of a query becomes a part of the first name. Names with numbers are sorted by the size of the numbers, not by bytes."
