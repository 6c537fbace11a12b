"""The time of day of a service, which a test sets."""
import os
import pathlib
import time

# A program in front of the service: the library changes the environment where it is loaded first, and Swift finds no arguments in
# a changed one.
BEFORE = ["nice", "-n", "0"]


class Clock:
    """Shifts the time of programs that are started with `environment`, as a test advances it: the time of day, and with `uptime` the
    time since the start of the system, too. Their waits take as long as always, but with `uptime` Swift's `Task.sleep` never ends,
    and with it most time limits of a service: libfaketime then shows the time of day as the time since the start, and the kernel's
    timers count from the start. With a `speed`, seconds take longer or shorter, from the start of each program. With `at`, in seconds
    since 1970, each program starts at that time of day."""

    def __init__(self, folder, shift=0, uptime=False, speed=1, at=None):
        # Debian's package `faketime` has the library, which reads the file at each look at the clock.
        [library] = pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
        self.file = pathlib.Path(folder) / "clock"
        self.shift, self.speed, self.at = 0, speed, at
        self.advance(shift)
        self.environment = {
            "LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": str(int(not uptime)), "TZ": "UTC0"}

    def advance(self, seconds):
        """Sets the time forward, and back if it is negative. Signatures of callers, whose time is not set, are valid within 300 seconds."""
        self.shift += seconds
        # Replaced as a whole: the service reads it at any time.
        draft = self.file.with_suffix(".draft")
        start = f"{self.shift:+}" if self.at is None else time.strftime("@%Y-%m-%d %H:%M:%S", time.gmtime(self.at + self.shift))
        draft.write_text(f"{start} x{self.speed}\n" if self.speed != 1 else f"{start}\n")
        os.replace(draft, self.file)


def slow(folder):
    """A clock with which limits of a rate do not recover while a test uses them up, however slow the machine is."""
    return Clock(folder, uptime=True, speed=0.001)
