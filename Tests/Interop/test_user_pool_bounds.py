"""What user pools do with members and operations beyond their declarations, over HTTP. That the declarations have the bounds of
the model is tested by test_operations.py."""
import json
import re

import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from identity_support import REGION
from operation_models import MODELS, SETTINGS
from user_pool_support import JSON, TARGET, UserPools
from waiting import LIMIT

POOL = "us-east-1_aB3dE5gH7"
OPERATIONS = MODELS["cognito-idp"]["operations"]
SIGN_UP = {"ClientId": "abc", "Username": "jane", "Password": "Correct-horse-9"}
CREATE = {"PoolName": "app", "DeletionProtection": "ACTIVE"}


@pytest.fixture(scope="module")
def pools(tmp_path_factory):
    running = UserPools(tmp_path_factory.mktemp("bounds"), "--rate", 0)
    yield running
    assert running.stop() == 0


def send(pools, operation, body):
    data = json.dumps(body).encode()
    headers = {"Content-Type": JSON, "X-Amz-Target": TARGET + operation}
    if OPERATIONS[operation].get("authtype") != "none":
        request = AWSRequest("POST", pools.url + "/", data=data, headers=headers)
        SigV4Auth(Credentials(*pools.service.key), "cognito-idp", REGION).add_auth(request)
        headers = dict(request.headers)
    answer = requests.post(pools.url + "/", data=data, headers=headers, timeout=LIMIT)
    return answer.status_code, answer.json() if answer.text else {}


@pytest.mark.parametrize("operation, body, member, within, beyond", [
    ("SignUp", SIGN_UP, "ClientId", ["a", "a" * 128], ["", "a" * 129, "a b"]),
    ("SignUp", SIGN_UP, "Username", ["j", "\U0001F600" * 128], ["", "j" * 129, "j j"]),
    ("SignUp", SIGN_UP, "Password", ["Aa1-" * 64], ["Aa1-" * 64 + "a", "Aa1- Aa1-"]),
    ("SignUp", SIGN_UP, "SecretHash", ["+" * 128], ["", "-"]),
    ("InitiateAuth", {"ClientId": "abc", "AuthFlow": "USER_AUTH"}, "AuthFlow", ["CUSTOM_AUTH"], ["", "custom_auth"]),
    ("DescribeUserPool", {"UserPoolId": POOL}, "UserPoolId", ["a_b", "a_b_0"], ["_a", "a_", "a_-", "a" * 54 + "_0"]),
    ("ListUserPools", {"MaxResults": 1}, "MaxResults", [1, 60], [0, 61]),
    ("ListUsers", {"UserPoolId": POOL}, "Limit", [0, 60], [-1, 61]),
    ("ListUsers", {"UserPoolId": POOL}, "Filter", ["", 'name = "a"'], ["a" * 257]),
    ("CreateGroup", {"UserPoolId": POOL, "GroupName": "g"}, "RoleArn", ["arn:aws:iam::1:role/a"], ["arn:aws:iam", "role"]),
    ("CreateUserPool", CREATE, "DeletionProtection", ["ACTIVE", "INACTIVE"], ["active"]),
    ("CreateUserPoolClient", {"UserPoolId": POOL, "ClientName": "c"}, "CallbackURLs", [["a"] * 100], [["a"] * 101, [""], ["a b"]]),
    ("CreateUserPool", CREATE, "UserPoolTags", [{"a": "b"}], [{"": "b"}, {"a" * 129: "b"}, {"a": "b" * 257}]),
    ("AddCustomAttributes", {"UserPoolId": POOL}, "CustomAttributes", [[{"Name": "a"}]], [[], [{"Name": "a"}] * 26]),
])
def test_members_within_and_beyond_their_bounds(pools, operation, body, member, within, beyond):
    for value, is_within in [(value, True) for value in within] + [(value, False) for value in beyond]:
        _, answer = send(pools, operation, {**body, member: value})
        message = answer.get("message", "")
        violated = "validation error" in message and f"at '{member[0].lower() + member[1:]}' failed" in message
        assert violated != is_within, (value, answer)
        assert is_within or answer["__type"] == "InvalidParameterException"


def test_operations_that_are_not_built_are_answered_by_name(pools):
    missing = OPERATIONS.keys() - SETTINGS["cognito-idp"]["operations"].keys()
    assert len(missing) == 79
    for operation in sorted(missing):
        status, answer = send(pools, operation, {"UserPoolId": POOL})
        assert (status, answer["__type"]) == (400, "NotImplementedException") and operation in answer["message"], operation


def ignored(pools):
    """The counted members by operation and name."""
    text = requests.get(pools.url + "/metrics", timeout=LIMIT).text
    found = re.findall(r'^identity_ignored_members_total\{operation="(\w+)",member="([^"]*)"\} (\d+)$', text, re.MULTILINE)
    return {(operation, member): int(number) for operation, member, number in found}


def test_ignored_members_are_counted_by_name(pools):
    body = {"PoolName": "app", "KeyConfiguration": {"KeyType": "X"}, "LambdaConfig": {"InboundFederation": {}}, "Newer": None}
    assert send(pools, "CreateUserPool", body)[0] == 200 and send(pools, "CreateUserPool", {"PoolName": "app"})[0] == 200
    counts = ignored(pools)
    assert {member: number for (operation, member), number in counts.items() if operation == "CreateUserPool"} == {
        "KeyConfiguration": 1, "LambdaConfig.InboundFederation": 1, "Newer": 1}


def test_strangers_make_a_bounded_number_of_names(pools):
    """The names of the model keep lines of their own."""
    for number in range(60):
        send(pools, "ForgotPassword", {"ClientId": "abc", "Username": "jane", f"a{number}": 1, 'x"} 1\n': 1, "é": 1, "a" * 500: 1})
    send(pools, "ForgotPassword", {"ClientId": "abc", "Username": "jane", "KeyConfiguration": {}})
    counts = {member: number for (operation, member), number in ignored(pools).items() if operation == "ForgotPassword"}
    assert len(counts) == 18 and counts.pop("KeyConfiguration") == 1 and counts.pop("other") == 60 * 3 + 44
    assert set(counts) == {f"a{number}" for number in range(16)} and set(counts.values()) == {1}
