"""Frames: arrays packed into one buffer, JSON that a browser parses."""

import json

import numpy as np
import pytest
from rnnscope.app.view import make_frame, pack

ARRAYS = {
    "h": (np.array([[0.1, -0.0], [np.inf, 5e-324], [np.nan, -np.inf]]), 0),
    "L": (np.array([1.5, 2.5]), 1),
    "steps": (np.arange(1, 4), 1),
    "heat": (np.arange(8.0).reshape(2, 2, 2), 0),
}


def test_packed_arrays_come_back_bit_for_bit():
    index, data = pack(ARRAYS)
    assert data.dtype == np.float64
    end = 0
    for name, (array, first) in ARRAYS.items():
        offset, steps, units, t0 = index[name]
        assert (offset, steps, t0) == (end, len(array), first)
        end += steps * units
        assert data[offset:end].tobytes() == np.asarray(array, dtype=np.float64).tobytes()
    assert end == data.size


def test_nothing_packs_to_an_empty_buffer():
    assert pack({}) == ({}, pytest.approx(np.empty(0)))


def test_a_frame_is_json_with_an_index():
    frame = make_frame({"texts": {"a": "σ, “quoted”"}, "sequence": 3}, {"L": ARRAYS["L"]})
    assert json.loads(frame["json"]) == {"texts": {"a": "σ, “quoted”"}, "sequence": 3, "arrays": {"L": [0, 2, 1, 1]}}
    assert frame["data"].tolist() == [1.5, 2.5]


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan])
def test_a_number_that_is_no_json_is_refused(number):
    with pytest.raises(ValueError, match="JSON"):
        make_frame({"value": number}, {})
