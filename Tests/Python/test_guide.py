"""The guide for Python: its blocks run one after the other, print what their comments say, and show the examples as they are."""
import base64
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import pytest

import token_security
from test_sessions import ANSWER, OWN, USER
from token_security import RequestVerifier
from waiting import LIMIT

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)
EXAMPLES = {path.name: path.read_text() for path in sorted((ROOT / "Examples/python").glob("*.py"))}
OWN_BLOCKS = [block for block in BLOCKS if block not in EXAMPLES.values()]


def test_the_guide_has_the_examples_as_they_are():
    assert len(EXAMPLES) == 4 and all(BLOCKS.count(text) == 1 for text in EXAMPLES.values())
    assert len(OWN_BLOCKS) == 16
    assert all(len(text.splitlines()) <= 60 for text in EXAMPLES.values())


def expected(block):
    """What the comments of a block say that its calls of print do; … stands for the rest of a line."""
    return re.findall(r"^ *print\(.*\)  +# (.*)$", block, re.M)


class Service(http.server.BaseHTTPRequestHandler):
    """Gives the key of a session for the day of the question."""

    timeout = LIMIT

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        own = RequestVerifier(service="signing-keys", region="us-east-1", host=f"127.0.0.1:{self.server.server_port}")
        own.verify({OWN.access_key_id: OWN}.get, method="POST", target=self.path, headers=self.headers.items(), body=body)
        key = f"AWS4{USER.secret}".encode()
        for part in (json.loads(body)["Day"], "eu-west-1", "orders", "aws4_request"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        text = json.dumps({**ANSWER, "SigningKey": base64.b64encode(key).decode(), "Expiration": int(time.time()) + 3600}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


@pytest.fixture
def service():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


#: A request of a session, for the function that the guide defines.
READS = f"""
own = "/users/u-1/orders/1"
user = Credentials({USER.access_key_id!r}, {USER.secret!r}, {USER.session_token!r})
signed = sign_request(user, service="orders", region="eu-west-1", method="GET", target=own, headers={{"Host": "api.example"}})
print(read("u-1", 1, own, signed, "203.0.113.7"))
try:
    read("u-2", 1, own, signed, "203.0.113.7")
except TokenSecurityError as error:
    print(error.code, error.http_status)
"""


def test_the_blocks_run(service):
    done = subprocess.run([sys.executable, "-c", "\n".join([*OWN_BLOCKS, READS])], capture_output=True, text=True, timeout=LIMIT, cwd=ROOT, env={
        **os.environ, "PYTHONPATH": str(pathlib.Path(token_security.__file__).parent.parent),
        "IDENTITY_SERVICE": f"http://127.0.0.1:{service.server_port}", "AWS_ACCESS_KEY_ID": OWN.access_key_id,
        "AWS_SECRET_ACCESS_KEY": OWN.secret})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    said = [line for block in OWN_BLOCKS for line in expected(block)]
    assert len(said) > 10
    for line, text in zip(done.stdout.splitlines(), [*said, ANSWER["Session"]["IdentityId"], "session_denied 403"], strict=True):
        assert line.startswith(text[:-1]) if text.endswith("…") else line == text, (line, text)
