"""The presets of /gradients: what each is called, and the sentence that its numbers bear out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..words import power_readout, readout, symbol
from .measured import Measured
from .presets import Presets

LABELS = {
    "radius-is-not-norm": "Radius is not norm",
    "folk-law-wrong": "ρ = 1.2, and yet it vanishes",
    "identity-relu": "Identity and ReLU",
    "orthogonal": "Orthogonal keeps length",
    "jordan-block": "Jordan block",
    "forget-bias-0": "Forget bias 0",
    "forget-bias-1": "1",
    "forget-bias-4": "4",
    "chaos-needs-size": "Chaos needs size",
}
#: Labels that are read beside their neighbours, in full.
FULL = {"forget-bias-1": "Forget bias 1", "forget-bias-4": "Forget bias 4"}
#: The lag at which "ρ = 1.2 and yet it vanishes" compares norm and folk law.
FAR = 30


def _norm(shown: Measured, lag: int) -> Any:
    return power_readout(float(shown.found.curve[lag]), "jacobian_norm", lag)


def _peak(shown: Measured) -> list[Any]:
    lag = int(np.argmax(shown.found.curve))
    radius = readout(float(np.abs(shown.eigenvalues[0])), "rho")
    start = ["Every eigenvalue is ", radius, ", and yet the norm climbs to ", _norm(shown, lag)]
    return [*start, f" at lag {lag} before it falls: the radius rules the limit, not the way there."]


def _vanishes(shown: Measured) -> list[Any]:
    law = power_readout(float(shown.decay.folk[FAR]), "folk_norm", FAR) if shown.decay else ""
    start = [f"Over {FAR} steps the folk law ", symbol("ρ", sup="k"), " promises ", law, "; the norm is "]
    return [*start, _norm(shown, FAR), ": the input drives tanh into saturation."]


def _ones(shown: Measured) -> list[Any]:
    end = _norm(shown, shown.steps)
    start = "Every product of Jacobians is diagonal with zeros and ones: live units pass the gradient on as it is, "
    return [start, f"over {shown.steps} steps by a factor of ", end, "."]


def _length(shown: Measured) -> list[Any]:
    change = float(np.max(np.abs(10.0**shown.found.curve - 1)))
    drift = readout(change, "length_change", shown.steps)
    return [
        "All singular values are 1: no direction is stretched or shrunk. Over the run the norm changes by ",
        drift,
        ", which is rounding.",
    ]


def _forgets(shown: Measured) -> list[Any]:
    kept = float(shown.run.trace.gates["f"][0, 0])
    start = ["With every weight 0 the forget gate is all there is: it keeps ", readout(kept, "f", 1)]
    return [
        *start,
        " a step and halves the gradient every ",
        readout(math.log(0.5) / math.log(kept), "gate_half_life"),
        " steps.",
    ]


def _size(shown: Measured) -> list[Any]:
    words = (
        "After one kick the network runs by itself. At gain 1.5 about one draw in six of 32 units is chaotic, and "
        "every draw of 400 units: the edge at 1 is a law for large networks. This draw has "
    )
    exponent = readout(shown.exponent, "lyapunov")
    end = " per step: chaotic." if shown.exponent > 0 else " per step: not chaotic."
    return [words, symbol("λ", "1"), " = ", exponent, end]


CLAIMS: dict[str, Callable[[Measured], list[Any]]] = {
    "radius-is-not-norm": _peak,
    "folk-law-wrong": _vanishes,
    "identity-relu": _ones,
    "orthogonal": _length,
    "jordan-block": _peak,
    "forget-bias-0": _forgets,
    "forget-bias-1": _forgets,
    "forget-bias-4": _forgets,
    "chaos-needs-size": _size,
}

PRESETS = Presets(LABELS, CLAIMS, FULL)
