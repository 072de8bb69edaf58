"""What determines a training run, and the model that it starts from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng

from ..arrays import Array, checked_choice
from ..cells import GRU
from ..scorers import AdditiveScorer, ConcatScorer, DotScorer, GeneralScorer, Scorer
from ..seq2seq import EncoderDecoder
from .tasks import TASKS, Task

ATTENTIONS = ("none", "additive", "dot", "general", "concat")


@dataclass(frozen=True)
class Recipe:
    """Every number of a training run; the same recipe gives the same model.

    Parameters
    ----------
    task, attention : names
    hidden_size, embedding_size : n of both GRUs, e of both tables
    batch : examples a step
    steps : updates in all
    learning_rate : the highest; it rises over the first `warm_up` steps and falls to 0 along a cosine
    clip : threshold of the gradient's global norm
    seed : of the start and of the examples
    """

    task: str
    attention: str
    hidden_size: int = 64
    embedding_size: int = 16
    batch: int = 128
    steps: int = 4000
    learning_rate: float = 4e-3
    warm_up: int = 200
    clip: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        checked_choice("task", self.task, TASKS)
        checked_choice("attention", self.attention, ATTENTIONS)

    @property
    def name(self) -> str:
        """Task and attention: "dates_additive"."""
        return f"{self.task}_{self.attention}"

    def rate(self, step: int) -> float:
        """Return the learning rate of a step, 1 … steps (warm-up, then Loshchilov and Hutter 2017, equation 5)."""
        rising = min(1.0, step / self.warm_up)
        return self.learning_rate * rising * 0.5 * (1.0 + math.cos(math.pi * (step - 1) / self.steps))


def start_model(recipe: Recipe) -> EncoderDecoder:
    """Draw the model that training starts from.

    Embeddings N(0, 1); matrices Glorot-uniform (Glorot and Bengio 2010), recurrent ones orthogonal, block by block;
    biases 0.
    """
    task, n, e = TASKS[recipe.task], recipe.hidden_size, recipe.embedding_size
    rng = default_rng(SeedSequence(recipe.seed, spawn_key=(0,)))
    outputs, width = task.eos + 1, e + (0 if recipe.attention == "none" else n)
    return build_model(
        recipe,
        {
            "E_source": rng.standard_normal((len(task.source_alphabet), e)),
            "E_target": rng.standard_normal((outputs, e)),
            **_start_cell("encoder", rng, n, e),
            **_start_cell("decoder", rng, n, width),
            "decoder.W_hy": _glorot(rng, outputs, n),
            "decoder.b_y": np.zeros(outputs),
            **{f"attention.{name}": value for name, value in _start_scorer(recipe.attention, rng, n).items()},
        },
    )


def build_model(recipe: Recipe, parameters: Mapping[str, Any]) -> EncoderDecoder:
    """Return the model of a recipe with these parameters, named as in `EncoderDecoder.parameters`.

    Raises
    ------
    ValueError
        For parameters of other names or of sizes that do not fit each other.
    """
    parts: dict[str, dict[str, Any]] = {"": {}, "encoder": {}, "decoder": {}, "attention": {}}
    for name, value in parameters.items():
        part, _, own = name.rpartition(".")
        parts.setdefault(part, {})[own] = value
    try:
        scorer = _SCORERS[recipe.attention](recipe.hidden_size, parts["attention"])
        encoder, decoder = GRU(**parts["encoder"]), GRU(**parts["decoder"])
        task = TASKS[recipe.task]
        return EncoderDecoder(
            **parts[""], encoder=encoder, decoder=decoder, attention=scorer, bos=task.bos, eos=task.eos
        )
    except TypeError as error:
        raise ValueError(f"parameters must be those of {recipe.name}, got {', '.join(parameters)}") from error


def examples_rng(recipe: Recipe) -> Generator:
    """Return the generator of the examples, a stream of its own beside the start's."""
    return default_rng(SeedSequence(recipe.seed, spawn_key=(1,)))


def held_out_rng(recipe: Recipe) -> Generator:
    """Return the generator of the held-out examples: equal for all models of a task and seed."""
    return default_rng(SeedSequence(recipe.seed, spawn_key=(2,)))


def task_of(recipe: Recipe) -> Task:
    """Return the task of a recipe."""
    return TASKS[recipe.task]


_SCORERS: Mapping[str, Callable[[int, dict[str, Any]], Scorer | None]] = MappingProxyType(
    {
        "none": lambda n, own: None,
        "additive": lambda n, own: AdditiveScorer(**own),
        "dot": lambda n, own: DotScorer(**own),
        "general": lambda n, own: GeneralScorer(**own),
        "concat": lambda n, own: ConcatScorer(**own, state_size=n),
    }
)


def _start_cell(part: str, rng: Generator, n: int, d: int) -> dict[str, Array]:
    return {
        f"{part}.W_xh": _glorot(rng, 3, n, d),
        f"{part}.W_hh": _orthogonal(rng, n),
        f"{part}.b_h": np.zeros((3, n)),
    }


def _start_scorer(kind: str, rng: Generator, n: int) -> dict[str, Array]:
    if kind == "additive":
        return {"W_s": _glorot(rng, n, n), "W_h": _glorot(rng, n, n), "v": _glorot(rng, 1, n)[0]}
    if kind == "concat":
        return {"W": _glorot(rng, n, 2 * n), "v": _glorot(rng, 1, n)[0]}
    return {"W": _glorot(rng, n, n)} if kind == "general" else {}


def _glorot(rng: Generator, *shape: int) -> Array:
    bound = math.sqrt(6.0 / (shape[-1] + shape[-2]))
    return rng.uniform(-bound, bound, shape)


def _orthogonal(rng: Generator, n: int) -> Array:
    """Three blocks, each Haar-distributed: QR of a Gaussian matrix with R's diagonal made positive."""
    q, r = np.linalg.qr(rng.standard_normal((3, n, n)))
    return np.asarray(q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[:, None, :])


RECIPES = MappingProxyType(
    {
        recipe.name: recipe
        for recipe in (
            *(Recipe("dates", attention, steps=4000) for attention in ATTENTIONS),
            *(Recipe("reversal", attention, steps=6000) for attention in ("none", "additive")),
        )
    }
)
"""Name -> the recipe of a model that ships; those of a task differ in the attention alone."""
