#!/usr/bin/env python3
"""Makes a database of an earlier version, with that version's program: make.py IDENTITY_SERVICE NAME

schema1.sqlite is of commit e64e26c and schema2.sqlite of commit 4f01960, the last ones with these schemas. Beside
each is what it has, as the program said, with its master key.
"""

import json
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile

import boto3
from botocore.config import Config

FOLDER = pathlib.Path(__file__).resolve().parent
DEVELOPER = "login.my.app"
ROLE = "arn:aws:iam::123456789012:role/app-user"

program, name = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    data = pathlib.Path(folder) / "data"
    server = subprocess.Popen(
        [program, "serve", "--data", data, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    greeting = ""
    while "create-identity-pool" not in greeting:
        line = server.stdout.readline()
        assert line, greeting
        greeting += line
    url = re.search(r"listening on (\S+)", greeting)[1]
    key = re.search(r"ACCESS_KEY_ID=(\S+)", greeting)[1]
    secret = re.search(r"SECRET_ACCESS_KEY=(\S+)", greeting)[1]
    client = boto3.client(
        "cognito-identity", endpoint_url=url, region_name="us-east-1", aws_access_key_id=key,
        aws_secret_access_key=secret, config=Config(retries={"max_attempts": 0}))

    def run(*words):
        return subprocess.run([program, *words, "--data", data], capture_output=True, text=True, check=True).stdout

    made = {"accessKey": key, "secret": secret}
    pool = client.create_identity_pool(
        IdentityPoolName="earlier", AllowUnauthenticatedIdentities=True, AllowClassicFlow=True,
        DeveloperProviderName=DEVELOPER, SupportedLoginProviders={"accounts.google.com": "google-web;google-app"},
        OpenIdConnectProviderARNs=["arn:aws:iam::123456789012:oidc-provider/id.example/tenant"],
        IdentityPoolTags={"stage": "caf\u00e9"})["IdentityPoolId"]
    empty = client.create_identity_pool(IdentityPoolName="empty", AllowUnauthenticatedIdentities=False)["IdentityPoolId"]
    made.update(pool=pool, empty=empty)
    policy = pathlib.Path(folder) / "trust.json"
    policy.write_text(json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": "cognito-identity.amazonaws.com"},
        "Action": "sts:AssumeRoleWithWebIdentity", "Condition": {
            "StringEquals": {"cognito-identity.amazonaws.com:aud": pool},
            "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"}}}]}))
    run("role", "put", ROLE, "--trust-policy", policy, "--longest-session", "7200")
    run("provider", "put", "id.example/tenant", "--client-id", "one", "--client-id", "two")
    client.set_identity_pool_roles(
        IdentityPoolId=pool, Roles={"authenticated": ROLE}, RoleMappings={"accounts.google.com": {
            "Type": "Rules", "AmbiguousRoleResolution": "Deny", "RulesConfiguration": {"Rules": [
                {"Claim": "sub", "MatchType": "StartsWith", "Value": "a", "RoleARN": ROLE}]}}})
    client.set_principal_tag_attribute_map(
        IdentityPoolId=pool, IdentityProviderName="accounts.google.com", UseDefaults=False, PrincipalTags={"user": "sub"})
    token = lambda user, **more: client.get_open_id_token_for_developer_identity(
        IdentityPoolId=pool, Logins={DEVELOPER: user}, **more)
    users = ["jane", "j\u00e9", "je\u0301", "x" * 1_000]
    made["identities"] = {user: token(user)["IdentityId"] for user in users}
    made["merged"] = token("old")["IdentityId"]
    client.merge_developer_identities(
        SourceUserIdentifier="old", DestinationUserIdentifier="jane", DeveloperProviderName=DEVELOPER, IdentityPoolId=pool)
    made["guest"] = client.get_id(IdentityPoolId=pool)["IdentityId"]
    made["token"] = token("jane", TokenDuration=86_400)["Token"]
    made["describe"] = client.describe_identity_pool(IdentityPoolId=pool)
    made["roles"] = client.get_identity_pool_roles(IdentityPoolId=pool)
    for response in ("describe", "roles"):
        made[response].pop("ResponseMetadata")
    if name != "schema1":
        made["limitedKey"] = re.search(r"AKIA[A-Z2-7]{16}", run("key", "create", "--pools", pool, "--may", "read,issue"))[0]
    server.send_signal(signal.SIGTERM)
    assert server.wait(30) == 0
    made["masterKey"] = (data / "master.key").read_bytes().hex()
    # The first versions left the rows in the log when they stopped.
    database = sqlite3.connect(data / "identities.sqlite")
    with sqlite3.connect(FOLDER / f"{name}.sqlite") as copy:
        database.backup(copy)
    copy.close()
    database.close()
    (FOLDER / f"{name}.json").write_text(json.dumps(made, indent=1, sort_keys=True) + "\n")
