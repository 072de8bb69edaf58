"""Operations on a run: gates clamped, recurrent weights cut, inputs changed. What follows from them, gradients too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .arrays import Array, checked_array, checked_choice, checked_integer, checked_number, read_only
from .cells import Cell
from .gradients import Gradients, bptt
from .jacobians import jacobian_log10_norms, step_jacobians
from .run import Run
from .surgery_cells import Guide, GuidedCell, steps_of
from .unroll import Trace, assemble_trace, initial_state, unroll

#: The value of an input that is deleted.
DELETED = "deleted"


class Clamp(NamedTuple):
    """A gate held at a value: at one step or at all (None), of one unit or of all (None)."""

    gate: str
    step: int | None
    value: float
    unit: int | None = None


class InputEdit(NamedTuple):
    """An input at one step: a number, or "deleted", which is 0; of one component or of all (None)."""

    step: int
    value: float | str
    component: int | None = None


@dataclass(frozen=True)
class Surgery:
    """Operations on a run, in the order in which they are made: a later one wins.

    Parameters
    ----------
    clamps : tuple of (gate, step or None, value, unit or None)
        The gate has that value whatever its pre-activation: its derivative is 0. None: every step, every unit.
    cuts : tuple of steps
        There the recurrent weights see zeros in place of h_{t-1}. What runs past the weights goes on: an LSTM's
        f * c_{t-1}, and the part of h_{t-1} that a GRU keeps.
    inputs : tuple of (step, value or "deleted", component or None)
        The input has that value; "deleted" is 0. None: every component.

    Raises
    ------
    ValueError
        For values that are not finite, steps below 1, units and components below 0.
    """

    clamps: tuple[Clamp, ...] = ()
    cuts: tuple[int, ...] = ()
    inputs: tuple[InputEdit, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "clamps", tuple(_checked_clamp(*clamp) for clamp in self.clamps))
        object.__setattr__(self, "cuts", tuple(checked_integer("step of a cut", step, 1) for step in self.cuts))
        object.__setattr__(self, "inputs", tuple(_checked_input(*edit) for edit in self.inputs))

    def __bool__(self) -> bool:
        return bool(self.clamps or self.cuts or self.inputs)


def _checked_clamp(gate: str, step: int | None, value: float, unit: int | None = None) -> Clamp:
    what = f"of the clamp of {gate}"
    return Clamp(gate, _some(f"step {what}", step, 1), checked_number(f"value {what}", value), _some("unit", unit, 0))


def _checked_input(step: int, value: float | str, component: int | None = None) -> InputEdit:
    at = checked_integer("step of an input", step, 1)
    number = value if value == DELETED else checked_number(f"value of the input at step {at}", value)
    return InputEdit(at, number, _some("component of an input", component, 0))


def _some(name: str, value: int | None, low: int) -> int | None:
    return None if value is None else checked_integer(name, value, low)


def check_surgery(surgery: Surgery, cell: Cell, steps: int) -> None:
    """Raise a ValueError where an operation does not fit a run of `cell` over `steps` steps."""
    for clamp in surgery.clamps:
        checked_choice("clamped gate", clamp.gate, cell.gate_names or ("(none: an RNN has no gates)",))
        _within(f"step of the clamp of {clamp.gate}", clamp.step, 1, steps)
        _within(f"unit of the clamp of {clamp.gate}", clamp.unit, 0, cell.hidden_size - 1)
    for step in surgery.cuts:
        _within("step of a cut", step, 1, steps)
    for edit in surgery.inputs:
        _within("step of an input", edit.step, 1, steps)
        _within("component of an input", edit.component, 0, cell.input_size - 1)


def _within(name: str, value: int | None, low: int, high: int) -> None:
    if value is not None:
        checked_integer(name, value, low, high)


def operate(cell: Cell, xs: Array, surgery: Surgery, h0: Array | None = None, c0: Array | None = None) -> Trace:
    """Run `cell` over xs (T, d) as `unroll` does, with the operations of `surgery` in force.

    `xs` of the trace are the inputs as changed, `gates` hold the clamped values, `preactivations` are what the weights
    made of it. Without an operation this is `unroll` bit for bit, and so is every step before the first one.

    Raises
    ------
    ValueError
        For an unknown gate, a step outside 1 … T, a unit or component outside the cell; and as `unroll`.
    """
    given = checked_array("xs", xs, (None, cell.input_size))
    check_surgery(surgery, cell, len(given))
    inputs = _edited(given, surgery.inputs)
    if not surgery.clamps and not surgery.cuts:
        return unroll(cell, inputs, h0, c0)
    guide = _guide(cell, len(inputs), surgery)
    states = np.empty((len(inputs) + 1, cell.state_size))
    states[0] = initial_state(cell, h0, c0)
    a = np.empty(guide.values.shape if cell.gate_names else (len(inputs), cell.hidden_size))
    with np.errstate(over="ignore", invalid="ignore"):
        steps_of(cell).fill(cell, inputs, guide, states, a)
        trace = assemble_trace(cell, inputs, states, a)
    held = {
        gate: read_only(np.where(guide.clamped[:, index], guide.values[:, index], trace.gates[gate]))
        for index, gate in enumerate(cell.gate_names)
    }
    return replace(trace, gates=held)


def _edited(xs: Array, edits: Iterable[InputEdit]) -> Array:
    changed = xs.copy()
    for step, value, component in edits:
        number = 0.0 if isinstance(value, str) else value
        changed[step - 1, slice(None) if component is None else component] = number
    return read_only(changed)


def _guide(cell: Cell, steps: int, surgery: Surgery) -> Guide:
    """Lay the clamps and cuts out over the steps."""
    shape = (steps, len(cell.gate_names), cell.hidden_size)
    keep, clamped, values = np.ones((steps, 1)), np.zeros(shape, dtype=bool), np.zeros(shape)
    for gate, step, value, unit in surgery.clamps:
        place = (
            slice(None) if step is None else step - 1,
            cell.gate_names.index(gate),
            slice(None) if unit is None else unit,
        )
        clamped[place], values[place] = True, value
    for step in surgery.cuts:
        keep[step - 1] = 0.0
    return Guide(keep, clamped, values)


def clamped_units(cell: Cell, steps: int, surgery: Surgery) -> dict[str, Array]:
    """Return 1 where a gate is clamped and 0 where it is not, (T, n) by gate."""
    marks = _guide(cell, steps, surgery).clamped.astype(np.float64)
    return {gate: marks[:, index] for index, gate in enumerate(cell.gate_names)}


# --- what comes back through it --------------------------------------------------------------


def guided(cell: Cell, trace: Trace, surgery: Surgery) -> tuple[GuidedCell, Trace]:
    """Return an operated run as the plain run of a cell whose input carries the operations beside x_t.

    Whatever takes a cell and its trace takes these two: Jacobians, norms, gradients, Lyapunov exponents.
    """
    check_surgery(surgery, cell, trace.steps)
    steps_of(cell)
    keep, clamped, values = _guide(cell, trace.steps, surgery)
    flat = [table.reshape(trace.steps, -1) for table in (clamped.astype(np.float64), values)]
    return GuidedCell(cell), replace(trace, xs=read_only(np.hstack([trace.xs, keep, *flat])))


def operated_step_jacobians(cell: Cell, trace: Trace, surgery: Surgery) -> Array:
    """d state_t / d state_{t-1} of the run of `operate`, shape (T, s, s); see `step_jacobians`.

    A clamped gate passes nothing on, a cut step nothing from h_{t-1} through its weights.
    """
    return step_jacobians(*guided(cell, trace, surgery))


def operated_log10_norms(cell: Cell, trace: Trace, surgery: Surgery, t: int | None = None) -> Array:
    """log10 ||d state_t / d state_k|| of the run of `operate`; see `jacobian_log10_norms`."""
    return jacobian_log10_norms(*guided(cell, trace, surgery), t=t)


def operated_bptt(
    cell: Cell,
    trace: Trace,
    surgery: Surgery,
    targets: Any,
    loss: str = "cross_entropy",
    truncate: int | None = None,
) -> Gradients:
    """Differentiate the losses of the run of `operate`; see `bptt`.

    `inputs` are the gradients by the inputs as changed.
    """
    return bptt(*guided(cell, trace, surgery), targets, loss, truncate)


@dataclass(frozen=True, eq=False)
class OperatedRun:
    """A run with operations in force, and the same run untouched."""

    surgery: Surgery
    run: Run
    untouched: Run

    def log10_norms(self, t: int) -> Array:
        """log10 ||d state_t / d state_k|| for k = 0 … T of both, untouched and operated, shape (T + 1, 2)."""
        before = jacobian_log10_norms(self.untouched.cell, self.untouched.trace, t=t)
        return np.column_stack([before, operated_log10_norms(self.run.cell, self.run.trace, self.surgery, t)])


def operate_on(untouched: Run, surgery: Surgery) -> OperatedRun:
    """Run a config's cell again, from the same start, with the operations in force."""
    cell, trace, config = untouched.cell, untouched.trace, untouched.config
    again = operate(cell, trace.xs, surgery, trace.hs[0], None if trace.cs is None else trace.cs[0])
    gradients = None
    if untouched.targets is not None:
        gradients = operated_bptt(cell, again, surgery, untouched.targets, config.loss, config.truncate)
    return OperatedRun(surgery, replace(untouched, trace=again, gradients=gradients), untouched)
