"""User pools under load: the server's processor time for a sign-in beside its powers and signatures, and pools of two sizes.

    .venv/bin/python Benchmarks/user_pools.py [ROUNDS] [--users N] [--postgresql] [--moto]

The client computes in Python, on the other core. What counts is the server's processor time, and times of single calls.
"""
import argparse
import base64
import datetime
import hashlib
import hmac
import json
import os
import pathlib
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import boto3
from botocore.config import Config

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Interop"))
SERVICE = HERE.parent / ".build-qr/release/identity-service"
BENCH = HERE / ".build/release/token-benchmarks"
REGION, PASSWORD = "us-east-1", "Correct-horse-9"
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


def processor(pid):
    """Microseconds of processor time that a process has used."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:13]) * 1e6 / os.sysconf("SC_CLK_TCK")


def resident(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) * 1024


class Server:
    """identity-service with a pool and a client."""

    def __init__(self, folder, more=()):
        self.folder = folder
        self.process = subprocess.Popen([SERVICE, "serve", "--data", folder, "--port", "0", "--rate", "0", *more], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        text = ""
        while "listening on" not in text:
            text += self.process.stdout.readline()
        self.url = re.search(r"listening on (\S+)", text)[1]
        key = pathlib.Path(folder, "first-access-key").read_text()
        self.client = boto3.client(
            "cognito-idp", endpoint_url=self.url, region_name=REGION, config=Config(parameter_validation=False),
            aws_access_key_id=re.search(r"ACCESS_KEY_ID=(\S+)", key)[1], aws_secret_access_key=re.search(r"SECRET_ACCESS_KEY=(\S+)", key)[1])

    def call(self, operation, body):
        """A call without the cost of an SDK."""
        request = urllib.request.Request(self.url + "/", json.dumps(body).encode(), {
            "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": f"AWSCognitoIdentityProviderService.{operation}"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read() or b"{}")

    def make_pool(self, name):
        pool = self.client.create_user_pool(PoolName=name)["UserPool"]["Id"]
        client = self.client.create_user_pool_client(UserPoolId=pool, ClientName="speed", ExplicitAuthFlows=[
            "ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])["UserPoolClient"]["ClientId"]
        return pool, client

    def make_user(self, pool, name):
        self.client.admin_create_user(UserPoolId=pool, Username=name, MessageAction="SUPPRESS")
        self.client.admin_set_user_password(UserPoolId=pool, Username=name, Password=PASSWORD, Permanent=True)

    def sign_in(self, pool, client, name):
        """A whole sign-in by SRP: the result, and the seconds of its two calls."""
        a = secrets.randbits(256)
        public = pow(2, a, N)
        begin = time.perf_counter()
        first = self.call("InitiateAuth", {"ClientId": client, "AuthFlow": "USER_SRP_AUTH", "AuthParameters": {"USERNAME": name, "SRP_A": f"{public:x}"}})
        spent = time.perf_counter() - begin
        given = first["ChallengeParameters"]
        b, salt, identity = int(given["SRP_B"], 16), int(given["SALT"], 16), given["USER_ID_FOR_SRP"]
        u = digest(number(public), number(b))
        x = private_key(pool, identity, PASSWORD, salt)
        s = pow(b - K * pow(2, x, N), a + u * x, N)
        pseudo = hmac.digest(number(u), number(s), "sha256")
        key = hmac.digest(pseudo, b"Caldera Derived Key\x01", "sha256")[:16]
        now = datetime.datetime.now(datetime.timezone.utc)
        stamp = f"{now:%a %b} {now.day} {now:%H:%M:%S UTC %Y}"
        proof = hmac.digest(key, f"{pool.partition('_')[2]}{identity}".encode() + base64.b64decode(given["SECRET_BLOCK"]) + stamp.encode(), "sha256")
        begin = time.perf_counter()
        second = self.call("RespondToAuthChallenge", {"ClientId": client, "ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": {
            "USERNAME": given["USERNAME"], "TIMESTAMP": stamp, "PASSWORD_CLAIM_SECRET_BLOCK": given["SECRET_BLOCK"],
            "PASSWORD_CLAIM_SIGNATURE": base64.b64encode(proof).decode()}})
        return second["AuthenticationResult"], spent + time.perf_counter() - begin

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def cost(server, count, work):
    """Processor time of the server for one piece of work, the median and the 99th percentile of its time; microseconds."""
    times, before = [], processor(server.process.pid)
    for place in range(count):
        begin = time.perf_counter()
        found = work(place)
        times.append(found if isinstance(found, float) else time.perf_counter() - begin)
    spent = (processor(server.process.pid) - before) / count
    times.sort()
    return {"processor": spent, "median": statistics.median(times) * 1e6, "p99": times[int(len(times) * 0.99)] * 1e6}


def bare():
    """Microseconds of the powers and of two signatures of a sign-in, by libcrypto alone."""
    values = {}
    for line in subprocess.run([BENCH, "sign-ins"], capture_output=True, text=True).stdout.splitlines():
        row = json.loads(line)
        values[row["name"]] = row["value"]
    powers = next((value for name, value in values.items() if name.startswith("server: bare powers")), None)
    text = subprocess.run(["openssl", "speed", "-seconds", "2", "rsa2048"], check=True, capture_output=True, text=True).stdout
    return powers, 1e6 / float(re.search(r"rsa 2048 bits\s+\S+\s+\S+\s+(\S+)", text)[1])


def measure(folder, count=200):
    server = Server(folder)
    pool, client = server.make_pool("speed")
    server.make_user(pool, "jane")
    server.sign_in(pool, client, "jane")
    rows = {"sign-in by SRP": cost(server, count, lambda _: server.sign_in(pool, client, "jane")[1])}
    parameters = {"ClientId": client, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": "jane", "PASSWORD": PASSWORD}}
    rows["USER_PASSWORD_AUTH"] = cost(server, count, lambda _: server.call("InitiateAuth", parameters))
    tokens = server.call("InitiateAuth", parameters)["AuthenticationResult"]
    refresh = {"ClientId": client, "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": {"REFRESH_TOKEN": tokens["RefreshToken"]}}
    rows["REFRESH_TOKEN_AUTH"] = cost(server, count, lambda _: server.call("InitiateAuth", refresh))
    rows["GetUser"] = cost(server, 5 * count, lambda _: server.call("GetUser", {"AccessToken": tokens["AccessToken"]}))
    server.stop()
    return rows


def csv_of(pool, path, users):
    """Users with one shared verifier, so that a million take no hours."""
    salt = 0x5EED5EED5EED5EED5EED5EED5EED5EED
    verifier = pow(2, private_key(pool, "shared", PASSWORD, salt), N)
    with open(path, "w") as file:
        file.write("cognito:username,email,email_verified,cognito:mfa_enabled,srp:salt,srp:verifier,srp:id\n")
        for index in range(users):
            file.write(f"user-{index},user-{index}@example.com,true,false,{salt:x},{verifier:x},shared\n")


def growth(folder, sizes, store=()):
    """Medians of sign-ins in pools of several sizes, in one database."""
    rows = {}
    for users in sizes:
        place = folder / f"users-{users}"
        server = Server(place, store)
        pool, client = server.make_pool("large")
        server.stop()
        csv_of(pool, folder / "users.csv", users)
        begin = time.perf_counter()
        subprocess.run([SERVICE, "user-pool", "user", "import", folder / "users.csv", "--pool", pool, "--data", place, *store], check=True,
                       stdout=subprocess.DEVNULL)
        imported = time.perf_counter() - begin
        server = Server(place, store)
        times = [server.sign_in(pool, client, f"user-{secrets.randbelow(users)}")[1] for _ in range(100)]
        size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
        rows[users] = {"sign-in": statistics.median(times) * 1e6, "import": imported, "bytes a user": size / users, "memory": resident(server.process.pid)}
        server.stop()
    return rows


def moto_rows(count=20):
    """moto's times for the calls that it has."""
    process = subprocess.Popen([HERE.parent / ".venv/bin/moto_server", "-p", "5078", "-H", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = boto3.client("cognito-idp", endpoint_url="http://127.0.0.1:5078", region_name=REGION, aws_access_key_id="a", aws_secret_access_key="a")
    try:
        while True:
            try:
                urllib.request.urlopen("http://127.0.0.1:5078/moto-api/data.json", timeout=2).read()
                break
            except OSError:
                time.sleep(0.2)
        pool = client.create_user_pool(PoolName="speed")["UserPool"]["Id"]
        app = client.create_user_pool_client(UserPoolId=pool, ClientName="speed", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"])["UserPoolClient"]["ClientId"]
        client.admin_create_user(UserPoolId=pool, Username="jane", MessageAction="SUPPRESS")
        client.admin_set_user_password(UserPoolId=pool, Username="jane", Password=PASSWORD, Permanent=True)

        def sign_in():
            return client.initiate_auth(ClientId=app, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "jane", "PASSWORD": PASSWORD})

        token, rows = sign_in()["AuthenticationResult"]["AccessToken"], {}
        for name, call in [("USER_PASSWORD_AUTH", sign_in), ("GetUser", lambda: client.get_user(AccessToken=token))]:
            times = []
            for _ in range(count):
                begin = time.perf_counter()
                call()
                times.append(time.perf_counter() - begin)
            rows[name] = statistics.median(times) * 1e6
        return rows
    finally:
        process.terminate()
        process.wait(20)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rounds", nargs="?", type=int, default=3)
    parser.add_argument("--users", type=int, default=0, help="a second pool of this size")
    parser.add_argument("--postgresql", help="the address of a database for the pools of two sizes")
    parser.add_argument("--moto", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for turn in range(options.rounds):
            powers, signature = bare()
            rows = measure(folder / f"round-{turn}")
            needed = (powers or 0) + 2 * signature
            print(f"powers {powers:.0f}, two signatures {2 * signature:.0f}, together {needed:.0f}" if powers else f"two signatures {2 * signature:.0f}")
            for row, found in rows.items():
                print(f"{row}: {found['processor']:.0f} of processor time, {found['median']:.0f} median, p99 {found['p99'] / found['median']:.1f} medians")
            if powers:
                print(f"sign-in over powers and signatures: {rows['sign-in by SRP']['processor'] / needed:.2f}")
        if options.moto:
            print("moto", moto_rows())
        if options.users:
            print("sqlite", json.dumps(growth(folder, [1_000, options.users])))
            if options.postgresql:
                print("postgresql", json.dumps(growth(folder / "shared", [1_000, options.users], ("--store", options.postgresql))))


if __name__ == "__main__":
    main()
