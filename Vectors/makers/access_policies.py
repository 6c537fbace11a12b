"""Makes Vectors/access-policies.json: documented examples of IAM, re-expressed, and what must not be loaded.

The decisions are those that IAM's user guide states for its examples. Each comment names the page:

    evaluation      Policy evaluation logic, and Cross-account policy evaluation logic
    operators       IAM JSON policy elements: Condition operators
    sets            Conditions with multiple context keys or values, and Single-valued vs. multivalued context keys
    variables       IAM policy elements: Variables and tags
    principal       AWS JSON policy elements: Principal, and NotPrincipal
    resource        IAM JSON policy elements: Resource
    grammar         Grammar of the IAM JSON policy language
    boundaries      Permissions boundaries for IAM entities
    cognito         Amazon Cognito's guide on roles, and Amazon S3: Allows Amazon Cognito users to access objects in their bucket
    minio           no page: situations that the tests of MinIO's policies have, in other words
"""

import json
import pathlib

USER, OTHER_USER = "arn:aws:iam::123456789012:user/carlos", "arn:aws:iam::123456789012:user/maria"
ROLE, SESSION = "arn:aws:iam::123456789012:role/app", "arn:aws:sts::123456789012:assumed-role/app/jane"
FOREIGN = "arn:aws:iam::999999999999:user/zoe"
BUCKET = "arn:aws:s3:::files"
ALLOW, DENY, NONE = "access_allowed", "access_denied_by_statement", "access_not_allowed_by_identity"
RESOURCE, BOUNDARY, SESSIONS = (f"access_not_allowed_by_{name}" for name in ("resource", "boundary", "session"))
cases = []


def statement(action="s3:*", resource="*", condition=None, effect="Allow", **more):
    found = {"Effect": effect, "Action": action, "Resource": resource, "Condition": condition, **more}
    return {name: value for name, value in found.items() if value is not None}


def policy(*statements, version="2012-10-17", **more):
    head = {} if version is None else {"Version": version}
    return {**head, "Statement": list(statements), **more}


def request(action="s3:GetObject", resource=BUCKET + "/a", principal=USER, kind="AWS", **more):
    caller = None if principal is None else {kind: principal}
    found = {"principal": caller, "action": action, "resource": resource, **more}
    return {name: value for name, value in found.items() if value is not None}


def decide(name, comment, policies, *pairs):
    cases.append({"id": name, "comment": comment, "input": {"policies": policies, "requests": [one for one, _ in pairs]},
                  "expect": {"reasons": [reason for _, reason in pairs]}})


def condition(name, comment, block, *pairs, effect="Allow"):
    """One statement with a condition: pairs of the context and whether the condition is met."""
    document = {"identity": [policy(statement(condition=block, effect=effect))]}
    met, not_met = (ALLOW, NONE) if effect == "Allow" else (DENY, NONE)
    decide(name, comment, document, *((request(context=context), met if is_met else not_met) for context, is_met in pairs))


def place(text, needle, fill=None):
    """Line and column of the last occurrence of a text, or of the end."""
    full = text if fill is None else text.replace("@", fill[0] * fill[1])
    before = full[:full.rindex(needle)]
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


def refuse(name, comment, code, needle, text, kind="identity", fill=None):
    """The place is that of `needle`. `fill` is a text and a number: the text takes the place of `@` so many times."""
    at = place(text, needle, fill)
    given = {"text": text, "kind": kind, "at": at, **({} if fill is None else {"fill": fill[0], "count": fill[1]})}
    cases.append({"id": name, "comment": comment, "input": given, "reject": code})


def warn(name, comment, found, text, kind="identity"):
    """Pairs of the text at a place, and the warning there."""
    warnings = [f"{place(text, needle)}: access_policy_{code}" for needle, code in found]
    cases.append({"id": name, "comment": comment, "input": {"text": text, "kind": kind}, "expect": {"warnings": warnings}})


# MARK: Evaluation

carlos = policy(
    statement(["s3:GetBucketLocation", "s3:ListAllMyBuckets"], "arn:aws:s3:::*", Sid="AllowListRead"),
    statement("s3:*", ["arn:aws:s3:::carlos/*", "arn:aws:s3:::carlos"], Sid="AllowSelf"),
    statement("s3:*", "arn:aws:s3:::*log*", effect="Deny", Sid="DenyLogs"))
own_bucket = policy(statement("s3:*", ["arn:aws:s3:::carlos/*", "arn:aws:s3:::carlos"], Principal={"AWS": USER}))
decide("own-bucket", "evaluation: a user's policy and the policy of his bucket", {"identity": [carlos], "resource": [own_bucket]},
       (request("s3:PutObject", "arn:aws:s3:::carlos-logs/a"), DENY), (request("s3:PutObject", "arn:aws:s3:::carlos/a"), ALLOW),
       (request("s3:ListAllMyBuckets", "arn:aws:s3:::*"), ALLOW), (request("s3:DeleteBucket", "arn:aws:s3:::other"), NONE))
decide("either-allows", "evaluation: within an account one of the two policies is enough", {"resource": [own_bucket]},
       (request("s3:PutObject", "arn:aws:s3:::carlos/a"), ALLOW), (request("s3:PutObject", "arn:aws:s3:::carlos/a", OTHER_USER), NONE))
decide("explicit-and-implicit", "evaluation: the difference between explicit and implicit denies",
       {"identity": [policy(statement(["iam:Get*", "iam:List*"]), statement("iam:*Report", effect="Deny")),
                     policy(statement("iam:GenerateCredentialReport"))]},
       (request("iam:GetUser", USER), ALLOW), (request("iam:CreatePolicy", USER), NONE),
       (request("iam:GetOrganizationsAccessReport", USER), DENY), (request("iam:GenerateCredentialReport", "*"), DENY))
decide("nothing", "evaluation: by default all requests are denied", {}, (request(), NONE))

limit = policy(statement(["s3:*", "cloudwatch:*", "ec2:*"]))
decide("boundary", "boundaries: a boundary limits, and allows nothing",
       {"identity": [policy(statement("iam:CreateUser"), statement("s3:GetObject"))], "boundary": [limit]},
       (request("iam:CreateUser", USER), BOUNDARY), (request(), ALLOW), (request("s3:PutObject"), NONE))
decide("boundary-denies", "boundaries: a statement of a boundary denies like any other",
       {"identity": [policy(statement())], "boundary": [policy(statement(), statement("s3:*", BUCKET + "/logs/*", effect="Deny"))]},
       (request(), ALLOW), (request(resource=BUCKET + "/logs/a"), DENY))
decide("session-policy", "evaluation: the rights of a session are those that its role and its session policy have in common",
       {"identity": [policy(statement("s3:*"))], "session": [policy(statement("s3:Get*"), statement("ec2:*"))]},
       (request(principal=SESSION), ALLOW), (request("s3:PutObject", principal=SESSION), SESSIONS),
       (request("ec2:RunInstances", principal=SESSION), NONE))
decide("session-policies", "evaluation: of several session policies one is enough",
       {"identity": [policy(statement("s3:*"))], "session": [policy(statement("s3:Get*")), policy(statement("s3:Put*"))]},
       (request("s3:PutObject", principal=SESSION), ALLOW), (request("s3:DeleteObject", principal=SESSION), SESSIONS))
federated = "arn:aws:sts::123456789012:federated-user/carlos"
decide("federated-user", "evaluation: a federated user's session without session policy has no rights",
       {"identity": [policy(statement("s3:*"))]}, (request(principal=federated), "access_session_policy_missing"))
decide("federated-user-session", "evaluation: and with one those in common",
       {"identity": [policy(statement("s3:*"))], "session": [policy(statement("s3:Get*"))]},
       (request(principal=federated), ALLOW), (request("s3:PutObject", principal=federated), SESSIONS))

limited = {"boundary": [policy(statement("ec2:*"))], "session": [policy(statement("ec2:*"))]}


def of_resource(principal, effect="Allow", element="Principal"):
    return [policy(statement("s3:*", BUCKET + "/*", effect=effect, **{element: principal}))]


for name, principal, caller, reason in [
        ("user", USER, USER, ALLOW), ("session", SESSION, SESSION, ALLOW), ("federated-user", federated, federated, ALLOW),
        ("everyone", "*", SESSION, ALLOW), ("role", ROLE, SESSION, BOUNDARY), ("role-itself", ROLE, ROLE, BOUNDARY),
        ("name-of-session", USER, federated, NONE), ("account", "123456789012", USER, NONE),
        ("root", "arn:aws:iam::123456789012:root", USER, NONE), ("other", OTHER_USER, USER, NONE)]:
    decide("limited-" + name, "evaluation: whom the policy of a resource names decides whether boundaries and session policies limit it",
           {"resource": of_resource({"AWS": principal}), **limited}, (request(principal=caller), reason))
decide("limited-user-of-session", "evaluation: a federated session's user, whom the program must name: the session chose its name",
       {"resource": of_resource({"AWS": USER}), **limited}, (request(principal=federated, parent=USER), BOUNDARY),
       (request(principal=federated, parent=OTHER_USER), NONE))
in_path = "arn:aws:iam::123456789012:role/team/app"
decide("role-with-path", "principal: a session's ARN lacks the path of its role, and an account has no two roles of one name",
       {"resource": of_resource({"AWS": in_path})}, (request(principal=SESSION), ALLOW), (request(principal=in_path), ALLOW), (request(principal=ROLE), NONE),
       (request(principal=SESSION, parent=in_path), ALLOW), (request(principal=SESSION, parent=ROLE), NONE),
       (request(principal=SESSION.replace("123456789012", "999999999999"), resourceAccount="999999999999"), NONE))
decide("role-with-path-denied", "principal: so that a Deny for the role is one for the session",
       {"identity": [policy(statement())], "resource": of_resource({"AWS": in_path}, "Deny")},
       (request(principal=SESSION), DENY), (request(principal=SESSION.replace("/app/", "/app2/")), ALLOW))
root = "arn:aws:iam::123456789012:root"
decide("root", "evaluation: all requests are denied by default, except those of the root user", {}, (request(principal=root), ALLOW),
       (request("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q", root), ALLOW), (request(principal=root, resourceAccount="999999999999"), RESOURCE),
       *((request(principal=principal), NONE) for principal in [
           root + "/a", "arn:aws:sts::123456789012:root", "arn:aws:iam::12345678901:root", "arn:aws:iam:::root", "root", "arn:aws:iam::123456789012:user/root"]))
decide("root-denied", "evaluation: a Deny counts for the root user", {"resource": of_resource("*", "Deny")}, (request(principal=root), DENY))
decide("root-limits", "boundaries: root users have none; a session policy that is given limits", {"boundary": limited["boundary"]}, (request(principal=root), ALLOW))
decide("root-session-policy", "evaluation: a session policy that is given limits each caller", {"session": limited["session"]}, (request(principal=root), SESSIONS))
decide("root-cross-account", "evaluation: in another account the root user needs the policy of the resource", {"resource": of_resource({"AWS": "999999999999"})},
       (request(principal="arn:aws:iam::999999999999:root", resourceAccount="123456789012"), ALLOW),
       (request(principal="arn:aws:iam::111122223333:root", resourceAccount="123456789012"), RESOURCE))
decide("role-without-policy", "evaluation: a policy of a resource that names the role needs none of the role",
       {"resource": of_resource({"AWS": ROLE})}, (request(principal=SESSION), ALLOW))
decide("role-session-policy", "evaluation: and its session policy limits it", {"resource": of_resource({"AWS": ROLE}), "session": limited["session"]},
       (request(principal=SESSION), SESSIONS))
decide("role-denied", "evaluation: a Deny for the role is one for its sessions",
       {"identity": [policy(statement())], "resource": of_resource({"AWS": ROLE}, "Deny")},
       (request(principal=SESSION), DENY), (request(principal=USER), ALLOW))

open_to_foreign = {"resource": of_resource({"AWS": "999999999999"})}
allowing = {"identity": [policy(statement())]}
foreign = dict(principal=FOREIGN, resourceAccount="123456789012")
decide("cross-account", "evaluation: a caller of another account needs a policy of its own and one of the resource",
       {**allowing, **open_to_foreign}, (request(**foreign), ALLOW))
decide("cross-account-resource-alone", "evaluation: that of the resource alone is not enough", open_to_foreign, (request(**foreign), NONE))
decide("cross-account-named", "evaluation: also where it names the caller", {"resource": of_resource({"AWS": FOREIGN})}, (request(**foreign), NONE))
decide("cross-account-identity-alone", "evaluation: nor is that of the caller alone", allowing,
       (request(**foreign), RESOURCE), (request("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q", FOREIGN), NONE))
decide("cross-account-by-arn", "evaluation: the account of an ARN counts", {"identity": [policy(statement("*"))]},
       (request("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q", FOREIGN), RESOURCE),
       (request("sqs:SendMessage", "arn:aws:sqs:us-east-1:999999999999:q", FOREIGN), ALLOW))
decide("cross-account-boundary", "evaluation: and a boundary of the caller", {**allowing, **open_to_foreign, "boundary": limited["boundary"]},
       (request(**foreign), BOUNDARY))

# MARK: Principals

decide("service", "principal: services, and a condition on what they act for",
       {"resource": [policy(statement("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q",
                                      {"ArnEquals": {"aws:SourceArn": "arn:aws:sns:us-east-1:123456789012:topic"}},
                                      Principal={"Service": ["sns.amazonaws.com", "events.amazonaws.com"]}))]},
       *((request("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q", service, "Service", context={"aws:SourceArn": [source]}), reason)
         for service, source, reason in [
             ("sns.amazonaws.com", "arn:aws:sns:us-east-1:123456789012:topic", ALLOW),
             ("events.amazonaws.com", "arn:aws:sns:us-east-1:123456789012:topic", ALLOW),
             ("s3.amazonaws.com", "arn:aws:sns:us-east-1:123456789012:topic", RESOURCE),
             ("sns.amazonaws.com", "arn:aws:sns:us-east-1:123456789012:other", RESOURCE)]))
decide("anonymous", "principal: * grants access to all users, also anonymous ones", {"resource": of_resource("*")},
       (request(principal=None), ALLOW), (request("s3:GetObject", "arn:aws:s3:::other/a", None), RESOURCE))
decide("anonymous-aws", "principal: for anonymous users both forms are equivalent", {"resource": of_resource({"AWS": "*"})},
       (request(principal=None), ALLOW))
decide("anonymous-not-named", "principal: a name is not everyone", {"resource": of_resource({"AWS": USER})}, (request(principal=None), RESOURCE))
decide("canonical-user", "principal: the id that S3 has for an account",
       {"resource": of_resource({"AWS": ["arn:aws:iam::111122223333:root", "999999999999"], "CanonicalUser": "79a59df900b949e5"})},
       (request(principal="79a59df900b949e5", kind="CanonicalUser"), ALLOW), (request(principal="79a59df900b949e6", kind="CanonicalUser"), RESOURCE))
bob = "arn:aws:iam::444455556666:user/Bob"
decide("not-principal", "principal: everyone except one user is denied, also others of the account that must be named with the user",
       {"identity": [policy(statement())],
        "resource": of_resource({"AWS": [bob, "arn:aws:iam::444455556666:root"]}, "Deny", "NotPrincipal") + of_resource("*")},
       (request(principal=bob), ALLOW), (request(principal="arn:aws:iam::444455556666:user/Alice"), DENY), (request(principal=USER), DENY),
       (request(principal=None), DENY))
auditor = "arn:aws:sts::444455556666:assumed-role/read-only/audit"
decide("not-principal-session", "principal: a session, its role and its account",
       {"identity": [policy(statement())],
        "resource": of_resource({"AWS": [auditor, "arn:aws:iam::444455556666:role/read-only", "arn:aws:iam::444455556666:root"]}, "Deny",
                                "NotPrincipal")},
       (request(principal=auditor), ALLOW), (request(principal="arn:aws:sts::444455556666:assumed-role/other/audit"), DENY),
       (request(principal="arn:aws:sts::444455556666:assumed-role/read-only/other"), DENY))
for name, names, caller in [
        ("no-account", [bob], bob), ("no-role", [auditor, "444455556666"], auditor), ("no-session", ["444455556666", "arn:aws:iam::444455556666:role/read-only"], auditor),
        ("no-user", ["444455556666"], bob), ("other-account", [bob, "123456789012"], bob)]:
    decide("not-principal-" + name, "principal: account, role and session may be validated one after the other: each must be named",
           {"identity": [policy(statement())], "resource": of_resource({"AWS": names}, "Deny", "NotPrincipal")}, (request(principal=caller), DENY))
decide("not-principal-root", "principal: the account excepts its root user, and * everyone",
       {"resource": of_resource({"AWS": "123456789012"}, "Deny", "NotPrincipal") + of_resource("*", "Deny", "NotPrincipal")}, (request(principal=root), ALLOW),
       (request(), DENY))
decide("not-principal-service", "principal: services have no account",
       {"resource": of_resource({"Service": "sns.amazonaws.com"}, "Deny", "NotPrincipal") + of_resource("*")},
       (request(principal="sns.amazonaws.com", kind="Service"), ALLOW), (request(principal="s3.amazonaws.com", kind="Service"), DENY))
decide("not-principal-boundary", "boundaries: a Deny with NotPrincipal denies every caller that has a boundary",
       {"identity": [policy(statement())], "boundary": [policy(statement())],
        "resource": of_resource({"AWS": [USER, "arn:aws:iam::123456789012:root"]}, "Deny", "NotPrincipal")}, (request(), DENY))
decide("not-principal-boundary-everyone", "principal: regardless of the values", {"identity": [policy(statement())], "boundary": [policy(statement())],
       "resource": of_resource("*", "Deny", "NotPrincipal")}, (request(), DENY), (request(principal=None), RESOURCE))
decide("principal-arn", "principal: the condition that replaces NotPrincipal",
       {"identity": [policy(statement())],
        "resource": [policy(statement("s3:*", BUCKET + "/*", {"ArnNotEquals": {"aws:PrincipalArn": bob}}, "Deny", Principal="*"))]},
       (request(principal=bob, context={"aws:PrincipalArn": [bob]}), ALLOW), (request(context={"aws:PrincipalArn": [USER]}), DENY),
       (request(), DENY))
decide("names-are-exact", "principal: part of a name is not matched by a wildcard, and case counts",
       {"resource": of_resource({"AWS": ["arn:aws:iam::123456789012:user/*", "arn:aws:iam::123456789012:user/Carlos"]})}, (request(), NONE))
decide("federated", "principal: a provider of identities",
       {"resource": of_resource({"Federated": "cognito-identity.amazonaws.com"})},
       (request(principal="cognito-identity.amazonaws.com", kind="Federated"), ALLOW),
       (request(principal="cognito-identity.amazonaws.com", kind="Service"), RESOURCE))
decide("no-resource", "variables: the example of a topic: without Resource, a statement is about the resource that has the policy",
       {"resource": [policy(statement("sns:*", None, {"StringLike": {"sns:endpoint": "https://example.com/${aws:username}/"},
                                                      "StringEquals": {"sns:Protocol": "https"}}, Principal={"AWS": USER}))]},
       *((request("sns:Subscribe", "arn:aws:sns:us-east-1:123456789012:t",
                  context={"aws:username": ["carlos"], "sns:Endpoint": [endpoint], "sns:protocol": ["https"]}), reason)
         for endpoint, reason in [("https://example.com/carlos/", ALLOW), ("https://example.com/maria/", NONE)]))

# MARK: Actions and resources

decide("actions", "grammar: wildcards in actions, which are case-insensitive",
       {"identity": [policy(statement(["s3:Get*", "EC2:Describe?nstances", "sqs:SendMessage"]))]},
       (request("S3:getobject"), ALLOW), (request("ec2:DescribeInstances", "*"), ALLOW), (request("ec2:DescribeXXnstances", "*"), NONE),
       (request("sqs:sendmessage", "*"), ALLOW), (request("sqs:SendMessageBatch", "*"), NONE), (request("xs3:GetObject"), NONE))
decide("actions-are-ascii", "grammar: letters outside ASCII are not other letters", {"identity": [policy(statement("s3:Kopie"))]},
       (request("s3:\u212aopie"), NONE), (request("s3:kOPIE"), ALLOW))
decide("not-action", "grammar: all actions except the listed ones", {"identity": [policy(statement(None, NotAction=["iam:*", "s3:Delete*"]))]},
       (request(), ALLOW), (request("iam:GetUser", USER), NONE), (request("S3:deleteObject"), NONE))
decide("not-resource", "grammar: all resources except the listed ones",
       {"identity": [policy(statement(), statement("s3:*", None, effect="Deny", NotResource=[BUCKET, BUCKET + "/*"]))]},
       (request(), ALLOW), (request(resource=BUCKET), ALLOW), (request(resource="arn:aws:s3:::files2/a"), DENY))
decide("resource-stars", "resource: the documented matches of files/*/test/*", {"identity": [policy(statement("s3:*", BUCKET + "/*/test/*"))]},
       *((request(resource=f"{BUCKET}/{key}"), ALLOW) for key in [
           "1/test/object.jpg", "1/2/test/object.jpg", "1/2/test/3/object.jpg", "1/2/3/test/4/object.jpg", "1///test///object.jpg",
           "1/test/.jpg", "//test/object.jpg", "1/test/"]),
       *((request(resource=f"{BUCKET}/{key}"), NONE) for key in ["1-test/object.jpg", "test/object.jpg", "1/2/test.jpg"]))
decide("resource-case", "resource: names are case-sensitive", {"identity": [policy(statement("*", "arn:aws:iam::123456789012:user/Bob"))]},
       (request("iam:GetUser", "arn:aws:iam::123456789012:user/Bob"), ALLOW), (request("iam:GetUser", "arn:aws:iam::123456789012:user/bob"), NONE))
decide("resource-colons", "resource: a star that ends a part matches colons, one inside of a part does not",
       {"identity": [policy(statement("*", ["arn:aws:dynamodb:*:table/prod-*", "arn:aws:sqs:us-*-2:123456789012:q"]))]},
       (request("dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:123456789012:table/prod-a"), ALLOW),
       (request("dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:123456789012:table/dev-a"), NONE),
       (request("sqs:SendMessage", "arn:aws:sqs:us-east-2:123456789012:q"), ALLOW),
       (request("sqs:SendMessage", "arn:aws:sqs:us-east-1:111122223333:x-2:123456789012:q", resourceAccount="123456789012"), NONE))
decide("question-mark", "resource: a question mark is one character, whatever its bytes, and no colon of the first parts",
       {"identity": [policy(statement("*", ["arn:aws:s3:::files/?", "arn:aws:s3?::other/a"]))]},
       (request(resource=BUCKET + "/a"), ALLOW), (request(resource=BUCKET + "/\u00e9"), ALLOW), (request(resource=BUCKET + "/\U0001f600"), ALLOW),
       (request(resource=BUCKET + "/"), NONE), (request(resource=BUCKET + "/e\u0301"), NONE), (request(resource=BUCKET + "/:"), ALLOW),
       (request(resource="arn:aws:s3:::other/a"), NONE))
decide("encoded-paths", "resource: texts are compared as they are: neither percent signs, dots, double slashes nor Unicode are resolved",
       {"identity": [policy(statement("s3:*", BUCKET + "/users/jane/*"))]},
       *((request(resource=BUCKET + path), NONE) for path in [
           "/users/./jane/a", "//users/jane/a", "/users%2Fjane/a", "/users/JANE/a", "/users/j\u0430ne/a", "/users/jane"]),
       (request(resource=BUCKET + "/users/jane/../joe/a"), ALLOW))

# MARK: Variables

home = {"identity": [policy(
    statement("s3:ListBucket", BUCKET, {"StringLike": {"s3:prefix": ["", "home/", "home/${aws:username}/*"]}}),
    statement("s3:*", [BUCKET + "/home/${aws:username}", BUCKET + "/home/${aws:username}/*"]))]}
decide("home-directory", "operators: a user's own folder", home,
       (request("s3:ListBucket", BUCKET, context={"s3:prefix": [""], "aws:username": ["carlos"]}), ALLOW),
       (request("s3:ListBucket", BUCKET, context={"s3:prefix": ["home/"], "aws:username": ["carlos"]}), ALLOW),
       (request("s3:ListBucket", BUCKET, context={"s3:prefix": ["home/carlos/a"], "aws:username": ["carlos"]}), ALLOW),
       (request("s3:ListBucket", BUCKET, context={"s3:prefix": ["home/maria/a"], "aws:username": ["carlos"]}), NONE),
       (request(resource=BUCKET + "/home/carlos/a", context={"AWS:UserName": ["carlos"]}), ALLOW),
       (request(resource=BUCKET + "/home/maria/a", context={"aws:username": ["carlos"]}), NONE),
       (request(resource=BUCKET + "/home/carlos/a"), NONE))
decide("values-are-literal", "variables: wildcards in the value of a variable are literal", home,
       (request(resource=BUCKET + "/home/maria/a", context={"aws:username": ["*"]}), NONE),
       (request(resource=BUCKET + "/home/*/a", context={"aws:username": ["*"]}), ALLOW),
       (request(resource=BUCKET + "/home/maria/a", context={"aws:username": ["mari?"]}), NONE),
       (request(resource=BUCKET + "/home/x/a", context={"aws:username": ["${aws:userid}"], "aws:userid": ["x"]}), NONE),
       (request(resource=BUCKET + "/home//a", context={"aws:username": [""]}), NONE))
decide("empty-value", "variables: an empty text is no value: it would open all folders",
       {"identity": [policy(statement("s3:*", BUCKET + "/${aws:PrincipalTag/folder}*"))]},
       (request(resource=BUCKET + "/secret/a", context={"aws:PrincipalTag/folder": [""]}), NONE),
       (request(resource=BUCKET + "/public/a", context={"aws:PrincipalTag/folder": ["public"]}), ALLOW))
decide("several-values", "variables: a key with several values is no variable", home,
       (request(resource=BUCKET + "/home/carlos/a", context={"aws:username": ["carlos", "maria"]}), NONE))
identity = "us-east-1:12345678-abcd-abcd-abcd-123456790ab"
decide("cognito-folder", "cognito: each identity has its own folder",
       {"identity": [policy(
           statement("s3:ListBucket", BUCKET, {"StringLike": {"s3:prefix": ["cognito/app/${cognito-identity.amazonaws.com:sub}/*"]}}),
           statement(["s3:GetObject", "s3:PutObject"], BUCKET + "/cognito/app/${cognito-identity.amazonaws.com:sub}/*"))]},
       *((request(resource=f"{BUCKET}/cognito/app/{owner}/a", principal=SESSION, context={"cognito-identity.amazonaws.com:sub": [identity]}), reason)
         for owner, reason in [(identity, ALLOW), (identity + "c", NONE), ("us-east-1:0", NONE)]),
       (request("s3:ListBucket", BUCKET, SESSION,
                context={"s3:prefix": [f"cognito/app/{identity}/"], "cognito-identity.amazonaws.com:sub": [identity]}), ALLOW))
decide("default", "variables: a default stands in for a key that the request lacks",
       {"identity": [policy(statement("s3:*", BUCKET + "/${aws:PrincipalTag/team, 'company-wide'}/*"))]},
       (request(resource=BUCKET + "/blue/a", context={"aws:PrincipalTag/Team": ["blue"]}), ALLOW),
       (request(resource=BUCKET + "/company-wide/a", context={"aws:PrincipalTag/team": ["blue"]}), NONE),
       (request(resource=BUCKET + "/company-wide/a"), ALLOW), (request(resource=BUCKET + "/company-wide/a", context={"aws:PrincipalTag/team": []}), ALLOW),
       (request(resource=BUCKET + "/company-wide/a", context={"aws:PrincipalTag/team": [""]}), ALLOW),
       (request(resource=BUCKET + "/company-wide/a", context={"aws:PrincipalTag/team": ["a", "b"]}), NONE))
decide("special-characters", "variables: ${*}, ${?} and ${$} are characters",
       {"identity": [policy(statement("s3:*", BUCKET + "/${*}/${?}/${$}{x}/*"))]},
       (request(resource=BUCKET + "/*/?/${x}/a"), ALLOW), (request(resource=BUCKET + "/b/?/${x}/a"), NONE), (request(resource=BUCKET + "/*/b/${x}/a"), NONE))
condition("special-characters-like", "variables: in conditions, too", {"StringLike": {"k": "a${*}b${?}*"}},
          ({"k": ["a*b?"]}, True), ({"k": ["a*b?c"]}, True), ({"k": ["axb?"]}, False), ({"k": ["a*bx"]}, False))
decide("no-value", "variables: without a value the inverted operator matches, and a resource does not",
       {"identity": [policy(statement(), statement("s3:GetObject", BUCKET + "/*",
                                                   {"StringNotEquals": {"s3:ExistingObjectTag/Team": "${aws:PrincipalTag/Team}"}}, "Deny"))]},
       (request(context={"s3:ExistingObjectTag/Team": ["blue"], "aws:PrincipalTag/Team": ["blue"]}), ALLOW),
       (request(context={"s3:ExistingObjectTag/Team": ["blue"], "aws:PrincipalTag/Team": ["red"]}), DENY),
       (request(context={"s3:ExistingObjectTag/Team": ["blue"]}), DENY))
decide("no-value-not-resource", "variables: nor does it match in NotResource",
       {"identity": [policy(statement("s3:*", None, NotResource=BUCKET + "/${aws:username}/*"))]},
       (request(resource=BUCKET + "/carlos/a", context={"aws:username": ["carlos"]}), NONE), (request(resource=BUCKET + "/carlos/a"), ALLOW))
first = {"identity": [policy(statement("s3:*", BUCKET + "/${aws:username}/*"), version="2008-10-17")]}
decide("first-version", "variables: in the version 2008-10-17 they are literal text", first,
       (request(resource=BUCKET + "/carlos/a", context={"aws:username": ["carlos"]}), NONE),
       (request(resource=BUCKET + "/${aws:username}/a", context={"aws:username": ["carlos"]}), ALLOW))
decide("no-version", "variables: and in a document without Version",
       {"identity": [policy(statement("s3:*", BUCKET + "/${aws:username}/*"), version=None)]},
       (request(resource=BUCKET + "/carlos/a", context={"aws:username": ["carlos"]}), NONE),
       (request(resource=BUCKET + "/${aws:username}/a"), ALLOW))
decide("one-statement", "grammar: a statement that is no list", {"identity": [{"Version": "2012-10-17", "Statement": statement()}]}, (request(), ALLOW))

# MARK: Condition operators

condition("string-equals", "operators: exact, case-sensitive; a key that is absent does not match", {"StringEquals": {"aws:PrincipalTag/job": "admin"}},
          ({"aws:principaltag/JOB": ["admin"]}, True), ({"aws:PrincipalTag/job": ["Admin"]}, False), ({"aws:PrincipalTag/job": ["admin2"]}, False),
          ({}, False), ({"aws:PrincipalTag/job": []}, False))
condition("string-equals-star", "operators: no wildcards", {"StringEquals": {"k": "a*"}}, ({"k": ["a*"]}, True), ({"k": ["ab"]}, False))
condition("string-not-equals", "operators: an absent key meets negated operators", {"StringNotEquals": {"k": ["a", "b"]}},
          ({"k": ["a"]}, False), ({"k": ["b"]}, False), ({"k": ["c"]}, True), ({}, True))
condition("ignore-case", "operators: case of ASCII letters is ignored", {"StringEqualsIgnoreCase": {"k": "Kelvin\u00c9"}},
          ({"k": ["kELVIN\u00c9"]}, True), ({"k": ["\u212aelvin\u00c9"]}, False), ({"k": ["kelvin\u00e9"]}, False))
condition("not-ignore-case", "operators: negated", {"StringNotEqualsIgnoreCase": {"k": "abc"}}, ({"k": ["ABC"]}, False), ({"k": ["x"]}, True))
condition("normal-forms", "operators: texts of one look with other bytes are others", {"StringEquals": {"k": "\u00e9"}},
          ({"k": ["\u00e9"]}, True), ({"k": ["e\u0301"]}, False))
condition("string-like", "operators: wildcards", {"StringLike": {"k": ["a*c", "x?z"]}},
          ({"k": ["ac"]}, True), ({"k": ["abbc"]}, True), ({"k": ["abcd"]}, False), ({"k": ["xyz"]}, True), ({"k": ["xz"]}, False), ({"k": ["A*c"]}, False))
condition("string-not-like", "operators: negated", {"StringNotLike": {"k": "a*"}}, ({"k": ["ab"]}, False), ({"k": ["b"]}, True), ({}, True))
condition("numbers-as-text", "grammar: values are strings, numbers or booleans", {"StringEquals": {"k": [5, True]}},
          ({"k": ["5"]}, True), ({"k": ["true"]}, True), ({"k": ["5.0"]}, False))
condition("numeric", "operators: integers and decimals of any size, exactly", {"NumericEquals": {"k": ["10", 0.1, "12345678901234567890"]}},
          ({"k": ["10"]}, True), ({"k": ["10.0"]}, True), ({"k": ["1e1"]}, True), ({"k": ["0.10"]}, True), ({"k": ["+10"]}, True),
          ({"k": ["12345678901234567891"]}, False), ({"k": ["ten"]}, False), ({"k": [""]}, False), ({"k": [" 10"]}, False), ({}, False))
condition("numeric-not-equals", "operators: negated", {"NumericNotEquals": {"k": "10"}}, ({"k": ["10.00"]}, False), ({"k": ["11"]}, True), ({}, True))
condition("numeric-less-equals", "operators: at most ten keys", {"NumericLessThanEquals": {"s3:max-keys": "10"}},
          ({"s3:max-keys": ["10"]}, True), ({"s3:max-keys": ["9.99"]}, True), ({"s3:max-keys": ["10.01"]}, False), ({"s3:max-keys": ["-11"]}, True), ({}, False))
condition("numeric-less", "operators: less", {"NumericLessThan": {"k": "-1.5"}}, ({"k": ["-1.5"]}, False), ({"k": ["-1.51"]}, True), ({"k": ["-1.4"]}, False), ({"k": ["-20"]}, True))
condition("numeric-greater", "operators: greater", {"NumericGreaterThan": {"k": "0"}}, ({"k": ["0"]}, False), ({"k": ["-0"]}, False), ({"k": ["1e-9"]}, True))
condition("numeric-greater-equals", "operators: greater or equal", {"NumericGreaterThanEquals": {"k": "100"}},
          ({"k": ["99"]}, False), ({"k": ["100"]}, True), ({"k": ["1e400"]}, True))
condition("date-greater", "operators: credentials that were issued after an instant", {"DateGreaterThan": {"aws:TokenIssueTime": "2020-01-01T00:00:01Z"}},
          ({"aws:TokenIssueTime": ["2020-01-01T00:00:01Z"]}, False), ({"aws:TokenIssueTime": ["2020-01-01T00:00:02Z"]}, True),
          ({"aws:TokenIssueTime": ["2020-01-01T02:00:02+02:00"]}, True), ({"aws:TokenIssueTime": ["1577836802"]}, True),
          ({"aws:TokenIssueTime": ["yesterday"]}, False), ({}, False))
for written, second in [("2020", "2020-01-01T00:00:00Z"), ("2020-02", "2020-02-01T00:00:00Z"), ("2020-02-29", "2020-02-29T00:00:00Z"),
                        ("2020-02-29T12:30Z", "2020-02-29T12:30:00Z"), ("2020-02-29T12:30+01:00", "2020-02-29T11:30:00Z"),
                        ("2020-02-29T12:30:01.5Z", "2020-02-29T12:30:01.50Z"), ("1582979400", "2020-02-29T12:30:00Z"), (1582979400, "2020-02-29T12:30:00Z"),
                        ("-1", "1969-12-31T23:59:59Z"), ("0.5", "1970-01-01T00:00:00.5Z")]:
    condition(f"date-{json.dumps(written)}", "operators: the W3C's forms of ISO 8601, and epoch time", {"DateEquals": {"k": written}},
              ({"k": [second]}, True), ({"k": ["2021-01-01T00:00:00Z"]}, False))
condition("date-not-equals", "operators: negated", {"DateNotEquals": {"k": "2020-01-01"}}, ({"k": ["2020-01-01T00:00:00Z"]}, False), ({"k": ["2020"]}, False), ({}, True))
condition("date-less", "operators: before", {"DateLessThan": {"k": "2020-01-01"}}, ({"k": ["2020-01-01T00:00:00Z"]}, False), ({"k": ["2019-12-31T23:59:59Z"]}, True))
condition("date-less-equals", "operators: at or before", {"DateLessThanEquals": {"k": "2020-01-01"}}, ({"k": ["2020-01-01T00:00:00Z"]}, True), ({"k": ["2020-01-01T00:00:00.1Z"]}, False))
condition("date-greater-equals", "operators: at or after", {"DateGreaterThanEquals": {"k": "2020-01-01"}}, ({"k": ["2020-01-01T00:00:00Z"]}, True), ({"k": ["2019"]}, False))
condition("bool", "operators: requests without TLS are denied", {"Bool": {"aws:SecureTransport": "false"}},
          ({"aws:SecureTransport": ["false"]}, True), ({"aws:SecureTransport": ["true"]}, False), ({}, False), ({"aws:SecureTransport": ["no"]}, False), effect="Deny")
condition("bool-boolean", "grammar: a boolean as value", {"Bool": {"aws:MultiFactorAuthPresent": True}},
          ({"aws:MultiFactorAuthPresent": ["true"]}, True), ({"aws:MultiFactorAuthPresent": ["TRUE"]}, True), ({"aws:MultiFactorAuthPresent": ["false"]}, False))
condition("bool-variable", "operators: Bool may have a variable", {"Bool": {"a": "${b}"}}, ({"a": ["true"], "b": ["true"]}, True), ({"a": ["true"], "b": ["false"]}, False),
          ({"a": ["x"], "b": ["x"]}, False), ({"a": ["true"]}, False))
condition("binary", "operators: byte for byte, both in base64", {"BinaryEquals": {"k": "QmluYXJ5VmFsdWVJbkJhc2U2NA=="}},
          ({"k": ["QmluYXJ5VmFsdWVJbkJhc2U2NA=="]}, True), ({"k": ["QmluYXJ5"]}, False), ({"k": ["BinaryValueInBase64"]}, False), ({}, False))
for quantifier, is_met in [("ForAllValues", True), ("ForAnyValue", False)]:
    condition(f"null-{quantifier}", "sets: Null with a quantifier is valid, and compares no value", {quantifier + ":Null": {"k": ["true", "false"]}},
              ({}, is_met), ({"k": ["a"]}, is_met), ({"k": ["a", "b"]}, is_met), ({"k": [""]}, is_met))
condition("ip-mapped-range", "operators: a range that is wider than the mapped addresses has addresses of IPv6", {"IpAddress": {"aws:SourceIp": "::ffff:203.0.113.0/64"}},
          ({"aws:SourceIp": ["::1"]}, True), ({"aws:SourceIp": ["0:0:0:1::"]}, False), ({"aws:SourceIp": ["203.0.113.0"]}, False), ({"aws:SourceIp": ["::ffff:203.0.113.0"]}, False))
condition("ip-mapped-all", "operators: the range of all mapped addresses has all addresses of IPv4", {"IpAddress": {"aws:SourceIp": "::ffff:0:0/96"}},
          ({"aws:SourceIp": ["203.0.113.0"]}, True), ({"aws:SourceIp": ["::ffff:1.2.3.4"]}, True), ({"aws:SourceIp": ["::1"]}, False))
condition("ip-address", "operators: a range", {"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}},
          ({"aws:SourceIp": ["203.0.113.0"]}, True), ({"aws:SourceIp": ["203.0.113.255"]}, True), ({"aws:SourceIp": ["203.0.112.255"]}, False),
          ({"aws:SourceIp": ["203.0.114.0"]}, False), ({"aws:SourceIp": ["::ffff:203.0.113.7"]}, True), ({"aws:SourceIp": ["2001:db8::1"]}, False),
          ({"aws:SourceIp": ["203.0.113.07"]}, False), ({"aws:SourceIp": ["x"]}, False), ({}, False))
condition("ip-both", "operators: ranges of both families", {"IpAddress": {"aws:SourceIp": ["203.0.113.0/24", "2001:DB8:1234:5678::/64"]}},
          ({"aws:SourceIp": ["203.0.113.1"]}, True), ({"aws:SourceIp": ["2001:db8:1234:5678::1"]}, True), ({"aws:SourceIp": ["2001:db8:1234:5678:ffff:ffff:ffff:ffff"]}, True),
          ({"aws:SourceIp": ["2001:db8:1234:5679::1"]}, False), ({"aws:SourceIp": ["::1"]}, False))
condition("ip-one", "operators: without a prefix one address", {"IpAddress": {"k": ["192.0.2.1", "2001:db8::1"]}},
          ({"k": ["192.0.2.1"]}, True), ({"k": ["192.0.2.2"]}, False), ({"k": ["2001:0db8:0:0:0:0:0:1"]}, True), ({"k": ["2001:db8::2"]}, False))
condition("ip-all", "operators: all addresses of a family", {"IpAddress": {"k": "0.0.0.0/0"}}, ({"k": ["192.0.2.1"]}, True), ({"k": ["::1"]}, False))
condition("ip-all-6", "operators: all addresses of the other", {"IpAddress": {"k": "::/0"}}, ({"k": ["192.0.2.1"]}, False), ({"k": ["fe80::1"]}, True))
condition("ip-host-bits", "operators: bits after the prefix do not count", {"IpAddress": {"k": "203.0.113.77/24"}}, ({"k": ["203.0.113.1"]}, True))
condition("not-ip", "operators: negated", {"NotIpAddress": {"k": ["203.0.113.0/24", "2001:db8::/32"]}},
          ({"k": ["203.0.113.1"]}, False), ({"k": ["198.51.100.1"]}, True), ({"k": ["2001:db8::1"]}, False), ({}, True))
finance = "arn:aws:someservice:*:111122223333:finance/*"
condition("arn-like", "operators: parts are compared one by one", {"ArnLike": {"k": finance}},
          ({"k": ["arn:aws:someservice:us-east-2:111122223333:finance/a"]}, True),
          ({"k": ["arn:aws:someservice:us-east-2:999999999999:store/abc:111122223333:finance/document.txt"]}, False),
          ({"k": ["arn:aws:someservice:us-east-2:111122223333:finance/a:b"]}, True), ({"k": ["finance/a"]}, False))
condition("arn-string-like", "operators: the same with StringLike matches", {"StringLike": {"k": finance}},
          ({"k": ["arn:aws:someservice:us-east-2:999999999999:store/abc:111122223333:finance/document.txt"]}, True))
condition("arn-equals", "operators: ArnEquals behaves as ArnLike", {"ArnEquals": {"k": "arn:aws:sns:*:123456789012:topic-?"}},
          ({"k": ["arn:aws:sns:us-east-1:123456789012:topic-1"]}, True), ({"k": ["arn:aws:sns:us-east-1:123456789012:topic-12"]}, False),
          ({"k": ["ARN:aws:sns:us-east-1:123456789012:topic-1"]}, False))
condition("arn-not-like", "operators: negated", {"ArnNotLike": {"k": "arn:aws:sns:*:*:topic"}},
          ({"k": ["arn:aws:sns:us-east-1:123456789012:topic"]}, False), ({"k": ["arn:aws:sns:us-east-1:123456789012:other"]}, True), ({}, True))
condition("arn-not-equals", "operators: negated", {"ArnNotEquals": {"k": "arn:aws:sns:*:*:topic"}}, ({"k": ["arn:aws:sns:a:b:topic"]}, False), ({"k": ["x"]}, True))
condition("arn-star", "operators: a pattern has six parts", {"ArnLike": {"k": "*"}}, ({"k": ["arn:aws:sns:us-east-1:123456789012:topic"]}, False))
condition("arn-variable", "operators: an ARN with a variable, whose value is literal", {"ArnLike": {"k": "arn:aws:iam::*:user/${aws:username}"}},
          ({"k": ["arn:aws:iam::1:user/jane"], "aws:username": ["jane"]}, True), ({"k": ["arn:aws:iam::1:user/jane"], "aws:username": ["*"]}, False))
condition("null", "operators: the key must not exist", {"Null": {"aws:TokenIssueTime": "true"}},
          ({}, True), ({"aws:TokenIssueTime": ["2020-01-01T00:00:00Z"]}, False), ({"aws:TokenIssueTime": []}, True))
condition("null-empty", "sets: an empty text is null, so that a condition on Null with false completes one with ForAllValues",
          {"Null": {"k": "false"}, "ForAllValues:StringEquals": {"k": "a"}}, ({"k": ["a"]}, True), ({"k": [""]}, False), ({"k": ["", ""]}, False), ({}, False))
condition("null-true-empty", "sets: the same for true", {"Null": {"k": "true"}}, ({"k": [""]}, True), ({"k": ["", "a"]}, False))
condition("not-null", "operators: the key must exist", {"Null": {"aws:TokenIssueTime": False}}, ({}, False), ({"aws:TokenIssueTime": ["x"]}, True))
condition("if-exists", "operators: without the key the condition is met", {"StringLikeIfExists": {"ec2:InstanceType": ["t1.*", "t2.*", "m3.*"]}},
          ({}, True), ({"ec2:InstanceType": ["t2.micro"]}, True), ({"ec2:InstanceType": ["c5.large"]}, False))
condition("deny-if-exists", "operators: a Deny with a negated operator and IfExists denies without the key", {"StringNotEqualsIfExists": {"k": "a"}},
          ({}, True), ({"k": ["a"]}, False), ({"k": ["b"]}, True), effect="Deny")
for operator, value, good, bad in [("NumericLessThanIfExists", "5", "4", "6"), ("DateLessThanIfExists", "2020", "2019", "2021"), ("BoolIfExists", "true", "true", "false"),
                                   ("IpAddressIfExists", "::1", "::1", "::2"), ("BinaryEqualsIfExists", "YQ==", "YQ==", "Yg=="),
                                   ("ArnLikeIfExists", "arn:a:b:c:d:*", "arn:a:b:c:d:e", "x")]:
    condition(operator, "operators: IfExists of other operators", {operator: {"k": value}}, ({}, True), ({"k": [good]}, True), ({"k": [bad]}, False))
condition("all-of-them", "sets: operators and keys are joined by AND, values by OR",
          {"StringEquals": {"a": ["1", "2"], "b": "3"}, "NumericLessThan": {"c": "4"}},
          ({"a": ["2"], "b": ["3"], "c": ["3"]}, True), ({"a": ["3"], "b": ["3"], "c": ["3"]}, False), ({"a": ["2"], "c": ["3"]}, False),
          ({"a": ["2"], "b": ["3"], "c": ["4"]}, False))

# MARK: Several values

key = "dynamodb:requestedAttributes"
condition("for-all-values", "sets: every value of the request is one of the policy's", {"ForAllValues:StringLike": {key: ["PostDateTime", "Message", "Tags"]}},
          ({key: ["PostDateTime", "Message"]}, True), ({key: ["PostDateTime", "ID"]}, False), ({key: ["PostDateTime", "UserName"]}, False),
          ({}, True), ({key: []}, True), ({key: [""]}, True))
condition("for-any-value", "sets: one value of the request is one of the policy's", {"ForAnyValue:StringLike": {key: ["ID", "PostDateTime"]}},
          ({key: ["PostDateTime", "Message"]}, True), ({key: ["UserName"]}, False), ({key: ["UserName", "Message", "PostDateTime"]}, True),
          ({}, False), ({key: []}, False), ({key: [""]}, False), effect="Deny")
condition("for-all-values-not", "sets: no value of the request is one of the policy's", {"ForAllValues:StringNotEquals": {"k": ["a", "b"]}},
          ({"k": ["c", "d"]}, True), ({"k": ["c", "a"]}, False), ({}, True))
condition("for-any-value-not", "sets: one value of the request is none of the policy's", {"ForAnyValue:StringNotEquals": {"k": ["a", "b"]}},
          ({"k": ["a", "c"]}, True), ({"k": ["a", "b"]}, False), ({}, False))
condition("for-any-value-if-exists", "operators: IfExists with a quantifier", {"ForAnyValue:StringEqualsIfExists": {"k": "a"}},
          ({}, True), ({"k": []}, True), ({"k": ["b", "a"]}, True), ({"k": ["b"]}, False), ({"k": [""]}, False))
condition("for-all-numbers", "sets: quantifiers of other operators", {"ForAllValues:NumericLessThan": {"k": "10"}}, ({"k": ["1", "9"]}, True), ({"k": ["1", "10"]}, False))
condition("for-any-address", "sets: addresses", {"ForAnyValue:IpAddress": {"k": "192.0.2.0/24"}}, ({"k": ["::1", "192.0.2.1"]}, True), ({"k": ["::1"]}, False))
condition("leading-keys", "cognito: only the caller's own rows", {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${cognito-identity.amazonaws.com:sub}"]}},
          ({"dynamodb:LeadingKeys": [identity], "cognito-identity.amazonaws.com:sub": [identity]}, True),
          ({"dynamodb:LeadingKeys": [identity, "x"], "cognito-identity.amazonaws.com:sub": [identity]}, False))
condition("several-allow", "sets: several values need a quantifier; without one nothing is allowed", {"StringEquals": {"k": ["a", "b"]}},
          ({"k": ["a", "b"]}, False), ({"k": ["a"]}, True))
condition("several-deny", "sets: and a Deny denies where one value fits", {"StringEquals": {"k": ["a"]}}, ({"k": ["c", "a"]}, True), ({"k": ["c", "d"]}, False), effect="Deny")
condition("several-deny-not", "sets: negated, too", {"StringNotEquals": {"k": ["a"]}}, ({"k": ["c", "a"]}, True), ({"k": ["a", "a"]}, False), effect="Deny")

# MARK: Situations of MinIO's tests

for name, pattern, matches, others in [
        ("everything", "*", ["photos", "photos/a"], []), ("bucket-prefix", "photos*", ["photos", "photos/a", "photos2/a"], ["phot"]),
        ("objects", "*/*", ["photos/a"], ["photos"]), ("bucket-objects", "photos/*", ["photos/a"], ["photos10/a", "photos"]),
        ("bucket-star-object", "photos*/a", ["photos/a", "photos100/a"], ["photos/b"]), ("bucket-mark", "photos?0/2010/*", ["photos20/2010/1.jpg"], ["photos0/2010/1.jpg"]),
        ("bucket", "photos", ["photos"], ["photos/a", "photos2"]), ("two-stars", "**", ["photos", "photos/a"], []), ("stars", "*" * 64 + "x", ["x", "aax"], ["a"])]:
    decide("minio-" + name, "minio: patterns of buckets and objects", {"identity": [policy(statement("s3:*", "arn:aws:s3:::" + pattern))]},
           *((request(resource="arn:aws:s3:::" + text), ALLOW) for text in matches), *((request(resource="arn:aws:s3:::" + text), NONE) for text in others),
           (request("sqs:SendMessage", "arn:aws:sqs:::photos"), NONE))
office = {"IpAddress": {"aws:SourceIp": "192.168.1.0/24"}}
inside, outside = {"aws:SourceIp": ["192.168.1.10"]}, {"aws:SourceIp": ["192.168.2.10"]}
open_object = dict(Principal="*", Action=["s3:GetObject", "s3:PutObject"], Resource="arn:aws:s3:::photos/my*")
for name, more, reasons in [("anyone", {}, (ALLOW, ALLOW, ALLOW)), ("by-address", {"Condition": office}, (ALLOW, RESOURCE, RESOURCE)),
                            ("denied-by-address", {"Condition": office, "Effect": "Deny"}, (DENY, RESOURCE, RESOURCE))]:
    decide("minio-" + name, "minio: a bucket's policy for anonymous callers, by their address",
           {"resource": [policy({"Effect": "Allow", **open_object, **more})]},
           *((request("s3:PutObject", "arn:aws:s3:::photos/my.jpg", None, context=context), reason) for context, reason in zip((inside, outside, {}), reasons)),
           (request("s3:PutObject", "arn:aws:s3:::photos/your.jpg", None, context=inside), RESOURCE), (request("s3:GetBucketLocation", "arn:aws:s3:::photos", None), RESOURCE))
decide("minio-owner-denied", "minio: a Deny for an address is one for the bucket's owner, too",
       {"identity": [policy(statement())], "resource": [policy({**open_object, "Effect": "Deny", "Condition": office})]},
       (request("s3:PutObject", "arn:aws:s3:::photos/my.jpg", context=inside), DENY), (request("s3:PutObject", "arn:aws:s3:::photos/my.jpg", context=outside), ALLOW))
decide("minio-many-statements", "minio: statements that differ in NotResource alone are different, in a long policy, too",
       {"identity": [policy(*(statement("s3:GetObject", None, effect="Deny", NotResource=f"arn:aws:s3:::{name}/*") for name in ("public", "other")),
                            *(statement("s3:PutObject", f"arn:aws:s3:::filler{index}/*") for index in range(20)), statement())]},
       (request(resource="arn:aws:s3:::public/a"), DENY), (request("s3:PutObject", "arn:aws:s3:::filler3/a"), ALLOW))
decide("minio-twice", "minio: a statement may occur twice, with both effects",
       {"identity": [policy(statement(), statement(), statement("s3:Put*", effect="Deny"), statement("s3:Put*"))]},
       (request(), ALLOW), (request("s3:PutObject"), DENY))
for name, written, matches, others in [
        ("dollar", "$${aws:username}", ["$carlos"], ["${aws:username}"]), ("not-again", "${$}{aws:username}", ["${aws:username}"], ["carlos"]),
        ("end", "a$", ["a$"], ["a"]), ("all", "${*}${?}${$}", ["*?$"], ["ab$"]), ("backslash", "a\\${*}", ["a\\*"], ["a*"]), ("two", "${aws:username}-${aws:userid}", ["carlos-7"], ["carlos-"])]:
    decide("minio-variable-" + name, "minio: variables are replaced once", {"identity": [policy(statement("s3:*", BUCKET + "/" + written))]},
           *((request(resource=f"{BUCKET}/{text}", context={"aws:username": ["carlos"], "aws:userid": ["7"]}), reason)
             for texts, reason in ((matches, ALLOW), (others, NONE)) for text in texts))
condition("minio-suffix", "minio: a key with a suffix is another key", {"StringEquals": {"aws:username/x": "carlos"}},
          ({"aws:username": ["carlos"]}, False), ({"aws:username/x": ["carlos"]}, True))
condition("minio-copy-source", "minio: a header that must be absent, and one that must be present",
          {"Null": {"s3:x-amz-copy-source": True, "s3:x-amz-server-side-encryption": False}},
          ({}, False), ({"s3:x-amz-server-side-encryption": ["AES256"]}, True),
          ({"s3:x-amz-server-side-encryption": ["AES256"], "s3:x-amz-copy-source": ["photos/a"]}, False))

# MARK: What is not loaded

ok = '"Effect": "Allow", "Action": "s3:*", "Resource": "*"'


def one(body, head='"Version": "2012-10-17"'):
    return "{\n " + head + ',\n "Statement": [{\n  ' + body + "\n }]\n}"


P = "access_policy_"
refuse("minio-version", "minio: a version in another form", P + "version_unknown", '"17-10-2012"', one(ok, '"Version": "17-10-2012"'))
refuse("minio-id", "minio: names of elements have one case", P + "element_unknown", '"ID"', one(ok, '"ID": "x"'))
refuse("minio-unclosed", "minio: variables that are not closed", P + "variable_malformed", '"arn:', one(ok.replace('"*"', '"arn:aws:s3:::@"')), fill=("${", 900))
refuse("not-json", "grammar: JSON", "json_syntax", "nope", '{\n "Version": nope}')
refuse("empty", "grammar: nothing", "json_empty", "", "")
refuse("twice", "grammar: no element occurs twice", "json_duplicate_name", '"Effect": "Deny"', one(ok + ', "Effect": "Deny"'))
refuse("deep", "a document that is nested too deeply", "json_nesting", "[" * 35 + "]", '{"Statement": [{"Condition": ' + "[" * 40 + "]" * 40 + "}]}")
refuse("large", "a document that is too large", "json_too_large", "{", "{@}", fill=(" ", 32_768))
refuse("array", "grammar: a document is an object", P + "type", "[", "[]")
refuse("element", "grammar: an unknown element", P + "element_unknown", '"Statements"', '{"Statements": []}')
refuse("element-case", "grammar: names of elements have one case", P + "element_unknown", '"action"', one(ok + ', "action": "s3:Get*"'))
refuse("statement-element", "grammar: an unknown element of a statement", P + "element_unknown", '"Conditions"', one(ok + ', "Conditions": {}'))
refuse("no-statement", "grammar: no statement", P + "element_missing", "{", '{"Version": "2012-10-17"}')
refuse("empty-statements", "grammar: an empty list", P + "element_empty", "[", '{"Statement": []}')
refuse("statement-text", "grammar: statements are objects", P + "type", '"x"', '{"Statement": "x"}')
refuse("statement-number", "grammar: each of them", P + "type", "5", '{"Statement": [5]}')
refuse("version", "grammar: a version that does not exist", P + "version_unknown", '"2012-10-18"', one(ok, '"Version": "2012-10-18"'))
refuse("version-number", "grammar: a version of another type", P + "type", "2012,", one(ok, '"Version": 2012'))
refuse("id-number", "grammar: an Id of another type", P + "type", "5,", one(ok + ', "Principal": "*"', '"Id": 5'), "resource")
refuse("id-in-identity", "grammar: no Id in a policy of an identity", P + "element_not_allowed", '"Id"', one(ok, '"Id": "x"'))
refuse("not-principal-allow", "principal: NotPrincipal with Allow is not supported", P + "elements_exclusive", '{"AWS"',
       one(ok + ', "NotPrincipal": {"AWS": "123456789012"}'), "resource")
for name, text in [("star", "arn:aws:*:us-east-1:123456789012:q"), ("question-mark", "arn:aws:s?:::files/a"), ("two-parts", "arn:*"), ("no-parts", "ar*"), ("all", "arn:*:*:*:*:*")]:
    refuse("service-" + name, "resource: no wildcard in the service", P + "value_invalid", f'"{text}"', one(ok.replace('"*"', f'"{text}"')))
refuse("sid-number", "grammar: a Sid of another type", P + "type", "5", one(ok + ', "Sid": 5'))
refuse("effect", "grammar: an unknown effect", P + "effect_unknown", '"allow"', one(ok.replace('"Allow"', '"allow"')))
refuse("effect-type", "grammar: an effect of another type", P + "type", "true", one(ok.replace('"Allow"', "true")))
refuse("no-effect", "grammar: no effect", P + "element_missing", "{\n", one('"Action": "*", "Resource": "*"'))
refuse("no-action", "grammar: no action", P + "element_missing", "{\n", one('"Effect": "Allow", "Resource": "*"'))
refuse("no-resource-refused", "grammar: no resource in a policy of an identity", P + "element_missing", "{\n", one('"Effect": "Allow", "Action": "*"'))
refuse("action-type", "grammar: an action of another type", P + "type", "5", one(ok.replace('"s3:*"', "5")))
refuse("action-list-type", "grammar: in a list, too", P + "type", "{}", one(ok.replace('"s3:*"', '["s3:*", {}]')))
refuse("action-and-not", "grammar: either Action or NotAction", P + "elements_exclusive", '"NotAction"', one(ok + ', "NotAction": "*"'))
refuse("resource-and-not", "grammar: either Resource or NotResource", P + "elements_exclusive", '"NotResource"', one(ok + ', "NotResource": "*"'))
refuse("not-action-empty", "a NotAction without actions would mean all", P + "element_empty", "[]", one(ok.replace('"Action": "s3:*"', '"NotAction": []')))
refuse("not-resource-empty", "as would NotResource", P + "element_empty", "[]", one(ok.replace('"Resource": "*"', '"NotResource": []')))
refuse("principal-in-identity", "grammar: no principal in a policy of an identity", P + "element_not_allowed", '"Principal"', one(ok + ', "Principal": "*"'))
refuse("not-principal-in-identity", "grammar: nor NotPrincipal", P + "element_not_allowed", '"NotPrincipal"', one(ok + ', "NotPrincipal": "*"'))
refuse("no-principal", "grammar: a policy of a resource has one", P + "element_missing", "{\n", one(ok), "resource")
refuse("trust-resource", "a trust policy has no resource", P + "element_not_allowed", '"Resource"', one(ok + ', "Principal": "*"'), "trust")
refuse("principal-text", "principal: a text is *", P + "principal_invalid", '"123456789012"', one(ok + ', "Principal": "123456789012"'), "resource")
refuse("principal-kind", "principal: an unknown kind", P + "principal_invalid", '"Aws"', one(ok + ', "Principal": {"Aws": "*"}'), "resource")
refuse("principal-star", "principal: * is a name of AWS alone", P + "principal_invalid", '"*"}', one(ok + ', "Principal": {"Service": "*"}'), "resource")
refuse("principal-type", "principal: of another type", P + "type", '["*"]', one(ok + ', "Principal": ["*"]'), "resource")
refuse("principal-name-type", "principal: a name of another type", P + "type", "123456789012", one(ok + ', "Principal": {"AWS": 123456789012}'), "resource")
refuse("not-principal-empty", "principal: NotPrincipal without names", P + "element_empty", '{"AWS"', one(ok.replace("Allow", "Deny") + ', "NotPrincipal": {"AWS": []}'), "resource")


def with_condition(block):
    return one(ok + ', "Condition": ' + block)


refuse("condition-type", "grammar: a condition of another type", P + "type", '["x"]', with_condition('["x"]'))
refuse("operator", "operators: an unknown operator", P + "operator_unknown", '"StringEqual"', with_condition('{"StringEqual": {"k": "v"}}'))
refuse("operator-case", "operators: names have one case", P + "operator_unknown", '"stringEquals"', with_condition('{"stringEquals": {"k": "v"}}'))
refuse("operator-quantifier", "sets: an unknown quantifier", P + "operator_unknown", '"ForSome', with_condition('{"ForSomeValues:StringEquals": {"k": "v"}}'))
refuse("operator-no-quantifier", "sets: an empty one", P + "operator_unknown", '":String', with_condition('{":StringEquals": {"k": "v"}}'))
refuse("null-if-exists", "operators: Null has no IfExists", P + "operator_unknown", '"Null', with_condition('{"NullIfExists": {"k": "true"}}'))
refuse("null-if-exists-quantified", "operators: nor with a quantifier", P + "operator_unknown", '"ForAny', with_condition('{"ForAnyValue:NullIfExists": {"k": "true"}}'))
refuse("if-exists-twice", "operators: IfExists once", P + "operator_unknown", '"StringEq', with_condition('{"StringEqualsIfExistsIfExists": {"k": "v"}}'))
refuse("operator-type", "grammar: an operator has keys", P + "type", '"k"', with_condition('{"StringEquals": "k"}'))
refuse("operator-empty", "grammar: at least one", P + "element_empty", "{}}", with_condition('{"StringEquals": {}}'))
refuse("no-values", "grammar: a key has values", P + "element_empty", "[]", with_condition('{"StringEquals": {"k": []}}'))
refuse("value-type", "grammar: of the three types", P + "type", "null", with_condition('{"StringEquals": {"k": null}}'))
refuse("value-object", "grammar: in a list, too", P + "type", "{}]", with_condition('{"StringEquals": {"k": ["v", {}]}}'))
refuse("key-twice", "variables: keys are case-insensitive", P + "condition_key_repeated", '"AWS:X"', with_condition('{"StringEquals": {"aws:x": "v", "AWS:X": "v"}}'))
for name, operator, value in [("number", "NumericEquals", "ten"), ("number-empty", "NumericEquals", ""), ("number-hex", "NumericEquals", "0x10"), ("number-infinite", "NumericEquals", "inf"),
                              ("date", "DateLessThan", "tomorrow"), ("date-day", "DateLessThan", "2023-02-29"), ("date-zone", "DateLessThan", "2023-02-28T12:00:00"),
                              ("date-year", "DateLessThan", "0000"), ("bool", "Bool", "yes"), ("null", "Null", "null"), ("binary", "BinaryEquals", "a"), ("ip", "IpAddress", "203.0.113"),
                              ("ip-bits", "IpAddress", "203.0.113.0/33"), ("ip-bits-6", "IpAddress", "::/129"), ("ip-name", "IpAddress", "localhost"), ("ip-star", "NotIpAddress", "203.0.113.*"),
                              ("number-variable", "NumericEquals", "${aws:x}")]:
    refuse("value-" + name, "operators: a value of another form", P + "value_invalid", f'"{value}"', with_condition(f'{{"{operator}": {{"k": "{value}"}}}}'))
for name, text in [("open", "${aws:x"), ("empty", "${}"), ("default", "${aws:x, y}"), ("default-open", "${aws:x, 'y}"), ("after-default", "${aws:x, 'y' }"), ("nested", "${${aws:x}}"), ("star", "${aws:*}"),
                   ("end", "${")]:
    refuse("variable-" + name, "variables: a malformed variable", P + "variable_malformed", f'"{BUCKET}', one(ok.replace('"*"', f'"{BUCKET}/{text}"')))
refuse("variable-account", "variables: before the fifth colon", P + "variable_misplaced", '"arn:aws:sqs', one(ok.replace('"*"', '"arn:aws:sqs:us-east-1:${aws:x}:q"')))
refuse("text-too-long", "a text of more than 2,048 bytes", P + "text_too_long", '"aa', one(ok.replace('"*"', '"@"')), fill=("a", 2_049))
refuse("too-many-statements", "more than 256 statements", P + "too_many_statements", '{"Effect"', '{"Statement": [@{' + ok + "}]}", fill=("{" + ok + "},", 256))
refuse("too-many-values", "more than 4,096 values", P + "too_many_values", '["a:*"', one(ok.replace('"s3:*"', '[@"a:*"]')), fill=('"a:*",', 4_096))

# MARK: Warnings

warn("no-warnings", "A document without any", [], one(ok))
warn("warn-actions", "Actions that no request has", [('"", ', "action_never_matches"), ('"s3", ', "action_never_matches")],
     one(ok.replace('"s3:*"', '["", "s3", "s3*"]')))
warn("warn-no-action", "An empty action", [("[]", "action_never_matches")], one(ok.replace('"s3:*"', "[]")))
warn("warn-resource", "Resources that no request has", [('"files"', "resource_never_matches"), ('"x*"', "resource_never_matches")],
     one(ok.replace('"*"', '["files", "x*", "?rn:aws:s3:::a", "arn:aws:s3:::a"]')))
warn("warn-no-resource", "An empty resource", [("[]", "resource_never_matches")], one(ok.replace('"*"', "[]")))
warn("warn-principals", "Principals that no request has", [('"arn:aws:iam', "principal_never_matches")],
     one(ok + ', "Principal": {"AWS": ["arn:aws:iam::123456789012:user/*", "123456789012"]}'), "resource")
warn("warn-no-principals", "No principals", [("{}", "principal_never_matches")], one(ok + ', "Principal": {}'), "resource")
warn("warn-null-quantified", "Null with a quantifier", [('"ForAllValues:Null"', "null_quantified"), ('"ForAnyValue:Null"', "null_quantified")],
     with_condition('{"ForAllValues:Null": {"k": "true"}, "ForAnyValue:Null": {"k": "true"}, "Null": {"k": "true"}}'))
warn("warn-action-variable", "A variable in an action", [('"s3:$', "action_never_matches")], one(ok.replace("s3:*", "s3:${aws:x}")))
warn("warn-short-resource", "Fewer than six parts, without a star that could match colons", [('"arn:aws:s3:b"', "resource_never_matches"), ('"arn:aws:s3:b*c"', "resource_never_matches")],
     one(ok.replace('"*"', '["arn:aws:s3:b", "arn:aws:s3:b*c", "arn:aws:s3:*", "arn:aws:sqs:*:q"]')))
warn("warn-arn", "An ARN operator with fewer than six parts", [('"*", ', "value_never_matches")], with_condition('{"ArnLike": {"k": ["*", "arn:*:*:*:*:*"]}}'))
warn("warn-first-version", "Variables in a document of 2008", [('"arn:aws:s3', "variable_is_literal"), ('"${aws:y}"', "variable_is_literal")],
     one(ok.replace('"*"', f'"{BUCKET}/${{aws:x}}"') + ', "Condition": {"StringLike": {"k": "${aws:y}"}}', '"Version": "2008-10-17"'))
warn("warn-sid", "Two statements with one Sid", [('"a", ', "sid_repeated")], '{"Statement": [{"Sid": "a", ' + ok + '}, {"Sid": "a", ' + ok + "}]}")
warn("warn-not-resource", "Allow with NotResource and a variable that can lack a value", [('"arn:', "not_resource_variable")],
     one(ok.replace('"Resource": "*"', '"NotResource": "' + BUCKET + '/${aws:x}/*"')))
warn("warn-not-resource-default", "With a default there is none", [], one(ok.replace('"Resource": "*"', '"NotResource": "' + BUCKET + "/${aws:x, 'y'}/*\"")))

source = ("made by Vectors/makers/access_policies.py: the examples of AWS's IAM user guide (evaluation logic, condition operators, conditions with multiple "
          "keys or values, variables, Principal, NotPrincipal, Resource, grammar, permissions boundaries) and of Amazon Cognito's guide, re-expressed, with the "
          "decisions that these pages state; refusals and warnings are our own")
path = pathlib.Path(__file__).resolve().parent.parent / "access-policies.json"
path.write_text(json.dumps({"suite": "access-policies", "source": source, "cases": cases}, indent=1, ensure_ascii=True) + "\n")
