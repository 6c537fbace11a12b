"""Forked processes of applications that change what the key process could depend on: folders, files, signals, time limits,
and how processes start."""
import multiprocessing
import os
import pathlib
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from support import POOL, THEN, TOKEN, code, fetching, forked
from token_security import Verifier, _process


def in_folder(port, folder, results):
    # As `python -c` and the interactive interpreter have it.
    sys.path[:0] = ["", pathlib.Path("/nonexistent")]
    os.chdir(folder)
    results.put(fetching(port).verify(TOKEN, at=THEN).subject)


def test_a_key_process_imports_nothing_from_the_current_folder(address, tmp_path):
    fetching(address).prefetch()
    for name in ("json", "socket", "token_security"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    assert forked(in_folder, address, tmp_path)


def close_all_files(port, results):
    """An application that closes all files it does not know, and opens others: it gets no tokens, and keeps its files."""
    verifier = fetching(port, timeout=10)
    verifier.verify(TOKEN, at=THEN)
    number = _process.key_process()._socket.fileno()
    os.closerange(number, number + 1)
    own, other = socket.socketpair()
    copies = [os.dup(own.fileno()) for _ in range(number + 1)]
    other.setblocking(False)
    subject = verifier.verify(TOKEN, at=THEN).subject
    with pytest.raises(BlockingIOError):
        other.recv(1)
    results.put((subject is not None, number in copies + [own.fileno()], all(os.fstat(copy) for copy in copies)))


def test_files_that_the_application_closed(address):
    fetching(address).prefetch()
    assert forked(close_all_files, address) == (True, True, True)


def default_signal(port, results):
    """A process with the usual meaning of SIGPIPE, whose key process is killed."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    verifier = fetching(port)
    verifier.verify(TOKEN, at=THEN)
    own = _process.key_process()._process
    own.kill()
    own.wait()
    results.put(verifier.verify(TOKEN, at=THEN).subject)


def test_a_killed_key_process_ends_no_other(address):
    fetching(address).prefetch()
    assert forked(default_signal, address)


def without_threads(port, results):
    """No thread can be started: no process is left behind."""
    start, threading.Thread.start = threading.Thread.start, refuse
    found = code(lambda: fetching(port).verify(TOKEN, at=THEN))
    threading.Thread.start = start
    results.put((found, pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()))


def refuse(thread):
    raise RuntimeError("can't start new thread")


def test_a_process_that_can_start_no_thread(address):
    fetching(address).prefetch()
    found, children = forked(without_threads, address)
    assert (found, children) == ("process_forked", "")


def in_another_folder(pickled, results):
    os.chdir("/")
    verifier = pickle.loads(pickled)
    results.put((code(lambda: verifier.verify(TOKEN, at=THEN)), _process._current.process is not None))


def test_roots_in_a_file_of_the_former_folder(address, tmp_path, monkeypatch):
    """The certificates are read again by the key process, whose folder may be another one."""
    monkeypatch.chdir(tmp_path)
    roots = pathlib.Path("/etc/ssl/certs/ca-certificates.crt").read_bytes()
    (tmp_path / "roots.pem").write_bytes(roots)
    fetching(address).prefetch()
    verifier = Verifier(
        issuer=f"https://cognito-idp.eu-west-1.amazonaws.com/{POOL}", audience="api", jwks_uri=f"http://127.0.0.1:{address}/", trust_roots="roots.pem", allow_plain_loopback=True)
    # Refused after its signature was verified: access tokens have no audience.
    here = code(lambda: verifier.verify(TOKEN, at=THEN))
    assert forked(in_another_folder, pickle.dumps(verifier)) == (here, True)
    assert here == "claim_missing"


def verify_while_writing(port, results):
    """A signal's handler verifies while a request is written that the process does not take."""
    verifier = fetching(port)
    subject = verifier.verify(TOKEN, at=THEN).subject
    process = _process.key_process()._process
    subjects = []

    def handle(*_):
        subjects.append(verifier.verify(TOKEN, at=THEN).subject)
        os.kill(process.pid, signal.SIGCONT)

    signal.signal(signal.SIGALRM, handle)
    os.kill(process.pid, signal.SIGSTOP)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    found = verifier.verify_batch(["x" * 1_000] * 4_000 + [TOKEN], at=THEN)
    results.put((subjects == [subject], found[-1].subject == subject, _process.key_process()._process is process))


def test_a_handler_that_verifies_while_a_request_is_written(address):
    fetching(address).prefetch()
    assert forked(verify_while_writing, address) == (True, True, True)


def under_a_default_timeout(port, results):
    """All sockets of the application have a time limit. The key process waits longer for its next request."""
    verifier = fetching(port)
    socket.setdefaulttimeout(0.2)
    first = verifier.verify(TOKEN, at=THEN).subject
    process = _process.key_process()
    time.sleep(1)
    results.put((first == verifier.verify(TOKEN, at=THEN).subject, _process.key_process() is process))


def test_a_default_timeout_of_sockets(address):
    fetching(address).prefetch()
    assert forked(under_a_default_timeout, address) == (True, True)


GEVENT = """
from gevent import monkey
monkey.patch_all()
import os, signal, sys
sys.path.insert(0, sys.argv[1])
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
        [sys.executable, "-c", GEVENT, os.path.dirname(__file__), str(address)], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "True True\nTrue False\n"), done.stderr


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
    end = time.monotonic() + 60
    children = pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    while children.read_text().split() != [str(own)] and time.monotonic() < end:
        time.sleep(0.01)
    results.put((len(subjects), len(set(subjects)), children.read_text().split() == [str(own)]))


def test_a_signal_whose_handler_verifies(address):
    fetching(address).prefetch()
    assert forked(verify_in_a_handler, address) == (2, 1, True)


def with_a_namesake(folder, port, results):
    """The package in a folder with a module whose name is one of the standard library's, which comes first."""
    sys.path = ["", *(other for other in sys.path if other != _process._ROOT), str(folder) + "/"]
    _process._ROOT, _process._ENTRY = str(folder), str(folder) + "/"
    results.put(fetching(port).verify(TOKEN, at=THEN).subject)


def from_the_current_folder(folder, port, results):
    """The package was found in the current folder, and an older one is installed."""
    os.chdir(folder / "own")
    sys.path = ["", str(folder / "older"), *(other for other in sys.path if other != _process._ROOT)]
    _process._ROOT, _process._ENTRY = str(folder / "own"), ""
    results.put(fetching(port).verify(TOKEN, at=THEN).subject)


def test_an_older_package_that_is_installed(address, tmp_path):
    for name in ("own", "older/token_security"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "own/token_security").symlink_to(pathlib.Path(_process.__file__).parent)
    (tmp_path / "older/token_security/__init__.py").write_text("raise ImportError('an older package')")
    fetching(address).prefetch()
    assert forked(from_the_current_folder, tmp_path, address)


def test_modules_beside_the_package_replace_none_of_the_standard_library(address, tmp_path):
    (tmp_path / "token_security").symlink_to(pathlib.Path(_process.__file__).parent)
    (tmp_path / "selectors.py").write_text("raise ImportError('not the standard one')")
    fetching(address).prefetch()
    assert forked(with_a_namesake, tmp_path, address)


def fetch_in_child(verifier, results):
    results.put((verifier.verify(TOKEN, at=THEN).subject, _process._current.process is None))


def make_and_fork(port, results):
    verifier = fetching(port)
    results.put([forked(fetch_in_child, verifier) for _ in range(3)])


def test_verifiers_that_are_made_before_a_fork_and_used_after_it(address):
    """In a new interpreter: this one has used verifiers. Each child fetches the keys, without another process."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=make_and_fork, args=(address, results))
    process.start()
    found = results.get(timeout=60)
    process.join()
    assert [own for _, own in found] == [True] * 3 and len({subject for subject, _ in found}) == 1


def test_an_import_in_a_folder_that_was_removed(tmp_path):
    """As of a deployment that has been replaced: Python itself passes over the current folder then."""
    gone = tmp_path / "gone"
    gone.mkdir()
    command = 'cd "$0" && rmdir "$0" && exec "$1" -c "import token_security; print(token_security.__name__)"'
    done = subprocess.run(["sh", "-c", command, str(gone), sys.executable], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "token_security\n"), done.stderr
