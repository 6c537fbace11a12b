"""Makes Vectors/pss-salts.json with the package `cryptography`: RSASSA-PSS signatures with salts of other lengths than the
digest's. erlang-jose 1.11 and others sign with the longest salt. Run it in Vectors."""

import base64
import json

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

KEY = "keys/rsa-pkcs8.pem"


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def main():
    key = serialization.load_pem_private_key(open(KEY, "rb").read(), None)
    digests = {"PS256": hashes.SHA256(), "PS384": hashes.SHA384(), "PS512": hashes.SHA512()}
    cases = []
    for name, digest in digests.items():
        longest = 256 - 2 - digest.digest_size
        for salt in [digest.digest_size, 0, 20, longest]:
            header = encoded(json.dumps({"alg": name}, separators=(",", ":")).encode())
            signed = header + "." + encoded(b'{"iss":"i","aud":"a"}')
            scheme = padding.PSS(padding.MGF1(digest), salt)
            token = signed + "." + encoded(key.sign(signed.encode(), scheme, digest))
            case = {"id": f"{name} {salt}", "comment": f"a salt of {salt} bytes", "input": {"token": token}}
            if salt == digest.digest_size:
                case["expect"] = {"salt": salt}
            else:
                case["input"]["salt"] = salt
                case["reject"] = "signature_invalid"
            cases.append(case)
    suite = {"suite": "pss-salts", "source": "made by makers/make_pss.py; the key is keys/rsa-pkcs8.pem", "cases": cases}
    with open("pss-salts.json", "w") as file:
        json.dump(suite, file, indent=1)
        file.write("\n")


main()
