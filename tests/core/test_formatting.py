import numpy as np
import pytest
from rnnscope.core import format_number


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.68996, "0.690"),
        (-0.063444, "−0.0634"),
        (12.34, "12.3"),
        (1.2, "1.20"),
        (999.4, "999"),
        (999.6, "1.0e+3"),
        (0.001, "0.00100"),
        (0.00099996, "0.00100"),
        (0.000999, "1.0e−3"),
        (1.234e38, "1.2e+38"),
        (-3.4e-7, "−3.4e−7"),
        (-1.79e308, "−1.8e+308"),
        (5e-324, "4.9e−324"),
        (0.0, "0"),
        (-0.0, "0"),
        (float("nan"), "NaN"),
        (float("inf"), "∞"),
        (float("-inf"), "−∞"),
    ],
)
def test_three_digits(value, shown):
    assert format_number(value) == shown
    assert format_number(np.float64(value)) == shown
    assert len(shown) <= 9


def test_the_inspector_shows_five_digits():
    assert format_number(0.689961, 5) == "0.68996"
    assert format_number(123.456, 5) == "123.46"
    assert format_number(12345.0, 5) == "1.2e+4"
