"""A second implementation of the client of identity pools: the C code of the AWS Common Runtime."""
import json
import pathlib
import subprocess
import sys

import pytest

from waiting import LIMIT


@pytest.mark.skipif(subprocess.run(["unshare", "-Urn", "true"], capture_output=True).returncode != 0, reason="this user may not make network namespaces")
def test_crt_gets_credentials_over_tls(tmp_path):
    script = pathlib.Path(__file__).with_name("crt_client.py")
    done = subprocess.run(
        ["unshare", "-Urn", sys.executable, script, tmp_path], capture_output=True, text=True, timeout=LIMIT, cwd=script.parent)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    for name in ("guest", "user", "developer"):
        assert answer["found"][name] == ["key", "secret", "token"]
    assert answer["callers"]["guest"].startswith("arn:aws:sts::123456789012:assumed-role/app-guest/")
    for name in ("user", "developer"):
        assert answer["callers"][name].startswith("arn:aws:sts::123456789012:assumed-role/app-user/")
    # The service refuses them: a signed-in user's identity without its login, and another's identity.
    assert answer["found"]["without login"] == ["error"]
    assert answer["found"]["another's"] == ["error"]
