"""The beam search of /seq2seq, taken apart: its tree, what it found, and what greedy decoding found."""

from __future__ import annotations

import math
from typing import Any

from rnnscope.core import Hypothesis, SearchTree

from ...diagrams.beam_tree import BeamTree, beam_tree
from ...searched import glyph, hypothesis_numbers, search_of
from ...view import Arrays
from ...words import Phrase, phrase, readout
from ..detail import Detail

#: Hypotheses in the list; a search of many steps ends many.
MOST_LISTED = 8
NOTE = (
    "A node shows its token, above right the sum of log-probabilities from the start, below it the token’s own; "
    "natural logarithms. ■ ends a sequence. Dashed is pruned; + counts the pruned ones that are not drawn. "
    "Sums are without length normalisation. The search goes on until every beam has ended, or to the longest target."
)


class Tree(Detail):
    """Every step of the search that stands behind the output."""

    NAME = "tree"

    def arrays(self) -> Arrays:
        self._search = search_of(self.lab.run)
        self._drawn: BeamTree = beam_tree(self._search, self.lab.run.greedy.tokens)
        listed = self._search.hypotheses[:MOST_LISTED]
        return {
            "numbers": (self._drawn.numbers, 0),
            "undrawn": (self._drawn.undrawn, 1),
            "hypotheses": (hypothesis_numbers(listed), 0),
        }

    def texts(self) -> dict[str, Any]:
        return {
            "tree": self._tree(),
            "tree_found": found_words(self.lab.run),
            "tree_counts": counts_words(self._search),
            "tree_note": phrase(NOTE),
        }

    def _tree(self) -> dict[str, Any]:
        shown, drawn, search = self.lab.run, self._drawn, self._search
        nodes = [{**node, "glyph": glyph(shown, node["token"])} for node in drawn.nodes]
        listed = [self._listed(i, found) for i, found in enumerate(search.hypotheses[:MOST_LISTED])]
        return {"nodes": nodes, "steps": len(search.levels), "width": search.width, "hypotheses": listed}

    def _listed(self, place: int, found: Hypothesis) -> dict[str, Any]:
        shown = self.lab.run
        greedy = found.tokens == shown.greedy.tokens
        return {"text": sequence(shown, found), "ended": found.ended, "node": self._drawn.ends[place], "greedy": greedy}


def sequence(shown: Any, found: Hypothesis) -> str:
    """The characters of a hypothesis, without its end."""
    return str(shown.text_of(found.tokens))


def found_words(shown: Any) -> Phrase:
    """What greedy decoding and the beam found, with both probabilities."""
    greedy, best = shown.greedy, shown.tree.hypotheses[0]
    p_greedy, p_best = (probability(found, name) for found, name in ((greedy, "greedy_p"), (best, "best_p")))
    width = shown.config.beam
    if greedy.tokens == best.tokens:
        start = f"Greedy decoding and the beam of {width} find the same, “{sequence(shown, best)}”, with probability "
        return phrase(start, p_best, ".")
    said = [f"Greedy decoding finds “{sequence(shown, greedy)}”{unended(greedy)} with probability ", p_greedy]
    said += [f"; the beam of {width} finds “{sequence(shown, best)}”{unended(best)} with ", p_best, ": "]
    if best.log_probability > greedy.log_probability:
        ratio = math.exp(best.log_probability - greedy.log_probability)
        return phrase(
            *said, "greedy misses a sequence that is ", readout(ratio, "probability_ratio"), " times as likely."
        )
    return phrase(*said, "here the beam lost the better one on the way.")


def unended(found: Hypothesis) -> str:
    return "" if found.ended else ", which has not ended,"


def probability(found: Hypothesis, name: str) -> dict[str, Any]:
    return readout(math.exp(found.log_probability), name, len(found.tokens))


def counts_words(search: SearchTree) -> Phrase:
    """How much the search looked at and kept."""
    looked = sum(level.scores.size for level in search.levels)
    kept = sum(len(level.kept) for level in search.levels)
    counted = [
        readout(count, f"beam_{name}", text=f"{count:,}") for name, count in (("looked", looked), ("kept", kept))
    ]
    steps, found = len(search.levels), len(search.hypotheses)
    beams = "one beam" if search.width == 1 else f"{search.width} beams"
    sequences = "1 sequence" if found == 1 else f"{found} sequences"
    most = f"; the {MOST_LISTED} best are listed" if found > MOST_LISTED else ""
    return phrase(
        f"With {beams}, ", counted[0], f" expansions in {steps} steps, ", counted[1], f" kept, {sequences} found{most}."
    )


def tree_card() -> dict[str, Any]:
    """The card, as a part of the lab's page."""
    columns = [
        {"head": "sum", "array": "hypotheses", "unit": 0, "symbol": "hypothesis_sum"},
        {"head": "probability", "array": "hypotheses", "unit": 1, "symbol": "hypothesis_p"},
    ]
    parts: list[dict[str, Any]] = [
        {"kind": "text", "id": "tree_found", "cls": "plot-summary"},
        {"kind": "beamTree"},
        {"kind": "text", "id": "tree_counts", "cls": "plot-summary"},
        {"kind": "text", "id": "tree_note", "cls": "note"},
        {"kind": "data", "label": "Sequences found, best first", "columns": columns},
    ]
    legend = [
        {"label": "best sequence", "role": "output", "cls": "state"}, {"label": "kept", "cls": ""},
        {"label": "pruned", "cls": "pruned"}, {"label": "greedy", "role": "input", "cls": "greedy"},
    ]  # fmt: skip
    body = [{"kind": "control", "key": "tree"}, *({**part, "detail": Tree.NAME} for part in parts)]
    return {"title": "The search, step by step", "cls": "beam more", "legend": legend, "body": body}
