"""The film strip as the page takes it: frames, packed heat maps, ellipses and sentences, all from core's numbers."""

import dataclasses
import json
import re

import numpy as np
import pytest
from rnnscope.app import GradientLab
from rnnscope.app.labs import film_numbers
from rnnscope.app.theme import ASSETS
from rnnscope.core import (
    LSTMConfig,
    perturbation_ellipses,
    run,
    span_svd,
    state_jacobian,
    step_jacobians,
    step_spectrum,
)

MOST_BYTES = 400_000


def asked(query):
    """The lab and what its page gets when it asks for the film: arrays by name, texts."""
    lab = GradientLab(query)
    lab._answer({"action": "detail", "sequence": 1, "names": ["film"]})
    frame = json.loads(lab.view.frame["json"])
    assert (frame["kind"], frame["notices"]) == ("detail", [])
    data = lab.view.frame["data"]
    arrays = {
        name.removeprefix("film/"): (data[at : at + rows * columns].reshape(rows, columns), first)
        for name, (at, rows, columns, first) in frame["arrays"].items()
    }
    return lab, arrays, frame["texts"]["film"]


def words(phrase):
    return "".join(word["text"] for word in phrase)


def unpacked(row, side):
    return np.ascontiguousarray(row).view(np.uint8)[: side * side].reshape(side, side)


QUERIES = [
    ({}, 90, 100),
    ({"n": "2", "T": "30", "t": "30", "lag": "30"}, 0, 30),
    ({"n": "64", "T": "200", "t": "180", "lag": "150"}, 30, 180),
    ({"t": "4", "lag": "10"}, 0, 4),
    ({"preset": "radius-is-not-norm"}, 31, 100),
]


@pytest.mark.parametrize(("query", "k", "t"), QUERIES)
def test_the_film_is_cores_own(query, k, t):
    lab, arrays, _ = asked(query)
    cell, trace = lab.run.cell, lab.run.trace
    product, ellipses = span_svd(cell, trace, k, t), perturbation_ellipses(cell, trace, k, t)
    np.testing.assert_array_equal(arrays["span_log10"][0][:, 0], product.log10_values)
    np.testing.assert_array_equal(arrays["span_sigma"][0][:, 0], np.ldexp(product.values, product.exponent))
    table, first = arrays["ellipses"]
    assert first == k
    np.testing.assert_array_equal(table[:, :2], ellipses.semi_axes)
    np.testing.assert_array_equal(table[:, 2:4], ellipses.log10_semi_axes)
    np.testing.assert_array_equal(table[:, 4], ellipses.angles)
    np.testing.assert_array_equal(arrays["J_span"][0], np.ldexp(*state_jacobian(cell, trace, t, k)))
    np.testing.assert_allclose(arrays["J_step"][0], step_jacobians(cell, trace)[t - 1], rtol=1e-14)


@pytest.mark.parametrize(("query", "k", "t"), QUERIES)
def test_frames_are_steps_of_the_span_newest_last_and_never_more_than_fit(query, k, t):
    lab, arrays, texts = asked(query)
    steps = arrays["steps"][0][:, 0].astype(int)
    every = -(-(t - k) // 24)
    assert steps.tolist() == list(range(t, k, -every))[::-1]
    assert ("Every " in words(texts["strip_note"])) == (every > 1)
    for i, step in enumerate(steps):
        found = step_spectrum(lab.run.cell, lab.run.trace, step)
        np.testing.assert_array_equal(arrays["sigmas"][0][i], found.singular_values)
        pairs = arrays["eigenvalues"][0][i].reshape(-1, 2)
        np.testing.assert_array_equal(pairs[:, 0] + 1j * pairs[:, 1], found.eigenvalues)
        assert arrays["log10_det"][0][i, 0] == found.log10_det
        assert arrays["sigma_max"][0][i, 0] == found.singular_values[0]
        assert arrays["radius"][0][i, 0] == abs(found.eigenvalues[0])


def test_the_scales_of_the_frames_hold_what_they_show():
    _, arrays, texts = asked({"rho": "2.5", "sigma_in": "0.1", "activation": "linear", "lag": "5"})
    strip = texts["strip"]
    assert strip["reach"] > arrays["radius"][0].max()
    assert strip["top"] > arrays["sigma_max"][0].max()
    assert f"{strip['reach']:g}" in words(texts["strip_note"])
    assert f"{strip['top']:g}" in words(texts["strip_note"])


def test_an_answer_stays_small():
    lab, _, _ = asked({"n": "64", "T": "200", "t": "200", "lag": "200"})
    assert lab.view.frame["data"].nbytes < MOST_BYTES


# --- any cell --------------------------------------------------------------------------------


def test_a_large_state_is_shown_by_its_largest_entries_and_stays_small(monkeypatch):
    lab, _, _ = asked({})
    found = run(LSTMConfig(n=64, d=1, T=100, input="noise"))
    monkeypatch.setattr(lab, "run", found)
    lab._answer({"action": "detail", "sequence": 2, "names": ["film"]})
    frame = json.loads(lab.view.frame["json"])
    texts = frame["texts"]["film"]
    assert lab.view.frame["data"].nbytes < MOST_BYTES
    assert texts["strip"]["side"] == 64
    assert "A cell is the largest of 2 × 2 entries." in words(texts["strip_note"])
    assert "s is the whole state, [h; c]" in words(texts["summary"])
    assert words(texts["span_caption"]) == "∂s / ∂s, 10 steps"


def test_a_block_is_shown_by_its_entry_of_largest_modulus():
    matrix = np.zeros((65, 65))
    matrix[0, 1], matrix[1, 0], matrix[64, 64] = 0.5, -2.0, 7.0
    small = film_numbers.thumbnail(matrix)
    assert small.shape == (33, 33)
    assert (small[0, 0], small[32, 32], np.count_nonzero(small)) == (-2.0, 7.0, 2)


def test_packed_cells_are_the_steps_of_the_pages_scale():
    values = [0, 9.9e-4, 1e-3, -1e-3, 0.05, -0.5, 0.1, 1.0, 5.0, -10.0, 1e9, np.inf, -np.inf, np.nan, -1e-9, 99]
    steps = unpacked(film_numbers.packed(np.reshape(values, (4, 4))), 4).ravel() - 5.0
    assert steps.tolist() == [0, 0, 1, -1, 2, -3, 3, 4, 4, -5, 5, 5, -5, 0, 0, 5]
    source = (ASSETS / "js" / "heat.js").read_text("utf-8")
    assert int(re.search(r"steps: (\d+)", source)[1]) == len(film_numbers.DECADES)


def test_packed_cells_never_spell_a_number_that_is_not_finite():
    for value in (-100.0, 100.0, np.nan, 0.0):
        assert np.isfinite(film_numbers.packed(np.full((3, 3), value))).all()


# --- what it says ----------------------------------------------------------------------------

SENTENCES = [
    ({"lag": "0"}, "The span is empty: k = t"),
    ({"t": "0"}, "The span is empty: k = t"),
    ({"rho": "0"}, "the product is exactly 0: no perturbation is left"),
    ({"preset": "identity-relu"}, "the leading direction keeps its length, 1.00"),
    ({"preset": "radius-is-not-norm"}, "the leading direction grows to 1.3e+4"),
    ({"lag": "1"}, "Over 1 step, from 99 to 100, "),
    ({"rho": "3", "activation": "linear", "lag": "3"}, "outside the unit circle"),
]


@pytest.mark.parametrize(("query", "says"), SENTENCES)
def test_the_sentence_says_what_the_span_does(query, says):
    assert says in words(asked(query)[2]["summary"])


def test_two_units_are_exact_and_more_are_a_plane():
    assert words(asked({"n": "2"})[2]["ellipse_note"]) == "Exact: the state has two units."
    assert "two leading directions" in words(asked({"n": "3"})[2]["ellipse_note"])


def test_a_product_too_small_for_its_map_is_said():
    assert "No entry of the product reaches 0.001." in words(asked({"lag": "100"})[2]["heats"])
    assert "reaches" not in words(asked({"lag": "1"})[2]["heats"])


def test_jacobians_that_are_not_finite_are_a_sentence(monkeypatch):
    lab, _, _ = asked({"n": "4", "T": "20", "t": "20"})
    hs = np.array(lab.run.trace.hs)
    hs[15] = np.nan
    trace = dataclasses.replace(lab.run.trace, hs=hs, states=hs)
    monkeypatch.setattr(lab, "run", dataclasses.replace(lab.run, trace=trace))
    lab._answer({"action": "detail", "sequence": 2, "names": ["film"]})
    frame = json.loads(lab.view.frame["json"])
    assert "From step 11 to step 20 the Jacobians are not finite" in words(frame["texts"]["film"]["summary"])


def test_a_moved_brush_makes_the_film_stale_and_meets_known_steps(monkeypatch):
    lab, _, _ = asked({})
    lab._answer({"action": "set", "sequence": 2, "values": {"t": "98", "lag": "12"}})
    assert "film" in json.loads(lab.view.frame["json"])["stale"]
    computed, real = [], step_spectrum
    monkeypatch.setattr(
        "rnnscope.app.labs.film.step_spectrum", lambda *given: computed.append(given[2]) or real(*given)
    )
    lab._answer({"action": "detail", "sequence": 3, "names": ["film"]})
    assert computed == [87, 88, 89, 90]
    lab._answer({"action": "set", "sequence": 4, "values": {"rho": "1.2"}})
    lab._answer({"action": "detail", "sequence": 5, "names": ["film"]})
    assert len(computed) == 4 + 12
