"""Copies of a service's data, the replacement of its master key, and first starts: also when they are killed in the middle."""
import json
import os
import pty
import re
import shutil
import sqlite3
import stat
import subprocess
import threading

import botocore.exceptions
import pytest

from identity_support import DEVELOPER, PROGRAM, Service, run
from ports import free_port
from programs import ROOT
from sizes import sampled
from test_durability import Trace, files, strace  # noqa: F401 (a fixture)
from waiting import LIMIT, eventually

BOTH = ["identities.sqlite", "master.key"]
UNKNOWN = "us-east-1:00000000-0000-0000-0000-000000000000"


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The data of a stopped service with a pool and a user, and what is in it."""
    folder = tmp_path_factory.mktemp("original")
    service = Service(folder / "data")
    pool = service.command("pool", "create", "original", "--developer-provider", DEVELOPER).strip()
    identity = service.client().get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "jane"})["IdentityId"]
    assert service.stop() == 0
    service.pool, service.identity = pool, identity
    return service


def copy_of(original, folder):
    shutil.copytree(original.folder, folder)
    return folder


def has_everything(folder, original):
    """A service starts over the folder, accepts the access key and finds the user."""
    service = Service(folder, key=original.key)
    try:
        found = service.client().lookup_developer_identity(IdentityPoolId=original.pool, DeveloperUserIdentifier="jane")
        assert found["IdentityId"] == original.identity
    finally:
        assert service.stop() == 0


# Copies.


def test_a_backup_of_a_running_service(original, tmp_path):
    service = Service(copy_of(original, tmp_path / "data"), "--rate", 0, key=original.key)
    client, users, done = service.client(), [], threading.Event()

    def write():
        while not done.is_set():
            user = f"user-{len(users)}"
            client.get_open_id_token_for_developer_identity(IdentityPoolId=original.pool, Logins={DEVELOPER: user})
            users.append(user)

    writer = threading.Thread(target=write)
    writer.start()
    eventually(lambda: len(users) >= 5)
    before = len(users)
    made = run("backup", "--data", service.folder, tmp_path / "copy")
    done.set()
    writer.join()
    service.stop()
    assert made.returncode == 0, made.stderr
    assert "copying" in made.stderr and re.search(r"identities\.sqlite \(\d+ bytes\), master\.key \(32 bytes\); 1 pool", made.stdout)
    assert files(tmp_path / "copy") == BOTH
    assert mode(tmp_path / "copy") == 0o700 and all(mode(tmp_path / "copy" / name) == 0o600 for name in BOTH)
    restored = run("restore", tmp_path / "copy", "--data", tmp_path / "new")
    assert restored.returncode == 0, restored.stderr
    assert files(tmp_path / "new") == BOTH
    assert mode(tmp_path / "new") == 0o700 and all(mode(tmp_path / "new" / name) == 0o600 for name in BOTH)
    again = Service(tmp_path / "new", "--rate", 0, key=original.key)
    for user in ["jane", *users[:before]]:
        again.client().lookup_developer_identity(IdentityPoolId=original.pool, DeveloperUserIdentifier=user)
    again.stop()


def test_a_backup_is_on_the_disk(strace, original, tmp_path):  # noqa: F811
    trace = tmp_path / "trace"
    subprocess.run(["strace", "-f", "-y", "-o", trace, "-e", "trace=fsync,fdatasync,link,linkat,unlink,exit_group", PROGRAM, "backup", "--data",
                    copy_of(original, tmp_path / "data"), tmp_path / "copy"], check=True, capture_output=True, timeout=LIMIT)
    calls = Trace(trace)
    copy = re.escape(str(tmp_path / "copy"))
    for name in BOTH:
        name = re.escape(name)
        [linked] = calls.places(rf'^link(at)?\(.*"{copy}/{name}".*= 0$')
        synced = calls.places(rf"^fsync\(\d+<{copy}/{name}\.[^>]*draft.*= 0$")
        assert synced and synced[-1] < linked
        assert any(place > linked for place in calls.places(rf"^fsync\(\d+<{copy}>\) += 0$"))
    [finished] = calls.places(rf'^unlink\("{copy}/copy\.unfinished"\) += 0$')
    assert calls.places(rf"^fsync\(\d+<{copy}>\) += 0$")[-1] > finished
    assert calls.places(rf"^fsync\(\d+<{re.escape(str(tmp_path))}>\) += 0$")


def test_what_restore_refuses(original, tmp_path):
    copy = tmp_path / "copy"
    assert run("backup", "--data", copy_of(original, tmp_path / "data"), copy).returncode == 0

    def refused(reason, folder=copy, status=1):
        target = tmp_path / "target"
        done = run("restore", folder, "--data", target)
        assert done.returncode == status and reason in done.stderr and str(folder) in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1
        assert not target.exists()

    def changed(name):
        folder = tmp_path / name
        shutil.copytree(copy, folder)
        return folder

    wrong = changed("wrong")
    (wrong / "master.key").write_bytes(os.urandom(32))
    refused("is the master key of another service", wrong)
    short = changed("short")
    (short / "master.key").write_bytes(b"short")
    refused("does not have 32 bytes", short)
    readable = changed("readable")
    (readable / "master.key").chmod(0o644)
    refused("readable by its owner alone", readable)
    for name in BOTH:
        partial = changed(f"without {name}")
        (partial / name).unlink()
        refused(f"{name} does not exist", partial)
    damaged = changed("damaged")
    with open(damaged / "identities.sqlite", "r+b") as file:
        file.seek(4096 * 3)
        file.write(bytes(8192))
    refused("is damaged", damaged)
    foreign = changed("foreign")
    (foreign / "identities.sqlite").write_bytes(b"not a database" * 1000)
    refused("not a database", foreign)
    newer = changed("newer")
    database = sqlite3.connect(newer / "identities.sqlite")
    database.execute("PRAGMA user_version = 9999")
    database.close()
    refused("newer version", newer)
    newer_rows = changed("newer rows")
    database = sqlite3.connect(newer_rows / "identities.sqlite")
    database.execute("UPDATE \"records.tables\" SET version = 9999 WHERE name = 'pool'")
    database.commit()
    database.close()
    refused("newer version", newer_rows)
    foreign_key = changed("one secret")
    database = sqlite3.connect(foreign_key / "identities.sqlite")
    database.execute("UPDATE access_key SET row = CAST(replace(CAST(row AS TEXT), '\"sealed\":\"', '\"sealed\":\"AAAA') AS BLOB)")
    database.commit()
    database.close()
    refused("does not open the keys", foreign_key)
    unfinished = changed("unfinished")
    (unfinished / "copy.unfinished").touch()
    refused("did not end", unfinished)
    refused("does not exist", tmp_path / "nowhere")
    service = Service(tmp_path / "data", key=original.key)
    refused("is used by another process", tmp_path / "data", status=2)
    service.stop()
    for target, content in ((tmp_path / "data", None), (tmp_path / "occupied", "file")):
        if content:
            target.mkdir()
            (target / content).write_text("mine")
        before = files(target)
        for words in (("restore", copy, "--data", target), ("backup", "--data", tmp_path / "data", target)):
            done = run(*words)
            assert done.returncode == 2 and "is not empty" in done.stderr and files(target) == before
    # An empty folder is taken, and is for the owner alone then.
    (tmp_path / "empty").mkdir(mode=0o755)
    assert run("restore", copy, "--data", tmp_path / "empty").returncode == 0
    assert mode(tmp_path / "empty") == 0o700
    has_everything(tmp_path / "empty", original)
    assert files(copy) == BOTH


@pytest.mark.parametrize("path", ["FOLDER/x", "FOLDER/x/y", "link/x", "link/x/y", "link/empty", "within/x", "dangling/../link/x", "missing/../link/x"])
def test_no_copy_is_in_the_folder_that_is_copied(original, tmp_path, path):
    """Also through a symbolic link, before the path exists."""
    data, copy = copy_of(original, tmp_path / "data"), tmp_path / "copy"
    assert run("backup", "--data", data, copy).returncode == 0
    for folder, words in ((data, lambda target: ("backup", "--data", data, target)), (copy, lambda target: ("restore", copy, "--data", target))):
        place = tmp_path / f"links to {folder.name}"
        place.mkdir()
        (place / "link").symlink_to(folder)
        (place / "within").symlink_to(folder / "empty")
        (place / "dangling").symlink_to(place / "nothing")
        (folder / "empty").mkdir(mode=0o700)
        before = files(folder)
        done = run(*words(place / path.replace("FOLDER", str(folder))))
        assert done.returncode == 2, done.stderr
        if "dangling" not in path:
            assert ("would be in the data folder" if folder == data else "would be in the copy") in done.stderr
        assert files(folder) == before and not list((folder / "empty").iterdir())
        shutil.rmtree(folder / "empty")


def test_files_that_were_copied_by_hand(original, tmp_path):
    """After a clean stop the two files are whole. While a service runs, the log belongs to them."""
    service = Service(tmp_path / "data")
    # Not by a command, which writes the log back into the database when it ends.
    pool = service.client().create_identity_pool(IdentityPoolName="mine", AllowUnauthenticatedIdentities=False)["IdentityPoolId"]
    for name, left_out in (("with log", ["identities.sqlite-shm"]), ("without log", ["identities.sqlite-shm", "identities.sqlite-wal"])):
        shutil.copytree(service.folder, tmp_path / name, ignore=shutil.ignore_patterns(*left_out))
    service.stop()
    done = run("restore", tmp_path / "with log", "--data", tmp_path / "restored")
    assert done.returncode == 0, done.stderr
    assert files(tmp_path / "restored") == BOTH and pool in run("pool", "list", "--data", tmp_path / "restored").stdout
    assert files(tmp_path / "with log") == [*BOTH[:1], "identities.sqlite-wal", *BOTH[1:]]
    done = run("restore", tmp_path / "without log", "--data", tmp_path / "nothing")
    assert done.returncode == 1 and "without its write-ahead log" in done.stderr and not (tmp_path / "nothing").exists()
    for words in (("serve", "--port", 0), ("pool", "list"), ("key", "create")):
        done = run(*words, "--data", tmp_path / "without log")
        assert done.returncode == 2 and "without its write-ahead log" in done.stderr, done.stderr
    shutil.copytree(service.folder, tmp_path / "stopped")
    assert pool in run("pool", "list", "--data", tmp_path / "stopped").stdout


# Killed at a system call.

CALLS = ["link", "linkat", "rename", "unlink", "fsync", "fdatasync", "pwrite64", "mkdir"]


def places(words, folder, prepare):
    """System calls of a command that change files: each with its number among those of the same name. In full, nearly all."""
    shutil.rmtree(folder, ignore_errors=True)
    prepare(folder)
    trace = folder.parent / "count"
    subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=" + ",".join(CALLS), PROGRAM, *words], check=True, capture_output=True, timeout=LIMIT)
    found = {}
    for line in trace.read_text().splitlines():
        if call := re.match(r"\d+ +(\w+)\(", line):
            found[call[1]] = found.get(call[1], 0) + 1
    # Writes to the database are many alike.
    return [(call, number) for call, count in found.items()
            for number in sampled([number for number in range(1, count + 1) if call != "pwrite64" or number % 4 == 1], 3)]


def killed(words, call, number):
    done = subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={number}", PROGRAM, *map(str, words)],
                          capture_output=True, timeout=LIMIT)
    assert done.returncode in (-9, 137, 0), done.stderr


def test_a_killed_copy_is_not_taken_for_a_whole_one(strace, original, tmp_path):  # noqa: F811
    data, source, target = tmp_path / "data", tmp_path / "source", tmp_path / "target"
    copy_of(original, data)
    assert run("backup", "--data", data, source).returncode == 0
    unfinished = 0
    for words in (("backup", "--data", data, target), ("restore", source, "--data", target)):
        for call, number in places([*map(str, words)], target, lambda folder: None):
            shutil.rmtree(target, ignore_errors=True)
            killed(words, call, number)
            if not target.exists() or files(target) == []:
                continue
            served = run("pool", "list", "--data", target)
            if served.returncode == 0:
                assert original.pool in served.stdout, (call, number, files(target))
            else:
                unfinished += 1
                assert "did not end" in served.stderr, (call, number, served.stderr)
                refused = run("serve", "--port", 0, "--data", target)
                assert refused.returncode == 2 and "did not end" in refused.stderr
                refused = run("restore", target, "--data", tmp_path / "other")
                assert refused.returncode == 1 and "did not end" in refused.stderr and not (tmp_path / "other").exists()
                refused = run(*words)
                assert refused.returncode == 2 and "remove its files" in refused.stderr
    assert unfinished >= 10


def test_a_killed_replacement_of_the_master_key(strace, original, tmp_path):  # noqa: F811
    """Whenever it ends, the service starts, and its secrets open."""
    data = tmp_path / "data"
    words = ("key", "reseal", "--data", str(data))
    before = (original.folder / "master.key").read_bytes()
    keys, steps = set(), 0
    for call, number in places(words, data, lambda folder: copy_of(original, folder)):
        shutil.rmtree(data)
        copy_of(original, data)
        killed(words, call, number)
        steps += 1
        # Each of these opens the folder.
        copy = tmp_path / "copy"
        done = run("backup", "--data", data, copy)
        assert done.returncode == 0, (call, number, files(data), done.stderr)
        done = run("restore", copy, "--data", tmp_path / "restored")
        assert done.returncode == 0, (call, number, done.stderr)
        assert files(data) == BOTH, (call, number)
        keys.add((data / "master.key").read_bytes() == before)
        if call in ("rename", "link") or number % 5 == 0:
            has_everything(data, original)
        shutil.rmtree(copy)
        shutil.rmtree(tmp_path / "restored")
    assert keys == {True, False} and steps >= 10


def test_a_killed_first_start(strace, tmp_path):  # noqa: F811
    """The next start makes a service, whatever the first one left."""
    for call in ("link", "fsync", "fdatasync", "pwrite64", "unlink"):
        for number in sampled((1, 2, 3, 5, 8, 13), 2):
            data = tmp_path / "data"
            shutil.rmtree(data, ignore_errors=True)
            process = subprocess.Popen(
                ["strace", "-f", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={number}", PROGRAM, "serve", "--data", data, "--port", "0"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            if process.stdout.readline():
                # It was not killed: there are fewer calls.
                children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout.split()
                for child in children:
                    os.kill(int(child), 9)
            process.wait()
            done = subprocess.run([ROOT / "Tests/CommandTests/Scripts/identity-service", "serve", "--data", data, "--port", "0"], capture_output=True, text=True,
                                  timeout=LIMIT, env={**os.environ, "PROGRAMS": str(PROGRAM.parent)})
            assert done.returncode == 0, (call, number, done.stderr)
            assert run("key", "list", "--data", data).stdout.count("signing") == 1


# The master key.


def test_reseal(original, tmp_path):
    data = copy_of(original, tmp_path / "data")
    before = (data / "master.key").read_bytes()
    sealed = read_sealed(data)
    service = Service(data, key=original.key)
    refused = run("key", "reseal", "--data", data)
    assert refused.returncode == 2 and "[data_in_use]" in refused.stderr and "stop the service" in refused.stderr
    assert files(data) == sorted([*BOTH, "identities.sqlite-shm", "identities.sqlite-wal"])
    service.stop()
    assert (data / "master.key").read_bytes() == before and read_sealed(data) == sealed
    done = run("key", "reseal", "--data", data, "--json")
    assert done.returncode == 0 and json.loads(done.stdout) == {"masterKey": f"{data}/master.key", "secrets": 2}
    assert files(data) == BOTH and mode(data / "master.key") == 0o600
    assert (data / "master.key").read_bytes() != before and not set(read_sealed(data)) & set(sealed)
    # Nothing that the old key opens is left in the file.
    contents = (data / "identities.sqlite").read_bytes()
    assert not any(text.encode() in contents for text in sealed)
    has_everything(data, original)
    (data / "master.key").write_bytes(before)
    refused = run("serve", "--data", data, "--port", 0)
    assert refused.returncode == 2 and "another master key" in refused.stderr


def read_sealed(folder):
    database = sqlite3.connect(f"file:{folder}/identities.sqlite?mode=ro&immutable=1", uri=True)
    try:
        rows = [row for table in ("signing_key", "access_key") for (row,) in database.execute(f"SELECT row FROM {table}")]
        return [json.loads(row)["sealed"] for row in rows]
    finally:
        database.close()


def test_a_secret_that_does_not_open_stops_reseal(original, tmp_path):
    data = copy_of(original, tmp_path / "data")
    other = copy_of(original, tmp_path / "other")
    assert run("key", "reseal", "--data", other).returncode == 0
    # A key that another master key sealed.
    made = json.loads(run("key", "create", "--json", "--data", other).stdout)["AccessKeyId"]
    database = sqlite3.connect(data / "identities.sqlite")
    database.execute("ATTACH ? AS other", (f"{other}/identities.sqlite",))
    database.execute("INSERT INTO main.access_key SELECT * FROM other.access_key WHERE CAST(row AS TEXT) LIKE ? OR instr(key, CAST(? AS BLOB)) > 0", (f"%{made}%", made))
    database.commit()
    database.close()
    before = (data / "master.key").read_bytes()
    refused = run("key", "reseal", "--data", data)
    assert refused.returncode == 2 and made in refused.stderr and "does not open" in refused.stderr
    assert files(data) == BOTH and (data / "master.key").read_bytes() == before
    has_everything(data, original)
    assert run("key", "remove", made, "--data", data).returncode == 0
    assert run("key", "reseal", "--data", data).returncode == 0
    has_everything(data, original)


def test_another_master_key_changes_nothing(original, tmp_path):
    """What it would seal does not open with the right one, and a copy with it cannot be restored."""
    data = copy_of(original, tmp_path / "data")
    right, before = (data / "master.key").read_bytes(), read_sealed(data)
    (data / "master.key").write_bytes(os.urandom(32))
    for words in (("key", "create", "--print"), ("key", "rotate"), ("key", "reseal"), ("pool", "list"), ("serve", "--port", 0)):
        refused = run(*words, "--data", data)
        assert refused.returncode == 2 and "another master key sealed" in refused.stderr and "[file_unusable]" in refused.stderr, (words, refused)
    refused = run("backup", "--data", data, tmp_path / "copy")
    assert refused.returncode == 2 and "another master key sealed" in refused.stderr and not (tmp_path / "copy").exists()
    (data / "master.key").write_bytes(right)
    assert read_sealed(data) == before and files(data) == BOTH
    has_everything(data, original)


# First starts, and keys for scripts.


def test_the_first_start_prints_no_secret_to_a_log(tmp_path):
    process = subprocess.Popen([PROGRAM, "serve", "--data", tmp_path / "a folder", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    greeting = ""
    while "create-identity-pool" not in greeting:
        greeting += process.stdout.readline()
    process.terminate()
    rest, log = process.communicate(timeout=LIMIT)
    file = tmp_path / "a folder" / "first-access-key"
    assert f". '{file}' && rm '{file}'" in greeting and mode(file) == 0o600
    text = file.read_text()
    assert re.fullmatch(r"export AWS_ACCESS_KEY_ID=AKIA[A-Z0-9]{16}\nexport AWS_SECRET_ACCESS_KEY=[A-Za-z0-9+/]{40}\n", text)
    secret = text.strip().split("=")[-1]
    assert secret not in greeting + rest + log
    # What the greeting says works.
    shown = next(line for line in greeting.splitlines() if line.startswith("  . "))
    done = subprocess.run(["sh", "-ec", shown + '; echo "$AWS_SECRET_ACCESS_KEY"'], capture_output=True, text=True, check=True)
    assert done.stdout == secret + "\n" and not file.exists()


def test_the_first_start_on_a_terminal(tmp_path):
    terminal, other = pty.openpty()
    process = subprocess.Popen([PROGRAM, "serve", "--data", tmp_path / "data", "--port", "0"], stdout=other, stderr=subprocess.DEVNULL)
    greeting = b""
    while b"create-identity-pool" not in greeting:
        greeting += os.read(terminal, 4096)
    process.terminate()
    assert process.wait(LIMIT) == 0
    os.close(terminal)
    os.close(other)
    assert b"export AWS_SECRET_ACCESS_KEY=" in greeting
    assert files(tmp_path / "data") == BOTH


def test_keys_for_scripts(original, tmp_path):
    service = Service(copy_of(original, tmp_path / "data"), key=original.key)
    line = f"eval \"$('{PROGRAM}' key create --data '{service.folder}' --pools {original.pool} --may issue --print)\"; echo \"$AWS_ACCESS_KEY_ID $AWS_SECRET_ACCESS_KEY\""
    key = subprocess.run(["sh", "-ec", line], capture_output=True, text=True, check=True).stdout.split()
    printed = service.command("key", "create", "--print")
    assert re.fullmatch(r"export AWS_ACCESS_KEY_ID=AKIA[A-Z0-9]{16}\nexport AWS_SECRET_ACCESS_KEY=[A-Za-z0-9+/]{40}\n", printed)
    client = service.client(key=key)
    client.get_open_id_token_for_developer_identity(IdentityPoolId=original.pool, Logins={DEVELOPER: "jane"})
    with pytest.raises(botocore.exceptions.ClientError):
        client.list_identity_pools(MaxResults=1)
    # AWS's own tools run a command for credentials and read its JSON.
    config = tmp_path / "config"
    config.write_text(f"[default]\nregion = us-east-1\ncredential_process = '{PROGRAM}' key create --json --data '{service.folder}'\n")
    python = "import boto3, sys; print(len(boto3.client('cognito-identity', endpoint_url=sys.argv[1]).list_identity_pools(MaxResults=1)['IdentityPools']))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    done = subprocess.run([ROOT / ".venv/bin/python", "-c", python, service.url], capture_output=True, text=True, env={**environment, "AWS_CONFIG_FILE": str(config)})
    assert done.stdout == "1\n", done.stderr
    # A key that cannot be printed is not kept.
    before = service.command("key", "list")
    with open("/dev/full", "w") as full:
        failed = subprocess.run([PROGRAM, "key", "create", "--data", service.folder], stdout=full, stderr=subprocess.PIPE, text=True)
    assert failed.returncode == 2 and "[output_failed]" in failed.stderr and "no key was made" in failed.stderr
    assert service.command("key", "list") == before
    service.stop()


def test_pools_without_an_sdk(original, tmp_path):
    """What the commands make is what the API shows, and the other way round."""
    service = Service(copy_of(original, tmp_path / "data"), key=original.key)
    provider = "arn:aws:iam::123456789012:oidc-provider/op.example"
    user_pool = "cognito-idp.us-east-1.amazonaws.com/us-east-1_Example01"
    made = json.loads(service.command(
        "pool", "create", "all settings", "--allow-guests", "--allow-classic-flow", "--developer-provider", "login.other.app", "--login-provider",
        "accounts.google.com=google-client", "--openid-provider", provider, "--user-pool", f"{user_pool}=1h57kf5cpq17m0eml12EXAMPLE", "--tag", "stage=test=1",
        "--authenticated-role", "arn:aws:iam::123456789012:role/user", "--unauthenticated-role", "arn:aws:iam::123456789012:role/guest", "--json"))
    pool = made["IdentityPoolId"]
    shown = service.client().describe_identity_pool(IdentityPoolId=pool)
    del shown["ResponseMetadata"]
    assert shown == {
        "IdentityPoolId": pool, "IdentityPoolName": "all settings", "AllowUnauthenticatedIdentities": True, "AllowClassicFlow": True,
        "DeveloperProviderName": "login.other.app", "SupportedLoginProviders": {"accounts.google.com": "google-client"}, "OpenIdConnectProviderARNs": [provider],
        "CognitoIdentityProviders": [{"ProviderName": user_pool, "ClientId": "1h57kf5cpq17m0eml12EXAMPLE", "ServerSideTokenCheck": False}],
        "IdentityPoolTags": {"stage": "test=1"}}
    assert service.client().get_identity_pool_roles(IdentityPoolId=pool)["Roles"] == {
        "authenticated": "arn:aws:iam::123456789012:role/user", "unauthenticated": "arn:aws:iam::123456789012:role/guest"}
    assert {name: made[name] for name in shown} == shown == {name: json.loads(service.command("pool", "show", pool, "--json"))[name] for name in shown}
    listed = json.loads(service.command("pool", "list", "--json"))["IdentityPools"]
    assert listed == service.client().list_identity_pools(MaxResults=60)["IdentityPools"]
    assert service.command("pool", "list") == "".join(f"{each['IdentityPoolId']}  {each['IdentityPoolName']}\n" for each in listed)
    for number in range(70):
        service.client().create_identity_pool(IdentityPoolName=f"more {number}", AllowUnauthenticatedIdentities=False)
    assert service.command("pool", "list").count("\n") == 72
    service.command("pool", "delete", pool)
    with pytest.raises(botocore.exceptions.ClientError):
        service.client().describe_identity_pool(IdentityPoolId=pool)
    for words in (("show", UNKNOWN), ("delete", UNKNOWN)):
        refused = run("pool", *words, "--data", service.folder)
        assert refused.returncode == 1 and refused.stderr == f'identity-service: there is no identity pool "{UNKNOWN}" [pool_unknown]\n'
    service.stop()


def test_the_guide(tmp_path):
    """The commands of the guide, from nothing to credentials, as they stand there."""
    guide = (ROOT / "docs/own-users.md").read_text()
    section = guide[guide.index("## From nothing to credentials"):guide.index("## Protocol")]
    script = "".join(re.findall(r"^```bash\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))
    script = script.replace("8008", str(free_port()))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"PATH": f"{ROOT}/.venv/bin:{environment['PATH']}", "TMPDIR": str(tmp_path)}
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, cwd=ROOT, env=environment, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "VALID  RS512" in done.stdout and '"AccessKeyId": "ASIA' in done.stdout
    assert re.search(r"^us-east-1:[0-9a-f-]{36}  app$", done.stdout, re.MULTILINE)
