"""Verifiers in forked processes, where a process of its own fetches keys."""
import multiprocessing
import os
import pathlib
import signal
import socket
import threading

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from ports import closed_port
from support import CLIENT, ISSUER, KEYS, POOL, THEN, TOKEN, code, fetching, forked
from token_security import TokenSecurityError, Verifier, _process
from waiting import LIMIT, eventually

SIGNING_KEY = rsa.generate_private_key(65537, 2048)


def in_child(verifier, without_keys, port, results):
    held = verifier.verify(TOKEN, at=THEN).subject
    # What follows is fetched by a process that the child starts.
    unreachable = code(lambda: without_keys.verify(TOKEN, at=THEN))
    new = fetching(port)
    new.prefetch()
    batch = new.verify_batch([TOKEN, "a.b.c", TOKEN[:-4] + "AAAA"], at=THEN)
    explained = new.explain(TOKEN, at=THEN)["valid"]
    threads = [threading.Thread(target=lambda: batch.append(new.verify(TOKEN, at=THEN))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put((held, unreachable, new.verify(TOKEN, at=THEN).header["alg"], [
        result.code if isinstance(result, TokenSecurityError) else result.subject for result in batch], explained))


def test_forked_processes_have_the_keys_that_were_cached(address):
    verifier = fetching(address)
    verifier.prefetch()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    with closed_port() as port:
        without_keys = fetching(port)
        children = [context.Process(target=in_child, args=(verifier, without_keys, address, results)) for _ in range(3)]
        for child in children:
            child.start()
        answers = [results.get(timeout=LIMIT) for _ in children]
        for child in children:
            child.join()
            assert child.exitcode == 0
    subject = "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    batch = [subject, "base64url_length", "signature_invalid", *[subject] * 8]
    assert answers == [(subject, "fetch_connection", "RS256", batch, True)] * 3
    # The parent goes on.
    assert verifier.verify(TOKEN, at=THEN).subject == subject


def leave_a_key_process(verifier, results):
    verifier.verify(TOKEN, at=THEN)
    results.put(_process.key_process()._process.pid)


def test_a_key_process_ends_with_the_process_that_started_it(address):
    fetching(address).prefetch()
    pid = forked(leave_a_key_process, fetching(address, timeout=20))
    def has_ended():
        try:
            return "Z" in pathlib.Path(f"/proc/{pid}/stat").read_text().split()[2]
        except (FileNotFoundError, ProcessLookupError):
            return True
    eventually(has_ended)


def verify_in_own(verifier, own, results):
    results.put((verifier.verify(TOKEN, at=THEN).subject, _process.key_process()._process.pid != own))


def fork_again(port, results):
    """A process that a forked process forks: it has a key process of its own, and the first one is not disturbed."""
    verifier = fetching(port)
    first = verifier.verify(TOKEN, at=THEN).subject
    own = _process.key_process()._process
    second, is_another = forked(verify_in_own, verifier, own.pid)
    # One that is killed is replaced.
    own.kill()
    own.wait()
    results.put(first == second == verifier.verify(TOKEN, at=THEN).subject and is_another)


def test_a_fork_of_a_fork(address):
    fetching(address).prefetch()
    assert forked(fork_again, address)


def start_nothing(port, results):
    multiprocessing.set_executable("/nonexistent")
    results.put(code(lambda: fetching(port).verify(TOKEN, at=THEN)))


def test_a_key_process_that_cannot_be_started(address):
    fetching(address).prefetch()
    assert forked(start_nothing, address) == "process_forked"


def interrupt(port, results):
    verifier = fetching(port)
    verifier.verify(TOKEN, at=THEN)
    first, write = _process.key_process(), _process.write

    def half(channel, message, seconds):
        channel.sendall(b"\0")
        raise KeyboardInterrupt

    _process.write = half
    with pytest.raises(KeyboardInterrupt):
        verifier.verify(TOKEN, at=THEN)
    _process.write = write
    results.put(verifier.verify(TOKEN, at=THEN).subject and _process.key_process() is not first)


def test_an_interrupted_request_costs_the_next_one_nothing(address):
    fetching(address).prefetch()
    assert forked(interrupt, address)


def make_of_both(port, results):
    policy = {
        "version": 1, "fetching": {"allows_plain_loopback": True}, "issuers": [
            {"profile": "token", "issuer": ISSUER, "audience": "api", "keys": "given"},
            {"profile": "token", "issuer": "https://other.example", "audience": "api", "keys": {"jwks_uri": f"http://127.0.0.1:{port}/"}}]}
    results.put(code(lambda: Verifier.from_policy(policy, jwks=KEYS)))


def test_given_and_fetched_keys_in_a_forked_process(address):
    fetching(address).prefetch()
    assert forked(make_of_both, address) == "process_forked"


def stop_the_process(port, results):
    """One that does not answer any more is replaced."""
    verifier = fetching(port, timeout=10)
    verifier.verify(TOKEN, at=THEN)
    first = _process.key_process()
    os.kill(first._process.pid, signal.SIGSTOP)
    # Also while it takes no bytes of a long request.
    invalid = verifier.verify_batch(["x" * 1_000] * 1_000, at=THEN)
    results.put(invalid[0].code == "not_compact" and _process.key_process() is not first)


def test_a_key_process_that_does_not_answer(address):
    fetching(address).prefetch()
    assert forked(stop_the_process, address)


def wait_for_keys(silent, port, results):
    """Threads that wait for one issuer's keys, more than a policy may have: others go on."""
    waiting, ready = fetching(silent, timeout=20), fetching(port)
    codes = []
    threads = [threading.Thread(target=lambda: codes.append(code(lambda: waiting.verify(TOKEN, at=THEN)))) for _ in range(20)]
    for thread in threads:
        thread.start()
    subject = ready.verify(TOKEN, at=THEN).subject
    were_waiting = sum(thread.is_alive() for thread in threads)
    for thread in threads:
        thread.join()
    results.put((subject is not None, were_waiting, len(codes)))


def test_an_issuer_that_does_not_answer_delays_no_other(address):
    fetching(address).prefetch()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert forked(wait_for_keys, silent.getsockname()[1], address) == (True, 20, 20)


def verify_batches(port, results):
    """Requests and answers that are larger than the buffers between, in both directions at the same time, and short ones."""
    verifier, many = fetching(port), [TOKEN[:-8] + "AAAAAAAA"] * 2_000
    codes, subjects = [], []

    def long():
        for _ in range(4):
            codes.extend(result.code for result in verifier.verify_batch(many, at=THEN))

    def short():
        for _ in range(500):
            subjects.append(verifier.verify(TOKEN, at=THEN).subject)

    threads = [threading.Thread(target=body) for body in (long, short) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put((len(codes), set(codes), len(subjects)))


def test_long_batches_at_the_same_time(address):
    fetching(address).prefetch()
    assert forked(verify_batches, address) == (32_000, {"signature_invalid"}, 2_000)


def wait_in_one_policy(silent, port, results):
    """Of one policy, tokens of an issuer that does not answer, more than may wait; those of the other one go on."""
    verifier = Verifier.from_policy({
        "version": 1, "fetching": {"allows_plain_loopback": True}, "issuers": [
            {"profile": "cognito-user-pool", "pool": POOL, "use": "access", "client_ids": CLIENT,
             "keys": {"jwks_uri": f"http://127.0.0.1:{port}/"}},
            {"profile": "token", "issuer": ISSUER, "audience": "api", "keys": {"jwks_uri": f"http://127.0.0.1:{silent}/"}}]},
        timeout=20)
    verifier.verify(TOKEN, at=THEN)
    waiting = jwt.encode({"iss": ISSUER, "aud": "api", "exp": THEN + 100}, SIGNING_KEY, "RS256", {"kid": "a"})
    threads = [threading.Thread(target=lambda: code(lambda: verifier.verify(waiting, at=THEN))) for _ in range(20)]
    for thread in threads:
        thread.start()
    many = verifier.verify_batch([TOKEN] * 100 + [TOKEN[:-8] + "AAAAAAAA"], at=THEN)
    were_waiting = sum(thread.is_alive() for thread in threads)
    results.put((were_waiting, many[-1].code, many[0].subject is not None))
    # Without a wait for the threads.
    results.close()
    results.join_thread()
    os._exit(0)


def test_an_issuer_delays_no_other_of_its_policy(address):
    fetching(address).prefetch()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert forked(wait_in_one_policy, silent.getsockname()[1], address) == (20, "signature_invalid", True)


def explain_in_child(port, results):
    results.put(fetching(port).explain(TOKEN, at=THEN))


def test_explanations_are_those_of_the_parent(address):
    verifier = fetching(address)
    verifier.prefetch()
    assert forked(explain_in_child, address) == verifier.explain(TOKEN, at=THEN)


def wait_for_less(silent, results):
    """Behind 16 tokens of the same policy, one that waits for a shorter time."""
    long, short = (fetching(silent, timeout=timeout, fetch_timeout=60) for timeout in (60, 1))
    # After its first answer the process has less time for others.
    code(lambda: long.verify("x", at=THEN))
    _process.key_process().ask({"method": "ping", "tokens": []}, 0)
    for _ in range(16):
        threading.Thread(target=lambda: code(lambda: long.verify(TOKEN, at=THEN)), daemon=True).start()
    process = _process.key_process()
    # They are sent, and taken: the process reads its requests in order.
    eventually(lambda: len(process._waiting) >= 16 and not process._writers)
    process.ask({"method": "ping", "tokens": []}, 0)
    results.put((code(lambda: short.verify(TOKEN, at=THEN)), _process.key_process() is process, len(process._waiting) >= 16))
    results.close()
    results.join_thread()
    os._exit(0)


def test_a_short_wait_ends_no_long_ones(address):
    fetching(address).prefetch()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert forked(wait_for_less, silent.getsockname()[1]) == ("timed_out", True, True)
