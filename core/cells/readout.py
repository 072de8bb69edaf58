"""The linear read-out y = W_hy h + b_y that every cell may carry."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Array, checked_array, read_only


def checked_readout(W_hy: Any, b_y: Any, hidden_size: int) -> tuple[Array | None, Array | None]:
    """Return (W_hy (m, n), b_y (m,)) as checked copies, or (None, None) without a read-out.

    A missing b_y becomes zeros. Raises a ValueError for wrong shapes and for b_y without W_hy.
    """
    if W_hy is None:
        if b_y is not None:
            raise ValueError("b_y must be None where W_hy is None, got an array")
        return None, None
    weights = checked_array("W_hy", W_hy, (None, hidden_size))
    outputs = weights.shape[0]
    if b_y is None:
        return weights, read_only(np.zeros(outputs))
    return weights, checked_array("b_y", b_y, (outputs,))


def read_out(W_hy: Array | None, b_y: Array | None, h: Array) -> Array | None:
    """y = W_hy h + b_y, shape (..., m) from h (..., n); None without a read-out."""
    if W_hy is None or b_y is None:
        return None
    return h @ W_hy.T + b_y


def read_out_vjp(W_hy: Array, dy: Array) -> Array:
    """dL/dh = W_hy^T dL/dy, shape (..., n) from dy (..., m)."""
    return dy @ W_hy


def count(*arrays: Array | None) -> int:
    """Return how many numbers these arrays hold; None holds none."""
    return sum(array.size for array in arrays if array is not None)
