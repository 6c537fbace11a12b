"""Makes Vectors/trust-policies.json: policies as AWS's documentation prints them, and what must not be loaded."""

import json
import pathlib

AUD, AMR, SUB = (f"cognito-identity.amazonaws.com:{name}" for name in ("aud", "amr", "sub"))
POOL, OTHER = "us-east-1:12345678-abcd-abcd-abcd-123456790ab", "us-east-1:99999999-abcd-abcd-abcd-123456790ab"
ME = "us-east-1:87654321-abcd-abcd-abcd-123456790ab"


def statement(condition, **more):
    base = {"Effect": "Allow", "Principal": {"Federated": "cognito-identity.amazonaws.com"},
            "Action": "sts:AssumeRoleWithWebIdentity", "Condition": condition}
    return {name: value for name, value in {**base, **more}.items() if value is not None}


def policy(*statements, **more):
    return {"Version": "2012-10-17", "Statement": list(statements), **more}


def caller(pool=POOL, methods=("authenticated", "login.my.app", f"login.my.app:{POOL}:jane"), identity=ME, **more):
    return {"context": {AUD: [pool], AMR: list(methods), SUB: [identity]}, **more}


bound = {"StringEquals": {AUD: POOL}}
documented = {**bound, "ForAnyValue:StringLike": {AMR: "authenticated"}}
guest = caller(methods=["unauthenticated"])
joe = caller(identity="us-east-1:00000000-abcd-abcd-abcd-123456790ab")
cases = []


def accept(name, comment, document, *pairs):
    cases.append({"id": name, "comment": comment, "input": {"policy": document, "callers": [c for c, _ in pairs]},
                  "expect": {"admits": [answer for _, answer in pairs]}})


def refuse(name, comment, document=None, text=None):
    given = {"text": text} if text is not None else {"policy": document}
    cases.append({"id": name, "comment": comment, "input": given, "reject": "trust_policy_invalid"})


accept("authenticated", "The role for those who have signed in, as Cognito's guide has it", policy(statement(documented)),
       (caller(), True), (guest, False), (caller(pool=OTHER), False),
       (caller(action="sts:AssumeRole"), False), (caller(principal="accounts.google.com"), False),
       (caller(kind="Service"), False), (caller(action="STS:assumerolewithwebidentity"), True))
accept("unauthenticated", "The role for guests",
       policy(statement({**bound, "ForAnyValue:StringLike": {AMR: "unauthenticated"}})), (guest, True), (caller(), False))
accept("one-statement", "A statement that is no list", {"Version": "2012-10-17", "Statement": statement(documented)},
       (caller(), True))
accept("pools", "Several pools", policy(statement({"StringEquals": {AUD: [OTHER, POOL]}})),
       (caller(), True), (caller(pool=OTHER), True), (caller(pool="us-east-1:0"), False))
accept("one-identity", "One identity alone", policy(statement({"StringEquals": {AUD: POOL, SUB: ME}})),
       (caller(), True), (joe, False))
accept("provider", "Whoever signed in with one provider",
       policy(statement({**bound, "ForAnyValue:StringLike": {AMR: "*login.my.app*"}})), (caller(), True),
       (caller(methods=["authenticated", "graph.facebook.com", "graph.facebook.com:OIDC:1"]), False))
accept("any-equals", "ForAnyValue:StringEquals", policy(statement({**bound, "ForAnyValue:StringEquals": {AMR: "login.my.app"}})),
       (caller(), True), (guest, False))
accept("all-values", "ForAllValues: each of them, and none at all will do",
       policy(statement({**bound, "ForAllValues:StringLike": {AMR: ["authenticated", "login.*"]}})), (caller(), True), (guest, False),
       (caller(methods=["authenticated", "login.my.app", "graph.facebook.com"]), False), (caller(methods=[]), True))
accept("any-value-of-none", "ForAnyValue: none is not enough",
       policy(statement({**bound, "ForAnyValue:StringLike": {AMR: "*"}})), (caller(methods=[]), False), (guest, True))
accept("deny", "A denial beats what allows", policy(statement(documented), statement({"StringEquals": {SUB: ME}}, Effect="Deny")),
       (caller(), False), (joe, True))
accept("deny-first", "Wherever it stands", policy(statement({"StringEquals": {SUB: ME}}, Effect="Deny"), statement(documented)),
       (caller(), False), (joe, True))
accept("not-equals", "StringNotEquals", policy(statement({**bound, "StringNotEquals": {SUB: ME}})), (caller(), False), (joe, True))
accept("not-like", "StringNotLike", policy(statement({**bound, "StringNotLike": {SUB: "*87654321*"}})), (caller(), False), (joe, True))
accept("ignore-case", "StringEqualsIgnoreCase", policy(statement({**bound, "StringEqualsIgnoreCase": {SUB: ME.upper()}})),
       (caller(), True), (joe, False))
accept("ignore-case-ascii", "K is not the Kelvin sign", policy(statement(bound), statement({"ForAnyValue:StringEqualsIgnoreCase": {AMR: "KARL"}}, Effect="Deny")),
       (caller(methods=["authenticated", "karl"]), False), (caller(methods=["authenticated", "\u212aarl"]), True))
accept("deny-any-method", "A denial of a method", policy(statement(bound), statement({"ForAnyValue:StringLike": {AMR: "*banned*"}}, Effect="Deny")),
       (caller(), True), (caller(methods=["authenticated", "login.banned.app"]), False))
accept("deny-other-methods", "A denial of those who bring anything else",
       policy(statement(bound), statement({"ForAnyValue:StringNotLike": {AMR: ["authenticated", "login.my.app*"]}}, Effect="Deny")),
       (caller(), True), (caller(methods=["authenticated", "graph.facebook.com"]), False))
accept("case-counts", "Values have a case, names have none",
       policy(statement({"StringEquals": {AUD.upper(): POOL, SUB: ME.upper()}})), (caller(), False))
accept("question-mark", "? is one character", policy(statement({**bound, "StringLike": {SUB: ME[:-1] + "?"}})), (caller(), True), (joe, False))
accept("question-mark-too-many", "and not none", policy(statement({**bound, "StringLike": {SUB: ME + "?"}})), (caller(), False))
accept("stars-are-letters", "In StringEquals a star is a star", policy(statement({**bound, "StringEquals": {SUB: "*"}})) if False else
       policy(statement({"StringEquals": {AUD: POOL, SUB: "us-east-1:*"}})), (caller(), False))
accept("actions", "Several actions, and stars in them",
       policy(statement(bound, Action=["sts:TagSession", "sts:AssumeRoleWith*"])), (caller(), True), (caller(action="sts:TagSession"), True),
       (caller(action="sts:AssumeRole"), False))
SYNC = {"kind": "Service", "principal": "cognito-sync.amazonaws.com", "action": "sts:AssumeRole"}
service = {"Effect": "Allow", "Principal": {"Service": "cognito-sync.amazonaws.com"}, "Action": "sts:AssumeRole", "Condition": {
    "StringEquals": {"AWS:SourceAccount": "123456789012"},
    "ArnLike": {"AWS:SourceArn": f"arn:aws:cognito-identity:us-east-1:123456789012:identitypool/{POOL}"}}}
ARN = f"arn:aws:cognito-identity:us-east-1:123456789012:identitypool/{POOL}"
accept("push-sync", "The service role of push synchronisation", policy(service),
       ({**SYNC, "context": {"aws:sourceaccount": ["123456789012"], "aws:sourcearn": [ARN]}}, True),
       ({**SYNC, "context": {"aws:sourceaccount": ["999999999999"], "aws:sourcearn": [ARN]}}, False),
       ({**SYNC, "context": {"aws:sourceaccount": ["123456789012"], "aws:sourcearn": [ARN + "x"]}}, False),
       ({**SYNC, "context": {"aws:sourceaccount": ["123456789012"]}}, False))
arn_like = {"Effect": "Allow", "Principal": {"Service": "x"}, "Action": "a:b",
            "Condition": {"ArnLike": {"aws:SourceArn": "arn:aws:cognito-identity:*:123456789012:identitypool/*"}}}
X = {"kind": "Service", "principal": "x", "action": "a:b"}
accept("arn-like", "A star does not reach beyond a colon, but in the last part", policy(arn_like),
       ({**X, "context": {"aws:sourcearn": [ARN]}}, True),
       ({**X, "context": {"aws:sourcearn": ["arn:aws:cognito-identity:a:b:123456789012:identitypool/x"]}}, False),
       ({**X, "context": {"aws:sourcearn": ["arn:aws:cognito-identity:us-east-1:999999999999:identitypool/x"]}}, False),
       ({**X, "context": {"aws:sourcearn": ["arn:aws"]}}, False))

def denied(condition, **more):
    return policy(statement(documented), statement(condition, Effect="Deny", **more))


refuse("no-quantifier", "A name with several values needs a quantifier", policy(statement({**bound, "StringLike": {AMR: "*"}})))
refuse("deny-no-quantifier", "In a denial too: it would never apply", denied({"StringEquals": {AMR: "login.banned.app"}}))
refuse("deny-no-quantifier-like", "With StringLike", denied({"StringLike": {AMR: "*banned*"}}))
refuse("deny-no-quantifier-not", "With StringNotEquals", denied({"StringNotEquals": {AMR: "authenticated"}}))
refuse("deny-misspelt", "A key that is misspelt", denied({"ForAnyValue:StringLike": {AMR[:-1] + "m": "*banned*"}}))
refuse("deny-kelvin", "A key with a letter that looks like another", denied({"StringEquals": {"aws:To\u212aen": "x"}}))
refuse("deny-session-name", "A key that no request has", denied({"StringLike": {"sts:RoleSessionName": "x*"}}))
refuse("deny-source-account", "A key of services, for an identity", denied({"StringNotEquals": {"aws:SourceAccount": "123456789012"}}))
refuse("allow-unknown-key", "An unknown key where it allows", policy(statement({**bound, "StringLike": {"aws:PrincipalTag/team": "x"}})))
refuse("deny-action", "An action that is misspelt", denied({"StringEquals": {SUB: ME}}, Action="sts:AssumeRoleWithWebIdentiti"))
refuse("deny-principal", "A principal that is misspelt", denied({"StringEquals": {SUB: ME}}, Principal={"Federated": "cognito-identity.amazonaws.con"}))
refuse("deny-principal-kind", "A principal of the wrong kind", denied(None, Principal={"Service": "cognito-identity.amazonaws.com"}))
refuse("deny-twice", "A key twice, in two cases", denied({"StringEquals": {SUB: ME, SUB.upper(): "us-east-1:0"}}))
refuse("no-principals", "No name of a principal", policy(statement(documented, Principal={"Federated": []})))


def push(condition, **more):
    return policy({**service, "Condition": condition, **more})


ACCOUNT, LIKE = {"AWS:SourceAccount": "123456789012"}, {"AWS:SourceArn": ARN}
refuse("push-sync-no-condition", "Any pool of any account", policy({name: value for name, value in service.items() if name != "Condition"}))
refuse("push-sync-account-alone", "Any pool of the account", push({"StringEquals": ACCOUNT}))
refuse("push-sync-arn-alone", "Without the account", push({"ArnLike": LIKE}))
refuse("push-sync-account-like", "An account with a star", push({"StringLike": {"AWS:SourceAccount": "*"}, "ArnLike": LIKE}))
refuse("push-sync-account-form", "An account that is none", push({"StringEquals": {"AWS:SourceAccount": "*"}, "ArnLike": LIKE}))
refuse("push-sync-all-values", "ForAllValues holds where there is none", push({"ForAllValues:StringEquals": ACCOUNT, "ArnLike": LIKE}))
refuse("push-sync-any-pool", "Stars in the ARN", push({"StringEquals": ACCOUNT, "ArnLike": {"AWS:SourceArn": "arn:aws:cognito-identity:*:*:identitypool/*"}}))
refuse("push-sync-other-arn", "Another kind of ARN", push({"StringEquals": ACCOUNT, "ArnLike": {"AWS:SourceArn": "arn:aws:sns:us-east-1:123456789012:topic"}}))
refuse("push-sync-one-of-two", "One of two values with stars", push({"StringEquals": ACCOUNT, "ArnLike": {"AWS:SourceArn": [ARN, "arn:aws:cognito-identity:*:*:identitypool/*"]}}))
refuse("push-sync-key", "A key of identities, for a service", push({"StringEquals": {**ACCOUNT, AUD: POOL}, "ArnLike": LIKE}))
refuse("push-sync-and-identities", "Both principals in one statement", push({"StringEquals": {**ACCOUNT, AUD: POOL}, "ArnLike": LIKE},
       Principal={"Service": "cognito-sync.amazonaws.com", "Federated": "cognito-identity.amazonaws.com"}))
refuse("no-condition", "No condition: any pool in the world", policy(statement(None)))
refuse("empty-condition", "An empty one", policy(statement({})))
refuse("amr-alone", "amr says nothing of the pool", policy(statement({"ForAnyValue:StringLike": {AMR: "authenticated"}})))
refuse("aud-like", "StringLike could be anything", policy(statement({"StringLike": {AUD: "*"}})))
refuse("aud-all-values", "ForAllValues holds where there is none", policy(statement({"ForAllValues:StringEquals": {AUD: POOL}})))
refuse("aud-not-equals", "All pools but one", policy(statement({"StringNotEquals": {AUD: POOL}})))
refuse("second-statement", "One of two without it", policy(statement(documented), statement({"StringEquals": {SUB: ME}})))
refuse("if-exists", "IfExists holds where there is none", policy(statement({"StringEqualsIfExists": {AUD: POOL}})))
refuse("operator", "An operator that is not understood", policy(statement({**bound, "IpAddress": {"aws:SourceIp": "10.0.0.0/8"}})))
refuse("quantifier", "A quantifier that is none", policy(statement({**bound, "ForSomeValues:StringLike": {AMR: "x"}})))
refuse("not-principal", "NotPrincipal", policy({**statement(documented, Principal=None), "NotPrincipal": {"Federated": "x"}}))
refuse("not-action", "NotAction", policy({**statement(documented, Action=None), "NotAction": "sts:X"}))
refuse("everybody", "Everybody", policy(statement(documented, Principal="*")))
refuse("everybody-federated", "Everybody who is federated", policy(statement(documented, Principal={"Federated": "*"})))
refuse("version", "The older language, in which variables mean nothing", {**policy(statement(documented)), "Version": "2008-10-17"})
refuse("no-version", "No version", {"Statement": [statement(documented)]})
refuse("variable", "A policy variable", policy(statement({**bound, "StringEquals": {AUD: POOL, SUB: "${aws:userid}"}})))
refuse("effect", "Another effect", policy(statement(documented, Effect="Perhaps")))
refuse("no-action", "No action", policy(statement(documented, Action=None)))
refuse("no-statement", "No statement", policy())
refuse("element", "An element that is not understood", policy(statement(documented), Extra=1))
refuse("statement-element", "The same in a statement", policy(statement(documented, Resource="*")))
refuse("number", "A value that is a number", policy(statement({**bound, "StringEquals": {AUD: 5}})))
refuse("no-values", "No values", policy(statement({"StringEquals": {AUD: []}})))
refuse("array", "No object", [])
refuse("not-json", "No JSON", text="{")
refuse("empty", "Nothing", text="")
refuse("twice", "A name twice", text='{"Version": "2012-10-17", "Version": "2012-10-17", "Statement": []}')
refuse("long", "4,097 bytes", text=" " * 4097)

target = pathlib.Path(__file__).parents[1] / "trust-policies.json"
target.write_text(json.dumps({
    "suite": "trust-policies",
    "source": "made by Vectors/makers/trust_policies.py: the first two after the policies in Amazon Cognito's guide on role trust, "
              "push-sync after the one for push synchronisation; answers by IAM's rules for policy evaluation and its condition operators",
    "cases": cases}, indent=1) + "\n")
