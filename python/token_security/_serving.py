"""The key process: it verifies tokens for the forked process that started it, and keeps keys fresh."""
import concurrent.futures
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from ._messages import encoded, read, write
from .errors import TokenSecurityError
from .tokens import Verifier

#: How many policies a process keeps.
_POLICIES = 256
#: How many requests of a policy wait for keys at a time.
_WAITING = 16
#: How many tokens are verified between two requests; more by other threads, so many at a time.
_AT_ONCE = 64
_BATCHES = 4
#: The refusals that other keys can change.
_FOR_KEYS = {"keys_not_held", "key_not_found"}


class _Policy:
    """A policy in the key process: its verifier, and threads of its own that wait for its keys."""

    def __init__(self, policy: str) -> None:
        self.verifier = Verifier.from_policy(policy)
        self.workers = concurrent.futures.ThreadPoolExecutor(_WAITING)


def serve(descriptor: int) -> None:
    """Answers the requests of a socket until it ends.

    :param descriptor: the socket.
    """
    # The terminal sends these to all processes. This one ends with the process that started it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    channel = socket.socket(fileno=descriptor)
    lock = threading.Lock()
    policies: "dict[str, _Policy]" = {}

    def policy(text: str) -> _Policy:
        found = policies.pop(text, None) or _Policy(text)
        policies[text] = found
        while len(policies) > _POLICIES:
            policies.pop(next(iter(policies))).workers.shutdown(wait=False)
        return found

    def send(request: "dict[str, Any]", answered: "Callable[[], Any]") -> None:
        message: "dict[str, Any]" = {"number": request["number"]}
        try:
            message["result"] = answered()
        except TokenSecurityError as error:
            message["error"] = error.__reduce__()[1]
        except Exception as error:
            message["error"] = ("internal", type(error).__name__, "{}")
        with lock:
            try:
                write(channel, encoded(message))
            except OSError:
                # Not through the interpreter's end: a verification may still wait for keys.
                os._exit(0)

    def wait(found: _Policy, request: "dict[str, Any]", end: float) -> None:
        milliseconds = max(0, int((end - time.monotonic()) * 1000))
        send(request, lambda: found.verifier._answer(request, milliseconds))

    def at_once(found: _Policy, request: "dict[str, Any]", end: float) -> None:
        """Answers what needs no keys that must be fetched. Only the others wait."""
        result = found.verifier._answer(request, 0)
        if any("error" in verdict and verdict["error"][0] in _FOR_KEYS for verdict in result):
            found.workers.submit(wait, found, request, end)
        else:
            send(request, lambda: result)

    def refuse(request: "dict[str, Any]", error: Exception) -> None:
        def fail() -> None:
            raise error

        send(request, fail)

    batches = concurrent.futures.ThreadPoolExecutor(_BATCHES)

    def take(request: "dict[str, Any]", end: float) -> None:
        try:
            found = policy(request["policy"])
            if request["method"] != "verify":
                found.workers.submit(wait, found, request, end)
            elif len(request["tokens"]) > _AT_ONCE:
                batches.submit(at_once, found, request, end)
            else:
                at_once(found, request, end)
        except Exception as error:
            refuse(request, error)

    while True:
        request = read(channel)
        if request is None:
            os._exit(0)
        take(request, time.monotonic() + request["milliseconds"] / 1000)
