"""Causal convolution over time: the other way to share weights between steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_choice, checked_integer, read_only
from .attention import finite_array
from .cells.readout import count
from .cells.step import outer_sum
from .functions import ACTIVATIONS


@dataclass(frozen=True, eq=False)
class CausalConvolution:
    """y_t = phi(sum_j kernel[j] x_{t - j dilation} + b), with zeros before the first step.

    Parameters
    ----------
    kernel : (w, n, d)
        kernel[0] meets the step itself, kernel[j] the one j dilations before it.
    b : (n,)
    activation : "tanh", "relu" or "linear"
    dilation : int of at least 1
    """

    kernel: Array
    b: Array
    activation: str = "tanh"
    dilation: int = 1

    def __post_init__(self) -> None:
        b = checked_array("b", self.b, (None,))
        kernel = checked_array("kernel", self.kernel, (None, len(b), None))
        checked_integer("width of kernel", len(kernel), 1)
        checked_choice("activation", self.activation, ACTIVATIONS)
        checked_integer("dilation", self.dilation, 1)
        object.__setattr__(self, "b", b)
        object.__setattr__(self, "kernel", kernel)

    @property
    def b_h(self) -> Array:
        """The bias, by the name that it has in a recurrent cell and its equations."""
        return self.b

    @property
    def width(self) -> int:
        """w, how many steps one output sees."""
        return len(self.kernel)

    @property
    def parameter_count(self) -> int:
        """How many numbers kernel and bias hold."""
        return count(self.kernel, self.b)

    def preactivations(self, xs: Array) -> Array:
        """a_t before the activation, shape (..., T, n) from xs (..., T, d)."""
        return self._windows(xs) @ self._flat_kernel().T + self.b

    def vjp(self, xs: Array, preactivations: Array, gradient: Array) -> tuple[Array, dict[str, Array]]:
        """Carry dL/dy (..., T, n) back: (dL/dxs (..., T, d), dL/d kernel and dL/db, summed)."""
        delta = ACTIVATIONS[self.activation][1](preactivations) * gradient
        kernel = outer_sum(delta, self._windows(xs)).reshape(len(self.b), self.width, -1)
        parameters = {
            "kernel": np.swapaxes(kernel, 0, 1),
            "b": np.asarray(delta.reshape(-1, len(self.b)).sum(axis=0)),
        }
        return self._windows_vjp(delta @ self._flat_kernel(), xs.shape), parameters

    def _flat_kernel(self) -> Array:
        return np.swapaxes(self.kernel, 0, 1).reshape(len(self.b), -1)

    def _windows(self, xs: Array) -> Array:
        """x_t, x_{t - dilation}, … side by side, shape (..., T, w d)."""
        *batch, steps, d = xs.shape
        windows = np.zeros((*batch, steps, self.width, d))
        for j in range(self.width):
            shift = min(j * self.dilation, steps)
            windows[..., shift:, j, :] = xs[..., : steps - shift, :]
        return windows.reshape(*batch, steps, self.width * d)

    def _windows_vjp(self, gradient: Array, shape: tuple[int, ...]) -> Array:
        *batch, steps, d = shape
        windows, total = gradient.reshape(*batch, steps, self.width, d), np.zeros(shape)
        for j in range(self.width):
            shift = min(j * self.dilation, steps)
            total[..., : steps - shift, :] += windows[..., shift:, j, :]
        return total


@dataclass(frozen=True, eq=False)
class ConvolutionTrace:
    """One pass through a stack of L layers.

    Attributes
    ----------
    values : L + 1 arrays (..., T, size)
        The inputs, then each layer's outputs.
    preactivations : L arrays (..., T, n)
    """

    values: tuple[Array, ...]
    preactivations: tuple[Array, ...]


def convolve(layers: Sequence[CausalConvolution], xs: Any) -> ConvolutionTrace:
    """Run xs (..., T, d) through the layers, each at all steps at once."""
    values, preactivations = [finite_array("xs", xs)], []
    for index, layer in enumerate(layers):
        size = layer.kernel.shape[2]
        if values[-1].ndim < 2 or values[-1].shape[-1] != size:
            raise ValueError(f"xs of layer {index} must be (..., T, {size}), got {values[-1].shape}")
        preactivations.append(read_only(layer.preactivations(values[-1])))
        values.append(read_only(np.array(ACTIVATIONS[layer.activation][0](preactivations[-1]))))
    return ConvolutionTrace(tuple(values), tuple(preactivations))


def convolution_vjp(
    layers: Sequence[CausalConvolution], trace: ConvolutionTrace, gradient: Any
) -> tuple[Array, tuple[Mapping[str, Array], ...]]:
    """Carry dL/d outputs (..., T, n) back: (dL/dxs, each layer's dL/d kernel and dL/db)."""
    back = checked_array("gradient", gradient, trace.values[-1].shape)
    parameters: list[Mapping[str, Array]] = []
    for layer, xs, a in zip(layers[::-1], trace.values[-2::-1], trace.preactivations[::-1], strict=True):
        back, own = layer.vjp(xs, a, back)
        parameters.append(own)
    return back, tuple(parameters[::-1])


def receptive_field(layers: Sequence[CausalConvolution]) -> int:
    """How many steps, its own included, one output of the stack sees: 1 + sum (w - 1) dilation."""
    return 1 + sum((layer.width - 1) * layer.dilation for layer in layers)
