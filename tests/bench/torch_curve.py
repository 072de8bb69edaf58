"""The gradient-norm curve as PyTorch's autograd gives it, float64 on one thread: what ours is measured against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from rnnscope.core import RNN


def curve_call(cell: RNN, xs: np.ndarray, gradient: np.ndarray) -> Callable[[], Any]:
    """Return a call: all states, then the norm of gradient . d h_T / d h_k for every k, by one backward pass."""
    torch.set_num_threads(1)
    W_xh, W_hh, b_h, inputs, seed = map(torch.tensor, (cell.W_xh, cell.W_hh, cell.b_h, xs, gradient))

    def call() -> Any:
        states = [torch.zeros(len(b_h), dtype=torch.float64, requires_grad=True)]
        for x in inputs @ W_xh.T + b_h:
            states.append(torch.tanh(W_hh @ states[-1] + x))
        return torch.stack(torch.autograd.grad(states[-1], states, seed)).norm(dim=1)

    return call
