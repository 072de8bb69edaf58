import numpy as np
import pytest
from rnnscope.core import (
    LSTM,
    RNN,
    Config,
    GRUConfig,
    LSTMConfig,
    RNNConfig,
    build_cell,
    build_initial_state,
    build_inputs,
    build_targets,
    recurrent_matrix,
    spectral_radius,
)


def test_weights_follow_the_config():
    cell = build_cell(RNNConfig(n=64, d=50, T=1, sigma_in=0.3, rho=1.4, outputs=40))
    assert isinstance(cell, RNN)
    assert cell.W_xh.std() == pytest.approx(0.3, rel=0.05)
    assert spectral_radius(cell.W_hh) == pytest.approx(1.4, rel=1e-10)
    assert cell.W_hy.std() == pytest.approx(1 / 8, rel=0.05)
    assert not cell.b_h.any()
    assert not cell.b_y.any()
    assert build_cell(RNNConfig(n=2, d=1, T=1, activation="relu")).activation == "relu"


def test_every_block_of_a_gated_cell_is_a_draw_of_its_own():
    cell = build_cell(LSTMConfig(n=16, d=2, T=1, rho=0.7, forget_bias=2.5, input_bias=-1.5))
    assert isinstance(cell, LSTM)
    for block in cell.W_hh:
        assert spectral_radius(block) == pytest.approx(0.7, rel=1e-10)
    assert not np.allclose(cell.W_hh[0], cell.W_hh[1])
    assert (cell.b_h[0] == 2.5).all()
    assert (cell.b_h[1] == -1.5).all()
    assert not cell.b_h[2:].any()


@pytest.mark.parametrize("reset", ["before", "after"])
def test_the_biases_of_a_gru_go_to_their_gates(reset):
    cell = build_cell(GRUConfig(n=3, d=2, T=1, reset=reset, update_bias=2.5, reset_bias=-1.5))
    assert cell.b_h.tolist() == [[2.5] * 3, [-1.5] * 3, [0.0] * 3]
    plain = build_cell(GRUConfig(n=3, d=2, T=1, reset=reset))
    assert not plain.b_h.any()
    np.testing.assert_array_equal(plain.W_hh, cell.W_hh)


def test_each_array_has_its_own_stream():
    small = RNNConfig(n=4, d=2, T=5, outputs=3, seed=9)
    wide = RNNConfig(n=4, d=6, T=9, outputs=3, seed=9, family="identity")
    np.testing.assert_array_equal(build_cell(small).W_hy, build_cell(wide).W_hy)
    other = RNNConfig(n=4, d=2, T=5, outputs=3, seed=10)
    for name in ("W_xh", "W_hh", "W_hy"):
        mine = getattr(build_cell(small), name)
        assert not np.array_equal(mine, getattr(build_cell(other), name))
        np.testing.assert_array_equal(mine, getattr(build_cell(small), name))
    assert not np.array_equal(build_inputs(small), build_inputs(other))


def test_streams_are_the_documented_ones():
    config = RNNConfig(n=4, d=2, T=5, seed=9, sigma_in=1.0, outputs=3, family="orthogonal")
    cell = build_cell(config)
    rngs = [np.random.default_rng(np.random.SeedSequence(9, spawn_key=(index,))) for index in range(4)]
    np.testing.assert_array_equal(cell.W_xh, rngs[0].standard_normal((4, 2)))
    np.testing.assert_array_equal(cell.W_hh, recurrent_matrix("orthogonal", 4, 0.9, rngs[1]))
    np.testing.assert_array_equal(cell.W_hy, rngs[2].standard_normal((3, 4)) / 2)
    np.testing.assert_array_equal(build_inputs(config), rngs[3].standard_normal((5, 2)))


def test_targets():
    assert build_targets(RNNConfig(n=2, d=1, T=3)) is None
    squared = RNNConfig(n=2, d=1, T=3, outputs=2)
    assert build_targets(squared).tolist() == [[0, 0]] * 3
    assert build_targets(RNNConfig(n=2, d=1, T=2, outputs=2, target=(1, -2))).tolist() == [
        [1, 1],
        [-2, -2],
    ]
    classes = RNNConfig(n=2, d=1, T=3, outputs=4, loss="cross_entropy", target=(0, 3, 1))
    assert build_targets(classes).tolist() == [0, 3, 1]
    drawn = build_targets(RNNConfig(n=2, d=1, T=50, outputs=4, loss="cross_entropy"))
    assert set(drawn.tolist()) == {0, 1, 2, 3}


def test_initial_state_is_none_unless_set():
    assert build_initial_state(RNNConfig(n=2, d=1, T=1)) is None
    assert build_initial_state(RNNConfig(n=1, d=1, T=1, h0=0.4)).tolist() == [0.4]


def test_a_family_unknown_to_build_is_refused():
    with pytest.raises(ValueError, match="config must be an RNNConfig, LSTMConfig or GRUConfig, got Config"):
        build_cell(Config(n=1, d=1, T=1))
