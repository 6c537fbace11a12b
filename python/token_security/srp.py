"""Sign-in by password with SRP-6a (RFC 5054), client and server."""
from ctypes import byref, c_void_p
from typing import NamedTuple

from ._library import Handle, call, handle, library, sized, taken, text, whole


class SrpRecord(NamedTuple):
    """What a server stores of a user's password. Protect it like a password hash. ``SrpRecord.create`` makes one.

    :param salt: the salt, which is sent to the client.
    :param verifier: the verifier, which is not.
    """

    salt: bytes
    verifier: bytes

    @classmethod
    def create(
        cls, identity: "str | bytes", password: "str | bytes", *, group: int = 3072, hash: str = "SHA-256"
    ) -> "SrpRecord":
        """The record of a new password, with a new salt, for sign-up.

        :param identity: the user's name. Both sides use the same bytes at each sign-in.
        :param password: the password.
        :param group: the bits of the group of RFC 5054: 1024, 1536, 2048, 3072, 4096, 6144 or 8192. Take at least 2048.
        :param hash: ``SHA-1``, ``SHA-256``, ``SHA-384`` or ``SHA-512``.
        :return: the record.
        :raises TokenSecurityError: ``argument_out_of_range`` and others, for values that cannot be used.
        """
        salt, verifier = c_void_p(), c_void_p()
        call(
            library.ts_srp_enroll, whole(group, "group", 32), text(hash), *sized(identity), *sized(password),
            byref(salt), byref(verifier))
        return cls(taken(salt.value), taken(verifier.value))

    def __repr__(self) -> str:
        return "SrpRecord()"


def enroll(identity: "str | bytes", password: "str | bytes", *, group: int = 3072, hash: str = "SHA-256") -> SrpRecord:
    """The earlier name of `SrpRecord.create`.

    :param identity: the user's name.
    :param password: the password.
    :param group: the bits of the group.
    :param hash: the hash.
    :return: the record.
    :raises TokenSecurityError: for values that cannot be used.
    """
    return SrpRecord.create(identity, password, group=group, hash=hash)


class SrpClient(Handle):
    """The client's side of one sign-in. Each step is taken once (``step_used``), also one that fails.

    :param group: the bits of the group of RFC 5054, as for the record.
    :param hash: the hash, as for the record.
    :raises TokenSecurityError: ``argument_out_of_range``, for a group or a hash that there is not.
    """

    _free = library.ts_srp_client_free

    #: The client's public key (A), which is sent to the server with the user's name.
    public_key: bytes

    def __init__(self, *, group: int = 3072, hash: str = "SHA-256") -> None:
        client, key = c_void_p(), c_void_p()
        call(library.ts_srp_client_create, whole(group, "group", 32), text(hash), byref(client), byref(key))
        public_key = taken(key.value)
        self._own(client.value or 0)
        self.public_key = public_key

    def respond(self, identity: "str | bytes", password: "str | bytes", salt: bytes, server_key: bytes) -> bytes:
        """Responds to the server's challenge.

        :param identity: the user's name.
        :param password: the password.
        :param salt: the salt of the user's record, which the server has sent.
        :param server_key: the server's public key (B).
        :return: the proof M1, for the server.
        :raises TokenSecurityError: for a key that must be refused. It does not say whether the password is right.
        """
        return taken(
            handle(library.ts_srp_client_respond, self._handle, *sized(identity), *sized(password), *sized(salt), *sized(server_key)))

    def verify(self, server_proof: bytes) -> bytes:
        """Verifies the server's proof, which ends the sign-in.

        :param server_proof: the proof M2.
        :return: the key that both sides have.
        :raises TokenSecurityError: ``srp_proof_mismatch``: the server does not know the record.
        """
        return taken(handle(library.ts_srp_client_verify, self._handle, *sized(server_proof)))


class SrpServer(Handle):
    """The server's side of one sign-in. Each step is taken once (``step_used``), also one that fails.

    :param group: the bits of the group of RFC 5054, as for the record.
    :param hash: the hash, as for the record.
    :raises TokenSecurityError: ``argument_out_of_range``, for a group or a hash that there is not.
    """

    _free = library.ts_srp_server_free

    def __init__(self, *, group: int = 3072, hash: str = "SHA-256") -> None:
        self._own(handle(library.ts_srp_server_create, whole(group, "group", 32), text(hash)))

    def challenge(self, identity: "str | bytes", record: SrpRecord) -> bytes:
        """The challenge for a user.

        :param identity: the user's name.
        :param record: the user's record.
        :return: the public key (B), which is sent to the client with the record's salt.
        :raises TokenSecurityError: for a record that cannot be used.
        """
        return taken(
            handle(library.ts_srp_server_challenge, self._handle, *sized(identity), *sized(record.salt), *sized(record.verifier)))

    def verify(self, client_key: bytes, proof: bytes) -> "tuple[bytes, bytes]":
        """Verifies the client's proof: the client knows the password.

        :param client_key: the client's public key (A).
        :param proof: the client's proof M1.
        :return: the proof M2 for the client, and the key that both sides have.
        :raises TokenSecurityError: ``srp_proof_mismatch`` for a wrong password.
        """
        server_proof, key = c_void_p(), c_void_p()
        call(library.ts_srp_server_verify, self._handle, *sized(client_key), *sized(proof), byref(server_proof), byref(key))
        return taken(server_proof.value), taken(key.value)
