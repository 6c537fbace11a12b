"""The sidecar, nginx in front of an application, and an issuer of tokens."""
import http.client
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time

from joserfc import jwk, jwt

from ports import free_port
from programs import VERIFY_TOKEN as PROGRAM
from waiting import LIMIT, eventually

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
AUDIENCE = "api"


class Server:
    """An HTTP server of this process on a free port."""

    def __init__(self, answer):
        self.paths = paths = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                paths.append(self.path)
                # A body that is left unread resets the connection, and the answer can be lost.
                self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, fields, body = answer(self)
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Issuer:
    """An issuer whose keys are at an address, which can fail."""

    def __init__(self):
        self.keys, self.fetches, self.works = [self.new_key("1")], 0, True
        # Answers wait until this is set.
        self.released = threading.Event()
        self.released.set()
        self.server = Server(self.answer)
        self.url = f"http://127.0.0.1:{self.server.port}"

    def new_key(self, name):
        return jwk.ECKey.generate_key("P-256", {"kid": name, "use": "sig", "alg": "ES256"}, private=True)

    def answer(self, request):
        self.fetches += 1
        self.released.wait(LIMIT)
        if not self.works:
            return 500, {}, b""
        body = json.dumps({"keys": [key.as_dict(private=False) for key in self.keys]}).encode()
        return 200, {"Content-Type": "application/json", "Cache-Control": "max-age=600"}, body

    def token(self, key=None, lifetime=600, **claims):
        key = key or self.keys[-1]
        now = int(time.time())
        body = {"iss": self.url, "aud": AUDIENCE, "sub": "jane", "iat": now, "exp": now + lifetime, **claims}
        return jwt.encode({"alg": "ES256", "kid": key.kid}, body, key, algorithms=["ES256"])

    @property
    def policy(self):
        return {
            "version": 1, "fetching": {"allows_plain_loopback": True}, "issuers": [
                {"profile": "token", "issuer": self.url, "audience": AUDIENCE, "keys": {"jwks_uri": self.url + "/jwks"}}]}


class Sidecar:
    def __init__(self, folder, issuer, routes, socket_mode="666", listen=None, umask=-1, **more):
        self.folder = pathlib.Path(folder)
        self.socket = self.folder / "sidecar.sock"
        self.management = free_port()
        self.configuration = {
            "version": 1, "listen": listen or f"unix:{self.socket}", "socket_mode": socket_mode,
            "management": f"127.0.0.1:{self.management}", "policies": {"users": issuer.policy}, "routes": routes,
            "log_level": "debug", **more}
        self.file = self.folder / "sidecar.json"
        self.write()
        self.log = self.folder / "sidecar.log"
        self.process = subprocess.Popen([PROGRAM, "serve", self.file], stderr=self.log.open("w"), umask=umask)
        eventually(lambda: '"listening"' in self.log.read_text() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log.read_text()

    def write(self):
        self.file.write_text(json.dumps(self.configuration))

    def reload(self):
        before = self.log.read_text().count("SIGHUP")
        self.process.send_signal(signal.SIGHUP)
        eventually(lambda: self.log.read_text().count("SIGHUP") > before)

    def ask(self, path, headers=(), method="GET", body=None):
        """A question as a proxy asks it: status and header fields."""
        connection = UnixConnection(self.socket)
        hosts = any(name.lower() == "host" for name, _ in headers)
        connection.putrequest(method, path, skip_host=hosts, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}

    def status(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.management, timeout=LIMIT)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer.status, body

    def stop(self):
        self.process.terminate()
        return self.process.wait(LIMIT)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=LIMIT)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(LIMIT)
        self.sock.connect(str(self.path))


class Nginx:
    """Debian's nginx with the configuration of the guide, in a folder of its own."""

    def __init__(self, folder, text, port=None, outer=""):
        self.folder = pathlib.Path(folder) / "nginx"
        self.folder.mkdir()
        self.port = port or free_port()
        configuration = self.folder / "nginx.conf"
        configuration.write_text(f"""
daemon off;
pid {self.folder}/pid;
error_log {self.folder}/error.log;
user {os.environ.get("USER", "root") if os.getuid() else "root"};
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {self.folder}/body;
  proxy_temp_path {self.folder}/proxy;
  fastcgi_temp_path {self.folder}/fastcgi;
  uwsgi_temp_path {self.folder}/uwsgi;
  scgi_temp_path {self.folder}/scgi;
{outer}
  server {{
    listen 127.0.0.1:{self.port};
{text}
  }}
}}
""")
        self.process = subprocess.Popen([NGINX, "-p", self.folder, "-c", configuration], stderr=subprocess.PIPE, text=True, cwd=self.folder)
        eventually(self.is_open)

    def is_open(self):
        assert self.process.poll() is None, self.process.communicate()[1]
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def get(self, path, headers=None, method="GET", body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=LIMIT)
