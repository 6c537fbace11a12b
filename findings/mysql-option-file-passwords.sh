#!/bin/bash
# Surprise: Two MySQL clients in Python read another password from an option file than MySQL's own rules give: for password="a#b" mysql-connector-python signs in with the quotes, and neither it nor PyMySQL undoes an escape (a\sb is "a b") or ends the value at a comment.
# Packages: PyPI mysql-connector-python 26.10.0 (October 2026), PyMySQL 1.2.4 (November 2026); Debian 12 mariadb-client-core 1:10.11.19-0+deb12u1 (my_print_defaults).
# Why it matters: the quotes are needed for a password with #, so a file that the mysql command reads makes these clients fail with "access denied". mysql-connector-python does undo the quotes of every other option. A reader of such files needs quotes, each escape and a comment behind a value among its tests, for the password too.
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
deb mariadb-client-core=1:10.11.19-0+deb12u1
py mysql-connector-python==26.10.0 PyMySQL==1.2.4
cat >my.cnf <<'P'
[plain]
password = a%b
[quoted]
user = "ann"
password = "a#b"
[space]
password = a\sb
[backslash]
password = a\\b
[comment]
password = ab   # of the test server
[quote]
password = "a\"b"
P
cat >check.py <<'P'
import subprocess, sys
import pymysql
from mysql.connector.connection import MySQLConnection
from mysql.connector.optionfiles import read_option_files
seen = {}
for g in ("plain", "quoted", "space", "backslash", "comment", "quote"):
    rule = subprocess.run(["my_print_defaults", "--defaults-file=my.cnf", g], capture_output=True, text=True, check=True).stdout.strip("\n").splitlines()[-1].removeprefix("--password=")
    c = MySQLConnection(); options = read_option_files(option_files="my.cnf", option_groups=[g]); c.config(**options)
    p = pymysql.connect(read_default_file="my.cnf", read_default_group=g, defer_connect=True).password.decode()
    print(f"{g}: my_print_defaults {rule!r}, mysql-connector-python {c._password!r} (user {options.get('user')!r}), PyMySQL {p!r}")
    seen[g] = (rule, c._password, p)
B = "\\"
sys.exit(0 if seen == {"plain": ("a%b",) * 3, "quoted": ("a#b", '"a#b"', "a#b"), "space": ("a b", f"a{B}sb", f"a{B}sb"), "backslash": (f"a{B}b", f"a{B}{B}b", f"a{B}{B}b"),
    "comment": ("ab", "ab   # of the test server", "ab   # of the test server"), "quote": ('a"b', f'"a{B}"b"', f'a{B}"b')} else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: without special signs all three agree. mysql-connector-python keeps the quotes of a password, but not those of the user. Both Python clients keep backslashes and the comment as parts of the password."
