"""Any text is split into words, sentences and subwords, and its names are resolved, in linear time.

Operations are counted, not seconds; patterns are counted in `tests/contract/test_patterns.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from benchmarks.hostile.texts import NAMED, text
from tests.operations import growth, operations
from tupelo.core import Analysis, Entity, Mention, Passage, Word
from tupelo.extract.postprocess import deduplicate
from tupelo.extract.rules import RuleExtractor
from tupelo.names.coreference import find_references
from tupelo.nlp.prepare import (
    LONGEST_SENTENCE,
    Splitter,
    cut_passages,
    given_tokens,
    paragraphs,
    split_sentences,
    whole_sentence,
)
from tupelo.nlp.subwords import END, START, UNKNOWN, Subwords, shape_of
from tupelo.nlp.tokens import tokenize

# n log n at these sizes is below 2.4.
MOST_GROWTH = 2.5
TEXTS = [
    "ordinary",
    *(name for name in NAMED if name.startswith(("nested", "spaces", "blank", "one long", "closing", "opening"))),
    *(
        f"{fragment!r} repeated"
        for fragment in ("(", '"', "' ", "a@", "a-", "1-", "a.", "\n", " \n", "don't", "汉", "a ")
    ),
    "short lines",
    "wrapped lines",
    "growing lines",
]
SPLITTER = Splitter({"bias": -1.0, "k=.s": 3.0, "k=!s": 3.0})


def sentences(given: str) -> list[object]:
    passages = cut_passages(Passage(given, 0))
    return [found for passage in passages for found in split_sentences(passage, SPLITTER)]


def subwords(given: str) -> list[object]:
    # A new cache for each text: what is remembered would look like less than linear work.
    fresh = Subwords([UNKNOWN, START, END, *"abcdefghij", *(f"##{letter}" for letter in "abcdefghij")])
    return [(fresh.cut(form), shape_of(form)) for form in whole_sentence(Passage(given, 0)).forms]


def words(given: str) -> list[object]:
    from tupelo.nlp import tokens

    tokens._MEMORY.clear()
    return list(tokenize(given))


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "paragraphs": lambda given: list(paragraphs(given)),
    "words": words,
    "sentences": sentences,
    "given words": lambda given: given_tokens(Passage(given, 0)),
    "subwords": subwords,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_text_is_prepared_in_linear_time(name: str) -> None:
    # What is made of whole sentences or one word needs several of them, or a word beyond the longest that is cut.
    size = 800 if name in ("ordinary", "one long word") else 160
    found = {stage: growth(run, NAMED[name], size) for stage, run in FUNCTIONS.items()}
    assert {stage: factor for stage, factor in found.items() if factor > MOST_GROWTH} == {}


def test_quadratic_work_is_seen() -> None:
    """Through code of the package: every sentence again for every sentence."""
    again: Callable[[str], object] = lambda given: [list(paragraphs(given)) for _ in given]  # noqa: E731
    assert growth(again, NAMED["short lines"], 50) > 3.5


def test_long_sentences_are_split_and_say_so() -> None:
    given = text("one long sentence", 3 * LONGEST_SENTENCE)
    found = [item for passage in cut_passages(Passage(given, 0)) for item in split_sentences(passage, SPLITTER)]
    assert [item.partial for item in found] == [True, True, True, False][-len(found) :]
    assert len(found) >= 3
    assert all(len(item.text) <= LONGEST_SENTENCE for item in found)
    assert " ".join(item.text for item in found) == given


def person(number: int) -> Analysis:
    name = "".join(chr(ord("a") + int(digit)) for digit in str(number)).title()
    made = (Word("Ann", 0, 3), Word(name, 4, 4 + len(name)), Word("left", 5 + len(name), 9 + len(name)))
    return Analysis(f"Ann {name} left", made, entities=(Entity("person", 0, 2),), document_id="d")


@pytest.mark.slow
def test_a_document_full_of_people_is_read_in_linear_time() -> None:
    def people(count: int) -> list[Analysis]:
        return list(map(person, range(count)))

    # With fewer, each is compared with each, which is bounded.
    assert growth(find_references, people, 300) < MOST_GROWTH


@pytest.mark.slow
def test_a_document_full_of_mentions_is_read_in_linear_time() -> None:
    def mentioned(count: int) -> list[Analysis]:
        """Sentences about one entity, which each calls by another name."""
        return [replace(person(number), mentions=(Mention(0, 0, 2, 0, "person"),)) for number in range(count)]

    assert growth(find_references, mentioned, 220) < MOST_GROWTH


def chain(count: int) -> list[Analysis]:
    """One sentence: *Ann saw Bob and Ann saw Bob and …*, every verb attached to the first."""
    return [Analysis("".join(form + " " for form, *_ in forms(count)), tuple(chained(count)), document_id="d")]


def forms(count: int) -> Iterator[tuple[str, str, str, str, int]]:
    for _ in range(count):
        yield "Ann", "PROPN", "NNP", "nsubj", 1
        yield "saw", "VERB", "VBD", "conj", 0
        yield "Bob", "PROPN", "NNP", "obj", -1
        yield "and", "CCONJ", "CC", "cc", 2


def chained(count: int) -> Iterator[Word]:
    place = 0
    for index, (form, upos, xpos, deprel, step) in enumerate(forms(count)):
        head: int | None = index + step if step else 1
        if index == 1:
            head, deprel = None, "root"
        if form == "and" and index + 2 >= 4 * count:
            head = 1
        yield Word(form, place, place + len(form), form.lower(), upos, xpos, "", head, deprel)
        place += len(form) + 1


def test_rules_on_a_chain_of_clauses() -> None:
    extractor = RuleExtractor()

    def run(analyses: list[Analysis]) -> object:
        return [deduplicate(found) for found in extractor.extract(analyses)]

    assert operations(run, chain(4)) > 100
    assert growth(run, chain, 10) < MOST_GROWTH
