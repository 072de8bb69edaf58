"""One target decoded by teacher forcing, by a mixture and freely, side by side, and where the runs part."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import FORCINGS, ForcingComparison

from ...searched import NAMES, ORDER, compare, glyph
from ...view import Arrays
from ...words import Phrase, phrase, readout
from ..detail import Detail

NOTE = (
    "A blue token is the run’s own choice of the step before; underlined in red is what differs from the target. "
    "Grey is after the run’s own end. The loss is −ln of the probability of the target’s token."
)


class Compare(Detail):
    """The three runs, found in one batch."""

    NAME = "compare"

    def arrays(self) -> Arrays:
        self._found = found = compare(self.lab.run)
        order = [FORCINGS.index(name) for name in ORDER]
        loss = found.trace.loss[order]
        return {
            "said_p": (np.exp(found.said_log_probabilities[order]).T, 1),
            "target_p": (np.exp(found.target_log_probabilities[order]).T, 1),
            "loss": (loss.T, 1),
            "sums": (loss.sum(axis=1)[None], 0),
            "steps": (np.arange(1, loss.shape[1] + 1), 1),
        }

    def texts(self) -> dict[str, Any]:
        shown, found = self.lab.run, self._found
        runs = [run_texts(shown, found, name) for name in ORDER]
        target = [glyph(shown, int(token)) for token in shown.goal]
        return {
            "forcing": {"target": target, "runs": runs, "part": found.reads_part()},
            "forcing_goal": goal_words(shown),
            "forcing_parts": parts_words(shown, found),
            "forcing_mixed": mixed_words(shown, found),
            "forcing_note": phrase(NOTE),
        }


def run_texts(shown: Any, found: ForcingComparison, name: str) -> dict[str, Any]:
    """What one run reads and says; `own` where it reads its own choice, `after` how many steps it takes to its end."""
    place, eos = FORCINGS.index(name), shown.model.eos
    reads, says = found.read[place], found.said[place]
    own = ~found.masks[place]
    own[:1] = False
    ended = np.flatnonzero(reads == eos)
    return {
        "name": NAMES[name],
        "reads": [glyph(shown, int(token)) for token in reads],
        "says": [glyph(shown, int(token)) for token in says],
        "own": own.tolist(),
        "after": int(ended[0]) if len(ended) else len(reads),
    }


def goal_words(shown: Any) -> Phrase:
    text = shown.text_of(shown.goal)
    return phrase({
        "typed": f"The target is “{text}”, as typed.",
        "task": f"The target is the right answer, “{text}”.",
        "model": f"There is no right answer to this source, so that the target is what the model writes, “{text}”.",
    }[shown.goal_from])  # fmt: skip


def parts_words(shown: Any, found: ForcingComparison) -> Phrase:
    """Where teacher forcing and the free run part, with what that does to the target's next token and to the loss."""
    sums = found.trace.loss.sum(axis=1)
    total = [
        readout(sums[FORCINGS.index(name)], "forcing_loss_sum", len(shown.goal), ORDER.index(name)) for name in ORDER
    ]
    step = found.reads_part()
    if step is None:
        words = "Teacher forcing and free running never part: every choice is the target’s token. The loss of both is "
        return phrase(words, total[0], ".")
    told, own = (glyph(shown, int(found.read[FORCINGS.index(name), step - 1])) for name in ("forced", "free"))
    told_p, own_p = (target_probability(found, name, step) for name in ("forced", "free"))
    token = glyph(shown, int(shown.goal[step - 1]))
    return phrase(
        f"They part at step {step}: teacher forcing reads the target’s “{told}”, the free run its own “{own}”. ",
        f"The target’s next token, “{token}”, then has probability ", told_p, " forced and ", own_p, " free. ",
        *says_words(shown, found), "Over all steps the loss is ", total[0], " forced, ", total[1], " mixed and ",
        total[2], " free.",
    )  # fmt: skip


def says_words(shown: Any, found: ForcingComparison) -> list[Any]:
    step = found.says_part()
    if step is None:
        return ["They say the same all the same. "]
    forced, free = (glyph(shown, int(found.said[FORCINGS.index(name), step - 1])) for name in ("forced", "free"))
    return [f"They first say something else at step {step}, “{forced}” and “{free}”. "]


def target_probability(found: ForcingComparison, name: str, step: int) -> dict[str, Any]:
    value = np.exp(found.target_log_probabilities[FORCINGS.index(name), step - 1])
    return readout(float(value), "forcing_target_p", step, ORDER.index(name))


def mixed_words(shown: Any, found: ForcingComparison) -> Phrase:
    """How often the mixture read the target; step 1 reads the start in any case."""
    mask, config = found.masks[FORCINGS.index("mixed")], shown.config
    count = readout(int(mask[1:].sum()), "forcing_told", text=str(int(mask[1:].sum())))
    told = f" of {len(mask) - 1} steps after the first, drawn with probability {config.mix:g} from seed {config.seed}."
    return phrase("The mixture, scheduled sampling, reads the target in ", count, told)


def compare_card() -> dict[str, Any]:
    """The card, as a part of the lab's page."""
    numbers = [
        ("p of what is said", "said_p", "forcing_said_p"),
        ("p of the target", "target_p", "forcing_target_p"),
        ("loss", "loss", "forcing_loss"),
    ]
    columns: list[dict[str, Any]] = [{"head": "$t$", "array": "steps", "symbol": "t", "integer": True, "offset": 1}]
    columns += [
        {"head": f"{NAMES[name]}, {head}", "array": array, "symbol": symbol, "unit": place, "offset": 1}
        for place, name in enumerate(ORDER) for head, array, symbol in numbers
    ]  # fmt: skip
    parts: list[dict[str, Any]] = [
        {"kind": "text", "id": "forcing_goal", "cls": "plot-summary"},
        {"kind": "forcing"},
        {"kind": "text", "id": "forcing_parts", "cls": "plot-summary"},
        {"kind": "text", "id": "forcing_mixed", "cls": "plot-summary"},
        {"kind": "text", "id": "forcing_note", "cls": "note"},
        {"kind": "data", "label": "Probabilities and loss by step", "columns": columns},
    ]
    body = [{**part, "detail": Compare.NAME} for part in parts]
    return {"title": "Teacher forcing, free running, and the mixture", "cls": "compare more", "body": body}
