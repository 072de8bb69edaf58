"""The home page: a card for each lab, with a picture drawn from real numbers and presets that open the lab."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from . import page
from .diagrams import thumbnails
from .diagrams.attention_thumbnail import attention_thumbnail
from .diagrams.seq2seq_thumbnail import seq2seq_thumbnail

TITLE = "Recurrent networks, drawn number by number"
LEDE = "RNNScope draws small recurrent networks and computes every value and gradient while you change them."


@dataclass(frozen=True)
class Preset:
    """A named starting point of a lab, and what the home page calls it."""

    key: str
    label: str


@dataclass(frozen=True)
class Card:
    name: str
    route: str
    picture: Markup
    line: str
    presets: tuple[Preset, ...]


@cache
def cards() -> tuple[Card, ...]:
    return (*_chains(), *_gated(), *_sequences())


def _chains() -> tuple[Card, ...]:
    """Labs of a network over time."""
    return (
        Card(
            "Unfold", "unfold", Markup(thumbnails.unfold_thumbnail()),
            "One loop, drawn as a chain of copies that share their weights.",
            (Preset("worked-example", "One step by hand"), Preset("no-memory", "W = 0: no memory at all"),
             Preset("running-sum", "W = 1, linear: a running sum"),
             Preset("next-character", "The next character of “hello”")),
        ),
        Card(
            "Gradients", "gradients", Markup(thumbnails.gradients_thumbnail()),
            "What is left of a gradient after many steps back.",
            (Preset("folk-law-wrong", "ρ = 1.2 and yet it vanishes"),
             Preset("radius-is-not-norm", "ρ = 0.9 and yet it grows at first"),
             Preset("orthogonal", "Orthogonal W, linear: nothing changes"),
             Preset("identity-relu", "Identity and ReLU")),
        ),
        Card(
            "BPTT", "bptt", Markup(thumbnails.bptt_thumbnail()),
            "Every loss against every state, and the algorithm line by line.",
            (Preset("six-steps", "Six steps, every factor"), Preset("truncated", "A window of 4: what it cuts"),
             Preset("clipped", "Clipped: shorter, not turned"),
             Preset("long-memory", "Orthogonal W: 50 steps, no loss"),
             Preset("vanishing-loom", "tanh: gone after 50 steps"), Preset("lstm-loom", "The same with an LSTM")),
        ),
    )  # fmt: skip


def _gated() -> tuple[Card, ...]:
    """Labs of one gated cell."""
    return (
        Card(
            "LSTM", "lstm", Markup(thumbnails.lstm_thumbnail()),
            "Three gates around a cell state, each wire with its number.",
            (Preset("forget-bias-1", "Forget bias 1: the gate starts at 0.73"),
             Preset("forgets", "Forget bias −4: nothing is kept"),
             Preset("remembers", "Forget bias 4: one impulse, kept"), Preset("one-unit", "One unit, every number")),
        ),
        Card(
            "GRU", "gru", Markup(thumbnails.gru_thumbnail()),
            "Two gates, and the two ways in which sources write each of them.",
            (Preset("copies", "Update gate near 0: it copies"),
             Preset("forgets-history", "Reset gate near 0: the past is not read"),
             Preset("pytorch", "As PyTorch computes it"), Preset("one-unit", "One unit, every number")),
        ),
    )  # fmt: skip


def _sequences() -> tuple[Card, ...]:
    """Labs that read a whole sequence."""
    return (
        Card(
            "Bidirectional", "bidirectional", Markup(thumbnails.bidirectional_thumbnail()),
            "Two chains, one from each end: what reaches an output, and what one input changes.",
            (Preset("two-paths", "Two paths to each output"), Preset("late-input", "A late input, an early output"),
             Preset("last-state", "The last state, the usual mistake"), Preset("lstm", "Two LSTMs")),
        ),
        Card(
            "Seq2seq", "seq2seq", Markup(seq2seq_thumbnail()),
            "A trained encoder-decoder that reads what you type, with attention and through the bottleneck.",
            (Preset("month-by-name", "The month is read off its name"),
             Preset("bottleneck", "16 letters through the bottleneck"),
             Preset("same-with-attention", "The same with attention"),
             Preset("not-a-date", "What it makes of “hello”")),
        ),
        Card(
            "Attention", "attention", Markup(attention_thumbnail()),
            "Self-attention from the tokens to the output, every product in its cell, and what it costs.",
            (Preset("a-set", "Without positions it reads a set"), Preset("with-places", "Sinusoids tell two l apart"),
             Preset("no-future", "A causal mask"), Preset("saturated", "Softmax without the division")),
        ),
    )  # fmt: skip


@cache
def render() -> str:
    """The whole page, the same for every visitor."""
    return page.template("home.html").render(page.shell("Home", TITLE, LEDE), cards=cards())
