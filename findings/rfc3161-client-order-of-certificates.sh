#!/bin/bash
# Surprise: rfc3161-client does not read most responses of openssl ts that carry the signer's certificate and its issuer's: it wants the two in the order of their bytes, openssl puts the signer first, and the signer's is mostly the longer one: InvalidSetOrdering.
# Packages: PyPI rfc3161-client 1.0.9 (September 2026), asn1crypto 1.5.1; openssl of Debian 12 (version printed).
# Why it matters: RFC 3161 asks for DER of the TSTInfo, and RFC 5652 for DER of the signed attributes; the rest of a SignedData may be BER, where a set has no order. Whether a stamp is read depends on the kinds of two keys. A writer that sorts its sets is read by both; a reader needs a stamp with two certificates in each order.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
command -v openssl >/dev/null || die "no openssl"
echo "version: openssl=$(dpkg-query -W -f '${Version}' openssl) (Debian)"
py rfc3161-client==1.0.9 asn1crypto==1.5.1
printf 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature\nbasicConstraints=CA:FALSE\n' >x.cnf
printf '[tsa]\ndefault_tsa = t\n[t]\nserial = ./serial\nsigner_cert = tsa.pem\nsigner_key = tsa.key\ncerts = ca.pem\nsigner_digest = sha256\ndefault_policy = 1.2.3.4.1\ndigests = sha256\naccuracy = secs:1\ness_cert_id_alg = sha256\n' >tsa.cnf
echo 01 >serial; printf hello >m.txt
new() { case $1 in rsa) echo "-newkey rsa:2048";; ec) echo "-newkey ec -pkeyopt ec_paramgen_curve:P-256";; esac; }
for signer in rsa ec; do for issuer in rsa ec; do
  openssl req -x509 $(new $issuer) -nodes -keyout ca.key -out ca.pem -subj /CN=ca -days 3650 2>/dev/null
  openssl req -new $(new $signer) -nodes -keyout tsa.key -out tsa.csr -subj /O=Example/CN=tsa 2>/dev/null
  openssl x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile x.cnf -days 3000 -out tsa.pem 2>/dev/null
  openssl ts -query -data m.txt -sha256 -cert -out q.tsq 2>/dev/null
  openssl ts -reply -config tsa.cnf -queryfile q.tsq -out $signer-$issuer.tsr 2>/dev/null
  openssl ts -verify -queryfile q.tsq -in $signer-$issuer.tsr -CAfile ca.pem >$signer-$issuer.txt 2>&1 || true
done; done
cat >check.py <<'P'
import sys
from asn1crypto.tsp import TimeStampResp
from rfc3161_client import decode_timestamp_response
seen = {}
for name in ("rsa-rsa", "rsa-ec", "ec-ec", "ec-rsa"):
    data = open(name + ".tsr", "rb").read()
    certs = [c.chosen.dump() for c in TimeStampResp.load(data)["time_stamp_token"]["content"]["certificates"]]
    try: said = f"read, {decode_timestamp_response(data).tst_info.gen_time}"; read = True
    except ValueError as e: said = f"refused: {e}"; read = "InvalidSetOrdering" in str(e) and False
    ok = "Verification: OK" in open(name + ".txt").read()
    print(f"signer-issuer {name}: certificates of {[len(c) for c in certs]} octets; openssl verifies: {ok}; rfc3161-client: {said}")
    seen[name] = (ok, certs == sorted(certs), read)
print(seen)
sys.exit(0 if seen == {"rsa-rsa": (True, False, False), "rsa-ec": (True, False, False), "ec-ec": (True, False, False), "ec-rsa": (True, True, True)} else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: openssl verifies all four responses. rfc3161-client reads only the one whose two certificates happen to stand in ascending order, where the issuer has the longer key."
