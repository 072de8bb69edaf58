"""What holds for every cell, variant, shape and length."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    GRU,
    RNN,
    backward_equations,
    bptt,
    equations,
    jacobian_log10_norms,
    state_jacobian,
    step_jacobians,
    unroll,
)

GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]
KINDS = ["tanh", "relu", "linear", "lstm", *GRUS]

SIZES = st.fixed_dictionaries({"n": st.integers(1, 8), "d": st.integers(1, 8), "m": st.integers(1, 8)})
STEPS = st.integers(1, 20)
SEEDS = st.integers(0, 2**32 - 1)


def drawn_run(make_cell, kind, sizes, T, seed):
    """A cell whose recurrent blocks have a radius of about 1, driven by noise from a drawn state."""
    cell = make_cell(kind, **sizes, seed=seed, scale=1 / np.sqrt(sizes["n"]))
    rng = np.random.default_rng(seed + 1)
    xs = rng.standard_normal((T, sizes["d"]))
    return cell, run_from(cell, xs, rng.standard_normal(cell.state_size)), rng


def run_from(cell, xs, state):
    n = cell.hidden_size
    return unroll(cell, xs, state[:n], state[n:] if cell.state_size > n else None)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(sizes=SIZES, T=STEPS, seed=SEEDS)
def test_the_product_of_step_jacobians_is_the_jacobian_of_the_run(make_cell, slope, kind, sizes, T, seed):
    cell, trace, _ = drawn_run(make_cell, kind, sizes, T, seed)
    if kind == "relu":  # central differences across the kink are not its derivative
        assume(np.abs(trace.preactivations).min() > 1e-4)
    product = np.eye(cell.state_size)
    for J in step_jacobians(cell, trace):
        product = J @ product
    want = slope(lambda state: run_from(cell, trace.xs, state).states[-1], trace.states[0])
    np.testing.assert_allclose(product, want, atol=1e-7 * max(1.0, np.abs(want).max()))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(sizes=SIZES, T=STEPS, seed=SEEDS)
def test_contributions_sum_to_the_gradient(make_cell, kind, sizes, T, seed):
    """Loss by loss: each alone gives its own row of contributions, all together the gradient."""
    cell, trace, rng = drawn_run(make_cell, kind, sizes, T, seed)
    targets = rng.standard_normal(trace.ys.shape)
    full = bptt(cell, trace, targets, "squared")
    names = [
        name for name in ("W_xh", "W_hh", "b_h", "b_hh", "W_hy", "b_y", "states") if getattr(full, name) is not None
    ]
    total = {name: np.zeros_like(getattr(full, name)) for name in names}
    for t in range(T):
        only = trace.ys.copy()
        only[t] = targets[t]
        alone = bptt(cell, trace, only, "squared")
        for name in names:
            total[name] += getattr(alone, name)
        with np.errstate(divide="ignore"):
            norms = np.log10(np.linalg.norm(alone.states[: t + 2], axis=1))
        np.testing.assert_allclose(full.contributions[t + 1, : t + 2], norms, atol=1e-8)
    for name in names:
        want = getattr(full, name)
        np.testing.assert_allclose(total[name], want, atol=1e-12 * max(1.0, np.abs(want).max()), err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(sizes=SIZES, T=STEPS, seed=SEEDS)
def test_vjp_is_the_transposed_jacobian(make_cell, kind, sizes, T, seed):
    cell, trace, rng = drawn_run(make_cell, kind, sizes, T, seed)
    gradient = rng.standard_normal((T, cell.state_size))
    got = cell.vjp(trace.xs, trace.states[:-1], gradient)
    J = step_jacobians(cell, trace)
    np.testing.assert_allclose(got.state, np.einsum("tij,ti->tj", J, gradient), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(sizes=SIZES, T=STEPS, seed=SEEDS)
def test_every_equation_computes_what_trace_and_gradients_hold(make_cell, kind, sizes, T, seed):
    cell, trace, _ = drawn_run(make_cell, kind, sizes, T, seed)
    shown = {"h": trace.hs[1:], "y": trace.ys, "a": trace.preactivations, **trace.gates}
    if trace.cs is not None:
        shown["c"] = trace.cs[1:]
    if cell.gate_names:
        shown |= {f"a{gate}": trace.preactivations[gate] for gate in cell.gate_names}
    gradients = bptt(cell, trace, np.zeros_like(trace.ys), "squared")
    shown |= dict(zip(("dh", "dc"), np.split(gradients.states[1:], [sizes["n"]], axis=1), strict=True))
    if cell.gate_names:
        shown |= {f"da{gate}": array for gate, array in gradients.preactivations.items()}
    else:
        shown["da"] = gradients.preactivations
    for item in {*equations(cell), *backward_equations(cell)}:
        got = [item.evaluate(cell, trace, t, gradients) for t in range(1, T + 1)]
        atol = 1e-12 * max(1.0, np.abs(shown[item.symbol]).max())
        np.testing.assert_allclose(got, shown[item.symbol], rtol=1e-12, atol=atol, err_msg=item.name)


def permuted(cell, order):
    """The same cell with its units renamed."""
    arrays = {"W_hy": cell.W_hy[:, order], "W_hh": cell.W_hh[..., order, :][..., order]}
    arrays |= {"W_xh": cell.W_xh[..., order, :], "b_h": cell.b_h[..., order]}
    if isinstance(cell, GRU) and cell.b_hh is not None:
        arrays["b_hh"] = cell.b_hh[order]
    return replace(cell, **arrays)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(sizes=SIZES, T=STEPS, seed=SEEDS)
def test_a_permutation_of_units_permutes_everything(make_cell, kind, sizes, T, seed):
    cell, trace, rng = drawn_run(make_cell, kind, sizes, T, seed)
    assume(np.abs(trace.states).max() < 100)
    order = rng.permutation(sizes["n"])
    both = np.concatenate([order, order + sizes["n"]]) if cell.state_size > sizes["n"] else order
    renamed = permuted(cell, order)
    again = run_from(renamed, trace.xs, trace.states[0][both])
    close = {"rtol": 1e-9, "atol": 1e-10}
    np.testing.assert_allclose(again.states, trace.states[:, both], **close)
    np.testing.assert_allclose(again.ys, trace.ys, **close)
    J = step_jacobians(cell, trace)[:, both][:, :, both]
    np.testing.assert_allclose(step_jacobians(renamed, again), J, **close)
    targets = rng.integers(sizes["m"], size=T)
    mine, theirs = bptt(cell, trace, targets), bptt(renamed, again, targets)
    np.testing.assert_allclose(theirs.states, mine.states[:, both], **close)
    for name, array in vars(permuted(replace(cell, **gradients_of(mine)), order)).items():
        if name in gradients_of(mine):
            np.testing.assert_allclose(getattr(theirs, name), array, **close, err_msg=name)


def gradients_of(gradients):
    names = ("W_xh", "W_hh", "b_h", "W_hy", "b_y", "b_hh")
    return {name: getattr(gradients, name) for name in names if getattr(gradients, name) is not None}


@pytest.mark.parametrize("reset", ["before", "after"])
@settings(max_examples=25, deadline=None)
@given(sizes=SIZES, T=STEPS, seed=SEEDS)
def test_update_old_is_update_new_with_z_negated(make_cell, reset, sizes, T, seed):
    new, trace, rng = drawn_run(make_cell, f"gru-{reset}-new", sizes, T, seed)
    sign = np.array([-1.0, 1.0, 1.0])[:, None, None]
    turned = {"W_xh": sign * new.W_xh, "W_hh": sign * new.W_hh, "b_h": sign[..., 0] * new.b_h}
    old = replace(new, update="old", **turned)
    again = run_from(old, trace.xs, trace.states[0])
    close = {"rtol": 1e-10, "atol": 1e-11}
    np.testing.assert_allclose(again.hs, trace.hs, **close)
    np.testing.assert_allclose(again.gates["z"], 1 - trace.gates["z"], **close)
    np.testing.assert_allclose(step_jacobians(old, again), step_jacobians(new, trace), **close)
    targets = rng.standard_normal(trace.ys.shape)
    mine, theirs = bptt(new, trace, targets, "squared"), bptt(old, again, targets, "squared")
    np.testing.assert_allclose(theirs.W_hh, sign * mine.W_hh, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(theirs.b_h, sign[..., 0] * mine.b_h, rtol=1e-8, atol=1e-9)


def before_and_after(make_cell, sizes, seed, **weights):
    """The same weights with the reset before and after the product; the latter has b_hh = 0."""
    before = replace(make_cell("gru-before-new", **sizes, seed=seed), **weights)
    return before, replace(before, reset="after", b_hh=np.zeros(sizes["n"]))


def assert_same_run(one, other, xs):
    mine, theirs = unroll(one, xs), unroll(other, xs)
    np.testing.assert_allclose(theirs.hs, mine.hs, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(step_jacobians(other, theirs), step_jacobians(one, mine), rtol=1e-8, atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(sizes=SIZES, T=STEPS, seed=SEEDS)
def test_resets_agree_where_nothing_is_reset(make_cell, sizes, T, seed):
    """r = 1: then b_hh is a second name for the candidate's b_h."""
    before, after = before_and_after(make_cell, sizes, seed)
    open_reset = {name: np.array(getattr(before, name)) for name in ("W_xh", "W_hh", "b_h")}
    for name, value in {"W_xh": 0.0, "W_hh": 0.0, "b_h": 50.0}.items():
        open_reset[name][1] = value
    xs = np.random.default_rng(seed).standard_normal((T, sizes["d"]))
    before, after = replace(before, **open_reset), replace(after, **open_reset)
    assert_same_run(before, after, xs)
    moved = open_reset["b_h"].copy()
    moved[2] = 0.0
    assert_same_run(before, replace(after, b_h=moved, b_hh=before.b_h[2]), xs)


@settings(max_examples=25, deadline=None)
@given(sizes=SIZES, T=STEPS, seed=SEEDS)
def test_resets_agree_where_the_candidates_units_do_not_mix(make_cell, sizes, T, seed):
    """U_g diagonal, and so always for n = 1: r scales rows as it scales columns."""
    before, after = before_and_after(make_cell, sizes, seed)
    W_hh = np.array(before.W_hh)
    W_hh[2] = np.diag(np.diag(W_hh[2]))
    xs = np.random.default_rng(seed).standard_normal((T, sizes["d"]))
    assert_same_run(replace(before, W_hh=W_hh), replace(after, W_hh=W_hh), xs)


@settings(max_examples=25, deadline=None)
@given(n=st.integers(2, 8), T=st.integers(2, 20), seed=SEEDS)
def test_resets_differ_in_general(make_cell, n, T, seed):
    before, after = before_and_after(make_cell, {"n": n, "d": 2, "m": 1}, seed)
    xs = np.random.default_rng(seed).standard_normal((T, 2))
    apart = np.abs(unroll(before, xs).hs - unroll(after, xs).hs)
    assert not apart[:2].any()  # from h = 0 the first step has nothing to reset
    assert apart[2].max() > 1e-9


@settings(max_examples=25, deadline=None)
@given(kind=st.sampled_from(KINDS), sizes=SIZES, T=STEPS, seed=SEEDS)
def test_a_row_of_norms_is_that_of_the_product(make_cell, kind, sizes, T, seed):
    cell, trace, _ = drawn_run(make_cell, kind, sizes, T, seed)
    row = jacobian_log10_norms(cell, trace, t=T)
    matrix, exponent = state_jacobian(cell, trace, T, 0)
    with np.errstate(divide="ignore"):
        want = np.log10(np.linalg.norm(matrix, 2)) + exponent * np.log10(2)
    np.testing.assert_allclose(row[0], want, atol=1e-8)
    assert isinstance(cell, RNN) or np.isfinite(row).all()
