#!/usr/bin/env python3
"""Runs every contender in turn, several rounds, and prints a table of ratios.

    make bench            five rounds
    make bench ROUNDS=1   one
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = int(os.environ.get("ROUNDS", "5"))
BENCH = HERE / ".build/release/token-benchmarks"
# Built with the trait Sodium: its rows for Ed25519 are added to the others.
SODIUM = HERE / ".build-sodium/release/token-benchmarks"
COMMAND = HERE.parent / ".build-static/release/verify-token"
EXAMPLE = HERE.parent / "docs/example"
OPTIONS = ["--jwks", str(EXAMPLE / "jwks.json"), "--any-audience", "--at", "2026-09-05T09:03:07Z",
           "--issuer", "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01"]
VERIFY = [str(COMMAND), *OPTIONS]
JOSE, SHORT, LONG = "jose jws ver", "verify-token, static", "verify-token verify, static"


def rows(command):
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        row = json.loads(line)
        yield row["group"], row["name"], row["value"]


def spawn(command, stdin):
    """User and system seconds and wall microseconds of one process, started with as little around it as can be."""
    import time

    with open(stdin, "rb") as file:
        null = os.open(os.devnull, os.O_WRONLY)
        start = time.perf_counter()
        pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, file.fileno(), 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
        _, status = os.waitpid(pid, 0)
        elapsed = time.perf_counter() - start
        os.close(null)
    if status != 0:
        raise SystemExit(f"{command[0]} ended with {status}")
    return elapsed * 1e6


def start_up(folder):
    """The command against `jose jws ver`: start, verify one RS256 token, end."""
    payload = json.dumps({"iss": "x"}).encode()
    key, public, token = folder / "k.jwk", folder / "p.jwk", folder / "t"
    subprocess.run(["jose", "jwk", "gen", "-i", '{"alg":"RS256"}', "-o", key], check=True)
    subprocess.run(["jose", "jwk", "pub", "-i", key, "-o", public], check=True)
    (folder / "payload").write_bytes((EXAMPLE / "access-token.txt").read_bytes()[:500] + payload)
    subprocess.run(["jose", "jws", "sig", "-I", folder / "payload", "-k", key, "-c", "-o", token], check=True)
    installed = str(install(folder))
    commands = {
        JOSE: ["jose", "jws", "ver", "-i", str(token), "-k", str(public)],
        SHORT: [installed, *OPTIONS],
        LONG: [installed, "verify", *OPTIONS],
    }
    for command in commands.values():
        for _ in range(5):
            spawn(command, EXAMPLE / "access-token.txt")
    times = {name: [] for name in commands}
    for _ in range(200):
        for name, command in commands.items():
            times[name].append(spawn(command, EXAMPLE / "access-token.txt"))
    return {name: statistics.median(values) for name, values in times.items()}


def install(folder):
    """The command without symbols, copied as `make install` copies it: a file that a linker wrote is mapped more slowly."""
    installed = folder / "verify-token"
    subprocess.run(["install", "-s", COMMAND, installed], check=True)
    return installed


def batch(folder):
    """--batch on one core and on two: microseconds a token."""
    tokens = folder / "tokens"
    line = (EXAMPLE / "access-token.txt").read_text()
    count = 60_000
    tokens.write_text(line * count)
    result = {}
    for cores in ("0", "0,1"):
        times = [spawn(["taskset", "-c", cores, *VERIFY, "--batch"], tokens) for _ in range(3)]
        result[cores] = statistics.median(times) / count
    return result["0"], result["0,1"]


def main():
    if not BENCH.exists() or not SODIUM.exists() or not COMMAND.exists():
        raise SystemExit("build first: make bench does")
    values = {}
    starts, batches = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([BENCH, "material", folder], check=True)
        for number in range(ROUNDS):
            print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
            for command in ([BENCH], [SODIUM, "sodium"], [sys.executable, HERE / "peers.py", folder / "material.json"]):
                for group, contender, value in rows(command):
                    values.setdefault((group, contender), []).append(value)
            if shutil.which("jose"):
                starts.append(start_up(folder))
            batches.append(batch(folder))
        size = install(folder).stat().st_size / 1e6

    def median(group, contender):
        return statistics.median(values[group, contender])

    def ratio(group, contender, other):
        return statistics.median(a / b for a, b in zip(values[group, contender], values[group, other]))

    print("\nOne access token, all checks, one thread. Medians; ratios are taken round by round.\n")
    print("| algorithm | contender | microseconds | times bare libcrypto | times this library |")
    print("|---|---|---:|---:|---:|")
    for group, contender in values:
        if group in ("memory", "issuers", "cache", "proofs", "requests", "streams", "sign-ins", "codes") or "two threads" in contender:
            continue
        print(f"| {group} | {contender} | {median(group, contender):.2f} | {ratio(group, contender, 'bare libcrypto'):.2f} "
              f"| {ratio(group, contender, 'this library'):.2f} |")
    print("\nKeys from elsewhere, RS256, tokens seen again, RS256, and proofs of possession, ES256.\n")
    print("| contender | microseconds | times the first |")
    print("|---|---:|---:|")
    for group, first in (("issuers", "a local set"), ("cache", "no cache"), ("proofs", "its signature alone, key prepared")):
        for (other, contender) in values:
            if other == group and "two threads" not in contender:
                print(f"| {contender} | {median(group, contender):.2f} | {ratio(group, contender, first):.2f} |")
    print("\nOne signed request, the call GetOpenIdTokenForDeveloperIdentity, and a body of 8 MiB.\n")
    print("| contender | microseconds | times the first |")
    print("|---|---:|---:|")
    for group, first in (("requests", "bare hashing of the same bytes"), ("streams", "bare SHA-256 of 8 MiB")):
        for (other, contender) in values:
            if other == group:
                print(f"| {contender} | {median(group, contender):.2f} | {ratio(group, contender, first):.2f} |")
    print("\nA sign-in to a user pool (3,072 bits), each side for itself, and one-time codes (SHA-1, six digits).\n")
    print("| contender | microseconds | times the first |")
    print("|---|---:|---:|")
    client, server = "client: bare powers (2 of 1,024 bits, 1 of 256)", "server: bare powers (2 of 512 bits, 1 of 256)"
    bare = "bare HMAC-SHA1 of 8 bytes, key cached"
    for (group, contender) in values:
        if group in ("sign-ins", "codes"):
            first = bare if group == "codes" else server if contender.startswith("server") else client
            print(f"| {contender} | {median(group, contender):.2f} | {ratio(group, contender, first):.2f} |")
    print("\n| what | measured | goal |")
    print("|---|---:|---:|")
    marks = [
        ("RS256, times bare", ratio("RS256", "this library", "bare libcrypto"), "at most 1.15"),
        ("RS256, jwt-kit's time over ours", ratio("RS256", "jwt-kit 5", "this library"), "at least 3"),
        ("RS256, the same, called from the main actor", ratio("RS256", "jwt-kit 5, called from the main actor", "this library"), "at least 3"),
        ("ES256, times bare", ratio("ES256", "this library", "bare libcrypto"), "at most 1.05"),
        ("ES256, jwt-kit's time over ours", ratio("ES256", "jwt-kit 5", "this library"), "at least 1.3"),
        ("ES256, the same, called from the main actor", ratio("ES256", "jwt-kit 5, called from the main actor", "this library"), "at least 1.3"),
        ("HS256, times bare, context kept", ratio("HS256", "this library", "bare libcrypto"), "at most 5"),
        ("HS256, times bare, one call", ratio("HS256", "this library", "bare libcrypto, HMAC() in one call"), "at most 5"),
        ("HS256, jwt-kit's time over ours", ratio("HS256", "jwt-kit 5", "this library"), "at least 10"),
    ]
    sodium = "this library, trait Sodium"
    marks += [
        ("Ed25519 with the trait Sodium, times bare libcrypto", ratio("Ed25519", sodium, "bare libcrypto"), "at most 0.5"),
        ("Ed25519 with the trait Sodium, times bare libsodium", ratio("Ed25519", sodium, "bare libsodium"), ""),
        ("Ed25519 with the trait Sodium, jwt-kit's time over ours", ratio("Ed25519", "jwt-kit 5", sodium), "at least 1.8"),
        ("Ed25519 with the trait Sodium, two threads over one", median("Ed25519", "two threads, times one, trait Sodium"), "at least 1.9"),
    ]
    marks += [
        ("cached remote keys over a local set", ratio("issuers", "cached remote keys", "a local set"), "at most 1.05"),
        ("1,000 issuers over one, tokens of one", ratio("issuers", "1,000 issuers, tokens of one", "cached remote keys"), "at most 1.1"),
        ("1,000 issuers over one, a token of each in turn",
         ratio("issuers", "1,000 issuers, a token of each in turn", "one issuer, 1,000 tokens in turn"), "at most 1.1"),
        ("cached remote keys, two threads over one", median("issuers", "two threads, times one"), "at least 1.9"),
    ]
    for name in ("one token", "ten thousand in turn"):
        marks.append((f"a token seen again over its verification, {name}", ratio("cache", f"cached, {name}", "no cache"), "at most 0.08"))
        marks.append((f"a token seen again, {name}, two threads over one",
                      median("cache", f"{name}, two threads, times one"), "at least 1.9"))
    marks += [
        ("signing a request over bare hashing", ratio("requests", "signing, key cached", "bare hashing of the same bytes"), "at most 4"),
        ("signing a request, awscrt's time over ours", ratio("requests", "awscrt, from Python", "signing, key cached"), "at least 5"),
        ("signing a request, botocore's time over ours", ratio("requests", "botocore", "signing, key cached"), "at least 15"),
        ("verifying a request over signing it", ratio("requests", "verifying, key cached", "signing, key cached"), "at most 1.3"),
        ("a body's hash while it comes, speed over bare SHA-256", ratio("streams", "bare SHA-256 of 8 MiB", "a body's hash while it comes"), "at least 0.9"),
        ("chunks signed, speed over bare SHA-256", ratio("streams", "bare SHA-256 of 8 MiB", "chunks signed"), "at least 0.9"),
        ("chunks verified each before it goes on, speed over bare SHA-256",
         ratio("streams", "bare SHA-256 of 8 MiB", "chunks verified, each before it goes on"), "at least 0.9"),
    ]
    code, check = "a code, secret cached", "a check with window 1, secret cached"
    marks += [
        ("a sign-in's client over its bare powers", ratio("sign-ins", "client: A, key, signature", client), "at most 1.1"),
        ("a sign-in's server over its bare powers", ratio("sign-ins", "server: all of it", server), "at most 1.1"),
        ("the share of the server's work before the user is known",
         ratio("sign-ins", "server: the share before the user is known", "server: all of it"), ""),
        ("a sign-in's client, pycognito's time over ours", ratio("sign-ins", "client: pycognito", "client: A, key, signature"), ""),
        ("a sign-in's client, the time of swift-crypto with BigInt over ours",
         ratio("sign-ins", "client: swift-crypto with BigInt", "client: A, key, signature"), ""),
        ("a code over one bare HMAC-SHA1", ratio("codes", code, bare), "at most 2"),
        ("a check with window 1 over one bare HMAC-SHA1", ratio("codes", check, bare), "at most 5"),
        ("a code, pyotp's time over ours", ratio("codes", "a code, pyotp", code), "at least 8"),
        ("a check, pyotp's time over ours", ratio("codes", "a check with window 1, pyotp", check), "at least 8"),
        ("a code, swift-crypto's time over ours", ratio("codes", "a code, swift-crypto", code), ""),
    ]
    for group in ("RS256", "ES256", "Ed25519", "HS256"):
        marks.append((f"{group}, two threads over one", median(group, "two threads, times one"), "at least 1.9"))
    marks.append(("bytes in use that 20,000 tokens add", median("memory", "bytes in use that 20,000 tokens add"), "0"))
    if shutil.which("wrk"):
        import identities
        marks += identities.measure(ROUNDS)
    if starts:
        for name in (JOSE, SHORT, LONG):
            print(f"| start, verify, end: {name}, microseconds | {statistics.median(s[name] for s in starts):.0f} | |")
        for name in (SHORT, LONG):
            marks.append((f"start, verify, end: {name}, over {JOSE}",
                          statistics.median(s[name] / s[JOSE] for s in starts), "at most 1.05"))
    marks.append(("size of the static command, stripped, in MB", size, "at most 20"))
    marks.append(("--batch, two cores over one", statistics.median(a / b for a, b in batches), "at least 1.8"))
    for name, value, goal in marks:
        print(f"| {name} | {value:.2f} | {goal} |")


main()
