"""What an encoder-decoder makes of a typed source: its run, and what it writes by itself. No Panel.

Source positions j and target steps t are counted from 1. A target ends with the token that ends sequences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from rnnscope.core import (
    AdditiveScorer,
    ConcatScorer,
    EncoderDecoder,
    EncoderDecoderTrace,
    Encoding,
    GeneralScorer,
    Hypothesis,
    SearchTree,
    beam_search,
    encode,
    greedy_decode,
    run_encoder_decoder,
    softmax,
)
from rnnscope.core.training import Task

from .weights import Trained, load


@dataclass(frozen=True)
class Wanted:
    """What is asked of a trained model; the names are those of the query string of /seq2seq."""

    task: str = "dates"
    attention: str = "additive"
    text: str = ""
    goal: str = ""
    mode: str = "free"
    mix: float = 0.5
    seed: int = 0
    decoding: str = "beam"
    beam: int = 4
    temperature: float = 1.0

    #: How a script makes the run again.
    SCRIPT: ClassVar[tuple[str, str]] = ("from rnnscope.app.translation import Wanted, translate", "translate")


@dataclass(frozen=True, eq=False)
class Translation:
    """A source read, and a target written.

    What the run in its mode does not need, of the two searches and the goal, is found when it is asked
    for, from the one encoding.

    Attributes
    ----------
    config : Wanted
    trained : Trained
        As it ships.
    model : EncoderDecoder
        That of `trained`, its scores divided by the temperature.
    encoding : Encoding
        The source as the model has read it.
    answer : (U',) or None
        The target that is typed, or else the task's own; its end included.
    goal_from : "typed", "task" or "model"
        Of a text without an answer the goal is what the model writes itself.
    """

    config: Wanted
    trained: Trained
    model: EncoderDecoder
    encoding: Encoding
    answer: np.ndarray | None
    goal_from: str

    @cached_property
    def tree(self) -> SearchTree:
        """The beam search, whatever `decoding` is."""
        return beam_search(self.model, self.encoding, self.config.beam, self.task.target_limit)

    @cached_property
    def greedy(self) -> Hypothesis:
        """What greedy decoding writes."""
        found = greedy_decode(self.model, self.encoding, self.task.target_limit)
        tokens = tuple(found.tokens[: int(found.lengths)].tolist())
        return Hypothesis(tokens, float(found.log_probabilities), tokens[-1] == self.model.eos)

    @property
    def goal(self) -> np.ndarray:
        """What is right, and what is forced, (U',): its end included."""
        return np.array(self.greedy.tokens) if self.answer is None else self.answer

    @cached_property
    def forced(self) -> np.ndarray:
        """Where step t reads the target, booleans (U,); step 1 reads bos in any case."""
        return read_from_target(self.config, len(self._target))

    @cached_property
    def trace(self) -> EncoderDecoderTrace:
        """The run that is drawn. Its target is the goal; in mode "free" what the model wrote."""
        return run_encoder_decoder(self.model, self.encoding, self._target, self.forced)

    @property
    def _target(self) -> np.ndarray:
        return np.array(self.best.tokens) if self.config.mode == "free" else self.goal

    @property
    def source(self) -> np.ndarray:
        """Its tokens, (T,)."""
        return self.encoding.tokens

    @property
    def task(self) -> Task:
        return self.trained.task

    @property
    def T(self) -> int:
        """Characters of the source."""
        return len(self.source)

    @property
    def U(self) -> int:
        """Steps of the decoder that is drawn."""
        return len(self.trace.target)

    @property
    def best(self) -> Hypothesis:
        """What the model writes by itself, as `decoding` has it."""
        return self.greedy if self.config.decoding == "greedy" else self.tree.hypotheses[0]

    @property
    def outputs(self) -> np.ndarray:
        """The token that stands at each step (U,): in mode "free" what was written, else the likeliest."""
        return self.trace.target if self.config.mode == "free" else self.trace.predictions

    @property
    def attended(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores and weights, (U, T) each; ValueError for a model without attention."""
        if self.trace.energies is None or self.trace.weights is None:
            raise ValueError("attention must be one of additive, dot, general, concat here, got 'none'")
        return self.trace.energies, self.trace.weights

    @property
    def contexts(self) -> np.ndarray:
        """What each step attends to, (U, n): the last part of what it reads."""
        return self.trace.inputs[:, -self.model.hidden_size :]

    @property
    def chosen_probabilities(self) -> np.ndarray:
        """Of the token that stands at each step, (U,)."""
        return self.probabilities[np.arange(self.U), self.outputs]

    @property
    def probabilities(self) -> np.ndarray:
        """softmax(y_t) of every step, (U, m)."""
        return softmax(self.trace.logits)

    def text_of(self, tokens: Any) -> str:
        return str(self.task.decode_target([int(token) for token in tokens if token != self.model.eos]))


def translate(wanted: Wanted) -> Translation:
    """Read the source; the searches and the decoder's run follow from it."""
    trained = load(wanted.task, wanted.attention)
    model = tempered(trained.model, wanted.temperature)
    encoding = encode(model, np.asarray(trained.task.encode_source(wanted.text)))
    return Translation(wanted, trained, model, encoding, *_answer(wanted, trained.task))


def first_difference(run: Translation) -> int | None:
    """The first step at which what was written parts from the goal; None where it does not."""
    pairs = zip(run.best.tokens, run.goal.tolist(), strict=False)
    apart = next((t for t, (own, right) in enumerate(pairs, 1) if own != right), None)
    shorter = min(len(run.best.tokens), len(run.goal))
    return shorter + 1 if apart is None and len(run.best.tokens) != len(run.goal) else apart


def tempered(model: EncoderDecoder, temperature: float) -> EncoderDecoder:
    """The model with every score divided by the temperature: a scorer's last factor is."""
    scorer = model.attention
    if scorer is None or temperature == 1.0:
        return model
    if isinstance(scorer, (AdditiveScorer, ConcatScorer)):
        return model.with_parameters({"attention.v": scorer.v / temperature})
    factor = scorer.W if isinstance(scorer, GeneralScorer) else np.eye(model.hidden_size)
    return replace(model, attention=GeneralScorer(factor / temperature))


def read_from_target(wanted: Wanted, steps: int) -> np.ndarray:
    """Which steps read the target: all, or each with probability `mix`, drawn from `seed`.

    What a free run wrote is its own target: reading it is reading its own choice.
    """
    if wanted.mode != "mixed":
        return np.ones(steps, dtype=bool)
    return np.random.default_rng(wanted.seed).random(steps) < wanted.mix


def _answer(wanted: Wanted, task: Task) -> tuple[np.ndarray | None, str]:
    if wanted.goal:
        return np.asarray(task.encode_target(wanted.goal)), "typed"
    answer = task.answer(wanted.text)
    if answer is not None:
        return np.asarray(task.encode_target(answer)), "task"
    return None, "model"


def translation_arrays(shown: Translation) -> dict[str, np.ndarray]:
    """Every array of a translation under the name that core gives it; weights with their part before a dot."""
    trace = shown.trace
    found = {
        "source": trace.source, "target": trace.target, "tokens": trace.tokens, "goal": shown.goal,
        "forced": shown.forced.astype(np.int64), "outputs": shown.outputs, "encoder_xs": trace.encoding.xs,
        "encoder_states": trace.encoding.states, "inputs": trace.inputs, "states": trace.states,
        "energies": trace.energies, "weights": trace.weights, "logits": trace.logits,
        "probabilities": shown.probabilities, "loss": trace.loss,
    }  # fmt: skip
    present = {name: np.asarray(value) for name, value in found.items() if value is not None}
    return present | {name: np.asarray(value) for name, value in shown.model.parameters().items()}


__all__ = [
    "Translation",
    "Wanted",
    "first_difference",
    "read_from_target",
    "tempered",
    "translate",
    "translation_arrays",
]
