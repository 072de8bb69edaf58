"""One value <-> its text in a query string: `parse` and `write_value`. Pure, no Panel."""

from __future__ import annotations

import math
import re
from typing import Any

import param

from .state import LabState, Numbers, Subset

SHOWN_CHARACTERS = 40


def shorten(text: str) -> str:
    if len(text) <= SHOWN_CHARACTERS:
        return f"“{text}”"
    return f"“{text[:SHOWN_CHARACTERS]}…” ({len(text):,} characters)"


def either(choices: list[str]) -> str:
    return choices[0] if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"


def parse(state: type[LabState], key: str, text: str) -> Any:
    """The value of `key` that `text` means; ValueError says what is accepted."""
    parameter = state.param[key]
    for kind, parser in _PARSERS:
        if isinstance(parameter, kind):
            return parser(parameter, text.strip() if kind is not param.String else text)
    raise ValueError(f"{key} cannot be set.")


def _parse_integer(parameter: Any, text: str) -> int:
    low, high = parameter.bounds
    if not re.fullmatch(r"[+-]?\d{1,20}", text) or not low <= int(text) <= high:
        raise ValueError(f"it takes an integer from {low} to {high}.")
    return int(text)


def _parse_number(parameter: Any, text: str) -> float | None:
    low, high = parameter.bounds
    value = finite(text)
    if value is None or not low <= value <= high:
        raise ValueError(f"it takes a number from {_person(low)} to {_person(high)}.")
    return value


def finite(text: str) -> float | None:
    """The finite float that `text` spells in plain digits, else None (`1_0`, `nan` and `inf` are refused)."""
    text = text.strip().replace("−", "-")
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def _parse_choice(parameter: Any, text: str) -> str:
    choices = [choice for choice in parameter.objects if choice]
    if text not in choices:
        raise ValueError(f"it takes {either(choices)}.")
    return text


def _parse_flag(_: Any, text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("it takes 0 or 1.")
    return text == "1"


def _parse_numbers(_: Any, text: str) -> tuple[float, ...]:
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    numbers = [finite(part) for part in parts]
    wrong = next((part for part, number in zip(parts, numbers, strict=True) if number is None), None)
    if wrong is not None:
        raise ValueError(f"{shorten(wrong)} is no finite number; it takes numbers separated by commas.")
    return tuple(number for number in numbers if number is not None)


def _parse_subset(parameter: Any, text: str) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names or any(name not in parameter.objects for name in names):
        raise ValueError(f"it takes one or more of {', '.join(parameter.objects)}.")
    return tuple(name for name in parameter.objects if name in names)


def _parse_string(_: Any, text: str) -> str:
    return text


_PARSERS: tuple[tuple[type, Any], ...] = (
    (Numbers, _parse_numbers),
    (Subset, _parse_subset),
    (param.Integer, _parse_integer),
    (param.Boolean, _parse_flag),
    (param.Number, _parse_number),
    (param.Selector, _parse_choice),
    (param.String, _parse_string),
)


def write_value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(item if isinstance(item, str) else _person(item) for item in value)
    if isinstance(value, bool):
        return "1" if value else "0"
    return _person(value) if isinstance(value, float) else str(value)


def _person(number: float) -> str:
    """A float as a person writes it: 1.2, not 1.2000000000000002; 3, not 3.0."""
    short = f"{number:.12g}"
    return short if float(short) == number or abs(float(short) - number) < 1e-12 * abs(number) else repr(number)
