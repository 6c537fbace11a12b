"""Makes rfc5054-groups.json, rfc5054-srp.json, srp.json and cognito-srp.json with plain integers.

    .venv/bin/python Vectors/makers/make_srp.py

Everything is computed from both sides, and both must agree. Nothing of the toolkit is used. The primes are
libcrypto's, compared with those of the packages srptools and srp; the values of RFC 5054 appendix B are compared with what is printed
there.
"""

import base64
import ctypes
import ctypes.util
import hashlib
import hmac
import json
import pathlib
import random

import srp
import srp._pysrp
from srptools import constants

FOLDER = pathlib.Path(__file__).resolve().parent.parent
GENERATORS = {1024: 2, 1536: 2, 2048: 2, 3072: 5, 4096: 5, 6144: 5, 8192: 19}
HASHES = {"SHA-1": hashlib.sha1, "SHA-256": hashlib.sha256, "SHA-384": hashlib.sha384, "SHA-512": hashlib.sha512}


def libcrypto_primes():
    class GN(ctypes.Structure):
        _fields_ = [("id", ctypes.c_char_p), ("g", ctypes.c_void_p), ("N", ctypes.c_void_p)]

    crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
    crypto.SRP_get_default_gN.restype = ctypes.POINTER(GN)
    crypto.BN_bn2hex.restype = ctypes.c_char_p
    crypto.BN_bn2hex.argtypes = [ctypes.c_void_p]
    primes = {}
    for bits, generator in GENERATORS.items():
        group = crypto.SRP_get_default_gN(str(bits).encode())
        primes[bits] = int(crypto.BN_bn2hex(group.contents.N), 16)
        assert int(crypto.BN_bn2hex(group.contents.g), 16) == generator, bits
        others = getattr(constants, f"PRIME_{bits}", None)
        assert others is None or int(others.replace(" ", ""), 16) == primes[bits], bits
    assert int(srp._pysrp.get_ng(srp.NG_8192, None, None)[0]) == primes[8192]
    return primes


PRIMES = libcrypto_primes()


def number(data):
    return int.from_bytes(data, "big")


def shortest(value):
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def interleaved(H, data):
    data = data.lstrip(b"\0")
    if len(data) % 2:
        data = data[1:]
    even, odd = H(data[0::2]).digest(), H(data[1::2]).digest()
    return bytes(byte for pair in zip(even, odd) for byte in pair)


def exchange(bits, hash_name, identity, password, salt, a, b, form):
    H = HASHES[hash_name]
    N, g = PRIMES[bits], GENERATORS[bits]
    size = bits // 8
    pad = lambda value: value.to_bytes(size, "big")
    write = pad if form["numbers"] == "padded" else shortest
    k = number(H(pad(N) + pad(g)).digest())
    x = number(H(salt + H(identity + b":" + password).digest()).digest())
    v = pow(g, x, N)
    A, B = pow(g, a, N), (k * v + pow(g, b, N)) % N
    u = number(H(pad(A) + pad(B)).digest())
    S = pow(B - k * pow(g, x, N), a + u * x, N)
    assert S == pow(A * pow(v, u, N), b, N)
    K = interleaved(H, shortest(S)) if form["sessionKey"] == "interleaved" else H(write(S)).digest()
    written = pad(g) if form["generator"] == "padded" else shortest(g)
    mixed = bytes(p ^ q for p, q in zip(H(pad(N)).digest(), H(written).digest()))
    M1 = H(mixed + H(identity).digest() + salt + write(A) + write(B) + K).digest()
    M2 = H(write(A) + M1 + K).digest()
    hexadecimal = lambda value: pad(value).hex()
    digest = lambda value: value.to_bytes(H().digest_size, "big").hex()
    return {
        "k": digest(k), "x": digest(x), "v": hexadecimal(v), "A": hexadecimal(A), "B": hexadecimal(B), "u": digest(u),
        "S": hexadecimal(S), "K": K.hex(), "M1": M1.hex(), "M2": M2.hex(),
    }


def case(name, comment, bits, hash_name, identity, password, salt, a, b, form=None):
    form = {"sessionKey": "digest", "numbers": "shortest", "generator": "shortest"} | (form or {})
    return {
        "id": name, "comment": comment,
        "input": {
            "group": bits, "hash": hash_name, "identity": identity, "password": password, "salt": salt.hex(),
            "a": shortest(a).hex(), "b": shortest(b).hex(), **form,
        },
        "expect": exchange(bits, hash_name, identity.encode(), password.encode(), salt, a, b, form),
    }


def forced(source, name, member, bits, hash_name, form=None):
    """A case in which the number called `member` begins with a byte of zero."""
    while True:
        a, b, salt = source.getrandbits(256) | 1 << 255, source.getrandbits(256) | 1 << 255, source.randbytes(16)
        made = case(name, f"{member} begins with a zero byte", bits, hash_name, "dave", "hunter2", salt, a, b, form)
        if made["expect"][member].startswith("00"):
            return made


def plain():
    source = random.Random("srp")
    cases = []
    for bits in GENERATORS:
        for hash_name in HASHES:
            cases.append(
                case(
                    f"{bits}-{hash_name.lower()}", "each group with each hash", bits, hash_name, "alice", "password123",
                    source.randbytes(16), source.getrandbits(512), source.getrandbits(512),
                )
            )
    for bits, hash_name in ((1024, "SHA-1"), (2048, "SHA-256"), (1536, "SHA-512")):
        for member in ("v", "A", "B", "S", "u", "x"):
            cases.append(forced(source, f"{bits}-{member}-zero", member, bits, hash_name))
        for name, form in (
            ("padded", {"numbers": "padded"}), ("padded-g", {"generator": "padded"}),
            ("interleaved", {"sessionKey": "interleaved"}),
        ):
            for member in ("A", "B", "S"):
                cases.append(forced(source, f"{bits}-{name}-{member}-zero", member, bits, hash_name, form))
    for name, identity, password in (
        ("colons", "user:name", " pass:word "), ("unicode", "andré", "pässwörd 🔑"), ("no-identity", "", "secret"),
        ("no-password", "alice", ""), ("long-password", "carol", "p" * 4096),
    ):
        cases.append(
            case(
                name, "identity and password are bytes", 2048, "SHA-256", identity, password, source.randbytes(16),
                source.getrandbits(512), source.getrandbits(512),
            )
        )
    return {"suite": "srp", "source": "made by makers/make_srp.py with plain integers, from both sides", "cases": cases}


def rfc5054():
    made = case(
        "appendix-b", "the RFC's own test vectors; the proofs and K, which it does not have, after RFC 2945", 1024,
        "SHA-1", "alice", "password123", bytes.fromhex("BEB25379D1A8581EB5A727673A2441EE"),
        0x60975527035CF2AD1989806F0407210BC81EDC04E2762A56AFD529DDDA2D4393,
        0xE487CB59D31AC550471E81F00F6928E01DDA08E974A004F49E61F5D105284D20,
    )
    printed = {
        "k": "7556AA045AEF2CDD07ABAF0F665C3E818913186F", "x": "94B7555AABE9127CC58CCF4993DB6CF84D16C124",
        "u": "CE38B9593487DA98554ED47D70A7AE5F462EF019",
        "S": "B0DC82BABCF30674AE450C0287745E7990A3381F63B387AAF271A10D233861E359B48220F7C4693C9AE12B0A6F67809F0876E2D0"
        "13800D6C41BB59B6D5979B5C00A172B4A2A5903A0BDCAF8A709585EB2AFAFA8F3499B200210DCC1F10EB33943CD67FC88A2F39A4BE5BEC"
        "4EC0A3212DC346D7E474B29EDE8A469FFECA686E5A",
    }
    for member, value in printed.items():
        assert made["expect"][member] == value.lower(), member
    assert made["expect"]["A"].startswith("61d5e490f6f1b79547b0704c436f523d")
    assert made["expect"]["B"].startswith("bd0c61512c692c0cb6d041fa01bb152d")
    return {"suite": "rfc5054-srp", "source": "RFC 5054, appendix B", "cases": [made]}


def groups():
    return {
        "suite": "rfc5054-groups", "source": "RFC 5054, appendix A",
        "cases": [
            {"id": str(bits), "input": {"bits": bits}, "expect": {"N": shortest(prime).hex(), "g": GENERATORS[bits]}}
            for bits, prime in PRIMES.items()
        ],
    }


def signed(value):
    return value.to_bytes(value.bit_length() // 8 + 1, "big")


def cognito_exchange(realm, identity, password, salt, a, b, block, timestamp):
    H = hashlib.sha256
    N, g = PRIMES[3072], 2
    k = number(H(signed(N) + signed(g)).digest())
    assert f"{k:x}" == "538282c4354742d7cbbde2359fcf67f9f5b3a6b08791e5011b43b8a5b66d9ee6"
    name = (realm + identity).encode()
    x = number(H(signed(number(salt)) + H(name + b":" + password.encode()).digest()).digest())
    v = pow(g, x, N)
    A, B = pow(g, a, N), (k * v + pow(g, b, N)) % N
    u = number(H(signed(A) + signed(B)).digest())
    S = pow(B - k * v, a + u * x, N)
    assert S == pow(A * pow(v, u, N), b, N)
    extracted = hmac.digest(signed(u), signed(S), "sha256")
    key = hmac.digest(extracted, b"Caldera Derived Key\x01", "sha256")[:16]
    signature = hmac.digest(key, name + block + timestamp.encode(), "sha256")
    return {
        "A": f"{A:x}", "B": f"{B:x}", "u": f"{u:x}", "x": f"{x:x}", "v": f"{v:x}", "S": f"{S:x}", "key": key.hex(),
        "signature": base64.b64encode(signature).decode(),
    }


def cognito():
    source = random.Random("cognito-srp")
    cases = []

    def add(name, comment, kind="user", salt=None, identity="alice", password="password123", until=None, bits=1024):
        while True:
            a, b = source.getrandbits(bits), source.getrandbits(bits)
            made_salt = salt or source.randbytes(16)
            block = source.randbytes(66)
            timestamp = source.choice(["Sat Nov 21 05:03:07 UTC 2026", "Sat Sep 5 09:03:07 UTC 2026"])
            if kind == "user":
                input = {"userPoolID": "eu-west-1_AbCdEfGhI"}
                realm = "AbCdEfGhI"
            else:
                input = {"deviceGroupKey": "-AbCdEfGh"}
                realm = "-AbCdEfGh"
            expect = cognito_exchange(realm, identity, password, made_salt, a, b, block, timestamp)
            if until is None or until(expect):
                break
        input |= {
            "identity": identity, "password": password, "salt": made_salt.hex(), "a": f"{a:x}", "b": f"{b:x}",
            "secretBlock": base64.b64encode(block).decode(), "timestamp": timestamp,
        }
        cases.append({"id": name, "comment": comment, "input": input, "expect": expect})

    add("plain", "nothing special")
    add("unicode", "identity and password outside ASCII", identity="andré@example.org", password="pässwörd 🔑 東京")
    add("colons", "identity and password with colons", identity="user:name", password=" pass:word ")
    add("long", "the longest password", password="p" * 256)
    add("short-exponents", "a and b of 256 bits", bits=256)
    add("salt-high-bit", "a salt whose top bit is set: a sign byte comes in front", salt=bytes.fromhex("ff" + "42" * 15))
    add("salt-zero", "a salt that begins with zero: the zero goes", salt=bytes.fromhex("0012" + "34" * 14))
    add("salt-zero-high-bit", "zero, then the top bit: the zero stays", salt=bytes.fromhex("0092" + "34" * 14))
    add("salt-zeros", "several zeros in front", salt=bytes.fromhex("000000" + "7f" * 13))
    for member in ("A", "B", "S", "v"):
        digits = lambda count, member=member: lambda made: len(made[member]) == count
        add(f"{member}-odd", f"{member} has an odd number of digits", until=digits(767), bits=256)
        add(f"{member}-short", f"{member} begins with a zero byte", until=digits(766), bits=256)
    top = lambda member, count: lambda made: len(made[member]) == count and int(made[member][0], 16) >= 8
    low = lambda member, count: lambda made: len(made[member]) == count and int(made[member][0], 16) < 8
    add("S-sign", "S takes a sign byte", until=top("S", 768), bits=256)
    add("S-no-sign", "S takes none", until=low("S", 768), bits=256)
    add("S-short-sign", "S begins with a zero byte, and takes a sign byte", until=top("S", 766), bits=256)
    add("u-sign", "u takes a sign byte", until=top("u", 64), bits=256)
    add("u-no-sign", "u takes none", until=low("u", 64), bits=256)
    add("u-odd", "u has an odd number of digits", until=lambda made: len(made["u"]) == 63, bits=256)
    add("u-short", "u begins with a zero byte", until=lambda made: len(made["u"]) == 62, bits=256)
    device = "eu-west-1_0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    add("device", "a remembered device", kind="device", identity=device, password=base64.b64encode(bytes(range(40))).decode())
    add(
        "device-S-odd", "a device, S of an odd number of digits", kind="device", identity=device,
        password=base64.b64encode(bytes(range(40))).decode(), until=lambda made: len(made["S"]) == 767, bits=256,
    )
    return {
        "suite": "cognito-srp", "source": "made by makers/make_srp.py with plain integers, from both sides",
        "cases": cases,
    }


def write(name, suite):
    (FOLDER / name).write_text(json.dumps(suite, indent=1, ensure_ascii=False) + "\n")
    print(name, len(suite["cases"]))


if __name__ == "__main__":
    write("rfc5054-groups.json", groups())
    write("rfc5054-srp.json", rfc5054())
    write("srp.json", plain())
    write("cognito-srp.json", cognito())
