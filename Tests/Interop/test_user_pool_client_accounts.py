"""The account calls of the client of user pools against identity-service, with messages as users read them, and against moto."""
import pyotp
import pytest
from moto.server import ThreadedMotoServer

import aws_clients
from identity_support import REGION
from ports import closed_port
from user_pool_peer import UserPoolPeer
from user_pool_support import PASSWORD, UserPools

NEW = "Another-horse-8"


@pytest.fixture(scope="module")
def pools(tmp_path_factory):
    running = UserPools(tmp_path_factory.mktemp("client"), "--rate", 0)
    yield running
    assert running.stop() == 0


@pytest.fixture
def peer():
    peer = UserPoolPeer()
    yield peer
    peer.close()


def app(pools, peer, secret=False, **settings):
    """A pool with an app client, for which the program is configured."""
    settings = {"AutoVerifiedAttributes": ["email", "phone_number"], **settings}
    pool = pools.pool(**settings)
    made = pools.admin.create_user_pool_client(
        UserPoolId=pool, ClientName="app", GenerateSecret=secret,
        ExplicitAuthFlows=["ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])["UserPoolClient"]
    more = {"client_secret": made["ClientSecret"]} if secret else {}
    peer.do("configure", endpoint=pools.url, pool=pool, client=made["ClientId"], **more)
    return pool, made


def tokens(pools, pool, made, name, password):
    """A sign-in by the developer's server: this file is about what users do afterwards."""
    parameters = {"USERNAME": name, "PASSWORD": password}
    if "ClientSecret" in made:
        parameters["SECRET_HASH"] = secret_hash(made, name)
    return pools.admin.admin_initiate_auth(
        UserPoolId=pool, ClientId=made["ClientId"], AuthFlow="ADMIN_USER_PASSWORD_AUTH", AuthParameters=parameters)["AuthenticationResult"]


def secret_hash(made, name):
    import base64
    import hashlib
    import hmac
    key, text = made["ClientSecret"].encode(), (name + made["ClientId"]).encode()
    return base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


@pytest.mark.parametrize("secret", [False, True])
def test_from_sign_up_to_deletion(pools, peer, secret):
    pool, made = app(pools, peer, secret)
    address = f"jane-{secret}@example.com"
    peer.refused("sign_up", "InvalidPasswordException", username="jane", password="short", attributes={"email": address})
    signed_up = peer.do("sign_up", username="jane", password=PASSWORD, attributes={"email": address})
    assert not signed_up["confirmed"] and signed_up["delivery"]["medium"] == "EMAIL" and signed_up["delivery"]["attribute"] == "email"
    peer.refused("sign_up", "UsernameExistsException", username="jane", password=PASSWORD, attributes={"email": address})
    first = pools.code(address)
    assert peer.do("resend", username="jane")["delivery"]["medium"] == "EMAIL"
    second = pools.code(address, count=1)
    wrong = f"{(int(second) + 1) % 1_000_000:06}"
    peer.refused("confirm_sign_up", "CodeMismatchException", username="jane", code=wrong)
    if first != second:
        peer.refused("confirm_sign_up", "CodeMismatchException", username="jane", code=first)
    peer.do("confirm_sign_up", username="jane", code=second)
    peer.refused("confirm_sign_up", "NotAuthorizedException", username="jane", code=second)

    access = tokens(pools, pool, made, "jane", PASSWORD)["AccessToken"]
    user = peer.do("user", token=access)
    assert user["username"] == "jane" and user["attributes"]["sub"] == signed_up["sub"]
    assert user["attributes"]["email"] == address and user["attributes"]["email_verified"] == "true"
    assert user["enabled"] == [] and user["preferred"] is None

    # A forgotten password.
    peer.do("forgot", username="jane")
    code = pools.code(address, count=2)
    peer.refused("confirm_forgot", "InvalidPasswordException", username="jane", code=code, password="short")
    peer.do("confirm_forgot", username="jane", code=code, password=NEW)
    access = tokens(pools, pool, made, "jane", NEW)["AccessToken"]
    peer.refused("change_password", "NotAuthorizedException", token=access, old=PASSWORD, new=PASSWORD)
    peer.do("change_password", token=access, old=NEW, new=PASSWORD)
    access = tokens(pools, pool, made, "jane", PASSWORD)["AccessToken"]

    # Signing out ends refresh tokens too.
    result = tokens(pools, pool, made, "jane", PASSWORD)
    peer.do("revoke", token=result["RefreshToken"])
    peer.refused("user", "NotAuthorizedException", token=result["AccessToken"])
    peer.do("user", token=access)
    peer.do("global_sign_out", token=access)
    peer.refused("user", "NotAuthorizedException", token=access)
    access = tokens(pools, pool, made, "jane", PASSWORD)["AccessToken"]
    peer.do("delete_user", token=access)
    answer = peer.ask("user", token=access)
    assert answer["type"] in ("UserNotFoundException", "NotAuthorizedException")


def test_attributes(pools, peer):
    pool, made = app(pools, peer)
    name = pools.user(pool, email="jane@example.com", email_verified="true")
    access = tokens(pools, pool, made, name, PASSWORD)["AccessToken"]
    delivered = peer.do("update", token=access, attributes={"nickname": "J", "email": "j2@example.com", "phone_number": "+15555550111"})
    assert {d["attribute"]: d["medium"] for d in delivered["deliveries"]} == {"email": "EMAIL", "phone_number": "SMS"}
    attributes = peer.do("user", token=access)["attributes"]
    assert attributes["nickname"] == "J" and attributes.get("email_verified") != "true"
    peer.do("verify_attribute", token=access, attribute="email", code=pools.code("j2@example.com"))
    assert peer.do("user", token=access)["attributes"]["email_verified"] == "true"
    pools.code("+15555550111")
    assert peer.do("attribute_code", token=access, attribute="phone_number")["delivery"]["medium"] == "SMS"
    code = pools.code("+15555550111", count=1)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    peer.refused("verify_attribute", "CodeMismatchException", token=access, attribute="phone_number", code=wrong)
    peer.do("verify_attribute", token=access, attribute="phone_number", code=code)
    assert peer.do("user", token=access)["attributes"]["phone_number_verified"] == "true"
    peer.do("delete_attributes", token=access, names=["nickname"])
    assert "nickname" not in peer.do("user", token=access)["attributes"]
    peer.refused("attribute_code", "InvalidParameterException", token=access, attribute="nickname")
    peer.refused("update", "InvalidParameterException", token=access, attributes={"email_verified": "true"})


def test_factors(pools, peer):
    pool, made = app(pools, peer)
    pools.admin.set_user_pool_mfa_config(
        UserPoolId=pool, MfaConfiguration="OPTIONAL", SoftwareTokenMfaConfiguration={"Enabled": True})
    name = pools.user(pool, email="jane@example.com")
    access = tokens(pools, pool, made, name, PASSWORD)["AccessToken"]
    peer.refused("mfa", "InvalidParameterException", token=access, software_token="preferred")
    made_secret = peer.do("associate", token=access)
    assert pyotp.parse_uri(made_secret["uri"]).secret == made_secret["secret"]
    totp = pyotp.TOTP(made_secret["secret"])
    wrong = f"{(int(totp.now()) + 1) % 1_000_000:06}"
    peer.refused("verify_token", "EnableSoftwareTokenMFAException", token=access, code=wrong)
    peer.do("verify_token", token=access, code=totp.now(), name="phone")
    # A verified token is not on yet.
    assert peer.do("user", token=access)["enabled"] == []
    peer.do("mfa", token=access, software_token="preferred")
    user = peer.do("user", token=access)
    assert user["enabled"] == ["SOFTWARE_TOKEN_MFA"] and user["preferred"] == "SOFTWARE_TOKEN_MFA"
    assert peer.do("auth_factors", token=access) == {"username": name, "first": ["PASSWORD"], "enabled": ["SOFTWARE_TOKEN_MFA"]}
    # The user has no phone number.
    peer.refused("user_settings", "InvalidParameterException", token=access, sms=True)
    peer.do("user_settings", token=access, sms=False)
    peer.do("mfa", token=access, software_token="off")
    assert peer.do("user", token=access)["enabled"] == []
    assert peer.do("devices", token=access) == {"devices": [], "next": None}
    unknown = "us-east-1_01234567-89ab-cdef-0123-456789abcdef"
    for op in ("device", "update_device", "forget_device"):
        assert "type" in peer.ask(op, token=access, device=unknown), op


def test_what_cannot_be_reached(pools, peer):
    with closed_port() as port:
        peer.do("configure", endpoint=f"http://127.0.0.1:{port}", pool="us-east-1_Example01", client="client")
        assert peer.ask("forgot", username="jane")["code"] == "user_pool_client_unreachable"
    for wrong in (dict(pool="nowhere"), dict(client=""), dict(endpoint="http://example.com")):
        answer = peer.ask("configure", **{**dict(endpoint=pools.url, pool="us-east-1_Example01", client="client"), **wrong})
        assert answer["code"] == "user_pool_client_configuration_invalid"
    peer.do("configure", endpoint=pools.url, pool="us-east-1_Example01", client="unknown")
    peer.refused("forgot", "ResourceNotFoundException", username="jane")


def test_moto(peer):
    """Where moto is right: sign-up, confirmation, attributes, passwords, the preference of factors."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        address = f"http://{host}:{port}"
        admin = aws_clients.client("cognito-idp", region_name=REGION, endpoint_url=address, aws_access_key_id="x", aws_secret_access_key="x")
        pool = admin.create_user_pool(PoolName="p", AutoVerifiedAttributes=["email"])["UserPool"]["Id"]
        made = admin.create_user_pool_client(
            UserPoolId=pool, ClientName="c", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"])["UserPoolClient"]
        peer.do("configure", endpoint=address, pool=pool, client=made["ClientId"])
        signed_up = peer.do("sign_up", username="jane", password=PASSWORD, attributes={"email": "jane@example.com"})
        assert not signed_up["confirmed"]
        peer.refused("sign_up", "UsernameExistsException", username="jane", password=PASSWORD)
        peer.do("confirm_sign_up", username="jane", code="123456")
        access = admin.initiate_auth(
            ClientId=made["ClientId"], AuthFlow="USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": "jane", "PASSWORD": PASSWORD})["AuthenticationResult"]["AccessToken"]
        assert peer.do("user", token=access)["attributes"]["email"] == "jane@example.com"
        peer.do("update", token=access, attributes={"nickname": "J"})
        assert peer.do("user", token=access)["attributes"]["nickname"] == "J"
        peer.do("change_password", token=access, old=PASSWORD, new=NEW)
        # Its secret is shorter than the service's model allows. It takes any code.
        assert peer.ask("associate", token=access)["code"] == "user_pool_client_response_malformed"
        peer.do("verify_token", token=access, code="123456")
        peer.do("mfa", token=access, software_token="preferred")
        assert peer.do("user", token=access)["preferred"] == "SOFTWARE_TOKEN_MFA"
        peer.do("global_sign_out", token=access)
    finally:
        server.stop()
