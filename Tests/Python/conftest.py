"""A server of the example's keys, for each test that asks for its port."""
import http.server
import threading

import pytest

from support import KEYS


class Keys(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests += 1
        body = KEYS.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    server.requests = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    assert server.requests <= 8
    server.shutdown()
