import dataclasses

import numpy as np
import pytest
from rnnscope.core import (
    RNN,
    perturbation_ellipses,
    recurrent_matrix,
    span_svd,
    state_jacobian,
    step_jacobians,
    step_spectrum,
    unroll,
)

KINDS = ["tanh", "linear", "lstm", "gru-before-new", "gru-after-old"]
TURN = np.linspace(0, 2 * np.pi, 64, endpoint=False)
CIRCLE = np.array([np.cos(TURN), np.sin(TURN)])


def driven(kind, make_cell, n=3, T=12, seed=0):
    cell = make_cell(kind, n=n, seed=seed)
    return cell, unroll(cell, np.random.default_rng(seed + 1).standard_normal((T, 2)))


def linear(W, T):
    cell = RNN(np.zeros((len(W), 1)), W, np.zeros(len(W)), activation="linear")
    return cell, unroll(cell, np.zeros((T, 1)))


def product(cell, trace, j, k):
    matrix, exponent = state_jacobian(cell, trace, j, k)
    return np.ldexp(matrix, exponent)


def scaled(found):
    return np.ldexp(found.matrices, found.exponents[:, None, None])


# --- the circle and its images ---------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_semi_axes_are_the_largest_two_singular_values_of_the_product(kind, make_cell):
    cell, trace = driven(kind, make_cell)
    found = perturbation_ellipses(cell, trace, 3, 9)
    want = span_svd(cell, trace, 3, 9).log10_values[:2]
    np.testing.assert_allclose(found.log10_semi_axes[-1], want, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.semi_axes[-1], 10**want, rtol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_at_every_step_the_semi_axes_are_the_singular_values_of_the_product_on_the_plane(kind, make_cell):
    cell, trace = driven(kind, make_cell, seed=2)
    found = perturbation_ellipses(cell, trace, 2, 8)
    assert not found.exact
    np.testing.assert_allclose(found.plane.T @ found.plane, np.eye(2), atol=1e-14)
    for j in range(2, 9):
        want = np.linalg.svd(product(cell, trace, j, 2) @ found.plane, compute_uv=False)
        np.testing.assert_allclose(found.semi_axes[j - 2], want, rtol=1e-11)
        np.testing.assert_allclose(np.linalg.svd(scaled(found)[j - 2], compute_uv=False), want, rtol=1e-11)


def test_a_state_of_two_numbers_keeps_its_axes(make_cell):
    cell, trace = driven("tanh", make_cell, n=2)
    found = perturbation_ellipses(cell, trace, 1, 7)
    assert found.exact
    np.testing.assert_array_equal(found.plane, np.eye(2))
    for j in range(1, 8):
        np.testing.assert_allclose(scaled(found)[j - 1], product(cell, trace, j, 1), rtol=1e-12)


def test_the_ellipse_is_where_the_perturbed_runs_go(make_cell):
    """For two units: runs that start beside h_0 all round it, as far as a straight line tells."""
    cell, trace = driven("tanh", make_cell, n=2, T=5)
    step, image = 1e-6, scaled(perturbation_ellipses(cell, trace, 0, 5)) @ CIRCLE
    for u, at in zip(CIRCLE.T[::8], range(0, 64, 8), strict=True):
        beside = [unroll(cell, trace.xs, sign * step * u).hs for sign in (1, -1)]
        np.testing.assert_allclose((beside[0] - beside[1]) / (2 * step), image[:, :, at], atol=1e-8)


@pytest.mark.parametrize("n", [2, 5])
def test_the_angle_is_that_of_the_farthest_point(n, make_cell):
    cell, trace = driven("tanh", make_cell, n=n, seed=4)
    found = perturbation_ellipses(cell, trace, 0, 10)
    assert ((found.angles >= 0) & (found.angles < np.pi)).all()
    for matrix, angle, (longer, _) in zip(scaled(found), found.angles, found.semi_axes, strict=True):
        along = np.array([np.cos(angle), np.sin(angle)])
        assert np.linalg.norm(along @ matrix) == pytest.approx(longer, rel=1e-12)


def test_the_basis_is_the_nearest_one_so_that_a_symmetric_step_turns_nothing():
    W = recurrent_matrix("symmetric", 6, 0.9, 1)
    W = W @ W  # positive definite: each step is its own polar factor
    found = perturbation_ellipses(*linear(W, 8), 0, 8)
    off_diagonal = scaled(found)[:, 0, 1]
    np.testing.assert_allclose(off_diagonal, 0, atol=1e-14)
    np.testing.assert_allclose(found.angles, 0, atol=1e-12)


def test_a_thin_ellipse_keeps_its_shorter_axis():
    """Past 1e-16 of the longer axis the matrix itself says nothing of it: its determinant does."""
    steps, angle = 40, 0.4
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    found = perturbation_ellipses(*linear(turn @ np.diag([1.0, 0.1]) @ turn.T, steps), 0, steps)
    np.testing.assert_allclose(found.log10_semi_axes[:, 1], -np.arange(steps + 1.0), atol=1e-9)
    np.testing.assert_allclose(found.log10_semi_axes[:, 0], 0, atol=1e-12)


def test_no_length_over_or_underflows():
    for rho, slope in ((1e-3, -3.0), (1e3, 3.0)):
        found = perturbation_ellipses(*linear(recurrent_matrix("orthogonal", 4, rho, 0), 90), 0, 90)
        np.testing.assert_allclose(found.log10_semi_axes[:, 0], slope * np.arange(91), atol=1e-9)
        assert np.isfinite(found.matrices).all()
    huge = perturbation_ellipses(*linear(1e6 * np.eye(2), 60), 0, 60)
    assert huge.semi_axes[-1].tolist() == [np.inf, np.inf]


# --- degenerate spans ------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "n"), [("tanh", 2), ("tanh", 5), ("lstm", 2)])
def test_no_step_leaves_the_circle(kind, n, make_cell):
    cell, trace = driven(kind, make_cell, n=n)
    for k in (0, 12):
        found = perturbation_ellipses(cell, trace, k, k)
        np.testing.assert_array_equal(scaled(found), np.eye(2)[None])
        np.testing.assert_array_equal(found.log10_semi_axes, [[0.0, 0.0]])
        assert found.first == k


def test_a_product_that_is_zero_is_a_point_from_there_on():
    found = perturbation_ellipses(*linear(np.array([[0.0, 1.0], [0.0, 0.0]]), 4), 0, 4)
    np.testing.assert_array_equal(found.log10_semi_axes[:, 0], [0, 0, -np.inf, -np.inf, -np.inf])
    np.testing.assert_array_equal(found.log10_semi_axes[1:, 1], [-np.inf] * 4)
    np.testing.assert_array_equal(found.semi_axes[2:], np.zeros((3, 2)))
    gone = perturbation_ellipses(*linear(np.zeros((5, 5)), 3), 0, 3)
    np.testing.assert_array_equal(gone.semi_axes[1:], np.zeros((3, 2)))


@pytest.mark.parametrize("n", [2, 4])
def test_a_product_of_rank_one_is_a_segment(n):
    rng = np.random.default_rng(0)
    left, right = rng.standard_normal((2, n))
    W = np.outer(left / np.linalg.norm(left), right / np.linalg.norm(right))
    cell, trace = linear(W, 3)
    found = perturbation_ellipses(cell, trace, 0, 3)
    assert found.log10_semi_axes[-1, 0] == pytest.approx(span_svd(cell, trace, 0, 3).log10_values[0], abs=1e-12)
    assert (found.log10_semi_axes[1:, 1] < -14).all()


def test_a_state_of_one_number_has_a_segment(make_cell):
    cell, trace = driven("tanh", make_cell, n=1, T=6)
    found = perturbation_ellipses(cell, trace, 1, 6)
    np.testing.assert_allclose(found.log10_semi_axes[-1, 0], span_svd(cell, trace, 1, 6).log10_values[0], atol=1e-12)
    np.testing.assert_array_equal(found.log10_semi_axes[:, 1], -np.inf)
    assert found.exact
    assert found.matrices.shape == (6, 2, 2)


def test_what_is_not_finite_or_outside_the_run_is_refused():
    cell, trace = linear(np.eye(3), 4)
    with pytest.raises(ValueError, match=r"k must be an integer in 0 … 2, got 3"):
        perturbation_ellipses(cell, trace, 3, 2)
    with pytest.raises(ValueError, match=r"t must be an integer in 0 … 4, got 5"):
        perturbation_ellipses(cell, trace, 0, 5)
    broken = overflowed(linear)
    with pytest.raises(ValueError, match="finite Jacobians from k = 0 to t = 4"):
        perturbation_ellipses(*broken, 0, 4)


def overflowed(make):
    """A tanh run one of whose states is NaN, as after an overflow."""
    cell, trace = make(np.eye(3), 4)
    hs = np.array(trace.hs)
    hs[3] = np.nan
    return dataclasses.replace(cell, activation="tanh"), dataclasses.replace(trace, hs=hs, states=hs)


def test_results_cannot_be_written(make_cell):
    cell, trace = driven("tanh", make_cell)
    film, step = perturbation_ellipses(cell, trace, 0, 5), step_spectrum(cell, trace, 2)
    arrays = [getattr(made, field.name) for made in (film, step) for field in dataclasses.fields(made)]
    assert [a.flags.writeable for a in arrays if isinstance(a, np.ndarray)] == [False] * 8


# --- one step --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["tanh", "lstm", "gru-before-new"])
def test_the_spectrum_of_a_step_is_that_of_its_jacobian(kind, make_cell):
    cell, trace = driven(kind, make_cell, seed=5)
    for t in (1, 7, 12):
        found, J = step_spectrum(cell, trace, t), step_jacobians(cell, trace)[t - 1]
        np.testing.assert_allclose(found.jacobian, J, rtol=1e-14)
        np.testing.assert_allclose(found.singular_values, np.linalg.svd(J, compute_uv=False), atol=1e-14)
        assert (np.diff(np.abs(found.eigenvalues)) <= 1e-15).all()
        np.testing.assert_allclose(found.eigenvalues.sum(), np.trace(J), atol=1e-13)
        np.testing.assert_allclose(np.log10(found.singular_values).sum(), found.log10_det, atol=1e-10)


def test_a_singular_step_has_no_determinant():
    assert step_spectrum(*linear(np.diag([1.0, 0.0]), 2), 1).log10_det == -np.inf


def test_a_step_that_is_not_finite_has_no_spectrum():
    cell, trace = overflowed(linear)
    found = step_spectrum(cell, trace, 4)
    assert np.isnan(found.singular_values).all()
    assert np.isnan(found.eigenvalues).all()
    assert np.isnan(found.log10_det)
    assert np.isfinite(step_spectrum(cell, trace, 1).singular_values).all()
    with pytest.raises(ValueError, match=r"t must be an integer in 1 … 4, got 0"):
        step_spectrum(cell, trace, 0)
