"""What the tests read in a frame's texts."""


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
