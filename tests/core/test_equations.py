from dataclasses import replace

import numpy as np
import pytest
from rnnscope.core import (
    NOTATIONS,
    RNN,
    RNNConfig,
    bptt,
    default_notation,
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
    if symbol == "dh":
        return gradients.states[t, : cell.hidden_size]
    arrays = {"y": trace.ys, "a": trace.preactivations, **trace.gates}
    if gradients is not None and symbol == "da":
        arrays["da"] = gradients.preactivations
    if cell.gate_names:
        arrays |= {f"a{gate}": trace.preactivations[gate] for gate in cell.gate_names}
    return arrays[symbol][t - 1]


@pytest.mark.parametrize("kind", KINDS)
def test_every_equation_computes_what_the_trace_holds(kind, make_cell):
    cell, trace, gradients = example(kind, make_cell)
    for item in equations(cell):
        for t in range(1, T + 1):
            want = shown_by_the_trace(item.symbol, cell, trace, gradients, t)
            got = item.evaluate(cell, trace, t, gradients)
            np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12, err_msg=item.name)


def test_order_of_the_equations(make_cell):
    symbols = [item.symbol for item in equations(make_cell("tanh"))]
    assert symbols == ["a", "h", "y", "dh", "da"]
    assert [item.symbol for item in equations(make_cell("tanh", m=None))] == ["a", "h"]
    symbols = [item.symbol for item in equations(make_cell("lstm"))]
    assert symbols == ["f", "i", "g", "c", "o", "h", "af", "ai", "ag", "ao", "y"]
    for kind in GRUS:
        symbols = [item.symbol for item in equations(make_cell(kind))]
        assert symbols == ["z", "r", "g", "h", "az", "ar", "ag", "y"]


RNN_TEXTS = {
    "goodfellow": ["a_t = b + W h_{t−1} + U x_t", "h_t = tanh(a_t)", "o_t = c + V h_t"],
    "boucher": ["a_t = W_h h_{t−1} + W_x x_t + b", "h_t = tanh(a_t)", "y_t = W_y h_t + b_y"],
    "concat": ["a_t = W [h_{t−1}, x_t] + b", "h_t = tanh(a_t)", "y_t = W_y h_t + b_y"],
    "pytorch": [
        "a_t = W_{ih} x_t + W_{hh} h_{t−1} + b",
        "h_t = tanh(a_t)",
        "y_t = W_{hy} h_t + b_y",
    ],
}

LSTM_TEXTS = {
    "goodfellow": [
        "f_t = σ(b_f + W_f h_{t−1} + U_f x_t)",
        "c̃_t = tanh(b_c + W_c h_{t−1} + U_c x_t)",
    ],
    "boucher": ["f_t = σ(W_f x_t + U_f h_{t−1} + b_f)", "c̃_t = tanh(W_c x_t + U_c h_{t−1} + b_c)"],
    "concat": ["f_t = σ(W_f [h_{t−1}, x_t] + b_f)", "c̃_t = tanh(W_c [h_{t−1}, x_t] + b_c)"],
    "pytorch": [
        "f_t = σ(W_{if} x_t + W_{hf} h_{t−1} + b_f)",
        "g_t = tanh(W_{ig} x_t + W_{hg} h_{t−1} + b_g)",
    ],
}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_equations_in_every_notation(notation, make_cell):
    rnn, lstm = make_cell("tanh"), make_cell("lstm")
    assert [item.text(notation) for item in equations(rnn)[:3]] == RNN_TEXTS[notation]
    gate, candidate = equation(lstm, "f"), equation(lstm, "g")
    assert [gate.text(notation), candidate.text(notation)] == [
        text.replace("c̃", "c\u0303") for text in LSTM_TEXTS[notation]
    ]


@pytest.mark.parametrize("notation", NOTATIONS)
def test_symbols_never_change_with_the_notation(notation, make_cell):
    for kind in KINDS:
        for item in equations(make_cell(kind)):
            symbols = {token.symbol for token in item.tokens(notation) if token.kind == "symbol"}
            reference = {token.symbol for token in item.tokens("boucher") if token.kind == "symbol"}
            assert symbols - {"joint"} <= reference
            assert item.tokens(notation)[0].symbol == item.symbol


def test_forward_equations_that_all_notations_share(make_cell):
    lstm = make_cell("lstm")
    assert equation(lstm, "c").text("pytorch") == "c_t = f_t ⊙ c_{t−1} + i_t ⊙ g_t"
    assert equation(lstm, "h").text("boucher") == "h_t = o_t ⊙ tanh(c_t)"
    assert equation(lstm, "ag").text("boucher").startswith("a_{c,t} = W_c x_t")
    assert equation(make_cell("relu"), "h").text("boucher") == "h_t = relu(a_t)"
    assert equation(make_cell("linear"), "h").text("boucher") == "h_t = a_t"


def test_backward_equations(make_cell):
    tanh, relu, linear = (make_cell(kind) for kind in ("tanh", "relu", "linear"))
    assert equation(tanh, "dh").text("goodfellow") == "∂L/∂h_t = Vᵀ ∂L/∂o_t + Wᵀ ∂L/∂a_{t+1}"
    assert equation(tanh, "da").text("goodfellow") == "∂L/∂a_t = (1 − h_t²) ⊙ ∂L/∂h_t"
    assert equation(relu, "da").text("goodfellow") == "∂L/∂a_t = 1[a_t > 0] ⊙ ∂L/∂h_t"
    assert equation(linear, "da").text("goodfellow") == "∂L/∂a_t = ∂L/∂h_t"


def test_latex(make_cell):
    assert equation(make_cell("lstm"), "f").latex("boucher") == (r"f_{t} = \sigma(W_{f} x_{t} + U_{f} h_{t-1} + b_{f})")
    assert equation(make_cell("lstm"), "g").latex("concat") == (
        r"\tilde{c}_{t} = \tanh(W_{c} [h_{t-1}, x_{t}] + b_{c})"
    )
    assert equation(make_cell("gru-after-new"), "g").latex("boucher") == (
        r"\tilde{h}_{t} = \tanh(W_{h} x_{t} + r_{t} \odot (U_{h} h_{t-1} + b_{hh}) + b_{h})"
    )
    assert equation(make_cell("gru-before-old"), "h").latex("concat") == (
        r"h_{t} = z_{t} \odot h_{t-1} + (1 - z_{t}) \odot \tilde{h}_{t}"
    )
    assert equation(make_cell("tanh"), "da").latex("goodfellow") == (
        r"\partial L/\partial a_{t} = (1 - h_{t}^{2}) \odot \partial L/\partial h_{t}"
    )
    assert equation(make_cell("tanh"), "dh").latex("boucher") == (
        r"\partial L/\partial h_{t} = W_{y}^{\top} \partial L/\partial y_{t}"
        r" + W_{h}^{\top} \partial L/\partial a_{t+1}"
    )


GRU_CANDIDATES = {
    "goodfellow": (
        "h̃_t = tanh(b_h + W_h(r_t ⊙ h_{t−1}) + U_h x_t)",
        "h̃_t = tanh(b_h + r_t ⊙ (b_{hh} + W_h h_{t−1}) + U_h x_t)",
    ),
    "boucher": (
        "h̃_t = tanh(W_h x_t + U_h(r_t ⊙ h_{t−1}) + b_h)",
        "h̃_t = tanh(W_h x_t + r_t ⊙ (U_h h_{t−1} + b_{hh}) + b_h)",
    ),
    "concat": (
        "h̃_t = tanh(W_h [r_t ⊙ h_{t−1}, x_t] + b_h)",
        "h̃_t = tanh(r_t ⊙ (W_{hh} h_{t−1} + b_{hh}) + W_{hx} x_t + b_h)",
    ),
    "pytorch": (
        "n_t = tanh(W_{in} x_t + W_{hn}(r_t ⊙ h_{t−1}) + b_n)",
        "n_t = tanh(W_{in} x_t + r_t ⊙ (W_{hn} h_{t−1} + b_{hn}) + b_n)",
    ),
}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_gru_equations_in_every_notation(notation, make_cell):
    new, old = make_cell("gru-before-new"), make_cell("gru-after-old")
    before, after = GRU_CANDIDATES[notation]
    written = [equation(cell, "g").text(notation).replace("\u0303", "") for cell in (new, old)]
    assert written == [text.replace("\u0303", "") for text in (before, after)]
    letter = before[: before.index(" ")]
    assert equation(new, "h").text(notation) == f"h_t = (1 − z_t) ⊙ h_{{t−1}} + z_t ⊙ {letter}"
    assert equation(old, "h").text(notation) == f"h_t = z_t ⊙ h_{{t−1}} + (1 − z_t) ⊙ {letter}"
    pre = equation(new, "ag").text(notation)
    assert pre == f"a_{{{'n' if notation == 'pytorch' else 'h'},t}} = {before.split('tanh(')[1][:-1]}"


def test_a_gru_without_inner_bias_writes_none(make_cell):
    cell = replace(make_cell("gru-after-new"), b_hh=None)
    assert equation(cell, "g").text("boucher").endswith("= tanh(W_h x_t + r_t ⊙ (U_h h_{t−1}) + b_h)")
    trace = unroll(cell, np.ones((3, 2)))
    np.testing.assert_allclose(equation(cell, "g").evaluate(cell, trace, 3), trace.gates["g"][2], rtol=1e-13)


def test_tokens_carry_the_step_and_the_contract_symbol(make_cell):
    tokens = equation(make_cell("lstm"), "c").tokens("boucher", t=3)
    found = [(token.text, token.sub, token.symbol, token.t, token.accent) for token in tokens]
    assert found == [
        ("c", "3", "c", 3, None),
        ("=", None, None, None, None),
        ("f", "3", "f", 3, None),
        ("⊙", None, None, None, None),
        ("c", "2", "c", 2, None),
        ("+", None, None, None, None),
        ("i", "3", "i", 3, None),
        ("⊙", None, None, None, None),
        ("c", "3", "g", 3, "tilde"),
    ]


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
    for item in equations(cell):
        tokens = item.numbers(cell, trace, 3, size - 1, gradients, notation)
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


def test_terms_give_shapes_and_meanings(make_cell):
    terms = {term.symbol: term for term in equation(make_cell("tanh"), "a").terms}
    assert list(terms) == ["a", "W_hh", "h", "W_xh", "x", "b_h"]
    assert (terms["W_hh"].shape, terms["W_hh"].meaning) == ("(n, n)", "hidden to hidden weights")
    gate = {term.symbol: term.meaning for term in equation(make_cell("lstm"), "f").terms}
    assert gate["W_hh"] == "hidden to hidden weights of the forget gate"
    candidate = {term.symbol: (term.shape, term.meaning) for term in equation(make_cell("gru-after-new"), "g").terms}
    assert list(candidate) == ["g", "r", "W_hh", "h", "b_hh", "W_xh", "x", "b_h"]
    assert candidate["r"] == ("(n,)", "reset gate")
    assert candidate["b_hh"] == ("(n,)", "bias of the candidate that the reset gate scales")


def test_default_notations(make_cell):
    assert default_notation(make_cell("tanh")) == "goodfellow"
    assert default_notation(make_cell("lstm")) == "boucher"


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
