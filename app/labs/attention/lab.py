"""The lab /attention: one sequence, one layer, every number between them."""

from __future__ import annotations

from typing import Any

from rnnscope.core import SIZES, AttentionConfig, AttentionRun, ScalingMeasure

from ... import controls, url
from ...attention_numbers import attend_with, tables
from ...plots.chart import Plot
from ...plots.cost import MODELS as COST_LOOKS
from ...plots.cost import CostPlot
from ...state import AttentionState
from ...view import Arrays
from ...words import Phrase, phrase, plain, readout
from ..base import Lab, control_parts
from ..charts import cost_chart, shares_map
from . import cost, layer, scaling, story
from .presets import PRESETS

LEGEND = [
    {"label": "query", "cls": "hid", "role": "hidden"}, {"label": "key", "cls": "gate", "role": "gate"},
    {"label": "value", "cls": "cand", "role": "candidate"}, {"label": "output", "cls": "out", "role": "output"},
]  # fmt: skip


class AttentionLab(Lab):
    """A change is one `run_attention`; the query, the key, the head and the stage are looks."""

    NAME = "Attention"
    TITLE = "Self-attention, from the tokens to the output"
    LEDE = "Every token asks every token with a query, is found by its key, and gives its value."
    State = AttentionState
    run: AttentionRun  # type: ignore[assignment]
    state: AttentionState

    @staticmethod
    def run_of(config: AttentionConfig) -> AttentionRun:  # type: ignore[override]
        return attend_with(config)

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        return [
            {"title": "Scaled dot-product attention", "cls": "key", "steps": "query", "facts": "facts",
             "legend": LEGEND, "body": story.parts()},
            {"cls": "more", "body": [
                {"kind": "text", "id": "row_title", "tag": "h2"}, {"kind": "attentionRow"},
                {"kind": "text", "id": "row_says", "cls": "plot-summary"}]},
            {"cls": "try", "body": [PRESETS.part()]},
            *layer.cards(), scaling.card(), cost.card(),
        ]  # fmt: skip

    def rail(self) -> list[dict[str, Any]]:
        return [
            {"items": [{"kind": "text", "id": "pair_title", "tag": "h2"}, {"kind": "equations", "id": "pair"}]},
            {"title": "Selection", "cls": "ctl", "items": control_parts("head")},
            {"title": "Tokens", "cls": "ctl", "items": control_parts("input", "text", "T", "positions", "seed")},
            {"title": "Layer", "cls": "ctl", "items": control_parts("d_model", "heads", "scale", "mask")},
        ]

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        found = {name: (table, 1) for name, table in tables(self.run).items()}
        measured = scaling.arrays(self.measured(), self.state.d_k)
        return found | layer.arrays(self.run) | measured | cost.arrays(self.state)

    def measured(self) -> tuple[ScalingMeasure, ScalingMeasure]:
        """The softmax over drawn products, as they are and divided."""
        return self._scaling.measure(self.state.seed, self.state.d_k)

    def figures(self) -> list[Any]:
        self._scaling, self.plot = scaling.Scaling(), CostPlot(SIZES)
        return [self.plot.figure]

    def draw_figures(self) -> None:
        self.plot.render(cost.curves(self.state), self.state.axis)

    def charts(self) -> dict[str, Plot]:
        state, names = self.state, self.token_names()
        title = f"Attention weights of head {state.head}"
        return {
            "weights": shares_map(
                title, self.run.trace.weights[state.head - 1], names, names, "weight", "key", "query"
            ),
            "cost": cost_chart(cost.curves(state), COST_LOOKS, state.axis, cost.UNITS[state.cost]),
        }

    def token_names(self) -> list[str]:
        """The characters of a text, else the places of the tokens."""
        state = self.state
        return list(state.text) if state.kind() == "text" else [str(t) for t in range(1, state.T + 1)]

    def restyle(self, theme: str) -> None:
        self.plot.restyle(theme)

    def scene_key(self) -> Any:
        return (self.run.config.scaled, self.run.config.mask)

    def scenes(self) -> dict[str, Any]:
        return {"flow": story.flow(self.run.config)}

    def shown_state(self) -> dict[str, Any]:
        """The page's cursor counts queries; its units are the keys, as many as there are tokens."""
        shown = controls.shown_values(self.state)
        return {**shown, "values": {**shown["values"], "n": str(self.state.T)}}

    def texts(self) -> dict[str, Any]:
        state, run = self.state, self.run
        return {
            "facts": self.facts(),
            "substep": story.stage_words(run, state),
            "announcement": self.announcement(),
            **story.RowTexts(run, state).all(),
            **layer.texts(run),
            "scaling_says": scaling.says(self.measured(), state.d_k),
            "cost_says": cost.says(state),
            "claim": PRESETS.claim(state, run, self.measured()),
        }

    def facts(self) -> Phrase:
        config, count = self.run.config, self.run.layer.parameter_count
        heads = f"{config.heads} heads" if config.heads > 1 else "1 head"
        return phrase(
            plain(f"{heads} of {config.d_k}", strong=True), " · ",
            readout(count, "layer_parameters", text=f"{count:,}"), " parameters, drawn",
        )  # fmt: skip

    def announcement(self) -> str:
        state = self.state
        said = f"query {state.t} of {state.T}, key {state.unit + 1}"
        if not state.substep:
            return said
        return f"{said}, stage {state.substep}: {''.join(word['text'] for word in story.stage_words(self.run, state))}"

    # --- heads that do not divide the token ---------------------------------------------------

    def _set(self, texts: Any) -> None:
        """A number of heads that does not fit is said and stays; one that no longer fits another size gives way."""
        size, wanted = self._sizes(texts)
        if size % wanted == 0:
            super()._set(texts)
        elif "heads" in texts and "heads" not in self.state.locked():
            self._say("heads", str(wanted), f"it takes a divisor of d_model = {size}.", "It stays as it was.")
            super()._set({key: text for key, text in texts.items() if key != "heads"})
        elif "heads" in self.state.locked():
            self._say("d_model", str(size), f"it takes a multiple of heads = {wanted}.", "It stays as it was.")
            super()._set({key: text for key, text in texts.items() if key != "d_model"})
        else:
            usual = self.State.usual({"d_model": size})["heads"]
            self._say("heads", str(wanted), f"it takes a divisor of d_model = {size}.", f"heads = {usual} is used.")
            super()._set(texts)

    def _sizes(self, texts: Any) -> tuple[int, int]:
        """The size and the heads that a message asks for, where it asks for what there is."""
        found = {"d_model": self.state.d_model, "heads": self.state.heads}
        for key in found:
            if isinstance(texts, dict) and key in texts and key not in self.state.locked():
                try:
                    found[key] = url.check(self.State, key, str(texts[key]))
                except ValueError:
                    continue  # said by `Lab._set`
        return found["d_model"], found["heads"]

    def _say(self, key: str, value: str, accepted: str, used: str) -> None:
        self._notices.append(url.Notice(key, value, accepted, used).message)
