"""What the network took along from another clause is given back."""

from __future__ import annotations

import pytest

import tupelo
from tests.extract.trees import analysis
from tupelo.extract.neural.extractor import own_complements
from tupelo.extract.neural.scores import NEURAL
from tupelo.extract.rules import TupleCandidate
from tupelo.nlp.syntax import DependencyTree

WATSON = analysis(
    "Watson elected in 1998 served as leader since May",
    "Watson PROPN 5 nsubj",
    "elected VERB 1 acl",
    "in ADP 4 case",
    "1998 NUM 2 obl",
    "served VERB 0 root",
    "as ADP 7 case",
    "leader NOUN 5 obl",
    "since ADP 9 case",
    "May PROPN 5 obl",
)
SAID = analysis(
    "The bridge closed today he said",
    "The DET 2 det",
    "bridge NOUN 3 nsubj",
    "closed VERB 6 ccomp",
    "today NOUN 3 obl:tmod",
    "he PRON 6 nsubj",
    "said VERB 0 root",
)


def candidate(predicate: int, subject: tuple[int, ...], *complements: tuple[int, ...]) -> TupleCandidate:
    return TupleCandidate(NEURAL, NEURAL, predicate, subject, (predicate,), complements, (None,) * len(complements))


def test_what_is_said_inside_the_subject_does_not_belong_to_the_relation() -> None:
    made = candidate(4, (0,), (5, 6), (2, 3), (7, 8))
    assert own_complements(made, DependencyTree(WATSON)) == ((5, 6), (7, 8))


def test_who_said_it_is_no_argument() -> None:
    assert own_complements(candidate(2, (0, 1), (3,), (4, 5)), DependencyTree(SAID)) == ((3,),)


def test_the_first_complement_stays_whatever_the_tree_says() -> None:
    assert own_complements(candidate(4, (0,), (2, 3)), DependencyTree(WATSON)) == ((2, 3),)


def test_nothing_is_left_of_a_tuple_whose_complement_is_from_a_clause_beside_it() -> None:
    doubt = analysis(
        "Nobody agreed fishermen fear losses",
        "Nobody PRON 2 nsubj",
        "agreed VERB 0 root",
        "fishermen NOUN 4 nsubj",
        "fear VERB 2 parataxis",
        "losses NOUN 4 obj",
    )
    assert own_complements(candidate(1, (0,), (4,)), DependencyTree(doubt)) == ()
    assert own_complements(candidate(3, (2,), (4,)), DependencyTree(doubt)) == ((4,),)


def test_a_relation_inside_the_subject_keeps_its_own_complements() -> None:
    made = candidate(1, (0,), (2,), (3,))
    assert own_complements(made, DependencyTree(WATSON)) == ((2,), (3,))


@pytest.mark.parametrize("extractor", ["default", "neural"])
def test_the_example_of_the_first_page_is_told_right(extractor: str) -> None:
    with tupelo.load(extractor=extractor) as nlp:
        told = list(nlp.extract("Watson, elected in November 1998, has served as Minority Leader."))
    served = [item for item in told if "served" in item.rel.text]
    assert served
    assert all("1998" not in argument.text for item in served for argument in item.args)
