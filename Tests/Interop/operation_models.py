"""The tool that makes the declarations of operations, its settings, and the models of the version of botocore that it uses."""
import importlib.util
import pathlib
import tomllib

PATH = pathlib.Path(__file__).resolve().parents[2] / "Tools/operations.py"
_spec = importlib.util.spec_from_file_location("operations_tool", PATH)
tool = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tool)

SETTINGS = tomllib.loads(tool.SETTINGS.read_text())
MODELS = tool.models(tool.fetch(SETTINGS["botocore"]))
