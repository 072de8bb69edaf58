"""The patterns of /unfold beside hidden-to-hidden: each number from its own run, by its own equation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import Equation, loss_equations, meaning_of, softmax
from rnnscope.core.pattern_equations import convolution_equations, system_equations

from ...words import Phrase, phrase, token_words
from .answer import CENTRAL, Asked, Check, Entry, check, one, step_alone, step_and_place, step_and_unit
from .derived import share
from .network import AGAIN, DIFFERENCES, moved, unit_of
from .pattern_numbers import CONVOLUTION, OUTPUT, SYSTEM, ran, setup

Again = Callable[[Asked], float]
#: What a pattern has in common with the hidden-to-hidden run of the same weights and inputs.
SAME: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "output": ("x", "target", "W_xh", "b_h", "W_hy", "b_y"),
        "last": ("x", "h", "a", "y", "target", "p", "slope", "parameters", "W_xh", "W_hh", "b_h", "W_hy", "b_y"),
        "system": ("W_hh", "b_h"),
        "convolution": ("x", "h", "a", "slope", "W_xh", "W_hh", "b_h"),
    }
)


def pattern_of(lab: Any) -> str:
    """The pattern that a lab shows; "hidden" where it has none."""
    name: str = getattr(lab.state, "pattern", "hidden")
    return name


def as_hidden(asked: Asked) -> bool:
    """Whether a number is that of the hidden-to-hidden run, so that its entry holds."""
    pattern = pattern_of(asked.lab)
    return pattern == "hidden" or asked.symbol in SAME[pattern]


# --- from an equation ------------------------------------------------------------------------


def _equation(asked: Asked) -> Equation | None:
    if asked.t < 1:
        return None
    pattern, network = asked.lab.pattern, ran(asked).network
    kind = pattern_of(asked.lab)
    if kind == "system":
        found = system_equations(network.activation)
    elif kind == "convolution":
        found = convolution_equations(network.activation, asked.lab.state.window)
    else:
        found = pattern.equations_at(asked.t)
    return found.get(asked.symbol)


def _evaluated(asked: Asked, equation: Equation) -> float:
    found = ran(asked)
    return float(equation.evaluate(found.cell, found.trace, asked.t, found.gradients, found.targets)[unit_of(asked)])


def _formula(asked: Asked) -> Phrase:
    found = _equation(asked)
    return [] if found is None else _letters(asked, token_words(found.tokens(asked.notation, asked.t)))


def _letters(asked: Asked, words: Phrase) -> Phrase:
    """The state of a dynamical system is called s."""
    if pattern_of(asked.lab) != "system":
        return words
    return [word | {"text": "s"} if word.get("symbol") == "h" and "value" not in word else word for word in words]


def _lines(asked: Asked) -> list[Phrase]:
    equation, found = _equation(asked), ran(asked)
    if equation is None:
        return []
    left = _letters(asked, token_words(equation.tokens(asked.notation, asked.t)[:2]))
    numbers = equation.numbers(
        found.cell, found.trace, asked.t, unit_of(asked), found.gradients, asked.notation, found.targets
    )
    return [[*left, *token_words(numbers)]]


def _where(asked: Asked) -> str:
    if asked.symbol == "L":
        return step_alone(asked)
    return step_and_place(asked) if asked.symbol in ("y", "dy") else step_and_unit(asked)


def _signal(name: str, rows: Any, code: str, otherwise: Again | None = None, slope: Any = None) -> Entry:
    """A number of the pattern's equations; `otherwise` is what it is where a step has none."""

    def checks(asked: Asked, value: float) -> list[Check]:
        equation = _equation(asked)
        if equation is not None:
            found = [check(AGAIN, _evaluated(asked, equation), value)]
        else:
            found = [] if otherwise is None else [check("What it is at this step", otherwise(asked), value)]
        return [*found, *(slope(asked, value) if slope else [])]

    def note(asked: Asked) -> Phrase:
        given = asked.symbol == "h" and asked.t == 0
        return phrase("The state before the first step: it is given, or drawn." if given else "")

    return Entry(
        words=meaning_of(name) or name,
        rows=rows,
        code=lambda at: code.format(t=at.t, p=at.t - 1, unit=at.unit),
        title=lambda at: _letters(at, at.letter(name)),
        formula=_formula,
        lines=_lines,
        checks=checks,
        note=note,
        where=_where,
        setup=setup,
    )


# --- with a loss -----------------------------------------------------------------------------


def _gradients(name: str) -> Any:
    return lambda at: (getattr(ran(at).gradients, name), 1)


def _at_last(name: str, size: str | None) -> Callable[[Asked, float], list[Check]]:
    """The central difference of the last loss, which is the only one."""

    def checks(asked: Asked, value: float) -> list[Check]:
        if name == "y" and asked.t < asked.T:
            return []
        cell = asked.cell
        shape = cell.b_h.shape if size is None else (getattr(cell, size),)
        slope = moved(asked, name, one(shape, asked.unit), asked.t, (asked.T, asked.T))
        return [check(f"{DIFFERENCES} of step {asked.T}", slope, value, "central", CENTRAL)]

    return checks


def _nothing(_: Asked) -> float:
    return 0.0


def _through(asked: Asked) -> float:
    """What comes back from the next step through W; nothing follows the last."""
    if asked.t == asked.T:
        return 0.0
    return float(asked.cell.W_hh[:, asked.unit] @ ran(asked).gradients.preactivations[asked.t])


def _from_output(asked: Asked) -> float:
    return float(asked.cell.W_hy[:, asked.unit] @ ran(asked).gradients.outputs[asked.t - 1])


def _derived(words: str, title: str, rows: Any, code: str, again: Again, formula: str = "") -> Entry:
    return Entry(
        words=words,
        rows=rows,
        code=lambda at: code.format(t=at.t, p=at.t - 1, unit=at.unit),
        title=lambda at: phrase(title.format(t=at.t, n=at.t + 1)),
        formula=lambda at: phrase(formula.format(t=at.t, n=at.t + 1)),
        checks=lambda at, value: [check(AGAIN, again(at), value)],
        where=step_and_unit,
        setup=setup,
    )


def _own(asked: Asked) -> float:
    """The step's own loss by its output."""
    error = loss_equations(asked.run.config.loss)[1]
    return _evaluated(asked, error)


def _passed(asked: Asked) -> float:
    found, place = ran(asked).gradients, (asked.t - 1, asked.unit)
    return float(found.outputs[place] - found.own[place])


def _fed(asked: Asked) -> float:
    """What a step reads of the one before: the output, its softmax, or the target."""
    if asked.t == 1:
        return 0.0
    found, state, p = ran(asked), asked.lab.state, asked.t - 2
    classes = asked.run.config.loss == "cross_entropy"
    if state.forcing == "teacher":
        target = found.targets[p]
        return float(int(target) == asked.unit) if classes else float(np.atleast_1d(target)[asked.unit])
    return float((softmax(found.trace.ys[p]) if classes else found.trace.ys[p])[asked.unit])


def _share(asked: Asked) -> float:
    return share(ran(asked).trace.ys[asked.t - 1], asked.unit)


def _column(asked: Asked) -> int | None:
    """The column of the recurrent weights that the bars are about; None for the unit's own."""
    return int(asked.lab.pattern.column()) if pattern_of(asked.lab) == "output" else None


def _tile(asked: Asked) -> float:
    """dL/da_t times what the recurrent weight was multiplied by."""
    column, found = _column(asked), ran(asked)
    read = found.trace.hs[asked.t - 1, asked.unit] if column is None else found.trace.gates["fed"][asked.t - 1, column]
    return float(found.gradients.preactivations[asked.t - 1, asked.unit] * read)


def _tile_sum(asked: Asked) -> float:
    return math.fsum(asked.lab.pattern.recurrent_gradient()[0][:, asked.unit])


def _use(name: str, words: str, index: int, again: Again) -> Entry:
    """A tile of the recurrent weights' gradient, or their sum."""
    array = ("tiles[{p}, {unit}, {column}]", "recurrent[{unit}, {column}]")[index]

    def rows(asked: Asked) -> tuple[Any, int]:
        found = asked.lab.pattern.recurrent_gradient()[index]
        return (found[None], asked.T) if index else (found, 1)

    def code(asked: Asked) -> str:
        column = _column(asked)
        places = {"p": asked.t - 1, "unit": asked.unit, "column": asked.unit if column is None else column}
        return f"p.gradients.{array}".format(**places)

    return Entry(
        words=words,
        rows=rows,
        code=code,
        title=lambda at: phrase("∂L/∂W" + ("" if index else f" at {at.t}")),
        formula=lambda at: phrase(f"sum of the {at.T} tiles, one a use" if index else f"∂L/∂a · what {name} meets"),
        checks=lambda at, value: [check(AGAIN, again(at), value)],
        setup=setup,
    )


USES = {
    "dW": _use("W", "what one use of the recurrent weights adds to their gradient", 0, _tile),
    "dW_sum": _use("W", "gradient of the loss with respect to the recurrent weights, all uses together", 1, _tile_sum),
}
LOSS = {
    "L_sum": _derived(
        "sum of the losses of all steps", "L", lambda at: ([float(ran(at).gradients.loss.sum())], at.T),
        "p.gradients.loss.sum()", lambda at: math.fsum(ran(at).gradients.loss),
    ),
    **USES,
}  # fmt: skip
LAST = {
    "L": _signal("L", _gradients("loss"), "p.gradients.loss[{p}]", _nothing),
    "dy": _signal("dy", _gradients("outputs"), "p.gradients.outputs[{p}, {unit}]", _nothing,
                  _at_last("y", "output_size")),
    "dh": _signal("dh", lambda at: (ran(at).gradients.states, 0), "p.gradients.states[{t}, {unit}]", _through,
                  _at_last("state", "state_size")),
    "da": _signal("da", _gradients("preactivations"), "p.gradients.preactivations[{p}, {unit}]", None,
                  _at_last("b_h", None)),
    "dh_out": _derived("what arrives at the hidden state from its own output", "from the output of step {t}",
                       _gradients("from_output"), "p.gradients.from_output[{p}, {unit}]", _from_output),
    "dh_next": _derived("what arrives at the hidden state from the next step", "from step {n}",
                        lambda at: (ran(at).gradients.from_next, 0), "p.gradients.from_next[{t}, {unit}]", _through),
    **LOSS,
}  # fmt: skip
OUTPUTS = {
    "h": _signal("h", lambda at: (ran(at).trace.hs[1:], 1), "p.trace.hs[{t}, {unit}]"),
    "a": _signal("a", lambda at: (ran(at).trace.preactivations, 1), "p.trace.preactivations[{p}, {unit}]"),
    "y": _signal("y", lambda at: (ran(at).trace.ys, 1), "p.trace.ys[{p}, {unit}]"),
    "L": _signal("L", _gradients("loss"), "p.gradients.loss[{p}]"),
    "dy": _signal("dy", _gradients("outputs"), "p.gradients.outputs[{p}, {unit}]"),
    "dh": _signal("dh", lambda at: (ran(at).gradients.states[1:], 1), "p.gradients.states[{t}, {unit}]"),
    "da": _signal("da", _gradients("preactivations"), "p.gradients.preactivations[{p}, {unit}]"),
    "dy_own": _derived("gradient at the output of the step’s own loss", "own part at step {t}", _gradients("own"),
                       "p.gradients.own[{p}, {unit}]", _own, "∂L{t}/∂output"),
    "dy_next": _derived("gradient at the output from the step that read it", "from step {n}", _gradients("passed"),
                        "p.gradients.passed[{p}, {unit}]", _passed, "what arrives in all, less the own part"),
    "fed": _derived("what the step reads of the one before", "read at step {t}",
                    lambda at: (ran(at).trace.gates["fed"], 1), 'p.trace.gates["fed"][{p}, {unit}]', _fed),
    "p": _derived("probability of an output by softmax", "p at step {t}",
                  lambda at: (np.array([softmax(y) for y in ran(at).trace.ys]), 1),
                  "softmax(p.trace.ys[{p}])[{unit}]", _share),
    **LOSS, **OUTPUT,
}  # fmt: skip
STATES = {
    "h": _signal("h", lambda at: (ran(at).trace.hs, 0), "p.trace.hs[{t}, {unit}]"),
    "a": _signal("a", lambda at: (ran(at).trace.preactivations, 1), "p.trace.preactivations[{p}, {unit}]"),
    **SYSTEM,
}
WINDOW = {
    name: _signal(name, lambda at: (ran(at).trace.gates[at.symbol], 1), f'p.trace.gates["{name}"][{{p}}, {{unit}}]')
    for name in ("conv", "conv_a")
}
PATTERNS: Mapping[str, Mapping[str, Entry]] = MappingProxyType(
    {"output": OUTPUTS, "last": LAST, "system": STATES, "convolution": {**WINDOW, **CONVOLUTION}}
)
