#!/bin/bash
# Surprise: Authen::OATH pads codes of 6 to 9 digits with zeros, but not codes of 10 digits: in the RFC's own test values, five of ten codes of "10 digits" have nine or eight.
# Packages: Debian 12 libauthen-oath-perl 2.0.1-2.
# Why it matters: a code of 10 digits begins with 0, 1 or 2, so about every second one begins with 0. A verifier that compares text refuses half of the codes of such a client; one that compares numbers takes codes of the wrong length.
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
deb libauthen-oath-perl=2.0.1-2
export PERL5LIB="$R/usr/share/perl5:$L/perl5/5.36"
cat >check.pl <<'P'
use strict; use warnings; use Authen::OATH; use Digest::SHA 'hmac_sha1';
my $secret = "12345678901234567890"; my ($short, $wrong, $nine) = (0, 0, 0);
for my $c (0 .. 9) {
  my $mac = hmac_sha1(pack("Q>", $c), $secret); my $o = ord(substr $mac, -1) & 15;
  my $right = sprintf "%010d", unpack("N", substr $mac, $o, 4) & 0x7fffffff;
  my $got = "" . Authen::OATH->new(digits => 10)->hotp($secret, $c);
  my $g9 = "" . Authen::OATH->new(digits => 9)->hotp($secret, $c);
  printf "counter %d  right %s  Authen::OATH %s (%d digits)  with digits => 9: %s\n", $c, $right, $got, length $got, $g9;
  $short++ if length $got < 10; $wrong++ if $got + 0 != $right; $nine++ if $g9 eq substr $right, 1;
}
print "codes of 10 digits that are short: $short of 10\n";
exit($short == 5 && !$wrong && $nine == 10 ? 0 : 1);
P
perl check.pl || { echo "CHANGED"; exit 1; }
echo "behaviour: with digits => 10, Authen::OATH gives the number without its zeros at the start. With digits => 9 and fewer it pads. The numbers are right, only the text is short."
