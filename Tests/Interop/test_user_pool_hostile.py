"""Requests that mean harm to user pools: whatever a caller sends is the caller's error, never the service's."""
import itertools
import json
import random

import botocore.session
import pytest
import requests
from botocore.exceptions import ClientError
from pycognito.aws_srp import AWSSRP

from raw_http import call, exchange, request
from user_pool_support import JSON, PASSWORD, TARGET, UserPools, code

MODEL = botocore.session.get_session().get_service_model("cognito-idp")
VALUES = [
    None, True, 0, -1, 2 ** 63, -2 ** 63, 1e308, 1e-400, "", "\0", "\u212A", "\ud800", "\U0010FFFF" * 40, "a" * 2_000, "a" * 140_000, [], {}, [[]], [None],
    {"": ""}, {"a": None}, {"\0": "\0"}, [{}], [{"": {}}], {"a": {"b": {"c": []}}}, [{"Name": "\0", "Value": "\0"}], [{"Name": "sub", "Value": "x"}],
    {"USERNAME": "\0", "PASSWORD": "\0"}, {"USERNAME": "a", "SRP_A": "0"}, {"USERNAME": "a", "SRP_A": "F" * 100_000}, {"REFRESH_TOKEN": "a.b.c.d.e"},
    "e30.e30.e30", "'; DROP TABLE pool_user; --", "USER_SRP_AUTH", "CUSTOM_AUTH", "us-east-1_\0"]


@pytest.fixture(scope="module")
def pools(tmp_path_factory):
    """Whatever the tests sent: no response was the service's error, and its log says nothing of any."""
    running = UserPools(
        tmp_path_factory.mktemp("hostile-users"), "--rate", 0, "--connections-per-address", 0, "--log-level", "warning")
    running.pool_id = running.pool(AutoVerifiedAttributes=["email"])
    running.client_id = running.client(running.pool_id)
    yield running
    assert exchange(running, request())[0] == 200
    assert running.stop() == 0
    assert running.service.log == []


def send(pools, operation, body):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    status, fields, text = exchange(pools, call(TARGET + operation, data))
    return status, json.loads(text)


def unsigned_operations():
    return [name for name in MODEL.operation_names if MODEL.operation_model(name).auth_type == "none"]


@pytest.mark.parametrize("operation", unsigned_operations())
def test_members_of_every_kind(pools, operation):
    """Each value in each member, beside values that are right."""
    chance = random.Random(operation)
    members = list(MODEL.operation_model(operation).input_shape.members)
    good = {"ClientId": pools.client_id, "Username": "jane", "AuthFlow": "USER_PASSWORD_AUTH"}
    for member, value in itertools.product(members, VALUES):
        body = {name: good[name] for name in members if name in good}
        for other in members:
            if other not in body and chance.random() < 0.3:
                body[other] = chance.choice(VALUES[:-10])
        body[member] = value
        status, answer = send(pools, operation, body)
        assert status == 400 or (status == 200 and "__type" not in answer), (operation, body, answer)
        if status == 400:
            assert answer["__type"] not in ("InternalErrorException", "InternalFailure"), (operation, body, answer)


@pytest.mark.parametrize("operation", ["SignUp", "InitiateAuth", "RespondToAuthChallenge", "GetUser", "ConfirmSignUp"])
def test_large_bodies(pools, operation):
    padding = "x" * ((1 << 20) - 400)
    # Up to the limit it is read, beyond it refused.
    assert send(pools, operation, {"ClientId": padding})[0] == 400
    status, answer = send(pools, operation, {"ClientId": padding + "x" * 800})
    assert status in (400, 413) and answer["__type"] != "InternalErrorException"


@pytest.mark.parametrize("member", ["ClientMetadata", "AuthParameters", "ChallengeResponses", "UserAttributes", "ValidationData"])
def test_twenty_thousand_members(pools, member):
    names = [f"k{index}" for index in range(20_000)]
    value = [{"Name": name, "Value": "v"} for name in names] if member in ("UserAttributes", "ValidationData") else dict.fromkeys(names, "v")
    operation = {"AuthParameters": "InitiateAuth", "ChallengeResponses": "RespondToAuthChallenge"}.get(member, "SignUp")
    body = {"ClientId": pools.client_id, "Username": "many-members", "Password": PASSWORD, "AuthFlow": "USER_PASSWORD_AUTH", "ChallengeName": "SMS_MFA", member: value}
    status, answer = send(pools, operation, body)
    assert (status == 400 and answer["__type"] != "InternalErrorException") or status == 200, answer
    # Twice a name: the last one would win elsewhere.
    twice = json.dumps(body)[:-1] + ', "Username": "other"}'
    status, answer = send(pools, operation, twice.encode())
    assert status == 400, answer


@pytest.mark.parametrize("depth", [64, 10_000])
def test_deep_bodies(pools, depth):
    status, answer = send(pools, "SignUp", b'{"ClientMetadata":' * depth + b"{}" + b"}" * depth)
    assert status == 400 and answer["__type"] != "InternalErrorException"


# Sign-ins.


def test_a_session_is_for_its_user_client_and_challenge(pools):
    for name in ("alice", "mallory"):
        pools.admin.admin_create_user(UserPoolId=pools.pool_id, Username=name, TemporaryPassword="Temporary-1a", MessageAction="SUPPRESS")
    other = pools.client(pools.pool_id)
    challenge = pools.public.initiate_auth(
        ClientId=pools.client_id, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "mallory", "PASSWORD": "Temporary-1a"})
    right = {"ClientId": pools.client_id, "ChallengeName": "NEW_PASSWORD_REQUIRED", "Session": challenge["Session"],
             "ChallengeResponses": {"USERNAME": "mallory", "NEW_PASSWORD": PASSWORD}}
    wrong = [
        {**right, "ChallengeResponses": {"USERNAME": "alice", "NEW_PASSWORD": PASSWORD}}, {**right, "ClientId": other},
        {**right, "ChallengeName": "SOFTWARE_TOKEN_MFA", "ChallengeResponses": {"USERNAME": "mallory", "SOFTWARE_TOKEN_MFA_CODE": "123456"}},
        {**right, "ChallengeName": "PASSWORD_VERIFIER"}, {**right, "Session": challenge["Session"][:-8] + "AAAAAAAA"}, {**right, "Session": "A" * 1_000}]
    for case in wrong:
        with pytest.raises(ClientError) as refused:
            pools.public.respond_to_auth_challenge(**case)
        assert code(refused) in ("NotAuthorizedException", "InvalidParameterException", "CodeMismatchException", "ResourceNotFoundException")
    with pytest.raises(ClientError):
        pools.sign_in(pools.client_id, "alice")
    assert pools.public.respond_to_auth_challenge(**right)["AuthenticationResult"]
    with pytest.raises(ClientError) as refused:
        pools.public.respond_to_auth_challenge(**right)
    assert code(refused) == "NotAuthorizedException"


def test_a_token_is_for_its_purpose(pools):
    name = pools.user(pools.pool_id)
    tokens = pools.sign_in(pools.client_id, name)
    head, body, signature = tokens["AccessToken"].split(".")
    for token in (
            tokens["IdToken"], tokens["RefreshToken"], f"{head}.{body}.", f"{head}.{body}.{signature[:-4]}AAAA",
            "eyJhbGciOiJub25lIn0." + body + ".", f"{head}.{body[:-4]}AAAA.{signature}"):
        with pytest.raises(ClientError) as refused:
            pools.public.get_user(AccessToken=token)
        assert code(refused) in ("NotAuthorizedException", "InvalidParameterException")
    with pytest.raises(ClientError) as refused:
        pools.public.initiate_auth(ClientId=pools.client_id, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["AccessToken"]})
    assert code(refused) == "NotAuthorizedException"
    with pytest.raises(ClientError) as refused:
        pools.public.initiate_auth(
            ClientId=pools.client(pools.pool_id), AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["RefreshToken"]})
    assert code(refused) == "NotAuthorizedException"


def test_degenerate_srp_values(pools):
    name = pools.user(pools.pool_id)
    helper = AWSSRP(username=name, password=PASSWORD, pool_id=pools.pool_id, client_id=pools.client_id, client=pools.public)
    group = helper.big_n
    for value in ("0", format(group, "x"), format(2 * group, "x"), format(group * 3, "x"), "-1", "xyz", "F" * 20_000):
        with pytest.raises(ClientError) as refused:
            pools.public.initiate_auth(ClientId=pools.client_id, AuthFlow="USER_SRP_AUTH", AuthParameters={"USERNAME": name, "SRP_A": value})
        assert code(refused) in ("NotAuthorizedException", "InvalidParameterException")


def test_unknown_users_are_answered_as_known_ones(pools):
    client = pools.client(pools.pool_id, PreventUserExistenceErrors="ENABLED")
    known = pools.user(pools.pool_id, email="known@example.com", email_verified="true")

    def answers(name):
        found = []
        for operation, body in (
                ("InitiateAuth", {"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": name, "PASSWORD": "Wrong-horse-1"}}),
                ("ConfirmForgotPassword", {"Username": name, "ConfirmationCode": "123456", "Password": PASSWORD})):
            status, answer = send(pools, operation, {"ClientId": client, **body})
            found.append((status, answer))
        _, srp = send(pools, "InitiateAuth", {"ClientId": client, "AuthFlow": "USER_SRP_AUTH", "AuthParameters": {"USERNAME": name, "SRP_A": "A" * 700}})
        found.append((srp.keys(), srp["ChallengeParameters"].keys(), len(srp["ChallengeParameters"]["SALT"]) in range(28, 34)))
        status, forgotten = send(pools, "ForgotPassword", {"ClientId": client, "Username": name})
        found.append((status, forgotten.keys(), forgotten["CodeDeliveryDetails"].keys()))
        return found

    assert answers(known) == answers("unknown" + known)


def test_the_log_and_the_messages_keep_secrets(tmp_path):
    """Audit lines name the pool and the user's `sub`, never names, addresses, passwords or codes."""
    pools = UserPools(tmp_path, "--log-level", "trace")
    pool = pools.pool(AutoVerifiedAttributes=["email"])
    client = pools.client(pool)
    answer = pools.public.sign_up(
        ClientId=client, Username="very-private-name", Password=PASSWORD, UserAttributes=[{"Name": "email", "Value": "private@example.com"}])
    number = pools.code("private@example.com")
    pools.public.confirm_sign_up(ClientId=client, Username="very-private-name", ConfirmationCode=number)
    # Nothing is stored of this challenge.
    pools.public.initiate_auth(ClientId=client, AuthFlow="USER_SRP_AUTH", AuthParameters={"USERNAME": "very-private-name", "SRP_A": "2f"})
    tokens = pools.sign_in(client, "very-private-name")
    pools.admin.admin_disable_user(UserPoolId=pool, Username="very-private-name")
    assert pools.stop() == 0
    log = "".join(pools.service.log)
    for secret in ("very-private-name", PASSWORD, number, "private@example.com", tokens["AccessToken"][-40:], tokens["RefreshToken"][-40:]):
        assert secret not in log, secret
    lines = [json.loads(line) for line in pools.service.log]
    audited = {line["operation"]: line for line in lines if line["message"] == "audit"}
    assert sum(line["message"] == "audit" and line["operation"] == "InitiateAuth" for line in lines) == 1
    for operation in ("SignUp", "ConfirmSignUp", "InitiateAuth", "AdminDisableUser"):
        assert audited[operation]["pool"] == pool and audited[operation]["sub"] == answer["UserSub"], audited[operation]


def test_the_database_has_no_secret(tmp_path):
    pools = UserPools(tmp_path)
    pool = pools.pool(AutoVerifiedAttributes=["email"])
    pools.admin.set_user_pool_mfa_config(UserPoolId=pool, SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration="OPTIONAL")
    client = pools.client(pool)
    made = pools.admin.create_user_pool_client(UserPoolId=pool, ClientName="backend", GenerateSecret=True)["UserPoolClient"]
    pools.public.sign_up(ClientId=client, Username="jane", Password=PASSWORD, UserAttributes=[{"Name": "email", "Value": "jane@example.com"}])
    number = pools.code("jane@example.com")
    pools.public.confirm_sign_up(ClientId=client, Username="jane", ConfirmationCode=number)
    tokens = pools.sign_in(client, "jane")
    secret = pools.public.associate_software_token(AccessToken=tokens["AccessToken"])["SecretCode"]
    assert pools.stop() == 0
    stored = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir() if "sqlite" in path.name)
    for text in (PASSWORD, made["ClientSecret"], tokens["RefreshToken"][-40:], secret, "BEGIN PRIVATE KEY"):
        assert text.encode() not in stored, text
