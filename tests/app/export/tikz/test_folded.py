"""The folded circuit shows the numbers of the selected step, by the letter t."""

import pytest
from rnnscope.core import format_number

from tests.app.export.tikz.files import file_with, labels, last_number, node_texts


def drawn(query):
    file = file_with("unfold", query, "folded")
    return file.text, node_texts(file.text), file.shown


@pytest.mark.parametrize("query", ["", "preset=worked-example", "pattern=output", "pattern=output&forcing=teacher"])
def test_the_circuit_has_the_numbers_of_the_step(query):
    text, nodes, lab = drawn(query)
    run, t = lab.pattern.run, lab.state.t
    assert nodes["h"].startswith(r"$h_t$\\ ")
    assert last_number(nodes["h"]) == format_number(run.trace.hs[t, 0])
    assert last_number(nodes["y"]) == format_number(run.trace.ys[t - 1, 0])
    assert last_number(nodes["x"]) == format_number(run.trace.xs[t - 1, 0])
    assert f"$t = {t}$" in text
    assert r"\node[delay" in text


def test_what_loops_comes_back_a_step_later():
    text, _, _ = drawn("")
    assert labels(text, "(h.35)") == ["$h_t$"]
    assert labels(text, "(delay) |-") == ["$W$", "$h_{t-1}$"]


def test_with_one_loss_the_output_is_that_of_the_last_step():
    text, nodes, lab = drawn("pattern=last&t=5")
    assert last_number(nodes["y"]) == format_number(lab.pattern.run.trace.ys[-1, 0])
    assert "$t = T$ only" in text


def test_a_convolution_is_a_line_of_delays():
    text, nodes, lab = drawn("preset=window-and-past")
    t, row = lab.state.t, lab.run.trace.xs
    assert [last_number(nodes[f"x{k}"]) for k in range(3)] == [format_number(row[t - 1 - k, 0]) for k in range(3)]
    assert [f"$K_{k}$" in text for k in range(4)] == [True, True, True, False]
    assert drawn("T=1&values=1&target=1&pattern=convolution&window=1")[0].count("delay") == 0
