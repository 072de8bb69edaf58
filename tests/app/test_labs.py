"""The labs as the page sees them: a message in, one core run, one frame out, figures built once."""

import json
import math

import numpy as np
import pytest
from rnnscope.app import BPTTLab, GradientLab, GRULab, LSTMLab, UnfoldLab, url
from rnnscope.app.diagrams.loom_scale import contribution_range
from rnnscope.app.labs import base, inside
from rnnscope.app.state.bptt import BLOCKS
from rnnscope.core import (
    bptt,
    chain_factors,
    decay,
    eigenvalues,
    gru_wires,
    half_life,
    largest_lyapunov_exponent,
    run,
    singular_values,
)

from tests.app.texts import numbers

LABS = pytest.mark.parametrize(
    "lab_class", [UnfoldLab, GradientLab, BPTTLab, LSTMLab, GRULab], ids=lambda lab: lab.NAME
)
#: A key of each lab whose change needs a run, with a value.
MOVES = [
    (UnfoldLab, "W", "0.5"),
    (GradientLab, "rho", "1.2"),
    (BPTTLab, "truncate", "3"),
    (LSTMLab, "forget_bias", "2"),
    (GRULab, "update_bias", "2"),
]
#: Every way into a lab: each preset, each input, several units.
QUERIES = [
    *(
        (lab, {"preset": name})
        for lab in (UnfoldLab, GradientLab, BPTTLab, LSTMLab, GRULab)
        for name in lab.State.PRESETS
    ),
    *(
        (lab, {"input": kind})
        for lab in (UnfoldLab, GradientLab, BPTTLab, LSTMLab, GRULab)
        for kind in ("zero", "impulse", "sine", "noise", "text")
    ),
    (UnfoldLab, {"n": "8", "unit": "7", "seed": "3"}),
    (UnfoldLab, {"values": "1", "t": "1", "target": "1"}),
    (LSTMLab, {"n": "8", "unit": "7", "input": "noise", "T": "400", "t": "400"}),
    (GRULab, {"n": "8", "unit": "7", "input": "noise", "T": "40", "t": "40", "reset": "after", "update": "old"}),
    (GradientLab, {"n": "64", "T": "200", "family": "jordan", "activation": "relu"}),
    (GradientLab, {"rho": "0", "lag": "100"}),
    (BPTTLab, {"cell": "gru", "n": "16", "unit": "15", "reset": "after", "T": "50", "input": "noise", "t": "50"}),
    (BPTTLab, {"cell": "lstm", "text": "hello", "block": "o", "truncate": "1"}),
    (BPTTLab, {"values": "1", "t": "1", "target": "1", "moment": "3"}),
    (BPTTLab, {"W": "0", "clip": "0.1", "truncate": "2"}),
]
#: Those of /unfold's other patterns have numbers of their own: `test_patterns.py`.
HIDDEN_QUERIES = [
    (lab, query) for lab, query in QUERIES if "pattern" not in lab.State.PRESETS.get(query.get("preset", ""), {})
]


class Page:
    """A lab, and what it did since `Page` was made: its frames and its core runs."""

    def __init__(self, lab_class, query, runs):
        self.lab = lab_class(query)
        self.frames, self.runs = [], runs
        self.lab.view.param.watch(lambda event: self.frames.append(event.new), "frame", onlychanged=False)
        self.sequence = 0
        runs.clear()

    def send(self, action, **content):
        """Send a message as the page does, and return the frame that answers it."""
        self.sequence += 1
        self.frames.clear()
        self.runs.clear()
        self.lab._answer({"action": action, "sequence": self.sequence, **content})
        assert len(self.frames) == 1
        frame = json.loads(self.frames[0]["json"])
        assert frame["sequence"] == self.sequence
        return frame

    def set(self, **values):
        return self.send("set", values=values)


@pytest.fixture
def page(monkeypatch):
    """Return a function that opens a lab whose core runs are counted."""
    runs, real = [], base.run

    def counted(config):
        runs.append(config)
        return real(config)

    monkeypatch.setattr(base, "run", counted)
    return lambda lab_class, query=None: Page(lab_class, query, runs)


def unpacked(frame):
    """Name -> (array, step of its first row); every number of the buffer belongs to exactly one array."""
    data, found, end = frame["data"], {}, 0
    assert data.dtype == np.float64
    for name, (offset, steps, units, first) in json.loads(frame["json"])["arrays"].items():
        assert offset == end
        end += steps * units
        found[name] = (data[offset:end].reshape(steps, units), first)
    assert end == data.size
    return found


def same_bits(left, right):
    left, right = (np.ascontiguousarray(a, dtype=np.float64) for a in (left, right))
    return left.size == right.size and left.tobytes() == right.tobytes()


# --- opening ---------------------------------------------------------------------------------


@LABS
def test_opening_is_one_run(lab_class, page, monkeypatch):
    configs, counted = [], base.run
    monkeypatch.setattr(base, "run", lambda config: configs.append(config) or counted(config))
    lab = lab_class({"seed": "5"})
    assert configs == [lab.state.config()]
    assert lab.run.config.seed == 5


@LABS
def test_the_first_frame_holds_the_scenes_and_no_notice(lab_class):
    lab = lab_class()
    frame = json.loads(lab.view.frame["json"])
    assert (frame["kind"], frame["notices"], frame["query"]) == ("run", [], "")
    assert bool(frame["scenes"]) == (lab_class is not GradientLab)


@LABS
def test_a_bad_key_of_the_query_is_a_notice_and_the_others_stand(lab_class):
    lab = lab_class({"rho": "nan", "seed": "7"})
    frame = json.loads(lab.view.frame["json"])
    assert [notice.split()[0] for notice in frame["notices"]] == ["rho"]
    assert lab.run.config.seed == 7


@pytest.mark.parametrize(("lab_class", "query"), QUERIES, ids=lambda v: v.NAME if isinstance(v, type) else str(v))
def test_every_text_of_every_start_is_made(lab_class, query, page):
    """Every step of the run is visited, so that no text of a step is left out."""
    opened = page(lab_class, query)
    assert json.loads(opened.lab.view.frame["json"])["notices"] == []
    for t in {0, 1, opened.lab.state.T // 2, opened.lab.state.T}:
        frame = opened.set(t=str(t))
        assert frame["state"]["values"]["t"] == str(t)
        assert frame["texts"]


# --- one move, one run, one frame ------------------------------------------------------------


@pytest.mark.parametrize(("lab_class", "key", "text"), MOVES)
def test_a_move_is_one_run_and_one_frame(lab_class, key, text, page):
    opened = page(lab_class)
    frame = opened.set(**{key: text})
    assert len(opened.runs) == 1
    assert frame["kind"] == "run"
    assert frame["scenes"] == {}
    assert frame["state"]["values"][key] == text
    assert frame["query"] == f"{key}={text}"
    assert opened.runs[0] == opened.lab.state.config()


def test_ten_moves_are_ten_runs_and_ten_frames(page):
    opened = page(GradientLab)
    configs = []
    for i in range(10):
        frame = opened.set(rho=str(1 + i / 10))
        configs += opened.runs
        assert json.loads(json.dumps(frame))["query"] in (f"rho={1 + i / 10:g}", "")
    assert [config.rho for config in configs] == [1 + i / 10 for i in range(10)]


@LABS
@pytest.mark.parametrize(
    "values",
    [{"T": "7"}, {"n": "3"}, {"input": "sine"}, {"input": "text"}, {"seed": "9", "family": "orthogonal", "n": "5"}],
)
def test_a_change_that_moves_other_keys_is_still_one_run(lab_class, values, page):
    """T pads the values, a text sets T, n bounds the unit: all of it settles before the one run."""
    opened = page(lab_class, {"unit": "0"})
    opened.set(**values)
    assert len(opened.runs) == 1
    assert opened.runs[0] == opened.lab.state.config()


@pytest.mark.parametrize(("lab_class", "key", "text"), MOVES)
def test_a_value_that_is_there_already_runs_nothing(lab_class, key, text, page):
    opened = page(lab_class, {key: text})
    opened.set(**{key: text})
    assert opened.runs == []


@pytest.mark.parametrize(
    ("lab_class", "values"),
    [
        (UnfoldLab, {"t": "2"}),
        (UnfoldLab, {"highlight": "U"}),
        (UnfoldLab, {"direction": "backward"}),
        (UnfoldLab, {"theme": "dark"}),
        (GradientLab, {"lag": "20"}),
        (GradientLab, {"t": "50"}),
        (BPTTLab, {"t": "6", "lag": "2"}),
        (BPTTLab, {"moment": "9"}),
        (LSTMLab, {"t": "1"}),
        (LSTMLab, {"embed": "1"}),
    ],
)
def test_looks_run_nothing(lab_class, values, page):
    opened = page(lab_class)
    before = opened.lab.run
    frame = opened.set(**values)
    assert opened.runs == []
    assert opened.lab.run is before
    assert frame["kind"] == "look"
    assert {key: frame["state"]["values"][key] for key in values} == values


@LABS
def test_another_notation_sends_other_letters_and_the_same_numbers(lab_class, page):
    opened = page(lab_class)
    opened.set(notation="pytorch")
    first = unpacked(opened.frames[0])
    frame = opened.set(notation="concat")
    assert (frame["scenes"] != {}) == (lab_class is not GradientLab)
    assert all(same_bits(array, first[name][0]) for name, (array, _) in unpacked(opened.frames[0]).items())


@LABS
def test_reset_brings_the_start_back_in_one_run(lab_class, page):
    opened = page(lab_class, {"seed": "7", "n": "4"})
    frame = opened.send("reset")
    assert len(opened.runs) == 1
    assert frame["query"] == ""
    assert opened.lab.state.values_of() == lab_class().state.values_of()


@LABS
def test_a_preset_from_the_page_is_one_run(lab_class, page):
    name = list(lab_class.State.PRESETS)[-1]
    opened = page(lab_class, {"seed": "7"})
    frame = opened.set(preset=name)
    assert len(opened.runs) == 1
    assert frame["query"] == f"preset={name}"


@LABS
@pytest.mark.parametrize("name", ["light", "dark", "", None, 3])
def test_a_theme_runs_nothing(lab_class, name, page):
    opened = page(lab_class)
    assert opened.send("theme", theme=name)["kind"] == "look"
    assert opened.runs == []


@LABS
@pytest.mark.parametrize(
    "message",
    [
        {"action": "set"},
        {"action": "set", "values": None},
        {"action": "set", "values": "rho=1"},
        {"action": "set", "values": {"nothing": "1"}},
        {"action": "set", "values": {"config": "1", "name": "x"}},
        {"action": "nothing"},
        {"action": None},
        {"action": "select"},
        {"action": "select", "node": {}},
        {"action": "select", "node": {"symbol": "nothing", "t": 1}},
        {"action": "select", "node": {"t": "x"}},
    ],
    ids=str,
)
def test_an_odd_message_is_answered_and_changes_nothing(lab_class, message, page):
    opened = page(lab_class)
    before = opened.lab.state.values_of()
    opened.send(**{"action": None, **message})
    assert opened.runs == []
    after = opened.lab.state.values_of()
    assert {**after, "t": before["t"]} == before


# --- what is refused -------------------------------------------------------------------------


@LABS
@pytest.mark.parametrize("text", ["nan", "1e999", "10000", "", "0x1", "<script>", "9" * 10_000])
def test_a_bad_value_from_the_page_is_a_notice_and_one_frame(lab_class, text, page):
    opened = page(lab_class)
    before = opened.lab.state.values_of()
    frame = opened.set(rho=text)
    assert opened.runs == []
    assert opened.lab.state.values_of() == before
    assert len(frame["notices"]) == 1
    assert frame["notices"][0].startswith("rho")
    assert len(frame["notices"][0]) < 250
    assert opened.set(rho="0.5")["notices"] == []


@LABS
def test_a_good_value_beside_a_bad_one_is_kept(lab_class, page):
    opened = page(lab_class)
    frame = opened.set(rho="nan", seed="7")
    assert (len(opened.runs), len(frame["notices"]), opened.lab.state.seed) == (1, 1, 7)


@pytest.mark.parametrize(("lab_class", "key", "text"), MOVES)
def test_a_locked_key_does_not_move(lab_class, key, text, page):
    opened = page(lab_class, {"lock": f"seed,{key}"})
    before = getattr(opened.lab.state, key)
    opened.set(**{key: text})
    assert opened.runs == []
    assert getattr(opened.lab.state, key) == before
    opened.set(sigma_in="0.25")
    assert opened.lab.state.sigma_in == 0.25


@pytest.mark.parametrize(("lab_class", "key", "text"), MOVES)
@pytest.mark.parametrize("action", ["reset", "preset"])
def test_a_locked_key_stays_through_a_reset_and_a_preset(lab_class, key, text, action, page):
    opened = page(lab_class, {key: text, "lock": key})
    if action == "reset":
        opened.send("reset")
    else:
        opened.set(preset=next(name for name, values in lab_class.State.PRESETS.items() if key in values))
    assert getattr(opened.lab.state, key) == float(text)


def test_a_lock_may_be_written_with_spaces(page):
    opened = page(GradientLab, {"lock": "seed, rho"})
    opened.set(rho="1.2")
    assert opened.lab.state.rho == 0.9


def test_what_core_refuses_leaves_everything_as_it_was(page, monkeypatch):
    """No key that is accepted is refused by core today; if one ever is, nothing may be left half changed."""
    opened = page(UnfoldLab, {"values": "1,2,3,4", "target": "4,3,2,1", "t": "4"})
    before, run_before, real = opened.lab.state.values_of(), opened.lab.run, base.run

    def refusing(config):
        raise ValueError("W must have a spectral radius that float64 can resolve, got 0")

    monkeypatch.setattr(base, "run", refusing)
    frame = opened.set(T="2", n="3")
    assert frame["notices"] == ["W must have a spectral radius that float64 can resolve, got 0."]
    assert opened.lab.state.values_of() == before
    assert opened.lab.run is run_before
    monkeypatch.setattr(base, "run", real)
    opened.set(W="0.5")
    assert opened.lab.run.config.W == 0.5


@LABS
def test_a_text_of_ten_thousand_characters_is_refused(lab_class, page):
    opened = page(lab_class)
    frame = opened.set(input="text", text="a" * 10_000)
    assert "10,000 characters" in frame["notices"][0]
    assert opened.lab.state.T < 10_000


@LABS
@pytest.mark.parametrize(("key", "text"), [("text", "hi"), ("values", "1,2")])
def test_a_short_input_from_the_page_is_answered(lab_class, key, text, page):
    opened = page(lab_class)
    frame = opened.set(input=key, **{key: text})
    assert opened.lab.state.T == 2 or frame["notices"]


@pytest.mark.parametrize("lab_class", [UnfoldLab, GradientLab, BPTTLab])
@pytest.mark.parametrize("activation", ["relu", "linear"])
def test_a_network_that_overflows_is_answered(lab_class, activation, page):
    opened = page(lab_class, {"activation": activation})
    frame = opened.set(input="values", values=",".join(["1e308"] * 10), T="10")
    assert frame["texts"] or frame["notices"]
    opened.set(values="1,1,1,1,1,1,1,1,1,1")


# --- the numbers of a frame ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lab_class", "query"), HIDDEN_QUERIES, ids=lambda v: v.NAME if isinstance(v, type) else str(v)
)
def test_the_arrays_are_those_of_the_run(lab_class, query, page):
    opened = page(lab_class, query)
    opened.set(seed="11")
    state, found = opened.lab.state, unpacked(opened.frames[0])
    expected = ARRAYS[lab_class](state, run(state.config()))
    for name, (array, first) in expected.items():
        assert same_bits(found[name][0], array), name
        assert found[name][1] == first, name
    assert set(expected) >= set(found) - {"steps", "h_after", "dh_after", "c_after", "lags"}


def bptt_arrays(state, fresh):
    trace, gradients = fresh.trace, fresh.gradients
    full = bptt(fresh.cell, trace, fresh.targets, fresh.config.loss)
    chain = chain_factors(fresh.cell, trace, full)
    block = BLOCKS[state.cell].index(state.block) if BLOCKS[state.cell] else ...
    tiles, total = (
        array[..., block, :, :] if block != ... else array for array in (gradients.W_hh_steps, gradients.W_hh)
    )
    whole = gradients.W_hh_steps.reshape(state.T, -1)
    live = gradients.through[:, 0] if chain.signed else np.linalg.norm(gradients.through, axis=1)
    window = fresh.config.truncate or state.T
    return {
        "x": (trace.xs, 1), "h": (trace.hs, 0), "y": (trace.ys, 1), "target": (fresh.targets, 1),
        "L": (gradients.loss, 1), "dy": (gradients.outputs, 1), "dh_out": (gradients.from_output, 1),
        "contribution": (full.contributions, 0), "table": (full.contributions[1:, 1:], 1),
        "chain_start": (chain.starts, 0), "chain_factor": (chain.factors, 0), "chain_value": (chain.values, 0),
        "live": (live, 1), "tiles": (tiles, 1), "tile_sum": (total, 0),
        "tile_norms": (np.linalg.norm(tiles.reshape(state.T, -1), axis=1), 1),
        "tile_sum_norm": (np.linalg.norm(total.reshape(1, -1), axis=1), 0),
        "tile_sizes": (whole[:, 0] if whole.shape[1] == 1 else np.linalg.norm(whole, axis=1), 1),
        "loom_facts": ([chain.signed, window, *contribution_range(full.contributions), state.cell == "rnn"], 0),
    }  # fmt: skip


def unfold_arrays(state, fresh):
    trace, gradients = fresh.trace, fresh.gradients
    tiles = np.array([np.diag(tile) for tile in gradients.W_hh_steps])
    return {
        "x": (trace.xs, 1),
        "h": (trace.hs, 0),
        "a": (trace.preactivations, 1),
        "y": (trace.ys, 1),
        "target": (fresh.targets, 1),
        "L": (gradients.loss, 1),
        "dy": (gradients.outputs, 1),
        "dh": (gradients.states, 0),
        "da": (gradients.preactivations, 1),
        "dh_out": (gradients.from_output, 1),
        "dh_next": (gradients.from_next, 0),
        "dW": (tiles, 1),
        "dW_sum": (np.diag(gradients.W_hh), state.T),
    }


def gradient_arrays(state, fresh):
    blocks = fresh.cell.W_hh.reshape(-1, state.n, state.n)
    values = np.concatenate([eigenvalues(block) for block in blocks])
    values = values[np.argsort(-np.abs(values), kind="stable")]
    return {
        "eigenvalues": (np.array([[value.real, value.imag] for value in values]), 0),
        "singular_values": (np.sort(np.concatenate([singular_values(block) for block in blocks]))[::-1], 0),
        "rho": (np.abs(values[:1]), 0),
    }


def lstm_arrays(state, fresh):
    trace, cell = fresh.trace, fresh.cell
    layers = {
        **{f"Wx{gate}": (trace.xs @ cell.W_xh[k].T, 1) for k, gate in enumerate("fiog")},
        **{f"Uh{gate}": (trace.hs[:-1] @ cell.W_hh[k].T, 1) for k, gate in enumerate("fiog")},
        **{f"W_x{gate}": (cell.W_xh[k].T, 1) for k, gate in enumerate("fiog")},
        **{f"W_h{gate}": (cell.W_hh[k].T, 1) for k, gate in enumerate("fiog")},
        **{f"b_{gate}": (cell.b_h[k][None], 0) for k, gate in enumerate("fiog")},
    }
    return layers | {
        "x": (trace.xs, 1),
        "h": (trace.hs, 0),
        "c": (trace.cs, 0),
        **{gate: (trace.gates[gate], 1) for gate in "fiog"},
        **{f"a{gate}": (trace.preactivations[gate], 1) for gate in "fiog"},
        "fc": (trace.gates["f"] * trace.cs[:-1], 1),
        "ig": (trace.gates["i"] * trace.gates["g"], 1),
        "tc": (np.tanh(trace.cs[1:]), 1),
    }


def gru_arrays(state, fresh):
    trace = fresh.trace
    return {
        **inside.arrays(fresh),
        "x": (trace.xs, 1),
        "h": (trace.hs, 0),
        **{gate: (trace.gates[gate], 1) for gate in "zrg"},
        **{f"a{gate}": (trace.preactivations[gate], 1) for gate in "zrg"},
        **{name: (wire, 1) for name, wire in gru_wires(fresh.cell, trace).items()},
    }


ARRAYS = {
    UnfoldLab: unfold_arrays,
    GradientLab: gradient_arrays,
    BPTTLab: bptt_arrays,
    LSTMLab: lstm_arrays,
    GRULab: gru_arrays,
}


@pytest.mark.parametrize("query", [{}, {"n": "3", "unit": "2"}, {"preset": "next-character"}, {"activation": "relu"}])
def test_the_numbers_in_the_texts_of_unfold_are_those_of_the_run(query, page):
    opened = page(UnfoldLab, query)
    fresh = run(opened.lab.state.config())
    arrays = {
        name: table
        for name, table in unfold_arrays(opened.lab.state, fresh).items()
        if name in ("x", "h", "a", "y", "L", "dy", "dh", "da")
    }
    for t in range(opened.lab.state.T + 1):
        check_readouts(opened.set(t=str(t)), arrays, least=4 if t else 2)


@LABS
def test_no_number_in_the_texts_lies_past_the_last_step(lab_class, page):
    opened = page(lab_class)
    frame = opened.set(t=str(opened.lab.state.T))
    assert max(number.get("t", 0) for number in numbers(frame["texts"])) <= opened.lab.state.T


@pytest.mark.parametrize("query", [{}, {"n": "4", "unit": "3"}, {"text": "hello"}])
@pytest.mark.parametrize("symbol", ["f", "i", "g", "c", "o", "h"])
def test_the_numbers_in_the_texts_of_lstm_are_those_of_the_run(query, symbol, page):
    opened = page(LSTMLab, query)
    fresh = run(opened.lab.state.config())
    opened.send("select", node={"symbol": symbol, "t": 2})
    for t in range(1, opened.lab.state.T + 1):
        check_readouts(opened.set(t=str(t)), lstm_arrays(opened.lab.state, fresh), least=4)


def check_readouts(frame, arrays, least):
    """Each readout says the number that the run has at its symbol, step and unit."""
    checked, last = 0, int(frame["state"]["values"]["T"])
    for number in numbers(frame["texts"]):
        if number["symbol"] in arrays and number["t"] <= last:
            array, first = arrays[number["symbol"]]
            expected = np.reshape(array, (len(array), -1))[number["t"] - first, number["unit"]]
            # An equation evaluates its own right-hand side: the last bit may differ from the trace's.
            assert float(number["value"]) == pytest.approx(expected, rel=1e-13, abs=1e-15), number
            checked += 1
    assert checked >= least


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("preset", ["", *GradientLab.State.PRESETS])
def test_the_numbers_in_the_texts_of_gradients_are_those_of_the_run(preset, cell, page):
    opened = page(GradientLab, {"preset": preset} if preset else {})
    frame = opened.set(lag="37", cell=cell)
    fresh = run(opened.lab.state.config())
    found, T = half_life(fresh.cell, fresh.trace), opened.lab.state.T
    said = {(number["symbol"], number["t"]): number["value"] for number in numbers(frame["texts"])}
    lines = {"jacobian_log10_norm" if cell == "rnn" else f"jacobian_log10_norm_{cell}": found.curve}
    if cell == "rnn":
        line = decay(fresh.cell, fresh.trace)
        lines |= {"bound_log10": line.bound, "folk_log10": line.folk}
    for symbol, curve in lines.items():
        assert said[symbol, 37] == repr(float(curve[37]))
        assert said[symbol, T] == repr(float(curve[T]))
    assert {key for key, _ in said} & {"bound_log10", "folk_log10"} == set(lines) & {"bound_log10", "folk_log10"}
    assert float(said["rho", 0]) == pytest.approx(opened.lab.state.rho, rel=1e-12)
    largest = max(singular_values(block)[0] for block in fresh.cell.W_hh.reshape(-1, *fresh.cell.W_hh.shape[-2:]))
    assert float(said["singular_value", 0]) == largest


@pytest.mark.parametrize("curves", [("rnn",), ("lstm",), ("rnn", "gru"), ("rnn", "lstm", "gru")])
def test_the_detail_holds_the_curve_of_every_cell_that_is_on(curves, page):
    opened = page(GradientLab)
    opened.set(curves=",".join(curves))
    frame = opened.send("detail", names=["curves"])
    found = {name: array[:, 0] for name, (array, _) in unpacked(opened.frames[0]).items()}
    assert set(found) == {
        f"curves/{name}" for name in ("lags", *curves, *(("bound", "folk") if "rnn" in curves else ()))
    }
    rates = [number for number in numbers(frame["texts"]) if number["symbol"] == "lyapunov"]
    for cell, rate in zip(curves, rates, strict=True):
        fresh = run(opened.lab.state.config_of(cell))
        assert same_bits(found[f"curves/{cell}"], half_life(fresh.cell, fresh.trace).curve)
        assert float(rate["value"]) == largest_lyapunov_exponent(fresh.cell, fresh.trace, discard=25)
        assert same_bits(opened.lab.plot.sources[cell].data["norm"], found[f"curves/{cell}"])


def test_other_curves_wait_dimmed_until_they_are_asked_for(page):
    opened = page(GradientLab)
    opened.send("detail", names=["curves"])
    plot, before = opened.lab.plot, opened.lab.plot.sources["lstm"].data
    frame = opened.set(rho="1.3")
    assert "curves" in frame["stale"]
    assert len(opened.runs) == 1
    assert plot.sources["lstm"].data is before
    assert [plot.curves[cell].glyph.line_alpha < 1 for cell in ("rnn", "lstm", "gru")] == [False, True, True]
    opened.send("detail", names=["curves"])
    assert plot.sources["lstm"].data is not before
    assert all(plot.curves[cell].glyph.line_alpha == 1 for cell in ("rnn", "lstm", "gru"))


def test_switching_a_curve_runs_nothing_anew_and_takes_it_off_the_plot(page):
    opened = page(GradientLab)
    opened.send("detail", names=["curves"])
    opened.set(curves="rnn,gru")
    opened.send("detail", names=["curves"])
    assert opened.runs == []
    assert [len(opened.lab.plot.sources[cell].data["lag"]) > 0 for cell in ("rnn", "lstm", "gru")] == [
        True,
        False,
        True,
    ]


def test_the_cell_that_the_texts_speak_of_has_its_curve_on(page):
    opened = page(GradientLab, {"curves": "rnn", "cell": "gru"})
    assert opened.lab.state.curves == ("rnn", "gru")
    opened.set(curves="rnn,lstm")
    assert opened.lab.state.cell == "rnn"
    assert opened.set(curves="")["notices"]
    assert opened.lab.state.curves == ("rnn", "lstm")


def test_a_norm_that_is_exactly_zero_is_written_as_minus_infinity(page):
    opened = page(GradientLab, {"rho": "0", "lag": "10"})
    frame = opened.set(lag="20")
    said = {(number["symbol"], number["t"]): number["value"] for number in numbers(frame["texts"])}
    assert said["jacobian_log10_norm", 20] == said["folk_log10", 20] == "-inf"


@LABS
def test_the_state_of_a_frame_is_text_that_the_query_string_takes(lab_class, page):
    frame = page(lab_class).set(seed="3")
    for key, text in frame["state"]["values"].items():
        if text:
            assert url.write_value(url.check(lab_class.State, key, text)) == text, key


# --- figures ---------------------------------------------------------------------------------


def test_the_plot_is_built_once_and_then_only_assigned(page):
    opened = page(GradientLab)
    plot = opened.lab.plot
    source, parts = plot.sources["rnn"], {model.id for model in plot.figure.references()}
    children = list(opened.lab.view.figures)
    for values in (
        {"rho": "1.2"},
        {"T": "150"},
        {"lag": "3"},
        {"family": "nonnormal", "activation": "linear"},
        {"input": "text"},
    ):
        opened.set(**values)
        assert opened.lab.plot.sources["rnn"] is source
        assert {model.id for model in plot.figure.references() if "Tick" not in type(model).__name__} <= parts
        assert list(opened.lab.view.figures) == children
        fresh = run(opened.lab.state.config())
        found = decay(fresh.cell, fresh.trace)
        for name, field in (("norm", "curve"), ("bound", "bound"), ("folk", "folk")):
            curve = np.asarray(getattr(found, field))
            assert same_bits(source.data[name], np.where(np.isfinite(curve), curve, np.nan)), name
        assert list(source.data["lag"]) == list(range(opened.lab.state.T + 1))
        assert (plot.figure.x_range.start, plot.figure.x_range.end) == (0, opened.lab.state.T)
        assert plot.figure.y_range.start <= np.nanmin(source.data["norm"])
        assert plot.figure.y_range.end >= np.nanmax(source.data["norm"])
        assert plot.cursor.location == opened.lab.state.lag


def test_the_plot_marks_where_curve_and_folk_law_part(page):
    opened = page(GradientLab, {"preset": "folk-law-wrong"})
    found = opened.lab.measured
    assert list(opened.lab.plot.partings.data["lag"]) == [found.parting.lag]
    assert list(opened.lab.plot.partings.data["height"]) == [found.found.curve[found.parting.lag]]
    opened.set(preset="orthogonal")
    assert list(opened.lab.plot.partings.data["lag"]) == []


def test_the_plot_follows_the_theme(page):
    opened = page(GradientLab)
    true = opened.lab.plot.curves["rnn"].glyph
    light = true.line_color
    opened.send("theme", theme="dark")
    dark = true.line_color
    opened.send("theme", theme="light")
    assert dark != light
    assert true.line_color == light


def test_an_exact_zero_leaves_a_gap_in_the_curve(page):
    opened = page(GradientLab)
    opened.set(rho="0")
    true = opened.lab.plot.sources["rnn"].data["norm"]
    assert true[0] == 0
    assert all(math.isnan(value) for value in true[1:])


# --- selecting -------------------------------------------------------------------------------


def test_selecting_a_node_of_unfold_moves_to_its_step(page):
    opened = page(UnfoldLab)
    frame = opened.send("select", node={"id": "h2", "symbol": "a", "t": 2, "unit": 0})
    assert opened.runs == []
    assert (opened.lab.state.t, frame["kind"]) == (2, "look")
    assert [line.get("on") for line in frame["texts"]["forward"] if line.get("on")] == [True]


@pytest.mark.parametrize(
    ("symbol", "title"), [("f", "Forget"), ("ig", "Cell"), ("tc", "Hidden"), ("ao", "Output"), ("x", "Input")]
)
def test_selecting_a_node_of_the_lstm_shows_its_equation(symbol, title, page):
    opened = page(LSTMLab)
    frame = opened.send("select", node={"id": "n", "symbol": symbol, "t": 5, "unit": 0})
    assert opened.runs == []
    assert frame["texts"]["selected_title"][0]["text"].startswith(title)


def test_a_selected_state_of_the_step_before_survives_a_shorter_run(page):
    """c of step 4 is on screen at step 5; then T becomes 2."""
    opened = page(LSTMLab)
    opened.send("select", node={"id": "c", "symbol": "c", "t": 4, "unit": 0})
    frame = opened.set(T="2")
    assert len(opened.runs) == 1
    assert {number["t"] for number in numbers(frame["texts"]["selected"])} <= {0, 1, 2}


def test_a_selected_state_of_the_step_before_follows_the_step(page):
    opened = page(LSTMLab)
    opened.send("select", node={"id": "c", "symbol": "c", "t": 4, "unit": 0})
    frame = opened.set(t="9")
    assert max(number["t"] for number in numbers(frame["texts"]["selected"])) in (8, 9)


def test_one_input_of_the_lstm_under_the_hand(page):
    opened = page(LSTMLab, {"t": "3"})
    before = opened.lab.state.values
    opened.send("input", value="0.5")
    assert len(opened.runs) == 1
    assert opened.lab.state.values == (*before[:2], 0.5, *before[3:])


def test_moving_one_input_of_a_drawn_sequence_keeps_the_others(page):
    opened = page(LSTMLab, {"input": "noise", "t": "3", "T": "6"})
    before = opened.lab.run.trace.xs[:, 0].copy()
    opened.send("input", value="0.5")
    after = opened.lab.run.trace.xs[:, 0]
    assert (after[2], opened.lab.state.input) == (0.5, "values")
    np.testing.assert_allclose(np.delete(after, 2), np.delete(before, 2), rtol=1e-12)


@pytest.mark.parametrize("value", ["nan", "", "1,2", "ten", None])
def test_a_bad_input_under_the_hand_is_a_notice(value, page):
    opened = page(LSTMLab, {"t": "3"})
    before = opened.lab.state.values
    frame = opened.send("input", value=value)
    assert opened.runs == []
    assert (opened.lab.state.values, len(frame["notices"])) == (before, 1)


@pytest.mark.parametrize("query", [{"lock": "values"}, {"text": "hello"}, {"t": "0"}, {"input": "noise", "d": "2"}])
def test_an_input_that_is_not_there_does_not_move(query, page):
    opened = page(LSTMLab, query)
    opened.send("input", value="0.5")
    assert opened.runs == []


# --- users -----------------------------------------------------------------------------------


@LABS
def test_two_visitors_share_nothing(lab_class, page):
    one, other = page(lab_class), page(lab_class)
    before = other.lab.view.frame
    one.set(seed="7")
    assert other.lab.view.frame is before
    assert other.lab.state.seed == 0
