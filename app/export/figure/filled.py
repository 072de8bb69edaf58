"""A scene with its numbers in it: what a page shows of a diagram in one state, as plain data and without a browser.

`fill(scene, numbers, looks)` takes a scene (see `app/diagrams/scene.py`) and returns a dict of the same shape whose
bindings are resolved as `assets/js/diagram_elements.js` does it:

scene   {id, variant, width, height, max_width, label, looks, layers}
        `label` is the accessible name, a string; `looks` are the classes of the whole: {"data-highlight": "W",
        "data-pass": "both", "data-cut": ""}, absent where they do not hold; `layers` as in a scene

run     {text, class, size, dx, dy, fill, readout}: always text; `fill` a colour of its own; `readout` {symbol, t, unit,
        value} of a number that is known (value is the float), absent of fixed text and of an en dash

element what is hidden in this state is left out; `looks` "lit" or "later" (the sub-step, the steps it belongs to) is in
        the class of a shape, a text or a node, and a key of its own of the others
        shape   tag, attrs
        text    x, y, anchor, class ("current" is in it), runs
        node    id, class ("clamped", "q3" … are in it), x, y, children, name (a string), readout: what it selects
        bar     cx, y, half, value, length: signed, in px; None of both where there is no finite number
        strip   x, y, width, height, across, cells [{x, y, width, height, step, value, tick}], frame [x, y, width,
                height] or None; `step` 0 … 10 of the diverging scale, `tick` half the width of a minus sign or 0
        units   the same without frame and ticks
        points  points [{x, y, radius, main}]
        band    place [x, y, width, height], rx
        attend  x, y, to, share, step (0 … 8 of the sequential scale), width: a wire upwards from y to `to`
        mark    place, rx, class
        bars    items [{x, base, length, number, label}]: signed bars upwards, number and label text elements in place
        badge   x, y, text, icon ("pin" or "pen"), width
        cutmark x, y, turn
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...diagrams.scene import Element, Run
from .cells import bar, points, strip, units
from .read import Numbers, teal_step

Scene = dict[str, Any]


def fill(scene: Mapping[str, Any], numbers: Numbers, looks: Mapping[str, str] | None = None) -> Scene:
    """A scene in one state; `looks` are the `data-` marks of the whole, without those whose text is empty."""
    marks = {name: text for name, text in (looks or {}).items() if text}
    layers = {name: _drawn(items, numbers) for name, items in scene["layers"].items()}
    if any(item["kind"] == "cutmark" for item in layers["label"]):
        marks["data-cut"] = ""
    _clamp(layers["node"], scene["layers"]["label"] + scene["layers"]["node"], numbers)
    sizes = {key: scene[key] for key in ("id", "variant", "width", "height", "max_width")}
    return {**sizes, "label": numbers.plain(scene["label"]), "looks": marks, "layers": layers}


def _drawn(items: list[Element], numbers: Numbers) -> list[Element]:
    return [found for item in items for found in _element(item, numbers)]


def _element(item: Element, numbers: Numbers) -> Iterator[Element]:
    """What an element has become; nothing where it is hidden."""
    found = _KINDS[item["kind"]](item, numbers)
    if found is None:
        return
    looks = _looks(item, numbers)
    if looks and found["kind"] == "shape":
        found = {**found, "attrs": {**found["attrs"], "class": _joined(found["attrs"].get("class", ""), looks)}}
    elif looks and "class" in found:
        found = {**found, "class": _joined(found["class"], looks)}
    elif looks:
        found = {**found, "looks": looks}
    yield found


def _looks(item: Element, numbers: Numbers) -> str:
    """`lit` at the steps that an element belongs to; `lit` or `later` by the sub-step."""
    cursor, stage = numbers.cursor, item.get("stage")
    if cursor.t in item.get("lit", ()):
        return "lit"
    if not stage or not cursor.substep or cursor.t < 1:
        return ""
    return "lit" if cursor.substep in stage["lit"] else "later" if numbers.later(stage["ready"]) else ""


def _joined(*classes: str) -> str:
    return " ".join(part for part in classes if part)


# --- text and nodes --------------------------------------------------------------------------


def _shape(item: Element, numbers: Numbers) -> Element:
    return {"kind": "shape", "tag": item["tag"], "attrs": item["attrs"]}


def _text(item: Element, numbers: Numbers) -> Element:
    current = "current" if item.get("current") == numbers.cursor.t and "current" in item else ""
    place = {key: item[key] for key in ("x", "y", "anchor")}
    runs = [_run(run, numbers) for run in item["runs"]]
    return {"kind": "text", **place, "class": _joined(item["class"], current), "runs": runs}


def _run(run: Run, numbers: Numbers) -> Run:
    text = numbers.text(run)
    kept = {key: run[key] for key in ("class", "size", "dx", "dy") if key in run}
    if "small" in run and len(text) > run["small"][0]:
        kept["size"] = run["small"][1]
    bound = run.get("value") or run.get("share")
    return {"text": text, **kept} | (_readout(bound, numbers) if bound else {})


def _readout(bound: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """What a number is, for whoever wants to check it."""
    read = numbers.read(bound)
    mark = {"symbol": read.symbol, "t": read.t, "unit": read.unit, "value": read.value}
    return {} if read.value is None else {"readout": mark}


def _node(item: Element, numbers: Numbers) -> Element:
    shades = [f"q{teal_step(numbers.read(own['bound']).value)}" for own in item["children"] if own["kind"] == "shade"]
    found = {key: item[key] for key in ("id", "x", "y") if key in item}
    found |= {"class": _joined(item["class"], *shades), "name": numbers.plain(item["name"])}
    return {"kind": "node", **found, "children": _drawn(item["children"], numbers), **_readout(item["select"], numbers)}


# --- bars on one scale -----------------------------------------------------------------------


def _bars(item: Element, numbers: Numbers) -> Element:
    """Signed bars on one common scale. A number stands outside its bar's end, a label on the other side of the axis."""
    values = [numbers.read(own["bound"]).value for own in item["items"]]
    longest = max([abs(value) for value in values if value is not None and math.isfinite(value)], default=0.0)
    bars = []
    for own, value in zip(item["items"], values, strict=True):
        known = longest > 0 and value is not None and not math.isnan(value)
        length = max(-1.0, min(1.0, value / longest)) * item["reach"] if known and value is not None else 0.0
        bars.append(_placed(own, length, numbers))
    return {"kind": "bars", "items": bars}


def _placed(bar: Mapping[str, Any], length: float, numbers: Numbers) -> dict[str, Any]:
    up, base = length >= 0, bar["base"]
    number, label = (base - length - 5, base + 14) if up else (base - length + 14, base - 6)
    texts = {name: {**_text(bar[key], numbers), "x": bar["x"], "y": round(y, 2)}
             for name, key, y in (("number", "value", number), ("label", "label", label))}  # fmt: skip
    return {"x": bar["x"], "base": base, "length": length, **texts}


# --- what moves with the cursor, and what an operation leaves ----------------------------------


def _band(item: Element, numbers: Numbers) -> Element | None:
    place = item["places"].get(numbers.cursor.t)
    return {"kind": "band", "place": place, "rx": item["rx"]} if place else None


def _mark(item: Element, numbers: Numbers) -> Element | None:
    place = item["places"].get(numbers.cursor.unit)
    return {"kind": "mark", "place": place, "rx": item["rx"], "class": item["class"]} if place else None


def _attend(item: Element, numbers: Numbers) -> Element:
    share = numbers.read(item["bound"]).value or 0.0
    looks = {"share": share, "step": teal_step(share), "width": 1 + 7 * share}
    return {"kind": "attend", "x": item["x"], "y": item["y"], "to": item["to"], **looks}


def _shade(item: Element, numbers: Numbers) -> None:
    """The node that it stands in has taken its colour."""


def _differs(item: Element, numbers: Numbers) -> Element:
    """The pill of what a step reads: gold where the target is read and the model would have written another token."""
    t = item["t"]
    differs = t > 1 and numbers.entry("read", t, 0) != numbers.entry("output", t - 1, 0)
    place = {key: item[key] for key in ("x", "y", "width", "height")}
    style = _joined("pill s2s-pill", "differs" if differs else "")
    return {"kind": "shape", "tag": "rect", "attrs": {"class": style, **place, "rx": 9}}


def _was(item: Element, numbers: Numbers) -> Element | None:
    """The number of the untouched run beside one that an operation has changed."""
    read = numbers.before(item["value"])
    if read.value is None:
        return None
    bound = {"symbol": read.symbol, "t": read.t, "unit": read.unit}
    runs = [{"text": "was "}, _run({"value": bound, "class": "num"}, numbers)]
    place = {key: item[key] for key in ("x", "y", "anchor")}
    return {"kind": "text", **place, "class": "was" if item.get("inside") else "was over", "runs": runs}


def _pin(item: Element, numbers: Numbers) -> Element | None:
    return _badge(item, numbers.held(item["mark"]), "pin")


def _edited(item: Element, numbers: Numbers) -> Element | None:
    return _badge(item, numbers.edited(item["mark"]), "pen")


def _badge(item: Element, words: str, icon: str) -> Element | None:
    place = {"x": item["x"], "y": item["y"], "width": 25 + 6.5 * len(words)}
    return {"kind": "badge", **place, "text": words, "icon": icon} if words else None


def _cutmark(item: Element, numbers: Numbers) -> Element | None:
    cut = numbers.read(item["mark"]).value == 1
    return {"kind": "cutmark", "x": item["x"], "y": item["y"], "turn": item["turn"]} if cut else None


def _clamp(nodes: list[Element], marks: list[Element], numbers: Numbers) -> None:
    """A gate whose selected unit is held has a heavy border."""
    inside = [child for mark in marks for child in mark.get("children", ())]
    held = {pin["node"] for pin in [*marks, *inside] if pin["kind"] == "pin" and numbers.held(pin["mark"]) == "clamped"}
    for node in nodes:
        if node.get("id") in held:
            node["class"] = _joined(node["class"], "clamped")


_KINDS: Mapping[str, Callable[[Element, Numbers], Element | None]] = {
    "shape": _shape, "text": _text, "node": _node, "bar": bar, "strip": strip, "units": units, "points": points,
    "band": _band, "attend": _attend, "shade": _shade, "mark": _mark, "bars": _bars, "differs": _differs, "was": _was,
    "pin": _pin, "edited": _edited, "cutmark": _cutmark,
}  # fmt: skip
