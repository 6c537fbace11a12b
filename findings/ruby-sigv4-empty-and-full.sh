#!/bin/bash
# Surprise: aws-sigv4 (Ruby) raises "comparison of Array with Array failed" for a URL in which one parameter stands with and without a value, such as ?tag=&tag=a.
# Packages: Debian 12 ruby-aws-sigv4 1.5.1-2 with ruby3.1.
# Why it matters: the canonical query sorts equal names by value, and an empty value sorts first. A signer must treat a missing value as empty before it sorts; a test suite needs this pair beside ?a=2&a=1.
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
deb ruby-aws-sigv4=1.5.1-2 ruby3.1=3.1.7+really3.1.2-0+deb12u1
RUBYLIB="$R/usr/lib/ruby/vendor_ruby:$R/usr/lib/ruby/3.1.0:$L/ruby/3.1.0:$L/ruby/vendor_ruby/3.1.0"
for d in "$R"/usr/share/rubygems-integration/all/gems/*/lib; do RUBYLIB="$RUBYLIB:$d"; done
export RUBYLIB
cat >check.rb <<'P'
require "aws-sigv4"
s = Aws::Sigv4::Signer.new(service: "iam", region: "us-east-1", access_key_id: "AKIDEXAMPLE", secret_access_key: "SECRET")
want = {"tag=b&tag=a" => true, "tag=&tag=" => true, "tag=&name=a" => true, "tag=&tag=a" => false, "tag&tag=a" => false, "tag=a&tag=" => false}
seen = want.map { |q, _|
  said = [:sign_request, :presign_url].map { |m| begin; s.public_send(m, http_method: "GET", url: "https://iam.amazonaws.com/?#{q}"); "signs"; rescue => e; "#{e.class}: #{e.message}"; end }
  puts "?#{q}: sign_request #{said[0]}; presign_url #{said[1]}"
  [q, said.all? { |x| x == "signs" } ? true : said.all? { |x| x.start_with?("ArgumentError: comparison of Array with Array") } ? false : nil]
}.to_h
exit(seen == want)
P
ruby3.1 check.rb || { echo "CHANGED"; exit 1; }
echo "behaviour: repeated parameters with values are signed, and so are repeated empty ones. One empty and one full value of the same name raise an ArgumentError from the sort, in headers and in presigned URLs."
