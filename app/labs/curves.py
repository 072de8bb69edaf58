"""The detail `curves` of /gradients: the cells whose curves are on beside the selected one, and the table of all."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..plots.decay_chart import curve_symbol
from ..view import Arrays
from . import gradient_texts as say
from .detail import Detail
from .measured import Measured


class Curves(Detail):
    """An LSTM's curve costs four times an RNN's: it follows when the hand rests."""

    NAME: ClassVar[str] = "curves"

    def arrays(self) -> Arrays:
        self.cells: list[Measured] = [self.lab.measured_of(name) for name in self.lab.state.curves]
        arrays: dict[str, tuple[np.ndarray, int]] = {"lags": (np.arange(self.lab.measured.steps + 1), 0)}
        for shown in self.cells:
            arrays[shown.name] = (shown.found.curve, 0)
            if shown.decay is not None:
                arrays |= {"bound": (shown.decay.bound, 0), "folk": (shown.decay.folk, 0)}
        return arrays

    def draw(self) -> None:
        self.lab.plot.render(self.cells, self.lab.state.lag)

    def texts(self) -> dict[str, Any]:
        return {"rates": say.rates(self.cells)}

    @staticmethod
    def table() -> dict[str, Any]:
        """The numbers behind the plot; a curve that is off has no column."""
        cells = [(name, cell, curve_symbol(cell)) for cell, name in say.NAMES.items()]
        lines = [("bound", "bound", "bound_log10"), ("folk law", "folk", "folk_log10")]
        lag = {"head": "lag $k$", "array": "lags", "symbol": "lag", "integer": True}
        norms = [{"head": f"log₁₀ {head}", "array": array, "symbol": name} for head, array, name in cells + lines]
        return {"kind": "data", "label": "Jacobian norm against lag", "columns": [lag, *norms], "detail": Curves.NAME}
