"""One lab's state in one file: whole, or not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .. import snapshot
from ..files import replace_file
from .script import script
from .table import table

FORMATS: Mapping[str, Callable[[str, Mapping[str, Any]], bytes]] = {
    "csv": lambda lab, values: table(lab, values).encode(),
    "npz": snapshot.file_bytes,
    "py": lambda lab, values: script(lab, values).encode(),
}
"""Name of a format -> the bytes of a lab's state in it."""


def export(lab: str, values: Mapping[str, Any], form: str, path: Path) -> None:
    """Write the state to `path`; raises `CannotExport` or an OSError, and leaves then what was there as it was."""
    replace_file(path, FORMATS[form](lab, values))
