"""An encoder that reads a source, and a decoder that writes a target, with attention or through the bottleneck."""

from __future__ import annotations

from typing import Any

from .geometry import Point
from .parts import BORDER, wire
from .scene import Element, Run, Scene, binding, rel, shape, spoken, symbol, text, value, words
from .seq2seq_layout import Layout

NOW = rel(0)
CONTEXT_WIDTH = {True: 300.0, False: 220.0}


def seq2seq_scene(T: int, U: int, n: int, attends: bool, variant: str) -> dict[str, Any]:
    """The scene of T characters read and U tokens written by cells of n units."""
    layout = Layout(T, U, variant == "wide")
    scene = Scene("seq2seq", variant, layout.width, layout.height, _label(T, U, attends))
    _band(scene, layout)
    _source(scene, layout, n)
    _target(scene, layout, n)
    if attends:
        _attention(scene, layout)
        _context(scene, layout, n)
    else:
        _bottleneck(scene, layout, n)
    if layout.wide:
        _row_names(scene, layout, attends)
    return scene.to_dict()


def _label(T: int, U: int, attends: bool) -> list[Run]:
    how = "with attention" if attends else "through the last encoder state"
    return [*words(f"Encoder of {T} characters and decoder of {U} steps, {how}; step "), {"step": NOW}]


def _band(scene: Scene, layout: Layout) -> None:
    """The gold mark behind the column of the step."""
    half = layout.target_pitch / 2
    height = layout.below_decoder - 4
    places = {t: [layout.target_x(t) - half, 10, 2 * half, height] for t in range(1, layout.U + 1)}
    scene.add("band", {"kind": "band", "places": places, "rx": 10})


# --- the encoder -----------------------------------------------------------------------------


def _source(scene: Scene, layout: Layout, n: int) -> None:
    for j in range(1, layout.T + 1):
        x, top = layout.source_x(j), layout.encoder + layout.state_height
        wire(scene, [(x, layout.source), (x, top + BORDER)], "input")
        if j > 1:
            _chain(scene, layout.source_x(j - 1), x, layout.source_width, layout.encoder, layout)
        scene.add("node", _character(f"x{j}", x, layout.source, layout, binding("source", j, 0), "input", j))
        named = [*words(f"h{j}, encoder state after character {j}, norm "), *value(binding("h_norm", j, 0))]
        scene.add("node", _state(f"h{j}", x, layout.encoder, layout.source_width, layout, binding("h", j), n, named))
    places = {j - 1: _around(layout, j) for j in range(1, layout.T + 1)}
    scene.add("label", {"kind": "mark", "places": places, "rx": 7, "class": "s2s-chosen"})


def _around(layout: Layout, j: int) -> list[float]:
    """A frame around the selected character."""
    width = layout.source_width + 4
    return [round(layout.source_x(j) - width / 2, 2), layout.source - 2, round(width, 2), 38]


def _chain(scene: Scene, before: float, x: float, width: float, top: float, layout: Layout) -> None:
    """From one state to the next; where they nearly touch, a line says enough."""
    y = top + layout.state_height / 2
    start, end = before + width / 2, x - width / 2 - BORDER
    if end - start >= 12:
        wire(scene, [(start, y), (end, y)], "hidden")
    else:
        scene.add("wire", shape("path", style="wire fwd r-hidden", d=f"M{start:.2f} {y}H{end:.2f}"))


def _character(
    name: str, x: float, y: float, layout: Layout, bound: dict[str, Any], role: str, place: int, size: float = 16
) -> Element:
    """A box with one character of the run in it."""
    width = layout.source_width if role == "input" else layout.target_width
    size = min(size, width * 0.62 + 3)
    rx = 4 if role == "input" else 9
    box = shape("rect", style="shape", x=x - width / 2, y=y, width=width, height=34, rx=rx)
    kind = "source character" if role == "input" else "output of step"
    runs: list[Run] = [{"char": bound, "class": "num", "size": size}]
    named = [*words(f"{kind} {place}: "), {"char": bound}]
    if role == "output":
        named += [*words(", probability "), *value(binding("p", place, 0))]
    ring = _ring(x - width / 2, y, width, 34)
    children = [box, text(x, y + 17 + 0.35 * size, runs, "middle", "t"), ring]
    return _node(name, f"r-{role} k-{role}", x, y + 17, children, named, bound)


def _state(
    name: str, x: float, y: float, width: float, layout: Layout, bound: dict[str, Any], n: int, named: list[Run]
) -> Element:
    """A state as a column of its units."""
    height = layout.state_height
    strip = min(14.0, width * 0.5)
    labelled = width >= 22
    top = 24 if labelled else 8
    children = [
        shape("rect", style="shape", x=x - width / 2, y=y, width=width, height=height, rx=min(12, width / 2)),
        {"kind": "units", "x": round(x - strip / 2, 2), "y": y + top, "width": round(strip, 2),
         "height": height - top - 8, "symbol": bound["symbol"], "t": bound["t"], "count": n},
        _ring(x - width / 2, y, width, height),
    ]  # fmt: skip
    if labelled:
        runs = symbol(bound["symbol"], bound["t"], size=13)
        children.insert(1, text(x, y + 16, runs, "middle", "t"))
    return _node(name, "r-hidden k-state", x, y + height / 2, children, named, {**bound, "unit": 0})


def _node(
    name: str, style: str, x: float, y: float, children: list[Element], named: list[Run], bound: dict[str, Any]
) -> Element:
    said = [run if "char" in run else spoken([run])[0] for run in named]
    return {
        "kind": "node", "id": name, "class": f"node {style}", "x": round(x, 2), "y": y, "children": children,
        "name": said, "select": bound,
    }  # fmt: skip


def _ring(x: float, y: float, width: float, height: float) -> Element:
    return shape("rect", style="ring", x=x - 3, y=y - 3, width=width + 6, height=height + 6, rx=9)


# --- the decoder -----------------------------------------------------------------------------


def _target(scene: Scene, layout: Layout, n: int) -> None:
    width, y = layout.target_width, layout.decoder
    named = words("s0, the encoder's last state, handed over")
    start = _state("s0", layout.target_x(0), y, width, layout, binding("s", 0), n, named)
    scene.add("node", start | {"class": "node r-hidden k-state ghost"})
    for t in range(1, layout.U + 1):
        x = layout.target_x(t)
        _chain(scene, layout.target_x(t - 1), x, width, y, layout)
        wire(scene, [(x, y), (x, y - 19)], "output")
        named = [*words(f"s{t}, decoder state at step {t}, norm "), *value(binding("s_norm", t, 0))]
        scene.add("node", _state(f"s{t}", x, y, width, layout, binding("s", t), n, named))
        scene.add("node", _character(f"y{t}", x, layout.output, layout, binding("output", t, 0), "output", t))
        if layout.wide or layout.target_pitch >= 26:
            share: Run = {"share": binding("p", t, 0), "class": "num", "size": 12 if layout.wide else 11}
            label = text(x, layout.output + 50, [share], "middle", "ink2")
            crowded = {"class": "ink2 s2s-only", "lit": [t]} if layout.target_pitch < 38 else {}
            scene.add("label", label | crowded)
        _reads(scene, layout, t)


def _reads(scene: Scene, layout: Layout, t: int) -> None:
    """What step t reads: the token of the step before, the model's own or the target's."""
    if layout.target_pitch < 40:
        return
    x, gap = layout.target_x(t), layout.target_pitch - layout.target_width
    between = x - layout.target_width / 2 - gap / 2
    start = layout.output + 17
    pill = start + 12 if layout.target_pitch >= 66 else layout.decoder - 25
    foot: Point = (x - layout.target_width / 2 + 7, layout.decoder + BORDER)
    points: list[Point] = [(between, start + 30), (between, layout.decoder - 10), (foot[0], layout.decoder - 10), foot]
    if t > 1:
        points = [(layout.target_x(t - 1) + layout.target_width / 2, start), (between, start), *points[1:]]
    wire(scene, points, "output", radius=6)
    runs: list[Run] = [{"char": binding("read", t, 0), "class": "num", "size": 12}]
    scene.add("pill", {"kind": "differs", "x": between - 9, "y": pill, "width": 18, "height": 18, "t": t})
    scene.add("pill", text(between, pill + 13.4, runs, "middle", "s2s-read"))


# --- what goes over --------------------------------------------------------------------------


def _attention(scene: Scene, layout: Layout) -> None:
    top, height = layout.attention, layout.attention_height
    left = layout.source_x(1) - layout.source_pitch / 2
    width = layout.T * layout.source_pitch
    box = shape("rect", style="cellbox", x=left - 4, y=top, width=width + 8, height=height, rx=10)
    scene.add("back", box)
    cell_top = top + (30 if layout.numbered else 8)
    for j in range(1, layout.T + 1):
        x, cell = layout.source_x(j), layout.source_pitch - (4 if layout.numbered else 1.5)
        bound = binding("alpha", NOW, j - 1)
        place = {"x": round(x, 2), "y": layout.encoder, "to": top + height, "bound": bound}
        scene.add("wire", {"kind": "attend", **place})
        scene.add("node", _weight(j, x, cell_top, cell, height - (cell_top - top) - 8, layout, bound))
        if layout.numbered:
            digits = 3 if layout.source_pitch >= 44 else 2
            runs: list[Run] = [{**value(binding("e", NOW, j - 1), 11)[0], "digits": digits}]
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
        run: Run = {"share": bound, "class": "num", "size": 12 if width >= 36 else 11}
        children.append(text(x, y + height / 2 + 4.2, [run], "middle"))
    children += [{"kind": "shade", "bound": bound}, _ring(x - width / 2, y, width, height)]
    named = [*words(f"weight on character {j}: "), *value(bound), *words(", score "), *value(binding("e", NOW, j - 1))]
    return _node(f"w{j}", "k-mcell", x, y, children, named, bound)


def _context(scene: Scene, layout: Layout, n: int) -> None:
    """The weighted sum, one box for all steps: its wire leads to the step that is shown."""
    middle, top = _vector_box(scene, layout, "c", layout.context, n, "context: sum of α h")
    wire(scene, [(middle, layout.attention), (middle, layout.context + 40 + BORDER)])
    for t in range(1, layout.U + 1):
        up: list[Point] = [(middle, top), (middle, top - 12), (layout.target_x(t), top - 12)]
        _only(scene, [*up, (layout.target_x(t), layout.below_decoder + BORDER)], "", t)
        _only(scene, _query(layout, t), "hidden", t, "s2s-query")


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
    wire(scene, _distinct(points), role, radius=8)
    for layer, items in scene.layers.items():
        for element in items[before[layer] :]:
            element["lit"] = [t]
            element["attrs"]["class"] += f" s2s-only {style}".rstrip()


def _distinct(points: list[Point]) -> list[Point]:
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
        _ring(x - width / 2, y, width, 40),
    ]  # fmt: skip
    named = [*words(f"{letter}, {said}, norm "), *value(binding(f"{letter}_norm", NOW, 0))]
    scene.add("node", _node(letter, "k-state s2s-context", x, y + 20, children, named, {**bound, "unit": 0}))
    return x, y


def _bottleneck(scene: Scene, layout: Layout, n: int) -> None:
    """Without attention the last encoder state is all that goes over."""
    width, x = CONTEXT_WIDTH[layout.wide], layout.left + (layout.width - layout.left) / 2
    y = (layout.context + layout.attention) / 2 + 14
    last, first = layout.source_x(layout.T), layout.target_x(0)
    turn = layout.encoder - 22
    wire(scene, [(last, layout.encoder), (last, turn), (x, turn), (x, y + 40 + BORDER)], "hidden", width=3)
    up = layout.below_decoder + 24
    wire(scene, [(x, y), (x, up), (first, up), (first, layout.below_decoder + BORDER)], "hidden", width=3)
    children = [
        shape("rect", style="shape", x=x - width / 2, y=y, width=width, height=40, rx=20),
        text(x - width / 2 + 16, y + 25, symbol("h", layout.T, size=15), "start", "t"),
        {"kind": "units", "x": x - width / 2 + 50, "y": y + 13, "width": width - 70, "height": 14,
         "symbol": "h", "t": layout.T, "count": n, "across": True},
        _ring(x - width / 2, y, width, 40),
    ]  # fmt: skip
    named = words(f"h{layout.T}, the bottleneck: all that the decoder gets of the source")
    bound = binding("h", layout.T, 0)
    scene.add("node", _node("bottleneck", "r-hidden k-state", x, y + 20, children, named, bound))
    note = words(f"{n} numbers: all that the decoder gets", 12)
    scene.add("label", text(x + width / 2 + 12, y + 25, note, "start", "ink2") if layout.wide
              else text(x, y + 56, note, "middle", "ink2"))  # fmt: skip


def _row_names(scene: Scene, layout: Layout, attends: bool) -> None:
    rows = [("output", layout.output + 22), ("decoder", layout.decoder + 48), ("encoder", layout.encoder + 48),
            ("source", layout.source + 22)]  # fmt: skip
    if attends and layout.numbered:
        rows += [("score", layout.attention + 20), ("weight", layout.attention + 49)]
    for name, y in rows:
        scene.add("label", text(0, y, words(name, 12.5), "start", "ink2"))
