"""What it costs to look back over a sequence: steps that must wait, path lengths, sizes, work.

Counted from the shapes of the matrices, for one sequence; multiply-adds are those of the matrix
products (an RNN's activation or a softmax adds terms of lower order). Compare Vaswani et al. 2017,
table 1, which gives the orders of the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .arrays import checked_choice, checked_integer


@dataclass(frozen=True)
class Costs:
    """Costs of T steps with n hidden units and d inputs.

    Attributes
    ----------
    layers : int
        1; for convolution as many as reach over the lag.
    sequential_steps : int
        Computations of which each waits for the one before.
    path_length : int
        Layers or steps that a signal passes from x_k to the output at t = k + lag.
    parameters : int
    multiply_adds : int
    """

    layers: int
    sequential_steps: int
    path_length: int
    parameters: int
    multiply_adds: int


def costs(model: str, T: int, n: int, d: int, lag: int | None = None, width: int = 3) -> Costs:
    """Count the costs of one model.

    Parameters
    ----------
    model : str
        rnn, gru, lstm: with g = 1, 3, 4 blocks, T steps in turn, a path of lag + 1 (one use of W_xh
        and lag of W_hh), g (n d + n² + n) parameters, T g (n d + n²) multiply-adds.
        convolution: L = max(1, ceil(lag / (width - 1))) layers in turn, w n d + n parameters and
        T w n d multiply-adds in the first, w n² + n and T w n² in each other; zeros before the
        first step are counted as if they were multiplied.
        self_attention: one layer at once; W_q, W_k, W_v (n, d) and W_o (n, n) with biases, 3 n d +
        n² + 4 n parameters; T (3 n d + n²) multiply-adds to project and 2 T² n for scores and sums.
    T : int of at least 1
    n, d : int of at least 1
    lag : int in 0 … T - 1 or None
        Distance of the two positions; T - 1, from first to last, where None.
    width : int of at least 2
        w, the convolution's.
    """
    checked_choice("model", model, MODELS)
    steps = checked_integer("T", T, 1)
    distance = steps - 1 if lag is None else checked_integer("lag", lag, 0, steps - 1)
    sizes = checked_integer("n", n, 1), checked_integer("d", d, 1)
    return MODELS[model](steps, *sizes, distance, checked_integer("width", width, 2))


def _recurrent(blocks: int) -> Callable[[int, int, int, int, int], Costs]:
    def count(T: int, n: int, d: int, lag: int, width: int) -> Costs:
        weights = blocks * (n * d + n * n)
        return Costs(1, T, lag + 1, weights + blocks * n, T * weights)

    return count


def _convolution(T: int, n: int, d: int, lag: int, width: int) -> Costs:
    layers = max(1, -(-lag // (width - 1)))
    weights = width * n * d + (layers - 1) * width * n * n
    return Costs(layers, layers, layers, weights + layers * n, T * weights)


def _self_attention(T: int, n: int, d: int, lag: int, width: int) -> Costs:
    weights = 3 * n * d + n * n
    return Costs(1, 1, 1, weights + 4 * n, T * weights + 2 * T * T * n)


MODELS: Mapping[str, Callable[[int, int, int, int, int], Costs]] = MappingProxyType(
    {
        "rnn": _recurrent(1),
        "gru": _recurrent(3),
        "lstm": _recurrent(4),
        "convolution": _convolution,
        "self_attention": _self_attention,
    }
)
"""Name of a model -> the function that counts its costs."""
