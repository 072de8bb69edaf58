"""What every pattern of /unfold says of a run: arrays, scenes and texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from rnnscope.core import Run

from ...pattern_runs import RUNS
from ...state import UnfoldState
from ...view import Arrays
from ...words import Phrase, phrase, readout, symbol
from ..equation_text import Line

VARIANTS = ("wide", "compact")
COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Pattern(ABC):
    """One pattern in one state.

    Parameters
    ----------
    state : what the user chose; t and unit may change while the pattern lives
    shown : the hidden-to-hidden run of the page's weights and inputs
    """

    def __init__(self, state: UnfoldState, shown: Run):
        self.state, self.shown = state, shown
        self.run: Any = self.find()

    def find(self) -> Any:
        """The pattern's own run, from core: it has cell, trace, targets and gradients."""
        return RUNS[self.state.pattern](self.state, self.shown)

    @abstractmethod
    def arrays(self) -> Arrays:
        """The numbers of the run that the page paints."""

    def look_arrays(self) -> Arrays:
        """Those that depend on the selected step and unit."""
        return {}

    @abstractmethod
    def scenes(self) -> dict[str, Any]:
        """Folded and unfolded diagrams; `contributions` where W has a gradient."""

    @abstractmethod
    def trade(self) -> Phrase:
        """Power against parallel training, in one line."""

    @abstractmethod
    def forward(self, selected: str) -> list[Line]:
        """The equations of the selected step, with numbers."""

    def backward(self, selected: str) -> list[Line]:
        return []

    @abstractmethod
    def summary(self) -> Phrase:
        """One or two sentences with the figures of the diagrams."""

    @abstractmethod
    def selection(self) -> list[list[Phrase]]:
        """Names and values at the selected step."""

    def more(self) -> dict[str, Any]:
        """Texts that this pattern alone has."""
        return {}

    def texts(self, selected: str) -> dict[str, Any]:
        state = self.state
        copies = "one copy" if state.T == 1 else f"{COUNT_WORDS[state.T]} copies"
        unit = f", unit {state.unit + 1}" if state.n > 1 else ""
        return {
            "trade": self.trade(),
            "unfolded_heading": phrase("Unfolded, ", symbol("T"), f" = {state.T}: {copies}"),
            "forward": self.forward(selected),
            "backward": self.backward(selected),
            "summary": self.summary(),
            "selected_title": phrase("At step ", symbol("t"), f" = {state.t}", unit),
            "selected": self.selection(),
            "count": self.count(),
            "announcement": f"step {state.t} of {state.T}",
            **self.more(),
        }

    def count(self) -> Phrase:
        count = self.run.cell.parameter_count
        return phrase(
            readout(count, "parameters", text=str(count)),
            " parameters, whatever the number of steps: every copy uses the same ones.",
        )

    @property
    def text(self) -> str | None:
        """The text that is read, if one is."""
        return self.state.text if self.state.kind() == "text" else None

    def sizes(self) -> dict[str, Any]:
        """What every scene asks for."""
        state = self.state
        return {
            "n": state.n,
            "d": 1 if state.typed() else state.d,
            "text": self.text,
            "notation": state.notation,
        }
