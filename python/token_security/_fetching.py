"""What libtokensecurity calls where a verifier needs keys: on the thread whose token needs them."""
from __future__ import annotations

import _thread
import sys

from ._library import FETCH, FETCH_CANCELLED, FETCH_DONE, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from typing import Any


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
        if place is None or place.tb_frame.f_code is not Fetcher._run.__code__:
            former(ignored)
            return
        place.tb_frame.f_locals["self"].note(ignored.exc_value or ignored.exc_type())

    sys.unraisablehook = _hook = keep


class Fetcher:
    """The fetches of a verifier."""

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
        from . import _http  # noqa: F401

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
