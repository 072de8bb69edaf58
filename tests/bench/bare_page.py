"""The yardstick: the figure of /gradients on a bare Bokeh page, its slider, and the same core run.

Run as `python -m tests.bench.bare_page PORT nagle|nodelay`. With `nagle` Bokeh is as it comes; with `nodelay`
`rnnscope.app.network` is imported first. BLAS has one thread in both, so that the rows differ by the socket alone.
"""

from __future__ import annotations

import sys
from typing import Any

import threadpoolctl
from bokeh.application import Application
from bokeh.application.handlers.function import FunctionHandler
from bokeh.document import Document
from bokeh.layouts import column
from bokeh.models import Slider
from bokeh.server.server import Server
from rnnscope.app.labs.measured import measure
from rnnscope.app.plots.decay import DecayPlot
from rnnscope.app.state import GradientState
from rnnscope.core import run

HOST = "127.0.0.1"
SIZE = {"n": 32, "T": 100}


def make_page(document: Document) -> None:
    """A slider above the figure: one core run and one new `source.data` for each of its values."""
    state, plot = GradientState(), DecayPlot()
    slider = Slider(name="rho", title="Spectral radius", start=0, end=3, step=0.01, value=state.rho)

    def show(_name: str, _old: Any, rho: float) -> None:
        state.apply({**SIZE, "rho": rho})
        plot.follow(measure("rnn", run(state.config())), ("rnn",), state.lag)

    show("value", None, state.rho)
    slider.on_change("value", show)
    plot.sources["rnn"].name = "curves"
    document.add_root(column(slider, plot.figure, sizing_mode="stretch_width"))


def main(port: int, socket: str) -> None:
    """Serve until a signal comes."""
    threadpoolctl.threadpool_limits(limits=1, user_api="blas")
    if socket == "nodelay":
        import rnnscope.app.network  # noqa: F401, PLC0415 - one row of the bench is with it, one without
    application = Application(FunctionHandler(make_page))
    server = Server({"/": application}, port=port, address=HOST, allow_websocket_origin=[f"{HOST}:{port}"])
    server.start()
    print("ready", flush=True)
    server.io_loop.start()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
