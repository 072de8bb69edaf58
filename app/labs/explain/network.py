"""Numbers of a run that stand in core's equations: evaluated again, gradients by central differences too."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import (
    Equation,
    Product,
    backward_equations,
    central_difference,
    equations,
    loss_equations,
    meaning_of,
    products,
    step_jacobians,
)

from ...words import Phrase, phrase, symbol, token_words
from . import origin
from .answer import CENTRAL, Asked, Check, Entry, check, one, step_alone, step_and_place, step_and_unit

AGAIN, DIFFERENCES = "Recomputed from the equation", "Central differences of the loss"
FORWARD = {
    "x": lambda asked: (asked.trace.xs, 1),
    "h": lambda asked: (asked.trace.hs, 0),
    "c": lambda asked: (asked.trace.cs, 0),
    "y": lambda asked: (asked.trace.ys, 1),
    "target": lambda asked: (asked.run.targets, 1),
    "L": lambda asked: (asked.gradients.loss, 1),
    "dy": lambda asked: (asked.gradients.outputs, 1),
    "dh": lambda asked: (asked.full.states[:, : asked.cell.hidden_size], 0),
    "dc": lambda asked: (asked.full.states[:, asked.cell.hidden_size :], 0),
    "a": lambda asked: (asked.trace.preactivations, 1),
    "da": lambda asked: (asked.gradients.preactivations, 1),
}
CODE = {
    "x": "r.trace.xs[{p}, {unit}]", "h": "r.trace.hs[{t}, {unit}]", "c": "r.trace.cs[{t}, {unit}]",
    "y": "r.trace.ys[{p}, {unit}]", "L": "r.gradients.loss[{p}]", "dy": "r.gradients.outputs[{p}, {unit}]",
    "a": "r.trace.preactivations[{p}, {unit}]", "da": "r.gradients.preactivations[{p}, {unit}]",
    "dh": "{full}.states[{t}, {unit}]", "dc": "{full}.states[{t}, {after}]",
}  # fmt: skip


def find(asked: Asked) -> Entry | None:
    """The entry of a symbol of the cell's equations, None for any other."""
    name, gates = asked.symbol, asked.cell.gate_names
    if name in FORWARD and _exists(asked):
        return _entry(asked, FORWARD[name], "")
    if name in gates:
        return _entry(asked, lambda at: (at.trace.gates[name], 1), f'r.trace.gates["{name}"][{{p}}, {{unit}}]')
    if name[:-1] == "a" and name[1:] in gates:
        code = f'r.trace.preactivations["{name[1:]}"][{{p}}, {{unit}}]'
        return _entry(asked, lambda at: (at.trace.preactivations[name[1:]], 1), code)
    if name[:-1] == "da" and name[2:] in gates:
        code = f'{{full}}.preactivations["{name[2:]}"][{{p}}, {{unit}}]'
        return _entry(asked, lambda at: (at.full.preactivations[name[2:]], 1), code)
    return None


def _exists(asked: Asked) -> bool:
    """An RNN has no c, a gated cell no single a."""
    wanted = {"c": asked.trace.cs is not None, "dc": asked.trace.cs is not None}
    return wanted.get(asked.symbol, asked.symbol not in ("a", "da") or not asked.gated)


def _entry(asked: Asked, rows: Any, code: str) -> Entry:
    return Entry(
        words=meaning_of(asked.symbol) or asked.symbol,
        rows=rows,
        code=lambda at: code_of(at, code),
        title=lambda at: at.letter(at.symbol),
        formula=_formula,
        lines=_lines,
        products=_products,
        checks=_checks,
        note=origin.note,
        where=_where(asked),
    )


def _where(asked: Asked) -> Any:
    name, d, m = asked.symbol, asked.cell.input_size, asked.cell.output_size
    if (name == "x" and d > 1) or (name in ("y", "dy", "target") and (m or 1) > 1):
        return step_and_place
    return step_alone if name in ("x", "y", "dy", "target", "L") else step_and_unit


def code_of(asked: Asked, code: str) -> str:
    """The Python of a number; a class index is no row."""
    if asked.symbol == "target":
        return (
            f"r.targets[{asked.t - 1}]"
            if np.ndim(asked.run.targets) == 1
            else f"r.targets[{asked.t - 1}, {asked.unit}]"
        )
    cut = asked.run.config.truncate is not None
    full = "bptt(r.cell, r.trace, r.targets, r.config.loss)" if cut else "r.gradients"
    places = {"t": asked.t, "p": asked.t - 1, "unit": asked.unit, "after": asked.cell.hidden_size + asked.unit}
    return (code or CODE[asked.symbol]).format(full=full, **places)


# --- the equation ----------------------------------------------------------------------------


def equation_of(asked: Asked, name: str | None = None) -> Equation | None:
    """Core's equation of a symbol, where it holds: from step 1 on, a backward one without a window."""
    wanted = name or asked.symbol
    if asked.t < 1 or (wanted in ("da", "dh", "dc") and _is_cut(asked)):
        return None
    known = [*equations(asked.cell), *backward_equations(asked.cell)]
    known += loss_equations(asked.run.config.loss, asked.gated) if asked.run.targets is not None else ()
    return next((item for item in known if item.symbol == wanted), None)


def _is_cut(asked: Asked) -> bool:
    return asked.run.config.truncate is not None and asked.symbol == "da"


def _inner(asked: Asked) -> list[Equation]:
    """The equation, and before it that of the pre-activation it is a function of."""
    name, found = asked.symbol, equation_of(asked)
    before = f"a{name}" if name in asked.cell.gate_names else "a" if name == "h" and not asked.gated else None
    parts = [equation_of(asked, before) if before else None, found]
    return [item for item in parts if item is not None]


def _formula(asked: Asked) -> Phrase:
    found = equation_of(asked)
    if found is not None:
        return token_words(found.tokens(asked.notation, asked.t))
    if asked.symbol == "da":
        return phrase(
            *asked.letter("da"),
            " = ",
            symbol("φ"),
            "′(",
            *asked.letter("a"),
            ") × what arrives at ",
            *asked.letter("h"),
        )
    if asked.symbol in ("dh", "dc") and asked.t == 0:
        return phrase(*asked.letter(asked.symbol), " = ", *asked.letter("dh", 1), symbol("J", "1"))
    return []


def _lines(asked: Asked) -> list[Phrase]:
    """Every equation of the number with numbers put in."""
    run = asked.run
    return [
        [
            *token_words(item.tokens(asked.notation, asked.t)[:2]),
            *token_words(
                item.numbers(
                    run.cell, run.trace, asked.t, unit_of(asked), asked.full_or_none, asked.notation, run.targets
                )
            ),
        ]
        for item in _inner(asked)
    ]


def unit_of(asked: Asked) -> int:
    """A loss is one number, whatever unit was asked for."""
    return 0 if asked.symbol == "L" else asked.unit


def _products(asked: Asked) -> tuple[Product, ...]:
    found = _inner(asked)
    if not found:
        return ()
    run = asked.run
    return products(
        found[0], run.cell, run.trace, asked.t, unit_of(asked), asked.full_or_none, asked.notation, run.targets
    )


# --- the checks ------------------------------------------------------------------------------


def _checks(asked: Asked, value: float) -> list[Check]:
    again = recomputed(asked)
    words = origin.MADE_AGAIN if equation_of(asked) is None and origin.again(asked) is not None else AGAIN
    found = [] if again is None else [check(words, again, value)]
    slope = central(asked)
    return found if slope is None else [*found, check(DIFFERENCES, slope, value, "central", CENTRAL)]


def recomputed(asked: Asked) -> float | None:
    """The number from its equation; before step 1, and with a window, from what stands in for it."""
    found, run = equation_of(asked), asked.run
    if found is not None:
        return float(found.evaluate(run.cell, run.trace, asked.t, asked.full_or_none, run.targets)[unit_of(asked)])
    if asked.symbol == "da":
        slope = asked.cell.slope(asked.trace.preactivations[asked.t - 1])
        return float((slope * asked.gradients.through[asked.t - 1])[asked.unit])
    if asked.symbol in ("dh", "dc"):
        place = asked.unit + (asked.cell.hidden_size if asked.symbol == "dc" else 0)
        return float((asked.full.through[asked.t] @ step_jacobians(asked.cell, asked.trace)[asked.t])[place])
    return origin.again(asked)


def kept_losses(asked: Asked, t: int) -> tuple[int, int]:
    """The losses that go on through step t."""
    return t, min(asked.T, t + asked.window - 1)


def moved(asked: Asked, name: str, direction: np.ndarray, t: int | None, losses: Any = None) -> float:
    """The central difference of this run's losses."""
    run = asked.run
    return central_difference(run.cell, run.trace, run.targets, run.config.loss, name, direction, t, losses)


def central(asked: Asked) -> float | None:
    """The slope of the loss by this very number, None where it is no gradient."""
    name, t, unit, cell = asked.symbol, asked.t, asked.unit, asked.cell
    if name in ("dh", "dc"):
        return moved(asked, "state", one((cell.state_size,), unit + (cell.hidden_size if name == "dc" else 0)), t)
    if name == "dy":
        return moved(asked, "y", one((cell.output_size,), unit), t)
    if name == "da":
        return moved(asked, "b_h", one(cell.b_h.shape, unit), t, kept_losses(asked, t))
    if name.startswith("da"):
        return moved(asked, "b_h", one(cell.b_h.shape, cell.gate_names.index(name[2:]), unit), t)
    return None
