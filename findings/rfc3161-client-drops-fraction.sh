#!/bin/bash
# Surprise: rfc3161-client drops the fraction of a second of a time stamp without a word: 22:47:07.421041 becomes 22:47:07. It keeps the accuracy, which is then a thousandth of what was dropped.
# Packages: PyPI rfc3161-client 1.0.9 (September 2026), asn1crypto 1.5.1; openssl of Debian 12 (version printed).
# Why it matters: RFC 3161, 2.4.2 lets genTime have a fraction, and a client may order two stamps of one authority by it. Two stamps of one second have the same time after that. A reader that cannot hold the digits should say so, and a test needs one stamp with them.
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
printf 'extendedKeyUsage=critical,timeStamping\n' >x.cnf
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout tsa.key -out tsa.csr -subj /CN=tsa 2>/dev/null
openssl x509 -req -in tsa.csr -signkey tsa.key -extfile x.cnf -days 3000 -out tsa.pem 2>/dev/null
cat >tsa.cnf <<'P'
[tsa]
default_tsa = t
[t]
serial = ./serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:0, millisecs:1
clock_precision_digits = 6
ordering = yes
ess_cert_id_alg = sha256
P
echo 01 >serial; printf hello >m.txt; openssl ts -query -data m.txt -sha256 -no_nonce -out q.tsq 2>/dev/null
cat >check.py <<'P'
import subprocess, sys
from asn1crypto.tsp import TimeStampResp
from rfc3161_client import decode_timestamp_response
seen = []
while len(seen) < 5:
    subprocess.run("openssl ts -reply -config tsa.cnf -queryfile q.tsq -out r.tsr", shell=True, check=True, capture_output=True)
    data = open("r.tsr", "rb").read()
    text = next(l for l in subprocess.run("openssl ts -reply -in r.tsr -text", shell=True, check=True, capture_output=True, text=True).stdout.splitlines() if l.startswith("Time stamp"))
    other = TimeStampResp.load(data)["time_stamp_token"]["content"]["encap_content_info"]["content"].parsed["gen_time"].native
    info = decode_timestamp_response(data).tst_info
    if not other.microsecond: continue
    print(f"openssl: {text}; asn1crypto: {other.time()}; rfc3161-client: {info.gen_time.time()}, accuracy {info.accuracy.seconds} s {info.accuracy.millis} ms, serial {info.serial_number}")
    seen.append((info.gen_time == other, info.gen_time == other.replace(microsecond=0), info.accuracy.millis, f"{other.microsecond:06d}".rstrip("0") in text))
sys.exit(0 if seen == [(False, True, 1, True)] * 5 else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: the stamp has six digits behind the second and an accuracy of one millisecond. Two readers show the digits; gen_time of rfc3161-client is the whole second below."
