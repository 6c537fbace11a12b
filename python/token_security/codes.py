"""Time-based one-time codes (RFC 6238)."""
from ctypes import byref, c_int, c_int64
from typing import NamedTuple

from ._library import call, handle, library, seconds, sized, taken, text, whole


class TotpState(NamedTuple):
    """What is stored of a user's device: the step of the last code, and the error of its clock in steps."""

    last_step: int = -1
    drift: int = 0


class Totp:
    """Codes of a secret. ``secret`` is 16 to 1,024 bytes; ``Totp.from_base32`` reads its text, ``Totp.random`` makes one."""

    def __init__(self, secret: bytes, *, algorithm: str = "SHA1", digits: int = 6, period: int = 30) -> None:
        self._options = (*sized(secret), text(algorithm), whole(digits, "digits", 32), whole(period, "period", 32))
        self.code()

    @classmethod
    def random(cls, *, algorithm: str = "SHA1", digits: int = 6, period: int = 30) -> "Totp":
        """Codes of a new secret."""
        return cls(taken(handle(library.ts_totp_secret)), algorithm=algorithm, digits=digits, period=period)

    @classmethod
    def from_base32(cls, secret: str, *, algorithm: str = "SHA1", digits: int = 6, period: int = 30) -> "Totp":
        """Codes of a secret in Base32, as authenticator apps show it."""
        read = taken(handle(library.ts_totp_secret_from_base32, *sized(secret)))
        return cls(read, algorithm=algorithm, digits=digits, period=period)

    def uri(self, *, issuer: str, account: str) -> str:
        """The ``otpauth`` URI for an authenticator app. It contains the secret."""
        return taken(handle(library.ts_totp_uri, text(issuer), text(account), *self._options)).decode()

    def code(self, *, at: "float | None" = None) -> str:
        """The code of a time; default: now."""
        return taken(handle(library.ts_totp_code, *self._options, seconds(at))).decode()

    def verify(self, code: str, state: TotpState = TotpState(), *, at: "float | None" = None) -> TotpState:
        """Checks a code. Store the new state before the user is let in, so that the code is not accepted again.

        :raises TokenSecurityError: ``code_mismatch``, ``code_used``, ``code_malformed``.
        """
        step, drift = c_int64(whole(state.last_step, "last_step")), c_int(whole(state.drift, "drift", 32))
        call(library.ts_totp_verify, *self._options, text(code), seconds(at), byref(step), byref(drift))
        return TotpState(step.value, drift.value)

    def __repr__(self) -> str:
        return "Totp()"

    def __reduce__(self) -> "tuple[object, ...]":
        raise TypeError("a Totp has a secret and cannot be copied or pickled")
