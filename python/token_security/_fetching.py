"""What libtokensecurity calls where keys are needed: on the thread whose token or request needs them."""
from __future__ import annotations

import _thread
import sys
import time

from ._library import FETCH, FETCH_CANCELLED, FETCH_DONE, Handle, call, library
from .errors import TokenSecurityError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Value = TypeVar("_Value")


#: What this module has set last as the interpreter's hook of exceptions that it ignores.
_hook: Callable[[Any], object] | None = None


def watch() -> None:
    """Keeps the exceptions that the interpreter would ignore since a handler of a signal raises them where `_run` begins or ends:
    ctypes cannot raise what gets out of it. All others go on to the former hook."""
    global _hook
    if sys.unraisablehook is _hook:
        return
    former = sys.unraisablehook

    def keep(ignored: Any) -> None:
        place = ignored.exc_traceback
        if place is None or place.tb_frame.f_code is not Fetcher._run.__code__:  # pyright: ignore[reportPrivateUsage]
            former(ignored)
            return
        place.tb_frame.f_locals["self"].note(ignored.exc_value or ignored.exc_type())

    sys.unraisablehook = _hook = keep


class Fetcher:
    """The fetches of an object."""

    def __init__(self, proxy: str | None) -> None:
        self._proxy = proxy
        if proxy is not None:
            from ._http import check

            check(proxy)
        #: The rules of TLS, by the file of certificates.
        self._rules: dict[str | None, ssl.SSLContext] = {}
        #: The fetches of each thread. With gevent and eventlet, these are greenlets.
        self._active: dict[int, int] = {}
        #: What was raised in a fetch by the handler of a signal, or an application's time limit.
        self.raised: dict[int, BaseException] = {}
        self.function = FETCH(self._run)

    def prepare(self, roots: str | None) -> None:
        """Imports what fetches, and makes what all fetches use. A child that is forked meanwhile would wait for ever.

        :param roots: the file of the certificates that are trusted.
        """
        from . import _http  # noqa: F401  # pyright: ignore[reportUnusedImport]

        try:
            self._rules_of(roots)
        except OSError:
            # The fetch says it.
            pass

    def _rules_of(self, roots: str | None) -> ssl.SSLContext:
        from ._connection import context

        if roots not in self._rules:
            self._rules[roots] = context(roots)
        return self._rules[roots]

    def note(self, error: BaseException) -> None:
        """Keeps what was raised in a fetch of this thread. It cannot pass through the library: the call raises it when it returns."""
        own = _thread.get_ident()
        self.raised[own] = error
        self._active.pop(own, None)

    def is_active(self) -> bool:
        """Whether this thread, or this greenlet of it, is fetching."""
        return self._active.get(_thread.get_ident(), 0) > 0

    def _run(self, _: Any, fetch: int) -> int:
        own = _thread.get_ident()
        try:
            self._active[own] = self._active.get(own, 0) + 1
            from ._http import get

            reason = get(fetch, self._proxy, self._rules_of)
            if reason is not None:
                library.ts_fetch_fail(fetch, reason.encode("utf-8", "backslashreplace").replace(b"\0", b"\\x00"))
            # Also after a failure, which has its reason: where an exception keeps this function from its beginning, ctypes returns
            # the number of the call before, and the library takes this one without anything given for a fetch that was given up.
            return FETCH_DONE
        except BaseException as error:
            self.raised[own] = error
            return FETCH_CANCELLED
        finally:
            self._leave(own)

    def _leave(self, own: int) -> None:
        left = self._active.pop(own, 1) - 1
        if left > 0:
            self._active[own] = left


class Fetching(Handle):
    """An object of the library whose calls may fetch."""

    #: What fetches.
    _fetcher: "Fetcher | None" = None
    #: What was raised in fetches.
    _raised: "dict[int, BaseException]" = {}
    #: The time of a call.
    _milliseconds = 0

    def _fetch_with(self, fetcher: Fetcher, setter: "Callable[..., int]") -> None:
        # The library calls its function until the handle is freed, so that it lives as long as this object.
        self._fetcher, self._raised = fetcher, fetcher.raised
        call(setter, self._handle, fetcher.function, None)

    def _patiently(self, body: "Callable[[], _Value]", refusal: "TokenSecurityError | None" = None) -> "_Value":
        """Calls the library. With gevent and eventlet, another task of this thread may be fetching: the library refuses to wait
        for it, and this waits instead, so that the other one can go on.

        :param refusal: what the first call was refused with.
        """
        end = time.monotonic() + self._milliseconds / 1000
        watch()
        while True:
            try:
                if refusal is not None:
                    raise refusal
                value = body()
            except TokenSecurityError as error:
                self._raise()
                is_own = self._fetcher is None or self._fetcher.is_active()
                if error.code != "fetch_reentered" or is_own or time.monotonic() >= end:
                    raise
            else:
                self._raise()
                return value
            refusal = None
            time.sleep(0.005)

    def _raise(self) -> None:
        """Raises what was raised in a fetch of this thread."""
        raised = self._raised.pop(_thread.get_ident(), None)
        if raised is not None:
            raise raised
