"""Readouts keep every digit; tokens lose nothing but what is absent."""

import math

from hypothesis import given
from hypothesis import strategies as st
from rnnscope.app.words import phrase, plain, readout, symbol, token_words, written
from rnnscope.core import Token


@given(st.floats())
def test_a_written_number_is_the_number(value):
    back = float(written(value))
    assert back == value or (math.isnan(back) and math.isnan(value))
    assert math.copysign(1, back) == math.copysign(1, value) or math.isnan(value)


def test_infinite_numbers_have_names():
    assert [written(value) for value in (math.inf, -math.inf, math.nan)] == ["inf", "-inf", "nan"]


def test_a_readout_says_what_and_where():
    words = readout(-0.123456789, "h", 3, 2)
    assert words == {"kind": "number", "text": "−0.123", "symbol": "h", "t": 3, "unit": 2, "value": "-0.123456789"}
    assert readout(7.0, "parameters", text="7")["text"] == "7"


def test_a_token_keeps_a_zero_and_drops_what_is_absent():
    token = Token("number", "0", symbol="h", t=0, unit=0, value=0.0)
    assert token_words([token]) == [{"kind": "number", "text": "0", "symbol": "h", "t": 0, "unit": 0, "value": "0.0"}]
    assert token_words([Token("operator", "=")]) == [{"kind": "operator", "text": "="}]


def test_a_phrase_mixes_words_and_symbols():
    assert phrase("a ", symbol("h", "1"), plain("b", strong=True)) == [
        {"kind": "text", "text": "a "}, {"kind": "symbol", "text": "h", "sub": "1"}, {"kind": "strong", "text": "b"},
    ]  # fmt: skip
