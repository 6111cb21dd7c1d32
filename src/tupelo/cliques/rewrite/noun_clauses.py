"""*the man who wrote it* <-> *the man writing it*; *Bob , a nurse* <-> *Bob , who is a nurse*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.focus import relative_pronoun
from tupelo.cliques.rewrite.morphology import be, gerund
from tupelo.cliques.rewrite.tree import Tree, is_run
from tupelo.cliques.rewrite.words import SPEECH, word_set

_STATES = word_set("be have know believe own seem want like love need")
_MOST = 3


def relative_to_participle(tree: Tree) -> Iterator[Draft]:
    """*the bridge that was built by monks* -> *the bridge built by monks*, *which leads to* -> *leading to*."""
    for verb in range(tree.size):
        if tree.labels[verb] != "acl:relcl" or tree.tag(verb)[:2] != "VB":
            continue
        pronoun = tree.child(verb, "nsubj")
        if pronoun is None or tree.lower[pronoun] not in ("who", "which", "that") or tree.tag(pronoun) == "DT":
            continue
        if _is_focus(tree, tree.heads[verb]):
            continue
        if tree.child(verb, "conj", "advmod") is not None or pronoun + 1 not in (verb, *tree.children(verb, "aux")):
            continue
        auxiliaries = tree.children(verb, "aux")
        built: dict[int, list[Item]] = {pronoun: []}
        if (tree.tag(verb) == "VBN" and len(auxiliaries) == 1 and tree.labels[auxiliaries[0]] == "aux:pass") or (
            tree.tag(verb) == "VBG" and len(auxiliaries) == 1 and tree.tag(auxiliaries[0]) in ("VBD", "VBZ", "VBP")
        ):
            built[auxiliaries[0]] = []
        elif not auxiliaries and tree.tag(verb) in ("VBZ", "VBP") and tree.lemmas[verb] not in _STATES:
            built[verb] = [New(gerund(tree.lemmas[verb]), (verb,))]
        else:
            continue
        yield Draft("relative-to-participle", tuple(_replaced(tree, built)))


def _is_focus(tree: Tree, noun: int | None) -> bool:
    """*It is the bridge that was built by monks*: the clause behind a focus is no relative clause."""
    if noun is None or tree.child(noun, "cop") is None:
        return False
    return any(tree.lower[child] == "it" for child in tree.children(noun, "nsubj", "expl"))


def participle_to_relative(tree: Tree) -> Iterator[Draft]:
    """*the bridge built by monks* -> *the bridge that was built by monks*."""
    found = 0
    for verb in range(tree.size):
        head = tree.heads[verb]
        if tree.labels[verb] != "acl" or head is None or tree.tag(verb) != "VBN" or found >= _MOST:
            continue
        words = tree.subtree(verb)
        if not is_run(tree.trim(words)) or tree.child(verb, "mark", "aux", "nsubj") is not None or head > verb:
            continue
        if tree.upos(head) not in ("NOUN", "PROPN") or (tree.tag(head) == "NNP" and tree.text(verb - 1) != ","):
            continue
        if tree.tag(verb) == "VBN" and tree.child(verb, "obl", "xcomp") is None:
            continue
        if tree.text(verb - 1) == ",":
            # It may well say something of the whole sentence.
            continue
        first = tree.trim(words)[0]
        if first != verb or (verb - 1 != tree.trim(tree.subtree(head, [verb]))[-1] and tree.text(verb - 1) != ","):
            continue
        who = relative_pronoun(tree, head)
        if tree.text(verb - 1) == "," and who == "that":
            who = "which"
        dated = any(tree.entity[index] == "datetime" for index in words)
        past = _is_past(tree, head) or dated
        form = be(past=past, plural=tree.is_plural(head))
        found += 1
        yield Draft("participle-to-relative", tuple(_replaced(tree, {verb: [New(who), New(form), verb]})))


def apposition_to_relative(tree: Tree) -> Iterator[Draft]:
    """*Bob , a nurse , sang* -> *Bob , who is a nurse , sang*."""
    for noun in range(tree.size):
        head = tree.heads[noun]
        if tree.labels[noun] != "appos" or head is None or noun < head:
            continue
        phrase = tree.trim(tree.subtree(noun))
        if not is_run(phrase) or tree.text(phrase[0] - 1) != "," or tree.tag(head) not in ("NNP", "NNPS"):
            continue
        if tree.lower[phrase[0]] not in ("a", "an", "the", "one") or tree.entity[noun] == "datetime":
            continue
        if tree.text(phrase[-1]) in (",",) or tree.child(noun, "conj") is not None:
            continue
        who = "who" if tree.entity[head] == "person" and tree.text(noun).islower() else "which"
        present = any(tree.tag(index) in ("VBZ", "VBP") for index in phrase)
        form = be(past=_is_past(tree, head) and not present, plural=tree.is_plural(head))
        # The tuple (Bob; is; a nurse) had an implied verb, which is written now.
        yield Draft("apposition-to-relative", tuple(_replaced(tree, {phrase[0]: [New(who), New(form), phrase[0]]})))


def relative_to_apposition(tree: Tree) -> Iterator[Draft]:
    """*Bob , who is a nurse , sang* -> *Bob , a nurse , sang*."""
    for noun in range(tree.size):
        copula, pronoun = tree.child(noun, "cop"), tree.child(noun, "nsubj")
        if (
            tree.labels[noun] != "acl:relcl"
            or copula is None
            or pronoun is None
            or tree.upos(noun) not in ("NOUN", "PROPN")
        ):
            continue
        if tree.lower[pronoun] not in ("who", "which") or tree.text(pronoun - 1) != "," or copula != pronoun + 1:
            continue
        if tree.children(noun, "aux", "advmod") or tree.lower[copula + 1] not in ("a", "an", "the", "one"):
            continue
        yield Draft("relative-to-apposition", tuple(_replaced(tree, {pronoun: [], copula: []})))


def _replaced(tree: Tree, built: dict[int, list[Item]]) -> list[Item]:
    return [item for index in range(tree.size) for item in built.get(index, [index])]


def _is_past(tree: Tree, index: int) -> bool:
    """The tense of the clause that a noun stands in."""
    head: int | None = index
    seen: set[int] = set()
    while head is not None and head not in seen:
        seen.add(head)
        for carrier in (head, *tree.children(head, "aux", "cop")):
            if tree.tag(carrier) in ("VBD", "VBZ", "VBP", "MD"):
                return tree.tag(carrier) == "VBD" and tree.lemmas[head] not in SPEECH
        head = tree.heads[head]
    return False
