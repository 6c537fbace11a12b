"""Functions of user pools at addresses of the operator, with AWS Lambda's JSON."""
import json
import secrets
import signal

import pytest
from botocore.exceptions import ClientError

from identity_support import Service, run
from raw_http import exchange, request
from waiting import eventually
from webhook_support import SECRET, Receiver, private


def arn(trigger):
    return f"arn:aws:lambda:us-east-1:123456789012:function:{trigger}"


class Pools:
    """A service whose pools call functions at a receiver: each trigger's at a path of its name."""

    def __init__(self, folder, answers, *triggers):
        self.answers = answers
        self.receiver = Receiver(self.answer)
        self.file = private(folder / "functions.json", self.functions(triggers))
        self.service = Service(folder / "data", "--webhooks", self.file, "--message-file", folder / "messages.jsonl", "--log-level", "trace")
        self.client = self.service.client("cognito-idp")
        self.messages = folder / "messages.jsonl"

    def functions(self, triggers, url=None):
        return json.dumps({arn(name): {"url": f"{url or self.receiver.url}/{name}", "secret": SECRET} for name in triggers})

    def answer(self, path, event):
        answer = self.answers[path.strip("/")]
        if callable(answer):
            answer = answer(event)
        if isinstance(answer, dict):
            return 200, {**event, "response": {**event["response"], **answer}}, {}
        return answer

    def pool(self, *triggers, **more):
        return self.client.create_user_pool(
            PoolName="app", LambdaConfig={name: arn(name) for name in triggers}, **more)["UserPool"]["Id"]

    def create(self, pool, name="jane", **more):
        more.setdefault("MessageAction", "SUPPRESS")
        return self.client.admin_create_user(
            UserPoolId=pool, Username=name, UserAttributes=[{"Name": "email", "Value": "jane@example.com"}], **more)["User"]

    def events(self, trigger):
        return [body for path, _, body in self.receiver.requests if path == f"/{trigger}"]

    def stop(self):
        self.service.stop()
        self.receiver.stop()


@pytest.fixture
def pools(tmp_path):
    made = []

    def make(answers, *triggers):
        made.append(Pools(tmp_path, answers, *(triggers or answers)))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def refusal(call):
    with pytest.raises(ClientError) as error:
        call()
    return error.value.response["Error"]["Code"], error.value.response["Error"]["Message"]


def test_a_function_gets_lambdas_event(pools):
    one = pools({"PreSignUp": {"autoVerifyEmail": True}})
    pool = one.pool("PreSignUp")
    one.create(pool, ValidationData=[{"Name": "invited", "Value": "yes"}], ClientMetadata={"from": "test"})
    [(path, headers, event)] = one.receiver.requests
    assert headers["X-Identity-Service-Trigger"] == "PreSignUp_AdminCreateUser" and one.receiver.unsigned == 0
    assert event["version"] == "1" and event["triggerSource"] == "PreSignUp_AdminCreateUser"
    assert event["region"] == "us-east-1" and event["userPoolId"] == pool and event["userName"] == "jane"
    assert event["callerContext"]["clientId"] == "CLIENT_ID_NOT_APPLICABLE"
    assert event["request"]["userAttributes"]["email"] == "jane@example.com"
    assert event["request"]["validationData"] == {"invited": "yes"} and event["request"]["clientMetadata"] == {"from": "test"}
    assert event["response"] == {"autoConfirmUser": False, "autoVerifyEmail": False, "autoVerifyPhone": False}


@pytest.mark.parametrize("answer", [
    (500, {"errorMessage": "only our domain", "errorType": "Error"}, {}),
    (200, {"errorMessage": "only our domain", "errorType": "Error"}, {"X-Amz-Function-Error": "Unhandled"}),
    (200, {"errorMessage": "only our domain", "errorType": "Error", "stackTrace": []}, {}),
])
def test_a_failure_refuses_the_call(pools, answer):
    one = pools({"PreSignUp": answer})
    pool = one.pool("PreSignUp")
    assert refusal(lambda: one.create(pool)) == ("UserLambdaValidationException", "PreSignUp failed with error only our domain.")
    assert len(one.receiver.requests) == 1
    assert one.client.list_users(UserPoolId=pool)["Users"] == []


@pytest.mark.parametrize("answer", [
    (200, b"not json", {}), (200, b"null", {}), (200, {}, {}), (200, {"response": {"autoConfirmUser": "yes"}}, {}),
    (200, b'{"response": {}, "x": "' + b"x" * (1 << 20) + b'"}', {}),
])
def test_another_response_is_invalid(pools, answer):
    one = pools({"PreSignUp": answer})
    code, message = refusal(lambda: one.create(one.pool("PreSignUp")))
    assert code == "InvalidLambdaResponseException"
    assert len(one.receiver.requests) == 1


def test_a_function_that_cannot_be_reached_fails_the_call(pools):
    one = pools({"PreSignUp": (503, b"", {})}, "PreSignUp")
    pool = one.pool("PreSignUp")
    code, message = refusal(lambda: one.create(pool))
    assert code == "UnexpectedLambdaException" and "127.0.0.1" not in message
    assert len(one.receiver.requests) == 3
    one.receiver.stop()
    assert refusal(lambda: one.create(pool))[0] == "UnexpectedLambdaException"
    assert one.client.list_users(UserPoolId=pool)["Users"] == []


def test_a_function_that_recovers_is_reached(pools):
    one = pools({"PreSignUp": lambda event: (502, b"", {}) if len(one.receiver.requests) < 3 else {}})
    assert one.create(one.pool("PreSignUp"))["Username"] == "jane"
    assert len(one.receiver.requests) == 3


def figures(one):
    """The figures of functions in the metrics, by name and labels."""
    status, _, body = exchange(one.service, request("GET", "/metrics"))
    assert status == 200
    lines = [line.rsplit(" ", 1) for line in body.decode().splitlines() if line.startswith("identity_hook_")]
    return {name: float(value) for name, value in lines if "_bucket" not in name}


def test_calls_of_functions_are_counted_and_measured(pools):
    running = []
    answers = iter([{}, (500, {"errorMessage": "no"}, {}), (200, b"null", {}), (503, b"", {}), (503, b"", {}), (503, b"", {})])

    def answer(event):
        running.append(figures(one)["identity_hook_calls_running"])
        return next(answers)

    one = pools({"PreSignUp": answer})
    pool = one.pool("PreSignUp")
    assert figures(one) == {"identity_hook_calls_running": 0}
    one.create(pool)
    for expected in ("UserLambdaValidationException", "InvalidLambdaResponseException", "UnexpectedLambdaException"):
        assert refusal(lambda: one.create(pool, "joe"))[0] == expected
    found = figures(one)
    assert found.pop('identity_hook_call_seconds_sum{trigger="PreSignUp"}') > 0
    # A response that is no event is the function's answer all the same; each try counts.
    assert found == {
        "identity_hook_calls_running": 0,
        'identity_hook_calls_total{trigger="PreSignUp",code="ok"}': 2,
        'identity_hook_calls_total{trigger="PreSignUp",code="function_refused"}': 1,
        'identity_hook_calls_total{trigger="PreSignUp",code="function_unreachable"}': 3,
        'identity_hook_call_seconds_count{trigger="PreSignUp"}': 6}
    assert running == [1] * 6


def test_an_unknown_function_fails_the_call(pools):
    one = pools({"PreSignUp": {}}, "PreSignUp")
    pool = one.pool("PreSignUp")
    one.file.write_text("{}")
    one.service.process.send_signal(signal.SIGHUP)
    eventually(lambda: _code(lambda: one.create(pool, f"user-{secrets.token_hex(4)}")) == "UnexpectedLambdaException")
    one.file.write_text(one.functions(["PreSignUp"]))
    one.service.process.send_signal(signal.SIGHUP)
    eventually(lambda: _code(lambda: one.create(pool, f"user-{secrets.token_hex(4)}")) == "")
    # A file that cannot be used changes nothing.
    one.file.write_text('{"' + arn("x") + '": {"url": "http://192.0.2.1/", "secret": "' + SECRET + '"}}')
    one.service.process.send_signal(signal.SIGHUP)
    eventually(lambda: any("192.0.2.1" in line for line in one.service.log))
    one.create(pool, "last")
    assert SECRET not in "".join(one.service.log)


def test_settings_are_read_again_as_a_whole(tmp_path):
    """Functions that cannot be read keep the other settings, too, and nothing says that they were read."""
    settings = tmp_path / "settings.json"
    settings.write_text('{"logLevel": "warning"}')
    functions = private(tmp_path / "functions.json", "{}")
    service = Service(tmp_path / "data", "--config", settings, "--webhooks", functions)

    def lines():
        return [json.loads(line) for line in service.log if "SIGHUP" in line]
    try:
        settings.write_text('{"logLevel": "debug"}')
        functions.write_text("{")
        service.process.send_signal(signal.SIGHUP)
        eventually(lines)
        [refused] = lines()
        assert refused["level"] == "error" and "functions.json" in refused["reason"]
        functions.write_text("{}")
        service.process.send_signal(signal.SIGHUP)
        eventually(lambda: len(lines()) == 2)
        again = lines()[1]
        assert (again["level"], again["before"], again["log-level"], again["functions"]) == ("notice", "warning", "debug", "0")
    finally:
        service.stop()


def _code(call):
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"]
    return ""


def test_a_message_has_the_functions_text(pools):
    one = pools({"CustomMessage": {"emailMessage": "<b>{username}</b> {####}", "emailSubject": "Welcome"}})
    one.client.admin_create_user(
        UserPoolId=one.pool("CustomMessage"), Username="jane", DesiredDeliveryMediums=["EMAIL"],
        UserAttributes=[{"Name": "email", "Value": "jane@example.com"}])
    eventually(one.messages.exists)
    eventually(lambda: one.messages.read_text())
    message = json.loads(one.messages.read_text())
    assert message["subject"] == "Welcome" and message["message"].startswith("<b>jane</b> ")
    [event] = one.events("CustomMessage")
    assert event["triggerSource"] == "CustomMessage_AdminCreateUser"
    assert event["request"]["codeParameter"] == "{####}" and event["request"]["usernameParameter"] == "{username}"
    assert message["code"] not in json.dumps(event)


@pytest.mark.parametrize("text, mode, expected", [
    ("{", 0o600, "was expected at line 1, column 2"), ("[]", 0o600, "must be a JSON object"),
    ('{"pre-sign-up": {"url": "https://example.com/", "secret": "' + SECRET + '"}}', 0o600, "is not the ARN of a function"),
    ('{"' + arn("x") + '": {"url": "https://example.com/"}}', 0o600, "must have the members url and secret"),
    ('{"' + arn("x") + '": {"url": "https://example.com/", "secret": "short"}}', 0o600, "fewer than 16 bytes"),
    ('{"' + arn("x") + '": {"url": "http://example.com/", "secret": "' + SECRET + '"}}', 0o600, "must be an https URL"),
    ("{}", 0o644, "mode 600"),
])
def test_a_file_that_cannot_be_used_is_refused(tmp_path, text, mode, expected):
    file = private(tmp_path / "functions.json", text)
    file.chmod(mode)
    done = run("serve", "--data", tmp_path / "data", "--port", "0", "--webhooks", file)
    assert done.returncode != 0 and SECRET not in done.stderr
    assert expected in done.stderr
