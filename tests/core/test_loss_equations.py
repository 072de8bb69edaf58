"""The losses' equations say what `bptt` computes."""

import numpy as np
import pytest
from rnnscope.core import RNNConfig, loss_equations, run
from rnnscope.core.notation import NOTATIONS

CONFIGS = [
    RNNConfig(n=1, d=1, T=4, outputs=1, target=(0.3, -0.2, 0.9, 0.0)),
    RNNConfig(n=3, d=2, T=5, outputs=2),
    RNNConfig(n=3, d=34, T=5, input="text", text="hello", loss="cross_entropy", outputs=34),
]


@pytest.mark.parametrize("config", CONFIGS)
def test_loss_and_its_gradient_evaluate_to_what_bptt_computes(config):
    shown = run(config)
    loss, slope = loss_equations(config.loss)
    for t in range(1, config.T + 1):
        values = (shown.cell, shown.trace, t, shown.gradients, shown.targets)
        np.testing.assert_allclose(loss.evaluate(*values), [shown.gradients.loss[t - 1]], rtol=1e-12)
        np.testing.assert_allclose(slope.evaluate(*values), shown.gradients.outputs[t - 1], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("config", CONFIGS)
def test_numbers_end_in_the_value(config):
    shown = run(config)
    for equation, value in zip(
        loss_equations(config.loss), (shown.gradients.loss, shown.gradients.outputs[:, 0]), strict=True
    ):
        tokens = equation.numbers(shown.cell, shown.trace, 2, 0, shown.gradients, "goodfellow", shown.targets)
        assert tokens[-1].value == pytest.approx(value[1], rel=1e-12)
        assert tokens[-1].symbol == equation.symbol


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("loss", ["squared", "cross_entropy"])
def test_every_notation_writes_the_loss(loss, notation):
    for equation in loss_equations(loss):
        assert equation.text(notation, 3).startswith(("L_3 = ", "∂L/∂o_3 = ", "∂L/∂y_3 = "))
        assert equation.latex(notation)


def test_without_targets_a_loss_says_so():
    shown = run(CONFIGS[0])
    with pytest.raises(ValueError, match="targets must be given"):
        loss_equations("squared")[0].evaluate(shown.cell, shown.trace, 1)
