"""Access policies: our decisions beside those of a second evaluation, which was written from the documents alone and has not seen
ours, of moto and of principalmapper."""
import collections
import json
import pathlib
import random
import re
import subprocess
import sys

import pytest

from policies import documents, evaluation
from programs import peer_command
from sizes import scaled
from waiting import LIMIT

FOLDER = pathlib.Path(__file__).resolve().parent / "policies"
SEED = 20121017
BATCH = 1_000
# Documents that the second evaluation refuses and ours loads: IAM's Access Analyzer has an error for them. Each is without effect
# here, since no request has such a name, or the name has no meaning for the decision.
LOADED = {
    "partition": r"unknown partition",
    "account": r"the account must be 12 digits",
    "no ARN": r"must be in ARN format|must hold six fields|empty resource part",
    "action": r"action .* is not of the form",
    "principal": r"is no (AWS|Service|Federated|CanonicalUser) principal",
    "Sid": r"^Sid |statement ids must be unique",
    "condition key": r"is not of the form service:keyname",
    "variable": r"policy variable \$\{.* is not of the form",
}


def lines_of(command, questions, **options):
    """The answers of a program to questions, each a line of JSON."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    result = subprocess.run(command, input=lines, stdout=subprocess.PIPE, encoding="utf-8", timeout=LIMIT, check=True, **options)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(answers) == len(questions)
    return answers


def ours(questions):
    """Our decisions: a decision, or "refused"."""
    return [answer.get("decision", "refused") for answer in lines_of(peer_command("policies"), questions)]


def second(document, **options):
    try:
        return evaluation.evaluate(document, **options)
    except evaluation.Invalid:
        return "refused"


def batches(made):
    batch = []
    for document in made:
        batch.append(document)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def readings_of(document, decision):
    """The reading of ours that makes the second evaluation decide as ours does, or "several"."""
    return next((name for name in evaluation.READINGS if second(document, readings=[name]) == decision), "several")


def test_examples_of_the_documents():
    """209 examples of the documents. Those on which ours differs are named, with its answer."""
    examples = json.loads((FOLDER / "examples.json").read_text(encoding="utf-8"))
    assert len(examples) == 209 and len({example["name"] for example in examples}) == 209
    assert [second(example["document"]).replace("refused", "invalid") for example in examples] == [
        example["expected"] for example in examples]
    found = {example["name"]: decision for example, decision in zip(examples, ours([example["document"] for example in examples]))
             if decision.replace("refused", "invalid") != example["expected"]}
    assert found == {
        # A list without values is refused: as a negation it would match everything.
        "ForAllValues, no policy values, key present": "refused",
        "ForAllValues, no policy values, key missing": "refused",
        "ForAnyValue, no policy values": "refused",
        "IfExists, no policy values, key missing": "refused",
        # Those of LOADED.
        "key without a service": "implicitDeny",
        "space in variable": "implicitDeny",
        "variable in Action": "implicitDeny",
        "resource without arn": "implicitDeny",
        "missing ARN field": "implicitDeny",
        "duplicate Sids": "allow",
        "Sid with a space": "allow",
        "wildcard in a principal": "implicitDeny",
        "a group as principal": "implicitDeny",
    }


def question(condition=None, context=None, *, resource="arn:aws:s3:::b/*", boundary=None, of_resource=None):
    """A user's Allow of one resource and condition, perhaps with a boundary and a policy of the resource."""
    others = {name: policies for name, policies in (("boundary", boundary), ("resource", of_resource)) if policies}
    allow = {"Effect": "Allow", "Action": "s3:*", "Resource": resource, "Condition": condition or {}}
    return {"policies": {"identity": [{"Version": "2012-10-17", "Statement": allow}], **others},
            "request": {"principal": {"AWS": "arn:aws:iam::123456789012:user/bob"}, "account": "123456789012", "action": "s3:GetObject",
                        "resource": "arn:aws:s3:::b/k", "context": context or {}}}


@pytest.mark.parametrize("reading, document, theirs, mine", [
    ("emptyVariable", question(resource="arn:aws:s3:::b/${aws:userid}*", context={"aws:userid": [""]}), "allow", "implicitDeny"),
    ("severalWithDefault", question(resource="arn:aws:s3:::b/${aws:userid, 'k'}", context={"aws:userid": ["a", "b"]}), "allow", "implicitDeny"),
    ("shortPattern", question({"ArnLike": {"aws:SourceArn": "*"}}, {"aws:SourceArn": ["arn:aws:s3:::x"]}), "allow", "implicitDeny"),
    ("severalValues", question({"StringEquals": {"aws:userid": "a"}}, {"aws:userid": ["a", "b"]}), "allow", "implicitDeny"),
    ("mappedAddress", question({"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}}, {"aws:SourceIp": ["::ffff:203.0.113.7"]}), "implicitDeny", "allow"),
    ("notPrincipalBoundary", question(
        boundary=[{"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}],
        of_resource=[{"Statement": {"Effect": "Deny", "NotPrincipal": "*", "Action": "*", "Resource": "*"}}]), "allow", "explicitDeny"),
])
def test_readings(reading, document, theirs, mine):
    """Each reading of ours decides something."""
    assert reading in evaluation.READINGS
    assert [second(document), second(document, readings=[reading]), *ours([document])] == [theirs, mine, mine]


@pytest.mark.parametrize("documented", [True, False])
def test_random_documents(documented):
    """The two evaluations agree once the second one has the readings of ours where the documents leave them open. Without them each
    difference comes from one of the readings, and those that concern what is documented are two."""
    count, differences, decisions = scaled(20_000, 1_000), collections.Counter(), collections.Counter()
    for batch in batches(documents.documents(SEED, count, documented=documented)):
        for document, decision in zip(batch, ours(batch)):
            decisions[decision] += 1
            assert second(document, readings=evaluation.READINGS) == decision, json.dumps(document)
            if second(document) != decision:
                differences[readings_of(document, decision)] += 1
    print(f"{count} documents, {dict(decisions)}, differences {dict(differences)}")
    assert sum(decisions.values()) == count and all(decisions[name] > count / 5 for name in ("allow", "explicitDeny", "implicitDeny"))
    # Of what is documented, these two alone; their documents are few.
    expected = {"mappedAddress", "notPrincipalBoundary"} if documented else {*evaluation.READINGS, "several"}
    assert set(differences) <= expected and 0 < sum(differences.values()) < count / 50


def test_refused_documents():
    """What the second evaluation refuses, ours refuses, too, or loads for a reason that has a name; and ours refuses nothing else."""
    count, loaded, refused = scaled(20_000, 1_000), collections.Counter(), 0
    for batch in batches(documents.documents(SEED + 1, count, invalid=True)):
        for document, decision in zip(batch, ours(batch)):
            try:
                assert evaluation.evaluate(document, readings=evaluation.READINGS) == decision, json.dumps(document)
            except evaluation.Invalid as error:
                if decision == "refused":
                    refused += 1
                    continue
                names = [name for name, pattern in LOADED.items() if re.search(pattern, str(error))]
                assert names, (str(error), json.dumps(document))
                loaded[names[0]] += 1
    print(f"{count} documents, {refused} refused, {dict(loaded)} loaded")
    assert refused > count / 10 and set(loaded) == set(LOADED)


def simple_documents(seed, count, *, beyond_moto):
    """Documents inside of what moto, and with `beyond_moto` principalmapper, is meant to decide: policies of a user in the account."""
    rng = random.Random(seed)
    services = {name: actions for name, actions in documents.ACTIONS.items()}
    conditions = [
        ("StringEquals", "aws:userid", ["a", "b"], ["a", "b", "c"]), ("StringNotEquals", "aws:userid", ["a"], ["a", "b"]),
        ("StringLike", "s3:prefix", ["home/*", "?x"], ["home/a", "ax", "home"]), ("Bool", "aws:SecureTransport", ["true"], ["true", "false"]),
        ("Null", "aws:TokenIssueTime", ["true"], ["2026-01-01T00:00:00Z"]), ("NumericLessThan", "s3:max-keys", ["10"], ["9", "10", "11"]),
        ("DateGreaterThan", "aws:CurrentTime", ["2026-01-01T00:00:00Z"], ["2025-01-01T00:00:00Z", "2027-01-01T00:00:00Z"]),
        ("IpAddress", "aws:SourceIp", ["203.0.113.0/24"], ["203.0.113.9", "198.51.100.1"])]

    def some(values):
        return rng.sample(values, rng.randint(1, 2))

    for _ in range(count):
        service = rng.choice(sorted(services))
        name = rng.choice(services[service])
        item = rng.choice(["jobs", "jobs/a", "data/b", "data"])
        context = {key: [rng.choice(values)] for _, key, _, values in conditions if rng.random() < 0.7} if beyond_moto else {}
        actions = [f"{service}:{name}", f"{service}:{name[:4]}*", f"{service}:*", "*", f"{service}:*{name[-4:]}", f"{service}:Other", "kms:*"]
        if beyond_moto:
            actions += [f"{service}:{name}".upper(), f"{service}:{name[:-1]}?"]
        resources = ["*", f"arn:aws:{service}:eu-west-1:123456789012:{item}", "arn:aws:kms:eu-west-1:123456789012:*",
                     f"arn:aws:{service}:eu-west-1:123456789012:data*", f"arn:aws:{service}:eu-west-1:123456789012:jobs/*"]
        statements = []
        for _ in range(rng.randint(1, 4)):
            statement = {"Effect": rng.choice(["Allow", "Allow", "Deny"])}
            statement[rng.choice(["Action"] * 4 + ["NotAction"])] = some(actions)
            statement["NotResource" if beyond_moto and rng.random() < 0.2 else "Resource"] = some(resources)
            if beyond_moto and rng.random() < 0.5:
                operator, key, values, _ = rng.choice(conditions)
                statement["Condition"] = {operator: {key: rng.choice(values)}}
            statements.append(statement)
        yield {"policies": {"identity": [{"Version": "2012-10-17", "Statement": statements}]},
               "request": {"principal": {"AWS": "arn:aws:iam::123456789012:user/bob"}, "account": "123456789012",
                           "action": f"{service}:{name}", "resource": f"arn:aws:{service}:eu-west-1:123456789012:{item}", "context": context}}


@pytest.mark.parametrize("program, beyond_moto", [("ask_moto.py", False), ("ask_principalmapper.py", True)])
def test_other_programs(program, beyond_moto, tmp_path):
    """moto on actions and explicit denies, and principalmapper on more. docs/access-policies.md has what they do otherwise."""
    made = list(simple_documents(SEED, scaled(20_000, 1_000), beyond_moto=beyond_moto))
    theirs = lines_of([sys.executable, FOLDER / program], made, cwd=tmp_path)
    mine = ours(made)
    assert [second(document) for document in made] == mine
    different = [(document, one, other) for document, one, other in zip(made, mine, theirs) if one != other]
    assert not different, (len(different), json.dumps(different[0]))
    decided = collections.Counter(mine)
    assert set(decided) == {"allow", "explicitDeny", "implicitDeny"} and min(decided.values()) > len(made) / 10
