"""Why a site cannot be written."""

from __future__ import annotations


class SiteError(Exception):
    """One line for the user: what is missing, and where it is found."""
