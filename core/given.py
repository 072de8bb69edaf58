"""A run of the caller's own cell and inputs, in the place of a config from which both are drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_choice, checked_integer
from .cells import Cell
from .losses import LOSSES, target_array
from .unroll import initial_state


@dataclass(frozen=True, eq=False)
class Given:
    """The caller's own arrays, checked; two are the same where they are the same object.

    Attributes
    ----------
    cell : RNN, LSTM or GRU
    xs : (T, d)
    targets : (T,) class indices, (T, m) for either loss, or None: zeros; T numbers are those of one output
    loss : "cross_entropy" or "squared"; None: "cross_entropy" for indices of several classes, else "squared"
    h0, c0 : (n,) or None, zeros

    Raises
    ------
    ValueError
        For wrong shapes, numbers that are not finite, and targets without a read-out; names the argument.
    """

    cell: Cell
    xs: Array
    targets: Any = None
    loss: str | None = None
    h0: Array | None = None
    c0: Array | None = None
    #: Whether the targets are the caller's own; zeros stand in for those of a read-out that has none.
    has_targets: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        xs = checked_array("xs", self.xs, (None, self.cell.input_size))
        checked_integer("steps of xs", len(xs), 1)
        initial_state(self.cell, self.h0, self.c0)
        loss = (
            _fitting_loss(self.cell, self.targets) if self.loss is None else checked_choice("loss", self.loss, LOSSES)
        )
        found = {"xs": xs, "loss": loss, "targets": _checked_targets(self.cell, self.targets, loss, len(xs))}
        found["has_targets"] = self.targets is not None
        for name, value in found.items():
            object.__setattr__(self, name, value)


def _fitting_loss(cell: Cell, targets: Any) -> str:
    """Whole numbers in a row are classes where there is more than one; anything else is a number to come near."""
    if targets is None or cell.output_size == 1:
        return "squared"
    return "cross_entropy" if np.ndim(targets) == 1 and np.asarray(targets).dtype.kind in "iu" else "squared"


def _checked_targets(cell: Cell, targets: Any, loss: str, steps: int) -> Any:
    """Targets as `bptt` takes them; of a read-out without targets zeros, of a cell without one None."""
    outputs = cell.output_size
    if outputs is None:
        if targets is not None:
            raise ValueError("targets must be None for a cell without a read-out (W_hy is None), got an array")
        return None
    if targets is None:
        if loss == "cross_entropy":
            raise ValueError('targets must be given for the loss "cross_entropy", got None')
        return np.zeros((steps, outputs))
    if loss == "cross_entropy" and np.ndim(targets) == 1:
        target_array(targets, loss, steps, outputs)
        return np.array(targets, dtype=np.int64)
    column = np.asarray(targets)[:, None] if np.ndim(targets) == 1 else targets
    return target_array(column, loss, steps, outputs)


@dataclass(frozen=True)
class GivenConfig:
    """What determines a run of the caller's own arrays: these, and how far each loss goes back.

    It says what a `Config` says of sizes, loss and window, and nothing of how anything is drawn.
    """

    given: Given
    truncate: int | None = None

    def __post_init__(self) -> None:
        if self.truncate is not None:
            checked_integer("truncate", self.truncate, 1)

    @property
    def n(self) -> int:
        """Hidden size."""
        return self.given.cell.hidden_size

    @property
    def d(self) -> int:
        """Input size."""
        return self.given.cell.input_size

    @property
    def T(self) -> int:
        """Steps."""
        return len(self.given.xs)

    @property
    def outputs(self) -> int | None:
        """m, or None for a cell without a read-out."""
        return self.given.cell.output_size

    @property
    def loss(self) -> str:
        """The loss, "cross_entropy" or "squared"."""
        return str(self.given.loss)
