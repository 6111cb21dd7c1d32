"""What may answer a question: the parts of the tuples in some passages, and what speaks for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from typing import Any, Protocol

from tupelo.graph.asked import PERSONS, Asked, Form
from tupelo.graph.edges import Evidence
from tupelo.graph.passage_index import Encode
from tupelo.graph.passages import name_form
from tupelo.graph.store import Store
from tupelo.nlp.kinds import kinds_of, singular
from tupelo.nlp.languages.en.demonyms import DEMONYMS
from tupelo.nlp.languages.en.determiners import ARTICLES
from tupelo.nlp.languages.en.prepositions import PREPOSITIONS
from tupelo.nlp.languages.en.pronouns import POSSESSIVES, UNNAMING_PRONOUNS
from tupelo.nlp.languages.en.same_sense import SAME_SENSE
from tupelo.nlp.languages.en.stop_words import STOP_WORDS
from tupelo.nlp.lemmas import Lemmatizer
from tupelo.nlp.values import Date, Number, values_in, words_of

PRONOUNS = UNNAMING_PRONOUNS | POSSESSIVES
# Related words mostly share their first letters: *director*, *directed*.
_LETTERS = 5
# How close a relation is that often says the same, and one that cannot be compared.
_SAME_SENSE, _UNKNOWN = 0.9, 0.5
_NAMED = frozenset(["person", "organization", "place", "event", "work", "other"])
_AT = frozenset(["in", "at", "on", "near", "within", "outside", "inside", "around", "off"])
# *The city houses the museum.*
_HOLDING = frozenset(["house", "host", "conta"])
# *director* is who directed.
_DOERS = ("er", "or")
_COUNTRIES = frozenset(DEMONYMS.values())
_LEMMATIZER = Lemmatizer()
_QUOTES = " \"'“”‘’«»"


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a tuple, and the referent that it means, if any."""

    role: str
    text: str
    label: str | None
    name: str | None
    kinds: frozenset[str]
    is_name: bool
    preposition: str = ""

    @property
    def full(self) -> str:
        """The words with those of the name that they stand for."""
        return f"{self.text} {self.name}" if self.name and self.name not in self.text else self.text

    def wording(self) -> str:
        """The slot as an answer: the name that it has or stands for, else its words, the preposition left out."""
        first = self.text.split()[0].lower()
        described = first in ARTICLES or first in PRONOUNS
        if self.is_name and self.name and (self.name in self.text or described):
            return self.name
        return bare(self.text)


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple of the graph with its sentence. A mention (`ask_sentences`) also has the sentence with a gap."""

    relation: str
    slots: tuple[Slot, ...]
    stance: str
    negated: bool
    confidence: float
    sentence: Evidence
    document: str
    rank: int
    gapped: str = ""

    def said(self, without: Slot | None = None) -> str:
        """The tuple as a sentence, names in place of pronouns, with a gap for one slot."""
        if self.gapped:
            return self.gapped if without else self.sentence.sentence

        def shown(slot: Slot) -> str:
            if slot is without:
                return "…"
            return slot.name if slot.name and slot.text.lower() in PRONOUNS else slot.text

        subject = [shown(slot) for slot in self.slots if slot.role == "subject"]
        others = [shown(slot) for slot in self.slots if slot.role not in ("subject", "name")]
        return " ".join([*subject, self.relation, *others])


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer, with what speaks for it."""

    answer: str
    slot: Slot
    tuple: Tuple
    signals: Mapping[str, float] = field(default_factory=dict)


def bare(text: str) -> str:
    """A phrase without quotation marks, prepositions and articles at its ends.

    >>> bare("in the old mill")
    'old mill'
    """
    words = text.strip(_QUOTES).split()
    while len(words) > 1 and (words[0].lower() in PREPOSITIONS or words[0].lower() in ARTICLES):
        words = words[1:]
    return " ".join(words).strip(_QUOTES)


def tuples_of(store: Store, passages: Sequence[str]) -> list[Tuple]:
    """The tuples in some passages, best passage first."""
    rows = store.rows(
        """
        WITH chosen AS (SELECT unnest($1) AS passage_id, unnest(range(len($1))) AS rank),
        read AS (
            SELECT sentence_id, document_id, text AS sentence, position AS number, min(rank) AS rank
            FROM chosen JOIN passages USING (passage_id) JOIN sentences USING (document_id)
            WHERE position BETWEEN first_sentence AND last_sentence GROUP BY ALL
        )
        SELECT tuple_id, any_value(relation), any_value(tuples.stance), any_value(tuples.negated),
            any_value(tuples.confidence), any_value(sentence), any_value(source), any_value(read.number),
            any_value(speaker), any_value(speech_verb), any_value(document_id), any_value(rank),
            list({'role': role, 'text': mentions.text, 'label': coalesce(entity_type, label), 'name': referents.name,
                'types': types, 'kind': referents.kind} ORDER BY mentions.position) FILTER (role <> 'relation')
        FROM read JOIN tuples USING (sentence_id) JOIN mentions USING (tuple_id)
        LEFT JOIN referents USING (referent_id, document_id) JOIN documents USING (document_id)
        GROUP BY tuple_id ORDER BY any_value(rank), any_value(read.number), any_value(tuples.position), tuple_id
        """,
        {"1": list(passages)},
    )
    return [_tuple(*row) for row in rows]


def _tuple(
    key: str,
    relation: str,
    stance: str,
    negated: bool | None,
    confidence: float | None,
    sentence: str,
    source: str,
    at: int,
    speaker: str | None,
    speech_verb: str | None,
    document: str,
    rank: int,
    slots: Sequence[Mapping[str, Any]] | None,
) -> Tuple:
    found = tuple(
        Slot(
            slot["role"],
            slot["text"],
            slot["label"],
            slot["name"],
            frozenset([*(slot["types"] or ()), *([slot["label"]] if slot["label"] else [])]),
            slot["kind"] == "name",
        )
        for slot in slots or ()
    )
    evidence = Evidence("", key, sentence, source, at, confidence, speaker, speech_verb)
    return Tuple(relation, found, stance, bool(negated), confidence or 0.0, evidence, document, rank)


def candidates(asked: Asked, tuples: Sequence[Tuple], names: Collection[str]) -> Iterator[Candidate]:
    """The slots that may answer a question: of the right kind, and not what the question names itself.

    Only documents that have one of the names of the question are read for them.
    """
    known = [name_form(name).split() for name in names]
    said = set(words_of(asked.text.lower()))
    terms = {stem(term) for term in asked.terms}
    documents = forms_by_document(tuples)
    for found in tuples:
        if found.negated or found.stance not in ("asserted", "reported"):
            continue
        if known and not any(documents[found.document].issuperset(name) for name in known):
            continue
        for slot in found.slots:
            answer = None if slot.role == "context" else _answer(asked, slot)
            if answer is None or _is_known(answer, slot, known, said):
                continue
            if known and _is_about_another(found, slot, terms, known):
                continue
            one = Candidate(answer, slot, found)
            if asked.form is not Form.WHERE or _lies(one):
                yield one


def forms_by_document(tuples: Iterable[Tuple]) -> Mapping[str, set[str]]:
    """The words of each document and of the names in it, in the form in which names are compared."""
    documents: dict[str, set[str]] = {}
    for found in tuples:
        words = documents.setdefault(found.document, set())
        words |= _name_words([found.sentence.sentence, *(slot.name or "" for slot in found.slots)])
    return documents


def _name_words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in name_form(text).split()}


def _is_about_another(found: Tuple, slot: Slot, terms: Collection[str], known: Collection[Sequence[str]]) -> bool:
    """Whether a tuple or a sentence has a named subject, and neither it nor another part is in the question."""
    others = [one for one in found.slots if one is not slot]
    if found.gapped:
        held = _name_words(one.full for one in others)
        return any(one.is_name for one in others) and not any(held.issuperset(name) for name in known)
    named = any(one.role == "subject" and one.is_name for one in others)
    return named and stems(one.full for one in others).isdisjoint(terms)


def _is_known(answer: str, slot: Slot, known: Collection[list[str]], said: Collection[str]) -> bool:
    """Whether something says only what the question says: a pronoun, a name in it, a fuller form of that name."""
    words = {word.lower() for word in words_of(answer)}
    forms = name_form(answer).split()
    described = slot.is_name and slot.name and answer.islower()
    full = name_form(slot.name).split() if described and slot.name else forms
    inside = any({*forms} <= {*name} or name in (forms[: len(name)], full[: len(name)]) for name in known)
    if slot.is_name:
        # *Tigran Vartanovich Petrosian* is Tigran Petrosian.
        inside = inside or any(len(name) > 1 and {*name} <= {*forms} and name[-1] == forms[-1] for name in known)
    return not forms or words <= PRONOUNS | STOP_WORDS or words <= set(said) or (inside and slot.label != "number")


def _answer(asked: Asked, slot: Slot) -> str | None:
    """The slot as an answer of the kind that is asked for."""
    if asked.form is Form.COUNT:
        return _number(slot.text, asked.noun)
    if "number" in asked.kinds:
        return _number(slot.text, None)
    if asked.form is Form.WHEN:
        return (
            bare(slot.text) if slot.label == "datetime" or (slot.role == "time" and _has_value(slot.text)) else None
        )
    if slot.label in ("datetime", "number") or slot.role == "time" or slot.text.split()[-1].lower() in PREPOSITIONS:
        return None
    if tuple(slot.text.lower().split()) in DEMONYMS:
        return None
    if asked.form is Form.WHERE:
        held = slot.label == "organization" and slot.role == "object"
        return slot.wording() if slot.label == "place" or slot.role == "location" or held else None
    if asked.form is Form.WHO:
        if slot.label not in ("person", "organization", "other", None) or not slot.is_name:
            return None
        return slot.wording()
    roots = asked.kinds & _NAMED
    if roots and not (slot.kinds & roots or slot.label in ("other", None)):
        return None
    if roots and not slot.is_name:
        return None
    if asked.noun and not slot.is_name and stem(asked.noun) in stems([slot.text]):
        # *Burns's nephew* does not tell which nephew.
        return None
    return slot.wording()


def _has_value(text: str) -> bool:
    return bool(values_in(words_of(text)))


def _number(text: str, noun: str | None) -> str | None:
    """The number in a phrase, which counts the noun, if one is given."""
    words = words_of(text)
    for item in values_in(words):
        if isinstance(item.value, Number):
            after = [word.lower() for word in words[item.start : item.end + 3]]
            if noun is None or any(_is_called(singular(word), noun) for word in after):
                start = item.start
                while start + 1 < item.end and not values_in(words[start : start + 1]):
                    start += 1
                return " ".join(words[start : item.end])
    return None


def _is_called(noun: str, wanted: str) -> bool:
    """Whether a noun is the one that is counted; any person is one of the *people*."""
    return noun == wanted or (wanted in PERSONS and any(kind.root == "person" for kind in kinds_of(noun)))


def stem(word: str) -> str:
    """The letters by which words are compared."""
    return word.lower()[:_LETTERS]


class Nearness(Protocol):
    """A parsed sentence."""

    def place(self, text: str) -> int | None: ...

    def nearness(self, head: int, term: str) -> float: ...


class Evidences:
    """Computes what speaks for candidates: words, names and vectors."""

    def __init__(
        self,
        asked: Asked,
        names: Collection[str],
        tuples: Sequence[Tuple],
        encode: Encode,
        trees: Mapping[str, Nearness] | None = None,
    ) -> None:
        self._asked = asked
        self._encode = encode
        self._trees = trees or {}
        self._names = [name_form(name).split() for name in names]
        self._texts = {found.sentence.sentence: stems([found.sentence.sentence]) for found in tuples}
        self._documents: dict[str, set[str]] = {}
        for found in tuples:
            of = self._documents.setdefault(found.document, set())
            of |= stems([found.sentence.sentence, *(slot.name or "" for slot in found.slots)])
        total = len(self._texts)
        # A long name counts no more than a short one.
        shares = {stem(word): 1 / len(name) for name in self._names for word in name}
        self._weights = {
            term: log(1 + total / (1 + sum(stem(term) in held for held in self._texts.values())))
            * shares.get(stem(term), 1.0)
            for term in asked.terms
        }

    def __call__(self, found: Sequence[Candidate]) -> list[Candidate]:
        if not found:
            return []
        statement = self._asked.statement
        gapped = [candidate.tuple.said(candidate.slot) for candidate in found]
        sentences = [candidate.tuple.sentence.sentence for candidate in found]
        relations = [_relation_words(candidate) for candidate in found]
        asked = " ".join(self._asked.relation) or statement
        words = list(dict.fromkeys(word for relation in relations for word in relation.split()))
        vectors = self._encode([statement, asked, *gapped, *sentences, *relations, *words])
        size = len(found)
        alike = vectors[2 : 2 + size] @ vectors[0]
        nearby = vectors[2 + size : 2 + 2 * size] @ vectors[0]
        whole = vectors[2 + 2 * size : 2 + 3 * size] @ vectors[1]
        single = dict(zip(words, vectors[2 + 3 * size :] @ vectors[1], strict=True))
        related = [
            max([close, *(single[word] for word in relation.split())])
            for close, relation in zip(whole, relations, strict=True)
        ]
        return [
            Candidate(one.answer, one.slot, one.tuple, self._signals(one, float(a), float(b), float(c)))
            for one, a, b, c in zip(found, alike, nearby, related, strict=True)
        ]

    def _signals(self, one: Candidate, alike: float, nearby: float, related: float) -> dict[str, float]:
        held = one.tuple
        own = stems([held.relation, *(slot.full for slot in held.slots if slot is not one.slot)])
        sentence = self._texts[held.sentence.sentence] | stems(slot.full for slot in held.slots)
        words = _relation_words(one)
        close = self._close(words, related)
        return {
            "tuple": self._covered(own),
            "sentence": self._covered(sentence),
            "alike": alike,
            "nearby": nearby,
            "related": close,
            "kind": self._kind(one.slot),
            "role": self._role(one),
            "rank": 1 / (1 + held.rank),
            "near": self._near(one),
            "linked": close * self._named(one, own),
        }

    def _close(self, words: str, related: float) -> float:
        """How well the relation fits: 1 for the same word; where the question has only *be*, nothing can be said."""
        if not self._asked.relation:
            return _UNKNOWN
        said = stems([words])
        if said & {stem(word) for word in self._asked.relation}:
            return 1.0
        if any(said & alternatives(word) for word in self._asked.relation):
            return max(related, _SAME_SENSE)
        return related if words else 0.0

    def _covered(self, held: Collection[str]) -> float:
        total = sum(self._weights.values())
        found = sum(weight for term, weight in self._weights.items() if not alternatives(term).isdisjoint(held))
        return found / total if total else 0.0

    def _near(self, one: Candidate) -> float:
        """How close the words of the question are in the tree of the sentence."""
        tree = self._trees.get(one.tuple.sentence.sentence)
        head = tree.place(one.slot.text) if tree else None
        total = sum(self._weights.values())
        if tree is None or head is None or not total:
            return 0.0
        return sum(weight * tree.nearness(head, term) for term, weight in self._weights.items()) / total

    def _named(self, one: Candidate, held: Collection[str]) -> float:
        """How many names of the question the other slots have; one that nobody resolved may stand for one."""
        if not self._names:
            return 0.5
        share = sum(any(stem(word) in held for word in name) for name in self._names) / len(self._names)
        subject = next((slot for slot in one.tuple.slots if slot.role == "subject"), None)
        open_subject = subject is not None and subject is not one.slot and not subject.is_name
        near = any(all(stem(word) in self._documents[one.tuple.document] for word in name) for name in self._names)
        return max(share, 0.5 if open_subject and near else 0.0)

    def _kind(self, slot: Slot) -> float:
        if self._asked.form is Form.WHEN:
            dated = any(isinstance(item.value, Date) for item in values_in(words_of(slot.text)))
            return 1.0 if dated else 0.3
        if self._asked.form in (Form.WHERE, Form.COUNT):
            return 1.0
        finer = self._asked.kinds - _NAMED
        if self._asked.noun == "country":
            return 1.0 if slot.wording() in _COUNTRIES else 0.4
        if self._asked.noun and not slot.is_name:
            return 0.2
        if slot.kinds & finer or (self._asked.noun and stem(self._asked.noun) in stems([slot.text])):
            return 1.0
        return 0.6 if slot.kinds & self._asked.kinds else 0.2 if self._asked.kinds else 0.5

    def _role(self, one: Candidate) -> float:
        """Whether the slot plays the part that the question asks for."""
        asked, slot = self._asked, one.slot
        if asked.form is Form.WHEN:
            return 1.0 if slot.role in ("time", "object", "mention") else 0.3
        if asked.form is Form.WHERE:
            return 1.0
        agent = one.tuple.relation.endswith(" by") and not one.tuple.gapped
        doer = (
            asked.noun is not None and asked.noun.endswith(_DOERS) and stem(asked.noun) in stems([one.tuple.relation])
        )
        if asked.role == "either" and slot.role in ("subject", "object") and not doer:
            return 1.0
        if one.tuple.gapped and asked.preposition and slot.preposition == asked.preposition:
            return 1.0
        wanted = "subject" if asked.role == "subject" or asked.preposition == "by" or doer else "object"
        sole = slot.role == "argument" and all(other.role != "object" for other in one.tuple.slots)
        part = "object" if sole else slot.role if slot.role in ("subject", "object") else "other"
        if agent:
            part = {"subject": "object", "object": "subject"}.get(part, "other")
        if part == "other":
            return 0.2 if slot.role == "name" else 0.5
        return 1.0 if part == wanted else 0.0


def _lies(one: Candidate) -> bool:
    """Whether a preposition says that something is at the slot."""
    if one.tuple.gapped:
        return one.slot.preposition in _AT
    if one.slot.role == "subject":
        return one.slot.label == "place" and not stems([one.tuple.relation]).isdisjoint(_HOLDING)
    if one.slot.role == "location":
        return True
    places = (one.tuple.relation.split()[-1:], one.slot.text.split()[:1])
    said = any(word.lower() in _AT for words in places for word in words)
    return said or (one.slot.role == "object" and " in " in one.slot.text)


def _relation_words(one: Candidate) -> str:
    """The words that link a slot to the rest: the verb, and after *be* its noun."""
    words = [word for word in one.tuple.relation.split() if word.lower() not in STOP_WORDS]
    if not words:
        words = [
            word
            for slot in one.tuple.slots
            if slot is not one.slot and slot.role in ("subject", "object") and not slot.is_name
            for word in bare(slot.text).split()[:4]
            if word.lower() not in STOP_WORDS
        ]
    return " ".join(words)


@lru_cache(maxsize=16_384)
def alternatives(word: str) -> frozenset[str]:
    """The stems of a word and of those that often say the same."""
    return frozenset([stem(word), *(stem(other) for sense in SAME_SENSE if word in sense for other in sense)])


def stems(texts: Iterable[str]) -> set[str]:
    """The words of some texts by their first letters, and their base forms too: *born* is also *bear*."""
    return {part for text in texts for word in words_of(text) for part in _forms(word.lower())}


@lru_cache(maxsize=16_384)
def _forms(word: str) -> frozenset[str]:
    return frozenset([stem(word), stem(_LEMMATIZER.lemma(word, "VERB", "VBN"))])
