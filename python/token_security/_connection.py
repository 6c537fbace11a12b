"""A connection for one fetch: whatever the server does, its use ends within a time, and its input within a size."""
from __future__ import annotations

import _thread
# Names are resolved, and compared with certificates, in this encoding. An import in a fetch could be cut by a fork.
import encodings.idna  # noqa: F401  # pyright: ignore[reportUnusedImport]
import os
import socket
import ssl
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    _Value = TypeVar("_Value")

#: The most bytes of a response's head, of a proxy's, and of what chunks have beside the body.
HEAD = 1 << 16
#: What TLS may add to that: certificates, and what its records have beside their content.
_TLS = 1 << 18
#: The most bytes that are read, and that OpenSSL gets, at a time: between two such pieces are the checks of time and size.
_PIECE = 1 << 14

#: Held while OpenSSL works, and by a fork: the child never has a lock of OpenSSL that a thread of its parent held. The work of a
#: piece is short. A handler of a signal may fork while its own thread holds it.
_working = _thread.RLock()
os.register_at_fork(before=_working.acquire, after_in_parent=_working.release, after_in_child=_working.release)


class Failed(Exception):
    """Why there is no response: one sentence."""


def context(roots: str | None) -> ssl.SSLContext:
    """The rules of TLS for all fetches of a verifier.

    :param roots: the file of the certificates that may sign the server's; None for the machine's.
    """
    with _working:
        made = ssl.create_default_context(cafile=roots)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        made.hostname_checks_common_name = False
        made.set_alpn_protocols(["http/1.1"])
        return made


def is_of_handler(error: BaseException) -> bool:
    """Whether the handler of a signal has raised it, such as an application's time limit.

    The interpreter calls a handler with the frame that the signal has interrupted.
    """
    place = error.__traceback__
    interrupted: object = None
    while place is not None:
        code, values = place.tb_frame.f_code, place.tb_frame.f_locals
        # With the names of the rest of the arguments, and of those by name.
        for name in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount + 2]:
            value = values.get(name)
            if interrupted is not None and (
                    value is interrupted
                    or type(value) is tuple and any(each is interrupted for each in value)):  # pyright: ignore[reportUnknownVariableType]
                return True
        interrupted = place.tb_frame
        place = place.tb_next
    return False


def reason(error: BaseException) -> str:
    """An error of a connection, as a sentence."""
    if isinstance(error, (socket.timeout, TimeoutError)):
        return "the time is over"
    if type(error).__name__ == "SSLCertVerificationError":
        return f"the server's certificate is not trusted for this name: {getattr(error, 'verify_message', '')}"
    return str(getattr(error, "strerror", None) or error) or type(error).__name__


class Connection:
    """A connection.

    :param end: the end of its time.
    :param limit: the most bytes that it receives, without those of TLS.
    """

    def __init__(self, end: float, limit: int) -> None:
        self._end = end
        self._limit = limit
        self._socket: socket.socket | None = None
        self._tls: ssl.SSLObject | None = None
        self._received, self._sent = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._input = bytearray()

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise Failed("the time is over")
        return left

    def open(self, host: str, port: int) -> None:
        """Connects to the first address that accepts. Each has its share of the time that is left."""
        try:
            addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, ValueError) as error:
            if is_of_handler(error):
                raise
            raise Failed(f"the name {host} was not resolved: {reason(error)}") from None
        last = "it has no address"
        for index, (family, kind, protocol, _, address) in enumerate(addresses):
            made = socket.socket(family, kind, protocol)
            try:
                made.settimeout(self._left() / (len(addresses) - index))
                made.connect(address)
                self._socket = made
                return
            except BaseException as error:
                made.close()
                if not isinstance(error, OSError) or is_of_handler(error):
                    raise
                last = reason(error)
        raise Failed(f"no connection to {host}:{port}: {last}")

    def secure(self, host: str, rules: ssl.SSLContext) -> None:
        """Makes the connection one of TLS, with a certificate for the host."""
        if self._input:
            raise Failed("the proxy has sent more than its response")
        self._limit += _TLS
        with _working:
            self._tls = rules.wrap_bio(self._received, self._sent, server_hostname=host)
        self._work(self._tls.do_handshake)

    def _work(self, step: Callable[[], _Value]) -> _Value:
        """A step of TLS. OpenSSL never reads from the network itself: it would have no limit as long as the server sends records
        that have no content."""
        while True:
            try:
                with _working:
                    found = step()
            except ssl.SSLWantReadError:
                self._send(self._sent.read())
                part = self._read()
                with _working:
                    if part:
                        self._received.write(part)
                    else:
                        # Not TLS's own end: an error of the next step, since somebody may have cut the response.
                        self._received.write_eof()
            else:
                self._send(self._sent.read())
                return found

    def _send(self, data: bytes) -> None:
        while data and self._socket is not None:
            self._socket.settimeout(self._left())
            data = data[self._socket.send(data[:_PIECE]):]

    def _read(self) -> bytes:
        if self._socket is None:
            return b""
        # Anew for each piece: a server that sends a byte now and then gets no more time by it.
        self._socket.settimeout(self._left())
        part = self._socket.recv(_PIECE)
        self._limit -= len(part)
        if self._limit < 0:
            raise Failed("the response has too many bytes beside its body")
        return part

    def send(self, lines: list[str], body: bytes = b"") -> None:
        """Sends the head of a request, and its body."""
        data, tls = ("\r\n".join(lines) + "\r\n\r\n").encode("ascii") + body, self._tls
        if tls is None:
            self._send(data)
            return
        while data:
            written = self._work(lambda: tls.write(data[:_PIECE]))
            data = data[written:]

    def _receive(self) -> bytes:
        tls = self._tls
        if tls is None:
            return self._read()
        # TLS does not ask for the time while it has records.
        self._left()
        try:
            return self._work(lambda: tls.read(_PIECE))
        except ssl.SSLZeroReturnError:
            return b""

    def line(self) -> bytes:
        """A line, without its end, which is CR and LF."""
        searched = 0
        while (end := self._input.find(b"\n", searched)) < 0:
            searched = len(self._input)
            if searched > HEAD:
                raise Failed("the response has a line that is too long")
            part = self._receive()
            if not part:
                raise Failed("the server closed the connection before the end")
            self._input += part
        found = bytes(self._input[:end])
        del self._input[:end + 1]
        if not found.endswith(b"\r") or any(byte < 32 and byte != 9 or byte == 127 for byte in found[:-1]):
            raise Failed("the response has a malformed line")
        return found[:-1]

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
