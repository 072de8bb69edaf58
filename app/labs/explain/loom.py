"""The numbers of /bptt that are of one loss at one state, and of what goes through a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import state_difference, step_jacobians

from ...words import Phrase, phrase, symbol
from .answer import CENTRAL, Asked, Check, Entry, check, one, step_alone
from .network import DIFFERENCES, kept_losses, moved

SUM_OF_SQUARES = "Square root of the sum of squares"


def full_code(asked: Asked) -> str:
    """The gradient without a window, in Python."""
    cut = asked.run.config.truncate is not None
    return "bptt(r.cell, r.trace, r.targets, r.config.loss)" if cut else "r.gradients"


def titled(*parts: Any) -> Callable[[Asked], Phrase]:
    """A title from text and callables."""
    return lambda asked: phrase(*(word for part in parts for word in (part(asked) if callable(part) else [part])))


def state_letter(asked: Asked, t: int) -> Phrase:
    """h, or s where the state is (h, c)."""
    whole = asked.cell.state_size > asked.cell.hidden_size
    return phrase(symbol("s" if whole else "h", str(t)))


def along(vector: np.ndarray) -> np.ndarray:
    """The unit vector: the slope along a gradient is its length."""
    size = float(np.linalg.norm(vector))
    return vector / size if size else vector + 1.0


# --- one loss at one state -------------------------------------------------------------------


def loss_at_state(asked: Asked, loss: int, k: int) -> np.ndarray:
    """dL_loss / d state_k, every entry by central differences."""
    size = asked.cell.state_size
    return np.array([moved(asked, "state", one((size,), i), k, (loss, loss)) for i in range(size)])


def _derivative(asked: Asked, loss: int, k: int) -> Phrase:
    return phrase("∂", symbol("L", str(loss)), "/∂", *state_letter(asked, k))


def _sized(asked: Asked, found: Phrase) -> Phrase:
    return found if asked.lab.chain.signed else phrase("‖", *found, "‖")


def _size(asked: Asked, vector: np.ndarray) -> float:
    return float(vector[0]) if asked.lab.chain.signed else math.hypot(*vector)


def _contribution_checks(asked: Asked, value: float) -> list[Check]:
    if asked.t < 1 or asked.unit > asked.t:
        return []
    chain = asked.lab.chain
    factors = [chain.factors[asked.t, i] for i in range(asked.unit + 1, asked.t + 1)] if asked.unit else []
    product = abs(chain.starts[asked.t] * math.prod(factors))
    norm = math.hypot(*loss_at_state(asked, asked.t, asked.unit))
    found = [check(f"{DIFFERENCES} of step {asked.t} alone, its length", norm, 10.0**value, "central", CENTRAL)]
    if not asked.unit:
        return found
    return [check("Start times the factors of the chain, log₁₀", _log10(product), value, "other", 1e-9), *found]


def _log10(value: float) -> float:
    return math.log10(value) if value > 0 else -math.inf


def _value_checks(asked: Asked, value: float) -> list[Check]:
    chain = asked.lab.chain
    product = chain.starts[asked.t] * math.prod(chain.factors[asked.t, i] for i in range(asked.unit + 1, asked.t + 1))
    slope = _size(asked, loss_at_state(asked, asked.t, asked.unit))
    words = f"{DIFFERENCES} of step {asked.t} alone"
    return [
        check("Start times the factors", float(product), value),
        check(words, slope, value, "central", CENTRAL),
    ]


def _start_checks(asked: Asked, value: float) -> list[Check]:
    own = asked.gradients.from_output[asked.t - 1]
    slope = _size(asked, loss_at_state(asked, asked.t, asked.t))
    return [
        check("From the output alone", float(own[0]) if asked.lab.chain.signed else math.hypot(*own), value),
        check(f"{DIFFERENCES} of step {asked.t} alone", slope, value, "central", CENTRAL),
    ]


def _factor_checks(asked: Asked, value: float) -> list[Check]:
    i, loss = asked.t, asked.unit
    if asked.lab.chain.signed:
        slope = float(state_difference(asked.cell, asked.trace, i - 1, i, [1.0])[0])
        jacobian = float(step_jacobians(asked.cell, asked.trace)[i - 1, 0, 0])
        return [
            check("Entry of the step’s Jacobian", jacobian, value),
            check("Central differences of the state", slope, value, "central", CENTRAL),
        ]
    values = asked.lab.chain.values
    before, after = (math.hypot(*loss_at_state(asked, loss, k)) for k in (i - 1, i))
    return [
        check("Ratio of the two lengths", float(values[loss, i - 1] / values[loss, i]), value),
        check("Ratio of two central differences", before / after if after else math.nan, value, "central", 1e-4),
    ]


def _factor_formula(asked: Asked) -> Phrase:
    i = asked.t
    if asked.lab.chain.signed:
        return phrase("∂", *state_letter(asked, i), "/∂", *state_letter(asked, i - 1))
    return phrase("‖", *_derivative(asked, asked.unit, i - 1), "‖ / ‖", *_derivative(asked, asked.unit, i), "‖")


def _chain_formula(asked: Asked) -> Phrase:
    t, k = asked.t, asked.unit
    factors = [word for i in range(t, k, -1) for word in (" ", symbol("J", str(i)))]
    middle = factors if t - k <= 4 else [" ", symbol("J", str(t)), " … ", symbol("J", str(k + 1))]
    return phrase(*_derivative(asked, t, k), " = ", *_derivative(asked, t, t), *middle)


CHAIN = {
    "contribution": Entry(
        words="how much of one loss arrives at one state, as a power of ten",
        rows=lambda at: (at.lab.full.contributions, 0),
        code=lambda at: f"{full_code(at)}.contributions[{at.t}, {at.unit}]",
        title=titled("log₁₀ ‖", lambda at: _derivative(at, at.t, at.unit), "‖"),
        formula=_chain_formula,
        checks=_contribution_checks,
    ),
    "chain_start": Entry(
        words="gradient of a loss at its own state",
        rows=lambda at: (at.lab.chain.starts, 0),
        code=lambda at: f"chain_factors(r.cell, r.trace, {full_code(at)}).starts[{at.t}]",
        title=lambda at: _sized(at, _derivative(at, at.t, at.t)),
        checks=_start_checks,
    ),
    "chain_factor": Entry(
        words=lambda at: f"what step {at.t} multiplies the gradient by on its way back",
        rows=lambda at: (at.lab.chain.factors.T, 0),
        code=lambda at: f"chain_factors(r.cell, r.trace, {full_code(at)}).factors[{at.unit}, {at.t}]",
        title=titled("factor of step ", lambda at: [str(at.t)]),
        formula=_factor_formula,
        checks=_factor_checks,
    ),
    "chain_value": Entry(
        words="gradient of one loss at one state",
        rows=lambda at: (at.lab.chain.values, 0),
        code=lambda at: f"chain_factors(r.cell, r.trace, {full_code(at)}).values[{at.t}, {at.unit}]",
        title=lambda at: _sized(at, _derivative(at, at.t, at.unit)),
        formula=_chain_formula,
        checks=_value_checks,
    ),
}  # fmt: skip


# --- what goes through a step ----------------------------------------------------------------


def _through_checks(asked: Asked, value: float) -> list[Check]:
    vector = asked.gradients.through[asked.t - 1]
    single = len(vector) == 1
    losses = kept_losses(asked, asked.t)
    slope = moved(asked, "state", np.ones(1) if single else along(vector), asked.t, losses)
    words = f"{DIFFERENCES} of steps {losses[0]} to {losses[1]}{'' if single else ', along it'}"
    again = [] if single else [check(SUM_OF_SQUARES, math.hypot(*vector), value)]
    return [*again, *_arrived(asked, value, vector), check(words, slope, value, "central", CENTRAL)]


def _arrived(asked: Asked, value: float, vector: np.ndarray) -> list[Check]:
    """Own output plus what the next step sends back, where no loss has stopped in between."""
    t = asked.t
    if t == asked.T or kept_losses(asked, t)[1] < asked.T or len(vector) > 1:
        return []
    back = asked.gradients.through[t] @ step_jacobians(asked.cell, asked.trace)[t]
    return [check("Own output and next step", float((asked.gradients.from_output[t - 1] + back)[0]), value)]


def _carried(asked: Asked) -> np.ndarray:
    """What comes back from later steps: core's own, or with a window what is left of the live sum."""
    grads, T = asked.gradients, asked.T
    rest = grads.through[:, : asked.cell.hidden_size] - grads.from_output
    whole = [t for t in range(1, T + 1) if min(T - t + 1, asked.window) == T - t + 1]
    return np.array([grads.from_next[t, 0] if t in whole else rest[t - 1, 0] for t in range(1, T + 1)])


def _carried_code(asked: Asked) -> str:
    if min(asked.T - asked.t + 1, asked.window) == asked.T - asked.t + 1:
        return f"r.gradients.from_next[{asked.t}, 0]"
    return f"r.gradients.through[{asked.t - 1}, 0] - r.gradients.from_output[{asked.t - 1}, 0]"


def _carried_checks(asked: Asked, value: float) -> list[Check]:
    first, last = asked.t + 1, kept_losses(asked, asked.t)[1]
    if last < first:
        return [check("No later loss goes through this step", 0.0, value)]
    slope = moved(asked, "state", np.ones(1), asked.t, (first, last))
    return [check(f"{DIFFERENCES} of steps {first} to {last}", slope, value, "central", CENTRAL)]


def _norm_entry(
    words: str, letter: Callable[[Asked], Phrase], vectors: Callable[[Asked], tuple[Any, int]], code: str
) -> Entry:
    """The length of a vector of a step."""

    def rows(asked: Asked) -> tuple[Any, int]:
        found, first = vectors(asked)
        return [float(np.linalg.norm(row)) for row in found], first

    def checks(asked: Asked, value: float) -> list[Check]:
        found, first = vectors(asked)
        return [check(SUM_OF_SQUARES, math.hypot(*found[asked.t - first]), value)]

    return Entry(
        words=words, rows=rows, code=lambda at: code.format(t=at.t, p=at.t - 1), title=titled("‖", letter, "‖"),
        checks=checks, where=step_alone,
    )  # fmt: skip


def deltas(asked: Asked) -> tuple[np.ndarray, int]:
    """dL/da_t, of a gated cell the gates' end to end."""
    found = asked.gradients.preactivations
    return (np.concatenate(list(found.values()), axis=1) if isinstance(found, dict) else found), 1


THROUGH = {
    **{name: Entry(
        words="what arrives at the state of the losses that go on through this step",
        rows=lambda at: (at.lab.live(), 1),
        code=lambda at: (
            f"r.gradients.through[{at.t - 1}, 0]" if at.cell.state_size == 1
            else f"np.linalg.norm(r.gradients.through, axis=1)[{at.t - 1}]"),
        title=lambda at: _sized(at, phrase("∂", symbol("L"), "/∂", *state_letter(at, at.t))),
        checks=_through_checks,
        where=step_alone,
    ) for name in ("live", "dh_live", "dh_live_norm")},
    "dh_carried": Entry(
        words="what comes back to the state from later steps",
        rows=lambda at: (_carried(at), 1),
        code=_carried_code,
        title=titled("∂", lambda at: [symbol("L")], "/∂", lambda at: state_letter(at, at.t), " from later"),
        checks=_carried_checks,
        where=step_alone,
    ),
    "h_norm": _norm_entry(
        "length of the hidden state", lambda at: at.letter("h"), lambda at: (at.trace.hs, 0),
        "np.linalg.norm(r.trace.hs[{t}])"),
    "dh_next_norm": _norm_entry(
        "length of what is passed back to the state", lambda at: at.letter("dh"),
        lambda at: (at.gradients.from_next, 0), "np.linalg.norm(r.gradients.from_next[{t}])"),
    "da_norm": Entry(
        words="length of the gradient at the pre-activation",
        rows=lambda at: ([float(np.linalg.norm(row)) for row in deltas(at)[0]], 1),
        code=lambda at: (
            f"np.linalg.norm(r.gradients.preactivations[{at.t - 1}])" if not at.gated else
            f"np.linalg.norm(np.concatenate([a[{at.t - 1}] for a in r.gradients.preactivations.values()]))"),
        title=titled("‖", lambda at: [symbol("δ", str(at.t))], "‖"),
        checks=lambda at, value: [check(SUM_OF_SQUARES, math.hypot(*deltas(at)[0][at.t - 1]), value)],
        where=step_alone,
    ),
}  # fmt: skip

LOOM: Mapping[str, Entry] = MappingProxyType({**CHAIN, **THROUGH})
