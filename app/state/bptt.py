"""What the user chooses in /bptt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import param
from rnnscope.core import RESETS, UPDATES, Config

from .base import CELLS, LabState, Numbers, gated_config
from .unfold import UnfoldState

#: Blocks of a gated cell's recurrent weights; the candidate is in both.
BLOCKS = {"rnn": (), "lstm": ("f", "i", "o", "g"), "gru": ("z", "r", "g")}
#: A gated cell is written as its sources write it, unless the reader chooses otherwise.
NOTATION_OF = {"rnn": "goodfellow", "lstm": "boucher", "gru": "boucher"}


class BPTTState(UnfoldState):
    """Any cell of up to 16 units over up to fifty steps, every loss traced back to every state."""

    cell = param.Selector(default="rnn", objects=list(CELLS), label="Cell")
    n = param.Integer(1, bounds=(1, 16), label="Units $n$", doc="hidden size")
    T = param.Integer(6, bounds=(1, 50), label="Steps $T$", doc="number of time steps")
    values = Numbers((1.25, -0.6, 0.16, -0.93, 0.52, -1.49), label="Values")
    target = Numbers((0.16, 0.09, 0.09, 0.14, 0.06, 0.27), label="Targets")
    W = param.Number(
        1.3, bounds=(-10, 10), softbounds=(-3, 3), step=0.01, allow_None=True, label="$W$ hidden to hidden"
    )
    unit = param.Integer(0, bounds=(0, 15), label="Unit")
    forget_bias = param.Number(1.0, bounds=(-10, 10), softbounds=(-4, 6), step=0.05, label="Forget bias $b_f$")
    reset = param.Selector(default="before", objects=list(RESETS), label="Reset gate")
    update = param.Selector(default="new", objects=list(UPDATES), label="Update gate")
    truncate = param.Integer(
        None, bounds=(1, 50), allow_None=True, label="Window, states per loss", doc="steps that each loss goes back"
    )
    clip = param.Number(
        None, bounds=(0.01, 1e6), softbounds=(0.05, 5), step=0.05, allow_None=True, label="Clip threshold $c$"
    )
    learning_rate = param.Number(0.1, bounds=(0, 10), softbounds=(0, 1), step=0.01, label="Learning rate $η$")
    t = param.Integer(5, bounds=(0, 50), label="Loss $t$")
    lag = param.Integer(3, bounds=(0, 50), label="Lag $t$ − $k$")
    moment = param.Integer(253, bounds=(1, 253), label="Moment", doc="how far the algorithm has run")
    block = param.Selector(default="g", objects=["f", "i", "o", "z", "r", "g"], label="Block of the weights")

    LOOKS: ClassVar[frozenset[str]] = LabState.LOOKS | {"moment", "block"}
    FOLLOWED: ClassVar[tuple[str, ...]] = ("moment", "t", "lag", "unit")
    SETTINGS: ClassVar[frozenset[str]] = LabState.SETTINGS - {"cell"}
    CELL_KEYS: ClassVar[dict[str, tuple[str, ...]]] = {
        "activation": ("rnn",), "forget_bias": ("lstm",), "reset": ("gru",), "update": ("gru",),
        "block": ("lstm", "gru"),
    }  # fmt: skip

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "six-steps": {},
        "truncated": {"truncate": 4},
        "clipped": {"clip": 1.0, "t": 3, "lag": 2},
        "long-memory": {
            "n": 8, "T": 50, "family": "orthogonal", "rho": 1.0, "activation": "linear",
            "input": "noise", "target": (0.0,), "t": 50, "lag": 40,
        },
        "vanishing-loom": {"n": 8, "T": 50, "input": "noise", "target": (0.0,), "t": 50, "lag": 40},
        "lstm-loom": {
            "cell": "lstm", "n": 8, "T": 50, "forget_bias": 4.0, "input": "noise", "target": (0.0,), "t": 50, "lag": 40,
        },
    }  # fmt: skip

    @classmethod
    def names(cls) -> list[str]:
        """The keys of the Unfold lab without those of its view and of its patterns."""
        others = ("highlight", "direction", "pattern", "forcing", "window")
        return [name for name in super().names() if name not in others]

    @classmethod
    def limits(cls, values: dict[str, Any]) -> dict[str, int]:
        """A loss reaches states 1 … t; the algorithm has 5 T + 3 moments."""
        T, t = values["T"], min(values["t"], values["T"])
        return {"t": T, "lag": max(0, t - 1), "unit": values["n"] - 1, "moment": moments(T)}

    def scalar_weights(self) -> bool:
        return self.cell == "rnn" and super().scalar_weights()

    def apply(self, changes: dict[str, Any]) -> None:
        """As every lab; what has run to the end stays at the end when T changes, and a cell brings its notation."""
        ended = self.moment == moments(self.T) or self.moment == self.param["moment"].default
        if ended and "moment" not in changes:
            changes = {**changes, "moment": self.param["moment"].default}
        if "cell" in changes:
            changes = {**self.usual(changes), **changes}
        super().apply(changes)

    @classmethod
    def usual(cls, values: dict[str, Any]) -> dict[str, Any]:
        return {"notation": NOTATION_OF[values["cell"]]}

    def settle(self) -> None:
        super().settle()
        limits = self.limits(self.values_of())
        whole = self.truncate is not None and self.truncate >= self.T
        self._agree(
            lag=min(self.lag, limits["lag"]),
            moment=min(self.moment, limits["moment"]),
            truncate=None if whole else self.truncate,
            block=self.block if self.block in BLOCKS[self.cell] else "g",
        )

    def control_settings(self) -> dict[str, dict[str, Any]]:
        cells = {key: {"gone": not self.has(key)} for key in self.CELL_KEYS}
        return super().control_settings() | cells | {"truncate": {"max": self.T}, "lag": {"max": max(0, self.t - 1)}}

    def config(self) -> Config:
        if self.cell == "rnn":
            return replace(super().config(), truncate=self.truncate)
        shared = {**self.shared_config(), **self.read_out(), "truncate": self.truncate}
        return gated_config(self, self.cell, shared)


def moments(T: int) -> int:
    """Moments of back-propagation over T steps: each forward step, G = 0, four lines a step back, clip, update."""
    return T + 1 + 4 * T + 2
