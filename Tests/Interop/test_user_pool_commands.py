"""A pool that commands alone have made, and users who sign in to it while the service runs."""
import concurrent.futures
import json
import os
import pty
import subprocess
import termios

import botocore.exceptions
import jwt
import pyotp
import pytest
from pycognito.aws_srp import AWSSRP

from programs import IDENTITY_SERVICE as PROGRAM
from user_pool_support import UserPools, code
from waiting import LIMIT, eventually

PASSWORD, OTHER = "Correct-horse-9", "Another-horse-8"


class Administration:
    """Commands on a pool."""

    def __init__(self, pools):
        self.pools = pools
        self.pool = self.run("user-pool", "create", "app", "--mfa", "optional", "--auto-verify", "email").strip()

    def run(self, *words, **options):
        return self.pools.service.command(*words, **options)

    def user(self, word, name, *options, **more):
        return self.run("user-pool", "user", word, name, "--pool", self.pool, *options, **more)

    def client(self, *flows):
        options = [word for flow in flows for word in ("--flow", flow)]
        return self.run("user-pool", "client", "create", "web", "--pool", self.pool, *options).strip()


@pytest.fixture(scope="module")
def pools(tmp_path_factory):
    pools = UserPools(tmp_path_factory.mktemp("commands"))
    yield pools
    assert pools.stop() == 0


@pytest.fixture
def administration(pools):
    return Administration(pools)


def claims(token):
    return jwt.decode(token, options={"verify_signature": False})


def test_a_pool_made_by_commands(pools, administration):
    """From nothing to a sign-in by SRP, a second factor, and the end of all sign-ins."""
    pool = administration.pool
    client = administration.client("ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH")
    assert administration.run("user-pool", "group", "create", "editors", "--pool", pool) == "editors\n"
    made = administration.user(
        "create", "jane", "--email", "jane@example.com", "--group", "editors", "--password-file", "-", input=PASSWORD + "\n")
    assert made == "jane\n"

    srp = AWSSRP(username="jane", password=PASSWORD, pool_id=pool, client_id=client, client=pools.public)
    access = srp.authenticate_user()["AuthenticationResult"]["AccessToken"]
    assert claims(access)["cognito:groups"] == ["editors"]
    secret = pools.public.associate_software_token(AccessToken=access)["SecretCode"]
    pools.public.verify_software_token(AccessToken=access, UserCode=pyotp.TOTP(secret).now())
    assert administration.user("set-mfa", "jane", "--prefer", "totp") == "jane has totp preferred\n"
    asked = pools.public.initiate_auth(
        ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "jane", "PASSWORD": PASSWORD})
    assert asked["ChallengeName"] == "SOFTWARE_TOKEN_MFA"

    administration.user("set-mfa", "jane", "--disable", "totp")
    tokens = pools.sign_in(client, "jane", PASSWORD)
    administration.user("set-password", "jane", "--password-file", "-", input=OTHER)
    assert administration.user("sign-out", "jane") == "jane is signed out\n"
    with pytest.raises(botocore.exceptions.ClientError) as error:
        pools.public.get_user(AccessToken=tokens["AccessToken"])
    assert code(error) == "NotAuthorizedException"
    assert pools.sign_in(client, "jane", OTHER)

    administration.user("disable", "jane")
    with pytest.raises(botocore.exceptions.ClientError) as error:
        pools.sign_in(client, "jane", OTHER)
    assert code(error) == "NotAuthorizedException"
    administration.user("enable", "jane")
    administration.run("user-pool", "group", "remove", "editors", "jane", "--pool", pool)
    assert "cognito:groups" not in claims(pools.sign_in(client, "jane", OTHER)["AccessToken"])


def test_an_invitation_of_a_command(pools, administration):
    """A running service sends what a command has put into the outbox."""
    client = administration.client("ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH")
    administration.user("create", "joe", "--email", "joe@example.com", "--message", "email")
    eventually(lambda: any(message["destination"] == "joe@example.com" for message in pools.sent()))
    password = next(message["code"] for message in pools.sent() if message["destination"] == "joe@example.com")
    asked = pools.public.initiate_auth(
        ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "joe", "PASSWORD": password})
    assert asked["ChallengeName"] == "NEW_PASSWORD_REQUIRED"
    administration.user("set-password", "joe", "--password-file", "-", input=PASSWORD)
    administration.user("reset-password", "joe")
    eventually(lambda: sum(message["destination"] == "joe@example.com" for message in pools.sent()) == 2)


def test_what_an_update_keeps(pools, administration):
    """boto3 sees all settings of a pool after each option of an update was used."""
    settings = {
        "LambdaConfig": {"PostConfirmation": "arn:aws:lambda:us-east-1:123456789012:function:f"},
        "AccountRecoverySetting": {"RecoveryMechanisms": [{"Priority": 1, "Name": "verified_email"}]},
        "AdminCreateUserConfig": {"AllowAdminCreateUserOnly": True, "InviteMessageTemplate": {"SMSMessage": "{username} {####}"}},
        "UserAttributeUpdateSettings": {"AttributesRequireVerificationBeforeUpdate": ["email"]},
        "UserPoolTags": {"a": "1"}, "SmsVerificationMessage": "Use {####}", "EmailVerificationSubject": "Code",
        "DeviceConfiguration": {"ChallengeRequiredOnNewDevice": True, "DeviceOnlyRememberedOnUserPrompt": True}}
    pool = pools.pool(
        AutoVerifiedAttributes=["email"], Schema=[{"Name": "team", "AttributeDataType": "String"}],
        UsernameConfiguration={"CaseSensitive": False}, SmsConfiguration={"SnsCallerArn": "arn:aws:iam::123456789012:role/sms"},
        **settings)
    pools.admin.set_user_pool_mfa_config(
        UserPoolId=pool, MfaConfiguration="OPTIONAL", SoftwareTokenMfaConfiguration={"Enabled": True},
        EmailMfaConfiguration={"Message": "Use {####}", "Subject": "Code"})

    def described():
        shown = pools.admin.describe_user_pool(UserPoolId=pool)["UserPool"]
        factors = pools.admin.get_user_pool_mfa_config(UserPoolId=pool)
        del shown["LastModifiedDate"], factors["ResponseMetadata"]
        return shown, factors

    shown, factors = described()
    update = ("user-pool", "update", pool)
    assert administration.run(*update, "--password-length", "14") == "Policies.PasswordPolicy.MinimumLength: 8 -> 14\n"
    shown["Policies"]["PasswordPolicy"]["MinimumLength"] = 14
    assert described() == (shown, factors)
    administration.run(*update, "--tag", "b=2", "--name", "users")
    shown["UserPoolTags"]["b"], shown["Name"] = "2", "users"
    assert described() == (shown, factors)
    administration.run(*update, "--mfa", "required")
    shown["MfaConfiguration"] = factors["MfaConfiguration"] = "ON"
    assert described() == (shown, factors)
    administration.run(*update, "--deletion-protection")
    shown["DeletionProtection"] = "ACTIVE"
    assert described() == (shown, factors)


def typed(command, lines):
    """Runs a command on a terminal on which a person types lines. Returns what the terminal showed, and the status."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    kept = os.dup(theirs)
    process = subprocess.Popen(
        command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, text=True, start_new_session=True)
    os.close(theirs)
    shown = b""
    for prompt, line in lines:
        while prompt not in shown:
            shown += os.read(ours, 1_024)
        os.write(ours, line)
    output, _ = process.communicate(timeout=LIMIT)
    # The command switches echo off, and leaves the terminal as it was.
    assert termios.tcgetattr(kept) == before
    os.close(kept)
    try:
        while part := os.read(ours, 1_024):
            shown += part
    except OSError:
        pass
    os.close(ours)
    return shown.decode(), output, process.returncode


def test_a_password_from_a_terminal(pools, administration):
    """The command asks twice, shows nothing of it, and Ctrl-C ends it with the terminal as it was."""
    command = [
        str(PROGRAM), "user-pool", "user", "create", "jane", "--pool", administration.pool, *map(str, pools.service.place)]
    first, second = b"Password for jane: ", b"The same password again: "
    given, other = PASSWORD.encode() + b"\n", OTHER.encode() + b"\n"

    shown, output, status = typed(command, [(first, given), (second, other)])
    assert status == 2 and output == "" and "the two passwords differ [options_wrong]" in shown
    shown, output, status = typed(command, [(first, b"\x03\n")])
    assert status == 2 and "no password was given [options_wrong]" in shown
    shown, output, status = typed(command, [(first, given), (second, given)])
    assert (status, output) == (0, "jane\n") and PASSWORD not in shown
    client = administration.client("ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH")
    assert pools.sign_in(client, "jane", PASSWORD)


def test_a_token_of_a_command(pools, administration):
    """The token of `pool token` is for an identity that the running service knows, the same one for each token."""
    pool = administration.run("pool", "create", "app", "--developer-provider", "login.my.app").strip()
    words = ("pool", "token", pool, "--login", "login.my.app=jane")
    identity, token = administration.run(*words).split()
    assert claims(token)["sub"] == identity and claims(token)["aud"] == pool
    found = pools.service.client().get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={"login.my.app": "jane"})
    assert found["IdentityId"] == identity == json.loads(administration.run(*words, "--json"))["IdentityId"]


def test_updates_at_the_same_time(pools, administration):
    """Each changes what it names: none takes back what another one has changed meanwhile."""
    pool, client = pools.pool(), None
    client = administration.run("user-pool", "client", "create", "web", "--pool", pool, "--flow", "ALLOW_USER_PASSWORD_AUTH").strip()
    identities = administration.run("pool", "create", "app", "--allow-guests").strip()
    updates = [
        ("user-pool", "update", pool, "--mfa", "required"),
        ("user-pool", "client", "update", client, "--pool", pool, "--flow", "ALLOW_USER_SRP_AUTH"),
        ("pool", "update", identities, "--no-allow-guests")]
    updates += [("user-pool", "update", pool, "--tag", f"t{number}=1") for number in range(4)]
    updates += [("user-pool", "client", "update", client, "--pool", pool, "--name", f"web{number}") for number in range(2)]
    updates += [("pool", "update", identities, "--tag", f"t{number}=1") for number in range(3)]
    with concurrent.futures.ThreadPoolExecutor(len(updates)) as threads:
        list(threads.map(lambda update: administration.run(*update), updates))
    shown = pools.admin.describe_user_pool(UserPoolId=pool)["UserPool"]
    assert shown["MfaConfiguration"] == "ON" and shown["UserPoolTags"] == {f"t{number}": "1" for number in range(4)}
    settings = pools.admin.describe_user_pool_client(UserPoolId=pool, ClientId=client)["UserPoolClient"]
    assert settings["ExplicitAuthFlows"] == ["ALLOW_USER_SRP_AUTH"] and settings["ClientName"] in ("web0", "web1")
    found = json.loads(administration.run("pool", "show", identities, "--json"))
    assert found["AllowUnauthenticatedIdentities"] is False and found["IdentityPoolTags"] == {f"t{number}": "1" for number in range(3)}
