"""The styles of every picture, each by a name that says what it is for, in the colours of the tokens' roles."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ... import theme

#: Of TikZ, for every picture.
LIBRARIES = ("arrows.meta", "positioning")

#: Name -> definition. A picture's file holds those that it uses, with those that they build on, in this order.
STYLES = {
    # Nodes: what they hold is told by their shape too, for a print in grey.
    "value": "draw, semithick, align=center, font=\\small, minimum width=15mm, minimum height=10mm, inner sep=1mm",
    "input": "value, draw=input, fill=input fill",
    "state": "value, rounded corners=3mm, draw=hidden, fill=hidden fill",
    "initial state": "state, dashed, fill=none",
    "cell state": "value, rounded corners=3mm, draw=cell, fill=cell fill",
    "output": "value, double, double distance=0.8pt, rounded corners=1mm, draw=output, fill=output fill",
    "loss": "value, rounded corners=1mm, draw=wire",
    "gate": "value, rounded corners=1mm, draw=gate, fill=gate fill, minimum width=21mm, minimum height=12mm",
    "candidate": "gate, draw=candidate, fill=candidate fill",
    "small": "minimum width=8mm, minimum height=8mm, rounded corners=1mm",
    "gate box": "value, rounded corners=1mm, draw=gate, fill=gate fill",
    "candidate box": "value, rounded corners=1mm, draw=candidate, fill=candidate fill",
    "chosen": "draw=ink, very thick",
    "operator": "circle, draw=wire, semithick, fill=white, minimum size=5.5mm, inner sep=0pt",
    "function": "draw=wire, semithick, fill=white, rounded corners=2mm, minimum height=5.5mm, inner xsep=1.5mm",
    "weight": "circle, fill=white, inner sep=1pt, font=\\small",
    "delay": "fill=ink, minimum size=2.6mm, inner sep=0pt",
    "junction": "circle, fill=wire, minimum size=1.4mm, inner sep=0pt",
    "cell box": "fill=inset, rounded corners=4mm",
    # Wires.
    "wire": "-{Latex[length=2mm]}, semithick, draw=wire",
    "input wire": "wire, draw=input",
    "recurrent wire": "wire, thick, draw=hidden",
    "state wire": "wire, very thick, draw=cell",
    "cell wire": "wire, draw=cell",
    "output wire": "wire, draw=output",
    "gate wire": "wire, draw=gate",
    "candidate wire": "wire, draw=candidate",
    "backward wire": "-{Straight Barb[length=1.4mm]}, semithick, dashed, draw=gradient",
    "faint": "opacity=0.35",
    "cut wire": "backward wire, draw=control, densely dotted",
    "end of chain": "-{Bar[width=4mm]}, semithick, draw=hidden",
    # Text.
    "note": "font=\\small, text=ink2, align=center",
    "carried": "font=\\small, inner sep=1mm",
    "gradient": "font=\\footnotesize, text=gradient text, align=left, inner sep=1mm",
    "share": "font=\\footnotesize, text=ink2, inner sep=0.5mm",
    # Tables.
    "entry": "minimum width=18mm, minimum height=6mm, inner sep=0pt, font=\\small, anchor=center",
    "cut entry": "entry, draw=control, densely dashed, text=ink2",
    "sum": "entry, text=gradient text",
    "heading": "font=\\small, text=ink2, minimum height=6mm, inner sep=1mm, anchor=center, "
               "text height=1.6ex, text depth=0.3ex",
    "title": "font=\\bfseries\\small, align=center",
    **{f"attention {k}": f"wire, draw=sequential{max(k, 1)}, line width={0.2 + 0.2 * k:.1f}mm" for k in range(9)},
    **{f"level {k}": f"entry, fill=sequential{k}, text=on sequential{k}" for k in range(9)},
    **{f"sign {k}": f"entry, fill=diverging{k}, text=on diverging{k}" for k in range(11)},
    # Plots.
    "curve": "thick, mark size=1.6pt",
    "label of curve": "font=\\footnotesize, fill=white, fill opacity=0.8, text opacity=1, inner sep=0.5mm, "
                      "outer sep=1mm",
    "guide": "thin, draw=control",
    "cursor": "semithick, draw=band edge",
}  # fmt: skip

_NAMES = sorted(STYLES, key=len, reverse=True)


def needed(used: Iterable[str]) -> list[str]:
    """The styles used, and those that they build on, in the order of the table."""
    found, waiting = set(), list(used)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [part.strip() for part in STYLES[name].split(",") if part.strip() in STYLES]
    return [name for name in STYLES if name in found]


def _palette() -> dict[str, str]:
    """Every colour of the light theme by the name that it has in a file."""
    light = theme.tokens()["color"]["light"]
    found = {name.replace("_", " "): value for name, value in light["neutral"].items()}
    for role, tones in light["role"].items():
        found |= {role: tones["stroke"], f"{role} text": tones["text"], f"{role} fill": tones["fill"]}
    for scale in ("sequential", "diverging"):
        found |= {f"{scale}{k}": value for k, value in enumerate(light[scale])}
        found |= {f"on {scale}{k}": value for k, value in enumerate(light[f"{scale}_on"])}
    return found


def colours_of(text: str) -> dict[str, str]:
    """The colours that options name after `draw=`, `fill=`, `text=` or `color=`, each with its hexadecimal digits."""
    palette = _palette()
    names = "|".join(sorted(palette, key=len, reverse=True))
    named = set(re.findall(rf"(?:draw|fill|text|color)=\(?({names})(?=[,\])}}\s]|$)", text))
    return {name: value.removeprefix("#") for name, value in palette.items() if name in named}
