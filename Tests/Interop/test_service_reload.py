"""Certificates and the log level change while the service runs."""
import datetime
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from identity_support import Service
from raw_http import request, response
from test_service_operating import management, samples
from waiting import LIMIT, eventually


def lines(service):
    return [json.loads(line) for line in service.log]


def certificate(folder, name, days=10):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem",
                    "-days", str(days), "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)


def install(folder, name):
    """Replaces both files, each at once."""
    for end in ("pem", "key"):
        shutil.copy(folder / f"{name}.{end}", folder / f"new.{end}")
        os.replace(folder / f"new.{end}", folder / f"current.{end}")


def tls(service):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    host, _, port = service.url.removeprefix("https://").rpartition(":")
    return context.wrap_socket(socket.create_connection((host, int(port)), 60))


def presented(service):
    """The name in the certificate that a new connection gets."""
    with tls(service) as connection:
        der = connection.getpeercert(binary_form=True)
    text = subprocess.run(["openssl", "x509", "-inform", "DER", "-noout", "-subject", "-nameopt", "multiline"], input=der, capture_output=True, check=True).stdout.decode()
    return text.rsplit("= ", 1)[1].strip()


@pytest.fixture
def files(tmp_path):
    for name in ("first", "second"):
        certificate(tmp_path, name)
    install(tmp_path, "first")
    return tmp_path


def start(files, *options, **more):
    return Service(files / "data", "--certificate", files / "current.pem", "--private-key", files / "current.key", "--management-address", "127.0.0.1:0", *options, **more)


def test_the_certificate_is_reloaded_on_sighup(files):
    service = start(files, "--certificate-check", 86_400)
    days = samples(requests.get(management(service) + "/metrics", timeout=LIMIT).text)["identity_certificate_days_left"]
    assert 9 < days <= 10
    with tls(service) as connection:
        connection.sendall(request(path="/.well-known/jwks_uri"))
        assert presented(service) == "first"
        install(files, "second")
        service.process.send_signal(signal.SIGHUP)
        eventually(lambda: presented(service) == "second")
        # The connection from before is as it was, be it in the middle of a request.
        assert response(connection)[0] == 200
        connection.sendall(request(path="/.well-known/jwks_uri"))
        assert response(connection)[0] == 200
    assert service.stop() == 0
    assert sum(line["message"] == "certificate loaded" for line in lines(service)) == 1


def test_the_certificate_is_reloaded_when_it_changes(files):
    service = start(files, "--certificate-check", 1)
    assert presented(service) == "first"
    install(files, "second")
    eventually(lambda: presented(service) == "second")
    assert service.stop() == 0


@pytest.mark.parametrize("kind", ["not PEM", "no file", "another key", "no key", "empty"])
def test_a_broken_certificate_changes_nothing(files, kind):
    service = start(files, "--certificate-check", 1)
    if kind == "not PEM":
        (files / "current.pem").write_text("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n")
    elif kind == "no file":
        (files / "current.pem").unlink()
    elif kind == "another key":
        shutil.copy(files / "second.key", files / "current.key")
    elif kind == "no key":
        (files / "current.key").unlink()
    else:
        (files / "current.pem").write_text("")
    refused = lambda: [line for line in lines(service) if line["level"] == "error"]
    eventually(refused)
    assert "old one stays" in refused()[0]["message"] and "current." in refused()[0]["reason"]
    assert presented(service) == "first"
    text = requests.get(management(service) + "/metrics", timeout=LIMIT).text
    assert samples(text)['identity_certificate_reloads_total{outcome="refused"}'] >= 1
    # Logged for each change, not for each check.
    install(files, "second")
    eventually(lambda: presented(service) == "second")
    assert service.stop() == 0
    assert len(refused()) <= 3
    assert "PRIVATE" not in "".join(service.log)


def test_the_log_level_is_read_again(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text('{"logLevel": "warning"}')
    service = Service(tmp_path / "data", "--config", settings)
    client = service.unsigned()

    def calls():
        try:
            client.get_id(IdentityPoolId="us-east-1:00000000-0000-4000-8000-000000000000")
        except client.exceptions.ResourceNotFoundException:
            pass
        return [line for line in lines(service) if line["message"] == "call"]
    assert calls() == [] and service.log == []
    settings.write_text('{"logLevel": "debug"}')
    service.process.send_signal(signal.SIGHUP)
    eventually(calls)
    # The level changes before its line is written.
    again = eventually(lambda: [line for line in lines(service) if "SIGHUP" in line["message"]])
    assert again[0]["log-level"] == "debug" and again[0]["before"] == "warning"
    for text in ("{", '{"logLevel": "loud"}', '{"logLevl": "info"}'):
        count = len([line for line in lines(service) if line["level"] == "error"])
        settings.write_text(text)
        service.process.send_signal(signal.SIGHUP)
        eventually(lambda: len([line for line in lines(service) if line["level"] == "error"]) > count)
    assert len(calls()) > 0
    settings.write_text('{"logLevel": "info"}')
    service.process.send_signal(signal.SIGHUP)
    eventually(lambda: [line for line in lines(service) if "SIGHUP" in line["message"]][-1].get("log-level") == "info")
    assert service.stop() == 0


def test_flags_override_the_file_after_sighup(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text('{"logLevel": "warning"}')
    service = Service(tmp_path / "data", "--config", settings, "--log-level", "notice")
    settings.write_text('{"logLevel": "debug"}')
    service.process.send_signal(signal.SIGHUP)
    eventually(lambda: any("SIGHUP" in line["message"] for line in lines(service)))
    assert [line for line in lines(service) if "SIGHUP" in line["message"]][0]["log-level"] == "notice"
    assert service.stop() == 0


def test_many_signals_at_once(files):
    service = start(files, "--certificate-check", 1)
    for number in range(50):
        install(files, ("first", "second")[number % 2])
        service.process.send_signal(signal.SIGHUP)
    eventually(lambda: presented(service) == "second")
    assert service.stop() == 0


def test_an_expired_certificate_is_an_error_in_the_log(tmp_path):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "old")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1).not_valid_before(
        now - datetime.timedelta(days=9)).not_valid_after(now - datetime.timedelta(days=2)).sign(key, hashes.SHA256())
    (tmp_path / "current.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (tmp_path / "current.key").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    service = start(tmp_path)
    days = samples(requests.get(management(service) + "/metrics", timeout=LIMIT).text)["identity_certificate_days_left"]
    assert -3 < days <= -2
    assert service.stop() == 0
    assert any(line["level"] == "error" and "expired" in line["message"] for line in lines(service))
