"""Requests to the key process in applications with time limits, handlers of signals, gevent and eventlet."""
import errno
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys

import pytest

import waiting
from support import THEN, TOKEN, alarm_when, fetching, forked, is_full
from token_security import _process
from waiting import LIMIT, eventually


def verify_while_writing(port, results):
    """A signal's handler verifies while a request is written that the process does not take."""
    verifier = fetching(port)
    subject = verifier.verify(TOKEN, at=THEN).subject
    process = _process.key_process()
    subjects = []

    def handle(*_):
        subjects.append(verifier.verify(TOKEN, at=THEN).subject)
        os.kill(process._process.pid, signal.SIGCONT)

    signal.signal(signal.SIGALRM, handle)
    os.kill(process._process.pid, signal.SIGSTOP)
    alarm_when(lambda: is_full(process))
    found = verifier.verify_batch(["x" * 1_000] * 4_000 + [TOKEN], at=THEN)
    results.put((subjects == [subject], found[-1].subject == subject, _process.key_process() is process))


def test_a_handler_that_verifies_while_a_request_is_written(address):
    fetching(address).prefetch()
    assert forked(verify_while_writing, address) == (True, True, True)


def give_up_the_turn(port, results):
    """A time limit of the application ends a call that waits while another thread writes its request."""
    verifier = fetching(port)
    subject = verifier.verify(TOKEN, at=THEN).subject
    process = _process.key_process()

    def give_up(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)
    with process._writing:
        alarm_when(lambda: process._writers)
        with pytest.raises(TimeoutError):
            verifier.verify(TOKEN, at=THEN)
    results.put((verifier.verify(TOKEN, at=THEN).subject == subject, _process.key_process() is process, process._waiting))


def test_a_call_that_did_not_begin_to_write(address):
    fetching(address).prefetch()
    assert forked(give_up_the_turn, address) == (True, True, {})


def give_up_writing(port, results):
    """The same while this thread writes: the process has half a request, and the next call starts another one."""
    verifier = fetching(port)
    subject = verifier.verify(TOKEN, at=THEN).subject
    process = _process.key_process()

    def give_up(*_):
        raise TimeoutError(errno.ETIMEDOUT, "the application's limit")

    signal.signal(signal.SIGALRM, give_up)
    os.kill(process._process.pid, signal.SIGSTOP)
    alarm_when(lambda: is_full(process))
    with pytest.raises(TimeoutError, match="the application's limit"):
        verifier.verify_batch(["x" * 1_000] * 4_000 + [TOKEN], at=THEN)
    results.put((verifier.verify(TOKEN, at=THEN).subject == subject, _process.key_process() is process))


def test_a_call_that_is_ended_while_it_writes(address):
    fetching(address).prefetch()
    assert forked(give_up_writing, address) == (True, False)


def under_a_default_timeout(port, results):
    """All sockets of the application have a time limit. The key process waits longer for its next request."""
    verifier = fetching(port)
    socket.setdefaulttimeout(1e-6)
    first = verifier.verify(TOKEN, at=THEN).subject
    process = _process.key_process()
    # It waits, or has ended.
    eventually(lambda: pathlib.Path(f"/proc/{process._process.pid}/stat").read_text().rpartition(")")[2].split()[0] in "SZ")
    results.put((first == verifier.verify(TOKEN, at=THEN).subject, _process.key_process() is process))


def test_a_default_timeout_of_sockets(address):
    fetching(address).prefetch()
    assert forked(under_a_default_timeout, address) == (True, True)


GEVENT = """
from gevent import monkey
monkey.patch_all()
import os, signal, sys
sys.path[:0] = sys.argv[1].split(os.pathsep)
from support import THEN, TOKEN, fetching
from token_security import _process

port = int(sys.argv[2])
fetching(port).prefetch()
child = os.fork()
if child == 0:
    verifier = fetching(port)
    first = verifier.verify(TOKEN, at=THEN).subject
    process = _process.key_process()
    print(verifier.verify(TOKEN, at=THEN).subject == first, _process.key_process() is process, flush=True)
    # It takes no bytes of a long request any more.
    os.kill(process._process.pid, signal.SIGSTOP)
    found = verifier.verify_batch(["x" * 1_000] * 4_000 + [TOKEN], at=THEN)
    print(found[-1].subject == first, _process.key_process() is process, flush=True)
    os._exit(0)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_gevent(address):
    """Its sockets do not wait, and its subprocesses are forked in Python."""
    done = subprocess.run(
        [sys.executable, "-c", GEVENT, os.pathsep.join(map(os.path.dirname, (__file__, waiting.__file__))), str(address)], capture_output=True, text=True, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, "True True\nTrue False\n"), done.stderr


def without_poll(port, results):
    """eventlet removes it from the module."""
    verifier = fetching(port)
    poll = select.poll
    del select.poll
    subject = verifier.verify(TOKEN, at=THEN).subject
    select.poll = poll
    results.put(subject == verifier.verify(TOKEN, at=THEN).subject)


def test_where_there_is_no_poll(address):
    fetching(address).prefetch()
    assert forked(without_poll, address) is True


class InterruptedPopen(subprocess.Popen):
    """A signal's handler verifies a token while a key process is started."""

    def __init__(self, *arguments, **options):
        subprocess.Popen = InterruptedPopen.__base__
        super().__init__(*arguments, **options)
        signal.raise_signal(signal.SIGUSR1)


def verify_in_a_handler(port, results):
    verifier = fetching(port)
    subjects = []
    signal.signal(signal.SIGUSR1, lambda *_: subjects.append(verifier.verify(TOKEN, at=THEN).subject))
    subprocess.Popen = InterruptedPopen
    subjects.append(verifier.verify(TOKEN, at=THEN).subject)
    own = _process.key_process()._process.pid
    children = pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    eventually(lambda: children.read_text().split() == [str(own)])
    results.put((len(subjects), len(set(subjects))))


def test_a_signal_whose_handler_verifies(address):
    fetching(address).prefetch()
    assert forked(verify_in_a_handler, address) == (2, 1)
