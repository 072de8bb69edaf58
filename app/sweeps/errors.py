"""What goes wrong with a sweep and is said in one line."""

from __future__ import annotations


class SweepError(Exception):
    """What the user can mend, or try again; the message is one line."""
