"""From gold sentences to cliques with the shipped model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tupelo
from tupelo.api.text import Toolkit
from tupelo.core import Extraction, Sentence
from tupelo.core.clique import gather_cliques
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.cliques import CliqueOptions, build, looks_tokenized, originals
from tupelo.robustness.rewrite.paraphraser import RewriteParaphraser

SENTENCE = "Mr. Baker found an opening under the house in 1990 ."
GOLD = {
    SENTENCE: [("found", "Mr. Baker", "an opening"), ("found an opening under", "Mr. Baker", "the house")],
    "Rain .": [("is", "Rain")],
    "Nothing is told of this sentence .": [],
}


@pytest.fixture(scope="module")
def nlp() -> Iterator[Toolkit]:
    with tupelo.load(extractor="rules", threads=1) as toolkit:
        yield toolkit


def test_gold_is_gathered_by_sentence() -> None:
    records = [
        Extraction.of("Ann sang .", "sang", ["Ann"]),
        Sentence("Bob slept ."),
        Extraction.of("Ann sang .", "rained"),
    ]
    assert originals(records) == {"Ann sang .": [("sang", "Ann")], "Bob slept .": []}


@pytest.mark.model
def test_every_paraphrase_that_passes_is_training_data(nlp: Toolkit) -> None:
    maker = RewriteParaphraser()
    made = build(GOLD, maker, nlp, CliqueOptions(every=True, pretokenized=True))
    cliques, report = made.built, made.report
    assert sum(len(clique.chosen) for clique in cliques) == report.passed > 3
    assert report.to_dict()["mean_distance"] is None


@pytest.mark.parametrize(
    ("text", "tokenized"), [("Ann sang , he said .", True), ("Ann sang, he said.", False), ("Ann", False)]
)
def test_tokenized_text_is_told_by_its_marks(text: str, tokenized: bool) -> None:
    assert looks_tokenized([text]) == tokenized


@pytest.mark.model
def test_a_clique_is_built_with_tuples(nlp: Toolkit) -> None:
    maker = RewriteParaphraser()
    made = build(GOLD, maker, nlp, CliqueOptions(distance=0.4, pretokenized=True), extractor=nlp.extractor)
    cliques, report = made.built, made.report
    assert report.originals == 3
    assert report.without_tuples == 1
    assert report.cliques == len(cliques) == 1
    assert report.candidates == report.passed + sum(report.dropped.values())
    assert 3 <= report.sentences <= 4
    found = list(gather_cliques(cliques[0].records()))
    assert len(found) == 1
    assert found[0].sentences[0].text == SENTENCE
    for tuples in found[0].extractions:
        assert len(tuples) >= 1
    figures = report.to_dict()
    assert figures["mean_distance"] >= 0.4
    assert 0.7 <= figures["mean_meaning"] <= 1


@pytest.mark.model
def test_cliques_that_are_too_alike_are_left_out(nlp: Toolkit) -> None:
    maker = RewriteParaphraser(rules=["passive", "cleft-object"], depth=1)
    options = CliqueOptions(min_sentences=2, floor=1.0)
    made = build({SENTENCE: GOLD[SENTENCE]}, maker, nlp, options)
    assert (made.built, made.report.too_alike, made.report.cliques) == ((), 1, 0)


@pytest.mark.model
def test_the_same_input_gives_the_same_cliques(nlp: Toolkit) -> None:
    maker = RewriteParaphraser()
    runs = [build(GOLD, maker, nlp, CliqueOptions(pretokenized=True)).records() for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.model
def test_two_rules_in_a_row_keep_their_alignment(nlp: Toolkit) -> None:
    analysis = next(iter(nlp.analyze([SENTENCE], lines=True, pretokenized=True)))
    original = Original(analysis, tuple(GOLD[SENTENCE]))
    found = RewriteParaphraser().paraphrase([original])[0]
    double = [candidate for candidate in found if "+" in candidate.origin]
    assert double
    for candidate in double:
        words = candidate.text.split(" ")
        assert candidate.alignment is not None
        assert len(words) == len(candidate.alignment)
        for word, sources in zip(words, candidate.alignment, strict=True):
            if word.lower() in ("baker", "opening", "house", "1990"):
                assert [analysis.words[source].text.lower() for source in sources] == [word.lower()]


@pytest.mark.model
def test_bad_paraphrases_are_dropped_and_counted(nlp: Toolkit) -> None:
    class Careless:
        name = "careless"

        def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
            return [
                [
                    Rewording("Mr. Baker .", "short", ()),
                    Rewording("Mr. Baker slept in the garden and went home late .", "other", ()),
                ]
                for _ in sentences
            ]

    made = build({SENTENCE: GOLD[SENTENCE]}, Careless(), nlp, CliqueOptions(pretokenized=True))
    assert made.built == ()
    assert made.report.dropped["parse"] == 1
    assert made.report.dropped["words"] == 1


@pytest.mark.model
def test_plain_text_stays_plain(nlp: Toolkit) -> None:
    text = "The monks, who lived here, built the bridge in 1490."
    maker = RewriteParaphraser()
    gold = {text: [("built", "The monks", "the bridge")]}
    made = build(gold, maker, nlp, CliqueOptions(min_sentences=2, distance=0.2, pretokenized=False))
    texts = [each.candidate.text for clique in made.built for each in clique.chosen]
    assert texts
    assert all((" ," not in text and text.endswith("1490.")) or text.endswith(".") for text in texts)
