"""The memory view as the page sees it: a text of its own, one output chosen, three cells on the same text."""

import json
from urllib.parse import parse_qsl

import numpy as np
import pytest
from rnnscope.app import GradientLab, url
from rnnscope.app.labs import memory
from rnnscope.core import GRUConfig, LSTMConfig, RNNConfig, input_gradient_norms, memory_reach, run

TEXT = "the quick brown fox jumps over the lazy dog"


class Page:
    """A lab, its answers, and how many of its messages have been sent."""

    def __init__(self, **query):
        self.lab, self.sequence = GradientLab(query), 0

    def send(self, action, **content):
        self.sequence += 1
        self.lab._answer({"action": action, "sequence": self.sequence, **content})
        return self.frame()

    def frame(self):
        return json.loads(self.lab.view.frame["json"])

    def set(self, **values):
        return self.send("set", values=values)

    def detail(self):
        """The norms (T, 3) and the texts of the memory view, asked for as the page asks."""
        frame = self.send("detail", names=["memory"])
        offset, steps, units, first = frame["arrays"]["memory/norms"]
        assert (units, first) == (3, 1)
        data = self.lab.view.frame["data"][offset : offset + steps * units]
        return data.reshape(steps, units), frame["texts"]["memory"]


def wanted(text, t, n=32, rho=0.9, **others):
    """The same three runs, written out by the names of core."""
    shared = {"n": n, "d": 34, "T": len(text), "rho": rho, "sigma_in": 0.5, "input": "text", "text": text}
    shared |= {"outputs": 34, "loss": "cross_entropy"}
    kinds = (RNNConfig, LSTMConfig, GRUConfig)
    runs = [run(kind(**shared, **others.get(kind.__name__, {}))) for kind in kinds]
    return np.column_stack([input_gradient_norms(r.cell, r.trace, r.targets, t) for r in runs])


def test_the_norms_are_cores_own():
    norms, texts = Page().detail()
    np.testing.assert_array_equal(norms, wanted(TEXT, len(TEXT)))
    assert (texts["letters"], texts["output"], texts["cells"]) == (list(TEXT), len(TEXT), ["RNN", "LSTM", "GRU"])


def test_every_setting_of_the_cells_counts():
    query = {"text": "to be or", "n": "5", "rho": "1.2", "forget_bias": "3", "reset": "after", "update": "old"}
    norms, _ = Page(**query, output="6", activation="relu").detail()
    own = {"RNNConfig": {"activation": "relu"}, "LSTMConfig": {"forget_bias": 3.0}}
    own["GRUConfig"] = {"reset": "after", "update": "old"}
    np.testing.assert_array_equal(norms, wanted("to be or", 6, 5, 1.2, **own))
    assert np.isneginf(norms[6:]).all()


def test_a_text_beside_another_input_changes_no_other_number():
    page = Page(input="noise", T="40")
    before = page.lab.run.trace.hs
    frame = page.set(text="something else")
    assert frame["notices"] == []
    np.testing.assert_array_equal(page.lab.run.trace.hs, before)
    assert (page.lab.state.T, page.lab.state.input) == (40, "noise")
    assert page.detail()[1]["letters"] == list("something else")


@pytest.mark.parametrize("query", [{"input": "noise"}, {"input": "sine", "T": "12"}, {"input": "text"}])
def test_a_link_brings_text_and_input_back(query):
    page = Page(**query)
    link = page.set(text="hello <b>world</b> & more", output="7")["query"]
    state = GradientLab(dict(parse_qsl(link))).state
    assert (state.text, state.output, state.input) == ("hello <b>world</b> & more", 7, query["input"])


def test_a_text_alone_in_a_link_is_the_input_as_everywhere():
    assert GradientLab({"text": "hello"}).state.input == "text"


def test_a_shorter_text_takes_its_last_output():
    page = Page(output="40")
    assert page.set(text="hello")["state"]["values"]["output"] == "5"
    assert page.detail()[1]["output"] == 5
    assert page.set(output="0")["state"]["values"]["output"] == "0"
    assert page.detail()[1]["output"] == 5


def test_an_output_past_the_text_is_said():
    values, notices = url.read(GradientLab.State, {"text": "hello", "output": "9"})
    assert values["output"] == 5
    assert [notice.message for notice in notices] == [
        "output = “9” is not accepted: it takes an integer from 0 to 5 here. output = 5 is used."
    ]


def test_choosing_an_output_is_a_look_that_only_outdates_this_view():
    page = Page()
    frame = page.set(output="12")
    assert (frame["kind"], "memory" in frame["stale"]) == ("look", True)
    norms, _ = page.detail()
    np.testing.assert_array_equal(norms, wanted(TEXT, 12))


def test_nothing_is_computed_twice(monkeypatch):
    calls, real = [], memory.norms
    monkeypatch.setattr(memory, "norms", lambda config, t: calls.append(t) or real(config, t))
    page = Page()
    page.detail()
    page.set(t="3")
    page.detail()
    assert len(calls) == 3
    page.set(seed="1")
    page.detail()
    assert len(calls) == 6


def test_the_summary_says_how_far_each_reaches():
    page = Page(output="30")
    norms, texts = page.detail()
    figures = [word for word in texts["summary"] if word["kind"] == "number"]
    assert [(w["symbol"], w["t"], w["unit"]) for w in figures] == [("reach", 30, unit) for unit in range(3)]
    assert [float(w["value"]) for w in figures] == [memory_reach(norms[:, i], 30) for i in range(3)]
    assert "nothing has been trained" in texts["note"][0]["text"]
