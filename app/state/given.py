"""The state of a lab that shows the user's own cell and inputs: what draws weights or inputs is no longer a choice."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import GRU, LSTM, RNN, Cell, Given, GivenConfig

from .base import LabState, Subset
from .bptt import BPTTState
from .gradients import GradientState
from .gru import GRUState
from .lstm import LSTMState
from .unfold import UnfoldState

KINDS: dict[type, str] = {RNN: "rnn", LSTM: "lstm", GRU: "gru"}
#: Every lab of one chain: the cells it shows.
TAKES: dict[type[LabState], tuple[type, ...]] = {
    UnfoldState: (RNN,),
    GradientState: (RNN, LSTM, GRU),
    BPTTState: (RNN, LSTM, GRU),
    LSTMState: (LSTM,),
    GRUState: (GRU,),
}
#: Labs whose every step has an output and a loss, one number each.
WITH_LOSS = (UnfoldState, BPTTState)
#: Keys that say how weights and inputs are drawn or typed, or what else is drawn beside them.
DRAWN = (
    "preset", "cell", "curves", "n", "d", "T", "seed", "family", "rho", "sigma_in", "input", "text", "values", "target",
    "loss", "activation", "forget_bias", "input_bias", "update_bias", "reset_bias", "reset", "update", "U", "W", "V",
    "b", "c", "h0", "pattern", "forcing", "window", "output",
)  # fmt: skip
#: Of these the keys that the arrays answer.
FIXED = ("cell", "curves", "n", "d", "T", "loss", "activation", "reset", "update", "pattern")


class GivenState:
    """Goes before a lab's state class: sizes, loss and variant are those of the arrays, and stay so."""

    given: Given
    DRAWN: ClassVar[tuple[str, ...]] = DRAWN

    @classmethod
    def kind_of(cls, values: dict[str, Any]) -> str:
        return "given"

    def kind(self) -> str:
        return "given"

    def scalar_weights(self) -> bool:
        return False

    def has(self, key: str) -> bool:
        return key not in DRAWN and super().has(key)  # type: ignore[misc]

    def at_preset(self) -> bool:
        return False

    def absent(self) -> tuple[str, ...]:
        return DRAWN

    def locked(self) -> list[str]:
        return [*super().locked(), *DRAWN]  # type: ignore[misc]

    def settle(self) -> None:
        """What the arrays say stays, whoever sets it: each such key starts as theirs."""
        super().settle()  # type: ignore[misc]
        fixed = [key for key in FIXED if key in self.names()]  # type: ignore[attr-defined]
        self._agree(**{key: self.param[key].default for key in fixed})  # type: ignore[attr-defined]

    def config(self) -> GivenConfig:
        return GivenConfig(self.given, getattr(self, "truncate", None))

    def config_of(self, cell: str) -> GivenConfig:
        return self.config()


def given_state(state: type[LabState], given: Given, lab: str) -> type[LabState]:
    """The class of states of `lab` that show these arrays.

    Raises
    ------
    ValueError
        For a kind of cell, a size or a read-out that the lab does not show; with what it got and what it takes.
    """
    _check_kind(state, given.cell, lab)
    _check_sizes(state, given, lab)
    if state in WITH_LOSS and given.cell.output_size != 1:
        wanted = f"{lab} shows one output at every step: W_hy must be (1, {given.cell.hidden_size})"
        raise ValueError(f"{wanted}, got {'None' if given.cell.W_hy is None else given.cell.W_hy.shape}")
    if state in WITH_LOSS and given.loss != "squared":
        raise ValueError(f'{lab} shows the squared error: loss must be "squared", got {given.loss!r}')
    fixed = {**_sizes(state, given), **_kind(state, given)}
    return type(state)(f"Given{state.__name__}", (GivenState, state), {"given": given, **fixed})


def _sizes(state: type[LabState], given: Given) -> dict[str, param.Parameter]:
    """Sizes that start as those of the arrays, and an input of a kind that is not typed."""
    cell = given.cell
    found = {"n": cell.hidden_size, "d": cell.input_size, "T": len(given.xs)}
    made: dict[str, param.Parameter] = {}
    for key, size in found.items():
        low, high = state.param[key].bounds
        made[key] = param.Integer(size, bounds=(low, max(high, size)))
    return made | {"input": param.Selector(default="noise", objects=list(state.param["input"].objects))}


def _kind(state: type[LabState], given: Given) -> dict[str, param.Parameter]:
    """The kind of cell, and what is a key in some labs and a field of the cell or of the arrays here."""
    cell, kind = given.cell, KINDS[type(given.cell)]
    values: dict[str, Any] = {"cell": kind, "loss": given.loss} | state.usual({"cell": kind})
    values |= {key: getattr(cell, key) for key in ("activation", "reset", "update") if hasattr(cell, key)}
    made: dict[str, param.Parameter] = {
        key: param.Selector(default=value, objects=list(state.param[key].objects))
        for key, value in values.items() if key in state.param
    }  # fmt: skip
    if "curves" in state.param:
        made["curves"] = Subset((kind,), (kind,))
    return made


def _check_kind(state: type[LabState], cell: Cell, lab: str) -> None:
    kinds = TAKES.get(state, ())
    if not kinds:
        raise ValueError(f"{lab} takes no cell of your own; {_labs()} do")
    if type(cell) not in kinds:
        raise ValueError(f"cell must be {_either([_with_article(kind) for kind in kinds])} in {lab}, got {_name(cell)}")


def _labs() -> str:
    return ", ".join(state.__name__.replace("State", "Lab") for state in TAKES)


def _name(cell: Any) -> str:
    return type(cell).__name__


def _with_article(kind: type) -> str:
    return f"{'a' if kind is GRU else 'an'} {kind.__name__}"


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _check_sizes(state: type[LabState], given: Given, lab: str) -> None:
    """No drawing has room for more units, inputs and steps than the lab's own controls allow."""
    cell = given.cell
    sizes = {"n": (cell.hidden_size, "units"), "T": (len(given.xs), "steps")}
    if state is not GradientState:  # which draws no inputs
        sizes["d"] = (cell.input_size, "inputs")
    for key, (size, words) in sizes.items():
        low, high = state.param[key].bounds
        if not low <= size <= high:
            raise ValueError(f"{lab} shows {low} to {high} {words}, got {key} = {size}")
