import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    RNN,
    RNNConfig,
    bound_parting,
    decay,
    parting,
    recurrent_matrix,
    run,
    transient_peak,
    unroll,
)


def measured(W, T=60, activation="tanh", drive=1.0, seed=0):
    rng = np.random.default_rng(seed)
    n = len(W)
    cell = RNN(drive * rng.standard_normal((n, 1)), W, np.zeros(n), activation=activation)
    trace = unroll(cell, rng.standard_normal((T, 1)))
    return decay(cell, trace), cell, trace


def power_norm(W, k):
    with np.errstate(divide="ignore"):
        return np.log10(np.linalg.norm(np.linalg.matrix_power(W, k), 2))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["gaussian", "nonnormal", "jordan", "orthogonal", "symmetric"]),
    st.sampled_from(["tanh", "relu", "linear"]),
    st.integers(2, 8),
    st.floats(0.3, 1.5),
    st.integers(0, 1000),
)
def test_the_parts_are_what_they_say_and_make_the_gap(family, activation, n, rho, seed):
    W = recurrent_matrix(family, n, rho, seed)
    fall, cell, trace = measured(W, 40, activation, seed=seed)
    found = parting(fall, cell, trace)
    gaps = fall.curve - fall.folk
    if found is None:
        assert (np.abs(gaps) <= 1).all()
        return
    k = found.lag
    assert (np.abs(gaps[:k]) <= 1).all()
    assert abs(gaps[k]) > 1
    assert found.gap == gaps[k]
    assert found.nonnormal == pytest.approx(power_norm(W, k) - k * np.log10(rho), abs=1e-6)
    if np.isfinite(found.gap):
        assert found.nonnormal + found.slopes == pytest.approx(found.gap, abs=1e-9)
    part = found.nonnormal if found.reason == "non-normal" else found.slopes
    assert part * np.sign(found.gap) == max(found.nonnormal * np.sign(found.gap), found.slopes * np.sign(found.gap))
    assert found.mean_slope == pytest.approx(cell.slope(trace.preactivations)[-k:].mean(), rel=1e-12)
    assert found.peak == (transient_peak(W, 40) if found.gap > 0 else None)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["gaussian", "nonnormal", "orthogonal"]), st.integers(1, 8), st.floats(0.3, 1.5))
def test_the_bounds_gap_and_its_parts(family, n, rho):
    W = recurrent_matrix(family, n, rho, 1)
    fall, cell, _ = measured(W, 40)
    found = bound_parting(fall, cell)
    gaps = fall.bound - fall.curve
    if found is None:
        assert (gaps <= 1).all()
        return
    k = found.lag
    assert (gaps[:k] <= 1).all()
    assert found.gap == gaps[k] > 1
    assert found.nonnormal + found.slopes == pytest.approx(found.gap, abs=1e-9)
    assert found.nonnormal == pytest.approx(k * np.log10(np.linalg.norm(W, 2)) - power_norm(W, k), abs=1e-9)
    assert found.reason == ("saturation" if found.slopes > found.nonnormal else "non-normal")


def test_strong_drive_parts_by_saturation():
    result = run(RNNConfig(n=32, d=1, T=200, rho=1.2, sigma_in=6.0))
    found = parting(decay(result.cell, result.trace), result.cell, result.trace)
    assert (found.reason, found.peak) == ("saturation", None)
    assert found.gap < -1
    assert found.slopes < 0 <= found.nonnormal
    assert found.mean_slope < 0.5


def test_the_non_normal_matrix_of_the_contract_parts_upwards():
    fall, cell, trace = measured(recurrent_matrix("nonnormal", 8, 0.9, 0), 200, "linear")
    found = parting(fall, cell, trace)
    assert (found.reason, found.slopes) == ("non-normal", pytest.approx(0, abs=1e-9))
    assert (found.mean_slope, found.peak.lag) == (1.0, 69)
    assert 10**found.peak.log10 == pytest.approx(1.277e4, rel=1e-3)


@pytest.mark.parametrize(("family", "activation"), [("orthogonal", "linear"), ("identity", "linear")])
def test_normal_and_linear_never_parts(family, activation):
    fall, cell, trace = measured(recurrent_matrix(family, 6, 1.0, 2), 200, activation)
    assert parting(fall, cell, trace) is None
    assert bound_parting(fall, cell) is None


def test_where_the_law_says_zero_it_parts_at_the_first_lag():
    fall, cell, trace = measured(np.array([[0.0, 2.0], [0.0, 0.0]]))
    found = parting(fall, cell, trace)
    assert (found.lag, found.gap, found.nonnormal, found.reason) == (1, np.inf, np.inf, "non-normal")
    assert np.isfinite(found.slopes)
    bound = bound_parting(fall, cell)
    assert (bound.gap, bound.nonnormal, bound.reason) == (np.inf, np.inf, "non-normal")
    assert bound.slopes == 0  # both products are exactly zero


def test_two_zeros_do_not_part():
    fall, cell, trace = measured(np.zeros((2, 2)))
    assert parting(fall, cell, trace) is None
    assert bound_parting(fall, cell) is None


def test_dead_units_part_at_once_by_slopes():
    W = 0.9 * np.eye(2)
    cell = RNN([[0.0], [0.0]], W, [-1.0, -1.0], activation="relu")
    trace = unroll(cell, np.zeros((5, 1)))
    found = parting(decay(cell, trace), cell, trace)
    assert (found.lag, found.gap, found.slopes, found.reason, found.mean_slope) == (
        1,
        -np.inf,
        -np.inf,
        "saturation",
        0.0,
    )
    assert found.nonnormal == pytest.approx(0, abs=1e-12)


def test_how_far_apart_is_a_choice():
    fall, cell, trace = measured(recurrent_matrix("gaussian", 8, 1.2, 0), 100)
    lags = [parting(fall, cell, trace, apart).lag for apart in (0.5, 1.0, 2.0)]
    assert lags == sorted(set(lags))
    with pytest.raises(ValueError, match="apart must be a finite number of at least 0, got -1"):
        parting(fall, cell, trace, -1)
    with pytest.raises(ValueError, match="apart must be a finite number of at least 0, got nan"):
        bound_parting(fall, cell, np.nan)


def test_no_step_no_parting():
    fall, cell, trace = measured(np.eye(2), 0)
    assert parting(fall, cell, trace) is None
    assert bound_parting(fall, cell) is None


def test_a_parting_cannot_be_changed():
    fall, cell, trace = measured(recurrent_matrix("gaussian", 8, 1.2, 0), 100)
    with pytest.raises(dataclasses.FrozenInstanceError):
        parting(fall, cell, trace).lag = 3
