#!/bin/bash
# Surprise: ruby-cose of Debian 12 reads COSE keys of types EC2 and RSA, also those that it wrote, but can make an OpenSSL key of none of them: Debian pairs it with OpenSSL 3, whose keys it tries to fill in after their making.
# Packages: Debian 12 ruby-cose 1.2.0-2, ruby3.1 3.1.7+really3.1.2-0+deb12u1, OpenSSL 3.0.
# Why it matters: the set loads without an error and the first signature raises one. A toolkit should build the native key when it reads a key, so that an entry that cannot be used is reported at load and not at the first sign-in.
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
deb ruby-cose=1.2.0-2 ruby3.1=3.1.7+really3.1.2-0+deb12u1
RUBYLIB="$R/usr/lib/ruby/vendor_ruby:$R/usr/lib/ruby/3.1.0:$L/ruby/3.1.0:$L/ruby/vendor_ruby/3.1.0"
for d in "$R"/usr/share/rubygems-integration/all/gems/*/lib "$L"/rubygems-integration/3.1.0/gems/*/lib "$L"/rubygems-integration/3.1.0/extensions/x86_64-linux/3.1.0/*; do RUBYLIB="$RUBYLIB:$d"; done
export RUBYLIB
cat >check.rb <<'P'
require "cose"
puts "version: #{OpenSSL::OPENSSL_LIBRARY_VERSION}"
seen = {}
{"RSA" => [OpenSSL::PKey::RSA.new(2048), COSE::Key::RSA], "EC2" => [OpenSSL::PKey::EC.generate("prime256v1"), COSE::Key::EC2]}.each do |name, (pkey, type)|
  raw = type.from_pkey(pkey).serialize
  key = COSE::Key.deserialize(raw)
  seen[name] = begin key.to_pkey.class.to_s rescue "#{$!.class}: #{$!.message}" end
  puts "#{name}: written with #{raw.bytesize} bytes, read as #{key.class}, to_pkey gives #{seen[name]}"
end
exit(seen["RSA"].include?("incompatible with OpenSSL 3.0") && seen["EC2"].include?("immutable on OpenSSL 3.0"))
P
ruby3.1 check.rb || { echo "CHANGED"; exit 1; }
echo "behaviour: from_pkey, serialize and deserialize work for RSA and P-256. to_pkey, which verification needs, raises for both. The reading itself gives no sign of it."
