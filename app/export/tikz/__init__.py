"""A figure of a lab as a LaTeX file that compiles by itself."""

from .figures import tikz

__all__ = ["tikz"]
