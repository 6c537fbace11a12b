"""pycognito against our user pools: what it does without a change, over real HTTP."""
import time

import botocore.exceptions
import pyotp
import pytest
import requests
from pycognito import Cognito
from pycognito.aws_srp import AWSSRP
from pycognito.exceptions import (
    ForceChangePasswordException, SMSMFAChallengeException, SoftwareTokenMFAChallengeException)

from user_pool_peers import NEW_PASSWORD, OwnIssuer, Pool, email, phone
from user_pool_support import PASSWORD

# Whether the user name at sign-up is an address, the address that the user types later, and the pool's settings.
POOLS = {
    "names": (False, None, {}),
    "email alias": (False, "email", {"AliasAttributes": ["email"]}),
    "phone alias": (False, "phone_number", {"AliasAttributes": ["phone_number"]}),
    "email names": (True, "email", {"UsernameAttributes": ["email"]}),
    "phone names": (True, "phone_number", {"UsernameAttributes": ["phone_number"]}),
}


class Place:
    """A pool of one of the kinds, and a user's names in it."""

    def __init__(self, pools, secret, kind):
        isAddress, attribute, settings = POOLS[kind]
        self.attribute = attribute or "email"
        self.address = phone() if self.attribute == "phone_number" else email()
        self.name = self.address if isAddress else "jane"
        self.typed = self.address if attribute else "jane"
        self.pool = Pool(pools, secret, AutoVerifiedAttributes=[self.attribute], **settings)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = OwnIssuer(tmp_path_factory.mktemp("pycognito"))
    yield service
    assert service.stop() == 0


@pytest.fixture(params=[False, True], ids=["public client", "client with secret"])
def secret(request):
    return request.param


@pytest.fixture(params=POOLS)
def place(request, service, secret):
    return Place(service, secret, request.param)


def cognito(pool, username=None, admin=False, **more):
    keys = dict(zip(("access_key", "secret_key"), pool.pools.service.key)) if admin else {}
    return Cognito(
        pool.id, pool.client_id, username=username, client_secret=pool.secret,
        boto3_client_kwargs={"endpoint_url": pool.pools.url}, **keys, **more)


def srp(pool, username, password=PASSWORD, **device):
    return AWSSRP(
        username, password, pool.id, pool.client_id, client=pool.pools.public, client_secret=pool.secret, **device)


def refused(error, code, text=None):
    assert error.value.response["Error"]["Code"] == code
    assert text is None or error.value.response["Error"]["Message"] == text


def test_sign_up_sign_in_refresh(service, place):
    pool = place.pool
    user = cognito(pool, place.name)
    user.set_base_attributes(**{place.attribute: place.address})
    assert user.register(place.name, PASSWORD)["UserConfirmed"] is False
    with pytest.raises(botocore.exceptions.ClientError) as error:
        user.authenticate(PASSWORD)
    refused(error, "UserNotConfirmedException", "User is not confirmed.")
    user.confirm_sign_up(service.code(place.address))
    # By what the user types: an alias, now that it is verified.
    user = cognito(pool, place.typed)
    user.authenticate(PASSWORD)
    assert user.id_claims["sub"] == user.access_claims["sub"]
    assert user.id_claims["cognito:username"] == user.access_claims["username"]
    assert user.access_claims["client_id"] == user.id_claims["aud"] == pool.client_id
    first = dict(user.access_claims)
    user.renew_access_token()
    assert user.access_claims["origin_jti"] == first["origin_jti"] and user.access_claims["jti"] != first["jti"]
    assert user.get_user().sub == first["sub"]
    with pytest.raises(botocore.exceptions.ClientError) as error:
        cognito(pool, place.typed).authenticate("Wrong-password-1")
    refused(error, "NotAuthorizedException", "Incorrect username or password.")


def test_new_password(service, place):
    pool = place.pool
    attributes = {place.attribute: place.address, f"{place.attribute}_verified": "true"}
    cognito(pool, admin=True).admin_create_user(
        place.name, temporary_password=PASSWORD, additional_kwargs={"MessageAction": "SUPPRESS"}, **attributes)
    with pytest.raises(ForceChangePasswordException):
        srp(pool, place.typed).authenticate_user()
    user = cognito(pool, place.typed)
    user.new_password_challenge(PASSWORD, NEW_PASSWORD)
    user = cognito(pool, place.typed)
    user.authenticate(NEW_PASSWORD)
    assert getattr(user.get_user(), f"{place.attribute}_verified") is True
    with pytest.raises(botocore.exceptions.ClientError) as error:
        user.authenticate(PASSWORD)
    refused(error, "NotAuthorizedException")


def test_software_token(service, secret):
    pool = Pool(service, secret)
    pool.factors()
    pool.add_user("jane")
    user = cognito(pool, "jane")
    user.authenticate(PASSWORD)
    token = pyotp.TOTP(user.associate_software_token())
    now = time.time()
    assert user.verify_software_token(token.at(now), "a phone")
    user.set_user_mfa_preference(False, True, "SOFTWARE_TOKEN")
    with pytest.raises(SoftwareTokenMFAChallengeException) as challenge:
        user.authenticate(PASSWORD)
    assert challenge.value.get_tokens()["ChallengeParameters"]["FRIENDLY_DEVICE_NAME"] == "a phone"
    other = cognito(pool, "jane")
    # The code that verified the token is used; that of the next step is not.
    with pytest.raises(botocore.exceptions.ClientError) as error:
        other.respond_to_software_token_mfa_challenge(token.at(now), challenge.value.get_tokens())
    refused(error, "ExpiredCodeException", "Your software token has already been used once.")
    other.respond_to_software_token_mfa_challenge(token.at(now + 30), challenge.value.get_tokens())
    assert other.get_user()._metadata["username"] == "jane"
    user.set_user_mfa_preference(False, False)
    cognito(pool, "jane").authenticate(PASSWORD)


def test_code_by_sms(service, secret):
    pool = Pool(service, secret)
    pool.factors()
    number = phone()
    pool.add_user("jane", phone_number=number)
    user = cognito(pool, "jane")
    user.authenticate(PASSWORD)
    user.set_user_mfa_preference(True, False, "SMS")
    with pytest.raises(SMSMFAChallengeException) as challenge:
        user.authenticate(PASSWORD)
    parameters = challenge.value.get_tokens()["ChallengeParameters"]
    assert parameters["CODE_DELIVERY_DESTINATION"] == "+*******" + number[-4:]
    code = service.code(number)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    other = cognito(pool, "jane")
    with pytest.raises(botocore.exceptions.ClientError) as error:
        other.respond_to_sms_mfa_challenge(wrong, challenge.value.get_tokens())
    refused(error, "CodeMismatchException", "Invalid code or auth state for the user.")
    other.respond_to_sms_mfa_challenge(code, challenge.value.get_tokens())
    assert other.get_user().phone_number_verified


@pytest.fixture
def device_calls(service, monkeypatch):
    """pycognito sends three operations on devices to AWS whatever endpoint is set."""
    post = requests.post
    monkeypatch.setattr(
        "pycognito.aws_srp.requests.post", lambda url, **arguments: post(service.url + "/", **arguments))


def test_remembered_device(service, secret, device_calls):
    pool = Pool(
        service, secret,
        DeviceConfiguration={"ChallengeRequiredOnNewDevice": True, "DeviceOnlyRememberedOnUserPrompt": True})
    pool.factors()
    pool.add_user("jane")
    first = srp(pool, "jane")
    tokens = first.authenticate_user()
    response, password = first.confirm_device(tokens, "a phone")
    assert response.status_code == 200 and response.json() == {"UserConfirmationNecessary": True}
    access, refresh = (tokens["AuthenticationResult"][name] for name in ("AccessToken", "RefreshToken"))
    user = cognito(pool, "jane", access_token=access)
    now = time.time()
    token = pyotp.TOTP(user.associate_software_token())
    assert user.verify_software_token(token.at(now))
    user.set_user_mfa_preference(False, True, "SOFTWARE_TOKEN")
    device = {"device_key": first.device_key, "device_group_key": first.device_group_key, "device_password": password}
    # It is not remembered before the user says so.
    with pytest.raises(SoftwareTokenMFAChallengeException):
        srp(pool, "jane", **device).authenticate_user()
    assert "200" in first.update_device_status(True, access, first.device_key)
    result = srp(pool, "jane", **device).authenticate_user()["AuthenticationResult"]
    assert "NewDeviceMetadata" not in result
    cognito(pool, "jane").verify_token(result["AccessToken"], "access_token", "access")
    # Another password of the device, and a device that is forgotten.
    with pytest.raises(botocore.exceptions.ClientError) as error:
        srp(pool, "jane", **{**device, "device_password": "x" * 56}).authenticate_user()
    refused(error, "NotAuthorizedException", "Incorrect username or password.")
    refresh = {"REFRESH_TOKEN": refresh, "DEVICE_KEY": first.device_key}
    if pool.secret:
        refresh["SECRET_HASH"] = AWSSRP.get_secret_hash("jane", pool.client_id, pool.secret)
    flow = {"ClientId": pool.client_id, "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": refresh}
    service.public.initiate_auth(**flow)
    assert "200" in first.forget_device(access, first.device_key)
    with pytest.raises(botocore.exceptions.ClientError) as error:
        service.public.initiate_auth(**flow)
    refused(error, "NotAuthorizedException", "Invalid Refresh Token")
    with pytest.raises(botocore.exceptions.ClientError) as error:
        srp(pool, "jane", **device).authenticate_user()
    refused(error, "ResourceNotFoundException", "Device does not exist.")


def test_forgotten_and_changed_password(service, secret):
    pool = Pool(service, secret)
    address = email()
    pool.add_user("jane", email=address, email_verified="true")
    user = cognito(pool, "jane")
    user.initiate_forgot_password()
    user.confirm_forgot_password(service.code(address), NEW_PASSWORD)
    user.authenticate(NEW_PASSWORD)
    user.change_password(NEW_PASSWORD, PASSWORD)
    user.authenticate(PASSWORD)


def test_account(service, secret):
    pool = Pool(service, secret, AutoVerifiedAttributes=["email"])
    pool.add_user("jane", email=email(), email_verified="true")
    address = email()
    user = cognito(pool, "jane")
    user.authenticate(PASSWORD)
    user.update_profile({"given_name": "Jane", "email": address})
    assert user.get_user().email_verified is False
    user.validate_verification(service.code(address))
    user.send_verification()
    user.validate_verification(service.code(address, 1))
    assert user.get_user(attr_map={"given_name": "first"}).first == "Jane"
    admin = cognito(pool, "jane", admin=True)
    pool.admin.create_group(UserPoolId=pool.id, GroupName="readers")
    admin.admin_add_user_to_group("jane", "readers")
    assert admin.admin_list_groups_for_user("jane") == ["readers"]
    assert [group.group_name for group in admin.get_groups()] == ["readers"]
    user.authenticate(PASSWORD)
    assert user.access_claims["cognito:groups"] == user.id_claims["cognito:groups"] == ["readers"]
    assert [found.username for found in admin.get_users()] == ["jane"]
    user.logout()
    again = cognito(pool, "jane")
    again.authenticate(PASSWORD)
    again.delete_user()
    with pytest.raises(botocore.exceptions.ClientError):
        again.get_user()
