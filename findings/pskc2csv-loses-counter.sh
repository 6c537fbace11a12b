#!/bin/bash
# Surprise: pskc2csv, with its default columns, writes no counter: an HOTP token that goes PSKC to CSV to PSKC has lost its counter.
# Packages: Debian 12 pskc-utils 1.2-1, python3-pskc 1.2-1, pskctool 2.6.7-3.1+deb12u1.
# Why it matters: seed files of hardware tokens (RFC 6030) pass through such tools. A server that starts such a token at 0 refuses the codes of a token at 1000, so an importer must ask for a counter where an HOTP key has none.
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
deb pskc-utils=1.2-1 python3-pskc=1.2-1 pskctool=2.6.7-3.1+deb12u1
export PYTHONPATH="$R/usr/lib/python3/dist-packages"
cat >in.pskc <<'X'
<?xml version="1.0" encoding="UTF-8"?>
<KeyContainer xmlns="urn:ietf:params:xml:ns:keyprov:pskc" Version="1.0"><KeyPackage><DeviceInfo><Manufacturer>oath.Example</Manufacturer><SerialNo>A1</SerialNo></DeviceInfo>
<Key Id="A1" Algorithm="urn:ietf:params:xml:ns:keyprov:pskc:hotp"><Issuer>Example</Issuer><AlgorithmParameters><ResponseFormat Length="8" Encoding="DECIMAL"/></AlgorithmParameters>
<Data><Secret><PlainValue>MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=</PlainValue></Secret><Counter><PlainValue>1000</PlainValue></Counter></Data></Key></KeyPackage></KeyContainer>
X
python3 "$R/usr/bin/pskc2csv" -o out.csv in.pskc; python3 "$R/usr/bin/csv2pskc" -o back.pskc out.csv
python3 "$R/usr/bin/pskc2csv" -c id,serial,secret,counter in.pskc >asked.csv
echo "CSV:"; cat out.csv; echo "CSV with the column asked for:"; cat asked.csv
counter() { pskctool --info "$1" 2>/dev/null | sed -n 's/.*\(Key Counter.*\)/\1/p'; }
echo "pskctool before: $(counter in.pskc)"; echo "pskctool after:  $(counter back.pskc | grep . || echo 'no counter')"
{ [ "$(counter in.pskc)" = "Key Counter: 1000" ] && [ -z "$(counter back.pskc)" ] && ! grep -q 'counter\|1000' out.csv && grep -q ',1000' asked.csv && grep -q pskc:hotp back.pskc; } || { echo "CHANGED"; exit 1; }
echo "behaviour: pskc2csv without -c writes serial, secret, algorithm, response_length and time_interval. The counter 1000 of the HOTP key is left out without a message. csv2pskc then makes an HOTP key without a counter."
