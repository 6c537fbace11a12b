"""What sign-ins of the client of user pools send is what botocore sends for the same input. What is random in it is taken from the client;
the proofs themselves are checked by the service in the other files."""
import re
import time

import pytest
from joserfc import jwk, jwt

from test_user_pool_client_bodies import ANALYTICS, CLIENT, PASSWORD, POOL, SECRET, secret_hash
from user_pool_peer import Botocore, Recorder, UserPoolPeer

S1, S2, S3, S4 = (f"session-{n}-of-twenty-characters-at-least" for n in range(1, 5))
NAME, FOUND = "jane@example.com", "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
DEVICE, GROUP = "us-east-1_01234567-89ab-cdef-0123-456789abcdef", "-group1"
METADATA = {"from": "test"}
TOKENS = {"ChallengeParameters": {}, "AuthenticationResult": {
    "AccessToken": "a.b.c", "IdToken": "d.e.f", "RefreshToken": "refresh", "ExpiresIn": 3600, "TokenType": "Bearer"}}
NEW_DEVICE = {"ChallengeParameters": {}, "AuthenticationResult": {
    **TOKENS["AuthenticationResult"], "NewDeviceMetadata": {"DeviceKey": DEVICE, "DeviceGroupKey": GROUP}}}
SRP = {"SALT": "a1b2c3d4e5f60718293a4b5c6d7e8f90", "SRP_B": "c0ffee" * 100, "SECRET_BLOCK": "c2VjcmV0IGJsb2Nr"}
VERIFIER = {"ChallengeName": "PASSWORD_VERIFIER", "ChallengeParameters": {**SRP, "USER_ID_FOR_SRP": FOUND, "USERNAME": FOUND}}
PROOF = ("TIMESTAMP", "PASSWORD_CLAIM_SIGNATURE", "PASSWORD_CLAIM_SECRET_BLOCK")


def challenge(name, session, **parameters):
    return {"ChallengeName": name, "Session": session, "ChallengeParameters": {"USER_ID_FOR_SRP": FOUND, **parameters}}


class Play:
    """One client, with or without a secret, and the answers that the service gives."""

    def __init__(self, peer, theirs, secret):
        self.peer, self.theirs, self.secret = peer, theirs, secret
        self.recorder = Recorder({})
        self.configure()

    def configure(self, **more):
        if self.secret:
            more = {"client_secret": SECRET, "analytics": ANALYTICS, **more}
        self.peer.do("configure", endpoint=self.recorder.url, pool=POOL, client=CLIENT, **more)

    def serve(self, initiate, *respond, **others):
        self.recorder.answers = {
            "InitiateAuth": [initiate] if isinstance(initiate, dict) else initiate, "RespondToAuthChallenge": list(respond), **others}

    def hashed(self, name, parameters):
        return {**parameters, **({"SECRET_HASH": secret_hash(name)} if self.secret else {})}

    def call(self, method, **arguments):
        if self.secret and method in ("initiate_auth", "respond_to_auth_challenge"):
            arguments["AnalyticsMetadata"] = {"AnalyticsEndpointId": ANALYTICS}
        return self.theirs.call(method, **arguments)

    def initiate(self, flow, parameters, name=NAME, **more):
        return self.call(
            "initiate_auth", ClientId=CLIENT, AuthFlow=flow, AuthParameters=self.hashed(name, {"USERNAME": name, **parameters}), **more)

    def respond(self, challenge, parameters, session=None, name=FOUND, **more):
        if session is not None:
            more["Session"] = session
        return self.call(
            "respond_to_auth_challenge", ClientId=CLIENT, ChallengeName=challenge,
            ChallengeResponses=self.hashed(name, {"USERNAME": name, **parameters}), **more)

    def sent(self):
        return self.recorder.taken()


@pytest.fixture(scope="module")
def theirs():
    return Botocore()


@pytest.fixture(params=[False, True], ids=["plain", "secret"])
def play(request, theirs):
    peer = UserPoolPeer()
    play = Play(peer, theirs, request.param)
    yield play
    play.recorder.stop()
    peer.close()


def public_number(body, key):
    value = body[1][key]["SRP_A"]
    assert re.fullmatch("[0-9a-f]{1,768}", value)
    return {"SRP_A": value}


def proof(body):
    """What is computed with random numbers: its form is checked."""
    found = {name: body[1]["ChallengeResponses"][name] for name in PROOF}
    assert found["PASSWORD_CLAIM_SECRET_BLOCK"] == SRP["SECRET_BLOCK"]
    assert re.fullmatch("[A-Za-z0-9+/]{43}=", found["PASSWORD_CLAIM_SIGNATURE"])
    assert re.fullmatch(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [1-9]\d? \d\d:\d\d:\d\d UTC \d{4}", found["TIMESTAMP"])
    return found


def test_password_by_srp(play):
    play.serve(VERIFIER, TOKENS)
    assert play.peer.do("sign_in", username=NAME, validation={"kind": "v"}, metadata=METADATA)["step"] == "password"
    assert play.sent() == []
    assert play.peer.do("answer", password=PASSWORD)["step"] == "done"
    first, second = play.sent()
    assert first == play.initiate("USER_SRP_AUTH", public_number(first, "AuthParameters"), ClientMetadata={"kind": "v"})
    # The user's name is now the one that the service gave, and the hash is over that one.
    assert second == play.respond("PASSWORD_VERIFIER", proof(second), ClientMetadata=METADATA)


def test_password_and_a_code(play):
    play.serve(
        challenge("SMS_MFA", S1, CODE_DELIVERY_DELIVERY_MEDIUM="SMS", CODE_DELIVERY_DESTINATION="+*******0100"), TOKENS)
    play.peer.do("sign_in", username=NAME, flow="password")
    waiting = play.peer.do("answer", password=PASSWORD)
    assert waiting["step"] == "sms" and waiting["delivery"]["destination"] == "+*******0100"
    assert play.peer.do("answer", code="123456")["step"] == "done"
    assert play.sent() == [
        play.initiate("USER_PASSWORD_AUTH", {"PASSWORD": PASSWORD}), play.respond("SMS_MFA", {"SMS_MFA_CODE": "123456"}, S1)]


def test_choice_of_a_factor(play):
    play.serve(
        challenge("SELECT_MFA_TYPE", S1, MFAS_CAN_CHOOSE='["SMS_MFA","SOFTWARE_TOKEN_MFA"]'),
        challenge("SOFTWARE_TOKEN_MFA", S2, FRIENDLY_DEVICE_NAME="phone"), TOKENS)
    play.peer.do("sign_in", username=NAME, flow="password")
    assert play.peer.do("answer", password=PASSWORD)["available"] == ["SMS_MFA", "SOFTWARE_TOKEN_MFA"]
    assert play.peer.do("answer", factor="SOFTWARE_TOKEN_MFA") == {"step": "software_token", "name": "phone"}
    play.peer.do("answer", code="123456")
    assert play.sent()[1:] == [
        play.respond("SELECT_MFA_TYPE", {"ANSWER": "SOFTWARE_TOKEN_MFA"}, S1),
        play.respond("SOFTWARE_TOKEN_MFA", {"SOFTWARE_TOKEN_MFA_CODE": "123456"}, S2)]


def test_set_up_of_a_factor(play):
    play.serve(
        challenge("MFA_SETUP", S1, MFAS_CAN_SETUP='["SOFTWARE_TOKEN_MFA"]'), TOKENS,
        AssociateSoftwareToken={"SecretCode": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "Session": S2},
        VerifySoftwareToken={"Status": "SUCCESS", "Session": S3})
    play.peer.do("sign_in", username=NAME, flow="password")
    assert play.peer.do("answer", password=PASSWORD)["available"] == ["SOFTWARE_TOKEN_MFA"]
    assert play.peer.do("answer")["secret"] == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    play.peer.do("answer", code="123456", name="phone")
    assert play.sent()[1:] == [
        play.call("associate_software_token", Session=S1),
        play.call("verify_software_token", Session=S2, UserCode="123456", FriendlyDeviceName="phone"),
        play.respond("MFA_SETUP", {}, S3)]


def test_new_password(play):
    play.serve(
        challenge(
            "NEW_PASSWORD_REQUIRED", S1, requiredAttributes='["userAttributes.name"]', userAttributes='{"email":"jane@example.com"}'), TOKENS)
    play.peer.do("sign_in", username=NAME, flow="password")
    assert play.peer.do("answer", password=PASSWORD) == {"step": "new_password", "required": ["name"], "attributes": ["email"]}
    play.peer.do("answer", password="New" + PASSWORD, attributes={"name": "Jane", "custom:team": "a"})
    assert play.sent()[1:] == [play.respond(
        "NEW_PASSWORD_REQUIRED", {"NEW_PASSWORD": "New" + PASSWORD, "userAttributes.name": "Jane", "userAttributes.custom:team": "a"}, S1)]


@pytest.mark.parametrize("factor", ["EMAIL_OTP", "SMS_OTP"])
def test_choice_of_a_first_factor(play, factor):
    available = {**challenge("SELECT_CHALLENGE", S1), "AvailableChallenges": ["PASSWORD_SRP", "PASSWORD", factor]}
    play.serve(available, challenge(factor, S2, CODE_DELIVERY_DESTINATION="j***"), TOKENS)
    assert play.peer.do("sign_in", username=NAME, flow="choice")["available"] == ["PASSWORD_SRP", "PASSWORD", factor]
    assert play.peer.do("answer", factor=factor)["step"] in ("email", "sms")
    play.peer.do("answer", code="12345678")
    assert play.sent() == [
        play.initiate("USER_AUTH", {}), play.respond("SELECT_CHALLENGE", {"ANSWER": factor}, S1),
        play.respond(factor, {f"{factor}_CODE": "12345678"}, S2)]


def test_preferred_first_factor(play):
    play.serve(challenge("EMAIL_OTP", S1, CODE_DELIVERY_DESTINATION="j***"), TOKENS)
    play.peer.do("sign_in", username=NAME, flow="choice", preferred="EMAIL_OTP")
    assert play.sent() == [play.initiate("USER_AUTH", {"PREFERRED_CHALLENGE": "EMAIL_OTP"})]
    play.serve({**challenge("SELECT_CHALLENGE", S1), "AvailableChallenges": ["PASSWORD"]}, TOKENS)
    play.peer.do("sign_in", username=NAME, flow="choice")
    play.peer.do("answer", factor="PASSWORD")
    play.peer.do("answer", password=PASSWORD)
    assert play.sent()[1:] == [play.respond("SELECT_CHALLENGE", {"ANSWER": "PASSWORD", "PASSWORD": PASSWORD}, S1)]
    play.serve({**challenge("SELECT_CHALLENGE", S1), "AvailableChallenges": ["PASSWORD_SRP"]}, VERIFIER, TOKENS)
    play.peer.do("sign_in", username=NAME, flow="choice")
    play.peer.do("answer", factor="PASSWORD_SRP")
    play.peer.do("answer", password=PASSWORD)
    _, second, third = play.sent()
    assert second == play.respond("SELECT_CHALLENGE", {"ANSWER": "PASSWORD_SRP", **public_number(second, "ChallengeResponses")}, S1)
    assert third == play.respond("PASSWORD_VERIFIER", proof(third))


def test_custom_challenges(play):
    question = challenge("CUSTOM_CHALLENGE", S1, USERNAME=FOUND, question="What is your quest?")
    play.serve(question, challenge("CUSTOM_CHALLENGE", S2, USERNAME=FOUND, question="And your colour?"), TOKENS)
    waiting = play.peer.do("sign_in", username=NAME, flow="custom")
    assert waiting["step"] == "custom" and waiting["parameters"]["question"] == "What is your quest?"
    play.peer.do("answer", answer="the grail")
    play.peer.do("answer", answer="")
    assert play.sent() == [
        play.initiate("CUSTOM_AUTH", {}), play.respond("CUSTOM_CHALLENGE", {"ANSWER": "the grail"}, S1),
        play.respond("CUSTOM_CHALLENGE", {"ANSWER": ""}, S2)]
    play.serve({**VERIFIER, "Session": S3}, {**question, "Session": S4}, TOKENS)
    play.peer.do("sign_in", username=NAME, flow="custom", with_password=True)
    assert play.peer.do("answer", password=PASSWORD)["step"] == "custom"
    first, second = play.sent()
    assert first == play.initiate("CUSTOM_AUTH", {"CHALLENGE_NAME": "SRP_A", **public_number(first, "AuthParameters")})
    assert second == play.respond("PASSWORD_VERIFIER", proof(second), S3)


def test_devices(play):
    """A new device is confirmed, and proves itself at the next sign-in."""
    play.serve(NEW_DEVICE, ConfirmDevice={"UserConfirmationNecessary": False})
    play.peer.do("sign_in", username=NAME, flow="password", device_name="laptop")
    assert play.peer.do("answer", password=PASSWORD) == {"step": "done", "device": DEVICE}
    _, confirmed = play.sent()
    config = confirmed[1]["DeviceSecretVerifierConfig"]
    assert set(config) == {"Salt", "PasswordVerifier"}
    assert confirmed == play.call(
        "confirm_device", AccessToken="a.b.c", DeviceKey=DEVICE, DeviceName="laptop", DeviceSecretVerifierConfig=config)
    play.serve(
        challenge("DEVICE_SRP_AUTH", S1, USERNAME=FOUND),
        challenge("DEVICE_PASSWORD_VERIFIER", S2, **SRP, USERNAME=FOUND, DEVICE_KEY=DEVICE), TOKENS)
    play.peer.do("sign_in", username=NAME, flow="password")
    assert play.peer.do("answer", password=PASSWORD) == {"step": "done", "device": DEVICE}
    first, second, third = play.sent()
    assert first == play.initiate("USER_PASSWORD_AUTH", {"PASSWORD": PASSWORD, "DEVICE_KEY": DEVICE})
    assert second == play.respond("DEVICE_SRP_AUTH", {"DEVICE_KEY": DEVICE, **public_number(second, "ChallengeResponses")}, S1)
    assert third == play.respond("DEVICE_PASSWORD_VERIFIER", {"DEVICE_KEY": DEVICE, **proof(third)}, S2)


def tokens(key, refresh):
    """Tokens that the client accepts, for ten minutes."""
    now = int(time.time())
    claims = {
        "iss": f"https://cognito-idp.us-east-1.amazonaws.com/{POOL}", "sub": "0d1c6e2a-5b7f-4c39-9a84-000000000001", "iat": now, "auth_time": now,
        "exp": now + 600}
    made = {
        "IdToken": {"token_use": "id", "aud": CLIENT, "cognito:username": FOUND},
        "AccessToken": {"token_use": "access", "client_id": CLIENT, "username": FOUND}}
    return {
        **{name: jwt.encode({"alg": "RS256", "kid": "k1"}, {**claims, **more}, key) for name, more in made.items()}, "RefreshToken": refresh,
        "ExpiresIn": 600, "TokenType": "Bearer"}


@pytest.mark.parametrize("older", [False, True])
def test_refresh_and_revocation(play, older):
    key = jwk.RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"}, private=True)
    play.recorder.keys = {"keys": [key.as_dict(private=False)]}
    play.configure(older=older)
    first = {**tokens(key, "refresh-1"), "NewDeviceMetadata": {"DeviceKey": DEVICE, "DeviceGroupKey": GROUP}}
    play.serve({"AuthenticationResult": first}, ConfirmDevice={"UserConfirmationNecessary": False})
    play.peer.do("sign_in", username=NAME, flow="password")
    assert play.peer.do("answer", password=PASSWORD) == {"step": "done", "device": DEVICE}
    assert play.peer.do("answer")["username"] == FOUND
    # The device is now under the user's name, to which the alias leads.
    assert [play.peer.do("device_key", username=name)["key"] for name in (NAME, FOUND)] == [DEVICE, DEVICE]
    play.sent()
    second = {"AuthenticationResult": tokens(key, "refresh-2")}
    play.recorder.answers = {"InitiateAuth": second, "GetTokensFromRefreshToken": second}
    play.peer.do("tokens", callers=4, now=int(time.time()) + 550)
    secret = {"ClientSecret": SECRET} if play.secret else {}
    if older:
        parameters = play.hashed(FOUND, {"REFRESH_TOKEN": "refresh-1", "DEVICE_KEY": DEVICE})
        expected = play.call("initiate_auth", ClientId=CLIENT, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters=parameters)
    else:
        expected = play.call("get_tokens_from_refresh_token", ClientId=CLIENT, RefreshToken="refresh-1", DeviceKey=DEVICE, **secret)
    assert play.sent() == [expected]
    play.peer.do("sign_out", username=NAME)
    assert play.sent() == [play.call("revoke_token", ClientId=CLIENT, Token="refresh-2", **secret)]
