"""What a question asks for: read from its dependency tree, and turned into a statement with a gap.

*Who did Ann marry in Oslo?* asks for a person, and its statement is *Ann did marry … in Oslo*. Whatever fills the gap
has the kind that the question word or its noun demands (`kinds`), and the statement can be compared with sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tupelo.core import Analysis
from tupelo.nlp.kinds import KINDS, kinds_of, singular
from tupelo.nlp.languages.en.stop_words import STOP_WORDS
from tupelo.nlp.languages.en.verbs import FORMS_OF_BE, FORMS_OF_DO, FORMS_OF_HAVE
from tupelo.nlp.syntax import DependencyTree

GAP = "…"
_SPACE = re.compile(r" (?=[,.;:?!'’)])|(?<=\() ")
_CONTENT = frozenset(["NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV"])
_TIMES = frozenset(["year", "date", "day", "month", "century", "decade", "time", "season"])
_PLACES = frozenset(["place", "location", "area", "region", "part", "site"])
_PERSONS = frozenset(["person", "people", "man", "woman", "men", "women", "boy", "girl", "child"])
# Nouns that say nothing about the kind of an answer: *What kind of boat*, *Which things*.
_EMPTY = frozenset(["thing", "kind", "type", "sort", "name", "one", "number"])
# What begins the clause that a question phrase is the predicate of.
_CLAUSE = frozenset(["aux", "cop", "nsubj", "punct"])
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
    question expects more than one.
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

    def filled(self, answer: str) -> str:
        """The statement with an answer in its gap."""
        return self.statement.replace(GAP, answer)


def read_question(analysis: Analysis) -> Asked:
    """Read the analysis of one question."""
    return _Reader(DependencyTree(analysis)).read()


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
                tree.lemmas[i]
                for i in sorted(words)
                if i != asking
                and tree.lemmas[i] not in ("many", "much")
                and tree.upos(i) in _CONTENT
                and tree.lemmas[i] not in STOP_WORDS
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

    def _joined(self, texts: list[str]) -> str:
        text = _SPACE.sub("", " ".join(texts)).replace(" - ", "-").rstrip(",")
        return f"{text[:1].upper()}{text[1:]}."

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
        )


def _kinds(noun: str) -> frozenset[str]:
    """The kinds of a noun and what they are kinds of."""
    if noun in _PERSONS:
        return frozenset(["person"])
    if noun in ("population", "amount", "price", "length", "height", "age", "area"):
        return frozenset(["number"])
    found = {kind.name for kind in kinds_of(noun)}
    roots = {kind.root for kind in kinds_of(noun)}
    return frozenset(found | roots | ({noun} & set(KINDS)))
