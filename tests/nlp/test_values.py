"""Numbers and dates are compared by value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.nlp.values import Agreement, Clock, Date, Number, Value, values_in, words_of

PIECES = (
    "may",
    "5",
    "of",
    ",",
    "1998",
    "$",
    "two",
    "hundred",
    "and",
    "million",
    "third",
    "per",
    "cent",
    "9:45",
    "pm",
    "-",
    "1990s",
    "7th",
    "more",
    "than",
    "about",
    "over",
    "3.5",
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("born July 14 , 1939 in Oslo", [Date(1939, 7, 14)]),
        ("on 14 July 1939", [Date(1939, 7, 14)]),
        ("on the 14th of July", [Date(None, 7, 14)]),
        ("on 1939-07-14", [Date(1939, 7, 14)]),
        ("in May 2003", [Date(2003, 5)]),
        ("in May", [Date(None, 5)]),
        ("they may leave", []),
        ("Sept. 5", [Date(None, 9, 5)]),
        ("on Tuesday", [Date(weekday=2)]),
        ("in 1998", [Date(1998)]),
        ("the 1990s", [Date(1990, is_decade=True)]),
        ("12,345 people", [Number(12345)]),
        ("1 , 056 matches", [Number(1056)]),
        ("1 , 234 , 567", [Number(1234567)]),
        ("rooms 12 , 14", [Number(12), Number(14)]),
        ("$ 1.2 million", [Number(1.2e6, "dollar")]),
        ("$1.2m", [Number(1.2e6, "dollar")]),
        ("£ 74 m", [Number(74e6, "pound")]),
        ("74 m", [Number(74)]),
        ("3 million euros", [Number(3e6, "euro")]),
        ("40 per cent", [Number(40, "percent")]),
        ("40%", [Number(40, "percent")]),
        ("40 %", [Number(40, "percent")]),
        ("twenty-five men", [Number(25)]),
        ("three hundred and ten", [Number(310)]),
        ("two thousand four hundred", [Number(2400)]),
        ("the third time", [Number(3, "ordinal")]),
        ("the 3rd time", [Number(3, "ordinal")]),
        ("a dozen eggs", [Number(12)]),
        ("one of them", []),
        ("twenty one", [Number(21)]),
        ("at 21:45", [Clock(21 * 60 + 45, True)]),
        ("at 9:45 pm", [Clock(21 * 60 + 45, True)]),
        ("won 28-24", []),
        ("more than 80 people", [Number(80, "", "over")]),
        ("at least $ 3 million", [Number(3e6, "dollar", "least")]),
        ("no more than five", [Number(5, "", "most")]),
        ("about the third time", [Number(3, "ordinal")]),
        ("for about 20 years over 3 summers", [Number(20, "", "about"), Number(3, "", "over")]),
        ("two or three", [Number(2), Number(3)]),
        ("", []),
    ],
)
def test_values_of_words(text: str, values: list[Value]) -> None:
    assert [found.value for found in values_in(text.split())] == values


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("1.2 million", "1,200,000", Agreement.SAME),
        ("25", "twenty-five", Agreement.SAME),
        ("July 14 , 1939", "14 July", Agreement.SAME),
        ("July 14 , 1939", "15 July", Agreement.DIFFERENT),
        ("1939", "July 1939", Agreement.SAME),
        ("1939", "1940", Agreement.DIFFERENT),
        ("1870s", "14 March 1879", Agreement.SAME),
        ("1870s", "1869", Agreement.DIFFERENT),
        ("1870s", "1870s", Agreement.SAME),
        ("1870s", "1880s", Agreement.DIFFERENT),
        ("1870s", "14 March", Agreement.UNRELATED),
        ("Tuesday", "1940", Agreement.UNRELATED),
        ("$ 5", "€ 5", Agreement.UNRELATED),
        ("$ 5", "5 dollars", Agreement.SAME),
        ("5", "5%", Agreement.SAME),
        ("6", "5%", Agreement.DIFFERENT),
        ("21:45", "9:45 pm", Agreement.SAME),
        ("9:45", "9:45 pm", Agreement.SAME),
        ("9:45 am", "9:45 pm", Agreement.DIFFERENT),
        ("9:45", "1999", Agreement.UNRELATED),
    ],
)
def test_comparing(left: str, right: str, verdict: Agreement) -> None:
    (one,), (other,) = values_in(left.split()), values_in(right.split())
    assert one.value.compare(other.value) is verdict
    assert other.value.compare(one.value) is verdict


@pytest.mark.parametrize(
    ("known", "told", "verdict"),
    [
        ("84", "more than 80", Agreement.SAME),
        ("more than 80", "84", Agreement.UNRELATED),
        ("more than 80", "80", Agreement.SAME),
        ("80", "more than 80", Agreement.UNRELATED),
        ("80", "at least 80", Agreement.SAME),
        ("75", "more than 80", Agreement.DIFFERENT),
        ("5,000", "more than 80", Agreement.UNRELATED),
        ("98", "about 100", Agreement.SAME),
        ("about 100", "100", Agreement.SAME),
        ("100", "about 100", Agreement.SAME),
        ("50", "about 100", Agreement.DIFFERENT),
        ("80", "about 100", Agreement.UNRELATED),
        ("97", "nearly 100", Agreement.SAME),
        ("103", "nearly 100", Agreement.DIFFERENT),
        ("45", "fewer than 50", Agreement.SAME),
        ("50", "fewer than 50", Agreement.UNRELATED),
        ("51", "up to 50", Agreement.DIFFERENT),
        ("more than 70", "more than 80", Agreement.UNRELATED),
        ("2,483,112", "2.5 million", Agreement.SAME),
        ("2.5 million", "2,483,112", Agreement.DIFFERENT),
        ("1.6 million", "2 million", Agreement.DIFFERENT),
        ("34.6%", "35 per cent", Agreement.SAME),
        ("34.4%", "35 per cent", Agreement.DIFFERENT),
        ("98", "100", Agreement.DIFFERENT),
        ("$ 84", "more than € 80", Agreement.UNRELATED),
    ],
)
def test_what_is_known_bears_out_what_is_told_roughly(known: str, told: str, verdict: Agreement) -> None:
    (one,), (other,) = values_in(known.split()), values_in(told.split())
    assert one.value.compare(other.value) is verdict


@given(st.lists(st.sampled_from(PIECES)))
def test_words_belong_to_one_value_at_most(words: list[str]) -> None:
    end = 0
    for found in values_in(words):
        assert end <= found.start < found.end <= len(words)
        end = found.end
        assert found.value.compare(found.value) is Agreement.SAME


@given(st.text(max_size=30))
def test_any_text_is_read(text: str) -> None:
    values_in(text.split())


def test_a_number_of_thousands_of_digits_is_no_day_and_no_fault() -> None:
    (found,) = values_in(words_of("1" * 5_000))
    assert isinstance(found.value, Number)
