"""What the benchmark of coreference counts, on chains made by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import coref
from benchmarks.coref import chain_figures, gap_answer, only_sure, pronoun_figures, raw_documents
from benchmarks.gap import GapAnswer
from tupelo.core import Analysis, Entity, Mention, Word

TAGS = {"Ann": "PROPN", "Bo": "PROPN", "Lee": "PROPN", "she": "PRON", "her": "PRON", "it": "PRON"}


def sentence(text: str, *mentions: tuple[int, int, int], start: int = 0, names: bool = True) -> Analysis:
    """Words between spaces; mentions are an entity and words `[start, end)`, whose last word is the head."""
    words, position = [], start
    for form in text.split(" "):
        words.append(Word(form, position, position + len(form), upos=TAGS.get(form, "NOUN")))
        position += len(form) + 1
    entities = [Entity("person", i, i + 1) for i, word in enumerate(words) if word.upos == "PROPN" and names]
    marked = tuple(Mention(entity, first, end, end - 1, "person") for entity, first, end in mentions)
    return Analysis(text, tuple(words), start, entities=tuple(entities), document_id="d", mentions=marked)


GOLD = [
    sentence("Ann Lee met Bo", (0, 0, 2), (1, 3, 4), names=False),
    sentence("she saw it", (0, 0, 1), (2, 2, 3), names=False),
    sentence("her dog left", (3, 0, 2), (0, 0, 1), names=False),
]


def test_a_pronoun_is_right_when_the_name_in_its_chain_is_of_its_entity() -> None:
    perfect = [
        replace(analysis, entities=named.entities) for analysis, named in zip(GOLD, predictions(0, 0), strict=True)
    ]
    row = pronoun_figures(GOLD, perfect)["all"]
    assert (row["recall"], row["precision"], row["counted"], row["all pronouns"]) == (100, 100, 2, 3)


def predictions(she: int, her: int, it: int = 5) -> list[Analysis]:
    """The same text with other words; 0 is Ann Lee, 1 is Bo."""
    return [
        sentence("Ann Lee met", (0, 0, 2)),
        sentence("Bo she saw it", (1, 0, 1), (she, 1, 2), (it, 3, 4)),
        sentence("her dog left", (her, 0, 1)),
    ]


def test_recall_and_precision_differ_where_a_pronoun_has_no_name() -> None:
    table = pronoun_figures(GOLD, predictions(she=0, her=7))
    assert (table["she"]["recall"], table["she"]["precision"]) == (50, 100)
    wrong = pronoun_figures(GOLD, predictions(she=1, her=0))["she"]
    assert (wrong["recall"], wrong["precision"], wrong["resolved"], wrong["right"]) == (50, 50, 2, 1)


def test_pronouns_that_extraction_leaves_unresolved_are_not_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    references = [{}, {1: "Ann Lee"}, {0: "Ann Lee"}]
    monkeypatch.setattr(coref, "find_references", lambda analyses: references)
    assert pronoun_figures(GOLD, only_sure(predictions(0, 0)))["she"]["recall"] == 100
    references = [{}, {}, {0: "Ann Lee"}]
    assert pronoun_figures(GOLD, only_sure(predictions(0, 0)))["she"]["resolved"] == 1


def test_of_several_names_the_last_one_before_the_pronoun_counts() -> None:
    merged = [replace(a, mentions=tuple(replace(m, entity=0) for m in a.mentions or ())) for a in predictions(0, 0)]
    assert pronoun_figures(GOLD, merged)["she"]["right"] == 0


def test_pronouns_that_gold_links_to_no_name_count_only_over_all() -> None:
    row = pronoun_figures(GOLD, predictions(0, 0, it=1))["it"]
    assert (row["counted"], row["all pronouns"], row["precision over all"]) == (0, 1, 0)
    assert pronoun_figures(GOLD, predictions(0, 0, it=1))["all"]["precision over all"] == pytest.approx(100 * 2 / 3)


def test_chains_are_scored_with_and_without_singletons() -> None:
    table = chain_figures(GOLD, predictions(0, 0))
    assert table["without singletons"]["CoNLL F1"] == 100
    assert table["with singletons"]["mentions R"] == pytest.approx(100 * 5 / 6)


@pytest.mark.parametrize(("she", "expected"), [(0, (True, False)), (1, (False, True)), (7, (False, False))])
def test_gap_asks_whether_the_name_is_in_the_chain(she: int, expected: tuple[bool, bool]) -> None:
    row = {"Pronoun": "she", "Pronoun-offset": "15", "A": "Ann Lee", "A-offset": "0", "B": "Bo", "B-offset": "12"}
    text = [sentence("Ann Lee met", (0, 0, 2)), sentence("Bo she saw it", (1, 0, 1), (she, 1, 2), start=12)]
    assert gap_answer(text, row) == GapAnswer(*expected)


def test_a_pronoun_inside_a_longer_mention_alone_means_nobody() -> None:
    row = {"Pronoun": "her", "Pronoun-offset": "8", "A": "Ann", "A-offset": "0", "B": "Bo", "B-offset": "4"}
    assert gap_answer([sentence("Ann Bo, her dog", (0, 0, 1), (0, 2, 4))], row) == GapAnswer(False, False)


def test_raw_documents_are_paragraphs_with_blank_lines_between(tmp_path: Path) -> None:
    block = "# text = Go\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    file = tmp_path / "two.conllu"
    file.write_text(f"# newdoc id = a\n{block}# newpar\n{block}{block}# newdoc id = b\n{block}", encoding="utf-8")
    assert list(raw_documents(file)) == [("a", "Go\n\nGo Go"), ("b", "Go")]
