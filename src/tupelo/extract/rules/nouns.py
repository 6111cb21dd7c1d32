"""Relations without a verb: appositions, owners, titles, places, prepositions between nouns."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.extract.rules.phrases import ArgumentPhrase, atoms, is_in_brackets, is_indefinite, noun_phrase
from tupelo.extract.rules.verbs import Pieces, form_of_be
from tupelo.nlp.languages.en.naming import COURTESY_TITLES
from tupelo.nlp.syntax import NOUNS, DependencyTree

# Rule, subject, relation, object.
Found = tuple[str, Pieces, Pieces, Pieces]


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
        elif label == "nmod":
            yield from _prepositional(tree, head, index)
        elif label in ("nmod:unmarked", "list", "dep") and tree.entity[index] == tree.entity[head] == "place":
            yield "place", _tokens(tree, head, index), (_is_or_are(tree, head), "in"), _tokens(tree, index)


def _tokens(tree: DependencyTree, head: int, *leave: int) -> tuple[int, ...]:
    return noun_phrase(tree, head, frozenset(leave), joined=False).tokens


def _apposition(tree: DependencyTree, head: int, index: int) -> Iterator[Found]:
    if tree.upos(head) not in NOUNS and tree.upos(head) not in ("PRON", "NUM"):
        return
    if is_in_brackets(tree, index) and not (_is_short_for(tree, head, index) or tree.child(index, "det") is not None):
        return
    if tree.upos(index) not in NOUNS and tree.upos(index) not in ("PRON", "NUM"):
        return
    if _is_glued(tree, tree.subtree(index)[0]):
        # "keyring.get", "and/or": parts of one word.
        return
    if tree.lemmas[head] in ("name", "word", "term", "title", "letter"):
        # "the name Ann" is about the word.
        return
    if tree.entity[index] == tree.entity[head] == "place" and tree.upos(index) == "PROPN":
        yield "place", _tokens(tree, head, index), (_is_or_are(tree, head), "in"), _tokens(tree, index)
        return
    subject = _tokens(tree, head, index)
    # "the three provinces, A, B and C": only together are they three.
    whole = [noun_phrase(tree, index)] if tree.words[head].feature("Number") == "Plur" else atoms(tree, index)
    for phrase in whole:
        if phrase.preposition:
            continue
        first, second = subject, phrase.tokens
        described = head
        if tree.upos(head) == "NOUN" and tree.upos(phrase.head) == "PROPN":
            # "the manager, Ann Lee": the name is the subject.
            first, second = second, first
        elif tree.upos(phrase.head) == "NOUN":
            described = phrase.head
        yield "apposition", tuple(first), (_is_or_are(tree, described),), tuple(second)


def _is_glued(tree: DependencyTree, index: int) -> bool:
    """Whether a mark and no space stands between a word and the one before it."""
    if tree.base[index] == "punct":
        index += 1
    if not 2 <= index < tree.size:
        return False
    before, mark, word = tree.words[index - 2 : index + 1]
    return before.end == mark.start and mark.end == word.start and not any(map(str.isalnum, mark.text))


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
    owner = noun_phrase(tree, index)
    tokens = [token for token in owner.tokens if tree.tag(token) != "POS"]
    owned: list[ArgumentPhrase] = atoms(tree, head, frozenset([index]))
    verb = "have" if tree.words[index].feature("Number") == "Plur" else "has"
    past = form_of_be(tree, index) in ("was", "were")
    for phrase in owned:
        rest = tuple(token for token in phrase.tokens if token not in tokens and tree.tag(token) != "POS")
        if rest:
            yield "possessive", tuple(tokens), ("had" if past else verb,), rest


def _title(tree: DependencyTree, head: int, index: int) -> Iterator[Found]:
    if tree.upos(head) != "PROPN" or tree.lowered[index] in COURTESY_TITLES or tree.entity[head] != "person":
        return
    if tree.labels[index] != "nmod:desc" and (tree.upos(index) != "NOUN" or tree.entity[index] == "person"):
        return
    title = _tokens(tree, index)
    rest = list(_tokens(tree, head, index))
    name = [token for token in rest if tree.entity[token] == "person"] or rest
    yield "title", tuple(name), (_is_or_are(tree, head),), title


def _prepositional(tree: DependencyTree, head: int, index: int) -> Iterator[Found]:
    if tree.upos(head) not in NOUNS:
        return
    prepositions = tree.children(index, "case")
    if len(prepositions) != 1 or tree.lowered[prepositions[0]] in ("of", "as", "than", "including", "like", "such"):
        return
    subject = _tokens(tree, head, index)
    for phrase in atoms(tree, index):
        located = tree.entity[phrase.head] == "place"
        rule = "noun-place" if located else "noun-preposition"
        yield rule, tuple(subject), (form_of_be(tree, head), prepositions[0]), tuple(phrase.tokens)
