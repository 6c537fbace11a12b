"""The lines that demo-user-pool prints and those of the guide, run as they are."""
import os
import pathlib
import re
import subprocess
import sys

from identity_support import PROGRAM
from ports import free_port
from programs import ROOT
from waiting import LIMIT


def test_the_printed_lines(tmp_path):
    process = subprocess.Popen(
        [PROGRAM, "demo-user-pool"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)})
    try:
        greeting = ""
        while "Ctrl-C" not in greeting:
            line = process.stdout.readline()
            assert line, greeting
            greeting += line
        assert "In another terminal" in greeting
        script = "\n".join(line for line in greeting.splitlines() if line.startswith("    "))
        # The programs of this package are in no other path than the printed one.
        path = f"{pathlib.Path(sys.executable).parent}:/usr/bin:/bin"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT,
            env={"PATH": path, "HOME": str(tmp_path)})
        assert done.returncode == 0, done.stdout + done.stderr
        assert "VALID  RS256" in done.stdout
    finally:
        process.terminate()
        process.wait(LIMIT)
    # The data and the messages are gone.
    assert not [name for name in os.listdir(tmp_path) if name.startswith("identity-service-demo")]


def test_the_guide(tmp_path):
    """The commands of the guide, from nothing to a verified token."""
    guide = (ROOT / "docs/user-pools.md").read_text()
    section = guide[guide.index("## A pool of your own"):guide.index("## Signing in")]
    script = "".join(re.findall(r"^```bash\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))
    script = script.replace("8009", str(free_port()))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"PATH": f"{pathlib.Path(sys.executable).parent}:{environment['PATH']}", "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, cwd=ROOT, env=environment, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "VALID  RS256" in done.stdout and "jane@example.com" in done.stdout
