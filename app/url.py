"""Query string <-> state. Pure: no Panel, no side effect; each key is checked alone."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, quote

from rnnscope.core import ALPHABET_SIZE

from . import change_text, surgery_text
from .state import LabState, Operations
from .values import NONE, SHOWN_CHARACTERS, either, parse, shorten, write_value

#: What lock= and hide= may name beside the keys.
BUTTONS = ("reset", "share")
#: How a typed input is called where its length is said.
KINDS = {"text": "the text has", "values": "the typed values have"}
#: Keys whose length is a number of steps, and what they are made of.
SEQUENCES = {"text": "characters", "values": "numbers", "target": "numbers"}


@dataclass(frozen=True)
class Notice:
    """What was wrong with one key, what is accepted, and what is used instead."""

    key: str
    value: str
    accepted: str
    used: str

    @property
    def message(self) -> str:
        return f"{self.key} = {shorten(self.value)} is not accepted: {self.accepted} {self.used}"


def check(state: type[LabState], key: str, text: str) -> Any:
    """Parse, then apply the rules of the keys whose meaning goes beyond their type."""
    value = parse(state, key, text)
    if key == "preset" and value not in state.PRESETS:
        raise ValueError(f"it takes {either(list(state.PRESETS))}.")
    if key == "change":
        return change_text.canonical(value)
    if isinstance(state.param[key], Operations):
        return surgery_text.canonical(value, state.param[key].gates)
    if key in SEQUENCES:
        shortest, longest = state.param["T"].bounds
        if not shortest <= len(value) <= longest:
            raise ValueError(f"it has {len(value):,} {SEQUENCES[key]} and takes {shortest} to {longest}.")
    return value


def keys_of(query: str) -> dict[str, str]:
    """The keys of a query string and their texts, empty ones too; of a key that is there twice the last."""
    return dict(parse_qsl(query.lstrip("?"), keep_blank_values=True))


# --- the whole query -------------------------------------------------------------------------


def read(state: type[LabState], query: Mapping[str, str]) -> tuple[dict[str, Any], list[Notice]]:
    """Values for the state and notices about what was not accepted. Good keys are kept."""
    good: dict[str, Any] = {}
    notices: list[Notice] = []
    for key, text in query.items():
        if key not in state.names():
            notices += _near_miss(state, key, text)
            continue
        try:
            good[key] = check(state, key, text)
        except ValueError as error:
            notices.append(Notice(key, text, str(error), _used(state, key)))
    return _combine(state, good, notices), notices


def _used(state: type[LabState], key: str, usual: Mapping[str, Any] = MappingProxyType({})) -> str:
    default = write_value(usual.get(key, state.param[key].default))
    if not default:
        return "It is left out."
    return f"The default, {default}, is used." if len(default) < SHOWN_CHARACTERS else "The default is used."


def _near_miss(state: type[LabState], key: str, text: str) -> list[Notice]:
    """A likely typing error of a known key, named; other unknown keys belong to the page around us."""
    close = difflib.get_close_matches(key.lower(), [k for k in state.names() if len(k) > 2], n=1, cutoff=0.75)
    if len(key) <= 2 or not close:
        return []
    return [Notice(key, text, f"there is no such key; did you mean {close[0]}?", "It is left out.")]


def _combine(state: type[LabState], good: dict[str, Any], notices: list[Notice]) -> dict[str, Any]:
    """Preset first, then the other keys; a typed input implies its kind, and its length is T."""
    values = {**state.PRESETS.get(good.get("preset", ""), {}), **good}
    for kind in ("text", "values"):
        if kind in good and "input" not in good:
            values["input"] = kind
    for explain in (
        _explain_names,
        _explain_misplaced,
        _explain_misfits,
        _explain_loss,
        _explain_scalars,
        _explain_lengths,
        _explain_surgery,
        _explain_change,
        _explain_selection,
    ):
        explain(state, good, values, notices)
    return values


def _explain_names(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """lock= and hide= name keys: what is no key is said, the others hold."""
    for key in ("lock", "hide"):
        names = [name.strip() for name in good.get(key, "").split(",") if name.strip()]
        unknown = [name for name in names if name not in state.names() and name not in BUTTONS]
        if unknown:
            notices.append(Notice(key, unknown[0], "there is no such key in this lab.", "It is left out."))
        if key in good:
            values[key] = ",".join(name for name in names if name not in unknown)


def _explain_misplaced(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """A key of one kind of cell, or of one pattern, says nothing about another."""
    for key, (other, fitting) in state.misplaced({**state.defaults(), **values}).items():
        if key in good:
            accepted = f"it goes with {other} = {either(list(fitting))}."
            notices.append(Notice(key, write_value(good[key]), accepted, "It is left out."))
            values.pop(key)


def _explain_misfits(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """What a lab cannot use beside the other keys: its default stands in for it."""
    whole = {**state.defaults(), **values}
    for key, text, accepted in state.misfits({**whole, **state.usual(whole), **values}):
        if key in good:
            notices.append(Notice(key, text, accepted, _used(state, key, state.usual(whole))))
        values.pop(key, None)


def _explain_loss(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """Characters go with the cross-entropy, numbers with the squared error."""
    kind = state.kind_of(values)
    fitting = "cross_entropy" if kind == "text" else "squared"
    if good.get("loss", fitting) != fitting:
        accepted = "cross_entropy goes with text, squared with numbers."
        notices.append(Notice("loss", good["loss"], accepted, f"{fitting} is used."))
        values["loss"] = fitting


def _explain_selection(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """A step, unit or lag outside the run is said; the nearest one is shown."""
    for key, last in state.limits({**state.defaults(), **values}).items():
        if key in good and good[key] > last:
            accepted = f"it takes an integer from {state.param[key].bounds[0]} to {last} here."
            notices.append(Notice(key, str(good[key]), accepted, f"{key} = {last} is used."))
        if key in values:
            values[key] = min(values[key], last)


def _explain_scalars(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """U, W, V, b, c, h0 mean something only where every matrix is one number."""
    kind = state.kind_of(values)
    plain = values.get("cell", state.param["cell"].default) == "rnn"
    one_by_one = plain and values.get("n", 1) == 1 and kind != "text" and (kind == "values" or values.get("d", 1) == 1)
    for key in state.SCALARS:
        if key in good and not one_by_one:
            accepted = "it replaces a drawn weight only where n = d = 1."
            notices.append(Notice(key, write_value(good[key]), accepted, "It is left out."))
            values.pop(key)


def _typed_steps(state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], kind: str) -> int:
    """The length of a typed input, or 0: values that are the lab's own give way to a T that is asked for."""
    if kind not in ("text", "values") or (kind == "values" and "values" not in good and "T" in good):
        return 0
    return len(values.get(kind, state.param[kind].default))


def _explain_lengths(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """A typed input has its own length: a T or a target list that contradicts it is said, and gives way."""
    kind = state.kind_of(values)
    steps = _typed_steps(state, good, values, kind) or values.get("T", state.param["T"].default)
    if good.get("T", steps) != steps:
        notices.append(Notice("T", str(good["T"]), f"{KINDS[kind]} {steps} steps.", f"T = {steps} is used."))
    values["T"] = steps
    if kind in ("text", "values") and good.get("d", 1) != 1:
        notices.append(Notice("d", str(good["d"]), f"typed {kind} have an input size of their own.", "It is left out."))
        values.pop("d")
    if "target" in good and kind != "text" and len(good["target"]) != steps:
        count = len(good["target"])
        accepted = f"it has {count} numbers, the run has {steps} steps."
        used = "The rest is 0." if count < steps else f"The first {steps} are used."
        notices.append(Notice("target", write_value(good["target"]), accepted, used))


def _explain_surgery(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """An operation that the run has no room for is said and left out; the others hold."""
    if not good.get("surgery"):
        return
    room = surgery_text.room_of({**state.defaults(), **values}, ALPHABET_SIZE)
    values["surgery"], misfits = surgery_text.fitting(good["surgery"], state.param["surgery"].gates, room)
    notices += [Notice("surgery", text, why, "It is left out.") for text, why in misfits]


def _explain_change(
    state: type[LabState], good: Mapping[str, Any], values: dict[str, Any], notices: list[Notice]
) -> None:
    """A changed input that the run does not have is said and left out."""
    if "change" not in good:
        return
    why = change_text.misfit(good["change"], state.kind_of(values), values["T"])
    if why:
        notices.append(Notice("change", good["change"], why, "It is left out."))
        values["change"] = ""


def write(state: LabState) -> str:
    """The shortest query string that brings `state` back; numbers as a person writes them."""
    defaults = state.defaults()
    base = {**defaults, **state.usual(state.values_of()), **state.PRESETS.get(state.preset, {})}
    for key, last in state.limits(state.values_of()).items():
        base[key] = min(base.get(key, 0), last)
    if "target" in base:
        base["target"] = (base["target"] + (0.0,) * state.T)[: state.T]
    if state.input != "text" and _belongs(state, "text") and state.text != base["text"]:
        base["input"] = "text"  # which a text in a link stands for, unless the link says otherwise
    pairs = []
    for key, value in state.values_of().items():
        if key == "preset" and value:
            pairs.insert(0, (key, value))
        elif _belongs(state, key) and value != base[key]:
            pairs.append((key, write_value(value) or NONE))
    return "&".join(f"{key}={quote(text, safe=',.-~:@')}" for key, text in pairs)


def _belongs(state: LabState, key: str) -> bool:
    """Whether a key says something about this state: e.g. `text` only where the input is text."""
    if key in ("text", "values"):
        return state.kind() == key or (key == "text" and state.TEXT_BESIDE)
    if key == "T":
        return not state.typed() and state.has(key)
    if not state.has(key):
        return False
    if key in state.SCALARS:
        return state.scalar_weights()
    return key not in ("target", "loss") or state.kind() != "text"


def query_from_arguments(arguments: Mapping[str, list[bytes]]) -> dict[str, str]:
    """The last value of every key of a request, as text; bytes that are no UTF-8 show as U+FFFD."""
    return {key: values[-1].decode("utf-8", "replace") for key, values in arguments.items() if values}
