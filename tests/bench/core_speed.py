"""How long core takes for what the labs ask of it, without Panel and without a page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import threadpoolctl
from rnnscope.core import (
    ChaosGrid,
    LSTMConfig,
    RNNConfig,
    bptt,
    build_cell,
    build_inputs,
    chaos_grid,
    decay,
    gradient_log10_norms,
    jacobian_log10_norms,
    lyapunov_exponents,
    run,
    step_jacobians,
    unroll,
)

from .report import Table, p50, p95, timed

REPEATS, SLOW, WARM_UP = 60, 7, 3
SIZES, LENGTHS = (16, 32, 64, 128, 256), (50, 100, 200, 400, 800, 1600, 3200)


NOTE = "The cost is bounded by T n^2; below it in n, since up to n = 64 a step costs its calls, not its n^2 products."


@dataclass(frozen=True)
class Case:
    """A name, what is timed, how often, and what the issue asks for in ms."""

    name: str
    call: Callable[[], Any]
    asked: str = ""
    repeats: int = REPEATS


def measure() -> list[Table]:
    """One BLAS thread, as the served labs have."""
    with threadpoolctl.threadpool_limits(limits=1, user_api="blas"):
        return [_table("Core, ms", _cases()), _beside(), _growth(), _import()]


def _table(title: str, cases: list[Case]) -> Table:
    rows = [(case.name, *_percentiles(case), case.asked, str(case.repeats)) for case in cases]
    return Table(title, ["call", "p50", "p95", "asked", "calls"], rows)


def _percentiles(case: Case) -> tuple[str, str]:
    samples = [timed(case.call) for _ in range(WARM_UP + case.repeats)][WARM_UP:]
    return f"{p50(samples):.2f}", f"{p95(samples):.2f}"


def _cases() -> list[Case]:
    usual = RNNConfig(n=32, d=1, T=100)
    shown = run(usual)
    gated = build_cell(LSTMConfig(n=64, d=1, T=200))
    gated_run = unroll(gated, _large()[1])

    def lab() -> Any:
        result = run(usual)
        return decay(result.cell, result.trace)

    norms = partial(jacobian_log10_norms, shown.cell, shown.trace, t=usual.T)
    chaos = ChaosGrid(RNNConfig(n=64, d=1, T=1000), tuple(np.linspace(0.2, 3, 8)), tuple(np.linspace(0, 2, 8)), 1000)
    return [
        Case("Jacobian norms from t = T, spectral, n = 32, T = 100", norms),
        Case("run and decay (a move on /gradients), n = 32, T = 100", lab),
        Case("run alone, n = 32, T = 100", lambda: run(usual)),
        Case("LSTM: states, n = 64, T = 200", lambda: unroll(gated, gated_run.xs)),
        Case("LSTM: gradient curve, n = 64, T = 200", lambda: gradient_log10_norms(gated, gated_run, np.ones(128))),
        Case("largest Lyapunov exponent, n = 64, T = 200", lambda: lyapunov_exponents(*_large_run(), k=1)),
        Case("all Lyapunov exponents, n = 64, T = 200", lambda: lyapunov_exponents(*_large_run()), "", SLOW),
        Case("edge of chaos, 64 points, n = 64, T = 1000", lambda: list(chaos_grid(chaos)), "", SLOW),
    ]


def _import() -> Table:
    """Fresh interpreters: what `import rnnscope.core` takes once NumPy is there."""
    code = (
        "from time import perf_counter as now; a = now(); import numpy; b = now(); import rnnscope.core; "
        "print(1000 * (b - a), 1000 * (now() - b))"
    )
    runs = [subprocess.check_output([sys.executable, "-c", code], text=True).split() for _ in range(WARM_UP + SLOW)]
    numpy, core = np.array(runs[WARM_UP:], dtype=float).T
    rows = [("import numpy", f"{p50(numpy):.0f}", ""), ("import rnnscope.core after it", f"{p50(core):.0f}", "150")]
    return Table(f"Import, {SLOW} interpreters, ms", ["what", "p50", "asked"], rows)


def _large(n: int = 64, T: int = 200) -> tuple[Any, np.ndarray]:
    config = RNNConfig(n=n, d=1, T=T)
    return build_cell(config), build_inputs(config)


def _large_run() -> tuple[Any, Any]:
    cell, xs = _large()
    return cell, unroll(cell, xs)


def _beside() -> Table:
    """What the issue gives figures for, each beside another way to the same numbers."""
    cell, xs = _large()
    trace, gradient = unroll(cell, xs), np.ones(64)
    with_outputs = build_cell(RNNConfig(n=64, d=1, T=200, outputs=5))
    read = unroll(with_outputs, xs)
    targets = np.zeros(200, dtype=np.int64)
    pairs = partial(jacobian_log10_norms, cell, trace, "frobenius")
    cases = [
        Case("states and gradient curve", lambda: gradient_log10_norms(cell, unroll(cell, xs), gradient), "1.3"),
        *_torch_case(cell, xs, gradient),
        Case("the same by products", lambda: _by_products(cell, unroll(cell, xs), gradient), "", SLOW),
        Case("bptt: all ||dL_t/dh_k|| and every gradient", lambda: bptt(with_outputs, read, targets), "11"),
        Case("20,100 products dh_t/dh_k, Frobenius", pairs, "200", SLOW),
        Case("the same by a double loop, unscaled", lambda: _double_loop(cell, trace), "", SLOW),
    ]
    table = _table("Beside the alternatives, n = 64, T = 200, ms", cases)
    if find_spec("torch") is None:
        table.notes.append("PyTorch is not installed: its row was skipped.")
    return table


def _torch_case(cell: Any, xs: np.ndarray, gradient: np.ndarray) -> list[Case]:
    if find_spec("torch") is None:
        return []
    curve_call = import_module(".torch_curve", __package__).curve_call
    return [Case("the same by PyTorch's autograd", curve_call(cell, xs, gradient), "4.5 there")]


def _by_products(cell: Any, trace: Any, gradient: np.ndarray) -> np.ndarray:
    product, norms = np.eye(cell.state_size), []
    for J in step_jacobians(cell, trace)[::-1]:
        product = product @ J
        norms.append(np.linalg.norm(gradient @ product))
    return np.log10(norms)


def _double_loop(cell: Any, trace: Any) -> np.ndarray:
    jacobians = step_jacobians(cell, trace)
    norms = np.zeros((len(jacobians) + 1,) * 2)
    for k in range(len(norms)):
        product = np.eye(cell.state_size)
        for t in range(k, len(jacobians)):
            product = jacobians[t] @ product
            norms[t + 1, k] = np.linalg.norm(product)
    return norms


def _growth() -> Table:
    """How the cost of states and curve grows: T n^2 is asked for; a call a step is what small n costs instead."""
    by_size = [_curve_time(n, 200) for n in SIZES]
    by_length = [_curve_time(64, T) for T in LENGTHS]
    rows = [
        ("n at T = 200", *_line(SIZES, by_size), "2"),
        ("T at n = 64", *_line(LENGTHS, by_length), "1"),
    ]
    title = "Growth of states and curve: ms, and the exponent fitted to them"
    return Table(title, ["in", "from … to", "ms", "exponent", "last two", "bound"], rows, [NOTE])


def _curve_time(n: int, T: int) -> float:
    cell, xs = _large(n, T)
    call = Case("", lambda: gradient_log10_norms(cell, unroll(cell, xs), np.ones(n)), repeats=15)
    return float(_percentiles(call)[0])


def _line(places: tuple[int, ...], times: list[float]) -> tuple[str, str, str, str]:
    slopes = [np.polyfit(np.log(places[first:]), np.log(times[first:]), 1)[0] for first in (0, -2)]
    span = f"{places[0]} … {places[-1]}"
    return span, ", ".join(f"{time:.2f}" for time in times), *(f"{slope:.2f}" for slope in slopes)
