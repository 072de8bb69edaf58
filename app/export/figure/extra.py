"""Libraries of the extra `figures`: asked for where they are used, so that all else works without them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..errors import CannotExport

INSTALL = "pip install 'rnnscope[figures]'"


def needed(module: str, form: str) -> Any:
    """A library of the extra; raises `CannotExport` with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise CannotExport(f"{form} needs {error.name or module}: {INSTALL}") from error
