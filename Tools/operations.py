#!/usr/bin/env python3
"""Makes the declarations of operations in Sources/Protocol/ServiceOperations/*/Generated from botocore's models of the services.

    Tools/operations.py                       # with the version of botocore in operations.toml
    Tools/operations.py --botocore 1.45.0     # with another one; lists the difference, and keeps the version
    Tools/operations.py --check               # exits with 1 where a file is not what would be written

Names, types, bounds, choices, errors, methods and paths are those of the models; their sentences are not used. What
is ours is in operations.toml. The models come from PyPI into .build-models; a build of the package needs neither."""
import argparse
import gzip
import hashlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "Tools/operations.toml"
MODELS = ROOT / ".build-models"
SERVICES = ("sts", "cognito-identity", "cognito-sync", "cognito-idp")
# Names of operations that only read, unless they return something secret: then the settings say who may call.
READING = re.compile(r"(Admin)?(List|Get|Describe|Lookup)")
SECRET = re.compile(r"Token|Secret|Credential|Code")
# Members that audit logs name, and those of them that can be the target of a signed call.
TARGETS = {"UserPoolId": "pool", "IdentityPoolId": "pool", "IdentityId": "identity",
           "IdentityIdsToDelete": "identities", "ResourceArn": "resource"}
NAMED = (*TARGETS, "ClientId", "GroupName", "DatasetName", "DeviceId")
ACRONYMS = {"Id": "ID", "Ids": "IDs", "Arn": "ARN", "Arns": "ARNs", "Mfa": "MFA", "Url": "URL"}
KEYWORDS = {*"as case default do false for if in init internal is nil public repeat return self static true".split()}
# Members that come first in requests: who calls, and what for.
FIRST = ("AccessToken", "UserPoolId", "ClientId", "SecretHash", "Username")
# A pattern that TextPattern reads itself: one bracket expression, or one escape, repeated.
BRACKETS = re.compile(r"(\[(?!\^)(\\[^PpxuU0-9]|\\p\{[LMNPSZC]\}|\\x[0-7][0-9A-F]|[^\\\[\]])+\]|\\[wdsS])[+*]")
SCALARS = {"integer": "Int64", "long": "Int64", "boolean": "Bool", "timestamp": "Timestamp"}
COLLECTIONS = ("ListBounds<TextBounds>", "MapBounds<TextBounds>", "MapBounds<NoBounds>")
TABLES = ("without", "types", "properties", "names", "cases", "unchanged", "conformances", "says")


class Unknown(Exception):
    """What the settings must say, because no rule does."""


def fetch(version):
    """The file of a version of botocore."""
    name = f"botocore-{version}-py3-none-any.whl"
    if not (MODELS / name).exists():
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--only-binary", ":all:", "--dest", MODELS, f"botocore=={version}"], check=True)
    return MODELS / name


def models(wheel):
    """The models of the services in a file of botocore, by the services' names."""
    found = {}
    with zipfile.ZipFile(wheel) as archive:
        for path in archive.namelist():
            parts = path.split("/")
            if parts[:2] == ["botocore", "data"] and parts[2] in SERVICES and parts[-1].startswith("service-2.json"):
                data = archive.read(path)
                found[parts[2]] = json.loads(gzip.decompress(data) if path.endswith(".gz") else data)
    return found


def words(name):
    return re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]+s(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", name.replace("OAuth", "Oauth"))


def property_name(name):
    """`UserPoolId` as a property: `userPoolID`."""
    first, *others = words(name)
    return (first.lower() + "".join(ACRONYMS.get(word, word) for word in others)).replace("Oauth", "OAuth")


def type_name(name):
    """An operation or structure as a type: `GetId` is `GetID`."""
    return "".join(ACRONYMS[word] if word in ("Id", "Ids") else word for word in words(name)).replace("Oauth", "OAuth")


def case_name(value):
    """A choice as a case: `USER_SRP_AUTH` is `userSRPAuth`, `StartsWith` is `startsWith`."""
    first, *others = re.split(r"[^A-Za-z0-9]", value)
    name = first.lower() if others or value.isupper() else first[0].lower() + first[1:]
    name += "".join(word.upper() if word.upper() in ("SRP", "MFA", "OTP") else word.capitalize() for word in others)
    return f"`{name}`" if name in KEYWORDS else name


def literal(text):
    return f'#"{text}"#' if "\\" in text or '"' in text else f'"{text}"'


def joined(*parts):
    return ", ".join(part for part in parts if part)


def block(extended, lines):
    return "\n".join([f"extension {extended} {{", *lines, "}"])


def location(name, member):
    kind = {"uri": "path", "querystring": "query", "header": "header"}.get(member.get("location"))
    return kind and f'in: .{kind}("{member.get("locationName", name)}")'


def count(facts):
    limit = f"ownLimit: {facts['limit']:_}" if facts["limit"] else None
    return limit if facts["max"] is None else joined(f"{facts['min'] or 0:_}...{facts['max']:_}", limit)


def fact(name, required, shape, facts):
    """What the model says of a member, as its comment."""
    unit = {"string": " characters", "list": " elements", "map": " entries"}.get(shape["type"], "")
    least, most = facts["min"], facts["max"]
    bounds = f": at least {least}{unit}" if most is None else f": {least or 0} to {most}{unit}"
    bounds = "" if least is None and most is None else f": {least}{unit}" if least == most else bounds
    return f"`{name}`{', required' if required else ''}{bounds}."


class Service:
    """A service's model with our settings, and the Swift text of its declarations."""

    def __init__(self, name, model, everywhere):
        self.name, self.model, self.shapes = name, model, model["shapes"]
        self.settings, self.operations = everywhere[name], everywhere[name]["operations"]
        self.patterns, self.version = everywhere["patterns"], everywhere["botocore"]
        for table in TABLES:
            setattr(self, table, dict(entry.split(": ", 1) for entry in self.settings.get(table, [])))
        self.secrets, self.own = self.settings.get("secrets", []), self.settings.get("bounds", {})
        self.unused = {*self.says, *self.own}
        self.says = dict(entry.split(": ", 1) for entry in everywhere["says"]) | self.says
        self.rest = model["metadata"]["protocol"] == "rest-json"
        self.errors, self.static, self.needed, self.waiting, self.inside = {}, {}, {}, [], set()
        self.check()
        self.parts = {name: self.part(part) for name, part in self.settings.get("parts", {}).items()}

    def check(self):
        """Settings about what the model does not have are mistakes."""
        members = {member for shape in self.shapes.values() for member in shape.get("members", {})}
        missing = {*self.operations} - {*self.model["operations"]} | {*self.types, *self.names} - {*self.shapes} \
            | {key for key in (*self.without, *self.properties) if key.split(".")[-1] not in members}
        if missing:
            raise Unknown(f"{self.name} does not have {', '.join(sorted(missing))}")

    def said(self, *keys):
        """Our comment about the first key that has one."""
        key = next((key for key in keys if key in self.says), None)
        self.unused.discard(key)
        return self.says.get(key)

    def members(self, shape):
        """The members that are declared, in their order on the wire: name, shape, whether it is required, location."""
        found = self.shapes[shape]
        members = [(name, member["shape"], name in found.get("required", []) or f"{shape}.{name}" in self.settings.get("required", []), location(name, member))
                   for name, member in found.get("members", {}).items()
                   if name not in self.without and f"{shape}.{name}" not in self.without]
        return sorted(members, key=lambda member: (*FIRST, member[0]).index(member[0])) if shape.endswith("Request") else members

    def part(self, settings):
        """The members that several structures have alike, as one structure of its own."""
        found = {shape: self.members(shape) for shape in settings["of"]}
        alike = [member for member in found[settings["of"][0]] if all(member in other for other in found.values())]
        whole = [shape for shape, members in found.items() if len(members) == len(alike)]
        return {**settings, "members": [member for member in alike if whole or not member[2]], "whole": whole}

    def type_of(self, shape):
        """The Swift type of a structure or choice; nil for an input or output that no other operation has."""
        if shape in self.types:
            return self.types[shape]
        named = [(other, part) for part in self.parts for other in self.parts[part]["whole"]]
        for other, name in [*named, *self.types.items()]:
            if self.shapes[shape]["type"] == self.shapes[other]["type"] == "structure" \
                    and set(self.members(other)) == set(self.members(shape)):
                return name
        return None if re.search(r"(Request|Response|Input|Output)$", shape) else type_name(shape)

    def need(self, name, shape):
        self.needed.setdefault(name, shape)
        self.waiting.append(name)
        return name

    def value(self, shape, secret):
        """The Swift type of a value."""
        found = self.shapes[shape]
        secret = secret or shape in self.secrets
        match found["type"]:
            case "string" if "enum" not in found: return "SecretText" if secret else "String"
            case "structure" | "string": return self.need(self.type_of(shape), shape)
            case "list": return f"[{self.value(found['member']['shape'], secret)}]"
            case "map": return f"[ExactString: {self.value(found['value']['shape'], secret)}]"
            case kind if kind in SCALARS: return SCALARS[kind]
        raise Unknown(f"{self.name}: {shape} is a {found['type']}, which no operation had before")

    def initial(self, shape, swift):
        """The type of a required property, where it is needed, and its first value."""
        found = self.shapes[shape]
        known = {"String": ' = ""', "Int64": ": Int64 = 0", "Bool": " = false", "Timestamp": " = Timestamp.earliest"}
        if swift in known:
            return known[swift]
        if swift.startswith("["):
            return f": {swift} = {'[:]' if found['type'] == 'map' else '[]'}"
        return f" = {swift}.{self.cases.get(found['enum'][0], case_name(found['enum'][0]))}" if "enum" in found else f" = {swift}()"

    def facts(self, shape, *keys):
        """The bounds of a shape, or what the settings say for it or one of the keys."""
        facts = {key: self.shapes[shape].get(key) for key in ("min", "max", "pattern", "sensitive", "limit")}
        facts["name"] = self.names.get(shape)
        for key in (shape, *keys):
            self.unused.discard(key if key in self.own else None)
            facts |= {fact: None if value is False else value for fact, value in self.own.get(key, {}).items()}
        return facts

    def bounds(self, shape, *keys):
        """The argument for the bounds of a member; None for a type that has none."""
        facts, found = self.facts(shape, *keys), self.shapes[shape]
        name, least, most = facts["name"], facts["min"], facts["max"]
        match found["type"]:
            case "string" if "enum" not in found: return self.text(shape, facts)
            case "integer" | "long":
                if least is None and most is not None:
                    raise Unknown(f"{self.name}: the number {shape} has a greatest value and no smallest one")
                values = "" if least is None else f"({least:_}...{'' if most is None else f'{most:_}'})"
                text = f".{found['type']}{values}"
                return self.named("IntegerBounds", name, "IntegerBounds" + text) if name else text
            case "list":
                inner = self.bounds(found["member"]["shape"], *(key + ".element" for key in keys))
                text = joined(count({**facts, "limit": None}), inner and f"of: {inner}", count({**facts, "max": None}))
                return self.named(COLLECTIONS[0], name, f"Self({text})") if name else f".init({text})"
            case "map":
                keys, values = self.bounds(found["key"]["shape"]), self.bounds(found["value"]["shape"])
                secret = "isSensitive: true" if facts["sensitive"] else None
                values = values and values + (".sensitive" if secret else "")
                text = joined(count({**facts, "limit": None}), f"keys: {keys}", values and f"values: {values}",
                              count({**facts, "max": None}), secret)
                name = name or property_name(re.sub(r"(Type|Map)$", "", shape))
                return self.named(COLLECTIONS[1 if values else 2], name, f"Self({text})")
        return None

    def text(self, shape, facts):
        least, most, pattern = facts["min"], facts["max"], facts["pattern"]
        if most is None and least is not None:
            raise Unknown(f"{self.name}: the text {shape} needs a greatest length")
        if pattern and not BRACKETS.fullmatch(pattern) and pattern not in self.patterns:
            raise Unknown(f"{self.name}: the pattern of {shape} needs a function: {pattern}")
        length = most and f"{'' if least is None else f'{least:_}'}...{most:_}"
        match = pattern and (f".{self.patterns[pattern]}" if pattern in self.patterns else literal(pattern))
        sensitive = ".sensitive" if facts["sensitive"] else ""
        if not length and not match:
            return ".any" + sensitive
        name = facts["name"] or property_name(re.sub(r"(Type|String)$", "", shape))
        return self.named("TextBounds", name, f"TextBounds({joined(length, match)}){sensitive}")

    def named(self, kind, name, text):
        """Bounds that are declared once, and used by their name."""
        if name in self.settings.get("elsewhere", []):
            return "." + name
        known = self.static.setdefault(kind, {}).setdefault(name, text)
        if known != text:
            raise Unknown(f"{self.name}: the bounds {name} are {known} and {text}")
        return "." + name

    def member(self, shape, member):
        """The property and the call that declares a member."""
        name, of, required, place = member
        keys = [name, f"{shape}.{name}"]
        own = self.properties.get(keys[1]) or self.properties.get(name) or property_name(name)
        swift = self.value(of, any(key in self.secrets for key in keys))
        bounds = self.bounds(of, *keys)
        comment = self.said(keys[1], name) or fact(name, required, self.shapes[of], self.facts(of, *keys))
        kind = self.initial(of, swift) if required else f": {swift}?"
        call = joined(f'"{name}"', f"&{own}", bounds, place)
        return f"/// {comment}\npublic var {own}{kind}", f"m.{'required' if required else 'optional'}({call})"

    def structure(self, path, shape, members):
        """A structure. `path` is its name with those of the types around it."""
        lines = []
        for name, part in self.parts.items():
            if shape in part["of"] and path != name:
                members = [member for member in members if member not in part["members"]]
                line = (f"/// {self.said(name)}\npublic var {part['property']} = {name}()", f"{part['property']}.members(&m)")
                lines = [line, *map(lambda member: self.member(shape, member), members)]
                lines = lines if part.get("first") else lines[1:] + lines[:1]
        lines = lines or [self.member(shape, member) for member in members]
        properties, calls = [line[0] for line in lines], [line[1] for line in lines]
        if path in self.unchanged:
            properties.append(f"/// {self.unchanged[path]} It is no member.\npublic var changedNothing = false")
        protocols = joined("Structure", self.conformances.get(path))
        return "\n".join([
            f"/// {self.said(path) or f'The structure `{shape}`.'}", f"public struct {path.split('.')[-1]}: {protocols} {{",
            *properties, "", "/// A value without members.", "public init() {}", "", "/// Declares the members.",
            "public mutating func members(_ m: inout Members) {", *calls, "}", "}"])

    def choice(self, path, shape):
        cases = [f"/// {self.said(f'{shape}.{value}', value) or f'`{value}`.'}\ncase {self.cases.get(value, case_name(value))} = {literal(value)}"
                 for value in self.shapes[shape]["enum"]]
        return "\n".join([f"/// {self.said(path) or f'A choice of `{shape}`.'}",
                          f"public enum {path.split('.')[-1]}: ExactString, MemberChoice {{", *cases, "}"])

    def side(self, operation, swift, side):
        """The input or output of an operation: a structure of its own, or another name of a shared one."""
        shape = self.model["operations"][operation].get(side.lower(), {}).get("shape")
        if shape is None or not self.members(shape):
            return []
        name, comment = self.type_of(shape), f"/// The {'request' if side == 'Input' else 'response'}."
        if name and name != f"{swift}.{side}":
            return ["", comment, f"public typealias {side} = {self.need(name, shape)}"]
        self.inside.add(f"{swift}.{side}")
        return ["", comment, self.structure(f"{swift}.{side}", shape, self.members(shape)).partition("\n")[2]]

    def operation(self, operation):
        official, own = self.model["operations"][operation], self.operations[operation]
        own, swift = {"says": own} if isinstance(own, str) else own, self.swift_name(operation)
        access, changes = self.access(operation, own)
        errors = own.get("errors") or dict.fromkeys(error["shape"] for error in official.get("errors", []))
        arguments = joined(
            literal(operation), access, f'"{own["says"]}"', self.rest and f"route: {self.route(operation)}",
            f"errors: [{', '.join(self.error(error) for error in errors)}]",
            changes is not None and f"changes: [{', '.join(map(literal, changes))}]",
            own.get("refusesUnknownMembers") and "refusesUnknownMembers: true",
            own.get("bodyLimit") and "bodyLimit: bodyLimit", own.get("isRefusedAgain") and "isRefusedAgain: true")
        limit = ["/// Maximum number of bytes of a request.", f"public static let bodyLimit = {own.get('bodyLimit')}", ""]
        return "\n".join([
            f"/// {own['says']}", f"public enum {swift}: ServiceOperation {{", *(limit if "bodyLimit" in own else []),
            "/// The declaration.", f"public static let declaration = OperationDeclaration({arguments})",
            *self.side(operation, swift, "Input"), *self.side(operation, swift, "Output"), "}"])

    def swift_name(self, operation):
        """The type of an operation. Another service has one of the same name where the settings say one."""
        own = self.operations[operation]
        return type_name(operation) if isinstance(own, str) else own.get("swift", type_name(operation))

    def access(self, operation, own):
        """Who may call an operation, and what audit logs name; None for one that changes nothing."""
        official = self.model["operations"][operation]
        members = {name: required for name, _, required, _ in self.members(official["input"]["shape"])}
        reads = bool(READING.match(operation)) and not SECRET.search(operation)
        changes = None if reads else [name for name in NAMED if members.get(name)]
        if official.get("authtype") != "none":
            if not reads and READING.match(operation) and "capability" not in own:
                raise Unknown(f"{self.name}: {operation} may return something secret: say which capability it needs")
            target = next((f'.{kind}("{name}")' for name, kind in TARGETS.items() if name in members), ".all")
            callers, target = own.get("callers", "developer"), own.get("target", target)
            capability = own.get("capability", "reading" if reads else "administering")
            access = f".{callers}({'' if callers == 'identity' else f'.{capability}, '}{target})"
        elif "AccessToken" not in members:
            access = ".anyone"
        else:
            access = '.accessTokenOrSession(token: "AccessToken", session: "Session")' if "Session" in members \
                else '.accessToken(member: "AccessToken")'
            changes = None if reads else []
        changes = own.get("changes", changes)
        return access, None if changes is False else changes

    def error(self, shape):
        found, swift = self.shapes.get(shape, {}), property_name(re.sub(r"Exception$", "", shape))
        name = found.get("error", {}).get("code", shape)
        status = found.get("error", {}).get("httpStatusCode") or (500 if found.get("fault") else 400)
        status = self.settings.get("errors", {}).get(shape, status)
        self.errors[swift] = f'ErrorDeclaration("{name}"{"" if status == 400 else f", status: {status}"})'
        return "." + swift

    def route(self, operation):
        http = self.model["operations"][operation]["http"]
        return f'.{http["method"].lower()}("{http["requestUri"]}")'

    def files(self):
        """The Swift files by their names."""
        operations = [self.operation(operation) for operation in self.operations]
        structures = [self.structure(name, part["of"][0], part["members"]) for name, part in self.parts.items()]
        choices, done = [], {*self.parts, *self.inside}
        for path in self.waiting:
            if path in done:
                continue
            done.add(path)
            shape = self.needed[path]
            is_choice = "enum" in self.shapes[shape]
            text = self.choice(path, shape) if is_choice else self.structure(path, shape, self.members(shape))
            text = block(path.rpartition(".")[0], [text]) if "." in path else text
            (choices if is_choice else structures).append(text)
        # Those of another service have other statuses.
        errors = [f"fileprivate static let {name} = {text}" for name, text in sorted(self.errors.items())]
        operations += [block("ErrorDeclaration", errors)] if errors else []
        texts = {"Service": self.service(), "Operations": "\n\n".join(operations), "Structures": "\n\n".join(structures),
                 "Choices": "\n\n".join(choices), "Bounds": self.static_bounds()}
        if self.unused:
            raise Unknown(f"{self.name}: nothing uses {', '.join(sorted(self.unused))}")
        head = f"// Made by Tools/operations.py from the model of {self.name} in botocore {self.version}. Not edited by hand.\n\n"
        folder = f"Sources/Protocol/ServiceOperations/{self.settings['folder']}/Generated"
        return {f"{folder}/{self.settings['prefix']}{kind}.swift": f"{head}{text}\n" for kind, text in texts.items() if text}

    def static_bounds(self):
        # What is generic cannot be stored.
        form = {kind: "package static var {}: Self {{ {} }}" for kind in COLLECTIONS}
        return "\n\n".join(
            block(kind, [form.get(kind, "package static let {} = {}").format(*item) for item in sorted(self.static[kind].items())])
            for kind in ("TextBounds", "IntegerBounds", *COLLECTIONS) if kind in self.static)

    def service(self):
        own, metadata = self.settings, self.model["metadata"]
        missing = sorted(self.model["operations"].keys() - self.operations.keys()) if own.get("all", True) else []
        binding = {"json": f'.json(targetPrefix: "{metadata.get("targetPrefix")}")', "rest-json": ".rest",
                   "query": f'.query(version: "{metadata.get("apiVersion")}", namespace: "{metadata.get("xmlNamespace")}")'}
        names = [f'("{name}", {self.route(name)})' if self.rest else f'"{name}"' for name in missing]
        members = sorted({key.split(".")[-1] for key in self.without})
        arguments = joined(
            f'"{own["title"]}"', f'signingName: "{metadata.get("signingName", metadata["endpointPrefix"])}"',
            binding[metadata["protocol"]], f"[{', '.join(self.swift_name(name) + '.self' for name in self.operations)}]",
            f'model: "botocore {self.version}"', names and f"{'routesNotBuilt' if self.rest else 'notBuilt'}: [{', '.join(names)}]",
            members and f"membersNotBuilt: [{', '.join(map(literal, members))}]")
        return f"/// {self.said(own['value'])}\npublic let {own['value']} = ServiceDeclaration({arguments})"


def differences(old, new, built=()):
    """The lines that say what a new model changes, by operation and member."""
    before, after = old["operations"], new["operations"]
    for name in sorted(before.keys() | after.keys()):
        mark = "" if name in built else " (not built)"
        if name not in before or name not in after:
            yield f"{'+' if name in after else '-'} {name}{mark}"
            continue
        pairs = [(side, tree(old["shapes"], before[name].get(side)), tree(new["shapes"], after[name].get(side)))
                 for side in ("input", "output")]
        pairs += [("errors", *(sorted(error["shape"] for error in model[name].get("errors", [])) for model in (before, after)))]
        pairs += [(key, before[name].get(key), after[name].get(key)) for key in ("authtype", "http")]
        yield from (f"  {name}{mark} {line}" for pair in pairs for line in changed(*pair))


def tree(shapes, reference, above=()):
    """A shape with everything below it, without sentences."""
    if reference is None or reference["shape"] in above:
        return None
    shape, above = shapes[reference["shape"]], (*above, reference["shape"])
    found = {key: shape[key] for key in ("type", "min", "max", "pattern", "sensitive", "enum") if key in shape}
    found["location"] = reference.get("location")
    for member, inner in shape.get("members", {}).items():
        found["." + member] = {**(tree(shapes, inner, above) or {}), "required": member in shape.get("required", [])}
    for key, label in (("member", "[]"), ("key", "{key}"), ("value", "{}")):
        if key in shape:
            found[label] = tree(shapes, shape[key], above)
    return found


def changed(path, old, new):
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from changed(path + (key if key[0] in ".[{" else " " + key), old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list):
        yield from (f"{path}: {'+' if one in new else '-'} {one}" for one in [*old, *new] if (one in old) != (one in new))
    elif isinstance(old, dict) or isinstance(new, dict):
        yield f"{path}: {'added' if new else 'removed'} ({(new or old).get('type')})"
    elif old != new:
        yield f"{path}: {'absent' if old is None else old} → {'absent' if new is None else new}"


def generate(settings, found):
    """The text of all files, in the project's layout."""
    files = {}
    for name in SERVICES:
        files |= Service(name, found[name], settings).files()
    for path, text in files.items():
        files[path] = subprocess.run(["swift", "format", "format", "--configuration", ROOT / ".swift-format"], input=text,
                                     capture_output=True, text=True, check=True).stdout
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--botocore", metavar="VERSION", help="the version of botocore whose models are used from now on")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a file differs")
    arguments = parser.parse_args()
    settings = tomllib.loads(text := SETTINGS.read_text())
    wheel = fetch(settings["botocore"])
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != settings["sha256"]:
        sys.exit(f"{wheel} is not the file whose hash {SETTINGS} has")
    found = models(wheel)
    if arguments.botocore not in (None, settings["botocore"]):
        new = models(wheel := fetch(arguments.botocore))
        for name in SERVICES:
            print(f"{name}: botocore {settings['botocore']} → {arguments.botocore}")
            print("\n".join(differences(found[name], new[name], settings[name]["operations"])) or "  nothing")
        for key, value in (("botocore", arguments.botocore), ("sha256", hashlib.sha256(wheel.read_bytes()).hexdigest())):
            text = re.sub(rf'^{key} = ".*"$', f'{key} = "{value}"', text, flags=re.MULTILINE)
        settings, found = tomllib.loads(text), new
    try:
        files = generate(settings, found)
    except Unknown as error:
        sys.exit(f"Tools/operations.toml must be changed: {error}")
    old = {str(path.relative_to(ROOT)): path.read_text() for path in ROOT.glob("Sources/Protocol/ServiceOperations/*/Generated/*.swift")}
    differing = [path for path in sorted(files.keys() | old.keys()) if files.get(path) != old.get(path)]
    if arguments.check:
        sys.exit("\n".join(f"{path} is not what Tools/operations.py writes" for path in differing) or 0)
    SETTINGS.write_text(text)
    for path in differing:
        (ROOT / path).unlink(missing_ok=True)
        if path in files:
            (ROOT / path).parent.mkdir(exist_ok=True)
            (ROOT / path).write_text(files[path])
    print("\n".join(f"written: {path}" for path in differing) or "nothing has changed")


if __name__ == "__main__":
    main()
