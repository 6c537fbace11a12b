"""What the client of user pools sends is what botocore sends for the same input: every operation, with and without a client secret."""
import base64
import hashlib
import hmac

import pytest

from user_pool_peer import Botocore, Recorder, UserPoolPeer

POOL, CLIENT, TOKEN = "us-east-1_Example01", "1example23456789", "access.token-1_2="
SECRET = "a-secret-of-the-client-0".replace("-", "x")
ANALYTICS = "d70b2ba36a8c4dc5a04a0451a31a1e12"
DEVICE = "us-east-1_01234567-89ab-cdef-0123-456789abcdef"
PASSWORD = 'Pass"word\\-9/ü€😀\u2028'
DELIVERY = {"Destination": "t***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email"}
NAMES = ["jane", "jane@example.com", "+15555550100", 'J"ürgen\\🙂', "e\u0301", "\u00e9", "a/b<c>&'d"]
ANSWERS = {
    "SignUp": {"UserConfirmed": False, "UserSub": "sub"},
    "ResendConfirmationCode": {"CodeDeliveryDetails": DELIVERY},
    "ForgotPassword": {"CodeDeliveryDetails": DELIVERY},
    "GetUserAttributeVerificationCode": {"CodeDeliveryDetails": DELIVERY},
    "GetUser": {"Username": "jane", "UserAttributes": []},
    "GetUserAuthFactors": {"Username": "jane"},
    "AssociateSoftwareToken": {"SecretCode": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"},
    "VerifySoftwareToken": {"Status": "SUCCESS"},
    "GetDevice": {"Device": {"DeviceKey": DEVICE}},
}


@pytest.fixture(scope="module")
def recorder():
    recorder = Recorder(ANSWERS)
    yield recorder
    recorder.stop()


@pytest.fixture(scope="module")
def theirs():
    return Botocore()


@pytest.fixture(scope="module")
def peer():
    peer = UserPoolPeer()
    yield peer
    peer.close()


def pairs(**attributes):
    return [{"Name": name.replace("__", ":"), "Value": value} for name, value in attributes.items()]


def texts(**attributes):
    return {name.replace("__", ":"): value for name, value in attributes.items()}


def secret_hash(name):
    return base64.b64encode(hmac.new(SECRET.encode(), (name + CLIENT).encode(), hashlib.sha256).digest()).decode()


ATTRIBUTES = dict(email="jane@example.com", phone_number="+15555550100", custom__team="ä\n\t\x7f", name="")
METADATA = {"from": "test", "é": "e\u0301", "": ""}

# Our question, their method and arguments, where the user is named.
NAMED = [
    ("sign_up", dict(password=PASSWORD), "sign_up", dict(Password=PASSWORD)),
    ("sign_up", dict(password=PASSWORD, attributes=texts(**ATTRIBUTES), validation=texts(invitation="7"), metadata=METADATA),
     "sign_up", dict(Password=PASSWORD, UserAttributes=pairs(**ATTRIBUTES), ValidationData=pairs(invitation="7"), ClientMetadata=METADATA)),
    ("sign_up", dict(attributes=texts(email="a@b.example")), "sign_up", dict(UserAttributes=pairs(email="a@b.example"))),
    ("confirm_sign_up", dict(code="123456"), "confirm_sign_up", dict(ConfirmationCode="123456")),
    ("confirm_sign_up", dict(code="123456", force=True, metadata=METADATA),
     "confirm_sign_up", dict(ConfirmationCode="123456", ForceAliasCreation=True, ClientMetadata=METADATA)),
    ("confirm_sign_up", dict(code="123456", force=False), "confirm_sign_up", dict(ConfirmationCode="123456", ForceAliasCreation=False)),
    ("resend", {}, "resend_confirmation_code", {}),
    ("resend", dict(metadata=METADATA), "resend_confirmation_code", dict(ClientMetadata=METADATA)),
    ("forgot", {}, "forgot_password", {}),
    ("forgot", dict(metadata=METADATA), "forgot_password", dict(ClientMetadata=METADATA)),
    ("confirm_forgot", dict(code="123456", password=PASSWORD), "confirm_forgot_password", dict(ConfirmationCode="123456", Password=PASSWORD)),
    ("confirm_forgot", dict(code="123456", password=PASSWORD, metadata=METADATA),
     "confirm_forgot_password", dict(ConfirmationCode="123456", Password=PASSWORD, ClientMetadata=METADATA)),
]

# Our question, their method and arguments, where an access token names the user.
SIGNED_IN = [
    ("change_password", dict(old="Old-horse-9", new=PASSWORD), "change_password", dict(PreviousPassword="Old-horse-9", ProposedPassword=PASSWORD)),
    ("change_password", dict(new=PASSWORD), "change_password", dict(ProposedPassword=PASSWORD)),
    ("user", {}, "get_user", {}),
    ("update", dict(attributes=texts(**ATTRIBUTES)), "update_user_attributes", dict(UserAttributes=pairs(**ATTRIBUTES))),
    ("update", dict(attributes={}, metadata=METADATA), "update_user_attributes", dict(UserAttributes=[], ClientMetadata=METADATA)),
    ("delete_attributes", dict(names=["nickname", "custom:team"]), "delete_user_attributes", dict(UserAttributeNames=["nickname", "custom:team"])),
    ("attribute_code", dict(attribute="email", metadata=METADATA),
     "get_user_attribute_verification_code", dict(AttributeName="email", ClientMetadata=METADATA)),
    ("attribute_code", dict(attribute="phone_number"), "get_user_attribute_verification_code", dict(AttributeName="phone_number")),
    ("verify_attribute", dict(attribute="email", code="123456"), "verify_user_attribute", dict(AttributeName="email", Code="123456")),
    ("associate", {}, "associate_software_token", {}),
    ("verify_token", dict(code="012345"), "verify_software_token", dict(UserCode="012345")),
    ("verify_token", dict(code="012345", name="Jane's ☎"), "verify_software_token", dict(UserCode="012345", FriendlyDeviceName="Jane's ☎")),
    ("mfa", dict(software_token="preferred"),
     "set_user_mfa_preference", dict(SoftwareTokenMfaSettings=dict(Enabled=True, PreferredMfa=True))),
    ("mfa", dict(sms="off", software_token="on", email="preferred"),
     "set_user_mfa_preference", dict(
         SMSMfaSettings=dict(Enabled=False, PreferredMfa=False), SoftwareTokenMfaSettings=dict(Enabled=True, PreferredMfa=False),
         EmailMfaSettings=dict(Enabled=True, PreferredMfa=True))),
    ("user_settings", dict(sms=True), "set_user_settings", dict(MFAOptions=[dict(DeliveryMedium="SMS", AttributeName="phone_number")])),
    ("user_settings", dict(sms=False), "set_user_settings", dict(MFAOptions=[])),
    ("auth_factors", {}, "get_user_auth_factors", {}),
    ("devices", {}, "list_devices", {}),
    ("devices", dict(limit=0, after="page+/="), "list_devices", dict(Limit=0, PaginationToken="page+/=")),
    ("device", dict(device=DEVICE), "get_device", dict(DeviceKey=DEVICE)),
    ("update_device", dict(device=DEVICE, remembered=True), "update_device_status", dict(DeviceKey=DEVICE, DeviceRememberedStatus="remembered")),
    ("update_device", dict(device=DEVICE, remembered=False),
     "update_device_status", dict(DeviceKey=DEVICE, DeviceRememberedStatus="not_remembered")),
    ("forget_device", dict(device=DEVICE), "forget_device", dict(DeviceKey=DEVICE)),
    ("global_sign_out", {}, "global_sign_out", {}),
    ("delete_user", {}, "delete_user", {}),
]


def configure(peer, recorder, **more):
    return peer.do("configure", endpoint=recorder.url, pool=POOL, client=CLIENT, **more)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("op, question, method, arguments", NAMED)
def test_named_users(peer, recorder, theirs, op, question, method, arguments, name):
    configure(peer, recorder)
    peer.do(op, username=name, **question)
    [ours] = recorder.taken()
    assert ours == theirs.call(method, ClientId=CLIENT, Username=name, **arguments)
    # The same with the hash of a client's secret and an endpoint for analytics.
    configure(peer, recorder, client_secret=SECRET, analytics=ANALYTICS)
    peer.do(op, username=name, **question)
    [ours] = recorder.taken()
    assert ours == theirs.call(
        method, ClientId=CLIENT, Username=name, SecretHash=secret_hash(name),
        AnalyticsMetadata=dict(AnalyticsEndpointId=ANALYTICS), **arguments)


@pytest.mark.parametrize("op, question, method, arguments", SIGNED_IN)
@pytest.mark.parametrize("more", [{}, dict(client_secret=SECRET, analytics=ANALYTICS)], ids=["plain", "secret"])
def test_signed_in_users(peer, recorder, theirs, op, question, method, arguments, more):
    configure(peer, recorder, **more)
    peer.do(op, token=TOKEN, **question)
    [ours] = recorder.taken()
    assert ours == theirs.call(method, AccessToken=TOKEN, **arguments)


def test_revocation(peer, recorder, theirs):
    configure(peer, recorder)
    peer.do("revoke", token=TOKEN)
    assert recorder.taken() == [theirs.call("revoke_token", ClientId=CLIENT, Token=TOKEN)]
    configure(peer, recorder, client_secret=SECRET)
    peer.do("revoke", token=TOKEN)
    assert recorder.taken() == [theirs.call("revoke_token", ClientId=CLIENT, Token=TOKEN, ClientSecret=SECRET)]


def test_what_is_not_sent(peer, recorder):
    """Values that the service would refuse in any case are refused here."""
    configure(peer, recorder)
    for op, question in [
        ("sign_up", dict(username="jane", password=PASSWORD, attributes=dict(phone_number="555-0100"))),
        ("update", dict(token=TOKEN, attributes=dict(phone_number="+0555550100"))),
        ("verify_token", dict(token=TOKEN, code="12345")), ("devices", dict(token=TOKEN, limit=61)),
        ("mfa", dict(token=TOKEN)), ("mfa", dict(token=TOKEN, sms="preferred", email="preferred")),
    ]:
        assert peer.ask(op, **question)["code"] == "user_pool_client_input_invalid"
    assert recorder.taken() == []
