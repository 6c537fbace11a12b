"""A clock that is ahead for some seconds, while users sign in: of a service with a data folder, and of one of two nodes."""
import contextlib
import json
import os
import re
import sqlite3
import time

import pytest
import requests
from botocore.exceptions import ClientError

from clock import BEFORE, Clock
from identity_support import run
from postgresql_support import PostgreSQL
from test_nodes import Node, master_key
from test_user_pool_nodes import proven, srp
from user_pool_support import PASSWORD, UserPools, code
from waiting import LIMIT, eventually

DAY = 86_400
AHEAD = 40 * DAY


class Removal:
    """What the removal of ended rows of a data folder has seen: `[time, uptime]`, the time in microseconds."""

    def __init__(self, folder):
        [self.path] = folder.glob("*.sqlite")

    def execute(self, *statement):
        with contextlib.closing(sqlite3.connect(self.path, timeout=LIMIT)) as database, database:
            return database.execute(*statement).fetchall()

    def latest(self):
        """The latest time that is seen, in seconds from now on; nothing before the first pass."""
        rows = self.execute("SELECT row FROM removal_sightings")
        seen = json.loads(rows[0][0])["seen"] if rows else []
        return seen[-1][0] / 1e6 - time.time() if seen else None

    def grow_old(self):
        """As after some days of uptime: rows are removed that had ended two hours ago, and the next pass adds what it sees."""
        row = {"uptime": 500_000, "seen": [[int((time.time() - 7_200) * 1e6), 100_000]]}
        self.execute("UPDATE removal_sightings SET row = ?", (json.dumps(row).encode(),))

    def has_seen(self, ahead):
        """Whether a pass has seen the clock ahead. The first one knows of calls before, whose clock was right."""
        latest = self.latest()
        if abs(latest) < 3_600:
            self.grow_old()
        return latest > ahead - DAY


def test_nothing_is_lost_and_nothing_serves_twice(tmp_path):
    clock = Clock(tmp_path)
    service = UserPools(tmp_path / "service", clock=clock)
    service.pool_id = pool = service.pool(AutoVerifiedAttributes=["email"])
    service.client_id = client = service.client(pool, AuthSessionValidity=15)
    name = service.user(pool, email="jane@example.com", email_verified="true")
    tokens = service.sign_in(client, name)
    proof = proven(service, name, srp(service, name))
    assert service.public.respond_to_auth_challenge(**proof)["AuthenticationResult"]
    service.public.forgot_password(ClientId=client, Username=name)
    reset = service.code("jane@example.com")
    other = service.user(pool)
    service.admin.admin_set_user_password(UserPoolId=pool, Username=other, Password=PASSWORD, Permanent=False)
    challenge = service.public.initiate_auth(
        ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": other, "PASSWORD": PASSWORD})
    # The clock is ahead for as long as a pass of the removal takes to see it.
    removal = Removal(service.folder / "data")
    eventually(lambda: removal.latest() is not None)
    clock.advance(AHEAD)
    removal.grow_old()
    eventually(lambda: removal.has_seen(AHEAD))
    clock.advance(-AHEAD)
    eventually(lambda: removal.latest() < DAY)
    assert service.public.get_user(AccessToken=tokens["AccessToken"])["Username"] == name
    assert service.public.initiate_auth(
        ClientId=client, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["RefreshToken"]})["AuthenticationResult"]
    with pytest.raises(ClientError) as refused:
        service.public.respond_to_auth_challenge(**proof)
    assert code(refused) == "NotAuthorizedException"
    assert service.public.respond_to_auth_challenge(
        ClientId=client, ChallengeName="NEW_PASSWORD_REQUIRED", Session=challenge["Session"],
        ChallengeResponses={"USERNAME": other, "NEW_PASSWORD": PASSWORD + "!"})["AuthenticationResult"]
    service.public.confirm_forgot_password(ClientId=client, Username=name, ConfirmationCode=reset, Password=PASSWORD + "!")
    assert service.sign_in(client, name, PASSWORD + "!")
    assert service.stop() == 0


def test_a_node_whose_clock_is_ahead_leaves(tmp_path):
    database = PostgreSQL()
    try:
        key = master_key(tmp_path)
        first = UserPools(tmp_path / "first", service=lambda _, *options, **more: Node(database, key, *options, **more))
        clock = Clock(tmp_path)
        second = UserPools(
            tmp_path / "second", "--public-path", "/health/ready",
            service=lambda _, *options, **more: Node(database, key, *options, key=first.service.key, clock=clock, **more))
        pool = first.pool()
        client = first.client(pool)
        name = first.user(pool)
        tokens = second.sign_in(client, name)

        def status():
            return requests.get(second.url + "/health/ready", timeout=LIMIT).status_code

        eventually(lambda: status() == 200)
        clock.advance(AHEAD)
        eventually(lambda: status() == 503)
        eventually(lambda: "seconds ahead of the database server" in "".join(second.service.log))
        with pytest.raises(ClientError) as refused:
            second.sign_in(client, name)
        assert code(refused) == "InternalErrorException"
        # Nor does one start.
        for words in (["serve", "--port", 0], ["pool", "list"]):
            done = run(*words, *second.service.place, prefix=BEFORE, env={**os.environ, **clock.environment})
            assert done.returncode == 2, done.stderr
            assert re.search("this machine's clock is 345[56][0-9]{3} seconds ahead of the database server's, the most are 60", done.stderr)
        clock.advance(-AHEAD)
        eventually(lambda: status() == 200)
        for node in (first, second):
            assert node.public.initiate_auth(
                ClientId=client, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["RefreshToken"]})
            assert node.sign_in(client, name)
            assert node.stop() == 0
    finally:
        database.remove()
