"""The temporary folder of a run of tests, and the end of all that the run has started, however the run ends.

Fixtures stop what they start. They do not where a test fails before, and where the run is interrupted or killed: then a process
beside the run, which outlives it, ends what is left and removes the folder.
"""
import contextlib
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile

# The environment of all processes of a run has it, with the folder.
MARK = "TEST_RUN_FOLDER"


def pytest_configure(config):
    """Makes the folder, once for all workers. TEST_KEEP=1 keeps it."""
    if MARK in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="tests-")
    # Other users, as which servers run, reach their own folders in it.
    os.chmod(folder, 0o711)
    subprocess.Popen(
        [sys.executable, "-I", __file__, str(os.getpid()), folder], start_new_session=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, cwd="/")
    os.environ[MARK] = os.environ["TMPDIR"] = folder
    tempfile.tempdir = None
    # Short, since the path of a Unix socket has at most 107 bytes.
    config.option.basetemp = config.option.basetemp or f"{folder}/t"


def processes(folder):
    """Processes of the run. Servers overwrite their environment with a title, but they work in the folder."""
    mark = f"{MARK}={folder}".encode()
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        # It may have ended, or may be another user's.
        with contextlib.suppress(OSError):
            work = pathlib.Path(os.readlink(place / "cwd"))
            if mark in (place / "environ").read_bytes().split(b"\0") or work.is_relative_to(folder):
                yield int(place.name)


def end(folder):
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGKILL):
        ended = []
        for process in processes(folder):
            with contextlib.suppress(OSError):
                ended.append(os.pidfd_open(process))
                signal.pidfd_send_signal(ended[-1], number)
        for descriptor in ended:
            # Seconds for each one that ends in order; a stopped one does not.
            select.select([descriptor], [], [], 5)
            os.close(descriptor)
    if os.environ.get("TEST_KEEP") != "1":
        shutil.rmtree(folder, ignore_errors=True)


def main(run, folder):
    with contextlib.suppress(ProcessLookupError):
        select.select([os.pidfd_open(run)], [], [])
    end(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
