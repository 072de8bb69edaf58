"""Parts that all diagrams share: wires, weights, and nodes with their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .geometry import BEND, Point, along, chevron, offset, orthogonal, triangle
from .scene import Element, Run, Scene, binding, shape, spoken, text, value, words

# Half of a node's border: a head's tip stops there, so that it touches the line and not the fill.
BORDER = 0.9

Box = tuple[float, float, float, float]

# A strip needs cells of about 3 px to be read; above that many units the bar of the cursor's unit is shown.
MOST_CELLS = 16


# Radius of a pointwise product or sum; width of the line that carries a cell's state.
OPERATOR = 15
STATE_LINE = 3.0

# The two strands of a trunk run 5 px apart; where they turn together, the outer one takes the larger bend.
STRAND, INNER_BEND, OUTER_BEND = 2.5, 11.5, 16.5
#: What each strand of a trunk carries: h of the step before, x of this one.
CARRIED = {"hidden": ("h", -1), "input": ("x", 0)}

_RADIUS = {"input": 4, "output": 12, "loss": 8}


def fits_strip(units: int) -> bool:
    """Whether several units are drawn as a strip of cells."""
    return 1 < units <= MOST_CELLS


def wire(
    scene: Scene,
    points: list[Point],
    role: str = "",
    *,
    weight: str | None = None,
    width: float | None = None,
    radius: float = BEND,
) -> None:
    """A forward wire. With a weight it has a halo and a second, larger head, shown while that weight is highlighted."""
    points = [along(points[1], points[0], 1.2), *points[1:]]
    style = " ".join(
        part for part in ("wire fwd", role and f"r-{role}", weight and f"weight-{weight}", width and "state") if part
    )
    length, half = (8 + width, 3 + 0.8 * width) if width else (9, 4)
    body = [*points[:-1], along(points[-2], points[-1], 1 - length)]
    scene.add("wire", shape("path", style=style, d=orthogonal(body, radius)))
    head = f"{style} tri"
    if weight or scene.carried:
        halo = f"halo r-{role} weight-{weight}" if weight else f"halo r-{role}"
        scene.add("halo", shape("path", style=halo, d=orthogonal(points, radius)))
    if weight:
        scene.add("head", shape("path", style=f"{head} head-on", d=triangle(points[-2], points[-1], 12, 6)))
        head += " head-rest"
    scene.add("head", shape("path", style=head, d=triangle(points[-2], points[-1], length, half)))


def gradient_wire(scene: Scene, points: list[Point], radius: float = BEND) -> None:
    """A backward wire: dashed, with an open head."""
    points = [along(points[1], points[0], 1.2), *points[1:]]
    body = [*points[:-1], along(points[-2], points[-1], -0.8)]
    scene.add("wire", shape("path", style="wire bwd backward", d=orthogonal(body, radius)))
    scene.add("head", shape("path", style="wire bwd backward chev", d=chevron(points[-2], points[-1])))


def strand(scene: Scene, points: list[Point], role: str, radius: float) -> None:
    """One of the two strands of a trunk; their head is drawn once for both."""
    scene.add("wire", shape("path", style=f"wire fwd strand r-{role}", d=orthogonal(points, radius)))


def cut_strand(path: list[Point], turns: dict[str, float], last: str, axis: int) -> list[tuple[str, list[Point]]]:
    """A strand of the trunk in pieces from gate to gate, each with the layers that lie behind it.

    Its run before the last bend goes across (axis 0) or down (1). What is lit of it ends at the layer that takes it.
    """
    *start, corner, end = path
    pieces, points, behind = [], start, "".join(turns) + last
    for gate, at in turns.items():
        stop = (at, corner[1]) if axis == 0 else (corner[0], at)
        pieces.append((behind, [*points, stop]))
        points, behind = [stop], behind.replace(gate, "")
    return [*pieces, (behind, [*points, corner, end])]


def trunk_head(scene: Scene, start: Point, tip: Point) -> None:
    """The neutral head in which two strands end."""
    scene.add("head", shape("path", style="wire fwd tri ink", d=triangle(start, tip, 10, 6.5)))


def branch_strands(scene: Scene, gate: str, start: Point, tip: Point, roles: tuple[str, str]) -> None:
    """Both strands turn off the trunk into a gate, under one head."""
    stop = tip[0] - 9 if start[1] == tip[1] else tip[0], tip[1] + 9 if start[0] == tip[0] else tip[1]
    for role, side in zip(roles, (STRAND, -STRAND), strict=True):
        with scene.carrying(*CARRIED[role], gate):
            strand(scene, offset([start, stop], side), role, INNER_BEND)
    with scene.carrying(None, into=gate):
        trunk_head(scene, start, tip)
        branch(scene, *start, radius=6)


def branch(scene: Scene, x: float, y: float, role: str = "ink", radius: float = 4) -> None:
    """Dot where a wire divides."""
    style = "dot ink" if role == "ink" else f"dot r-{role}"
    scene.add("dot", shape("circle", style=style, cx=x, cy=y, r=radius))


def pill(scene: Scene, x: float, y: float, weight: str, letters: tuple[str, str | None]) -> None:
    """A weight on its wire: the letter that the notation gives it, with a subscript or without."""
    letter, sub = letters
    width = 24 if not sub else 26 + 4 * len(sub)
    runs: list[Run] = [{"text": letter, "class": "sym b", "size": 14}]
    if sub:
        runs.append({"text": sub, "class": "sym sub", "size": 10, "shift": 2.5})
    style = f"pill w-{weight} weight-{weight}"
    scene.add("pill", shape("rect", style=style, x=x - width / 2, y=y - 10, width=width, height=20, rx=10))
    scene.add("pill", text(x, y + 4.8, runs, "middle", style))


def delay(scene: Scene, x: float, y: float, size: float = 18) -> None:
    """The one-step delay on a loop."""
    scene.add("pill", shape("rect", style="delay", x=x - size / 2, y=y - size / 2, width=size, height=size, rx=1.5))


def box(x: float, y: float, width: float, height: float, radius: float) -> list[Element]:
    """Focus ring, 5 px outside, and outline of a node."""
    left, top = x - width / 2, y - height / 2
    return [
        shape("rect", style="ring", x=left - 5, y=top - 5, width=width + 10, height=height + 10, rx=radius + 5),
        shape("rect", style="shape", x=left, y=top, width=width, height=height, rx=radius),
    ]


def inner_line(x: float, y: float, width: float, height: float, radius: float) -> Element:
    """Second line of an output."""
    return shape(
        "rect",
        style="inner",
        x=x - width / 2 + 3.5,
        y=y - height / 2 + 3.5,
        width=width - 7,
        height=height - 7,
        rx=radius - 3,
    )


def strip(place: Box, source: dict[str, Any], count: int, *, across: bool = False, frame: bool = True) -> Element:
    """A vector as a row or column of cells, the first unit at the start; `place` is x, y, width, height."""
    x, y, width, height = place
    return {
        "kind": "strip", "x": x, "y": y, "width": width, "height": height, "across": across,
        "symbol": source["symbol"], "t": source["t"], "count": count, "frame": frame,
    }  # fmt: skip


def node(
    node_id: str,
    style: str,
    centre: Point,
    children: list[Element],
    *,
    name: list[Run],
    select: dict[str, Any],
) -> Element:
    """Something to select. Its accessible name starts with the text that it shows."""
    return {
        "kind": "node", "id": node_id, "class": f"node {style}", "x": centre[0], "y": centre[1], "children": children,
        "name": spoken(name), "select": select,
    }  # fmt: skip


@dataclass(frozen=True)
class ValueNode:
    """A number in a box: symbol, value, and a bar, or a strip of all units when there are several."""

    id: str
    x: float
    y: float
    role: str
    symbol: list[Run]
    value: dict[str, Any]
    description: list[Run]
    kind: str = "state"
    width: float = 80
    height: float = 64
    ghost: bool = False
    units: int = 1
    glyphs: list[Run] | None = None

    def element(self) -> Element:
        """The node, ready for the layer `node`."""
        radius = _RADIUS.get(self.kind, self.height / 2)
        children = box(self.x, self.y, self.width, self.height, radius)
        if self.kind == "output":
            children.append(inner_line(self.x, self.y, self.width, self.height, radius))
        children += self._content()
        style = f"r-{self.role} k-{self.kind}{' ghost' if self.ghost else ''}"
        name = [*self.symbol, *words(" "), *self._shown(), *words(", "), *self.description, *self._which_unit()]
        return node(self.id, style, (self.x, self.y), children, name=name, select=self.value)

    def _shown(self) -> list[Run]:
        return self.glyphs or value(self.value)

    def _which_unit(self) -> list[Run]:
        follows = self.units > 1 and self.value["unit"] is None and not self.glyphs
        return [*words(", unit "), {"unit": True}, *words(f" of {self.units}")] if follows else []

    def _content(self) -> list[Element]:
        if self.glyphs and self.height < 44:
            runs = [*self.symbol, *words("  "), *(run | {"size": 15} for run in self.glyphs)]
            return [text(self.x, self.y + 4.5, runs, "middle")]
        if self.glyphs:
            return self._lines(self.x, -8, 15, [run | {"size": 15} for run in self.glyphs])
        if self.height < 44:
            runs = [*self.symbol, *words("  "), *value(self.value, small=(7, 12))]
            return [text(self.x, self.y + 4.5, runs, "middle")]
        if fits_strip(self.units) and self.width >= 80:
            return self._with_strip()
        small = (6, 12) if self.width <= 64 else None  # a column of many
        half = min(20, self.width / 2 - 8)
        bar = {"kind": "bar", "cx": self.x, "y": self.y + 20, "half": half, "value": self.value}
        return [*self._lines(self.x, -11, 9, value(self.value, small=small)), bar]

    def _lines(self, x: float, upper: float, lower: float, number: list[Run]) -> list[Element]:
        """Symbol over number."""
        return [text(x, self.y + upper, self.symbol, "middle", "t"), text(x, self.y + lower, number, "middle")]

    def _with_strip(self) -> list[Element]:
        left, indent = self.x - self.width / 2, max(9, min(14, (self.width - 66) / 2))
        cells = strip(
            (left + indent, self.y - 21.5, 13, 43), binding(self.value["symbol"], self.value["t"]), self.units
        )
        centre = (left + indent + 17 + self.x + self.width / 2 - 5) / 2
        return [cells, *self._lines(centre, -5, 14, value(self.value, small=(6, 12)))]


def operator(node_id: str, centre: Point, kind: str, name: list[Run], select: dict[str, Any]) -> Element:
    """Pointwise product or sum: a neutral circle."""
    x, y = centre
    children = [shape("circle", style="ring", cx=x, cy=y, r=20), *operator_shapes(x, y, kind, OPERATOR)]
    return node(node_id, "k-op", centre, children, name=name, select=select)


def operator_shapes(x: float, y: float, kind: str, radius: float) -> list[Element]:
    """Circle and sign of a product or sum."""
    arm = radius * 0.48 * (0.78 if kind == "mul" else 1)
    cross = f"M{x - arm:.2f} {y - arm:.2f}l{2 * arm:.2f} {2 * arm:.2f}m0 {-2 * arm:.2f}l{-2 * arm:.2f} {2 * arm:.2f}"
    plus = f"M{x - arm:.2f} {y}h{2 * arm:.2f}M{x} {y - arm:.2f}v{2 * arm:.2f}"
    return [
        shape("circle", style="shape", cx=x, cy=y, r=radius),
        shape("path", style="glyph", d=cross if kind == "mul" else plus),
    ]


def function(
    node_id: str, centre: Point, height: float, label: str, *, name: list[Run], select: dict[str, Any]
) -> Element:
    """Pointwise function: a neutral pill."""
    x, y = centre
    children = [*box(x, y, 60, height, height / 2), text(x, y + 4.5, words(label), "middle")]
    return node(node_id, "k-op", centre, children, name=[*words(f"{label}: "), *name], select=select)
