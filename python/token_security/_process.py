"""A process that fetches keys for a forked process.

The threads that fetch keys do not exist after ``fork``, and the library cannot start them again. A forked process that needs
keys starts one new interpreter, which has verifiers of the same policies and keeps their keys fresh. Requests and answers are
JSON, each after its length in four bytes. The process ends when the one that started it ends.
"""
import concurrent.futures
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import spawn
from typing import Any

from .errors import TokenSecurityError

# -I: nothing is imported from the current folder.
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from token_security._process import serve; serve(int(sys.argv[2]))"
#: How many policies a process keeps.
_POLICIES = 256
#: How many requests of a policy wait for keys at a time.
_WAITING = 16
#: How many seconds an answer may take beyond the request's own limit, after the first answer and before it: the start of the
#: interpreter.
_PATIENCE = 5
_START_PATIENCE = 30
#: How many tokens are verified between two requests.
_AT_ONCE = 64
#: The longest message. Batches of tokens can be large.
_LONGEST = 1 << 30


class KeyProcess:
    """The process, as the one that started it has it. Threads can share it."""

    def __init__(self) -> None:
        # A socket of its own: anything may print to standard output.
        self._socket, others = socket.socketpair()
        try:
            interpreter = os.fsdecode(spawn.get_executable() or sys.executable)
            self._process = subprocess.Popen(
                [interpreter, "-I", "-c", _START, json.dumps(sys.path), str(others.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[others.fileno()])
        except (OSError, TypeError, ValueError) as error:
            self._socket.close()
            raise _not_started(error) from error
        finally:
            others.close()
        self._lock = threading.Lock()
        self._waiting: "dict[int, concurrent.futures.Future[Any]]" = {}
        self._number = 0
        self._patience = _START_PATIENCE
        self.is_running = True
        try:
            threading.Thread(target=self._read, name="token-security-keys", daemon=True).start()
        except RuntimeError as error:
            self._stop()
            self._process.wait()
            self._socket.close()
            raise _not_started(error) from error

    def ask(self, request: "dict[str, Any]", milliseconds: int) -> Any:
        """What the process answers to a request.

        :raises TokenSecurityError: the error of the verification, or ``process_forked`` where the process has ended.
        """
        answer: "concurrent.futures.Future[Any]" = concurrent.futures.Future()
        try:
            with self._lock:
                self._number += 1
                number = self._number
                self._waiting[number] = answer
                try:
                    _write(self._socket, {**request, "number": number, "milliseconds": milliseconds})
                except BaseException:
                    # Also of a signal's handler: half of the request may be written.
                    self._stop()
                    raise
            found = answer.result((milliseconds + len(request["tokens"])) / 1000 + self._patience)
        except (OSError, concurrent.futures.TimeoutError):
            self._stop()
            raise _ended() from None
        if "error" in found:
            raise TokenSecurityError(*found["error"])
        return found["result"]

    def _stop(self) -> None:
        """Ends a process that can no longer be understood. The next request starts another one."""
        self.is_running = False
        self._process.kill()

    def forget(self) -> None:
        """Closes the socket of a process that belongs to this process's parent."""
        self._socket.close()
        # Not waited for: it is no child of this process.
        self._process.returncode = 0

    def _read(self) -> None:
        try:
            while (message := _read(self._socket)) is not None:
                self._patience = _PATIENCE
                with self._lock:
                    answer = self._waiting.pop(message["number"])
                answer.set_result(message)
        except (OSError, ValueError, KeyError):
            # Not the answer of a request.
            pass
        self._stop()
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            self._socket.close()
        for answer in waiting.values():
            answer.set_exception(_ended())
        self._process.wait()


class _Current:
    """The key process of this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: "KeyProcess | None" = None


_current = _Current()


def key_process() -> KeyProcess:
    """The key process of this process, started where there is none."""
    with _current.lock:
        if _current.process is None or not _current.process.is_running:
            _current.process = KeyProcess()
        return _current.process


def _in_child() -> None:
    global _current
    former, _current = _current.process, _Current()
    if former is not None:
        former.forget()


# No fork while a process starts: the child would have pipes that nothing closes.
os.register_at_fork(before=lambda: _current.lock.acquire(), after_in_parent=lambda: _current.lock.release(), after_in_child=_in_child)


def _ended() -> TokenSecurityError:
    return TokenSecurityError("process_forked", "the process that fetches keys for this forked process does not answer")


def _not_started(error: Exception) -> TokenSecurityError:
    return TokenSecurityError(
        "process_forked", f"the process that fetches keys for this forked process cannot be started: {error}")


def _write(channel: socket.socket, message: Any) -> None:
    text = json.dumps(message).encode()
    # Without a signal where the other process has ended.
    channel.sendall(struct.pack("!I", len(text)) + text, getattr(socket, "MSG_NOSIGNAL", 0))


def _read(channel: socket.socket) -> Any:
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


class _Policy:
    """A policy in the key process: its verifier, and threads of its own that wait for its keys."""

    def __init__(self, policy: str) -> None:
        from .tokens import Verifier

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
                _write(channel, message)
            except OSError:
                # Not through the interpreter's end: a verification may still wait for keys.
                os._exit(0)

    def wait(found: _Policy, request: "dict[str, Any]", end: float) -> None:
        milliseconds = max(0, int((end - time.monotonic()) * 1000))
        send(request, lambda: found.verifier._answer(request, milliseconds))

    while True:
        request = _read(channel)
        if request is None:
            os._exit(0)
        end = time.monotonic() + request["milliseconds"] / 1000
        try:
            found = policy(request["policy"])
            # What needs no keys that must be fetched is answered at once, except long batches.
            if request["method"] == "verify" and len(request["tokens"]) <= _AT_ONCE:
                result = found.verifier._answer(request, 0)
                if not any(result):
                    send(request, lambda: result)
                    continue
            found.workers.submit(wait, found, request, end)
        except Exception as error:
            failure = error

            def fail() -> None:
                raise failure

            send(request, fail)
