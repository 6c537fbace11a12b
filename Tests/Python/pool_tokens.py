"""Access tokens of the example's user pool with a key of the tests, as Cognito issues them."""
import time

from joserfc import jwk
from joserfc import jwt as jose

from support import CLIENT, POOL
from token_security import Verifier

KEY = jwk.generate_key("RSA", 2048, {"kid": "a", "use": "sig", "alg": "RS256"}, private=True)
KEYS = {"keys": [KEY.as_dict(private=False)]}
POOL_ISSUER = f"https://cognito-idp.eu-west-1.amazonaws.com/{POOL}"
SCOPE = "orders/read"


def token(key=KEY, **changed):
    """A token. None removes a claim."""
    now = int(time.time())
    claims = {
        "sub": "jane", "iss": POOL_ISSUER, "client_id": CLIENT, "origin_jti": "1", "event_id": "2", "token_use": "access", "scope": f"openid {SCOPE}",
        "auth_time": now, "iat": now, "exp": now + 80_000, "jti": "3", "username": "jane", "version": 2, **changed}
    return jose.encode({"alg": "RS256", "kid": "a"}, {name: value for name, value in claims.items() if value is not None}, key)


def verifier(**options):
    return Verifier.cognito(POOL, CLIENT, jwks=KEYS, **options)


#: Fields Authorization, and the status and the code of each.
REFUSED = {
    "missing": (None, 401, "token_missing"),
    "another scheme": ("Basic amFuZTpzZWNyZXQ=", 401, "token_missing"),
    "a scheme alone": ("Bearer", 401, "token_empty"),
    "a scheme and a space": ("Bearer ", 401, "token_empty"),
    "no token": ("Bearer garbage", 401, "not_compact"),
    "white space in it": (f"Bearer {token()[:20]} {token()[20:]}", 401, "base64url_white_space"),
    "a malformed token": ("Bearer a.b.c", 401, "base64url_length"),
    "expired": (f"Bearer {token(iat=1, auth_time=1, exp=2)}", 401, "token_expired"),
    "of another client": (f"Bearer {token(client_id='other')}", 401, "client_mismatch"),
    "an ID token": (f"Bearer {token(token_use='id', client_id=None, aud=CLIENT)}", 401, "wrong_token_kind"),
    "of another issuer": (f"Bearer {token(iss='https://issuer.example')}", 401, "issuer_unknown"),
    "a changed signature": (f"Bearer {token()[:-6]}AAAAAA", 401, "signature_invalid"),
}
