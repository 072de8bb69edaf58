"""Labs of one's own cell and inputs: the run is theirs, every number is explained, and nothing on the page is drawn."""

import contextlib
import io
import json

import numpy as np
import pytest
from rnnscope.app import BidirectionalLab, BPTTLab, GradientLab, GRULab, LSTMLab, UnfoldLab
from rnnscope.app.labs.explain import Asked, entry_of
from rnnscope.app.state.given import DRAWN
from rnnscope.core import GRU, LSTM, RNN, operate_on, run_cell

from .test_badge import arrays_of, columns_in, opened, same

N, D, T = 3, 2, 7


def drawn(*shape, seed=0):
    return 0.6 * np.random.default_rng([seed, *shape]).standard_normal(shape)


RNN_CELL = RNN(drawn(N, D), drawn(N, N), drawn(N), drawn(1, N), drawn(1))
LSTM_CELL = LSTM(drawn(4, N, D), drawn(4, N, N), drawn(4, N), drawn(1, N))
GRU_CELL = GRU(
    drawn(3, N, D), drawn(3, N, N), drawn(3, N), drawn(1, N), reset="after", b_hh=drawn(N, seed=1), update="old"
)
BARE = LSTM(drawn(4, N, D), drawn(4, N, N), drawn(4, N))
XS, TARGETS, H0, C0 = drawn(T, D), drawn(T, 1), drawn(N, seed=2), drawn(N, seed=3)

CASES = [
    (UnfoldLab, {"cell": RNN_CELL, "xs": XS}),
    (UnfoldLab, {"cell": RNN_CELL, "xs": XS, "targets": TARGETS[:, 0], "h0": H0, "t": 0}),
    (BPTTLab, {"cell": RNN_CELL, "xs": XS, "targets": TARGETS, "truncate": 3}),
    (BPTTLab, {"cell": LSTM_CELL, "xs": XS, "c0": C0}),
    (BPTTLab, {"cell": GRU_CELL, "xs": XS, "targets": TARGETS}),
    (LSTMLab, {"cell": BARE, "xs": XS, "c0": C0, "unit": 1}),
    (LSTMLab, {"cell": LSTM_CELL, "xs": XS, "targets": TARGETS, "surgery": "f@3:0,cut@5,x.1@2:0.5"}),
    (GRULab, {"cell": GRU_CELL, "xs": XS, "h0": H0, "t": 0}),
    (GRULab, {"cell": GRU_CELL, "xs": XS, "surgery": "z@3:0,cut@5"}),
    (GradientLab, {"cell": RNN_CELL, "xs": XS}),
    (GradientLab, {"cell": BARE, "xs": XS, "lag": 4}),
    (GradientLab, {"cell": GRU_CELL, "xs": XS}),
]
NAMES = [f"{lab.NAME}-{type(given['cell']).__name__}-{place}" for place, (lab, given) in enumerate(CASES)]


@pytest.fixture(scope="module", params=CASES, ids=NAMES)
def page(request):
    lab, given = request.param
    shown = opened(lambda _: lab(**given), {})
    shown.given = given
    return shown


def printed(code, given):
    """What the badge's lines print where the user's arrays have the names that the lab took them by."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, dict(given))  # the badge's own lines, which are there to be run
    return float(said.getvalue())


def test_the_run_is_that_of_the_given_arrays(page):
    lab, given = page.lab, page.given
    arrays = {key: given[key] for key in ("cell", "xs", "targets", "h0", "c0", "truncate") if key in given}
    expected = run_cell(**arrays)
    if "surgery" in given:
        expected = operate_on(expected, lab.surgery()).run
    assert lab.run.cell is given["cell"]
    np.testing.assert_array_equal(lab.run.trace.xs, expected.trace.xs)
    np.testing.assert_array_equal(lab.run.trace.states, expected.trace.states)
    if expected.gradients is not None:
        np.testing.assert_array_equal(lab.run.gradients.W_hh, expected.gradients.W_hh)
    assert (lab.state.n, lab.state.d, lab.state.T) == (N, D, T)


def test_every_number_is_explained_and_computed_again(page):
    assert page.shown
    for key, value in page.shown.items():
        answer = page.ask(*key, value=value)
        if value is None and "missing" in answer:
            continue
        assert "missing" not in answer, (key, answer)
        assert entry_of(Asked.of(page.lab, {"symbol": key[0], "t": key[1], "unit": key[2], "value": value})), key
        assert value is None or same(float(answer["exact"]), float(value)), (key, value, answer)
        assert [found for found in answer["checks"] if not found["near"]] == [], (key, answer)
        assert answer["checks"] or answer["note"], (key, "nothing says where it comes from")
        assert "seed" not in json.dumps(answer["note"]), key


def test_the_lines_of_python_print_the_same_number(page):
    done = set()
    for key, value in page.shown.items():
        answer = page.ask(*key, value=value)
        if key[0] not in done and "missing" not in answer:
            done.add(key[0])
            assert same(printed(answer["code"], page.given), float(answer["exact"])), (key, answer["code"])
    assert done


def test_every_column_of_a_table_is_explained(page):
    columns = {*columns_in(page.lab.view.layout["cards"], arrays_of(page))}
    assert columns
    for symbol, first, unit in columns:
        answer = page.ask(symbol, max(first, 1), unit)
        assert "missing" not in answer, (symbol, answer)


def test_nothing_on_the_page_draws_weights_or_inputs(page):
    lab, before = page.lab, page.lab.run
    assert {*DRAWN} == {*lab.view.layout["absent"]}
    assert {*DRAWN} <= {*lab.state.locked()}
    assert "share" in lab.view.layout["hidden"]
    assert "reset" not in lab.view.layout["hidden"]
    assert '"presets"' not in json.dumps(lab.view.layout["cards"])
    frame = page.send("set", values={"rho": "1.5", "seed": "4", "T": "5", "preset": next(iter(lab.State.PRESETS))})
    assert lab.run is before
    assert not frame["notices"]
    page.send("reset")
    assert lab.run.cell is page.given["cell"]
    assert (lab.state.n, lab.state.T) == (N, T)


def test_the_page_says_whose_arrays_these_are_and_that_no_link_carries_them(page):
    said = "".join(word["text"] for word in json.loads(page.frames[0]["json"])["texts"]["own"])
    assert f"{type(page.given['cell']).__name__} with 3 units, 2 inputs, 7 steps" in said
    assert "a link cannot carry arrays of your own" in said
    with pytest.raises(ValueError, match="cannot carry arrays of your own"):
        page.lab.link()
    assert not {*DRAWN} & {pair.partition("=")[0] for pair in page.lab.query.split("&")}


def test_what_is_selected_and_operated_on_still_moves():
    lab = LSTMLab(cell=BARE, xs=XS)
    first = lab.run
    lab.state.t = 3
    assert lab.run is first
    lab.state.surgery = "f:1"
    assert lab.run.cell is BARE
    assert lab.operated.untouched is first


def test_what_the_arrays_say_stays_whoever_sets_it():
    lab = BPTTLab(cell=GRU_CELL, xs=XS)
    first = lab.run
    lab.state.n, lab.state.T, lab.state.update, lab.state.cell = 5, 20, "new", "rnn"
    assert (lab.state.n, lab.state.T, lab.state.update, lab.state.cell) == (N, T, "old", "gru")
    assert lab.run.cell is GRU_CELL
    np.testing.assert_array_equal(lab.run.trace.hs, first.trace.hs)


@pytest.mark.parametrize(("lab", "given"), CASES)
def test_the_choices_of_other_labs_are_as_they_were(lab, given):
    """A class of states made for some arrays shares no list with the class that it is made from."""
    before = {key: list(lab.State.param[key].objects) for key in ("cell", "family", "input", "notation")}
    given = lab(**given)
    assert {key: list(lab.State.param[key].objects) for key in before} == before
    assert all(list(given.state.param[key].objects) == before[key] for key in ("family", "input", "notation"))


def test_whole_numbers_are_numbers_to_one_output():
    lab = BPTTLab(cell=GRU_CELL, xs=XS, targets=[0, 1, 0, 1, 0, 1, 0])
    assert lab.state.loss == "squared"
    np.testing.assert_array_equal(lab.run.targets[:, 0], [0, 1, 0, 1, 0, 1, 0])


def test_more_inputs_than_a_drawing_has_room_for_are_fine_where_none_is_drawn():
    wide = RNN(drawn(N, 40), drawn(N, N), drawn(N))
    assert GradientLab(cell=wide, xs=drawn(T, 40)).run.cell is wide
    with pytest.raises(ValueError, match="LSTMLab shows 1 to 8 inputs, got d = 40"):
        LSTMLab(cell=LSTM(drawn(4, N, 40), drawn(4, N, N), drawn(4, N)), xs=drawn(T, 40))


WRONG = [
    (LSTMLab, {"cell": BARE, "xs": drawn(T, 3)}, ValueError, r"xs must be \(any, 2\), got \(7, 3\)"),
    (LSTMLab, {"cell": BARE, "xs": drawn(401, D)}, ValueError, "LSTMLab shows 1 to 400 steps, got T = 401"),
    (LSTMLab, {"cell": BARE, "xs": np.full((T, D), np.nan)}, ValueError, "xs must be finite"),
    (LSTMLab, {"cell": BARE, "xs": np.empty((0, D))}, ValueError, "steps of xs must be an integer at least 1, got 0"),
    (LSTMLab, {"cell": BARE, "xs": XS, "h0": drawn(2)}, ValueError, r"h0 must be \(3,\), got \(2,\)"),
    (LSTMLab, {"cell": BARE, "xs": XS, "targets": TARGETS}, ValueError, "targets must be None"),
    (LSTMLab, {"cell": GRU_CELL, "xs": XS}, ValueError, "cell must be an LSTM in LSTMLab, got GRU"),
    (GRULab, {"cell": BARE, "xs": XS}, ValueError, "cell must be a GRU in GRULab, got LSTM"),
    (GRULab, {"cell": GRU_CELL, "xs": XS, "c0": C0}, ValueError, "c0 must be None for GRU"),
    (UnfoldLab, {"cell": BARE, "xs": XS}, ValueError, "cell must be an RNN in UnfoldLab, got LSTM"),
    (BPTTLab, {"cell": BARE, "xs": XS}, ValueError, r"W_hy must be \(1, 3\), got None"),
    (UnfoldLab, {"cell": RNN_CELL, "xs": XS, "targets": TARGETS[:3]}, ValueError, r"be \(7, 1\), got \(3, 1\)"),
    (UnfoldLab, {"cell": RNN_CELL, "xs": XS, "targets": [0] * T, "loss": "cross_entropy"}, ValueError, "squared error"),
    (BidirectionalLab, {"cell": RNN_CELL, "xs": XS}, ValueError, "takes no cell of your own"),
    (GradientLab, {"cell": RNN_CELL}, TypeError, "xs, the inputs"),
    (GradientLab, {"xs": XS}, TypeError, "cell, an RNN, LSTM or GRU"),
    (GradientLab, {"cell": "lstm", "xs": XS}, TypeError, "cell, an RNN, LSTM or GRU"),
    (GradientLab, {"cell": np.eye(2), "xs": XS}, TypeError, "cell must be an RNN, LSTM or GRU of rnnscope.core"),
    (GradientLab, {"cell": RNN_CELL, "xs": XS, "rho": 1.2}, TypeError, "rho cannot be given beside cell and xs"),
    (GradientLab, {"cell": RNN_CELL, "xs": XS, "lag": 8}, ValueError, "lag = 8 is not accepted: it takes .* 0 to 7"),
]  # fmt: skip


@pytest.mark.parametrize(("lab", "given", "error", "words"), WRONG)
def test_what_does_not_fit_is_said_with_both_numbers(lab, given, error, words):
    with pytest.raises(error, match=words):
        lab(**given)
