"""A map on disk: partial results that survive a kill, and a final file that is complete from its first moment.

Partial results stand beside the target as `NAME.partial` (an NPZ, whatever the target is), the fingerprint of the map
inside. Every write goes to a temporary name and is then renamed: nobody ever sees half a file.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from rnnscope.core import ChaosGrid

from ..files import npz, replace_file, writing_name
from . import runner
from .errors import SweepError

SUFFIXES = (".npz", ".zarr")


def fingerprint(grid: ChaosGrid) -> str:
    """Name what the exponents depend on: the network, the axes, the steps; equal for equal maps, in any process."""
    return hashlib.sha256(repr(grid.key()).encode()).hexdigest()


@dataclass(frozen=True)
class Store:
    """Where the map of `grid` goes; `query` is written beside its numbers.

    Raises
    ------
    SweepError
        For a suffix that is neither .npz nor .zarr, a folder that does not exist, and .zarr without Zarr.
    """

    path: Path
    grid: ChaosGrid
    query: str = ""

    def __post_init__(self) -> None:
        if self.path.suffix not in SUFFIXES:
            raise SweepError(f"the name of the file must end in .npz or .zarr, got {self.path.name!r}")
        if not self.path.parent.is_dir():
            raise SweepError(f"there is no folder {str(self.path.parent)!r}")
        if self.path.suffix == ".zarr":
            _zarr()

    @property
    def partial(self) -> Path:
        """Where results stand until the map is complete."""
        return self.path.with_name(f"{self.path.name}.partial")

    def complete(self) -> bool:
        """Whether the target is there and holds this very map.

        Raises
        ------
        SweepError
            Where it holds anything else: it is not written over.
        """
        if not self.path.exists():
            return False
        if self._fingerprint_of(self.path) != fingerprint(self.grid):
            raise SweepError(f"{self.path} is there already and holds something else; remove it or choose another name")
        return True

    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """Return exponents and which batches are done: what an earlier run left, else none.

        Raises
        ------
        SweepError
            Where the earlier run was of another map.
        """
        if not self.partial.exists():
            return runner.empty_map(self.grid)
        if self._fingerprint_of(self.partial) != fingerprint(self.grid):
            raise SweepError(f"{self.partial} is of another map; finish that one, remove it, or choose another name")
        with np.load(self.partial) as file:
            return file["exponents"], file["done"]

    def save_partial(self, exponents: np.ndarray, done: np.ndarray) -> None:
        """Write what there is so far, in one rename."""
        replace_file(self.partial, npz({**self._contents(exponents), "done": done}))

    def finish(self, exponents: np.ndarray) -> None:
        """Write the complete map, in one rename; then drop the partial results."""
        contents = self._contents(exponents)
        if self.path.suffix == ".npz":
            replace_file(self.path, npz(contents))
        else:
            self._write_zarr(contents)
        self.partial.unlink(missing_ok=True)

    def _contents(self, exponents: np.ndarray) -> dict[str, Any]:
        grid = self.grid
        return {
            "rhos": np.array(grid.rhos),
            "strengths": np.array(grid.strengths),
            "exponents": exponents,
            "n": grid.config.n,
            "steps": grid.steps,
            "discard": grid.discard,
            "query": self.query,
            "fingerprint": fingerprint(grid),
        }

    def _write_zarr(self, contents: dict[str, Any]) -> None:
        """Arrays as arrays, single numbers and texts as attributes of the group."""
        temporary = writing_name(self.path)
        if temporary.is_dir():
            shutil.rmtree(temporary)  # left by a run that was killed while it wrote
        group = _zarr().open_group(str(temporary), mode="w")
        for name, value in contents.items():
            if isinstance(value, np.ndarray):
                group.create_array(name, data=value)
            else:
                group.attrs[name] = value
        temporary.rename(self.path)

    def _fingerprint_of(self, path: Path) -> str | None:
        """The fingerprint in a file of ours; None for any other file."""
        if path.is_dir():
            return _zarr_fingerprint(path)
        try:
            with path.open("rb") as opened, np.load(opened) as file:
                return str(file["fingerprint"])
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None


def _zarr_fingerprint(path: Path) -> str | None:
    zarr = _zarr()
    try:
        return str(zarr.open_group(str(path), mode="r").attrs.get("fingerprint"))
    except (FileNotFoundError, ValueError, KeyError):
        return None


def _zarr() -> Any:
    try:
        import zarr  # noqa: PLC0415 -- an extra: only who writes .zarr needs it
    except ImportError as error:
        raise SweepError("writing .zarr takes Zarr: pip install 'rnnscope[dask]', or name a .npz file") from error
    return zarr
