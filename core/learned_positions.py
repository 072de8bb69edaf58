"""A table of positions that a small layer of self-attention has learned, and how it is learned.

The task is to name the symbol before each symbol. A layer without positions sees a set and cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_integer, read_only
from .functions import softmax
from .losses import one_hot
from .positional import add_positions, add_positions_vjp
from .self_attention import MultiHeadAttention, MultiHeadTrace, multi_head_vjp, self_attention

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PositionTask:
    """Sequences of `T` symbols, each uniform over `symbols`; the answer is the symbol before (of the first: itself).

    Trained by Adam on fresh batches, one head; the layer, the embedding, the table and the read-out are learned.
    """

    d_model: int
    T: int = 12
    symbols: int = 8
    steps: int = 400
    batch: int = 32
    rate: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("d_model", "T", "symbols", "steps", "batch"):
            checked_integer(name, getattr(self, name), 1)


@dataclass(frozen=True, eq=False)
class LearnedPositions:
    """What training leaves.

    Attributes
    ----------
    table : (T, d_model)
    accuracy : float
        Share of right answers on 512 sequences that were not trained on.
    accuracy_without : float
        The same for a model that was trained in the same way with a table of zeros.
    """

    table: Array
    accuracy: float
    accuracy_without: float


def learn_positions(task: PositionTask) -> LearnedPositions:
    """Train the model of a task with a table and without; the same seed gives the same numbers."""
    learned, without = _train(task, True), _train(task, False)
    accuracies = [_accuracy(task, model) for model in (learned, without)]
    return LearnedPositions(read_only(learned["table"]), accuracies[0], accuracies[1])


def position_loss(task: PositionTask, model: dict[str, Array], symbols: Indices) -> tuple[float, dict[str, Array]]:
    """Return the mean cross-entropy over the answers of symbols (batch, T), and its gradient by parameter.

    `model` holds embedding (symbols, d), table (T, d), projections (4 d, d) and readout (symbols, d).
    """
    trace, logits = _forward(task, model, symbols)
    probabilities = softmax(logits)
    wanted = one_hot(previous_symbols(symbols).ravel(), task.symbols).reshape(logits.shape)
    loss = -np.log((probabilities * wanted).sum(axis=-1)).mean()
    back = (probabilities - wanted) / symbols.size
    gradients = multi_head_vjp(_layer(task, model), trace, back @ model["readout"])
    into = gradients.query + gradients.key + gradients.value
    rows, table = add_positions_vjp(model["table"], into)
    hot = one_hot(symbols.ravel(), task.symbols)
    projections = [gradients.parameters["in_proj_weight"], gradients.parameters["out_proj_weight"]]
    return float(loss), {
        "embedding": hot.T @ rows.reshape(-1, task.d_model),
        "table": table,
        "projections": np.concatenate(projections),
        "readout": back.reshape(-1, task.symbols).T @ trace.out.reshape(-1, task.d_model),
    }


def previous_symbols(symbols: Indices) -> Indices:
    """The answers: each symbol's predecessor in its row; the first one's answer is itself."""
    return np.concatenate([symbols[..., :1], symbols[..., :-1]], axis=-1)


def start_model(task: PositionTask, positions: bool = True) -> dict[str, Array]:
    """Draw the parameters that training starts from; without positions the table is zeros."""
    rng = np.random.default_rng(np.random.SeedSequence(task.seed, spawn_key=(0,)))
    d = task.d_model
    drawn = {
        "embedding": rng.standard_normal((task.symbols, d)),
        "table": rng.standard_normal((task.T, d)),
        "projections": rng.standard_normal((4 * d, d)) / np.sqrt(d),
        "readout": rng.standard_normal((task.symbols, d)) / np.sqrt(d),
    }
    return drawn if positions else {**drawn, "table": np.zeros((task.T, d))}


def _train(task: PositionTask, positions: bool) -> dict[str, Array]:
    model = start_model(task, positions)
    learned = [name for name in model if positions or name != "table"]
    means = {name: np.zeros_like(model[name]) for name in learned}
    squares = {name: np.zeros_like(model[name]) for name in learned}
    rng = np.random.default_rng(np.random.SeedSequence(task.seed, spawn_key=(1,)))
    for step in range(1, task.steps + 1):
        _, gradients = position_loss(task, model, _batch(task, rng, task.batch))
        for name in learned:
            means[name] = 0.9 * means[name] + 0.1 * gradients[name]
            squares[name] = 0.999 * squares[name] + 0.001 * gradients[name] ** 2
            size = np.sqrt(squares[name] / (1 - 0.999**step)) + 1e-8
            model[name] = model[name] - task.rate * means[name] / (1 - 0.9**step) / size
    return model


def _batch(task: PositionTask, rng: np.random.Generator, count: int) -> Indices:
    return rng.integers(task.symbols, size=(count, task.T))


def _accuracy(task: PositionTask, model: dict[str, Array]) -> float:
    rng = np.random.default_rng(np.random.SeedSequence(task.seed, spawn_key=(2,)))
    held_out = _batch(task, rng, 512)
    logits = _forward(task, model, held_out)[1]
    return float((logits.argmax(axis=-1) == previous_symbols(held_out)).mean())


def _forward(task: PositionTask, model: dict[str, Array], symbols: Indices) -> tuple[MultiHeadTrace, Array]:
    xs = add_positions(model["embedding"][symbols], model["table"])
    trace = self_attention(_layer(task, model), xs)
    return trace, trace.out @ model["readout"].T


def _layer(task: PositionTask, model: dict[str, Array]) -> MultiHeadAttention:
    rows = 3 * task.d_model
    return MultiHeadAttention(model["projections"][:rows], out_proj_weight=model["projections"][rows:])
