"""Prompt sockets and one BLAS thread, under both ways to serve."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from bokeh.server.views.ws import WSHandler
from rnnscope.app import network
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

PAGES = Path(__file__).parents[2] / "app" / "pages"

#: Wraps Bokeh's handler before the page is loaded, so that what the page adds is under observation too.
OBSERVER = """
import socket
from bokeh.server.views.ws import WSHandler

original = WSHandler.open
def observed(self, *args, **kwargs):
    stream = self.ws_connection.stream.socket
    print("NODELAY", bool(stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)), flush=True)
    return original(self, *args, **kwargs)
WSHandler.open = observed
"""


def token_in(html):
    return re.search(r'"token":"([^"]+)"', html).group(1)


async def connected(url, token, look):
    """Open a page's WebSocket, look at what there is once the server has spoken, and close it."""
    connection = await websocket_connect(HTTPRequest(url), subprotocols=["bokeh", token])
    try:
        return look(json.loads(await connection.read_message()))
    finally:
        connection.close()
        while await connection.read_message() is not None:
            pass


def test_sockets_are_prompt_under_rnnscope_serve(served):
    html = served.get("/gradients").text

    def options(_):
        handlers = [client._socket for client in served.server._tornado._clients]
        streams = [handler.ws_connection.stream.socket for handler in handlers if handler.ws_connection]
        return [stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for stream in streams]

    found = asyncio.run(connected(served.url.replace("http", "ws") + "/gradients/ws", token_in(html), options))
    assert found
    assert all(found)


def test_sockets_are_prompt_under_panel_serve(tmp_path):
    setup = tmp_path / "observer.py"
    setup.write_text(OBSERVER)
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "panel",
        "serve",
        str(PAGES / "gradients.py"),
        "--port",
        str(port),
        "--setup",
        str(setup),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            wait_for(process, "app running at")
            with urllib.request.urlopen(f"http://localhost:{port}/gradients", timeout=60) as answer:
                token = token_in(answer.read().decode())
            message = asyncio.run(connected(f"ws://localhost:{port}/gradients/ws", token, dict))
            assert message["msgtype"] == "ACK"
            assert wait_for(process, "NODELAY") == "NODELAY True"
        finally:
            process.kill()


def wait_for(process, text):
    """The first line that holds `text`; the process's end fails the test with what it said."""
    said = []
    for line in process.stdout:
        said.append(line)
        if text in line:
            return line.strip()
    raise AssertionError("".join(said))


def test_a_page_caps_blas_to_one_thread():
    code = """
import json, threadpoolctl, numpy
before = [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
import rnnscope.app.network
after = [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
print(json.dumps([before, after]))
"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    before, after = json.loads(subprocess.check_output([sys.executable, "-c", code], text=True, env=environment))
    assert len(before) == len(after) > 0
    assert set(after) == {1}


def test_the_patch_is_put_on_once():
    patched = WSHandler.open
    network.send_at_once()
    assert WSHandler.open is patched
