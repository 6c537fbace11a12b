#!/bin/bash
# Surprise: py_webauthn refuses a registration and a sign-in whose authenticatorAttachment has a value that it does not know, which Web Authentication says to treat as null; unknown transports and extension results it takes. fido2 takes all of them.
# Packages: PyPI webauthn 3.0.1 (September 2026), fido2 2.2.1, cbor2 6.3.0.
# Why it matters: Web Authentication, 5.1 makes the member a DOMString so that new values can come, and wants unknown ones treated as null; the value is not signed and decides nothing. The first browser with a third kind of authenticator locks its users out of such a site. A reader needs a credential with an unknown value for each open list.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py webauthn==3.0.1 fido2==2.2.1 cbor2==6.3.0
cat >check.py <<'P'
import hashlib, json, sys
from base64 import urlsafe_b64encode
import cbor2, webauthn
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.webauthn import AuthenticationResponse, RegistrationResponse
b64 = lambda b: urlsafe_b64encode(b).rstrip(b"=").decode()
key = ec.derive_private_key(1, ec.SECP256R1()); n = key.public_key().public_numbers(); cid, chal = b"c" * 16, b"h" * 32
cose = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: n.x.to_bytes(32, "big"), -3: n.y.to_bytes(32, "big")})
rp = hashlib.sha256(b"example.com").digest()
att = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": rp + b"\x45\0\0\0\1" + bytes(16) + b"\0\x10" + cid + cose})
client = lambda kind: json.dumps({"type": "webauthn." + kind, "challenge": b64(chal), "origin": "https://example.com", "crossOrigin": False}).encode()
def credential(response, attachment, ext):
    return {"id": b64(cid), "rawId": b64(cid), "type": "public-key", "response": response, "clientExtensionResults": ext} | ({"authenticatorAttachment": attachment} if attachment != "-" else {})
def both(name, attachment="-", transports=["usb"], ext={}):
    reg = credential({"clientDataJSON": b64(client("create")), "attestationObject": b64(att), "transports": transports}, attachment, ext)
    data = rp + b"\x05\0\0\0\2"; c = client("get"); sig = key.sign(data + hashlib.sha256(c).digest(), ec.ECDSA(SHA256()))
    auth = credential({"clientDataJSON": b64(c), "authenticatorData": b64(data), "signature": b64(sig)}, attachment, ext)
    common = dict(expected_challenge=chal, expected_rp_id="example.com", expected_origin="https://example.com")
    def attempt(f):
        try: f(); return "taken"
        except Exception as e: return f"{type(e).__name__}: {e}"
    said = [attempt(lambda: webauthn.verify_registration_response(credential=reg, **common)),
            attempt(lambda: webauthn.verify_authentication_response(credential=auth, credential_public_key=cose, credential_current_sign_count=0, **common)),
            attempt(lambda: RegistrationResponse.from_dict(reg)), attempt(lambda: AuthenticationResponse.from_dict(auth))]
    print(f"{name}: py_webauthn registration {said[0]}, sign-in {said[1]}; fido2 {said[2]}, {said[3]}"); return said
T = ["taken"] * 4; N = ["InvalidJSONStructure: Credential had unexpected authenticatorAttachment"] * 2 + ["taken"] * 2
seen = [both("without the member"), both("platform", "platform"), both("null", None), both("unknown transport", transports=["usb", "radio"]), both("unknown extension result", ext={"other": 1}), both("unknown attachment", "nearby")]
sys.exit(0 if seen == [T] * 5 + [N] else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: the same signed credential is taken without the member, with platform and with null. With another text both functions of py_webauthn raise InvalidJSONStructure before they look at the signature."
