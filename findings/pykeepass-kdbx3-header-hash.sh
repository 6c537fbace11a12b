#!/bin/bash
# Surprise: pykeepass makes a KDBX 3 database unreadable for others when it saves it: it writes a new header but keeps the hash of the old one inside, and KeePassXC and File::KeePass then refuse the file: "Header doesn't match hash". pykeepass itself opens it.
# Packages: PyPI pykeepass 4.2.0 (August 2026); Debian 12 keepassxc 2.7.4+dfsg.1-2, libfile-keepass-perl 2.03-1.1.
# Why it matters: version 3 of the format has Meta/HeaderHash, the only check of its header, and readers compare it where it is present. One change of one password by a script takes the database from its owner until the element is removed. A writer must set or remove every checksum that it cannot keep; a test must open the saved file with another program.
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
deb keepassxc=2.7.4+dfsg.1-2 libfile-keepass-perl=2.03-1.1
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$L/pulseaudio" PERL5LIB="$R/usr/share/perl5:$L/perl5/5.36" QT_QPA_PLATFORM=offscreen HOME="$T"
py pykeepass==4.2.0
cat >make.pl <<'P'
use File::KeePass;
my $k = File::KeePass->new; my $g = $k->add_group({title => "Root"});
$k->add_entry({title => "mail", username => "ann", password => "old", group => $g->{id}});
$k->save_db("a.kdbx", "pw", {version => 2});
P
cat >read.pl <<'P'
use File::KeePass;
my $k = File::KeePass->new; eval { $k->load_db($ARGV[0], "pw"); 1 } or do { print "refused: $@"; exit };
$k->unlock; print "password ", $k->find_entry({title => "mail"})->{password}, "\n";
P
perl make.pl || die "File::KeePass does not run"
cat >check.py <<'P'
import subprocess, sys
from pykeepass import PyKeePass
def run(*a): r = subprocess.run(a, input="pw\n", capture_output=True, text=True); return (r.stdout.strip() or r.stderr.strip()).splitlines()[-1].strip()
def readers(name):
    said = [run("keepassxc-cli", "show", "-s", "-a", "Password", name, "mail"), run("perl", "read.pl", name), PyKeePass(name, password="pw").find_entries(title="mail", first=True).password]
    print(f"{name}: keepassxc-cli: {said[0]}; File::KeePass: {said[1]}; pykeepass: {said[2]}"); return said
k = PyKeePass("a.kdbx", password="pw"); print("version", k.version, "HeaderHash:", k.tree.findtext("Meta/HeaderHash"))
seen = [readers("a.kdbx")]
k.find_entries(title="mail", first=True).password = "new"; k.save("b.kdbx"); seen.append(readers("b.kdbx"))
m = k.tree.find("Meta"); m.remove(m.find("HeaderHash")); k.save("d.kdbx"); print("without the element:"); seen.append(readers("d.kdbx"))
P2 = ["old", "password old", "old"]; N = ["Error while reading the database: Header doesn't match hash", "refused: HeaderHash recorded in file did not match actual hash of header.", "new"]
sys.exit(0 if k.version[0] == 3 and seen == [P2, N, ["new", "password new", "new"]] else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: all three read the file before. After a change and a save by pykeepass the two others refuse it. With the element HeaderHash taken out by hand before the save, all three read it."
