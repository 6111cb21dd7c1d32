"""What lets the default method take many triples: states read once and kept small, pairs in blocks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import tupelo.canon.context as context_module
import tupelo.canon.forms as forms_module
import tupelo.canon.heads as heads_module
from tests.canon.mentions import mention
from tests.canon.test_tupelo import NAMESAKES, OPEN_TEXT, PEOPLE
from tupelo.canon.canonicalizer import MethodCanonicalizer
from tupelo.canon.context import Context, HalfRows, PhraseReading, blocks_of_states, read_context
from tupelo.canon.forms import Forms
from tupelo.canon.heads import Heads
from tupelo.canon.methods import CanonResources
from tupelo.canon.methods.tupelo import JointMentions, TupeloMethod
from tupelo.canon.words import LEXICAL, WordOverlap
from tupelo.core.canonical import TripleMention
from tupelo.io.triples import read_triples
from tupelo.nlp.encoder import EncodedText, Encoder, States, load_encoder

NOUNS = ("subject", "object")


class Counting:
    """The shipped encoder; it counts what it reads."""

    name, layers = "counting", 6

    def __init__(self) -> None:
        self._encoder = load_encoder()
        self.cut, self.join, self.inputs = self._encoder.cut, self._encoder.join, 0

    def read(self, inputs: Iterable[EncodedText]) -> Iterator[States]:
        for states in self._encoder.read(inputs):
            self.inputs += 1
            yield states


@pytest.fixture(scope="module")
def everything() -> list[TripleMention]:
    said = [*PEOPLE, *OPEN_TEXT, *NAMESAKES]
    return [
        mention(f"{number:03}", m.subject.text, m.relation.text, m.object.text, m.sentence)
        for number, m in enumerate(said)
    ]


@pytest.fixture(scope="module")
def context(encoder: Encoder, everything: list[TripleMention]) -> Context:
    return read_context(everything, encoder)


@pytest.mark.model
def test_a_sentence_and_a_phrase_are_read_once() -> None:
    text = "Ann Berg founded Acme and left Oslo ."
    said = [
        mention(1, "Ann Berg", "founded", "Acme", text),
        mention(2, "Ann Berg", "left", "Oslo", text),
        mention(3, "Ann Berg", "left", "Oslo", text),
    ]
    counting = Counting()
    read = read_context(said, counting)
    # One sentence; Ann Berg, Acme and Oslo alone.
    assert counting.inputs == 1 + 3
    assert (read.block("object:6")[0] != read.block("object:6")[1]).any()
    assert (read.block("object:6")[1] == read.block("object:6")[2]).all()
    assert (read.block("whole", "subject")[0] == read.block("whole", "subject")[2]).all()


@pytest.mark.model
def test_states_in_half_precision_are_those_of_the_encoder(encoder: Encoder, context: Context) -> None:
    for numbers, states in blocks_of_states(encoder, context.mentions, PhraseReading(layers=(6,))):
        for name, place in (("subject:6", 0), ("relation:6", 1), ("object:6", 2)):
            assert context.block(name)[numbers] == pytest.approx(states[:, place, 0], abs=2e-3)


def test_half_precision_keeps_a_dimension_that_hardly_changes() -> None:
    random = np.random.default_rng(0)
    rows = random.normal(size=(500, 3)).astype(np.float32) * np.array([3.0, 1e-3, 5e-9], dtype=np.float32)
    rows += np.array([0.0, 7.0, -1e-7], dtype=np.float32)
    half = HalfRows(len(rows), rows[:300])
    half.put(range(300), rows[:300])
    half.put(range(300, 500), rows[300:])
    found = half.get(np.arange(500))
    for column in range(3):
        assert np.corrcoef(found[:, column], rows[:, column])[0, 1] > 0.999
    # Far beyond the first ones it stays finite, and one row alone has no spread.
    half.put([0], rows[:1] * 1e6)
    assert np.isfinite(half.get(np.arange(1))).all()
    one = HalfRows(1, rows[:1])
    one.put([0], rows[:1])
    assert one.get(np.array([0])).tolist() == rows[:1].tolist()


@pytest.mark.model
def test_small_blocks_give_the_same(context: Context, heads: Heads, monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> tuple[np.ndarray, ...]:
        prepared = JointMentions(context, heads)
        forms = Forms(context, NOUNS, heads.moments())
        return (
            *heads.entity_pairs(forms, 0.02),
            prepared.pooled("entity").labels(0.5),
            prepared.type_vectors("object"),
            prepared.relation_vectors,
        )

    whole = found()
    assert len(whole[0]) > 5
    monkeypatch.setattr(context_module, "_BLOCK", 3)
    monkeypatch.setattr(forms_module, "_BLOCK", 3)
    monkeypatch.setattr(heads_module, "_PAIRS", 2)
    for one, other in zip(whole, found(), strict=True):
        assert one == pytest.approx(other, abs=1e-3)


@pytest.mark.model
def test_blocks_find_the_entities_of_all_pairs(
    encoder: Encoder, context: Context, heads: Heads, everything: list[TripleMention]
) -> None:
    forms = Forms(context, NOUNS, heads.moments())
    every, some = (heads.entity_pairs(forms, 0.5, approximate) for approximate in (False, True))
    assert len(every[0]) > 5
    assert set(zip(some[0], some[1], strict=True)) == set(zip(every[0], every[1], strict=True))
    exact, approximate = (
        MethodCanonicalizer(
            TupeloMethod(relations="taught", approximate=approximate),
            CanonResources(encoder=encoder),
            tasks=("npc-e",),
        ).canonicalize(everything)
        for approximate in (False, True)
    )
    assert exact.entities == approximate.entities


@pytest.mark.model
def test_blocks_compare_less(context: Context, heads: Heads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms_module, "_NEAREST", 1)
    monkeypatch.setattr(forms_module, "_CLOSE", 1.0)
    forms = Forms(context, NOUNS, heads.moments())
    every, some = (forms_module.candidate_pairs(forms, approximate) for approximate in (False, True))
    assert len(some[0]) < 0.5 * len(every[0])


def test_words_that_many_share_count_in_twos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms_module, "_MOST_SHARERS", 2)
    texts = ["university of oslo", "oslo university", "university of bergen", "oslo harbour", "bergen harbour"]
    pairs = set(forms_module._pairs_by_words(texts))
    # *oslo* and *university* are in three each, *bergen* and *harbour* in two; *of* is one of the words.
    assert pairs == {(0, 1), (0, 2), (2, 4), (3, 4)}


@pytest.mark.model
def test_a_common_surname_is_nobodys_where_not_all_its_bearers_are_compared(
    encoder: Encoder, heads: Heads, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [
        mention(1, "Albert Vorma", "met", "Oslo", "Albert Vorma met Oslo ."),
        mention(2, "President Vorma", "left", "Oslo", "President Vorma left Oslo ."),
    ]
    forms = Forms(read_context(said, encoder), NOUNS, heads.moments())
    by_name = heads.settings["by_name"]["surname"]
    assert heads.entity_pairs(forms, 0.02, True)[2].max() == pytest.approx(by_name)
    monkeypatch.setattr(forms_module.Forms, "is_common", lambda self, number: True)
    assert by_name not in heads.entity_pairs(forms, 0.02, True)[2].tolist()
    assert heads.entity_pairs(forms, 0.02, False)[2].max() == pytest.approx(by_name)


@pytest.mark.model
def test_blocks_find_nearly_all_probable_pairs_of_the_benchmark(encoder: Encoder, heads: Heads, shared: Path) -> None:
    said = sorted(read_triples(shared / "data/combo/combo.dev.json").mentions, key=lambda m: m.id)[:250]
    forms = Forms(read_context(said, encoder), NOUNS, heads.moments())
    every, some = (
        set(zip(*(side.tolist() for side in heads.entity_pairs(forms, 0.2, approximate)[:2]), strict=True))
        for approximate in (False, True)
    )
    assert some <= every
    assert len(every & some) >= 0.99 * len(every) > 10


def test_words_that_pairs_share_are_counted_as_sets_are() -> None:
    texts = ["bank of norway", "norway bank bank", "the oslo bank", "oslo", "?!", "the norway of the bank"]
    pairs = list(combinations(range(len(texts)), 2))
    found = WordOverlap(texts).features((np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])))
    words = [set(text.split()) for text in texts]
    weight = {word: math.log(1 + len(texts) / sum(word in each for each in words)) for word in set().union(*words)}

    def total(chosen: set[str]) -> float:
        return sum(weight[word] for word in chosen)

    for (one, other), row in zip(((words[a], words[b]) for a, b in pairs), found, strict=True):
        told = dict(zip(LEXICAL, row.tolist(), strict=True))
        assert told["words"] == pytest.approx(total(one & other) / total(one | other))
        assert told["covered"] == pytest.approx(total(one & other) / min(total(one), total(other)))
        assert told["contained"] == (one <= other or other <= one)
        assert told["rest"] == pytest.approx(math.log1p(total(one ^ other)), abs=1e-6)
        assert 0 <= told["trigrams"] < 1 + 1e-6


def test_trigrams_are_compared_by_their_rarity() -> None:
    texts = ["abc", "abcabc", "abd", "xyz"]
    # #ab is in three of four; abc, bc# in two.
    rare, rarer = math.log(1 + 4 / 3), math.log(1 + 4 / 2)
    once = math.log(1 + 4 / 1)
    lengths = math.sqrt(rare**2 + 2 * rarer**2), math.sqrt(rare**2 + 5 * rarer**2 + 2 * once**2)
    found = WordOverlap(texts).features((np.array([0, 0]), np.array([1, 3])))[:, 0]
    assert found == pytest.approx([(rare**2 + 3 * rarer**2) / (lengths[0] * lengths[1]), 0])


def test_a_last_word_that_two_names_share_is_no_key_unless_it_is_all_of_one() -> None:
    keys = forms_module.NameKeys(["Acme Motors Inc", "Bolt Foods Inc", "Albert Vorma", "President Vorma", "Oslo"])
    assert set(keys.of[0]) & set(keys.of[1])
    assert not keys.tell(0, 1)
    assert keys.tell(2, 3)
    assert not keys.tell(0, 4)


@pytest.mark.model
def test_states_that_only_entities_need_are_let_go(context: Context, heads: Heads) -> None:
    class Never:
        def outcomes(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
            return [(0.0, 0.0, 1.0)] * len(pairs)

    whole, less = JointMentions(context, heads), JointMentions(context, heads, support=Never())
    for prepared in (whole, less):
        prepared.pooled("entity")
    assert set(less.context.stored) < set(whole.context.stored) == set(context.stored)
    assert less.pooled("type").labels(0.65).tolist() == whole.pooled("type").labels(0.65).tolist()
    assert len(less.subtask("relation").labels(0.4)) == len(context.mentions)
