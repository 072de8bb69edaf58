"""Both chains hold their states, outputs and changes."""

import re

import pytest
from rnnscope.core import format_number

from tests.app.export.tikz.files import STATES, file_with, last_number, node_texts


@pytest.mark.parametrize("query", STATES["bidirectional"])
def test_every_number_is_that_of_the_run(query):
    file = file_with("bidirectional", query, "both")
    nodes, run, unit = node_texts(file.text), file.shown.run, file.shown.state.unit
    T = run.steps
    for t in range(T + 1):
        assert last_number(nodes[f"forward {t}"]) == format_number(run.forward_hs[t, unit])
        assert last_number(nodes[f"backward {t + 1}"]) == format_number(run.backward_hs[t, unit])
    for t in range(1, T + 1):
        assert last_number(nodes[f"y{t}"]) == format_number(run.trace.ys[t - 1, 0])
    assert nodes["forward 1"].startswith(r"$\overrightarrow{h}_1$")


@pytest.mark.parametrize("query", STATES["bidirectional"])
def test_changes_stand_over_the_states_that_they_are_of(query):
    file = file_with("bidirectional", query, "both")
    found = re.findall(r"\$\\Delta = ([^$]*)\$\}", file.text)
    changed = file.shown.changed
    expected = [] if changed is None else [*changed.forward, *changed.backward]
    assert (r"$\Delta$: how far" in file.text) == (changed is not None)
    assert [last_number(f"${number}$") for number in found] == [format_number(change) for change in expected]


def test_the_chains_run_in_opposite_ways():
    text = file_with("bidirectional", "", "both").text
    assert r"\draw[recurrent wire] (forward 1) -- (forward 2);" in text
    assert r"\draw[recurrent wire] (backward 2) -- (backward 1);" in text
