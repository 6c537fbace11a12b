#!/bin/bash
# Surprise: minikerberos reads the key version 300 of a keytab as 44 and 256 as 0: it takes the old field of eight bits and does not read the one of 32 bits behind the key, which MIT and Heimdal write and use.
# Packages: PyPI minikerberos 0.4.9 (October 2025); Debian 12 krb5-user 1.20.1-2+deb12u5, heimdal-clients 7.8.git20221117.28daf24+dfsg-2.
# Why it matters: the version of a computer's or service's key goes up with each change of its password, and passes 255 after some years of monthly or weekly changes. A client that picks the key by version then finds none or an old one. A reader needs an entry of version 255, 256 and 300.
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
deb krb5-user=1.20.1-2+deb12u5; cp "$R/usr/bin/ktutil" mit-ktutil; rm -rf debs
deb heimdal-clients=7.8.git20221117.28daf24+dfsg-2
py minikerberos==0.4.9
printf '[libdefaults]\n default_realm = EXAMPLE.COM\n' >krb5.conf; export KRB5_CONFIG=$T/krb5.conf
for n in 1 255 256 300 70000; do printf 'addent -password -p HTTP/a.example.com@EXAMPLE.COM -k %s -e aes256-cts\nsecret\nwkt %s/m%s.keytab\nq\n' $n "$T" $n | ./mit-ktutil >/dev/null 2>&1
  ktutil.heimdal -k FILE:h$n.keytab add -p HTTP/a.example.com@EXAMPLE.COM -V $n -e aes256-cts-hmac-sha1-96 -w secret >/dev/null 2>&1; done
cat >check.py <<'P'
import subprocess, sys
from minikerberos.common.keytab import Keytab
seen = {}
for who in "mh":
    for n in (1, 255, 256, 300, 70000):
        name = f"{who}{n}.keytab"
        mit = subprocess.run(["./mit-ktutil"], input=f"rkt {name}\nlist\nq\n", capture_output=True, text=True).stdout
        mit = next(int(l.split()[1]) for l in mit.splitlines() if "HTTP/" in l and "addent" not in l)
        heimdal = subprocess.run(["ktutil.heimdal", "-k", "FILE:" + name, "list"], capture_output=True, text=True).stdout
        heimdal = next(int(l.split()[0]) for l in heimdal.splitlines() if "HTTP/" in l)
        mini = Keytab.from_file(name).entries[0].key_version
        print(f"version {n}, written by {'MIT' if who == 'm' else 'Heimdal'}: MIT reads {mit}, Heimdal {heimdal}, minikerberos {mini}")
        seen[who, n] = (mit, heimdal, mini)
sys.exit(0 if seen == {(who, n): (n, n, n % 256) for who in "mh" for n in (1, 255, 256, 300, 70000)} else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: MIT and Heimdal read each other's versions up to 70000. minikerberos gives the remainder of a division by 256."
