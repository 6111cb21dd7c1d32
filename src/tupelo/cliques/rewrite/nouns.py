"""*China 's parliament* <-> *the parliament of China*; *A and B* -> *B and A*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.tree import Tree, is_run
from tupelo.cliques.rewrite.words import word_set

_OWNED_PREFIX = word_set("det amod compound nummod advmod punct flat")


def genitive_to_of(tree: Tree) -> Iterator[Draft]:
    """*China 's parliament* -> *the parliament of China*."""
    for owner in range(tree.size):
        owned = tree.heads[owner]
        if tree.labels[owner] != "nmod:poss" or owned is None or owner > owned or tree.tag(owner) == "PRP$":
            continue
        mark = tree.child(owner, "case")
        words = tree.subtree(owner)
        if mark is None or tree.lower[mark] not in ("'s", "'", "’s", "’") or words[-1] != mark or not is_run(words):
            continue
        if tree.entity[owner] in ("datetime", "number") or tree.text(words[0]) in ("``", '"') or len(words) > 8:
            continue
        if tree.lower[words[0]] in ("a", "an") or tree.text(owned)[:1].isupper():
            # "a carpenter 's level" is a kind of level, and names stay as they are.
            continue
        core = list(range(mark + 1, owned + 1))
        if any(tree.heads[i] != owned and i != owned and tree.base[i] not in _OWNED_PREFIX for i in core):
            continue
        if (
            tree.tag(owned) in ("NNP", "NNPS")
            or tree.child(owned, "conj") is not None
            or "," in map(tree.text, words)
        ):
            continue
        if tree.child(owned, "nmod", "acl") is not None and tree.child(owned, "nmod:poss") == owner:
            rest = [i for i in tree.children(owned, "nmod", "acl") if i != owner]
            if rest:
                continue
        if tree.lemmas[owned] in ("own", "sake", "worth", "one") or tree.tag(owned)[:2] not in ("NN",):
            continue
        new: list[Item] = [New("the"), *core, New("of"), *words[:-1]]
        group = (*words, *core)
        yield _regrouped(tree, "genitive-to-of", group, new)


def of_to_genitive(tree: Tree) -> Iterator[Draft]:
    """*the parliament of China* -> *China 's parliament*."""
    for owner in range(tree.size):
        owned = tree.heads[owner]
        if tree.labels[owner] != "nmod" or owned is None or owner < owned:
            continue
        words = tree.subtree(owner)
        if not is_run(words) or tree.lower[words[0]] != "of" or words[0] != owned + 1 or len(words) > 4:
            continue
        if tree.entity[owner] not in ("person", "organization") or tree.tag(owner) not in ("NNP",):
            continue
        if tree.text(owner).endswith("s") or words[-1] != owner:
            continue
        determiner = tree.child(owned, "det")
        if determiner is None or tree.lower[determiner] != "the" or tree.tag(owned) not in ("NN", "NNS"):
            continue
        if tree.lemmas[owned] in (
            "number",
            "part",
            "rest",
            "majority",
            "end",
            "city",
            "town",
            "state",
            "university",
            "name",
            "kind",
            "type",
            "form",
            "group",
            "use",
            "case",
        ):
            continue
        if tree.subtree(owned)[0] != determiner:
            continue
        core = list(range(determiner + 1, owned + 1))
        new: list[Item] = [*words[1:], New("'s"), *core]
        yield _regrouped(tree, "of-to-genitive", (determiner, *core, *words), new)


def conjunct_order(tree: Tree) -> Iterator[Draft]:
    """*tea and milk* -> *milk and tea*."""
    for first in range(tree.size):
        others = tree.children(first, "conj")
        if len(others) != 1 or tree.upos(first) not in ("NOUN", "ADJ") or tree.upos(others[0]) != tree.upos(first):
            continue
        second = others[0]
        mark = tree.child(second, "cc")
        if mark is None or tree.lower[mark] not in ("and", "or") or tree.children(second, "nsubj", "cop", "orphan"):
            continue
        tail = tree.subtree(second, [mark])
        # What stands before or behind both may belong to both; only bare words can change places.
        if tail != [second] or mark != second - 1 or mark != first + 1:
            continue
        if tree.children(first, "compound", "amod", "flat", "nummod", "appos", "acl", "nsubj", "cop") or tree.tag(
            first
        ) != tree.tag(second):
            continue
        if tree.child(first, "det", "nmod:poss") is not None:
            continue
        new: list[Item] = [second, mark, first]
        yield _regrouped(tree, "conjunct-order", (first, mark, second), new)


def _regrouped(tree: Tree, rule: str, group: tuple[int, ...], new: list[Item]) -> Draft:
    items: list[Item] = []
    for index in range(tree.size):
        if index == group[0]:
            items.extend(new)
        elif index not in group:
            items.append(index)
    return Draft(rule, tuple(items), regrouped=((group, tuple(new)),))
