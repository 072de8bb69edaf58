"""Still pictures of the home page: well-formed, without anything to select, the curve computed."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np
import pytest
from rnnscope.app.diagrams import thumbnails
from rnnscope.app.diagrams.scene import Scene, text, words


@pytest.mark.parametrize(
    "draw",
    [
        thumbnails.unfold_thumbnail,
        thumbnails.gradients_thumbnail,
        thumbnails.bptt_thumbnail,
        thumbnails.lstm_thumbnail,
        thumbnails.gru_thumbnail,
    ],
)
def test_picture_is_well_formed_and_named(draw) -> None:
    root = ElementTree.fromstring(draw())
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert not [part for part in root.iter() if part.get("role") == "button" or part.get("tabindex")]


def test_measured_norms_shrink_although_the_power_grows() -> None:
    norms = thumbnails.measured_norms()
    assert norms.shape == (thumbnails.LAGS + 1,)
    assert norms[0] == pytest.approx(0.0)
    assert norms[-1] < -3 < 3 < thumbnails.LAGS * math.log10(thumbnails.RHO)
    assert np.all(np.isfinite(norms))


def test_the_drawn_curve_is_the_measured_one() -> None:
    root = ElementTree.fromstring(thumbnails.gradients_thumbnail())
    path = next(part.get("d") for part in root.iter() if part.get("class") == "measured")
    points = [tuple(map(float, point.split())) for point in path[1:].split("L")]
    drawn = [norm for norm in thumbnails.measured_norms() if norm >= -5]
    assert [y for _, y in points] == pytest.approx([114 - (norm + 5) / 8 * 106 for norm in drawn], abs=0.006)


def test_text_is_escaped() -> None:
    scene = Scene("a", "thumbnail", 10, 10, [])
    scene.add("label", text(0, 0, words("<script>&")))
    assert "&lt;script&gt;&amp;" in thumbnails.svg_text(scene, '"quoted"')
    ElementTree.fromstring(thumbnails.svg_text(scene, '"quoted"'))
