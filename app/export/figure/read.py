"""What a binding names and how it is printed: the twin of `assets/js/diagram_values.js`, without a browser."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
from rnnscope.core import format_number

from ...diagrams.scene import MINUS

MISSING = "\N{EN DASH}"
#: Code points that are no character, and a space, as they are drawn.
CHARACTERS = {-1: "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}", -2: "\N{BLACK SQUARE}", 32: "\N{OPEN BOX}"}
EDITS = ("", "changed", "deleted")

Bound = Mapping[str, Any]


@dataclass(frozen=True)
class Cursor:
    """Where the page's cursor stands; a lab that has no such key has 0."""

    t: int = 1
    unit: int = 0
    lag: int = 0
    T: int = 1
    n: int = 1
    moment: int = 1
    substep: int = 0


@dataclass(frozen=True)
class Read:
    """Where a binding points and what stands there; None where there is nothing."""

    symbol: str
    t: int
    unit: int
    value: float | None

    @property
    def known(self) -> bool:
        """Whether there is a number."""
        return self.value is not None and not math.isnan(self.value)


class Numbers:
    """The arrays that a page paints, and its cursor.

    Parameters
    ----------
    arrays : name -> (array (steps, units), step of its first row), as `Lab.arrays` has them
    cursor : where the cursor stands
    """

    def __init__(self, arrays: Mapping[str, tuple[np.ndarray, int]], cursor: Cursor):
        self.cursor = cursor
        self._arrays = {name: (_table(array), first) for name, (array, first) in arrays.items()}

    def table(self, symbol: str) -> np.ndarray | None:
        """The array of a symbol, (steps, units)."""
        return self._arrays[symbol][0] if symbol in self._arrays else None

    def width(self, symbol: str) -> int:
        """How many units an array has; 0 where there is none."""
        table = self.table(symbol)
        return 0 if table is None else table.shape[1]

    def entry(self, symbol: str, t: int, unit: int) -> float | None:
        """One number, or None."""
        if symbol not in self._arrays:
            return None
        table, first = self._arrays[symbol]
        row = t - first
        return float(table[row, unit]) if 0 <= row < len(table) and 0 <= unit < table.shape[1] else None

    def step(self, t: int | Mapping[str, int]) -> int:
        """The step a binding speaks of."""
        return self.cursor.t + t["rel"] if isinstance(t, Mapping) else t

    def read(self, bound: Bound) -> Read:
        """What a binding names."""
        t, symbol = self.step(bound["t"]), bound["symbol"]
        unit = self._unit(bound, t)
        return Read(symbol, t, unit, None if self.later(bound.get("ready")) else self.entry(symbol, t, unit))

    def later(self, ready: int | None) -> bool:
        """Whether something that the sub-step `ready` makes is not there yet; sub-step 0 is the whole step."""
        cursor = self.cursor
        return bool(ready) and cursor.substep > 0 and cursor.t > 0 and ready > cursor.substep  # type: ignore[operator]

    def before(self, bound: Bound) -> Read:
        """The number of the untouched run, where an operation has changed it."""
        ghost, now = self.read({**bound, "symbol": f"ghost_{bound['symbol']}"}), self.read(bound)
        return Read(ghost.symbol, ghost.t, ghost.unit, None) if _same(ghost.value, now.value) else ghost

    def held(self, bound: Bound) -> str:
        """How a gate is held at the cursor's step: `clamped`, `2 of 4`, or nothing."""
        at, n = self.read(bound), self.width(bound["symbol"])
        count = int(sum(self.entry(at.symbol, at.t, unit) or 0 for unit in range(n)))
        return "" if not count else "clamped" if at.value == 1 else f"{count} of {n}"

    def edited(self, bound: Bound) -> str:
        """What was done to an input: `changed`, `deleted`, or nothing."""
        t, symbol = self.step(bound["t"]), bound["symbol"]
        return EDITS[int(max([0.0, *(self.entry(symbol, t, unit) or 0.0 for unit in range(self.width(symbol)))]))]

    def _unit(self, bound: Bound, t: int) -> int:
        unit = bound.get("unit")
        if isinstance(unit, int):
            return unit
        if isinstance(unit, Mapping):
            return int(self.entry(unit["from"], t, 0) or 0)
        return max(0, min(self.cursor.unit, max(1, self.width(bound["symbol"])) - 1))

    # --- text ---------------------------------------------------------------------------------

    def text(self, run: Mapping[str, Any], digits: int = 3) -> str:
        """The text of a run."""
        if "text" in run:
            return str(run["text"])
        if "said" in run:
            return self._said(run, digits)
        if "glyphs" in run:
            place = self.step(run["t"]) - 1
            return run["glyphs"][place] if 0 <= place < len(run["glyphs"]) else MISSING
        return self._number(run, digits)

    def plain(self, runs: list[Any]) -> str:
        """Runs as one line, as an accessible name has them."""
        return " ".join("".join(self.text(run) for run in runs).split())

    def _number(self, run: Mapping[str, Any], digits: int) -> str:
        if "char" in run:
            return character(self.read(run["char"]).value)
        if "share" in run:
            return share_text(self.read(run["share"]).value, run.get("tight", False))
        if "value" in run:
            return number_text(self.read(run["value"]).value, run.get("digits", digits))
        if "step" in run:
            return str(self.step(run["step"])).replace("-", MINUS)
        return str(self.cursor.unit + 1)

    def _said(self, run: Mapping[str, Any], digits: int) -> str:
        """What a node's name says of an operation."""
        said, of = run["said"], run["mark"]
        if said == "was":
            before = self.before(of).value
            return "" if before is None else f", was {number_text(before, digits)}"
        if said == "cut":
            return ", cut: the recurrent weights see 0" if self.read(of).value == 1 else ""
        words = self.edited(of) if said == "edited" else self.held(of)
        units = " units clamped" if " of " in words else ""
        return f", {words}{units}" if words else ""


def number_text(value: float | None, digits: int = 3) -> str:
    """A number as the diagrams print it."""
    return MISSING if value is None else format_number(value, digits)


def share_text(value: float | None, tight: bool = False) -> str:
    """A share with two decimals; what is above 0 is never shown as 0, nor what is below 1 as 1."""
    if tight:
        return share_text(value).replace("0.", ".", 1)
    if value is None or math.isnan(value):
        return number_text(value)
    if 0 < value < 0.005:
        return "<0.01"
    if 0.995 <= value < 1:
        return ">0.99"
    return str(Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP))


def character(code: float | None) -> str:
    """A code point as it is drawn."""
    return MISSING if code is None else CHARACTERS.get(int(code)) or chr(int(code))


def colour_step(value: float) -> int:
    """Step of the diverging scale, 0 … 10, for a value in units of the scale's end."""
    return math.floor((max(-1.0, min(1.0, value)) + 1) * 5 + 0.5)


def teal_step(share: float | None) -> int:
    """Step of the sequential scale, 0 … 8, for a share."""
    return max(0, min(8, math.floor((share or 0.0) * 8 + 0.5)))


def _table(array: np.ndarray) -> np.ndarray:
    table = np.asarray(array, dtype=np.float64)
    return table if table.ndim == 2 else table.reshape(len(table), -1)


def _same(before: float | None, now: float | None) -> bool:
    """Whether nothing is to be said of a number before: there is none, or it is the same to the last bit."""
    if before is None or now is None:
        return before is None
    return repr(before) == repr(now)
