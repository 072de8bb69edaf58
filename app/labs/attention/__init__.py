"""/attention: scaled dot-product attention of one sequence, number by number, and what it costs."""

from .lab import AttentionLab

__all__ = ["AttentionLab"]
