"""The bounds of all members of user pools' operations, from both sides: what botocore's model of the service allows is
accepted, and what is one beyond is refused, over HTTP."""
import json

import botocore.session
import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from identity_support import REGION
from user_pool_support import JSON, TARGET, UserPools
from waiting import LIMIT

MODEL = botocore.session.get_session().get_service_model("cognito-idp")

# Patterns: how a text of any length that matches begins, the character that it goes on with, and one that does not match.
ARN = r"arn:[\w+=/,.@-]+:[\w+=/,.@-]+:([\w+=/,.@-]*)?:[0-9]+:[\w+=/,.@-]+(:[\w+=/,.@-]+)?(:[\w+=/,.@-]+)?"
LINES = r"[\p{L}\p{M}\p{S}\p{N}\p{P}\s*]*"
PATTERNS = {
    None: ("", "a", None),
    r"(?s).*": ("", "a", None),
    ARN: ("arn:aws:iam::123456789012:role/", "a", " "),
    f"({ARN})?": ("arn:aws:iam::123456789012:role/", "a", " "),
    r".*\{####\}.*": ("{####}", "a", "\n"),
    r"[0-9]+": ("", "1", "a"),
    r"[A-Za-z0-9]+": ("", "a", "-"),
    r"[A-Za-z0-9-_=.]+": ("", "a", " "),
    r"[\S]+": ("", "a", " "),
    r"[\p{L}\p{M}\p{S}\p{N}\p{P}\p{Z}]+": ("", "a", "\t"),
    LINES: ("", "a", "\x01"),
    LINES + r"\{####\}" + LINES: ("{####}", "a", "\x01"),
    LINES + r"\{##" + LINES + r"##\}" + LINES: ("{##a##}", "a", "\x01"),
    r"[\p{L}\p{M}\p{S}\p{N}\p{P}\s]+": ("", "a", "\x01"),
    r"[\p{L}\p{M}\p{S}\p{N}\p{P}\t\n\r ]+": ("", "a", "\x01"),
    r"[\p{L}\p{M}\p{S}\p{N}\p{P}]+": ("", "a", " "),
    r"[\p{L}\p{M}\p{S}\p{N}\p{P}]+@[\p{L}\p{M}\p{S}\p{N}\p{P}]+": ("a@", "a", " "),
    r"[\w+=/]+": ("", "a", "-"),
    r"[\w+]+": ("", "a", "-"),
    r"[\w-]+_[0-9a-f-]+": ("us-east-1_", "a", "g"),
    r"[\w-]+_[0-9a-zA-Z]+": ("us-east-1_", "a", "-"),
    r"[\w\s+=,.@-]+": ("", "a", "!"),
    r"[\x21\x23-\x5B\x5D-\x7E]+": ("", "a", "\\"),
    r"^[0-9a-fA-F]+$": ("", "a", "g"),
    r"Level[1-4]": ("Level", "1", "9"),
    r"^[a-zA-Z0-9_-]+$": ("", "a", "."),
}

# Members of features that are not built, which no declaration has.
NOT_DECLARED = {
    "AcrConfiguration": "classes of authentication of hosted pages", "IssuerConfiguration": "issuers of replicas",
    "KeyConfiguration": "keys of the key management service", "InboundFederation": "federation", "EumsSms": "another sender of SMS"}


@pytest.fixture(scope="module")
def pools(tmp_path_factory):
    running = UserPools(tmp_path_factory.mktemp("bounds"), "--rate", 0)
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def session():
    with requests.Session() as made:
        yield made


@pytest.fixture(scope="module")
def operations(pools, session):
    """The operations that the service has."""
    found = []
    for name in MODEL.operation_names:
        answer = session.post(pools.url + "/", data="{}", headers={"Content-Type": JSON, "X-Amz-Target": TARGET + name}, timeout=LIMIT)
        if answer.json()["__type"] not in ("NotImplementedException", "UnknownOperationException"):
            found.append(name)
    return found


def text(shape, count, end=None):
    """A text of the length that matches the shape's pattern, or with another last character; None where there is none."""
    begin, fill, _ = PATTERNS[shape.metadata.get("pattern")]
    if count == 0 and end is None and (shape.metadata.get("pattern") or "").endswith(")?"):
        return ""
    whole = begin + fill * (count - len(begin))
    if len(whole) != count or (begin and count == len(begin) and not begin.endswith("}")):
        return None
    return whole if end is None else whole[:-1] + end


def shortest(shape):
    begin, _, _ = PATTERNS[shape.metadata.get("pattern")]
    return max(shape.metadata.get("min", 0), len(begin) + 1, 1)


def sample(shape):
    """A small value within all bounds."""
    if shape.type_name == "string":
        return shape.enum[0] if shape.enum else text(shape, shortest(shape))
    if shape.type_name in ("integer", "long"):
        return shape.metadata.get("min", 1)
    if shape.type_name == "boolean":
        return False
    if shape.type_name == "structure":
        return {name: sample(shape.members[name]) for name in shape.required_members}
    if shape.type_name == "list":
        return [sample(shape.member)] * max(1, shape.metadata.get("min", 0))
    if shape.type_name == "map":
        return {sample(shape.key): sample(shape.value)}
    raise AssertionError(shape.type_name)


def bounded(shape, path=()):
    """All paths to values with bounds: names of members, and "[]", "keys", "values" of collections."""
    if set(shape.metadata) & {"min", "max", "pattern"} or shape.type_name == "string" and shape.enum:
        yield path, shape
    if shape.type_name == "structure":
        for name, member in shape.members.items():
            yield from bounded(member, (*path, name))
    elif shape.type_name == "list":
        yield from bounded(shape.member, (*path, "[]"))
    elif shape.type_name == "map":
        yield from bounded(shape.key, (*path, "keys"))
        yield from bounded(shape.value, (*path, "values"))


def put(shape, path, value):
    """A value within all bounds but with `value` at the path."""
    if not path:
        return value
    step, *rest = path
    if step == "[]":
        return [put(shape.member, rest, value)] + sample(shape)[1:]
    if step == "keys":
        return {put(shape.key, rest, value): sample(shape.value)}
    if step == "values":
        return {sample(shape.key): put(shape.value, rest, value)}
    return {**sample(shape), step: put(shape.members[step], rest, value)}


def named(path, shape):
    """The path as messages name it. A collection of texts is named itself, an element of structures by its number."""
    parts = []
    for index, step in enumerate(path):
        if step == "[]":
            if index == len(path) - 1 and shape.type_name != "structure":
                break
            parts += ["1", "member"]
        elif step in ("keys", "values") and index == len(path) - 1:
            break
        else:
            parts.append(step)
    return ".".join(parts).lower()


def cases(shape):
    """Values within and beyond each bound."""
    least, most = shape.metadata.get("min"), shape.metadata.get("max")
    if shape.type_name == "string" and shape.enum:
        return list(shape.enum), ["NoSuchValue", shape.enum[0].swapcase()]
    if shape.type_name == "string":
        bad = PATTERNS[shape.metadata.get("pattern")][2]
        within = [text(shape, count) for count in {shortest(shape), least, most} - {None}]
        beyond = [text(shape, most + 1)] if most is not None else []
        if least:
            beyond.append(text(shape, least - 1) if least > 1 else "")
        if bad:
            beyond.append(text(shape, max(shortest(shape), 2), bad))
        return [value for value in within if value is not None], [value for value in beyond if value is not None]
    if shape.type_name in ("integer", "long"):
        return [value for value in (least, most) if value is not None], [
            value for value in (None if least is None else least - 1, None if most is None else most + 1) if value is not None]
    if shape.type_name == "list":
        one = sample(shape.member)
        return [[one] * count for count in (least, most) if count is not None], [
            [one] * count for count in (None if not least else least - 1, None if most is None else most + 1) if count is not None]
    if shape.type_name == "map":
        def entries(count):
            return {(sample(shape.key) + str(index))[-shape.key.metadata.get("max", 128):]: sample(shape.value) for index in range(count)}
        return [entries(count) for count in (least, most) if count is not None], [
            entries(count) for count in (None if not least else least - 1, None if most is None else most + 1) if count is not None]
    return [], []


def call(pools, session, operation, body):
    data = json.dumps(body).encode()
    headers = {"Content-Type": JSON, "X-Amz-Target": TARGET + operation.name}
    if "smithy.api#noAuth" not in (operation.auth or []) and operation.auth_type != "none":
        request = AWSRequest("POST", pools.url + "/", data=data, headers=headers)
        SigV4Auth(Credentials(*pools.service.key), "cognito-idp", REGION).add_auth(request)
        headers = dict(request.headers)
    answer = session.post(pools.url + "/", data=data, headers=headers, timeout=LIMIT)
    return answer.json() if answer.status_code != 200 else {}


def problems(pools, session, operation, path, shape):
    """What the service answers otherwise than the model says."""
    name = named(path, shape)
    within, beyond = cases(shape)
    for value, isWithin in [(value, True) for value in within] + [(value, False) for value in beyond]:
        answer = call(pools, session, operation, put(operation.input_shape, path, value))
        message = answer.get("message", "")
        violated = answer.get("__type") == "InvalidParameterException" and "validation error" in message and f"at '{name}' failed" in message.lower()
        if violated == isWithin:
            shown = f"{value!r:.60}" + (f" ({len(value)})" if hasattr(value, "__len__") else "")
            yield f"{'.'.join(path)} {shape.name} {shown}: {answer.get('__type')} {message[:200]}"


def test_bounds_of_all_members(pools, session, operations):
    assert len(operations) == 74
    found, checked = [], 0
    for name in operations:
        operation = MODEL.operation_model(name)
        for path, shape in bounded(operation.input_shape):
            if NOT_DECLARED.keys() & set(path):
                continue
            checked += 1
            found += [f"{name}.{problem}" for problem in problems(pools, session, operation, path, shape)]
    assert found == [], "\n".join(found)
    assert checked > 450
