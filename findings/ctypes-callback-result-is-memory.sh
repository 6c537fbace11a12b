#!/bin/bash
# Surprise: where an exception ends a callback of ctypes, C gets what happened to be in memory as its result, not 0: another number with each version of Python, which may be one that means success. cffi gives 0.
# Packages: PyPI cffi 1.17.1, beside the ctypes of the Python that runs this (seen with CPython 3.6 to 3.13).
# Why it matters: a C interface whose callbacks return small numbers takes an exception for one of them. An exception can come from outside of the function's own try: a handler of a signal runs where the interpreter enters it.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py cffi==1.17.1
cat >check.py <<'P'
import ctypes
import sys

import cffi


def raises(_):
    raise ValueError("no result")


sys.unraisablehook = lambda _: None
of_ctypes = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(raises)
ffi = cffi.FFI()
of_cffi = ffi.callback("int(void *)", raises, onerror=lambda *_: None)
# One that ends as it should, before each: what it returns stays in memory.
returns = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda number: number)
numbers = set()
for number in range(1, 50):
    returns(number)
    numbers.add(of_ctypes(None))
    numbers.add(of_ctypes(number << 33))
print("ctypes:", *sorted(numbers)[:10])
print("cffi:  ", of_cffi(ffi.NULL))
sys.exit(0 if any(numbers) and of_cffi(ffi.NULL) == 0 else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: ctypes reports the exception and leaves the place of the result as it was; cffi writes 0, or the number that its parameter error names."
