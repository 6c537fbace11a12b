"""What strangers can cause: refusals of every public call, and no log line above `info`."""
import itertools
import json
import textwrap
import urllib.parse

import botocore.session
import pyotp
import pytest
import requests

from identity_support import Service, make_pool
from raw_http import TARGET as IDENTITY_TARGET
from raw_http import call, exchange, request
from user_pool_support import PASSWORD, TARGET, UserPools
from waiting import LIMIT, eventually
from webhook_support import SECRET, Receiver, private

SESSION = botocore.session.get_session()
USER_POOLS = SESSION.get_service_model("cognito-idp")
IDENTITY_POOLS = SESSION.get_service_model("cognito-identity")
# The errors that no stranger gets from a service that works.
UNREACHED = {
    "CodeDeliveryFailureException": "needs 2,000 messages that wait",
    "ConcurrentModificationException": "of two calls at the same time",
    "ExternalServiceException": "a provider that cannot be reached",
    "FeatureUnavailableInTierException": "pools here have no tiers",
    "ForbiddenException": "AWS WAF",
    "InternalErrorException": "the service fails",
    "InvalidEmailRoleAccessPolicyException": "Amazon SES",
    "InvalidIdentityPoolConfigurationException": "a role that was removed",
    "InvalidSmsRoleAccessPolicyException": "Amazon SNS",
    "InvalidSmsRoleTrustRelationshipException": "Amazon SNS",
    "InvalidUserPoolConfigurationException": "settings that are refused here when they are made",
    "MFAMethodNotFoundException": "InvalidParameterException here",
    "OperationNotEnabledException": "pools here have all operations",
    "ResourceConflictException": "needs two users of a provider",
    "TooManyFailedAttemptsException": "needs more tries than an hour allows",
    "TooManyRequestsException": "in a test of its own",
}
# The server answers these with NotImplementedException, which the models do not declare.
NOT_BUILT = {"WebAuthn", "UpdateAuthEventFeedback"}


def arn(name):
    return f"arn:aws:lambda:us-east-1:123456789012:function:{name}"


def unsigned(model):
    return [name for name in model.operation_names if model.operation_model(name).auth_type == "none"]


def is_built(name):
    return not any(part in name for part in NOT_BUILT)


class Place:
    """A service whose messages and functions fail as callers choose: by the address, and by the user name."""

    def __init__(self, folder, *options):
        self.receiver = Receiver(self.answer)
        functions = private(folder / "functions.json", json.dumps({arn("served"): {"url": self.receiver.url + "/function", "secret": SECRET}}))
        secret = private(folder / "secret", SECRET)
        self.service = UserPools(folder, service=lambda data, *_: self.start(data, functions, secret, options))
        self.reached = {}

    def start(self, data, functions, secret, options):
        return Service(data, "--webhooks", functions, "--message-webhook", self.receiver.url + "/messages", "--message-secret", secret,
                       "--rate", 0, "--connections-per-address", 0, *options)

    def answer(self, path, body):
        if path == "/messages":
            local = body["destination"].split("@")[0]
            return {"refused": 422, "delayed": 503}.get(local, 204), b"", {}
        kind = body["userName"].split("-")[0]
        if kind == "no":
            return 200, {"errorMessage": "not you"}, {"X-Amz-Function-Error": "Unhandled"}
        if kind == "garbage":
            return 200, b"{", {}
        if kind == "gone":
            return 503, b"", {}
        return 200, body, {}

    def codes(self, address):
        return [body["code"] for body in self.receiver.bodies() if body.get("destination") == address]

    def code(self, address, count=0):
        eventually(lambda: len(self.codes(address)) > count)
        return self.codes(address)[-1]

    def __call__(self, operation, target=TARGET, **body):
        """The response's error type, or its members."""
        status, _, text = exchange(self.service, call(target + operation, json.dumps(body).encode()))
        answer = json.loads(text or b"{}")
        error = answer.get("__type", "").split("#")[-1]
        assert status < 500 or error == "NotImplementedException", (operation, body, answer)
        self.reached.setdefault(operation, set()).add(error)
        return error or answer


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.service.stop()
    place.receiver.stop()


def above_info(lines):
    """The lines above `info`, but for the keys that new pools get at any time."""
    found = [json.loads(line) for line in lines]
    return [line for line in found if line["level"] not in ("trace", "debug", "info") and line["message"] != "signing keys of a user pool changed"]


def sign_in(place, client, name, password=PASSWORD, **more):
    return place("InitiateAuth", ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": password}, **more)


def every_call(place, client, folder):
    """Each operation with nothing, with wrong values, and for what does not exist."""
    identities = make_pool(place.service.service, folder)
    for model, target in ((USER_POOLS, TARGET), (IDENTITY_POOLS, IDENTITY_TARGET)):
        for name in unsigned(model):
            members = model.operation_model(name).input_shape.members
            good = {"ClientId": client, "Username": "nobody", "ConfirmationCode": "123456", "Password": PASSWORD, "PreviousPassword": PASSWORD,
                    "ProposedPassword": PASSWORD, "AccessToken": "e30.e30.e30", "Token": "x" * 40, "RefreshToken": "x" * 40, "DeviceKey":
                    "us-east-1_00000000-0000-4000-8000-000000000000", "UserCode": "123456", "AttributeName": "email", "Code": "123456",
                    "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": "nobody", "PASSWORD": PASSWORD}, "ChallengeName": "SMS_MFA",
                    "Session": "s" * 1_000, "ChallengeResponses": {"USERNAME": "nobody", "SMS_MFA_CODE": "123456"}, "IdentityPoolId": identities,
                    "IdentityId": "us-east-1:00000000-0000-4000-8000-000000000000", "UserAttributeNames": ["email"],
                    "UserAttributes": [{"Name": "email", "Value": "x@example.com"}], "MFAOptions": [], "DeviceRememberedStatus": "remembered",
                    "Logins": {"accounts.google.com": "e30.e30.e30"}, "LoginsToRemove": ["accounts.google.com"]}
            body = {member: good[member] for member in members if member in good}
            place(name, target)
            place(name, target, **body)
            for member in body:
                for value in ("", "\0", "x" * 3_000, 7, None, {}, []):
                    place(name, target, **{**body, member: value})
            if "ClientId" in members:
                place(name, target, **{**body, "ClientId": "1h57kf5cpq17m0eml12EXAMPLE"})
            if "IdentityPoolId" in members:
                place(name, target, **{**body, "IdentityPoolId": "us-east-1:00000000-0000-4000-8000-000000000000"})


def accounts(place, admin, pool, client):
    """Refusals that need an account, which everyone may have."""
    def sign_up(name, **more):
        return place("SignUp", ClientId=client, Username=name, **{"Password": PASSWORD, **more})

    def address(text):
        return {"UserAttributes": [{"Name": "email", "Value": text}]}
    assert sign_up("weak", Password="a") == "InvalidPasswordException"
    for name in ("no", "garbage", "gone"):
        assert sign_up(name) in ("UserLambdaValidationException", "InvalidLambdaResponseException", "UnexpectedLambdaException")
    # As often as they like.
    for name in ["no", "garbage"] * 20:
        sign_up(name)
    for local in ("refused", "delayed", "|x", "/x", "-x"):
        sign_up(f"user{local}", **address(f"{local}@example.com"))
    sign_up("jane", **address("jane@example.com"))
    assert sign_up("jane") == "UsernameExistsException"
    assert sign_in(place, client, "jane") == "UserNotConfirmedException"
    names = {"ClientId": client, "Username": "jane"}
    assert place("ConfirmSignUp", **names, ConfirmationCode="000000") == "CodeMismatchException"
    place("ConfirmSignUp", **names, ConfirmationCode=place.code("jane@example.com"))
    # An address that is another user's.
    sign_up("joe", **address("jane@example.com"))
    assert place("ConfirmSignUp", ClientId=client, Username="joe", ConfirmationCode=place.code("jane@example.com", 1)) == "AliasExistsException"
    assert place("ConfirmForgotPassword", **names, ConfirmationCode="000000", Password=PASSWORD) == "ExpiredCodeException"
    assert place("ForgotPassword", ClientId=client, Username="nobody-else") == "UserNotFoundException"
    tokens = sign_in(place, client, "jane")["AuthenticationResult"]
    access = {"AccessToken": tokens["AccessToken"]}
    assert place("ChangePassword", **access, PreviousPassword=PASSWORD, ProposedPassword=PASSWORD) == "PasswordHistoryPolicyViolationException"
    for _ in range(6):
        last = place("ChangePassword", **access, PreviousPassword="Wrong-horse-1", ProposedPassword="Other-horse-1")
    assert last == "LimitExceededException"
    place("GetUserAttributeVerificationCode", **access, AttributeName="phone_number")
    place("UpdateUserAttributes", **access, **address("refused@example.com"))
    place("UpdateUserAttributes", **access, **address("|x@example.com"))
    place("VerifyUserAttribute", **access, AttributeName="email", Code="000000")
    place("SetUserMFAPreference", **access, SMSMfaSettings={"Enabled": True})
    place("SetUserMFAPreference", **access, SoftwareTokenMfaSettings={"Enabled": True})
    token = pyotp.TOTP(place("AssociateSoftwareToken", **access)["SecretCode"])
    assert place("VerifySoftwareToken", **access, UserCode=token.at(0)) == "EnableSoftwareTokenMFAException"
    place("VerifySoftwareToken", **access, UserCode=token.now())
    place("SetUserMFAPreference", **access, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})
    challenge = sign_in(place, client, "jane")
    answer = {"ClientId": client, "ChallengeName": "SOFTWARE_TOKEN_MFA", "Session": challenge["Session"]}
    for code in (token.at(0), token.now()):
        assert place("RespondToAuthChallenge", **answer, ChallengeResponses={"USERNAME": "jane", "SOFTWARE_TOKEN_MFA_CODE": code}) in (
            "CodeMismatchException", "ExpiredCodeException")
    for device in ("ConfirmDevice", "GetDevice", "ForgetDevice", "UpdateDeviceStatus"):
        place(device, **access, DeviceKey="us-east-1_00000000-0000-4000-8000-000000000000", DeviceRememberedStatus="remembered")
    assert place("RevokeToken", ClientId=client, Token=tokens["AccessToken"]) == "UnsupportedTokenTypeException"
    place("RevokeToken", ClientId=admin.other, Token=tokens["RefreshToken"])
    place("GetTokensFromRefreshToken", ClientId=client, RefreshToken=tokens["RefreshToken"])
    for _ in range(8):
        sign_in(place, client, "jane", "Wrong-horse-1")
    admin.admin.admin_update_user_attributes(UserPoolId=pool, Username="jane", UserAttributes=[
        {"Name": "email", "Value": "jane@example.org"}, {"Name": "email_verified", "Value": "true"}])
    admin.admin.admin_reset_user_password(UserPoolId=pool, Username="jane")
    assert sign_in(place, client, "jane") in ("PasswordResetRequiredException", "NotAuthorizedException")
    place("GetUser", **access)
    for _ in range(7):
        place("ResendConfirmationCode", ClientId=client, Username="joe")
    # Of an account in a pool with devices, without software tokens; its client replaces refresh tokens, and revokes none.
    tokens = sign_in(place, admin.rotating, "jill")["AuthenticationResult"]
    access = {"AccessToken": tokens["AccessToken"]}
    assert place("AssociateSoftwareToken", **access) == "SoftwareTokenMFANotFoundException"
    device = tokens["NewDeviceMetadata"]["DeviceKey"]
    config = {"Salt": "A" * 22 + "==", "PasswordVerifier": "A" + "B" * 507}
    confirmed = [place("ConfirmDevice", **access, DeviceKey=device, DeviceSecretVerifierConfig=config) for _ in range(2)]
    assert confirmed[1] == "DeviceKeyExistsException", confirmed
    again = [place("GetTokensFromRefreshToken", ClientId=admin.rotating, RefreshToken=tokens["RefreshToken"], DeviceKey=device) for _ in range(2)]
    assert again[1] == "RefreshTokenReuseException", again
    assert place("RevokeToken", ClientId=admin.lasting, Token=tokens["RefreshToken"]) == "UnsupportedOperationException"
    # In pools of other kinds.
    for other in admin.others:
        place("SignUp", ClientId=other, Username="jim", Password=PASSWORD)
        for flow, parameters in itertools.product(
                ("USER_AUTH", "CUSTOM_AUTH", "USER_SRP_AUTH", "REFRESH_TOKEN_AUTH"),
                ({"USERNAME": "jim", "SRP_A": "2f"}, {"USERNAME": "jim", "PREFERRED_CHALLENGE": "EMAIL_OTP"}, {"REFRESH_TOKEN": "x"})):
            place("InitiateAuth", ClientId=other, AuthFlow=flow, AuthParameters=parameters)


def test_no_refusal_is_an_alarm(place, tmp_path):
    pools = place.service
    policies = {"PasswordPolicy": {"MinimumLength": 8, "PasswordHistorySize": 2}}
    pool = pools.pool(AutoVerifiedAttributes=["email"], AliasAttributes=["email"], LambdaConfig={"PreSignUp": arn("served")}, Policies=policies)
    pools.admin.set_user_pool_mfa_config(UserPoolId=pool, SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration="OPTIONAL")
    client, pools.other = pools.client(pool), pools.client(pool)
    missing = pools.pool(LambdaConfig={"PreSignUp": arn("missing")})
    plain = pools.pool(AccountRecoverySetting={"RecoveryMechanisms": [{"Name": "admin_only", "Priority": 1}]})
    pools.others = [pools.client(missing), pools.client(plain), pools.client(plain, PreventUserExistenceErrors="ENABLED")]
    devices = pools.pool(DeviceConfiguration={"ChallengeRequiredOnNewDevice": False, "DeviceOnlyRememberedOnUserPrompt": False})
    pools.user(devices, "jill")
    pools.rotating = pools.client(
        devices, ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"], RefreshTokenRotation={"Feature": "ENABLED", "RetryGracePeriodSeconds": 0})
    pools.lasting = pools.client(devices, EnableTokenRevocation=False)
    start = len(pools.service.log)
    every_call(place, client, tmp_path)
    accounts(place, pools, pool, client)
    for token in ("", "x", "e30.e30.e30", "x" * 30_000):
        query = urllib.parse.urlencode({"Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleSessionName": "x",
                                        "RoleArn": "arn:aws:iam::123456789012:role/x", "WebIdentityToken": token})
        status, _, _ = exchange(pools, request("POST", "/", [("Content-Type", "application/x-www-form-urlencoded")], query.encode()))
        assert status in (400, 403), status
    for path in ("/", "/nowhere", f"/{pool}/.well-known/jwks.json", "/us-east-1_Unknown00/.well-known/jwks.json", "/.well-known/jwks_uri"):
        for method in ("GET", "POST", "PUT", "OPTIONS"):
            exchange(pools, request(method, path))
    # Messages are tried, and the function that is missing was looked for.
    eventually(lambda: any("message could not be sent" in line for line in pools.service.log))
    assert any("not configured" in line for line in pools.service.log)
    assert above_info(pools.service.log[start:]) == []
    # Nor can strangers fill the log with what functions do.
    assert len([line for line in pools.service.log if "a function" in line]) < 10
    # What the lines said before is counted, with its reason.
    figures = requests.get(pools.url + "/metrics", timeout=LIMIT).text
    for series in ('identity_messages_total{medium="EMAIL",outcome="dropped",code="message_refused"}',
                   'identity_messages_total{medium="EMAIL",outcome="delayed",code="message_unavailable"}',
                   'identity_hook_calls_total{trigger="PreSignUp",code="function_refused"}',
                   'identity_hook_calls_total{trigger="PreSignUp",code="function_unreachable"}',
                   "identity_hook_functions_missing_total"):
        assert series in figures, series
    # Each operation was refused, and each refusal that a stranger can get was got.
    for name in unsigned(USER_POOLS) + unsigned(IDENTITY_POOLS):
        assert place.reached[name] - {""}, name
    declared = {error.name for model in (USER_POOLS, IDENTITY_POOLS) for name in unsigned(model) if is_built(name)
                for error in model.operation_model(name).error_shapes}
    assert declared - set().union(*place.reached.values()) == set(UNREACHED)


def test_a_flood_is_no_alarm(tmp_path):
    """Calls beyond the rate."""
    place = Place(tmp_path, "--rate", 1)
    start = len(place.service.service.log)
    try:
        for _ in range(200):
            place("SignUp")
        assert "TooManyRequestsException" in place.reached["SignUp"]
        assert above_info(place.service.service.log[start:]) == []
    finally:
        assert place.service.stop() == 0
        place.receiver.stop()


def test_addresses_that_can_be_stored_can_be_sent_to(tmp_path):
    """Each first character and each other one of an address: it is refused at sign-up, or the mail program gets it."""
    program = tmp_path / "mail-program"
    program.write_text(textwrap.dedent(f"""\
        #!/bin/sh
        cat > /dev/null
        echo "$5" >> {tmp_path}/calls
        """))
    program.chmod(0o755)
    pools = UserPools(tmp_path, service=lambda data, *_: Service(data, "--mail-program", program, "--mail-from", "app@example.com", "--rate", 0))
    pool = pools.pool(AutoVerifiedAttributes=["email"])
    client = pools.client(pool)
    start, accepted = len(pools.service.log), set()
    try:
        for character in map(chr, range(0x20, 0x7F)):
            for number, local in enumerate((character + "x", "x" + character + "x")):
                body = {"ClientId": client, "Username": f"u{ord(character)}-{number}", "Password": PASSWORD,
                        "UserAttributes": [{"Name": "email", "Value": f"{local}@example.com"}]}
                status, _, _ = exchange(pools, call(TARGET + "SignUp", json.dumps(body).encode()))
                if status == 200:
                    accepted.add(f"{local}@example.com")
        assert len(accepted) > 100 and not {f"{mark}x@example.com" for mark in "-|/."} & accepted
        calls = tmp_path / "calls"
        eventually(lambda: calls.exists() and accepted == set(calls.read_text().splitlines()))
        assert above_info(pools.service.log[start:]) == []
        assert 'outcome="dropped"' not in requests.get(pools.url + "/metrics", timeout=LIMIT).text
    finally:
        assert pools.stop() == 0
