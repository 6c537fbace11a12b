"""Writes sigv4-tools.json: requests that tools sent, with what the verifier makes of them.

The requests are those of a folder of recordings; AKIDEXAMPLE and its secret are AWS's documented example.
"""
import hashlib
import hmac
import json
import pathlib
import sys

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
folder, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def recording(name):
    return (folder / name).read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n").decode()


def case(name, comment, message, at, *, settings=(), key=None, accept=None, reject=None, diagnoses=None):
    made = {"id": name, "comment": comment, "input": {"message": message, "at": at}}
    if settings:
        made["input"]["settings"] = list(settings)
    if key:
        made["input"]["key"] = key
    if accept:
        made["expect"] = {"access_key": accept}
    if reject:
        made["reject"] = reject
    if diagnoses:
        made["input"]["diagnoses"] = list(diagnoses)
    return made


EMPTY = recording("objectstore-empty-session-token.http")
EMPTY_URL = (
    "GET /b/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20261128%2Fus-east-1%2Fs3%2Faws4_request"
    "&X-Amz-Date=20261128T222731Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Security-Token=&X-Amz-Signature="
    "9bd3aacb9af7c1bd8be1ea306f11fd34334f3e8a70a2fcc3d25ecbf936659199 HTTP/1.1\r\nHost: 127.0.0.1:41695\r\n\r\n")
OBJECT_STORE = "object_store 0.14.2 (obstore 0.12.1), session_token set to an empty text"
SIGV2 = "boto3 1.44.8, generate_presigned_url for S3 in us-east-1, which has no signature_version"
URL = "/k?AWSAccessKeyId=AKIDEXAMPLE&Signature=99JOacMkTiYXHef7ScS4KXqfRaU%3D&Expires=1795861422"
TOKEN_URL = (
    "/k?AWSAccessKeyId=AKIDEXAMPLE&Signature=lfyR75%2FYLwE0is6n3jZ5yQVxrF4%3D&x-amz-security-token=TOK%2F%2B%3D"
    "&Expires=1795908187")


def old(target, more=""):
    return f"GET {target} HTTP/1.1\r\nHost: bkt.s3.amazonaws.com\r\n{more}\r\n"


def signed(method, path, canonical_query, query, fields, body=b"", access_key="AKIDEXAMPLE", service="s3"):
    """A request of 2026-11-28T08:33:59Z that signs `canonical_query` and sends `query`."""
    date, scope = "20261128T083359Z", f"20261128/us-east-1/{service}/aws4_request"
    fields = [("Host", "127.0.0.1:9100"), ("X-Amz-Date", date), *fields]
    values = {}
    for name, value in fields:
        values.setdefault(name.lower(), []).append(value)
    names = ";".join(sorted(values))
    lines = "".join(f"{name}:{','.join(values[name])}\n" for name in sorted(values))
    payload = values.get("x-amz-content-sha256", [hashlib.sha256(body).hexdigest()])[0]
    canonical = f"{method}\n{path}\n{canonical_query}\n{lines}\n{names}\n{payload}"
    text = f"AWS4-HMAC-SHA256\n{date}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = ("AWS4" + SECRET).encode()
    for part in [*scope.split("/"), text]:
        key = hmac.digest(key, part.encode(), "sha256")
    fields.append(("Authorization", f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, SignedHeaders={names}, Signature={key.hex()}"))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"{method} {path}{'?' + query if query else ''} HTTP/1.1\r\n{head}\r\n{body.decode()}"


PATH, REPEATED = recording("node-aws4-s3-plus-in-path.http"), recording("node-aws4-s3-repeated-parameter.http")

cases = [
    case("empty-token", OBJECT_STORE, EMPTY, "20261128T092118Z", accept="AKIDEXAMPLE"),
    case("empty-token-temporary-key", OBJECT_STORE + "; the key has a token", EMPTY, "20261128T092118Z", key="temporary",
         reject="session_token_empty"),
    case("empty-token-scoped-key", OBJECT_STORE + "; a scoped key says nothing of tokens", EMPTY, "20261128T092118Z",
         key="scoped", reject="session_token_empty"),
    case("empty-token-unknown-key", OBJECT_STORE, EMPTY, "20261128T092118Z", key="none", reject="access_key_unknown"),
    case("empty-token-prefix", "the form of object_store, with an id of temporary credentials",
         signed("GET", "/b/k", "", "", [("X-Amz-Security-Token", ""), ("X-Amz-Content-Sha256", hashlib.sha256().hexdigest())],
                access_key="ASIAEXAMPLE"), "20261128T083359Z", key="ASIAEXAMPLE", reject="session_token_empty"),
    case("empty-token-wrong-secret", OBJECT_STORE, EMPTY, "20261128T092118Z", key="wrong", reject="signature_mismatch"),
    case("empty-token-unsigned", OBJECT_STORE + ", then without the header in SignedHeaders",
         EMPTY.replace(";x-amz-security-token", ""), "20261128T092118Z", reject="header_unsigned"),
    case("empty-token-presigned", OBJECT_STORE, EMPTY_URL, "20261128T222731Z", accept="AKIDEXAMPLE"),
    case("empty-token-presigned-temporary-key", OBJECT_STORE, EMPTY_URL, "20261128T222731Z", key="temporary",
         reject="session_token_empty"),
    case("version-2-url", SIGV2, old(URL), "20261128T092118Z", reject="signature_version_2"),
    case("version-2-url-token", SIGV2 + ", with a session token", old(TOKEN_URL), "20261128T092118Z",
         reject="signature_version_2"),
    case("version-2-url-parameter", SIGV2 + ", with a parameter of the response",
         old(URL.replace("?", "?response-content-type=text%2Fplain&")), "20261128T092118Z", reject="signature_version_2"),
    case("version-2-url-lookalike", "a query with AWSAccessKeyId and no signature",
         old("/k?AWSAccessKeyId=AKIDEXAMPLE&Expires=1795861422"), "20261128T092118Z", reject="signature_missing"),
    case("version-2-header", "boto3 1.44.8, signature_version s3",
         old("/k", "Date: Sat, 28 Nov 2026 09:21:18 GMT\r\nAuthorization: AWS AKIDEXAMPLE:99JOacMkTiYXHef7ScS4KXqfRaU=\r\n"),
         "20261128T092118Z", reject="signature_version_2"),
    case("plus-in-path", "aws4 (node) of Debian 12, S3: + in a path is signed as a space", PATH, "20261128T084517Z",
         reject="ambiguous", diagnoses=["path_plus_as_space"]),
    case("repeated-parameter", "aws4 (node) of Debian 12, S3: only the first value of a name is signed", REPEATED,
         "20261128T084517Z", reject="signature_mismatch", diagnoses=["query_repeated_first"]),
]

LIST = recording("objectstore-list-prefix-space.http")
SIGNERS = recording("aws-sdk-signers-plus-in-query.http")
TWICE, ONCE = recording("../reports/w7-encoding-twice.http"), recording("../reports/w7-encoding-once.http")
FORM = (
    "POST /p?pl=a+b&z=%2B HTTP/1.1\r\nHost: 127.0.0.1:41695\r\nUser-Agent: python-requests/2.34.2\r\n"
    "Content-Type: application/json\r\nContent-Length: 7\r\nx-amz-date: 20261128T222730Z\r\nx-amz-content-sha256: "
    "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862\r\nAuthorization: AWS4-HMAC-SHA256 "
    "Credential=AKIDEXAMPLE/20261128/us-east-1/execute-api/aws4_request, "
    "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature="
    "e940c397791247e21c6eb226fa41ab64c53948fc88fbae6251118ac4ee68f999\r\n\r\n" + '{"a":1}')
FORMS = "requests-aws4auth 1.4.0 (requests 2.34.2), parameters as a dictionary"
SIGNED_PLUS = signed("GET", "/b/k", "a=x%2By", "a=x+y", [("X-Amz-Content-Sha256", hashlib.sha256().hexdigest())])
URL_PLUS = EMPTY_URL.replace("X-Amz-Security-Token=", "X-Amz-Security-Token=a+b")
EMPTY_HASH = [("X-Amz-Content-Sha256", hashlib.sha256().hexdigest())]
CHUNKS = [("X-Amz-Content-Sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"), ("X-Amz-Decoded-Content-Length", "5")]
TRAILED = b"5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\nx-amz-meta-a:b\r\n\r\n"
CODINGS = "rclone 8432: the forms of a list of content codings"


def coded(*fields):
    return signed("PUT", "/b/k", "", "", [*CHUNKS, *fields], TRAILED)


cases += [
    case("plus-as-space", "object_store 0.14.2 (obstore 0.12.1), a prefix with a space", LIST, "20261128T083359Z",
         settings=["plus_as_space"], accept="AKIDEXAMPLE"),
    case("plus-as-space-by-default", "object_store 0.14.2 (obstore 0.12.1), a prefix with a space", LIST,
         "20261128T083359Z", reject="ambiguous", diagnoses=["query_plus_as_space"]),
    case("plus-as-plus", "object_store 0.14.2 (obstore 0.12.1): the other reading is not tried", LIST,
         "20261128T083359Z", settings=["plus"], reject="signature_mismatch", diagnoses=["query_plus_as_space"]),
    case("plus-signers", "aws-sdk-signers 0.4.0", SIGNERS, "20261128T084351Z", settings=["plus_as_space"],
         accept="AKIDEXAMPLE"),
    case("plus-form", FORMS, FORM, "20261128T222730Z", settings=["plus_as_space"], accept="AKIDEXAMPLE"),
    case("plus-signed-as-plus", "+ signed as %2B: the other reading is not tried", SIGNED_PLUS, "20261128T083359Z",
         settings=["plus_as_space"], reject="signature_mismatch", diagnoses=["query_plus_as_plus"]),
    case("plus-signed-as-plus-accepted", "+ signed as %2B", SIGNED_PLUS, "20261128T083359Z", settings=["plus"],
         accept="AKIDEXAMPLE"),
    case("plus-both-settings", "+ as a space and the ambiguity accepted: one reading, a space", SIGNED_PLUS,
         "20261128T083359Z", settings=["plus_as_space", "plus"], reject="signature_mismatch"),
    case("plus-in-signature-parameter", "+ in a parameter of a presigned URL's signature", URL_PLUS, "20261128T222731Z",
         settings=["plus_as_space"], reject="ambiguous"),
    case("encoding-once", "rclone 8432", ONCE, "20260905T090307Z", key="AKIAIOSFODNN7EXAMPLE", accept="AKIAIOSFODNN7EXAMPLE"),
    case("encoding-twice", "rclone 8432", TWICE, "20260905T090307Z", key="AKIAIOSFODNN7EXAMPLE", accept="AKIAIOSFODNN7EXAMPLE"),
]
for name, fields, reject in [
    ("encoding-list", [("Content-Encoding", "aws-chunked,gzip")], None),
    ("encoding-lines", [("Content-Encoding", "gzip"), ("Content-Encoding", "aws-chunked")], None),
    ("encoding-absent", [], None),
]:
    cases.append(case(name, CODINGS, coded(*fields, ("X-Amz-Trailer", "x-amz-checksum-crc32,x-amz-meta-a")),
                      "20261128T083359Z", accept="AKIDEXAMPLE"))
for name, values, reject in [
    ("trailer-lines", ["x-amz-checksum-crc32", "x-amz-meta-a"], None),
    ("trailer-list-in-lines", ["x-amz-checksum-crc32,", "x-amz-meta-a"], None),
    ("trailer-line-repeated", ["x-amz-checksum-crc32,x-amz-meta-a", "x-amz-meta-a"], "trailer_declaration"),
    ("trailer-line-missing", ["x-amz-checksum-crc32"], "trailer_undeclared"),
]:
    cases.append(case(name, "X-Amz-Trailer in several lines is one list (RFC 9110, 5.3)",
                      coded(*[("X-Amz-Trailer", value) for value in values]), "20261128T083359Z",
                      accept=None if reject else "AKIDEXAMPLE", reject=reject))
cases.append(case("hash-lines", "X-Amz-Content-Sha256 is no list", signed("GET", "/b/k", "", "", EMPTY_HASH * 2),
                  "20261128T083359Z", reject="header_repeated"))
cases += [
    case(f"same-second-{number}", "boto3 1.44.8, head_object twice in one second", recording(f"boto3-head-same-second-{number}.http"),
         "20261128T091727Z", accept="AKIDEXAMPLE")
    for number in (1, 2)
]
HTTPX = recording("httpx-aws-auth-unsigned-sha256.http")
LATE = (
    "POST /p HTTP/1.1\r\nHost: 127.0.0.1:42947\r\nContent-Type: application/json\r\nContent-Length: 7\r\nAuthorization: "
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261128/us-east-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date, "
    "Signature=0ed4abeebf55d29c42fc2fee5afb551ed1221faf98617b9e402a5f4c52ba47f6\r\nx-amz-date: 20261128T224710Z\r\n"
    "x-amz-content-sha256: 015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862\r\n\r\n" + '{"a":1}')
cases += [
    case(f"{name}{'-type-accepted' if settings else ''}", tool, message, at, settings=settings, reject="header_unsigned")
    for name, tool, message, at in [
        ("httpx-aws-auth", "httpx-aws-auth 4.2.0 (httpx 0.28.1)", HTTPX, "20261128T084255Z"),
        ("aws-requests-auth", "aws-requests-auth 0.4.3 (requests 2.34.2)", LATE, "20261128T224710Z"),
    ]
    for settings in ([], ["unsigned_content_type"])
]

made = {
    "suite": "sigv4-tools",
    "source": "recorded on 2026-11-28 by makers/record_tools.py; each comment names tool and version",
    "access_key": "AKIDEXAMPLE",
    "secret": SECRET,
    "cases": cases,
}
target.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
