"""The other patterns of /unfold: output to hidden, a dynamical system, a convolution beside a recurrence."""

from __future__ import annotations

from .chain import (
    Chain,
    draw_inputs,
    draw_outputs,
    draw_recurrence,
    draw_states,
    draw_totals,
    gradient_label,
    pill,
    widen,
)
from .picture import Picture
from .words import indexed


def output_to_hidden(chain: Chain, forced: bool) -> Picture:
    """Each state reads the output before it, or with `forced` the target before it; nothing comes back from that."""
    picture = Picture("node distance=12mm and 18mm")
    draw_states(picture, chain, first=1)
    draw_inputs(picture, chain)
    draw_outputs(picture, chain, chain.steps)
    picture.group("Each step reads the target before it" if forced else "Each step reads the output before it")
    for t in chain.steps[1:]:
        _read(picture, chain, t, forced)
    picture.group("Gradients of the loss, backward")
    for t in chain.steps:
        own = gradient_label(picture, chain.output_gradient(t, "own"), "right")
        picture.draw("backward wire", f"(L{t}.-60) -- {own} (y{t}.60)")
        picture.draw("backward wire", f"(y{t}.-60) -- (h{t}.60)")
    for t in () if forced else reversed(chain.steps[:-1]):
        passed = gradient_label(picture, chain.output_gradient(t, "passed"), "above, pos=0.72")
        picture.draw("backward wire", f"(h{t + 1}.165) -- ++(-5mm, 0) |- {passed} (y{t}.15)")
    draw_totals(picture, chain)
    chain.note(picture, "left=3mm of h1")
    return widen(picture)


def _read(picture: Picture, chain: Chain, t: int, forced: bool) -> None:
    source = f"L{t - 1}.-15" if forced else f"y{t - 1}.-15"
    read = picture.label("weight", f"${chain.weight('W_yh')}$", "pos=0.75")
    lane = "10mm" if forced else "12mm"
    picture.lines.append(rf"\coordinate[left={lane} of h{t}.195] (lane{t});")
    picture.draw("output wire", f"({source}) -| {read} (lane{t}) -- (h{t}.195)")


# --- a dynamical system -----------------------------------------------------------------------


def system(chain: Chain) -> Picture:
    """The states alone, one function from each to the next."""
    picture = Picture("node distance=10mm and 13mm")
    draw_states(picture, chain, letter="s")
    picture.group("One function")
    for t in chain.steps:
        picture.draw("recurrent wire", f"(h{t - 1}) -- {pill(picture, 'f')} (h{t})")
    chain.note(picture, "below=3mm of h0")
    return widen(picture)


# --- a convolution beside a recurrence --------------------------------------------------------


def convolution(chain: Chain, window: int) -> Picture:
    """Every output of a window over the inputs, and under them the chain; what reaches the selected step is dark."""
    picture, t = Picture("node distance=14mm and 13mm"), chain.state.t
    draw_states(picture, chain)
    picture.group("Inputs")
    for k in chain.steps:
        picture.node("input", f"x{k}", chain.input(k), f"above=of h{k}")
    picture.group("Outputs of the convolution")
    convolved = chain.run.trace.gates["conv"]
    for k in chain.steps:
        value = convolved[k - 1, chain.state.unit]
        picture.node("output", f"z{k}", chain.named("conv", k, value, indexed("z", k)), f"above=of x{k}")
    picture.group(f"A window of {window} input{'s' if window > 1 else ''}")
    for k in chain.steps:
        for source in range(max(1, k - window + 1), k + 1):
            picture.draw("output wire" if k == t else "output wire, faint", f"(x{source}) -- (z{k})")
    picture.group("The whole past")
    for k in chain.steps:
        picture.draw("input wire" if k <= t else "input wire, faint", f"(x{k}) -- (h{k})")
    draw_recurrence(picture, chain)
    chain.note(picture, "below=3mm of h0")
    return widen(picture)
