"""A disk that does not answer: the management address does."""
import concurrent.futures
import fcntl
import struct

import requests

from identity_support import Service
from raw_http import TARGET, call, exchange
from test_service_operating import management
from waiting import LIMIT, eventually

# The bytes of the log's index (`-shm`) that readers of an SQLite database lock.
LOCKS = (120, 8)


def test_liveness_does_not_wait_for_the_disk(tmp_path):
    service = Service(tmp_path / "data", "--management-address", "127.0.0.1:0", "--rate", 0)
    url = management(service)
    assert requests.get(url + "/health/ready", timeout=LIMIT).status_code == 200
    index = open(service.folder / "identities.sqlite-shm", "r+b")

    def is_locked():
        try:
            # Of this open file, so that a close of another one does not end it.
            return fcntl.fcntl(index, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, *LOCKS, 0))
        except BlockingIOError:
            return False
    eventually(is_locked)
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        # Reads of the file wait on their threads for about ten seconds. There are more of them than threads.
        waiting = [pool.submit(exchange, service, call(TARGET + "GetId", b'{"IdentityPoolId": "us-east-1:0"}')) for _ in range(16)]
        reasons = set()

        def one_has_ended():
            # Each on a new connection.
            assert requests.get(url + "/health/live", timeout=LIMIT).json() == {"status": "live"}
            ready = requests.get(url + "/health/ready", timeout=LIMIT)
            if ready.status_code == 503:
                reasons.add(ready.json()["reason"])
            return any(future.done() for future in waiting)
        eventually(one_has_ended)
        assert "the store does not respond" in reasons
        index.close()
        for future in waiting:
            future.result()
    eventually(lambda: requests.get(url + "/health/ready", timeout=LIMIT).status_code == 200)
    assert service.stop() == 0
