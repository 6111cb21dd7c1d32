"""Expressions of times in a text that was written on a day."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.nlp.dates import earlier, moment_days, time_expressions

DAY = date(2022, 7, 5)


@pytest.mark.parametrize(
    ("text", "ahead", "expected"),
    [
        ("founded in 1987", False, ("at", "1987", "1987")),
        ("on 31 October 2021", False, ("at", "2021-10-31", "2021-10-31")),
        ("October 31, 2021", False, ("at", "2021-10-31", "2021-10-31")),
        ("since March 2020", False, ("since", "2020-03", "2020-03")),
        ("from 2009 to 2016", False, ("between", "2009", "2016")),
        ("from 17 to 28 January 2022", False, ("between", "2022-01-17", "2022-01-28")),
        ("until the end of May", False, ("until", "2022-05-31", "2022-05-31")),
        ("in the spring of 2022", False, ("at", "2022-03", "2022-05")),
        ("last winter", False, ("at", "2021-12", "2022-02")),
        ("in the first quarter of 2021", False, ("at", "2021-01", "2021-03")),
        ("in the 1990s", False, ("at", "199", "199")),
        ("in the nineties", False, ("at", "199", "199")),
        ("in the first half of 2021", False, ("at", "2021-01", "2021-06")),
        ("by the end of next month", True, ("by", "2022-08-31", "2022-08-31")),
        ("by the autumn", True, ("by", "2022-09", "2022-11")),
        ("until her retirement in May 2019", False, ("until", "2019-05", "2019-05")),
        ("since January", True, ("since", "2022-01", "2022-01")),
        ("a fortnight ago", False, ("at", "2022-06-21", "2022-06-21")),
        ("until at least 2030", True, ("until", "2030", "2030")),
        ("in November", False, ("at", "2021-11", "2021-11")),
        ("in November", True, ("at", "2022-11", "2022-11")),
        ("on Thursday", False, ("at", "2022-06-30", "2022-06-30")),
        ("until Sunday", True, ("until", "2022-07-10", "2022-07-10")),
        ("two weeks ago", False, ("at", "2022-06-21", "2022-06-21")),
        ("next week", True, ("at", "2022-07-11", "2022-07-17")),
        ("before 31 December 2028", True, ("before", "2028-12-31", "2028-12-31")),
        ("since he retired in October 2020", False, ("since", "2020-10", "2020-10")),
    ],
)
def test_an_expression_has_a_sense_and_its_moments(text, ahead, expected):
    (found,) = time_expressions(text, DAY, ahead)
    assert found[2:5] == expected


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("led it for twenty-one years", 252),
        ("in the last five years", 60),
        ("over the past decade", 120),
        ("spent some two and a half years in Oslo", 30),
        ("will stay for the next three years", -36),
    ],
)
def test_a_duration_has_its_length(text, months):
    (found,) = time_expressions(text, DAY)
    assert (found.sense, found.months) == ("for", months)


@pytest.mark.parametrize(
    "text",
    [
        "the fall of Rome",
        "since the fall in prices",
        "until the spring dried up",
        "in the summer house",
        "water of the spring",
        "in her thirties",
        "their mid-thirties",
        "in my late twenties",
        "the forties club",
        "every Monday",
        "every other Monday",
    ],
)
def test_words_of_times_may_name_something_else(text):
    assert time_expressions(text, DAY) == ()


def test_without_a_day_only_what_names_its_year_is_found():
    assert [one.first for one in time_expressions("yesterday, in May, and in 1998")] == ["1998"]


def test_amounts_are_no_years():
    assert time_expressions("It has 1,990 members and paid £2000.") == ()


@given(st.text(max_size=80), st.dates(), st.booleans())
def test_any_text_is_read(text, day, ahead):
    for one in time_expressions(text, day, ahead):
        assert 0 <= one.start < one.end <= len(text)
        first, last = moment_days(one.first, one.last)
        assert one.sense == "for" or (first is not None and last is not None)


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_day_is_found_as_it_is_written(day):
    (found,) = time_expressions(f"on {day.day} {day:%B} {day.year}", DAY)
    assert found.first == found.last == day.isoformat()


def test_a_moment_before_is_as_precise_as_both():
    assert (earlier("2020-05", months=96), earlier("2020", months=12)) == ("2012-05", "2019")
