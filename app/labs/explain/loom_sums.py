"""The numbers of /bptt that are of the whole gradient: its norms, what a window and clipping do to it, the update."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import gradient_norm
from rnnscope.core.gradients import PARAMETERS

from ...words import Phrase, phrase, symbol
from .answer import Asked, Check, Entry, check, step_alone
from .loom import SUM_OF_SQUARES, full_code, titled
from .loom_tiles import TILES, clipped_code

# --- the whole gradient ----------------------------------------------------------------------


def flat(found: Any) -> np.ndarray:
    """The gradient of every parameter, end to end."""
    arrays = [getattr(found, name) for name in PARAMETERS]
    return np.concatenate([array.ravel() for array in arrays if array is not None])


def _norm_entry(words: str, pick: Callable[[Asked], Any], code: Callable[[Asked], str], title: str) -> Entry:
    return Entry(
        words=words,
        rows=lambda at: ([gradient_norm(pick(at))], 0),
        code=lambda at: f"gradient_norm({code(at)})",
        title=titled(title),
        formula=titled("√ of the sum of squares over all parameters"),
        checks=lambda at, value: [check(SUM_OF_SQUARES, math.hypot(*flat(pick(at))), value)],
    )


def _angle_checks(asked: Asked, value: float) -> list[Check]:
    u, v = flat(asked.lab.full), flat(asked.gradients)
    cosine = float(u @ v) / (math.hypot(*u) * math.hypot(*v)) if u.any() and v.any() else math.nan
    return [
        check(
            "By the arc cosine, which keeps half the digits",
            math.degrees(math.acos(min(1.0, max(-1.0, cosine)))),
            value,
            "other",
            1e-5,
        )
    ]


def _error_checks(asked: Asked, value: float) -> list[Check]:
    return [check(SUM_OF_SQUARES, math.hypot(*(flat(asked.lab.full) - flat(asked.gradients))), value)]


def _error_code(asked: Asked) -> str:
    names = ", ".join(repr(name) for name in PARAMETERS if getattr(asked.gradients, name) is not None)
    return (
        f"np.linalg.norm(np.concatenate([(getattr({full_code(asked)}, k) - getattr(r.gradients, k)).ravel() "
        f"for k in ({names})]))"
    )


def _setting(words: str, letter: str, key: str) -> Entry:
    return Entry(
        words=words,
        rows=lambda at: ([getattr(at.lab.state, key)], 0),
        code=lambda at: repr(float(getattr(at.lab.state, key))),
        title=titled(lambda _: [symbol(letter)]),
        note=lambda _: phrase("Chosen with its control."),
    )


def _kept_checks(asked: Asked, value: float) -> list[Check]:
    cells = [(t, k) for t in range(1, asked.T + 1) for k in range(1, t + 1) if t - k < asked.window]
    return [check("Counted cell by cell", len(cells), value)]


def _scale_code(asked: Asked) -> str:
    clip = asked.lab.state.clip
    return "1.0" if clip is None else f"min(1.0, {clip!r} / gradient_norm(r.gradients))"


WHOLE = {
    "gradient_norm": _norm_entry(
        "length of the gradient of all parameters", lambda at: at.gradients, lambda _: "r.gradients", "‖G‖"),
    "full_norm": _norm_entry(
        "length of the gradient without the window", lambda at: at.lab.full, full_code, "‖G‖ in full"),
    "clipped_norm": _norm_entry(
        "length of the gradient after clipping", lambda at: at.lab.clipped, clipped_code, "‖G‖ clipped"),
    "gradient_angle": Entry(
        words="angle in degrees between the full and the truncated gradient",
        rows=lambda at: ([at.lab.angle], 0), code=lambda at: f"gradient_angle({full_code(at)}, r.gradients)",
        title=titled("angle"), checks=_angle_checks,
    ),
    "truncation_error": Entry(
        words="length of what the window takes from the gradient",
        rows=lambda at: ([at.lab.difference()], 0), code=_error_code, title=titled("‖G in full − G‖"),
        checks=_error_checks,
    ),
    "cells_kept": Entry(
        words="pairs of a loss and a state that the window keeps",
        rows=lambda at: ([sum(min(t, at.window) for t in range(1, at.T + 1))], 0),
        code=lambda at: f"sum(min(t, {at.window}) for t in range(1, {at.T + 1}))",
        title=titled("cells kept"), checks=_kept_checks,
    ),
    "clip": _setting("threshold of clipping", "c", "clip"),
    "learning_rate": _setting("learning rate", "η", "learning_rate"),
    "clip_scale": Entry(
        words="what clipping multiplies the gradient by",
        rows=lambda at: ([at.lab.clip_scale()], 0),
        code=_scale_code,
        title=titled("c / ‖G‖"),
        checks=lambda at, value: [check("Length after, over length before", at.lab.clipped_norm / at.lab.norm, value)],
    ),
}  # fmt: skip


# --- the lines of the algorithm --------------------------------------------------------------


def collected(asked: Asked, t: int) -> np.ndarray:
    """G with the tiles of the steps T … t in it, added in that order."""
    return np.asarray(asked.gradients.W_hh_steps[t - 1 :][::-1].sum(axis=0))


def _collected_code(asked: Asked) -> str:
    return f"r.gradients.W_hh_steps[{asked.t - 1}:][::-1].sum(axis=0)"


CLIPPED_TOO = "From the clipped gradient"


def _rate(asked: Asked) -> float:
    found: float = asked.lab.state.learning_rate
    return found


def _update(asked: Asked) -> float:
    """The gradient of W after clipping, of a network of one number."""
    return float(asked.gradients.W_hh.item()) * float(asked.lab.clip_scale())


def _line(words: str, value: Callable[[Asked], float], code: Callable[[Asked], str], title: str, checks: Any) -> Entry:
    return Entry(words=words, rows=lambda at: ([value(at)], 0), code=code, title=titled(title), checks=checks)


LINES = {
    "G": Entry(
        words="gradient of W so far: the tiles from the last step back to this one",
        rows=lambda at: ([collected(at, t).item() for t in range(1, at.T + 1)], 1),
        code=lambda at: f"{_collected_code(at)}.item()", title=titled("G"), where=step_alone,
        checks=lambda at, value: [
            check("Added without rounding", math.fsum(at.gradients.W_hh_steps[at.t - 1 :].ravel()), value)],
    ),
    "G_norm": Entry(
        words="length of the gradient of W so far: the tiles from the last step back to this one",
        rows=lambda at: ([float(np.linalg.norm(collected(at, t))) for t in range(1, at.T + 1)], 1),
        code=lambda at: f"np.linalg.norm({_collected_code(at)})", title=titled("‖G‖"), where=step_alone,
        checks=lambda at, value: [check(SUM_OF_SQUARES, math.hypot(*collected(at, at.t).ravel()), value)],
    ),
    "G_start": _line("G before the first tile", lambda _: 0.0, lambda _: "0.0", "G", lambda _, __: []),
    "G_clipped": _line(
        "gradient of W after clipping", _update, lambda at: f"r.gradients.W_hh.item() * {_scale_code(at)}", "G",
        lambda at, value: [check(CLIPPED_TOO, at.lab.clipped.W_hh.item(), value)]),
    "W_after": _line(
        "W after one step down the gradient",
        lambda at: float(at.cell.W_hh.item()) - _rate(at) * _update(at),
        lambda at: f"r.cell.W_hh.item() - {_rate(at)!r} * (r.gradients.W_hh.item() * {_scale_code(at)})", "W − η G",
        lambda at, value: [check(CLIPPED_TOO, at.cell.W_hh.item() - _rate(at) * at.lab.clipped.W_hh.item(), value)]),
    "update_norm": _line(
        "length of the step that W takes",
        lambda at: float(np.linalg.norm(_rate(at) * (at.gradients.W_hh * at.lab.clip_scale()))),
        lambda at: f"np.linalg.norm({_rate(at)!r} * (r.gradients.W_hh * {_scale_code(at)}))", "‖η G‖",
        lambda at, value: [check(SUM_OF_SQUARES, _rate(at) * math.hypot(*at.lab.clipped.W_hh.ravel()), value)]),
}  # fmt: skip


# --- the check of all parameters -------------------------------------------------------------


def _deviation(which: str) -> Entry:
    def rows(asked: Asked) -> tuple[Any, int]:
        found = asked.lab.detail("check").latest
        return ([] if found is None else [getattr(found, which).error]), 0

    def code(asked: Asked) -> str:
        c0 = "None" if asked.trace.cs is None else "r.trace.cs[0]"
        most = asked.lab.detail("check").latest.entries
        return (
            f"gradient_check(r.cell, r.trace.xs, r.targets, r.config.loss, r.trace.hs[0], {c0}, "
            f"gradients={full_code(asked)}, most={most}).{which}.error"
        )

    def note(asked: Asked) -> Phrase:
        found = getattr(asked.lab.detail("check").latest, which)
        return phrase(f"{found.parameter}: back-propagation {found.analytic!r}, central differences {found.numeric!r}.")

    return Entry(
        words="largest difference between back-propagation and central differences", rows=rows, code=code,
        title=titled(f"largest {which} error"), note=note,
    )  # fmt: skip


CHECKED = {"check_absolute": _deviation("absolute"), "check_relative": _deviation("relative")}

SUMS: Mapping[str, Entry] = MappingProxyType({**TILES, **WHOLE, **LINES, **CHECKED})
