"""An encoder that reads a source, a decoder that writes a target, and at one step what that one attends to."""

from __future__ import annotations

from typing import Any

from ..errors import CannotExport
from .picture import Picture
from .table import called, cell_number, step
from .words import indexed

#: Characters that fit side by side.
MOST = 21
#: Distances between columns in cm, and the rows: source, encoder, context, decoder's input, decoder, output.
SOURCE_PITCH, TARGET_PITCH = 1.3, 1.5
SOURCE, ENCODER, CONTEXT, READ, DECODER, OUTPUT = 0.0, 1.4, 4.0, 5.1, 6.5, 7.9


class Written:
    """The translation on the page, at its selected step."""

    def __init__(self, lab: Any):
        self.lab, self.run, self.picture = lab, lab.run, Picture()
        if max(self.run.T, self.run.U) > MOST:
            raise CannotExport(
                f"the encoder and decoder in TikZ have at most {MOST} characters, here are {self.run.T} and "
                f"{self.run.U}: make text shorter, or ask for --figure {self._instead()}"
            )

    def _instead(self) -> str:
        return "next" if self.run.trace.weights is None else "attention"

    def drawn(self) -> Picture:
        self._source()
        self._target()
        if self.run.trace.weights is None:
            self._bottleneck()
        else:
            self._attention()
        return self.picture

    def _x(self, t: int) -> str:
        """Where step t of the decoder stands: its columns are centred over the source."""
        start = (self.run.T + 1) / 2 * SOURCE_PITCH - self.run.U / 2 * TARGET_PITCH
        return f"{start + t * TARGET_PITCH:g}"

    def _source(self) -> None:
        picture = self.picture
        picture.group("Source")
        for j, character in enumerate(self.run.config.text, 1):
            picture.node("input, small", f"x{j}", called(character), f"({j * SOURCE_PITCH:g}, {SOURCE:g})")
        picture.group("Encoder")
        for j in range(1, self.run.T + 1):
            picture.node("state, small", f"h{j}", f"${indexed('h', j)}$", f"({j * SOURCE_PITCH:g}, {ENCODER:g})")
        for j in range(1, self.run.T + 1):
            picture.draw("input wire", f"(x{j}) -- (h{j})")
        for j in range(2, self.run.T + 1):
            picture.draw("recurrent wire", f"(h{j - 1}) -- (h{j})")

    def _target(self) -> None:
        picture, run = self.picture, self.run
        picture.group("Decoder")
        picture.node("initial state, small", "s0", "$s_0$", f"({self._x(0)}, {DECODER:g})")
        for t in range(1, run.U + 1):
            picture.node("state, small", f"s{t}", f"${indexed('s', t)}$", f"({self._x(t)}, {DECODER:g})")
        for t in range(1, run.U + 1):
            picture.draw("recurrent wire", f"(s{t - 1}) -- (s{t})")
        picture.group("What each step reads, and what it writes with which probability")
        for t in range(1, run.U + 1):
            read = self._token(run.trace.tokens[t - 1])
            picture.node("note, xshift=-2mm", f"r{t}", read, f"({self._x(t)}, {READ:g})")
            picture.draw("input wire", f"(r{t}) -- (r{t} |- s{t}.south)")
        for t in range(1, run.U + 1):
            picture.node("output, small", f"y{t}", self._token(run.outputs[t - 1]), f"({self._x(t)}, {OUTPUT:g})")
            picture.draw("output wire", f"(s{t}) -- (y{t})")
            shown = cell_number(run.chosen_probabilities[t - 1], "p_next")
            picture.node("share", "", f"${shown}$", f"above=0mm of y{t}")

    def _token(self, token: Any) -> str:
        return called(self.lab.token_name(int(token)))

    def _attention(self) -> None:
        """The weights of the selected step, each as a wire as strong as its share."""
        picture, t, matrix = self.picture, int(self.lab.state.t), self.lab.charts()["attention"]
        picture.group(f"Attention at step {t}: the weights, and the context that they make")
        picture.node("state", "context", f"${indexed('c', t)}$", f"({self._x(t)}, {CONTEXT:g})")
        picture.node("note", "", f"$= {indexed('h', self.run.T)}$", "below=0mm of s0")
        shares = matrix.values[t - 1]
        for j, share in enumerate(shares, 1):
            style = f"attention {step(share, matrix)}"
            picture.draw(style, f"(h{j}.north) -- (context)")
        picture.draw("recurrent wire", f"([xshift=2mm]context.north) -- ([xshift=2mm]s{t}.south)")
        for j, share in enumerate(shares, 1):
            picture.node("share, fill=white", "", f"${cell_number(share, 'alpha')}$", f"above=1mm of h{j}")

    def _bottleneck(self) -> None:
        self.picture.group("All that the decoder gets: the encoder's last state")
        self.picture.draw("recurrent wire", f"(h{self.run.T}) |- ++(0, 1.6) -| (s0)")
        middle = f"({(self.run.T + 1) / 2 * SOURCE_PITCH:g}, {ENCODER + 1.6:g})"
        self.picture.node("note", "", "the last state alone is handed over", f"at={{{middle}}}, above")
