"""A third implementation of the clients of identity pools and STS: the AWS SDK for Go."""
import os
import pathlib
import subprocess
import time

import jwt
import pytest

from identity_support import DEVELOPER, DEVELOPER_TOKEN, FACEBOOK, GOOGLE, GUEST_ROLE, REGION, ROLE, Providers, Service, make_pool
from programs import ROOT, Lines

BUILD = ROOT / ".build/go"


@pytest.fixture(scope="module")
def program():
    # Debian has the SDK as sources in this folder: nothing is fetched. Without Go and the SDK the tests fail.
    environment = {
        **os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(BUILD / "cache"), "GOFLAGS": "-ldflags=-s"}
    source = pathlib.Path(__file__).with_name("GoClient") / "main.go"
    done = subprocess.run(["go", "build", "-o", BUILD / "identity-client", source], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return BUILD / "identity-client"


class Go(Lines):
    """The client of the SDK."""

    def __init__(self, program, service):
        # No settings and credentials of the user who runs the tests.
        environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "NO_PROXY": "*"}
        super().__init__([program, service.url, REGION], env=environment)


class Place:
    """A service with a pool, and the SDKs for Go and Python beside each other."""

    def __init__(self, program, folder):
        self.service = Service(folder / "data")
        self.providers = Providers(folder)
        self.providers.register(self.service)
        self.pool = make_pool(self.service, folder)
        self.go = Go(program, self.service)
        self.key = [*self.service.key, ""]
        self.device = self.service.unsigned()

    def caller(self, key):
        """Who signs with a key, as both SDKs are told."""
        found = self.go.do("caller", key=key)
        theirs = self.service.client("sts", key=key[:2], token=key[2]).get_caller_identity()
        assert found == {name: theirs[name] for name in ("Account", "Arn", "UserId")}
        return found["Arn"]


@pytest.fixture(scope="module")
def place(program, tmp_path_factory):
    place = Place(program, tmp_path_factory.mktemp("go"))
    yield place
    place.go.close()
    assert place.service.stop() == 0


def assumed(role):
    return role.replace(":iam:", ":sts:").replace(":role/", ":assumed-role/") + "/"


def test_guests(place):
    guest = place.go.do("id", pool=place.pool)["identity"]
    assert place.service.client().describe_identity(IdentityId=guest)["IdentityId"] == guest
    found = place.go.do("credentials", identity=guest)
    assert found["identity"] == guest and place.caller(found["key"]).startswith(assumed(GUEST_ROLE))
    theirs = place.device.get_credentials_for_identity(IdentityId=guest)["Credentials"]["Expiration"]
    assert abs(found["expiration"] - theirs.timestamp()) < 60


@pytest.mark.parametrize("provider", [GOOGLE, FACEBOOK])
def test_users(place, provider):
    login = {provider: place.providers.token(provider, "jane")}
    user = place.go.do("id", pool=place.pool, logins=login)["identity"]
    assert place.device.get_id(IdentityPoolId=place.pool, Logins=login)["IdentityId"] == user
    found = place.go.do("credentials", identity=user, logins=login)
    assert place.caller(found["key"]).startswith(assumed(ROLE))


def test_the_basic_flow(place):
    login = {GOOGLE: place.providers.token(GOOGLE, "sam")}
    user = place.go.do("id", pool=place.pool, logins=login)["identity"]
    found = place.go.do("token", identity=user, logins=login)
    assert found["identity"] == user and jwt.decode(found["token"], options={"verify_signature": False})["sub"] == user
    before = int(time.time())
    made = place.go.do("role", role=ROLE, token=found["token"], duration=1800)
    after = time.time()
    assert before + 1800 <= made["expiration"] <= after + 1801
    assert place.caller(made["key"]) == assumed(ROLE) + "go"


def test_users_of_a_developer(place):
    found = place.go.do("developer token", pool=place.pool, logins={DEVELOPER: "kim"}, duration=1200, key=place.key)
    theirs = place.service.client().get_open_id_token_for_developer_identity(IdentityPoolId=place.pool, Logins={DEVELOPER: "kim"})
    assert found["identity"] == theirs["IdentityId"]
    claims = jwt.decode(found["token"], options={"verify_signature": False})
    assert claims["exp"] - claims["iat"] == 1200
    made = place.go.do("credentials", identity=found["identity"], logins={DEVELOPER_TOKEN: found["token"]})
    assert place.caller(made["key"]).startswith(assumed(ROLE))


def test_a_description(place):
    found = place.go.do("describe", pool=place.pool, key=place.key)
    theirs = place.service.client().describe_identity_pool(IdentityPoolId=place.pool)
    del theirs["ResponseMetadata"]
    assert {name: value for name, value in found.items() if value is not None} == theirs


def test_refusals_have_the_types_of_the_model(place):
    login = {GOOGLE: place.providers.token(GOOGLE, "jane")}
    user = place.go.do("id", pool=place.pool, logins=login)["identity"]
    unknown = REGION + ":00000000-0000-4000-8000-000000000000"
    for code, op, question in [
        ("NotAuthorizedException", "credentials", dict(identity=user)),
        ("NotAuthorizedException", "id", dict(pool=place.pool, logins={GOOGLE: "a.b.c"})),
        ("ResourceNotFoundException", "id", dict(pool=unknown)),
        ("ResourceNotFoundException", "credentials", dict(identity=unknown)),
    ]:
        answer = place.go.ask(op, **question)
        assert answer.get("code") == code and answer["type"] == "*cognitoidentity." + code, (op, answer)
    # Another secret for the service's key, and a malformed token.
    answer = place.go.ask("describe", pool=place.pool, key=[place.key[0], "x" * 40, ""])
    assert answer.get("code") == "InvalidSignatureException", answer
    answer = place.go.ask("role", role=ROLE, token="a.b.c", duration=900)
    assert answer.get("code") == "WebIdentityErr" and answer["cause"] == "InvalidIdentityToken", answer
