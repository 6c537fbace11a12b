"""Several nodes of identity-service on one PostgreSQL database and one master key."""
import collections
import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import threading
import urllib.parse

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from clock import Clock
from identity_support import DEVELOPER, DEVELOPER_TOKEN, GOOGLE, REGION, Providers, Service, make_pool, run
from ports import closed_port
from postgresql_support import PostgreSQL
from programs import ROOT
from raw_http import JSON, TARGET
from sizes import scaled
from waiting import LIMIT, eventually


class Node(Service):
    """identity-service over a database. The first node of a database makes no access key: a command does."""

    def __init__(self, database, master_key, *options, key=None, **more):
        self.place = ["--store", database.url, "--master-key", str(master_key)]
        super().__init__(master_key.parent, "--rate", 0, "--connections-per-address", 0, *options, key=key or (), **more)
        if key is None:
            text = self.command("key", "create", "--print")
            self.key = (re.search(r"ACCESS_KEY_ID=(\S+)", text)[1], re.search(r"SECRET_ACCESS_KEY=(\S+)", text)[1])


def master_key(folder):
    path = pathlib.Path(folder) / "master.key"
    path.write_bytes(os.urandom(32))
    path.chmod(0o600)
    return path


@pytest.fixture(scope="module")
def database():
    database = PostgreSQL()
    yield database
    database.remove()


@pytest.fixture(scope="module")
def nodes(database, tmp_path_factory):
    """Two nodes and a pool on them."""
    folder = tmp_path_factory.mktemp("nodes")
    first = Node(database, master_key(folder))
    second = Node(database, folder / "master.key", key=first.key)
    first.pool = second.pool = make_pool(first, folder)
    providers = Providers(folder)
    providers.register(first)
    first.providers = providers
    yield first, second
    for node in (first, second):
        assert node.stop() == 0


# Calls.


class Caller:
    """Calls on kept connections, by turns on both nodes until one answers."""

    def __init__(self, nodes, results, seed):
        self.nodes, self.results, self.random = nodes, results, random.Random(seed)
        self.connections = {}

    def exchange(self, node, operation, body, signed):
        # A node that was started again has another address: it is read once, since a signature has it.
        url = node.url
        data = json.dumps(body)
        headers = {"Content-Type": JSON, "X-Amz-Target": TARGET + operation}
        if signed:
            request = AWSRequest("POST", url + "/", data=data, headers=headers)
            SigV4Auth(Credentials(*node.key), "cognito-identity", REGION).add_auth(request)
            headers = dict(request.headers)
        connection = self.connections.get(url)
        if connection is None:
            connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=LIMIT)
        try:
            connection.request("POST", "/", data, headers)
            answer = connection.getresponse()
            result = answer.status, json.loads(answer.read() or b"{}")
        except BaseException:
            connection.close()
            self.connections.pop(url, None)
            raise
        self.connections[url] = connection
        return result

    def call(self, operation, body, signed=False):
        """The answer of the first node that has one. `repeated`: another one may have executed the call before."""
        self.repeated = False
        order = self.random.sample(self.nodes, 2)

        def answers():
            for node in order:
                try:
                    status, answer = self.exchange(node, operation, body, signed)
                except TimeoutError:
                    raise AssertionError(f"{operation}: no answer within {LIMIT} seconds")
                except (OSError, http.client.HTTPException):
                    status, answer = None, None
                # Calls that wait for a database that is away fill the queue: a refusal that asks for a later repetition.
                throttled = status == 400 and answer.get("__type") == "TooManyRequestsException"
                if status is not None and status < 500 and not throttled:
                    assert status == 200 or self.repeated, (operation, status, answer)
                    return [answer]
                # A call of several transactions may have executed the first of them.
                self.repeated = True
                self.results.failures["throttled" if throttled else status] += 1
            return []
        return eventually(answers)[0]


class Results:
    def __init__(self):
        self.guests, self.deleted, self.users = {}, set(), {}
        self.count, self.failures = 0, collections.Counter()


def work(caller, results, number, pool, count):
    mine = []
    for step in range(count):
        kind = caller.random.random()
        if kind < 0.4 or not mine:
            identity = caller.call("GetId", {"IdentityPoolId": pool})["IdentityId"]
            results.guests[identity] = True
            mine.append(identity)
        elif kind < 0.6:
            user = f"user-{number}-{step}"
            answer = caller.call("GetOpenIdTokenForDeveloperIdentity", {"IdentityPoolId": pool, "Logins": {DEVELOPER: user}}, signed=True)
            results.users[user] = answer["IdentityId"]
        elif kind < 0.75:
            identity = caller.random.choice(mine)
            assert caller.call("GetOpenIdToken", {"IdentityId": identity})["IdentityId"] == identity
        elif kind < 0.95:
            identity = caller.random.choice(mine)
            assert caller.call("DescribeIdentity", {"IdentityId": identity}, signed=True)["IdentityId"] == identity
        else:
            identity = mine.pop()
            answer = caller.call("DeleteIdentities", {"IdentityIdsToDelete": [identity]}, signed=True)
            # A repeated call finds the identity removed where the first one lost its answer alone.
            assert caller.repeated or answer["UnprocessedIdentityIds"] == []
            results.deleted.add(identity)
        results.count += 1


def rows(database, table):
    text = database.sql(f"SELECT convert_from(row, 'UTF8') FROM {table}")
    return [json.loads(line) for line in text.splitlines()]


def test_calls_while_nodes_and_the_database_fail(database, nodes):
    """Ten thousand calls in full."""
    first, second = nodes
    results, tasks = Results(), 20
    share = scaled(10_000, 1_000) // tasks
    total = share * tasks
    with concurrent.futures.ThreadPoolExecutor(tasks) as pool:
        running = [pool.submit(work, Caller(nodes, results, number), results, number, first.pool, share) for number in range(tasks)]

        def reach(part):
            eventually(lambda: results.count >= total * part or all(task.done() for task in running))

        reach(0.2)
        second.kill()
        reach(0.3)
        second.start()
        reach(0.45)
        database.stop(signal.SIGQUIT)
        database.start()
        reach(0.65)
        database.stop(signal.SIGINT)
        database.start()
        reach(0.8)
        second.kill()
        second.start()
        for task in running:
            task.result()
    assert results.count == total and results.failures, results.failures
    stored = {row["id"]: row for row in rows(database, "identity")}
    # No acknowledged write is lost.
    assert set(results.guests) - results.deleted <= set(stored)
    assert not results.deleted & set(stored)
    logins = {row["user"]: row["identity"] for row in rows(database, "login")}
    assert results.users.items() <= logins.items()
    assert all(row["mergedInto"] is None for row in stored.values())
    # Nodes and service resume by themselves.
    for node in nodes:
        assert node.client().describe_identity_pool(IdentityPoolId=first.pool)["IdentityPoolId"] == first.pool


# What holds once for all nodes.


def on_both(nodes, count, body):
    barrier = threading.Barrier(count)

    def one(number):
        barrier.wait(LIMIT)
        return body(nodes[number % 2])
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_64_callers_link_one_login_to_one_identity(nodes):
    first, _ = nodes
    clients = {node: node.client() for node in nodes}
    unsigned = {node: node.unsigned() for node in nodes}
    for round in range(3):
        def developer(node):
            return clients[node].get_open_id_token_for_developer_identity(IdentityPoolId=first.pool, Logins={DEVELOPER: f"one-{round}"})["IdentityId"]
        assert len(set(on_both(nodes, 64, developer))) == 1
        token = first.providers.token(GOOGLE, f"one-{round}")

        def public(node):
            return unsigned[node].get_id(IdentityPoolId=first.pool, Logins={GOOGLE: token})["IdentityId"]
        assert len(set(on_both(nodes, 64, public))) == 1


def test_logins_are_merged_once(nodes):
    first, _ = nodes
    clients = {node: node.client() for node in nodes}
    made = [first.client().get_open_id_token_for_developer_identity(IdentityPoolId=first.pool, Logins={DEVELOPER: f"merge-{number}"})["IdentityId"]
            for number in range(2)]

    def merge(node):
        while True:
            try:
                return clients[node].merge_developer_identities(
                    SourceUserIdentifier="merge-0", DestinationUserIdentifier="merge-1", DeveloperProviderName=DEVELOPER, IdentityPoolId=first.pool)["IdentityId"]
            except ClientError as error:
                code = error.response["Error"]["Code"]
                # Where commits take seconds, more of them conflict than the service tries again.
                if code != "TooManyRequestsException":
                    # The source is the destination's already.
                    return code
    answers = on_both(nodes, 16, merge)
    assert answers.count(made[1]) >= 1 and all(answer in (made[1], "ResourceNotFoundException", "InvalidParameterException") for answer in answers), answers
    for node in nodes:
        assert clients[node].lookup_developer_identity(IdentityPoolId=first.pool, DeveloperUserIdentifier="merge-0")["IdentityId"] == made[1]


def token(node, user="jane"):
    return node.client().get_open_id_token_for_developer_identity(IdentityPoolId=node.pool, Logins={DEVELOPER: user})


def key_id(text):
    import base64
    head = text.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))["kid"]


def credentials(node, issued):
    return node.unsigned().get_credentials_for_identity(IdentityId=issued["IdentityId"], Logins={DEVELOPER_TOKEN: issued["Token"]})


def test_a_rotated_key_verifies_on_both_nodes_at_once(nodes):
    first, second = nodes
    old = key_id(token(first)["Token"])
    for signing, verifying in ((first, second), (second, first)):
        before = key_id(token(signing)["Token"])
        signing.command("key", "rotate", "--notice", 0)
        issued = {}

        def is_new():
            issued["it"] = token(signing)
            return key_id(issued["it"]["Token"]) != before
        eventually(is_new)
        # The first token of the new key, on the other node.
        assert credentials(verifying, issued["it"])["IdentityId"] == issued["it"]["IdentityId"]
    # A revoked key verifies on neither, at once.
    issued = token(first)
    revoked = key_id(issued["Token"])
    assert revoked != old
    for node in nodes:
        credentials(node, issued)
    first.command("key", "revoke", revoked)
    for node in nodes:
        with pytest.raises(ClientError) as refused:
            credentials(node, issued)
        assert refused.value.response["Error"]["Code"] == "NotAuthorizedException"


def test_access_keys_are_made_and_revoked_on_both_nodes_at_once(nodes):
    first, second = nodes
    for round in range(3):
        text = first.command("key", "create", "--print")
        key = (re.search(r"ACCESS_KEY_ID=(\S+)", text)[1], re.search(r"SECRET_ACCESS_KEY=(\S+)", text)[1])
        for _ in range(3):
            for node in nodes:
                node.client(key=key).describe_identity_pool(IdentityPoolId=first.pool)
        second.command("key", "remove", key[0])
        for node in nodes:
            with pytest.raises(ClientError) as refused:
                node.client(key=key).describe_identity_pool(IdentityPoolId=first.pool)
            assert refused.value.response["Error"]["Code"] == "InvalidSignatureException"


def send(node, data, headers):
    # Its host stays that of the signature, as behind a balancer.
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(node.url).netloc, timeout=LIMIT)
    connection.request("POST", "/", data, headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def test_a_signed_call_that_comes_to_the_other_node_is_not_executed_twice(nodes):
    first, second = nodes
    data = json.dumps({"IdentityPoolName": "twice", "AllowUnauthenticatedIdentities": False})
    request = AWSRequest("POST", "http://identity.example/", data=data, headers={
        "Content-Type": JSON, "X-Amz-Target": TARGET + "CreateIdentityPool", "Host": "identity.example"})
    SigV4Auth(Credentials(*first.key), "cognito-identity", REGION).add_auth(request)
    headers = dict(request.headers)
    answer = send(first, data, headers)
    assert answer[0] == 200, answer
    for node in (second, first, second):
        assert send(node, data, headers) == answer
    answers = on_both(nodes, 16, lambda node: send(node, data, headers))
    assert all(other == answer for other in answers)
    pools = first.client().list_identity_pools(MaxResults=60)["IdentityPools"]
    assert [pool["IdentityPoolName"] for pool in pools].count("twice") == 1


# Starts.


def test_first_starts_at_once(database, tmp_path):
    database.sql("CREATE DATABASE starts")

    class Place:
        url = database.url.replace("/postgres?", "/starts?")
    key = master_key(tmp_path)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        started = list(pool.map(lambda _: Node(Place, key, key=("", "")), range(4)))
    try:
        text = started[0].command("key", "create", "--print")
        made = (re.search(r"ACCESS_KEY_ID=(\S+)", text)[1], re.search(r"SECRET_ACCESS_KEY=(\S+)", text)[1])
        assert started[0].command("key", "list").count("signing") == 1
        pool = started[0].client(key=made).create_identity_pool(IdentityPoolName="first", AllowUnauthenticatedIdentities=True)["IdentityPoolId"]
        for node in started:
            node.unsigned().get_id(IdentityPoolId=pool)
        # Another master key.
        other = tmp_path / "other"
        other.mkdir()
        place = ["--store", Place.url, "--master-key", str(master_key(other))]
        for words in (["serve", "--port", "0"], ["key", "create"]):
            refused = run(*words, *place)
            assert refused.returncode != 0 and "another master key sealed" in refused.stderr, refused.stderr
    finally:
        for node in started:
            assert node.stop() == 0


def test_starts_that_are_refused(database, tmp_path):
    key = master_key(tmp_path)
    serve = ["serve", "--port", "0"]

    def refused(*arguments, environment=None):
        done = run(*serve, *arguments, env={**os.environ, **(environment or {})})
        assert done.returncode != 0 and done.stdout == "", done
        return done.stderr
    assert "--master-key" in refused("--store", database.url)
    assert "exclude each other" in refused("--store", database.url, "--master-key", key, "--data", tmp_path / "data")
    assert "set --data" in refused()
    for secret in ("postgresql://service:hunter2@localhost/x", "postgresql://localhost/x?password=hunter2"):
        message = refused("--store", secret, "--master-key", key)
        assert "has a password: use a file or the environment" in message and "hunter2" not in message
    for option, rule in (("sslpassword=hunter2", "has a password of a client's key"), ("connect_timeout=abc", "not a number of seconds")):
        message = refused("--store", f"postgresql://localhost/x?{option}", "--master-key", key)
        assert rule in message and "hunter2" not in message
    assert "begin with postgresql://" in refused("--store", "mysql://localhost/x", "--master-key", key)
    with closed_port() as port:
        assert "unavailable" in refused("--store", f"postgresql://127.0.0.1:{port}/x", "--master-key", key)
    key.chmod(0o640)
    if os.getuid() == 0:
        # Root's file that the group of the service may read: an operator who is root uses it, too.
        assert run("pool", "list", "--store", database.url, "--master-key", key).returncode in (0, 2)
        assert "mode 600" not in run("pool", "list", "--store", database.url, "--master-key", key).stderr
    key.chmod(0o604)
    assert "mode 600" in refused("--store", database.url, "--master-key", key)
    key.chmod(0o600)
    # Commands make nothing in an empty database.
    database.sql("CREATE DATABASE empty")
    empty = database.url.replace("/postgres?", "/empty?")
    # A start would make the tables, and its check says so and does not.
    checked = run("serve", "--check-config", "--store", empty, "--master-key", key)
    assert checked.returncode == 0 and "the database is empty: the first start makes the data in it" in checked.stdout, checked
    for words in (("key", "list"), ("key", "create", "--print"), ("role", "list")):
        done = run(*words, "--store", empty, "--master-key", key)
        assert done.returncode != 0 and "no service's data" in done.stderr, done.stderr
    # A link to the key, as containers mount secrets.
    link = tmp_path / "link"
    link.symlink_to(key)
    done = run("key", "list", "--store", empty, "--master-key", link)
    assert "no service's data" in done.stderr, done.stderr
    link.unlink()
    link.symlink_to(tmp_path)
    assert "regular file" in refused("--store", database.url, "--master-key", link)
    assert '"sslmod"' in refused("--store", "postgresql://localhost/x?sslmod=require", "--master-key", key)


def test_the_first_node_decides_region_account_and_issuer(nodes):
    """Commands take them, and their own settings, from the database and the environment; other nodes with others are refused."""
    place = nodes[0].place
    for name, value in (("region", "eu-west-1"), ("account", "000000000001"), ("issuer", "https://other.example")):
        refused = run("serve", "--port", "0", *place, f"--{name}", value)
        assert refused.returncode == 2 and value in refused.stderr and "the first start decides" in refused.stderr, refused.stderr
    variables = {"IDENTITY_SERVICE_STORE": place[1], "IDENTITY_SERVICE_MASTER_KEY": place[3]}
    done = run("key", "list", env={**os.environ, **variables})
    assert done.returncode == 0 and "signing" in done.stdout, done.stderr
    refused = run("pool", "create", "app", env={**os.environ, **variables, "IDENTITY_SERVICE_REGION": "eu-west-1"})
    assert refused.returncode == 2 and "the first start decides" in refused.stderr, refused.stderr


def test_passwords_come_from_a_file_or_the_environment(tmp_path):
    """And are in no process list."""
    database = PostgreSQL()
    try:
        database.sql("ALTER USER service PASSWORD 'hunter2'")
        rules = database.folder / "data/pg_hba.conf"
        rules.write_text("local all all scram-sha-256\n")
        os.kill(database.process.pid, signal.SIGHUP)
        key = master_key(tmp_path)
        password = tmp_path / "password"
        password.write_text("hunter2\n")
        password.chmod(0o644)
        refused = run("serve", "--port", "0", "--store", database.url, "--master-key", key, "--store-password-file", password)
        assert refused.returncode == 2 and "mode 600" in refused.stderr, refused.stderr
        password.chmod(0o600)

        def is_asked():
            done = run("serve", "--port", "0", "--store", database.url, "--master-key", key)
            return done.returncode != 0 and "no password supplied" in done.stderr
        eventually(is_asked)
        node = Node(database, key, "--store-password-file", password, key=("", ""))
        assert node.stop() == 0
        for variable in ("IDENTITY_SERVICE_STORE_PASSWORD", "PGPASSWORD"):
            node = Node(database, key, key=("", ""), environment={variable: "hunter2"})
            arguments = subprocess.run(["ps", "-o", "args=", "-p", str(node.process.pid)], capture_output=True, text=True).stdout
            assert "hunter2" not in arguments and "hunter2" not in "".join(node.log) + node.greeting
            assert node.stop() == 0
    finally:
        database.remove()


def test_clocks_of_nodes_differ_by_a_minute(database, nodes, tmp_path_factory):
    """Tokens and calls of one node are valid on the other."""
    first, _ = nodes
    apart = [Node(database, first.folder / "master.key", key=first.key, clock=Clock(tmp_path_factory.mktemp("clock"), shift)) for shift in (-30, 30)]
    try:
        for node in apart:
            node.pool = first.pool
        for issuing, verifying in (apart, apart[::-1]):
            assert credentials(verifying, token(issuing, "minute"))
            assert token(verifying, "minute")["IdentityId"] == token(issuing, "minute")["IdentityId"]
        guests = [node.unsigned().get_id(IdentityPoolId=first.pool)["IdentityId"] for node in apart]
        for node, guest in zip(apart, guests[::-1]):
            assert node.client().describe_identity(IdentityId=guest)["IdentityId"] == guest
    finally:
        for node in apart:
            assert node.stop() == 0


def test_installed_settings(tmp_path):
    """Each commented line of the file of settings that the Debian package installs works as if it were switched on, alone and with all
    others of its paragraph."""
    # Another one than that of the other tests, which has been sealed with another master key.
    database = PostgreSQL()
    text = (ROOT / "packaging/files/identity-service.default").read_text()
    replaced = {"postgresql://identity@database.example/identity": database.url, "/etc/identity-service/master.key": str(master_key(tmp_path))}
    paragraphs = [dict(re.findall(r"^#?(IDENTITY_SERVICE_[A-Z_]+)=(.*)$", part, re.MULTILINE)) for part in text.split("\n\n")]
    settings = [{name: replaced.get(value, value) for name, value in found.items()} for found in paragraphs if found]
    assert sum(map(len, settings)) == len(re.findall(r"^#?IDENTITY_SERVICE_", text, re.MULTILINE)) > 6
    # A database needs a master key, and no folder.
    alone = [{name: value} for found in settings for name, value in found.items() if "IDENTITY_SERVICE_STORE" not in found]
    try:
        for chosen in settings + alone:
            place = [] if "IDENTITY_SERVICE_STORE" in chosen else ["--data", tmp_path / "data"]
            done = run("serve", "--check-config", *place, env={**os.environ, **chosen})
            assert done.returncode == 0, (chosen, done.stderr)
    finally:
        database.remove()


def test_a_database_without_tls(tmp_path):
    """A server of PostgreSQL that has no certificate answers the request for TLS with N. The message says what to do."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        def answer():
            while True:
                try:
                    connection = server.accept()[0]
                except OSError:
                    return
                with connection:
                    connection.recv(8)
                    connection.sendall(b"N")
        threading.Thread(target=answer, daemon=True).start()
        port = server.getsockname()[1]
        done = run("pool", "list", "--store", f"postgresql://identity@127.0.0.1:{port}/identity", "--master-key", master_key(tmp_path))
        server.shutdown(socket.SHUT_RDWR)
    assert done.returncode == 2
    assert "server does not support SSL, but SSL was required: enable TLS in the server, use its Unix socket, or add ?sslmode=disable" in done.stderr
    assert done.stderr.endswith("[record_store_unavailable]\n"), done.stderr
