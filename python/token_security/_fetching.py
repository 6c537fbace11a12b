"""What libtokensecurity calls where a verifier needs keys: on the thread whose token needs them."""
from __future__ import annotations

import _thread

from ._library import FETCH, FETCH_CANCELLED, FETCH_DONE, FETCH_FAILED, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Fetcher:
    """The fetches of a verifier."""

    def __init__(self, proxy: str | None) -> None:
        self._proxy = proxy
        if proxy is not None:
            self.prepare()
        #: The threads that fetch. With gevent and eventlet, these are greenlets.
        self._active: set[int] = set()
        #: What was raised in a fetch by the handler of a signal, or an application's time limit.
        self.raised: dict[int, BaseException] = {}
        self.function = FETCH(self._run)

    def prepare(self) -> None:
        """Imports what fetches, and checks the proxy. A child that is forked during an import would wait for it."""
        from . import _http

        _http.check(self._proxy)

    def is_active(self) -> bool:
        """Whether this thread, or this greenlet of it, is fetching."""
        return _thread.get_ident() in self._active

    def _run(self, _: Any, fetch: int) -> int:
        own = _thread.get_ident()
        try:
            self._active.add(own)
            from ._http import get

            reason = get(fetch, self._proxy)
            if reason is None:
                return FETCH_DONE
            library.ts_fetch_fail(fetch, reason.encode("utf-8", "replace").replace(b"\0", b""))
            return FETCH_FAILED
        except BaseException as error:
            # It cannot pass through the library. The call raises it when it returns.
            self.raised[own] = error
            return FETCH_CANCELLED
        finally:
            self._active.discard(own)
