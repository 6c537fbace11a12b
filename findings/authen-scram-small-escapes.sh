#!/bin/bash
# Surprise: Authen::SCRAM (Perl) writes "," and "=" of a user name as =2c and =3d; scramp (Python) takes only =2C and =3D, so the user "a=b,c" cannot sign in, while "abc" can.
# Packages: Debian 12 libauthen-scram-perl 0.011-2; PyPI scramp 1.5.0.
# Why it matters: RFC 5802, 5.1 prints capitals, but a quoted text in its grammar stands for both cases (RFC 5234, 2.3). A writer should write capitals and a reader should take both; a name such as "cn=ann,dc=example" from a directory shows the difference.
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
deb libauthen-scram-perl=0.011-2
export PERL5LIB="$R/usr/share/perl5:$L/perl5/5.36"
py scramp==1.5.0
cat >client.pl <<'P'
use Authen::SCRAM::Client; $| = 1;
my $c = Authen::SCRAM::Client->new(username => $ARGV[0], password => "pencil", digest => "SHA-256");
print $c->first_msg, "\n"; chomp(my $s = <STDIN>); print $c->final_msg($s), "\n"; chomp($s = <STDIN>); print $c->validate($s) ? "in\n" : "out\n";
P
cat >check.py <<'P'
import subprocess, sys
from scramp import ScramClient, ScramException, ScramMechanism
m = ScramMechanism("SCRAM-SHA-256")
info = m.make_auth_info("pencil")
def perl_to_python(user):
    names = []; server = m.make_server(lambda n: names.append(n) or info)
    p = subprocess.Popen(["perl", "client.pl", user], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    def say(s): p.stdin.write(s + "\n"); p.stdin.flush()
    first = p.stdout.readline().strip(); sent = first.split(",")[2]
    try:
        server.set_client_first(first); say(server.get_server_first())
        server.set_client_final(p.stdout.readline().strip()); say(server.get_server_final())
        return sent, p.stdout.readline().strip(), names
    except ScramException as e: return sent, str(e), names
    finally: p.kill(); p.wait()
seen = {}
for user in ("abc", "a=b,c", "cn=ann,dc=example"):
    c = ScramClient(["SCRAM-SHA-256"], user, "pencil")
    sent, result, names = perl_to_python(user)
    print(f"{user}: Authen::SCRAM sends {sent}, scramp would send {c.get_client_first().split(',')[2]}; the server says: {result} {names}")
    seen[user] = (sent, result == "in" and names == [user])
sys.exit(0 if seen == {"abc": ("n=abc", True), "a=b,c": ("n=a=3db=2cc", False), "cn=ann,dc=example": ("n=cn=3dann=2cdc=3dexample", False)} else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: a name without the two signs signs in. A name with one of them is escaped in small letters by Authen::SCRAM, and scramp ends the exchange at the first message."
