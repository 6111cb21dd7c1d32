"""Tuples of sentences as a careful reader takes them. The parses are our own model's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extract.parsed import tuples
from tupelo.io.analyses import read_analyses

ANALYSES = {one.text: one for one in read_analyses(Path(__file__).parent / "reading.conllu")}

# A relative clause belongs to the noun that agrees with it in number and kind.
ATTACHED = {
    "The family of Mr Kiraz who died on Tuesday sued the state.": "(Mr Kiraz; died on; Tuesday)",
    "The author of the books who lives in Oslo won a prize.": "(The author of the books; lives in; Oslo)",
    "The driver of the car, which was stolen, fled.": "(the car; was stolen)",
    "The firm hired workers from Poland who spoke no English.": "(workers from Poland; spoke; no English)",
    "The sons of the mayor who were bitten by the dog are well.": "(The sons of the mayor; were bitten by; the dog)",
    "Ann and Bob, who lives in Oslo, left.": "(Bob; lives in; Oslo)",
    "Ann, whose brother died in May, left Oslo.": "(Ann 's brother; died in; May)",
    "The firm, whose director is Bob Lee, closed.": "(The firm 's director; is; Bob Lee)",
}
# Names stay with their descriptions, and say more than these.
NAMED = {
    "She plays for the Greek club, Olympiakos.": [
        "(She; plays for; the Greek club, Olympiakos)",
        "(Olympiakos; is; the Greek club)",
    ],
    "The president of the company, Bob Holm, resigned on Friday.": [
        "(Bob Holm; is; The president of the company)",
        "(The president of the company, Bob Holm; resigned on; Friday)",
    ],
    "The World Health Organization (WHO) declared the outbreak on Monday.": [
        "(The World Health Organization; is; WHO)",
        "(The World Health Organization; declared; the outbreak; on Monday)",
    ],
    "Ann Lee (54) met Bob Holm (Smith, 2011).": ["(Ann Lee; met; Bob Holm)"],
}
# Nothing that would make a fact false is left out, and nothing that is no part of it is kept.
WHOLE = {
    "Ann Lee founded and leads Acme.": ["(Ann Lee; founded; Acme)", "(Ann Lee; leads; Acme)"],
    "He did not write or edit the pages.": ["(He; did not write; the pages)", "(He; did not edit; the pages)"],
    "Members are allowed to vote or hold public office.": [
        "(Members; are allowed to vote)",
        "(Members; are allowed to hold; public office)",
    ],
    "The king or queen signs the law.": ["(The king or queen; signs; the law)"],
    "The king and queen left.": ["(The king; left)", "(The queen; left)"],
    "Leonardo, a painter and inventor, died in France.": [
        "(Leonardo; is; a painter)",
        "(Leonardo; is; inventor)",
        "(Leonardo; died in; France)",
    ],
    "In a democracy, the citizens do not govern directly.": [
        "(the citizens; do not govern directly; In a democracy)"
    ],
    "For example, husbands laugh at jokes.": ["(husbands; laugh at; jokes)"],
    "He opened the door slowly.": ["(He; opened; the door; slowly)"],
    "They went off to college in May.": ["(They; went off to; college; in May)"],
    "High judges are referred to as lords.": ["(High judges; are referred to as; lords)"],
    "A 38-year-old man has been arrested in Leeds.": ["(A 38-year-old man; has been arrested in; Leeds)"],
    "Less than a third of the money was spent.": ["(Less than a third of the money; was spent)"],
    "He no longer works for the bank.": ["(He; no longer works for; the bank)"],
    "He is as tall as his brother.": ["(He; is as tall as; his brother)"],
    "As expected, Ann left.": ["(Ann; left)"],
    "The studies, all of which were small, found nothing.": ["(The studies; found; nothing)"],
    "The two brothers, Ann and Bob, left.": [
        "(Ann and Bob; are; The two brothers)",
        "(The two brothers, Ann and Bob; left)",
    ],
    "The firm, founded in 1998, is large.": ["(The firm; was founded in; 1998)", "(The firm; is; large)"],
    "Cappy is a brand in over 25 countries, now owned by Acme.": [
        "(Cappy; is; a brand in over 25 countries)",
        "(Cappy; is owned by; Acme; now)",
    ],
    "He knows the king and queen of Norway.": [
        "(He; knows; the king of Norway)",
        "(He; knows; the queen of Norway)",
    ],
    "As of the 2000 census, its population was 325.": ["(its population; was; 325; As of the 2000 census)"],
    "The book was so heavy that nobody could lift it.": [
        "(The book; was; so heavy; that nobody could lift it)",
        "(nobody; could lift; it)",
    ],
    "Ann sold the boat because Bob came.": ["(Ann; sold; the boat; because Bob came)", "(Bob; came)"],
    "You have now decided to set a date.": ["(You; have now decided to set; a date)"],
    "The problem will be that you will need a doctor.": [
        "(The problem; will be that; you will need a doctor)",
        "(you; will need; a doctor)",
    ],
    "The function request() is a part of today's tools.": ["(The function request(); is; a part of today's tools)"],
    "Norton was fond of what he called the old and quiet ways of the good people of the island.": [
        "(Norton; was fond of; what he called the old and quiet ways of the good people of the island)",
        "(he; called; the old and quiet ways of the good people of the island)",
    ],
    "What he said was true.": ["(What he said; was; true)"],
}


def told(text: str) -> list[str]:
    return sorted(str(extraction) for extraction in tuples(ANALYSES[text]))


@pytest.mark.parametrize("text", ATTACHED)
def test_a_relative_clause_describes_the_noun_that_fits_it(text: str) -> None:
    assert ATTACHED[text] in told(text)


@pytest.mark.parametrize("text", [*NAMED, *WHOLE])
def test_a_fact_is_told_whole(text: str) -> None:
    assert told(text) == sorted({**NAMED, **WHOLE}[text])


def test_pieces_have_the_name_alone() -> None:
    found = tuples(ANALYSES["She plays for the Greek club, Olympiakos."], shape="pieces")
    assert "(She; plays for; Olympiakos)" in map(str, found)
