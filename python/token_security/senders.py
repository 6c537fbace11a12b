"""Senders of tokens that are bound to a key: DPoP proofs and client certificates."""
from typing import Any, Mapping, cast

from ._library import Handle, call, handle, library, seconds, sized, text


def _confirmation(claims: "Mapping[str, Any]", method: str) -> "str | None":
    confirmation = claims.get("cnf")
    value = cast("dict[str, object]", confirmation).get(method) if isinstance(confirmation, dict) else None
    return value if isinstance(value, str) else None


class ProofVerifier(Handle):
    """Verifies DPoP proofs (RFC 9449), each once. Make one and keep it; threads can share it, processes cannot.

    A verifier whose policy has ``"binding": ["jkt"]`` verifies the token first:

        claims = verifier.verify(token)
        proofs.verify(proof, method="GET", url="https://api.example/orders", token=token, claims=claims)

    :param capacity: the most proofs that it remembers, 1 to 100,000,000. If they have not expired, further ones are refused.
    :raises ValueError: for another capacity.
    """

    _free = library.ts_proof_verifier_free

    def __init__(self, capacity: int = 100_000) -> None:
        if not 1 <= capacity <= 100_000_000:
            raise ValueError("the capacity must be 1 to 100,000,000")
        self._own(handle(library.ts_proof_verifier_create, capacity))

    def verify(
        self, proof: "str | bytes", *, method: str, url: str, token: "str | bytes", claims: "Mapping[str, Any]",
        nonce: "str | None" = None, at: "float | None" = None,
    ) -> None:
        """Verifies the proof of a request.

        :param proof: the header field ``DPoP``. Refuse requests with several.
        :param method: the method of the request.
        :param url: the URL as the client knows it. Take scheme and host from your configuration, not from the request.
        :param token: the access token of the request.
        :param claims: its verified claims.
        :param nonce: the nonce that the proof must have; default: none was issued.
        :param at: the time in seconds since 1970; default: now.
        :raises TokenSecurityError: the first rule that the proof breaks.
        """
        call(
            library.ts_proof_verifier_verify, self._handle, *sized(proof), text(method), text(url), *sized(token),
            text(_confirmation(claims, "jkt")), text(nonce), seconds(at))


def check_certificate(claims: "Mapping[str, Any]", certificate: bytes) -> None:
    """Checks that a token is bound to the certificate of its sender (RFC 8705).

    :param claims: the verified claims of a token, of a policy with ``"binding": ["x5t#S256"]``.
    :param certificate: the certificate in DER, which the TLS server has verified.
    :raises TokenSecurityError: ``client_certificate_mismatch``.
    """
    call(library.ts_certificate_check, *sized(certificate), text(_confirmation(claims, "x5t#S256")))
