"""What /gradients measures of one cell: its run, how its Jacobian norm decays, and the matrices behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from rnnscope.core import (
    RNN,
    BoundParting,
    Decay,
    HalfLife,
    Parting,
    Run,
    bound_parting,
    decay,
    eigenvalues,
    half_life,
    largest_lyapunov_exponent,
    parting,
    singular_values,
)


@dataclass(frozen=True, eq=False)
class Measured:
    """One cell's run and what follows from it; `decay` and where its lines part are of the RNN alone.

    Attributes
    ----------
    exponent : largest Lyapunov exponent per step, natural logarithm; the first quarter of the steps is left out
    eigenvalues, singular_values : of the recurrent matrix, or of all blocks of a gated cell; largest first
    """

    name: str
    run: Run
    found: HalfLife
    exponent: float
    eigenvalues: np.ndarray
    singular_values: np.ndarray
    decay: Decay | None
    parting: Parting | None
    bound_parting: BoundParting | None

    @property
    def steps(self) -> int:
        return self.run.trace.steps

    @property
    def blocks(self) -> int:
        """How many recurrent matrices the cell has."""
        return max(1, len(self.run.cell.gate_names))


def measure(name: str, shown: Run) -> Measured:
    """Measure a run of a cell, `rnn`, `lstm` or `gru`."""
    cell, trace = shown.cell, shown.trace
    found = decay(cell, trace) if isinstance(cell, RNN) else half_life(cell, trace)
    line = found if isinstance(found, Decay) else None
    return Measured(
        name=name,
        run=shown,
        found=found,
        exponent=largest_lyapunov_exponent(cell, trace, discard=trace.steps // 4),
        eigenvalues=line.eigenvalues if line else _of_blocks(eigenvalues, cell.W_hh),
        singular_values=line.singular_values if line else _of_blocks(singular_values, cell.W_hh),
        decay=line,
        parting=parting(line, cell, trace) if line else None,
        bound_parting=bound_parting(line, cell) if line else None,
    )


def _of_blocks(values_of: Callable[[np.ndarray], np.ndarray], blocks: np.ndarray) -> np.ndarray:
    """The values of every block of a gated cell, largest modulus first."""
    values = np.concatenate([values_of(block) for block in blocks])
    return values[np.argsort(-np.abs(values), kind="stable")]
