"""Positions for models that see a sequence as a set: sinusoidal and learned encodings."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_integer, checked_number, shape_text
from .attention import finite_array

# Of Vaswani et al. 2017: wavelengths from 2 pi to almost 10000 * 2 pi.
WAVELENGTH_BASE = 10_000.0


def sinusoidal_encoding(T: int, d: int, base: float = WAVELENGTH_BASE) -> Array:
    """Return PE (T, d) of positions 0 … T - 1 (Vaswani et al. 2017, section 3.5).

    PE[p, 2i] = sin(p / base^(2i/d)) and PE[p, 2i+1] = cos(p / base^(2i/d)). For an odd d the last
    sine has no cosine beside it.
    """
    positions = np.arange(checked_integer("T", T, 0))
    angles = positions[:, None] * frequencies(d, base)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(len(positions), 2 * angles.shape[1])[:, :d].copy()


def frequencies(d: int, base: float = WAVELENGTH_BASE) -> Array:
    """base^(-2i/d) in radians a position, one for each pair of columns, shape (ceil(d/2),)."""
    size = checked_integer("d", d, 1)
    if not checked_number("base", base) > 0:
        raise ValueError(f"base must be positive, got {base!r}")
    return np.asarray(float(base) ** (-np.arange(0, size, 2) / size))


def relative_shift(k: int, d: int, base: float = WAVELENGTH_BASE) -> Array:
    """Return M (d, d) with PE[p + k] = M PE[p] at every position p, for an even d.

    One rotation by k times its frequency for each pair [sin, cos]: a shift is linear, and the same
    everywhere.
    """
    if checked_integer("d", d, 1) % 2:
        raise ValueError(f"d must be even, so that each sine has its cosine, got {d}")
    angles = checked_integer("k", k, -(2**31)) * frequencies(d, base)
    sines, cosines = np.arange(0, d, 2), np.arange(1, d, 2)
    shift = np.zeros((d, d))
    shift[sines, sines] = shift[cosines, cosines] = np.cos(angles)
    shift[sines, cosines] = np.sin(angles)
    shift[cosines, sines] = -np.sin(angles)
    return shift


def position_products(encoding: Any) -> Array:
    """Dot products between positions, shape (T, T), of an encoding (T, d).

    For sinusoids of even d: sum_i cos((p - q) frequency_i), a function of the distance alone.
    """
    rows = checked_array("encoding", encoding, (None, None))
    return rows @ rows.T


def products_by_distance(encoding: Any) -> Array:
    """Lowest and highest dot product of two positions at each distance 0 … T - 1, shape (T, 2).

    Equal but for rounding where the product depends on the distance alone, as for sinusoids of even d.
    """
    products = position_products(encoding)
    diagonals = [np.diagonal(products, distance) for distance in range(len(products))]
    return np.array([[row.min(), row.max()] for row in diagonals]).reshape(-1, 2)


def add_positions(xs: Any, table: Any) -> Array:
    """xs (..., T, d) + the first T rows of `table` (P, d): a learned or a sinusoidal encoding.

    Raises a ValueError where the table has fewer rows than the sequence has steps.
    """
    rows, positions = finite_array("xs", xs), checked_array("table", table, (None, None))
    if rows.ndim < 2 or rows.shape[-1] != positions.shape[1] or rows.shape[-2] > len(positions):
        takes = f"(..., T, {positions.shape[1]}) with T at most {len(positions)}, the rows of table"
        raise ValueError(f"xs must be {takes}, got {shape_text(rows.shape)}")
    return rows + positions[: rows.shape[-2]]


def add_positions_vjp(table: Any, gradient: Any) -> tuple[Array, Array]:
    """Carry dL/d sum (..., T, d) back: (dL/dxs, dL/d table (P, d), summed over the batch)."""
    back, shape = finite_array("gradient", gradient), np.shape(table)
    total = np.zeros(shape)
    steps = back.shape[-2]
    total[:steps] = back.reshape(-1, steps, shape[1]).sum(axis=0)
    return back, total
