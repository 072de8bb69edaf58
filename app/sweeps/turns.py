"""A map computed in turns with its page, where there is neither a thread nor a process: Python in a browser."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from rnnscope.core import ChaosGrid, chaos_batch

from .runner import Batch

#: Whether this is Python in a browser.
IN_BROWSER = sys.platform == "emscripten"
#: Seconds between two batches: time for the messages of the page that wait.
PAUSE = 0.02


class Turns:
    """As `runner.Sweep`, on the page's own event loop: a batch, then whatever the page asks, then the next batch."""

    def __init__(
        self, grid: ChaosGrid, on_batch: Callable[[Batch], None], on_end: Callable[[Exception | None], None]
    ) -> None:
        self.grid = grid
        self._on_batch, self._on_end = on_batch, on_end
        self._todo = iter(range(len(grid.batches())))
        self._cancelled = False
        self._next()

    def cancel(self) -> None:
        """Compute no more; nobody hears of it."""
        self._cancelled = True

    def _next(self) -> None:
        asyncio.get_running_loop().call_later(PAUSE, self._turn)

    def _turn(self) -> None:
        if self._cancelled:
            return
        index = next(self._todo, None)
        if index is None:
            self._on_end(None)
            return
        try:
            exponents = chaos_batch(self.grid, index)
        except Exception as error:  # in a callback of the loop nobody else would hear of it: `on_end` says it
            self._on_end(error)
            return
        self._on_batch((index, exponents))
        self._next()


class PageLoop:
    """What a map asks of a session's document, from the event loop of a page that has no session."""

    def add_next_tick_callback(self, call: Callable[[], Any]) -> None:
        asyncio.get_running_loop().call_soon(call)

    def add_timeout_callback(self, call: Callable[[], Any], milliseconds: float) -> None:
        asyncio.get_running_loop().call_later(milliseconds / 1000, call)

    def on_session_destroyed(self, _: Callable[[Any], Any]) -> None:
        """A page that is closed takes its Python with it."""
