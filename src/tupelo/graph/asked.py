"""What a question asks for: read from its dependency tree, and turned into a statement with a gap.

*Who did Ann marry in Oslo?* asks for a person, and its statement is *Ann did marry … in Oslo*. Whatever fills the gap
has the kind that the question word or its noun demands (`kinds`), and the statement can be compared with sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tupelo.core import Analysis
from tupelo.nlp.kinds import KINDS, kinds_of, singular
from tupelo.nlp.languages.en.stop_words import STOP_WORDS
from tupelo.nlp.languages.en.verbs import FORMS_OF_BE, FORMS_OF_DO, FORMS_OF_HAVE
from tupelo.nlp.syntax import DependencyTree

GAP = "…"
_SECOND = re.compile(r",? and (where|when)\??$", re.IGNORECASE)
_SPACE = re.compile(r" (?=[,.;:?!'’)])|(?<=\() ")
_CONTENT = frozenset(["NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV"])
_TIMES = frozenset(["year", "date", "day", "month", "century", "decade", "time", "season"])
_PLACES = frozenset(["place", "location", "area", "region", "part", "site"])
PERSONS = frozenset(["person", "people", "man", "woman", "men", "women", "boy", "girl", "child"])
# Persons by what they are to somebody or something; `kinds` has professions.
_RELATIVES = frozenset(
    (
        *("father", "mother", "parent", "son", "daughter", "brother", "sister", "husband", "wife", "spouse", "uncle"),
        *("aunt", "nephew", "niece", "cousin", "grandfather", "grandmother", "grandson", "granddaughter"),
        *("founder", "director", "producer", "successor", "predecessor"),
    )
)
# Nouns that say nothing about the kind of an answer: *What kind of boat*, *Which things*.
_EMPTY = frozenset(["thing", "kind", "type", "sort", "name", "one", "number"])
# What begins the clause that a question phrase is the predicate of.
_CLAUSE = frozenset(["aux", "cop", "nsubj", "punct"])
_RELATIVE = frozenset(["who", "whom", "that", "which", "where"])
_LIGHT = frozenset([*FORMS_OF_BE, *FORMS_OF_DO, *FORMS_OF_HAVE, "be", "do", "have", "get"])


class Form(StrEnum):
    """What an answer looks like."""

    WHO = "who"
    WHAT = "what"
    WHERE = "where"
    WHEN = "when"
    COUNT = "how many"
    YES_NO = "yes or no"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was read.

    `noun` is what the answer is called (*company* in *Which company …*), and `kinds` are the kinds it may have, none
    for any. `relation` are the base forms of the words that link the answer to the rest, `terms` those of all content
    words outside the question phrase. `role` is the part that the answer plays: `subject`, `object`, `either` beside
    a noun (*Who is the mayor?*), or empty where a preposition or an adverb decides. `several` if the
    question expects more than one. `values` are the names, dates and numbers of a yes or no question, with labels.
    """

    text: str
    form: Form
    statement: str
    noun: str | None = None
    kinds: frozenset[str] = frozenset()
    relation: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    role: str = ""
    preposition: str = ""
    several: bool = False
    values: tuple[tuple[str, str], ...] = ()

    @property
    def may_be_several(self) -> bool:
        """Whether an answer may have fellows: *Which company* asks for one, *Who* does not say."""
        return self.several or (self.form is Form.WHO and self.noun is None)

    def as_list(self) -> Asked:
        """The question for the things that this one counts."""
        kinds = _kinds(self.noun) if self.noun else frozenset[str]()
        return replace(self, form=Form.WHAT, kinds=kinds, several=True)

    def filled(self, answer: str) -> str:
        """The statement with an answer in its gap."""
        return self.statement.replace(GAP, answer)


def read_question(analysis: Analysis) -> Asked:
    """Read the analysis of one question."""
    return _Reader(DependencyTree(analysis)).read()


@dataclass(frozen=True, slots=True)
class Hop:
    """A thing that a question describes and does not name: *the city where Acme has its base*.

    `question` asks what it is, and `[start, end)` are its characters in the whole question.
    """

    question: str
    start: int
    end: int


def read_hop(analysis: Analysis) -> Hop | None:
    """The first described thing of a question, if it is not what the question asks for."""
    return _Reader(DependencyTree(analysis)).hop()


def split_question(text: str) -> tuple[str, str]:
    """A question, and what a second one adds to it.

    >>> split_question("Who founded Acme, and where?")
    ('Who founded Acme?', 'where')
    """
    found = _SECOND.search(text)
    return (f"{text[: found.start()]}?", found[1].lower()) if found else (text, "")


def follow(asked: Asked, word: str, answer: str) -> Asked:
    """The second question of two: that word about the first statement, with its answer."""
    form, kind = {"where": (Form.WHERE, "place"), "when": (Form.WHEN, "datetime")}[word]
    statement = asked.filled(answer).rstrip(".")
    return replace(
        asked,
        text=f"{asked.text} {answer}",
        form=form,
        statement=f"{statement} in {GAP}.",
        noun=None,
        kinds=frozenset([kind]),
        role="",
        preposition="in",
        several=False,
    )


class _Reader:
    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        last = tree.size - (tree.size > 0 and tree.upos(tree.size - 1) == "PUNCT")
        self.words = range(last)

    def read(self) -> Asked:
        tree = self.tree
        asking = next((i for i in self.words if tree.tag(i) in ("WP", "WP$", "WRB", "WDT") and self._asks(i)), None)
        if asking is None:
            return self._yes_no()
        phrase, head = self._phrase(asking)
        form, noun, kinds = self._form(asking, phrase, head)
        role, preposition = self._role(asking, head, phrase, form)
        statement = self._statement(phrase, form, role, preposition)
        if tree.labels[head] == "nsubj:pass":
            role = "object"
        root = self._anchor(head)
        outside = [i for i in self.words if i not in phrase]
        several = form is not Form.COUNT and (
            (noun is not None and tree.is_plural(head)) or self._plural_predicate(head, root)
        )
        return Asked(
            tree.analysis.text,
            form,
            statement,
            noun,
            kinds,
            self._relation(root, phrase),
            self._terms(outside if noun is None else [*outside, *(i for i in phrase if i != head)], asking),
            "either" if role and root is not None and tree.upos(root) in ("NOUN", "ADJ") else role,
            preposition,
            several,
        )

    def hop(self) -> Hop | None:
        tree = self.tree
        asking = next((i for i in self.words if tree.tag(i) in ("WP", "WP$", "WRB", "WDT") and self._asks(i)), None)
        if asking is None:
            return None
        phrase, head = self._phrase(asking)
        asked = {*phrase, head, self._anchor(head) if tree.lemmas[tree.root or 0] not in _LIGHT else None}
        if self._predicate(asking) is not None:
            asked |= {tree.child(asking, "nsubj"), tree.heads[asking]}
        for noun in self.words:
            definite = tree.child(noun, "det")
            if noun in asked or tree.tag(noun) != "NN" or definite is None or tree.lowered[definite] != "the":
                continue
            question, words = self._described(noun)
            if question:
                span = tree.analysis.span(min(words), max(words) + 1)
                return Hop(question, span.start, span.end)
        return None

    def _described(self, noun: int) -> tuple[str, list[int]]:
        """A question for what a relative clause or an of-phrase describes, and the words of the description."""
        tree = self.tree
        first_word = min(tree.children(noun, "det"), default=noun)
        words = [i for i in tree.subtree(noun) if first_word <= i and i in self.words]
        clause = next(
            (i for i in self.words if tree.labels[i] == "acl:relcl" and min(tree.subtree(i)) == noun + 1), None
        )
        if clause is not None:
            inside = [i for i in tree.subtree(clause) if i in self.words]
            words = sorted({first_word, *words, *range(first_word, inside[-1] + 1)})
            first = tree.lowered[inside[0]]
            rest = inside[1:] if first in _RELATIVE else inside
            if not rest:
                return "", []
            text = self._joined([tree.text(i) for i in rest], capital=False).rstrip(".")
            return f"{'In which' if first == 'where' else 'Which'} {tree.text(noun)} {text}?", words
        owner = next((i for i in tree.children(noun, "nmod") if tree.upos(i) == "PROPN"), None)
        if owner is None or not ("person" in _kinds(tree.lowered[noun]) or tree.lowered[noun] == "capital"):
            return "", []
        described = self._joined([tree.text(i) for i in words], capital=False).rstrip(".")
        return f"{'Who' if 'person' in _kinds(tree.lowered[noun]) else 'What'} is {described}?", words

    def _asks(self, index: int) -> bool:
        """Whether a word asks, and does not begin a relative clause: it is first, or only a preposition precedes."""
        return all(self.tree.tag(before) in ("IN", "TO") for before in range(index))

    def _phrase(self, asking: int) -> tuple[list[int], int]:
        """The words of the question phrase, without a preposition, and its head."""
        tree = self.tree
        head = asking
        above = tree.heads[asking]
        if tree.lowered[asking] == "how" and above is not None:
            head = above
        while tree.base[head] in ("det", "amod", "advmod") and tree.upos(head) in ("DET", "ADJ", "ADV", "PRON"):
            above = tree.heads[head]
            if (
                above is None
                or tree.upos(above) not in ("NOUN", "PROPN", "NUM", "ADJ")
                or tree.lowered[asking]
                in (
                    "where",
                    "when",
                    "who",
                    "whom",
                )
            ):
                break
            head = above
        if head == asking:
            return [asking], head
        words = [i for i in tree.subtree(head) if i >= asking]
        verb = next((i for i in words if i > head and tree.heads[i] == head and tree.base[i] in _CLAUSE), tree.size)
        run = [i for i in words if i < verb]
        end = next((at for at, i in enumerate(run) if i != asking + at), len(run))
        return run[:end] or [asking], head

    def _form(self, asking: int, phrase: list[int], head: int) -> tuple[Form, str | None, frozenset[str]]:
        tree = self.tree
        word = tree.lowered[asking]
        if word == "how":
            many = any(tree.lowered[i] in ("many", "much", "few") for i in phrase)
            noun = singular(tree.lowered[head]) if tree.upos(head) in ("NOUN", "PROPN") else None
            return (Form.COUNT if many else Form.WHAT), noun, frozenset(["number"] if many else [])
        if word in ("who", "whom", "whose"):
            noun = self._predicate(asking)
            finer = _kinds(noun) if noun else frozenset()
            return Form.WHO, noun, finer if finer & {"person"} else frozenset(["person", "organization"])
        if word == "where":
            return Form.WHERE, None, frozenset(["place"])
        if word == "when":
            return Form.WHEN, None, frozenset(["datetime"])
        if head == asking:
            noun = self._predicate(asking)
            return Form.WHAT, noun, _kinds(noun) & {"number"} if noun else frozenset()
        noun = singular(tree.lowered[head])
        if noun in _EMPTY:
            below = next((i for i in tree.children(head, "nmod") if i in phrase), None)
            return Form.WHAT, (tree.lemmas[below] if below is not None else None), frozenset()
        if noun in _TIMES:
            return Form.WHEN, None, frozenset(["datetime"])
        if noun in _PLACES:
            return Form.WHERE, None, frozenset(["place"])
        return (Form.WHO if "person" in _kinds(noun) else Form.WHAT), noun, _kinds(noun)

    def _predicate(self, asking: int) -> str | None:
        """The noun that a question word is linked to by *be*: *Who is the mayor of Oslo?*"""
        tree = self.tree
        if tree.heads[asking] is None:
            noun = tree.child(asking, "nsubj")
        else:
            noun = tree.heads[asking] if tree.base[asking] == "nsubj" else None
        if noun is None or tree.upos(noun) != "NOUN":
            return None
        return singular(tree.lowered[noun])

    def _plural_predicate(self, head: int, root: int | None) -> bool:
        tree = self.tree
        noun = tree.child(head, "nsubj") if tree.heads[head] is None else root
        return noun is not None and tree.upos(noun) == "NOUN" and tree.tag(noun) == "NNS"

    def _anchor(self, head: int) -> int | None:
        """The word that the question phrase depends on, or its subject where it is the predicate."""
        tree = self.tree
        if tree.heads[head] is not None:
            return tree.heads[head]
        return tree.child(head, "nsubj")

    def _relation(self, root: int | None, phrase: list[int]) -> tuple[str, ...]:
        tree = self.tree
        if root is None:
            return ()
        found = [root, *tree.children(root, "compound:prt", "xcomp", "conj")]
        if tree.lemmas[root] in _LIGHT or tree.upos(root) not in ("VERB", "NOUN", "ADJ"):
            found += [i for i in tree.children(root, "obj") if i not in phrase]
        return tuple(
            dict.fromkeys(
                tree.lemmas[i]
                for i in found
                if tree.upos(i) in ("VERB", "NOUN", "ADJ", "ADP") and tree.lemmas[i] not in _LIGHT
            )
        )

    def _terms(self, words: Sequence[int], asking: int) -> tuple[str, ...]:
        tree = self.tree
        return tuple(
            dict.fromkeys(
                tree.lowered[i] if tree.upos(i) == "PROPN" else tree.lemmas[i]
                for i in sorted(words)
                if i != asking
                and tree.lemmas[i] not in ("many", "much")
                and tree.upos(i) in _CONTENT
                and (tree.tag(i).startswith("VB") or tree.lemmas[i] not in STOP_WORDS)
                and tree.lemmas[i] not in _LIGHT
            )
        )

    def _role(self, asking: int, head: int, phrase: list[int], form: Form) -> tuple[str, str]:
        """The part of the answer in its clause, and its preposition."""
        tree = self.tree
        case = tree.child(head, "case")
        if case is None and head != asking:
            case = tree.child(asking, "case")
        if case is not None and tree.base[head] != "nsubj":
            return "", tree.lowered[case]
        last = max((i for i in self.words if tree.upos(i) != "PUNCT"), default=0)
        if tree.tag(last) in ("IN", "TO") and tree.base[last] in ("case", "obl", "advmod", "mark"):
            return "", tree.lowered[last]
        if form is Form.WHERE or (form is Form.WHEN and tree.base[head] != "nsubj"):
            return "", "in"
        inverted = self._inversion(phrase) is not None
        if tree.base[head] == "nsubj" and not (inverted and self._subject(phrase) is not None):
            return "subject", ""
        return ("object", "") if tree.heads[head] is not None else ("subject", "")

    def _inversion(self, phrase: list[int]) -> int | None:
        """The auxiliary right after the question phrase."""
        tree = self.tree
        after = phrase[-1] + 1
        if after < tree.size and (tree.base[after] in ("aux", "cop") or tree.lowered[after] in _LIGHT):
            return after
        return None

    def _subject(self, phrase: list[int]) -> int | None:
        """The subject between an auxiliary and its verb."""
        tree = self.tree
        after = self._inversion(phrase)
        if after is None:
            return None
        head = tree.heads[after]
        holders = [head] if head is not None else []
        holders += [i for i in (tree.root, after) if i is not None and i not in holders]
        for holder in holders:
            for child in tree.children(holder, "nsubj", "expl"):
                if child not in phrase and child > after:
                    return child
        if head is not None and head > after and tree.base[after] == "cop" and head not in phrase:
            # *In what province is Ojai?*: the predicate is the question phrase.
            return head if any(i in phrase for i in tree.below[head]) else None
        return None

    def _statement(self, phrase: list[int], form: Form, role: str, preposition: str) -> str:
        tree = self.tree
        gap = GAP
        if form is Form.COUNT:
            gap = " ".join([GAP, *(tree.text(i) for i in phrase if tree.lowered[i] not in ("how", "many", "much"))])
        elif any(tree.base[i] in ("acl", "nmod") for i in phrase[1:]):
            gap = f"{GAP}, the {' '.join(tree.text(i) for i in phrase[1:])},"
        rest = [i for i in self.words if i > phrase[-1]]
        subject = self._subject(phrase) if role != "subject" else None
        if subject is None:
            return self._joined([gap, *map(tree.text, rest)])
        auxiliary = phrase[-1] + 1
        below = [i for i in tree.subtree(subject, without=[auxiliary]) if i in rest]
        run = [i for at, i in enumerate(below) if i == below[0] + at]
        others = [i for i in rest if i not in run and i != auxiliary]
        if role == "" and preposition:
            others = [i for i in others if not (tree.lowered[i] == preposition and tree.heads[i] in phrase)]
        stranded = others and tree.lowered[others[-1]] == preposition
        texts = [*map(tree.text, run), tree.lowered[auxiliary]]
        if role == "object":
            verb = next((at for at, i in enumerate(others) if tree.upos(i) == "VERB"), len(others) - 1)
            particles = verb + 1
            while particles < len(others) and tree.labels[others[particles]] == "compound:prt":
                particles += 1
            tail = [tree.text(i) for i in others]
            return self._joined([*texts, *tail[:particles], gap, *tail[particles:]])
        tail = [tree.text(i) for i in others]
        return self._joined([*texts, *tail, *([] if stranded or not preposition else [preposition]), gap])

    def _joined(self, texts: list[str], *, capital: bool = True) -> str:
        text = _SPACE.sub("", " ".join(texts)).replace(" - ", "-").rstrip(",")
        return f"{text[:1].upper() if capital else text[:1]}{text[1:]}."

    def _yes_no(self) -> Asked:
        tree = self.tree
        statement = self._statement([-1], Form.YES_NO, "", "").replace(f" {GAP}", "")
        root = tree.root
        return Asked(
            tree.analysis.text,
            Form.YES_NO,
            statement,
            relation=self._relation(root, []),
            terms=self._terms(self.words, -1),
            values=tuple((tree.analysis.phrase(one), one.label) for one in tree.analysis.entities or ()),
        )


def _kinds(noun: str) -> frozenset[str]:
    """The kinds of a noun and what they are kinds of."""
    if noun in PERSONS or noun in _RELATIVES:
        return frozenset(["person"])
    if noun in ("population", "amount", "price", "length", "height", "age", "area"):
        return frozenset(["number"])
    found = {kind.name for kind in kinds_of(noun)}
    roots = {kind.root for kind in kinds_of(noun)}
    return frozenset(found | roots | ({noun} & set(KINDS)))
