"""The presets of /lstm: what each is called, and the sentence that its numbers bear out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rnnscope.core import PATHS, Run

from ..words import power_readout, readout, symbol
from .gradient_paths import SHARE, Split
from .presets import Presets

#: The split of the page's run, found when a sentence speaks of it.
Splits = Callable[[], Split]

LABELS = {
    "remembers": "Remembers",
    "forgets": "Forgets",
    "forget-bias-1": "Forget gate alone",
    "one-unit": "One unit",
    "more-than-forget-gates": "More than forget gates",
    "constant-error-carousel": "Constant error carousel",
}


def _norm(split: Splits, curve: int) -> Any:
    """A norm over the whole run: of d c_T / d c_0, of the product of forget gates, of the RNN."""
    return power_readout(float(split().norms[0, curve]), "dc_norm", 0, curve)


def _whole(shown: Run) -> list[Any]:
    return ["‖", symbol("∂c", str(shown.trace.steps)), " / ", symbol("∂c", "0"), "‖"]


def _remembers(shown: Run, split: Splits) -> list[Any]:
    cs, forget, T = shown.trace.cs, shown.trace.gates["f"], shown.trace.steps
    unit = int(np.argmax(np.abs(cs[1])))
    t, weakest = np.unravel_index(int(np.argmin(forget)), forget.shape)
    start = ["One kick at step 1, nothing after it. The forget gates keep at least "]
    kept = [readout(forget.min(), "f", int(t) + 1, int(weakest)), f" a step: unit {unit + 1} has "]
    then = [symbol("c", "1"), " = ", readout(cs[1, unit], "c", 1, unit), " and ", symbol("c", str(T)), " = "]
    end = [readout(cs[T, unit], "c", T, unit), ". What is kept goes on adding to itself through ", symbol("h"), "."]
    return [*start, *kept, *then, *end]


def _forgets(shown: Run, split: Splits) -> list[Any]:
    forget = shown.trace.gates["f"]
    t, unit = np.unravel_index(int(np.argmax(forget)), forget.shape)
    start = ["The forget gates keep at most ", readout(forget.max(), "f", int(t) + 1, int(unit)), " of "]
    middle = [symbol("c"), " a step. Their product over the run is ", _norm(split, 1), ", and yet ", *_whole(shown)]
    return [*start, *middle, " is ", _norm(split, 0), ": what is left went through ", symbol("h"), "."]


def _alone(shown: Run, split: Splits) -> list[Any]:
    start = ["Every weight is 0, so the forget gate is ", readout(shown.trace.gates["f"][0, 0], "f", 1)]
    middle = [" at every step. Only here is ", *_whole(shown), " the product of forget gates: "]
    return [*start, *middle, _norm(split, 0), " and ", _norm(split, 1), "."]


def _one(shown: Run, split: Splits) -> list[Any]:
    kept, through = (float(split().paths.shares[name][0]) for name in ("kept", "g"))
    start = ["With one unit every path is one number. Over the run the cell line has the share "]
    middle = [readout(kept, SHARE, 0, PATHS.index("kept")), ", the paths by the candidate "]
    end = ": they work against each other, and the rest decides what is left."
    return [*start, *middle, readout(through, SHARE, 0, PATHS.index("g")), end]


def _more(shown: Run, split: Splits) -> list[Any]:
    start = [*_whole(shown), " is ", _norm(split, 0), "; the product of forget gates says ", _norm(split, 1)]
    through = float(split().paths.shares["g"][0])
    middle = [". The share of the paths that first go through the candidate is "]
    return [*start, *middle, readout(through, SHARE, 0, PATHS.index("g")), "."]


def _carousel(shown: Run, split: Splits) -> list[Any]:
    T, forget, written = shown.trace.steps, shown.trace.gates["f"], shown.trace.gates["i"]
    t, unit = np.unravel_index(int(np.argmax(written)), written.shape)
    gates = [symbol("f"), " is exactly ", readout(forget[0, 0], "f", 1), ", ", symbol("i"), " at most "]
    start = [*gates, readout(written.max(), "i", int(t) + 1, int(unit)), f": after {T} steps ", *_whole(shown), " is "]
    middle = [_norm(split, 0), ", the RNN’s ", _norm(split, 2), ". Nothing is lost; nothing new is written either."]
    return [*start, *middle]


CLAIMS: dict[str, Callable[[Run, Split], list[Any]]] = {
    "remembers": _remembers,
    "forgets": _forgets,
    "forget-bias-1": _alone,
    "one-unit": _one,
    "more-than-forget-gates": _more,
    "constant-error-carousel": _carousel,
}

PRESETS = Presets(LABELS, CLAIMS)
