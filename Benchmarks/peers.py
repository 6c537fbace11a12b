"""Measures PyJWT and joserfc on the token that is given in material.json, awscrt and botocore on a request, pycognito on a
sign-in, pyotp on codes, moto and principalmapper on a policy: microseconds each."""
import base64
import collections
import collections.abc
import datetime
import io
import json
import pathlib
import statistics
import sys
import time

import awscrt.auth
import awscrt.http
import awscrt.io
import botocore.auth
import botocore.awsrequest
import botocore.credentials
import jwt
import pyotp
from joserfc import jwk as jrfc_jwk
from joserfc import jwt as jrfc_jwt

ISSUER = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01"
CLIENT = "1h57kf5cpq17m0eml12EXAMPLE"


def ours(claims):
    assert claims["token_use"] == "access" and claims["client_id"] == CLIENT


def contenders(name, entry):
    token = entry["token"]
    alg = "EdDSA" if name == "Ed25519" else name
    secret = base64.b64decode(entry["secret"])
    if name == "Ed25519":
        return  # Both libraries know Ed25519 under its older name alone, or not at all.
    key = jwt.PyJWK(json.loads(entry["jwk"]), alg).key if entry.get("jwk") else secret

    def pyjwt():
        ours(jwt.decode(token, key, algorithms=[alg], issuer=ISSUER, options={"require": ["exp"], "verify_aud": False}))

    rfc_key = jrfc_jwk.import_key(json.loads(entry["jwk"])) if entry.get("jwk") else jrfc_jwk.OctKey.import_key(secret)
    registry = jrfc_jwt.JWTClaimsRegistry(iss={"essential": True, "value": ISSUER}, exp={"essential": True})

    def joserfc():
        decoded = jrfc_jwt.decode(token, rfc_key, algorithms=[alg])
        registry.validate(decoded.claims)
        ours(decoded.claims)

    yield "PyJWT", pyjwt
    yield "joserfc", joserfc


BODY = (b'{"IdentityPoolId":"us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53","Logins":{"login.example":"jane"},'
        b'"TokenDuration":900}')
HOST = "cognito-identity.us-east-1.amazonaws.com"
HEADERS = [("Host", HOST), ("Content-Type", "application/x-amz-json-1.1"),
           ("X-Amz-Target", "AWSCognitoIdentityService.GetOpenIdTokenForDeveloperIdentity")]
KEY = ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")


def signers():
    """awscrt and botocore, signing the call that the Swift side signs."""
    provider = awscrt.auth.AwsCredentialsProvider.new_static(*KEY)
    config = awscrt.auth.AwsSigningConfig(
        algorithm=awscrt.auth.AwsSigningAlgorithm.V4, signature_type=awscrt.auth.AwsSignatureType.HTTP_REQUEST_HEADERS,
        credentials_provider=provider, region="us-east-1", service="cognito-identity",
        date=datetime.datetime.now(datetime.timezone.utc))

    def awscrt_sign():
        request = awscrt.http.HttpRequest("POST", "/", awscrt.http.HttpHeaders(HEADERS), awscrt.io.InputStream(io.BytesIO(BODY)))
        awscrt.auth.aws_sign_request(request, config).result()

    auth = botocore.auth.SigV4Auth(botocore.credentials.Credentials(*KEY), "cognito-identity", "us-east-1")

    def botocore_sign():
        request = botocore.awsrequest.AWSRequest("POST", f"https://{HOST}/", headers=dict(HEADERS[1:]), data=BODY)
        auth.add_auth(request)

    yield "awscrt, called from Python", awscrt_sign
    yield "botocore", botocore_sign


def policies(file):
    """moto and principalmapper, deciding over the policy of the Swift side. As there, the document is read before."""
    from moto.iam.access_control import IAMPolicyStatement, PermissionResult

    given = json.loads(file.read_text())
    document, action, resource = json.loads(given["policy"]), given["action"], given["resource"]
    statements = [IAMPolicyStatement(statement) for statement in document["Statement"]]

    def moto():
        answers = [statement.is_action_permitted(action, resource) for statement in statements]
        assert PermissionResult.DENIED not in answers and PermissionResult.PERMITTED in answers

    # principalmapper 1.1.5 takes them from where they were before Python 3.10.
    collections.Mapping, collections.MutableMapping = collections.abc.Mapping, collections.abc.MutableMapping
    from principalmapper.querying.local_policy_simulation import policy_has_matching_statement
    from principalmapper.util.case_insensitive_dict import CaseInsensitiveDict

    context = CaseInsensitiveDict({})

    def principalmapper():
        assert not policy_has_matching_statement(document, "Deny", action, resource, context)
        assert policy_has_matching_statement(document, "Allow", action, resource, context)

    yield "moto", moto
    yield "principalmapper", principalmapper


def sign_in():
    """pycognito's client: A, key, signature."""
    from pycognito.aws_srp import AWSSRP

    challenge = {
        "USERNAME": "0d1c6e2a", "USER_ID_FOR_SRP": "0d1c6e2a", "SALT": "f90f48f03c28dc866d91b62c99a0ea47",
        "SRP_B": "a4" * 383, "SECRET_BLOCK": base64.b64encode(bytes(130)).decode(),
    }
    client = object()

    def run():
        srp = AWSSRP("alice", "Tr0ub4dor&3", "eu-west-1_AbCdEfGhI", "client", client=client)
        srp.process_challenge(challenge, {"USERNAME": "alice"})

    return run


class Body(io.BytesIO):
    """The body of a response as botocore reads it."""

    def stream(self, **_):
        yield self.read()


def whole_sign_in(file):
    """pycognito's client with its calls and the verification of the tokens. botocore gets its responses without a network."""
    import pycognito

    given = json.loads(file.read_text())

    def respond(request, event_name, **_):
        name = "challenge" if event_name.endswith("InitiateAuth") else "tokens"
        body = Body(json.dumps(given[name]).encode())
        return botocore.awsrequest.AWSResponse(request.url, 200, {"content-type": "application/x-amz-json-1.1"}, body)

    cognito = pycognito.Cognito(given["pool"], given["client"], username="alice", access_key=KEY[0], secret_key=KEY[1])
    cognito.client.meta.events.register("before-send.cognito-identity-provider", respond)
    cognito.pool_jwk = given["keys"]

    def run():
        cognito.authenticate("Tr0ub4dor&3")
        assert cognito.id_claims["cognito:username"] == cognito.access_claims["username"]

    return run


def codes():
    totp = pyotp.TOTP("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    now = 1_788_598_987
    code = totp.at(now)

    def check():
        assert totp.verify(code, for_time=now, valid_window=1)

    yield "a code, pyotp", lambda: totp.at(now)
    yield "a check with a window of one, pyotp", check


def measure(group, peer, run, count=200, clock=time.perf_counter):
    times = []
    for _ in range(8):
        start = clock()
        for _ in range(count):
            run()
        times.append((clock() - start) / count * 1e6)
    print(json.dumps({"group": group, "name": peer, "value": statistics.median(times[1:])}))


def main():
    with open(sys.argv[1]) as file:
        material = json.load(file)
    for name, entry in material.items():
        for peer, run in contenders(name, entry):
            measure(name, peer, run)
    for peer, run in signers():
        measure("requests", peer, run)
    for peer, run in policies(pathlib.Path(sys.argv[1]).parent / "policy.json"):
        measure("policies", peer, run)
    measure("sign-ins", "client: pycognito", sign_in(), 5, time.process_time)
    whole = whole_sign_in(pathlib.Path(sys.argv[1]).parent / "sign-in.json")
    measure("sign-ins", "client: pycognito, a whole sign-in, tokens verified, without a network", whole, 5, time.process_time)
    for peer, run in codes():
        measure("codes", peer, run, 1000)


main()
