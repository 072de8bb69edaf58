"""Draw what a config describes: cell, inputs, targets, initial state."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array
from .cells import GRU, LSTM, RNN, Cell
from .config import Config, GRUConfig, LSTMConfig, RNNConfig, stream
from .given import GivenConfig
from .initializers import recurrent_matrix
from .inputs import input_sequence, text_targets


def build_cell(config: Config | GivenConfig, chain: str = "") -> Cell:
    """Return the cell of a config: W_xh ~ N(0, sigma_in²), W_hh by family, W_hy ~ N(0, 1/n).

    Of a gated cell every recurrent block is a draw of its own. Biases are 0, but for those of the
    LSTM's forget and input gates and of a GRU's update and reset gates; its b_hh, with
    reset="after", is 0. `chain` is "backward_" for a second chain, whose weights have streams of
    their own. A cell that is given is returned as it is.
    """
    if isinstance(config, GivenConfig):
        return config.given.cell
    if isinstance(config, RNNConfig):
        return _build_rnn(config, chain)
    if isinstance(config, LSTMConfig):
        return _build_lstm(config, chain)
    if isinstance(config, GRUConfig):
        return _build_gru(config, chain)
    raise ValueError(f"config must be an RNNConfig, LSTMConfig or GRUConfig, got {type(config).__name__}")


def build_inputs(config: Config | GivenConfig) -> Array:
    """Return the inputs (T, d) of a config."""
    if isinstance(config, GivenConfig):
        return config.given.xs
    seed = stream(config.seed, "xs")
    return input_sequence(config.input, config.T, config.d, seed, config.values, config.text)


def build_targets(config: Config | GivenConfig) -> Any:
    """Return targets: (T, m) numbers, (T,) class indices, or None without a read-out.

    Without `target`, "squared" aims at zeros; "cross_entropy" at classes drawn uniformly, and for a
    text at its next characters.
    """
    if isinstance(config, GivenConfig):
        return config.given.targets
    if config.outputs is None:
        return None
    if config.input == "text" and config.text is not None:
        return text_targets(config.text)
    if config.loss == "cross_entropy":
        if config.target is not None:
            return np.array(config.target, dtype=np.int64)
        rng = np.random.default_rng(stream(config.seed, "targets"))
        return rng.integers(config.outputs, size=config.T)
    column = np.zeros(config.T) if config.target is None else np.array(config.target)
    return np.repeat(column[:, None], config.outputs, axis=1)


def build_initial_state(config: Config | GivenConfig) -> Array | None:
    """Return h_0 (n,) where the config sets it, else None (zeros)."""
    if isinstance(config, GivenConfig):
        return config.given.h0
    if isinstance(config, RNNConfig) and config.h0 is not None:
        return np.array([config.h0])
    return None


def _build_rnn(config: RNNConfig, chain: str) -> RNN:
    W_hy, b_y = _draw_readout(config)
    shape = (config.n, config.d)
    return RNN(
        W_xh=_set(config.U, (1, 1), _draw_input_weights(config, chain, shape)),
        W_hh=_set(config.W, (1, 1), _draw_recurrent(config, chain, 1)[0]),
        b_h=_set(config.b, (1,), np.zeros(config.n)),
        W_hy=None if W_hy is None else _set(config.V, (1, 1), W_hy),
        b_y=None if b_y is None else _set(config.c, (1,), b_y),
        activation=config.activation,
    )


def _build_lstm(config: LSTMConfig, chain: str) -> LSTM:
    W_hy, b_y = _draw_readout(config)
    b_h = np.zeros((4, config.n))
    b_h[LSTM.gate_names.index("f")] = config.forget_bias
    b_h[LSTM.gate_names.index("i")] = config.input_bias
    W_xh = _draw_input_weights(config, chain, (4, config.n, config.d))
    return LSTM(W_xh, _draw_recurrent(config, chain, 4), b_h, W_hy, b_y)


def _build_gru(config: GRUConfig, chain: str) -> GRU:
    W_hy, b_y = _draw_readout(config)
    b_h = np.zeros((3, config.n))
    b_h[GRU.gate_names.index("z")] = config.update_bias
    b_h[GRU.gate_names.index("r")] = config.reset_bias
    return GRU(
        W_xh=_draw_input_weights(config, chain, (3, config.n, config.d)),
        W_hh=_draw_recurrent(config, chain, 3),
        b_h=b_h,
        W_hy=W_hy,
        b_y=b_y,
        reset=config.reset,
        b_hh=np.zeros(config.n) if config.reset == "after" else None,
        update=config.update,
    )


def _draw_input_weights(config: Config, chain: str, shape: tuple[int, ...]) -> Array:
    rng = np.random.default_rng(stream(config.seed, f"{chain}W_xh"))
    return config.sigma_in * rng.standard_normal(shape)


def _draw_recurrent(config: Config, chain: str, blocks: int) -> Array:
    rng = np.random.default_rng(stream(config.seed, f"{chain}W_hh"))
    draws = [recurrent_matrix(config.family, config.n, config.rho, rng) for _ in range(blocks)]
    return np.stack(draws)


def _draw_readout(config: Config) -> tuple[Array | None, Array | None]:
    if config.outputs is None:
        return None, None
    rng = np.random.default_rng(stream(config.seed, "W_hy"))
    draw = rng.standard_normal((config.outputs, config.n)) / np.sqrt(config.n)
    return draw, np.zeros(config.outputs)


def _set(number: float | None, shape: tuple[int, ...], drawn: Array) -> Array:
    return drawn if number is None else np.full(shape, number)
