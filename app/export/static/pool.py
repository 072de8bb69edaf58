"""Values of a page as templates and numbers: every template and every set of numbers is kept once.

A template is JSON in which the numbers are left out, a hole each. What is left out is float32; float64 where a number
is too large or too small for that. The player (assets/static) puts them back.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rnnscope.core import format_number

#: The place of what is not there.
ABSENT = 0
#: Digits with which a page prints a number, the usual ones first.
DIGITS = (3, 5, 4, 2, 6)
SINGLE = np.finfo(np.float32)


@dataclass
class Pool:
    """Templates, numbers, and the instances made of both; instance 0 is nothing at all."""

    templates: list[str] = field(default_factory=lambda: ["null"])
    singles: array[float] = field(default_factory=lambda: array("f"))
    doubles: array[float] = field(default_factory=lambda: array("d"))
    instances: array[int] = field(default_factory=lambda: array("I", [0, 0, 0]))
    _template_places: dict[str, int] = field(default_factory=dict)
    _places: dict[tuple[int, bytes, bytes], int] = field(default_factory=dict)

    def put(self, value: Any) -> int:
        """Return the place of a value: dicts, lists, texts, numbers, and arrays of numbers."""
        holes = _Holes()
        template = json.dumps(holes.cut(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        at = self._template_places.setdefault(template, len(self.templates))
        if at == len(self.templates):
            self.templates.append(template)
        key = (at, holes.singles.tobytes(), holes.doubles.tobytes())
        if key not in self._places:
            self._places[key] = self._add(at, holes)
        return self._places[key]

    def _add(self, template: int, holes: _Holes) -> int:
        self.instances.extend([template, len(self.singles), len(self.doubles)])
        self.singles.extend(holes.singles)
        self.doubles.extend(holes.doubles)
        return len(self.instances) // 3 - 1

    @property
    def size(self) -> int:
        """Bytes of all numbers, not compressed."""
        return 4 * len(self.singles) + 8 * len(self.doubles) + 4 * len(self.instances)


@dataclass
class _Holes:
    """The numbers of one value, in the order in which the player meets their holes."""

    singles: array[float] = field(default_factory=lambda: array("f"))
    doubles: array[float] = field(default_factory=lambda: array("d"))

    def cut(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return {self._take(value.ravel()): value.size}
        if isinstance(value, dict):
            if value.get("kind") == "number" and "value" in value:
                return self._token(value)
            return {key: self.cut(one) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.cut(one) for one in value]
        return value

    def _token(self, token: dict[str, Any]) -> dict[str, Any]:
        """A number in a text: its digits are printed again from the number, where that gives the same text."""
        number = np.array([float(token["value"])])
        hole = self._take(number)
        kept = float(number[0] if hole == "##" else np.float32(number[0]))
        digits = next((count for count in DIGITS if format_number(kept, count) == token["text"]), None)
        looks = {key: one for key, one in token.items() if key not in ("value", "text")}
        return looks | {"number": hole} | ({"digits": digits} if digits else {"text": token["text"]})

    def _take(self, numbers: np.ndarray) -> str:
        """Keep numbers in the narrowest type that holds them; says which."""
        if fits(numbers):
            self.singles.frombytes(numbers.astype(np.float32).tobytes())
            return "#"
        self.doubles.frombytes(numbers.astype(np.float64).tobytes())
        return "##"


def fits(numbers: np.ndarray) -> bool:
    """Whether float32 holds these numbers with all of its digits."""
    sizes = np.abs(numbers[np.isfinite(numbers) & (numbers != 0)])
    return not sizes.size or bool(SINGLE.tiny <= sizes.min() and sizes.max() <= SINGLE.max)
