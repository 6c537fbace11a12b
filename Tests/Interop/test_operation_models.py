"""The tool that makes the declarations of operations: its files are those of the repository, what it does not know it refuses,
and it lists what a new model changes."""
import copy
import subprocess
import sys

import pytest

from operation_models import MODELS, PATH, SETTINGS, tool

TEXT = {"type": "string"}


def test_the_files_are_those_that_the_tool_makes():
    done = subprocess.run([sys.executable, PATH, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_operation_of_the_models_is_declared():
    """As names, those that are not built."""
    assert len(MODELS["cognito-idp"]["operations"]) == 153
    for name, settings in SETTINGS.items():
        if name in MODELS and settings.get("all", True):
            made = tool.Service(name, MODELS[name], SETTINGS)
            service = next(text for path, text in made.files().items() if path.endswith("Service.swift"))
            for operation in MODELS[name]["operations"]:
                built = operation in made.operations and f"{made.swift_name(operation)}.self" in service
                assert built or f'"{operation}"' in service, operation


def test_no_sentence_of_the_models_is_in_the_files():
    for name in MODELS:
        files = "".join(tool.Service(name, MODELS[name], SETTINGS).files().values())
        shapes = MODELS[name]["shapes"].values()
        members = (member for shape in shapes for member in shape.get("members", {}).values())
        for found in (*MODELS[name]["operations"].values(), *shapes, *members):
            for sentence in found.get("documentation", "").replace("<p>", "").split("</p>"):
                assert len(sentence) < 40 or sentence not in files, sentence


def shapes(**members):
    return {"type": "structure", "members": {name: {"shape": shape} for name, shape in members.items()}}


def made(model, **settings):
    """The files of a small service."""
    model = {"metadata": {"protocol": "json", "endpointPrefix": "things", "targetPrefix": "T"}, **model}
    everywhere = {"botocore": "1.2.3", "patterns": {}, "says": [], "things": {
        "folder": "Things", "prefix": "Thing", "value": "things", "title": "Things", "says": ["things: All of them."], "operations": {}, **settings}}
    return tool.Service("things", model, everywhere).files()


def test_a_small_service():
    model = {
        "operations": {
            "MakeThing": {"http": {}, "input": {"shape": "MakeThingRequest"}, "errors": [{"shape": "BrokenException"}]},
            "BreakThing": {"http": {}, "input": {"shape": "MakeThingRequest"}}},
        "shapes": {
            "MakeThingRequest": {**shapes(ThingId="IdType", Colour="ColourType", Hidden="IdType"), "required": ["ThingId"]},
            "IdType": {"type": "string", "min": 1, "max": 55, "pattern": r"[\w-]+", "sensitive": True},
            "ColourType": {"type": "string", "enum": ["DARK_RED", "blue"]}, "BrokenException": shapes()}}
    files = made(model, operations={"MakeThing": "Makes one."}, without=["Hidden: it is not built"])
    text = {path.split("/")[-1].removeprefix("Thing"): text for path, text in files.items()}
    assert 'public enum MakeThing: ServiceOperation {' in text["Operations.swift"]
    assert '"MakeThing", .developer(.administering, .all), "Makes one.", errors: [.broken], changes: []' in text["Operations.swift"]
    assert '/// `ThingId`, required: 1 to 55 characters.\npublic var thingID = ""' in text["Operations.swift"]
    assert 'm.optional("Colour", &colour)' in text["Operations.swift"] and "idden" not in text["Operations.swift"]
    assert r'package static let id = TextBounds(1...55, #"[\w-]+"#).sensitive' in text["Bounds.swift"]
    assert 'case darkRed = "DARK_RED"' in text["Choices.swift"] and 'case blue = "blue"' in text["Choices.swift"]
    assert 'notBuilt: ["BreakThing"], membersNotBuilt: ["Hidden"]' in text["Service.swift"]
    assert 'model: "botocore 1.2.3"' in text["Service.swift"]


@pytest.mark.parametrize("operation, shape, settings, sentence", [
    ("MakeThing", {"type": "string", "pattern": "(a|b)+"}, {}, "the pattern of Member needs a function"),
    ("MakeThing", {"type": "string", "pattern": "[^a]+"}, {}, "the pattern of Member needs a function"),
    ("MakeThing", {"type": "string", "min": 1}, {}, "the text Member needs a greatest length"),
    ("MakeThing", {"type": "integer", "max": 1}, {}, "the number Member has a greatest value"),
    ("MakeThing", {"type": "double"}, {}, "Member is a double"),
    # Nobody reads a secret because its name begins like those of harmless operations.
    ("GetThingToken", TEXT, {}, "GetThingToken may return something secret"),
    ("ListSecrets", TEXT, {}, "ListSecrets may return something secret"),
    ("MakeThing", TEXT, {"without": ["Nothing: it is gone"]}, "does not have Nothing"),
    ("MakeThing", TEXT, {"types": ["Nothing: Something"]}, "does not have Nothing"),
    ("MakeThing", TEXT, {"operations": {"BreakThing": "Breaks one."}}, "does not have BreakThing"),
    ("MakeThing", TEXT, {"bounds": {"Nothing": {"max": 1}}}, "nothing uses Nothing"),
])
def test_what_no_rule_says_is_refused(operation, shape, settings, sentence):
    model = {"operations": {operation: {"http": {}, "input": {"shape": "Request"}}}, "shapes": {"Request": shapes(Name="Member"), "Member": shape}}
    with pytest.raises(tool.Unknown, match=sentence):
        made(model, **{"operations": {operation: "Does it."}, **settings})


OLD = {
    "operations": {
        "Gone": {"http": {}}, "Kept": {"http": {}, "input": {"shape": "In"}, "errors": [{"shape": "A"}, {"shape": "B"}]},
        "Named": {"http": {}, "input": {"shape": "In"}}},
    "shapes": {
        "In": {**shapes(Id="Text", Left="Text", Inner="Inner", List="List"), "required": ["Id"]}, "Text": {"type": "string", "max": 55},
        "Inner": shapes(Kind="Kind", Self="Inner"), "Kind": {"type": "string", "enum": ["A", "B"]}, "List": {"type": "list", "member": {"shape": "Kind"}}}}


def test_the_difference_is_listed_by_operation_and_member():
    new = copy.deepcopy(OLD)
    assert list(tool.differences(OLD, new, {"Kept"})) == []
    del new["operations"]["Gone"]
    new["operations"]["Made"] = {"http": {}}
    new["operations"]["Kept"]["errors"] = [{"shape": "C"}, {"shape": "A"}]
    new["operations"]["Named"] = {"http": {}, "authtype": "none"}
    new["shapes"]["Text"] |= {"max": 64, "documentation": "<p>Not a difference.</p>"}
    new["shapes"]["Kind"]["enum"] = ["C", "A", "B"]
    new["shapes"]["In"]["required"] = []
    del new["shapes"]["In"]["members"]["Left"]
    new["shapes"]["Inner"]["members"]["Size"] = {"shape": "Size"}
    new["shapes"]["Size"] = {"type": "integer"}
    assert list(tool.differences(OLD, new, {"Kept", "Made"})) == [
        "- Gone (not built)",
        "  Kept input.Id max: 55 → 64", "  Kept input.Id required: True → False", "  Kept input.Inner.Kind enum: + C",
        "  Kept input.Inner.Size: added (integer)", "  Kept input.Left: removed (string)", "  Kept input.List[] enum: + C",
        "  Kept errors: - B", "  Kept errors: + C",
        "+ Made",
        "  Named (not built) input: removed (structure)", "  Named (not built) authtype: absent → none"]
