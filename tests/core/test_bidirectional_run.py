from dataclasses import replace

import numpy as np
import pytest
from rnnscope.core import (
    RNN,
    Bidirectional,
    BidirectionalConfig,
    BidirectionalRun,
    GRUConfig,
    LSTMConfig,
    RNNConfig,
    bidirectional_reach,
    build_cell,
    build_inputs,
    change_input,
    run_bidirectional,
    run_both,
)

CHAINS = [
    RNNConfig(n=1, d=1, T=5, input="values", values=(0.5, -1.0, 2.0, 0.0, 0.25)),
    RNNConfig(n=4, d=2, T=6, activation="relu", family="orthogonal"),
    LSTMConfig(n=3, d=34, T=5, input="text", text="hello"),
    GRUConfig(n=3, d=2, T=7, reset="after", update="old"),
]


def central(function, x, step=1e-6):
    """Columns of the Jacobian of `function` at x (d,)."""
    moves = step * np.eye(len(x))
    return np.stack([(function(x + move) - function(x - move)) / (2 * step) for move in moves], axis=-1)


@pytest.mark.parametrize("chain", CHAINS)
def test_each_chain_is_the_cell_of_the_config_over_its_own_order(chain):
    shown = run_both(BidirectionalConfig(chain, outputs=2))
    xs, n = build_inputs(chain), chain.n
    state = np.zeros(shown.network.backward.state_size)
    for t in range(chain.T, 0, -1):
        state = shown.network.backward.step(xs[t - 1], state)
        np.testing.assert_allclose(shown.backward_hs[t - 1], state[:n], rtol=1e-13, atol=1e-15)
        np.testing.assert_array_equal(shown.trace.hs[t - 1, n:], shown.backward_hs[t - 1])
        np.testing.assert_array_equal(shown.trace.hs[t - 1, :n], shown.forward_hs[t])
    assert not shown.backward_hs[chain.T].any()
    assert shown.trace.ys.shape == (chain.T, 2)


def test_the_forward_chain_is_that_of_every_other_lab_and_the_backward_chain_another():
    for chain in CHAINS:
        network, cell = run_both(BidirectionalConfig(chain)).network, build_cell(chain)
        for name in ("W_xh", "W_hh"):
            np.testing.assert_array_equal(getattr(network.forward, name), getattr(cell, name))
            assert not np.array_equal(getattr(network.backward, name), getattr(cell, name))
        np.testing.assert_array_equal(network.backward.b_h, cell.b_h)


def test_a_longer_read_out_moves_no_other_array():
    chain = CHAINS[1]
    small, large = (run_both(BidirectionalConfig(chain, outputs=m)) for m in (1, 3))
    np.testing.assert_array_equal(small.trace.hs, large.trace.hs)
    np.testing.assert_array_equal(small.network.W_hy[0], large.network.W_hy[0])


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("chain", CHAINS)
def test_what_reaches_an_output_equals_central_differences(chain, outputs):
    shown = run_both(BidirectionalConfig(chain, outputs))
    n = chain.n
    for t in range(1, chain.T + 1):
        reach = bidirectional_reach(shown, t)
        for k in range(1, chain.T + 1):

            def states(x, k=k, t=t):
                xs = np.array(shown.trace.xs)
                xs[k - 1] = x
                return run_bidirectional(shown.network, xs).hs[t - 1]

            slope, W_hy = central(states, shown.trace.xs[k - 1]), shown.network.W_hy
            np.testing.assert_allclose(reach.forward[k - 1], W_hy[:, :n] @ slope[:n], atol=1e-7)
            np.testing.assert_allclose(reach.backward[k - 1], W_hy[:, n:] @ slope[n:], atol=1e-7)
        assert not reach.forward[t:].any()
        assert not reach.backward[: t - 1].any()
        np.testing.assert_allclose(reach.norms[: t - 1], reach.forward_norms[: t - 1], rtol=1e-14)
        np.testing.assert_allclose(reach.norms[t:], reach.backward_norms[t:], rtol=1e-14)
        assert reach.norms[t - 1] <= (reach.forward_norms + reach.backward_norms)[t - 1] * (1 + 1e-14)


@pytest.mark.parametrize("chain", CHAINS)
def test_a_changed_input_moves_the_states_after_it_in_each_direction_and_no_other(chain):
    shown = run_both(BidirectionalConfig(chain))
    for step in range(1, chain.T + 1):
        x = shown.trace.xs[step - 1] + 0.25
        changed = change_input(shown, step, x)
        assert not changed.forward[: step - 1].any()
        assert not changed.backward[step:].any()
        assert changed.forward[step - 1] > 0 or chain.family == "orthogonal"
        assert changed.before is shown.trace
        np.testing.assert_array_equal(changed.after.xs[step - 1], x)
        both = np.hypot(changed.forward, changed.backward)
        np.testing.assert_allclose(both, np.linalg.norm(changed.after.hs - shown.trace.hs, axis=1), rtol=1e-13)
        apart = changed.after.ys - shown.trace.ys
        np.testing.assert_array_equal(changed.outputs, np.linalg.norm(apart, axis=1))
    same = change_input(shown, 1, shown.trace.xs[0])
    assert not np.concatenate([same.forward, same.backward, same.outputs]).any()


def test_reach_and_change_of_the_stored_network(load):
    """On the fixture's own weights, with a read-out that picks one forward and one backward unit."""
    known = load("bidirectional")
    p = {name: np.array(value) for name, value in known["params"].items()}
    cells = [
        RNN(p[f"weight_ih_l0{end}"], p[f"weight_hh_l0{end}"], p[f"bias_ih_l0{end}"] + p[f"bias_hh_l0{end}"])
        for end in ("", "_reverse")
    ]
    n, (T, d) = len(p["weight_hh_l0"]), np.shape(known["x"])
    W_hy = np.zeros((1, 2 * n))
    W_hy[0, [0, n]] = 1.0
    network = Bidirectional(*cells, W_hy, [0.0])
    config = BidirectionalConfig(RNNConfig(n=n, d=d, T=T))
    shown = BidirectionalRun(config, network, run_bidirectional(network, known["x"]))
    np.testing.assert_allclose(shown.forward_hs[1:], np.array(known["output"])[:, :n], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(shown.backward_hs[:-1], np.array(known["output"])[:, n:], rtol=1e-11, atol=1e-13)
    # by hand: diag(1 - h²) W at each step, multiplied from the output back to the input
    t, k = 4, 2
    h, product = shown.forward_hs, W_hy[:, :n]
    for step in range(t, k, -1):
        product = product @ (np.diag(1 - h[step] ** 2) @ p["weight_hh_l0"])
    by_hand = product @ np.diag(1 - h[k] ** 2) @ p["weight_ih_l0"]
    np.testing.assert_allclose(bidirectional_reach(shown, t).forward[k - 1], by_hand, rtol=1e-12)


def test_refusals():
    chain = RNNConfig(n=2, d=1, T=3)
    with pytest.raises(ValueError, match=r"chain must have no read-out \(outputs=None\), got outputs = 1"):
        BidirectionalConfig(replace(chain, outputs=1))
    with pytest.raises(ValueError, match="chain must be an RNNConfig, LSTMConfig or GRUConfig, got str"):
        BidirectionalConfig("rnn")
    with pytest.raises(ValueError, match="outputs must be an integer at least 1, got 0"):
        BidirectionalConfig(chain, 0)
    shown = run_both(BidirectionalConfig(chain))
    with pytest.raises(ValueError, match="t must be an integer in 1 … 3, got 4"):
        bidirectional_reach(shown, 4)
    with pytest.raises(ValueError, match="step must be an integer in 1 … 3, got 0"):
        change_input(shown, 0, [1.0])
    with pytest.raises(ValueError, match=r"x must be \(1,\), got \(2,\)"):
        change_input(shown, 1, [1.0, 2.0])
