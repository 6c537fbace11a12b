"""Policies of roles: boto3 calls the service with credentials of identities."""
import json

import boto3
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


ADMIN, USER = "arn:aws:iam::123456789012:role/admin", "arn:aws:iam::123456789012:user/developer"


def trusting(principal, actions=("sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"), **conditions):
    found = {"Effect": "Allow", "Principal": {"AWS": principal}, "Action": list(actions), **({"Condition": conditions} if conditions else {})}
    return json.dumps({"Version": "2012-10-17", "Statement": [found]})


def put_admin(sync, trust_policy, *statements):
    (sync.folder / "admin-trust.json").write_text(trust_policy)
    (sync.folder / "admin.json").write_text(json.dumps({"Version": "2012-10-17", "Statement": statements}))
    sync.service.command("role", "put", ADMIN, "--trust-policy", sync.folder / "admin-trust.json", "--policy", sync.folder / "admin.json")


def client_of(sync, taken, name):
    keys = taken["Credentials"]
    return sync.service.client(name, key=(keys["AccessKeyId"], keys["SecretAccessKey"]), token=keys["SessionToken"])


def test_assume_role(sync):
    """A developer's key gets a role's credentials, whose policies decide; conditions, tags and the source identity count."""
    sts = sync.service.client("sts")
    assert code(sts.assume_role, RoleArn=ADMIN, RoleSessionName="jane") == "AccessDenied"
    put_admin(
        sync, trusting(USER, StringEquals={"sts:ExternalId": "partner"}),
        statement("Allow", "cognito-identity:DescribeIdentityPool", StringEquals={"aws:PrincipalTag/team": "blue", "aws:SourceIdentity": "joe"}))
    asked = {"RoleArn": ADMIN, "RoleSessionName": "jane", "ExternalId": "partner", "Tags": [{"Key": "team", "Value": "blue"}], "SourceIdentity": "joe"}
    taken = sts.assume_role(**asked, DurationSeconds=900)
    assert taken["AssumedRoleUser"]["Arn"] == "arn:aws:sts::123456789012:assumed-role/admin/jane" and taken["SourceIdentity"] == "joe"
    assert taken["AssumedRoleUser"]["AssumedRoleId"].endswith(":jane") and len(taken["Credentials"]["SessionToken"]) < 2048
    pools = client_of(sync, taken, "cognito-identity")
    assert pools.describe_identity_pool(IdentityPoolId=sync.pool)["IdentityPoolId"] == sync.pool
    assert code(pools.list_identity_pools, MaxResults=1) == "AccessDeniedException"
    assert client_of(sync, taken, "sts").get_caller_identity()["Arn"] == taken["AssumedRoleUser"]["Arn"]
    other = sts.assume_role(**{**asked, "Tags": [{"Key": "team", "Value": "red"}]})
    assert code(client_of(sync, other, "cognito-identity").describe_identity_pool, IdentityPoolId=sync.pool) == "AccessDeniedException"
    for change, expected in (
        ({"ExternalId": "other"}, "AccessDenied"), ({"RoleArn": ADMIN + "x"}, "AccessDenied"), ({"DurationSeconds": 3601}, "ValidationError"),
        ({"Policy": "{}"}, "MalformedPolicyDocument"), ({"PolicyArns": [{"arn": "arn:aws:iam::123456789012:policy/none"}]}, "ValidationError"),
        ({"SerialNumber": "arn:aws:iam::123456789012:mfa/a", "TokenCode": "123456"}, "ValidationError"), ({"TransitiveTagKeys": ["team"]}, "ValidationError"),
    ):
        assert code(sts.assume_role, **{**asked, **change}) == expected, change
    # The policy of the kind allows tags and a source identity, as the kind does. Sessions end with the key.
    (sync.folder / "issue.json").write_text(run("key", "policy", "issue").stdout)
    made = json.loads(sync.service.command("key", "create", "--json", "--policy", sync.folder / "issue.json"))
    own = sync.service.client("sts", key=(made["AccessKeyId"], made["SecretAccessKey"]))
    session = client_of(sync, own.assume_role(**asked), "cognito-identity")
    assert code(session.describe_identity_pool, IdentityPoolId=sync.pool) == "ok"
    sync.service.command("key", "remove", made["AccessKeyId"])
    assert code(session.describe_identity_pool, IdentityPoolId=sync.pool) == "NotAuthorizedException"
    # Data sets are those of identities.
    user = sync.user("jane")
    put_admin(sync, trusting(USER), statement("Allow", "*"))
    taken = sts.assume_role(RoleArn=ADMIN, RoleSessionName="jane")
    assert code(client_of(sync, taken, "cognito-sync").list_datasets, **user.place) == "NotAuthorizedException"
    sync.service.command("role", "remove", ADMIN)
    assert code(client_of(sync, taken, "cognito-identity").list_identity_pools, MaxResults=1) == "AccessDeniedException"


def test_managed_policies(sync):
    """They limit sessions by their ARNs, and apply as they are at the time of a call."""
    path = sync.folder / "managed.json"

    def put_policy(*statements):
        path.write_text(json.dumps({"Version": "2012-10-17", "Statement": statements}))
        return sync.service.command("policy", "put", "read-only", "--policy", path).strip()

    arn = put_policy(statement("Allow", "cognito-identity:List*"))
    assert arn == "arn:aws:iam::123456789012:policy/read-only"
    assert sync.service.command("policy", "list") == f"{arn}\n"
    put_admin(sync, trusting("123456789012"), statement("Allow", "cognito-identity:*"))
    taken = sync.service.client("sts").assume_role(RoleArn=ADMIN, RoleSessionName="jane", PolicyArns=[{"arn": arn}])
    pools = client_of(sync, taken, "cognito-identity")
    assert code(pools.list_identity_pools, MaxResults=1) == "ok"
    assert code(pools.describe_identity_pool, IdentityPoolId=sync.pool) == "AccessDeniedException"
    put_policy(statement("Allow", "cognito-identity:*"))
    eventually(lambda: code(pools.describe_identity_pool, IdentityPoolId=sync.pool) == "ok")
    token = sync.service.client().get_open_id_token_for_developer_identity(IdentityPoolId=sync.pool, Logins={DEVELOPER: "jane"})["Token"]
    put(sync, [statement("Allow", "cognito-sync:*")])
    limited = sync.service.unsigned("sts").assume_role_with_web_identity(
        RoleArn=ROLE, RoleSessionName="jane", WebIdentityToken=token, PolicyArns=[{"arn": arn}])
    user = sync.user("jane")
    assert code(client_of(sync, limited, "cognito-sync").list_datasets, **user.place) == "AccessDeniedException"
    put(sync)
    sync.service.command("policy", "remove", arn)
    eventually(lambda: code(pools.list_identity_pools, MaxResults=1) == "AccessDeniedException")
    done = run("policy", "remove", arn, *sync.service.place)
    assert done.returncode != 0 and "[name_unknown]" in done.stderr, done.stderr
    sync.service.command("role", "remove", ADMIN)


def test_session_tokens_of_keys(sync):
    """Temporary credentials have the rights of their access key, and end with it."""
    made = json.loads(sync.service.command("key", "create", "--json", "--may", "read"))
    sts = sync.service.client("sts", key=(made["AccessKeyId"], made["SecretAccessKey"]))
    taken = sts.get_session_token(DurationSeconds=900)
    pools = client_of(sync, taken, "cognito-identity")
    assert code(pools.list_identity_pools, MaxResults=1) == "ok"
    assert code(pools.create_identity_pool, IdentityPoolName="a", AllowUnauthenticatedIdentities=True) == "AccessDeniedException"
    temporary = client_of(sync, taken, "sts")
    assert temporary.get_caller_identity()["Arn"] == USER
    assert code(temporary.get_session_token) == "AccessDenied"
    for parameters in ({"DurationSeconds": 86401}, {"SerialNumber": "arn:aws:iam::123456789012:mfa/a", "TokenCode": "123456"}):
        assert code(sts.get_session_token, **parameters) == "ValidationError", parameters
    for client, name, parameters in ((sts, "get_session_token", {}), (sts, "assume_role", {"RoleArn": ADMIN, "RoleSessionName": "jane"})):
        answer = requests.get(client.generate_presigned_url(name, Params=parameters, ExpiresIn=900, HttpMethod="GET"), timeout=LIMIT)
        assert answer.status_code == 400 or answer.status_code == 403, answer.text
        assert "SecretAccessKey" not in answer.text
    sync.service.command("key", "remove", made["AccessKeyId"])
    assert code(pools.list_identity_pools, MaxResults=1) in ("UnrecognizedClientException", "InvalidSignatureException", "NotAuthorizedException")


def test_keys_with_policies(sync):
    """`key policy` prints the policy of a kind of calls, which one of one's own begins with."""
    reading = json.loads(run("key", "policy", "read").stdout)
    assert "cognito-identity:DescribeIdentityPool" in reading["Statement"][0]["Action"]
    reading["Statement"].append(statement("Deny", "cognito-identity:DescribeIdentityPool"))
    path = sync.folder / "reading.json"
    path.write_text(json.dumps(reading))
    made = json.loads(sync.service.command("key", "create", "--json", "--policy", path))
    pools, users = (sync.service.client(name, key=(made["AccessKeyId"], made["SecretAccessKey"])) for name in ("cognito-identity", "cognito-idp"))
    assert code(pools.list_identity_pools, MaxResults=1) == "ok" and code(users.list_user_pools, MaxResults=1) == "ok"
    with pytest.raises(ClientError) as refused:
        pools.describe_identity_pool(IdentityPoolId=sync.pool)
    arn = f"arn:aws:cognito-identity:us-east-1:123456789012:identitypool/{sync.pool}"
    assert refused.value.response["Error"]["Message"] == f"User: {USER} is not authorized to perform: cognito-identity:DescribeIdentityPool on resource: {arn}"
    assert code(users.create_user_pool, PoolName="a") == "AccessDeniedException"
    assert "policies reading" in sync.service.command("key", "list")
    done = run("key", "create", "--may", "read", "--policy", path, *sync.service.place)
    assert done.returncode == 2 and "exclude each other" in done.stderr, done.stderr


def test_profiles_assume_roles(sync, tmp_path, monkeypatch):
    """botocore's own provider of a profile with a role; and empty lists, which botocore sends as members without a value."""
    put_admin(sync, trusting(USER, StringEquals={"sts:ExternalId": "partner"}), statement("Allow", "cognito-identity:*"))
    made = json.loads(sync.service.command("key", "create", "--json", "--may", "issue"))
    address = sync.service.client("sts").meta.endpoint_url
    (tmp_path / "config").write_text(f"""
[profile base]
aws_access_key_id = {made["AccessKeyId"]}
aws_secret_access_key = {made["SecretAccessKey"]}
[profile admin]
region = us-east-1
role_arn = {ADMIN}
source_profile = base
external_id = partner
role_session_name = nightly
duration_seconds = 900
""")
    for name, value in (("AWS_CONFIG_FILE", tmp_path / "config"), ("AWS_SHARED_CREDENTIALS_FILE", tmp_path / "none"), ("AWS_ENDPOINT_URL", address)):
        monkeypatch.setenv(name, str(value))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    session = boto3.Session(profile_name="admin")
    assert session.client("sts").get_caller_identity()["Arn"] == "arn:aws:sts::123456789012:assumed-role/admin/nightly"
    assert session.client("cognito-identity").describe_identity_pool(IdentityPoolId=sync.pool)["IdentityPoolId"] == sync.pool
    asked = {"RoleArn": ADMIN, "RoleSessionName": "jane", "ExternalId": "partner"}
    assert code(sync.service.client("sts").assume_role, **asked, Tags=[], PolicyArns=[]) == "ok"
    sync.service.command("role", "remove", ADMIN)
    sync.service.command("key", "remove", made["AccessKeyId"])
