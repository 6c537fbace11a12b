"""STS with the parameters in the query of a POST or GET: minio-py, object_store's request, and URLs that boto3 presigns."""
import urllib.parse

import pytest
import requests
from minio.credentials import WebIdentityProvider

from identity_support import DEVELOPER, ROLE, Service, make_pool
from waiting import LIMIT

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("queries") / "data", "--rate", 0)
    yield service
    assert service.stop() == 0


@pytest.fixture(scope="module")
def token(service, tmp_path_factory):
    pool = make_pool(service, tmp_path_factory.mktemp("pool"))
    return service.client().get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "query"})["Token"]


@pytest.fixture(scope="module")
def query(token):
    """As object_store 0.14.2 writes it."""
    return urllib.parse.urlencode({
        "Action": "AssumeRoleWithWebIdentity", "DurationSeconds": 3600, "RoleArn": ROLE, "RoleSessionName": "WebIdentitySession",
        "Version": "2011-06-15", "WebIdentityToken": token})


def code(answer):
    return answer.text.partition("<Code>")[2].partition("</Code>")[0]


def test_minio(service, token):
    """minio-py 7.2.20: a POST without a body and without a Content-Type."""
    provider = WebIdentityProvider(
        jwt_provider_func=lambda: {"access_token": token}, sts_endpoint=service.url, duration_seconds=900, role_arn=ROLE,
        role_session_name="me@app")
    keys = provider.retrieve()
    assert keys.access_key.startswith("ASIA")
    me = service.client("sts", key=(keys.access_key, keys.secret_key), token=keys.session_token).get_caller_identity()
    assert me["Arn"] == "arn:aws:sts::123456789012:assumed-role/app-user/me@app"


@pytest.mark.parametrize("method", ["POST", "GET"])
@pytest.mark.parametrize("headers", [{}, FORM, {"Content-Type": "text/plain"}, {"Content-Length": "0"}])
def test_parameters_in_the_query(service, query, method, headers):
    answer = requests.request(method, f"{service.url}/?{query}", headers=headers, timeout=LIMIT)
    assert answer.status_code == 200 and "<AssumeRoleWithWebIdentityResult>" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


def test_never_both(service, query):
    """moto 5.2.5 reads the query and ignores the body; others the other way round."""
    for body in (query, "DurationSeconds=900", "a=1"):
        for method in ("POST", "GET"):
            answer = requests.request(method, f"{service.url}/?{query}", data=body, headers=FORM, timeout=LIMIT)
            assert (answer.status_code, code(answer)) == (400, "MalformedInput"), answer.text
    # Nor does a form hide a query.
    answer = requests.post(f"{service.url}/?DurationSeconds=43200", data=query, headers=FORM, timeout=LIMIT)
    assert (answer.status_code, code(answer)) == (400, "MalformedInput")
    assert requests.post(f"{service.url}/?", data=query, headers=FORM, timeout=LIMIT).status_code == 200


def test_refused_queries(service, query):
    for changed, expected in (
        (query + "&RoleArn=" + urllib.parse.quote(ROLE), "MalformedInput"), (query + "&Action=GetCallerIdentity", "MalformedInput"),
        (query + "&Padding=" + "x" * 16_384, "MalformedInput"),
        (query.replace("2011-06-15", "2012-06-15"), "InvalidAction"), (query + "&Policy=%7B%7D", "MalformedPolicyDocument"),
        (query + "&Policy=%C4%80", "ValidationError"), (query + "&PolicyArns.member.1.arn=arn:aws:iam::aws:policy/A", "ValidationError"),
        (query.replace("WebIdentityToken=", "WebIdentityToken=x"), "InvalidIdentityToken"),
    ):
        for method in ("POST", "GET"):
            answer = requests.request(method, f"{service.url}/?{changed}", timeout=LIMIT)
            assert (answer.status_code, code(answer)) == (400, expected), (changed[-60:], answer.text)
    for method, path in (("PUT", "/?" + query), ("GET", "/sts?" + query), ("GET", "/?Version=2011-06-15"), ("GET", "/")):
        assert requests.request(method, service.url + path, timeout=LIMIT).status_code == 404


def presigned(service, seconds=900, method="GET", **credentials):
    # Without a method the URL is for POST, as boto3 calls STS.
    return service.client("sts", **credentials).generate_presigned_url("get_caller_identity", ExpiresIn=seconds, HttpMethod=method)


def test_presigned_caller_identity(service, token):
    """As tools for Kubernetes and Vault prove who they are: who has the URL learns it, within the time that it says."""
    url = presigned(service)
    for _ in range(2):
        answer = requests.get(url, timeout=LIMIT)
        assert answer.status_code == 200 and "<GetCallerIdentityResult>" in answer.text, answer.text
    assert requests.post(presigned(service, method=None), timeout=LIMIT).status_code == 200
    provider = WebIdentityProvider(
        jwt_provider_func=lambda: {"access_token": token}, sts_endpoint=service.url, duration_seconds=900, role_arn=ROLE,
        role_session_name="me@app")
    keys = provider.retrieve()
    answer = requests.get(presigned(service, key=(keys.access_key, keys.secret_key), token=keys.session_token), timeout=LIMIT)
    assert answer.status_code == 200 and "assumed-role/app-user/me@app" in answer.text, answer.text
    for changed, expected in (
        (presigned(service, 901), "IncompleteSignature"), (url.replace("X-Amz-Expires=900", "X-Amz-Expires=899"), "SignatureDoesNotMatch"),
        (url + "&Extra=1", "SignatureDoesNotMatch"), (url[:-1] + ("0" if url[-1] != "0" else "1"), "SignatureDoesNotMatch"),
        (presigned(service, key=("AKIAUNKNOWNUNKNOWN12", "x" * 40)), "SignatureDoesNotMatch"),
    ):
        answer = requests.get(changed, timeout=LIMIT)
        assert code(answer) == expected, (changed, answer.text)
    # The method and the body are signed, too.
    assert code(requests.post(url, timeout=LIMIT)) == "SignatureDoesNotMatch"
    assert code(requests.get(url, data=b"a=1", timeout=LIMIT)) == "MalformedInput"


def test_other_operations_are_not_presigned(service):
    parameters = presigned(service).partition("?")[2].replace("Action=GetCallerIdentity&Version=2011-06-15&", "").replace(
        "%2Fsts%2F", "%2Fcognito-identity%2F").replace("SignedHeaders=host&", "SignedHeaders=host%3Bx-amz-target&")
    answer = requests.post(
        f"{service.url}/?{parameters}", json={"MaxResults": 1}, timeout=LIMIT,
        headers={"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSCognitoIdentityService.ListIdentityPools"})
    assert (answer.status_code, answer.json()["__type"]) == (400, "AccessDeniedException"), answer.text
