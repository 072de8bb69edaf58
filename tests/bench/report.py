"""What a part of the bench hands back: tables of text, and the statistics that fill them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Table:
    """One table of results: its cells are text already."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]]
    notes: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """The table as aligned Markdown: readable in a terminal as it is."""
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows, strict=True)]
        rule = ["-" * width for width in widths]
        lines = [_line(row, widths) for row in (self.columns, rule, *self.rows)]
        return "\n".join([f"### {self.title}", "", *lines, *(f"\n{note}" for note in self.notes), ""])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The first column to the left, numbers to the right."""
    numbers = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return f"| {' | '.join([cells[0].ljust(widths[0]), *numbers])} |"


def p50(samples: Sequence[float]) -> float:
    return float(np.percentile(samples, 50))


def p95(samples: Sequence[float]) -> float:
    return float(np.percentile(samples, 95))


def ms(value: float) -> str:
    return f"{value:.1f}"


def timed(call: Callable[[], Any]) -> float:
    """Milliseconds that one call takes."""
    start = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - start)
