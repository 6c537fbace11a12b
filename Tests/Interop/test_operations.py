"""The declared operations, as they were compiled, against the models that they are made from: members, types, bounds,
patterns, requiredness, locations, errors, authentication."""
import json

import pytest

from conftest import run
from operation_models import MODELS, SETTINGS

SERVICES = sorted(MODELS)

# Where a declaration differs on purpose, and why.
DIFFERENCES = {
    "sts.AssumeRoleWithWebIdentity.input.RoleArn.pattern": "stricter: a role's ARN as IAM writes it",
    "sts.AssumeRoleWithWebIdentity.output.AssumedRoleUser.Arn.pattern": "the service makes it",
    "sts.AssumeRole.input.RoleArn.pattern": "stricter: a role's ARN as IAM writes it",
    "sts.AssumeRole.input.Policy.max": "that of AWS's guide, which the model does not have",
    "sts.AssumeRole.output.AssumedRoleUser.Arn.pattern": "the service makes it",
    "sts.GetSessionToken.input.DurationSeconds.max": "no credentials live longer than a day",
    **{f"sts.{operation}.input.PolicyArns{rest}": reason
       for operation in ("AssumeRole", "AssumeRoleWithWebIdentity")
       for rest, reason in ((".max", "that of AWS's guide, which the model does not have"),
                            (".member.arn.pattern", "there must be a policy of this ARN"),
                            (".member.arn.required", "in a form there are no elements without members"))},
    "sts.GetCallerIdentity.output.Arn.pattern": "the service makes it",
}

# Where members of one name differ wherever they are, and why. Models name no bounds for some of them. Members that are left
# out have their reasons in the tool's settings.
EVERYWHERE = {
    "cognito-idp": {
        "AuthParameters.value.sensitive": "passwords and tokens; the model says so of the whole map",
        "ChallengeResponses.value.sensitive": "passwords and codes; the model says so of the whole map",
        "Code.sensitive": "a code is a secret",
        "ConfirmationCode.sensitive": "a code is a secret",
        "NextToken.max": "bounded work",
        "PaginationToken.max": "bounded work",
        "SchemaAttributes.max": "with the standard attributes there are more",
        "SchemaAttributes.min": "with the standard attributes there are more",
        "SecretCode.max": "the service makes it",
    },
    "cognito-sync": {
        "DatasetName.max": "names of merged data sets are longer",
        "MergedDatasetNames.member.max": "the service makes them",
        "MergedDatasetNames.member.min": "the service makes them",
        "MergedDatasetNames.member.pattern": "the service makes them",
        "LastModifiedBy.max": "the service makes it, of a DeviceId at most",
        "LastSyncCount.max": "those of a count",
        "LastSyncCount.min": "those of a count",
        "NextToken.max": "bounded work before the signature",
        "NextToken.min": "bounded work before the signature",
        "MaxResults.max": "bounded work",
        "MaxResults.min": "bounded work",
        "SyncSessionToken.max": "bounded work before the signature",
        "SyncSessionToken.min": "bounded work before the signature",
        "ClientContext.max": "bounded work before the signature",
        "Token.max": "bounded work before the signature",
        "Token.min": "bounded work before the signature",
        "Token.sensitive": "an address of a device, which logs leave out",
        "Value.sensitive": "data of users, which logs leave out",
    },
}


def left_out(service):
    """The members that the tool's settings leave out."""
    return {entry.split(": ")[0].split(".")[-1] for entry in SETTINGS[service].get("without", [])}


def facts(shapes, name, reference=None):
    """A shape in the terms that the declarations are printed in."""
    shape = shapes[name]
    found = {"type": shape["type"]}
    if shape["type"] in ("string", "integer", "long", "list", "map"):
        for key in ("min", "max", "pattern", "enum"):
            if key in shape:
                found[key] = shape[key]
    if shape.get("sensitive") and shape["type"] == "string":
        found["sensitive"] = True
    if shape["type"] == "structure":
        found["members"] = members(shapes, name)
    if shape["type"] == "list":
        found["member"] = facts(shapes, shape["member"]["shape"])
    if shape["type"] == "map":
        found["key"] = facts(shapes, shape["key"]["shape"])
        found["value"] = facts(shapes, shape["value"]["shape"])
    return found


def members(shapes, name):
    if name is None:
        return {}
    shape = shapes[name]
    found = {}
    for member, reference in shape["members"].items():
        found[member] = facts(shapes, reference["shape"])
        found[member]["required"] = member in shape.get("required", [])
        if "location" in reference:
            found[member]["location"] = [reference["location"], reference.get("locationName", member)]
    return found


def differences(path, ours, theirs):
    """The paths at which two trees of facts differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        # An absent minimum of a length is 0.
        if ours.get("type") in ("string", "list", "map") and ours.get("type") == theirs.get("type"):
            ours, theirs = {"min": 0, **ours}, {"min": 0, **theirs}
            if "enum" in theirs:
                ours.pop("min"), theirs.pop("min")
        for key in sorted(ours.keys() | theirs.keys()):
            inner = path if key == "members" else f"{path}.{key}"
            if key not in ours or key not in theirs:
                yield inner, ours.get(key), theirs.get(key)
            else:
                yield from differences(inner, ours[key], theirs[key])
    elif isinstance(ours, list) and isinstance(theirs, list) and path.endswith(".enum"):
        if sorted(ours) != sorted(theirs):
            yield path, ours, theirs
    elif ours != theirs:
        yield path, ours, theirs


def built(declared, service):
    return [(name, operation) for name, operation in declared[service].items() if "input" in operation]


@pytest.fixture(scope="module")
def declared():
    result = run("peer", "operations")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("service", SERVICES)
def test_members_and_bounds(declared, service):
    theirs = MODELS[service]
    shapes = theirs["shapes"]
    ours = declared[service]
    if service != "sts":
        assert ours.keys() == theirs["operations"].keys()
    everywhere = EVERYWHERE.get(service, {}) | dict.fromkeys(left_out(service))
    found, checked, unused = {}, 0, set(everywhere)
    for name, operation in ours.items():
        official = theirs["operations"][name]
        if "input" not in operation:
            continue
        for side in ("input", "output"):
            shape = official.get(side, {}).get("shape")
            checked += len(members(shapes, shape))
            for path, mine, other in differences(f"{service}.{name}.{side}", operation[side], members(shapes, shape)):
                end = next((end for end in everywhere if path.endswith("." + end)), None)
                unused.discard(end)
                if end is None:
                    found[path] = f"declared {mine}, the model has {other}"
    expected = {path for path in DIFFERENCES if path.startswith(service + ".")}
    unexpected = found.keys() - expected
    assert unexpected == set(), {path: found[path] for path in unexpected}
    assert expected - found.keys() == set() and unused == set(), "differences that no longer exist"
    assert checked > {"cognito-identity": 100, "cognito-idp": 350, "cognito-sync": 50, "sts": 10}[service]


@pytest.mark.parametrize("service", SERVICES)
def test_who_may_call(declared, service):
    for name, operation in built(declared, service):
        assert operation["unsigned"] == (MODELS[service]["operations"][name].get("authtype") == "none"), name


@pytest.mark.parametrize("service", ["cognito-identity", "cognito-idp", "cognito-sync"])
def test_errors(declared, service):
    theirs = MODELS[service]
    for name, operation in built(declared, service):
        official = {error["shape"] for error in theirs["operations"][name]["errors"]}
        assert operation["errors"].keys() == official, (name, operation["errors"].keys() ^ official)
        # The JSON protocol has 400 and 500, REST-JSON the statuses of the model.
        if service == "cognito-sync":
            statuses = {error: theirs["shapes"][error]["error"]["httpStatusCode"] for error in official}
            assert operation["errors"] == statuses, name


def test_routes_of_data_sets(declared):
    """Method and path of each operation, also of those that are not built."""
    for name, official in MODELS["cognito-sync"]["operations"].items():
        assert declared["cognito-sync"][name]["route"] == [official["http"]["method"], official["http"]["requestUri"]], name
    assert {name for name, operation in declared["cognito-sync"].items() if "input" not in operation} == {
        "ListIdentityPoolUsage", "DescribeIdentityPoolUsage", "GetCognitoEvents", "SetCognitoEvents", "BulkPublish",
        "GetBulkPublishDetails"}
