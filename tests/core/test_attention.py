from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    AdditiveScorer,
    ConcatScorer,
    DotScorer,
    GeneralScorer,
    attend,
    attend_vjp,
    attention_weights,
    attentional_state,
    attentional_state_vjp,
    context_jacobians,
)
from rnnscope.core.attention import attention_weights_vjp

SCORERS = ["additive", "dot", "general", "concat"]
EXACT = {"rtol": 1e-11, "atol": 1e-13}


def draw_scorer(kind, n=3, k=3, a=4, seed=0):
    rng = np.random.default_rng(seed)
    return {
        "additive": lambda: AdditiveScorer(*(rng.standard_normal(shape) for shape in ((a, n), (a, k), a))),
        "dot": DotScorer,
        "general": lambda: GeneralScorer(rng.standard_normal((n, k))),
        "concat": lambda: ConcatScorer(rng.standard_normal((a, n + k)), rng.standard_normal(a), n),
    }[kind]()


def example(kind, batch=(), T=5):
    rng = np.random.default_rng(4)
    k = 3 if kind == "dot" else 2
    return draw_scorer(kind, k=k), rng.standard_normal((*batch, 3)), rng.standard_normal((*batch, T, k)), rng


def test_bahdanau_agrees_with_the_stored_answers(load):
    known = load("attention")["bahdanau"]
    scorer = AdditiveScorer(known["Ws"], known["Wh"], known["v"])
    got = attend(scorer, known["s"], known["H"])
    np.testing.assert_allclose(got.energies, known["energies"], **EXACT)
    np.testing.assert_allclose(got.weights, known["alpha"], **EXACT)
    np.testing.assert_allclose(got.context, known["context"], **EXACT)
    to_s, to_H = context_jacobians(scorer, known["s"], known["H"])
    np.testing.assert_allclose(to_s, known["dctx_ds"], **EXACT)
    np.testing.assert_allclose(to_H, known["dctx_dH"], **EXACT)


@pytest.mark.parametrize("kind", ["dot", "general", "concat"])
def test_luong_agrees_with_the_stored_answers(kind, load):
    known = load("attention")["luong"]
    scorer = {
        "dot": DotScorer(),
        "general": GeneralScorer(known["Wg"]),
        "concat": ConcatScorer(known["Wc"], known["vc"], 3),
    }[kind]
    got = attend(scorer, known["s"], known["H"])
    np.testing.assert_allclose(got.energies, known[kind]["energies"], **EXACT)
    np.testing.assert_allclose(got.weights, known[kind]["alpha"], **EXACT)
    np.testing.assert_allclose(got.context, known[kind]["context"], **EXACT)
    h_tilde = attentional_state(np.array(known["Wcc"]), got.context, np.array(known["s"]))
    np.testing.assert_allclose(h_tilde, known[kind]["h_tilde"], **EXACT)


@pytest.mark.parametrize("kind", SCORERS)
@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("masked", [False, True])
def test_gradients_equal_central_differences(kind, batch, masked, slope):
    scorer, s, H, rng = example(kind, batch)
    direction = rng.standard_normal((*batch, H.shape[-1]))
    mask = np.array([True, False, True, True, False]) if masked else None

    def objective(s=s, H=H, scorer=scorer):
        return (direction * attend(scorer, s, H, mask).context).sum()

    got = attend_vjp(scorer, s, H, attend(scorer, s, H, mask).weights, direction)
    np.testing.assert_allclose(got.s, slope(objective, s), atol=1e-8)
    np.testing.assert_allclose(got.H, slope(lambda H: objective(H=H), H), atol=1e-8)
    assert set(got.parameters) == {"additive": {"W_s", "W_h", "v"}, "concat": {"W", "v"}, "general": {"W"}}.get(
        kind, set()
    )
    for name, array in got.parameters.items():
        want = slope(lambda value, name=name: objective(scorer=replace(scorer, **{name: value})), getattr(scorer, name))
        np.testing.assert_allclose(array, want, atol=1e-8, err_msg=name)


@pytest.mark.parametrize("kind", SCORERS)
def test_context_jacobians_equal_central_differences(kind, slope):
    scorer, s, H, _ = example(kind)
    mask = np.array([False, True, True, True, True])
    to_s, to_H = context_jacobians(scorer, s, H, mask)
    np.testing.assert_allclose(to_s, slope(lambda s: attend(scorer, s, H, mask).context, s), atol=1e-8)
    np.testing.assert_allclose(to_H, slope(lambda H: attend(scorer, s, H, mask).context, H), atol=1e-8)
    assert not to_H[:, 0].any()


def test_energies_and_weights_gradients_equal_central_differences(slope):
    rng = np.random.default_rng(5)
    energies, direction = rng.standard_normal((2, 4)), rng.standard_normal((2, 4))
    mask = np.array([[True, True, False, True], [False, False, False, False]])
    got = attention_weights_vjp(attention_weights(energies, mask), direction)
    want = slope(lambda e: (direction * attention_weights(e, mask)).sum(), energies)
    np.testing.assert_allclose(got, want, atol=1e-9)
    assert not got[1].any()


def test_attentional_state_gradients_equal_central_differences(slope):
    rng = np.random.default_rng(6)
    W, context, s = rng.standard_normal((4, 5)), rng.standard_normal((2, 3)), rng.standard_normal((2, 2))
    direction = rng.standard_normal((2, 4))
    got = attentional_state_vjp(W, context, s, direction)
    functions = [
        (lambda c: attentional_state(W, c, s), context),
        (lambda z: attentional_state(W, context, z), s),
        (lambda M: attentional_state(M, context, s), W),
    ]
    for array, (function, at) in zip(got, functions, strict=True):
        want = slope(lambda value, function=function: (direction * function(value)).sum(), at)
        np.testing.assert_allclose(array, want, atol=1e-8)


@pytest.mark.parametrize("kind", SCORERS)
def test_one_state_of_many_over_a_shared_memory(kind):
    scorer, _, H, rng = example(kind)
    states = rng.standard_normal((6, 3))
    together = attend(scorer, states, H)
    for i, s in enumerate(states):
        np.testing.assert_allclose(together.context[i], attend(scorer, s, H).context, rtol=1e-12, atol=1e-14)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(SCORERS), st.integers(1, 8), st.integers(1, 20), st.integers(0, 99))
def test_places_of_the_memory_may_be_permuted(kind, n, T, seed):
    rng = np.random.default_rng(seed)
    scorer, s, H = draw_scorer(kind, n, n, seed=seed), rng.standard_normal(n), rng.standard_normal((T, n))
    order = rng.permutation(T)
    first, second = attend(scorer, s, H), attend(scorer, s, H[order])
    np.testing.assert_allclose(second.weights, first.weights[order], rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(second.context, first.context, rtol=1e-10, atol=1e-12)
    assert first.weights.sum() == pytest.approx(1.0)


def test_a_row_that_may_attend_to_nothing_is_zeros():
    weights = attention_weights(np.ones((2, 3)), np.array([[False] * 3, [True, False, True]]))
    assert weights.tolist() == [[0.0, 0.0, 0.0], [0.5, 0.0, 0.5]]
    assert attention_weights(np.ones((2, 0))).shape == (2, 0)
    scorer, s, H, rng = example("additive")
    nothing = np.zeros(5, dtype=bool)
    got = attend(scorer, s, H, nothing)
    assert not got.context.any()
    back = attend_vjp(scorer, s, H, got.weights, rng.standard_normal(2))
    assert not any(np.any(array) for array in (back.s, back.H, *back.parameters.values()))


def test_energies_far_apart_are_safe():
    weights = attention_weights(np.array([1e4, -1e4, 1e4]))
    assert weights.tolist() == [0.5, 0.0, 0.5]
    assert attention_weights(np.array([1e4, -1e4]), np.array([False, True])).tolist() == [0.0, 1.0]
    assert attention_weights(np.array([1e308, -1e308])).tolist() == [1.0, 0.0]
    back = attention_weights_vjp(weights, np.array([1.0, 5.0, -1.0]))
    assert back.tolist() == [0.5, 0.0, -0.5]


def test_refusals():
    scorer, s, H, _ = example("additive")
    with pytest.raises(ValueError, match=r"s must be \(..., 3\) and H \(..., T, 2\), got \(2,\) and \(5, 2\)"):
        attend(scorer, s[:2], H)
    with pytest.raises(ValueError, match=r"s must be \(..., 2\) and H \(..., T, 2\)"):
        attend(DotScorer(), s, H)
    with pytest.raises(ValueError, match="mask must be boolean"):
        attend(scorer, s, H, [1, 0, 1, 1, 1])
    with pytest.raises(ValueError, match=r"mask must broadcast to \(5,\), got \(4,\)"):
        attend(scorer, s, H, np.ones(4, dtype=bool))
    with pytest.raises(ValueError, match=r"s must have the leading dimensions of H, \(\), got \(1,\)"):
        attend_vjp(scorer, s[None], H, np.ones((1, 5)), np.ones((1, 2)))
    with pytest.raises(ValueError, match=r"W_s must be \(4, any\), got \(3, 3\)"):
        AdditiveScorer(np.ones((3, 3)), np.ones((4, 2)), np.ones(4))
    with pytest.raises(ValueError, match="state_size must be an integer in 1 … 4, got 5"):
        ConcatScorer(np.ones((4, 5)), np.ones(4), 5)
    with pytest.raises(ValueError, match="H must be finite, got inf"):
        attend(scorer, s, np.full((5, 2), np.inf))
    with pytest.raises(ValueError, match="W must be finite"):
        GeneralScorer([[np.nan]])


def test_parameter_counts():
    counts = {kind: draw_scorer(kind, n=3, k=2, a=4).parameter_count for kind in SCORERS}
    assert counts == {"additive": 12 + 8 + 4, "dot": 0, "general": 6, "concat": 20 + 4}
