"""A figure of a lab as a LaTeX file that compiles by itself."""

from .figures import figure_names, tikz

__all__ = ["figure_names", "tikz"]
