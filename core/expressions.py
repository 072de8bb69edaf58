"""Expression trees of a cell's equations: written as symbols, written as numbers, evaluated.

Every node knows the same three things: `tokens` (symbols in a notation), `numbers` (one unit, with
numbers put in) and `evaluate` (the vector). None of them calls the cell's own step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import Protocol

import numpy as np

from .arrays import Array
from .formatting import MINUS
from .functions import linear, relu, sigmoid, tanh
from .notation import (
    Notation,
    Token,
    bracketed,
    number_token,
    operator,
    signal_token,
    weight_token,
)
from .values import Values


class Expression(Protocol):
    """A node of an equation's right-hand side."""

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]: ...
    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]: ...
    def evaluate(self, values: Values) -> Array: ...


@dataclass(frozen=True)
class Signal:
    """A quantity that has a step: x, h, c, a gate, a pre-activation, a gradient."""

    name: str
    lag: int = 0

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        return [signal_token(notation, self.name, t, self.lag, gated)]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        value, at = float(self.evaluate(values)[unit]), values.t + self.lag
        if at > values.trace.steps:
            return [number_token(value)]
        return [number_token(value, self.name, at, unit)]

    def evaluate(self, values: Values) -> Array:
        return values.signal(self.name, self.lag)


@dataclass(frozen=True)
class Bias:
    """A bias vector, of one gate where the cell has several."""

    name: str
    gate: str | None = None

    role = "bias"

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        return [weight_token(notation, self.name, self.gate, transposed=False)]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        return [number_token(float(self.evaluate(values)[unit]), self.name, unit=unit)]

    def evaluate(self, values: Values) -> Array:
        return values.weight(self.name, self.gate)


@dataclass(frozen=True)
class MatVec:
    """A weight matrix, or its transpose, times a vector."""

    weight: str
    vector: Expression
    gate: str | None = None
    transposed: bool = False

    @property
    def role(self) -> str | None:
        """Its place in an affine sum; a read-out or a transposed product keeps its own."""
        roles = {"W_hh": "recurrent", "W_yh": "recurrent", "W_hy": "recurrent", "W_xh": "input"}
        return None if self.transposed else roles[self.weight]

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        head = weight_token(notation, self.weight, self.gate, self.transposed)
        vector = self.vector.tokens(notation, t, gated)
        return [head, *(vector if len(vector) == 1 else bracketed(vector))]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        matrix = self._matrix(values)
        if matrix.shape[1] != 1:
            return [number_token(float(self.evaluate(values)[unit]), unit=unit)]
        factor = number_token(float(matrix[unit, 0]), self.weight, unit=unit)
        right = as_factor(self.vector.numbers(values, notation, 0))
        return [*as_factor([factor]), operator("×"), *right]

    def evaluate(self, values: Values) -> Array:
        return self._matrix(values) @ self.vector.evaluate(values)

    def _matrix(self, values: Values) -> Array:
        matrix = values.weight(self.weight, self.gate)
        return matrix.T if self.transposed else matrix


@dataclass(frozen=True)
class Sum:
    """Terms added up; biases, recurrent and input terms come in the notation's order."""

    terms: tuple[Expression, ...]

    @property
    def role(self) -> str | None:
        """Its place in another sum: that of its first term."""
        return role_of(self.terms[0])

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        parts = [term.tokens(notation, t, gated) for term in self._ordered(notation)]
        if notation.joined and self._joinable():
            parts = [self._joint_tokens(notation, t, gated), *parts[2:]]
        return _added(parts)

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        parts = [term.numbers(values, notation, unit) for term in self._ordered(notation)]
        return _added([parts[0], *(as_addend(part) for part in parts[1:])])

    def evaluate(self, values: Values) -> Array:
        return np.asarray(sum(term.evaluate(values) for term in self.terms))

    def _ordered(self, notation: Notation) -> list[Expression]:
        roles = [role_of(term) for term in self.terms]
        if None in roles:
            return list(self.terms)
        by_role = zip(roles, self.terms, strict=True)
        return [term for _, term in sorted(by_role, key=lambda pair: notation.order.index(pair[0]))]

    def _joinable(self) -> bool:
        products = [term for term in self.terms if isinstance(term, MatVec)]
        return {term.role for term in products} >= {"recurrent", "input"}

    def _joint_tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        recurrent, driven = [term for term in self._ordered(notation) if isinstance(term, MatVec)]
        inner = [operator("["), *recurrent.vector.tokens(notation, t, gated), operator(",")]
        inner += [*driven.vector.tokens(notation, t, gated), operator("]")]
        return [weight_token(notation, "joint", recurrent.gate, transposed=False), *inner]


@dataclass(frozen=True)
class Hadamard:
    """Two vectors multiplied element by element."""

    left: Expression
    right: Expression

    @property
    def role(self) -> str | None:
        """Its place in an affine sum: that of what the left side gates."""
        return role_of(self.right)

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        left, right = (part.tokens(notation, t, gated) for part in (self.left, self.right))
        return [*_as_operand(self.left, left), operator("⊙"), *_as_operand(self.right, right)]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        left, right = (part.numbers(values, notation, unit) for part in (self.left, self.right))
        return [*as_factor(left), operator("×"), *as_factor(right)]

    def evaluate(self, values: Values) -> Array:
        return self.left.evaluate(values) * self.right.evaluate(values)


FUNCTIONS: Mapping[str, tuple[str, Callable[[Array], Array]]] = MappingProxyType(
    {
        "sigmoid": ("σ", sigmoid),
        "tanh": ("tanh", tanh),
        "relu": ("relu", relu),
        "linear": ("", linear),
    }
)
"""Name of a function -> (how it is written, the function)."""


@dataclass(frozen=True)
class Apply:
    """A function of every element; of numbers, its argument is shown as one."""

    function: str
    argument: Expression

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        return self._wrapped(self.argument.tokens(notation, t, gated))

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        if isinstance(self.argument, Signal):
            return self._wrapped(self.argument.numbers(values, notation, unit))
        return self._wrapped([number_token(float(self.argument.evaluate(values)[unit]), unit=unit)])

    def evaluate(self, values: Values) -> Array:
        return FUNCTIONS[self.function][1](self.argument.evaluate(values))

    def _wrapped(self, tokens: list[Token]) -> list[Token]:
        written = FUNCTIONS[self.function][0]
        return [Token("function", written), *bracketed(tokens)] if written else tokens


def role_of(node: Expression) -> str | None:
    """Return the place of a node in an affine sum: "bias", "recurrent", "input" or None."""
    role: str | None = getattr(node, "role", None)
    return role


def as_factor(tokens: list[Token]) -> list[Token]:
    """Return tokens ready to be multiplied: a sum, a difference or a negative number goes in brackets."""
    return bracketed(tokens) if _is_sum(tokens) or _is_negative(tokens) else tokens


def as_addend(tokens: list[Token]) -> list[Token]:
    """Return numbers ready to follow a plus: a lone negative number goes in brackets."""
    return bracketed(tokens) if _is_negative(tokens) else tokens


def _as_operand(node: Expression, tokens: list[Token]) -> list[Token]:
    """Return symbols ready for ⊙, which W h without brackets would leave unclear."""
    return bracketed(tokens) if isinstance(node, MatVec) else as_factor(tokens)


def _is_sum(tokens: list[Token]) -> bool:
    """Whether a plus or minus stands outside all brackets."""
    operators = [token.text for token in tokens if token.kind == "operator"]
    depths = accumulate((text in "([") - (text in ")]") for text in operators)
    return any(depth == 0 and text in ("+", MINUS) for text, depth in zip(operators, depths, strict=True))


def _is_negative(tokens: list[Token]) -> bool:
    return len(tokens) == 1 and tokens[0].text.startswith(MINUS)


def _added(parts: list[list[Token]]) -> list[Token]:
    joined = list(parts[0])
    for part in parts[1:]:
        joined += [operator("+"), *part]
    return joined
