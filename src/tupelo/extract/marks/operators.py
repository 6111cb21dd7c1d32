"""Marks within a clause: denials, modal words, a condition's opening, the form of an order or a question."""

from __future__ import annotations

from tupelo.extract.marks.predicates import has_infinitive_mark, opening_of
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.embedding import EXISTENCE_VERBS
from tupelo.nlp.syntax import QUESTION_TAGS, SUBJECTS, VERBAL, DependencyTree, remembered

_ONLY = words("extraction", "restricting_adverbs")
# "Not until Monday did she read it", "hardly had she read it": she did.
_NO_DENIAL_BEFORE = _ONLY | {"until", "had"}
_JOINING = frozenset([",", "and", "but", "--", "–", "—"])
_CIRCUMSTANCES = words("extraction", "circumstances")
_NO_DENIAL_OF_THE_VERB = words("extraction", "openings_without_denial")
_QUOTES, _ASKING = frozenset(["``", '"', "“", "‘"]), words("extraction", "asking_auxiliaries")
_CLOSING = frozenset(["''", '"', "”", ")", "’", "'"])


def denies(tree: DependencyTree, clause: int) -> bool:
    """Whether a clause is denied by its own words; two denials cancel out."""
    if tree.upos(clause) in ("NOUN", "PROPN", "PRON", "NUM") and tree.child(clause, "cop", *SUBJECTS) is None:
        return is_denied_phrase(tree, clause)
    found = sum(_is_denial(tree, clause, child) for child in tree.below[clause])
    if tree.base[clause] == "conj":
        found += _shared_denial(tree, clause)
    return found % 2 == 1


def _shared_denial(tree: DependencyTree, clause: int) -> bool:
    """A negation that a clause shares with the one that it is coordinated with: *did not eat or drink*."""
    joint = [tree.lowered[child] for child in tree.children(clause, "cc")]
    if "nor" in joint:
        return True
    first = tree.heads[clause]
    if "but" in joint or first is None or tree.child(clause, *SUBJECTS) is not None:
        return False
    if not any(_is_denial(tree, first, child) for child in tree.below[first] if child < clause):
        return False
    # The form says that the auxiliary, and with it the negation, is shared.
    return tree.child(clause, "aux", "cop") is None and (shares(tree, clause, first) or "or" in joint)


def shares(tree: DependencyTree, clause: int, first: int) -> bool:
    """*will sing and dance*: a bare form shares the auxiliary of the verb that it is coordinated with."""
    same = tree.tag(clause) == tree.tag(first) and tree.tag(clause) in ("VB", "VBN", "VBG", "JJ", "NN")
    own = tree.child(clause, "aux", "cop", *SUBJECTS) is not None
    return same and not own and tree.child(first, "aux", "cop") is not None


def _is_denial(tree: DependencyTree, clause: int, child: int) -> bool:
    word, label = tree.lowered[child], tree.base[child]
    following = tree.lowered[child + 1] if child + 1 < tree.size else ""
    if word in grammar.NEGATIONS and label in ("advmod", "cc", "aux", "det", "discourse"):
        # *nor* between clauses is counted at the second one.
        return following not in _NO_DENIAL_BEFORE and not (label == "cc" and tree.base[clause] == "conj")
    if word in ("almost", "nearly"):
        return label == "advmod" and tree.upos(clause) == "VERB"
    if word == "little":
        # "Little did he know"
        return label == "advmod" and following in ("do", "does", "did")
    if word == "longer":
        return tree.has_word(tree.below[child], ("no",))
    if word == "no" and label in ("advmod", "det"):
        return following != "longer"
    if label not in ("nsubj", "obj", "iobj", "obl") or not is_denied_phrase(tree, child) or is_contrast(tree, child):
        return False
    is_plain = label != "obl" or tree.lemmas[child] in _CIRCUMSTANCES
    return is_plain or not tree.has_word(tree.children(child, "case", "advmod"), _NO_DENIAL_OF_THE_VERB)


@remembered
def is_denied_phrase(tree: DependencyTree, head: int) -> bool:
    """Whether a phrase is negated: *no player*, *nobody*, *none of them*."""
    if tree.lowered[head] in grammar.NEGATIVE_PRONOUNS:
        return True
    for child in tree.below[head]:
        word, label = tree.lowered[child], tree.base[child]
        following = tree.lowered[child + 1] if child + 1 < tree.size else ""
        none = word in grammar.NEGATIVE_DETERMINERS and label in ("det", "cc", "advmod") and following != "longer"
        # "No Doubt recorded it": a name; "no doubt he left": a remark.
        none = none and tree.entity[child] is None and not (following == "doubt" and tree.base[head] == "obl")
        rejected = word in ("not", "never") and label == "advmod" and following not in _ONLY and child < head
        if none or rejected or (word in ("hardly", "scarcely") and tree.lowered[head].startswith("any")):
            return True
    return is_replaced(tree, head)


def is_replaced(tree: DependencyTree, phrase: int) -> bool:
    """*rather than Rome*, *instead of a car*."""
    return tree.has_word(tree.children(phrase, "cc", "case"), ("rather", "instead"))


@remembered
def is_contrast(tree: DependencyTree, phrase: int) -> bool:
    """Whether a clause is denied for this phrase alone, or for all but this one.

    *Met a doctor, not a lawyer*, *met no doctor but a nurse*; *did not meet a doctor but a nurse*.
    """
    first, denied = tree.heads[phrase], is_denied_phrase(tree, phrase)
    if first is None or tree.upos(phrase) in VERBAL:
        return False
    if tree.base[phrase] == "conj":
        clause = tree.heads[first] if tree.child(first, "cop") is None else first
        if clause is None or tree.child(phrase, "cop", *SUBJECTS) is not None:
            return False
        if denied:
            return not tree.has_word(tree.children(phrase, "cc"), ("nor",)) and not is_denied_phrase(tree, first)
        return tree.has_word(tree.children(phrase, "cc"), ("but",)) and denies(tree, clause)
    others = [one for one in tree.children(phrase, "conj") if tree.has_word(tree.children(one, "cc"), ("but",))]
    holds = any(not is_denied_phrase(tree, other) for other in others)
    return denied and (holds or is_replaced(tree, phrase) or partner_of(tree, phrase) is not None)


def partner_of(tree: DependencyTree, phrase: int) -> int | None:
    """The phrase before a second one: *in 1997* for *, not in 1998*, *Rome* for *instead of Oslo*."""
    head, opening, first = tree.heads[phrase], tree.child_word(phrase, "case"), tree.subtree(phrase)[0]
    replaced = is_replaced(tree, phrase)
    if head is None or tree.base[phrase] == "nmod":
        return head if replaced else None
    before = (one for one in tree.children(head, "obj", "obl") if head < one < phrase)
    joined = opening is not None and tree.has_word((first, first - 1), _JOINING)
    return max((at for at in before if replaced or (joined and tree.child_word(at, "case") == opening)), default=None)


def is_light(tree: DependencyTree, verb: int, noun: int) -> bool:
    """Whether a verb says only that there is such a thing: *has no plan*, *there is evidence*."""
    if tree.lemmas[verb] not in EXISTENCE_VERBS and tree.child(verb, "expl") is None:
        return False
    return tree.base[noun] == "obj" or (tree.base[noun] == "nsubj" and tree.child(verb, "expl") is not None)


def modalities(tree: DependencyTree, clause: int) -> list[str]:
    """The modalities of the modal verbs and adverbs of a clause."""
    found = ["hypothetical"] if opening_of(tree, clause) in ("as if", "as though") else []
    to = tree.child(clause, "mark") if has_infinitive_mark(tree, clause) else None
    before = tree.children(clause, "cop", "aux") if to is not None else ()
    if any(tree.lemmas[child] == "be" for child in before if child < (to or 0)):
        # "he is to leave"
        found.append("future")
    for child in tree.below[clause]:
        word = tree.lowered[child]
        if tree.base[child] == "aux" and (kind := grammar.MODAL_VERBS.get(word)):
            is_had = word in ("'d", "’d") and tree.tag(clause) in ("VBN", "VBD")
            # *would* may report a later event or a habit of the past.
            later = word == "would" and tree.has_word(tree.children(clause, "advmod"), grammar.AFTERWARDS)
            unreal = "if" in tree.lowered or tree.has_word(tree.children(clause, "aux"), ("have",))
            if not is_had and not (later and not unreal):
                found.append(kind)
        elif tree.base[child] == "advmod" and (kind := grammar.MODAL_ADVERBS.get(word)):
            found.append(kind)
        elif word == "better" and tree.base[child] == "advmod" and tree.tag(clause) == "VB":
            # "you had better go"
            found.append("necessary")
    return found


def is_alternative(tree: DependencyTree, clause: int) -> bool:
    """*either sold or lost it*, *either Ann or Bob paid*: one of several, and nobody says which."""
    named = (clause, *tree.children(clause, "nsubj", "obj", "iobj"))
    if any(tree.has_word(tree.children(word, "cc"), ("either",)) for word in named):
        return True
    joined = (clause, *(one for one in tree.children(clause, "conj") if tree.tag(one) == tree.tag(clause)))
    return tree.upos(clause) in VERBAL and any(tree.has_word(tree.children(one, "cc"), ("or",)) for one in joined)


def is_order(tree: DependencyTree, clause: int) -> bool:
    """A main clause in the imperative."""
    verb = next(iter(tree.children(clause, "cop")), clause)
    if tree.tag(verb) != "VB" or tree.lemmas[verb] in ("thank", "bless", "know"):
        return False
    first = tree.heads[clause]
    if tree.base[clause] != "conj":
        first = None
    if first is not None and tree.tag(first) == "VB" and (tree.base[first] == "conj" or not is_order(tree, first)):
        return False
    shared = None if first is None else tree.child(first, "nsubj")
    if shared is not None and (tree.is_plural(shared) or tree.words[shared].feature("Person") in ("1", "2")):
        # "They live in Oslo and don't own a car"
        return False
    own = [child for child in tree.children(clause, "aux", "mark") if tree.lowered[child] != "do"]
    is_main = tree.base[clause] in ("root", "conj", "parataxis")
    return is_main and not own and tree.child(clause, "nsubj") is None


def is_asked(tree: DependencyTree, clause: int) -> int | None:
    """The question mark of a clause that is asked."""
    for child in tree.children(clause, "punct"):
        if "?" in tree.text(child) and tree.base[clause] not in ("root", "conj"):
            return child
    last = tree.size - 1
    while last > 0 and tree.lowered[last] in _CLOSING:
        last -= 1
    if last < 0 or "?" not in tree.text(last):
        asks = tree.base[clause] == "root" and tree.child(clause, "aux", "cop") == 0 and tree.lowered[0] in _ASKING
        return 0 if asks and tree.child(clause, "nsubj", "expl") is not None else None
    if last + 1 < tree.size and clause < max((at for at in range(last) if tree.lowered[at] in _QUOTES), default=0):
        # "She asked, 'Where is he?'": only what is quoted is asked.
        return None
    return last if clause in _asked_clauses(tree) else None


@remembered
def _asked_clauses(tree: DependencyTree) -> set[int]:
    """The main clauses that a final question mark covers: those with the form of a question, or all."""
    main: list[int] = []
    for index in range(tree.size):
        if tree.base[index] == "root" or (tree.base[index] in ("conj", "parataxis") and tree.heads[index] in main):
            main.append(index)
    formed = {index for index in main if _has_question_form(tree, index)}
    tags = {index for index in formed if tree.base[index] == "parataxis" and len(tree.subtree(index)) <= 4}
    return set(main) if not formed - tags else formed


def _has_question_form(tree: DependencyTree, clause: int) -> bool:
    """A question word at the front, or a subject after its auxiliary."""
    tokens = tree.subtree(clause)
    subject = tree.child(clause, "nsubj", "expl")
    first = 0 if subject is None else tree.subtree(subject)[0]
    is_inverted = any(auxiliary < first for auxiliary in tree.children(clause, "aux", "cop"))
    return is_inverted or any(tree.tag(token) in QUESTION_TAGS for token in tokens[:2])
