"""One step of each cell and its Jacobian, as the script of a run writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rnnscope.core import GRU, LSTM, RNN

ACTIVATIONS = {
    "tanh": ("np.tanh(a)", "1 - np.tanh(a) ** 2"),
    "relu": ("np.maximum(a, 0)", "(a > 0).astype(float)"),
    "linear": ("a", "np.ones(n)"),
}

RNN_STEPS = """\
states, sums, jacobians = [start], [], []
for x in xs:
    a = W_xh @ x + W_hh @ states[-1] + b_h
    sums.append(a)
    states.append({value})
    jacobians.append(({slope})[:, None] * W_hh)
"""

SIGMOID = """\
def sigma(a):
    return np.exp(-np.logaddexp(0, -a))

"""
GATED = "states, sums, gates, jacobians = [start], [], [], []\n"

LSTM_STEPS = """\
for x in xs:
    h, c = states[-1][:n], states[-1][n:]
    sums.append(W_xh @ x + W_hh @ h + b_h)  # blocks f, i, o, g
    (f, i, o), g = sigma(sums[-1][:3]), np.tanh(sums[-1][3])
    gates.append((f, i, o, g))
    new = f * c + i * g
    states.append(np.concatenate([o * np.tanh(new), new]))
    A = np.einsum("kn,knm->nm", [c * f * (1 - f), g * i * (1 - i), i * (1 - g * g)], W_hh[[0, 1, 3]])
    slope = o * (1 - np.tanh(new) ** 2)
    through_o = (np.tanh(new) * o * (1 - o))[:, None] * W_hh[2]
    jacobians.append(np.block([[slope[:, None] * A + through_o, np.diag(slope * f)], [A, np.diag(f)]]))
"""

GRU_STEPS = """\
for x in xs:
    h = states[-1]
    az, ar = W_xh[:2] @ x + W_hh[:2] @ h + b_h[:2]
    z, r = sigma(az), sigma(ar)
    ag = W_xh[2] @ x + {product} + b_h[2]
    g = np.tanh(ag)
    sums.append((az, ar, ag))
    gates.append((z, r, g))
    states.append({blend})
    inner = {inner}
    dz = (({toward}) * z * (1 - z))[:, None] * W_hh[0]
    jacobians.append(np.diag({kept}) + dz + ({taken} * (1 - g * g))[:, None] * inner)
"""
RESETS = {
    "before": ("W_hh[2] @ (r * h)", "W_hh[2] * r + (W_hh[2] * (h * r * (1 - r))) @ W_hh[1]"),
    "after": (
        "r * (W_hh[2] @ h + b_hh)",
        "r[:, None] * W_hh[2] + ((W_hh[2] @ h + b_hh) * r * (1 - r))[:, None] * W_hh[1]",
    ),
}
UPDATES = {
    "new": ("(1 - z) * h + z * g", "g - h", "1 - z", "z"),
    "old": ("z * h + (1 - z) * g", "h - g", "z", "(1 - z)"),
}


def _rnn(cell: RNN) -> str:
    value, slope = ACTIVATIONS[cell.activation]
    return RNN_STEPS.format(value=value, slope=slope)


def _gru(cell: GRU) -> str:
    product, inner = RESETS[cell.reset]
    blend, toward, kept, taken = UPDATES[cell.update]
    steps = GRU_STEPS.format(product=product, inner=inner, blend=blend, toward=toward, kept=kept, taken=taken)
    return GATED + steps


STEPS: Mapping[type, Callable[[Any], str]] = {
    RNN: _rnn,
    LSTM: lambda cell: GATED + LSTM_STEPS,
    GRU: _gru,
}
"""Class of a cell -> the lines that run it: `states`, `sums`, `gates` and `jacobians`, a step each."""
