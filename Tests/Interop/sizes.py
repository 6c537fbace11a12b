"""Sizes of random series and of kill tests: those of `TestScale` in the Swift tests."""
import os

# A change runs a tenth; TEST_SCALE=1 runs the series in full.
SCALE = float(os.environ.get("TEST_SCALE") or 0.1)


def scaled(full, minimum=1):
    """The part of a series that this run does: at least `minimum`, the size that still tests something, and at most all of it."""
    return max(minimum, min(full, round(full * SCALE)))


def sampled(items, minimum):
    """The items of a series that this run does, evenly spread, with the first and the last one."""
    items = list(items)
    count = scaled(len(items), min(minimum, len(items)))
    return [items[round(place * (len(items) - 1) / max(1, count - 1))] for place in range(count)]
