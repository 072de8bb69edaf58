"""The inside of one time step on the page of a gated cell: sub-steps, an opened layer, and maps over time.

A lab adds the cards, arrays and texts of this module to its own; `GatedLab` shows how.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rnnscope.core import Run, substeps
from rnnscope.core.glossary import GATE_NAMES

from ..diagrams.stages import staged
from ..state.inside import InsideState
from ..view import Arrays
from ..words import Phrase, phrase, symbol
from .base import control_parts
from .opened import opened_line, opened_note, opened_pieces, weight_arrays
from .seen import made
from .substep_text import current, sentence


def substep_parts(run: Run) -> list[dict[str, Any]]:
    """The bar under the diagram."""
    steps = substeps(run.cell)
    return [{"kind": "substepBar", "key": "substep", "gates": [step.gate for step in steps]}]


def opened_card() -> dict[str, Any]:
    """Matrices and vectors of one layer at the cursor's step."""
    head = [{"kind": "text", "id": "opened_title", "tag": "h2"}, *control_parts("open"), {"kind": "signScale"}]
    return {"cls": "inside more", "body": [
        {"kind": "group", "cls": "inside-head", "parts": head},
        {"kind": "openedGate", "scene": "opened"},
        {"kind": "equations", "id": "opened_line", "cls": "opened-line"},
        {"kind": "text", "id": "opened_note", "cls": "note"}]}  # fmt: skip


def maps_parts(cls: str = "") -> list[dict[str, Any]]:
    """Heat maps, units down and time across; traces where there is one unit."""
    head = [{"kind": "text", "id": "maps_title", "tag": "h2"}, {"kind": "signScale", "maps": True}]
    return [
        {"kind": "group", "cls": "inside-head", "parts": head},
        {"kind": "unitMaps", "scene": "traces", "cls": cls},
        {"kind": "text", "id": "maps_note", "cls": "note"},
    ]


def scenes(drawn: dict[str, Any], run: Run, notation: str) -> dict[str, Any]:
    """The diagram's variants with their stages, and what an opened layer is made of."""
    steps = substeps(run.cell)
    opened = {gate: opened_pieces(run.cell, steps, gate, notation) for gate in run.cell.gate_names}
    return {"drawn": {variant: staged(scene, steps) for variant, scene in drawn.items()}, "opened": opened}


def arrays(run: Run, cuts: Sequence[int] = ()) -> Arrays:
    """What every sub-step makes, without what a lab has already, and the weights of every layer.

    At a cut step the recurrent weights see 0, whatever h was.
    """
    known = {*run.cell.gate_names, *(f"a{gate}" for gate in run.cell.gate_names), "h", "c"}
    shown = {name: (array, 1) for name, array in made(run, cuts).items() if name not in known}
    return shown | weight_arrays(run.cell)


def texts(state: InsideState, run: Run, operated: bool = False) -> dict[str, Any]:
    return {
        "substep": sentence(state, run),
        "opened_title": phrase(f"Opened: {GATE_NAMES[state.open]} at ", symbol("t"), f" = {state.t}"),
        "opened_line": opened_line(run, state),
        "opened_note": opened_note(run, state),
        "maps_title": _maps_title(state),
        "maps_note": _maps_note(state) if operated else [],
    }


def open_layer(state: InsideState, symbol: str, run: Run) -> None:
    """Open the layer that was selected in the diagram."""
    if symbol in run.cell.gate_names and "open" not in state.locked():
        state.apply({"open": symbol})


def open_current(state: InsideState, run: Run) -> None:
    """Open the layer of the sub-step that a link names."""
    step = current(state, run)
    if step is not None and step.gate is not None:
        state.apply({"open": step.gate})


def announcement(state: InsideState, run: Run) -> str:
    """The step, and where it is stepped through, the sub-step in words."""
    said = f"step {state.t} of {state.T}"
    if current(state, run) is None:
        return said
    return f"{said}, sub-step {state.substep}: {''.join(_spoken(word) for word in sentence(state, run))}"


def _spoken(word: dict[str, Any]) -> str:
    spaced = f" {word['text']} " if word["kind"] == "operator" and word["text"] not in "()[]," else word["text"]
    return spaced + (f" {word['sub']} " if "sub" in word else "")


def _maps_note(state: InsideState) -> Phrase:
    """How the untouched run is drawn beside the one with surgery."""
    if state.n == 1:
        return phrase("Dashed: the untouched run.")
    return phrase("The lower third of a cell is the untouched run: a cell of one colour has not changed visibly.")


def _maps_title(state: InsideState) -> Phrase:
    if state.n == 1:
        return phrase(f"Traces over {state.T} steps" if state.T > 1 else "Traces of one step")
    return phrase(f"{state.n} units down, {state.T} steps across")
