"""Requests of sessions, against a service of the test that answers what it is told."""
import base64
import hashlib
import hmac
import http.server
import json
import os
import pickle
import signal
import ssl
import threading

import pytest

from servers import made_certificate
from support import THEN, code, forked
from token_security import Credentials, RequestVerifier, Session, SessionKeys, TokenSecurityError, sign_request
from waiting import LIMIT

TOKEN = "TS1." + "A" * 100
USER = Credentials("ASIAEXAMPLEEXAMPLE22", "the user's secret", TOKEN)
OWN = Credentials("AKIAEXAMPLEEXAMPLE22", "the API's secret")
POLICY = {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": "orders:Read", "Resource": "arn:aws:orders:::users/u-1/*"},
    {"Effect": "Allow", "Action": "orders:List", "Resource": "*", "Condition": {"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}}},
    {"Effect": "Allow", "Action": "orders:Label", "Resource": "*", "Condition": {"ForAllValues:StringEquals": {"orders:Label": ["a", "b"]}}}]}


def signing_key():
    key = ("AWS4" + USER.secret).encode()
    for part in ("20260905", "eu-west-1", "orders", "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return base64.b64encode(key).decode()


ANSWER = {
    "SigningKey": signing_key(), "Expiration": THEN + 3600, "MaximumAge": 60, "ConditionKeys": {}, "SessionPolicies": [],
    "Policies": [{"Name": "own", "Document": json.dumps(POLICY)}],
    "Session": {
        "Arn": "arn:aws:sts::123456789012:assumed-role/app-user/jane", "UserId": "AROA:jane", "Account": "123456789012",
        "RoleArn": "arn:aws:iam::123456789012:role/app-user", "SessionName": "jane", "IdentityId": "us-east-1:i", "IdentityPoolId": "us-east-1:p",
        "AuthenticationMethods": ["authenticated", "login.example"], "Tags": {"team": "blue", "cost": "\u00e9"}}}


class Service(http.server.BaseHTTPRequestHandler):
    """Verifies the API's signature, and answers what the server is told."""

    timeout = LIMIT
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        own = RequestVerifier(service="signing-keys", region="us-east-1", host=f"127.0.0.1:{self.server.server_port}", once=False)
        own.verify({OWN.access_key_id: OWN}.get, method="POST", target=self.path, headers=self.headers.items(), body=body, at=THEN)
        self.server.asked.append(json.loads(body))
        status, found = self.server.answer()
        text = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


@pytest.fixture
def service():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.asked, server.answer = [], lambda: (200, ANSWER)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def keys_of(service, scheme="http", **more):
    return SessionKeys(endpoint=f"{scheme}://127.0.0.1:{service.server_port}", region="us-east-1", credentials=OWN, **{"timeout": 60, **more})


VERIFIER = RequestVerifier(service="orders", region="eu-west-1", host="api.example", once=False)
SENT = {"method": "PUT", "target": "/users/u-1/orders/%C3%A91?x=%20", "body": b"{}"}


def verify(keys, user=USER, address="203.0.113.7", at=THEN, **changed):
    headers = sign_request(user, service="orders", region="eu-west-1", headers={"Host": "api.example"}, at=THEN, **SENT)
    return VERIFIER.verify_session(keys, headers=headers, address=address, at=at, **{**SENT, **changed})


def test_sessions_and_what_they_may_do(service):
    keys = keys_of(service)
    session = verify(keys)
    assert isinstance(session, Session) and session.arn == ANSWER["Session"]["Arn"] and session.arn in repr(session)
    assert (session.role_arn, session.session_name) == ("arn:aws:iam::123456789012:role/app-user", "jane")
    assert (session.identity_id, session.pool_id, session.source_identity) == ("us-east-1:i", "us-east-1:p", None)
    assert session.methods == ("authenticated", "login.example") and session.tags == {"team": "blue", "cost": "\u00e9"}
    assert session.expiration == THEN + 3600
    own = "arn:aws:orders:::users/u-1/orders/1"
    session.check("orders:Read", own)
    session.check("orders:List")
    session.check("orders:Label", conditions={"orders:Label": ["a", "b"]})
    session.check("orders:Label", "*", {"orders:Label": "a"})
    for refused in (lambda: session.check("orders:Read"), lambda: session.check("orders:Label", conditions={"orders:Label": ["a", "c"]}),
                    lambda: verify(keys, address=None).check("orders:List")):
        assert code(refused) == "session_denied"
    assert "\nALLOWED  " in str(session.explain("orders:Read", own))
    assert session.explain("orders:Read", own)["allowed"] and not session.explain("orders:Read")["allowed"]
    for wrong in (lambda: session.check(b"orders:Read"), lambda: session.check("orders:Read", None, {"a": 1}),
                  lambda: session.check("orders:Read", conditions={"a": [1]}), lambda: verify(VERIFIER), lambda: pickle.dumps(session)):
        with pytest.raises(TypeError):
            wrong()
    assert service.asked == [{"AccessKeyId": USER.access_key_id, "SessionToken": TOKEN, "Region": "eu-west-1", "Service": "orders",
                              "Day": "20260905", "Presigned": False}]


def test_refusals_and_their_status(service):
    keys = keys_of(service)
    for status, found, expected in [
            (503, b"<html>", ("endpoint_unreachable", 503)), (200, b"{", ("answer_malformed", 503)),
            (400, {"__type": "AccessDeniedException"}, ("service_refused_call", 503)),
            (200, b" " * (1 << 20) + b"{}", ("answer_malformed", 503)), (302, b"", ("answer_malformed", 503)),
            (400, {"__type": "InvalidSessionException"}, ("session_refused", 403))]:
        service.answer = lambda: (status, found)
        with pytest.raises(TokenSecurityError) as refused:
            verify(keys)
        assert (refused.value.code, refused.value.http_status) == expected
        copy = pickle.loads(pickle.dumps(refused.value))
        assert (copy.code, copy.http_status, str(copy)) == (*expected, str(refused.value))
    service.answer = lambda: (200, ANSWER)
    assert code(lambda: verify(keys, at=THEN + 9)) == "session_refused"
    session = verify(keys, at=THEN + 10)
    for wrong, expected in [(lambda: verify(keys, body=b"{ }", at=THEN + 10), ("signature_mismatch", 403)),
                            (lambda: verify(keys, at=THEN + 1000), ("request_expired", 403)),
                            (lambda: verify(keys, user=Credentials(*USER[:2])), ("access_key_unknown", 403)),
                            (lambda: session.check("orders:Read"), ("session_denied", 403)),
                            (lambda: VERIFIER.verify_session(keys, headers=[("X-A", b"\xff")], **SENT), ("argument_not_utf8", 400)),
                            (lambda: VERIFIER.verify_session(keys, headers=[("X-A", "a")] * 257, **SENT), ("argument_out_of_range", 400)),
                            (lambda: SessionKeys(endpoint="http://id.example", region="us-east-1", credentials=OWN), ("client_configuration_invalid", 0))]:
        with pytest.raises(TokenSecurityError) as refused:
            wrong()
        assert (refused.value.code, refused.value.http_status) == expected
    assert len(service.asked) == 7


def test_arguments():
    made = {"endpoint": "http://127.0.0.1:1", "region": "us-east-1", "credentials": OWN}
    for wrong in ({"timeout": 0}, {"timeout": 61}, {"timeout": float("nan")}, {"capacity": 0}, {"proxy": "https://proxy.example"}):
        with pytest.raises(ValueError):
            SessionKeys(**{**made, **wrong})
    with pytest.raises(TokenSecurityError, match="trust_roots"):
        SessionKeys(**{**made, "trust_roots": "/no/such/file"})
    keys = SessionKeys(**made)
    with pytest.raises(TypeError):
        keys.__init__(**made)
    assert code(lambda: verify(keys)) == "endpoint_unreachable"


def test_over_tls(service, tmp_path):
    certificate = made_certificate(tmp_path, "IP:127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    service.socket = context.wrap_socket(service.socket, server_side=True)
    assert verify(keys_of(service, "https", trust_roots=str(certificate))).identity_id == "us-east-1:i"
    with pytest.raises(TokenSecurityError, match="not trusted"):
        verify(keys_of(service, "https"))
    assert len(service.asked) == 1


def test_threads_with_the_same_question_ask_once(service):
    asked, answered = threading.Event(), threading.Event()

    def answer():
        asked.set()
        answered.wait(LIMIT)
        return 200, ANSWER

    service.answer = answer
    keys, found = keys_of(service), []
    threads = [threading.Thread(target=lambda: found.append(verify(keys).arn)) for _ in range(5)]
    threads[0].start()
    assert asked.wait(LIMIT) and found == []
    for thread in threads[1:]:
        thread.start()
    answered.set()
    for thread in threads:
        thread.join(LIMIT)
    assert found == [ANSWER["Session"]["Arn"]] * 5 and len(service.asked) == 1


class Stopped(Exception):
    """Of the handler of a signal."""


def test_what_the_handler_of_a_signal_raises_ends_the_call(service):
    def stop(*_):
        raise Stopped

    def answer():
        if len(service.asked) == 1:
            os.kill(os.getpid(), signal.SIGUSR1)
            ended.wait(LIMIT)
        return 200, ANSWER

    service.answer, ended, former = answer, threading.Event(), signal.signal(signal.SIGUSR1, stop)
    try:
        keys = keys_of(service)
        with pytest.raises(Stopped):
            verify(keys)
        # It says nothing about the service.
        assert verify(keys).session_name == "jane" and len(service.asked) == 2
    finally:
        signal.signal(signal.SIGUSR1, former)
        ended.set()


def test_a_child_has_what_was_kept_and_asks_for_the_rest(service):
    keys = keys_of(service)
    verify(keys)

    def child(results):
        known = verify(keys).session_name
        results.put((known, verify(keys, at=THEN + 60).session_name))

    assert forked(child) == ("jane", "jane") and len(service.asked) == 2
