"""How much of what a model never saw it gets right, decoding greedily: whole targets or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..search import greedy_decode
from ..seq2seq import EncoderDecoder
from .loop import make_batch
from .tasks import Example, Task

#: Examples decoded together.
CHUNK = 500


@dataclass(frozen=True)
class LengthAccuracy:
    """Of `count` sources of `length` characters `right` were decoded exactly."""

    length: int
    right: int
    count: int

    @property
    def accuracy(self) -> float:
        """right / count."""
        return self.right / self.count


def exact_matches(model: EncoderDecoder, task: Task, examples: Sequence[Example]) -> list[bool]:
    """Whether each source is decoded to its very target, greedily, on the model's own tokens."""
    found: list[bool] = []
    for first in range(0, len(examples), CHUNK):
        chunk = list(examples[first : first + CHUNK])
        batch = make_batch(task, chunk)
        decoded = greedy_decode(model, batch.source, task.target_limit, batch.source_lengths)
        found += [
            task.eos in row and task.decode_target(row) == target  # what does not end is no answer
            for row, (_, target) in zip(decoded.tokens, chunk, strict=True)
        ]
    return found


def exact_match(model: EncoderDecoder, task: Task, examples: Sequence[Example]) -> float:
    """Share of the examples that are decoded exactly, 0 … 1."""
    found = exact_matches(model, task, examples)
    return sum(found) / len(found)


def accuracy_by_length(model: EncoderDecoder, task: Task, examples: Sequence[Example]) -> tuple[LengthAccuracy, ...]:
    """Return exact matches by length of the source, shortest first."""
    found = list(zip((len(source) for source, _ in examples), exact_matches(model, task, examples), strict=True))
    lengths = sorted({length for length, _ in found})
    groups = ([right for at, right in found if at == length] for length in lengths)
    return tuple(LengthAccuracy(length, sum(group), len(group)) for length, group in zip(lengths, groups, strict=True))
