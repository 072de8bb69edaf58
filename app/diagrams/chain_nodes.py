"""Nodes and gradient labels of the unfold lab, with what they show for numbers, vectors and characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rnnscope.core.notation import Notation, find_notation

from .geometry import Point
from .parts import MOST_CELLS, ValueNode, box, fits_strip, node, strip
from .scene import PARTIAL, Element, Run, Scene, When, binding, step_number, symbol, text, value, words

# The weights by the names that wires and highlighting use, and as the core calls them.
ARRAYS = {"U": "W_xh", "W": "W_hh", "V": "W_hy"}

# Vectors of up to this many inputs are listed in full: an input has no unit to follow.
MOST_LISTED = 3

# What follows the last character of a text.
END = "end"


@dataclass(frozen=True)
class Chain:
    """What is drawn: T steps of a network with n units and d inputs."""

    T: int
    n: int = 1
    d: int = 1
    characters: str | None = None
    notation: str = "goodfellow"
    target_characters: str | None = None
    class_target: bool = False
    # The folded circuit prints the letter t where a copy prints its number.
    letter_t: bool = False
    # One output and one loss, at the last step.
    only_last: bool = False

    def named(self, base: str, t: When, **looks: Any) -> list[Run]:
        """The symbol of a node."""
        return symbol(base, sub="t", **looks) if self.letter_t else symbol(base, t, **looks)

    @property
    def steps(self) -> range:
        return range(1, self.T + 1)

    def has_output(self, t: int) -> bool:
        return not self.only_last or t == self.T

    @property
    def letters(self) -> Notation:
        return find_notation(self.notation, gated=False)

    def weight(self, weight: str, array: str | None = None) -> tuple[str, str | None]:
        """Letter and subscript of the weight that the product calls U (in), W (recurrent) or V (out)."""
        return self.letters.weights[array or ARRAYS[weight]]

    @property
    def target_letter(self) -> tuple[str, str | None]:
        """y, or y* in a notation that writes y for the output."""
        return "y", "*" if self.letters.output == "y" else None

    @property
    def has_strips(self) -> bool:
        return fits_strip(self.n)

    @property
    def state_width(self) -> float:
        return 94 if self.has_strips else 80

    @property
    def output_unit(self) -> dict[str, str] | None:
        """Which output a step shows: the target's class, or the cursor's unit."""
        return {"from": "target"} if self.class_target or self.characters is not None else None

    def initial_state(self, x: float, y: float, width: float, height: float) -> ValueNode:
        bound, description = binding("h", 0), words("initial hidden state")
        return ValueNode(
            "h0",
            x,
            y,
            "hidden",
            symbol("h", 0),
            bound,
            description,
            width=width,
            height=height,
            ghost=True,
            units=self.n,
        )

    def state(self, t: When, x: float, y: float, width: float | None = None, height: float = 64) -> ValueNode:
        return ValueNode(
            node_id("h", t), x, y, "hidden", self.named("h", t), binding("h", t), at_step("hidden state", t),
            width=width or self.state_width, height=height, units=self.n,
        )  # fmt: skip

    def output(self, t: When, x: float, y: float, width: float = 80) -> ValueNode:
        name, bound = self.named(self.letters.output, t), binding("y", t, self.output_unit)
        return ValueNode(node_id("y", t), x, y, "output", name, bound, at_step(self._output_name, t), "output", width)

    @property
    def _output_name(self) -> str:
        return "output for the target" if self.output_unit else "output"

    def input(self, t: When, x: float, y: float, width: float | None = None) -> Element | ValueNode:
        common = (node_id("x", t), x, y, "input", self.named("x", t))
        if self.characters is not None:
            return ValueNode(
                *common, binding("x", t), at_step("input", t), "input", width or 80, glyphs=quoted(self.characters, t)
            )
        if self.d == 1:
            return ValueNode(*common, binding("x", t), at_step("input", t), "input", width or 80)
        return VectorNode(*common, binding("x", t, 0), at_step("input", t), width or 100, self.d)

    def loss(self, t: When, x: float, y: float, width: float = 96) -> Element:
        """The loss over its target: neutral, because it carries no state."""
        letter, sup = self.target_letter
        loss_symbol, target_symbol = self.named("L", t, size=15), self.named(letter, t, size=15, sup=sup)
        target = binding("target", t, None)
        shown = value(target)
        if self.characters is not None:
            shown = [run | {"value": target} for run in quoted(self.target_characters or self.characters[1:], t, END)]
        # The compact box is narrow; 11.8 px is still 11 on a 360 px screen.
        small, margins = ((7, 11.8), (7, 5)) if width < 96 else ((7, 12), (10, 8))
        left, right = x - width / 2 + margins[0], x + width / 2 - margins[1]
        children = [
            *box(x, y, width, 48, 8),
            text(left, y - 5, loss_symbol), text(right, y - 5, value(binding("L", t), small=small), "end"),
            text(left, y + 14, target_symbol),
            text(right, y + 14, [run | {"small": [*small]} for run in shown], "end", "ink2"),
        ]  # fmt: skip
        name = [*loss_symbol, *words(" "), *value(binding("L", t)), *words(" "), *target_symbol, *words(" "), *shown]
        name += [*words(", "), *at_step("loss and target", t)]
        return node(node_id("L", t), "k-loss", (x, y), children, name=name, select=binding("L", t))


@dataclass(frozen=True)
class VectorNode:
    """An input of several numbers: listed when there are few and it is not `short`, else a strip and their count."""

    id: str
    x: float
    y: float
    role: str
    symbol: list[Run]
    value: dict[str, Any]
    description: list[Run]
    width: float
    count: int
    height: float = 64
    short: bool = False

    def element(self) -> Element:
        """The node, ready for the layer `node`."""
        numbers = self._numbers() if self._listed else words(f"{self.count} numbers")
        name = [*self.symbol, *words(" "), *numbers, *words(", "), *self.description]
        children = [*box(self.x, self.y, self.width, self.height, 4), *self._content()]
        return node(self.id, f"r-{self.role} k-input", (self.x, self.y), children, name=name, select=self.value)

    @property
    def _listed(self) -> bool:
        return self.count <= MOST_LISTED and not self.short

    def _numbers(self) -> list[Run]:
        runs: list[Run] = []
        for unit in range(self.count):
            runs += [*words(" " if unit else ""), *value(self._component(unit))]
        return runs

    def _component(self, unit: int) -> dict[str, Any]:
        return binding(self.value["symbol"], self.value["t"], unit)

    def _content(self) -> list[Element]:
        if not self._listed:
            return self._summary()
        left, top, pitch = self.x - self.width / 2, self.y - 26, 53 / self.count
        roomy = self.width >= 100
        cells = [strip((left + 33, top, 13, 53), self.value, self.count, frame=False)] if roomy else []
        rows = [
            text(
                left + self.width - (6 if roomy else 5),
                top + (unit + 0.5) * pitch + 4,
                value(self._component(unit), 12, small=None if roomy else (7, 11.8)),
                "end",
            )
            for unit in range(self.count)
        ]
        return [text(left + (11 if roomy else 6), self.y + 5, self.symbol, style="t"), *cells, *rows]

    def _summary(self) -> list[Element]:
        if self.height < 44:
            runs = [*self.symbol, *words(f"  {self.count} numbers", 12)]
            return [text(self.x, self.y + 4.5, runs, "middle")]
        lines = [
            text(self.x, self.y - 11, self.symbol, "middle", "t"),
            text(
                self.x,
                self.y + 9,
                words(f"{self.count} numbers" if self.width > 64 else f"d = {self.count}", 12),
                "middle",
                "ink2",
            ),
        ]
        if self.count <= MOST_CELLS:
            half = min(31.5, self.width / 2 - 6)
            lines.append(
                strip((self.x - half, self.y + 15, 2 * half, 10), self.value, self.count, across=True, frame=False)
            )
        return lines


def quoted(characters: str, t: When, *after: str) -> list[Run]:
    """The character of step t, in quotes; `after` stands past the last one."""
    glyphs = [f"\N{LEFT DOUBLE QUOTATION MARK}{c}\N{RIGHT DOUBLE QUOTATION MARK}" for c in characters]
    return [{"glyphs": [*glyphs, *after], "t": t, "class": "num", "size": 13}]


def node_id(base: str, t: When) -> str:
    """h3, or h in a diagram that follows the cursor."""
    return base if isinstance(t, dict) else f"{base}{t}"


def at_step(what: str, t: When) -> list[Run]:
    """Such as "hidden state at step 3"."""
    return [*words(f"{what} at step "), step_number(t, 13, "txt")]


def gradient_number(
    scene: Scene, name: str, t: When, at: Point, anchor: str = "start", unit: dict[str, str] | None = None
) -> None:
    """The gradient that a backward wire carries; t is the step of the node that receives it."""
    scene.add("label", text(*at, value(binding(name, t, unit), 12), anchor, "grad backward"))


def gradient_total(scene: Scene, t: When, at: Point, anchor: str = "start", *, stacked: bool = False) -> None:
    """All that arrives at a state: the gradient of the loss with respect to it."""
    name = [*words(PARTIAL, 12, "up"), *symbol("L", size=13), *words("/" + PARTIAL, 12, "up"), *symbol("h", t, size=13)]
    number = value(binding("dh", t), 12)
    lines = [name, number] if stacked else [[*name, *words("  "), *number]]
    for k, runs in enumerate(lines):
        scene.add("label", text(at[0], at[1] + 15 * k, runs, anchor, "grad backward"))
