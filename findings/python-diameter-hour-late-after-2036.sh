#!/bin/bash
# Surprise: python-diameter writes every Time value from 7 February 2036 on 3600 seconds too late, and reads those of others an hour too early: 2040-06-01 00:00 UTC goes out as 01:00. Values of 2035 are right.
# Packages: PyPI python-diameter 0.9.0 (February 2026); Debian 12 erlang-diameter, erlang-base 1:25.2.3+dfsg-1+deb12u4.
# Why it matters: RFC 6733, 4.3.1 counts Time from 1900 and goes on after 2^32 seconds as RFC 5905 says. The library reads its own values back without a difference, so a round trip does not show it. An expiry or a subscription's end in 2036 or later needs a fixed value among the tests, not only write and read.
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
deb erlang-base=1:25.2.3+dfsg-1+deb12u4 erlang-diameter=1:25.2.3+dfsg-1+deb12u4
py python-diameter==0.9.0
sed "s#/usr/lib/erlang#$R/usr/lib/erlang#g" "$R/usr/lib/erlang/bin/erl" >erl.sh; chmod +x erl.sh
cat >e.erl <<'P'
-module(e). -export([main/0]).
main() -> [io:format("~s ~w~n", [[io_lib:format("~2.16.0b", [B]) || <<B>> <= diameter_types:'Time'(encode, D, #{})], element(1, element(1, diameter_types:'Time'(decode, diameter_types:'Time'(encode, D, #{}), #{})))]) || D <- [{{2030,6,1},{0,0,0}}, {{2036,2,7},{5,28,15}}, {{2036,2,7},{5,28,16}}, {{2036,2,7},{6,28,16}}, {{2036,6,1},{0,0,0}}, {{2040,6,1},{0,0,0}}]], halt().
P
HOME=$T ./erl.sh -noshell -eval 'c:c(e), e:main().' >erl.txt 2>&1 </dev/null || die "no erlang: $(head -1 erl.txt)"
cat >check.py <<'P'
import sys
from datetime import datetime, timezone
from diameter.message import Avp, constants
others = [l.split()[0] for l in open("erl.txt") if len(l.split()) == 2]
late = []
for day, other in zip([(2030, 6, 1), (2036, 2, 7, 5, 28, 15), (2036, 2, 7, 5, 28, 16), (2036, 2, 7, 6, 28, 16), (2036, 6, 1), (2040, 6, 1)], others):
    t = datetime(*day, tzinfo=timezone.utc)
    right = (int(t.timestamp()) + 2208988800) % 2**32
    avp = Avp.new(constants.AVP_EVENT_TIMESTAMP, value=t); mine = int.from_bytes(avp.payload, "big")
    avp.payload = bytes.fromhex(other); read = avp.value
    print(f"{t:%Y-%m-%d %H:%M:%S}: by the rule {right:08x}, erlang {other}, python-diameter {mine:08x}; python-diameter reads erlang's as {read}")
    late.append(((mine - right) % 2**32, int(other, 16) - right, (t.replace(tzinfo=None) - read.replace(tzinfo=None)).total_seconds()))
print("seconds too late when written, erlang's error, seconds too early when read:", late)
sys.exit(0 if late == [(0, 0, 0)] * 2 + [(3600, 0, 0)] + [(3600, 0, 3600)] * 3 else 1)
P
TZ=UTC v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: both agree up to 05:28:15, one hour before the count of seconds is full. From then on python-diameter's octets are 3600 more than erlang's and than the rule's, and from 06:28:16 on it reads erlang's as one hour earlier."
