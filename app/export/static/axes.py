"""What a static copy moves through: the keys that are varied, what can be looked at, and what can be selected."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import param

from ... import url
from ...state import LabState
from ...values import write_value
from ..errors import CannotExport
from ..vary import Variation, parse_variation

if TYPE_CHECKING:
    from ...labs.base import Lab

#: The key of the axis of what is selected in a diagram: no key of a state.
SELECTED = "selected"
#: What is varied where nothing is said: the first of these that the lab has, in as many values as take a minute.
USUAL = ("rho", "W")
USUAL_VALUES = (61, 31, 16)
USUAL_STATES = 15_000


@runtime_checkable
class Selecting(Protocol):
    """A lab whose texts follow the node that is selected in a diagram."""

    def selection(self) -> Hashable:
        """What is selected, as far as the texts say it."""


@dataclass(frozen=True)
class Axis:
    """One key, its values, and those as text; `start` is the place of the one that the copy opens with.

    `names` gives for each node of a diagram (its symbol, and how many steps after the cursor it stands where that is
    fixed) the place of what it selects.
    """

    key: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]
    start: int
    varied: bool = False
    names: Mapping[str, int] = field(default_factory=dict)


def usual_variation(lab: Lab) -> list[Variation]:
    """The slider that is dragged where no `--vary` says another: the spectral radius, or W."""
    state, settings = lab.state, lab.state.control_settings()
    taken = {*state.locked(), *state.hide.split(",")}
    for key in USUAL:
        if key in state.names() and key not in taken and not settings.get(key, {}).get("gone"):
            low, high = state.param[key].softbounds or state.param[key].bounds
            looks = states(axes_of(lab, []))
            count = next((one for one in USUAL_VALUES if one * looks <= USUAL_STATES), USUAL_VALUES[-1])
            return [parse_variation(type(state), f"{key}={low}:{high}:{round((high - low) / (count - 1), 6)}")]
    return []


def axes_of(lab: Lab, variations: Sequence[Variation]) -> list[Axis]:
    """Varied keys first, then the looks that texts follow, last what is selected in the diagrams."""
    _refuse(lab.state, variations)
    varied = [_varied(lab.state, variation) for variation in variations]
    taken = {axis.key for axis in varied} | set(lab.state.locked())
    followed = [key for key in lab.state.FOLLOWED if key in lab.state.names() and key not in taken]
    looks = [_look(lab, key, variations) for key in followed]
    found = [*varied, *(axis for axis in looks if len(axis.texts) > 1)]
    selections = _selections(lab)
    return [*found, selections] if selections else found


def _refuse(state: LabState, variations: Sequence[Variation]) -> None:
    keys = [variation.key for variation in variations]
    for key in keys:
        if keys.count(key) > 1:
            raise CannotExport(f"--vary {key} is given twice")
        if key in state.FOLLOWED or key in state.PAINTED:
            raise CannotExport(f"--vary {key}: a static copy has all of its values anyway")
        if key in state.locked():
            raise CannotExport(f"--vary {key}: lock= holds it")


def _varied(state: LabState, variation: Variation) -> Axis:
    now = getattr(state, variation.key)
    texts = tuple(map(write_value, variation.values))
    return Axis(variation.key, variation.values, texts, nearest(variation.values, now), varied=True)


def nearest(values: Sequence[Any], now: Any) -> int:
    """The place of `now`, of a number the nearest, else the first."""
    if now in values:
        return list(values).index(now)
    numbers = all(isinstance(value, (int, float)) for value in (*values, now))
    return min(range(len(values)), key=lambda place: abs(values[place] - now)) if numbers else 0


def _look(lab: Lab, key: str, variations: Sequence[Variation]) -> Axis:
    parameter, now = lab.state.param[key], getattr(lab.state, key)
    if isinstance(parameter, param.Selector):
        values = tuple(choice for choice in parameter.objects if choice)
    else:
        last = max(_limit(lab, key, values) for values in _combinations(lab.state, variations))
        values = tuple(range(parameter.bounds[0], last + 1))
    return Axis(key, values, tuple(map(write_value, values)), values.index(now))


def _combinations(state: LabState, variations: Sequence[Variation]) -> Iterator[dict[str, Any]]:
    """The values of the state with each combination of the varied ones, all looks as far as they go."""
    keys = [variation.key for variation in variations]
    furthest = {
        key: state.param[key].bounds[1] for key in state.FOLLOWED if isinstance(state.param[key], param.Integer)
    }
    for chosen in product(*(variation.values for variation in variations)):
        yield state.values_of() | furthest | dict(zip(keys, chosen, strict=True))


def _limit(lab: Lab, key: str, values: dict[str, Any]) -> int:
    """The last number of a look: as the state says, else the last step that the run turns out to have."""
    limits = lab.state.limits(values)
    return int(min(limits[key] if key in limits else _steps(lab, values), lab.state.param[key].bounds[1]))


def _steps(lab: Lab, values: dict[str, Any]) -> int:
    """The steps that the page counts with these values."""
    tried = again(lab)
    tried.state.apply({key: value for key, value in values.items() if key not in lab.state.LOOKS})
    return last_step(tried)


def last_step(lab: Lab) -> int:
    """The last step that the page counts now."""
    return int(lab.shown_state()["values"]["T"])


def again(lab: Lab) -> Any:
    """A lab of its own in the same state, to try things on."""
    return type(lab)(url.write(lab.state))


def _selections(lab: Lab) -> Axis | None:
    """One place for everything that can be told apart in what a lab, if its texts follow it, makes of a selected node.

    Tried on a lab of its own: a selection may move the step and open a layer.
    """
    if not isinstance(lab, Selecting):
        return None
    tried = again(lab)
    found, names = {tried.selection(): 0}, {}
    for name in sorted(set(_names(tried.scenes()))):
        tried.select(node_of(name, tried.state.t))
        names[name] = found.setdefault(tried.selection(), len(found))
    nodes = tuple(_first(names, place) for place in range(len(found)))
    return Axis(SELECTED, nodes, nodes, 0, names=names)


def _first(names: Mapping[str, int], place: int) -> str:
    """A node that selects the place; at the start nothing may have been selected."""
    return next((name for name, own in names.items() if own == place), "")


def _names(drawn: Any) -> Iterator[str]:
    """The symbol of every node in the scenes, and how many steps after the cursor it stands where that is fixed."""
    if isinstance(drawn, dict) and drawn.get("kind") == "node":
        symbol, t = drawn["select"]["symbol"], drawn["select"]["t"]
        yield f"{symbol}@{t['rel']}" if isinstance(t, dict) else symbol
    elif isinstance(drawn, (dict, list)):
        for one in drawn.values() if isinstance(drawn, dict) else drawn:
            yield from _names(one)


def node_of(name: str, t: int) -> dict[str, Any]:
    """The message of a node by its name: one with no fixed distance from the cursor stands at the cursor."""
    symbol, _, after = name.partition("@")
    return {"symbol": symbol, "t": t + int(after or 0)}


def states(axes: Sequence[Axis]) -> int:
    """How many states of the lab there are."""
    return math.prod(len(axis.texts) for axis in axes)
