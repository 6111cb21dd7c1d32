"""Clefts as plain clauses: *It was in May that Ann left* says that Ann left in May.

Only heads and labels change, so that the rules find the clause that the sentence asserts. *It*, the copula and the
pronoun in between are not part of it.

* *It was Ann who left*, *Ann is the one who left*, *The person who left was Ann*: Ann is the subject of *left*.
* *It was in May that Ann left*, *May was the month in which Ann left*: *in May* belongs to *left*.
* *It was a door that Ann found*, *What Ann found was a door*: the door is the object of *found*.
* *What Ann did was leave*, *What Ann tried to do was leave*: Ann left, or tried to.
* *What Ann said was that Bob left*: what Bob did is what Ann said.
* *What happened was that Ann left*, *What is true is that Ann left*: Ann left.
"""

from __future__ import annotations

from tupelo.core import Analysis
from tupelo.extract.rules.phrases import is_indefinite
from tupelo.extract.rules.repair import with_changes
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.embedding import CLAUSES
from tupelo.nlp.syntax import DependencyTree

_NO_PART = "dep"
_CLAUSES = ("acl", "advcl", "ccomp", "csubj", "parataxis")
# Clauses that can be clefts, and the words of which every cleft has one.
_WHOLE = frozenset(["root", "ccomp", "conj", "parataxis", "advcl"])
_SIGNS = words("extraction", "cleft_signs")
_NAMING = frozenset(["NOUN", "PROPN", "NUM", "PRON"])
_LINKS = words("extraction", "cleft_links")
_STAND_INS = words("extraction", "stand_ins")
_WHENS = words("extraction", "times_and_places")
_POINTERS = words("extraction", "pointers")
_FRAMES = words("extraction", "frames")

_OF_NOUNS = frozenset(["det", "case", "amod", "nmod", "nummod", "compound"])
# Dependents that may belong to the whole sentence rather than to the focus.
_BEHIND = frozenset(["punct", "advcl", "parataxis", "discourse", "cc", "obl"])
_BEFORE = _BEHIND | {"advmod", "nmod", "mark"}

# The new head and the new label of some words.
Links = dict[int, tuple[int | None, str]]


def straighten(analysis: Analysis) -> Analysis:
    """The sentence with its first cleft rewritten as a plain clause; unchanged if there is none."""
    if not any(word.text.lower() in _SIGNS for word in analysis.words):
        return analysis
    tree = DependencyTree(analysis)
    found = (_cleft(tree, index) for index in range(tree.size) if tree.base[index] in _WHOLE)
    links = next(filter(None, found), {})
    no_part = {"upos": "X"}
    changes = {
        index: {"head": head, "deprel": label, **(no_part if label == _NO_PART else {})}
        for index, (head, label) in links.items()
    }
    return with_changes(analysis, changes)


def _cleft(tree: DependencyTree, root: int) -> Links | None:
    """The changes needed if the clause of `root` is a cleft."""
    what = next((child for child in tree.children(root, "nsubj") if tree.lowered[child] == "what"), None)
    if what is not None:
        verb, behind = tree.child(what, "acl:relcl"), tree.subtree(what)[-1] + 1
        if verb is not None and behind < root and tree.lemmas[behind] == "be":
            links = _around_clause(tree, root, behind, what, verb)
            if links is not None:
                return links
    copula = tree.child(root, "cop")
    if copula is None or tree.child(root, "aux") is not None:
        return None
    if tree.upos(root) == "VERB" and tree.lowered[copula - 1 : copula] == ["it"]:
        # The focus is a dependent of the verb already: "It was in May that Ann left".
        before = (c for c in tree.below[root] if copula < c < root)
        link = next((c for c in before if tree.lowered[c] in _LINKS), None)
        subject = next((c for c in before if tree.base[c] == "nsubj"), None)
        return None if link is None or subject is None else _dropped(root, copula - 1, copula, link)
    if tree.upos(root) not in _NAMING and tree.lowered[root] not in ("what", "where", "when"):
        # "It is possible that Ann left" has no focus.
        return None
    return _it_cleft(tree, root, copula) or _pseudo_cleft(tree, root, copula) or _reversed(tree, root, copula)


def _it_cleft(tree: DependencyTree, root: int, copula: int) -> Links | None:
    it = next((c for c in tree.children(root, "expl", "nsubj") if tree.lowered[c] == "it" and c < copula), None)
    verb = next((c for c in tree.children(root, *_CLAUSES) if c > root), None)
    if it is None or verb is None or copula > root:
        return None
    link = next((c for c in tree.below[verb] if tree.lowered[c] in _LINKS and root < c < verb), None)
    described = is_indefinite(tree, root) or tree.child(root, "nmod:poss") is not None
    if link is None or (described and (tree.base[verb] in ("csubj", "ccomp") or tree.lemmas[root] in CLAUSES)):
        # "It is a coincidence that Ann left", "it is my belief that Ann left" have no focus.
        return None
    is_subject = tree.base[link] == "nsubj"
    if is_subject and tree.lowered[link] != "who" and tree.labels[it] != "expl" and is_indefinite(tree, root):
        # "It is a film that won a prize": *a film* is a predicate noun.
        return None
    if is_subject:
        label = tree.labels[link]
    elif not tree.has_base(tree.below[verb], "nsubj"):
        return None
    elif tree.child(root, "case") is not None:
        label = "obl"
    elif tree.child(verb, "obj") is None:
        label = "obj"
    else:
        return None
    return _dropped(verb, it, copula, link) | _plain(tree, root, verb, label, it)


def _pseudo_cleft(tree: DependencyTree, root: int, copula: int) -> Links | None:
    """*What Ann found was a door*, *What hit Ann was a door*, *The person who left was Ann*."""
    what = tree.child(root, "nsubj")
    verb = None if what is None else tree.child(what, "acl:relcl")
    if what is None or verb is None or not what < verb < copula < root or tree.child(root, "case") is not None:
        return None
    free = tree.lowered[what] == "what"
    if not free and not (_is_stand_in(tree, what) and not is_indefinite(tree, root)):
        return None
    links = _dropped(verb, copula, what, *tree.children(what, "det"))
    subject = tree.child(verb, "nsubj")
    if subject is None or tree.lowered[subject] in _LINKS:
        links |= _dropped(verb, *tree.children(verb, "nsubj")[:1])
        label = _subject_label(tree, verb)
    elif free and tree.child(verb, "obj") is None:
        label = "obj"
    else:
        return None
    return links | _plain(tree, root, verb, label, what)


def _reversed(tree: DependencyTree, root: int, copula: int) -> Links | None:
    """*Ann is the one who left*, *A door is what Ann found*, *May was the month in which Ann left*."""
    focus, verb = tree.child(root, "nsubj"), tree.child(root, "acl:relcl", "advcl:relcl")
    if focus is None or verb is None or not focus < copula < root < verb or tree.lowered[focus] in _POINTERS:
        return None
    links = _dropped(verb, copula, root, *tree.children(root, "det"))
    links |= {verb: (tree.heads[root], tree.labels[root]), **_loose(tree, root, verb, focus)}
    subject, word = tree.child(verb, "nsubj"), tree.lowered[root]
    if word == "what" or _is_stand_in(tree, root):
        if subject is None or tree.lowered[subject] in _LINKS:
            links |= _dropped(verb, *tree.children(verb, "nsubj")[:1])
            return {**links, focus: (verb, _subject_label(tree, verb))}
        return {**links, focus: (verb, "obj")} if word == "what" and tree.child(verb, "obj") is None else None
    if subject is None:
        return None
    if word in ("where", "when"):
        return {**links, focus: (verb, "obl:unmarked")}
    pronouns = (c for c in tree.below[verb] if tree.lowered[c] in ("which", "when", "where") and c < subject)
    pronoun = next(pronouns, None)
    if tree.lemmas[root] not in _WHENS or pronoun is None:
        return None
    links |= _dropped(verb, pronoun)
    preposition = tree.child(pronoun, "case")
    if preposition is None:
        return {**links, focus: (verb, "obl:unmarked")}
    return {**links, preposition: (focus, "case"), focus: (verb, "obl")}


def _around_clause(tree: DependencyTree, root: int, copula: int, what: int, verb: int) -> Links | None:
    """*What Ann said was that Bob left*, *What Ann did was leave*, *What happened was that Ann left*."""
    own = next((child for child in tree.children(root, "nsubj", "csubj", "expl") if child != what), None)
    subject = tree.child(verb, "nsubj")
    if subject is None or (own is not None and tree.lemmas[verb] == "do"):
        if own is None or tree.lemmas[verb] not in _FRAMES | {"do"}:
            return None
        marks = [child for child in tree.children(root, "mark") if child > copula and tree.lowered[child] == "that"]
        return _dropped(None, *tree.subtree(what), copula, *marks)
    if own is not None:
        if tree.child(verb, "obj", "ccomp") is not None:
            return None
        return _dropped(verb, what, copula) | _plain(tree, root, verb, "ccomp", what, whole=False)
    links = _dropped(root, what, copula)
    if tree.upos(root) != "VERB" and tree.has_base(tree.below[root], *_OF_NOUNS):
        # "What Ann did was a mistake" names a thing.
        return None
    if tree.lemmas[verb] == "do":
        # All dependents of *did* are moved to the verb in focus.
        return {**links, **{c: (root, tree.labels[c]) for c in tree.below[verb]}, verb: (root, _NO_PART)}
    inner = tree.child(verb, "xcomp")
    if inner is None or tree.lemmas[inner] != "do":
        return None
    moved: Links = {c: (root, tree.labels[c]) for c in tree.below[inner]}
    return {**links, **moved, inner: (root, _NO_PART), **_plain(tree, root, verb, "xcomp", what, whole=False)}


def _dropped(head: int | None, *words: int) -> Links:
    """Words that are no part of the plain clause."""
    return dict.fromkeys(words, (head, _NO_PART))


def _plain(tree: DependencyTree, root: int, verb: int, label: str, start: int, *, whole: bool = True) -> Links:
    """Make the verb the root and attach the focus, punctuation and sentence-level dependents to it."""
    return {
        verb: (tree.heads[root], tree.labels[root]),
        root: (verb, label),
        **_loose(tree, root, verb, start, whole=whole),
    }


def _loose(tree: DependencyTree, root: int, verb: int, start: int, *, whole: bool = True) -> Links:
    """The dependents before the cleft, which begins at `start`, and those after its verb.

    Without `whole`, the focus is a clause, and everything after it except the final punctuation belongs to it.
    """
    last = max(verb, root)
    behind = _BEHIND if whole else frozenset(["punct"])
    return {
        child: (verb, "obl" if tree.base[child] == "nmod" else tree.labels[child])
        for child in tree.below[root]
        if (child < start and tree.base[child] in _BEFORE)
        or (child > last and tree.base[child] in behind and child != verb)
    }


def _subject_label(tree: DependencyTree, verb: int) -> str:
    return "nsubj" if tree.child(verb, "aux:pass") is None else "nsubj:pass"


def _is_stand_in(tree: DependencyTree, noun: int) -> bool:
    """Whether a noun only stands in for a name: *the one*, *the person*."""
    definite = tree.has_word(tree.children(noun, "det"), ("the", "those"))
    return definite and tree.lemmas[noun] in _STAND_INS
