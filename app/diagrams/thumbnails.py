"""Small still pictures of the labs for the home page, as SVG text. Their curve is computed when they are asked for."""

from __future__ import annotations

import math
from html import escape
from typing import Any

import numpy as np
from rnnscope.core import RNN, bptt, jacobian_log10_norms, recurrent_matrix, unroll

from .gate_node import sigmoid
from .geometry import Point, orthogonal, polyline, stadium_half_width
from .parts import BORDER, branch, delay, operator_shapes, strand, trunk_head, wire
from .scene import MINUS, Element, Run, Scene, shape, symbol, text, words

WIDTH, HEIGHT = 296, 136

# A tanh network at spectral radius 1.2, driven so hard that its Jacobians shrink although rho^k grows.
UNITS, LAGS, RHO, DRIVE, SEED = 8, 40, 1.2, 0.5, 3


def unfold_thumbnail() -> str:
    """A loop with a delay becomes a chain of three copies."""
    scene, y, y_input = _scene("unfold"), 44, 112
    wire(scene, [(34, y_input - 14), (34, y + 20 + BORDER)], "input")
    edge = stadium_half_width(12, 40, 40)
    wire(scene, [(34 + edge, y - 12), (80, y - 12), (80, y + 12), (34 + edge + BORDER, y + 12)], "hidden", radius=8)
    delay(scene, 80, y, 12)
    scene.add(
        "node",
        picture_node(34, y, "hidden", "state", symbol("h", sub="t"), height=40),
        picture_node(34, y_input, "input", "input", symbol("x", sub="t")),
    )
    scene.add("back", shape("path", style="gridl", d="M106 8V128"))
    for t in (1, 2, 3):
        x = 80 + 64 * t
        wire(scene, [(x, y_input - 14), (x, y + 15 + BORDER)], "input")
        if t > 1:
            wire(scene, [(x - 44, y), (x - 20 - BORDER, y)], "hidden", weight="W")
        scene.add(
            "node",
            picture_node(x, y, "hidden", "state", symbol("h", t), height=30),
            picture_node(x, y_input, "input", "input", symbol("x", t)),
        )
    return svg_text(scene, "A loop with a delay becomes a chain of three copies", highlight="W")


def lstm_thumbnail() -> str:
    """The cell state line with a product and a sum, three gates and the candidate."""
    scene = _scene("lstm")
    _cell_wires(scene)
    _cell_trunk(scene)
    for x, y, kind in ((60, 16, "mul"), (148, 16, "add"), (148, 47, "mul"), (266, 47, "mul")):
        scene.add("node", _group("k-op", operator_shapes(x, y, kind, 10)))
    for x, role in ((60, "gate"), (120, "gate"), (176, "candidate"), (232, "gate")):
        scene.add("node", _gate(x, 84, role))
    return svg_text(scene, "The cell state line with a product and a sum, three gates and a candidate")


def _cell_wires(scene: Scene) -> None:
    top, near = 84 - 17, 10 + BORDER
    wire(scene, [(4, 16), (60 - near, 16)], "cell", width=3)
    wire(scene, [(70, 16), (148 - near, 16)], "cell", width=3)
    scene.add("wire", shape("path", style="wire state r-cell", d="M157 16H292"))
    branch(scene, 266, 16, "cell")
    wire(scene, [(60, top), (60, 16 + near)], "gate")
    wire(scene, [(120, top), (120, 47), (148 - near, 47)], "gate", radius=8)
    wire(scene, [(176, top), (176, 47), (148 + near, 47)], "candidate", radius=8)
    wire(scene, [(148, 37), (148, 16 + near)], "cell")
    wire(scene, [(232, top), (232, 47), (266 - near, 47)], "gate", radius=8)
    wire(scene, [(266, 16), (266, 47 - near)], "cell")
    scene.add("wire", shape("path", style="wire r-hidden", d=orthogonal([(266, 56), (266, 125), (292, 125)], 10)))


def _cell_trunk(scene: Scene) -> None:
    bottom, y, tip = 84 + 26, 125, 84 + 17 + BORDER
    strand(scene, [(4, y - 2.5), (229.5, y - 2.5), (229.5, bottom)], "hidden", 6)
    strand(scene, [(4, y + 2.5), (234.5, y + 2.5), (234.5, bottom)], "input", 11)
    trunk_head(scene, (232, y), (232, tip))
    for x in (60, 120, 176):
        for side, role in ((-2.5, "hidden"), (2.5, "input")):
            strand(scene, [(x + side, y), (x + side, bottom)], role, 0)
        trunk_head(scene, (x, y), (x, tip))
        branch(scene, x, y, radius=5)


def gru_thumbnail() -> str:
    """The hidden state's line with a product and a sum, update and reset gate, and the candidate behind its product."""
    scene, y, near = _scene("gru"), 84, 10 + BORDER
    _blend_wires(scene)
    wire(scene, [(143, y), (168 - near, y)], "gate")
    wire(scene, [(178, y), (213 - BORDER, y)], "hidden")
    _gru_trunk(scene, y)
    for x, height, kind in ((60, 16, "mul"), (236, 16, "add"), (236, 47, "mul"), (168, y, "mul")):
        scene.add("node", _group("k-op", operator_shapes(x, height, kind, 10)))
    for x, role in ((60, "gate"), (120, "gate"), (236, "candidate")):
        scene.add("node", _gate(x, y, role))
    return svg_text(
        scene, "The hidden state's line, blended with a candidate by the update gate; the reset gate scales it"
    )


def _blend_wires(scene: Scene) -> None:
    top, near = 84 - 17, 10 + BORDER
    wire(scene, [(4, 16), (60 - near, 16)], "hidden", width=3)
    wire(scene, [(70, 16), (236 - near, 16)], "hidden", width=3)
    scene.add("wire", shape("path", style="wire state r-hidden", d="M245 16H292"))
    wire(scene, [(60, top), (60, 16 + near)], "gate")
    wire(scene, [(60, 47), (236 - near, 47)], "gate")
    branch(scene, 60, 47, "gate")
    branch(scene, 24, 16, "hidden")
    wire(scene, [(236, top), (236, 47 + near)], "candidate")
    wire(scene, [(236, 37), (236, 16 + near)], "hidden")


def _gru_trunk(scene: Scene, gates: float) -> None:
    y, tip = 125, gates + 17 + BORDER
    wire(scene, [(24, 16), (24, y - 2.5), (168, y - 2.5), (168, gates + 10 + BORDER)], "hidden", radius=8)
    wire(scene, [(4, y + 2.5), (236, y + 2.5), (236, tip)], "input", radius=8)
    for x in (60, 120):
        for side, role in ((-2.5, "hidden"), (2.5, "input")):
            strand(scene, [(x + side, y), (x + side, gates + 26)], role, 0)
        trunk_head(scene, (x, y), (x, tip))
        branch(scene, x, y, radius=5)


def bidirectional_thumbnail() -> str:
    """Two chains, one in each direction, over three inputs."""
    scene = _scene("bidirectional")
    for t, x in enumerate((60, 148, 236), 1):
        for y, way in ((26, 1), (110, -1)):
            wire(scene, [(x, 68 - way * 12), (x, y + way * (15 + BORDER))], "input")
            before = x - way * 88
            wire(scene, [(before + way * 20, y), (x - way * (20 + BORDER), y)], "hidden")
            scene.add("node", picture_node(x, y, "hidden", "state", symbol("h", t), height=30))
        scene.add("node", picture_node(x, 68, "input", "input", symbol("x", t), height=24))
    return svg_text(scene, "Two chains over the same inputs, one from each end")


def gradients_thumbnail() -> str:
    """The measured Jacobian norm against rho^k, on a log axis from 1e-5 to 1e3."""
    scene, norms = _scene("gradients"), measured_norms()
    for power in (2, 0, -2, -4):
        y = _log_y(power)
        scene.add("back", shape("path", style="axis" if power == 0 else "gridl", d=f"M34 {y:.1f}H288"))
        tick: list[Run] = [
            *words("10", 12, "num"),
            {"text": str(power).replace("-", MINUS), "class": "num sub", "size": 9, "shift": -5},
        ]
        scene.add("label", text(28, y + 4, tick, "end", "mut"))
    scene.add("wire", *_curves(norms))
    label = [*symbol("ρ"), {"text": "k", "class": "sym sub", "size": 11, "shift": -6}]
    scene.add("label", text(_lag_x(27), _log_y(27 * math.log10(RHO)) + 22, label, "start", "rt r-hidden"))
    middle = next(k for k, norm in enumerate(norms) if norm < -2 or k == LAGS // 2)
    scene.add("label", text(_lag_x(middle) + 12, _log_y(norms[middle]) - 6, words("measured"), style="grad"))
    scene.add("label", text(288, 130, [*words("lag ", 12), *symbol("k", size=14)], "end", "mut"))
    return svg_text(scene, f"At spectral radius {RHO} the power of rho grows, the measured Jacobian norm shrinks")


def bptt_thumbnail() -> str:
    """A chain with its losses, over the triangle of every loss against every state: the gradients of one tanh unit."""
    scene, sizes, columns = _scene("bptt"), loss_state_sizes(), [48 + 50 * k for k in range(5)]
    for t, x in enumerate(columns, 1):
        scene.add("wire", shape("path", style="wire bwd", d=f"M{x} 16V36"))
        scene.add("node", picture_node(x, 12, "", "loss", symbol("L", t, size=12), height=22))
        if t > 1:
            scene.add("wire", shape("path", style="wire bwd", d=f"M{x - 20} 46H{x - 30}"))
        scene.add("node", picture_node(x, 46, "hidden", "state", symbol("h", t, size=13), height=22))
        for k in range(1, t + 1):
            step = round(8 * max(0.0, min(1.0, (sizes[t, k] + 1.6) / 1.6)))
            place = {"x": columns[k - 1] - 23, "y": 51 + 14 * t, "width": 46, "height": 12, "rx": 2}
            scene.add("back", shape("rect", style=f"sq{step}", **place))
    return svg_text(scene, "Five losses send gradients back to five states; the triangle shows how much arrives")


def loss_state_sizes() -> np.ndarray:
    """log10 |dL_t / dh_k| of one tanh unit over five steps."""
    cell = RNN(W_xh=[[0.6]], W_hh=[[1.3]], b_h=[0.1], W_hy=[[1.2]], b_y=[-0.05])
    trace = unroll(cell, np.array([[1.25], [-0.6], [0.16], [-0.93], [0.52]]))
    return bptt(cell, trace, np.array([[0.16], [0.09], [0.09], [0.14], [0.06]]), "squared").contributions


def measured_norms() -> np.ndarray:
    """log10 of the norm of d h_T / d h_(T-k) for k = 0 ... LAGS in a network that saturates."""
    rng = np.random.default_rng(SEED)
    cell = RNN(
        W_xh=rng.normal(size=(UNITS, 1)), W_hh=recurrent_matrix("gaussian", UNITS, RHO, SEED), b_h=np.zeros(UNITS)
    )
    trace = unroll(cell, DRIVE * rng.choice([-1.0, 1.0], size=(LAGS, 1)))
    return jacobian_log10_norms(cell, trace, t=LAGS)[::-1]


def _curves(norms: np.ndarray) -> list[Element]:
    last = min(LAGS, 3 / math.log10(RHO))
    power = polyline([(_lag_x(0), _log_y(0)), (_lag_x(last), _log_y(last * math.log10(RHO)))])
    points: list[Point] = [(_lag_x(k), _log_y(norm)) for k, norm in enumerate(norms) if norm >= -5]
    dots = [shape("circle", style="dot r-gradient", cx=x, cy=y, r=2) for x, y in points[::2]]
    return [shape("path", style="asymptote", d=power), shape("path", style="measured", d=polyline(points)), *dots]


def _lag_x(lag: float) -> float:
    return 34 + 254 * lag / LAGS


def _log_y(power: float) -> float:
    return 114 - (power + 5) / 8 * 106


def _scene(name: str) -> Scene:
    return Scene(f"thumbnail-{name}", "thumbnail", WIDTH, HEIGHT, [], max_width=400)


def picture_node(x: float, y: float, role: str, kind: str, label: list[Run], *, height: float = 28) -> Element:
    radius, width = 4 if kind == "input" else height / 2, 40
    children = [shape("rect", style="shape", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=radius)]
    return _group(f"r-{role} k-{kind}", [*children, text(x, y + 4, label, "middle", "t")])


def _gate(x: float, y: float, role: str) -> Element:
    """A layer with weights: its box and activation curve."""
    form = math.tanh if role == "candidate" else lambda z: 2 * sigmoid(z) - 1
    points = [(x - 13 + 26 * k / 24, y - 9 * form(k / 3 - 4)) for k in range(25)]
    zero = y if role == "candidate" else y + 9
    return _group(f"r-{role} k-gate", [
        shape("rect", style="shape", x=x - 23, y=y - 17, width=46, height=34, rx=6),
        shape("path", style="gl-axis", d=f"M{x - 13} {zero}h26M{x} {y - 9}v18"),
        shape("path", style="gl-curve", d=polyline(points)),
    ])  # fmt: skip


def _group(style: str, children: list[Element]) -> Element:
    return {"kind": "node", "class": f"node {style}", "children": children}


def svg_text(scene: Scene, label: str, highlight: str | None = None) -> str:
    """A scene without bindings as SVG text; nothing in it can be selected."""
    body = "".join(
        f"<g{_attributes({'class': f'layer-{name}'})}>{''.join(map(_markup, items))}</g>"
        for name, items in scene.layers.items()
        if items
    )
    size = {
        "viewBox": f"0 0 {scene.width} {scene.height}",
        "role": "img",
        "aria-label": label,
        "data-highlight": highlight,
    }
    return f"<svg{_attributes({'class': 'fig thumbnail', 'xmlns': 'http://www.w3.org/2000/svg', **size})}>{body}</svg>"


def _markup(element: Element) -> str:
    if element["kind"] == "shape":
        return f"<{element['tag']}{_attributes(element['attrs'])}/>"
    if element["kind"] == "node":
        return f"<g{_attributes({'class': element['class']})}>{''.join(map(_markup, element['children']))}</g>"
    place = {"class": element["class"], "x": element["x"], "y": element["y"], "text-anchor": element["anchor"]}
    return f"<text{_attributes(place)}>{''.join(map(_tspan, element['runs']))}</text>"


def _tspan(run: Run) -> str:
    looks = {"class": run.get("class"), "font-size": run.get("size"), "dx": run.get("dx"), "dy": run.get("dy")}
    return f"<tspan{_attributes(looks)}>{escape(run['text'])}</tspan>"


def _attributes(pairs: dict[str, Any]) -> str:
    return "".join(f' {name}="{escape(str(value))}"' for name, value in pairs.items() if value not in ("", None))
