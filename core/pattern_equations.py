"""The equations of the design patterns in `patterns`; see `expressions` for what a node knows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array
from .attention import attention_weights_vjp
from .backward import A_NAME, H_NAME, through
from .equations import Equation, loss_equations
from .expressions import Apply, Bias, Expression, MatVec, Signal, Sum, as_factor
from .functions import softmax
from .glossary import terms_of
from .notation import Notation, Token, bracketed, number_token, operator, signal_token
from .values import Values


@dataclass(frozen=True)
class FedOutput:
    """What step t read of the step before: y_{t-1}, softmax(y_{t-1}), or the target in its place."""

    kind: str

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        read = signal_token(notation, "target" if self.kind == "teacher" else "y", t, -1, gated)
        return [Token("function", "softmax"), *bracketed([read])] if self.kind == "softmax" else [read]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        return [number_token(float(self.evaluate(values)[unit]), "fed", values.t, unit)]

    def evaluate(self, values: Values) -> Array:
        return np.asarray(values.trace.gates["fed"][values.t - 1])


@dataclass(frozen=True)
class FromReader:
    """What comes back to y_t from the step that read it: W^T da_{t+1}, through the softmax where there is one."""

    product: MatVec
    kind: str

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        product = self.product.tokens(notation, t, gated)
        if self.kind != "softmax":
            return product
        output = signal_token(notation, "y", t, 0, gated)
        return [Token("function", "softmax′"), *bracketed([output]), *product]

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        if self.kind != "softmax":
            return self.product.numbers(values, notation, unit)
        return [number_token(float(self.evaluate(values)[unit]))]

    def evaluate(self, values: Values) -> Array:
        arrived = self.product.evaluate(values)
        return attention_weights_vjp(softmax(values.signal("y", 0)), arrived) if self.kind == "softmax" else arrived


@dataclass(frozen=True)
class Taps:
    """K_0 x_t + K_1 x_{t-1} + … of a causal convolution; terms before the first step are zeros, and left out."""

    width: int

    def tokens(self, notation: Notation, t: int | None, gated: bool) -> list[Token]:
        tokens: list[Token] = []
        for j in self._within(t):
            kernel = Token("symbol", "K", str(j), symbol="kernel", t=j)
            tokens += [*([operator("+")] if j else []), kernel, signal_token(notation, "x", t, -j, gated)]
        return tokens

    def numbers(self, values: Values, notation: Notation, unit: int) -> list[Token]:
        tokens: list[Token] = []
        for j in self._within(values.t):
            tokens += [*([operator("+")] if j else []), *self._term(values, j, unit)]
        return tokens

    def evaluate(self, values: Values) -> Array:
        kernel = values.weight("kernel", None)
        return np.asarray(sum(kernel[j] @ values.signal("x", -j) for j in self._within(values.t)))

    def _within(self, t: int | None) -> range:
        return range(self.width if t is None else min(self.width, t))

    @staticmethod
    def _term(values: Values, j: int, unit: int) -> list[Token]:
        kernel, x = values.weight("kernel", None)[j], values.signal("x", -j)
        if len(x) > 1:
            return as_factor([number_token(float((kernel @ x)[unit]))])
        factor = as_factor([number_token(float(kernel[unit, 0]), "kernel", j, unit)])
        return [*factor, operator("×"), *as_factor([number_token(float(x[0]), "x", values.t - j, 0)])]


def output_equations(activation: str, kind: str, loss: str, at_start: bool, at_end: bool) -> dict[str, Equation]:
    """Return a, h, y, L, dy, dh, da of output-to-hidden recurrence.

    Parameters
    ----------
    kind : "output", "softmax" or "teacher"
        What a step reads of the one before.
    at_start, at_end : bool
        Whether the step has none before it to read, and none after it that reads it.
    """
    read = () if at_start else (MatVec("W_yh", FedOutput(kind)),)
    total = Sum((*read, MatVec("W_xh", Signal("x")), Bias("b_h")))
    value, error = loss_equations(loss)
    back = FromReader(MatVec("W_yh", Signal("da", 1), transposed=True), kind)
    arriving: Expression = error.right if at_end or kind == "teacher" else Sum((error.right, back))
    found = (
        _make("pre-activation", "a", total),
        *_state_and_output(activation),
        value,
        _make("gradient at the output", "dy", arriving),
        _make(H_NAME, "dh", MatVec("W_hy", Signal("dy"), transposed=True)),
        _make(A_NAME, "da", through(activation)),
    )
    return {item.symbol: item for item in found}


def last_equations(activation: str, loss: str, at_end: bool) -> dict[str, Equation]:
    """Return a, h, dh, da of the pattern with one output, and where it is (`at_end`) y, L, dy."""
    total = Sum((MatVec("W_hh", Signal("h", -1)), MatVec("W_xh", Signal("x")), Bias("b_h")))
    source = MatVec("W_hy", Signal("dy"), transposed=True)
    arriving = source if at_end else MatVec("W_hh", Signal("da", 1), transposed=True)
    state, output = _state_and_output(activation)
    answer = (output, *loss_equations(loss)) if at_end else ()
    found = (_make("pre-activation", "a", total), state, *answer)
    found += (_make(H_NAME, "dh", arriving), _make(A_NAME, "da", through(activation)))
    return {item.symbol: item for item in found}


def system_equations(activation: str) -> dict[str, Equation]:
    """Return a and h of s_t = f(s_{t-1}), with f(s) = phi(W s + b)."""
    total = Sum((MatVec("W_hh", Signal("h", -1)), Bias("b_h")))
    return {"a": _make("pre-activation", "a", total), "h": _state_and_output(activation)[0]}


def convolution_equations(activation: str, width: int) -> dict[str, Equation]:
    """Return conv_a and conv of a causal convolution over time."""
    return {
        "conv_a": _make("sum over the window", "conv_a", Sum((Taps(width), Bias("b_h")))),
        "conv": _make("output of the convolution", "conv", Apply(activation, Signal("conv_a"))),
    }


def _state_and_output(activation: str) -> tuple[Equation, Equation]:
    read_out = Sum((MatVec("W_hy", Signal("h")), Bias("b_y")))
    state = Apply(activation, Signal("a"))
    return _make("hidden state", "h", state), _make("output", "y", read_out)


def _make(name: str, symbol: str, right: Expression) -> Equation:
    return Equation(name, symbol, right, False, terms_of(symbol, right))
