"""How the equations are written: every notation, LaTeX, tokens and terms."""

import numpy as np
import pytest
from rnnscope.core import NOTATIONS, backward_equations, default_notation, equation, equations

GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]
KINDS = ["tanh", "relu", "linear", "lstm", *GRUS]


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
    assert backward_equations(make_cell("lstm", m=None)) == ()
    with pytest.raises(ValueError, match="cell must be an RNN, LSTM or GRU, got Odd"):
        backward_equations(Odd())


class Odd:
    W_hy = np.ones((1, 1))


LSTM_BACKWARD = {
    "dh": "∂L/∂h_t = W_yᵀ ∂L/∂y_t + U_fᵀ ∂L/∂a_{f,t+1} + U_iᵀ ∂L/∂a_{i,t+1} + U_cᵀ ∂L/∂a_{c,t+1} + U_oᵀ ∂L/∂a_{o,t+1}",
    "dc": "∂L/∂c_t = f_{t+1} ⊙ (∂L/∂c_{t+1} + ∂L/∂h_{t+1} ⊙ o_{t+1} ⊙ (1 − tanh²(c_{t+1})))",
    "dag": "∂L/∂a_{c,t} = (∂L/∂c_t + ∂L/∂h_t ⊙ o_t ⊙ (1 − tanh²(c_t))) ⊙ i_t ⊙ (1 − c\u0303_t²)",
    "dao": "∂L/∂a_{o,t} = ∂L/∂h_t ⊙ tanh(c_t) ⊙ o_t ⊙ (1 − o_t)",
}

GRU_BACKWARD = {
    ("gru-before-new", "dh"): "∂L/∂h_t = W_yᵀ ∂L/∂y_t + (1 − z_{t+1}) ⊙ ∂L/∂h_{t+1} + U_zᵀ ∂L/∂a_{z,t+1}"
    " + U_rᵀ ∂L/∂a_{r,t+1} + r_{t+1} ⊙ (U_hᵀ ∂L/∂a_{h,t+1})",
    ("gru-before-new", "daz"): "∂L/∂a_{z,t} = ∂L/∂h_t ⊙ (h\u0303_t − h_{t−1}) ⊙ z_t ⊙ (1 − z_t)",
    ("gru-before-old", "daz"): "∂L/∂a_{z,t} = ∂L/∂h_t ⊙ (h_{t−1} − h\u0303_t) ⊙ z_t ⊙ (1 − z_t)",
    ("gru-before-old", "dar"): "∂L/∂a_{r,t} = (U_hᵀ ∂L/∂a_{h,t}) ⊙ h_{t−1} ⊙ r_t ⊙ (1 − r_t)",
    ("gru-after-new", "dar"): "∂L/∂a_{r,t} = ∂L/∂a_{h,t} ⊙ (U_h h_{t−1} + b_{hh}) ⊙ r_t ⊙ (1 − r_t)",
    ("gru-after-new", "dag"): "∂L/∂a_{h,t} = ∂L/∂h_t ⊙ z_t ⊙ (1 − h\u0303_t²)",
}


def test_backward_equations_of_gated_cells(make_cell):
    lstm = make_cell("lstm")
    assert [item.symbol for item in backward_equations(lstm)] == ["dh", "dc", "daf", "dai", "dag", "dao"]
    for symbol, text in LSTM_BACKWARD.items():
        assert equation(lstm, symbol).text("boucher") == text
    for (kind, symbol), text in GRU_BACKWARD.items():
        assert equation(make_cell(kind), symbol).text("boucher") == text
    symbols = [item.symbol for item in backward_equations(make_cell("gru-after-old"))]
    assert symbols == ["dh", "dag", "daz", "dar"]
    assert r"\tanh^{2}(c_{t+1})" in equation(lstm, "dc").latex("boucher")
    terms = {term.symbol: term.meaning for term in equation(lstm, "dao").terms}
    assert terms["dao"] == "gradient of the loss with respect to the pre-activation of the output gate"


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
