"""`verify-token serve` behind Debian's Caddy 2.6 and HAProxy 2.6 with the configurations of the guide, and DPoP and client
certificates behind nginx, Caddy and HAProxy. Traefik's requests are those of its documentation."""
import base64
import datetime
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import time
import uuid

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from joserfc import jwk, jwt

from ports import free_port
from sidecar_support import Issuer, Nginx, Server, Sidecar
from test_sidecar import GUIDE, ROUTES, bearer
from waiting import LIMIT, eventually

SOCKET = "/run/verify-token/sidecar.sock"
APPLICATION = "127.0.0.1:3000"


@pytest.fixture(scope="module")
def issuer():
    issuer = Issuer()
    yield issuer
    issuer.server.stop()


@pytest.fixture(scope="module")
def application():
    server = Server(lambda request: (200, {}, json.dumps([[name.lower(), value] for name, value in request.headers.items()]).encode()))
    yield server
    server.stop()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", GUIDE.read_text(), re.S)


def is_open(process, port):
    assert process.poll() is None
    probe = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    try:
        probe.connect()
    except OSError:
        return False
    probe.close()
    return True


class Proxy:
    """A proxy that was started with files."""

    def __init__(self, folder, command, files, port, scheme="http"):
        self.port, self.context = port, None
        for name, text in files.items():
            (folder / name).write_text(text)
        # Caddy writes its state below HOME.
        environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=(folder / "proxy.log").open("w"))
        eventually(lambda: is_open(self.process, port))

    def get(self, path, headers=None, method="GET", body=None):
        connection = http.client.HTTPSConnection("localhost", self.port, timeout=LIMIT, context=self.context) if self.context else (
            http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT))
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def stop(self):
        self.process.terminate()
        self.process.wait(LIMIT)


def caddy(folder, text):
    return ["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"], {"Caddyfile": "{\n\tadmin off\n\tauto_https off\n}\n" + text}


def haproxy(folder, text, script):
    return ["haproxy", "-db", "-f", "haproxy.cfg"], {
        "haproxy.cfg": text.replace("/etc/haproxy/verify-token.lua", str(folder / "verify-token.lua")), "verify-token.lua": script}


def prepared(text, sidecar, application, port):
    return (text.replace(SOCKET, str(sidecar.socket)).replace(APPLICATION, f"127.0.0.1:{application.port}")
            .replace("127.0.0.1:8080", f"127.0.0.1:{port}"))


@pytest.fixture
def sidecar(issuer, tmp_path):
    sidecar = Sidecar(tmp_path, issuer, ROUTES)
    yield sidecar
    sidecar.stop()


@pytest.fixture(params=["caddy", "haproxy"])
def proxy(request, sidecar, application, tmp_path):
    port = free_port()
    if request.param == "caddy":
        command, files = caddy(tmp_path, *blocks("caddy"))
    else:
        command, files = haproxy(tmp_path, *blocks("haproxy"), *blocks("lua"))
    proxy = Proxy(tmp_path, command, {name: prepared(text, sidecar, application, port) for name, text in files.items()}, port)
    yield proxy
    proxy.stop()


def test_the_action_has_at_most_30_lines():
    [text] = blocks("lua")
    assert len(text[text.index("core.register_action"):].strip().splitlines()) <= 30


def test_an_error_in_lua_lets_nothing_pass(sidecar, issuer, application, tmp_path):
    """HAProxy 2.6.12 goes on with the next line after an error of an action."""
    port = free_port()
    script = 'core.register_action("verify_token", {"http-req"}, function(txn, route, fields) error("x") end, 2)'
    command, files = haproxy(tmp_path, *blocks("haproxy"), script)
    proxy = Proxy(tmp_path, command, {name: prepared(text, sidecar, application, port) for name, text in files.items()}, port)
    try:
        before = len(application.paths)
        for method in ("GET", "HEAD", "POST", "DELETE"):
            assert proxy.get("/orders/7", bearer(issuer.token(scope="orders/write")), method)[0].status == 503
        assert len(application.paths) == before
    finally:
        proxy.stop()


class TestConfigurations:
    def test_a_valid_token_reaches_the_application_with_its_claims(self, proxy, issuer):
        token = issuer.token(access={"roles": ["a", "b,c"]})
        answer, content = proxy.get("/orders/7?x=1", {**bearer(token), "X-User": "eve", "x-roles": "admin"})
        fields = [(name, value) for name, value in json.loads(content) if name in ("x-user", "x-roles")]
        assert answer.status == 200 and sorted(fields) == [("x-roles", "a,b%2Cc"), ("x-user", "jane")]

    def test_what_a_client_sends_of_these_fields_is_removed(self, proxy, issuer):
        for spelling in ("X-User", "x-user", "X-Roles", "X_User", "x_roles", "X_User-Id", "X-User_Id", "x_user_id"):
            answer, content = proxy.get("/orders/7", {**bearer(issuer.token()), spelling: "admin"})
            assert answer.status == 200 and "admin" not in content.decode(), (spelling, content)

    def test_without_a_valid_token_the_application_is_not_asked(self, proxy, issuer):
        answer, content = proxy.get("/orders/7")
        assert answer.status == 401 and answer.headers["WWW-Authenticate"] == 'Bearer realm="orders"' and b"x-user" not in content
        answer, _ = proxy.get("/orders/7", bearer(issuer.token(lifetime=-10)))
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="orders", error="invalid_token", error_description="token_expired"'
        assert proxy.get("/orders/7", {**bearer("a"), "Authorization": "Bearer a b"})[0].status == 401

    def test_fields_that_connection_names_stay(self, proxy, issuer):
        answer, content = proxy.get("/orders/7", {**bearer(issuer.token()), "Connection": "close, X-User, X-Roles"})
        assert answer.status == 200 and ["x-user", "jane"] in json.loads(content)

    def test_repeated_fields_are_refused(self, proxy, issuer):
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=LIMIT)
        connection.putrequest("GET", "/orders/7")
        for _ in range(3):
            connection.putheader("Authorization", f"Bearer {issuer.token()}")
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status == 401 and "authorization_malformed" in answer.headers["WWW-Authenticate"]
        connection.close()

    def test_scopes_of_a_method(self, proxy, issuer):
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            answer, _ = proxy.get("/orders/7", bearer(issuer.token(scope="orders/read")), method, b"x" * 1_000)
            assert answer.status == 403 and answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="orders/write"'
        answer, _ = proxy.get("/orders/7", bearer(issuer.token(scope="orders/write")), "POST", b"x" * 100_000)
        assert answer.status == 200

    def test_paths_reach_the_application_unchanged(self, proxy, issuer, application):
        for path in ("/orders/a%20b%2Fc%3Fd", "/orders/a;b?x=%2F"):
            assert proxy.get(path, bearer(issuer.token()))[0].status == 200
            assert application.paths[-1] == path

    def test_without_a_sidecar_nothing_passes(self, proxy, sidecar, issuer):
        assert sidecar.stop() == 0
        answer, content = proxy.get("/orders/7", bearer(issuer.token()))
        assert answer.status in (502, 503) and b"x-user" not in content


def test_a_return_answers_before_nginx_asks(sidecar, issuer, tmp_path):
    """nginx 1.22: the reason for the guide's warning."""
    nginx = Nginx(tmp_path, "location /orders/ { auth_request /_verify; return 200 open; }\n"
                            "location = /_verify { internal; proxy_pass http://sidecar/route/orders; }",
                  outer=f"upstream sidecar {{ server unix:{sidecar.socket}; }}")
    try:
        answer, content = nginx.get("/orders/7")
        assert answer.status == 200 and content == b"open"
    finally:
        nginx.stop()


# Senders.


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.fixture(scope="module")
def key():
    return jwk.ECKey.generate_key("P-256", private=True)


def proof(key, token, path="/orders/1", method="GET", **more):
    claims = {"jti": str(uuid.uuid4()), "htm": method, "htu": "https://api.example" + path, "iat": int(time.time()),
              "ath": encoded(hashlib.sha256(token.encode()).digest()), **more}
    return jwt.encode({"typ": "dpop+jwt", "alg": "ES256", "jwk": key.as_dict(private=False)}, claims, key, algorithms=["ES256"])


def sender(token, proof):
    return {"Authorization": f"DPoP {token}", "DPoP": proof}


class BoundIssuer:
    """The issuer's policy accepts both methods."""

    def __init__(self, issuer):
        self.policy = json.loads(json.dumps(issuer.policy))
        self.policy["issuers"][0]["binding"] = ["jkt", "x5t#S256"]


CERTIFICATE = {"nginx": "escaped-pem", "caddy": "client-cert", "haproxy": "client-cert"}
# The code for a client without a certificate: nginx leaves the field out, and the others send an empty one.
WITHOUT = {"nginx": "client_certificate_missing", "caddy": "client_certificate_malformed", "haproxy": "client_certificate_malformed"}
FIELDS = {"caddy": {"method_header": "X-Forwarded-Method", "target_header": "X-Forwarded-Uri"}}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A certificate for localhost and two of clients, each its own authority."""
    folder, made = tmp_path_factory.mktemp("certificates"), {}
    for name in ("server", "client", "other"):
        pair = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        start = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
        certificate = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(pair.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(start).not_valid_after(start + datetime.timedelta(days=30))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
            .add_extension(x509.BasicConstraints(True, None), True).sign(pair, hashes.SHA256()))
        pem = certificate.public_bytes(serialization.Encoding.PEM)
        secret = pair.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        (folder / f"{name}.pem").write_bytes(pem)
        (folder / f"{name}.key").write_bytes(secret)
        (folder / f"{name}.both").write_bytes(pem + secret)
        made[name] = encoded(certificate.fingerprint(hashes.SHA256()))
    (folder / "clients.pem").write_bytes((folder / "client.pem").read_bytes() + (folder / "other.pem").read_bytes())
    folder.chmod(0o755)
    return folder, made


def nginx_files(folder, port, sidecar, application, certificates):
    outer = re.sub(r"/run/verify-token/sidecar.sock", str(sidecar.socket), blocks("nginx")[0])
    text = blocks("nginx")[-1].replace(APPLICATION, f"127.0.0.1:{application.port}")
    return f"""daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
user root;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{outer}
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {certificates}/server.pem; ssl_certificate_key {certificates}/server.key;
    ssl_verify_client optional; ssl_client_certificate {certificates}/clients.pem;
{text}
  }}
}}
"""


@pytest.fixture(params=["nginx", "caddy", "haproxy"])
def bound(request, issuer, application, certificates, tmp_path):
    """A proxy with TLS in front of a sidecar that checks senders, and the sidecar."""
    name, (authority, _) = request.param, certificates
    key = tmp_path / "nonce.key"
    key.write_bytes(os.urandom(32))
    key.chmod(0o600)
    sidecar = Sidecar(tmp_path, BoundIssuer(issuer), {"orders": {
        "policy": "users", "dpop": {"address": "https://api.example", **FIELDS.get(name, {})},
        "client_certificate": {"header": "X-Client-Certificate", "form": CERTIFICATE[name]},
        "resource_metadata": {"resource": "https://api.example", "authorization_servers": "https://issuer.example"}}}, nonce_key_file=str(key))
    port = free_port()
    if name == "nginx":
        command, files = ["nginx", "-p", tmp_path, "-c", tmp_path / "nginx.conf"], {
            "nginx.conf": nginx_files(tmp_path, port, sidecar, application, authority)}
        command[0] = shutil.which("nginx") or "/usr/sbin/nginx"
    elif name == "caddy":
        command, files = caddy(tmp_path, f"""
https://localhost:{port} {{
	tls {authority}/server.pem {authority}/server.key {{
		client_auth {{
			mode verify_if_given
			trusted_ca_cert_file {authority}/client.pem
			trusted_ca_cert_file {authority}/other.pem
		}}
	}}
	route {{
		request_header -Connection
		forward_auth unix//{sidecar.socket} {{
			uri /route/orders
			header_up X-Client-Certificate ":{{http.request.tls.client.certificate_der_base64}}:"
		}}
		reverse_proxy 127.0.0.1:{application.port}
	}}
}}
""")
    else:
        command, files = haproxy(tmp_path, f"""
global
  lua-load /etc/haproxy/verify-token.lua
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend web
  bind 127.0.0.1:{port} ssl crt {authority}/server.both ca-file {authority}/clients.pem verify optional
  http-request set-var-fmt(txn.certificate) ":%[ssl_c_der,base64]:"
  http-request lua.verify_token orders x-none
  http-request deny deny_status 503 unless {{ var(txn.verified) -m str orders }}
  default_backend application
backend application
  server application 127.0.0.1:{application.port}
""", blocks("lua")[0].replace(SOCKET, str(sidecar.socket)))
    proxy = Proxy(tmp_path, command, files, port)
    proxy.name, proxy.nonce_key = name, key.read_bytes()
    proxy.context = ssl.create_default_context(cafile=authority / "server.pem")
    yield proxy, sidecar
    proxy.stop()
    sidecar.stop()


class TestSenders:
    def test_a_proof_with_the_nonce_of_the_answer(self, bound, issuer, key):
        proxy, _ = bound
        token = issuer.token(cnf={"jkt": key.thumbprint()})
        answer, _ = proxy.get("/orders/1?page=2", sender(token, proof(key, token)))
        assert answer.status == 401 and 'error="use_dpop_nonce"' in answer.headers["WWW-Authenticate"]
        nonce = answer.headers["DPoP-Nonce"]
        used = proof(key, token, nonce=nonce)
        assert proxy.get("/orders/1?page=2", sender(token, used))[0].status == 200
        answer, _ = proxy.get("/orders/1?page=2", sender(token, used))
        assert answer.status == 401 and 'error_description="replayed"' in answer.headers["WWW-Authenticate"]

        def code(path="/orders/1", method="GET", headers=None, **more):
            answer, _ = proxy.get(path, {**sender(token, proof(key, token, nonce=nonce, **more)), **(headers or {})}, method)
            return answer.status if answer.status == 200 else re.search(r'error_description="(\w+)"', answer.headers["WWW-Authenticate"])[1]

        assert code("/orders/2") == "proof_mismatch" and code(method="POST") == "proof_mismatch"
        assert code("/orders/%31") == 200
        # What clients send of the proxy's fields decides nothing.
        forged = {"X-Original-URI": "/orders/1", "X-Original-Method": "GET", "X-Forwarded-Uri": "/orders/1", "X-Forwarded-Method": "GET"}
        assert code("/orders/2", headers=forged) == "proof_mismatch"
        # Caddy itself refuses another name than that of the TLS connection.
        answer, _ = proxy.get("/orders/1", {**sender(token, proof(key, token, nonce=nonce, htu="https://evil.example/orders/1")), "Host": "evil.example"})
        assert answer.status == 421 or 'error_description="proof_mismatch"' in answer.headers["WWW-Authenticate"]
        answer, _ = proxy.get("/orders/1", bearer(token))
        assert 'error_description="proof_missing"' in answer.headers["WWW-Authenticate"]

    def test_the_next_nonce_of_an_accepted_request(self, bound, issuer, key):
        """In the second half of a nonce's time. Without it, the client gets the next one with a 401."""
        proxy, _ = bound
        token, start = issuer.token(cnf={"jkt": key.thumbprint()}), (int(time.time()) - 200).to_bytes(8, "big")
        nonce = encoded(start + hmac.digest(proxy.nonce_key, b"DPoP nonce" + start, "sha256")[:16])
        answer, _ = proxy.get("/orders/1", sender(token, proof(key, token, nonce=nonce)))
        assert answer.status == 200
        following = answer.headers["DPoP-Nonce"]
        if proxy.name == "nginx":
            assert following != nonce
            assert proxy.get("/orders/1", sender(token, proof(key, token, nonce=following)))[0].status == 200
        else:
            assert following is None

    def test_the_clients_certificate(self, bound, issuer, certificates):
        proxy, _ = bound
        folder, thumbprints = certificates
        token = issuer.token(cnf={"x5t#S256": thumbprints["client"]})

        def answered(name, headers=None):
            proxy.context = ssl.create_default_context(cafile=folder / "server.pem")
            if name:
                proxy.context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
            return proxy.get("/orders/1", {**bearer(token), **(headers or {})})[0]

        assert answered("client").status == 200
        refused = answered("other")
        assert refused.status == 401 and 'error_description="client_certificate_mismatch"' in refused.headers["WWW-Authenticate"]
        der = base64.b64encode(ssl.PEM_cert_to_DER_cert((folder / "client.pem").read_text())).decode()
        for value in (f":{der}:", "%2D" * 3):
            refused = answered(None, {"X-Client-Certificate": value})
            assert refused.status == 401 and f'error_description="{WITHOUT[proxy.name]}"' in refused.headers["WWW-Authenticate"]

    def test_challenges_name_the_metadata(self, bound):
        proxy, sidecar = bound
        challenge = proxy.get("/orders/1")[0].headers["WWW-Authenticate"]
        assert 'Bearer resource_metadata="https://api.example/.well-known/oauth-protected-resource", DPoP algs="' in challenge
        status, fields = sidecar.ask("/metadata/orders")
        assert status == 200 and fields["content-type"] == "application/json"
        assert sidecar.ask("/metadata/other")[0] == 404


@pytest.fixture
def asked(issuer, tmp_path):
    """Sidecars that proxies ask without a test of the proxy itself."""
    made = []

    def make(**members):
        sidecar = Sidecar(tmp_path, BoundIssuer(issuer), {"orders": {
            "policy": "users", "dpop": {"address": "https://api.example", **members},
            "client_certificate": {"header": "X-Forwarded-Client-Cert", "form": "xfcc"}}})
        made.append(sidecar)
        return sidecar
    yield make
    for sidecar in made:
        sidecar.stop()


def test_traefiks_question(asked, issuer, key):
    """forwardAuth of Traefik 3: GET of the address, the client's fields, and the request in X-Forwarded-Method and -Uri."""
    sidecar = asked(method_header="X-Forwarded-Method", target_header="X-Forwarded-Uri")
    token = issuer.token(cnf={"jkt": key.thumbprint()})
    fields = [("Authorization", f"DPoP {token}"), ("DPoP", proof(key, token, method="POST")), ("X-Forwarded-Method", "POST"),
              ("X-Forwarded-Uri", "/orders/1?x"), ("X-Forwarded-Host", "api.example"), ("X-Forwarded-Proto", "https")]
    assert sidecar.ask("/route/orders", fields)[0] == 200
    assert sidecar.ask("/route/orders", [field for field in fields if field[0] != "X-Forwarded-Uri"])[0] == 503


def test_envoys_question(asked, issuer, key):
    """ext_authz over HTTP: the method of the request, and its path after the prefix."""
    sidecar = asked(method_header=":method", target_header=":path")
    token = issuer.token(cnf={"jkt": key.thumbprint()})

    def status(path, method, of):
        fields = [("Authorization", f"DPoP {token}"), ("DPoP", proof(key, token, *of))]
        return sidecar.ask("/route/orders" + path, fields, method)[0]

    assert status("/orders/1?a=b", "PUT", ("/orders/1", "PUT")) == 200 and status("", "GET", ("/", "GET")) == 200
    assert status("/orders/1", "GET", ("/orders/1", "PUT")) == 401 and status("/orders/2", "GET", ("/orders/1", "GET")) == 401
    thumbprint = hashlib.sha256(b"a").digest()
    bound = issuer.token(cnf={"x5t#S256": encoded(thumbprint)})
    for value, expected in ((f"Hash={thumbprint.hex()};Subject=\"CN=a\"", 200), (f"Hash={thumbprint.hex()},Hash={thumbprint.hex()}", 401)):
        assert sidecar.ask("/route/orders/x", [("Authorization", f"Bearer {bound}"), ("X-Forwarded-Client-Cert", value)])[0] == expected
