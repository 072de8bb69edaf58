"""`rnnscope export --format html`: makes a static copy, says how far it is and how large it became."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from ... import snapshot
from ...files import replace_file
from ..vary import parse_variation
from .build import static_copy

#: Seconds between two words on how far it is.
PATIENCE = 0.5


def write_copy(lab: str, query: Mapping[str, str], varied: Sequence[str], path: Path) -> None:
    """Write the file; raises `CannotExport` or an OSError, and leaves then what was there as it was."""
    variations = [parse_variation(snapshot.STATES[lab], text) for text in varied]
    with _moving_line() as show:
        copy = static_copy(lab, query, variations, show)
    replace_file(path, copy.html)
    print(f"rnnscope: {path}: {size_words(len(copy.html))}, {copy.states:,} states. {copy.said}", file=sys.stderr)


def size_words(size: int) -> str:
    """Bytes as a person says them."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


@contextmanager
def _moving_line() -> Iterator[Callable[[int, int], None]]:
    """A line that is written over on a terminal; nothing where standard error is a file."""
    said, started = [monotonic()], sys.stderr.isatty()

    def show(done: int, total: int) -> None:
        if started and (monotonic() - said[0] > PATIENCE or done == total):
            said[0] = monotonic()
            print(f"\r{done:,} of {total:,} states", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if started:
            print(file=sys.stderr)
