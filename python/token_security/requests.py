"""Signing and verifying HTTP requests with AWS Signature Version 4."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from ctypes import byref, c_char_p
from typing import TYPE_CHECKING, NamedTuple, Union, cast

from ._library import Handle, call, field, handle, library, seconds, sized, taken, text, whole
from .sessions import Session, SessionKeys

if TYPE_CHECKING:
    from ._library import Data

#: Header fields: a mapping, or pairs where a name occurs more than once. Values are texts, or bytes as they were received.
Headers = Union[Mapping[str, Union[str, bytes]], Iterable[tuple[str, Union[str, bytes]]]]


class Credentials(NamedTuple):
    """An access key.

    :param access_key_id: the id of the access key, such as ``AKIDEXAMPLE``.
    :param secret: the secret access key.
    :param session_token: the session token of temporary credentials; None for others.
    """

    access_key_id: str
    secret: "str | bytes"
    session_token: "str | None" = None

    def __repr__(self) -> str:
        return f"Credentials({self.access_key_id!r})"


class _Request(Handle):
    _free = library.ts_request_free

    def __init__(self, method: str, target: str, headers: Headers, body: Data) -> None:
        self._own(handle(library.ts_request_create, text(method), text(target)))
        # A mapping of pairs is none of these, which a type checker cannot know.
        pairs = cast("Iterable[tuple[str, str | bytes]]", headers.items() if isinstance(headers, Mapping) else headers)
        for name, value in pairs:
            call(library.ts_request_add_header, self._handle, text(name), field(value))
        call(library.ts_request_set_body, self._handle, *sized(body))

    def sign(self, credentials: Credentials, service: str, region: str, at: "float | None") -> None:
        call(
            library.ts_request_sign, self._handle, text(service), text(region), text(credentials.access_key_id),
            *sized(credentials.secret), text(credentials.session_token), seconds(at))

    def presign(self, credentials: Credentials, service: str, region: str, lifetime: int, at: "float | None") -> str:
        return taken(handle(
            library.ts_request_presign, self._handle, text(service), text(region), text(credentials.access_key_id),
            *sized(credentials.secret), text(credentials.session_token), whole(lifetime, "lifetime"), seconds(at))).decode()

    def fields(self) -> "list[tuple[str, str]]":
        fields: "list[tuple[str, str]]" = []
        name, value = c_char_p(), c_char_p()
        while library.ts_request_header(self._handle, len(fields), byref(name), byref(value)):
            fields.append(((name.value or b"").decode(), (value.value or b"").decode("utf-8", "replace")))
        return fields


def sign_request(
    credentials: Credentials, *, service: str, region: str, method: str, target: str, headers: Headers, body: Data = b"",
    at: "float | None" = None,
) -> "list[tuple[str, str]]":
    """Signs a request in its header fields (AWS Signature Version 4).

    :param credentials: the access key.
    :param service: the service in the scope, such as ``execute-api``.
    :param region: the region in the scope.
    :param method: the method, such as ``GET``.
    :param target: the path and the query as they are sent, such as ``/a%20b?c=d``.
    :param headers: the header fields; ``Host`` is required.
    :param body: the body, at most 16 MiB.
    :param at: the time of the signature in seconds since 1970; default: now.
    :return: all header fields: those that were passed, ``Authorization``, ``X-Amz-Date`` and what else the signature needs.
    :raises TokenSecurityError: for a request that cannot be signed.
    """
    request = _Request(method, target, headers, body)
    request.sign(credentials, service, region, at)
    return request.fields()


def presign_request(
    credentials: Credentials, *, service: str, region: str, method: str, target: str, headers: Headers, lifetime: int,
    at: "float | None" = None,
) -> str:
    """A URL that anyone can use until it expires.

    For S3 it is for any body, for other services for a request without one. With a header field ``X-Amz-Content-Sha256`` it
    is for the body with that hash; whoever sends the request sends the field, too.

    :param credentials: the access key.
    :param service: the service in the scope, such as ``s3``.
    :param region: the region in the scope.
    :param method: the method, such as ``GET``.
    :param target: the path and the query.
    :param headers: the header fields that whoever uses the URL sends; ``Host`` is required.
    :param lifetime: the seconds until it expires, 1 to 604,800 (seven days).
    :param at: when it begins to be valid, in seconds since 1970; default: now.
    :return: the URL.
    :raises TokenSecurityError: for a request that cannot be presigned, or a lifetime that is too long.
    """
    return _Request(method, target, headers, b"").presign(credentials, service, region, lifetime, at)


# TS_REQUESTS_PRESIGNED, TS_REQUESTS_ONCE, TS_REQUESTS_PLUS_AS_SPACE.
_PRESIGNED, _ONCE, _PLUS_AS_SPACE = 1, 2, 4


class RequestVerifier(Handle):
    """Verifies signed requests. Threads can share it.

    A signature in header fields is accepted once; a presigned URL until it expires. AWS's SDKs repeat requests in the second
    of their signature, on purpose and when they try again: ``once=False`` accepts these.

    :param service: the service that the scope must name.
    :param region: the region that the scope must name.
    :param host: the name that ``Host`` must have. Default: any, for instance behind a proxy that checks it.
    :param accepts_presigned: whether presigned URLs are accepted.
    :param once: whether each signature in header fields is accepted once.
    :param plus_as_space: reads ``+`` in a query as a space, as in HTML forms, which your service must do, too.
    :raises TokenSecurityError: for values that cannot be used.
    """

    _free = library.ts_request_verifier_free

    def __init__(
        self, *, service: str, region: str, host: "str | None" = None, accepts_presigned: bool = False, once: bool = True,
        plus_as_space: bool = False,
    ) -> None:
        options = bool(accepts_presigned) * _PRESIGNED + bool(once) * _ONCE + bool(plus_as_space) * _PLUS_AS_SPACE
        self._own(handle(
            library.ts_request_verifier_create_with_options, text(service), text(region), text(host), options))

    def verify(
        self, lookup: "Callable[[str], Credentials | None]", *, method: str, target: str, headers: Headers, body: Data = b"",
        at: "float | None" = None,
    ) -> str:
        """Verifies a request and its body.

        :param lookup: gets the id of an access key, and returns its credentials; None for one that does not exist.
        :param method: the method.
        :param target: the path and the query as they were received, not decoded.
        :param headers: the header fields as they were received.
        :param body: the body, at most 16 MiB.
        :param at: the time in seconds since 1970; default: now.
        :return: the id of the access key.
        :raises TokenSecurityError: the first rule that the request breaks. ``http_status`` is that of the response.
        """
        request = _Request(method, target, headers, body)
        key = taken(handle(library.ts_request_verifier_access_key, self._handle, request._handle, seconds(at))).decode()
        found = lookup(key)
        # A lookup that ignores case finds those of another access key.
        if found and found.access_key_id != key:
            found = None
        secret = sized(found.secret) if found else (None, 0)
        call(
            library.ts_request_verifier_verify, self._handle, request._handle, *secret,
            text(found.session_token if found else None), seconds(at))
        return key

    def verify_session(
        self, keys: SessionKeys, *, method: str, target: str, headers: Headers, body: Data = b"", address: "str | None" = None,
        at: "float | None" = None,
    ) -> Session:
        """Verifies a request of a session of identity-service, and its body.

        :param keys: the keys of sessions.
        :param method: the method.
        :param target: the path and the query as they were received, not decoded.
        :param headers: the header fields as they were received.
        :param body: the body, at most 16 MiB.
        :param address: the client's address, for policies, and so that one client cannot make all questions.
        :param at: the time in seconds since 1970; default: now.
        :return: the session.
        :raises TokenSecurityError: the first rule that the request breaks, ``session_refused``, or why the service gave no answer.
            ``http_status`` is that of the response.
        """
        if not isinstance(keys, SessionKeys):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"keys must be SessionKeys, not {type(keys).__name__}")
        request = _Request(method, target, headers, body)
        place, now = text(address), seconds(at)
        # Within the call: what the handler of a signal raises must not lose the session's handle.
        return keys._patiently(  # pyright: ignore[reportPrivateUsage]
            lambda: Session(self._handle, keys._handle, request._handle, place, now))
