"""The circuit as it is built, with the numbers of the selected step: one copy, and a delay on its loop."""

from __future__ import annotations

from .chain import Chain, pill, widen
from .picture import Picture
from .words import indexed

#: A state whose loop leaves and comes back at the same side.
TALL = "state, minimum height=16mm"


def folded(chain: Chain) -> Picture:
    """Hidden to hidden: the state goes around through a delay of one step."""
    t, picture = max(1, chain.state.t), Picture("node distance=12mm and 13mm")
    picture.group("The circuit")
    picture.node(TALL, "h", _at(chain, "h", t))
    picture.node("input", "x", _input(chain, t), "below=of h")
    only_last = chain.only_last
    t = chain.T if only_last else t
    picture.node("output", "y", _at(chain, "y", t), "above=of h")
    picture.node("loss", "L", chain.loss(t, (chain.letter("L", None), chain.letter("target", None))), "above=of y")
    picture.draw("input wire", f"(x) -- {pill(picture, chain.weight('W_xh'))} (h)")
    picture.draw("output wire", f"(h) -- {pill(picture, chain.weight('W_hy'))} (y)")
    picture.draw("wire", "(y) -- (L)")
    draw_loop(picture, "h", chain.letter("h", None), chain.weight("W_hh"))
    _caption(picture, chain, "below=2mm of x")
    if only_last:
        picture.node("note", "", "$t = T$ only", "right=2mm of y")
    return widen(picture)


def _at(chain: Chain, name: str, t: int) -> str:
    value = chain.hidden(t) if name == "h" else chain.output(t)
    return chain.named(name, t, value, chain.letter(name, None))


def _input(chain: Chain, t: int) -> str:
    return chain.input(t, chain.letter("x", None))


def draw_loop(picture: Picture, node: str, letter: str, weight: str) -> None:
    """Out above, through the delay, and back below."""
    picture.group("The loop: what leaves comes back one step later")
    before = letter.replace("_t", "_{t-1}")
    picture.node("delay", "delay", "", f"right=20mm of {node}")
    leaves = picture.label("carried", f"${letter}$", "above, pos=0.25")
    comes = picture.label("carried", f"${before}$", "below=2mm, pos=0.75")
    picture.draw("recurrent wire", f"({node}.35) -| {leaves} (delay)")
    through = picture.label("weight", f"${weight}$", "pos=0.75")
    picture.draw("recurrent wire", f"(delay) |- {through} {comes} ({node}.-35)")
    picture.node("note", "", "delay of\\\\ one step", "right=1mm of delay")


def _caption(picture: Picture, chain: Chain, at: str) -> None:
    """The step that the numbers are of, and the unit where there are several."""
    unit = chain.of_units()
    picture.node("note", "", f"$t = {max(1, chain.state.t)}$" + (rf"\\ {unit}" if unit else ""), at)


# --- output to hidden -------------------------------------------------------------------------


def folded_output(chain: Chain, forced: bool) -> Picture:
    """The next state reads the output, or with `forced` the target in its place."""
    t, picture = max(1, chain.state.t), Picture("node distance=12mm and 13mm")
    picture.group("The circuit")
    picture.node("state", "h", _at(chain, "h", t))
    picture.node("input", "x", _input(chain, t), "below=of h")
    picture.node("output", "y", _at(chain, "y", t), "above=of h")
    picture.node("loss", "L", chain.loss(t, (chain.letter("L", None), chain.letter("target", None))), "above=of y")
    picture.draw("input wire", f"(x) -- {pill(picture, chain.weight('W_xh'))} (h)")
    picture.draw("output wire", f"(h) -- {pill(picture, chain.weight('W_hy'))} (y)")
    picture.draw("wire", "(y) -- (L)")
    picture.group("What the next step reads: the target" if forced else "What the next step reads: the output")
    picture.node("delay", "delay", "", "right=16mm of y")
    fed = picture.label("weight", f"${chain.weight('W_yh')}$", "pos=0.25")
    picture.draw("output wire", "(L.east) -| (delay)" if forced else "(y) -- (delay)")
    picture.draw("output wire", f"(delay) |- {fed} (h)")
    picture.node("note", "", "delay of\\\\ one step", "right=1mm of delay")
    _caption(picture, chain, "below=2mm of x")
    return widen(picture)


# --- a dynamical system -----------------------------------------------------------------------


def folded_system(chain: Chain) -> Picture:
    """One function on a loop."""
    t, picture = chain.state.t, Picture()
    picture.group("The state")
    picture.node(TALL, "h", chain.named("h", t, chain.hidden(t), indexed("s", "t")))
    draw_loop(picture, "h", indexed("s", "t"), "f")
    unit = chain.of_units()
    picture.node("note", "", f"$t = {t}$" + (rf"\\ {unit}" if unit else ""), "below=2mm of h")
    return widen(picture)


# --- a convolution ----------------------------------------------------------------------------


def folded_convolution(chain: Chain, window: int) -> Picture:
    """A line of delays over the inputs, a weight at each tap, and their sum."""
    t, picture = max(1, chain.state.t), Picture("node distance=12mm and 12mm")
    taps = range(window)
    picture.group("Inputs, each one step older than the one before")
    for k in taps:
        letter = chain.letter("x", None) if k == 0 else indexed("x", f"t-{k}")
        body = chain.input(t - k, letter) if t > k else rf"${letter}$\\ $0$"
        picture.node("input", f"x{k}", body, f"right=of x{k - 1}" if k else "")
    for k in taps[1:]:
        picture.style("delay")
        picture.draw("input wire", f"(x{k - 1}) -- node[delay] (delay{k}) {{}} (x{k})")
    picture.group("Weights, and their sum")
    value = chain.run.trace.gates["conv"][t - 1, chain.state.unit]
    picture.node("output", "z", chain.named("conv", t, value, indexed("z", "t")), "above=of x0")
    for k in taps:
        path = "(x0) --" if k == 0 else f"(x{k}.north) |-"
        at = "midway" if k == 0 else "pos=0.25"
        weight = picture.label("weight", f"${indexed('K', k)}$", at)
        picture.draw("output wire", f"{path} {weight} (z)")
    _caption(picture, chain, "below=2mm of x0")
    return widen(picture)
