"""Why weights are shared over time: one network reads two texts, and so does one with weights for every position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array, read_only
from .build import build_cell, build_inputs
from .cells import Cell
from .config import Config
from .inputs import ALPHABET_SIZE, text_indices
from .unroll import unroll


@dataclass(frozen=True, eq=False)
class SharingComparison:
    """Two texts, read up to the end of a part that they have in common.

    Attributes
    ----------
    places : (2,)
        The step at which the common part ends in each text.
    common : int
        How many symbols in a row before it, the end included, are the same.
    shared : (common + 1,)
        Entry k is ||h − h'||, of the states of the two texts, k symbols into the common part, with one set of weights.
    separate : (common + 1,)
        The same with weights drawn for each position.
    parameters_shared, parameters_separate : int
        Of the hidden units alone, without a read-out, for the longer text.
    """

    places: tuple[int, int]
    common: int
    shared: Array
    separate: Array
    parameters_shared: int
    parameters_separate: int


def compare_sharing(config: Config, texts: Sequence[str], part: str) -> SharingComparison:
    """Read two texts with the network of a config, and with a draw of it for each position.

    The cell of position t is that of the seed config.seed + t - 1 (modulo 2**32); position 1 has the shared weights.

    Raises
    ------
    ValueError
        For a text that does not hold `part`.
    """
    for text in texts:
        if part not in text:
            raise ValueError(f"texts must hold {part!r}, got {text!r}")
    first, second = (_config(config, text) for text in texts)
    places = (texts[0].index(part) + len(part), texts[1].index(part) + len(part))
    common = _common(texts, places)
    cells = [build_cell(replace(first, seed=(config.seed + t) % 2**32)) for t in range(max(map(len, texts)))]
    alone = [build_inputs(item) for item in (first, second)]
    shared = [unroll(cells[0], xs).hs for xs in alone]
    separate = [_unroll_separate(cells, xs) for xs in alone]
    count = cells[0].parameter_count
    return SharingComparison(
        places, common, _apart(shared, places, common), _apart(separate, places, common), count, count * len(cells)
    )


def _config(config: Config, text: str) -> Config:
    scalars = dict.fromkeys(("U", "W", "V", "b", "c", "h0")) if hasattr(config, "U") else {}
    sizes = {"d": ALPHABET_SIZE, "T": len(text), "outputs": None, "target": None, "loss": "squared", "truncate": None}
    return replace(config, input="text", text=text, values=None, **sizes, **scalars)  # type: ignore[arg-type]


def _common(texts: Sequence[str], places: tuple[int, int]) -> int:
    """Count the symbols that are the same, back from the end of the part."""
    left, right = (text_indices(text)[:place][::-1] for text, place in zip(texts, places, strict=True))
    steps = min(len(left), len(right))
    different = np.flatnonzero(left[:steps] != right[:steps])
    return int(different[0]) if different.size else steps


def _unroll_separate(cells: Sequence[Cell], xs: Array) -> Array:
    """Run with the cell of each position, from zeros; shape (T + 1, s)."""
    states = np.zeros((len(xs) + 1, cells[0].state_size))
    for t, x in enumerate(xs):
        states[t + 1] = cells[t].step(x, states[t])
    return states


def _apart(states: Sequence[Array], places: tuple[int, int], common: int) -> Array:
    (left, right), (first, second) = states, places
    gaps = left[first - common : first + 1] - right[second - common : second + 1]
    return read_only(np.linalg.norm(gaps, axis=1))
