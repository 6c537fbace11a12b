"""Fetches a document: GET over TLS, on the calling thread, without redirects, within a size and a total time."""
from __future__ import annotations

import socket
import time
from ctypes import byref, c_char_p

from ._library import library

#: The most bytes of a response's head, of a proxy's, and of what chunks have beside the body.
_HEAD = 1 << 16
#: Milliseconds after a fetch's time: the library then says that the time is over, and not this module that it seems so.
_AFTER = 2
_TOKEN = frozenset(b"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


class _Failed(Exception):
    """Why there is no response: one sentence."""


def check(proxy: str | None) -> None:
    """Refuses a proxy's URL that cannot be used.

    :raises ValueError: for such a one.
    """
    if proxy is not None:
        _Proxy(proxy)


def get(fetch: int, proxy: str | None) -> str | None:
    """Fetches a document for the library.

    :param proxy: the URL of the proxy for other machines.
    :return: why there is no response; None where there is one.
    """
    try:
        _send(fetch, None if proxy is None else _Proxy(proxy))
        return None
    except _Failed as error:
        return str(error)
    except (OSError, ValueError) as error:
        if not _is_own(error):
            raise
        return _reason(error)


def _send(fetch: int, proxy: _Proxy | None) -> None:
    end = time.monotonic() + (library.ts_fetch_timeout_ms(fetch) + _AFTER) / 1000
    scheme, _, rest = library.ts_fetch_url(fetch).decode().partition("://")
    authority = rest.split("/")[0].split("?")[0]
    target = rest[len(authority):]
    is_plain = scheme == "http"
    host, port = _place(authority, 80 if is_plain else 443)
    # Whatever is neither of these has no connection: nothing is sent in plain text that does not say so exactly.
    if scheme != "https" and not (is_plain and _is_loopback(host)):
        raise _Failed("the URL is not https, or http to this machine")
    roots = library.ts_fetch_trust_roots(fetch)
    connection = _Connection(end, library.ts_fetch_size_limit(fetch) + 2 * _HEAD)
    try:
        if is_plain:
            connection.open(host, port)
        elif proxy is None or _is_loopback(host):
            connection.open(host, port)
            connection.secure(host, roots)
        else:
            proxy.open(connection, host, port)
            connection.secure(host, roots)
        lines = [f"GET {target if target.startswith('/') else '/' + target} HTTP/1.1", f"Host: {authority}"]
        lines += [f"{name}: {value}" for name, value in _headers(fetch)]
        lines += ["User-Agent: token-security", "Connection: close"]
        connection.send(lines)
        _receive(connection, fetch)
    finally:
        connection.close()


def _headers(fetch: int) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    name, value = c_char_p(), c_char_p()
    while library.ts_fetch_header(fetch, len(found), byref(name), byref(value)):
        found.append(((name.value or b"").decode(), (value.value or b"").decode()))
    return found


def _place(authority: str, port: int) -> tuple[str, int]:
    """Host and port of a URL that the library has accepted. An IPv6 address loses its brackets."""
    host, colon, digits = authority.rpartition(":")
    if not colon or "]" in digits:
        host, digits = authority, str(port)
    return host.strip("[]").lower(), int(digits)


def _is_loopback(host: str) -> bool:
    if ":" in host:
        return socket.inet_pton(socket.AF_INET6, host) == b"\0" * 15 + b"\1"
    return host == "localhost" or host.startswith("127.") and host.replace(".", "").isdigit()


#: Where the errors of a connection come from; with gevent and eventlet, too.
_SOURCES = frozenset((__name__.partition(".")[0], "socket", "ssl", "encodings", "gevent", "eventlet", "dns"))


def _is_own(error: Exception) -> bool:
    """False for an error that the handler of a signal has raised meanwhile, such as an application's time limit."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is None or str(place.tb_frame.f_globals.get("__name__")).partition(".")[0] in _SOURCES


def _reason(error: Exception) -> str:
    if isinstance(error, (socket.timeout, TimeoutError)):
        return "the time is over"
    if type(error).__name__ == "SSLCertVerificationError":
        return f"the server's certificate is not trusted for this name: {getattr(error, 'verify_message', '')}"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class _Connection:
    """A connection whose whole use has a time, and whose whole input has a size."""

    def __init__(self, end: float, limit: int) -> None:
        self._end = end
        self._limit = limit
        self._socket: socket.socket | None = None
        self._input = bytearray()

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise _Failed("the time is over")
        return left

    def open(self, host: str, port: int) -> None:
        """Connects to the first address that accepts. Each has its share of the time that is left."""
        try:
            addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            if not _is_own(error):
                raise
            raise _Failed(f"the name {host} was not resolved: {_reason(error)}") from None
        reason = "it has no address"
        for index, (family, kind, protocol, _, address) in enumerate(addresses):
            made = socket.socket(family, kind, protocol)
            try:
                made.settimeout(self._left() / (len(addresses) - index))
                made.connect(address)
                self._socket = made
                return
            except BaseException as error:
                made.close()
                if not isinstance(error, OSError) or not _is_own(error):
                    raise
                reason = _reason(error)
        raise _Failed(f"no connection to {host}:{port}: {reason}")

    def secure(self, host: str, roots: bytes | None) -> None:
        """Makes the connection one of TLS 1.2 or later, with a certificate for the host."""
        import ssl

        plain = self._socket
        if plain is None or self._input:
            raise _Failed("the proxy has sent more than its response")
        context = ssl.create_default_context(cafile=None if roots is None else roots.decode())
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        plain.settimeout(self._left())
        # An end without TLS's own end is an error: somebody may have cut the response.
        self._socket = context.wrap_socket(plain, server_hostname=host, suppress_ragged_eofs=False)

    def send(self, lines: list[str]) -> None:
        """Sends the head of a request."""
        if self._socket is not None:
            self._socket.settimeout(self._left())
            self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("ascii"))

    def _receive(self) -> bytes:
        if self._socket is None:
            return b""
        # Anew for each part: a server that sends a byte now and then gets no more time by it.
        self._socket.settimeout(self._left())
        part = self._socket.recv(1 << 16)
        self._limit -= len(part)
        if self._limit < 0:
            raise _Failed("the response has too many bytes beside its body")
        return part

    def line(self) -> bytes:
        """A line, without its end."""
        searched = 0
        while (end := self._input.find(b"\n", searched)) < 0:
            searched = len(self._input)
            if searched > _HEAD:
                raise _Failed("the response has a line that is too long")
            part = self._receive()
            if not part:
                raise _Failed("the server closed the connection before the end")
            self._input += part
        found = bytes(self._input[:end])
        del self._input[:end + 1]
        return found[:-1] if found.endswith(b"\r") else found

    def some(self, most: int | None) -> bytes:
        """At least a byte and at most so many; none at the end."""
        if not self._input:
            self._input += self._receive()
        found = bytes(self._input[:most])
        del self._input[:len(found)]
        return found

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()


def _head(connection: _Connection) -> tuple[int, list[tuple[bytes, bytes]]]:
    """The status and the fields of the next response that is no interim one."""
    size = 0
    while True:
        version, _, rest = connection.line().partition(b" ")
        digits = rest[:3]
        if version not in (b"HTTP/1.1", b"HTTP/1.0") or not digits.isdigit() or len(digits) != 3 or rest[3:4] not in (b"", b" "):
            raise _Failed("the response is not HTTP/1.1")
        status, fields = int(digits), []
        while line := connection.line():
            size += len(line)
            name, colon, value = line.partition(b":")
            if size > _HEAD:
                raise _Failed("the response has a head that is too large")
            if not colon or not name or not _TOKEN.issuperset(name) or any(byte < 32 and byte != 9 or byte == 127 for byte in value):
                raise _Failed("the response has a malformed header field")
            fields.append((name.lower(), value.strip(b" \t")))
        if not 100 <= status <= 599 or status == 101:
            raise _Failed("the response's status is not one of a response to GET")
        if status >= 200:
            return status, fields


def _receive(connection: _Connection, fetch: int) -> None:
    """Gives a response to the library as it comes."""
    status, fields = _head(connection)
    library.ts_fetch_set_status(fetch, status, None)
    for name, value in fields:
        library.ts_fetch_add_header(fetch, name, value.decode("latin-1").encode(), None)
    lengths = {value for name, value in fields if name == b"content-length"}
    codings = [value.lower() for name, value in fields if name == b"transfer-encoding"]
    if status in (204, 304):
        return
    if codings:
        if codings != [b"chunked"] or lengths:
            raise _Failed("the response has an unknown transfer coding, or two lengths")
        _receive_chunks(connection, fetch)
    elif lengths:
        length = lengths.pop()
        if lengths or not length.isdigit() or len(length) > 18:
            raise _Failed("the response has a malformed length")
        _receive_bytes(connection, fetch, int(length))
    else:
        while (part := connection.some(None)) and _give(fetch, part):
            pass


def _give(fetch: int, part: bytes) -> bool:
    """False if the body is too large, which the library keeps."""
    return bool(library.ts_fetch_add_body(fetch, part, len(part), None) == 0)


def _receive_bytes(connection: _Connection, fetch: int, length: int) -> bool:
    while length > 0:
        part = connection.some(min(length, 1 << 16))
        if not part:
            raise _Failed("the server closed the connection before the end")
        if not _give(fetch, part):
            return False
        length -= len(part)
    return True


def _receive_chunks(connection: _Connection, fetch: int) -> None:
    while True:
        digits = connection.line().split(b";")[0].strip(b" \t")
        if not digits or len(digits) > 15 or not all(byte in b"0123456789abcdefABCDEF" for byte in digits):
            raise _Failed("the response has a malformed chunk")
        length = int(digits, 16)
        if not _receive_bytes(connection, fetch, length):
            return
        if length == 0:
            while connection.line():
                pass
            return
        if connection.line():
            raise _Failed("the response has a malformed chunk")


class _Proxy:
    """An HTTP proxy, through which connections to other machines are made."""

    def __init__(self, url: str) -> None:
        refused = ValueError("the proxy must be http://HOST:PORT or http://USER:PASSWORD@HOST:PORT")
        scheme, _, rest = url.partition("://")
        credentials, at, authority = rest.rpartition("@")
        if scheme != "http" or not authority.isascii() or not authority.isprintable() or set(authority) & set("/?# "):
            raise refused
        try:
            self._host, self._port = _place(authority, 80)
        except ValueError:
            raise refused from None
        if not self._host or not 0 < self._port < 65_536:
            raise refused
        self._fields: list[str] = []
        if at:
            import base64
            import urllib.parse

            text = base64.b64encode(urllib.parse.unquote_to_bytes(credentials)).decode()
            self._fields = [f"Proxy-Authorization: Basic {text}"]

    def open(self, connection: _Connection, host: str, port: int) -> None:
        """Opens a tunnel to a host."""
        connection.open(self._host, self._port)
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        connection.send([f"CONNECT {place} HTTP/1.1", f"Host: {place}", *self._fields])
        status, _ = _head(connection)
        if not 200 <= status < 300:
            raise _Failed(f"the proxy responded with status {status}")
