"""What arguments refer to, in sentences whose mentions are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.extract.parsed import parsed, tuples
from tupelo.core import Analysis, Entity, Mention
from tupelo.names import referents
from tupelo.names.antecedents import Antecedents
from tupelo.names.coreference import resolve
from tupelo.names.namesakes import find_names, mentions_of_anchors
from tupelo.names.proper_names import proper_names
from tupelo.names.referents import PassageReferents
from tupelo.names.wordings import NameWording, keys_of_forms, make_wording, stands_for
from tupelo.nlp.syntax import DependencyTree


def mentioned(analysis: Analysis, *mentions: Mention) -> Analysis:
    return replace(analysis, mentions=mentions, document_id="d")


def sells(subject: str, rows: list[str], thing: str = "cars", **options: object) -> Analysis:
    """*SUBJECT sells cars.*, the subject parsed by rows whose heads may be `verb`."""
    verb = len(rows) + 1
    return parsed(
        f"{subject} sells {thing}.",
        *(row.replace("verb", str(verb)) for row in rows),
        "sells sell VERB VBZ 0 root",
        f"{thing} car NOUN NNS {verb} obj",
        f". . PUNCT . {verb} punct",
        **options,  # type: ignore[arg-type]
    )


TOYOTA = mentioned(
    sells("Toyota", ["Toyota Toyota PROPN NNP verb nsubj"], entities=(Entity("organization", 0, 1),)),
    Mention(0, 0, 1, 0, "organization"),
    Mention(1, 2, 3, 2, "object"),
)
LEE = mentioned(
    sells(
        "Ann Lee", ["Ann Ann PROPN NNP verb nsubj", "Lee Lee PROPN NNP 1 flat"], entities=(Entity("person", 0, 2),)
    ),
    Mention(0, 0, 2, 0, "person"),
)


def it(confidence: float = 0.9, entity: int = 0) -> Analysis:
    sentence = sells("It", ["It it PRON PRP verb nsubj"])
    return mentioned(sentence, Mention(entity, 0, 1, 0, "organization", confidence))


def company(first: str, confidence: float = 0.9) -> Analysis:
    rows = [f"{first} {first} DET DT 2 det", "company company NOUN NN verb nsubj"]
    return mentioned(sells(f"{first} company", rows), Mention(0, 0, 2, 1, "organization", confidence))


def meanings(*sentences: Analysis) -> list[str | None]:
    """What the subject of the last sentence stands for, and its object."""
    found = resolve(sentences, [tuples(sentence) for sentence in sentences])
    return [argument.resolved for argument in found[-1][0].arguments]


def test_a_pronoun_and_a_description_stand_for_the_name() -> None:
    assert meanings(TOYOTA, it()) == ["Toyota", None]
    assert meanings(TOYOTA, company("The")) == ["Toyota", None]
    assert meanings(TOYOTA, company("This")) == ["Toyota", None]


def test_the_company_stands_for_the_only_company_although_the_parser_is_not_sure() -> None:
    assert meanings(TOYOTA, company("The", 0.4)) == ["Toyota", None]
    assert meanings(LEE, company("The", 0.4)) == [None, None]


def test_of_two_names_of_which_the_parser_is_not_sure_neither_is_the_company() -> None:
    both = [
        mentioned(
            sells(name, [f"{name} {name} PROPN NNP verb nsubj"], entities=(Entity("organization", 0, 1),)),
            Mention(0, 0, 1, 0, "organization", 0.3),
        )
        for name in ("Toyota", "Volvo")
    ]
    assert meanings(*both, company("The")) == [None, None]


def maker(thing: str) -> Analysis:
    rows = ["The the DET DT 2 det", f"{thing} {thing} NOUN NN verb nsubj"]
    return mentioned(sells(f"The {thing}", rows), Mention(1, 0, 2, 1, "organization", 0.4))


@pytest.mark.parametrize(
    ("thing", "house", "others", "expected"),
    [
        ("maker", "Toyota", [], "Toyota"),
        ("maker", None, [], None),
        ("supplier", "Toyota", [], None),
        ("maker", "Toyota", ["Volvo"], None),
        ("airline", "Toyota", [], "Toyota"),
        ("airline", "Toyota", ["Volvo"], None),
    ],
)
def test_the_maker_is_the_organization_whose_text_it_is(
    thing: str, house: str | None, others: list[str], expected: str | None
) -> None:
    named = [
        mentioned(
            sells(name, [f"{name} {name} PROPN NNP verb nsubj"], entities=(Entity("organization", 0, 1),)),
            Mention(place + 5, 0, 1, 0, "organization", 1.0),
        )
        for place, name in enumerate(["Toyota", *others])
    ]
    trees = [DependencyTree(one) for one in (*named, maker(thing))]
    anchors = [list(proper_names(tree)) for tree in trees]
    mentions = mentions_of_anchors(trees, anchors)
    known = Antecedents(trees, anchors, find_names(trees, anchors, mentions), mentions, house)
    (own,) = trees[-1].analysis.mentions or ()
    found = known.described(len(trees) - 1, own)
    assert (found and found[0].name and found[0].name.text) == expected


def test_a_pronoun_stands_for_the_only_name_although_the_parser_is_not_sure() -> None:
    assert meanings(TOYOTA, it(0.3)) == ["Toyota", None]
    assert meanings(LEE, it(0.3)) == [None, None]


def test_a_new_thing_is_not_resolved() -> None:
    assert meanings(TOYOTA, company("A")) == [None, None]


def test_a_chain_without_a_name_resolves_nothing() -> None:
    assert meanings(company("A"), it()) == [None, None]


def test_documents_do_not_share_entities() -> None:
    assert meanings(TOYOTA, replace(it(), document_id="e")) == [None, None]


def test_a_short_name_stands_for_the_long_one_and_a_full_name_for_itself() -> None:
    rows = ["Lee Lee PROPN NNP verb nsubj"]
    short = mentioned(sells("Lee", rows, entities=(Entity("person", 0, 1),)), Mention(0, 0, 1, 0, "person"))
    assert meanings(LEE, short) == ["Ann Lee", None]
    rows = ["Dr. Dr. PROPN NNP 2 nmod:desc", "Lee Lee PROPN NNP verb nsubj"]
    titled = mentioned(sells("Dr. Lee", rows, entities=(Entity("person", 1, 2),)), Mention(0, 0, 2, 1, "person"))
    assert meanings(LEE, titled) == ["Ann Lee", None]
    assert meanings(LEE, short, LEE) == [None, None]


def test_another_name_in_a_chain_is_kept_as_it_is() -> None:
    other = sells("Nissan", ["Nissan Nissan PROPN NNP verb nsubj"], entities=(Entity("organization", 0, 1),))
    wrong = mentioned(other, Mention(0, 0, 1, 0, "organization"))
    assert meanings(TOYOTA, TOYOTA, wrong) == [None, None]
    assert meanings(TOYOTA, TOYOTA, wrong, it()) == ["Toyota", None]


def test_initials_stand_for_what_they_abbreviate() -> None:
    rows = ["European European PROPN NNP 3 compound", "Central Central PROPN NNP 3 compound"]
    bank = sells(
        "European Central Bank",
        [*rows, "Bank Bank PROPN NNP verb nsubj"],
        entities=(Entity("organization", 0, 3),),
    )
    ecb = sells("ECB", ["ECB ECB PROPN NNP verb nsubj"], entities=(Entity("organization", 0, 1),))
    first = mentioned(bank, Mention(0, 0, 3, 2, "organization"))
    second = mentioned(ecb, Mention(0, 0, 1, 0, "organization"))
    assert meanings(first, second, second) == ["European Central Bank", None]


@pytest.mark.parametrize(
    ("sentence", "person", "expected"), [(TOYOTA, False, "Toyota's cars"), (LEE, True, "Ann Lee's cars")]
)
def test_a_possessive_is_resolved_within_its_phrase(sentence: Analysis, person: bool, expected: str) -> None:
    owner = "her" if person else "its"
    sells_its = parsed(
        f"Somebody sells {owner} cars.",
        "Somebody somebody PRON NN 2 nsubj",
        "sells sell VERB VBZ 0 root",
        f"{owner} {owner} PRON PRP$ 4 nmod:poss",
        "cars car NOUN NNS 2 obj",
        ". . PUNCT . 2 punct",
    )
    last = mentioned(sells_its, Mention(7, 2, 4, 3, "object"), Mention(0, 2, 3, 2, "person", 0.9))
    assert meanings(sentence, last) == [None, expected]


def test_a_name_after_a_possessive_is_the_name_alone() -> None:
    rival = sells(
        "Its rival Nissan",
        ["Its its PRON PRP$ 2 nmod:poss", "rival rival NOUN NN 3 nmod:desc", "Nissan Nissan PROPN NNP verb nsubj"],
        entities=(Entity("organization", 2, 3),),
    )
    last = mentioned(rival, Mention(5, 0, 3, 2, "organization"), Mention(0, 0, 1, 0, "organization", 0.9))
    assert meanings(TOYOTA, last) == ["Nissan", None]


def test_a_predicate_does_not_become_its_subject() -> None:
    mayor = parsed(
        "Ann Lee is the mayor.",
        "Ann Ann PROPN NNP 5 nsubj",
        "Lee Lee PROPN NNP 1 flat",
        "is be AUX VBZ 5 cop",
        "the the DET DT 5 det",
        "mayor mayor NOUN NN 0 root",
        ". . PUNCT . 5 punct",
        entities=(Entity("person", 0, 2),),
    )
    last = mentioned(mayor, Mention(0, 0, 2, 0, "person"), Mention(0, 3, 5, 4, "person", 0.9))
    assert meanings(last) == [None, None]


def test_a_name_loses_its_genitive_and_keeps_the_preposition_of_an_argument() -> None:
    car = sells(
        "Toyota's boss",
        ["Toyota Toyota PROPN NNP 3 nmod:poss", "'s 's PART POS 1 case", "boss boss NOUN NN verb nsubj"],
        entities=(Entity("organization", 0, 2),),
    )
    first = mentioned(car, Mention(1, 0, 3, 2, "person"), Mention(0, 0, 2, 0, "organization"))
    works = parsed(
        "Bo works for it.",
        "Bo Bo PROPN NNP 2 nsubj",
        "works work VERB VBZ 0 root",
        "for for ADP IN 4 case",
        "it it PRON PRP 2 obl",
        ". . PUNCT . 2 punct",
    )
    last = mentioned(works, Mention(0, 3, 4, 3, "organization", 0.9))
    found = resolve([first, last], [tuples(first), tuples(last)])
    assert [(a.text, a.resolved) for e in found[-1] for a in e.args] in (
        [("it", "Toyota")],
        [("for it", "for Toyota")],
        [("for it", "for Toyota"), ("it", "Toyota")],
    )


NAMES = {
    "person": "Ann Lee; Lee; Ann; J. Lee; Anna Lee; Bob; Robert Lee; Rob Lee Jr.; Dr. Lee; Mary Ann Lee; A. Lee",
    "other": "Acme; Acme Ltd; Acme Co Ltd; Ltd; Somerset PCT; Somerset Primary Care Trust; UN; U.N.; MSAs; BE; "
    "United Nations; Metropolitan Statistical Area; GW Bridge; George Washington Bridge; Bank of England; BoE",
}


@pytest.mark.parametrize("label", list(NAMES))
def test_a_person_an_acronym_and_a_company_share_a_key_with_fuller_names(label: str) -> None:
    made = [make_wording(name, label) for name in NAMES[label].split("; ")]
    pairs = [(one, other, stands_for(one, other)) for one in made for other in made]
    found = [pair for pair in pairs if pair[2] and (label == "person" or {"acronym", "company"} & {*pair[2]})]
    assert len(found) > 5
    for short, full, _ in found:
        assert keys_of_forms(short)[0] & keys_of_forms(full)[1], (short.text, full.text)


def test_names_outside_sentences_are_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[object] = []

    def counted(short: NameWording, full: NameWording) -> tuple[str, str] | None:
        compared.append((short, full))
        return stands_for(short, full)

    monkeypatch.setattr(referents, "stands_for", counted)
    known = PassageReferents([])
    for number in range(400):
        known.number(f"Town {number}", "other")
        known.number(f"{number} Harbour Company", "organization")
        known.number(f"Ann{number} Lee{number}", "person")
    assert len(known.all) == 1_200
    assert len(compared) < 4_000


def test_the_only_fuller_name_outside_sentences_is_meant() -> None:
    known = PassageReferents([])
    grace = known.number("Grace", "person")
    assert known.number("Grace Oyelaran", "person") == grace == known.number("G. Oyelaran", "person")
    assert known.all[grace].name == "Grace Oyelaran"
    acme = known.number("Acme", "other")
    assert known.number("Acme Inc.", "organization") == acme
    trust = known.number("Somerset Primary Care Trust", "organization")
    assert known.number("Somerset PCT", "organization") == trust
    assert known.number("Grace Palmer", "person") != grace
    # Now two may be meant.
    assert known.number("Grace", "person") == grace
    assert known.number("Dr. Grace", "person") not in (acme, trust)


def test_what_a_text_says_of_the_gender_of_a_person_is_kept_for_other_documents() -> None:
    for sentence, kept in ((LEE, ["woman"]), (TOYOTA, [])):
        _, found = referents.find_referents([sentence], [list(proper_names(DependencyTree(sentence)))])
        assert [word for one in found for word in one.descriptions] == kept
