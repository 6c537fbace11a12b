"""The project's own client of user pools as a program, a server that records what it sends, and what botocore sends for the same."""
import http.server
import json
import threading

import botocore
from botocore.awsrequest import AWSResponse
from botocore.config import Config

import aws_clients
from programs import Lines, peer_command

REGION = "us-east-1"


class UserPoolPeer(Lines):
    """A line of JSON in, a line out."""

    def __init__(self):
        super().__init__(peer_command("user-pools"))

    def refused(self, op, kind, **question):
        answer = self.ask(op, **question)
        assert answer.get("type") == kind, (op, answer)
        return answer


class Recorder:
    """Records each call, and answers it with what `answers` has for its operation: a body, or a list of bodies that are given in turn.
    `keys` are the pool's published keys."""

    def __init__(self, answers):
        self.answers, self.seen, self.keys, lock = answers, [], {"keys": []}, threading.Lock()
        recorder = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                prefix, operation = self.headers["X-Amz-Target"].split(".")
                with lock:
                    recorder.seen.append((operation, json.loads(body)))
                    answer = recorder.answers.get(operation, {})
                    if isinstance(answer, list):
                        answer = answer.pop(0)
                assert prefix == "AWSCognitoIdentityProviderService"
                assert self.headers["Content-Type"] == "application/x-amz-json-1.1" and self.path == "/"
                self.answer("application/x-amz-json-1.1", answer)

            def do_GET(self):
                assert self.path.endswith("/.well-known/jwks.json")
                self.answer("application/json", recorder.keys)

            def answer(self, kind, answer):
                content = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def taken(self):
        """What was recorded since the last time."""
        taken, self.seen = self.seen, []
        return taken

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Botocore:
    """Serializes with botocore. Nothing is sent."""

    def __init__(self):
        self.bodies = []
        self.client = aws_clients.client(
            "cognito-idp", region_name=REGION, config=Config(signature_version=botocore.UNSIGNED, retries={"max_attempts": 0}))
        self.client.meta.events.register("before-send.cognito-identity-provider", self.before_send)

    def before_send(self, request, **_):
        operation = request.headers["X-Amz-Target"].decode().split(".")[1]
        self.bodies.append((operation, json.loads(request.body)))

        class Raw:
            def stream(self, *_, **__):
                yield b"{}"

        return AWSResponse(request.url, 200, {"Content-Type": "application/x-amz-json-1.1"}, Raw())

    def call(self, method, **arguments):
        """The operation and the body that botocore would send."""
        self.bodies.clear()
        getattr(self.client, method)(**arguments)
        [body] = self.bodies
        return body
