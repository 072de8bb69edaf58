"""The design patterns: every equation evaluates to the run, gradients are those of the loss, a window is a window."""

from dataclasses import replace

import numpy as np
import pytest
from rnnscope.core import (
    NOTATIONS,
    RNNConfig,
    convolution_pattern,
    last_pattern,
    output_pattern,
    run,
    system_pattern,
    unroll,
)
from rnnscope.core.pattern_equations import convolution_equations, last_equations, output_equations, system_equations
from rnnscope.core.patterns import input_reach
from rnnscope.core.weight_sharing import compare_sharing

SMALL = RNNConfig(n=1, d=1, T=5, U=0.6, W=0.9, V=1.2, b=0.1, c=-0.05, outputs=1, target=(0.8, 0.4, 0.6, 0.5, -0.2))
LAYER = RNNConfig(n=3, d=2, T=4, outputs=1, seed=3)
TEXT = RNNConfig(n=4, d=34, T=5, input="text", text="hello", outputs=34, loss="cross_entropy", seed=5)
CONFIGS = [SMALL, LAYER, TEXT]
SENTENCES = ("I went to Nepal in 2009", "In 2009, I went to Nepal.")


def check(found, equations_at):
    for t in range(1, found.trace.steps + 1):
        for symbol, equation in equations_at(t).items():
            value = equation.evaluate(found.network, found.trace, t, found.gradients, found.targets)
            for notation in NOTATIONS:
                tokens = equation.numbers(found.network, found.trace, t, 0, found.gradients, notation, found.targets)
                assert tokens[-1].value == pytest.approx(value[0], rel=1e-12, abs=1e-15), (symbol, t)
                assert equation.text(notation, t)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("forced", [False, True])
def test_output_equations_evaluate_to_the_run(config, forced):
    found = output_pattern(run(config), forced)
    kind = "teacher" if forced else found.network.feedback
    check(found, lambda t: output_equations("tanh", kind, config.loss, t == 1, t == config.T))
    np.testing.assert_allclose(found.gradients.own + found.gradients.passed, found.gradients.outputs, atol=1e-15)
    np.testing.assert_allclose(found.gradients.tiles.sum(axis=0), found.gradients.recurrent, atol=1e-14)
    assert np.any(found.gradients.passed) != forced


@pytest.mark.parametrize("config", CONFIGS)
def test_last_equations_evaluate_to_the_run(config):
    found = last_pattern(run(config))
    check(found, lambda t: last_equations("tanh", config.loss, t == config.T))
    np.testing.assert_allclose(found.gradients.tiles.sum(axis=0), found.gradients.recurrent, atol=1e-14)
    np.testing.assert_allclose(found.gradients.from_next[:-1], found.gradients.states[:-1])


def test_the_last_loss_alone_has_the_gradient_of_a_changed_weight(slope):
    def objective(W):
        shown = run(replace(SMALL, W=float(W[0])))
        return last_pattern(shown).gradients.loss.sum()

    found = last_pattern(run(SMALL))
    np.testing.assert_allclose(slope(objective, np.array([0.9])), found.gradients.recurrent[0], atol=1e-8)


@pytest.mark.parametrize("config", [replace(SMALL, h0=0.7), LAYER])
def test_a_system_is_its_function_nested(config):
    found = system_pattern(config)
    check(found, lambda t: system_equations("tanh"))
    s = found.trace.hs[0]
    for t in range(1, config.T + 1):
        s = np.tanh(found.network.W_hh @ s + found.network.b_h)
        np.testing.assert_allclose(found.trace.hs[t], s, rtol=1e-14)
    assert np.any(found.trace.hs[0])


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("width", [1, 3])
def test_convolution_equations_evaluate_to_the_run(config, width):
    found = convolution_pattern(run(config), width)
    for t in range(1, config.T + 1):
        for name, equation in convolution_equations("tanh", width).items():
            value = equation.evaluate(found.network, found.trace, t)
            np.testing.assert_allclose(value, found.trace.gates[name][t - 1], atol=1e-14)


def test_a_linear_recurrence_is_a_convolution_over_its_whole_past():
    config = replace(LAYER, activation="linear")
    found = convolution_pattern(run(config), config.T)
    np.testing.assert_allclose(found.trace.gates["conv"], found.trace.hs[1:], atol=1e-14)


def test_reach_is_the_length_of_a_derivative_and_zero_outside_the_window(slope):
    shown = run(LAYER)
    found, t, unit = convolution_pattern(shown, 2), 4, 1
    reach = input_reach(shown, found, t, unit)
    change = slope(lambda xs: unroll(shown.cell, xs).hs[t, unit], np.array(shown.trace.xs))
    np.testing.assert_allclose(reach.recurrence, np.linalg.norm(change, axis=1), atol=1e-8)
    assert np.all(reach.convolution[: t - 2] == 0)
    assert np.all(reach.convolution[t - 2 :] > 0)


def test_shared_weights_read_the_same_end_alike():
    found = compare_sharing(replace(LAYER, seed=1), SENTENCES, "2009")
    assert (found.places, found.common) == ((23, 7), 7)
    assert found.parameters_shared == 3 * 34 + 9 + 3
    assert found.parameters_separate == 25 * found.parameters_shared
    assert found.shared[-1] < found.shared[0]
    assert found.shared[-1] < found.separate[-1]


def test_a_text_without_the_part_is_refused():
    with pytest.raises(ValueError, match="must hold '2009', got 'in 2010'"):
        compare_sharing(LAYER, ("in 2009", "in 2010"), "2009")
