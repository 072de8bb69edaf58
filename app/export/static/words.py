"""What a static copy says of itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...controls import describe
from ...values import either
from .axes import Axis
from .layout import even_step, value_words

if TYPE_CHECKING:
    from ...labs.base import Lab


def copy_words(lab: Lab, axes: Sequence[Axis], missing: Sequence[str]) -> str:
    """Which values there are, how exact the numbers, and which cards are left out."""
    varied = [_values(lab, axis) for axis in axes if axis.varied]
    held = f"A static copy: {'; '.join(varied)}." if varied else "A static copy of one run."
    cards = f" Not in it: {', '.join(missing)}." if missing else ""
    return f"{held} Numbers to 7 digits.{cards}"


def _values(lab: Lab, axis: Axis) -> str:
    """61 values of ρ from 0 to 3, step 0.05."""
    name = _name(lab.state.param[axis.key].label)
    step = even_step(axis.values) if len(axis.values) > 2 and _numbers(axis) else None
    if step is not None:
        first, last = (value_words({}, axis.key, axis.texts[end]) for end in (0, -1))
        return f"{len(axis.texts)} values of {name} from {first} to {last}, step {step:g}"
    spec = describe(lab.state)[axis.key]
    return f"{name} = {either([value_words(spec, axis.key, text) for text in axis.texts])}"


def _name(label: str) -> str:
    """The letter of a control, where it has one."""
    found = re.search(r"\$([^$]*)\$", label)
    return found[1] if found else label.lower()


def _numbers(axis: Axis) -> bool:
    return all(isinstance(value, (int, float)) for value in axis.values)
