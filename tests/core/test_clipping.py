from dataclasses import replace

import numpy as np
import pytest
from rnnscope.core import bptt, clip_by_global_norm, gradient_angle, gradient_norm, unroll

PARAMETERS = ("W_xh", "W_hh", "b_h", "W_hy", "b_y")


def test_agrees_with_stored_answers(load):
    stored = load("stable_functions")["clip"]
    for case in stored["cases"]:
        clipped, norm = clip_by_global_norm(stored["grads"], case["max_norm"])
        assert norm == pytest.approx(case["total_norm"], rel=1e-15)
        factor = min(1.0, case["max_norm"] / case["total_norm"])
        for got, before in zip(clipped, stored["grads"], strict=True):
            np.testing.assert_allclose(got, factor * np.array(before), rtol=1e-14)


def test_known_example():
    clipped, norm = clip_by_global_norm({"b": [3.0, 4.0], "W": [[0.0, 12.0]]}, 6.5)
    assert norm == 13.0
    assert clipped["b"].tolist() == [1.5, 2.0]
    assert clipped["W"].tolist() == [[0.0, 6.0]]


def test_gradients_keep_their_direction_and_the_rest_of_their_fields(make_cell):
    cell = make_cell("lstm")
    trace = unroll(cell, np.ones((5, 2)))
    gradients = bptt(cell, trace, [0, 1, 0, 1, 1])
    clipped, norm = clip_by_global_norm(gradients, 0.1)
    parameters = ("W_xh", "W_hh", "b_h", "W_hy", "b_y")
    assert norm == pytest.approx(np.sqrt(sum((getattr(gradients, name) ** 2).sum() for name in parameters)), rel=1e-14)
    for name in parameters:
        want = getattr(gradients, name) * 0.1 / norm
        np.testing.assert_allclose(getattr(clipped, name), want, rtol=1e-13)
    assert clipped.states is gradients.states


def test_small_gradients_stay_as_they_are():
    clipped, norm = clip_by_global_norm([[0.3, 0.4]], 1.0)
    assert norm == pytest.approx(0.5)
    assert clipped[0].tolist() == [0.3, 0.4]


def test_norms_beyond_the_square_root_of_float64():
    clipped, norm = clip_by_global_norm([[3e200, 4e200]], 5.0)
    assert norm == pytest.approx(5e200)
    np.testing.assert_allclose(clipped[0], [3.0, 4.0], rtol=1e-14)
    assert clip_by_global_norm([[3e-200, 4e-200]], 1.0)[1] == pytest.approx(5e-200)


def test_zero_gradients_have_norm_zero():
    clipped, norm = clip_by_global_norm([np.zeros(3)], 1.0)
    assert norm == 0.0
    assert not clipped[0].any()


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_non_finite_gradients_are_reported_not_clipped(bad):
    with pytest.raises(ValueError, match="gradients must be finite to be clipped"):
        clip_by_global_norm([[1.0, bad]], 1.0)


@pytest.mark.parametrize("threshold", [0.0, -1.0, float("nan")])
def test_threshold_must_be_positive(threshold):
    with pytest.raises(ValueError, match="threshold must be a positive number"):
        clip_by_global_norm([[1.0]], threshold)


def example_gradients(make_cell, truncate=None, targets=(0, 1, 0, 1, 1)):
    cell = make_cell("tanh")
    return bptt(cell, unroll(cell, np.ones((5, 2))), list(targets), truncate=truncate)


def test_the_angle_with_itself_is_0_with_its_opposite_180_and_clipping_turns_nothing(make_cell):
    found = example_gradients(make_cell)
    opposite = replace(found, **{name: -getattr(found, name) for name in ("W_xh", "W_hh", "b_h", "W_hy", "b_y")})
    clipped, _ = clip_by_global_norm(found, 0.1)
    assert gradient_angle(found, found) == 0.0
    assert gradient_angle(found, opposite) == pytest.approx(180.0, abs=1e-12)
    assert gradient_angle(found, clipped) == pytest.approx(0.0, abs=1e-13)
    assert gradient_norm(clipped) == pytest.approx(0.1, rel=1e-14)


def test_the_angle_is_the_arc_cosine_where_that_has_its_digits(make_cell):
    full, cut = example_gradients(make_cell), example_gradients(make_cell, truncate=1)
    vectors = [np.concatenate([getattr(g, name).ravel() for name in PARAMETERS]) for g in (full, cut)]
    cosine = vectors[0] @ vectors[1] / np.linalg.norm(vectors[0]) / np.linalg.norm(vectors[1])
    assert gradient_angle(full, cut) == pytest.approx(np.degrees(np.arccos(cosine)), rel=1e-9)
    assert 1 < gradient_angle(full, cut) < 90
    assert gradient_angle(full, example_gradients(make_cell, truncate=5)) == 0.0


def test_no_angle_with_a_zero_gradient_and_none_between_different_parameters(make_cell):
    found = example_gradients(make_cell)
    zero = replace(found, **{name: 0 * getattr(found, name) for name in PARAMETERS})
    assert np.isnan(gradient_angle(found, zero))
    other = make_cell("tanh", n=4)
    with pytest.raises(ValueError, match="as many numbers"):
        gradient_angle(found, bptt(other, unroll(other, np.ones((5, 2))), [0, 1, 0, 1, 1]))
