"""Surgery on a run, for any lab with a cell: what is operated, the untouched run as its ghost, the difference.

A lab takes it as `class XLab(Operable, Lab)`: `drawn(run)` says the arrays of one run; `ghosts()` goes into its arrays,
`surgery_texts()` into its texts, `surgery_block(...)` into its rail and `surgery_card(...)` into its cards.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import param
from rnnscope.core import ALPHABET_SIZE, Clamp, InputEdit, OperatedRun, Run, Surgery, clamped_units, operate_on
from rnnscope.core.glossary import GATE_NAMES

from .. import surgery_text, url
from ..values import write_value
from ..view import Arrays
from ..words import Phrase, phrase, plain, readout, symbol

GHOST = "ghost_"
CURVE = "jacobian_log10_norm"
#: What a card says first that runs the network again by itself.
WITHOUT_SURGERY = ("This card shows the run without surgery. ",)
NOTE = (
    "A clamped gate has the value you give it and passes no gradient on. "
    "At a cut the recurrent weights see 0 in place of the state before{line}."
)


class Operable:
    """A lab whose run can be operated on; `self.run` is then the operated one, `self.operated` knows both."""

    state: Any
    run: Run
    _notices: list[str]
    operated: OperatedRun | None = None
    _untouched: Run | None = None
    _norms: np.ndarray

    def compute(self) -> Run:
        """The run of the state; an operation alone does not run the untouched network again."""
        config, known = self.state.config(), self._untouched
        untouched = known if known is not None and known.config == config else self.run_of(config)  # type: ignore[attr-defined]
        surgery = self.surgery()
        self.operated = operate_on(untouched, surgery) if surgery else None
        self._norms = self.operated.log10_norms(untouched.trace.steps) if self.operated else np.empty((0, 2))
        self._untouched = untouched
        return self.operated.run if self.operated else untouched

    @property
    def untouched(self) -> Run:
        """The run without its operations."""
        return self.operated.untouched if self.operated else self.run

    def surgery(self) -> Surgery:
        return surgery_text.parse(self.state.surgery, self.state.param["surgery"].gates)

    def _follow(self, changed: set[str]) -> None:
        """A run that has become shorter or smaller takes its operations along as far as they fit."""
        with param.parameterized.discard_events(self.state):
            self.state.settle()
            room = surgery_text.room_of(self.state.values_of(), ALPHABET_SIZE)
            gates = self.state.param["surgery"].gates
            kept, misfits = surgery_text.fitting(self.state.surgery, gates, room)
            self.state.surgery = kept
        self._notices += [url.Notice("surgery", text, why, "It is left out.").message for text, why in misfits]
        super()._follow(changed)  # type: ignore[misc]

    # --- what the page gets -----------------------------------------------------------------

    @abstractmethod
    def drawn(self, run: Run) -> Arrays:
        """The arrays of one run; a lab says which."""

    def ghosts(self) -> Arrays:
        """The untouched run under `ghost_` names, and the marks of what was done; nothing without an operation."""
        if self.operated is None:
            return {}
        untouched = self.drawn(self.operated.untouched)
        ghosts = {f"{GHOST}{name}": array for name, array in untouched.items() if name != "steps"}
        return {**ghosts, **marks(self.operated), **curves(self._norms)}

    def surgery_texts(self) -> dict[str, Any]:
        if self.operated is None:
            return {"operations": [], "surgery_summary": [], "surgery_curve": []}
        return {
            "operations": listed(self.operated.surgery, self.state.n),
            "surgery_summary": difference(self.operated),
            "surgery_curve": reach(self._norms),
        }

    def clamped(self, gate: str, t: int, unit: int) -> bool:
        """Whether a gate is held at this step."""
        if self.operated is None:
            return False
        return bool(clamped_units(self.run.cell, self.run.trace.steps, self.operated.surgery)[gate][t - 1, unit])

    def is_cut(self, t: int) -> bool:
        return self.operated is not None and t in self.operated.surgery.cuts


def marks(operated: OperatedRun) -> Arrays:
    """`clamped_f` … (T, n): 1 where held; `cut` (T, 1); `edited` (T, d): 1 changed, 2 deleted."""
    surgery, trace = operated.surgery, operated.run.trace
    clamped = clamped_units(operated.run.cell, trace.steps, surgery)
    cut, edited = np.zeros((trace.steps, 1)), np.zeros(trace.xs.shape)
    cut[[step - 1 for step in surgery.cuts]] = 1
    for step, value, component in surgery.inputs:
        edited[step - 1, slice(None) if component is None else component] = 2 if isinstance(value, str) else 1
    return {**{f"clamped_{gate}": (mark, 1) for gate, mark in clamped.items()}, "cut": (cut, 1), "edited": (edited, 1)}


def curves(norms: np.ndarray) -> Arrays:
    """log10 ||d state_T / d state_k|| untouched and operated, for k = 0 … T, from (T + 1, 2)."""
    return {
        f"{GHOST}{CURVE}": (norms[:, 0], 0),
        CURVE: (norms[:, 1], 0),
        "surgery_steps": (np.arange(len(norms)), 0),
    }


# --- in words --------------------------------------------------------------------------------


def listed(surgery: Surgery, n: int) -> list[dict[str, Any]]:
    """Each operation with its text in the link and its words."""
    return [{"text": text, "words": _words(one, n)} for text, one in surgery_text.operations(surgery)]


def _words(one: Clamp | InputEdit | int, n: int) -> str:
    if isinstance(one, int):
        return f"Recurrent weights cut at step {one}"
    where = "every step" if one.step is None else f"step {one.step}"
    if isinstance(one, Clamp):
        which = "" if one.unit is None or n == 1 else f", unit {one.unit + 1}"
        return f"{GATE_NAMES[one.gate].capitalize()}{which} held at {write_value(one.value)}, {where}"
    which = "" if one.component is None else f" {one.component + 1}"
    did = "deleted" if isinstance(one.value, str) else f"set to {write_value(one.value)}"
    return f"Input{which} {did}, {where}"


def difference(operated: OperatedRun) -> Phrase:
    """Where h and c have moved most, and by how much."""
    before, after = operated.untouched.trace, operated.run.trace
    pairs = [("h", before.hs, after.hs), ("c", before.cs, after.cs)]
    found = [_largest(name, a, b) for name, a, b in pairs if a is not None and b is not None]
    words = phrase("Largest change against the untouched run: ")
    for i, each in enumerate(found):
        words += [plain("; "), *each] if i else each
    return [*words, plain(".")]


def _largest(name: str, before: np.ndarray, after: np.ndarray) -> Phrase:
    change = np.abs(after - before)
    t, unit = (int(i) for i in np.unravel_index(np.argmax(change), change.shape))
    figure = readout(change[t, unit], f"change_{name}", t, unit)
    if change[t, unit] == 0:
        return phrase("of ", symbol(name), " ", figure)
    of_unit = f", unit {unit + 1}" if change.shape[1] > 1 else ""
    return phrase("of ", symbol(name), " ", figure, f" at step {t}{of_unit}")


def reach(norms: np.ndarray) -> Phrase:
    """What the surgery does to the gradient over the whole run, from (T + 1, 2)."""
    steps, (before, after) = len(norms) - 1, norms[0]
    return phrase(
        "Over all ", f"{steps} steps log₁₀ ‖∂", symbol("s", str(steps)), "/∂", symbol("s", "0"), "‖ is ",
        readout(after, CURVE, 0), ", untouched ", readout(before, f"{GHOST}{CURVE}", 0),
        "; ", symbol("s"), " is the whole state.",
    )  # fmt: skip


# --- what the page holds ---------------------------------------------------------------------


def surgery_block(gates: list[tuple[str, str]], line: str = "") -> dict[str, Any]:
    """The block of the rail. `gates`: (symbol, name) of each; `line`: what goes on past a cut, in words."""
    choices = [{"symbol": key, "name": name, "lo": surgery_text.lowest(key)} for key, name in gates]
    return {
        "title": "Surgery",
        "cls": "ctl sg-blk",
        "items": [
            {"kind": "surgery", "key": "surgery", "gates": choices},
            {"kind": "surgeryNote", "key": "surgery", "note": NOTE.format(line=line)},
        ],
    }


def surgery_card(columns: list[dict[str, Any]]) -> dict[str, Any]:
    """The card of what has changed, on the page while an operation is in force; `columns` of the lab's own table."""
    ghosts = [
        {**column, "array": f"{GHOST}{column['array']}", "symbol": f"{GHOST}{column['symbol']}"}
        for column in columns
        if column["array"] != "steps"
    ]
    curve: list[dict[str, Any]] = [
        {"head": "$k$", "array": "surgery_steps", "symbol": "t", "integer": True},
        {"head": "with surgery, log₁₀", "array": CURVE, "symbol": CURVE},
        {"head": "untouched, log₁₀", "array": f"{GHOST}{CURVE}", "symbol": f"{GHOST}{CURVE}"},
    ]
    steps = [column for column in columns if column["array"] == "steps"]
    left: list[dict[str, Any]] = [
        {"kind": "surgeryCurve"},
        {"kind": "text", "id": "surgery_curve", "cls": "plot-summary"},
        {"kind": "data", "label": "Gradient with and without surgery", "columns": curve},
    ]
    right: list[dict[str, Any]] = [
        {"kind": "text", "id": "surgery_summary", "cls": "plot-summary"},
        {"kind": "data", "label": "The untouched run by step", "columns": [*steps, *ghosts]},
    ]
    halves = [{"kind": "group", "cls": "sg-half", "parts": parts} for parts in (left, right)]
    body = [{"kind": "surgeryWhen"}, {"kind": "group", "cls": "sg-g", "parts": halves}]
    return {"title": "What the surgery changed", "cls": "sg more", "body": body}
