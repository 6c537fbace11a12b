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

made = {
    "suite": "sigv4-tools",
    "source": "recorded on 2026-11-28 by makers/record_tools.py; each comment names tool and version",
    "access_key": "AKIDEXAMPLE",
    "secret": SECRET,
    "cases": cases,
}
target.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
