"""Forked processes of applications that change what the key process could depend on: folders, files, signals and threads."""
import multiprocessing
import os
import pathlib
import pickle
import signal
import socket
import subprocess
import sys
import threading

import pytest

from support import POOL, THEN, TOKEN, code, fetching, forked
from token_security import Verifier, _process
from waiting import LIMIT


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
    found = results.get(timeout=LIMIT)
    process.join()
    assert [own for _, own in found] == [True] * 3 and len({subject for subject, _ in found}) == 1


def test_an_import_in_a_folder_that_was_removed(tmp_path):
    """As of a deployment that has been replaced: Python itself passes over the current folder then."""
    program = "import os, sys; folder, root = sys.argv[1:]; os.chdir(folder); os.rmdir(folder); sys.path[:] = ['', *sys.path[1:], root]; " \
        "import token_security; print(token_security.__name__)"
    done = subprocess.run([sys.executable, "-c", program, tmp_path, _process._ROOT], capture_output=True, text=True, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, "token_security\n"), done.stderr
