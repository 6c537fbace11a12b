"""identity-service and its files: what is on the disk before an answer goes out, what a stop leaves, what a start refuses."""
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess

import pytest

from identity_support import DEVELOPER, PROGRAM, Service, invariants, make_pool, run
from waiting import LIMIT, eventually

TRACED = "trace=fsync,fdatasync,write,writev,sendto,sendmsg,pwrite64,link,linkat,unlink,openat"


@pytest.fixture(scope="session")
def strace():
    """strace, where this place lets a process follow another one."""
    if shutil.which("strace") is None or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        pytest.skip("strace is not installed, or may not follow processes here")


class Trace:
    """The system calls of a run, in the order in which they ended."""

    def __init__(self, path):
        self.lines = []
        begun = {}
        for line in path.read_text(errors="replace").splitlines():
            thread, _, text = line.partition(" ")
            text = text.strip()
            if text.endswith("<unfinished ...>"):
                begun[thread] = text
            elif text.startswith("<... "):
                # An answer counts from when it began, a sync from when it ended.
                self.lines.append(begun.pop(thread, "") + text)
            else:
                self.lines.append(text)

    def places(self, pattern):
        return [number for number, line in enumerate(self.lines) if re.search(pattern, line)]


def traced(folder, trace):
    return Service(folder, "--rate", 0, prefix=["strace", "-f", "-y", "-s", "40", "-o", str(trace), "-e", TRACED])


def stop_traced(service):
    # strace passes on nothing: the service itself is told to stop.
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(service.process.pid)], capture_output=True, text=True).stdout.split()
    for child in children:
        os.kill(int(child), 15)
    assert service.process.wait(LIMIT) == 0
    service.reader.join(LIMIT)


def test_every_acknowledged_write_is_synced_first(strace, tmp_path):
    """Between the last answer and the next one that acknowledges a change, the log is synced."""
    service = traced(tmp_path / "data", tmp_path / "trace")
    client = service.client()
    pool = client.create_identity_pool(IdentityPoolName="sync", AllowUnauthenticatedIdentities=True, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
    made = [client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: f"user-{number}"})["IdentityId"] for number in range(20)]
    guests = [service.unsigned().get_id(IdentityPoolId=pool)["IdentityId"] for _ in range(5)]
    client.unlink_developer_identity(IdentityId=made[0], IdentityPoolId=pool, DeveloperProviderName=DEVELOPER, DeveloperUserIdentifier="user-0")
    client.delete_identities(IdentityIdsToDelete=guests[:1])
    client.tag_resource(ResourceArn=f"arn:aws:cognito-identity:us-east-1:123456789012:identitypool/{pool}", Tags={"a": "b"})
    writes = 1 + 20 + 5 + 3
    stop_traced(service)
    trace = Trace(tmp_path / "trace")
    answers = trace.places(r"^(write|writev|sendto|sendmsg)\(\d+<(socket|TCP).*HTTP/1\.1 200")
    assert len(answers) == writes, len(answers)
    syncs = trace.places(r"^f(data)?sync\(\d+<[^>]*identities\.sqlite-wal>.*= 0$")
    assert len(syncs) >= writes
    for before, after in zip([-1, *answers], answers):
        assert any(before < sync < after for sync in syncs), trace.lines[max(before, 0):after + 1]


def test_the_master_key_is_on_the_disk_before_anything_is_sealed(strace, tmp_path):
    data = tmp_path / "data"
    service = traced(data, tmp_path / "trace")
    stop_traced(service)
    trace = Trace(tmp_path / "trace")
    [written] = trace.places(r"^fsync\(\d+<[^>]*master\.key\.[^>]*draft.*>\) += 0$")
    [linked] = trace.places(r'^link(at)?\(.*master\.key".*= 0$')
    synced = [place for place in trace.places(rf"^fsync\(\d+<{re.escape(str(data))}>\) += 0$") if place > linked]
    sealed = trace.places(r"^pwrite64\(\d+<[^>]*identities\.sqlite-wal>")
    # The tables come first, in a file of their own; keys are written into the log.
    assert written < linked < synced[0]
    assert any(place > synced[0] for place in sealed)
    key_rows = [place for place in sealed if linked < place < synced[0]]
    assert key_rows == []


def test_a_first_start_that_is_killed_leaves_no_key_without_its_secret(strace, tmp_path):
    """Killed where it publishes the file with the secret of the first access key."""
    data = tmp_path / "data"
    killed = subprocess.run(
        ["strace", "-f", "-o", "/dev/null", "-P", str(data / "first-access-key"), "-e", "trace=link,linkat", "-e", "inject=link,linkat:signal=SIGKILL",
         str(PROGRAM), "serve", "--data", str(data), "--port", "0"], capture_output=True, text=True, timeout=LIMIT)
    assert killed.returncode != 0 and killed.stdout == "" and (data / "start.unfinished").exists()
    service = Service(data)
    assert service.command("key", "list").count("AKIA") == 1
    assert service.client().list_identity_pools(MaxResults=1)["IdentityPools"] == []
    assert not [name for name in files(data) if "draft" in name or "unfinished" in name]
    assert service.stop() == 0


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_clean_stop_leaves_one_file_that_is_whole(tmp_path):
    service = Service(tmp_path / "data", "--rate", 0)
    pool = make_pool(service, tmp_path)
    identity = service.client().get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "jane"})["IdentityId"]
    # While it runs the database copies itself, whole.
    backup = tmp_path / "backup"
    backup.mkdir(mode=0o700)
    subprocess.run(["sqlite3", service.folder / "identities.sqlite", f".backup '{backup}/identities.sqlite'"], check=True)
    shutil.copy2(service.folder / "master.key", backup)
    assert service.stop() == 0
    assert files(service.folder) == ["identities.sqlite", "master.key"]
    copy = tmp_path / "copy"
    copy.mkdir(mode=0o700)
    for name in ("identities.sqlite", "master.key"):
        shutil.copy2(service.folder / name, copy)
    for folder in (backup, copy):
        restored = Service(folder, key=service.key)
        found = restored.client().lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier="jane")
        assert found["IdentityId"] == identity
        assert restored.stop() == 0
        assert stat.S_IMODE((folder / "identities.sqlite").stat().st_mode) == 0o600
        invariants(folder)


def test_commands_leave_no_log_behind(tmp_path):
    service = Service(tmp_path / "data")
    assert service.stop() == 0
    assert "second" in service.command("key", "create", "--note", "second") + service.command("key", "list")
    assert files(service.folder) == ["identities.sqlite", "master.key"]


@pytest.mark.parametrize("words", [("key", "list"), ("key", "create"), ("key", "rotate"), ("role", "list"), ("provider", "list")])
def test_only_serve_makes_a_folder(tmp_path, words):
    missing = tmp_path / "missing"
    refused = run(*words, "--data", missing)
    assert refused.returncode != 0 and "does not exist" in refused.stderr and not missing.exists()
    missing.mkdir(mode=0o700)
    refused = run(*words, "--data", missing)
    assert refused.returncode != 0 and "has no service's data" in refused.stderr and files(missing) == []


def test_two_first_starts(tmp_path):
    """A process that has seen no master key, and is slower than one that was started at the same time, takes that one's key."""
    data = tmp_path / "data"
    service = Service(data)
    assert service.stop() == 0
    # As a first start leaves it before it makes the key.
    (data / "master.key").unlink()
    database = sqlite3.connect(data / "identities.sqlite")
    for table in ("signing_key", "access_key"):
        database.execute(f"DELETE FROM {table}")
    database.commit()
    database.close()
    # It is stopped when it has looked for the key and opens the database.
    trace = tmp_path / "trace"
    wait = ["strace", "-D", "-f", "-qq", "-o", trace, "-P", data / "identities.sqlite", "-e", "inject=openat:signal=SIGSTOP:when=1"]
    slow = subprocess.Popen([*wait, PROGRAM, "serve", "--data", data, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    eventually(lambda: slow.poll() is not None or trace.exists() and "stopped by SIGSTOP" in trace.read_text())
    assert slow.poll() is None
    quick = Service(data)
    os.kill(slow.pid, signal.SIGCONT)
    greeting, errors = slow.communicate(timeout=LIMIT)
    # It takes the key, and leaves the folder to the process that serves it.
    assert greeting == "" and "served by another identity-service" in errors and "[data_in_use]" in errors, errors
    assert quick.stop() == 0
    quick.start()
    assert quick.stop() == 0
    assert files(data) == ["identities.sqlite", "master.key"]


def test_a_log_that_goes_away(tmp_path):
    """The last process that uses the database removes its log, perhaps between two looks of one that starts."""
    service = Service(tmp_path / "data")
    assert service.stop() == 0
    log = service.folder / "identities.sqlite-wal"
    log.touch(mode=0o600)
    away = ["strace", "-f", "-qq", "-o", tmp_path / "trace", "-P", log, "-e", "inject=newfstatat:error=ENOENT:when=2..3"]
    done = subprocess.run([*away, PROGRAM, "key", "list", "--data", service.folder], capture_output=True, text=True, timeout=LIMIT)
    assert (tmp_path / "trace").read_text().count("INJECTED") == 2
    assert done.returncode == 0 and "access" in done.stdout, done.stderr


def test_nothing_new_is_made_beside_what_is_there(tmp_path):
    service = Service(tmp_path / "data")
    assert service.stop() == 0
    key = (service.folder / "master.key").read_bytes()
    (service.folder / "master.key").unlink()
    for words in (("key", "list"), ("serve", "--port", "0")):
        refused = run(*words, "--data", service.folder)
        assert refused.returncode != 0 and "put" in refused.stderr and "back" in refused.stderr, refused.stderr
        assert files(service.folder) == ["identities.sqlite"]
    (service.folder / "identities.sqlite").unlink()
    (service.folder / "master.key").write_bytes(key)
    (service.folder / "master.key").chmod(0o600)
    for words in (("key", "list"), ("serve", "--port", "0")):
        refused = run(*words, "--data", service.folder)
        assert refused.returncode != 0 and "put the database back" in refused.stderr, refused.stderr
        assert files(service.folder) == ["master.key"]


def test_a_key_that_cannot_be_read_can_be_removed(tmp_path):
    service = Service(tmp_path / "data")
    assert service.stop() == 0
    database = sqlite3.connect(service.folder / "identities.sqlite")
    database.execute("UPDATE access_key SET row = x'7B7D'")
    database.commit()
    assert service.key[0] not in service.command("key", "list")
    service.command("key", "remove", service.key[0])
    assert database.execute("SELECT count(*) FROM access_key").fetchone() == (0,)
    database.close()
    refused = run("key", "remove", service.key[0], "--data", service.folder)
    assert refused.returncode != 0 and "no key has this id" in refused.stderr


def test_a_copy_without_its_log_is_refused(tmp_path):
    """As a copy of the database file alone was, when all rows were in the log."""
    data = tmp_path / "data"
    service = Service(data)
    assert service.stop() == 0
    database = sqlite3.connect(data / "empty.sqlite")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()
    (data / "identities.sqlite").unlink()
    (data / "empty.sqlite").rename(data / "identities.sqlite")
    (data / "identities.sqlite").chmod(0o600)
    refused = run("serve", "--data", data, "--port", "0")
    assert refused.returncode != 0 and "without its -wal file" in refused.stderr, refused.stderr


def test_a_newer_programs_file_is_refused(tmp_path):
    service = Service(tmp_path / "data")
    assert service.stop() == 0
    database = sqlite3.connect(service.folder / "identities.sqlite")
    database.execute("PRAGMA user_version = 9999")
    database.commit()
    database.close()
    for words in (("key", "list"), ("serve", "--port", "0")):
        refused = run(*words, "--data", service.folder)
        assert refused.returncode != 0 and "newer version" in refused.stderr


def test_leftover_drafts_stop_no_start(tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    # In a container the process's id is the same each time.
    for number in [*range(1, 50), os.getpid()]:
        (data / f"master.key.{number}.draft").write_bytes(b"half")
    service = Service(data)
    assert service.stop() == 0
    assert files(data) == ["identities.sqlite", "master.key"]


def test_files_that_others_can_write(tmp_path):
    service = Service(tmp_path / "data")
    assert service.stop() == 0
    data = service.folder
    for path, mode in ((data, 0o777), (data, 0o770), (data / "identities.sqlite", 0o666), (data / "identities.sqlite", 0o602)):
        before = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode)
        refused = run("key", "list", "--data", data)
        assert refused.returncode != 0 and "other users can write" in refused.stderr, refused.stderr
        path.chmod(before)
    # What others could only read they can no longer.
    data.chmod(0o755)
    (data / "identities.sqlite").chmod(0o644)
    assert run("key", "list", "--data", data).returncode == 0
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "identities.sqlite").stat().st_mode) == 0o600
    # The master key's mode is never put right: who could read it may have done so.
    key = data / "master.key"
    for mode in (0o640, 0o604, 0o620, 0o602, 0o601, 0o644):
        key.chmod(mode)
        for words in (("key", "list"), ("serve", "--port", "0")):
            refused = run(*words, "--data", data)
            assert refused.returncode != 0 and "readable by its owner alone (mode 600)" in refused.stderr, (oct(mode), refused.stderr)
        assert stat.S_IMODE(key.stat().st_mode) == mode
    key.chmod(0o600)
    key.rename(tmp_path / "key")
    key.symlink_to(tmp_path / "key")
    refused = run("key", "list", "--data", data)
    assert refused.returncode != 0 and "symbolic links are not followed" in refused.stderr, refused.stderr
    key.unlink()
    (tmp_path / "key").rename(key)
    # Symbolic links are not followed.
    (data / "identities.sqlite").rename(tmp_path / "elsewhere")
    (data / "identities.sqlite").symlink_to(tmp_path / "elsewhere")
    refused = run("key", "list", "--data", data)
    assert refused.returncode != 0 and "not a regular file" in refused.stderr


@pytest.mark.parametrize("umask", [0o000, 0o777, 0o022])
def test_modes_whatever_the_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        service = Service(tmp_path / "data")
    finally:
        os.umask(before)
    try:
        service.client().create_identity_pool(IdentityPoolName="umask", AllowUnauthenticatedIdentities=True)
        for name in ("master.key", "identities.sqlite", "identities.sqlite-wal", "identities.sqlite-shm"):
            assert stat.S_IMODE((service.folder / name).stat().st_mode) == 0o600, name
        assert stat.S_IMODE(service.folder.stat().st_mode) == 0o700
    finally:
        service.stop()


@pytest.mark.parametrize("notice", ["9223372036854775807", "31536000", "-1"])
def test_extreme_notices(tmp_path, notice):
    service = Service(tmp_path / "data")
    assert service.stop() == 0
    refused = run("key", "rotate", f"--notice={notice}", "--data", service.folder)
    assert refused.returncode > 0 and "notice" in refused.stderr, (refused.returncode, refused.stderr)
    assert run("key", "list", "--data", service.folder).stdout.count("signing") == 1
