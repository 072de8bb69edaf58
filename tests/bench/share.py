"""The server's share of one move: the lab's answer in this process, and the round trip of a bare client."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from rnnscope.app.labs.gradients import GradientLab

from . import servers
from .client import Session, as_map
from .report import Table, ms, p50, p95, timed

MOVES, WARM_UP = 200, 20
SIZE = {"n": "32", "T": "100"}
PATH = "/gradients?n=32&T=100"


@dataclass
class Share:
    """Milliseconds of every move: the answer and the core run in it; and the round trip of a bare client."""

    answer: list[float] = field(default_factory=list)
    core: list[float] = field(default_factory=list)
    trip: list[float] = field(default_factory=list)

    def table(self, move: float) -> Table:
        """`move`: p50 of the change-to-second-frame time, of which this is a share."""
        rest = [answer - core for answer, core in zip(self.answer, self.core, strict=True)]
        named = {
            "core run and decay": self.core,
            "the rest of the answer": rest,
            "answer, all": self.answer,
            "message to patch, no browser": self.trip,
        }
        rows = [(name, ms(p50(s)), ms(p95(s)), f"{100 * p50(s) / move:.0f} %") for name, s in named.items()]
        return Table("The server's share of one move", ["part", "p50, ms", "p95, ms", "of the move"], rows, [_NOTE])


_NOTE = (
    f"{MOVES} moves. The rest of the answer: checking the value, the figure's data, heat maps, texts, JSON and the "
    "assignment of `frame`, in one process without a session. Message to patch: `rnnscope serve` and a client on "
    "loopback that sends what the page sends and reads the whole patch, so with Bokeh's and Tornado's work. Of the "
    "move: p50 over the p50 of the drag, change to second frame."
)


def measure() -> Share:
    share = Share()
    _measure_answer(share)
    asyncio.run(_measure_trips(share))
    return share


def _rho(number: int) -> str:
    return f"{(70 + number % 80) / 100:.2f}"


def _measure_answer(share: Share) -> None:
    """The lab itself, with the time of its core call taken apart."""
    lab, core = GradientLab(query=SIZE), []
    compute = lab.compute

    def timed_compute() -> Any:
        start = perf_counter()
        run = compute()
        core.append(1000 * (perf_counter() - start))
        return run

    lab.compute = timed_compute  # type: ignore[method-assign]
    for number in range(MOVES + WARM_UP):
        message = {"action": "set", "values": {"rho": _rho(number)}, "sequence": number}
        share.answer.append(timed(lambda message=message: lab._answer(message)))
    share.core = core[WARM_UP:]
    share.answer = share.answer[WARM_UP:]


async def _measure_trips(share: Share) -> None:
    """The same moves through a served session."""
    with servers.labs() as served:
        session = await Session.open(served, PATH)
        for number in range(MOVES + WARM_UP):
            share.trip.append(await _trip(session, number))
        session.close()
    share.trip = share.trip[WARM_UP:]


async def _trip(session: Session, number: int) -> float:
    """Milliseconds from one message of the page to its patch."""
    data = as_map({"action": "set", "values": {"rho": _rho(number)}, "sequence": number + 1})
    values = {"type": "map", "entries": [["model", {"id": session.lab()}], ["data", data]]}
    start = perf_counter()
    await session.send_event({"type": "event", "name": "data_event", "values": values})
    await session.receive("PATCH-DOC")
    taken = 1000 * (perf_counter() - start)
    await session.receive("OK")
    return taken
