"""The default extractor: the probability of being right, facts and minor tuples, and the form that asks for them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tupelo
from tupelo.api.text import Toolkit
from tupelo.core import Extraction
from tupelo.core.schemas import record_to_row, row_to_record
from tupelo.extract.judge import JudgedExtractor
from tupelo.extract.judge.features import NAMES, features_of
from tupelo.extract.judge.network import WIDEST, Ensemble, shipped_judge, vectors_of
from tupelo.extract.options import ExtractionOptions
from tupelo.extract.rules import RuleExtractor
from tupelo.nlp.syntax import DependencyTree

TEXT = "Ann Lee founded Acme in Oslo in 1990. She did not sell the company, although Bob Hall wanted to buy it."


@pytest.fixture(scope="module")
def nlp() -> Toolkit:
    return tupelo.load()


@pytest.fixture(scope="module")
def first(nlp: Toolkit):
    return nlp.analyze(TEXT, constituents=False, vectors=True)[0]


@pytest.mark.model
def test_every_tuple_has_a_probability(nlp: Toolkit) -> None:
    found = nlp.extract(TEXT, all=True, min_confidence=0)
    assert all(0 <= (item.confidence or -1) <= 1 for item in found)
    assert {item.extractor for item in found} == {"default"}


@pytest.mark.model
def test_one_fact_is_one_tuple_and_the_shorter_forms_are_reachable(nlp: Toolkit) -> None:
    sentence = "Ann Lee founded Acme in Oslo in 1990."
    shown = nlp.extract(sentence)
    assert [str(item) for item in shown] == ["(Ann Lee; founded; Acme; in Oslo; in 1990)"]
    forms = {str(item): item for item in nlp.extract(sentence, all=True)}
    short, whole = forms["(Ann Lee; founded; Acme)"], forms[str(shown[0])]
    assert short.minor
    assert not whole.minor
    assert (short.confidence or 0) < (whole.confidence or 0)


@pytest.mark.model
def test_right_forms_that_are_minor_are_kept_whatever_their_confidence(nlp: Toolkit) -> None:
    sentence = "Ann Lee founded Acme in Oslo in 1990."
    forms = nlp.extract(sentence, all=True, min_confidence=0.99)
    assert "(Ann Lee; founded; Acme)" in map(str, forms)
    assert all(item.minor or (item.confidence or 0) >= 0.99 for item in forms)


@pytest.mark.model
def test_what_is_shown_is_more_likely_right_than_wrong(nlp: Toolkit) -> None:
    assert all((item.confidence or 0) >= 0.6 for item in nlp.extract(TEXT))
    every = nlp.extract(TEXT, min_confidence=0)
    assert {str(item) for item in nlp.extract(TEXT, all=True)} <= {str(item) for item in every}
    assert not any(item.minor for item in every if (item.confidence or 0) >= 0.6)


def test_an_extractor_without_a_threshold_of_its_own_keeps_everything() -> None:
    assert ExtractionOptions().of(RuleExtractor()).min_confidence is None
    assert ExtractionOptions().of(JudgedExtractor(shipped_judge())).min_confidence == 0.6
    assert ExtractionOptions(min_confidence=0.0).of(JudgedExtractor(shipped_judge())).min_confidence == 0.0


@pytest.mark.model
def test_features_have_names_and_are_finite(first) -> None:
    tree = DependencyTree(first)
    rows, words = features_of(RuleExtractor().propose(first)[0], tree)
    assert rows.shape == (len(words), len(NAMES))
    assert len(set(NAMES)) == len(NAMES)
    assert np.isfinite(rows).all()
    assert (words < tree.size).all()
    assert features_of([], tree)[0].shape == (0, len(NAMES))


@pytest.mark.model
def test_features_say_how_a_tuple_stands_to_the_others(first) -> None:
    found, tree = RuleExtractor().propose(first)
    rows, _ = features_of(found, tree)
    column = {name: place for place, name in enumerate(NAMES)}
    texts = [str(item) for item in found]
    short, whole = (rows[texts.index(f"(Ann Lee; founded; Acme{rest})")] for rest in ("", "; in Oslo; in 1990"))
    assert (short[column["others-fuller"]], whole[column["others-fuller"]]) == (1, 0)
    assert (whole[column["others-shorter"]] > 0, short[column["others-shorter"]]) == (True, 0)
    assert short[column["others-share-of-clause"]] < whole[column["others-share-of-clause"]] == 1
    alone, _ = features_of([found[texts.index("(Ann Lee; founded; Acme)")]], tree)
    assert alone[0][column["others-fuller"]] == 0
    # Candidates without a row count as others, too.
    among, _ = features_of(found[:1], tree, found[1:])
    assert (among[0] == rows[0]).all()


@pytest.mark.model
def test_a_doubtful_tree_lowers_the_probability(first) -> None:
    sure = replace(first, certainty=np.full_like(first.certainty, 0.999))
    unsure = replace(first, certainty=np.full_like(first.certainty, 0.3))

    def mean(analysis) -> float:
        return float(np.mean([item.confidence for item in extracted(analysis)]))

    assert mean(unsure) < mean(sure)


def extracted(analysis) -> list[Extraction]:
    (found,) = JudgedExtractor(shipped_judge()).extract([analysis])
    return found


@pytest.mark.model
def test_a_parser_without_vectors_is_enough(first) -> None:
    blind = replace(first, vectors=None, certainty=None)
    assert [str(item) for item in extracted(blind)] == [str(item) for item in extracted(first)]


def test_a_minor_tuple_survives_a_file() -> None:
    item = replace(Extraction.of("Ann sings.", "sings", ["Ann"]), minor=True)
    assert row_to_record(record_to_row(item)) == item
    assert "minor" not in record_to_row(replace(item, minor=False))


@pytest.mark.model
@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("Wright would later engage the builder.", None),
        ("The two sisters would often visit their old teacher in Lindvik.", None),
        ("Wright would engage the builder.", "hypothetical"),
        ("Wright would later engage the builder if he had the money.", "hypothetical"),
        ("Wright would later have engaged the builder.", "hypothetical"),
    ],
)
def test_would_can_tell_what_came_later(nlp: Toolkit, sentence: str, modality: str | None) -> None:
    first = nlp.extract(sentence, min_confidence=0, all=True)[0]
    assert first.modality == modality


@pytest.mark.model
def test_a_copula_said_twice_breaks_nothing(nlp: Toolkit) -> None:
    assert all(item.rel.text for item in nlp.extract("Is it, is it all over now?", all=True, min_confidence=0))


def test_an_ensemble_is_the_mean_of_its_networks() -> None:
    draw = np.random.default_rng(5)
    shapes = {"mean": (2,), "spread": (2,), "read": (4, 3, 5, 2), "first": (4, 2 + 3 * 2, 7), "first_bias": (4, 1, 7)}
    shapes |= {"last": (4, 7, 2), "last_bias": (4, 1, 2), "scale": (2,)}
    weights = {name: draw.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    features, vectors = draw.normal(size=(6, 2)).astype(np.float32), draw.normal(size=(6, 3, 5)).astype(np.float32)
    standard = ((features - weights["mean"]) / weights["spread"]).clip(-WIDEST, WIDEST)
    outputs = []
    for network in range(4):
        read = [np.tanh(vectors[:, word] @ weights["read"][network, word]) for word in range(3)]
        inputs = np.concatenate([standard, *read], axis=1)
        hidden = np.maximum(inputs @ weights["first"][network] + weights["first_bias"][network], 0)
        outputs.append(hidden @ weights["last"][network] + weights["last_bias"][network])
    found = Ensemble(weights, 2, 3).logits(features, vectors)
    assert found == pytest.approx(np.mean(outputs, axis=0), abs=1e-5)


@pytest.mark.model
def test_explained_tuples_are_the_same_and_say_why(nlp: Toolkit) -> None:
    text = f"{TEXT} Either Bob or Ann painted the house. No player left the pitch. She wanted to go home."
    found = list(nlp.extract(text, explain=True))
    assert [replace(item, reasons=()) for item in found] == list(nlp.extract(text))
    assert [row_to_record(record_to_row(item)) for item in found] == found
    told = [str(reason) for item in found for reason in item.reasons]
    for reason in (
        "rule: clause (trust 0.7), a verb with its own subject: Ann sings songs",
        "arg1: Ann Lee: Ann is subject of founded",
        "time: in 1990: 1990 is prepositional phrase at founded",
        "negated: not",
        "negated: No",
        "modality: wanted",
        "modality: Either",
    ):
        assert reason in told
    assert all(any(reason.weight for reason in item.reasons) for item in found)


@pytest.mark.model
def test_shares_are_the_slopes_of_the_judgement(first) -> None:
    found, tree = RuleExtractor().propose(first)
    features, words = features_of(found, tree)
    networks, vectors = shipped_judge()._networks, vectors_of(tree, words)
    weights = np.tile(np.array([1.0, 0, 0], dtype=np.float32), (len(found), 1))
    shares = networks.shares(features, vectors, weights)
    column, step = NAMES.index("subject-size"), 1e-3
    moved = features.copy()
    moved[:, column] += step
    slope = (networks.logits(moved, vectors) - networks.logits(features, vectors))[:, 0] * networks._slope[0] / step
    expected = slope * (features - networks._mean)[:, column]
    assert shares[:, column] == pytest.approx(expected, abs=0.02)


@pytest.mark.model
def test_rules_say_where_they_read_otherwise_than_the_parser() -> None:
    (found,) = tupelo.load(extractor="rules").extract("It was Ann who sold it.", explain=True)
    told = [str(reason) for reason in found.reasons]
    assert told[1] == "arg1: Ann: Ann is subject of sold; to the parser Ann is the root"
