"""A session without a browser: the page, its token, the WebSocket, the document, and one event after the other."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

from bokeh.protocol import Protocol
from bokeh.protocol.message import Message
from bokeh.protocol.receiver import Receiver
from tornado.httpclient import AsyncHTTPClient
from tornado.websocket import WebSocketClientConnection, websocket_connect

from .servers import Served

PATIENCE_SECONDS = 20
_TOKEN = re.compile(rb'"token":"([^"]+)"')


class Session:
    """One open session; `document` is the reply to PULL-DOC-REQ, as a browser gets it, of `bytes` bytes."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self._socket = socket
        self._protocol = Protocol()
        self._receiver = Receiver(self._protocol)
        self.document: dict[str, Any] = {}
        self.bytes = 0

    @classmethod
    async def open(cls, served: Served, path: str) -> Session:
        """Get the page (compressed, as browsers ask for it), open its socket, pull the document, say it is drawn."""
        page = await AsyncHTTPClient().fetch(served.url(path), request_timeout=PATIENCE_SECONDS)
        found = _TOKEN.search(page.body)
        if not found:
            raise RuntimeError(f"{path} is not a page with a session")
        address = f"ws://{served.address}{path.partition('?')[0]}/ws"
        socket = await websocket_connect(address, subprotocols=["bokeh", found[1].decode()])
        if socket.protocol:  # as browsers do: else the client's own small frames wait for the server's acknowledgements
            socket.protocol.set_nodelay(True)
        session = cls(socket)
        await session._pull()
        await session.send_event({"type": "event", "name": "document_ready", "values": {"type": "map"}})
        await session.receive("OK")
        return session

    async def _pull(self) -> None:
        await self.receive("ACK")
        await self._send(self._protocol.create("PULL-DOC-REQ"))
        reply = await self.receive("PULL-DOC-REPLY")
        self.document = reply.content["doc"]
        self.bytes = len(reply.content_json) + sum(len(buffer.data) for buffer in reply.buffers)

    async def send_event(self, event: dict[str, Any]) -> None:
        """One event of the page, in the form in which BokehJS sends it."""
        content = {"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}]}
        for part in ({"msgid": "bench", "msgtype": "PATCH-DOC"}, {}, content):
            await self._socket.write_message(json.dumps(part))

    async def receive(self, kind: str) -> Message[Any]:
        """The next message of that kind; others are read and dropped."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                message = await self._receiver.consume(await self._next_fragment())
                if message is not None and message.msgtype == kind:
                    return message

    async def _next_fragment(self) -> str | bytes:
        fragment = await self._socket.read_message()
        if fragment is None:
            raise RuntimeError("The server closed the session")
        return fragment

    async def _send(self, message: Message[Any]) -> None:
        for part in (message.header_json, message.metadata_json, message.content_json):
            await self._socket.write_message(part)

    def lab(self) -> str:
        """The id of the lab's component: what messages from the page are addressed to."""
        return next(model["id"] for model in self.document["roots"] if model["name"].endswith("ReactiveESM"))

    def models(self) -> int:
        """How many Bokeh models the document holds."""
        return sum(1 for _ in _objects(self.document["roots"]))

    def close(self) -> None:
        self._socket.close()


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    """Every model that is defined somewhere in a serialised document."""
    if isinstance(node, dict):
        if node.get("type") == "object" and "id" in node:
            yield node
        for value in node.values():
            yield from _objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from _objects(value)


def as_map(values: dict[str, Any]) -> dict[str, Any]:
    """A dictionary as Bokeh writes it."""
    entries = [[key, as_map(value) if isinstance(value, dict) else value] for key, value in values.items()]
    return {"type": "map", "entries": entries}
