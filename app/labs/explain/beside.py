"""Beside the GRU: the same input through an RNN and an LSTM, counts of weights, other conventions, claims."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import Config, Run, run, unroll, variant_differences
from rnnscope.core.gru_variants import with_negated_update, with_other_reset

from ...words import Phrase, phrase, plain, readout, symbol
from ..gru_details import CELLS
from ..gru_presets import forgetful
from . import network
from .answer import Asked, Check, Entry, MissingError, check
from .standin import StandIn

#: Cell -> how many blocks W, U and b have.
BLOCKS = {"rnn": 1, "gru": 3, "lstm": 4}
FARTHEST = "Largest |difference|, unrolled again"


def _config(asked: Asked, cell: str) -> Config:
    found: Config = asked.lab.state.config_of(cell)
    return found


def _run(asked: Asked, cell: str) -> Run:
    """One of the three cells on the lab's input, without surgery."""
    found: Run = asked.lab.untouched if cell == "gru" else run(_config(asked, cell))
    return found


def _neighbour(asked: Asked, cell: str) -> Asked:
    return replace(asked, lab=StandIn(asked.lab, _run(asked, cell)), symbol="h")


def _state(cell: str) -> Entry:
    """h of one of the cells: what the equations of that cell say of it."""

    def there(part: Callable[[Entry], Callable[..., Any]]) -> Callable[..., Any]:
        def told(asked: Asked, *rest: Any) -> Any:
            at = _neighbour(asked, cell)
            found = network.find(at)
            if found is None:
                raise MissingError(f"This cell has no {asked.symbol}.")
            return part(found)(at, *rest)

        return told

    return Entry(
        words=f"hidden state of the {cell.upper()}",
        rows=there(lambda entry: entry.rows),
        code=there(lambda entry: entry.code),
        title=there(lambda entry: entry.title),
        formula=there(lambda entry: entry.formula),
        lines=there(lambda entry: entry.lines),
        products=there(lambda entry: entry.products),
        checks=there(lambda entry: entry.checks),
        note=there(lambda entry: entry.note),
        where=there(lambda entry: entry.where),
        config=lambda asked: _config(asked, cell),
    )


# --- counts ----------------------------------------------------------------------------------


def _sizes(asked: Asked, cell: str) -> tuple[int, int, int, int]:
    """Blocks, n, d, and the numbers of b_hh."""
    found = _run(asked, cell).cell
    inner = getattr(found, "b_hh", None)
    return BLOCKS[cell], found.hidden_size, found.input_size, 0 if inner is None else inner.size


def _count_line(cell: str) -> Callable[[Asked], list[Phrase]]:
    def lines(asked: Asked) -> list[Phrase]:
        blocks, n, d, inner = _sizes(asked, cell)
        counted = f"{blocks} × ({n} × {d} + {n}² + {n})" + (f" + {inner}" if inner else "")
        total = blocks * (n * d + n * n + n) + inner
        return [[plain(f"{counted} = "), readout(total, f"parameters_{cell}", text=f"{total:,}")]]

    return lines


def _count_checks(cell: str) -> Callable[[Asked, float], list[Check]]:
    def checks(asked: Asked, value: float) -> list[Check]:
        blocks, n, d, inner = _sizes(asked, cell)
        return [check("Counted: W, U and b of every block", blocks * (n * d + n * n + n) + inner, value)]

    return checks


def _count_formula(cell: str) -> Callable[[Asked], Phrase]:
    def formula(asked: Asked) -> Phrase:
        n, blocks = symbol("n"), "" if cell == "rnn" else f"{BLOCKS[cell]} "
        inner = [" + ", n] if _sizes(asked, cell)[3] else []
        return phrase(f"{blocks}(", n, symbol("d"), " + ", n, "² + ", n, ")", *inner)

    return formula


def _count(cell: str) -> Entry:
    return Entry(
        words=f"numbers to learn in the {cell.upper()}",
        rows=lambda at: ([_run(at, cell).cell.parameter_count], 0),
        code=lambda _: "r.cell.parameter_count",
        title=lambda _: phrase("parameters"),
        formula=_count_formula(cell),
        lines=_count_line(cell),
        checks=_count_checks(cell),
        note=lambda at: (
            phrase("The last addend is the bias inside the reset gate’s bracket.") if _sizes(at, cell)[3] else []
        ),
        config=lambda asked: _config(asked, cell),
    )


def _inner_count() -> Entry:
    def size(asked: Asked) -> int:
        return _sizes(asked, "gru")[3]

    return Entry(
        words="numbers in the bias inside the reset gate’s bracket",
        rows=lambda at: ([size(at)], 0),
        code=lambda _: "0 if r.cell.b_hh is None else r.cell.b_hh.size",
        title=lambda _: phrase("parameters"),
        checks=lambda at, value: [check("One a unit, with the reset after the product", _one_a_unit(at), value)],
    )


def _one_a_unit(asked: Asked) -> int:
    cell = asked.lab.untouched.cell
    return cell.hidden_size if cell.reset == "after" else 0


# --- the other conventions -------------------------------------------------------------------

SETUP = ["from rnnscope.core.gru_variants import variant_differences"]


def _switched(name: str, cell: Any) -> Any:
    """The cell that a difference is to."""
    if name == "negated":
        return with_negated_update(cell)
    if name == "update":
        return replace(cell, update="old" if cell.update == "new" else "new")
    return with_other_reset(cell)


def _again(asked: Asked, name: str) -> float:
    """One more time: a whole run, or the one step from the same state."""
    plain_run = asked.lab.untouched
    cell, trace = _switched(name, plain_run.cell), plain_run.trace
    if name == "reset_step":
        step = unroll(cell, trace.xs[asked.t - 1 : asked.t], trace.hs[asked.t - 1]).hs[1]
        return float(np.abs(step - trace.hs[asked.t]).max())
    return float(np.abs(unroll(cell, trace.xs, trace.hs[0]).hs - trace.hs).max())


def _difference(name: str, words: str) -> Entry:
    def rows(asked: Asked) -> tuple[Any, int]:
        plain_run = asked.lab.untouched
        step = min(max(1, asked.t), plain_run.trace.steps)
        found = variant_differences(plain_run.cell, plain_run.trace, step)
        return [getattr(found, name)], step if name == "reset_step" else plain_run.trace.steps

    return Entry(
        words=words,
        rows=rows,
        code=lambda at: f"variant_differences(r.cell, r.trace, {at.t}).{name}",
        title=lambda _: phrase("max |", symbol("h"), "′ − ", symbol("h"), "|"),
        formula=lambda at: phrase("max |", symbol("h"), "′ − ", symbol("h"), "| over ", _span(at, name)),
        checks=lambda at, value: [check(FARTHEST, _again(at, name), value)],
        note=lambda _: phrase(symbol("h"), "′ is of the other cell, on the same input and from the same start."),
        config=lambda asked: asked.lab.untouched.config,
        setup=lambda _: SETUP,
    )


def _span(asked: Asked, name: str) -> str:
    return f"the units at step {asked.t}" if name == "reset_step" else f"all units of {asked.T} steps"


# --- what a preset claims --------------------------------------------------------------------


def _largest_again(asked: Asked) -> float:
    return max(abs(float(number)) for number in asked.trace.hs.ravel())


def _history_again(asked: Asked) -> float:
    """From the states: what each candidate is without the part of its sum that reads them."""
    own, shown = asked.cell, asked.trace
    sums = [shown.xs @ own.W_xh[-1].T + own.b_h[-1], shown.preactivations["g"]]
    return max(abs(math.tanh(a) - math.tanh(b)) for a, b in zip(*(part.ravel() for part in sums), strict=True))


CLAIMED = {
    "h_largest": Entry(
        words="size of the largest hidden state of the run",
        rows=lambda at: ([float(np.abs(at.trace.hs).max())], at.T),
        code=lambda _: "np.abs(r.trace.hs).max()",
        title=lambda _: phrase("max |", symbol("h"), "|"),
        checks=lambda at, value: [check("Number by number", _largest_again(at), value)],
    ),
    "candidate_history": Entry(
        words="how far the candidates are from what they would be without the state before",
        rows=lambda at: ([forgetful(at.run)], at.T),
        code=lambda _: 'np.abs(r.trace.gates["g"] - np.tanh(r.trace.xs @ r.cell.W_xh[-1].T + r.cell.b_h[-1])).max()',
        title=lambda at: phrase("max |", *at.letter("g"), " − tanh(W x + b)|"),
        checks=lambda at, value: [check("Number by number, from their sums", _history_again(at), value)],
    ),
}

BESIDE: Mapping[str, Entry] = MappingProxyType(
    {f"h_{cell}": _state(cell) for cell in CELLS}
    | {f"parameters_{cell}": _count(cell) for cell in CELLS}
    | CLAIMED
    | {
        "parameters_b_hh": _inner_count(),
        "difference_update": _difference("update", "how far the other update gate moves the states"),
        "difference_negated": _difference(
            "negated", "how far the other update gate moves the states, with the signs of its weights turned"
        ),
        "difference_reset": _difference("reset", "how far the other place of the reset gate moves the states"),
        "difference_reset_step": _difference(
            "reset_step", "how far the other place of the reset gate moves the state of one step"
        ),
    }
)
