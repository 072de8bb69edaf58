"""The encoder and decoder hold what was read and written, its probabilities, and the weights of the selected step."""

import re

import pytest
from rnnscope.app.export.tikz.words import indexed

from tests.app.export.tikz.files import file_with, node_texts


@pytest.mark.parametrize("query", ["", "preset=bottleneck&t=3", "attention=dot&text=10%20may%2099&t=6"])
def test_what_was_read_and_written_stands_in_its_boxes(query):
    file = file_with("seq2seq", query, "seq2seq")
    nodes, run = node_texts(file.text), file.shown.run
    source = "".join(nodes[f"x{j}"].replace(r"\textvisiblespace{}", " ") for j in range(1, run.T + 1))
    written = [nodes[f"y{t}"] for t in range(1, run.U + 1)]
    assert source == run.config.text
    assert "".join(written[:-1]) == run.text_of(run.outputs)
    assert written[-1] == "end"
    shares = [float(share) for share in re.findall(r"above=0mm of y\d+\] \{\$([\d.]+)\$\}", file.text)]
    assert shares == pytest.approx(run.chosen_probabilities, abs=0.00501)


@pytest.mark.parametrize("query", ["", "attention=dot&text=10%20may%2099&t=6"])
def test_the_weights_are_those_of_the_selected_step(query):
    file = file_with("seq2seq", query, "seq2seq")
    shares = [float(share) for share in re.findall(r"above=1mm of h\d+\] \{\$([\d.]+)\$\}", file.text)]
    weights = file.shown.run.attended[1][file.shown.state.t - 1]
    assert shares == pytest.approx(weights, abs=0.00501)
    levels = [int(level) for level in re.findall(r"\\draw\[attention (\d)\]", file.text)]
    assert levels == [int(8 * weight + 0.5) for weight in weights]
    last = indexed("h", file.shown.run.T)
    assert f"{{$= {last}$}}" in file.text


def test_without_attention_the_last_state_is_all_that_is_handed_over():
    text = file_with("seq2seq", "preset=bottleneck&t=3", "seq2seq").text
    assert "(h16) |- ++(0, 1.6) -| (s0);" in text
    assert "attention" not in text
