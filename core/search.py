"""Decoding without a target: greedy, by beam search with its whole tree, and exhaustive."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .arrays import Array, checked_integer
from .seq2seq import EncoderDecoder, Encoding, Tokens, encode, encode_one, next_log_probabilities

# 34 symbols to depth 4 stay below; more sequences than that no test and no page looks at.
MOST_SEQUENCES = 2_000_000


@dataclass(frozen=True, eq=False)
class GreedyDecoding:
    """The likeliest token at every step.

    Attributes
    ----------
    tokens : (..., L)
        eos from a row's end on.
    lengths : (...)
        Tokens of each row, its eos included; L where it did not end.
    log_probabilities : (...)
        Natural log of the probability of the row's tokens.
    """

    tokens: Tokens
    lengths: Tokens
    log_probabilities: Array


@dataclass(frozen=True)
class Hypothesis:
    """A sequence of tokens, eos included where it ended, and its natural log-probability."""

    tokens: tuple[int, ...]
    log_probability: float
    ended: bool


@dataclass(frozen=True)
class SearchNode:
    """One expansion of a beam search.

    Attributes
    ----------
    index : int
        Its place in the tree's nodes; a parent comes before its children.
    parent : int or None
        None for the root, whose token is bos.
    token : int
    depth : int
        Number of tokens from the root, 0.
    log_probability : float
        Of the token after its parent, natural log.
    score : float
        Sum of the log-probabilities from the root.
    status : str
        "alive": kept in the beam; "ended": kept, and its token is eos; "pruned": not kept.
    """

    index: int
    parent: int | None
    token: int
    depth: int
    log_probability: float
    score: float
    status: str


@dataclass(frozen=True, eq=False)
class SearchLevel:
    """One step of a beam search: k hypotheses, each followed by every one of m tokens.

    Attributes
    ----------
    first : int
        The tree's index of the first expansion; that of place p is first + p.
    parents : (k,)
        Indices of the hypotheses that were expanded.
    log_probabilities : (k, m)
        Of each next token, natural log.
    scores : (k, m)
        Sums from the root.
    kept : (at most the width)
        Places of the kept expansions, best first; of parent i and token v the place is i m + v.
    ranked : (k m)
        All places, best first.
    """

    first: int
    parents: Tokens
    log_probabilities: Array
    scores: Array
    kept: Tokens
    ranked: Tokens


@dataclass(frozen=True, eq=False)
class SearchTree:
    """Every expansion that a beam search looked at, step by step, and what it found, best first."""

    levels: tuple[SearchLevel, ...]
    hypotheses: tuple[Hypothesis, ...]
    width: int
    bos: int
    eos: int

    @cached_property
    def nodes(self) -> tuple[SearchNode, ...]:
        """Every expansion as a node, the root first; made when it is asked for."""
        root = SearchNode(0, None, self.bos, 0, 0.0, 0.0, "alive")
        return (root, *(node for depth, level in enumerate(self.levels, 1) for node in _nodes(level, depth, self.eos)))

    def tokens(self, index: int) -> tuple[int, ...]:
        """Return the tokens from the root, left out, to a node."""
        node, path = self.nodes[index], list[int]()
        while node.parent is not None:
            path.append(node.token)
            node = self.nodes[node.parent]
        return tuple(path[::-1])


def greedy_decode(model: EncoderDecoder, source: Any, max_length: int, source_lengths: Any = None) -> GreedyDecoding:
    """Decode source (..., T), or its `Encoding`, by the likeliest token, until eos or `max_length` tokens."""
    limit = checked_integer("max_length", max_length, 1)
    encoding = encode(model, source, source_lengths)
    states = encoding.states[..., -1, :]
    last = np.full(states.shape[:-1], model.bos)
    ended, score = np.zeros(last.shape, dtype=bool), np.zeros(last.shape)
    lengths, tokens = np.zeros(last.shape, dtype=np.int64), list[Tokens]()
    while len(tokens) < limit and not ended.all():
        log_p, states = next_log_probabilities(model, encoding, last, states)
        last = np.where(ended, model.eos, log_p.argmax(axis=-1))
        score = score + np.where(ended, 0.0, log_p.max(axis=-1))
        lengths = lengths + ~ended
        ended = last == model.eos
        tokens.append(last)
    return GreedyDecoding(np.stack(tokens, axis=-1), lengths, score)


@dataclass(frozen=True, eq=False)
class _Beam:
    """k hypotheses of one depth, in order: node indices, states, summed scores, tokens so far."""

    nodes: Tokens
    states: Array
    scores: Array
    paths: Tokens


def beam_search(model: EncoderDecoder, source: Any, width: int, max_length: int) -> SearchTree:
    """Keep the `width` best of all expansions at every step, and the whole tree of them.

    The score is the sum of log-probabilities, without length normalisation; equals go by their
    tokens. A hypothesis that ends takes its place among the best of its step, then leaves the beam;
    after `max_length` tokens those alive are hypotheses too, not ended.

    Parameters
    ----------
    source : (T,), or its Encoding
    width, max_length : int of at least 1
    """
    width = checked_integer("width", width, 1)
    encoding = encode_one(model, source)
    levels: list[SearchLevel] = []
    found: list[Hypothesis] = []
    beam, first = _root(encoding), 1
    for _ in range(checked_integer("max_length", max_length, 1)):
        log_p, states = _expand(model, encoding, beam)
        ranked = _best_first(beam, log_p)
        kept = ranked[:width]
        levels.append(SearchLevel(first, beam.nodes, log_p, beam.scores[:, None] + log_p, kept, ranked))
        beam, ended = _next_beam(beam, log_p, states, kept, first, model.eos)
        first += log_p.size
        found += ended
        if not len(beam.nodes):
            break
    hypotheses = tuple(sorted(found + _unfinished(beam), key=_rank))
    return SearchTree(tuple(levels), hypotheses, width, model.bos, model.eos)


def exhaustive_search(model: EncoderDecoder, source: Any, max_length: int) -> tuple[Hypothesis, ...]:
    """Every sequence that ends within `max_length` tokens or has that many, best first.

    Their probabilities sum to 1. Raises a ValueError beyond 2 million sequences.
    """
    limit = checked_integer("max_length", max_length, 1)
    if len(model.E_target) ** limit > MOST_SEQUENCES:
        raise ValueError(
            f"max_length must keep {len(model.E_target)} ** max_length within {MOST_SEQUENCES}, got {max_length}"
        )
    encoding = encode_one(model, source)
    found: list[Hypothesis] = []
    beam = _root(encoding)
    for _ in range(limit):
        log_p, states = _expand(model, encoding, beam)
        beam, ended = _next_beam(beam, log_p, states, np.arange(log_p.size), 0, model.eos)
        found += ended
    return tuple(sorted(found + _unfinished(beam), key=_rank))


def _root(encoding: Encoding) -> _Beam:
    return _Beam(np.zeros(1, dtype=np.int64), encoding.states[-1:], np.zeros(1), np.zeros((1, 0), dtype=np.int64))


def _expand(model: EncoderDecoder, encoding: Encoding, beam: _Beam) -> tuple[Array, Array]:
    """Return log-probabilities (k, m) of every next token, and the states (k, s) behind them."""
    last = beam.paths[:, -1] if beam.paths.shape[1] else np.full(len(beam.nodes), model.bos)
    return next_log_probabilities(model, encoding, last, beam.states)


def _best_first(beam: _Beam, log_p: Array) -> Tokens:
    """Return flat (parent, token) places from the best on; equals in the order of their tokens."""
    parents, tokens = np.divmod(np.arange(log_p.size), log_p.shape[1])
    columns = [tokens, *beam.paths.T[::-1, parents], -(beam.scores[:, None] + log_p).ravel()]
    return np.lexsort(columns)


def _nodes(level: SearchLevel, depth: int, eos: int) -> list[SearchNode]:
    """Return a node for each (parent, token), in this order."""
    outputs = level.scores.shape[1]
    statuses = ["pruned"] * level.scores.size
    for place in level.kept.tolist():
        statuses[place] = "ended" if place % outputs == eos else "alive"
    parents, steps, scores = (
        array.ravel().tolist() for array in (level.parents, level.log_probabilities, level.scores)
    )
    return [
        SearchNode(level.first + i, parents[i // outputs], i % outputs, depth, steps[i], scores[i], statuses[i])
        for i in range(len(steps))
    ]


def _next_beam(
    beam: _Beam, log_p: Array, states: Array, order: Tokens, first: int, eos: int
) -> tuple[_Beam, list[Hypothesis]]:
    """Return the kept places that go on, and the hypotheses that ended."""
    parents, tokens = np.divmod(order, log_p.shape[1])
    scores = beam.scores[parents] + log_p[parents, tokens]
    paths = np.concatenate([beam.paths[parents], tokens[:, None]], axis=1)
    on = tokens != eos
    ended = [Hypothesis(tuple(p), s, True) for p, s in zip(paths[~on].tolist(), scores[~on].tolist(), strict=True)]
    return _Beam(first + order[on], states[parents[on]], scores[on], paths[on]), ended


def _unfinished(beam: _Beam) -> list[Hypothesis]:
    pairs = zip(beam.paths.tolist(), beam.scores.tolist(), strict=True)
    return [Hypothesis(tuple(path), score, False) for path, score in pairs]


def _rank(hypothesis: Hypothesis) -> tuple[float, tuple[int, ...]]:
    return -hypothesis.log_probability, hypothesis.tokens
