import numpy as np
import pytest
from rnnscope.core import GRU, bptt, chain_factors, unroll

KINDS = ["tanh", "relu", "lstm", "gru-before-new", "gru-after-old"]
T = 5


def example(kind, make_cell, n=3):
    cell = make_cell(kind, seed=2, n=n)
    rng = np.random.default_rng(3)
    trace = unroll(cell, rng.standard_normal((T, cell.W_xh.shape[-1])), rng.standard_normal(n))
    targets = rng.standard_normal((T, cell.W_hy.shape[0]))
    gradients = bptt(cell, trace, targets, "squared")
    return cell, trace, targets, gradients, chain_factors(cell, trace, gradients)


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_a_start_times_its_factors_is_the_value_and_its_log_the_contribution(kind, n, make_cell):
    cell, _, _, gradients, chain = example(kind, make_cell, n)
    assert chain.signed == (cell.state_size == 1)
    for t in range(1, T + 1):
        for k in range(t + 1):
            product = chain.starts[t] * np.prod(chain.factors[t, k + 1 : t + 1])
            np.testing.assert_allclose(product, chain.values[t, k], rtol=1e-12)
            with np.errstate(divide="ignore"):
                np.testing.assert_allclose(np.log10(abs(product)), gradients.contributions[t, k], atol=1e-10)


@pytest.mark.parametrize("kind", ["tanh", "gru-before-new"])
def test_signed_values_are_the_derivatives_of_one_loss_by_one_state(kind, make_cell):
    cell, trace, targets, _, chain = example(kind, make_cell, 1)
    step = 1e-6
    for k in range(T):
        moved = [unroll(cell, trace.xs[k:], trace.hs[k] + side * step) for side in (1, -1)]
        losses = [0.5 * ((run.ys - targets[k:]) ** 2).sum(axis=1) for run in moved]
        slopes = (losses[0] - losses[1]) / (2 * step)
        np.testing.assert_allclose(chain.values[k + 1 :, k], slopes, atol=1e-8)


def test_a_plain_units_factor_is_its_slope_times_w(make_cell):
    cell, trace, _, _, chain = example("tanh", make_cell, 1)
    np.testing.assert_allclose(chain.factors[T, 1:], (1 - trace.hs[1:, 0] ** 2) * cell.W_hh[0, 0], rtol=1e-12)
    assert np.isnan(chain.factors[2, 3:]).all()
    assert np.isnan(chain.factors[:, 0]).all()
    assert np.isnan(chain.values[0]).all()
    assert np.isnan(chain.starts[0])


def test_factors_are_read_only_and_an_exact_zero_ends_the_ratios():
    dead = GRU(np.zeros((3, 2, 1)), np.zeros((3, 2, 2)), np.full((3, 2), 800.0), np.ones((1, 2)), np.zeros(1))
    trace = unroll(dead, np.ones((3, 1)))
    chain = chain_factors(dead, trace, bptt(dead, trace, np.zeros((3, 1)), "squared"))
    assert not chain.values.flags.writeable
    assert chain.values[3, 2] == 0
    assert chain.factors[3, 3] == 0
    assert np.isnan(chain.factors[3, 2])
