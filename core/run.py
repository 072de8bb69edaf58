"""One pure call from a config to everything that a lab shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .build import build_cell, build_initial_state, build_inputs, build_targets
from .cells import Cell
from .config import Config
from .gradients import Gradients, bptt
from .unroll import Trace, unroll


@dataclass(frozen=True, eq=False)
class Run:
    """A config and what follows from it; targets and gradients are None without a read-out."""

    config: Config
    cell: Cell
    trace: Trace
    targets: Any
    gradients: Gradients | None


def run(config: Config) -> Run:
    """Draw the cell and the inputs of a config, unroll, and differentiate the losses."""
    cell = build_cell(config)
    trace = unroll(cell, build_inputs(config), build_initial_state(config))
    targets = build_targets(config)
    if targets is None:
        return Run(config, cell, trace, None, None)
    gradients = bptt(cell, trace, targets, config.loss, config.truncate)
    return Run(config, cell, trace, targets, gradients)
