"""The client of user pools against identity-service over HTTP: sign-ins with every kind of step, devices, sessions, identity pools."""
import os
import stat
import time

import jwt
import pyotp
import pytest
from moto.server import ThreadedMotoServer

import aws_clients
from identity_support import REGION, make_pool
from user_pool_peer import UserPoolPeer
from user_pool_peers import NEW_PASSWORD, OwnIssuer, Pool, email, phone
from user_pool_support import FLOWS, PASSWORD, UserPools


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = OwnIssuer(tmp_path_factory.mktemp("client-sign-in"))
    yield service
    assert service.stop() == 0


@pytest.fixture(params=[False, True], ids=["public client", "client with secret"])
def secret(request):
    return request.param


@pytest.fixture
def peer():
    peer = UserPoolPeer()
    yield peer
    peer.close()


def configure(peer, pool, store=None, **more):
    if pool.secret:
        more["client_secret"] = pool.secret
    if store:
        more["store"] = str(store)
    answer = peer.do("configure", endpoint=pool.pools.url, pool=pool.id, client=pool.client_id, **more)
    assert answer["issuer"] == f"{pool.pools.url}/{pool.id}"


def signed_in(peer):
    """The end of a sign-in: the tokens are verified and kept."""
    kept = peer.do("answer")
    assert kept["step"] == "kept", kept
    assert jwt.decode(kept["access"], options={"verify_signature": False})["sub"] == kept["sub"]
    return kept


def sign_in(peer, name, password=PASSWORD, **options):
    """A sign-in with a password, to the step after it."""
    assert peer.do("sign_in", username=name, **options)["step"] == "password"
    return peer.do("answer", password=password)


@pytest.mark.parametrize("flow", ["srp", "password"])
def test_password(service, peer, secret, flow):
    pool = Pool(service, secret, AliasAttributes=["email"])
    address = email()
    name = pool.add_user("jane", email=address, email_verified="true")
    configure(peer, pool)
    for typed in (name, address):
        again = sign_in(peer, typed, "Wrong-horse-1", flow=flow)
        # A wrong password gives the step back.
        assert again["step"] == "password" and again["type"] == "NotAuthorizedException"
        assert peer.do("answer", password=PASSWORD)["step"] == "done"
        assert signed_in(peer)["username"] == "jane"
        assert peer.do("names") == {"current": "jane", "last": typed}
    assert peer.ask("answer", password=PASSWORD) == {"error": "order"}


def test_new_password(service, peer, secret):
    pool = Pool(service, secret, Schema=[{"Name": "name", "Required": True, "Mutable": True}])
    pool.admin.admin_create_user(UserPoolId=pool.id, Username="jane", TemporaryPassword=PASSWORD, MessageAction="SUPPRESS")
    configure(peer, pool)
    waiting = sign_in(peer, "jane")
    assert waiting["step"] == "new_password" and waiting["required"] == ["name"]
    for answer in (dict(password="short", attributes={"name": "Jane"}), dict(password=NEW_PASSWORD)):
        again = peer.do("answer", **answer)
        assert again["step"] == "new_password" and again["type"] in ("InvalidPasswordException", "InvalidParameterException"), again
    assert peer.do("answer", password=NEW_PASSWORD, attributes={"name": "Jane"})["step"] == "done"
    access = signed_in(peer)["access"]
    assert peer.do("user", token=access)["attributes"]["name"] == "Jane"


def test_set_up_of_a_software_token(service, peer, secret):
    pool = Pool(service, secret)
    pool.factors("ON")
    pool.add_user("jane")
    configure(peer, pool)
    assert "SOFTWARE_TOKEN_MFA" in sign_in(peer, "jane")["available"]
    waiting = peer.do("answer")
    assert waiting["step"] == "set_up_software_token"
    token, now = pyotp.TOTP(waiting["secret"]), time.time()
    wrong = f"{(int(token.at(now)) + 1) % 1_000_000:06}"
    again = peer.do("answer", code=wrong)
    assert again["step"] == "set_up_software_token" and again["secret"] == waiting["secret"]
    assert again["type"] == "EnableSoftwareTokenMFAException"
    assert peer.do("answer", code=token.at(now), name="a phone")["step"] == "done"
    signed_in(peer)
    assert sign_in(peer, "jane") == {"step": "software_token", "name": "a phone"}
    again = peer.do("answer", code=token.at(now))
    assert again["step"] == "software_token" and again["type"] == "ExpiredCodeException"
    assert peer.do("answer", code=token.at(now + 30))["step"] == "done"
    signed_in(peer)


def test_choice_and_code_by_sms(service, peer, secret):
    pool = Pool(service, secret)
    pool.factors()
    number = phone()
    pool.add_user("jane", phone_number=number, phone_number_verified="true")
    configure(peer, pool)
    sign_in(peer, "jane")
    access = signed_in(peer)["access"]
    token, now = pyotp.TOTP(peer.do("associate", token=access)["secret"]), time.time()
    peer.do("verify_token", token=access, code=token.at(now))
    peer.do("mfa", token=access, sms="on", software_token="on")
    assert sorted(sign_in(peer, "jane")["available"]) == ["SMS_MFA", "SOFTWARE_TOKEN_MFA"]
    waiting = peer.do("answer", factor="SMS_MFA")
    assert waiting["step"] == "sms" and waiting["delivery"]["destination"] == "+*******" + number[-4:]
    code = service.code(number)
    again = peer.do("answer", code=f"{(int(code) + 1) % 1_000_000:06}")
    assert again["step"] == "sms" and again["type"] == "CodeMismatchException"
    assert peer.do("answer", code=code)["step"] == "done"
    signed_in(peer)


def test_remembered_device(service, peer, secret, tmp_path):
    """The device replaces the second factor, in a later run of the program too, until the pool forgets it."""
    pool = Pool(service, secret, DeviceConfiguration={"ChallengeRequiredOnNewDevice": True, "DeviceOnlyRememberedOnUserPrompt": False})
    pool.factors()
    pool.add_user("jane")
    store = tmp_path / "sessions.json"
    configure(peer, pool, store)
    key = sign_in(peer, "jane", device_name="laptop")["device"]
    access = signed_in(peer)["access"]
    assert peer.do("device_key", username="jane")["key"] == key
    assert peer.do("device", token=access, device=key) == {"key": key, "name": "laptop"}
    token, now = pyotp.TOTP(peer.do("associate", token=access)["secret"]), time.time()
    peer.do("verify_token", token=access, code=token.at(now))
    peer.do("mfa", token=access, software_token="preferred")

    other = UserPoolPeer()
    configure(other, pool, store)
    assert sign_in(other, "jane") == {"step": "done", "device": key}
    access = signed_in(other)["access"]
    assert jwt.decode(access, options={"verify_signature": False})["device_key"] == key
    assert other.do("devices", token=access)["devices"] == [key]
    # Refresh tokens belong to the device.
    soon = int(time.time()) + 3_590
    assert other.do("tokens", now=soon)["access"] != [access]
    # "Device does not exist.": the sign-in starts over without it, with the second factor.
    other.do("forget_device", token=access, device=key)
    assert sign_in(other, "jane")["step"] == "software_token"
    second = other.do("answer", code=token.at(now + 30))["device"]
    assert second != key
    signed_in(other)
    assert other.do("device_key", username="jane")["key"] == second
    other.close()


def validity(pool, minutes):
    pool.admin.update_user_pool_client(
        UserPoolId=pool.id, ClientId=pool.client_id, ExplicitAuthFlows=FLOWS, AccessTokenValidity=minutes, IdTokenValidity=minutes,
        TokenValidityUnits={"AccessToken": "minutes", "IdToken": "minutes"})


def refreshes(service):
    return sum(count for (operation, _), count in service.called().items() if operation == "GetTokensFromRefreshToken")


def test_sessions(service, peer, secret, tmp_path):
    pool = Pool(service, secret)
    validity(pool, minutes=5)
    pool.add_user("jane")
    store = tmp_path / "sessions.json"
    configure(peer, pool, store)
    assert peer.ask("tokens")["code"] == "user_pool_client_signed_out"
    sign_in(peer, "jane")
    first = signed_in(peer)
    assert stat.S_IMODE(os.stat(store).st_mode) == 0o600
    assert peer.do("tokens", callers=16) == {"username": "jane", "access": [first["access"]], "id": first["id"]}

    # Another run of the program. Tokens are now issued for an hour, and refreshed ten minutes before they expire.
    other = UserPoolPeer()
    validity(pool, minutes=60)
    configure(other, pool, store, margin=600)
    assert other.do("names") == {"current": "jane", "last": "jane"}
    before = refreshes(service)
    refreshed = other.do("tokens", callers=16)["access"]
    assert len(refreshed) == 1 and refreshed != [first["access"]]
    assert refreshes(service) == before + 1

    # Signing out revokes: nothing of the sign-in is left, here and at the service.
    other.do("sign_out")
    assert other.do("names") == {"current": None, "last": "jane"}
    other.refused("user", "NotAuthorizedException", token=refreshed[0])
    assert other.ask("tokens")["code"] == "user_pool_client_signed_out"
    other.close()


def test_rotated_refresh_tokens(service, peer, tmp_path):
    pool = Pool(service)
    pool.admin.update_user_pool_client(
        UserPoolId=pool.id, ClientId=pool.client_id, ExplicitAuthFlows=["ALLOW_USER_SRP_AUTH"],
        RefreshTokenRotation={"Feature": "ENABLED", "RetryGracePeriodSeconds": 0})
    pool.add_user("jane")
    store = tmp_path / "sessions.json"
    configure(peer, pool, store)
    sign_in(peer, "jane")
    seen = {signed_in(peer)["access"]}
    soon = int(time.time()) + 3_590
    for _ in range(3):
        # Each run has the refresh token that the run before was given.
        [access] = peer.do("tokens", now=soon)["access"]
        assert access not in seen
        seen.add(access)
        configure(peer, pool, store)


def test_sign_out_everywhere_and_revoked_sessions(service, peer):
    pool = Pool(service)
    pool.add_user("jane")
    configure(peer, pool)
    sign_in(peer, "jane")
    access = signed_in(peer)["access"]
    other = UserPoolPeer()
    configure(other, pool)
    sign_in(other, "jane")
    signed_in(other)
    other.do("sign_out_everywhere")
    assert other.do("names") == {"current": None, "last": "jane"}
    peer.refused("user", "NotAuthorizedException", token=access)
    # The session here is dropped when the service refuses the refresh token, and not before.
    assert peer.do("names")["current"] == "jane"
    peer.refused("tokens", "NotAuthorizedException", now=int(time.time()) + 3_700)
    assert peer.do("names") == {"current": None, "last": "jane"}
    other.close()


def test_two_users(service, peer):
    pool = Pool(service)
    for name in ("jane", "john"):
        pool.add_user(name)
    configure(peer, pool)
    for name in ("jane", "john"):
        sign_in(peer, name)
        signed_in(peer)
    assert peer.do("tokens")["username"] == "john" and peer.do("tokens", username="jane")["username"] == "jane"
    peer.do("make_current", username="jane")
    assert peer.do("tokens")["username"] == "jane"
    peer.do("sign_out", username="jane")
    assert peer.do("names") == {"current": None, "last": "jane"}
    assert peer.do("tokens", username="john")["username"] == "john"
    peer.do("forget_user", username="john")
    assert peer.ask("tokens", username="john")["code"] == "user_pool_client_signed_out"


def test_users_who_do_not_exist(service, peer, secret):
    """With existence errors prevented an unknown name looks like a wrong password."""
    pool = Pool(service, secret)
    pool.admin.update_user_pool_client(
        UserPoolId=pool.id, ClientId=pool.client_id, PreventUserExistenceErrors="ENABLED", ExplicitAuthFlows=["ALLOW_USER_SRP_AUTH"])
    configure(peer, pool)
    again = sign_in(peer, "nobody")
    assert again["step"] == "password" and again["type"] == "NotAuthorizedException"
    assert peer.do("forgot", username="nobody")["delivery"]["destination"]


def test_a_guest_becomes_a_user(peer, tmp_path):
    """The full circle: a guest's identity becomes the user's, its credentials sign requests, and signing out clears it."""
    service = UserPools(tmp_path / "service", "--rate", 0)
    try:
        pool = Pool(service)
        for name in ("jane", "john"):
            pool.add_user(name)
        identities = make_pool(service.service, tmp_path, CognitoIdentityProviders=[{
            "ProviderName": f"cognito-idp.{REGION}.amazonaws.com/{pool.id}", "ClientId": pool.client_id, "ServerSideTokenCheck": True}])
        peer.do("configure", endpoint=service.url, pool=pool.id, client=pool.client_id)
        peer.do("identity_pool", id=identities)
        guest = peer.do("caller")
        assert "assumed-role/app-guest/" in guest["body"]
        callers = []
        for name in ("jane", "john"):
            sign_in(peer, name)
            signed_in(peer)
            callers.append(peer.do("caller"))
            assert "assumed-role/app-user/" in callers[-1]["body"]
        jane, john = (caller["identity"] for caller in callers)
        assert jane == guest["identity"] and john != jane
        peer.do("sign_out")
        assert peer.do("cached_identity") == {"identity": None}
        again = peer.do("caller")
        assert "assumed-role/app-guest/" in again["body"] and again["identity"] not in (jane, john)
        # A user gets the same identity again.
        sign_in(peer, "john")
        signed_in(peer)
        assert peer.do("caller")["identity"] == john
    finally:
        service.stop()


def test_moto(peer):
    """Where moto is right: a password that is sent, the steps after it, tokens with their keys, a refresh. Its SRP is made up."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        address = f"http://{host}:{port}"
        admin = aws_clients.client("cognito-idp", region_name=REGION, endpoint_url=address, aws_access_key_id="x", aws_secret_access_key="x")
        pool = admin.create_user_pool(PoolName="p")["UserPool"]["Id"]
        made = admin.create_user_pool_client(
            UserPoolId=pool, ClientName="c", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])["UserPoolClient"]
        admin.admin_create_user(UserPoolId=pool, Username="jane", TemporaryPassword=PASSWORD, MessageAction="SUPPRESS")
        peer.do("configure", endpoint=address, pool=pool, client=made["ClientId"], older=True)
        assert sign_in(peer, "jane", "Wrong-horse-1", flow="password")["type"] == "NotAuthorizedException"
        assert peer.do("answer", password=PASSWORD)["step"] == "new_password"
        assert peer.do("answer", password=NEW_PASSWORD)["step"] == "done"
        access = signed_in(peer)["access"]
        # Its secret is shorter than the service's model allows. It takes any code.
        peer.ask("associate", token=access)
        peer.do("verify_token", token=access, code="123456")
        peer.do("mfa", token=access, software_token="preferred")
        assert sign_in(peer, "jane", NEW_PASSWORD, flow="password")["step"] == "software_token"
        assert peer.do("answer", code="123456")["step"] == "done"
        access = signed_in(peer)["access"]
        [refreshed] = peer.do("tokens", callers=16, now=int(time.time()) + 3_590)["access"]
        assert refreshed != access
        peer.do("sign_out_everywhere")
        assert peer.do("names") == {"current": None, "last": "jane"}
    finally:
        server.stop()
