"""Makes the vectors of data synchronisation: push messages as platforms deliver them, what becomes of a record that two
devices changed, and what a data set's counts mean. The verdicts are by the rules of Amazon Cognito Sync's clients, with
the one change that sync-conflicts.json names."""

import json
import pathlib

VECTORS = pathlib.Path(__file__).parents[1]
POOL = "us-east-1:11111111-1111-4111-8111-111111111111"
IDENTITY = "us-east-1:22222222-2222-4222-8222-222222222222"
OTHER = "us-east-1:33333333-3333-4333-8333-333333333333"
KEYS = {"source": "cognito-sync", "identityPoolId": POOL, "identityId": IDENTITY, "datasetName": "settings",
        "syncCount": "7"}
OWN = {"identityPoolId": POOL, "identityId": IDENTITY, "datasetName": "settings", "lastSyncCount": 6}
SOURCE = "made by makers/make_sync.py: "


def save(suite, source, cases):
    names = [case["id"] for case in cases]
    assert len(set(names)) == len(names)
    text = json.dumps({"suite": suite, "source": SOURCE + source, "cases": cases}, indent=1, ensure_ascii=False)
    (VECTORS / f"{suite}.json").write_text(text + "\n")


# Push messages.
messages = []


def forms(keys):
    return {"APNS": {"aps": {"content-available": 1}, "data": keys},
            "APNS_SANDBOX": {"aps": {"content-available": 1}, "data": keys},
            "GCM": keys, "ADM": keys}


def message(name, platform, payload, own=None, judged=None, reject=None):
    text = payload if isinstance(payload, str) else json.dumps(payload)
    case = {"id": name, "input": {"platform": platform, "payload": text, **({"own": own} if own else {})}}
    if reject:
        case["reject"] = "sync_client_message_invalid"
    else:
        case["expect"] = {"synchronize": judged}
    messages.append(case)


for platform, payload in forms(KEYS).items():
    message(f"{platform}: higher count", platform, payload, OWN, True)
for platform, payload in forms({**KEYS, "syncCount": 7}).items():
    message(f"{platform}: the count is a number", platform, payload, OWN, True)
message("more keys", "GCM", {**KEYS, "from": "1234", "collapse_key": "x"}, OWN, True)
message("never synchronised", "GCM", KEYS, {**OWN, "lastSyncCount": 0}, True)
message("same count", "GCM", KEYS, {**OWN, "lastSyncCount": 7}, False)
message("lower count", "GCM", KEYS, {**OWN, "lastSyncCount": 8}, False)
message("count 0", "GCM", {**KEYS, "syncCount": "0"}, {**OWN, "lastSyncCount": 0}, False)
message("highest count", "GCM", {**KEYS, "syncCount": str(2**63 - 1)}, OWN, True)
message("another source", "GCM", {**KEYS, "source": "cognito-Sync"}, OWN, False)
message("another pool", "GCM", KEYS, {**OWN, "identityPoolId": OTHER}, False)
message("another identity", "GCM", KEYS, {**OWN, "identityId": OTHER}, False)
message("another data set", "GCM", KEYS, {**OWN, "datasetName": "scores"}, False)
message("a data set of other case", "GCM", KEYS, {**OWN, "datasetName": "Settings"}, False)
for name in KEYS:
    message(f"{name} is missing", "GCM", {key: value for key, value in KEYS.items() if key != name}, reject=True)
    message(f"{name} is null", "APNS", forms({**KEYS, name: None})["APNS"], reject=True)
    message(f"{name} is empty", "ADM", {**KEYS, name: ""}, reject=True)
    message(f"{name} is an object", "GCM", {**KEYS, name: {"a": 1}}, reject=True)
    message(f"{name} is too long", "GCM", {**KEYS, name: "1" * 1025}, reject=True)
for count in ["-1", "+7", " 7", "7 ", "07", "7.0", "7e0", "0x7", "seven", str(2**63), "٧"]:
    message(f"the count is {count!r}", "GCM", {**KEYS, "syncCount": count}, reject=True)
for count in [-1, 7.5, True]:
    message(f"the count is the value {count!r}", "GCM", {**KEYS, "syncCount": count}, reject=True)
message("a data set's name with a slash", "GCM", {**KEYS, "datasetName": "a/b"}, reject=True)
message("APNS: the keys at the top", "APNS", {"aps": {}, **KEYS}, reject=True)
message("APNS: data is text", "APNS", {"aps": {}, "data": json.dumps(KEYS)}, reject=True)
message("GCM: the keys under data", "GCM", {"data": KEYS}, reject=True)
message("an array", "GCM", "[]", reject=True)
message("no JSON", "ADM", "source=cognito-sync", reject=True)
message("a key twice", "GCM", json.dumps(KEYS)[:-1] + ', "syncCount": "9"}', reject=True)
message("nothing", "GCM", "", reject=True)
message("too large", "GCM", {**KEYS, "more": "x" * 8192}, reject=True)
save("sync-messages", "push messages in the forms of the platforms, and whether one's own data set is synchronised",
     messages)

# Conflicts.
conflicts = []


def record(value, count, at=100, modified=False):
    return {"value": value, "syncCount": count, "deviceLastModified": at, "isModified": modified}


def merge(name, local, remote, verdict, latest=None, comment=None):
    case = {"id": name, **({"comment": comment} if comment else {}),
            "input": {"remote": remote, **({"local": local} if local else {})}, "expect": {"merge": verdict}}
    if latest:
        case["expect"]["latest"] = latest
    conflicts.append(case)


merge("new on the service", None, record("a", 1), "take")
merge("removed on the service, unknown here", None, record(None, 2), "take")
merge("changed on the service", record("a", 1), record("b", 2), "take")
merge("removed on the service", record("a", 1), record(None, 2), "take")
merge("nothing new", record("a", 1), record("a", 1), "keep")
merge("changed here", record("b", 1, modified=True), record("a", 1), "keep")
merge("removed here", record(None, 1, modified=True), record("a", 1), "keep")
merge("changed here and there, here later", record("b", 1, 200, True), record("c", 2, 100), "conflict", "local")
merge("changed here and there, there later", record("b", 1, 100, True), record("c", 2, 200), "conflict", "remote")
merge("changed here and there at one time", record("b", 1, 100, True), record("c", 2, 100), "conflict", "remote")
merge("changed here, removed there", record("b", 1, 200, True), record(None, 2, 100), "conflict", "local")
merge("removed here, changed there", record(None, 1, 200, True), record("c", 2, 100), "conflict", "local")
merge("new here and there", record("b", 0, 100, True), record("c", 2, 200), "conflict", "remote")
merge("a lower count on the service", record("b", 5, 100, True), record("c", 2, 200), "conflict", "remote")
merge("changed here and there to one value, there later", record("b", 1, 100, True), record("b", 2, 200), "take",
      comment="Former clients kept the record with its old count, which the service refused again and again.")
merge("changed here and there to one value, here later", record("b", 1, 200, True), record("b", 2, 100), "resend",
      comment="A third device may have a change of a time between.")
merge("a response was lost", record("b", 1, 100, True), record("b", 2, 100), "take")
merge("new here and there with one value", record("b", 0, 100, True), record("b", 2, 200), "take")
merge("removed here and there, there later", record(None, 1, 100, True), record(None, 2, 200), "take")
merge("removed here and there, here later", record(None, 1, 200, True), record(None, 2, 100), "resend")
merge("an empty value is not a removal", record("", 1, 200, True), record(None, 2, 100), "conflict", "local")
merge("texts that Unicode calls equal", record("\u00e9", 1, 200, True), record("e\u0301", 2, 100), "conflict", "local")
save("sync-conflicts", "what becomes of a record when the service's is known, and which change is the later one",
     conflicts)

# Counts.
counts = []


def push(name, base, accepted, last):
    counts.append({"id": name, "input": {"base": base, "accepted": accepted},
                   "expect": {"lastSyncCount": last} if last is not None else {"pullFirst": True}})


def deletion(name, last, exists, deleted, verdict, records=True):
    counts.append({"id": name, "input": {
        "lastSyncCount": last, "hasRecords": records, "exists": exists, "wasDeleted": deleted}, "expect": {"isDeleted": verdict}})


push("the first change", 0, [1], 1)
push("several records", 3, [4, 4, 4], 4)
push("another device was between", 3, [5, 5], None)
push("a data set made anew begins above the old one", 0, [8], None)
push("records of several counts", 3, [4, 5], None)
push("no record", 3, [], None)
push("the count did not rise", 3, [3], None)
push("a lower count", 3, [2], None)
push("the highest count", 2**63 - 2, [2**63 - 1], 2**63 - 1)
push("after the highest count", 2**63 - 1, [0], None)
deletion("as before", 3, True, False, False)
deletion("gone", 3, False, True, True)
deletion("gone, and not said to be deleted", 3, False, False, True)
deletion("made anew", 3, True, True, True)
deletion("never synchronised, not there", 0, False, False, False, records=False)
deletion("never synchronised, others were deleted", 0, True, True, False, records=False)
deletion("sent, no count yet, there", 0, True, False, False)
deletion("sent, no count yet, gone", 0, False, False, True)
save("sync-counts", "a device's count after it sent changes, and whether others deleted its data set", counts)
