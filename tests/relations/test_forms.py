"""Plain forms of relation phrases, their direction and manner, and the table of families."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tools.families import FILE
from tupelo.nlp.languages.en.relation_words import ANTONYMS
from tupelo.relations.forms import PlainForm, families, is_former, manner, plain_families, plain_form


@pytest.mark.parametrize(
    ("text", "key", "turned"),
    [
        ("had also founded the", "found", False),
        ("was founded by", "found", True),
        ("written by", "write", True),
        ("was not taken over by", "not take over", True),
        ("was located by", "be locate by", False),
        ("was elected president by", "be elect president by", False),
        ("located in", "be locate in", False),
        ("served as captain of", "be captain of", False),
        ("served as", "serve as", False),
        ("was one of the members of", "be member of", False),
        ("was one of the founders of", "be one of founder of", False),
        ("is a longtime leader of", "be longtime leader of", False),
        ("celebrated winning", "celebrate win", False),
        ("is a prominent pupil of", "be pupil of", False),
        ("is prominent in", "be prominent in", False),
        ("is the second son of", "be second son of", False),
        ("is an actress from", "be actor from", False),
        ("is a city in the centre of", "be city in center of", False),
        ("would later film", "film", False),
        ("is a 1928 novel by", "be 1928 novel of", False),
        ("is a town of", "be town in", False),
        ("=", "=", False),
        ("failed to attend", "not attend", False),
        ("is a former president of", "be president of", False),
        ("organised", "organize", False),
        ("co-founded the", "cofound", False),
        ("rose in", "rise in", False),
        ("laboured for", "labor for", False),
        ("went on to win", "win", False),
        ("managed to win", "win", False),
        ("was coached at", "be coached at", False),
        ("was a coach at", "be coach at", False),
        ("started writing", "begin to write", False),
        ("began to write", "begin to write", False),
        ("completed the writing of", "finish to write", False),
        ("started in", "start in", False),
        ("ceased to help", "cease to help", False),
        ("stopped helping", "cease to help", False),
        ("stopped the killing of", "stop kill of", False),
        ("was unable to sell", "not sell", False),
        ("is no longer a member of", "be member of", False),
        ("is a school located in", "be school in", False),
        ("doesn't own", "not own", False),
        ("don’t own", "not own", False),
        ("has no interest in", "not have interest in", False),
        ("poses no danger to", "not pose danger to", False),
        ("said no to", "say no to", False),
        ("is unrelated to", "be not relate to", False),
        ("was unaffected by", "not affect", True),
        ("has yet to ratify", "not ratify", False),
        ("is due to", "be due to", False),
        ("is set to", "be set to", False),
        ("has to do with", "have to do with", False),
        ("remains a member of", "be member of", False),
        ("continues to work for", "work for", False),
        ("continued to work for", "continue to work for", False),
        ("succeeded in selling", "sell", False),
        ("did not succeed in selling", "not sell", False),
        ("did not forget to thank", "remember to thank", False),
        ("went on loving", "continue to love", False),
        ("bought the farm from", "sell farm to", True),
        ("bought from", "buy from", False),
        ("is less common than", "be more common than", True),
        ("is not as common as", "be more common than", True),
        ("is less than", "be less than", False),
        ("is more popular than", "be more popular than", False),
    ],
)
def test_wordings_have_a_plain_form_and_a_direction(text, key, turned):
    assert plain_form(text) == PlainForm(key, turned)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("bought", "has bought", True),
        ("bought", "did not buy", False),
        ("bought", "may buy", False),
        ("is going to buy", "will buy", True),
        ("is to be bought by", "will be bought by", True),
        ("need not pay", "must not pay", False),
        ("bought", "allegedly bought", False),
        ("bought", "tried to buy", False),
        ("is head of", "was head of", False),
        ("is a former head of", "was head of", True),
        ("used to be head of", "was head of", True),
        ("is no longer the head of", "was head of", True),
        ("wasn't able to buy", "could not buy", True),
        ("was unable to buy", "did not buy", False),
        ("cannot buy", "is unable to buy", True),
        ("is incapable of buying", "can't buy", True),
        ("has to buy", "is required to buy", True),
        ("has to buy", "is permitted to buy", False),
        ("is likely to buy", "will probably buy", True),
        ("is likely to buy", "will buy", False),
        ("allegedly bought", "is said to have bought", True),
        ("might buy", "may buy", True),
        ("declined to buy", "would not buy", True),
        ("declined to buy", "would not have bought", False),
        ("is the ex-head of", "is a former head of", True),
        ("was formerly the head of", "is the head of", False),
    ],
)
def test_the_manner_of_a_fact_is_told_apart(one, other, same):
    assert (manner(one) == manner(other)) is same


def test_who_stopped_to_help_did_not_stop_helping():
    assert plain_form("stopped to help").key != plain_form("stopped helping").key


def test_what_is_over_is_recognized():
    assert [is_former(text) for text in ("formerly hung in", "used to rule", "is no longer in", "ruled")] == [
        True,
        True,
        True,
        False,
    ]


def test_families_have_two_sides():
    of = families().of
    ((acquire, side),) = of["acquire"]
    assert (acquire, side) in of["purchase"]
    (older,) = of["be older than"]
    assert (older[0], not older[1]) in of["be younger than"]
    ((married, _),) = of["be marry to"]
    assert married in families().symmetric


def test_a_family_may_say_what_it_is_about():
    ((family, exchanged),) = families().of["be film direct by"]
    assert not exchanged
    assert families().kinds[family][1] == frozenset(["person"])
    assert (family, True) in families().of["direct film"]


KNOWN_KINDS = {
    "person",
    "organization",
    "place",
    "work",
    "event",
    "thing",
    "other",
    "datetime",
    "number",
    "statement",
}


def test_antonyms_exclude_each_other():
    assert "sink" in ANTONYMS["float"]
    assert all(word in ANTONYMS[other] for word, others in ANTONYMS.items() for other in others)


def test_every_line_of_the_table_joins_something():
    text = files("tupelo.nlp.languages.en").joinpath("relation_families.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(lines) == len(set(lines))
    for whole in lines:
        line, _, kinds = whole.partition("@")
        assert KNOWN_KINDS.issuperset(kinds.replace(">", " ").split()), line
        assert kinds.count(">") == bool(kinds), line
        parts = line.lstrip("~= ").replace("<>", ";").split(";")
        assert len(parts) > 1, line
        assert all(part.strip() for part in parts), line
    # A phrase and its opposite direction are not on one side.
    both = {key for key, found in families().of.items() for family, side in found if (family, not side) in found}
    symmetric = {key for key in both if any(family in families().symmetric for family, _ in families().of[key])}
    assert both == symmetric


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("served as chairman of", True),
        ("serves as chairman of", False),
        ("worked as a lawyer for", True),
        ("works as", False),
    ],
)
def test_what_somebody_served_as_they_were(text, past):
    assert manner(text).past is past


def test_not_may_be_a_family():
    for one, other in (("distrusted", "did not trust"), ("disapproved of", "did not approve of")):
        assert families().of[plain_form(one).key] & families().of[plain_form(other).key]


@pytest.mark.slow
def test_families_in_plain_forms_are_current():
    assert FILE.read_text("utf-8") == plain_families(), "python -m tools.families"
