"""Messages between a forked process and its key process: JSON, each after its length in four bytes."""
import json
import socket
import struct
from typing import Any

#: The longest message. Batches of tokens can be large.
_LONGEST = 1 << 30


def encoded(message: Any) -> bytes:
    """A message as it is sent.

    :raises ValueError: for one that is too long.
    """
    text = json.dumps(message).encode()
    if len(text) > _LONGEST:
        raise ValueError(f"the tokens have more than {_LONGEST} bytes as JSON")
    return struct.pack("!I", len(text)) + text


def write(channel: socket.socket, data: bytes) -> None:
    """Sends a message."""
    # Without a signal where the other process has ended.
    channel.sendall(data, getattr(socket, "MSG_NOSIGNAL", 0))


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
