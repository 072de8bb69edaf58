"""The way through attention holds the scores, the weights and the contexts of the selected head."""

import re

import numpy as np
import pytest
from rnnscope.app.attention_numbers import masked_scores
from rnnscope.app.export import CannotExport
from rnnscope.app.export.tikz.attention import Attention
from rnnscope.app.labs.attention import AttentionLab
from rnnscope.core import format_number

from tests.app.export.tikz.files import STATES, file_with, printed


def tables_of(text):
    """Name -> the rows of every table."""
    found = re.findall(r"\\matrix\[[^]]*\] \((\w)\) \{\n(.*?)\n  \};", text, re.DOTALL)
    return {
        name: [re.findall(r"\|\[(?:entry|level \d)\]\| \$([^$]*)\$", line) for line in body.splitlines()[1:]]
        for name, body in found
    }


@pytest.mark.parametrize("query", STATES["attention"])
def test_every_table_holds_the_numbers_of_the_head(query):
    file = file_with("attention", query, "flow")
    tables, run, head = tables_of(file.text), file.shown.run, file.shown.state.head - 1
    d_k = run.config.d_k
    scores = [[format_number(value) for value in row] for row in masked_scores(run)[head]]
    assert [[printed(cell) for cell in row] for row in tables["S"]] == scores
    np.testing.assert_allclose(np.array(tables["A"], float), run.trace.weights[head], atol=0.00501)
    assert ("C" in tables) == (d_k <= 8)
    if "C" in tables:
        own = run.trace.joined[:, head * d_k : (head + 1) * d_k]
        contexts = [[format_number(value) for value in row] for row in own]
        assert [[printed(cell) for cell in row] for row in tables["C"]] == contexts


def test_the_scores_say_whether_they_are_divided_and_masked():
    plain = file_with("attention", "", "flow").text
    assert r"$S = Q K^\top / \sqrt{d_k}$}" in plain
    assert "head 1 of 2" in plain
    barred = file_with("attention", "text=attend&mask=causal&heads=1&d_model=16&scale=none&t=3", "flow").text
    assert r"$S = Q K^\top$, masked}" in barred
    assert "head 1 of 1" not in barred


def test_more_tokens_than_fit_are_refused():
    with pytest.raises(CannotExport, match="at most 8 tokens, here are 12"):
        Attention(AttentionLab({"input": "noise", "T": "12"}))
