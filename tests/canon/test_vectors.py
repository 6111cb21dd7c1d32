"""Vector methods: pooling over pieces, standardisation, words, and what they do with little or odd input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from papers.hierarchies import tree_of
from tests.canon.mentions import HARBOUR, mention
from tupelo.canon.context import standardized
from tupelo.canon.cuts import VectorCut, condensed_tree
from tupelo.canon.methods import CanonResources
from tupelo.core import InputError, UnknownNameError
from tupelo.core.canonical import SLOTS
from tupelo_training.canon.readings import FORMS, POOLINGS, phrase_states, reading
from tupelo_training.canon.untrained import EncoderVectors, RandomVectors, StaticVectors, words_of


@dataclass(frozen=True)
class Pieces:
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class States:
    vectors: NDArray[np.float32]
    offsets: tuple[tuple[int, int], ...]


class LetterEncoder:
    """Every character is a piece; layer n of a letter is its code point times n + 1, beside its place."""

    name = "letters"
    layers = 2

    def cut(self, text: str) -> Pieces:
        return self.join([text])

    def join(self, texts: Sequence[str]) -> Pieces:
        ids, offsets = [0], [(0, 0)]
        for text in texts:
            ids += [ord(letter) for letter in text]
            offsets += [(place, place + 1) for place in range(len(text))]
            ids.append(1)
            offsets.append((0, 0))
        return Pieces(tuple(ids), tuple(offsets))

    def read(self, inputs: Iterable[Any]) -> Iterator[States]:
        for cut in inputs:
            codes = np.array(cut.ids, dtype=np.float32)
            base = np.stack([codes, np.ones_like(codes)], axis=1)
            yield States(np.stack([base * (layer + 1) for layer in range(3)]), cut.offsets)


def mean_code(text: str) -> float:
    return float(np.mean([ord(letter) for letter in text]))


@pytest.mark.parametrize("form", FORMS)
def test_a_phrase_is_the_mean_of_its_own_pieces_in_every_form(form: str) -> None:
    states = phrase_states(LetterEncoder(), HARBOUR, reading(form))
    assert states.shape == (len(HARBOUR), 3, 3, 2)
    for row, item in enumerate(HARBOUR):
        for place, slot in enumerate(SLOTS):
            expected = mean_code(item.phrase(slot).text)
            assert states[row, place, :, 0].tolist() == pytest.approx(
                [expected, 2 * expected, 3 * expected], rel=1e-5
            )


def test_the_sentence_form_reads_the_sentence_and_not_the_name() -> None:
    from dataclasses import replace

    from tupelo.core.canonical import Phrase
    from tupelo.core.extraction import Span

    shown = replace(HARBOUR[0], relation=Phrase("zzz", Span(9, 20)))
    states = phrase_states(LetterEncoder(), [shown], reading("sentence", layers=(0,)))
    assert states[0, 1, 0, 0] == pytest.approx(mean_code("was born in"))
    # Nobody knows where: read as a triple, from the name.
    lost = replace(shown, relation=Phrase("zzz"))
    states = phrase_states(LetterEncoder(), [lost], reading("sentence"))
    assert states[0, 1, 0, 0] == pytest.approx(mean_code("zzz"))


def test_pooling() -> None:
    one = [mention(1, "az", "b", "c")]
    low, high = ord("a"), ord("z")
    assert phrase_states(LetterEncoder(), one, reading("sep", "max"))[0, 0, 0, 0] == high
    states = phrase_states(LetterEncoder(), one, reading("sep", "diffsum"))
    assert states[0, 0, 0].tolist() == [high + low, 2, high - low, 0]
    with pytest.raises(UnknownNameError, match="no pooling named 'min'"):
        phrase_states(LetterEncoder(), one, reading("sep", "min"))
    with pytest.raises(UnknownNameError, match=r"no input form named 'tripel'.*Did you mean 'triple'"):
        phrase_states(LetterEncoder(), one, reading("tripel"))
    assert set(POOLINGS) == {"mean", "max", "diffsum"}


def test_a_layer_that_the_encoder_lacks_is_refused() -> None:
    with pytest.raises(InputError, match="layer 7, expected 0 to 2"):
        EncoderVectors(layer=7).prepare(HARBOUR, CanonResources(encoder=LetterEncoder()))
    with pytest.raises(InputError, match="method 'encoder' needs encoder: give --encoder"):
        EncoderVectors().prepare(HARBOUR, CanonResources())


def test_standardised_dimensions_have_mean_zero_and_deviation_one() -> None:
    rows = np.random.default_rng(0).normal(3, 2, (50, 4)).astype(np.float32)
    rows[:, 2] = 7
    moved = standardized(rows)
    assert moved.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-5)
    assert moved.std(axis=0) == pytest.approx(np.array([1, 1, 0, 1]), abs=1e-5)


@pytest.mark.parametrize("method", [RandomVectors(), StaticVectors(), EncoderVectors(form="sep")])
def test_one_triple_and_equal_triples_are_no_error(method: Any) -> None:
    resources = CanonResources(encoder=LetterEncoder())
    for count in (1, 3):
        same = [mention(number, "Ann", "lives in", "Oslo") for number in range(count)]
        prepared = method.prepare(same, resources)
        for subtask in ("subject", "relation", "object-type"):
            cut = prepared.subtask(subtask)
            assert cut.labels(0.5).tolist() == [0] * count
            assert tree_of(cut).count == count


def test_vectors_that_are_no_numbers_are_refused() -> None:
    rows = np.ones((3, 2), dtype=np.float32)
    rows[1, 0] = np.nan
    with pytest.raises(InputError, match="vector 1 holds NaN or infinity"):
        VectorCut(rows).labels(0.5)


def test_random_vectors_depend_on_word_and_seed_alone() -> None:
    def distances(seed: int, mentions: Any) -> list[int]:
        return RandomVectors().prepare(mentions, CanonResources(), seed=seed).subtask("subject").labels(0.9).tolist()

    assert distances(0, HARBOUR) == distances(0, HARBOUR)
    labels = distances(0, HARBOUR)
    assert labels[0] == labels[2] == labels[5]
    assert labels[0] != labels[3]


def test_word_vectors_of_a_file_are_used_and_unknown_words_get_their_own() -> None:
    vectors = {"ann": np.array([1.0, 0.0]), "oslo": np.array([0.0, 1.0]), "berg": np.array([1.0, 0.1])}
    prepared = StaticVectors(standardize=False).prepare(HARBOUR, CanonResources(word_vectors=vectors))
    labels = prepared.subtask("subject").labels(0.3).tolist()
    assert labels[0] == labels[1] == labels[2]
    assert labels[4] != labels[0]
    assert words_of("St. Mary's!") == ["st", ".", "mary", "'", "s", "!"]
    assert words_of(" ") == [""]


def test_a_condensed_tree_joins_all_rows_once_and_keeps_close_ones_together(monkeypatch: pytest.MonkeyPatch) -> None:
    import tupelo.canon.cuts as module

    monkeypatch.setattr(module, "_WHOLE_TREE", 20)
    random = np.random.default_rng(3)
    centres = random.normal(size=(6, 16))
    owners = np.repeat(np.arange(6), 20)
    rows = (centres[owners] + 0.05 * random.normal(size=(120, 16))).astype(np.float32)
    merges = condensed_tree(rows, "average")
    assert len(merges.first) == 119
    assert (np.diff(merges.heights) >= 0).all()
    whole = VectorCut(rows, linkage="average")
    labels = whole.labels(0.3)
    assert len(set(zip(labels.tolist(), owners.tolist(), strict=True))) == 6 == len(set(labels.tolist()))
