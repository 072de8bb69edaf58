"""What a gated cell's page must show of the inside of a step: each sub-step's numbers, an opened layer, the maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rnnscope.core import GRU, Run, substep_values, substeps

if TYPE_CHECKING:
    from tests.browser.expected import Expected, Key, Numbers

#: A matrix of more rows or columns has no numbers in its cells; an input of more components is one character.
MOST_NUMBERS, MOST_INPUTS = 6, 8


def numbers(found: Run) -> Numbers:
    """Products inside each layer; weights, whose t counts columns and whose unit counts rows."""
    cell, made = found.cell, substep_values(found.cell, found.trace)
    numbers = {name: (values, 1) for name, values in made.items() if name[:2] in ("Wx", "Uh", "rh", "zh", "zg")}
    if getattr(cell, "b_hh", None) is not None:
        numbers["b_hh"] = (cell.b_hh[None], 0)
    for k, gate in enumerate(cell.gate_names):
        numbers |= {
            f"W_x{gate}": (cell.W_xh[k].T, 1),
            f"W_h{gate}": (cell.W_hh[k].T, 1),
            f"b_{gate}": (cell.b_h[k][None], 0),
        }
    return numbers


def there(case: Expected, keys: set[Key]) -> set[Key]:
    """Those of the keys whose numbers are made by the sub-step that is shown; all of them for the whole step."""
    state = case.state
    if state.substep == 0 or state.t == 0:
        return keys
    later = {step.symbol for step in substeps(case.run.cell)[state.substep :]}
    later |= {"keep"} if "z" in later else set()
    return {key for key in keys if not (key[0] in later and key[1] == state.t)}


def diagrams(case: Expected, series: str) -> dict[str, set[Key]]:
    """Traces or maps, and the opened layer."""
    state = case.state
    over_time = {(name, state.t, state.unit) for name in series if state.t or name in "ch"}
    several = state.n > 1
    return {"traces": set() if several else over_time, "maps": over_time if several else set(), "opened": opened(case)}


def opened(case: Expected) -> set[Key]:
    state, gate, t = case.state, case.state.open, case.state.t
    n, columns = state.n, inputs(case)
    read = meets(case, gate)
    bias = {(name, 0, i) for name in {f"b_{gate}", *(read & {"b_hh"})} for i in range(n)}
    driven = {(f"W_x{gate}", j + 1, i) for j in columns for i in range(n)}
    recurrent = {(f"W_h{gate}", j + 1, i) for j in range(n) for i in range(n)}
    written = driven if max(n, len(columns)) <= MOST_NUMBERS else set()
    shown = bias | written | (recurrent if n <= MOST_NUMBERS else set())
    if t == 0:
        return shown
    vectors = {(name, t, i) for name in (gate, f"a{gate}", *(read & {"r", "rh"})) for i in range(n)}
    vectors |= {("h", t - 1, i) for i in range(n)} if "h" in read else set()
    return shown | there(case, vectors | {("x", t, j) for j in columns})


def meets(case: Expected, gate: str) -> set[str]:
    """What stands with the recurrent matrix of a layer: h; of a GRU's candidate r · h, or h, b_hh and r."""
    if gate != "g" or not isinstance(case.run.cell, GRU):
        return {"h"}
    return {"rh"} if case.run.cell.reset == "before" else {"h", "b_hh", "r"}


def inputs(case: Expected) -> list[int]:
    """The components of x that are drawn: of a one-hot character the one that is 1."""
    x = case.run.trace.xs[max(1, case.state.t) - 1]
    return [int(np.argmax(x))] if len(x) > MOST_INPUTS else list(range(len(x)))
