"""The examples of an API of your own, with FastAPI and Flask, behind uvicorn, gunicorn and Werkzeug's server: identity-service gives the
keys of its sessions, and botocore signs."""
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotoCredentials

import token_security
from sync_support import Sync
from test_own_api import API_REGION, NAME, OWN, api_key
from test_role_policies import put, statement
from waiting import LIMIT

HERE = pathlib.Path(__file__).resolve().parent


class Api:
    """A server with one of the examples."""

    def __init__(self, server, service, key):
        listening = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{listening.getsockname()[1]}"
        descriptor = listening.fileno()
        command = {
            # The application is loaded once, and forked.
            "gunicorn": ["-m", "gunicorn", "--preload", "--workers", "2", "--threads", "2", "--log-level", "error", "--bind", f"fd://{descriptor}",
                         "own_api:with_flask()"],
        }.get(server, ["own_api.py", server, str(descriptor)])
        self.process = subprocess.Popen([sys.executable, *command], cwd=HERE, pass_fds=[descriptor], stderr=subprocess.PIPE, text=True, env={
            **os.environ, "IDENTITY_SERVICE": service.url, "API_HOST": self.host, "AWS_ACCESS_KEY_ID": key[0], "AWS_SECRET_ACCESS_KEY": key[1],
            "PYTHONPATH": str(pathlib.Path(token_security.__file__).parent.parent)})
        # Clients connect to it from now on, and wait until it answers.
        listening.close()

    def send(self, method, target, headers, body=b""):
        connection = http.client.HTTPConnection(self.host, timeout=LIMIT)
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        if body:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        try:
            connection.send(body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        with connection.getresponse() as response:
            return response.status, json.loads(text) if (text := response.read()).startswith(b"{") else text

    def call(self, user, method, target, headers=(), body=b"", sent=None):
        """A request that botocore signs, perhaps for another target than the one that is sent."""
        request = AWSRequest(method, f"http://{self.host}{target}", data=body)
        for name, value in [("Host", self.host), *headers]:
            request.headers.add_header(name, value)
        key, token = user.keys
        SigV4Auth(BotoCredentials(*key, token), NAME, API_REGION).add_auth(request)
        return self.send(method, sent or target, request.headers.items(), body)

    def close(self):
        self.process.terminate()
        said = self.process.communicate(timeout=LIMIT)[1]
        assert "Traceback" not in said, said


@pytest.fixture(scope="module")
def sync(tmp_path_factory):
    # Each request asks, so that a revocation counts at once.
    sync = Sync(tmp_path_factory.mktemp("api"), "--session-recheck", 0)
    put(sync, [statement("Allow", "orders:*", OWN)])
    yield sync
    sync.stop()


@pytest.fixture(scope="module")
def apis(sync):
    key = api_key(sync)
    apis = {server: Api(server, sync.service, key) for server in ("uvicorn", "gunicorn", "werkzeug")}
    yield apis
    for api in apis.values():
        api.close()


SERVERS = pytest.mark.parametrize("server", ["uvicorn", "gunicorn", "werkzeug"])


@SERVERS
def test_own_folder_alone(sync, apis, server):
    api, jane, joe = apis[server], sync.user("jane"), sync.user("joe")
    path = f"/users/{jane.id}/orders/17"
    status, found = api.call(jane, "GET", path)
    assert (status, found["number"]) == (200, "17") and found["reader"].startswith("arn:aws:sts::123456789012:assumed-role/app-user/")
    assert api.call(jane, "PUT", path + "?a=b%20c", body=b'{"a": 1}') == (200, {"size": 8})
    assert api.call(joe, "GET", path) == (403, {"message": "Forbidden"})
    assert api.call(jane, "PUT", path, body=b"a", sent=path + "?x=1") == (403, {"message": "Forbidden"})
    # Without a signature.
    assert api.send("GET", path, [("Host", api.host)]) == (400, {"message": "Bad Request"})
    sync.service.command("session", "revoke", "--access-key-id", jane.keys[0][0])
    assert api.call(jane, "GET", path) == (403, {"message": "Forbidden"})
    assert api.call(sync.user("jane"), "GET", path)[0] == 200


@SERVERS
@pytest.mark.parametrize("target", [
    "/a/b", "/%C3%A9a/%E2%82%AC?%C3%A9=%E2%82%AC", "/a%20b?x=%2B&y=%20&z", "/a%25b/", "/a;b=c,d@e:f!$&'()*?a=b&a="])
def test_targets_as_they_are_sent(sync, apis, server, target):
    api, jane = apis[server], sync.user("paths")
    assert api.call(jane, "GET", target) == (200, {"identity": jane.id, "size": 0})
    assert api.call(jane, "GET", target, sent=target.replace("a", "x", 1)) == (403, {"message": "Forbidden"})


@SERVERS
@pytest.mark.parametrize("target", ["/a%2Fb", "/a/../b", "/a/./b", "/a/%2E%2E/b", "/a//b", "//a", "/a+b", "/a?x=b+c"])
def test_targets_with_two_meanings(sync, apis, server, target):
    """What the framework and the policy could read in different ways is refused, also where its signature is right."""
    # Werkzeug's server joins the first slashes.
    is_joined = server == "werkzeug" and target == "//a"
    assert apis[server].call(sync.user("paths"), "GET", target)[0] == (200 if is_joined else 400)


@SERVERS
def test_headers_and_bodies(sync, apis, server):
    api, jane = apis[server], sync.user("headers")
    assert api.call(jane, "POST", "/x", [("X-Note", "a"), ("X-Note", "b")], b"\0\xff" * 500) == (200, {"identity": jane.id, "size": 1000})
    # One that is not ASCII, as UTF-8.
    key, token = jane.keys
    signed = token_security.sign_request(
        token_security.Credentials(*key, token), service=NAME, region=API_REGION, method="GET", target="/x",
        headers=[("Host", api.host), ("X-Name", "J\u00e4ne")])
    sent = [(name, value.encode()) for name, value in signed]
    assert api.send("GET", "/x", sent) == (200, {"identity": jane.id, "size": 0})
    assert api.send("GET", "/x", [(name, value.replace(b"\xc3\xa4", b"\xe4")) for name, value in sent])[0] in (400, 403)
    # A repeated date has no meaning.
    assert api.send("GET", "/x", [*sent, *(pair for pair in sent if pair[0] == "X-Amz-Date")])[0] in (400, 403)
    assert api.call(jane, "POST", "/x", body=b"a" * ((1 << 20) + 1))[0] == 413


def test_without_the_service(sync, apis):
    user = sync.user("last")
    assert sync.stop() == 0
    for api in apis.values():
        assert api.call(user, "GET", f"/users/{user.id}/orders/17") == (503, {"message": "Service Unavailable"})
