"""The plots of the labs as plain data: what `Lab.charts` is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rnnscope.core import SIZES, InputReach

from ..diagrams.loom_scale import contribution_range
from ..plots.chart import Chart, Matrix, Series, fitted, over_steps

#: A gate's line and mark beside the others, which have its colour: dash first, then mark.
LOOKS = (("solid", "circle"), ("dashed", "square"), ("dotted", "triangle"), ("solid", "diamond"))


def gates_chart(gates: Mapping[str, np.ndarray], names: Mapping[str, str], roles: Mapping[str, str],
                unit: int, t: int) -> Chart:  # fmt: skip
    """Every gate and the candidate of one unit over the steps 1 … T; each array is (T, n)."""
    series = [
        Series(names[key], np.arange(1, len(rows) + 1), rows[:, unit], roles[key], *LOOKS[place], symbol=key)
        for place, (key, rows) in enumerate(gates.items())
    ]
    return over_steps(f"Gates of unit {unit + 1}", "value", series, t, y_range=(-1.0, 1.0))


def states_chart(states: Mapping[str, np.ndarray], names: Mapping[str, str], roles: Mapping[str, str],
                 unit: int, t: int) -> Chart:  # fmt: skip
    """States of one unit over the steps 0 … T; each array is (T + 1, n)."""
    series = [
        Series(names[key], np.arange(len(rows)), rows[:, unit], roles[key], *LOOKS[place], symbol=key)
        for place, (key, rows) in enumerate(states.items())
    ]
    return over_steps(f"States of unit {unit + 1}", "value", series, t)


def units_chart(title: str, rows: np.ndarray, symbol: str, role: str, t: int, first: int = 0) -> Chart:
    """One line a unit; `rows` is (steps, n), its first row step `first`."""
    steps = np.arange(first, first + len(rows))
    looks = [LOOKS[unit % len(LOOKS)] for unit in range(rows.shape[1])]
    series = [
        Series(f"unit {unit + 1}", steps, rows[:, unit], role, *looks[unit], symbol=symbol)
        for unit in range(rows.shape[1])
    ]
    return over_steps(title, symbol, series, t)


def units_map(title: str, rows: np.ndarray, symbol: str, limit: float | None = None) -> Matrix:
    """Units down, steps across, coloured from -limit to limit; `rows` is (T + 1, n), its first row step 0."""
    end = float(np.abs(rows).max()) or 1.0 if limit is None else limit
    units = tuple(str(unit + 1) for unit in range(rows.shape[1]))
    steps = tuple(map(str, range(len(rows))))
    return Matrix(title, "step t", "unit", rows.T, units, steps, -end, end, "diverging", symbol)


def eigenvalue_chart(values: np.ndarray, radius: float) -> Chart:
    """Eigenvalues in the plane, with the unit circle and the circle of the spectral radius."""
    end = 1.15 * max(1.0, radius)
    points = Series("eigenvalues", values.real, values.imag, "hidden", line="", mark="circle", symbol="eigenvalue_re")
    circles = (1.0, radius) if radius > 0 else (1.0,)
    return fitted("Eigenvalues of W", "real part", "imaginary part", [points], x_range=(-end, end), y_range=(-end, end),
                  across=(0.0,), down=(0.0,), circles=circles, equal=True)  # fmt: skip


def stems_chart(values: np.ndarray) -> Chart:
    """Singular values, largest first."""
    stems = Series("singular values", np.arange(1, len(values) + 1), values, "gradient", "stems", "circle",
                   symbol="singular_value")  # fmt: skip
    top = 1.08 * max(1.0, float(values.max()))
    return fitted("Singular values of W", "index", "σ", [stems], across=(1.0,), y_range=(0.0, top))


def contributions_map(contributions: np.ndarray) -> Matrix:
    """log10 ||dL_t / dh_k||: losses down, states across; `contributions` is (T + 1, T + 1), row and column 0 unused."""
    table = contributions[1:, 1:]
    low, high = contribution_range(table)
    names = tuple(str(t) for t in range(1, len(table) + 1))
    return Matrix("Every loss against every state, log₁₀ of the norm", "state k", "loss t", table, names, names, low,
                  high, "sequential", "contribution")  # fmt: skip


def reach_chart(reach: InputReach, t: int) -> Chart:
    """||dy_t / dx_k|| through either chain."""
    steps = np.arange(1, len(reach.norms) + 1)
    series = [
        Series("forward chain", steps, reach.forward_norms, "hidden", "solid", "circle", symbol="reach_forward"),
        Series("backward chain", steps, reach.backward_norms, "gate", "dashed", "square", symbol="reach_backward"),
    ]
    return over_steps(f"How each input reaches output {t}", "size of the derivative", series, t)


def shares_map(title: str, shares: np.ndarray, rows: Sequence[str], columns: Sequence[str], symbol: str,
               x_label: str, y_label: str) -> Matrix:  # fmt: skip
    """Weights that add up to 1 in each row."""
    return Matrix(title, x_label, y_label, shares, tuple(rows), tuple(columns), 0.0, 1.0, "sequential", symbol)


def cost_chart(curves: Mapping[str, Sequence[int]], looks: Mapping[str, Any], axis: str, cost: str) -> Chart:
    """One cost of five models against T or n, both axes log10."""
    sizes = np.log10(SIZES)
    last = len(SIZES) - 1
    series = [
        Series(looks[model][3], sizes, np.log10(np.maximum(curve, 1)), looks[model][0], "solid", looks[model][1],
               symbol=f"cost_{model}", label=looks[model][3], at=last)
        for model, curve in curves.items()
    ]  # fmt: skip
    top = float(max(2, np.ceil(max(one.y[-1] for one in series))))
    name = "T (steps)" if axis == "T" else "n (units, and numbers of an input)"
    ticks = {"x_ticks": (0.0, 1.0, 2.0, 3.0), "y_ticks": tuple(float(k) for k in range(0, int(top) + 1, 2))}
    return fitted(cost, name, cost, series, y_range=(0.0, top), x_log10=True, y_log10=True, **ticks)
