"""An API of your own with FastAPI: each request is signed with temporary credentials of identity-service, whose policies decide.

    pip install token_security-*.whl fastapi uvicorn
    eval "$(identity-service key create --data data --api orders --print)"     # the API's own access key
    export IDENTITY_SERVICE=https://identity.example API_HOST=api.example
    uvicorn fastapi_app:app
"""
import http
import logging
import os
from typing import Annotated, NamedTuple

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from token_security import Credentials, RequestVerifier, Session, SessionKeys, TokenSecurityError

#: The most bytes of a body.
LIMIT = 1 << 20

verifier = RequestVerifier(service="orders", region="eu-west-1", host=os.environ["API_HOST"], once=False)
keys = SessionKeys(
    endpoint=os.environ["IDENTITY_SERVICE"], region="us-east-1",
    credentials=Credentials(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]))
app = FastAPI()


@app.exception_handler(TokenSecurityError)
async def refused(request: Request, error: TokenSecurityError) -> JSONResponse:
    logging.getLogger("orders").warning("%s", error)            # for the operator
    status = error.http_status or 500
    return JSONResponse({"message": http.HTTPStatus(status).phrase}, status)      # for the caller


class Signed(NamedTuple):
    """A verified request: who sent it, and its body."""

    session: Session
    body: bytes


async def body_of(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LIMIT:
            raise HTTPException(413)
    return body


async def signed(request: Request) -> Signed:
    """The dependency of each route. A route declares no parameters of the body: FastAPI would read them before this, without a limit."""
    body = await body_of(request)
    # As they were sent: what FastAPI has decoded is not what was signed.
    target = request.scope["raw_path"] + (b"?" + request.scope["query_string"] if request.scope["query_string"] else b"")
    headers = [(name.decode("latin-1"), value) for name, value in request.headers.raw]
    # It may ask identity-service, and wait for it.
    session = await run_in_threadpool(
        verifier.verify_session, keys, method=request.method, target=target.decode("latin-1"), headers=headers, body=body,
        address=request.client.host if request.client else None)
    return Signed(session, body)


@app.get("/users/{user}/orders/{number}")
async def read(user: str, number: str, request: Annotated[Signed, Depends(signed)]) -> dict[str, str]:
    request.session.check("orders:Read", f"arn:aws:orders:::users/{user}/orders/{number}")
    return {"number": number, "reader": request.session.arn}


@app.put("/users/{user}/orders/{number}")
async def write(user: str, number: str, request: Annotated[Signed, Depends(signed)]) -> dict[str, int]:
    request.session.check("orders:Write", f"arn:aws:orders:::users/{user}/orders/{number}")
    return {"size": len(request.body)}
