"""The inside of one time step of a gated cell: weights of a layer, its products with x and h, and the parts of h."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import GivenConfig, build_cell, substeps
from rnnscope.core.glossary import GATE_NAMES
from rnnscope.core.notation import weight_token

from ...words import Phrase, phrase, token_words
from ..seen import made, reads_weights
from . import origin
from .answer import Asked, Check, Entry, MissingError, check, step_and_unit
from .derived import gate_product, gate_value
from .network import AGAIN

CUT = "Cut at this step: the recurrent weights see 0 in place of the state before."


def _place(asked: Asked, gate: str) -> int:
    names = asked.cell.gate_names
    if gate not in names:
        raise MissingError(f"This cell has no {GATE_NAMES[gate]}: there is no {asked.symbol}.")
    return int(names.index(gate))


# --- weights ---------------------------------------------------------------------------------


def _weight(name: str, gate: str) -> Entry:
    """An entry of a layer's weights: t is the column from 1, unit the row; of a bias t is 0."""
    bias = name == "b_h"

    def rows(asked: Asked) -> tuple[Any, int]:
        block = getattr(asked.cell, name)[_place(asked, gate)]
        return (block[None], 0) if bias else (block.T, 1)

    def place(asked: Asked) -> tuple[int, ...]:
        k = _place(asked, gate)
        return (k, asked.unit) if bias else (k, asked.unit, asked.t - 1)

    def checks(asked: Asked, value: float) -> list[Check]:
        if isinstance(asked.run.config, GivenConfig):
            return []
        made = getattr(build_cell(asked.run.config), name)
        return [check(origin.MADE_AGAIN, made[place(asked)], value)]

    def words(asked: Asked) -> str:
        column = "" if bias else f", column {asked.t}"
        return f"{'bias' if bias else 'weight'} of the {GATE_NAMES[gate]}, row {asked.unit + 1}{column}"

    return Entry(
        words=words,
        rows=rows,
        code=lambda at: f"r.cell.{name}[{', '.join(map(str, place(at)))}]",
        title=lambda at: token_words([weight_token(at.letters, name, gate, transposed=False)]),
        checks=checks,
        note=lambda at: phrase(origin.weight_origin(at, name, gate)),
    )


# --- what a sub-step makes -------------------------------------------------------------------


def _rows(asked: Asked) -> tuple[Any, int]:
    found = made(asked.run, [t for t in range(1, asked.T + 1) if asked.lab.is_cut(t)])
    if asked.symbol not in found:
        raise MissingError(f"This cell has no {asked.symbol}.")
    return found[asked.symbol], 1


def _is_blind(asked: Asked) -> bool:
    """Whether the number is made of zeros in place of the state, at a cut."""
    return reads_weights(asked.symbol) and bool(asked.lab.is_cut(asked.t))


def _code(asked: Asked) -> str:
    trace = "seen" if _is_blind(asked) else "r.trace"
    return f'substep_values(r.cell, {trace})["{asked.symbol}"][{asked.t - 1}, {asked.unit}]'


def _setup(asked: Asked) -> list[str]:
    """At a cut: the trace that the recurrent weights see."""
    seen = ["from dataclasses import replace", "seen = replace(r.trace, hs=0.0 * r.trace.hs)"]
    return seen if _is_blind(asked) else []


def _formula(asked: Asked) -> Phrase:
    found = next(step for step in substeps(asked.cell) if step.symbol == asked.symbol)
    return token_words(found.tokens(asked.notation, asked.t))


def _dot(row: np.ndarray, vector: np.ndarray) -> float:
    return math.fsum(float(a) * float(b) for a, b in zip(row, vector, strict=True))


def _driven(asked: Asked) -> float:
    row = asked.cell.W_xh[_place(asked, asked.symbol[2:]), asked.unit]
    return _dot(row, asked.trace.xs[asked.t - 1])


def _read(asked: Asked) -> np.ndarray:
    """The state before as the recurrent weights read it: zeros at a cut."""
    before: np.ndarray = asked.trace.hs[asked.t - 1]
    return np.zeros_like(before) if asked.lab.is_cut(asked.t) else before


def _recurrent(asked: Asked) -> float:
    """U h, summed without rounding; of a GRU's candidate with the reset gate before, or the inner bias after."""
    gate, before = asked.symbol[2:], _read(asked)
    row = asked.cell.W_hh[_place(asked, gate), asked.unit]
    if gate != "g" or "r" not in asked.cell.gate_names:
        return _dot(row, before)
    if asked.cell.reset == "before":
        return _dot(row, asked.trace.gates["r"][asked.t - 1] * before)
    inner = 0.0 if asked.cell.b_hh is None else float(asked.cell.b_hh[asked.unit])
    return _dot(row, before) + inner


def _product(words: str, again: Any) -> Entry:
    def note(asked: Asked) -> Phrase:
        return phrase(CUT if _is_blind(asked) else "")

    return Entry(
        words=words,
        rows=_rows,
        code=_code,
        setup=_setup,
        title=_formula,
        formula=_formula,
        checks=lambda at, value: [check(AGAIN, again(at), value)],
        note=note,
        where=step_and_unit,
    )


# --- the parts of a GRU's state --------------------------------------------------------------


def _before(asked: Asked) -> float:
    return float(asked.trace.hs[asked.t - 1, asked.unit])


def _kept(asked: Asked) -> float:
    z = gate_value(asked, "z")
    return (1.0 - z if asked.cell.update == "new" else z) * _before(asked)


def _written(asked: Asked) -> float:
    z = gate_value(asked, "z")
    return (z if asked.cell.update == "new" else 1.0 - z) * gate_value(asked, "g")


def _reset_product(asked: Asked) -> float:
    inner = float(asked.cell.W_hh[2, asked.unit] @ _read(asked))
    return gate_value(asked, "r") * (inner if asked.cell.b_hh is None else inner + float(asked.cell.b_hh[asked.unit]))


def _seen(asked: Asked) -> float:
    """What the reset gate lets through: of the state, or of its product where it works after that."""
    if asked.cell.reset == "before":
        return gate_value(asked, "r") * float(_read(asked)[asked.unit])
    return _reset_product(asked)


GRU = {
    "zh": _product("what the update gate keeps of the state before", _kept),
    "zg": _product("what the update gate lets in of the candidate", _written),
    "rh": _product("what the reset gate lets the candidate see", _seen),
    "keep": gate_product(
        "the share that z leaves over", ("1 − ", "{z}"),
        lambda at: (1.0 - at.trace.gates["z"], 1),
        '1.0 - r.trace.gates["z"][{p}, {unit}]',
        lambda at: 1.0 - gate_value(at, "z"),
    ),
}  # fmt: skip
INSIDE: Mapping[str, Entry] = MappingProxyType(
    {f"W_x{gate}": _weight("W_xh", gate) for gate in GATE_NAMES}
    | {f"W_h{gate}": _weight("W_hh", gate) for gate in GATE_NAMES}
    | {f"b_{gate}": _weight("b_h", gate) for gate in GATE_NAMES}
    | {f"Wx{gate}": _product(f"input part of the {name}’s sum", _driven) for gate, name in GATE_NAMES.items()}
    | {f"Uh{gate}": _product(f"recurrent part of the {name}’s sum", _recurrent) for gate, name in GATE_NAMES.items()}
    | GRU
)
