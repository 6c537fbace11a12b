"""Writes sigv4-checksums.json: uploads of boto3 with each of S3's checksums, in a header and in a trailer.

Needs boto3 and awscrt. Nothing is sent: the request is taken before.
"""
import base64
import hashlib
import io
import json
import pathlib
import sys
from urllib.parse import urlsplit

import awscrt
import boto3
from botocore.awsrequest import AWSResponse
from botocore.httpchecksum import _CHECKSUM_CLS

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
BODY = b"hello"
ALGORITHMS = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256", "sha512", "xxhash64", "xxhash3", "xxhash128"]
# What proxies and servers do not need, and what names the machine.
LEFT_OUT = {"user-agent", "amz-sdk-invocation-id", "amz-sdk-request", "accept-encoding", "expect", "transfer-encoding"}


class Empty:
    def read(self, *_, **__):
        return b""

    def stream(self, *_, **__):
        return iter(())


def upload(url, body, **options):
    client = boto3.client(
        "s3", region_name="us-east-1", endpoint_url=url, aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key=SECRET)
    taken = {}

    def take(request, **_):
        content = request.body
        taken["body"] = content.read() if hasattr(content, "read") else content
        taken["request"] = request
        return AWSResponse(request.url, 200, {}, Empty())

    client.meta.events.register("before-send.s3", take)
    client.put_object(Bucket="b", Key="k", Body=body, **options)
    request, address = taken["request"], urlsplit(taken["request"].url)
    fields = [(name, value.decode() if isinstance(value, bytes) else value) for name, value in request.headers.items()]
    fields = [(name, value) for name, value in fields if name.lower() not in LEFT_OUT]
    if not any(name.lower() == "host" for name, _ in fields):
        fields.append(("Host", address.netloc))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    date = dict(fields)["X-Amz-Date"]
    return f"PUT {address.path} HTTP/1.1\r\n{head}\r\n{taken['body'].decode()}", date


def value(name, body):
    if name == "md5":
        return base64.b64encode(hashlib.md5(body).digest()).decode()
    checksum = _CHECKSUM_CLS[name]()
    checksum.update(body)
    return checksum.b64digest()


cases = []
for name in [*ALGORITHMS, "md5"]:
    sent = {"header": upload("http://store.example", BODY, **(
        {"ChecksumMD5": value(name, BODY)} if name == "md5" else {"ChecksumAlgorithm": name.upper()}))}
    if name != "md5":
        # botocore computes no MD5 in trailers.
        sent["trailer"] = upload("https://store.example", io.BytesIO(BODY), ChecksumAlgorithm=name.upper())
    for place, (message, date) in sent.items():
        cases.append({
            "id": f"{place}-{name}",
            "input": {"message": message, "at": date, "algorithm": name},
            "expect": {
                "hello": value(name, BODY),
                "counted": value(name, bytes(range(256)) * 5),
                "long": value(name, b"a" * 1_000_003),
            },
        })

pathlib.Path(sys.argv[1]).write_text(json.dumps({
    "suite": "sigv4-checksums",
    "source": f"recorded by makers/record_checksums.py from boto3 {boto3.__version__} and awscrt {awscrt.__version__}",
    "access_key": "AKIDEXAMPLE",
    "secret": SECRET,
    "cases": cases,
}, indent=1) + "\n")
