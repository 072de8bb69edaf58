"""/seq2seq: a trained encoder-decoder that reads what is typed, with and without attention."""

from .lab import Seq2seqLab

__all__ = ["Seq2seqLab"]
