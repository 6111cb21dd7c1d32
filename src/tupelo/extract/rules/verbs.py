"""Predicates and their words: auxiliaries, negation, adverbs, particles, implied words."""

from __future__ import annotations

from tupelo.extract.rules.phrases import is_fronted
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.quantities import TIME_ADVERBS
from tupelo.nlp.syntax import SUBJECTS, VERBAL, DependencyTree, remembered

# Word indexes and implied words.
Pieces = tuple[int | str, ...]

_MODIFIERS = frozenset(["aux", "cop", "amod", "case", "mark", "compound", "fixed", "flat", "det", "cc", "advmod"])
# Forms that need an auxiliary to be a predicate, and share one when they are coordinated.
_BARE_FORMS = frozenset(["VB", "VBN", "VBG"])


def is_predicate(tree: DependencyTree, index: int) -> bool:
    """Whether a word is a verb that is not just a modifier, or any other word with a copula or a subject."""
    if tree.base[index] in _MODIFIERS:
        return False
    return tree.upos(index) in VERBAL or tree.child(index, "cop", "nsubj") is not None


def is_relative(tree: DependencyTree, index: int) -> bool:
    """A relative pronoun or adverb."""
    return tree.lowered[index] in grammar.RELATIVE_PRONOUNS and tree.upos(index) in ("PRON", "DET", "SCONJ", "ADV")


def is_infinitive(tree: DependencyTree, index: int) -> bool:
    return any(tree.lemmas[child] == "to" for child in tree.children(index, "mark"))


@remembered
def outer_subject(tree: DependencyTree, index: int) -> int | None:
    """The subject of *the idea is that money grows*, which is attached to *grows*."""
    named = tree.child(index, "nsubj:outer")
    if named is not None:
        return named
    subjects = tree.children(index, *SUBJECTS)
    forms = [child for child in tree.children(index, "cop", "aux") if tree.lemmas[child] == "be"]
    apart = len(subjects) == 2 and any(subjects[0] < form < subjects[1] < index for form in forms)
    return subjects[0] if apart else None


def outer_copula(tree: DependencyTree, index: int) -> int | None:
    """The copula of *the idea is that money grows*."""
    subject = outer_subject(tree, index)
    if subject is None or tree.labels[subject] == "nsubj:outer":
        return None if subject is None else tree.child(index, "cop")
    return next(child for child in tree.children(index, "cop", "aux") if child > subject)


@remembered
def is_nonverbal(tree: DependencyTree, index: int) -> bool:
    """Whether a copula makes the word a predicate; a copula of an outer clause does not."""
    outer = outer_copula(tree, index)
    return any(child != outer for child in tree.children(index, "cop"))


def merges_into_head(tree: DependencyTree, index: int) -> bool:
    """Whether an infinitive or gerund forms one relation with its governing verb, which has no object of its own."""
    head = tree.heads[index]
    if tree.base[index] not in ("xcomp", "advcl") or head is None or not is_predicate(tree, head):
        return False
    if tree.base[index] == "advcl":
        return is_governed(tree, index)
    has_subject = tree.child(index, "nsubj") is not None
    if has_subject or (tree.upos(index) not in VERBAL and tree.child(index, "cop") is None):
        return False
    return tree.child(head, "obj", "iobj") is None or tree.lemmas[head] in grammar.SUBJECT_CONTROL


def is_governed(tree: DependencyTree, index: int) -> bool:
    """*capable of winning*, *succeeded in reaching*, *costly to train*, *taken to suggest*: no clause of its own."""
    head, opening = tree.heads[index], tree.child(index, "mark")
    if tree.base[index] != "advcl" or head is None or opening is None or tree.child(index, *SUBJECTS) is not None:
        return False
    between = range(head + 1, opening)
    if opening < head or any(tree.heads[word] != head or tree.base[word] != "advmod" for word in between):
        return False
    if tree.tag(index) == "VBG":
        return tree.lowered[opening] in grammar.GOVERNING_PREPOSITIONS
    governing = tree.upos(head) == "ADJ" or tree.tag(head) == "VBN"
    return tree.lowered[opening] == "to" and governing and tree.child(head, "obj") is None


def verb_group(tree: DependencyTree, index: int, be: str) -> Pieces:
    """The words of a predicate, *garbage-collected*, without its complements; the copula alone where there is one.

    `be` is the form added to a participle without auxiliary.
    """
    outer, nonverbal = outer_copula(tree, index), is_nonverbal(tree, index)
    edge = -1 if outer is None else outer
    words = [child for child in tree.children(index, "aux", "cop", "compound:prt") if child > edge]
    words.extend(child for child in tree.children(index, "mark") if tree.lemmas[child] == "to")
    first = first_conjunct(tree, index)
    if is_governed(tree, first):
        # "accused of lying and stealing": accused of both.
        words.extend(tree.children(first, "mark"))
    implied: tuple[str, ...] = ()
    if tree.child(index, "aux") is None:
        words.extend(shared_auxiliaries(tree, index))
    if not nonverbal:
        words += [at for child in tree.children(index, "compound") if child == index - 2 for at in (child, child + 1)]
        words.append(index)
        implied = (be,) if tree.child(index, "aux") is None and lacks_be(tree, index) else ()
    words.extend(stranded_prepositions(tree, index))
    # Two copulas of one word, an outer one and its own, leave nothing else.
    words = words or [index]
    edges = (min(words), max(words))
    for child in tree.children(index, "advmod"):
        if tree.lowered[child] in grammar.NEGATIONS and tree.child(child, "conj") is None:
            words.append(child)
        elif tree.lowered[child] in grammar.CLAUSE_ADVERBS and tree.lowered[child] != "also":
            continue
        elif (not nonverbal or child < edges[1]) and _is_beside(tree, child, edges):
            words.extend(tree.subtree(child))
    for child in copula_adverbs(tree, index):
        words.extend(tree.subtree(child))
    return (*implied, *sorted(set(words)))


def stranded_prepositions(tree: DependencyTree, index: int) -> list[int]:
    """Prepositions without a noun right after a verb: *is referred to as*, *was spoken of*."""
    near = tree.children(index, "obl", "advmod", "case")
    return [child for child in near if tree.upos(child) == "ADP" and child == index + 1 and not tree.below[child]]


def _is_beside(tree: DependencyTree, adverb: int, edges: tuple[int, int]) -> bool:
    """Between the words of the verb, or right before them."""
    if tree.lowered[adverb] in TIME_ADVERBS:
        return edges[0] < adverb < edges[1]
    if adverb == edges[1] + 1:
        return tree.subtree(adverb) == [adverb] and tree.lowered[adverb] not in grammar.PLACE_ADVERBS
    return edges[0] - (adverb != 0) <= adverb < edges[1]


def copula_adverbs(tree: DependencyTree, index: int) -> list[int]:
    """Adverbs between the copula and a predicate noun: *also* in *is also the deputy*."""
    copula = tree.child(index, "cop")
    if copula is None or not is_nonverbal(tree, index):
        return []
    return [
        child
        for child in tree.children(index, "advmod")
        if copula < child and is_fronted(tree, index, child) and tree.lowered[child] not in grammar.NEGATIONS
    ]


def _shares_with_first(tree: DependencyTree, index: int) -> int | None:
    """The verb whose auxiliary a coordinated bare form shares: *will sing and dance*."""
    head = tree.heads[index]
    if tree.base[index] != "conj" or head is None or tree.child(index, *SUBJECTS) is not None:
        return None
    form = _form(tree, index)
    return head if form in _BARE_FORMS and _form(tree, head) == form else None


def _form(tree: DependencyTree, index: int) -> str:
    """The tag of a verb, or of the copula of another predicate."""
    copula = tree.child(index, "cop")
    return tree.tag(index if copula is None else copula)


def first_conjunct(tree: DependencyTree, index: int) -> int:
    """The verb that a coordinated bare form depends on together with the word itself; otherwise the word."""
    seen = {index}
    while (first := _shares_with_first(tree, index)) is not None and first not in seen:
        seen.add(first)
        index = first
    return index


def shared_auxiliaries(tree: DependencyTree, index: int) -> list[int]:
    """The auxiliaries that a coordinated verb shares with the first one."""
    first = _shares_with_first(tree, index)
    if first is None:
        return []
    found = tree.children(first, "aux")
    if found:
        # "did not write or read": neither was done.
        adverbs = tree.children(first, "advmod")
        found += [child for child in adverbs if tree.lowered[child] in grammar.NEGATIONS and child < first]
    if _form(tree, index) == "VB" and not is_infinitive(tree, index):
        found += [child for child in tree.children(first, "mark") if tree.lemmas[child] == "to"]
    return found


def lacks_be(tree: DependencyTree, index: int) -> bool:
    """A past participle that stands for a passive clause: *built by monks*, *built by monks and sold*."""
    first = _shares_with_first(tree, index)
    if first is not None:
        return not shared_auxiliaries(tree, index) and tree.base[first] != "conj" and lacks_be(tree, first)
    participle = tree.tag(index) == "VBN" and tree.labels[index] in ("acl", "advcl", "parataxis")
    return participle and tree.heads[index] is not None and tree.child(index, "nsubj") is None


def form_of_be(tree: DependencyTree, noun: int, *, many: bool = False) -> str:
    """*is*, *are*, *was* or *were*: number from the noun, tense from the main verb of the sentence."""
    plural = many or tree.words[noun].feature("Number") == "Plur" or tree.tag(noun) in ("NNS", "NNPS")
    past = False
    for index in tree.path(noun):
        if tree.upos(index) in VERBAL or tree.child(index, "cop", "aux") is not None:
            past = any(tree.tag(carrier) == "VBD" for carrier in (index, *tree.children(index, "aux", "cop")))
            break
    return ("were" if plural else "was") if past else ("are" if plural else "is")
