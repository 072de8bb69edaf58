"""Self-attention of one sequence, from one frozen config to every number of the way (Vaswani et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_choice, checked_integer, read_only
from .chain import BoolArray
from .config import LARGEST_SEED
from .inputs import ALPHABET_SIZE, text_indices
from .positional import add_positions, sinusoidal_encoding
from .self_attention import MultiHeadAttention, MultiHeadTrace, causal_mask, self_attention

ATTENTION_INPUTS = ("text", "noise")
MASKS = ("none", "causal")
POSITIONS = ("none", "sinusoidal", "learned")

# Past the numbers of `config.STREAMS`: no array of another family is drawn from these.
_STREAMS = {"embedding": 20, "projections": 21, "vectors": 22}


@dataclass(frozen=True)
class AttentionConfig:
    """Every number that determines a layer of self-attention and its input.

    Attributes
    ----------
    input : "text" (each character is a row of a drawn embedding) or "noise" (drawn vectors)
    text : the text of input "text"; then T = len(text)
    T : tokens
    d_model : size of a token, of the input and of the output
    heads : how many; each has queries, keys and values of d_k = d_model / heads numbers
    seed : 0 … 2**32 - 1
    mask : "none" or "causal" (a token sees itself and those before)
    positions : "none", "sinusoidal" or "learned" (a table that `run_attention` is given)
    scaled : whether the products are divided by sqrt(d_k)

    Raises
    ------
    ValueError
        For a value outside what is listed, for heads that do not divide d_model, and for a T that
        contradicts the text.
    """

    T: int
    d_model: int = 8
    heads: int = 2
    input: str = "noise"
    text: str | None = None
    seed: int = 0
    mask: str = "none"
    positions: str = "none"
    scaled: bool = True

    def __post_init__(self) -> None:
        for name in ("T", "d_model", "heads"):
            checked_integer(name, getattr(self, name), 1)
        checked_integer("seed", self.seed, 0, LARGEST_SEED)
        checked_choice("input", self.input, ATTENTION_INPUTS)
        checked_choice("mask", self.mask, MASKS)
        checked_choice("positions", self.positions, POSITIONS)
        if self.d_model % self.heads:
            raise ValueError(f"heads must divide d_model = {self.d_model}, got {self.heads}")
        if self.input == "text":
            self._check_text()

    def _check_text(self) -> None:
        if not self.text:
            raise ValueError(f"text must hold at least one character, got {self.text!r}")
        if len(self.text) != self.T:
            raise ValueError(f"T must be {len(self.text)} for a text of as many characters, got {self.T}")

    @property
    def d_k(self) -> int:
        """Size of a query, of a key and of a value of one head."""
        return self.d_model // self.heads


@dataclass(frozen=True, eq=False)
class AttentionRun:
    """A config and what follows from it; read-only float64.

    Attributes
    ----------
    layer : W_q, W_k, W_v, W_o without biases
    tokens : (T, d_model)
        The characters' rows of the embedding, or the drawn vectors.
    positions : (T, d_model) or None
        What is added to them.
    trace : MultiHeadTrace
        query = key = value = tokens + positions.
    products : (heads, T, T)
        q_i . k_j before they are divided and masked.
    mask : (T, T) booleans or None
        True = may attend.
    """

    config: AttentionConfig
    layer: MultiHeadAttention
    tokens: Array
    positions: Array | None
    trace: MultiHeadTrace
    products: Array
    mask: BoolArray | None

    @property
    def xs(self) -> Array:
        """What the layer reads, (T, d_model)."""
        return self.trace.query

    def projection(self, letter: str) -> Array:
        """W_q, W_k or W_v (d_model, d_model) of "q", "k", "v", or W_o of "o"; rows are outputs."""
        if letter == "o":
            return np.asarray(self.layer.out_proj_weight)
        place = "qkv".index(letter)
        return np.asarray(self.layer.in_proj_weight.reshape(3, self.layer.size, self.layer.size)[place])


def run_attention(config: AttentionConfig, table: Any = None) -> AttentionRun:
    """Draw the layer and the tokens of a config, add the positions, attend.

    Parameters
    ----------
    table : (P, d_model) with P at least T, or None
        The rows that positions "learned" adds; only there.
    """
    layer, tokens = build_attention(config), build_tokens(config)
    positions = _positions(config, table)
    xs = tokens if positions is None else add_positions(tokens, positions)
    mask = causal_mask(config.T) if config.mask == "causal" else None
    trace = self_attention(layer, xs, mask)
    products = read_only(trace.Q @ np.swapaxes(trace.K, -1, -2))
    return AttentionRun(config, layer, tokens, positions, trace, products, mask)


def build_attention(config: AttentionConfig) -> MultiHeadAttention:
    """Return the layer: W_q, W_k, W_v, W_o ~ N(0, 1 / d_model), no biases.

    A token of variance 1 a component then has queries and keys of variance 1.
    """
    rng = np.random.default_rng(_stream(config, "projections"))
    drawn = rng.standard_normal((4 * config.d_model, config.d_model)) / np.sqrt(config.d_model)
    into, out = drawn[: 3 * config.d_model], drawn[3 * config.d_model :]
    return MultiHeadAttention(into, out_proj_weight=out, heads=config.heads, scaled=config.scaled)


def build_tokens(config: AttentionConfig) -> Array:
    """Return the tokens (T, d_model), N(0, 1): the same character has the same row."""
    if config.input == "text":
        rng = np.random.default_rng(_stream(config, "embedding"))
        embedding = rng.standard_normal((ALPHABET_SIZE, config.d_model))
        return read_only(embedding[text_indices(config.text or "")])
    return read_only(np.random.default_rng(_stream(config, "vectors")).standard_normal((config.T, config.d_model)))


def permutation_difference(run: AttentionRun, order: Any) -> float:
    """Return the largest |difference| between the outputs of permuted tokens and the permuted outputs.

    0, or rounding, without positions and without a mask: the layer sees a set. The tokens move, the
    positions stay where they are.

    Parameters
    ----------
    order : a permutation of 0 … T - 1
        Token i of the permuted sequence is token order[i] of the run.
    """
    places = np.asarray(order)
    if sorted(places.tolist()) != list(range(run.config.T)):
        raise ValueError(f"order must be a permutation of 0 … {run.config.T - 1}, got {places.tolist()}")
    moved = run.tokens[places] if run.positions is None else add_positions(run.tokens[places], run.positions)
    out = self_attention(run.layer, moved, run.mask).out
    return float(np.abs(out - run.trace.out[places]).max())


def _positions(config: AttentionConfig, table: Any) -> Array | None:
    if config.positions == "sinusoidal":
        return read_only(sinusoidal_encoding(config.T, config.d_model))
    if config.positions == "none":
        return None
    if table is None:
        raise ValueError('table must be given for positions "learned", got None')
    rows = checked_array("table", table, (None, config.d_model))
    if len(rows) < config.T:
        raise ValueError(f"table must have at least T = {config.T} rows, got {len(rows)}")
    return read_only(rows[: config.T].copy())


def _stream(config: AttentionConfig, array: str) -> np.random.SeedSequence:
    return np.random.SeedSequence(config.seed, spawn_key=(_STREAMS[array],))
