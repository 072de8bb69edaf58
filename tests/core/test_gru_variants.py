import numpy as np
import pytest
from rnnscope.core import (
    GRUConfig,
    gru_wires,
    run,
    unroll,
    variant_differences,
    with_negated_update,
    with_other_reset,
)

VARIANTS = [(reset, update) for reset in ("before", "after") for update in ("new", "old")]
EXACT = {"rtol": 1e-13, "atol": 1e-15}


@pytest.fixture
def drawn(make_cell):
    """A cell of a variant and its run; its b_hh is not 0."""

    def draw(reset, update, n=3):
        cell = make_cell(f"gru-{reset}-{update}", n=n, d=2, seed=4)
        return cell, unroll(cell, np.random.default_rng(5).standard_normal((6, 2)), np.linspace(-0.5, 0.7, n))

    return draw


@pytest.mark.parametrize(("reset", "update"), VARIANTS)
def test_the_wires_add_up_to_the_state_and_to_the_candidate(reset, update, drawn):
    cell, trace = drawn(reset, update)
    wires, gates = gru_wires(cell, trace), trace.gates
    np.testing.assert_allclose(wires["zh"] + wires["zg"], trace.hs[1:], **EXACT)
    np.testing.assert_array_equal(wires["keep"], 1 - gates["z"])
    enters = wires["Uhg" if reset == "before" else "rh"]
    np.testing.assert_allclose(trace.xs @ cell.W_xh[2].T + enters + cell.b_h[2], trace.preactivations["g"], **EXACT)
    kept = wires["keep"] if update == "new" else gates["z"]
    np.testing.assert_array_equal(wires["zh"], kept * trace.hs[:-1])


def test_each_variant_has_its_own_product(drawn):
    cell, trace = drawn("before", "new")
    np.testing.assert_array_equal(gru_wires(cell, trace)["rh"], trace.gates["r"] * trace.hs[:-1])
    cell, trace = drawn("after", "new")
    inner = gru_wires(cell, trace)["Uhg"]
    np.testing.assert_allclose(inner, trace.hs[:-1] @ cell.W_hh[2].T + cell.b_hh, **EXACT)
    np.testing.assert_array_equal(gru_wires(cell, trace)["rh"], trace.gates["r"] * inner)


@pytest.mark.parametrize(("reset", "update"), VARIANTS)
def test_negating_the_blocks_of_z_undoes_the_other_update(reset, update, drawn):
    cell, trace = drawn(reset, update)
    turned = with_negated_update(cell)
    assert (turned.update, turned.reset) == ("old" if update == "new" else "new", reset)
    seen = variant_differences(cell, trace, 3)
    assert seen.negated == np.abs(unroll(turned, trace.xs, trace.hs[0]).hs - trace.hs).max() < 1e-14
    assert seen.update > 0.05
    np.testing.assert_array_equal(with_negated_update(turned).W_hh, cell.W_hh)


@pytest.mark.parametrize("update", ["new", "old"])
def test_the_other_reset_is_another_function(update, drawn):
    cell, trace = drawn("before", update)
    other = with_other_reset(cell)
    seen = variant_differences(cell, trace, 3)
    assert seen.reset_step == np.abs(other.step(trace.xs[2], trace.hs[2]) - trace.hs[3]).max() > 1e-3
    assert seen.reset == np.abs(unroll(other, trace.xs, trace.hs[0]).hs - trace.hs).max() > 1e-3
    assert (other.reset, with_other_reset(other).b_hh) == ("after", None)


@pytest.mark.parametrize("config", [{"n": 1}, {"n": 4, "family": "identity"}])
def test_with_a_diagonal_matrix_the_place_of_the_reset_is_no_matter(config):
    found = run(GRUConfig(d=1, T=8, sigma_in=1.0, **config))
    seen = variant_differences(found.cell, found.trace, 8)
    assert max(seen.reset, seen.reset_step) < 1e-15
    assert seen.update > 0.01


@pytest.mark.parametrize("t", [0, 7])
def test_a_step_outside_the_run_is_refused(t, drawn):
    with pytest.raises(ValueError, match=f"t must be an integer in 1 … 6, got {t}"):
        variant_differences(*drawn("before", "new"), t)
