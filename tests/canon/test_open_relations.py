"""The parts of open text on which joined relations are judged."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from benchmarks.open_relations import (
    FRESH_ABSTRACTS,
    FRESH_NEWS,
    LONG,
    PARTS,
    documents,
    order_of,
    passages_by_title,
    runs,
)


@pytest.fixture(scope="module")
def parts(shared: Path) -> dict[str, dict[str, str]]:
    """The documents of every part by name."""
    return {part: documents(shared / "data", part) for part in PARTS}


@pytest.mark.slow
def test_parts_share_no_document(parts: dict[str, dict[str, str]]) -> None:
    assert all(len(part) >= 100 for part in parts.values())
    for one, other in combinations(parts.values(), 2):
        assert one.keys().isdisjoint(other)
        assert set(one.values()).isdisjoint(other.values())


@pytest.mark.slow
def test_third_part_is_half_news_and_half_articles_of_the_end_of_the_order(
    shared: Path, parts: dict[str, dict[str, str]]
) -> None:
    third = parts["third"]
    articles = [name for name in third if not name.startswith("news ")]
    assert (len(third), len(articles)) == (100, 55)
    others = [title for title, _ in passages_by_title(shared / "data") if title not in third]
    assert max(map(order_of, others)) < min(map(order_of, articles))


@pytest.mark.slow
def test_last_parts_are_long_news_and_abstracts_that_share_no_run_of_words_with_the_others(
    parts: dict[str, dict[str, str]],
) -> None:
    known = set[int]()
    for part, found in parts.items():
        if part in ("fourth", "fifth"):
            assert sum(name.startswith("news ") for name in found) == FRESH_NEWS
            assert sum(name.startswith("abstract ") for name in found) == FRESH_ABSTRACTS
            assert all(len(text) >= LONG and known.isdisjoint(runs(text)) for text in found.values())
        known.update(*map(runs, found.values()))


def test_runs_of_words_know_neither_case_nor_marks() -> None:
    assert runs("One two, three four. Five six seven eight!") == runs("one TWO three four five six seven (eight)")
    assert len(runs("a b c d e f g h i")) == 2
    assert runs("too short") == set()
