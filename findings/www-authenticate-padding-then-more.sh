#!/bin/bash
# Surprise: www-authenticate (Python) takes the padding of a token only at the end of the header: "Negotiate YIIB=, Basic realm=x" has lost its Basic challenge and gained one named ",", and with "==" the token is cut and there is a challenge named "=".
# Packages: PyPI www-authenticate 0.9.2, authchallenge 1.0.0 (October 2026).
# Why it matters: RFC 9110, 11.2 ends a token68 with any number of "=", and 11.6.1 puts several challenges in one field. Two of three lengths of a Negotiate token are padded. A reader needs a test of each length in first place, not last.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py www-authenticate==0.9.2 authchallenge==1.0.0
cat >check.py <<'P'
import base64, sys
import authchallenge, www_authenticate
ok = True
for size in (3, 4, 5):
    token = base64.b64encode(b"`\x82\x01\x87\x06"[:size]).decode()
    for field in (f"Basic realm=x, Negotiate {token}", f"Negotiate {token}, Basic realm=x"):
        want = {c.scheme.lower(): c.token68 or c.params for c in authchallenge.parse_challenges(field)}
        assert want == {"negotiate": token, "basic": {"realm": "x"}}
        try: got = dict(www_authenticate.parse(field))
        except ValueError as e: got = str(e)
        print(f"{field}: {got}")
        ok &= (got == want) == (field.startswith("Basic") or "=," not in field)
        if field == "Negotiate YIIBhw==, Basic realm=x": ok &= got == {"negotiate": "YIIBhw", "=": None, "basic": {"realm": "x"}}
        if field == "Negotiate YIIBhwY=, Basic realm=x": ok &= got == {"negotiate": "YIIBhwY", ",": "Basic"}
sys.exit(0 if ok else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: a token without padding is read in both places, and a padded one in the last place. A padded token before another challenge loses its padding. With one sign the next challenge is lost too. There is no error."
