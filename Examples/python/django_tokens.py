"""Access tokens with Django: the header field Authorization becomes request.claims. In the settings of the project:

    MIDDLEWARE = [..., "django_tokens.bearer"]
"""
import functools
import logging

from django.http import JsonResponse

from token_security import TokenSecurityError, Verifier

verifier = Verifier.cognito("eu-west-1_Example01", client_ids=["1h57kf5cpq17m0eml12EXAMPLE"])


def refused(status, code, challenge=None):
    return JsonResponse({"error": code}, status=status, headers={"WWW-Authenticate": challenge} if challenge else {})


def bearer(get_response):
    """Refuses requests without a valid token, for all views."""
    def middleware(request):
        # Several fields are joined with commas, which no token has.
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return refused(401, "token_missing", "Bearer")
        try:
            request.claims = verifier.verify(token.strip(" "))
        except TokenSecurityError as error:
            logging.getLogger("api").warning("%s", error)       # the sentence is for the operator
            if error.is_unavailable:
                return refused(503, "keys_unavailable")
            return refused(401, error.code, f'Bearer error="invalid_token", error_description="{error.code}"')
        return get_response(request)
    return middleware


def with_scope(scope):
    """A decorator of views whose tokens need a scope."""
    def decorator(view):
        @functools.wraps(view)
        def checked(request, *arguments, **named):
            if scope not in request.claims.get("scope", "").split(" "):
                return refused(403, "scope_missing", f'Bearer error="insufficient_scope", scope="{scope}"')
            return view(request, *arguments, **named)
        return checked
    return decorator


@with_scope("orders/read")
def orders(request):
    return JsonResponse({"caller": request.claims["sub"]})
