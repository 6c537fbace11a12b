"""Real clients that sign requests of their own accord and send them over HTTP: s3cmd, minio, aiobotocore, curl, object_store,
requests-aws4auth and httpx-aws-auth.

A small store takes what they send, has each request verified by `peer requests` as it came, and answers as a store does. Each
request is verified a second time with one byte of it changed, and must then be refused with the code that fits.
"""
import asyncio
import base64
import datetime
import http.server
import io
import os
import re
import shutil
import subprocess
import threading

import aiobotocore.session
import httpx
import httpx_aws_auth
import minio
import obstore
import obstore.exceptions
import obstore.store
import pytest
import requests
import requests_aws4auth
from botocore.config import Config

from test_requests import KEY, SECRET, Peer
from waiting import LIMIT

REGION = "us-east-1"
LISTING = (b'<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><Prefix></Prefix>'
           b"<KeyCount>0</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated></ListBucketResult>")
PLACE = b'<?xml version="1.0"?><LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></LocationConstraint>'


class Store:
    """Verifies what it is sent. `seen` has each request: method, target, headers, body, and the verdict."""

    def __init__(self, peer, service, accept_unsigned=(), **options):
        self.seen, lock = [], threading.Lock()
        store = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                request = dict(method=self.command, target=self.path, headers=[list(h) for h in self.headers.items()], body=body)
                with lock:
                    request["verdict"] = store.verify(request)
                    store.seen.append(request)
                status = 403 if request["verdict"]["error"] else 200
                content = b"" if self.command in ("HEAD", "PUT") else PLACE if "location" in self.path else LISTING
                self.send_response(status)
                self.send_header("ETag", '"d41d8cd98f00b204e9800998ecf8427e"')
                self.send_header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
                self.send_header("Content-Type", "application/xml")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any

        self.peer, self.service, self.accept_unsigned, self.options = peer, service, list(accept_unsigned), options
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def verify(self, request, **more):
        usual = dict(op="verify", strict=True, access_key=KEY, secret=SECRET, region=REGION, service=self.service,
                     accept_unsigned=self.accept_unsigned, **self.options)
        return self.peer.ask(**usual | request | {"body": base64.b64encode(request["body"]).decode()} | more)

    def check(self, *expected):
        """All requests that came were accepted; among them are those of these methods and targets. Spoilt ones are refused."""
        assert [r["verdict"]["error"] for r in self.seen] == [None] * len(self.seen), [(r["method"], r["target"], r["verdict"]) for r in self.seen]
        for method, pattern in expected:
            found = [r for r in self.seen if r["method"] == method and re.search(pattern, r["target"])]
            assert found, (method, pattern, [(r["method"], r["target"]) for r in self.seen])
            self.refuse_spoilt(found[0])
        return self.seen

    def refuse_spoilt(self, request):
        plain = {k: request[k] for k in ("method", "target", "headers", "body")}
        other = "POST" if plain["method"] != "POST" else "PUT"
        assert self.verify(plain | {"method": other})["error"] == "signature_mismatch"
        mark = "&" if "?" in plain["target"] else "?"
        assert self.verify(plain | {"target": plain["target"] + mark + "more=1"})["error"] == "signature_mismatch"
        assert self.verify(plain, secret=SECRET + "x")["error"] == "signature_mismatch"
        headers = [h for h in plain["headers"]] + [["X-Amz-Acl", "public-read"]]
        assert self.verify(plain | {"headers": headers})["error"] in ("header_unsigned", "signed_header_absent")
        if plain["body"]:
            changed = plain["body"][:-20] + bytes([plain["body"][-20] ^ 1]) + plain["body"][-19:] if len(plain["body"]) > 20 else b"!" + plain["body"][1:]
            mode = request["verdict"]["payload"]
            codes = {"STREAMING-AWS4-HMAC-SHA256-PAYLOAD": ("chunk_signature_mismatch", "signature_malformed"),
                     "STREAMING-UNSIGNED-PAYLOAD-TRAILER": ("checksum_mismatch", "trailer_undeclared", "trailer_malformed")}
            declared = any(n.lower() == "x-amz-content-sha256" for n, _ in plain["headers"])
            expected = codes.get(mode, ("payload_hash_mismatch",) if declared else ("signature_mismatch",))
            if mode != "UNSIGNED-PAYLOAD":
                assert self.verify(plain | {"body": changed})["error"] in expected, mode


@pytest.fixture(scope="module")
def peer():
    peer = Peer()
    yield peer
    peer.process.stdin.close()
    assert peer.process.wait(LIMIT) == 0


@pytest.fixture
def store(peer):
    made = []

    def make(service="s3", **more):
        made.append(Store(peer, service, **more))
        return made[-1]
    yield make
    for one in made:
        one.server.shutdown()


@pytest.mark.skipif(not shutil.which("s3cmd"), reason="s3cmd is not installed; make packages-interop installs it")
def test_s3cmd(store, tmp_path):
    s3 = store()
    (tmp_path / "file ü.txt").write_bytes(b"a body of s3cmd\n" * 100)
    (tmp_path / "config").write_text(
        f"[default]\naccess_key = {KEY}\nsecret_key = {SECRET}\nhost_base = {s3.address}\nhost_bucket = {s3.address}\nuse_https = False\n"
        f"bucket_location = {REGION}\nsignature_v2 = False\n")

    def s3cmd(*arguments):
        subprocess.run(["s3cmd", "-c", tmp_path / "config", *arguments], capture_output=True, timeout=LIMIT, cwd=tmp_path)
    s3cmd("put", "--no-progress", "--add-header=x-amz-meta-a:b", "file ü.txt", "s3://bucket/a b/ü.txt")
    s3cmd("ls", "s3://bucket/a b")
    s3cmd("info", "s3://bucket/key")
    s3cmd("del", "s3://bucket/key")
    s3.check(("PUT", "^/bucket/a%20b/"), ("GET", r"\?delimiter"), ("HEAD", "^/bucket/key"), ("DELETE", "^/bucket/key"))


def test_minio(store):
    s3 = store()
    client = minio.Minio(s3.address, access_key=KEY, secret_key=SECRET, secure=False, region=REGION)
    body = b"a body of minio\n" * 100
    client.put_object("bucket", "a b/ü+~.txt", io.BytesIO(body), len(body), content_type="text/plain", metadata={"a": "b  c"})
    assert not list(client.list_objects("bucket", prefix="a b/&=+", recursive=True))
    client.stat_object("bucket", "a b")
    s3.check(("PUT", "^/bucket/a%20b/"), ("GET", "prefix="), ("HEAD", "^/bucket/a%20b"))
    url = client.presigned_get_object("bucket", "a b", expires=datetime.timedelta(hours=1))
    result = subprocess.run(["curl", "-s", "-o", os.devnull, "-w", "%{http_code}", url], capture_output=True, timeout=LIMIT)
    assert result.stdout == b"200", s3.seen[-1]
    s3.check(("GET", "X-Amz-Signature="))


@pytest.mark.parametrize("payload", [None, False])
def test_aiobotocore(store, payload):
    s3 = store()

    async def talk():
        session = aiobotocore.session.get_session()
        config = Config(s3={"addressing_style": "path"} | ({} if payload is None else {"payload_signing_enabled": payload}))
        async with session.create_client(
                "s3", region_name=REGION, endpoint_url=f"http://{s3.address}", aws_access_key_id=KEY, aws_secret_access_key=SECRET, config=config) as client:
            await client.put_object(Bucket="bucket", Key="a b/ü~", Body=b"a body of aiobotocore\n" * 50, ContentType="text/plain")
            await client.list_objects_v2(Bucket="bucket", Prefix="a b/&=")
            await client.head_object(Bucket="bucket", Key="a b")
            return await client.generate_presigned_url("get_object", Params={"Bucket": "bucket", "Key": "a b"})
    url = asyncio.run(talk())
    s3.check(("PUT", "^/bucket/a%20b/"), ("GET", "list-type=2"), ("HEAD", "^/bucket/a%20b"))
    assert subprocess.run(["curl", "-sf", "-o", os.devnull, url], timeout=LIMIT).returncode in (0, 22)


def curl(store, service, *arguments):
    result = subprocess.run(
        ["curl", "-s", "-o", os.devnull, "-w", "%{http_code}", "--aws-sigv4", f"aws:amz:{REGION}:{service}", "-u", f"{KEY}:{SECRET}", *arguments],
        capture_output=True, timeout=LIMIT)
    return result.stdout.decode()


def test_curl(store):
    api = store("execute-api")
    assert curl(api, "execute-api", f"http://{api.address}/items?list-type=2&prefix=a%2Fb") == "200", api.seen
    assert curl(api, "execute-api", "-X", "DELETE", f"http://{api.address}/items/1") == "200", api.seen
    api.check(("GET", "^/items"), ("DELETE", "^/items/1"))


def test_curl_with_a_body(store):
    """curl signs the type with newer versions only; 7.88 sends it unsigned, and then it has to be accepted by name."""
    api = store("execute-api", accept_unsigned=["content-type"])
    url = f"http://{api.address}/items"
    assert curl(api, "execute-api", "-d", '{"a": 1}', "-H", "Content-Type: application/json", url) == "200", api.seen
    request = api.check(("POST", "^/items"))[0]
    signed = dict((n.lower(), v) for n, v in request["headers"])["authorization"]
    plain = {k: request[k] for k in ("method", "target", "headers", "body")}
    expected = None if "content-type" in signed else "header_unsigned"
    assert api.verify(plain, accept_unsigned=[])["error"] == expected


def obstore_of(s3, **more):
    """Rust's object_store, as polars and deltalake use it."""
    return obstore.store.S3Store(
        "bucket", endpoint=f"http://{s3.address}", region=REGION, access_key_id=KEY, secret_access_key=SECRET,
        client_options={"allow_http": True}, virtual_hosted_style_request=False, retry_config={"max_retries": 0}, **more)


def test_object_store_sends_a_plus_for_a_space(store):
    s3, strict = store(plus_as_space=True), store()
    obstore.list(obstore_of(s3), "pre fix").collect()
    s3.check(("GET", r"prefix=pre\+fix"))
    with pytest.raises(obstore.exceptions.GenericError, match="403"):
        obstore.list(obstore_of(strict), "pre fix").collect()
    assert strict.seen[0]["verdict"]["error"] == "ambiguous"


def test_object_store_signs_an_empty_token(store):
    s3 = store()
    obstore.head(obstore_of(s3, session_token=""), "key")
    request = s3.check(("HEAD", "^/bucket/key"))[0]
    assert ["x-amz-security-token", ""] in [[name.lower(), value] for name, value in request["headers"]]


def test_requests_aws4auth_sends_a_plus_for_a_space(store):
    api = store("execute-api", plus_as_space=True)
    auth = requests_aws4auth.AWS4Auth(KEY, SECRET, REGION, "execute-api")
    parameters = {"name": "a b", "sum": "1+2"}
    assert requests.post(f"http://{api.address}/items", params=parameters, json={"a": 1}, auth=auth, timeout=LIMIT).ok, api.seen
    api.check(("POST", r"name=a\+b&sum=1%2B2"))


def test_httpx_aws_auth_leaves_the_hash_unsigned(store):
    api = store("execute-api", accept_unsigned=["content-type"])
    auth = httpx_aws_auth.AwsSigV4Auth(httpx_aws_auth.AwsCredentials(access_key=KEY, secret_key=SECRET), REGION, "execute-api")
    response = httpx.post(f"http://{api.address}/items", json={"a": 1}, auth=auth, timeout=LIMIT)
    assert response.status_code == 403 and api.seen[0]["verdict"]["error"] == "header_unsigned"
