"""Push messages of data sets: boto3 against our service, which calls moto's STS and SNS or a webhook.

moto checks the signatures of the calls, and the policies of the user and the role.
"""
import contextlib
import json
import os
import sqlite3
import threading
import urllib.request

import botocore.exceptions
import pytest
from moto.server import ThreadedMotoServer
from moto.sns.models import sns_backends

import aws_clients
from clock import Clock
from identity_support import REGION, Service, make_pool, run
from sync_support import Sync, push_trust, put_role, replace
from test_sync_client import Device
from waiting import eventually
from webhook_support import SECRET, Receiver, private

ACCOUNT = "123456789012"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/push"
PLATFORMS = ["APNS", "APNS_SANDBOX", "GCM", "ADM"]
EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
SNS_ALONE = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sns:*", "Resource": "*"}]}


def authentication_after(endpoint, calls):
    """From now on so many calls are not checked."""
    address = f"{endpoint}/moto-api/reset-auth"
    urllib.request.urlopen(urllib.request.Request(address, data=calls.encode(), headers={"Content-Type": "text/plain"})).read()


class Amazon:
    """moto's IAM, STS and SNS: a user of the operator's, a role that may use SNS, and an application for each platform."""

    def __init__(self):
        os.environ.setdefault("AWS_ACCESS_KEY_ID", "x")
        os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "x")
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        self.url = "http://127.0.0.1:{}".format(self.server.get_host_and_port()[1])
        authentication_after(self.url, "inf")
        session = dict(endpoint_url=self.url, region_name=REGION, aws_access_key_id="x", aws_secret_access_key="x")
        iam, sns = aws_clients.client("iam", **session), aws_clients.client("sns", **session)
        iam.create_user(UserName="operator")
        iam.put_user_policy(UserName="operator", PolicyName="roles", PolicyDocument=json.dumps(EVERYTHING))
        iam.create_role(RoleName="push", AssumeRolePolicyDocument=json.dumps(EVERYTHING))
        iam.put_role_policy(RoleName="push", PolicyName="sns", PolicyDocument=json.dumps(SNS_ALONE))
        self.key = iam.create_access_key(UserName="operator")["AccessKey"]
        self.applications = {
            name: sns.create_platform_application(Name="app", Platform=name, Attributes={})["PlatformApplicationArn"]
            for name in PLATFORMS}
        authentication_after(self.url, "0")

    def environment(self, secret=None):
        return {
            "AWS_ACCESS_KEY_ID": self.key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": secret or self.key["SecretAccessKey"],
            "AWS_CONFIG_FILE": "/nonexistent", "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"}

    @property
    def endpoints(self):
        return sns_backends[ACCOUNT][REGION].platform_endpoints

    def endpoint(self, token):
        [found] = [endpoint for endpoint in list(self.endpoints.values()) if endpoint.token == token]
        return found

    def messages(self, token):
        """The messages of an endpoint: what SNS got, and the text for the platform."""
        endpoint = self.endpoint(token)
        found = [json.loads(text) for text in list(endpoint.messages.values())]
        for message in found:
            assert set(message) == {"default", endpoint.application.platform}
        return [json.loads(message[endpoint.application.platform]) for message in found]

    def stop(self):
        # The count is the process's, also for servers of other files.
        authentication_after(self.url, "inf")
        self.server.stop()


@pytest.fixture(scope="module")
def amazon():
    amazon = Amazon()
    yield amazon
    amazon.stop()


def trust(pool, account=ACCOUNT, **change):
    """The trust policy of the role, as the guide has it."""
    condition = {
        "StringEquals": {"AWS:SourceAccount": account},
        "ArnLike": {"AWS:SourceArn": f"arn:aws:cognito-identity:{REGION}:{account}:identitypool/{pool}"}}
    condition.update(change)
    return json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Service": "cognito-sync.amazonaws.com"}, "Action": "sts:AssumeRole",
        "Condition": {name: value for name, value in condition.items() if value}}]})


class Pool:
    """A pool that is set up for push messages, and a guest of it."""

    def __init__(self, service, folder, applications):
        self.service, self.folder = service, folder
        self.id = make_pool(service, folder)
        (folder / "push.json").write_text(trust(self.id))
        service.command("role", "put", ROLE, "--trust-policy", folder / "push.json")
        self.developer = service.client("cognito-sync")
        self.developer.set_identity_pool_configuration(
            IdentityPoolId=self.id, PushSync={"ApplicationArns": applications, "RoleArn": ROLE})
        unsigned = service.unsigned()
        self.identity = unsigned.get_id(IdentityPoolId=self.id)["IdentityId"]
        credentials = unsigned.get_credentials_for_identity(IdentityId=self.identity)["Credentials"]
        self.client = service.client(
            "cognito-sync", key=(credentials["AccessKeyId"], credentials["SecretKey"]), token=credentials["SessionToken"])
        self.names = {"IdentityPoolId": self.id, "IdentityId": self.identity}
        self.dataset = {**self.names, "DatasetName": "profile"}

    def device(self, platform, token, subscribes=True):
        device = self.client.register_device(**self.names, Platform=platform, Token=token)["DeviceId"]
        if subscribes:
            self.client.subscribe_to_dataset(**self.dataset, DeviceId=device)
        return device

    def change(self, device=None, value="v"):
        """Changes a record; returns the count."""
        listed = self.client.list_records(**self.dataset)
        count = {record["Key"]: record["SyncCount"] for record in listed["Records"]}.get("k", 0)
        more = {"DeviceId": device} if device else {}
        done = self.client.update_records(
            **self.dataset, SyncSessionToken=listed["SyncSessionToken"], **more,
            RecordPatches=[{"Op": "replace", "Key": "k", "Value": value, "SyncCount": count}])
        return done["Records"][0]["SyncCount"]

    def data(self, count):
        return {
            "source": "cognito-sync", "identityPoolId": self.id, "identityId": self.identity, "datasetName": "profile",
            "syncCount": str(count)}


def start(folder, settings, **more):
    path = private(folder / "push-settings.json", json.dumps(settings))
    return Service(folder / "data", "--push", path, "--log-level", "debug", **more)


class TestSNS:
    @pytest.fixture
    def service(self, tmp_path, amazon):
        service = start(
            tmp_path, {"sns": {"endpoint": amazon.url, "tokenService": amazon.url}}, environment=amazon.environment())
        yield service
        service.stop()

    def test_a_change_reaches_the_other_devices(self, service, tmp_path, amazon):
        pool = Pool(service, tmp_path, list(amazon.applications.values()))
        pool.change()
        devices = {platform: pool.device(platform, f"token-of-{platform}") for platform in PLATFORMS}
        count = pool.change(devices["ADM"])
        assert count == 2
        data = pool.data(2)
        for platform in ("APNS", "APNS_SANDBOX"):
            eventually(lambda: amazon.messages(f"token-of-{platform}"))
            assert amazon.messages(f"token-of-{platform}") == [{"aps": {"content-available": 1}, "data": data}]
        eventually(lambda: amazon.messages("token-of-GCM"))
        assert amazon.messages("token-of-GCM") == [{"data": data}]
        assert amazon.messages("token-of-ADM") == []
        # A burst is fewer messages than changes, and the last one has the last count.
        for _ in range(20):
            count = pool.change(devices["ADM"])
        eventually(lambda: amazon.messages("token-of-GCM")[-1]["data"]["syncCount"] == str(count))
        assert len(amazon.messages("token-of-GCM")) < 20
        pool.client.unsubscribe_from_dataset(**pool.dataset, DeviceId=devices["GCM"])
        before = len(amazon.messages("token-of-GCM"))
        count = pool.change(devices["ADM"])
        eventually(lambda: amazon.messages("token-of-APNS")[-1]["data"]["syncCount"] == str(count))
        assert len(amazon.messages("token-of-GCM")) == before
        log = "".join(service.log)
        assert "token-of-" not in log and amazon.key["SecretAccessKey"] not in log

    def test_a_disabled_endpoint_is_enabled_by_registering_again(self, service, tmp_path, amazon):
        pool = Pool(service, tmp_path, list(amazon.applications.values()))
        pool.change()
        device = pool.device("GCM", "token-of-disabled")
        amazon.endpoint("token-of-disabled").attributes["Enabled"] = False
        pool.change()
        eventually(lambda: "push_endpoint_refused" in "".join(service.log))
        assert amazon.messages("token-of-disabled") == []
        # The same device, by its token.
        assert pool.device("GCM", "token-of-disabled") == device
        count = pool.change()
        eventually(lambda: amazon.messages("token-of-disabled"))
        assert amazon.messages("token-of-disabled") == [{"data": pool.data(count)}]

    def test_only_what_is_set_up_can_be_registered(self, service, tmp_path, amazon):
        pool = Pool(service, tmp_path, [amazon.applications["GCM"]])
        with pytest.raises(pool.client.exceptions.InvalidConfigurationException):
            pool.device("ADM", "token-of-none", subscribes=False)
        missing = amazon.applications["ADM"].rsplit("/", 1)[0] + "/gone"
        pool.developer.set_identity_pool_configuration(
            IdentityPoolId=pool.id, PushSync={"ApplicationArns": [missing], "RoleArn": ROLE})
        with pytest.raises(pool.client.exceptions.InvalidConfigurationException):
            pool.device("ADM", "token-of-none", subscribes=False)
        found = pool.developer.get_identity_pool_configuration(IdentityPoolId=pool.id)["PushSync"]
        assert found == {"ApplicationArns": [missing], "RoleArn": ROLE}

    def test_the_role_must_name_account_and_pool(self, service, tmp_path, amazon):
        pool = Pool(service, tmp_path, [amazon.applications["GCM"]])
        for change in ({"StringEquals": None}, {"ArnLike": None}, {"StringEquals": None, "ArnLike": None}):
            (tmp_path / "loose.json").write_text(trust(pool.id, **change))
            done = run("role", "put", ROLE, *service.place, "--trust-policy", tmp_path / "loose.json")
            assert done.returncode != 0 and "SourceA" in done.stderr, done.stderr
        # That of another pool, of another account, and none.
        other = service.client().create_identity_pool(IdentityPoolName="other", AllowUnauthenticatedIdentities=True)["IdentityPoolId"]
        for name, policy in (("other", trust(other)), ("account", trust(pool.id, account="210987654321")), ("none", None)):
            arn = f"arn:aws:iam::{ACCOUNT}:role/{name}"
            if policy:
                (tmp_path / "role.json").write_text(policy)
                service.command("role", "put", arn, "--trust-policy", tmp_path / "role.json")
            with pytest.raises(pool.developer.exceptions.InvalidParameterException):
                pool.developer.set_identity_pool_configuration(
                    IdentityPoolId=pool.id, PushSync={"ApplicationArns": [amazon.applications["GCM"]], "RoleArn": arn})
        # A policy that changes later counts at once.
        pool.device("GCM", "token-of-role", subscribes=False)
        (tmp_path / "role.json").write_text(trust(other))
        service.command("role", "put", ROLE, "--trust-policy", tmp_path / "role.json")
        with pytest.raises(pool.client.exceptions.InvalidConfigurationException):
            pool.device("GCM", "token-of-role-2", subscribes=False)
        with pytest.raises(ValueError):
            amazon.endpoint("token-of-role-2")

    def test_endpoints_of_devices_that_are_gone_are_deleted(self, service, tmp_path, amazon):
        """Not one that the device of another identity has."""
        pool = Pool(service, tmp_path, [amazon.applications["GCM"]])
        unsigned = service.unsigned()
        other = unsigned.get_id(IdentityPoolId=pool.id)["IdentityId"]
        keys = unsigned.get_credentials_for_identity(IdentityId=other)["Credentials"]
        client = service.client("cognito-sync", key=(keys["AccessKeyId"], keys["SecretKey"]), token=keys["SessionToken"])
        for token in ("token-of-gone", "token-of-shared"):
            pool.device("GCM", token, subscribes=False)
        client.register_device(IdentityPoolId=pool.id, IdentityId=other, Platform="GCM", Token="token-of-shared")

        def tokens():
            return {endpoint.token for endpoint in list(amazon.endpoints.values())}

        service.client().delete_identities(IdentityIdsToDelete=[pool.identity])
        assert {"token-of-gone", "token-of-shared"} <= tokens()
        eventually(lambda: "token-of-gone" not in tokens())
        assert "token-of-shared" in tokens()
        service.client().delete_identity_pool(IdentityPoolId=pool.id)
        eventually(lambda: "token-of-shared" not in tokens())
        assert "token-of-" not in "".join(service.log)

    def test_the_operators_credentials_are_checked(self, tmp_path, amazon):
        service = start(
            tmp_path, {"sns": {"endpoint": amazon.url, "tokenService": amazon.url}},
            environment=amazon.environment(secret="wrong"))
        try:
            pool = Pool(service, tmp_path, [amazon.applications["GCM"]])
            with pytest.raises(pool.client.exceptions.InvalidConfigurationException):
                pool.device("GCM", "token-of-wrong", subscribes=False)
        finally:
            service.stop()

    def test_roles_of_the_service(self, tmp_path, amazon):
        """The service's own credentials are for a server that does not ask AWS about them."""
        service = start(tmp_path, {"sns": {"endpoint": amazon.url, "credentials": "service"}})
        authentication_after(amazon.url, "inf")
        try:
            pool = Pool(service, tmp_path, [amazon.applications["GCM"]])
            pool.change()
            pool.device("GCM", "token-of-own")
            count = pool.change()
            eventually(lambda: amazon.messages("token-of-own"))
            assert amazon.messages("token-of-own") == [{"data": pool.data(count)}]
        finally:
            authentication_after(amazon.url, "0")
            service.stop()


class Gateway:
    """A receiver that hands out endpoints and keeps messages."""

    def __init__(self):
        self.status = 200
        self.receiver = Receiver(self.answer)

    def answer(self, path, body):
        if body["action"] == "register":
            return 200, {"endpoint": "device/" + body["token"]}, {}
        return self.status, {}, {}

    @property
    def sent(self):
        return [body for body in self.receiver.bodies() if body["action"] == "send"]


class TestWebhook:
    APPLICATION = f"arn:aws:sns:{REGION}:{ACCOUNT}:app/GCM/app"

    @pytest.fixture
    def gateway(self):
        gateway = Gateway()
        yield gateway
        gateway.receiver.stop()

    def start(self, folder, gateway, **more):
        return start(folder, {"webhook": {"url": gateway.receiver.url + "/push", "secret": SECRET}}, **more)

    def test_devices_and_messages_are_posted_and_signed(self, tmp_path, gateway):
        service = self.start(tmp_path, gateway)
        try:
            pool = Pool(service, tmp_path, [self.APPLICATION])
            pool.change()
            pool.device("GCM", "abc")
            [registered] = gateway.receiver.bodies()
            assert registered == {
                "action": "register", "identityPoolId": pool.id, "identityId": pool.identity, "platform": "GCM",
                "applicationArn": self.APPLICATION, "token": "abc"}
            count = pool.change()
            eventually(lambda: gateway.sent)
            assert gateway.sent == [{
                "action": "send", "identityPoolId": pool.id, "identityId": pool.identity, "platform": "GCM",
                "applicationArn": self.APPLICATION, "endpoint": "device/abc", "message": {"data": pool.data(count)}}]
            assert gateway.receiver.unsigned == 0
            log = "".join(service.log)
            assert SECRET not in log and "device/abc" not in log
        finally:
            service.stop()

    def test_our_client_from_the_registration_to_the_synchronisation(self, tmp_path, gateway):
        """The client gets what the gateway got: it takes the message for what it is, and synchronises."""
        # The folder of a client's file must be closed to others.
        tmp_path.chmod(0o700)
        settings = {"webhook": {"url": gateway.receiver.url + "/push", "secret": SECRET}}
        sync = Sync(tmp_path, "--push", private(tmp_path / "push-settings.json", json.dumps(settings)))
        device = None
        try:
            put_role(sync.service, tmp_path, ROLE, push_trust(sync.pool))
            sync.developer().set_identity_pool_configuration(
                IdentityPoolId=sync.pool, PushSync={"ApplicationArns": [self.APPLICATION], "RoleArn": ROLE})
            device = Device(sync, tmp_path / "device.sqlite")
            assert device.login("jane") == device.do("identity")["identity"]
            device.do("put", values={"a": "1"})
            device.do("synchronize")
            assert not device.do("registered")["registered"]
            device.do("register", platform="GCM", token="abc")
            assert device.do("registered")["registered"]
            assert device.do("subscribe-all")["names"] == ["notes"]
            # Its own change causes no message, that of another device does.
            device.do("remove", key="a")
            device.do("synchronize")
            jane = sync.user("jane")
            count = jane.update("notes", [replace("b", "1")])[0]["SyncCount"]
            eventually(lambda: gateway.sent)
            [sent] = gateway.sent
            # Google's platform delivers what is in data.
            message = json.dumps(sent["message"]["data"])
            assert json.loads(message)["syncCount"] == str(count) == "3"
            assert device.do("message", platform="GCM", payload=message)["dataset"] == "notes"
            assert device.do("synchronize")["updated"] == ["b"]
            assert device.do("read") == {"values": {"b": "1"}, "count": 3, "modified": False}
            assert device.do("message", platform="GCM", payload=message)["dataset"] is None
            assert device.do("unsubscribe-all")["names"] == ["notes"]
            jane.update("notes", [replace("c", "1")])
            # The transaction that changes records puts their messages into the store, in which they wait for the pause after a message.
            with contextlib.closing(sqlite3.connect(f"file:{sync.service.folder}/identities.sqlite?mode=ro", uri=True)) as database:
                rows = [json.loads(row) for row, in database.execute("SELECT CAST(row AS TEXT) FROM sync_push")]
            assert not any(row.get("waiting") for row in rows), rows
            assert gateway.sent == [sent]
        finally:
            if device:
                device.close()
            assert sync.stop() == 0

    def test_endpoints_that_are_gone_are_posted(self, tmp_path, gateway):
        service = self.start(tmp_path, gateway)
        try:
            pool = Pool(service, tmp_path, [self.APPLICATION])
            pool.device("GCM", "abc", subscribes=False)
            service.client().delete_identities(IdentityIdsToDelete=[pool.identity])
            eventually(lambda: len(gateway.receiver.bodies()) == 2)
            assert gateway.receiver.bodies()[1] == {
                "action": "remove", "identityPoolId": pool.id, "platform": "GCM", "endpoint": "device/abc"}
            assert gateway.receiver.unsigned == 0
        finally:
            service.stop()

    def test_a_message_survives_the_process(self, tmp_path, gateway):
        """It waits in the store, and the next process sends it."""
        gateway.status = 503
        clock = Clock(tmp_path)
        service = self.start(tmp_path, gateway, clock=clock)
        try:
            pool = Pool(service, tmp_path, [self.APPLICATION])
            pool.change()
            pool.device("GCM", "abc")
            count = pool.change()
            eventually(lambda: gateway.sent)
            service.kill()
            tried = len(gateway.sent)
            gateway.status = 204
            # A lease of the process that was killed may have to end first.
            clock.advance(31)
            service.start()
            eventually(lambda: len(gateway.sent) > tried)
            assert gateway.sent[-1]["message"] == {"data": pool.data(count)}
        finally:
            service.stop()

    def test_a_gateway_that_hangs_delays_no_change(self, tmp_path, gateway):
        hold = threading.Event()
        gateway.receiver.answer = lambda path, body: (
            gateway.answer(path, body) if body["action"] == "register" else (hold.wait(600), (200, {}, {}))[1])
        service = self.start(tmp_path, gateway)
        try:
            pool = Pool(service, tmp_path, [self.APPLICATION])
            pool.change()
            for number in range(12):
                pool.device("GCM", f"abc-{number}")
            for _ in range(10):
                count = pool.change()
            # All of them were answered while the gateway has answered nothing.
            assert count == 11
            hold.set()
            eventually(lambda: {body["endpoint"] for body in gateway.sent if body["message"]["data"]["syncCount"] == str(count)}
                       == {f"device/abc-{number}" for number in range(12)})
        finally:
            hold.set()
            service.stop()


@pytest.mark.parametrize("text, rule", [
    ("{}", "one member"), ('{"sns": {}, "webhook": {}}', "one member"), ('{"mail": {}}', "webhook or sns"),
    ('{"sns": {"region": "x"}}', "can have the texts"), ('{"sns": {"endpoint": "http://sns.example"}}', "https"),
    ('{"sns": {"credentials": "mine"}}', "credentials"), ('{"sns": {"credentials": "service"}}', "need endpoint"),
    ('{"webhook": {"url": "https://gateway.example"}}', "url and secret"),
    ('{"webhook": {"url": "http://gateway.example", "secret": "0123456789abcdef"}}', "https"),
    ('{"webhook": {"url": "https://gateway.example", "secret": "short"}}', "16 bytes"),
])
def test_settings_that_are_wrong(tmp_path, text, rule):
    path = private(tmp_path / "push.json", text)
    done = run("serve", "--data", tmp_path / "data", "--port", "0", "--push", path, "--check-config")
    assert done.returncode != 0 and rule in done.stderr, done.stderr
    assert "0123456789abcdef" not in done.stderr


def test_the_file_of_settings_is_private(tmp_path):
    path = private(tmp_path / "push.json", '{"sns": {}}')
    done = run("serve", "--data", tmp_path / "data", "--port", "0", "--push", path, "--check-config")
    assert done.returncode == 0, done.stderr
    path.chmod(0o644)
    done = run("serve", "--data", tmp_path / "data", "--port", "0", "--push", path, "--check-config")
    assert done.returncode != 0 and "mode 600" in done.stderr


def test_without_settings_no_device_can_be_registered(tmp_path):
    service = Service(tmp_path / "data")
    try:
        pool = Pool(service, tmp_path, [TestWebhook.APPLICATION])
        with pytest.raises(botocore.exceptions.ClientError) as raised:
            pool.device("GCM", "abc", subscribes=False)
        assert raised.value.response["Error"]["Code"] == "InvalidConfigurationException"
        pool.change()
    finally:
        service.stop()
