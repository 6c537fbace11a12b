"""One-time codes and what devices are set up with: pyotp, oathtool, zbar."""
import base64
import hashlib
import random
import subprocess
import xml.etree.ElementTree

import pyotp
import pytest
from pyotp.contrib.steam import Steam

from programs import VERIFY_TOKEN, Lines, peer_command
from sizes import scaled

ALGORITHMS = {"SHA1": hashlib.sha1, "SHA256": hashlib.sha256, "SHA512": hashlib.sha512}


@pytest.fixture(scope="module")
def peer():
    peer = Lines(peer_command("sign-ins"))
    yield peer
    peer.close()


def cases(count, longest):
    source = random.Random("codes")
    for _ in range(count):
        secret = source.randbytes(source.choice([16, 20, 20, 20, 32, 64, 100]))
        yield {
            "secret": secret.hex(), "algorithm": source.choice(list(ALGORITHMS)), "digits": source.choice([6, 7, 8]),
            "period": source.choice([1, 30, 30, 60, longest]), "time": source.choice([0, 59, 2**31, 2**33])
            + source.randrange(10**9),
        }


def test_a_thousand_codes_with_pyotp(peer):
    for case in cases(1000, 120):
        secret = base64.b32encode(bytes.fromhex(case["secret"])).decode()
        totp = pyotp.TOTP(secret, digits=case["digits"], digest=ALGORITHMS[case["algorithm"]], interval=case["period"])
        ours = peer.ask("totp", **case)
        assert ours["code"] == totp.at(case["time"])
        assert ours["left"] == case["period"] - case["time"] % case["period"]
        # Theirs here, ours there, one step late.
        theirs = totp.at(case["time"] - case["period"]) if case["time"] >= case["period"] else totp.at(case["time"])
        found = peer.ask("totp-verify", code=theirs, window=1, **case)
        assert found["drift"] in (-1, 0, 1)
        assert totp.verify(ours["code"], for_time=case["time"], valid_window=1)
        hotp = pyotp.HOTP(secret, digits=case["digits"], digest=ALGORITHMS[case["algorithm"]])
        assert peer.ask("hotp", counter=case["time"], **case)["code"] == hotp.at(case["time"])


def test_codes_with_oathtool(peer):
    for case in cases(scaled(1000), 86400):
        command = [
            "oathtool", f"--totp={case['algorithm'].lower()}", f"--digits={case['digits']}",
            f"--time-step-size={case['period']}s", f"--now=@{case['time']}", "-",
        ]
        result = subprocess.run(command, input=case["secret"], capture_output=True, text=True, check=True)
        assert peer.ask("totp", **case)["code"] == result.stdout.strip()


def test_epochs_with_oathtool(peer):
    case = {"secret": "3132333435363738393031323334353637383930", "algorithm": "SHA1", "digits": 6, "period": 30}
    for epoch in (0, 29, 1_000_000_000):
        command = ["oathtool", "--totp=sha1", f"--start-time=@{epoch}", "--now=@1500000000", "-"]
        result = subprocess.run(command, input=case["secret"], capture_output=True, text=True, check=True)
        assert peer.ask("totp", epoch=epoch, time=1_500_000_000, **case)["code"] == result.stdout.strip()


def test_uris_of_pyotp(peer):
    source = random.Random("uris")
    names = ["alice", "andré@example.org", "a b", "Co & Sons", "100%", "a/b?c#d", "東京", "a+b", "a=b"]
    for _ in range(200):
        secret = pyotp.random_base32(source.choice([32, 56, 104]))
        issuer, account = source.choice(names + [None]), source.choice(names)
        digits, algorithm = source.choice([6, 7, 8]), source.choice(list(ALGORITHMS))
        theirs = pyotp.TOTP(secret, digits=digits, digest=ALGORITHMS[algorithm], interval=60).provisioning_uri(
            name=account, issuer_name=issuer
        )
        read = peer.ask("read-uri", uri=theirs)
        assert read["account"] == account and read["issuer"] == issuer and read["digits"] == digits
        assert read["algorithm"] == algorithm and read["kind"] == "totp(period: 60.0 seconds)"
        assert bytes.fromhex(read["secret"]) == base64.b32decode(secret + "=" * (-len(secret) % 8))

        made = peer.ask(
            "make-uri", account=account, base32=secret, digits=digits, algorithm=algorithm, period=60,
            **({"issuer": issuer} if issuer else {}),
        )
        parsed = pyotp.parse_uri(made["uri"])
        assert parsed.name == account and parsed.issuer == issuer and parsed.digits == digits and parsed.interval == 60
        assert parsed.secret == secret and parsed.digest is ALGORITHMS[algorithm]
        counter = source.randrange(2**53)
        made = peer.ask(
            "make-uri", account=account, base32=secret, digits=digits, algorithm=algorithm, counter=counter, period=30
        )
        parsed = pyotp.parse_uri(made["uri"])
        assert isinstance(parsed, pyotp.HOTP) and parsed.initial_count == counter
        assert peer.ask("read-uri", uri=made["uri"])["kind"] == f"hotp(counter: {counter})"


def test_steam_of_pyotp(tmp_path):
    """pyotp writes its URIs of Steam's codes with ten digits and without the parameter `encoder`, which it reads."""
    path, secret = tmp_path / "uri", pyotp.random_base32(32)
    theirs = Steam(secret, name="me", issuer="Steam").provisioning_uri()
    assert "digits=10" in theirs and "encoder" not in theirs
    code = pyotp.parse_uri(theirs + "&encoder=steam").at(59)
    for uri in (theirs, theirs + "&encoder=steam"):
        path.write_text(uri)
        result = subprocess.run(
            [VERIFY_TOKEN, "totp", "code", "--secret-file", path, "--at", "59"], capture_output=True, text=True)
        assert (result.returncode, result.stdout.split()[0]) == (0, code), result.stderr


def test_a_scanner_reads_what_is_drawn(tmp_path):
    for turn, account in enumerate(["alice", "andré@example.org", "a" * 200]):
        png, svg = tmp_path / f"{turn}.png", tmp_path / f"{turn}.svg"
        result = subprocess.run(
            [
                VERIFY_TOKEN, "totp", "enroll", "--issuer", "Example Co", "--account", account,
                "--png", png, "--svg", svg, "--no-qr",
            ],
            capture_output=True, text=True, check=True,
        )
        uri = result.stdout.split("uri     ")[1].strip()
        scanned = subprocess.run(["zbarimg", "-q", "--raw", png], capture_output=True, text=True)
        assert scanned.stdout.strip() == uri
        assert pyotp.parse_uri(scanned.stdout.strip()).issuer == "Example Co"
        assert xml.etree.ElementTree.parse(svg).getroot().tag.endswith("svg")
