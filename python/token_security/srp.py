"""Sign-in by password with SRP-6a (RFC 5054), client and server."""
from ctypes import byref, c_void_p
from typing import NamedTuple

from ._library import Handle, call, handle, library, sized, taken, text, whole


class SrpRecord(NamedTuple):
    """What a server stores of a user's password. Protect it like a password hash."""

    salt: bytes
    verifier: bytes

    def __repr__(self) -> str:
        return "SrpRecord()"


def enroll(identity: "str | bytes", password: "str | bytes", *, group: int = 3072, hash: str = "SHA-256") -> SrpRecord:
    """The record of a new password."""
    salt, verifier = c_void_p(), c_void_p()
    call(library.ts_srp_enroll, whole(group, "group", 32), text(hash), *sized(identity), *sized(password), byref(salt), byref(verifier))
    return SrpRecord(taken(salt.value), taken(verifier.value))


class SrpClient(Handle):
    """The client's side of one sign-in. Send ``public_key`` (A) to the server."""

    _free = library.ts_srp_client_free

    def __init__(self, *, group: int = 3072, hash: str = "SHA-256") -> None:
        client, key = c_void_p(), c_void_p()
        call(library.ts_srp_client_create, whole(group, "group", 32), text(hash), byref(client), byref(key))
        public_key = taken(key.value)
        self._own(client.value or 0)
        self.public_key = public_key

    def respond(self, identity: "str | bytes", password: "str | bytes", salt: bytes, server_key: bytes) -> bytes:
        """The proof M1 for the server's salt and public key (B)."""
        return taken(
            handle(library.ts_srp_client_respond, self._handle, *sized(identity), *sized(password), *sized(salt), *sized(server_key)))

    def verify(self, server_proof: bytes) -> bytes:
        """Verifies the server's proof M2. Returns the key that both sides have."""
        return taken(handle(library.ts_srp_client_verify, self._handle, *sized(server_proof)))


class SrpServer(Handle):
    """The server's side of one sign-in."""

    _free = library.ts_srp_server_free

    def __init__(self, *, group: int = 3072, hash: str = "SHA-256") -> None:
        self._own(handle(library.ts_srp_server_create, whole(group, "group", 32), text(hash)))

    def challenge(self, identity: "str | bytes", record: SrpRecord) -> bytes:
        """The public key (B), which is sent with the record's salt."""
        return taken(
            handle(library.ts_srp_server_challenge, self._handle, *sized(identity), *sized(record.salt), *sized(record.verifier)))

    def verify(self, client_key: bytes, proof: bytes) -> "tuple[bytes, bytes]":
        """Verifies the client's proof M1. Returns the proof M2 for the client, and the key that both sides have."""
        server_proof, key = c_void_p(), c_void_p()
        call(library.ts_srp_server_verify, self._handle, *sized(client_key), *sized(proof), byref(server_proof), byref(key))
        return taken(server_proof.value), taken(key.value)
