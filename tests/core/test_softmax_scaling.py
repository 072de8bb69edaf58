"""What sqrt(d_k) does to a softmax: the variance, the entropy, and the Jacobian against central differences."""

import numpy as np
import pytest
from rnnscope.core import (
    draw_pairs,
    measure_scaling,
    softmax,
    softmax_jacobian,
    softmax_jacobian_norms,
    weight_entropy,
)


@pytest.mark.parametrize("spread", [0.1, 1.0, 8.0])
def test_the_jacobian_of_a_softmax_equals_central_differences(spread, slope):
    scores = spread * np.random.default_rng(0).standard_normal(6)
    want = slope(softmax, scores)
    np.testing.assert_allclose(softmax_jacobian(softmax(scores)), want, rtol=1e-6, atol=1e-9)
    norm = np.linalg.norm(want)
    assert float(softmax_jacobian_norms(softmax(scores))) == pytest.approx(norm, rel=1e-6)


def test_entropy_and_norm_at_the_two_ends():
    flat, single = np.full(16, 1 / 16), np.eye(16)[3]
    assert float(weight_entropy(flat)) == pytest.approx(4.0)
    assert float(weight_entropy(single)) == 0.0
    assert float(softmax_jacobian_norms(single)) == 0.0
    assert float(softmax_jacobian_norms(flat)) == pytest.approx(np.sqrt(15) / 16)


@pytest.mark.parametrize("seed", range(4))
def test_the_variance_is_d_k_and_1_when_scaled(seed):
    """1024 scores share 64 queries: the variance is known to about a sixth."""
    pairs = draw_pairs(seed)
    for d_k in (16, 64, 256):
        assert measure_scaling(pairs, d_k, False).variance == pytest.approx(d_k, rel=0.35)
        scaled = measure_scaling(pairs, d_k)
        assert scaled.variance == pytest.approx(1.0, rel=0.35)
        np.testing.assert_allclose(scaled.scores * np.sqrt(d_k), measure_scaling(pairs, d_k, False).scores)


@pytest.mark.parametrize("seed", range(4))
def test_unscaled_weights_go_to_one_key_and_let_less_through(seed):
    pairs = draw_pairs(seed)
    for d_k in (64, 256):
        plain, scaled = measure_scaling(pairs, d_k, False), measure_scaling(pairs, d_k)
        assert plain.largest > 0.8
        assert scaled.largest < 0.5
        assert plain.entropy < 1.0
        assert scaled.entropy > 2.5
        assert plain.jacobian_norm < scaled.jacobian_norm


def test_of_one_component_scaling_changes_nothing():
    pairs = draw_pairs(0)
    assert np.array_equal(measure_scaling(pairs, 1).scores, measure_scaling(pairs, 1, False).scores)


def test_a_larger_key_only_adds_components():
    pairs = draw_pairs(3)
    small, large = (measure_scaling(pairs, d_k, False).scores for d_k in (7, 8))
    np.testing.assert_allclose(large - small, pairs.queries[:, None, 7] * pairs.keys[..., 7], atol=1e-12)


@pytest.mark.parametrize("d_k", [0, 257, 1.5])
def test_a_key_size_beyond_what_is_drawn_is_refused(d_k):
    with pytest.raises(ValueError, match="d_k must be an integer in 1 … 256"):
        measure_scaling(draw_pairs(0), d_k)
