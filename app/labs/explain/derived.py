"""Numbers of a run that are made of those in its equations: products, sums, slopes, what arrives from where."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from rnnscope.core import Product, central_difference, equation, products, softmax, step_jacobians
from rnnscope.core.expressions import FUNCTIONS
from rnnscope.core.notation import weight_token

from ...words import Phrase, phrase, symbol, token_words
from .answer import CENTRAL, Asked, Check, Entry, check, one, step_and_place, step_and_unit
from .network import AGAIN, DIFFERENCES, kept_losses, moved

REACH = 6e-6


def _titled(name: str, *parts: Any) -> Callable[[Asked], Phrase]:
    return lambda asked: phrase(*_parts(asked, (name, *parts)))


def _parts(asked: Asked, parts: tuple[Any, ...]) -> list[Any]:
    """Letters in `{braces}` are quantities of the step in the notation of the page, `{h-}` of the step before."""
    found: list[Any] = []
    for part in parts:
        if part.startswith("{"):
            name = part[1:-1]
            found += asked.letter(name.rstrip("-+"), asked.t + name.endswith("+") - name.endswith("-"))
        else:
            found.append(part)
    return found


def says(*parts: str) -> Callable[[Asked], Phrase]:
    return lambda asked: phrase(*_parts(asked, parts))


def gate_product(words: str, title: tuple[str, ...], rows: Any, code: str, again: Any) -> Entry:
    return Entry(
        words=words,
        rows=rows,
        code=lambda at: code.format(t=at.t, p=at.t - 1, unit=at.unit),
        title=says(*title),
        formula=says(*title),
        checks=lambda at, value: [check(AGAIN, again(at), value)],
        where=step_and_unit,
    )


def gate_value(asked: Asked, name: str) -> float:
    return float(asked.trace.gates[name][asked.t - 1, asked.unit])


LSTM = {
    "fc": gate_product(
        "what the forget gate keeps of the cell state", ("{f}", " · ", "{c-}"),
        lambda at: (at.trace.gates["f"] * at.trace.cs[:-1], 1),
        'r.trace.gates["f"][{p}, {unit}] * r.trace.cs[{p}, {unit}]',
        lambda at: float(at.trace.cs[at.t, at.unit]) - gate_value(at, "i") * gate_value(at, "g"),
    ),
    "ig": gate_product(
        "what the input gate lets in of the candidate", ("{i}", " · ", "{g}"),
        lambda at: (at.trace.gates["i"] * at.trace.gates["g"], 1),
        'r.trace.gates["i"][{p}, {unit}] * r.trace.gates["g"][{p}, {unit}]',
        lambda at: float(at.trace.cs[at.t, at.unit]) - gate_value(at, "f") * float(at.trace.cs[at.t - 1, at.unit]),
    ),
    "tc": gate_product(
        "cell state through tanh, before the output gate", ("tanh ", "{c}"),
        lambda at: (np.tanh(at.trace.cs[1:]), 1),
        "np.tanh(r.trace.cs[{t}, {unit}])",
        lambda at: math.tanh(at.trace.cs[at.t, at.unit]),
    ),
}  # fmt: skip


# --- what arrives at a state -----------------------------------------------------------------


def _read_out_product(asked: Asked) -> tuple[Product, ...]:
    """The first product of dL/dh_t: from its own output."""
    run = asked.run
    found = products(
        equation(run.cell, "dh"), run.cell, run.trace, asked.t, asked.unit, asked.full, asked.notation, run.targets
    )
    return found[:1]


def _dh_out_formula(asked: Asked) -> Phrase:
    found = _read_out_product(asked)[0]
    return token_words([found.matrix_token, *found.vector_tokens])


def _dh_out_checks(asked: Asked, value: float) -> list[Check]:
    slope = moved(asked, "state", one((asked.cell.state_size,), asked.unit), asked.t, (asked.t, asked.t))
    return [
        check(AGAIN, _read_out_product(asked)[0].total, value),
        check(f"{DIFFERENCES} of this step alone", slope, value, "central", CENTRAL),
    ]


def _dh_next_checks(asked: Asked, value: float) -> list[Check]:
    """Through the Jacobian of the next step, and by the losses from there on."""
    if asked.t == asked.T:
        return [check(AGAIN, 0.0, value)]
    jacobian = step_jacobians(asked.cell, asked.trace)[asked.t]
    losses = kept_losses(asked, asked.t + 1)
    slope = moved(asked, "state", one((asked.cell.state_size,), asked.unit), asked.t, losses)
    return [
        check(
            "Recomputed by the next step’s Jacobian", (asked.gradients.through[asked.t] @ jacobian)[asked.unit], value
        ),
        check(f"{DIFFERENCES} from step {losses[0]} to {losses[1]}", slope, value, "central", CENTRAL),
    ]


def _dh_next_formula(asked: Asked) -> Phrase:
    if asked.t == asked.T:
        return phrase("0: no step follows the last one.")
    return phrase(symbol("J", str(asked.t + 1), "T"), " × what arrives at ", *asked.letter("h", asked.t + 1))


# --- the gradient of W, one use and all ------------------------------------------------------


def block_place(asked: Asked) -> tuple[int, ...]:
    """The entry (unit, unit) of W_hh, of a gated cell in the block that the page shows."""
    names = asked.cell.gate_names
    return (*((names.index(asked.lab.state.block),) if names else ()), asked.unit, asked.unit)


def recurrent(asked: Asked) -> Phrase:
    """The recurrent matrix in the notation of the page, of a gated cell the block that it shows."""
    gate = asked.lab.state.block if asked.gated else None
    return token_words([weight_token(asked.letters, "W_hh", gate, transposed=False)])


def _tile_formula(asked: Asked) -> Phrase:
    gate = asked.lab.state.block if asked.gated else ""
    reset = phrase(*asked.letter("r"), " · ") if asked.gated and gate == "g" and "r" in asked.cell.gate_names else []
    return phrase(*asked.letter(f"da{gate}"), " · ", *reset, *asked.letter("h", asked.t - 1))


def _tile_again(asked: Asked) -> float:
    """dL/da_t times what this row of W was multiplied by."""
    names, p, unit = asked.cell.gate_names, asked.t - 1, asked.unit
    seen = float(asked.trace.hs[p, unit])
    if not names:
        return float(asked.gradients.preactivations[p, unit]) * seen
    gate = asked.lab.state.block
    through_reset = "r" in names and gate == "g"
    return (
        float(asked.gradients.preactivations[gate][p, unit]) * seen * (gate_value(asked, "r") if through_reset else 1.0)
    )


def _tile_checks(asked: Asked, value: float) -> list[Check]:
    slope = moved(asked, "W_hh", one(asked.cell.W_hh.shape, *block_place(asked)), asked.t, kept_losses(asked, asked.t))
    words = f"{DIFFERENCES}, this use of W alone moved"
    return [check(AGAIN, _tile_again(asked), value), check(words, slope, value, "central", CENTRAL)]


def _sum_checks(asked: Asked, value: float) -> list[Check]:
    place = block_place(asked)
    summed = math.fsum(tile[place] for tile in asked.gradients.W_hh_steps)
    found = [check("Sum of the tiles", summed, value)]
    if asked.run.config.truncate is not None:
        return found
    run = asked.run
    slope = central_difference(
        run.cell, run.trace, run.targets, run.config.loss, "W_hh", one(run.cell.W_hh.shape, *place)
    )
    return [*found, check(f"{DIFFERENCES}, W moved everywhere", slope, value, "central", CENTRAL)]


def _diagonal(asked: Asked, array: np.ndarray) -> np.ndarray:
    """Entries (unit, unit) of one or more (…, n, n), of the block that the page shows."""
    names = asked.cell.gate_names
    block = array[..., names.index(asked.lab.state.block), :, :] if names else array
    return np.diagonal(block, axis1=-2, axis2=-1)


def _index(asked: Asked) -> str:
    return ", ".join(str(i) for i in block_place(asked))


def _cut_note(asked: Asked) -> Phrase:
    cut = asked.run.config.truncate is not None
    return phrase(
        "A truncated gradient is not the gradient of the loss: no central difference belongs to it." if cut else ""
    )


WITH_LOSS = {
    "dh_out": Entry(
        words="what arrives at the hidden state from its own output",
        where=step_and_unit,
        rows=lambda at: (at.gradients.from_output, 1),
        code=lambda at: f"r.gradients.from_output[{at.t - 1}, {at.unit}]",
        title=says("∂", "{L}", "/∂", "{h}"),
        formula=_dh_out_formula,
        products=_read_out_product,
        checks=_dh_out_checks,
    ),
    "dh_next": Entry(
        words="what arrives at the hidden state from the next step",
        where=step_and_unit,
        rows=lambda at: (at.gradients.from_next[:, : at.cell.hidden_size], 0),
        code=lambda at: f"r.gradients.from_next[{at.t}, {at.unit}]",
        title=lambda at: phrase(*at.letter("dh"), f" from step {at.t + 1}"),
        formula=_dh_next_formula,
        checks=_dh_next_checks,
    ),
    "dW": Entry(
        words="what one use of the recurrent weights adds to their gradient",
        where=step_and_unit,
        rows=lambda at: (_diagonal(at, at.gradients.W_hh_steps), 1),
        code=lambda at: f"r.gradients.W_hh_steps[{at.t - 1}, {_index(at)}]",
        title=lambda at: phrase("∂", symbol("L"), "/∂", *recurrent(at), f" at {at.t}"),
        formula=_tile_formula,
        checks=_tile_checks,
    ),
    "dW_sum": Entry(
        words="gradient of the loss with respect to the recurrent weights, all uses together",
        rows=lambda at: (_diagonal(at, at.gradients.W_hh)[None], at.T),
        code=lambda at: f"r.gradients.W_hh[{_index(at)}]",
        title=lambda at: phrase("∂", symbol("L"), "/∂", *recurrent(at)),
        formula=lambda at: phrase(f"sum of the {at.T} tiles, one a use"),
        checks=_sum_checks,
        note=_cut_note,
    ),
    "L_sum": Entry(
        words="sum of the losses of all steps",
        rows=lambda at: ([float(at.gradients.loss.sum())], at.T),
        code=lambda at: "r.gradients.loss.sum()",
        title=lambda at: phrase(symbol("L")),
        formula=lambda at: phrase(*at.letter("L", 1), " + … + ", *at.letter("L", at.T)),
        checks=lambda at, value: [check("Summed without rounding", math.fsum(at.gradients.loss), value)],
    ),
    "p": Entry(
        words="probability of an output by softmax",
        where=step_and_place,
        rows=lambda at: (np.array([softmax(y) for y in at.trace.ys]), 1),
        code=lambda at: f"softmax(r.trace.ys[{at.t - 1}])[{at.unit}]",
        title=lambda at: phrase(symbol("p", f"{at.t}, {at.unit + 1}")),
        formula=says("exp ", "{y}", " / Σ exp ", "{y}"),
        checks=lambda at, value: [check(AGAIN, share(at.trace.ys[at.t - 1], at.unit), value)],
    ),
}


def share(scores: np.ndarray, unit: int) -> float:
    return 1.0 / math.fsum(math.exp(min(700.0, score - scores[unit])) for score in scores)


# --- the slope of the activation, and the count of parameters --------------------------------


def _slope_checks(asked: Asked, value: float) -> list[Check]:
    a, name = float(asked.trace.preactivations[asked.t - 1, asked.unit]), asked.cell.activation
    again = {"tanh": 1.0 - math.tanh(a) ** 2, "relu": float(a > 0), "linear": 1.0}[name]
    function = FUNCTIONS[name][1]
    slope = float(function(np.array(a + REACH)) - function(np.array(a - REACH))) / (2 * REACH)
    return [check(AGAIN, again, value), check(f"Central differences of {name}", slope, value, "central", CENTRAL)]


def _slope_formula(asked: Asked) -> Phrase:
    kinds = {"tanh": ("1 − ", "{h}", "²"), "relu": ("1 where ", "{a}", " > 0, else 0"), "linear": ("1",)}
    return phrase(*_parts(asked, kinds[asked.cell.activation]))


def _count_checks(asked: Asked, value: float) -> list[Check]:
    names = ("W_xh", "W_hh", "b_h", "b_hh", "W_hy", "b_y")
    arrays = [getattr(asked.cell, name, None) for name in names]
    return [check("Counted in the arrays", sum(array.size for array in arrays if array is not None), value)]


ANY = {
    "slope": Entry(
        words="slope of the activation",
        where=step_and_unit,
        rows=lambda at: (np.array([at.cell.slope(a) for a in at.trace.preactivations]), 1),
        code=lambda at: f"r.cell.slope(r.trace.preactivations[{at.t - 1}])[{at.unit}]",
        title=says("φ′(", "{a}", ")"),
        formula=_slope_formula,
        checks=_slope_checks,
    ),
    "parameters": Entry(
        words="how many numbers the network has to learn",
        rows=lambda at: ([at.cell.parameter_count], 0),
        code=lambda at: "r.cell.parameter_count",
        title=lambda at: phrase("parameters"),
        formula=lambda at: phrase("all entries of all weights and biases"),
        checks=_count_checks,
    ),
}
