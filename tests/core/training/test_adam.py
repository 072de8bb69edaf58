import numpy as np
import pytest
from rnnscope.core.training import Adam


def start(value=5.0):
    return Adam.start({"w": np.array([value])})


def test_the_first_steps_are_those_of_the_algorithm_by_hand():
    first = start().updated({"w": np.array([1.0])}, rate=0.1)
    assert first.m["w"][0] == pytest.approx(0.1, rel=1e-15)
    assert first.v["w"][0] == pytest.approx(0.001, rel=1e-12)
    assert first.parameters["w"][0] == pytest.approx(5.0 - 0.1 / (1.0 + 1e-8), rel=1e-14)
    second = first.updated({"w": np.array([-2.0])}, rate=0.1)
    m_hat, v_hat = -0.11 / 0.19, 0.004999 / 0.001999
    moved = second.parameters["w"][0] - first.parameters["w"][0]
    assert moved == pytest.approx(-0.1 * m_hat / (np.sqrt(v_hat) + 1e-8), rel=1e-12)
    assert second.step == 2


@pytest.mark.parametrize("gradient", [1e-3, 7.0, -400.0])
def test_a_constant_gradient_moves_by_the_rate_whatever_its_size(gradient):
    state = start()
    for _ in range(50):
        state = state.updated({"w": np.array([gradient])}, rate=0.01)
    expected = 5.0 - 50 * 0.01 * gradient / (abs(gradient) + 1e-8)
    assert state.parameters["w"][0] == pytest.approx(expected, rel=1e-12)


def test_it_finds_the_minimum_of_a_parabola():
    state = start()
    for step in range(2000):
        state = state.updated({"w": 2.0 * (state.parameters["w"] - 3.0)}, rate=0.05 * (1 - step / 2000))
    assert state.parameters["w"][0] == pytest.approx(3.0, abs=1e-6)


def test_a_state_is_not_changed_by_its_update():
    state = start()
    state.updated({"w": np.array([1.0])}, rate=0.1)
    assert (state.parameters["w"][0], state.m["w"][0], state.step) == (5.0, 0.0, 0)
    with pytest.raises(ValueError, match="read-only"):
        state.m["w"][0] = 1.0


def test_gradients_of_other_names_are_refused():
    with pytest.raises(ValueError, match="gradients must be of w, got u"):
        start().updated({"u": np.array([1.0])}, rate=0.1)
