"""A new master key, copies and settings that are read again, with users of user pools."""
import signal
import time

import pyotp
import pytest
import requests
from botocore.exceptions import ClientError

from clock import Clock
from identity_support import run
from user_pool_support import PASSWORD, UserPools, code
from waiting import LIMIT, eventually


def test_users_keep_passwords_and_factors_with_a_new_master_key(tmp_path):
    pools = UserPools(tmp_path)
    pool = pools.pool()
    pools.admin.set_user_pool_mfa_config(UserPoolId=pool, SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration="OPTIONAL")
    made = pools.admin.create_user_pool_client(
        UserPoolId=pool, ClientName="web", GenerateSecret=True, ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])["UserPoolClient"]
    client = pools.client(pool)
    name = pools.user(pool)
    tokens = pools.sign_in(client, name)
    token = pyotp.TOTP(pools.public.associate_software_token(AccessToken=tokens["AccessToken"])["SecretCode"])
    pools.public.verify_software_token(AccessToken=tokens["AccessToken"], UserCode=token.now())
    keys = requests.get(f"{pools.url}/{pool}/.well-known/jwks.json", timeout=LIMIT).json()
    hiding = pools.client(pool, PreventUserExistenceErrors="ENABLED")

    def salts(of):
        """Of the user and of a name that no user has."""
        begin = {"ClientId": hiding, "AuthFlow": "USER_SRP_AUTH"}
        return [of.public.initiate_auth(**begin, AuthParameters={"USERNAME": who, "SRP_A": "a" * 64})["ChallengeParameters"]["SALT"] for who in (name, "nobody")]

    before = salts(pools)
    assert pools.stop() == 0
    done = run("key", "reseal", "--data", pools.service.folder)
    assert done.returncode == 0, done.stderr
    again = UserPools(tmp_path, key=pools.service.key)
    try:
        assert requests.get(f"{again.url}/{pool}/.well-known/jwks.json", timeout=LIMIT).json() == keys
        assert again.admin.describe_user_pool_client(UserPoolId=pool, ClientId=made["ClientId"])["UserPoolClient"]["ClientSecret"] == made["ClientSecret"]
        assert again.sign_in(client, name)["AccessToken"]
        # Neither changes, so that the difference does not show who exists.
        assert salts(again) == before
        with pytest.raises(ClientError) as refused:
            again.public.initiate_auth(ClientId=client, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["RefreshToken"]})
        assert code(refused) == "NotAuthorizedException"
    finally:
        assert again.stop() == 0


def test_used_codes_stay_used_with_a_new_master_key(tmp_path):
    # The time of day of both services stands nearly still early in a step, so that the code does not expire.
    start = int(time.time()) // 30 * 30 + 5
    time_of_day = Clock(tmp_path, speed=0.001, at=start)
    pools = UserPools(tmp_path, clock=time_of_day)
    pool = pools.pool()
    pools.admin.set_user_pool_mfa_config(UserPoolId=pool, SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration="OPTIONAL")
    client = pools.client(pool)
    name = pools.user(pool)
    tokens = pools.sign_in(client, name)
    token = pyotp.TOTP(pools.public.associate_software_token(AccessToken=tokens["AccessToken"])["SecretCode"])
    pools.public.verify_software_token(AccessToken=tokens["AccessToken"], UserCode=token.at(start))
    pools.public.set_user_mfa_preference(AccessToken=tokens["AccessToken"], SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})

    def answer(of, number):
        challenge = of.public.initiate_auth(
            ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})
        return of.public.respond_to_auth_challenge(
            ClientId=client, ChallengeName="SOFTWARE_TOKEN_MFA", Session=challenge["Session"],
            ChallengeResponses={"USERNAME": name, "SOFTWARE_TOKEN_MFA_CODE": number})

    assert answer(pools, token.at(start + 30))["AuthenticationResult"]
    assert pools.stop() == 0
    assert run("key", "reseal", "--data", pools.service.folder).returncode == 0
    again = UserPools(tmp_path, key=pools.service.key, clock=time_of_day)
    try:
        for offset in (0, 30):
            with pytest.raises(ClientError) as refused:
                answer(again, token.at(start + offset))
            assert code(refused) == "ExpiredCodeException", offset
    finally:
        assert again.stop() == 0


def test_a_copy_has_user_pools(tmp_path):
    pools = UserPools(tmp_path)
    pool = pools.pool()
    client, name = pools.client(pool), pools.user(pool)
    assert run("backup", "--data", pools.service.folder, tmp_path / "copy").returncode == 0
    assert pools.stop() == 0
    (tmp_path / "new").mkdir()
    assert run("restore", tmp_path / "copy", "--data", tmp_path / "new" / "data").returncode == 0
    restored = UserPools(tmp_path / "new", key=pools.service.key)
    try:
        assert restored.sign_in(client, name)["AccessToken"]
    finally:
        assert restored.stop() == 0


def test_origins_are_read_again(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text('{"allowedOrigins": ["https://one.example"]}')
    pools = UserPools(tmp_path, "--config", settings)

    def allows(origin):
        response = requests.options(pools.url + "/", timeout=LIMIT, headers={"Origin": origin, "Access-Control-Request-Method": "POST"})
        return "Access-Control-Allow-Origin" in response.headers
    try:
        assert allows("https://one.example") and not allows("https://two.example")
        settings.write_text('{"allowedOrigins": ["https://two.example"]}')
        pools.service.process.send_signal(signal.SIGHUP)
        eventually(lambda: allows("https://two.example"))
        assert not allows("https://one.example")
    finally:
        assert pools.stop() == 0
