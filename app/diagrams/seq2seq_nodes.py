"""Nodes that the whole drawing of an encoder-decoder shares."""

from __future__ import annotations

from typing import Any

from .scene import Element, Run, shape, spoken


def node(
    name: str, style: str, x: float, y: float, children: list[Element], named: list[Run], bound: dict[str, Any]
) -> Element:
    said = [run if "char" in run else spoken([run])[0] for run in named]
    return {
        "kind": "node", "id": name, "class": f"node {style}", "x": round(x, 2), "y": y, "children": children,
        "name": said, "select": bound,
    }  # fmt: skip


def ring(x: float, y: float, width: float, height: float) -> Element:
    return shape("rect", style="ring", x=x - 3, y=y - 3, width=width + 6, height=height + 6, rx=9)
