"""Numbers of an operated run: what is held or cut there, the untouched run beside it, and what has changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import OperatedRun, operated_step_jacobians, sigmoid

from ...words import phrase, symbol
from ..surgery import CURVE, GHOST
from .answer import OTHER_WAY, Asked, Check, Entry, MissingError, check, nothing, step_and_unit
from .beside import BESIDE
from .inside import CUT
from .paths import PATHS, span_log10
from .standin import StandIn


def _operated(asked: Asked) -> OperatedRun:
    found: OperatedRun | None = asked.lab.operated
    if found is None:
        raise MissingError(f"Nothing is operated on: there is no {asked.symbol}.")
    return found


def _setup(asked: Asked) -> list[str]:
    return [f"surgery = {_operated(asked).surgery!r}", "plain = r", "r = operate_on(plain, surgery).run"]


# --- the untouched run -----------------------------------------------------------------------


def of_untouched(asked: Asked) -> bool:
    """Whether a number of the untouched run is meant that the operated one has too."""
    shown = asked.symbol.startswith(GHOST) and asked.symbol not in SURGERY
    return shown and getattr(asked.lab, "operated", None) is not None


def untouched(asked: Asked) -> Asked:
    return replace(asked, lab=StandIn(asked.lab, asked.lab.untouched), symbol=asked.symbol.removeprefix(GHOST))


def as_untouched(entry: Entry) -> Entry:
    """The entry of a number of the untouched run, for the name that it has beside the operated one."""
    found = {item.name: getattr(entry, item.name) for item in fields(entry)}
    moved = {name: _before(part) for name, part in found.items() if callable(part)}
    if isinstance(entry.words, str):
        moved["words"] = _before(lambda _, words=entry.words: words)
    words = moved["words"]
    return Entry(**{**moved, "words": lambda at: f"without surgery: {words(at)}"})


def _before(part: Callable[..., Any]) -> Callable[..., Any]:
    return lambda asked, *rest: part(untouched(asked), *rest)


# --- the operated run ------------------------------------------------------------------------


def operated(asked: Asked, entry: Entry) -> Entry:
    """The entry, where an operation is in force: its lines of Python operate, and what is held is not computed."""
    if getattr(asked.lab, "operated", None) is None or asked.symbol in APART:
        return entry
    own = entry.setup
    entry = replace(entry, setup=lambda at: [*_setup(at), *own(at)])
    inside = 1 <= asked.t <= asked.T and 0 <= asked.unit < max(asked.cell.hidden_size, asked.cell.input_size)
    held = _held(asked) if inside else None
    if held is None:
        return entry
    words, checks = held
    plain: dict[str, Any] = {"formula": nothing, "lines": lambda _: [], "products": lambda _: ()}
    return replace(entry, **plain, checks=checks, note=lambda _: phrase(words))


def _held(asked: Asked) -> tuple[str, Callable[[Asked, float], list[Check]]] | None:
    """What is said of a number that surgery touches itself, and how it is checked; None for any other."""
    name, gates = asked.symbol, asked.cell.gate_names
    if name == "x":
        return _edited(asked)
    if asked.unit >= asked.cell.hidden_size:
        return None
    if name in gates and asked.lab.clamped(name, asked.t, asked.unit):
        words = "Held there by surgery, whatever the weights say; no gradient goes through it."
        return words, lambda at, value: [check("Value of the clamp", _clamp(at), value)]
    if name in gates and asked.lab.is_cut(asked.t):
        return CUT, _gate_checks
    if name[:-1] == "a" and name[1:] in gates and asked.lab.is_cut(asked.t):
        return CUT, _sum_checks
    return None


def _clamp(asked: Asked) -> float:
    """The last clamp that meets this gate, step and unit."""
    clamps = _operated(asked).surgery.clamps
    here = [
        clamp.value
        for clamp in clamps
        if clamp.gate == asked.symbol and clamp.step in (None, asked.t) and clamp.unit in (None, asked.unit)
    ]
    return float(here[-1])


def _gate_checks(asked: Asked, value: float) -> list[Check]:
    a = asked.trace.preactivations[asked.symbol][asked.t - 1, asked.unit]
    other = math.tanh(a) if asked.symbol == "g" else float(sigmoid(np.array(a)))
    return [check("Recomputed from its sum", other, value)]


def _sum_checks(asked: Asked, value: float) -> list[Check]:
    k, cell = asked.cell.gate_names.index(asked.symbol[1:]), asked.cell
    driven = cell.W_xh[k, asked.unit] @ asked.trace.xs[asked.t - 1] + cell.b_h[k, asked.unit]
    if asked.symbol == "ag" and getattr(cell, "b_hh", None) is not None:
        driven += asked.trace.gates["r"][asked.t - 1, asked.unit] * cell.b_hh[asked.unit]
    return [check("Recomputed with 0 in place of the state before", driven, value)]


def _edited(asked: Asked) -> tuple[str, Callable[[Asked, float], list[Check]]] | None:
    edits = [
        edit.value
        for edit in _operated(asked).surgery.inputs
        if edit.step == asked.t and edit.component in (None, asked.unit)
    ]
    if not edits:
        return None
    wanted = 0.0 if isinstance(edits[-1], str) else float(edits[-1])
    words = "Deleted by surgery: 0." if isinstance(edits[-1], str) else "Set by surgery."
    return words, lambda _, value: [check("Value of the operation", wanted, value)]


# --- what has changed ------------------------------------------------------------------------


def _change(name: str, words: str) -> Entry:
    array = f"{name}s"

    def rows(asked: Asked) -> tuple[Any, int]:
        found = _operated(asked)
        if getattr(found.run.trace, array) is None:
            raise MissingError(f"This cell has no {words}.")
        return np.abs(getattr(found.run.trace, array) - getattr(found.untouched.trace, array)), 0

    def checks(asked: Asked, value: float) -> list[Check]:
        found, place = _operated(asked), (asked.t, asked.unit)
        pair = [float(getattr(ran.trace, array)[place]) for ran in (found.run, found.untouched)]
        return [check("Larger minus smaller", max(pair) - min(pair), value)]

    return Entry(
        words=f"how far surgery has moved the {words}",
        rows=rows,
        code=lambda at: f"abs(r.trace.{array} - plain.trace.{array})[{at.t}, {at.unit}]",
        title=lambda at: phrase("|Δ ", *at.letter(name), "|"),
        checks=checks,
        where=step_and_unit,
        setup=_setup,
    )


def _with_surgery(asked: Asked) -> float:
    """The operated Jacobians multiplied out step by step, brought to size 1 each time."""
    found = _operated(asked)
    product, log10 = np.eye(found.run.cell.state_size), 0.0
    for jacobian in operated_step_jacobians(found.run.cell, found.run.trace, found.surgery)[asked.t :]:
        product = jacobian @ product
        size = float(np.linalg.norm(product, 2))
        if size == 0.0:
            return -math.inf
        product, log10 = product / size, log10 + math.log10(size)
    return log10


def _without(asked: Asked) -> float:
    plain = _operated(asked).untouched
    return span_log10(plain.cell, plain.trace, asked.t, plain.trace.steps)


def _curve(words: str, column: int, code: str, again: Callable[[Asked], float]) -> Entry:
    return Entry(
        words=lambda at: f"size of the gradient of the last state by that of step {at.t}, {words}, as a power of ten",
        rows=lambda at: (_operated(at).log10_norms(at.T)[:, column], 0),
        code=lambda at: code.format(k=at.t, T=at.T),
        title=lambda at: phrase("log₁₀ ‖∂", symbol("s", str(at.T)), "/∂", symbol("s", str(at.t)), "‖"),
        checks=lambda at, value: [check("Jacobians multiplied out, log₁₀", again(at), value, "other", OTHER_WAY)],
        setup=_setup,
    )


SURGERY: Mapping[str, Entry] = MappingProxyType(
    {
        "change_h": _change("h", "hidden state"),
        "change_c": _change("c", "cell state"),
        CURVE: _curve("with surgery", 1, "operated_log10_norms(r.cell, r.trace, surgery, t={T})[{k}]", _with_surgery),
        f"{GHOST}{CURVE}": _curve(
            "without surgery", 0, "jacobian_log10_norms(plain.cell, plain.trace, t={T})[{k}]", _without
        ),
    }
)

#: Numbers that are of no operated run: they have a run of their own, or compare two.
APART = frozenset({*PATHS, *BESIDE, *SURGERY})
