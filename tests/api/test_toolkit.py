"""What `tupelo.load()` returns, with stand-ins for the parser and with the shipped model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tupelo
import tupelo.nlp.folder
from tests.extract.checks import check
from tests.extract.trees import BORN
from tests.nlp.stub_model import StubGraph, write_stub
from tupelo.api.text import Toolkit
from tupelo.core import Analysis, Extraction, UnknownNameError
from tupelo.extract.options import ExtractionOptions
from tupelo.extract.parts import sentence_of
from tupelo.io.examples import TEXT, example_files
from tupelo.io.text import read_whole
from tupelo.nlp.model import AnalysisOptions
from tupelo.nlp.parts import make_part
from tupelo.nlp.pipeline import Pipeline


class FirstWords:
    """An extractor of somebody else: the second word of every sentence relates the first and the third."""

    name = "first-words"
    version = "3"

    def __init__(self, needs: frozenset[str] = frozenset()) -> None:
        self.needs = needs
        self.seen: list[Analysis] = []

    def extract(self, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        for analysis in analyses:
            self.seen.append(analysis)
            if len(analysis.words) < 3:
                yield []
                continue
            first, second, third = (make_part(analysis, [index]) for index in range(3))
            yield [Extraction(sentence_of(analysis), second, first, (third,), 0.5)]


class Recorded:
    """A parser that knows one sentence, and what it was asked for."""

    name = "recorded"

    def __init__(self) -> None:
        self.asked: dict[str, bool] = {}

    def analyze(
        self,
        text: object,
        *,
        lines: bool = False,
        pretokenized: bool = False,
        constituents: bool = True,
        vectors: bool = False,
    ) -> Iterator[Analysis]:
        self.asked = {"constituents": constituents, "vectors": vectors}
        yield BORN


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pipeline:
    monkeypatch.setattr(tupelo.nlp.folder, "OnnxGraph", StubGraph)
    return Pipeline(write_stub(tmp_path), threads=1)


@pytest.mark.model
@pytest.mark.parametrize("has_mentions", [True, False])
def test_names_are_resolved_by_the_model_if_it_can(
    stub: Pipeline, monkeypatch: pytest.MonkeyPatch, has_mentions: bool
) -> None:
    asked: list[AnalysisOptions] = []
    whole = Pipeline.map

    def watched(self: Pipeline, text: Any, work: Any, options: AnalysisOptions) -> Iterator[Any]:
        asked.append(options)
        return whole(self, text, work, options)

    monkeypatch.setattr(Pipeline, "map", watched)
    monkeypatch.setattr(Pipeline, "has_coreference", has_mentions)
    nlp = Toolkit(stub, "rules")
    nlp.extract("Ann sells boats. She left.")
    nlp.extract("Ann sells boats. She left.", coreference=False)
    assert [options.coreference for options in asked] == [has_mentions, False]


@pytest.mark.model
def test_any_object_with_the_four_members_is_an_extractor(stub: Pipeline) -> None:
    nlp = Toolkit(stub, FirstWords())
    found = [str(item) for item in nlp.extract("Ann sells boats. Hm. Bo reads books.", coreference=False)]
    assert found == ["(Ann; sells; boats)", "(Bo; reads; books)"]


@pytest.mark.model
def test_nothing_is_parsed_for_an_extractor_that_needs_nothing(stub: Pipeline) -> None:
    extractor = FirstWords()
    list(Toolkit(stub, extractor).extract("Ann sells boats.", coreference=False))
    assert extractor.seen[0].words[0].upos is None
    extractor = FirstWords(frozenset({"tags"}))
    list(Toolkit(stub, extractor).extract("Ann sells boats.", coreference=False))
    assert extractor.seen[0].words[0].upos is not None


@pytest.mark.parametrize("needs", [frozenset(), frozenset({"constituents"}), frozenset({"vectors"})])
def test_a_parser_is_asked_for_what_the_extractor_needs(needs: frozenset[str]) -> None:
    parser = Recorded()
    list(Toolkit(parser, FirstWords(needs)).extract("x"))
    assert parser.asked == {"constituents": "constituents" in needs, "vectors": "vectors" in needs}


@pytest.mark.model
def test_every_sentence_is_given_with_its_place(stub: Pipeline) -> None:
    text = "Ann sells boats. Hm.\n\nBo reads books."
    found = list(Toolkit(stub, FirstWords()).extract_sentences(text, options=ExtractionOptions(coreference=False)))
    assert [(item.sentence.text, item.start, len(item.extractions)) for item in found] == [
        ("Ann sells boats.", 0, 1),
        ("Hm.", 17, 0),
        ("Bo reads books.", 22, 1),
    ]


@pytest.mark.model
def test_documents_are_read_as_they_are_needed(stub: Pipeline) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "Ann sells boats."

    next(Toolkit(stub, FirstWords()).pipe(endless(), coreference=False))
    assert taken <= 20_000


@pytest.mark.model
def test_an_unknown_extractor_is_refused_before_anything_is_read(stub: Pipeline) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'rules'"):
        Toolkit(stub, "rulez")


@pytest.fixture(scope="module")
def harbour() -> str:
    with example_files(TEXT) as (path,):
        return read_whole(str(path))


@pytest.mark.model
def test_the_example_of_the_front_page_works() -> None:
    nlp = tupelo.load()
    found = list(nlp.extract("Watson, elected in November 1998, has served as Minority Leader."))
    assert any(str(item) == "(Watson; has served as; Minority Leader)" for item in found)
    for item in found:
        assert item.confidence is not None
        assert "Watson" in item._repr_html_()


@pytest.mark.model
@pytest.mark.process
@pytest.mark.parametrize("extractor", ["rules", "default"])
def test_processes_threads_and_batches_change_nothing(harbour: str, extractor: str) -> None:
    with tupelo.load(extractor=extractor, threads=1) as nlp:
        wanted = list(nlp.extract(harbour))
    assert len(wanted) > 40
    with tupelo.load(extractor=extractor, workers=2, batch_size=3) as nlp:
        assert list(nlp.extract(harbour)) == wanted
    with tupelo.load(extractor=extractor, threads=2, batch_size=100) as nlp:
        assert list(nlp.extract(harbour)) == wanted


@pytest.mark.model
def test_hostile_text_gives_true_tuples_by_default() -> None:
    from tests.nlp.test_pipeline import HOSTILE

    nlp = tupelo.load(threads=1)
    texts = [*HOSTILE, *(f"Ann, {text} who left Oslo, said {text} that Bo may win." for text in HOSTILE)]
    for text in texts:
        if len(text) > 5_000:
            continue
        analyses = list(nlp.analyze(text))
        for analysis, item in zip(analyses, nlp.extract_sentences(text), strict=True):
            for extraction in item.extractions:
                check(extraction, analysis)


@pytest.mark.model
def test_the_bundled_text_keeps_its_reservations(harbour: str) -> None:
    nlp = tupelo.load(threads=1)
    found = list(nlp.extract(harbour))
    paid = [item for item in found if "never paid" in item.rel.text]
    assert paid
    assert all(item.negated for item in paid)
    museum = [item for item in found if item.arg1 is not None and item.arg1.text == "a museum"]
    assert museum
    assert all(item.modality and item.attribution is not None for item in museum)
    assert all(item.attribution.speaker == "Brekke" for item in museum if item.attribution)
