"""The examples with FastAPI, Flask and Django: from the header field Authorization to the claims, or a refusal with its code."""
import asyncio
import pathlib
import sys
import types

import django
import httpx
import pytest
from django.conf import settings

from pool_tokens import REFUSED, SCOPE, token, verifier
from ports import closed_port
from support import CLIENT, POOL
from token_security import Verifier

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Examples/python"))
ALLOWED = f"Bearer {token()}"


def with_fastapi():
    import fastapi_tokens

    # starlette 1.10.0 warns that its own client will need another package than httpx.
    async def get(fields):
        transport = httpx.ASGITransport(app=fastapi_tokens.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            return await client.get("/orders", headers=[("Authorization", field) for field in fields])

    def send(*fields):
        found = asyncio.run(get(fields))
        body = found.json()
        return found.status_code, body.get("detail") or body.get("caller"), found.headers.get("WWW-Authenticate")
    return fastapi_tokens, send


def with_flask():
    import flask_tokens

    def send(*fields):
        found = flask_tokens.app.test_client().get("/orders", headers=[("Authorization", field) for field in fields])
        return found.status_code, found.json.get("error") or found.json.get("caller"), found.headers.get("WWW-Authenticate")
    return flask_tokens, send


def with_django():
    import django_tokens
    from django.test import Client
    from django.urls import path

    if not settings.configured:
        routes = types.ModuleType("django_routes")
        routes.urlpatterns = [path("orders", django_tokens.orders)]
        sys.modules["django_routes"] = routes
        settings.configure(MIDDLEWARE=["django_tokens.bearer"], ROOT_URLCONF="django_routes", ALLOWED_HOSTS=["testserver"], USE_TZ=True)
        django.setup()

    def send(*fields):
        # As WSGI servers join several.
        found = Client().get("/orders", headers={"Authorization": ",".join(fields)} if fields else {})
        body = found.json()
        return found.status_code, body.get("error") or body.get("caller"), found.headers.get("WWW-Authenticate")
    return django_tokens, send


@pytest.fixture(params=[with_fastapi, with_flask, with_django], ids=["fastapi", "flask", "django"])
def app(request, monkeypatch):
    module, send = request.param()
    monkeypatch.setattr(module, "verifier", verifier())
    return types.SimpleNamespace(module=module, send=send)


def test_a_valid_token(app):
    assert app.send(ALLOWED) == (200, "jane", None)
    # The name of a scheme has no case (RFC 9110 section 11.1).
    assert app.send(f"bearer {token()}")[0] == app.send(f"BEARER   {token()} ")[0] == 200


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(app, case):
    field, status, code = REFUSED[case]
    found, said, challenge = app.send(*([] if field is None else [field]))
    assert (found, said) == (status, code)
    # Without credentials there is no error in the challenge (RFC 6750 section 3.1).
    assert challenge == ("Bearer" if code == "token_missing" else f'Bearer error="invalid_token", error_description="{said}"')


def test_several_fields(app):
    status, _, challenge = app.send(ALLOWED, ALLOWED)
    assert status == 401 and challenge.startswith("Bearer")


@pytest.mark.parametrize("scope", [None, "", "openid", "orders/reader", "Orders/Read", f"x{SCOPE}"])
def test_a_token_without_the_scope(app, scope):
    assert app.send(f"Bearer {token(scope=scope)}") == (403, "scope_missing", f'Bearer error="insufficient_scope", scope="{SCOPE}"')
    assert app.send(f"Bearer {token(scope=SCOPE)}")[0] == 200


def test_keys_that_cannot_be_fetched(app, monkeypatch):
    with closed_port() as port:
        issuer = f"http://127.0.0.1:{port}/{POOL}"
        monkeypatch.setattr(app.module, "verifier", Verifier.cognito(POOL, CLIENT, issuer=issuer, allow_plain_loopback=True))
        assert app.send(f"Bearer {token(iss=issuer)}") == (503, "keys_unavailable", None)
    # That of a token is a refusal, also without keys.
    assert app.send("Bearer a.b.c")[0] == 401
