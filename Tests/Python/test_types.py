"""The types and the documentation of all public names."""
import ast
import inspect
import json
import pathlib
import runpy
import subprocess
import sys

import pytest

import token_security

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(token_security.__file__).parent
PROGRAM = HERE / "typed_program.py"
EXAMPLES = HERE.parent.parent / "Examples/python"
AUTHORIZER = EXAMPLES / "lambda_authorizer.py"


def test_mypy_accepts_the_package_and_a_program(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, PACKAGE, PROGRAM, AUTHORIZER, EXAMPLES / "fastapi_tokens.py",
         EXAMPLES / "flask_tokens.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_basedpyright_accepts_the_package_and_a_program(tmp_path):
    configuration = tmp_path / "pyrightconfig.json"
    configuration.write_text(json.dumps({
        "typeCheckingMode": "strict", "reportUnnecessaryTypeIgnoreComment": True, "enableTypeIgnoreComments": False,
        # By default, folders whose names begin with a dot are left out.
        "include": [str(PACKAGE), str(PROGRAM), str(AUTHORIZER)], "exclude": [],
        # The earliest version for which the package is.
        "executionEnvironments": [{"root": str(PACKAGE.parent), "pythonVersion": "3.9"}, {"root": "/", "extraPaths": [str(PACKAGE.parent)]}]}))
    done = subprocess.run([sys.executable, "-m", "basedpyright", "--project", configuration], capture_output=True, text=True)
    assert done.returncode == 0 and "0 errors, 0 warnings" in done.stdout, done.stdout + done.stderr


def test_the_program_has_all_names_and_runs():
    used = {node.id for node in ast.walk(ast.parse(PROGRAM.read_text())) if isinstance(node, ast.Name)}
    assert set(token_security.__all__) <= used
    runpy.run_path(str(PROGRAM), run_name="__main__")


def public():
    """Each public callable: its name, its documentation, and what has its parameters; None where it has none."""
    for name in token_security.__all__:
        thing = getattr(token_security, name)
        if not inspect.isclass(thing):
            yield name, thing.__doc__, thing
            continue
        # Those that an application does not make: claims are a dictionary, and a verifier of requests makes sessions.
        yield name, thing.__doc__, None if name in ("Claims", "Explanation", "Session") else thing
        for owner in thing.__mro__:
            if not owner.__module__.startswith("token_security"):
                continue
            for member, value in vars(owner).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, (classmethod, property))):
                    function = value.fget if isinstance(value, property) else getattr(owner, member)
                    yield f"{name}.{member}", function.__doc__, function


@pytest.mark.parametrize("name, text, parameters", [pytest.param(*each, id=each[0]) for each in public()])
def test_documentation_names_each_parameter(name, text, parameters):
    text = text or ""
    assert text.strip(), f"{name} has no documentation"
    if parameters is None:
        return
    expected = [each for each in inspect.signature(parameters).parameters if each != "self"]
    documented = [line.split()[1].rstrip(":") for line in text.splitlines() if line.strip().startswith(":param ")]
    assert documented == expected
    # What a call takes has bounds: a refusal is a part of what it does. Values that are made by nothing else are not checked.
    if expected and name not in ("Credentials", "SrpRecord", "TotpState", "TokenSecurityError"):
        assert ":raises " in text, f"{name} does not say what it raises"


def test_a_missing_parameter_is_found():
    def undocumented(a, b):
        """Does it.

        :param a: this.
        :raises ValueError: always.
        """

    with pytest.raises(AssertionError):
        test_documentation_names_each_parameter("undocumented", undocumented.__doc__, undocumented)
    with pytest.raises(AssertionError):
        test_documentation_names_each_parameter("undocumented", None, undocumented)
