"""Values as templates and numbers: what comes out is what went in, and nothing is kept twice."""

import json
import math

import numpy as np
import pytest
from rnnscope.app.export.static.pool import Pool, fits
from rnnscope.app.words import phrase, plain, readout, symbol

from tests.app.export.static.reader import filled


def out(pool, instance):
    tables = {
        "singles": np.array(pool.singles),
        "doubles": np.array(pool.doubles),
        "instances": np.array(pool.instances),
    }
    return filled([json.loads(text) for text in pool.templates], tables, instance)


def test_a_value_comes_back_with_its_numbers_to_single_precision():
    pool, numbers = Pool(), np.array([[0.1, -2.5], [math.nan, math.inf]])
    said = phrase("At ", symbol("h", "3"), readout(0.123456789, "h", 3, 1), plain(".", strong=True))
    value = {"table": {"shape": [2, 2], "data": numbers}, "rows": [said, [], None, 7, "a"], "on": True}
    found = out(pool, pool.put(value))
    np.testing.assert_allclose(found["table"]["data"], numbers.ravel(), rtol=1e-7)
    number = found["rows"][0][2]
    assert float(number.pop("value")) == pytest.approx(0.123456789, rel=1e-7)
    assert number == {"kind": "number", "text": "0.123", "symbol": "h", "t": 3, "unit": 1}
    assert found["rows"][0][1] == said[1]
    assert found["rows"][1:] == [[], None, 7, "a"]
    assert found["on"] is True
    assert out(pool, 0) is None


def test_numbers_past_single_precision_are_kept_in_double():
    pool, numbers = Pool(), np.array([1e-50, 1e200, 0.0, -math.inf])
    found = out(pool, pool.put([{"data": numbers}, readout(1e-60, "h"), readout(0.5, "h")]))
    assert found[0]["data"].tolist() == numbers.tolist()
    assert (found[1]["value"], found[1]["text"]) == (1e-60, "1.0e−60")
    assert len(pool.singles) == 1
    assert fits(np.array([0.0, math.nan, 1.0])) is True
    assert fits(np.array([1.0, 1e39])) is False


def test_a_text_that_its_number_does_not_give_stays_as_it_is():
    pool = Pool()
    words = [
        readout(48.0, "parameters", text="48 of 50"),
        readout(1 / 3, "h", digits=5),
        readout(0.0625, "h", digits=2),
    ]
    assert [token["text"] for token in out(pool, pool.put(words))] == ["48 of 50", "0.33333", words[2]["text"]]


def test_what_is_the_same_is_kept_once():
    pool = Pool()
    first, other, again = (pool.put([readout(value, "h", 2)]) for value in (0.25, 0.5, 0.25))
    assert first == again != other
    assert len(pool.templates) == 2
    assert list(pool.singles) == [0.25, 0.5]
