"""Literals in the forms of XML Schema."""

from __future__ import annotations

from datetime import date

import pytest

from tupelo.graph.store.values import typed_value


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (date(2004, 2, 29), date(2004, 2, 29), ("2004-02-29", "date")),
        (date(2004, 2, 1), date(2004, 2, 29), ("2004-02", "gYearMonth")),
        (date(2004, 1, 1), date(2004, 12, 31), ("2004", "gYear")),
        (date(2000, 1, 1), date(2009, 12, 31), ("words", None)),
        (date(2004, 2, 1), date(2004, 3, 31), ("words", None)),
    ],
)
def test_a_day_a_month_and_a_year_have_a_type_and_longer_times_none(first, last, expected):
    assert typed_value("words", None, None, first, last) == expected


@pytest.mark.parametrize(
    ("number", "unit", "expected"),
    [
        (4200.0, None, ("4200", "decimal")),
        (-0.5, None, ("-0.5", "decimal")),
        (1e15, None, ("1000000000000000", "decimal")),
        (4.0, "km", ("words", None)),
        (float("inf"), None, ("words", None)),
        (None, None, ("words", None)),
    ],
)
def test_a_number_has_a_type_unless_it_has_a_unit(number, unit, expected):
    assert typed_value("words", number, unit, None, None) == expected
