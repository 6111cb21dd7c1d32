"""The paraphraser `syntactic`: with the shipped parser, and a reader that is told what to find."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Sequence
from pathlib import Path

import pytest

import tupelo
from tests.robustness.rewrite.test_wording import BOUGHT
from tests.wordnet import Entry, write_wordnet
from tupelo.api.text import Toolkit
from tupelo.io.wordnet import open_wordnet
from tupelo.nlp.paraphrases import Synonyms, shipped_lexicon
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.paraphrase.syntactic import (
    MOVES,
    SyntacticOptions,
    SyntacticParaphraser,
    has_template,
    says_tuples,
    shipped_templates,
)
from tupelo.robustness.rewrite import RULES
from tupelo.robustness.sample import SyntaxSampler

TEXT = "The company bought the old mill in 1990 ."
TUPLES = (("bought", "The company", "the old mill"), ("bought", "The company", "the old mill", "in 1990"))


class Reader:
    """Supports what a function of text and claim says."""

    def __init__(self, supports: Callable[[str, str], bool] = lambda text, claim: True) -> None:
        self.supports = supports
        self.asked: list[tuple[str, str]] = []

    def outcomes(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
        self.asked.extend(pairs)
        return [(0.99, 0.0, 0.01) if self.supports(*pair) else (0.1, 0.1, 0.8) for pair in pairs]


@pytest.fixture(scope="module")
def nlp() -> Iterator[Toolkit]:
    with tupelo.load(extractor="rules", threads=1) as toolkit:
        yield toolkit


def made(
    nlp: Toolkit, reader: Reader, text: str = TEXT, tuples: tuple[tuple[str, ...], ...] = TUPLES, **options: object
) -> list[Rewording]:
    maker = SyntacticParaphraser(
        nlp.parser,
        SyntacticOptions(**{"keep": 0, "bleu": 0.0, **options}),  # type: ignore[arg-type]
        pretokenized=True,
        reader=reader,
        sampler=SyntaxSampler(shipped_templates()),
        lexicon=shipped_lexicon(),
    )
    (analysis,) = nlp.parser.analyze([text], lines=True, pretokenized=True, constituents=True)
    return maker.paraphrase([Original(analysis, tuples)])[0]


@pytest.mark.model
def test_syntax_and_words_change_together_and_tuples_follow(nlp: Toolkit) -> None:
    found = {each.text: each for each in made(nlp, Reader())}
    text = "In the year 1990 , the old mill was bought by the company ."
    assert text in found
    assert found[text].origin == "front-adjunct+passive+words:in>in the year"
    assert found[text].tuples[0] == ("was bought by", "the old mill", "The company")
    assert not any(text.startswith(("It was", "What")) for text in found)


@pytest.mark.model
def test_every_paraphrase_is_read_both_ways_against_the_original(nlp: Toolkit) -> None:
    reader = Reader()
    texts = {each.text for each in made(nlp, reader)}
    assert texts
    assert all((TEXT, text) in reader.asked and (text, TEXT) in reader.asked for text in texts)


@pytest.mark.model
@pytest.mark.parametrize(
    "supports",
    [lambda text, claim: text != TEXT, lambda text, claim: claim != TEXT],
    ids=["not from the original", "not back"],
)
def test_what_follows_one_way_only_is_dropped(nlp: Toolkit, supports: Callable[[str, str], bool]) -> None:
    assert made(nlp, Reader(supports)) == []


@pytest.mark.model
def test_a_word_that_the_reader_rejects_is_kept(nlp: Toolkit) -> None:
    found = made(nlp, Reader(lambda text, claim: "purchased" not in text + claim))
    assert found
    assert all("purchased" not in each.text for each in found)


@pytest.mark.model
def test_a_template_is_what_every_paraphrase_has(nlp: Toolkit) -> None:
    found = made(nlp, Reader(), template="(S (PP) (,) (NP) (VP) (.))")
    assert found
    assert all(each.text.startswith(("In 1990 ,", "In the year 1990 ,")) for each in found)
    assert all(each.analysis is not None and has_template(each.analysis, "(S(PP)(,)(NP)(VP)(.))") for each in found)


@pytest.mark.model
def test_the_filter_keeps_as_many_as_wanted(nlp: Toolkit) -> None:
    assert len(made(nlp, Reader(), keep=1)) == 1


@pytest.mark.model
def test_without_words_only_syntax_changes(nlp: Toolkit) -> None:
    old = set(TEXT.lower().split())
    for each in made(nlp, Reader(), words=0):
        assert set(each.text.lower().split()) - old <= {"was", "by", ","}


@pytest.mark.model
def test_years_of_two_parts_of_a_tuple_stay_as_they_are(nlp: Toolkit) -> None:
    reader, text = Reader(), "The tower was renovated from 2006 to 2008 ."
    whole = made(nlp, reader, text=text, tuples=(("was renovated", "The tower", "from 2006 to 2008"),))
    assert ("was renovated", "The tower", "between 2006 and 2008") in {each.tuples[0] for each in whole}
    split = made(nlp, reader, text=text, tuples=(("was renovated", "The tower", "from 2006", "to 2008"),))
    assert not any("between" in each.text.lower() for each in split)


def test_a_tuple_with_a_word_that_is_gone_is_noticed() -> None:
    original = Original(BOUGHT, (("purchased", "A rival", "the company"),))
    gone = Rewording("The company went to a rival .", "", (("purchased", "A rival", "the company"),))
    assert not says_tuples(original, gone)
    assert says_tuples(original, Rewording("A rival purchased the company .", "", gone.tuples))


@pytest.mark.parametrize(
    ("text", "stale", "right"),
    [
        ("A rival bought the company in 1990 .", "purchasing", "bought"),
        ("A rival purchased the firm in 1990 .", "company's", "firm's"),
    ],
)
def test_a_tuple_with_another_form_of_a_word_that_is_gone_is_noticed(text: str, stale: str, right: str) -> None:
    original = Original(BOUGHT, (("purchased", "A rival", "the company"),))
    assert not says_tuples(original, Rewording(text, "", (("has", "A rival", f"the {stale} plan"),)))
    assert says_tuples(original, Rewording(text, "", (("has", "A rival", f"the {right} plan"),)))


def test_a_tuple_that_keeps_its_tense_is_noticed_where_a_relative_clause_says_another() -> None:
    original = Original(BOUGHT, (("is", "The company", "old"),))
    text = "A rival , who was a bank , purchased the company in 1990 ."
    assert not says_tuples(original, Rewording(text, "apposition-to-relative", (("is", "A rival", "a bank"),)))
    assert says_tuples(original, Rewording(text, "apposition-to-relative", (("was", "A rival", "a bank"),)))


@pytest.mark.model
@pytest.mark.parametrize("word", ["because", "'s"])
def test_links_and_genitives_that_are_gone_are_noticed(nlp: Toolkit, word: str) -> None:
    text = "The firm 's sales fell because prices rose ."
    (analysis,) = nlp.parser.analyze([text], lines=True, pretokenized=True, constituents=True)
    original = Original(analysis, ())
    tuples = (("fell", "The firm", f"sales {word} prices rose"),)
    assert says_tuples(original, Rewording(text, "", tuples))
    assert not says_tuples(original, Rewording("Prices rose , so the sales of the firm fell .", "", tuples))


def test_moves_are_rules_and_none_is_a_cleft() -> None:
    assert set(RULES) >= MOVES
    assert not any("cleft" in name or name.startswith("what-") for name in MOVES)


def test_wordnet_and_clusters_propose_words(tmp_path: Path) -> None:
    senses = (
        Entry("rival", "n", "rival challenger", "one who competes"),
        Entry("challenge", "n", "challenger dare", "an invitation to compete"),
        Entry("purchase", "v", "purchase buy", "obtain by paying"),
    )
    wordnet = open_wordnet(write_wordnet(tmp_path, senses))
    tree = DependencyTree(BOUGHT)
    clusters = {"company": "firm", "firm": "firm", "purchase": "buy", "buy": "buy"}
    found = Synonyms(clusters=clusters).wordings([tree])
    assert {wording.others for wording in found["company"]} == {(("firm",),)}
    assert {wording.frame for wording in found["purchase"]} == {"vt", "vi"}
    assert set(Synonyms(wordnet).wordings([tree])) == {"purchase", "rival"}
    # Both must agree where both are given.
    assert set(Synonyms(wordnet, {"purchase": "buy", "buy": "buy", "rival": "rival"}).wordings([tree])) == {
        "purchase"
    }


def test_clusters_are_read_through_once_for_all_batches() -> None:
    class Counted(dict[str, str]):
        passes = 0

        def items(self) -> ItemsView[str, str]:  # type: ignore[override]
            self.passes += 1
            return super().items()

    clusters = Counted({"company": "firm", "firm": "firm"})
    synonyms, tree = Synonyms(clusters=clusters), DependencyTree(BOUGHT)
    assert set(synonyms.wordings([tree])) == set(synonyms.wordings([tree])) == {"company"}
    assert clusters.passes == 1
