"""/bptt: every loss's gradient at every state, as a matrix under the unfolded graph, and the algorithm line by line."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import Run, bptt, chain_factors, clip_by_global_norm, gradient_angle, gradient_norm
from rnnscope.core.gradients import PARAMETERS

from ..diagrams.loom import loom_scene
from ..diagrams.loom_parts import MOST_NUMBERED
from ..diagrams.loom_scale import contribution_range
from ..plots.chart import Plot
from ..state.bptt import BLOCKS, BPTTState
from ..view import Arrays, Message
from ..words import phrase, symbol, unit_words
from .base import Lab, control_parts
from .bptt_algorithm import Algorithm, place_of
from .bptt_check import CheckDetail
from .bptt_texts import LoomTexts
from .charts import contributions_map, units_chart
from .detail import Detail


class BPTTLab(Lab):
    """One unit by default, up to 16 and any cell; up to fifty steps, up to 1275 pairs of a loss and a state."""

    NAME = "BPTT"
    TITLE = "Back-propagation through time, itemised"
    LEDE = (
        "Each loss sends its own gradient back, one factor per step. The matrix lists every loss against every state."
    )
    State = BPTTState

    def compute(self) -> Run:
        """One run; with a window the full gradient beside the truncated one, from the same trace."""
        found = super().compute()
        cut = found.config.truncate is not None
        self.full = bptt(found.cell, found.trace, found.targets, found.config.loss) if cut else found.gradients
        self.chain = chain_factors(found.cell, found.trace, self.full)
        self.norm, self.full_norm = gradient_norm(found.gradients), gradient_norm(self.full)
        clip = self.state.clip
        self.clipped = found.gradients if clip is None else clip_by_global_norm(found.gradients, clip)[0]
        self.clipped_norm = gradient_norm(self.clipped)
        self.angle = gradient_angle(self.full, found.gradients)
        return found

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        legend = [
            {"label": "chain of the selected cell", "shape": "chain"},
            {"label": "cut by the window", "shape": "cut"},
            {"label": "tick: negative, one unit", "shape": "tick"},
        ]
        return [
            {"title": "Every loss, every state", "cls": "key", "steps": "moment", "legend": legend, "facts": "facts",
             "body": [
                {"kind": "loom", "scene": "loom"},
                {"kind": "text", "id": "summary", "cls": "plot-summary"},
                {"kind": "data", "label": "Every loss, every state", "columns": self._columns()}]},
            {"cls": "g2 bt", "row": [
                {"body": [
                    {"kind": "text", "id": "tiles_title", "tag": "h2"}, *control_parts("block"), {"kind": "tiles"},
                    {"kind": "text", "id": "tiles_note", "cls": "note"}]},
                {"title": "Check", "body": [{"kind": "check", "detail": "check"}]}]},
            {"cls": "more", "body": [
                {"kind": "text", "id": "equations_title", "tag": "h2"}, {"kind": "equations", "id": "equations"}]},
        ]  # fmt: skip

    @staticmethod
    def _columns() -> list[dict[str, Any]]:
        step = {"head": "$t$", "array": "steps", "symbol": "t", "integer": True, "offset": 1}
        return [
            step,
            {"head": "$L$", "array": "L", "symbol": "L", "offset": 1},
            {"head": "arrives at $h$", "array": "live", "symbol": "live", "offset": 1},
            {"head": "tile", "array": "tile_sizes", "symbol": "tile", "offset": 1},
            {
                "head": "log₁₀ at $h$",
                "array": "table",
                "symbol": "contribution",
                "offset": 1,
                "first": 1,
                "each": True,
                "blank": True,
            },
        ]

    def rail(self) -> list[dict[str, Any]]:
        return [
            {"title": "Algorithm", "items": [
                {"kind": "algorithm", "id": "algorithm"}, {"kind": "text", "id": "algorithm_note", "cls": "note"}]},
            {"items": [{"kind": "chain"}]},
            {"title": "Truncation and clipping", "items": [
                *control_parts("truncate"), {"kind": "pairs", "id": "truncation"},
                *control_parts("clip"), {"kind": "pairs", "id": "clipping"}]},
            {"title": "Network", "cls": "ctl", "items": control_parts(
                "cell", "n", *BPTTState.SCALARS, "activation", "forget_bias", "reset", "update", "rho", "family",
                "sigma_in", "seed", "learning_rate")},
            {"title": "Sequence", "cls": "ctl", "items": control_parts("T", "input", "values", "text", "target", "d")},
            {"title": "Selection", "cls": "ctl", "items": [
                *control_parts("t", "lag"), {"kind": "unit", "key": "unit"}, *control_parts("notation")]},
        ]  # fmt: skip

    def details(self) -> list[Detail]:
        return [CheckDetail(self)]

    def scene_key(self) -> Any:
        state = self.state
        text = state.text if state.input == "text" else None
        return (state.cell == "rnn", state.T, state.n, state.d, state.notation, text)

    def scenes(self) -> dict[str, Any]:
        state = self.state
        text = state.text if state.input == "text" else None
        d = 1 if state.typed() else state.d
        size = (state.n, d, text, state.notation)
        variants = ("wide",) if state.T > MOST_NUMBERED else ("wide", "compact")
        return {"loom": {name: loom_scene(state.T, name, *size, gated=state.cell != "rnn") for name in variants}}

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        trace, gradients, chain, state = self.run.trace, self.run.gradients, self.chain, self.state
        T = state.T
        return {
            "x": (trace.xs, 1), "h": (trace.hs, 0), "y": (trace.ys, 1), "target": (self.run.targets, 1),
            "L": (gradients.loss, 1), "dy": (gradients.outputs, 1), "dh_out": (gradients.from_output, 1),
            "contribution": (self.full.contributions, 0), "chain_factor": (chain.factors, 0),
            "chain_start": (chain.starts, 0), "chain_value": (chain.values, 0),
            "live": (self.live(), 1), "tile_sizes": (self.tile_sizes(), 1), "table": (self.table(), 1),
            "steps": (np.arange(1, T + 1), 1),
            "loom_facts": (np.array([[
                chain.signed, self.run.config.truncate or T, *contribution_range(self.full.contributions),
                state.cell == "rnn"]]), 0),
            **self.tiles(),
        }  # fmt: skip

    def charts(self) -> dict[str, Plot]:
        losses = self.run.gradients.loss[:, None]
        return {
            "contributions": contributions_map(self.full.contributions),
            "losses": units_chart("Loss by step", losses, "L", "output", self.state.t, 1),
        }

    def look_arrays(self) -> Arrays:
        return self.tiles() if self.run.cell.gate_names else {}

    def live(self) -> np.ndarray:
        """The gradient at h_k of the losses that go on through step k: signed where the state is one number."""
        through = self.run.gradients.through
        return through[:, 0] if self.chain.signed else np.linalg.norm(through, axis=1)

    def table(self) -> np.ndarray:
        """The contributions at the states 1 … T: a row a loss."""
        return self.full.contributions[1:, 1:]

    def block_of(self, array: np.ndarray) -> np.ndarray:
        """A plain cell's (..., n, n), or of a gated cell's (..., gates, n, n) the block that is chosen."""
        names = BLOCKS[self.state.cell]
        return array[..., names.index(self.state.block), :, :] if names else array

    def tiles(self) -> Arrays:
        """One tile a use of W_hh, and their sum, of the block that is chosen."""
        gradients, n = self.run.gradients, self.state.n
        found = self.block_of(gradients.W_hh_steps).reshape(self.state.T, n * n)
        total = self.block_of(gradients.W_hh).reshape(1, n * n)
        return {
            "tiles": (found, 1), "tile_sum": (total, 0),
            "tile_norms": (np.linalg.norm(found, axis=1), 1), "tile_sum_norm": (np.linalg.norm(total, axis=1), 0),
        }  # fmt: skip

    def tile_sizes(self) -> np.ndarray:
        """Of every tile its number, or its norm over all blocks."""
        tiles = self.run.gradients.W_hh_steps.reshape(self.state.T, -1)
        return tiles[:, 0] if tiles.shape[1] == 1 else np.linalg.norm(tiles, axis=1)

    def clip_scale(self) -> float:
        clip = self.state.clip
        return 1.0 if clip is None or self.norm <= clip else clip / self.norm

    def difference(self) -> float:
        """Norm of what the window takes from the gradient, all parameters as one vector."""
        names = [name for name in PARAMETERS if getattr(self.full, name) is not None]
        apart = [(getattr(self.full, name) - getattr(self.run.gradients, name)).ravel() for name in names]
        return float(np.linalg.norm(np.concatenate(apart)))

    def select(self, node: Message) -> None:
        """Nodes of the graph choose a loss or a state in the page itself."""

    def texts(self) -> dict[str, Any]:
        state = self.state
        algorithm = Algorithm(
            self.run, state.notation, state.clip, state.learning_rate, self.norm, self.clip_scale(),
        )  # fmt: skip
        place = place_of(state.moment, state.T)
        said, at = LoomTexts(self), place.t or max(1, state.t)
        return {
            "algorithm": algorithm.lines(state.moment),
            "algorithm_note": said.algorithm_note(algorithm.scalar),
            "equations_title": phrase(
                "Lines 4 and 5 in full, at ", symbol("t"), f" = {at}", unit_words(self.state.unit, self.state.n)
            ),
            "equations": algorithm.equations(at, state.unit),
            "announcement": said.announcement(place),
            **said.all(),
        }
