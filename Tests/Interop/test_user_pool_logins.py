"""User pools and identity pools of one process: an ID token is a login without the network, for as long as the pool's
settings say."""
import base64
import json
import secrets

import pytest
import requests
from botocore.exceptions import ClientError

from identity_support import REGION, make_pool
from user_pool_support import PASSWORD, UserPools, code
from waiting import LIMIT


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


class Place:
    """A user pool with two clients, another user pool, and identity pools that do and do not check sign-ins."""

    def __init__(self, folder):
        self.pools = UserPools(folder, "--rate", 0)
        self.user_pool = self.pools.pool(AutoVerifiedAttributes=["email"])
        self.client, self.stranger = self.pools.client(self.user_pool), self.pools.client(self.user_pool)
        self.other_pool = self.pools.pool()
        self.other_client = self.pools.client(self.other_pool)
        self.provider = self.login(self.user_pool)
        # Both have one role, whose trust policy names the later pool.
        self.plain, self.checking = (self.identity_pool(folder, checks) for checks in (False, True))
        self.public = self.pools.service.unsigned()

    @staticmethod
    def login(user_pool):
        return f"cognito-idp.{REGION}.amazonaws.com/{user_pool}"

    def identity_pool(self, folder, checks):
        return make_pool(self.pools.service, folder, CognitoIdentityProviders=[
            {"ProviderName": self.provider, "ClientId": self.client, "ServerSideTokenCheck": checks}])

    def sign_up(self):
        name = "user-" + secrets.token_hex(6)
        self.pools.public.sign_up(
            ClientId=self.client, Username=name, Password=PASSWORD, UserAttributes=[{"Name": "email", "Value": f"{name}@example.com"}])
        self.pools.public.confirm_sign_up(
            ClientId=self.client, Username=name, ConfirmationCode=self.pools.code(f"{name}@example.com"))
        return name

    def identity(self, token, pool=None, login=None):
        return self.public.get_id(IdentityPoolId=pool or self.checking, Logins={login or self.provider: token})["IdentityId"]

    def refusals(self, token, identity=None, pool=None, login=None):
        """The errors of all operations that take a login."""
        logins = {login or self.provider: token}
        calls = [lambda: self.public.get_id(IdentityPoolId=pool or self.checking, Logins=logins)]
        if identity:
            calls += [
                lambda: self.public.get_credentials_for_identity(IdentityId=identity, Logins=logins),
                lambda: self.public.get_open_id_token(IdentityId=identity, Logins=logins)]
        found = set()
        for call in calls:
            with pytest.raises(ClientError) as refused:
                call()
            found.add(code(refused))
        return found


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    made = Place(tmp_path_factory.mktemp("logins"))
    yield made
    assert made.pools.stop() == 0


def test_an_id_token_is_a_login(place):
    name = place.sign_up()
    tokens = place.pools.sign_in(place.client, name)
    identity = place.identity(tokens["IdToken"])
    logins = {place.provider: tokens["IdToken"]}
    credentials = place.public.get_credentials_for_identity(IdentityId=identity, Logins=logins)["Credentials"]
    assert credentials["AccessKeyId"] and credentials["SecretKey"] and credentials["SessionToken"]
    token = claims(place.public.get_open_id_token(IdentityId=identity, Logins=logins)["Token"])
    assert token["sub"] == identity and token["aud"] == place.checking
    assert token["amr"][:2] == ["authenticated", place.provider]
    assert token["amr"][2].endswith(":" + claims(tokens["IdToken"])["sub"])
    # The identity is the user's, whatever token of whichever sign-in.
    refreshed = place.pools.public.initiate_auth(
        ClientId=place.client, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["RefreshToken"]})["AuthenticationResult"]
    for token in (refreshed["IdToken"], place.pools.sign_in(place.client, name)["IdToken"]):
        assert place.identity(token) == identity
    assert place.identity(place.pools.sign_in(place.client, place.sign_up())["IdToken"]) != identity
    assert place.identity(tokens["IdToken"], pool=place.plain) != identity


def test_a_pool_has_one_of_two_issuers(place):
    """`IssuerConfiguration` of botocore 1.43. A change takes back no token."""
    pools, name = place.pools, "switched"
    pool = pools.pool(IssuerConfiguration={"Type": "UPDATED"})
    client = pools.client(pool)
    pools.user(pool, name)
    identity_pool = place.pools.service.client().create_identity_pool(
        IdentityPoolName="switched", AllowUnauthenticatedIdentities=False,
        CognitoIdentityProviders=[{"ProviderName": place.login(pool), "ClientId": client, "ServerSideTokenCheck": True}])["IdentityPoolId"]
    all_tokens, identities = [], set()
    for form, host in (("UPDATED", "issuer-cognito-idp"), ("ORIGINAL", "cognito-idp")):
        pools.admin.update_user_pool(UserPoolId=pool, IssuerConfiguration={"Type": form})
        assert pools.admin.describe_user_pool(UserPoolId=pool)["UserPool"]["IssuerConfiguration"] == {"Type": form}
        all_tokens.append(pools.sign_in(client, name))
        issuer = f"https://{host}.{REGION}.amazonaws.com/{pool}"
        assert {claims(all_tokens[-1][kind])["iss"] for kind in ("IdToken", "AccessToken")} == {issuer}
        assert requests.get(f"{pools.url}/{pool}/.well-known/openid-configuration", timeout=LIMIT).json()["issuer"] == issuer
        for tokens in all_tokens:
            assert pools.public.get_user(AccessToken=tokens["AccessToken"])["Username"] == name
            identities.add(place.identity(tokens["IdToken"], pool=identity_pool, login=place.login(pool)))
    assert len(identities) == 1


# How a sign-in ends, whether the user may sign in again, and what allows it.
ENDS = {
    "GlobalSignOut": lambda place, name, tokens: place.pools.public.global_sign_out(AccessToken=tokens["AccessToken"]),
    "RevokeToken": lambda place, name, tokens: place.pools.public.revoke_token(ClientId=place.client, Token=tokens["RefreshToken"]),
    "AdminUserGlobalSignOut": lambda place, name, tokens: place.pools.admin.admin_user_global_sign_out(UserPoolId=place.user_pool, Username=name),
    "AdminDisableUser": lambda place, name, tokens: place.pools.admin.admin_disable_user(UserPoolId=place.user_pool, Username=name),
    "AdminDeleteUser": lambda place, name, tokens: place.pools.admin.admin_delete_user(UserPoolId=place.user_pool, Username=name),
    "DeleteUser": lambda place, name, tokens: place.pools.public.delete_user(AccessToken=tokens["AccessToken"]),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_ended_sign_in_is_refused_where_it_is_checked(place, end):
    name = place.sign_up()
    tokens = place.pools.sign_in(place.client, name)
    identity = place.identity(tokens["IdToken"])
    unchecked = place.identity(tokens["IdToken"], pool=place.plain)
    ENDS[end](place, name, tokens)
    assert place.refusals(tokens["IdToken"], identity) == {"NotAuthorizedException"}
    # Without the check a token is a login until it expires.
    assert place.identity(tokens["IdToken"], pool=place.plain) == unchecked
    if end == "AdminDisableUser":
        place.pools.admin.admin_enable_user(UserPoolId=place.user_pool, Username=name)
        assert place.refusals(tokens["IdToken"], identity) == {"NotAuthorizedException"}
    if end in ("AdminDeleteUser", "DeleteUser"):
        # The name's next owner is somebody else.
        place.pools.user(place.user_pool, name)
        assert place.identity(place.pools.sign_in(place.client, name)["IdToken"]) != identity
        assert place.refusals(tokens["IdToken"], identity) == {"NotAuthorizedException"}
    else:
        assert place.identity(place.pools.sign_in(place.client, name)["IdToken"]) == identity


def test_other_tokens_are_refused(place):
    name = place.sign_up()
    tokens = place.pools.sign_in(place.client, name)
    identity = place.identity(tokens["IdToken"])
    stranger = place.pools.sign_in(place.stranger, name)["IdToken"]
    other = place.pools.sign_in(place.other_client, place.pools.user(place.other_pool))["IdToken"]
    head, body, signature = tokens["IdToken"].split(".")
    changed = ".".join((head, body, ("A" if signature[0] != "A" else "B") + signature[1:]))
    for pool in (place.checking, place.plain):
        for token in (tokens["AccessToken"], tokens["RefreshToken"], stranger, other, changed):
            assert place.refusals(token, pool=pool) == {"NotAuthorizedException"}, token
        # A user pool that the identity pool does not name.
        assert len(place.refusals(other, pool=pool, login=place.login(place.other_pool))) == 1
    # Nor do they get what an identity has.
    for token in (tokens["AccessToken"], stranger, other, changed):
        assert place.refusals(token, identity) == {"NotAuthorizedException"}
    assert place.identity(tokens["IdToken"]) == identity


def test_a_deleted_user_pool_is_not_trusted(tmp_path):
    place = Place(tmp_path)
    try:
        tokens = place.pools.sign_in(place.client, place.sign_up())
        identities = {pool: place.identity(tokens["IdToken"], pool=pool) for pool in (place.checking, place.plain)}
        place.pools.admin.delete_user_pool(UserPoolId=place.user_pool)
        for pool, identity in identities.items():
            assert place.refusals(tokens["IdToken"], identity, pool=pool) <= {"NotAuthorizedException"}
    finally:
        assert place.pools.stop() == 0
