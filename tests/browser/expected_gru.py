"""What /gru must show: the numbers of its cell and wires, of its neighbours, and of the switched conventions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from rnnscope.core import Run, gru_wires, run, variant_differences

from tests.browser import expected_inside

if TYPE_CHECKING:
    from tests.browser.expected import Expected, Key, Numbers

CELLS = ("rnn", "gru", "lstm")
WIRES = ("keep", "zh", "zg", "rh", "Uhg")


def numbers(case: Expected) -> Numbers:
    """Every array that the lab may show."""
    found, trace = case.run, case.run.trace
    gates = {name: (trace.gates[name], 1) for name in "zrg"}
    sums = {f"a{name}": (trace.preactivations[name], 1) for name in "zrg"}
    wires = {name: (wire, 1) for name, wire in gru_wires(found.cell, trace).items()}
    count = {"parameters": ([found.cell.parameter_count], 0)}
    states = {"x": (trace.xs, 1), "h": (trace.hs, 0), **expected_inside.numbers(found)}
    return states | gates | sums | wires | count | beside(case) | switched(found)


def beside(case: Expected) -> Numbers:
    """The three cells on the same input."""
    runs = {cell: run(case.state.config_of(cell)) for cell in CELLS}
    states = {f"h_{cell}": (seen.trace.hs, 0) for cell, seen in runs.items()}
    return states | {f"parameters_{cell}": ([seen.cell.parameter_count], 0) for cell, seen in runs.items()}


def switched(found: Run) -> Mapping[str, tuple[list[float], int]]:
    """What the other conventions change, and the figures of the presets' sentences."""
    trace, cell, T = found.trace, found.cell, found.trace.steps
    seen = [variant_differences(cell, trace, t) for t in range(1, T + 1)]
    blind = np.tanh(trace.xs @ cell.W_xh[2].T + cell.b_h[2])
    return {
        "difference_update": ([seen[0].update], T), "difference_negated": ([seen[0].negated], T),
        "difference_reset": ([seen[0].reset], T), "difference_reset_step": ([each.reset_step for each in seen], 1),
        "h_largest": ([float(np.abs(trace.hs).max())], T),
        "candidate_history": ([float(np.abs(trace.gates["g"] - blind).max())], T),
        "parameters_b_hh": ([0 if cell.b_hh is None else len(cell.b_hh)], 0),
    }  # fmt: skip


def diagrams(case: Expected, wide: bool) -> dict[str, set[Key]]:
    """The cell at step t: the state before it, and everything it computes. Before step 1 there is only the state."""
    t, unit = case.state.t, case.state.unit
    others = expected_inside.diagrams(case, "zrgh")
    if t == 0:
        return {"gru": {("h", 0, unit)}, **others, "beside": set()}
    inputs = set() if case.state.input == "text" else {("x", t, i) for i in range(case.state.d)}
    sums = {(f"a{name}", t, unit) for name in "zrg"} if wide else set()
    states, gates = {("h", t - 1, unit), ("h", t, unit)}, {(name, t, unit) for name in ("z", "r", "g", *WIRES)}
    three = {(f"h_{cell}", t, unit) for cell in CELLS}
    cell = expected_inside.there(case, inputs | sums | states | gates)
    return {"gru": cell, **others, "beside": three}


def summaries(case: Expected) -> list[Key]:
    """The figures in the sentences beside the traces."""
    unit = case.state.unit
    z, h = case.run.trace.gates["z"][:, unit], case.run.trace.hs[:, unit]
    own = [("z", int(np.argmin(z)) + 1, unit), ("z", int(np.argmax(z)) + 1, unit), ("h", int(np.argmax(abs(h))), unit)]
    others = {cell: np.asarray(case.numbers[f"h_{cell}"][0])[1:, unit] for cell in CELLS}
    ends = [(f"h_{cell}", int(at) + 1, unit) for cell, h in others.items() for at in (np.argmin(h), np.argmax(h))]
    return own + ends


def tables(case: Expected) -> dict[str, np.ndarray]:
    """The rows and columns behind each "Show data"."""
    steps, unit = np.arange(1, case.state.T + 1), case.state.unit

    def table(names: tuple[str, ...]) -> np.ndarray:
        return np.column_stack([steps, *([case.value((name, int(t), unit)) for t in steps] for name in names)])

    return {
        "Gates and states by step": table(("z", "r", "g", "h")),
        "Hidden state of the three cells by step": table(tuple(f"h_{cell}" for cell in CELLS)),
    }
