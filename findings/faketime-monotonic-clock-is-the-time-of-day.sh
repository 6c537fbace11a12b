#!/bin/bash
# Surprise: libfaketime that is to shift clocks by three seconds makes the monotonic clock the time of day, not itself and three seconds. An absolute timer (timerfd) by that clock does not end: the kernel counts its time from the start of the machine, and it would end after 57 years. With FAKETIME_DONT_FAKE_MONOTONIC=1 timers end, and the clock is not shifted at all.
# Packages: libfaketime 0.9.10-2.1 (Debian 12), the Python that runs this.
# Why it matters: a test that shifts both clocks of a service stops its time limits and pauses for ever, so that a shutdown that hangs in such a test seems to have no time limit.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -qq "libfaketime=0.9.10-2.1" > /dev/null 2>&1 || { echo "NOT RUN: this Debian has another libfaketime"; exit 3; }
echo "version: libfaketime 0.9.10-2.1 (Debian)"
dpkg -x libfaketime_*.deb .
library="$(find "$PWD" -name libfaketimeMT.so.1)"

cat > clocks.py <<'END'
import ctypes, os, select, struct, time

libc = ctypes.CDLL(None, use_errno=True)
day, now = time.time(), time.clock_gettime(time.CLOCK_MONOTONIC)
print("monotonic clock:", "the time of day" if abs(now - day) < 5 else "since the start")
timer = libc.timerfd_create(time.CLOCK_MONOTONIC, 0)
end = now + 0.1
TFD_TIMER_ABSTIME = 1
assert libc.timerfd_settime(timer, TFD_TIMER_ABSTIME, struct.pack("qqqq", 0, 0, int(end), int(end % 1 * 1e9)), None) == 0
ready = select.select([timer], [], [], 5)[0]
print("a timer of 0.1 s:", "ends" if ready else "does not end within 5 s")
END
run() { env LD_PRELOAD="$library" FAKETIME=+3 "$@" python3 clocks.py; }
seen="$(run FAKETIME_DONT_FAKE_MONOTONIC=0; run FAKETIME_DONT_FAKE_MONOTONIC=1)"
echo "$seen"
[ "$seen" = "monotonic clock: the time of day
a timer of 0.1 s: does not end within 5 s
monotonic clock: since the start
a timer of 0.1 s: ends" ]
