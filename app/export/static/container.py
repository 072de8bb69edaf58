"""A recording as bytes: a head of JSON, then every number as it is; compressed once, written as text once."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import sys
from array import array
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .record import Channel, Recording

#: Bytes to which every part is filled up: the widest number.
ALIGNED = 8
LEVEL = 9


def packed(recording: Recording, head: Mapping[str, Any]) -> str:
    """Base64 of gzip of: length of the head (uint32) and its JSON; then float64, float32 and uint32 tables."""
    pool, index = recording.pool, array("I")
    channels = {channel.name: _lay(channel, index) for channel in recording.channels}
    axes = [
        {"key": axis.key, "texts": axis.texts, "start": axis.start, "varied": axis.varied, "names": dict(axis.names)}
        for axis in recording.axes
    ]
    tables = [pool.doubles, pool.singles, pool.instances, index]
    sizes = dict(zip(("doubles", "singles", "instances", "index"), map(len, tables), strict=True))
    whole = {**head, "axes": axes, "channels": channels, "sizes": sizes}
    text = json.dumps(whole, ensure_ascii=False)[:-1] + f',"templates":[{",".join(pool.templates)}]}}'
    start = text.encode()
    parts = [struct.pack("<I", len(start)) + start, *(_little(table) for table in tables)]
    return base64.b64encode(gzip.compress(b"".join(map(_filled, parts)), LEVEL, mtime=0)).decode("ascii")


def _lay(channel: Channel, index: array[int]) -> list[Any]:
    """Put a channel's table at the end; returns where it starts, and how far a step along each axis is."""
    start = len(index)
    index.frombytes(np.ascontiguousarray(channel.index, np.uint32).tobytes())
    return [start, *_strides(channel.index.shape)]


def _strides(shape: tuple[int, ...]) -> Iterator[int]:
    """Entries from one value of an axis to the next; 0 along an axis that the channel does not follow."""
    for axis, length in enumerate(shape):
        yield int(np.prod(shape[axis + 1 :], dtype=int)) if length > 1 else 0


def _little(table: array[Any]) -> bytes:
    if sys.byteorder == "big":
        table = table[:]
        table.byteswap()
    return table.tobytes()


def _filled(part: bytes) -> bytes:
    return part + b"\0" * (-len(part) % ALIGNED)
