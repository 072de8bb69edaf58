"""One run of an encoder-decoder against a target: forced, free, or a mixture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, read_only
from .chain import BoolArray
from .losses import cross_entropy, one_hot
from .seq2seq import (
    EncoderDecoder,
    Encoding,
    Tokens,
    checked_tokens,
    decoder_input,
    encode,
    logits_of,
    within_lengths,
)


@dataclass(frozen=True, eq=False)
class EncoderDecoderTrace:
    """A run of T source and U target steps; leading dimensions are those of the batch.

    Attributes
    ----------
    source : (..., T)
    target : (..., U)
    tokens : (..., U)
        What the decoder read: bos, then the target or its own choice of the step before.
    encoding : Encoding
    inputs : (..., U, e' [+ n])
        x_t = [e(token); context].
    states : (..., U + 1, s)
        Decoder states; state_0 is the encoder's last.
    logits : (..., U, m)
    loss : (..., U)
        -log softmax(y_t)[target_t]; 0 past a target's length.
    energies, weights : (..., U, T) or None
        Attention of state_{t-1}, at index t - 1.
    valid : (..., U) booleans or None
        False past the length of a target.
    """

    source: Tokens
    target: Tokens
    tokens: Tokens
    encoding: Encoding
    inputs: Array
    states: Array
    logits: Array
    loss: Array
    energies: Array | None
    weights: Array | None
    valid: BoolArray | None

    @property
    def predictions(self) -> Tokens:
        """The likeliest token of each step, shape (..., U); of equals the smallest."""
        return np.asarray(self.logits.argmax(axis=-1))


def run_encoder_decoder(
    model: EncoderDecoder,
    source: Any,
    target: Any,
    forced: Any = None,
    source_lengths: Any = None,
    target_lengths: Any = None,
) -> EncoderDecoderTrace:
    """Encode source (..., T), or take its `Encoding`, then decode against target (..., U), which holds its own eos.

    Parameters
    ----------
    forced : booleans (U,) or (..., U), or None
        Where True, step t reads target_{t-1} (teacher forcing; everywhere by default); where False,
        the likeliest token of step t - 1 (free running). A drawn mixture is scheduled sampling
        (Bengio et al. 2015). Step 1 reads bos in any case.
    source_lengths, target_lengths : integers (...) or None
        Tokens past them are padding: not read, not attended to, without loss.

    Raises a ValueError for tokens outside the vocabularies and shapes that do not fit.
    """
    encoding = encode(model, source, source_lengths)
    goal = _checked_target(model, encoding, target)
    valid = within_lengths("target_lengths", target_lengths, goal.shape)
    tokens, inputs, states, energies, weights = _decode(model, encoding, goal, _checked_forced(forced, goal.shape))
    logits, loss = _losses(model, states, goal, valid)
    return EncoderDecoderTrace(
        source=encoding.tokens,
        target=goal,
        tokens=tokens,
        encoding=encoding,
        inputs=read_only(inputs),
        states=read_only(states),
        logits=read_only(logits),
        loss=read_only(loss),
        energies=energies,
        weights=weights,
        valid=valid,
    )


def _checked_target(model: EncoderDecoder, encoding: Encoding, target: Any) -> Tokens:
    goal = checked_tokens("target", target, len(model.E_target))
    batch = encoding.memory.shape[:-2]
    if goal.shape[:-1] != batch:
        raise ValueError(f"target must have the leading dimensions of source, {batch}, got {goal.shape[:-1]}")
    return goal


def _losses(model: EncoderDecoder, states: Array, goal: Tokens, valid: BoolArray | None) -> tuple[Array, Array]:
    with np.errstate(over="ignore", invalid="ignore"):
        logits = logits_of(model, states[..., 1:, :])
        loss = cross_entropy(logits, one_hot(goal, logits.shape[-1]))
    return logits, loss if valid is None else np.where(valid, loss, 0.0)


def _checked_forced(forced: Any, shape: tuple[int, ...]) -> BoolArray | None:
    """Return the mask as (..., U), or None where every step is forced."""
    if forced is None:
        return None
    mask = np.asarray(forced)
    if mask.dtype != np.bool_ or mask.shape not in {shape, shape[-1:]}:
        raise ValueError(f"forced must be booleans of shape {shape}, got {mask.dtype} of shape {mask.shape}")
    return None if mask.all() else np.broadcast_to(mask, shape)


def _decode(
    model: EncoderDecoder, encoding: Encoding, goal: Tokens, forced: BoolArray | None
) -> tuple[Tokens, Array, Array, Array | None, Array | None]:
    """Return tokens, inputs, states, energies and weights of every decoder step."""
    *batch, steps = goal.shape
    tokens = np.concatenate([np.full((*batch, 1), model.bos), goal], axis=-1)[..., :steps]
    inputs = np.empty((*batch, steps, model.decoder.input_size))
    states = np.empty((*batch, steps + 1, model.decoder.state_size))
    states[..., 0, :] = encoding.states[..., -1, :]
    energies, weights = (np.empty((*batch, steps, encoding.memory.shape[-2])) for _ in range(2))
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps):
            if t and forced is not None:
                own = logits_of(model, states[..., t, :]).argmax(axis=-1)
                tokens[..., t] = np.where(forced[..., t], tokens[..., t], own)
            inputs[..., t, :], seen = decoder_input(model, encoding, tokens[..., t], states[..., t, :])
            if seen is not None:
                energies[..., t, :], weights[..., t, :] = seen.energies, seen.weights
            states[..., t + 1, :] = model.decoder.step(inputs[..., t, :], states[..., t, :])
    if model.attention is None:
        return tokens, inputs, states, None, None
    return tokens, inputs, states, read_only(energies), read_only(weights)
