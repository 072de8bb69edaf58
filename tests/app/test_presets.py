"""Each preset of /gradients bears out its sentence; `tests/core/test_claims.py` has the one about many draws."""

import math

import numpy as np
import pytest
from rnnscope.app import GradientLab
from rnnscope.app.labs.gradient_presets import CLAIMS, LABELS
from rnnscope.core import build_cell, run, state_jacobian


@pytest.fixture
def opened():
    return lambda preset: GradientLab({"preset": preset})


def said(lab):
    return {
        word["symbol"]: float(word["value"]) for word in lab.texts()["claim"] if "symbol" in word and "value" in word
    }


def spoken(lab):
    return "".join(word["text"] for word in lab.texts()["claim"])


def test_every_preset_has_a_name_and_a_sentence():
    assert set(LABELS) == set(CLAIMS) == set(GradientLab.State.PRESETS)


def test_the_sentence_goes_with_the_first_number_that_is_changed(opened):
    lab = opened("orthogonal")
    assert lab.texts()["claim"]
    lab.state.apply({"lag": 3})
    assert lab.texts()["claim"]
    lab.state.apply({"rho": 1.1})
    assert lab.texts()["claim"] == []


def test_radius_is_not_norm(opened):
    lab = opened("radius-is-not-norm")
    curve = lab.measured.found.curve
    assert np.allclose(np.abs(lab.measured.eigenvalues), 0.9, rtol=1e-12)
    assert said(lab)["jacobian_norm"] == pytest.approx(1.3e4, rel=0.05)
    assert int(np.argmax(curve)) == 69
    assert "at lag 69" in spoken(lab)
    assert curve[-1] < curve[69]


def test_radius_above_one_and_yet_it_vanishes(opened):
    lab = opened("folk-law-wrong")
    assert said(lab)["folk_norm"] == pytest.approx(1.2**30, rel=1e-9)
    assert said(lab)["jacobian_norm"] < 1e-3
    assert lab.measured.found.kind == "vanishing"
    assert lab.measured.parting.reason == "saturation"
    assert lab.measured.parting.mean_slope < 0.5


def test_identity_and_relu_pass_the_gradient_on(opened):
    lab = opened("identity-relu")
    for t, k in ((200 - 100, 0), (100, 99), (57, 13)):
        matrix, exponent = state_jacobian(lab.run.cell, lab.run.trace, t, k)
        product = np.ldexp(matrix, exponent)
        assert np.array_equal(product, np.diag(np.diag(product)))
        assert set(np.unique(product)) <= {0.0, 1.0}
    assert said(lab)["jacobian_norm"] == 1.0


def test_orthogonal_keeps_length(opened):
    lab = opened("orthogonal")
    assert np.allclose(lab.measured.singular_values, 1.0, rtol=1e-12)
    assert said(lab)["length_change"] < 1e-12


def test_a_jordan_block_grows_before_it_falls(opened):
    lab = opened("jordan-block")
    assert np.all(lab.measured.eigenvalues == 0.9)
    assert int(np.argmax(lab.measured.found.curve)) == 29
    assert said(lab)["jacobian_norm"] == pytest.approx(238, rel=0.01)


@pytest.mark.parametrize("bias", [0, 1, 4])
def test_the_forget_bias_sets_the_half_life(bias, opened):
    lab = opened(f"forget-bias-{bias}")
    kept = 1 / (1 + math.exp(-bias))
    assert said(lab)["f"] == pytest.approx(kept, rel=1e-12)
    assert said(lab)["gate_half_life"] == pytest.approx(math.log(0.5) / math.log(kept), rel=1e-12)
    cell_block = np.ldexp(*state_jacobian(lab.run.cell, lab.run.trace, 100, 60))[32:, 32:]
    assert np.allclose(cell_block, kept**40 * np.eye(32), rtol=1e-10)
    assert lab.measured.found.steps == pytest.approx(said(lab)["gate_half_life"], rel=1e-6)
    assert lab.measured.exponent == pytest.approx(math.log(kept), rel=1e-6)


def test_chaos_needs_size_shows_a_network_without_input(opened):
    lab = opened("chaos-needs-size")
    assert np.all(lab.run.trace.xs[1:] == 0)
    assert np.any(lab.run.trace.xs[0] != 0)
    exponent = said(lab)["lyapunov"]
    assert ("not chaotic" in spoken(lab)) == (exponent <= 0)


def test_a_claim_is_about_the_networks_that_the_page_runs(opened):
    for preset in GradientLab.State.PRESETS:
        lab = opened(preset)
        fresh = run(lab.state.config())
        assert np.array_equal(build_cell(fresh.config).W_hh, lab.run.cell.W_hh)
        assert np.array_equal(fresh.trace.states, lab.run.trace.states)
