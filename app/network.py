"""What a served lab needs from the machine: prompt sockets and one BLAS thread.

Imported by every page, so that `panel serve`, `pn.serve` and `rnnscope serve` all get it.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import threadpoolctl
from bokeh.server.views.ws import WSHandler

_MARK = "_rnnscope_nodelay"


def send_at_once() -> None:
    """Turn Nagle's algorithm off on every WebSocket that Bokeh opens from now on.

    A Bokeh message is several small frames; in a drag the delayed acknowledgement stalls each message
    about 40 ms. Tornado's `set_nodelay` is public, but Bokeh never calls it.
    """
    if hasattr(WSHandler.open, _MARK):
        return
    original = WSHandler.open

    @wraps(original)
    def open_without_delay(self: WSHandler, *args: Any, **kwargs: Any) -> Any:
        self.set_nodelay(True)
        return original(self, *args, **kwargs)

    setattr(open_without_delay, _MARK, True)
    WSHandler.open = open_without_delay  # type: ignore[method-assign]


def one_blas_thread() -> None:
    """At n <= 64 a second BLAS thread only waits for the first; with two users they starve each other."""
    threadpoolctl.threadpool_limits(limits=1, user_api="blas")


send_at_once()
one_blas_thread()
