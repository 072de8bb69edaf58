"""What of a cell's diagram each sub-step of a time step lights, and from which sub-step on each number is there.

A scene is drawn once, with the stage of every part; which sub-step it shows is a class on its elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rnnscope.core import Substep

from .scene import Element

Stage = dict[str, Any]

#: Numbers that are there with another one: 1 - z with z.
WITH = {"keep": "z"}


@dataclass(frozen=True)
class Stages:
    """When the vectors of a step are made and taken; sub-steps are counted from 1."""

    steps: tuple[Substep, ...]

    @cached_property
    def made_by(self) -> dict[str, int]:
        """Which sub-step makes each vector."""
        return {step.symbol: k for k, step in enumerate(self.steps, 1)}

    @cached_property
    def takes(self) -> list[tuple[int, Substep, tuple[str | None, int]]]:
        """(sub-step, itself, what it takes) for each thing taken; what the step starts from is also (None, 0)."""
        taken: list[tuple[int, Substep, tuple[str | None, int]]] = []
        for k, step in enumerate(self.steps, 1):
            taken += [(k, step, take) for take in step.takes]
            taken += [(k, step, (None, 0)) for take in step.takes if self.ready(*take) == 0]
        return taken

    def ready(self, symbol: str | None, lag: int = 0) -> int:
        """The sub-step that makes a vector; 0 for what the step starts from."""
        return self.made_by.get(WITH.get(symbol or "", symbol or ""), 0) if lag == 0 else 0

    def taken(self, symbol: str | None, lag: int = 0, into: Sequence[str] = ()) -> list[int]:
        """The sub-steps that take a vector, or with None any that the step starts from."""
        wanted = (WITH.get(symbol or "", symbol), lag)
        return [
            k
            for k, step, take in self.takes
            if take == wanted and (not into or step.symbol in into or step.gate in into)
        ]

    def carried(self, of: dict[str, Any]) -> Stage:
        """The stage of a wire or of its label: lit while the vector is made and where it is taken."""
        ready = self.ready(of["symbol"], of["lag"])
        return _stage(ready, self.taken(of["symbol"], of["lag"], of["into"]))

    def layer(self, gate: str) -> Stage:
        """The stage of a layer with weights: all of its sub-steps."""
        counts = [k for k, step in enumerate(self.steps, 1) if step.gate == gate]
        return {"ready": counts[0], "lit": counts}

    def made(self, symbol: str, lag: int = 0) -> Stage:
        """The stage of a state, an input or an operation: lit while it is made, or taken from the step's start."""
        ready = self.ready(symbol, lag)
        return _stage(ready, [] if ready else self.taken(symbol, lag))

    def node(self, select: dict[str, Any]) -> Stage:
        symbol, lag = select["symbol"], lag_of(select["t"])
        return self.layer(symbol) if f"Wx{symbol}" in self.made_by else self.made(symbol, lag)


def staged(scene: dict[str, Any], steps: Sequence[Substep]) -> dict[str, Any]:
    """The scene with a stage on each of its elements, and on each binding the sub-step that makes its number."""
    stages = Stages(tuple(steps))
    layers = {name: [_element(item, stages) for item in items] for name, items in scene["layers"].items()}
    return {**scene, "layers": layers}


def _element(item: Element, stages: Stages) -> Element:
    found = _bound({key: value for key, value in item.items() if key != "of"}, stages)
    if item["kind"] == "node":
        return found | {"stage": stages.node(item["select"])}
    return found | {"stage": stages.carried(item["of"])} if "of" in item else found


def _bound(value: Any, stages: Stages) -> Any:
    """The same, every binding and strip inside it with the sub-step from which on its number is there."""
    if isinstance(value, list):
        return [_bound(one, stages) for one in value]
    if not isinstance(value, dict):
        return value
    inside = {key: one if key == "select" else _bound(one, stages) for key, one in value.items()}
    if {"symbol", "t"} <= inside.keys():
        return inside | {"ready": stages.ready(inside["symbol"], lag_of(inside["t"]))}
    return inside


def lag_of(t: int | dict[str, int]) -> int:
    """How far a step of a scene is from the cursor's."""
    return t["rel"] if isinstance(t, dict) else 0


def _stage(ready: int, taken: list[int]) -> Stage:
    return {"ready": ready, "lit": [ready, *taken] if ready else taken}
