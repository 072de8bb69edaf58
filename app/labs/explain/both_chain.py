"""States, gates and sums of two chains, each by the equation of its own chain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from rnnscope.core import BidirectionalRun, ChainEquation, bidirectional_equation, meaning_of

from ...words import Phrase, phrase, token_words
from . import origin
from .answer import Asked, Check, Entry, MissingError, check
from .network import AGAIN

WAYS = ("forward", "backward")
ARRAYS = {"h": "hs", "c": "cs", "a": "preactivations"}
GATES = ("f", "i", "o", "g", "z", "r")


def shown_run(asked: Asked) -> BidirectionalRun:
    found: BidirectionalRun = asked.lab.run
    return found


def _where(asked: Asked) -> str:
    unit = f", unit {asked.unit + 1}" if shown_run(asked).network.forward.hidden_size > 1 else ""
    return f", step {asked.t}{unit}"


def _steps(asked: Asked, way: str, name: str) -> tuple[np.ndarray, int]:
    """Rows of a quantity in the order in which its chain ran, and 1 where they have no row for the start."""
    trace = getattr(shown_run(asked).trace, way)
    if name in GATES or name[1:] in GATES:
        gates = trace.gates if name in GATES else trace.preactivations
        if not isinstance(gates, Mapping) or name[-1] not in gates:
            raise MissingError(f"This cell has no {name}.")
        return gates[name[-1]], 1
    rows = getattr(trace, ARRAYS[name], None)
    if rows is None or isinstance(rows, Mapping):
        raise MissingError(f"This cell has no {name}.")
    return rows, 1 if name == "a" else 0


def _rows(way: str, name: str) -> Callable[[Asked], tuple[Any, int]]:
    def rows(asked: Asked) -> tuple[Any, int]:
        found, first = _steps(asked, way, name)
        return (found, first) if way == "forward" else (found[::-1], 1)

    return rows


def _code(way: str, name: str) -> Callable[[Asked], str]:
    def code(asked: Asked) -> str:
        place = asked.t if way == "forward" else shown_run(asked).steps + 1 - asked.t
        chain = f"r.trace.{way}"
        if name in ("h", "c"):
            return f"{chain}.{ARRAYS[name]}[{place}, {asked.unit}]"
        rows = "gates" if name in GATES else "preactivations"
        gate = "" if name == "a" else f'["{name[-1]}"]'
        return f"{chain}.{rows}{gate}[{place - 1}, {asked.unit}]"

    return code


def _is_start(asked: Asked) -> bool:
    return not 1 <= asked.t <= shown_run(asked).steps


def _equation(asked: Asked, way: str, name: str) -> ChainEquation:
    return bidirectional_equation(shown_run(asked).network, name, way)


def _title(way: str, name: str) -> Callable[[Asked], Phrase]:
    return lambda asked: token_words(
        _equation(asked, way, name).tokens(asked.notation, asked.t, shown_run(asked).steps)[:1]
    )


def _formula(way: str, name: str) -> Callable[[Asked], Phrase]:
    def formula(asked: Asked) -> Phrase:
        if _is_start(asked):
            return []
        return token_words(_equation(asked, way, name).tokens(asked.notation, asked.t, shown_run(asked).steps))

    return formula


def _lines(way: str, name: str) -> Callable[[Asked], list[Phrase]]:
    def lines(asked: Asked) -> list[Phrase]:
        if _is_start(asked):
            return []
        shown, found = shown_run(asked), _equation(asked, way, name)
        start = found.tokens(asked.notation, asked.t, shown.steps)[:2]
        return [token_words([*start, *found.numbers(shown.network, shown.trace, asked.t, asked.unit, asked.notation)])]

    return lines


def _products(way: str, name: str) -> Callable[[Asked], Any]:
    def found(asked: Asked) -> Any:
        shown = shown_run(asked)
        there = () if _is_start(asked) else (_equation(asked, way, name),)
        return tuple(
            product
            for one in there
            for product in one.products(shown.network, shown.trace, asked.t, asked.unit, asked.notation)
        )

    return found


def _checks(way: str, name: str) -> Callable[[Asked, float], list[Check]]:
    def checks(asked: Asked, value: float) -> list[Check]:
        if _is_start(asked):
            return [check(origin.MADE_AGAIN, 0.0, value)]
        shown = shown_run(asked)
        again = _equation(asked, way, name).evaluate(shown.network, shown.trace, asked.t)
        return [check(AGAIN, again[asked.unit], value)]

    return checks


def _chain_note(asked: Asked) -> Phrase:
    return phrase("The state before the first input that this chain reads: 0.") if _is_start(asked) else []


def of_chain(way: str, name: str) -> Entry:
    return Entry(
        words=f"{meaning_of(name) or name}, {way} chain",
        rows=_rows(way, name), code=_code(way, name), title=_title(way, name), formula=_formula(way, name),
        lines=_lines(way, name), products=_products(way, name), checks=_checks(way, name), note=_chain_note,
        where=_where,
    )  # fmt: skip
