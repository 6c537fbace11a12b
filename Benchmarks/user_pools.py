"""User pools under load: the server's processor time for a sign-in beside its powers and signatures, and pools of two sizes.

    .venv/bin/python Benchmarks/user_pools.py [ROUNDS] [--users N]
    .venv/bin/python Benchmarks/user_pools.py --sign-ins N [--folder FOLDER]

The second form measures sign-ins one after the other over SQLite on a disk of yours, beside the disk's own `fdatasync`: what a
commit costs a caller.

The client of a sign-in computes in Python, on the other core. What counts is the server's processor time, and the times of
single calls. Other calls come from wrk.
"""
import argparse
import base64
import concurrent.futures
import datetime
import hashlib
import hmac
import http.client
import itertools
import json
import os
import pathlib
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import boto3

from identities import HERE, MOTO, SERVICE, wrk

sys.path.insert(0, str(HERE.parent / "Tests/Interop"))
from postgresql_support import PostgreSQL  # noqa: E402

BENCH = HERE / ".build/release/token-benchmarks"
PASSWORD = "Correct-horse-9"
TARGET = "AWSCognitoIdentityProviderService."
TYPE = "application/x-amz-json-1.1"
SIZES = (1_000, 1_000_000)
CONNECTIONS = 8
# More than calls of one name are counted.
USERS = 1_000
# RFC 3526, group 15.
N = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437"
    "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05"
    "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33"
    "A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864"
    "D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF", 16)


def number(value):
    """The shortest two's-complement bytes."""
    return value.to_bytes(value.bit_length() // 8 + 1, "big")


def digest(*parts):
    return int.from_bytes(hashlib.sha256(b"".join(parts)).digest(), "big")


K = digest(number(N), number(2))


def private_key(pool, name, password, salt):
    return digest(number(salt), hashlib.sha256(f"{pool.partition('_')[2]}{name}:{password}".encode()).digest())


def resident(pid):
    """Bytes of a process in memory."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Caller:
    """Calls over one connection, as an SDK keeps it."""

    def __init__(self, url):
        self.url = url
        self.connection = http.client.HTTPConnection(url.partition("//")[2], timeout=60)

    def call(self, operation, body):
        self.connection.request("POST", "/", json.dumps(body), {"Content-Type": TYPE, "X-Amz-Target": TARGET + operation})
        response = self.connection.getresponse()
        data = response.read()
        if response.status != 200:
            raise SystemExit(f"{operation}: {response.status} {data[:500]}")
        return json.loads(data or b"{}")

    def timed(self, operation, body):
        """The answer, and the microseconds of the call."""
        begin = time.perf_counter()
        answer = self.call(operation, body)
        return answer, (time.perf_counter() - begin) * 1e6

    def load(self, operation, body, pid, **more):
        """The same call again and again, from wrk, or each of a list in turn."""
        text = [json.dumps(one) for one in body] if isinstance(body, list) else json.dumps(body)
        return wrk(self.url, {"Content-Type": TYPE, "X-Amz-Target": TARGET + operation}, text, pid, **more)


class Server(Caller):
    """identity-service over a folder or a database, with a pool and a client."""

    def __init__(self, place):
        self.place = [str(part) for part in place]
        self.start()

    def start(self):
        self.process = subprocess.Popen([SERVICE, "serve", *self.place, "--port", "0", "--rate", "0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        url = None
        while url is None:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("identity-service does not start")
            found = re.search(r"listening on (\S+)", line)
            url = found[1] if found else None
        super().__init__(url)

    def command(self, *words):
        return subprocess.run([SERVICE, "user-pool", *words, *self.place], check=True, capture_output=True, text=True).stdout.split()

    def make_pool(self):
        self.pool = self.command("create", "speed")[0]
        flows = ("ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH")
        self.client = self.command("client", "create", "speed", "--pool", self.pool, *(word for flow in flows for word in ("--flow", flow)))[0]

    def import_users(self, count):
        """Adds users with one shared verifier, so that a million take no hours. Returns the seconds."""
        salt = 0x5EED5EED5EED5EED5EED5EED5EED5EED
        verifier = pow(2, private_key(self.pool, "shared", PASSWORD, salt), N)
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("cognito:username,email,email_verified,cognito:mfa_enabled,srp:salt,srp:verifier,srp:id\n")
            for index in range(count):
                file.write(f"user-{index},user-{index}@example.com,true,false,{salt:x},{verifier:x},shared\n")
            file.flush()
            begin = time.perf_counter()
            self.command("user", "import", file.name, "--pool", self.pool)
            return time.perf_counter() - begin

    def begin(self, name, public):
        return {"ClientId": self.client, "AuthFlow": "USER_SRP_AUTH", "AuthParameters": {"USERNAME": name, "SRP_A": f"{public:x}"}}

    def with_password(self, name):
        return {"ClientId": self.client, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": name, "PASSWORD": PASSWORD}}

    def sign_in(self, name):
        """A whole sign-in by SRP: the result, and the microseconds of its two calls."""
        a = secrets.randbits(256)
        public = pow(2, a, N)
        first, spent = self.timed("InitiateAuth", self.begin(name, public))
        second, more = self.timed("RespondToAuthChallenge", self.response(first, a, public))
        return second["AuthenticationResult"], spent + more

    def response(self, challenge, a, public):
        """The answer to a challenge with the right password."""
        given = challenge["ChallengeParameters"]
        b, salt, identity = int(given["SRP_B"], 16), int(given["SALT"], 16), given["USER_ID_FOR_SRP"]
        u = digest(number(public), number(b))
        x = private_key(self.pool, identity, PASSWORD, salt)
        s = pow(b - K * pow(2, x, N), a + u * x, N)
        pseudo = hmac.digest(number(u), number(s), "sha256")
        key = hmac.digest(pseudo, b"Caldera Derived Key\x01", "sha256")[:16]
        now = datetime.datetime.now(datetime.timezone.utc)
        stamp = f"{now:%a %b} {now.day} {now:%H:%M:%S UTC %Y}"
        head = f"{self.pool.partition('_')[2]}{identity}".encode()
        proof = hmac.digest(key, head + base64.b64decode(given["SECRET_BLOCK"]) + stamp.encode(), "sha256")
        return {"ClientId": self.client, "ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": {
            "USERNAME": given["USERNAME"], "TIMESTAMP": stamp, "PASSWORD_CLAIM_SECRET_BLOCK": given["SECRET_BLOCK"],
            "PASSWORD_CLAIM_SIGNATURE": base64.b64encode(proof).decode()}}

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def processor_time(pid):
    """Microseconds of processor time that a process has used, to the nanosecond."""
    return time.clock_gettime(~pid << 3 | 2) * 1e6


def signed_in(server, count):
    """Sign-ins by SRP: the server's processor time, the median and the 99th percentile; microseconds.

    The client takes ten times as long as the server. It therefore computes all proofs between the first calls and the
    second ones, and makes calls over several connections at once, as the server of many clients has no pause.
    """
    a = secrets.randbits(256)
    public = pow(2, a, N)
    # A name has a number of sign-ins that have begun.
    begin, spent, local = [server.begin(f"user-{index % USERS}", public) for index in range(count)], 0, threading.local()

    def caller():
        if not hasattr(local, "caller"):
            local.caller = Caller(server.url)
        return local.caller

    def each(operation, bodies):
        nonlocal spent
        before = processor_time(server.process.pid)
        with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as threads:
            found = list(threads.map(lambda body: caller().timed(operation, body), bodies))
        spent += processor_time(server.process.pid) - before
        return found

    first = each("InitiateAuth", begin)
    second = each("RespondToAuthChallenge", [server.response(answer, a, public) for answer, _ in first])
    times = sorted(one[1] + two[1] for one, two in zip(first, second))
    return [spent / count, statistics.median(times), times[int(count * 0.99)]]


def powers():
    """Microseconds of the powers of a sign-in's server, by libcrypto alone."""
    return json.loads(subprocess.run([BENCH, "powers"], check=True, capture_output=True, text=True).stdout)["value"]


def signature():
    text = subprocess.run(["openssl", "speed", "-seconds", "1", "rsa2048"], check=True, capture_output=True, text=True).stdout
    return 1e6 / float(re.search(r"rsa 2048 bits\s+\S+\s+\S+\s+(\S+)", text)[1])


def calls(server):
    """Calls from wrk: a second, the median, the 99th percentile, and the processor time of each; microseconds."""
    tokens = server.sign_in("user-0")[0]
    password = server.with_password("user-0")
    refresh = {"ClientId": server.client, "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": {"REFRESH_TOKEN": tokens["RefreshToken"]}}
    found = {}
    for name, operation, body in [
            ("challenge", "InitiateAuth", [server.begin(f"user-{index}", pow(2, secrets.randbits(256), N)) for index in range(100, USERS)]), ("password", "InitiateAuth", password),
            ("refresh", "InitiateAuth", refresh), ("GetUser", "GetUser", {"AccessToken": tokens["AccessToken"]})]:
        before = processor_time(server.process.pid)
        rate, middle, slow, _ = server.load(operation, body, server.process.pid)
        # wrk measures four seconds.
        found[name] = [rate, middle, slow, (processor_time(server.process.pid) - before) / (rate * 4)]
    return found


def moto():
    """moto's calls a second, without proofs: it checks neither SRP nor signatures."""
    process = subprocess.Popen([MOTO, "-p", "5078", "-H", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        caller = Caller("http://127.0.0.1:5078")
        while True:
            try:
                pool = caller.call("CreateUserPool", {"PoolName": "speed"})["UserPool"]["Id"]
                break
            except OSError:
                caller.connection.close()
                time.sleep(0.2)
        client = caller.call("CreateUserPoolClient", {"UserPoolId": pool, "ClientName": "speed", "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]})
        client = client["UserPoolClient"]["ClientId"]
        caller.call("AdminCreateUser", {"UserPoolId": pool, "Username": "jane", "MessageAction": "SUPPRESS"})
        caller.call("AdminSetUserPassword", {"UserPoolId": pool, "Username": "jane", "Password": PASSWORD, "Permanent": True})
        body = {"ClientId": client, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": "jane", "PASSWORD": PASSWORD}}
        tokens = caller.call("InitiateAuth", body)["AuthenticationResult"]
        refresh = {"ClientId": client, "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": {"REFRESH_TOKEN": tokens["RefreshToken"]}}
        found = {}
        for name, operation, body in [("password", "InitiateAuth", body), ("refresh", "InitiateAuth", refresh),
                                      ("GetUser", "GetUser", {"AccessToken": tokens["AccessToken"]})]:
            found[name] = caller.load(operation, body, process.pid, connections=4, seconds=2)[0]
        return found
    finally:
        process.terminate()
        process.wait(20)


def growth(servers, sizes, disk):
    """Pools of several sizes at the same time, so that the machine's load is the same: microseconds, bytes, seconds."""
    rows = {}
    for server, users in zip(servers, sizes):
        before = disk(server)
        seconds = server.import_users(users)
        # The file or the database holds them all once their log was written back.
        server.stop()
        rows[users] = {"import": seconds, "disk": (disk(server) - before) / users}
        server.start()
    times = {users: [] for users in sizes}
    spent = {users: -processor_time(server.process.pid) for server, users in zip(servers, sizes)}
    count = 300
    for _ in range(count):
        for server, users in random.sample(list(zip(servers, sizes)), len(sizes)):
            times[users].append(server.sign_in(f"user-{secrets.randbelow(users)}")[1])
    for server, users in zip(servers, sizes):
        spent[users] += processor_time(server.process.pid)
        rows[users] |= {"median": statistics.median(times[users]), "processor": spent[users] / count, "memory": resident(server.process.pid)}
    return rows


def sqlite_growth(folder, sizes):
    servers = [Server(["--data", folder / f"users-{users}"]) for users in sizes]
    for server in servers:
        server.make_pool()
    rows = growth(servers, sizes, lambda server: sum(file.stat().st_size for file in pathlib.Path(server.place[1]).rglob("*") if file.is_file()))
    for server in servers:
        server.stop()
    return rows


def postgresql_growth(folder, sizes):
    key = folder / "master.key"
    key.write_bytes(os.urandom(32))
    key.chmod(0o600)
    servers = []
    for _ in sizes:
        database = PostgreSQL()
        servers.append(Server(["--store", database.url, "--master-key", key]))
        servers[-1].database = database
        servers[-1].make_pool()
    rows = growth(servers, sizes, lambda server: int(server.database.sql("SELECT pg_database_size('postgres')")))
    for server in servers:
        server.stop()
        server.database.remove()
    return rows


def measure(rounds, users=SIZES[1], count=100):
    """Lists of values by name."""
    found = {"powers": [], "signature": [], "sign-in": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for turn in range(rounds):
            server = Server(["--data", folder / f"round-{turn}"])
            server.make_pool()
            server.import_users(USERS)
            server.sign_in("user-0")
            # In turn, so that the machine's load is the same for both.
            for _ in range(5):
                found["powers"].append(powers())
                found["signature"].append(signature())
                found["sign-in"].append(signed_in(server, count))
            for row, values in calls(server).items():
                found.setdefault(row, []).append(values)
            server.stop()
        found["moto"] = moto()
        if users:
            sizes = (SIZES[0], users)
            found["SQLite"] = sqlite_growth(folder, sizes)
            found["PostgreSQL"] = postgresql_growth(folder, sizes)
    # As they are read from a file.
    return json.loads(json.dumps(found))


def synced(folder, count):
    """Microseconds of writing and syncing what a small commit writes, in order."""
    times = []
    with open(folder / "sync", "wb", buffering=0) as file:
        for _ in range(count):
            begin = time.perf_counter()
            file.write(bytes(4 * 4_120))
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - begin) * 1e6)
    return sorted(times)


def sign_ins(folder, count):
    """Median and 99th percentile of sign-ins, in random order over one connection: microseconds."""
    server = Server(["--data", folder / "data"])
    server.make_pool()
    # A name and address may begin 100 sign-ins that end without tokens.
    others = [f"user-{number + 1}" for number in range(count // 80 + 1)]
    server.import_users(len(others) + 1)
    words = subprocess.run([SERVICE, "key", "create", "--print", *server.place], check=True, capture_output=True, text=True).stdout
    key, secret = (re.search(rf"{name}=['\"]?([^'\"\s;]+)", words)[1] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"))
    admin = boto3.client("cognito-idp", endpoint_url=server.url, region_name="us-east-1", aws_access_key_id=key, aws_secret_access_key=secret)
    # The new password is the further step.
    for name in others:
        admin.admin_set_user_password(UserPoolId=server.pool, Username=name, Password=PASSWORD, Permanent=False)
    turns = itertools.cycle(others)
    rows = {
        "password": lambda: server.timed("InitiateAuth", server.with_password("user-0"))[1],
        "password with a further step": lambda: server.timed("InitiateAuth", server.with_password(next(turns)))[1],
        "SRP": lambda: server.sign_in("user-0")[1]}
    for measure_one in rows.values():
        for _ in range(5):
            measure_one()
    times = {name: [] for name in rows}
    for name in random.sample(list(rows) * count, len(rows) * count):
        times[name].append(rows[name]())
    server.stop()
    times["fdatasync"] = synced(folder, count)
    return {name: {"median": statistics.median(found), "p99": sorted(found)[int(len(found) * 0.99)]} for name, found in times.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rounds", nargs="?", type=int, default=3)
    parser.add_argument("--users", type=int, default=0, help="pools of 1,000 and of this number of users")
    parser.add_argument("--sign-ins", type=int, help="measure this number of sign-ins of each kind over SQLite, and nothing else")
    parser.add_argument("--folder", help="a folder on the disk to measure; default: the system's for temporary files")
    options = parser.parse_args()
    if options.sign_ins:
        with tempfile.TemporaryDirectory(dir=options.folder) as name:
            print(json.dumps(sign_ins(pathlib.Path(name), options.sign_ins), indent=1))
        return
    print(json.dumps(measure(options.rounds, options.users), indent=1))


if __name__ == "__main__":
    main()
