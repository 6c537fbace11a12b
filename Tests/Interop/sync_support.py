"""An identity-service with data sets, and identities that call it with the credentials of GetCredentialsForIdentity."""
import json
import pathlib

from identity_support import DEVELOPER, DEVELOPER_TOKEN, Service, make_pool

PUSH_ROLE = "arn:aws:iam::123456789012:role/push"
APPLICATION = "arn:aws:sns:us-east-1:123456789012:app/GCM/app"


class Sync:
    """A service, a pool, and developers' and identities' clients of data sets."""

    def __init__(self, folder, *options, service=Service):
        self.folder = pathlib.Path(folder)
        self.service = service(self.folder / "data", "--rate", 0, *options)
        self.pool = make_pool(self.service, folder)

    def developer(self):
        return self.service.client("cognito-sync")

    def user(self, name):
        """The identity of a developer's user, and its credentials."""
        token = self.service.client().get_open_id_token_for_developer_identity(IdentityPoolId=self.pool, Logins={DEVELOPER: name})
        return self.credentials(token["IdentityId"], {DEVELOPER_TOKEN: token["Token"]})

    def guest(self):
        return self.credentials(self.service.unsigned().get_id(IdentityPoolId=self.pool)["IdentityId"], {})

    def credentials(self, identity, logins):
        made = self.service.unsigned().get_credentials_for_identity(IdentityId=identity, Logins=logins)["Credentials"]
        return Identity(self, identity, ((made["AccessKeyId"], made["SecretKey"]), made["SessionToken"]))

    def stop(self):
        return self.service.stop()


class Identity:
    """An identity with temporary credentials."""

    def __init__(self, sync, identity, credentials):
        self.sync, self.id, self.keys = sync, identity, credentials

    @property
    def place(self):
        return {"IdentityPoolId": self.sync.pool, "IdentityId": self.id}

    def client(self, **more):
        key, token = self.keys
        return self.sync.service.client("cognito-sync", key=key, token=token, **more)

    def list(self, name, client=None, **more):
        return (client or self.client()).list_records(**self.place, DatasetName=name, **more)

    def update(self, name, patches, client=None, **more):
        client = client or self.client()
        token = self.list(name, client)["SyncSessionToken"]
        return client.update_records(**self.place, DatasetName=name, SyncSessionToken=token, RecordPatches=patches, **more)["Records"]


def replace(key, value, count=0):
    return {"Op": "replace", "Key": key, "Value": value, "SyncCount": count}


def remove(key, count):
    return {"Op": "remove", "Key": key, "SyncCount": count}


def push_trust(pool, account="123456789012"):
    """Admits the service for one pool, with both conditions."""
    return json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Service": "cognito-sync.amazonaws.com"}, "Action": "sts:AssumeRole",
        "Condition": {
            "StringEquals": {"AWS:SourceAccount": account},
            "ArnLike": {"AWS:SourceArn": f"arn:aws:cognito-identity:us-east-1:{account}:identitypool/{pool}"}}}]})


def put_role(service, folder, arn, policy):
    path = pathlib.Path(folder) / "push-trust.json"
    path.write_text(policy)
    return service.command("role", "put", arn, "--trust-policy", path)
