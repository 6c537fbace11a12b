"""identity-service under wrk, beside bare RSA signatures, an empty Hummingbird service and moto's server."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.request

import boto3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

HERE = pathlib.Path(__file__).resolve().parent
SERVICE = HERE.parent / ".build-optimized/release/identity-service"
EMPTY = HERE / ".build/release/empty-service"
MOTO = HERE.parent / ".venv/bin/moto_server"
REGION, DEVELOPER = "us-east-1", "login.my.app"
CORES = len(os.sched_getaffinity(0))


def signatures(cores=CORES):
    """RSA-2048 signatures a second that libcrypto makes."""
    text = subprocess.run(["openssl", "speed", "-seconds", "2", "-multi", str(cores), "rsa2048"], check=True, capture_output=True, text=True).stdout
    return float(re.search(r"rsa 2048 bits\s+\S+\s+\S+\s+(\S+)", text)[1])


def syncs(folder, seconds=2):
    """Appended pages that are on the disk, a second: what a commit costs at the least."""
    with open(folder / "bare", "wb", buffering=0) as file:
        begin, count = time.perf_counter(), 0
        while time.perf_counter() - begin < seconds:
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            count += 1
        return count / (time.perf_counter() - begin)


def processor(pid):
    """Microseconds of processor time that a process has used: in its own code and in the kernel."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return [int(field) * 1e6 / os.sysconf("SC_CLK_TCK") for field in fields[11:13]]


def wrk(url, headers, body, pid, connections=16, seconds=4):
    """Calls a second, microseconds of the median and of the 99th percentile, and the server's processor time for each call.

    Of several bodies each call has the next one."""
    bodies = [body] if isinstance(body, str) else body
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(f'wrk.method = "POST"\nwrk.body = [[{bodies[0]}]]\n')
        script.writelines(f'wrk.headers["{name}"] = "{value}"\n' for name, value in headers.items())
        if len(bodies) > 1:
            script.write(f'local bodies, turn = {{{", ".join(f"[[{text}]]" for text in bodies)}}}, 0\n')
            script.write('function request() turn = turn % #bodies + 1 return wrk.format(nil, nil, nil, bodies[turn]) end\n')
        script.write('function done(s, l, r) io.write(string.format("row %f %f %f %d %d\\n", s.requests / s.duration * 1e6, l:percentile(50), '
                     'l:percentile(99), s.errors.status + s.errors.read + s.errors.timeout, s.requests)) end\n')
        script.flush()
        before = processor(pid)
        text = subprocess.run(["wrk", "-t1", "--timeout", "10s", f"-c{connections}", f"-d{seconds}", "-s", script.name, url + "/"],
                              check=True, capture_output=True, text=True).stdout
        after = processor(pid)
    rate, median, slow, errors, count = map(float, re.search(r"row (\S+) (\S+) (\S+) (\S+) (\S+)", text).groups())
    if errors:
        raise SystemExit(f"{headers.get('X-Amz-Target', url)}: {errors:.0f} calls failed")
    return rate, median, slow, [(end - start) / count for start, end in zip(before, after)]


class Server:
    """Ours, or moto's: a pool and a user that is known."""

    def __init__(self, folder, moto=False, core=None):
        self.key = ("AKIAEXAMPLE", "secret")
        prefix = [] if core is None else ["taskset", "-c", str(core)]
        if moto:
            self.process = subprocess.Popen([MOTO, "-p", "5077", "-H", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.url = "http://127.0.0.1:5077"
            while True:
                try:
                    urllib.request.urlopen(self.url + "/moto-api/data.json", timeout=2).read()
                    break
                except OSError:
                    time.sleep(0.2)
        else:
            self.process = subprocess.Popen([*prefix, SERVICE, "serve", "--data", folder, "--port", "0", "--rate", "0"], stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
            text = ""
            while "create-identity-pool" not in text:
                text += self.process.stdout.readline()
            self.url = re.search(r"listening on (\S+)", text)[1]
            text = pathlib.Path(folder, "first-access-key").read_text()
            self.key = (re.search(r"ACCESS_KEY_ID=(\S+)", text)[1], re.search(r"SECRET_ACCESS_KEY=(\S+)", text)[1])
        self.make_pool()

    def make_pool(self):
        client = boto3.client("cognito-identity", endpoint_url=self.url, region_name=REGION, aws_access_key_id=self.key[0], aws_secret_access_key=self.key[1])
        self.pool = client.create_identity_pool(IdentityPoolName="speed", AllowUnauthenticatedIdentities=True, AllowClassicFlow=True,
                                                DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
        client.get_open_id_token_for_developer_identity(IdentityPoolId=self.pool, Logins={DEVELOPER: "jane"})

    def load(self, operation, body, **more):
        data = json.dumps(body)
        request = AWSRequest("POST", self.url + "/", data=data, headers={
            "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": f"AWSCognitoIdentityService.{operation}"})
        SigV4Auth(Credentials(*self.key), "cognito-identity", REGION).add_auth(request)
        return wrk(self.url, dict(request.headers.items()), data, self.process.pid, **more)

    def tokens(self, **more):
        return self.load("GetOpenIdTokenForDeveloperIdentity", {"IdentityPoolId": self.pool, "Logins": {DEVELOPER: "jane"}}, **more)

    def reads(self, **more):
        return self.load("DescribeIdentityPool", {"IdentityPoolId": self.pool}, **more)

    def writes(self, **more):
        """New guests: one synced commit for each call, and no signature."""
        return self.load("GetId", {"IdentityPoolId": self.pool}, **more)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


def start(command):
    """Milliseconds from start to first response."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    url = None
    while url is None:
        found = re.search(r"listening on (\S+)", process.stdout.readline())
        url = found[1] if found else None
    urllib.request.urlopen(url + "/health", timeout=10).read()
    elapsed = time.perf_counter() - begin
    process.terminate()
    process.wait(20)
    return elapsed * 1e3


def empty_calls(headers, body):
    """An empty service's processor time for a call of the same size."""
    process = subprocess.Popen([EMPTY], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    url = re.search(r"listening on (\S+)", process.stdout.readline())[1]
    try:
        return wrk(url, headers, body, process.pid)[3]
    finally:
        process.terminate()
        process.wait(20)


def measure(rounds):
    """Measures the service, several rounds: lists of values by name."""
    bare, tokens, reads, single, starts, empties, theirs, writes, synced = ([] for _ in range(9))
    one_core, idle, known = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        Server(folder / "warm").stop()
        for number in range(rounds):
            bare.append(signatures())
            server = Server(folder / f"round-{number}")
            one_core.append(1e6 / signatures(1))
            tokens.append(server.tokens())
            found = server.reads()
            reads.append(found[0])
            known.append(found[3])
            synced.append(syncs(folder))
            writes.append(server.writes()[0])
            synced.append(syncs(folder))
            server.stop()
            one = Server(folder / f"single-{number}", core=0)
            single.append(one.reads()[0])
            one.stop()
            bare.append(signatures())
            idle.append(empty_calls({"Content-Type": "application/x-amz-json-1.1", "Authorization": "a" * 220}, "a" * 120))
            starts.append(start([SERVICE, "serve", "--data", folder / "warm", "--port", "0"]))
            empties.append(start([EMPTY]))
        moto = Server(None, moto=True)
        theirs = [moto.tokens(connections=4, seconds=2)[0], moto.reads(connections=4, seconds=2)[0]]
        moto.stop()
    return {"signatures": bare, "tokens": tokens, "reads": reads, "reads on one core": single, "starts": starts, "empty starts": empties,
            "moto": theirs, "guests": writes, "syncs": synced, "signature": one_core, "empty calls": idle, "read calls": known}
