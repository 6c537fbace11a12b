#!/usr/bin/env python3
"""Prints the tables of docs/speed.md from the values that run.py measured.

    report.py           prints them
    report.py --write   replaces them in docs/speed.md, each after its line <!-- table NAME -->
"""
import json
import pathlib
import re
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / ".build/results.json"
PAGE = HERE.parent / "docs/speed.md"
LIBRARY, BARE, SODIUM = "this library", "bare libcrypto", "this library, trait Sodium"
CLIENT, SERVER = "client: bare powers (two of 1,024 bits, one of 256)", "server: bare powers (two of 512 bits, one of 256)"
HMAC, CODE, CHECK = "bare HMAC-SHA1 of 8 bytes, key cached", "a code, secret cached", "a check with a window of one, secret cached"
VERIFICATION, DECISION = "verifying a signed request, both steps", "a decision over ten statements"
SIGN, VERIFY, HASH = "signing", "verifying, both steps", "bare hashing of the same bytes: body, canonical request, string to sign"
JOSE, SHORT, LONG = "jose jws ver", "verify-token, static", "verify-token verify, static"
# The group, what cannot be left out, and all of it.
DATA_SETS = [
    ("data sets: changes", "UpdateRecords: a commit of two rows, and the signature, alone", "UpdateRecords of one record"),
    ("data sets: pages", "ListRecords: a read of 100 rows, and the signature, alone", "ListRecords of 100 records"),
    ("data sets: client", "synchronise: its two calls alone, signed, sent and read", "synchronise: a change on the device, and its synchronisation"),
    ("data sets: messages", "a push message: its JSON alone", "a push message, read and checked")]
THREADS = "two threads, times one"
ALGORITHMS = ["RS256", "ES256", "Ed25519", "HS256"]
middle = statistics.median


class Rows:
    """The contenders' times, in microseconds, one for each round."""

    def __init__(self, rows):
        self.values = {(group, name): values for group, name, values in rows}

    def names(self, group):
        return [name for other, name in self.values if other == group and "two threads" not in name]

    def time(self, group, name):
        return middle(self.values[group, name])

    def ratio(self, group, name, other):
        """The median of the rounds' ratios: all contenders of a round meet the same load."""
        return middle(a / b for a, b in zip(self.values[group, name], self.values[group, other]))

    def compared(self, groups, first):
        """A line for each contender: its time, and its ratio to `first(name)`."""
        for group in groups:
            for name in self.names(group):
                yield f"| {name} | {self.time(group, name):,.2f} | {self.ratio(group, name, first(group, name)):.2f} |"


def tokens(rows):
    yield "| algorithm | contender | microseconds | times bare libcrypto | times this library |"
    yield "|---|---|---:|---:|---:|"
    for group in ALGORITHMS:
        for name in rows.names(group):
            yield (f"| {group} | {name} | {rows.time(group, name):.2f} | {rows.ratio(group, name, BARE):.2f} "
                   f"| {rows.ratio(group, name, LIBRARY):.2f} |")


def contenders(rows, groups, first):
    yield "| contender | microseconds | times the first of its kind |"
    yield "|---|---:|---:|"
    yield from rows.compared(groups, first)


def goals(marks):
    yield "| what | measured | goal |"
    yield "|---|---:|---:|"
    for name, value, goal in marks:
        yield f"| {name} | {value:.2f} | {goal} |"


def token_goals(rows):
    ratio, time = rows.ratio, rows.time
    decoding = "this library, and the claims decoded into a type"
    for group, bare, other in (("RS256", "1.15", "3"), ("ES256", "1.05", "1.3")):
        yield f"{group}, times bare", ratio(group, LIBRARY, BARE), f"at most {bare}"
        yield f"{group}, jwt-kit's time over this library's", ratio(group, "jwt-kit 5", LIBRARY), f"at least {other}"
        yield f"{group}, the same, called from the main actor", ratio(group, "jwt-kit 5, called from the main actor", LIBRARY), f"at least {other}"
    yield "HS256, times bare, context kept", ratio("HS256", LIBRARY, BARE), "at most 3"
    yield "HS256, times bare, one call", ratio("HS256", LIBRARY, "bare libcrypto, HMAC() in one call"), "at most 3"
    yield "HS256, jwt-kit's time over this library's", ratio("HS256", "jwt-kit 5", LIBRARY), "at least 10"
    yield "Ed25519 with the trait Sodium, times bare libcrypto", ratio("Ed25519", SODIUM, BARE), "at most 0.5"
    yield "Ed25519 with the trait Sodium, times bare libsodium", ratio("Ed25519", SODIUM, "bare libsodium"), ""
    yield "Ed25519 with the trait Sodium, jwt-kit's time over this library's", ratio("Ed25519", "jwt-kit 5", SODIUM), "at least 1.8"
    extra = middle(a - b for a, b in zip(rows.values["HS256", decoding], rows.values["HS256", LIBRARY]))
    yield "claims decoded into a type (HS256), microseconds more", extra, "at most 2"
    for group in ALGORITHMS:
        yield f"{group}, two threads over one", time(group, THREADS), "at least 1.9"
    yield "Ed25519 with the trait Sodium, two threads over one", time("Ed25519", f"{THREADS}, trait Sodium"), "at least 1.9"
    yield "bytes in use that 20,000 tokens add", time("memory", "bytes in use that 20,000 tokens add"), "0"


def key_goals(rows):
    ratio = rows.ratio
    yield "cached remote keys over a local set", ratio("issuers", "cached remote keys", "a local set"), "at most 1.05"
    yield "1,000 issuers over one, tokens of one", ratio("issuers", "1,000 issuers, tokens of one", "cached remote keys"), "at most 1.1"
    yield ("1,000 issuers over one, a token of each in turn",
           ratio("issuers", "1,000 issuers, a token of each in turn", "one issuer, 1,000 tokens in turn"), "at most 1.1")
    yield "cached remote keys, two threads over one", rows.time("issuers", THREADS), "at least 1.9"
    for name in ("one token", "ten thousand in turn"):
        yield f"a token seen again over its verification, {name}", ratio("cache", f"cached, {name}", "no cache"), "at most 0.08"
        yield f"a token seen again, {name}, two threads over one", rows.time("cache", f"{name}, {THREADS}"), "at least 1.9"


def request_goals(rows):
    ratio, bare = rows.ratio, "bare SHA-256 of 8 MiB"
    yield "signing over bare hashing", ratio("requests", SIGN, HASH), "at most 3"
    yield "verifying over signing", ratio("requests", VERIFY, SIGN), "at most 1.25"
    yield "awscrt's time over this library's", ratio("requests", "awscrt, called from Python", SIGN), "at least 5"
    yield "botocore's time over this library's", ratio("requests", "botocore", SIGN), "at least 15"
    for name in ("a body's hash while it is received", "chunks signed", "chunks verified, each before its release"):
        yield f"{name}, speed over bare SHA-256", ratio("streams", bare, name), "at least 0.9"


def policy_goals(rows):
    yield "a decision over ten statements, over the verification of a signed request", rows.ratio("policies", DECISION, VERIFICATION), "at most 0.3"
    for name in ("moto", "principalmapper"):
        yield f"{name}'s time over this library's", rows.ratio("policies", name, DECISION), "at least 50"
    yield "10,000 kept keys of sessions, MiB", rows.time("memory", "10,000 kept keys of sessions, MiB"), "at most 12"


def sign_in_goals(rows):
    ratio, client, server = rows.ratio, "client: A, key, signature", "server: all of it"
    yield "client of a sign-in over its bare powers", ratio("sign-ins", client, CLIENT), "at most 1.1"
    whole = "client: a whole sign-in, tokens verified, without a network"
    yield "client of a sign-in with its calls and tokens over its bare powers", ratio("sign-ins", whole, CLIENT), "at most 1.05"
    yield "server of a sign-in over its bare powers", ratio("sign-ins", server, SERVER), "at most 1.1"
    yield "a code over one bare HMAC-SHA1", ratio("codes", CODE, HMAC), "at most 2"
    yield "a check over one bare HMAC-SHA1 (it computes three)", ratio("codes", CHECK, HMAC), "at most 5"
    yield "a code, pyotp's time over this library's", ratio("codes", "a code, pyotp", CODE), "at least 8"
    yield "a check, pyotp's time over this library's", ratio("codes", "a check with a window of one, pyotp", CHECK), "at least 8"


def data_set_goals(rows):
    for name, goal, (group, floor, whole) in (
            ("UpdateRecords over its commit and its signature", "1.75", DATA_SETS[0]),
            ("ListRecords over its read and its signature", "3", DATA_SETS[1]),
            ("a synchronisation over its two calls", "2", DATA_SETS[2]), ("a push message over its JSON", "2", DATA_SETS[3])):
        yield name, rows.ratio(group, whole, floor), f"at most {goal}"


def service(found):
    bare, rates = middle(found["signatures"]), [row[0] for row in found["tokens"]]
    medians, slow = ([row[index] / 1e3 for row in found["tokens"]] for index in (1, 2))
    reads, one, moto = middle(found["reads"]), middle(found["reads on one core"]), found["moto"]
    guests, syncs = middle(found["guests"]), middle(found["syncs"])
    yield "| what | per second | |"
    yield "|---|---:|---|"
    yield f"| RSA-2048 signatures, bare libcrypto, both cores (`openssl speed`) | {bare:,.0f} | 1.00 |"
    yield (f"| `GetOpenIdTokenForDeveloperIdentity`, a known user, from SQLite | {middle(rates):,.0f} | {middle(rates) / bare:.2f}; "
           f"median {middle(medians):.1f} ms, 99th percentile {middle(slow):.1f} ms |")
    yield f"| the same, moto's server, which signs nothing | {moto[0]:,.0f} | {middle(rates) / moto[0]:.1f} times slower |"
    yield f"| `DescribeIdentityPool`: both cores, one core | {reads:,.0f}, {one:,.0f} | {reads / one:.2f} times |"
    yield f"| the same, moto's server | {moto[1]:,.0f} | {reads / moto[1]:.0f} times slower |"
    yield f"| `GetId` of a new guest, one synced commit each | {guests:,.0f} | bare `fdatasync` of a page: {syncs:,.0f} |"
    yield ("| start to first response, identity-service / an empty Hummingbird service | | "
           f"{middle(found['starts']):.0f} ms / {middle(found['empty starts']):.0f} ms |")


def service_nodes(found):
    yield "| on PostgreSQL, all on the same cores | calls per second, one node | two nodes | the database's processor time of a call, microseconds |"
    yield "|---|---:|---:|---:|"
    for name, kind in (("`GetOpenIdTokenForDeveloperIdentity`, a known user", "tokens"), ("`DescribeIdentityPool`", "reads"),
                       ("`GetId` of a new guest, one synced commit each", "guests")):
        one, two = ([middle(row[part] for row in found[f"{kind}, {count}"]) for part in (0, 1)] for count in ("one node", "two nodes"))
        yield f"| {name} | {one[0]:,.0f} | {two[0]:,.0f} | {one[1]:,.0f} |"


def service_memory(found):
    yield "| 100,000 identities | MB |"
    yield "|---|---:|"
    for engine in ("SQLite", "PostgreSQL"):
        yield (f"| memory that a node would use for them, from 20,000 that it has read, {engine}; it keeps 64 MiB of rows at most | {middle(found[f'memory, {engine}']) / 10:,.0f} |")
    yield f"| disk, PostgreSQL, with indexes | {middle(found['disk, PostgreSQL']) / 10:,.0f} |"


def service_time(found):
    """Where the processor time of a developer token goes, in microseconds."""
    signature = middle(found["signature"])
    idle, read, token = (
        [middle(row[part] for row in rows) for part in (0, 1)]
        for rows in (found["empty calls"], found["read calls"], [row[3] for row in found["tokens"]]))

    def row(name, own, kernel):
        return f"| {name} | {own:.0f} | {kernel:.0f} | {(own + kernel) / signature:.2f} |"

    yield "| processor time of one call | program, microseconds | kernel, microseconds | times an RSA signature |"
    yield "|---|---:|---:|---:|"
    yield row("an RSA-2048 signature, bare libcrypto, one core (`openssl speed`)", signature, 0)
    yield row("an empty Hummingbird service, a request and a response of the same size", *idle)
    yield row("`DescribeIdentityPool`: with the signature of the call, the cached pool and its JSON", *read)
    yield row("a developer token", *token)
    yield row("of it, beside the signature and the empty service", token[0] - signature - idle[0], token[1] - idle[1])


def service_goals(found):
    yield "processor time of a developer token over its RSA signature", middle(
        sum(t[3]) / one for t, one in zip(found["tokens"], found["signature"])), "at most 1.3"
    bare, syncs = found["signatures"], found["syncs"]
    yield "developer tokens over bare signatures on all cores", middle(
        t[0] / ((a + b) / 2) for t, a, b in zip(found["tokens"], bare[::2], bare[1::2])), "at least 0.8"
    yield "developer tokens: 99th percentile over median", middle(row[2] / row[1] for row in found["tokens"]), "below 5"
    yield "reads: all cores over one", middle(a / b for a, b in zip(found["reads"], found["reads on one core"])), "grow with cores"
    yield "new guests over bare `fdatasync` of a page", middle(
        rate / ((a + b) / 2) for rate, a, b in zip(found["guests"], syncs[::2], syncs[1::2])), "none: it depends on the disk"
    yield "start to first response over an empty Hummingbird", middle(
        a / b for a, b in zip(found["starts"], found["empty starts"])), "at most 2"


POOL_CALLS = {
    "challenge": "`InitiateAuth` with `USER_SRP_AUTH`: the powers", "password": "`USER_PASSWORD_AUTH`: a power and two signatures",
    "refresh": "`REFRESH_TOKEN_AUTH`: two signatures", "GetUser": "`GetUser`"}
POOL_STORES = ("SQLite", "PostgreSQL")


def sign_in_ratio(found):
    """The median of the turns' ratios: a turn's parts meet the same load."""
    return middle(sign_in[0] / (powers + 2 * signature)
                  for powers, signature, sign_in in zip(found["powers"], found["signature"], found["sign-in"]))


def user_pools(found):
    powers, signature, moto = middle(found["powers"]), middle(found["signature"]), found["moto"]
    spent, time, slow = (middle(row[part] for row in found["sign-in"]) for part in range(3))
    yield "| what | processor time, microseconds | per second | median, ms | 99th percentile, ms | moto's server, per second |"
    yield "|---|---:|---:|---:|---:|---:|"
    yield f"| bare powers of a sign-in by SRP, server | {powers:,.0f} | | | | |"
    yield f"| two RSA-2048 signatures (`openssl speed`) | {2 * signature:,.0f} | | | | |"
    yield f"| a sign-in by SRP, two calls | {spent:,.0f} | | {time / 1e3:.1f} | {slow / 1e3:.1f} | checks no proof |"
    for name, text in POOL_CALLS.items():
        rate, time, slow, spent = (middle(row[part] for row in found[name]) for part in range(4))
        other = f"{moto[name]:,.0f}" if name in moto else ""
        yield f"| {text} | {spent:,.0f} | {rate:,.0f} | {time / 1e3:.1f} | {slow / 1e3:.1f} | {other} |"


def user_pool_sizes(found):
    yield "| store | users | a sign-in, ms | its processor time, ms | bytes of disk a user | memory of the server, MB | users imported a second |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for store in POOL_STORES:
        for users, row in found.get(store, {}).items():
            yield (f"| {store} | {int(users):,} | {row['median'] / 1e3:.2f} | {row['processor'] / 1e3:.2f} | {row['disk']:,.0f} "
                   f"| {row['memory'] / 1e6:.0f} | {int(users) / row['import']:,.0f} |")


def user_pool_goals(found):
    yield "processor time of a sign-in by SRP over its powers and signatures", sign_in_ratio(found), "at most 1.25"
    for name, text in POOL_CALLS.items():
        yield f"{text.partition(':')[0]}: 99th percentile over median", middle(row[2] / row[1] for row in found[name]), "below 5"
    for store in POOL_STORES:
        if store in found:
            (few, small), (many, large) = sorted(found[store].items(), key=lambda item: int(item[0]))
            yield f"a sign-in with {int(many):,} users over one with {int(few):,}, {store}", large["median"] / small["median"], "below 1.2"


def command(results):
    starts = results["starts"]
    yield "| what | measured | times `jose jws ver` | goal |"
    yield "|---|---:|---:|---:|"
    for name in (JOSE, SHORT, LONG):
        goal = "" if name == JOSE else "at most 1.05"
        times = middle(start[name] / start[JOSE] for start in starts)
        yield f"| start, verify, end: {name}, microseconds | {middle(start[name] for start in starts):,.0f} | {times:.2f} | {goal} |"
    yield f"| size of the static command, stripped, MB | {results['size'] / 1e6:.1f} | | below 20 |"
    yield f"| `--batch`, two cores over one | {middle(a / b for a, b in results['batches']):.2f} | | at least 1.8 |"


def data_set_tables(rows):
    floors = {group: floor for group, floor, _ in DATA_SETS}
    return {"data sets": contenders(rows, floors, lambda group, _: floors[group]), "data set goals": goals(data_set_goals(rows))}


def tables(results):
    """The tables in the order of the page, by name."""
    rows = Rows(results["rows"])
    keys = {"issuers": "a local set", "cache": "no cache", "proofs": "a DPoP proof's signature alone, key prepared"}
    requests = {"requests": HASH, "streams": "bare SHA-256 of 8 MiB"}
    return {
        "tokens": tokens(rows), "token goals": goals(token_goals(rows)),
        "keys": contenders(rows, keys, lambda group, _: keys[group]), "key goals": goals(key_goals(rows)),
        "requests": contenders(rows, requests, lambda group, _: requests[group]), "request goals": goals(request_goals(rows)),
        "policies": contenders(rows, ["policies"], lambda *_: VERIFICATION), "policy goals": goals(policy_goals(rows)),
        "sign-ins": contenders(
            rows, ("sign-ins", "codes"), lambda group, name: HMAC if group == "codes" else SERVER if name.startswith("server") else CLIENT),
        "sign-in goals": goals(sign_in_goals(rows)),
        "service": service(results["service"]), "service time": service_time(results["service"]),
        "service nodes": service_nodes(results["nodes"]), "service memory": service_memory(results["nodes"]),
        "service goals": goals(service_goals(results["service"])),
        "user pools": user_pools(results["user pools"]), "user pool sizes": user_pool_sizes(results["user pools"]),
        "user pool goals": goals(user_pool_goals(results["user pools"])),
        **data_set_tables(rows), "command": command(results),
    }


def show(results):
    print_tables(tables(results))


def print_tables(all_tables):
    for name, lines in all_tables.items():
        print(f"\n{name}\n")
        print("\n".join(lines))


def write(results):
    page = PAGE.read_text()
    for name, lines in tables(results).items():
        page, count = re.subn(rf"(<!-- table {name} -->\n\n)(?:\|.*\n)*", lambda mark: mark[1] + "\n".join(lines) + "\n", page)
        if count != 1:
            raise SystemExit(f"{PAGE} has {count} places for the table {name}")
    PAGE.write_text(page)


if __name__ == "__main__":
    measured = json.loads(RESULTS.read_text())
    write(measured) if "--write" in sys.argv else show(measured)
