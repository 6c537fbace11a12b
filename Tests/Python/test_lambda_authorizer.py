"""The example of a Lambda authorizer, with events of API Gateway, and its answers compared with those of aws-lambda-powertools.

The events have the members that AWS's developer guide documents (payload formats 1.0 and 2.0 of HTTP APIs, and inputs of Lambda authorizers of
REST APIs), with values of this test; aws-lambda-powertools reads them.
"""
import http.server
import importlib
import json
import pathlib
import sys
import threading

import pytest
from aws_lambda_powertools.utilities.data_classes import api_gateway_authorizer_event as powertools

from pool_tokens import KEYS, REFUSED, token, verifier
from ports import closed_port
from support import CLIENT, POOL
from token_security import TokenSecurityError, Verifier
from waiting import LIMIT

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Examples/python"))
authorizer = importlib.import_module("lambda_authorizer")

API = "arn:aws:execute-api:eu-west-1:123456789012:a1b2c3/prod"
CONTEXT = {"sub": "jane", "scope": "openid orders/read"}


def of_http_api(field):
    """Payload format 2.0: the names of fields are in lower case, and several values are joined."""
    headers = {"accept": "*/*", "host": "a1b2c3.execute-api.eu-west-1.amazonaws.com", **({} if field is None else {"authorization": field})}
    return {
        "version": "2.0", "type": "REQUEST", "routeArn": f"{API}/GET/orders", "identitySource": [field], "routeKey": "GET /orders",
        "rawPath": "/orders", "rawQueryString": "page=1", "headers": headers, "queryStringParameters": {"page": "1"},
        "requestContext": {
            "accountId": "123456789012", "apiId": "a1b2c3", "domainName": "a1b2c3.execute-api.eu-west-1.amazonaws.com", "domainPrefix": "a1b2c3",
            "http": {"method": "GET", "path": "/orders", "protocol": "HTTP/1.1", "sourceIp": "203.0.113.7", "userAgent": "test"},
            "requestId": "r", "routeKey": "GET /orders", "stage": "prod", "time": "30/Nov/2026:12:00:00 +0000", "timeEpoch": 1796040000000}}


def of_rest_api(field, name="Authorization"):
    """REQUEST of a REST API, and payload format 1.0 of an HTTP API."""
    fields = {"Accept": "*/*", **({} if field is None else {name: field})}
    return {
        "version": "1.0", "type": "REQUEST", "methodArn": f"{API}/GET/orders", "identitySource": field, "authorizationToken": field,
        "resource": "/orders", "path": "/orders", "httpMethod": "GET", "headers": fields,
        "multiValueHeaders": {name: [value] for name, value in fields.items()}, "queryStringParameters": {}, "pathParameters": {},
        "stageVariables": {}, "requestContext": {
            "path": "/orders", "accountId": "123456789012", "resourceId": "o", "stage": "prod", "requestId": "r", "httpMethod": "GET",
            "apiId": "a1b2c3", "identity": {"sourceIp": "203.0.113.7"}, "resourcePath": "/orders"}}


def of_token(field):
    return {"type": "TOKEN", "authorizationToken": field, "methodArn": f"{API}/GET/orders"}


@pytest.fixture(autouse=True)
def own_keys(monkeypatch):
    monkeypatch.setattr(authorizer, "verifier", verifier())


def call(event):
    # As Lambda passes it.
    return json.loads(json.dumps(authorizer.handler(json.loads(json.dumps(event)), None)))


def test_the_events_are_those_that_powertools_reads():
    field = "Bearer a"
    second = powertools.APIGatewayAuthorizerEventV2(of_http_api(field))
    assert (second.get_type, second.parsed_arn.stage, second.headers["Authorization"]) == ("REQUEST", "prod", field)
    first = powertools.APIGatewayAuthorizerRequestEvent(of_rest_api(field))
    assert (first.get_type, first.parsed_arn.arn, first.headers["authorization"]) == ("REQUEST", f"{API}/GET/orders", field)
    assert powertools.APIGatewayAuthorizerTokenEvent(of_token(field)).authorization_token == field


def test_a_simple_response():
    assert call(of_http_api(f"Bearer {token()}")) == powertools.APIGatewayAuthorizerResponseV2(authorize=True, context=CONTEXT).asdict()


@pytest.mark.parametrize("event", [
    of_rest_api(f"Bearer {token()}"), of_rest_api(f"Bearer {token()}", "authorization"), of_rest_api(f"bearer {token()}", "AUTHORIZATION"),
    of_token(f"Bearer {token()}")])
def test_a_policy(event):
    theirs = powertools.APIGatewayAuthorizerResponse.from_route_arn(event["methodArn"], "jane", CONTEXT)
    theirs.allow_all_routes()
    found = call(event)
    assert found == theirs.asdict()
    # Values that API Gateway takes: no lists and no objects.
    assert all(isinstance(value, str) for value in found["context"].values())


def test_other_partitions():
    """aws-lambda-powertools 3.37.0 makes ARNs of the partition aws of them."""
    event = {**of_token(f"Bearer {token()}"), "methodArn": "arn:aws-cn:execute-api:cn-north-1:123456789012:a1b2c3/prod/GET/a/b/c"}
    assert call(event)["policyDocument"]["Statement"][0]["Resource"] == ["arn:aws-cn:execute-api:cn-north-1:123456789012:a1b2c3/prod/*/*"]
    theirs = powertools.APIGatewayAuthorizerResponse.from_route_arn(event["methodArn"], "jane")
    theirs.allow_all_routes()
    assert theirs.asdict()["policyDocument"]["Statement"][0]["Resource"][0].startswith("arn:aws:")


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case, capsys):
    field, _, code = REFUSED[case]
    assert call(of_http_api(field)) == powertools.APIGatewayAuthorizerResponseV2(authorize=False).asdict()
    for event in (of_rest_api(field), *([] if field is None else [of_token(field)])):
        with pytest.raises(Exception) as refused:
            call(event)
        # API Gateway answers 401 for this text, and 500 for any other.
        assert type(refused.value) is Exception and str(refused.value) == "Unauthorized" and refused.value.__cause__ is None
    said = capsys.readouterr().out
    assert said.startswith("token_empty: " if code == "token_missing" else f"{code}: ")
    assert field is None or token().split(".")[2] not in said


def test_a_request_without_fields():
    """The console's test of an authorizer passes null."""
    assert call({**of_http_api(None), "headers": None}) == {"isAuthorized": False}


def test_keys_are_kept_between_invocations_and_their_absence_is_no_refusal(monkeypatch):
    asked = []

    class Keys(http.server.BaseHTTPRequestHandler):
        timeout = LIMIT

        def do_GET(self):
            asked.append(self.path)
            body = json.dumps(KEYS).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    issuer = f"http://127.0.0.1:{server.server_port}/{POOL}"
    monkeypatch.setattr(authorizer, "verifier", Verifier.cognito(POOL, CLIENT, issuer=issuer, allow_plain_loopback=True, timeout=60))
    field = f"Bearer {token(iss=issuer)}"
    for event in (of_http_api(field), of_rest_api(field), of_token(field), of_http_api(field)):
        call(event)
    assert asked == [f"/{POOL}/.well-known/jwks.json"]
    server.shutdown()
    server.server_close()
    with closed_port() as port:
        issuer = f"http://127.0.0.1:{port}/{POOL}"
        monkeypatch.setattr(authorizer, "verifier", Verifier.cognito(POOL, CLIENT, issuer=issuer, allow_plain_loopback=True))
        for event in (of_http_api, of_rest_api, of_token):
            with pytest.raises(TokenSecurityError) as failed:
                call(event(f"Bearer {token(iss=issuer)}"))
            assert failed.value.is_unavailable


def test_several_fields_are_refused():
    """API Gateway may key a kept answer by another of the fields than the one that was verified."""
    event = of_rest_api(f"Bearer {token()}")
    call(event)
    event["multiValueHeaders"]["authorization"] = ["Bearer x"]
    with pytest.raises(Exception, match="^Unauthorized$"):
        call(event)
    event = of_rest_api(f"Bearer {token()}")
    event["multiValueHeaders"]["Authorization"] *= 2
    with pytest.raises(Exception, match="^Unauthorized$"):
        call(event)
    del event["multiValueHeaders"]
    event["headers"]["AUTHORIZATION"] = "Bearer x"
    with pytest.raises(Exception, match="^Unauthorized$"):
        call(event)
    with pytest.raises(Exception, match="^Unauthorized$"):
        call(of_token(None))
