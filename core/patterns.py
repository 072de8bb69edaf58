"""The design patterns of recurrent networks, each from the weights and inputs of one config.

Hidden-to-hidden recurrence is `run`. Here are the others of Goodfellow et al. 2016, chapter 10: output-to-hidden
(figure 10.4), one output at the end (figure 10.5), the bare dynamical system s_t = f(s_{t-1}; theta) (figure 10.1),
and a causal convolution over time, which shares weights in the other way. Each run speaks the names of `Trace` and
`Gradients`, so that `Equation` prints it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .arrays import Array, checked_integer, read_only
from .build import build_cell, build_initial_state
from .cells import RNN
from .chain import at_hidden, chain_vjp
from .config import RNNConfig, stream
from .convolution import CausalConvolution, convolve
from .last_output import last_output_gradients
from .losses import LOSSES, one_hot
from .output_recurrence import OutputRecurrence, output_recurrence_gradients, run_output_recurrence
from .run import Run
from .unroll import Trace, unroll


@dataclass(frozen=True, eq=False)
class PatternGradients:
    """Gradients of L_1 + … + L_T; arrays are read-only float64, and zero where a pattern has nothing there.

    Attributes
    ----------
    loss : (T,)
    outputs : (T, m)
        dL/dy_t, of all that follows from y_t.
    own, passed : (T, m)
        Its two parts: of the step's own loss, and of what the next step read of y_t.
    states : (T + 1, n)
        dL/dh_t: from_output + from_next.
    preactivations : (T, n)
    from_output, from_next : (T, n), (T + 1, n)
    tiles : (T, n, n) or (T, n, m)
        What the use of the recurrent weight at each step adds to its gradient.
    recurrent : their sum
    """

    loss: Array
    outputs: Array
    own: Array
    passed: Array
    states: Array
    preactivations: Array
    from_output: Array
    from_next: Array
    tiles: Array
    recurrent: Array


@dataclass(frozen=True, eq=False)
class PatternRun:
    """A pattern's network, its run, and its gradients where it has a loss.

    Attributes
    ----------
    network : OutputRecurrence, RNN or CausalConvolution
    trace : Trace
        Of an output recurrence `gates["fed"]` (T, m) holds what each step read of the one before, and h_0, which
        nothing reads, is zero; of a convolution `gates["conv_a"]` and `gates["conv"]` (T, n) its sums and outputs
        beside the states of the recurrence.
    """

    network: Any
    trace: Trace
    targets: Any
    gradients: PatternGradients | None

    @property
    def cell(self) -> Any:
        """The network, by the name that it has in `Run`."""
        return self.network


# --- output to hidden --------------------------------------------------------------------------


def output_network(shown: Run) -> OutputRecurrence:
    """The output-to-hidden network with the U, V, b, c of a run.

    Its W_yh (n, m) is W where all is one number; else N(0, rho² / m), from a stream of its own. A text's outputs
    are passed on as probabilities, softmax(y), which a target can stand in for.
    """
    cell, config = shown.cell, shown.config
    if not isinstance(cell, RNN) or not isinstance(config, RNNConfig) or cell.W_hy is None:
        raise ValueError(f"shown must be the run of an RNN with a read-out, got {type(cell).__name__}")
    feedback = "softmax" if config.loss == "cross_entropy" else "output"
    return OutputRecurrence(cell.W_xh, _back_weights(config), cell.b_h, cell.W_hy, cell.b_y, cell.activation, feedback)  # type: ignore[arg-type]


def _back_weights(config: RNNConfig) -> Array:
    m = config.outputs or 1
    if config.W is not None and m == 1:
        return np.full((1, 1), config.W)
    draw = np.random.default_rng(stream(config.seed, "W_yh")).standard_normal((config.n, m))
    return np.asarray(config.rho * draw / np.sqrt(m))


def output_pattern(shown: Run, forced: bool = False) -> PatternRun:
    """Run the output-to-hidden network on a run's inputs: on its own outputs, or with the targets in their place."""
    network, m = output_network(shown), len(shown.cell.W_hy)  # type: ignore[arg-type]
    classes = shown.config.loss == "cross_entropy"
    teacher = one_hot(shown.targets, m) if classes else shown.targets
    ran = run_output_recurrence(network, shown.trace.xs, teacher if forced else None)
    found = output_recurrence_gradients(network, ran, shown.targets, shown.config.loss)
    own, passed = LOSSES[shown.config.loss][1](ran.ys, teacher), np.zeros_like(ran.ys)
    if not forced:
        passed[:-1] = network.passed_on_vjp(ran.ys[:-1], found.fed[1:])
    states = np.vstack([np.zeros((1, len(network.b_h))), found.hidden])
    tiles = found.preactivations[:, :, None] * ran.fed[:, None, :]
    gradients = PatternGradients(
        loss=found.loss, outputs=found.outputs, own=read_only(own), passed=read_only(passed),
        states=read_only(states), preactivations=found.preactivations, from_output=found.hidden,
        from_next=read_only(np.zeros_like(states)), tiles=read_only(tiles), recurrent=found.parameters["W_yh"],
    )  # fmt: skip
    hs = read_only(np.vstack([np.zeros((1, ran.hs.shape[1])), ran.hs]))
    trace = Trace(ran.xs, hs, None, hs, ran.ys, ran.preactivations, {"fed": ran.fed})
    return PatternRun(network, trace, shown.targets, gradients)


# --- one output at the end ---------------------------------------------------------------------


def last_pattern(shown: Run) -> PatternRun:
    """The network of a run with its last loss alone."""
    cell, trace = shown.cell, shown.trace
    found = last_output_gradients(cell, trace, shown.targets[-1], shown.config.loss)
    outputs = _at_last(found.output, trace.steps)
    from_output = _at_last(found.output @ np.asarray(cell.W_hy), trace.steps)
    from_next = np.array(found.chain.states)
    from_next[-1] = 0.0
    gradients = PatternGradients(
        loss=_at_last(np.asarray(found.loss), trace.steps), outputs=outputs, own=outputs,
        passed=read_only(np.zeros_like(outputs)), states=found.chain.states,
        preactivations=found.chain.preactivations, from_output=from_output, from_next=read_only(from_next),
        tiles=read_only(cell.recurrent_tiles(trace.xs, trace.states[:-1], found.chain.preactivations)),
        recurrent=found.chain.parameters["W_hh"],
    )  # fmt: skip
    return PatternRun(cell, trace, shown.targets, gradients)


def _at_last(last: Array, steps: int) -> Array:
    rows = np.zeros((steps, *np.shape(last)))
    rows[-1] = last
    return read_only(rows)


# --- a dynamical system ------------------------------------------------------------------------


def system_pattern(config: RNNConfig) -> PatternRun:
    """s_t = f(s_{t-1}; theta) with f(s) = phi(W s + b): no input, no output.

    Several units start at N(0, 1), drawn from the stream "start", for with zeros and no bias nothing would move.
    """
    cell = build_cell(replace(config, outputs=None, target=None, loss="squared", V=None, c=None))
    start = build_initial_state(config)
    if start is None:
        start = np.random.default_rng(stream(config.seed, "start")).standard_normal(config.n)
    return PatternRun(cell, unroll(cell, np.zeros((config.T, config.d)), start), None, None)


# --- convolution beside recurrence ---------------------------------------------------------------


def convolution_pattern(shown: Run, width: int) -> PatternRun:
    """A causal convolution of `width` steps beside a run's recurrence, from the same weights.

    Its kernel is K_j = W^j U: what a linear recurrence from h_0 = 0 without bias does with x_{t-j}, cut to a window.
    """
    cell = shown.cell
    if not isinstance(cell, RNN):
        raise ValueError(f"shown must be the run of an RNN, got {type(cell).__name__}")
    kernel = [np.asarray(cell.W_xh)]
    for _ in range(checked_integer("width", width, 1) - 1):
        kernel.append(cell.W_hh @ kernel[-1])
    network = CausalConvolution(np.stack(kernel), cell.b_h, cell.activation)
    ran = convolve([network], shown.trace.xs)
    convolved = {"conv_a": ran.preactivations[0], "conv": ran.values[1]}
    return PatternRun(network, replace(shown.trace, gates=convolved), None, None)


@dataclass(frozen=True, eq=False)
class Reach:
    """How much each input counts for one unit at step t; (t,) norms, x_1 first, of recurrence and convolution."""

    recurrence: Array
    convolution: Array


def input_reach(shown: Run, found: PatternRun, t: int, unit: int) -> Reach:
    """Return ||d h_t[unit] / d x_k|| and ||d conv_t[unit] / d x_k|| for k = 1 … t."""
    xs, states = shown.trace.xs[:t], shown.trace.states[: t + 1]
    seed = np.zeros((checked_integer("t", t, 1, shown.trace.steps), shown.cell.hidden_size))
    seed[-1, unit] = 1.0
    back = chain_vjp(shown.cell, xs, states, at_hidden(shown.cell, seed)).inputs
    window, _ = found.network.vjp(xs, found.trace.gates["conv_a"][:t], seed)
    return Reach(read_only(np.linalg.norm(back, axis=1)), read_only(np.linalg.norm(window, axis=1)))
