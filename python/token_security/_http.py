"""Fetches a document: GET or POST over TLS, on the calling thread, without redirects, within a size and a total time."""
from __future__ import annotations

import socket
import time
from ctypes import byref, c_char_p, c_size_t, string_at

from ._connection import HEAD, Connection, Failed, is_of_handler, reason
from ._library import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

#: Milliseconds after a fetch's time: the library then says that the time is over, and not this module that it seems so.
_AFTER = 2
_TOKEN = frozenset(b"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NAME = frozenset("-._0123456789abcdefghijklmnopqrstuvwxyz")


def check(proxy: str | None) -> None:
    """Refuses a proxy's URL that cannot be used.

    :raises ValueError: for such a one.
    """
    if proxy is not None:
        _Proxy(proxy)


def get(fetch: int, proxy: str | None, rules: Callable[[str | None], ssl.SSLContext]) -> str | None:
    """Fetches a document for the library.

    :param proxy: the URL of the proxy for other machines.
    :param rules: the rules of TLS with certificates of a file, or with the machine's.
    :return: why there is no response; None where there is one.
    """
    try:
        _send(fetch, None if proxy is None else _Proxy(proxy), rules)
        return None
    except Failed as error:
        return str(error)
    except (OSError, ValueError) as error:
        # From wherever it comes: resolvers and sockets may be wrapped.
        if is_of_handler(error):
            raise
        return reason(error)


def _send(fetch: int, proxy: _Proxy | None, rules: Callable[[str | None], ssl.SSLContext]) -> None:
    end = time.monotonic() + (library.ts_fetch_timeout_ms(fetch) + _AFTER) / 1000
    scheme, _, rest = library.ts_fetch_url(fetch).decode().partition("://")
    authority = rest.split("/")[0].split("?")[0]
    target = rest[len(authority):]
    is_plain = scheme == "http"
    host, port = _place(authority, 80 if is_plain else 443)
    # Whatever is neither of these has no connection: nothing is sent in plain text that does not say so exactly.
    if scheme != "https" and not (is_plain and _is_loopback(host)):
        raise Failed("the URL is not https, or http to this machine")
    roots = library.ts_fetch_trust_roots(fetch)
    connection = Connection(end, library.ts_fetch_size_limit(fetch) + 2 * HEAD)
    try:
        if is_plain:
            connection.open(host, port)
        else:
            own = rules(None if roots is None else roots.decode())
            if proxy is None or _is_loopback(host):
                connection.open(host, port)
            else:
                proxy.open(connection, host, port)
            connection.secure(host, own)
        method, body = library.ts_fetch_method(fetch).decode(), _body(fetch)
        lines = [f"{method} {target if target.startswith('/') else '/' + target} HTTP/1.1", f"Host: {authority}"]
        lines += [f"{name}: {value}" for name, value in _headers(fetch) if name.lower() not in ("host", "content-length")]
        lines += ["User-Agent: token-security", "Connection: close"]
        lines += [f"Content-Length: {len(body)}"] * (method != "GET")
        connection.send(lines, body)
        _receive(connection, fetch)
    finally:
        connection.close()


def _headers(fetch: int) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    name, value = c_char_p(), c_char_p()
    while library.ts_fetch_header(fetch, len(found), byref(name), byref(value)):
        found.append(((name.value or b"").decode(), (value.value or b"").decode()))
    return found


def _body(fetch: int) -> bytes:
    length = c_size_t()
    start = library.ts_fetch_body(fetch, byref(length))
    return string_at(start, length.value) if start else b""


def _place(authority: str, port: int) -> tuple[str, int]:
    """Host and port of a URL that the library has accepted. An IPv6 address loses its brackets."""
    host, colon, digits = authority.rpartition(":")
    if not colon or "]" in digits:
        host, digits = authority, str(port)
    if not digits.isascii() or not digits.isdigit() or len(digits) > 5:
        raise ValueError("the port is no number")
    return host.strip("[]").lower(), int(digits)


def _is_version_6(host: str) -> bool:
    try:
        return bool(socket.inet_pton(socket.AF_INET6, host))
    except OSError:
        return False


def _is_loopback(host: str) -> bool:
    if ":" in host:
        return socket.inet_pton(socket.AF_INET6, host) == b"\0" * 15 + b"\1"
    return host == "localhost" or host.startswith("127.") and host.replace(".", "").isdigit()


def _fields(connection: Connection, size: int) -> tuple[list[tuple[bytes, bytes]], int]:
    """The fields of a head, or of a trailer, and the bytes of all heads until then."""
    fields: list[tuple[bytes, bytes]] = []
    while line := connection.line():
        size += len(line)
        name, colon, value = line.partition(b":")
        if size > HEAD:
            raise Failed("the response has a head that is too large")
        if not colon or not name or not _TOKEN.issuperset(name):
            raise Failed("the response has a malformed header field")
        fields.append((name.lower(), value.strip(b" \t")))
    return fields, size


def _head(connection: Connection) -> tuple[int, list[tuple[bytes, bytes]]]:
    """The status and the fields of the next response that is no interim one."""
    size = 0
    while True:
        version, _, rest = connection.line().partition(b" ")
        digits = rest[:3]
        if version not in (b"HTTP/1.1", b"HTTP/1.0") or not digits.isdigit() or len(digits) != 3 or rest[3:4] not in (b"", b" "):
            raise Failed("the response is not HTTP/1.1")
        status = int(digits)
        fields, size = _fields(connection, size)
        if version == b"HTTP/1.0" and any(name == b"transfer-encoding" for name, _ in fields):
            raise Failed("the response has a transfer coding, which HTTP/1.0 does not have")
        if not 100 <= status <= 599 or status == 101:
            raise Failed("the response's status is not one of a response")
        if status >= 200:
            return status, fields


def _receive(connection: Connection, fetch: int) -> None:
    """Gives a response to the library as it comes."""
    status, fields = _head(connection)
    library.ts_fetch_set_status(fetch, status, None)
    for name, value in fields:
        library.ts_fetch_add_header(fetch, name, value.decode("latin-1").encode(), None)
    lengths = {value for name, value in fields if name == b"content-length"}
    codings = [value.lower() for name, value in fields if name == b"transfer-encoding"]
    if status in (204, 304):
        return
    if any(value.lower() != b"identity" for name, value in fields if name == b"content-encoding"):
        raise Failed("the response has a content coding, which was not asked for")
    if codings:
        if codings != [b"chunked"] or lengths:
            raise Failed("the response has an unknown transfer coding, or two lengths")
        _receive_chunks(connection, fetch)
    elif lengths:
        length = lengths.pop()
        if lengths or not length.isdigit() or len(length) > 18:
            raise Failed("the response has a malformed length")
        _receive_bytes(connection, fetch, int(length))
    else:
        while (part := connection.some(None)) and _give(fetch, part):
            pass


def _give(fetch: int, part: bytes) -> bool:
    """False if the body is too large, which the library keeps."""
    return bool(library.ts_fetch_add_body(fetch, part, len(part), None) == 0)


def _receive_bytes(connection: Connection, fetch: int, length: int) -> bool:
    while length > 0:
        part = connection.some(min(length, 1 << 16))
        if not part:
            raise Failed("the server closed the connection before the end")
        if not _give(fetch, part):
            return False
        length -= len(part)
    return True


def _receive_chunks(connection: Connection, fetch: int) -> None:
    while True:
        digits = connection.line().partition(b";")[0]
        if not digits or len(digits) > 15 or not all(byte in b"0123456789abcdefABCDEF" for byte in digits):
            raise Failed("the response has a malformed chunk")
        length = int(digits, 16)
        if not _receive_bytes(connection, fetch, length):
            return
        if length == 0:
            _fields(connection, 0)
            return
        if connection.line():
            raise Failed("the response has a malformed chunk")


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
        if ":" in self._host or "[" in authority or "]" in authority:
            is_host = authority.startswith("[") and authority.partition("]")[2][:1] in ("", ":") and _is_version_6(self._host)
        else:
            is_host = bool(self._host) and _NAME.issuperset(self._host)
        if not is_host or not 0 < self._port < 65_536:
            raise refused
        self._fields: list[str] = []
        if at:
            import base64
            import urllib.parse

            text = base64.b64encode(urllib.parse.unquote_to_bytes(credentials)).decode()
            self._fields = [f"Proxy-Authorization: Basic {text}"]

    def open(self, connection: Connection, host: str, port: int) -> None:
        """Opens a tunnel to a host."""
        connection.open(self._host, self._port)
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        connection.send([f"CONNECT {place} HTTP/1.1", f"Host: {place}", *self._fields])
        status, _ = _head(connection)
        if not 200 <= status < 300:
            raise Failed(f"the proxy responded with status {status}")
