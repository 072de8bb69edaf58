"""The server's share of one move, measured in this process: the lab answers, Bokeh writes the patch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bokeh.document import Document
from bokeh.protocol import Protocol
from rnnscope.app.labs.gradients import GradientLab

from .report import Table, ms, p50, p95, timed

MOVES, WARM_UP = 200, 20
QUERY = {"n": "32", "T": "100"}


@dataclass
class Share:
    """Milliseconds of every move: all of the answer, the core run in it, and the patch written after it."""

    answer: list[float] = field(default_factory=list)
    core: list[float] = field(default_factory=list)
    patch: list[float] = field(default_factory=list)

    def table(self, move: float) -> Table:
        """`move`: p50 of the change-to-second-frame time, of which this is a share."""
        rest = [answer - core for answer, core in zip(self.answer, self.core, strict=True)]
        total = [answer + patch for answer, patch in zip(self.answer, self.patch, strict=True)]
        named = {
            "core run and decay": self.core,
            "the rest of the answer": rest,
            "Bokeh's patch message": self.patch,
            "server's share, all": total,
        }
        rows = [(name, ms(p50(s)), ms(p95(s)), f"{100 * p50(s) / move:.0f} %") for name, s in named.items()]
        return Table(f"The server's share of one move ({MOVES} moves in one process)", ["part", "p50, ms", "p95, ms", "of the move"], rows, [_NOTE])


_NOTE = (
    "the rest of the answer: checking the value, the figure's data, heat maps, texts, JSON, and the assignment of `frame`; "
    "patch message: serialising the events of one answer to text and buffers. Not in it: Tornado's parsing and writing of "
    "WebSocket frames. of the move: p50 over the p50 of drag, change to second frame."
)


class ServedLab:
    """A lab in a document as a session has it, with the patches that a session would send."""

    def __init__(self) -> None:
        self.lab = GradientLab(query=QUERY)
        self.document = Document()
        self.lab.view.server_doc(self.document)
        self.events: list[Any] = []
        self.document.on_change(self.events.append)
        self.core_ms = 0.0
        self._compute = self.lab.compute
        self.lab.compute = self._timed_compute  # type: ignore[method-assign]

    def _timed_compute(self) -> Any:
        found: list[Any] = []
        self.core_ms = timed(lambda: found.append(self._compute()))
        return found[0]

    def answer(self, number: int, rho: float) -> None:
        self.lab._answer({"action": "set", "values": {"rho": f"{rho:.2f}"}, "sequence": number})

    def write_patch(self) -> int:
        """The bytes of one message with everything that changed."""
        message = Protocol().create("PATCH-DOC", self.events)
        self.events.clear()
        text = len(message.header_json) + len(message.metadata_json) + len(message.content_json)
        return text + sum(len(bytes(buffer.data)) for buffer in message.buffers)


def measure() -> Share:
    """`MOVES` moves in steps of 0.01."""
    served, share = ServedLab(), Share()
    for number in range(MOVES + WARM_UP):
        rho = (70 + number % 80) / 100
        answer = timed(lambda number=number, rho=rho: served.answer(number, rho))
        patch = timed(served.write_patch)
        if number >= WARM_UP:
            share.answer.append(answer)
            share.core.append(served.core_ms)
            share.patch.append(patch)
    return share
