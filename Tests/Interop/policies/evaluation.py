"""A second evaluation of access policies, from the documents of AWS alone, to compare with ours.

README.md has its sources, and the decisions where they are silent or say two things. Their ids (D..: documented and easily
missed, S..: decided here) are in the comments.

    evaluate(document)                  "allow", "explicitDeny" or "implicitDeny"; raises Invalid
    evaluate(document, notes=found)     the same, and adds the ids of the decisions that the evaluation met: where another reading
                                        has another answer
    evaluate(document, readings=names)  the same with other readings, which READINGS names
"""
import base64
import binascii
import datetime
import ipaddress
import re
from decimal import Decimal


class Invalid(Exception):
    """The policy or the request is one that IAM, or this form of a question, refuses."""


# Other readings of what the documents leave open: those of our evaluation.
READINGS = {
    "emptyVariable": "a variable whose value is an empty text has none, and its default stands in",
    "severalWithDefault": "a variable whose key has several values has none, and its default does not stand in",
    "shortPattern": "an ARN pattern of fewer than six parts matches nothing",
    "severalValues": "several values without a set operator: an Allow does not apply, a Deny does where one value fits",
    "mappedAddress": "an IPv4-mapped IPv6 address is its IPv4 address, and so is a range of them",
    "notPrincipalBoundary": "a Deny with NotPrincipal denies each AWS principal that has a boundary, whatever it names",
}


class Context(dict):
    """The condition keys of a request in lower case, and the readings."""
    readings = frozenset()


ALLOW, EXPLICIT_DENY, IMPLICIT_DENY = "allow", "explicitDeny", "implicitDeny"
POLICY_KINDS = ("identity", "resource", "boundary", "session")

STRING_OPS = ("StringEquals", "StringNotEquals", "StringEqualsIgnoreCase",
              "StringNotEqualsIgnoreCase", "StringLike", "StringNotLike")
NUMERIC_OPS = ("NumericEquals", "NumericNotEquals", "NumericLessThan", "NumericLessThanEquals",
               "NumericGreaterThan", "NumericGreaterThanEquals")
DATE_OPS = ("DateEquals", "DateNotEquals", "DateLessThan", "DateLessThanEquals",
            "DateGreaterThan", "DateGreaterThanEquals")
ARN_OPS = ("ArnEquals", "ArnNotEquals", "ArnLike", "ArnNotLike")
IP_OPS = ("IpAddress", "NotIpAddress")
BASE_OPS = STRING_OPS + NUMERIC_OPS + DATE_OPS + ARN_OPS + IP_OPS + ("Bool", "BinaryEquals", "Null")
NEGATED = {"StringNotEquals": "StringEquals", "StringNotEqualsIgnoreCase": "StringEqualsIgnoreCase",
           "StringNotLike": "StringLike", "NumericNotEquals": "NumericEquals",
           "DateNotEquals": "DateEquals", "ArnNotEquals": "ArnEquals", "ArnNotLike": "ArnLike",
           "NotIpAddress": "IpAddress"}
VARIABLE_OPS = STRING_OPS + ARN_OPS + ("Bool",)          # [S10] for Bool


def _is_str(x):
    return isinstance(x, str)


# --------------------------------------------------------------------------- wildcards

STAR, QMARK = object(), object()              # match any characters / any one character
STAR_SEG, QMARK_SEG = object(), object()      # the same, but never a colon


def _wild(text):
    """Literal text with wildcards -> tokens."""
    return [STAR if c == "*" else QMARK if c == "?" else c for c in text]


def _glob(tokens, text):
    """Does the whole text match the tokens?  Reachable-position sets, so never exponential."""
    here = {0}
    n = len(text)
    for t in tokens:
        if not here:
            return False
        if t is STAR:
            here = set(range(min(here), n + 1))
        elif t is STAR_SEG:
            more = set()
            for p in here:
                while True:
                    if p in more:
                        break
                    more.add(p)
                    if p < n and text[p] != ":":
                        p += 1
                    else:
                        break
            here = more
        elif t is QMARK:
            here = {p + 1 for p in here if p < n}
        elif t is QMARK_SEG:
            here = {p + 1 for p in here if p < n and text[p] != ":"}
        else:
            here = {p + 1 for p in here if p < n and text[p] == t}
    return n in here


# --------------------------------------------------------------------------- variables

_VARIABLE = re.compile(r"\A([^\s{}$,'*?]+)(, '([^'{}]*)')?\Z", re.S)


def _parse_text(text, version, where):
    """Text of a Resource or condition value -> parts: ("text", s) | ("char", c) | ("var", key, default).

    Variables exist in version 2012-10-17 only; in older documents they are literal text [D3]."""
    if version != "2012-10-17" or "${" not in text:
        return [("text", text)] if text else []
    parts, at = [], 0
    while True:
        start = text.find("${", at)
        if start < 0:
            if at < len(text):
                parts.append(("text", text[at:]))
            return parts
        if start > at:
            parts.append(("text", text[at:start]))
        end = text.find("}", start)
        if end < 0:
            raise Invalid(f"{where}: the policy variable lacks its closing brace")
        inner = text[start + 2:end]
        if inner == "":
            raise Invalid(f"{where}: empty policy variable")
        if inner in ("*", "?", "$"):
            parts.append(("char", inner))
        else:
            m = _VARIABLE.match(inner)
            if not m:
                raise Invalid(f"{where}: policy variable ${{{inner}}} is not of the form key or key, 'default'")
            parts.append(("var", m.group(1), m.group(3) if m.group(2) else None))
        at = end + 1


def _substitute(parts, ctx, wild, notes):
    """Parts -> tokens, or None when a variable has no value.  `wild`: * and ? of the policy's own
    text are wildcards; those from variables never are [S8]."""
    out = []
    for part in parts:
        if part[0] == "text":
            out.extend(_wild(part[1]) if wild else part[1])
        elif part[0] == "char":
            out.append(part[1])
        else:
            _, key, default = part
            values = ctx.get(key.lower(), [])
            readings = getattr(ctx, "readings", ())
            if values == [""] and "emptyVariable" in readings:
                values = []
            if len(values) > 1 and "severalWithDefault" in readings:
                default = None
            if len(values) == 1:
                value = values[0]
                if value == "":
                    notes.add("S7")                       # an empty value is a value
            elif default is not None:
                value = default
                if values:
                    notes.add("S9")                       # several values: the default stands in
            else:
                if values:
                    notes.add("D5")                       # several values: no variable
                return None
            if wild and ("*" in value or "?" in value):
                notes.add("S8")
            out.extend(value)
    return out


# --------------------------------------------------------------------------- validation

_ACCOUNT = re.compile(r"\A\d{12}\Z")
_PARTITIONS = ("aws", "aws-cn", "aws-us-gov", "aws-iso", "aws-iso-b", "aws-iso-e", "aws-iso-f", "aws-eusc")
_ACTION = re.compile(r"\A[A-Za-z0-9-]+:[A-Za-z0-9_\-./*?]+\Z")
_REQUEST_ACTION = re.compile(r"\A[A-Za-z0-9-]+:[A-Za-z0-9_\-./]+\Z")
_SID = re.compile(r"\A[A-Za-z0-9]*\Z")
_PRINCIPAL_ARN = re.compile(
    r"\Aarn:[a-z0-9-]+:(?:iam::(\d{12}):(root|user/.+|role/.+)"
    r"|sts::(\d{12}):(assumed-role/[^/]+/[^/]+|federated-user/[^/]+))\Z", re.S)
_UNIQUE_ID = re.compile(r"\A(?:AIDA|AROA|AGPA|ANPA)[A-Z0-9]{4,}\Z")
_CONDITION_KEY = re.compile(r"\A[^\s:/${}]+:[^${}]+\Z", re.S)


def _strings(value, where, notes):
    items = value if isinstance(value, list) else [value]
    for item in items:
        if not _is_str(item):
            raise Invalid(f"{where}: expects a string or a list of strings")
    if isinstance(value, list) and not value:
        notes.add("S15")                                   # empty lists are accepted
    return items


def _resource_tokens(text, version, notes):
    """Checks a Resource string and returns its parts.  Tokens are made at evaluation."""
    parts = _parse_text(text, version, "Resource")
    if text == "*":
        return parts
    # A colon inside ${...} is no separator, so the variables are set aside first.
    flat = "".join(p[1] if p[0] == "text" else "\0" for p in parts)
    fields = flat.split(":", 5)
    head, short = fields[:5], len(fields) < 6
    if fields[0] != "arn":
        raise Invalid(f"Resource {text!r} must be in ARN format or \"*\"")
    if any("\0" in f for f in head):
        raise Invalid(f"Resource {text!r}: variables are for the part after the fifth colon")   # [S12]
    if short:
        if len(fields) < 4 or not flat.endswith("*"):
            raise Invalid(f"Resource {text!r} must hold six fields, arn:partition:service:region:account:resource")
        notes.add("S3")                                    # arn:aws:s3:*
    if fields[1] not in _PARTITIONS and "*" not in fields[1] and "?" not in fields[1]:
        raise Invalid(f"Resource {text!r}: unknown partition")
    if not re.fullmatch(r"[A-Za-z0-9-]+", fields[2]):
        raise Invalid(f"Resource {text!r}: the service segment takes no wildcard and can't be empty")
    if not short and len(fields[4]) and not re.fullmatch(r"\d{12}|aws|cloudfront|[\d*?]*[*?][\d*?]*", fields[4]):
        raise Invalid(f"Resource {text!r}: the account must be 12 digits")
    if not short and fields[5] == "":
        raise Invalid(f"Resource {text!r}: empty resource part")
    return parts


def _check_principal(value, where, notes):
    """-> "*" or a list of (type, id)."""
    if value == "*" and _is_str(value):
        return "*"
    if not isinstance(value, dict):
        raise Invalid(f"{where} must be \"*\" or a map")
    out = []
    if not value:
        notes.add("S15")
    for kind, ids in value.items():
        if kind not in ("AWS", "Federated", "Service", "CanonicalUser"):
            raise Invalid(f"{where}: {kind!r} is no principal type")
        for ident in _strings(ids, f"{where}.{kind}", notes):
            if kind == "AWS":
                if not (ident == "*" or _ACCOUNT.match(ident) or _UNIQUE_ID.match(ident)):
                    m = _PRINCIPAL_ARN.match(ident)
                    if not m or "*" in ident or "?" in ident or "${" in ident:
                        raise Invalid(f"{where}: {ident!r} is no AWS principal (wildcards in part of one, groups and variables aren't allowed)")
            elif ident == "" or "*" in ident or "?" in ident or "${" in ident:
                raise Invalid(f"{where}: {ident!r} is no {kind} principal")
            out.append((kind, ident))
    return out


def _parse_operator(name):
    rest, qualifier = name, None
    for q in ("ForAllValues", "ForAnyValue"):
        if rest.startswith(q + ":"):
            qualifier, rest = q, rest[len(q) + 1:]
            break
    if_exists = rest.endswith("IfExists")
    base = rest[:-len("IfExists")] if if_exists else rest
    if base not in BASE_OPS:
        raise Invalid(f"condition operator {name!r} is not valid")       # names are case-sensitive [S17]
    if base == "Null" and if_exists:
        raise Invalid("the Null operator takes no IfExists")
    return qualifier, base, if_exists


def _value_text(v, where):
    if v is True or v is False:
        return "true" if v else "false"
    if isinstance(v, (int, str)):
        return str(v)
    if isinstance(v, float):
        if v != v or v in (float("inf"), float("-inf")):
            raise Invalid(f"{where}: not a JSON number")
        return repr(v)
    raise Invalid(f"{where}: a condition value is a string, a number or a Boolean")


_NUMBER = re.compile(r"\A[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,6})?\Z", re.A)


def _number(text):
    return Decimal(text) if _NUMBER.match(text) else None


_ISO = re.compile(r"\A(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d))?)?)?\Z", re.A)
_EPOCH = re.compile(r"\A-?\d+(?:\.\d+)?\Z", re.A)


def _date(text):
    """Seconds since 1970 as Decimal, or None.  W3C NOTE-datetime forms or epoch seconds; four
    digits alone are a year [S20]."""
    m = _ISO.match(text)
    if m:
        y, mo, d, h, mi, s, frac, tz = m.groups()
        try:
            at = datetime.datetime(int(y), int(mo or 1), int(d or 1), int(h or 0), int(mi or 0), int(s or 0))
        except ValueError:
            return None
        delta = at - datetime.datetime(1970, 1, 1)
        secs = Decimal(delta.days * 86400 + delta.seconds)
        if frac:
            secs += Decimal("0." + frac)
        if tz and tz != "Z":
            oh, om = int(tz[1:3]), int(tz[4:6])
            if oh > 23 or om > 59:
                return None
            off = oh * 3600 + om * 60
            secs -= off if tz[0] == "+" else -off
        return secs
    return Decimal(text) if _EPOCH.match(text) else None


def _address(text):
    if "/" in text or "%" in text:
        return None
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _network(text):
    m = re.fullmatch(r"([0-9A-Fa-f:.]+)(?:/(\d{1,3}))?", text, re.A)
    if not m:
        return None
    try:
        addr = ipaddress.ip_address(m.group(1))
        length = addr.max_prefixlen if m.group(2) is None else int(m.group(2))
        if length > addr.max_prefixlen:
            return None
        return ipaddress.ip_network((addr, length), strict=False)   # bits after the mask are ignored [D9]
    except ValueError:
        return None


def _unmapped(address):
    return (address.ipv4_mapped or address) if address.version == 6 else address


def _unmapped_network(net):
    first = net.network_address
    if net.version == 6 and net.prefixlen >= 96 and first.ipv4_mapped is not None:
        return ipaddress.ip_network((first.ipv4_mapped, net.prefixlen - 96), strict=False)
    return net


def _base64(text):
    if len(text) % 4 or not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text, re.A):
        return None
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _bool(text):
    low = text.lower()
    return low if low in ("true", "false") and text.isascii() else None


class _Condition:
    __slots__ = ("name", "qualifier", "base", "if_exists", "key", "values", "parts")

    def __init__(self, name, key, raw, version, notes):
        self.name, self.key = name, key
        self.qualifier, self.base, self.if_exists = _parse_operator(name)
        if not _is_str(key) or not _CONDITION_KEY.match(key):
            raise Invalid(f"condition key {key!r} is not of the form service:keyname")
        items = raw if isinstance(raw, list) else [raw]
        if not items:
            notes.add("S14")
        where = f"{name} {key}"
        self.values = [_value_text(v, where) for v in items]
        self.parts = []
        for text in self.values:
            if self.base in VARIABLE_OPS:
                parts = _parse_text(text, version, where)
            else:
                if version == "2012-10-17" and "${" in text:
                    raise Invalid(f"{where}: variables can only be used with String and Arn operators")
                parts = [("text", text)]
            self.parts.append(parts)
            if self.base in NUMERIC_OPS and _number(text) is None:
                raise Invalid(f"{where}: {text!r} is not a number")
            if self.base in DATE_OPS and _date(text) is None:
                raise Invalid(f"{where}: {text!r} is not a date")
            if self.base in IP_OPS and _network(text) is None:
                raise Invalid(f"{where}: {text!r} is neither an address nor a range")
            if self.base == "BinaryEquals" and _base64(text) is None:
                raise Invalid(f"{where}: {text!r} is not base64")
            if self.base == "Null" and _bool(text) is None:
                raise Invalid(f"{where}: {text!r} is neither true nor false")
            if self.base == "Bool":
                if any(p[0] != "text" for p in parts):
                    notes.add("S10")
                elif _bool(text) is None:
                    raise Invalid(f"{where}: {text!r} is neither true nor false")


class _Statement:
    def __init__(self, raw, version, kind, notes):
        if not isinstance(raw, dict):
            raise Invalid("a statement must be an object")
        for k in raw:
            if k not in ("Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction",
                         "Resource", "NotResource", "Condition"):
                raise Invalid(f"{k!r} is no element of a statement")
        self.version = version
        sid = raw.get("Sid", "")
        if not _is_str(sid):
            raise Invalid("Sid must be a string")
        if kind != "resource" and not _SID.match(sid):
            raise Invalid(f"Sid {sid!r}: only A-Z, a-z and 0-9")
        self.sid = sid
        self.effect = raw.get("Effect")
        if self.effect not in ("Allow", "Deny") or not _is_str(self.effect):
            raise Invalid("Effect must be Allow or Deny")
        for a in ("Principal", "Action", "Resource"):
            if a in raw and "Not" + a in raw:
                raise Invalid(f"{a} and Not{a} exclude each other")
        # Principal
        has = "Principal" in raw or "NotPrincipal" in raw
        if kind == "resource" and not has:
            raise Invalid("a resource-based policy needs Principal or NotPrincipal")
        if kind != "resource" and has:
            raise Invalid("only resource-based policies take Principal or NotPrincipal")
        self.not_principal = "NotPrincipal" in raw
        self.principals = None
        if has:
            name = "NotPrincipal" if self.not_principal else "Principal"
            self.principals = _check_principal(raw[name], name, notes)
            if self.not_principal and self.effect == "Allow":
                raise Invalid("NotPrincipal with Allow is not supported")              # [D7]
        # Action
        if not ("Action" in raw or "NotAction" in raw):
            raise Invalid("a statement needs Action or NotAction")
        self.not_action = "NotAction" in raw
        self.actions = _strings(raw["NotAction" if self.not_action else "Action"], "Action", notes)
        for a in self.actions:
            if a != "*" and not _ACTION.match(a):
                raise Invalid(f"action {a!r} is not of the form service:name")          # [S13]
        # Resource
        self.not_resource = "NotResource" in raw
        self.resources = None
        if "Resource" in raw or self.not_resource:
            texts = _strings(raw["NotResource" if self.not_resource else "Resource"], "Resource", notes)
            self.resources = [_resource_tokens(t, version, notes) for t in texts]
        elif kind != "resource":
            raise Invalid("a statement needs Resource or NotResource")
        else:
            notes.add("S16")
        # Condition
        self.conditions = []
        block = raw.get("Condition", {})
        if not isinstance(block, dict):
            raise Invalid("Condition must be an object")
        for name, keys in block.items():
            _parse_operator(name)
            if not isinstance(keys, dict):
                raise Invalid(f"{name} must hold an object of keys")
            seen = set()
            for key, value in keys.items():
                c = _Condition(name, key, value, version, notes)
                if key.lower() in seen:
                    raise Invalid(f"{name}: key {key!r} appears twice, differing in case")
                seen.add(key.lower())
                self.conditions.append(c)


def _check_policy(raw, kind, notes):
    if not isinstance(raw, dict):
        raise Invalid("a policy must be an object")
    for k in raw:
        if k not in ("Version", "Id", "Statement"):
            raise Invalid(f"{k!r} is no element of a policy")
    version = raw.get("Version", "2008-10-17")
    if not _is_str(version) or version not in ("2008-10-17", "2012-10-17"):
        raise Invalid(f"Version {version!r} is not valid")
    if "Id" in raw:
        if kind != "resource":
            raise Invalid("Id must not be in an identity-based policy")
        if not _is_str(raw["Id"]):
            raise Invalid("Id must be a string")
    if "Statement" not in raw:
        raise Invalid("a policy needs a Statement")
    items = raw["Statement"]
    if isinstance(items, dict):
        items = [items]
    if not isinstance(items, list) or not items:
        raise Invalid("Statement must be a statement or a list of at least one")
    statements = [_Statement(s, version, kind, notes) for s in items]
    sids = [s.sid for s in statements if s.sid]
    if len(set(sids)) != len(sids):
        raise Invalid("statement ids must be unique")
    return statements


# --------------------------------------------------------------------------- the request

class _Principal:
    """kind: user | role | session | federated | root | service | webfederated | canonical | anonymous"""

    def __init__(self, raw):
        self.arn = self.account = self.role_name = None
        if raw == "*":
            self.kind, self.id = "anonymous", "*"
            return
        if not isinstance(raw, dict) or len(raw) != 1:
            raise Invalid("request.principal must be {type: id}")
        (kind, ident), = raw.items()
        if not _is_str(ident) or not ident:
            raise Invalid("request.principal: the id must be a string")
        self.id = ident
        if kind == "AWS":
            if ident == "*":
                self.kind = "anonymous"
                return
            m = _PRINCIPAL_ARN.match(ident)
            if not m or "*" in ident or "?" in ident:
                raise Invalid(f"request.principal: {ident!r} is no principal ARN")
            self.arn, self.account = ident, m.group(1) or m.group(3)
            self.partition = ident.split(":")[1]
            part = m.group(2) or m.group(4)
            self.kind = {"root": "root", "user": "user", "role": "role", "assumed-role": "session",
                         "federated-user": "federated"}[part.split("/")[0]]
            if self.kind == "session":
                self.role_name = part.split("/")[1]
            elif self.kind == "role":
                self.role_name = part.split("/")[-1]
        elif kind == "Service":
            self.kind = "service"
        elif kind == "Federated":
            self.kind = "webfederated"
        elif kind == "CanonicalUser":
            self.kind = "canonical"
        else:
            raise Invalid(f"request.principal: {kind!r} is no principal type")


class _Request:
    def __init__(self, raw):
        if not isinstance(raw, dict):
            raise Invalid("request must be an object")
        for k in raw:
            if k not in ("principal", "account", "resourceAccount", "action", "resource", "context"):
                raise Invalid(f"request: unknown member {k!r}")
        if "principal" not in raw:
            raise Invalid("request lacks a principal")
        self.principal = _Principal(raw["principal"])
        self.account = raw.get("account", self.principal.account)
        self.resource_account = raw.get("resourceAccount", self.account)
        for name, v in (("account", self.account), ("resourceAccount", self.resource_account)):
            if v is not None and not (_is_str(v) and _ACCOUNT.match(v)):
                raise Invalid(f"request.{name} must be 12 digits")
        if self.principal.account and self.principal.account != self.account:
            raise Invalid("request.account is not the principal's account")
        self.action, self.resource = raw.get("action"), raw.get("resource")
        if not _is_str(self.action) or not _REQUEST_ACTION.match(self.action):
            raise Invalid("request.action must be service:name")
        if not _is_str(self.resource) or not self.resource:
            raise Invalid("request.resource must be a string")
        self.context = Context()
        ctx = raw.get("context", {})
        if not isinstance(ctx, dict):
            raise Invalid("request.context must be an object")
        for key, values in ctx.items():
            if not isinstance(values, list) or not all(_is_str(v) for v in values):
                raise Invalid(f"request.context {key!r} must be a list of strings")
            if key.lower() in self.context:
                raise Invalid(f"request.context: {key!r} appears twice, differing in case")
            self.context[key.lower()] = values


# --------------------------------------------------------------------------- matching

def _action_matches(st, req):
    if not st.actions:
        return False                                        # [S15]
    action = req.action.lower()
    hit = any(_glob(_wild(a.lower()), action) for a in st.actions)
    return hit != st.not_action


def _resource_one(parts, version, req, notes):
    tokens = _substitute(parts, req.context, True, notes)
    if tokens is None:
        return False                                        # matches no resource [D6]
    plain = _glob(tokens, req.resource)
    # [S1] the first five segments: a * that ends its segment may run past the colon, others stay inside
    shaped, colons = [], 0
    for i, t in enumerate(tokens):
        if colons < 5:
            if t == ":":
                colons += 1
            elif t is QMARK:
                t = QMARK_SEG
            elif t is STAR and i + 1 < len(tokens) and tokens[i + 1] != ":":
                t = STAR_SEG
        shaped.append(t)
    result = _glob(shaped, req.resource)
    if result != plain:
        notes.add("S1")
    else:
        # [S2] the reading that * never leaves its segment (six parts compared one by one)
        strict = _arn_like(tokens, req.resource, set()) if tokens != [STAR] else True
        if strict != result:
            notes.add("S2")
    return result


def _resource_matches(st, req, notes):
    if st.resources is None:
        return True                                         # [S16]
    if not st.resources:
        return False                                        # [S15]
    hit = False
    for parts in st.resources:
        if _resource_one(parts, st.version, req, notes):
            hit = True
            break
    if st.not_resource and not hit and any(_substitute(p, req.context, True, set()) is None for p in st.resources):
        notes.add("S11")
    return hit != st.not_resource


# How a resource-based Allow reaches the principal: decides what may limit it.
DIRECT, VIA_ROLE, VIA_ACCOUNT, EVERYONE = "direct", "role", "account", "everyone"


def _principal_one(kind, ident, pr, notes):
    """How one (type, id) of a Principal element matches the principal, or None."""
    if kind == "AWS":
        if ident == "*":
            if pr.kind in ("service", "webfederated", "canonical"):
                notes.add("S24")
            return EVERYONE
        if pr.account is None:
            return None
        if _ACCOUNT.match(ident):
            return VIA_ACCOUNT if ident == pr.account else None
        if ident == pr.arn and pr.kind != "root":
            return VIA_ROLE if pr.kind == "role" else DIRECT
        m = _PRINCIPAL_ARN.match(ident)
        if not m:
            return None                                     # a unique id of something deleted
        account, part = m.group(1) or m.group(3), m.group(2) or m.group(4)
        if part == "root":
            return VIA_ACCOUNT if ident.split(":")[1] == pr.partition and account == pr.account else None
        if pr.kind == "session" and part.startswith("role/") and account == pr.account \
                and ident.split(":")[1] == pr.partition and part.split("/")[-1] == pr.role_name:
            return VIA_ROLE
        return None
    want = {"Service": "service", "Federated": "webfederated", "CanonicalUser": "canonical"}[kind]
    return DIRECT if pr.kind == want and pr.id == ident else None


def _levels(pr):
    """The ARNs at which a principal is checked: account, (role,) itself."""
    if pr.account is None:
        return None
    root = f"arn:{pr.partition}:iam::{pr.account}:root"
    if pr.kind == "root":
        return [("root", root)]
    if pr.kind == "session":
        return [("root", root), ("role", pr.role_name), ("self", pr.arn)]
    return [("root", root), ("self", pr.arn)]


def _not_principal_applies(st, pr, has_boundary, notes, readings=()):
    if "notPrincipalBoundary" in readings and has_boundary and pr.arn is not None:
        return True
    if st.principals == "*" or ("AWS", "*") in st.principals:
        return False
    if not st.principals:
        return False                                        # [S15]
    ways = [_principal_one(k, i, pr, notes) for k, i in st.principals]
    levels = _levels(pr)
    if levels is None:
        return not any(ways)
    if has_boundary and pr.kind in ("user", "role", "session"):
        notes.add("D8")                                     # always denies who has a boundary
        return True
    listed = 0
    for what, value in levels:
        if what == "root":
            ok = VIA_ACCOUNT in ways
        elif what == "role":
            ok = VIA_ROLE in ways
        else:
            ok = any(k == "AWS" and i == value for k, i in st.principals)
        listed += ok
    strict = listed < len(levels)                           # [S5] every level must be listed
    if strict != (listed == 0):
        notes.add("S5")
    return strict


def _principal_matches(st, pr, has_boundary, notes, readings=()):
    """-> a set of ways (empty: the statement isn't for this principal)."""
    if st.principals is None:
        return {DIRECT}
    if st.not_principal:
        return {EVERYONE} if _not_principal_applies(st, pr, has_boundary, notes, readings) else set()
    if st.principals == "*":
        return {EVERYONE}
    return {w for w in (_principal_one(k, i, pr, notes) for k, i in st.principals) if w}


def _fold(text):
    out = []
    for c in text:
        u = c.upper()
        c = u if len(u) == 1 else c
        low = c.lower()
        out.append(low if len(low) == 1 else c)
    return "".join(out)


def _split_tokens(tokens, limit=6):
    parts = [[]]
    for t in tokens:
        if t == ":" and len(parts) < limit:
            parts.append([])
        else:
            parts[-1].append(t)
    return parts


def _arn_like(tokens, text, notes, readings=()):
    """Each of the six components separately."""
    have = text.split(":", 5)
    if len(have) < 6 or have[0] != "arn":
        notes.add("S19")                                    # the value is no ARN
        return False
    want = _split_tokens(tokens)
    if len(want) < 6:
        notes.add("S18")                                    # a pattern of fewer components
        if "shortPattern" in readings or not want[-1] or want[-1][-1] is not STAR:
            return False
        have = have[:len(want) - 1] + [":".join(have[len(want) - 1:])]
    return all(_glob(w, h) for w, h in zip(want, have))


def _compare(c, i, value, ctx, notes):
    """Does the context value match the i-th policy value, by the positive form of the operator?"""
    base = NEGATED.get(c.base, c.base)
    if base in ("StringEquals", "StringEqualsIgnoreCase", "StringLike"):
        tokens = _substitute(c.parts[i], ctx, base == "StringLike", notes)
        if tokens is None:
            return False                                    # [D4]
        if base == "StringLike":
            return _glob(tokens, value)
        text = "".join(tokens)
        if base == "StringEquals":
            return text == value
        if not (text.isascii() and value.isascii()):
            notes.add("S21")
        return _fold(text) == _fold(value)
    if base in ("ArnEquals", "ArnLike"):
        tokens = _substitute(c.parts[i], ctx, True, notes)
        if tokens is None:
            return False
        return _arn_like(tokens, value, notes, getattr(ctx, "readings", ()))
    if base == "Bool":
        tokens = _substitute(c.parts[i], ctx, False, notes)
        if tokens is None:
            return False
        want, got = _bool("".join(tokens)), _bool(value)
        if value not in ("true", "false") or "".join(tokens) not in ("true", "false"):
            notes.add("S22")
        return want is not None and want == got
    text = c.values[i]
    if base == "BinaryEquals":
        got = _base64(value)
        if got is None or (got == _base64(text)) != (text == value):
            notes.add("S23")
        return got is not None and got == _base64(text)
    if base == "IpAddress":
        addr, net = _address(value), _network(text)
        if addr is not None and "mappedAddress" in getattr(ctx, "readings", ()):
            addr, net = _unmapped(addr), _unmapped_network(net)
        if addr is None:
            notes.add("S6")
            return False
        if net.version == 6 and "/" not in text:
            notes.add("S25")
        if addr.version == 6 and addr.ipv4_mapped is not None and net.version == 4:
            notes.add("S26")
        return addr.version == net.version and addr in net
    if base.startswith("Numeric"):
        got, want = _number(value), _number(text)
        if got is not None and "e" in (value + text).lower():
            notes.add("S27")
        suffix = base[len("Numeric"):]
    else:
        got, want = _date(value), _date(text)
        if got is not None and not all("T" in t or len(t) > 10 or (t.isdigit() and len(t) != 4) for t in (value, text)):
            notes.add("S20")
        suffix = base[len("Date"):]
    if got is None:
        notes.add("S6")                                     # an unreadable value matches nothing
        return False
    return {"Equals": got == want, "LessThan": got < want, "LessThanEquals": got <= want,
            "GreaterThan": got > want, "GreaterThanEquals": got >= want}[suffix]


def _condition(c, req, notes, deny=False):
    values = req.context.get(c.key.lower())
    if values == []:
        notes.add("S28")                                    # no values: as if the key were missing
    missing = not values
    negated = c.base in NEGATED
    empty = values == [""] * len(values) if values else False    # a "null data set" [S4]
    if c.base == "Null":
        if c.qualifier:
            notes.add("D10")
            return c.qualifier == "ForAllValues"
        if empty:
            notes.add("S4")
        is_null = "true" if (missing or empty) else "false"
        return any(_bool(v) == is_null for v in c.values)

    def one(value):
        hit = any(_compare(c, i, value, req.context, notes) for i in range(len(c.values)))
        return hit != negated

    if c.qualifier == "ForAllValues":
        if missing:
            if negated:
                notes.add("D11")
            return True
        if empty:
            notes.add("S4")
            return True
        return all(one(v) for v in values)
    if c.qualifier == "ForAnyValue":
        if missing:
            if negated or c.if_exists:
                notes.add("S29" if c.if_exists else "D12")
            return c.if_exists
        if empty:
            notes.add("S4")
            return False
        return any(one(v) for v in values)
    if missing:
        return c.if_exists or negated
    if len(values) > 1:
        notes.add("S30")                                    # several values without a set operator
        if "severalValues" in getattr(req.context, "readings", ()):
            return deny and any(one(v) for v in values)
        return all(one(v) for v in values) if negated else any(one(v) for v in values)
    return one(values[0])


def _statement_ways(st, req, has_boundary, notes):
    """The ways in which the statement applies to the request (empty: it does not)."""
    if not _action_matches(st, req):
        return set()
    ways = _principal_matches(st, req.principal, has_boundary, notes, req.context.readings)
    if not ways:
        return ways
    if not _resource_matches(st, req, notes):
        return set()
    if not all(_condition(c, req, notes, st.effect == "Deny") for c in st.conditions):
        return set()
    return ways


# --------------------------------------------------------------------------- evaluation

def _load(document, notes):
    if not isinstance(document, dict) or set(document) != {"policies", "request"}:
        raise Invalid("a document is {\"policies\": …, \"request\": …}")
    policies = document["policies"]
    if not isinstance(policies, dict):
        raise Invalid("policies must be an object")
    out = {}
    for kind, docs in policies.items():
        if kind not in POLICY_KINDS:
            raise Invalid(f"policies: unknown kind {kind!r}")
        if not isinstance(docs, list):
            raise Invalid(f"policies.{kind} must be a list")
        if not docs and kind in ("boundary", "session"):
            notes.add("S31")
        out[kind] = [_check_policy(d, kind, notes) for d in docs]
    return out, _Request(document["request"])


def _decide(loaded, req, notes):
    has_boundary = "boundary" in loaded
    allows = {k: set() for k in POLICY_KINDS}
    denied = False
    for kind in POLICY_KINDS:
        for statements in loaded.get(kind, ()):
            for st in statements:
                ways = _statement_ways(st, req, has_boundary, notes)
                if not ways:
                    continue
                if st.effect == "Deny":
                    denied = True
                else:
                    allows[kind] |= ways
    if denied:
        return EXPLICIT_DENY                                # in any policy [D1]
    pr = req.principal
    if pr.kind in ("service", "webfederated", "canonical", "anonymous"):
        notes.add("S32")
        return ALLOW if allows["resource"] else IMPLICIT_DENY
    identity = bool(allows["identity"])
    boundary = not has_boundary or bool(allows["boundary"])
    session = "session" not in loaded or bool(allows["session"])
    if pr.kind == "root":
        notes.add("D13")
        identity = boundary = True                          # the root user has full access
    if pr.kind == "federated" and "session" not in loaded:
        notes.add("S33")
        session = False
    if pr.kind in ("user",) and "session" in loaded:
        notes.add("S34")
    own_side = identity and boundary and session
    if req.account != req.resource_account:
        return ALLOW if own_side and allows["resource"] else IMPLICIT_DENY
    if own_side:
        return ALLOW
    ways = allows["resource"]
    if DIRECT in ways:
        if not (boundary and session):
            notes.add("D14")
        return ALLOW                                        # a user, a session: nothing implicit limits it
    if EVERYONE in ways:
        if not (boundary and session):
            notes.add("S35")
        return ALLOW
    if VIA_ROLE in ways:
        if not (boundary and session):
            notes.add("D15")
        return ALLOW if boundary and session else IMPLICIT_DENY
    if VIA_ACCOUNT in ways:
        notes.add("S36")                                    # delegated to the account only
    return IMPLICIT_DENY


def evaluate(document, notes=None, readings=()):
    notes = set() if notes is None else notes
    loaded, req = _load(document, notes)
    req.context.readings = frozenset(readings)
    return _decide(loaded, req, notes)
