"""identity-service under bad input, bad luck and load: bounds, signatures, kill -9, full disks, rotation, limits."""
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import threading
import urllib.parse

import botocore.exceptions
import jwt as pyjwt
import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

import aws_clients
import clock
from clock import Clock
from identity_support import DEVELOPER, DEVELOPER_TOKEN, GOOGLE, PROGRAM, REGION, ROLE, Providers, Service, invariants, make_pool, run
from programs import PROGRAMS, ROOT
from raw_http import connect, is_open, is_read
from sizes import scaled
from waiting import LIMIT, eventually

TARGET = "AWSCognitoIdentityService."
NOBODY = f"{REGION}:00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("identity-service")


@pytest.fixture(scope="module")
def service(folder):
    service = Service(folder / "data", "--rate", 0, "--log-level", "debug")
    yield service
    assert service.stop() == 0
    invariants(service.folder)


@pytest.fixture(scope="module")
def pool(service, folder):
    return make_pool(service, folder)


def signed(service, operation, body, key=None, name="cognito-identity", region=REGION, headers=None, token=None):
    data = body if isinstance(body, (bytes, str)) else json.dumps(body)
    request = AWSRequest("POST", service.url + "/", data=data, headers={
        "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": TARGET + operation, **(headers or {})})
    SigV4Auth(Credentials(*(key or service.key), token), name, region).add_auth(request)
    return dict(request.headers), data


def send(service, headers, data):
    answer = requests.post(service.url + "/", data=data, headers=headers, timeout=LIMIT)
    return answer.status_code, answer.json()


def call(service, operation, body, **more):
    return send(service, *signed(service, operation, body, **more))


# Bounds, from both sides, as botocore's model has them.

GOOD = {
    "IdentityPoolId": NOBODY, "IdentityId": NOBODY, "IdentityPoolName": "name", "AllowUnauthenticatedIdentities": False, "Logins": {DEVELOPER: "x"},
    "MaxResults": 1, "IdentityIdsToDelete": [NOBODY], "LoginsToRemove": ["x"], "Roles": {}, "SourceUserIdentifier": "a",
    "DestinationUserIdentifier": "b", "DeveloperProviderName": DEVELOPER, "DeveloperUserIdentifier": "a", "IdentityProviderName": "x",
    "ResourceArn": f"arn:aws:cognito-identity:{REGION}:123456789012:identitypool/{NOBODY}", "Tags": {}, "TagKeys": ["a"]}


def text_of(shape, length):
    pattern = shape.metadata.get("pattern", "")
    if pattern == r"[\w-]+:[0-9a-f-]+":
        return ("a:" + "0" * length)[:max(length, 1)]
    return "1" * length


def bad_values(shape):
    """Values just outside the bounds of a shape, and of another form."""
    low, high = shape.metadata.get("min"), shape.metadata.get("max")
    if shape.type_name == "string":
        if low:
            yield "" if low == 1 else text_of(shape, low - 1)
        if high and high < 60_000:
            yield text_of(shape, high + 1)
        if "pattern" in shape.metadata and shape.metadata["pattern"] != r"[\S]+":
            yield "\u2603" if low is None or low <= 1 else "\u2603" * low
        if getattr(shape, "enum", None):
            yield "none-of-these"
    elif shape.type_name in ("integer", "long"):
        yield from ([low - 1] if low is not None else [])
        yield from ([high + 1] if high is not None else [])
    elif shape.type_name == "list":
        inner = shape.member
        good = NOBODY if inner.metadata.get("pattern") == r"[\w-]+:[0-9a-f-]+" else "x" * inner.metadata.get("min", 1)
        if low:
            yield []
        if high:
            yield [good] * (high + 1)
        if inner.type_name == "string":
            for value in bad_values(inner):
                yield [value]
    elif shape.type_name == "map":
        if high:
            yield {f"{index}": "x" * shape.value.metadata.get("min", 1) for index in range(high + 1)}
        if shape.value.type_name == "string":
            for value in bad_values(shape.key):
                yield {value: "x" * (shape.value.metadata.get("min") or 1)}
            for value in bad_values(shape.value):
                yield {"authenticated" if "authenticated" in shape.key.metadata.get("pattern", "") else "x": value}


def edge_values(shape):
    """Values just inside the bounds."""
    low, high = shape.metadata.get("min"), shape.metadata.get("max")
    if shape.type_name == "string" and "pattern" not in shape.metadata and not getattr(shape, "enum", None):
        yield from (["1" * low] if low else [])
        yield from (["1" * high] if high and high < 60_000 else [])
    elif shape.type_name in ("integer", "long"):
        yield from (value for value in (low, high) if value is not None)


def other_type(shape):
    return 5 if shape.type_name in ("string", "map", "list", "boolean", "structure") else "five"


def test_every_bound_of_the_model(service):
    model = service.client().meta.service_model
    wanted = {"ValidationException", "SerializationException"}
    tried = 0
    for operation in model.operation_names:
        shape = model.operation_model(operation).input_shape
        base = {name: GOOD[name] for name in shape.required_members}
        for name in shape.required_members:
            status, answer = call(service, operation, {k: v for k, v in base.items() if k != name})
            assert (status, answer["__type"]) == (400, "ValidationException"), (operation, name, answer)
        for name, member in shape.members.items():
            status, answer = call(service, operation, {**base, name: other_type(member)})
            assert (status, answer["__type"]) == (400, "SerializationException"), (operation, name, answer)
            for value in bad_values(member):
                status, answer = call(service, operation, {**base, name: value})
                assert status == 400 and answer["__type"] in wanted, (operation, name, str(value)[:80], answer)
                tried += 1
            for value in edge_values(member) if name != "ResourceArn" else []:
                status, answer = call(service, operation, {**base, name: value})
                # Nobody has these ids, but the bounds let them pass.
                assert answer.get("code") not in ("member_length", "member_range", "member_pattern", "duration_too_long"), (operation, name, answer)
                tried += 1
    assert tried > 150


HOSTILE = ["'; DROP TABLE login; --", '" OR 1=1 --', "../../../../etc/passwd", "%00", "\u0000", "${jndi:ldap://x}", "{{7*7}}", "\U0001f600" * 50, "a\r\nX: y"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_texts(service, pool, text):
    """SQL and paths in every string of every operation: refused, or kept as what they are; and nothing else happens."""
    client = service.client()
    model = client.meta.service_model
    before = client.describe_identity_pool(IdentityPoolId=pool)
    for operation in model.operation_names:
        shape = model.operation_model(operation).input_shape
        base = {name: GOOD[name] for name in shape.required_members}
        for name, member in shape.members.items():
            value = {"string": text, "list": [text], "map": {text: text}}.get(member.type_name)
            if value is None or operation == "CreateIdentityPool":
                continue
            status, answer = call(service, operation, {**base, name: value})
            assert status in (200, 400), (operation, name, answer)
    issued = client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: text})
    again = client.lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier=text)
    assert again["IdentityId"] == issued["IdentityId"] and again["DeveloperUserIdentifierList"] == [text]
    after = client.describe_identity_pool(IdentityPoolId=pool)
    assert {k: v for k, v in before.items() if k != "ResponseMetadata"} == {k: v for k, v in after.items() if k != "ResponseMetadata"}


def test_requests_that_are_none(service, pool):
    body = {"IdentityPoolId": pool, "Logins": {DEVELOPER: "bad-requests"}}
    operation = "GetOpenIdTokenForDeveloperIdentity"
    cases = []
    for text in ("{", "[]", "5", '"x"', "nul", '{"a":1,"a":2}', "{}}", "\xff", '{"Logins":' + "[" * 40 + "]" * 40 + "}"):
        cases.append((signed(service, operation, text.encode("latin-1")), "SerializationException"))
    cases.append((signed(service, "NoSuchOperation", body), "UnknownOperationException"))
    cases.append((signed(service, "", body), "UnknownOperationException"))
    for wrong in ("application/json", "text/plain", "", "application/x-amz-json-1.0"):
        cases.append((signed(service, operation, body, headers={"Content-Type": wrong}), "SerializationException"))
    for (headers, data), expected in cases:
        status, answer = send(service, headers, data)
        assert (status, answer["__type"]) == (400, expected), (data[:60], headers, answer)
    headers, data = signed(service, operation, body, headers={"Content-Type": "Application/X-Amz-Json-1.1; charset=utf-8"})
    assert send(service, headers, data)[0] == 200
    big = json.dumps({**body, "Padding": "x" * 10_000_000})
    status, answer = call(service, operation, big)
    assert (status, answer["__type"]) == (400, "InvalidParameterException")
    for method, path, expected in (("GET", "/", 404), ("PUT", "/", 404), ("POST", "/nowhere", 404), ("GET", "/../etc/passwd", 404)):
        assert requests.request(method, service.url + path, timeout=LIMIT).status_code in (expected, 405)


def test_signatures_of_every_kind_of_wrong(service, pool):
    operation, body = "GetOpenIdTokenForDeveloperIdentity", {"IdentityPoolId": pool, "Logins": {DEVELOPER: "signatures"}}
    key, secret = service.key
    def spoil(change):
        headers, data = signed(service, operation, body)
        return change(headers, data) or (headers, data)
    def header(name, value):
        return lambda headers, data: headers.__setitem__(name, value)
    good = signed(service, operation, body)[0]["Authorization"]
    device = service.unsigned().get_id(IdentityPoolId=pool)["IdentityId"]
    keys = service.unsigned().get_credentials_for_identity(IdentityId=device)["Credentials"]
    temporary = (keys["AccessKeyId"], keys["SecretKey"])
    cases = {
        "none": ((lambda h, d: h.pop("Authorization") and None), "MissingAuthenticationTokenException"),
        "wrong secret": (lambda h, d: signed(service, operation, body, key=(key, secret[:-1] + ("x" if secret[-1] != "x" else "y"))), "InvalidSignatureException"),
        "nobody's key": (lambda h, d: signed(service, operation, body, key=("AKIAAAAAAAAAAAAAAAAA", secret)), "InvalidSignatureException"),
        "another service": (lambda h, d: signed(service, operation, body, name="sts"), "AccessDeniedException"),
        "another region": (lambda h, d: signed(service, operation, body, region="eu-west-1"), "AccessDeniedException"),
        "another body": (lambda h, d: (h, d.replace("signatures", "somebody-else")), "InvalidSignatureException"),
        "another operation": (header("X-Amz-Target", TARGET + "DescribeIdentityPool"), "InvalidSignatureException"),
        "a bit": (header("Authorization", good[:-1] + ("0" if good[-1] != "0" else "1")), "InvalidSignatureException"),
        "cut": (header("Authorization", good[:-1]), "IncompleteSignatureException"),
        "basic": (header("Authorization", "Basic eDp5"), "IncompleteSignatureException"),
        "empty": (header("Authorization", ""), "IncompleteSignatureException"),
        "an old date": (header("X-Amz-Date", "20150830T123600Z"), "IncompleteSignatureException"),
        "a header that was not signed": (header("X-Amz-Extra", "1"), "IncompleteSignatureException"),
        "a device's": (lambda h, d: signed(service, operation, body, key=temporary, token=keys["SessionToken"]), "AccessDeniedException"),
        "a device's without its token": (lambda h, d: signed(service, operation, body, key=temporary), "InvalidSignatureException"),
        "another session token": (lambda h, d: signed(service, operation, body, key=temporary, token="TS1.AAAA"), "InvalidSignatureException"),
        "a developer's with a token": (lambda h, d: signed(service, operation, body, token=keys["SessionToken"]), "InvalidSignatureException"),
    }
    for name, (change, expected) in cases.items():
        status, answer = send(service, *spoil(change))
        assert (status, answer["__type"]) == (400, expected), (name, answer)
    with pytest.raises(botocore.exceptions.ClientError) as missing:
        service.client().lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier="signatures")
    assert missing.value.response["Error"]["Code"] == "ResourceNotFoundException"
    # A presigned URL is not taken in the place of a signed header.
    assert send(service, *spoil(lambda h, d: h.pop("Authorization") and None))[1]["code"] == "call_unsigned"


class LeavingOut(SigV4Auth):
    """Signs like an SDK that leaves these headers unsigned."""

    def __init__(self, unsigned, *arguments):
        super().__init__(*arguments)
        self.unsigned = unsigned

    def headers_to_sign(self, request):
        headers = super().headers_to_sign(request)
        for name in self.unsigned:
            del headers[name]
        return headers


@pytest.mark.parametrize("unsigned, code", [
    (["content-type"], None),  # Amazon's SDK for JavaScript, version 2
    (["content-type", "x-amz-user-agent"], None),  # Amazon's SDK for PHP
    (["content-type", "x-amz-target"], "header_unsigned"),
    (["x-amz-date"], "header_unsigned"),
])
def test_clients_that_leave_headers_unsigned(service, pool, unsigned, code):
    def sent(url_service, content_type, data, **headers):
        request = AWSRequest("POST", service.url + "/", data=data, headers={
            "Content-Type": content_type, "X-Amz-User-Agent": "aws-sdk-php/3", **headers})
        LeavingOut(unsigned, Credentials(*service.key), url_service, REGION).add_auth(request)
        return dict(request.headers), data

    operation = "GetOpenIdTokenForDeveloperIdentity"
    body = json.dumps({"IdentityPoolId": pool, "Logins": {DEVELOPER: "unsigned"}})
    headers, data = sent("cognito-identity", "application/x-amz-json-1.1", body, **{"X-Amz-Target": TARGET + operation})
    status, answer = send(service, headers, data)
    assert (status, answer.get("code")) == ((400, code) if code else (200, None)), answer
    assert code or answer["Token"]
    # A type that somebody changes on the way gets the call refused: each protocol has one, and a scope of its own.
    for other in ("text/plain", "application/x-www-form-urlencoded"):
        answer = requests.post(service.url + "/", data=data, headers=headers | {"Content-Type": other}, timeout=LIMIT)
        assert answer.status_code in (400, 403) and "Token" not in answer.text.replace("MissingAuthenticationToken", ""), (other, answer.text)
    # STS as well.
    headers, data = sent("sts", "application/x-www-form-urlencoded; charset=utf-8", "Action=GetCallerIdentity&Version=2011-06-15")
    answer = requests.post(service.url + "/", data=data, headers=headers, timeout=LIMIT)
    refused = unsigned == ["x-amz-date"]
    assert answer.status_code == (400 if refused else 200), answer.text


def test_keys_come_and_go_while_it_runs(service, pool):
    made = service.command("key", "create", "--note", "second")
    key = (made.split("ACCESS_KEY_ID=")[1].split()[0], made.split("SECRET_ACCESS_KEY=")[1].split()[0])
    second = service.client(key=key)
    second.describe_identity_pool(IdentityPoolId=pool)
    assert key[0] in service.command("key", "list")
    service.command("key", "remove", key[0])
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        second.describe_identity_pool(IdentityPoolId=pool)
    assert refused.value.response["Error"]["Code"] == "InvalidSignatureException"
    bad = pathlib.Path(service.folder) / "bad-trust.json"
    bad.write_text(json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": DEVELOPER_TOKEN}, "Action": "sts:AssumeRoleWithWebIdentity"}]}))
    refused = run("role", "put", "arn:aws:iam::123456789012:role/any", "--trust-policy", bad, "--data", service.folder)
    assert refused.returncode != 0 and "any identity pool could assume the role" in refused.stderr
    bad.unlink()


def test_a_key_that_is_limited(service, pool):
    """By `key create --pools ID,… --may …`."""
    def create(*options):
        made = service.command("key", "create", *options)
        return made.split("ACCESS_KEY_ID=")[1].split()[0], made.split("SECRET_ACCESS_KEY=")[1].split()[0]

    def answer(client, operation, **arguments):
        try:
            getattr(client, operation)(**arguments)
        except botocore.exceptions.ClientError as error:
            return error.response["Error"]["Code"]
        return "done"

    def calls(pool):
        return {
            "read": ("describe_identity_pool", dict(IdentityPoolId=pool)),
            "issue": ("get_open_id_token_for_developer_identity", dict(IdentityPoolId=pool, Logins={DEVELOPER: "limited"})),
            "administer": ("set_principal_tag_attribute_map", dict(IdentityPoolId=pool, IdentityProviderName=GOOGLE, UseDefaults=False))}

    other = service.client().create_identity_pool(IdentityPoolName="other", AllowUnauthenticatedIdentities=False, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
    refused = "AccessDeniedException"
    listed = {}
    for may in ("read", "issue", "administer", "read,issue", "administer,read", None):
        for pools in ([pool], [other, pool], None):
            options = [*(["--may", may] if may else []), *(["--pools", ",".join(pools)] if pools else [])]
            key = create(*options)
            client = service.client(key=key)
            names = may.split(",") if may else ["read", "issue", "administer"]
            for target in (pool, other):
                for name, (operation, arguments) in calls(target).items():
                    expected = "done" if name in names and (pools is None or target in pools) else refused
                    assert answer(client, operation, **arguments) == expected, (options, operation, target)
            # Calls that concern all pools.
            assert answer(client, "list_identity_pools", MaxResults=1) == ("done" if "read" in names and pools is None else refused)
            shown = [name for name in ("read", "issue", "administer") if name in names]
            listed[key[0]] = f"may {','.join(shown)}  {'pools ' + ','.join(sorted(pools)) if pools else 'every pool'}"
    before = service.command("key", "list")
    for key, text in listed.items():
        assert text in next(line for line in before.splitlines() if key in line)
    unknown = f"{pool.split(':')[0]}:00000000-0000-4000-8000-000000000000"
    for options in (["--may", "reading"], ["--may", ""], ["--may", "read,"], ["--may", "Read"], ["--may", "read issue"], ["--pools", ""],
                    ["--pools", f"{pool},"], ["--pools", unknown], ["--pools", pool, "--may", "all"], ["--pools", ",".join([pool] * 101)]):
        done = run("key", "create", *options, "--data", service.folder)
        assert done.returncode != 0 and done.stderr and "ACCESS_KEY" not in done.stdout, options
    assert service.command("key", "list") == before
    service.client().delete_identity_pool(IdentityPoolId=other)


def test_rotation_under_load_refuses_no_valid_token(folder):
    """Tokens are made, verified by strangers with copies of the key set, and redeemed, while keys change."""
    time = Clock(folder)
    service = Service(folder / "rotated", "--rate", 0, clock=time)
    pool = make_pool(service, folder)
    notice = 100
    stop, faults, seen, count = threading.Event(), [], set(), [0]
    # Of the key sets that verifiers have to hold by now, and of the one that each of them holds.
    wanted, held_sets = [0], [0] * 4

    def key_set():
        return requests.get(service.url + "/.well-known/jwks_uri", timeout=LIMIT).json()

    def worker(index):
        client, device = service.client(), service.unsigned()
        keys, held = pyjwt.PyJWKSet.from_dict(key_set()), None
        while not stop.is_set():
            try:
                # A copy of the key set is held, and is not fetched out of turn.
                if held_sets[index] < wanted[0]:
                    number = wanted[0]
                    keys = pyjwt.PyJWKSet.from_dict(key_set())
                    held_sets[index] = number
                issued = client.get_open_id_token_for_developer_identity(
                    IdentityPoolId=pool, Logins={DEVELOPER: f"rotation-{index}"}, TokenDuration=86_400)
                seen.add(pyjwt.get_unverified_header(issued["Token"])["kid"])
                for token in filter(None, (issued, held)):
                    key = keys[pyjwt.get_unverified_header(token["Token"])["kid"]].key
                    pyjwt.decode(token["Token"], key, algorithms=["RS512"], audience=pool, leeway=3 * notice)
                    device.get_credentials_for_identity(IdentityId=token["IdentityId"], Logins={DEVELOPER_TOKEN: token["Token"]})
                # The first token of each worker is shown again and again, whatever signs by then.
                held = held or issued
                count[0] += 1
            except Exception as error:
                faults.append(repr(error))
    workers = [threading.Thread(target=worker, args=(index,), daemon=True) for index in range(4)]
    for thread in workers:
        thread.start()

    def so_far(condition):
        eventually(lambda: faults or condition())
        assert faults == []
    try:
        for rotations in (1, 2):
            so_far(lambda: len(seen) == rotations and count[0] > 20 * rotations)
            published = len(key_set()["keys"])
            service.command("key", "rotate", "--notice", notice)
            # The service publishes the new key, and all verifiers fetch the key set in the time of the notice: then it may sign.
            so_far(lambda: len(key_set()["keys"]) > published)
            wanted[0] = rotations
            so_far(lambda: held_sets == [rotations] * 4)
            time.advance(notice)
        so_far(lambda: len(seen) == 3)
        before = count[0]
        so_far(lambda: count[0] > before + 40)
    finally:
        stop.set()
        for thread in workers:
            thread.join()
    assert faults == [] and len(seen) == 3
    assert service.stop() == 0


def test_kill_in_the_middle(folder):
    """kill -9 among mixed calls, 10,000 in full: what was acknowledged is there after a restart, and nothing is half done."""
    data = folder / "killed"
    service = Service(data, "--rate", 0)
    providers = Providers(folder)
    providers.register(service)
    pool = make_pool(service, folder)
    workers, total, kills = 8, scaled(10_000, 1_000), 3
    done, lock, dead, faults = [0], threading.Lock(), threading.Event(), []
    google = [providers.token(GOOGLE, f"g-{number}") for number in range(workers * 20)]

    class Worker:
        """Users of its own: what they should be linked to is known, but for the call that was under way."""

        def __init__(self, number):
            self.number, self.random = number, random.Random(number)
            self.users = {}       # user: identity
            self.logins = {}      # number of a Google login: identity
            self.open = None      # what was asked last and not answered

        def step(self, client):
            user = f"k{self.number}-{self.random.randrange(20)}"
            kind = self.random.choice(["token", "token", "link", "merge", "unlink", "lookup"])
            if kind == "token":
                self.open = (kind, user)
                answer = client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: user})
                assert self.users.setdefault(user, answer["IdentityId"]) == answer["IdentityId"]
            elif kind == "link" and user in self.users:
                number = self.number * 20 + self.random.randrange(20)
                identity = self.users[user]
                self.open = (kind, user, number)
                try:
                    answer = client.get_open_id_token_for_developer_identity(
                        IdentityPoolId=pool, Logins={DEVELOPER: user, GOOGLE: google[number]})
                    assert answer["IdentityId"] == identity
                    self.absorb(self.logins.get(number), identity)
                    self.logins[number] = identity
                except client.exceptions.ResourceConflictException:
                    pass
            elif kind == "merge" and user in self.users:
                other = self.random.choice(sorted(self.users))
                self.open = (kind, user, other)
                try:
                    answer = client.merge_developer_identities(
                        SourceUserIdentifier=user, DestinationUserIdentifier=other, DeveloperProviderName=DEVELOPER, IdentityPoolId=pool)
                    assert answer["IdentityId"] == self.users[other]
                    self.absorb(self.users[user], self.users[other])
                except client.exceptions.ResourceConflictException:
                    pass
            elif kind == "unlink" and user in self.users:
                self.open = (kind, user)
                client.unlink_developer_identity(
                    IdentityId=self.users[user], IdentityPoolId=pool, DeveloperProviderName=DEVELOPER, DeveloperUserIdentifier=user)
                del self.users[user]
            elif user in self.users:
                self.open = None
                assert client.lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier=user)["IdentityId"] == self.users[user]
            self.open = None

        def absorb(self, source, target):
            if source is None or source == target:
                return
            for table in (self.users, self.logins):
                for name, identity in table.items():
                    if identity == source:
                        table[name] = target

        def work(self):
            client = service.client()
            while not dead.is_set():
                with lock:
                    if done[0] >= total:
                        return
                    done[0] += 1
                try:
                    self.step(client)
                except (botocore.exceptions.HTTPClientError, botocore.exceptions.ConnectionError):
                    return
                except BaseException as error:
                    faults.append((self.number, self.open, repr(error)))
                    return

        def check(self, client, device):
            """Every user is where the last acknowledged call left it; the one open call was done, or was not."""
            for user, identity in sorted(self.users.items()):
                try:
                    found = client.lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier=user)["IdentityId"]
                except client.exceptions.ResourceNotFoundException:
                    found = None
                if found != identity:
                    assert self.open and self.open[0] in ("merge", "link", "unlink"), (user, identity, found, self.open)
                    if self.open[0] == "unlink":
                        assert found is None and self.open[1] == user
                    else:
                        # The whole of the merge was done.
                        target = self.users[self.open[2] if self.open[0] == "merge" else self.open[1]]
                        assert found == target
            for number, identity in sorted(self.logins.items()):
                found = device.get_id(IdentityPoolId=pool, Logins={GOOGLE: google[number]})["IdentityId"]
                assert found == identity or self.open and self.open[0] in ("merge", "link"), (number, identity, found, self.open)
            # From here on what is there is what is known.
            for user in list(self.users):
                try:
                    self.users[user] = client.lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier=user)["IdentityId"]
                except client.exceptions.ResourceNotFoundException:
                    del self.users[user]
            if self.open and self.open[0] == "link":
                self.logins.setdefault(self.open[2], None)
            for number in list(self.logins):
                self.logins[number] = device.get_id(IdentityPoolId=pool, Logins={GOOGLE: google[number]})["IdentityId"]
            self.open = None

    crowd = [Worker(number) for number in range(workers)]
    for kill in range(kills + 1):
        dead.clear()
        threads = [threading.Thread(target=worker.work, daemon=True) for worker in crowd]
        for thread in threads:
            thread.start()
        if kill < kills:
            eventually(lambda: done[0] >= total * (kill + 1) // (kills + 1) or faults)
            service.kill()
            dead.set()
        for thread in threads:
            thread.join()
        assert faults == []
        if kill < kills:
            service.start()
            assert "access key was made" not in service.greeting
        invariants(data)
        client, device = service.client(), service.unsigned()
        for worker in crowd:
            worker.check(client, device)
    assert done[0] >= total
    assert service.stop() == 0
    invariants(data)


def test_a_full_disk(folder):
    """Where the disk is full, a call that would write is refused with an internal error, and nothing is changed."""
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        pytest.skip("no namespace can be made here, in which a small disk would be mounted")
    disk = folder / "disk"
    disk.mkdir()
    prefix = ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=2m tmpfs "{disk}" && exec "$@"', "sh"]
    service = Service(disk / "data", "--rate", 0, prefix=prefix)
    client = service.client()
    pool = client.create_identity_pool(IdentityPoolName="disk", AllowUnauthenticatedIdentities=True, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
    known = client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "first"})["IdentityId"]
    failed = None
    for number in range(5_000):
        try:
            client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: f"user-{number}-" + "x" * 900})
        except botocore.exceptions.ClientError as error:
            failed = error
            break
    assert failed is not None and failed.response["Error"]["Code"] == "InternalErrorException"
    assert failed.response["Error"]["Message"] == "An internal error occurred."
    # What is known is still served, and the call that failed has left nothing.
    assert client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "first"})["IdentityId"] == known
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier=f"user-{number}-" + "x" * 900)
    service.stop()
    assert any('"code":"store_failed"' in line for line in service.log)


def test_what_is_begun_is_finished(folder):
    service = Service(folder / "stopping", "--rate", 0)
    pool = service.client().create_identity_pool(IdentityPoolName="stop", AllowUnauthenticatedIdentities=True)["IdentityPoolId"]
    host = urllib.parse.urlsplit(service.url)
    body = json.dumps({"IdentityPoolId": pool}).encode()
    with socket.create_connection((host.hostname, host.port), LIMIT) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.1\r\nX-Amz-Target: " + TARGET.encode()
                           + b"GetId\r\nContent-Length: %d\r\n\r\n" % len(body) + body[:5])
        eventually(lambda: is_read(connection))
        service.process.send_signal(signal.SIGTERM)

        def is_closed():
            try:
                socket.create_connection((host.hostname, host.port), LIMIT).close()
            except OSError:
                return True
        eventually(is_closed)
        connection.sendall(body[5:])
        answer = connection.recv(65536)
        assert answer.startswith(b"HTTP/1.1 200") and b"IdentityId" in answer
    assert service.process.wait(LIMIT) == 0


def test_a_request_that_drips_in(folder):
    """Its time counts from its beginning, not from its last byte."""
    service = Service(folder / "dripping", "--request-timeout", 2)
    with connect(service) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")

        def is_cut():
            with contextlib.suppress(OSError):
                connection.send(b"x")
            return not is_open(connection)
        eventually(is_cut)
    assert service.stop() == 0


def test_limits(service, pool, folder):
    host = urllib.parse.urlsplit(service.url)
    # Headers without end.
    with socket.create_connection((host.hostname, host.port), LIMIT) as connection:
        try:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-Long: " + b"x" * 100_000 + b"\r\n\r\n")
            assert not connection.recv(100).startswith(b"HTTP/1.1 200")
        except OSError:
            pass
    with socket.create_connection((host.hostname, host.port), LIMIT) as connection:
        try:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-A: b\r\n" * 200 + b"\r\n")
            assert not connection.recv(100).startswith(b"HTTP/1.1 200")
        except OSError:
            pass
    slow = Service(folder / "limited", "--rate", 5, clock=clock.slow(folder))
    client = slow.client()
    statuses = []
    for _ in range(40):
        try:
            client.list_identity_pools(MaxResults=1)
            statuses.append("ok")
        except client.exceptions.TooManyRequestsException:
            statuses.append("refused")
    assert statuses.count("refused") > 10 and statuses[:5] == ["ok"] * 5
    slow.stop()


def test_tls_and_configuration(folder, tmp_path):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", tmp_path / "key.pem",
                    "-out", tmp_path / "cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"],
                   check=True, capture_output=True)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"certificate": str(tmp_path / "cert.pem"), "privateKey": str(tmp_path / "key.pem"), "region": "eu-north-1", "port": 1}))
    service = Service(tmp_path / "data", "--config", settings, environment={"IDENTITY_SERVICE_REGION": "eu-west-1", "IDENTITY_SERVICE_ACCOUNT": "000000000042"})
    assert service.url.startswith("https://127.0.0.1:") and not service.url.endswith(":1")
    client = aws_clients.client("cognito-identity", endpoint_url=service.url, region_name="eu-west-1", verify=str(tmp_path / "cert.pem"),
                                            aws_access_key_id=service.key[0], aws_secret_access_key=service.key[1])
    assert client.create_identity_pool(IdentityPoolName="tls", AllowUnauthenticatedIdentities=False)["IdentityPoolId"].startswith("eu-west-1:")
    me = aws_clients.client("sts", endpoint_url=service.url, region_name="eu-west-1", verify=str(tmp_path / "cert.pem"),
                                        aws_access_key_id=service.key[0], aws_secret_access_key=service.key[1]).get_caller_identity()
    assert me["Account"] == "000000000042"
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(service.url + "/health", timeout=LIMIT)
    service.stop()
    for words, complaint in (
            (["serve"], "--data FOLDER"), (["serve", "--data", tmp_path / "d", "--certificate", "x"], "set together"),
            (["serve", "--data", tmp_path / "d", "--log-level", "loud"], "one of"), (["serve", "--data", tmp_path / "d", "--port", "70000"], "0 to 65535"),
            (["serve", "--data", tmp_path / "d", "--region", "mars"], "is not a valid region"), (["serve", "--data", tmp_path / "d", "--config", tmp_path / "no"], "cannot be read"),
            (["serve", "--data", "/proc/nowhere/data"], "cannot be made")):
        refused = run(*words)
        assert refused.returncode != 0 and complaint in refused.stderr, refused.stderr
    settings.write_text('{"port": "eight"}')
    assert run("serve", "--data", tmp_path / "d", "--config", settings).returncode != 0
    # A misspelt name is not passed over: a certificate that is not found would mean plain HTTP.
    for text, complaint in (('{"certifcate": "x"}', '"certifcate"'), ('{"Port": 1}', '"Port"'), ('{"request-timeout": 1}', "requestTimeout"), ("[]", "JSON object")):
        settings.write_text(text)
        refused = run("serve", "--data", tmp_path / "d", "--config", settings)
        assert refused.returncode != 0 and complaint in refused.stderr, refused.stderr
    refused = run("serve", "--data", tmp_path / "d", env={**os.environ, "IDENTITY_SERVICE_PROT": "1"})
    assert refused.returncode != 0 and "IDENTITY_SERVICE_PROT" in refused.stderr, refused.stderr


def test_the_folder_is_the_owners(service, folder):
    for name in ("master.key", "identities.sqlite", "identities.sqlite-wal", "identities.sqlite-shm"):
        assert (service.folder / name).stat().st_mode & 0o077 == 0, name
    assert service.folder.stat().st_mode & 0o077 == 0
    copy = folder / "open"
    shutil.copytree(service.folder, copy)
    (copy / "master.key").chmod(0o644)
    refused = run("serve", "--data", copy, "--port", "0")
    assert refused.returncode != 0 and "owner alone" in refused.stderr
    (copy / "master.key").chmod(0o600)
    (copy / "master.key").write_bytes(os.urandom(32))
    refused = run("serve", "--data", copy, "--port", "0")
    assert refused.returncode != 0 and "another master key" in refused.stderr
    (copy / "master.key").write_bytes(b"short")
    assert run("serve", "--data", copy, "--port", "0").returncode != 0


def test_health_metrics_and_a_log_without_secrets(service, pool):
    client, device = service.client(), service.unsigned()
    issued = client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "private-user-name"})
    keys = device.get_credentials_for_identity(IdentityId=issued["IdentityId"], Logins={DEVELOPER_TOKEN: issued["Token"]})["Credentials"]
    sts = service.unsigned("sts")
    sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="log", WebIdentityToken=issued["Token"])
    with pytest.raises(botocore.exceptions.ClientError):
        device.get_credentials_for_identity(IdentityId=issued["IdentityId"], Logins={DEVELOPER_TOKEN: issued["Token"][:-4]})
    assert requests.get(service.url + "/health", timeout=LIMIT).text == "ok\n"
    metrics = requests.get(service.url + "/metrics", timeout=LIMIT)
    assert 'identity_calls_total{operation="GetCredentialsForIdentity",code="login_refused"} ' in metrics.text
    assert 'identity_call_seconds_bucket{operation="GetCredentialsForIdentity",le="+Inf"} ' in metrics.text
    description = requests.get(service.url + "/.well-known/openid-configuration", timeout=LIMIT).json()
    assert description["jwks_uri"] == service.url + "/.well-known/jwks_uri" and description["issuer"] == "https://cognito-identity.amazonaws.com"
    assert all("d" not in key for key in requests.get(description["jwks_uri"], timeout=LIMIT).json()["keys"])
    # The call of the token that was cut is the last one with this code.
    eventually(lambda: any(
        line.get("operation") == "GetCredentialsForIdentity" and line.get("code") == "login_refused" for line in map(json.loads, list(service.log))))
    log = "".join(service.log)
    lines = [json.loads(line) for line in log.splitlines()]
    assert any(line.get("operation") == "GetCredentialsForIdentity" and line.get("code") == "ok" for line in lines)
    for secret in (service.key[1], issued["Token"], issued["Token"].split(".")[2], keys["SecretKey"], keys["SessionToken"], "private-user-name"):
        assert secret not in log and secret not in metrics.text


def test_the_demonstration(tmp_path):
    """What `identity-service demo` prints works as it stands."""
    process = subprocess.Popen([PROGRAM, "demo"],
                               stdout=subprocess.PIPE, text=True)
    text = ""
    while "Ctrl-C" not in text:
        text += process.stdout.readline()
    path = f"{ROOT}/.venv/bin:{PROGRAMS}:" + os.environ["PATH"]
    shell = [line[2:] for line in text.splitlines() if line.startswith("  ")]
    exports = [line for line in shell if line.startswith("export")]
    aws = "\n".join(shell[next(i for i, line in enumerate(shell) if line.startswith("aws ")):][:2])
    verify = next(line for line in shell if line.startswith("verify-token"))
    done = subprocess.run(["bash", "-euc", "\n".join([*exports, aws, verify])], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PATH": path})
    assert done.returncode == 0 and "VALID" in done.stdout, done.stderr
    python = "\n".join(line for line in shell if not line.startswith(("export", "aws ", "  --identity", "verify-token")))
    done = subprocess.run([ROOT / ".venv/bin/python", "-c", python + "\nprint(credentials['Credentials']['AccessKeyId'])"], capture_output=True, text=True,
                          env={**os.environ, **dict(line.removeprefix("export ").split("=", 1) for line in exports)})
    assert done.returncode == 0 and done.stdout.startswith("ASIA"), (python, done.stderr)
    process.send_signal(signal.SIGINT)
    assert process.wait(LIMIT) == 0
