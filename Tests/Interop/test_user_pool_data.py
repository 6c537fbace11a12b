"""A new master key, copies and settings that are read again, with users of user pools."""
import signal

import pyotp
import pytest
import requests
from botocore.exceptions import ClientError

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
