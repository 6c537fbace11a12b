#!/usr/bin/env python3
"""Counts instructions under callgrind: counts do not depend on the machine's load, so a limit on them can fail a build.

    run.py paths             compares each hot path with counts.json (5 per cent)
    run.py paths --record    writes counts.json
    run.py hidden [CALL...]  checks that names of nobody cost what names of users do, where a client hides who exists
    run.py shapes [NAME]     checks that twice the input costs at most 2.3 times as much, at two doublings
    run.py commands          the same for what only the command does, less the cost of its start
    run.py starts            counts a whole run of each subcommand, and compares it with verifying a token

Only the program itself is counted, with the Swift runtime that is linked into it. libcrypto and the C library choose
their code by the processor, so their counts differ between machines. The runtime finds types in a table by hashes of
addresses, so the number of keys that it looks at differs between runs; this search is not counted either.
"""

import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
RELEASE = os.path.join(FOLDER, "../../.build-optimized/release")
PROBE = os.path.join(RELEASE, "instruction-probe")
COMMAND = os.path.join(RELEASE, "verify-token")
RECORD = os.path.join(FOLDER, "counts.json")
TOLERANCE = 0.05
GROWTH = 2.3
# In the names of the functions that search the runtime's table of types.
NOT_COUNTED = "swift::MetadataCacheKey"


def measure(arguments):
    """Runs the probe and returns a list of (words of its line, own instructions, all instructions)."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", SWIFT_BACKTRACE="enable=no")
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no",
             "--zero-before=cost_begin", "--dump-before=cost_end",
             f"--callgrind-out-file={folder}/counts", PROBE, *arguments],
            capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            sys.exit(f"the probe failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        lines = [line.split() for line in done.stdout.splitlines()]
        dumps = sorted(glob.glob(f"{folder}/counts.*"), key=lambda name: int(name.rsplit(".", 1)[1]))
        if len(lines) != len(dumps):
            sys.exit(f"{len(lines)} regions, {len(dumps)} dumps")
        return [(line, *count(dump)) for line, dump in zip(lines, dumps)]


def count(dump):
    """The exclusive instructions of the program itself, and of everything, in one of callgrind's files."""
    own = total = 0
    is_own = is_counted = is_call = False
    with open(dump, errors="replace") as lines:
        for line in lines:
            if line.startswith("ob="):
                is_own = "instruction-probe" in line
            elif line.startswith("fn="):
                is_counted = NOT_COUNTED not in line
            elif line.startswith("calls="):
                is_call = True
            elif re.match(r"^[+\-*\d]", line):
                if not is_call:
                    cost = int(line.split()[1])
                    total += cost
                    own += cost if is_own and is_counted else 0
                is_call = False
    return own, total


# A new user pool costs at most two signatures more than a change of a pool: no call makes keys. The first sign-in takes spares.
# All instructions count, also those of libcrypto, since these are of one run.
NEW_POOL = ("user-pool-create", "user-pool-update", "issue-RS256")


def new_pool(totals):
    create, update, signature = (totals[name] for name in NEW_POOL)
    signatures = (create - update) / signature
    held = signatures <= 2
    print(f"a new user pool: {signatures:.2f} signatures more than a change{'' if held else '  OVER 2'}")
    return not held


def counted(measured):
    return {line[1]: round(own / int(line[2])) for line, own, _ in measured}


def paths(record):
    measured = measure(["paths"])
    found = counted(measured)
    with open(RECORD) as file:
        recorded = json.load(file)
    # All threads are counted. What a service does by its clock, such as a look for work, may fall into the region of a path:
    # the lower one of two counts is the path's.
    if record or any(found[name] > recorded.get(name, 0) * (1 + TOLERANCE) for name in found):
        found = {name: min(number, found[name]) for name, number in counted(measure(["paths"])).items()}
    if record:
        with open(RECORD, "w") as file:
            json.dump(found, file, indent=2, sort_keys=True)
            file.write("\n")
    with open(RECORD) as file:
        recorded = json.load(file)
    failed = False
    for name in sorted(found.keys() | recorded.keys()):
        new, old = found.get(name), recorded.get(name)
        if new is None or old is None:
            print(f"{name}: {'not measured' if new is None else f'{new} instructions, not recorded'}")
            failed = True
            continue
        change = new / old - 1
        # Fewer are reported too: the record is then written anew, so that the next step up is seen.
        held = abs(change) <= TOLERANCE
        failed |= not held
        print(f"{name}: {new} instructions, recorded {old} ({change:+.1%}){'' if held else '  OUTSIDE 5 per cent'}")
    return new_pool({line[1]: total / int(line[2]) for line, _, total in measured}) or failed


def shapes(name):
    costs = {}
    for line, own, total in measure(["shapes", *name]):
        costs.setdefault(line[1], []).append((int(line[2]), total))
    failed = False
    for shape, sizes in costs.items():
        growth = [after[1] / before[1] for before, after in zip(sizes, sizes[1:])]
        held = len(growth) == 2 and all(step <= GROWTH for step in growth)
        failed |= not held
        print(f"{shape}: {sizes[0][1]} instructions for {sizes[0][0]} bytes, "
              f"times {' and '.join(f'{step:.2f}' for step in growth)}{'' if held else '  OVER 2.3'}")
    if not costs:
        sys.exit("no such shape")
    return failed


# The share by which names of users and of nobody may differ; 0.6 per cent of these two are about a microsecond. All their
# instructions count, since both kinds are of one run. A commit adds some that differ by chance, and for a power a user's verifier
# is opened: of other calls only the program's own count. Times told names apart where these differed by 1.5 per cent.
HIDDEN = {"choice": 0.006, "device": 0.006}
HIDDEN_OWN = 0.012
# Of 460,000 instructions 1.5 per cent are two microseconds beside a power of 300; they vary from build to build between 0.9 and 1.6.
HIDDEN_OWNS = {"srp": 0.02}
# Work of other threads falls into some regions, and keys are random: a call that differs is measured again. A difference
# of the program itself is in every one of these.
HIDDEN_TRIES = 3


def hidden(names):
    pending = set(names)
    for _ in range(HIDDEN_TRIES):
        counts = {}
        # In memory where there is such a folder: counts do not depend on it, and a disk makes each commit wait.
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
            measured = measure(["hidden", folder, *sorted(pending)])
        for line, own, total in measured:
            call, kind = line[1].split("/")
            counts.setdefault(call, {}).setdefault(kind, []).append(total if call in HIDDEN else own)
        over = set()
        for call, kinds in counts.items():
            kinds = {kind: statistics.median(costs) for kind, costs in kinds.items()}
            change = kinds["unknown"] / kinds["known"] - 1
            limit = HIDDEN.get(call, HIDDEN_OWNS.get(call, HIDDEN_OWN))
            if abs(change) > limit:
                over.add(call)
            print(f"{call}: {kinds['known']:.0f} instructions for users, {kinds['unknown']:.0f} for nobody "
                  f"({change:+.2%}){f'  OVER {limit:.1%}' if call in over else ''}")
        pending = over
        if not counts or not pending:
            break
    return not counts or bool(pending)


# Sets for `verify-token jwks`. Their keys are cheap to read, so that a listing which looks at all of them for each of them
# is seen; a set has at most 1,024 keys.
LISTINGS = {
    "jwks-refused": lambda index: {"kty": "unknown", "kid": str(index)},
    "jwks-warnings": lambda index: {"kty": "oct", "k": "AAAA"},
    "jwks-alternating": lambda index: {"kty": "oct", "k": "AAAA"} if index % 2 else {"kty": "unknown"},
    "jwks-same-names": lambda index: {"kty": "oct", "k": "AAAA", "kid": "same"},
}


def commands():
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        def cost(make, count):
            file = os.path.join(folder, "keys.json")
            with open(file, "w") as keys:
                json.dump({"keys": [make(index) for index in range(count)]}, keys)
            environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", SWIFT_BACKTRACE="enable=no")
            done = subprocess.run(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", COMMAND, "jwks", file],
                capture_output=True, text=True, env=environment)
            # 1: a key was refused.
            if done.returncode not in (0, 1) or len(done.stdout.splitlines()) < count:
                sys.exit(f"the command failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
            return int(re.search(r"Collected : (\d+)", done.stderr)[1])
        for name, make in LISTINGS.items():
            start = cost(make, 1)
            sizes = [cost(make, count) - start for count in (257, 513, 1_024)]
            growth = [after / before for before, after in zip(sizes, sizes[1:])]
            held = all(step <= GROWTH for step in growth)
            failed |= not held
            print(f"{name}: {sizes[0]} instructions for 256 keys, "
                  f"times {' and '.join(f'{step:.2f}' for step in growth)}{'' if held else '  OVER 2.3'}")
    return failed


EXAMPLES = os.path.join(FOLDER, "../../docs/example")
KEYS = ["--jwks", f"{EXAMPLES}/jwks.json", "--any-issuer", "--any-audience", "--at", "2026-09-05T09:03:07Z"]
# A whole run of each subcommand: its words, and its standard input.
STARTS = {
    "without a subcommand": (KEYS, "access-token.txt"),
    "verify": (["verify", *KEYS], "access-token.txt"),
    "inspect": (["inspect"], "access-token.txt"),
    "jwks list": (["jwks", "list", f"{EXAMPLES}/jwks.json"], None),
    "jwks generate": (["jwks", "generate", "--private-file", "NEW"], None),
    "sign": (["sign", "--secret-file", f"{EXAMPLES}/secret"], "claims.json"),
    "sigv4 sign": (["sigv4", "sign", "--service", "s3", "--region", "us-east-1"], "request.http"),
    "totp code": (["totp", "code", "--secret-file", f"{EXAMPLES}/alice.otp"], None),
}
# The options of `verify` are parsed without the other subcommands, so these may cost more; `verify` may not.
START_LIMITS = {"verify": 1.01}
START_LIMIT = 1.6


def starts():
    failed = False
    first = None
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(
            os.environ, SWIFT_DETERMINISTIC_HASHING="1", SWIFT_BACKTRACE="enable=no",
            AWS_ACCESS_KEY_ID="AKIAIOSFODNN7EXAMPLE", AWS_SECRET_ACCESS_KEY="secret")
        for name, (words, source) in STARTS.items():
            words = [f"{folder}/private.jwk" if word == "NEW" else word for word in words]
            with open(f"{EXAMPLES}/{source}" if source else os.devnull) as file:
                done = subprocess.run(
                    ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", COMMAND, *words],
                    stdin=file, capture_output=True, text=True, env=environment)
            if done.returncode != 0:
                sys.exit(f"{name} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
            cost = int(re.search(r"Collected : (\d+)", done.stderr)[1])
            first = first or cost
            held = cost / first <= START_LIMITS.get(name, START_LIMIT)
            failed |= not held
            print(f"{name}: {cost} instructions, times {cost / first:.2f}{'' if held else '  OVER THE LIMIT'}")
    return failed


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["paths", *rest]:
            sys.exit(paths("--record" in rest))
        case ["hidden", *names]:
            sys.exit(hidden(names))
        case ["shapes", *rest]:
            sys.exit(shapes(rest))
        case ["commands"]:
            sys.exit(commands())
        case ["starts"]:
            sys.exit(starts())
        case _:
            sys.exit(__doc__)
