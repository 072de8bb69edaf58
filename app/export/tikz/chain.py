"""The unfolded chain: a column a step, states side by side, forward wires and the gradients that come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from rnnscope.core import ALPHABET
from rnnscope.core.notation import Notation, find_notation

from .picture import Picture
from .words import indexed, number, quoted, signal, weight

#: A box that holds a power of ten is as wide as that takes; all boxes of a picture have one width.
WIDE_BOX = "22mm"
#: The nodes that have one width; a loss is as wide as it needs.
BOXES = tuple(rf"\node[{style}" for style in ("input", "state", "initial state", "output"))
#: An input of more numbers than this says how many they are.
MOST_LISTED = 3


@dataclass(frozen=True)
class Chain:
    """What a chain shows of a run: one unit of its vectors, by step.

    Parameters
    ----------
    run : has trace, targets and gradients, the last two None without a loss
    state : the lab's state
    gated : whether the letters are those of gated cells
    """

    run: Any
    state: Any
    gated: bool = False

    @property
    def T(self) -> int:
        return int(self.run.trace.steps)

    @property
    def steps(self) -> range:
        return range(1, self.T + 1)

    @property
    def letters(self) -> Notation:
        return find_notation(self.state.notation, gated=self.gated)

    @property
    def text(self) -> str | None:
        return self.state.text if self.state.kind() == "text" else None

    @property
    def only_last(self) -> bool:
        """Whether there is one output and one loss, at the end."""
        return getattr(self.state, "pattern", "") == "last"

    def letter(self, name: str, t: int | None) -> str:
        return signal(self.letters, name, t, gated=self.gated)

    def weight(self, name: str) -> str:
        return weight(self.letters, name)

    # --- what stands in a node ----------------------------------------------------------------

    def named(self, name: str, t: int, value: float, letter: str | None = None) -> str:
        r"""A letter over its number: $h_3$\\ $0.690$."""
        return rf"${letter or self.letter(name, t)}$\\ ${number(value)}$"

    def input(self, t: int, letter: str | None = None) -> str:
        """An input: its character, its number, its few numbers, or how many they are."""
        name, row = letter or self.letter("x", t), np.asarray(self.run.trace.xs[t - 1])
        if self.text is not None:
            return rf"${name}$\\ {quoted(self.text[t - 1])}"
        if row.size == 1:
            return self.named("x", t, row[0], name)
        if row.size <= MOST_LISTED:
            return rf"${name}$\\ " + r"\\ ".join(f"${number(value)}$" for value in row)
        return rf"${name}$\\ {row.size} numbers"

    def hidden(self, t: int) -> float:
        return float(self.run.trace.hs[t, self.state.unit])

    def shown_output(self, t: int) -> int:
        """Which output a step shows: where classes are told apart that of the target."""
        ys = self.run.trace.ys
        return int(self.run.targets[t - 1]) if np.asarray(self.run.targets).ndim == 1 and ys.shape[1] > 1 else 0

    def output(self, t: int) -> float:
        return float(self.run.trace.ys[t - 1, self.shown_output(t)])

    def output_gradient(self, t: int, name: str = "outputs") -> float:
        return float(getattr(self.run.gradients, name)[t - 1, self.shown_output(t)])

    def loss(self, t: int, letter: tuple[str, str] | None = None) -> str:
        """A loss and its target."""
        loss, target = letter or (self.letter("L", t), self.letter("target", t))
        return rf"${loss} = {number(self.run.gradients.loss[t - 1])}$\\ ${target} = {self._target(t)}$"

    def _target(self, t: int) -> str:
        wanted = np.ravel(self.run.targets[t - 1])[0]
        if self.text is None:
            return number(wanted)
        index = int(wanted)
        return rf"\mbox{{{quoted(ALPHABET[index]) if index < len(ALPHABET) else 'end'}}}"

    def of_units(self) -> str:
        """Which unit the numbers are of, where there are several; empty where there is one."""
        n = self.state.n
        return "" if n == 1 else f"unit {self.state.unit + 1} of {n}"

    def note(self, picture: Picture, beside: str) -> None:
        """Say which unit is drawn, where a reader could wonder."""
        if said := self.of_units():
            picture.node("note", "", said, beside)


def widen(picture: Picture) -> Picture:
    """Give every box room for a power of ten where one holds it."""
    boxes = (line for line in picture.lines if line.startswith(BOXES))
    if any(r"\cdot" in line for line in boxes):
        picture.widths["value"] = WIDE_BOX
    return picture


# --- parts that several patterns share --------------------------------------------------------


def pill(picture: Picture, letter: str) -> str:
    """The letter of a weight on its wire."""
    return picture.label("weight", f"${letter}$")


def draw_states(picture: Picture, chain: Chain, *, first: int = 0, letter: str | None = None) -> None:
    """The states side by side, from that of step `first` on; `letter` in place of h."""
    picture.group("States")
    for t in range(first, chain.T + 1):
        name = indexed(letter, t) if letter else None
        body = chain.named("h", t, chain.hidden(t), name)
        picture.node("state" if t else "initial state", f"h{t}", body, f"right=of h{t - 1}" if t > first else "")


def draw_inputs(picture: Picture, chain: Chain, *, weight: bool = True) -> None:
    """Inputs under the states; a gated cell's weight is no single matrix, and its wires have no letter."""
    picture.group("Inputs")
    for t in chain.steps:
        picture.node("input", f"x{t}", chain.input(t), f"below=of h{t}")
    for t in chain.steps:
        letter = f"{pill(picture, chain.weight('W_xh'))} " if weight else ""
        picture.draw("input wire", f"(x{t}) -- {letter}(h{t})")


def draw_outputs(picture: Picture, chain: Chain, steps: range) -> None:
    """Outputs and losses over the states of `steps`, with the wires to them."""
    picture.group("Outputs, each of its target's class" if chain.text is not None else "Outputs")
    for t in steps:
        picture.node("output", f"y{t}", chain.named("y", t, chain.output(t)), f"above=of h{t}")
    for t in steps:
        picture.draw("output wire", f"(h{t}.120) -- {pill(picture, chain.weight('W_hy'))} (y{t}.-120)")
    picture.group("Losses, each over its target")
    for t in steps:
        picture.node("loss", f"L{t}", chain.loss(t), f"above=of y{t}")
    for t in steps:
        picture.draw("wire", f"(y{t}.120) -- (L{t}.-120)")


def draw_totals(picture: Picture, chain: Chain) -> None:
    """Beside each input's wire the whole gradient at its state."""
    for t in chain.steps:
        total = chain.run.gradients.states[t, chain.state.unit]
        body = rf"${chain.letter('dh', t)}$\\ ${number(total)}$"
        picture.node("gradient", "", body, f"below right=1mm and 4mm of h{t}.south")


def draw_recurrence(picture: Picture, chain: Chain, *, weight: bool = True) -> None:
    picture.group("Recurrence")
    for t in chain.steps:
        letter = f"{pill(picture, chain.weight('W_hh'))} " if weight else ""
        picture.draw("recurrent wire", f"(h{t - 1}.15) -- {letter}(h{t}.165)")


def draw_gradients(picture: Picture, chain: Chain, steps: range) -> None:
    """Backward: from the losses of `steps` to the states, and from state to state."""
    picture.group("Gradients of the loss, backward")
    unit, found = chain.state.unit, chain.run.gradients
    for t in steps:
        own, into = chain.output_gradient(t), found.from_output[t - 1, unit]
        picture.draw("backward wire", f"(L{t}.-60) -- {gradient_label(picture, own, 'right')} (y{t}.60)")
        picture.draw("backward wire", f"(y{t}.-60) -- {gradient_label(picture, into, 'right')} (h{t}.60)")
    for t in reversed(range(2, chain.T + 1)):
        back = found.from_next[t - 1, unit]
        picture.draw("backward wire", f"(h{t}.195) -- {gradient_label(picture, back, 'below')} (h{t - 1}.-15)")
    draw_totals(picture, chain)


def gradient_label(picture: Picture, value: float, side: str) -> str:
    """The gradient that a backward wire carries."""
    return picture.label("gradient", f"${number(value)}$", side)


def unfolded(chain: Chain) -> Picture:
    """Hidden to hidden, or with a single loss at the end where `chain.run` has one alone."""
    picture = Picture("node distance=12mm and 13mm")
    draw_states(picture, chain)
    draw_inputs(picture, chain)
    draw_recurrence(picture, chain)
    losses = range(chain.T, chain.T + 1) if chain.only_last else chain.steps
    draw_outputs(picture, chain, losses)
    draw_gradients(picture, chain, losses)
    chain.note(picture, "below=3mm of h0")
    return widen(picture)
