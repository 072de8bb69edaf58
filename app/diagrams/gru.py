"""The GRU cell at the cursor's step, one scene a variant: the same parts in the same order, so that a change moves."""

from __future__ import annotations

from typing import Any

from .cell_nodes import BEFORE, NOW, wire_labels
from .geometry import Point, along, triangle
from .gru_layout import LAYOUTS
from .gru_nodes import CellNodes
from .parts import (
    BORDER,
    CARRIED,
    STATE_LINE,
    STRAND,
    branch,
    branch_strands,
    cut_strand,
    fits_strip,
    strand,
    wire,
)
from .scene import Scene, shape, step_number, symbol, text, words


def gru_scene(
    variant: str = "wide",
    n: int = 1,
    d: int = 1,
    notation: str = "boucher",
    text: str | None = None,
    *,
    reset: str = "before",
    update: str = "new",
) -> dict[str, Any]:
    """The cell with n units and d inputs at the cursor's step. With `text` the input is a character."""
    layout = LAYOUTS[variant, fits_strip(n)].chosen(reset, update)
    nodes = CellNodes(layout, n, d, notation, text, reset, update)
    scene = Scene(
        "gru", variant, layout.width, layout.height, _name(nodes), max_width=1040 if variant == "wide" else 480
    )
    left, top, width, height = layout.cell_box
    radius = 20 if nodes.wide else 16
    scene.add("back", shape("rect", style="cellbox", x=left, y=top, width=width, height=height, rx=radius))
    _blend(scene, nodes)
    _reset(scene, nodes)
    _trunk(scene, nodes)
    if nodes.wide:
        _captions(scene, nodes)
    nodes.add_to(scene)
    wire_labels(scene, {name: layout.labels[name] for name in nodes.ROLES if name in layout.labels}, nodes)
    return scene.to_dict()


def cut_place(variant: str, n: int) -> tuple[float, float, int]:
    """Where h has left its line for the trunk: x, y, and 90 where it runs down. The kept share goes on uncut."""
    at = LAYOUTS[variant, fits_strip(n)]
    x, y = at.places["turn"]
    return (x, y + 28, 90) if variant == "wide" else (x - 28, y, 0)


def _name(nodes: CellNodes) -> list[dict[str, Any]]:
    units = f" with {nodes.n} units" if nodes.n > 1 else ""
    where = "along the top" if nodes.wide else "down the right side"
    takes = "takes the candidate" if nodes.update == "new" else "keeps the old state"
    rest = f". The hidden state runs {where}; the update gate {takes}; the reset gate works {nodes.reset} the product."
    return [*words(f"GRU cell{units} at time step "), step_number(NOW, 13, "txt"), *words(rest)]


def _captions(scene: Scene, nodes: CellNodes) -> None:
    left, top = nodes.layout.cell_box[:2]
    title = [*words("GRU cell, ", 12), *symbol("t", size=14), *words(" = ", 12), step_number(NOW, 12, "txt")]
    scene.add("back", text(left + 16, top + 23.5, title, style="mut"))
    x, y = nodes.layout.note
    scene.add("label", text(x, y, _reset_note(nodes), "middle", "ink2"))
    if nodes.n > 1:
        note = "× and + work unit by unit; a strip shows all units, unit 1 on top, the selected one framed"
        scene.add("label", text(x, y + 20, words(note, 12.5), "middle", "ink2"))


def _reset_note(nodes: CellNodes) -> list[dict[str, Any]]:
    """Where the reset gate works, in words."""
    h, matrix = symbol("h", BEFORE, size=15), nodes.letter(15)
    if nodes.reset == "before":
        return [
            *words("The reset gate scales ", 12.5),
            *h,
            *words(" before ", 12.5),
            *matrix,
            *words(" reads it", 12.5),
        ]
    return [*words("The reset gate scales what ", 12.5), *matrix, *words(" has made of ", 12.5), *h]


def _blend(scene: Scene, nodes: CellNodes) -> None:
    """The state's line, and the update gate's two ways: one as it is, one through 1 −."""
    with scene.carrying("h", -1, ("zh",)):
        _link(scene, nodes, "hp", "mz", "hidden", STATE_LINE)
    for name, start, end in (("zh", "mz", "add"), ("h", "add", "ht")):
        with scene.carrying(name):
            _link(scene, nodes, start, end, "hidden", STATE_LINE)
    new = nodes.update == "new"
    for name, into, start, end, role in (
        ("z", ("zh",), "z", "om" if new else "mz", "gate"),
        ("z", ("zg",), "dot", "mc" if new else "om", "gate"),
        ("keep", ("zh",) if new else ("zg",), "om", "mz" if new else "mc", "gate"),
        ("g", (), "g", "mc", "candidate"),
        ("zg", (), "mc", "add", "hidden"),
    ):
        with scene.carrying(name, into=into):
            _link(scene, nodes, start, end, role)
    with scene.carrying("z"):
        branch(scene, *nodes.place("dot"), "gate", 5)
    with scene.carrying("h", -1, "zrg"):
        branch(scene, *nodes.place("turn"), "hidden", 5)


def _reset(scene: Scene, nodes: CellNodes) -> None:
    """The reset gate's product, before the candidate's matrix or after it."""
    first, second = ("mr", "uh") if nodes.reset == "before" else ("uh", "mr")
    gives = {"mr": "rh", "uh": "Uhg"}
    for name, start, end, role in (
        ("r", "r", "mr", "gate"),
        (gives[first], first, second, "hidden"),
        (gives[second], second, "g", "hidden"),
    ):
        with scene.carrying(name):
            _link(scene, nodes, start, end, role)
    (x, y), (width, height) = nodes.place(first), nodes.half(first)
    (turn_x, turn_y), trunk = nodes.place("turn"), nodes.layout.trunk
    if nodes.wide:
        line = trunk - STRAND
        _turning(scene, nodes, [(turn_x, turn_y), (turn_x, line), (x, line), (x, y + height + BORDER)], "hidden")
    else:
        column = trunk + STRAND
        _turning(scene, nodes, [(turn_x, turn_y), (column, turn_y), (column, y), (x - width - BORDER, y)], "hidden")


def _trunk(scene: Scene, nodes: CellNodes) -> None:
    """The input's way to the candidate, and the branches of h and x into the two gates."""
    at, (x, y), (width, height) = nodes.layout, nodes.place("g"), nodes.half("g")
    input_x, input_y = at.before["x"]
    for gate in ("z", "r"):
        (gate_x, gate_y), (half_x, half_y) = nodes.place(gate), nodes.half(gate)
        if nodes.wide:
            branch_strands(scene, gate, (gate_x, at.trunk), (gate_x, gate_y + half_y + BORDER), ("hidden", "input"))
        else:
            branch_strands(scene, gate, (at.trunk, gate_y), (gate_x - half_x - BORDER, gate_y), ("hidden", "input"))
    if nodes.wide:
        line = at.trunk + STRAND
        _turning(scene, nodes, [(input_x, input_y - 32), (input_x, line), (x, line), (x, y + height + BORDER)], "input")
    else:
        column = at.trunk - STRAND
        _turning(scene, nodes, [(column, input_y + 30), (column, y), (x - width - BORDER, y)], "input")


def _turning(scene: Scene, nodes: CellNodes, points: list[Point], role: str) -> None:
    """A strand that passes both gates and leaves the trunk alone, under a head of its own."""
    corner, tip = points[-2:]
    axis = 0 if nodes.wide else 1
    turns = {gate: nodes.place(gate)[axis] for gate in ("z", "r")}
    for into, piece in cut_strand([*points[:-1], along(corner, tip, -8)], turns, "g", axis):
        with scene.carrying(*CARRIED[role], into):
            strand(scene, piece, role, 14)
    with scene.carrying(*CARRIED[role], "g"):
        scene.add("head", shape("path", style=f"wire fwd tri r-{role}", d=triangle(corner, tip)))


def _link(scene: Scene, nodes: CellNodes, start: str, end: str, role: str, width: float | None = None) -> None:
    """A straight wire between two nodes, on the centre line of the smaller one, from border to border."""
    (ax, ay), (bx, by) = nodes.place(start), nodes.place(end)
    (aw, ah), (bw, bh) = nodes.half(start), nodes.half(end)
    if abs(ax - bx) < max(aw, bw, 1):
        x, down = (ax if aw < bw else bx), 1 if by > ay else -1
        points = [(x, ay + down * ah), (x, by - down * (bh + BORDER))]
    else:
        y, right = (ay if ah < bh else by), 1 if bx > ax else -1
        points = [(ax + right * aw, y), (bx - right * (bw + BORDER), y)]
    wire(scene, points, role, width=width)
