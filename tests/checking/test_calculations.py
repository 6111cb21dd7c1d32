"""Values that a source does not have literally: calculated, contradicted, or left open."""

from __future__ import annotations

import pytest

from tests.parses import parsed
from tupelo.checking.calculations import Calculation, Ledger, Outcome, quantities_of
from tupelo.nlp.syntax import DependencyTree


def calculate(claim: str, *source: str) -> list[tuple[Outcome, str]]:
    """What follows for a claim whose every word is attached to the word after it, the last but one to its verb."""
    words = claim.split()
    tree = DependencyTree(
        parsed(
            " ".join(
                f"{word}/{word.lower()}/NOUN/{place + 2 if place + 1 < len(words) else 0}/dep"
                for place, word in enumerate(words)
            )
        )
    )
    ledger = Ledger([sentence.split() for sentence in source])
    found: list[Calculation] = ledger.calculate(tree, range(len(words)), range(len(source)))
    return [(one.outcome, one.text) for one in found]


@pytest.mark.parametrize(
    ("claim", "source", "calculation"),
    [
        ("They ran 2,000 metres", "They ran 2 km", "2 km = 2,000 metres"),
        ("They ran 8 km", "They ran five miles", "five miles ≈ 8 km"),
        ("It began at 3 pm", "It began at 15:00", "15:00 = 3 pm"),
        ("They met at noon", "They met at 12:00", "12:00 = noon"),
        ("There were 2,000 people", "1,200 men and 800 women came", "1,200 + 800 = 2,000"),
        ("Twelve people came", "Seven men , two women and three children came", "Seven + two + three = Twelve"),
        ("They sold 7 more cars", "They sold 5 cars in May and 12 cars in June", "12 − 5 = 7"),
        ("Half of them left", "20 of the 40 guests left", "20 / 40 = half"),
        ("Two thirds agreed", "8 of 12 members agreed", "8 / 12 = two thirds"),
        ("Sales doubled", "It sold 30 cars , then 60 cars", "60 / 30 = doubled"),
        ("80 % of the answers are right", "16 of 20 answers are right", "16 / 20 = 80%"),
        ("The fee rose by 20 %", "The fee went from 15 to 18 euros", "from 15 to 18 euros is 20%"),
        ("Sales rose by a third", "Sales were 12 tons , up from 9 tons", "from 9 to 12 is a third"),
        ("Sales are 20 % below the mark", "Sales are 12 tons , against 15 tons", "from 15 to 12 is 20%"),
        ("They had 177 cows", "They have 212 cows , 35 more than before", "212 − 35 = 177"),
        ("They had 247 cows", "They had 212 cows and then bought 35 more", "212 + 35 = 247"),
        ("Ann sold 27 cows", "Bo sold 9 cows and Ann three times as many", "9 × three = 27"),
        ("He lived 67 years", "Born in March 1931 , he died in January 1999", "January 1999 − March 1931 = 67 years"),
        ("He led it for 25 years", "He led it from 1990 to 2015", "2015 − 1990 = 25 years"),
        ("It took ten days", "From 4 May 2001 to 14 May 2001", "14 May 2001 − 4 May 2001 = ten days"),
        ("It took two hours", "It began at 9:30 and ended at 11:30", "11:30 − 9:30 = two hours"),
        ("It took two weeks", "It took 14 days", "14 days = two weeks"),
        ("It took two months", "It began in June and ended in August", "August − June = two months"),
        (
            "It took six and a half hours",
            "It left at 07:57 and came at 14:27",
            "14:27 − 07:57 = six and a half hours",
        ),
        ("It is 10 km", "It is 7.5 km to the hut , and another 2.5 , all told", "7.5 km + 2.5 = 10 km"),
        ("It fell by 1.3 percentage points", "It fell from 7.4 % to 6.1 %", "7.4% − 6.1% = 1.3 percentage"),
        ("It was £4 million then", "It is £3.4 million , 15 % less", "£3.4 million, 15%: £4 million"),
        ("Children pay £6", "It costs £12 , half that for children", "£12, half: £6"),
        ("She was born in 1966", "In 1996 , when she was 29 , she left", "1996 − 29 = 1966"),
        ("It won in 2016", "Founded in 2012 , it won four years later", "2012 + four years = 2016"),
        ("It is three times the price", "It cost £120 , then £360", "£360 / £120 = three"),
        ("A quarter were damaged", "412 of 1,650 houses were damaged", "412 / 1,650 = a quarter"),
        ("Five people came", "Two cooks , a poet , a nun and the mayor came", "the source lists 5"),
    ],
)
def test_what_follows_is_confirmed_and_shown(claim: str, source: str, calculation: str) -> None:
    assert calculate(claim, source) == [(Outcome.CONFIRMS, calculation)]


@pytest.mark.parametrize(
    ("claim", "source", "reason"),
    [
        ("two men robbed the van", "Three men robbed the van on Monday", "the source has Three men, not two men"),
        ("Ann Lee was born in 1961 there", "Ann Lee was born there in 1963", "the source has 1963, not 1961"),
        # Claims that something has so many things share one word with a sentence that says just that.
        (
            "The ferry had 210 passengers",
            "The ferry carried 120 passengers",
            "the source has 120 passengers, not 210 passengers",
        ),
        (
            "Ann won five races",
            "Ann won three races and fell several times",
            "the source has three races, not five races",
        ),
        ("The hotel has 54 cooks", "The hotel has 80 rooms and 45 cooks", "the source has 45 cooks, not 54 cooks"),
        (
            "The reserve has 84 wolves",
            "The reserve is home to 48 wolves",
            "the source has 48 wolves, not 84 wolves",
        ),
        (
            "The club has about 400 members",
            "The club has 210 members",
            "the source has 210 members, not about 400 members",
        ),
    ],
)
def test_another_value_of_the_same_thing_contradicts(claim: str, source: str, reason: str) -> None:
    assert calculate(claim, source) == [(Outcome.CONTRADICTS, reason)]


@pytest.mark.parametrize(
    ("claim", "source", "reason"),
    [
        ("Sales fell by 30 %", "Sales fell from 250 to 200", "from 250 to 200 is −20%, not 30%"),
        ("Sales rose by 7", "Sales rose from 9 to 12", "from 9 to 12 is +3, not 7"),
        (
            "The bank rate fell by 2 percentage points",
            "The bank rate fell from 7.4 % to 6.1 %",
            "from 7.4% to 6.1% is −1.3, not 2 percentage",
        ),
    ],
)
def test_another_change_contradicts(claim: str, source: str, reason: str) -> None:
    assert (Outcome.CONTRADICTS, reason) in calculate(claim, source)


@pytest.mark.parametrize(
    ("claim", "source", "reason"),
    [
        # A smaller number under a condition may be a part of the larger one.
        (
            "The film won two awards in Berlin",
            "The film has won six awards",
            "the source has six awards, not two awards",
        ),
        # The club may have others than those that the sentence counts.
        ("The club has 120 members", "The club expelled 3 members", "the source has 3 members, not 120 members"),
        (
            "The club has 120 members",
            "The club took from Paris 3 members",
            "the source has 3 members, not 120 members",
        ),
        (
            "210 passengers",
            "The ferry carried 120 passengers",
            "the source has 120 passengers, not 210 passengers",
        ),
    ],
)
def test_another_number_that_may_be_of_something_else_disputes(claim: str, source: str, reason: str) -> None:
    assert calculate(claim, source) == [(Outcome.LACKS, reason)]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        # The same value in other words needs no calculation.
        ("three men robbed the van", "3 men robbed the van"),
        ("The hall holds twelve hundred guests", "The hall holds 1,200 guests"),
        ("The hall holds about 200 guests", "The hall holds 210 guests"),
        ("The hall holds 210 guests", "The hall holds about 200 guests"),
        ("The farm has 1 tractor", "The farm has only one tractor"),
        # A difference may be meant.
        ("The firm employs 1,500 people elsewhere", "The firm employs 2,300 people , 800 people here"),
        # Inside a range, and a rank.
        ("The mill lost 50 workers", "The mill lost between 40 and 60 workers"),
        ("The team won its third title", "The team won five titles"),
        # More than before, times that multiply nothing, and a full year that was not reached.
        ("He won eight times", "He won two times in May and four times in June"),
        ("They had 247 cows", "They have 212 calves , 35 more than before"),
        ("He lived 68 years", "Born in March 1931 , he died in January 1999"),
        # Another thing, another unit, several candidates, another event, a total that only looks like one.
        ("two men robbed the van", "Three women robbed the van"),
        ("two men robbed the van", "Three men and four men robbed the van"),
        ("two men robbed the van", "Three men were seen"),
        ("They sold 7 cars", "They sold 5 cars in May and 12 cars in June"),
        ("over 2,000 people came", "1,200 men and 800 women came"),
        ("They ran 3 km", "They ran for 3 hours"),
        ("Ann led the firm until 1939 there", "Ann led the firm there in 1899"),
    ],
)
def test_what_does_not_follow_stays_open(claim: str, source: str) -> None:
    assert {outcome for outcome, _ in calculate(claim, source)} <= {Outcome.LACKS}


def test_a_table_gives_no_numbers() -> None:
    """Some of many numbers give any other one, and trying them all takes long."""
    found = calculate("There were 99 people", " ".join(map(str, range(1, 90))))
    assert found == [(Outcome.LACKS, "the source does not give 99")]


def test_quantities_have_units_and_things() -> None:
    words = ["A", "5", "-", "mile", "race", "of", "twenty", "-", "five", "armed", "men"]
    distance, men = quantities_of(words)
    assert (distance.text, distance.dimension, round(distance.amount)) == ("5-mile", "length", 8047)
    assert (men.amount, men.things) == (25, ("armed", "men"))
