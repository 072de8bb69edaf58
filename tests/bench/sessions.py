"""What a session costs the server: processor time and memory, for 50 sessions that stay open."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from time import perf_counter

from . import servers
from .client import Session
from .report import Table, p50

PATHS = ("/gradients", "/unfold", "/lstm")
SESSIONS, WARM_UP = 50, 5
COLUMNS = ("page", "CPU, s", "wall p50, s", "memory, MB", "server then, MB", "document, kB", "models")
NOTE = (
    f"{SESSIONS} sessions opened one after the other over loopback, all kept open, after {WARM_UP} others: page "
    "(compressed), socket, document pulled, `document_ready`. CPU and memory per session from /proc (user and system "
    "time; growth of VmRSS). Aim: under 0.15 s and under 3 MB."
)


def measure() -> list[Table]:
    rows = [_row(path) for path in PATHS] if Path("/proc/self/stat").exists() else []
    return [Table("A session's start", COLUMNS, rows, [NOTE if rows else "Needs /proc: not measured on this system."])]


def _row(path: str) -> tuple[str, ...]:
    """A server of its own for every page, so that memory is this page's alone."""
    with servers.labs() as served:
        return asyncio.run(_open_all(served, path))


async def _open_all(served: servers.Served, path: str) -> tuple[str, ...]:
    opened = [await Session.open(served, path) for _ in range(WARM_UP)]
    cpu, memory, walls = _cpu_seconds(served.pid), _resident_mb(served.pid), []
    for _ in range(SESSIONS):
        start = perf_counter()
        opened.append(await Session.open(served, path))
        walls.append(perf_counter() - start)
    cpu, after = _cpu_seconds(served.pid) - cpu, _resident_mb(served.pid)
    last = opened[-1]
    for session in opened:
        session.close()
    costs = (f"{cpu / SESSIONS:.3f}", f"{p50(walls):.3f}", f"{(after - memory) / SESSIONS:.2f}", f"{after:.0f}")
    return (path, *costs, f"{last.bytes / 1000:.0f}", str(last.models()))


def _cpu_seconds(pid: int) -> float:
    """User and system time of a process so far; the name before them may hold blanks, but not a last bracket."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    raise RuntimeError(f"process {pid} has no VmRSS")
