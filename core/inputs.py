"""Input sequences by name, from text and from values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_array, checked_choice, checked_integer
from .initializers import Seed
from .losses import one_hot

ALPHABET = "abcdefghijklmnopqrstuvwxyz .,'?!-"
"""The symbols of `text` inputs, in the order of their components; capitals count as small."""

OTHER_SYMBOL = len(ALPHABET)
"""Component of every other character, and of the end of the text as a target."""

ALPHABET_SIZE = len(ALPHABET) + 1

# One period in 12 steps: short enough to repeat on a screen, long enough to look like a sine.
SINE_PERIOD = 12

INPUTS = ("zero", "impulse", "sine", "noise", "text", "values")


def input_sequence(
    name: str,
    T: int,
    d: int,
    seed: Seed = 0,
    values: Sequence[float] | None = None,
    text: str | None = None,
) -> Array:
    """Return an input sequence (T, d) by name.

    Parameters
    ----------
    name : str
        zero; impulse (x_1 = 1 in every component, then 0); sine (component j is
        sin(2 pi (t - 1) / 12 + 2 pi j / d), j from 0); noise (N(0, 1)); text (one-hot over
        `ALPHABET`); values (the numbers as they are).
    values : T numbers, for "values" with d = 1
    text : T characters, for "text" with d = 34

    Raises
    ------
    ValueError
        For an unknown name, a missing text or values, and sizes that contradict them.
    """
    checked_choice("input", name, INPUTS)
    steps, size = checked_integer("T", T, 0), checked_integer("d", d, 1)
    if name == "text":
        return _sized(one_hot(text_indices(_given("text", text)), ALPHABET_SIZE), steps, size)
    if name == "values":
        column = checked_array("values", _given("values", values), (None,))[:, None]
        return _sized(column, steps, size)
    return _GENERATED[name](steps, size, seed)


def text_indices(text: str) -> npt.NDArray[np.int64]:
    """Return each character's place in `ALPHABET`, or `OTHER_SYMBOL`; shape (len(text),)."""
    places = [ALPHABET.find(character.lower()) for character in text]
    return np.array([OTHER_SYMBOL if place < 0 else place for place in places], dtype=np.int64)


def text_targets(text: str) -> npt.NDArray[np.int64]:
    """Return the class of each next character; after the last comes the end, `OTHER_SYMBOL`."""
    return np.append(text_indices(text)[1:], OTHER_SYMBOL)[: len(text)]


def _zero(T: int, d: int, seed: Seed) -> Array:
    return np.zeros((T, d))


def _impulse(T: int, d: int, seed: Seed) -> Array:
    xs = np.zeros((T, d))
    xs[:1] = 1.0
    return xs


def _sine(T: int, d: int, seed: Seed) -> Array:
    phase = np.arange(T)[:, None] / SINE_PERIOD + np.arange(d) / d
    return np.asarray(np.sin(2.0 * np.pi * phase))


def _noise(T: int, d: int, seed: Seed) -> Array:
    return np.random.default_rng(seed).standard_normal((T, d))


_GENERATED: Mapping[str, Callable[[int, int, Seed], Array]] = MappingProxyType(
    {"zero": _zero, "impulse": _impulse, "sine": _sine, "noise": _noise}
)


def _given(name: str, value: Any) -> Any:
    if value is None:
        raise ValueError(f'{name} must be given for input "{name}", got None')
    return value


def _sized(xs: Array, steps: int, size: int) -> Array:
    if xs.shape[1] != size:
        raise ValueError(f"d must be {xs.shape[1]} for this input, got {size}")
    if xs.shape[0] != steps:
        raise ValueError(f"T must be {xs.shape[0]}, the length of the input, got {steps}")
    return xs
