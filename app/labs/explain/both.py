"""The numbers of two chains over one sequence: outputs, what reaches them, what a change moves, weights, counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import read_out_equation
from rnnscope.core.notation import find_notation, weight_token

from ...words import Phrase, phrase, readout, symbol, token_words
from . import origin
from .answer import Asked, Check, Entry, check
from .both_chain import GATES, WAYS, of_chain, shown_run
from .both_moves import MOVES
from .both_weights import WEIGHTS
from .network import AGAIN

# --- inputs and outputs ------------------------------------------------------------------------


class OneChain:
    """What both chains share, as a lab of one network: where an input comes from."""

    def __init__(self, lab: Any):
        self.run = self
        self.config = lab.run.config.chain


def _one_chain(asked: Asked) -> Asked:
    return replace(asked, lab=OneChain(asked.lab))


def _output_lines(asked: Asked) -> list[Phrase]:
    shown = shown_run(asked)
    found = read_out_equation(shown.network)
    start = found.tokens(asked.notation, asked.t)[:2]
    return [token_words([*start, *found.numbers(shown.network, shown.trace, asked.t, asked.unit)])]


def _output_checks(asked: Asked, value: float) -> list[Check]:
    shown = shown_run(asked)
    again = read_out_equation(shown.network).evaluate(shown.network, shown.trace, asked.t)
    return [check(AGAIN, again[asked.unit], value)]


def _letter(asked: Asked) -> Phrase:
    return token_words(read_out_equation(shown_run(asked).network).tokens(asked.notation, asked.t)[:1])


def _share(asked: Asked, way: str) -> tuple[np.ndarray, np.ndarray, int]:
    """The read-out's row and the states of one chain, and the place of the first in the concatenated vector."""
    shown = shown_run(asked)
    n, start = shown.network.forward.hidden_size, 0 if way == "forward" else shown.network.forward.hidden_size
    return np.asarray(shown.network.W_hy)[asked.unit, start:][:n], shown.trace.hs[asked.t - 1, start:][:n], start


def _share_rows(way: str) -> Callable[[Asked], tuple[Any, int]]:
    def rows(asked: Asked) -> tuple[Any, int]:
        shown = shown_run(asked)
        found = read_out_equation(shown.network)
        return [found.parts(shown.network, shown.trace, t)[way] for t in range(1, shown.steps + 1)], 1

    return rows


def _share_lines(way: str) -> Callable[[Asked], list[Phrase]]:
    def lines(asked: Asked) -> list[Phrase]:
        row, states, start = _share(asked, way)
        terms: list[Any] = []
        for j, (weight, state) in enumerate(zip(row, states, strict=True)):
            terms += [" + (" if j else "(", readout(weight, "W_hy", 0, asked.unit * 2 * len(row) + start + j), ") × ("]
            terms += [readout(state, f"h_{way}", asked.t, j), ")"]
        return [phrase(*terms)]

    return lines


def _share_checks(way: str) -> Callable[[Asked, float], list[Check]]:
    def checks(asked: Asked, value: float) -> list[Check]:
        row, states, _ = _share(asked, way)
        return [check("Product by product", math.fsum(row * states), value)]

    return checks


def _share_formula(way: str) -> Callable[[Asked], Phrase]:
    def formula(asked: Asked) -> Phrase:
        tokens = read_out_equation(shown_run(asked).network).tokens(asked.notation, asked.t)
        state = next(token for token in tokens if token.symbol == f"h_{way}")
        weight = weight_token(
            find_notation(asked.notation, bool(shown_run(asked).network.forward.gate_names)),
            "W_hy",
            None,
            transposed=False,
        )
        return phrase(*token_words([weight]), " (columns of this chain) · ", *token_words([state]))

    return formula


def _share_of_output(way: str) -> Entry:
    return Entry(
        words=f"what the {way} chain adds to the output",
        rows=_share_rows(way),
        code=lambda at: f"read_out_equation(r.network).parts(r.network, r.trace, {at.t})['{way}'][{at.unit}]",
        title=_letter,
        formula=_share_formula(way),
        lines=_share_lines(way),
        checks=_share_checks(way),
        where=lambda at: f", step {at.t}",
    )


OUTPUTS = {
    "x": Entry(
        words="input",
        rows=lambda at: (shown_run(at).trace.xs, 1),
        code=lambda at: f"r.trace.xs[{at.t - 1}, {at.unit}]",
        title=lambda at: phrase(symbol("x", str(at.t))),
        checks=lambda at, value: [check(origin.MADE_AGAIN, origin.again(_one_chain(at)) or 0.0, value)],
        note=lambda at: origin.note(_one_chain(at)),
        where=lambda at: f", step {at.t}",
    ),
    "y": Entry(
        words="output",
        rows=lambda at: (shown_run(at).trace.ys, 1),
        code=lambda at: f"r.trace.ys[{at.t - 1}, {at.unit}]",
        title=_letter,
        formula=lambda at: token_words(read_out_equation(shown_run(at).network).tokens(at.notation, at.t)),
        lines=_output_lines,
        checks=_output_checks,
        where=lambda at: f", step {at.t}",
    ),
}

#: Every quantity that some cell has.
QUANTITIES = ("h", "c", "a", *GATES, *(f"a{gate}" for gate in GATES))
BOTH: Mapping[str, Entry] = MappingProxyType(
    {f"{name}_{way}": of_chain(way, name) for name in QUANTITIES for way in WAYS}
    | {f"y_{way}": _share_of_output(way) for way in WAYS}
    | OUTPUTS
    | MOVES
    | WEIGHTS
)
