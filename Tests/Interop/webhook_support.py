"""A server of ours that a service posts to, as the receivers of its webhooks do."""
import hashlib
import hmac
import http.server
import json
import threading
import time

SECRET = "a secret of the receiver: 0123456789"


def is_signed(headers, body, secret=SECRET):
    """Whether a request is signed as the documentation says."""
    parts = dict(part.split("=", 1) for part in headers["X-Identity-Service-Signature"].split(","))
    expected = hmac.new(secret.encode(), parts["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, parts["v1"]) and abs(int(parts["t"]) - time.time()) < 300


class Receiver:
    """Answers each request with what `answer(path, body)` returns: a status, a JSON value and header fields."""

    def __init__(self, answer=lambda path, body: (200, {}, {})):
        self.answer, self.requests, self.unsigned = answer, [], 0
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if not is_signed(self.headers, body):
                    receiver.unsigned += 1
                value = json.loads(body)
                receiver.requests.append((self.path, dict(self.headers), value))
                status, answer, fields = receiver.answer(self.path, value)
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                try:
                    self.send_response(status)
                    for name, field in {"Content-Length": str(len(data)), **fields}.items():
                        self.send_header(name, field)
                    self.end_headers()
                    self.wfile.write(data)
                except BrokenPipeError:
                    pass  # The service has given up.

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server.server_address[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def bodies(self):
        return [body for _, _, body in self.requests]


def private(path, text):
    """A file that no other user can read."""
    path.write_text(text)
    path.chmod(0o600)
    return path
