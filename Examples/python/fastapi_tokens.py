"""Access tokens with FastAPI: the header field Authorization becomes claims.

    pip install token_security-*.whl fastapi uvicorn
    uvicorn fastapi_tokens:app
"""
import logging
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request

from token_security import Claims, TokenSecurityError, Verifier

verifier = Verifier.cognito("eu-west-1_Example01", client_ids=["1h57kf5cpq17m0eml12EXAMPLE"])
app = FastAPI()


def bearer(request: Request) -> Claims:
    """The claims of the request's token. FastAPI calls it on a thread of its own, where it may fetch keys."""
    fields = request.headers.getlist("authorization")
    scheme, _, token = fields[0].partition(" ") if len(fields) == 1 else ("", "", "")
    if scheme.lower() != "bearer":
        raise HTTPException(401, "token_missing", {"WWW-Authenticate": "Bearer"})
    try:
        return verifier.verify(token.strip(" "))
    except TokenSecurityError as error:
        logging.getLogger("api").warning("%s", error)           # the sentence is for the operator
        if error.is_unavailable:
            raise HTTPException(503, "keys_unavailable") from None
        challenge = f'Bearer error="invalid_token", error_description="{error.code}"'
        raise HTTPException(401, error.code, {"WWW-Authenticate": challenge}) from None


def with_scope(scope: str) -> Callable[[Claims], Claims]:
    """A dependency of routes whose tokens need a scope."""
    def check(claims: Annotated[Claims, Depends(bearer)]) -> Claims:
        if scope not in claims.get("scope", "").split(" "):
            raise HTTPException(403, "scope_missing", {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'})
        return claims
    return check


@app.get("/orders")
def orders(claims: Annotated[Claims, Depends(with_scope("orders/read"))]) -> dict[str, str]:
    return {"caller": claims["sub"]}
