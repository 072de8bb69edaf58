"""A bar on a terminal, nothing in a file."""

import io
import sys

from rnnscope.app.export.figure.progress import bar, progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_fills():
    assert bar(0, 8) == f"[{' ' * 32}]   0 %"
    assert bar(2, 8) == f"[{'#' * 8}{' ' * 24}]  25 %"
    assert bar(8, 8) == f"[{'#' * 32}] 100 %"


def test_it_is_written_over_and_wiped_away(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    with progress_bar("a.gif") as tell:
        tell(1, 2)
    written = sys.stderr.getvalue()
    assert written.startswith("\r[")
    assert "50 % a.gif" in written
    assert written.endswith("\r\033[K")


def test_a_file_holds_no_bar(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with progress_bar("a.gif") as tell:
        tell(1, 2)
    assert sys.stderr.getvalue() == ""
