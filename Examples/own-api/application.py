"""An API that knows nothing of signatures: it keeps objects in memory, and believes the header fields of the sidecar."""
import hashlib
import http.server
import sys

objects = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        # The signature covers this hash. Without the comparison, anyone on the way could change the body.
        if hashlib.sha256(body).hexdigest() != self.headers["X-Body-SHA256"]:
            return self.reply(400)
        objects[self.headers["X-Resource"]] = body + b", put by " + self.headers["X-Identity"].encode()
        self.reply(200)

    def do_GET(self):
        found = objects.get(self.headers["X-Resource"])
        self.reply(404 if found is None else 200, found or b"")

    def log_message(self, *words):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
