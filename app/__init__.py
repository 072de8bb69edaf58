"""RNNScope's pages. The labs are loaded when they are asked for: importing `rnnscope.app.state` loads no Panel."""

from importlib import import_module
from typing import Any

_LABS = {
    "UnfoldLab": ".labs.unfold",
    "GradientLab": ".labs.gradients",
    "BPTTLab": ".labs.bptt",
    "LSTMLab": ".labs.lstm",
    "GRULab": ".labs.gru",
    "BidirectionalLab": ".labs.bidirectional",
    "Seq2seqLab": ".labs.seq2seq",
    "AttentionLab": ".labs.attention",
}

__all__ = ["AttentionLab", "BPTTLab", "BidirectionalLab", "GRULab", "GradientLab", "LSTMLab", "Seq2seqLab", "UnfoldLab"]


def __getattr__(name: str) -> Any:
    if name not in _LABS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LABS[name], __name__), name)
