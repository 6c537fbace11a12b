"""The exception of this package."""
import json


#: Why there are no keys for a token, beside the codes that begin with ``fetch_``.
_WITHOUT_KEYS = frozenset({
    "keys_not_held", "keys_unavailable", "timed_out", "discovery_invalid", "discovery_issuer_mismatch", "address_refused", "address_invalid"})


class TokenSecurityError(Exception):
    """A refusal: a token, a request, a password, a code or an argument breaks a rule.

    ``str(error)`` is ``CODE: SENTENCE``. Neither this nor ``evidence`` contains a secret.

    :param code: stable and meant for programs, such as ``token_expired``. The guide of error codes lists all.
    :param message: a sentence for people, with the rule and the value that broke it.
    :param evidence: the values of the error as a JSON object with texts. Its members may change.
    :param http_status: the status of the response to the sender of a signed request that is refused; 0 for an error that is none of a
        request.
    """

    #: The code.
    code: str
    #: The status of the response to the sender of a signed request; 0 for other errors.
    http_status: int

    def __init__(self, code: str, message: str, evidence: str = "{}", http_status: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.http_status = http_status
        self._evidence = evidence

    @property
    def is_unavailable(self) -> bool:
        """Whether there was no answer, for instance since keys could not be fetched, so that nothing is known about the token or the
        request. Respond with 503; a later attempt may succeed. For other errors of tokens, respond with 401."""
        return self.http_status == 503 or self.code.startswith("fetch_") or self.code in _WITHOUT_KEYS

    @property
    def evidence(self) -> "dict[str, str]":
        """The values of the error: which rule, and what it was applied to."""
        values: "dict[str, str]" = json.loads(self._evidence)
        return values

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]}"

    def __repr__(self) -> str:
        return f"TokenSecurityError({self.code!r}, {self.args[0]!r})"

    def __reduce__(self) -> "tuple[type[TokenSecurityError], tuple[str, str, str, int]]":
        return type(self), (self.code, self.args[0], self._evidence, self.http_status)
