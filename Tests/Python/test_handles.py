"""Objects with a handle of the library: each handle is freed once, whatever is done with its object."""
import gc
import json

import pytest

from support import CLIENT, KEYS, POOL, THEN, TOKEN, code, fetching
from test_sessions import ANSWER, OWN, SENT, USER, VERIFIER
from token_security import (
    ProofVerifier, RequestVerifier, Session, SessionKeys, Signer, SrpClient, SrpServer, Verifier, check_lifetime, sign_request)
from token_security._library import FETCH, FETCH_DONE, Handle, library
from token_security.requests import _Request

SECRET = {"kty": "oct", "k": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}
RULES = {"issuer": "https://issuer.example", "audience": "api", "jwks": KEYS}
SERVICE = {"endpoint": "https://id.example", "region": "us-east-1", "credentials": OWN}


@FETCH
def answer(_, fetch):
    body = json.dumps(ANSWER).encode()
    library.ts_fetch_set_status(fetch, 200, None)
    library.ts_fetch_add_body(fetch, body, len(body), None)
    return FETCH_DONE


KNOWN = SessionKeys(**SERVICE)
library.ts_session_keys_set_fetch(KNOWN._handle, answer, None, None)
ASKED = _Request(headers=sign_request(
    USER, service="orders", region="eu-west-1", headers={"Host": "api.example"}, at=THEN, **SENT), **SENT)

# How each class is made, and a call of an object that needs its handle.
CLASSES = {
    Verifier: ((), RULES, lambda made: made.verify(TOKEN, at=THEN)),
    Signer: ((SECRET,), {"algorithm": "HS256"}, lambda made: made.issue({})),
    RequestVerifier: ((), {"service": "a", "region": "b"}, lambda made: made.verify(lambda key: None, method="GET", target="/", headers={})),
    ProofVerifier: ((), {}, lambda made: made.verify("a", method="GET", url="https://a.example/", token="a", claims={})),
    SessionKeys: ((), SERVICE, lambda made: VERIFIER.verify_session(made, headers={}, **SENT)),
    Session: ((VERIFIER._handle, KNOWN._handle, ASKED._handle, None, THEN), {}, lambda made: made.check("orders:Read")),
    SrpClient: ((), {}, lambda made: made.verify(b"a")),
    SrpServer: ((), {}, lambda made: made.verify(b"a", b"a")),
    _Request: (("GET", "/", {}, b""), {}, None),
}


def descendants(parent):
    for child in parent.__subclasses__():
        yield child
        yield from descendants(child)


def test_each_class_is_here():
    assert {made for made in descendants(Handle) if made.__module__.startswith("token_security.") and hasattr(made, "_free")} == set(CLASSES)


@pytest.fixture(params=CLASSES, ids=lambda made: made.__name__)
def kind(request):
    return request.param


@pytest.fixture
def freed(kind, monkeypatch):
    """The handles of a class that were freed, in their order."""
    # What other tests have left in cycles is freed before.
    gc.collect()
    handles, free = [], kind._free
    monkeypatch.setattr(kind, "_free", staticmethod(lambda handle: (handles.append(handle), free(handle))))
    return handles


def test_a_handle_is_freed_once(kind, freed):
    arguments, options, use = CLASSES[kind]
    made = kind(*arguments, **options)
    handle = made._handle
    made.__del__()
    made.__del__()
    assert freed == [handle]
    if use:
        assert code(lambda: use(made)) == "argument_missing"
    del made
    gc.collect()
    assert freed == [handle]


def test_an_object_is_made_once(kind, freed):
    arguments, options, _ = CLASSES[kind]
    made = kind(*arguments, **options)
    handle = made._handle
    with pytest.raises(TypeError, match="is made once"):
        made.__init__(*arguments, **options)
    # The first handle, which a thread may use, and not the second one.
    assert made._handle == handle and len(freed) == 1 and handle not in freed
    del made
    gc.collect()
    assert len(freed) == 2 and freed[1] == handle


def test_a_verifier_that_was_made_stays_as_it_is(address):
    given = Verifier.cognito(POOL, CLIENT, jwks=KEYS)
    with pytest.raises(TypeError):
        given.__init__(issuer="https://issuer.example", audience="api", timeout=1)
    assert given._fetching is None and given._milliseconds == 5_000
    assert given.verify(TOKEN, at=THEN).subject
    verifier = fetching(address)
    with pytest.raises(TypeError):
        verifier.__init__(**RULES)
    assert verifier.verify(TOKEN, at=THEN).subject
    verifier.__del__()
    assert code(lambda: verifier.verify(TOKEN, at=THEN)) == "argument_missing"
    assert code(verifier.refresh) == "argument_missing"
    assert check_lifetime() == 900
