"""The equations of a bidirectional network: those of its cells, with an arrow over all that belongs to one chain.

A chain's equation is the cell's own. In the backward chain step t follows step t + 1, so that its tokens are renamed
from the order in which it ran to the steps of the sequence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array, checked_choice, checked_integer
from .bidirectional import Bidirectional, BidirectionalTrace
from .cells import Cell
from .equations import Equation, equation
from .formatting import MINUS
from .notation import Token, find_notation, number_token, operator, weight_token
from .products import Product, products
from .unroll import Trace

DIRECTIONS = {"forward": "right", "backward": "left"}
"""Chain -> the arrow over its symbols."""

#: What both chains share, and so has no arrow.
_COMMON = ("x", "y", "W_hy", "b_y")


@dataclass(frozen=True)
class ChainEquation:
    """One equation of one chain.

    Attributes
    ----------
    direction : "forward" or "backward"
    base : the equation of the chain's cell, in the order in which the chain runs
    """

    direction: str
    base: Equation

    def tokens(self, notation: str, t: int | None = None, steps: int = 0) -> list[Token]:
        """Write it at step t of a sequence of `steps`, or for a general t."""
        at = None if t is None else self._place(t, steps)
        return [self._directed(token, steps) for token in self.base.tokens(notation, at)]

    def numbers(
        self, network: Bidirectional, trace: BidirectionalTrace, t: int, unit: int, notation: str | None = None
    ) -> list[Token]:
        """Write one unit with numbers put in, as `Equation.numbers`."""
        cell, run, at = self._chain(network, trace, t)
        found = self.base.numbers(cell, run, at, unit, notation=notation)
        return [self._directed(token, run.steps) for token in found]

    def products(
        self, network: Bidirectional, trace: BidirectionalTrace, t: int, unit: int, notation: str | None = None
    ) -> tuple[Product, ...]:
        """Return its matrix products for one unit: of this chain's weights, at steps of the sequence."""
        cell, run, at = self._chain(network, trace, t)
        found = products(self.base, cell, run, at, unit, notation=notation)
        return tuple(self._directed_product(product, run.steps) for product in found)

    def evaluate(self, network: Bidirectional, trace: BidirectionalTrace, t: int) -> Array:
        """Evaluate it at step t, without the cell's own code; shape (n,)."""
        return self.base.evaluate(*self._chain(network, trace, t))

    def _chain(self, network: Bidirectional, trace: BidirectionalTrace, t: int) -> tuple[Cell, Trace, int]:
        run: Trace = getattr(trace, self.direction)
        checked_integer("t", t, 1, run.steps)
        return getattr(network, self.direction), run, self._place(t, run.steps)

    def _place(self, t: int, steps: int) -> int:
        """The place of step t in the order in which the chain ran."""
        return t if self.direction == "forward" else steps + 1 - t

    def _directed(self, token: Token, steps: int) -> Token:
        if token.symbol is None and token.kind != "symbol":
            return token
        named = self._with_arrow(token)
        return named if self.direction == "forward" else self._renamed(named, steps)

    def _directed_product(self, product: Product, steps: int) -> Product:
        matrix = replace(product.matrix_token, symbol=product.weight)
        signal = product.signal
        if signal is not None:
            name = signal[0] if signal[0] in _COMMON else f"{signal[0]}_{self.direction}"
            signal = name, self._place(signal[1], steps)
        return replace(
            product,
            weight=f"{product.weight}_{self.direction}",
            matrix_token=self._with_arrow(matrix),
            vector_tokens=tuple(self._directed(token, steps) for token in product.vector_tokens),
            signal=signal,
        )

    def _with_arrow(self, token: Token) -> Token:
        if token.symbol in _COMMON:
            return token
        accent = DIRECTIONS[self.direction] if token.accent is None else f"{token.accent} {DIRECTIONS[self.direction]}"
        symbol = f"{token.symbol}_{self.direction}"
        return replace(token, symbol=symbol, accent=accent if token.kind == "symbol" else None)

    def _renamed(self, token: Token, steps: int) -> Token:
        """The step of the sequence in place of that of the chain: t - 1 becomes t + 1."""
        if token.t is None:
            return replace(token, sub=token.sub and token.sub.replace(f"t{MINUS}1", "t+1"))
        at = self._place(token.t, steps)
        sub = token.sub if token.sub is None else token.sub.removesuffix(str(token.t)) + str(at)
        return replace(token, t=at, sub=sub)


@dataclass(frozen=True)
class ReadOutEquation:
    """y_t = W_hy [h_forward; h_backward] + b_y."""

    gated: bool

    def tokens(self, notation: str, t: int | None = None) -> list[Token]:
        """Write it at step t, or for a general t."""
        letters = find_notation(notation, self.gated)
        step = "t" if t is None else str(t)
        parts = [
            Token("symbol", "h", step, symbol=f"h_{name}", t=t, accent=arrow) for name, arrow in DIRECTIONS.items()
        ]
        start = [Token("symbol", letters.output, step, symbol="y", t=t), operator("=")]
        product = [weight_token(letters, "W_hy", None, transposed=False), operator("["), parts[0], operator(";")]
        bias = weight_token(letters, "b_y", None, transposed=False)
        return [*start, *product, parts[1], operator("]"), operator("+"), bias]

    def numbers(self, network: Bidirectional, trace: BidirectionalTrace, t: int, unit: int) -> list[Token]:
        """Write one output as what the forward states add, what the backward states add and the bias."""
        parts = [number_token(part[unit], f"y_{name}", t, unit) for name, part in self.parts(network, trace, t).items()]
        bias = number_token(float(np.asarray(network.b_y)[unit]), "b_y", unit=unit)
        result = number_token(float(np.asarray(trace.ys)[t - 1, unit]), "y", t, unit)
        return [*_added([*parts, bias]), operator("="), result]

    @staticmethod
    def parts(network: Bidirectional, trace: BidirectionalTrace, t: int) -> dict[str, Array]:
        """What each chain adds to y_t, (m,)."""
        n, h = network.forward.hidden_size, trace.hs[t - 1]
        W_hy = np.asarray(network.W_hy)
        return {"forward": W_hy[:, :n] @ h[:n], "backward": W_hy[:, n:] @ h[n:]}

    def evaluate(self, network: Bidirectional, trace: BidirectionalTrace, t: int) -> Array:
        """Evaluate it at step t; shape (m,)."""
        parts = self.parts(network, trace, t)
        return np.asarray(parts["forward"] + parts["backward"] + np.asarray(network.b_y))


def bidirectional_equation(network: Bidirectional, symbol: str, direction: str | None = None) -> ChainEquation:
    """Return the equation of one quantity of a chain: `h` with a direction, or `h_forward`."""
    name, _, suffix = symbol.rpartition("_")
    if direction is None and suffix in DIRECTIONS:
        symbol, direction = name, suffix
    way = checked_choice("direction", direction or "", DIRECTIONS)
    return ChainEquation(way, equation(getattr(network, way), symbol))


def read_out_equation(network: Bidirectional) -> ReadOutEquation:
    """Return the equation of the output."""
    return ReadOutEquation(bool(network.forward.gate_names))


def _added(parts: list[Token]) -> list[Token]:
    joined: list[Token] = []
    for place, part in enumerate(parts):
        negative = place and part.text.startswith(MINUS)
        term = [operator("("), part, operator(")")] if negative else [part]
        joined += [*([operator("+")] if place else []), *term]
    return joined
