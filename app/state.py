"""What the user chooses, once: a param class per lab, with bounds, labels and docs.

Controls, the query string and messages from the page are all made from, and checked against,
these declarations. `config()` turns a state into the frozen configuration that core runs.
"""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import ALPHABET_SIZE, FAMILIES, NOTATIONS, LSTMConfig, RNNConfig

ACTIVATIONS = ("tanh", "relu", "linear")


#: A short sequence to start from where numbers are typed.
SOME_VALUES = (0.2, 0.9, 0.4, -0.3, 0.66, 0.1, -0.8, -0.4, 0.3, 0.7, -0.1, 0.5)


class Numbers(param.Tuple):
    """A tuple of finite floats; `rnnscope.app.url` checks its length against the bounds of T."""

    def _validate_length(self, val: Any, length: int | None) -> None:
        """Any length is a tuple."""


class LabState(param.Parameterized):
    """What every lab shares. Subclasses give defaults, bounds and the keys of their own."""

    cell = param.Selector(default="rnn", objects=["rnn"], label="Cell")
    n = param.Integer(1, bounds=(1, 8), label="Units $n$", doc="hidden size")
    d = param.Integer(1, bounds=(1, 8), label="Inputs $d$", doc="input size")
    T = param.Integer(5, bounds=(1, 12), label="Steps $T$", doc="number of time steps")
    seed = param.Integer(0, bounds=(0, 2**32 - 1), label="Seed", doc="seed of every drawn array")
    family = param.Selector(default="gaussian", objects=list(FAMILIES), label="Recurrent weights")
    rho = param.Number(0.9, bounds=(0, 3), step=0.01, label="Spectral radius $ρ$")
    sigma_in = param.Number(0.5, bounds=(0, 10), softbounds=(0, 5), step=0.05, label="Input strength $σ_in$")
    input = param.Selector(
        default="noise", label="Input", objects=["zero", "impulse", "sine", "noise", "text", "values"]
    )
    text = param.String("hello", label="Text")
    values = Numbers(SOME_VALUES, label="Values")
    t = param.Integer(1, bounds=(0, 12), label="Step $t$")
    unit = param.Integer(0, bounds=(0, 7), label="Unit")
    notation = param.Selector(default="goodfellow", objects=list(NOTATIONS), label="Notation")
    theme = param.Selector(default="", objects=["", "light", "dark"], label="Theme")
    embed = param.Boolean(False, label="Embedded")
    lock = param.String("", label="Locked controls")
    hide = param.String("", label="Hidden controls")
    preset = param.String("", label="Preset")

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {}
    #: Numbers that replace drawn weights, where a lab has them.
    SCALARS: ClassVar[tuple[str, ...]] = ()
    #: Keys that change nothing in the run: painted in the browser, told to the server afterwards.
    LOOKS: ClassVar[frozenset[str]] = frozenset({"t", "unit", "lag", "highlight", "direction"})
    #: Keys that mean something for some of the cells only.
    CELL_KEYS: ClassVar[dict[str, tuple[str, ...]]] = {}
    #: Numbers written under a slider.
    MARKS: ClassVar[dict[str, tuple[float, ...]]] = {}
    #: Keys read from the query string but never a control.
    SETTINGS: ClassVar[frozenset[str]] = frozenset({"cell", "theme", "embed", "lock", "hide", "preset"})

    @classmethod
    def names(cls) -> list[str]:
        """The names of every key of this lab, in the order of declaration."""
        return [name for name in cls.param if name != "name"]

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        return {key: cls.param[key].default for key in cls.names()}

    @classmethod
    def limits(cls, values: dict[str, Any]) -> dict[str, int]:
        """The last number of each key that selects something in a run of these values."""
        return {"t": values["T"], "lag": values["T"], "unit": values["n"] - 1}

    def values_of(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in self.names()}

    def typed(self) -> bool:
        """Whether the input is typed: then its length is T, and its size d is not free."""
        return self.input in ("text", "values")

    def scalar_weights(self) -> bool:
        """Whether every matrix is one number, so that `SCALARS` replace drawn weights."""
        return self.n == 1 and self.input != "text" and (self.d == 1 or self.typed())

    def has(self, key: str) -> bool:
        """Whether a key means something for the cell of this state."""
        return self.cell in self.CELL_KEYS.get(key, (self.cell,))

    def locked(self) -> list[str]:
        """The keys that stay as the link set them."""
        return self.lock.split(",")

    def steps(self) -> int:
        """How many steps the run has: the length of a typed input, else T."""
        if self.input == "text":
            return len(self.text)
        return len(self.values) if self.input == "values" else self.T

    def apply(self, changes: dict[str, Any]) -> None:
        """Set checked values as a person would expect: a new T shortens typed values or adds zeros to them."""
        if "T" in changes and changes.get("input", self.input) == "values":
            values = changes.get("values", self.values)
            changes = {**changes, "values": (values + (0.0,) * changes["T"])[: changes["T"]]}
        self.param.update(**changes)
        self.settle()

    def settle(self) -> None:
        """Make keys agree that depend on each other: a typed input sets T, T bounds t, n bounds unit."""
        steps = self.steps()
        self._agree(T=steps, t=min(self.t, steps), unit=min(self.unit, self.n - 1))

    def _agree(self, **values: Any) -> None:
        """Set what differs: most changes leave every other key as it was."""
        different = {key: value for key, value in values.items() if getattr(self, key) != value}
        if different:
            self.param.update(**different)

    def control_settings(self) -> dict[str, dict[str, Any]]:
        """What this state makes of its controls: a range that depends on another key, gone, or disabled."""
        return {
            "T": {"disabled": self.input == "text"},
            "t": {"max": self.T},
            "lag": {"max": self.T},
            "d": {"gone": self.typed()},
            "text": {"gone": self.input != "text"},
            "values": {"gone": self.input != "values"},
        }

    def shared_config(self) -> dict[str, Any]:
        """The part of the configuration that both cell families take."""
        typed = self.input == "text"
        return {
            "n": self.n,
            "d": ALPHABET_SIZE if typed else 1 if self.typed() else self.d,
            "T": self.T,
            "seed": self.seed,
            "family": self.family,
            "rho": self.rho,
            "sigma_in": self.sigma_in,
            "input": self.input,
            "text": self.text if typed else None,
            "values": self.values if self.input == "values" else None,
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
        scalars = {key: getattr(self, key) for key in self.SCALARS} if self.scalar_weights() else {}
        return RNNConfig(**self.shared_config(), **scalars, **self.read_out(), activation=self.activation)

    def read_out(self) -> dict[str, Any]:
        """The part of the configuration that says what the network is to give: one number, or the next character."""
        typed = self.input == "text"
        return {
            "loss": self.loss,
            "outputs": ALPHABET_SIZE if typed else 1,
            "target": None if typed else self.target,
        }


class GradientState(LabState):
    """A network of up to 64 units over up to 200 steps, whose recurrent matrix is dragged."""

    n = param.Integer(32, bounds=(2, 64), label="Units $n$", doc="hidden size")
    T = param.Integer(100, bounds=(5, 200), label="Steps $T$", doc="number of time steps")
    text = param.String("the quick brown fox jumps over the lazy dog", label="Text")
    activation = param.Selector(default="tanh", objects=list(ACTIVATIONS), label="Activation")
    t = param.Integer(100, bounds=(0, 200), label="Step $t$")
    lag = param.Integer(10, bounds=(0, 200), label="Lag $k$")

    MARKS: ClassVar[dict[str, tuple[float, ...]]] = {"rho": (0, 1, 2, 3)}

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "folk-law-wrong": {"rho": 1.2, "sigma_in": 2.0},
        "radius-is-not-norm": {"family": "nonnormal", "activation": "linear", "n": 8, "rho": 0.9, "T": 200, "lag": 69},
        "orthogonal": {"family": "orthogonal", "activation": "linear", "rho": 1.0},
        "identity-relu": {"family": "identity", "activation": "relu", "rho": 1.0},
    }

    def settle(self) -> None:
        super().settle()
        self._agree(lag=min(self.lag, self.T))

    def config(self) -> RNNConfig:
        return RNNConfig(**self.shared_config(), activation=self.activation)


class LSTMState(LabState):
    """An LSTM cell of one to eight units over up to forty steps."""

    cell = param.Selector(default="lstm", objects=["lstm"], label="Cell")
    n = param.Integer(4, bounds=(1, 8), label="Units $n$", doc="hidden size")
    T = param.Integer(12, bounds=(1, 40), label="Steps $T$", doc="number of time steps")
    input = param.Selector(
        default="values", label="Input", objects=["values", "sine", "impulse", "noise", "zero", "text"]
    )
    text = param.String("hello world", label="Text")
    t = param.Integer(5, bounds=(0, 40), label="Step $t$")
    notation = param.Selector(default="boucher", objects=list(NOTATIONS), label="Notation")
    sigma_in = param.Number(1.0, bounds=(0, 10), softbounds=(0, 5), step=0.05, label="Input strength $σ_in$")
    forget_bias = param.Number(1.0, bounds=(-10, 10), softbounds=(-4, 6), step=0.05, label="Forget bias $b_f$")

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "forget-bias-1": {"forget_bias": 1.0, "rho": 0.0, "sigma_in": 0.0},
        "forgets": {"forget_bias": -4.0},
        "remembers": {"forget_bias": 4.0, "input": "impulse"},
        "one-unit": {"n": 1, "seed": 7},
    }

    def config(self) -> LSTMConfig:
        return LSTMConfig(**self.shared_config(), forget_bias=self.forget_bias)
