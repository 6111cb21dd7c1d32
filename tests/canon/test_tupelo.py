"""The default method with the heads that ship."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from papers.hierarchies import tree_of
from tests.canon.mentions import HARBOUR, mention
from tupelo.canon.canonicalizer import MethodCanonicalizer
from tupelo.canon.context import read_context
from tupelo.canon.forms import Forms, candidate_pairs, spellings
from tupelo.canon.heads import Heads, joined
from tupelo.canon.methods import CanonResources
from tupelo.canon.methods.tupelo import JointMentions, TupeloMethod
from tupelo.canon.words import WordOverlap
from tupelo.core.canonical import SUBTASKS
from tupelo.nlp.encoder import Encoder

PEOPLE = [
    mention(1, "Joseph Biden", "was born in", "Scranton", "Joseph Biden was born in Scranton , Pennsylvania ."),
    mention(2, "Joe Biden", "is a native of", "Scranton", "Joe Biden is a native of Scranton ."),
    mention(3, "Ada Lovelace", "was born in", "London", "Ada Lovelace was born in London ."),
    mention(4, "the Vorma", "is a tributary of", "the Glomma", "The Vorma is a tributary of the Glomma ."),
    mention(5, "the Lågen", "flows into", "the Vorma", "The Lågen flows into the Vorma ."),
    mention(6, "Kraftwerk", "released", "Autobahn", "Kraftwerk released Autobahn in 1974 ."),
]


@pytest.mark.model
def test_people_rivers_and_births(encoder: Encoder) -> None:
    found = MethodCanonicalizer(TupeloMethod(relations="taught"), CanonResources(encoder=encoder)).canonicalize(
        PEOPLE
    )
    entity = {(m.mention, m.slot): c.id for c in found.entities for m in c.members}
    assert entity["1", "subject"] == entity["2", "subject"] != entity["3", "subject"]
    # One river, as object and as subject.
    assert entity["4", "subject"] == entity["5", "object"]
    relation = {m.mention: c.id for c in found.relations for m in c.members}
    assert relation["1"] == relation["3"]
    assert len({relation[number] for number in ("1", "4", "6")}) == 3
    kinds = {(m.mention, m.slot): c.id for c in found.types for m in c.members}
    assert kinds["1", "subject"] == kinds["3", "subject"]
    assert kinds["1", "subject"] != kinds["6", "object"]
    assert all(0 <= cluster.confidence <= 1 for cluster in found.clusters)


OPEN_TEXT = [
    mention(1, "North Korea", "borders", "South Korea", "North Korea borders South Korea ."),
    mention(2, "World War I", "ended in", "1918", "World War I ended in 1918 ."),
    mention(3, "World War II", "ended in", "1945", "World War II ended in 1945 ."),
    mention(4, "WWII", "began in", "1939", "WWII began in 1939 ."),
    mention(5, "IBM", "bought", "Lotus", "IBM bought Lotus ."),
    mention(
        6, "International Business Machines", "left", "the U.S.", "International Business Machines left the U.S."
    ),
    mention(7, "Joe Biden", "visited", "Minneapolis", "Joe Biden visited Minneapolis ."),
    mention(8, "Hunter Biden", "left", "Minnesota", "Hunter Biden left Minnesota ."),
    mention(9, "USA", "joined", "the UN", "USA joined the UN ."),
    mention(10, "The United Nations", "met", "Joseph Biden", "The United Nations met Joseph Biden ."),
]


@pytest.mark.model
def test_names_on_open_text(encoder: Encoder, heads: Heads) -> None:
    found = MethodCanonicalizer(
        TupeloMethod(relations="taught"), CanonResources(encoder=encoder), tasks=("npc-e",)
    ).canonicalize(OPEN_TEXT)
    merged = {frozenset(cluster.forms): cluster.confidence for cluster in found.entities if len(cluster.forms) > 1}
    assert set(merged) == {
        frozenset(["WWII", "World War II"]),
        frozenset(["IBM", "International Business Machines"]),
        frozenset(["the U.S.", "USA"]),
        frozenset(["Joe Biden", "Joseph Biden"]),
        frozenset(["the UN", "The United Nations"]),
    }
    assert all(0.5 < confidence < 1 for confidence in merged.values())
    # Merged is what is more probably one than two.
    assert heads.threshold("subject") == heads.threshold("object") == 0.5


DISCS = [
    *(mention(n, "The DVD", "has", "a trailer", "The DVD has a trailer .") for n in range(3)),
    *(mention(n, "DVD", "is in", "colour", "DVD is in colour .") for n in range(3, 6)),
    mention(6, "DVDs", "are sold in", "shops", "DVDs are sold in shops ."),
    mention(7, "Bob", "has", "a digital versatile disc", "Bob has a digital versatile disc ."),
    mention(8, "Bob", "bought", "a digital video disc", "Bob bought a digital video disc ."),
    mention(9, "Bob", "lost", "a digital video disk", "Bob lost a digital video disk ."),
]


@pytest.mark.model
def test_spellings_of_a_name_are_one_before_they_are_anything_else(encoder: Encoder, heads: Heads) -> None:
    context = read_context(DISCS, encoder)
    found = JointMentions(context, heads).subtask("subject")
    for threshold in (0.01, heads.threshold("subject")):
        labels = found.labels(threshold)
        assert len(set(labels[:7].tolist())) == 1 != len(set(labels.tolist()))
    forms = Forms(context, ("subject", "object"), heads.moments())
    pairs = candidate_pairs(forms)
    same, shares = spellings(forms, pairs)
    chosen = zip(pairs[0][same], pairs[1][same], strict=True)
    merged = {frozenset((forms.names[one], forms.names[other])) for one, other in chosen}
    assert {frozenset(pair) for pair in combinations(("The DVD", "DVD", "DVDs"), 2)} <= merged
    share = dict(zip(forms.names, shares.tolist(), strict=True))
    assert (share["The DVD"], share["DVDs"], share["Bob"]) == pytest.approx((3 / 7, 1 / 7, 1))


NAMESAKES = [
    mention(1, "Paris", "is a town in", "Texas", "Paris is a town in Texas ."),
    mention(2, "Paris", "is the capital of", "France", "Paris is the capital of France ."),
    mention(3, "Ann", "works for", "Apple", "Ann works for Apple ."),
    mention(4, "Bob", "ate", "the apple", "Bob ate the apple ."),
    mention(5, "Biden", "met", "Albert Einstein", "Biden met Albert Einstein ."),
    mention(6, "Joe Biden", "met", "Einstein", "Joe Biden met Einstein ."),
    mention(7, "Hunter Biden", "left", "Oslo", "Hunter Biden left Oslo ."),
]


@pytest.mark.model
def test_one_wording_may_be_two_things_and_a_shared_surname_nobody(encoder: Encoder) -> None:
    found = MethodCanonicalizer(TupeloMethod(relations="taught"), CanonResources(encoder=encoder), tasks=("npc-e",))
    entity = {(m.mention, m.slot): c.id for c in found.canonicalize(NAMESAKES).entities for m in c.members}
    assert entity["1", "subject"] != entity["2", "subject"]
    assert entity["3", "object"] != entity["4", "object"]
    assert entity["5", "object"] == entity["6", "object"]
    assert entity["6", "subject"] != entity["7", "subject"]


@pytest.mark.model
def test_the_order_of_mentions_does_not_matter_and_one_is_enough(encoder: Encoder) -> None:
    canonicalizer = MethodCanonicalizer(TupeloMethod(relations="taught"), CanonResources(encoder=encoder))
    assert canonicalizer.canonicalize(PEOPLE) == canonicalizer.canonicalize(PEOPLE[::-1])
    alone = canonicalizer.canonicalize(PEOPLE[:1])
    assert [cluster.name for cluster in alone.relations] == ["was born in"]
    same = [mention(number, "Ann", "lives in", "Oslo") for number in range(3)]
    equal = canonicalizer.canonicalize(same)
    assert [len(cluster.members) for cluster in equal.relations] == [3]


@pytest.mark.model
def test_every_subtask_can_be_cut_and_has_a_tree(encoder: Encoder) -> None:
    prepared = TupeloMethod(relations="taught").prepare(HARBOUR, CanonResources(encoder=encoder))
    for subtask in SUBTASKS:
        cut = prepared.subtask(subtask)
        assert len(cut.labels(cut.grid[0])) == len(HARBOUR)
        tree = tree_of(cut)
        assert tree is not None
        assert tree.children().shape == (len(HARBOUR) - 1, 2)


@pytest.mark.model
def test_pairs_worth_a_look_share_words_or_meaning(encoder: Encoder, heads: Heads) -> None:
    context = read_context(PEOPLE, encoder)
    forms = Forms(context, ("subject", "object"), heads.moments())
    pairs = {(forms.texts[a], forms.texts[b]) for a, b in zip(*candidate_pairs(forms), strict=True)}
    assert ("joseph biden", "joe biden") in pairs
    assert not any("autobahn" in pair and "scranton" in pair for pair in pairs)


def test_words_as_evidence() -> None:
    texts = ["united nations", "un", "nations united 2", "un building"]
    rows = WordOverlap(texts).features((np.array([0, 0, 1]), np.array([1, 2, 3])))
    names = ("trigrams", "words", "contained", "acronym", "prefix", "numbers")
    first, second, third = (dict(zip(names, row.tolist(), strict=False)) for row in rows)
    assert (first["acronym"], first["words"], first["prefix"]) == (1, 0, 1)
    assert (second["contained"], second["numbers"], second["acronym"]) == (1, 1, 0)
    assert (third["contained"], third["prefix"], third["acronym"]) == (1, 1, 0)


def test_joined_parts_weigh_their_cosines() -> None:
    one = np.array([[1, 0], [0, 1]], dtype=np.float32)
    other = np.array([[1, 0], [1, 0]], dtype=np.float32)
    rows = joined([(1.0, one), (0.5, other)])
    cosine = rows[0] @ rows[1] / np.linalg.norm(rows[0]) / np.linalg.norm(rows[1])
    assert cosine == pytest.approx((1.0 * 0 + 0.5 * 1) / 1.5)


@pytest.mark.model
def test_entities_share_their_types(encoder: Encoder, heads: Heads) -> None:
    context = read_context(PEOPLE, encoder)
    vectors = JointMentions(context, heads).type_vectors("subject")
    apart = JointMentions(context, Heads(heads.arrays, {**heads.settings, "type_entity": 0})).type_vectors("subject")

    def cosine(rows: np.ndarray) -> float:
        return float(rows[0] @ rows[1] / np.linalg.norm(rows[0]) / np.linalg.norm(rows[1]))

    assert cosine(vectors) > cosine(apart)
