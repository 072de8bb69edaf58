"""What every lab shares of what the user chooses: parameters with bounds, labels and docs, declared once.

Controls, the query string and messages from the page are all made from, and checked against,
these declarations. `config()` turns a state into the frozen configuration that core runs.
"""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import ALPHABET_SIZE, FAMILIES, NOTATIONS, Given, GRUConfig, LSTMConfig

ACTIVATIONS = ("tanh", "relu", "linear")
CELLS = ("rnn", "lstm", "gru")

#: A short sequence to start from where numbers are typed.
SOME_VALUES = (0.2, 0.9, 0.4, -0.3, 0.66, 0.1, -0.8, -0.4, 0.3, 0.7, -0.1, 0.5)


class Numbers(param.Tuple):
    """A tuple of finite floats; `rnnscope.app.url` checks its length against the bounds of T."""

    def _validate_length(self, val: Any, length: int | None) -> None:
        """Any length is a tuple."""


class Subset(param.Tuple):
    """One or more of `objects`, in their order."""

    __slots__ = ("objects",)

    def __init__(self, default: tuple[str, ...], objects: tuple[str, ...], **params: Any):
        self.objects = objects
        super().__init__(default, **params)

    def _validate_length(self, val: Any, length: int | None) -> None:
        """Any length is a tuple; `rnnscope.app.url` checks what is in it."""


class Operations(param.String):
    """Operations on the run of a cell with `gates`, as text; `rnnscope.app.url` checks and shortens it."""

    __slots__ = ("gates",)

    def __init__(self, gates: tuple[str, ...], **params: Any):
        self.gates = gates
        super().__init__("", **params)


class ChangedInput(param.String):
    """One changed input as text, step and new value; `rnnscope.app.url` checks it."""


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
    #: Looks that texts and numbers follow: a static copy has an answer for every value of these.
    FOLLOWED: ClassVar[tuple[str, ...]] = ("t", "unit")
    #: Looks that the page paints without an answer.
    PAINTED: ClassVar[frozenset[str]] = frozenset({"highlight", "direction"})
    #: Keys that mean something for some of the cells only.
    CELL_KEYS: ClassVar[dict[str, tuple[str, ...]]] = {}
    #: Whether the text is shown beside an input of another kind too.
    TEXT_BESIDE: ClassVar[bool] = False
    #: Choices of a few words that stand side by side.
    SEGMENTS: ClassVar[frozenset[str]] = frozenset({"highlight", "direction", "pattern", "forcing"})
    #: Numbers written under a slider.
    MARKS: ClassVar[dict[str, tuple[float, ...]]] = {}
    #: The user's own arrays, where a lab shows these: see `app.state.given`.
    given: ClassVar[Given | None] = None
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
        return {"t": values["T"], "lag": values["T"], "unit": values["n"] - 1, "output": len(values["text"])}

    @classmethod
    def misfits(cls, values: dict[str, Any]) -> list[tuple[str, str, str]]:
        """Key, its text and what is accepted, of values that do not go with the others."""
        return []

    def values_of(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in self.names()}

    @classmethod
    def kind_of(cls, values: dict[str, Any]) -> str:
        """The kind of input that a run of these values reads."""
        return str(values.get("input", cls.param["input"].default))

    def kind(self) -> str:
        """The kind of input that the run reads."""
        return str(self.input)

    def typed(self) -> bool:
        """Whether the input is typed: then its length is T, and its size d is not free."""
        return self.kind() in ("text", "values")

    def scalar_weights(self) -> bool:
        """Whether every matrix is one number, so that `SCALARS` replace drawn weights."""
        return self.n == 1 and self.kind() != "text" and (self.d == 1 or self.typed())

    def has(self, key: str) -> bool:
        """Whether a key means something for the cell of this state."""
        return self.cell in self.CELL_KEYS.get(key, (self.cell,))

    @classmethod
    def misplaced(cls, values: dict[str, Any]) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Keys that mean nothing beside these values: key -> another key, and the values of it that it goes with."""
        return {key: ("cell", cells) for key, cells in cls.CELL_KEYS.items() if values["cell"] not in cells}

    @classmethod
    def usual(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Defaults that depend on another key of `values`: they need not stand in a link."""
        return {}

    def at_preset(self) -> bool:
        """Whether every number that determines the run is still as the preset, or without one the lab, set it."""
        start = {**self.defaults(), **self.PRESETS.get(self.preset, {})}
        free = self.LOOKS | self.SETTINGS | {"notation"}
        return all(getattr(self, key) == start[key] for key in start if key not in free and self.has(key))

    def locked(self) -> list[str]:
        """The keys that stay as the link set them."""
        return self.lock.split(",")

    def absent(self) -> tuple[str, ...]:
        """The keys that have no control here, because what they say is fixed."""
        return ()

    def steps(self) -> int:
        """How many steps the run has: the length of a typed input, else T."""
        if self.kind() == "text":
            return len(self.text)
        return len(self.values) if self.kind() == "values" else self.T

    def apply(self, changes: dict[str, Any]) -> None:
        """Set checked values as a person would expect: a new T shortens typed values or adds zeros to them."""
        if "T" in changes and self.kind_of({**self.values_of(), **changes}) == "values":
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
            "T": {"disabled": self.kind() == "text"},
            "t": {"max": self.T},
            "lag": {"max": self.T},
            "d": {"gone": self.typed()},
            "text": {"gone": self.input != "text"},
            "values": {"gone": self.input != "values"},
        }

    def shared_config(self) -> dict[str, Any]:
        """The part of the configuration that both cell families take."""
        kind = self.kind()
        typed = kind == "text"
        return {
            "n": self.n,
            "d": ALPHABET_SIZE if typed else 1 if self.typed() else self.d,
            "T": self.T,
            "seed": self.seed,
            "family": self.family,
            "rho": self.rho,
            "sigma_in": self.sigma_in,
            "input": kind,
            "text": self.text if typed else None,
            "values": self.values if kind == "values" else None,
        }


def gated_config(state: Any, cell: str, shared: dict[str, Any]) -> LSTMConfig | GRUConfig:
    """The LSTM or the GRU of a state that compares cells, by its own keys."""
    if cell == "lstm":
        return LSTMConfig(**shared, forget_bias=state.forget_bias)
    return GRUConfig(**shared, reset=state.reset, update=state.update)
