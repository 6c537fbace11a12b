"""A process that fetches keys for a forked process.

The threads that fetch keys do not exist after ``fork``, and the library cannot start them again. A forked process that needs
keys starts one new interpreter, which has verifiers of the same policies and keeps their keys fresh. It ends when the process
that started it ends.
"""
import errno
import itertools
import json
import os
import socket
import subprocess
import sys
import threading
from multiprocessing import spawn
from typing import Any

from ._messages import NotTaken, encoded, read, write
from .errors import TokenSecurityError

# -I and absolute folders only: nothing is imported from the current folder.
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from token_security._serving import serve; serve(int(sys.argv[2]))"
#: How many seconds an answer may take beyond the request's own limit, after the first answer and before it: the start of the
#: interpreter.
_PATIENCE = 5
_START_PATIENCE = 30
#: Errors of a socket whose other end, or which itself, was closed.
_CLOSED = {errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN, errno.EBADF, errno.ENOTSOCK}
#: Where this package was imported from.
_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _names_root(entry: object) -> bool:
    try:
        return isinstance(entry, str) and os.path.abspath(entry) == _ROOT
    except OSError:
        # The current folder was removed.
        return False


#: How ``sys.path`` names this folder; None where it does not.
_ENTRY = next(filter(_names_root, sys.path), None)


class _Answer:
    """What the process answers to one request; None where it has ended before.

    A plain lock: a condition has one of its own, in which the handler of a signal could find its thread.
    """

    def __init__(self) -> None:
        self._missing = threading.Lock()
        self._missing.acquire()
        self._message: "dict[str, Any] | None" = None

    def give(self, message: "dict[str, Any] | None") -> None:
        self._message = message
        self._missing.release()

    def arrives(self, seconds: float) -> bool:
        """Waits for it, no longer than so many seconds."""
        return self._missing.acquire(timeout=seconds)

    def message(self) -> "dict[str, Any]":
        if self._message is None:
            raise _ended()
        return self._message


class KeyProcess:
    """The process, as the one that started it has it. Threads can share it."""

    def __init__(self) -> None:
        if getattr(sys, "frozen", False) and os.fsdecode(spawn.get_executable() or "") == sys.executable:
            # It would start the application again.
            raise _not_started(RuntimeError("the executable is no interpreter: see multiprocessing.set_executable"))
        # A socket of its own: anything may print to standard output.
        self._socket, others = socket.socketpair()
        # Not the application's default: there may be no answers for long.
        self._socket.settimeout(None)
        try:
            interpreter = os.fsdecode(spawn.get_executable() or sys.executable)
            self._process = subprocess.Popen(
                [interpreter, "-I", "-c", _START, json.dumps(_folders()), str(others.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[others.fileno()])
        except (OSError, TypeError, ValueError) as error:
            self._socket.close()
            raise _not_started(error) from error
        finally:
            others.close()
        self._inode = os.fstat(self._socket.fileno()).st_ino
        # Answers are taken while a long request is written, since the process may write at the same time.
        self._writing = threading.Lock()
        # The threads that write or wait for it.
        self._writers: "set[int]" = set()
        # Without a lock, which the handler of a signal could find locked by its own thread.
        self._waiting: "dict[int, _Answer]" = {}
        self._numbers = itertools.count(1)
        # How long the process may take beyond a request's own limit, and without taking a byte of a request.
        self._patience = _START_PATIENCE
        self.is_running = True
        try:
            threading.Thread(target=self._read, name="token-security-keys", daemon=True).start()
        except BaseException as error:
            self._stop()
            self._process.wait()
            self._socket.close()
            if not isinstance(error, RuntimeError):
                raise
            raise _not_started(error) from error

    def ask(self, request: "dict[str, Any]", milliseconds: int) -> Any:
        """What the process answers to a request.

        :raises TokenSecurityError: the error of the verification, or ``process_forked`` where the process has ended.
        """
        own = threading.get_ident()
        if own in self._writers:
            # The handler of a signal that came while this thread wrote.
            other = KeyProcess()
            try:
                return other.ask(request, milliseconds)
            finally:
                other._stop()
        number, answer = next(self._numbers), _Answer()
        message = encoded({**request, "number": number, "milliseconds": milliseconds})
        self._waiting[number] = answer
        self._send(message, number, own)
        is_ping = request["method"] == "ping"
        patience = _PATIENCE if is_ping else self._patience
        if not answer.arrives((milliseconds + len(request["tokens"])) / 1000 + patience):
            if is_ping:
                self._stop()
                raise _ended()
            # Others may wait for the same policy's keys, for longer. The process keeps its keys if it answers at all.
            self.ask({"method": "ping", "tokens": []}, 0)
            raise TokenSecurityError("timed_out", f"the keys were not fetched within {milliseconds} milliseconds")
        found = answer.message()
        if "error" in found:
            raise TokenSecurityError(*found["error"])
        return found["result"]

    def _send(self, message: bytes, number: int, own: int) -> None:
        is_begun = is_sent = False
        self._writers.add(own)
        try:
            with self._writing:
                is_begun = True
                self._check_socket()
                write(self._socket, message, self._patience)
                is_sent = True
        except NotTaken:
            raise _ended() from None
        except OSError as error:
            # Others are of the handler of a signal, such as an application's time limit.
            if not is_begun or error.errno not in _CLOSED:
                raise
            raise _ended() from None
        finally:
            self._writers.discard(own)
            if not is_sent:
                self._waiting.pop(number, None)
                # Half of it may be written.
                if is_begun:
                    self._stop()

    def _stop(self) -> None:
        """Ends a process that can no longer be understood. The next request starts another one."""
        self.is_running = False
        try:
            # The process ends by this, too, where this one may no longer kill it.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        try:
            self._process.kill()
        except OSError:
            pass

    def _check_socket(self) -> None:
        """The application may have closed all files, and its next file may have the socket's number."""
        try:
            if os.fstat(self._socket.fileno()).st_ino == self._inode:
                return
        except OSError:
            pass
        self._socket.detach()
        raise OSError(errno.EBADF, "the socket was closed")

    def _close(self) -> None:
        try:
            self._check_socket()
        except OSError:
            return
        self._socket.close()

    def forget(self) -> None:
        """Closes the socket of a process that belongs to this process's parent."""
        self._close()
        # Not waited for: it is no child of this process.
        self._process.returncode = 0

    def _read(self) -> None:
        try:
            while (message := read(self._socket)) is not None:
                self._patience = _PATIENCE
                self._waiting.pop(message["number"]).give(message)
        except (OSError, ValueError, KeyError):
            # Not the answer of a request.
            pass
        self._stop()
        waiting, self._waiting = self._waiting, {}
        with self._writing:
            self._close()
        for answer in list(waiting.values()):
            answer.give(None)
        self._process.wait()


class _Current:
    """The key process of this process."""

    def __init__(self) -> None:
        # Starting a process may be a fork that calls the handlers below, as with gevent.
        self.lock = threading.RLock()
        self.process: "KeyProcess | None" = None


_current = _Current()


def key_process() -> KeyProcess:
    """The key process of this process, started where there is none."""
    with _current.lock:
        found = _current.process
        if found is not None and found.is_running:
            return found
        made = KeyProcess()
        # In the meantime the handler of a signal may have made one, which nobody else knows.
        former, _current.process = _current.process, made
        if former is not None and former is not found:
            former._stop()
        return made


def _in_child() -> None:
    global _current
    former, _current = _current.process, _Current()
    if former is not None:
        former.forget()


# No fork while a process starts: the child would have the socket of a process that is being started.
os.register_at_fork(before=lambda: _current.lock.acquire(), after_in_parent=lambda: _current.lock.release(), after_in_child=_in_child)


def _folders() -> "list[str]":
    """Where the process looks for modules: as this one, without folders whose meaning depends on the current one."""
    folders = [os.fspath(folder) for folder in sys.path if isinstance(folder, (str, os.PathLike))]
    if _ENTRY in folders:
        folders[folders.index(_ENTRY)] = _ROOT
    elif _ROOT not in folders:
        folders.append(_ROOT)
    # In this order: modules beside this package must not come before those of the standard library.
    return [folder for folder in folders if isinstance(folder, str) and os.path.isabs(folder)]


def _ended() -> TokenSecurityError:
    return TokenSecurityError("process_forked", "the process that fetches keys for this forked process does not answer")


def _not_started(error: Exception) -> TokenSecurityError:
    return TokenSecurityError(
        "process_forked", f"the process that fetches keys for this forked process cannot be started: {error}")
