"""Numbers of the patterns of /unfold that no equation of a step makes: weights, slopes, counts, reach."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from rnnscope.core import step_jacobians
from rnnscope.core.patterns import PatternRun, input_reach

from ...words import phrase, symbol
from . import origin
from .answer import OTHER_WAY, Asked, Check, Entry, check, step_and_unit
from .network import AGAIN


def ran(asked: Asked) -> PatternRun:
    """The pattern's own run."""
    found: PatternRun = asked.lab.pattern.run
    return found


def setup(asked: Asked) -> list[str]:
    """The pattern's run in Python, as `p`."""
    state = asked.lab.state
    made = {
        "output": f"output_pattern(r, forced={state.forcing == 'teacher'})",
        "last": "last_pattern(r)",
        "system": "system_pattern(r.config)",
        "convolution": f"convolution_pattern(r, {state.window})",
    }
    return [f"p = {made[state.pattern]}"]


# --- slopes and counts -----------------------------------------------------------------------


def _slope_again(asked: Asked) -> float:
    a = float(ran(asked).trace.preactivations[asked.t - 1, asked.unit])
    slopes = {"tanh": 1.0 - math.tanh(a) ** 2, "relu": float(a > 0), "linear": 1.0}
    return slopes[ran(asked).network.activation]


SLOPE = Entry(
    words="slope of the activation",
    rows=lambda at: (np.array([ran(at).network.slope(a) for a in ran(at).trace.preactivations]), 1),
    code=lambda at: f"p.network.slope(p.trace.preactivations[{at.t - 1}])[{at.unit}]",
    title=lambda at: phrase("φ′(", *at.letter("a"), ")"),
    checks=lambda at, value: [check(AGAIN, _slope_again(at), value)],
    where=step_and_unit,
    setup=setup,
)


def _count(words: str, code: str, found: Callable[[Asked], int], names: tuple[str, ...], of: Any) -> Entry:
    def checks(asked: Asked, value: float) -> list[Check]:
        arrays = [getattr(of(asked), name) for name in names]
        return [check("Counted in the arrays", sum(math.prod(np.shape(array)) for array in arrays), value)]

    return Entry(
        words=words,
        rows=lambda at: ([found(at)], 0),
        code=lambda _: code,
        title=lambda _: phrase("parameters"),
        formula=lambda _: phrase("all entries of ", ", ".join(names)),
        checks=checks,
        setup=setup,
    )


def _network(asked: Asked) -> Any:
    return ran(asked).network


def _weight_code(asked: Asked) -> str:
    array = ran(asked).network.W_yh
    index = np.unravel_index(origin.place_of(asked, array), array.shape)
    return f"p.network.W_yh[{', '.join(str(int(i)) for i in index)}]"


def _weight_rows(asked: Asked) -> tuple[Any, int]:
    array = ran(asked).network.W_yh
    return np.full((1, max(array.size, asked.unit + 1)), array.flat[origin.place_of(asked, array)]), 0


def _weight_note(asked: Asked) -> str:
    config = asked.run.config
    if config.W is not None and (config.outputs or 1) == 1:
        return "Typed: W in the settings."
    return f"Drawn from N(0, ρ²/m) with ρ = {config.rho:g}, stream W_yh of seed {config.seed}."


OUTPUT = {
    "slope": SLOPE,
    "parameters": _count(
        "how many numbers the network has to learn", "p.network.parameter_count",
        lambda at: ran(at).network.parameter_count, ("W_xh", "W_yh", "b_h", "W_hy", "b_y"), _network,
    ),
    "W_yh": Entry(
        words="weight from the output of one step to the state of the next", rows=_weight_rows, code=_weight_code,
        title=lambda _: phrase(symbol("W", "yh")), note=lambda at: phrase(_weight_note(at)), setup=setup,
    ),
}  # fmt: skip


# --- a dynamical system ----------------------------------------------------------------------


def _last_move(asked: Asked) -> float:
    hs = ran(asked).trace.hs
    return float(np.linalg.norm(hs[asked.T] - hs[asked.T - 1]))


def _move_checks(asked: Asked, value: float) -> list[Check]:
    return [check("Square root of the sum of squares", math.dist(*ran(asked).trace.hs[asked.T - 1 :]), value)]


SYSTEM = {
    "slope": SLOPE,
    "parameters": _count(
        "how many numbers θ has", "p.network.W_hh.size + p.network.b_h.size",
        lambda at: ran(at).network.W_hh.size + ran(at).network.b_h.size, ("W_hh", "b_h"), _network,
    ),
    "state_change": Entry(
        words=lambda at: f"how far the last step, {at.T}, moved the state", rows=lambda at: ([_last_move(at)], at.T),
        code=lambda at: f"np.linalg.norm(p.trace.hs[{at.T}] - p.trace.hs[{at.T - 1}])",
        title=lambda at: phrase("‖", symbol("s", str(at.T)), " − ", symbol("s", str(at.T - 1)), "‖"),
        checks=_move_checks, setup=setup,
    ),
}  # fmt: skip


# --- convolution -----------------------------------------------------------------------------


def _kernel_again(asked: Asked) -> float:
    cell = asked.cell
    return float((np.linalg.matrix_power(cell.W_hh, asked.t) @ cell.W_xh)[asked.unit, 0])


def _looks(asked: Asked) -> tuple[int, int]:
    return asked.lab.state.t, asked.lab.state.unit


def _reach_rows(name: str) -> Callable[[Asked], tuple[Any, int]]:
    """One number an input, whatever unit a column names."""

    def rows(asked: Asked) -> tuple[Any, int]:
        t, unit = _looks(asked)
        found = getattr(input_reach(asked.run, ran(asked), t, unit), name) if t else np.empty(0)
        return np.repeat(found[:, None], asked.cell.hidden_size, axis=1), 1

    return rows


def _through_jacobians(asked: Asked) -> float:
    """One row of J_t … J_{k+1} diag(slope of step k) U."""
    (t, unit), k, cell = _looks(asked), asked.t, asked.cell
    row = np.eye(cell.hidden_size)[unit]
    for jacobian in step_jacobians(cell, asked.trace)[k:t][::-1]:
        row = row @ jacobian
    return float(np.linalg.norm((row * cell.slope(asked.trace.preactivations[k - 1])) @ cell.W_xh))


def _through_kernel(asked: Asked) -> float:
    """The slope of the activation times the row of K_{t-k}; 0 outside the window."""
    (t, unit), network = _looks(asked), ran(asked).network
    if t - asked.t >= network.width:
        return 0.0
    a = float(ran(asked).trace.gates["conv_a"][t - 1, unit])
    slope = {"tanh": 1.0 - math.tanh(a) ** 2, "relu": float(a > 0), "linear": 1.0}[network.activation]
    return slope * float(np.linalg.norm(network.kernel[t - asked.t, unit]))


def _reach(words: str, letter: str, name: str, again: Callable[[Asked], float]) -> Entry:
    def code(asked: Asked) -> str:
        t, unit = _looks(asked)
        return f"input_reach(r, p, {t}, {unit}).{name}[{asked.t - 1}]"

    return Entry(
        words=lambda at: f"how much {words} of step {_looks(at)[0]} moves with the input of step {at.t}",
        rows=_reach_rows(name),
        code=code,
        title=lambda at: phrase("‖∂", symbol(letter, str(_looks(at)[0])), "/∂", symbol("x", str(at.t)), "‖"),
        checks=lambda at, value: [check("By the chain rule, step by step", again(at), value, "other", OTHER_WAY)],
        setup=lambda at: [*setup(at), "from rnnscope.core.patterns import input_reach"],
    )


CONVOLUTION = {
    "kernel": Entry(
        words=lambda at: f"weight of the convolution for the input {at.t} steps back, unit {at.unit + 1}",
        rows=lambda at: (ran(at).network.kernel[:, :, 0], 0),
        code=lambda at: f"p.network.kernel[{at.t}, {at.unit}, 0]",
        title=lambda at: phrase(symbol("K", str(at.t))),
        formula=lambda at: phrase(f"{at.t} times W, and U: the recurrence without its function"),
        checks=lambda at, value: [check(AGAIN, _kernel_again(at), value)], setup=setup,
    ),
    "reach": _reach("the state", "h", "recurrence", _through_jacobians),
    "reach_conv": _reach("the convolution", "z", "convolution", _through_kernel),
    "parameters": _count(
        "numbers to learn in the recurrence, without a read-out",
        "r.cell.W_xh.size + r.cell.W_hh.size + r.cell.b_h.size",
        lambda at: at.cell.W_xh.size + at.cell.W_hh.size + at.cell.b_h.size, ("W_xh", "W_hh", "b_h"),
        lambda at: at.cell,
    ),
    "parameters_conv": _count(
        "numbers to learn in the convolution: they grow with the window", "p.network.parameter_count",
        lambda at: ran(at).network.parameter_count, ("kernel", "b"), _network,
    ),
}  # fmt: skip
