"""Equation 1 over extractors: a source of facts written by hand, then Open IE with the shipped model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tupelo
from tests.parses import parsed
from tupelo.api.facts import fact_metrics
from tupelo.api.text import Toolkit
from tupelo.core import Analysis, Triple
from tupelo.core.protocols import Parser
from tupelo.factmodels.metric import CanonicalFacts, FactMetric


class Told:
    """A parser and a source of facts in one: a text is a list of facts, `a|b|c; d|e|f`."""

    name = "told"

    def analyze(self, text: object, **_: object) -> Iterator[Analysis]:
        yield Analysis(str(text), ())

    def __call__(self, sentences: Sequence[Analysis], subject: str = "") -> list[Triple]:
        facts = [
            Triple(*part.strip().split("|")) for one in sentences for part in one.text.split(";") if part.strip()
        ]
        return [fact for fact in facts if not subject or fact.subject == subject]


def metric(**options: object) -> FactMetric:
    told = Told()
    parser: Parser = told
    return FactMetric(parser, told, **options)  # type: ignore[arg-type]


def test_the_papers_example_scores_nothing() -> None:
    assert metric()("Brad Pitt|born in|1961", "Brad Pitt|born in|1963").value == 0


def test_only_claims_about_the_subject_count_where_one_is_named() -> None:
    said, known = "Ann|born in|Rome; Tom|born in|Oslo", "Ann|born in|Rome; Tom|born in|Bern"
    assert metric()(said, known).value == pytest.approx(1 / 2)
    assert metric()(said, known, subject="Ann").value == 1


def test_nothing_to_check_is_null_with_a_reason() -> None:
    assert metric()("", "a|b|c").value is None
    assert metric()("", "a|b|c").reason == "the text makes no claim"
    assert metric()("x|b|c", "a|b|c").reason == "the source says nothing about any claim"


ANN = parsed(
    "Ann/Ann/PROPN/2/nsubj met/meet/VERB/0/root Tom/Tom/PROPN/2/obj and/and/CCONJ/5/cc Ida/Ida/PROPN/3/conj",
    ("person", 1, 1),
    ("person", 3, 3),
    ("person", 5, 5),
)


def test_pairs_count_where_the_source_mentions_both() -> None:
    def facts(sentences: Sequence[Analysis], subject: str = "") -> list[Triple]:
        if sentences[0] is ANN:
            return [Triple("Tom", "related", "Ann")]
        return [Triple("Ann", "related", "Tom"), Triple("Ann", "related", "Ida"), Triple("Ann", "related", "Bob")]

    found = FactMetric(Told(), facts, by_pairs=True).compare([Analysis("", ())], [ANN])
    assert found.value == pytest.approx(1 / 2)
    assert [fact.object for fact in found.supported] == ["Tom"]
    assert [fact.object for fact in found.refuted] == ["Ida"]
    assert [fact.object for fact in found.unverifiable] == ["Bob"]


class Same:
    """Makes two phrases one when they are equal but for case."""

    name, version = "same", "1"

    def canonicalize(self, mentions: Sequence[object]) -> object:
        from tupelo.canon.canonicalizer import MethodCanonicalizer
        from tupelo.canon.methods import METHODS

        return MethodCanonicalizer(METHODS.get("surface")(), tasks=("npc-e", "rpc")).canonicalize(mentions)  # type: ignore[arg-type]


def test_wordings_of_one_thing_are_equal_after_canonicalization() -> None:
    both = CanonicalFacts(Same())  # type: ignore[arg-type]
    said, known = both([Triple("ann lee", "Born In", "ROME")], [Triple("Ann Lee", "born in", "Rome")])
    assert said == known


phrase = st.sampled_from(["Ann", "Tom", "Rome", "Oslo", "1961", "1963"])
facts = st.lists(st.builds(lambda *parts: "|".join(parts), phrase, st.sampled_from(["in", "of"]), phrase), min_size=1)


@given(facts)
def test_a_text_against_itself_scores_one(told: list[str]) -> None:
    text = "; ".join(told)
    assert metric()(text, text).value == 1


@given(facts, facts, st.data())
def test_an_argument_from_nowhere_never_raises_it(said: list[str], known: list[str], data: st.DataObject) -> None:
    before = metric()("; ".join(said), "; ".join(known)).value
    number = data.draw(st.integers(0, len(said) - 1))
    subject, relation, _ = said[number].split("|")
    changed = [*said[:number], f"{subject}|{relation}|nowhere", *said[number + 1 :]]
    after = metric()("; ".join(changed), "; ".join(known)).value
    if before is not None and after is not None and len(set(said)) == len(said):
        assert after <= before


@pytest.fixture(scope="module")
def toolkit() -> Toolkit:
    return tupelo.load(threads=1)


SOURCE = "Ann Lee was born in Rome. She moved to Oslo in 1998."


@pytest.mark.model
@pytest.mark.parametrize("name", ["openie", "openie-canonical"])
def test_open_tuples(toolkit: Toolkit, name: str) -> None:
    measure = fact_metrics([(name, None)]).of(toolkit.pipeline)[name]
    assert measure(SOURCE, SOURCE).value == 1
    assert measure("Ann Lee was born in Bern.", SOURCE).value == 0
    assert measure("Ann Lee was born in Rome.", SOURCE).value == 1


@pytest.mark.model
def test_a_pronoun_is_the_person(toolkit: Toolkit) -> None:
    metrics = fact_metrics([("openie-canonical", None), ("openie", None)]).of(toolkit.pipeline)
    assert metrics["openie-canonical"]("Ann Lee moved to Oslo in 1998.", SOURCE).value == 1
    assert metrics["openie"]("Ann Lee moved to Oslo in 1998.", SOURCE).value is None
