"""Answers to questions in plain English, each with the sentences that state it; or none, with the closest passages.

1. The question is parsed: what kind of thing it asks for, and a statement with a gap (`asked`).
2. The passages that help to answer it are retrieved (`retrieve`), and the tuples in them are read. Every part of a
   tuple that the text claims or reports is a candidate if its kind fits and the question does not name it itself.
3. Each candidate has a score: a weighted sum of what speaks for it (`WEIGHTS`). Silence is a candidate too,
   with the score `SILENCE`. The scores become probabilities (softmax), and equal answers add up.
4. The most probable answer is given if its probability reaches `LEAST`; of a list, all parts of the same statement.

Yes and no need a tuple that has all content words of the question: *no* if it is denied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tupelo.core import Analysis, InputError
from tupelo.graph.answers import AnswerItem, AnswerTable
from tupelo.graph.ask_candidates import PRONOUNS, Candidate, Evidences, Tuple, candidates, stems, tuples_of
from tupelo.graph.asked import Asked, Form, read_question
from tupelo.graph.edges import Evidence
from tupelo.graph.passage_index import Encode
from tupelo.graph.passages import name_form
from tupelo.graph.retrieve import Retriever

# Fitted on 60 development questions about 40 documents; a listwise softmax with L2, rounded (`benchmarks.ask`).
WEIGHTS = {
    "tuple": 1.3,
    "sentence": 1.5,
    "document": 0.8,
    "alike": 1.9,
    "nearby": 1.7,
    "related": 1.9,
    "exact": 0.7,
    "linked": 1.3,
    "kind": 1.7,
    "role": 1.6,
    "rank": 1.4,
}
SILENCE = 7.95
LEAST = 0.36
# Passages that are read, and those that are shown where nothing answers.
_READ, _SHOWN = 5, 3
_MOST_CHARACTERS = 100
NOT_FOUND = "not in the graph; the closest passages:"


@dataclass(frozen=True, slots=True)
class Answer(AnswerItem):
    """An answer, its probability, and the sentence that states it. `statement` is the tuple that was found."""

    answer: str
    confidence: float
    statement: str
    evidence: tuple[Evidence, ...]
    signals: tuple[tuple[str, float], ...] = ()

    @property
    def cells(self) -> tuple[object, ...]:
        return self.answer, round(self.confidence, 3)

    @property
    def sentences(self) -> Sequence[Evidence]:
        return self.evidence

    @property
    def notes(self) -> tuple[str, ...]:
        return (", ".join(f"{name} {value:.2f}" for name, value in self.signals),) if self.signals else ()

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "answer": self.answer,
            "confidence": round(self.confidence, 6),
            "statement": self.statement,
            "evidence": [
                {"sentence": said.sentence, "source": said.source, "position": said.position}
                for said in self.evidence
            ],
        }
        return {**row, "signals": dict(self.signals)} if self.signals else row


@dataclass(frozen=True, slots=True)
class Asker:
    """A graph that is asked questions: its passages, a parser, and an encoder."""

    retriever: Retriever
    analyze: Callable[[str], Sequence[Analysis]]
    encode: Encode

    def __call__(self, question: str, *, least: float = LEAST, plan: bool = False) -> AnswerTable:
        """The answers to a question, most probable first; none, and the closest passages, where nothing is sure."""
        found = self.retriever(question, top=_READ)
        analyses = self.analyze(question)
        if len(analyses) != 1:
            raise InputError(f"'{question}' has {len(analyses)} sentences, expected one question")
        asked = read_question(analyses[0])
        names = [*self.retriever.signals(question).names]
        tuples = tuples_of(self.retriever.store, [item.passage_id for item in found])
        if asked.form is Form.YES_NO:
            answers = yes_or_no(asked, tuples, names)
        else:
            weighed = Evidences(asked, names, tuples, self.encode)(list(candidates(asked, tuples, names)))
            answers = best_answers(asked, weighed, least=least, plan=plan)
        about = {"question": question, "asks": asked.form.value, "statement": asked.statement}
        remarks = [f"looked for: {asked.statement}"] if plan else []
        if not answers:
            remarks.append(NOT_FOUND if len(found) else "not in the graph")
            remarks += [f"  “{_short(item.text)}” ({item.source})" for item in list(found)[:_SHOWN]]
        return AnswerTable(("answer", "confidence"), tuple(answers), about, tuple(remarks))


def score(candidate: Candidate) -> float:
    return sum(weight * candidate.signals[name] for name, weight in WEIGHTS.items())


def best_answers(
    asked: Asked, found: Sequence[Candidate], *, least: float = LEAST, plan: bool = False
) -> list[Answer]:
    """The answer whose probability is highest and at least `least`, with its fellows if several are expected."""
    if not found:
        return []
    scores = np.array([*(score(candidate) for candidate in found), SILENCE])
    odds = np.exp(scores - scores.max())
    probabilities = odds / odds.sum()
    best = int(np.argmax(scores[:-1]))
    chosen = found[best]
    total: dict[str, float] = {}
    for one, probability in zip(found, probabilities, strict=False):
        key = name_form(one.answer)
        total[key] = total.get(key, 0.0) + float(probability)
    fellows = [one for one in found if _is_fellow(one, chosen)] if asked.several else [chosen]
    confidence = min(1.0, sum(total[key] for key in {name_form(one.answer) for one in fellows}))
    if confidence < least:
        return []
    unique = {name_form(one.answer): one for one in reversed(fellows)}
    return [
        Answer(
            one.answer,
            confidence,
            one.tuple.said(),
            (one.tuple.sentence,),
            tuple((name, one.signals[name]) for name in WEIGHTS) if plan else (),
        )
        for one in reversed(unique.values())
    ]


def _is_fellow(one: Candidate, chosen: Candidate) -> bool:
    """Whether a sentence says of both the same: *Ann and Bo founded it*."""
    return (
        one.tuple.sentence.sentence == chosen.tuple.sentence.sentence
        and one.tuple.relation == chosen.tuple.relation
        and one.slot.role == chosen.slot.role
    )


def yes_or_no(asked: Asked, tuples: Sequence[Tuple], names: Sequence[str]) -> list[Answer]:
    """*yes* where a tuple has all content words of the question, *no* where it denies them.

    A pronoun that nobody resolved may stand for a name if the document has it.
    """
    terms = stems([" ".join(asked.terms)])
    if not terms:
        return []
    named = stems(names)
    documents: dict[str, set[str]] = {}
    for one in tuples:
        documents.setdefault(one.document, set()).update(stems([one.sentence.sentence]))
    for one in tuples:
        if one.stance not in ("asserted", "reported", "denied"):
            continue
        missing = terms - stems([one.relation, *(slot.full for slot in one.slots)])
        open_subject = any(
            slot.role == "subject" and slot.text.lower() in PRONOUNS and not slot.name for slot in one.slots
        )
        if missing and not (open_subject and missing <= named & documents[one.document]):
            continue
        denied = one.negated or any(slot.text.lower().startswith("no ") for slot in one.slots)
        return [Answer("no" if denied else "yes", one.confidence, one.said(), (one.sentence,))]
    return []


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS].rsplit(' ', 1)[0]} …"
