"""Files of earlier versions are converted in one transaction: a program that is killed in between leaves them intact."""
import json
import shutil
import sqlite3
import subprocess

import pytest

from identity_support import PROGRAM, run
from programs import ROOT
from sizes import sampled
from waiting import LIMIT

EARLIER = ROOT / "Tests/CognitoIdentityTests/EarlierFiles"


@pytest.fixture(scope="session")
def strace():
    if shutil.which("strace") is None or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        pytest.skip("strace is not installed, or may not follow processes here")


def folder_of(schema, folder):
    made = json.loads((EARLIER / f"{schema}.json").read_text())
    folder.mkdir(mode=0o700)
    shutil.copyfile(EARLIER / f"{schema}.sqlite", folder / "identities.sqlite")
    (folder / "master.key").write_bytes(bytes.fromhex(made["masterKey"]))
    for name in ("identities.sqlite", "master.key"):
        (folder / name).chmod(0o600)
    return made


def serves(prefix, folder):
    """Starts a service. Returns true if it serves, and then stops it."""
    process = subprocess.Popen([*prefix, PROGRAM, "serve", "--data", folder, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    isServing = "listening on" in process.stdout.readline()
    process.terminate()
    process.communicate(timeout=LIMIT)
    return isServing


def points(count):
    """Of the calls 1 to `count` up to 30 that are evenly spread, in full, and the last ten."""
    return sorted({*sampled(range(1, count - 9, count // 30 + 1), 4), *sampled(range(max(1, count - 9), count + 1), 4)})


@pytest.mark.parametrize("schema", ["schema1", "schema2"])
def test_killed_in_the_middle(schema, tmp_path, strace):
    """At writes and at each sync of the database's files. Afterwards the file is the earlier one or the new one."""
    outcomes = set()
    for call in ("pwrite64", "fdatasync,fsync", "ftruncate"):
        traced = lambda folder: ["strace", "-D", "-f", "-qq", "-e", f"trace={call}",
                                 *(word for end in ("", "-wal") for word in ("-P", folder / f"identities.sqlite{end}"))]
        whole, trace = tmp_path / call, tmp_path / f"{call}.trace"
        folder_of(schema, whole)
        assert serves([*traced(whole), "-o", trace], whole)
        # Stopping writes too; those calls come after the ones of the conversion, and the service then serves.
        for when in points(sum("(" in line and "resumed" not in line for line in trace.read_text().splitlines())):
            folder = tmp_path / f"{call}-{when}"
            made = folder_of(schema, folder)
            if serves([*traced(folder), "-o", "/dev/null", "-e", f"inject={call}:signal=SIGKILL:when={when}"], folder):
                break
            database = sqlite3.connect(folder / "identities.sqlite")
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            schemas = [name for name, in database.execute("SELECT identifier FROM grdb_migrations ORDER BY identifier")]
            tables = {name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            rows = {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("pool", "login", "role")}
            database.close()
            assert rows == {"pool": 2, "login": 5, "role": 1}
            assert not any(name.startswith("earlier_") for name in tables)
            assert ("records.tables" in tables) == (schemas == ["records"])
            assert schemas in (["records"], ["1"] if schema == "schema1" else ["1", "2"])
            outcomes.add("new" if schemas == ["records"] else "earlier")
            assert serves([], folder)
            listed = run("key", "list", "--data", folder)
            assert listed.returncode == 0 and made["accessKey"] in listed.stdout, listed.stderr
            shutil.rmtree(folder)
    assert outcomes == {"earlier", "new"}
