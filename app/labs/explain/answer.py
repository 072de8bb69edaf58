"""What is asked of the truth badge, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from rnnscope.core import AttentionConfig, BidirectionalConfig, Config, GivenConfig, Gradients, Product, Run, bptt
from rnnscope.core.notation import Notation, find_notation, signal_token

from ...view import Message
from ...words import Phrase, token_words

#: What two ways of computing one number may differ by, as a share of the larger of 1 and its size.
ROUNDING, OTHER_WAY, CENTRAL = 1e-12, 1e-8, 1e-5


class MissingError(ValueError):
    """The number that is asked for is not on the page: there is no such step, unit or symbol."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A number of a page: its symbol, step and unit, and the value that the page shows for it."""

    lab: Any
    symbol: str
    t: int
    unit: int
    shown: float | None = None

    @classmethod
    def of(cls, lab: Any, message: Message) -> Asked:
        """Check a message of the page.

        Raises
        ------
        MissingError
            For a symbol that is no text, and a step or unit that is no integer.
        """
        symbol, t, unit = (message.get(key) for key in ("symbol", "t", "unit"))
        if not isinstance(symbol, str) or not all(type(place) is int for place in (t, unit)):
            raise MissingError(f"A number is asked for by symbol, step and unit, not by {symbol!r}, {t!r}, {unit!r}.")
        return cls(lab, symbol, int(t), int(unit), _number(message.get("value")))  # type: ignore[arg-type]

    @property
    def run(self) -> Run:
        found: Run = self.lab.run
        return found

    @property
    def cell(self) -> Any:
        return self.run.cell

    @property
    def trace(self) -> Any:
        return self.run.trace

    @property
    def gradients(self) -> Gradients:
        if self.run.gradients is None:
            raise MissingError(f"This network has no output, so that there is no {self.symbol}.")
        return self.run.gradients

    @property
    def full(self) -> Gradients:
        """The gradients without a window."""
        if self.run.config.truncate is None:
            return self.gradients
        return bptt(self.cell, self.trace, self.run.targets, self.run.config.loss)

    @property
    def full_or_none(self) -> Gradients | None:
        return None if self.run.gradients is None else self.full

    @property
    def T(self) -> int:
        return int(self.trace.steps)

    @property
    def window(self) -> int:
        """Steps that each loss goes back."""
        return self.run.config.truncate or self.T

    @property
    def notation(self) -> str:
        name: str = self.lab.state.notation
        return name

    @property
    def gated(self) -> bool:
        return bool(self.cell.gate_names)

    @property
    def letters(self) -> Notation:
        return find_notation(self.notation, self.gated, "h" if "z" in self.cell.gate_names else "c")

    def letter(self, symbol: str, t: int | None = None) -> Phrase:
        """A quantity that has a step, in the notation of the page."""
        return token_words([signal_token(self.letters, symbol, self.t if t is None else t, 0, self.gated)])


def _number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


@dataclass(frozen=True)
class Check:
    """The same number by another way. `kind` is "again", "other" or "central"."""

    words: str
    value: float
    difference: float
    kind: str
    near: bool


def check(words: str, other: float, value: float, kind: str = "again", share: float = ROUNDING) -> Check:
    """Hold another computation against the number on the page."""
    apart = difference(float(other), float(value))
    return Check(words, float(other), apart, kind, abs(apart) <= share * max(1.0, abs(value)))


def difference(first: float, second: float) -> float:
    """first - second; 0 where both are the same infinity, or no number."""
    same = first == second or (math.isnan(first) and math.isnan(second))
    return 0.0 if same else first - second


Rows = Callable[[Asked], tuple[Any, int]]
Says = Callable[[Asked], Phrase]


def nothing(_: Asked) -> Phrase:
    return []


def step_and_unit(asked: Asked) -> str:
    """Where a quantity of a layer stands; of one unit the step alone."""
    unit = f", unit {asked.unit + 1}" if asked.cell.hidden_size > 1 else ""
    return f", step {asked.t}{unit}"


def step_and_place(asked: Asked) -> str:
    """Where an entry of an input or an output stands."""
    return f", step {asked.t}, entry {asked.unit + 1}"


def step_alone(asked: Asked) -> str:
    return f", step {asked.t}"


@dataclass(frozen=True)
class Entry:
    """How one symbol is explained.

    Attributes
    ----------
    words : what it is
    rows : every number of that symbol, and the step of the first row
    code : Python that gives the number; `r` is the run
    title, formula : in the notation of the page
    lines : the arithmetic
    products : the matrix products in it
    checks : the same number by other ways
    note : where it comes from
    where : its step and unit in words, added to `words`
    config : of the run that the code starts from
    setup : lines of Python between the run and the number
    """

    words: str | Callable[[Asked], str]
    rows: Rows
    code: Callable[[Asked], str]
    title: Says
    formula: Says = nothing
    lines: Callable[[Asked], list[Phrase]] = lambda _: []
    products: Callable[[Asked], tuple[Product, ...]] = lambda _: ()
    checks: Callable[[Asked, float], list[Check]] = lambda _, __: []
    note: Says = nothing
    where: Callable[[Asked], str] = lambda _: ""
    config: Callable[[Asked], Config | BidirectionalConfig] = lambda asked: asked.run.config
    setup: Callable[[Asked], list[str]] = lambda _: []

    def value(self, asked: Asked) -> float:
        """Core's own number.

        Raises
        ------
        MissingError
            Where the run has no such step or unit.
        """
        rows, first = self.rows(asked)
        table = np.asarray(rows, dtype=np.float64)
        if not first <= asked.t < first + len(table):
            raise MissingError(
                f"There is no {asked.symbol} at {asked.t}: it goes from {first} to {first + len(table) - 1}."
            )
        row = np.atleast_1d(table[asked.t - first])
        if not 0 <= asked.unit < len(row):
            raise MissingError(f"There is no {asked.symbol} number {asked.unit}: it goes from 0 to {len(row) - 1}.")
        return float(row[asked.unit])


@dataclass(frozen=True)
class Answer:
    """Everything that the badge shows of one number."""

    title: Phrase
    words: str
    value: float
    formula: Phrase = field(default_factory=list)
    products: tuple[Product, ...] = ()
    lines: list[Phrase] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    code: str = ""
    note: Phrase = field(default_factory=list)


def config_code(config: Any) -> str:
    """A config as Python writes it, without what is as it starts."""
    given = {item.name: (getattr(config, item.name), item.default) for item in fields(config)}
    named = [f"{name}={_written(value)}" for name, (value, default) in given.items() if value != default]
    return f"{type(config).__name__}({', '.join(named)})"


def _written(value: Any) -> str:
    return config_code(value) if isinstance(value, Config) else repr(value)


def script(config: Any, expression: str, setup: Sequence[str] = ()) -> str:
    """Lines to copy: they print the number of `expression`, where `r` is the run of the config."""
    load, call = _made(config)
    if isinstance(config, GivenConfig):
        setup = ["# cell, xs and what else is named in run_cell are your own arrays", *setup]
    lines = ["import numpy as np", "from rnnscope.core import *", *([load] if load else []), f"r = {call}"]
    return "\n".join([*lines, *setup, f"print({expression})"])


def _made(config: Any) -> tuple[str, str]:
    """What a script imports beside core, and how it makes the run."""
    if isinstance(config, GivenConfig):
        return "", given_call(config)
    if isinstance(config, AttentionConfig):
        if config.positions != "learned":
            return "", f"run_attention({config_code(config)})"
        table = f"shipped_positions({config.d_model}).table"
        load = "from rnnscope.app.positions import shipped_positions"
        return load, f"run_attention({config_code(config)}, {table})"
    usual = "run_both" if isinstance(config, BidirectionalConfig) else "run"
    load, make = getattr(config, "SCRIPT", ("", usual))
    return load, f"{make}({config_code(config)})"


def given_call(config: GivenConfig) -> str:
    """The call that makes a run of the caller's own arrays, by the names that a lab takes them by."""
    given = config.given
    known = {"targets": given.has_targets, "h0": given.h0 is not None, "c0": given.c0 is not None}
    named = [f", {name}={name}" for name, has in known.items() if has]
    loss = f', loss="{given.loss}"' if given.has_targets else ""
    window = "" if config.truncate is None else f", truncate={config.truncate}"
    return f"run_cell(cell, xs{''.join(named)}{loss}{window})"


def one(shape: tuple[int, ...], *place: int) -> np.ndarray:
    """Zeros but for a 1 at one place."""
    found = np.zeros(shape)
    found[place] = 1.0
    return found
