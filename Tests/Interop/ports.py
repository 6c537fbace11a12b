"""Ports for servers that cannot take a free one and say which."""
import contextlib
import itertools
import os
import pathlib
import random
import re
import socket

FIRST = 10_000
# Workers of a run have so many ports each, which they take in turn.
EACH = 1_000


def _own():
    """The ports of this worker. The kernel gives none of them to a connection: those begin above.

    One that a probe was given could be given to a connection before the server takes it.
    """
    given = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    workers = max(1, (min(given, 32_768) - FIRST) // EACH)
    number = int(re.sub(r"\D", "", os.environ.get("PYTEST_XDIST_WORKER", "")) or 0)
    first = FIRST + number % workers * EACH
    # From a random one on: another run may be beside this one.
    start = random.randrange(EACH)
    return itertools.cycle(first + (start + step) % EACH for step in range(EACH))


_ports = _own()


def free_port():
    for port in itertools.islice(_ports, EACH):
        with socket.socket() as probe:
            # A server that has ended has left connections in TIME-WAIT, which keep none of its successors from listening.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise OSError(f"none of {EACH} ports is free")


@contextlib.contextmanager
def closed_port():
    """A port at which nothing listens: connections to it are refused. Nobody else gets it meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]
