"""Nodes that gates and derivatives need: 1 - v, 1 - v², 1[v > 0]; see `expressions` for what a node knows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array
from .expressions import Signal
from .formatting import MINUS
from .notation import Notation, Token, bracketed, number_token, operator
from .values import Values


@dataclass(frozen=True)
class OneMinusSquare:
    """1 - v²: the derivative of tanh, from its value."""

    signal: Signal

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        letter = self.signal.tokens(notation, t, gated)[0]
        return bracketed([_ONE, operator(MINUS), replace(letter, sup="2")])

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        return [number_token(float(self.evaluate(values)[unit]), unit=unit)]

    def evaluate(self, values: Values) -> Array:
        return np.asarray(1.0 - self.signal.evaluate(values) ** 2)


@dataclass(frozen=True)
class OneMinus:
    """1 - v: what a gate v leaves."""

    signal: Signal

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        return bracketed([_ONE, operator(MINUS), *self.signal.tokens(notation, t, gated)])

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        return bracketed([_ONE, operator(MINUS), *self.signal.numbers(values, notation, unit)])

    def evaluate(self, values: Values) -> Array:
        return 1.0 - self.signal.evaluate(values)


@dataclass(frozen=True)
class OneMinusTanhSquare:
    """1 - tanh(v)²: the derivative of tanh, from its argument."""

    signal: Signal

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        squared = Token("function", "tanh", sup="2")
        return bracketed([_ONE, operator(MINUS), squared, *bracketed(self.signal.tokens(notation, t, gated))])

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        return [number_token(float(self.evaluate(values)[unit]), unit=unit)]

    def evaluate(self, values: Values) -> Array:
        return np.asarray(1.0 - np.tanh(self.signal.evaluate(values)) ** 2)


@dataclass(frozen=True)
class Positive:
    """1 where v > 0, else 0: the derivative of relu."""

    signal: Signal

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        condition = [*self.signal.tokens(notation, t, gated), operator(">"), _ZERO]
        return [_ONE, operator("["), *condition, operator("]")]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        return [number_token(float(self.evaluate(values)[unit]), unit=unit)]

    def evaluate(self, values: Values) -> Array:
        return np.where(self.signal.evaluate(values) > 0, 1.0, 0.0)


_ONE = Token("number", "1", value=1.0)
_ZERO = Token("number", "0", value=0.0)
