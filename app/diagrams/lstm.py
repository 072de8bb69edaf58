"""The LSTM cell at the cursor's step: every wire, gate and operation with its number. Nodes: `lstm_nodes.py`."""

from __future__ import annotations

from typing import Any

from .cell_nodes import wire_labels
from .geometry import Point
from .lstm_layout import LAYOUTS, Layout
from .lstm_nodes import CellNodes
from .parts import (
    BORDER,
    CARRIED,
    INNER_BEND,
    OPERATOR,
    OUTER_BEND,
    STATE_LINE,
    STRAND,
    branch,
    branch_strands,
    cut_strand,
    fits_strip,
    strand,
    trunk_head,
    wire,
)
from .scene import Scene, rel, shape, step_number, symbol, text, words

NOW = rel(0)


def lstm_scene(
    variant: str = "wide", n: int = 1, d: int = 1, notation: str = "boucher", text: str | None = None
) -> dict[str, Any]:
    """The cell with n units and d inputs at the cursor's step. With `text` the input is a character."""
    layout = LAYOUTS[variant, fits_strip(n)]
    nodes = CellNodes(layout, n, d, notation, text)
    scene = Scene(
        "lstm", variant, layout.width, layout.height, _name(variant, n), max_width=1040 if variant == "wide" else 480
    )
    left, top, width, height = layout.cell_box
    radius = 20 if variant == "wide" else 16
    scene.add("back", shape("rect", style="cellbox", x=left, y=top, width=width, height=height, rx=radius))
    if variant == "wide":
        _draw_wide(scene, layout, nodes)
    else:
        _draw_compact(scene, layout)
    nodes.add_to(scene)
    wire_labels(scene, layout.labels, nodes)
    return scene.to_dict()


def cut_place(variant: str, n: int) -> tuple[float, float, int]:
    """Where the strand of h leaves its node: x, y, and 90 where it runs down."""
    at = LAYOUTS[variant, fits_strip(n)]
    x, y = at.before["h"]
    return (x + at.node_width / 2 + 7, y - STRAND, 0) if variant == "wide" else (at.trunk - STRAND, y + 39, 90)


def _name(variant: str, n: int) -> list[dict[str, Any]]:
    units = f" with {n} units" if n > 1 else ""
    where = "The cell state runs along the top" if variant == "wide" else "The cell state runs down the right side"
    rest = f". {where}; the forget, input and output gates and the candidate sit on a trunk that carries h and x."
    return [*words(f"LSTM cell{units} at time step "), step_number(NOW, 13, "txt"), *words(rest)]


def _draw_wide(scene: Scene, at: Layout, nodes: CellNodes) -> None:
    _wide_state_line(scene, at)
    _wide_gate_wires(scene, at)
    _wide_output(scene, at)
    _wide_trunk(scene, at, nodes)
    corner = (at.cell_box[0] + 16, at.cell_box[1] + 23.5)
    title = [*words("LSTM cell, ", 12), *symbol("t", size=14), *words(" = ", 12), step_number(NOW, 12, "txt")]
    scene.add("back", text(*corner, title, style="mut"))


def _wide_state_line(scene: Scene, at: Layout) -> None:
    y, (left, _), (right, _) = at.state, at.before["c"], at.after["c"]
    half = at.node_width / 2
    for name, lag, start, end in (
        ("c", -1, left + half, at.forget - OPERATOR - BORDER),
        ("fc", 0, at.forget + OPERATOR, at.sum - OPERATOR - BORDER),
        ("c", 0, at.sum + OPERATOR, right - half - BORDER),
    ):
        with scene.carrying(name, lag):
            wire(scene, [(start, y), (end, y)], "cell", width=STATE_LINE)
    with scene.carrying("c"):
        branch(scene, at.branch, y, "cell", 5)


def _wide_gate_wires(scene: Scene, at: Layout) -> None:
    top, y = at.gate - at.gate_size[1] / 2, at.product
    near = OPERATOR + BORDER
    for name, role, points in (
        ("f", "gate", [(at.forget, top), (at.forget, at.state + near)]),
        ("i", "gate", [(at.input, top), (at.input, y), (at.sum - near, y)]),
        ("g", "candidate", [(at.candidate, top), (at.candidate, y), (at.sum + near, y)]),
        ("ig", "cell", [(at.sum, y - OPERATOR), (at.sum, at.state + near)]),
        ("o", "gate", [(at.output, top), (at.output, y), (at.branch - near, y)]),
    ):
        with scene.carrying(name):
            wire(scene, points, role)


def _wide_output(scene: Scene, at: Layout) -> None:
    x, half = at.branch, at.tanh_height / 2
    end = at.after["h"][0] - at.node_width / 2 - BORDER
    with scene.carrying("c", into=("tc",)):
        wire(scene, [(x, at.state), (x, at.tanh - half - BORDER)], "cell")
    with scene.carrying("tc"):
        wire(scene, [(x, at.tanh + half), (x, at.product - OPERATOR - BORDER)], "cell")
    with scene.carrying("h"):
        wire(scene, [(x, at.product + OPERATOR), (x, at.trunk), (end, at.trunk)], "hidden", radius=14)


def _wide_trunk(scene: Scene, at: Layout, nodes: CellNodes) -> None:
    bottom, y, last = at.gate + at.gate_size[1] / 2 + BORDER, at.trunk, at.output
    state_port, (input_x, input_y) = at.before["h"][0] + at.node_width / 2 - 2, at.before["x"]
    input_port = input_y - 32
    hidden: list[Point] = [(state_port, y - STRAND), (last - STRAND, y - STRAND), (last - STRAND, bottom + 9)]
    inputs: list[Point] = [
        (input_x, input_port),
        (input_x, y + STRAND),
        (last + STRAND, y + STRAND),
        (last + STRAND, bottom + 9),
    ]
    turns = {"f": at.forget, "i": at.input, "g": at.candidate}
    _draw_trunk(scene, {"hidden": (hidden, INNER_BEND), "input": (inputs, OUTER_BEND)}, turns, axis=0)
    with scene.carrying(None, into="o"):
        trunk_head(scene, (last, y), (last, bottom))
    for gate, x in turns.items():
        branch_strands(scene, gate, (x, y), (x, bottom), ("hidden", "input"))
    scene.add("label", text(nodes.note_x, y + nodes.note_drop, nodes.trunk_note(), "middle", "ink2"))
    if nodes.n > 1:
        note = "× and + work unit by unit; a strip shows all units, unit 1 on top, the selected one framed"
        scene.add("label", text(nodes.note_x, y + nodes.note_drop + 20, words(note, 12.5), "middle", "ink2"))


def _draw_trunk(
    scene: Scene, strands: dict[str, tuple[list[Point], float]], turns: dict[str, float], axis: int
) -> None:
    """Both strands as far as the last gate: role -> (path, radius of its bends)."""
    for role, (path, bend) in strands.items():
        for into, piece in cut_strand(path, turns, "o", axis):
            with scene.carrying(*CARRIED[role], into):
                strand(scene, piece, role, bend)


def _draw_compact(scene: Scene, at: Layout) -> None:
    _compact_state_line(scene, at)
    _compact_gate_wires(scene, at)
    _compact_output(scene, at)
    _compact_trunk(scene, at)


def _compact_state_line(scene: Scene, at: Layout) -> None:
    x, (_, top), (_, bottom) = at.state, at.before["c"], at.after["c"]
    for name, lag, start, end in (
        ("c", -1, top + 32, at.forget - OPERATOR - BORDER),
        ("fc", 0, at.forget + OPERATOR, at.sum - OPERATOR - BORDER),
        ("c", 0, at.sum + OPERATOR, bottom - 32 - BORDER),
    ):
        with scene.carrying(name, lag):
            wire(scene, [(x, start), (x, end)], "cell", width=STATE_LINE)
    with scene.carrying("c"):
        branch(scene, x, at.branch, "cell", 5)


def _compact_gate_wires(scene: Scene, at: Layout) -> None:
    right, x = at.gate + at.gate_size[0] / 2, at.product
    near = OPERATOR + BORDER
    for name, role, points in (
        ("f", "gate", [(right, at.forget), (at.state - near, at.forget)]),
        ("i", "gate", [(right, at.input), (x, at.input), (x, at.sum - near)]),
        ("g", "candidate", [(right, at.candidate), (x, at.candidate), (x, at.sum + near)]),
        ("ig", "cell", [(x + OPERATOR, at.sum), (at.state - near, at.sum)]),
        ("o", "gate", [(right, at.output), (x - near, at.output)]),
    ):
        with scene.carrying(name):
            wire(scene, points, role, radius=10)


def _compact_output(scene: Scene, at: Layout) -> None:
    x, half = at.product, at.tanh_height / 2
    with scene.carrying("c", into=("tc",)):
        wire(scene, [(at.state, at.branch), (x + 30 + BORDER, at.branch)], "cell")
    with scene.carrying("tc"):
        wire(scene, [(x, at.branch + half), (x, at.output - OPERATOR - BORDER)], "cell")
    with scene.carrying("h"):
        wire(scene, [(x, at.output + OPERATOR), (x, at.after["h"][1] - 32 - BORDER)], "hidden")


def _compact_trunk(scene: Scene, at: Layout) -> None:
    left, x, last = at.gate - at.gate_size[0] / 2 - BORDER, at.trunk, at.output
    input_x, input_y = at.before["x"]
    turn = at.cell_box[1] + 18 + (at.node_width - 80) / 4
    hidden: list[Point] = [(x - STRAND, input_y + 20), (x - STRAND, last + STRAND), (left - 9, last + STRAND)]
    inputs: list[Point] = [
        (input_x, input_y + 30),
        (input_x, turn),
        (x + STRAND, turn),
        (x + STRAND, last - STRAND),
        (left - 9, last - STRAND),
    ]
    turns = {"f": at.forget, "i": at.input, "g": at.candidate}
    _draw_trunk(scene, {"hidden": (hidden, OUTER_BEND), "input": (inputs, INNER_BEND)}, turns, axis=1)
    with scene.carrying(None, into="o"):
        trunk_head(scene, (x, last), (left, last))
    for gate, y in turns.items():
        branch_strands(scene, gate, (x, y), (left, y), ("input", "hidden"))
