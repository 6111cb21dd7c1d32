"""ClearNLP dependencies to UD, on parses that en_core_web_md 3.8.0 gave with spaCy for sentences of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tupelo.core import Analysis, Entity, InputError, Word
from tupelo.extract.rules import RuleExtractor
from tupelo.nlp.adapters.spacy import ENTITY_LABELS, UNIVERSAL, convert, needs_conversion

RECORDED = [
    json.loads(line) for line in (Path(__file__).parent / "spacy_parses.jsonl").read_text("utf-8").splitlines()
]


def converted(text: str) -> Analysis:
    row = next(row for row in RECORDED if row["text"] == text)
    entities = tuple(Entity(ENTITY_LABELS.get(label, "other"), *span) for label, *span in row["entities"])
    heads, labels = convert(
        [(form, upos, xpos) for form, _, _, upos, xpos, _, _ in row["words"]],
        [head for *_, head, _ in row["words"]],
        [label for *_, label in row["words"]],
        [(entity.start, entity.end) for entity in entities if entity.label == "person"],
    )
    words = tuple(
        Word(form, start, start + len(form), lemma, upos, xpos, "", head, label)
        for (form, start, lemma, upos, xpos, _, _), head, label in zip(row["words"], heads, labels, strict=True)
    )
    return Analysis(text, words, entities=entities)


def arcs(text: str) -> dict[str, str]:
    words = converted(text).words
    return {w.text: f"{w.deprel} {'' if w.head is None else words[w.head].text}".strip() for w in words}


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: row["text"])
def test_every_sentence_becomes_a_tree_with_universal_relations(row: dict[str, str]) -> None:
    analysis = converted(row["text"])
    assert sum(word.head is None for word in analysis.words) == 1
    assert {str(word.deprel).partition(":")[0] for word in analysis.words} <= UNIVERSAL
    for index in range(len(analysis.words)):
        place, steps = index, 0
        while (head := analysis.words[place].head) is not None:
            place, steps = head, steps + 1
            assert steps <= len(analysis.words), "heads form a cycle"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ann bought a house in Oslo.", {"house": "obj bought", "in": "case Oslo", "Oslo": "obl bought"}),
        ("Ann is a nurse.", {"Ann": "nsubj nurse", "is": "cop nurse", "nurse": "root", ".": "punct nurse"}),
        ("Ann is happy about it.", {"is": "cop happy", "it": "obl happy", "about": "case it"}),
        ("It is in Oslo.", {"is": "cop Oslo", "in": "case Oslo", "Oslo": "root"}),
        ("The plan is to leave.", {"plan": "nsubj:outer leave", "is": "cop leave", "to": "mark leave"}),
        ("There are three cats on the mat.", {"There": "expl are", "cats": "nsubj are", "mat": "nmod cats"}),
        (
            "The house was sold by Ann to Bo for money.",
            {"house": "nsubj:pass sold", "was": "aux:pass sold", "Ann": "obl:agent sold", "Bo": "obl sold"},
        ),
        ("He gave her a book.", {"her": "iobj gave", "book": "obj gave"}),
        ("She gave up her job.", {"up": "compound:prt gave", "her": "nmod:poss job"}),
        (
            "Bo, who lives in Oslo, wants to leave.",
            {"lives": "acl:relcl Bo", "to": "mark leave", "Oslo": "obl lives"},
        ),
        ("Before leaving, he kept talking about cooking.", {"Before": "mark leaving", "leaving": "advcl kept"}),
        ("Ann and Bo sang and danced.", {"Bo": "conj Ann", "danced": "conj sang"}),
        ("She lived in Oslo, Bergen and Paris.", {"Bergen": "conj Oslo", "Paris": "conj Oslo", "and": "cc Paris"}),
        ("She wants him to leave.", {"him": "obj wants", "leave": "xcomp wants"}),
        ("They elected him president.", {"him": "obj elected", "president": "xcomp elected"}),
        ("According to Ann, it costs 5 million dollars.", {"to": "fixed According", "Ann": "obl costs"}),
        ("Because of the rain, we stayed.", {"Because": "case rain", "of": "fixed Because", "rain": "obl stayed"}),
        ("Out of the house came Ann.", {"Out": "case house", "of": "fixed Out"}),
        ("Instead of waiting, she called the police.", {"of": "fixed Instead", "waiting": "advcl called"}),
        ("The firm paid $ 5 million for it.", {"$": "obj paid", "million": "nummod $"}),
        ("The city's mayor, Ann Lee, did not come yesterday.", {"Lee": "flat Ann", "yesterday": "obl:unmarked come"}),
    ],
)
def test_structures_that_the_two_schemes_build_differently(text: str, wanted: dict[str, str]) -> None:
    found = arcs(text)
    assert {word: found[word] for word in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "tuples"),
    [
        ("Ann bought a house in Oslo.", {"(Ann; bought; a house; in Oslo)", "(Ann; bought a house in; Oslo)"}),
        ("Ann is a nurse.", {"(Ann; is; a nurse)"}),
        ("The house was sold by Ann to Bo for money.", {"(The house; was sold by; Ann)"}),
        ("Bo, who lives in Oslo, wants to leave.", {"(Bo; lives in; Oslo)"}),
        ("The city's mayor, Ann Lee, did not come yesterday.", {"(Ann Lee; is; The city's mayor)"}),
        ("He said that she left because it rained.", {"(He; said that; she left because it rained)"}),
    ],
)
def test_the_rules_read_the_converted_parse(text: str, tuples: set[str]) -> None:
    (found,) = RuleExtractor().extract([converted(text)])
    assert tuples <= {str(extraction) for extraction in found}


def test_labels_that_are_neither_clearnlp_nor_universal_are_refused() -> None:
    assert needs_conversion(["ROOT", "nsubj", "dobj", "prep"], "en_core_web_sm", "en")
    assert not needs_conversion(["ROOT", "nsubj", "obl:agent"], "fr_core_news_sm", "fr")
    assert not needs_conversion((), "en", "en")
    with pytest.raises(InputError, match=r"model 'de_core_news_sm' labels dependencies as ag, oa, sb, expected Univ"):
        needs_conversion(["ROOT", "sb", "oa", "ag"], "de_core_news_sm", "de")
