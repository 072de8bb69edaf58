from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    MultiHeadAttention,
    add_positions,
    causal_mask,
    multi_head_attention,
    multi_head_vjp,
    scaled_dot_product_attention,
    scaled_dot_product_vjp,
    self_attention,
    sinusoidal_encoding,
)

EXACT = {"rtol": 1e-11, "atol": 1e-13}
NAMES = ("in_proj_weight", "in_proj_bias", "out_proj_weight", "out_proj_bias")


def draw_layer(E=4, heads=2, seed=0, names=NAMES):
    rng = np.random.default_rng(seed)
    shapes = {"in_proj_weight": (3 * E, E), "in_proj_bias": (3 * E,), "out_proj_weight": (E, E), "out_proj_bias": (E,)}
    arrays = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    return MultiHeadAttention(**{name: arrays[name] for name in names}, heads=heads)


@pytest.mark.parametrize("case", ["nomask", "causal"])
def test_scaled_dot_product_agrees_with_the_stored_answers(case, load):
    known = load("attention")["sdpa"]
    Q, K, V = known["Q"], known["K"], known["V"]
    mask = causal_mask(4, 6, offset=2) if case == "causal" else None
    if case == "causal":
        np.testing.assert_array_equal(mask, known["causal_mask"])
    got, want = scaled_dot_product_attention(Q, K, V, mask), known[case]
    np.testing.assert_allclose(got.weights, want["weights"], **EXACT)
    np.testing.assert_allclose(got.out, want["out"], **EXACT)
    back = scaled_dot_product_vjp(Q, K, V, got.weights, known["dOut"])
    for name, array in zip(("dQ", "dK", "dV"), back, strict=True):
        np.testing.assert_allclose(array, want[name], **EXACT, err_msg=name)


def test_multi_head_agrees_with_the_stored_answers(load):
    known = load("attention")["multihead"]
    arrays = {name.replace(".", "_"): value for name, value in known["params"].items()}
    layer = MultiHeadAttention(**arrays, heads=known["heads"])
    got = multi_head_attention(layer, known["query"], known["key"])
    np.testing.assert_allclose(got.out, known["out"], **EXACT)
    np.testing.assert_allclose(got.weights, known["weights"], **EXACT)
    assert layer.parameter_count == 18 * 6 + 18 + 36 + 6


@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("masked", [False, True])
def test_scaled_dot_product_gradients_equal_central_differences(batch, masked, slope):
    rng = np.random.default_rng(1)
    Q, K, V = (rng.standard_normal((*batch, T, size)) for T, size in ((3, 2), (4, 2), (4, 3)))
    direction = rng.standard_normal((*batch, 3, 3))
    mask = rng.random((*batch, 3, 4)) < 0.6 if masked else None
    got = scaled_dot_product_vjp(Q, K, V, scaled_dot_product_attention(Q, K, V, mask).weights, direction)
    for place, array in enumerate((Q, K, V)):

        def objective(value, place=place):
            inputs = [value if i == place else other for i, other in enumerate((Q, K, V))]
            return (direction * scaled_dot_product_attention(*inputs, mask).out).sum()

        np.testing.assert_allclose(got[place], slope(objective, array), atol=1e-8)


@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("names", [NAMES, NAMES[:1], NAMES[:3]])
@pytest.mark.parametrize("heads", [1, 2])
def test_multi_head_gradients_equal_central_differences(batch, names, heads, slope):
    layer = draw_layer(heads=heads, names=names)
    rng = np.random.default_rng(2)
    inputs = {name: rng.standard_normal((*batch, T, 4)) for name, T in (("query", 2), ("key", 3), ("value", 3))}
    direction, mask = rng.standard_normal((*batch, 2, 4)), rng.random((*batch, 2, 3)) < 0.7

    def objective(layer=layer, **change):
        return (direction * multi_head_attention(layer, **(inputs | change), mask=mask).out).sum()

    got = multi_head_vjp(layer, multi_head_attention(layer, **inputs, mask=mask), direction)
    for name, array in inputs.items():
        want = slope(lambda value, name=name: objective(**{name: value}), array)
        np.testing.assert_allclose(getattr(got, name), want, atol=1e-7, err_msg=name)
    assert set(got.parameters) == set(names)
    for name, array in got.parameters.items():
        want = slope(lambda value, name=name: objective(layer=replace(layer, **{name: value})), getattr(layer, name))
        np.testing.assert_allclose(array, want, atol=1e-7, err_msg=name)


def test_self_attention_gradient_is_the_sum_of_its_three_roles(slope):
    layer, rng = draw_layer(), np.random.default_rng(3)
    xs, direction = rng.standard_normal((3, 4)), rng.standard_normal((3, 4))
    got = multi_head_vjp(layer, self_attention(layer, xs, causal_mask(3)), direction)
    want = slope(lambda v: (direction * self_attention(layer, v, causal_mask(3)).out).sum(), xs)
    np.testing.assert_allclose(got.query + got.key + got.value, want, atol=1e-7)


def test_heads_are_blocks_of_columns_with_their_own_scale():
    layer, rng = draw_layer(E=6, heads=3, names=NAMES[:1]), np.random.default_rng(4)
    xs = rng.standard_normal((5, 6))
    Q, K, V = (xs @ W.T for W in layer.in_proj_weight.reshape(3, 6, 6))
    outs = [scaled_dot_product_attention(Q[:, i : i + 2], K[:, i : i + 2], V[:, i : i + 2]).out for i in (0, 2, 4)]
    np.testing.assert_allclose(self_attention(layer, xs).out, np.concatenate(outs, axis=1), rtol=1e-12, atol=1e-14)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(1, 2), st.integers(1, 20), st.integers(0, 99))
def test_without_positions_self_attention_is_permutation_equivariant(heads, width, T, seed):
    rng = np.random.default_rng(seed)
    layer, xs, order = (
        draw_layer(heads * width, heads, seed),
        rng.standard_normal((T, heads * width)),
        rng.permutation(T),
    )
    out = self_attention(layer, xs).out
    np.testing.assert_allclose(self_attention(layer, xs[order]).out, out[order], rtol=1e-9, atol=1e-11)


def test_with_positions_or_a_causal_mask_the_order_matters():
    layer, rng = draw_layer(), np.random.default_rng(5)
    xs, order, table = rng.standard_normal((3, 4)), [2, 0, 1], sinusoidal_encoding(3, 4)
    placed = [self_attention(layer, add_positions(rows, table)).out for rows in (xs, xs[order])]
    assert np.abs(placed[1] - placed[0][order]).max() > 0.01
    causal = [self_attention(layer, rows, causal_mask(3)).out for rows in (xs, xs[order])]
    assert np.abs(causal[1] - causal[0][order]).max() > 0.01


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 20), st.integers(0, 19), st.integers(0, 99))
def test_under_a_causal_mask_later_rows_change_nothing_before(T, t, seed):
    rng = np.random.default_rng(seed)
    layer, xs, t = draw_layer(seed=seed), rng.standard_normal((T, 4)), min(t, T - 1)
    changed = xs.copy()
    changed[t] += 1.0
    first, second = (self_attention(layer, rows, causal_mask(T)).out for rows in (xs, changed))
    np.testing.assert_array_equal(first[:t], second[:t])


def test_a_query_that_may_attend_to_nothing_gets_zeros_and_no_gradient():
    rng = np.random.default_rng(6)
    Q, K, V = (rng.standard_normal((3, 2)) for _ in range(3))
    mask = np.array([[True, True, False], [False, False, False], [True, False, True]])
    got = scaled_dot_product_attention(Q, K, V, mask)
    assert got.weights[1].tolist() == [0.0] * 3
    assert got.out[1].tolist() == [0.0] * 2
    back = scaled_dot_product_vjp(Q, K, V, got.weights, np.ones((3, 2)))
    assert back[0][1].tolist() == [0.0] * 2
    assert all(np.isfinite(array).all() for array in back)


def test_scores_far_apart_are_safe():
    got = scaled_dot_product_attention([[1e4]], [[1.0], [-1.0], [1.0]], [[1.0], [7.0], [3.0]])
    assert got.weights.tolist() == [[0.5, 0.0, 0.5]]
    back = scaled_dot_product_vjp([[1e4]], [[1.0], [-1.0], [1.0]], [[1.0], [7.0], [3.0]], got.weights, [[1.0]])
    assert all(np.isfinite(array).all() for array in back)


def test_float32_inputs_are_computed_in_float64():
    xs = np.random.default_rng(7).standard_normal((3, 4)).astype(np.float32)
    got = self_attention(draw_layer(), xs).out
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, self_attention(draw_layer(), xs.astype(np.float64)).out)


def test_causal_mask():
    assert causal_mask(2).tolist() == [[True, False], [True, True]]
    assert causal_mask(1, 3, offset=1).tolist() == [[True, True, False]]
    assert causal_mask(0, 2).shape == (0, 2)


def test_refusals():
    layer, xs = draw_layer(), np.ones((3, 4))
    cases = [
        (lambda: scaled_dot_product_attention(xs, np.ones((3, 2)), xs), r"K must be \(\) \+ \(Tk, 4\) to fit Q"),
        (lambda: scaled_dot_product_attention(xs, xs, np.ones((2, 4))), r"V must be \(3,\) \+ \(v,\) to fit K"),
        (lambda: scaled_dot_product_attention(xs[0], xs, xs), r"Q, K and V must be \(..., T, size\)"),
        (lambda: scaled_dot_product_attention(xs, xs, xs, np.ones((3, 3))), "mask must be boolean"),
        (lambda: scaled_dot_product_attention(xs, xs, xs, np.ones((3, 2), dtype=bool)), r"broadcast to \(3, 3\)"),
        (lambda: self_attention(layer, np.ones((3, 5))), r"query must be \(..., T, 4\), got \(3, 5\)"),
        (lambda: self_attention(layer, np.full((3, 4), np.nan)), "query must be finite"),
        (lambda: draw_layer(E=4, heads=3), "heads must divide the size 4, got 3"),
        (lambda: MultiHeadAttention(np.ones((4, 4))), r"in_proj_weight must be \(12, 4\), got \(4, 4\)"),
        (lambda: MultiHeadAttention(np.ones((12, 4)), out_proj_bias=np.ones(4)), "out_proj_bias must be None"),
        (lambda: MultiHeadAttention(np.ones(4)), r"in_proj_weight must be \(any, any\), got \(4,\)"),
        (lambda: multi_head_vjp(layer, self_attention(layer, xs), np.ones((3, 3))), r"gradient must be \(3, 4\)"),
    ]
    for call, message in cases:
        with pytest.raises(ValueError, match=message):
            call()
