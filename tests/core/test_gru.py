import numpy as np
import pytest
from rnnscope.core import (
    GRU,
    LSTM,
    GRUConfig,
    bptt,
    clip_by_global_norm,
    gradient_log10_norms,
    jacobian_log10_norms,
    lyapunov_exponents,
    run,
    step_jacobians,
    unroll,
)

CLOSE = {"rtol": 1e-11, "atol": 1e-13}
FULL = ["reset_after__z_keeps", "reset_before__z_keeps"]
VARIANTS = [*FULL, "reset_after__z_updates", "reset_before__z_updates"]
GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]


def stored_cell(p, variant):
    """The stored weights; with reset before, both candidate biases stand outside and add up."""
    reset = "after" if "after" in variant else "before"
    W_hh, W_xh = (np.array([p[letter + gate] for gate in "zrn"]) for letter in "WU")
    b_h = np.array([p["bz"], p["br"], p["bn"]])
    if reset == "before":
        b_h[2] += p["bhn"]
    b_hh = p["bhn"] if reset == "after" else None
    return GRU(W_xh, W_hh, b_h, p["V"], p["c"], reset, b_hh, "old" if variant.endswith("keeps") else "new")


def stored_run(load, variant):
    stored = load("gru_small")
    cell = stored_cell(stored["params"], variant)
    return stored, stored["variants"][variant], cell, unroll(cell, stored["x"], stored["h0"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_states_jacobians_and_products_agree_with_stored_answers(load, variant):
    _, known, cell, trace = stored_run(load, variant)
    np.testing.assert_allclose(trace.states, known["states"], **CLOSE)
    J = step_jacobians(cell, trace)
    np.testing.assert_allclose(J[: len(known["J"])], known["J"], **CLOSE)
    row = jacobian_log10_norms(cell, trace, t=12)
    np.testing.assert_allclose(row, np.log10(known["prod_T_k_spectral"]), atol=1e-10)


@pytest.mark.parametrize("variant", FULL)
def test_gates_and_gradients_agree_with_stored_answers(load, variant):
    stored, known, cell, trace = stored_run(load, variant)
    for ours, theirs in {"z": "z", "r": "r", "g": "n"}.items():
        np.testing.assert_allclose(trace.gates[ours], known["gates"][theirs], **CLOSE)
    gradients = bptt(cell, trace, stored["y"])
    np.testing.assert_allclose(gradients.loss, known["nll"], **CLOSE)
    assert gradients.loss.sum() == pytest.approx(known["loss_sum"], rel=1e-11)
    np.testing.assert_allclose(gradients.states, known["dLsum_dstate"], **CLOSE)
    for name, want in stored_gradients(known["dLsum_dparam"]).items():
        np.testing.assert_allclose(getattr(gradients, name), want, **CLOSE, err_msg=name)
    inner = gradients.b_hh if cell.reset == "after" else gradients.b_h[2]
    np.testing.assert_allclose(inner, known["dLsum_dparam"]["bhn"], **CLOSE)


def stored_gradients(known):
    by_letter = {"W_hh": "W", "W_xh": "U", "b_h": "b"}
    blocks = {name: [known[letter + gate] for gate in "zrn"] for name, letter in by_letter.items()}
    return blocks | {"W_hy": known["V"], "b_y": known["c"]}


@pytest.mark.parametrize("variant", FULL)
def test_last_loss_and_frobenius_norms_agree_with_stored_answers(load, variant):
    stored, known, cell, trace = stored_run(load, variant)
    gradients = bptt(cell, trace, stored["y"])
    want = np.log10(known["dLlast_dstate_norm"])
    np.testing.assert_allclose(gradients.contributions[12], want, atol=1e-10)
    np.testing.assert_allclose(gradient_log10_norms(cell, trace, gradients.from_output[-1]), want, atol=1e-10)
    row = jacobian_log10_norms(cell, trace, "frobenius", t=12)
    np.testing.assert_allclose(row, np.log10(known["prod_T_k_fro"]), atol=1e-10)


@pytest.mark.parametrize("variant", FULL)
def test_the_global_norm_counts_every_parameter(load, variant):
    """The stored norm counts the candidate's second bias as well, with reset before too."""
    stored, known, cell, trace = stored_run(load, variant)
    gradients = bptt(cell, trace, stored["y"])
    clipped, norm = clip_by_global_norm(gradients, 1e-3)
    twice = 0.0 if cell.reset == "after" else gradients.b_h[2] @ gradients.b_h[2]
    assert np.sqrt(norm**2 + twice) == pytest.approx(known["dLsum_global_norm_params"], rel=1e-11)
    assert clip_by_global_norm(clipped, 1.0)[1] == pytest.approx(1e-3, rel=1e-12)
    assert (clipped.b_hh is None) == (cell.b_hh is None)


@pytest.mark.parametrize("kind", GRUS)
def test_trace_holds_what_the_contract_names(kind, make_cell):
    cell = make_cell(kind)
    trace = unroll(cell, np.ones((4, 2)), h0=[1, 2, 3])
    assert list(trace.gates) == list(trace.preactivations) == ["z", "r", "g"]
    assert trace.cs is None
    np.testing.assert_array_equal(trace.states, trace.hs)
    for gate, function in {"z": lambda a: 1 / (1 + np.exp(-a)), "g": np.tanh}.items():
        np.testing.assert_allclose(trace.gates[gate], function(trace.preactivations[gate]), rtol=1e-14)
    with pytest.raises(ValueError, match="c0 must be None for GRU"):
        unroll(cell, np.ones((4, 2)), c0=[1, 2, 3])


@pytest.mark.parametrize("kind", GRUS)
def test_exponents_sum_to_the_mean_log_determinant(kind, make_cell):
    cell = make_cell(kind)
    trace = unroll(cell, np.random.default_rng(3).standard_normal((30, 2)))
    _, logarithms = np.linalg.slogdet(step_jacobians(cell, trace))
    assert lyapunov_exponents(cell, trace).sum() == pytest.approx(logarithms.mean(), rel=1e-10)


@pytest.mark.parametrize(("update", "bias"), [("new", -50.0), ("old", 50.0)])
def test_a_saturated_update_gate_keeps_the_state(update, bias):
    cell = GRU(np.zeros((3, 1, 1)), np.ones((3, 1, 1)), [[bias], [0], [1]], update=update)
    trace = unroll(cell, np.ones((30, 1)), h0=[0.7])
    np.testing.assert_allclose(trace.hs, 0.7, rtol=1e-14)
    np.testing.assert_allclose(step_jacobians(cell, trace), 1.0, rtol=1e-14)


@pytest.mark.parametrize("reset", ["before", "after"])
def test_extreme_preactivations_do_not_warn(reset):
    cell = GRU(np.full((3, 1, 1), 800.0), np.ones((3, 1, 1)), np.zeros((3, 1)), reset=reset)
    trace = unroll(cell, np.array([[1.0], [-1.0]]))
    assert trace.gates["z"].ravel().tolist() == [1.0, 0.0]
    assert np.isfinite(cell.jacobian(trace.xs, trace.states[:-1])).all()


@pytest.mark.parametrize("kind", GRUS)
@pytest.mark.parametrize("T", [0, 1])
def test_short_runs(kind, T, make_cell):
    cell = make_cell(kind, n=1, m=1)
    trace = unroll(cell, np.ones((T, 2)))
    gradients = bptt(cell, trace, np.zeros((T, 1)), "squared")
    assert step_jacobians(cell, trace).shape == (T, 1, 1)
    assert gradients.W_hh_steps.shape == (T, 3, 1, 1)
    assert (gradients.b_hh is not None) == (cell.reset == "after")


def test_parameter_count_is_three_quarters_of_an_lstm():
    for n, d in [(1, 1), (3, 2), (8, 5)]:
        shapes = [(n, d), (n, n), (n,)]
        gru, lstm = ([np.ones((blocks, *shape)) for shape in shapes] for blocks in (3, 4))
        assert LSTM(*lstm).parameter_count == 4 * (n * d + n * n + n)
        assert 4 * GRU(*gru).parameter_count == 3 * LSTM(*lstm).parameter_count
        after = GRU(*gru, reset="after", b_hh=np.ones(n), W_hy=np.ones((2, n)))
        assert after.parameter_count == 3 * (n * d + n * n + n) + n + 2 * n + 2


def test_sizes_and_read_only_copies():
    cell = GRU(np.ones((3, 4, 2)), np.ones((3, 4, 4)), np.ones((3, 4)), reset="after", b_hh=[1, 2, 3, 4])
    assert (cell.hidden_size, cell.input_size, cell.output_size, cell.state_size) == (4, 2, None, 4)
    with pytest.raises(ValueError, match="read-only"):
        cell.b_hh[0] = 0.0
    assert GRU(cell.W_xh.astype(np.float32), cell.W_hh, cell.b_h).W_xh.dtype == np.float64


def test_a_gru_without_inputs_runs_alone():
    cell = GRU(np.zeros((3, 2, 0)), np.zeros((3, 2, 2)), np.zeros((3, 2)))
    trace = unroll(cell, np.zeros((3, 0)), h0=[1.0, -2.0])
    assert trace.hs[3].tolist() == [0.125, -0.25]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"W_hh": np.ones((4, 4, 4))}, r"W_hh must be \(3, any, any\), got \(4, 4, 4\)"),
        ({"W_xh": np.ones((3, 3, 2))}, r"W_xh must be \(3, 4, any\), got \(3, 3, 2\)"),
        ({"b_h": np.ones(12)}, r"b_h must be \(3, 4\), got \(12,\)"),
        ({"b_h": np.full((3, 4), np.nan)}, "b_h must be finite, got nan"),
        ({"reset": "during"}, "reset must be one of before, after, got 'during'"),
        ({"update": "z"}, "update must be one of new, old, got 'z'"),
        ({"b_hh": np.ones(4)}, 'b_hh must be None with reset="before"'),
        ({"reset": "after", "b_hh": np.ones(3)}, r"b_hh must be \(4,\), got \(3,\)"),
        ({"reset": "after", "b_hh": [1, 2, np.inf, 4]}, r"b_hh must be finite, got inf at index \[2\]"),
    ],
)
def test_gru_refuses_and_says_why(change, message):
    good = {"W_xh": np.ones((3, 4, 2)), "W_hh": np.ones((3, 4, 4)), "b_h": np.ones((3, 4))}
    GRU(**good)
    with pytest.raises(ValueError, match=message):
        GRU(**(good | change))


@pytest.mark.parametrize("reset", ["before", "after"])
@pytest.mark.parametrize("update", ["new", "old"])
def test_run_of_a_config(reset, update):
    config = GRUConfig(n=4, d=3, T=6, outputs=2, seed=5, reset=reset, update=update, family="orthogonal")
    result = run(config)
    cell = result.cell
    assert (cell.reset, cell.update) == (reset, update)
    assert (cell.b_hh is None) == (reset == "before")
    assert not cell.b_h.any()
    for block in cell.W_hh:
        np.testing.assert_allclose(block @ block.T, 0.81 * np.eye(4), atol=1e-14)
    assert not np.allclose(cell.W_hh[0], cell.W_hh[1])
    assert result.gradients.W_hh.shape == (3, 4, 4)
    other = run(GRUConfig(n=4, d=3, T=6, outputs=2, seed=5, family="orthogonal")).cell
    np.testing.assert_array_equal(cell.W_xh, other.W_xh)


def test_a_config_refuses_unknown_variants():
    with pytest.raises(ValueError, match="reset must be one of before, after, got 'no'"):
        GRUConfig(n=1, d=1, T=1, reset="no")
    with pytest.raises(ValueError, match="update must be one of new, old, got 'no'"):
        GRUConfig(n=1, d=1, T=1, update="no")
