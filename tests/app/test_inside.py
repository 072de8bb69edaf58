"""The inside of a step on /lstm: arrays, sentences and the opened line hold core's numbers, and they add up."""

import json
import math
import re

import numpy as np
import pytest
from rnnscope.app import LSTMLab
from rnnscope.app.labs import inside
from rnnscope.app.labs.opened import opened_line, opened_pieces
from rnnscope.app.state.inside import InsideState
from rnnscope.core import GRUConfig, LSTMConfig, run, substep_values, substeps

QUERIES = [
    {},
    {"n": "1"},
    {"n": "3", "d": "2", "input": "noise", "unit": "2"},
    {"input": "text", "text": "hello", "n": "2"},
]
VARIANTS = [(reset, update) for reset in ("before", "after") for update in ("new", "old")]
CONFIGS = [
    LSTMConfig(n=3, d=2, T=4, input="noise"),
    *(GRUConfig(n=3, d=2, T=4, input="noise", reset=reset, update=update) for reset, update in VARIANTS),
]


class State(InsideState):
    """A state of the cells that this test draws."""

    @classmethod
    def of(cls, found, **values):
        state = cls()
        state.param["open"].objects = list(found.cell.gate_names)
        state.param.update(n=3, T=4, t=2, unit=1, notation="boucher", input="noise", open="g", **values)
        return state


def texts(lab, **values):
    frames = []
    lab.view.param.watch(lambda event: frames.append(json.loads(event.new["json"])), "frame", onlychanged=False)
    lab._answer({"action": "set", "sequence": 1, "values": {key: str(value) for key, value in values.items()}})
    return frames[-1]["texts"]


def value_of(tokens):
    """What the numbers of a sentence come to, read as arithmetic over their exact values."""
    words = [
        token.get("value") or {"×": "*", "−": "-", "σ": "sigmoid"}.get(token["text"], token["text"]) for token in tokens
    ]
    sigmoid = lambda x: 1 / (1 + math.exp(-x))  # noqa: E731
    return eval(" ".join(words), {"sigmoid": sigmoid, "tanh": math.tanh})


@pytest.mark.parametrize("query", QUERIES)
def test_every_substep_says_its_number_and_what_leads_to_it(query):
    lab = LSTMLab(query)
    made = substep_values(lab.run.cell, lab.run.trace)
    for k, step in enumerate(substeps(lab.run.cell), 1):
        state = lab.state
        words = texts(lab, substep=k)["substep"]
        *_, last = words
        want = made[step.symbol][state.t - 1, state.unit]
        assert (last["symbol"], last["t"], last["unit"]) == (step.symbol, state.t, state.unit)
        assert float(last["value"]) == want
        start = max(i for i, token in enumerate(words) if token["kind"] == "text" and token["text"].endswith(": "))
        shown = words[start + 1 : -2]
        if shown:
            assert value_of(shown) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize(
    "config", CONFIGS, ids=lambda config: f"{type(config).__name__} {getattr(config, 'reset', '')}"
)
def test_every_substep_of_every_cell_adds_up(config):
    found = run(config)
    for k, step in enumerate(substeps(found.cell), 1):
        words = inside.sentence(State.of(found, substep=min(k, 21)), found)
        start = max(i for i, token in enumerate(words) if token["kind"] == "text" and token["text"].endswith(": "))
        shown = words[start + 1 : -2]
        assert bool(shown) == (step.symbol[:2] not in ("Wx", "Uh")), step.symbol
        if shown:
            assert value_of(shown) == pytest.approx(float(words[-1]["value"]), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(
    "config", CONFIGS, ids=lambda config: f"{type(config).__name__} {getattr(config, 'reset', '')}"
)
def test_the_opened_line_comes_to_the_preactivation(config):
    found = run(config)
    for gate in found.cell.gate_names:
        state = State.of(found)
        state.open = gate
        tokens = opened_line(found, state)[0]["tokens"]
        signs = [i for i, token in enumerate(tokens) if token["text"] == "="]
        want = found.trace.preactivations[gate][1, 1]
        assert float(tokens[-1]["value"]) == want
        assert value_of(tokens[signs[0] + 1 : signs[-1]]) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize(
    "config", CONFIGS, ids=lambda config: f"{type(config).__name__} {getattr(config, 'reset', '')}"
)
def test_every_piece_of_an_opened_layer_has_numbers_and_is_lit_by_its_substeps(config):
    found = run(config)
    steps = substeps(found.cell)
    sent = {
        *inside.arrays(found),
        "x",
        "h",
        "c",
        *found.cell.gate_names,
        *(f"a{gate}" for gate in found.cell.gate_names),
    }
    for gate in found.cell.gate_names:
        pieces = [
            piece for group in opened_pieces(found.cell, steps, gate, "boucher") for piece in group if "symbol" in piece
        ]
        assert {piece["symbol"] for piece in pieces} <= sent
        used = {k for piece in pieces for k in piece["stage"]["lit"]}
        assert used >= {k for k, step in enumerate(steps, 1) if step.gate == gate}


def test_weights_are_sent_a_column_a_row():
    found = run(CONFIGS[0])
    table, first = inside.arrays(found)["W_xi"]
    assert first == 1
    assert np.array_equal(table, found.cell.W_xh[1].T)


def test_the_equation_of_the_substep_is_marked_and_announced():
    lab = LSTMLab({"n": "4"})
    plain = texts(lab, substep=0)
    assert plain["announcement"] == "step 5 of 12"
    shown = texts(lab, substep=19)
    assert [line["on"] for line in shown["equations"]] == [False, False, False, True, False, False]
    assert re.match(
        r"step 5 of 12, sub-step 19: Sum, the new cell state: c 5  = f 5  ⊙ c 4  \+ i 5", shown["announcement"]
    )


def test_a_selected_gate_is_opened_unless_the_link_locks_it():
    for query, opens in (({}, "o"), ({"lock": "open"}, "f")):
        lab = LSTMLab(query)
        lab._answer({"action": "select", "sequence": 1, "node": {"symbol": "ao", "t": 5}})
        assert lab.state.open == opens


def test_step_0_has_no_inside():
    lab = LSTMLab({"substep": "3", "t": "0"})
    shown = texts(lab, unit=1)
    assert inside.current(lab.state, lab.run) is None
    assert shown["opened_line"] == []
    assert shown["substep"][0]["text"].startswith("Step 0")
