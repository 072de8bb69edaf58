"""The LSTM cell at the selected step: the cell state along the top, the gates on a trunk that carries h and x."""

from __future__ import annotations

from .cell import Cell
from .picture import Picture
from .words import times

#: Gate -> where it stands on the trunk, from left to right.
GATES = {"f": 2.6, "i": 5.5, "g": 8.7, "o": 11.9}


def lstm_picture(cell: Cell) -> Picture:
    picture = Picture()
    _box(picture, cell)
    _states(picture, cell)
    _gates(picture, cell)
    _operators(picture)
    _cell_state(picture, cell)
    _gate_wires(picture, cell)
    _output(picture, cell)
    _trunk(picture, cell)
    return picture


def _box(picture: Picture, cell: Cell) -> None:
    picture.group("The cell")
    picture.style("cell box")
    picture.lines.append(r"\fill[cell box] (1, -0.7) rectangle (15.9, 6);")
    cell.caption(picture, "LSTM", "at={(1.15, 5.95)}, anchor=north west")


def _states(picture: Picture, cell: Cell) -> None:
    picture.group("What comes in, and what goes on")
    picture.node("cell state", "before c", cell.named("c", -1), "(0, 5)")
    picture.node("state", "before h", cell.named("h", -1), "(0, 0)")
    picture.node("input", "x", cell.input(), "(1.6, -1.8)")
    picture.node("cell state", "c", cell.named("c"), "(16.9, 5)")
    picture.node("state", "h", cell.named("h"), "(16.9, 0)")


def _gates(picture: Picture, cell: Cell) -> None:
    picture.group("Gates and candidate")
    for name, x in GATES.items():
        cell.gate(picture, name, f"({x}, 1.5)")


def _operators(picture: Picture) -> None:
    picture.group("Operations, unit by unit")
    picture.node("operator", "forget", r"$\times$", "(f |- c)")
    picture.node("operator", "take", r"$\times$", "(7.1, 3.3)")
    picture.node("operator", "add", "$+$", "(take |- c)")
    picture.node("operator", "show", r"$\times$", "(14.9, 3)")
    picture.node("function", "squash", r"$\tanh$", "(14.9, 4.1)")


def _cell_state(picture: Picture, cell: Cell) -> None:
    f, i, c, g = (cell.letter(name) for name in "ficg")
    kept, taken = times(f, cell.letter("c", -1)), times(i, g)
    picture.group("The cell state")
    picture.draw("state wire", "(before c) -- (forget)")
    picture.draw("state wire", f"(forget) -- {_above(picture, cell.carried('fc', kept))} (add)")
    picture.draw("state wire", f"(add) -- {_above(picture, cell.carried('c', c), 'pos=0.4')} (c)")
    picture.draw("cell wire", f"(take) -- {picture.label('carried', cell.carried('ig', taken), 'right')} (add)")


def _above(picture: Picture, body: str, at: str = "midway") -> str:
    return picture.label("carried", body, "above" if at == "midway" else f"above, {at}")


def _gate_wires(picture: Picture, cell: Cell) -> None:
    picture.group("What the gates let through")
    side = {"f": "right, pos=0.4", "i": "left, pos=0.25", "g": "right, pos=0.25", "o": "right, pos=0.25"}
    label = {name: picture.label("carried", cell.carried(name), at) for name, at in side.items()}
    picture.draw("gate wire", f"(f) -- {label['f']} (forget)")
    picture.draw("gate wire", f"(i) |- {label['i']} (take)")
    picture.draw("candidate wire", f"(g) |- {label['g']} (take)")
    picture.draw("gate wire", f"(o) |- {label['o']} (show)")


def _output(picture: Picture, cell: Cell) -> None:
    squashed = picture.label("carried", cell.carried("tc", rf"\tanh {cell.letter('c')}"), "left")
    picture.group("The hidden state")
    picture.node("junction", "branch", "", "(squash |- c)")
    picture.draw("cell wire", "(branch) -- (squash)")
    picture.draw("cell wire", f"(squash) -- {squashed} (show)")
    picture.draw("recurrent wire", "(show) |- (h)")


def _trunk(picture: Picture, cell: Cell) -> None:
    """One line that carries the state before and the input, and turns up into each gate."""
    picture.group("The trunk: every gate reads the state before and the input")
    picture.draw("recurrent wire", "(before h) -| (o)")
    for name in list(GATES)[:-1]:
        picture.node("junction", f"to {name}", "", f"({name} |- before h)")
        picture.draw("recurrent wire", f"(to {name}) -- ({name})")
    picture.node("junction", "join", "", "(x |- before h)")
    picture.draw("input wire, -", "(x) -- (join)")
    picture.node("note", "", cell.read("every gate reads"), "below=1mm of to i")
