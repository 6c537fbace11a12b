#!/bin/bash
# Surprise: JSON::JWT.new of json-jwt (Ruby) turns exp, nbf and iat into whole numbers by reading leading digits: the date "2030-01-01T00:00:00Z" becomes 2030, and 1900000000.75 loses its fraction.
# Packages: Debian 12 ruby-json-jwt 1.14.0-2 with ruby3.1.
# Why it matters: exp 2030 is in January 1970, so the token was never valid, and nbf 2030 is always past. A toolkit that takes claims from a caller should refuse date texts, and one that refuses exp 2030 should say how old it is.
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
deb ruby-json-jwt=1.14.0-2 ruby3.1=3.1.7+really3.1.2-0+deb12u1
RUBYLIB="$R/usr/lib/ruby/vendor_ruby:$R/usr/lib/ruby/3.1.0:$L/ruby/3.1.0:$L/ruby/vendor_ruby/3.1.0"
for d in "$R"/usr/share/rubygems-integration/all/gems/*/lib "$R"/usr/share/rubygems-integration/all/gems/concurrent-ruby-*/lib/concurrent-ruby; do RUBYLIB="$RUBYLIB:$d"; done
export RUBYLIB
cat >check.rb <<'P'
require "logger"; require "active_support"; require "active_support/core_ext"; require "json/jwt"
key = "k" * 32
payload = ->(token) { JSON.parse(token.to_s.split(".")[1].unpack1("m").to_s) rescue JSON.parse(Base64.urlsafe_decode64(token.to_s.split(".")[1])) }
given = {exp: "2030-01-01T00:00:00Z", nbf: "2026-11-29", iat: 1900000000.75, auth_time: "2030-01-01T00:00:00Z", note: 1.5}
before = given.to_json
token = JSON::JWT.new(given).sign(key, :HS256)
out = payload.(token)
puts "given:   #{before}", "the same hash afterwards: #{given.to_json}", "payload: #{out.to_json}"
again = JSON::JWT.decode(token.to_s, key)
puts "decoded: #{again.to_json}"
fine = out == {"exp" => 2030, "nbf" => 2026, "iat" => 1900000000, "auth_time" => "2030-01-01T00:00:00Z", "note" => 1.5}
exit(fine && again["exp"] == 2030)
P
ruby3.1 check.rb || { echo "CHANGED"; exit 1; }
echo "behaviour: JSON::JWT.new keeps auth_time and other claims as they are. exp, nbf and iat become whole numbers: a date keeps only its year, a fraction is cut. There is no error and no warning."
