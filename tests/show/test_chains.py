"""The picture of chains: complete, escaped, inside its borders."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import Analysis, Entity, InputError, Mention, Word
from tupelo.core.coreference import Analyses, named
from tupelo.io.analyses import read_analyses
from tupelo.show.chains import draw_chains

SVG = "{http://www.w3.org/2000/svg}"


def sentence(text: str, *mentions: tuple[int, int, int], start: int = 0, document: str | None = None) -> Analysis:
    """Words between spaces; mentions are an entity and words `[start, end)`."""
    words, position = [], start
    for form in text.split(" "):
        words.append(Word(form, position, position + len(form), upos="PROPN" if form.istitle() else "NOUN"))
        position += len(form) + 1
    marked = tuple(Mention(entity, first, end, end - 1, "") for entity, first, end in mentions)
    return Analysis(text, tuple(words), start, mentions=marked, document_id=document)


NORA = sentence("Nora sold her <old> boat to Bo", (0, 0, 1), (1, 2, 5), (0, 2, 3), (2, 6, 7))
SANK = sentence("it sank", (1, 0, 1), start=31)


def parts(picture: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(picture).iter(f"{SVG}{tag}"))


def boxes(picture: str) -> list[tuple[str, str]]:
    """The chain and the tooltip of every box, whole or in parts, without the legend."""
    groups = [group for group in parts(picture, "g") if group.find(f"{SVG}path") is not None]
    return [(group.get("class", ""), group.findtext(f"{SVG}title") or "") for group in groups]


def words(picture: str) -> list[str]:
    return [text.text or "" for text in parts(picture, "text") if text.get("textLength")]


def test_chains_have_boxes_with_numbers_and_names_and_what_is_alone_has_none() -> None:
    picture = draw_chains([NORA, SANK])
    assert words(picture) == [*NORA.text.split(" "), *SANK.text.split(" ")]
    assert sorted(boxes(picture)) == [
        ("chain chain-1", "1: Nora"),
        ("chain chain-1", "1: Nora"),
        ("chain chain-2", "2: it"),
        ("chain chain-2", "2: it"),
    ]
    legend = ["".join(text.itertext()) for text in parts(picture, "text") if text.find(f"{SVG}tspan") is not None]
    assert legend == ["Nora2×", "it2×"]


def test_a_box_around_others_is_higher_and_drawn_before_them() -> None:
    heights = {}
    for group in parts(draw_chains([NORA, SANK]), "g"):
        box = group.find(f"{SVG}rect")
        if box is not None and group.find(f"{SVG}path") is not None:
            heights.setdefault(group.get("class"), []).append(float(box.get("height", "0")))
    assert max(heights["chain chain-2"]) > max(heights["chain chain-1"])
    classes = [name for name, _ in boxes(draw_chains([NORA, SANK]))]
    assert classes.index("chain chain-2") < classes.index("chain chain-1")


def test_colours_come_again_with_dashed_borders() -> None:
    many = [sentence(" ".join("x" for _ in range(9)), *((n, n, n + 1) for n in range(9)))] * 2
    picture = draw_chains(many)
    dashed = {
        group.get("class")
        for group in parts(picture, "g")
        if (path := group.find(f"{SVG}path")) is not None and path.get("stroke-dasharray")
    }
    assert dashed == {"chain chain-9"}


def test_a_name_is_what_the_chain_is_called_and_long_ones_are_cut() -> None:
    named = replace(
        NORA, entities=(Entity("person", 0, 1),), mentions=(Mention(0, 0, 7, 0, ""), Mention(0, 2, 3, 2, ""))
    )
    assert boxes(draw_chains([named]))[0][1] == "1: Nora"
    long = sentence("x" * 200, (0, 0, 1))
    assert f"{'x' * 10}" in draw_chains([long, long])
    assert any("…" in "".join(text.itertext()) for text in parts(draw_chains([long, long]), "text"))


def test_several_people_are_not_called_after_the_first() -> None:
    ann, bob = Word("Ann", 0, 3, upos="PROPN"), Word("Bob", 8, 11, upos="PROPN", head=0, deprel="conj")
    both = Mention(0, 0, 3, 0, "person")
    pair = Analysis(
        "Ann and Bob", (ann, Word("and", 4, 7), bob), entities=(Entity("person", 0, 1),), mentions=(both,)
    )
    assert named(pair, both) is None
    assert named(pair, replace(both, end=1)) == Entity("person", 0, 1)
    assert boxes(draw_chains([pair, sentence("they", (0, 0, 1))]))[0][1] == "1: Ann and Bob"


def test_several_documents_have_their_names_and_chains_of_their_own() -> None:
    one, two = (sentence("Ann left . Ann", (0, 0, 1), (0, 3, 4), document=name) for name in ("a & b", "c"))
    picture = draw_chains([one, two])
    assert {name for name, _ in boxes(picture)} == {"chain chain-1", "chain chain-2"}
    shown = ["".join(text.itertext()) for text in parts(picture, "text")]
    assert {"a & b", "c"} <= set(shown)


def test_a_document_that_comes_in_two_runs_is_drawn_whole() -> None:
    runs = [replace(NORA, document_id="a"), replace(SANK, document_id="b"), replace(NORA, document_id="a")]
    assert words(draw_chains(runs)).count("Nora") == 2


def test_a_gap_between_sentences_is_a_paragraph() -> None:
    near, far = (draw_chains([NORA, sentence("it sank", (1, 0, 1), start=start)]) for start in (31, 32))
    heights = [int(float(ElementTree.fromstring(picture).get("height", "0"))) for picture in (near, far)]
    assert heights[1] > heights[0]


def test_a_text_in_which_nothing_comes_back_says_so() -> None:
    assert "No two phrases of this text are about the same thing." in draw_chains([sentence("Nora left", (0, 0, 1))])


def test_sentences_without_mentions_are_refused() -> None:
    for nothing in ([], [replace(NORA, mentions=None)], [Analysis("", (), mentions=())]):
        with pytest.raises(InputError, match="nothing to draw: expected sentences with mentions"):
            draw_chains(nothing)


def test_words_that_share_a_token_are_drawn_once() -> None:
    du = Analysis(
        "du", (Word("de", 0, 2), Word("le", 0, 2)), mentions=(Mention(0, 0, 2, 1, ""), Mention(0, 1, 2, 1, ""))
    )
    assert words(draw_chains([du])) == ["du"]


def test_a_notebook_shows_the_chains_where_there_are_mentions() -> None:
    assert 'class="tupelo-chains"' in Analyses([NORA, SANK])._repr_html_()
    assert "tupelo-chains" not in Analyses([replace(NORA, mentions=None)])._repr_html_()


def test_the_picture_in_the_pages_is_drawn_from_the_example_beside_them() -> None:
    docs = Path(__file__).parents[2] / "docs"
    example = read_analyses(docs / "examples/small-chains.conllu")
    assert draw_chains(example) == (docs / "assets/chains.svg").read_text(encoding="utf-8")


@given(
    st.lists(
        st.tuples(
            st.lists(st.text(min_size=1, max_size=90).filter(str.strip), min_size=1, max_size=12),
            st.lists(st.tuples(st.integers(0, 3), st.integers(0, 11), st.integers(1, 12)), max_size=8),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_everything_is_well_formed_and_inside_the_picture(rows) -> None:
    analyses = []
    for forms, mentions in rows:
        inside = [(entity, first, min(end, len(forms))) for entity, first, end in mentions]
        made = sentence(" ".join(form.replace(" ", "_") for form in forms))
        marked = tuple(Mention(e, a, b, a, "") for e, a, b in inside if a < b <= len(made.words))
        analyses.append(replace(made, mentions=marked, document_id="<d>\x00"))
    picture = draw_chains(analyses)
    width, height = (float(ElementTree.fromstring(picture).get(side, "0")) for side in ("width", "height"))
    for element in parts(picture, "text"):
        x, y = float(element.get("x", "0")), float(element.get("y", "0"))
        assert x >= 0
        assert x + float(element.get("textLength", "0")) <= width
        assert y <= height
    for box in parts(picture, "rect")[1:]:
        assert float(box.get("x", "0")) + float(box.get("width", "0")) <= width
    for path in parts(picture, "path"):
        assert all(float(number) <= max(width, height) for number in re.findall(r"-?[\d.]+", path.get("d", "")))
