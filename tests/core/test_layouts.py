"""Weights in other layouts: shapes, orders, exact round trips, and what is refused."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    GRU,
    LSTM,
    RNN,
    from_keras,
    from_onnx,
    from_pytorch,
    to_keras,
    to_onnx,
    to_pytorch,
)

BEFORE = ["gru-before-new", "gru-before-old"]
KINDS = ["tanh", "relu", "linear", "lstm", *BEFORE, "gru-after-new", "gru-after-old"]
HELD = [("pytorch", kind) for kind in KINDS if kind not in ("linear", *BEFORE)]
HELD += [(library, kind) for library in ("keras", "onnx") for kind in KINDS]

TO = {"pytorch": to_pytorch, "keras": to_keras, "onnx": to_onnx}
FROM = {"pytorch": from_pytorch, "keras": from_keras, "onnx": from_onnx}


def beside(cell):
    """Arguments that a layout does not hold."""
    options = {"W_hy": cell.W_hy, "b_y": cell.b_y}
    options |= {"activation": cell.activation} if isinstance(cell, RNN) else {}
    return options | ({"update": cell.update} if isinstance(cell, GRU) else {})


def bits(array):
    return None if array is None else array.tobytes()


def assert_same_bits(one, other):
    assert type(one) is type(other)
    for field in fields(one):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if mine is None or isinstance(mine, str):
            assert mine == theirs, field.name
        else:
            assert bits(mine) == bits(theirs), field.name


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(HELD), st.integers(1, 8), st.integers(0, 8), st.integers(0, 2**32 - 1), st.booleans())
def test_a_round_trip_changes_no_bit(make_cell, held, n, d, seed, signed_zeros):
    library, kind = held
    cell = make_cell(kind, n=n, d=d, seed=seed)
    if signed_zeros:
        cell = replace(cell, b_h=np.where(np.arange(cell.b_h.size) % 2, 0.0, -0.0).reshape(cell.b_h.shape))
    assert_same_bits(FROM[library](TO[library](cell), **beside(cell)), cell)


@pytest.mark.parametrize("library", ["pytorch", "keras", "onnx"])
def test_a_missing_inner_bias_comes_back_as_zeros(library, make_cell):
    cell = replace(make_cell("gru-after-old"), b_hh=None)
    back = FROM[library](TO[library](cell), **beside(cell))
    assert_same_bits(back, replace(cell, b_hh=np.zeros(3)))


def test_shapes_of_the_layouts(make_cell):
    def shapes(weights):
        return {name: np.shape(array) for name, array in weights.items()}

    after, before, lstm = make_cell("gru-after-old"), make_cell("gru-before-old"), make_cell("lstm")
    assert shapes(to_pytorch(lstm)) == {
        "weight_ih_l0": (12, 2),
        "weight_hh_l0": (12, 3),
        "bias_ih_l0": (12,),
        "bias_hh_l0": (12,),
    }
    assert shapes(to_keras(after)) == {"kernel": (2, 9), "recurrent_kernel": (3, 9), "bias": (2, 9)}
    assert shapes(to_keras(before))["bias"] == (9,)
    assert shapes(to_onnx(lstm)) == {"W": (1, 12, 2), "R": (1, 12, 3), "B": (1, 24)}
    assert to_onnx(after)["linear_before_reset"] == 1
    assert to_onnx(before)["linear_before_reset"] == 0


@pytest.mark.parametrize(("orders", "library"), [("ifgo", "pytorch"), ("ifgo", "keras"), ("iofg", "onnx")])
def test_order_of_the_blocks_of_an_lstm(orders, library):
    biases = np.array([[1.0], [2.0], [3.0], [4.0]])
    weights = TO[library](LSTM(np.zeros((4, 1, 1)), np.zeros((4, 1, 1)), biases))
    name = {"pytorch": "bias_ih_l0", "keras": "bias", "onnx": "B"}[library]
    assert weights[name].ravel()[:4].tolist() == [" fiog".index(gate) for gate in orders]


@pytest.mark.parametrize(("orders", "library"), [("rzg", "pytorch"), ("zrg", "keras"), ("zrg", "onnx")])
def test_order_of_the_blocks_of_a_gru(orders, library):
    biases = np.array([[1.0], [2.0], [3.0]])
    cell = GRU(np.zeros((3, 1, 1)), np.zeros((3, 1, 1)), biases, reset="after", b_hh=[9.0], update="old")
    weights = TO[library](cell)
    first, second = {
        "pytorch": lambda w: (w["bias_ih_l0"], w["bias_hh_l0"]),
        "keras": lambda w: w["bias"],
        "onnx": lambda w: np.split(w["B"][0], 2),
    }[library](weights)
    assert first.tolist() == [" zrg".index(gate) for gate in orders]
    assert second.tolist() == [0.0, 0.0, 9.0]


@pytest.mark.parametrize("library", ["pytorch", "keras", "onnx"])
def test_update_new_is_held_by_negating_z(library):
    cell = GRU(np.ones((3, 1, 1)), np.ones((3, 1, 1)), np.ones((3, 1)), reset="after", update="new")
    turned = replace(cell, update="old", W_xh=-cell.W_xh, W_hh=-cell.W_hh, b_h=-cell.b_h)
    signs = np.array([1.0, -1.0, -1.0])[:, None, None]
    turned = replace(turned, W_xh=signs * turned.W_xh, W_hh=signs * turned.W_hh, b_h=signs[..., 0] * turned.b_h)
    assert {k: v.tolist() for k, v in TO[library](cell).items()} == {
        k: v.tolist() for k, v in TO[library](turned).items()
    }


@pytest.mark.parametrize("library", ["pytorch", "keras", "onnx"])
def test_layers_without_bias_have_zeros(library, make_cell):
    for kind in ("tanh", "lstm", "gru-after-old"):
        cell = make_cell(kind, m=None)
        weights = {name: array for name, array in TO[library](cell).items() if "ias" not in name and name != "B"}
        reset = {"reset": "after"} if library == "keras" and kind.startswith("gru") else {}
        bare = FROM[library](weights, **reset)
        assert not bare.b_h.any()
        np.testing.assert_array_equal(bare.W_hh, cell.W_hh)


def test_float32_weights_are_kept_as_they_are(make_cell):
    weights = {name: array.astype(np.float32) for name, array in to_keras(make_cell("lstm")).items()}
    cell = from_keras(weights)
    assert cell.W_hh.dtype == np.float64
    np.testing.assert_array_equal(cell.W_hh.astype(np.float32), cell.W_hh)


def test_exported_arrays_are_the_callers_own(make_cell):
    cell = make_cell("tanh", n=1, d=1)
    for export in TO.values():
        for array in export(cell).values():
            array[...] = 7.0
    assert cell.W_hh[0, 0] != 7.0


TORCH_LSTM = {"weight_ih_l0": np.ones((12, 2)), "weight_hh_l0": np.ones((12, 3))}
KERAS_GRU = {"kernel": np.ones((2, 9)), "recurrent_kernel": np.ones((3, 9))}
ONNX_GRU = {"W": np.ones((1, 9, 2)), "R": np.ones((1, 9, 3))}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: from_pytorch({}), "weights must hold weight_ih_l0, weight_hh_l0, got nothing: weight_ih_l0 is"),
        (lambda: from_pytorch(TORCH_LSTM | {"weight_ih_l1": 0}), "one layer in one direction .*, got weight_ih_l1"),
        (lambda: from_pytorch(TORCH_LSTM | {"weight_hr_l0": 0}), "got weight_hr_l0"),
        (lambda: from_pytorch(TORCH_LSTM, update="new"), 'update must be "old" for weights of an RNN or LSTM'),
        (lambda: from_pytorch(TORCH_LSTM, update="z"), "update must be one of new, old, got 'z'"),
        (lambda: from_pytorch(TORCH_LSTM, activation="relu"), "activation must be tanh for the candidate"),
        (lambda: from_pytorch(TORCH_LSTM, activation="linear"), "activation must be tanh or relu for PyTorch"),
        (
            lambda: from_pytorch(TORCH_LSTM | {"weight_hh_l0": np.ones((6, 3))}),
            r"weight_hh_l0 must hold 1, 3 or 4 square blocks \(RNN, GRU, LSTM\), got shape \(6, 3\)",
        ),
        (
            lambda: from_pytorch(TORCH_LSTM | {"bias_ih_l0": np.ones(9)}),
            r"bias_ih_l0 must be \(12,\), got \(9,\)",
        ),
        (lambda: from_keras(KERAS_GRU), 'reset must be "before" or "after" for a GRU without bias, got None'),
        (
            lambda: from_keras(KERAS_GRU | {"bias": np.ones(9)}, reset="after"),
            r"bias must be \(2, 9\), got \(9,\)",
        ),
        (lambda: from_keras(KERAS_GRU, reset="no"), "reset must be one of before, after, got 'no'"),
        (
            lambda: from_keras({"kernel": np.ones((2, 3)), "recurrent_kernel": np.ones((3, 3))}, reset="after"),
            "reset must be None for weights of an RNN or LSTM, got 'after'",
        ),
        (lambda: from_onnx(ONNX_GRU | {"P": np.ones((1, 9))}), "got P: a cell holds no more"),
        (lambda: from_onnx(ONNX_GRU | {"linear_before_reset": 2}), "linear_before_reset must be 0 or 1"),
        (lambda: from_onnx(ONNX_GRU | {"linear_before_reset": [0, 1]}), "linear_before_reset must be 0 or 1"),
        (lambda: from_onnx(ONNX_GRU | {"R": np.ones((2, 9, 3))}), r"R must be \(1, any, any\), got \(2, 9, 3\)"),
        (lambda: from_onnx(ONNX_GRU | {"W": np.full((1, 9, 2), np.nan)}), "W must be finite, got nan"),
        (lambda: to_onnx(3), "cell must be an RNN, LSTM or GRU, got int"),
    ],
)
def test_layouts_refuse_and_say_why(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("gru-before-old", 'cell must have reset="after" for PyTorch, got reset="before": torch.nn.GRU resets after'),
        ("gru-before-new", 'cell must have reset="after" for PyTorch'),
        ("linear", "activation of cell must be tanh or relu for PyTorch, got 'linear': torch.nn.RNN has no other"),
    ],
)
def test_pytorch_lacks_some_cells_and_says_why(kind, message, make_cell):
    with pytest.raises(ValueError, match=message):
        to_pytorch(make_cell(kind))
