"""Whether two names may be of one thing, by the names alone."""

from __future__ import annotations

import pytest

from tupelo.names.same import (
    OF_SINGLE,
    SHAPES,
    Built,
    is_single,
    keys_of_name,
    numbers_in,
    reason_apart,
    reason_one,
    shape_of_pair,
)

APART = [
    ("North Korea", "South Korea", "direction"),
    ("Korea", "North Korea", "direction"),
    ("West Germany", "Germany", "direction"),
    ("1998", "1999", "number"),
    ("World War I", "World War II", "number"),
    ("Expo", "Expo 2010", "number"),
    ("the 45th Grammy Awards", "the 46th Grammy Awards", "number"),
    ("the first quarter", "the second quarter", "number"),
    ("Charles V", "Charles II", "number"),
    ("Minneapolis", "Minnesota", "place"),
    ("Paris", "France", "place"),
    ("University of Oslo", "Oslo", "part"),
    ("the president of France", "France", "part"),
    ("Bank of England", "Bank of Scotland", "part"),
    ("Apple's CEO", "Apple", "part"),
    ("Google executives", "Google", "part"),
    ("Boston Celtics", "Boston", "part"),
    ("Lakefield High School", "Lakefield", "part"),
    ("1980", "the 1980s", "number"),
    ("Metropolitan Museum of Art", "Museum of Modern Art", "kind"),
    ("Victoria Street", "Victoria Airport", "kind"),
    ("Gulf War", "Second Gulf War", "number"),
    ("Ken Griffey Sr.", "Ken Griffey Jr.", "given name"),
    ("Hunter Biden", "Joe Biden", "given name"),
    ("Bill Clinton", "Hillary Clinton", "given name"),
    ("George W. Bush", "George H. W. Bush", "given name"),
]
ONE = [
    ("Leon Botstein", "Botstein", "surname"),
    ("B. F. Skinner", "Skinner", "surname"),
    ("race riots", "a race riot", "spelling"),
    ("Preachers", "preacher", "spelling"),
    ("Preachers", "The Preacher", "spelling"),
    ("IBM", "International Business Machines", "alias"),
    ("U.S.", "USA", "alias"),
    ("usa", "united states of america", "alias"),
    ("WWII", "the Second World War", "alias"),
    ("Republic of Korea", "South Korea", "alias"),
    ("Apple", "Apple Inc.", "spelling"),
    ("2 May 1998", "May 2, 1998", "spelling"),
    ("Queen Elizabeth II", "Elizabeth II", "spelling"),
    ("DVDs", "The DVD", "spelling"),
    ("foreign NGOs", "a foreign NGO", "spelling"),
    ("DFB", "Deutscher Fußball-Bund", "acronym"),
    ("Joe Biden", "Joseph Biden", "nickname"),
    ("Bob Dole", "Robert Dole", "nickname"),
    ("J. R. R. Tolkien", "John Tolkien", "initials"),
    ("John F. Kennedy", "John Kennedy", "short name"),
    ("George W. Bush", "George Walker Bush", "initials"),
    ("P. T. Barnum", "Phineas Taylor Barnum", "initials"),
    ("Ford", "Ford Motor Company", "spelling"),
    ("Pakistani Supreme Court", "the Supreme Court of Pakistan", "alias"),
    ("State of Texas", "Texas", "alias"),
    ("Oslo, Norway", "Oslo", "place"),
    ("University of Oslo", "Oslo University", "alias"),
    ("President Biden", "Joe Biden", "surname"),
    ("Einstein", "Albert Einstein", "surname"),
]
OPEN = [
    ("Ramones", "Ramone"),
    ("Beatles", "Beatle"),
    ("the Chatham Islands", "Chatham Island"),
    ("Washington", "George Washington"),
    ("Washington University", "University of Washington"),
    ("City of London", "London"),
    ("Toyota Motor", "Toyota"),
    ("Hudson River", "Hudson"),
    ("iPad", "iPad 5"),
    ("Nathan Dean Longshore", "Nate Longshore"),
]


@pytest.mark.parametrize(("one", "other", "reason"), APART)
def test_names_that_are_never_one(one: str, other: str, reason: str) -> None:
    assert reason_apart(one, other) == reason_apart(other, one) == reason
    assert reason_one(one, other) is None


@pytest.mark.parametrize(("one", "other", "reason"), ONE)
def test_names_that_are_one_and_share_a_key(one: str, other: str, reason: str) -> None:
    assert reason_one(one, other) == reason_one(other, one) == reason
    assert reason_apart(one, other) is None
    shared = set(keys_of_name(one)) & set(keys_of_name(other))
    assert shared
    assert is_single(one) or is_single(other) or any(not key.startswith(OF_SINGLE) for key in shared)


@pytest.mark.parametrize(("one", "other"), OPEN)
def test_names_that_only_their_contexts_tell(one: str, other: str) -> None:
    assert reason_apart(one, other) is None
    assert reason_one(one, other) is None


def test_shapes_are_named_and_symmetric() -> None:
    dam, river, biden, joe = map(Built.of, ("Link River Dam", "Link River", "Biden", "Joe Biden"))
    row = dict(zip(SHAPES, shape_of_pair(dam, river), strict=True))
    assert shape_of_pair(river, dam) == tuple(row.values())
    assert (row["more words"], row["starts"], row["ends"]) == (1, 1, 0)
    assert dict(zip(SHAPES, shape_of_pair(biden, joe), strict=True))["given name before"] == 1


def test_a_letter_is_a_numeral_only_at_the_end_of_a_name() -> None:
    assert numbers_in("World War I") == {1}
    assert numbers_in("I saw Vitamin C") == numbers_in("I") == set()
