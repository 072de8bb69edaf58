"""What goes wrong with the making of weights and is said in one line."""

from __future__ import annotations


class WeightsError(Exception):
    """What the user can mend; the message is one line."""
