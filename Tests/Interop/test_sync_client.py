"""The project's own client of data sets against identity-service over HTTP, beside boto3."""
import json

import pytest

from identity_support import DEVELOPER, REGION
from sizes import scaled
from programs import Lines, peer_command
from sync_support import Sync, replace


class Device(Lines):
    """The client as a program."""

    def __init__(self, sync, file):
        self.sync, self.file = sync, file
        self.start()

    def start(self):
        super().__init__(peer_command("data-sets"))
        self.do("configure", endpoint=self.sync.service.url, region=REGION, pool=self.sync.pool, file=str(self.file))

    def do(self, op, dataset="notes", **question):
        return super().do(op, dataset=dataset, **question)

    def login(self, name):
        token = self.sync.service.client().get_open_id_token_for_developer_identity(
            IdentityPoolId=self.sync.pool, Logins={DEVELOPER: name})
        self.do("login", identity=token["IdentityId"], token=token["Token"])
        return token["IdentityId"]

    def restart(self):
        self.close()
        self.start()


@pytest.fixture(scope="module")
def sync(tmp_path_factory):
    made = Sync(tmp_path_factory.mktemp("sync-client"))
    yield made
    assert made.stop() == 0


@pytest.fixture
def devices(sync, tmp_path):
    """Makes devices. Their folder must be closed to others."""
    tmp_path.chmod(0o700)
    made = []

    def device(user):
        made.append(Device(sync, tmp_path / f"{len(made)}.sqlite"))
        made[-1].identity = made[-1].login(user)
        assert made[-1].do("identity")["identity"] == made[-1].identity
        return made[-1]
    yield device
    for each in made:
        each.close()


def test_two_devices_and_boto3(sync, devices):
    one, two, jane = devices("both"), devices("both"), sync.user("both")
    assert one.identity == two.identity == jane.id
    one.do("put", values={"theme": "dark", "\u6771 \u0001\"": "\u0000\u2028\n"})
    assert one.do("synchronize")["updated"] == []
    records = {record["Key"]: record["Value"] for record in jane.list("notes")["Records"]}
    assert records == {"theme": "dark", "\u6771 \u0001\"": "\u0000\u2028\n"}
    two.do("synchronize")
    assert two.do("read") == {"values": records, "count": 1, "modified": False}
    jane.update("notes", [replace("theme", "light", 1)])
    assert one.do("synchronize")["updated"] == ["theme"]
    assert one.do("read")["values"]["theme"] == "light"
    two.do("put", values={"theme": "blue"})
    answer = two.do("synchronize", resolution="remote")
    assert answer["conflicts"] == ["theme"] and two.do("read")["values"]["theme"] == "light"
    assert one.do("remote")["names"] == ["notes"]


def test_a_device_starts_again(devices):
    one, two = devices("restarts"), devices("restarts")
    one.do("put", values={"a": "1", "b": "1"})
    one.do("synchronize")
    one.do("put", values={"a": "2"})
    one.restart()
    # Without a login there is no identity that is known: the data of the user are not seen.
    assert one.do("read")["values"] == {}
    one.login("restarts")
    assert one.do("identity")["identity"] == two.identity
    assert one.do("read") == {"values": {"a": "2", "b": "1"}, "count": 1, "modified": True}
    one.do("synchronize")
    two.do("synchronize")
    assert two.do("read") == {"values": {"a": "2", "b": "1"}, "count": 2, "modified": False}


def test_deleted_data_sets(devices):
    one, two = devices("deletes"), devices("deletes")
    one.do("put", values={"a": "1"})
    one.do("synchronize")
    two.do("synchronize")
    one.do("delete")
    one.do("synchronize")
    assert one.do("remote")["names"] == []
    assert two.do("synchronize", restores=True)["deletions"] == ["notes"]
    one.do("synchronize")
    assert one.do("read")["values"] == {"a": "1"}
    one.do("delete")
    one.do("synchronize")
    assert two.do("synchronize")["deletions"] == ["notes"]
    assert two.do("local")["names"] == []


def test_a_full_data_set(devices):
    """Each character of the values needs an escape: in full, about six megabytes of JSON in each direction."""
    one, two = devices("full"), devices("full")
    values = {f"{number:04}": "\u0001" * scaled(1020) for number in range(1024)}
    one.do("put", values=values)
    one.do("synchronize")
    two.do("synchronize")
    assert two.do("read")["values"] == values
    one.do("put", values={"more": "1"})
    answer = one.ask("synchronize", dataset="notes")
    assert (answer["code"], answer["type"]) == ("sync_client_refused", "LimitExceededException")


def test_merged_data_sets(sync, devices):
    """The data sets of an identity that was merged are told until they are deleted."""
    user = devices("merging")
    user.do("put", values={"a": "user"})
    user.do("synchronize")
    other = devices("merged")
    other.do("put", values={"a": "other"})
    other.do("synchronize")
    sync.service.client().merge_developer_identities(
        SourceUserIdentifier="merged", DestinationUserIdentifier="merging", DeveloperProviderName=DEVELOPER,
        IdentityPoolId=sync.pool)
    name = f"notes.{other.identity}"
    assert user.do("synchronize")["merged"] == [name]
    user.do("synchronize", dataset=name)
    assert user.do("read", dataset=name)["values"] == {"a": "other"}
    user.do("delete", dataset=name)
    user.do("synchronize", dataset=name)
    assert user.do("synchronize")["merged"] == []


def test_devices_need_settings(sync, devices):
    one = devices("devices")
    answer = one.ask("register", platform="GCM", token="token")
    assert (answer["code"], answer["type"]) == ("sync_client_refused", "InvalidConfigurationException")
    assert one.ask("subscribe", dataset="notes")["code"] == "sync_client_device_not_registered"
    assert not one.do("registered")["registered"]


def test_messages(devices):
    one, two = devices("messages"), devices("messages")
    message = {"source": "cognito-sync", "identityPoolId": one.sync.pool, "identityId": one.identity, "datasetName": "notes",
               "syncCount": "1"}
    assert one.do("message", platform="GCM", payload=json.dumps(message))["dataset"] is None
    assert one.do("local")["names"] == []
    one.do("put", values={"a": "1"})
    two.do("put", values={"b": "1"})
    two.do("synchronize")
    assert one.do("message", platform="GCM", payload=json.dumps(message))["dataset"] == "notes"
    apns = json.dumps({"aps": {"content-available": 1}, "data": message})
    assert one.do("message", platform="APNS", payload=apns)["dataset"] == "notes"
    one.do("synchronize")
    assert one.do("message", platform="APNS", payload=apns)["dataset"] is None
    apns = json.dumps({"aps": {"content-available": 1}, "data": {**message, "syncCount": 2}})
    assert two.do("message", platform="APNS", payload=apns)["dataset"] == "notes"
    two.do("synchronize")
    assert two.do("message", platform="APNS", payload=apns)["dataset"] is None
