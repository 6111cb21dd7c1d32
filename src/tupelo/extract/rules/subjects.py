"""The subject of a predicate, wherever in the sentence that is.

A predicate without a subject of its own takes that of the verb that it is coordinated with (*conjunct*), of the verb
above an infinitive or its object (*control*, *object-control*), of the main clause of an adverbial one (*adverbial*,
*purpose*), or the noun that a relative or participial clause describes (*relative*, *participle*).
"""

from __future__ import annotations

from dataclasses import replace

from tupelo.extract.marks.operators import is_order
from tupelo.extract.marks.standing import standing
from tupelo.extract.rules import verbs
from tupelo.extract.rules.phrases import (
    ArgumentPhrase,
    atoms,
    clausal_phrase,
    conjuncts,
    is_indefinite,
    is_set_apart,
    noun_phrase,
)
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.syntax import SUBJECTS, VERBAL, DependencyTree

# The rule that finds a subject, and the subject: coordinated phrases one by one.
Found = tuple[str, tuple[ArgumentPhrase, ...]]

_NOBODY: Found = ("", ())
# Maximum number of clauses between a verb and its subject; real sentences have fewer.
_DEEPEST = 40


class SubjectFinder:
    """The subjects of one sentence, cached."""

    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        self._found: dict[int, Found] = {}
        self._depth = 0

    def of(self, index: int) -> Found:
        """The subject of a predicate; empty when it has none."""
        if index not in self._found:
            if self._depth >= _DEEPEST:
                return _NOBODY
            # Placeholder that ends the recursion when heads form a cycle.
            self._found[index] = _NOBODY
            self._depth += 1
            self._found[index] = self._own(index) or self._shared(index)
            self._depth -= 1
        return self._found[index]

    def form_of_be(self, index: int) -> str:
        """The form of *be* that agrees with the subject of a predicate."""
        tree, subjects = self.tree, self.of(index)[1]
        noun = subjects[0].head if subjects else tree.heads[index]
        form = verbs.form_of_be(tree, index if noun is None else noun, many=len(subjects) > 1)
        # A participle may say when something happened: *born in 1965*, *released on May 3*.
        dated = any(tree.entity[child] == "datetime" for child in tree.children(index, "obl"))
        return {"is": "was", "are": "were"}.get(form, form) if dated or tree.lowered[index] == "born" else form

    def antecedent(self, head: int, clause: int) -> tuple[ArgumentPhrase, ...]:
        """The noun that a clause describes; with all its conjuncts when the clause follows the last of them."""
        tree = self.tree
        if tree.upos(head) in VERBAL or tree.upos(head) in ("ADV", "SCONJ"):
            return ()
        # Not of *is about a singer who*.
        copula = tree.child(head, "cop") if tree.child(head, "case") is None else None
        apart = tree.labels[clause] == "acl" and (is_set_apart(tree, clause) or clause < (copula or 0))
        if copula is not None and (apart or is_indefinite(tree, head)):
            # "Ann is a singer who plays chess": it is Ann who plays. "Ann is not": nobody does.
            subjects = self.of(head)[1]
            if subjects:
                return subjects if standing(tree, head).is_claim else ()
        above = tree.heads[head]
        if tree.labels[head] == "appos" and above is not None and tree.upos(above) == "PROPN":
            head = above if is_indefinite(tree, head) else head
        # Nothing after the clause belongs to what it describes.
        after = (child for child in tree.below[head] if child > clause and tree.base[child] != "conj")
        leave = frozenset([clause, *after])
        heads = conjuncts(tree, head)
        if len(heads) > 1 and tree.verb_is_plural(clause) is False:
            # "Ann and Bob, who lives in Oslo": only one of them does.
            head = max((one for one in heads if one < clause), default=head)
        follows_all = clause > max(heads)
        phrases = atoms(tree, head, leave) if follows_all else [noun_phrase(tree, head, leave, joined=False)]
        return tuple(replace(phrase, preposition=()) for phrase in phrases)

    def _own(self, index: int) -> Found | None:
        tree, head = self.tree, self.tree.heads[index]
        for child in tree.children(index, *SUBJECTS):
            # "To conclude, it is fair to say so": the first clause is not the subject.
            is_frame = tree.base[child] == "csubj" and child < index < max(tree.children(index, "csubj"))
            if is_frame or child == verbs.outer_subject(tree, index):
                continue
            if tree.labels[index] == "acl:relcl" and head is not None and verbs.is_relative(tree, child):
                # "All who live there" does not say that they do: the clause says which are meant.
                return "relative", () if tree.lowered[head] in grammar.OPEN_PRONOUNS else self.antecedent(head, index)
            if tree.base[index] == "csubj" or tree.base[child] == "csubj":
                return "clause", (clausal_phrase(tree, child),)
            rule = "copula" if verbs.is_nonverbal(tree, index) else "clause"
            whose = next((word for word in tree.children(child, "nmod:poss") if tree.lowered[word] == "whose"), None)
            if whose is not None and head is not None and tree.labels[index] == "acl:relcl":
                # *Ann 's brother* for the subject of *Ann, whose brother left*.
                owners, owned = self.antecedent(head, index), atoms(tree, child, frozenset([whose]))
                return rule, tuple(replace(phrase, owner=owner.tokens) for owner in owners for phrase in owned)
            whole = _is_collective(tree, child, index)
            return rule, (noun_phrase(tree, child),) if whole else tuple(atoms(tree, child))
        return None

    def _shared(self, index: int) -> Found:
        tree, head, base = self.tree, self.tree.heads[index], self.tree.base[index]
        if head is None:
            return _NOBODY
        if base == "xcomp":
            return self._controller(head)
        if base == "acl":
            return self._described(index, head)
        if not verbs.is_predicate(tree, head):
            return _NOBODY
        rule, subjects = self.of(head)
        is_other = base == "conj" and rule in ("clause", "copula") and is_order(tree, index)
        if is_other or (base == "conj" and tree.child(index, "expl") is not None):
            # "Ann left, and it was clear why", "It is broken, so call Bob": the second clause is not about Ann.
            return _NOBODY
        if base == "conj" and subjects:
            return "conjunct" if rule in ("clause", "copula", "control", "conjunct") else rule, subjects
        if base == "advcl":
            return self._adverbial(index, head, subjects)
        if base == "parataxis" and tree.tag(index) in ("VBG", "VBN"):
            return "adverbial", subjects
        return _NOBODY

    def _controller(self, head: int) -> Found:
        tree, target = self.tree, self.tree.child(head, "obj", "iobj")
        if target is not None and tree.lemmas[head] not in grammar.SUBJECT_CONTROL:
            return "object-control", tuple(atoms(tree, target))
        rule, subjects = self.of(head)
        return "control" if rule == "clause" else rule, subjects

    def _described(self, index: int, head: int) -> Found:
        tree = self.tree
        if tree.child(index, "mark") is not None:
            return _NOBODY
        if tree.labels[index] == "acl:relcl":
            return "relative", self.antecedent(head, index)
        verbal = tree.upos(index) == "VERB" or tree.tag(index) in ("VBN", "VBG", "VBD")
        return ("participle", self.antecedent(head, index)) if verbal else _NOBODY

    def _adverbial(self, index: int, head: int, subjects: tuple[ArgumentPhrase, ...]) -> Found:
        tree = self.tree
        openings = [tree.lowered[child] for child in tree.children(index, "mark")]
        target = tree.child(head, "obj")
        if "as" in openings:
            # "As expected, Ann left": somebody else expects.
            return _NOBODY
        if "from" in openings and target is not None and tree.lemmas[head] in grammar.PREVENTING_VERBS:
            # "The wall kept Bob from leaving": it is Bob who did not leave.
            return "object-control", tuple(atoms(tree, target))
        if verbs.is_governed(tree, index):
            return self._controller(head)
        if verbs.is_infinitive(tree, index):
            return ("purpose", subjects) if self._says_what_for(index, head) else _NOBODY
        return ("adverbial", subjects) if self._is_free_adjunct(index, head) else _NOBODY

    def _says_what_for(self, index: int, head: int) -> bool:
        """*went home to write*, but not *old enough to vote*, *went home only to find*, *to have written*."""
        tree = self.tree
        degrees = (below for child in tree.below[head] for below in (child, *tree.below[child]) if below < index)
        return not (
            tree.has_word(tree.children(index, "mark"), ("for",))
            or tree.upos(head) == "ADJ"
            or tree.tag(index) == "VBG"
            or any(tree.lemmas[child] == "have" for child in tree.children(index, "aux"))
            or tree.has_word(tree.children(index, "advmod"), ("only",))
            or tree.has_word(degrees, ("enough", "too"))
        )

    def _is_free_adjunct(self, index: int, head: int) -> bool:
        """*Singing a song, Ann left* says that Ann sang; *Ann may win by singing* does not."""
        tree = self.tree
        unreal = tree.has_word(tree.children(index, "mark"), grammar.UNREAL_PREPOSITIONS)
        open_ = tree.has_word(tree.children(index, "advmod", "mark"), ("when", "whenever", "if"))
        # "The road was widened using gravel": the road does not use it.
        by_nobody = tree.lowered[index] == "using" and tree.child(head, "aux:pass") is not None
        if unreal or open_ or by_nobody or tree.lowered[index] in grammar.CLAUSE_LIKE_PREPOSITIONS:
            return False
        asserted = not verbs.is_infinitive(tree, head) and "MD" not in map(tree.tag, tree.children(head, "aux"))
        # "Built in 1990, the bridge may fall" and "Growing on sand, it can do with little water" tell both.
        fronted = index < head and tree.child(index, "mark") is None
        return asserted or fronted or is_set_apart(tree, index)


def _is_collective(tree: DependencyTree, subject: int, predicate: int) -> bool:
    """Whether coordinated subjects act as one: *worked together*, *both share*; *Procter and Gamble owns*."""
    joint = {tree.lowered[cc] for one in tree.children(subject, "conj") for cc in tree.children(one, "cc", "advmod")}
    if tree.upos(subject) == "PROPN" and joint <= {"and", "&"} and tree.verb_is_plural(predicate) is False:
        return True
    nominal = verbs.is_nonverbal(tree, predicate) and tree.upos(predicate) in ("NOUN", "PROPN", "NUM")
    if nominal or tree.lemmas[predicate] in grammar.COLLECTIVE_VERBS:
        return True
    return any(
        tree.lowered[below] in grammar.COLLECTIVE_WORDS
        for child in tree.children(predicate, "advmod", "obj", "iobj", "obl", "det")
        for below in (child, *tree.below[child])
        if below < predicate or tree.base[below] != "det"
    )
