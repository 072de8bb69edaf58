"""Weights in other layouts, run by forward passes written here in each library's own convention."""

import numpy as np
import pytest
from rnnscope.core import (
    GRU,
    RNN,
    from_keras,
    from_onnx,
    from_pytorch,
    to_keras,
    to_onnx,
    to_pytorch,
    unroll,
)

CLOSE = {"rtol": 1e-11, "atol": 1e-13}
BEFORE = ["gru-before-new", "gru-before-old"]
AFTER = ["gru-after-new", "gru-after-old"]
KINDS = ["tanh", "relu", "linear", "lstm", *BEFORE, *AFTER]
HELD = [("pytorch", kind) for kind in KINDS if kind not in ("linear", *BEFORE)]
HELD += [(library, kind) for library in ("keras", "onnx") for kind in KINDS]

TO = {"pytorch": to_pytorch, "keras": to_keras, "onnx": to_onnx}
FROM = {"pytorch": from_pytorch, "keras": from_keras, "onnx": from_onnx}


def sigmoid(a):
    return 1.0 / (1.0 + np.exp(-a))


def sizes(cell):
    return {1: "rnn", 3: "gru", 4: "lstm"}[cell.W_hh.size // cell.hidden_size**2]


def torch_forward(w, kind, activation, xs, h, c):
    """torch.nn.RNN, LSTM (i, f, g, o) and GRU (r, z, n), as their documentation writes them."""
    hs = []
    for x in xs:
        gi = w["weight_ih_l0"] @ x + w["bias_ih_l0"]
        gh = w["weight_hh_l0"] @ h + w["bias_hh_l0"]
        if kind == "rnn":
            h = activation(gi + gh)
        elif kind == "lstm":
            i, f, g, o = np.split(gi + gh, 4)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
        else:
            (i_r, i_z, i_n), (h_r, h_z, h_n) = np.split(gi, 3), np.split(gh, 3)
            r, z = sigmoid(i_r + h_r), sigmoid(i_z + h_z)
            n = np.tanh(i_n + r * h_n)
            h = (1 - z) * n + z * h
        hs.append(h)
    return np.array(hs)


def keras_forward(w, kind, activation, xs, h, c):
    """keras.layers.SimpleRNN, LSTM (i, f, c, o) and GRU (z, r, h): row vectors times kernels."""
    kernel, recurrent, bias = w["kernel"], w["recurrent_kernel"], w["bias"]
    n = len(h)
    hs = []
    for x in xs:
        if kind == "rnn":
            h = activation(x @ kernel + bias + h @ recurrent)
        elif kind == "lstm":
            i, f, g, o = np.split(x @ kernel + h @ recurrent + bias, 4)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
        elif bias.ndim == 2:
            matrix_x, matrix_inner = x @ kernel + bias[0], h @ recurrent + bias[1]
            (x_z, x_r, x_h), (inner_z, inner_r, inner_h) = np.split(matrix_x, 3), np.split(matrix_inner, 3)
            z, r = sigmoid(x_z + inner_z), sigmoid(x_r + inner_r)
            h = z * h + (1 - z) * np.tanh(x_h + r * inner_h)
        else:
            x_z, x_r, x_h = np.split(x @ kernel + bias, 3)
            z = sigmoid(x_z + h @ recurrent[:, :n])
            r = sigmoid(x_r + h @ recurrent[:, n : 2 * n])
            h = z * h + (1 - z) * np.tanh(x_h + (r * h) @ recurrent[:, 2 * n :])
        hs.append(h)
    return np.array(hs)


def onnx_forward(w, kind, activation, xs, h, c):
    """The ONNX operators RNN, LSTM (i, o, f, c) and GRU (z, r, h), one direction."""
    W, R = w["W"][0], w["R"][0]
    Wb, Rb = np.split(w["B"][0], 2)
    hs = []
    for x in xs:
        gx, gh = x @ W.T + Wb, h @ R.T + Rb
        if kind == "rnn":
            h = activation(gx + gh)
        elif kind == "lstm":
            i, o, f, g = np.split(gx + gh, 4)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
        else:
            (x_z, x_r, x_h), (h_z, h_r, h_h) = np.split(gx, 3), np.split(gh, 3)
            z, r = sigmoid(x_z + h_z), sigmoid(x_r + h_r)
            if w["linear_before_reset"] == 0:
                candidate = np.tanh(x_h + (r * h) @ np.split(R, 3)[2].T + np.split(Rb, 3)[2])
            else:
                candidate = np.tanh(x_h + r * h_h)
            h = (1 - z) * candidate + z * h
        hs.append(h)
    return np.array(hs)


FORWARD = {"pytorch": torch_forward, "keras": keras_forward, "onnx": onnx_forward}
ACTIVATIONS = {"tanh": np.tanh, "relu": lambda a: np.maximum(a, 0), "linear": lambda a: a}


def forward(library, weights, cell, xs, h0, c0):
    activation = ACTIVATIONS[getattr(cell, "activation", "tanh")]
    return FORWARD[library](weights, sizes(cell), activation, xs, h0, c0)


def beside(cell):
    """Arguments that a layout does not hold."""
    options = {"W_hy": cell.W_hy, "b_y": cell.b_y}
    options |= {"activation": cell.activation} if isinstance(cell, RNN) else {}
    return options | ({"update": cell.update} if isinstance(cell, GRU) else {})


@pytest.mark.parametrize(("library", "kind"), HELD)
@pytest.mark.parametrize("n", [1, 3])
def test_exported_weights_compute_the_same_in_the_librarys_own_convention(library, kind, n, make_cell):
    cell = make_cell(kind, n=n, d=2)
    rng = np.random.default_rng(6)
    xs, h0, c0 = rng.standard_normal((7, 2)), rng.standard_normal(n), rng.standard_normal(n)
    trace = unroll(cell, xs, h0, c0 if kind == "lstm" else None)
    got = forward(library, TO[library](cell), cell, xs, h0, c0)
    np.testing.assert_allclose(got, trace.hs[1:], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(("library", "kind"), HELD)
def test_imported_weights_compute_what_the_library_does_with_two_drawn_biases(library, kind, make_cell):
    rng = np.random.default_rng(8)
    cell = make_cell(kind, n=3, d=2)
    weights = TO[library](cell)
    for name in weights:
        if name != "linear_before_reset":
            weights[name] = rng.standard_normal(weights[name].shape)
    xs, h0, c0 = rng.standard_normal((7, 2)), rng.standard_normal(3), rng.standard_normal(3)
    got = unroll(FROM[library](weights, **beside(cell)), xs, h0, c0 if kind == "lstm" else None)
    np.testing.assert_allclose(got.hs[1:], forward(library, weights, cell, xs, h0, c0), rtol=1e-11, atol=1e-12)


def test_weights_of_torch_reproduce_torchs_own_runs(load):
    """The stored answers are torch's; its layout is stacked here by hand."""
    stored = load("lstm_small")
    p = stored["params"]
    weights = torch_weights(p, "ifgo")
    trace = unroll(from_pytorch(weights, W_hy=p["V"], b_y=p["c"]), stored["x"], stored["h0"], stored["c0"])
    np.testing.assert_allclose(trace.states, stored["states"], **CLOSE)
    stored = load("gru_small")
    p = stored["params"]
    weights = torch_weights(p, "rzn") | {"bias_hh_l0": np.concatenate([np.zeros(8), p["bhn"]])}
    known = stored["variants"]["reset_after__z_keeps"]
    trace = unroll(from_pytorch(weights), stored["x"], stored["h0"])
    np.testing.assert_allclose(trace.states, known["states"], **CLOSE)
    np.testing.assert_allclose(trace.gates["z"], known["gates"]["z"], **CLOSE)
    chung = unroll(from_pytorch(weights, update="new"), stored["x"], stored["h0"])
    np.testing.assert_allclose(chung.states, known["states"], **CLOSE)
    np.testing.assert_allclose(chung.gates["z"], 1 - np.array(known["gates"]["z"]), rtol=1e-11, atol=1e-12)
    stored = load("rnn_small")
    p = stored["params"]
    for activation in ("tanh", "relu"):
        weights = {"weight_ih_l0": p["U"], "weight_hh_l0": p["W"], "bias_ih_l0": p["b"], "bias_hh_l0": np.zeros(4)}
        trace = unroll(from_pytorch(weights, activation), stored["x"], stored["h0"])
        np.testing.assert_allclose(trace.states, stored["activations"][activation]["states"], **CLOSE)


def torch_weights(p, order):
    stacked = {letter: np.concatenate([p[letter + gate] for gate in order]) for letter in "UWb"}
    names = {"weight_ih_l0": "U", "weight_hh_l0": "W", "bias_ih_l0": "b"}
    return {name: stacked[letter] for name, letter in names.items()} | {"bias_hh_l0": np.zeros(len(order) * 4)}


def test_keras_and_onnx_weights_of_the_reset_before_variant_reproduce_stored_answers(load):
    stored = load("gru_small")
    p, known = stored["params"], stored["variants"]["reset_before__z_keeps"]["states"]
    W, U = (np.concatenate([p[letter + gate] for gate in "zrn"]) for letter in "WU")
    inner = np.concatenate([np.zeros(8), p["bhn"]])
    bias = np.concatenate([p["bz"], p["br"], p["bn"]])
    onnx = {"W": U[None], "R": W[None], "B": np.concatenate([bias, inner])[None]}
    keras = {"kernel": U.T, "recurrent_kernel": W.T, "bias": bias + inner}
    for cell in (from_onnx(onnx), from_keras(keras)):
        np.testing.assert_allclose(unroll(cell, stored["x"], stored["h0"]).states, known, **CLOSE)
