"""Numbers of /seq2seq that follow from its run: shares in order, norms, sizes, distances."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ...translated_parts import MONTH_STEP, month_letters, weekday_letters
from ...translation import Translation
from ...words import Phrase, phrase, readout, symbol
from .answer import OTHER_WAY, Asked, Check, Entry, MissingError, check, step_alone
from .searched import ALONG, along
from .sequences import at_character, attending, run_of, share_again, weight_again

Number = Callable[[Asked], float]
#: Terms of a sum that are written out, largest first.
MOST = 4


def again(words: str, number: Number) -> Callable[[Asked, float], list[Check]]:
    return lambda asked, value: [check(words, number(asked), value, "other", OTHER_WAY)]


def joined(values: Iterable[float], between: str) -> Phrase:
    """Numbers with a sign between them; negative ones in brackets."""
    words: list[Any] = []
    for value in values:
        number = readout(value, "")
        words += [between] if words else []
        words += ["(", number, ")"] if value < 0 else [number]
    return phrase(*words)


def summed(terms: np.ndarray, between: str = " + ") -> Phrase:
    """The largest terms, how many are left out, and the sum of all."""
    order = np.argsort(-np.abs(terms), kind="stable")[:MOST]
    left = f" + … ({len(terms) - MOST} smaller)" if len(terms) > MOST else ""
    return phrase(*joined(terms[order].tolist(), between), left, " = ", readout(math.fsum(terms), ""))


# --- the next token --------------------------------------------------------------------------


def in_order(run: Translation) -> np.ndarray:
    return np.sort(run.probabilities, axis=1)[:, ::-1]


def ranked(asked: Asked) -> int:
    """The token in that place of the step's order."""
    order = np.argsort(-run_of(asked).probabilities[asked.t - 1], kind="stable")
    return int(order[asked.unit])


def top_lines(asked: Asked) -> list[Phrase]:
    logits = run_of(asked).trace.logits[asked.t - 1]
    raised = np.exp(logits - logits.max())
    own = raised[ranked(asked)]
    words = ["exp(", symbol("y"), " − max) / Σ = ", readout(own, ""), " / ", readout(raised.sum(), ""), " = "]
    return [phrase(*words, readout(own / raised.sum(), ""))]


def target_share(asked: Asked) -> float:
    run = run_of(asked)
    return share_again(run, asked.t, int(run.trace.target[asked.t - 1]))


def target_lines(asked: Asked) -> list[Phrase]:
    loss = run_of(asked).trace.loss[asked.t - 1]
    return [phrase("exp(−", readout(loss, "L", asked.t), ") = ", readout(math.exp(-loss), ""))]


# --- norms -----------------------------------------------------------------------------------


def norm_entry(what: str, letter: str, vectors: Callable[[Asked], np.ndarray], first: int, code: str) -> Entry:
    def row(asked: Asked) -> np.ndarray:
        return np.asarray(vectors(asked)[asked.t - first])

    def lines(asked: Asked) -> list[Phrase]:
        squares = row(asked) ** 2
        return [phrase("√(", *summed(squares), ") = ", readout(math.sqrt(math.fsum(squares)), ""))]

    return Entry(
        words=f"length of {what}",
        title=lambda at: phrase("‖", symbol(letter, str(at.t)), "‖"),
        formula=lambda at: phrase("√ Σ ", symbol(letter, str(at.t)), "²"),
        rows=lambda at: (np.linalg.norm(vectors(at), axis=-1), first),
        code=lambda at: f"np.linalg.norm({code}, axis=-1)[{at.t - first}]",
        lines=lines,
        checks=again("The squares summed exactly", lambda at: math.sqrt(math.fsum(row(at) ** 2))),
        where=step_alone,
    )


# --- sizes and distances ---------------------------------------------------------------------


def sizes(asked: Asked) -> dict[str, int]:
    """Numbers of each part of the model: what stands before the dot of a name."""
    found: dict[str, int] = {}
    for name, value in run_of(asked).trained.model.parameters().items():
        part = name.partition(".")[0]
        found[part] = found.get(part, 0) + math.prod(np.shape(value))
    return found


def size_lines(asked: Asked) -> list[Phrase]:
    parts = sizes(asked)
    words = " + ".join(f"{part} {count:,}" for part, count in parts.items())
    return [phrase(words, f" = {sum(parts.values()):,}")]


def path_lines(asked: Asked) -> list[Phrase]:
    run, j = run_of(asked), asked.unit + 1
    return [phrase(f"{run.T} − {j} + {asked.t} = {run.T - j + asked.t}")]


def path_again(asked: Asked) -> float:
    """One wire after the other: through the encoder to its end, then through the decoder."""
    encoder, decoder = range(asked.unit + 1, run_of(asked).T), range(asked.t)
    return float(len([*encoder, *decoder]))


def written_lines(asked: Asked) -> list[Phrase]:
    shares = np.exp(along(asked, run_of(asked).best.tokens))
    return [phrase(*joined(shares.tolist(), " × "), " = ", readout(math.prod(shares.tolist()), ""))]


def share_entry(what: str, letters: Callable[[str], slice]) -> Entry:
    """What one step gives to the letters of a word."""

    def place(asked: Asked) -> slice:
        try:
            return letters(attending(asked).config.text)
        except ValueError:
            raise MissingError(f"There is no {asked.symbol} here.") from None

    def formula(asked: Asked) -> Phrase:
        spot = place(asked)
        return phrase("Σ ", symbol("α", f"{asked.t}, j"), f" over the letters {spot.start + 1} to {spot.stop}")

    def row(asked: Asked) -> np.ndarray:
        return np.asarray(run_of(asked).attended[1][MONTH_STEP - 1, place(asked)])

    def exact(asked: Asked) -> float:
        spot = place(asked)
        units = range(spot.start, spot.stop)
        return math.fsum(weight_again(Asked(asked.lab, "alpha", MONTH_STEP, unit)) for unit in units)

    return Entry(
        words=f"weight that a step gives to {what}",
        title=lambda at: phrase("Σ ", symbol("α", str(at.t))),
        formula=formula,
        rows=lambda at: ([float(row(at).sum())], MONTH_STEP),
        code=lambda at: f"r.trace.weights[{MONTH_STEP - 1}, {place(at).start}:{place(at).stop}].sum()",
        lines=lambda at: [summed(row(at))],
        checks=again("Each weight computed again from its scores", exact),
        where=step_alone,
    )  # fmt: skip


TRANSLATED: Mapping[str, Entry] = MappingProxyType(
    {
        "top_p": Entry(
            words=lambda at: f"probability of the token in place {at.unit + 1} of the step’s order",
            title=lambda at: phrase(symbol("p", str(at.t))),
            formula=lambda at: phrase("softmax(", symbol("y", str(at.t)), ")"),
            rows=lambda at: (in_order(run_of(at)), 1),
            code=lambda at: f"np.sort(r.probabilities[{at.t - 1}])[::-1][{at.unit}]",
            lines=top_lines,
            checks=again(
                "A softmax with exact sums", lambda at: share_again(run_of(at), at.t, ranked(at))
            ),
            where=step_alone,
        ),
        "target_p": Entry(
            words="probability of the target’s token",
            title=lambda at: phrase(symbol("p", str(at.t))),
            formula=lambda at: phrase("exp(−", symbol("L", str(at.t)), ")"),
            rows=lambda at: ([math.exp(-loss) for loss in run_of(at).trace.loss], 1),
            setup=lambda _: ["import math"],
            code=lambda at: f"math.exp(-r.trace.loss[{at.t - 1}])",
            lines=target_lines,
            checks=again("A softmax with exact sums", target_share),
            where=step_alone,
        ),
        "h_norm": norm_entry(
            "an encoder state", "h", lambda at: run_of(at).trace.encoding.states, 0, "r.trace.encoding.states"),
        "s_norm": norm_entry("a decoder state", "s", lambda at: run_of(at).trace.states, 0, "r.trace.states"),
        "c_norm": norm_entry("the context", "c", lambda at: attending(at).contexts, 1, "r.contexts"),
        "written_p": Entry(
            words="probability of everything that the model writes",
            title=lambda _: phrase("the product of the probabilities of its tokens"),
            formula=lambda at: phrase(symbol("p", "1"), " × … × ", symbol("p", str(at.t))),
            rows=lambda at: ([math.exp(run_of(at).best.log_probability)], len(run_of(at).best.tokens)),
            setup=lambda _: ["import math"],
            code=lambda _: "math.exp(r.best.log_probability)",
            lines=written_lines,
            checks=again(ALONG, lambda at: math.prod(np.exp(along(at, run_of(at).best.tokens)).tolist())),
        ),
        "path_without": Entry(
            words="steps from a loss back to a character where there is no attention",
            title=lambda _: phrase("T − j + t"),
            formula=lambda _: phrase(symbol("T"), " − ", symbol("j"), " + ", symbol("t")),
            rows=lambda at: ((run_of(at).T - np.arange(1, run_of(at).T + 1) + at.t)[None], at.t),
            code=lambda at: f"r.T - {at.unit + 1} + {at.t}",
            lines=path_lines,
            checks=again("Counted, one wire after the other", path_again),
            where=at_character,
        ),
        "parameters": Entry(
            words="numbers that training has set",
            title=lambda _: phrase("parameters"),
            formula=lambda _: phrase("Σ rows × columns of every array"),
            rows=lambda at: ([run_of(at).trained.model.parameter_count], 0),
            code=lambda _: "r.trained.model.parameter_count",
            lines=size_lines,
            checks=again("Every array counted", lambda at: float(sum(sizes(at).values()))),
        ),
        "month_share": share_entry("the month’s name", month_letters),
        "weekday_share": share_entry("the weekday’s name", weekday_letters),
    }
)  # fmt: skip
