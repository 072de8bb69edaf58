"""How long core takes for what the labs ask of it, without Panel and without a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import threadpoolctl
from rnnscope.core import (
    RNNConfig,
    build_cell,
    build_inputs,
    decay,
    gradient_log10_norms,
    jacobian_log10_norms,
    run,
    unroll,
)

from .report import Table, p50, p95, timed

REPEATS, WARM_UP = 60, 5


@dataclass(frozen=True)
class Case:
    """A name and what is timed."""

    name: str
    call: Callable[[], Any]


def measure() -> list[Table]:
    """One BLAS thread, as the served labs have."""
    with threadpoolctl.threadpool_limits(limits=1, user_api="blas"):
        rows = [_row(case) for case in _cases()]
    return [Table(f"Core, {REPEATS} calls, ms", ["call", "p50", "p95"], rows)]


def _row(case: Case) -> tuple[str, str, str]:
    samples = [timed(case.call) for _ in range(WARM_UP + REPEATS)][WARM_UP:]
    return case.name, f"{p50(samples):.2f}", f"{p95(samples):.2f}"


def _cases() -> list[Case]:
    large, usual = RNNConfig(n=64, d=1, T=200), RNNConfig(n=32, d=1, T=100)
    cell, xs, gradient = build_cell(large), build_inputs(large), np.ones(large.n)
    shown = run(usual)

    def curve() -> Any:
        return gradient_log10_norms(cell, unroll(cell, xs), gradient)

    def norms() -> Any:
        return jacobian_log10_norms(shown.cell, shown.trace, t=usual.T)

    def lab() -> Any:
        result = run(usual)
        return decay(result.cell, result.trace)

    return [
        Case("states and gradient curve, n = 64, T = 200", curve),
        Case("Jacobian norms from t = T, n = 32, T = 100", norms),
        Case("run and decay (a move on /gradients), n = 32, T = 100", lab),
        Case("run alone, n = 32, T = 100", lambda: run(usual)),
    ]
