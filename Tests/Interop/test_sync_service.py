"""Data sets of identity-service with boto3 and the AWS CLI, with credentials of GetCredentialsForIdentity."""
import contextlib
import datetime
import json
import os
import pathlib
import subprocess
import sys
import urllib.parse

import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

import raw_http
from identity_support import DEVELOPER, REGION, run
from sizes import scaled
from sync_support import APPLICATION, PUSH_ROLE, Identity, Sync, push_trust, put_role, remove, replace
from waiting import LIMIT, eventually


@pytest.fixture(scope="module")
def sync(tmp_path_factory):
    # Tests hold bodies that do not end, for longer than a busy machine needs to take them.
    made = Sync(tmp_path_factory.mktemp("sync"), "--request-timeout", 300)
    yield made
    assert made.stop() == 0


def error(refused):
    response = refused.value.response
    return response["Error"]["Code"], response["ResponseMetadata"]["HTTPStatusCode"], response["Error"]["Message"]


def test_records_travel(sync):
    jane = sync.user("travel")
    client = jane.client()
    empty = jane.list("notes", client)
    assert (empty["DatasetExists"], empty["DatasetSyncCount"], empty["Records"]) == (False, 0, [])
    device = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    first = jane.update("notes", [{**replace("a", "1"), "DeviceLastModifiedDate": device}, replace("b", "\u6771\n\u0001")], client)
    assert [(record["Key"], record["SyncCount"]) for record in first] == [("a", 1), ("b", 1)]
    assert first[0]["DeviceLastModifiedDate"] == device and first[0]["LastModifiedBy"] == jane.id
    assert jane.update("notes", [remove("a", 1)], client)[0].get("Value") is None
    after = jane.list("notes", client, LastSyncCount=1)
    assert [(record["Key"], "Value" in record) for record in after["Records"]] == [("a", False)]
    assert (after["DatasetSyncCount"], after["Count"]) == (2, 1)
    assert jane.list("notes", client)["Records"][0]["Value"] == "\u6771\n\u0001"
    found = client.describe_dataset(**jane.place, DatasetName="notes")["Dataset"]
    assert (found["NumRecords"], found["DataStorage"]) == (1, 1 + 1 + 5)
    assert [entry["DatasetName"] for entry in client.list_datasets(**jane.place)["Datasets"]] == ["notes"]
    usage = client.describe_identity_usage(**jane.place)["IdentityUsage"]
    assert (usage["DatasetCount"], usage["DataStorage"]) == (1, 7)
    assert client.delete_dataset(**jane.place, DatasetName="notes")["Dataset"]["DatasetName"] == "notes"
    gone = jane.list("notes", client, LastSyncCount=2)
    assert (gone["DatasetExists"], gone["DatasetDeletedAfterRequestedSyncCount"]) == (False, True)


def test_pages(sync):
    jane = sync.user("pages")
    client = jane.client()
    jane.update("notes", [replace(f"{number:04}", "v") for number in range(250)], client)
    keys, token = [], None
    while True:
        page = jane.list("notes", client, MaxResults=100, **({"NextToken": token} if token else {}))
        keys += [record["Key"] for record in page["Records"]]
        token = page.get("NextToken")
        if token is None:
            break
    assert keys == [f"{number:04}" for number in range(250)]


def test_conflicts(sync):
    jane = sync.user("conflicts")
    client = jane.client()
    jane.update("notes", [replace("KEY", "1")], client)
    jane.update("notes", [replace("KEY", "2", 1)], client)
    with pytest.raises(client.exceptions.ResourceConflictException) as refused:
        jane.update("notes", [replace("other", "x"), replace("KEY", "3", 1)], client)
    assert error(refused) == ("ResourceConflictException", 409, "Current SyncCount for: KEY is: 2 not: 1")
    assert [record["Key"] for record in jane.list("notes", client)["Records"]] == ["KEY"]
    with pytest.raises(client.exceptions.InvalidParameterException) as refused:
        jane.list("notes", client, LastSyncCount=37)
    assert error(refused)[1:] == (400, "No such SyncCount: 37 exists for this Dataset")
    token = jane.list("others", client)["SyncSessionToken"]
    with pytest.raises(client.exceptions.InvalidParameterException) as refused:
        client.update_records(**jane.place, DatasetName="notes", SyncSessionToken=token, RecordPatches=[replace("x", "y")])
    assert error(refused)[1:] == (400, "SyncSessionToken not valid for these inputs")


def test_a_full_dataset(sync):
    """A megabyte of values, also where its JSON needs six times as much."""
    jane = sync.user("full")
    client = jane.client()
    for name, character in (("plain", "a"), ("escaped", "\u0001")):
        value = character * 1_048_575
        jane.update(name, [replace("k", value)], client)
        assert jane.list(name, client)["Records"][0]["Value"] == value
        with pytest.raises(client.exceptions.LimitExceededException) as refused:
            jane.update(name, [replace("l", "")], client)
        assert error(refused)[1] == 400
    length = scaled(1_020, 400)
    many = [replace(f"{number:04}", "\u0001" * length) for number in range(1_024)]
    jane.update("many", many, client)
    # A page ends after about a megabyte of JSON.
    pages, token = [], {}
    while token is not None:
        page = jane.list("many", client, **token)
        pages.append(page["Records"])
        token = {"NextToken": page["NextToken"]} if "NextToken" in page else None
    assert [len(page) * length < 200_000 for page in pages] == [True] * (7 if length == 1_020 else 3)
    assert sorted(record["Key"] for page in pages for record in page) == [f"{number:04}" for number in range(1_024)]


def test_who_may_call(sync):
    jane, guest = sync.user("who"), sync.guest()
    jane.update("notes", [replace("a", "1")])
    for client in (guest.client(), sync.guest().client()):
        for call in (client.describe_dataset, client.list_records, client.delete_dataset):
            with pytest.raises(ClientError) as refused:
                call(**jane.place, DatasetName="notes")
            assert error(refused)[:2] == ("NotAuthorizedException", 403)
    # The developer reads and changes all identities' data sets, and registers no devices.
    developer = sync.developer()
    assert jane.list("notes", developer)["Count"] == 1
    jane.update("notes", [replace("b", "2")], developer)
    assert jane.list("notes")["LastModifiedBy"] == "123456789012"
    with pytest.raises(ClientError) as refused:
        developer.register_device(**jane.place, Platform="GCM", Token="token")
    assert error(refused)[:2] == ("NotAuthorizedException", 403)
    # Identities do not read the pool's settings.
    with pytest.raises(ClientError) as refused:
        jane.client().get_identity_pool_configuration(IdentityPoolId=sync.pool)
    assert error(refused)[:2] == ("NotAuthorizedException", 403)
    with pytest.raises(ClientError) as refused:
        developer.describe_dataset(**jane.place, DatasetName="none")
    assert error(refused)[:2] == ("ResourceNotFoundException", 404)
    # Without a signature, with a wrong one, and with a token that was changed.
    path = f"{sync.service.url}/identitypools/{urllib.parse.quote(sync.pool, '')}/identities/{urllib.parse.quote(jane.id, '')}/datasets"
    assert requests.get(path, timeout=LIMIT).status_code == 403
    (key, secret), token = jane.keys
    for client in (
            sync.service.client("cognito-sync", key=(key, secret[::-1]), token=token),
            sync.service.client("cognito-sync", key=(key, secret), token=token[:-4] + "AAAA"),
            sync.service.client("cognito-sync", key=("AKIAAAAAAAAAAAAAAAAA", secret))):
        with pytest.raises(ClientError) as refused:
            client.list_datasets(**jane.place)
        assert error(refused)[1] == 403


def test_removed_and_merged_identities(sync):
    jane, joan = sync.user("merged-jane"), sync.user("merged-joan")
    jane.update("notes", [replace("a", "jane")])
    joan.update("notes", [replace("a", "joan")])
    sync.service.client().merge_developer_identities(
        SourceUserIdentifier="merged-joan", DestinationUserIdentifier="merged-jane", DeveloperProviderName=DEVELOPER, IdentityPoolId=sync.pool)
    with pytest.raises(ClientError) as refused:
        joan.list("notes")
    assert error(refused)[:2] == ("NotAuthorizedException", 403)
    assert jane.list("notes")["MergedDatasetNames"] == [f"notes.{joan.id}"]
    assert jane.list(f"notes.{joan.id}")["Records"][0]["Value"] == "joan"
    jane.client().delete_dataset(**jane.place, DatasetName=f"notes.{joan.id}")
    assert jane.list("notes")["MergedDatasetNames"] == []
    sync.service.client().delete_identities(IdentityIdsToDelete=[jane.id])
    with pytest.raises(ClientError) as refused:
        jane.list("notes")
    assert error(refused)[:2] == ("NotAuthorizedException", 403)


def test_settings(sync):
    developer = sync.developer()
    before = developer.get_identity_pool_configuration(IdentityPoolId=sync.pool)
    assert "PushSync" not in before and before["IdentityPoolId"] == sync.pool
    settings = {"ApplicationArns": [APPLICATION], "RoleArn": PUSH_ROLE}
    with pytest.raises(ClientError) as refused:
        developer.set_identity_pool_configuration(IdentityPoolId=sync.pool, PushSync=settings)
    assert error(refused)[:2] == ("InvalidParameterException", 400)
    put_role(sync.service, sync.folder, PUSH_ROLE, push_trust(sync.pool))
    assert developer.set_identity_pool_configuration(IdentityPoolId=sync.pool, PushSync=settings)["PushSync"] == settings
    assert developer.get_identity_pool_configuration(IdentityPoolId=sync.pool)["PushSync"] == settings
    # A policy without one of the conditions is refused when it is loaded.
    for missing in ("StringEquals", "ArnLike"):
        policy = json.loads(push_trust(sync.pool))
        del policy["Statement"][0]["Condition"][missing]
        path = sync.folder / "incomplete.json"
        path.write_text(json.dumps(policy))
        done = run("role", "put", PUSH_ROLE + missing, "--trust-policy", path, *sync.service.place)
        assert done.returncode != 0 and "cannot be loaded" in done.stderr, done.stderr
    assert "PushSync" not in developer.set_identity_pool_configuration(IdentityPoolId=sync.pool)


def test_operations_that_are_not_built(sync):
    developer = sync.developer()
    for call in (
            lambda: developer.list_identity_pool_usage(), lambda: developer.describe_identity_pool_usage(IdentityPoolId=sync.pool),
            lambda: developer.get_cognito_events(IdentityPoolId=sync.pool),
            lambda: developer.set_cognito_events(IdentityPoolId=sync.pool, Events={"SyncTrigger": "arn"}),
            lambda: developer.bulk_publish(IdentityPoolId=sync.pool), lambda: developer.get_bulk_publish_details(IdentityPoolId=sync.pool)):
        with pytest.raises(ClientError) as refused:
            call()
        assert error(refused)[0] == "NotImplementedException"
    with pytest.raises(ClientError) as refused:
        developer.set_identity_pool_configuration(IdentityPoolId=sync.pool, CognitoStreams={"StreamName": "s"})
    assert error(refused)[:2] == ("InvalidParameterException", 400)


def test_the_command_line(sync):
    """The AWS CLI, whose identity and data set are in the path."""
    jane = sync.user("cli")
    (key, secret), token = jane.keys
    environment = {
        **os.environ, "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": token,
        "AWS_DEFAULT_REGION": REGION, "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull}
    program = pathlib.Path(sys.executable).parent / "aws"

    def aws(*words):
        done = subprocess.run(
            [sys.executable, program, "cognito-sync", *words, "--endpoint-url", sync.service.url, "--identity-pool-id", sync.pool,
             "--identity-id", jane.id, "--output", "json"], capture_output=True, text=True, timeout=LIMIT, env=environment)
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr

    session = aws("list-records", "--dataset-name", "notes")["SyncSessionToken"]
    made = aws("update-records", "--dataset-name", "notes", "--sync-session-token", session, "--record-patches", json.dumps([replace("a", "1")]))
    assert made["Records"][0]["SyncCount"] == 1
    assert "Current SyncCount for: a is: 1 not: 0" in aws(
        "update-records", "--dataset-name", "notes", "--sync-session-token", session, "--record-patches", json.dumps([replace("a", "1")]))
    assert aws("list-datasets")["Count"] == 1
    assert aws("delete-dataset", "--dataset-name", "notes")["Dataset"]["NumRecords"] == 1


def signed(sync, identity, method, path, body):
    """A request as botocore signs it, which is sent by hand."""
    (key, secret), token = identity.keys
    request = AWSRequest(method=method, url=sync.service.url + path, data=body, headers={"Content-Type": "application/json"})
    SigV4Auth(Credentials(key, secret, token), "cognito-sync", REGION).add_auth(request)
    return request.prepare()


LARGE = b'{"a": "' + b"a" * (2 << 20) + b'"}'


def dataset_path(sync, identity):
    return f"/identitypools/{urllib.parse.quote(sync.pool, '')}/identities/{urllib.parse.quote(identity.id, '')}/datasets/notes"


def large_head(sync, identity, path):
    """The head of a signed request with a large body, to be sent by hand."""
    prepared = signed(sync, identity, "POST", path, LARGE)
    target = urllib.parse.urlsplit(prepared.url)
    length = [] if "Content-Length" in prepared.headers else [("Content-Length", str(len(LARGE)))]
    return raw_http.request("POST", target.path, [*prepared.headers.items(), *length], host=target.netloc.encode())


def another(sync, data):
    """The status of a further request, None where its connection is closed."""
    answer = raw_http.exchange(sync.service, data)
    return answer[0] if answer else None


def status(connection):
    answer = raw_http.response(connection)
    return answer[0] if answer else None


def test_a_large_body_is_read_only_for_those_who_may_send_it(sync):
    jane, guest = sync.user("large"), sync.guest()
    place, large = dataset_path(sync, jane), LARGE
    # Its own path: read, and refused for what it lacks.
    taken = signed(sync, jane, "POST", place, large)
    answer = requests.request(taken.method, taken.url, headers=dict(taken.headers), data=large, timeout=LIMIT)
    assert (answer.status_code, answer.headers["x-amzn-ErrorType"]) == (400, "InvalidParameterException")
    assert "syncSessionToken" in answer.json()["message"]
    # Another one's path, an unknown key, and a token that does not open.
    refused = signed(sync, guest, "POST", place, large)
    answer = requests.request(refused.method, refused.url, headers=dict(refused.headers), data=large, timeout=LIMIT)
    assert (answer.status_code, answer.headers["x-amzn-ErrorType"]) == (403, "NotAuthorizedException")
    (key, secret), token = jane.keys
    for identity in (
            Identity(sync, jane.id, (("AKIAAAAAAAAAAAAAAAAA", secret), None)),
            Identity(sync, jane.id, ((key, secret), token[:-4] + "AAAA"))):
        refused = signed(sync, identity, "POST", place, large)
        answer = requests.request(refused.method, refused.url, headers=dict(refused.headers), data=large, timeout=LIMIT)
        assert answer.status_code == 403, answer.text
    # Other operations have the usual limit.
    device = place.replace("/identities/", "/identity/").rsplit("/datasets", 1)[0] + "/device"
    other = signed(sync, jane, "POST", device, large)
    answer = requests.request(other.method, other.url, headers=dict(other.headers), data=large, timeout=LIMIT)
    assert answer.status_code == 400 and "1048576" in answer.json()["message"]


def test_the_head_says_whether_a_large_body_is_kept(sync):
    """Path, method and key are checked before the body: bodies that are refused by them take none of the eight places."""
    jane, guest = sync.user("places"), sync.guest()
    place = dataset_path(sync, jane)
    head = large_head(sync, guest, place)
    held = [raw_http.connect(sync.service) for _ in range(8)]
    try:
        for connection in held:
            connection.sendall(head + LARGE[:1_500_000])
        # If they were kept, the next one would have no place.
        eventually(lambda: all(raw_http.is_read(connection) for connection in held))
        assert raw_http.exchange(sync.service, large_head(sync, jane, place) + LARGE)[0] == 400
        for connection in held:
            connection.sendall(LARGE[1_500_000:])
            assert raw_http.response(connection)[0] == 403
    finally:
        for connection in held:
            connection.close()


def test_a_large_body_does_not_tell_which_access_keys_exist(sync):
    """An unknown key, and a known one with another secret: one response, and the same places, four of an address."""
    jane = sync.user("strangers")
    place = dataset_path(sync, jane)
    known, unknown = sync.service.key[0], "AKIAAAAAAAAAAAAAAAAA"

    def stranger(key):
        return Identity(sync, jane.id, ((key, "not the secret"), None))

    answers = []
    for key in (known, unknown):
        for body in (LARGE, b'{"a": 1}'):
            refused = signed(sync, stranger(key), "POST", place, body)
            answer = requests.request(refused.method, refused.url, headers=dict(refused.headers), data=body, timeout=LIMIT)
            answers.append((answer.status_code, answer.headers["x-amzn-ErrorType"], answer.json()["message"].replace(key, "KEY"), answer.json().get("code")))
    assert len(set(answers)) == 1 and answers[0][0] == 403, answers
    for key in (known, unknown):
        head = large_head(sync, stranger(key), place)
        with raw_http.Held(sync.service, 4, head + LARGE[:1_500_000]) as held:
            eventually(lambda: another(sync, head + LARGE) == 429 or held.renew())
            # The places of identities are others.
            assert another(sync, large_head(sync, jane, place) + LARGE) == 400
        eventually(lambda: another(sync, head + LARGE) == 403)


def test_responses_that_are_not_read_are_bounded(tmp_path):
    """Eight large ones of one address are held; a further one is refused until one was read."""
    # A build for debugging takes a second to write the response, which other connections wait for.
    sync = Sync(tmp_path, "--response-timeout", 300, "--request-timeout", 300)
    jane = sync.user("unread")
    jane.update("notes", [replace("k", "\u0001" * 200_000)])
    prepared = signed(sync, jane, "GET", dataset_path(sync, jane) + "/records", b"")
    target = urllib.parse.urlsplit(prepared.url)
    head = raw_http.request("GET", target.path, prepared.headers.items(), host=target.netloc.encode())
    try:
        # With a small buffer, so that the response does not fit into the kernel's.
        with raw_http.Held(sync.service, 8, head, receive_buffer=4_096) as held:
            eventually(lambda: another(sync, head) == 429 and status(held[0]) == 200 or held.renew())
            eventually(lambda: another(sync, head) == 200)
    finally:
        sync.stop()


def test_changes_with_large_responses_take_places(tmp_path):
    """U+007F is one byte in a request and six in the response: the ninth is refused before it changes anything."""
    sync = Sync(tmp_path, "--response-timeout", 300, "--request-timeout", 300)
    jane = sync.user("escapes")
    place, held = dataset_path(sync, jane), []

    def head(number):
        token = jane.list(f"set{number}")["SyncSessionToken"]
        body = json.dumps({"SyncSessionToken": token, "RecordPatches": [replace("k", "\x7f" * 200_000)]}, ensure_ascii=False).encode()
        path = place.replace("/datasets/notes", f"/datasets/set{number}")
        prepared = signed(sync, jane, "POST", path, body)
        target = urllib.parse.urlsplit(prepared.url)
        fields = [item for item in prepared.headers.items() if item[0].lower() != "content-length"]
        return raw_http.request("POST", target.path, fields, body, host=target.netloc.encode())

    try:
        requests_ = [head(number) for number in range(9)]
        for request in requests_[:8]:
            held.append(raw_http.connect(sync.service, receive_buffer=4_096))
            held[-1].sendall(request)
        # Lists of data sets need no place.
        eventually(lambda: jane.client().list_datasets(**jane.place)["Count"] == 8)
        assert raw_http.exchange(sync.service, requests_[8])[0] == 429
        assert jane.client().list_datasets(**jane.place)["Count"] == 8
        assert raw_http.response(held[0])[0] == 200
        eventually(lambda: raw_http.exchange(sync.service, requests_[8])[0] == 200)
    finally:
        for connection in held:
            connection.close()
        sync.stop()


def test_a_response_to_head_has_no_body(sync):
    """A proxy would take it for the next response of the connection."""
    path = f"/identitypools/{urllib.parse.quote(sync.pool, '')}"
    with raw_http.connect(sync.service) as connection:
        connection.sendall(raw_http.request("HEAD", path) + raw_http.request("GET", "/health", [("Connection", "close")]))
        received = b""
        while part := connection.recv(65536):
            received += part
    first, second = received.split(b"\r\n\r\n", 1)
    assert first.startswith(b"HTTP/1.1 404 ") and second.startswith(b"HTTP/1.1 200 ")


def test_large_bodies_are_bounded(sync):
    """Eight of one address are kept; a further one is refused until one of them has ended."""
    jane = sync.user("bounded")
    head = large_head(sync, jane, dataset_path(sync, jane))
    with raw_http.Held(sync.service, 8, head + LARGE[:1_500_000]) as held:

        def ends_first():
            with contextlib.suppress(OSError):
                held[0].sendall(LARGE[1_500_000:])
            return status(held[0])
        eventually(lambda: another(sync, head + LARGE) == 429 and ends_first() == 400 or held.renew())
        eventually(lambda: another(sync, head + LARGE) == 400)


def test_a_post_without_body_and_type(sync):
    """As the AWS CLI sends SubscribeToDataset."""
    jane = sync.user("bare")
    jane.update("notes", [replace("a", "1")])
    client = jane.client()
    with pytest.raises(client.exceptions.ResourceNotFoundException) as refused:
        client.subscribe_to_dataset(**jane.place, DatasetName="notes", DeviceId="none")
    assert error(refused)[:2] == ("ResourceNotFoundException", 404)
    with pytest.raises(client.exceptions.InvalidConfigurationException) as refused:
        client.register_device(**jane.place, Platform="ADM", Token="token")
    assert error(refused)[:2] == ("InvalidConfigurationException", 400)
