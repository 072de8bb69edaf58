"""What is chosen on /bidirectional."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import RESETS, UPDATES, BidirectionalConfig, Config, RNNConfig

from .. import change_text
from .base import ACTIVATIONS, CELLS, ChangedInput, LabState, Numbers, gated_config
from .bptt import NOTATION_OF


class BidirectionalState(LabState):
    """Two chains of up to eight units over up to twelve steps, one in each direction."""

    cell = param.Selector(default="rnn", objects=list(CELLS), label="Cell")
    n = param.Integer(4, bounds=(1, 8), label="Units $n$ of each chain", doc="hidden size of each direction")
    T = param.Integer(6, bounds=(1, 12), label="Steps $T$", doc="number of time steps")
    input = param.Selector(
        default="values", label="Input", objects=["values", "text", "sine", "impulse", "noise", "zero"]
    )
    values = Numbers((0.5, -0.9, 0.7, 0.3, -0.6, 0.8), label="Values")
    t = param.Integer(3, bounds=(0, 12), label="Output $t$")
    change = ChangedInput("5:0.9", label="Change one input", doc="a step and its new input, or none")
    activation = param.Selector(default="tanh", objects=list(ACTIVATIONS), label="Activation")
    forget_bias = param.Number(1.0, bounds=(-10, 10), softbounds=(-4, 6), step=0.05, label="Forget bias $b_f$")
    reset = param.Selector(default="before", objects=list(RESETS), label="Reset gate")
    update = param.Selector(default="new", objects=list(UPDATES), label="Update gate")

    SETTINGS: ClassVar[frozenset[str]] = LabState.SETTINGS - {"cell"}
    CELL_KEYS: ClassVar[dict[str, tuple[str, ...]]] = {
        "activation": ("rnn",), "forget_bias": ("lstm",), "reset": ("gru",), "update": ("gru",),
    }  # fmt: skip

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "two-paths": {"change": ""},
        "late-input": {"t": 1, "change": "6:-0.8"},
        "last-state": {"t": 6, "change": "1:-0.5"},
        "orthogonal": {"family": "orthogonal", "rho": 1.0, "activation": "linear", "T": 12, "input": "noise",
                       "t": 6, "change": ""},
        "lstm": {"cell": "lstm", "notation": "boucher"},
        "text": {"input": "text", "text": "reading", "T": 7, "t": 4, "change": "7:d"},
        "one-unit": {"n": 1},
    }  # fmt: skip

    @classmethod
    def usual(cls, values: dict[str, Any]) -> dict[str, Any]:
        return {"notation": NOTATION_OF[values["cell"]]}

    def apply(self, changes: dict[str, Any]) -> None:
        """As every lab; a cell brings its notation."""
        super().apply({**self.usual(changes), **changes} if "cell" in changes else changes)

    def settle(self) -> None:
        super().settle()
        self._agree(change="" if change_text.misfit(self.change, self.kind(), self.T) else self.change)

    def control_settings(self) -> dict[str, dict[str, Any]]:
        text = self.text if self.kind() == "text" else None
        cells = {key: {"gone": not self.has(key)} for key in self.CELL_KEYS}
        return super().control_settings() | cells | {"change": {"steps": self.T, "text": text}}

    def config(self) -> BidirectionalConfig:
        shared = self.shared_config()
        plain = self.cell == "rnn"
        chain: Config = (
            RNNConfig(**shared, activation=self.activation) if plain else gated_config(self, self.cell, shared)
        )
        return BidirectionalConfig(chain)
