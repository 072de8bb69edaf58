"""How far a sweep of pictures is: a bar that is written over on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WIDTH = 32


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], object]]:
    """A function that is told how many of how many parts are done; the bar is gone when all is."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    try:
        yield lambda done, total: print(f"\r{bar(done, total)} {what}", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def bar(done: int, total: int) -> str:
    """[########        ] 25 %."""
    full = WIDTH * done // total
    return f"[{'#' * full}{' ' * (WIDTH - full)}] {100 * done // total:3d} %"


def say(text: str) -> None:
    """One line, when something is done."""
    print(f"rnnscope: {text}", file=sys.stderr)
