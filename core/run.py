"""One pure call from a config to everything that a lab shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .arrays import Array
from .build import build_cell, build_initial_state, build_inputs, build_targets
from .cells import Cell
from .config import Config
from .given import Given, GivenConfig
from .gradients import Gradients, bptt
from .unroll import Trace, unroll


@dataclass(frozen=True, eq=False)
class Run:
    """A config and what follows from it; targets and gradients are None without a read-out."""

    config: Config | GivenConfig
    cell: Cell
    trace: Trace
    targets: Any
    gradients: Gradients | None


def run(config: Config | GivenConfig) -> Run:
    """Draw the cell and the inputs of a config, unroll, and differentiate the losses."""
    cell = build_cell(config)
    c0 = config.given.c0 if isinstance(config, GivenConfig) else None
    trace = unroll(cell, build_inputs(config), build_initial_state(config), c0)
    targets = build_targets(config)
    if targets is None:
        return Run(config, cell, trace, None, None)
    gradients = bptt(cell, trace, targets, config.loss, config.truncate)
    return Run(config, cell, trace, targets, gradients)


def run_cell(
    cell: Cell,
    xs: Array,
    targets: Any = None,
    loss: str | None = None,
    truncate: int | None = None,
    h0: Array | None = None,
    c0: Array | None = None,
) -> Run:
    """Unroll a cell of one's own over inputs of one's own, and differentiate the losses where it has a read-out.

    Parameters
    ----------
    cell, xs, targets, loss, h0, c0 : see `Given`
    truncate : steps back that each loss reaches, or None

    Raises
    ------
    ValueError
        As `Given` does.
    """
    return run(GivenConfig(Given(cell, xs, targets, loss, h0, c0), truncate))
