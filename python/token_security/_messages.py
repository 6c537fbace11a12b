"""Messages between a forked process and its key process: JSON, each after its length in four bytes."""
import json
import select
import socket
import struct
from typing import Any

#: The longest message. Batches of tokens can be large.
_LONGEST = 1 << 30


class NotTaken(Exception):
    """The other process takes no bytes."""


def encoded(message: Any) -> bytes:
    """A message as it is sent.

    :raises ValueError: for one that is too long.
    """
    text = json.dumps(message).encode()
    if len(text) > _LONGEST:
        raise ValueError(f"the tokens have more than {_LONGEST} bytes as JSON")
    return struct.pack("!I", len(text)) + text


def write(channel: socket.socket, data: bytes, seconds: "int | None" = None) -> None:
    """Sends a message.

    :param seconds: how long the other process may take no bytes; None: as long as it likes.
    :raises NotTaken: where it takes none for longer.
    """
    # Without a signal where the other process has ended.
    flags = getattr(socket, "MSG_NOSIGNAL", 0)
    if seconds is None:
        channel.sendall(data, flags)
        return
    # Not a time limit of the socket: the thread that reads waits without one, and gevent's sockets ignore SO_SNDTIMEO.
    left = memoryview(data)
    while left:
        if not _has_room(channel.fileno(), seconds):
            raise NotTaken
        left = left[channel.send(left, flags | socket.MSG_DONTWAIT):]


def _has_room(descriptor: int, seconds: int) -> bool:
    if not hasattr(select, "poll"):
        # eventlet removes it, and has a select without a limit of the descriptor.
        return bool(select.select([], [descriptor], [], seconds)[1])
    room = select.poll()
    room.register(descriptor, select.POLLOUT)
    return bool(room.poll(seconds * 1000))


def read(channel: socket.socket) -> Any:
    """The next message; None at the end."""
    head = _exactly(channel, 4)
    if len(head) < 4:
        return None
    [length] = struct.unpack("!I", head)
    if length > _LONGEST:
        raise ValueError("the message is too long")
    data = _exactly(channel, length)
    return json.loads(data) if data else None


def _exactly(channel: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = channel.recv(min(size - len(data), 1 << 20))
        if not part:
            return b""
        data += part
    return bytes(data)
