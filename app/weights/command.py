"""What `make weights` does: train every model in worker processes, from where an earlier run was stopped."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import numpy as np
from rnnscope.core.training import (
    TASKS,
    Progress,
    Recipe,
    accuracy_by_length,
    begin,
    exact_match,
    held_out_rng,
    train,
)

from ..files import replace_file
from ..sweeps.pool import WorkerPool
from . import files

#: Seconds between two checkpoints of a model: what a kill may cost.
SAVE_EVERY = 3.0
#: Held-out examples that a model is measured on.
MEASURED = 10_000
#: Points of the loss curve that the log keeps.
CURVE_POINTS = 60

Show = Callable[[Sequence["Standing"]], None]


@dataclass(frozen=True, eq=False)
class Standing:
    """How far one model is, and the CPU seconds that it took."""

    progress: Progress
    cpu_seconds: float = 0.0


def make_weights(recipes: Sequence[Recipe], folder: Path, workers: int, show: Show) -> dict[str, dict[str, Any]]:
    """Train the models of `recipes`, write their weights and the log, and return their records.

    `show` is told after every step of the way. However this ends, what is trained is on disk, and the next call
    goes on from there.

    Raises
    ------
    WeightsError
        For a checkpoint of another recipe.
    """
    folder.mkdir(parents=True, exist_ok=True)
    standings = {recipe.name: _standing(folder, recipe) for recipe in recipes}
    show(list(standings.values()))
    pool = WorkerPool(workers)
    try:
        for name, standing in _trained(pool, dict(standings), workers):
            standings[name] = standing
            files.write_checkpoint(folder, standing.progress, standing.cpu_seconds)
            show(list(standings.values()))
        results = {name: pool.submit(measured, at.progress, MEASURED) for name, at in standings.items()}
        records = {name: _write(folder, standings[name], result.result()) for name, result in results.items()}
    finally:
        pool.shutdown()
    files.write_log(folder, {**files.read_log(folder), **records})
    for standing in standings.values():
        files.checkpoint_path(folder, standing.progress.recipe).unlink(missing_ok=True)
    return records


def _standing(folder: Path, recipe: Recipe) -> Standing:
    found = files.read_checkpoint(folder, recipe)
    return Standing(begin(recipe)) if found is None else Standing(*found)


def _trained(pool: WorkerPool, standings: dict[str, Standing], workers: int) -> Iterator[tuple[str, Standing]]:
    """Yield every model's standing as it grows, until all are done; as many at a time as there are workers."""
    waiting = [name for name, standing in standings.items() if not standing.progress.done]
    running: dict[Future[Standing], str] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            name = waiting.pop(0)
            running[pool.submit(advance, standings[name], SAVE_EVERY)] = name
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            name, standing = running.pop(future), future.result()
            yield name, standing
            if not standing.progress.done:
                running[pool.submit(advance, standing, SAVE_EVERY)] = name


def advance(standing: Standing, seconds: float) -> Standing:
    """Train for about so many seconds, at least one round, in a worker."""
    started, cpu, last = monotonic(), process_time(), standing.progress
    for progress in train(standing.progress):
        last = progress
        if monotonic() - started >= seconds:
            break
    return Standing(last, standing.cpu_seconds + process_time() - cpu)


def _write(folder: Path, standing: Standing, result: dict[str, Any]) -> dict[str, Any]:
    """Write a trained model; returns its record."""
    content = files.model_bytes(standing.progress.model())
    replace_file(folder / f"{standing.progress.recipe.name}.npz", content)
    return {
        **result,
        "cpu_seconds": round(standing.cpu_seconds, 1),
        "sha256": hashlib.sha256(content).hexdigest(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def measured(progress: Progress, count: int) -> dict[str, Any]:
    """Return what a trained model reaches on `count` held-out examples, in a worker."""
    recipe, model = progress.recipe, progress.model()
    task = TASKS[recipe.task]
    examples = task.held_out(held_out_rng(recipe), count)
    trained_on = [example for example in examples if len(example[0]) <= task.trained_limit]
    by_length = accuracy_by_length(model, task, examples)
    return {
        "recipe": asdict(recipe),
        "seeds_tried": [recipe.seed],
        "parameters": model.parameter_count,
        "accuracy": exact_match(model, task, trained_on),
        "held_out": len(trained_on),
        "trained_limit": task.trained_limit,
        "by_length": [[group.length, group.right, group.count] for group in by_length],
        "curve": _thinned(progress.curve),
    }


def _thinned(curve: Sequence[tuple[int, float, float]]) -> list[list[float]]:
    """Keep some rounds, the last one always."""
    places = np.unique(np.linspace(0, len(curve) - 1, min(CURVE_POINTS, len(curve))).round().astype(int))
    return [[curve[i][0], round(curve[i][1], 6), round(curve[i][2], 6)] for i in places.tolist()]
