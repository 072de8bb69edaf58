from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import RNN, Bidirectional, bidirectional_vjp, run_bidirectional

KINDS = ["tanh", "relu", "linear", "lstm", "gru-before-new", "gru-after-old"]


def stored(load):
    known = load("bidirectional")
    cells = []
    for suffix in ("", "_reverse"):
        p = {name: np.array(known["params"][f"{name}_l0{suffix}"]) for name in ("weight_ih", "weight_hh")}
        bias = sum(np.array(known["params"][f"bias_{part}_l0{suffix}"]) for part in ("ih", "hh"))
        cells.append(RNN(p["weight_ih"], p["weight_hh"], bias))
    return known, Bidirectional(*cells)


def test_outputs_and_gradients_agree_with_the_stored_answers(load):
    known, network = stored(load)
    trace = run_bidirectional(network, known["x"])
    np.testing.assert_allclose(trace.hs, known["output"], rtol=1e-11, atol=1e-13)
    gradients = bidirectional_vjp(network, trace, known["weights"])
    np.testing.assert_allclose(gradients.inputs, known["dobj_dx"], rtol=1e-11, atol=1e-13)
    names = {"W_xh": "weight_ih_l0", "W_hh": "weight_hh_l0", "b_h": "bias_hh_l0"}
    for suffix, chain in (("", gradients.forward), ("_reverse", gradients.backward)):
        for ours, theirs in names.items():
            want = known["dobj_dparam"][theirs + suffix]
            np.testing.assert_allclose(chain.parameters[ours], want, rtol=1e-11, atol=1e-13)


def test_the_backward_chains_last_state_belongs_to_step_1(load):
    known, network = stored(load)
    trace = run_bidirectional(network, known["x"])
    np.testing.assert_array_equal(trace.hs[0, 4:], trace.backward.hs[6])
    np.testing.assert_array_equal(trace.hs[5, 4:], trace.backward.hs[1])
    np.testing.assert_array_equal(trace.backward.xs[0], known["x"][5])


@pytest.mark.parametrize("forward", KINDS)
@pytest.mark.parametrize("backward", ["tanh", "lstm", "gru-after-new"])
def test_gradients_equal_central_differences(forward, backward, make_cell, slope):
    network = Bidirectional(make_cell(forward, n=2, m=None, seed=1), make_cell(backward, n=3, m=None, seed=2))
    rng = np.random.default_rng(3)
    xs, weights = rng.standard_normal((4, 2)), rng.standard_normal((4, 5))

    def objective(xs=xs, network=network):
        return (weights * run_bidirectional(network, xs).hs).sum()

    gradients = bidirectional_vjp(network, run_bidirectional(network, xs), weights)
    np.testing.assert_allclose(gradients.inputs, slope(objective, xs), atol=1e-7)
    for side in ("forward", "backward"):
        cell = getattr(network, side)
        for name, got in getattr(gradients, side).parameters.items():

            def changed(value, side=side, cell=cell, name=name):
                cells = {"forward": network.forward, "backward": network.backward}
                return objective(network=Bidirectional(**(cells | {side: replace(cell, **{name: value})})))

            np.testing.assert_allclose(got, slope(changed, getattr(cell, name)), atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(1, 20), st.integers(0, 99))
def test_reversing_time_and_swapping_the_cells_reverses_the_output(n, d, T, seed):
    rng = np.random.default_rng(seed)
    cells = [RNN(*(rng.standard_normal(shape) for shape in ((n, d), (n, n), (n,)))) for _ in range(2)]
    xs = rng.standard_normal((T, d))
    hs = run_bidirectional(Bidirectional(*cells), xs).hs
    mirrored = run_bidirectional(Bidirectional(*cells[::-1]), xs[::-1]).hs
    np.testing.assert_array_equal(mirrored, np.concatenate([hs[::-1, n:], hs[::-1, :n]], axis=1))


def test_read_out_sees_both_chains(make_cell):
    cells = [make_cell("lstm", m=None, seed=seed) for seed in (1, 2)]
    W_hy = np.arange(12.0).reshape(2, 6)
    network = Bidirectional(*cells, W_hy, [1.0, -1.0])
    trace = run_bidirectional(network, np.ones((3, 2)))
    np.testing.assert_allclose(trace.ys, trace.hs @ W_hy.T + [1.0, -1.0], rtol=1e-14)
    assert network.parameter_count == sum(cell.parameter_count for cell in cells) + 14


def test_an_empty_sequence_and_given_starts(make_cell):
    network = Bidirectional(make_cell("tanh", m=None), make_cell("lstm", m=None))
    trace = run_bidirectional(network, np.zeros((0, 2)), {"backward_c0": [1.0, 2.0, 3.0]})
    assert trace.hs.shape == (0, 6)
    assert trace.backward.cs[0].tolist() == [1.0, 2.0, 3.0]
    gradients = bidirectional_vjp(network, trace, np.zeros((0, 6)))
    assert gradients.inputs.shape == (0, 2)
    assert not gradients.forward.parameters["W_hh"].any()


def test_refusals(make_cell):
    cell = make_cell("tanh", m=None)
    with pytest.raises(ValueError, match="forward must be a cell without a read-out"):
        Bidirectional(make_cell("tanh"), cell)
    with pytest.raises(ValueError, match="backward must take the input size of forward, 2, got 3"):
        Bidirectional(cell, make_cell("tanh", d=3, m=None))
    with pytest.raises(ValueError, match=r"W_hy must be \(any, 6\), got \(2, 3\)"):
        Bidirectional(cell, cell, np.ones((2, 3)))
    network = Bidirectional(cell, cell)
    trace = run_bidirectional(network, np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"gradient must be \(3, 6\), got \(3, 3\)"):
        bidirectional_vjp(network, trace, np.ones((3, 3)))
    with pytest.raises(ValueError, match=r"start must hold forward_h0.*got h0"):
        run_bidirectional(network, np.ones((3, 2)), {"h0": np.zeros(3)})
