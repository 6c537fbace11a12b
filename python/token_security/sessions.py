"""Requests that are signed with temporary credentials of identity-service, for APIs that do not have their secret."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from ctypes import byref, c_char_p
from typing import TYPE_CHECKING, Union

from ._fetching import Fetcher, Fetching
from ._library import Handle, call, handle, library, parsed, sized, taken, text, whole
from .explanations import Explanation

if TYPE_CHECKING:
    from typing import Any

    from .requests import Credentials

#: Condition keys of a request: each with its value, or with several.
Conditions = Mapping[str, Union[str, Iterable[str]]]


class SessionKeys(Fetching):
    """The signing keys of sessions, which an API asks an identity-service for. Make one and keep it; threads can share it.

    ``RequestVerifier.verify_session`` asks when it needs a key, on its thread, over HTTPS (HTTP to this machine), within
    ``timeout``, and keeps the answer for as long as the service says, a minute by default. Of equal questions at the same time one
    is sent. No thread is started.

    Processes can fork: a child has the keys that were there, and asks for others itself.

    :param endpoint: the address of the service: ``https://HOST`` or ``https://HOST:PORT``.
    :param region: the region of the service, which may be another one than that of the API.
    :param credentials: the API's own access key, made with ``identity-service key create --api``.
    :param capacity: the most keys that are kept, about two kilobytes each.
    :param timeout: the seconds of a call for its question, or for waiting for that of another thread: more than 0, 60 at most.
    :param trust_roots: a file of certificates; default: the machine's.
    :param proxy: ``http://HOST:PORT``; default: none.
    :raises TokenSecurityError: ``client_configuration_invalid``, for an endpoint or a region that cannot be used.
    :raises ValueError: for a timeout, a capacity or a proxy that cannot be used.
    """

    _free = library.ts_session_keys_free

    def __init__(
        self, *, endpoint: str, region: str, credentials: Credentials, capacity: int = 10_000, timeout: float = 10.0,
        trust_roots: "str | None" = None, proxy: "str | None" = None,
    ) -> None:
        if not 0.001 <= timeout <= 60:
            raise ValueError("the timeout must be more than 0 and at most 60 seconds")
        if not 1 <= capacity <= 10_000_000:
            raise ValueError("the capacity must be 1 to 10,000,000")
        fetcher, roots = Fetcher(proxy), None if trust_roots is None else os.path.abspath(trust_roots)
        milliseconds = int(timeout * 1000)
        self._own(handle(
            library.ts_session_keys_create, text(endpoint), text(region), text(credentials.access_key_id), *sized(credentials.secret),
            text(credentials.session_token), whole(capacity, "capacity"), milliseconds, text(roots)))
        self._milliseconds = milliseconds
        fetcher.prepare(roots)
        self._fetch_with(fetcher, library.ts_session_keys_set_fetch)


class Session(Handle):
    """The session that made a verified request, and what it may do. ``RequestVerifier.verify_session`` makes it."""

    _free = library.ts_session_free

    #: The ARN of the session, or that of the user of the access key that began it.
    arn: str
    #: The role and the name of the session; None for a session of an access key.
    role_arn: "str | None"
    session_name: "str | None"
    #: The identity and its pool; None for a session without one.
    identity_id: "str | None"
    pool_id: "str | None"
    #: Who acts, as the first caller of AssumeRole said.
    source_identity: "str | None"
    #: How the identity signed in.
    methods: "tuple[str, ...]"
    #: The session's tags.
    tags: "dict[str, str]"
    #: When the session ends, in seconds since 1970.
    expiration: int

    def __init__(self, verifier: "int | None", keys: "int | None", request: "int | None", address: "bytes | None", now: int) -> None:
        own = handle(library.ts_request_verifier_verify_session, verifier, keys, request, address, now)
        self._own(own)

        def read(value: "bytes | None") -> "str | None":
            return None if value is None else value.decode()

        self.arn = library.ts_session_arn(own).decode()
        self.role_arn, self.session_name = read(library.ts_session_role_arn(own)), read(library.ts_session_name(own))
        self.identity_id, self.pool_id = read(library.ts_session_identity_id(own)), read(library.ts_session_pool_id(own))
        self.source_identity, self.expiration = read(library.ts_session_source_identity(own)), library.ts_session_expiration(own)
        methods: "list[str]" = []
        while (method := library.ts_session_method(own, len(methods))) is not None:
            methods.append(method.decode())
        self.methods, self.tags = tuple(methods), {}
        name, value = c_char_p(), c_char_p()
        while library.ts_session_tag(own, len(self.tags), byref(name), byref(value)):
            self.tags[(name.value or b"").decode()] = (value.value or b"").decode()

    def __repr__(self) -> str:
        return f"Session({self.arn!r})"

    def check(self, action: str, resource: str = "*", conditions: "Conditions | None" = None) -> None:
        """Checks by the session's policies that it may do something.

        :param action: ``orders:Read``.
        :param resource: the resource's ARN; default: ``*``, for an action without a resource.
        :param conditions: condition keys of the request, such as tags of the resource. Those of the session come first.
        :raises TokenSecurityError: ``session_denied``, ``session_policy_unreadable``.
        """
        call(library.ts_session_check, self._handle, *_asked(action, resource, conditions))

    def explain(self, action: str, resource: str = "*", conditions: "Conditions | None" = None) -> Explanation:
        """What the session's policies say of something, statement by statement. For operators, not for the caller.

        :param action: ``orders:Read``.
        :param resource: the resource's ARN; default: ``*``.
        :param conditions: condition keys of the request, as for `check`.
        :return: ``allowed``, ``outcome``, ``code``, ``message``, ``statement`` and ``statements``. `print` shows them as text.
        :raises TokenSecurityError: ``session_policy_unreadable``.
        """
        return Explanation(parsed(taken(handle(
            library.ts_session_explain, self._handle, *_asked(action, resource, conditions)))))


def _asked(action: str, resource: str, conditions: "Conditions | None") -> "tuple[Any, ...]":
    pairs = [
        (text(name), text(value)) for name, values in (conditions or {}).items()
        for value in ([values] if isinstance(values, str) else values)]
    listed = c_char_p * len(pairs)
    return text(action), text(resource), listed(*(name for name, _ in pairs)), listed(*(value for _, value in pairs)), len(pairs)
