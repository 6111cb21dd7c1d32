"""Answers to questions in plain English, each with the sentences that state it; or none, with the closest passages.

1. The question is parsed: what kind of thing it asks for, and a statement with a gap (`asked`). A thing that it only
   describes (*the city where Acme has its base*) is asked for first, and its answer stands for the description.
2. The passages that help to answer it are retrieved (`retrieve`), and the tuples in them are read. Every part of a
   tuple that the text claims or reports is a candidate if its kind fits and the question does not name it itself; so
   is what the most similar sentences mention beside their tuples (`ask_sentences`).
3. Each candidate has a score: a weighted sum of what speaks for it (`WEIGHTS`). Silence is a candidate too,
   with the score `SILENCE`. The scores become probabilities (softmax), and equal answers add up.
4. The most probable answer is given if its probability reaches `LEAST`, with those that its sentence coordinates with
   it. A number that no text states is counted from such a list.

Yes and no need a tuple that has all content words of the question: *no* if it is denied, or if it has another name,
date or number in the place of the one in the question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tupelo.core import Analysis, InputError
from tupelo.graph.answers import AnswerItem, AnswerTable
from tupelo.graph.ask_candidates import (
    PRONOUNS,
    Candidate,
    Evidences,
    Slot,
    Tuple,
    candidates,
    stem,
    stems,
    tuples_of,
)
from tupelo.graph.ask_sentences import Parsed, read_sentences, sentences_of
from tupelo.graph.asked import Asked, Form, Hop, follow, read_hop, read_question, split_question
from tupelo.graph.edges import Evidence
from tupelo.graph.passage_index import Encode
from tupelo.graph.passages import name_form
from tupelo.graph.retrieve import Retriever

# Fitted to 111 questions about 67 documents, a listwise softmax with L2, rounded; `benchmarks.ask_fit` does the same.
WEIGHTS = {
    "tuple": 1.5,
    "sentence": 1.2,
    "alike": 1.1,
    "nearby": 0.5,
    "related": 2.0,
    "linked": 1.0,
    "kind": 1.7,
    "role": 1.0,
    "rank": 0.4,
    "near": 1.3,
}
SILENCE = 6.3
LEAST = 0.4
# Passages that are read, and those that are shown where nothing answers.
_READ, _SHOWN = 5, 3
_MOST_CHARACTERS = 100
_SEVERAL = re.compile(r"\? (?=(?:Who|Whom|What|Which|Where|When|How|Is|Was|Did|Does)\b)")
# The `kind` of a candidate whose kind is known to fit.
_OF_KIND = 0.6
# How much surer an answer must be where the question describes something that was not found.
_DOUBT = 0.2
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
    """A graph that is asked questions: its passages, a parser of sentences, and an encoder."""

    retriever: Retriever
    analyze: Callable[[list[str]], Sequence[Analysis]]
    encode: Encode

    def __call__(self, question: str, *, least: float = LEAST, plan: bool = False) -> AnswerTable:
        """The answers to a question, most probable first; none, and the closest passages, where nothing is sure."""
        first, second = split_question(question)
        if _SEVERAL.search(first):
            raise InputError(f"'{question}' has several questions, expected one")
        (analysis,) = self.analyze([first])
        asked = read_question(analysis)
        hop = read_hop(analysis)
        answers = self._by_hop(first, hop, least) if hop else []
        answers = answers or self._answers(asked, first, least + _DOUBT if hop else least)
        if second and answers:
            told = follow(asked, second, answers[0].answer)
            answers += self._answers(told, f"{first.rstrip('?')} {answers[0].answer}?", least)
        about = {"question": question, "asks": asked.form.value, "statement": asked.statement}
        remarks = [f"looked for: {asked.statement}"] if plan else []
        if plan and hop:
            remarks.append(f"first: {hop.question}")
        if not answers:
            found = list(self.retriever(question, top=_SHOWN))
            remarks.append(NOT_FOUND if found else "not in the graph")
            remarks += [f"  “{_short(item.text)}” ({item.source})" for item in found]
        shown = answers if plan else [replace(answer, signals=()) for answer in answers]
        return AnswerTable(("answer", "confidence"), tuple(shown), about, tuple(remarks))

    def _by_hop(self, question: str, hop: Hop, least: float) -> list[Answer]:
        """The answers after the described thing was found; both statements are evidence."""
        (inner,) = self.analyze([hop.question])
        between = self._answers(read_question(inner), hop.question, least)
        if not between:
            return []
        whole = f"{question[: hop.start]}{between[0].answer}{question[hop.end :]}"
        (outer,) = self.analyze([whole])
        return [
            replace(
                answer,
                confidence=answer.confidence * between[0].confidence,
                statement=f"{between[0].statement}; {answer.statement}",
                evidence=tuple(dict.fromkeys([*between[0].evidence, *answer.evidence])),
            )
            for answer in self._answers(read_question(outer), whole, least)
        ]

    def _answers(self, asked: Asked, question: str, least: float) -> list[Answer]:
        reading = self.read(asked, question)
        if asked.form is Form.YES_NO:
            return yes_or_no(asked, reading.tuples, reading.names)
        found = best_answers(asked, reading.weigh(asked), least=least)
        if found or asked.form is not Form.COUNT:
            return found
        listed = asked.as_list()
        return counted(best_answers(listed, reading.weigh(listed), least=least))

    def read(self, asked: Asked, question: str) -> Reading:
        """The passages that may answer a question."""
        passages = [item.passage_id for item in self.retriever(question, top=_READ)]
        names = [*self.retriever.signals(question).names]
        store = self.retriever.store
        tuples = tuples_of(store, passages)
        trees: dict[str, Parsed] = {}
        if asked.form is not Form.YES_NO:
            sentences = sentences_of(store, passages)
            trees = read_sentences(asked.statement, asked.terms, sentences, tuples, self.analyze, self.encode)
            tuples += [mention for tree in trees.values() for mention in tree.mentions()]
        return Reading(names, tuples, trees, self.encode)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read for a question: its names, the tuples and mentions of the passages, and parsed sentences."""

    names: Sequence[str]
    tuples: Sequence[Tuple]
    trees: Mapping[str, Parsed]
    encode: Encode

    def weigh(self, asked: Asked) -> list[Candidate]:
        """The possible answers, each with what speaks for it."""
        found = list(candidates(asked, self.tuples, self.names))
        return Evidences(asked, self.names, self.tuples, self.encode, self.trees)(found)


def counted(answers: Sequence[Answer]) -> list[Answer]:
    """The length of a list as an answer, which a single thing is not."""
    if len(answers) < 2 or dict(answers[0].signals)["kind"] < _OF_KIND:
        return []
    return [replace(answers[0], answer=str(len(answers)), statement="; ".join(one.statement for one in answers))]


def score(candidate: Candidate) -> float:
    return sum(weight * candidate.signals[name] for name, weight in WEIGHTS.items())


def best_answers(asked: Asked, found: Sequence[Candidate], *, least: float = LEAST) -> list[Answer]:
    """The answer whose probability is highest and at least `least`, with its fellows unless one is expected."""
    if not found:
        return []
    scores = np.array([*(score(candidate) for candidate in found), SILENCE])
    odds = np.exp(scores - scores.max())
    probabilities = odds / odds.sum()
    chosen = found[int(np.argmax(scores[:-1]))]
    fellows = [chosen, *(one for one in found if asked.may_be_several and _is_fellow(one, chosen))]
    forms = {name_form(one.answer) for one in fellows}
    confidence = float(
        sum(
            probability
            for one, probability in zip(found, probabilities, strict=False)
            if any(_is_same(name_form(one.answer), form) for form in forms)
        )
    )
    if confidence < least:
        return []
    unique: dict[str, Candidate] = {}
    for one in fellows:
        unique.setdefault(name_form(one.answer), one)
    return [
        Answer(
            one.answer,
            confidence,
            one.tuple.said(),
            (one.tuple.sentence,),
            tuple((name, one.signals[name]) for name in WEIGHTS),
        )
        for one in unique.values()
    ]


def _is_same(one: str, other: str) -> bool:
    """Whether an answer is a shorter or longer form of another: *Athens*, *ancient Athens*."""
    return f" {one} " in f" {other} " or f" {other} " in f" {one} "


def _is_fellow(one: Candidate, chosen: Candidate) -> bool:
    """Whether a sentence says of both the same: *Ann and Bo founded it*."""
    if one.tuple.sentence.sentence != chosen.tuple.sentence.sentence or one.tuple.relation != chosen.tuple.relation:
        return False
    alike = one.slot.role == chosen.slot.role and one.slot.is_name == chosen.slot.is_name
    inside = one.slot.role == "name" and one.slot.text in chosen.slot.text
    return (alike or inside) and bool(one.tuple.gapped) == bool(chosen.tuple.gapped)


def yes_or_no(asked: Asked, tuples: Sequence[Tuple], names: Sequence[str]) -> list[Answer]:
    """*yes* where a tuple has all content words of the question; *no* where it denies them or has another value.

    A subject without a name may stand for one that the document has, if at least half of the words are there.
    """
    terms = {stem(term) for term in asked.terms}
    if not terms:
        return []
    named = stems(names)
    documents: dict[str, set[str]] = {}
    for one in tuples:
        documents.setdefault(one.document, set()).update(stems([one.sentence.sentence]))
    conflicts = []
    for one in tuples:
        if one.stance not in ("asserted", "reported", "denied"):
            continue
        missing = terms - stems([one.relation, *(slot.full for slot in one.slots)])
        open_subject = any(slot.role == "subject" and _may_stand_for_another(slot) for slot in one.slots)
        if open_subject and len(missing) <= len(terms) / 2:
            missing -= named & documents[one.document]
        denied = one.negated or any(slot.text.lower().startswith("no ") for slot in one.slots)
        if not missing:
            return [Answer("no" if denied else "yes", one.confidence, one.said(), (one.sentence,))]
        if not denied and _has_other_value(asked, one, missing):
            conflicts.append(Answer("no", one.confidence, one.said(), (one.sentence,)))
    return conflicts[:1]


def _may_stand_for_another(slot: Slot) -> bool:
    """Whether a subject has no name of its own: a pronoun that nobody resolved, or *the commission*."""
    return not slot.name if slot.text.lower() in PRONOUNS else slot.text[1:].islower()


def _has_other_value(asked: Asked, one: Tuple, missing: Collection[str]) -> bool:
    """Whether a tuple has all of the question but one name, date or number, and another one of that kind instead."""
    values = [(label, stems([text])) for text, label in asked.values]
    lacking = [(label, words) for label, words in values if words & set(missing)]
    if len(lacking) != 1 or set(missing) - lacking[0][1] or stems(asked.relation).isdisjoint(stems([one.relation])):
        return False
    wanted = lacking[0][0]
    held = [
        slot
        for slot in one.slots
        if slot.role != "subject" and (slot.label == wanted or (slot.role, wanted) == ("time", "datetime"))
    ]
    return len(held) == 1 and stems([held[0].full]).isdisjoint(stems([" ".join(asked.terms)]))


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS].rsplit(' ', 1)[0]} …"
