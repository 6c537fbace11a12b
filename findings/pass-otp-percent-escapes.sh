#!/bin/bash
# Surprise: Pass::OTP (pass-otp) does not undo percent-encoding in otpauth URIs: counter=%39 gives the code of counter 0, and a padded secret (%3D) is refused.
# Packages: Debian 12 libpass-otp-perl 1.5-2.
# Why it matters: 9 and %39 are the same character in a URI (RFC 3986, 2.3), and many writers escape = and spaces. A reader must decode before it looks at a value; a writer is safest with unreserved characters only and no padding.
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
deb libpass-otp-perl=1.5-2
export PERL5LIB="$R/usr/share/perl5:$L/perl5/5.36"
cat >check.pl <<'P'
use strict; use Pass::OTP qw(otp); use Pass::OTP::URI qw(parse); $SIG{__WARN__} = sub {};
my $S = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"; my $P = "GEZDGNBVGY3TQOJQGE";
my %want = ("secret=$S&counter=9" => "520489", "secret=$S&counter=%39" => "755224", "secret=$P%3D%3D%3D%3D%3D%3D&counter=9" => "error", "secret=GEZD%20GNBV&counter=9" => "error");
my $bad = 0;
for my $q (sort keys %want) {
  my $c = eval { otp(parse("otpauth://hotp/a?$q")) }; my $e = $@; $e =~ s/ at .*//s;
  print "otpauth://hotp/a?$q -> ", defined $c ? $c : "error: $e", "\n";
  $bad++ if (defined $c ? $c : "error") ne $want{$q};
}
print "RFC 4226: counter 9 is 520489, counter 0 is 755224\n";
exit($bad ? 1 : 0);
P
perl check.pl || { echo "CHANGED"; exit 1; }
echo "behaviour: the parser cuts the query at & and = and takes the values as they stand. An escaped digit of the counter silently gives the code of counter 0. Escaped padding or spaces in the secret raise an error about non-base32 characters."
