"""Trained models on disk: one NPZ of float32 a model, and one log of how each was made and what it reaches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zipfile import BadZipFile

import numpy as np
from rnnscope.core import EncoderDecoder
from rnnscope.core.training import TASKS, Adam, Progress, Recipe, Task, build_model

from ..files import npz, replace_file
from .errors import WeightsError

#: Where the weights of the package are.
SHIPPED = Path(str(files("rnnscope.assets") / "weights"))
LOG = "log.json"


@dataclass(frozen=True, eq=False)
class Trained:
    """A model that has learned, its task, and its entry in the log (see the README beside the weights)."""

    task: Task
    model: EncoderDecoder
    record: Mapping[str, Any]


@cache  # all of it is immutable, so that sessions can share it
def load(task: str, attention: str) -> Trained:
    """Return a shipped model; ValueError where there is none of this task and attention."""
    records = read_log(SHIPPED)
    name = f"{task}_{attention}"
    if name not in records:
        raise ValueError(f"the model must be one of {', '.join(records)}, got {name!r}")
    with np.load(SHIPPED / f"{name}.npz") as file:
        parameters = {key: file[key] for key in file.files}
    record = records[name]
    return Trained(TASKS[task], build_model(Recipe(**record["recipe"]), parameters), MappingProxyType(record))


def read_log(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the records of a folder by the model's name; none where there is no log."""
    path = folder / LOG
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def write_log(folder: Path, records: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the records, in one rename; one line a list, so that a change can be read."""
    entries = (f"{json.dumps(name)}: {_record_text(record)}" for name, record in sorted(records.items()))
    replace_file(folder / LOG, ("{\n" + ",\n".join(entries) + "\n}\n").encode())


def _record_text(record: Mapping[str, Any]) -> str:
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items()) + "\n}"


def model_bytes(model: EncoderDecoder) -> bytes:
    """Return a model as the NPZ that ships; its numbers are float32 already."""
    return npz({name: value.astype(np.float32) for name, value in model.parameters().items()})


def checkpoint_path(folder: Path, recipe: Recipe) -> Path:
    """Where a run stands until all models are made."""
    return folder / f"{recipe.name}.partial"


def write_checkpoint(folder: Path, progress: Progress, cpu_seconds: float) -> None:
    """Write all that a run needs to go on to the bit, in one rename."""
    adam = progress.adam
    groups = {"p": adam.parameters, "m": adam.m, "v": adam.v}
    arrays = {f"{group}/{name}": value for group, named in groups.items() for name, value in named.items()}
    about = {
        "recipe": asdict(progress.recipe),
        "step": adam.step,
        "rng_state": progress.rng_state,
        "curve": progress.curve,
        "cpu_seconds": cpu_seconds,
    }
    replace_file(checkpoint_path(folder, progress.recipe), npz({**arrays, "about": np.array(json.dumps(about))}))


def read_checkpoint(folder: Path, recipe: Recipe) -> tuple[Progress, float] | None:
    """Return where an earlier run of this recipe was stopped and the CPU seconds it took; None where there is none.

    Raises
    ------
    WeightsError
        Where the file is of another recipe, or no checkpoint.
    """
    path = checkpoint_path(folder, recipe)
    if not path.exists():
        return None
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            about = json.loads(str(file["about"]))
            groups = [{k[2:]: file[k] for k in file.files if k.startswith(f"{group}/")} for group in "pmv"]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise WeightsError(f"{path} is no checkpoint; remove it") from error
    if about["recipe"] != asdict(recipe):
        raise WeightsError(f"{path} is of another recipe; remove it")
    curve = tuple((step, loss, accuracy) for step, loss, accuracy in about["curve"])
    return Progress(recipe, Adam(*groups, about["step"]), about["rng_state"], curve), about["cpu_seconds"]
