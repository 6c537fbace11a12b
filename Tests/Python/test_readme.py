"""The programs of the README: they are those that were built, and verify the token of docs/example with the keys that they fetch
from its pool's address."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import token_security
from waiting import LIMIT

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "README.md").read_text()
PROGRAMS = pathlib.Path(os.environ.get("TOKEN_SECURITY_PROGRAMS", ROOT / ".build/debug"))
SUBJECT = "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
EXPIRED = "the token expired at 2026-09-05T09:53:07Z, 2 minutes ago"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def test_the_readme_has_each_program():
    assert len(PAGE.splitlines()) <= 150 and not re.search(r"@\w+@", PAGE)
    for language, name in [("swift", "main.swift"), ("python", "main.py"), ("c", "main.c")]:
        assert blocks(language) == [(ROOT / "Examples/readme" / name).read_text()]


def test_links_of_the_readme():
    links = re.findall(r"^- \[", PAGE.partition("## I want to")[2].partition("\n## ")[0], re.M)
    assert len(links) == 10 and PAGE.partition("## I want to")[2].index("(docs/uses.md)") < 100


@pytest.mark.skipif(
    os.getuid() != 0 and subprocess.run(["unshare", "-Urnm", "true"], capture_output=True).returncode != 0,
    reason="this user may not make namespaces, and is not root")
def test_programs_of_the_readme(tmp_path):
    library = pathlib.Path(token_security.__file__).parent / "libtokensecurity.so.2"
    subprocess.run(
        ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{ROOT}/Sources/Programs/TokenSecurityC/include",
         ROOT / "Examples/readme/main.c", library, f"-Wl,-rpath,{library.parent}", "-o", tmp_path / "main"], check=True)
    command = re.search(r"^    (verify-token --user-pool .*) < token$", PAGE, re.M)[1].split()
    programs = [
        [str(PROGRAMS / "readme-program")], [sys.executable, str(ROOT / "Examples/readme/main.py")], [str(tmp_path / "main")],
        [str(PROGRAMS / command[0]), *command[1:]]]
    done = subprocess.run(
        ["unshare", "-nm" if os.getuid() == 0 else "-Urnm", sys.executable, ROOT / "Tests/Python/published_pool.py", tmp_path, json.dumps(programs)],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    hello, expired = f"Hello, {SUBJECT}\n", f"401 token_expired: {EXPIRED}\n"
    for said in found["said"][:3]:
        assert said[:2] == [[hello, "", 0], [expired, "", 0]]
        assert re.fullmatch(r"401 not_compact: .*\n", said[2][0]) and said[2][1:] == ["", 0]
    valid, late, wrong = found["said"][3]
    assert valid[0].startswith("VALID  RS256, key ") and f"\n  sub             {SUBJECT}\n" in valid[0] and valid[1:] == ["", 0]
    assert late == [f"REFUSED  {EXPIRED} [token_expired]\n", "", 1]
    assert wrong[0].endswith(" [not_compact]\n") and wrong[1:] == ["", 1]
    # A refused text needs no keys.
    assert found["fetched"] >= 3
