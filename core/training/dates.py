"""Dates as people write them, in English and German: each style is one template, which writes and reads.

Case does not matter. Which of two numbers is the month, the punctuation says: with slashes the month comes first
(10/03/1998, as in the United States) unless the year does (1998/10/03), with points the day (03.10.1998, as in
Germany). A year of two digits is one of 1950 … 2049, and these are all the years there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

FIRST_DAY, LAST_DAY = date(1950, 1, 1), date(2049, 12, 31)

ENGLISH_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
GERMAN_MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
ENGLISH_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
GERMAN_DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")


@dataclass(frozen=True)
class DateStyle:
    """One way to write a date: fields in braces, everything else as it stands.

    {d} {dd} {m} {mm} {yy} {yyyy}: numbers, doubled letters with leading zeros; {th}: the ordinal's ending; {month}
    {mon} and {weekday} {wd}: names of `language` and their first three letters (German weekdays: two).
    """

    template: str
    language: str = "en"

    def write(self, day: date) -> str:
        """Write a day in this style."""
        months, days, letters = _NAMES[self.language]
        month, weekday = months[day.month - 1], days[day.weekday()]
        return self.template.format(
            d=day.day,
            dd=f"{day.day:02d}",
            m=day.month,
            mm=f"{day.month:02d}",
            yy=f"{day.year % 100:02d}",
            yyyy=day.year,
            th=_ending(day.day),
            month=month,
            mon=month[:3],
            weekday=weekday,
            wd=weekday[:letters],
        )

    def read(self, text: str) -> date | None:
        """Return the day that this style writes as `text`, in whatever case; None where there is none."""
        match = self._pattern.fullmatch(text.lower())
        day = None if match is None else self._day(match.groupdict())
        return day if day is not None and self.write(day).lower() == text.lower() else None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """The template in lower case, a group for each field; generous, since `read` writes the day again."""
        parts = re.split(r"\{(\w+)\}", self.template.lower())
        literals = [re.escape(part) for part in parts[::2]]
        groups = [f"(?P<{name}>[0-9]+)" if name in _NUMBERS else f"(?P<{name}>[a-zä]+)" for name in parts[1::2]]
        both = [piece for pair in zip(literals, [*groups, ""], strict=True) for piece in pair]
        return re.compile("".join(both))

    def _day(self, fields: Mapping[str, str]) -> date | None:
        try:
            return date(_year(fields), self._month(fields), int(fields.get("d") or fields["dd"]))
        except ValueError:  # 31 February, a month without a name, a year out of the window
            return None

    def _month(self, fields: Mapping[str, str]) -> int:
        number = fields.get("m") or fields.get("mm")
        if number:
            return int(number)
        name = (fields.get("month") or fields["mon"]).lower()
        return [month.lower()[: len(name)] for month in _NAMES[self.language][0]].index(name) + 1


_NAMES = {"en": (ENGLISH_MONTHS, ENGLISH_DAYS, 3), "de": (GERMAN_MONTHS, GERMAN_DAYS, 2)}
_NUMBERS = frozenset({"d", "dd", "m", "mm", "yy", "yyyy"})

STYLES = (
    DateStyle("{d} {month} {yyyy}"),
    DateStyle("{month} {d}, {yyyy}"),
    DateStyle("{month} {d}{th}, {yyyy}"),
    DateStyle("{d}{th} of {month} {yyyy}"),
    DateStyle("{wd}, {d} {mon} {yyyy}"),
    DateStyle("{mon} {d}, {yyyy}"),
    DateStyle("{mm}/{dd}/{yyyy}"),
    DateStyle("{m}/{d}/{yy}"),
    DateStyle("{yyyy}/{mm}/{dd}"),
    DateStyle("{yyyy}-{mm}-{dd}"),
    DateStyle("{d}. {month} {yyyy}", "de"),
    DateStyle("{weekday}, {d}. {month} {yyyy}", "de"),
    DateStyle("{wd}, {d}. {mon} {yyyy}", "de"),
    DateStyle("{dd}.{mm}.{yyyy}", "de"),
    DateStyle("{d}.{m}.{yyyy}", "de"),
    DateStyle("{d}.{m}.{yy}", "de"),
)


def read_date(text: str) -> date | None:
    """Return the day that one of the styles writes as `text`, in whatever case; None where none does."""
    found = (style.read(text) for style in STYLES)
    return next((day for day in found if day is not None), None)


def _year(fields: Mapping[str, str]) -> int:
    if "yyyy" in fields:
        year = int(fields["yyyy"])
    else:
        short = int(fields["yy"])
        year = short + (FIRST_DAY.year // 100 * 100 if short >= FIRST_DAY.year % 100 else LAST_DAY.year // 100 * 100)
    if not FIRST_DAY.year <= year <= LAST_DAY.year:
        raise ValueError(f"year must be in {FIRST_DAY.year} … {LAST_DAY.year}, got {year}")
    return year


def _ending(number: int) -> str:
    """st, nd, rd or th of an ordinal 1 … 31; eleventh to thirteenth take th."""
    return "th" if number in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
