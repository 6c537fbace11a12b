"""A server of the example's keys, for each test that asks for its port."""
import http.server
import threading

import pytest

from run_folder import pytest_configure  # noqa: F401 (a hook)
from support import Keys


@pytest.fixture
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    server.requests = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    assert server.requests <= 8
    server.shutdown()
