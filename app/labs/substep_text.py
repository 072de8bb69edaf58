"""The sub-step in words: what is computed, and with the numbers of the selected unit."""

from __future__ import annotations

from typing import Any

from rnnscope.core import Run, Substep, substeps
from rnnscope.core.expressions import FUNCTIONS, Apply, Hadamard, MatVec
from rnnscope.core.formatting import MINUS
from rnnscope.core.glossary import GATE_NAMES
from rnnscope.core.notation import Token, find_notation, signal_token
from rnnscope.core.slopes import OneMinus

from ..state.inside import InsideState
from ..words import Phrase, phrase, plain, readout, token_words
from .seen import cuts_of, made, reads_weights

#: How a sub-step outside the layers is introduced, by what it makes; "h" differs by cell.
LEADS = {
    "fc": "Product, what is kept", "ig": "Product, what is written", "c": "Sum, the new cell state",
    "tc": "Squashed cell state", "zh": "Product, what is kept", "zg": "Product, what is written",
    "h": "New hidden state",
}  # fmt: skip
#: The place of a layer's addends in an affine sum.
PLACES = {"Wx": "input", "Uh": "recurrent", "rh": "recurrent"}


def current(state: InsideState, run: Run) -> Substep | None:
    """The sub-step that is shown, or None for the whole step; step 0 computes nothing."""
    steps = substeps(run.cell)
    return steps[min(state.substep, len(steps)) - 1] if state.substep and state.t else None


def sentence(state: InsideState, run: Run) -> Phrase:
    step = current(state, run)
    if step is None:
        return phrase("The whole step at once." if state.t else "Step 0 computes nothing: it is where the run starts.")
    lead = GATE_NAMES[step.gate].capitalize() if step.gate else LEADS[step.symbol]
    which = f" for unit {state.unit + 1}: " if state.n > 1 else ": "
    numbers = _numbers(step, state, run)
    result = _value(step.symbol, 0, state, run)
    symbols = token_words([*_left(step, state), *step.tokens(state.notation, state.t)])
    return [*phrase(f"{lead}: "), *symbols, *phrase(which), *numbers, *([operator("=")] if numbers else []), result]


def _left(step: Substep, state: InsideState) -> list[Token]:
    """What is made, and "=", where it has a letter of its own."""
    if step.symbol not in (step.gate, f"a{step.gate}", "c", "h"):
        return []
    letters = find_notation(state.notation, True, step.candidate_for)
    return [signal_token(letters, step.symbol, state.t, 0, True), Token("operator", "=")]


def operator(text: str) -> dict[str, Any]:
    return {"kind": "operator", "text": text}


def factor(number: dict[str, Any]) -> Phrase:
    """A number ready to be multiplied or added: a negative one goes in brackets."""
    return [operator("("), number, operator(")")] if number["text"].startswith(MINUS) else [number]


def joined(sign: str, numbers: list[dict[str, Any]]) -> Phrase:
    """Numbers with a sign between them; the first of a sum needs no brackets."""
    words = [numbers[0]] if sign == "+" else factor(numbers[0])
    for number in numbers[1:]:
        words += [operator(sign), *factor(number)]
    return words


def _numbers(step: Substep, state: InsideState, run: Run) -> Phrase:
    """What the sub-step takes, with numbers put in; nothing for a product that adds up over several numbers."""
    if step.symbol[:2] in ("Wx", "Uh"):
        return _product(step, state, run)
    taken = [_taken(step, symbol, lag, state, run) for symbol, lag in step.takes]
    if isinstance(step.right, Apply):
        return [{"kind": "function", "text": FUNCTIONS[step.right.function][0]}, operator("("), *taken, operator(")")]
    if isinstance(step.right, Hadamard):
        return _hadamard(step.right, taken)
    return joined("+", _in_order(step, taken, state, run))


def _hadamard(product: Hadamard, taken: list[dict[str, Any]]) -> Phrase:
    if not isinstance(product.left, OneMinus):
        return joined("×", taken)
    left = [operator("("), {"kind": "text", "text": "1"}, operator(MINUS), taken[0], operator(")")]
    return [*left, operator("×"), *factor(taken[1])]


def _in_order(step: Substep, taken: list[dict[str, Any]], state: InsideState, run: Run) -> list[dict[str, Any]]:
    """The addends of a layer with its bias, in the order of the notation."""
    if step.gate is None:
        return taken
    bias = run.cell.b_h[run.cell.gate_names.index(step.gate)][state.unit]
    places = {PLACES[symbol[:2]]: number for (symbol, _), number in zip(step.takes, taken, strict=True)}
    places["bias"] = readout(float(bias), f"b_{step.gate}", 0, state.unit)
    return [places[place] for place in find_notation(state.notation, True).order]


def _product(step: Substep, state: InsideState, run: Run) -> Phrase:
    """A matrix of one column times one number, written out."""
    if not isinstance(step.right, MatVec):
        return []
    matrix = getattr(run.cell, step.right.weight)[run.cell.gate_names.index(step.gate)]
    if matrix.shape[1] > 1:
        return []
    weight = readout(float(matrix[state.unit, 0]), weight_symbol(step.right.weight, str(step.gate)), 1, state.unit)
    (symbol, lag), *_ = step.takes
    return joined("×", [weight, _taken(step, symbol, lag, state, run, unit=0)])


def weight_symbol(weight: str, gate: str) -> str:
    """W_xf, W_hf: the readouts of a layer's weights; `data-t` counts columns from 1, `data-unit` rows from 0."""
    return f"{weight[:3]}{gate}"


def _taken(
    step: Substep, symbol: str, lag: int, state: InsideState, run: Run, unit: int | None = None
) -> dict[str, Any]:
    """What a sub-step takes; at a cut 0 stands in place of the state that goes through the recurrent weights."""
    if symbol == "h" and lag and reads_weights(step.symbol) and state.t in cuts_of(state):
        return plain("0")
    return _value(symbol, lag, state, run, unit)


def _value(symbol: str, lag: int, state: InsideState, run: Run, unit: int | None = None) -> dict[str, Any]:
    """One component of a vector of the step, or of the step before, as a readout."""
    trace, at, chosen = run.trace, state.t + lag, state.unit if unit is None else unit
    if symbol == "x":
        value = trace.xs[at - 1, chosen]
    elif lag:
        value = (trace.hs if symbol == "h" else trace.cs)[at, chosen]
    else:
        value = made(run, cuts_of(state))[symbol][at - 1, chosen]
    return readout(float(value), symbol, at, chosen)
