"""Equations compute what the trace and the gradients hold, and print numbers that add up."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from rnnscope.core import (
    NOTATIONS,
    RNN,
    RNNConfig,
    backward_equations,
    bptt,
    equation,
    equations,
    format_number,
    run,
    unroll,
)
from rnnscope.core.formatting import MINUS
from rnnscope.core.notation import plain_text

GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]
KINDS = ["tanh", "relu", "linear", "lstm", *GRUS]
T = 5


def example(kind, make_cell, n=3, d=2, m=2):
    cell = make_cell(kind, n=n, d=d, m=m)
    rng = np.random.default_rng(4)
    trace = unroll(cell, rng.standard_normal((T, d)), rng.standard_normal(n))
    gradients = None if m is None else bptt(cell, trace, rng.standard_normal((T, m)), "squared")
    return cell, trace, gradients


def shown_by_the_trace(symbol, cell, trace, gradients, t):
    if symbol in ("h", "c"):
        return (trace.hs if symbol == "h" else trace.cs)[t]
    if symbol in ("dh", "dc"):
        return gradients.states[t, : cell.hidden_size] if symbol == "dh" else gradients.states[t, cell.hidden_size :]
    arrays = {"y": trace.ys, "a": trace.preactivations, **trace.gates}
    if gradients is not None and symbol == "da":
        arrays["da"] = gradients.preactivations
    if cell.gate_names:
        arrays |= {f"a{gate}": trace.preactivations[gate] for gate in cell.gate_names}
        arrays |= {f"da{gate}": gradients.preactivations[gate] for gate in cell.gate_names}
    return arrays[symbol][t - 1]


@pytest.mark.parametrize("kind", KINDS)
def test_every_equation_computes_what_the_trace_holds(kind, make_cell):
    cell, trace, gradients = example(kind, make_cell)
    for item in {*equations(cell), *backward_equations(cell)}:
        for t in range(1, T + 1):
            want = shown_by_the_trace(item.symbol, cell, trace, gradients, t)
            got = item.evaluate(cell, trace, t, gradients)
            np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12, err_msg=item.name)


def test_a_gru_without_inner_bias_writes_none(make_cell):
    cell = replace(make_cell("gru-after-new"), b_hh=None)
    assert equation(cell, "g").text("boucher").endswith("= tanh(W_h x_t + r_t ⊙ (U_h h_{t−1}) + b_h)")
    trace = unroll(cell, np.ones((3, 2)))
    np.testing.assert_allclose(equation(cell, "g").evaluate(cell, trace, 3), trace.gates["g"][2], rtol=1e-13)


def test_the_worked_example_of_the_sources_in_numbers():
    config = RNNConfig(n=1, d=1, T=1, input="values", values=(1,), outputs=1, U=1, W=0.5, V=-1.2, b=0, h0=0.4)
    result = run(config)
    lines = [
        plain_text(item.numbers(result.cell, result.trace, 1, 0, result.gradients)) for item in equations(result.cell)
    ]
    assert lines == [
        "0 + 0.500 × 0.400 + 1.00 × 1.00 = 1.20",
        "tanh(1.20) = 0.834",
        "0 + (−1.20) × 0.834 = −1.00",
        "(−1.20) × (−1.00) + 0.500 × 0 = 1.20",
        "0.305 × 1.20 = 0.366",
    ]


def test_longer_products_are_one_number_each(make_cell):
    cell, trace, _ = example("tanh", make_cell)
    tokens = equation(cell, "a").numbers(cell, trace, 2, 1)
    values = [token.value for token in tokens if token.kind == "number"]
    want = [
        cell.b_h[1],
        cell.W_hh[1] @ trace.hs[1],
        cell.W_xh[1] @ trace.xs[1],
        trace.preactivations[1, 1],
    ]
    np.testing.assert_allclose(values, want, rtol=1e-14)


CALCULATOR = {
    "tanh": np.tanh,
    "σ": lambda a: 1 / (1 + np.exp(-a)),
    "relu": lambda a: max(a, 0.0),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("size", [1, 3])
def test_numbers_printed_are_the_numbers_kept(kind, notation, size, make_cell):
    """Every printed number is its exact value, and the exact values satisfy the printed line."""
    cell, trace, gradients = example(kind, make_cell, n=size, d=size, m=size)
    for item, t in product({*equations(cell), *backward_equations(cell)}, (3, T)):
        tokens = item.numbers(cell, trace, t, size - 1, gradients, notation)
        for token in tokens:
            if token.kind == "number":
                exact = ("1", 1.0)  # of 1 − z: not a rounded number
                assert token.text == format_number(token.value) or (token.text, token.value) == exact
        line = "".join(repr(t.value) if t.kind == "number" else t.text for t in tokens)
        left, right = line.replace("×", "*").replace(MINUS, "-").split("=")
        computed = eval(left, {"__builtins__": {}}, CALCULATOR)
        assert computed == pytest.approx(float(right), rel=1e-12, abs=1e-13), item.name


def test_numbers_say_what_they_show():
    result = run(RNNConfig(n=1, d=1, T=3, outputs=1))
    tokens = equation(result.cell, "a").numbers(result.cell, result.trace, 3, 0)
    shown = [(t.symbol, t.t, t.unit) for t in tokens if t.kind == "number"]
    assert shown == [
        ("b_h", None, 0),
        ("W_hh", None, 0),
        ("h", 2, 0),
        ("W_xh", None, 0),
        ("x", 3, 0),
        ("a", 3, 0),
    ]


def test_equations_refuse_and_say_why(make_cell):
    cell, trace, _ = example("tanh", make_cell)
    with pytest.raises(ValueError, match="notation must be one of goodfellow, boucher"):
        equation(cell, "a").tokens("elman")
    with pytest.raises(ValueError, match="symbol must be one of a, h, y, dh, da, got 'f'"):
        equation(cell, "f")
    with pytest.raises(ValueError, match="t must be an integer in 1 … 5, got 0"):
        equation(cell, "a").evaluate(cell, trace, 0)
    with pytest.raises(ValueError, match="unit must be an integer in 0 … 2, got 3"):
        equation(cell, "a").numbers(cell, trace, 1, 3)
    with pytest.raises(ValueError, match="gradients must be given to evaluate dy, got None"):
        equation(cell, "dh").evaluate(cell, trace, 1)
    with pytest.raises(ValueError, match="cell must be an RNN, LSTM or GRU, got int"):
        equations(3)


def test_equations_of_a_saturated_unit_still_hold():
    cell = RNN([[40.0]], [[0.5]], [0.0], [[1.0]])
    trace = unroll(cell, np.ones((2, 1)))
    gradients = bptt(cell, trace, np.zeros((2, 1)), "squared")
    got = equation(cell, "da").evaluate(cell, trace, 1, gradients)
    np.testing.assert_allclose(got, gradients.preactivations[0], atol=1e-15)
