"""What is chosen on /gradients."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import RESETS, UPDATES, Config, RNNConfig

from .base import ACTIVATIONS, CELLS, LabState, Subset, gated_config

#: Every weight 0: what is left of an LSTM's Jacobian is the forget gate alone.
CELL_PATH_ALONE = {"rho": 0.0, "sigma_in": 0.0, "cell": "lstm", "curves": ("lstm",)}


class GradientState(LabState):
    """Networks of up to 64 units over up to 200 steps, whose recurrent matrices are dragged together."""

    cell = param.Selector(default="rnn", objects=list(CELLS), label="Matrices and texts of")
    curves = Subset(CELLS, CELLS, label="Curves")
    n = param.Integer(32, bounds=(2, 64), label="Units $n$", doc="hidden size")
    T = param.Integer(100, bounds=(5, 200), label="Steps $T$", doc="number of time steps")
    text = param.String("the quick brown fox jumps over the lazy dog", label="Text")
    activation = param.Selector(default="tanh", objects=list(ACTIVATIONS), label="Activation of the RNN")
    forget_bias = param.Number(
        1.0, bounds=(-10, 10), softbounds=(-4, 6), step=0.05, label="Forget bias $b_f$ of the LSTM"
    )
    reset = param.Selector(default="before", objects=list(RESETS), label="Reset gate of the GRU")
    update = param.Selector(default="new", objects=list(UPDATES), label="Update gate of the GRU")
    t = param.Integer(100, bounds=(0, 200), label="Step $t$")
    lag = param.Integer(10, bounds=(0, 200), label="Lag $k$")
    output = param.Integer(0, bounds=(0, 200), label="Output", doc="whose memory is shown; 0 is the last")

    LOOKS: ClassVar[frozenset[str]] = LabState.LOOKS | {"output"}
    FOLLOWED: ClassVar[tuple[str, ...]] = ("lag",)
    TEXT_BESIDE: ClassVar[bool] = True
    MARKS: ClassVar[dict[str, tuple[float, ...]]] = {"rho": (0, 1, 2, 3)}
    SETTINGS: ClassVar[frozenset[str]] = LabState.SETTINGS - {"cell"}

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "folk-law-wrong": {"rho": 1.2, "sigma_in": 2.0, "curves": ("rnn",)},
        "radius-is-not-norm": {
            "family": "nonnormal", "activation": "linear", "n": 8, "rho": 0.9, "T": 200, "lag": 69, "curves": ("rnn",),
        },
        "identity-relu": {
            "family": "identity", "activation": "relu", "rho": 1.0, "input": "impulse", "curves": ("rnn",),
        },
        "orthogonal": {"family": "orthogonal", "activation": "linear", "rho": 1.0, "curves": ("rnn",)},
        "jordan-block": {
            "family": "jordan", "activation": "linear", "n": 4, "rho": 0.9, "T": 200, "lag": 29, "curves": ("rnn",),
        },
        "forget-bias-0": {"forget_bias": 0.0, **CELL_PATH_ALONE},
        "forget-bias-1": {"forget_bias": 1.0, **CELL_PATH_ALONE},
        "forget-bias-4": {"forget_bias": 4.0, **CELL_PATH_ALONE},
        "chaos-needs-size": {"rho": 1.5, "input": "impulse", "T": 200, "curves": ("rnn",)},
    }  # fmt: skip

    def apply(self, changes: dict[str, Any]) -> None:
        """As every lab; the cell that the texts speak of has its curve on."""
        curves = changes.get("curves", self.curves)
        cell = changes.get("cell", self.cell)
        if cell not in curves and "cell" in changes:
            curves = tuple(name for name in CELLS if name in curves or name == cell)
        super().apply({**changes, "curves": curves, "cell": cell if cell in curves else curves[0]})

    def settle(self) -> None:
        super().settle()
        self._agree(lag=min(self.lag, self.T), output=min(self.output, len(self.text)))

    def chosen_output(self) -> int:
        """The output whose memory is shown, 1 … the length of the text."""
        return self.output or len(self.text)

    def control_settings(self) -> dict[str, dict[str, Any]]:
        of_cell = {"activation": "rnn", "forget_bias": "lstm", "reset": "gru", "update": "gru"}
        unused = {key: {"gone": cell not in self.curves} for key, cell in of_cell.items()}
        return super().control_settings() | unused

    def config(self) -> Config:
        return self.config_of(self.cell)

    def config_of(self, cell: str) -> Config:
        """The configuration of one of the three cells, on the same input and the same seed."""
        if cell != "rnn":
            return gated_config(self, cell, self.shared_config())
        return RNNConfig(**self.shared_config(), activation=self.activation)
