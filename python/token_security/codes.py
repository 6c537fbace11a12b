"""Time-based one-time codes (RFC 6238)."""
from ctypes import byref, c_int, c_int64
from typing import NamedTuple

from ._library import call, handle, library, seconds, sized, taken, text, whole


class TotpState(NamedTuple):
    """What is stored of a user's device.

    :param last_step: the step of the last code that was accepted, -1 for none: the seconds since 1970 divided by the period.
    :param drift: the error of the device's clock in steps.
    """

    last_step: int = -1
    drift: int = 0


class Totp:
    """Codes of a secret. ``Totp.from_base32`` reads its text, ``Totp.random`` makes one.

    :param secret: 16 to 1,024 bytes.
    :param algorithm: ``SHA1``, which all apps have, ``SHA256`` or ``SHA512``.
    :param digits: 6, 7 or 8.
    :param period: the seconds of a step, 1 to 86,400.
    :raises TokenSecurityError: ``otp_secret_too_short`` and others, for values that cannot be used.
    """

    def __init__(self, secret: bytes, *, algorithm: str = "SHA1", digits: int = 6, period: int = 30) -> None:
        self._options = (*sized(secret), text(algorithm), whole(digits, "digits", 32), whole(period, "period", 32))
        self.code()

    @classmethod
    def random(cls, *, algorithm: str = "SHA1", digits: int = 6, period: int = 30) -> "Totp":
        """Codes of a new secret of 160 bits.

        :param algorithm: as for `Totp`.
        :param digits: 6, 7 or 8.
        :param period: the seconds of a step.
        :return: the codes.
        :raises TokenSecurityError: for values that cannot be used.
        """
        return cls(taken(handle(library.ts_totp_secret)), algorithm=algorithm, digits=digits, period=period)

    @classmethod
    def from_base32(cls, secret: str, *, algorithm: str = "SHA1", digits: int = 6, period: int = 30) -> "Totp":
        """Codes of a secret in Base32, as authenticator apps show it.

        :param secret: the text, in upper or lower case, with or without spaces, hyphens and padding.
        :param algorithm: as for `Totp`.
        :param digits: 6, 7 or 8.
        :param period: the seconds of a step.
        :return: the codes.
        :raises TokenSecurityError: for a text that is not Base32, or a secret of less than 128 bits.
        """
        read = taken(handle(library.ts_totp_secret_from_base32, *sized(secret)))
        return cls(read, algorithm=algorithm, digits=digits, period=period)

    def base32(self) -> str:
        """The secret in Base32, for storing it and for users who cannot scan.

        :return: the text, which ``Totp.from_base32`` reads.
        """
        import base64

        return base64.b32encode(self._options[0]).decode().rstrip("=")

    def uri(self, issuer: str, account: str) -> str:
        """The ``otpauth`` URI for an authenticator app, which shows it as a QR code. It contains the secret.

        :param issuer: the name of your service, as the app shows it.
        :param account: the name of the user, as the app shows it.
        :return: the URI.
        :raises TokenSecurityError: for a name that cannot be in such a URI.
        """
        return taken(handle(library.ts_totp_uri, text(issuer), text(account), *self._options)).decode()

    def code(self, *, at: "float | None" = None) -> str:
        """The code of a time.

        :param at: the time in seconds since 1970; default: now.
        :return: the digits.
        :raises TokenSecurityError: for a time before 1970.
        """
        return taken(handle(library.ts_totp_code, *self._options, seconds(at))).decode()

    def verify(self, code: str, state: TotpState = TotpState(), *, at: "float | None" = None) -> TotpState:
        """Checks a code. Store the new state before the user is let in, so that the code is not accepted again.

        Codes one step before and after the current one are accepted, and those around the clock of a device that drifts.

        :param code: the digits that were typed.
        :param state: what was stored of the device; by default that of a new one.
        :param at: the time in seconds since 1970; default: now.
        :return: the new state.
        :raises TokenSecurityError: ``code_mismatch``, ``code_used``, ``code_malformed``.
        """
        step, drift = c_int64(whole(state.last_step, "last_step")), c_int(whole(state.drift, "drift", 32))
        call(library.ts_totp_verify, *self._options, text(code), seconds(at), byref(step), byref(drift))
        return TotpState(step.value, drift.value)

    def __repr__(self) -> str:
        return "Totp()"

    def __reduce__(self) -> "tuple[object, ...]":
        raise TypeError("a Totp has a secret and cannot be copied or pickled")
