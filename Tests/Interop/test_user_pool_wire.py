"""How user pools travel over HTTP: the JSON protocol, errors, null, calls of web pages, public documents, access keys."""
import json

import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from identity_support import REGION
from raw_http import exchange, request
from user_pool_support import JSON, TARGET, UserPools, code
from waiting import LIMIT

ORIGIN = "https://app.example"


@pytest.fixture(scope="module")
def pools(tmp_path_factory):
    running = UserPools(tmp_path_factory.mktemp("wire"), "--rate", 0, "--allowed-origin", ORIGIN, "--allowed-origin", "capacitor://localhost")
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def pool(pools):
    return pools.pool()


@pytest.fixture(scope="module")
def client(pools, pool):
    return pools.client(pool)


def post(pools, operation, body, **headers):
    data = body if isinstance(body, (bytes, str)) else json.dumps(body)
    return requests.post(
        pools.url + "/", data=data, timeout=LIMIT,
        headers={"Content-Type": JSON, "X-Amz-Target": TARGET + operation, **{name.replace("_", "-"): value for name, value in headers.items()}})


def signed(pools, operation, body, key=None, service="cognito-idp"):
    head = AWSRequest(
        "POST", pools.url + "/", data=json.dumps(body).encode(), headers={"Content-Type": JSON, "X-Amz-Target": TARGET + operation})
    SigV4Auth(Credentials(*(key or pools.service.key)), service, REGION).add_auth(head)
    return requests.post(pools.url + "/", data=head.body, headers=dict(head.headers), timeout=LIMIT)


# Responses.


def test_errors_have_type_and_message(pools):
    response = post(pools, "InitiateAuth", {"ClientId": "unknown", "AuthFlow": "USER_SRP_AUTH", "AuthParameters": {"USERNAME": "a", "SRP_A": "1"}})
    assert response.status_code == 400
    assert response.headers["Content-Type"] == JSON
    assert response.headers["x-amzn-ErrorType"] == "ResourceNotFoundException"
    found = response.json()
    assert (found["__type"], found["message"]) == ("ResourceNotFoundException", "User pool client unknown does not exist.")
    assert response.headers["x-amzn-RequestId"]


def test_all_violations_come_in_one_error(pools):
    response = post(pools, "ConfirmSignUp", {"ClientId": "not a client", "Username": "jane", "ConfirmationCode": "1 2"})
    assert response.json()["__type"] == "InvalidParameterException"
    message = response.json()["message"]
    assert message.startswith("2 validation errors detected: ")
    assert "at 'clientId' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+]+" in message
    assert "at 'confirmationCode' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\S]+" in message


def test_missing_members_are_null_in_messages(pools):
    response = post(pools, "SignUp", {"ClientId": "abc"})
    assert response.json()["__type"] == "InvalidParameterException"
    assert "Value null at 'username' failed to satisfy constraint: Member must not be null" in response.json()["message"]


def test_values_of_secrets_are_left_out(pools):
    response = post(pools, "SignUp", {"ClientId": "abc", "Username": "jane", "Password": "with space"})
    assert "with space" not in response.text and "password" in response.text


def test_null_is_absence_at_every_level(pools, client):
    body = {
        "ClientId": client, "Username": "null-user", "Password": "Correct-horse-9", "SecretHash": None, "ValidationData": None, "UserAttributes": None,
        "AnalyticsMetadata": None, "UserContextData": None, "ClientMetadata": None}
    response = post(pools, "SignUp", body)
    assert response.status_code == 200, response.text
    # Of the parameters too: there is no password, but not an error of the request's form.
    response = post(pools, "InitiateAuth", {
        "ClientId": client, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": "null-user", "PASSWORD": "x", "DEVICE_KEY": None}})
    assert response.json()["__type"] in ("NotAuthorizedException", "UserNotConfirmedException")


@pytest.mark.parametrize("operation, type_", [
    ("StartUserImportJob", "NotImplementedException"), ("CreateIdentityProvider", "NotImplementedException"), ("NoSuchOperation", "UnknownOperationException")])
def test_other_operations(pools, operation, type_):
    assert post(pools, operation, {}).json()["__type"].startswith(type_)


def test_the_media_type_is_checked(pools):
    response = requests.post(pools.url + "/", data="{}", headers={"X-Amz-Target": TARGET + "GetUser", "Content-Type": "text/plain"}, timeout=LIMIT)
    assert response.status_code == 400 and response.json()["__type"] == "SerializationException"


# Who calls.


def test_an_authorization_header_of_an_unsigned_call_is_ignored(pools, client):
    body = {"ClientId": client, "Username": "nobody-here", "ConfirmationCode": "123456"}
    for value in ("Bearer abc", "AWS4-HMAC-SHA256 Credential=AKIA/20200101/x/y/aws4_request, SignedHeaders=host, Signature=00", "x"):
        assert post(pools, "ConfirmSignUp", body, Authorization=value).json() == post(pools, "ConfirmSignUp", body).json()


def test_administration_needs_a_signature(pools, pool):
    assert post(pools, "ListUserPools", {"MaxResults": 1}).json()["__type"] == "MissingAuthenticationTokenException"
    assert signed(pools, "ListUserPools", {"MaxResults": 1}).status_code == 200
    # Of this service.
    assert signed(pools, "ListUserPools", {"MaxResults": 1}, service="cognito-identity").status_code == 400
    wrong = signed(pools, "ListUserPools", {"MaxResults": 1}, key=(pools.service.key[0], "x" * 40))
    assert wrong.status_code == 400 and "UserPools" not in wrong.json()


def test_access_keys_are_limited_to_calls_and_pools(pools, pool):
    other = pools.pool()
    text = pools.service.command("key", "create", "--pools", pool, "--may", "read", "--json")
    key = json.loads(text)
    limited = pools.service.client("cognito-idp", key=(key["AccessKeyId"], key["SecretAccessKey"]))
    assert limited.describe_user_pool(UserPoolId=pool)["UserPool"]["Id"] == pool
    assert limited.list_tags_for_resource(ResourceArn=f"arn:aws:cognito-idp:{REGION}:123456789012:userpool/{pool}")["Tags"] == {}
    for call in (
            lambda: limited.describe_user_pool(UserPoolId=other), lambda: limited.list_user_pools(MaxResults=10),
            lambda: limited.delete_user_pool(UserPoolId=pool), lambda: limited.admin_delete_user(UserPoolId=pool, Username="x"),
            lambda: limited.create_user_pool(PoolName="more"),
            lambda: limited.list_tags_for_resource(ResourceArn=f"arn:aws:cognito-idp:{REGION}:123456789012:userpool/{other}"),
            lambda: limited.list_tags_for_resource(ResourceArn=f"arn:aws:cognito-idp:{REGION}:123456789012:other/{pool}"),
            lambda: limited.admin_initiate_auth(UserPoolId=pool, ClientId="abc", AuthFlow="REFRESH_TOKEN_AUTH")):
        with pytest.raises(ClientError) as refused:
            call()
        assert code(refused) == "AccessDeniedException"


# Calls of web pages.


def preflight(pools, origin=ORIGIN, path="/"):
    return requests.options(pools.url + path, timeout=LIMIT, headers={
        "Origin": origin, "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "cache-control,content-type,x-amz-target,x-amz-user-agent"})


def test_preflight(pools):
    response = preflight(pools)
    assert response.status_code == 204 and response.content == b""
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN and response.headers["Vary"] == "Origin"
    allowed = response.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"content-type", "x-amz-target", "x-amz-user-agent", "cache-control", "authorization"} <= set(allowed)
    assert response.headers["Access-Control-Allow-Methods"] == "GET, POST, DELETE"
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert preflight(pools, "capacitor://localhost").headers["Access-Control-Allow-Origin"] == "capacitor://localhost"


@pytest.mark.parametrize("origin", [
    "https://app.example.evil.example", "http://app.example", "https://APP.example", "https://app.example:8443", "https://other.example", "null", "", "*"])
def test_other_origins_are_not_allowed(pools, origin):
    assert not [name for name in preflight(pools, origin).headers if name.lower().startswith("access-control-")]
    response = post(pools, "GetUser", {"AccessToken": "a"}, Origin=origin)
    assert not [name for name in response.headers if name.lower().startswith("access-control-")]


def test_pages_read_responses_and_errors(pools, pool):
    response = post(pools, "GetUser", {"AccessToken": "a"}, Origin=ORIGIN)
    assert response.status_code == 400
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    exposed = response.headers["Access-Control-Expose-Headers"].lower().split(", ")
    assert exposed == ["x-amzn-requestid", "x-amzn-errortype", "x-amzn-errormessage", "date"]
    assert "Date" in response.headers
    document = requests.get(f"{pools.url}/{pool}/.well-known/jwks.json", headers={"Origin": ORIGIN}, timeout=LIMIT)
    assert document.headers["Access-Control-Allow-Origin"] == ORIGIN
    # Pages learn nothing of the service's operation.
    assert "Access-Control-Allow-Origin" not in requests.get(pools.url + "/metrics", headers={"Origin": ORIGIN}, timeout=LIMIT).headers


def test_no_page_is_allowed_without_the_setting(tmp_path):
    closed = UserPools(tmp_path)
    try:
        response = preflight(closed)
        assert response.status_code == 404 and not [name for name in response.headers if "access-control" in name.lower()]
        assert "Vary" not in post(closed, "GetUser", {"AccessToken": "a"}, Origin=ORIGIN).headers
    finally:
        assert closed.stop() == 0


def test_every_page_can_be_allowed(tmp_path):
    opened = UserPools(tmp_path, "--allowed-origin", "*")
    try:
        assert preflight(opened, "https://any.example").headers["Access-Control-Allow-Origin"] == "*"
    finally:
        assert opened.stop() == 0


# Public documents.


def test_keys_and_discovery(pools, pool):
    keys = requests.get(f"{pools.url}/{pool}/.well-known/jwks.json", timeout=LIMIT)
    assert keys.status_code == 200 and keys.headers["Cache-Control"] == "public, max-age=300"
    for key in keys.json()["keys"]:
        assert set(key) == {"alg", "e", "kid", "kty", "n", "use"} and key["alg"] == "RS256" and key["use"] == "sig"
    assert len({key["kid"] for key in keys.json()["keys"]}) >= 2
    found = requests.get(f"{pools.url}/{pool}/.well-known/openid-configuration", timeout=LIMIT).json()
    assert found["issuer"] == f"https://cognito-idp.{REGION}.amazonaws.com/{pool}"
    # The document says where the keys are, also for an issuer at another address.
    assert requests.get(found["jwks_uri"], timeout=LIMIT).json() == keys.json()


@pytest.mark.parametrize("path", [
    "/us-east-1_000000000/.well-known/jwks.json", "/us-east-1_/.well-known/jwks.json", "/../.well-known/jwks.json", "//.well-known/jwks.json",
    "/us-east-1_000000000/.well-known/openid-configuration", "/{pool}/.well-known/", "/{pool}/.well-known/jwks.json/", "/{pool}/x/.well-known/jwks.json",
    "/%75s-east-1_000000000/.well-known/jwks.json", "/" + "a" * 9_000 + "_b/.well-known/jwks.json"])
def test_documents_of_no_pool(pools, pool, path):
    assert exchange(pools, request("GET", path.replace("{pool}", pool)))[0] == 404


def test_labels_of_metrics(pools, pool):
    arn = f"arn:aws:cognito-idp:{REGION}:123456789012:userpool/{pool}"
    pools.admin.list_tags_for_resource(ResourceArn=arn)
    identity = pools.service.client()
    with pytest.raises(ClientError):
        identity.list_tags_for_resource(ResourceArn=f"arn:aws:cognito-identity:{REGION}:123456789012:identitypool/{REGION}:00000000-0000-4000-8000-000000000000")
    called = {operation for operation, _ in pools.called()}
    assert {"cognito-idp.ListTagsForResource", "ListTagsForResource", "DescribeUserPool"} <= called
