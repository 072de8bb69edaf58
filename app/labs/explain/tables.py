"""Which numbers each lab has beside those of any run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from . import counters
from .answer import Entry
from .attending import ATTENDING
from .beside import BESIDE
from .both import BOTH
from .chaos import CHAOS
from .decaying import MEASURED
from .entropies import ENTROPIES
from .film import FILM
from .inside import INSIDE
from .lengths import LENGTHS
from .loom import LOOM
from .loom_sums import SUMS
from .parted import PARTED
from .paths import PATHS
from .patterns import PATTERNS, pattern_of
from .recalled import RECALLED
from .scored import SCORED
from .searched import SEARCHED
from .sequences import SEQUENCES
from .sharing import SHARING
from .surgery import SURGERY
from .translated import TRANSLATED
from .weighed import WEIGHED

#: Name of a lab -> its own symbols.
OWN: Mapping[str, Mapping[str, Entry]] = MappingProxyType(
    {
        "BPTT": {**LOOM, **SUMS},
        "Gradients": {**MEASURED, **PARTED, **FILM, **RECALLED, **CHAOS},
        "LSTM": {**INSIDE, **PATHS, **SURGERY},
        "GRU": {**INSIDE, **BESIDE, **SURGERY},
        "Bidirectional": BOTH,
        "Seq2seq": {**SEQUENCES, **TRANSLATED, **ENTROPIES, **SCORED, **SEARCHED, **LENGTHS},
        "Attention": {**ATTENDING, **WEIGHED},
        "Unfold": SHARING,
    }
)


def table_of(lab: Any) -> dict[str, Entry]:
    """The entries of a lab: its own, those of its pattern, and the counters of every table."""
    return {**counters.COUNTERS, **OWN.get(lab.NAME, {}), **PATTERNS.get(pattern_of(lab), {})}
