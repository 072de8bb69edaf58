import numpy as np
import pytest
from rnnscope.core import LSTMConfig, RNNConfig, run

WORKED = RNNConfig(n=1, d=1, T=2, input="values", values=(1, 2), outputs=1, U=1, W=0.5, V=1.2, b=0, c=-0.1, h0=0.4)


def test_worked_example_takes_its_numbers():
    result = run(WORKED)
    assert result.trace.preactivations[0, 0] == pytest.approx(1.2, rel=1e-15)
    assert result.trace.hs[1, 0] == pytest.approx(0.8336546070121552, rel=1e-15)
    assert result.trace.ys[0, 0] == pytest.approx(1.2 * 0.8336546070121552 - 0.1, rel=1e-14)
    assert result.trace.hs[0, 0] == 0.4


def test_text_predicts_its_next_character():
    config = LSTMConfig(n=3, d=34, T=5, input="text", text="hello", outputs=34, loss="cross_entropy")
    result = run(config)
    assert result.targets.tolist() == [4, 11, 11, 14, 33]
    assert result.gradients.loss.shape == (5,)


def test_run_is_pure_and_truncates():
    config = RNNConfig(n=4, d=2, T=8, outputs=2, truncate=2)
    first, second = run(config), run(config)
    np.testing.assert_array_equal(first.gradients.W_hh, second.gradients.W_hh)
    assert first.gradients.contributions[8, 5] == -np.inf
    assert first.gradients.contributions[8, 6] > -np.inf
    assert run(RNNConfig(n=4, d=2, T=8)).gradients is None
