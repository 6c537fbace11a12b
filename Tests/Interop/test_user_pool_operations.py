"""Every operation of user pools, called with boto3 and pycognito over HTTP. The metrics name those that were called."""
import base64
import json
import time

import botocore.session
import pyotp
import pytest
from botocore.exceptions import ClientError
from pycognito.aws_srp import AWSSRP, generate_hash_device

from identity_support import REGION
from user_pool_support import PASSWORD, UserPools, code
from waiting import LIMIT

NEXT = "Another-horse-8"
EMAIL = [{"Name": "email", "Value": ""}]


@pytest.fixture(scope="module")
def pools(tmp_path_factory):
    running = UserPools(tmp_path_factory.mktemp("operations"), "--rate", 0)
    yield running
    assert running.stop() == 0
    assert not [line for line in running.service.log if json.loads(line)["level"] in ("error", "critical")]


@pytest.fixture(scope="module")
def pool(pools):
    return pools.pool(
        AutoVerifiedAttributes=["email"], MfaConfiguration="OFF", DeviceConfiguration={"ChallengeRequiredOnNewDevice": True},
        Schema=[{"Name": "team", "AttributeDataType": "String", "Mutable": True}])


@pytest.fixture(scope="module")
def client(pools, pool):
    return pools.client(pool)


def email(name):
    return name + "@example.com"


def signed_up(pools, client, name):
    """A user who signed up, with the code of the message."""
    answer = pools.public.sign_up(
        ClientId=client, Username=name, Password=PASSWORD, UserAttributes=[{"Name": "email", "Value": email(name)}])
    assert answer["CodeDeliveryDetails"] == {"AttributeName": "email", "DeliveryMedium": "EMAIL", "Destination": f"{name[0]}***@e***"}
    assert answer["UserConfirmed"] is False and len(answer["UserSub"]) == 36
    return pools.code(email(name))


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


# The user's own operations.


def test_signing_up_and_in(pools, pool, client):
    first = signed_up(pools, client, "jane")
    with pytest.raises(ClientError) as refused:
        pools.sign_in(client, "jane")
    assert code(refused) == "UserNotConfirmedException"
    pools.public.resend_confirmation_code(ClientId=client, Username="jane")
    second = pools.code(email("jane"), 1)
    if second != first:
        with pytest.raises(ClientError) as refused:
            pools.public.confirm_sign_up(ClientId=client, Username="jane", ConfirmationCode=first)
        assert code(refused) == "CodeMismatchException"
    pools.public.confirm_sign_up(ClientId=client, Username="jane", ConfirmationCode=second)
    tokens = pools.sign_in(client, "jane")
    assert tokens["TokenType"] == "Bearer" and tokens["ExpiresIn"] == 3600
    identity, access = claims(tokens["IdToken"]), claims(tokens["AccessToken"])
    assert identity["email"] == email("jane") and identity["email_verified"] is True and identity["aud"] == client
    assert access["client_id"] == client and access["token_use"] == "access" and access["origin_jti"] == identity["origin_jti"]
    assert identity["iss"] == f"https://cognito-idp.{REGION}.amazonaws.com/{pool}"
    me = pools.public.get_user(AccessToken=tokens["AccessToken"])
    assert me["Username"] == "jane" and {"Name": "sub", "Value": identity["sub"]} in me["UserAttributes"]


def test_srp_and_the_challenge_of_a_new_password(pools, pool, client):
    pools.admin.admin_create_user(
        UserPoolId=pool, Username="temp", TemporaryPassword="Temporary-1a", MessageAction="SUPPRESS",
        UserAttributes=[{"Name": "email", "Value": email("temp")}])
    helper = AWSSRP(username="temp", password="Temporary-1a", pool_id=pool, client_id=client, client=pools.public)
    answer = helper.set_new_password_challenge(NEXT)
    assert answer["AuthenticationResult"]["AccessToken"]
    helper = AWSSRP(username="temp", password=NEXT, pool_id=pool, client_id=client, client=pools.public)
    assert helper.authenticate_user()["AuthenticationResult"]["IdToken"]
    helper = AWSSRP(username="temp", password=PASSWORD, pool_id=pool, client_id=client, client=pools.public)
    with pytest.raises(ClientError) as refused:
        helper.authenticate_user()
    assert code(refused) == "NotAuthorizedException"


def test_passwords(pools, pool, client):
    name = pools.user(pool, "forgetful", email=email("forgetful"), email_verified="true")
    sent = pools.public.forgot_password(ClientId=client, Username=name)["CodeDeliveryDetails"]
    assert sent["Destination"] == "f***@e***"
    number = pools.code(email(name))
    with pytest.raises(ClientError) as refused:
        pools.public.confirm_forgot_password(ClientId=client, Username=name, ConfirmationCode=number, Password="short")
    assert code(refused) == "InvalidPasswordException"
    pools.public.confirm_forgot_password(ClientId=client, Username=name, ConfirmationCode=number, Password=NEXT)
    access = pools.sign_in(client, name, NEXT)["AccessToken"]
    pools.public.change_password(AccessToken=access, PreviousPassword=NEXT, ProposedPassword=PASSWORD)
    pools.sign_in(client, name)
    with pytest.raises(ClientError) as refused:
        pools.sign_in(client, name, NEXT)
    assert code(refused) == "NotAuthorizedException"


def test_attributes(pools, pool, client):
    name = pools.user(pool, "changing", email=email("old-address"), email_verified="true")
    access = pools.sign_in(client, name)["AccessToken"]
    sent = pools.public.update_user_attributes(
        AccessToken=access, UserAttributes=[{"Name": "email", "Value": email("new-address")}, {"Name": "name", "Value": "Jane"}])
    assert [details["AttributeName"] for details in sent["CodeDeliveryDetailsList"]] == ["email"]
    pools.code(email("new-address"))
    pools.public.get_user_attribute_verification_code(AccessToken=access, AttributeName="email")
    number = pools.code(email("new-address"), 1)
    pools.public.verify_user_attribute(AccessToken=access, AttributeName="email", Code=number)
    pools.public.delete_user_attributes(AccessToken=access, UserAttributeNames=["name"])
    found = {item["Name"]: item["Value"] for item in pools.public.get_user(AccessToken=access)["UserAttributes"]}
    assert found["email_verified"] == "true" and found["email"] == email("new-address") and "name" not in found


def test_software_tokens_and_preferences(pools, client):
    pool = pools.pool()
    client = pools.client(pool)
    pools.admin.set_user_pool_mfa_config(UserPoolId=pool, SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration="OPTIONAL")
    assert pools.admin.get_user_pool_mfa_config(UserPoolId=pool)["MfaConfiguration"] == "OPTIONAL"
    name = pools.user(pool, "careful")
    access = pools.sign_in(client, name)["AccessToken"]
    secret = pools.public.associate_software_token(AccessToken=access)["SecretCode"]
    # This step is used up here, and the next one is accepted early.
    token, now = pyotp.TOTP(secret), time.time()
    assert pools.public.verify_software_token(AccessToken=access, UserCode=token.at(now), FriendlyDeviceName="phone")["Status"] == "SUCCESS"
    pools.public.set_user_mfa_preference(AccessToken=access, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})
    pools.public.set_user_settings(AccessToken=access, MFAOptions=[])
    factors = pools.public.get_user_auth_factors(AccessToken=access)
    assert factors["PreferredMfaSetting"] == "SOFTWARE_TOKEN_MFA"
    challenge = pools.public.initiate_auth(
        ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})
    assert challenge["ChallengeName"] == "SOFTWARE_TOKEN_MFA" and challenge["ChallengeParameters"]["FRIENDLY_DEVICE_NAME"] == "phone"
    answer = pools.public.respond_to_auth_challenge(
        ClientId=client, ChallengeName="SOFTWARE_TOKEN_MFA", Session=challenge["Session"],
        ChallengeResponses={"USERNAME": name, "SOFTWARE_TOKEN_MFA_CODE": token.at(now + 30)})
    assert answer["AuthenticationResult"]["AccessToken"]
    assert pools.admin.admin_get_user_auth_factors(UserPoolId=pool, Username=name)["UserMFASettingList"] == ["SOFTWARE_TOKEN_MFA"]
    pools.admin.admin_set_user_mfa_preference(UserPoolId=pool, Username=name, SoftwareTokenMfaSettings={"Enabled": False})
    pools.admin.admin_set_user_settings(UserPoolId=pool, Username=name, MFAOptions=[])
    pools.admin.admin_delete_software_token(UserPoolId=pool, Username=name)
    assert pools.sign_in(client, name)["AccessToken"]


def test_devices(pools, pool, client):
    name = pools.user(pool, "mobile")
    tokens = pools.sign_in(client, name)
    device, access = tokens["NewDeviceMetadata"], tokens["AccessToken"]
    secret, verifier = generate_hash_device(device["DeviceGroupKey"], device["DeviceKey"])
    pools.public.confirm_device(AccessToken=access, DeviceKey=device["DeviceKey"], DeviceName="phone", DeviceSecretVerifierConfig=verifier)
    pools.public.update_device_status(AccessToken=access, DeviceKey=device["DeviceKey"], DeviceRememberedStatus="remembered")
    found = pools.public.list_devices(AccessToken=access)["Devices"]
    assert [entry["DeviceKey"] for entry in found] == [device["DeviceKey"]]
    assert pools.public.get_device(AccessToken=access, DeviceKey=device["DeviceKey"])["Device"]["DeviceKey"] == device["DeviceKey"]
    admin = {"UserPoolId": pool, "Username": name}
    assert len(pools.admin.admin_list_devices(**admin)["Devices"]) == 1
    assert pools.admin.admin_get_device(**admin, DeviceKey=device["DeviceKey"])["Device"]["DeviceAttributes"]
    pools.admin.admin_update_device_status(**admin, DeviceKey=device["DeviceKey"], DeviceRememberedStatus="not_remembered")
    pools.public.forget_device(AccessToken=access, DeviceKey=device["DeviceKey"])
    with pytest.raises(ClientError) as refused:
        pools.admin.admin_forget_device(**admin, DeviceKey=device["DeviceKey"])
    assert code(refused) == "ResourceNotFoundException"
    tokens = pools.sign_in(client, name)
    device = tokens["NewDeviceMetadata"]
    _, verifier = generate_hash_device(device["DeviceGroupKey"], device["DeviceKey"])
    pools.public.confirm_device(AccessToken=tokens["AccessToken"], DeviceKey=device["DeviceKey"], DeviceSecretVerifierConfig=verifier)
    pools.admin.admin_forget_device(**admin, DeviceKey=device["DeviceKey"])


def test_tokens_end(pools, client):
    pool = pools.pool()
    client = pools.client(pool)
    rotating = pools.client(pool, RefreshTokenRotation={"Feature": "ENABLED", "RetryGracePeriodSeconds": 0}, ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"])
    name = pools.user(pool)
    tokens = pools.sign_in(client, name)
    again = pools.public.initiate_auth(ClientId=client, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["RefreshToken"]})
    assert "RefreshToken" not in again["AuthenticationResult"]
    assert claims(again["AuthenticationResult"]["AccessToken"])["origin_jti"] == claims(tokens["AccessToken"])["origin_jti"]
    pools.public.revoke_token(ClientId=client, Token=tokens["RefreshToken"])
    with pytest.raises(ClientError) as refused:
        pools.public.get_user(AccessToken=again["AuthenticationResult"]["AccessToken"])
    assert code(refused) == "NotAuthorizedException"
    tokens = pools.sign_in(rotating, name)
    new = pools.public.get_tokens_from_refresh_token(ClientId=rotating, RefreshToken=tokens["RefreshToken"])["AuthenticationResult"]
    assert new["RefreshToken"] != tokens["RefreshToken"]
    with pytest.raises(ClientError) as refused:
        pools.public.get_tokens_from_refresh_token(ClientId=rotating, RefreshToken=tokens["RefreshToken"])
    assert code(refused) == "RefreshTokenReuseException"
    tokens = pools.sign_in(client, name)
    pools.public.global_sign_out(AccessToken=tokens["AccessToken"])
    with pytest.raises(ClientError) as refused:
        pools.public.get_user(AccessToken=tokens["AccessToken"])
    assert code(refused) == "NotAuthorizedException"
    tokens = pools.sign_in(client, name)
    pools.public.delete_user(AccessToken=tokens["AccessToken"])
    with pytest.raises(ClientError) as refused:
        pools.admin.admin_get_user(UserPoolId=pool, Username=name)
    assert code(refused) == "UserNotFoundException"


# The administrator's operations.


def test_pools(pools):
    pool = pools.pool(DeletionProtection="ACTIVE", UserPoolTags={"stage": "test"})
    assert pools.admin.describe_user_pool(UserPoolId=pool)["UserPool"]["Name"] == "app"
    assert pool in [entry["Id"] for entry in pools.admin.list_user_pools(MaxResults=60)["UserPools"]]
    pools.admin.add_custom_attributes(UserPoolId=pool, CustomAttributes=[{"Name": "rank", "AttributeDataType": "Number"}])
    names = [entry["Name"] for entry in pools.admin.describe_user_pool(UserPoolId=pool)["UserPool"]["SchemaAttributes"]]
    assert "custom:rank" in names and len(names) == 21
    arn = f"arn:aws:cognito-idp:{REGION}:123456789012:userpool/{pool}"
    assert pools.admin.list_tags_for_resource(ResourceArn=arn)["Tags"] == {"stage": "test"}
    pools.admin.tag_resource(ResourceArn=arn, Tags={"owner": "us"})
    pools.admin.untag_resource(ResourceArn=arn, TagKeys=["stage"])
    assert pools.admin.list_tags_for_resource(ResourceArn=arn)["Tags"] == {"owner": "us"}
    with pytest.raises(ClientError) as refused:
        pools.admin.delete_user_pool(UserPoolId=pool)
    assert code(refused) == "InvalidParameterException"
    pools.admin.update_user_pool(UserPoolId=pool, DeletionProtection="INACTIVE")
    pools.admin.delete_user_pool(UserPoolId=pool)
    with pytest.raises(ClientError) as refused:
        pools.admin.describe_user_pool(UserPoolId=pool)
    assert code(refused) == "ResourceNotFoundException"


def test_clients(pools, pool):
    made = pools.admin.create_user_pool_client(UserPoolId=pool, ClientName="backend", GenerateSecret=True)["UserPoolClient"]
    assert len(made["ClientId"]) == 26 and made["ClientSecret"]
    both = {"UserPoolId": pool, "ClientId": made["ClientId"]}
    assert pools.admin.describe_user_pool_client(**both)["UserPoolClient"]["ClientSecret"] == made["ClientSecret"]
    assert made["ClientId"] in [entry["ClientId"] for entry in pools.admin.list_user_pool_clients(UserPoolId=pool)["UserPoolClients"]]
    pools.admin.update_user_pool_client(**both, ClientName="renamed")
    assert pools.admin.describe_user_pool_client(**both)["UserPoolClient"]["ClientName"] == "renamed"
    pools.admin.delete_user_pool_client(**both)
    with pytest.raises(ClientError) as refused:
        pools.admin.describe_user_pool_client(**both)
    assert code(refused) == "ResourceNotFoundException"


def test_users(pools, pool, client):
    name = "managed"
    made = pools.admin.admin_create_user(
        UserPoolId=pool, Username=name, DesiredDeliveryMediums=["EMAIL"], UserAttributes=[{"Name": "email", "Value": email(name)}])
    assert made["User"]["UserStatus"] == "FORCE_CHANGE_PASSWORD"
    pools.code(email(name))
    both = {"UserPoolId": pool, "Username": name}
    pools.admin.admin_set_user_password(**both, Password=PASSWORD, Permanent=True)
    assert pools.admin.admin_get_user(**both)["UserStatus"] == "CONFIRMED"
    pools.admin.admin_update_user_attributes(
        **both, UserAttributes=[{"Name": "email_verified", "Value": "true"}, {"Name": "custom:team", "Value": "red"}])
    pools.admin.admin_delete_user_attributes(**both, UserAttributeNames=["custom:team"])
    tokens = pools.admin.admin_initiate_auth(
        UserPoolId=pool, ClientId=client, AuthFlow="ADMIN_USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})
    assert tokens["AuthenticationResult"]["AccessToken"]
    pools.admin.admin_user_global_sign_out(**both)
    with pytest.raises(ClientError) as refused:
        pools.public.get_user(AccessToken=tokens["AuthenticationResult"]["AccessToken"])
    assert code(refused) == "NotAuthorizedException"
    pools.admin.admin_disable_user(**both)
    with pytest.raises(ClientError) as refused:
        pools.sign_in(client, name)
    assert code(refused) == "NotAuthorizedException"
    pools.admin.admin_enable_user(**both)
    found = pools.admin.list_users(UserPoolId=pool, Filter=f'email = "{email(name)}"')["Users"]
    assert [user["Username"] for user in found] == [name]
    pools.admin.admin_reset_user_password(**both)
    assert pools.admin.admin_get_user(**both)["UserStatus"] == "RESET_REQUIRED"
    pools.admin.admin_delete_user(**both)
    with pytest.raises(ClientError) as refused:
        pools.admin.admin_get_user(**both)
    assert code(refused) == "UserNotFoundException"


def test_confirmation_and_challenges_by_administrators(pools, pool, client):
    signed_up(pools, client, "waiting")
    pools.admin.admin_confirm_sign_up(UserPoolId=pool, Username="waiting")
    assert pools.sign_in(client, "waiting")["AccessToken"]
    pools.admin.admin_set_user_password(UserPoolId=pool, Username="waiting", Password=NEXT, Permanent=False)
    challenge = pools.admin.admin_initiate_auth(
        UserPoolId=pool, ClientId=client, AuthFlow="ADMIN_USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "waiting", "PASSWORD": NEXT})
    assert challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED"
    assert json.loads(challenge["ChallengeParameters"]["requiredAttributes"]) == []
    answer = pools.admin.admin_respond_to_auth_challenge(
        UserPoolId=pool, ClientId=client, ChallengeName="NEW_PASSWORD_REQUIRED", Session=challenge["Session"],
        ChallengeResponses={"USERNAME": "waiting", "NEW_PASSWORD": PASSWORD})
    assert answer["AuthenticationResult"]["IdToken"]


def test_groups(pools, pool, client):
    name = pools.user(pool, "member")
    both = {"UserPoolId": pool, "GroupName": "editors"}
    pools.admin.create_group(**both, Precedence=5, Description="Those who edit")
    pools.admin.create_group(UserPoolId=pool, GroupName="admins", Precedence=1)
    assert pools.admin.get_group(**both)["Group"]["Precedence"] == 5
    pools.admin.update_group(**both, Precedence=7)
    assert {group["GroupName"] for group in pools.admin.list_groups(UserPoolId=pool)["Groups"]} == {"editors", "admins"}
    for group in ("editors", "admins"):
        pools.admin.admin_add_user_to_group(UserPoolId=pool, GroupName=group, Username=name)
    assert claims(pools.sign_in(client, name)["AccessToken"])["cognito:groups"] == ["admins", "editors"]
    found = pools.admin.admin_list_groups_for_user(UserPoolId=pool, Username=name)["Groups"]
    assert [group["GroupName"] for group in found] == ["admins", "editors"]
    assert [user["Username"] for user in pools.admin.list_users_in_group(**both)["Users"]] == [name]
    pools.admin.admin_remove_user_from_group(**both, Username=name)
    pools.admin.delete_group(**both)
    with pytest.raises(ClientError) as refused:
        pools.admin.get_group(**both)
    assert code(refused) == "ResourceNotFoundException"


# All of them.


def declared(pools):
    """The operations of the model that the service does not answer as unknown or not built."""
    found = set()
    for name in botocore.session.get_session().get_service_model("cognito-idp").operation_names:
        status, kind = refused_kind(pools, name)
        if kind not in ("NotImplementedException", "UnknownOperationException"):
            found.add(name)
    return found


def refused_kind(pools, operation):
    import requests

    from user_pool_support import JSON, TARGET
    response = requests.post(pools.url + "/", data="{}", headers={"Content-Type": JSON, "X-Amz-Target": TARGET + operation}, timeout=LIMIT)
    return response.status_code, response.json()["__type"]


def test_every_operation_was_called(pools):
    names = declared(pools)
    assert len(names) >= 62
    succeeded = {operation.removeprefix("cognito-idp.") for operation, outcome in pools.called() if outcome == "ok"}
    assert names - succeeded == set()
