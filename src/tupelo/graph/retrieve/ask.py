"""Answers to questions in plain English, each with the sentences that state it; or none, with the closest passages.

1. The question is parsed: what kind of answer it asks for, one or several (`asked`).
2. The passages that help to answer it are retrieved (`retrieve`). Those of documents that have none of its names are
   left out.
3. The reader (`tupelo.nlp.reader`), a small network, reads one after another with the question, names in place of
   pronouns, until an answer is sure: it says whether the passage has an answer, and marks it. What it marks in a
   tuple that the text does not claim, report or announce is no answer.
4. Equal answers add up. How probable each is follows from what the reader says and from what else speaks for it:
   words of the question beside it, its role, its rivals, whether it held at the asked time. The most probable one is
   given if that reaches `LEAST`, or less if another document contradicts it; a question that may have several answers
   also gets what the sentence coordinates with it.
5. A number that no text states is counted from a list.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from math import log, prod
from typing import Any, Protocol

from tupelo.core import Analysis, InputError
from tupelo.core.numeric import sigmoid
from tupelo.core.shipped import declared, figures
from tupelo.graph.query.answers import ANSWER, AnswerItem, AnswerTable, Evidence
from tupelo.graph.report.conflicts import Side, conflicts
from tupelo.graph.retrieve.ask_passages import (
    LATER,
    NOT,
    UNKNOWN,
    PassageSentence,
    ReadingWindow,
    SentenceTuple,
    passages_for,
    stems,
    windows,
)
from tupelo.graph.retrieve.asked import AnswerForm, Asked, read_question, split_question
from tupelo.graph.retrieve.retriever import Retriever, Signals, best, mix
from tupelo.graph.store.file import Store
from tupelo.graph.store.passages import name_form
from tupelo.graph.store.values import asked_days
from tupelo.nlp.dates import time_expressions
from tupelo.nlp.languages.en.grammar import ARTICLES, MODALS, PREPOSITIONS, STOP_WORDS
from tupelo.nlp.languages.en.quantities import MONTHS
from tupelo.nlp.reader import MarkedAnswer, PassageReading
from tupelo.nlp.syntax import DependencyTree
from tupelo.nlp.values import values_in, words_of

_FIGURES = figures(__name__, "retrieve.toml")
LEAST: float = _FIGURES.least
# Summands of the confidence of an answer, in log odds; learned by `tupelo_training.trust`.
_TRUST: Mapping[str, Mapping[str, float]] = declared(__name__, "trust.json")["weights"]
_LEAST = 1e-6
_SEVERAL = re.compile(r"\? (?=(?:Who|Whom|What|Which|Where|When|How|Is|Was|Did|Does)\b)")
_DATELINE = " — "
_QUOTES = " \"'“”‘’«»,;:"
# First words of an answer in the text.
_TOLD = {"yes": True, "no": False, "not": False, "never": False}
# A passage after a sure answer, which may still contradict it.
_UNREAD = PassageReading(0.0, 1.0, 0.0, 0.0)
_NOT_CLAIMED = frozenset([*MODALS, "not", "n't", "never", "no", "if"])
# Words that make a number a bound: *at least 2 mm*.
_BOUNDS = frozenset(["least", "most", "more", "less", "under", "over"])
NOT_FOUND = "not in the graph; the closest passages:"


class Reader(Protocol):
    """A reader of passages; `room` is the number of subwords of a passage that fit."""

    @property
    def room(self) -> int: ...

    def length(self, text: str) -> int:
        """Subwords of a text."""

    def read(self, question: str, passages: Sequence[str]) -> list[PassageReading]:
        """One reading per passage, in order."""

    def confidence(self, probability: float, *, closed: bool = False) -> float:
        """The calibrated probability that an answer is right; `closed` for yes and no."""


@dataclass(frozen=True, slots=True)
class TextAnswer(AnswerItem):
    """An answer, its probability, and the sentences that state it. `statement` is a tuple with it, or a sentence.

    `disputes` are sentences of other documents that cannot be true beside the evidence, each with the reason.
    """

    answer: str
    confidence: float
    statement: str
    evidence: tuple[Evidence, ...]
    signals: tuple[tuple[str, float], ...] = ()
    disputes: tuple[tuple[str, Side], ...] = ()

    @property
    def cells(self) -> tuple[object, ...]:
        return self.answer, round(self.confidence, 3)

    @property
    def sentences(self) -> Sequence[Evidence]:
        return self.evidence

    @property
    def details(self) -> dict[str, Any]:
        return {
            "statement": self.statement,
            "sentences": [said.sentence for said in self.evidence],
            "sources": [said.source for said in self.evidence],
        }

    @property
    def notes(self) -> tuple[str, ...]:
        signals = (", ".join(f"{name} {value:.2f}" for name, value in self.signals),) if self.signals else ()
        return (*signals, *(f"disputed, {reason}: {side}" for reason, side in self.disputes))

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "answer": self.answer,
            "confidence": round(self.confidence, 6),
            "statement": self.statement,
            "evidence": [
                {"sentence": said.sentence, "source": said.source, "position": said.position}
                | {role: [start, end] for start, end, role in said.marks if role == ANSWER}
                for said in self.evidence
            ],
        }
        if self.disputes:
            row["disputes"] = [{"reason": reason, **side.to_dict()} for reason, side in self.disputes]
        return {**row, "signals": dict(self.signals)} if self.signals else row


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    """An answer that the reader marked in a window."""

    answer: str
    words: str
    probability: float
    sentence: PassageSentence
    stated: SentenceTuple | None
    reading: PassageReading
    window: ReadingWindow
    fits: bool | None = None


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers questions about a graph: with its passages, a parser of sentences, and a reader."""

    retriever: Retriever
    analyze: Callable[[list[str]], Sequence[Analysis]]
    reader: Reader

    def __call__(self, question: str, *, min_confidence: float | None = None, plan: bool = False) -> AnswerTable:
        """The answers to a question, most probable first; none, and the closest passages, where nothing is sure.

        None is less probable than `min_confidence`. By default that is `LEAST`, or less for an answer that another
        document contradicts: such an answer is shown with both sides.
        """
        first, second = split_question(question)
        first, time = asked_time(first, self.retriever.view.as_of)
        if _SEVERAL.search(first):
            raise InputError(f"'{question}' has several questions, expected one")
        asked, signals = self.parsed(first), self.retriever.signals(first)
        answers = self._answers(asked, min_confidence, time, signals)
        if second and answers:
            follows = self.parsed(asked.follow(second, answers[0].answer))
            answers += self._answers(follows, min_confidence, time, self.retriever.signals(follows.text))
        about = {"question": question, "asks": asked.form.value}
        remarks = []
        if not answers:
            found = list(self.retriever(question, top=_FIGURES.shown, signals=signals))
            remarks = [NOT_FOUND if found else "not in the graph"]
            remarks += [f"  “{_short(item.text)}” ({item.source})" for item in found]
        shown = answers if plan else [replace(answer, signals=()) for answer in answers]
        return AnswerTable(("answer", "confidence"), tuple(shown), about, tuple(remarks))

    def parsed(self, question: str) -> Asked:
        """A question that was read."""
        (analysis,) = self.analyze([question])
        return read_question(analysis)

    def _answers(
        self, asked: Asked, min_confidence: float | None, time: str | None, signals: Signals
    ) -> list[TextAnswer]:
        read = self.read(asked, time, signals)
        if asked.form is AnswerForm.YES_NO:
            found = self.judged(asked, read, time)
        else:
            found = best_answers(
                asked, read, self._coordinated, lambda all_: [self._trusted(one) for one in all_], time
            )
        least = LEAST if min_confidence is None else min_confidence
        lowest = LEAST * _FIGURES.disputed if min_confidence is None else min_confidence
        if found and found[0].confidence >= lowest:
            found = disputed(self.retriever.store, found, [one for window, _ in read for _, one in window.places])
            if found[0].confidence >= (lowest if found[0].disputes else least):
                return found
        if asked.form is not AnswerForm.COUNT:
            return []
        listed = replace(asked, text=asked.as_list(), form=AnswerForm.WHAT, several=True)
        return counted(self._answers(listed, min_confidence, time, signals))

    def judged(
        self, asked: Asked, read: Sequence[tuple[ReadingWindow, PassageReading]], time: str | None = None
    ) -> list[TextAnswer]:
        """The different answers with their probabilities."""
        closed = asked.form is AnswerForm.YES_NO
        found = yes_or_no(asked, read) if closed else distinct_answers(asked, read, time)[1]
        return [self._trusted(one, closed=closed) for one in found]

    def _trusted(self, one: TextAnswer, *, closed: bool = False) -> TextAnswer:
        """An answer with the probability that it is right: what the reader says, and what else speaks for it."""
        read = min(max(self.reader.confidence(one.confidence, closed=closed), _LEAST), 1 - _LEAST)
        weights = _TRUST["closed" if closed else "marked"]
        odds = weights["constant"] + weights["reader"] * log(read / (1 - read))
        odds += sum(weights[name] * value for name, value in one.signals if name in weights)
        return replace(one, confidence=sigmoid(odds), signals=(*one.signals, ("reader", read)))

    def _coordinated(self, words: str, sentence: str) -> list[str]:
        """The phrases that a sentence coordinates with some words, these included: *Ann*, *Bo* in *Ann and Bo*."""
        (analysis,) = self.analyze([sentence])
        tree = DependencyTree(analysis)
        start = sentence.find(words)
        spans = [analysis.span(index, index + 1) for index in range(tree.size)]
        inside = [index for index, span in enumerate(spans) if span.start < start + len(words) and start < span.end]
        head = tree.head_of(inside)
        if head is None:
            return []
        while tree.base[head] == "conj" and tree.heads[head] is not None:
            head = tree.heads[head] or 0
        heads = [head, *tree.children(head, "conj")]
        phrases = [_phrase(tree, one) for one in heads if tree.upos(one) in ("NOUN", "PROPN", "NUM")]
        return [analysis.written(phrase[0], phrase[-1] + 1) for phrase in phrases if phrase]

    def read(self, asked: Asked, time: str | None, signals: Signals) -> list[tuple[ReadingWindow, PassageReading]]:
        """The readings of the passages that may answer a question, until one does; all where a time decides."""
        passages = [self.retriever.index.passages[number] for number in best(mix(signals), _FIGURES.read)]
        plain = {word for word in words_of(asked.text) if word.islower()}
        names = [own for name in signals.names if (own := set(name.split()) - plain)]
        chosen = passages_for(self.retriever.store, passages)
        documents: dict[str, set[str]] = {}
        for one in (sentence for sentences in chosen for sentence in sentences):
            documents.setdefault(one.document, set()).update(one.words)
        read: list[tuple[ReadingWindow, PassageReading]] = []
        enough = False
        for sentences in chosen:
            if names and not any(name <= documents[sentences[0].document] for name in names):
                continue
            found = list(windows(sentences, self.reader.room, self.reader.length))
            texts = [window.text for window in found]
            read += zip(found, [_UNREAD] * len(found) if enough else self.reader.read(asked.text, texts), strict=True)
            if not (enough or time or asked.is_now):
                enough = any(one.confidence >= _FIGURES.enough for one in self.judged(asked, read))
        return read


def _candidate(
    asked: Asked, window: ReadingWindow, reading: PassageReading, span: MarkedAnswer, probability: float
) -> AnswerCandidate | None:
    start, sentence = window.place_of(span.start)
    words = window.text[span.start : min(span.end, start + len(sentence.explicit))].rpartition(_DATELINE)[2]
    said = stems([asked.text])
    if sentence.is_row:
        # The headings above a table follow its cells.
        cells = (slot.text for one in sentence.tuples for slot in one.slots if slot.role == "object")
        words = next((cell for cell in cells if words.startswith(f"{cell} ")), words)
    stated, fits = sentence.tuple_with(words, said, asked.role)
    open_question = not _NOT_CLAIMED.isdisjoint(word.lower() for word in words_of(asked.text))
    claimed = stated is None or stated.is_claimed or open_question
    if not claimed or not words or sentence.text.rstrip().endswith("?"):
        # A question states nothing.
        return None
    if sentence.is_row and stated:
        # A cell is told whole: *12 EUR*, not *12*.
        words = next((slot.text for slot in stated.slots if words in slot.text), words)
    answer = bare(sentence.named(words))
    own = {word.lower() for word in words_of(answer)}
    if own <= STOP_WORDS or own <= {word.lower() for word in words_of(asked.text)}:
        # It says only what the question says.
        return None
    if asked.form is AnswerForm.COUNT and not values_in(words_of(answer)):
        return None
    return AnswerCandidate(answer, words, probability, sentence, stated, reading, window, fits)


def best_answers(
    asked: Asked,
    read: Sequence[tuple[ReadingWindow, PassageReading]],
    beside: Callable[[str, str], Sequence[str]] = lambda words, sentence: (),
    judge: Callable[[Sequence[TextAnswer]], Sequence[TextAnswer]] = list,
    time: str | None = None,
) -> list[TextAnswer]:
    """The most probable answer by what `judge` makes of all of them; if there may be several, with what its sentence
    coordinates with it (`beside`), or else the other parts of a list that the reader marks."""
    leaders, answers = distinct_answers(asked, read, time)
    if not leaders:
        return []
    best, chosen = max(zip(judge(answers), leaders, strict=True), key=lambda pair: pair[0].confidence)
    fellows = [chosen]
    if asked.several:
        parts = (
            _candidate(asked, chosen.window, chosen.reading, part, chosen.probability)
            for part in chosen.reading.parts
        )
        whole = {slot.text for one in chosen.sentence.tuples for slot in one.slots if slot.name}
        apart = () if chosen.words in whole else beside(chosen.words, chosen.sentence.explicit)
        listed = [replace(chosen, answer=bare(words)) for words in apart]
        listed = listed or [part for part in parts if part]
        if len(listed) > 1 and any(_is_same(one, chosen) for one in listed):
            fellows = listed
    unique: dict[str, AnswerCandidate] = {}
    for one in fellows:
        unique.setdefault(name_form(one.answer), one)
    if asked.form is AnswerForm.WHEN:
        unique = {form: replace(one, answer=dated(one)) for form, one in unique.items()}
    return [_answer(one, best.confidence, best.signals) for one in unique.values()]


def distinct_answers(
    asked: Asked, read: Sequence[tuple[ReadingWindow, PassageReading]], time: str | None = None
) -> tuple[list[AnswerCandidate], list[TextAnswer]]:
    """The different answers that the reader marks, each where it is most probable, and with what speaks for it.

    `time` is when it should hold, if not now.
    """
    marked = [(window, reading, span) for window, reading in read for span in reading.spans]
    likely = [(*one, one[1].answered * one[2].probability) for one in marked]
    found = [one for each in likely if each[-1] >= _FIGURES.faint and (one := _candidate(asked, *each))]
    same = [[other for other in found if _is_same(one, other)] for one in found]
    leaders: list[tuple[AnswerCandidate, float, tuple[int, int]]] = []
    for place in sorted(range(len(found)), key=lambda place: (-_total(same[place]), -found[place].probability)):
        if not any(_is_same(found[place], other) for other, *_ in leaders):
            leaders.append((found[place], _total(same[place]), _away(same[place], asked, time)))
    places = {id(window): place for place, (window, _) in enumerate(read)}
    wanted = stems([asked.text])
    answers = []
    for one, total, own in leaders:
        # An answer that did not hold at the asked time, or is known for another one only, is no rival.
        rivals = [rival for other, rival, its in leaders if other is not one and (its <= own or its == UNKNOWN)]
        signals = {
            "words": len(wanted & stems([one.sentence.text, *one.sentence.names])) / max(len(wanted), 1),
            "role": float(one.fits is True),
            "other role": float(one.fits is False),
            "place": 1 / (1 + places[id(one.window)]),
            "rival": max(rivals, default=0.0),
            "over": float(own == NOT),
            "then": float(time is not None and own[0] == 0),
            "not then": float(time is not None and own == NOT),
        }
        answers.append(_answer(one, total, tuple(signals.items())))
    return [one for one, *_ in leaders], answers


def _away(found: Sequence[AnswerCandidate], asked: Asked, time: str | None) -> tuple[int, int]:
    """The distance of an asked time, or now, from when an answer is known to hold: by the tuples that share most
    with the question, and by lasting ones beside them."""
    if asked.form is AnswerForm.WHEN or not (time or asked.is_now):
        return UNKNOWN
    first, last = asked_days(time) if time else (date.max, date.max)
    away = [UNKNOWN]
    for one in found:
        said, form = stems([asked.text]) - stems([one.answer, one.words]), name_form(one.words)
        holding = [stated for stated in one.sentence.tuples if stated.holds(form)]
        if not holding and (day := one.sentence.published):
            # A signature, a heading: so on the day of the text.
            away.append((max(day - last, first - day, timedelta(0)).days, 0))
        shared = [len(said & stated.stems) for stated in holding]
        away += [
            stated.away(form, first, last)
            for stated, count in zip(holding, shared, strict=True)
            if count == max(shared) > 0 or (stated.validity.aspect == "state" and stated.validity.valid_from)
        ]
    nearest = min(away)
    is_over = nearest[0] > 0 and NOT in away
    return NOT if is_over or (nearest == UNKNOWN and LATER in away) else nearest


def disputed(store: Store, answers: Sequence[TextAnswer], read: Sequence[PassageSentence]) -> list[TextAnswer]:
    """The answers with those of the sentences read that contradict their evidence, unless a person has settled it."""
    against: dict[tuple[str, int], list[tuple[str, Side]]] = defaultdict(list)
    for one in conflicts(store, places={(sentence.document, sentence.position) for sentence in read}):
        for mine, its in ((one.first, one.second), (one.second, one.first)):
            if one.settled is None:
                against[mine.source, mine.position].append((one.reason, its))
    known = [[each for said in one.evidence for each in against[said.source, said.position]] for one in answers]
    return [replace(answer, disputes=tuple(disputes)) for answer, disputes in zip(answers, known, strict=True)]


def _total(same: Sequence[AnswerCandidate]) -> float:
    """The probability that an answer is right in at least one of the windows that have it."""
    best: dict[str, float] = {}
    for one in same:
        best[one.window.text] = max(best.get(one.window.text, 0.0), one.probability)
    return 1 - prod(1 - probability for probability in best.values())


def _phrase(tree: DependencyTree, head: int) -> list[int]:
    """The words around a noun that belong to it, clauses and coordinated words left out."""
    parts = ("compound", "flat", "amod", "nummod", "det", "nmod", "fixed", "nmod:poss", "appos")
    own = tree.subtree(head, without=[i for i in tree.below[head] if tree.labels[i] not in parts])
    low = high = own.index(head)
    while low > 0 and own[low - 1] == own[low] - 1:
        low -= 1
    while high + 1 < len(own) and own[high + 1] == own[high] + 1:
        high += 1
    return tree.strip_marks(own[low : high + 1])


def _answer(one: AnswerCandidate, confidence: float, signals: tuple[tuple[str, float], ...]) -> TextAnswer:
    statement = str(one.stated) if one.stated else one.sentence.text
    return TextAnswer(one.answer, confidence, statement, (one.sentence.evidence(one.stated, one.words),), signals)


def yes_or_no(asked: Asked, read: Sequence[tuple[ReadingWindow, PassageReading]]) -> list[TextAnswer]:
    """Yes or no, whichever a passage says most clearly, with its sentence that is most like the question."""
    said = stems([asked.text])

    def shared(sentence: PassageSentence) -> int:
        return len(stems([sentence.text, *sentence.words]) & said)

    # A question states nothing; the answer that follows it in the text does.
    stating = [
        (_as_told(window, said) or reading, [one for _, one in window.places if not one.text.endswith("?")])
        for window, reading in read
    ]
    stating = [(reading, sentences) for reading, sentences in stating if sentences]
    if not stating:
        return []
    reading, sentences = max(stating, key=lambda one: max(one[0].yes, one[0].no))
    sentence = max(sentences, key=shared)
    answer = "yes" if reading.yes > reading.no else "no"
    return [TextAnswer(answer, max(reading.yes, reading.no), sentence.text, (sentence.evidence(None),))]


def _as_told(window: ReadingWindow, asked: set[str]) -> PassageReading | None:
    """The reading of a text that asks the same question and says yes or no to it."""
    sentences = [one.text for _, one in window.places]
    for question, answer in pairwise(sentences):
        own = stems([question])
        first = next((word.lower() for word in words_of(answer) if word.isalpha() and len(word) > 1), "")
        if question.endswith("?") and len(own & asked) >= _FIGURES.same * len(own | asked) and first in _TOLD:
            yes = _TOLD[first]
            return PassageReading(0.0, 0.0, float(yes), float(not yes))
    return None


def counted(answers: Sequence[TextAnswer]) -> list[TextAnswer]:
    """The length of a list as an answer, which a single thing is not."""
    if len(answers) < 2:
        return []
    statement = "; ".join(dict.fromkeys(one.statement for one in answers))
    evidence = tuple(dict.fromkeys(said for one in answers for said in one.evidence))
    return [replace(answers[0], answer=str(len(answers)), statement=statement, evidence=evidence)]


def bare(text: str) -> str:
    """A phrase without quotation marks, prepositions and articles at its ends.

    >>> bare("in the old mill"), bare("at least 2 mm")
    ('old mill', 'at least 2 mm')
    """
    words = text.strip(_QUOTES).split()
    while len(words) > 1 and (
        (words[0] in PREPOSITIONS and words[1] not in _BOUNDS)
        or (words[0].lower() in ARTICLES and not (words[0][0].isupper() and words[1][0].isupper()))
    ):
        words = words[1:]
    return " ".join(words).strip(_QUOTES)


def _is_same(one: AnswerCandidate, other: AnswerCandidate) -> bool:
    """Whether an answer is a form of another, as *Athens* and *ancient Athens*, or both mean one name."""
    first, second = f" {name_form(one.answer)} ", f" {name_form(other.answer)} "
    meant = one.sentence.meaning(one.words)
    return first in second or second in first or (meant is not None and meant == other.sentence.meaning(other.words))


def _short(text: str) -> str:
    most = _FIGURES.most_characters
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"


def asked_time(question: str, as_of: date | str | None) -> tuple[str, str | None]:
    """A question without the year or month at its end, and the time that it asks about: that, or the given one.

    >>> asked_time("Who was mayor of Oslo in 2018?", None)
    ('Who was mayor of Oslo?', '2018')
    """
    given = None if as_of is None else str(as_of)
    if question.lower().startswith(("when", "how many", "how much")):
        return question, given
    for one in time_expressions(question):
        if one.sense == "at" and one.first == one.last and not question[one.end :].strip(" ?."):
            return f"{question[: one.start].rstrip()}?", given or one.first
    return question, given


def dated(one: AnswerCandidate) -> str:
    """A time with the day that is meant, where that of the document fixes it: *last Monday (3 January 2022)*."""
    if any(found.first and str(found.first)[:4] in one.answer for found in time_expressions(one.answer)):
        return one.answer
    for stated in one.sentence.tuples:
        start, end, _ = stated.validity
        if start and start == end and stated.holds(name_form(one.words)):
            return f"{one.answer} ({_written(start)})"
    return one.answer


def _written(moment: str) -> str:
    """
    >>> _written("2022-01-03")
    '3 January 2022'
    """
    year, *rest = moment.split("-")
    month, *day = (int(part) for part in rest) if rest else (0,)
    return " ".join([*map(str, day), *list(MONTHS)[month - 1 : month], year]).title()
