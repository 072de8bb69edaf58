"""The training loop: rounds of updates, each of which can be the last one before a stop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from ..clipping import clip_by_global_norm
from ..seq2seq import EncoderDecoder, Tokens
from .adam import Adam
from .forced import Batch, Forced, forced_gradients
from .recipe import Recipe, build_model, examples_rng, start_model, task_of
from .tasks import Example, Task

#: Updates a round: their examples are drawn together and sorted by length, so that batches hold little padding.
ROUND = 25


@dataclass(frozen=True, eq=False)
class Progress:
    """A training run after a round; all that is needed to go on to the bit.

    Attributes
    ----------
    recipe : Recipe
    adam : Adam
    rng_state : mapping
        Of the generator of the examples.
    curve : tuple of (step, loss, accuracy)
        One entry a round: means over it of the loss a token, and of the share of examples all of whose
        tokens were the likeliest, each after the right ones.
    """

    recipe: Recipe
    adam: Adam
    rng_state: Mapping[str, Any]
    curve: tuple[tuple[int, float, float], ...] = ()

    @property
    def step(self) -> int:
        """Updates so far."""
        return self.adam.step

    @property
    def loss(self) -> float:
        """Mean loss a token in the last round; NaN before the first."""
        return self.curve[-1][1] if self.curve else float("nan")

    @property
    def accuracy(self) -> float:
        """Share of examples all right in the last round, with teacher forcing; NaN before the first."""
        return self.curve[-1][2] if self.curve else float("nan")

    @property
    def done(self) -> bool:
        """Whether all updates are made."""
        return self.step >= self.recipe.steps

    def model(self) -> EncoderDecoder:
        """Return the model as it is now, its numbers rounded to float32: as it ships."""
        rounded = {name: value.astype(np.float32).astype(np.float64) for name, value in self.adam.parameters.items()}
        return build_model(self.recipe, rounded)


def begin(recipe: Recipe) -> Progress:
    """Return a run before its first update."""
    return Progress(recipe, Adam.start(start_model(recipe).parameters()), examples_rng(recipe).bit_generator.state)


def train(progress: Progress) -> Iterator[Progress]:
    """Yield the run after every round until it is done; `progress` may be any that an earlier call yielded."""
    while not progress.done:
        progress = train_round(progress)
        yield progress


def train_round(progress: Progress) -> Progress:
    """Make the next updates of a run: a round, or what is left of it."""
    recipe, rng, adam = progress.recipe, _restored(progress.rng_state), progress.adam
    count = min(ROUND, recipe.steps - adam.step)
    results = []
    for batch in draw_batches(task_of(recipe), rng, count, recipe.batch):
        result = _forced(recipe, adam, batch)
        clipped, _ = clip_by_global_norm(result.gradients, recipe.clip)
        adam = adam.updated(clipped, recipe.rate(adam.step + 1))
        results.append(result)
    loss = sum(result.loss for result in results) / count
    right = sum(result.right for result in results) / (count * recipe.batch)
    return Progress(recipe, adam, rng.bit_generator.state, (*progress.curve, (adam.step, loss, right)))


def draw_batches(task: Task, rng: Generator, count: int, size: int) -> list[Batch]:
    """Draw `count` batches of `size` examples of like lengths, in random order."""
    examples = sorted(task.examples(rng, count * size), key=lambda example: len(example[0]))
    return [make_batch(task, examples[i * size : (i + 1) * size]) for i in rng.permutation(count).tolist()]


def make_batch(task: Task, examples: list[Example]) -> Batch:
    """Return examples as padded rows of tokens."""
    sources = _padded([task.encode_source(source) for source, _ in examples])
    targets = _padded([task.encode_target(target) for _, target in examples])
    return Batch(*sources, *targets)


def _forced(recipe: Recipe, adam: Adam, batch: Batch) -> Forced:
    """The float32 in which a run computes halves its time; Adam's float64 adds up what one step hardly moves."""
    single: dict[str, Any] = {name: value.astype(np.float32) for name, value in adam.parameters.items()}
    return forced_gradients(recipe.attention, single, task_of(recipe).bos, batch)


def _padded(tokens: list[Tokens]) -> tuple[Tokens, Tokens]:
    """Return rows (B, T) filled up with 0, and their lengths (B,)."""
    lengths = np.array([len(row) for row in tokens])
    padded = np.zeros((len(tokens), int(lengths.max())), dtype=np.int64)
    padded[np.arange(padded.shape[1]) < lengths[:, None]] = np.concatenate(tokens)
    return padded, lengths


def _restored(state: Mapping[str, Any]) -> Generator:
    rng = np.random.default_rng()
    rng.bit_generator.state = state
    return rng
