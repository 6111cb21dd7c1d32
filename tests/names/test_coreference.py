"""Pronouns and short names in documents of a few sentences."""

from __future__ import annotations

from tests.extract.parsed import parsed, tuples
from tupelo.core import Analysis, Entity
from tupelo.names.coreference import resolve


def sings(name: str, document: str | None = "d") -> Analysis:
    """*NAME sings songs.*, the name being one or two words."""
    first, *rest = name.split()
    size = 1 + len(rest)
    pronoun = first in ("He", "She", "It", "They")
    kind = "PRON PRP" if pronoun else "PROPN NNP"
    rows = [f"{first} {first} {kind} {size + 1} nsubj", *(f"{word} {word} PROPN NNP 1 flat" for word in rest)]
    rows += ["sings sing VERB VBZ 0 root", f"songs song NOUN NNS {size + 1} obj", f". . PUNCT . {size + 1} punct"]
    entities = () if pronoun else (Entity("person", 0, size),)
    return parsed(f"{name} sings songs.", *rows, entities=entities, document=document)


def met(one: str, other: str) -> Analysis:
    """*ONE met OTHER.*, two names of one word or pronouns."""
    entities = tuple(
        Entity("person", place, place + 1)
        for place, word in ((0, one), (2, other))
        if word.lower() not in ("he", "she", "him", "her", "himself")
    )
    return parsed(
        f"{one} met {other}.",
        f"{one} {one} PROPN NNP 2 nsubj",
        "met meet VERB VBD 0 root",
        f"{other} {other} PROPN NNP 2 obj",
        ". . PUNCT . 2 punct",
        entities=entities,
        document="d",
    )


DRIVER = parsed(
    "The driver sings songs.",
    "The the DET DT 2 det",
    "driver driver NOUN NN 3 nsubj",
    "sings sing VERB VBZ 0 root",
    "songs song NOUN NNS 3 obj",
    ". . PUNCT . 3 punct",
    document="d",
)


def meanings(*sentences: Analysis) -> list[list[str | None]]:
    """What the arguments of the only tuple of each sentence stand for."""
    found = resolve(sentences, [tuples(sentence) for sentence in sentences])
    return [[argument.resolved for argument in extractions[0].arguments] for extractions in found]


def test_a_pronoun_stands_for_the_only_person() -> None:
    assert meanings(sings("Ann Lee"), sings("She")) == [[None, None], ["Ann Lee", None]]


def test_the_wording_is_kept_beside_the_meaning() -> None:
    sentences = [sings("Ann Lee"), sings("She")]
    (she,) = resolve(sentences, [tuples(sentence) for sentence in sentences])[1]
    assert she.arg1 is not None
    assert (she.arg1.text, she.arg1.resolved) == ("She", "Ann Lee")


def test_a_chain_of_pronouns_goes_back_to_the_name() -> None:
    assert meanings(sings("Ann Lee"), sings("She"), sings("She"))[2] == ["Ann Lee", None]


def test_a_short_name_stands_for_the_long_one() -> None:
    assert meanings(sings("Ann Lee"), sings("Lee"), sings("Ann")) == [
        [None, None],
        ["Ann Lee", None],
        ["Ann Lee", None],
    ]


def test_a_short_name_that_two_people_have_stands_for_none() -> None:
    assert meanings(sings("Ann Lee"), sings("Bob Lee"), sings("Lee"))[2] == [None, None]


def test_a_pronoun_does_not_disagree_with_a_given_name() -> None:
    assert meanings(sings("Ann Lee"), sings("He"))[1] == [None, None]
    assert meanings(sings("Thomas Lee"), sings("She"))[1] == [None, None]


def test_a_pronoun_tells_the_gender_of_a_name() -> None:
    assert meanings(sings("Lee"), sings("She"), sings("He"))[1:] == [["Lee", None], [None, None]]


def test_two_people_leave_a_choice_unless_one_is_the_subject() -> None:
    assert meanings(met("Kim", "Lee"), sings("She"))[1] == ["Kim", None]
    assert meanings(sings("Tom Lee"), met("Ann", "her"))[1] == [None, None]


def test_the_object_of_a_verb_is_not_its_subject_unless_it_says_so() -> None:
    assert meanings(met("Bob", "him")) == [[None, None]]
    assert meanings(met("Bob", "himself")) == [[None, "Bob"]]


def test_somebody_without_a_name_may_be_meant_as_well() -> None:
    assert meanings(sings("Kim Lee"), DRIVER, sings("She"))[2] == [None, None]


def test_a_name_far_away_is_not_meant() -> None:
    rain = parsed("Rain falls.", "Rain rain NOUN NN 2 nsubj", "falls fall VERB VBZ 0 root", document="d")
    assert meanings(sings("Ann Lee"), rain, sings("She"))[2] == ["Ann Lee", None]
    assert meanings(sings("Ann Lee"), *[rain] * 5, sings("She"))[6] == [None, None]


def test_other_pronouns_are_left_alone() -> None:
    assert meanings(sings("Ann Lee"), sings("It"), sings("They"))[1:] == [[None, None], [None, None]]


def test_documents_do_not_know_of_each_other() -> None:
    assert meanings(sings("Ann Lee", "one"), sings("She", "two"))[1] == [None, None]
    assert meanings(sings("Ann Lee", "one"), sings("Kim", "two"), sings("She", "one"))[2] == ["Ann Lee", None]


def test_a_preposition_stays_before_the_meaning() -> None:
    talked = parsed(
        "He ran and talked of Lee.",
        "He he PRON PRP 2 nsubj",
        "ran run VERB VBD 0 root",
        "and and CCONJ CC 4 cc",
        "talked talk VERB VBD 2 conj",
        "of of ADP IN 6 case",
        "Lee Lee PROPN NNP 4 obl",
        ". . PUNCT . 2 punct",
        entities=(Entity("person", 5, 6),),
        document="d",
    )
    found = tuples(talked)
    moved = [
        extraction.__class__(
            extraction.sentence,
            extraction.rel,
            extraction.arg1,
            tuple(argument.__class__("of Lee", tokens=(4, 5)) for argument in extraction.args),
        )
        for extraction in found
        if extraction.args
    ]
    resolved = resolve([sings("Ann Lee"), talked], [[], moved])
    assert resolved[1][0].args[0].resolved == "of Ann Lee"
