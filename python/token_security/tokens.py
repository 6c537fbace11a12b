"""Verifying and issuing tokens (JWT)."""
import ctypes
import json
from collections.abc import Iterable, Sequence
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import Any

from ._library import call, error_of, handle, library, seconds, sized, taken, text
from .errors import TokenSecurityError


class Claims(dict):
    """The claims of a verified token, as a dictionary. ``header`` is the token's header."""

    _header: bytes

    @property
    def header(self) -> "dict[str, Any]":
        return json.loads(self._header)

    @property
    def subject(self) -> "str | None":
        return self.get("sub")

    @property
    def issuer(self) -> "str | None":
        return self.get("iss")


def _claims(token: int) -> Claims:
    try:
        length = c_size_t()
        claims = Claims(json.loads(ctypes.string_at(library.ts_token_claims(token, byref(length)), length.value)))
        claims._header = ctypes.string_at(library.ts_token_header(token, byref(length)), length.value)
        return claims
    finally:
        library.ts_token_free(token)


class Verifier:
    """Verifies tokens by a policy. Make one and keep it; threads can share it.

    ``Verifier(jwks=keys, issuer="https://issuer.example", audience="my-api")`` has its keys.
    ``Verifier(issuer=…, audience=…)`` fetches them by discovery, ``jwks_uri=`` from an address, keeps them and refreshes
    them in the background. ``Verifier.cognito("eu-west-1_Example01", client_ids=["1example"])`` verifies the tokens of a
    user pool. ``Verifier.from_policy`` takes the whole policy as JSON.

    After ``fork``, a verifier verifies with the keys that it has. Where it would have to fetch, it raises
    ``process_forked``: make it in the child process.
    """

    def __init__(
        self, *, issuer: "str | Sequence[str]", audience: "str | Sequence[str]", jwks: "dict | str | bytes | None" = None,
        jwks_uri: "str | None" = None, algorithms: "Sequence[str] | None" = None, type: "str | None" = None,
        required_claims: Sequence[str] = (), claims: "dict[str, Any] | None" = None, leeway: "int | None" = None,
        maximum_lifetime: "int | None" = None, cache_capacity: "int | None" = None, timeout: float = 5.0,
        trust_roots: "str | None" = None, allow_plain_loopback: bool = False,
    ) -> None:
        if jwks is not None and jwks_uri is not None:
            raise ValueError("keys are given or at an address, not both")
        rules = {
            "profile": "token", "issuer": issuer, "audience": audience, "algorithms": algorithms, "type": type,
            "required_claims": list(required_claims) or None, "claims": claims, "leeway": leeway,
            "maximum_lifetime": maximum_lifetime,
            "keys": "given" if jwks is not None else {"jwks_uri": jwks_uri} if jwks_uri is not None else None,
        }
        self._open(_policy(rules, cache_capacity, trust_roots, allow_plain_loopback), jwks, timeout)

    @classmethod
    def cognito(
        cls, pool: str, client_ids: "str | Sequence[str]", *, use: str = "access", groups: Sequence[str] = (),
        scopes: Sequence[str] = (), jwks: "dict | str | bytes | None" = None, cache_capacity: "int | None" = None,
        timeout: float = 5.0,
    ) -> "Verifier":
        """Tokens of an Amazon Cognito user pool; ``use`` is ``id``, ``access`` or ``either``."""
        rules = {
            "profile": "cognito-user-pool", "pool": pool, "use": use, "client_ids": client_ids, "groups": list(groups) or None,
            "scopes": list(scopes) or None, "keys": "given" if jwks is not None else None,
        }
        return cls.from_policy(_policy(rules, cache_capacity, None, False), jwks=jwks, timeout=timeout)

    @classmethod
    def from_policy(cls, policy: "dict | str", *, jwks: "dict | str | bytes | None" = None, timeout: float = 5.0) -> "Verifier":
        """A verifier by a whole policy, which the guide of the C interface describes."""
        verifier = cls.__new__(cls)
        verifier._open(policy, jwks, timeout)
        return verifier

    def _open(self, policy: "dict | str", jwks: "dict | str | bytes | None", timeout: float) -> None:
        self._handle = None
        if not 0 <= timeout <= 600:
            raise ValueError("the timeout must be 0 to 600 seconds")
        self._milliseconds = int(timeout * 1000)
        document = policy if isinstance(policy, str) else json.dumps(policy)
        keys = json.dumps(jwks) if isinstance(jwks, dict) else jwks
        self._handle = handle(library.ts_verifier_create, *sized(document), *(sized(keys) if keys is not None else (None, 0)))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.ts_verifier_free(self._handle)

    def prefetch(self) -> None:
        """Fetches the keys of all issuers."""
        call(library.ts_verifier_prefetch, self._handle, self._milliseconds)

    def verify(self, token: "str | bytes", *, at: "float | None" = None) -> Claims:
        """Verifies a token.

        :param token: the compact token.
        :param at: the time in seconds since 1970; default: now.
        :raises TokenSecurityError: the first rule that the token breaks, or why there are no keys.
        """
        return _claims(handle(library.ts_verifier_verify, self._handle, *sized(token), seconds(at), self._milliseconds))

    def verify_batch(
        self, tokens: "Iterable[str | bytes]", *, at: "float | None" = None
    ) -> "list[Claims | TokenSecurityError]":
        """Verifies several tokens: the claims or the error of each."""
        texts = [sized(token)[0] for token in tokens]
        count = len(texts)
        verified, errors = (c_void_p * count)(), (c_void_p * count)()
        call(
            library.ts_verifier_verify_batch, self._handle, (c_char_p * count)(*texts),
            (c_size_t * count)(*map(len, texts)), count, seconds(at), self._milliseconds, verified, errors)
        return [_claims(token) if token else error_of(error) for token, error in zip(verified, errors)]

    def explain(self, token: "str | bytes", *, at: "float | None" = None) -> "dict[str, Any]":
        """All checks of a token with the expected and the actual value, for operators."""
        found = handle(
            library.ts_verifier_explain, self._handle, *sized(token), seconds(at), max(1_000, self._milliseconds))
        return json.loads(taken(found))


def _policy(rules: dict, cache_capacity: "int | None", trust_roots: "str | None", plain: bool) -> dict:
    policy: dict = {"version": 1, "issuers": [{name: value for name, value in rules.items() if value is not None}]}
    fetching = {"trust_roots": trust_roots} if trust_roots else {}
    if plain:
        fetching["allows_plain_loopback"] = True
    if fetching:
        policy["fetching"] = fetching
    if cache_capacity is not None:
        policy["cache_capacity"] = cache_capacity
    return policy


class Signer:
    """Issues tokens. ``lifetimes`` is the rule of their lifetimes; by default 15 minutes, 24 hours at most."""

    def __init__(self, key: "dict | str | bytes", *, algorithm: "str | None" = None, lifetimes: "str | None" = None) -> None:
        self._handle = None
        data = json.dumps(key) if isinstance(key, dict) else key
        self._handle = handle(library.ts_signer_create, *sized(data), text(algorithm), text(lifetimes))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.ts_signer_free(self._handle)

    def issue(self, claims: "dict[str, Any]", *, lifetime: int = 0, at: "float | None" = None) -> str:
        """Signs claims with ``iat`` and ``exp``; ``lifetime`` is in seconds, 0 for the default of the rule."""
        return taken(handle(library.ts_signer_issue, self._handle, *sized(json.dumps(claims)), lifetime, seconds(at))).decode()


def check_lifetime(requested: int = 0, *, rule: "str | None" = None) -> int:
    """The granted seconds of a requested lifetime; 0 asks for the default."""
    granted = ctypes.c_int64()
    call(library.ts_lifetime_check, text(rule), requested, byref(granted))
    return granted.value
