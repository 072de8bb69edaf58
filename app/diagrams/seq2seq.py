"""An encoder that reads a source, and a decoder that writes a target, with attention or through the bottleneck."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .geometry import Point
from .parts import BORDER, wire
from .scene import Element, Run, Scene, binding, rel, shape, symbol, text, value, words
from .seq2seq_layout import Layout
from .seq2seq_nodes import node, ring
from .seq2seq_over import draw_attention, draw_bottleneck, draw_context

NOW = rel(0)


@lru_cache(maxsize=64)  # typed texts come back to the same few lengths; a scene is read, never changed
def seq2seq_scene(T: int, U: int, n: int, attends: bool, variant: str) -> dict[str, Any]:
    """The scene of T characters read and U tokens written by cells of n units."""
    layout = Layout(T, U, variant == "wide")
    scene = Scene("seq2seq", variant, layout.width, layout.height, _label(T, U, attends))
    _band(scene, layout)
    _source(scene, layout, n)
    _target(scene, layout, n)
    if attends:
        draw_attention(scene, layout)
        draw_context(scene, layout, n)
    else:
        draw_bottleneck(scene, layout, n)
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
        bound = binding("source", j, 0)
        _outside(scene, x, layout.source + 46, layout.source_width, bound, "input")
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
    rx = 4 if role == "input" else 9
    box = shape("rect", style="shape", x=x - width / 2, y=y, width=width, height=34, rx=rx)
    kind = "source character" if role == "input" else "output of step"
    runs: list[Run] = [{"char": bound, "class": "num", "size": size}]
    named = [*words(f"{kind} {place}: "), {"char": bound}]
    if role == "output":
        named += [*words(", probability "), *value(binding("p", place, 0))]
    inside = [text(x, y + 17 + 0.35 * size, runs, "middle", "t")] if roomy(width) else []
    children = [box, *inside, ring(x - width / 2, y, width, 34)]
    return node(name, f"r-{role} k-{role}", x, y + 17, children, named, bound)


def roomy(width: float) -> bool:
    """Whether a character fits into its box; beside narrower ones it stands outside."""
    return width >= 17


def _outside(scene: Scene, x: float, y: float, width: float, bound: dict[str, Any], role: str) -> None:
    if not roomy(width):
        run: Run = {"char": bound, "class": "num", "size": 12}
        scene.add("label", text(x, y, [run], "middle", f"rt r-{role}"))


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
        ring(x - width / 2, y, width, height),
    ]  # fmt: skip
    if labelled:
        runs = symbol(bound["symbol"], bound["t"], size=13)
        children.insert(1, text(x, y + 16, runs, "middle", "t"))
    return node(name, "r-hidden k-state", x, y + height / 2, children, named, {**bound, "unit": 0})


# --- the decoder -----------------------------------------------------------------------------


def _target(scene: Scene, layout: Layout, n: int) -> None:
    width, y = layout.target_width, layout.decoder
    named = words("s0, the encoder's last state, handed over")
    start = _state("s0", layout.target_x(0), y, width, layout, binding("s", 0), n, named)
    scene.add("node", start | {"class": "node r-hidden k-state ghost"})
    for t in range(1, layout.U + 1):
        x = layout.target_x(t)
        _chain(scene, layout.target_x(t - 1), x, width, y, layout)
        wire(scene, [(x, y), (x, layout.output + layout.output_height + BORDER)], "output")
        named = [*words(f"s{t}, decoder state at step {t}, norm "), *value(binding("s_norm", t, 0))]
        scene.add("node", _state(f"s{t}", x, y, width, layout, binding("s", t), n, named))
        scene.add("node", _character(f"y{t}", x, layout.output, layout, binding("output", t, 0), "output", t))
        _outside(scene, x, layout.output - 6, width, binding("output", t, 0), "output")
        raised = 8 if roomy(width) else 22
        share: Run = {"share": binding("p", t, 0), "class": "num", "size": 12}
        label = text(x, layout.output - raised, [share], "middle", "ink2")
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
    pill = start + 12
    foot: Point = (x - layout.target_width / 2 + 7, layout.decoder + BORDER)
    points: list[Point] = [(between, start + 30), (between, layout.decoder - 10), (foot[0], layout.decoder - 10), foot]
    if t > 1:
        points = [(layout.target_x(t - 1) + layout.target_width / 2, start), (between, start), *points[1:]]
    wire(scene, points, "output", radius=6)
    runs: list[Run] = [{"char": binding("read", t, 0), "class": "num", "size": 12}]
    scene.add("pill", {"kind": "differs", "x": between - 9, "y": pill, "width": 18, "height": 18, "t": t})
    scene.add("pill", text(between, pill + 13.4, runs, "middle", "pill s2s-read"))


def _row_names(scene: Scene, layout: Layout, attends: bool) -> None:
    rows = [("output", layout.output + 22), ("decoder", layout.decoder + 48), ("encoder", layout.encoder + 48),
            ("source", layout.source + 22)]  # fmt: skip
    if attends and layout.numbered:
        rows += [("score", layout.attention + 20), ("weight", layout.attention + 49)]
    for name, y in rows:
        scene.add("label", text(0, y, words(name, 12.5), "start", "ink2"))
