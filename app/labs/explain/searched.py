"""The numbers of a beam search on /seq2seq, and of one target decoded three ways."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import FORCINGS, Hypothesis, SearchTree, beam_search, run_encoder_decoder, softmax
from rnnscope.core.search import SearchLevel

from ...diagrams.beam_tree import beam_tree
from ...searched import NAMES, ORDER, compare, glyph, hypothesis_numbers, search_of
from ...words import Phrase, phrase, readout, symbol
from .answer import OTHER_WAY, Asked, Check, Entry, check

ALONG = "The same tokens read by teacher forcing"


# --- the search ------------------------------------------------------------------------------


def _search(asked: Asked) -> SearchTree:
    return search_of(asked.lab.run)


def _search_code(asked: Asked) -> str:
    return f"beam_search(r.model, r.source, {_search(asked).width}, r.task.target_limit)"


def padded(rows: list[np.ndarray]) -> np.ndarray:
    """Rows of several lengths as one table; what a row does not have is no number."""
    table = np.full((len(rows), max(map(len, rows))), np.nan)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


def _level_rows(name: str) -> Callable[[Asked], tuple[Any, int]]:
    return lambda at: (padded([getattr(level, name).ravel() for level in _search(at).levels]), 1)


def path_of(asked: Asked) -> tuple[int, ...]:
    """The tokens from the start to the node at a step and place."""
    search = _search(asked)
    return search.tokens(search.levels[asked.t - 1].first + asked.unit)


def along(asked: Asked, tokens: tuple[int, ...]) -> np.ndarray:
    """Log-probability of each token where every token before it is read from the sequence itself."""
    shown = asked.lab.run
    return np.asarray(-run_encoder_decoder(shown.model, shown.source, np.array(tokens)).loss)


def _node_words(what: str) -> Callable[[Asked], str]:
    def words(asked: Asked) -> str:
        *before, token = (glyph(asked.lab.run, token) for token in path_of(asked))
        after = f"after “{''.join(before)}”" if before else "at the start"
        return f"{what} “{token}” {after}, step {asked.t}"

    return words


def _sum_lines(asked: Asked) -> list[Phrase]:
    """The sum, term by term."""
    terms = along(asked, path_of(asked))
    words: list[Any] = []
    for t, value in enumerate(terms, 1):
        words += [*([" + "] if words else []), "(", readout(value, "", t), ")"]
    return [phrase(*words, " = ", readout(terms.sum(), ""))]


def _node_checks(total: Callable[[np.ndarray], float]) -> Callable[[Asked, float], list[Check]]:
    return lambda at, value: [check(ALONG, total(along(at, path_of(at))), value, "other", OTHER_WAY)]


def _last(terms: np.ndarray) -> float:
    return float(terms[-1])


def _sum(terms: np.ndarray) -> float:
    return float(terms.sum())


def _product(terms: np.ndarray) -> float:
    return float(np.exp(terms).prod())


def _p_rows(asked: Asked) -> tuple[Any, int]:
    return padded([np.exp(level.scores.ravel()) for level in _search(asked).levels]), 1


# --- what is found ---------------------------------------------------------------------------


def _hypothesis(asked: Asked) -> Hypothesis:
    return _search(asked).hypotheses[asked.t]


def _hypothesis_entry(what: str, attribute: str, total: Callable[[np.ndarray], float]) -> Entry:
    return Entry(
        words=lambda at: f"{what} of the sequence in place {at.t + 1}, “{at.lab.run.text_of(_hypothesis(at).tokens)}”",
        rows=lambda at: (hypothesis_numbers(_search(at).hypotheses), 0),
        code=lambda at: attribute.format(f"{_search_code(at)}.hypotheses[{at.t}].log_probability"),
        title=lambda at: phrase(what),
        checks=lambda at, value: [check(ALONG, total(along(at, _hypothesis(at).tokens)), value, "other", OTHER_WAY)],
    )


def _greedy(asked: Asked) -> Hypothesis:
    found: Hypothesis = asked.lab.run.greedy
    return found


def _best(asked: Asked) -> Hypothesis:
    found: Hypothesis = asked.lab.run.tree.hypotheses[0]
    return found


def _found_entry(what: str, of: Callable[[Asked], Hypothesis], code: str) -> Entry:
    return Entry(
        words=f"probability of what {what} finds",
        rows=lambda at: ([[math.exp(of(at).log_probability)]], len(of(at).tokens)),
        code=lambda _: f"np.exp({code}.log_probability)",
        title=lambda _: phrase("the product of the probabilities of its tokens"),
        checks=lambda at, value: [check(ALONG, _product(along(at, of(at).tokens)), value, "other", OTHER_WAY)],
    )


def _ratio(asked: Asked) -> float:
    return math.exp(_best(asked).log_probability - _greedy(asked).log_probability)


def _ratio_checks(asked: Asked, value: float) -> list[Check]:
    best, greedy = (_product(along(asked, of(asked).tokens)) for of in (_best, _greedy))
    return [check("One probability over the other", best / greedy, value, "other", OTHER_WAY)]


def _count(what: str, number: Callable[[SearchLevel], int], code: str) -> Entry:
    def lines(asked: Asked) -> list[Phrase]:
        each = [number(level) for level in _search(asked).levels]
        return [phrase(f"{' + '.join(map(str, each))} = {sum(each):,}")]

    def again(asked: Asked) -> int:
        run, width = asked.lab.run, _search(asked).width
        return sum(map(number, beam_search(run.model, run.source, width, run.task.target_limit).levels))

    return Entry(
        words=what,
        rows=lambda at: ([[sum(map(number, _search(at).levels))]], 0),
        code=lambda at: f"sum({code} for level in {_search_code(at)}.levels)",
        title=lambda _: phrase(what),
        lines=lines,
        checks=lambda at, value: [check("Counted in a search of its own", again(at), value)],
    )


def _undrawn_rows(asked: Asked) -> tuple[Any, int]:
    return beam_tree(_search(asked), asked.lab.run.greedy.tokens).undrawn[:, None], 1


# --- one target three ways -------------------------------------------------------------------


def _rows_of(numbers: Callable[[Any], np.ndarray]) -> Callable[[Asked], tuple[Any, int]]:
    order = [FORCINGS.index(name) for name in ORDER]
    return lambda at: (numbers(compare(at.lab.run))[order].T, 1)


def alone(asked: Asked) -> Any:
    """The run of one row by itself, without the others beside it."""
    shown, found = asked.lab.run, compare(asked.lab.run)
    mask = found.masks[FORCINGS.index(ORDER[asked.unit])]
    return run_encoder_decoder(shown.model, shown.source, shown.goal, mask)


def _forcing_checks(number: Callable[[Any, Asked], float]) -> Callable[[Asked, float], list[Check]]:
    return lambda at, value: [check("This run by itself", number(alone(at), at), value, "other", OTHER_WAY)]


def _forcing_code(expression: str) -> Callable[[Asked], str]:
    """The batch of three that the card is made of: a batch of one may differ in the last bit."""
    return lambda at: expression.format(row=FORCINGS.index(ORDER[at.unit]), p=at.t - 1)


def _forcing_setup(_: Asked) -> list[str]:
    return ["from rnnscope.app.searched import compare", "found = compare(r)"]


def _forcing_entry(
    what: str, numbers: Callable[[Any], np.ndarray], number: Callable[[Any, Asked], float], code: str
) -> Entry:
    return Entry(
        words=lambda at: f"{what}, {NAMES[ORDER[at.unit]].lower()}, step {at.t}",
        rows=_rows_of(numbers),
        setup=_forcing_setup,
        code=_forcing_code(code),
        title=lambda at: phrase(symbol("p", str(at.t))) if "loss" not in what else phrase(symbol("L", str(at.t))),
        formula=lambda at: phrase("softmax(", symbol("y", str(at.t)), ")"),
        checks=_forcing_checks(number),
    )


def _told_rows(asked: Asked) -> tuple[Any, int]:
    return [[int(compare(asked.lab.run).masks[FORCINGS.index("mixed"), 1:].sum())]], 0


SEARCHED: Mapping[str, Entry] = MappingProxyType(
    {
        "beam_log_p": Entry(
            words=_node_words("log-probability of"),
            rows=_level_rows("log_probabilities"),
            code=lambda at: f"{_search_code(at)}.levels[{at.t - 1}].log_probabilities.ravel()[{at.unit}]",
            title=lambda at: phrase("ln ", symbol("p", str(at.t))),
            formula=lambda at: phrase(symbol("y", str(at.t)), " − ln Σ exp ", symbol("y", str(at.t))),
            checks=_node_checks(_last),
        ),
        "beam_sum": Entry(
            words=_node_words("sum of the log-probabilities up to"),
            rows=_level_rows("scores"),
            code=lambda at: f"{_search_code(at)}.levels[{at.t - 1}].scores.ravel()[{at.unit}]",
            title=lambda at: phrase("ln ", symbol("p", "1"), " + … + ln ", symbol("p", str(at.t))),
            lines=_sum_lines,
            checks=_node_checks(_sum),
        ),
        "beam_p": Entry(
            words=_node_words("probability of the tokens up to"),
            rows=_p_rows,
            code=lambda at: f"np.exp({_search_code(at)}.levels[{at.t - 1}].scores.ravel()[{at.unit}])",
            title=lambda at: phrase("exp of the sum"),
            checks=_node_checks(_product),
        ),
        "beam_undrawn": Entry(
            words="pruned expansions of this step that are not drawn",
            rows=_undrawn_rows,
            code=lambda at: f"{_search_code(at)}.levels[{at.t - 1}].scores.size - {_drawn_count(at)}",
            title=lambda _: phrase("looked at, less what is drawn"),
            note=lambda _: phrase("A count: what is drawn of a step are the kept expansions and the best pruned ones."),
        ),
        "beam_looked": _count(
            "expansions that the search looked at", lambda level: level.scores.size, "level.scores.size"
        ),
        "beam_kept": _count("expansions that the search kept", lambda level: len(level.kept), "len(level.kept)"),
        "hypothesis_sum": _hypothesis_entry("sum of the log-probabilities", "{}", _sum),
        "hypothesis_p": _hypothesis_entry("probability", "np.exp({})", _product),
        "greedy_p": _found_entry("greedy decoding", _greedy, "r.greedy"),
        "best_p": _found_entry("the beam", _best, "r.tree.hypotheses[0]"),
        "probability_ratio": Entry(
            words="how many times as likely the beam’s sequence is as the greedy one",
            rows=lambda at: ([[_ratio(at)]], 0),
            code=lambda _: "np.exp(r.tree.hypotheses[0].log_probability - r.greedy.log_probability)",
            title=lambda _: phrase("exp of the difference of the sums"),
            checks=_ratio_checks,
        ),
        "forcing_said_p": _forcing_entry(
            "probability of the token that is said",
            lambda found: np.exp(found.said_log_probabilities),
            lambda run, at: float(softmax(run.logits)[at.t - 1].max()),
            "np.exp(found.said_log_probabilities)[{row}, {p}]",
        ),
        "forcing_target_p": _forcing_entry(
            "probability of the target’s token",
            lambda found: np.exp(found.target_log_probabilities),
            lambda run, at: float(softmax(run.logits)[at.t - 1, run.target[at.t - 1]]),
            "np.exp(found.target_log_probabilities)[{row}, {p}]",
        ),
        "forcing_loss": _forcing_entry(
            "loss",
            lambda found: found.trace.loss,
            lambda run, at: float(run.loss[at.t - 1]),
            "found.trace.loss[{row}, {p}]",
        ),
        "forcing_loss_sum": Entry(
            words=lambda at: f"loss over all steps, {NAMES[ORDER[at.unit]].lower()}",
            rows=lambda at: (_rows_of(lambda found: found.trace.loss)(at)[0].sum(axis=0)[None], len(at.lab.run.goal)),
            setup=_forcing_setup,
            code=_forcing_code("found.trace.loss.sum(axis=1)[{row}]"),
            title=lambda at: phrase(symbol("L", "1"), " + … + ", symbol("L", str(at.t))),
            checks=_forcing_checks(lambda run, _: float(run.loss.sum())),
        ),
        "forcing_told": Entry(
            words="steps after the first at which the mixture reads the target",
            rows=_told_rows,
            code=lambda at: (
                f"int((np.random.default_rng({at.lab.run.config.seed}).random({len(at.lab.run.goal)})"
                f" < {at.lab.run.config.mix!r})[1:].sum())"
            ),
            title=lambda _: phrase("drawn from the seed"),
            note=lambda _: phrase("A count: step t reads the target where the draw of step t is below the share."),
        ),
    }
)


def _drawn_count(asked: Asked) -> int:
    search = _search(asked)
    return int(search.levels[asked.t - 1].scores.size - _undrawn_rows(asked)[0][asked.t - 1, 0])
