"""The paths of /lstm as the page sees them: computed at rest, once a run, with what other biases would buy."""

import json

import numpy as np
import pytest
from rnnscope.app import LSTMLab
from rnnscope.app.labs import gradient_paths
from rnnscope.core import LSTMConfig, RNNConfig, jacobian_log10_norms, lstm_paths, run

PATHS = ("kept", "f", "i", "o", "g")


class Page:
    """A lab, and the answers of its detail."""

    def __init__(self, **query):
        self.lab, self.sequence = LSTMLab(query), 0

    def send(self, action, **content):
        self.sequence += 1
        self.lab._answer({"action": action, "sequence": self.sequence, **content})
        return json.loads(self.lab.view.frame["json"])

    def detail(self):
        """The arrays and the texts, asked for as the page asks."""
        frame, data = self.send("detail", names=["paths"]), self.lab.view.frame["data"]
        arrays = {}
        for name, (offset, steps, units, first) in frame["arrays"].items():
            assert first == 0
            arrays[name.removeprefix("paths/")] = data[offset : offset + steps * units].reshape(steps, units)
        return arrays, frame["texts"]["paths"]


def figures(phrase):
    return [(word["symbol"], word["t"], word["unit"], float(word["value"])) for word in phrase if "value" in word]


def spoken(phrase):
    return "".join(word["text"] + word.get("sub", "") for word in phrase)


QUERY = {"n": "3", "T": "35", "input": "noise", "seed": "4", "family": "orthogonal", "forget_bias": "0.5"}
SHARED = {"n": 3, "d": 1, "T": 35, "input": "noise", "seed": 4, "family": "orthogonal", "sigma_in": 1.0}


def test_every_number_is_cores_own():
    arrays, _ = Page(**QUERY, input_bias="-1").detail()
    lstm = run(LSTMConfig(**SHARED, forget_bias=0.5, input_bias=-1.0))
    rnn = run(RNNConfig(**SHARED))
    paths = lstm_paths(lstm.cell, lstm.trace)
    curves = [jacobian_log10_norms(seen.cell, seen.trace, t=35) for seen in (rnn, lstm)]
    np.testing.assert_array_equal(arrays["norms"], np.column_stack([paths.true, paths.paths["kept"], *curves]))
    np.testing.assert_array_equal(arrays["shares"], np.column_stack([paths.shares[name] for name in PATHS]))
    np.testing.assert_allclose(arrays["shares"].sum(axis=1), 1, atol=1e-13)
    assert arrays["steps"].ravel().tolist() == list(range(36))
    assert arrays["lags"].ravel().tolist() == list(range(35, -1, -1))


def test_what_four_biases_buy_at_lag_thirty():
    _, texts = Page(**QUERY).detail()
    runs = [run(LSTMConfig(**SHARED, forget_bias=bias)) for bias in (0.0, 1.0, 2.0, 4.0)]
    wanted = [10 ** lstm_paths(seen.cell, seen.trace).true[5] for seen in runs]
    found = figures(texts["biases"])
    assert [key for *key, _ in found] == [["bias_norm", 30, i] for i in range(4)]
    np.testing.assert_allclose([value for *_, value in found], wanted, rtol=1e-12)
    assert spoken(texts["biases"]).startswith("At lag 30, ‖∂c35 / ∂c5‖ is ")
    assert "repeated" not in spoken(texts["biases"])


@pytest.mark.parametrize(
    ("query", "others"),
    [
        ({"values": "1,2,-1"}, {"input": "values", "values": (1.0, 2.0, -1.0) * 10, "d": 1}),
        ({"text": "abcdefg"}, {"input": "text", "text": "abcdefg" * 4 + "ab", "d": 34}),
        ({"input": "noise", "T": "8"}, {"input": "noise", "d": 1}),
    ],
)
def test_a_short_input_is_repeated_to_thirty_steps(query, others):
    _, texts = Page(**query, n="2").detail()
    seen = run(LSTMConfig(n=2, T=30, sigma_in=1.0, forget_bias=4.0, **others))
    want = 10 ** lstm_paths(seen.cell, seen.trace).true[0]
    assert figures(texts["biases"])[3][3] == pytest.approx(want, rel=1e-12)
    assert spoken(texts["biases"]).startswith("At lag 30, ‖∂c30 / ∂c0‖")
    assert spoken(texts["biases"]).endswith("with its input repeated to 30 steps.")


def test_the_summary_is_of_the_whole_run():
    arrays, texts = Page(**QUERY).detail()
    wanted = [("dc_log10", 0, i, arrays["norms"][0, i]) for i in range(3)]
    wanted += [("path_share", 0, i, arrays["shares"][0, i]) for i in range(5)]
    assert figures(texts["summary"]) == wanted


def test_where_nothing_is_left_that_is_said():
    """Inputs so large that the gates shut and open to the last bit."""
    arrays, texts = Page(values="-1e300,1e300,-1e300,1e300", n="1").detail()
    assert np.isneginf(arrays["norms"][0, 0])
    assert np.isnan(arrays["shares"][0]).all()
    assert spoken(texts["summary"]).endswith("The whole is exactly 0: there is nothing to share.")


def test_a_step_or_a_unit_asks_for_nothing_again(monkeypatch):
    calls, real = [], gradient_paths.lstm_paths
    monkeypatch.setattr(gradient_paths, "lstm_paths", lambda *given: calls.append(1) or real(*given))
    page = Page(preset="forgets")
    for values in ({"t": "3"}, {"unit": "2"}):
        assert page.send("set", values=values)["stale"] == []
    page.detail()
    page.detail()
    assert len(calls) == 1
    frame = page.send("set", values={"seed": "3"})
    assert frame["stale"] == ["paths", "badge", "embedding"]
    assert len(calls) == 1, "a move does not wait for the paths"
    page.detail()
    assert len(calls) == 2


def test_the_shares_follow_the_input_bias():
    shut, _ = Page(**QUERY, input_bias="-40").detail()
    np.testing.assert_allclose(shut["shares"][:, 0], 1, atol=1e-9)
