"""What each use of W adds to its gradient, as a chart."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import format_number

from ...plots.chart import Chart, Series, over_steps


def uses_chart(lab: Any) -> Chart:
    """A bar a step, of the selected unit; their sum is in the title."""
    (rows, first), (total, _) = lab.arrays()["dW"], lab.arrays()["dW_sum"]
    unit = lab.state.unit
    steps = np.arange(first, first + len(rows))
    bars = Series("uses of W", steps, rows[:, unit], "gradient", "bars", symbol="dW")
    title = f"Gradient of W: {len(rows)} terms, their sum {format_number(float(total[0, unit]))}"
    return over_steps(title, "what one use adds", [bars], lab.state.t)
