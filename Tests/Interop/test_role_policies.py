"""Policies of roles: boto3 calls the service with credentials of identities."""
import json

import pytest
import requests
from botocore.exceptions import ClientError

from identity_support import DEVELOPER, GUEST_ROLE, ROLE, run, trust
from sync_support import Sync, replace
from waiting import LIMIT, eventually

OWN = "arn:aws:cognito-sync:us-east-1:123456789012:identitypool/${cognito-identity.amazonaws.com:aud}/identity/${cognito-identity.amazonaws.com:sub}"


def statement(effect, actions, resources="*", **conditions):
    return {"Effect": effect, "Action": actions, "Resource": resources, **({"Condition": conditions} if conditions else {})}


@pytest.fixture(scope="module")
def sync(tmp_path_factory):
    sync = Sync(tmp_path_factory.mktemp("policies"))
    yield sync
    assert sync.stop() == 0


def put(sync, *policies, role=ROLE, method="authenticated"):
    """Puts a role with policies of these statements."""
    (sync.folder / "trust.json").write_text(trust(sync.pool, method))
    options = ["--without-policies"] if not policies else []
    for number, statements in enumerate(policies):
        path = sync.folder / f"policy-{number}.json"
        path.write_text(json.dumps({"Version": "2012-10-17", "Statement": statements}))
        options += ["--policy", path]
    sync.service.command("role", "put", role, "--trust-policy", sync.folder / "trust.json", *options)


def code(call, **parameters):
    try:
        call(**parameters)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return "ok"


def denials(sync):
    return [line for line in map(json.loads, list(sync.service.log)) if line["message"] == "denied by policies"]


def test_data_sets(sync):
    user = sync.user("jane")
    put(sync, [statement("Allow", "cognito-sync:List*", OWN + "*"), statement("Allow", "cognito-sync:UpdateRecords", OWN + "/dataset/notes")])
    client = user.client()
    user.update("notes", [replace("a", "1")])
    assert user.list("other")["Count"] == 0
    assert [found["DatasetName"] for found in client.list_datasets(**user.place)["Datasets"]] == ["notes"]
    token = user.list("other")["SyncSessionToken"]
    with pytest.raises(ClientError) as refused:
        client.update_records(**user.place, DatasetName="other", SyncSessionToken=token, RecordPatches=[replace("a", "1")])
    error = refused.value.response
    resource = f"arn:aws:cognito-sync:us-east-1:123456789012:identitypool/{sync.pool}/identity/{user.id}/dataset/other"
    session = "arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials"
    assert error["Error"]["Code"] == "AccessDeniedException" and error["ResponseMetadata"]["HTTPStatusCode"] == 403
    assert error["Error"]["Message"] == f"User: {session} is not authorized to perform: cognito-sync:UpdateRecords on resource: {resource}"
    line = eventually(lambda: next((line for line in denials(sync) if line["resource"] == resource), None))
    assert line["level"] == "info" and line["reason"] == "access_not_allowed_by_identity" and line["session"] == session
    assert "policy-0" in line["explanation"] and line["code"] == "role_policy_refused"
    assert code(client.delete_dataset, **user.place, DatasetName="notes") == "AccessDeniedException"
    # Other identities' data sets stay theirs, whatever the policies say.
    put(sync, [statement("Allow", "*")])
    other = sync.user("joe")
    assert code(client.list_records, **other.place, DatasetName="notes") == "NotAuthorizedException"
    assert code(client.get_identity_pool_configuration, IdentityPoolId=sync.pool) == "NotAuthorizedException"
    # A change applies to credentials that were issued before.
    put(sync, [statement("Allow", "*")], [statement("Deny", "cognito-sync:ListRecords")])
    assert code(client.list_records, **user.place, DatasetName="notes") == "AccessDeniedException"
    assert code(client.describe_dataset, **user.place, DatasetName="notes") == "ok"
    put(sync)
    assert code(client.list_records, **user.place, DatasetName="notes") == "ok"


def test_conditions(sync):
    user, guest = sync.user("jane"), sync.guest()
    signed_in = {"ForAnyValue:StringEquals": {"cognito-identity.amazonaws.com:amr": "authenticated"}}
    for conditions, allowed in (
        (signed_in, True), ({"IpAddress": {"aws:SourceIp": "127.0.0.1"}}, True), ({"IpAddress": {"aws:SourceIp": "192.0.2.1"}}, False),
        ({"StringEquals": {"aws:userid": f"{user.id}:CognitoIdentityCredentials"}}, True), ({"DateLessThan": {"aws:CurrentTime": "2020-01-01"}}, False),
    ):
        put(sync, [statement("Allow", "cognito-sync:*", **conditions)])
        assert code(user.client().list_datasets, **user.place) == ("ok" if allowed else "AccessDeniedException"), conditions
    put(sync, [statement("Allow", "cognito-sync:*", **signed_in)], role=GUEST_ROLE, method="unauthenticated")
    assert code(guest.client().list_datasets, **guest.place) == "AccessDeniedException"
    put(sync, role=GUEST_ROLE, method="unauthenticated")
    assert code(guest.client().list_datasets, **guest.place) == "ok"
    put(sync)


def test_calls_of_developers(sync):
    """What policies allow, of identity pools and user pools; without policies nothing."""
    user = sync.user("jane")
    key, token = user.keys
    pools, users = (sync.service.client(name, key=key, token=token) for name in ("cognito-identity", "cognito-idp"))
    developer = sync.service.client("cognito-idp")
    mine, other = (developer.create_user_pool(PoolName=name)["UserPool"]["Id"] for name in ("mine", "other"))
    for pool in (mine, other):
        developer.admin_create_user(UserPoolId=pool, Username="jane", MessageAction="SUPPRESS")
    assert code(pools.describe_identity_pool, IdentityPoolId=sync.pool) == "AccessDeniedException"
    assert code(users.admin_get_user, UserPoolId=mine, Username="jane") == "AccessDeniedException"
    arn = f"arn:aws:cognito-idp:us-east-1:123456789012:userpool/{mine}"
    put(sync, [
        statement("Allow", ["cognito-idp:AdminGetUser", "cognito-idp:Admin*Attributes", "cognito-idp:TagResource"], arn),
        statement("Allow", ["cognito-identity:DescribeIdentityPool", "cognito-identity:ListIdentityPools"]),
    ])
    assert pools.describe_identity_pool(IdentityPoolId=sync.pool)["IdentityPoolId"] == sync.pool
    assert sync.pool in [pool["IdentityPoolId"] for pool in pools.list_identity_pools(MaxResults=60)["IdentityPools"]]
    assert code(pools.get_identity_pool_roles, IdentityPoolId=sync.pool) == "AccessDeniedException"
    assert users.admin_get_user(UserPoolId=mine, Username="jane")["Username"] == "jane"
    users.admin_update_user_attributes(UserPoolId=mine, Username="jane", UserAttributes=[{"Name": "name", "Value": "Jane"}])
    users.tag_resource(ResourceArn=arn, Tags={"team": "blue"})
    for call, parameters in (
        (users.admin_get_user, {"UserPoolId": other, "Username": "jane"}), (users.admin_delete_user, {"UserPoolId": mine, "Username": "jane"}),
        (users.list_user_pools, {"MaxResults": 1}), (users.tag_resource, {"ResourceArn": arn.replace(mine, other), "Tags": {}}),
    ):
        with pytest.raises(ClientError) as refused:
            call(**parameters)
        error = refused.value.response
        assert error["Error"]["Code"] == "AccessDeniedException" and error["ResponseMetadata"]["HTTPStatusCode"] == 400, error
        assert error["Error"]["Message"].startswith("User: arn:aws:sts::123456789012:assumed-role/app-user/"), error
    put(sync)


def test_the_caller_asks_who_it_is(sync):
    """By POST and by a presigned GET, whatever policies deny."""
    user = sync.user("jane")
    put(sync, [statement("Deny", "*")])
    key, token = user.keys
    client = sync.service.client("sts", key=key, token=token)
    expected = {
        "UserId": f"{user.id}:CognitoIdentityCredentials", "Account": "123456789012",
        "Arn": "arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials"}
    found = client.get_caller_identity()
    assert {name: found[name] for name in expected} == expected
    answer = requests.get(client.generate_presigned_url("get_caller_identity", ExpiresIn=900, HttpMethod="GET"), timeout=LIMIT)
    assert answer.status_code == 200 and f"<UserId>{expected['UserId']}</UserId>" in answer.text
    assert code(user.client().list_datasets, **user.place) == "AccessDeniedException"
    put(sync)


def test_session_tokens_are_small(sync):
    assert len(sync.user("jane").keys[1]) < 1024


BAD = {
    "large": (" " * (1 << 20), "json_too_large"),
    "larger": (" " * ((1 << 20) + 1), "file_unusable"),
    "statements": (json.dumps({"Statement": [{}] * 10_000}, separators=(",", ":")), "access_policy_too_many_statements"),
    "nested": ("[" * 10_000, "json_nesting"),
    "nested-condition": (json.dumps({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"Bool": {"a": {"b": "c"}}}}}), "access_policy_type"),
    "number": ("1", "access_policy_type"), "statement": ('{"Statement": "a"}', "access_policy_type"),
    "action": ('{"Statement": {"Effect": "Allow", "Action": 1, "Resource": "*"}}', "access_policy_type"),
    "principal": ('{"Statement": {"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}}', "access_policy_element_not_allowed"),
    "empty": ("", "json_empty"), "b c": ('{"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}', "member_pattern"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_policies(sync, tmp_path, name):
    text, expected = BAD[name]
    path, arn = tmp_path / f"{name}.json", "arn:aws:iam::123456789012:role/bad"
    path.write_text(text)
    (tmp_path / "trust.json").write_text(trust(sync.pool, "authenticated"))
    done = run("role", "put", arn, "--trust-policy", tmp_path / "trust.json", "--policy", path, *sync.service.place)
    assert done.returncode in (1, 2) and f"[{expected}]" in done.stderr, done.stderr
    assert "line " in done.stderr or expected in ("file_unusable", "member_pattern"), done.stderr
    assert arn not in run("role", "list", *sync.service.place).stdout


def test_session_policies(sync):
    """They limit what the role allows, and the response says how large the session token is."""
    put(sync)
    token = sync.service.client().get_open_id_token_for_developer_identity(IdentityPoolId=sync.pool, Logins={DEVELOPER: "jane"})
    user = sync.user("jane")
    sts = sync.service.unsigned("sts")

    def session(**more):
        taken = sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="jane", WebIdentityToken=token["Token"], **more)
        keys = taken["Credentials"]
        size = len(keys["SessionToken"])
        percent = -(-size * 100 // 8192)
        assert taken["PackedPolicySize"] == percent and size < 2048
        # Older versions of botocore do not know these members.
        assert taken.get("SessionTokenSize", size) == size and taken.get("SessionTokenUtilization", percent) == percent
        return sync.service.client("cognito-sync", key=(keys["AccessKeyId"], keys["SecretAccessKey"]), token=keys["SessionToken"])

    reading = json.dumps({"Version": "2012-10-17", "Statement": [statement("Allow", ["cognito-sync:List*", "cognito-sync:Describe*"], OWN + "*")]}, indent=2)
    for policies in ([], [[statement("Allow", "cognito-sync:*")]]):
        put(sync, *policies)
        limited, full = session(Policy=reading), session()
        for client in (limited, full):
            assert code(client.list_datasets, **user.place) == "ok"
        assert code(limited.delete_dataset, **user.place, DatasetName="none") == "AccessDeniedException"
        assert code(full.delete_dataset, **user.place, DatasetName="none") == "ResourceNotFoundException"
    put(sync, [statement("Allow", "cognito-sync:Describe*")])
    assert code(session(Policy=reading).list_datasets, **user.place) == "AccessDeniedException"
    with pytest.raises(sts.exceptions.MalformedPolicyDocumentException) as refused:
        session(Policy='{"Statement": {"Effect": "Allow", "Action": "*", "Resource": 1}}')
    assert "line 1, column 62" in str(refused.value), refused.value
    put(sync)
