"""Numbers of /seq2seq: states, scores, weights, contexts, probabilities, losses and what reaches the encoder."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from rnnscope.core import EncoderDecoder, encode, run_encoder_decoder
from rnnscope.core.seq2seq import Encoding, decoder_input

from ...translation import Translation
from ...translation_numbers import exponentials, gradient_norms, models, score_terms, step_loss
from ...words import Phrase, phrase, symbol
from .answer import CENTRAL, OTHER_WAY, Asked, Check, Entry, MissingError, check, step_alone

STEP = 1e-5


def run_of(asked: Asked) -> Translation:
    found: Translation = asked.lab.run
    return found


def attending(asked: Asked) -> Translation:
    """The run, where its model attends."""
    run = run_of(asked)
    if run.trace.weights is None:
        raise MissingError(f"A model without attention has no {asked.symbol}.")
    return run


def at_character(asked: Asked) -> str:
    return f", step {asked.t}, character {asked.unit + 1}"


def titled(letter: str, sub: Callable[[Asked], str]) -> Callable[[Asked], Phrase]:
    return lambda asked: phrase(symbol(letter, sub(asked)))


def pair(asked: Asked) -> str:
    return f"{asked.t}, {asked.unit + 1}"


def only_step(asked: Asked) -> str:
    return str(asked.t)


# --- the same numbers again ------------------------------------------------------------------


def weight_again(asked: Asked) -> float:
    """A softmax with exact sums."""
    row = attending(asked).attended[0][asked.t - 1]
    return 1.0 / math.fsum(math.exp(min(700.0, score - row[asked.unit])) for score in row)


def score_again(asked: Asked) -> float:
    return math.fsum(score_terms(run_of(asked), asked.t, asked.unit + 1))


def context_again(asked: Asked) -> float:
    run = run_of(asked)
    return math.fsum(run.attended[1][asked.t - 1] * run.trace.encoding.memory[:, asked.unit])


def encoder_again(asked: Asked) -> float:
    """One step of the encoder from the state before; the first state is 0."""
    run = run_of(asked)
    states = run.trace.encoding.states
    if asked.t == 0:
        return 0.0
    x = run.model.E_source[run.source[asked.t - 1]]
    return float(run.model.encoder.step(x, states[asked.t - 1])[asked.unit])


def decoder_again(asked: Asked) -> float:
    run = run_of(asked)
    if asked.t == 0:
        return float(run.trace.encoding.states[-1, asked.unit])
    x, _ = decoder_input(run.model, run.trace.encoding, run.trace.tokens[asked.t - 1], run.trace.states[asked.t - 1])
    return float(run.model.decoder.step(x, run.trace.states[asked.t - 1])[asked.unit])


def share_again(run: Translation, t: int, token: int) -> float:
    logits = run.trace.logits[t - 1]
    return 1.0 / math.fsum(math.exp(min(700.0, y - logits[token])) for y in logits)


def chosen_again(asked: Asked) -> float:
    run = run_of(asked)
    return share_again(run, asked.t, int(run.outputs[asked.t - 1]))


def _again(make: Callable[[Asked], float]) -> Callable[[Asked, float], list[Check]]:
    return lambda asked, value: [check("Computed again from its equation", make(asked), value, "other", OTHER_WAY)]


# --- what reaches the encoder ----------------------------------------------------------------


def reaching_model(asked: Asked) -> EncoderDecoder:
    return models(run_of(asked))[asked.symbol == "grad_without"]


def reach_rows(asked: Asked) -> tuple[Any, int]:
    run = run_of(asked)
    return gradient_norms(reaching_model(asked), run.source, run.goal, asked.t)[None], asked.t


def loss_after(
    model: EncoderDecoder, encoding: Encoding, goal: np.ndarray, t: int, j: int, change: np.ndarray
) -> float:
    """The loss of step t after h_j has moved: the encoder and the decoder go on from there."""
    states = encoding.states.copy()
    states[j, : len(change)] += change
    for later in range(j + 1, len(states)):
        states[later] = model.encoder.step(encoding.xs[later - 1], states[later - 1])
    memory = states[1:, : model.hidden_size]
    keys = None if model.attention is None else model.attention.keys(memory)
    moved = replace(encoding, states=states, memory=memory, keys=keys)
    state, token = states[-1], model.bos
    for step in range(t):
        x, _ = decoder_input(model, moved, np.asarray(token), state)
        state = model.decoder.step(x, state)
        token = int(goal[step])
    logits = np.asarray(model.decoder.W_hy) @ state[: model.hidden_size] + np.asarray(model.decoder.b_y)
    top = logits.max()
    return float(top + math.log(math.fsum(np.exp(logits - top))) - logits[goal[t - 1]])


def central_norm(model: EncoderDecoder, source: np.ndarray, goal: np.ndarray, t: int, j: int) -> float:
    """||dL_t / dh_j|| by central differences, one unit after the other."""
    encoding = encode(model, source)
    found = []
    for unit in range(model.hidden_size):
        change = np.zeros(model.hidden_size)
        change[unit] = STEP
        up, down = (loss_after(model, encoding, goal, t, j, sign * change) for sign in (1, -1))
        found.append((up - down) / (2 * STEP))
    return float(np.linalg.norm(found))


def reach_checks(asked: Asked, value: float) -> list[Check]:
    run = run_of(asked)
    other = central_norm(reaching_model(asked), run.source, run.goal, asked.t, asked.unit + 1)
    return [check("Central differences of the loss of this step", other, value, "central", CENTRAL)]


def loss_again(asked: Asked) -> float:
    run = run_of(asked)
    trace = run_encoder_decoder(run.model, run.source, run.trace.target, run.forced)
    return float(trace.loss[asked.t - 1])


def entry(
    words: str, title: Any, rows: Any, code: str, again: Any, formula: str = "", where: Any = step_alone
) -> Entry:
    return Entry(
        words=words,
        title=title,
        rows=rows,
        code=lambda at: code.format(t=at.t, p=at.t - 1, unit=at.unit),
        checks=_again(again),
        formula=lambda _: phrase(formula) if formula else [],
        where=where,
    )


def unit_words(asked: Asked) -> str:
    return f", step {asked.t}, unit {asked.unit + 1}"


def reach_entry(words: str, model: str) -> Entry:
    setup = "from rnnscope.app.translation_numbers import gradient_norms, models"
    return Entry(
        words=words,
        title=lambda at: phrase("‖∂", symbol("L", str(at.t)), "/∂", symbol("h", str(at.unit + 1)), "‖"),
        rows=reach_rows,
        setup=lambda _: [setup],
        code=lambda at: f"gradient_norms(models(r)[{model}], r.source, r.goal, {at.t})[{at.unit}]",
        checks=reach_checks,
        where=at_character,
    )


def loss_entry(words: str, model: int) -> Entry:
    """The loss of one step of one of two models, the target forced."""

    def rows(asked: Asked) -> tuple[Any, int]:
        run = run_of(asked)
        return [step_loss(models(run)[model], run.source, run.goal, asked.t)], asked.t

    def again(asked: Asked) -> float:
        run = run_of(asked)
        found = models(run)[model]
        nothing = np.zeros(found.hidden_size)
        return loss_after(found, encode(found, run.source), run.goal, asked.t, run.T, nothing)

    code = f"step_loss(models(r)[{model}], r.source, r.goal, {{t}})"
    found = entry(f"loss of a step {words}, the target forced", titled("L", only_step), rows, code, again)
    return replace(found, setup=lambda _: ["from rnnscope.app.translation_numbers import models, step_loss"])


SEQUENCES = {
    "h": entry("encoder state", titled("h", only_step), lambda at: (run_of(at).trace.encoding.states, 0),
               "r.trace.encoding.states[{t}, {unit}]", encoder_again, where=unit_words),
    "s": entry("decoder state", titled("s", only_step), lambda at: (run_of(at).trace.states, 0),
               "r.trace.states[{t}, {unit}]", decoder_again, where=unit_words),
    "e": entry("attention score", titled("e", pair), lambda at: (attending(at).attended[0], 1),
               "r.trace.energies[{p}, {unit}]", score_again, where=at_character),
    "exp_e": entry("exponential of a score, the largest score of the row taken off", titled("exp e", pair),
                   lambda at: (exponentials(attending(at).attended[0]), 1),
                   "np.exp(r.trace.energies[{p}] - r.trace.energies[{p}].max())[{unit}]",
                   lambda at: math.exp(score_again(at) - float(attending(at).attended[0][at.t - 1].max())),
                   where=at_character),
    "exp_sum": entry("sum of the exponentials of a row", lambda _: phrase("Σ exp"),
                     lambda at: (exponentials(attending(at).attended[0]).sum(axis=1), 1),
                     "np.exp(r.trace.energies[{p}] - r.trace.energies[{p}].max()).sum()",
                     lambda at: math.fsum(exponentials(attending(at).attended[0])[at.t - 1])),
    "alpha_sum": entry("sum of the weights of a row", lambda _: phrase("Σ α"),
                       lambda at: (attending(at).attended[1].sum(axis=1), 1),
                       "r.trace.weights[{p}].sum()", lambda _: 1.0),
    "alpha": entry("attention weight", titled("α", pair), lambda at: (attending(at).attended[1], 1),
                   "r.trace.weights[{p}, {unit}]", weight_again, "exp e / Σ exp e", at_character),
    "c": entry("entry of the context", titled("c", only_step), lambda at: (attending(at).contexts, 1),
               "r.contexts[{p}, {unit}]", context_again, "Σ α h", unit_words),
    "p": entry("probability of the token that stands there", titled("p", only_step),
               lambda at: (run_of(at).chosen_probabilities, 1), "r.chosen_probabilities[{p}]", chosen_again),
    "p_next": entry("probability of a token", titled("p", pair), lambda at: (run_of(at).probabilities, 1),
                    "r.probabilities[{p}, {unit}]", lambda at: share_again(run_of(at), at.t, at.unit),
                    where=lambda at: f", step {at.t}, token {at.unit + 1}"),
    "L": entry("loss of a step", titled("L", only_step), lambda at: (run_of(at).trace.loss, 1),
               "r.trace.loss[{p}]", loss_again),
    "L_with": loss_entry("with attention", 0),
    "L_without": loss_entry("without attention", 1),
    "grad_with": reach_entry("norm of the loss's gradient at an encoder state, with attention", "0"),
    "grad_without": reach_entry("norm of the loss's gradient at an encoder state, without attention", "1"),
}  # fmt: skip
