"""Wrong codes of second factors, and passwords that end sessions, as the operator and other clients see them."""
import json

import pyotp
import pytest
import requests
from botocore.exceptions import ClientError

from clock import Clock
from user_pool_support import PASSWORD, UserPools, code
from waiting import LIMIT


def test_wrong_codes_of_a_second_factor_are_audited(tmp_path):
    clock = Clock(tmp_path)
    pools = UserPools(tmp_path, clock=clock)
    try:
        pool = pools.pool()
        pools.admin.set_user_pool_mfa_config(UserPoolId=pool, SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration="OPTIONAL")
        client = pools.client(pool)
        name = pools.user(pool)
        access = pools.sign_in(client, name)["AccessToken"]
        token = pyotp.TOTP(pools.public.associate_software_token(AccessToken=access)["SecretCode"])
        pools.public.verify_software_token(AccessToken=access, UserCode=token.now())
        pools.public.set_user_mfa_preference(AccessToken=access, SoftwareTokenMfaSettings={"Enabled": True})
        sub = pools.admin.admin_get_user(UserPoolId=pool, Username=name)["UserAttributes"]
        for _ in range(11):
            # Longer than the longest of the first waits.
            clock.advance(40)
            challenge = pools.public.initiate_auth(
                ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})
            with pytest.raises(ClientError) as refused:
                pools.public.respond_to_auth_challenge(
                    ClientId=client, ChallengeName="SOFTWARE_TOKEN_MFA", Session=challenge["Session"],
                    ChallengeResponses={"USERNAME": name, "SOFTWARE_TOKEN_MFA_CODE": "wrong"})
            assert code(refused) == "CodeMismatchException"
        figures = requests.get(pools.url + "/metrics", timeout=LIMIT).text
        assert 'identity_factor_failures_total{factor="SOFTWARE_TOKEN_MFA"} 11' in figures
        assert "identity_factors_closed_total{" not in figures
    finally:
        assert pools.stop() == 0
    lines = [json.loads(line) for line in pools.service.log]
    audited = [line for line in lines if line["message"] == "audit" and line["operation"] == "RespondToAuthChallenge"]
    assert [(line["code"], line["factor"], line["failures"]) for line in audited] == [
        ("software_token_code_mismatch", "SOFTWARE_TOKEN_MFA", "10")]
    assert audited[0]["pool"] == pool and {"Name": "sub", "Value": audited[0]["sub"]} in sub


def test_codes_in_place_of_a_password_that_are_closed(tmp_path):
    clock = Clock(tmp_path)
    pools = UserPools(tmp_path, clock=clock)
    try:
        pool = pools.pool()
        client = pools.client(pool)
        name = pools.user(pool)
        for _ in range(21):
            with pytest.raises(ClientError) as refused:
                pools.public.confirm_forgot_password(ClientId=client, Username=name, ConfirmationCode="123456", Password=PASSWORD)
        assert code(refused) == "LimitExceededException"
        figures = requests.get(pools.url + "/metrics", timeout=LIMIT).text
        assert [line for line in figures.splitlines() if line.startswith("identity_codes_closed_total{")] == [
            'identity_codes_closed_total{challenge="ConfirmForgotPassword",bound="address"} 1']
    finally:
        assert pools.stop() == 0
    lines = [json.loads(line) for line in pools.service.log]
    audited = [line for line in lines if line["message"] == "audit" and line["operation"] == "ConfirmForgotPassword"]
    assert [(line["codes"], line["closed"], line["pool"]) for line in audited] == [("ConfirmForgotPassword", "address", pool)]
    assert audited[0]["sub"]


def test_a_refused_call_that_ended_sessions_is_audited(tmp_path):
    pools = UserPools(tmp_path)
    try:
        pool = pools.pool(UserPoolTags={"identity-service:password-ends-sessions": "true"})
        client = pools.client(pool)
        name = "jane"
        pools.admin.admin_create_user(UserPoolId=pool, Username=name, MessageAction="SUPPRESS", TemporaryPassword=PASSWORD)
        challenge = pools.public.initiate_auth(
            ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})
        assert challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED"
        # The password is replaced, and then the user may not sign in.
        pools.admin.admin_disable_user(UserPoolId=pool, Username=name)
        with pytest.raises(ClientError) as refused:
            pools.public.respond_to_auth_challenge(
                ClientId=client, ChallengeName="NEW_PASSWORD_REQUIRED", Session=challenge["Session"],
                ChallengeResponses={"USERNAME": name, "NEW_PASSWORD": "Other-horse-9"})
        assert code(refused) == "NotAuthorizedException"
        # A refused call that has changed nothing has no line.
        with pytest.raises(ClientError):
            pools.sign_in(client, name, "Other-horse-9")
    finally:
        assert pools.stop() == 0
    lines = [json.loads(line) for line in pools.service.log]
    refused = [line for line in lines if line["message"] == "audit" and line["code"] != "ok"]
    assert [(line["operation"], line["code"], line["sessions"]) for line in refused] == [
        ("RespondToAuthChallenge", "user_disabled", "ended")]
    assert refused[0]["pool"] == pool


def test_passwords_that_end_sessions(tmp_path):
    pools = UserPools(tmp_path)
    try:
        pool = pools.pool(UserPoolTags={"identity-service:password-ends-sessions": "true"})
        client = pools.client(pool)
        name = pools.user(pool)
        own, other = pools.sign_in(client, name), pools.sign_in(client, name)
        pools.public.change_password(AccessToken=own["AccessToken"], PreviousPassword=PASSWORD, ProposedPassword="Other-horse-9")
        assert pools.public.get_user(AccessToken=own["AccessToken"])["Username"] == name
        for call in (
                lambda: pools.public.get_user(AccessToken=other["AccessToken"]),
                lambda: pools.public.initiate_auth(
                    ClientId=client, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": other["RefreshToken"]})):
            with pytest.raises(ClientError) as refused:
                call()
            assert code(refused) == "NotAuthorizedException"
        pools.admin.admin_set_user_password(UserPoolId=pool, Username=name, Password=PASSWORD, Permanent=True)
        with pytest.raises(ClientError) as refused:
            pools.public.get_user(AccessToken=own["AccessToken"])
        assert code(refused) == "NotAuthorizedException"
    finally:
        assert pools.stop() == 0
    lines = [json.loads(line) for line in pools.service.log]
    ended = [line["operation"] for line in lines if line["message"] == "audit" and line.get("sessions") == "ended"]
    # The first one is that of the user's first password.
    assert ended == ["AdminSetUserPassword", "ChangePassword", "AdminSetUserPassword"]
