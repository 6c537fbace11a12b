#!/usr/bin/env python3
"""Makes sigv4-clients.json: forms in which widespread clients differ from AWS's own examples, and what is close to each
form and must be refused. It needs nothing but Python. Run it in this folder:

    python3 make_clients.py ..
"""
import base64
import hashlib
import hmac
import json
import pathlib
import sys

KEY, SECRET, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "us-east-1"
STAMP, DAY, HOST = "20150830T123600Z", "20150830", "store.example"
EMPTY = hashlib.sha256(b"").hexdigest()
BODY = b"forty bytes of a body that is in chunks!"


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return base64.b64encode((value ^ 0xFFFFFFFF).to_bytes(4, "big")).decode()


def sign(text, service):
    key = ("AWS4" + SECRET).encode()
    for part in (DAY, REGION, service, "aws4_request", text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key.hex()


def scope(service):
    return f"{DAY}/{REGION}/{service}/aws4_request"


def head(method, target, headers, signed, service, payload):
    """The request's head, and its signature; `signed` names the headers that the client signs."""
    path, _, query = target.partition("?")
    names = sorted(signed)
    lines = "".join(f"{name}:{headers[name]}\n" for name in names)
    canonical = f"{method}\n{path}\n{query}\n{lines}\n{';'.join(names)}\n{payload}"
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    signature = sign(f"AWS4-HMAC-SHA256\n{STAMP}\n{scope(service)}\n{digest}", service)
    text = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return text + (f"Authorization: AWS4-HMAC-SHA256 Credential={KEY}/{scope(service)}, SignedHeaders={';'.join(names)}, "
                   f"Signature={signature}\r\n\r\n"), signature


def upload(is_signed=True, size_end="\r\n", data_end="\r\n", trailer=None, trailer_end="\n\r\n", signature_end="\r\n", last="\r\n",
           content_type=None, has_trailer=True, checksum=None):
    """A streamed upload with a trailing checksum, whose lines end as asked."""
    mode = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" if is_signed else "STREAMING-UNSIGNED-PAYLOAD"
    if has_trailer:
        mode += "-TRAILER"
    headers = {"host": HOST, "x-amz-content-sha256": mode, "x-amz-date": STAMP, "x-amz-decoded-content-length": str(len(BODY))}
    if has_trailer:
        headers["x-amz-trailer"] = "x-amz-checksum-crc32c"
    signed = list(headers)
    if content_type:
        headers["content-type"] = content_type
    text, previous = head("PUT", "/bucket/key", headers, signed, "s3", mode)
    sent = b""
    for data in (BODY[:16], BODY[16:], b""):
        line = f"{len(data):x}"
        if is_signed:
            digest = hashlib.sha256(data).hexdigest()
            previous = sign(f"AWS4-HMAC-SHA256-PAYLOAD\n{STAMP}\n{scope('s3')}\n{previous}\n{EMPTY}\n{digest}", "s3")
            line += f";chunk-signature={previous}"
        sent += (line + size_end).encode() + data + (data_end.encode() if data else b"")
    if has_trailer:
        line = trailer or f"x-amz-checksum-crc32c:{checksum or crc32c(BODY)}"
        sent += (line + trailer_end).encode()
        if is_signed:
            digest = hashlib.sha256((line + "\n").encode()).hexdigest()
            signature = sign(f"AWS4-HMAC-SHA256-TRAILER\n{STAMP}\n{scope('s3')}\n{previous}\n{digest}", "s3")
            sent += f"x-amz-trailer-signature:{signature}{signature_end}".encode()
    return text.encode() + sent + last.encode()


def call(signed, **more):
    """A call of JSON 1.1, as Amazon's SDKs send it."""
    body = '{"IdentityPoolId":"x"}'
    headers = {"host": HOST, "content-type": "application/x-amz-json-1.1", "x-amz-date": STAMP,
               "x-amz-target": "AWSCognitoIdentityService.DescribeIdentityPool"} | more
    text, _ = head("POST", "/", headers, signed, "cognito-identity", hashlib.sha256(body.encode()).hexdigest())
    return (text + body).encode()


def main():
    cases = []

    def case(name, comment, message, *unsigned, reject=None):
        entry = {"id": name, "comment": comment, "input": {"message_base64": base64.b64encode(message).decode()}}
        if unsigned:
            entry["input"]["accepted_unsigned"] = list(unsigned)
        cases.append(entry | ({"reject": reject} if reject else {"expect": {"access_key": KEY}}))

    for signed in (True, False):
        kind = "signed" if signed else "unsigned"
        case(f"trailer-{kind}", "CR LF at the end of every line", upload(signed, trailer_end="\r\n"))
        case(f"trailer-{kind}-minio-go", "LF, then CR LF, at the end of the checksum's line", upload(signed))
        case(f"trailer-{kind}-two-line-feeds", "", upload(signed, trailer_end="\n\n\r\n"), reject="chunk_malformed")
        case(f"trailer-{kind}-line-feed-alone", "", upload(signed, trailer_end="\n"), reject="chunk_malformed" if signed else "body_ended_early")
        case(f"trailer-{kind}-line-feed-inside", "", upload(signed, trailer="x-amz-checksum-crc32c:\n" + crc32c(BODY)), reject="chunk_malformed")
        case(f"trailer-{kind}-return-line-feed-twice", "an empty line ends the body before its end", upload(signed, trailer_end="\r\n\r\n"),
             reject="trailer_missing" if signed else "data_after_end")
        case(f"trailer-{kind}-end-with-line-feed", "the empty line is no trailer", upload(signed, last="\n\r\n"), reject="chunk_malformed")
        case(f"trailer-{kind}-size-with-line-feed", "the line of a size is no trailer", upload(signed, size_end="\n\r\n"), reject="chunk_malformed")
        case(f"trailer-{kind}-data-with-line-feed", "what follows the data is no trailer", upload(signed, data_end="\n\r\n"), reject="chunk_malformed")
        case(f"trailer-{kind}-minio-go-another-checksum", "", upload(signed, checksum="AAAAAA=="), reject="checksum_mismatch")
    case("trailer-signature-with-line-feed", "the signature's line is a trailer line, too", upload(signature_end="\n\r\n"))

    whole = ["content-type", "host", "x-amz-date", "x-amz-target"]
    without = ["host", "x-amz-date", "x-amz-target"]
    agent = {"x-amz-user-agent": "aws-sdk-php/3.300.0"}
    case("call-all-signed", "", call(whole))
    case("call-content-type-unsigned", "Amazon's SDK for JavaScript, version 2", call(without), "content-type")
    case("call-content-type-unsigned-by-default", "", call(without), reject="header_unsigned")
    case("call-content-type-unsigned-other-name", "", call(without), "x-amz-user-agent", reject="header_unsigned")
    case("call-agent-unsigned", "Amazon's SDK for PHP", call(without, **agent), "content-type", "x-amz-user-agent")
    case("call-agent-unsigned-by-default", "", call(without, **agent), "content-type", reject="header_unsigned")
    case("call-target-unsigned", "what decides is signed under every policy", call(["content-type", "host", "x-amz-date"]), "content-type",
         "x-amz-user-agent", reject="header_unsigned")
    case("call-host-unsigned", "", call(["content-type", "x-amz-date", "x-amz-target"]), "content-type", "x-amz-user-agent",
         reject="header_unsigned")
    case("call-meta-unsigned", "", call(without, **{"x-amz-user-agents": "x"}), "content-type", "x-amz-user-agent", reject="header_unsigned")
    case("upload-content-type-unsigned", "minio-go over plain HTTP",
         upload(has_trailer=False, content_type="text/plain"), "content-type")
    case("upload-content-type-unsigned-by-default", "", upload(has_trailer=False, content_type="text/plain"), reject="header_unsigned")

    trace = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate": "a=1", "baggage": "user=x"}
    case("call-trace-unsigned", "", call(whole, **trace))
    case("call-trace-signed", "", call(whole + list(trace), **trace))
    spoilt = call(whole + list(trace), **trace).replace(b"traceparent: 00", b"traceparent: 01")
    case("call-trace-signed-and-changed", "what a proxy does to it", spoilt, reject="signature_mismatch")

    value = {"suite": "sigv4-clients", "source": "made by makers/make_clients.py", "access_key": KEY, "secret": SECRET, "region": REGION,
             "host": HOST, "now": STAMP, "cases": cases}
    pathlib.Path(sys.argv[1], "sigv4-clients.json").write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


main()
