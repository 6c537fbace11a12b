"""Keys that other tools write are read here, and key sets and tokens of ours are read there."""
import json
import shutil
import subprocess
import tempfile

import authlib.jose
import jose.exceptions
import jwt
import pytest
from joserfc import jwk as rfc_jwk
from joserfc import jwt as rfc_jwt
from jose import jwt as python_jose

from conftest import run

CLAIMS = '{"iss":"i","aud":"a"}'


def generate(folder, *options):
    result = run("verify-token", "jwks", "generate", "--private-file", folder / "private", "--public-file", folder / "public", *options)
    assert result.returncode == 0, result.stderr
    return folder / "private", json.loads((folder / "public").read_text())


def signed(private):
    result = run("verify-token", "sign", "--key", private, stdin=CLAIMS.encode())
    assert result.returncode == 0, result.stderr
    return result.stdout.decode()


def pyjwt_reads(keys, token, algorithm):
    key = jwt.PyJWKSet.from_dict(keys)[jwt.get_unverified_header(token)["kid"]]
    return jwt.decode(token, key, algorithms=[algorithm], audience="a")


def joserfc_reads(keys, token, algorithm):
    return rfc_jwt.decode(token, rfc_jwk.KeySet.import_key_set(keys), algorithms=[algorithm]).claims


def authlib_reads(keys, token, algorithm):
    return authlib.jose.JsonWebToken([algorithm]).decode(token, authlib.jose.JsonWebKey.import_key_set(keys))


def python_jose_reads(keys, token, algorithm):
    return python_jose.decode(token, keys, algorithms=[algorithm], audience="a")


def jose_reads(keys, token, algorithm):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(json.dumps(keys))
        file.flush()
        command = ["jose", "jws", "ver", "-i-", "-k", file.name, "-O-"]
        return json.loads(subprocess.run(command, check=True, input=token.encode(), capture_output=True).stdout)


# What each reads and how it refuses the others: the table of docs/verify-token.md.
READERS = {
    pyjwt_reads: ({"ES256", "EdDSA"}, jwt.PyJWKSetError),
    joserfc_reads: ({"ES256", "EdDSA", "Ed25519", "Ed448"}, None),
    authlib_reads: ({"ES256", "EdDSA"}, authlib.jose.errors.UnsupportedAlgorithmError),
    python_jose_reads: ({"ES256"}, jose.exceptions.JWKError),
    jose_reads: ({"ES256"}, subprocess.CalledProcessError)}


@pytest.mark.parametrize("name, options", [("ES256", []), ("EdDSA", []), ("EdDSA", ["--crv", "Ed448"]), ("Ed25519", []), ("Ed448", [])])
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_names_of_edwards_curves(tmp_path, reader, name, options):
    private, keys = generate(tmp_path, "--alg", name, *options)
    token = signed(private)
    names, refusal = READERS[reader]
    if name in names:
        assert reader(keys, token, name)["iss"] == "i"
    else:
        with pytest.raises(refusal):
            reader(keys, token, name)


@pytest.mark.skipif(not shutil.which("jose"), reason="the package jose is not installed")
def test_jose_reads_tokens(tmp_path):
    """José 11 of Debian 12 counts a line feed on standard input as a part of the signature."""
    private, keys = generate(tmp_path)
    token = signed(private)
    assert not token.endswith("\n")
    for text, status in [(token + "\n", 1), (token, 0)]:
        command = ["jose", "jws", "ver", "-i-", "-k", tmp_path / "public", "-O", tmp_path / "payload"]
        assert subprocess.run(command, input=text.encode(), capture_output=True).returncode == status
    assert json.loads((tmp_path / "payload").read_text())["iss"] == "i"


@pytest.mark.skipif(not shutil.which("certtool"), reason="the package gnutls-bin is not installed")
@pytest.mark.parametrize("curve, algorithm", [("secp256r1", "ES256"), ("secp384r1", "ES384"), ("secp521r1", "ES512")])
@pytest.mark.parametrize("form", [[], ["--pkcs8", "--password="]], ids=["sec1", "pkcs8"])
def test_keys_of_certtool(tmp_path, curve, algorithm, form):
    """certtool 3.7.9 writes the number of an EC key as the contents of an INTEGER: of 32 or 33 bytes for P-256."""
    for number in range(8):
        path = tmp_path / f"{number}.pem"
        subprocess.run(["certtool", "--generate-privkey", "--key-type", "ecdsa", "--curve", curve, "--no-text", *form, "--outfile", path],
                       check=True, capture_output=True)
        header = jwt.get_unverified_header(signed(path))
        assert header["alg"] == algorithm
