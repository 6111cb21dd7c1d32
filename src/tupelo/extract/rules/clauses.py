"""Clauses: a predicate with its subject and its complements, ready to be made into tuples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tupelo.extract.marks.operators import is_contrast, is_replaced
from tupelo.extract.parts import role_of
from tupelo.extract.rules import verbs
from tupelo.extract.rules.phrases import ArgumentPhrase, atoms, clausal_phrase, is_fronted, noun_phrase, opening_marks
from tupelo.extract.rules.subjects import SubjectFinder
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.syntax import SUBJECTS, VERBAL, DependencyTree

_NOMINAL = frozenset(["NOUN", "PROPN", "ADJ", "PRON", "NUM"])
_BARE_TIMES = frozenset(["obl:unmarked", "obl:tmod", "obl:npmod"])
# Adverbs that belong to the clause or to the verb.
_OF_CLAUSES = grammar.CLAUSE_ADVERBS | grammar.NEGATIONS | grammar.RELATIVE_PRONOUNS
_OUTSIDE_ADJECTIVE = frozenset(["obl", "xcomp", "ccomp", "advcl", "obj"])


@dataclass(frozen=True, slots=True)
class Complement:
    """All phrases of one coordination, with the label of their link."""

    label: str
    phrases: tuple[ArgumentPhrase, ...]
    role: str | None
    position: int


def complements_of(subjects: SubjectFinder, chain: list[int], verb: verbs.Pieces) -> list[Complement]:
    """The complements of a predicate and of the verbs in the same relation, in reading order.

    `chain` begins with the predicate; `verb` holds the words already in the relation.
    """
    tree, index = subjects.tree, chain[0]
    nonverbal = verbs.is_nonverbal(tree, index)
    found = [predicate_complement(tree, index)] if nonverbal else []
    for predicate in chain:
        for child in tree.below[predicate]:
            if (
                child in chain
                or child in verb
                or (predicate != index and verbs.merges_into_head(tree, child))
                or (nonverbal and predicate == index and _in_phrase(tree, index, child))
            ):
                continue
            found += _complement(subjects, predicate, child)
    found.extend(_shared_complements(subjects, index, found))
    found.extend(_shared_condition(subjects, index, found))
    found.extend(_relative_object(subjects, index))
    first = min(chain)
    found.sort(key=lambda part: (_rank(part, nonverbal), part.position < first, part.position))
    return found


def _shared_complements(subjects: SubjectFinder, index: int, own: list[Complement]) -> list[Complement]:
    """Complements that coordinated verbs share: *founded and leads Acme*."""
    tree, first = subjects.tree, subjects.tree.heads[index]
    if first is None or tree.base[index] != "conj" or own or tree.child(index, *SUBJECTS, "expl") is not None:
        return []
    if tree.upos(index) != "VERB" or tree.upos(first) != "VERB":
        return []
    last = tree.subtree(index)[-1]
    following = [child for child in tree.children(first, "obj", "obl", "xcomp") if child > last]
    return [complement for child in following for complement in _complement(subjects, first, child)]


def _shared_condition(subjects: SubjectFinder, index: int, own: list[Complement]) -> list[Complement]:
    """The clause before two timeless verbs that says when both hold: *When a key is missing, it stops and warns*."""
    tree, first = subjects.tree, subjects.tree.heads[index]
    if first is None or tree.base[index] != "conj" or any(part.label.startswith("advcl") for part in own):
        return []
    present = {"VBZ", "VBP"}
    conditions = [
        child
        for child in tree.children(first, "advcl")
        if child < first
        and tree.has_word(tree.children(child, "mark", "advmod"), ("when", "whenever"))
        and all(
            present.intersection(map(tree.tag, (verb, *tree.children(verb, "aux", "cop"))))
            for verb in (child, first, index)
        )
    ]
    return [complement for child in conditions for complement in _complement(subjects, first, child)]


def _rank(part: Complement, nonverbal: bool) -> int:
    """Objects first, then what was said, what follows with a preposition, times, and whole clauses."""
    if part.label in ("predicate", "iobj"):
        return 0
    if part.label in ("obj", "relative") or (part.label == "xcomp" and not nonverbal):
        return 1
    if part.label == "ccomp":
        return 2
    if part.label.startswith("advcl"):
        return 5
    return 4 if part.role == "time" else 3


def predicate_complement(tree: DependencyTree, index: int) -> Complement:
    """The predicate noun or adjective after a copula."""
    adjective = tree.upos(index) in ("ADJ", "ADV")
    adverbs = verbs.copula_adverbs(tree, index)
    # Coordinated clauses form their own tuples; adverbs before the phrase are in the relation.
    leave = frozenset(
        child
        for child in tree.below[index]
        if tree.lowered[child] in grammar.NEGATIONS
        or (tree.base[child] == "obl" and not _is_measure(tree, index, child))
        or (adjective and tree.base[child] in _OUTSIDE_ADJECTIVE - {"obl"})
        or (tree.base[child] == "conj" and _is_clause(tree, child))
        or child in adverbs
    )
    return Complement("predicate", tuple(atoms(tree, index, leave)), None, index)


def _is_measure(tree: DependencyTree, adjective: int, child: int) -> bool:
    """*nine years* in *is nine years old*."""
    return tree.labels[child] in _BARE_TIMES and tree.subtree(child)[-1] == adjective - 1


def _is_clause(tree: DependencyTree, index: int) -> bool:
    return tree.upos(index) in VERBAL or tree.child(index, "nsubj", "cop", "expl") is not None


def _in_phrase(tree: DependencyTree, index: int, child: int) -> bool:
    """Whether the phrase of a predicate noun or adjective already contains a dependent."""
    if tree.upos(index) in ("ADJ", "ADV", "VERB"):
        return tree.base[child] not in _OUTSIDE_ADJECTIVE or _is_measure(tree, index, child)
    return tree.base[child] not in ("obl", "advcl") and not is_fronted(tree, index, child)


def _complement(subjects: SubjectFinder, predicate: int, child: int) -> list[Complement]:
    """The complement that a dependent is, if it is one."""
    tree = subjects.tree
    label, base = tree.labels[child], tree.base[child]
    if tree.has_word((child, *tree.below[child]), ("according",)):
        # The speaker is an attribution, not an argument.
        return []
    if (tree.upos(child) == "ADP" and not tree.below[child]) or is_replaced(tree, child):
        # A preposition whose noun is elsewhere; "Instead of a car, Ann bought a boat".
        return []
    whole = tree.subtree(child)
    if base in ("obl", "advmod"):
        words = " ".join(tree.lowered[word] for word in whole if tree.base[word] != "punct")
        if words in grammar.DISCOURSE_PHRASES:
            return []
    plain = ArgumentPhrase(child, (), tuple(tree.trim(whole)))
    if base in ("obj", "iobj", "obl") or (base == "nmod" and is_fronted(tree, predicate, child)):
        if verbs.is_relative(tree, child) and tree.labels[predicate] == "acl:relcl":
            return _relative_complement(subjects, predicate, child)
        if " ".join(tree.lowered[word] for word in plain.tokens) in grammar.FIXED_ADVERBIALS:
            return [with_role(tree, label, [plain], child)]
        target = _after_complex_preposition(tree, child)
        if target is None and label in _BARE_TIMES and tree.child(child, "case") is None:
            target = [noun_phrase(tree, child)]
        return [with_role(tree, label, target or atoms(tree, child), child)]
    if base == "xcomp":
        return [Complement("xcomp", _open_complement(tree, child), None, child)]
    if base == "ccomp":
        return [Complement("ccomp", (clausal_phrase(tree, child),), None, child)]
    if base == "advcl" and not is_remark(tree, child):
        return [with_role(tree, label, [clausal_phrase(tree, child)], child)]
    is_adverb = base == "advmod" and tree.upos(child) in ("ADV", "ADJ") and tree.lowered[child] not in _OF_CLAUSES
    phrases = atoms(tree, child) if is_contrast(tree, child) else [plain]
    return [with_role(tree, "advmod", phrases, child)] if is_adverb and plain.tokens else []


def _after_complex_preposition(tree: DependencyTree, noun: int) -> list[ArgumentPhrase] | None:
    """*the crowd* after *in front of*, *Ann* after *in love with*."""
    prepositions, targets = tree.children(noun, "case"), tree.children(noun, "nmod")
    if len(prepositions) != 1 or len(targets) != 1 or len(tree.below[noun]) != 2:
        return None
    opening = tree.child(targets[0], "case")
    if opening != noun + 1 or (tree.lowered[prepositions[0]], tree.lowered[noun], tree.lowered[opening]) not in (
        grammar.COMPLEX_PREPOSITIONS
    ):
        return None
    return [replace(phrase, preposition=(prepositions[0], noun, opening)) for phrase in atoms(tree, targets[0])]


def is_remark(tree: DependencyTree, clause: int) -> bool:
    """*as expected*, *as noted above*: a remark on the sentence, with nobody as its subject."""
    openings = [tree.lowered[child] for child in tree.children(clause, "mark")]
    return openings == ["as"] and tree.tag(clause) == "VBN" and not tree.has_own_subject(clause)


def with_role(tree: DependencyTree, label: str, phrases: list[ArgumentPhrase], position: int) -> Complement:
    """The complement with the role of its first phrase."""
    return Complement(label, tuple(phrases), role_of(tree.analysis, phrases[0].whole, tree), position)


def _open_complement(tree: DependencyTree, child: int) -> tuple[ArgumentPhrase, ...]:
    """*a liar* in *called Bob a liar*, *as leader* in *elected her as leader*, or a whole infinitive."""
    if tree.upos(child) not in _NOMINAL or tree.child(child, "cop") is not None:
        return (clausal_phrase(tree, child),)
    marks = tuple(tree.children(child, "mark"))
    phrases = atoms(tree, child, frozenset(marks))
    return tuple(ArgumentPhrase(phrase.head, phrase.preposition or marks, phrase.tokens) for phrase in phrases)


def _relative_complement(subjects: SubjectFinder, predicate: int, child: int) -> list[Complement]:
    """The antecedent in the place of a relative pronoun: *the prize which she won*, *the house in which*."""
    tree, head = subjects.tree, subjects.tree.heads[predicate]
    if head is None or tree.lowered[child] in ("where", "when", "why", "how", "whose"):
        return []
    preposition = tuple(tree.children(child, "case"))
    phrases = tuple(ArgumentPhrase(one.head, preposition, one.tokens) for one in subjects.antecedent(head, predicate))
    return [Complement("relative", phrases, None, child)] if phrases else []


def _relative_object(subjects: SubjectFinder, index: int) -> list[Complement]:
    """The antecedent of a relative clause without a pronoun: *the prize she won*."""
    tree = subjects.tree
    head, subject = tree.heads[index], tree.child(index, *SUBJECTS)
    if tree.labels[index] != "acl:relcl" or head is None or subject is None or verbs.is_relative(tree, subject):
        return []
    if tree.child(index, "obj", "cop", "ccomp", "xcomp") is not None:
        return []
    near = [*tree.below[index], *(inner for child in tree.children(index, "obl") for inner in tree.below[child])]
    near.extend(tree.below[subject])
    if any(verbs.is_relative(tree, child) or tree.lowered[child] == "whose" for child in near):
        return []
    antecedent = subjects.antecedent(head, index)
    return [Complement("relative", antecedent, None, head)] if antecedent else []


# Verbs that form one relation: *would have to try to sell*.
_LONGEST_CHAIN = 4


@dataclass(frozen=True, slots=True)
class Clause:
    """One predicate. `verb` is the relation before a preposition is added; `rule` names how the subject was found."""

    rule: str
    predicate: int
    subjects: tuple[ArgumentPhrase, ...]
    verb: verbs.Pieces
    complements: tuple[Complement, ...]


def clauses(subjects: SubjectFinder) -> Iterator[Clause]:
    """The clauses of a sentence, in the order of their predicates."""
    tree = subjects.tree
    titles = (entity for entity in tree.analysis.entities or () if entity.label not in ("number", "datetime"))
    # The words of names such as *Comedians in Cars Getting Coffee* state nothing.
    titled = {at for name in titles if name.end - name.start > 1 for at in range(name.start, name.end)}
    for index in range(tree.size):
        verb = tree.child(index, "cop")
        if verbs.is_predicate(tree, index) and (index if verb is None else verb) not in titled:
            for clause in (_outer_clause(tree, index), _existential(subjects, index) or _clause(subjects, index)):
                if clause is not None:
                    yield clause


def group_of(subjects: SubjectFinder, index: int) -> verbs.Pieces:
    """The words of a predicate, with a form of *be* that agrees with its subject where one is implied."""
    return verbs.verb_group(subjects.tree, index, subjects.form_of_be(index))


def _clause(subjects: SubjectFinder, index: int) -> Clause | None:
    tree = subjects.tree
    rule, found = subjects.of(index)
    if not found or any(verbs.merges_into_head(tree, child) for child in tree.children(index, "xcomp")):
        # If an infinitive follows, its tuple covers this one.
        return None
    chain = _chain(tree, index)
    own = group_of(subjects, index)
    words = [own]
    if rule == "object-control" and verbs.is_infinitive(tree, first := verbs.first_conjunct(tree, chain[-1])):
        # "asked Bob to leave" does not say that Bob left: the asking stays with it.
        asking = tree.heads[first]
        if asking is None:
            return None
        words.extend(phrase.tokens for phrase in found)
        words.extend(group_of(subjects, head) for head in _chain(tree, asking))
        found = subjects.of(asking)[1]
    for head in chain[1:]:
        words.append(group_of(subjects, head))
        if tree.child(head, "cop") is not None:
            words.append(predicate_complement(tree, head).phrases[0].tokens)
    complements = complements_of(subjects, chain, _in_order(words))
    if _leads_on(tree, index, complements):
        # "is subject to", "was involved in": the adjective is part of the relation.
        words.append(complements[0].phrases[0].tokens)
        complements = complements[1:]
    elif (content := _made_sure(tree, complements)) is not None:
        # "make sure that": what it is about is the argument.
        sure = complements[0].position
        words.append(tuple(token for token in tree.subtree(sure, {content})))
        complements = [Complement("ccomp", (clausal_phrase(tree, content),), None, content), *complements[1:]]
    if not complements and tree.lemmas[index] in ("have", "do") and len(chain) == 1:
        # "Ann had, too"; not "it was done", "she did well"
        is_done = tree.lemmas[index] == "do" and tree.has_base(tree.below[index], "advmod")
        if not is_done and tree.child(index, "aux:pass") is None:
            return None
    rule = "control" if len(chain) > 1 and rule == "clause" else rule
    return Clause(rule, index, found, _in_order(words), tuple(complements))


def _chain(tree: DependencyTree, index: int) -> list[int]:
    """The predicate and the verbs above it in the same relation: *refused to grant* is one."""
    chain = [index]
    while len(chain) < _LONGEST_CHAIN:
        # "began to plant and water": *began to* belongs to both.
        first = verbs.first_conjunct(tree, chain[-1])
        head = tree.heads[first]
        if not verbs.merges_into_head(tree, first) or head is None or head in chain:
            break
        chain.append(head)
    return chain


def _in_order(words: list[verbs.Pieces]) -> verbs.Pieces:
    """Implied words first, then the words of the sentence in order."""
    pieces = [piece for group in words for piece in group]
    implied = [piece for piece in pieces if isinstance(piece, str)]
    return (*implied, *sorted({piece for piece in pieces if isinstance(piece, int)}))


def _leads_on(tree: DependencyTree, index: int, complements: list[Complement]) -> bool:
    """An adjective directly followed by its preposition."""
    if len(complements) < 2 or complements[0].label != "predicate" or len(complements[0].phrases) != 1:
        return False
    if tree.upos(index) not in ("ADJ", "VERB", "ADV") or complements[1].label != "obl":
        return False
    return min(complements[1].phrases[0].whole) == complements[0].phrases[0].tokens[-1] + 1


def _made_sure(tree: DependencyTree, complements: list[Complement]) -> int | None:
    """The clause after an adjective that only a verb without an object precedes: *make clear that*."""
    if not complements or complements[0].label != "xcomp" or tree.upos(complements[0].position) != "ADJ":
        return None
    return tree.child(complements[0].position, "ccomp")


def _existential(subjects: SubjectFinder, index: int) -> Clause | None:
    """*There are wolves in Norway*: what exists, and where."""
    tree = subjects.tree
    expletive, own = tree.child(index, "expl"), tree.child(index, "nsubj")
    if expletive is None or own is None or tree.lowered[expletive] != "there":
        return None
    verb = group_of(subjects, index)
    openings = {
        child: [tree.lowered[one] for one in tree.children(child, "case")] for child in tree.children(own, "nmod")
    }
    where = [child for child, cases in openings.items() if len(cases) == 1 and cases[0] in grammar.PLACE_PREPOSITIONS]
    beside = [*where, *(child for child in tree.children(index, "obl") if tree.child(child, "case") is not None)]
    parts = [with_role(tree, "obl", atoms(tree, child), child) for child in beside]
    parts.sort(key=lambda part: part.role == "time")
    things = tuple(atoms(tree, own, frozenset(where)))
    if not parts or parts[0].role == "time":
        there = ArgumentPhrase(expletive, (), (expletive,))
        return Clause("existential", index, (there,), verb, (Complement("obj", things, None, own), *parts))
    return Clause("existential", index, things, verb, tuple(parts))


def _outer_clause(tree: DependencyTree, index: int) -> Clause | None:
    """*The idea is that all is well*: a whole clause as the predicate."""
    subject, copula = verbs.outer_subject(tree, index), verbs.outer_copula(tree, index)
    if subject is None or copula is None:
        return None
    marks = opening_marks(tree, index)
    leave = {subject, copula, *marks, *(child for child in tree.below[index] if child < copula)}
    tokens = tree.trim(tree.subtree(index, leave))
    if not tokens:
        return None
    complement = Complement("ccomp", (ArgumentPhrase(index, marks, tuple(tokens)),), None, index)
    verb = (*(child for child in tree.children(index, "aux") if child < copula), copula)
    return Clause("copula", index, tuple(atoms(tree, subject)), verb, (complement,))
