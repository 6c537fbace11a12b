"""Data sets on the disk: what is synced before it is acknowledged, at the service and on a device, and what a killed process leaves."""
import contextlib
import json
import os
import random
import signal
import subprocess
import threading

import pytest

from identity_support import REGION
from programs import peer_command
from sync_support import replace
from test_durability import Trace, stop_traced, strace, traced  # noqa: F401 (strace is a fixture)
from test_sync_client import Device, sync  # noqa: F401 (sync is a fixture)
from waiting import LIMIT, eventually

POOL = f"{REGION}:11111111-1111-4111-8111-111111111111"
SYNCS = "trace=fsync,fdatasync,write,pwrite64"
UPDATES = 20


def test_every_acknowledged_change_of_the_service_is_synced_first(strace, tmp_path):  # noqa: F811
    service = traced(tmp_path / "data", tmp_path / "trace")
    client = service.client()
    pool = client.create_identity_pool(IdentityPoolName="sync", AllowUnauthenticatedIdentities=True)["IdentityPoolId"]
    identity = service.unsigned().get_id(IdentityPoolId=pool)["IdentityId"]
    place = {"IdentityPoolId": pool, "IdentityId": identity, "DatasetName": "notes"}
    developer = service.client("cognito-sync")
    session = developer.list_records(**place)["SyncSessionToken"]
    for number in range(UPDATES):
        developer.update_records(**place, SyncSessionToken=session, RecordPatches=[replace("a", str(number), number)])
    developer.delete_dataset(**place)
    stop_traced(service)
    trace = Trace(tmp_path / "trace")
    answers = trace.places(r"^(write|writev|sendto|sendmsg)\(\d+<(socket|TCP).*HTTP/1\.1 200")
    assert len(answers) == 2 + 1 + UPDATES + 1, len(answers)
    syncs = trace.places(r"^f(data)?sync\(\d+<[^>]*identities\.sqlite-wal>.*= 0$")
    changes = list(zip(answers, answers[1:]))[-UPDATES - 1:]
    for before, after in changes:
        assert any(before < sync < after for sync in syncs), trace.lines[before:after + 1]


class Offline:
    """The client as a program without a network: what it puts waits for an identity."""

    def __init__(self, file, prefix=()):
        self.process = subprocess.Popen([*prefix, *peer_command("data-sets")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.ask("configure", endpoint="http://127.0.0.1:9", region=REGION, pool=POOL, file=str(file)) == {}

    def ask(self, op, **question):
        """The answer; None from a program that was killed."""
        try:
            self.process.stdin.write(json.dumps({"op": op, "dataset": "notes", **question}) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def put(self, number):
        """Two records of one value, in one transaction. Whether it was acknowledged."""
        answer = self.ask("put", values={"a": str(number), "b": str(number)})
        assert answer in ({}, None), answer
        return answer == {}

    def read(self):
        """What is stored, which must be whole."""
        values = self.ask("read")["values"]
        assert values.get("a") == values.get("b")
        return int(values.get("a", 0))

    def close(self):
        # What was not sent to a program that was killed is lost.
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(LIMIT)
        self.process.stdout.close()


@pytest.fixture
def folder(tmp_path):
    """Data sets are in a folder that is closed to others."""
    tmp_path.chmod(0o700)
    return tmp_path


def test_every_acknowledged_change_of_a_device_is_synced_first(strace, folder):  # noqa: F811
    trace = folder / "trace"
    device = Offline(folder / "data.sqlite", ["strace", "-f", "-y", "-s", "40", "-o", str(trace), "-e", SYNCS])
    assert all(device.put(number) for number in range(1, UPDATES + 1))
    device.close()
    found = Trace(trace)
    answers = found.places(r"^write\(1<.*\{\}\\n")
    # The first answer is that to the settings.
    assert len(answers) == 1 + UPDATES, len(answers)
    syncs = found.places(r"^f(data)?sync\(\d+<[^>]*data\.sqlite-wal>.*= 0$")
    for before, after in zip(answers, answers[1:]):
        assert any(before < sync < after for sync in syncs), found.lines[before:after + 1]


def test_a_device_that_is_killed_at_a_system_call(strace, folder):  # noqa: F811
    """Whichever it is, what was acknowledged is there, and nothing in part."""
    deaths = 0
    for call, places in (("fdatasync", (1, 2, 5, 9)), ("fsync", (1, 2, 3, 5)), ("pwrite64", (1, 2, 3, 6, 12, 25, 40))):
        for place in places:
            file = folder / f"{call}-{place}.sqlite"
            acknowledged = 0
            try:
                device = Offline(file, ["strace", "-f", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={place}"])
                while acknowledged < 30 and device.put(acknowledged + 1):
                    acknowledged += 1
                device.close()
                deaths += device.process.returncode != 0
            except AssertionError:
                # It was killed while it made the file.
                deaths += 1
            again = Offline(file)
            stored = again.read()
            assert acknowledged <= stored <= acknowledged + 1, (call, place, acknowledged, stored)
            assert again.put(100) and again.read() == 100
            again.close()
    assert deaths >= 5


def test_kills_lose_no_acknowledged_change_of_a_device(folder):
    wait, file = random.Random(6), folder / "data.sqlite"
    acknowledged = tried = 0
    for _ in range(10):
        device = Offline(file)
        tried = max(tried, acknowledged)
        # While this thread puts further values.
        kill_after = acknowledged + 6 + wait.randrange(60)
        killer = threading.Thread(target=lambda: (eventually(lambda: acknowledged >= kill_after), os.kill(device.process.pid, signal.SIGKILL)))
        killer.start()
        while True:
            tried += 1
            if not device.put(tried):
                break
            acknowledged = tried
        killer.join()
        device.close()
        again = Offline(file)
        stored = again.read()
        assert acknowledged <= stored <= tried, (acknowledged, stored, tried)
        acknowledged = stored
        again.close()
    assert acknowledged > 50


def test_two_processes_with_one_file(sync, folder):  # noqa: F811
    """Both change and synchronise the data sets of one identity: nothing is lost, in the file or at the service."""
    file = folder / "data.sqlite"
    processes = [Device(sync, file) for _ in range(2)]
    identities = {process.login("shares") for process in processes}
    assert len(identities) == 1
    for process in processes:
        process.do("identity")
    faults = []

    def work(number, process):
        for turn in range(15):
            process.do("put", values={f"{number}-{turn}": "v", "both": f"{number}-{turn}"})
            answer = process.ask("synchronize", dataset="notes")
            # Too many changes of the other one: the next turn synchronises them.
            if answer.get("code") not in (None, "sync_client_tries_exhausted"):
                faults.append(answer)

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert faults == []

    def are_synchronised():
        processes[0].ask("synchronize", dataset="notes")
        return not any(process.do("read")["modified"] for process in processes)
    eventually(are_synchronised)
    for process in processes:
        process.do("synchronize")
    first, second = (process.do("read") for process in processes)
    assert first == second and not first["modified"]
    assert set(first["values"]) == {"both", *(f"{number}-{turn}" for number in range(2) for turn in range(15))}
    shares = sync.user("shares")
    listed = shares.list("notes")
    assert {record["Key"]: record["Value"] for record in listed["Records"]} == first["values"]
    assert listed["DatasetSyncCount"] == first["count"]
    for process in processes:
        process.close()
