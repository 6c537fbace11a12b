#!/usr/bin/env python3
"""Makes sigv4-canonical.json and sigv4-refusals.json.

The first has what AWS's suite is silent about: percent signs in paths, S3's paths, repeated and empty parameters, ports,
values with runs of white space. Its values are those of botocore, and of awscrt, too, where the two agree; where they
do not, the case says whom it follows (docs/decisions/0014). The second has requests that must be refused, each broken in one
place. Run it in this folder, with botocore and awscrt installed:

    python3 make_sigv4.py ..
"""
import datetime
import hashlib
import hmac
import json
import pathlib
import sys
from urllib.parse import urlsplit

import awscrt.auth
import awscrt.http
import awscrt.io
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEY, SECRET, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "us-east-1"
STAMP, DAY = "20150830T123600Z", "20150830"
EMPTY = hashlib.sha256(b"").hexdigest()


def sign(text, service, secret=SECRET, day=DAY, region=REGION):
    key = ("AWS4" + secret).encode()
    for part in (day, region, service, "aws4_request", text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key.hex()


def string_to_sign(canonical, service, day=DAY, region=REGION, stamp=STAMP):
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    return f"AWS4-HMAC-SHA256\n{stamp}\n{day}/{region}/{service}/aws4_request\n{digest}"


def botocore_canonical(method, target, headers, body, service):
    """The canonical request, whatever the headers' order."""
    request = AWSRequest(method=method, url="https://" + headers["Host"] + target, data=body.encode())
    for name, value in headers.items():
        request.headers[name] = value
    request.headers["X-Amz-Date"] = STAMP
    request.context["timestamp"] = STAMP
    auth = (S3SigV4Auth if service == "s3" else SigV4Auth)(Credentials(KEY, SECRET), service, REGION)
    if service == "s3":
        request.headers["X-Amz-Content-SHA256"] = hashlib.sha256(body.encode()).hexdigest()
    return auth.canonical_request(request)


def awscrt_signature(method, target, headers, body, service):
    fields = awscrt.http.HttpHeaders([(n, v) for n, v in headers.items()])
    request = awscrt.http.HttpRequest(method, target, fields, awscrt.io.InputStream(__import__("io").BytesIO(body.encode())))
    config = awscrt.auth.AwsSigningConfig(
        algorithm=awscrt.auth.AwsSigningAlgorithm.V4, signature_type=awscrt.auth.AwsSignatureType.HTTP_REQUEST_HEADERS,
        credentials_provider=awscrt.auth.AwsCredentialsProvider.new_static(KEY, SECRET), region=REGION, service=service,
        date=datetime.datetime(2015, 8, 30, 12, 36, tzinfo=datetime.timezone.utc),
        use_double_uri_encode=service != "s3", should_normalize_uri_path=service != "s3",
        signed_body_header_type=awscrt.auth.AwsSignedBodyHeaderType.X_AMZ_CONTENT_SHA_256 if service == "s3"
        else awscrt.auth.AwsSignedBodyHeaderType.NONE)
    signed = awscrt.auth.aws_sign_request(request, config).result(10)
    return dict(signed.headers)["Authorization"].rpartition("Signature=")[2]


HOST = "example.amazonaws.com"
CANONICAL = [
    # id, method, target, headers, body, service, whom it follows where the two differ, canonical query where it is awscrt's
    ("path-percent", "GET", "/a%20b/%E1%88%B4", {}, "", "service", None, None),
    ("path-percent-lower", "GET", "/a%3ab", {}, "", "service", None, None),
    ("path-reserved", "GET", "/a:b@c,d;e=f$g!h'i(j)k*l", {}, "", "service", None, None),
    ("path-plus", "GET", "/a+b", {}, "", "service", None, None),
    ("path-encoded-slash", "GET", "/a%2Fb", {}, "", "service", None, None),
    ("path-dots-inside", "GET", "/a..b/...", {}, "", "service", None, None),
    ("path-dot-at-end", "GET", "/a/b/.", {}, "", "service", None, None),
    ("path-dots-at-end", "GET", "/a/b/..", {}, "", "service", None, None),
    ("path-dots-above-root", "GET", "/../../a", {}, "", "service", None, None),
    ("path-dots-and-slash", "GET", "/a/../b/./c//d/", {}, "", "service", None, None),
    ("s3-percent", "GET", "/a%20b/%E1%88%B4", {}, "", "s3", None, None),
    ("s3-dots", "GET", "/a/../b/./c//d/", {}, "", "s3", None, None),
    ("s3-plus-encoded", "PUT", "/a%2Bb", {}, "body", "s3", None, None),
    ("s3-tilde", "GET", "/~a-b_c.d", {}, "", "s3", None, None),
    ("query-repeated", "GET", "/?a=2&a=1&b=&a=10", {}, "", "service", None, None),
    ("query-empty-value", "GET", "/?a=&b", {}, "", "service", None, None),
    ("query-prefix-order", "GET", "/?ab=1&a=2&a-b=3&a.b=4&A=5", {}, "", "service", None, None),
    ("query-encoded", "GET", "/?a=%20%2F&b=%E1%88%B4", {}, "", "service", None, None),
    ("query-subresource", "GET", "/?lifecycle", {}, "", "s3", None, None),
    ("query-lower-hex-and-plus", "GET", "/?x=%2f&c=1+2", {}, "", "service", "awscrt", "c=1%2B2&x=%2F"),
    ("query-empty-pairs", "GET", "/?&&a=1&&", {}, "", "service", "awscrt", "a=1"),
    ("query-second-equals", "GET", "/?a=b=c", {}, "", "service", "awscrt", "a=b%3Dc"),
    ("query-encoded-unreserved", "GET", "/?%61=%7E", {}, "", "service", "awscrt", "a=~"),
    ("host-port", "GET", "/", {"Host": HOST + ":8443"}, "", "service", None, None),
    ("value-runs", "GET", "/", {"X-Custom": "  a   b \t c  "}, "", "service", None, None),
    ("value-quoted-runs", "GET", "/", {"X-Custom": '"a   b"  c'}, "", "service", None, None),
    ("value-empty", "GET", "/", {"X-Custom": ""}, "", "service", None, None),
    ("names-order", "GET", "/", {"X-B": "1", "X-A-B": "2", "X-A": "3"}, "", "service", None, None),
    ("unsigned-by-custom", "GET", "/", {"User-Agent": "x", "Expect": "100-continue", "X-Amzn-Trace-Id": "Root=1"}, "",
     "service", None, None),
    ("body", "POST", "/", {"Content-Type": "application/x-amz-json-1.1"}, '{"a":1}', "service", None, None),
]


def canonical_cases():
    for name, method, target, extra, body, service, follows, query in CANONICAL:
        headers = {"Host": HOST} | extra
        canonical = botocore_canonical(method, target, headers, body, service)
        crt = awscrt_signature(method, target, headers, body, service)
        signature = sign(string_to_sign(canonical, service), service)
        if follows:
            assert crt != signature, f"{name}: both agree now"
            lines = canonical.split("\n")
            lines[2] = query
            canonical = "\n".join(lines)
            signature = sign(string_to_sign(canonical, service), service)
        if crt != signature:
            print(name, "awscrt differs", file=sys.stderr)
        yield {
            "id": name, "comment": f"as {follows} has it" if follows else "botocore and awscrt agree",
            "input": {"method": method, "target": target, "headers": [[n, v] for n, v in headers.items()], "body": body,
                      "service": service},
            "expect": {"canonical_request": canonical, "string_to_sign": string_to_sign(canonical, service),
                       "signature": signature}}


def request(method="GET", target="/", headers=None, body="", service="service", signed=None, stamp=STAMP, day=DAY, region=REGION,
            credential=None, payload=None, omit_date=False):
    """A request with a signature that holds, as a list of headers."""
    fields = [("Host", HOST)] + (headers or [])
    if not omit_date:
        fields.append(("X-Amz-Date", stamp))
    names = sorted({n.lower() for n, _ in fields}) if signed is None else signed
    lines = "".join(f"{n}:{','.join(' '.join(v.split()) for k, v in fields if k.lower() == n)}\n" for n in names)
    path, _, query = target.partition("?")
    digest = payload or hashlib.sha256(body.encode()).hexdigest()
    canonical = f"{method}\n{path}\n{query}\n{lines}\n{';'.join(names)}\n{digest}"
    signature = sign(string_to_sign(canonical, service, day, region, stamp), service, day=day, region=region)
    credential = credential or f"{KEY}/{day}/{region}/{service}/aws4_request"
    fields.append(("Authorization", f"AWS4-HMAC-SHA256 Credential={credential}, SignedHeaders={';'.join(names)}, Signature={signature}"))
    return fields


def message(fields, method="GET", target="/", body=""):
    return f"{method} {target} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in fields) + "\r\n" + body


def presigned(expires="3600", stamp=STAMP, drop=(), add="", headers=None, target="/", service="service", replace=()):
    parameters = {
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"{KEY}%2F{DAY}%2F{REGION}%2F{service}%2Faws4_request",
        "X-Amz-Date": stamp, "X-Amz-Expires": expires, "X-Amz-SignedHeaders": "host"}
    query = "&".join(f"{n}={v}" for n, v in parameters.items())
    canonical = f"GET\n{target}\n{query}\nhost:{HOST}\n\nhost\n{EMPTY}"
    parameters["X-Amz-Signature"] = sign(string_to_sign(canonical, service, stamp=stamp), service)
    for old, new in replace:
        parameters[new] = parameters.pop(old)
    query = "&".join(f"{n}={v}" for n, v in parameters.items() if n not in drop)
    return message([("Host", HOST)] + (headers or []), target=f"{target}?{query}{add}")


def changed(fields, name, new):
    return [(n, new(v) if n == name else v) for n, v in fields]


def authorization(old, new):
    return message(changed(request(), "Authorization", lambda v: v.replace(old, new)))


def refusals():
    ok = request()
    yield "unsigned", message([("Host", HOST)]), "signature_missing"
    yield "two-authorizations", message(ok + [ok[-1]]), "header_repeated"
    yield "header-and-query", message(ok, target="/?X-Amz-Signature=00"), "signature_twice"
    yield "header-and-query-other-case", message(ok, target="/?x-amz-signature=00"), "parameter_unexpected"
    yield "two-hosts", message(ok + [("Host", "other.example")]), "header_repeated"
    yield "no-host", message([f for f in ok if f[0] != "Host"]), "host_missing"
    yield "other-host", message(changed(ok, "Host", lambda _: "other.example")), "host_not_accepted"
    yield "authority-differs", message(ok, target="http://other.example/"), "host_mismatch"
    yield "two-dates", message(ok + [("x-amz-date", STAMP)]), "header_repeated"
    yield "no-date", message(request(omit_date=True)), "date_missing"
    for name, text in [("year-0", "00000830T123600Z"), ("year-10000", "100000830T123600Z"), ("month-13", "20151330T123600Z"),
                       ("february-30", "20150230T123600Z"), ("second-60", "20150830T123660Z"), ("letters", "2015083OT123600Z"),
                       ("rfc1123", "Sun, 30 Aug 2015 12:36:00 GMT"), ("space", "20150830 123600Z")]:
        yield "date-" + name, message(changed(ok, "X-Amz-Date", lambda _, t=text: t)), "date_malformed"
    yield "scope-of-another-day", message(request(day="20150829")), "scope_date_mismatch"
    yield "scope-of-another-region", message(request(region="us-west-2")), "wrong_region"
    yield "scope-of-another-service", message(request(service="other")), "wrong_service"
    yield "scope-without-termination", authorization("aws4_request", "aws3_request"), "scope_termination"
    yield "scope-with-four-parts", authorization("/us-east-1/", "/"), "credential_malformed"
    yield "access-key-with-slash", authorization("AKIDEXAMPLE", "AKID/EXAMPLE"), "credential_malformed"
    yield "access-key-empty", authorization("AKIDEXAMPLE", ""), "access_key_malformed"
    yield "scope-day-with-letters", authorization("/20150830/", "/2015083O/"), "credential_malformed"
    yield "algorithm-unknown", authorization("AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA1 "), "algorithm_unknown"
    yield "algorithm-bearer", authorization("AWS4-HMAC-SHA256 ", "Bearer "), "algorithm_unknown"
    yield "algorithm-alone", message(changed(ok, "Authorization", lambda _: "AWS4-HMAC-SHA256")), "authorization_malformed"
    yield "algorithm-not-accepted", authorization("AWS4-HMAC-SHA256 ", "AWS4-ECDSA-P256-SHA256 "), "parameter_missing"
    yield "signature-missing", message(changed(ok, "Authorization", lambda v: v.partition(", Signature")[0])), "parameter_missing"
    yield "signature-twice", message(changed(ok, "Authorization", lambda v: v + ", Signature=00")), "parameter_repeated"
    yield "parameter-unknown", message(changed(ok, "Authorization", lambda v: v + ", Extra=1")), "parameter_unexpected"
    yield "part-without-equals", message(changed(ok, "Authorization", lambda v: v + ", ")), "authorization_malformed"
    yield "signature-short", message(changed(ok, "Authorization", lambda v: v[:-2])), "signature_malformed"
    yield "signature-upper-case", message(changed(ok, "Authorization", lambda v: v[:-64] + v[-64:].upper())), "signature_malformed"
    yield "signature-no-hex", message(changed(ok, "Authorization", lambda v: v[:-1] + "g")), "signature_malformed"
    yield "signature-wrong", message(changed(ok, "Authorization", lambda v: v[:-1] + ("0" if v[-1] != "0" else "1"))), "signature_mismatch"
    yield "signed-headers-unsorted", authorization("host;x-amz-date", "x-amz-date;host"), "signed_headers_malformed"
    yield "signed-headers-twice", authorization("host;x-amz-date", "host;host;x-amz-date"), "signed_headers_malformed"
    yield "signed-headers-upper-case", authorization("host;x-amz-date", "Host;x-amz-date"), "signed_headers_malformed"
    yield "signed-headers-empty", authorization("SignedHeaders=host;x-amz-date", "SignedHeaders="), "signed_headers_malformed"
    yield "signed-header-absent", message(request(signed=["host", "x-absent", "x-amz-date"])), "signed_header_absent"
    yield "host-unsigned", message(request(signed=["x-amz-date"])), "header_unsigned"
    yield "date-unsigned", message(request(signed=["host"])), "header_unsigned"
    yield "amz-header-unsigned", message(ok + [("X-Amz-Target", "A.B")]), "header_unsigned"
    yield "content-type-unsigned", message(ok + [("Content-Type", "text/plain")]), "header_unsigned"
    yield "token-unsigned", message(ok + [("X-Amz-Security-Token", "abc")]), "header_unsigned"
    yield "header-value-changed", message(changed(request(headers=[("X-Amz-Target", "A.B")]), "X-Amz-Target", lambda _: "A.C")), "signature_mismatch"
    yield "method-changed", message(ok, method="PUT"), "signature_mismatch"
    yield "path-changed", message(ok, target="/a"), "signature_mismatch"
    yield "query-changed", message(ok, target="/?a=1"), "signature_mismatch"
    yield "body-changed", message(ok, body="x"), "signature_mismatch"
    declared = request(headers=[("X-Amz-Content-Sha256", EMPTY)], payload=EMPTY)
    yield "declared-body-changed", message(declared, body="x"), "payload_hash_mismatch"
    yield "content-hash-malformed", message(request(headers=[("X-Amz-Content-Sha256", "00")], payload="00")), "payload_hash_malformed"
    yield "content-hash-upper-case", message(request(headers=[("X-Amz-Content-Sha256", EMPTY.upper())], payload=EMPTY.upper())), "payload_hash_malformed"
    for mode in ("UNSIGNED-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"):
        yield mode.lower(), message(request(headers=[("X-Amz-Content-Sha256", mode)], payload=mode)), "payload_not_accepted"
    mode = "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD"
    yield "streamed-by-another-algorithm", message(request(headers=[("X-Amz-Content-Sha256", mode)], payload=mode)), "payload_mode_algorithm"
    yield "too-old", message(request(stamp="20150830T122059Z")), "request_expired"
    yield "from-the-future", message(request(stamp="20150830T125101Z")), "request_from_future"
    yield "path-without-slash", message(ok, target="a"), "path_not_absolute"
    for name, target, code in [
            ("percent-without-digits", "/%zz", "percent_encoding"), ("percent-at-end", "/%", "percent_encoding"),
            ("query-percent-without-digits", "/?a=%zz", "percent_encoding"), ("fragment", "/#a", "target_character"),
            ("control", "/a\u0001", "target_character"), ("plus", "/a+b", "ambiguous"), ("query-plus", "/?a=1+2", "ambiguous"),
            ("encoded-slash", "/a%2Fb", "ambiguous"), ("encoded-slash-lower", "/a%2fb", "ambiguous"), ("encoded-backslash", "/a%5Cb", "ambiguous"),
            ("encoded-dots", "/%2e%2e/a", "ambiguous"), ("half-encoded-dots", "/.%2E/a", "ambiguous"), ("dots", "/a/../b", "ambiguous"),
            ("dot", "/a/./b", "ambiguous"), ("two-slashes", "/a//b", "ambiguous"), ("space", "/a b", "ambiguous"),
            ("utf-8", "/\u1234", "ambiguous"), ("backslash", "/a\\b", "ambiguous"), ("query-space", "/?a b", "ambiguous")]:
        yield "target-" + name, message(ok, target=target), code
    yield "header-value-control", message(ok + [("X-A", "a\u0000b")]), "header_value"
    yield "header-value-carriage-return", message(ok + [("X-A", "a\rX-B: c")]), "header_value"
    yield "header-name-space", message(ok + [("X A", "b")]), "header_name"
    yield "header-name-empty", message(ok + [("", "b")]), "header_name"
    yield "method-empty-name", message(ok, method="G@T"), "method_invalid"
    yield "ten-thousand-headers", message(ok + [("X-A", "b")] * 300), "too_many_headers"
    yield "presigned-signature-wrong", presigned(add="").replace("X-Amz-Signature=", "X-Amz-Signature=0")[:-1] + "\n", "signature_malformed"
    for name, expires, code in [("0", "0", "expires_out_of_range"), ("minus-1", "-1", "expires_out_of_range"),
                                ("8-days", "604801", "expires_out_of_range"), ("words", "an-hour", "expires_malformed"),
                                ("fraction", "1.5", "expires_malformed"), ("plus", "%2B60", "expires_malformed"),
                                ("huge", "99999999999999999999", "expires_malformed"), ("empty", "", "expires_malformed")]:
        yield "presigned-expires-" + name, presigned(expires), code
    yield "presigned-expired", presigned("60", "20150830T123459Z"), "presigned_expired"
    yield "presigned-from-the-future", presigned("60", "20150830T125101Z"), "request_from_future"
    for name in ("Algorithm", "Credential", "Date", "SignedHeaders", "Expires", "Signature"):
        yield f"presigned-without-{name.lower()}", presigned(drop=(f"X-Amz-{name}",)), "parameter_missing"
    yield "presigned-date-twice", presigned(add="&X-Amz-Date=" + STAMP), "parameter_repeated"
    yield "presigned-name-in-lower-case", presigned(replace=[("X-Amz-Date", "x-amz-date")]), "parameter_unexpected"
    yield "presigned-with-header-date", presigned(headers=[("X-Amz-Date", STAMP)]), "header_unexpected"
    yield "presigned-amz-header-unsigned", presigned(headers=[("X-Amz-Acl", "public-read")]), "header_unsigned"
    yield "presigned-parameter-added", presigned(add="&a=1"), "signature_mismatch"
    yield "presigned-with-authorization", presigned(headers=[ok[-1]]), "signature_twice"


def main(folder):
    cases = list(canonical_cases())
    source = "made by makers/make_sigv4.py with botocore and awscrt"
    (folder / "sigv4-canonical.json").write_text(json.dumps({
        "suite": "sigv4-canonical", "source": source, "access_key": KEY, "secret": SECRET, "region": REGION, "date": STAMP,
        "cases": cases}, indent=1, ensure_ascii=False) + "\n")
    cases = [{"id": "control", "input": {"message": message(request())}, "expect": {"access_key": KEY}},
             {"id": "control-presigned", "input": {"message": presigned()}, "expect": {"access_key": KEY}}]
    cases += [{"id": n, "input": {"message": m}, "reject": c} for n, m, c in refusals()]
    (folder / "sigv4-refusals.json").write_text(json.dumps({
        "suite": "sigv4-refusals", "source": "made by makers/make_sigv4.py", "access_key": KEY, "secret": SECRET, "region": REGION,
        "service": "service", "host": HOST, "now": STAMP, "cases": cases}, indent=1, ensure_ascii=False) + "\n")


main(pathlib.Path(sys.argv[1]))
