"""Web servers of tests: what they send is raw bytes, so that they can hang, trickle and lie."""
import contextlib
import socket
import ssl
import subprocess
import threading

from support import KEYS
from waiting import LIMIT


def response(body=KEYS, status="200 OK", fields=(), type="application/json"):
    """A complete response."""
    body = body.encode() if isinstance(body, str) else body
    head = [f"HTTP/1.1 {status}", f"Content-Type: {type}", f"Content-Length: {len(body)}", "Connection: close", *fields]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


class Server:
    """A server that gives each connection to a function, in a thread of its own.

    :param play: gets the connection, after TLS, and the text of its request; returns bytes to send, or sends itself.
    """

    def __init__(self, play, certificate=None, read=True):
        self.play, self.requests, self._read = play, [], read
        self._connections = []
        self._context = None
        if certificate:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=(self._socket.accept()[0],), daemon=True).start()

    def _serve(self, connection):
        connection.settimeout(LIMIT)
        self._connections.append(connection)
        with contextlib.suppress(OSError), contextlib.closing(connection):
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            text = b""
            while self._read and not text.endswith(b"\r\n\r\n"):
                part = connection.recv(65_536)
                if not part:
                    return
                text += part
            self.requests.append(text.decode())
            found = self.play(connection, text.decode()) if callable(self.play) else self.play
            if found:
                connection.sendall(found)
            if self._context:
                connection.unwrap()

    def close(self):
        """Ends all connections, so that no client waits any longer."""
        for each in (self._socket, *self._connections):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def trickle(start):
    """Sends its start, and then a byte every now and then, until the client goes away."""
    def play(connection, _):
        connection.sendall(start)
        # Between two bytes it waits a little for the end of the client, which sends nothing else.
        connection.settimeout(0.02)
        while True:
            connection.sendall(b"a")
            with contextlib.suppress(socket.timeout):
                if not connection.recv(1):
                    return
    return play


def silent(connection, _):
    """Sends nothing until the client goes away."""
    while connection.recv(65_536):
        pass


def made_certificate(folder, names, common="test"):
    """A file with a certificate of its own and its key."""
    file, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", f"/CN={common}",
         *(["-addext", f"subjectAltName={names}"] if names else []), "-keyout", key, "-out", file], check=True, capture_output=True)
    whole = folder / "whole.pem"
    whole.write_text(file.read_text() + key.read_text())
    return whole
