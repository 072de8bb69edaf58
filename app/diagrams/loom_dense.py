"""The loom of many steps, where nodes are marks, and the compact one, where time runs down."""

from __future__ import annotations

from .chain_nodes import Chain, at_step
from .geometry import Point, stadium_half_height, stadium_half_width
from .loom_parts import (
    COMPACT_LOSS,
    COMPACT_STATE,
    COMPACT_WIDTH,
    DENSE_HEIGHT,
    DENSE_INPUT,
    DENSE_LOSS,
    DENSE_STATE,
    FIRST_ROW,
    ROW_PITCH,
    WIDTH,
    Columns,
    backward_number,
    backward_wire,
    chain_words,
    factor_number,
    forward_wire,
)  # fmt: skip
from .parts import BORDER, box, node, pill
from .scene import Element, Scene, binding, shape, symbol, text, value, words

Lanes = list[list[float]]


def dense_loom(chain: Chain, columns: Columns) -> tuple[Scene, Lanes]:
    """Marks instead of boxes; a node's number is in its name and its tip."""
    scene = Scene("loom", "wide", WIDTH, DENSE_HEIGHT, chain_words(chain, "left to right"))
    radius = min(9.0, 0.34 * columns.pitch)
    for t in chain.steps:
        _dense_column(scene, chain, columns, t, radius)
    for y, letter in ((DENSE_LOSS, "L"), (DENSE_STATE, "h"), (DENSE_INPUT, "x")):
        scene.add("label", text(24, y + 5, symbol(letter, sub="t", size=15), style="ink2"))
    lanes = [[(columns.x(i - 1) + columns.x(i)) / 2, float(DENSE_STATE), 0] for i in range(2, chain.T + 1)]
    return scene, lanes


def _dense_column(scene: Scene, chain: Chain, columns: Columns, t: int, radius: float) -> None:
    x = columns.x(t)
    scene.add("wire", shape("path", style=f"wire fwd thin r-input step-{t}", d=f"M{x:.2f} {DENSE_INPUT}V{DENSE_STATE}"))
    backward_wire(scene, [(x, DENSE_LOSS), (x, DENSE_STATE)], f"thin loss-{t}", head=False)
    if t > 1:
        backward_wire(scene, [(x, DENSE_STATE), (columns.x(t - 1), DENSE_STATE)], f"thin lane-{t}", head=False)
    marks = (
        ("L", "loss", "k-loss", "", DENSE_LOSS, 2.0),
        ("h", "hidden state", "k-state", "r-hidden ", DENSE_STATE, radius),
        ("x", "input", "k-input", "r-input ", DENSE_INPUT, 1.0),
    )
    for letter, what, kind, role, y, corner in marks:
        scene.add("node", _mark(chain, t, letter, what, f"{role}{kind}", (x, y), radius, corner))


def _mark(chain: Chain, t: int, letter: str, what: str, style: str, at: Point, radius: float, corner: float) -> Element:
    x, y = at
    side = radius if letter == "h" else 0.8 * radius
    square = shape("rect", style="shape", x=x - side, y=y - side, width=2 * side, height=2 * side, rx=corner)
    ring = shape("rect", style="ring", x=x - side - 4, y=y - side - 4, width=2 * side + 8, height=2 * side + 8, rx=6)
    bound = binding(letter, t, 0 if letter == "x" else None)
    glyphs = chain.characters is not None and letter == "x"
    shown = words(f"“{chain.characters[t - 1]}”") if glyphs and chain.characters else value(bound)
    name = [*symbol(letter, t), *words(" "), *shown, *words(", "), *at_step(what, t)]
    return node(f"{letter}{t}", style, at, [ring, square], name=name, select=bound)


def compact_loom(chain: Chain, gated: bool) -> tuple[Scene, Lanes]:
    """Time runs down; outputs are in the loss boxes, inputs are left out."""
    scene = Scene("loom", "compact", COMPACT_WIDTH, _row(chain.T) + 52, chain_words(chain, "down"), max_width=480)
    scene.add("node", chain.initial_state(COMPACT_STATE, 20, 80, 36).element())
    for t in chain.steps:
        _compact_row(scene, chain, t)
        _compact_recurrence(scene, chain, t, gated)
    lanes = [[COMPACT_STATE + 14, (_row(i - 1) + _row(i)) / 2, 1.0] for i in range(2, chain.T + 1)]
    return scene, lanes


def _row(t: int) -> float:
    return FIRST_ROW + ROW_PITCH * (t - 1)


def compact_band(t: int) -> list[float]:
    """The gold mark of a row: x, y, width, height."""
    return [-4, _row(t) - 42, 348, 84]


def _compact_row(scene: Scene, chain: Chain, t: int) -> None:
    y, edge, half = _row(t), COMPACT_LOSS - 52, stadium_half_width(12, chain.state_width, 60)
    forward_wire(scene, [(COMPACT_STATE + half, y - 12), (edge - BORDER, y - 12)], "output", t)
    middle = (COMPACT_STATE + edge + 28) / 2
    pill(scene, middle, y - 12, "V", chain.weight("V"))
    backward_wire(scene, [(edge, y + 12), (COMPACT_STATE + half + BORDER, y + 12)], f"loss-{t}")
    backward_number(scene, binding("dh_out", t), (middle, y + 33), f"loss-{t}", "middle")
    scene.add("node", chain.state(t, COMPACT_STATE, y, height=60).element(), _tall_loss(chain, t, y))


def _tall_loss(chain: Chain, t: int, y: float) -> Element:
    """Loss, output and target in one box."""
    letter, sup = chain.target_letter
    goal, output = binding("target", t), binding("y", t, chain.output_unit)
    rows = [
        (symbol("L", t, size=15), binding("L", t), ""),
        (symbol(chain.letters.output, t, size=15), output, "r-output rt"),
        *([(symbol(letter, t, size=15, sup=sup), goal, "")] if chain.characters is None else []),
    ]
    children, name = [*box(COMPACT_LOSS, y, 104, 62, 8)], []
    for row, (letters, bound, style) in enumerate(rows):
        at = y - 13 + 18 * row + (0 if len(rows) == 3 else 9)
        children.append(text(COMPACT_LOSS - 41, at, letters, style=style))
        children.append(text(COMPACT_LOSS + 42, at, value(bound, small=(7, 11.8)), "end", "ink2" if row else ""))
        name += [*letters, *words(" "), *value(bound), *words(", " if row == len(rows) - 1 else " ")]
    name += at_step("loss and output", t)
    return node(f"L{t}", "k-loss", (COMPACT_LOSS, y), children, name=name, select=binding("L", t))


def _compact_recurrence(scene: Scene, chain: Chain, t: int, gated: bool) -> None:
    edge, y = stadium_half_height(14, chain.state_width, 60), _row(t)
    top = 38 if t == 1 else _row(t - 1) + edge
    forward_wire(scene, [(COMPACT_STATE - 14, top), (COMPACT_STATE - 14, y - edge - BORDER)], "hidden", t)
    if not gated:
        pill(scene, COMPACT_STATE - 14, (top + y - 30) / 2 - 4, "W", chain.weight("W"))
    if t > 1:
        lane = COMPACT_STATE + 14
        backward_wire(scene, [(lane, y - edge), (lane, top + BORDER)], f"lane-{t}")
        factor_number(scene, t, (lane + 12, (top + y - 30) / 2 + 4), "start")
