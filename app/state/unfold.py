"""What is chosen on /unfold."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import ALPHABET_SIZE, RNNConfig

from .base import ACTIVATIONS, LabState, Numbers


class UnfoldState(LabState):
    """One to eight units over one to twelve steps, with an output and a loss at every step."""

    SCALARS: ClassVar[tuple[str, ...]] = ("U", "W", "V", "b", "c", "h0")

    input = param.Selector(
        default="values", label="Input", objects=["values", "sine", "impulse", "noise", "zero", "text"]
    )
    values = Numbers((1.0, -0.5, 0.75, 0.25, -1.0), label="Values")
    target = Numbers((0.8, 0.4, 0.6, 0.5, -0.2), label="Targets")
    t = param.Integer(3, bounds=(0, 12), label="Step $t$")
    activation = param.Selector(default="tanh", objects=list(ACTIVATIONS), label="Activation")
    loss = param.Selector(default="squared", objects=["squared", "cross_entropy"], label="Loss")
    U = param.Number(0.6, bounds=(-10, 10), softbounds=(-3, 3), step=0.01, allow_None=True, label="$U$ input to hidden")
    W = param.Number(
        0.9, bounds=(-10, 10), softbounds=(-3, 3), step=0.01, allow_None=True, label="$W$ hidden to hidden"
    )
    V = param.Number(
        1.2, bounds=(-10, 10), softbounds=(-3, 3), step=0.01, allow_None=True, label="$V$ hidden to output"
    )
    b = param.Number(0.1, bounds=(-10, 10), softbounds=(-3, 3), step=0.01, allow_None=True, label="$b$ bias")
    c = param.Number(-0.05, bounds=(-10, 10), softbounds=(-3, 3), step=0.01, allow_None=True, label="$c$ output bias")
    h0 = param.Number(
        0.0, bounds=(-10, 10), softbounds=(-3, 3), step=0.01, allow_None=True, label="$h_0$ initial state"
    )
    highlight = param.Selector(default="W", objects=["none", "U", "W", "V"], label="Highlight shared weight")
    direction = param.Selector(default="both", objects=["forward", "backward", "both"], label="Pass")

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "five-steps": {},
        "worked-example": {
            "U": 1.0, "W": 0.5, "V": 1.0, "b": 0.0, "c": 0.0, "h0": 0.4,
            "values": (1.0,), "target": (1.0,), "t": 1,
        },
        "no-memory": {"W": 0.0},
        "running-sum": {"W": 1.0, "U": 1.0, "V": 1.0, "b": 0.0, "c": 0.0, "activation": "linear"},
        "next-character": {"input": "text", "text": "hello", "n": 4, "t": 2},
    }  # fmt: skip

    def settle(self) -> None:
        super().settle()
        typed = self.input == "text"
        self._agree(loss="cross_entropy" if typed else "squared")
        if not typed and len(self.target) != self.T:
            self.target = (self.target + (0.0,) * self.T)[: self.T]

    def control_settings(self) -> dict[str, dict[str, Any]]:
        scalars = {key: {"gone": not self.scalar_weights()} for key in self.SCALARS}
        drawn = {key: {"gone": self.scalar_weights()} for key in ("rho", "family", "sigma_in", "seed")}
        return super().control_settings() | scalars | drawn | {"target": {"gone": self.input == "text"}}

    def config(self) -> RNNConfig:
        typed = self.input == "text"
        scalars = {key: getattr(self, key) for key in self.SCALARS} if self.scalar_weights() else {}
        return RNNConfig(
            **self.shared_config(),
            **scalars,
            activation=self.activation,
            loss=self.loss,
            outputs=ALPHABET_SIZE if typed else 1,
            target=None if typed else self.target,
        )
