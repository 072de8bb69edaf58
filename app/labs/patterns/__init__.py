"""The patterns of /unfold: one class each, made anew for every run."""

from .base import Pattern
from .convolution import Convolution
from .hidden import Hidden
from .last import Last
from .output import Output
from .system import System

PATTERNS: dict[str, type[Pattern]] = {
    "hidden": Hidden,
    "output": Output,
    "last": Last,
    "system": System,
    "convolution": Convolution,
}

__all__ = ["PATTERNS", "Pattern"]
