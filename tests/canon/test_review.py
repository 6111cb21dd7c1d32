"""Confidence, doubts, names, and the page for people, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser import becomes, expect
from tests.canon.mentions import HARBOUR, mention
from tupelo.canon.canonicalizer import MethodCanonicalizer, check_mentions
from tupelo.canon.clusters import Confidence, nested_types, probability, telling_name
from tupelo.canon.type_names import TypeNames, kind_votes, wider_name
from tupelo.core import InputError
from tupelo.core.canonical import Canonicalization, Cluster, Doubt, Member
from tupelo.io.clusters import read_corrections
from tupelo.io.lines import Lines
from tupelo.show.review_pages import review_page
from tupelo_training.canon.cuts import link_edges
from tupelo_training.canon.untrained import SharedTokens

HOSTILE = '<img src=x onerror="document.title=1">"\'&'


def test_a_name_is_known_and_says_something() -> None:
    assert telling_name(["Biden", "Joe Biden", "Joe Biden", "J. Biden"]) == "Joe Biden"
    assert telling_name(["1984", "Nineteen"]) == "Nineteen"
    assert telling_name(["b", "a"]) == "a"


def test_probability_falls_with_height_and_is_even_at_the_threshold() -> None:
    assert probability(0.5, 0.5) == 0.5
    assert probability(0.1, 0.5) > 0.95
    assert probability(0.9, 0.5) < 0.05
    assert (probability(0, 0), probability(0.1, 0)) == (1.0, 0.5)


def test_close_calls_are_doubts_and_firm_clusters_are_sure() -> None:
    tree = link_edges(5, [(0, 1, 0.05), (0, 2, 0.49), (3, 4, 0.53)], "single")
    confidence = Confidence(tree.labels, 0.5)
    assert confidence.of([0, 1]) > 0.95
    assert 0.5 < confidence.of([0, 1, 2]) < 0.75
    assert confidence.of([3]) == 1.0
    doubts = confidence.doubts("entity", ["a", "b", "c", "d", "e"])
    assert {(doubt.left, doubt.right, doubt.joined) for doubt in doubts} == {
        (("a", "b"), ("c",), True),
        (("d",), ("e",), False),
    }


def test_levels_that_do_not_nest_have_doubts_too() -> None:
    levels = {0.5: [0, 0, 1, 1, 2], 0.52: [0, 1, 1, 2, 2]}
    confidence = Confidence(lambda height: np.array(levels[0.5 if height <= 0.5 else 0.52]), 0.5)
    doubts = confidence.doubts("entity", ["a", "b", "c", "d", "e"])
    assert {(doubt.left, doubt.right) for doubt in doubts} == {(("b",), ("c",)), (("d",), ("e",))}


def test_types_are_called_what_sentences_call_them() -> None:
    said = mention(1, "Ann Berg", "lives in", "Oslo", "Ann Berg , a Norwegian painter , lives in Oslo .")
    assert kind_votes(said, Member("1", "subject")) == {"artist": 2, "person": 1}
    called = mention(2, "Vorma", "is river in", "Norway", "Vorma is a river in Norway .")
    assert kind_votes(called, Member("2", "subject")) == {"river": 2}
    assert kind_votes(called, Member("2", "object")) == {"country": 1}


def test_types_have_the_narrowest_name_that_their_members_agree_on() -> None:
    people = [
        mention(1, "Marie Curie", "won", "the Nobel Prize", "Marie Curie , a physicist , won the Nobel Prize ."),
        mention(2, "Pierre Curie", "died in", "1906", ""),
        mention(3, "Edith Piaf", "sang in", "Paris", "Edith Piaf , a French singer , sang in Paris ."),
        mention(4, "Curie", "died in", "5 May 1867", ""),
        mention(5, "Maria Callas", "sang in", "Milan", "Maria Callas , a soprano , sang in Milan ."),
    ]
    by_id = {each.id: each for each in people}
    subjects, objects = ([Member(each.id, slot) for each in people] for slot in ("subject", "object"))
    names = TypeNames([*subjects, *objects], by_id)
    assert names.name(subjects) == "person"
    assert names.name([subjects[2], subjects[4]]) == "musician"
    assert names.name([objects[1], objects[3]]) == "date"
    assert names.name([objects[0]]) == "award"
    # A surname is no type.
    assert names.name([subjects[3]]) is None


def test_a_wider_type_has_the_narrowest_kind_of_the_types_below() -> None:
    assert wider_name([("river", 200), ("bridge", 14)]) == "place"
    assert wider_name([("river", 2), ("river", 3), ("thing", 4)]) == "river"
    assert wider_name([("bird", 2), ("thing", 9)]) == "thing"
    assert wider_name([("league", 2), ("team", 3)]) == "organization"
    assert wider_name([("date", 2), ("date", 2)]) == "date"
    # A website and an award have nothing in common; an actress is no kind that is known.
    assert wider_name([("website", 5), ("award", 5)]) == wider_name([("actress", 5)]) == "thing"


def test_a_type_whose_members_say_nothing_has_the_name_of_the_wider_type() -> None:
    names = ("Ann Berg", "Eva Ek", "Vlk")
    rows = [mention(number, name, "knows", "Bo Ek", "") for number, name in enumerate(names, start=1)]
    members = [Member(row.id, "subject") for row in rows]
    found = nested_types(
        [members[:2], members[2:]],
        lambda share: np.array([0, 0, 0] if share > 1 else [0, 0, 1]),
        members,
        {row.id: row for row in rows},
        lambda group: 1.0,
    )
    assert [cluster.name for cluster in found] == ["person", "person", "person"]


def test_clusters_are_the_same_whatever_the_order_of_the_mentions() -> None:
    canonicalizer = MethodCanonicalizer(SharedTokens())
    assert canonicalizer.canonicalize(HARBOUR) == canonicalizer.canonicalize(HARBOUR[::-1])
    assert canonicalizer.canonicalize([]) == Canonicalization()
    (alone,) = canonicalizer.canonicalize(HARBOUR[:1]).relations
    assert (alone.name, alone.confidence) == ("was born in", 1.0)


def test_bad_mentions_are_refused() -> None:
    with pytest.raises(InputError, match="two mentions have the id '1'"):
        check_mentions([HARBOUR[0], HARBOUR[0]])
    with pytest.raises(InputError, match="mention 'x' has an empty relation"):
        check_mentions([mention("x", "a", " ", "b")])


def page_text() -> str:
    mentions = {str(n): mention(n, f"form {n} {HOSTILE}", "r", "o", f"See {HOSTILE}") for n in (1, 2)}
    members = (Member("1", "subject"), Member("2", "subject"))
    cluster = Cluster("e1", "entity", HOSTILE, members, (f"form 1 {HOSTILE}", "form 2"), 0.51)
    doubts = (
        Doubt("entity", ("Joe\tBiden", "Biden"), ("Hunter Biden",), 0.52, True),
        Doubt("relation", (HOSTILE,), ("is in",), 0.4, False),
    )
    return review_page(Canonicalization(entities=(cluster,), doubts=doubts, mentions=mentions, method=HOSTILE))


@pytest.mark.process
@pytest.mark.browser
def test_decisions_on_the_page_become_a_file_of_corrections(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "review.html"
    path.write_text(page_text(), encoding="utf-8")
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    expect(page).to_have_title("Review of clusters")
    expect(page.locator(".doubt")).to_have_count(2)
    # Borderline merges stand above the clusters.
    assert page.locator(".doubt").first.bounding_box()["y"] < page.locator(".cluster").first.bounding_box()["y"]
    page.locator("#doubt-0 button", has_text="Different").click()
    page.locator("#doubt-1 button", has_text="Same").click()
    corrections = page.locator("#corrections")
    becomes(page, lambda: len(corrections.input_value().splitlines()), 2)
    text = corrections.input_value()
    with page.expect_download() as download:
        page.locator("#save").click()
    assert download.value.path().read_text("utf-8") == text
    first, second = read_corrections(Lines(text.splitlines()))
    assert (first.together, first.left, first.right) == (False, "Joe Biden", "Hunter Biden")
    assert (second.together, second.left) == (True, HOSTILE)
    # A second click takes a decision back.
    page.locator("#doubt-0 button", has_text="Different").click()
    becomes(page, lambda: len(corrections.input_value().splitlines()), 1)
    page.locator("#filter").fill("nothing has this")
    expect(page.locator(".cluster").first).not_to_be_visible()
    # Nothing of the data was taken for markup, and nothing was loaded from anywhere.
    expect(page.locator("img")).to_have_count(0)
    expect(page).to_have_title("Review of clusters")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    page.close()


def test_the_page_escapes_everything() -> None:
    text = page_text()
    assert "<img" not in text
    assert "onerror=&quot;" in text
