"""Clients of boto3, from one session of the process: each session reads the models of all services anew, which takes a tenth of a second."""
import functools
import threading

import boto3

_lock = threading.Lock()


@functools.cache
def _session():
    return boto3.session.Session()


def client(name, **options):
    """A client with connections of its own."""
    # Sessions make one client at a time.
    with _lock:
        return _session().client(name, **options)
