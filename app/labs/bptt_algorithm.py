"""Back-propagation through time, line by line: where a moment stands, and each line's words and latest numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from rnnscope.core import Run, backward_equations
from rnnscope.core.notation import Notation, find_notation, weight_token

from ..words import Phrase, phrase, readout, symbol, token_words
from .equation_text import numeric, symbolic

FORWARD, CLEAR, LOOP, ARRIVE, THROUGH, ADD, BACK, CLIP, UPDATE = range(1, 10)
#: Lines of one step back, in their order.
STEP_BACK = (ARRIVE, THROUGH, ADD, BACK)


@dataclass(frozen=True)
class Place:
    """Where the algorithm stands: its line, and the step where the line speaks of one."""

    line: int
    t: int | None = None


def place_of(moment: int, T: int) -> Place:
    """Moments 1 … T go forward, T + 1 clears G, then four lines a step from T down to 1, then clip and update."""
    if moment <= T:
        return Place(FORWARD, moment)
    if moment == T + 1:
        return Place(CLEAR)
    back = moment - T - 2
    if back < 4 * T:
        return Place(STEP_BACK[back % 4], T - back // 4)
    return Place(CLIP if back == 4 * T else UPDATE)


def reached(line: int, place: Place, T: int) -> int | None:
    """The step at which a line last ran when the algorithm stands at `place`; None where it has not run."""
    if line == FORWARD:
        return place.t if place.line == FORWARD else T
    if line == LOOP:
        return place.t if place.line in STEP_BACK else None
    if line in STEP_BACK:
        if place.line not in STEP_BACK or place.t is None:
            return 1 if place.line >= CLIP else None
        t = place.t if place.line >= line else place.t + 1
        return t if t <= T else None
    return 0 if place.line >= line else None


@dataclass(frozen=True)
class Algorithm:
    """What the lines say of one run. `norm` is the global norm before clipping, `scale` what clipping multiplies by."""

    run: Run
    notation: str
    clip: float | None
    learning_rate: float
    norm: float
    scale: float

    @property
    def gated(self) -> bool:
        return bool(self.run.cell.gate_names)

    @property
    def scalar(self) -> bool:
        """Whether every quantity of a plain RNN is one number: then the products are written out."""
        return not self.gated and self.run.cell.hidden_size == 1

    @cached_property
    def letters(self) -> Notation:
        return find_notation(self.notation, self.gated)

    def lines(self, moment: int) -> list[dict[str, Any]]:
        """Every line: its words, its indent, its latest numbers, and whether the algorithm stands on it."""
        T = self.run.trace.steps
        place = place_of(moment, T)
        words, found = self._words(), []
        for line in range(FORWARD, UPDATE + 1):
            t = reached(line, place, T)
            numbers = [] if t is None else self._numbers(line, t)
            found.append({
                "line": line, "indent": int(line in STEP_BACK), "tokens": words[line], "numbers": numbers,
                "on": line == place.line,
            })  # fmt: skip
        return found

    # --- the words ----------------------------------------------------------------------------

    def _words(self) -> dict[int, Phrase]:
        out, state = self.letters.output, "s" if self.gated else "h"
        G, W = symbol("G"), self._weight()
        g, delta = symbol("g", "t"), symbol("δ", "t")
        return {
            FORWARD: phrase(
                "for ", symbol("t"), " = 1, …, ", symbol("T"), ": ", symbol("h", "t"), ", ", symbol(out, "t"), ", ",
                symbol("L", "t"),
            ),
            CLEAR: phrase(G, " ← 0"),
            LOOP: phrase("for ", symbol("t"), " = ", symbol("T"), ", …, 1"),
            ARRIVE: phrase(g, " ← ", *self._read_out(), symbol("e", "t"), " + what came back"),
            THROUGH: phrase(delta, " ← ", *self._slope(), g),
            ADD: phrase(G, " ← ", G, " + ", delta, " ", *self._seen()),
            BACK: phrase("back to ", symbol(state, "t−1"), ": ", *self._passed_on()),
            CLIP: phrase("if ‖", G, "‖ > ", symbol("c"), ": ", G, " ← ", symbol("c"), " ", G, " / ‖", G, "‖"),
            UPDATE: phrase(*W, " ← ", *W, " − ", symbol("η"), " ", G),
        }  # fmt: skip

    def _weight(self) -> Phrase:
        return phrase(symbol("U" if self.notation == "boucher" else "W", "*")) if self.gated else self._token("W_hh")

    def _token(self, name: str, transposed: bool = False) -> Phrase:
        return token_words([weight_token(self.letters, name, None, transposed)])

    def _read_out(self) -> Phrase:
        return [*self._token("W_hy", transposed=True), *phrase(" ")]

    def _passed_on(self) -> Phrase:
        if self.gated:
            return phrase(symbol("J", "t", "T"), " ", symbol("g", "t"))
        return [*self._token("W_hh", transposed=True), *phrase(" ", symbol("δ", "t"))]

    def _seen(self) -> Phrase:
        """What the recurrent weights were multiplied by; the candidate of a GRU may have seen r * h."""
        if getattr(self.run.cell, "reset", "after") == "before":
            return phrase("(", symbol("h", "t−1"), "; ", symbol("r", "t"), " ⊙ ", symbol("h", "t−1"), ")ᵀ")
        return phrase(symbol("h", "t−1", "T"))

    def _slope(self) -> Phrase:
        if self.gated:
            return phrase(f"slopes of {', '.join(self.run.cell.gate_names)} × ")
        return phrase("φ′(", symbol("a", "t"), ") × ")

    def equations(self, t: int, unit: int) -> list[dict[str, Any]]:
        """Core's backward equations, what lines 4 and 5 stand for; their numbers are those of the full gradient."""
        lines: list[dict[str, Any]] = []
        for found in backward_equations(self.run.cell):
            lines.append(symbolic(found, self.notation, t, "gradient"))
            if self.run.config.truncate is None:
                lines.append(numeric(found, self.run, t, unit, self.notation))
        return lines

    # --- the numbers --------------------------------------------------------------------------

    def _numbers(self, line: int, t: int) -> Phrase:
        make = {
            FORWARD: self._forward, CLEAR: lambda _: phrase(symbol("G"), " = 0"), ARRIVE: self._arrive,
            LOOP: lambda t: phrase("now ", symbol("t"), f" = {t}"),
            THROUGH: self._through, ADD: self._add, BACK: self._back, CLIP: self._clip, UPDATE: self._update,
        }  # fmt: skip
        return make[line](t)

    def _forward(self, t: int) -> Phrase:
        trace, loss = self.run.trace, readout(self.run.gradients.loss[t - 1], "L", t)
        if self.run.cell.hidden_size > 1 or trace.ys.shape[1] > 1:
            size = readout(float(np.linalg.norm(trace.hs[t])), "h_norm", t)
            return phrase("‖", symbol("h", str(t)), "‖ = ", size, ", ", symbol("L", str(t)), " = ", loss)
        return phrase(
            symbol("h", str(t)), " ", readout(trace.hs[t, 0], "h", t), ", ", symbol(self.letters.output, str(t)), " ",
            readout(trace.ys[t - 1, 0], "y", t), ", ", symbol("L", str(t)), " ", loss,
        )  # fmt: skip

    def _arrive(self, t: int) -> Phrase:
        gradients, T = self.run.gradients, self.run.trace.steps
        through, own = gradients.through[t - 1], gradients.from_output[t - 1]
        live = self._live(t)
        if self.scalar:
            rest = float(gradients.from_next[t, 0]) if live == T - t + 1 else float(through[0] - own[0])
            return phrase(
                symbol("g", str(t)), " = ", readout(own[0], "dh_out", t), " + ", *_bracketed(rest, "dh_carried", t),
                " = ", readout(through[0], "dh_live", t), *self._who(t, live),
            )  # fmt: skip
        size = readout(float(np.linalg.norm(through)), "dh_live_norm", t)
        return phrase("‖", symbol("g", str(t)), "‖ = ", size, *self._who(t, live))

    def _live(self, t: int) -> int:
        """How many losses go on through step t."""
        window = self.run.config.truncate or self.run.trace.steps
        return min(self.run.trace.steps - t + 1, window)

    def _who(self, t: int, live: int) -> Phrase:
        last = t + live - 1
        if last == self.run.trace.steps:
            return []
        return phrase(", of ", symbol("L", str(t)), *([" … ", symbol("L", str(last))] if live > 1 else []), " alone")

    def _through(self, t: int) -> Phrase:
        cell, found = self.run.cell, self._delta(t)
        if not self.scalar:
            size = float(np.linalg.norm(found))
            return phrase("‖", symbol("δ", str(t)), "‖ = ", readout(size, "da_norm", t))
        slope = float(cell.slope(self.run.trace.preactivations[t - 1])[0])
        arrived = self.run.gradients.through[t - 1, 0]
        return phrase(
            readout(slope, "slope", t), " × ", *_bracketed(arrived, "dh_live", t), " = ", readout(found[0], "da", t)
        )

    def _delta(self, t: int) -> np.ndarray:
        found = self.run.gradients.preactivations
        return np.concatenate([rows[t - 1] for rows in found.values()]) if isinstance(found, dict) else found[t - 1]

    def _add(self, t: int) -> Phrase:
        """G with the tiles of steps T … t in it."""
        tiles = self.run.gradients.W_hh_steps
        after = tiles[t - 1 :][::-1].sum(axis=0)
        if not self.scalar:
            size = float(np.linalg.norm(after))
            return phrase("‖", symbol("G"), "‖ = ", readout(size, "G_norm", t))
        before = tiles[t:][::-1].sum(axis=0).item() if t < self.run.trace.steps else 0.0
        start = readout(before, "G", t + 1) if t < self.run.trace.steps else readout(0.0, "G_start")
        return phrase(
            start, " + ", *_bracketed(float(self._delta(t)[0]), "da", t), " × ",
            *_bracketed(float(self.run.trace.hs[t - 1, 0]), "h", t - 1), " = ", readout(float(after.item()), "G", t),
        )  # fmt: skip

    def _back(self, t: int) -> Phrase:
        carried = self.run.gradients.from_next[t - 1]
        if not self.scalar:
            return phrase("its norm is ", readout(float(np.linalg.norm(carried)), "dh_next_norm", t - 1))
        return phrase(
            readout(float(self.run.cell.W_hh[0, 0]), "W_hh"), " × ", *_bracketed(float(self._delta(t)[0]), "da", t),
            " = ", readout(carried[0], "dh_next", t - 1),
        )  # fmt: skip

    def _clip(self, _: int) -> Phrase:
        norm = readout(self.norm, "gradient_norm")
        if self.clip is None:
            return phrase("‖", symbol("G"), "‖ = ", norm, "; no threshold is set")
        threshold = readout(self.clip, "clip")
        if self.norm <= self.clip:
            return phrase("‖", symbol("G"), "‖ = ", norm, " ≤ ", threshold, ": nothing changes")
        return phrase("‖", symbol("G"), "‖ = ", norm, " > ", threshold, ": times ", readout(self.scale, "clip_scale"))

    def _update(self, _: int) -> Phrase:
        G, rate = self.run.gradients.W_hh * self.scale, readout(self.learning_rate, "learning_rate")
        if not self.scalar:
            size = float(np.linalg.norm(self.learning_rate * G))
            return phrase("a step of norm ", readout(size, "update_norm"))
        W = float(self.run.cell.W_hh[0, 0])
        return phrase(
            readout(W, "W_hh"), " − ", rate, " × ", *_bracketed(float(G.item()), "G_clipped"), " = ",
            readout(W - self.learning_rate * float(G.item()), "W_after"),
        )  # fmt: skip


def _bracketed(value: float, name: str, t: int = 0) -> Phrase:
    """A factor or a term: negative numbers in brackets."""
    found = readout(value, name, t)
    return phrase("(", found, ")") if value < 0 else phrase(found)
