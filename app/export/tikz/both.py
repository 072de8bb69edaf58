"""Two chains over one sequence, one in each direction; between them what they read and what they give."""

from __future__ import annotations

from typing import Any

from .chain import Chain, widen
from .picture import Picture
from .words import indexed, number

#: Rows of the picture from its top, in cm; how far columns are apart.
FORWARD, OUTPUT, INPUT, BACKWARD = 5.2, 3.4, 1.8, 0
PITCH, WIDE_PITCH = 3.1, 3.9
#: In mm, how far inputs and outputs are from the middle of their column.
ASIDE = 7.5
ARROWS = {"forward": r"\overrightarrow{h}", "backward": r"\overleftarrow{h}"}


class Both:
    """One unit of each chain, by step."""

    def __init__(self, lab: Any):
        self.lab, self.chain, self.picture = lab, Chain(lab.run, lab.state), Picture()
        self.T = int(lab.run.steps)

    def drawn(self) -> Picture:
        picture = self.picture
        for way, y in (("forward", FORWARD), ("backward", BACKWARD)):
            picture.group(f"The {way} chain")
            self._states(way, y)
            self._recurrence(way)
        picture.group("Inputs, which both chains read")
        self._inputs()
        picture.group("Outputs, which see both")
        self._outputs()
        self._captions()
        if self.lab.changed is not None:
            picture.group(f"How much each state moves by another input at step {self.lab.changed.step}")
            self._changes()
        return self._spread(widen(picture))

    def _spread(self, picture: Picture) -> Picture:
        """Columns further apart where boxes are wide."""
        pitch = WIDE_PITCH if picture.widths else PITCH
        picture.options = f"x={pitch}cm"
        return picture

    def _states(self, way: str, y: float) -> None:
        rows, first = self.lab.arrays()[f"h_{way}"]
        for t in range(first, first + len(rows)):
            body = rf"${indexed(ARROWS[way], t)}$\\ ${number(rows[t - first, self.lab.state.unit])}$"
            start = t == 0 or t > self.T
            style = "initial state" if start else "state, minimum width=23mm"
            self.picture.node(style, f"{way} {t}", body, f"({t}, {y})")

    def _recurrence(self, way: str) -> None:
        steps, before = (range(1, self.T + 1), -1) if way == "forward" else (range(self.T, 0, -1), 1)
        for t in steps:
            self.picture.draw("recurrent wire", f"({way} {t + before}) -- ({way} {t})")
        end = f"{way} {self.T}.east" if way == "forward" else f"{way} 1.west"
        self.picture.draw("end of chain", f"({end}) -- ++({'' if way == 'forward' else '-'}5mm, 0)")

    def _inputs(self) -> None:
        for t in range(1, self.T + 1):
            self.picture.node(f"input, xshift=-{ASIDE}mm", f"x{t}", self.chain.input(t), f"({t}, {INPUT})")
        for t in range(1, self.T + 1):
            self.picture.draw("input wire", f"(x{t}) -- (x{t} |- forward {t}.south)")
            self.picture.draw("input wire", f"(x{t}) -- (x{t} |- backward {t}.north)")

    def _outputs(self) -> None:
        for t in range(1, self.T + 1):
            body = self.chain.named("y", t, self.lab.run.trace.ys[t - 1, 0])
            self.picture.node(f"output, xshift={ASIDE}mm", f"y{t}", body, f"({t}, {OUTPUT})")
        for t in range(1, self.T + 1):
            self.picture.draw("recurrent wire", f"(y{t} |- forward {t}.south) -- (y{t})")
            self.picture.draw("recurrent wire", f"(y{t} |- backward {t}.north) -- (y{t})")

    def _captions(self) -> None:
        picture, changed = self.picture, self.lab.changed
        picture.group("Which chain is which")
        picture.node("note", "", "forward chain:\\\\ reads left to right", "left=2mm of forward 0")
        picture.node("note", "", "backward chain:\\\\ reads right to left", f"right=2mm of backward {self.T + 1}")
        unit = self.chain.of_units()
        said = [f"{unit} in each chain"] if unit else []
        if changed is not None:
            said.append(rf"$\Delta$: how far a state moves with another ${indexed('x', changed.step)}$")
        if said:
            picture.node("note, anchor=north west", "", r"\\ ".join(said), "at={(backward 1.south west)}, yshift=-5mm")

    def _changes(self) -> None:
        for way, side in (("forward", "above"), ("backward", "below")):
            for t, change in enumerate(getattr(self.lab.changed, way), 1):
                self.picture.node("share", "", rf"$\Delta = {number(change)}$", f"{side}=0mm of {way} {t}")
