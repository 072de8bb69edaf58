"""The console script `rnnscope`: serve the labs, write the numbers of one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import parse_qsl

from . import snapshot, url

DEFAULT_PORT = 5006


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


def _serve(chosen: argparse.Namespace) -> None:
    from . import server  # Panel is loaded only by the command that needs it

    server.serve(chosen.port, chosen.address, chosen.allow_websocket_origin, chosen.show, chosen.num_procs)


def _state(chosen: argparse.Namespace) -> None:
    if chosen.lab not in snapshot.STATES:
        raise CommandError(f"there is no lab {chosen.lab!r}; it is one of {', '.join(snapshot.STATES)}")
    query = dict(parse_qsl(chosen.query.lstrip("?"), keep_blank_values=True))
    values, notices = url.read(snapshot.STATES[chosen.lab], query)
    if notices:
        raise CommandError(" ".join(notice.message for notice in notices))
    try:
        snapshot.write(chosen.lab, values, chosen.npz)
    except ValueError as error:
        raise CommandError(str(error)) from error


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of processes is 1 or more, not {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
