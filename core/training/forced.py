"""Loss and gradients of a batch by teacher forcing: what `core.encoder_decoder_gradients` computes, for training.

The general functions take any cell and any leading dimensions, step by step, in float64. Here all tokens of a batch
are looked up in one product, time stands first, and the numbers are of the parameters' own precision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..seq2seq import Tokens
from .gru_chain import Floats, GateRun, empty_run, recurrent_gradient, step_back, take_step
from .scoring import Parameters, ProductScoring, TanhScoring, rows, scoring


@dataclass(frozen=True, eq=False)
class Batch:
    """Token rows (B, T) and (B, U) with padding, and how many tokens of each row count."""

    source: Tokens
    source_lengths: Tokens
    target: Tokens
    target_lengths: Tokens


@dataclass(frozen=True, eq=False)
class Forced:
    """What a batch gave.

    Attributes
    ----------
    loss : float
        Mean of -log softmax(y)[target] over the tokens of the targets.
    right : int
        Rows of which every token was the likeliest, each after the right ones.
    gradients : name -> dL/d parameter
    """

    loss: float
    right: int
    gradients: dict[str, Floats]


@dataclass(frozen=True, eq=False)
class _Decoded:
    """The decoder's run, what it read and attended to: weights (U, B, T), contexts (U, B, n)."""

    run: GateRun
    tokens: Tokens
    weights: list[Floats]
    contexts: Floats | None


def forced_gradients(kind: str, parameters: Parameters, bos: int, batch: Batch) -> Forced:
    """Run a batch with teacher forcing and differentiate the mean of its losses; `kind` is that of the attention."""
    valid = _valid(batch.source_lengths, batch.source.shape[1]).astype(parameters["E_source"].dtype)
    encoder = _encode(parameters, batch.source, valid)
    memory = np.ascontiguousarray(encoder.h[1:].swapaxes(0, 1))
    scorer = scoring(kind, parameters, memory)
    decoded = _decode(parameters, bos, batch.target, encoder.h[-1], scorer, np.where(valid > 0, 0, -np.inf))
    loss, right, d_logits = _losses(parameters, decoded.run.h[1:], batch)
    gradients, d_start, d_memory = _decoder_back(parameters, decoded, scorer, d_logits)
    arriving = np.zeros_like(encoder.h)
    arriving[-1] = d_start
    if d_memory is not None:
        arriving[1:] += d_memory.swapaxes(0, 1)
    return Forced(loss, right, gradients | _encoder_back(parameters, encoder, batch.source, arriving))


def _valid(lengths: Tokens, steps: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray(np.arange(steps) < lengths[:, None])


def _encode(parameters: Parameters, source: Tokens, valid: Floats) -> GateRun:
    """Read the source; each row's state stays past its length."""
    W_hh = parameters["encoder.W_hh"]
    driven = _table(parameters, "E_source", "encoder")[source.T]
    run = empty_run(len(driven), np.zeros((len(source), W_hh.shape[-1]), W_hh.dtype))
    for t, inputs in enumerate(driven):
        take_step(run, t, inputs, W_hh, valid[:, t, None])
    return run


def _table(parameters: Parameters, embedding: str, cell: str) -> Floats:
    """W e + b of every token, shape (V, 3 n): no step needs to multiply by W again."""
    E, W, b = parameters[embedding], parameters[f"{cell}.W_xh"], parameters[f"{cell}.b_h"]
    found: Floats = E @ rows(W)[:, : E.shape[1]].T + b.reshape(-1)
    return found


def _decode(
    parameters: Parameters,
    bos: int,
    target: Tokens,
    start: Floats,
    scorer: ProductScoring | TanhScoring | None,
    mask: Floats,
) -> _Decoded:
    """Decode after the right tokens. `mask` (B, T) is -inf past a source's length."""
    W_hh = parameters["decoder.W_hh"]
    tokens = np.concatenate([np.full((len(target), 1), bos), target[:, :-1]], axis=1).T
    driven = _table(parameters, "E_target", "decoder")[tokens]
    W_context = _context_weights(parameters)
    run, weights = empty_run(len(tokens), start), list[Floats]()
    contexts = None if scorer is None else np.empty_like(run.g)
    for t, inputs in enumerate(driven):
        if scorer is not None and contexts is not None:
            weights.append(_softmax(scorer.energies(run.h[t]) + mask.astype(start.dtype)))
            contexts[t] = (weights[t][:, None, :] @ scorer.memory)[:, 0]
            inputs += contexts[t] @ W_context.T  # noqa: PLW2901 -- driven is this run's own
        take_step(run, t, inputs, W_hh)
    return _Decoded(run, tokens, weights, contexts)


def _context_weights(parameters: Parameters) -> Floats:
    """The columns of the decoder's W_xh that read the context, as (3 n, n); none without attention."""
    return rows(parameters["decoder.W_xh"])[:, parameters["E_target"].shape[1] :]


def _softmax(energies: Floats) -> Floats:
    energies -= energies.max(axis=1, keepdims=True)
    np.exp(energies, out=energies)
    energies /= energies.sum(axis=1, keepdims=True)
    return energies


def _losses(parameters: Parameters, states: Floats, batch: Batch) -> tuple[float, int, Floats]:
    """Return the mean loss, how many rows are all right, and dL/dy (U, B, m) = (softmax(y) - target) / tokens."""
    goal, valid = batch.target.T, _valid(batch.target_lengths, batch.target.shape[1]).T
    logits = states @ parameters["decoder.W_hy"].T + parameters["decoder.b_y"]
    right = int(((logits.argmax(axis=-1) == goal) | ~valid).all(axis=0).sum())
    shares = _softmax(rows(logits))
    count, chosen = int(valid.sum()), (np.arange(goal.size), goal.reshape(-1))
    loss = -np.log(np.maximum(shares[chosen], np.finfo(shares.dtype).tiny))[valid.reshape(-1)].sum() / count
    shares[chosen] -= 1
    shares *= (valid.reshape(-1, 1) / count).astype(shares.dtype)
    return float(loss), right, shares.reshape(logits.shape)


def _decoder_back(
    parameters: Parameters, decoded: _Decoded, scorer: ProductScoring | TanhScoring | None, d_logits: Floats
) -> tuple[dict[str, Floats], Floats, Floats | None]:
    """Return the gradients of the decoder's and the attention's parameters, dL/dh_0, and dL/d memory (B, T, n)."""
    run, W_hh, W_context = decoded.run, parameters["decoder.W_hh"], _context_weights(parameters)
    total = np.zeros_like(run.h)
    total[1:] = d_logits @ parameters["decoder.W_hy"]
    delta = np.empty((*run.g.shape[:2], 3 * run.g.shape[2]), run.g.dtype)
    d_memory = None if scorer is None else np.zeros_like(scorer.memory)
    for t in range(len(delta) - 1, -1, -1):
        total[t] += step_back(run, t, W_hh, total[t + 1], delta[t])
        if scorer is not None and d_memory is not None:
            d_context = delta[t] @ W_context
            d_weights = (scorer.memory @ d_context[:, :, None])[:, :, 0]
            weights = decoded.weights[t]
            d_energies = weights * (d_weights - (weights * d_weights).sum(axis=1, keepdims=True))
            total[t] += scorer.back(t, run.h[t], d_energies)
            d_memory += weights[:, :, None] * d_context[:, None, :]
    gradients = _of_decoder(parameters, decoded, delta, d_logits)
    if scorer is not None and d_memory is not None:
        through_keys, own = scorer.finish()
        d_memory += through_keys
        gradients |= {f"attention.{name}": value for name, value in own.items()}
    return gradients, total[0], d_memory


def _of_decoder(parameters: Parameters, decoded: _Decoded, delta: Floats, d_logits: Floats) -> dict[str, Floats]:
    found = {
        "decoder.W_hy": rows(d_logits).T @ rows(decoded.run.h[1:]),
        "decoder.b_y": rows(d_logits).sum(axis=0),
        "decoder.W_hh": recurrent_gradient(decoded.run, delta),
    }
    found |= _of_inputs(parameters, "E_target", "decoder", decoded.tokens, delta)
    if decoded.contexts is not None:
        of_context = rows(delta).T @ rows(decoded.contexts)
        both = np.concatenate([rows(found["decoder.W_xh"]), of_context], axis=1)
        found["decoder.W_xh"] = both.reshape(parameters["decoder.W_xh"].shape)
    return found


def _of_inputs(parameters: Parameters, embedding: str, cell: str, tokens: Tokens, delta: Floats) -> dict[str, Floats]:
    """Return the gradients of a table of embeddings, of the W that reads it and of b, from dL/da (T, B, 3 n)."""
    E, n = parameters[embedding], delta.shape[-1] // 3
    chosen = (tokens.reshape(-1, 1) == np.arange(len(E))).astype(delta.dtype)
    of_table = chosen.T @ rows(delta)
    W = rows(parameters[f"{cell}.W_xh"])[:, : E.shape[1]]
    return {
        embedding: of_table @ W,
        f"{cell}.W_xh": (of_table.T @ E).reshape(3, n, -1),
        f"{cell}.b_h": of_table.sum(axis=0).reshape(3, n),
    }


def _encoder_back(parameters: Parameters, run: GateRun, source: Tokens, arriving: Floats) -> dict[str, Floats]:
    """Carry what arrives at each state (T + 1, B, n) back through the encoder."""
    W_hh, total = parameters["encoder.W_hh"], arriving[-1]
    delta = np.empty((*run.g.shape[:2], 3 * run.g.shape[2]), run.g.dtype)
    for t in range(len(delta) - 1, -1, -1):
        total = step_back(run, t, W_hh, total, delta[t]) + arriving[t]
    return {"encoder.W_hh": recurrent_gradient(run, delta)} | _of_inputs(
        parameters, "E_source", "encoder", source.T, delta
    )
