"""Parts of the loom: where its columns stand, its wires back and forth, and nodes small enough for twelve steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rnnscope.core.notation import Notation, find_notation

from .chain_nodes import Chain, at_step, node_id
from .geometry import Point, chevron, polyline, triangle
from .parts import ValueNode, box, inner_line, node
from .scene import Element, Run, Scene, binding, shape, symbol, text, value, words

WIDTH, COMPACT_WIDTH = 1040, 340
#: Rows of the graph from its top: loss, output, state, input; its height.
LOSS, OUTPUT, STATE, INPUT, HEIGHT = 28, 109, 207, 295, 330
#: Numbers fit up to this many steps.
MOST_NUMBERED = 12
#: A column of this pitch holds full nodes, weights and the gradients beside the wires.
ROOMY = 124
#: Rows of the graph where its nodes are marks.
DENSE_LOSS, DENSE_STATE, DENSE_INPUT, DENSE_HEIGHT = 20, 66, 106, 124
#: The compact graph, where time runs down.
COMPACT_STATE, COMPACT_LOSS, FIRST_ROW, ROW_PITCH = 64, 286, 110, 102


@dataclass(frozen=True)
class Columns:
    """Where the steps stand in the wide loom."""

    steps: int

    @property
    def dense(self) -> bool:
        return self.steps > MOST_NUMBERED

    @property
    def first(self) -> float:
        return 76 if self.dense else 192 if self.steps <= 6 else 150

    @property
    def pitch(self) -> float:
        if self.steps <= 6:
            return 148
        return (WIDTH - (16 if self.dense else 48) - self.first) / (self.steps - 1)

    @property
    def roomy(self) -> bool:
        return self.pitch >= ROOMY

    def x(self, t: int) -> float:
        return self.first + self.pitch * (t - 1)


@dataclass(frozen=True)
class GatedChain(Chain):
    """The same for an LSTM or a GRU: the letters of a gated cell, whose recurrent weight is no single matrix."""

    @property
    def letters(self) -> Notation:
        return find_notation(self.notation, gated=True)


def chain_words(chain: Chain, way: str) -> list[Run]:
    steps = "step" if chain.T == 1 else "steps"
    return words(
        f"Unfolded graph over {chain.T} time {steps} with the losses as sources of the gradient. Time runs {way}."
    )


# --- wires -----------------------------------------------------------------------------------


def forward_wire(scene: Scene, points: list[Point], role: str, step: int) -> None:
    """A forward wire into what is computed at `step`."""
    style = f"wire fwd r-{role} step-{step}" if role else f"wire fwd step-{step}"
    scene.add("wire", shape("path", style=style, d=polyline(points)))
    scene.add("head", shape("path", style=f"{style} tri", d=triangle(points[-2], points[-1], 8, 3.5)))


def backward_wire(scene: Scene, points: list[Point], name: str, head: bool = True) -> None:
    """A way back, lit together with all else of the same name."""
    scene.add("halo", shape("path", style=f"loom-halo {name}", d=polyline(points)))
    scene.add("wire", shape("path", style=f"wire bwd {name}", d=polyline(points)))
    if head:
        scene.add("head", shape("path", style=f"wire bwd chev {name}", d=chevron(points[-2], points[-1])))


def backward_number(scene: Scene, bound: dict[str, Any], at: Point, name: str, anchor: str = "start") -> None:
    scene.add("label", text(*at, value(bound, 12.5), anchor, f"loom-number {name}"))


def factor_number(scene: Scene, i: int, at: Point, anchor: str) -> None:
    """The place of a factor: which one it is follows the selected loss, so the page fills it in."""
    runs: list[Run] = [*words("×\N{THIN SPACE}", 12.5), {"text": "", "class": "num", "size": 12.5}]
    scene.add("label", text(*at, runs, anchor, f"loom-number factor lane-{i}"))


def output_node(chain: Chain, t: int, x: float, width: float, roomy: bool) -> Element:
    made = chain.output(t, x, OUTPUT, width)
    return two_lines(made, 52, 13 if roomy else 12)


def small_state(t: int, x: float, width: float) -> Element:
    made = ValueNode("", x, STATE, "hidden", symbol("h", t), binding("h", t), at_step("hidden state", t), width=width)
    return two_lines(made, 56, 12, f"h{t}")


def two_lines(made: ValueNode, height: float, size: float, name: str = "") -> Element:
    """Symbol over number, without a bar: there is no room for one."""
    radius = 12 if made.kind == "output" else height / 2
    children = [
        *box(made.x, made.y, made.width, height, radius),
        *([inner_line(made.x, made.y, made.width, height, radius)] if made.kind == "output" else []),
        text(made.x, made.y - 5, made.symbol, "middle", "t"),
        text(made.x, made.y + 14, value(made.value, size, small=(7, 12)), "middle"),
    ]
    label = [*made.symbol, *words(" "), *value(made.value), *words(", "), *made.description]
    style = f"r-{made.role} k-{made.kind}{' ghost' if made.ghost else ''}"
    return node(name or made.id, style, (made.x, made.y), children, name=label, select=made.value)


def small_loss(t: int, x: float, width: float) -> Element:
    bound = binding("L", t)
    children = [
        *box(x, LOSS, width, 48, 8),
        text(x, LOSS - 5, symbol("L", t, size=15), "middle"),
        text(x, LOSS + 14, value(bound, 12, small=(7, 12)), "middle"),
    ]
    name = [*symbol("L", t), *words(" "), *value(bound), *words(", "), *at_step("loss", t)]
    return node(node_id("L", t), "k-loss", (x, LOSS), children, name=name, select=bound)


def input_node(chain: Chain, t: int, x: float, width: float) -> Element:
    """One number or character; of several numbers their count."""
    if chain.d == 1 or chain.characters is not None:
        made = chain.input(t, x, INPUT, width)
        return one_line(made, width) if isinstance(made, ValueNode) else made
    children = [*box(x, INPUT, width, 36, 4), text(x, INPUT + 4.5, [*symbol("x", t)], "middle", "t")]
    name = [*symbol("x", t), *words(f", {chain.d} numbers, "), *at_step("input", t)]
    return node(node_id("x", t), "r-input k-input", (x, INPUT), children, name=name, select=binding("x", t, 0))


def one_line(made: ValueNode, width: float) -> Element:
    """Symbol and number side by side, the number alone where the box is narrow."""
    shown = made.glyphs or value(made.value, 12 if width < 96 else 13, small=(7, 12))
    runs = [*made.symbol, *words(" "), *shown] if width >= 90 or made.glyphs else shown
    children = [*box(made.x, made.y, width, 36, 4), text(made.x, made.y + 4.5, runs, "middle", "t")]
    name = [*made.symbol, *words(" "), *(made.glyphs or value(made.value)), *words(", "), *made.description]
    return node(made.id, "r-input k-input", (made.x, made.y), children, name=name, select=made.value)
