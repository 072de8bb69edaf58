"""Which numbers each lab has beside those of any run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from . import counters
from .answer import Entry

#: Name of a lab -> its own symbols.
OWN: Mapping[str, Mapping[str, Entry]] = MappingProxyType({})


def table_of(lab: Any) -> dict[str, Entry]:
    """The entries of a lab: its own, and the counters of every table."""
    return {**counters.COUNTERS, **OWN.get(lab.NAME, {})}
