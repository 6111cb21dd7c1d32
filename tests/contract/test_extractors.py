"""What every registered extractor must do, whoever wrote it."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

import tupelo
from tests.extract.checks import check
from tupelo.core import Analysis, Extraction, InputError, SentenceTuples
from tupelo.core.protocols import Extractor, Services
from tupelo.extract import EXTRACTORS, ExtractorRecipe, needs_client
from tupelo.extract.options import ExtractionOptions
from tupelo.extract.pipeline import PipelineRecipe, TupleWork, extract_stream
from tupelo.io.analyses import read_analyses

PARSED = read_analyses(Path(__file__).resolve().parents[1] / "extract" / "harbour.conllu")
NEEDS = {"tags", "lemmas", "heads", "constituents", "entities", "vectors"}
OURS = [name for name in EXTRACTORS if not needs_client(name)]

_made: dict[str, Extractor] = {}


def made(name: str) -> Extractor:
    """Opened once: weights take a moment."""
    if name not in _made:
        _made[name] = EXTRACTORS.get(name)("", {}, None)
    return _made[name]


each_extractor = pytest.mark.parametrize("name", OURS)


def test_no_extractor_disappears_unseen() -> None:
    assert sorted(EXTRACTORS) == ["command", "default", "llm", "rules"]
    assert all(EXTRACTORS.title(name) for name in EXTRACTORS)
    assert sorted(filter(needs_client, EXTRACTORS)) == ["command", "llm"]


@pytest.mark.process
@each_extractor
def test_an_extractor_says_who_it_is_and_what_it_needs(name: str) -> None:
    extractor = made(name)
    assert extractor.name
    assert extractor.version
    assert extractor.needs <= NEEDS


@each_extractor
def test_every_sentence_gets_one_list_of_true_tuples(name: str) -> None:
    found = list(made(name).extract(PARSED))
    assert len(found) == len(PARSED)
    for analysis, extractions in zip(PARSED, found, strict=True):
        for extraction in extractions:
            check(extraction, analysis)
            assert extraction.extractor
    assert sum(map(len, found)) > len(PARSED)


@each_extractor
def test_an_empty_sentence_gives_nothing(name: str) -> None:
    assert list(made(name).extract([Analysis("", ())])) == [[]]
    assert list(made(name).extract([])) == []


@each_extractor
def test_a_sentence_gives_the_same_tuples_whatever_its_neighbours_are(name: str) -> None:
    together = list(made(name).extract(PARSED[:8]))
    alone = [next(iter(made(name).extract([analysis]))) for analysis in PARSED[:8]]
    backwards = list(made(name).extract(PARSED[7::-1]))[::-1]
    assert together == alone == backwards


@each_extractor
def test_sentences_are_not_read_ahead_without_bound(name: str) -> None:
    taken = 0

    def endless() -> Iterator[Analysis]:
        nonlocal taken
        while True:
            taken += 1
            yield PARSED[1]

    next(iter(made(name).extract(endless())))
    assert taken <= 1000


@each_extractor
def test_an_unknown_setting_is_refused(name: str) -> None:
    with pytest.raises((InputError, LookupError), match="no-such-setting"):
        EXTRACTORS.get(name)("", {"no-such-setting": "1"}, None)


@each_extractor
def test_a_copy_in_another_process_does_the_same(name: str) -> None:
    work = TupleWork(ExtractorRecipe(name), ExtractionOptions())
    copy = pickle.loads(pickle.dumps(work))  # noqa: S301
    assert copy(PARSED[:3]) == work(PARSED[:3])


@pytest.mark.model
def test_a_recipe_opens_one_pipeline_per_process() -> None:
    recipe = PipelineRecipe(extractor="rules")
    copy = pickle.loads(pickle.dumps(recipe))  # noqa: S301
    assert copy.pipeline() is recipe.pipeline()
    assert recipe.pipeline().extractor.name == "rules"


@pytest.mark.model
def test_a_stream_gives_what_chunks_give() -> None:
    extractor = made("rules")
    streamed = list(extract_stream(extractor, iter(PARSED), ExtractionOptions(coreference=False)))
    assert streamed == TupleWork(ExtractorRecipe("rules"), ExtractionOptions(coreference=False))(PARSED)
    assert all(isinstance(item, SentenceTuples) for item in streamed)


def test_a_form_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match="'huge' is not one of standard, minimal, maximal"):
        ExtractionOptions(width="huge")


class Client:
    """An added extractor that talks to a service: a class is as good a part as a function."""

    title = "asks a service"
    needs_client = True
    name = "client"
    version = "1"
    needs: frozenset[str] = frozenset()

    def __init__(self, argument: str, settings: Mapping[str, str], services: Services | None) -> None:
        self.services = services

    def extract(self, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        for analysis in analyses:
            yield [Extraction.of(analysis.text, "is", ["this"])] if self.services is not None else []


@pytest.mark.model
def test_an_added_extractor_that_needs_a_client_gets_the_services(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EXTRACTORS, "_registered", {})
    EXTRACTORS.register("client", Client)
    assert EXTRACTORS.title("client") == "asks a service"
    with tupelo.load(extractor="client") as nlp:
        assert [str(found) for found in nlp.extract("Dogs bark.")] == ["(this; is)"]
