from datetime import date, timedelta

import pytest
from rnnscope.core.training.dates import FIRST_DAY, LAST_DAY, STYLES, read_date

EVERY_DAY = [FIRST_DAY + timedelta(days=i) for i in range((LAST_DAY - FIRST_DAY).days + 1)]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.template)
def test_every_style_is_read_back_to_its_day(style):
    for day in EVERY_DAY[::11]:
        text = style.write(day)
        assert read_date(text) == read_date(text.lower()) == read_date(text.upper()) == day, text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3 October 1998", date(1998, 10, 3)),
        ("October 3rd, 1998", date(1998, 10, 3)),
        ("22nd of May 2001", date(2001, 5, 22)),
        ("Sat, 3 Oct 1998", date(1998, 10, 3)),
        ("3. Oktober 1998", date(1998, 10, 3)),
        ("Samstag, 3. Oktober 1998", date(1998, 10, 3)),
        ("sa, 3. okt 1998", date(1998, 10, 3)),
        ("1. MÄRZ 2000", date(2000, 3, 1)),
        ("03.10.1998", date(1998, 10, 3)),
        ("3.10.98", date(1998, 10, 3)),
        ("10/03/1998", date(1998, 10, 3)),
        ("1998/10/03", date(1998, 10, 3)),
        ("1998-10-03", date(1998, 10, 3)),
        ("1/2/49", date(2049, 1, 2)),
        ("1/2/50", date(1950, 1, 2)),
        ("29.2.2000", date(2000, 2, 29)),
    ],
)
def test_what_people_write_is_read(text, day):
    assert read_date(text) == day


@pytest.mark.parametrize(
    "text",
    [
        "", "yesterday", "3rd October, 1998", "October 3th, 1998", "October 3st, 1998", "Sun, 3 Oct 1998",
        "Sonntag, 3. Oktober 1998", "29.2.2001", "31 June 1998", "13/10/1998", "3 Oktober 1998", "3. October 1998",
        "1/1/1900", "1 January 1949", "1 January 2050", "03 October 1998", " 3.10.98", "3.10.98 ", "0.1.98", "3.10.9",
        "\u0663.10.98",
    ],
)  # fmt: skip
def test_what_no_style_writes_has_no_day(text):
    assert read_date(text) is None
