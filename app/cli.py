"""The console script `rnnscope`: serve the labs, write the numbers of one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from rnnscope.core import ChaosGrid
from rnnscope.core.chaos import LARGEST_MAP

from . import snapshot, url
from .export import FORMATS, export
from .export.figure import order
from .values import finite

DEFAULT_PORT = 5006
#: The exit status of a command that Ctrl-C ended, as shells have it.
INTERRUPTED = 130


class CommandError(Exception):
    """What the user can mend: one line on standard error, exit status 2."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    chosen = _parser().parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], None] = chosen.run
        run(chosen)
    except (CommandError, OSError) as error:
        print(f"rnnscope: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


class _Parser(argparse.ArgumentParser):
    """argparse, with its error on one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        print(f"rnnscope: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="rnnscope", description="See a recurrent network: unfold it, read its gates, follow its gradients."
    )
    parser.add_argument("--version", action="version", version=f"rnnscope {version('rnnscope')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    _add_serve(
        commands.add_parser(
            "serve", help="serve every lab", description="Serve every lab and the home page until Ctrl-C."
        )
    )
    _add_state(
        commands.add_parser(
            "state", help="write the numbers of a lab", description="Write the run that a lab shows for a query string."
        )
    )
    _add_export(
        commands.add_parser(
            "export",
            help="write what a lab shows for elsewhere",
            description="Write the run that a lab shows for a query string: a table with a row a step (csv), every "
            "array (npz), a NumPy script that prints the same numbers and needs nothing else (py), the lab itself "
            "as one page that needs no server (html), or a figure of its page: a picture (svg, png, pdf), LaTeX "
            "(tikz), or a sweep (gif, mp4, a folder of PNG frames).",
        )
    )
    _add_sweep(
        commands.add_parser(
            "sweep",
            help="map the edge of chaos into a file",
            description="Compute the largest Lyapunov exponent of the network of /gradients at every spectral radius "
            "and input strength. A sweep that was stopped goes on when the same command is given again.",
        )
    )
    _add_site(commands)
    return parser


def _add_serve(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help=f"port to listen on (default {DEFAULT_PORT}; 0 takes a free one)",
    )
    command.add_argument("--address", help="address to listen on (default: all)")
    command.add_argument(
        "--allow-websocket-origin", action="append", metavar="HOST[:PORT]",
        help="public host name of the server, or a page that embeds a lab by script; may be given again",
    )  # fmt: skip
    command.add_argument("--num-procs", type=_count, default=1, help="number of server processes (default 1)")
    command.add_argument("--show", action="store_true", help="open the home page in a browser")
    command.set_defaults(run=_serve)


def _add_state(command: argparse.ArgumentParser) -> None:
    command.add_argument("lab", metavar="LAB", help=f"one of {', '.join(snapshot.STATES)}")
    command.add_argument("query", metavar="QUERY", nargs="?", default="", help='a query string, e.g. "rho=1.2&n=16"')
    command.add_argument("--npz", metavar="FILE", type=Path, required=True, help="the file to write")
    command.set_defaults(run=_state)


def _add_export(command: argparse.ArgumentParser) -> None:
    command.add_argument("lab", metavar="LAB", help=f"one of {', '.join(snapshot.STATES)}")
    command.add_argument("query", metavar="QUERY", nargs="?", default="", help='a query string, e.g. "rho=1.2&n=16"')
    command.add_argument(
        "--format", choices=[*FORMATS, order.COPY, *order.FORMATS], required=True, help="what kind of file"
    )
    command.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the file to write")
    order.add_options(command)
    command.set_defaults(run=_export)


def _add_sweep(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "query", metavar="QUERY", nargs="?", default="", help='the network, a query string of /gradients, e.g. "n=64"'
    )
    command.add_argument(
        "--rho", type=_axis, default="0:3:40", metavar="LOW:HIGH:COUNT", help="spectral radii (default 0:3:40)"
    )
    command.add_argument(
        "--strength", type=_axis, default="0:2:40", metavar="LOW:HIGH:COUNT", help="input strengths (default 0:2:40)"
    )
    command.add_argument("--steps", type=_natural, default=500, help="steps a point (default 500)")
    command.add_argument(
        "--discard", type=_natural, metavar="K", help="steps left out at the start (default a quarter)"
    )
    where = command.add_mutually_exclusive_group()
    where.add_argument("--workers", type=_count, metavar="N", help="worker processes (default all cores but one)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask cluster instead, e.g. tcp://10.0.0.5:8786")
    command.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="FILE.npz or FILE.zarr")
    command.set_defaults(run=_sweep)


def _add_site(commands: Any) -> None:
    command = commands.add_parser(
        "export-site",
        help="write the labs as a folder that needs no server of ours",
        description="Write the labs as files: Python runs in the reader's browser (Pyodide), and any web server "
        "serves the folder.",
    )
    command.add_argument("folder", metavar="DIR", type=Path, help="the folder to write: new, empty, or an earlier site")
    command.add_argument(
        "--pyodide", metavar="FOLDER_OR_URL", required=True,
        help="a Pyodide release: its unpacked folder, which is copied into DIR, or an address that pages load it from",
    )  # fmt: skip
    command.add_argument(
        "--labs", type=lambda text: tuple(text.split(",")), default=(), metavar="LAB,...",
        help=f"which labs (default all: {','.join(snapshot.STATES)})",
    )  # fmt: skip
    command.set_defaults(run=_site)


def _serve(chosen: argparse.Namespace) -> None:
    from . import server  # Panel is loaded only by the command that needs it

    server.serve(chosen.port, chosen.address, chosen.allow_websocket_origin, chosen.show, chosen.num_procs)


def _state(chosen: argparse.Namespace) -> None:
    values = _values(chosen.lab, chosen.query)
    try:
        snapshot.write(chosen.lab, values, chosen.npz)
    except ValueError as error:
        raise CommandError(str(error)) from error


def _export(chosen: argparse.Namespace) -> None:
    values = _values(chosen.lab, chosen.query)
    try:
        if chosen.format in order.FORMATS:
            _export_figure(order.order_of(chosen, values))
            return
        order.check_options(chosen)
        if chosen.format == order.COPY:
            _export_copy(chosen)
            return
        export(chosen.lab, values, chosen.format, chosen.output)
    except ValueError as error:
        raise CommandError(str(error)) from error


def _export_figure(asked: order.Order) -> None:
    from .export.figure.write import export_figure  # Panel is loaded only by the command that needs it

    export_figure(asked)


def _export_copy(chosen: argparse.Namespace) -> None:
    from .export.static.command import write_copy  # Panel is loaded only by the command that needs it

    write_copy(chosen.lab, url.keys_of(chosen.query), chosen.vary, chosen.output)


def _values(lab: str, query: str) -> dict[str, Any]:
    """The values of a query, read strictly: what a page would notice is an error here."""
    if lab not in snapshot.STATES:
        raise CommandError(f"there is no lab {lab!r}; it is one of {', '.join(snapshot.STATES)}")
    values, notices = url.read(snapshot.STATES[lab], url.keys_of(query))
    if notices:
        raise CommandError(" ".join(notice.message for notice in notices))
    return values


def _sweep(chosen: argparse.Namespace) -> None:
    from .sweeps import command, errors

    state = snapshot.state_of("gradients", _values("gradients", chosen.query))
    try:
        grid = ChaosGrid(state.config_of("rnn"), chosen.rho, chosen.strength, chosen.steps, chosen.discard)
        order = command.Order(grid, chosen.output, chosen.query, chosen.workers, chosen.scheduler)
        command.sweep(order)
    except (ValueError, errors.SweepError) as error:
        raise CommandError(str(error)) from error


def _site(chosen: argparse.Namespace) -> None:
    from .site import errors, write  # Panel is loaded only by the command that needs it

    def say(words: str) -> None:
        print(f"rnnscope: {words}", file=sys.stderr, flush=True)

    try:
        write.write_site(write.Order(chosen.folder, chosen.pyodide, chosen.labs), say)
    except errors.SiteError as error:
        raise CommandError(str(error)) from error


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of processes is 1 or more, not {text!r}")
    return int(text)


def _natural(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"a number of steps is 0 or more, not {text!r}")
    return int(text)


def _axis(text: str) -> tuple[float, ...]:
    """LOW:HIGH:COUNT as that many numbers, ends included."""
    parts = text.split(":")
    low, high = (finite(part) for part in parts[:2]) if len(parts) == 3 else (None, None)
    if low is None or high is None or not parts[2].isdigit() or not 1 <= int(parts[2]) <= LARGEST_MAP:
        raise argparse.ArgumentTypeError(f"an axis is LOW:HIGH:COUNT, e.g. 0:3:40, not {text!r}")
    return tuple(np.linspace(low, high, int(parts[2])).tolist())


if __name__ == "__main__":
    sys.exit(main())
