"""Gradients of an encoder-decoder: back through decoder, attention and encoder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .arrays import Array, read_only
from .attention import attention_weights_vjp, context_vjp
from .cells.readout import read_out_vjp
from .cells.step import StepGradients, outer_sum
from .chain import ChainGradients, chain_vjp
from .losses import dcross_entropy, one_hot
from .scorers import ScorerGradients, added
from .seq2seq import EncoderDecoder, Encoding, Tokens, arrays_of
from .seq2seq_run import EncoderDecoderTrace


@dataclass(frozen=True, eq=False)
class EncoderDecoderGradients:
    """Gradients of the sum of a run's losses; read-only float64.

    Attributes
    ----------
    parameters : name as in `EncoderDecoder.parameters` -> dL/d parameter, summed over the batch
    logits : (..., U, m)
    states : (..., U + 1, s)
        dL/d decoder state_t, through all that follows, the attention of the next step included.
    energies : (..., U, T) or None
    encoder_states : (..., T + 1, s)
        dL/d encoder state_t, through the later encoder steps as well.
    from_decoder : (..., T + 1, s)
        What of that comes from the decoder itself: by attention, and at T by the hand-over.
    """

    parameters: Mapping[str, Array]
    logits: Array
    states: Array
    energies: Array | None
    encoder_states: Array
    from_decoder: Array


def encoder_decoder_gradients(model: EncoderDecoder, trace: EncoderDecoderTrace) -> EncoderDecoderGradients:
    """Differentiate the sum of the losses. Tokens that the decoder chose itself count as given."""
    with np.errstate(over="ignore", invalid="ignore"):
        d_logits = dcross_entropy(trace.logits, one_hot(trace.target, len(model.E_target)))
        if trace.valid is not None:
            d_logits = np.where(trace.valid[..., None], d_logits, 0.0)
        sweep = _sweep_decoder(model, trace, d_logits)
        arriving = np.zeros(trace.encoding.states.shape)
        arriving[..., -1, :] = sweep.states[..., 0, :]
        arriving[..., 1:, : model.hidden_size] += sweep.memory
        encoder = chain_vjp(model.encoder, trace.encoding.xs, trace.encoding.states, arriving, trace.encoding.valid)
        parameters = _parameters(model, trace, d_logits, sweep, encoder)
    return EncoderDecoderGradients(
        parameters={name: read_only(value) for name, value in parameters.items()},
        logits=read_only(d_logits),
        states=read_only(sweep.states),
        energies=None if model.attention is None else read_only(sweep.energies),
        encoder_states=encoder.states,
        from_decoder=read_only(arriving),
    )


@dataclass(frozen=True, eq=False)
class _Sweep:
    states: Array
    inputs: Array
    preactivations: Array
    energies: Array
    memory: Array
    attention: Mapping[str, Array]


def _sweep_decoder(model: EncoderDecoder, trace: EncoderDecoderTrace, d_logits: Array) -> _Sweep:
    """Carry dL/dy back through the decoder's steps, and gather what reaches the memory."""
    total = np.zeros(trace.states.shape)
    total[..., 1:, : model.hidden_size] = read_out_vjp(np.asarray(model.decoder.W_hy), d_logits)
    before, keys = trace.states[..., :-1, :], trace.encoding.keys
    d_inputs = np.empty(trace.inputs.shape)
    delta = np.zeros(model.decoder.preactivations(trace.inputs, before).shape)
    energies = np.zeros((*trace.target.shape, trace.encoding.memory.shape[-2]))
    d_keys = np.zeros(0 if keys is None else keys.shape)
    attention = {name: np.zeros_like(value) for name, value in arrays_of(model.attention).items()}
    delta_steps = np.moveaxis(delta, trace.target.ndim - 1, 0)
    for t in range(trace.target.shape[-1] - 1, -1, -1):
        weights = None if trace.weights is None else trace.weights[..., t, :]
        x, state = trace.inputs[..., t, :], before[..., t, :]
        step, scored = step_vjp(model, trace.encoding, x, state, weights, total[..., t + 1, :])
        total[..., t, :] += step.state
        d_inputs[..., t, :] = step.x
        delta_steps[t] = step.preactivations
        if scored is not None:
            energies[..., t, :] = scored.energies
            d_keys += scored.back.keys
            attention = added(attention, scored.back.parameters)
    memory, of_keys = _at_memory(model, trace, d_inputs, d_keys)
    return _Sweep(total, d_inputs, delta, energies, memory, added(attention, of_keys))


@dataclass(frozen=True, eq=False)
class _Scored:
    """Gradients in front of one step: of the energies (..., T), and behind them."""

    energies: Array
    back: ScorerGradients


def step_vjp(
    model: EncoderDecoder, encoding: Encoding, x: Array, state: Array, weights: Array | None, gradient: Array
) -> tuple[StepGradients, _Scored | None]:
    """Carry dL/d state_t back through one decoder step and the attention in front of it.

    Returns the step's gradients, its state with the path through the context added, and those of
    the attention; None without one.
    """
    step = model.decoder.vjp(x, state, gradient)
    if model.attention is None or encoding.keys is None or weights is None:
        return step, None
    n = model.hidden_size
    energies = attention_weights_vjp(weights, context_vjp(encoding.memory, step.x[..., -n:]))
    back = model.attention.vjp(state[..., :n], encoding.keys, energies)
    through = step.state.copy()
    through[..., :n] += back.s
    return StepGradients(through, step.x, step.preactivations), _Scored(energies, back)


def _at_memory(
    model: EncoderDecoder, trace: EncoderDecoderTrace, d_inputs: Array, d_keys: Array
) -> tuple[Array, dict[str, Array]]:
    """dL/dh_j of the memory, (..., T, n), and the parameters of the keys.

    sum_t weights_tj dL/d context_t, and what comes through the keys.
    """
    memory = trace.encoding.memory
    if model.attention is None or trace.weights is None:
        return np.zeros(memory.shape), {}
    d_contexts = d_inputs[..., -model.hidden_size :]
    through_keys, parameters = model.attention.keys_vjp(memory, d_keys)
    return np.swapaxes(trace.weights, -1, -2) @ d_contexts + through_keys, parameters


def _parameters(
    model: EncoderDecoder, trace: EncoderDecoderTrace, d_logits: Array, sweep: _Sweep, encoder: ChainGradients
) -> dict[str, Array]:
    before, n = trace.states[..., :-1, :], model.hidden_size
    decoder = model.decoder.parameter_gradients(trace.inputs, before, sweep.preactivations)
    decoder["W_hy"] = outer_sum(d_logits, trace.states[..., 1:, :n])
    decoder["b_y"] = d_logits.reshape(-1, d_logits.shape[-1]).sum(axis=0)
    embedded = sweep.inputs[..., : model.E_target.shape[1]]
    return {
        "E_source": _rows_added(model.E_source, trace.source, encoder.inputs),
        "E_target": _rows_added(model.E_target, trace.tokens, embedded),
        **{f"encoder.{name}": value for name, value in encoder.parameters.items()},
        **{f"decoder.{name}": value for name, value in decoder.items()},
        **{f"attention.{name}": value for name, value in sweep.attention.items()},
    }


def _rows_added(table: Array, tokens: Tokens, gradient: Array) -> Array:
    """dL/d table: each token's gradient added to its row."""
    total = np.zeros(table.shape)
    np.add.at(total, tokens, gradient)
    return total


def decoder_jacobians(model: EncoderDecoder, trace: EncoderDecoderTrace) -> Array:
    """J[t - 1] = d state_t / d state_{t-1} of the decoder, (U, s, s), for a run without a batch.

    With attention the state also chooses the context: J_cell + d state_t / d context_t
    d context_t / d state_{t-1}.
    """
    if trace.target.ndim != 1:
        raise ValueError(f"trace must be of one source (T,), got a batch of shape {trace.target.shape[:-1]}")
    size = model.decoder.state_size
    seeds = np.broadcast_to(np.eye(size), (len(trace.target), size, size))
    weights = None if trace.weights is None else trace.weights[:, None, :]
    with np.errstate(over="ignore", invalid="ignore"):
        return step_vjp(
            model, trace.encoding, _repeated(trace.inputs, size), _repeated(trace.states[:-1], size), weights, seeds
        )[0].state


def _repeated(rows: Array, times: int) -> Array:
    """Return (U, k) rows as (U, times, k), one for each seed."""
    return np.broadcast_to(rows[:, None, :], (len(rows), times, rows.shape[1]))
