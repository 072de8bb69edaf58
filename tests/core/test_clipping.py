import numpy as np
import pytest
from rnnscope.core import bptt, clip_by_global_norm, unroll


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
