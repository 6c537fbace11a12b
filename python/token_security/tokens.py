"""Verifying and issuing tokens (JWT)."""
import base64
import ctypes
import json
import os
from collections.abc import Callable, Iterable, Sequence
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import Any, Union

from ._library import NOW, Handle, call, error_of, handle, library, parsed, seconds, sized, taken, text, whole
from ._process import key_process
from .errors import TokenSecurityError

#: One text, or several.
Texts = Union[str, Sequence[str]]
#: Keys: a JWK or a JWK set, as an object or as text; PEM or DER.
Keys = Union[dict[str, Any], str, bytes]


class Claims(dict[str, Any]):
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
    return base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))


def _claims_of(claims: bytes, compact: bytes) -> Claims:
    return _stored_claims(parsed(claims), compact.partition(b".")[0])


def _claims(token: "int | None", compact: bytes) -> Claims:
    try:
        return _claims_of(library.ts_token_claims(token, None), compact)
    finally:
        library.ts_token_free(token)


class Verifier(Handle):
    """Verifies tokens by a policy. Make one and keep it; threads can share it.

    ``Verifier(jwks=keys, issuer="https://issuer.example", audience="my-api")`` has its keys.
    ``Verifier(issuer=…, audience=…)`` fetches them by discovery, ``jwks_uri=`` from an address, with its first use, keeps
    them and refreshes them in the background. ``Verifier.cognito("eu-west-1_Example01", client_ids=["1example"])`` verifies
    the tokens of a user pool. ``Verifier.from_policy`` takes the whole policy as JSON.

    After ``fork``, a verifier that was not used before works as in any process. Another one uses the keys that it has. What
    needs others is answered by a new process, which is started once for each forked process and keeps the keys fresh there.
    A verifier that fetches its keys can be pickled: the copy has the same policy. One with keys of its own cannot.
    """

    _free = library.ts_verifier_free
    #: The policy, if keys are fetched.
    _fetching: "str | None" = None

    def __init__(
        self, *, issuer: Texts, audience: Texts, jwks: "Keys | None" = None, jwks_uri: "str | None" = None,
        algorithms: "Texts | None" = None, type: "str | None" = None, required_claims: Texts = (),
        claims: "dict[str, Any] | None" = None, binding: "Texts | None" = None, actors: "Texts | None" = None,
        acr: "Texts | None" = None, leeway: "int | None" = None, maximum_lifetime: "int | None" = None,
        cache_capacity: "int | None" = None, timeout: float = 5.0, trust_roots: "str | None" = None,
        allow_plain_loopback: bool = False,
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
        self._open(_policy(rules, cache_capacity, trust_roots, allow_plain_loopback), jwks, timeout)

    @classmethod
    def cognito(
        cls, pool: str, client_ids: Texts, *, use: str = "access", groups: Texts = (), scopes: Texts = (),
        acr: Texts = (), replica_regions: Texts = (), jwks: "Keys | None" = None, cache_capacity: "int | None" = None, timeout: float = 5.0,
    ) -> "Verifier":
        """Tokens of an Amazon Cognito user pool; ``use`` is ``id``, ``access`` or ``either``."""
        rules = {
            "profile": "cognito-user-pool", "pool": pool, "use": use, "client_ids": client_ids, "groups": groups or None,
            "scopes": scopes or None, "acr": acr or None, "replica_regions": replica_regions or None, "keys": "given" if jwks is not None else None,
        }
        return cls.from_policy(_policy(rules, cache_capacity, None, False), jwks=jwks, timeout=timeout)

    @classmethod
    def from_policy(
        cls, policy: "dict[str, Any] | str", *, jwks: "Keys | None" = None, timeout: float = 5.0
    ) -> "Verifier":
        """A verifier by a whole policy, which the guide of the C interface describes."""
        verifier = cls.__new__(cls)
        verifier._open(policy, jwks, timeout)
        return verifier

    def _open(self, policy: "dict[str, Any] | str", jwks: "Keys | None", timeout: float) -> None:
        if not 0 <= timeout <= 600:
            raise ValueError("the timeout must be 0 to 600 seconds")
        if self._fetching is not None:
            raise TypeError("a Verifier is made once")
        document = policy if isinstance(policy, str) else json.dumps(policy, default=list)
        keys = json.dumps(jwks) if isinstance(jwks, dict) else jwks
        try:
            self._own(handle(library.ts_verifier_create, *sized(document), *(sized(keys) if keys is not None else (None, 0))))
        except TokenSecurityError as error:
            # The members of the policy were accepted, but this process cannot fetch.
            if error.code != "process_forked" or keys is not None:
                raise
        self._milliseconds = int(timeout * 1000)
        if keys is None:
            self._fetching = document

    def __del__(self) -> None:
        # Without its handle it would ask the key process.
        self._fetching = None
        super().__del__()

    def __reduce__(self) -> "tuple[Any, ...]":
        if self._fetching is None:
            raise TypeError("a Verifier with keys of its own cannot be copied or pickled")
        return _verifier, (self._fetching, self._milliseconds / 1000)

    def prefetch(self) -> None:
        """Fetches the keys of all issuers."""
        def own(verifier: int) -> None:
            call(library.ts_verifier_prefetch, verifier, self._milliseconds)

        self._call(own, "prefetch")

    def verify(self, token: "str | bytes", *, at: "float | None" = None) -> Claims:
        """Verifies a token.

        :param token: the compact token.
        :param at: the time in seconds since 1970; default: now.
        :raises TokenSecurityError: the first rule that the token breaks, or why there are no keys.
        """
        data = token.encode() if type(token) is str and token.isascii() else sized(token)[0]
        now = NOW if at is None else seconds(at)
        if self._handle is not None:
            verified, error = c_void_p(), c_void_p()
            if not library.ts_verifier_verify(
                    self._handle, data, len(data), now, self._milliseconds, byref(verified), byref(error)):
                return _claims(verified.value, data)
            refusal = error_of(error.value)
            if self._fetching is None or refusal.code != "process_forked":
                raise refusal
        answer = self._ask_batch([data], now)[0]
        if isinstance(answer, TokenSecurityError):
            raise answer
        return answer

    def verify_batch(
        self, tokens: "Iterable[str | bytes]", *, at: "float | None" = None
    ) -> "list[Claims | TokenSecurityError]":
        """Verifies several tokens: the claims or the error of each."""
        return self._batch([sized(token)[0] for token in tokens], seconds(at), self._milliseconds)

    def _batch(self, texts: "list[bytes]", now: int, milliseconds: int) -> "list[Claims | TokenSecurityError]":
        if self._handle is None:
            return self._ask_batch(texts, now)
        count = len(texts)
        verified, errors = (c_void_p * count)(), (c_void_p * count)()
        call(
            library.ts_verifier_verify_batch, self._handle, (c_char_p * count)(*texts),
            (c_size_t * count)(*map(len, texts)), count, now, milliseconds, verified, errors)
        results = [
            _claims(token, data) if token else error_of(error) for token, error, data in zip(verified, errors, texts)]
        if self._fetching is not None:
            forked = [
                place for place, result in enumerate(results)
                if isinstance(result, TokenSecurityError) and result.code == "process_forked"]
            for place, result in zip(forked, self._ask_batch([texts[place] for place in forked], now)):
                results[place] = result
        return results

    def explain(self, token: "str | bytes", *, at: "float | None" = None) -> "dict[str, Any]":
        """All checks of a token with the expected and the actual value, for operators."""
        explanation: "dict[str, Any]" = parsed(self._explanation(sized(token)[0], seconds(at), self._milliseconds))
        return explanation

    def _explanation(self, data: bytes, now: int, milliseconds: int) -> bytes:
        def own(verifier: int) -> bytes:
            return taken(handle(library.ts_verifier_explain, verifier, *sized(data), now, max(1_000, milliseconds)))

        explanation: bytes = self._call(own, "explain", data, now)
        return explanation

    def _call(self, own: "Callable[[int], Any]", method: str, token: bytes = b"", now: int = NOW) -> Any:
        """Calls the library, or asks the key process where this process cannot fetch."""
        if self._handle is not None:
            try:
                return own(self._handle)
            except TokenSecurityError as error:
                if self._fetching is None or error.code != "process_forked":
                    raise
        found = self._ask(method, [token], now)
        return found.encode() if isinstance(found, str) else found

    def _ask(self, method: str, tokens: "list[bytes]", now: int) -> Any:
        texts = [token.decode("utf-8", "surrogateescape") for token in tokens]
        if self._fetching is None:
            # It was freed, which the library refuses.
            call(library.ts_verifier_prefetch, None, 0)
        request = {"method": method, "policy": self._fetching, "tokens": texts, "now": now}
        process = key_process()
        try:
            return process.ask(request, self._milliseconds)
        except TokenSecurityError as error:
            # One that was killed is replaced.
            if process.is_running or error.code != "process_forked":
                raise
        return key_process().ask(request, self._milliseconds)

    def _ask_batch(self, tokens: "list[bytes]", now: int) -> "list[Claims | TokenSecurityError]":
        answers = self._ask("verify", tokens, now) if tokens else []
        return [
            TokenSecurityError(*answer["error"]) if "error" in answer
            else _claims_of(_decoded(token.split(b".")[1]), token) for answer, token in zip(answers, tokens)]

    def _answer(self, request: "dict[str, Any]", milliseconds: int) -> Any:
        """What the key process answers.

        :param milliseconds: how long to wait for keys.
        """
        tokens = [token.encode("utf-8", "surrogateescape") for token in request["tokens"]]
        if request["method"] == "prefetch":
            call(library.ts_verifier_prefetch, self._handle, milliseconds)
            return None
        if request["method"] == "explain":
            return self._explanation(tokens[0], request["now"], milliseconds).decode()
        return [
            {"error": result.__reduce__()[1]} if isinstance(result, TokenSecurityError) else {}
            for result in self._batch(tokens, request["now"], milliseconds)]


def _verifier(policy: str, timeout: float) -> Verifier:
    """A verifier that was pickled."""
    return Verifier.from_policy(policy, timeout=timeout)


def _policy(
    rules: "dict[str, Any]", cache_capacity: "int | None", trust_roots: "str | None", plain: bool
) -> "dict[str, Any]":
    policy: "dict[str, Any]" = {
        "version": 1, "issuers": [{name: value for name, value in rules.items() if value is not None}]}
    fetching: "dict[str, Any]" = {} if trust_roots is None else {"trust_roots": os.path.abspath(trust_roots)}
    if plain:
        fetching["allows_plain_loopback"] = True
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
    granted = ctypes.c_int64()
    call(library.ts_lifetime_check, text(rule), whole(requested, "requested"), byref(granted))
    return granted.value
