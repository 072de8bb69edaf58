"""What is chosen on /gru."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import RESETS, UPDATES, Config, GRUConfig, LSTMConfig, RNNConfig

from .base import CELLS, Operations
from .lstm import GatedState


class GRUState(GatedState):
    """A GRU cell of one to eight units over up to forty steps, in one of its four variants."""

    cell = param.Selector(default="gru", objects=["gru"], label="Cell")
    reset = param.Selector(default="before", objects=list(RESETS), label="The reset gate works")
    update = param.Selector(default="new", objects=list(UPDATES), label="The update gate")
    update_bias = param.Number(0.0, bounds=(-10, 10), softbounds=(-6, 6), step=0.05, label="Update bias $b_z$")
    reset_bias = param.Number(0.0, bounds=(-10, 10), softbounds=(-6, 6), step=0.05, label="Reset bias $b_r$")

    substep = param.Integer(0, bounds=(0, 16), label="Sub-step", doc="0 is the whole step at once")
    open = param.Selector(default="z", objects=["z", "r", "g"], label="Opened layer", doc="its matrices are drawn")
    surgery = Operations(("z", "r", "g"), label="Surgery", doc="gates clamped, weights cut, inputs changed")

    SEGMENTS: ClassVar[frozenset[str]] = frozenset({"reset", "update"})

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "copies": {"update_bias": -6.0},
        "forgets-history": {"reset_bias": -6.0},
        "pytorch": {"reset": "after", "update": "old", "notation": "pytorch"},
        "cho-2014": {"update": "old"},
        "chung-2014": {"notation": "goodfellow"},
        "one-unit": {"n": 1, "seed": 7},
    }

    def config(self) -> GRUConfig:
        biases = {"update_bias": self.update_bias, "reset_bias": self.reset_bias}
        return GRUConfig(**self.shared_config(), reset=self.reset, update=self.update, **biases)

    def config_of(self, cell: str) -> Config:
        """An RNN or an LSTM of the same size on the same input and seed, or the page's GRU."""
        if cell not in CELLS:
            raise ValueError(f"cell must be one of {', '.join(CELLS)}, got {cell!r}")
        others = {"rnn": RNNConfig, "lstm": LSTMConfig}
        return others[cell](**self.shared_config()) if cell in others else self.config()
