"""Six thousand sentences that nobody would write, parsed as nobody would parse them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given

import tupelo.nlp.folder
from tests.extract.checks import check
from tests.extract.wild import bent, wild_analysis
from tests.nlp.stub_model import StubGraph, write_stub
from tests.nlp.test_pipeline import HOSTILE, wild
from tests.strategies import examples
from tupelo.api.text import Toolkit
from tupelo.core import Analysis
from tupelo.extract import ExtractorRecipe
from tupelo.extract.options import PREPOSITIONS, WIDTHS, ExtractionOptions
from tupelo.extract.pipeline import extract_tuples
from tupelo.io.analyses import read_analyses
from tupelo.nlp.pipeline import Pipeline

SENTENCES_PER_SEED = 300
# The bundled text as our own model parsed it.
PARSED = read_analyses(Path(__file__).parent / "harbour.conllu")


def check_all(name: str, analyses: list[Analysis], form: ExtractionOptions) -> int:
    """Extract, check every tuple before and after it gets its form, and count them."""
    extractor = ExtractorRecipe(name).extractor()
    found = list(extractor.extract(analyses))
    assert len(found) == len(analyses)
    for analysis, extractions in zip(analyses, found, strict=True):
        for extraction in extractions:
            check(extraction, analysis)
    for analysis, item in zip(analyses, extract_tuples(extractor, analyses, form), strict=True):
        assert item.sentence.text == analysis.text
        assert item.start == analysis.start
        for extraction in item.extractions:
            check(extraction, analysis)
    return sum(map(len, found))


def form_for(seed: int) -> ExtractionOptions:
    return ExtractionOptions(width=WIDTHS[seed % 3], prepositions=PREPOSITIONS[seed % 2], min_confidence=0.0)


@pytest.mark.model
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["rules", "default"])
def test_any_words_in_any_tree_give_tuples_whose_spans_are_true(name: str, seed: int) -> None:
    source = random.Random(seed)
    check_all(name, [wild_analysis(source) for _ in range(SENTENCES_PER_SEED)], form_for(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["rules", "default"])
def test_parses_with_faults_give_tuples_whose_spans_are_true(name: str, seed: int) -> None:
    source = random.Random(seed)
    analyses = [bent(source, source.choice(PARSED)) for _ in range(SENTENCES_PER_SEED)]
    assert check_all(name, analyses, form_for(seed)) > SENTENCES_PER_SEED


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toolkit:
    """The rules on a parser whose graphs answer arbitrary numbers."""
    monkeypatch.setattr(tupelo.nlp.folder, "OnnxGraph", StubGraph)
    return Toolkit(Pipeline(write_stub(tmp_path), threads=1), "rules")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_goes_all_the_way(stub: Toolkit, text: str) -> None:
    for item in stub.extract_sentences(text):
        assert text[item.start : item.start + len(item.sentence.text)] == item.sentence.text


@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=wild)
def test_any_text_goes_all_the_way(stub: Toolkit, text: str) -> None:
    sentences = list(stub.analyze(text))
    for analysis, item in zip(sentences, stub.extract_sentences(text), strict=True):
        for extraction in item.extractions:
            check(extraction, analysis)
