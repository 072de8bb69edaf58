"""The cells of /lstm and /gru hold every number of the selected unit and step, in each variant and under surgery."""

import re

import pytest
from rnnscope.core import format_number

from tests.app.export.tikz.files import STATES, file_with, labels, last_number, node_texts, printed

WIRES = {
    "lstm": {"(f)": "f", "(i)": "i", "(g)": "g", "(o)": "o", "(forget)": "fc", "(take)": "ig", "(squash)": "tc"},
    "gru": {"(z)": "z", "(g)": "g", "(keep)": "zh", "(take)": "zg", "(minus)": "keep"},
}
CASES = [(lab, query) for lab in WIRES for query in STATES[lab]]
cases = pytest.mark.parametrize(("lab", "query"), CASES, ids=[f"{lab}-{query}" for lab, query in CASES])


def drawn(lab, query):
    file = file_with(lab, query, lab)
    return file.text, node_texts(file.text), file.shown


def number_of(lab, name, t):
    rows, first = lab.arrays()[name]
    return format_number(rows[t - first, lab.state.unit])


@cases
def test_states_are_those_before_and_after_the_step(lab, query):
    _, nodes, shown = drawn(lab, query)
    t = max(1, shown.state.t)
    for name in ("c", "h") if lab == "lstm" else ("h",):
        assert last_number(nodes[f"before {name}"]) == number_of(shown, name, t - 1)
        assert last_number(nodes[name]) == number_of(shown, name, t)


@cases
def test_every_wire_carries_its_number(lab, query):
    text, _, shown = drawn(lab, query)
    t = max(1, shown.state.t)
    for start, name in WIRES[lab].items():
        assert [last_number(body) for body in labels(text, f"] {start} ")][:1] == [number_of(shown, name, t)], name


@cases
def test_gates_say_what_they_are_taken_of_unless_they_are_held(lab, query):
    _, nodes, shown = drawn(lab, query)
    t = max(1, shown.state.t)
    for gate in shown.run.cell.gate_names:
        held = shown.clamped(gate, t, shown.state.unit)
        said = nodes[gate].rpartition(r"\\ ")[2]
        assert said == "held" if held else last_number(nodes[gate]) == number_of(shown, f"a{gate}", t)


@pytest.mark.parametrize("query", STATES["gru"])
def test_the_reset_gate_works_where_the_variant_says(query):
    text, _, shown = drawn("gru", query)
    before, t = shown.state.reset == "before", max(1, shown.state.t)
    first, second = ("rh", "Uhg") if before else ("Uhg", "rh")
    assert re.search(r"\(reset\) -- .*\(matrix\)" if before else r"\(matrix\) -- .*\(reset\)", text)
    assert last_number(labels(text, "] (reset)" if before else "] (matrix)")[-1]) == number_of(shown, first, t)
    assert last_number(labels(text, "] (matrix)" if before else "] (reset)")[-1]) == number_of(shown, second, t)
    assert last_number(labels(text, "] (r)")[-1]) == number_of(shown, "r", t)


@pytest.mark.parametrize("query", STATES["gru"])
def test_the_update_gate_keeps_or_takes(query):
    text, _, shown = drawn("gru", query)
    plain = "take" if shown.state.update == "new" else "keep"
    assert f"(split) -- ({plain});" in text
    assert "(split) -- (minus);" in text
    kept = labels(text, "] (keep) ")[0]
    assert kept.startswith("$(1 - z" if shown.state.update == "new" else "$z")


def test_a_cut_and_a_clamp_are_said():
    text, _, _ = drawn("lstm", "surgery=f%403%3A0,cut%403&t=3")
    assert "$0$ in place of $h_2$, cut here," in text
    assert "cut here" not in drawn("lstm", "")[0]


def test_the_step_and_the_unit_are_said_and_letters_follow_the_notation():
    text, nodes, _ = drawn("lstm", "")
    assert "LSTM cell, $t = 5$, unit 1 of 4" in text
    assert r"a_{c,5}" in nodes["g"]
    text, nodes, _ = drawn("lstm", "n=1&notation=pytorch&t=0")
    assert "{LSTM cell, $t = 1$}" in text
    assert r"a_{g,1}" in nodes["g"]
    assert printed(labels(text, "] (g) ")[0].strip("$").partition(" = ")[0]) == "g_1"
