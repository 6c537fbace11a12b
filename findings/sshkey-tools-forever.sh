#!/bin/bash
# Surprise: sshkey-tools (Python) does not read a certificate that is valid for ever, which is what ssh-keygen makes when no -V is given: "timestamp out of range for platform time_t".
# Packages: PyPI sshkey-tools 0.12.2, cryptography 46.0.7; ssh-keygen of Debian 12 (openssh-client; version printed).
# Why it matters: PROTOCOL.certkeys gives the end as a uint64, and 2^64-1 is "forever". A reader that turns the field into a date must know that value; a test with -V +1h does not meet it.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
command -v ssh-keygen >/dev/null || die "no ssh-keygen"
echo "version: openssh-client=$(dpkg-query -W -f '${Version}' openssh-client) (Debian)"
py sshkey-tools==0.12.2 cryptography==46.0.7
ssh-keygen -q -t ed25519 -N '' -C ca -f ca; ssh-keygen -q -t ed25519 -N '' -C user -f user
make() { ssh-keygen -q -s ca -I id -n ann "${@:2}" user.pub; mv user-cert.pub "$1.pub"; }
make default; make hour -V 20300101:20300102; make start -V 20300101:forever; make end -V always:20300102
cat >check.py <<'P'
import subprocess, sys
from cryptography.hazmat.primitives.serialization import load_ssh_public_identity
from sshkey_tools.cert import SSHCertificate
seen = {}
for name in ("hour", "end", "start", "default"):
    text = subprocess.run(["ssh-keygen", "-L", "-f", name + ".pub"], capture_output=True, text=True, check=True).stdout
    valid = next(l.strip() for l in text.splitlines() if "Valid:" in l)
    end = load_ssh_public_identity(open(name + ".pub", "rb").read()).valid_before
    try: said = f"valid_before {SSHCertificate.from_file(name + '.pub').get('valid_before')}"; read = True
    except (OverflowError, ValueError) as e: said = f"{type(e).__name__}: {e}"; read = False
    print(f"{name}: ssh-keygen: {valid}; the field by cryptography: {end}; sshkey-tools: {said}")
    seen[name] = (read, end == 2**64 - 1)
sys.exit(0 if seen == {"hour": (True, False), "end": (True, False), "start": (False, True), "default": (False, True)} else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: certificates with a last day are read. Those with the end 2^64-1 raise an OverflowError while the fields are decoded, so no other field can be seen either."
