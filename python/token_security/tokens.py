"""Verifying and issuing tokens (JWT)."""
from __future__ import annotations

import _thread
import json
import os
import time
from ctypes import byref, c_char_p, c_int64, c_size_t, c_void_p

from ._fetching import Fetcher, Fetching, watch
from ._library import NOW, Handle, call, error_of, handle, library, parsed, seconds, sized, taken, text, whole
from .errors import TokenSecurityError

# Not from `typing`, whose import would take a third of this package's.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeVar, Union

    _Value = TypeVar("_Value")
    #: One text, or several.
    Texts = Union[str, Sequence[str]]
    #: Keys: a JWK or a JWK set, as an object or as text; PEM or DER.
    Keys = Union[dict[str, Any], str, bytes]
    Members = dict[str, Any]
else:
    Members = dict

#: The refusals of a call whose own fetch was ended, or that comes from within one.
_OF_FETCHES = ("fetch_cancelled", "fetch_reentered")


class Claims(Members):
    """The claims of a verified token, as a dictionary.

    Whole numbers of more than some thousand digits, of which Python makes no ``int``, are ``decimal.Decimal``.
    """

    # The header's part of the token. Not the whole token, which must not get where claims are stored.
    __slots__ = ("_header",)
    _header: bytes

    @property
    def header(self) -> "dict[str, Any]":
        """The token's header; empty for claims that the application made."""
        part = getattr(self, "_header", b"")
        header: "dict[str, Any]" = parsed(_decoded(part)) if part else {}
        return header

    @property
    def subject(self) -> "str | None":
        """``sub``: whom the token is about."""
        return self.get("sub")

    @property
    def issuer(self) -> "str | None":
        """``iss``: who issued the token."""
        return self.get("iss")

    def __reduce__(self) -> "tuple[Any, ...]":
        # Those that an application has made have no header.
        return _stored_claims, (dict(self), getattr(self, "_header", b""))


def _stored_claims(claims: "dict[str, Any]", header: bytes) -> Claims:
    """Claims that were pickled."""
    made = Claims(claims)
    made._header = header
    return made


def _decoded(part: bytes) -> bytes:
    import base64

    return base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))


def _claims_of(claims: bytes, compact: bytes) -> Claims:
    return _stored_claims(parsed(claims), compact.partition(b".")[0])


def _claims(token: "int | None", compact: bytes) -> Claims:
    try:
        return _claims_of(library.ts_token_claims(token, None), compact)
    finally:
        library.ts_token_free(token)


class Verifier(Fetching):
    """Verifies tokens by a policy. Make one and keep it; threads can share it.

    ``Verifier(jwks=keys, issuer="https://issuer.example", audience="my-api")`` has its keys.
    ``Verifier(issuer=…, audience=…)`` fetches them by discovery, ``jwks_uri=`` from an address, when a token needs them, and
    keeps them. ``Verifier.cognito("eu-west-1_Example01", client_ids=["1example"])`` verifies the tokens of a user pool.
    ``Verifier.from_policy`` takes the whole policy as JSON.

    Keys are fetched by the thread whose token needs them, over HTTPS, within ``timeout``. The other threads verify with the
    keys that are there, and wait if there are none. No thread is started; call ``refresh`` from one of your own so that no
    token waits. ``proxy`` is ``http://HOST:PORT``; without it, no proxy is used.

    Processes can fork: a child has the keys that were there, and fetches others itself. A verifier that fetches its keys can be
    pickled: the copy has the same policy. One with keys of its own cannot.
    """

    _free = library.ts_verifier_free
    #: Whether keys are fetched.
    _fetches = False
    #: The policy, if all keys are fetched.
    _fetching: "str | None" = None

    def __init__(
        self, *, issuer: Texts, audience: Texts, jwks: "Keys | None" = None, jwks_uri: "str | None" = None,
        algorithms: "Texts | None" = None, type: "str | None" = None, required_claims: Texts = (),
        claims: "dict[str, Any] | None" = None, binding: "Texts | None" = None, actors: "Texts | None" = None,
        acr: "Texts | None" = None, leeway: "int | None" = None, maximum_lifetime: "int | None" = None,
        cache_capacity: "int | None" = None, timeout: float = 5.0, trust_roots: "str | None" = None,
        allow_plain_loopback: bool = False, proxy: "str | None" = None,
    ) -> None:
        if jwks is not None and jwks_uri is not None:
            raise ValueError("keys are given or at an address, not both")
        rules = {
            "profile": "token", "issuer": issuer, "audience": audience, "algorithms": algorithms, "type": type,
            "required_claims": required_claims or None, "claims": claims, "binding": binding, "actors": actors, "acr": acr,
            "leeway": leeway,
            "maximum_lifetime": maximum_lifetime,
            "keys": "given" if jwks is not None else {"jwks_uri": jwks_uri} if jwks_uri is not None else None,
        }
        self._open(_policy(rules, cache_capacity, trust_roots, allow_plain_loopback, timeout), jwks, timeout, proxy)

    @classmethod
    def cognito(
        cls, pool: str, client_ids: Texts, *, use: str = "access", groups: Texts = (), scopes: Texts = (),
        acr: Texts = (), replica_regions: Texts = (), jwks: "Keys | None" = None, cache_capacity: "int | None" = None, timeout: float = 5.0,
        trust_roots: "str | None" = None, allow_plain_loopback: bool = False, proxy: "str | None" = None,
    ) -> "Verifier":
        """Tokens of an Amazon Cognito user pool; ``use`` is ``id``, ``access`` or ``either``."""
        rules = {
            "profile": "cognito-user-pool", "pool": pool, "use": use, "client_ids": client_ids, "groups": groups or None,
            "scopes": scopes or None, "acr": acr or None, "replica_regions": replica_regions or None, "keys": "given" if jwks is not None else None,
        }
        return cls.from_policy(_policy(rules, cache_capacity, trust_roots, allow_plain_loopback, timeout), jwks=jwks, timeout=timeout, proxy=proxy)

    @classmethod
    def from_policy(
        cls, policy: "dict[str, Any] | str", *, jwks: "Keys | None" = None, timeout: float = 5.0, proxy: "str | None" = None
    ) -> "Verifier":
        """A verifier by a whole policy, which the guide of the C interface describes."""
        verifier = cls.__new__(cls)
        verifier._open(policy, jwks, timeout, proxy)
        return verifier

    def _open(self, policy: "dict[str, Any] | str", jwks: "Keys | None", timeout: float, proxy: "str | None") -> None:
        if not 0 <= timeout <= 600:
            raise ValueError("the timeout must be 0 to 600 seconds")
        if self._fetching is not None:
            raise TypeError("a Verifier is made once")
        document = policy if isinstance(policy, str) else json.dumps(policy, default=list)
        keys = json.dumps(jwks) if isinstance(jwks, dict) else jwks
        own = handle(library.ts_verifier_create, *sized(document), *(sized(keys) if keys is not None else (None, 0)))
        self._own(own)
        self._milliseconds = int(timeout * 1000)
        self._proxy = proxy
        if keys is None:
            self._fetching = document
        fetcher = Fetcher(proxy)
        rules = parsed(sized(document)[0])
        self._fetches = any(each.get("keys") != "given" for each in rules["issuers"])
        if self._fetches:
            fetcher.prepare(rules.get("fetching", {}).get("trust_roots"))
        self._fetch_with(fetcher, library.ts_verifier_set_fetch)

    def __reduce__(self) -> "tuple[Any, ...]":
        if self._fetching is None:
            raise TypeError("a Verifier with keys of its own cannot be copied or pickled")
        return _verifier, (self._fetching, self._milliseconds / 1000, self._proxy)

    def refresh(self, *, timeout: "float | None" = None) -> float:
        """Fetches the keys of all issuers that are missing, or in the last quarter of their lifetime.

        Call it when your service starts, and then again and again from a thread of yours, so that no token waits for keys::

            def keep_fresh():
                while True:
                    try:
                        pause = verifier.refresh()
                    except TokenSecurityError as error:
                        log.warning("keys were not fetched: %s", error)
                        pause = 10
                    time.sleep(min(pause, 3600))

            threading.Thread(target=keep_fresh, daemon=True).start()

        :param timeout: the most seconds for all issuers together; default: the verifier's.
        :return: the seconds until the next refresh is due; infinite if no keys are fetched.
        :raises TokenSecurityError: the error of a fetch, also where older keys may still be used.
        """
        if timeout is not None and not -1e6 < timeout < 1e6:
            raise ValueError("the timeout must be a finite number of seconds")
        limit = self._milliseconds if timeout is None else max(0, int(timeout * 1000))
        pause = c_int64()
        self._patiently(lambda: call(library.ts_verifier_refresh, self._handle, limit, byref(pause)))
        return float("inf") if pause.value == (1 << 63) - 1 else float(pause.value)

    def verify(self, token: "str | bytes", *, at: "float | None" = None) -> Claims:
        """Verifies a token.

        :param token: the compact token.
        :param at: the time in seconds since 1970; default: now.
        :raises TokenSecurityError: the first rule that the token breaks, or why there are no keys.
        """
        data = token.encode() if type(token) is str and token.isascii() else sized(token)[0]
        now = NOW if at is None else seconds(at)
        verified, error = c_void_p(), c_void_p()
        if self._fetches:
            watch()
        if library.ts_verifier_verify(self._handle, data, len(data), now, self._milliseconds, byref(verified), byref(error)):
            refusal = error_of(error.value)
            if self._raised:
                self._raise()
            if refusal.code in _OF_FETCHES:
                return self._patiently(lambda: _claims(handle(
                    library.ts_verifier_verify, self._handle, data, len(data), now, self._milliseconds), data), refusal)
            raise refusal
        claims = _claims(verified.value, data)
        if self._raised:
            self._raise()
        return claims

    def verify_batch(
        self, tokens: "Iterable[str | bytes]", *, at: "float | None" = None
    ) -> "list[Claims | TokenSecurityError]":
        """Verifies several tokens: the claims or the error of each."""
        texts, now = [sized(token)[0] for token in tokens], seconds(at)
        count = len(texts)
        verified, errors = (c_void_p * count)(), (c_void_p * count)()
        watch()
        call(
            library.ts_verifier_verify_batch, self._handle, (c_char_p * count)(*texts),
            (c_size_t * count)(*map(len, texts)), count, now, self._milliseconds, verified, errors)
        results: "list[Claims | TokenSecurityError]" = [
            _claims(token, data) if token else error_of(error) for token, error, data in zip(verified, errors, texts)]
        self._raise()
        for place, result in enumerate(results):
            if isinstance(result, TokenSecurityError) and result.code == "fetch_reentered":
                try:
                    results[place] = self.verify(texts[place], at=at)
                except TokenSecurityError as error:
                    results[place] = error
        return results

    def explain(self, token: "str | bytes", *, at: "float | None" = None) -> "dict[str, Any]":
        """All checks of a token with the expected and the actual value, for operators."""
        data, now = sized(token)[0], seconds(at)
        explanation: "dict[str, Any]" = parsed(self._patiently(lambda: taken(handle(
            library.ts_verifier_explain, self._handle, data, len(data), now, self._milliseconds))))
        return explanation


def _verifier(policy: str, timeout: float, proxy: "str | None" = None) -> Verifier:
    """A verifier that was pickled."""
    return Verifier.from_policy(policy, timeout=timeout, proxy=proxy)


def _policy(
    rules: "dict[str, Any]", cache_capacity: "int | None", trust_roots: "str | None", plain: bool, timeout: float
) -> "dict[str, Any]":
    policy: "dict[str, Any]" = {
        "version": 1, "issuers": [{name: value for name, value in rules.items() if value is not None}]}
    fetching: "dict[str, Any]" = {} if trust_roots is None else {"trust_roots": os.path.abspath(trust_roots)}
    if plain:
        fetching["allows_plain_loopback"] = True
    if timeout < 5:
        # Else no fetch would have the whole time of one, and a server that does not answer in it would have no back-off.
        fetching["timeout"] = max(1, int(timeout))
    if fetching:
        policy["fetching"] = fetching
    if cache_capacity is not None:
        policy["cache_capacity"] = cache_capacity
    return policy


class Signer(Handle):
    """Issues tokens. ``lifetimes`` is the rule of their lifetimes; by default 15 minutes, 24 hours at most."""

    _free = library.ts_signer_free

    def __init__(self, key: Keys, *, algorithm: "str | None" = None, lifetimes: "str | None" = None) -> None:
        data = json.dumps(key) if isinstance(key, dict) else key
        self._own(handle(library.ts_signer_create, *sized(data), text(algorithm), text(lifetimes)))

    def issue(self, claims: "dict[str, Any]", *, lifetime: int = 0, at: "float | None" = None) -> str:
        """Signs claims with ``iat`` and ``exp``; ``lifetime`` is in seconds, 0 for the default of the rule."""
        seconds_granted = whole(lifetime, "lifetime")
        return taken(
            handle(library.ts_signer_issue, self._handle, *sized(json.dumps(claims)), seconds_granted, seconds(at))).decode()


def check_lifetime(requested: int = 0, *, rule: "str | None" = None) -> int:
    """The granted seconds of a requested lifetime; 0 asks for the default."""
    granted = c_int64()
    call(library.ts_lifetime_check, text(rule), whole(requested, "requested"), byref(granted))
    return granted.value
