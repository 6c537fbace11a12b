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
        #: Others have its place, and the workers take nothing more.
        self.is_given_up = False


def serve(descriptor: int) -> None:
    """Answers the requests of a socket until it ends.

    :param descriptor: the socket.
    """
    # The terminal sends these to all processes. This one ends with the process that started it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    channel = socket.socket(fileno=descriptor)
    # The other process may have made it as one that does not wait, as gevent does.
    channel.setblocking(True)
    lock = threading.Lock()
    policies: "dict[str, _Policy]" = {}

    def policy(text: str) -> _Policy:
        found = policies.pop(text, None) or _Policy(text)
        policies[text] = found
        while len(policies) > _POLICIES:
            former = policies.pop(next(iter(policies)))
            former.is_given_up = True
            former.workers.shutdown(wait=False)
        return found

    def outcome(body: "Callable[[], Any]") -> "dict[str, Any]":
        try:
            return {"result": body()}
        except TokenSecurityError as error:
            return {"error": error.__reduce__()[1]}
        except Exception as error:
            return {"error": ("internal", type(error).__name__, "{}")}

    def send(request: "dict[str, Any]", found: "dict[str, Any]") -> None:
        with lock:
            try:
                write(channel, encoded({"number": request["number"], **found}))
            except OSError:
                # Not through the interpreter's end: a verification may still wait for keys.
                os._exit(0)

    def wait(found: _Policy, request: "dict[str, Any]", end: float) -> None:
        milliseconds = max(0, int((end - time.monotonic()) * 1000))
        send(request, outcome(lambda: found.verifier._answer(request, milliseconds)))

    def at_once(found: _Policy, request: "dict[str, Any]", end: float) -> None:
        """Answers what needs no keys that must be fetched. Only the others wait."""
        first = outcome(lambda: found.verifier._answer(request, 0))
        if any("error" in verdict and verdict["error"][0] in _FOR_KEYS for verdict in first.get("result", [])):
            found.workers.submit(wait, found, request, end)
        else:
            send(request, first)

    def batch(found: _Policy, request: "dict[str, Any]", end: float) -> None:
        try:
            at_once(found, request, end)
        except RuntimeError:
            if not found.is_given_up:
                # No thread can be started. The other process starts another one.
                os._exit(1)
            wait(found, request, end)

    batches = concurrent.futures.ThreadPoolExecutor(_BATCHES)

    def take(request: "dict[str, Any]", end: float) -> None:
        opened = outcome(lambda: policy(request["policy"]))
        if "error" in opened:
            send(request, opened)
            return
        found = opened["result"]
        if request["method"] != "verify":
            found.workers.submit(wait, found, request, end)
        elif len(request["tokens"]) > _AT_ONCE:
            batches.submit(batch, found, request, end)
        else:
            at_once(found, request, end)

    try:
        while (request := read(channel)) is not None:
            if request["method"] == "ping":
                send(request, {"result": None})
            else:
                take(request, time.monotonic() + request["milliseconds"] / 1000)
    except BaseException:
        # No thread can be started, or the channel is disturbed. The other process starts another one. The interpreter's own
        # end would wait for the threads, and say what it has read.
        os._exit(1)
    os._exit(0)
