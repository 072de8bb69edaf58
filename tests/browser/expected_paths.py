"""What /lstm must show of where the gradient of its cell state goes; every number by the names of rnnscope.core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from rnnscope.core import RNNConfig, cell_state_log10_norm, jacobian_log10_norms, lstm_paths, run

PATHS = ("kept", "f", "i", "o", "g")
BIASES, LAG = (0.0, 1.0, 2.0, 4.0), 30
SHARED = ("n", "d", "T", "seed", "family", "rho", "sigma_in", "input", "text", "values")


def split(case: Any) -> tuple[np.ndarray, np.ndarray]:
    """Norms (T + 1, 4): true, product of forget gates, RNN, whole state; shares (T + 1, 5)."""
    found, config = case.run, case.state.config()
    rnn = run(RNNConfig(**{name: getattr(config, name) for name in SHARED}))
    paths = lstm_paths(found.cell, found.trace)
    T = found.trace.steps
    curves = [jacobian_log10_norms(seen.cell, seen.trace, t=T) for seen in (rnn, found)]
    norms = np.column_stack([paths.true, paths.paths["kept"], *curves])
    return norms, np.column_stack([paths.shares[name] for name in PATHS])


def bias_norms(case: Any) -> list[float]:
    """||d c_T / d c_{T-30}|| of the same network with four forget biases; what was typed is repeated."""
    config = case.state.config()
    if config.T < LAG:
        repeated = {name: (getattr(config, name) or ()) * LAG for name in ("values", "text")}
        config = replace(config, T=LAG, **{name: each[:LAG] if each else None for name, each in repeated.items()})
    runs = [run(replace(config, forget_bias=bias)) for bias in BIASES]
    return [10.0 ** cell_state_log10_norm(seen.cell, seen.trace, config.T, config.T - LAG) for seen in runs]


def numbers(case: Any) -> Mapping[str, tuple[Any, int]]:
    norms, shares = split(case)
    powers = (10.0 ** norms[:1], 0)
    return {
        "dc_log10": (norms, 0),
        "path_share": (shares, 0),
        "dc_norm": powers,
        "bias_norm": ([bias_norms(case)], LAG),
    }


def summary(case: Any) -> list[tuple[str, int, int]]:
    """The figures of the sentence about biases, and of the one about the whole run."""
    biases = [("bias_norm", LAG, i) for i in range(len(BIASES))]
    return [*biases, *(("dc_log10", 0, i) for i in range(3)), *(("path_share", 0, i) for i in range(5))]


def table(case: Any) -> dict[str, np.ndarray]:
    norms, shares = split(case)
    steps = np.arange(len(norms))
    return {"Gradient of the cell state by path": np.column_stack([steps, steps[::-1], norms, shares])}
