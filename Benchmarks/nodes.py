"""One node and two nodes of identity-service on one PostgreSQL server, and the memory and disk of identities."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import boto3

from identities import DEVELOPER, HERE, REGION, SERVICE, Server, processor

sys.path.insert(0, str(HERE.parent / "Tests/Interop"))
from postgresql_support import PostgreSQL  # noqa: E402


class Node(Server):
    """A service on data that exists, or on an empty database, where it makes the pool."""

    def __init__(self, place, known=None):
        self.process = subprocess.Popen([SERVICE, "serve", *place, "--port", "0", "--rate", "0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.url = None
        while self.url is None:
            found = re.search(r"listening on (\S+)", self.process.stdout.readline())
            self.url = found[1] if found else None
        if known:
            self.key, self.pool = known.key, known.pool
            return
        text = subprocess.run([SERVICE, "key", "create", "--print", *place], check=True, capture_output=True, text=True).stdout
        self.key = (re.search(r"ACCESS_KEY_ID=(\S+)", text)[1], re.search(r"SECRET_ACCESS_KEY=(\S+)", text)[1])
        self.make_pool()


def database_time(database):
    """Microseconds of processor time of all processes of a PostgreSQL server."""
    children = subprocess.run(["pgrep", "-P", str(database.process.pid)], capture_output=True, text=True).stdout.split()
    return sum(sum(processor(pid)) for pid in [database.process.pid, *map(int, children)])


def at_once(nodes, call):
    """Calls a second of all nodes, each under wrk of its own, and the database's processor time for each call."""
    database = nodes[0].database
    before, begin = database_time(database), time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(len(nodes)) as pool:
        found = list(pool.map(lambda node: call(node, connections=16 // len(nodes))[0], nodes))
    elapsed = time.perf_counter() - begin
    return sum(found), (database_time(database) - before) / (sum(found) * elapsed)


def resident(pid):
    """Bytes of a process in memory."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def remembered(place, known, count=20_000):
    """Bytes of memory for each identity that a new process has read, and the number of these."""
    server = Node(place, known)
    client = boto3.client("cognito-identity", endpoint_url=server.url, region_name=REGION, aws_access_key_id=server.key[0], aws_secret_access_key=server.key[1])
    ids, page = [], {}
    while len(ids) < count:
        answer = client.list_identities(IdentityPoolId=server.pool, MaxResults=60, **page)
        # Guests: an identity with a login needs it in the call.
        ids += [identity["IdentityId"] for identity in answer["Identities"] if not identity.get("Logins")]
        if "NextToken" not in answer:
            break
        page = {"NextToken": answer["NextToken"]}
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write("wrk.method = 'POST'\nlocal ids, place = {%s}, 0\n" % ",".join(f'"{identity}"' for identity in ids))
        script.write("wrk.headers['Content-Type'] = 'application/x-amz-json-1.1'\n"
                     "wrk.headers['X-Amz-Target'] = 'AWSCognitoIdentityService.GetOpenIdToken'\n"
                     "function request() place = place % #ids + 1\n"
                     "return wrk.format(nil, nil, nil, '{\"IdentityId\": \"' .. ids[place] .. '\"}') end\n")
        script.flush()
        seconds = str(len(ids) // 500 + 2)
        command = ["wrk", "-t1", "-c4", "-s", script.name, server.url + "/"]
        before = resident(server.process.pid)
        text = subprocess.run([*command, "-d" + seconds], check=True, capture_output=True, text=True).stdout
        if "Non-2xx" in text:
            raise SystemExit(f"GetOpenIdToken: {text}")
        after = resident(server.process.pid)
        server.stop()
        return (after - before) / len(ids), len(ids)


def measure(rounds):
    """Lists of values by name."""
    results = {f"{kind}, {count}": [] for kind in ("tokens", "reads", "guests") for count in ("one node", "two nodes")}
    with tempfile.TemporaryDirectory() as folder:
        master_key = pathlib.Path(folder, "master.key")
        master_key.write_bytes(os.urandom(32))
        master_key.chmod(0o600)
        for _ in range(rounds):
            database = PostgreSQL()
            place = ["--store", database.url, "--master-key", str(master_key)]
            first = Node(place)
            second = Node(place, first)
            first.database = second.database = database
            for kind, call in (("tokens", Server.tokens), ("reads", Server.reads), ("guests", Server.writes)):
                results[f"{kind}, one node"].append(at_once([first], call))
                results[f"{kind}, two nodes"].append(at_once([first, second], call))
            count = int(database.sql("SELECT count(*) FROM identity"))
            database.sql("VACUUM ANALYZE identity")
            size = int(database.sql("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname IN ('identity', 'identity.id')"))
            results.setdefault("disk, PostgreSQL", []).append(size / count)
            second.stop()
            first.stop()
            results.setdefault("memory, PostgreSQL", []).append(remembered(place, first)[0])
            database.remove()
            data = pathlib.Path(folder, f"sqlite-{len(results['disk, PostgreSQL'])}")
            server = Server(data)
            server.writes(seconds=8)
            server.stop()
            results.setdefault("memory, SQLite", []).append(remembered(["--data", str(data)], server)[0])
    return results


if __name__ == "__main__":
    print(json.dumps(measure(1), indent=1))
