"""kill -9 and several nodes: no acknowledged record is lost, none is half stored."""
import random
import threading

from botocore.exceptions import BotoCoreError, ClientError

from postgresql_support import PostgreSQL
from sync_support import Sync, replace
from test_nodes import Node, master_key
from waiting import LIMIT, eventually


class Writer:
    """Changes two records of a data set in each call, to the same value, and remembers what was acknowledged."""

    def __init__(self, identity, name):
        self.identity, self.name = identity, name
        self.acknowledged = 0
        self.tried = 0
        self.count = 0
        self.faults = []

    def work(self, stop):
        client = self.identity.client()
        while not stop.is_set():
            try:
                self.step(client)
            except ClientError as error:
                # The answer to the call before was lost: its counts are read again.
                if error.response["Error"]["Code"] != "ResourceConflictException":
                    self.faults.append(error)
                    return
                self.read(client)
            except BotoCoreError:
                return

    def step(self, client):
        token = self.identity.list(self.name, client)["SyncSessionToken"]
        self.tried = max(self.tried, self.acknowledged) + 1
        value = str(self.tried)
        records = client.update_records(
            **self.identity.place, DatasetName=self.name, SyncSessionToken=token,
            RecordPatches=[replace("a", value, self.count), replace("b", value, self.count)])["Records"]
        self.acknowledged = self.tried
        self.count = records[0]["SyncCount"]

    def read(self, client=None):
        """What is stored: whole, and at least what was acknowledged."""
        found = {record["Key"]: record for record in self.identity.list(self.name, client)["Records"]}
        if found:
            assert found["a"]["Value"] == found["b"]["Value"] and found["a"]["SyncCount"] == found["b"]["SyncCount"]
            self.count = found["a"]["SyncCount"]
        stored = int(found["a"]["Value"]) if found else 0
        assert self.acknowledged <= stored <= self.tried, (self.acknowledged, stored, self.tried)


def test_kills_lose_no_acknowledged_record(tmp_path):
    sync = Sync(tmp_path)
    writers = [Writer(sync.user(f"user-{number}"), "notes") for number in range(6)]
    wait = random.Random(19)
    for _ in range(8):
        stop = threading.Event()
        threads = [threading.Thread(target=writer.work, args=(stop,), daemon=True) for writer in writers]
        for thread in threads:
            thread.start()
        before = sum(writer.acknowledged for writer in writers)
        kill_after = before + 6 + wait.randrange(40)
        eventually(lambda: sum(writer.acknowledged for writer in writers) > kill_after)
        sync.service.kill()
        stop.set()
        for thread in threads:
            thread.join(LIMIT)
        sync.service.start()
        for writer in writers:
            assert writer.faults == []
            writer.read()
    assert sum(writer.acknowledged for writer in writers) > 48
    assert sync.stop() == 0


def test_two_nodes(tmp_path):
    """Changes of one data set at both nodes: each count is given once, and both see all records."""
    database = PostgreSQL()
    try:
        key = master_key(tmp_path)
        sync = Sync(tmp_path, service=lambda folder, *options: Node(database, key))
        other = Node(database, key, key=sync.service.key)
        jane = sync.user("jane")
        (access, secret), token = jane.keys
        clients = [jane.client(), other.client("cognito-sync", key=(access, secret), token=token)]
        taken, faults = [], []

        def work(number, client):
            made = 0
            while made < 40:
                try:
                    taken.append(jane.update("notes", [replace(f"{number}-{made}", "v")], client)[0]["SyncCount"])
                    made += 1
                except ClientError as error:
                    if error.response["Error"]["Code"] != "TooManyRequestsException":
                        faults.append(error)
                        return

        threads = [threading.Thread(target=work, args=(number, clients[number % 2])) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
        assert faults == []
        assert sorted(taken) == list(range(1, 161))
        for client in clients:
            listed = jane.list("notes", client)
            assert listed["DatasetSyncCount"] == 160 and len(listed["Records"]) == 160
        # One patch at both nodes: one is taken.
        tokens = [jane.list("one", client)["SyncSessionToken"] for client in clients]
        outcomes = []

        def race(client, session):
            try:
                client.update_records(
                    **jane.place, DatasetName="one", SyncSessionToken=session, RecordPatches=[replace("k", "v")])
                outcomes.append("ok")
            except ClientError as error:
                outcomes.append(error.response["Error"]["Code"])

        # The tokens are taken by the other node than the one that made them.
        threads = [threading.Thread(target=race, args=pair) for pair in zip(clients, reversed(tokens))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
        assert sorted(outcomes) in (["ResourceConflictException", "ok"], ["TooManyRequestsException", "ok"])
        assert sync.stop() == 0 and other.stop() == 0
    finally:
        database.remove()
