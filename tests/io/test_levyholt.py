"""Levy/Holt files: which triple is the premise, and what a faulty line is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import FormatError
from tupelo.core.entailment import EntailmentPair, whole_statement
from tupelo.core.extraction import Triple
from tupelo.io.levyholt import match_scores, read_pairs, read_scores, write_scores
from tupelo.io.lines import Lines

GOOD = "Moss,is useful in,wounds\tMoss, heals , wounds\tTrue"


def read(*lines: str, judged: bool = False) -> list[EntailmentPair]:
    return list(read_pairs(Lines(lines, "pairs.txt"), judged=judged))


def test_the_second_triple_is_the_premise():
    assert read(GOOD) == [
        EntailmentPair(Triple("Moss", "heals", "wounds"), Triple("Moss", "is useful in", "wounds"), True)
    ]


def test_sentences_may_stand_in_place_of_triples():
    line = "Oslo has a mayor\tAnn, who left in May, is mayor of Oslo.\tFalse"
    (found,) = read(line)
    assert found == EntailmentPair(
        whole_statement("Ann, who left in May, is mayor of Oslo."), whole_statement("Oslo has a mayor"), False
    )
    assert list(write_scores([found], [0.5])) == [f"{line.rpartition(chr(9))[0]}\t0.5\n"]
    assert read("Ann,left,the U.S.\tAnn,fled,the U.S.")[0].premise == Triple("Ann", "fled", "the U.S.")


def test_a_pair_may_be_without_judgement():
    assert read("a,b,c\td,e,f")[0].entailed is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a,b,c", r"pairs.txt:2: 1 field\(s\), expected 2 or 3, separated by tabs"),
        ("", r"pairs.txt:2: 1 field\(s\)"),
        ("a,b,c\td,e,f\tTrue\t0.5", r"pairs.txt:2: 4 field\(s\)"),
        ("a,b,c\td,e,f\tmaybe", r"pairs.txt:2: label 'maybe', expected True or False"),
        ("a,b\td,e,f\tTrue", r"pairs.txt:2: triple 'a,b', expected argument,relation,argument"),
        ("a,b,c,d\td,e,f\tTrue", r"pairs.txt:2: triple 'a,b,c,d'"),
        ("a,,c\td,e,f\tTrue", r"pairs.txt:2: triple 'a,,c'"),
        ("(use.2,use.in.2) x::a y::b\td,e,f\tTrue", r"pairs.txt:2: .*take the plain or the _s file"),
    ],
)
def test_a_faulty_line_is_named(line, message):
    with pytest.raises(FormatError, match=message):
        read(GOOD, line)


def test_a_missing_label_is_a_fault_where_judgements_are_needed():
    with pytest.raises(FormatError, match=r"pairs.txt:1: 2 field\(s\), expected 3"):
        read("a,b,c\td,e,f", judged=True)


def test_faulty_lines_can_be_collected():
    faults: list[FormatError] = []
    found = list(read_pairs(Lines([GOOD, "a,b", "a\tb,c,d\tTrue", GOOD], "pairs.txt", faults.append)))
    assert (len(found), [fault.line for fault in faults]) == (2, [2, 3])


words = st.text("abc é'", min_size=1, max_size=6).map(str.strip).filter(bool)
triples = st.builds(Triple, words, words, words)


@given(st.lists(st.tuples(triples, triples, st.floats(allow_nan=False)), max_size=5))
def test_what_is_written_is_read_back(rows):
    pairs = [EntailmentPair(premise, hypothesis) for premise, hypothesis, _ in rows]
    lines = list(write_scores(pairs, [score for _, _, score in rows]))
    assert list(read_scores(Lines(lines, "s"))) == [score for _, _, score in rows]
    assert list(read_pairs(Lines([line.rpartition("\t")[0] for line in lines], "s"))) == pairs


def test_bare_numbers_are_scores_too():
    assert list(read_scores(Lines(["0.5", "x\t-1e3"], "s"))) == [0.5, -1000]


@pytest.mark.parametrize("line", ["", "a,b,c\td,e,f\t", "high", "nan"])
def test_a_score_that_is_no_number_is_named(line):
    with pytest.raises(FormatError, match=r"scores.tsv:2: score .*a number"):
        list(read_scores(Lines(["1", line], "scores.tsv")))


@pytest.mark.parametrize(("count", "line"), [(1, 2), (3, 3)])
def test_as_many_scores_as_pairs(count, line):
    with pytest.raises(
        FormatError, match=rf"scores.tsv:{line}: {count} scores in all, expected one for each of the 2"
    ):
        match_scores(read(GOOD, GOOD), [0.0] * count, "scores.tsv")


def test_the_public_file_reads_whole(shared):
    path = shared / "data/levyholt/dev/dev_s.txt"
    pairs = read(*path.read_text("utf-8").splitlines(), judged=True)
    assert (len(pairs), sum(bool(item.entailed) for item in pairs)) == (5486, 1085)
    assert pairs[2].premise.relation == "kills"
