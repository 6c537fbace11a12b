"""Forks: a child verifies with the keys that were there, and fetches others itself. Nothing of the library waits for its parent."""
import multiprocessing
import os
import ssl
import subprocess
import sys
import threading

import pytest

import waiting
from ports import closed_port
from servers import Server, made_certificate, response
from support import CLIENT, POOL, THEN, TOKEN, code, fetching, forked
from token_security import TokenSecurityError, Verifier, _connection
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


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return made_certificate(tmp_path_factory.mktemp("tls"), "DNS:localhost,IP:127.0.0.1")


def secure(server, certificate):
    return Verifier.from_policy({
        "version": 1, "fetching": {"trust_roots": str(certificate), "timeout": 60},
        "issuers": [{"profile": "cognito-user-pool", "pool": POOL, "use": "access", "client_ids": CLIENT,
                     "keys": {"jwks_uri": f"https://localhost:{server.port}/"}}]}, timeout=60)


def test_a_fork_while_another_thread_fetches_over_tls(certificate):
    """In the middle of the handshake."""
    begun, answered = threading.Event(), threading.Event()

    def play(connection, _):
        if not begun.is_set():
            connection.recv(1)
            begun.set()
            answered.wait()
            return b""
        connection = context.wrap_socket(connection, server_side=True)
        connection.recv(65_536)
        connection.sendall(response())
        connection.unwrap()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = Server(play, read=False)
    verifier = secure(server, certificate)
    thread = threading.Thread(target=lambda: code(lambda: verifier.verify(TOKEN, at=THEN)))
    thread.start()
    eventually(begun.is_set)
    assert [forked(verify_once, verifier) for _ in range(3)] == [SUBJECT] * 3
    # The handler of a signal can fork while its own thread is in OpenSSL.
    with _connection._working:
        assert forked(verify_once, verifier) == SUBJECT
    answered.set()
    thread.join()
    server.close()


def test_a_fork_waits_until_openssl_has_worked():
    """The child has no lock that another thread held."""
    held, release, order = threading.Event(), threading.Event(), []

    def hold():
        with _connection._working:
            held.set()
            release.wait()
            order.append("worked")

    def fork():
        order.append("forks")
        child = os.fork()
        if child == 0:
            # Free, also for other threads of the child.
            os._exit(0 if _connection._working.acquire(blocking=False) else 1)
        order.append("forked")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    threads = [threading.Thread(target=hold), threading.Thread(target=fork)]
    threads[0].start()
    held.wait()
    threads[1].start()
    eventually(lambda: order)
    release.set()
    for thread in threads:
        thread.join()
    assert order == ["forks", "worked", "forked"]


PREPARED = """
import sys
import token_security
before = set(sys.modules)
verifier = token_security.Verifier.cognito("eu-west-1_Example01", "a")
made = verifier._fetcher._rules
import socket
socket.getaddrinfo = lambda *_, **__: print(*sorted({"ssl", "encodings.idna", "token_security._http"} & set(sys.modules)), len(made)) or [(2, 1, 6, "", ("127.0.0.1", 1))]
modules = set(sys.modules)
try:
    verifier.refresh()
except token_security.TokenSecurityError as error:
    print(error.code, set(sys.modules) - modules, len(made), "ssl" in before)
"""


def test_a_fetch_imports_nothing():
    """A child that is forked during an import would wait for it."""
    done = subprocess.run([sys.executable, "-c", PREPARED], capture_output=True, text=True, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, "encodings.idna ssl token_security._http 1\nfetch_connection set() 1 False\n"), done.stderr


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
