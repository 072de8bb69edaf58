"""What the user chooses, once: a param class per lab, with bounds, labels and docs. No Panel."""

from .attention import AttentionState
from .base import ACTIVATIONS, CELLS, ChangedInput, LabState, Numbers, Operations, Subset
from .bptt import BLOCKS, BPTTState, moments
from .gradients import GradientState
from .gru import GRUState
from .lstm import LSTMState
from .seq2seq import Seq2seqState
from .unfold import UnfoldState

__all__ = [
    "ACTIVATIONS",
    "BLOCKS",
    "CELLS",
    "AttentionState",
    "BPTTState",
    "ChangedInput",
    "GRUState",
    "GradientState",
    "LSTMState",
    "LabState",
    "Numbers",
    "Operations",
    "Seq2seqState",
    "Subset",
    "UnfoldState",
    "moments",
]
