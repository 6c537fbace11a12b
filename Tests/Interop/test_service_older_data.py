"""Data of an older version is converted by serve and restore, and refused by other commands; pools are removed in steps."""
import json
import os
import shutil
import sqlite3

import pytest
from botocore.exceptions import ClientError

from identity_support import DEVELOPER, Service, run
from postgresql_support import PostgreSQL
from test_migration import folder_of
from waiting import eventually

COMMANDS = [("pool", "list"), ("pool", "create", "new"), ("key", "list"), ("key", "create"), ("key", "reseal"),
            ("role", "list"), ("provider", "list")]
SENTENCE = "was written by an older version; start `identity-service serve` of this version once"


def refused(done):
    assert done.returncode == 2 and SENTENCE in done.stderr and "[file_unusable]" in done.stderr, done.stderr


def refuses_commands(folder, copy):
    """Every command but serve and restore is refused, and makes no table."""
    for words in COMMANDS:
        refused(run(*words, "--data", folder))
    refused(run("backup", "--data", folder, copy))
    assert not copy.exists()
    database = sqlite3.connect(folder / "identities.sqlite")
    assert not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'removed_pool'").fetchall()
    database.close()


@pytest.mark.parametrize("schema", ["schema1", "schema2"])
def test_commands_on_data_of_an_earlier_version(schema, tmp_path):
    """A service of that version may be running: not all of them lock their folder."""
    folder = tmp_path / "data"
    made = folder_of(schema, folder)
    before = (folder / "identities.sqlite").read_bytes()
    for words in COMMANDS:
        refused(run(*words, "--data", folder))
    refused(run("backup", "--data", folder, tmp_path / "copy"))
    assert (folder / "identities.sqlite").read_bytes() == before
    restored = run("restore", folder, "--data", tmp_path / "restored")
    assert restored.returncode == 0, restored.stderr
    assert (folder / "identities.sqlite").read_bytes() == before
    service = Service(folder, key=(made["accessKey"], "unused"))
    assert service.stop() == 0
    for place in (folder, tmp_path / "restored"):
        assert run("pool", "list", "--data", place).stdout.count("\n") == 2


def without_a_table(folder):
    database = sqlite3.connect(folder / "identities.sqlite")
    database.executescript("DROP TABLE removed_pool; DELETE FROM \"records.tables\" WHERE name = 'removed_pool'")
    database.close()


def test_commands_on_data_that_lacks_a_table(tmp_path):
    service = Service(tmp_path / "data")
    service.command("pool", "create", "kept")
    assert service.stop() == 0
    without_a_table(tmp_path / "data")
    refuses_commands(tmp_path / "data", tmp_path / "copy")
    restored = run("restore", tmp_path / "data", "--data", tmp_path / "restored")
    assert restored.returncode == 0 and "1 pool" in restored.stdout, restored.stderr
    service.start()
    assert service.command("pool", "list").endswith("  kept\n")
    assert service.stop() == 0


def test_commands_on_a_database_that_lacks_a_table(tmp_path):
    if shutil.which("psql") is None:
        pytest.skip("PostgreSQL is not installed")
    database = PostgreSQL()
    try:
        key = tmp_path / "master.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        place = ["--store", database.url, "--master-key", str(key)]

        class Node(Service):
            def __init__(self):
                self.place = place
                super().__init__(tmp_path, key=())

        node = Node()
        node.command("pool", "create", "kept")
        assert node.stop() == 0
        database.sql("DROP TABLE removed_pool; DELETE FROM \"records.tables\" WHERE name = 'removed_pool'")
        for words in [words for words in COMMANDS if words[1] != "reseal"]:
            refused(run(*words, *place))
        assert database.sql("SELECT to_regclass('removed_pool') IS NULL") == "t"
        node.start()
        assert node.command("pool", "list").endswith("  kept\n")
        assert node.stop() == 0
    finally:
        database.remove()


def counts(folder):
    database = sqlite3.connect(f"file:{folder}/identities.sqlite?mode=ro", uri=True)
    found = [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("identity", "login", "removed_pool")]
    database.close()
    return found


def test_a_removal_that_a_crash_interrupted_goes_on(tmp_path):
    service = Service(tmp_path / "data")
    pool = service.command("pool", "create", "gone", "--developer-provider", DEVELOPER).strip()
    client = service.client()
    identity = client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "jane"})["IdentityId"]
    assert service.stop() == 0
    # After the first of several transactions.
    database = sqlite3.connect(tmp_path / "data/identities.sqlite")
    database.execute("INSERT INTO removed_pool SELECT key, 1, NULL, CAST(? AS BLOB) FROM pool", (json.dumps({"id": pool}),))
    database.execute("DELETE FROM pool")
    database.commit()
    database.close()
    assert counts(service.folder) == [1, 1, 1]
    assert service.command("pool", "list") == ""
    service.start()
    with pytest.raises(ClientError, match="ResourceNotFoundException"):
        service.client().describe_identity(IdentityId=identity)
    eventually(lambda: counts(service.folder) == [0, 0, 0])
    assert service.stop() == 0
