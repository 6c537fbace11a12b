"""Waiting for what another process or thread makes true: the only place of the Python tests that sleeps."""
import inspect
import time

# Seconds after which a test fails that would otherwise hang. No test asserts how long something takes: a busy machine, or a slow
# disk, makes it slow and not wrong.
LIMIT = 600


def eventually(condition, limit=LIMIT):
    """Polls a condition until it holds, and returns its value. The error names the condition by its source."""
    end = time.monotonic() + limit
    pause = 0.001
    while not (value := condition()):
        if time.monotonic() >= end:
            raise AssertionError(f"did not hold within {limit} seconds: {source(condition)}")
        time.sleep(pause)
        # Fast for what is nearly there, and frugal with two cores for what takes long.
        pause = min(pause * 1.5, 0.05)
    return value


def source(condition):
    """The lines of a condition and their place."""
    try:
        lines, number = inspect.getsourcelines(condition)
        return f"{inspect.getsourcefile(condition)}:{number}: {''.join(lines).strip()}"
    except (OSError, TypeError):
        return repr(condition)
