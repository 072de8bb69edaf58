"""Each preset of /lstm bears out its sentence."""

import math

import numpy as np
import pytest
from rnnscope.app import LSTMLab
from rnnscope.app.labs.lstm_presets import CLAIMS, LABELS
from rnnscope.core import RNN, jacobian_log10_norms, run, state_jacobian, unroll


@pytest.fixture
def opened():
    return lambda preset, **query: LSTMLab({"preset": preset, **query})


def said(lab):
    """(symbol, step, unit) -> number, of the sentence."""
    words = [word for word in lab.texts()["claim"] if "symbol" in word and "value" in word]
    return {(word["symbol"], word["t"], word["unit"]): float(word["value"]) for word in words}


def whole(lab, k=0):
    """d c_T / d c_k, from the Jacobian of the whole state."""
    matrix, exponent = state_jacobian(lab.run.cell, lab.run.trace, lab.run.trace.steps, k)
    n = lab.state.n
    return np.ldexp(matrix[n:, n:], exponent)


def test_every_preset_has_a_name_and_a_sentence():
    assert set(LABELS) == set(CLAIMS) == set(LSTMLab.State.PRESETS)


def test_the_sentence_goes_with_the_first_number_that_is_changed(opened):
    lab = opened("forgets")
    assert lab.texts()["claim"]
    lab.state.apply({"t": 3, "unit": 2, "notation": "pytorch"})
    assert lab.texts()["claim"]
    lab.state.apply({"rho": 1.1})
    assert lab.texts()["claim"] == []


def test_it_remembers_a_kick(opened):
    lab = opened("remembers")
    xs, cs = lab.run.trace.xs, lab.run.trace.cs
    assert xs[0].any()
    assert not xs[1:].any()
    figures = said(lab)
    (before, after) = (value for (name, *_), value in figures.items() if name == "c")
    unit = next(unit for name, t, unit in figures if (name, t) == ("c", 12))
    assert (before, after) == (cs[1, unit], cs[12, unit])
    assert abs(after) > abs(before) == np.abs(cs[1]).max()
    kept = next(value for (name, *_), value in figures.items() if name == "f")
    assert kept == lab.run.trace.gates["f"].min() > 0.9
    assert abs(after) > abs(before) * np.prod(lab.run.trace.gates["f"][1:, unit])  # more than what is kept


def test_what_is_left_where_the_gates_forget_went_through_h(opened):
    lab = opened("forgets")
    figures, split = said(lab), lab.paths.split()
    most = lab.run.trace.gates["f"].max()
    assert next(value for (name, *_), value in figures.items() if name == "f") == most < 0.06
    assert figures["dc_norm", 0, 0] == pytest.approx(np.linalg.norm(whole(lab), 2), rel=1e-9)
    assert figures["dc_norm", 0, 1] == pytest.approx(lab.run.trace.gates["f"].prod(axis=0).max(), rel=1e-9)
    assert figures["dc_norm", 0, 0] > 1e10 * figures["dc_norm", 0, 1]
    assert split.paths.shares["kept"][0] < 1e-9


def test_without_weights_the_gate_is_all_there_is(opened):
    lab = opened("forget-bias-1")
    figures = said(lab)
    assert not lab.run.cell.W_hh.any()
    assert figures["f", 1, 0] == pytest.approx(1 / (1 + math.exp(-1)), rel=1e-15)
    np.testing.assert_allclose(whole(lab), figures["f", 1, 0] ** 12 * np.eye(4), rtol=1e-13)
    assert figures["dc_norm", 0, 0] == pytest.approx(figures["dc_norm", 0, 1], rel=1e-14)
    assert figures["dc_norm", 0, 0] == pytest.approx(figures["f", 1, 0] ** 12, rel=1e-12)


def test_the_paths_of_one_unit_work_against_each_other(opened):
    lab = opened("one-unit")
    figures = said(lab)
    assert figures["path_share", 0, 0] > 1
    assert figures["path_share", 0, 4] < -1
    line = lab.run.trace.gates["f"].prod()
    assert figures["path_share", 0, 0] == pytest.approx(line / whole(lab).item(), rel=1e-10)


def test_the_product_of_forget_gates_is_decades_too_small(opened):
    lab = opened("more-than-forget-gates")
    figures = said(lab)
    assert figures["dc_norm", 0, 0] == pytest.approx(np.linalg.norm(whole(lab), 2), rel=1e-9)
    assert figures["dc_norm", 0, 0] > 900 * figures["dc_norm", 0, 1]
    assert figures["path_share", 0, 4] > 0.9


def test_the_carousel_carries_the_error_three_hundred_steps_without_loss(opened):
    lab = opened("constant-error-carousel")
    gates, figures = lab.run.trace.gates, said(lab)
    assert lab.run.trace.steps == 300
    assert (gates["f"] == 1.0).all()
    assert 0 < gates["i"].max() < 1e-18
    np.testing.assert_allclose(whole(lab), np.eye(4), rtol=1e-15, atol=1e-18)
    assert figures["dc_norm", 0, 0] == pytest.approx(1.0, rel=1e-15)
    assert np.abs(lab.run.trace.cs).max() < 1e-15  # nothing new is written
    assert lab.run.cell.W_hh.any()
    rnn = run(lab.state.rnn_config())
    assert isinstance(rnn.cell, RNN)
    assert figures["dc_norm", 0, 2] == pytest.approx(10 ** jacobian_log10_norms(rnn.cell, rnn.trace, t=300)[0])


def test_what_the_carousel_holds_it_holds(opened):
    """A cell state put in at the start is there, bit for bit, after 300 steps."""
    lab = opened("constant-error-carousel")
    start = np.array([0.5, -0.25, 2.0, -1.0])
    assert (unroll(lab.run.cell, lab.run.trace.xs, c0=start).cs[-1] == start).all()
