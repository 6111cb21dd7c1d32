"""Everything around the graphs of coreference, with graphs that answer arbitrary numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.nlp.stub_model import CONFIG, StubGraph
from tests.operations import growth
from tupelo.core import Analysis, InputError, Mention, Passage, Word
from tupelo.core.coreference import chains
from tupelo.nlp import pipeline
from tupelo.nlp.coreference import Coreference, MentionHeads, _numbered
from tupelo.nlp.mentions import candidates, compare, describe, mention_span
from tupelo.nlp.pipeline import Pipeline
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.options import write_checksums

SENTENCES = [
    "One went home.",
    "Two and three stayed there!",
    "He saw it.",
    "A long one, with her and him, that ends.",
]
TEXT = " ".join(SENTENCES * 30)


def linked(parser: Pipeline, text: object = TEXT, **options: bool) -> list[Analysis]:
    return list(parser.analyze(text, constituents=False, coreference=True, **options))  # type: ignore[arg-type]


def test_mentions_are_in_order_and_entities_are_numbered_by_their_first(stub: Pipeline) -> None:
    analyses = linked(stub)
    seen: list[int] = []
    for analysis in analyses:
        assert analysis.mentions is not None
        assert analysis.vectors is None
        places = [(mention.start, -mention.end) for mention in analysis.mentions]
        assert places == sorted(set(places))
        for mention in analysis.mentions:
            assert mention.start <= mention.head < mention.end <= len(analysis.words)
            assert mention.label in CONFIG["mention"][1:]  # type: ignore[index]
            assert 0 < mention.confidence <= 1
            seen += [mention.entity] if mention.entity not in seen else []
    assert seen == list(range(len(seen)))
    assert any(len(chain.mentions) > 10 for chain in chains(analyses))
    assert len(seen) > 10


def test_without_asking_there_are_no_mentions(stub: Pipeline) -> None:
    assert {analysis.mentions for analysis in stub.analyze(TEXT, constituents=False)} == {None}


def test_vectors_are_kept_only_if_asked_for(stub: Pipeline) -> None:
    (analysis,) = stub.analyze(SENTENCES[0], vectors=True, coreference=True)
    assert analysis.vectors is not None


def test_the_size_of_blocks_changes_nothing(stub: Pipeline) -> None:
    wanted = linked(stub)
    assert sum(len(analysis.mentions or ()) for analysis in wanted) > 300
    for block in (40, 200):
        model = stub.model
        model.__dict__["_coreference"] = Coreference(model.folder, 1, model._mention, block=block)
        found = linked(stub)
        assert found == wanted
        for one, other in zip(found, wanted, strict=True):
            for mention, same in zip(one.mentions or (), other.mentions or (), strict=True):
                assert mention.confidence == pytest.approx(same.confidence, abs=1e-4)


def test_batches_and_chunks_change_nothing(stub_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [TEXT, *SENTENCES, TEXT[:900], ""]
    wanted = linked(Pipeline(stub_folder, threads=1), texts)
    monkeypatch.setattr(pipeline, "_CHUNK_CHARACTERS", 10)
    assert linked(Pipeline(stub_folder, threads=1, batch_size=3), texts) == wanted


def test_documents_have_entities_of_their_own(stub: Pipeline) -> None:
    alone = linked(stub, [TEXT[:900]])
    together = linked(stub, [TEXT, TEXT[:900]])
    assert [a.mentions for a in together if a.document_id == "2"] == [a.mentions for a in alone]


def test_lines_are_one_document_and_given_words_too(stub: Pipeline) -> None:
    for options in ({"lines": True}, {"pretokenized": True}):
        analyses = linked(stub, SENTENCES * 20, **options)
        assert len(analyses) == 80
        chain = max(chains(analyses), key=lambda chain: len(chain.mentions))
        assert len({placed.sentence for placed in chain.mentions}) > 2
        assert [a.mentions for a in linked(stub, "\n".join(SENTENCES * 20), **options)] == [
            a.mentions for a in analyses
        ]


def test_passages_of_one_document_belong_together(stub: Pipeline) -> None:
    passages = [Passage(text, 0, "d") for text in SENTENCES * 20]
    whole = linked(stub, [Passage("\n\n".join(SENTENCES * 20), 0, "d")])
    assert [a.mentions for a in linked(stub, passages)] == [a.mentions for a in whole]


def test_parts_of_a_very_long_document_share_no_entity(
    stub_folder: Path, stub: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n\n".join(SENTENCES * 30)
    longest = max(len(chain.mentions) for chain in chains(linked(stub, text)))
    monkeypatch.setattr(pipeline, "_DOCUMENT_CHARACTERS", 1000)
    parts = linked(stub, ["One.", text, "Two."])
    assert max(len(chain.mentions) for chain in chains(parts)) < longest
    numbers = [m.entity for a in parts if a.document_id == "2" for m in a.mentions or ()]
    assert any(later - earlier > 500 for earlier, later in pairwise(numbers))
    monkeypatch.setattr(pipeline, "_CHUNK_CHARACTERS", 300)
    assert linked(Pipeline(stub_folder, threads=1), ["One.", text, "Two."]) == parts


def test_a_document_is_read_no_further_than_its_part(stub: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "_DOCUMENT_CHARACTERS", 2000)
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "Dogs bark."

    next(iter(stub.analyze(endless(), lines=True, coreference=True)))
    assert taken < 300


def test_a_long_sentence_has_the_mentions_of_all_its_parts(stub: Pipeline) -> None:
    text = " ".join(["word", "longer", "him", ","] * 1250)
    (analysis,) = linked(stub, [text], pretokenized=True)
    assert max(mention.head for mention in analysis.mentions or ()) > 4900


def test_a_model_without_coreference_says_so(stub_folder: Path) -> None:
    settings = {name: value for name, value in CONFIG.items() if name != "mention"}
    (stub_folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    write_checksums(stub_folder)
    parser = Pipeline(stub_folder, threads=1)
    assert list(parser.analyze("Dogs bark."))
    with pytest.raises(InputError, match="a model without coreference, expected one with it"):
        linked(parser)


def test_graphs_of_coreference_are_not_opened_without_need(stub: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    # A set: a pipeline of another test may still be opening its encoder in the background.
    opened: set[str] = set()

    class Watched(StubGraph):
        def __init__(self, content: bytes, threads: int, source: str) -> None:
            opened.add(Path(source).name)
            super().__init__(content, threads, source)

    monkeypatch.setattr("tupelo.nlp.folder.OnnxGraph", Watched)
    list(Pipeline(stub.model.folder.path, threads=1).analyze(TEXT))
    assert opened == {"constituents.onnx", "encoder.onnx", "heads.onnx"}


@pytest.mark.slow
def test_long_documents_are_linked_in_linear_time(stub: Pipeline) -> None:
    coreference = Coreference(stub.model.folder, 1, stub.model._mention, block=16)
    (sentence,) = stub.analyze(SENTENCES[3], constituents=False)
    heads = MentionHeads([1, 5, 7], ["person"] * 3, np.ones((3, 8), np.float32))

    def run(count: int) -> object:
        return coreference.resolve([sentence] * count, [[heads]] * count)

    assert growth(run, lambda count: count, 40) < 2.5


def tree(*rows: str) -> DependencyTree:
    """Rows of form, tag, head from 1, label."""
    words, place = [], 0
    for row in rows:
        form, upos, head, label = row.split()
        words.append(Word(form, place, place + len(form), form.lower(), upos, upos, "", int(head) - 1, label))
        place += len(form) + 1
    return DependencyTree(Analysis(" ".join(word.text for word in words), tuple(words)))


def test_adverbs_before_a_mention_are_outside_and_closing_marks_inside() -> None:
    oslo = tree("even ADV 3 advmod", "in ADP 3 case", "Oslo PROPN 4 obl", "rains VERB 0 root")
    assert mention_span(oslo, 2) == (2, 2)
    bank = tree(
        "the DET 2 det",
        "head NOUN 8 nsubj",
        "of ADP 4 case",
        "Bank PROPN 2 nmod",
        "( PUNCT 6 punct",
        "ECB PROPN 4 appos",
        ") PUNCT 6 punct",
        "left VERB 0 root",
    )
    assert mention_span(bank, 1) == (0, 6)
    assert mention_span(bank, 3) == (3, 3)


def test_some_rows_compare_as_all_rows_do(stub: Pipeline) -> None:
    analyses = linked(stub)
    trees = [DependencyTree(analysis) for analysis in analyses]
    mentions = describe(trees, [[m.head for m in analysis.mentions or ()] for analysis in analyses])
    pairs = candidates(mentions)
    rows = np.array([3, 70, 71, 90])
    assert (compare(mentions, pairs)[rows] == compare(mentions, pairs[rows], rows)).all()


def test_mentions_of_one_entity_do_not_cross() -> None:
    words = tuple(Word(letter, place, place + 1) for place, letter in enumerate("abcdef"))
    spans = [(0, 0, 4), (0, 2, 6), (1, 2, 6), (0, 1, 3), (0, 4, 6)]
    found = [[Mention(entity, start, end, start, "person") for entity, start, end in spans]]
    (sentence,) = _numbered([Analysis("abcdef", words)], found, 0)
    kept = [(mention.entity, mention.start, mention.end) for mention in sentence.mentions or ()]
    assert kept == [(0, 0, 4), (0, 1, 3), (1, 2, 6), (0, 4, 6)]
