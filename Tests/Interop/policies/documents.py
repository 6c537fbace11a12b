"""Random policies and requests for the comparison of two evaluations: the same seed makes the same documents.

About a third each is allowed, denied by a statement, and denied without one; statements that do not apply usually fail by one
detail. The second evaluation tells whether a condition holds, and never fixes an answer.
"""
import base64
import copy
import random

from policies import evaluation as o

ACCOUNTS = ["123456789012", "111122223333", "999999999999"]
ACTIONS = {"s3": ["GetObject", "PutObject", "DeleteObject", "ListBucket", "GetBucketLocation"],
           "ec2": ["RunInstances", "StartInstances", "StopInstances", "DescribeInstances"],
           "dynamodb": ["GetItem", "PutItem", "Query"], "sqs": ["SendMessage", "ReceiveMessage"],
           "iam": ["CreateAccessKey", "ListAccessKeys", "GetUser"], "sns": ["Publish", "Subscribe"],
           "logs": ["PutLogEvents", "GetLogEvents"], "lambda": ["InvokeFunction", "GetFunction"]}
WORDS = ["bob", "alice", "Bob", "team-a", "team-b", "finance", "Finance", "prod", "dev", "home", "x", "a1", "blue", "o-abc123"]

STRING_KEYS = ["aws:username", "aws:userid", "aws:PrincipalTag/team", "aws:RequestTag/env", "aws:ResourceTag/owner",
               "s3:prefix", "s3:x-amz-acl", "aws:PrincipalOrgID", "aws:UserAgent", "ec2:InstanceType"]
MULTI_KEYS = ["aws:TagKeys", "dynamodb:Attributes", "aws:PrincipalOrgPaths"]
NUMBER_KEYS = ["s3:max-keys", "aws:MultiFactorAuthAge", "ec2:VolumeSize", "rds:StorageSize"]
DATE_KEYS = ["aws:CurrentTime", "aws:EpochTime", "aws:TokenIssueTime"]
BOOL_KEYS = ["aws:SecureTransport", "aws:MultiFactorAuthPresent", "aws:ViaAWSService"]
BINARY_KEYS = ["example:Digest", "example:Token"]
IP_KEYS = ["aws:SourceIp", "aws:VpcSourceIp"]
ARN_KEYS = ["aws:SourceArn", "aws:PrincipalArn", "iam:PolicyARN", "ec2:Vpc"]
MULTI_ARN_KEYS = ["logs:LogGeneratingResourceArns"]
KEYS = {"string": STRING_KEYS + MULTI_KEYS, "number": NUMBER_KEYS, "date": DATE_KEYS, "bool": BOOL_KEYS,
        "binary": BINARY_KEYS, "ip": IP_KEYS, "arn": ARN_KEYS + MULTI_ARN_KEYS}
MULTI = set(MULTI_KEYS + MULTI_ARN_KEYS)


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def chance(self, p):
        return self.r.random() < p

    def pick(self, xs):
        return self.r.choice(xs)

    def weighted(self, pairs):
        return self.r.choices([x for x, _ in pairs], [w for _, w in pairs])[0]

    def listed(self, values):
        """A single value alone or in a list, several always in a list."""
        values = list(values)
        return values[0] if len(values) == 1 and self.chance(0.6) else values

    def case(self, text):
        how = self.r.randrange(4)
        return text.lower() if how == 0 else text.upper() if how == 1 else text.swapcase() if how == 2 else text

    # ---- the request
    def word(self):
        w = self.pick(WORDS)
        return w if self.chance(0.7) else w + self.pick(["-1", "/sub", "2", ".b", " c", "é" if self.chance(0.1) else "_d"])

    def resource(self, service, account):
        region, w = self.pick(["us-east-1", "us-west-2", "eu-central-1"]), self.word().replace(" ", "-")
        name = self.pick(["q", "main", "orders", "logs"]) + self.pick(["", "-1", "-prod"])
        return {"s3": lambda: f"arn:aws:s3:::{name}" + self.pick(["", f"/{w}", f"/{w}/file.txt", f"/home/{w}/a:b"]),
                "ec2": lambda: f"arn:aws:ec2:{region}:{account}:instance/i-{name}",
                "dynamodb": lambda: f"arn:aws:dynamodb:{region}:{account}:table/{w}",
                "sqs": lambda: f"arn:aws:sqs:{region}:{account}:{w}-{name}",
                "iam": lambda: f"arn:aws:iam::{account}:user/{w}",
                "sns": lambda: f"arn:aws:sns:{region}:{account}:{name}",
                "logs": lambda: f"arn:aws:logs:{region}:{account}:log-group:{name}:log-stream:{w}",
                "lambda": lambda: f"arn:aws:lambda:{region}:{account}:function:{name}" + self.pick(["", ":1", ":live"])}[service]()

    def number(self):
        return self.pick(["0", "1", "10", "10.0", "10.5", "100", "-5", "3600", "9", "11", "1.50"])

    def date(self):
        d = self.pick(["2020-01-01", "2024-06-30", "2026-11-29"])
        return self.weighted([(d + "T00:00:00Z", 4), (d + "T12:30:00Z", 3), (d + "T02:00:00+02:00", 2), (d + "T23:59:59.5Z", 1),
                              (d + "T12:30Z", 1), (self.pick(["1577836800", "1577880000", "1719705600", "1719705600.5"]), 3), (d, 1), ("2024", 0.15),
                              ("2024-06", 0.3)])

    def ip(self):
        return self.pick(["203.0.113.1", "203.0.113.200", "198.51.100.7", "10.0.0.5", "2001:db8:1234:5678::1",
                          "2001:DB8:1234:5679::1", "2001:0db8:1234:5678:0:0:0:2", "::1"] + (["::ffff:203.0.113.1"] if self.chance(0.1) else []))

    def binary(self):
        return base64.b64encode(self.pick([b"BinaryValueInBase64", b"abc", b"abd", b"", b"\0\xff\xfe", b"a"])).decode()

    def arn(self):
        return self.pick(["arn:aws:sns:us-east-1:123456789012:topic", "arn:aws:sns:us-west-2:123456789012:topic",
                          "arn:aws:iam::123456789012:role/r", "arn:aws:iam::123456789012:user/div/bob",
                          "arn:aws:iam::111122223333:policy/XCompanyBoundaries", "arn:aws:s3:::main",
                          "arn:aws:ec2:us-east-1:123456789012:vpc/vpc-1", "arn:aws:lambda:us-east-1:123456789012:function:f:live",
                          "arn:aws:someservice:us-east-2:999999999999:store/abc:111122223333:finance/document.txt"])

    def values(self, kind, key):
        one = {"string": self.word, "number": self.number, "date": self.date, "bool": lambda: self.pick(["true", "false"]),
               "binary": self.binary, "ip": self.ip, "arn": self.arn}[kind]
        if key in MULTI:
            return [one() for _ in range(self.weighted([(1, 4), (2, 4), (3, 2)]))]
        out = one()
        if self.chance(0.02):                               # unreadable or odd values
            out = {"number": "ten", "date": "yesterday", "bool": "TRUE", "binary": "not base64", "ip": "nowhere", "arn": "topic", "string": "" }[kind]
        return [out]

    def context(self):
        ctx = {}
        for kind, keys in KEYS.items():
            for key in keys:
                if self.chance(0.45):
                    ctx[key] = self.values(kind, key)
        if self.chance(0.02) and ctx:
            ctx[self.pick(sorted(ctx))] = []
        if self.chance(0.03) and ctx:                       # several values where one is usual
            key = self.pick(sorted(ctx))
            kind = next(k for k, ks in KEYS.items() if key in ks)
            ctx[key] = self.values(kind, key) + self.values(kind, key)
        return {self.case(k) if self.chance(0.15) else k: v for k, v in ctx.items()}

    def principal(self, account):
        kind = self.weighted([("user", 5), ("role", 3), ("session", 4), ("federated", 0.7), ("root", 0.4), ("service", 0.6)])
        if kind == "service":
            return {"Service": self.pick(["sns.amazonaws.com", "ecs.amazonaws.com"])}
        path = self.pick(["", "", "div/"])
        arn = {"user": f"arn:aws:iam::{account}:user/{path}{self.pick(['bob', 'alice', 'Bob'])}",
               "role": f"arn:aws:iam::{account}:role/{path}{self.pick(['r', 'admin'])}",
               "session": f"arn:aws:sts::{account}:assumed-role/{self.pick(['r', 'admin'])}/{self.pick(['s1', 's2'])}",
               "federated": f"arn:aws:sts::{account}:federated-user/bob", "root": f"arn:aws:iam::{account}:root"}[kind]
        return {"AWS": arn}

    def request(self):
        account = self.pick(ACCOUNTS[:2])
        resource_account = account if self.chance(0.8) else self.pick([a for a in ACCOUNTS if a != account])
        service = self.pick(sorted(ACTIONS))
        return {"principal": self.principal(account), "account": account, "resourceAccount": resource_account,
                "action": f"{service}:{self.pick(ACTIONS[service])}",
                "resource": "*" if self.chance(0.03) else self.resource(service, resource_account), "context": self.context()}

    # ---- patterns
    def generalise(self, text, lo=0):
        """Wildcards into text from position lo on, so that it still matches."""
        for _ in range(self.weighted([(0, 2), (1, 5), (2, 2)])):
            if len(text) <= lo:
                return text + "*"
            i = self.r.randrange(lo, len(text))
            how = self.r.randrange(4)
            if how == 0:
                text = text[:i] + "?" + text[i + 1:]
            elif how == 1:
                text = text[:i] + "*"
            elif how == 2:
                j = self.r.randrange(i, len(text)) + 1
                text = text[:i] + "*" + text[j:]
            else:
                text = text[:i] + "*" + text[i:]
        return text

    def spoil(self, text):
        """A small change that usually no longer matches."""
        how = self.r.randrange(5)
        i = self.r.randrange(len(text)) if text else 0
        if how == 0 and text:
            return text[:i] + text[i + 1:]
        if how == 1:
            return text + self.pick(["x", "/", "?", "0"])
        if how == 2:
            return text.swapcase()
        if how == 3 and text:
            return text[:i] + ("y" if text[i] != "y" else "z") + text[i + 1:]
        return self.pick(["", "q"]) + text[::-1]

    def actions(self, req, hit):
        service, name = req["action"].split(":")
        if hit:
            p = "*" if self.chance(0.1) else f"{service}:" + ("*" if self.chance(0.2) else self.generalise(name))
        else:
            p = self.weighted([(f"{service}:{self.generalise(self.pick([a for a in ACTIONS[service] if a != name]))}", 3),
                               (f"{self.pick([s for s in ACTIONS if s != service])}:{name}", 1),
                               (f"{service}:{name[:-1]}", 1), (f"{service}:{name}?", 1), (f"{service}:{name[:3]}", 1)])
        if self.chance(0.3) and p != "*":
            p = self.case(p)
        return p

    def variable_for(self, text, ctx):
        """Puts a ${key} instead of a context value found in text, if there is one."""
        for key in self.r.sample(sorted(ctx), len(ctx)):
            vals = ctx[key]
            if len(vals) == 1 and vals[0] and len(vals[0]) > 1 and vals[0] in text and not set("*?${}'") & set(vals[0]):
                v = "${" + (self.case(key) if self.chance(0.2) else key) + (", 'none'" if self.chance(0.3) else "") + "}"
                return text.replace(vals[0], v, 1)
        return None

    def resources(self, req, hit, version):
        res = req["resource"]
        if res == "*":
            return "*" if hit else "arn:aws:s3:::*"
        head = res.split(":", 5)
        tail = head[5]
        if hit and self.chance(0.12):
            return "*"
        if hit or self.chance(0.5):
            p = None
            if version == "2012-10-17" and self.chance(0.4):
                p = self.variable_for(tail, req["context"])
                if p is None and self.chance(0.5):          # a default that is the text itself
                    w = tail.split("/")[-1]
                    key = self.pick(STRING_KEYS)
                    if w and not set("'{}$") & set(w):
                        p = tail[:len(tail) - len(w)] + "${" + key + f", '{w}'" + "}"
                if p and self.chance(0.3):
                    p += "*"
            if p is None:
                p = self.generalise(tail)
                if version == "2008-10-17" and self.chance(0.1):
                    p = tail + "${aws:username}"
            tail = p
            if not hit:
                head = head[:]
                if self.chance(0.3) and head[3]:
                    head[3] = self.pick(["ap-south-1", head[3][:-1], "us-*-9"])
                elif version == "2012-10-17" and self.chance(0.2):
                    tail = tail + "${" + self.pick(STRING_KEYS) + "}"
                elif self.chance(0.2):
                    tail = tail + "${*}" if version == "2012-10-17" else tail + "z"
                else:
                    return ":".join(head[:5]) + ":" + (self.spoil(head[5]) or "q")
        else:
            tail = self.spoil(tail) or "q"
        if hit and self.chance(0.25):
            head = head[:]
            if head[3]:
                head[3] = self.pick(["*", head[3][:3] + "*", "*" + head[3][-2:], head[3][:-1] + "?"])
            if head[4]:
                head[4] = "*" if self.chance(0.5) else head[4]
        if hit and self.chance(0.02):
            return ":".join(head[:3]) + ":*"
        if ":" in req["resource"].split(":", 5)[5] and head[3] and self.chance(0.06):   # stars over colons
            last = ":".join(req["resource"].split(":")[6:])
            return ":".join(head[:3]) + ":" + self.pick([head[3], head[3][:2] + "*", head[3][:2] + "*2"]) + ":*:" + last
        return ":".join(head[:5]) + ":" + (tail or "*")

    def principals(self, req, hit, only_everyone=False):
        p, account = req["principal"], req["account"]
        other = self.pick([a for a in ACCOUNTS if a != account])
        if "AWS" not in p:
            (kind, ident), = p.items()
            return {kind: self.listed([ident])} if hit else self.pick([{kind: "other.amazonaws.com"}, {"AWS": account}])
        arn = p["AWS"]
        ways = [account, f"arn:aws:iam::{account}:root", arn, arn]
        if ":assumed-role/" in arn:
            role = arn.split("/")[1]
            ways += [f"arn:aws:iam::{account}:role/{role}", f"arn:aws:iam::{account}:role/{self.pick(['', 'path/'])}{role}"]
        ways = [w for w in ways if not w.endswith(":root") or w != arn or True]
        misses = [other, f"arn:aws:iam::{other}:root", arn.replace(account, other), arn + "x" if not arn.endswith(":root") else other,
                  f"arn:aws:iam::{account}:user/carol", f"arn:aws:sts::{account}:assumed-role/r/s9"]
        if hit:
            how = self.r.randrange(10)
            if how == 0:
                return "*"
            if how == 1:
                return {"AWS": self.listed(["*"])}
            ids = [self.pick(ways)] + ([self.pick(misses)] if self.chance(0.3) else [])
        else:
            ids = self.r.sample(misses, self.weighted([(1, 3), (2, 1)]))
        self.r.shuffle(ids)
        out = {"AWS": self.listed(ids)}
        if self.chance(0.15):
            out["Service"] = "ec2.amazonaws.com"
        return out

    def not_principals(self, req, hit):
        """hit: the statement applies, so the principal is not exempt."""
        p, account = req["principal"], req["account"]
        if "AWS" not in p:
            return {"Service": "other.amazonaws.com"} if hit else dict(p)
        arn = p["AWS"]
        exempt = [f"arn:aws:iam::{account}:root"]
        if not arn.endswith(":root"):
            exempt.append(arn)
        if ":assumed-role/" in arn:
            exempt.append(f"arn:aws:iam::{account}:role/" + arn.split("/")[1])
        if hit:
            if self.chance(0.15):
                return {"AWS": self.listed([self.pick(exempt)])}
            return {"AWS": self.listed([f"arn:aws:iam::{account}:user/carol"])} if not arn.endswith(":root") else {"AWS": ["999999999990"]}
        if self.chance(0.1):
            return "*"
        self.r.shuffle(exempt)
        return {"AWS": self.listed(exempt)}

    # ---- conditions
    def operator(self):
        base = self.pick(o.BASE_OPS)
        q = self.weighted([("", 5), ("ForAllValues:", 2), ("ForAnyValue:", 2)])
        if base == "Null":
            return ("" if self.chance(0.97) else q) + base, base
        return q + base + ("IfExists" if self.chance(0.3) else ""), base

    def kind_of(self, base):
        return ("string" if base in o.STRING_OPS else "number" if base in o.NUMERIC_OPS else "date" if base in o.DATE_OPS else
                "arn" if base in o.ARN_OPS else "ip" if base in o.IP_OPS else "bool" if base == "Bool" else
                "binary" if base == "BinaryEquals" else self.pick(sorted(KEYS)))

    def policy_value(self, base, kind, near, ctx, version):
        """One policy value: near is a context value to stay close to, or None."""
        if base == "Null":
            return self.weighted([("true", 4), ("false", 4), (True, 1), (False, 1)])
        text = near if near is not None and self.chance(0.75) else self.values(kind, "")[0]
        if kind == "string":
            if self.chance(0.25):
                text = self.spoil(text)
            if "Like" in base and self.chance(0.7):
                text = self.generalise(text)
            elif self.chance(0.06):
                text = self.generalise(text)                # wildcards where they are plain characters
            if self.chance(0.25):
                text = self.variable_for(text, ctx) or text if version == "2012-10-17" or self.chance(0.3) else text
            if version == "2012-10-17" and self.chance(0.08):
                key = self.pick(STRING_KEYS + ["aws:TagKeys"])
                text = self.pick(["${" + key + "}", "${" + key + f", '{text}'" + "}" if not set("'{}$") & set(text) else text,
                                  text + "${*}", text + "${$}", "${?}" + text])
            return text
        if kind == "arn":
            text = text if text.startswith("arn:") else self.arn()
            parts = text.split(":", 5)
            if self.chance(0.5):
                i = self.pick([3, 4, 5, 5])
                parts[i] = self.generalise(parts[i])
            if self.chance(0.15):
                i = self.pick([1, 2, 3, 4, 5])
                parts[i] = self.spoil(parts[i])
            text = ":".join(parts)
            if self.chance(0.03):
                text = self.pick(["*", "arn:aws:*", "arn:aws:sns:*:topic"])
            if version == "2012-10-17" and self.chance(0.12):
                text = self.pick(["${aws:PrincipalArn}", "${aws:SourceArn, 'arn:aws:sns:us-east-1:123456789012:topic'}",
                                  self.variable_for(text, ctx) or text, "arn:aws:iam::123456789012:user/div/${aws:username}"])
            return text
        if kind == "number":
            text = text if o._number(text) is not None else "10"
            if self.chance(0.3):
                text = self.pick([text + ".0" if "." not in text else text + "0", "+" + text if text[0].isdigit() else text, self.number()])
            if self.chance(0.3) and "." not in text and text[0] in "-123456789":
                return int(text)
            return text
        if kind == "date":
            return text if o._date(text) is not None else "2024-06-30T00:00:00Z"
        if kind == "bool":
            text = text.lower()
            return text if self.chance(0.8) else text == "true"
        if kind == "binary":
            return text if o._base64(text) is not None else "YWJj"
        text = text if o._address(text) is not None else "203.0.113.1"
        if self.chance(0.7):
            text += "/" + str(self.r.choice([64, 48, 128, 127, 0] if ":" in text else [24, 32, 31, 16, 8, 0, 25]))
        return text

    def condition(self, req, version, want):
        """-> (operator, key, value) whose result is `want`, or None."""
        ctx = {k.lower(): v for k, v in req["context"].items()}
        holder = type("R", (), {"context": ctx})
        name, base = self.operator()
        for _ in range(14):
            kind = self.kind_of(base)
            present = [k for k in KEYS[kind] if ctx.get(k.lower())]
            key = self.pick(present) if present and self.chance(0.8) else self.pick(KEYS[kind])
            vals = ctx.get(key.lower()) or []
            multi = len(vals) > 1
            if multi and ":" not in name and base != "Null" and not self.chance(0.05):
                continue                                    # several values want a set operator
            n = self.weighted([(1, 5), (2, 3), (3, 2)]) if base != "Null" else 1
            policy = [self.policy_value(base, kind, self.pick(vals) if vals else None, req["context"], version) for _ in range(n)]
            shown = self.case(key) if self.chance(0.2) else key
            value = policy[0] if n == 1 and self.chance(0.6) else policy
            try:
                c = o._Condition(name, shown, value, version, set())
            except o.Invalid:
                continue
            if o._condition(c, holder, set()) == want:
                return name, shown, value
        return None

    def condition_block(self, req, version, hold):
        """A Condition block that holds, or fails by exactly one condition."""
        n = self.weighted([(1, 5), (2, 3), (3, 1)])
        bad = -1 if hold else self.r.randrange(n)
        block = {}
        for i in range(n):
            for _ in range(6):
                made = self.condition(req, version, i != bad)
                if made and made[1].lower() not in {k.lower() for k in block.get(made[0], {})}:
                    block.setdefault(made[0], {})[made[1]] = made[2]
                    break
            else:
                if i == bad:
                    return None
        return block

    # ---- statements and policies
    def statement(self, req, kind, effect, hit, version):
        """hit: applies.  Otherwise exactly one of its elements fails."""
        faults = ["action", "resource", "condition", "condition", "condition"] + (["principal", "principal"] if kind == "resource" else [])
        fault = None if hit else self.pick(faults)
        st = {}
        if self.chance(0.3):
            st["Sid"] = "S" + str(self.r.randrange(10 ** 9))
        st["Effect"] = effect
        if kind == "resource":
            if effect == "Deny" and self.chance(0.25):
                st["NotPrincipal"] = self.not_principals(req, fault != "principal")
            else:
                st["Principal"] = self.principals(req, fault != "principal")
        want = fault != "action"
        if self.chance(0.2):
            st["NotAction"] = self.listed([self.actions(req, not want)] + ([self.actions(req, False)] if self.chance(0.3) else []))
        else:
            st["Action"] = self.listed([self.actions(req, want)] + [self.actions(req, False) for _ in range(self.weighted([(0, 3), (1, 2)]))])
        want = fault != "resource"
        if kind == "resource" and self.chance(0.01):
            pass
        elif self.chance(0.2) and req["resource"] != "*":
            st["NotResource"] = self.listed([self.resources(req, not want, version)] + ([self.resources(req, False, version)] if self.chance(0.3) else []))
        else:
            st["Resource"] = self.listed([self.resources(req, want, version)] + [
                self.resources(req, False, version) for _ in range(self.weighted([(0, 3), (1, 2)]))])
        if fault == "condition" or self.chance(0.55):
            block = self.condition_block(req, version, fault != "condition")
            if block is None:
                block = self.condition_block(req, version, fault != "condition")
            if block:
                st["Condition"] = block
        items = list(st.items())
        self.r.shuffle(items)
        return dict(items)

    def policy(self, req, kind, plan):
        """plan: [(effect, hit)]"""
        version = self.weighted([("2012-10-17", 8), ("2008-10-17", 1), (None, 1)])
        out = {}
        if version:
            out["Version"] = version
        if kind == "resource" and self.chance(0.15):
            out["Id"] = "policy one"
        sts = [self.statement(req, kind, e, h, version or "2008-10-17") for e, h in plan]
        self.r.shuffle(sts)
        out["Statement"] = sts[0] if len(sts) == 1 and self.chance(0.5) else sts
        return out

    def document(self):
        req = self.request()
        cross = req["account"] != req["resourceAccount"]
        target = self.weighted([("allow", 37), ("implicit", 30), ("explicit", 33)])
        aws = "AWS" in req["principal"]
        has = {"identity": aws or self.chance(0.1), "resource": cross or not aws or self.chance(0.45),
               "boundary": self.chance(0.2), "session": self.chance(0.2) if aws and ":sts::" in req["principal"]["AWS"] else self.chance(0.03)}
        if aws and ":federated-user/" in req["principal"]["AWS"]:
            has["session"] = self.chance(0.8)
        kinds = [k for k in o.POLICY_KINDS if has[k]]
        good = {k: target != "implicit" for k in kinds}
        if target != "implicit" and not cross and has["identity"] and has["resource"] and self.chance(0.5):
            good[self.pick(["identity", "resource"])] = False   # one of the two is enough
        if target == "implicit" and len(kinds) > 1 and self.chance(0.5):
            for k in kinds:
                good[k] = True
            good[self.pick([k for k in kinds if k != "resource" or cross or not has["identity"]] or kinds)] = False
            if not cross and not good.get("identity", True):
                good["resource"] = False
        if target == "explicit" and self.chance(0.3):
            good = {k: False for k in kinds}
        deny_in = self.pick(kinds) if target == "explicit" else None
        policies = {}
        for k in kinds:
            plans = [[("Allow", good[k])]]
            if self.chance(0.3):
                plans[0].append(("Allow", False))
            for _ in range(self.weighted([(0, 5), (1, 4), (2, 1)])):
                plans[0].append(("Deny", False))
            if k == deny_in:
                plans[0].append(("Deny", True))
            if k != "boundary" and len(plans[0]) > 1 and self.chance(0.3):
                plans = [plans[0][:1], plans[0][1:]]
            policies[k] = [self.policy(req, k, p) for p in plans]
        return {"policies": policies, "request": req}

    # ---- refused documents
    def spoil_document(self, doc):
        doc = copy.deepcopy(doc)
        found = [(k, p) for k, ps in doc["policies"].items() for p in ps]
        kind, pol = self.pick(found)
        sts = pol["Statement"] if isinstance(pol["Statement"], list) else [pol["Statement"]]
        st = self.pick(sts)

        def cond(op, key, value):
            st["Condition"] = {op: {key: value}}

        def drop(*names):
            for n in names:
                st.pop(n, None)
        v12 = pol.get("Version") == "2012-10-17"
        moves = [
            lambda: pol.update(Version=self.pick(["2012-10-18", "2020-01-01", "latest", 2012])),
            lambda: pol.pop("Statement"), lambda: pol.update(Statement=[]), lambda: pol.update(Statement="Allow"),
            lambda: pol.update(Statements=[]), lambda: pol.update(Id="x") if kind != "resource" else pol.update(Id=5),
            lambda: st.pop("Effect"), lambda: st.update(Effect=self.pick(["allow", "DENY", "Permit", True, ["Allow"]])),
            lambda: drop("Action", "NotAction"), lambda: st.update(Action="s3:*", NotAction="ec2:*"),
            lambda: (drop("NotAction"), st.update(Action=self.pick(["s3GetObject", "s3:", ":Get", "s3:Get Object", "s3:${aws:username}", 5, ["s3:*", None],
                                                               {"s3": "*"}]))),
            lambda: (drop("Resource", "NotResource") if kind != "resource" else st.update(Resource="*", NotResource="arn:aws:s3:::b")),
            lambda: (drop("NotResource"), st.update(Resource=self.pick(["bucket", "arn:aws:s3", "arn:aws:s3:::", "arn:mars:s3:::b", "arn:aws:*:::b",
                                                                   "arn:aws:sqs:us-east-1:12345:q", "aws:arn:s3:::b", 7, [["*"]]]))),
            lambda: (st.update(Principal={"AWS": "*"}) if kind != "resource" else drop("Principal", "NotPrincipal")),
            lambda: (drop("Principal"), st.update(NotPrincipal={"AWS": "123456789012"}, Effect="Allow")),
            lambda: (drop("NotPrincipal"), st.update(Principal=self.pick([
                {"AWS": "arn:aws:iam::123456789012:user/*"}, {"AWS": "arn:aws:iam::123456789012:group/g"}, {"Aws": "*"}, {"Service": "*"}, {"AWS": "bob"},
                "123456789012", ["*"], {"AWS": "1234"}, {"AWS": "arn:aws:sts::123456789012:assumed-role/r/*"}]))),
            lambda: st.update(Conditions={}), lambda: st.update(Condition=[]), lambda: st.update(Condition={"StringEquals": "x"}),
            lambda: cond(self.pick(["StringEqual", "stringEquals", "NumericLess", "NullIfExists", "ForAllValue:StringLike",
                                    "ForAnyValues:Bool", "StringEqualsIfExist", "BinaryNotEquals", "IfExists", "DateEquals:IfExists"]), "aws:username", "true"),
            lambda: cond("StringEquals", self.pick(["username", "", "aws:", ":x"]), "a"),
            lambda: cond("NumericEquals", "s3:max-keys", self.pick(["ten", "", "1,5", "0x10"])),
            lambda: cond("DateLessThan", "aws:CurrentTime", self.pick(["tomorrow", "2020-13-01", "2020-01-01T00:00:00", "2020-1-1", ""])),
            lambda: cond("Bool", "aws:SecureTransport", self.pick(["yes", "1", 1, ""])),
            lambda: cond("Null", "aws:username", self.pick(["maybe", "", 0])),
            lambda: cond("IpAddress", "aws:SourceIp", self.pick(["203.0.113.0/33", "203.0.113", "203.0.113.*", "::/129", "host"])),
            lambda: cond("BinaryEquals", "example:Digest", self.pick(["abc", "a===", "*bc="])),
            lambda: cond("StringEquals", "aws:username", self.pick([None, {"a": 1}, [["x"]]])),
            lambda: st.update(Condition={"StringEquals": {"aws:username": "a", "AWS:UserName": "b"}}),
            lambda: st.update(Sid="not alphanumeric!") if kind != "resource" else st.update(Sid=9),
            lambda: (pol.update(Statement=[dict(st, Sid="Same"), dict(st, Sid="Same")])),
        ]
        if v12:
            moves += [lambda: cond("StringEquals", "aws:username", self.pick(["${aws:username", "${}", "${aws:username 'x'}", "${aws:username, x}",
                                                                             "${aws:user name}", "${aws:username, 'x}"]))] * 3
            moves += [lambda: cond(*self.pick([("NumericEquals", "s3:max-keys", "${s3:max-keys}"), ("IpAddress", "aws:SourceIp", "${aws:SourceIp}"),
                                               ("Null", "aws:username", "${aws:x}")]))]
            moves += [lambda: (drop("NotResource"), st.update(Resource="arn:aws:s3:::b/${aws:username"))]
        self.pick(moves)()
        return doc


def is_refused(doc):
    try:
        o.evaluate(doc)
        return False
    except o.Invalid:
        return True


def documents(seed, count, invalid=False, documented=False):
    g = Gen(seed)
    made = 0
    while made < count:
        doc = g.document()
        if invalid and g.chance(0.3):
            doc = g.spoil_document(doc)
            if not is_refused(doc):
                continue
        else:
            notes = set()
            try:
                o.evaluate(doc, notes)
            except o.Invalid:
                continue                                    # a clash of random parts
            if documented and any(n[0] == "S" for n in notes):
                continue
        made += 1
        yield doc
