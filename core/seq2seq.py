"""Encoder-decoder networks over any cell, with or without attention: the model and its one step.

The encoder reads the source from a zero state; its last state is the decoder's first. Decoder step
t reads the embedding of the token before it (`bos` first) and, with attention, the context that
state t - 1 attends to (Bahdanau et al. 2015): x_t = [e(token_{t-1}); context_t].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_array, checked_integer, read_only
from .attention import Attention, attend_keys
from .cells import Cell
from .cells.readout import read_out
from .chain import BoolArray, run_chain
from .functions import logsumexp
from .scorers import Scorer

Tokens = npt.NDArray[np.int64]

PARTS = ("encoder", "decoder", "attention")


@dataclass(frozen=True, eq=False)
class EncoderDecoder:
    """Embeddings, two cells and, where given, attention.

    Parameters
    ----------
    E_source : (V, e)
        One row a source token.
    E_target : (m, e')
        One row a target token.
    encoder : cell with input size e, without a read-out
    decoder : cell with input size e', with attention e' + n, and a read-out of size m
        Its states are of the encoder's size. W_xh = [W of the embedding, W of the context].
    attention : scorer or None
        Of a decoder state h (n,) and the encoder's (T, n).
    bos, eos : int
        The token before the first, and the one that ends a sequence.

    Raises
    ------
    ValueError
        For sizes that do not fit; names the argument.
    """

    E_source: Array
    E_target: Array
    encoder: Cell
    decoder: Cell
    attention: Scorer | None = None
    bos: int = 0
    eos: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "E_source", checked_array("E_source", self.E_source, (None, self.encoder.input_size)))
        width = self.decoder.input_size - (0 if self.attention is None else self.encoder.hidden_size)
        object.__setattr__(self, "E_target", checked_array("E_target", self.E_target, (None, max(width, 0))))
        self._check_cells()
        for name in ("bos", "eos"):
            checked_integer(name, getattr(self, name), 0, len(self.E_target) - 1)

    def _check_cells(self) -> None:
        n, size, outputs = self.encoder.hidden_size, self.encoder.state_size, len(self.E_target)
        if self.encoder.W_hy is not None:
            raise ValueError("encoder must be a cell without a read-out (W_hy=None), got one with a read-out")
        if (self.decoder.hidden_size, self.decoder.state_size) != (n, size):
            raise ValueError(f"decoder must have the encoder's state size {size}, got {self.decoder.state_size}")
        if self.decoder.output_size != outputs:
            raise ValueError(
                f"decoder must have a read-out of size {outputs}, the rows of E_target, got {self.decoder.output_size}"
            )
        if self.attention is not None and self.attention.sizes(n, n) != (n, n):
            raise ValueError(f"attention must score states and memory of size {n}, got {self.attention.sizes(n, n)}")

    @property
    def hidden_size(self) -> int:
        """n, the number of hidden units of each cell."""
        return self.decoder.hidden_size

    @property
    def parameter_count(self) -> int:
        """How many numbers embeddings, cells, read-out and attention hold."""
        return sum(value.size for value in self.parameters().values())

    def parameters(self) -> dict[str, Array]:
        """Return every parameter by name: E_source, E_target, "encoder.W_hh", "attention.v", …"""
        named = {"E_source": self.E_source, "E_target": self.E_target}
        for part in PARTS:
            for name, value in arrays_of(getattr(self, part)).items():
                named[f"{part}.{name}"] = value
        return named

    def with_parameters(self, parameters: Mapping[str, Any]) -> EncoderDecoder:
        """Return the model with these parameters in place of its own; ValueError for unknown names."""
        unknown = set(parameters) - set(self.parameters())
        if unknown:
            raise ValueError(f"parameters must be of {', '.join(self.parameters())}, got {', '.join(sorted(unknown))}")
        change: dict[str, Any] = {name: value for name, value in parameters.items() if "." not in name}
        for part in PARTS:
            inner = {name.split(".")[1]: v for name, v in parameters.items() if name.startswith(f"{part}.")}
            if inner:
                change[part] = replace(getattr(self, part), **inner)
        return replace(self, **change)


@dataclass(frozen=True, eq=False)
class Encoding:
    """What the encoder leaves to the decoder.

    Attributes
    ----------
    tokens : (..., T)
    xs : (..., T, e)
    states : (..., T + 1, s)
    memory : (..., T, n)
        h_1 … h_T.
    keys : (..., T, a) or None
    valid : (..., T) booleans or None
        False past the length of a source; there the state stays and nothing is attended to.
    """

    tokens: Tokens
    xs: Array
    states: Array
    memory: Array
    keys: Array | None
    valid: BoolArray | None

    def rows(self, count: int) -> Encoding:
        """Return `count` equal rows of it along a new first dimension: views, nothing is read again."""
        arrays = {item.name: getattr(self, item.name) for item in fields(self)}
        spread = {name: np.broadcast_to(a, (count, *a.shape)) for name, a in arrays.items() if a is not None}
        return replace(self, **spread)


def encode(model: EncoderDecoder, source: Any, lengths: Any = None) -> Encoding:
    """Read source tokens (..., T), each row up to its length (...) where lengths are given.

    What takes a source takes its `Encoding` by the same model as well, so that one reading serves
    a search and a run; it is returned as it is. Raises a ValueError for tokens outside the vocabulary,
    for lengths that do not fit or come with an encoding, and for the encoding of another model where
    its sizes tell.
    """
    if isinstance(source, Encoding):
        return _checked_encoding(model, source, lengths)
    tokens = checked_tokens("source", source, len(model.E_source))
    valid = within_lengths("source_lengths", lengths, tokens.shape)
    xs = model.E_source[tokens]
    start = np.zeros((*tokens.shape[:-1], model.encoder.state_size))
    states = read_only(run_chain(model.encoder, xs, start, valid))
    memory = states[..., 1:, : model.hidden_size]
    with np.errstate(over="ignore", invalid="ignore"):
        keys = None if model.attention is None else model.attention.keys(memory)
    return Encoding(tokens, read_only(xs), states, memory, keys, valid)


def encode_one(model: EncoderDecoder, source: Any) -> Encoding:
    """`encode` for the tokens (T,) of one sequence, or their encoding; ValueError for more than one."""
    encoding = encode(model, source)
    if encoding.tokens.ndim != 1:
        raise ValueError(f"source must be the tokens (T,) of one sequence, got shape {encoding.tokens.shape}")
    return encoding


def _checked_encoding(model: EncoderDecoder, encoding: Encoding, lengths: Any) -> Encoding:
    if lengths is not None:
        raise ValueError("source_lengths must be None where source is an encoding, which has its own")
    sizes = encoding.states.shape[-1], encoding.keys is not None
    own = model.encoder.state_size, model.attention is not None
    if sizes != own:
        raise ValueError(
            f"source must be an encoding by this model, (state size, attention) = {own}, got one with {sizes}"
        )
    return encoding


def decoder_input(
    model: EncoderDecoder, encoding: Encoding, tokens: Tokens, states: Array
) -> tuple[Array, Attention | None]:
    """Return x_t = [e(token); context], shape (..., e' + n), and what state_{t-1} attends to.

    tokens (...) and states (..., s) may have more leading dimensions than the encoding.
    """
    embedded = model.E_target[tokens]
    if model.attention is None or encoding.keys is None:
        return embedded, None
    query = states[..., : model.hidden_size]
    seen = attend_keys(model.attention, query, encoding.memory, encoding.keys, encoding.valid)
    return np.concatenate([embedded, seen.context], axis=-1), seen


def logits_of(model: EncoderDecoder, states: Array) -> Array:
    """Return the decoder's outputs y, shape (..., m), at states (..., s)."""
    logits = read_out(model.decoder.W_hy, model.decoder.b_y, states[..., : model.hidden_size])
    if logits is None:
        raise ValueError("decoder must have a read-out (W_hy), got W_hy=None")
    return logits


def next_log_probabilities(
    model: EncoderDecoder, encoding: Encoding, tokens: Tokens, states: Array
) -> tuple[Array, Array]:
    """Take one step: (log softmax of the next token (..., m), states (..., s) after the step)."""
    with np.errstate(over="ignore", invalid="ignore"):
        x, _ = decoder_input(model, encoding, tokens, states)
        after = model.decoder.step(x, states)
        logits = logits_of(model, after)
        return logits - logsumexp(logits)[..., None], after


def checked_tokens(name: str, tokens: Any, vocabulary: int) -> Tokens:
    """Return tokens (..., T) as integers in 0 … vocabulary - 1, or raise a ValueError."""
    array = np.asarray(tokens)
    if array.ndim == 0 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"{name} must be integer tokens (..., T), got {array.dtype} of shape {array.shape}")
    if array.size and (array.min() < 0 or array.max() >= vocabulary):
        worst = array.min() if array.min() < 0 else array.max()
        raise ValueError(f"{name} must be tokens 0 … {vocabulary - 1}, got {worst}")
    return array.astype(np.int64)


def within_lengths(name: str, lengths: Any, shape: tuple[int, ...]) -> BoolArray | None:
    """Return booleans (..., T), True before each row's length; None without lengths."""
    if lengths is None:
        return None
    array = np.asarray(lengths)
    if array.shape != shape[:-1] or array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers of shape {shape[:-1]}, got {array.dtype} of shape {array.shape}")
    if array.size and (array.min() < 0 or array.max() > shape[-1]):
        raise ValueError(f"{name} must be in 0 … {shape[-1]}, got {array.min()} … {array.max()}")
    return np.asarray(np.arange(shape[-1]) < array[..., None])


def arrays_of(part: Any) -> dict[str, Array]:
    """Return the arrays that a cell or a scorer holds, by name; none of None."""
    if part is None:
        return {}
    named = {field.name: getattr(part, field.name) for field in fields(part)}
    return {name: value for name, value in named.items() if isinstance(value, np.ndarray)}
