import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import FAMILIES, recurrent_matrix, rescale, spectral_radius


def dense_nilpotent(n, seed=0):
    rng = np.random.default_rng(seed)
    q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    return q @ np.triu(rng.standard_normal((n, n)), 1) @ q.T


def dense_jordan(n, seed=0):
    basis = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
    return basis @ (0.9 * np.eye(n) + np.eye(n, k=1)) @ basis.T


def test_radii_of_stored_matrices(load):
    for name, stored in load("matrices")["matrices"].items():
        got = spectral_radius(stored["A"])
        assert got == pytest.approx(stored["rho_exact"], abs=1e-12), name


def test_a_triangular_matrix_is_read_from_its_diagonal():
    rng = np.random.default_rng(0)
    upper = np.triu(rng.standard_normal((32, 32)), 1)
    assert spectral_radius(upper) == 0.0
    assert spectral_radius(upper.T - 0.5 * np.eye(32)) == 0.5


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(FAMILIES)),
    st.integers(1, 12),
    st.floats(0.0, 4.0).filter(lambda rho: rho == 0 or rho > 1e-6),
    st.integers(0, 2**32 - 1),
)
def test_every_family_has_the_radius_asked_for(family, n, rho, seed):
    W = recurrent_matrix(family, n, rho, seed)
    assert W.shape == (n, n)
    assert spectral_radius(W) == pytest.approx(rho, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("family", ["gaussian", "symmetric"])
@pytest.mark.parametrize("n", [32, 128])
def test_drawn_families_keep_their_radius_at_any_size(family, n):
    assert spectral_radius(recurrent_matrix(family, n, 1.2, 3)) == pytest.approx(1.2, rel=1e-11)


@pytest.mark.parametrize("family", FAMILIES)
def test_radius_zero_works_for_every_family(family):
    W = recurrent_matrix(family, 5, 0.0, 0)
    assert spectral_radius(W) == 0.0
    assert W.any() == (family in ("nonnormal", "jordan"))


def test_families_are_what_their_names_say():
    Q = recurrent_matrix("orthogonal", 6, 2.0, 1) / 2.0
    np.testing.assert_allclose(Q @ Q.T, np.eye(6), atol=1e-14)
    S = recurrent_matrix("symmetric", 6, 1.0, 1)
    np.testing.assert_array_equal(S, S.T)
    assert recurrent_matrix("identity", 2, 0.5, 0).tolist() == [[0.5, 0.0], [0.0, 0.5]]
    assert recurrent_matrix("nonnormal", 2, 0.9, 0).tolist() == [[0.9, 0.5], [0.0, 0.9]]
    assert recurrent_matrix("jordan", 2, 0.9, 0).tolist() == [[0.9, 1.0], [0.0, 0.9]]
    P = recurrent_matrix("permutation", 4, 1.0, 0)
    np.testing.assert_array_equal(np.linalg.matrix_power(P, 4), np.eye(4))
    assert not np.array_equal(np.linalg.matrix_power(P, 2), np.eye(4))


def test_orthogonal_draws_are_not_biased():
    """QR without its signs fixed gives a diagonal of one sign: E[Q_11] would be far from 0."""
    rng = np.random.default_rng(0)
    first = [recurrent_matrix("orthogonal", 3, 1.0, rng)[0, 0] for _ in range(2000)]
    assert abs(np.mean(first)) < 4 / np.sqrt(3 * 2000)


def test_gaussian_draws_keep_their_shape_when_scaled():
    raw = np.random.default_rng(5).standard_normal((16, 16))
    W = recurrent_matrix("gaussian", 16, 0.9, 5)
    np.testing.assert_allclose(W / W[0, 0], raw / raw[0, 0], rtol=1e-12)


def test_seeds():
    same = recurrent_matrix("gaussian", 4, 1.0, 7)
    np.testing.assert_array_equal(same, recurrent_matrix("gaussian", 4, 1.0, 7))
    np.testing.assert_array_equal(same, recurrent_matrix("gaussian", 4, 1.0, np.random.SeedSequence(7)))
    np.testing.assert_array_equal(same, recurrent_matrix("gaussian", 4, 1.0, np.random.default_rng(7)))
    assert not np.array_equal(same, recurrent_matrix("gaussian", 4, 1.0, 8))


def test_rescale_to_zero_gives_zeros_even_where_the_radius_is_unknown():
    assert not rescale(dense_nilpotent(8), 0.0).any()
    assert rescale([[2.0]], 0.5).tolist() == [[0.5]]


def test_rescale_of_tiny_and_huge_matrices():
    for size in (1e-300, 1e300):
        scaled = rescale(size * np.array([[1.0, 2.0], [3.0, 4.0]]), 0.9)
        assert spectral_radius(scaled) == pytest.approx(0.9, rel=1e-13)


@pytest.mark.parametrize(
    ("W", "message"),
    [
        (np.zeros((3, 3)), "positive spectral radius to be rescaled, got radius 0"),
        (np.eye(3, k=1), "positive spectral radius to be rescaled, got radius 0"),
        ([[8.0, 8.0], [-8.0, -8.0]], "its eigenvalues are ill-conditioned"),
        (dense_nilpotent(8), "its eigenvalues are ill-conditioned"),
        (dense_nilpotent(32), "its eigenvalues are ill-conditioned"),
        (dense_jordan(4), "its eigenvalues are ill-conditioned"),
        (dense_jordan(32), "its eigenvalues are ill-conditioned"),
    ],
)
def test_rescale_refuses_a_radius_that_is_zero_or_unknown(W, message):
    with pytest.raises(ValueError, match=message):
        rescale(W, 0.9)


@pytest.mark.parametrize("n", [2, 8, 32, 128])
def test_rescale_trusts_gaussian_matrices(n):
    W = np.random.default_rng(n).standard_normal((n, n))
    assert spectral_radius(rescale(W, 1.1)) == pytest.approx(1.1, rel=1e-11)


def test_rescale_trusts_repeated_eigenvalues_of_a_normal_matrix():
    swap = np.kron(np.eye(2), [[0.0, 1.0], [1.0, 0.0]])
    assert spectral_radius(rescale(swap, 0.7)) == pytest.approx(0.7, rel=1e-14)


@pytest.mark.parametrize("rho", [-0.1, np.nan, np.inf, "1", True])
def test_rho_must_be_a_number_of_at_least_zero(rho):
    with pytest.raises(ValueError, match="rho must be a finite number of at least 0"):
        rescale(np.eye(2), rho)
    with pytest.raises(ValueError, match="rho must be a finite number of at least 0"):
        recurrent_matrix("identity", 2, rho, 0)


@pytest.mark.parametrize(
    ("W", "message"),
    [
        (np.ones((2, 3)), r"W must be \(2, 2\), got \(2, 3\)"),
        (np.zeros((0, 0)), r"W must be at least \(1, 1\), got \(0, 0\)"),
        ([[1.0, np.nan], [0.0, 1.0]], r"W must be finite, got nan at index \[0, 1\]"),
    ],
)
def test_spectral_radius_refuses_and_says_why(W, message):
    with pytest.raises(ValueError, match=message):
        spectral_radius(W)


def test_unknown_family_and_size_are_refused():
    with pytest.raises(ValueError, match="family must be one of gaussian, orthogonal"):
        recurrent_matrix("cauchy", 3, 0.9, 0)
    with pytest.raises(ValueError, match="n must be an integer at least 1, got 0"):
        recurrent_matrix("gaussian", 0, 0.9, 0)
