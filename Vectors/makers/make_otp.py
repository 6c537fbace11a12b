"""Writes rfc4226-hotp.json, rfc6238-totp.json and rfc4648-base32.json, and checks them.

    .venv/bin/python Vectors/makers/make_otp.py

The values are those that are printed in the RFCs. Each is compared with what Python's hmac and base64 give.
"""

import base64
import hashlib
import hmac
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent
SEED = b"12345678901234567890"
HOTP = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
TIMES = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000]
TOTP = {
    "SHA1": ["94287082", "07081804", "14050471", "89005924", "69279037", "65353130"],
    "SHA256": ["46119246", "68084774", "67062674", "91819424", "90698825", "77737706"],
    "SHA512": ["90693936", "25091201", "99943326", "93441116", "38618901", "47863826"],
}
SIZES = {"SHA1": 20, "SHA256": 32, "SHA512": 64}
BASE32 = {
    "": "", "f": "MY======", "fo": "MZXQ====", "foo": "MZXW6===", "foob": "MZXW6YQ=", "fooba": "MZXW6YTB",
    "foobar": "MZXW6YTBOI======",
}


def code(secret, counter, digits, name):
    digest = hmac.digest(secret, counter.to_bytes(8, "big"), name.lower())
    place = digest[-1] & 15
    return str((int.from_bytes(digest[place : place + 4], "big") & 0x7FFFFFFF) % 10**digits).zfill(digits)


def write(name, suite, source, cases):
    text = json.dumps({"suite": suite, "source": source, "cases": cases}, indent=1)
    (FOLDER / name).write_text(text + "\n")


hotp = []
for counter, value in enumerate(HOTP):
    assert code(SEED, counter, 6, "SHA1") == value
    hotp.append(
        {"id": str(counter), "input": {"secret": SEED.hex(), "counter": counter}, "expect": {"code": value}}
    )
write("rfc4226-hotp.json", "rfc4226-hotp", "RFC 4226, appendix D", hotp)

totp = []
for name, values in TOTP.items():
    secret = (SEED * 4)[: SIZES[name]]
    for time, value in zip(TIMES, values):
        assert code(secret, time // 30, 8, name) == value
        totp.append(
            {
                "id": f"{name.lower()}-{time}", "comment": f"T = {time} s",
                "input": {"secret": secret.hex(), "algorithm": name, "time": time}, "expect": {"code": value},
            }
        )
write("rfc6238-totp.json", "rfc6238-totp", "RFC 6238, appendix B, with the seed of each hash from erratum 2866", totp)

base32 = []
for text, value in BASE32.items():
    assert base64.b32encode(text.encode()).decode() == value
    base32.append({"id": text or "empty", "input": {"text": value}, "expect": {"bytes": text.encode().hex()}})
for name, text, reject in [
    ("zero", "MZXW6YT0", "base32_character"), ("one", "MZXW6YT1", "base32_character"),
    ("eight", "MZXW6YT8", "base32_character"), ("nine", "MZXW6YT9", "base32_character"),
    ("small", "mzxw6ytb", "base32_character"), ("space", "MZXW 6YTB", "base32_character"),
    ("hyphen", "MZXW-6YTB", "base32_character"), ("line", "MZXW6YTB\n", "base32_character"),
    ("not-ascii", "MZXW6YTÄ", "base32_character"), ("full-width", "MZXW6YTＡ", "base32_character"),
    ("no-padding", "MZXW6", "base32_padding"), ("short-padding", "MZXW6==", "base32_padding"),
    ("long-padding", "MZXW6====", "base32_padding"), ("padding-inside", "MY======MZXW6===", "base32_padding"),
    ("padding-moved", "M=ZXW6YQ", "base32_padding"),
    ("padding-alone", "========", "base32_padding"), ("padding-behind", "MZXW6YTB========", "base32_padding"),
    ("length-1", "M=======", "base32_length"), ("length-3", "MZX=====", "base32_length"),
    ("length-6", "MZXW6Y==", "base32_length"), ("trailing-2", "MZ======", "base32_trailing_bits"),
    ("trailing-4", "MZXR====", "base32_trailing_bits"), ("trailing-5", "MZXW7===", "base32_trailing_bits"),
    ("trailing-7", "MZXW6YR=", "base32_trailing_bits"),
]:
    base32.append({"id": name, "input": {"text": text}, "reject": reject})
write("rfc4648-base32.json", "rfc4648-base32", "RFC 4648, section 10; refusals after its sections 3 and 6", base32)
