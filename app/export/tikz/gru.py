"""The GRU cell at the selected step, in each of its four variants: where r works, and what z takes."""

from __future__ import annotations

from .cell import Cell
from .picture import Picture
from .words import times

#: Where the gates and the candidate stand, from left to right.
GATES = {"z": 3.4, "r": 6.5, "g": 15.2}


def gru_picture(cell: Cell) -> Picture:
    picture = Picture()
    _box(picture, cell)
    _nodes(picture, cell)
    _state_line(picture, cell)
    _update(picture, cell)
    _reset(picture, cell)
    _trunks(picture, cell)
    return picture


def _box(picture: Picture, cell: Cell) -> None:
    picture.group("The cell")
    picture.style("cell box")
    picture.lines.append(r"\fill[cell box] (1, -1.5) rectangle (17, 6);")
    cell.caption(picture, "GRU", "at={(1.75, 5.95)}, anchor=north west")


def _nodes(picture: Picture, cell: Cell) -> None:
    picture.group("What comes in, and what goes on")
    picture.node("state", "before h", cell.named("h", -1), "(0, 5)")
    picture.node("input", "x", cell.input(), "(2, -2.7)")
    picture.node("state", "h", cell.named("h"), "(18, 5)")
    picture.group("Gates and candidate")
    for name, x in GATES.items():
        cell.gate(picture, name, f"({x}, 1.4)")
    picture.group("Operations, unit by unit")
    picture.node("operator", "keep", r"$\times$", "(z |- h)")
    picture.node("operator", "add", "$+$", "(g |- h)")
    picture.node("operator", "take", r"$\times$", "(g |- 0, 3.2)")
    picture.node("operator", "reset", r"$\times$", "(9.3, 1.4)")
    before = cell.lab.state.reset == "before"
    picture.node("function", "matrix", f"${cell.matrix()}$", "(11.7, 1.4)" if before else "(9.3, 0.2)")


def _state_line(picture: Picture, cell: Cell) -> None:
    z, g = cell.letter("z"), cell.letter("g")
    old, rest = cell.letter("h", -1), f"(1 - {z})"
    kept, taken = (rest, z) if cell.lab.state.update == "new" else (z, rest)
    picture.group("The hidden state")
    picture.draw("recurrent wire", "(before h) -- (keep)")
    zh = picture.label("carried", cell.carried("zh", times(kept, old)), "above")
    picture.draw("recurrent wire", f"(keep) -- {zh} (add)")
    picture.draw("recurrent wire", "(add) -- (h)")
    zg = picture.label("carried", cell.carried("zg", times(taken, g)), "left")
    picture.draw("recurrent wire", f"(take) -- {zg} (add)")
    picture.draw("candidate wire", f"(g) -- {picture.label('carried', cell.carried('g'), 'left')} (take)")


def _update(picture: Picture, cell: Cell) -> None:
    """The gate goes up to what is kept and across to what is taken, to one of them as 1 - z."""
    new = cell.lab.state.update == "new"
    rest = cell.carried("keep", f"1 - {cell.letter('z')}")
    picture.group("The update gate takes the new" if new else "The update gate keeps the old")
    picture.node("junction", "split", "", "(z |- take)")
    picture.node("function", "minus", "$1 - {}$", "(3.4, 4)" if new else "(7, 3.2)")
    picture.draw("gate wire, -", f"(z) -- {picture.label('carried', cell.carried('z'), 'right, pos=0.4')} (split)")
    over = picture.label("carried", rest, "right, pos=0.4" if new else "above")
    picture.draw("gate wire", f"(minus) -- {over} ({'keep' if new else 'take'})")
    picture.draw("gate wire", "(split) -- (minus)")
    picture.draw("gate wire", f"(split) -- ({'take' if new else 'keep'})")


def _reset(picture: Picture, cell: Cell) -> None:
    """The gate works on the state before the candidate's matrix reads it, or on what the matrix has made of it."""
    r, U, old = cell.letter("r"), cell.matrix(), cell.letter("h", -1)
    before = cell.lab.state.reset == "before"
    picture.group("The reset gate works before the product" if before else "The reset gate works after the product")
    picture.draw("gate wire", f"(r) -- {_around(picture, r, cell.value('r'))} (reset)")
    if before:
        picture.draw("recurrent wire", f"(reset) -- {_around(picture, times(r, old), cell.value('rh'))} (matrix)")
        product = f"{U} ({times(r, old)})"
        picture.draw("recurrent wire", f"(matrix) -- {_around(picture, product, cell.value('Uhg'))} (g)")
        return
    made = picture.label("carried", cell.carried("Uhg", times(U, old)), "right")
    picture.draw("recurrent wire", f"(matrix) -- {made} (reset)")
    product = times(r, f"({times(U, old)})")
    picture.draw("recurrent wire", f"(reset) -- {_around(picture, product, cell.value('rh'))} (g)")


def _around(picture: Picture, letter: str, value: str) -> str:
    """A letter over a wire and its number under it."""
    return f"{picture.label('carried', f'${letter}$', 'above')} {picture.label('carried', f'${value}$', 'below')}"


def _trunks(picture: Picture, cell: Cell) -> None:
    """Two lines under the gates: the state before on the upper one, the input on the lower one."""
    picture.group("The state before goes to both gates, and to the candidate by way of the reset gate")
    first = "reset" if cell.lab.state.reset == "before" else "matrix"
    picture.node("junction", "turn", "", "(1.5, 5)")
    picture.lines.append(r"\coordinate (h line) at (1.5, -0.7);")
    picture.draw("recurrent wire", f"(turn) -- (h line) -| ({first})")
    _taps(picture, "recurrent wire", "h", -105)
    picture.group("The input goes to all three")
    picture.lines.append(r"\coordinate (x line) at (2, -1.1);")
    picture.draw("input wire", "(x) -- (x line) -| (g)")
    _taps(picture, "input wire", "x", -75)
    picture.node("note", "", cell.read("both gates read"), "right=2mm of x")


def _taps(picture: Picture, style: str, name: str, angle: int) -> None:
    for gate in "zr":
        picture.node("junction", f"{name} to {gate}", "", f"({gate}.{angle} |- {name} line)")
        picture.draw(style, f"({name} to {gate}) -- ({gate}.{angle})")
