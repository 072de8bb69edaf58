"""The numbers of the film strip: single Jacobians, the product of a span, and the ellipse that a circle becomes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import perturbation_ellipses, span_svd, state_difference, step_jacobians, step_spectrum

from ...words import Phrase, phrase, symbol
from .answer import CENTRAL, OTHER_WAY, Asked, Check, Entry, MissingError, check
from .decaying import LARGEST_STRETCH, REACH
from .loom import titled


def span(asked: Asked) -> tuple[int, int]:
    """The steps k and t that the brush holds."""
    found: tuple[int, int] = asked.lab.detail("film").span()
    return found


def _finite(asked: Asked) -> None:
    if not np.isfinite(asked.trace.states).all():
        raise MissingError("The Jacobians of this run are not finite.")


def state(asked: Asked, t: int) -> Phrase:
    return phrase(symbol("s" if asked.cell.state_size > asked.cell.hidden_size else "h", str(t)))


# --- one step --------------------------------------------------------------------------------


def _step_rows(asked: Asked, pick: Any) -> tuple[Any, int]:
    """The one row of this step: the others are not looked at."""
    if not 1 <= asked.t <= asked.T:
        raise MissingError(f"There is no step {asked.t}: they go from 1 to {asked.T}.")
    return [pick(step_spectrum(asked.cell, asked.trace, asked.t))], asked.t


def _jacobian(asked: Asked) -> np.ndarray:
    return np.asarray(asked.cell.jacobian(asked.trace.xs[asked.t - 1], asked.trace.states[asked.t - 1]))


def _largest_checks(asked: Asked, value: float) -> list[Check]:
    J = _jacobian(asked)
    top, vectors = np.linalg.eigh(J.T @ J)
    moved = state_difference(asked.cell, asked.trace, asked.t - 1, asked.t, vectors[:, -1])
    return [
        check("√ of the largest eigenvalue of JᵀJ", math.sqrt(max(0.0, float(top[-1]))), value, "other", OTHER_WAY),
        check("Central differences of the state", float(np.linalg.norm(moved)), value, "central", CENTRAL),
    ]


def _radius_checks(asked: Asked, value: float) -> list[Check]:
    found = float(np.abs(np.linalg.eigvals(_jacobian(asked).T)).max())
    return [check("Eigenvalues of Jᵀ", found, value, "other", 1e-6)]


def _det_checks(asked: Asked, value: float) -> list[Check]:
    """log |det| three ways: LU, singular values, eigenvalues."""
    found = step_spectrum(asked.cell, asked.trace, asked.t)
    with np.errstate(divide="ignore"):
        sums = [float(np.log10(np.abs(v)).sum()) for v in (found.singular_values, found.eigenvalues)]
    words = ("Sum of log₁₀ of the singular values", "Sum of log₁₀ |λ|")
    return [check(name, other, value, "other", 1e-6) for name, other in zip(words, sums, strict=True)]


STEP = {
    "step_singular_value": Entry(
        words=lambda at: f"largest singular value of the Jacobian of step {at.t}",
        rows=lambda at: _step_rows(at, lambda found: found.singular_values[0]),
        code=lambda at: f"step_spectrum(r.cell, r.trace, {at.t}).singular_values[0]",
        title=titled(lambda at: [symbol("σ", "max"), "(", symbol("J", str(at.t)), ")"]),
        checks=_largest_checks,
    ),
    "step_radius": Entry(
        words=lambda at: f"spectral radius of the Jacobian of step {at.t}",
        rows=lambda at: _step_rows(at, lambda found: abs(found.eigenvalues[0])),
        code=lambda at: f"abs(step_spectrum(r.cell, r.trace, {at.t}).eigenvalues[0])",
        title=titled("max |λ| of ", lambda at: [symbol("J", str(at.t))]),
        checks=_radius_checks,
    ),
    "step_log10_det": Entry(
        words=lambda at: f"determinant of the Jacobian of step {at.t}, as a power of ten",
        rows=lambda at: _step_rows(at, lambda found: found.log10_det),
        code=lambda at: f"step_spectrum(r.cell, r.trace, {at.t}).log10_det",
        title=titled("log₁₀ |det ", lambda at: [symbol("J", str(at.t))], "|"),
        checks=_det_checks,
    ),
}


# --- a span ----------------------------------------------------------------------------------


def _product(asked: Asked) -> Any:
    _finite(asked)
    return span_svd(asked.cell, asked.trace, *span(asked))


def _true_size(found: Any) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(found.values, found.exponent)


def _stretched(asked: Asked, k: int, t: int, direction: np.ndarray, size: float) -> Check:
    moved = state_difference(asked.cell, asked.trace, k, t, direction, REACH / max(1.0, size))
    return check(
        f"Central differences of the state, {t - k} steps", float(np.linalg.norm(moved)), size, "central", CENTRAL
    )


def _span_checks(asked: Asked, value: float) -> list[Check]:
    """The product multiplied out, and the direction of this singular value run on from both sides."""
    (k, t), found = span(asked), _product(asked)
    product = np.eye(asked.cell.state_size)
    for jacobian in step_jacobians(asked.cell, asked.trace)[k:t]:
        product = jacobian @ product
    other = float(np.linalg.norm(product @ found.Vt[asked.t]))
    size = float(_true_size(found)[asked.t])
    if asked.symbol.endswith("log10"):
        words, shown = "Jacobians multiplied out, log₁₀", math.log10(other) if other > 0 else -math.inf
    else:
        words, shown = "Jacobians multiplied out", other
    tiny = size < np.finfo(float).eps * float(_true_size(found)[0])
    again = [] if tiny else [check(words, shown, value, "other", OTHER_WAY)]
    return [*again, *([_stretched(asked, k, t, found.Vt[asked.t], size)] if size < LARGEST_STRETCH else [])]


def _span_formula(asked: Asked) -> Phrase:
    k, t = span(asked)
    middle = (
        [symbol("J", str(t)), " … ", symbol("J", str(k + 1))] if t - k > 1 else [symbol("J", str(t)) if t > k else "I"]
    )
    return phrase("∂", *state(asked, t), "/∂", *state(asked, k), " = ", *middle)


def _axis_checks(asked: Asked, value: float) -> list[Check]:
    """In a plane of the whole state the axes multiply to the determinant; of more units a direction is run on."""
    k, j = span(asked)[0], asked.t
    ellipses = perturbation_ellipses(asked.cell, asked.trace, *span(asked))
    matrix = ellipses.matrices[j - k]
    if min(matrix.shape) < 2:
        return []
    log10 = float(ellipses.log10_semi_axes[j - k, asked.unit])
    _, values, Vt = np.linalg.svd(matrix)
    direction = ellipses.plane @ Vt[asked.unit]
    size = 10.0**log10 if abs(log10) < math.log10(LARGEST_STRETCH) else math.inf
    trace = math.hypot(*matrix.ravel()) ** 2 - float(values[1 - asked.unit]) ** 2
    other = math.log10(math.sqrt(trace)) + float(ellipses.exponents[j - k]) * math.log10(2) if trace > 0 else -math.inf
    again = check("From the sum of squares and the other axis, log₁₀", other, log10, "other", 1e-6)
    return [again, *([] if math.isinf(size) else [_stretched(asked, k, j, direction, size)])]


def _axes(asked: Asked, name: str) -> tuple[Any, int]:
    _finite(asked)
    return getattr(perturbation_ellipses(asked.cell, asked.trace, *span(asked)), name), span(asked)[0]


def _span_entry(words: str, log: bool) -> Entry:
    ends = ("log₁₀ ", "") if log else ("", "")
    code = "span_svd(r.cell, r.trace, {k}, {t})"
    plain = "np.ldexp((f := {code}).values, f.exponent)[{i}]".replace("{code}", code)
    return Entry(
        words=words,
        rows=lambda at: (_product(at).log10_values if log else _true_size(_product(at)), 0),
        code=lambda at: (f"{code}.log10_values[{{i}}]" if log else plain).format(k=span(at)[0], t=span(at)[1], i=at.t),
        title=titled(ends[0], lambda at: [symbol("σ", str(at.t + 1))]),
        formula=_span_formula,
        checks=_span_checks,
    )


def _axis_entry(name: str, log: bool) -> Entry:
    power = ", as a power of ten" if log else ""
    return Entry(
        words=lambda at: f"{('longer', 'shorter')[at.unit]} half-axis of the ellipse at step {at.t}{power}",
        rows=lambda at: _axes(at, name),
        code=lambda at: (
            "perturbation_ellipses(r.cell, r.trace, {}, {})".format(*span(at))
            + f".{name}[{at.t - span(at)[0]}, {at.unit}]"
        ),
        title=titled("log₁₀ of a half-axis" if log else "half-axis"),
        formula=lambda at: phrase("image of a unit circle at ", *state(at, span(at)[0]), " by ", *state(at, at.t)),
        checks=_axis_checks,
    )


FILM: Mapping[str, Entry] = MappingProxyType({
    **STEP,
    "span_singular_value": _span_entry("singular value of the product of the span’s Jacobians", log=False),
    "span_singular_value_log10": _span_entry("singular value of the product, as a power of ten", log=True),
    "semi_axis": _axis_entry("semi_axes", log=False),
    "semi_axis_log10": _axis_entry("log10_semi_axes", log=True),
})  # fmt: skip
