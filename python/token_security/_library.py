"""The functions of libtokensecurity, with ctypes. Calls release the interpreter's lock while the library works."""
from __future__ import annotations

import ctypes
import json
import operator
import os
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p

from .errors import TokenSecurityError

# Not from `typing`, whose import would take a third of this package's.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import decimal
    from collections.abc import Callable
    from typing import Any, SupportsIndex, Union

    #: Bytes, or a text that is sent as UTF-8.
    Data = Union[str, bytes, bytearray, memoryview]

NOW = -(1 << 63)
_INTERFACE = 4


def _load() -> Any:
    """The library that TOKEN_SECURITY_LIBRARY names; else the one of the wheel, beside this file; else the system's."""
    bundled = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libtokensecurity.so.2")
    path = os.environ.get("TOKEN_SECURITY_LIBRARY") or (bundled if os.path.exists(bundled) else "libtokensecurity.so.2")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"libtokensecurity cannot be loaded: {error}. It needs libcrypto.so.3 (OpenSSL 3) and libstdc++.so.6.") from error
    library.ts_abi_version.restype = c_uint32
    if library.ts_abi_version() < _INTERFACE:
        raise ImportError(f"{path} has version {library.ts_abi_version()} of its interface; {_INTERFACE} or later is needed")
    return library


#: A function that fetches, and what it returns.
FETCH = CFUNCTYPE(c_int, c_void_p, c_void_p)
FETCH_CANCELLED, FETCH_DONE, FETCH_FAILED = 0, 1684958821, 1717660012

_out = POINTER(c_void_p)
_PROTOTYPES: "dict[str, tuple[Any, list[Any]]]" = {
    "ts_version": (c_char_p, []),
    "ts_error_code": (c_char_p, [c_void_p]),
    "ts_error_message": (c_char_p, [c_void_p]),
    "ts_error_evidence": (c_char_p, [c_void_p]),
    "ts_error_http_status": (c_int, [c_void_p]),
    "ts_error_free": (None, [c_void_p]),
    "ts_buffer_bytes": (c_void_p, [c_void_p]),
    "ts_buffer_length": (c_size_t, [c_void_p]),
    "ts_buffer_free": (None, [c_void_p]),
    "ts_verifier_create": (c_int, [c_char_p, c_size_t, c_char_p, c_size_t, _out, _out]),
    "ts_verifier_free": (None, [c_void_p]),
    "ts_verifier_set_fetch": (c_int, [c_void_p, FETCH, c_void_p, _out]),
    "ts_verifier_refresh": (c_int, [c_void_p, c_uint32, POINTER(c_int64), _out]),
    "ts_fetch_url": (c_char_p, [c_void_p]),
    "ts_fetch_method": (c_char_p, [c_void_p]),
    "ts_fetch_body": (c_void_p, [c_void_p, POINTER(c_size_t)]),
    "ts_fetch_header": (c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p)]),
    "ts_fetch_size_limit": (c_size_t, [c_void_p]),
    "ts_fetch_timeout_ms": (c_uint32, [c_void_p]),
    "ts_fetch_trust_roots": (c_char_p, [c_void_p]),
    "ts_fetch_set_status": (c_int, [c_void_p, c_int, _out]),
    "ts_fetch_add_header": (c_int, [c_void_p, c_char_p, c_char_p, _out]),
    "ts_fetch_add_body": (c_int, [c_void_p, c_char_p, c_size_t, _out]),
    "ts_fetch_fail": (None, [c_void_p, c_char_p]),
    "ts_verifier_verify": (c_int, [c_void_p, c_char_p, c_size_t, c_int64, c_uint32, _out, _out]),
    "ts_verifier_verify_batch": (
        c_int, [c_void_p, POINTER(c_char_p), POINTER(c_size_t), c_size_t, c_int64, c_uint32, _out, _out, _out]),
    "ts_verifier_explain": (c_int, [c_void_p, c_char_p, c_size_t, c_int64, c_uint32, _out, _out]),
    # JSON has no zero byte, so that the text ends with the first one.
    "ts_token_claims": (c_char_p, [c_void_p, POINTER(c_size_t)]),
    "ts_token_free": (None, [c_void_p]),
    "ts_proof_verifier_create": (c_int, [c_size_t, _out, _out]),
    "ts_proof_verifier_verify": (
        c_int, [c_void_p, c_char_p, c_size_t, c_char_p, c_char_p, c_char_p, c_size_t, c_char_p, c_char_p, c_int64, _out]),
    "ts_proof_verifier_free": (None, [c_void_p]),
    "ts_certificate_check": (c_int, [c_char_p, c_size_t, c_char_p, _out]),
    "ts_signer_create": (c_int, [c_char_p, c_size_t, c_char_p, c_char_p, _out, _out]),
    "ts_signer_issue": (c_int, [c_void_p, c_char_p, c_size_t, c_int64, c_int64, _out, _out]),
    "ts_signer_free": (None, [c_void_p]),
    "ts_lifetime_check": (c_int, [c_char_p, c_int64, POINTER(c_int64), _out]),
    "ts_request_create": (c_int, [c_char_p, c_char_p, _out, _out]),
    "ts_request_add_header": (c_int, [c_void_p, c_char_p, c_char_p, _out]),
    "ts_request_set_body": (c_int, [c_void_p, c_char_p, c_size_t, _out]),
    "ts_request_header": (c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p)]),
    "ts_request_free": (None, [c_void_p]),
    "ts_request_sign": (c_int, [c_void_p, c_char_p, c_char_p, c_char_p, c_char_p, c_size_t, c_char_p, c_int64, _out]),
    "ts_request_presign": (
        c_int, [c_void_p, c_char_p, c_char_p, c_char_p, c_char_p, c_size_t, c_char_p, c_int64, c_int64, _out, _out]),
    "ts_request_verifier_create": (c_int, [c_char_p, c_char_p, c_char_p, c_int, _out, _out]),
    "ts_request_verifier_create_with_options": (c_int, [c_char_p, c_char_p, c_char_p, c_int, _out, _out]),
    "ts_request_verifier_access_key": (c_int, [c_void_p, c_void_p, c_int64, _out, _out]),
    "ts_request_verifier_verify": (c_int, [c_void_p, c_void_p, c_char_p, c_size_t, c_char_p, c_int64, _out]),
    "ts_request_verifier_free": (None, [c_void_p]),
    "ts_session_keys_create": (
        c_int, [c_char_p, c_char_p, c_char_p, c_char_p, c_size_t, c_char_p, c_size_t, c_uint32, c_char_p, _out, _out]),
    "ts_session_keys_set_fetch": (c_int, [c_void_p, FETCH, c_void_p, _out]),
    "ts_session_keys_free": (None, [c_void_p]),
    "ts_request_verifier_verify_session": (c_int, [c_void_p, c_void_p, c_void_p, c_char_p, c_int64, _out, _out]),
    "ts_session_arn": (c_char_p, [c_void_p]),
    "ts_session_role_arn": (c_char_p, [c_void_p]),
    "ts_session_name": (c_char_p, [c_void_p]),
    "ts_session_identity_id": (c_char_p, [c_void_p]),
    "ts_session_pool_id": (c_char_p, [c_void_p]),
    "ts_session_source_identity": (c_char_p, [c_void_p]),
    "ts_session_method": (c_char_p, [c_void_p, c_size_t]),
    "ts_session_tag": (c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p)]),
    "ts_session_expiration": (c_int64, [c_void_p]),
    "ts_session_check": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_char_p), POINTER(c_char_p), c_size_t, _out]),
    "ts_session_explain": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_char_p), POINTER(c_char_p), c_size_t, _out, _out]),
    "ts_session_free": (None, [c_void_p]),
    "ts_srp_enroll": (c_int, [c_int, c_char_p, c_char_p, c_size_t, c_char_p, c_size_t, _out, _out, _out]),
    "ts_srp_client_create": (c_int, [c_int, c_char_p, _out, _out, _out]),
    "ts_srp_client_respond": (
        c_int, [c_void_p, c_char_p, c_size_t, c_char_p, c_size_t, c_char_p, c_size_t, c_char_p, c_size_t, _out, _out]),
    "ts_srp_client_verify": (c_int, [c_void_p, c_char_p, c_size_t, _out, _out]),
    "ts_srp_client_free": (None, [c_void_p]),
    "ts_srp_server_create": (c_int, [c_int, c_char_p, _out, _out]),
    "ts_srp_server_challenge": (c_int, [c_void_p, c_char_p, c_size_t, c_char_p, c_size_t, c_char_p, c_size_t, _out, _out]),
    "ts_srp_server_verify": (c_int, [c_void_p, c_char_p, c_size_t, c_char_p, c_size_t, _out, _out, _out]),
    "ts_srp_server_free": (None, [c_void_p]),
    "ts_totp_secret": (c_int, [_out, _out]),
    "ts_totp_secret_from_base32": (c_int, [c_char_p, c_size_t, _out, _out]),
    "ts_totp_uri": (c_int, [c_char_p, c_char_p, c_char_p, c_size_t, c_char_p, c_int, c_int, _out, _out]),
    "ts_totp_code": (c_int, [c_char_p, c_size_t, c_char_p, c_int, c_int, c_int64, _out, _out]),
    "ts_totp_verify": (
        c_int, [c_char_p, c_size_t, c_char_p, c_int, c_int, c_char_p, c_int64, POINTER(c_int64), POINTER(c_int), _out]),
}

library = _load()
for _name, (_result, _arguments) in _PROTOTYPES.items():
    _function = getattr(library, _name)
    _function.restype, _function.argtypes = _result, _arguments


def error_of(handle: "int | None") -> TokenSecurityError:
    """The exception of an error, which is freed."""
    code = library.ts_error_code(handle).decode()
    message = library.ts_error_message(handle).decode()
    evidence = library.ts_error_evidence(handle).decode()
    status = library.ts_error_http_status(handle)
    library.ts_error_free(handle)
    return TokenSecurityError(code, message, evidence, status)


def call(function: "Callable[..., int]", *arguments: Any) -> None:
    """Calls a function whose last argument receives its error."""
    error = c_void_p()
    if function(*arguments, byref(error)) != 0:
        raise error_of(error.value)


def handle(function: "Callable[..., int]", *arguments: Any) -> int:
    """Calls a function whose last arguments receive a handle and its error."""
    made = c_void_p()
    call(function, *arguments, byref(made))
    return made.value or 0


def taken(buffer: "int | None") -> bytes:
    """The bytes of a buffer, which is freed."""
    try:
        return ctypes.string_at(library.ts_buffer_bytes(buffer), library.ts_buffer_length(buffer))
    finally:
        library.ts_buffer_free(buffer)


class Handle:
    """An object of the library, freed once, with this object. A copy of the address would be freed twice."""

    _handle: "int | None" = None
    _free: "Callable[[int], None]"

    def _own(self, handle: int) -> None:
        """Takes a new handle, once: threads may use an earlier one, so that it is not replaced."""
        # One step for the interpreter, as pop() is.
        if self.__dict__.setdefault("_handle", handle) != handle:
            type(self)._free(handle)
            raise TypeError(f"a {type(self).__name__} is made once")

    def __del__(self) -> None:
        handle = self.__dict__.pop("_handle", None)
        if handle:
            type(self)._free(handle)

    def __reduce__(self) -> "tuple[Any, ...]":
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")


def sized(data: Data) -> "tuple[bytes, int]":
    """Bytes and their number."""
    if isinstance(data, str):
        data = _utf8(data)
    elif not isinstance(data, bytes):
        # Not bytes(data), which makes of a number as many zero bytes.
        data = bytes(memoryview(data))
    return data, len(data)


def text(value: "str | None") -> "bytes | None":
    """A text that ends with a zero byte. One that contains a zero byte would be cut there, so that it is refused."""
    if value is None:
        return None
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a text is needed, not {type(value).__name__}")
    return _without_zero(_utf8(value))


def field(value: "str | bytes") -> "bytes | None":
    """The value of a header field."""
    return _without_zero(value) if isinstance(value, bytes) else text(value)


def _without_zero(value: bytes) -> bytes:
    if b"\0" in value:
        raise ValueError("the text contains a zero byte")
    return value


def _utf8(value: str) -> bytes:
    try:
        return value.encode()
    except UnicodeEncodeError:
        # The original error has the whole text, which can be a password.
        raise ValueError("the text contains a surrogate without its other half") from None


def whole(value: SupportsIndex, name: str, bits: int = 64) -> int:
    """A whole number that the library can take. ctypes would keep only its lowest bits."""
    number = operator.index(value)
    if not -(1 << (bits - 1)) < number < 1 << (bits - 1):
        raise ValueError(f"{name} must be a whole number of less than {bits} bits")
    return number


def seconds(now: "float | None") -> int:
    if now is None:
        return NOW
    if isinstance(now, (str, bytes, bytearray)) or not hasattr(now, "__int__"):
        raise TypeError("at must be a number of seconds since 1970")
    try:
        return whole(int(now), "at")
    except OverflowError:
        raise ValueError("at must be finite") from None


_decode = json.JSONDecoder().raw_decode


def parsed(document: bytes) -> Any:
    """JSON that the library has accepted."""
    text = document.decode()
    try:
        # Without the search for white space around the value, which there is seldom.
        value, end = _decode(text)
        if end == len(text):
            return value
        return json.loads(text)
    except ValueError:
        # Python makes no int of more than some thousand digits (sys.set_int_max_str_digits).
        return json.loads(text, parse_int=_number)


def _number(digits: str) -> "int | decimal.Decimal":
    try:
        return int(digits)
    except ValueError:
        import decimal

        return decimal.Decimal(digits)
