"""Claims made from sentences parsed by hand: what is true stays true, what is false says which words are to blame."""

from __future__ import annotations

import random

from tests.parses import parsed
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.support.claims import NO, OPEN, Store, claims_of, crossed, denied, name_swapped, roles_swapped

ROBBED = DependencyTree(
    parsed(
        "Ann/Ann/PROPN/2/nsubj robbed/rob/VERB/0/root Tom/Tom/PROPN/2/obj in/in/ADP/5/case Oslo/Oslo/PROPN/2/obl",
        ("person", 1, 1),
        ("person", 3, 3),
        ("place", 5, 5),
    )
)
LEFT = DependencyTree(
    parsed(
        "Ida/Ida/PROPN/3/nsubj has/have/AUX/3/aux left/leave/VERB/0/root the/the/DET/5/det town/town/NOUN/3/obj",
        ("person", 1, 1),
    )
)


def words(claim: list[tuple[str, int]] | None) -> str:
    return " ".join(word for word, _ in claim or ())


def test_swapped_roles_keep_the_words() -> None:
    made = roles_swapped(ROBBED, random.Random(1))
    assert words(made) in ("Tom robbed Ann in Oslo", "Oslo robbed Tom in Ann")


def test_a_denial_is_put_after_the_auxiliary() -> None:
    assert words(denied(LEFT, range(LEFT.size), random.Random(0))) == "Ida has not left the town"


def test_subject_and_predicate_of_two_sentences() -> None:
    made = crossed(ROBBED, LEFT)
    assert words(made) == "Ann has left the town"
    assert {label for _, label in made or ()} == {OPEN}


def test_the_word_that_was_swapped_is_to_blame() -> None:
    near = {"person": ["Eve"], "place": ["Rome"]}
    made = name_swapped(ROBBED, range(ROBBED.size), random.Random(3), near, Store(names=near))
    blamed = [word for word, label in made or () if label == NO]
    assert blamed in (["Eve"], ["Rome"])


def test_claims_of_a_text_are_the_same_for_the_same_seed() -> None:
    store = Store()
    for tree in (ROBBED, LEFT):
        store.add(tree)
    made = [list(claims_of([ROBBED, LEFT], store, {}, {}, random.Random(5), 30)) for _ in range(2)]
    assert made[0] == made[1]
    assert {claim.label for claim in made[0]} == {0.0, 1.0}
    assert all(claim.words[-1] == (".", OPEN) for claim in made[0])
