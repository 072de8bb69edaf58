"""The arguments of a lab in Python: a query string's keys by name, as Python values, and arrays of one's own. No Panel.

What a link would only remark on is an error here: who writes code wants to know at once.
"""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import param
from rnnscope.core import Given

from . import url
from .state import LabState, Numbers, Subset
from .state.given import DRAWN, TAKES, given_state
from .values import NONE, optional

#: Names in full, of keys that are one letter.
ALIASES = {"hidden_size": "n", "input_size": "d", "steps": "T"}
#: One's own arrays; `cell`, `h0` and `loss` are keys of some labs too.
ARRAYS = ("cell", "xs", "targets", "loss", "h0", "c0")
TYPES: tuple[tuple[type, type], ...] = (
    (Numbers, tuple), (Subset, tuple), (param.Boolean, bool), (param.Integer, int), (param.Number, float),
    (param.String, str), (param.Selector, str),
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What a lab is to show: its state, the keys that were named, and notices about those that were not accepted."""

    state: LabState
    named: frozenset[str]
    notices: list[str]
    strict: bool


def read(lab: str, state: type[LabState], query: Mapping[str, str] | str | None, given: Mapping[str, Any]) -> Asked:
    """Read a lab's query string and its keyword arguments.

    Raises
    ------
    TypeError
        For an argument that the lab does not have, and for what is given twice or in part.
    ValueError
        For a value that is not accepted; names the argument, the value and what is accepted.
    """
    arrays, named = own_arrays(lab, given)
    keys = _keys(lab, state, named, own=arrays is not None)
    texts = {key: _text(state, key, value, spelled) for key, (spelled, value) in keys.items()}
    asked = url.keys_of(query) if isinstance(query, str) else dict(query or {})
    if arrays is not None:
        asked = {key: text for key, text in asked.items() if key not in DRAWN}
    kind = state if arrays is None else given_state(state, arrays, lab)
    values, notices = url.read(kind, asked | texts)
    for notice in notices:
        if notice.key in keys:
            raise ValueError(_refusal(*keys[notice.key], notice.accepted))
    made = kind()
    made.apply(values)
    return Asked(made, frozenset(asked | texts), [notice.message for notice in notices], strict=bool(given))


def _refusal(name: str, value: Any, accepted: str) -> str:
    return f"{name} = {value!r} is not accepted: {accepted}"


# --- arrays ----------------------------------------------------------------------------------


def own_arrays(lab: str, given: Mapping[str, Any]) -> tuple[Given | None, dict[str, Any]]:
    """The user's own cell and inputs, if these are given, and the arguments that are left."""
    cell, rest = given.get("cell"), dict(given)
    if "xs" not in given and (cell is None or isinstance(cell, str)):
        return None, rest
    if cell is None or isinstance(cell, str) or "xs" not in given:
        missing = "xs, the inputs (T, d)," if "xs" not in given else "cell, an RNN, LSTM or GRU of rnnscope.core,"
        raise TypeError(f"{lab}(cell=…, xs=…) takes both: {missing} is missing")
    if not hasattr(cell, "W_hh"):
        raise TypeError(f"cell must be an RNN, LSTM or GRU of rnnscope.core, got {type(cell).__name__}")
    arrays = {name: rest.pop(name) for name in ARRAYS if name in rest}
    return Given(**arrays), rest


# --- keys ------------------------------------------------------------------------------------


def _keys(lab: str, state: type[LabState], given: Mapping[str, Any], own: bool) -> dict[str, tuple[str, Any]]:
    """Key -> how the caller spelled it, and the value."""
    found: dict[str, tuple[str, Any]] = {}
    for name, value in given.items():
        key = ALIASES.get(name, name)
        if key not in state.names():
            raise TypeError(_unknown(lab, state, name))
        if key in found:
            raise TypeError(f"{found[key][0]} and {name} are the same argument of {lab}: give one of them")
        if own and key in DRAWN:
            raise TypeError(f"{name} cannot be given beside cell and xs: the arrays of your own say it")
        found[key] = (name, value)
    return found


def _unknown(lab: str, state: type[LabState], name: str) -> str:
    known = [*state.names(), *(alias for alias, key in ALIASES.items() if key in state.names())]
    if any(issubclass(state, one) for one in TAKES):
        known += [array for array in ARRAYS if array not in known]
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    return f"{lab} has no argument {name}: {hint}it takes {', '.join(known)}"


def _text(state: type[LabState], key: str, value: Any, spelled: str) -> str:
    """A Python value as the text that a link would have, for the link's own checks."""
    if isinstance(value, str):
        return value
    if value is None and optional(state.param[key]):
        return NONE
    if isinstance(value, (bool, np.bool_)):
        return str(int(value)) if isinstance(state.param[key], param.Boolean) else str(value)
    if isinstance(value, (int, float, np.number)):
        return repr(value.item() if isinstance(value, np.number) else value)
    if isinstance(value, (tuple, list, np.ndarray)) and np.ndim(value) == 1:
        return ",".join(_text(state, key, item, spelled) for item in value)
    raise TypeError(f"{spelled} must be a number, a text or a row of them, got {type(value).__name__}")


# --- help ------------------------------------------------------------------------------------


def signature(state: type[LabState]) -> inspect.Signature:
    """The constructor of a lab with this state, key by key, for completion."""
    word, only = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    found = [inspect.Parameter("self", word), inspect.Parameter("query", word, default=None)]
    found += [
        inspect.Parameter(key, only, default=state.param[key].default, annotation=_type(state.param[key]))
        for key in state.names()
    ]
    more = [alias for alias, key in ALIASES.items() if key in state.names()]
    if state in TAKES:
        more += [array for array in ARRAYS if array not in state.names()]
    return inspect.Signature([*found, *(inspect.Parameter(name, only, default=None) for name in more)])


def _type(parameter: Any) -> type:
    return next(found for kind, found in TYPES if isinstance(parameter, kind))


def documentation(state: type[LabState]) -> str:
    """The arguments of a lab as a docstring lists them."""
    lines = ["query : the query string of a link, or its keys and texts; what is not accepted becomes a notice"]
    spelled = {key: alias for alias, key in ALIASES.items()}
    for key in state.names():
        name = f"{key}, {spelled[key]}" if key in spelled else key
        lines += [f"{name} : {_accepted(state, key)}"]
    if state in TAKES:
        kinds = ", ".join(kind.__name__ for kind in TAKES[state])
        lines += [
            f"cell, xs : {kinds}, and (T, d)",
            "    A cell and inputs of one's own. No key that draws weights or inputs goes with them.",
            "targets, loss, h0, c0 : with cell and xs, see `rnnscope.core.Given`",
        ]
    raises = [
        "TypeError\n    For an argument that there is not.",
        "ValueError\n    For a value that is not accepted.",
    ]
    return "\n".join(["Parameters", "----------", *lines, "", "Raises", "------", *raises])


def _accepted(state: type[LabState], key: str) -> str:
    parameter = state.param[key]
    if key == "preset":
        return f"a named starting point, which other arguments override: {', '.join(state.PRESETS)}"
    if isinstance(parameter, Subset):
        return f"one or more of {', '.join(parameter.objects)}"
    if isinstance(parameter, param.Selector):
        return ", ".join(choice for choice in parameter.objects if choice)
    return f"{_kind_words(parameter)}{f': {parameter.doc}' if parameter.doc else ''}"


def _kind_words(parameter: Any) -> str:
    """What kind of value a parameter takes, numbers with their bounds."""
    for kind, words in ((Numbers, "numbers"), (param.String, "text"), (param.Boolean, "bool")):
        if isinstance(parameter, kind):
            return words
    low, high = parameter.bounds
    whole = "integer" if isinstance(parameter, param.Integer) else "number"
    return f"{whole}, {low} to {high}"


def describe(lab: Any) -> None:
    """Give a lab's class the signature and the docstring of its keys, for `?` and completion."""
    build: Callable[..., None] = lab.__init__

    @functools.wraps(build)
    def __init__(self: Any, query: Any = None, **arguments: Any) -> None:  # noqa: N807  it is one
        build(self, query, **arguments)

    __init__.__signature__ = signature(lab.State)  # type: ignore[attr-defined]
    lab.__init__ = __init__
    lab.__doc__ = f"{lab.__doc__}\n\n{documentation(lab.State)}"
