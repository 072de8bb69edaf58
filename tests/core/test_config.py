import numpy as np
import pytest

from rnnscope.core import (
    LSTM,
    RNN,
    Config,
    LSTMConfig,
    RNNConfig,
    build_cell,
    build_initial_state,
    build_inputs,
    build_targets,
    run,
    spectral_radius,
)

WORKED = RNNConfig(
    n=1, d=1, T=2, input="values", values=(1, 2), outputs=1, U=1, W=0.5, V=1.2, b=0, c=-0.1, h0=0.4
)


def test_worked_example_takes_its_numbers():
    result = run(WORKED)
    assert result.trace.preactivations[0, 0] == pytest.approx(1.2, rel=1e-15)
    assert result.trace.hs[1, 0] == pytest.approx(0.8336546070121552, rel=1e-15)
    assert result.trace.ys[0, 0] == pytest.approx(1.2 * 0.8336546070121552 - 0.1, rel=1e-14)
    assert result.trace.hs[0, 0] == 0.4


def test_configs_are_hashable_and_equal_by_value():
    assert RNNConfig(n=2, d=1, T=3) == RNNConfig(n=2, d=1, T=3)
    assert len({RNNConfig(n=2, d=1, T=3), RNNConfig(n=2, d=1, T=3), LSTMConfig(n=2, d=1, T=3)}) == 2
    listed = RNNConfig(n=1, d=1, T=2, input="values", values=[1, 2])
    assert listed.values == (1.0, 2.0)
    assert hash(listed) == hash(RNNConfig(n=1, d=1, T=2, input="values", values=(1.0, 2.0)))


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
    cell = build_cell(LSTMConfig(n=16, d=2, T=1, rho=0.7, forget_bias=2.5))
    assert isinstance(cell, LSTM)
    for block in cell.W_hh:
        assert spectral_radius(block) == pytest.approx(0.7, rel=1e-10)
    assert not np.allclose(cell.W_hh[0], cell.W_hh[1])
    assert (cell.b_h[0] == 2.5).all()
    assert not cell.b_h[1:].any()


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
    stream = np.random.SeedSequence(9, spawn_key=(3,))
    want = np.random.default_rng(stream).standard_normal((5, 2))
    np.testing.assert_array_equal(build_inputs(RNNConfig(n=4, d=2, T=5, seed=9)), want)


def test_text_predicts_its_next_character():
    config = LSTMConfig(
        n=3, d=34, T=5, input="text", text="hello", outputs=34, loss="cross_entropy"
    )
    result = run(config)
    assert result.targets.tolist() == [4, 11, 11, 14, 33]
    assert result.gradients.loss.shape == (5,)


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
    assert build_initial_state(WORKED).tolist() == [0.4]


def test_a_family_unknown_to_build_is_refused():
    with pytest.raises(ValueError, match="config must be an RNNConfig or LSTMConfig, got Config"):
        build_cell(Config(n=1, d=1, T=1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n must be an integer at least 1, got 0"),
        ({"d": 1.0}, "d must be an integer at least 1, got 1.0"),
        ({"T": True}, "T must be an integer at least 1, got True"),
        ({"seed": 2**32}, "seed must be an integer in 0 … 4294967295, got 4294967296"),
        ({"seed": -1}, "seed must be an integer in 0 … 4294967295, got -1"),
        ({"family": "cauchy"}, "family must be one of"),
        ({"rho": -1.0}, "rho must be a finite number of at least 0, got -1.0"),
        ({"sigma_in": float("nan")}, "sigma_in must be a finite number of at least 0"),
        ({"input": "ramp"}, "input must be one of"),
        ({"loss": "hinge"}, "loss must be one of"),
        ({"activation": "gelu"}, "activation must be one of"),
        ({"outputs": 0}, "outputs must be an integer at least 1, got 0"),
        ({"truncate": 0}, "truncate must be an integer at least 1, got 0"),
        ({"W": 0.5}, "W must be None unless n = d = 1, got n = 2, d = 1"),
        ({"h0": 0.5, "n": 1, "d": 3}, "h0 must be None unless n = d = 1, got n = 1, d = 3"),
        ({"V": 0.5, "n": 1}, "V must be None unless outputs = 1, got outputs = None"),
        ({"c": 0.5, "n": 1, "outputs": 2}, "c must be None unless outputs = 1, got outputs = 2"),
        ({"b": float("inf"), "n": 1}, "b must be a finite number, got inf"),
        ({"input": "values"}, 'values must be given for input "values"'),
        ({"input": "values", "values": (1, 2)}, "T must be 2 for 2 values, got 3"),
        ({"input": "values", "values": (1, 2, 3), "d": 2}, 'd must be 1 for input "values", got 2'),
        ({"input": "values", "values": (1, 2, "x")}, "values must be a finite number, got 'x'"),
        ({"input": "text"}, "text must hold at least one character, got None"),
        ({"input": "text", "text": ""}, "text must hold at least one character, got ''"),
        ({"input": "text", "text": "abc"}, 'd must be 34 for input "text", got 1'),
        ({"input": "text", "text": "ab", "d": 34}, "T must be 2 for a text of 2 characters, got 3"),
        ({"input": "text", "text": "abc", "d": 34, "outputs": 5}, "outputs must be 34"),
        ({"input": "text", "text": "abc", "d": 34, "outputs": 34}, "loss must be cross_entropy"),
        ({"input": "text", "text": "abc", "d": 34, "target": (1, 2, 3)}, "target must be None"),
        ({"target": (1, 2, 3)}, "target must be None without a read-out"),
        ({"target": (1, 2), "outputs": 1}, "target must hold T = 3 numbers, got 2"),
        (
            {"target": (0, 1, 2), "outputs": 2, "loss": "cross_entropy"},
            "target must be an integer in 0 … 1, got 2",
        ),
        (
            {"target": (0, 1, 0.5), "outputs": 2, "loss": "cross_entropy"},
            "target must be an integer in 0 … 1, got 0.5",
        ),
    ],
)
def test_a_config_refuses_what_contradicts_it(change, message):
    with pytest.raises(ValueError, match=message):
        RNNConfig(**({"n": 2, "d": 1, "T": 3} | change))


def test_forget_bias_must_be_finite():
    with pytest.raises(ValueError, match="forget_bias must be a finite number, got nan"):
        LSTMConfig(n=1, d=1, T=1, forget_bias=float("nan"))


def test_run_is_pure_and_truncates():
    config = RNNConfig(n=4, d=2, T=8, outputs=2, truncate=2)
    first, second = run(config), run(config)
    np.testing.assert_array_equal(first.gradients.W_hh, second.gradients.W_hh)
    assert first.gradients.contributions[8, 5] == -np.inf
    assert first.gradients.contributions[8, 6] > -np.inf
    assert run(RNNConfig(n=4, d=2, T=8)).gradients is None
