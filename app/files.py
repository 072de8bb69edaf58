"""Files written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np


def writing_name(path: Path) -> Path:
    """The name under which a file stands while it is written."""
    return path.with_name(f"{path.name}.writing")


def replace_file(path: Path, content: bytes) -> None:
    """Write a file under a temporary name, then rename it: nobody ever sees half of it, and a failure leaves none."""
    temporary = writing_name(path)
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def npz(arrays: Mapping[str, Any], compressed: bool = False) -> bytes:
    """Arrays by name as the bytes of an NPZ file."""
    buffer = BytesIO()
    (np.savez_compressed if compressed else np.savez)(buffer, **arrays)
    return buffer.getvalue()
