"""A running identity-service, login providers of our own, and what must hold of the store at all times."""
import collections
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import threading
import time

import botocore
from botocore.config import Config
from joserfc import jwk, jwt

import aws_clients
from clock import BEFORE
from programs import IDENTITY_SERVICE as PROGRAM
from waiting import LIMIT

REGION = "us-east-1"
DEVELOPER = "login.my.app"
GOOGLE, FACEBOOK = "accounts.google.com", "graph.facebook.com"
ISSUERS = {GOOGLE: ("https://accounts.google.com", "google-client"), FACEBOOK: ("https://www.facebook.com", "12345")}
ROLE, GUEST_ROLE = (f"arn:aws:iam::123456789012:role/{name}" for name in ("app-user", "app-guest"))
DEVELOPER_TOKEN = "cognito-identity.amazonaws.com"


def run(*arguments, prefix=(), **options):
    return subprocess.run([*prefix, PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT, **options)


class Service:
    """identity-service over a folder."""

    def __init__(self, folder, *options, key=None, prefix=(), environment=None, clock=None):
        self.folder, self.options, self.prefix = pathlib.Path(folder), options, [*prefix, *(BEFORE if clock else [])]
        # Where its data is. A node of a database has set it.
        self.place = getattr(self, "place", ["--data", str(self.folder)])
        self.environment = {**os.environ, **(environment or {}), **(clock.environment if clock else {})}
        # Commands have the same time.
        self.clocked = {"prefix": BEFORE, "env": {**os.environ, **clock.environment}} if clock else {}
        self.key = key
        self.log = []
        self.start()

    def start(self):
        command = [*self.prefix, str(PROGRAM), "serve", *self.place, "--port", "0", *map(str, self.options)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.reader.start()
        self.greeting = ""
        while "metrics" not in self.greeting:
            line = self.process.stdout.readline()
            if not line:
                self.reader.join(LIMIT)
            assert line, "".join(self.log)
            self.greeting += line
        self.url = re.search(r"listening on (\S+)", self.greeting)[1]
        if self.key is None:
            while "create-identity-pool" not in self.greeting:
                self.greeting += self.process.stdout.readline()
            # As the greeting says, the key is read and its file removed. The service may have file systems of its own.
            path = re.search(r"^  \. (\S+) && rm ", self.greeting, re.MULTILINE)[1]
            file = pathlib.Path(f"/proc/{self.process.pid}/root{os.path.abspath(path)}")
            text = file.read_text()
            file.unlink()
            self.key = (re.search(r"ACCESS_KEY_ID=(\S+)", text)[1], re.search(r"SECRET_ACCESS_KEY=(\S+)", text)[1])

    def client(self, name="cognito-identity", key=None, token=None, retries=0, parameter_validation=True):
        key = key or self.key
        return aws_clients.client(
            name, endpoint_url=self.url, region_name=REGION, aws_access_key_id=key[0], aws_secret_access_key=key[1],
            aws_session_token=token, config=Config(
                retries={"max_attempts": retries}, max_pool_connections=64, parameter_validation=parameter_validation,
                connect_timeout=LIMIT, read_timeout=LIMIT))

    def unsigned(self, name="cognito-identity"):
        return aws_clients.client(
            name, endpoint_url=self.url, region_name=REGION,
            config=Config(
                signature_version=botocore.UNSIGNED, retries={"max_attempts": 0}, connect_timeout=LIMIT, read_timeout=LIMIT))

    def command(self, *words, **options):
        done = run(*words, *self.place, **{**self.clocked, **options})
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self):
        self.process.terminate()
        status = self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        return status

    def kill(self):
        self.process.kill()
        self.process.wait(LIMIT)


def trust(pool, method):
    return json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": DEVELOPER_TOKEN}, "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": {f"{DEVELOPER_TOKEN}:aud": pool}, "ForAnyValue:StringLike": {f"{DEVELOPER_TOKEN}:amr": method}}}]})


class Providers:
    """Google and Facebook with keys of our own."""

    def __init__(self, folder):
        self.key = jwk.RSAKey.generate_key(2048, {"kid": "fake", "use": "sig", "alg": "RS256"}, private=True)
        self.file = pathlib.Path(folder) / "provider-keys.json"
        self.file.write_text(json.dumps({"keys": [self.key.as_dict(private=False)]}))

    def register(self, service):
        for name in ISSUERS:
            service.command("provider", "put", name, "--keys", self.file)

    def token(self, provider, user, key=None, **claims):
        issuer, audience = ISSUERS[provider]
        now = int(time.time())
        body = {"iss": issuer, "aud": audience, "sub": user, "iat": now, "exp": now + 600, **claims}
        return jwt.encode({"alg": "RS256", "kid": "fake"}, body, key or self.key)


def make_pool(service, folder, **more):
    """A pool with roles for both kinds of identities."""
    client = service.client()
    pool = client.create_identity_pool(
        IdentityPoolName="interop", AllowUnauthenticatedIdentities=True, AllowClassicFlow=True, DeveloperProviderName=DEVELOPER,
        SupportedLoginProviders={name: audience for name, (_, audience) in ISSUERS.items()}, **more)["IdentityPoolId"]
    for arn, method in ((ROLE, "authenticated"), (GUEST_ROLE, "unauthenticated")):
        policy = pathlib.Path(folder) / "trust.json"
        policy.write_text(trust(pool, method))
        service.command("role", "put", arn, "--trust-policy", policy)
    client.set_identity_pool_roles(IdentityPoolId=pool, Roles={"authenticated": ROLE, "unauthenticated": GUEST_ROLE})
    return pool


def invariants(folder):
    """What must hold of the store whatever happened: no identity half merged, no login astray, none too many."""
    database = sqlite3.connect(f"file:{folder}/identities.sqlite?mode=ro", uri=True)
    try:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        def rows(table, *members):
            columns = ", ".join(f"CAST(row AS TEXT) ->> '{member}'" for member in members)
            return database.execute(f"SELECT {columns} FROM {table}").fetchall()
        merged = dict(rows("identity", "id", "mergedInto"))
        per_identity = collections.Counter()
        public = collections.Counter()
        for identity, provider in rows("login", "identity", "provider"):
            assert merged[identity] is None, "a login of an identity that was merged"
            per_identity[identity] += 1
            if provider != DEVELOPER:
                public[identity, provider] += 1
        assert all(count <= 20 for count in per_identity.values())
        assert all(count == 1 for count in public.values())
        for identity, parent in merged.items():
            seen = {identity}
            while parent is not None:
                assert parent in merged and parent not in seen
                seen.add(parent)
                parent = merged[parent]
        assert all(signed_in for identity, signed_in in rows("identity", "id", "signedIn") if per_identity[identity])
    finally:
        database.close()
