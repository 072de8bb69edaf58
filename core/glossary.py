"""What each symbol of an equation is: its shape, and its meaning in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from types import MappingProxyType

from .expressions import Bias, Expression, MatVec, Signal


@dataclass(frozen=True)
class Term:
    """A symbol of an equation: its name in the contract, its shape, its meaning in plain words."""

    symbol: str
    shape: str
    meaning: str


GATE_NAMES: Mapping[str, str] = MappingProxyType(
    {"f": "forget gate", "i": "input gate", "o": "output gate", "g": "candidate"}
    | {"z": "update gate", "r": "reset gate"}
)

_MEANINGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "x": ("(d,)", "input"),
        "h": ("(n,)", "hidden state"),
        "c": ("(n,)", "cell state"),
        "a": ("(n,)", "pre-activation"),
        "y": ("(m,)", "output"),
        "target": ("(m,) or a class index", "target"),
        "L": ("number", "loss of the step"),
        "dh": ("(n,)", "gradient of the loss with respect to the hidden state"),
        "dc": ("(n,)", "gradient of the loss with respect to the cell state"),
        "da": ("(n,)", "gradient of the loss with respect to the pre-activation"),
        "dy": ("(m,)", "gradient of the loss with respect to the output"),
        "W_xh": ("(n, d)", "input to hidden weights"),
        "W_hh": ("(n, n)", "hidden to hidden weights"),
        "b_h": ("(n,)", "hidden bias"),
        "b_hh": ("(n,)", "bias of the candidate that the reset gate scales"),
        "W_hy": ("(m, n)", "hidden to output weights"),
        "W_yh": ("(n, m)", "output to hidden weights"),
        "conv_a": ("(n,)", "pre-activation of the convolution"),
        "conv": ("(n,)", "output of the convolution"),
        "b_y": ("(m,)", "output bias"),
    }
    | {gate: ("(n,)", name) for gate, name in GATE_NAMES.items()}
    | {f"a{gate}": ("(n,)", f"pre-activation of the {name}") for gate, name in GATE_NAMES.items()}
    | {
        f"da{gate}": ("(n,)", f"gradient of the loss with respect to the pre-activation of the {name}")
        for gate, name in GATE_NAMES.items()
    }
)


def meaning_of(symbol: str) -> str | None:
    """Return what a symbol of the equations is, in plain words; None for one that stands in none of them.

    One chain of a bidirectional network names its own `h_forward`, `h_backward`, `W_hh_forward`, ….
    """
    name, _, chain = symbol.rpartition("_")
    if chain in ("forward", "backward") and name in _MEANINGS:
        return f"{_MEANINGS[name][1]} of the {chain} chain"
    return _MEANINGS[symbol][1] if symbol in _MEANINGS else None


def terms_of(symbol: str, right: Expression) -> tuple[Term, ...]:
    """Return the terms of the equation symbol = right: the left side first, each symbol once."""
    found = dict.fromkeys([(symbol, None), *_symbols(right)])
    return tuple(_term(name, gate) for name, gate in found)


def _term(symbol: str, gate: str | None) -> Term:
    shape, meaning = _MEANINGS[symbol]
    return Term(symbol, shape, meaning if gate is None else f"{meaning} of the {GATE_NAMES[gate]}")


def _symbols(node: Expression) -> Iterator[tuple[str, str | None]]:
    """Yield (symbol, gate) of every leaf of a tree, from left to right."""
    if isinstance(node, MatVec):
        yield node.weight, node.gate
        yield from _symbols(node.vector)
    elif isinstance(node, Signal | Bias):
        yield node.name, node.gate if isinstance(node, Bias) else None
    else:
        for child in _children(node):
            yield from _symbols(child)


def _children(node: Expression) -> Iterator[Expression]:
    for field in fields(node):  # type: ignore[arg-type]
        value = getattr(node, field.name)
        if isinstance(value, tuple):
            yield from value
        elif is_dataclass(value):
            yield value  # type: ignore[misc]
