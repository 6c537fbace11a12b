"""Clients at many IPv6 addresses: `unshare -Urn python ipv6_clients.py FOLDER`, in a network of its own.

Prints as JSON what became of their calls and connections.
"""
import contextlib
import fcntl
import ipaddress
import json
import socket
import struct
import sys
import urllib.parse

import clock
from identity_support import Service
from raw_http import TARGET, call, request, response
from waiting import LIMIT

SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8914, 0x8916, 1
# One network of 64 bits, and as many networks as that has addresses here. All of them have 48 bits in common.
NEIGHBOURS = [f"2001:db8:0:1:{number:x}::1" for number in range(30)]
STRANGERS = [f"2001:db8:0:{number + 2:x}::1" for number in range(30)]
CONNECTIONS = 20


def set_up():
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
        for address in NEIGHBOURS + STRANGERS:
            packed = ipaddress.IPv6Address(address).packed
            fcntl.ioctl(control, SIOCSIFADDR, struct.pack("=16sIi", packed, 128, socket.if_nametoindex("lo")))


def connect(service, source):
    server = urllib.parse.urlsplit(service.url)
    connection = socket.socket(socket.AF_INET6)
    connection.settimeout(LIMIT)
    connection.bind((source, 0))
    connection.connect((server.hostname, server.port))
    return connection


def is_called(service, source):
    """True unless the rate is used up."""
    with connect(service, source) as connection:
        connection.sendall(call(TARGET + "GetId", b"{}"))
        return b"too_many_requests" not in response(connection)[2]


def is_connected(service, source, held):
    # The service may reset a connection that it refuses before connect() has returned.
    with contextlib.suppress(OSError):
        connection = held.enter_context(connect(service, source))
        connection.sendall(request())
        return response(connection) is not None
    return False


def main(folder):
    set_up()
    slow = Service(f"{folder}/rate", "--address", "::1", "--rate", 1, clock=clock.slow(folder))
    found = {name: [is_called(slow, source) for source in sources] for name, sources in (("rate of neighbours", NEIGHBOURS), ("rate of strangers", STRANGERS))}
    assert slow.stop() == 0
    few = Service(f"{folder}/connections", "--address", "::1", "--rate", 0, "--connections-per-address", CONNECTIONS)
    with contextlib.ExitStack() as held:
        for name, sources in (("connections of neighbours", NEIGHBOURS), ("connections of strangers", STRANGERS)):
            found[name] = [is_connected(few, source, held) for source in sources]
    assert few.stop() == 0
    print(json.dumps(found))


main(sys.argv[1])
