"""A signed call that changes something and comes again is not executed again, whoever sends it."""
import concurrent.futures
import json

import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from clock import Clock
from identity_support import DEVELOPER, REGION, Service
from waiting import LIMIT


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repeated")
    clock = Clock(folder, uptime=True)
    service = Service(folder / "data", "--rate", 0, clock=clock)
    service.clock = clock
    yield service
    assert service.stop() == 0


def signed(service, operation, body):
    data = json.dumps(body)
    request = AWSRequest("POST", service.url + "/", data=data, headers={
        "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSCognitoIdentityService." + operation})
    SigV4Auth(Credentials(*service.key), "cognito-identity", REGION).add_auth(request)
    return dict(request.headers), data


def send(service, call):
    answer = requests.post(service.url + "/", data=call[1], headers=call[0], timeout=LIMIT)
    return answer.status_code, answer.json()


def update(service, pool, guests):
    return signed(service, "UpdateIdentityPool", {"IdentityPoolId": pool, "IdentityPoolName": "pool", "AllowUnauthenticatedIdentities": guests,
                                                  "DeveloperProviderName": DEVELOPER})


def test_an_old_update_sets_nothing_back(service):
    client = service.client()
    pool = client.create_identity_pool(IdentityPoolName="pool", AllowUnauthenticatedIdentities=False, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
    on, off = update(service, pool, True), update(service, pool, False)
    first = send(service, on)
    assert first[0] == 200 and first[1]["AllowUnauthenticatedIdentities"] is True
    assert send(service, off)[0] == 200
    assert send(service, on) == first
    # In another form of the header the signature is the same.
    again = ({**on[0], "Authorization": on[0]["Authorization"].replace(", ", ",")}, on[1])
    assert send(service, again) == first
    assert client.describe_identity_pool(IdentityPoolId=pool)["AllowUnauthenticatedIdentities"] is False


def test_many_at_once_make_one_pool(service):
    before = len(service.client().list_identity_pools(MaxResults=60)["IdentityPools"])
    call = signed(service, "CreateIdentityPool", {"IdentityPoolName": "once", "AllowUnauthenticatedIdentities": False})
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: send(service, call), range(32)))
    assert all(answer == answers[0] for answer in answers) and answers[0][0] == 200
    assert len(service.client().list_identity_pools(MaxResults=60)["IdentityPools"]) == before + 1


def test_equal_calls_of_one_second_are_executed_in_order(service):
    """An SDK makes the same call twice in a second, with others in between: none gets a response that is no longer true."""
    client = service.client()
    pool = client.create_identity_pool(IdentityPoolName="pool", AllowUnauthenticatedIdentities=False, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]

    def identity(user):
        return client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: user})["IdentityId"]

    target = identity("jane")
    for _ in range(8):
        identity("john")
        client.merge_developer_identities(
            SourceUserIdentifier="john", DestinationUserIdentifier="jane", DeveloperProviderName=DEVELOPER, IdentityPoolId=pool)
        assert identity("john") == target
        client.unlink_developer_identity(IdentityId=target, IdentityPoolId=pool, DeveloperProviderName=DEVELOPER, DeveloperUserIdentifier="john")
        assert identity("john") != target


def test_a_copy_with_another_name_is_not_executed_later(service):
    headers, data = signed(service, "CreateIdentityPool", {"IdentityPoolName": "named", "AllowUnauthenticatedIdentities": False})
    before = len(service.client().list_identity_pools(MaxResults=60)["IdentityPools"])
    first = send(service, ({**headers, "amz-sdk-invocation-id": "one"}, data))
    assert first[0] == 200 and send(service, ({**headers, "amz-sdk-invocation-id": "one"}, data)) == first
    # Two seconds are the time within which a call with another name is executed.
    service.clock.advance(3)
    for other in ({"amz-sdk-invocation-id": "two"}, {"amz-sdk-invocation-id": "one"}, {}):
        assert send(service, ({**headers, **other}, data)) == first
    assert len(service.client().list_identity_pools(MaxResults=60)["IdentityPools"]) == before + 1


def test_a_refusal_stays_one(service):
    call = signed(service, "DeleteIdentityPool", {"IdentityPoolId": f"{REGION}:00000000-0000-4000-8000-000000000000"})
    first = send(service, call)
    assert first[0] == 400 and first[1]["code"] == "pool_unknown"
    assert send(service, call) == first


def test_reading_and_issuing_are_repeated(service):
    client = service.client()
    pool = client.create_identity_pool(IdentityPoolName="pool", AllowUnauthenticatedIdentities=False, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
    describe = signed(service, "DescribeIdentityPool", {"IdentityPoolId": pool})
    assert send(service, describe)[1]["IdentityPoolName"] == "pool"
    client.update_identity_pool(IdentityPoolId=pool, IdentityPoolName="renamed", AllowUnauthenticatedIdentities=False)
    assert send(service, describe)[1]["IdentityPoolName"] == "renamed"
    token = signed(service, "GetOpenIdTokenForDeveloperIdentity", {"IdentityPoolId": pool, "Logins": {DEVELOPER: "jane"}})
    identities = {send(service, token)[1]["IdentityId"] for _ in range(3)}
    assert len(identities) == 1
