"""What each lab must show, written from the contract and the design language; the numbers come from rnnscope.core."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import parse_qsl

import numpy as np
from rnnscope.app import url
from rnnscope.app.snapshot import STATES
from rnnscope.app.state import LabState
from rnnscope.core import (
    ALPHABET_SIZE,
    RNN,
    BidirectionalConfig,
    BidirectionalRun,
    Config,
    Run,
    decay,
    eigenvalues,
    format_number,
    half_life,
    input_gradient_norms,
    largest_lyapunov_exponent,
    memory_reach,
    parting,
    run,
    run_both,
    singular_values,
    softmax,
)

from tests.browser import (
    expected_bidirectional,
    expected_bptt,
    expected_gru,
    expected_inside,
    expected_paths,
    expected_patterns,
)
from tests.browser.expected_film import film_numbers, film_summary, film_tables

Key = tuple[str, int, int]
Numbers = Mapping[str, tuple[np.ndarray, int]]
#: Counts are printed without decimals.
COUNTS = (
    "parameters", "parameters_one", "parameters_conv", "parameters_shared", "parameters_separate", "year_end",
    "cells_kept",
)  # fmt: skip
#: A diagram lists so many inputs; of more it shows a strip.
MOST_LISTED = 3
#: Labs whose sentences and tables stand in a module of their own.
OWN = {"bidirectional": expected_bidirectional, "bptt": expected_bptt, "gru": expected_gru}
WEIGHTS = ("W_xh", "W_hh", "b_h", "W_hy", "b_y")


@dataclass(frozen=True)
class Expected:
    """A lab in the state of a query string, and the run that belongs to it."""

    lab: str
    query: str

    @cached_property
    def state(self) -> LabState:
        kind = STATES[self.lab]
        values, notices = url.read(kind, dict(parse_qsl(self.query)))
        assert notices == [], [notice.message for notice in notices]
        state = kind()
        state.apply(values)
        return state

    @cached_property
    def run(self) -> Run | BidirectionalRun:
        config = self.state.config()
        return run_both(config) if isinstance(config, BidirectionalConfig) else run(config)

    @cached_property
    def numbers(self) -> Numbers:
        """Every array that the lab may show: symbol -> (rows, step of the first row)."""
        if self.lab == "bptt":
            return expected_bptt.numbers(self.run, self.state)
        if self.lab in ("gru", "bidirectional"):
            return OWN[self.lab].numbers(self)
        if self.lab == "unfold":
            hidden = self.state.pattern == "hidden"
            own = unfold_numbers(self.run) if hidden else expected_patterns.numbers(self.state, self.run)
            return own | expected_patterns.sharing_numbers(self.run)
        numbers = {"lstm": lstm_numbers, "gradients": gradient_numbers}[self.lab](self.run)
        if self.lab == "lstm":
            return numbers | expected_paths.numbers(self)
        if self.lab != "gradients":
            return numbers
        return numbers | compared(self) | film_numbers(self) | memory_numbers(self) | map_numbers(self)

    def value(self, key: Key) -> float:
        """The number that core has for a symbol, step and unit."""
        symbol, t, unit = key
        rows, first = self.numbers[symbol]
        row = np.atleast_1d(np.asarray(rows, dtype=np.float64)[t - first])
        assert t >= first, f"{key} lies before the first row"
        return float(row[unit])

    def holds(self, key: Key, value: float) -> bool:
        """Whether `value` is the number of `key`, bit for bit; a weight in an equation is an entry of its array."""
        if key[0] == "W_yh":
            return value in expected_patterns.pattern_run(self.state, self.run).network.W_yh
        if key[0] in WEIGHTS and self.lab != "bidirectional":
            return value in np.asarray(getattr(self.run.cell, key[0]))
        return same(value, self.value(key))


def same(a: float, b: float) -> bool:
    return np.float64(a).tobytes() == np.float64(b).tobytes() or (np.isnan(a) and np.isnan(b))


# --- the numbers of a run --------------------------------------------------------------------


def unfold_numbers(found: Run) -> Numbers:
    trace, grads, T = found.trace, found.gradients, found.trace.steps
    scores = np.array([softmax(y) for y in trace.ys])
    diagonal = np.array([np.diag(tile) for tile in grads.W_hh_steps])
    return {
        "x": (trace.xs, 1), "h": (trace.hs, 0), "a": (trace.preactivations, 1), "y": (trace.ys, 1),
        "target": (found.targets, 1), "L": (grads.loss, 1), "L_sum": ([float(grads.loss.sum())], T),
        "dh": (grads.states, 0), "da": (grads.preactivations, 1), "dy": (grads.outputs, 1),
        "dh_out": (grads.from_output, 1), "dh_next": (grads.from_next, 0),
        "dW": (diagonal, 1), "dW_sum": ([np.diag(grads.W_hh)], T),
        "slope": ([found.cell.slope(a) for a in trace.preactivations], 1), "p": (scores, 1),
        "parameters": ([found.cell.parameter_count], 0),
    }  # fmt: skip


def lstm_numbers(found: Run) -> Numbers:
    trace = found.trace
    gates = {name: (trace.gates[name], 1) for name in "fiog"}
    sums = {f"a{name}": (trace.preactivations[name], 1) for name in "fiog"}
    products = {
        "fc": (trace.gates["f"] * trace.cs[:-1], 1),
        "ig": (trace.gates["i"] * trace.gates["g"], 1),
        "tc": (np.tanh(trace.cs[1:]), 1),
    }
    states = {"x": (trace.xs, 1), "h": (trace.hs, 0), "c": (trace.cs, 0), **expected_inside.numbers(found)}
    return {**states, **gates, **sums, **products, "parameters": ([found.cell.parameter_count], 0)}


def gradient_numbers(found: Run) -> Numbers:
    """The numbers of the selected cell; those of the others are in `compared`."""
    seen = half_life(found.cell, found.trace)
    blocks = found.cell.W_hh.reshape(-1, *found.cell.W_hh.shape[-2:])
    values = np.concatenate([eigenvalues(block) for block in blocks])
    values = values[np.argsort(-np.abs(values), kind="stable")]
    pairs = np.column_stack([values.real, values.imag])
    numbers = {
        "half_life": ([seen.steps], 0), "eigenvalue_re": (pairs, 0), "eigenvalue_im": (pairs, 0),
        "singular_value": (np.sort(np.concatenate([singular_values(block) for block in blocks]))[::-1], 0),
    }  # fmt: skip
    if isinstance(found.cell, RNN):
        return numbers | law_numbers(found)
    gates = {gate: (found.trace.gates[gate], 1) for gate in found.trace.gates}
    if "f" in gates:
        numbers["gate_half_life"] = ([math.log(0.5) / math.log(found.trace.gates["f"][0, 0])], 0)
    return numbers | gates | {"rho": ([abs(values[0])], 0)}


def law_numbers(found: Run) -> Numbers:
    """Bound, folk law, and where the curve leaves the law."""
    seen, T = decay(found.cell, found.trace), found.trace.steps
    parted = parting(seen, found.cell, found.trace)
    numbers = {"rho": ([seen.spectral_radius], 0), "bound_log10": (seen.bound, 0), "folk_log10": (seen.folk, 0)}
    numbers |= {"folk_norm": (10.0**seen.folk, 0), "jacobian_norm": (10.0**seen.curve, 0)}
    numbers["length_change"] = ([np.max(np.abs(10.0**seen.curve - 1))], T)
    if parted is not None:
        numbers |= {"parting_factor": ([10.0**parted.gap], parted.lag), "mean_slope": ([parted.mean_slope], 0)}
        if parted.peak is not None:
            numbers["transient_peak"] = ([10.0**parted.peak.log10], parted.peak.lag)
    return numbers


def compared(case: Expected) -> Numbers:
    """The curve and the rate of every cell that is on, on /gradients."""
    runs = {cell: run(case.state.config_of(cell)) for cell in case.state.curves}
    curves = {curve_name(cell): (half_life(seen.cell, seen.trace).curve, 0) for cell, seen in runs.items()}
    discard = case.state.T // 4
    rates = [largest_lyapunov_exponent(seen.cell, seen.trace, discard) for seen in runs.values()]
    law = law_numbers(runs["rnn"]) if "rnn" in runs else {}
    lines = {name: law[name] for name in ("bound_log10", "folk_log10") if name in law}
    return curves | lines | {"lyapunov": ([rates], 0)}


def memory_numbers(case: Expected) -> Numbers:
    """The gradient of every character of the text for the chosen output, RNN, LSTM and GRU side by side."""
    output = case.state.output or len(case.state.text)
    norms = []
    for cell in ("rnn", "lstm", "gru"):
        found = run(text_config(case.state, cell))
        norms.append(input_gradient_norms(found.cell, found.trace, found.targets, output))
    reaches = [memory_reach(each, output) for each in norms]
    return {"dx_log10": (np.column_stack(norms), 1), "reach": ([reaches], output)}


def map_numbers(case: Expected) -> Numbers:
    """The row of the map that is nearest to the page's rho, before it is computed."""
    rhos, strengths = np.linspace(0, 3, 40), np.linspace(0, 2, 40)
    row = rhos[np.abs(rhos - case.state.rho).argmin()]
    columns = {"map_rho": np.full(40, row), "map_sigma_in": strengths, "map_lyapunov": np.full(40, np.nan)}
    return {name: (column, 0) for name, column in columns.items()}


def text_config(state: LabState, cell: str) -> Config:
    text = {"input": "text", "text": state.text, "T": len(state.text), "d": ALPHABET_SIZE, "values": None}
    return replace(state.config_of(cell), outputs=ALPHABET_SIZE, loss="cross_entropy", **text)


# --- the diagrams ----------------------------------------------------------------------------


def diagrams(case: Expected, wide: bool) -> dict[str, set[Key]]:
    """Diagram -> every (symbol, t, unit) that it shows, no more, no less."""
    if case.lab in OWN:
        return OWN[case.lab].diagrams(case, wide)
    if case.lab == "unfold" and case.state.pattern != "hidden":
        return expected_patterns.diagrams(case, wide)
    if case.lab == "unfold":
        return unfold_diagrams(case, wide)
    return lstm_diagrams(case, wide) if case.lab == "lstm" else {}


def unfold_diagrams(case: Expected, wide: bool) -> dict[str, set[Key]]:
    T, t, unit = case.state.T, case.state.t, case.state.unit
    copies = {key for step in range(1, T + 1) for key in copy(case, step)}
    chain = {("h", 0, unit), *copies, *(("dh_next", step, unit) for step in range(1, T))}
    folded = {key for key in (copy(case, t) if t else {("h", 0, unit)}) if key[0] in ["x", "h", "y", "L", "target"]}
    if not wide:
        folded = {key for key in folded if key[0] in "xhy"}
    bars = {("dW_sum", T, unit), *(("dW", step, unit) for step in range(1, T + 1))}
    return {"folded": folded, "unfolded": chain, "contributions": bars}


def copy(case: Expected, t: int) -> set[Key]:
    """One step: values, loss and every gradient. For text the input is a glyph and the output is the target's."""
    text, unit = case.state.input == "text", case.state.unit
    output = int(case.run.targets[t - 1]) if text else 0
    inputs = set() if text else {("x", t, i) for i in range(case.state.d)}
    gradients = {("dy", t, output), ("dh_out", t, unit), ("dh", t, unit)}
    return inputs | {("h", t, unit), ("y", t, output), ("L", t, 0), ("target", t, 0)} | gradients


def lstm_diagrams(case: Expected, wide: bool) -> dict[str, set[Key]]:
    """The cell at step t: the states before it, and everything it computes. Before step 1 there are only states."""
    t, unit = case.state.t, case.state.unit
    beside = expected_inside.diagrams(case, "fiogch")
    if t == 0:
        return {"lstm": {("c", 0, unit), ("h", 0, unit)}, **beside}
    listed = case.state.input != "text" and case.state.d <= MOST_LISTED
    inputs = {("x", t, i) for i in range(case.state.d)} if listed else set()
    sums = {(f"a{name}", t, unit) for name in "fiog"} if wide else set()
    states = {(name, step, unit) for name in "ch" for step in (t - 1, t)}
    gates = {(name, t, unit) for name in ("f", "i", "o", "g", "fc", "ig", "tc")}
    return {"lstm": expected_inside.there(case, inputs | sums | states | gates), **beside}


# --- sentences and tables --------------------------------------------------------------------


def summaries(case: Expected) -> list[Key]:
    """The figures in the sentences beside the plots, in the order of the page."""
    state, found = case.state, case.run
    if case.lab in OWN:
        return OWN[case.lab].summaries(case)
    if case.lab == "unfold" and state.pattern != "hidden":
        return [*expected_patterns.summaries(case), *expected_patterns.sharing_summary(case)]
    if case.lab == "unfold":
        worst = int(np.argmax(found.gradients.loss)) + 1
        losses = [("dW_sum", state.T, state.unit), ("L_sum", state.T, 0), ("L", worst, 0)]
        return [*losses, *expected_patterns.sharing_summary(case)]
    if case.lab == "lstm":
        forget, cell = found.trace.gates["f"][:, state.unit], found.trace.cs[:, state.unit]
        lowest, highest = int(np.argmin(forget)) + 1, int(np.argmax(forget)) + 1
        gates = [("f", lowest, state.unit), ("f", highest, state.unit), ("c", int(np.argmax(abs(cell))), state.unit)]
        return gates + expected_paths.summary(case)
    names = ("jacobian_log10_norm", "bound_log10", "folk_log10") if state.cell == "rnn" else (curve_name(state.cell),)
    curves = [(name, state.T, 0) for name in names]
    reaches = [("reach", state.output or len(state.text), unit) for unit in range(3)]
    return [*curves, ("rho", 0, 0), ("singular_value", 0, 0), *film_summary(case), *reaches]


def tables(case: Expected) -> dict[str, np.ndarray]:
    """The rows and columns behind each "Show data"."""
    state = case.state
    if case.lab in OWN:
        return OWN[case.lab].tables(case)
    if case.lab == "gradients":
        names = [curve_name(cell) for cell in state.curves]
        names += ["bound_log10", "folk_log10"] if "rnn" in state.curves else []
        return {
            "Jacobian norm against lag": np.column_stack(
                [np.arange(state.T + 1), *(case.numbers[name][0] for name in names)]
            ),
            "Eigenvalues": case.numbers["eigenvalue_re"][0],
            "Singular values": np.asarray(case.numbers["singular_value"][0])[:, None],
            **film_tables(case),
            "Exponents in the row of the point": np.column_stack(
                [case.numbers[name][0] for name in ("map_rho", "map_sigma_in", "map_lyapunov")]
            ),
            "Gradient of each character": np.column_stack(
                [np.arange(1, len(state.text) + 1), case.numbers["dx_log10"][0]]
            ),
        }
    if case.lab == "unfold" and state.pattern != "hidden":
        return expected_patterns.tables(case) | expected_patterns.sharing_tables(case)
    steps = np.arange(1, state.T + 1)
    names = ["x", "h", "y", "L", "dy", "dh"] if case.lab == "unfold" else ["f", "i", "o", "g", "c", "h"]
    columns = [
        [case.value((name, int(t), table_unit(case, name, int(t)) if unit is None else unit)) for t in steps]
        for name in names
        for unit in (range(case.run.trace.xs.shape[1]) if name == "x" else [None])
    ]
    label = "Values and gradients by step" if case.lab == "unfold" else "Gates and states by step"
    others = {"lstm": expected_paths.table, "unfold": expected_patterns.sharing_tables}[case.lab](case)
    return {label: np.column_stack([steps, *columns]), **others}


def curve_name(cell: str) -> str:
    return "jacobian_log10_norm" if cell == "rnn" else f"jacobian_log10_norm_{cell}"


def table_unit(case: Expected, name: str, t: int) -> int:
    """A table shows what the diagram shows: the selected unit, and for text the output of the target."""
    if name in ("y", "dy"):
        return int(case.run.targets[t - 1]) if case.state.input == "text" else 0
    return 0 if name in "xL" else case.state.unit


# --- what is printed -------------------------------------------------------------------------


def printed(case: Expected, key: Key, value: float, digits: int) -> str:
    """The text of a number: the target of a text is its next character, a count has no decimals."""
    if key[0] == "target" and case.state.input == "text":
        text = case.state.text
        return f"“{text[key[1]]}”" if key[1] < len(text) else "end"
    whole = key[0] in COUNTS or key[0].startswith("parameters") or (key[0] == "reach" and case.lab == "gradients")
    return str(int(value)) if whole else format_number(value, digits)
