"""Identity pools: boto3 and the AWS CLI, unchanged but for the endpoint, against our service; PyJWT and moto besides."""
import concurrent.futures
import json
import os
import subprocess
import time

import jwt as pyjwt
import pytest
from moto.server import ThreadedMotoServer

import aws_clients
from clock import Clock
from conftest import run as run_program
from identity_support import DEVELOPER, DEVELOPER_TOKEN, FACEBOOK, GOOGLE, GUEST_ROLE, REGION, ROLE, Providers, Service, invariants, make_pool, trust
from programs import ROOT, Lines, peer_command
from waiting import LIMIT

NOBODY = f"{REGION}:00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("identity")


@pytest.fixture(scope="module")
def service(folder):
    service = Service(folder / "data", "--rate", 0)
    yield service
    assert service.stop() == 0
    invariants(service.folder)


@pytest.fixture(scope="module")
def providers(folder, service):
    providers = Providers(folder)
    providers.register(service)
    return providers


@pytest.fixture(scope="module")
def cognito(service):
    return service.client()


@pytest.fixture(scope="module")
def device(service):
    return service.unsigned()


@pytest.fixture(scope="module")
def pool(service, folder):
    return make_pool(service, folder)


def token(cognito, pool, user, **more):
    logins = {DEVELOPER: user, **more.pop("logins", {})}
    return cognito.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins=logins, **more)


def lives(compact):
    claims = pyjwt.decode(compact, options={"verify_signature": False})
    return claims["exp"] - claims["iat"]


def test_durations(service, cognito, pool):
    for asked, given in ((None, 900), (1, 1), (900, 900), (86_400, 86_400)):
        more = {} if asked is None else {"TokenDuration": asked}
        assert lives(token(cognito, pool, "durations", **more)["Token"]) == given
    loose = service.client(parameter_validation=False)
    for asked in (86_401, 0, -1, 2 ** 40):
        # As AWS answers (moto, issue 1979; amplify-swift, issue 2864): the model does not declare it, so that boto3 has no class for it.
        with pytest.raises(loose.exceptions.ClientError) as refused:
            token(loose, pool, "durations", TokenDuration=asked)
        error = refused.value.response["Error"]
        assert error["Code"] == "ValidationException"
        assert error["Message"].startswith(f"1 validation error detected: Value '{asked}' at 'tokenDuration' failed to satisfy constraint: ")


def test_enhanced_and_basic_flow(service, cognito, device, pool):
    issued = token(cognito, pool, "flows@example.com")
    assert token(cognito, pool, "flows@example.com")["IdentityId"] == issued["IdentityId"]
    before = int(time.time())
    given = device.get_credentials_for_identity(IdentityId=issued["IdentityId"], Logins={DEVELOPER_TOKEN: issued["Token"]})
    assert given["IdentityId"] == issued["IdentityId"]
    keys, after = given["Credentials"], time.time()
    assert keys["AccessKeyId"].startswith("ASIA") and before + 3600 <= keys["Expiration"].timestamp() <= after + 3601
    me = service.client("sts", key=(keys["AccessKeyId"], keys["SecretKey"]), token=keys["SessionToken"]).get_caller_identity()
    assert me["Arn"] == "arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials"
    assert me["Account"] == "123456789012"
    # The basic flow.
    sts = service.unsigned("sts")
    for asked in (900, None):
        more = {} if asked is None else {"DurationSeconds": asked}
        before = int(time.time())
        taken = sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="me@app", WebIdentityToken=issued["Token"], **more)
        assert taken["SubjectFromWebIdentityToken"] == issued["IdentityId"] and taken["Audience"] == pool
        assert taken["Provider"] == DEVELOPER_TOKEN
        after = time.time()
        assert before + (asked or 3600) <= taken["Credentials"]["Expiration"].timestamp() <= after + (asked or 3600) + 1
    keys = taken["Credentials"]
    client = service.client("sts", key=(keys["AccessKeyId"], keys["SecretAccessKey"]), token=keys["SessionToken"])
    assert client.get_caller_identity()["Arn"] == "arn:aws:sts::123456789012:assumed-role/app-user/me@app"
    with pytest.raises(sts.exceptions.ClientError) as refused:
        sts.assume_role_with_web_identity(RoleArn=GUEST_ROLE, RoleSessionName="me", WebIdentityToken=issued["Token"])
    assert refused.value.response["Error"]["Code"] == "AccessDenied"
    with pytest.raises(sts.exceptions.InvalidIdentityTokenException):
        sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="me", WebIdentityToken=issued["Token"][:-8] + "AAAAAAAA")
    with pytest.raises(sts.exceptions.MalformedPolicyDocumentException):
        sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="me", WebIdentityToken=issued["Token"], Policy="{}")
    with pytest.raises(sts.exceptions.ClientError) as refused:
        sts.assume_role_with_web_identity(
            RoleArn=ROLE, RoleSessionName="me", WebIdentityToken=issued["Token"], PolicyArns=[{"arn": "arn:aws:iam::aws:policy/ReadOnlyAccess"}])
    assert refused.value.response["Error"]["Code"] == "ValidationError"
    with pytest.raises(sts.exceptions.ClientError) as refused:
        sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="me", WebIdentityToken=issued["Token"], DurationSeconds=3601)
    assert refused.value.response["Error"]["Code"] == "ValidationError"


def test_expired_tokens(tmp_path):
    clock = Clock(tmp_path)
    service = Service(tmp_path / "data", clock=clock)
    pool, device = make_pool(service, tmp_path), service.unsigned()
    # Long enough for a slow machine, and short enough for the signatures of callers.
    issued = token(service.client(), pool, "short", TokenDuration=200)
    device.get_credentials_for_identity(IdentityId=issued["IdentityId"], Logins={DEVELOPER_TOKEN: issued["Token"]})
    clock.advance(202)
    with pytest.raises(device.exceptions.NotAuthorizedException):
        device.get_credentials_for_identity(IdentityId=issued["IdentityId"], Logins={DEVELOPER_TOKEN: issued["Token"]})
    sts = service.unsigned("sts")
    with pytest.raises(sts.exceptions.ExpiredTokenException):
        sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="me", WebIdentityToken=issued["Token"])
    assert service.stop() == 0


def test_guests(service, device, pool):
    guest = device.get_id(IdentityPoolId=pool)["IdentityId"]
    assert device.get_credentials_for_identity(IdentityId=guest)["Credentials"]["AccessKeyId"].startswith("ASIA")
    issued = device.get_open_id_token(IdentityId=guest)
    assert lives(issued["Token"]) == 600
    assert pyjwt.decode(issued["Token"], options={"verify_signature": False})["amr"] == ["unauthenticated"]
    sts = service.unsigned("sts")
    sts.assume_role_with_web_identity(RoleArn=GUEST_ROLE, RoleSessionName="guest", WebIdentityToken=issued["Token"])
    with pytest.raises(sts.exceptions.ClientError):
        sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="guest", WebIdentityToken=issued["Token"])


def test_linking_merging_unlinking(cognito, device, pool, providers):
    google, facebook = providers.token(GOOGLE, "g-link"), providers.token(FACEBOOK, "f-link")
    alone = device.get_id(IdentityPoolId=pool, Logins={GOOGLE: google})["IdentityId"]
    me = token(cognito, pool, "link")["IdentityId"]
    assert alone != me
    linked = token(cognito, pool, "link", logins={GOOGLE: google, FACEBOOK: facebook})
    assert linked["IdentityId"] == me
    assert set(cognito.describe_identity(IdentityId=me)["Logins"]) == {DEVELOPER, GOOGLE, FACEBOOK}
    for logins in ({GOOGLE: google}, {FACEBOOK: facebook}, {GOOGLE: google, FACEBOOK: facebook}):
        assert device.get_id(IdentityPoolId=pool, Logins=logins)["IdentityId"] == me
        assert device.get_credentials_for_identity(IdentityId=me, Logins=logins)["IdentityId"] == me
        assert device.get_open_id_token(IdentityId=me, Logins=logins)["IdentityId"] == me
    with pytest.raises(device.exceptions.NotAuthorizedException):
        device.get_credentials_for_identity(IdentityId=alone, Logins={GOOGLE: google})
    with pytest.raises(cognito.exceptions.ResourceConflictException):
        token(cognito, pool, "link", logins={GOOGLE: providers.token(GOOGLE, "g-second")})
    # Twelve users of the developer's on one identity, looked up by pages.
    for number in range(12):
        token(cognito, pool, f"alias-{number:02}")
        merged = cognito.merge_developer_identities(
            SourceUserIdentifier=f"alias-{number:02}", DestinationUserIdentifier="link", DeveloperProviderName=DEVELOPER, IdentityPoolId=pool)
        assert merged["IdentityId"] == me
    users, next_token = [], None
    while True:
        more = {"NextToken": next_token} if next_token else {}
        page = cognito.lookup_developer_identity(IdentityPoolId=pool, IdentityId=me, MaxResults=5, **more)
        users += page["DeveloperUserIdentifierList"]
        next_token = page.get("NextToken")
        if not next_token:
            break
    assert users == sorted(["link", *(f"alias-{number:02}" for number in range(12))])
    assert cognito.lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier="alias-03")["IdentityId"] == me
    other = token(cognito, pool, "somebody-else")["IdentityId"]
    with pytest.raises(cognito.exceptions.ResourceConflictException):
        cognito.lookup_developer_identity(IdentityPoolId=pool, IdentityId=other, DeveloperUserIdentifier="alias-03")
    with pytest.raises(cognito.exceptions.DeveloperUserAlreadyRegisteredException):
        token(cognito, pool, "alias-03", IdentityId=other)
    with pytest.raises(cognito.exceptions.ResourceNotFoundException):
        cognito.merge_developer_identities(
            SourceUserIdentifier="nobody", DestinationUserIdentifier="link", DeveloperProviderName=DEVELOPER, IdentityPoolId=pool)
    device.unlink_identity(IdentityId=me, Logins={GOOGLE: google}, LoginsToRemove=[FACEBOOK])
    assert device.get_id(IdentityPoolId=pool, Logins={FACEBOOK: facebook})["IdentityId"] != me
    cognito.unlink_developer_identity(IdentityId=me, IdentityPoolId=pool, DeveloperProviderName=DEVELOPER, DeveloperUserIdentifier="alias-03")
    assert token(cognito, pool, "alias-03")["IdentityId"] != me


def test_pools_tags_and_lists(cognito, pool):
    made = cognito.create_identity_pool(IdentityPoolName="second one", AllowUnauthenticatedIdentities=False, IdentityPoolTags={"stage": "test"})
    second = made["IdentityPoolId"]
    arn = f"arn:aws:cognito-identity:{REGION}:123456789012:identitypool/{second}"
    assert cognito.list_tags_for_resource(ResourceArn=arn)["Tags"] == {"stage": "test"}
    cognito.tag_resource(ResourceArn=arn, Tags={"owner": "me"})
    cognito.untag_resource(ResourceArn=arn, TagKeys=["stage"])
    assert cognito.describe_identity_pool(IdentityPoolId=second)["IdentityPoolTags"] == {"owner": "me"}
    seen, more = [], {}
    while True:
        page = cognito.list_identity_pools(MaxResults=1, **more)
        seen += [entry["IdentityPoolId"] for entry in page["IdentityPools"]]
        if "NextToken" not in page:
            break
        more = {"NextToken": page["NextToken"]}
    assert {pool, second} <= set(seen) and len(seen) == len(set(seen))
    updated = cognito.update_identity_pool(
        IdentityPoolId=second, IdentityPoolName="renamed", AllowUnauthenticatedIdentities=False, DeveloperProviderName="login.second",
        CognitoIdentityProviders=[{"ProviderName": f"cognito-idp.{REGION}.amazonaws.com/{REGION}_AbC", "ClientId": "client1"}],
        OpenIdConnectProviderARNs=["arn:aws:iam::123456789012:oidc-provider/id.example"],
        SamlProviderARNs=["arn:aws:iam::123456789012:saml-provider/corp"])
    assert updated["DeveloperProviderName"] == "login.second" and updated["IdentityPoolName"] == "renamed"
    with pytest.raises(cognito.exceptions.InvalidParameterException):
        cognito.update_identity_pool(IdentityPoolId=second, IdentityPoolName="x", AllowUnauthenticatedIdentities=False, DeveloperProviderName="login.third")
    mapping = {"graph.facebook.com": {"Type": "Rules", "AmbiguousRoleResolution": "Deny", "RulesConfiguration": {
        "Rules": [{"Claim": "sub", "MatchType": "Equals", "Value": "x", "RoleARN": ROLE}]}}}
    cognito.set_identity_pool_roles(IdentityPoolId=second, Roles={"authenticated": ROLE}, RoleMappings=mapping)
    roles = cognito.get_identity_pool_roles(IdentityPoolId=second)
    assert roles["Roles"] == {"authenticated": ROLE} and roles["RoleMappings"] == mapping
    cognito.set_principal_tag_attribute_map(IdentityPoolId=second, IdentityProviderName=GOOGLE, PrincipalTags={"who": "sub"})
    tags = cognito.get_principal_tag_attribute_map(IdentityPoolId=second, IdentityProviderName=GOOGLE)
    assert tags["PrincipalTags"] == {"who": "sub"} and tags["UseDefaults"] is False
    ids = [cognito.get_open_id_token_for_developer_identity(IdentityPoolId=second, Logins={"login.second": f"u{n}"})["IdentityId"] for n in range(3)]
    listed = cognito.list_identities(IdentityPoolId=second, MaxResults=2)
    rest = cognito.list_identities(IdentityPoolId=second, MaxResults=2, NextToken=listed["NextToken"])
    assert [entry["IdentityId"] for entry in listed["Identities"] + rest["Identities"]] == sorted(ids)
    assert cognito.delete_identities(IdentityIdsToDelete=[ids[0], NOBODY])["UnprocessedIdentityIds"] == [
        {"IdentityId": NOBODY, "ErrorCode": "AccessDenied"}]
    cognito.delete_identity_pool(IdentityPoolId=second)
    with pytest.raises(cognito.exceptions.ResourceNotFoundException):
        cognito.describe_identity_pool(IdentityPoolId=second)
    with pytest.raises(cognito.exceptions.ResourceNotFoundException):
        cognito.describe_identity(IdentityId=ids[1])


def test_every_operation_was_driven(service):
    """All operations of botocore's model have been called by the tests above, as the service's own metrics tell."""
    import requests
    text = requests.get(service.url + "/metrics", timeout=LIMIT).text
    model = service.client().meta.service_model.operation_names
    for name in [*model, "AssumeRoleWithWebIdentity", "GetCallerIdentity"]:
        assert f'identity_calls_total{{operation="{name}",code="ok"}}' in text, name


def test_pyjwt_and_verify_token(service, cognito, pool):
    issued = token(cognito, pool, "jane:with:colons", PrincipalTags={"team": "blue"})
    keys = pyjwt.PyJWKClient(service.url + "/.well-known/jwks_uri")
    claims = pyjwt.decode(
        issued["Token"], keys.get_signing_key_from_jwt(issued["Token"]).key, algorithms=["RS512"], audience=pool,
        issuer="https://cognito-identity.amazonaws.com", options={"require": ["exp", "iat", "sub", "amr"]})
    assert claims["amr"] == ["authenticated", DEVELOPER, f"{DEVELOPER}:{pool}:jane:with:colons"]
    assert claims["https://aws.amazon.com/tags"] == {"principal_tags": {"team": ["blue"]}}
    assert pyjwt.get_unverified_header(issued["Token"])["typ"] == "JWS"
    seen = run_program(
        "verify-token", "--identity-pool", pool, "--jwks", service.url + "/.well-known/jwks_uri", "--plain-loopback", "--output", "json",
        stdin=issued["Token"].encode())
    assert json.loads(seen.stdout)["valid"] is True, seen
    other = run_program(
        "verify-token", "--identity-pool", NOBODY, "--jwks", service.url + "/.well-known/jwks_uri", "--plain-loopback", "--output", "json",
        stdin=issued["Token"].encode())
    assert other.returncode == 1 and json.loads(other.stdout)["code"] == "audience_mismatch"


def test_tokens_of_every_kind_of_wrong(service, cognito, device, pool, providers, folder):
    strange = Providers(folder)
    now = int(time.time())
    wrong = {
        "another key": providers.token(GOOGLE, "w", key=strange.key), "expired": providers.token(GOOGLE, "w", exp=now - 1, iat=now - 600),
        "not for us": providers.token(GOOGLE, "w", aud="somebody"), "another issuer": providers.token(GOOGLE, "w", iss="https://evil.example"),
        "Facebook's": providers.token(FACEBOOK, "w"), "from tomorrow": providers.token(GOOGLE, "w", iat=now + 86_400, exp=now + 90_000),
        "no token": "hello", "unsigned": "eyJhbGciOiJub25lIn0.e30.", "for ever": providers.token(GOOGLE, "w", exp=now + 10 ** 9),
        "sql": "'; DROP TABLE login; --", "path": "../../../etc/passwd"}
    before = len(cognito.list_identities(IdentityPoolId=pool, MaxResults=60)["Identities"])
    for name, text in wrong.items():
        with pytest.raises(device.exceptions.NotAuthorizedException):
            device.get_id(IdentityPoolId=pool, Logins={GOOGLE: text})
        with pytest.raises(cognito.exceptions.NotAuthorizedException):
            token(cognito, pool, "wrong", logins={GOOGLE: text})
    other = cognito.create_identity_pool(IdentityPoolName="other", AllowUnauthenticatedIdentities=False, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
    theirs = token(cognito, other, "jane")
    mine = token(cognito, pool, "jane")
    for identity, text in ((mine["IdentityId"], theirs["Token"]), (theirs["IdentityId"], mine["Token"])):
        with pytest.raises(device.exceptions.NotAuthorizedException):
            device.get_credentials_for_identity(IdentityId=identity, Logins={DEVELOPER_TOKEN: text})
    # Another pool's token takes no role on that trusts this pool alone.
    sts = service.unsigned("sts")
    with pytest.raises(sts.exceptions.ClientError) as refused:
        sts.assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="me", WebIdentityToken=theirs["Token"])
    assert refused.value.response["Error"]["Code"] == "AccessDenied"
    assert len(cognito.list_identities(IdentityPoolId=pool, MaxResults=60)["Identities"]) == min(60, before + 1)


def test_sixty_four_link_the_same_login(service, pool, providers):
    google = providers.token(GOOGLE, "g-crowd")
    client, device = service.client(), service.unsigned()
    def one(index):
        if index % 2:
            return device.get_id(IdentityPoolId=pool, Logins={GOOGLE: google})["IdentityId"]
        return token(client, pool, "crowd", logins={GOOGLE: google})["IdentityId"]
    with concurrent.futures.ThreadPoolExecutor(64) as crowd:
        found = set(crowd.map(one, range(64)))
    after = token(client, pool, "crowd")["IdentityId"]
    assert after in found
    assert device.get_id(IdentityPoolId=pool, Logins={GOOGLE: google})["IdentityId"] == after
    for other in found - {after}:
        assert client.describe_identity(IdentityId=other)["Logins"] == []


def test_the_aws_cli(service, pool, tmp_path):
    environment = {
        **os.environ, "AWS_ACCESS_KEY_ID": service.key[0], "AWS_SECRET_ACCESS_KEY": service.key[1], "AWS_DEFAULT_REGION": REGION,
        "AWS_ENDPOINT_URL": service.url, "AWS_MAX_ATTEMPTS": "1", "AWS_CONFIG_FILE": str(tmp_path / "none"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "none")}

    def aws(*words, fails=None):
        done = subprocess.run([ROOT / ".venv/bin/aws", *words, "--output", "json"], capture_output=True, text=True, env=environment, timeout=LIMIT)
        if fails:
            assert done.returncode != 0 and fails in done.stderr, done.stderr
            return None
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else {}

    mine = aws("cognito-identity", "create-identity-pool", "--identity-pool-name", "cli", "--allow-unauthenticated-identities",
               "--allow-classic-flow", "--developer-provider-name", DEVELOPER)["IdentityPoolId"]
    issued = aws("cognito-identity", "get-open-id-token-for-developer-identity", "--identity-pool-id", mine, "--logins", f"{DEVELOPER}=cli",
                 "--token-duration", "86400")
    assert lives(issued["Token"]) == 86_400
    aws("cognito-identity", "get-open-id-token-for-developer-identity", "--identity-pool-id", mine, "--logins", f"{DEVELOPER}=cli",
        "--token-duration", "86401", fails="ValidationException")
    policy = tmp_path / "trust.json"
    policy.write_text(trust(mine, "authenticated"))
    role = "arn:aws:iam::123456789012:role/cli-user"
    service.command("role", "put", role, "--trust-policy", policy)
    aws("cognito-identity", "set-identity-pool-roles", "--identity-pool-id", mine, "--roles", f"authenticated={role}")
    assert aws("cognito-identity", "get-identity-pool-roles", "--identity-pool-id", mine)["Roles"] == {"authenticated": role}
    given = aws("cognito-identity", "get-credentials-for-identity", "--identity-id", issued["IdentityId"], "--logins",
                f"{DEVELOPER_TOKEN}={issued['Token']}")["Credentials"]
    taken = aws("sts", "assume-role-with-web-identity", "--role-arn", role, "--role-session-name", "cli", "--web-identity-token", issued["Token"])
    assert taken["AssumedRoleUser"]["Arn"].endswith("assumed-role/cli-user/cli")
    environment.update(AWS_ACCESS_KEY_ID=given["AccessKeyId"], AWS_SECRET_ACCESS_KEY=given["SecretKey"], AWS_SESSION_TOKEN=given["SessionToken"])
    assert aws("sts", "get-caller-identity")["Arn"].endswith("CognitoIdentityCredentials")
    # What is a device's opens nothing of the developer's.
    aws("cognito-identity", "list-identity-pools", "--max-results", "1", fails="AccessDeniedException")


@pytest.fixture()
def peer():
    """The device's side."""
    peer = Lines(peer_command("identities"))
    yield peer
    peer.close()


@pytest.mark.parametrize("flow", ["enhanced", "basic"])
def test_our_client_against_our_service(peer, service, cognito, pool, providers, tmp_path, flow):
    state = tmp_path / "identity.json"
    peer.ask("configure", endpoint=service.url, region=REGION, pool=pool, developer=DEVELOPER, key=service.key[0], secret=service.key[1],
             flow=flow, role=ROLE, guest_role=GUEST_ROLE, state=str(state))
    guest = peer.ask("credentials", callers=64)
    assert len(guest["keys"]) == 1 and guest["refreshes"] == 0
    assert "app-guest" in peer.ask("whoami", endpoint=service.url, region=REGION)["body"]
    assert json.loads(state.read_text())["identityId"] == guest["identity"] and state.stat().st_mode & 0o777 == 0o600
    # The guest signs in: the identity stays, the credentials are a user's.
    user = f"peer-{flow}"
    peer.ask("logins", logins={DEVELOPER: user})
    assert peer.ask("credentials")["keys"] == guest["keys"]
    peer.ask("clear_credentials")
    signed_in = peer.ask("credentials", callers=64)
    assert signed_in["identity"] == guest["identity"] and signed_in["refreshes"] == 1 and len(signed_in["keys"]) == 1
    assert "app-user" in peer.ask("whoami", endpoint=service.url, region=REGION)["body"]
    # Another provider comes along, linked by the developer's service.
    google = providers.token(GOOGLE, f"g-{user}")
    peer.ask("logins", logins={DEVELOPER: user, GOOGLE: google})
    peer.ask("clear_credentials")
    assert peer.ask("credentials")["identity"] == guest["identity"]
    assert set(cognito.describe_identity(IdentityId=guest["identity"])["Logins"]) == {DEVELOPER, GOOGLE}
    # And now Google alone: the pool itself is asked.
    peer.ask("logins", logins={GOOGLE: google})
    peer.ask("clear_credentials")
    assert peer.ask("credentials")["identity"] == guest["identity"]
    # Another user, whose identity is known at the service: it is another one, and that is announced.
    joe = token(cognito, pool, f"joe-{flow}")["IdentityId"]
    peer.ask("logins", logins={DEVELOPER: f"joe-{flow}"})
    peer.ask("clear_identity")
    assert not state.exists()
    assert peer.ask("credentials")["identity"] == joe
    assert peer.ask("changes")["changes"] == [[None, guest["identity"]], [guest["identity"], None], [None, joe]]
    # A guest signs in as a user who has an identity: the pool does not link the guest's, and the user's takes its place.
    peer.ask("logins", logins={})
    peer.ask("clear_identity")
    other = peer.ask("credentials")["identity"]
    assert other != joe
    peer.ask("logins", logins={DEVELOPER: f"joe-{flow}"})
    peer.ask("clear_credentials")
    assert peer.ask("credentials")["identity"] == joe and json.loads(state.read_text())["identityId"] == joe
    assert peer.ask("changes")["changes"][3:] == [[joe, None], [None, other], [other, joe]]
    peer.ask("clear_credentials")
    assert peer.ask("credentials")["identity"] == joe
    # The identity is removed behind the device's back: it is dropped, and asked for once more.
    cognito.delete_identities(IdentityIdsToDelete=[joe])
    peer.ask("logins", logins={GOOGLE: google})
    peer.ask("clear_credentials")
    assert peer.ask("credentials")["identity"] == guest["identity"]
    refused = peer.ask("call", identity=joe)
    assert refused["code"] == "service_refused_call" and refused["type"] == "ResourceNotFoundException"


def test_our_client_against_moto(peer):
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        url = f"http://{host}:{port}"
        theirs = aws_clients.client(
            "cognito-identity", endpoint_url=url, region_name=REGION, aws_access_key_id="AKIAEXAMPLE", aws_secret_access_key="secret")
        pool = theirs.create_identity_pool(IdentityPoolName="moto", AllowUnauthenticatedIdentities=True, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
        peer.ask("configure", endpoint=url, region=REGION, pool=pool, developer=DEVELOPER, key="AKIAEXAMPLE", secret="secret", flow="enhanced")
        guest = peer.ask("credentials", callers=8)
        assert len(guest["keys"]) == 1 and guest["identity"].startswith(REGION + ":"), guest
        assert peer.ask("call", identity=guest["identity"])["identity"] == guest["identity"]
        peer.ask("logins", logins={DEVELOPER: "jane"})
        peer.ask("clear_identity")
        jane = peer.ask("credentials")
        assert jane["refreshes"] == 1 and jane["identity"].startswith(REGION + ":"), jane
    finally:
        server.stop()
