"""Access tokens with Flask: the header field Authorization becomes claims.

    pip install token_security-*.whl flask gunicorn
    gunicorn --threads 8 flask_tokens:app
"""
import functools
from collections.abc import Callable
from typing import Any

from flask import Flask, current_app, g, request

from token_security import TokenSecurityError, Verifier

verifier = Verifier.cognito("eu-west-1_Example01", client_ids=["1h57kf5cpq17m0eml12EXAMPLE"])
app = Flask(__name__)


def refused(status: int, code: str, challenge: str = "") -> Any:
    return {"error": code}, status, {"WWW-Authenticate": challenge} if challenge else {}


def with_scope(scope: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator of views whose tokens need a scope. `g.claims` are the claims of the request."""
    def decorator(view: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(view)
        def verified(**arguments: Any) -> Any:
            # Several fields are joined with commas, which no token has.
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            if scheme.lower() != "bearer":
                return refused(401, "token_missing", "Bearer")
            try:
                g.claims = verifier.verify(token.strip(" "))
            except TokenSecurityError as error:
                current_app.logger.warning("%s", error)         # the sentence is for the operator
                if error.is_unavailable:
                    return refused(503, "keys_unavailable")
                return refused(401, error.code, f'Bearer error="invalid_token", error_description="{error.code}"')
            if scope not in g.claims.get("scope", "").split(" "):
                return refused(403, "scope_missing", f'Bearer error="insufficient_scope", scope="{scope}"')
            return view(**arguments)
        return verified
    return decorator


@app.get("/orders")
@with_scope("orders/read")
def orders() -> dict[str, str]:
    return {"caller": g.claims["sub"]}
