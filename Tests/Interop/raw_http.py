"""HTTP by hand: requests that no library sends, and responses as they come."""
import contextlib
import socket
import struct
import urllib.parse

from waiting import LIMIT, eventually

JSON = "application/x-amz-json-1.1"
TARGET = "AWSCognitoIdentityService."
ESTABLISHED = 1


def connect(service, source="127.0.0.1", receive_buffer=None):
    host = urllib.parse.urlsplit(service.url)
    connection = socket.socket()
    connection.settimeout(LIMIT)
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.bind((source, 0))
    connection.connect((host.hostname, host.port))
    return connection


def _queues(connection):
    """Bytes that this side has not sent, and bytes that the service has not read. None where it has closed the connection."""
    try:
        client, server = connection.getsockname(), connection.getpeername()
    except OSError:
        # It was reset.
        return None

    def text(address):
        return f"{struct.unpack('=I', socket.inet_aton(address[0]))[0]:08X}:{address[1]:04X}"
    sides = {}
    with open("/proc/net/tcp") as table:
        next(table)
        for line in table:
            fields = line.split()
            sides[fields[1], fields[2]] = [int(part, 16) for part in fields[4].split(":")]
    try:
        return sides[text(client), text(server)][0], sides[text(server), text(client)][1]
    except KeyError:
        return None


def is_read(connection):
    """Whether the service has read everything that was sent, or has closed the connection."""
    return _queues(connection) in ((0, 0), None)


def is_open(connection):
    """Whether the kernel has the connection as established, whatever was read of it."""
    return struct.unpack("B", connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1))[0] == ESTABLISHED


def request(method="GET", path="/health", headers=(), body=b"", host=b"localhost", version=b"1.1"):
    """The bytes of a request; every text may be bytes, so that it need not be valid."""
    def raw(text):
        return text if isinstance(text, bytes) else text.encode()
    lines = [raw(method) + b" " + raw(path) + b" HTTP/" + version]
    lines += [b"Host: " + host] if host is not None else []
    lines += [raw(name) + b": " + raw(value) for name, value in headers]
    if body and not any(raw(name).lower() in (b"content-length", b"transfer-encoding") for name, _ in headers):
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def call(target, body, headers=()):
    return request("POST", "/", [("Content-Type", JSON), ("X-Amz-Target", target), *headers], body)


def response(connection):
    """One response: status, headers in lower case, body. None where the connection ends instead."""
    received = b""
    try:
        while b"\r\n\r\n" not in received:
            part = connection.recv(65536)
            if not part:
                return None
            received += part
        head, _, body = received.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        while len(body) < int(fields.get("content-length", 0)):
            part = connection.recv(65536)
            if not part:
                return None
            body += part
        return int(lines[0].split(" ")[1]), fields, body
    except OSError:
        return None


def exchange(service, data, source="127.0.0.1"):
    """Sends bytes on a connection of their own. None where it is closed, be it before it is open."""
    try:
        connection = connect(service, source)
    except ConnectionResetError:
        return None
    with connection:
        with contextlib.suppress(OSError):
            connection.sendall(data)
        return response(connection)


class Held:
    """Requests on connections of their own that keep their places: bodies that do not end, or responses that are not read.

    A further request that comes before all have their places takes one of them, and one of these is refused. Its refusal
    may come only after its body, so that no connection shows it: `renew` begins all anew.
    """

    def __init__(self, service, count, data, receive_buffer=None):
        self.service, self.count, self.data, self.receive_buffer = service, count, data, receive_buffer
        self.connections = []
        self.renew()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._close()

    def __getitem__(self, index):
        return self.connections[index]

    def _close(self):
        while self.connections:
            self.connections.pop().close()

    def renew(self):
        """Sends all on new connections, and returns False, when the service has read what was sent."""
        self._close()
        for _ in range(self.count):
            self.connections.append(connect(self.service, receive_buffer=self.receive_buffer))
            with contextlib.suppress(OSError):
                self.connections[-1].sendall(self.data)
        eventually(lambda: all(is_read(connection) for connection in self.connections))
        return False
