"""Sign-ins by password: pycognito against our pool, our client against plain integers, srp and srptools both ways."""
import base64
import hashlib
import hmac
import http.server
import json
import random
import secrets
import threading
import time

import botocore.exceptions
import pytest
import srp
import srptools
from botocore import UNSIGNED
from botocore.config import Config
from pycognito.aws_srp import AWSSRP, generate_hash_device
from srptools import constants

import aws_clients
from programs import Lines, peer_command

POOL, CLIENT, GROUP_KEY = "eu-west-1_AbCdEfGhI", "1h57kf5cpq17m0eml12EXAMPLE", "-AbCdEfGh"
DEVICE = "eu-west-1_0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
N = int(constants.PRIME_3072.replace(" ", ""), 16)


@pytest.fixture(scope="module")
def peer():
    """The program under test."""
    peer = Lines(peer_command("sign-ins"))
    yield peer
    peer.close()


class Pool:
    """A user pool over HTTP: tokens here, all that is judged in the program under test."""

    def __init__(self, peer):
        self.peer, self.secret, self.clock, self.proven = peer, "", 0, ""
        pool = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                target = self.headers["X-Amz-Target"].split(".")[1]
                status, answer = pool.answer(target, json.loads(body), body.decode())
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.1")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, target, message, body):
        now = int(time.time()) + self.clock
        common = {"client": CLIENT, "client_secret": self.secret, "now": now, "body": body}
        if target == "InitiateAuth":
            result = self.peer.ask("pool_initiate", **common)
        else:
            # pycognito sends no session back: the user is whoever has proved a password last.
            result = self.peer.ask("pool_respond", username=self.proven, **common)
        if "error" in result:
            return 400, {"__type": result["exception"], "message": result["message"]}
        if "body" in result:
            return 200, json.loads(result["body"])
        if message["ChallengeName"] == "PASSWORD_VERIFIER" and "DEVICE_KEY" in message["ChallengeResponses"]:
            self.proven = result["user"]
            return 200, {"ChallengeName": "DEVICE_SRP_AUTH", "ChallengeParameters": {}, "Session": "a session"}
        token = {"AccessToken": f"for {result['user']}", "ExpiresIn": 3600, "TokenType": "Bearer"}
        return 200, {"AuthenticationResult": token, "ChallengeParameters": {}}

    def boto(self):
        return aws_clients.client(
            "cognito-idp", region_name="eu-west-1", endpoint_url=self.address, config=Config(signature_version=UNSIGNED)
        )


@pytest.fixture(scope="module")
def pool(peer):
    pool = Pool(peer)
    peer.ask("pool_user", name="alice@example.org", id="0d1c6e2a-5b7f", password="Tr0ub4dor&3")
    peer.ask("pool_user", name="bob", id="bob", password="pässwörd 🔑 東京")
    yield pool
    pool.server.shutdown()


@pytest.fixture(autouse=True)
def standard_settings(request):
    yield
    if "pool" in request.fixturenames:
        pool = request.getfixturevalue("pool")
        pool.secret, pool.clock = "", 0


def pycognito(pool, username, password, **options):
    return AWSSRP(username, password, POOL, CLIENT, client=pool.boto(), client_secret=pool.secret or None, **options)


def refused(call):
    with pytest.raises(botocore.exceptions.ClientError) as caught:
        call()
    return caught.value.response["Error"]


@pytest.mark.parametrize("secret", ["", "a client's secret"])
def test_pycognito_signs_in(pool, secret):
    pool.secret = secret
    for username, password, token in [
        ("alice@example.org", "Tr0ub4dor&3", "for 0d1c6e2a-5b7f"), ("bob", "pässwörd 🔑 東京", "for bob"),
    ]:
        tokens = pycognito(pool, username, password).authenticate_user()
        assert tokens["AuthenticationResult"]["AccessToken"] == token


def test_pycognito_signs_in_again_and_again(pool):
    """Numbers with zeros and top bits in all places: each sign-in draws others."""
    for _ in range(60):
        tokens = pycognito(pool, "alice@example.org", "Tr0ub4dor&3").authenticate_user()
        assert tokens["AuthenticationResult"]["AccessToken"] == "for 0d1c6e2a-5b7f"


def test_users_with_salts_of_all_kinds(pool, peer):
    for number in range(40):
        peer.ask("pool_user", name=f"user{number}", id=f"user{number}", password="secret")
        assert pycognito(pool, f"user{number}", "secret").authenticate_user()


def test_wrong_passwords_and_unknown_users_are_answered_alike(pool):
    wrong = {"Code": "NotAuthorizedException", "Message": "Incorrect username or password."}
    assert refused(lambda: pycognito(pool, "alice@example.org", "tr0ub4dor&3").authenticate_user()) == wrong
    assert refused(lambda: pycognito(pool, "nobody", "Tr0ub4dor&3").authenticate_user()) == wrong
    pool.clock = 1_000
    assert refused(lambda: pycognito(pool, "alice@example.org", "Tr0ub4dor&3").authenticate_user()) == wrong
    pool.clock = -1_000
    assert refused(lambda: pycognito(pool, "alice@example.org", "Tr0ub4dor&3").authenticate_user()) == wrong
    pool.clock, pool.secret = 0, "one"
    client = pycognito(pool, "alice@example.org", "Tr0ub4dor&3")
    pool.secret = "another"
    assert refused(client.authenticate_user) == wrong


def test_a_of_zero_signs_nobody_in(pool):
    boto = pool.boto()
    for a in ("0", f"{N:x}", f"{2 * N:x}", "1", f"{N - 1:x}", "ab" * 1000, "xyz", ""):
        error = refused(
            lambda: boto.initiate_auth(
                AuthFlow="USER_SRP_AUTH", ClientId=CLIENT,
                AuthParameters={"USERNAME": "alice@example.org", "SRP_A": a},
            )
        )
        assert error["Code"] == "InvalidParameterException", a


def test_pycognito_confirms_a_device_and_comes_back(pool, peer):
    password, verifier = generate_hash_device(GROUP_KEY, DEVICE)
    assert peer.ask("pool_device", key=DEVICE, salt=verifier["Salt"], verifier=verifier["PasswordVerifier"]) == {}
    device = {"device_key": DEVICE, "device_group_key": GROUP_KEY, "device_password": password}
    for _ in range(20):
        tokens = pycognito(pool, "alice@example.org", "Tr0ub4dor&3", **device).authenticate_user()
        assert tokens["AuthenticationResult"]["AccessToken"] == "for 0d1c6e2a-5b7f"
    device["device_password"] = "another"
    error = refused(lambda: pycognito(pool, "alice@example.org", "Tr0ub4dor&3", **device).authenticate_user())
    assert error["Code"] == "NotAuthorizedException"
    device["device_key"] = "eu-west-1_ffff"
    error = refused(lambda: pycognito(pool, "alice@example.org", "Tr0ub4dor&3", **device).authenticate_user())
    assert error == {"Code": "ResourceNotFoundException", "Message": "Device does not exist."}


def signed(value):
    return value.to_bytes(value.bit_length() // 8 + 1, "big")


def digest(*parts):
    return int.from_bytes(hashlib.sha256(b"".join(parts)).digest(), "big")


class PlainServer:
    """A user pool's server in plain integers."""

    K = digest(signed(N), signed(2))

    def __init__(self, realm, identity, password, salt=None):
        self.realm, self.identity = realm, identity
        self.salt = salt if salt is not None else secrets.randbits(128)
        inner = hashlib.sha256(f"{realm}{identity}:{password}".encode()).digest()
        self.v = pow(2, digest(signed(self.salt), inner), N)
        self.block = secrets.token_bytes(random.choice([16, 64, 1290]))

    def challenge(self, a, name="PASSWORD_VERIFIER"):
        self.b, self.A = secrets.randbits(1024), int(a, 16)
        self.B = (self.K * self.v + pow(2, self.b, N)) % N
        return json.dumps({
            "ChallengeName": name, "Session": "a session",
            "ChallengeParameters": {
                "SALT": f"{self.salt:x}", "SRP_B": f"{self.B:x}", "SECRET_BLOCK": base64.b64encode(self.block).decode(),
                "USER_ID_FOR_SRP": self.identity, "USERNAME": self.identity,
            },
        })

    def holds(self, response):
        u = digest(signed(self.A), signed(self.B))
        S = pow(self.A * pow(self.v, u, N), self.b, N)
        extracted = hmac.digest(signed(u), signed(S), "sha256")
        key = hmac.digest(extracted, b"Caldera Derived Key\x01", "sha256")[:16]
        message = f"{self.realm}{self.identity}".encode() + self.block + response["TIMESTAMP"].encode()
        expected = base64.b64encode(hmac.digest(key, message, "sha256")).decode()
        return response["PASSWORD_CLAIM_SIGNATURE"] == expected


def test_our_client_signs_in_with_plain_integers(peer):
    for turn in range(60):
        salt = [0, 1, 0x7F, 0x80, 0xFF << 120, 0x00FF << 104, None][turn % 7]
        password = ["password123", "pässwörd 🔑 東京", " a:b ", "x" * 256][turn % 4]
        server = PlainServer("AbCdEfGhI", "0d1c6e2a", password, salt)
        now = int(time.time())
        begun = json.loads(
            peer.ask("client_begin", pool=POOL, client=CLIENT, client_secret="s", username="alice")["body"]
        )
        assert begun["AuthFlow"] == "USER_SRP_AUTH" and begun["ClientId"] == CLIENT
        expected = base64.b64encode(hmac.digest(b"s", f"alice{CLIENT}".encode(), "sha256")).decode()
        assert begun["AuthParameters"]["SECRET_HASH"] == expected
        challenge = server.challenge(begun["AuthParameters"]["SRP_A"])
        answer = peer.ask("client_respond", body=challenge, password=password, now=now)
        response = json.loads(answer["body"])
        assert response["Session"] == "a session"
        assert server.holds(response["ChallengeResponses"])
        stamp = time.strftime("%a %b X %H:%M:%S UTC %Y", time.gmtime(now)).replace("X", str(time.gmtime(now).tm_mday))
        assert response["ChallengeResponses"]["TIMESTAMP"] == stamp
        expected = base64.b64encode(hmac.digest(b"s", f"0d1c6e2a{CLIENT}".encode(), "sha256")).decode()
        assert response["ChallengeResponses"]["SECRET_HASH"] == expected


def test_our_device_signs_in_with_plain_integers(peer):
    for _ in range(20):
        made = peer.ask("client_confirm", group_key=GROUP_KEY, device_key=DEVICE)
        assert len(base64.b64decode(made["password"])) == 40
        server = PlainServer(GROUP_KEY, DEVICE, made["password"])
        salt = int.from_bytes(base64.b64decode(made["salt"]), "big")
        server = PlainServer(GROUP_KEY, DEVICE, made["password"], salt)
        assert base64.b64decode(made["verifier"]) == signed(server.v)
        assert base64.b64decode(made["salt"]) == signed(salt)
        begin = json.dumps({"ChallengeName": "DEVICE_SRP_AUTH", "ChallengeParameters": {}, "Session": "s"})
        begun = json.loads(
            peer.ask(
                "client_device", group_key=GROUP_KEY, device_key=DEVICE, password=made["password"], client=CLIENT,
                username="alice", body=begin,
            )["body"]
        )
        assert begun["ChallengeResponses"]["DEVICE_KEY"] == DEVICE
        challenge = server.challenge(begun["ChallengeResponses"]["SRP_A"], "DEVICE_PASSWORD_VERIFIER")
        response = json.loads(peer.ask("client_verify", body=challenge, now=int(time.time()))["body"])
        assert server.holds(response["ChallengeResponses"])


HASHES = {"SHA-1": srp.SHA1, "SHA-256": srp.SHA256, "SHA-384": srp.SHA384, "SHA-512": srp.SHA512}
GROUPS = {1024: srp.NG_1024, 2048: srp.NG_2048, 4096: srp.NG_4096, 8192: srp.NG_8192}


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("hash_name", HASHES)
def test_srp_both_ways(peer, group, hash_name):
    """The package has the form of RFC 5054, with g padded in its proofs. Salts are numbers to it: zeros in front would go."""
    srp.rfc5054_enable()
    common = {"group": group, "hash": hash_name, "identity": "alice", "padded_generator": True}
    theirs = {"hash_alg": HASHES[hash_name], "ng_type": GROUPS[group]}
    for _ in range(1 if group > 2048 else 6):
        record = {"salt": "00"}
        while record["salt"].startswith("00"):
            record = peer.ask("srp_verifier", password="password123", **common)
        salt, verifier = bytes.fromhex(record["salt"]), bytes.fromhex(record["verifier"])
        a = peer.ask("srp_client", **common)["A"]
        server = srp.Verifier("alice", salt, verifier, bytes.fromhex(a), **theirs)
        _, b = server.get_challenge()
        m1 = peer.ask("srp_respond", password="password123", salt=record["salt"], B=b.hex(), **common)["M1"]
        m2 = server.verify_session(bytes.fromhex(m1))
        assert server.authenticated()
        assert bytes.fromhex(peer.ask("srp_finish", M2=m2.hex())["K"]) == server.get_session_key()

        salt, verifier = srp.create_salted_verification_key("alice", "password123", salt_len=16, **theirs)
        client = srp.User("alice", "password123", **theirs)
        _, a = client.start_authentication()
        challenge = peer.ask("srp_challenge", salt=salt.hex(), verifier=verifier.hex(), **common)
        m1 = client.process_challenge(salt, bytes.fromhex(challenge["B"]))
        session = peer.ask("srp_verify", A=a.hex(), M1=m1.hex())
        client.verify_session(bytes.fromhex(session["M2"]))
        assert client.authenticated() and bytes.fromhex(session["K"]) == client.get_session_key()

    client = srp.User("alice", "password124", **theirs)
    _, a = client.start_authentication()
    challenge = peer.ask("srp_challenge", salt=salt.hex(), verifier=verifier.hex(), **common)
    m1 = client.process_challenge(salt, bytes.fromhex(challenge["B"]))
    assert peer.ask("srp_verify", A=a.hex(), M1=m1.hex()) == {
        "error": "srp_proof_mismatch", "exception": "NotAuthorizedException",
        "message": "Incorrect username or password.",
    }


@pytest.mark.parametrize("group", [1024, 1536, 2048, 3072, 4096, 6144])
@pytest.mark.parametrize("hash_name", ["SHA-1", "SHA-256"])
def test_srptools_both_ways(peer, group, hash_name):
    """The package hashes H(N) xor H(g) as a number: of this, too, a zero in front would go. No group here has one."""
    common = {"group": group, "hash": hash_name, "identity": "alice"}
    prime, generator = getattr(constants, f"PRIME_{group}"), getattr(constants, f"PRIME_{group}_GEN")
    function = {"SHA-1": constants.HASH_SHA_1, "SHA-256": constants.HASH_SHA_256}[hash_name]
    context = srptools.SRPContext(
        "alice", "password123", prime=prime, generator=generator, hash_func=function, bits_salt=128
    )
    for _ in range(1 if group > 3072 else 4):
        _, verifier, salt = context.get_user_data_triplet(binary=True)
        client = srptools.SRPClientSession(context)
        challenge = peer.ask("srp_challenge", salt=salt.hex(), verifier=verifier.hex(), **common)
        key, m1, _ = client.process(challenge["B"], salt.hex())
        session = peer.ask("srp_verify", A=client.public_bin.hex(), M1=m1)
        assert client.verify_proof(session["M2"]) and session["K"] == key

        a = peer.ask("srp_client", **common)["A"]
        server = srptools.SRPServerSession(context, password_verifier=verifier)
        key, _, _ = server.process(a, salt.hex())
        answer = peer.ask("srp_respond", password="password123", salt=salt.hex(), B=server.public_bin.hex(), **common)
        assert server.verify_proof(answer["M1"])
        assert peer.ask("srp_finish", M2=server.key_proof_hash)["K"] == key


@pytest.mark.parametrize("hash_name", ["SHA-1", "SHA-256"])
def test_srptools_drops_zeros_of_the_names_hash(peer, hash_name):
    """srptools 2.0.0 hashes H(name) as a number: of one name in 256 the first byte is zero, and goes. Keys agree, proofs do not."""
    function = {"SHA-1": constants.HASH_SHA_1, "SHA-256": constants.HASH_SHA_256}[hash_name]
    names = [f"user{number}" for number in range(4096)]
    short = next(name for name in names if function(name.encode()).digest()[0] == 0)
    full = next(name for name in names if function(name.encode()).digest()[0] != 0)
    for name, agrees in ((short, False), (full, True)):
        common = {"group": 2048, "hash": hash_name, "identity": name}
        context = srptools.SRPContext(
            name, "password123", prime=constants.PRIME_2048, generator=constants.PRIME_2048_GEN, hash_func=function,
            bits_salt=128,
        )
        _, verifier, salt = context.get_user_data_triplet(binary=True)
        client = srptools.SRPClientSession(context)
        challenge = peer.ask("srp_challenge", salt=salt.hex(), verifier=verifier.hex(), **common)
        _, m1, _ = client.process(challenge["B"], salt.hex())
        session = peer.ask("srp_verify", A=client.public_bin.hex(), M1=m1)
        assert session.get("error") == (None if agrees else "srp_proof_mismatch")

        a = peer.ask("srp_client", **common)["A"]
        server = srptools.SRPServerSession(context, password_verifier=verifier)
        server.process(a, salt.hex())
        answer = peer.ask("srp_respond", password="password123", salt=salt.hex(), B=server.public_bin.hex(), **common)
        assert server.verify_proof(answer["M1"]) == agrees
