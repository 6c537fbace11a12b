"""Blocks of guides that no other test runs, as they stand there."""
import os
import re
import subprocess

import boto3
import botocore.exceptions
import pytest

from identity_support import DEVELOPER, DEVELOPER_TOKEN, FACEBOOK, GOOGLE, ROLE, Providers, Service, make_pool, trust
from programs import IDENTITY_SERVICE, ROOT
from user_pool_peers import OwnIssuer, Pool
from waiting import LIMIT


def blocks(page, section, language):
    """The blocks of a section in a language."""
    text = (ROOT / "docs" / page).read_text()
    begin = text.index(f"\n{section}\n")
    level = section.split(" ")[0]
    end = re.search(rf"^#{{2,{len(level)}}} ", text[begin + len(section) + 2:], re.MULTILINE)
    text = text[begin:begin + len(section) + 2 + end.start()] if end else text[begin:]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shell(script, folder, **variables):
    """What a script prints."""
    environment = {**os.environ, "PATH": f"{IDENTITY_SERVICE.parent}:{os.environ['PATH']}", **variables}
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("guides")


@pytest.fixture(scope="module")
def service(folder):
    service = Service(folder / "data", "--rate", 0)
    yield service
    assert service.stop() == 0


@pytest.fixture(autouse=True)
def session(monkeypatch):
    """boto3's session of the program, which has the first credentials that it found."""
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)


@pytest.fixture
def keys(service, monkeypatch):
    """An access key in the environment, as the guides have it."""
    for name, value in zip(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), service.key):
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("keys")
class TestOwnUsers:
    def test_a_pool_of_several_kinds_of_users(self, service, folder):
        [script] = blocks("own-users.md", "## Several kinds of users in one app", "bash")
        pool = shell(script + 'echo "$pool"', folder).strip()
        made = service.client().describe_identity_pool(IdentityPoolId=pool)
        assert made["SupportedLoginProviders"] == {
            "graph.facebook.com": "1234567890", "accounts.google.com": "1234.apps.googleusercontent.com",
            "www.amazon.com": "amzn1.application-oa2-client.1234", "appleid.apple.com": "com.example.app"}
        assert made["AllowUnauthenticatedIdentities"] and made["DeveloperProviderName"] == DEVELOPER
        assert set(service.client().get_identity_pool_roles(IdentityPoolId=pool)["Roles"]) == {"authenticated", "unauthenticated"}
        # A login of Google's client of the pool; one of another client and an unnamed provider are refused.
        providers = Providers(folder)
        providers.register(service)
        device = service.unsigned()
        token = providers.token("accounts.google.com", "jane", aud="1234.apps.googleusercontent.com")
        assert device.get_id(IdentityPoolId=pool, Logins={"accounts.google.com": token})["IdentityId"]
        for name, refused in (
                ("accounts.google.com", providers.token("accounts.google.com", "jane", aud="another")),
                ("login.example.com", token)):
            with pytest.raises(botocore.exceptions.ClientError) as error:
                device.get_id(IdentityPoolId=pool, Logins={name: refused})
            assert error.value.response["Error"]["Code"] == "NotAuthorizedException"

    def test_logins_of_one_identity(self, service, folder):
        """What the guide says of clearCredentials and clearIdentity, as the service sees it."""
        pool = make_pool(service, folder)
        providers, device = Providers(folder), service.unsigned()
        providers.register(service)

        def google(user):
            return {GOOGLE: providers.token(GOOGLE, user)}

        def signed_in(identity, logins):
            return device.get_credentials_for_identity(IdentityId=identity, Logins=logins)["IdentityId"]
        guest = device.get_id(IdentityPoolId=pool)["IdentityId"]
        assert signed_in(guest, google("jane")) == guest == device.get_id(IdentityPoolId=pool, Logins=google("jane"))["IdentityId"]
        # Another guest who signs in as the same user: both are one identity afterwards.
        other = device.get_id(IdentityPoolId=pool)["IdentityId"]
        assert signed_in(other, google("jane")) == device.get_id(IdentityPoolId=pool, Logins=google("jane"))["IdentityId"]
        # A second provider is linked; another user of the first one is refused.
        kept = device.get_id(IdentityPoolId=pool, Logins=google("jane"))["IdentityId"]
        both = google("jane") | {FACEBOOK: providers.token(FACEBOOK, "jane")}
        assert signed_in(kept, both) == kept == device.get_id(IdentityPoolId=pool, Logins={FACEBOOK: both[FACEBOOK]})["IdentityId"]
        with pytest.raises(botocore.exceptions.ClientError) as error:
            signed_in(kept, google("joe") | {FACEBOOK: both[FACEBOOK]})
        assert error.value.response["Error"]["Code"] == "ResourceConflictException"
        # With the other login alone: the identity is not the caller's, and a provider of the client asks for another one.
        with pytest.raises(botocore.exceptions.ClientError) as error:
            signed_in(kept, google("joe"))
        assert error.value.response["Error"]["Code"] == "NotAuthorizedException"

    def test_a_developer_provider_for_a_pool_that_exists(self, service):
        made = service.client().create_identity_pool(
            IdentityPoolName="app", AllowUnauthenticatedIdentities=True, SupportedLoginProviders={"graph.facebook.com": "12345"})
        del made["ResponseMetadata"]
        names = {"address": service.url, "pool": made["IdentityPoolId"]}
        [program] = blocks("own-users.md", "### A pool that exists already", "python")
        exec(program, names)
        changed = service.client().describe_identity_pool(IdentityPoolId=made["IdentityPoolId"])
        del changed["ResponseMetadata"]
        assert changed == {**made, "DeveloperProviderName": DEVELOPER}
        with pytest.raises(botocore.exceptions.ClientError) as error:
            exec(program.replace(DEVELOPER, "login.other.app"), names)
        assert error.value.response["Error"]["Code"] == "InvalidParameterException"

    def test_the_basic_flow(self, service, folder):
        [script] = blocks("own-users.md", "## The basic flow in a program", "bash")
        pool = shell(script + 'echo "$classic"', folder).strip()
        (folder / "trust.json").write_text(trust(pool, "authenticated"))
        service.command("role", "put", ROLE, "--trust-policy", folder / "trust.json")
        token = service.client().get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "jane"})["Token"]
        names = {"address": service.url, "token": token}
        [program] = blocks("own-users.md", "## The basic flow in a program", "python")
        exec(program, names)
        assert names["credentials"]["AccessKeyId"].startswith("ASIA")
        other = service.command("pool", "create", "other", "--developer-provider", DEVELOPER).strip()
        issued = service.client().get_open_id_token_for_developer_identity(IdentityPoolId=other, Logins={DEVELOPER: "jane"})
        with pytest.raises(botocore.exceptions.ClientError) as error:
            exec(program, {**names, "token": issued["Token"]})
        assert error.value.response["Error"]["Code"] == "AccessDenied"
        # The enhanced flow of the same token, for comparison: the pool has no role.
        with pytest.raises(botocore.exceptions.ClientError) as error:
            service.unsigned().get_credentials_for_identity(IdentityId=issued["IdentityId"], Logins={DEVELOPER_TOKEN: issued["Token"]})
        assert error.value.response["Error"]["Code"] == "InvalidIdentityPoolConfigurationException"


class TestUserPools:
    def test_boto3_and_pycognito(self, tmp_path, monkeypatch, capsys):
        """The program of the guide. The commands before it make a pool as the test does."""
        pools = OwnIssuer(tmp_path)
        try:
            pool = Pool(pools)
            pools.admin.set_user_pool_mfa_config(
                UserPoolId=pool.id, MfaConfiguration="OPTIONAL", SoftwareTokenMfaConfiguration={"Enabled": True})
            for name, value in {
                    "POOL": pool.id, "CLIENT": pool.client_id, "AWS_DEFAULT_REGION": "us-east-1",
                    "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER": pools.url, "AWS_ACCESS_KEY_ID": pools.service.key[0],
                    "AWS_SECRET_ACCESS_KEY": pools.service.key[1]}.items():
                monkeypatch.setenv(name, value)
            program, function = blocks("user-pools.md", "## With boto3 and pycognito", "python")
            names = {}
            exec(program, names)
            name, token = capsys.readouterr().out.split()
            assert name == "joe" and token.count(".") == 2
            called = pools.called()
            assert called["RespondToAuthChallenge", "ok"] == 3 and called["VerifySoftwareToken", "ok"] == 1
            exec(function, names)
            pools.admin.admin_create_user(UserPoolId=pool.id, Username="ann", MessageAction="SUPPRESS")
            pools.admin.admin_set_user_password(UserPoolId=pool.id, Username="ann", Password="Correct-horse-9", Permanent=True)
            assert names["sign_in"]("ann", "Correct-horse-9", None)["IdToken"].count(".") == 2
            codes = iter(["000000"])
            with pytest.raises(botocore.exceptions.ClientError, match="CodeMismatch"):
                names["sign_in"]("joe", "Correct-horse-9", lambda: next(codes))
        finally:
            assert pools.stop() == 0
