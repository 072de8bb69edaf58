"""The tiles of /bptt: what each use of W adds to its gradient, and their sums, by number or by length."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...words import Phrase, phrase, symbol
from .answer import CENTRAL, Asked, Check, Entry, check, step_alone
from .derived import recurrent
from .loom import SUM_OF_SQUARES, along, full_code, titled
from .network import DIFFERENCES, kept_losses, moved

CLIPPED = "clip_by_global_norm(r.gradients, {clip!r})[0]"


def block_code(asked: Asked, array: str, lead: str = "") -> str:
    """The block of W_hh that the page shows, in Python; `lead` is what stands before the block's index."""
    if not asked.gated:
        return array
    return f"{array}[{lead}{asked.cell.gate_names.index(asked.lab.state.block)}]"


def clipped_code(asked: Asked) -> str:
    clip = asked.lab.state.clip
    return "r.gradients" if clip is None else CLIPPED.format(clip=clip)


def in_block(asked: Asked, block: np.ndarray) -> np.ndarray:
    """A direction in W_hh that is zero outside of the shown block."""
    whole = np.zeros(asked.cell.W_hh.shape)
    asked.lab.block_of(whole)[...] = block
    return whole


# --- tiles -----------------------------------------------------------------------------------


def _tile_checks(of_block: bool) -> Callable[[Asked, float], list[Check]]:
    def checks(asked: Asked, value: float) -> list[Check]:
        tile = asked.gradients.W_hh_steps[asked.t - 1]
        shown = asked.lab.block_of(tile) if of_block else tile
        length = along(shown) if shown.size > 1 else np.ones(shown.shape)
        direction = in_block(asked, length) if of_block else length
        slope = moved(asked, "W_hh", direction, asked.t, kept_losses(asked, asked.t))
        words = f"{DIFFERENCES}, this use alone moved{'' if shown.size == 1 else ' along it'}"
        size = float(shown.item()) if shown.size == 1 else math.hypot(*shown.ravel())
        return [check(SUM_OF_SQUARES, size, value), check(words, slope, value, "central", CENTRAL)]

    return checks


def _sum_checks(which: str) -> Callable[[Asked, float], list[Check]]:
    """Of "gradients", of the gradient as the window leaves it, or of "full", without."""

    def checks(asked: Asked, value: float) -> list[Check]:
        found = asked.full if which == "full" else asked.gradients
        total = asked.lab.block_of(np.sum(found.W_hh_steps, axis=0))
        size = float(total.item()) if total.size == 1 else math.hypot(*total.ravel())
        again = [check("Tiles added up", size, value)]
        if which != "full" and asked.run.config.truncate is not None:
            return again
        length = along(total) if total.size > 1 else np.ones(total.shape)
        slope = moved(asked, "W_hh", in_block(asked, length), None)
        return [*again, check(f"{DIFFERENCES}, W moved everywhere", slope, value, "central", CENTRAL)]

    return checks


def _tile_rows(asked: Asked) -> tuple[Any, int]:
    return asked.lab.tiles()["tile_norms"][0], 1


def _tile_code(asked: Asked) -> str:
    tiles = block_code(asked, "r.gradients.W_hh_steps", ":, ")
    return f"np.linalg.norm({tiles}.reshape({asked.T}, -1), axis=1)[{asked.t - 1}]"


def _size_code(array: str, block: Any) -> str:
    return f"{array}.item()" if block.size == 1 else f"np.linalg.norm({array})"


def _block_size_code(asked: Asked, gradients: str) -> str:
    return _size_code(block_code(asked, f"{gradients}.W_hh"), asked.lab.block_of(asked.gradients.W_hh))


def _sizes(asked: Asked, found: Any) -> tuple[Any, int]:
    block = asked.lab.block_of(found.W_hh)
    return [float(block.item()) if block.size == 1 else float(np.linalg.norm(block))], 0


def _whole_tile_code(asked: Asked) -> str:
    if asked.gradients.W_hh_steps[0].size == 1:
        return f"r.gradients.W_hh_steps[{asked.t - 1}].item()"
    return f"np.linalg.norm(r.gradients.W_hh_steps.reshape({asked.T}, -1), axis=1)[{asked.t - 1}]"


def _dW(asked: Asked) -> Phrase:
    return phrase("∂", symbol("L"), "/∂", *recurrent(asked))


TILES = {
    "tile": Entry(
        words="size of what one use of the recurrent weights adds to their gradient",
        rows=lambda at: (at.lab.tile_sizes(), 1), code=_whole_tile_code, title=titled("tile"),
        checks=_tile_checks(of_block=False), where=step_alone,
    ),
    "dW_norm": Entry(
        words="length of what one use of the recurrent weights adds to their gradient",
        rows=_tile_rows, code=_tile_code, title=titled("‖", _dW, "‖, one use"),
        checks=_tile_checks(of_block=True), where=step_alone,
    ),
    "dW_sum_norm": Entry(
        words="length of the gradient of the recurrent weights, all uses together",
        rows=lambda at: (at.lab.tiles()["tile_sum_norm"][0], at.T),
        code=lambda at: f"np.linalg.norm({block_code(at, 'r.gradients.W_hh')}.reshape(1, -1), axis=1)[0]",
        title=titled("‖", _dW, "‖"), checks=_sum_checks("gradients"),
    ),
    "dW_full": Entry(
        words="gradient of the recurrent weights without the window",
        rows=lambda at: _sizes(at, at.lab.full),
        code=lambda at: _block_size_code(at, full_code(at)),
        title=titled(_dW, " in full"), checks=_sum_checks("full"),
    ),
    "dW_clipped": Entry(
        words="gradient of the recurrent weights after clipping",
        rows=lambda at: _sizes(at, at.lab.clipped),
        code=lambda at: _block_size_code(at, clipped_code(at)),
        title=titled(_dW, " clipped"),
        checks=lambda at, value: [
            check("Before clipping, times the factor", _sizes(at, at.gradients)[0][0] * at.lab.clip_scale(), value)],
    ),
}  # fmt: skip
