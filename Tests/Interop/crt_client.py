"""awscrt's provider of Cognito credentials: `unshare -Urn python crt_client.py FOLDER`, in a network of its own.

The provider speaks HTTPS to port 443 alone. Prints as JSON what it got.
"""
import fcntl
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys

import awscrt.auth
import awscrt.io

from identity_support import DEVELOPER, DEVELOPER_TOKEN, GOOGLE, Providers, Service, make_pool
from waiting import LIMIT

SIOCSIFFLAGS, IFF_UP = 0x8914, 1


def credentials(context, identity, logins=None):
    provider = awscrt.auth.AwsCredentialsProvider.new_cognito(
        endpoint="localhost", identity=identity, tls_ctx=context, logins=logins)
    try:
        found = provider.get_credentials().result(LIMIT)
    except Exception as error:
        return {"error": getattr(error, "name", str(error))}
    return {"key": found.access_key_id, "secret": found.secret_access_key, "token": found.session_token}


def main(folder):
    with socket.socket(socket.AF_INET) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    key.chmod(0o600)
    os.environ["AWS_CA_BUNDLE"] = str(certificate)
    service = Service(folder / "data", "--port", 443, "--host", "localhost", "--host", "127.0.0.1", "--certificate", certificate, "--private-key", key)
    try:
        providers = Providers(folder)
        providers.register(service)
        pool = make_pool(service, folder)
        options = awscrt.io.TlsContextOptions()
        options.override_default_trust_store_from_path(None, str(certificate))
        context = awscrt.io.ClientTlsContext(options)
        device = service.unsigned()
        guest = device.get_id(IdentityPoolId=pool)["IdentityId"]
        login = {GOOGLE: providers.token(GOOGLE, "jane")}
        user = device.get_id(IdentityPoolId=pool, Logins=login)["IdentityId"]
        developer = service.client().get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={DEVELOPER: "sam"})
        found = {
            "guest": credentials(context, guest),
            "user": credentials(context, user, list(login.items())),
            "developer": credentials(context, developer["IdentityId"], [(DEVELOPER_TOKEN, developer["Token"])]),
            "without login": credentials(context, user),
            "another's": credentials(context, developer["IdentityId"], list(login.items())),
        }
        callers = {}
        for name in ("guest", "user", "developer"):
            key = (found[name]["key"], found[name]["secret"])
            callers[name] = service.client("sts", key=key, token=found[name]["token"]).get_caller_identity()["Arn"]
        print(json.dumps({"found": {name: sorted(value) for name, value in found.items()}, "callers": callers}))
    finally:
        service.stop()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
