"""The bars of /unfold are what each use of W adds, and their sum is the gradient of W."""

import numpy as np
import pytest
from rnnscope.app.export.tikz.uses import uses_chart
from rnnscope.app.labs.unfold import UnfoldLab
from rnnscope.core import format_number


@pytest.mark.parametrize("query", [{}, {"pattern": "last"}, {"pattern": "output"}])
def test_bars_add_up_to_the_gradient(query):
    lab = UnfoldLab(query)
    chart = uses_chart(lab)
    (bars,) = chart.series
    assert bars.line == "bars"
    total = lab.pattern.recurrent_gradient()[1][0]
    assert np.sum(bars.y) == pytest.approx(total)
    assert chart.title.endswith(format_number(total))
