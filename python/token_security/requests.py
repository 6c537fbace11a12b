"""Signing and verifying HTTP requests with AWS Signature Version 4."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from ctypes import byref, c_char_p
from typing import TYPE_CHECKING, NamedTuple, Union

from ._library import Handle, call, field, handle, library, seconds, sized, taken, text, whole
from .sessions import Session, SessionKeys

if TYPE_CHECKING:
    from ._library import Data

#: Header fields: a mapping, or pairs where a name occurs more than once. Values are texts, or bytes as they were received.
Headers = Union[Mapping[str, Union[str, bytes]], Iterable[tuple[str, Union[str, bytes]]]]


class Credentials(NamedTuple):
    """An access key, its secret, and the session token of temporary credentials."""

    access_key_id: str
    secret: "str | bytes"
    session_token: "str | None" = None

    def __repr__(self) -> str:
        return f"Credentials({self.access_key_id!r})"


class _Request(Handle):
    _free = library.ts_request_free

    def __init__(self, method: str, target: str, headers: Headers, body: Data) -> None:
        self._own(handle(library.ts_request_create, text(method), text(target)))
        for name, value in headers.items() if isinstance(headers, Mapping) else headers:
            call(library.ts_request_add_header, self._handle, text(name), field(value))
        call(library.ts_request_set_body, self._handle, *sized(body))

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
    """The header fields of a signed request. ``headers`` must have ``Host``; ``target`` is the path and the query."""
    request = _Request(method, target, headers, body)
    call(
        library.ts_request_sign, request._handle, text(service), text(region), text(credentials.access_key_id),
        *sized(credentials.secret), text(credentials.session_token), seconds(at))
    return request.fields()


def presign_request(
    credentials: Credentials, *, service: str, region: str, method: str, target: str, headers: Headers, lifetime: int,
    at: "float | None" = None,
) -> str:
    """A URL that anyone can use for ``lifetime`` seconds, at most seven days.

    For S3 it is for any body, for other services for a request without one. With a header field ``X-Amz-Content-Sha256`` it
    is for the body with that hash; whoever sends the request sends the field, too.
    """
    request = _Request(method, target, headers, b"")
    return taken(
        handle(
            library.ts_request_presign, request._handle, text(service), text(region), text(credentials.access_key_id),
            *sized(credentials.secret), text(credentials.session_token), whole(lifetime, "lifetime"), seconds(at))).decode()


# TS_REQUESTS_PRESIGNED, TS_REQUESTS_ONCE, TS_REQUESTS_PLUS_AS_SPACE.
_PRESIGNED, _ONCE, _PLUS_AS_SPACE = 1, 2, 4


class RequestVerifier(Handle):
    """Verifies signed requests. Threads can share it.

    A signature in header fields is accepted once; a presigned URL until it expires. AWS's SDKs repeat requests in the second
    of their signature, on purpose and when they try again: ``once=False`` accepts these.
    ``plus_as_space`` reads ``+`` in a query as a space, as in HTML forms, which your service must do, too.
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

        :param lookup: the credentials of an access key; None for one that does not exist.
        :returns: the access key.
        :raises TokenSecurityError: the first rule that the request breaks.
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
        :param target: the path and the query as they were received, not decoded.
        :param address: the client's address, for policies, and so that one client cannot make all questions.
        :returns: the session.
        :raises TokenSecurityError: the first rule that the request breaks, ``session_refused``, or why the service gave no answer.
            ``http_status`` is that of the response.
        """
        if not isinstance(keys, SessionKeys):
            raise TypeError(f"keys must be SessionKeys, not {type(keys).__name__}")
        request = _Request(method, target, headers, body)
        place, now = text(address), seconds(at)
        # Within the call: what the handler of a signal raises must not lose the session's handle.
        return keys._patiently(lambda: Session(self._handle, keys._handle, request._handle, place, now))
