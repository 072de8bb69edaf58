"""What is chosen on /unfold."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import ALPHABET_SIZE, RNNConfig

from .base import ACTIVATIONS, LabState, Numbers

#: Where the recurrence of /unfold lives.
PATTERNS = ("hidden", "output", "last", "system", "convolution")
#: Keys that mean something in one pattern alone.
PATTERN_KEYS = {"forcing": "output", "window": "convolution"}
#: Keys that mean nothing in some patterns: there is no such weight, input or loss.
WITHOUT = {
    "hidden": (),
    "output": ("h0",),
    "last": (),
    "system": ("U", "V", "c", "d", "sigma_in", "input", "values", "text", "target"),
    "convolution": ("V", "c", "target"),
}


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
    pattern = param.Selector(default="hidden", objects=list(PATTERNS), label="Pattern")
    forcing = param.Selector(default="free", objects=["free", "teacher"], label="What a step reads")
    window = param.Integer(3, bounds=(1, 12), label="Window $w$", doc="steps that one output of the convolution sees")
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
        "through-the-output": {"pattern": "output"},
        "teacher-forcing": {"pattern": "output", "forcing": "teacher"},
        "one-answer": {"pattern": "last", "t": 5},
        "fixed-point": {"pattern": "system", "W": 0.5, "b": 0.1, "h0": 0.9, "T": 12, "t": 12},
        "two-cycle": {"pattern": "system", "W": -3.0, "b": 0.0, "h0": 0.5, "T": 12, "t": 12},
        "window-and-past": {
            "pattern": "convolution", "window": 3, "values": (1.0, 0.0, 0.0, 0.0, 0.0, 0.0), "T": 6,
            "b": 0.0, "t": 4,
        },
        "same-when-linear": {
            "pattern": "convolution", "window": 5, "activation": "linear", "b": 0.0, "t": 5,
        },
    }  # fmt: skip

    @classmethod
    def limits(cls, values: dict[str, Any]) -> dict[str, int]:
        return super().limits(values) | {"window": values["T"]}

    @classmethod
    def misplaced(cls, values: dict[str, Any]) -> dict[str, tuple[str, tuple[str, ...]]]:
        own = {
            key: ("pattern", (pattern,)) for key, pattern in PATTERN_KEYS.items() if values.get("pattern") != pattern
        }
        return super().misplaced(values) | own

    def scalar_weights(self) -> bool:
        """A dynamical system has no input: its numbers are its own whatever d is."""
        return self.n == 1 if self.pattern == "system" else super().scalar_weights()

    def has(self, key: str) -> bool:
        only = PATTERN_KEYS.get(key, self.pattern) == self.pattern
        return only and key not in WITHOUT[self.pattern] and super().has(key)

    @classmethod
    def kind_of(cls, values: dict[str, Any]) -> str:
        """A dynamical system reads nothing, whatever the other patterns read."""
        return "zero" if values.get("pattern") == "system" else super().kind_of(values)

    def kind(self) -> str:
        return "zero" if self.pattern == "system" else super().kind()

    def settle(self) -> None:
        super().settle()
        self._agree(window=min(self.window, self.T))
        typed = self.kind() == "text"
        self._agree(loss="cross_entropy" if typed else "squared")
        if not typed and len(self.target) != self.T:
            self.target = (self.target + (0.0,) * self.T)[: self.T]

    def control_settings(self) -> dict[str, dict[str, Any]]:
        scalars = {key: {"gone": not self.scalar_weights()} for key in self.SCALARS}
        drawn = {key: {"gone": self.scalar_weights()} for key in ("rho", "family", "sigma_in", "seed")}
        shown = super().control_settings() | scalars | drawn | {"target": {"gone": self.input == "text"}}
        without = {"direction": {"gone": self.pattern in ("system", "convolution")}}
        without |= {key: {"gone": True} for key in (*WITHOUT[self.pattern], *PATTERN_KEYS) if not self.has(key)}
        return shown | {"window": {"max": self.T}} | without

    def config(self) -> RNNConfig:
        free = self.SCALARS if self.scalar_weights() else ()
        scalars = {key: getattr(self, key) for key in free if self.has(key)}
        unread = {key: self.param[key].default for key in ("d", "sigma_in") if not self.has(key)}
        shared = self.shared_config() | unread
        return RNNConfig(**shared, **scalars, **self.read_out(), activation=self.activation)

    def read_out(self) -> dict[str, Any]:
        """The part of the configuration that says what the network is to give: one number, or the next character."""
        typed = self.kind() == "text"
        return {
            "loss": self.loss,
            "outputs": ALPHABET_SIZE if typed else 1,
            "target": None if typed or not self.has("target") else self.target,
        }
