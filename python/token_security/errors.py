"""The exception of this package."""
import json


class TokenSecurityError(Exception):
    """A refusal: a token, a request, a password, a code or an argument breaks a rule.

    ``code`` is stable and meant for programs: ``token_expired``. The message is for people. ``evidence`` has the values
    of the error as texts; its members may change. None of them contains a secret. ``http_status`` is the status of the response
    to the sender of a signed request that is refused; 0 for an error that is none of a request.
    """

    def __init__(self, code: str, message: str, evidence: str = "{}", http_status: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.http_status = http_status
        self._evidence = evidence

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
