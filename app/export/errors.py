"""Why a state cannot be exported."""


class CannotExport(ValueError):  # noqa: N818  it is read as a sentence
    """One line for the user: what cannot be exported, and what can."""
