"""The trained models that ship: read them, and make them again (`python -m rnnscope.app.weights`). No Panel."""

from .files import SHIPPED, Trained, load

__all__ = ["SHIPPED", "Trained", "load"]
