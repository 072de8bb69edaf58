"""Which numbers each lab has beside those of any run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from . import counters
from .answer import Entry
from .chaos import CHAOS
from .decaying import MEASURED
from .film import FILM
from .loom import LOOM
from .loom_sums import SUMS
from .parted import PARTED
from .recalled import RECALLED

#: Name of a lab -> its own symbols.
OWN: Mapping[str, Mapping[str, Entry]] = MappingProxyType(
    {"BPTT": {**LOOM, **SUMS}, "Gradients": {**MEASURED, **PARTED, **FILM, **RECALLED, **CHAOS}}
)


def table_of(lab: Any) -> dict[str, Entry]:
    """The entries of a lab: its own, and the counters of every table."""
    return {**counters.COUNTERS, **OWN.get(lab.NAME, {})}
