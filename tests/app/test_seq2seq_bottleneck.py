"""Accuracy against length on /seq2seq: the record's own counts, their intervals, and the sentence."""

import numpy as np
import pytest
from rnnscope.app.labs.explain import Asked, explain
from rnnscope.app.labs.seq2seq.bottleneck import Bottleneck, compared, summary
from rnnscope.app.labs.seq2seq.lab import Seq2seqLab
from rnnscope.app.state.seq2seq import SHIPPED
from rnnscope.app.weights import load

from tests.app.test_seq2seq_tree import run_code, spoken


@pytest.mark.parametrize("task", SHIPPED)
def test_shares_are_the_record_s_and_within_their_intervals(task):
    shown = compared(task, ("none", "additive"))
    for curve, name in enumerate(shown.names):
        record = {length: (s, n) for length, s, n in load(task, name).record["by_length"]}
        assert len(record) > 5
        columns = [getattr(shown, key)[:, curve] for key in ("counts", "right", "shares", "low", "high")]
        for length, counts, right, share, low, high in zip(shown.lengths.tolist(), *columns, strict=True):
            if length not in record:
                assert np.isnan([counts, right, share, low, high]).all()
                continue
            assert (right, counts) == record[length]
            assert 0 <= low <= share == right / counts <= high <= 1


@pytest.mark.parametrize("attention", SHIPPED["dates"])
def test_the_page_s_attention_is_compared_with_none(attention):
    lab = Seq2seqLab({"attention": attention})
    detail = lab.detail(Bottleneck.NAME)
    arrays, texts = detail.arrays(), detail.texts()
    assert detail.found().names == ("none", "additive" if attention == "none" else attention)
    assert texts["bottleneck"]["now"] == len(lab.state.text)
    assert set(arrays) == {"lengths", "counts", "right", "shares", "low", "high"}


def test_the_sentence_names_the_widest_gap():
    shown = compared("reversal", ("none", "additive"))
    gaps = shown.shares[:, 1] - shown.shares[:, 0]
    widest = int(np.nanargmax(np.abs(gaps)))
    words = summary(shown)
    said = {(word["symbol"], word["t"], word["unit"]): float(word["value"]) for word in words if "value" in word}
    assert said["accuracy_gap", int(shown.lengths[widest]), 0] == gaps[widest]
    assert said["accuracy_shares", int(shown.lengths[0]), 1] == shown.shares[0, 1]
    assert ("attention adds" in spoken(words)) == (gaps[widest] >= 0)


def test_each_number_is_explained_and_found_again():
    lab = Seq2seqLab({})
    shown = lab.detail(Bottleneck.NAME).found()
    row = int(np.flatnonzero(np.isfinite(shown.shares).all(axis=1))[0])
    length = int(shown.lengths[row])
    places = [(name, unit) for name in ("counts", "right", "shares", "low", "high") for unit in range(2)]
    asked = [(f"accuracy_{name}", unit, getattr(shown, name)[row, unit]) for name, unit in places]
    asked.append(("accuracy_gap", 0, shown.shares[row, 1] - shown.shares[row, 0]))
    for symbol, unit, value in asked:
        found = explain(Asked.of(lab, {"symbol": symbol, "t": length, "unit": unit, "value": repr(float(value))}))
        assert found.value == value
        assert all(check.near for check in found.checks), symbol
        assert run_code(found.code) == value, symbol
