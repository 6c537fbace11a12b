"""A process that fetches keys for a forked process.

The threads that fetch keys do not exist after ``fork``, and the library cannot start them again. A forked process that needs
keys starts one new interpreter, which has verifiers of the same policies and keeps their keys fresh. Requests and answers are
JSON, each after its length in four bytes. The process ends when the one that started it ends.
"""
import concurrent.futures
import json
import os
import signal
import struct
import subprocess
import sys
import threading
from multiprocessing import spawn
from typing import Any

from .errors import TokenSecurityError

_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from token_security._process import serve; serve()"
#: How many policies a process keeps.
_POLICIES = 256
#: How many requests a process works on at a time. Most wait for keys.
_WORKERS = 16
#: How many seconds an answer may take beyond the request's own limit: the start of the interpreter.
_PATIENCE = 30


class KeyProcess:
    """The process, as the one that started it has it. Threads can share it."""

    def __init__(self) -> None:
        # Without buffers: what a fork copies of them would be written twice.
        try:
            self._process = subprocess.Popen(
                [os.fsdecode(spawn.get_executable() or sys.executable), "-c", _START, json.dumps(sys.path)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise TokenSecurityError(
                "process_forked", f"the process that fetches keys for this forked process cannot be started: {error}") from error
        self._lock = threading.Lock()
        self._waiting: "dict[int, concurrent.futures.Future[Any]]" = {}
        self._number = 0
        self.is_running = True
        threading.Thread(target=self._read, name="token-security-keys", daemon=True).start()

    def ask(self, request: "dict[str, Any]", milliseconds: int) -> Any:
        """What the process answers to a request.

        :raises TokenSecurityError: the error of the verification, or ``process_forked`` where the process has ended.
        """
        answer: "concurrent.futures.Future[Any]" = concurrent.futures.Future()
        with self._lock:
            self._number += 1
            number = self._number
            self._waiting[number] = answer
            try:
                _write(self._process.stdin, {**request, "number": number, "milliseconds": milliseconds})
            except OSError:
                self.is_running = False
        try:
            if not self.is_running:
                raise _ended()
            found = answer.result(milliseconds / 1000 + _PATIENCE)
        except concurrent.futures.TimeoutError:
            raise _ended() from None
        finally:
            with self._lock:
                self._waiting.pop(number, None)
        if "error" in found:
            raise TokenSecurityError(*found["error"])
        return found["result"]

    def forget(self) -> None:
        """Closes the pipes of a process that belongs to this process's parent."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        # Not waited for: it is no child of this process.
        self._process.returncode = 0

    def _read(self) -> None:
        while True:
            message = _read(self._process.stdout)
            if message is None:
                break
            with self._lock:
                answer = self._waiting.get(message["number"])
            if answer is not None:
                answer.set_result(message)
        self.is_running = False
        with self._lock:
            waiting = list(self._waiting.values())
        for answer in waiting:
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


def _after_fork() -> None:
    # Another thread may have had the lock.
    global _current
    former, _current = _current.process, _Current()
    if former is not None:
        former.forget()


os.register_at_fork(after_in_child=_after_fork)


def _ended() -> TokenSecurityError:
    return TokenSecurityError("process_forked", "the process that fetches keys for this forked process does not answer")


def _write(pipe: Any, message: Any) -> None:
    text = json.dumps(message).encode()
    data = memoryview(struct.pack("!I", len(text)) + text)
    while data:
        data = data[pipe.write(data):]


def _read(pipe: Any) -> Any:
    """The next message; None at the end."""
    head = _exactly(pipe, 4)
    data = _exactly(pipe, *struct.unpack("!I", head)) if len(head) == 4 else b""
    return json.loads(data) if data else None


def _exactly(pipe: Any, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = pipe.read(min(size - len(data), 1 << 20))
        if not part:
            return b""
        data += part
    return bytes(data)


def serve() -> None:
    """Answers the requests at standard input until it ends."""
    from .tokens import Verifier

    # The terminal sends these to all processes. This one ends with the process that started it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # What a module prints must not stand between answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    os.dup2(2, 1)
    lock = threading.Lock()
    verifiers: "dict[tuple[str, int], Verifier]" = {}

    def verifier(policy: str, milliseconds: int) -> Verifier:
        key = (policy, milliseconds)
        with lock:
            found = verifiers.pop(key, None) or Verifier.from_policy(policy, timeout=milliseconds / 1000)
            verifiers[key] = found
            while len(verifiers) > _POLICIES:
                del verifiers[next(iter(verifiers))]
            return found

    def answer(request: "dict[str, Any]") -> None:
        message: "dict[str, Any]" = {"number": request["number"]}
        try:
            message["result"] = verifier(request["policy"], request["milliseconds"])._answer(request)
        except TokenSecurityError as error:
            message["error"] = error.__reduce__()[1]
        except Exception as error:
            message["error"] = ("internal", type(error).__name__, "{}")
        with lock:
            _write(answers, message)

    with concurrent.futures.ThreadPoolExecutor(_WORKERS) as workers:
        while True:
            request = _read(requests)
            if request is None:
                # Not through the interpreter's end: a verification may still wait for keys.
                os._exit(0)
            workers.submit(answer, request)
