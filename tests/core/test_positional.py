import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    add_positions,
    add_positions_vjp,
    position_products,
    products_by_distance,
    relative_shift,
    sinusoidal_encoding,
)


def test_the_formula_by_hand():
    got = sinusoidal_encoding(3, 4)
    assert got[0].tolist() == [0.0, 1.0, 0.0, 1.0]
    want = [np.sin(2.0), np.cos(2.0), np.sin(2.0 / 100.0), np.cos(2.0 / 100.0)]
    np.testing.assert_allclose(got[2], want, rtol=1e-15)
    assert sinusoidal_encoding(0, 4).shape == (0, 4)
    odd = sinusoidal_encoding(5, 3)
    np.testing.assert_allclose(odd[:, 2], np.sin(np.arange(5) / 10_000 ** (2 / 3)), rtol=1e-14)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.integers(1, 4), st.integers(-30, 30), st.sampled_from([3.0, 10_000.0]))
def test_a_shift_is_one_matrix_at_every_position(T, pairs, k, base):
    d = 2 * pairs
    encoding = sinusoidal_encoding(T + abs(k), d, base)
    shift = relative_shift(k, d, base)
    before, after = (encoding[-k:], encoding[:T]) if k < 0 else (encoding[:T], encoding[k:])
    np.testing.assert_allclose(before @ shift.T, after, atol=1e-12)
    np.testing.assert_allclose(shift @ shift.T, np.eye(d), atol=1e-14)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 20), st.integers(1, 4))
def test_products_depend_on_the_distance_alone(T, pairs):
    products = position_products(sinusoidal_encoding(T, 2 * pairs))
    rates = 10_000.0 ** (-np.arange(pairs) / pairs)
    distances = np.arange(T)[:, None] - np.arange(T)
    np.testing.assert_allclose(products, np.cos(distances[..., None] * rates).sum(axis=-1), atol=1e-12)


@pytest.mark.parametrize("batch", [(), (2,)])
def test_gradients_of_a_learned_table_equal_central_differences(batch, slope):
    rng = np.random.default_rng(0)
    xs, table, direction = rng.standard_normal((*batch, 3, 2)), rng.standard_normal((5, 2)), rng.standard_normal((3, 2))
    weights = np.broadcast_to(direction, xs.shape)
    to_xs, to_table = add_positions_vjp(table, weights)
    np.testing.assert_allclose(to_xs, slope(lambda v: (weights * add_positions(v, table)).sum(), xs), atol=1e-8)
    np.testing.assert_allclose(to_table, slope(lambda v: (weights * add_positions(xs, v)).sum(), table), atol=1e-8)
    assert not to_table[3:].any()


def test_refusals():
    with pytest.raises(ValueError, match="d must be even, so that each sine has its cosine, got 3"):
        relative_shift(1, 3)
    with pytest.raises(ValueError, match="base must be positive, got 0"):
        sinusoidal_encoding(3, 4, 0)
    with pytest.raises(ValueError, match="T must be an integer at least 0, got -1"):
        sinusoidal_encoding(-1, 4)
    with pytest.raises(ValueError, match=r"xs must be \(..., T, 2\) with T at most 3, the rows of table, got \(4, 2\)"):
        add_positions(np.ones((4, 2)), np.ones((3, 2)))


def test_products_of_sinusoids_depend_on_the_distance_alone():
    found = products_by_distance(sinusoidal_encoding(12, 8))
    np.testing.assert_allclose(found[:, 0], found[:, 1], rtol=0, atol=1e-14)
    frequencies = 10_000.0 ** (-np.arange(4) / 4)
    np.testing.assert_allclose(found[:, 0], np.cos(np.arange(12)[:, None] * frequencies).sum(axis=1), atol=1e-13)


def test_products_of_any_table_lie_between_the_two():
    table = np.random.default_rng(0).standard_normal((5, 3))
    found, products = products_by_distance(table), table @ table.T
    for p in range(5):
        for q in range(5):
            assert found[abs(p - q), 0] <= products[p, q] <= found[abs(p - q), 1]
    assert (found[:4, 1] - found[:4, 0]).min() > 0.1
    assert products_by_distance(np.zeros((0, 3))).shape == (0, 2)
