"""Clients that reset their connections: what they sent before is served, and counts for the address that it came from."""
import json
import os
import signal
import socket
import struct

import pytest

from raw_http import connect, exchange, request
from user_pool_support import JSON, PASSWORD, TARGET, UserPools
from waiting import eventually

SOURCE = "127.0.8.1"
# Of so many, one was always handled after its connection was reset, as long as that made a difference.
ROUNDS = 8


@pytest.fixture
def pools(tmp_path):
    pools = UserPools(tmp_path)
    yield pools
    assert pools.stop() == 0


def call(operation, members):
    return request("POST", "/", [("Content-Type", JSON), ("X-Amz-Target", TARGET + operation)], json.dumps(members).encode())


def send_and_reset(service, data):
    connection = connect(service, SOURCE)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.sendall(data)
    connection.close()


def audited(pools, operation):
    lines = [json.loads(line) for line in pools.service.log]
    return [line for line in lines if line["message"] == "audit" and line["operation"] == operation]


def forgotten(pools):
    """What confirms a new password of a new user."""
    pool = pools.pool()
    client = pools.client(pool)
    address = f"{pool[-8:].lower()}@example.com"
    name = pools.user(pool, email=address, email_verified="true")
    pools.public.forgot_password(ClientId=client, Username=name)
    return {"ClientId": client, "Username": name, "ConfirmationCode": pools.code(address), "Password": "New-" + PASSWORD}


def test_calls_of_reset_connections_have_their_address(pools):
    for number in range(ROUNDS):
        data = call("ConfirmForgotPassword", forgotten(pools))

        def is_confirmed():
            # The reset can come before the service has read the call.
            send_and_reset(pools.service, data)
            return len(audited(pools, "ConfirmForgotPassword")) > number
        eventually(is_confirmed)
    assert [line["address"] for line in audited(pools, "ConfirmForgotPassword")] == [SOURCE] * ROUNDS


def test_connections_that_were_reset_before_they_are_accepted_are_not_served(pools):
    data = call("ConfirmForgotPassword", forgotten(pools))
    pools.service.process.send_signal(signal.SIGSTOP)
    # All of its threads: one that still runs would accept the first connection before it is reset.
    os.waitid(os.P_PID, pools.service.process.pid, os.WSTOPPED | os.WNOWAIT)
    try:
        for _ in range(4):
            send_and_reset(pools.service, data)
    finally:
        pools.service.process.send_signal(signal.SIGCONT)
    # This one is accepted after them.
    assert exchange(pools.service, request())[0] == 200
    # The code is still unused.
    assert exchange(pools.service, data, SOURCE)[0] == 200
    # The line is read from the log by a thread.
    lines = eventually(lambda: audited(pools, "ConfirmForgotPassword"))
    assert [line["address"] for line in lines] == [SOURCE]
