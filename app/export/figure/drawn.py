"""A filled scene as SVG elements with the classes of the pages: what `assets/js/diagram_elements.js` draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import SubElement

from .filled import Element, Run, Scene

#: The icons of a badge: a clamped gate, an edited input.
ICONS = {
    "pin": "M0-6.5a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0-6.4zM0-.1V5.5",
    "pen": "M-3.5 4.5 3-3l1.5 1.5L-2 6zM-3.5 4.5-4.5 6.5",
}


def draw_scene(scene: Scene, parent: Node) -> Node:
    """The diagram as a group of class `fig`, inside whatever the rules ask for around it."""
    looks, style = dict(scene["looks"]), f"fig fig-{scene['variant']}"
    loom = looks.pop("data-loom", None)
    if loom is not None:
        parent = SubElement(parent, "g", {"class": "loom"})
    if loom == "":
        parent = SubElement(parent, "g", {"class": "loom-graph"})
    figure = SubElement(parent, "g", {"class": f"{style} {loom or ''}".strip(), **looks})
    for items in scene["layers"].values():
        draw(items, figure)
    return figure


def draw(items: list[Element], parent: Node) -> None:
    """Draw elements one over the other."""
    for item in items:
        place = SubElement(parent, "g", {"class": item["looks"]}) if "looks" in item else parent
        _KINDS[item["kind"]](item, place)


def element(parent: Node, tag: str, **attrs: Any) -> Node:
    """An element with the attributes that say something; `style` is its class, _ stands for -."""
    named = {"class": attrs.pop("style", "")} | {name.replace("_", "-"): value for name, value in attrs.items()}
    return SubElement(parent, tag, {name: written(value) for name, value in named.items() if value not in ("", None)})


def written(value: Any) -> str:
    """A length with as many digits as a picture needs."""
    return f"{round(value, 2):g}" if isinstance(value, float) else str(value)


def readout_marks(readout: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a number is, with every digit of its value."""
    if readout is None:
        return {}
    marks = {f"data_{name}": readout[name] for name in ("symbol", "t", "unit")}
    return {**marks, "data_value": repr(float(readout["value"]))}


# --- text and nodes --------------------------------------------------------------------------


def _shape(item: Element, parent: Node) -> None:
    attrs = {name: written(value) for name, value in item["attrs"].items() if value not in ("", None)}
    SubElement(parent, item["tag"], attrs)


def _text(item: Element, parent: Node) -> None:
    anchor = "" if item["anchor"] == "start" else item["anchor"]
    line = element(parent, "text", style=item["class"], x=item["x"], y=item["y"], text_anchor=anchor)
    line.set("xml:space", "preserve")
    for run in item["runs"]:
        _run(run, line)


def _run(run: Run, line: Node) -> None:
    readout = run.get("readout")
    style = " ".join(part for part in (run.get("class", ""), "readout" if readout else "") if part)
    looks = {"font_size": run.get("size"), "dx": run.get("dx"), "dy": run.get("dy"), "fill": run.get("fill")}
    element(line, "tspan", style=style, **looks, **readout_marks(readout)).text = run["text"]


def _node(item: Element, parent: Node) -> None:
    group = element(parent, "g", style=item["class"])
    draw(item["children"], group)


# --- numbers as lengths and colours ----------------------------------------------------------


def _bar(item: Element, parent: Node) -> None:
    """A zero-centred bar; a dotted track where there is no finite number."""
    cx, y, half, length = item["cx"], item["y"], item["half"], item["length"]
    if length is None:
        element(parent, "path", style="bar-gap", d=f"M{written(cx - half)} {written(y)}H{written(cx + half)}")
        return
    element(parent, "rect", style="bar-track", x=cx - half, y=y - 2, width=2 * half, height=4, rx=2)
    if length:
        style = f"bar {'neg' if length < 0 else 'pos'}"
        element(parent, "rect", style=style, x=min(cx, cx + length), y=y - 2, width=abs(length), height=4)
    element(parent, "path", style="bar-zero", d=f"M{written(cx)} {written(y - 4)}v8")


def _strip(item: Element, parent: Node) -> None:
    for cell in item["cells"]:
        place = {key: cell[key] for key in ("x", "y", "width", "height")}
        element(parent, "rect", style=f"cell dv{cell['step']}", **place)
        if cell["tick"]:
            x, y = cell["x"] + cell["width"] / 2 - cell["tick"], cell["y"] + cell["height"] / 2
            path = f"M{written(x)} {written(y)}h{written(2 * cell['tick'])}"
            element(parent, "path", style=f"cell-tick dvo{cell['step']}", d=path)
    _outline(item, parent)
    if item["frame"]:
        x, y, width, height = item["frame"]
        element(parent, "rect", style="cell-selected", rx=1.5, x=x, y=y, width=width, height=height)


def _outline(item: Element, parent: Node) -> None:
    x, y, width, height = item["x"] - 0.5, item["y"] - 0.5, item["width"] + 1, item["height"] + 1
    element(parent, "rect", style="cell-line", x=x, y=y, width=width, height=height)


def _units(item: Element, parent: Node) -> None:
    """Many cells without gaps: one path a colour, so that no hairline shows between them."""
    for step in sorted({cell["step"] for cell in item["cells"]}):
        path = "".join(_cell_path(cell) for cell in item["cells"] if cell["step"] == step)
        element(parent, "path", style=f"dv{step}", d=path)
    _outline(item, parent)


def _cell_path(cell: Mapping[str, float]) -> str:
    x, y, width, height = (written(cell[key]) for key in ("x", "y", "width", "height"))
    return f"M{x} {y}h{width}v{height}h-{width}z"


def _points(item: Element, parent: Node) -> None:
    for point in item["points"]:
        style = "gl-dot" if point["main"] else "gl-dot2"
        element(parent, "circle", style=style, cx=point["x"], cy=point["y"], r=point["radius"])


def _bars(item: Element, parent: Node) -> None:
    for bar in item["items"]:
        length, base = bar["length"], bar["base"]
        top = base - length if length >= 0 else base
        style = f"bar {'pos' if length >= 0 else 'neg'}"
        element(parent, "rect", style=style, x=bar["x"] - 11, y=top, width=22, height=abs(length), rx=1.5)
        _text(bar["number"], parent)
        _text(bar["label"], parent)


# --- what moves with the cursor, and what an operation leaves ----------------------------------


def _band(item: Element, parent: Node) -> None:
    _box(item, parent, "tband")


def _mark(item: Element, parent: Node) -> None:
    _box(item, parent, item["class"])


def _box(item: Element, parent: Node, style: str) -> None:
    x, y, width, height = item["place"]
    element(parent, "rect", style=style, x=x, y=y, width=width, height=height, rx=item["rx"])


def _attend(item: Element, parent: Node) -> None:
    """A wire from an encoder state to its weight: width and colour say the weight."""
    group = element(parent, "g", style=f"s2s-attend sq-line{item['step']}")
    x, tip, half = written(item["x"]), item["to"] + 1, 3 + 3 * item["share"]
    line = f"M{x} {written(item['y'])}V{written(tip + 7)}"
    element(group, "path", d=line, stroke_width=item["width"])
    element(group, "path", style="tip", d=f"M{x} {written(tip)}l{written(half)} 8h{written(-2 * half)}z")


def _badge(item: Element, parent: Node) -> None:
    group = element(parent, "g", style="badge", transform=f"translate({written(item['x'])} {written(item['y'])})")
    element(group, "rect", style="pill", x=0, y=-8, width=item["width"], height=16, rx=8)
    element(group, "path", style="badge-icon", d=ICONS[item["icon"]], transform="translate(11 0.5)")
    element(group, "text", style="pill", x=18, y=4, font_size=12).text = item["text"]


def _cutmark(item: Element, parent: Node) -> None:
    place = f"translate({written(item['x'])} {written(item['y'])}) rotate({item['turn']})"
    group = element(parent, "g", style="cut-mark", transform=place)
    element(group, "rect", style="cut-gap", x=-3, y=-5, width=6, height=10)
    element(group, "path", style="cut", d="M-3.5-9v18M3.5-9v18")


_KINDS: Mapping[str, Callable[[Element, Node], None]] = {
    "shape": _shape, "text": _text, "node": _node, "bar": _bar, "strip": _strip, "units": _units, "points": _points,
    "bars": _bars, "band": _band, "mark": _mark, "attend": _attend, "badge": _badge, "cutmark": _cutmark,
}  # fmt: skip
