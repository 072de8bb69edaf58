"""The edge of chaos on /gradients: the largest Lyapunov exponent over spectral radius and input strength."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar

import numpy as np
import panel as pn
from rnnscope.core import ChaosGrid, zero_crossings

from ..controls import OPTION_WORDS
from ..sweeps.pool import shared_pool
from ..sweeps.runner import Batch, Sweep, empty_map, put_batch
from ..sweeps.turns import IN_BROWSER, PageLoop, Turns
from ..view import Arrays, Message
from ..words import Phrase, phrase, readout, symbol
from .detail import Detail

#: Ends of the axes, the same for every network, so that maps can be compared.
RHO_END, STRENGTH_END = 3.0, 2.0
STEPS = 500
SIZES = (20, 40)
#: Seconds between two pictures of a map that grows: more would only take time from the page.
PUSH_EVERY = 0.2
#: The same while the page is being used: the answer to a move comes before a picture of the map.
PUSH_EVERY_MOVING = 1.0
#: Batches ahead: one that is computed, one that waits; with more, one page's map would hold up another's.
AHEAD = 2
MOST_CROSSINGS = 3


@dataclass(eq=False)
class Map:
    """One map as it grows: exponents (rows, columns), and which batches are known."""

    grid: ChaosGrid
    exponents: np.ndarray
    done: np.ndarray
    running: bool = False
    cancelled: bool = False
    error: str = ""

    @classmethod
    def empty(cls, grid: ChaosGrid) -> Map:
        return cls(grid, *empty_map(grid))

    def put(self, batch: Batch) -> None:
        put_batch(self.grid, self.exponents, batch)
        self.done[batch[0]] = True

    def known(self) -> np.ndarray:
        """Which points are computed (rows, columns)."""
        known = np.zeros(self.grid.shape, dtype=bool)
        for places, done in zip(self.grid.batches(), self.done, strict=True):
            if done:
                rows, columns = np.array(places).T
                known[rows, columns] = True
        return known


class ChaosMap(Detail):
    """Starts, shows and cancels the map of the page's network. It is computed by the process's worker pool."""

    NAME = "map"
    LOOKS: ClassVar[bool] = False
    COPIED: ClassVar[bool] = False

    def __init__(self, lab: Any):
        super().__init__(lab)
        self._map: Map | None = None
        self._sweep: Sweep | Turns | None = None
        self._pushed, self._push_waits = 0.0, False
        self._seen: Any = None
        self._document: Any = PageLoop() if IN_BROWSER else pn.state.curdoc
        if self._document is not None:
            self._document.on_session_destroyed(lambda _: self._cancel())

    # --- what the page asks -----------------------------------------------------------------

    def told(self, message: Message) -> None:
        action, size = message.get("action"), message.get("size")
        if action == "start" and size in SIZES:
            self._start(size)
        elif action == "cancel":
            self._cancel()

    def _start(self, size: int) -> None:
        self._cancel()
        grown = Map.empty(self._grid(size))
        grown.running = True

        def on_batch(batch: Batch) -> None:
            grown.put(batch)
            self._push_soon()

        def on_end(error: Exception | None) -> None:
            grown.running, grown.error = False, "" if error is None else str(error)
            self._push_soon()

        self._map = grown
        self._sweep = (
            Turns(grown.grid, on_batch, on_end)
            if IN_BROWSER
            else Sweep(grown.grid, shared_pool(), AHEAD, on_batch, on_end)
        )

    def _cancel(self) -> None:
        if self._sweep is not None and self._map is not None and self._map.running:
            self._sweep.cancel()
            self._map.running, self._map.cancelled = False, True

    def _grid(self, size: int) -> ChaosGrid:
        """The map that belongs to the page's network now."""
        rhos, strengths = np.linspace(0, RHO_END, size), np.linspace(0, STRENGTH_END, size)
        return ChaosGrid(self.lab.state.config_of("rnn"), tuple(rhos.tolist()), tuple(strengths.tolist()), STEPS)

    # --- pictures on the way ----------------------------------------------------------------

    def _push_soon(self) -> None:
        """Ask for a picture, from any thread; one that is asked for already will show this batch too."""
        if self._document is not None and not self._push_waits:
            self._push_waits = True
            self._document.add_next_tick_callback(self._push_in_time)

    def _push_in_time(self) -> None:
        """Push now, or ask again when it is time; the page moves where it was answered since we last looked."""
        moves = self._seen is not None and self.lab.view.frame is not self._seen
        self._seen = self.lab.view.frame
        pause = self._pushed + (PUSH_EVERY_MOVING if moves else PUSH_EVERY) - monotonic()
        if pause > 0:
            self._document.add_timeout_callback(self._push_in_time, 1000 * min(pause, PUSH_EVERY))
        else:
            self._push()

    def _push(self) -> None:
        self._pushed, self._push_waits = monotonic(), False
        self.lab.push(self.NAME)
        self._seen = self.lab.view.frame

    # --- what the part shows ----------------------------------------------------------------

    def arrays(self) -> Arrays:
        shown = self._shown()
        row, _ = self._cell(shown.grid)
        columns = len(shown.grid.strengths)
        return {
            "exponents": (shown.exponents.copy(), 0),
            "known": (shown.known().astype(float), 0),
            "rhos": (np.array(shown.grid.rhos), 0),
            "strengths": (np.array(shown.grid.strengths), 0),
            "row_rhos": (np.full(columns, shown.grid.rhos[row]), 0),
            "row_exponents": (shown.exponents[row].copy(), 0),
        }

    def texts(self) -> dict[str, Any]:
        shown = self._shown()
        done = int(shown.known().sum())
        return {
            "what": self._what(shown.grid),
            "summary": self._summary(shown, done),
            "status": self._status(shown, done),
            "error": shown.error,
            "done": done,
            "total": shown.grid.total,
            "running": shown.running,
            "former": self._former(),
        }

    def _shown(self) -> Map:
        """The map that was started last, else an empty one."""
        return self._map or Map.empty(self._grid(SIZES[-1]))

    def shown(self) -> Map:
        """The map on the page."""
        return self._shown()

    def point(self) -> tuple[int, int]:
        """Row and column of its point that is nearest to the page's."""
        return self._cell(self._shown().grid)

    def _former(self) -> bool:
        """Whether the map is of another network than the page's."""
        if self._map is None:
            return False
        return self._map.grid.key() != self._grid(len(self._map.grid.rhos)).key()

    def _cell(self, grid: ChaosGrid) -> tuple[int, int]:
        """Row and column of the computed point nearest to the page's rho and sigma_in."""
        state = self.lab.state
        row = np.abs(np.array(grid.rhos) - state.rho).argmin()
        column = np.abs(np.array(grid.strengths) - state.sigma_in).argmin()
        return int(row), int(column)

    def _what(self, grid: ChaosGrid) -> Phrase:
        config = grid.config
        words = (
            f"{OPTION_WORDS[config.family]}, {OPTION_WORDS[config.activation]}, {OPTION_WORDS[config.input].lower()}"
        )
        return phrase(
            "Largest Lyapunov exponent ", symbol("λ"), f" of the RNN ({words} input; ", symbol("n"), f" = {config.n}, ",
            f"seed {config.seed}): {grid.steps} steps a point from a random state, the first {grid.discard} left out."
            f"{' It is computed in turns with the page, which answers after the batch at hand.' if IN_BROWSER else ''}",
        )  # fmt: skip

    def _status(self, shown: Map, done: int) -> Phrase:
        points = f"{done:,} of {shown.grid.total:,} points"
        if self._former():
            return phrase(f"This map is of the former network ({points}). ")
        if self._map is None:
            return phrase("Not computed yet.")
        return phrase(f"{points}{', cancelled' if shown.cancelled else ''}")

    def _summary(self, shown: Map, done: int) -> Phrase:
        if not done:
            return phrase("No point is computed yet.")
        share = np.count_nonzero(shown.exponents > 0) / done
        return [
            *phrase(readout(share, "map_share", text=f"{100 * share:.0f}"), f" % of {done:,} points are chaotic. "),
            *self._at_point(shown),
            *self._crossing(shown),
        ]

    def _at_point(self, shown: Map) -> Phrase:
        grid, (row, column) = shown.grid, self._cell(shown.grid)
        if self.lab.state.sigma_in > STRENGTH_END:
            return phrase("The page's input strength lies beyond the map. ")
        where = [
            "At ", symbol("ρ"), " = ", readout(grid.rhos[row], "map_rho"), ", ", symbol("σ", "in"), " = ",
            readout(grid.strengths[column], "map_sigma_in"), ", the computed point nearest to the page's, ",
        ]  # fmt: skip
        if not shown.known()[row, column]:
            return phrase(*where, symbol("λ"), " is not there yet. ")
        return phrase(*where, symbol("λ"), " is ", readout(shown.exponents[row, column], "map_lyapunov"), " per step. ")

    def _crossing(self, shown: Map) -> Phrase:
        """Where the exponent changes sign along rho at the page's input strength."""
        grid, column = shown.grid, self._cell(shown.grid)[1]
        known = shown.known()[:, column]
        if known.sum() < 2 or self.lab.state.sigma_in > STRENGTH_END:
            return []
        found = zero_crossings(np.array(grid.rhos)[known], shown.exponents[known, column])[:MOST_CROSSINGS]
        there = ["There ", symbol("λ")]
        if not found:
            return phrase(*there, " keeps its sign for every ", symbol("ρ"), ".")
        numbers = [part for rho in found for part in (", ", readout(rho, "map_edge"))][1:]
        return phrase(*there, " crosses 0 at ", symbol("ρ"), " = ", *numbers, ".")


def card() -> dict[str, Any]:
    """The card of the map, for the main column of /gradients."""
    return {"title": "Edge of chaos", "cls": "more", "body": [
        {"kind": "chaosMap", "detail": ChaosMap.NAME, "sizes": SIZES, "ends": [STRENGTH_END, RHO_END]},
        {"kind": "data", "detail": ChaosMap.NAME, "label": "Exponents in the row of the point", "columns": [
            {"head": "$ρ$", "array": "row_rhos", "symbol": "map_rho"},
            {"head": "$σ_in$", "array": "strengths", "symbol": "map_sigma_in"},
            {"head": "$λ$ per step", "array": "row_exponents", "symbol": "map_lyapunov"}]}]}  # fmt: skip
