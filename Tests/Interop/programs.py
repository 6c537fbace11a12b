"""Programs under test, and the peers: programs that use the Swift modules for a test."""
import json
import os
import pathlib
import subprocess
import threading

from waiting import LIMIT

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Folder of all of them. Release programs are faster and take longer to build.
PROGRAMS = pathlib.Path(os.environ.get("TOKEN_SECURITY_PROGRAMS") or ROOT / ".build/debug").absolute()
VERIFY_TOKEN = PROGRAMS / "verify-token"
IDENTITY_SERVICE = PROGRAMS / "identity-service"


def peer_command(name):
    """The command of a peer: the program `peer` with a subcommand."""
    return [PROGRAMS / "peer", name]


class Lines:
    """A program that answers each line of JSON with one."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", **options)
        self.lock = threading.Lock()

    def answer(self, question):
        with self.lock:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        assert line, f"the program ended at {question}: {self.process.wait(LIMIT)}"
        return json.loads(line)

    def ask(self, op, **question):
        return self.answer({"op": op, **question})

    def do(self, op, **question):
        """The answer to a question that is not refused."""
        answer = self.ask(op, **question)
        assert "error" not in answer, (op, answer)
        return answer

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(LIMIT) == 0
