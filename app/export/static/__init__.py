"""A lab as one HTML file without a server: what Python would answer is computed beforehand. Loads Panel."""

from .build import StaticCopy, static_copy

__all__ = ["StaticCopy", "static_copy"]
