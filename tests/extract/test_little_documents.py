"""Thirty little documents and what their pronouns, short names and descriptions refer to, with the real weights.

The answers were written before any program had seen the documents. `resolved` are arguments with the name that they
should get, `unresolved` those that should get none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tupelo
from tests.nlp.test_shipped import TEXT
from tupelo.api.text import Toolkit

pytestmark = pytest.mark.model

DOCUMENTS = json.loads(Path(__file__).with_name("little_documents.json").read_text(encoding="utf-8"))
# What must hold whatever the weights; of all answers, this share.
CERTAIN = ("Marie Curie", "The senator", "Fawzi al-Odah")
LEAST = 0.7


@pytest.fixture(scope="module")
def nlp() -> Toolkit:
    return tupelo.load(threads=1)


def wrong(nlp: Toolkit, document: dict[str, Any]) -> list[tuple[str, set[str | None]]]:
    """Arguments that should have been resolved otherwise, with what they got."""
    found: dict[str, set[str | None]] = {}
    for extraction in nlp.extract(document["text"], prepositions="relation"):
        for argument in extraction.arguments:
            found.setdefault(argument.text, set()).add(argument.resolved)
    wanted = document.get("resolved", {}) | dict.fromkeys(document.get("unresolved", ()))
    return [(text, found.get(text, set())) for text, name in wanted.items() if found.get(text, {None}) != {name}]


@pytest.mark.parametrize("begins", CERTAIN)
def test_what_must_hold(nlp: Toolkit, begins: str) -> None:
    (document,) = (document for document in DOCUMENTS if document["text"].startswith(begins))
    assert wrong(nlp, document) == []


def test_most_answers_are_right(nlp: Toolkit) -> None:
    failed = sum(len(wrong(nlp, document)) for document in DOCUMENTS)
    asked = sum(len(document.get("resolved", ())) + len(document.get("unresolved", ())) for document in DOCUMENTS)
    assert asked > 40
    assert 1 - failed / asked >= LEAST


@pytest.mark.process
def test_mentions_are_the_same_for_any_batch_size_and_number_of_processes(nlp: Toolkit) -> None:
    texts = [TEXT * 20, *(document["text"] for document in DOCUMENTS)] * 3
    wanted = list(nlp.parser.analyze(texts, constituents=False, coreference=True))
    assert any(analysis.mentions for analysis in wanted)
    with tupelo.load(workers=2, batch_size=3) as pool:
        assert list(pool.parser.analyze(texts, constituents=False, coreference=True)) == wanted
