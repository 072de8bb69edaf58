"""What the user chooses: declared once, and always a configuration that core takes."""

import param
import pytest
from rnnscope.app.snapshot import STATES
from rnnscope.app.state import GradientState, LabState, LSTMState, UnfoldState
from rnnscope.core import BidirectionalConfig, run, run_both

LABS = pytest.mark.parametrize("state", STATES.values(), ids=STATES.keys())
#: Labs of a cell that is drawn from a seed and reads T steps; the others have a trained model, or no cell.
DRAWN_STATES = {name: state for name, state in STATES.items() if "cell" in state.names()}
DRAWN = pytest.mark.parametrize("state", DRAWN_STATES.values(), ids=DRAWN_STATES.keys())
PRESETS = [(state, name) for state in DRAWN_STATES.values() for name in ("", *state.PRESETS)]


def chains_of(config):
    """Every chain of the run that a state describes: one trace, of two directions two."""
    if isinstance(config, BidirectionalConfig):
        both = run_both(config).trace
        return [both.forward, both.backward]
    return [run(config).trace]


@pytest.mark.parametrize(("state", "preset"), PRESETS, ids=[f"{s.__name__}-{p}" for s, p in PRESETS])
def test_every_preset_runs(state, preset):
    page = state()
    page.apply(state.PRESETS.get(preset, {}))
    for trace in chains_of(page.config()):
        assert trace.steps == page.T == page.steps()
        assert trace.hs.shape == (page.T + 1, page.n)


@LABS
def test_a_preset_sets_keys_of_its_lab(state):
    for name, values in state.PRESETS.items():
        assert set(values) <= set(state.names()), name
        state(**values)


@DRAWN
def test_every_input_runs(state):
    for kind in state.param["input"].objects:
        page = state()
        page.apply({"input": kind, "values": (1.0, 0.5, 0.0, -0.5, 2.0)})
        assert [trace.steps for trace in chains_of(page.config())] == [page.T] * len(chains_of(page.config()))


@LABS
def test_every_key_has_a_label_and_every_number_has_bounds(state):
    for key in state.names():
        parameter = state.param[key]
        assert parameter.label, key
        if isinstance(parameter, param.Number) and not isinstance(parameter, param.Boolean):
            low, high = parameter.bounds
            assert low < high
            assert parameter.default is None or low <= parameter.default <= high


@LABS
def test_a_label_is_no_bare_name(state):
    """param makes "Sigma in" of sigma_in where no label is given."""
    for key in state.names():
        assert state.param[key]._label is not None, key


def test_looks_and_settings_are_keys():
    known = {key for state in STATES.values() for key in state.names()}
    assert known >= LabState.LOOKS
    for state in STATES.values():
        assert set(state.names()) >= state.SETTINGS, state
        assert not state.LOOKS & state.SETTINGS


@DRAWN
def test_a_longer_T_adds_zeros_to_typed_values(state):
    page = state()
    page.apply({"input": "values", "values": (1.0, 2.0, 3.0, 4.0, 5.0)})
    page.apply({"T": 7})
    assert (page.T, page.values) == (7, (1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0))


def test_a_shorter_T_cuts_typed_values_and_targets():
    page = UnfoldState()
    page.apply({"T": 2})
    assert (page.T, page.values, page.target) == (2, (1.0, -0.5), (0.8, 0.4))
    page.apply({"T": 3})
    assert (page.values, page.target) == ((1.0, -0.5, 0.0), (0.8, 0.4, 0.0))


def test_a_text_sets_T():
    page = LSTMState()
    page.apply({"input": "text", "text": "abc", "T": 9})
    assert (page.T, page.config().T, page.config().d) == (3, 3, 34)


def test_T_bounds_the_step_and_the_lag_and_n_bounds_the_unit():
    page = GradientState()
    page.apply({"T": 200, "t": 200, "lag": 150})
    page.apply({"T": 20})
    assert (page.t, page.lag) == (20, 20)
    page = UnfoldState()
    page.apply({"n": 8, "unit": 7})
    page.apply({"n": 3})
    assert page.unit == 2


def test_settling_twice_changes_nothing():
    for state in DRAWN_STATES.values():
        page = state()
        page.apply({"input": "sine", "T": 7, "n": 2, "unit": 7})
        before = page.values_of()
        page.settle()
        assert page.values_of() == before


def test_scalar_weights_reach_the_run_for_one_unit_only():
    page = UnfoldState()
    page.apply({"W": 0.25, "h0": 0.5})
    shown = run(page.config())
    assert shown.cell.W_hh.tolist() == [[0.25]]
    assert shown.trace.hs[0].tolist() == [0.5]
    page.apply({"n": 2})
    assert run(page.config()).cell.W_hh.shape == (2, 2)
    assert page.config().W is None


def test_what_is_gone_and_what_is_disabled_follows_the_input():
    page = UnfoldState()
    page.apply({})
    settings = page.control_settings()
    assert not settings["values"]["gone"]
    assert settings["text"]["gone"]
    assert not settings["W"]["gone"]
    page.apply({"input": "text", "text": "ab"})
    settings = page.control_settings()
    assert settings["T"]["disabled"]
    assert settings["W"]["gone"]
    assert settings["target"]["gone"]
    assert (settings["t"]["max"], settings["lag"]["max"]) == (2, 2)


def test_states_share_nothing():
    one, other = GradientState(), GradientState()
    one.apply({"rho": 1.5, "family": "orthogonal"})
    assert (other.rho, other.family, GradientState.param["rho"].default) == (0.9, "gaussian", 0.9)
