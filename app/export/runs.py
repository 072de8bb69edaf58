"""The run that an export writes, where the state is one run of one plain cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rnnscope.core import Config, Run, run

from .. import snapshot, url
from .errors import CannotExport


def plain_run(lab: str, values: Mapping[str, Any], form: str) -> Run:
    """Return the run of a lab's state; raises `CannotExport` for what is more than a cell and its inputs."""
    state = snapshot.state_of(lab, values)
    if getattr(state, "surgery", ""):
        raise CannotExport(f"a {form} writes a run without surgery: leave surgery= out, or export npz")
    if "pattern" in state.names() and getattr(state, "pattern", "hidden") != "hidden":
        raise CannotExport(f"a {form} writes the pattern hidden, not {state.pattern}: export npz")
    config = state.config()
    if not isinstance(config, Config):
        raise CannotExport(f"a {form} writes the run of one cell, which /{lab} does not show: export npz")
    return run(config)


def address(lab: str, values: Mapping[str, Any]) -> str:
    """The address of the state: /gradients?rho=1.2."""
    state = snapshot.state_of(lab, values)
    query = url.write(state)
    return f"/{lab}?{query}" if query else f"/{lab}"
