"""Sizes read off the weights, of a cell with one block or several."""

from __future__ import annotations

from ..arrays import Array


class Sizes:
    """What every cell says about its sizes; the last axes of the weights hold them whatever the blocks."""

    W_xh: Array
    W_hh: Array
    W_hy: Array | None

    @property
    def hidden_size(self) -> int:
        """n, the number of hidden units."""
        return int(self.W_hh.shape[-1])

    @property
    def input_size(self) -> int:
        """d, the number of input components."""
        return int(self.W_xh.shape[-1])

    @property
    def output_size(self) -> int | None:
        """m, the number of outputs; None without a read-out."""
        return None if self.W_hy is None else len(self.W_hy)
