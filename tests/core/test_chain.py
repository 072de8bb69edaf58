import numpy as np
import pytest
from rnnscope.core import bptt, unroll
from rnnscope.core.chain import at_hidden, chain_vjp, run_chain

KINDS = ["tanh", "relu", "lstm", "gru-before-new", "gru-after-old"]


def example(kind, make_cell, T=5, batch=()):
    cell = make_cell(kind)
    rng = np.random.default_rng(9)
    xs = rng.standard_normal((*batch, T, 2))
    return cell, xs, rng.standard_normal((*batch, cell.state_size)), rng


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("T", [0, 1, 5])
def test_the_chain_equals_unroll_and_bptt(kind, T, make_cell):
    cell, xs, start, rng = example(kind, make_cell, T)
    trace = unroll(cell, xs, start[:3], start[3:] if kind == "lstm" else None)
    states = run_chain(cell, xs, start)
    np.testing.assert_allclose(states, trace.states, rtol=1e-14)
    want = bptt(cell, trace, rng.standard_normal((T, 2)), "squared")
    got = chain_vjp(cell, xs, states, at_hidden(cell, want.from_output))
    np.testing.assert_allclose(got.states, want.states, atol=1e-13)
    np.testing.assert_allclose(got.inputs, want.inputs, atol=1e-13)
    for name, array in got.parameters.items():
        np.testing.assert_allclose(array, getattr(want, name), atol=1e-12, err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_steps_past_the_length_are_not_taken_and_pass_the_gradient_on(kind, make_cell):
    cell, xs, start, rng = example(kind, make_cell, batch=(3,))
    lengths = [5, 2, 0]
    valid = np.arange(5) < np.array(lengths)[:, None]
    arriving = rng.standard_normal((3, 6, cell.state_size))
    states = run_chain(cell, xs, start, valid)
    got = chain_vjp(cell, xs, states, arriving, valid)
    totals = []
    for i, length in enumerate(lengths):
        alone = run_chain(cell, xs[i, :length], start[i])
        np.testing.assert_allclose(states[i, : length + 1], alone, rtol=1e-14)
        np.testing.assert_allclose(states[i, length:], np.tile(alone[-1], (6 - length, 1)), rtol=1e-13)
        gathered = arriving[i, : length + 1].copy()
        gathered[-1] = arriving[i, length:].sum(axis=0)
        want = chain_vjp(cell, xs[i, :length], alone, gathered)
        np.testing.assert_allclose(got.states[i, : length + 1], want.states, atol=1e-13)
        np.testing.assert_allclose(got.inputs[i, :length], want.inputs, atol=1e-13)
        assert not got.inputs[i, length:].any()
        totals.append(want.parameters)
    for name, array in got.parameters.items():
        np.testing.assert_allclose(array, sum(total[name] for total in totals), atol=1e-12)
