"""What a lab shows, as a file for elsewhere: a table, the arrays, a script of its own. No Panel."""

from .errors import CannotExport
from .write import FORMATS, export

__all__ = ["FORMATS", "CannotExport", "export"]
