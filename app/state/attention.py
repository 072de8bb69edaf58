"""What is chosen on /attention."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from rnnscope.core import ATTENTION_INPUTS, COST_AXES, LARGEST_KEY, MASKS, POSITIONS, QUANTITIES, AttentionConfig

from .base import LabState

#: How many stages the way from the tokens to the output has; 0 is all of it at once.
STAGES = 7

KEYS = (
    "preset", "input", "text", "T", "d_model", "heads", "mask", "positions", "scale", "d_k", "cost", "axis", "seed",
    "t", "unit", "head", "substep", "theme", "embed", "lock", "hide",
)  # fmt: skip


class AttentionState(LabState):
    """A layer of self-attention that is drawn from a seed, and the tokens that it reads."""

    input = param.Selector(default="text", objects=list(ATTENTION_INPUTS), label="Tokens")
    text = param.String("hello", label="Text", doc="each character is a row of a drawn embedding")
    T = param.Integer(5, bounds=(1, 12), label="Tokens $T$")
    d_model = param.Integer(8, bounds=(2, 16), label="Size of a token $d_model$")
    heads = param.Integer(2, bounds=(1, 16), label="Heads", doc="they share d_model, so that they must divide it")
    mask = param.Selector(default="none", objects=list(MASKS), label="Mask")
    positions = param.Selector(default="none", objects=list(POSITIONS), label="Positions")
    scale = param.Selector(default="sqrt", objects=["sqrt", "none"], label="Products are divided by")
    d_k = param.Integer(64, bounds=(1, LARGEST_KEY), label="Size of queries and keys $d_k$")
    cost = param.Selector(default="multiply_adds", objects=list(QUANTITIES), label="Cost")
    axis = param.Selector(default="T", objects=list(COST_AXES), label="Against")
    t = param.Integer(1, bounds=(1, 12), label="Query", doc="the token that looks, counted from 1")
    unit = param.Integer(0, bounds=(0, 11), label="Key", doc="the token that is looked at, counted from 0")
    head = param.Integer(1, bounds=(1, 16), label="Head", doc="counted from 1")
    substep = param.Integer(0, bounds=(0, STAGES), label="Sub-step", doc="0 is the whole way at once")

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "a-set": {"text": "hello", "t": 3},
        "with-places": {"text": "hello", "positions": "sinusoidal", "t": 3},
        "learned-places": {"text": "hello", "positions": "learned", "t": 3},
        "no-future": {"text": "attention", "T": 9, "mask": "causal", "t": 3},
        "one-score-each": {"text": "hello", "heads": 8, "t": 3},
        "saturated": {"text": "hello", "d_k": 256, "d_model": 16, "heads": 1, "scale": "none", "t": 3},
    }
    LOOKS: ClassVar[frozenset[str]] = frozenset({"t", "unit", "head", "substep"})
    FOLLOWED: ClassVar[tuple[str, ...]] = ("t", "unit", "head", "substep")
    SETTINGS: ClassVar[frozenset[str]] = LabState.SETTINGS - {"cell"}
    SEGMENTS: ClassVar[frozenset[str]] = frozenset({"input", "mask", "positions", "scale", "axis"})
    MARKS: ClassVar[dict[str, tuple[float, ...]]] = {"d_k": (1, 64, 128, 192, 256)}

    @classmethod
    def names(cls) -> list[str]:
        return list(KEYS)

    @classmethod
    def limits(cls, values: dict[str, Any]) -> dict[str, int]:
        return {"t": values["T"], "unit": values["T"] - 1, "head": values["heads"]}

    @classmethod
    def misfits(cls, values: dict[str, Any]) -> list[tuple[str, str, str]]:
        size, heads = values["d_model"], values["heads"]
        return [("heads", str(heads), f"it takes a divisor of d_model = {size}.")] if size % heads else []

    @classmethod
    def usual(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Two heads, where they divide the token."""
        return {"heads": 1 if values["d_model"] % 2 else 2}

    def apply(self, changes: dict[str, Any]) -> None:
        """Another size keeps the heads where they divide it."""
        size = changes.get("d_model", self.d_model)
        if size % changes.get("heads", self.heads):
            changes = {**changes, **self.usual({"d_model": size})}
        super().apply(changes)

    def settle(self) -> None:
        T = self.steps()
        self._agree(T=T, t=min(self.t, T), unit=min(self.unit, T - 1), head=min(self.head, self.heads))

    def control_settings(self) -> dict[str, dict[str, Any]]:
        return {
            "T": {"disabled": self.typed()},
            "text": {"gone": not self.typed()},
            "heads": {"max": self.d_model},
            "t": {"max": self.T},
            "head": {"max": self.heads, "gone": self.heads == 1},
        }

    def config(self) -> AttentionConfig:  # type: ignore[override]
        return AttentionConfig(
            T=self.T,
            d_model=self.d_model,
            heads=self.heads,
            input=self.input,
            text=self.text if self.typed() else None,
            seed=self.seed,
            mask=self.mask,
            positions=self.positions,
            scaled=self.scale == "sqrt",
        )
