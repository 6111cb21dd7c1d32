"""Clefts told as plain clauses: *It was in May that Ann left* says that Ann left in May.

The words stay; only the links change, so that the rules find the clause that
the sentence tells. *It*, the copula and the pronoun in between are left without a part in it.

* *It was Ann who left*: Ann is the subject of *left*.
* *It was in May that Ann left*: *in May* belongs to *left*.
* *It was a door that Ann found*, *What Ann found was a door*: the door is the object of *found*.
"""

from __future__ import annotations

from dataclasses import replace

from tupelo.core import Analysis, Word
from tupelo.extract.tree import Tree

_NO_PART = "dep"
_CLAUSES = ("acl", "advcl", "ccomp", "csubj")
_NAMING = frozenset(["NOUN", "PROPN", "NUM", "PRON"])
_LINKS = frozenset(["that", "who", "which"])


def straighten(analysis: Analysis) -> Analysis:
    """The sentence with a plain clause in the place of a cleft at its root; otherwise the sentence itself."""
    tree = Tree(analysis)
    root = analysis.root
    if root is None:
        return analysis
    copula = tree.child(root, "cop")
    if copula is None or tree.child(root, "aux") is not None or tree.upos(root) not in _NAMING:
        # "It is possible that Ann left" puts nothing into focus.
        return analysis
    links = _it_cleft(tree, root, copula) or _pseudo_cleft(tree, root, copula)
    return analysis if links is None else _relinked(analysis, links)


def _it_cleft(tree: Tree, root: int, copula: int) -> dict[int, tuple[int | None, str]] | None:
    it = next((c for c in tree.children(root, "expl", "nsubj") if tree.lower(c) == "it" and c < copula), None)
    verb = next((c for c in tree.children(root, *_CLAUSES) if c > root), None)
    if it is None or verb is None or copula > root:
        return None
    link = next((c for c in tree.below[verb] if tree.lower(c) in _LINKS and root < c < verb), None)
    if link is None:
        return None
    links: dict[int, tuple[int | None, str]] = {it: (verb, _NO_PART), copula: (verb, _NO_PART)}
    is_subject = tree.base[link] == "nsubj"
    if is_subject and tree.lower(link) != "who" and tree.labels[it] != "expl" and _is_indefinite(tree, root):
        # "It is a film that won a prize": the film is what it is.
        return None
    links[link] = (verb, _NO_PART)
    if is_subject:
        return {**links, **_plain(tree, root, verb, tree.labels[link])}
    if not any(tree.base[child] == "nsubj" for child in tree.below[verb]):
        return None
    if tree.child(root, "case") is not None:
        return {**links, **_plain(tree, root, verb, "obl")}
    return {**links, **_plain(tree, root, verb, "obj")} if tree.child(verb, "obj") is None else None


def _pseudo_cleft(tree: Tree, root: int, copula: int) -> dict[int, tuple[int | None, str]] | None:
    what = next((c for c in tree.children(root, "nsubj") if tree.lower(c) == "what"), None)
    verb = None if what is None else tree.child(what, "acl:relcl")
    if what is None or verb is None or not what < verb < copula < root or tree.child(verb, "obj") is not None:
        return None
    if not any(tree.base[child] == "nsubj" for child in tree.below[verb]) or tree.child(root, "case") is not None:
        return None
    return {what: (verb, _NO_PART), copula: (verb, _NO_PART), **_plain(tree, root, verb, "obj")}


def _plain(tree: Tree, root: int, verb: int, label: str) -> dict[int, tuple[int | None, str]]:
    """The verb as the root, the focus below it, and the final marks and what else was said of the whole."""
    moved: dict[int, tuple[int | None, str]] = {verb: (None, "root"), root: (verb, label)}
    for child in tree.below[root]:
        loose = tree.base[child] in ("punct", "advcl", "parataxis", "discourse", "cc", "obl") and child != verb
        if loose and (child > verb or child < min(tree.subtree(root)[0], root)):
            moved[child] = (verb, tree.labels[child])
    return moved


def _relinked(analysis: Analysis, links: dict[int, tuple[int | None, str]]) -> Analysis:
    words: list[Word] = list(analysis.words)
    for index, (head, label) in links.items():
        words[index] = replace(words[index], head=head, deprel=label)
    return replace(analysis, words=tuple(words))


def _is_indefinite(tree: Tree, noun: int) -> bool:
    return any(tree.lower(child) in ("a", "an") for child in tree.children(noun, "det"))
