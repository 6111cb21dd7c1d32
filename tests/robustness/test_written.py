"""The cliques of `benchmarks/cliques`: what was promised of them."""

from dataclasses import replace

import pytest

import tupelo
from benchmarks.written_cliques import FILE, Counts, SourceError, Wording, faults, read_source, to_json


@pytest.fixture(scope="module")
def cliques():
    return read_source()


def test_sources_have_no_faults(cliques):
    assert list(faults(cliques)) == []


def test_the_file_is_made_from_the_sources(cliques):
    assert FILE.read_text("utf-8") == to_json(cliques)
    records = list(tupelo.read(str(FILE), "robust"))
    assert len({record.sentence.text for record in records}) == sum(len(each.wordings) for each in cliques)


def test_there_are_enough_cliques_with_new_words_and_few_clefts(cliques):
    counts = Counts.of(cliques)
    assert counts.cliques >= 400
    assert counts.rewrites >= 2 * counts.cliques
    assert counts.new_words >= 4
    # Pseudo-clefts and it-clefts are marked; a mark cannot be forgotten for those that begin so.
    openings = ("It was ", "It is ", "What ")
    marked = [each for clique in cliques for each in clique.rewrites if "cleft" in each.constructions]
    suspects = [
        each
        for clique in cliques
        for each in clique.rewrites
        if each.text.startswith(openings) and "extraposition" not in each.constructions
    ]
    assert len(marked) + len(suspects) <= counts.rewrites / 3
    assert counts.clefts == len(marked) / counts.rewrites


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"tuples": (("sank", "The ferry", "the harbour"),)}, "sank, harbour not in the sentence"),
        ({"tuples": ()}, "no tuple"),
        ({"tuples": (("leaves", "The ferry"),) * 2}, "the same tuple twice"),
        ({"tuples": (("leaves", ""),)}, "an empty part"),
        ({"text": "The ferry leaves."}, "3 words"),
        ({"text": "The ferry leaves  the mainland at seven every day."}, "spaces"),
        ({"constructions": ()}, "no construction"),
    ],
)
def test_a_fault_is_named(cliques, change, fault):
    rewrite = Wording("The ferry leaves the mainland at seven every day.", (("leaves", "The ferry"),), ("front",))
    clique = cliques[0]
    assert list(faults([replace(clique, wordings=(*clique.wordings, rewrite))])) == []
    changed = replace(rewrite, **change)
    assert fault in "\n".join(faults([replace(clique, wordings=(*clique.wordings, changed))]))


def test_a_sentence_that_stands_twice_is_a_fault(cliques):
    assert any(fault.startswith("twice") for fault in faults([cliques[0], cliques[0]]))


def test_a_stray_line_is_refused(tmp_path):
    (tmp_path / "news.txt").write_text("The ferry leaves at seven.\nThe ferry | leaves\n", "utf-8")
    with pytest.raises(SourceError, match="begins with"):
        read_source(tmp_path)
