"""Names that are UUIDs, and timestamps of other languages: boto3 and pycognito over HTTP."""
import secrets

import botocore.exceptions
import pytest
from pycognito.aws_srp import AWSSRP

from user_pool_support import PASSWORD, UserPools

FORMAT = "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english."


@pytest.fixture(scope="module")
def pools(tmp_path_factory):
    running = UserPools(tmp_path_factory.mktemp("names"), "--rate", 0)
    yield running
    assert running.stop() == 0


def test_the_name_that_admin_get_user_shows(pools):
    """As reported of floci (1849, 220) and ministack (647): the user name of a pool with UsernameAttributes is the sub."""
    pool = pools.pool(UsernameAttributes=["email"], AutoVerifiedAttributes=["email"])
    client, address = pools.client(pool), f"{secrets.token_hex(6)}@example.com"
    public = pools.public
    public.sign_up(ClientId=client, Username=address, Password=PASSWORD)
    name = pools.admin.admin_get_user(UserPoolId=pool, Username=address)["Username"]
    pools.code(address)
    public.resend_confirmation_code(ClientId=client, Username=name)
    public.confirm_sign_up(ClientId=client, Username=name, ConfirmationCode=pools.code(address, 1))
    pools.sign_in(client, name)
    pools.admin.admin_initiate_auth(
        UserPoolId=pool, ClientId=client, AuthFlow="ADMIN_USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})
    AWSSRP(name, PASSWORD, pool, client, client=public).authenticate_user()
    sent = len([message for message in pools.sent() if message["destination"] == address])
    public.forgot_password(ClientId=client, Username=name)
    public.confirm_forgot_password(ClientId=client, Username=name, ConfirmationCode=pools.code(address, sent), Password="Another-horse-8")
    pools.sign_in(client, address, "Another-horse-8")


def test_names_of_applications(pools):
    pool = pools.pool(AliasAttributes=["email"])
    client, name = pools.client(pool), "ed9ab6aa-98b9-4a5b-a9a3-4d28cb7b3a4e"
    pools.user(pool, name, email="jane@example.com", email_verified="true")
    for typed in (name, "jane@example.com"):
        AWSSRP(typed, PASSWORD, pool, client, client=pools.public).authenticate_user()
    shown = pools.admin.admin_get_user(UserPoolId=pool, Username=name)
    sub = next(one["Value"] for one in shown["UserAttributes"] if one["Name"] == "sub")
    with pytest.raises(pools.public.exceptions.InvalidParameterException):
        pools.public.sign_up(ClientId=client, Username=sub, Password=PASSWORD)


@pytest.mark.parametrize("text", [
    "2026-09-05T09:03:07Z", "Mon Feb 12 15:26:37 +05:30 2018", "Sa Sep. 5 09:03:07 UTC 2026", "Sat Sep 05 09:03:07 UTC 2026"])
@pytest.mark.parametrize("errors", ["LEGACY", "ENABLED"])
def test_timestamps_of_other_forms(pools, monkeypatch, text, errors):
    """pycognito 2024.5.1, as it was under another locale (issue 122): the right password, and a timestamp that cannot be read."""
    pool = pools.pool()
    client = pools.client(pool, PreventUserExistenceErrors=errors)
    name = pools.user(pool)
    with monkeypatch.context() as patch:
        patch.setattr(AWSSRP, "get_cognito_formatted_timestamp", staticmethod(lambda _: text))
        for _ in range(6):
            with pytest.raises(botocore.exceptions.ClientError) as refused:
                AWSSRP(name, PASSWORD, pool, client, client=pools.public).authenticate_user()
            error = refused.value.response["Error"]
            assert (error["Code"], error["Message"]) == ("InvalidParameterException", FORMAT)
        if errors == "ENABLED":
            with pytest.raises(pools.public.exceptions.InvalidParameterException):
                AWSSRP("nobody", PASSWORD, pool, client, client=pools.public).authenticate_user()
    AWSSRP(name, PASSWORD, pool, client, client=pools.public).authenticate_user()
