"""One frozen, hashable config a model family: every number that determines a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from .arrays import checked_choice, checked_integer, checked_number
from .cells.gru import RESETS, UPDATES
from .functions import ACTIVATIONS
from .initializers import FAMILIES
from .inputs import ALPHABET_SIZE, INPUTS
from .losses import LOSSES

LARGEST_SEED = 2**32 - 1

STREAMS: Mapping[str, int] = MappingProxyType(
    {"W_xh": 0, "W_hh": 1, "W_hy": 2, "xs": 3, "targets": 4, "start": 5, "tangent": 6, "W_yh": 7}
    | {"backward_W_xh": 8, "backward_W_hh": 9, "bidirectional_W_hy": 10}
)
"""Array -> index of its random stream; none is ever reused, so that a new array moves no other."""


def stream(seed: int, array: str) -> np.random.SeedSequence:
    """Return the random stream of one array, spawned from the seed of the run."""
    return np.random.SeedSequence(seed, spawn_key=(STREAMS[array],))


@dataclass(frozen=True)
class Config:
    """What every family takes.

    Attributes
    ----------
    n, d, T : hidden size, input size, steps
    seed : 0 … 2**32 - 1
    family, rho : how each recurrent block is drawn, and its spectral radius
    sigma_in : standard deviation of the input weights
    input : zero, impulse, sine, noise, text or values
    text : the text of input "text"; then d = 34, T = len(text) and a read-out has m = 34
    values : the T numbers of input "values"; then d = 1
    target : T numbers (for "squared"; each stands for all outputs), or T class indices
    loss : "squared" or "cross_entropy"
    outputs : m, or None for a cell without a read-out
    truncate : steps back that each loss reaches, or None

    Raises
    ------
    ValueError
        For a value outside what is listed, and for values that contradict each other.
    """

    n: int
    d: int
    T: int
    seed: int = 0
    family: str = "gaussian"
    rho: float = 0.9
    sigma_in: float = 0.5
    input: str = "noise"
    text: str | None = None
    values: tuple[float, ...] | None = None
    target: tuple[float, ...] | None = None
    loss: str = "squared"
    outputs: int | None = None
    truncate: int | None = None

    def __post_init__(self) -> None:
        for name in ("n", "d", "T"):
            checked_integer(name, getattr(self, name), 1)
        checked_integer("seed", self.seed, 0, LARGEST_SEED)
        checked_choice("family", self.family, FAMILIES)
        checked_number("rho", self.rho, low=0.0)
        checked_number("sigma_in", self.sigma_in, low=0.0)
        checked_choice("input", self.input, INPUTS)
        checked_choice("loss", self.loss, LOSSES)
        for name in ("outputs", "truncate"):
            if getattr(self, name) is not None:
                checked_integer(name, getattr(self, name), 1)
        self._freeze_numbers("values")
        self._freeze_numbers("target")
        self._check_input()
        self._check_target()

    def _freeze_numbers(self, name: str) -> None:
        numbers = getattr(self, name)
        if numbers is not None:
            frozen = tuple(checked_number(name, number) for number in numbers)
            object.__setattr__(self, name, frozen)

    def _check_input(self) -> None:
        if self.input == "values":
            if self.values is None:
                raise ValueError('values must be given for input "values", got None')
            self._require("d", 1, 'input "values"')
            self._require("T", len(self.values), f"{len(self.values)} values")
        if self.input == "text":
            self._check_text()

    def _check_text(self) -> None:
        if not self.text:
            raise ValueError(f"text must hold at least one character, got {self.text!r}")
        self._require("d", ALPHABET_SIZE, 'input "text"')
        self._require("T", len(self.text), f"a text of {len(self.text)} characters")
        if self.outputs is not None:
            self._require("outputs", ALPHABET_SIZE, 'input "text"')
            self._require("loss", "cross_entropy", 'input "text"')
        if self.target is not None:
            raise ValueError('target must be None for input "text" (the next character), got numbers')

    def _check_target(self) -> None:
        if self.target is None:
            return
        if self.outputs is None:
            raise ValueError("target must be None without a read-out (outputs=None), got numbers")
        if len(self.target) != self.T:
            raise ValueError(f"target must hold T = {self.T} numbers, got {len(self.target)}")
        if self.loss == "cross_entropy":
            for number in self.target:
                checked_integer("target", int(number) if number.is_integer() else number, 0, self.outputs - 1)

    def _require(self, name: str, wanted: object, reason: str) -> None:
        if getattr(self, name) != wanted:
            raise ValueError(f"{name} must be {wanted} for {reason}, got {getattr(self, name)}")


@dataclass(frozen=True)
class RNNConfig(Config):
    """A vanilla RNN.

    Attributes
    ----------
    activation : "tanh", "relu" or "linear"
    U, W, V, b, c : numbers that replace W_xh, W_hh, W_hy, b_h, b_y where n = d = 1 (and m = 1)
    h0 : number that replaces the initial state where n = d = 1
    """

    activation: str = "tanh"
    U: float | None = None
    W: float | None = None
    V: float | None = None
    b: float | None = None
    c: float | None = None
    h0: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_choice("activation", self.activation, ACTIVATIONS)
        for name in ("U", "W", "V", "b", "c", "h0"):
            if getattr(self, name) is not None:
                checked_number(name, getattr(self, name))
                self._require_scalar(name)

    def _require_scalar(self, name: str) -> None:
        if (self.n, self.d) != (1, 1):
            raise ValueError(f"{name} must be None unless n = d = 1, got n = {self.n}, d = {self.d}")
        if name in ("V", "c") and self.outputs != 1:
            raise ValueError(f"{name} must be None unless outputs = 1, got outputs = {self.outputs}")


@dataclass(frozen=True)
class LSTMConfig(Config):
    """An LSTM; its biases are 0, but for two gates.

    Attributes
    ----------
    forget_bias, input_bias : every component of the forget and of the input gate's bias
    """

    forget_bias: float = 1.0
    input_bias: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_number("forget_bias", self.forget_bias)
        checked_number("input_bias", self.input_bias)


@dataclass(frozen=True)
class GRUConfig(Config):
    """A GRU in one of its four variants (see `GRU`); the candidate's biases are 0.

    Attributes
    ----------
    reset : "before" or "after"
    update : "new" or "old"
    update_bias, reset_bias : every component of the bias of z, and of r
    """

    reset: str = "before"
    update: str = "new"
    update_bias: float = 0.0
    reset_bias: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_choice("reset", self.reset, RESETS)
        checked_choice("update", self.update, UPDATES)
        checked_number("update_bias", self.update_bias)
        checked_number("reset_bias", self.reset_bias)
