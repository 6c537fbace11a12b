"""Blocks of guides that no other test runs, as they stand there."""
import json
import os
import re
import subprocess
import sys
import time

import botocore.exceptions
import pyotp
import pytest

from identity_support import DEVELOPER, DEVELOPER_TOKEN, ROLE, Providers, Service, trust
from ports import free_port
from programs import IDENTITY_SERVICE, ROOT, VERIFY_TOKEN
from waiting import LIMIT


def blocks(page, section, language):
    """The blocks of a section in a language."""
    text = (ROOT / "docs" / page).read_text()
    begin = text.index(f"\n{section}\n")
    level = section.split(" ")[0]
    end = re.search(rf"^#{{1,{len(level)}}} ", text[begin + len(section) + 2:], re.MULTILINE)
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
def keys(service, monkeypatch):
    """An access key in the environment, as the guides have it."""
    for name, value in zip(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), service.key):
        monkeypatch.setenv(name, value)


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
