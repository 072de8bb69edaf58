"""Where the numbers come from that no equation makes: inputs, targets, first states and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import ALPHABET, Config, GivenConfig, build_cell, build_inputs, build_targets
from rnnscope.core.notation import weight_token

from ...words import Phrase, phrase, readout, token_words
from .answer import Asked, Check, Entry, MissingError, check

WEIGHTS = ("W_xh", "W_hh", "b_h", "b_hh", "W_hy", "b_y")
#: The key of the link that replaces a drawn weight.
KEYS = {"W_xh": "U", "W_hh": "W", "b_h": "b", "W_hy": "V", "b_y": "c"}
FAMILIES = {
    "gaussian": "N(0, 1/n)", "orthogonal": "orthogonal (Haar)", "identity": "the identity", "symmetric": "A + Aᵀ",
    "nonnormal": "ρ I + 0.5 times the shift", "jordan": "ρ I + the shift", "permutation": "the n-cycle",
}  # fmt: skip
MADE_AGAIN = "Made again from the settings"


def note(asked: Asked) -> Phrase:
    """Where an input, a target or a first state comes from; nothing for what is computed."""
    name, config = asked.symbol, asked.run.config
    if isinstance(config, GivenConfig) and (words := _given_words(name, asked.t, config)):
        return phrase(words)
    if name == "x":
        return phrase(_input_words(config, asked.t, asked.unit))
    if name == "target":
        return phrase(_target_words(config))
    if name in ("h", "c") and asked.t == 0:
        typed = getattr(config, "h0", None) is not None
        return phrase(
            "Typed: h0 in the settings." if typed else "The state before the first input: 0 unless it is given."
        )
    if name == "da" and config.truncate is not None:
        return phrase(
            f"With a window of {config.truncate} only the losses that go on through this step count: "
            f"L{_sub(asked.t)} to L{_sub(min(asked.T, asked.t + config.truncate - 1))}."
        )
    return []


def _given_words(name: str, t: int, config: GivenConfig) -> str:
    """Of the caller's own arrays, which one it is."""
    given = config.given
    if name == "target":
        return "Given: your targets." if given.has_targets else "0: no targets are given."
    if name in ("h", "c") and t == 0 and getattr(given, f"{name}0") is not None:
        return f"Given: your {name}0."
    return "Given: your xs." if name == "x" else ""


def _sub(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _input_words(config: Config, t: int, unit: int) -> str:
    if config.input == "text" and config.text is not None:
        wanted = f"“{ALPHABET[unit]}”" if unit < len(ALPHABET) else "any other symbol"
        return f"One-hot: 1 where character {t} of the text, “{config.text[t - 1]}”, is {wanted}."
    return {
        "values": "Typed: one of the values in the settings.",
        "zero": "Zero at every step.",
        "impulse": "1 at step 1, then 0.",
        "sine": f"sin(2π ({t} − 1)/12 + 2π · {unit}/{config.d}).",
        "noise": f"Drawn from N(0, 1), stream xs of seed {config.seed}.",
    }[config.input]


def _target_words(config: Config) -> str:
    if config.input == "text":
        return "The class of the next character; after the last one, the end."
    if config.target is not None:
        return "Typed: one of the targets in the settings."
    return "0: no targets are typed." if config.loss == "squared" else f"Drawn, stream targets of seed {config.seed}."


def again(asked: Asked) -> float | None:
    """An input, target or first state, made anew from the settings; nothing where it is given, not made."""
    name, config = asked.symbol, asked.run.config
    if isinstance(config, GivenConfig):
        return None
    if name == "x":
        return float(build_inputs(config)[asked.t - 1, asked.unit])
    if name == "target":
        return float(np.atleast_1d(build_targets(config)[asked.t - 1])[asked.unit])
    if name in ("h", "c") and asked.t == 0:
        return float(getattr(config, "h0", None) or 0.0)
    return None


# --- weights ---------------------------------------------------------------------------------


def find(asked: Asked) -> Entry | None:
    """The entry of a weight; `unit` is its place in the flat array, or of a single column its row in some block."""
    name = asked.symbol
    array = getattr(asked.cell, name, None) if name in WEIGHTS else None
    if array is None:
        return None
    place = place_of(asked, array)
    gate = _gate(asked, array, place)
    index = ", ".join(str(i) for i in np.unravel_index(place, array.shape))
    return Entry(
        words=_weight_words(array, place, gate),
        rows=lambda at: (np.full((1, max(array.size, at.unit + 1)), array.flat[place]), 0),
        code=lambda at: f"r.cell.{name}[{index}]",
        title=lambda at: token_words([weight_token(at.letters, name, gate, transposed=False)]),
        checks=_weight_checks(place),
        note=lambda at: phrase(weight_origin(at, name, gate)),
    )


def place_of(asked: Asked, array: Any) -> int:
    """The entry that is meant: the one at `unit` where it is the number shown, else the first that is."""
    flat = array.ravel()
    if 0 <= asked.unit < flat.size and asked.shown in (None, flat[asked.unit]):
        return asked.unit
    equal = np.flatnonzero(flat == asked.shown)
    if not equal.size:
        raise MissingError(f"{asked.symbol} has no such entry: it holds {flat.size} numbers.")
    return int(equal[0])


def _gate(asked: Asked, array: Any, place: int) -> str | None:
    names = asked.cell.gate_names
    if not names or array.shape[0] != len(names) or asked.symbol in ("W_hy", "b_y", "b_hh"):
        return None
    gate: str = names[place // (array.size // len(names))]
    return gate


def _weight_words(array: Any, place: int, gate: str | None) -> str:
    index = [int(i) + 1 for i in np.unravel_index(place, array.shape)][1 if gate else 0 :]
    where = f"row {index[0]}, column {index[1]}" if len(index) == 2 else f"number {index[0]}"
    return f"{'weight' if len(index) == 2 else 'bias'}, {where}{f', gate {gate}' if gate else ''}"


def _weight_checks(place: int) -> Any:
    def checks(asked: Asked, value: float) -> list[Check]:
        if isinstance(asked.run.config, GivenConfig):
            return []
        other = getattr(build_cell(asked.run.config), asked.symbol).flat[place]
        return [check(MADE_AGAIN, other, value)]

    return checks


def weight_origin(asked: Asked, name: str, gate: str | None) -> str:
    config = asked.run.config
    return f"Given: {name} of your cell." if isinstance(config, GivenConfig) else _made_words(config, name, gate)


def _made_words(config: Config, name: str, gate: str | None) -> str:
    if getattr(config, KEYS.get(name, ""), None) is not None:
        return f"Typed: {KEYS[name]} in the settings."
    if name == "W_xh":
        return f"Drawn: σ_in = {config.sigma_in:g} times N(0, 1), stream W_xh of seed {config.seed}."
    if name == "W_hh":
        family = f"{FAMILIES[config.family]}, family {config.family}"
        return f"Drawn: {family}, with spectral radius ρ = {config.rho:g}, stream W_hh of seed {config.seed}."
    if name == "W_hy":
        return f"Drawn from N(0, 1/n), stream W_hy of seed {config.seed}."
    if name == "b_h" and gate == "f":
        return "The forget bias of the settings."
    return "0, as every bias starts."


def weight_readout(value: float, name: str, place: int) -> dict[str, Any]:
    """An entry of a weight in the badge's own cells."""
    return readout(value, name, 0, place)
