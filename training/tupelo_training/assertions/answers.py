"""Assertions that could answer a question: the six steps of Levy and Dagan (2016), each as one function.

A question has an argument, a relation and the type of its answer: *which drug (type) prevents (relation) headaches
(argument)?* The numbers are those of the supplement, "Retrieving Answer Candidates":

1. one argument of the assertion equals the question's, ignoring stop words and inflection (`retrieve`);
2. the other, the answer, is of the question's type in WordNet (`is_of_type`);
3. relation and answer are maximal: no other candidate's contains them as a subsequence (`keep_maximal`);
4. the relation is not the question's own (`without_relation`);
5. the most frequent first, no relation more than 3 times and no answer more than 7 (`cap`);
6. duplicates are removed (`without_duplicates`).

Our choices where the supplement is silent: an answer of several words has the sense of the whole phrase, or else of
its longest suffix in WordNet (*dark cocoa bean* is a cocoa bean). The context of Lesk is the assertion. Words of
relations and answers are compared case-insensitively. Step 5 keeps an answer up to seven times, so duplicates in step
6 are candidates with the same argument, relation and answer, ignoring inflection and the stop words of arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tupelo.core.assertion import Assertion
from tupelo.core.errors import InputError
from tupelo.core.results import Tabular
from tupelo.core.wordnet import NOUN, Synset, WordNet
from tupelo.nlp.languages.en.grammar import ARTICLES, STOP_WORDS
from tupelo_training.kinds import base_form, is_a

MOST_PER_RELATION = 3
MOST_PER_ANSWER = 7
# Maximum number of cached normal forms; a collection has tens of millions of phrases.
REMEMBERED = 1_000_000

Side = Literal["subject", "object"]
NormalForm = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CandidateQuestion:
    """A question for things of a `type` that are in a `relation` to an `argument`."""

    argument: str
    relation: str
    type: str


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    """An assertion, with the side of the argument that is the answer."""

    assertion: Assertion
    answer_side: Side

    @property
    def answer(self) -> str:
        return self.assertion.subject if self.answer_side == "subject" else self.assertion.object

    @property
    def argument(self) -> str:
        return self.assertion.object if self.answer_side == "subject" else self.assertion.subject

    @property
    def relation(self) -> str:
        return self.assertion.relation

    def to_row(self, question: CandidateQuestion) -> dict[str, str | int]:
        """The columns of a file of candidates."""
        return {
            "argument": question.argument,
            "question_relation": question.relation,
            "type": question.type,
            "subject": self.assertion.subject,
            "relation": self.assertion.relation,
            "object": self.assertion.object,
            "count": self.assertion.count,
            "answer": self.answer_side,
        }


@dataclass(slots=True)
class Normalizer:
    """Phrases without stop words and inflection, cached."""

    wordnet: WordNet
    _lemmas: dict[str, str] = field(default_factory=dict)
    _forms: dict[str, NormalForm] = field(default_factory=dict)

    def argument(self, phrase: str) -> NormalForm:
        """The base forms of the content words; all words of a phrase that has none."""
        form = self._forms.get(phrase)
        if form is None:
            words = phrase.lower().split()
            content = [word for word in words if word not in STOP_WORDS]
            form = tuple(map(self._noun_first, content or words))
            if len(self._forms) >= REMEMBERED:
                self._forms.clear()
            self._forms[phrase] = form
        return form

    def relation(self, phrase: str) -> NormalForm:
        """The base forms of all words: *on* and *in* make different relations."""
        return tuple(base_form(self.wordnet, word, "vnar") for word in phrase.lower().split())

    def _noun_first(self, word: str) -> str:
        lemma = self._lemmas.get(word)
        if lemma is None:
            lemma = self._lemmas[word] = base_form(self.wordnet, word, "nvar")
        return lemma


def retrieve(
    assertions: Iterable[Assertion], questions: Sequence[CandidateQuestion], normalizer: Normalizer
) -> dict[CandidateQuestion, list[AnswerCandidate]]:
    """Step 1, for many questions in one pass: assertions with an argument that equals the question's."""
    by_argument: dict[NormalForm, list[CandidateQuestion]] = {}
    for question in dict.fromkeys(questions):
        by_argument.setdefault(normalizer.argument(question.argument), []).append(question)
    found: dict[CandidateQuestion, list[AnswerCandidate]] = {question: [] for question in questions}
    for assertion in assertions:
        for question in by_argument.get(normalizer.argument(assertion.subject), ()):
            found[question].append(AnswerCandidate(assertion, "object"))
        for question in by_argument.get(normalizer.argument(assertion.object), ()):
            found[question].append(AnswerCandidate(assertion, "subject"))
    return found


def type_sense(type_: str, wordnet: WordNet) -> Synset:
    """The first sense of a question's type."""
    senses = wordnet.synsets(type_, NOUN)
    if not senses:
        raise InputError(f"WordNet has no noun {type_!r}, expected a type of answers such as 'person' or 'drug'")
    return senses[0]


def answer_sense(candidate: AnswerCandidate, wordnet: WordNet, *, ties: str = "name") -> Synset | None:
    """The sense of an answer that Lesk finds in its assertion; `None` if WordNet lacks the phrase."""
    assertion = candidate.assertion
    context = f"{assertion.subject} {assertion.relation} {assertion.object}".split()
    words = [word for word in candidate.answer.split() if word.lower() not in STOP_WORDS]
    for start in range(len(words)):
        sense = wordnet.lesk(context, " ".join(words[start:]), NOUN, ties=ties)
        if sense is not None:
            return sense
    return None


def is_of_type(candidate: AnswerCandidate, sense: Synset, wordnet: WordNet, *, ties: str = "name") -> bool:
    """Step 2: whether the type is a hypernym or instance hypernym of the answer, also indirectly."""
    found = answer_sense(candidate, wordnet, ties=ties)
    return found is not None and is_a(wordnet, found, sense)


def keep_maximal(candidates: Sequence[AnswerCandidate], *, ignore_articles: bool = False) -> list[AnswerCandidate]:
    """Step 3: drop candidates whose relation or answer is contained in that of another candidate.

    With `ignore_articles`, *the dog* is no longer than *dog*, and is contained in *a big dog*.
    """
    read = _without_articles if ignore_articles else _words
    relations = _contained(read(candidate.relation) for candidate in candidates)
    answers = _contained(read(candidate.answer) for candidate in candidates)
    return [
        candidate
        for candidate in candidates
        if read(candidate.relation) not in relations and read(candidate.answer) not in answers
    ]


def is_subsequence(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the words are a subsequence of the others.

    >>> is_subsequence(["declared", "on"], ["declared", "war", "on"])
    True
    """
    rest = iter(others)
    return all(word in rest for word in words)


def without_relation(candidates: Iterable[AnswerCandidate], relation: str) -> list[AnswerCandidate]:
    """Step 4: an assertion with the question's own relation answers it without any inference."""
    return [candidate for candidate in candidates if _words(candidate.relation) != _words(relation)]


def cap(
    candidates: Iterable[AnswerCandidate],
    most_per_relation: int = MOST_PER_RELATION,
    most_per_answer: int = MOST_PER_ANSWER,
) -> list[AnswerCandidate]:
    """Step 5: the most frequent first, at most N per relation and per answer. Ties in alphabetical order."""
    relations: Counter[NormalForm] = Counter()
    answers: Counter[NormalForm] = Counter()
    kept = []
    for candidate in sorted(candidates, key=_rank):
        relation, answer = _words(candidate.relation), _words(candidate.answer)
        if relations[relation] < most_per_relation and answers[answer] < most_per_answer:
            relations[relation] += 1
            answers[answer] += 1
            kept.append(candidate)
    return kept


def without_duplicates(candidates: Iterable[AnswerCandidate], normalizer: Normalizer) -> list[AnswerCandidate]:
    """Step 6: keep the first of equal candidates."""
    kept: dict[tuple[object, ...], AnswerCandidate] = {}
    for candidate in candidates:
        key = (
            candidate.answer_side,
            normalizer.argument(candidate.argument),
            normalizer.relation(candidate.relation),
            normalizer.argument(candidate.answer),
        )
        kept.setdefault(key, candidate)
    return list(kept.values())


def choose(
    question: CandidateQuestion,
    retrieved: Sequence[AnswerCandidate],
    normalizer: Normalizer,
    *,
    ties: str = "name",
    ignore_articles: bool = False,
) -> list[AnswerCandidate]:
    """Steps 2 to 6 for the candidates of step 1."""
    wordnet = normalizer.wordnet
    sense = type_sense(question.type, wordnet)
    typed = [candidate for candidate in retrieved if is_of_type(candidate, sense, wordnet, ties=ties)]
    other = without_relation(keep_maximal(typed, ignore_articles=ignore_articles), question.relation)
    return without_duplicates(cap(other), normalizer)


@dataclass(frozen=True, slots=True)
class AnswerCandidates(Tabular):
    """Candidates by question."""

    by_question: Mapping[CandidateQuestion, Sequence[AnswerCandidate]]

    def rows(self) -> list[dict[str, str | int]]:
        """One row per candidate, with its question; what `tupelo assertions candidates` writes."""
        return [item.to_row(question) for question, found in self.by_question.items() for item in found]

    def to_dict(self) -> dict[str, Any]:
        """All rows."""
        return {"candidates": self.rows()}

    def __str__(self) -> str:
        return f"{len(self.rows()):,} candidates for {len(self.by_question):,} question(s)"


def answer_candidates(
    assertions: Iterable[Assertion],
    questions: Sequence[CandidateQuestion],
    wordnet: WordNet,
    *,
    ties: str = "name",
    ignore_articles: bool = False,
) -> AnswerCandidates:
    """All six steps, in one pass over the assertions."""
    for question in questions:
        type_sense(question.type, wordnet)  # fails before the long pass
    normalizer = Normalizer(wordnet)
    retrieved = retrieve(assertions, questions, normalizer)
    chosen = {
        asked: choose(asked, retrieved[asked], normalizer, ties=ties, ignore_articles=ignore_articles)
        for asked in questions
    }
    return AnswerCandidates(chosen)


def _words(phrase: str) -> NormalForm:
    return tuple(phrase.lower().split())


def _without_articles(phrase: str) -> NormalForm:
    """The words but *a*, *an* and *the*; all words of a phrase that has no others."""
    words = _words(phrase)
    return tuple(word for word in words if word not in ARTICLES) or words


def _rank(candidate: AnswerCandidate) -> tuple[int, str, str, str, str]:
    assertion = candidate.assertion
    return -assertion.count, assertion.relation, assertion.subject, assertion.object, candidate.answer_side


def _contained(phrases: Iterable[NormalForm]) -> set[NormalForm]:
    """The phrases that are a subsequence of another, longer one."""
    forms = sorted(set(phrases), key=len, reverse=True)
    # Only phrases that share a word can contain each other; the rarest word has the fewest candidates.
    having: dict[str, list[NormalForm]] = {}
    for form in forms:
        for word in set(form):
            having.setdefault(word, []).append(form)
    return {
        form
        for form in forms
        for nearest in [min((having[word] for word in set(form)), key=len, default=[])]
        if any(len(other) > len(form) and is_subsequence(form, other) for other in nearest)
    }
