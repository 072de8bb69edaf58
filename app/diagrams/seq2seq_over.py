"""What goes over from the encoder to the decoder: attention and its context, or the last state alone."""

from __future__ import annotations

from typing import Any

from .geometry import Point, orthogonal, triangle
from .parts import BORDER, branch, wire
from .scene import Element, Run, Scene, binding, rel, shape, symbol, text, value, words
from .seq2seq_layout import Layout
from .seq2seq_nodes import node, ring

NOW = rel(0)
CONTEXT_WIDTH = {True: 300.0, False: 220.0}


def draw_attention(scene: Scene, layout: Layout) -> None:
    top, height = layout.attention, layout.attention_height
    left = layout.source_x(1) - layout.source_pitch / 2
    width = layout.T * layout.source_pitch
    box = shape("rect", style="cellbox", x=left - 4, y=top, width=width + 8, height=height, rx=10)
    scene.add("back", box)
    cell_top = top + (30 if layout.numbered else 8)
    for j in range(1, layout.T + 1):
        x, cell = layout.source_x(j), layout.source_pitch - (2 if layout.numbered else 1.5)
        bound = binding("alpha", NOW, j - 1)
        place = {"x": round(x, 2), "y": layout.encoder, "to": top + height, "bound": bound}
        scene.add("wire", {"kind": "attend", **place})
        scene.add("node", _weight(j, x, cell_top, cell, height - (cell_top - top) - 8, layout, bound))
        if layout.numbered:
            digits = 3 if layout.source_pitch >= 46 else 2
            runs: list[Run] = [{**value(binding("e", NOW, j - 1), 12)[0], "digits": digits}]
            scene.add("label", text(x, top + 20, runs, "middle", "ink2"))
    places = {
        j - 1: [round(layout.source_x(j) - layout.source_pitch / 2 + 1, 2), cell_top - 1,
                round(layout.source_pitch - 2, 2), height - (cell_top - top) - 6]
        for j in range(1, layout.T + 1)
    }  # fmt: skip
    scene.add("label", {"kind": "mark", "places": places, "rx": 4, "class": "s2s-chosen"})


def _weight(j: int, x: float, y: float, width: float, height: float, layout: Layout, bound: dict[str, Any]) -> Element:
    children: list[Element] = [
        shape("rect", style="shape", x=x - width / 2, y=y, width=width, height=height, rx=3 if width > 14 else 1)
    ]
    if layout.numbered:
        run: Run = {"share": bound, "class": "num", "size": 12, "tight": width < 36}
        children.append(text(x, y + height / 2 + 4.2, [run], "middle", "long" if width < 36 else ""))
    children += [{"kind": "shade", "bound": bound}, ring(x - width / 2, y, width, height)]
    named = [*words(f"weight on character {j}: "), *value(bound), *words(", score "), *value(binding("e", NOW, j - 1))]
    return node(f"w{j}", "k-mcell", x, y, children, named, bound)


def draw_context(scene: Scene, layout: Layout, n: int) -> None:
    """The weighted sum, one box for all steps: its wire leads to the step that is shown."""
    middle, top = _vector_box(scene, layout, "c", layout.context, n, "context: sum of α h")
    wire(scene, [(middle, layout.attention), (middle, layout.context + 40 + BORDER)])
    branch(scene, middle, layout.attention, radius=3)
    for t in range(1, layout.U + 1):
        up: list[Point] = [(middle, top), (middle, top - 12), (layout.target_x(t), top - 12)]
        _only(scene, [*up, (layout.target_x(t), layout.below_decoder + BORDER)], "", t)
        _ask(scene, _query(layout, t), t)


def _ask(scene: Scene, points: list[Point], t: int) -> None:
    """The dotted way of the query, into the attention as a whole: it ends at no node."""
    style = "s2s-query s2s-only r-hidden"
    scene.add("wire", shape("path", style=style, d=orthogonal(points, 8)) | {"lit": [t]})
    tip = triangle(points[-2], points[-1], 10, 5)
    scene.add("head", shape("path", style=f"{style} tip", d=tip) | {"lit": [t]})


def _query(layout: Layout, t: int) -> list[Point]:
    """From the state before down a lane at the left, into the side of the attention, or into its top."""
    before, turn = layout.target_x(t - 1), layout.below_decoder + 11
    lane = layout.left - 20 if layout.wide else 8.0
    edge = layout.source_x(1) - layout.source_pitch / 2 - 4
    start: list[Point] = [(before, layout.below_decoder), (before, turn), (lane, turn)]
    if edge < lane + 10:
        return [*start, (lane, layout.attention)]
    middle = layout.attention + layout.attention_height / 2 - 6
    return [*start, (lane, middle), (edge - BORDER, middle)]


def _only(scene: Scene, points: list[Point], role: str, t: int, style: str = "") -> None:
    """A wire that is there at step t alone."""
    before = {layer: len(items) for layer, items in scene.layers.items()}
    wire(scene, distinct(points), role, radius=8)
    for layer, items in scene.layers.items():
        for element in items[before[layer] :]:
            element["lit"] = [t]
            element["attrs"]["class"] += f" s2s-only {style}".rstrip()


def distinct(points: list[Point]) -> list[Point]:
    """A way without the corners at which it goes straight on."""
    return [point for i, point in enumerate(points) if not i or abs(point[0] - points[i - 1][0]) > 0.5
            or abs(point[1] - points[i - 1][1]) > 0.5]  # fmt: skip


def _vector_box(scene: Scene, layout: Layout, letter: str, y: float, n: int, said: str) -> Point:
    """A vector lying on its side in the middle; returns the middle of its top."""
    width, x = CONTEXT_WIDTH[layout.wide], layout.left + (layout.width - layout.left) / 2
    bound = binding(letter, NOW)
    children = [
        shape("rect", style="shape", x=x - width / 2, y=y, width=width, height=40, rx=20),
        text(x - width / 2 + 16, y + 25, symbol(letter, NOW, size=15), "start", "t"),
        {"kind": "units", "x": x - width / 2 + 44, "y": y + 13, "width": width - 64, "height": 14,
         "symbol": letter, "t": NOW, "count": n, "across": True},
        ring(x - width / 2, y, width, 40),
    ]  # fmt: skip
    named = [*words(f"{letter}, {said}, norm "), *value(binding(f"{letter}_norm", NOW, 0))]
    scene.add("node", node(letter, "k-state s2s-context", x, y + 20, children, named, {**bound, "unit": 0}))
    return x, y


def draw_bottleneck(scene: Scene, layout: Layout, n: int) -> None:
    """Without attention the last encoder state is all that goes over."""
    width, x = CONTEXT_WIDTH[layout.wide], layout.left + (layout.width - layout.left) / 2
    y = (layout.context + layout.attention) / 2 + 14
    last, first = layout.source_x(layout.T), layout.target_x(0)
    turn = layout.encoder - 22
    way: list[Point] = [(last, layout.encoder), (last, turn), (x, turn), (x, y + 40 + BORDER)]
    wire(scene, distinct(way), "hidden", width=3)
    up = layout.below_decoder + 24
    wire(scene, distinct([(x, y), (x, up), (first, up), (first, layout.below_decoder + BORDER)]), "hidden", width=3)
    children = [
        shape("rect", style="shape", x=x - width / 2, y=y, width=width, height=40, rx=20),
        text(x - width / 2 + 16, y + 25, symbol("h", layout.T, size=15), "start", "t"),
        {"kind": "units", "x": x - width / 2 + 50, "y": y + 13, "width": width - 70, "height": 14,
         "symbol": "h", "t": layout.T, "count": n, "across": True},
        ring(x - width / 2, y, width, 40),
    ]  # fmt: skip
    named = words(f"h{layout.T}, the bottleneck: all that the decoder gets of the source")
    bound = binding("h", layout.T, 0)
    scene.add("node", node("bottleneck", "r-hidden k-state", x, y + 20, children, named, bound))
    note = words(f"{n} numbers: all that the decoder gets", 12)
    scene.add("label", text(x + width / 2 + 12, y + 25, note, "start", "ink2") if layout.wide
              else text(x + 8, y + 58, words("all that goes over", 12), "start", "ink2"))  # fmt: skip
