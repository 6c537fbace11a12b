"""Fetches in applications with signals, time limits, gevent and eventlet."""
import contextlib
import functools
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

import waiting
from servers import Server, response, silent
from support import KEYS, THEN, TOKEN, code, fetching
from token_security import Signer, TokenSecurityError, Verifier, _fetching, _http
from token_security._library import FETCH_CANCELLED, FETCH_FAILED
from waiting import LIMIT, eventually


class Limit(Exception):
    """The application's limit of time."""


@pytest.fixture
def handled():
    """Sets the handler of SIGALRM, and what sends it to the main thread when a condition holds."""
    former = signal.getsignal(signal.SIGALRM)

    def start(handler, condition):
        signal.signal(signal.SIGALRM, handler)
        main = threading.main_thread().ident
        threading.Thread(target=lambda: (eventually(condition), signal.pthread_kill(main, signal.SIGALRM)), daemon=True).start()

    yield start
    signal.signal(signal.SIGALRM, former)


def first_is_silent():
    def play(connection, text):
        return silent(connection, text) if len(server.requests) == 1 else response()

    server = Server(play)
    return server


@pytest.mark.parametrize("method", ["verify", "verify_batch", "explain", "refresh"])
@pytest.mark.parametrize("raised", [KeyboardInterrupt, TimeoutError("the application's limit"), SystemExit(3)], ids=range(3))
def test_what_a_handler_raises_ends_the_call(handled, method, raised):
    server = first_is_silent()
    verifier = fetching(server.port, timeout=600, fetch_timeout=60)
    calls = {
        "verify": lambda: verifier.verify(TOKEN, at=THEN), "verify_batch": lambda: verifier.verify_batch([TOKEN], at=THEN),
        "explain": lambda: verifier.explain(TOKEN, at=THEN), "refresh": verifier.refresh}

    def give_up(*_):
        raise raised

    handled(give_up, lambda: server.requests)
    with pytest.raises(BaseException) as found:
        calls[method]()
    assert found.value is raised or found.type is raised
    # It says nothing about the server: the next call fetches at once.
    assert verifier.verify(TOKEN, at=THEN).subject and len(server.requests) == 2
    server.close()


def restored_and_raised(number, frame):
    """A handler that is none any more when it raises."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    raise TimeoutError("the application's limit")


@pytest.mark.parametrize("handler", [
    restored_and_raised, functools.partial(lambda _, *arguments: restored_and_raised(*arguments), 3),
    lambda number, *rest: restored_and_raised(number, None)], ids=range(3))
def test_errors_of_connections_that_handlers_raise(handled, handler):
    server = first_is_silent()
    verifier = fetching(server.port, timeout=600, fetch_timeout=60)
    handled(handler, lambda: server.requests)
    with pytest.raises(TimeoutError, match="application"):
        verifier.verify(TOKEN, at=THEN)
    assert verifier.verify(TOKEN, at=THEN).subject and len(server.requests) == 2
    server.close()


class ProxyError(OSError):
    """As wrapped sockets raise it."""


@pytest.mark.parametrize("place", ["getaddrinfo", "socket"])
@pytest.mark.parametrize("raised", [socket.gaierror(-2, "Name or service not known"), ProxyError("no proxy"), UnicodeError("label too long")],
                         ids=range(3))
def test_errors_of_wrapped_resolvers_and_sockets(monkeypatch, place, raised):
    """They are failed fetches: with a back-off, and keys that may still be used are."""
    calls = []

    def wrapped(*_, **__):
        calls.append(1)
        raise raised

    monkeypatch.setattr(socket, place, wrapped)
    verifier = fetching(1)
    assert [code(lambda: verifier.verify(TOKEN, at=THEN)) for _ in range(20)] == ["fetch_connection"] * 20
    # The first back-off ends with a second of the clock, which may be the next moment; the second one is longer than a second.
    assert code(verifier.refresh) == "fetch_connection" and len(calls) <= 2


@pytest.mark.parametrize("before", [None, response(), response(status="500 Internal Server Error")], ids=["none", "fetched", "failed"])
def test_what_is_raised_before_the_fetch_begins(before):
    """A signal that came while the library waited for another thread is handled where the function is entered. ctypes then returns
    what the function before has returned."""
    if before is not None:
        other = Server(before)
        with contextlib.suppress(TokenSecurityError):
            fetching(other.port).refresh()
        assert len(other.requests) == 1
        other.close()
    server, lost = Server(response()), []
    verifier = fetching(server.port)
    former, sys.unraisablehook = sys.unraisablehook, lost.append
    run = _fetching.Fetcher._run.__code__

    def trace(frame, event, _):
        # Where the interpreter looks for signals when it enters the function.
        if frame.f_code is run and event == "call":
            raise Limit

    try:
        sys.settrace(trace)
        with pytest.raises(Limit):
            verifier.verify(TOKEN, at=THEN)
        sys.settrace(None)
        assert not lost and server.requests == []
        # All others go on to the former hook.
        Dying()
        assert len(lost) == 1 and verifier.verify(TOKEN, at=THEN).subject
    finally:
        sys.settrace(None)
        sys.unraisablehook = former
    server.close()


class Dying:
    def __del__(self):
        raise Limit


def test_a_batch_ends_with_its_first_exception(handled):
    """Of several sets, no other one is fetched."""
    server = Server(silent)
    names = [f"https://i{number}.example" for number in range(8)]
    verifier = Verifier.from_policy({"version": 1, "fetching": {"allows_plain_loopback": True, "timeout": 60}, "issuers": [
        {"profile": "token", "issuer": name, "audience": "x", "keys": {"jwks_uri": f"http://127.0.0.1:{server.port}/{name[-9]}"}} for name in names]},
        timeout=600)
    signer = Signer({"kty": "EC", "crv": "P-256", "kid": "one", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}, algorithm="ES256")

    def give_up(*_):
        raise SystemExit(3)

    handled(give_up, lambda: server.requests)
    with pytest.raises(SystemExit):
        verifier.verify_batch([signer.issue({"iss": name, "aud": "x"}) for name in names])
    assert len(server.requests) == 1
    server.close()


def test_a_thread_that_fetches_in_a_fetch_is_still_fetching():
    fetcher = _fetching.Fetcher(None)
    own = threading.get_ident()
    fetcher._active[own] = 2
    fetcher._leave(own)
    assert fetcher.is_active()
    fetcher._leave(own)
    assert not fetcher.is_active() and not fetcher._active


@pytest.mark.parametrize("result", [FETCH_CANCELLED, FETCH_FAILED], ids=["cancelled", "failed"])
def test_what_is_raised_after_a_body_that_is_too_large_ends_its_own_call(monkeypatch, result):
    """No later one, whatever the library says of the fetch."""
    server = Server(lambda *_: response(b" " * (1 << 20)) if len(server.requests) == 1 else response())
    verifier, give = fetching(server.port), _http._give

    def give_up(fetch, part):
        if not give(fetch, part):
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(_http, "_give", give_up)
    monkeypatch.setattr(_fetching, "FETCH_CANCELLED", result)
    with pytest.raises(KeyboardInterrupt):
        verifier.verify(TOKEN, at=THEN)
    if result == FETCH_CANCELLED:
        assert verifier.verify(TOKEN, at=THEN).subject
    else:
        assert code(lambda: verifier.verify(TOKEN, at=THEN)) == "fetch_too_large"
    server.close()


def test_a_search_that_is_given_up_is_forgotten(monkeypatch):
    """The tokens of a new key are accepted at once after it."""
    old, new = KEYS.replace('"kid": "', '"kid": "old '), KEYS
    assert old != new
    server = Server(lambda *_: response(old if len(server.requests) == 1 else new))
    verifier, receive = fetching(server.port), _http._receive
    verifier.refresh()

    def give_up(*_):
        raise Limit

    monkeypatch.setattr(_http, "_receive", give_up)
    with pytest.raises(Limit):
        verifier.verify(TOKEN, at=THEN)
    monkeypatch.setattr(_http, "_receive", receive)
    assert verifier.verify(TOKEN, at=THEN).subject and len(server.requests) == 3
    server.close()


def test_a_handler_that_verifies(handled):
    """It cannot have the keys that its own thread fetches; other verifiers work."""
    server = first_is_silent()
    verifier, found = fetching(server.port, timeout=600, fetch_timeout=60), []

    def verify(*_):
        other = fetching(server.port)
        found.append((code(lambda: verifier.verify(TOKEN, at=THEN)), other.verify(TOKEN, at=THEN).subject is not None))
        raise InterruptedError(1, "enough")

    handled(verify, lambda: server.requests)
    with pytest.raises(InterruptedError, match="enough"):
        verifier.verify(TOKEN, at=THEN)
    assert found == [("fetch_reentered", True)] and verifier.verify(TOKEN, at=THEN).subject
    server.close()


GEVENT = """
from gevent import monkey
monkey.patch_all()
import os, sys
sys.path[:0] = sys.argv[1].split(os.pathsep)
import gevent
from gevent.event import Event
from servers import response
from support import THEN, TOKEN, code, fetching
from gevent.pywsgi import WSGIServer
from support import KEYS

requests, others = [], []
gate = Event()

def answer(environment, start):
    requests.append(environment["PATH_INFO"])
    # The hub runs while one task fetches and the others wait.
    gate.wait()
    start("200 OK", [("Content-Type", "application/json")])
    return [KEYS.encode()]

server = WSGIServer(("127.0.0.1", 0), answer, log=None)
server.start()
verifier = fetching(server.server_port, fetch_timeout=60)
tasks = [gevent.spawn(lambda: verifier.verify(TOKEN, at=THEN).subject) for _ in range(8)]
tasks += [gevent.spawn(lambda: verifier.verify_batch([TOKEN], at=THEN)[0].subject), gevent.spawn(lambda: verifier.refresh() > 0)]
while not requests:
    gevent.sleep(0.01)
gevent.sleep(0.05)
gate.set()
gevent.joinall(tasks)
print(len({task.value for task in tasks[:9]}), tasks[9].value, len(requests), flush=True)
child = os.fork()
if child == 0:
    print(verifier.verify(TOKEN, at=THEN).subject == tasks[0].value, fetching(int(sys.argv[2])).verify(TOKEN, at=THEN).subject == tasks[0].value, flush=True)
    os._exit(0)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_gevent(address):
    """Many tasks of one thread: one of them fetches, and the others wait without holding it up."""
    done = subprocess.run(
        [sys.executable, "-c", GEVENT, os.pathsep.join(map(os.path.dirname, (__file__, waiting.__file__))), str(address)],
        capture_output=True, text=True, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, "1 True 1\nTrue True\n"), done.stderr


def test_a_default_timeout_of_sockets(address):
    """The application's limit of all sockets is none of a fetch's."""
    import socket

    former = socket.getdefaulttimeout()
    socket.setdefaulttimeout(1e-6)
    try:
        verifier = fetching(address)
        subject = verifier.verify(TOKEN, at=THEN).subject
    finally:
        socket.setdefaulttimeout(former)
    assert subject
