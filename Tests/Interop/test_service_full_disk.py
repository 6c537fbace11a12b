"""A data folder that can be read and not written: no guess is answered, the readiness says so, and nothing is lost."""
import errno
import json
import resource
import subprocess

import botocore.exceptions
import pyotp
import pytest
import requests

from identity_support import Service
from test_service_operating import management
from user_pool_support import PASSWORD, UserPools
from waiting import LIMIT, eventually

GUESSES = 60
# What every call gets whose guess cannot be counted.
FAILED = ("InternalErrorException", "An internal error occurred.", 500)
# A write beyond the limit of a file's size is an error then, and no signal that ends the process.
NO_SIGNAL = ["sh", "-c", 'trap "" XFSZ; exec "$0" "$@"']


class SizeLimit:
    """No file can grow. Any user may set this limit for a process of their own."""

    def __init__(self, folder):
        self.pools = UserPools(folder, "--rate", 0, "--management-address", "127.0.0.1:0", prefix=NO_SIGNAL)
        self.hard = resource.prlimit(self.pools.service.process.pid, resource.RLIMIT_FSIZE)[1]

    def limit(self, size):
        resource.prlimit(self.pools.service.process.pid, resource.RLIMIT_FSIZE, (size, self.hard))

    def fill(self):
        self.limit((self.pools.service.folder / "identities.sqlite-wal").stat().st_size)

    def free(self):
        self.limit(self.hard)

    def end(self):
        pass


class FullDisk:
    """A file system of its own, which another file fills."""

    def __init__(self, folder):
        self.folder = folder / "disk"
        self.folder.mkdir()
        self.other = self.folder / "other"
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m,mode=0700", "tmpfs", self.folder], capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        try:
            self.pools = UserPools(self.folder, "--rate", 0, "--management-address", "127.0.0.1:0")
        except BaseException:
            self.end()
            raise

    def fill(self):
        with open(self.other, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4_096))
            except OSError as error:
                assert error.errno == errno.ENOSPC

    def free(self):
        self.other.unlink()

    def end(self):
        subprocess.run(["umount", "--lazy", self.folder], check=True)


@pytest.fixture(params=[SizeLimit, FullDisk])
def disk(request, tmp_path):
    disk = request.param(tmp_path)
    yield disk
    if disk.pools.service.process.poll() is None:
        disk.pools.service.kill()
    disk.end()


def outcome(call, **members):
    """The name of the next challenge, `tokens`, or the error's name, message and status."""
    try:
        return call(**members).get("ChallengeName", "tokens")
    except botocore.exceptions.ClientError as error:
        response = error.response
        return response["Error"]["Code"], response["Error"]["Message"], response["ResponseMetadata"]["HTTPStatusCode"]


def add_token(pools, pool, client, name):
    """A software token, which is the user's second factor."""
    tokens = pools.sign_in(client, name)
    secret = pools.public.associate_software_token(AccessToken=tokens["AccessToken"])["SecretCode"]
    pools.public.verify_software_token(AccessToken=tokens["AccessToken"], UserCode=pyotp.TOTP(secret).now())
    pools.public.set_user_mfa_preference(AccessToken=tokens["AccessToken"], SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})


def test_a_guess_that_cannot_be_counted_is_not_answered(disk):
    pools, ready = disk.pools, management(disk.pools.service) + "/health/ready"
    pool = pools.pool()
    pools.admin.set_user_pool_mfa_config(UserPoolId=pool, MfaConfiguration="OPTIONAL", SoftwareTokenMfaConfiguration={"Enabled": True})
    client = pools.client(pool, PreventUserExistenceErrors="ENABLED")
    for name in ("plain", "factor", "temporary"):
        pools.user(pool, name)
    add_token(pools, pool, client, "factor")
    pools.admin.admin_set_user_password(UserPoolId=pool, Username="temporary", Password=PASSWORD, Permanent=False)
    right = {"plain": "tokens", "factor": "SOFTWARE_TOKEN_MFA", "temporary": "NEW_PASSWORD_REQUIRED"}

    def guess(name, password):
        return outcome(pools.public.initiate_auth, ClientId=client, AuthFlow="USER_PASSWORD_AUTH",
                       AuthParameters={"USERNAME": name, "PASSWORD": password})

    assert requests.get(ready, timeout=LIMIT).status_code == 200
    disk.fill()
    for name in [*right, "nobody"]:
        answers = [guess(name, f"Wrong-horse-{number}") for number in range(GUESSES)] + [guess(name, PASSWORD)]
        assert set(answers) == {FAILED}, (name, answers)

    eventually(lambda: requests.get(ready, timeout=LIMIT).status_code == 503)
    assert requests.get(ready, timeout=LIMIT).json() == {"status": "not ready", "reason": "the store cannot be written"}
    # What strangers may repeat is one line.
    def lines():
        return [json.loads(line) for line in list(pools.service.log) if '"the service is not ready"' in line]
    eventually(lines)
    [line] = lines()
    assert (line["level"], line["problem"]) == ("error", "the store cannot be written")
    assert line["code"] in ("record_store_unavailable", "record_outcome_unknown")

    disk.free()
    eventually(lambda: requests.get(ready, timeout=LIMIT).status_code == 200)
    # Nothing was counted, and guesses count again.
    for name, step in right.items():
        assert guess(name, PASSWORD) == step
        for number in range(5):
            assert guess(name, f"Wrong-horse-{number}")[1] == "Incorrect username or password."
        assert guess(name, PASSWORD)[1] == "Password attempts exceeded"
    assert pools.stop() == 0
