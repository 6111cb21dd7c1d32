"""Ten thousand sentences that nobody would write, parsed as nobody would parse them."""

from __future__ import annotations

import random

import pytest

from tests.extract.checks import check
from tests.extract.wild import wild_analysis
from tupelo.extract import EXTRACTORS
from tupelo.extract.run import PREPOSITIONS, WIDTHS, Form, finish

SENTENCES_PER_SEED = 500


@pytest.mark.parametrize("seed", range(20))
def test_any_tree_gives_tuples_whose_spans_are_true(seed: int) -> None:
    source = random.Random(seed)
    extractor = EXTRACTORS.get("rules")("", {}, None)
    analyses = [wild_analysis(source) for _ in range(SENTENCES_PER_SEED)]
    found = list(extractor.extract(analyses))
    assert len(found) == len(analyses)
    for analysis, extractions in zip(analyses, found, strict=True):
        for extraction in extractions:
            check(extraction, analysis)
    form = Form(width=WIDTHS[seed % 3], prepositions=PREPOSITIONS[seed % 2])
    finished = finish(analyses, found, form)
    for analysis, item in zip(analyses, finished, strict=True):
        assert item.sentence.text == analysis.text
        assert item.start == analysis.start
        for extraction in item.extractions:
            check(extraction, analysis)


def test_the_sentences_do_give_tuples() -> None:
    source = random.Random(1)
    extractor = EXTRACTORS.get("rules")("", {}, None)
    assert sum(map(len, extractor.extract(wild_analysis(source) for _ in range(300)))) > 100
