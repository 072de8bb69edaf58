"""What the tests say to a lab as its page does, and read in its frames and texts."""

import json


def frame(lab):
    """The last frame that went to the page."""
    return json.loads(lab.view.frame["json"])


def set_keys(lab, **texts):
    """Set keys as the page does; the answer's frame."""
    lab._answer({"action": "set", "sequence": 1, "values": texts})
    return frame(lab)


def spoken(words):
    """A phrase as it is read aloud."""
    return "".join(word["text"] for word in words)


def numbers(node):
    """Every readout of the texts."""
    if isinstance(node, dict):
        if node.get("kind") == "number" and "symbol" in node:
            yield node
        for child in node.values():
            yield from numbers(child)
    elif isinstance(node, list):
        for child in node:
            yield from numbers(child)
