#!/usr/bin/env python3
"""Measures all contenders in turn, several rounds, and prints the tables of docs/speed.md.

    make bench            five rounds
    make bench ROUNDS=1   one

    .venv/bin/python Benchmarks/run.py synchronisation   prints the tables of data sets alone, once make bench has built all

The measured values are in Benchmarks/.build/results.json; report.py reads them.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import identities
import nodes
import report
import user_pools

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = int(os.environ.get("ROUNDS", "5"))
BENCH = HERE / ".build/release/token-benchmarks"
# Built with the trait Sodium: its rows for Ed25519 are added to the others.
SODIUM = HERE / ".build-sodium/release/token-benchmarks"
COMMAND = HERE.parent / ".build-static/verify-token"
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


def synchronisation():
    values = {}
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
        for group, contender, value in rows([BENCH, "synchronisation"]):
            values.setdefault((group, contender), []).append(value)
    report.print_tables(report.data_set_tables(report.Rows([[*key, found] for key, found in values.items()])))


def main():
    if not BENCH.exists() or not SODIUM.exists() or not COMMAND.exists():
        raise SystemExit("not built; make bench builds all of it")
    values, starts, batches = {}, [], []
    # First, because these rows start programs that can fail.
    service, several = identities.measure(ROUNDS), nodes.measure(ROUNDS)
    pools = user_pools.measure(ROUNDS)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([BENCH, "material", folder], check=True)
        for number in range(ROUNDS):
            print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
            for command in ([BENCH], [SODIUM, "sodium"], [sys.executable, HERE / "peers.py", folder / "material.json"]):
                for group, contender, value in rows(command):
                    values.setdefault((group, contender), []).append(value)
            starts.append(start_up(folder))
            batches.append(batch(folder))
        size = install(folder).stat().st_size
    results = {"rows": [[*key, *[value]] for key, value in values.items()], "starts": starts, "batches": batches,
               "size": size, "service": service, "nodes": several, "user pools": pools}
    report.RESULTS.write_text(json.dumps(results))
    report.show(results)


synchronisation() if sys.argv[1:] == ["synchronisation"] else main()
