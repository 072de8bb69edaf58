"""What `--vary` says: one key of a lab and the values that it goes through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import param

from .. import url
from ..state import LabState
from ..values import finite, shorten, write_value
from .errors import CannotExport

#: Values of one key: more than a slider of 1000 pixels can tell apart help nobody.
MOST_VALUES = 1000
FORM = "it takes KEY=LOW:HIGH:STEP or KEY=VALUE,VALUE,..."
#: How far HIGH may be from a whole number of steps, as a share of one: 0.05 has no finite binary form.
SLACK = 1e-6


@dataclass(frozen=True)
class Variation:
    """A key, its values in their order, and each of them as the query string writes it."""

    key: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]


def parse_variation(state: type[LabState], text: str) -> Variation:
    """Read `rho=0:3:0.05` or `notation=goodfellow,pytorch`; raises `CannotExport` that says what is accepted."""
    key, given, said = text.partition("=")
    if not given or key not in state.names() or key in state.SETTINGS - {"cell"}:
        raise CannotExport(f"--vary {shorten(text)}: {FORM}, with a key of the lab")
    ranged = isinstance(state.param[key], param.Number) and ":" in said
    texts = _range(key, said) if ranged else tuple(part.strip() for part in said.split(","))
    return Variation(key, tuple(_checked(state, key, one) for one in texts), texts)


def _checked(state: type[LabState], key: str, text: str) -> Any:
    try:
        return url.check(state, key, text)
    except ValueError as error:
        raise CannotExport(f"--vary {key}: {shorten(text)} is not accepted: {error}") from error


def _range(key: str, said: str) -> tuple[str, ...]:
    """LOW, LOW + STEP … HIGH, as a person would write them."""
    numbers = [finite(part) for part in said.split(":")]
    low, high, step = numbers if len(numbers) == 3 else (None, None, None)
    if low is None or high is None or step is None or step <= 0 or high < low:
        raise CannotExport(f"--vary {key}={shorten(said)}: {FORM}, LOW below HIGH and STEP above 0")
    count = int((high - low) / step + SLACK) + 1
    if count > MOST_VALUES:
        raise CannotExport(f"--vary {key} has {count:,} values and takes at most {MOST_VALUES:,}: make STEP larger")
    return tuple(write_value(round(low + k * step, 12)) for k in range(count))
