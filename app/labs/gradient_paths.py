"""Where the gradient of an LSTM's cell state goes: d c_T / d c_t by path, beside what is quoted for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rnnscope.core import (
    PATHS,
    LSTMConfig,
    LSTMPaths,
    cell_state_log10_norm,
    jacobian_log10_norms,
    lstm_paths,
    run,
)

from ..view import Arrays
from ..words import Phrase, phrase, power_readout, readout, symbol
from .detail import Detail
from .surgery import WITHOUT_SURGERY

#: Forget biases that are compared, and the lag at which.
BIASES, LAG = (0.0, 1.0, 2.0, 4.0), 30
#: log10 of a norm; its unit is the place in CURVES.
NORM = "dc_log10"
CURVES = ("‖∂c_T/∂c_t‖", "∏ f", "RNN", "h and c")
RNN = CURVES.index("RNN")
#: What a path adds of the whole; its unit is the place in core's PATHS.
SHARE = "path_share"
WORDS = {"kept": "along the cell line", "f": "f", "i": "i", "o": "o", "g": "g"}
STACKED = (
    "Stacked is the share of each path. ", symbol("J"), " = ", symbol("∂c", "T"), " / ", symbol("∂c", "t"),
    " is the sum of one matrix ", symbol("P"), " a path; norms do not add up, so a share is the projection of ",
    symbol("P"), " on ", symbol("J"), ", ⟨", symbol("P"), ", ", symbol("J"), "⟩ / ⟨", symbol("J"), ", ", symbol("J"),
    "⟩: the five add up to 1, and one below 0 works against the others. Along the cell line means by the forget gates ",
    "alone; every other path leaves the line through ", symbol("h"), " and is counted at the gate that ", symbol("h"),
    " enters first.",
)  # fmt: skip
PRODUCT = (
    "Above: ∏ ", symbol("f"), " is the product of forget gates that textbooks quote (gates held, the largest unit). ",
)  # fmt: skip
BESIDE = (
    "RNN is ‖", symbol("∂h", "T"), " / ", symbol("∂h", "t"),
    "‖ of a tanh RNN of the same size, seed, radius and input. ",
)  # fmt: skip
SPECTRAL = "All norms are spectral."


@dataclass(frozen=True, eq=False)
class Split:
    """The paths of a run from its last step, and three norms to compare with; each (T + 1,), log10."""

    paths: LSTMPaths
    rnn: np.ndarray
    state: np.ndarray

    @property
    def norms(self) -> np.ndarray:
        """(T + 1, 4) in the order of CURVES."""
        return np.column_stack([self.paths.true, self.paths.paths["kept"], self.rnn, self.state])

    @property
    def shares(self) -> np.ndarray:
        """(T + 1, 5) in the order of PATHS."""
        return np.column_stack([self.paths.shares[name] for name in PATHS])


def longer(config: LSTMConfig) -> LSTMConfig:
    """The same network over LAG steps at least; what was typed is repeated."""
    if config.T >= LAG:
        return config
    values = config.values and (config.values * LAG)[:LAG]
    text = config.text and (config.text * LAG)[:LAG]
    return replace(config, T=LAG, values=values, text=text)


def norm_at_lag(config: LSTMConfig, bias: float) -> float:
    """log10 ||d c_T / d c_{T - LAG}|| of a network with another forget bias."""
    found = run(replace(config, forget_bias=bias))
    return cell_state_log10_norm(found.cell, found.trace, config.T, config.T - LAG)


def paths_card(given: bool = False) -> dict[str, Any]:
    """The card, as a part of the lab's page; of a cell that is given nothing is drawn beside it to compare with."""
    norms = [(i, head) for i, head in enumerate(CURVES) if not given or i != RNN]
    columns: list[dict[str, Any]] = [
        {"head": "$t$", "array": "steps", "symbol": "t", "integer": True},
        {"head": "lag $T − t$", "array": "lags", "symbol": "lag", "integer": True},
        *({"head": f"{head}, log₁₀", "array": "norms", "unit": i, "symbol": NORM} for i, head in norms),
        *({"head": f"share {WORDS[q]}", "array": "shares", "unit": i, "symbol": SHARE} for i, q in enumerate(PATHS)),
    ]
    parts: list[dict[str, Any]] = [
        {"kind": "paths", "norm": NORM, "share": SHARE, "without": ["rnn"] if given else []},
        *([] if given else [{"kind": "text", "id": "biases", "cls": "plot-summary"}]),
        {"kind": "text", "id": "summary", "cls": "plot-summary"},
        {"kind": "text", "id": "stacked", "cls": "note"},
        {"kind": "text", "id": "compared", "cls": "note"},
        {"kind": "data", "label": "Gradient of the cell state by path", "columns": columns},
    ]
    return {
        "title": "Where the gradient of the cell state goes",
        "cls": "more",
        "body": [{**part, "detail": Paths.NAME} for part in parts],
    }


class Paths(Detail):
    """The split of the run on the page, found once a run."""

    NAME = "paths"

    def __init__(self, lab: Any):
        super().__init__(lab)
        self._run: Any = None
        self._split: Split | None = None

    def split(self) -> Split:
        if self._split is None or self._run is not self.lab.untouched:
            shown = self._run = self.lab.untouched
            self._split = Split(
                lstm_paths(shown.cell, shown.trace),
                self._rnn_norms(shown.trace.steps),
                jacobian_log10_norms(shown.cell, shown.trace, t=shown.trace.steps),
            )
        return self._split

    def _rnn_norms(self, steps: int) -> np.ndarray:
        """Those of an RNN that is drawn as the LSTM is; beside a cell that is given there is none."""
        if self.lab.state.given:
            return np.full(steps + 1, np.nan)
        rnn = run(self.lab.state.rnn_config())
        return jacobian_log10_norms(rnn.cell, rnn.trace, t=rnn.trace.steps)

    def arrays(self) -> Arrays:
        split = self.split()
        steps = np.arange(split.paths.t + 1)
        lags = steps[::-1]
        return {"steps": (steps, 0), "lags": (lags, 0), "norms": (split.norms, 0), "shares": (split.shares, 0)}

    def texts(self) -> dict[str, Any]:
        return {
            "biases": [] if self.lab.state.given else self._biases(),
            "summary": self._summary(),
            "stacked": phrase(*(WITHOUT_SURGERY if self.lab.operated else ()), *STACKED),
            "compared": phrase(*PRODUCT, *(() if self.lab.state.given else BESIDE), SPECTRAL),
        }

    def _biases(self) -> Phrase:
        """What another forget bias buys, with the page's own weights and input."""
        config = longer(self.lab.state.config())
        words: list[Any] = [f"At lag {LAG}, ‖", symbol("∂c", str(config.T)), " / ", symbol("∂c", str(config.T - LAG))]
        words.append("‖ is ")
        for i, bias in enumerate(BIASES):
            words += [", " if i else "", power_readout(norm_at_lag(config, bias), "bias_norm", LAG, i)]
            words.append(f" with forget bias {bias:g}")
        repeated = f", with its input repeated to {LAG} steps" if self.lab.untouched.trace.steps < LAG else ""
        return phrase(*words, f". All else is as on this page{repeated}.")

    def _summary(self) -> Phrase:
        split = self.split()
        T, (true, product, rnn, _) = split.paths.t, split.norms[0]
        start = ["Over all ", f"{T} steps, log₁₀ ‖", symbol("∂c", str(T)), " / ", symbol("∂c", "0"), "‖ is "]
        norms = [readout(true, NORM, 0, 0), "; the product of forget gates says ", readout(product, NORM, 0, 1)]
        norms += [". "] if self.lab.state.given else [", the RNN has ", readout(rnn, NORM, 0, RNN), ". "]
        if np.isnan(split.shares[0]).any():
            return phrase(*start, *norms, "The whole is exactly 0: there is nothing to share.")
        words: list[Any] = ["Shares: along the cell line ", readout(split.shares[0, 0], SHARE, 0), "; through "]
        words += [symbol("h"), " into"]
        for i, gate in enumerate(PATHS[1:], 1):
            words += [" " if i == 1 else ", ", symbol(gate), " ", readout(split.shares[0, i], SHARE, 0, i)]
        return phrase(*start, *norms, *words, ".")
