import numpy as np
import pytest
from rnnscope.core import (
    GRU,
    LSTM,
    RNN,
    Given,
    GivenConfig,
    LSTMConfig,
    RNNConfig,
    build_cell,
    build_inputs,
    build_targets,
    run,
    run_cell,
)


def drawn(*shape):
    return 0.5 * np.random.default_rng(shape).standard_normal(shape)


CELL = RNN(drawn(3, 2), drawn(3, 3), drawn(3), drawn(4, 3), drawn(4))
BARE = LSTM(drawn(4, 3, 2), drawn(4, 3, 3), drawn(4, 3))
XS = drawn(6, 2)


@pytest.mark.parametrize(
    "config", [RNNConfig(n=3, d=2, T=6, outputs=1, truncate=2), LSTMConfig(n=3, d=2, T=6), LSTMConfig(n=2, d=1, T=4)]
)
def test_a_drawn_run_given_again_is_the_same_to_the_bit(config):
    first = run(config)
    again = run_cell(first.cell, first.trace.xs, first.targets, truncate=config.truncate)
    np.testing.assert_array_equal(again.trace.states, first.trace.states)
    if first.gradients is None:
        assert again.gradients is None
    else:
        np.testing.assert_array_equal(again.gradients.W_hh, first.gradients.W_hh)
        np.testing.assert_array_equal(again.gradients.loss, first.gradients.loss)


def test_the_cell_is_the_given_one_and_the_run_knows_its_sizes():
    found = run_cell(CELL, XS, drawn(6, 4))
    assert found.cell is CELL
    assert (found.config.n, found.config.d, found.config.T, found.config.outputs) == (3, 2, 6, 4)
    assert build_cell(found.config) is CELL
    np.testing.assert_array_equal(build_inputs(found.config), XS)
    np.testing.assert_array_equal(build_targets(found.config), drawn(6, 4))


def test_first_states_are_those_that_are_given():
    found = run_cell(BARE, XS, h0=drawn(3), c0=2 * drawn(3))
    np.testing.assert_array_equal(found.trace.hs[0], drawn(3))
    np.testing.assert_array_equal(found.trace.cs[0], 2 * drawn(3))


@pytest.mark.parametrize(
    ("targets", "loss"), [(drawn(6, 4), "squared"), ([0, 1, 2, 3, 0, 1], "cross_entropy"), (None, "squared")]
)
def test_the_loss_follows_the_targets(targets, loss):
    found = run_cell(CELL, XS, targets)
    assert found.config.loss == loss
    assert found.config.given.has_targets == (targets is not None)
    assert found.gradients.loss.shape == (6,)


def test_numbers_in_a_row_are_the_targets_of_one_output():
    one = RNN(drawn(3, 2), drawn(3, 3), drawn(3), drawn(1, 3))
    found = run_cell(one, XS, [0.5] * 6)
    np.testing.assert_allclose(found.gradients.loss, 0.5 * (found.trace.ys[:, 0] - 0.5) ** 2)


def test_whole_numbers_are_numbers_to_one_output():
    one = RNN(drawn(3, 2), drawn(3, 3), drawn(3), drawn(1, 3))
    found = run_cell(one, XS, [1, 0, 1, 0, 1, 0])
    assert found.config.loss == "squared"
    assert found.targets.shape == (6, 1)


def test_two_configs_are_equal_for_the_same_arrays_alone():
    given = Given(CELL, XS)
    assert GivenConfig(given) == GivenConfig(given)
    assert hash(GivenConfig(given)) == hash(GivenConfig(given))
    assert GivenConfig(given) != GivenConfig(given, truncate=2)
    assert GivenConfig(given) != GivenConfig(Given(CELL, XS))


def test_the_inputs_are_a_copy_that_cannot_change():
    mine = XS.copy()
    given = Given(CELL, mine)
    mine[0] = 9.0
    np.testing.assert_array_equal(given.xs, XS)
    assert not given.xs.flags.writeable


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"xs": drawn(6, 3)}, r"xs must be \(any, 2\), got \(6, 3\)"),
        ({"xs": np.empty((0, 2))}, "steps of xs must be an integer at least 1, got 0"),
        ({"targets": drawn(5, 4)}, r"targets must be \(6, 4\), got \(5, 4\)"),
        ({"targets": [0, 1, 2, 3, 4, 5]}, "targets must be classes 0 … 3, got 5"),
        ({"targets": drawn(6, 4), "loss": "hinge"}, "loss must be one of cross_entropy, squared, got 'hinge'"),
        ({"loss": "cross_entropy"}, "targets must be given"),
        ({"h0": drawn(2)}, r"h0 must be \(3,\), got \(2,\)"),
        ({"c0": drawn(3)}, "c0 must be None for RNN"),
        ({"truncate": 0}, "truncate must be an integer at least 1, got 0"),
        ({"cell": BARE, "targets": drawn(6, 4)}, "targets must be None for a cell without a read-out"),
        ({"cell": GRU(drawn(3, 3, 2), drawn(3, 3, 3), drawn(3, 3)), "targets": [1] * 6}, "targets must be None"),
    ],
)
def test_what_does_not_fit_is_refused_with_both_sizes(arrays, words):
    with pytest.raises(ValueError, match=words):
        run_cell(**{"cell": CELL, "xs": XS, **arrays})
