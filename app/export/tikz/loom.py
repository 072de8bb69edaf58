"""Every loss against every state: the unfolded graph with one loss's way back, and under it the matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import CannotExport
from .chain import (
    Chain,
    draw_inputs,
    draw_outputs,
    draw_recurrence,
    draw_states,
    gradient_label,
    widen,
)
from .picture import Picture
from .table import cell_number, step
from .words import number

#: Steps that fit on a page with their numbers.
MOST_STEPS = 12
#: A cell of the matrix leaves this of the distance between two columns free.
BETWEEN = "5mm"
CELL, WIDE_CELL = "23mm", "30mm"


class Loom:
    """The page's run, its full gradient, and the selected loss and state."""

    def __init__(self, lab: Any):
        if lab.state.T > MOST_STEPS:
            raise CannotExport(
                f"the loom in TikZ has at most {MOST_STEPS} steps, this one has {lab.state.T}: "
                "make T smaller, or ask for --figure contributions"
            )
        self.lab, self.gated = lab, lab.state.cell != "rnn"
        self.chain = Chain(lab.run, lab.state, self.gated)
        self.picture = Picture("node distance=12mm and 13mm")

    def drawn(self) -> Picture:
        picture, chain = self.picture, self.chain
        draw_states(picture, chain)
        draw_inputs(picture, chain, weight=not self.gated)
        draw_recurrence(picture, chain, weight=not self.gated)
        draw_outputs(picture, chain, chain.steps)
        self._ways_back()
        widen(picture)
        self._matrix()
        return picture

    # --- the graph ----------------------------------------------------------------------------

    def _ways_back(self) -> None:
        picture, chain, found = self.picture, self.chain, self.lab.run.gradients
        picture.group(f"Ways back: that of {chain.letter('L', max(1, self.lab.state.t))} is thick, a factor a step")
        for t in chain.steps:
            style = self._style(t, t)
            at_output = gradient_label(picture, chain.output_gradient(t), "right")
            at_state = gradient_label(picture, found.from_output[t - 1, self.lab.state.unit], "right")
            picture.draw(style, f"(L{t}.-60) -- {at_output} (y{t}.60)")
            picture.draw(style, f"(y{t}.-60) -- {at_state} (h{t}.60)")
        for i in reversed(chain.steps[1:]):
            factor = self._factor(i)
            label = f"{self._times(factor)} " if np.isfinite(factor) else ""
            picture.draw(self._style(i - 1, i), f"(h{i}.195) -- {label}(h{i - 1}.-15)")

    def _times(self, factor: float) -> str:
        return self.picture.label("gradient", rf"$\times\, {number(factor)}$", "below")

    def _factor(self, i: int) -> float:
        """What step i multiplies the gradient by, of the selected loss; of a signed chain all losses have the same."""
        chain, t = self.lab.chain, max(1, self.lab.state.t)
        return float(chain.factors[self.chain.T if chain.signed else t, i])

    def _style(self, to: int, start: int) -> str:
        """The way from `start` to the state `to`: thick on the selected chain, cut where its window ends."""
        t, k, window = self.lab.state.t, self.lab.state.t - self.lab.state.lag, self.lab.run.config.truncate
        on_the_way = start <= t if to < start else start == t
        if to < start and on_the_way and window is not None and t - to >= window:
            return "cut wire"
        return "backward wire, very thick" if on_the_way and to >= k else "backward wire"

    # --- the matrix ---------------------------------------------------------------------------

    def _matrix(self) -> None:
        picture, chain, T = self.picture, self.chain, self.chain.T
        picture.libraries = ("matrix",)
        picture.widths["entry"] = WIDE_CELL if picture.widths else CELL
        picture.group(r"The matrix: log10 of the gradient of every loss at every state")
        picture.lines.append(r"\coordinate[below=11mm of x1] (corner);")
        picture.style("heading")
        options = f"matrix of nodes, row sep=0.6mm, column sep={BETWEEN}, matrix anchor=m-1-2.center, at={{(corner)}}"
        picture.lines.append(rf"\matrix[{options}] (m) {{")
        picture.lines.append("  " + "".join(f"& |[heading]| $k = {k}$ " for k in chain.steps) + r"\\")
        for t in chain.steps:
            cells = " ".join(f"& {self._cell(t, k)}" if k <= t else "&" for k in range(1, T + 1))
            picture.lines.append(rf"  |[heading]| ${chain.letter('L', t)}$ {cells} \\")
        sums = " ".join(f"& |[sum]| ${number(value)}$" for value in self.lab.live())
        total = rf"\partial L/\partial {chain.letter('h', None)[0]}_k"
        picture.style("sum")
        picture.lines += [rf"  |[heading]| ${total}$ {sums} \\", "};"]
        self._note()

    def _cell(self, t: int, k: int) -> str:
        value, matrix = self.lab.full.contributions[t, k], self.lab.charts()["contributions"]
        window = self.lab.run.config.truncate
        name = "cut entry" if window is not None and t - k >= window else f"level {step(value, matrix)}"
        name += ", chosen" if (t, t - k) == (self.lab.state.t, self.lab.state.lag) else ""
        self.picture.style(name)
        return f"|[{name}]| ${cell_number(value, matrix.symbol)}$"

    def _note(self) -> None:
        """What the cells are, where there is room: over the empty half of the matrix."""
        chain = self.chain
        norm = "|" if self.lab.chain.signed else r"\|"
        letters = rf"$\log_{{10}} {norm} \partial L_t / \partial {chain.letter('h', None)[0]}_k {norm}$"
        unit = chain.of_units()
        shown = rf"\\ in the graph: {unit}" if unit else ""
        window = self.lab.run.config.truncate
        shown += "" if window is None else rf"\\ dashed: cut by the window of {window}"
        self.picture.group("What the cells are")
        self.picture.node("note", "", f"{letters}{shown}", "anchor=north, at={(m.south)}, yshift=-1mm")
