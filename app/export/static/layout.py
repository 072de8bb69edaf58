"""The layout of a static copy: that of the page without what only Python can answer.

A control of a key that does not move is written out: its name and its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...controls import describe, option_words, shown_values
from ...diagrams.scene import MINUS
from ...values import finite
from ..errors import CannotExport
from .axes import Axis
from .record import copied_details

if TYPE_CHECKING:
    from ...labs.base import Lab

#: Parts that are nothing without an answer of Python.
ASKING = frozenset({"inputAt", "typed", "surgery", "surgeryNote", "memoryText"})
#: What a page has beside its controls, and a copy has not.
BUTTONS = ("share", "embed", "badge")

#: Parts that move a key by what is clicked in them.
MOVED_BY = {"memory": "output"}

Part = dict[str, Any]


def drawn_charts(lab: Lab) -> list[str]:
    """The charts that stand in for the figures of the page."""
    return [part["chart"] for part in parts([*lab.cards(), *lab.rail()]) if part["kind"] == "figure"]


def parts(given: Any) -> Iterator[Part]:
    """Every part, however deep it stands."""
    if isinstance(given, Mapping):
        if "kind" in given:
            yield dict(given)
        given = list(given.values())
    if isinstance(given, list):
        for one in given:
            yield from parts(one)


@dataclass(frozen=True)
class Layout:
    """What the page is made of, and the titles of the cards that it has not."""

    content: dict[str, Any]
    missing: tuple[str, ...]


def static_layout(lab: Lab, axes: Sequence[Axis]) -> Layout:
    """The layout of `lab` with only those controls whose key an axis has, or that the page paints alone."""
    editor = _Editor(lab, axes)
    cards = [card for card in map(editor.card, lab.cards()) if card]
    rail = [block for block in map(editor.block, lab.rail()) if block]
    _check_controls(lab, axes, [cards, rail])
    kept = {key: one for key, one in lab.view.layout.items() if key != "embedding"}
    layout = kept | {"cards": cards, "rail": rail, "details": list(copied_details(lab))}
    layout |= {"controls": _controls(lab, axes), "locked": editor.fixed_keys(), "hidden": [*layout["hidden"], *BUTTONS]}
    return Layout(layout, tuple(editor.missing))


def _check_controls(lab: Lab, axes: Sequence[Axis], kept: Any) -> None:
    """Raise `CannotExport` for a varied key that no control of the copy moves; one that hide= names has none."""
    moved = {part.get("key") or MOVED_BY.get(part["kind"]) for part in parts(kept)} | set(lab.state.hide.split(","))
    for axis in axes:
        if axis.varied and axis.key not in moved:
            raise CannotExport(f"--vary {axis.key}: a static copy has no control that moves it")


def _controls(lab: Lab, axes: Sequence[Axis]) -> dict[str, Any]:
    """What the controls of the copy offer: of a key that moves its values alone."""
    found = describe(lab.state)
    return found | {axis.key: _offer(found[axis.key], axis) for axis in axes if axis.key in found}


def _offer(control: dict[str, Any], axis: Axis) -> dict[str, Any]:
    if control["kind"] in ("choice", "segments"):
        words = dict(control["options"])
        return control | {"options": [[text, words[text]] for text in axis.texts]}
    if control["kind"] != "slider":
        return control | {"kind": "choice", "options": [[text, text or "none"] for text in axis.texts]}
    low, high = min(axis.values), max(axis.values)
    marks = [mark for mark in control["marks"] if low <= mark <= high]
    return control | {"min": low, "max": high, "step": even_step(axis.values) or "any", "marks": marks, "none": False}


def even_step(values: Sequence[float]) -> float | None:
    """The distance of neighbours, where it is the same everywhere."""
    step = (values[-1] - values[0]) / max(1, len(values) - 1)
    even = all(abs(values[0] + k * step - value) < 1e-9 for k, value in enumerate(values))
    return round(step, 12) if even and step > 0 else None


class _Editor:
    """Walks a layout; notes what has to go."""

    def __init__(self, lab: Lab, axes: Sequence[Axis]):
        self.lab = lab
        self.moving = {axis.key for axis in axes}
        self.painted = lab.state.PAINTED - set(lab.state.locked())
        self.copied, self.missing = copied_details(lab), list[str]()
        self.specs, self.shown = describe(lab.state), shown_values(lab.state)

    def fixed_keys(self) -> list[str]:
        """Keys that stay as they are: whatever on the page would set one of them is at rest."""
        return [key for key in self.lab.state.names() if key not in self.moving | self.painted]

    # --- cards ----------------------------------------------------------------------------------

    def card(self, card: Part) -> Part | None:
        for inside in ("row", "column"):
            if inside in card:
                kept = [one for one in map(self.card, card[inside]) if one]
                return card | {inside: kept} if len(kept) > 1 else next(iter(kept), None)
        if any(part.get("detail") not in (None, *self.copied) for part in parts(card["body"])):
            self.missing.append(card["title"])
            return None
        body = self.items(card["body"])
        if not body or (any(part["kind"] == "surgeryWhen" for part in body) and not self.lab.state.surgery):
            return None
        steps = card.get("steps")
        unmoved = steps and ("moment" if steps == "moment" else "t") not in self.moving
        return {key: one for key, one in card.items() if not (key == "steps" and unmoved)} | {"body": body}

    def block(self, block: Part) -> Part | None:
        items = self.items(block["items"])
        return block | {"items": items} if items else None

    # --- parts ----------------------------------------------------------------------------------

    def items(self, given: Sequence[Part]) -> list[Part]:
        """The parts that stay; controls that do not move, one after the other, become one list of names and values."""
        kept: list[Part] = []
        for part in given:
            made = self.part(part)
            if made and made["kind"] == "fixed" and kept and kept[-1]["kind"] == "fixed":
                kept[-1] = kept[-1] | {"rows": kept[-1]["rows"] + made["rows"]}
            elif made:
                kept.append(made)
        return kept

    def part(self, part: Part) -> Part | None:
        """A part as the copy has it, or nothing."""
        edit = {"group": self._group, "control": self._control, "typed": self._control, "presets": self._claim}
        kind = part["kind"]
        if kind in edit:
            return edit[kind](part)
        if kind in ASKING or (kind == "substepBar" and "substep" not in self.moving):
            return None
        return part | {"kind": "chart"} if kind == "figure" else part

    def _group(self, part: Part) -> Part | None:
        inner = self.items(part["parts"])
        return part | {"parts": inner} if inner else None

    def _control(self, part: Part) -> Part | None:
        moves = part["key"] in self.moving | self.painted
        return {"kind": "control", "key": part["key"]} if moves else self.written(part["key"])

    def _claim(self, part: Part) -> Part | None:
        """Of the presets what is to be seen at the chosen one."""
        return {"kind": "text", "id": part["id"], "cls": "claim"} if self.lab.state.preset else None

    def written(self, key: str) -> Part | None:
        """A control that does not move, as its name and its value; a look that nothing follows says nothing."""
        setting, spec = self.shown["settings"].get(key, {}), self.specs[key]
        if setting.get("gone") or key in {*self.lab.state.hide.split(","), *self.lab.state.LOOKS}:
            return None
        said = value_words(spec, key, self.shown["values"][key])
        return {"kind": "fixed", "rows": [[spec["label"], said or "none"]]}


def value_words(spec: Part, key: str, text: str) -> str:
    """A value for reading: choices by their names, numbers with a true minus and with room between them."""
    if "options" in spec:
        return ", ".join(option_words(key, choice) for choice in text.split(","))
    numbers = [part.strip() for part in text.split(",")]
    if all(finite(number) is not None for number in numbers):
        return ", ".join(number.replace("-", MINUS) for number in numbers)
    return text
