"""Signed requests of others here, and ours there: botocore, awscrt, and moto's server with authentication on."""
import base64
import datetime
import hashlib
import hmac
import io
import json
import os
import random
import urllib.request
import zlib
from urllib.parse import quote, urlsplit

import awscrt.auth
import awscrt.http
import awscrt.io
import botocore.auth
import botocore.awsrequest
import botocore.config
import botocore.credentials
import jwt
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from moto.server import ThreadedMotoServer

import aws_clients
from programs import Lines, peer_command

KEY, SECRET, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "eu-west-1"
SEED = 20150830


class Peer(Lines):
    """The program under test. Its questions have no name of an operation."""

    def __init__(self):
        super().__init__(peer_command("requests"))

    def ask(self, **question):
        return self.answer(question)


@pytest.fixture(scope="module")
def peer():
    peer = Peer()
    yield peer
    peer.close()


class Request:
    """A random request, in the forms on which signers agree: paths and queries are encoded, once, with capitals."""

    METHODS = ["GET", "PUT", "POST", "DELETE", "HEAD", "PATCH"]
    WORDS = ["a", "B", "~x", "a.b", "-", "_", "..", ".", "", "ü", "a b", "%", "a/b", "a+b", "$&'()*,;=:@!", "ሴ", "0" * 40]

    def __init__(self, rng, service):
        self.service = service
        self.method = rng.choice(self.METHODS)
        words = self.WORDS if service == "s3" or rng.random() < 0.8 else ["a", "b"]
        self.path = "/" + "/".join(quote(rng.choice(words), safe="-._~") for _ in range(rng.randrange(5)))
        pairs = []
        for _ in range(rng.randrange(6)):
            name = quote(rng.choice(["a", "b", "A", "a-b", "a.b", "ab", "ü", "X-Amz", "n m"]), safe="-._~")
            pairs.append(f"{name}={quote(rng.choice(['', '1', '2', '10', 'a b', 'ü', '+', '/', '~', 'a=b']), safe='-._~')}")
        self.query = "&".join(pairs)
        self.host = rng.choice(["api.example", "bucket.s3.amazonaws.com", "localhost:8443", "example.com:8080"])
        self.headers = {"Host": self.host}
        for _ in range(rng.randrange(5)):
            value = rng.choice(["1", "a  b", "  a   b ", '"a   b"', "a,b", "", "a\tb", "text/plain; charset=utf-8"])
            self.headers[rng.choice(["X-A", "x-b", "X-Amz-Meta-C", "Content-Type", "Range", "X-A-B", "Zz"])] = value
        self.body = bytes(rng.randrange(256) for _ in range(rng.choice([0, 0, 1, 17, 200]))) if self.method != "GET" else b""
        self.token = rng.choice([None, None, "FwoGZXIvYXdzEXAMPLE//token+=="])
        self.credentials = botocore.credentials.Credentials(KEY, SECRET, self.token)

    @property
    def target(self):
        return self.path + ("?" + self.query if self.query else "")

    def common(self, date, **more):
        return dict(access_key=KEY, secret=SECRET, region=REGION, service=self.service, method=self.method, date=date,
                    body=base64.b64encode(self.body).decode()) | ({"token": self.token} if self.token else {}) | more


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")


BOTOCORE = {"header": botocore.auth.SigV4Auth, "s3-header": botocore.auth.S3SigV4Auth, "query": botocore.auth.SigV4QueryAuth,
            "s3-query": botocore.auth.S3SigV4QueryAuth}


def cases(kind, count, service):
    rng = random.Random(f"{SEED} {kind}")
    return [Request(rng, service) for _ in range(count)]


def botocore_signed(request, kind):
    """What botocore would send, and its canonical request."""
    aws = botocore.awsrequest.AWSRequest(
        method=request.method, url=f"https://{request.host}{request.target}", data=request.body,
        headers={n: v for n, v in request.headers.items() if n != "Host"})
    auth = BOTOCORE[kind](request.credentials, request.service, REGION)
    seen = []
    real = auth.canonical_request
    auth.canonical_request = lambda r: seen.append(real(r)) or seen[-1]
    auth.add_auth(aws)
    parts = urlsplit(aws.url)
    headers = [["Host", request.host]] + [[n, v] for n, v in aws.headers.items()]
    return parts.path + ("?" + parts.query if parts.query else ""), headers, seen[-1], aws.context["timestamp"]


@pytest.mark.parametrize("kind, count, service", [
    ("header", 500, "service"), ("s3-header", 300, "s3"), ("query", 300, "service"), ("s3-query", 100, "s3")])
def test_botocore_signs(peer, kind, count, service):
    for number, request in enumerate(cases(kind, count, service)):
        if "query" in kind:
            # botocore takes a body there for a form, and moves it into the query.
            request.body = b""
        target, headers, canonical, date = botocore_signed(request, kind)
        answer = peer.ask(op="verify", target=target, headers=headers, **request.common(date))
        assert answer["canonical_request"] == canonical, (number, target)
        assert answer["error"] is None, (number, target, headers)


def recomputed(request, answer):
    """The request that we have signed, without its signature, for botocore to sign anew."""
    path, _, query = answer["target"].partition("?")
    query = "&".join(p for p in query.split("&") if p and not p.startswith("X-Amz-Signature="))
    return botocore.awsrequest.AWSRequest(
        method=request.method, url=f"https://{request.host}{path}" + (f"?{query}" if query else ""), data=request.body)


def signed_names(authorization):
    return authorization.split("SignedHeaders=")[1].split(",")[0].split(";")


@pytest.mark.parametrize("kind, count, service", [
    ("header", 500, "service"), ("s3-header", 300, "s3"), ("query", 300, "service"), ("s3-query", 100, "s3")])
def test_botocore_verifies(peer, kind, count, service):
    """As a server on botocore would: the signature is computed anew from what was sent."""
    for number, request in enumerate(cases("our " + kind, count, service)):
        date = now()
        more = {"expires": 3600} if "query" in kind else {}
        if "query" in kind:
            request.body = b""
        answer = peer.ask(op="sign", target=request.target, headers=list(request.headers.items()), **request.common(date, **more))
        assert "error" not in answer, answer
        aws = recomputed(request, answer)
        names = None
        for name, value in answer["headers"]:
            if name == "Authorization":
                names = signed_names(value)
            elif name != "Host":
                aws.headers[name] = value
        aws.context["timestamp"] = date
        auth = BOTOCORE[kind](request.credentials, service, REGION)
        canonical = auth.canonical_request(aws)
        assert canonical == answer["canonical_request"], (number, request.target)
        signature = auth.signature(auth.string_to_sign(aws, canonical), aws)
        assert signature == answer["signature"]
        assert names is None or set(names) >= {"host", "x-amz-date"}


def awscrt_signed(request, query, v4a):
    fields = awscrt.http.HttpHeaders(list(request.headers.items()))
    message = awscrt.http.HttpRequest(request.method, request.target, fields, awscrt.io.InputStream(io.BytesIO(request.body)))
    date = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    s3 = request.service == "s3"
    types = awscrt.auth.AwsSignatureType
    config = awscrt.auth.AwsSigningConfig(
        algorithm=awscrt.auth.AwsSigningAlgorithm.V4_ASYMMETRIC if v4a else awscrt.auth.AwsSigningAlgorithm.V4,
        signature_type=types.HTTP_REQUEST_QUERY_PARAMS if query else types.HTTP_REQUEST_HEADERS,
        credentials_provider=awscrt.auth.AwsCredentialsProvider.new_static(KEY, SECRET, request.token),
        region=REGION, service=request.service, date=date, use_double_uri_encode=not s3, should_normalize_uri_path=not s3,
        signed_body_value=awscrt.auth.AwsSignedBodyValue.UNSIGNED_PAYLOAD if s3 and query else None,
        signed_body_header_type=awscrt.auth.AwsSignedBodyHeaderType.X_AMZ_CONTENT_SHA_256 if s3 and not query
        else awscrt.auth.AwsSignedBodyHeaderType.NONE, expiration_in_seconds=3600 if query else None)
    signed = awscrt.auth.aws_sign_request(message, config).result(10)
    return signed.path, [list(h) for h in signed.headers], date.strftime("%Y%m%dT%H%M%SZ")


CRT = [("crt header", 250, "service", False, False), ("crt s3 header", 100, "s3", False, False), ("crt query", 200, "service", True, False),
       ("crt s3 query", 50, "s3", True, False), ("crt v4a header", 100, "service", False, True), ("crt v4a query", 100, "service", True, True)]


@pytest.mark.parametrize("kind, count, service, query, v4a", CRT)
def test_awscrt_signs(peer, kind, count, service, query, v4a):
    for number, request in enumerate(cases(kind, count, service)):
        if service == "s3" and query:
            request.body = b""
        target, headers, date = awscrt_signed(request, query, v4a)
        answer = peer.ask(op="verify", target=target, headers=headers, v4a=v4a, **request.common(date))
        # Of an HMAC one byte of the canonical request is enough to make another signature.
        assert answer["error"] is None, (number, target, headers, answer)


def derived_public_key():
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    for counter in range(1, 255):
        text = b"\0\0\0\1AWS4-ECDSA-P256-SHA256\0" + KEY.encode() + bytes([counter]) + b"\0\0\1\0"
        number = int.from_bytes(hmac.new(b"AWS4A" + SECRET.encode(), text, hashlib.sha256).digest(), "big")
        if number <= order - 2:
            return ec.derive_private_key(number + 1, ec.SECP256R1()).public_key()


@pytest.mark.parametrize("kind, count, service, query, v4a", CRT)
def test_awscrt_verifies(peer, kind, count, service, query, v4a):
    """awscrt signs what we have signed: its HMAC must be ours. Its ECDSA is random, so OpenSSL judges ours by a key derived here,
    over a string to sign that the canonical request of botocore makes."""
    key = derived_public_key()
    for number, request in enumerate(cases("our " + kind, count, service)):
        if service == "s3" and query:
            request.body = b""
        _, _, date = awscrt_signed(request, query, v4a)
        more = {"expires": 3600} if query else {}
        answer = peer.ask(op="sign", target=request.target, headers=list(request.headers.items()), v4a=v4a, **request.common(date, **more))
        if not v4a:
            target, headers, again = awscrt_signed(request, query, v4a)
            if again != date:
                continue  # The second has passed between the two.
            theirs = target.split("X-Amz-Signature=")[1].split("&")[0] if query else dict(map(tuple, headers))["Authorization"][-64:]
            assert answer["signature"] == theirs, (number, request.target)
            continue
        aws = recomputed(request, answer)
        for name, value in answer["headers"]:
            if name not in ("Authorization", "Host"):
                aws.headers[name] = value
        auth = (botocore.auth.SigV4QueryAuth if query else botocore.auth.SigV4Auth)(request.credentials, service, REGION)
        canonical = auth.canonical_request(aws)
        assert canonical == answer["canonical_request"], (number, request.target)
        text = f"AWS4-ECDSA-P256-SHA256\n{date}\n{date[:8]}/{service}/aws4_request\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        key.verify(bytes.fromhex(answer["signature"]), text.encode(), ec.ECDSA(hashes.SHA256()))


def test_there_are_two_thousand():
    assert 500 + 300 + 300 + 100 + sum(c[1] for c in CRT) == 2000


def authentication_after(endpoint, calls):
    """From now on so many calls are not checked."""
    address = f"{endpoint}/moto-api/reset-auth"
    urllib.request.urlopen(urllib.request.Request(address, data=calls.encode(), headers={"Content-Type": "text/plain"})).read()


@pytest.fixture(scope="module")
def moto():
    """A server that checks signatures, with a user who may do everything."""
    os.environ.setdefault("AWS_ACCESS_KEY_ID", "x")
    os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "x")
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://127.0.0.1:{port}"
    session = dict(endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    iam = aws_clients.client("iam", **session)
    iam.create_user(UserName="tester")
    everything = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})
    iam.put_user_policy(UserName="tester", PolicyName="everything", PolicyDocument=everything)
    iam.create_role(RoleName="role", AssumeRolePolicyDocument=everything)
    key = iam.create_access_key(UserName="tester")["AccessKey"]
    aws_clients.client("s3", **session).create_bucket(Bucket="bucket")
    authentication_after(endpoint, "0")
    yield endpoint, port, key["AccessKeyId"], key["SecretAccessKey"]
    # The count is the process's, also for servers of other files.
    authentication_after(endpoint, "inf")
    server.stop()


def send(peer, moto, service, method, target, headers=(), body=b"", secret=None, **more):
    endpoint, port, key, own = moto
    return peer.ask(
        op="send", endpoint=endpoint, access_key=key, secret=secret or own, region="us-east-1", service=service, method=method,
        target=target, headers=[["Host", f"127.0.0.1:{port}"], *headers], date=now(), body=base64.b64encode(body).decode(), **more)


def test_moto_takes_our_calls(peer, moto):
    form = [["Content-Type", "application/x-www-form-urlencoded; charset=utf-8"]]
    body = b"Action=GetCallerIdentity&Version=2011-06-15"
    answer = send(peer, moto, "sts", "POST", "/", form, body)
    assert answer["status"] == 200 and "user/tester" in answer["body"], answer
    answer = send(peer, moto, "sts", "POST", "/", form, body, secret="wrong")
    assert answer["status"] == 403 and "SignatureDoesNotMatch" in answer["body"], answer
    answer = send(peer, moto, "iam", "POST", "/", form, b"Action=ListUsers&Version=2010-05-08")
    assert answer["status"] == 200 and "tester" in answer["body"], answer


@pytest.mark.parametrize("more", [
    {}, {"chunk_size": 65536}, {"chunk_size": 65536, "checksum": "crc32c"}, {"chunk_size": 8192, "checksum": "sha256"},
    {"chunk_size": 65536, "checksum": "crc32", "unsigned": True}])
def test_moto_takes_our_uploads(peer, moto, more):
    endpoint, _, key, secret = moto
    body = random.Random(SEED).randbytes(200_000)
    name = "/bucket/" + quote("a b/ü+~" + "-".join(map(str, more.values())), safe="/-._~")
    answer = send(peer, moto, "s3", "PUT", name, body=body, **more)
    assert answer["status"] == 200, answer
    s3 = aws_clients.client("s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id=key, aws_secret_access_key=secret)
    found = s3.get_object(Bucket="bucket", Key=urllib.parse.unquote(name.removeprefix("/bucket/")))["Body"].read()
    assert found == body
    answer = send(peer, moto, "s3", "PUT", name, body=body, secret="wrong", **more)
    assert answer["status"] == 403 and "SignatureDoesNotMatch" in answer["body"], answer


def test_roles(peer, moto, tmp_path):
    endpoint, port, key, secret = moto
    role = "arn:aws:iam::123456789012:role/role"
    token = tmp_path / "token"
    token.write_text(jwt.encode({"iss": "https://issuer.example", "sub": "jane", "aud": "sts"}, "a secret of thirty-two bytes, or more") + "\n")
    # This call is not signed, and moto wants all to be where it wants any to be.
    authentication_after(endpoint, "inf")
    answer = peer.ask(op="role", endpoint=endpoint, role=role, token_file=str(token))
    authentication_after(endpoint, "0")
    assert "error" not in answer, answer
    assert answer["access_key"].startswith("ASIA") and answer["token"] and 3_500 < answer["seconds"] <= 3_600, answer
    answer = peer.ask(op="role", endpoint=endpoint, role=role, access_key=key, secret=secret)
    assert answer["access_key"].startswith("ASIA") and answer["token"], answer
    # The host that is signed is that of AWS: it is not the one that moto hears, and does not look at.
    answer = peer.ask(op="role", endpoint=endpoint, role=role, access_key=key, secret="wrong")
    assert answer["error"] == "credentials_service_refused", answer


def sent_by_boto3(operation, **parameters):
    """The request that boto3 sends to S3 over TLS, as members of a question to the peer, and its body."""
    seen = {}

    class Raw(io.BytesIO):
        def stream(self, **_):
            return iter(())

    def capture(request, **_):
        body = request.body.read() if hasattr(request.body, "read") else request.body
        seen.update(method=request.method, url=request.url, headers=dict(request.headers.items()), body=body)
        return botocore.awsrequest.AWSResponse(request.url, 200, {}, Raw())

    s3 = aws_clients.client("s3", region_name=REGION, aws_access_key_id=KEY, aws_secret_access_key=SECRET)
    s3.meta.events.register("before-send.s3", capture)
    getattr(s3, operation)(**parameters)
    parts = urlsplit(seen["url"])
    headers = [[n, v.decode() if isinstance(v, bytes) else v] for n, v in seen["headers"].items()]
    if not any(name.lower() == "host" for name, _ in headers):
        headers.insert(0, ["Host", parts.netloc])
    date = {n.lower(): v for n, v in headers}["x-amz-date"]
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    return dict(op="verify", access_key=KEY, secret=SECRET, region=REGION, service="s3", method=seen["method"], target=target,
                headers=headers, date=date), seen["body"]


def error_of(peer, question, body):
    return peer.ask(body=base64.b64encode(body).decode(), **question)["error"]


def mode_of(question):
    return {n.lower(): v for n, v in question["headers"]}["x-amz-content-sha256"]


def test_streams_of_others(peer):
    """An upload as boto3 sends it over TLS: chunks without signatures, a checksum in the trailer."""
    question, body = sent_by_boto3("put_object", Bucket="bucket", Key="a b/ü+~", Body=b"x" * 5000)
    assert mode_of(question) == "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
    assert error_of(peer, question, body) is None
    assert error_of(peer, question, body.replace(b"xx", b"xy", 1)) == "checksum_mismatch"


CONTENT = b"hello world"
CHECKSUMS = {"ChecksumSHA256": base64.b64encode(hashlib.sha256(CONTENT).digest()).decode(),
             "ChecksumCRC32": base64.b64encode(zlib.crc32(CONTENT).to_bytes(4, "big")).decode(),
             "ContentMD5": base64.b64encode(hashlib.md5(CONTENT).digest()).decode()}


@pytest.mark.parametrize("name", ["ChecksumSHA256", "ChecksumCRC32"])
@pytest.mark.parametrize("operation, more", [("put_object", {}), ("upload_part", {"UploadId": "u", "PartNumber": 1})])
def test_checksums_of_boto3(peer, name, operation, more):
    """Over TLS, boto3 leaves these bodies unsigned: checksums in signed headers alone protect them."""
    given = {each: CHECKSUMS[each] for each in ("ContentMD5", name)}
    question, body = sent_by_boto3(operation, Bucket="bucket", Key="k", Body=CONTENT, **given, **more)
    assert mode_of(question) == "UNSIGNED-PAYLOAD" and body == CONTENT
    assert error_of(peer, question, body) is None
    for other in (b"hello_world", b"", body * 2):
        assert error_of(peer, question, other) == "checksum_mismatch"


@pytest.mark.parametrize("names", [["ChecksumSHA256"], ["ChecksumCRC32"], ["ContentMD5"], ["ContentMD5", "ChecksumSHA256"]])
@pytest.mark.parametrize("operation, more", [("put_object", {}), ("upload_part", {"UploadId": "u", "PartNumber": 1})])
def test_checksums_in_presigned_urls(peer, names, operation, more):
    s3 = aws_clients.client("s3", region_name=REGION, aws_access_key_id=KEY, aws_secret_access_key=SECRET,
                            config=botocore.config.Config(signature_version="s3v4"))
    given = {name: CHECKSUMS[name] for name in names}
    parts = urlsplit(s3.generate_presigned_url(operation, Params={"Bucket": "bucket", "Key": "k", **given, **more}))
    fields = {"ChecksumSHA256": "x-amz-checksum-sha256", "ChecksumCRC32": "x-amz-checksum-crc32", "ContentMD5": "Content-MD5"}
    question = dict(op="verify", access_key=KEY, secret=SECRET, region=REGION, service="s3", method="PUT",
                    target=f"{parts.path}?{parts.query}", date=now(),
                    headers=[["Host", parts.netloc], *([fields[name], value] for name, value in given.items())])
    assert error_of(peer, question, CONTENT) is None
    assert error_of(peer, question, b"hello_world") == "checksum_mismatch"
