"""An API of your own with Flask: each request is signed with temporary credentials of identity-service, whose policies decide.

    pip install token_security-*.whl flask gunicorn
    eval "$(identity-service key create --data data --api orders --print)"     # the API's own access key
    export IDENTITY_SERVICE=https://identity.example API_HOST=api.example
    gunicorn --preload --workers 4 --threads 8 flask_app:app
"""
import functools
import http
import logging
import os
from collections.abc import Callable
from typing import Any

from flask import Flask, g, request

from token_security import Credentials, RequestVerifier, SessionKeys, TokenSecurityError

verifier = RequestVerifier(service="orders", region="eu-west-1", host=os.environ["API_HOST"], once=False)
keys = SessionKeys(
    endpoint=os.environ["IDENTITY_SERVICE"], region="us-east-1",
    credentials=Credentials(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]))
app = Flask(__name__)
# The most bytes of a body: more is refused before it is read.
app.config["MAX_CONTENT_LENGTH"] = 1 << 20


@app.errorhandler(TokenSecurityError)
def refused(error: TokenSecurityError) -> tuple[dict[str, str], int]:
    logging.getLogger("orders").warning("%s", error)            # for the operator
    status = error.http_status or 500
    return {"message": http.HTTPStatus(status).phrase}, status  # for the caller


def target() -> str:
    """Path and query as they were sent: what Flask has decoded is not what was signed. WSGI does not have them; servers add them,
    gunicorn and Werkzeug's as RAW_URI, others as REQUEST_URI."""
    found: str = request.environ.get("RAW_URI") or request.environ["REQUEST_URI"]
    return found


def signed(view: Callable[..., Any]) -> Callable[..., Any]:
    """The decorator of each view. `g.session` is the session of the request."""
    @functools.wraps(view)
    def verified(**arguments: Any) -> Any:
        headers = [(name, value.encode("latin-1")) for name, value in request.headers]
        g.session = verifier.verify_session(
            keys, method=request.method, target=target(), headers=headers, body=request.get_data(), address=request.remote_addr)
        return view(**arguments)
    return verified


@app.get("/users/<user>/orders/<number>")
@signed
def read(user: str, number: str) -> dict[str, str]:
    g.session.check("orders:Read", f"arn:aws:orders:::users/{user}/orders/{number}")
    return {"number": number, "reader": g.session.arn}


@app.put("/users/<user>/orders/<number>")
@signed
def write(user: str, number: str) -> dict[str, int]:
    g.session.check("orders:Write", f"arn:aws:orders:::users/{user}/orders/{number}")
    return {"size": len(request.get_data())}
