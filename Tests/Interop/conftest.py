"""Keys for every algorithm, and the command's verdicts."""
import json
import subprocess

import pytest

from programs import PROGRAMS
from run_folder import pytest_configure  # noqa: F401 (a hook)
from waiting import LIMIT

NOW = 1767225600
ISSUER, AUDIENCE = "https://issuer.example", "api"
ALGORITHMS = [
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
    "ES256", "ES384", "ES512", "ES256K", "EdDSA", "Ed25519", "Ed448",
]


def run(program, *arguments, stdin=b""):
    return subprocess.run([PROGRAMS / program, *map(str, arguments)], input=stdin, capture_output=True, timeout=LIMIT)


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    """For each algorithm a key made here: the private JWK, and the folder that holds it in all its forms."""
    folder = tmp_path_factory.mktemp("keys")
    made = {}
    for algorithm in ALGORITHMS:
        result = run("peer", "tokens", "key", algorithm)
        assert result.returncode == 0, result.stderr
        key = json.loads(result.stdout)
        (folder / f"{algorithm}.jwk").write_text(json.dumps(key["private"]))
        if "public" in key:
            (folder / f"{algorithm}.pub.jwk").write_text(json.dumps(key["public"]))
            (folder / f"{algorithm}.pem").write_text(key["pem"])
            (folder / f"{algorithm}.private.pem").write_text(key["private_pem"])
        made[algorithm] = key
    made["folder"] = folder
    return made


def verify(token, *options, at=NOW):
    """The command's verdict on a token, as JSON."""
    result = run("verify-token", "--issuer", ISSUER, "--audience", AUDIENCE, "--at", at, "--output", "json", *options,
                 stdin=token.encode())
    assert result.returncode in (0, 1), result.stderr
    verdict = json.loads(result.stdout)
    assert verdict["valid"] == (result.returncode == 0)
    return verdict
