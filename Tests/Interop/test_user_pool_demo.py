"""The lines that demo-user-pool prints, run as they are."""
import os
import pathlib
import subprocess
import sys

from identity_support import PROGRAM


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
            ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120,
            env={"PATH": path, "HOME": str(tmp_path)})
        assert done.returncode == 0, done.stdout + done.stderr
        assert "VALID" in done.stdout
    finally:
        process.terminate()
        process.wait(20)
    # The data and the messages are gone.
    assert not [name for name in os.listdir(tmp_path) if name.startswith("identity-service-demo")]
