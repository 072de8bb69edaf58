"""Encoder-decoders for the tests: the stored one and drawn ones."""

from functools import partial

import numpy as np
from rnnscope.core import GRU, LSTM, RNN, AdditiveScorer, ConcatScorer, DotScorer, EncoderDecoder, GeneralScorer

EXACT = {"rtol": 1e-11, "atol": 1e-13}


def stored_model(known, attention):
    p = {name: np.array(value) for name, value in known["params"].items()}
    encoder = RNN(p["Ue"], p["We"], p["be"])
    if not attention:
        return EncoderDecoder(p["Es"], p["Et"], encoder, RNN(p["Ud"], p["Wd"], p["bd"], p["Vo"], p["co"]))
    driven = np.concatenate([p["Ud"], p["Cd"]], axis=1)
    decoder = RNN(driven, p["Wd"], p["bd"], p["Vo"], p["co"])
    return EncoderDecoder(p["Es"], p["Et"], encoder, decoder, AdditiveScorer(p["Ws"], p["Wh"], p["v"]))


def cell_type(kind):
    """The constructor of "tanh" and so on, "lstm", or "gru-before-new" and so on."""
    if kind.startswith("gru"):
        _, reset, update = kind.split("-")
        return partial(GRU, reset=reset, update=update)
    return LSTM if kind == "lstm" else partial(RNN, activation=kind)


def draw_model(kind="tanh", scorer="additive", n=3, vocabulary=(5, 4), seed=0):
    rng = np.random.default_rng(seed)
    e, e_target = 2, 3
    width = e_target + (n if scorer else 0)
    cells = []
    for d in (e, width):
        blocks = {"lstm": (4,), "gru": (3,)}.get(kind.split("-")[0], ())
        cells.append([rng.standard_normal(blocks + shape) for shape in ((n, d), (n, n), (n,))])
    read_out = [rng.standard_normal((vocabulary[1], n)), rng.standard_normal(vocabulary[1])]
    cell = cell_type(kind)
    scorers = {
        "additive": lambda: AdditiveScorer(*(rng.standard_normal(shape) for shape in ((2, n), (2, n), 2))),
        "general": lambda: GeneralScorer(rng.standard_normal((n, n))),
        "concat": lambda: ConcatScorer(rng.standard_normal((2, 2 * n)), rng.standard_normal(2), n),
        "dot": DotScorer,
        None: lambda: None,
    }
    tables = rng.standard_normal((vocabulary[0], e)), rng.standard_normal((vocabulary[1], e_target))
    return EncoderDecoder(*tables, cell(*cells[0]), cell(*cells[1], *read_out), scorers[scorer]())
