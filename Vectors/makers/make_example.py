#!/usr/bin/env python3
"""Makes docs/example/: a key set and an access token of Cognito's shape, with made-up names.

The user pool does not exist; the private keys were thrown away. Run it in this folder:

    python3 make_example.py ../../docs/example
"""
import json
import pathlib
import sys

from make_tokens import b64u, jwk_rsa, padding, hashes, rsa, text

NOW = 1788598987  # 2026-09-05T09:03:07Z
ISS = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01"

folder = pathlib.Path(sys.argv[1])
id_key, access_key = (rsa.generate_private_key(65537, 2048) for _ in range(2))
kids = ["w8Jx0Vf3c0mTq1nUeYb5rKz7LhSd2PgAoQ4iXvN6tEk=", "Zk5uY2hRb3JtV2lXcTdFd0tqTnZUeUxhUGdTZEhmMUo="]
header = {"kid": kids[1], "alg": "RS256"}
claims = {
    "sub": "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53", "cognito:groups": ["editors", "admins"], "iss": ISS, "version": 2,
    "client_id": "1h57kf5cpq17m0eml12EXAMPLE", "origin_jti": "5e3b0f0c-8a4d-4d2b-b1f6-93c7a9e0d412",
    "event_id": "c2f1d7a8-3e65-4b90-a7cd-6b1e8f40529d", "token_use": "access", "scope": "aws.cognito.signin.user.admin openid profile",
    "auth_time": NOW - 600, "exp": NOW + 3000, "iat": NOW - 600, "jti": "b7a4c1d9-60e2-4f3a-8d5b-1c9e7f2a3046", "username": "jane"}
message = (b64u(text(header)) + "." + b64u(text(claims))).encode()
token = message.decode() + "." + b64u(access_key.sign(message, padding.PKCS1v15(), hashes.SHA256()))
keys = {"keys": [jwk_rsa(k, kid=kid, alg="RS256", use="sig") for k, kid in zip((id_key, access_key), kids)]}
(folder / "jwks.json").write_text(json.dumps(keys, indent=2) + "\n")
(folder / "access-token.txt").write_text(token + "\n")
