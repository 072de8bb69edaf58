"""When and where a table was taken: date, processor, versions. No host names, no paths."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

LIBRARIES = ("panel", "bokeh", "numpy", "tornado")


def describe() -> str:
    """One paragraph: processor and cores, load before the bench, versions."""
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        f"{_processor()}, {os.cpu_count()} cores, load before the bench {_load()}; {platform.system()}, "
        f"Python {platform.python_version()}, {libraries}."
    )


def today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _load() -> str:
    """The number of processes that wanted a core in the last minute: near 0 on an idle machine."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
