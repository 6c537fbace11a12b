#!/bin/bash
# Surprise: AWS::Signature4 (Perl) takes service and region from the host name, and where it cannot it signs for S3 in us-east-1 without a word: 71 of the 265 services that botocore knows in eu-west-1, among them cognito-idp, cognito-identity and ecr.
# Packages: Debian 12 libaws-signature4-perl 1.02-3; PyPI botocore 1.44.8.
# Why it matters: the verifier sees a well-formed signature whose scope names another service and another region. It should print the scope that it wanted beside the one that came. A signer should take both names from its caller, or refuse a host that it cannot read.
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
deb libaws-signature4-perl=1.02-3
export PERL5LIB="$R/usr/share/perl5:$L/perl5/5.36"
py botocore==1.44.8
cat >sign.pl <<'P'
use AWS::Signature4; use HTTP::Request;
my $s = AWS::Signature4->new(-access_key => "AKIDEXAMPLE", -secret_key => "SECRET");
while (<STDIN>) {
  chomp;
  my @region = split / /; my $r = HTTP::Request->new(GET => shift @region);
  $s->sign($r, @region);
  print $r->header("Authorization") =~ m{Credential=AKIDEXAMPLE/\d{8}/(\S+)/aws4_request,} ? "$1\n" : "none\n";
}
P
cat >check.py <<'P'
import subprocess, sys
import botocore.session
region = "eu-west-1"
session = botocore.session.Session(); session.set_credentials("AKIDEXAMPLE", "SECRET")
names = [n for n in session.get_available_services() if region in session.get_available_regions(n)]
clients = {n: session.create_client(n, region_name=region).meta for n in names}
want = [f"{region}/{m.service_model.signing_name}" for m in clients.values()]
def scopes(extra):
    r = subprocess.run(["perl", "sign.pl"], input="".join(f"{m.endpoint_url}/{extra}\n" for m in clients.values()), capture_output=True, text=True)
    assert r.returncode == 0 and not r.stderr, r.stderr
    return dict(zip(names, r.stdout.split()))
got, told = scopes(""), scopes(" " + region)
right = sum(w == g for w, g in zip(want, got.values()))
s3 = [n for n, w in zip(names, want) if got[n] == "us-east-1/s3"]
for n in ("dynamodb", "lambda", "cognito-idp", "cognito-identity", "ecr"): print(clients[n].endpoint_url, "->", got[n], "; with the region given:", told[n])
print(f"{len(names)} services in {region}: {right} right, {len(s3)} signed for us-east-1/s3, {len(names) - right - len(s3)} with another name; no messages")
sys.exit(0 if (len(names), right, len(s3)) == (265, 183, 71) and {"cognito-idp", "cognito-identity", "ecr"} <= set(s3) and told["cognito-idp"] == region + "/s3" and got["dynamodb"] == region + "/dynamodb" else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: host names of the form NAME.REGION.amazonaws.com are read when NAME has no hyphen. All other hosts of this list get the scope us-east-1/s3. A region can be given to sign(), a service cannot."
