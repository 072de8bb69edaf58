"""What the user chooses, once: a param class per lab, with bounds, labels and docs. No Panel."""

from .base import ACTIVATIONS, CELLS, LabState, Numbers, Subset
from .gradients import GradientState
from .lstm import LSTMState
from .unfold import UnfoldState

__all__ = [
    "ACTIVATIONS",
    "CELLS",
    "GradientState",
    "LSTMState",
    "LabState",
    "Numbers",
    "Subset",
    "UnfoldState",
]
