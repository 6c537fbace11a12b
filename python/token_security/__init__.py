"""Tokens, signed requests, passwords and one-time codes, verified by libtokensecurity.

    from token_security import Verifier

    verifier = Verifier.cognito("eu-west-1_Example01", client_ids=["1example"])
    claims = verifier.verify(token)          # or TokenSecurityError, with a stable code
"""
from ._library import library as _library
from .codes import Totp, TotpState
from .errors import TokenSecurityError
from .requests import Credentials, RequestVerifier, presign_request, sign_request
from .senders import ProofVerifier, check_certificate
from .srp import SrpClient, SrpRecord, SrpServer, enroll
from .tokens import Claims, Signer, Verifier, check_lifetime

__version__ = _library.ts_version().decode()
__all__ = [
    "Claims", "Credentials", "ProofVerifier", "RequestVerifier", "Signer", "SrpClient", "SrpRecord", "SrpServer", "TokenSecurityError", "Totp",
    "TotpState", "Verifier", "check_certificate", "check_lifetime", "enroll", "presign_request", "sign_request",
]
