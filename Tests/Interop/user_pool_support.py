"""A running identity-service with a user pool, and clients of every kind for it."""
import json
import pathlib
import secrets

from identity_support import Service
from raw_http import exchange, request
from waiting import eventually

JSON = "application/x-amz-json-1.1"
TARGET = "AWSCognitoIdentityProviderService."
PASSWORD = "Correct-horse-9"
FLOWS = [
    "ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_CUSTOM_AUTH", "ALLOW_USER_AUTH",
    "ALLOW_REFRESH_TOKEN_AUTH"]


class UserPools:
    """A service that writes its messages to a file, and its clients."""

    def __init__(self, folder, *options, service=Service, **more):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.messages = self.folder / "messages.jsonl"
        self.service = service(self.folder / "data", "--message-file", self.messages, *options, **more)
        self.admin = self.service.client("cognito-idp")
        self.public = self.service.unsigned("cognito-idp")

    @property
    def url(self):
        return self.service.url

    def stop(self):
        return self.service.stop()

    def pool(self, **settings):
        return self.admin.create_user_pool(PoolName="app", **settings)["UserPool"]["Id"]

    def client(self, pool, **settings):
        settings.setdefault("ExplicitAuthFlows", FLOWS)
        return self.admin.create_user_pool_client(UserPoolId=pool, ClientName="web", **settings)["UserPoolClient"]["ClientId"]

    def user(self, pool, name=None, password=PASSWORD, **attributes):
        """A confirmed user."""
        name = name or "user-" + secrets.token_hex(6)
        self.admin.admin_create_user(
            UserPoolId=pool, Username=name, MessageAction="SUPPRESS",
            UserAttributes=[{"Name": key, "Value": value} for key, value in attributes.items()])
        self.admin.admin_set_user_password(UserPoolId=pool, Username=name, Password=password, Permanent=True)
        return name

    def sign_in(self, client, name, password=PASSWORD):
        return self.public.initiate_auth(
            ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": password})["AuthenticationResult"]

    def sent(self):
        if not self.messages.exists():
            return []
        return [json.loads(line) for line in self.messages.read_text().splitlines()]

    def code(self, destination, count=0):
        """The code of the last message to an address, after `count` messages to it.

        Wait for each message with this before the call that sends the next one: a new code withdraws a message that waits, and the
        count would not be reached.
        """
        def codes():
            return [message["code"] for message in self.sent() if message["destination"] == destination]
        eventually(lambda: len(codes()) > count)
        return codes()[-1]

    def called(self):
        """How often each operation was called, by its label in metrics and the code of its outcome."""
        status, headers, body = exchange(self.service, request("GET", "/metrics"))
        assert status == 200
        counts = {}
        for line in body.decode().splitlines():
            if line.startswith("identity_calls_total{"):
                labels, number = line.removeprefix("identity_calls_total{").split("} ")
                found = dict(part.split("=", 1) for part in labels.split(","))
                counts[found["operation"].strip('"'), found["code"].strip('"')] = int(number)
        return counts


def code(error):
    return error.value.response["Error"]["Code"]
