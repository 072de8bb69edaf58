"""Numbers as lengths and colours: bars, cells of vectors, points on a curve, each where a picture has them."""

from __future__ import annotations

import math
from typing import Any

from ...diagrams.scene import Element
from .read import Numbers, colour_step

#: Below this length a bar would be a hairline.
SHORTEST_BAR = 0.4


def bar(item: Element, numbers: Numbers) -> Element:
    """A signed bar, clipped at its ends."""
    value = numbers.read(item["value"]).value
    place = {key: item[key] for key in ("cx", "y", "half")}
    if value is None or not math.isfinite(value):
        return {"kind": "bar", **place, "value": None, "length": None}
    length = max(-1.0, min(1.0, value)) * item["half"]
    return {"kind": "bar", **place, "value": value, "length": length if abs(length) > SHORTEST_BAR else 0.0}


def strip(item: Element, numbers: Numbers) -> Element:
    """A vector: a cell a unit, a frame around that of the cursor."""
    boxes = _boxes(item, 1 if _room(item) / item["count"] >= 5 else 0)
    cells = [_cell(box, numbers.read({**item, "unit": unit}).value) for unit, box in enumerate(boxes)]
    frame = None
    if item.get("frame"):
        x, y, width, height = boxes[min(numbers.cursor.unit, item["count"] - 1)]
        frame = [x - 0.6, y - 0.6, width + 1.2, height + 1.2]
    return {"kind": "strip", **_place(item), "cells": cells, "frame": frame}


def units(item: Element, numbers: Numbers) -> Element:
    """A vector of many units, without gaps."""
    cells = [_cell(box, numbers.read({**item, "unit": unit}).value) for unit, box in enumerate(_boxes(item, 0))]
    return {"kind": "units", **_place(item), "cells": cells}


def _place(item: Element) -> dict[str, Any]:
    return {"across": False} | {key: item[key] for key in ("x", "y", "width", "height", "across") if key in item}


def _room(item: Element) -> float:
    return float(item["width"] if item.get("across") else item["height"])


def _boxes(item: Element, gap: float) -> list[list[float]]:
    """Where each cell of a vector stands."""
    x, y, count = item["x"], item["y"], item["count"]
    size = (_room(item) - gap * (count - 1)) / count
    starts = [unit * (size + gap) for unit in range(count)]
    if item.get("across"):
        return [[x + start, y, size, item["height"]] for start in starts]
    return [[x, y + start, item["width"], size] for start in starts]


def _cell(box: list[float], value: float | None) -> dict[str, Any]:
    x, y, width, height = box
    known = value is not None and not math.isnan(value)
    half = min(3.0, (width - 5) / 2)
    ticked = value is not None and value < 0 and height >= 4 and half >= 1
    step = colour_step(value) if known and value is not None else 5
    return {
        "x": x,
        "y": y,
        "width": width,
        "height": height,
        "step": step,
        "value": value,
        "tick": half if ticked else 0,
    }


def points(item: Element, numbers: Numbers) -> Element:
    """Where each unit stands on an activation curve; the cursor's last, larger."""
    units = [*(range(item["count"]) if item["count"] > 1 else ()), None]
    found = [_point(item, numbers, unit) for unit in units]
    return {"kind": "points", "points": [point for point in found if point is not None]}


def _point(item: Element, numbers: Numbers, unit: int | None) -> dict[str, Any] | None:
    across = numbers.read({**item["across"], "unit": unit})
    if not across.known:
        return None
    up = numbers.read({**item["up"], "unit": unit}).value
    x = item["x"] + _reach(across.value, -item["span"], item["span"]) * item["width"]
    y = item["y"] + item["height"] - _reach(up, item["lo"], item["hi"]) * item["height"]
    return {"x": x, "y": y, "radius": 3.6 if unit is None else 2.4, "main": unit is None}


def _reach(value: float | None, low: float, high: float) -> float:
    """How far a value is on the way from low to high, 0 … 1; 0 where there is no number."""
    if value is None or math.isnan(value):
        return 0.0
    return (max(low, min(high, value)) - low) / (high - low)
