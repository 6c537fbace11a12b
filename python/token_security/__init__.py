"""Tokens, signed requests, passwords and one-time codes, verified by libtokensecurity.

    from token_security import Verifier

    verifier = Verifier.cognito("eu-west-1_Example01", client_ids=["1example"])
    claims = verifier.verify(token)          # or TokenSecurityError, with a stable code
"""
from __future__ import annotations

from ._library import library as _library
from .errors import TokenSecurityError
from .explanations import Explanation
from .tokens import Claims, Signer, Verifier, check_lifetime, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .codes import Totp, TotpState
    from .requests import Credentials, RequestVerifier, presign_request, sign_request
    from .senders import ProofVerifier, check_certificate
    from .sessions import Session, SessionKeys
    from .srp import SrpClient, SrpRecord, SrpServer, enroll

__version__ = _library.ts_version().decode()
__all__ = [
    "Claims", "Credentials", "Explanation", "ProofVerifier", "RequestVerifier", "Session", "SessionKeys", "Signer", "SrpClient", "SrpRecord", "SrpServer", "TokenSecurityError", "Totp",
    "TotpState", "Verifier", "check_certificate", "check_lifetime", "decode", "encode", "enroll", "presign_request", "sign_request",
]

#: Imported when they are first used: most programs verify tokens.
_LATER = {
    "codes": ("Totp", "TotpState"), "requests": ("Credentials", "RequestVerifier", "presign_request", "sign_request"),
    "senders": ("ProofVerifier", "check_certificate"), "sessions": ("Session", "SessionKeys"), "srp": ("SrpClient", "SrpRecord", "SrpServer", "enroll"),
}


def __getattr__(name: str) -> object:
    for module, names in _LATER.items():
        if name in names or name == module:
            import importlib

            found = importlib.import_module(f".{module}", __name__)
            globals().update({each: getattr(found, each) for each in names})
            return found if name == module else globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
