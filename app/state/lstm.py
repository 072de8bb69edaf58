"""What is chosen on /lstm, and what it shares with /gru."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import NOTATIONS, LSTMConfig

from .base import LabState


class GatedState(LabState):
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
    """An LSTM cell of one to eight units over up to forty steps."""

    cell = param.Selector(default="lstm", objects=["lstm"], label="Cell")
    forget_bias = param.Number(1.0, bounds=(-10, 10), softbounds=(-4, 6), step=0.05, label="Forget bias $b_f$")

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "forget-bias-1": {"forget_bias": 1.0, "rho": 0.0, "sigma_in": 0.0},
        "forgets": {"forget_bias": -4.0},
        "remembers": {"forget_bias": 4.0, "input": "impulse"},
        "one-unit": {"n": 1, "seed": 7},
    }

    def config(self) -> LSTMConfig:
        return LSTMConfig(**self.shared_config(), forget_bias=self.forget_bias)
