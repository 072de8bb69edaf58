"""One head of self-attention, from the tokens to the output: scores, weights and contexts in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...attention_numbers import masked_scores
from ...plots.chart import Matrix
from ..errors import CannotExport
from .picture import Picture
from .table import called, cell_number, step
from .words import number

#: Tokens whose tables fit side by side, and numbers of a context that are listed.
MOST_TOKENS, MOST_NUMBERS = 8, 8
CELL = "11mm"


@dataclass(frozen=True)
class _Table:
    """A table's node, its place and heading, its columns, and the matrix whose colours and decimals it has, if any."""

    name: str
    at: str
    head: str
    columns: Sequence[str]
    shown: Matrix | None = None

    def cell(self, picture: Picture, value: float) -> str:
        style = "entry" if self.shown is None else f"level {step(value, self.shown)}"
        picture.style(style)
        text = number(value) if self.shown is None else cell_number(value, self.shown.symbol)
        return f"|[{style}]| ${text}$"


class Attention:
    """The selected head of the layer on the page."""

    def __init__(self, lab: Any):
        self.lab, self.run, self.head = lab, lab.run, lab.state.head - 1
        if lab.state.T > MOST_TOKENS:
            raise CannotExport(
                f"the way through attention in TikZ has at most {MOST_TOKENS} tokens, here are {lab.state.T}: "
                "take fewer, or ask for --figure weights"
            )
        self.picture = Picture("node distance=8mm and 14mm", libraries=("matrix",), widths={"entry": CELL})

    def drawn(self) -> Picture:
        self._projections()
        self._scores()
        self._weights()
        self._output()
        self._wires()
        return self.picture

    def _size(self, columns: int) -> str:
        return rf"${self.lab.state.T} \times {columns}$"

    def _projections(self) -> None:
        config, picture = self.run.config, self.picture
        picture.group("Tokens, and their projections")
        picture.node("input", "X", rf"$X$\\ {self._size(config.d_model)}")
        picture.node("gate box", "K", rf"$K$\\ {self._size(config.d_k)}", "right=of X")
        picture.node("state", "Q", rf"$Q$\\ {self._size(config.d_k)}", "above=12mm of K")
        if config.heads > 1:
            picture.node("note", "", f"head {self.head + 1} of {config.heads}", "above=1mm of Q")
        below = 4 + round(3.4 * self.lab.state.T)  # under the tables
        picture.node("candidate box", "V", rf"$V$\\ {self._size(config.d_k)}", f"below={max(12, below)}mm of K")

    def _scores(self) -> None:
        scaled = r" / \sqrt{d_k}" if self.run.config.scaled else ""
        masked = ", masked" if self.run.mask is not None else ""
        self.picture.node("operator", "product", r"$\times$", "right=10mm of K")
        table = _Table("S", "right=8mm of product", rf"$S = Q K^\top{scaled}$" + masked, self.lab.token_names())
        self._write(table, masked_scores(self.run)[self.head])

    def _weights(self) -> None:
        shown = self.lab.charts()["weights"]
        table = _Table("A", "right=18mm of S", r"$A = \mathrm{softmax}(S)$", shown.columns, shown)
        self._write(table, shown.values)

    def _output(self) -> None:
        config, picture = self.run.config, self.picture
        picture.node("operator", "blend", r"$\times$", "right=8mm of A")
        if config.d_k <= MOST_NUMBERS:
            names = tuple(str(k) for k in range(1, config.d_k + 1))
            own = slice(self.head * config.d_k, (self.head + 1) * config.d_k)
            self._write(_Table("C", "right=8mm of blend", "$A V$", names), self.run.trace.joined[:, own])
        else:
            picture.group("The contexts")
            picture.node("cell state", "C", rf"$A V$\\ {self._size(config.d_k)}", "right=8mm of blend")
        picture.group("The output")
        picture.node("output", "Y", rf"$Y$\\ {self._size(config.d_model)}", "right=18mm of C")

    def _write(self, table: _Table, rows: np.ndarray) -> None:
        """Numbers with the tokens before their rows and a heading over them."""
        picture = self.picture
        picture.group(f"{table.name}: a row a token")
        picture.style("heading")
        options = f"matrix of nodes, row sep=0.4mm, column sep=0.4mm, {table.at}"
        picture.lines.append(rf"\matrix[{options}] ({table.name}) {{")
        picture.lines.append("  " + " ".join(f"& |[heading]| {called(column)}" for column in table.columns) + r" \\")
        for token, row in zip(self.lab.token_names(), rows, strict=True):
            cells = " ".join(f"& {table.cell(picture, value)}" for value in row)
            picture.lines.append(rf"  |[heading]| {called(token)} {cells} \\")
        picture.lines.append("};")
        picture.node("note", "", table.head, f"above=0mm of {table.name}")

    def _wires(self) -> None:
        picture = self.picture
        picture.group("The way")
        for letter, wire in (("Q", "recurrent wire"), ("K", "gate wire"), ("V", "candidate wire")):
            label = picture.label("weight", f"$W_{letter}$", "midway" if letter == "K" else "pos=0.75")
            picture.draw(wire, f"(X) {'--' if letter == 'K' else '|-'} {label} ({letter})")
        picture.draw("recurrent wire", "(Q) -| (product)")
        picture.draw("gate wire", "(K) -- (product)")
        picture.draw("wire", "(product) -- (S)")
        picture.draw("wire", f"(S) -- {picture.label('carried', 'softmax', 'above')} (A)")
        picture.draw("wire", "(A) -- (blend)")
        picture.draw("candidate wire", "(V) -| (blend)")
        picture.draw("cell wire", "(blend) -- (C)")
        picture.draw("output wire", f"(C) -- {picture.label('carried', self._mix(), 'above, align=center')} (Y)")

    def _mix(self) -> str:
        heads = self.run.config.heads
        return "$W_O$" if heads == 1 else rf"{heads} heads,\\ $W_O$"
