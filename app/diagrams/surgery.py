"""What a cell diagram can show of an operation: a pin on a clamped gate, bars over cut weights, "was 0.712".

All of it is drawn with the scene and stays hidden until the arrays of a run say so: no operation rebuilds a diagram.
For any cell whose gates are nodes of class `k-gate` and whose states are `k-state` and `k-input`.
"""

from __future__ import annotations

from typing import Any

from .scene import Element, Run, binding

#: Where a line of 12 px beside a node stands: x and y from the node's box, and the anchor.
_BELOW, _ABOVE = 14.0, 6.0


def with_surgery(scene: dict[str, Any], gates: str) -> dict[str, Any]:
    """The scene with the marks of every operation in it; `gates` are the symbols of the cell's gates."""
    nodes = [_marked(item, scene["variant"], gates) for item in scene["layers"]["node"]]
    layers = {**scene["layers"], "node": nodes}
    hidden = next(item for item in nodes if _is(item, "k-state") and _symbol(item) == "h")
    layers["label"] = [*layers["label"], _cut(hidden, scene["variant"])]
    return {**scene, "layers": layers}


def _marked(item: Element, variant: str, gates: str) -> Element:
    if _is(item, "k-gate") and _symbol(item) in gates:
        return _gate(item, _symbol(item))
    if _is(item, "k-state"):
        cut: list[Run] = (
            [{"said": "cut", "of": binding("cut", {"rel": 0})}] if _before(item) and _symbol(item) == "h" else []
        )
        return _with(item, [_was(item, *_beside(item, variant))], [_said_was(item), *cut])
    if _is(item, "k-input"):
        return _input(item, variant)
    return item


def _gate(item: Element, gate: str) -> Element:
    """Wide: by the wire that comes in from below; compact: inside the box, under the value."""
    left, top, width, height = _box(item)
    indent = 49 if width < 120 else 34
    place = (left + width / 2 + 12, top + height + 15) if height >= 80 else (left + indent, top + height - 4)
    clamped = binding(f"clamped_{gate}", {"rel": 0})
    pin = {"kind": "pin", "of": clamped, "x": left + 6, "y": top - 2}
    return _with(item, [_was(item, *place, "start"), pin], [_said_was(item), {"said": "clamped", "of": clamped}])


def _input(item: Element, variant: str) -> Element:
    """The badge stands where a number has its bar, and below a vector, which fills its box."""
    left, top, width, height = _box(item)
    single = item["select"]["unit"] is None
    edited = binding("edited", {"rel": 0}, 0)
    x = left + width / 2 + (6 if variant == "compact" and not single else -36)
    badge = {"kind": "edited", "of": edited, "x": x, "y": top + height + (-10 if single else 7)}
    number = single and not any("glyphs" in run for run in item["name"])
    was = [_was(item, *_beside(item, variant))] if number else []
    return _with(item, [*was, badge], [*(_said_was(item) for _ in was), {"said": "edited", "of": edited}])


def _beside(item: Element, variant: str) -> tuple[float, float, str]:
    """A free place by a state or an input: no wire runs there in either drawing."""
    left, top, width, height = _box(item)
    middle = left + width / 2
    if _is(item, "k-input"):
        return (left + width + 8, top + 14, "start") if variant == "wide" else (middle + 6, top + height + 11, "start")
    if variant == "wide":
        return middle, top + height + _BELOW, "middle"
    if not _before(item):
        return middle - 6, top - _ABOVE, "end"
    return (middle - 6, top + height + 11, "end") if _symbol(item) == "c" else (middle - 8, top + height + 11, "start")


def _cut(item: Element, variant: str) -> Element:
    """Two bars across the strand that leaves h of the step before."""
    left, top, width, height = _box(item)
    place = {"x": left + width + 7, "y": top + height / 2 - 2.5, "turn": 0} if variant == "wide" else {
        "x": 21.5, "y": top + height + 7, "turn": 90}  # fmt: skip
    return {"kind": "cutmark", "of": binding("cut", {"rel": 0}), **place}


def _was(item: Element, x: float, y: float, anchor: str) -> Element:
    return {"kind": "was", "x": x, "y": y, "anchor": anchor, "value": _bound(item)}


def _said_was(item: Element) -> Run:
    return {"said": "was", "of": _bound(item)}


def _with(item: Element, children: list[Element], said: list[Run]) -> Element:
    return {**item, "children": [*item["children"], *children], "name": [*item["name"], *said]}


def _box(item: Element) -> tuple[float, float, float, float]:
    shape = next(child["attrs"] for child in item["children"] if child.get("attrs", {}).get("class") == "shape")
    return shape["x"], shape["y"], shape["width"], shape["height"]


def _bound(item: Element) -> dict[str, Any]:
    return item["select"]


def _symbol(item: Element) -> str:
    return str(item["select"]["symbol"])


def _before(item: Element) -> bool:
    return bool(item["select"]["t"] == {"rel": -1})


def _is(item: Element, kind: str) -> bool:
    return kind in item["class"].split()
