"""Operations on a run <-> their text in a query string: `surgery=f:1,i@3:0,cut@5,x@2:0.5,x@4:del`. Pure, no Panel.

f:1         gate f held at 1 at every step
f@3:0       only at step 3
f.1@3:0     only unit 1 of it, counted from 0 as `unit` is
cut@5       the recurrent weights see zeros in place of h_4
x@2:0.5     the input of step 2 is 0.5; x.1@2:0.5 its component 1
x@4:del     the input of step 4 is deleted: 0
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from rnnscope.core import DELETED, Clamp, InputEdit, Surgery

from .values import either, finite, shorten, write_value

#: More than anyone lays by hand; a longer list is a mistake.
MOST_OPERATIONS = 64
ACCEPTED = "it takes operations separated by commas, as in f:1,i@3:0,cut@5,x@2:0.5,x@4:del"
_OPERATION = re.compile(r"(?P<name>[a-z]+)(?:\.(?P<part>\d{1,4}))?(?:@(?P<step>\d{1,6}))?(?::(?P<value>[^:@]+))?")
_T = TypeVar("_T", Clamp, InputEdit)


def canonical(text: str, gates: tuple[str, ...]) -> str:
    """The same operations as they are written back: what a later one undoes is left out."""
    return write(parse(text, gates))


def parse(text: str, gates: tuple[str, ...]) -> Surgery:
    """The operations that `text` means for a cell with these gates; ValueError says which is wrong and why."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > MOST_OPERATIONS:
        raise ValueError(f"it has {len(parts):,} operations and takes up to {MOST_OPERATIONS}.")
    found = [_operation(part, gates) for part in parts]
    clamps = [one for one in found if isinstance(one, Clamp)]
    inputs = [one for one in found if isinstance(one, InputEdit)]
    cuts = {one for one in found if isinstance(one, int)}
    return Surgery(_lasting(clamps, _hides_clamp), tuple(sorted(cuts)), _lasting(inputs, _hides_input))


def _operation(part: str, gates: tuple[str, ...]) -> Clamp | InputEdit | int:
    match = _OPERATION.fullmatch(part.replace("−", "-"))
    if match is None:
        raise ValueError(f"{shorten(part)} is no operation; {ACCEPTED}.")
    name, unit, step, value = match["name"], match["part"], match["step"], match["value"]
    if step is not None and int(step) == 0:
        raise ValueError(f"{shorten(part)} is at step 0; steps begin at 1.")
    at = None if step is None else int(step)
    if name == "cut":
        return _cut(part, unit, at, value)
    if name == "x":
        return _input(part, unit, at, value)
    return _clamp(part, gates, name, unit, at, value)


def _cut(part: str, unit: str | None, step: int | None, value: str | None) -> int:
    if unit is not None or value is not None or step is None:
        raise ValueError(f"{shorten(part)} is no operation; a cut is written cut@5.")
    return step


def _input(part: str, unit: str | None, step: int | None, value: str | None) -> InputEdit:
    if step is None or value is None:
        raise ValueError(f"{shorten(part)} is no operation; an input is written x@2:0.5 or x@4:del.")
    number = DELETED if value == "del" else finite(value)
    if number is None:
        raise ValueError(f"{shorten(part)} has the value {value}; an input takes a number or del.")
    return InputEdit(step, number, None if unit is None else int(unit))


def _clamp(part: str, gates: tuple[str, ...], name: str, unit: str | None, step: int | None, text: str | None) -> Clamp:
    if name not in gates:
        known = [*gates, "cut", "x"]
        raise ValueError(f"{shorten(part)} names {name}; it takes {either(known)}.")
    low = lowest(name)
    value = None if text is None else finite(text)
    if value is None or not low <= value <= 1:
        raise ValueError(f"in {shorten(part)} the value of {name} goes from {low} to 1, as in {name}@3:0.")
    return Clamp(name, step, value, None if unit is None else int(unit))


def lowest(gate: str) -> int:
    """The lowest value of a gate: 0, and −1 of the candidate; the highest is 1."""
    return -1 if gate == "g" else 0


def _lasting(found: list[_T], hides: Callable[[_T, _T], bool]) -> tuple[_T, ...]:
    """Leave out what a later operation hides altogether."""
    return tuple(one for i, one in enumerate(found) if not any(hides(later, one) for later in found[i + 1 :]))


def _hides_clamp(later: Clamp, one: Clamp) -> bool:
    same_place = later.step in (None, one.step) and later.unit in (None, one.unit)
    return later.gate == one.gate and same_place


def _hides_input(later: InputEdit, one: InputEdit) -> bool:
    return later.step == one.step and later.component in (None, one.component)


# --- back to text ----------------------------------------------------------------------------


def write(surgery: Surgery) -> str:
    return ",".join(text for text, _ in operations(surgery))


def operations(surgery: Surgery) -> list[tuple[str, Clamp | InputEdit | int]]:
    """Every operation with its own text, in the order in which they are written."""
    found: list[tuple[str, Clamp | InputEdit | int]] = [(_clamp_text(clamp), clamp) for clamp in surgery.clamps]
    found += [(f"cut@{step}", step) for step in surgery.cuts]
    return found + [(_input_text(edit), edit) for edit in surgery.inputs]


def _clamp_text(clamp: Clamp) -> str:
    return f"{clamp.gate}{_part(clamp.unit)}{'' if clamp.step is None else f'@{clamp.step}'}:{write_value(clamp.value)}"


def _input_text(edit: InputEdit) -> str:
    value = "del" if isinstance(edit.value, str) else write_value(edit.value)
    return f"x{_part(edit.component)}@{edit.step}:{value}"


def _part(index: int | None) -> str:
    return "" if index is None else f".{index}"


# --- what fits a run -------------------------------------------------------------------------


@dataclass(frozen=True)
class Room:
    """How large a run is: T steps, n units, d inputs."""

    T: int
    n: int
    d: int


def fitting(text: str, gates: tuple[str, ...], room: Room) -> tuple[str, list[tuple[str, str]]]:
    """The operations that a run has room for, and the others with the reason."""
    found = operations(parse(text, gates))
    misfits = [(written, why) for written, one in found if (why := _misfit(one, room))]
    wrong = {written for written, _ in misfits}
    return ",".join(written for written, _ in found if written not in wrong), misfits


def _misfit(one: Clamp | InputEdit | int, room: Room) -> str:
    """Why an operation does not fit, or nothing."""
    step = one if isinstance(one, int) else one.step
    if step is not None and step > room.T:
        return f"the run has {_count(room.T, 'step')}."
    if isinstance(one, Clamp) and (one.unit or 0) >= room.n:
        return f"the cell has {_count(room.n, 'unit')}, counted from 0."
    if isinstance(one, InputEdit) and (one.component or 0) >= room.d:
        return f"the input has {_count(room.d, 'component')}, counted from 0."
    return ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def room_of(values: dict[str, Any], letters: int) -> Room:
    """The room of a state's values; `letters` is the input size of a text."""
    d = {"text": letters, "values": 1}.get(values["input"], values["d"])
    return Room(values["T"], values["n"], d)
