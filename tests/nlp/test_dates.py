from __future__ import annotations

from datetime import date

import pytest

from tupelo.nlp.dates import anchored_days, time_expressions

WEDNESDAY = date(2024, 3, 6)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("today", "2024-03-06", "2024-03-06"),
        ("Tomorrow", "2024-03-07", "2024-03-07"),
        ("the day before yesterday", "2024-03-04", "2024-03-04"),
        ("last week", "2024-02-26", "2024-03-03"),
        ("next weekend", "2024-03-16", "2024-03-17"),
        ("next month", "2024-04-01", "2024-04-30"),
        ("last year", "2023-01-01", "2023-12-31"),
        ("last Friday", "2024-03-01", "2024-03-01"),
        ("next Wednesday", "2024-03-13", "2024-03-13"),
        ("three days ago", "2024-03-03", "2024-03-03"),
        ("in two weeks", "2024-03-20", "2024-03-20"),
        ("a month ago", "2024-02-01", "2024-02-29"),
        ("on 3 May", "2024-05-03", "2024-05-03"),
        ("Dec. 24th", "2023-12-24", "2023-12-24"),
        ("May 3 last year", "2023-05-03", "2023-05-03"),
        ("3 January next year", "2025-01-03", "2025-01-03"),
        ("January last year", "2023-01-01", "2023-01-31"),
        ("from 3 May to 5 May", "2024-05-03", "2024-05-05"),
        ("between 20 December and 3 January", "2023-12-20", "2024-01-03"),
        ("3-5 May", "2024-05-03", "2024-05-05"),
    ],
)
def test_times_that_count_from_a_day(text, first, last):
    assert anchored_days(text, WEDNESDAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text", ["3 May 2020", "Feb 30", "soon", "in 1998", "in May", "May to July", "next week and last week", ""]
)
def test_other_times(text):
    assert anchored_days(text, WEDNESDAY) is None


def test_the_end_of_the_calendar():
    assert anchored_days("tomorrow", date.max) is None
    assert anchored_days("in 10 years", date.max) is None
    assert anchored_days("until May", date.max) == (date(9999, 5, 1), date(9999, 5, 31))
    assert anchored_days("last year", date(1, 1, 1)) is None


@pytest.mark.parametrize(
    ("text", "sense", "months"),
    [
        ("She spent eleven years there.", "for", 132),
        ("during her eleven years as director", "for", 132),
        ("He stayed five years.", "for", 60),
        ("for a year and a half", "for", 18),
        ("a two-year contract from May 2020", "for", 24),
        ("He retired after ten years.", "after", 120),
        ("The work lasted six years.", "lasting", 72),
        ("It will last two months.", "lasting", 2),
    ],
)
def test_a_length_of_time_has_the_sense_of_its_opening(text, sense, months):
    first = time_expressions(text)[0]
    assert (first.sense, first.months) == (sense, months)


@pytest.mark.parametrize("text", ["for years", "over the years", "the last six weeks", "a five-year plan"])
def test_no_length_is_read_where_none_is_given(text):
    assert not time_expressions(text)
