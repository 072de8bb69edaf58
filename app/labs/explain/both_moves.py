"""What each input counts for an output, and what one changed input moves, of /bidirectional."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from rnnscope.core import ChangedInput, read_out_equation, run_bidirectional, unroll

from ...words import Phrase, phrase, plain, readout, symbol
from .answer import CENTRAL, Asked, Check, Entry, MissingError, check
from .both_chain import WAYS, shown_run
from .network import AGAIN

STEP = 6e-6
SLOPES = "Central differences of the output"


# --- what an input counts ----------------------------------------------------------------------


def _through(asked: Asked, xs: np.ndarray, ways: tuple[str, ...]) -> np.ndarray:
    """What the chains add to the selected output, of another input."""
    network = shown_run(asked).network
    parts = read_out_equation(network).parts(network, run_bidirectional(network, xs), asked.lab.output)
    return np.sum([parts[way] for way in ways], axis=0)


def _slopes(asked: Asked, ways: tuple[str, ...]) -> np.ndarray:
    """The change of the selected output by every entry of the input of step t, moved to both sides: (m, d)."""
    xs = np.array(shown_run(asked).trace.xs)
    columns = []
    for j in range(xs.shape[1]):
        sides = []
        for sign in (1, -1):
            moved = xs.copy()
            moved[asked.t - 1, j] += sign * STEP
            sides.append(_through(asked, moved, ways))
        columns.append((sides[0] - sides[1]) / (2 * STEP))
    return np.stack(columns, axis=1)


def _reach(array: str, ways: tuple[str, ...], words: str) -> Entry:
    def checks(asked: Asked, value: float) -> list[Check]:
        slope = float(np.linalg.norm(_slopes(asked, ways), ord=2))
        return [check(SLOPES, slope, value, "central", CENTRAL)]

    return Entry(
        words=words,
        rows=lambda at: (getattr(at.lab.reach(), array), 1),
        code=lambda at: f"bidirectional_reach(r, {at.lab.output}).{array}[{at.t - 1}]",
        title=_reach_title,
        formula=_reach_formula(ways),
        checks=checks,
        where=lambda at: f", input {at.t} to output {at.lab.output}",
    )


def _reach_title(asked: Asked) -> Phrase:
    return phrase("‖∂", symbol("y", str(asked.lab.output)), "/∂", symbol("x", str(asked.t)), "‖")


def _reach_formula(ways: tuple[str, ...]) -> Callable[[Asked], Phrase]:
    def formula(asked: Asked) -> Phrase:
        k, t = asked.t, asked.lab.output
        open_ways = [way for way in ways if (k <= t if way == "forward" else k >= t)]
        if not open_ways:
            return phrase(f"0: the {ways[0]} chain has no path from input {k} to output {t}.")
        chains = " and ".join(f"the {abs(t - k)} factors of the {way} chain" for way in open_ways)
        return phrase(*_reach_title(asked), f": W, {chains}, and U, multiplied by the chain rule")

    return formula


# --- what a change moves -----------------------------------------------------------------------


def changed_of(asked: Asked) -> ChangedInput:
    """The run with the changed input beside it."""
    found: ChangedInput | None = asked.lab.changed
    if found is None:
        raise MissingError("No input is changed: there is no size of a change.")
    return found


def _code(asked: Asked, rest: str) -> str:
    found = changed_of(asked)
    row = found.after.xs[found.step - 1]
    place = np.flatnonzero(row)
    one_hot = asked.lab.state.kind() == "text"
    vector = f"np.eye({len(row)})[{place[0]}]" if one_hot else f"np.full({len(row)}, {float(row[0])!r})"
    return f"change_input(r, {found.step}, {vector}).{rest}"


def _apart(asked: Asked, way: str) -> np.ndarray:
    """The chain unrolled again over the changed input: how far its state of step t is from the shown one."""
    shown, xs = shown_run(asked), changed_of(asked).after.xs
    ahead = way == "forward"
    hs = unroll(getattr(shown.network, way), xs if ahead else xs[::-1]).hs
    place = asked.t if ahead else shown.steps + 1 - asked.t
    return np.asarray(hs[place] - getattr(shown.trace, way).hs[place])


def _length(entries: np.ndarray) -> float:
    return math.sqrt(math.fsum(entry * entry for entry in entries))


def _size(way: str) -> Entry:
    return Entry(
        words=f"how far the changed input moves the state of the {way} chain",
        rows=lambda at: (getattr(changed_of(at), way), 1),
        code=lambda at: _code(at, f"{way}[{at.t - 1}]"),
        title=lambda at: phrase("‖Δ", _arrowed(way, at.t), "‖"),
        formula=lambda at: phrase("‖", _arrowed(way, at.t), " with the change − ", _arrowed(way, at.t), "‖"),
        checks=lambda at, value: [check("Unrolled again", _length(_apart(at, way)), value)],
        note=_cannot(way),
        where=lambda at: f", step {at.t}",
    )


def _arrowed(way: str, t: int) -> dict[str, Any]:
    return symbol("h", str(t)) | {"accent": "right" if way == "forward" else "left"}


def _cannot(way: str) -> Callable[[Asked], Phrase]:
    def note(asked: Asked) -> Phrase:
        k = changed_of(asked).step
        unread = asked.t < k if way == "forward" else asked.t > k
        return phrase(f"Exactly 0: the chain has not read input {k} at this step.") if unread else []

    return note


def _after(asked: Asked) -> float:
    network, trace = shown_run(asked).network, changed_of(asked).after
    return float(read_out_equation(network).evaluate(network, trace, asked.t)[0])


def _change_lines(asked: Asked) -> list[Phrase]:
    found, i = changed_of(asked), asked.t - 1
    after, before = readout(found.after.ys[i, 0], "y_after", asked.t), readout(found.before.ys[i, 0], "y", asked.t)
    return [[plain("|"), after, plain(" − ("), before, plain(")| = "), readout(found.outputs[i], "change_y", asked.t)]]


OUTPUT_MOVES = {
    "y_after": Entry(
        words="output with the changed input",
        rows=lambda at: (changed_of(at).after.ys, 1),
        code=lambda at: _code(at, f"after.ys[{at.t - 1}, {at.unit}]"),
        title=lambda at: phrase(symbol("y", str(at.t)), " with the change"),
        formula=lambda _: phrase("the read-out of both chains over the changed input"),
        checks=lambda at, value: [check(AGAIN, _after(at), value)],
        where=lambda at: f", step {at.t}",
    ),
    "change_y": Entry(
        words="how far the changed input moves the output",
        rows=lambda at: (changed_of(at).outputs, 1),
        code=lambda at: _code(at, f"outputs[{at.t - 1}]"),
        title=lambda at: phrase("|Δ", symbol("y", str(at.t)), "|"),
        formula=lambda at: phrase("|", symbol("y", str(at.t)), " with the change − ", symbol("y", str(at.t)), "|"),
        lines=_change_lines,
        checks=lambda at, value: [check(AGAIN, abs(_after(at) - float(changed_of(at).before.ys[at.t - 1, 0])), value)],
        where=lambda at: f", step {at.t}",
    ),
}
MOVES = {
    **{f"reach_{way}": _reach(f"{way}_norms", (way,), f"what an input counts through the {way} chain") for way in WAYS},
    "reach": _reach("norms", WAYS, "what an input counts through both chains"),
    **{f"change_h_{way}": _size(way) for way in WAYS},
    **OUTPUT_MOVES,
}
