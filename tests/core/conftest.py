"""Fixtures shared by the tests of the numerics."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from rnnscope.core import GRU, LSTM, RNN

FOLDER = Path(__file__).parents[1] / "fixtures"


@pytest.fixture(scope="session")
def load():
    """Return the content of a stored-answers file, its base64 arrays decoded."""
    return lambda name: decode(json.loads((FOLDER / f"{name}.json").read_text()))


def decode(node):
    if isinstance(node, dict) and "b64" in node:
        raw = np.frombuffer(base64.b64decode(node["b64"]), node["dtype"])
        return raw.reshape(node["shape"]).astype(np.float64)
    if isinstance(node, dict):
        return {key: decode(value) for key, value in node.items()}
    return node


@pytest.fixture(scope="session")
def make_cell():
    """Return a function that draws a cell: "tanh", "relu", "linear", "lstm", or "gru-before-new" and so on."""
    return draw_cell


def draw_cell(kind, n=3, d=2, m=2, seed=0, scale=0.8):
    rng = np.random.default_rng(seed)
    blocks = {"lstm": (4,), "gru": (3,)}.get(kind.split("-")[0], ())
    weights = [scale * rng.standard_normal(blocks + shape) for shape in ((n, d), (n, n), (n,))]
    if m is not None:
        weights += [rng.standard_normal((m, n)), rng.standard_normal(m)]
    if blocks == (3,):
        _, reset, update = kind.split("-")
        b_hh = scale * rng.standard_normal(n) if reset == "after" else None
        return GRU(*weights, reset=reset, b_hh=b_hh, update=update)
    return LSTM(*weights) if kind == "lstm" else RNN(*weights, activation=kind)


@pytest.fixture(scope="session")
def slope():
    """Return central differences of a function of an array: shape of output, then of input."""
    return central_differences


def central_differences(function, at, step=1e-6):
    at = np.array(at, dtype=np.float64)
    columns = []
    for index in np.ndindex(at.shape):
        shift = np.zeros_like(at)
        shift[index] = step
        columns.append((np.asarray(function(at + shift)) - function(at - shift)) / (2 * step))
    table = np.array(columns).reshape(at.shape + np.shape(columns[0]))
    return np.moveaxis(table, range(at.ndim), range(-at.ndim, 0))
