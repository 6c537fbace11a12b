#!/bin/bash
# Surprise: two signers of AWS disagree on one request: aws-sigv4 (Ruby) keeps repeated spaces in a header value that is in double quotes, botocore (Python) makes one space of them, so their signatures differ.
# Packages: Debian 12 ruby-aws-sigv4 1.5.1-2 with ruby3.1; PyPI botocore 1.44.8.
# Why it matters: a verifier that knows one rule refuses the other client's request, for example with a header of metadata such as x-amz-meta-note. It should say which header differs, or try both forms.
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
deb ruby-aws-sigv4=1.5.1-2 ruby3.1=3.1.7+really3.1.2-0+deb12u1
RUBYLIB="$R/usr/lib/ruby/vendor_ruby:$R/usr/lib/ruby/3.1.0:$L/ruby/3.1.0:$L/ruby/vendor_ruby/3.1.0"
for d in "$R"/usr/share/rubygems-integration/all/gems/*/lib; do RUBYLIB="$RUBYLIB:$d"; done
export RUBYLIB
py botocore==1.44.8
cat >sign.rb <<'P'
require "aws-sigv4"; require "json"
s = Aws::Sigv4::Signer.new(service: "iam", region: "us-east-1", access_key_id: "AKIDEXAMPLE", secret_access_key: "SECRET")
puts ['a  b', '"a b"', '"a  b"', 'x "a  b"'].map { |v|
  r = s.sign_request(http_method: "GET", url: "https://iam.amazonaws.com/", headers: {"X-Note" => v}, body: "")
  h = r.headers.dup; a = h.delete("authorization")
  {value: v, date: h["x-amz-date"], sha: h["x-amz-content-sha256"], signature: a[/Signature=(\w+)/, 1], signed: a[/SignedHeaders=([^,]+)/, 1]}
}.to_json
P
ruby3.1 sign.rb >signed.json
cat >check.py <<'P'
import json, sys
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
seen = {}
for s in json.load(open("signed.json")):
    r = AWSRequest("GET", "https://iam.amazonaws.com/", headers={"X-Note": s["value"], "X-Amz-Date": s["date"], "X-Amz-Content-SHA256": s["sha"], "Host": "iam.amazonaws.com"})
    r.context["timestamp"] = s["date"]
    a = SigV4Auth(Credentials("AKIDEXAMPLE", "SECRET"), "iam", "us-east-1"); text = a.canonical_request(r)
    assert s["signed"] == "host;x-amz-content-sha256;x-amz-date;x-note"
    seen[s["value"]] = a.signature(a.string_to_sign(r, text), r) == s["signature"]
    print(f"X-Note: {s['value']:10} botocore signs {text.split('x-note:')[1].splitlines()[0]:10} same signature: {seen[s['value']]}")
sys.exit(0 if seen == {'a  b': True, '"a b"': True, '"a  b"': False, 'x "a  b"': True} else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: both fold repeated spaces in a plain value, and in a value with text before the quotes. If the whole value is in double quotes, Ruby's signer leaves it as it is and Python's folds it."
