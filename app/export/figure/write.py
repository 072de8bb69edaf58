"""An order becomes a file."""

from __future__ import annotations

from ...files import replace_file
from ..tikz import tikz
from .catalog import figure_of, picture
from .movie import check_folder, gif, write_frames, write_mp4
from .order import MOVIES, Order
from .progress import progress_bar, say
from .raster import pdf, png
from .svg import svg_text
from .sweep import sweep_svgs


def export_figure(order: Order) -> None:
    """Write the file, or raise `CannotExport` or an OSError and leave what was there as it was."""
    if order.form in MOVIES:
        _sweep(order)
    else:
        replace_file(order.path, still(order))


def still(order: Order) -> bytes:
    """One figure as the bytes of its file."""
    if order.form == "tikz":
        return tikz(order.lab, order.values, order.figure).encode()
    figure = figure_of(order.lab, order.values, order.figure, order.variant)
    svg = svg_text(picture(figure, order.variant), order.theme, order.background)
    if order.form == "png":
        return png(svg, order.scale)
    return pdf(svg) if order.form == "pdf" else svg.encode()


def _sweep(order: Order) -> None:
    if order.form == "frames":
        check_folder(order.path)
    with progress_bar(order.path.name) as tell:
        frames = [png(svg, order.scale) for svg in sweep_svgs(order, tell)]
    if order.form == "gif":
        replace_file(order.path, gif(frames, order.fps))
    elif order.form == "mp4":
        write_mp4(frames, order.fps, order.path)
    else:
        write_frames(frames, order.path)
    say(f"{order.path}: {len(frames)} frames")
