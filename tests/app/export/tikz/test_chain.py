"""The unfolded graph holds the numbers of the run, each in its node and on its wire, as the page prints them."""

import re

import pytest
from rnnscope.core import format_number

from tests.app.export.tikz.files import STATES, file_with, labels, last_number, node_texts, printed

OTHERS = re.compile("convolution|fixed-point|window|pattern=output")
WITH_LOSS = [query for query in STATES["unfold"] if not OTHERS.search(query)]


def drawn(query):
    file = file_with("unfold", query, "unfolded")
    return file.text, node_texts(file.text), file.shown


@pytest.mark.parametrize("query", WITH_LOSS)
def test_states_outputs_and_losses_are_those_of_the_run(query):
    _, nodes, lab = drawn(query)
    run, unit = lab.pattern.run, lab.state.unit
    only_last = lab.state.pattern == "last"
    for t in range(lab.state.T + 1):
        assert last_number(nodes[f"h{t}"]) == format_number(run.trace.hs[t, unit])
    for t in range(1, lab.state.T + 1):
        assert (f"y{t}" in nodes) == (f"L{t}" in nodes) == (not only_last or t == lab.state.T)
        if f"y{t}" in nodes:
            which = int(run.targets[t - 1]) if lab.state.input == "text" else 0
            assert last_number(nodes[f"y{t}"]) == format_number(run.trace.ys[t - 1, which])
            loss = re.match(r"\$L_\S+ = (.*?)\$", nodes[f"L{t}"])[1]
            assert printed(loss) == format_number(run.gradients.loss[t - 1])


@pytest.mark.parametrize("query", WITH_LOSS)
def test_every_backward_wire_carries_its_gradient(query):
    text, nodes, lab = drawn(query)
    found, unit, T = lab.pattern.run.gradients, lab.state.unit, lab.state.T
    for t in range(1, T + 1):
        if t > 1:
            (back,) = labels(text, f"(h{t}.195)")
            assert last_number(back) == format_number(found.from_next[t - 1, unit])
        if f"y{t}" in nodes:
            (into,) = labels(text, f"(y{t}.-60)")
            assert last_number(into) == format_number(found.from_output[t - 1, unit])
    totals = [last_number(body) for body in re.findall(r"\\node\[gradient[^]]*\] \{(.*)\};", text)]
    assert totals == [format_number(found.states[t, unit]) for t in range(1, T + 1)]


def test_targets_and_inputs_stand_where_they_belong():
    _, nodes, lab = drawn("")
    for t in range(1, 6):
        assert last_number(nodes[f"x{t}"]) == format_number(lab.state.values[t - 1])
        assert last_number(nodes[f"L{t}"]) == format_number(lab.state.target[t - 1])


def test_characters_stand_in_quotes_and_hostile_ones_as_themselves():
    _, nodes, _ = drawn("preset=next-character")
    assert nodes["x2"] == r"$x_2$\\ ``e''"
    assert nodes["L5"].endswith(r"$y_5 = \mbox{end}$")
    _, nodes, _ = drawn("input=text&text=%5Cinput%7B%2Fetc%2F&n=2")
    assert nodes["x1"] == r"$x_1$\\ ``\textbackslash{}''"
    assert nodes["x7"] == r"$x_7$\\ ``\{''"


def test_an_input_of_several_numbers_lists_a_few_and_counts_many():
    _, nodes, lab = drawn("d=3&input=noise&n=2&T=3")
    row = lab.run.trace.xs[0]
    assert nodes["x1"].count(r"\\") == 3
    assert last_number(nodes["x1"]) == format_number(row[2])
    assert drawn("d=5&input=noise&n=2&T=2&notation=boucher")[1]["x1"] == r"$x_1$\\ 5 numbers"


def test_letters_are_those_of_the_notation():
    text, nodes, _ = drawn("d=5&input=noise&n=2&T=2&notation=boucher")
    assert nodes["y1"].startswith("$y_1$")
    assert labels(text, "(h1.15)") == ["$W_h$"]
    assert "y_1^* =" in nodes["L1"]


def test_boxes_are_wide_where_one_holds_a_power_of_ten():
    assert "minimum width=22mm" in drawn("W=0&U=1e-9&b=0")[0]
    assert "minimum width=15mm" in drawn("")[0]


def test_several_units_are_said():
    assert "{unit 4 of 8}" in drawn("T=12&input=noise&n=8&unit=3&notation=pytorch")[0]
    assert " of 1}" not in drawn("")[0]
