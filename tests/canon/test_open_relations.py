"""The parts of open text on which joined relations are judged."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from benchmarks.open_relations import PARTS, documents, order_of, passages_by_title


def test_parts_share_no_document(shared: Path) -> None:
    parts = [documents(shared / "data", part) for part in PARTS]
    assert all(len(part) >= 100 for part in parts)
    for one, other in combinations(parts, 2):
        assert one.keys().isdisjoint(other)
        assert set(one.values()).isdisjoint(other.values())


def test_third_part_is_half_news_and_half_articles_of_the_end_of_the_order(shared: Path) -> None:
    third = documents(shared / "data", "third")
    articles = [name for name in third if not name.startswith("news ")]
    assert (len(third), len(articles)) == (100, 55)
    others = [title for title, _ in passages_by_title(shared / "data") if title not in third]
    assert max(map(order_of, others)) < min(map(order_of, articles))
