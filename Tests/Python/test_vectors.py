"""The Python package on the vectors of the project, with the exact code of each refusal."""
import calendar
import json
import pathlib
import time

import pytest

from token_security import Credentials, RequestVerifier, TokenSecurityError, Totp, Verifier, sign_request

VECTORS = pathlib.Path(__file__).resolve().parent.parent.parent / "Vectors"


def load(name):
    return json.loads((VECTORS / f"{name}.json").read_text())


def ids(cases):
    return [case["id"] for case in cases]


TOKENS = load("tokens")
# What a policy of the file is called here.
RULES = {"leeway": "leeway", "lifetime": "maximum_lifetime", "required": "required_claims", "values": "claims", "algorithms": "algorithms"}
# Cases of rules that the Swift interface alone has.
TOKEN_CASES = [case for case in TOKENS["cases"] if set(case["input"].get("policy", {})) <= set(RULES)]
# The policy document accepts these algorithms where none are named; the file's policies accept all.
ALGORITHMS = [
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K", "EdDSA",
    "Ed25519", "Ed448"]


def judged(case):
    rules = {RULES[name]: value for name, value in case["input"].get("policy", {}).items()}
    verifier = Verifier(
        jwks=TOKENS["keys"][case["input"]["keys"]], issuer=TOKENS["issuer"], audience=TOKENS["audience"],
        **{"algorithms": ALGORITHMS, **rules})
    return verifier.verify(case["input"]["token"], at=TOKENS["now"])


@pytest.mark.parametrize("case", TOKEN_CASES, ids=ids(TOKEN_CASES))
def test_tokens(case):
    if "reject" not in case:
        assert judged(case).issuer == TOKENS["issuer"]
        return
    with pytest.raises(TokenSecurityError) as refused:
        judged(case)
    # The issuer selects the rules, so that it is checked before them.
    by_issuer = {"iss/missing": "issuer_missing", "iss/array": "issuer_missing"}
    expected = "issuer_unknown" if case["reject"] == "issuer_mismatch" else by_issuer.get(case["id"], case["reject"])
    assert refused.value.code == expected


CODES = load("rfc6238-totp")["cases"]


@pytest.mark.parametrize("case", CODES, ids=ids(CODES))
def test_codes(case):
    values = case["input"]
    totp = Totp(bytes.fromhex(values["secret"]), algorithm=values["algorithm"].replace("-", ""), digits=len(case["expect"]["code"]))
    assert totp.code(at=values["time"]) == case["expect"]["code"]
    assert totp.verify(case["expect"]["code"], at=values["time"]).last_step == values["time"] // 30


def instant(text):
    return calendar.timegm(time.strptime(text, "%Y%m%dT%H%M%SZ"))


SIGNED = [case for case in load("sigv4")["cases"] if case["input"]["kind"] == "header"]


@pytest.mark.parametrize("case", SIGNED, ids=ids(SIGNED))
def test_requests_of_the_documentation_are_signed(case):
    values = case["input"]
    fields = sign_request(
        Credentials(values["access_key"], values["secret"]), service=values["service"], region=values["region"], method=values["method"],
        target=values["target"], headers=[tuple(pair) for pair in values["headers"]], body=values["body"].encode(), at=instant(values["date"]))
    assert dict(fields)["Authorization"].endswith(f"Signature={case['expect']['signature']}")


REFUSALS = load("sigv4-refusals")
# Refused by another rule: the interface takes the path alone, at most 255 fields, and no zero byte.
OTHERWISE = {"authority-differs": "path_not_absolute", "ten-thousand-headers": "argument_out_of_range"}


@pytest.mark.parametrize("case", REFUSALS["cases"], ids=ids(REFUSALS["cases"]))
def test_requests_are_refused(case):
    head, _, body = case["input"]["message"].partition("\r\n\r\n")
    line, *fields = head.split("\r\n")
    method, _, rest = line.partition(" ")
    target = rest.rpartition(" ")[0]
    verifier = RequestVerifier(service=REFUSALS["service"], region=REFUSALS["region"], host=REFUSALS["host"], accepts_presigned=True)

    def verified():
        return verifier.verify(
            lambda key: Credentials(key, REFUSALS["secret"]) if key == REFUSALS["access_key"] else None, method=method, target=target,
            headers=[tuple(field.split(": ", 1)) for field in fields], body=body.encode(), at=instant(REFUSALS["now"]))

    if "reject" not in case:
        assert verified() == case["expect"]["access_key"]
        return
    if "\0" in head:
        with pytest.raises(ValueError, match="zero byte"):
            verified()
        return
    with pytest.raises(TokenSecurityError) as refused:
        verified()
    assert refused.value.code == OTHERWISE.get(case["id"], case["reject"])


def test_the_files_are_whole():
    assert (len(TOKEN_CASES), len(CODES), len(SIGNED), len(REFUSALS["cases"])) == (207, 18, 5, 112)
