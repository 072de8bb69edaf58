"""One lab's state in one file: whole, or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from .. import snapshot
from .errors import CannotExport
from .script import script
from .table import table

__all__ = ["FORMATS", "CannotExport", "export"]

#: A lab and the values of its keys.
State = tuple[str, Mapping[str, Any]]


def _npz(lab: str, values: Mapping[str, Any]) -> bytes:
    file = BytesIO()
    np.savez_compressed(file, **snapshot.numbers(lab, values))
    return file.getvalue()


FORMATS: Mapping[str, Callable[[str, Mapping[str, Any]], bytes]] = {
    "csv": lambda lab, values: table(lab, values).encode(),
    "npz": _npz,
    "py": lambda lab, values: script(lab, values).encode(),
}
"""Name of a format -> the bytes of a lab's state in it."""


def export(lab: str, values: Mapping[str, Any], form: str, path: Path) -> None:
    """Write the state to `path`; raises `CannotExport` or an OSError, and leaves then what was there as it was."""
    content = FORMATS[form](lab, values)
    folder = path.parent
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
