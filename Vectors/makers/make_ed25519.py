#!/usr/bin/env python3
"""Writes ed25519.json: Ed25519 signatures over JWS signing inputs, valid ones and ones that verifiers disagree about.

The curve's arithmetic is RFC 8032's in Python integers. Each case is checked here by the rules of the library: A and R
canonical and not of small order, S below L, SB = R + hA without the cofactor.

    Vectors/makers/make_ed25519.py
"""
import base64
import hashlib
import json
import pathlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def x_of(y, sign):
    """x for y modulo p, also for x = 0 with its sign set; None off the curve."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        return None
    return P - x if x and x & 1 != sign else x


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    product = D * x1 * x2 * y1 * y2 % P
    return ((x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P)


def times(number, point):
    result = (0, 1)
    while number:
        if number & 1:
            result = add(result, point)
        point = add(point, point)
        number >>= 1
    return result


def encode(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decode(data):
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    x = x_of(y % P, sign)
    return None if x is None else (x, y % P)


BASE = (x_of(4 * pow(5, -1, P) % P, 0), 4 * pow(5, -1, P) % P)


def torsion():
    """A point of order 8."""
    y = 2
    while True:
        x = x_of(y, 0)
        if x is not None:
            point = times(L, (x, y))
            if times(4, point) != (0, 1):
                return point
        y += 1


T = torsion()
SMALL = [times(k, T) for k in range(8)]


def hash_of(r, a, message):
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % L


def good_point(data):
    y = int.from_bytes(data, "little") & (1 << 255) - 1
    return y < P and y not in {point[1] for point in SMALL}


def verdict(key, message, signature):
    """The code of the refusal; None for a valid signature."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if not good_point(key):
        return "point_invalid"
    a, point = decode(key), decode(r)
    if not good_point(r) or s >= L or a is None or point is None:
        return "signature_invalid"
    return None if times(s, BASE) == add(point, times(hash_of(r, key, message), a)) else "signature_invalid"


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


CASES = []


def case(name, comment, key, message, signature, reject=None):
    assert verdict(key, message, signature) == reject, (name, verdict(key, message, signature))
    entry = {"id": name, "comment": comment,
             "input": {"key": key.hex(), "message": message.hex(), "signature": signature.hex()}}
    entry.update({"reject": reject} if reject else {"expect": {"valid": True}})
    CASES.append(entry)


def number_from(label):
    """A fixed number below L, so that the file is the same each time it is made."""
    return int.from_bytes(hashlib.sha512(label.encode()).digest(), "little") % L


def message_of(number=0):
    return (text(b'{"alg":"EdDSA"}') + "." + text(b"edge case %d" % number)).encode()


def pair(r, s):
    return r + s.to_bytes(32, "little")


def main():
    secret, nonce = number_from("Ed25519 vectors: secret"), number_from("Ed25519 vectors: nonce")
    honest, r = times(secret, BASE), encode(times(nonce, BASE))
    key, message = encode(honest), message_of()
    s = (nonce + hash_of(r, key, message) * secret) % L
    case("valid", "", key, message, pair(r, s))
    case("S + L", "the same signature with S not reduced", key, message, pair(r, s + L), "signature_invalid")
    case("S + 8 L", "the highest bit of S is set", key, message, pair(r, s + 8 * L), "signature_invalid")
    case("S = L", "", key, message, pair(r, L), "signature_invalid")
    case("S = 0", "", key, message, pair(r, 0), "signature_invalid")

    # With the nonce 0, R is the identity, and the equation holds.
    for name, data, comment in [
        ("R = 1", (1).to_bytes(32, "little"), "R is the identity: the equation holds, libcrypto accepts it"),
        ("R = 1, x negative", (1 | 1 << 255).to_bytes(32, "little"), "the identity with the sign of x set"),
        ("R = p + 1", (P + 1).to_bytes(32, "little"), "the identity, y not reduced"),
        ("R = p + 1, x negative", (P + 1 | 1 << 255).to_bytes(32, "little"), "the identity, y not reduced, the sign of x set"),
    ]:
        case(name, comment, key, message, pair(data, hash_of(data, key, message) * secret % L), "signature_invalid")

    # A key with a component of small order: such a key is valid, and R of small order can cancel that component.
    mixed = add(honest, T)
    mixed_key = encode(mixed)
    for order, index in [(2, 4), (4, 2), (8, 1)]:
        number = 0
        small = encode(SMALL[index])
        while True:
            message = message_of(number)
            h = hash_of(small, mixed_key, message)
            if add(SMALL[index], times(h % 8, T)) == (0, 1):
                break
            number += 1
        case(f"R of order {order}", "A of mixed order: the equation holds, libcrypto accepts it", mixed_key, message,
             pair(small, h * secret % L), "signature_invalid")
    for holds in (True, False):
        number = 0
        while True:
            message = message_of(number)
            r = encode(add(times(nonce, BASE), T))
            h = hash_of(r, mixed_key, message)
            if (add(T, times(h % 8, T)) == (0, 1)) == holds:
                break
            number += 1
        case(f"A and R of mixed order, {'equal' if holds else 'multiplied by 8'}",
             "holds without the cofactor" if holds else "holds only with the cofactor", mixed_key, message,
             pair(r, (nonce + h * secret) % L), None if holds else "signature_invalid")

    # Keys that are refused before any signature is checked.
    message = message_of()
    for k in range(19):
        for sign in (0, 1):
            if x_of(k, sign) is not None:
                data = (P + k | sign << 255).to_bytes(32, "little")
                case(f"A = p + {k}{', x negative' if sign else ''}", "y not reduced", data, message, pair(key, 1), "point_invalid")
    for index, point in enumerate(SMALL):
        case(f"A = {index} T", "A of small order", encode(point), message, pair(key, 0), "point_invalid")
    for y in (1, P - 1):
        case(f"A = {'1' if y == 1 else '-1'}, x negative", "x is 0 and its sign set", (y | 1 << 255).to_bytes(32, "little"), message,
             pair(key, 0), "point_invalid")
    number = next(y for y in range(2, 100) if x_of(y, 0) is None)
    case("A off the curve", "no x for this y", number.to_bytes(32, "little"), message, pair(r, 1), "signature_invalid")
    case("R off the curve", "no x for this y", key, message, pair(number.to_bytes(32, "little"), 1), "signature_invalid")
    file = {"suite": "ed25519", "source": "made by makers/make_ed25519.py after RFC 8032, section 5.1", "cases": CASES}
    (pathlib.Path(__file__).resolve().parent.parent / "ed25519.json").write_text(json.dumps(file, indent=1) + "\n")


if __name__ == "__main__":
    main()
