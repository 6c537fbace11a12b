"""The programs of the README with the pool of docs/example: `unshare -Urnm python published_pool.py FOLDER PROGRAM …`, where the
pool's keys are at Cognito's own address, and a network of its own has nothing else.

Prints as JSON what each program said to the example's token, to the same token after its end, and to another text.
"""
import datetime
import fcntl
import http.server
import ipaddress
import json
import os
import pathlib
import socket
import ssl
import struct
import subprocess
import sys
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from support import POOL, TOKEN, Keys
from waiting import LIMIT

HOST = f"cognito-idp.{POOL.partition('_')[0]}.amazonaws.com"
SIOCSIFFLAGS, IFF_UP = 0x8914, 1


def certificate(folder):
    """A certificate of the host that trusts itself, valid when the token was."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(datetime.datetime(2026, 1, 1)).not_valid_after(datetime.datetime(2046, 1, 1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True).sign(key, hashes.SHA256()))
    (folder / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return folder / "certificate.pem", folder / "key.pem"


def main(folder, programs):
    with socket.socket(socket.AF_INET) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
    chain, key = certificate(folder)
    (folder / "hosts").write_text(f"127.0.0.1 localhost {HOST}\n")
    subprocess.run(["mount", "--bind", folder / "hosts", "/etc/hosts"], check=True)
    subprocess.run(["mount", "--bind", chain, "/etc/ssl/certs/ca-certificates.crt"], check=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 443), Keys)
    server.requests = 0
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = os.environ | {"TZ": "UTC", "SSL_CERT_FILE": str(chain)}

    def said(program, time, token):
        done = subprocess.run(
            ["faketime", "-f", f"@{time}", *program], input=token + "\n", env=environment, capture_output=True, text=True, timeout=LIMIT)
        return [done.stdout, done.stderr, done.returncode]

    found = [
        [said(program, "2026-09-05 09:03:07", TOKEN), said(program, "2026-09-05 09:55:07", TOKEN), said(program, "2026-09-05 09:03:07", "x")]
        for program in programs]
    print(json.dumps({"said": found, "fetched": server.requests}))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), json.loads(sys.argv[2]))
