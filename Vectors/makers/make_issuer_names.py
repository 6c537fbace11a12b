"""Makes certificates in Vectors/keys whose names are written in different ways. Run it in that folder with cryptography 50.

issuer-root.pem is an authority. It issued issuer-other-spelling.pem, which names it as a PrintableString in small letters, and
issuer-same-name.pem, whose subject has the authority's name. issuer-next-root.pem is the authority with its next key. The
keys are thrown away.
"""
import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.name import _ASN1Type
from cryptography.x509.oid import NameOID

START = datetime.datetime(2026, 1, 1)


def name(text, kind=_ASN1Type.UTF8String):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text, _type=kind)])


def write(file, subject, issuer, key, issuer_key, authority=False):
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(START)
        .not_valid_after(START + datetime.timedelta(days=36500))
        .add_extension(x509.BasicConstraints(authority, None), True)
        .sign(issuer_key, hashes.SHA256())
    )
    with open(file, "wb") as output:
        output.write(certificate.public_bytes(serialization.Encoding.PEM))


root, one, other, later = (ec.generate_private_key(ec.SECP256R1()) for _ in range(4))
authority = name("Authority of Tests")
write("issuer-root.pem", authority, authority, root, root, authority=True)
write("issuer-other-spelling.pem", name("leaf"), name("authority of  tests", _ASN1Type.PrintableString), one, root)
write("issuer-same-name.pem", authority, authority, other, root)
write("issuer-next-root.pem", authority, authority, later, later, authority=True)
