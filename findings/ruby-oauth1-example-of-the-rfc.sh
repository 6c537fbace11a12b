#!/bin/bash
# Surprise: neither of Debian's two OAuth 1.0 gems gets the base string for the parameters of the example in RFC 5849, 3.4.1, sent as a query: ruby-oauth sorts before it escapes and puts c2 before c@, simple_oauth leaves out the parameter c2, which has no value.
# Packages: Debian 12 ruby-oauth 0.5.4-1.1, ruby-simple-oauth 0.3.1-3 with ruby3.1; PyPI oauthlib 4.0.1.
# Why it matters: the example has exactly these two traps, so a signer that was run against it once would have shown them. A verifier meets such requests only when a name has a sign other than letters and digits, or a parameter has no "=".
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
deb ruby-oauth=0.5.4-1.1 ruby-simple-oauth=0.3.1-3 ruby3.1=3.1.7+really3.1.2-0+deb12u1
RUBYLIB="$R/usr/lib/ruby/vendor_ruby:$R/usr/lib/ruby/3.1.0:$L/ruby/3.1.0:$L/ruby/vendor_ruby/3.1.0"
for d in "$R"/usr/share/rubygems-integration/all/gems/*/lib; do RUBYLIB="$RUBYLIB:$d"; done
export RUBYLIB
py oauthlib==4.0.1
cat >base.rb <<'P'
require "net/http"; require "oauth"; require "oauth/request_proxy/net_http"; require "oauth/signature/hmac/sha1"; require "simple_oauth"
U = "http://example.com/request"
O = {consumer_key: "9djdj82h48djs9d2", token: "kkk9d7dh3k39sjv7", signature_method: "HMAC-SHA1", timestamp: "137131201", nonce: "7d8f3e4a"}
STDIN.each_line(chomp: true) { |q|
  r = Net::HTTP::Get.new("/request?" + q)
  puts OAuth::RequestProxy.proxy(r, uri: URI(U + "?" + q), parameters: O.to_h { |k, v| ["oauth_#{k}", v] }).signature_base_string
  header = SimpleOAuth::Header.new(:get, U + "?" + q, {}, O.merge(version: nil))
  header.options.delete(:version); puts header.send(:signature_base)
}
P
cat >check.py <<'P'
import subprocess, sys
from urllib.parse import unquote
from oauthlib.oauth1.rfc5849 import signature as rfc5849
O = {"oauth_consumer_key": "9djdj82h48djs9d2", "oauth_token": "kkk9d7dh3k39sjv7", "oauth_signature_method": "HMAC-SHA1", "oauth_timestamp": "137131201", "oauth_nonce": "7d8f3e4a"}
queries = ["b5=%3D%253D&a3=a&a2=r%20b&a3=2+q", "b5=%3D%253D&a3=a&c%40=&a2=r%20b&c2=&a3=2+q", "b5=%3D%253D&a3=a&a2=r%20b&c2&a3=2+q", "b5=%3D%253D&a3=a&c%40=&a2=r%20b&c2&a3=2+q"]
r = subprocess.run(["ruby3.1", "base.rb"], input="\n".join(queries) + "\n", capture_output=True, text=True)
lines = r.stdout.split(); seen = []
for i, q in enumerate(queries):
    params = rfc5849.collect_parameters(uri_query=q, headers={"Authorization": "OAuth " + ", ".join(f'{k}="{v}"' for k, v in O.items())})
    want = rfc5849.signature_base_string("GET", "http://example.com/request", rfc5849.normalize_parameters(params))
    for who, s in (("oauthlib", want), ("ruby-oauth", lines[2 * i]), ("simple_oauth", lines[2 * i + 1])): print(f"{who:12}", unquote(s.split("&")[2]).split("&oauth")[0])
    seen.append((lines[2 * i] == want, lines[2 * i + 1] == want))
print("equal to oauthlib (ruby-oauth, simple_oauth):", seen)
sys.exit(0 if seen == [(True, True), (False, True), (True, False), (False, False)] else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: without c@ and c2 both gems agree with oauthlib. With both names ruby-oauth sorts by the unescaped signs. With c2 alone, without its sign =, simple_oauth has no c2 in its base string."
