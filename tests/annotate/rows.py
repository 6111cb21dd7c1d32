"""One row and one good answer of every task, and the items they make."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tupelo.annotate.tasks import TASKS, AnnotationTask, Item

ROWS: dict[str, dict[str, Any]] = {
    "tuples": {"id": "s1", "text": "Ann Berg painted the harbour in 1998 and sold it."},
    "reported": {"id": "r1", "text": "Ann Berg said that the ferry was late."},
    "judgements": {"id": "j1", "text": "She did not sell it.", "tuple": ["She", "sell", "it"]},
    "paraphrase": {
        "id": "p1",
        "original": "The ferry left Oslo on 3 May.",
        "paraphrase": "On 3 May from Oslo the ferry leaved.",
    },
    "clique": {"id": "c1", "sentences": ["Ann sold the boat to Tom.", "Tom bought the boat from Ann."]},
    "preference": {
        "id": "f1",
        "text": "Ann paints and sells boats.",
        "systems": {"careful": [["Ann", "paints", "boats"]], "eager": [["Ann", "sells", "boats"]]},
    },
    "candidates": {
        "id": "q1",
        "question": "What does a ferry carry?",
        "candidates": [{"id": "k1", "text": "cars", "assertion": "ferries take cars"}, "whales"],
        "controls": [{"text": "passengers", "answer": "yes"}, {"text": "the moon", "answer": "no"}],
    },
    "accuracy": {"id": "a1", "source": "Ann was born in Oslo.", "generated": "Ann was born in Bergen."},
    "claims": {"id": "m1", "source": "Ann was born in Oslo. She paints.", "claims": ["Ann paints.", "Ann is rich."]},
    "clusters": {
        "id": "g1",
        "clusters": [
            {"name": "Ann Berg", "members": [{"id": "1", "text": "Ann Berg"}, {"id": "2", "text": "Berg"}]},
            {"name": "Oslo", "members": [{"id": "3", "text": "Oslo", "context": "Oslo is a city."}]},
        ],
    },
}

# As the browser sends them, but for preference and candidates, whose ids are made up: as a file has them.
ANSWERS: dict[str, dict[str, Any]] = {
    "tuples": {
        "tuples": [
            {"rel": [2], "args": [[0, 1], [3, 4]], "time": [6]},
            {"rel": [8], "args": [[0, 1], ["the", 4]], "suggested": True},
        ],
        "none": False,
    },
    "reported": {
        "tuples": [{"speaker": [0, 1], "verb": [2], "rel": [6], "args": [[4, 5], [7]]}],
        "none": False,
    },
    "judgements": {
        "label": "wrong",
        "part": "marks",
        "corrected": {"tuple": ["She", "did not sell", "it"], "marks": ["not"]},
    },
    "paraphrase": {
        "verdict": "corrected",
        "text": "On 3 May the ferry departed from Oslo.",
        "kinds": ["phrase", "grammar"],
    },
    "clique": {
        "sentences": [
            {"tuples": [{"rel": [1, 4], "args": [[0], [2, 3], [5]]}], "none": False},
            {"tuples": [], "none": True},
        ]
    },
    "preference": {"system": "careful"},
    "candidates": {"labels": {"cars": "yes", "whales": "unclear"}},
    "accuracy": {"score": 2, "no_claims": False, "note": ""},
    "claims": {"labels": ["supported", "unverifiable"], "evidence": [[1], []]},
    "clusters": {"clusters": [{"name": "Ann", "members": ["2", "1"]}, {"name": "Oslo", "members": ["3"]}]},
}


def task_of(name: str) -> AnnotationTask:
    return TASKS.get(name)


def item_of(name: str, **changes: Any) -> Item:
    """The item of the row, with other fields where given."""
    return task_of(name).items([{**deepcopy(ROWS[name]), **changes}], {})[0]


def answer_of(name: str, item: Item | None = None, **changes: Any) -> dict[str, Any]:
    """The answer in its normal form."""
    return task_of(name).validate(item or item_of(name), {**deepcopy(ANSWERS[name]), **changes}, "seed")
