"""A Lambda authorizer of API Gateway, for access tokens of a user pool.

It is for HTTP APIs (payload format 2.0 with simple responses), and for REST APIs and format 1.0 (TOKEN and REQUEST).
"""
from __future__ import annotations

from typing import Any

from token_security import TokenSecurityError, Verifier

# Made once for a process: its keys are kept from one invocation to the next.
verifier = Verifier.cognito("eu-west-1_Example01", client_ids=["1h57kf5cpq17m0eml12EXAMPLE"], timeout=3)


def bearer(event: dict[str, Any]) -> str:
    """The token of a request; an empty one is refused as the others are."""
    if event["type"] == "TOKEN":
        field: str = event.get("authorizationToken") or ""
    else:
        # REST APIs pass the names of fields as the client has sent them, and all values of a field beside the last one.
        last: dict[str, str] = event.get("headers") or {}
        headers: dict[str, list[str]] = event.get("multiValueHeaders") or {name: [value] for name, value in last.items()}
        fields = [value for name, values in headers.items() if name.lower() == "authorization" for value in values]
        field = fields[0] if len(fields) == 1 else ""
    scheme, _, token = field.partition(" ")
    return token.strip(" ") if scheme.lower() == "bearer" else ""


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    is_simple = event.get("version") == "2.0"
    try:
        claims = verifier.verify(bearer(event))
    except TokenSecurityError as error:
        print(error)                                            # the sentence is for the operator
        if error.is_unavailable:
            raise                                               # 500, which API Gateway does not keep
        if is_simple:
            return {"isAuthorized": False}                      # 403
        raise Exception("Unauthorized") from None               # 401, for exactly this text
    about = {"sub": claims["sub"], "scope": claims.get("scope", "")}
    if is_simple:
        return {"isAuthorized": True, "context": about}
    # The whole stage: API Gateway uses a kept answer for all methods.
    api, stage = event["methodArn"].split("/")[:2]
    statement = {"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": [f"{api}/{stage}/*/*"]}
    return {"principalId": claims["sub"], "policyDocument": {"Version": "2012-10-17", "Statement": [statement]}, "context": about}
