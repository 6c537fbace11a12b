"""warrant, the older client of user pools, against ours."""
import botocore.exceptions
import pytest
import requests
from warrant import Cognito
from warrant.aws_srp import AWSSRP
from warrant.exceptions import ForceChangePasswordException

from identity_support import REGION
from user_pool_peers import NEW_PASSWORD, OwnIssuer, Pool, email
from user_pool_support import PASSWORD
from waiting import LIMIT


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = OwnIssuer(tmp_path_factory.mktemp("warrant"))
    yield service
    assert service.stop() == 0


def cognito(pool, username):
    user = Cognito(pool.id, pool.client_id, REGION, username, client_secret=pool.secret)
    # It takes no endpoint.
    user.client = pool.pools.public
    user.pool_jwk = requests.get(f"{pool.pools.url}/{pool.id}/.well-known/jwks.json", timeout=LIMIT).json()
    return user


@pytest.mark.parametrize("secret", [False, True])
def test_sign_up_sign_in_refresh(service, secret):
    pool = Pool(service, secret, AutoVerifiedAttributes=["email"])
    address = email()
    user = cognito(pool, "jane")
    user.add_base_attributes(email=address)
    user.register("jane", PASSWORD)
    user.confirm_sign_up(service.code(address))
    user.authenticate(PASSWORD)
    assert user.get_user().email_verified is True
    before = user.access_token
    user.renew_access_token()
    assert user.access_token != before
    user.verify_token(user.access_token, "access_token", "access")
    user.initiate_forgot_password()
    user.confirm_forgot_password(service.code(address, 1), NEW_PASSWORD)
    with pytest.raises(botocore.exceptions.ClientError) as error:
        user.authenticate(PASSWORD)
    assert error.value.response["Error"]["Code"] == "NotAuthorizedException"
    user.authenticate(NEW_PASSWORD)
    user.change_password(NEW_PASSWORD, PASSWORD)
    user.logout()
    with pytest.raises(botocore.exceptions.ClientError):
        cognito(pool, "jane").client.get_user(AccessToken=before)


def test_new_password(service):
    pool = Pool(service)
    pool.admin.admin_create_user(
        UserPoolId=pool.id, Username="jane", TemporaryPassword=PASSWORD, MessageAction="SUPPRESS")
    with pytest.raises(ForceChangePasswordException):
        AWSSRP("jane", PASSWORD, pool.id, pool.client_id, client=service.public).authenticate_user()
    user = cognito(pool, "jane")
    user.new_password_challenge(PASSWORD, NEW_PASSWORD)
    user.authenticate(NEW_PASSWORD)


def test_email_names(service):
    """The user name is a UUID, which the challenge names."""
    pool = Pool(service, UsernameAttributes=["email"])
    address = email()
    name = pool.add_user(address)
    user = cognito(pool, address)
    user.authenticate(PASSWORD)
    assert user.get_user().sub == name


def test_secret_hash_is_over_the_name_sent(service):
    """warrant sends the challenge's name with the hash over the typed one. AWS refuses that, and so do we."""
    pool = Pool(service, True, UsernameAttributes=["email"])
    address = email()
    pool.add_user(address)
    with pytest.raises(botocore.exceptions.ClientError) as error:
        cognito(pool, address).authenticate(PASSWORD)
    assert error.value.response["Error"]["Code"] == "NotAuthorizedException"
    assert error.value.response["Error"]["Message"] == f"Unable to verify secret hash for client {pool.client_id}"
