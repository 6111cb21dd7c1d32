"""The shipped weights at work."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.extract.checks import check
from tupelo.core import Analysis, InputError, Word
from tupelo.extract import EXTRACTORS
from tupelo.extract.neural import NeuralExtractor
from tupelo.extract.neural.features import FEATURES, features_of
from tupelo.extract.neural.network import ExtractionNetwork, shipped_network
from tupelo.extract.neural.scores import masks_of
from tupelo.io.analyses import read_analyses
from tupelo.nlp.syntax import DependencyTree

PARSED = list(read_analyses(Path(__file__).resolve().parents[1] / "harbour.conllu"))


@pytest.fixture(scope="module")
def network() -> ExtractionNetwork:
    return shipped_network(threads=1)


def unparsed(text: str) -> Analysis:
    words: list[Word] = []
    position = 0
    for form in text.split():
        start = text.index(form, position)
        position = start + len(form)
        words.append(Word(form, start, position))
    return Analysis(text, tuple(words))


def test_the_numbers_of_a_sentence_do_not_depend_on_its_batch(network: ExtractionNetwork) -> None:
    together = network.read(PARSED[:6])
    for analysis, scores in zip(PARSED[:6], together, strict=True):
        (alone,) = network.read([analysis])
        assert alone.chosen == scores.chosen
        assert np.array_equal(alone.anchors, scores.anchors)
        assert np.array_equal(alone.labels, scores.labels)


def test_the_network_needs_no_parse(network: ExtractionNetwork) -> None:
    extractor = NeuralExtractor(network, with_rules=False)
    (found,) = extractor.extract([unparsed("Marie Curie discovered radium in Paris in 1898 .")])
    assert any("discovered" in extraction.rel.text for extraction in found)


def test_a_very_long_sentence_is_read_at_its_beginning(network: ExtractionNetwork) -> None:
    analysis = unparsed("Ann sold her boat to Bob . " + "and then more words " * 200)
    extractor = NeuralExtractor(network, with_rules=False)
    (found,) = extractor.extract([analysis])
    assert found
    for extraction in found:
        check(extraction, analysis)


def test_there_is_one_feature_for_every_name(network: ExtractionNetwork) -> None:
    analysis = PARSED[0]
    tree = DependencyTree(analysis)
    (scores,) = network.read([analysis])
    assert features_of(analysis, tree, [], masks_of([], 5), scores, network.leads).shape == (0, len(FEATURES))
    assert len(set(FEATURES)) == len(FEATURES)


def test_higher_limits_tell_fewer_tuples() -> None:
    few = EXTRACTORS.get("default")("", {"least": "0.8", "least_fact": "1.1"}, None)
    many = EXTRACTORS.get("default")("", {"least": "0", "least_fact": "0"}, None)
    told = [sum(map(len, extractor.extract(PARSED))) for extractor in (few, many)]
    assert 0 < told[0] < told[1]


def test_a_setting_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="least"):
        EXTRACTORS.get("default")("", {"least": "much"}, None)
