"""Relations without a verb: appositions, owners, titles, places."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.extract.rules.phrases import atoms, is_in_brackets, is_indefinite, noun_phrase
from tupelo.extract.rules.verbs import Pieces, form_of_be
from tupelo.nlp.languages.en.naming import COURTESY_TITLES
from tupelo.nlp.parts import is_written_together
from tupelo.nlp.syntax import NOUNS, DependencyTree

# Rule, subject, relation, object.
Found = tuple[str, Pieces, Pieces, Pieces]
_NAMED = NOUNS | {"PRON", "NUM"}


def noun_relations(tree: DependencyTree) -> Iterator[Found]:
    """Every relation between nouns, in the order of the words that show it."""
    for index in range(tree.size):
        head = tree.heads[index]
        if head is None:
            continue
        label = tree.labels[index]
        if label == "appos":
            yield from _apposition(tree, head, index)
        elif label == "nmod:poss":
            yield from _possessive(tree, head, index)
        elif label in ("nmod:desc", "compound", "flat") and index < head:
            yield from _title(tree, head, index)
        elif label in ("nmod:unmarked", "list", "dep") and tree.entity[index] == tree.entity[head] == "place":
            yield _place(tree, head, index)


def _place(tree: DependencyTree, inner: int, outer: int) -> Found:
    """*Paris, Texas*: the first is in the second."""
    return "place", _tokens(tree, inner, outer), (_is_or_are(tree, inner), "in"), _tokens(tree, outer)


def _tokens(tree: DependencyTree, head: int, *leave: int) -> tuple[int, ...]:
    return noun_phrase(tree, head, frozenset(leave), joined=False).tokens


def _apposition(tree: DependencyTree, head: int, index: int) -> Iterator[Found]:
    if tree.upos(head) not in _NAMED or tree.upos(index) not in _NAMED:
        return
    if is_in_brackets(tree, index) and not (_is_short_for(tree, head, index) or tree.child(index, "det") is not None):
        return
    if _is_glued(tree, tree.subtree(index)[0]):
        # "keyring.get", "and/or": parts of one word.
        return
    if tree.lemmas[head] in ("name", "word", "term", "title", "letter"):
        # "the name Ann" is about the word.
        return
    if tree.entity[index] == tree.entity[head] == "place" and tree.upos(index) == "PROPN":
        yield _place(tree, head, index)
        return
    subject = _tokens(tree, head, index)
    # "the three provinces, A, B and C": only together are they three.
    whole = [noun_phrase(tree, index)] if tree.words[head].feature("Number") == "Plur" else atoms(tree, index)
    for phrase in whole:
        if phrase.preposition:
            continue
        if tree.upos(head) == "NOUN" and tree.upos(phrase.head) == "PROPN":
            # "the manager, Ann Lee": the name is the subject.
            yield "apposition", phrase.tokens, (_is_or_are(tree, head),), subject
        else:
            described = phrase.head if tree.upos(phrase.head) == "NOUN" else head
            yield "apposition", subject, (_is_or_are(tree, described),), phrase.tokens


def _is_glued(tree: DependencyTree, index: int) -> bool:
    """Whether a mark and no space stands between a word and the one before it."""
    if tree.base[index] == "punct":
        index += 1
    is_inside = 2 <= index < tree.size and not any(map(str.isalnum, tree.text(index - 1)))
    return is_inside and is_written_together(*tree.words[index - 2 : index + 1])


def _is_short_for(tree: DependencyTree, head: int, index: int) -> bool:
    """Whether a word is made of the first letters of a name: *WHO* of *World Health Organization*."""
    initials = "".join(tree.text(token)[0] for token in _tokens(tree, head, index) if tree.text(token)[:1].isupper())
    short = tree.text(index).replace(".", "")
    return len(short) > 1 and short.isupper() and initials.endswith(short)


def _is_or_are(tree: DependencyTree, noun: int) -> str:
    """The name of a noun holds regardless of the tense of the sentence."""
    return "are" if tree.words[noun].feature("Number") == "Plur" else "is"


def _possessive(tree: DependencyTree, head: int, index: int) -> Iterator[Found]:
    if tree.upos(index) == "PRON" or tree.upos(head) not in NOUNS:
        return
    if tree.entity[index] == "datetime" or is_indefinite(tree, index):
        # "today's tools", "a server's load": nobody has them.
        return
    tokens = [token for token in noun_phrase(tree, index).tokens if tree.tag(token) != "POS"]
    verb = "have" if tree.words[index].feature("Number") == "Plur" else "has"
    past = form_of_be(tree, index) in ("was", "were")
    for phrase in atoms(tree, head, frozenset([index])):
        rest = tuple(token for token in phrase.tokens if token not in tokens and tree.tag(token) != "POS")
        if rest:
            yield "possessive", tuple(tokens), ("had" if past else verb,), rest


def _title(tree: DependencyTree, head: int, index: int) -> Iterator[Found]:
    if tree.upos(head) != "PROPN" or tree.lowered[index] in COURTESY_TITLES or tree.entity[head] != "person":
        return
    if tree.labels[index] != "nmod:desc" and (tree.upos(index) != "NOUN" or tree.entity[index] == "person"):
        return
    rest = _tokens(tree, head, index)
    name = tuple(token for token in rest if tree.entity[token] == "person") or rest
    yield "title", name, (_is_or_are(tree, head),), _tokens(tree, index)
