"""Nodes of the losses' equations; see `expressions` for what a node knows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array
from .expressions import Signal, as_factor
from .formatting import MINUS
from .functions import softmax
from .notation import Notation, Token, bracketed, number_token, operator
from .values import Values


@dataclass(frozen=True)
class Difference:
    """left - right, element by element."""

    left: Signal
    right: Signal

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        left, right = (part.tokens(notation, t, gated) for part in (self.left, self.right))
        return [*left, operator(MINUS), *right]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        left, right = (part.numbers(values, notation, unit) for part in (self.left, self.right))
        return [*left, operator(MINUS), *as_factor(right)]

    def evaluate(self, values: Values) -> Array:
        return self.left.evaluate(values) - self.right.evaluate(values)


@dataclass(frozen=True)
class HalfSquare:
    """½ ‖v‖² of a difference; written for one component, summed where there are more."""

    difference: Difference

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        inner = self.difference.tokens(notation, t, gated)
        return [_HALF, operator("‖"), *inner, operator("‖"), _SQUARED]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        apart = self.difference.evaluate(values)
        if apart.size != 1:
            return [_HALF, operator("×"), number_token(float(apart @ apart))]
        return [_HALF, *bracketed(self.difference.numbers(values, notation, 0)), _SQUARED]

    def evaluate(self, values: Values) -> Array:
        apart = self.difference.evaluate(values)
        return np.atleast_1d(0.5 * apart @ apart)


@dataclass(frozen=True)
class NegativeLogProbability:
    """-log of the probability that softmax gives the target class."""

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        output = Signal("y").tokens(notation, t, gated)
        return [operator(MINUS), _LOG, _SOFTMAX, *bracketed(output), Token("text", " of the target")]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        return [operator(MINUS), _LOG, number_token(float(self._probability(values)))]

    def evaluate(self, values: Values) -> Array:
        return -np.log(np.atleast_1d(self._probability(values)))

    @staticmethod
    def _probability(values: Values) -> np.float64:
        return np.float64(softmax(values.signal("y", 0))[values.target_class()])


@dataclass(frozen=True)
class ProbabilityError:
    """softmax(y) - onehot(target): the derivative of the negative log-likelihood."""

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        return [
            _SOFTMAX,
            *bracketed(Signal("y").tokens(notation, t, gated)),
            operator(MINUS),
            Token("text", "1 at the target"),
        ]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        probability = number_token(float(softmax(values.signal("y", 0))[unit]))
        hit = 1.0 if unit == values.target_class() else 0.0
        return [probability, operator(MINUS), number_token(hit)]

    def evaluate(self, values: Values) -> Array:
        error = softmax(values.signal("y", 0)).copy()
        error[values.target_class()] -= 1.0
        return error


_HALF = Token("number", "½", value=0.5)
_SQUARED = Token("text", "²")
_LOG = Token("function", "log ")
_SOFTMAX = Token("function", "softmax")
