"""What is chosen on /lstm, and what it shares with /gru."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import NOTATIONS, LSTMConfig, RNNConfig

from .inside import InsideState


class GatedState(InsideState):
    """A cell with gates, of one to eight units over up to forty steps."""

    n = param.Integer(4, bounds=(1, 8), label="Units $n$", doc="hidden size")
    T = param.Integer(12, bounds=(1, 40), label="Steps $T$", doc="number of time steps")
    input = param.Selector(
        default="values", label="Input", objects=["values", "sine", "impulse", "noise", "zero", "text"]
    )
    text = param.String("hello world", label="Text")
    t = param.Integer(5, bounds=(0, 40), label="Step $t$")
    notation = param.Selector(default="boucher", objects=list(NOTATIONS), label="Notation")
    sigma_in = param.Number(1.0, bounds=(0, 10), softbounds=(0, 5), step=0.05, label="Input strength $σ_in$")


class LSTMState(GatedState):
    """An LSTM cell of one to eight units over up to four hundred steps."""

    cell = param.Selector(default="lstm", objects=["lstm"], label="Cell")
    T = param.Integer(12, bounds=(1, 400), label="Steps $T$", doc="number of time steps")
    t = param.Integer(5, bounds=(0, 400), label="Step $t$")
    # A sigmoid is exactly 1 in float64 from 37 on: the bounds leave room for that and for a strong input.
    forget_bias = param.Number(1.0, bounds=(-100, 100), softbounds=(-4, 6), step=0.05, label="Forget bias $b_f$")
    input_bias = param.Number(0.0, bounds=(-100, 100), softbounds=(-6, 6), step=0.05, label="Input bias $b_i$")

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "forget-bias-1": {"forget_bias": 1.0, "rho": 0.0, "sigma_in": 0.0},
        "forgets": {"forget_bias": -4.0},
        "remembers": {"forget_bias": 4.0, "input": "impulse"},
        "one-unit": {"n": 1, "seed": 7},
        "more-than-forget-gates": {"n": 8, "T": 60, "input": "noise"},
        "constant-error-carousel": {"forget_bias": 50.0, "input_bias": -50.0, "T": 300, "input": "noise"},
    }

    def config(self) -> LSTMConfig:
        return LSTMConfig(**self.shared_config(), forget_bias=self.forget_bias, input_bias=self.input_bias)

    def rnn_config(self) -> RNNConfig:
        """A vanilla RNN of the same size, seed and input, to compare with."""
        return RNNConfig(**self.shared_config())
