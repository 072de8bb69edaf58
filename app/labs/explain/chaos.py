"""The numbers of the map on /gradients: points of the grid, exponents, and where they change their sign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import ChaosGrid, chaos_batch, zero_crossings

from ...words import symbol
from .answer import Asked, Check, Entry, MissingError, check, config_code
from .loom import titled


def shown(asked: Asked) -> Any:
    """The map that is shown, and the row and column of the point nearest to the page's."""
    return asked.lab.detail("map").shown()


def place(asked: Asked) -> tuple[int, int]:
    """The row and column of a number: a row of the table counts columns, a sentence speaks of the point."""
    found, (row, column) = shown(asked), asked.lab.detail("map").point()
    strengths, exponents = found.grid.strengths, found.exponents[row]
    numbers = {"map_rho": [found.grid.rhos[row]] * len(strengths), "map_sigma_in": strengths, "map_lyapunov": exponents}
    own = numbers[asked.symbol]
    of_point = asked.shown is not None and asked.t == 0 and own[0] != asked.shown == own[column]
    return row, column if of_point else asked.t


def _rows(asked: Asked, values: Any) -> tuple[Any, int]:
    """The numbers of a row of the table; that of the point in place of the first where a sentence shows it."""
    found = np.array(values, dtype=np.float64)
    if 0 <= asked.t < len(found):
        found[asked.t] = found[place(asked)[1]]
    return found, 0


def _rho(asked: Asked) -> tuple[Any, int]:
    grid = shown(asked).grid
    return _rows(asked, [grid.rhos[place(asked)[0]]] * len(grid.strengths))


def _side_code(values: tuple[float, ...], index: int) -> str:
    return f"np.linspace(0, {values[-1]!r}, {len(values)})[{index}]"


def _exponent_rows(asked: Asked) -> tuple[Any, int]:
    return _rows(asked, shown(asked).exponents[place(asked)[0]])


def _one_point(asked: Asked) -> ChaosGrid | None:
    """A map of this point alone; None where it is not computed."""
    found, (row, column) = shown(asked), place(asked)
    if not 0 <= column < len(found.grid.strengths) or np.isnan(found.exponents[row, column]):
        return None
    return replace(found.grid, rhos=(found.grid.rhos[row],), strengths=(found.grid.strengths[column],))


def _exponent_code(asked: Asked) -> str:
    one = _one_point(asked)
    if one is None:
        return "np.nan"
    config = config_code(one.config)
    return f"chaos_batch(ChaosGrid({config}, ({one.rhos[0]!r},), ({one.strengths[0]!r},), {one.steps}), 0)[0]"


def _exponent_checks(asked: Asked, value: float) -> list[Check]:
    one = _one_point(asked)
    if one is None:
        return []
    return [check("The point computed again by itself", float(chaos_batch(one, 0)[0]), value)]


def _share(asked: Asked) -> tuple[Any, int]:
    found = shown(asked)
    done = int(found.known().sum())
    if not done:
        raise MissingError("No point of the map is computed yet.")
    return [np.count_nonzero(found.exponents > 0) / done], 0


def _share_checks(asked: Asked, value: float) -> list[Check]:
    found = shown(asked)
    known = found.exponents[found.known()]
    return [check("Counted point by point", sum(1 for x in known if x > 0) / len(known), value)]


def _column(asked: Asked) -> tuple[np.ndarray, np.ndarray]:
    """The computed points of the page's column: rho, exponent."""
    found, (_, column) = shown(asked), asked.lab.detail("map").point()
    known = found.known()[:, column]
    return np.array(found.grid.rhos)[known], found.exponents[known, column]


def _edges(asked: Asked) -> tuple[Any, int]:
    """The crossing that is meant: the one shown, else the first."""
    found = zero_crossings(*_column(asked))
    if not found:
        raise MissingError("The exponent keeps its sign in this column of the map.")
    return [asked.shown if asked.shown in found else found[0]], 0


def _edge_checks(asked: Asked, value: float) -> list[Check]:
    rhos, exponents = _column(asked)
    return [check("Exponent between the two points, on the line,", float(np.interp(value, rhos, exponents)), 0.0)]


def _listed(numbers: np.ndarray) -> str:
    return f"({', '.join(repr(float(x)) for x in numbers)},)"


def _edge_code(asked: Asked) -> str:
    rhos, exponents = _column(asked)
    which = zero_crossings(rhos, exponents).index(_edges(asked)[0][0])
    return f"zero_crossings({_listed(rhos)}, {_listed(exponents)})[{which}]".replace("inf", "np.inf")


CHAOS: Mapping[str, Entry] = MappingProxyType({
    "map_rho": Entry(
        words="spectral radius of a row of the map", rows=_rho,
        code=lambda at: _side_code(shown(at).grid.rhos, place(at)[0]), title=titled(lambda _: [symbol("ρ")]),
        note=titled("The map’s rows go from 0 to 3; this one is nearest to the page’s."),
    ),
    "map_sigma_in": Entry(
        words="input strength of a column of the map", rows=lambda at: _rows(at, shown(at).grid.strengths),
        code=lambda at: _side_code(shown(at).grid.strengths, place(at)[1]), title=titled(lambda _: [symbol("σ", "in")]),
        note=titled("The map’s columns go from 0 to 2."),
    ),
    "map_lyapunov": Entry(
        words="largest Lyapunov exponent per step at a point of the map", rows=_exponent_rows, code=_exponent_code,
        title=titled(lambda _: [symbol("λ", "1")]), checks=_exponent_checks,
        note=titled("It starts from a random state and leaves out the first quarter of the steps."),
    ),
    "map_share": Entry(
        words="share of the computed points with an exponent above 0", rows=_share,
        code=lambda at: f"{int(np.count_nonzero(shown(at).exponents > 0))} / {int(shown(at).known().sum())}",
        title=titled("chaotic share"), checks=_share_checks,
    ),
    "map_edge": Entry(
        words="where the exponent crosses 0 along ρ", rows=_edges, code=_edge_code,
        title=titled(lambda _: [symbol("ρ")], " of the edge"), checks=_edge_checks,
    ),
})  # fmt: skip
