"""What the tests share: the example of the documentation, and what runs in a forked process."""
import http.server
import multiprocessing
import pathlib

import pytest

from token_security import TokenSecurityError, Verifier
from waiting import LIMIT

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/example"
TOKEN = (EXAMPLE / "access-token.txt").read_text().strip()
KEYS = (EXAMPLE / "jwks.json").read_text()
THEN = 1788598987
POOL, CLIENT = "eu-west-1_Example01", "1h57kf5cpq17m0eml12EXAMPLE"
ISSUER = "https://issuer.example"


def code(body):
    with pytest.raises(TokenSecurityError) as refused:
        body()
    return refused.value.code


class Keys(http.server.BaseHTTPRequestHandler):
    # Not the default of sockets, which a test makes very short.
    timeout = LIMIT

    def do_GET(self):
        self.server.requests += 1
        body = KEYS.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def fetching(port, timeout=60, fetch_timeout=60):
    return Verifier.from_policy({
        "version": 1, "fetching": {"allows_plain_loopback": True, "timeout": fetch_timeout},
        "issuers": [{"profile": "cognito-user-pool", "pool": POOL, "use": "access", "client_ids": CLIENT,
                     "keys": {"jwks_uri": f"http://127.0.0.1:{port}/"}}]}, timeout=timeout)


def forked(body, *arguments):
    """What a function puts into the queue that it gets, in a forked process."""
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=body, args=(*arguments, results))
    child.start()
    found = results.get(timeout=LIMIT)
    child.join()
    assert child.exitcode == 0
    return found
