"""CoNLL-2012, and what brackets around mentions can say in every format."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import Analysis, Entity, FormatError, Mention, Word
from tupelo.io import conll, conllu
from tupelo.io.lines import Lines

MILL = """\
#begin document (mill); part 000
mill\t0\t0\tNora\tNNP\t-\tNora\t-\t-\t-\t(person*\t(0
mill\t0\t1\tHay\tNNP\t-\tHay\t-\t-\t-\t*)\t0)
mill\t0\t2\tsold\tVBD\t-\tsell\t-\t-\t-\t*\t-
mill\t0\t3\ther\tPRP$\t-\ther\t-\t-\t-\t*\t(1|(0)
mill\t0\t4\tboat\tNN\t-\tboat\t-\t-\t-\t*\t1)

mill\t0\t0\tIt\tPRP\t-\tit\t-\t-\t-\t*\t(1)
mill\t0\t1\tsank\tVBD\t-\tsink\t-\t-\t-\t*\t-

#end document
"""


def read(text: str) -> list[Analysis]:
    return list(conll.read(Lines(text.splitlines(keepends=True), "mill.conll")))


def placed(analysis: Analysis) -> list[tuple[int, int, int]]:
    return [(mention.entity, mention.start, mention.end) for mention in analysis.mentions or ()]


def test_mentions_names_tags_and_lemmas_are_read() -> None:
    first, second = read(MILL)
    assert (first.text, first.document_id) == ("Nora Hay sold her boat", "mill")
    assert placed(first) == [(0, 0, 2), (1, 3, 5), (0, 3, 4)]
    assert placed(second) == [(1, 0, 1)]
    assert first.entities == (Entity("person", 0, 2),)
    assert (first.words[3].xpos, first.words[2].lemma) == ("PRP$", "sell")
    assert all(mention.head == mention.end - 1 for mention in first.mentions or ())


def test_what_is_written_is_what_was_read() -> None:
    assert "".join(conll.write(read(MILL))) == MILL


def test_columns_may_be_separated_by_spaces_and_a_few_are_enough() -> None:
    (analysis,) = read("#begin document (x); part 000\nx 0 0 Nora (12)\nx  0  1  left  -\n\n#end document\n")
    assert placed(analysis) == [(0, 0, 1)]
    assert (analysis.words[0].xpos, analysis.entities) == (None, None)


def test_an_empty_last_column_is_no_mention() -> None:
    # As LitBank writes it.
    (analysis,) = read("#begin document (x); part 0\nx\t0\t0\tNora\t_\t_\t_\t_\t_\t_\t_\t_\t\n#end document\n")
    assert analysis.mentions == ()
    assert (analysis.words[0].xpos, analysis.entities) == (None, None)


def test_parts_are_documents_with_entities_of_their_own() -> None:
    second = MILL.replace("part 000", "part 001").replace("mill\t0", "mill\t1")
    found = read(MILL + second)
    assert [analysis.document_id for analysis in found] == ["mill", "mill", "mill; part 001", "mill; part 001"]
    assert placed(found[2]) == placed(found[0])
    assert "".join(conll.write(found)) == MILL + second


def test_a_document_without_a_name_has_no_id() -> None:
    (analysis,) = read("".join(conll.write([Analysis("Go", (Word("Go", 0, 2),), mentions=())])))
    assert analysis.document_id is None


def test_a_name_with_brackets_and_spaces_comes_back() -> None:
    named = Analysis("Go", (Word("Go", 0, 2),), mentions=(), document_id="my (old) text; part two).txt")
    assert read("".join(conll.write([named])))[0].document_id == named.document_id


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (("\t(0\n", "\t(0|\n"), r"mill\.conll:2: mention '', expected '\(7', '7\)' or '\(7\)'"),
        (("\t(0\n", "\t0\n"), r"mill\.conll:2: mention '0'"),
        (("\t(0\n", "\t((0\n"), r"mill\.conll:2: mention '\(\(0'"),
        (
            ("\t0)\n", "\t-\n"),
            r"mill\.conll:2: a mention of '0' without an end, expected its end in",
        ),
        (("\t(0\n", "\t-\n"), r"mill\.conll:3: the end of a mention of '0', expected its beginning"),
        (("\t(person*", "\tperson*"), r"mill\.conll:2: named entity 'person\*'"),
        (("\t*)\t0)", "\t*\t0)"), r"mill\.conll:2: a mention of 'a name' without an end"),
        (("mill\t0\t1\tHay", "mill\t0\t1\t"), r"mill\.conll:3: an empty word"),
        (
            ("mill\t0\t1\tsank\tVBD\t-\tsink\t-\t-\t-\t*\t-", "mill\t0\tx"),
            r"mill\.conll:9: 3 column\(s\), expected 5",
        ),
        (("#begin document (mill); part 000\n", ""), r"mill\.conll:1: a word outside of every document"),
        (("#end document\n", ""), r"mill\.conll:1: a document without an end, expected '#end document'"),
        (("\n\n", "\n#begin document (two)\n"), r"mill\.conll:7: a document inside the one of line 1"),
    ],
)
def test_a_faulty_line_is_named(damage: tuple[str, str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(MILL.replace(*damage, 1))


def test_a_faulty_sentence_is_skipped_and_the_next_one_is_read() -> None:
    faults: list[FormatError] = []
    lines = Lines(MILL.replace("\t0)\n", "\t-\n", 1).splitlines(keepends=True), "x", faults.append)
    assert [analysis.text for analysis in conll.read(lines)] == ["It sank"]
    assert len(faults) == 1


def crosses(one: Mention, other: Mention) -> bool:
    return one.start < other.start < one.end < other.end or other.start < one.start < other.end < one.end


@st.composite
def documents(draw: st.DrawFn) -> list[Analysis]:
    """Sentences of a few words with any mentions that brackets can say."""
    made = []
    numbers: dict[int, int] = {}
    for place in range(draw(st.integers(1, 4))):
        size = draw(st.integers(1, 6))
        words = tuple(Word(f"w{index}", index * 3, index * 3 + 2, feats="") for index in range(size))
        kept: list[Mention] = []
        for entity in draw(st.lists(st.integers(0, 3), max_size=7)):
            start = draw(st.integers(0, size - 1))
            end = draw(st.integers(start + 1, size))
            head = draw(st.integers(start, end - 1))
            mention = Mention(entity, start, end, head, draw(st.sampled_from(("", "person", "a-b|(c) %é"))))
            if not any(other.entity == entity and crosses(other, mention) for other in kept):
                kept.append(mention)
        kept.sort(key=lambda mention: (mention.start, -mention.end))
        mentions = tuple(
            replace(mention, entity=numbers.setdefault(mention.entity, len(numbers))) for mention in kept
        )
        names = (Entity("person", 0, size),) if draw(st.booleans()) else None
        text = " ".join(word.text for word in words)
        made.append(Analysis(text, words, entities=names, id=str(place), document_id="d", mentions=mentions))
    return made


@given(documents())
def test_nested_crossing_and_equal_mentions_come_back_in_every_format(analyses: list[Analysis]) -> None:
    text = "".join(conllu.write(analyses))
    assert list(conllu.read(Lines(text.splitlines(keepends=True)))) == analyses
    text = "".join(conll.write(analyses))
    came_back = list(conll.read(Lines(text.splitlines(keepends=True))))
    assert list(map(placed, came_back)) == list(map(placed, analyses))
    assert [analysis.entities for analysis in came_back] == [analysis.entities for analysis in analyses]
