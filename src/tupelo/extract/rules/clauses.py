"""Clauses: a predicate with its subject, wherever in the sentence that is, and its complements.

The subject of a predicate without one is found where English puts it: with
the verb that it is coordinated with (*conjunct*), with the verb above an
infinitive (*control*), in the noun that a relative or participial clause
describes (*relative*, *participle*), or with the main clause of an adverbial
one (*adverbial*).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tupelo.extract.roles import role_of
from tupelo.extract.rules.phrases import Phrase, atoms, conjuncts, is_fronted, noun_phrase
from tupelo.extract.tree import Tree
from tupelo.extract.words import (
    NEGATIONS,
    PLACE_PREPOSITIONS,
    PREVENTING_VERBS,
    RELATIVE_PRONOUNS,
    SPEECH_VERBS,
    SUBJECT_CONTROL,
    TIME_ADVERBS,
)

Pieces = tuple[int | str, ...]

_VERBAL = frozenset(["VERB", "AUX"])
_SUBJECTS = ("nsubj", "csubj")
_QUESTION_ADVERBS = frozenset(
    ["when", "where", "why", "how", "however", "therefore", "thus", "also", "too", "instead"]
)
_CLAUSE_MARKS = frozenset(["that"])
_LONGEST_CHAIN = 4
# Clauses between a verb and its subject; more are no sentence that anybody wrote.
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Complement:
    """What follows the verb: all phrases of one coordination, with the label of their link."""

    label: str
    phrases: tuple[Phrase, ...]
    role: str | None
    position: int

    @property
    def is_object(self) -> bool:
        return not self.phrases[0].preposition


@dataclass(frozen=True, slots=True)
class Clause:
    """One predicate, ready to be made into tuples. `verb` is the relation before any preposition is added."""

    rule: str
    predicate: int
    subjects: tuple[Phrase, ...]
    verb: Pieces
    complements: tuple[Complement, ...]
    features: dict[str, float] = field(default_factory=dict)


def is_predicate(tree: Tree, index: int) -> bool:
    """A verb that is not a mere modifier, or a word with a copula."""
    if tree.base[index] in ("aux", "cop", "amod", "case", "mark", "compound", "fixed", "flat", "det", "cc", "advmod"):
        return False
    return tree.upos(index) in _VERBAL or tree.child(index, "cop") is not None


class ClauseFinder:
    """The clauses of one sentence."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._subjects: dict[int, tuple[str, tuple[Phrase, ...]]] = {}
        self._depth = 0

    def clauses(self) -> list[Clause]:
        found: list[Clause] = []
        for index in range(self.tree.size):
            if is_predicate(self.tree, index):
                for clause in (self._outer_clause(index), self._existential(index) or self._clause(index)):
                    if clause is not None:
                        found.append(clause)
        return found

    def _clause(self, index: int) -> Clause | None:
        tree = self.tree
        merged = self._merges_into_head(index)
        rule, subjects = self.subjects(index)
        if not subjects:
            return None
        verb = self.verb_group(index)
        chain = [index]
        if merged:
            # "refused to grant": told once, with the infinitive; the complements of both verbs count.
            head = tree.heads[index]
            while head is not None and len(chain) < _LONGEST_CHAIN:
                chain.append(head)
                verb = (*self.verb_group(head), *verb)
                if tree.child(head, "cop") is not None:
                    verb = (*self._predicate_complement(head).phrases[0].tokens, *verb)
                if not self._merges_into_head(head):
                    break
                head = tree.heads[head]
            rule = "control" if rule == "clause" else rule
        if any(self._merges_into_head(child) for child in tree.children(index, "xcomp")):
            # The tuple of the infinitive says it all.
            return None
        complements = self._complements(index, chain)
        if complements and complements[0].label == "predicate" and self._leads_on(index, complements):
            # "is subject to", "was involved in": the adjective is part of the relation.
            verb = (*verb, *complements[0].phrases[0].tokens)
            complements = complements[1:]
        numbers = sorted(token for token in verb if isinstance(token, int))
        pieces: Pieces = (*(token for token in verb if isinstance(token, str)), *dict.fromkeys(numbers))
        return Clause(rule, index, subjects, pieces, tuple(complements))

    def _existential(self, index: int) -> Clause | None:
        """*There are wolves in Norway*: what there is, and where."""
        tree = self.tree
        expletive, own = tree.child(index, "expl"), tree.child(index, "nsubj")
        if expletive is None or own is None or tree.lower(expletive) != "there":
            return None
        verb = tuple(token for token in self.verb_group(index) if token != expletive)
        where = [child for child in tree.children(own, "nmod") if self._says_where(child)]
        places = [child for child in tree.children(index, "obl") if tree.child(child, "case") is not None]
        if where or places:
            subjects = tuple(atoms(tree, own, frozenset(where)))
            complements = tuple(
                Complement("obl", tuple(atoms(tree, child)), role_of(tree.analysis, tree.subtree(child), tree), child)
                for child in (*where, *places)
            )
            return Clause("existential", index, subjects, verb, complements)
        subject = (Phrase(expletive, (), (expletive,)),)
        return Clause("existential", index, subject, verb, (Complement("obj", tuple(atoms(tree, own)), None, own),))

    def _says_where(self, noun: int) -> bool:
        openings = [self.tree.lower(child) for child in self.tree.children(noun, "case")]
        return len(openings) == 1 and openings[0] in PLACE_PREPOSITIONS

    def _outer_clause(self, index: int) -> Clause | None:
        """*The idea is that all is well*: a whole clause as the predicate."""
        tree = self.tree
        subject = tree.child(index, "nsubj:outer")
        copula = self._outer_copula(index)
        if subject is None or copula is None:
            return None
        leave = {subject, copula, *(child for child in tree.below[index] if child < copula)}
        marks = tuple(child for child in tree.children(index, "mark") if tree.lower(child) in _CLAUSE_MARKS)
        tokens = tree.trim(tree.subtree(index, leave | set(marks)))
        if not tokens:
            return None
        complement = Complement("ccomp", (Phrase(index, marks, tuple(tokens)),), None, index)
        return Clause("copula", index, tuple(atoms(tree, subject)), (copula,), (complement,))

    def _outer_copula(self, index: int) -> int | None:
        tree = self.tree
        if tree.child(index, "nsubj:outer") is None:
            return None
        return tree.child(index, "cop")

    def _leads_on(self, index: int, complements: list[Complement]) -> bool:
        """An adjective whose preposition follows it at once."""
        if self.tree.upos(index) not in ("ADJ", "VERB", "ADV") or len(complements[0].phrases) != 1:
            return False
        end = complements[0].phrases[0].tokens[-1]
        return (
            len(complements) > 1 and complements[1].label == "obl" and min(complements[1].phrases[0].whole) == end + 1
        )

    # ---- subjects

    def subjects(self, index: int) -> tuple[str, tuple[Phrase, ...]]:
        """The rule that finds the subject, and the subject: coordinated phrases one by one."""
        if index not in self._subjects:
            if self._depth >= _DEEPEST:
                return "", ()
            # A circle of heads finds this and ends.
            self._subjects[index] = ("", ())
            self._depth += 1
            self._subjects[index] = self._find_subjects(index)
            self._depth -= 1
        return self._subjects[index]

    def _find_subjects(self, index: int) -> tuple[str, tuple[Phrase, ...]]:
        tree = self.tree
        label, head = tree.labels[index], tree.heads[index]
        base = tree.base[index]
        own = next(
            (child for child in tree.children(index, *_SUBJECTS) if not tree.labels[child].endswith(":outer")), None
        )
        if own is not None:
            if label == "acl:relcl" and head is not None and self._is_relative(own):
                return "relative", self._antecedent(head, index)
            if base == "csubj" or tree.base[own] == "csubj":
                return "clause", (self._clausal_phrase(own),)
            return "copula" if self._is_nonverbal(index) else "clause", tuple(atoms(tree, own))
        if head is None:
            return "", ()
        if base == "conj":
            rule, subjects = self.subjects(head)
            if is_predicate(tree, head) and subjects:
                return ("conjunct" if rule in ("clause", "copula", "control", "conjunct") else rule), subjects
            return "", ()
        if base == "xcomp":
            return self._controller(index, head)
        if label == "acl:relcl":
            return ("relative", self._antecedent(head, index)) if tree.child(index, "mark") is None else ("", ())
        if base == "acl":
            if tree.tag(index) in ("VBN", "VBG", "VBD") or tree.upos(index) == "VERB":
                infinitive = any(tree.lower(child) == "to" for child in tree.children(index, "mark"))
                if tree.child(index, "mark") is not None and not infinitive:
                    return "", ()
                return ("infinitive" if infinitive else "participle"), self._antecedent(head, index)
            return "", ()
        if base == "advcl" and is_predicate(tree, head):
            _, subjects = self.subjects(head)
            marks = [tree.lower(child) for child in tree.children(index, "mark")]
            target = tree.child(head, "obj")
            if "from" in marks and target is not None and tree.lemmas[head] in PREVENTING_VERBS:
                return "object-control", tuple(atoms(tree, target))
            return ("purpose" if "to" in marks else "adverbial"), subjects
        if base == "parataxis" and is_predicate(tree, head) and tree.tag(index) in ("VBG", "VBN"):
            return "adverbial", self.subjects(head)[1]
        return "", ()

    def _controller(self, index: int, head: int) -> tuple[str, tuple[Phrase, ...]]:
        tree = self.tree
        target = tree.child(head, "obj", "iobj")
        if target is not None and tree.lemmas[head] not in SUBJECT_CONTROL:
            return "object-control", tuple(atoms(tree, target))
        rule, subjects = self.subjects(head)
        return ("control" if rule == "clause" else rule), subjects

    def _is_relative(self, index: int) -> bool:
        tree = self.tree
        return tree.lower(index) in RELATIVE_PRONOUNS and tree.upos(index) in ("PRON", "DET", "SCONJ", "ADV")

    def _antecedent(self, head: int, clause: int) -> tuple[Phrase, ...]:
        """The noun that a clause describes; with all its conjuncts when the clause follows the last of them."""
        tree = self.tree
        if tree.upos(head) in ("VERB", "AUX", "ADV", "SCONJ"):
            return ()
        if tree.child(head, "cop") is not None and self._is_indefinite(head):
            # "Celeski is a footballer who plays for them": it is Celeski who plays.
            subjects = self.subjects(head)[1]
            if subjects:
                return subjects
        above = tree.heads[head]
        if tree.labels[head] == "appos" and above is not None and self._is_indefinite(head):
            head = above
        if clause > max(conjuncts(tree, head)):
            # The clause follows the last of several nouns and describes them all.
            return tuple(Phrase(one.head, (), one.tokens) for one in atoms(tree, head, frozenset([clause])))
        phrase = noun_phrase(tree, head, frozenset([clause]), joined=False)
        return (Phrase(phrase.head, (), phrase.tokens),)

    def _is_indefinite(self, head: int) -> bool:
        return any(self.tree.lower(child) in ("a", "an") for child in self.tree.children(head, "det"))

    # ---- relation

    def _merges_into_head(self, index: int) -> bool:
        """An infinitive that is told together with the verb above it, which has no object of its own."""
        tree = self.tree
        head = tree.heads[index]
        if tree.base[index] != "xcomp" or head is None or not is_predicate(tree, head):
            return False
        if not (tree.upos(index) in _VERBAL or tree.child(index, "cop") is not None):
            return False
        return tree.child(head, "obj", "iobj") is None or tree.lemmas[head] in SUBJECT_CONTROL

    def verb_group(self, index: int) -> Pieces:
        """Auxiliaries, negation, adverbs between them, verb and particle; the copula for other predicates."""
        tree = self.tree
        outer = self._outer_copula(index)
        words = [child for child in tree.children(index, "aux", "cop", "compound:prt") if child != outer]
        implied: list[str] = []
        nonverbal = self._is_nonverbal(index)
        if not nonverbal:
            words.append(index)
        infinitive = [child for child in tree.children(index, "mark") if tree.lower(child) == "to"]
        words.extend(infinitive)
        if not nonverbal and tree.child(index, "aux") is None:
            shared, implied = self._missing_auxiliary(index)
            words.extend(shared)
        words.sort()
        edges = (words[0], words[-1])
        for child in tree.children(index, "advmod"):
            word = tree.lower(child)
            if word in NEGATIONS and tree.child(child, "conj") is None:
                words.append(child)
            elif word in _QUESTION_ADVERBS and tree.base[child] == "advmod" and word not in ("also",):
                continue
            elif (not nonverbal or child < index) and self._is_beside(child, edges):
                words.extend(tree.subtree(child))
        if nonverbal:
            words.extend(token for child in self._copula_adverbs(index) for token in tree.subtree(child))
        return (*implied, *sorted(set(words)))

    def _is_beside(self, adverb: int, edges: tuple[int, int]) -> bool:
        """Between the words of the verb, or right before them."""
        before = adverb == edges[0] - 1 and adverb != 0 and self.tree.lower(adverb) not in TIME_ADVERBS
        return edges[0] < adverb < edges[1] or before

    def _is_nonverbal(self, index: int) -> bool:
        """Whether a copula makes the word a predicate; one that belongs to an outer clause does not."""
        outer = self._outer_copula(index)
        return any(child != outer for child in self.tree.children(index, "cop"))

    def _missing_auxiliary(self, index: int) -> tuple[list[int], list[str]]:
        """What a participle or bare form leaves unsaid: a shared auxiliary, or a form of *be*."""
        tree = self.tree
        head, tag = tree.heads[index], tree.tag(index)
        if head is None:
            return [], []
        if tree.base[index] == "conj" and tree.child(index, *_SUBJECTS) is None:
            if tree.tag(head) == tag and tag in ("VB", "VBN", "VBG"):
                auxiliaries = tree.children(head, "aux")
                if tag == "VB":
                    auxiliaries += [child for child in tree.children(head, "mark") if tree.lower(child) == "to"]
                if auxiliaries:
                    return auxiliaries, []
                return [], self._missing_auxiliary(head)[1] if tree.base[head] != "conj" else []
            return [], []
        participle = tag == "VBN" and tree.labels[index] in ("acl", "advcl", "parataxis")
        if participle and tree.child(index, "nsubj") is None:
            return [], [self._form_of_be(index, head)]
        return [], []

    def _form_of_be(self, index: int, head: int) -> str:
        tree = self.tree
        _, subjects = self.subjects(index)
        noun = subjects[0].head if subjects else head
        return form_of_be(tree, noun, many=len(subjects) > 1)

    # ---- complements

    def _complements(self, index: int, chain: list[int]) -> list[Complement]:
        tree = self.tree
        found: list[Complement] = []
        nonverbal = self._is_nonverbal(index)
        taken = set(self.verb_group(index))
        if nonverbal:
            found.append(self._predicate_complement(index))
        for predicate in chain:
            for child in tree.below[predicate]:
                if (
                    child in chain
                    or child in taken
                    or (nonverbal and predicate == index and self._in_phrase(index, child))
                ):
                    continue
                complement = self._complement(predicate, child)
                if complement is not None:
                    found.append(complement)
        found.extend(self._relative_object(index))
        first = min(chain)
        found.sort(key=lambda part: (_rank(part, nonverbal), part.position < first, part.position))
        return found

    def _in_phrase(self, index: int, child: int) -> bool:
        """What the phrase of a predicate noun or adjective already contains."""
        tree = self.tree
        if tree.upos(index) in ("ADJ", "ADV", "VERB"):
            return tree.base[child] not in ("obl", "xcomp", "ccomp", "advcl", "obj")
        return tree.base[child] not in ("obl", "advcl") and not is_fronted(tree, index, child)

    def _predicate_complement(self, index: int) -> Complement:
        tree = self.tree
        leave = (
            frozenset(
                child for child in tree.below[index] if tree.base[child] in ("obl", "xcomp", "ccomp", "advcl", "obj")
            )
            if tree.upos(index) in ("ADJ", "ADV")
            else frozenset(tree.children(index, "obl"))
        )
        # Coordinated clauses make tuples of their own; adverbs before the phrase are in the relation.
        others = frozenset(
            child
            for child in tree.below[index]
            if tree.lower(child) in NEGATIONS
            or (tree.base[child] == "conj" and self._is_clause(child))
            or child in self._copula_adverbs(index)
        )
        return Complement("predicate", tuple(atoms(tree, index, leave | others)), None, index)

    def _is_clause(self, index: int) -> bool:
        tree = self.tree
        return tree.upos(index) in _VERBAL or tree.child(index, "nsubj", "cop", "expl") is not None

    def _copula_adverbs(self, index: int) -> list[int]:
        """Adverbs between the copula and a predicate noun: *also* in *is also the deputy*."""
        tree = self.tree
        copula = tree.child(index, "cop")
        if copula is None:
            return []
        return [
            child
            for child in tree.children(index, "advmod")
            if copula < child and is_fronted(tree, index, child) and tree.lower(child) not in NEGATIONS
        ]

    def _complement(self, predicate: int, child: int) -> Complement | None:
        tree = self.tree
        label = tree.labels[child]
        base = tree.base[child]
        fronted = base == "nmod" and is_fronted(tree, predicate, child)
        if base in ("obj", "iobj", "obl") or fronted:
            if self._is_relative(child) and tree.labels[predicate] == "acl:relcl":
                return self._relative_complement(predicate, child)
            if label in ("obl:unmarked", "obl:tmod", "obl:npmod") and tree.child(child, "case") is None:
                phrases: tuple[Phrase, ...] = (noun_phrase(tree, child),)
            else:
                phrases = tuple(atoms(tree, child))
            role = role_of(tree.analysis, phrases[0].whole, tree)
            return Complement(label, phrases, role, child)
        if base == "xcomp":
            if tree.upos(child) in ("NOUN", "PROPN", "ADJ", "PRON", "NUM") and tree.child(child, "cop") is None:
                leave = frozenset(tree.children(child, "mark"))
                phrases = tuple(atoms(tree, child, leave))
                marks = tuple(sorted(leave))
                phrases = tuple(Phrase(one.head, one.preposition or marks, one.tokens) for one in phrases)
                return Complement("xcomp", phrases, None, child)
            return Complement("xcomp", (self._clausal_phrase(child),), None, child)
        if base == "ccomp":
            return Complement("ccomp", (self._clausal_phrase(child),), None, child)
        if base == "advcl":
            phrase = self._clausal_phrase(child)
            return Complement(label, (phrase,), role_of(tree.analysis, phrase.whole, tree), child)
        if base == "advmod" and tree.upos(child) in ("ADV", "ADJ") and tree.lower(child) not in _QUESTION_ADVERBS:
            if tree.lower(child) in NEGATIONS or tree.lower(child) in RELATIVE_PRONOUNS:
                return None
            tokens = tuple(tree.trim(tree.subtree(child)))
            if not tokens:
                return None
            return Complement("advmod", (Phrase(child, (), tokens),), role_of(tree.analysis, tokens, tree), child)
        return None

    def _clausal_phrase(self, child: int) -> Phrase:
        """A whole clause as an argument, without the comma or quotes around it."""
        tree = self.tree
        marks = tuple(index for index in tree.children(child, "mark") if tree.lower(index) in _CLAUSE_MARKS)
        leave = set(marks)
        leave.update(index for index in tree.children(child, "parataxis") if tree.lemmas[index] in SPEECH_VERBS)
        tokens = tree.trim(tree.subtree(child, leave)) or [child]
        return Phrase(child, marks, tuple(tokens))

    def _relative_complement(self, predicate: int, child: int) -> Complement | None:
        """The antecedent in the place of a relative pronoun: *the prize which she won*, *the house in which*."""
        tree = self.tree
        head = tree.heads[predicate]
        if head is None or tree.lower(child) in ("where", "when", "why", "how", "whose"):
            return None
        antecedent = self._antecedent(head, predicate)
        preposition = tuple(tree.children(child, "case"))
        phrases = tuple(Phrase(one.head, preposition, one.tokens) for one in antecedent)
        return Complement("relative", phrases, None, child) if phrases else None

    def _relative_object(self, index: int) -> list[Complement]:
        """The antecedent of a relative clause without a pronoun: *the prize she won*."""
        tree = self.tree
        head = tree.heads[index]
        if tree.labels[index] != "acl:relcl" or head is None:
            return []
        subject = tree.child(index, *_SUBJECTS)
        if (
            subject is None
            or self._is_relative(subject)
            or tree.child(index, "obj", "cop", "ccomp", "xcomp") is not None
        ):
            return []
        below = [child for child in tree.below[index] if self._is_relative(child)]
        if below or any(
            self._is_relative(inner) for child in tree.children(index, "obl") for inner in tree.below[child]
        ):
            return []
        antecedent = self._antecedent(head, index)
        return [Complement("relative", antecedent, None, head)] if antecedent else []


def _rank(part: Complement, nonverbal: bool) -> int:
    """Objects first, then what follows with a preposition, then time, clauses and whatever came before the verb."""
    if part.label == "predicate":
        return 0
    if part.label in ("obj", "relative") or (part.label == "xcomp" and nonverbal is False):
        return 1
    if part.label == "iobj":
        return 0
    if part.label in ("ccomp",):
        return 2
    if part.label in ("advcl", "advcl:relcl"):
        return 5
    return 3 if part.role != "time" else 4


def form_of_be(tree: Tree, noun: int, *, many: bool = False) -> str:
    """*is*, *are*, *was* or *were*: number from the noun, tense from the main verb of the sentence."""
    plural = many or tree.words[noun].feature("Number") == "Plur" or tree.tag(noun) in ("NNS", "NNPS")
    past = False
    for index in tree.path(noun):
        if tree.upos(index) in _VERBAL or tree.child(index, "cop", "aux") is not None:
            carriers = (index, *tree.children(index, "aux", "cop"))
            past = any(tree.tag(carrier) == "VBD" for carrier in carriers)
            break
    return ("were" if plural else "was") if past else ("are" if plural else "is")
