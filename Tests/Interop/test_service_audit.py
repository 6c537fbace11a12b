"""Which calls have an audit line: those of authenticated callers, and those that changed something."""
import json

import pytest
from botocore.exceptions import ClientError

from identity_support import DEVELOPER, GOOGLE, Service
from raw_http import TARGET, call, exchange
from test_service_operating import lines

UNKNOWN = "us-east-1:00000000-0000-0000-0000-000000000000"


def test_strangers_cannot_fill_the_audit_log(tmp_path):
    service = Service(tmp_path / "data", "--log-level", "debug")
    client = service.client()
    pool = client.create_identity_pool(
        IdentityPoolName="audited", AllowUnauthenticatedIdentities=True, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]
    # Refused before the caller is known.
    body = json.dumps({"IdentityPoolId": pool}).encode()
    assert exchange(service, call(TARGET + "DeleteIdentityPool", body))[0] == 400
    strangers = [service.client(key=(service.key[0], "wrong")), service.client(key=("AKIA" + "A" * 16, "unknown"))]
    for stranger in strangers:
        with pytest.raises(ClientError):
            stranger.delete_identity_pool(IdentityPoolId=pool)
    # Unsigned operations that change nothing.
    guest = service.unsigned().get_id(IdentityPoolId=pool)["IdentityId"]
    with pytest.raises(ClientError):
        service.unsigned().get_id(IdentityPoolId=UNKNOWN)
    with pytest.raises(ClientError):
        service.unsigned().unlink_identity(IdentityId=guest, Logins={GOOGLE: "no token"}, LoginsToRemove=[GOOGLE])
    # Refused to an authenticated caller.
    with pytest.raises(ClientError):
        client.delete_identity_pool(IdentityPoolId=UNKNOWN)
    client.delete_identity_pool(IdentityPoolId=pool)
    assert service.stop() == 0
    audited = [(line["operation"], line["code"], line["caller"]) for line in lines(service) if line["message"] == "audit"]
    key = service.key[0]
    assert audited == [
        ("CreateIdentityPool", "ok", key), ("GetId", "ok", ""), ("DeleteIdentityPool", "pool_unknown", key),
        ("DeleteIdentityPool", "ok", key)]
    # For debugging each call has a line.
    assert sum(line["message"] == "call" for line in lines(service)) == 9


def test_a_call_that_changes_nothing_has_no_line(tmp_path):
    service = Service(tmp_path / "data")
    client = service.client()
    pool = client.create_identity_pool(IdentityPoolName="audited", AllowUnauthenticatedIdentities=False, DeveloperProviderName=DEVELOPER)["IdentityPoolId"]

    def token():
        return client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "jane"})["IdentityId"]
    jane = token()
    assert token() == jane
    # A refused call of an authenticated caller has a line, whatever it would have changed.
    with pytest.raises(ClientError):
        client.get_open_id_token_for_developer_identity(IdentityPoolId=pool, IdentityId=UNKNOWN, Logins={DEVELOPER: "jane"})
    client.unlink_developer_identity(IdentityId=jane, IdentityPoolId=pool, DeveloperProviderName=DEVELOPER, DeveloperUserIdentifier="jane")
    other = token()
    assert other != jane
    assert service.stop() == 0
    audited = [(line["operation"], line["code"], line.get("IdentityId")) for line in lines(service) if line["message"] == "audit"]
    operation = "GetOpenIdTokenForDeveloperIdentity"
    assert [entry[:2] for entry in audited] == [
        ("CreateIdentityPool", "ok"), (operation, "ok"), (operation, audited[2][1]), ("UnlinkDeveloperIdentity", "ok"), (operation, "ok")]
    assert audited[1][2] == jane and audited[2][1] != "ok" and audited[4][2] == other
