"""Signing and verifying HTTP requests with AWS Signature Version 4."""
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ctypes import byref, c_char_p

from ._library import call, handle, library, seconds, sized, taken, text

Headers = "Mapping[str, str] | Iterable[tuple[str, str]]"


class Credentials(NamedTuple):
    """An access key, its secret, and the session token of temporary credentials."""

    access_key_id: str
    secret: "str | bytes"
    session_token: "str | None" = None


class _Request:
    def __init__(self, method: str, target: str, headers: Headers, body: bytes) -> None:
        self.handle = None
        self.handle = handle(library.ts_request_create, text(method), text(target))
        for name, value in headers.items() if isinstance(headers, Mapping) else headers:
            call(library.ts_request_add_header, self.handle, text(name), text(value))
        call(library.ts_request_set_body, self.handle, *sized(body))

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            library.ts_request_free(self.handle)

    def fields(self) -> "list[tuple[str, str]]":
        fields = []
        name, value = c_char_p(), c_char_p()
        while library.ts_request_header(self.handle, len(fields), byref(name), byref(value)):
            fields.append((name.value.decode(), value.value.decode("utf-8", "replace")))
        return fields


def sign_request(
    credentials: Credentials, *, service: str, region: str, method: str, target: str, headers: Headers, body: bytes = b"",
    at: "float | None" = None,
) -> "list[tuple[str, str]]":
    """The header fields of a signed request. ``headers`` must have ``Host``; ``target`` is the path and the query."""
    request = _Request(method, target, headers, body)
    call(
        library.ts_request_sign, request.handle, text(service), text(region), text(credentials.access_key_id),
        *sized(credentials.secret), text(credentials.session_token), seconds(at))
    return request.fields()


def presign_request(
    credentials: Credentials, *, service: str, region: str, method: str, target: str, headers: Headers, lifetime: int,
    at: "float | None" = None,
) -> str:
    """A URL that anyone who has it can send for ``lifetime`` seconds, at most seven days."""
    request = _Request(method, target, headers, b"")
    return taken(
        handle(
            library.ts_request_presign, request.handle, text(service), text(region), text(credentials.access_key_id),
            *sized(credentials.secret), text(credentials.session_token), lifetime, seconds(at))).decode()


class RequestVerifier:
    """Verifies signed requests; each signature is accepted once. Threads can share it."""

    def __init__(self, *, service: str, region: str, host: "str | None" = None, accepts_presigned: bool = False) -> None:
        self._handle = None
        self._handle = handle(library.ts_request_verifier_create, text(service), text(region), text(host), int(accepts_presigned))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.ts_request_verifier_free(self._handle)

    def verify(
        self, lookup: "Callable[[str], Credentials | None]", *, method: str, target: str, headers: Headers, body: bytes = b"",
        at: "float | None" = None,
    ) -> str:
        """Verifies a request and its body.

        :param lookup: the credentials of an access key; None for one that does not exist.
        :returns: the access key.
        :raises TokenSecurityError: the first rule that the request breaks.
        """
        request = _Request(method, target, headers, body)
        key = taken(handle(library.ts_request_verifier_access_key, self._handle, request.handle, seconds(at))).decode()
        found = lookup(key)
        secret = sized(found.secret) if found else (None, 0)
        call(
            library.ts_request_verifier_verify, self._handle, request.handle, *secret,
            text(found.session_token if found else None), seconds(at))
        return key
