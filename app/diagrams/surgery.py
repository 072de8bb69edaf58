"""What a cell diagram can show of an operation: a pin on a clamped gate, bars over cut weights, "was 0.712".

All of it is drawn with the scene and stays hidden until the arrays of a run say so: no operation rebuilds a diagram.
For any cell whose gates are nodes of class `k-gate` and whose states are `k-state` and `k-input`.
"""

from __future__ import annotations

from typing import Any

from .scene import Element, Run, binding, rel

NOW = rel(0)
#: Where two bars stand: x, y, and 90 where the strand runs down.
CutPlace = tuple[float, float, int]

#: Where a line of 12 px beside a node stands: x and y from the node's box, and the anchor.
_BELOW, _ABOVE = 14.0, 6.0


def with_surgery(scene: dict[str, Any], gates: str, cut: CutPlace) -> dict[str, Any]:
    """The scene with the marks of every operation in it.

    `gates` are the symbols of the cell's gates; `cut` is a place on the strand that brings h to the recurrent weights.
    """
    marked = [_marked(item, scene, gates) for item in scene["layers"]["node"]]
    nodes = [_with(item, said, [mark for mark in found if mark.get("inside")]) for item, said, found in marked]
    marks = [mark for _, _, found in marked for mark in found if not mark.get("inside")]
    label = [*scene["layers"]["label"], *marks, _cut(cut)]
    return {**scene, "layers": {**scene["layers"], "node": nodes, "label": label}}


def _marked(item: Element, scene: dict[str, Any], gates: str) -> tuple[Element, list[Run], list[Element]]:
    """A node, what its name says of an operation, and its marks: inside its box, or on the layer of the labels."""
    if _is(item, "k-gate") and _symbol(item) in gates:
        return item, *_gate(item, _symbol(item))
    if _is(item, "k-state"):
        cut = _before(item) and _symbol(item) == "h"
        said = [{"said": "cut", "mark": binding("cut", NOW)}] if cut else []
        return item, [_said_was(item), *said], [_was(item, *_beside(item, scene))]
    if _is(item, "k-input"):
        return item, *_input(item, scene)
    return item, [], []


def _with(item: Element, said: list[Run], children: list[Element]) -> Element:
    return {**item, "children": [*item["children"], *children], "name": [*item["name"], *said]}


def _gate(item: Element, gate: str) -> tuple[list[Run], list[Element]]:
    """Wide: by the wires, the pin left of the one that leaves; compact: inside the box, under the value."""
    left, top, width, height = _box(item)
    inside = height < 80
    place = (
        (left + width - 7, top + height - 4, "end") if inside else (left + width / 2 + 12, top + height + 15, "start")
    )
    clamped = binding(f"clamped_{gate}", NOW)
    pin = {
        "kind": "pin",
        "node": item["id"],
        "mark": clamped,
        "x": left + (6 if inside else width / 2 - 77),
        "y": top - 2,
    }
    was = {**_was(item, *place), "inside": inside}
    return [_said_was(item), {"said": "clamped", "mark": clamped}], [was, pin]


def _input(item: Element, scene: dict[str, Any]) -> tuple[list[Run], list[Element]]:
    """The badge stands where a number has its bar, and beside or below a vector, which fills its box."""
    left, top, width, height = _box(item)
    edited = binding("edited", NOW, 0)
    single = item["select"]["unit"] is None
    place = (left + width / 2 - 36, top + height - 10) if single else (left + width + 8, top + 10)
    if not single and scene["variant"] == "compact":
        place = (left + width / 2 + 6, top + height + 7)
    badge = {"kind": "edited", "mark": edited, "x": place[0], "y": place[1]}
    number = single and not any("glyphs" in run for run in item["name"])
    was = [_was(item, *_beside(item, scene))] if number else []
    return [*(_said_was(item) for _ in was), {"said": "edited", "mark": edited}], [*was, badge]


def _beside(item: Element, scene: dict[str, Any]) -> tuple[float, float, str]:
    """A free place by a state or an input: no wire runs there in either drawing."""
    left, top, width, height = _box(item)
    middle, wide = left + width / 2, scene["variant"] == "wide"
    if _is(item, "k-input"):
        return (left + width + 8, top + 14, "start") if wide else (middle + 6, top + height + 11, "start")
    if wide:
        return middle, top + height + _BELOW, "middle"
    if not _before(item):
        return middle - 6, top - _ABOVE, "end"
    right = middle > scene["width"] / 2
    return (middle - 6, top + height + 11, "end") if right else (middle - 8, top + height + 11, "start")


def _cut(place: CutPlace) -> Element:
    """Two bars across the strand that brings h of the step before."""
    x, y, turn = place
    return {"kind": "cutmark", "mark": binding("cut", NOW), "x": x, "y": y, "turn": turn}


def _was(item: Element, x: float, y: float, anchor: str) -> Element:
    return {"kind": "was", "x": x, "y": y, "anchor": anchor, "value": _bound(item)}


def _said_was(item: Element) -> Run:
    return {"said": "was", "mark": _bound(item)}


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
