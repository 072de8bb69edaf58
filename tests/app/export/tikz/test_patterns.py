"""The other patterns of /unfold hold the numbers of their runs."""

import re

import pytest
from rnnscope.core import format_number

from tests.app.export.tikz.files import file_with, labels, last_number, node_texts


def drawn(query):
    file = file_with("unfold", query, "unfolded")
    return file.text, node_texts(file.text), file.shown


@pytest.mark.parametrize("query", ["pattern=output", "pattern=output&forcing=teacher"])
def test_what_comes_back_along_the_output_is_that_of_the_run(query):
    text, nodes, lab = drawn(query)
    found, T = lab.pattern.run.gradients, lab.state.T
    for t in range(1, T + 1):
        assert last_number(nodes[f"h{t}"]) == format_number(lab.pattern.run.trace.hs[t, 0])
        (own,) = labels(text, f"(L{t}.-60)")
        assert last_number(own) == format_number(found.own[t - 1, 0])
    forced = lab.state.forcing == "teacher"
    for t in range(2, T + 1):
        back = labels(text, f"(h{t}.165)")
        assert [last_number(one) for one in back] == ([] if forced else [format_number(found.passed[t - 2, 0])])
        assert f"({'L' if forced else 'y'}{t - 1}.-15) -|" in text
    assert "h0" not in nodes


def test_a_system_is_its_states_alone():
    text, nodes, lab = drawn("preset=fixed-point")
    assert set(nodes) == {f"h{t}" for t in range(13)}
    assert nodes["h12"].startswith("$s_{12}$")
    expected = [format_number(state) for state in lab.pattern.run.trace.hs[:, 0]]
    assert [last_number(nodes[f"h{t}"]) for t in range(13)] == expected
    assert text.count("node[weight] {$f$}") == 12


@pytest.mark.parametrize(
    ("query", "window"), [("preset=window-and-past", 3), ("pattern=convolution&n=3&window=5&t=0", 5)]
)
def test_each_output_of_a_convolution_sees_its_window(query, window):
    text, nodes, lab = drawn(query)
    convolved, T, chosen = lab.pattern.run.trace.gates["conv"], lab.state.T, lab.state.t
    for t in range(1, T + 1):
        assert last_number(nodes[f"z{t}"]) == format_number(convolved[t - 1, lab.state.unit])
        sources = [int(k) for k in re.findall(rf"\(x(\d+)\) -- \(z{t}\)", text)]
        assert sources == list(range(max(1, t - window + 1), t + 1))
        dark = re.findall(rf"\\draw\[output wire\] \(x\d+\) -- \(z{t}\)", text)
        assert len(dark) == (len(sources) if t == chosen else 0)
