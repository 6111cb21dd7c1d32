"""The kind of answer that a question asks for, one or several, read from its dependency tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from tupelo.core import Analysis
from tupelo.graph.retrieve.roles import Role, asked_role
from tupelo.nlp.languages.en.grammar import FORMS_OF_BE, FORMS_OF_DO, FORMS_OF_HAVE, MODALS
from tupelo.nlp.syntax import DependencyTree

_SECOND = re.compile(r",? and (where|when)\??$", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow (?:many|few)\b", re.IGNORECASE)
# Dependents that begin the clause of which a question phrase is the predicate.
_CLAUSE = frozenset(["aux", "cop", "nsubj", "punct"])
_FIRST = frozenset([*FORMS_OF_BE, *FORMS_OF_DO, *FORMS_OF_HAVE, *MODALS])
# Parts of a sentence that an auxiliary and a subject follow, if they are asked for: *What did Ann found?*
_AFTER_THE_VERB = frozenset(["obj", "iobj", "obl", "xcomp", "advmod", "nmod"])
_ASKING = ("WP", "WP$", "WRB", "WDT")


class AnswerForm(StrEnum):
    """The form of an answer."""

    WHO = "who"
    WHAT = "what"
    WHERE = "where"
    WHEN = "when"
    COUNT = "how many"
    YES_NO = "yes or no"


_FORMS = {
    "who": AnswerForm.WHO,
    "whom": AnswerForm.WHO,
    "whose": AnswerForm.WHO,
    "where": AnswerForm.WHERE,
    "when": AnswerForm.WHEN,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was read: `several` if it may have more than one answer, as *Which companies* and *Who*.

    `phrase` are the characters `[start, end)` of the words that ask: *Which company* in *Which company did Ann
    found?* `inverted` if an auxiliary verb and a subject follow. `role` is what the answer does or is in the asked
    relation, if it is known. `is_now` if it asks in the present tense.
    """

    text: str
    form: AnswerForm
    several: bool = False
    phrase: tuple[int, int] = (0, 0)
    inverted: bool = False
    role: Role | None = None
    is_now: bool = False

    def as_list(self) -> str:
        """The question for the things that this one counts.

        >>> Asked("How many towns border Fort Lee?", AnswerForm.COUNT).as_list()
        'Which towns border Fort Lee?'
        """
        return _HOW_MANY.sub(lambda found: "Which" if found.start() == 0 else "which", self.text, count=1)

    def follow(self, word: str, answer: str) -> str:
        """A second question, where or when, about the first one with its answer.

        >>> Asked("Who founded Acme?", AnswerForm.WHO, phrase=(0, 3)).follow("where", "Ann Lee")
        'Where was it that Ann Lee founded Acme?'
        """
        rest = self.text[self.phrase[1] :].strip(" ?")
        told = f"{rest} {answer}" if self.inverted else f"was it that {answer} {rest}"
        return f"{word.capitalize()} {told}?"


def read_question(analysis: Analysis) -> Asked:
    """Read the analysis of one question."""
    return _Reader(DependencyTree(analysis)).read()


def split_question(text: str) -> tuple[str, str]:
    """A question, and what a second one adds to it.

    >>> split_question("Who founded Acme, and where?")
    ('Who founded Acme?', 'where')
    """
    found = _SECOND.search(text)
    return (f"{text[: found.start()]}?", found[1].lower()) if found else (text, "")


class _Reader:
    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        last = tree.size - (tree.size > 0 and tree.upos(tree.size - 1) == "PUNCT")
        self.words = range(last)

    def read(self) -> Asked:
        tree = self.tree
        text = tree.analysis.text
        asking = next((i for i in self.words if tree.tag(i) in _ASKING and self._asks(i)), None)
        if asking is None:
            return Asked(text, AnswerForm.YES_NO if tree.size and tree.lowered[0] in _FIRST else AnswerForm.WHAT)
        phrase, head = self._phrase(asking)
        named = head != asking and tree.upos(head) in ("NOUN", "PROPN")
        many = any(tree.lowered[i] in ("many", "few") for i in phrase)
        form = AnswerForm.COUNT if many else _FORMS.get(tree.lowered[asking], AnswerForm.WHAT)
        several = form is not AnswerForm.COUNT and (
            tree.is_plural(head)
            if named
            else form is AnswerForm.WHO or self._plural_predicate(head, self._anchor(head))
        )
        span = tree.analysis.span(phrase[0], phrase[-1] + 1)
        role = asked_role(tree, asking, head)
        verbs = [i for i in self.words if tree.upos(i) in ("AUX", "VERB")]
        is_now = bool(verbs) and tree.tag(verbs[0]) in ("VBZ", "VBP")
        return Asked(text, form, several, (span.start, span.end), tree.base[head] in _AFTER_THE_VERB, role, is_now)

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
            is_alone = tree.lowered[asking] in ("where", "when", "who", "whom")
            if is_alone or above is None or tree.upos(above) not in ("NOUN", "PROPN", "NUM", "ADJ"):
                break
            head = above
        if head == asking:
            return [asking], head
        words = [i for i in tree.subtree(head) if i >= asking]
        verb = next((i for i in words if i > head and tree.heads[i] == head and tree.base[i] in _CLAUSE), tree.size)
        run = [i for i in words if i < verb]
        end = next((at for at, i in enumerate(run) if i != asking + at), len(run))
        return run[:end] or [asking], head

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
