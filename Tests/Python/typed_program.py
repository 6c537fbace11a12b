"""A program that uses every public name of the package, with the type of each result. mypy and basedpyright check it, and it runs."""
from __future__ import annotations

import time
from typing import Any

import token_security
from token_security import (
    Claims, Credentials, Explanation, ProofVerifier, RequestVerifier, Session, SessionKeys, Signer, SrpClient, SrpRecord, SrpServer, TokenSecurityError,
    Totp, TotpState, Verifier, check_certificate, check_lifetime, decode, encode, enroll, presign_request, sign_request)

SECRET: dict[str, Any] = {"kty": "oct", "alg": "HS256", "k": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}
ISSUER = "https://issuer.example"


def refusal(error: TokenSecurityError) -> tuple[str, int, dict[str, str], str]:
    return error.code, error.http_status, error.evidence, str(error)


def tokens() -> None:
    token: str = encode({"iss": ISSUER, "aud": "api", "sub": "jane"}, SECRET, lifetime=60)
    claims: Claims = decode(token, SECRET, ["HS256"], audience="api", issuer=[ISSUER], leeway=5, at=time.time())
    subject: str | None = claims.subject
    issuer: str | None = claims.issuer
    header: dict[str, Any] = claims.header
    assert (subject, issuer, header["alg"]) == ("jane", ISSUER, "HS256")
    verifier = Verifier(issuer=ISSUER, audience=["api"], jwks=SECRET, algorithms="HS256", required_claims=["sub"], claims={"sub": ["jane"]})
    results: list[Claims | TokenSecurityError] = verifier.verify_batch([token, b"a.b.c"])
    explanation: Explanation = verifier.explain(token)
    pause: float = verifier.refresh(timeout=0)
    assert isinstance(results[1], TokenSecurityError) and explanation["valid"] and pause == float("inf")
    issued: str = Signer(SECRET, lifetimes="access-token").issue({"iss": ISSUER, "aud": "api"}, lifetime=300)
    granted: int = check_lifetime(300, rule="access-token")
    assert verifier.explain(issued)["code"] == "claim_missing" and granted == 300
    pool: Verifier = Verifier.cognito(
        "eu-west-1_Example01", "client", use="id", groups=["staff"], issuer="http://127.0.0.1:8008/eu-west-1_Example01", leeway=5,
        allow_plain_loopback=True, timeout=0)
    whole: Verifier = Verifier.from_policy({"version": 1, "issuers": [{"profile": "google", "client_ids": "client"}]}, timeout=0)
    for each in (pool, whole):
        try:
            each.verify(token)
        except TokenSecurityError as error:
            assert refusal(error)[0] == "issuer_unknown"


def senders(claims: Claims) -> None:
    proofs = ProofVerifier(capacity=10)
    try:
        check_certificate(claims, b"certificate")
    except TokenSecurityError as error:
        assert refusal(error)[1] == 0
    try:
        proofs.verify("proof", method="GET", url="https://api.example/", token="token", claims=claims, nonce=None)
    except TokenSecurityError as error:
        unavailable: bool = error.is_unavailable
        assert not unavailable


def of_session(session: Session) -> str | None:
    session.check("orders:Read", "arn:aws:orders:::1", {"orders:Label": ["a", "b"]})
    explanation: Explanation = session.explain("orders:Read")
    texts: tuple[str, ...] = (session.arn, *session.methods, *session.tags.values())
    found: str | None = session.identity_id or session.pool_id or session.role_arn or session.session_name or session.source_identity
    return found or texts[0] if explanation["allowed"] and session.expiration > 0 else None


def requests() -> None:
    key = Credentials("AKIDEXAMPLE", "secret")
    fields: list[tuple[str, str]] = sign_request(
        key, service="orders", region="eu-west-1", method="PUT", target="/1", headers={"Host": "api.example"}, body=b"{}")
    url: str = presign_request(
        key, service="s3", region="eu-west-1", method="GET", target="/1", headers=[("Host", "api.example")], lifetime=60)
    verifier = RequestVerifier(service="orders", region="eu-west-1", host="api.example", accepts_presigned=True, once=False)
    id: str = verifier.verify({key.access_key_id: key}.get, method="PUT", target="/1", headers=fields, body=b"{}")
    keys = SessionKeys(endpoint="http://127.0.0.1:1", region="us-east-1", credentials=key, timeout=1)
    assert id == "AKIDEXAMPLE" and url.startswith("https://api.example/1?")
    try:
        of_session(verifier.verify_session(keys, method="PUT", target="/1", headers=fields, body=b"{}", address="203.0.113.7"))
    except TokenSecurityError as error:
        assert refusal(error)[:2] == ("access_key_unknown", 403)


def passwords() -> None:
    record: SrpRecord = SrpRecord.create("jane", "secret", group=2048)
    earlier: SrpRecord = enroll(b"jane", b"secret", group=2048, hash="SHA-256")
    assert record.salt != earlier.salt
    client, server = SrpClient(group=2048), SrpServer(group=2048)
    challenge: bytes = server.challenge("jane", record)
    proof: bytes = client.respond("jane", "secret", record.salt, challenge)
    server_proof, key = server.verify(client.public_key, proof)
    shared: bytes = client.verify(server_proof)
    assert shared == key
    totp: Totp = Totp.from_base32(Totp.random().base32())
    state: TotpState = totp.verify(totp.code(), TotpState(-1, 0))
    uri: str = totp.uri("Example", "jane")
    assert state.drift == 0 < state.last_step and uri.startswith("otpauth://") and token_security.__version__


def misuse(token: str) -> None:
    """What both refuse: a comment whose error there is not is itself one."""
    decode(token, SECRET, audience="api")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Verifier.cognito("eu-west-1_Example01")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Verifier(issuer=ISSUER, audience="api", jwks=5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Totp("JBSWY3DPEHPK3PXP")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    sign_request(("id", "secret"), service="a", region="b", method="GET", target="/", headers={})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


if __name__ == "__main__":
    tokens()
    senders(Claims({"sub": "jane"}))
    requests()
    passwords()
