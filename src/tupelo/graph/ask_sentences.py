"""What the sentences of some passages mention, for questions whose answer no tuple has.

A sentence says more than its tuples: dates in parentheses, names inside long phrases. Each name, date, number and
noun phrase of a parsed sentence is an open statement too: the words that govern it are its relation, the rest of the
sentence its context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tupelo.core import Analysis
from tupelo.graph.ask_candidates import PRONOUNS, Slot, Tuple, alternatives, stem, stems
from tupelo.graph.asked import GAP
from tupelo.graph.edges import Evidence
from tupelo.graph.passage_index import Encode
from tupelo.graph.store import Store
from tupelo.nlp.kinds import kind_and_wider, kinds_of, singular
from tupelo.nlp.languages.en.stop_words import STOP_WORDS
from tupelo.nlp.syntax import DependencyTree
from tupelo.nlp.values import words_of

# How much a question's word counts that is one step further away in the tree.
_STEP = 0.25
_STEPS_UP = 3
# Sentences that are parsed for a question.
_PARSED = 8
# *This feature* may be what the question names, whatever the graph resolved it to.
_POINTING = frozenset(["this", "that", "these", "those"])
_DASHES = (["–"], ["-"], ["—"], ["to"])
_BEFORE_DATE = 4
_DENYING = frozenset(["not", "n't", "never", "no", "may", "might", "could", "would", "should"])
_GOVERNING = frozenset(["VERB", "NOUN", "ADJ"])
_INSIDE = frozenset(["compound", "flat", "amod", "nummod", "det", "nmod:poss", "nmod:desc", "fixed", "nmod:unmarked"])
_DESCRIBING = ("nmod:desc", "appos", "compound", "nmod:poss")


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence of a retrieved passage."""

    text: str
    document: str
    source: str
    position: int
    rank: int


def sentences_of(store: Store, passages: Sequence[str]) -> list[Read]:
    """The sentences of some passages, best passage first."""
    rows = store.rows(
        """
        WITH chosen AS (SELECT unnest($1) AS passage_id, unnest(range(len($1))) AS rank)
        SELECT sentences.text, document_id, any_value(source), position, min(rank)
        FROM chosen JOIN passages USING (passage_id) JOIN sentences USING (document_id)
        JOIN documents USING (document_id)
        WHERE position BETWEEN first_sentence AND last_sentence
        GROUP BY sentence_id, sentences.text, document_id, position ORDER BY min(rank), document_id, position
        """,
        {"1": list(passages)},
    )
    return [Read(*row) for row in rows]


class Parsed:
    """A parsed sentence: its mentions, and how far words are from each other in its tree.

    `slots` are those of its tuples: they tell which names its pronouns stand for, and of which kinds they are.
    """

    def __init__(self, read: Read, analysis: Analysis, slots: Sequence[Slot]) -> None:
        self.read = read
        self.tree = DependencyTree(analysis)
        self._places = self._stem_places(slots)
        self._names = " ".join(dict.fromkeys(slot.name for slot in slots if slot.name))
        self._about_name = any(
            slot.role == "subject" and slot.is_name and slot.text.split()[0].lower() not in _POINTING
            for slot in slots
        )
        self._known = {slot.text: slot for slot in slots if slot.role == "name" or slot.is_name}

    def _stem_places(self, slots: Sequence[Slot]) -> Mapping[str, list[int]]:
        places: dict[str, list[int]] = {}
        for index in range(self.tree.size):
            for part in stems([self.tree.text(index), self.tree.lemmas[index]]):
                places.setdefault(part, []).append(index)
        for slot in slots:
            at = self.place(slot.text)
            if slot.name and at is not None:
                for part in stems([slot.name]):
                    places.setdefault(part, []).append(at)
        return places

    def place(self, text: str) -> int | None:
        """The head of a phrase of the sentence."""
        words = [word.lower() for word in words_of(text)]
        for start in range(self.tree.size - len(words) + 1):
            if self.tree.lowered[start : start + len(words)] == words:
                return self.tree.head_of(range(start, start + len(words)))
        return None

    def nearness(self, head: int, term: str) -> float:
        """1 where a word of the question governs the mention, less with every step between them."""
        places = [place for part in alternatives(term) for place in self._places.get(part, ())]
        if not places:
            return 0.0
        own = [head, *self.tree.path(head)]
        best = min(self._distance(own, place) for place in places)
        return 1 / (1 + _STEP * max(0, best - 1))

    def _distance(self, own: Sequence[int], place: int) -> int:
        for steps, index in enumerate([place, *self.tree.path(place)]):
            if index in own:
                return steps + own.index(index)
        return self.tree.size

    def mentions(self) -> Iterator[Tuple]:
        """An open statement for each name, value and noun phrase."""
        tree = self.tree
        spans: dict[tuple[int, int], str | None] = {
            (span.start, span.end): span.label for span in tree.analysis.entities or ()
        }
        taken = {index for start, end in spans for index in range(start, end)}
        for index in range(tree.size):
            if index not in taken and tree.upos(index) == "NOUN":
                run = [i for i in tree.subtree(index) if i <= index and (i == index or tree.labels[i] in _INSIDE)]
                if run == list(range(run[0], index + 1)):
                    spans[run[0], index + 1] = None
        for (start, end), label in sorted(spans.items()):
            head = tree.head_of(range(start, end))
            if head is not None and not self._is_denied(head):
                yield self._mention(start, end, head, label)

    def _mention(self, start: int, end: int, head: int, label: str | None) -> Tuple:
        tree = self.tree
        text = tree.analysis.written(start, end)
        known = self._known.get(text)
        described = [tree.lowered[i] for i in tree.children(head, *_DESCRIBING) if not start <= i < end]
        if label == "datetime":
            described = self._life(start, end)
        nouns = [singular(word) for word in (*described, *([] if label else [tree.lowered[head]]))]
        kinds = {wider for noun in nouns for kind in kinds_of(noun) for wider in kind_and_wider(kind.name)}
        role, preposition = self.role(head)
        slot = Slot(
            role,
            text,
            label or (known.label if known else None),
            known.name if known and known.is_name else text if label not in (None, "number", "datetime") else None,
            frozenset([*kinds, *(known.kinds if known else ()), *([label] if label else [])]),
            label not in (None, "number", "datetime") or bool(known and known.is_name),
            preposition,
        )
        before, after = _written(tree, 0, start), _written(tree, end, tree.size)
        evidence = Evidence("", "", self.read.text, self.read.source, self.read.position, None, None, None)
        context = Slot("context", f"{before} {after}", None, self._names or None, frozenset(), self._about_name)
        return Tuple(
            " ".join([*described, *self._governing(head)]),
            (slot, context),
            "asserted",
            False,
            0.5,
            evidence,
            self.read.document,
            self.read.rank,
            f"{before} {GAP} {after}".strip(),
        )

    def _life(self, start: int, end: int) -> list[str]:
        """*born* or *died* for a date in parentheses after a person's name: *Ann Lee (1837 – 1916)*."""
        tree = self.tree
        dates = [span for span in tree.analysis.entities or () if span.label == "datetime"][:2]
        person = next(iter(tree.analysis.entities or ()), None)
        if person is None or person.label != "person" or (start, end) not in [(one.start, one.end) for one in dates]:
            return []
        opening = "(" in tree.lowered[person.end : dates[0].start]
        closing = ")" in tree.lowered[dates[-1].end : dates[-1].end + 1]
        dash = len(dates) == 2 and tree.lowered[dates[0].end : dates[1].start] in _DASHES
        if not (opening and closing and dash and dates[0].start - person.end <= _BEFORE_DATE):
            return []
        return ["born", "birth"] if start == dates[0].start else ["died", "death"]

    def _is_denied(self, head: int) -> bool:
        """Whether a verb above is negated, or says what may be."""
        tree = self.tree
        return any(
            tree.lowered[child] in _DENYING
            for index in (head, *tree.path(head))
            for child in tree.children(index, "advmod", "aux", "det")
        )

    def role(self, head: int) -> tuple[str, str]:
        """The part that a word plays for its verb, and its preposition."""
        tree = self.tree
        top = self._first(head)
        case = tree.child(head, "case")
        if case is None:
            case = tree.child(top, "case")
        label = tree.labels[top]
        roles = {"nsubj": "subject", "nsubj:pass": "object", "obj": "object", "obl:agent": "subject"}
        return roles.get(label, "mention"), tree.lowered[case] if case is not None else ""

    def _first(self, head: int) -> int:
        """The word whose part a coordinated or added one shares."""
        tree = self.tree
        above = tree.heads[head]
        while above is not None and tree.base[head] in ("conj", "appos", "flat", "compound"):
            head, above = above, tree.heads[above]
        return head

    def _governing(self, head: int) -> list[str]:
        tree = self.tree
        found: list[str] = []
        if tree.child(head, "cop") is not None:
            found += [tree.lemmas[i] for i in tree.children(head, "nsubj")]
        shared = self._first(head)
        if shared != head and tree.base[head] != "conj" and tree.upos(shared) in _GOVERNING:
            found.append(tree.lemmas[shared])
        for index in list(tree.path(shared))[:_STEPS_UP]:
            if tree.upos(index) in _GOVERNING:
                found.append(tree.lemmas[index])
                found += [tree.lemmas[i] for i in tree.children(index, "compound:prt", "xcomp")]
            if tree.upos(index) == "VERB":
                above = tree.heads[index]
                fellows = tree.children(index, "conj")
                if tree.base[index] == "conj" and above is not None:
                    fellows.append(above)
                found += [tree.lemmas[i] for i in fellows if tree.upos(i) == "VERB"]
                break
        return [word for word in dict.fromkeys(found) if word not in STOP_WORDS and word not in PRONOUNS]


def read_sentences(
    statement: str,
    terms: Sequence[str],
    sentences: Sequence[Read],
    tuples: Sequence[Tuple],
    analyze: Callable[[list[str]], Sequence[Analysis]],
    encode: Encode,
) -> dict[str, Parsed]:
    """The sentences that are most like a statement and have the most of some words, parsed."""
    slots: dict[str, list[Slot]] = {}
    for found in tuples:
        slots.setdefault(found.sentence.sentence, []).extend(found.slots)
    wanted = {stem(term) for term in terms}
    vectors = encode([statement, *(one.text for one in sentences)])
    alike = vectors[1:] @ vectors[0]

    def worth(at: int) -> float:
        one = sentences[at]
        held = stems([one.text, *(slot.full for slot in slots.get(one.text, ()))])
        return float(alike[at]) + len(wanted & held) / max(1, len(wanted))

    chosen = [sentences[at] for at in sorted(range(len(sentences)), key=worth, reverse=True)[:_PARSED]]
    analyses = analyze([" ".join(one.text.split()) for one in chosen])
    return {
        one.text: Parsed(one, analysis, slots.get(one.text, ()))
        for one, analysis in zip(chosen, analyses, strict=True)
    }


def _written(tree: DependencyTree, start: int, end: int) -> str:
    return tree.analysis.written(start, end) if end > start else ""
