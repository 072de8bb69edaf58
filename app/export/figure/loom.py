"""The lights of the loom: the selected chain, its factors, the window, how far the algorithm has run.

The twin of `assets/js/loom.js` without what a pointer does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...diagrams.scene import Element, shape, symbol, text, words
from .read import Numbers, number_text

_GROUP = re.compile(r"\b(lane|loss|step)-(\d+)")
#: Lines of the algorithm: the loop forward, the clearing of the sums, a step back, and its four moments.
_FORWARD, _CLEAR, _BACK, _MOMENTS = 1, 2, 4, 4
_ADDED = 7


@dataclass(frozen=True)
class Lights:
    """What is lit: loss t and state k, and the line and step at which the algorithm stands."""

    numbers: Numbers

    @cached_property
    def T(self) -> int:
        return self.numbers.cursor.T

    @cached_property
    def t(self) -> int:
        """The selected loss; 0 where there is none."""
        return self.numbers.cursor.t

    @cached_property
    def k(self) -> int:
        """The selected state; 0 where there is no loss."""
        return max(1, self.t - self.numbers.cursor.lag) if self.t else 0

    @cached_property
    def facts(self) -> list[float]:
        """Whether a factor has a sign, how many steps the window has."""
        return [self.numbers.entry("loom_facts", 0, fact) or 0.0 for fact in range(2)]

    @cached_property
    def window(self) -> int:
        return int(self.facts[1])

    @cached_property
    def place(self) -> tuple[int, int]:
        """The line and the step of the moment, as `app/labs/bptt_algorithm.py` has them."""
        moment, T = self.numbers.cursor.moment, self.T
        if moment <= T:
            return _FORWARD, moment
        back = moment - T - 2
        if back < 0:
            return _CLEAR, 0
        if back < _MOMENTS * T:
            return _BACK + back % _MOMENTS, T - back // _MOMENTS
        return (8 if back == _MOMENTS * T else 9), 0

    @cached_property
    def back(self) -> int:
        """The step that the way back has come to; past the last one before it starts."""
        line, t = self.place
        return self.T + 1 if line in (_FORWARD, _CLEAR) else t

    def ahead(self, t: int) -> bool:
        """Whether the pass forward has not come to step t."""
        line, at = self.place
        return line == _FORWARD and t > at

    # --- classes --------------------------------------------------------------------------------

    def of_group(self, kind: str, i: int) -> Iterator[str]:
        """The classes of what belongs to a step, a loss or a way back."""
        if kind == "step" and self.ahead(i):
            yield "todo"
        if kind == "loss":
            yield from ["on"] * (i == self.t) + ["todo"] * (i < self.back)
        if kind == "lane":
            passed = i > self.back or (i == self.back and self.place[0] >= _ADDED)
            yield from ["on"] * (self.k < i <= self.t) + ["beyond"] * (i <= self.t - self.window + 1)
            yield from [] if passed else ["todo"]

    def of_node(self, name: str) -> Iterator[str]:
        """The classes of a node: L3 or h2 of the chain is lit, what is not computed yet waits."""
        if name in (f"L{self.t}", f"h{self.k}"):
            yield "lit"
        if name[:1] in "hyL" and name[1:].isdigit() and int(name[1:]) and self.ahead(int(name[1:])):
            yield "todo"

    def factor(self, i: int) -> dict[str, Any] | None:
        """The factor of the step back from state i: of one number it is the same for every loss."""
        signed = bool(self.facts[0])
        loss = self.t if i <= self.t else self.T if signed else 0
        value = self.numbers.entry("chain_factor", loss, i) if loss else None
        return None if value is None else {"symbol": "chain_factor", "t": i, "unit": loss, "value": value}


def light_loom(filled: dict[str, Any], scene: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """The filled scene with its lights on, the band of its step and the mark at which its window ends."""
    lights = Lights(numbers)
    layers = {name: [_lit(item, lights) for item in items] for name, items in filled["layers"].items()}
    layers["back"] = [*_band(scene, lights), *layers["back"]]
    layers["label"] = [*(item for item in layers["label"] if not _is_empty(item)), *_cut(scene, lights)]
    return {**filled, "layers": layers, "looks": {**filled["looks"], "data-loom": ""}}


def _lit(item: Element, lights: Lights) -> Element:
    if item["kind"] == "node":
        return _with_classes(item, lights.of_node(item.get("id", "")))
    style = item["attrs"].get("class", "") if item["kind"] == "shape" else item.get("class", "")
    group = _GROUP.search(style)
    if not group:
        return item
    kind, i = group[1], int(group[2])
    lit = _with_classes(item, lights.of_group(kind, i))
    return _with_factor(lit, lights.factor(i)) if "factor" in style.split() else lit


def _with_classes(item: Element, classes: Iterator[str]) -> Element:
    added = "".join(f" {name}" for name in classes)
    if item["kind"] == "shape":
        return {**item, "attrs": {**item["attrs"], "class": item["attrs"].get("class", "") + added}}
    return {**item, "class": item["class"] + added}


def _with_factor(item: Element, readout: dict[str, Any] | None) -> Element:
    if readout is None:
        return {**item, "class": f"{item['class']} empty"}
    *before, last = item["runs"]
    return {**item, "runs": [*before, {**last, "text": number_text(readout["value"]), "readout": readout}]}


def _is_empty(item: Element) -> bool:
    return "empty" in item.get("class", "").split()


def _band(scene: Mapping[str, Any], lights: Lights) -> list[Element]:
    """On the step of the algorithm, and once it has run on the state of the lit cell."""
    step = lights.place[1] or lights.k
    return [{"kind": "band", "place": scene["bands"][step - 1], "rx": 10}] if 0 < step <= len(scene["bands"]) else []


def _cut(scene: Mapping[str, Any], lights: Lights) -> list[Element]:
    """Two strokes across the wire at which the window stops the loss that is lit, and which loss that is."""
    i = lights.t - lights.window + 1
    if not lights.t or not 2 <= i < len(scene["lanes"]) + 2:
        return []
    x, y, down = scene["lanes"][i - 2]
    strokes = f"M{x - 7} {y + 5}h14M{x - 7} {y + 11}h14" if down else f"M{x - 3} {y - 7}v14M{x + 3} {y - 7}v14"
    place = (x + 90, y + 12) if down else (x, y + scene["stops"])
    said = [*symbol("L", lights.t, size=14), *words("\N{HAIR SPACE}", 4), *words(" stops", 12)]
    return [shape("path", style="cut", d=strokes), text(*place, said, "middle", "ink2")]
