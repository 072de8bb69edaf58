"""Reads a static copy as its player does, in Python: what stands where, and the value that it stands for."""

import base64
import gzip
import json
import re
from dataclasses import dataclass

import numpy as np
from rnnscope.core import format_number

TABLES = (("doubles", np.float64), ("singles", np.float32), ("instances", np.uint32), ("index", np.uint32))


@dataclass
class Copy:
    """The head of a file and its tables."""

    head: dict
    tables: dict

    def value(self, name, **chosen):
        """What a channel shows: of each axis the text that is chosen, else the one that the copy opens with."""
        start, *strides = self.head["channels"][name]
        places = [
            axis["texts"].index(chosen[axis["key"]]) if axis["key"] in chosen else axis["start"]
            for axis in self.head["axes"]
        ]
        instance = self.tables["index"][
            start + sum(stride * place for stride, place in zip(strides, places, strict=True))
        ]
        return filled(self.head["templates"], self.tables, int(instance))

    def names(self, kind):
        return [name.removeprefix(kind) for name in self.head["channels"] if name.startswith(kind)]


def read(html):
    """The copy in the bytes of a file."""
    text = re.search(rb'id="copy-answers">([A-Za-z0-9+/=]+)</script>', html)[1]
    return unpacked(text)


def unpacked(text):
    data = gzip.decompress(base64.b64decode(text))
    length = int.from_bytes(data[:4], "little")
    head, offset, tables = json.loads(data[4 : 4 + length]), aligned(4 + length), {}
    for name, kind in TABLES:
        tables[name] = np.frombuffer(data, kind, head["sizes"][name], offset)
        offset = aligned(offset + tables[name].nbytes)
    assert offset == len(data)
    return Copy(head, tables)


def aligned(offset):
    return -(-offset // 8) * 8


def filled(templates, tables, instance):
    template, single, double = tables["instances"][3 * instance : 3 * instance + 3]
    return fill(templates[template], {"#": [tables["singles"], int(single)], "##": [tables["doubles"], int(double)]})


def fill(template, holes):
    if isinstance(template, list):
        return [fill(one, holes) for one in template]
    if not isinstance(template, dict):
        return template
    if set(template) in ({"#"}, {"##"}):
        ((hole, count),) = template.items()
        return take(holes, hole, count)
    if "number" in template:
        return token(template, holes)
    return {key: fill(one, holes) for key, one in template.items()}


def take(holes, hole, count):
    table, at = holes[hole]
    holes[hole][1] += count
    return table[at : at + count]


def token(template, holes):
    value = float(take(holes, template["number"], 1)[0])
    looks = {key: one for key, one in template.items() if key not in ("number", "digits")}
    return {"text": format_number(value, template.get("digits", 3)), **looks, "value": value}
