"""Verifying and issuing tokens (JWT)."""
from __future__ import annotations

import json
import os
from ctypes import byref, c_char_p, c_int64, c_size_t, c_void_p

from ._fetching import Fetcher, Fetching, watch
from ._library import NOW, Handle, call, error_of, handle, library, parsed, seconds, sized, taken, text, whole
from .errors import TokenSecurityError
from .explanations import Explanation

# Not from `typing`, whose import would take a third of this package's.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Union

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
    made._header = header  # pyright: ignore[reportPrivateUsage]
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
    token waits.

    Processes can fork: a child has the keys that were there, and fetches others itself. A verifier that fetches its keys can be
    pickled: the copy has the same policy. One with keys of its own cannot.

    :param issuer: the accepted ``iss``: one or several. Several need ``jwks`` or ``jwks_uri``.
    :param audience: the accepted ``aud``: one or several, of which the token has one.
    :param jwks: the keys: a JWK set or a JWK, as a dictionary or its text; PEM or DER. Default: they are fetched.
    :param jwks_uri: the address of the keys. Default: found by OpenID Connect discovery of the issuer.
    :param algorithms: the accepted algorithms, of those that the keys allow. Default: all of these.
    :param type: the accepted ``typ`` of the header. Default: any.
    :param required_claims: names of claims that must be there.
    :param claims: claims with the value that each must have, or a list of accepted values.
    :param binding: methods of binding that you check yourself: ``jkt`` with `ProofVerifier`, ``x5t#S256`` with
        `check_certificate`. Default: a token that is bound to a key is refused (``token_bound``).
    :param actors: who may use a token for its subject, by the ``sub`` in ``act``. Default: nobody (``token_delegated``).
    :param acr: the accepted authentication context classes. Default: any.
    :param leeway: seconds of difference between clocks, 0 to 300. Default: ``exp`` is exact, and ``nbf`` and ``iat`` may be 10
        seconds ahead.
    :param maximum_lifetime: the most seconds from ``iat`` to ``exp``. Default: 24 hours.
    :param cache_capacity: how many verified tokens are kept, so that their signatures are not computed again. Default: none.
    :param timeout: the most seconds of a call for fetching keys, or for waiting for another thread that does: 0 to 600. 0 never
        fetches: ``keys_not_held``.
    :param trust_roots: a file of certificates in PEM, for fetches. Default: the machine's.
    :param allow_plain_loopback: whether keys may be fetched over HTTP from this machine.
    :param proxy: ``http://HOST:PORT`` for fetches. Default: none, whatever the environment says.
    :raises TokenSecurityError: ``policy_document_invalid`` or another code, for a policy or keys that cannot be used.
    :raises ValueError: for both ``jwks`` and ``jwks_uri``, and for a ``timeout`` or a ``proxy`` that cannot be used.
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
        acr: Texts = (), replica_regions: Texts = (), issuer: "str | None" = None, leeway: "int | None" = None,
        jwks: "Keys | None" = None, cache_capacity: "int | None" = None, timeout: float = 5.0,
        trust_roots: "str | None" = None, allow_plain_loopback: bool = False, proxy: "str | None" = None,
    ) -> "Verifier":
        """A verifier of the tokens of an Amazon Cognito user pool, or of one of another service that has the same tokens.

        :param pool: the id of the pool, such as ``eu-west-1_Example01``.
        :param client_ids: the accepted app clients.
        :param use: the kind of token: ``access``, ``id`` or ``either``.
        :param groups: the user must be in one of these groups.
        :param scopes: an access token must have all of these scopes.
        :param acr: the accepted authentication context classes. Default: any.
        :param replica_regions: other regions, by whose issuers the pool's tokens may be.
        :param issuer: the issuer of a service other than AWS, such as ``http://127.0.0.1:8008/eu-west-1_Example01``.
        :param leeway: seconds of difference between clocks, 0 to 300. Default: ``exp`` is exact, and ``iat`` and ``auth_time``
            may be 10 seconds ahead.
        :param jwks: the pool's keys, as for `Verifier`. Default: they are fetched from the issuer.
        :param cache_capacity: how many verified tokens are kept. Default: none.
        :param timeout: the most seconds of a call for fetching keys, as for `Verifier`.
        :param trust_roots: a file of certificates in PEM, for fetches. Default: the machine's.
        :param allow_plain_loopback: whether keys may be fetched over HTTP from this machine.
        :param proxy: ``http://HOST:PORT`` for fetches. Default: none.
        :return: the verifier.
        :raises TokenSecurityError: for a policy or keys that cannot be used.
        :raises ValueError: for a ``timeout`` or a ``proxy`` that cannot be used.
        """
        rules = {
            "profile": "cognito-user-pool", "pool": pool, "use": use, "client_ids": client_ids, "groups": groups or None,
            "scopes": scopes or None, "acr": acr or None, "replica_regions": replica_regions or None, "issuer": issuer,
            "leeway": leeway, "keys": "given" if jwks is not None else None,
        }
        return cls.from_policy(_policy(rules, cache_capacity, trust_roots, allow_plain_loopback, timeout), jwks=jwks, timeout=timeout, proxy=proxy)

    @classmethod
    def from_policy(
        cls, policy: "dict[str, Any] | str", *, jwks: "Keys | None" = None, timeout: float = 5.0, proxy: "str | None" = None
    ) -> "Verifier":
        """A verifier by a whole policy, which the guide of the C interface describes: several issuers, and profiles of providers.

        :param policy: the policy, as a dictionary or as JSON.
        :param jwks: the keys of issuers whose ``keys`` are ``"given"``, as for `Verifier`.
        :param timeout: the most seconds of a call for fetching keys, as for `Verifier`.
        :param proxy: ``http://HOST:PORT`` for fetches. Default: none.
        :return: the verifier.
        :raises TokenSecurityError: ``policy_document_invalid``, which names the member, or another code for policy or keys.
        :raises ValueError: for a ``timeout`` or a ``proxy`` that cannot be used.
        """
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

        :param token: the compact token, without ``Bearer`` and without a line end.
        :param at: the time in seconds since 1970; default: now.
        :return: the token's claims.
        :raises TokenSecurityError: the first rule that the token breaks, or why there are no keys, where ``is_unavailable`` is
            true.
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
        """Verifies several tokens.

        :param tokens: the compact tokens.
        :param at: the time in seconds since 1970; default: now.
        :return: the claims or the error of each, in their order.
        :raises TokenSecurityError: if the call itself fails.
        """
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

    def explain(self, token: "str | bytes", *, at: "float | None" = None) -> Explanation:
        """All checks of a token with the expected and the actual value, for operators and not for those who sent it.

        :param token: the compact token.
        :param at: the time in seconds since 1970; default: now.
        :return: ``valid``, ``code``, ``message``, ``header``, ``claims`` (None unless the token is valid), ``checked_at`` and
            ``checks``, each with ``name``, ``reference``, ``expected``, ``actual`` and ``outcome``. `print` shows them as a table.
        :raises TokenSecurityError: if keys cannot be fetched or the call itself fails, not for a token that is refused.
        """
        data, now = sized(token)[0], seconds(at)
        return Explanation(parsed(self._patiently(lambda: taken(handle(
            library.ts_verifier_explain, self._handle, data, len(data), now, self._milliseconds)))))


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
    # With 0 only `refresh` fetches, which has a time of its own.
    if 0 < timeout < 5:
        # Else no fetch would have the whole time of one, and a server that does not answer in it would have no back-off.
        fetching["timeout"] = max(1, int(timeout))
    if fetching:
        policy["fetching"] = fetching
    if cache_capacity is not None:
        policy["cache_capacity"] = cache_capacity
    return policy


class Signer(Handle):
    """Issues tokens. Make one and keep it; threads can share it.

    :param key: a private key or a secret: a JWK as a dictionary or as text; PEM or DER.
    :param algorithm: the algorithm, such as ``ES256``. Default: the ``alg`` of the JWK.
    :param lifetimes: the rule of lifetimes: ``developer-token`` (15 minutes by default, 24 hours at most), ``access-token``,
        ``id-token``, ``refresh-token``, ``web-identity-session``, ``access-key-session`` or ``presigned-url``. Default: the first.
    :raises TokenSecurityError: ``key_unreadable``, ``policy_invalid`` and others, for a key that cannot sign so.
    """

    _free = library.ts_signer_free

    def __init__(self, key: Keys, *, algorithm: "str | None" = None, lifetimes: "str | None" = None) -> None:
        data = json.dumps(key) if isinstance(key, dict) else key
        self._own(handle(library.ts_signer_create, *sized(data), text(algorithm), text(lifetimes)))

    def issue(self, claims: "dict[str, Any]", *, lifetime: int = 0, at: "float | None" = None) -> str:
        """Issues a token.

        :param claims: the claims. ``iat`` and ``exp`` are replaced.
        :param lifetime: the seconds until it expires; 0 for the default of the rule.
        :param at: the time of issue in seconds since 1970; default: now.
        :return: the compact token.
        :raises TokenSecurityError: ``lifetime_refused``, and others for claims that cannot be signed.
        """
        seconds_granted = whole(lifetime, "lifetime")
        return taken(
            handle(library.ts_signer_issue, self._handle, *sized(json.dumps(claims)), seconds_granted, seconds(at))).decode()


def check_lifetime(requested: int = 0, *, rule: "str | None" = None) -> int:
    """The granted seconds of a requested lifetime.

    :param requested: the requested seconds; 0 for the default of the rule.
    :param rule: the rule, as for `Signer`. Default: ``developer-token``.
    :return: the seconds.
    :raises TokenSecurityError: ``duration_too_long`` and others, for seconds outside of the rule.
    """
    granted = c_int64()
    call(library.ts_lifetime_check, text(rule), whole(requested, "requested"), byref(granted))
    return granted.value


def decode(
    token: "str | bytes", key: Keys, algorithms: "Texts | None" = None, *, audience: Texts, issuer: Texts,
    leeway: "int | None" = None, at: "float | None" = None,
) -> Claims:
    """Verifies one token with keys that are there: what ``jwt.decode`` of PyJWT and of python-jose does, by the rules of `Verifier`.

    Audience and issuer are required, and the key decides which algorithms it takes. No option disables the signature: to read
    what a refused token says, use `Verifier.explain`. For many tokens, for keys that are fetched, and for tokens of more than 24 hours,
    make a `Verifier`.

    :param token: the compact token.
    :param key: the keys: a JWK or a JWK set as a dictionary or its text; PEM or DER. A secret is a JWK with ``kty`` ``oct``.
    :param algorithms: the accepted algorithms, of those that the key allows. Default: all of these.
    :param audience: the accepted ``aud``: one or several.
    :param issuer: the accepted ``iss``: one or several.
    :param leeway: seconds of difference between clocks, 0 to 300. Default: as for `Verifier`.
    :param at: the time in seconds since 1970; default: now.
    :return: the token's claims.
    :raises TokenSecurityError: the first rule that the token breaks, or ``key_unreadable``.
    """
    if key is None:  # pyright: ignore[reportUnnecessaryComparison]
        # A verifier without keys would fetch them.
        raise TypeError("a key is needed")
    return Verifier(jwks=key, algorithms=algorithms, audience=audience, issuer=issuer, leeway=leeway).verify(token, at=at)


def encode(
    claims: "dict[str, Any]", key: Keys, algorithm: "str | None" = None, *, lifetime: int = 0, at: "float | None" = None
) -> str:
    """Issues one token: what ``jwt.encode`` of PyJWT does, by the rules of `Signer`. For many tokens, make a `Signer`.

    :param claims: the claims, without ``iat`` and ``exp``, which come from ``at`` and ``lifetime``.
    :param key: a private key or a secret, as for `Signer`.
    :param algorithm: the algorithm. Default: the ``alg`` of the JWK.
    :param lifetime: the seconds until it expires, 24 hours at most; 0 for 15 minutes.
    :param at: the time of issue in seconds since 1970; default: now.
    :return: the compact token.
    :raises TokenSecurityError: ``lifetime_refused``, and others for a key or claims that cannot be used.
    :raises ValueError: for claims with ``iat`` or ``exp``.
    """
    if "exp" in claims or "iat" in claims:
        # The signer would replace them, also by a later end.
        raise ValueError("claims have no iat and no exp here: pass lifetime in seconds, and at")
    return Signer(key, algorithm=algorithm).issue(claims, lifetime=lifetime, at=at)
