"""Forks: a child verifies with the keys that were there, and fetches others itself. Nothing of the library waits for its parent."""
import multiprocessing
import os
import subprocess
import sys
import threading

import waiting
from ports import closed_port
from servers import Server, response
from support import THEN, TOKEN, code, fetching, forked
from token_security import TokenSecurityError
from waiting import LIMIT, eventually

SUBJECT = "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"


def in_child(used, unused, without_keys, port, results):
    new = fetching(port)
    new.refresh()
    batch = new.verify_batch([TOKEN, "a.b.c", TOKEN[:-4] + "AAAA"], at=THEN)
    results.put((
        used.verify(TOKEN, at=THEN).subject, unused.verify(TOKEN, at=THEN).subject, code(lambda: without_keys.verify(TOKEN, at=THEN)),
        [result.code if isinstance(result, TokenSecurityError) else result.subject for result in batch], new.explain(TOKEN, at=THEN)["valid"],
        threading.active_count()))


def test_a_child_verifies_and_fetches(address):
    used = fetching(address)
    assert used.verify(TOKEN, at=THEN).subject == SUBJECT
    with closed_port() as port:
        found = [forked(in_child, used, fetching(address), fetching(port), address) for _ in range(3)]
    # No thread but the main one, and that of the queue.
    assert [each[:5] for each in found] == [
        (SUBJECT, SUBJECT, "fetch_connection", [SUBJECT, "base64url_length", "signature_invalid"], True)] * 3
    assert used.verify(TOKEN, at=THEN).subject == SUBJECT


def fork_again(verifier, results):
    verifier.verify(TOKEN, at=THEN)
    results.put(forked(verify_once, verifier))


def verify_once(verifier, results):
    results.put(verifier.verify(TOKEN, at=THEN).subject)


def test_a_fork_of_a_fork(address):
    assert forked(fork_again, fetching(address)) == SUBJECT


def test_a_fork_while_another_thread_fetches():
    """The child has no such thread, and does not wait for it."""
    answered = threading.Event()

    def play(connection, _):
        if len(server.requests) == 1:
            answered.wait()
        return response()

    server = Server(play)
    verifier, subjects = fetching(server.port, fetch_timeout=60), []
    thread = threading.Thread(target=lambda: subjects.append(verifier.verify(TOKEN, at=THEN).subject))
    thread.start()
    eventually(lambda: server.requests)
    assert forked(verify_once, verifier) == SUBJECT and subjects == []
    answered.set()
    thread.join()
    assert subjects == [SUBJECT] and len(server.requests) == 2
    server.close()


def test_verifiers_in_spawned_processes(address):
    """A verifier is made anew by its policy."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=verify_once, args=(fetching(address), results))
    process.start()
    assert results.get(timeout=LIMIT) == SUBJECT
    process.join()


THREADS = """
import os, sys
sys.path[:0] = sys.argv[1].split(os.pathsep)
from support import THEN, TOKEN, fetching
verifier = fetching(int(sys.argv[2]))
verifier.refresh()
verifier.verify(TOKEN, at=THEN)
print(len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd")))
"""


def test_the_library_starts_no_thread(address):
    done = subprocess.run(
        [sys.executable, "-c", THREADS, os.pathsep.join(map(os.path.dirname, (__file__, waiting.__file__))), str(address)],
        capture_output=True, text=True, timeout=LIMIT)
    # Standard files, and the folder that is listed.
    assert (done.returncode, done.stdout) == (0, "1 4\n"), done.stderr
