"""The things in a sentence that a graph can speak of: names, values, and what the arguments of its tuples stand for.

Names come from the recogniser, without titles, articles and genitives, and completed by proper nouns that it missed.
Every other argument is a concept (a short noun phrase), a pronoun, a statement (a clause or a quotation), or a value:
a quality, or words that name nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tupelo.core import Analysis, Argument, Extraction
from tupelo.core.statement import Anchor
from tupelo.names.proper_names import proper_names
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import ARTICLES, HOLLOW_NOUNS, LOOSE_WORDS, MEASURES, POSSESSIVES
from tupelo.nlp.languages.en.quantities import NOT_QUANTITIES, TIME_NOUNS
from tupelo.nlp.syntax import NOUNS, DependencyTree

_MOST_WORDS = 9
_MOST_WORDS_OF_A_QUALITY = 12
_OUTSIDE = frozenset(["acl", "appos", "advcl", "parataxis", "conj", "cc", "nsubj", "cop", "aux", "discourse", "list"])
_FUNCTION = frozenset(["punct", "mark", "cc", "det", "case", "aux", "cop"])
_BEFORE_CONCEPTS = frozenset(["DET", "ADP", "PUNCT", "CCONJ", "PRON", "ADV", "PART"])
_LOOSE = POSSESSIVES | LOOSE_WORDS | words("extraction", "unrestrictive")
_EXAMPLES = words("extraction", "examples")
# *everyone*, *nobody* and *something* stand for nothing else in the text.
_INDEFINITE = ("Ind", "Neg", "Tot")
_MOST_BEFORE = 5
_HYPHENS = frozenset("-–‐")
_NOMINAL = NOUNS | {"PRON", "NUM"}
_UNNAMING = words("extraction", "unnaming")
_QUOTES = frozenset(["``", "“", '"', "''", "”", "‘", "’", "'"])


def find_anchors(
    analysis: Analysis, extractions: Sequence[Extraction], tree: DependencyTree | None = None
) -> list[Anchor]:
    """The anchors of a sentence in reading order, longer ones first; names and values do not overlap each other."""
    if not any(word.deprel for word in analysis.words):
        return []
    tree = tree or DependencyTree(analysis)
    names = list(proper_names(tree))
    taken = {token for name in names for token in range(name.start, name.end)}
    subjects = {head for item in extractions if item.arg1 is not None for head in heads_of(tree, item.arg1)}
    values = [value for value in _values(tree, subjects) if taken.isdisjoint(range(value.start, value.end))]
    taken |= {token for value in values for token in range(value.start, value.end)}
    found = {(anchor.start, anchor.end, anchor.kind): anchor for anchor in (*names, *values, *_pronouns(tree, taken))}
    for argument in (argument for item in extractions for argument in item.arguments):
        for head in heads_of(tree, argument):
            if head not in taken or _is_clause(tree, head, argument.tokens or ()):
                for anchor in _phrases(tree, head, argument, taken):
                    found.setdefault((anchor.start, anchor.end, anchor.kind), anchor)
                    for example in examples_of(tree, anchor.head) if anchor.kind == "concept" else ():
                        kind = concept(tree, example) if example not in taken else None
                        if kind is not None:
                            found.setdefault((kind.start, kind.end, kind.kind), kind)
    return sorted(found.values(), key=lambda anchor: (anchor.start, -anchor.end, anchor.kind))


def heads_of(tree: DependencyTree, argument: Argument) -> list[int]:
    """The heads of the coordinated phrases of an argument; a clause has one."""
    tokens = argument.tokens or ()
    inside = set(tokens)
    # A determiner that two nouns share is attached to the first alone.
    outer = [token for token in tokens if tree.heads[token] not in inside and tree.base[token] not in _FUNCTION]
    if not outer:
        return []
    head = outer[0]
    found, pending = [head], [head]
    while pending and not _is_clause(tree, head, tokens):
        for child in tree.children(pending.pop(), "conj"):
            if child in inside and child not in found and tree.upos(child) in _NOMINAL:
                found.append(child)
                pending.append(child)
    return sorted(found)


def _values(tree: DependencyTree, subjects: set[int]) -> Iterator[Anchor]:
    """Dates, and numbers with what they count: *fourteen people*; what somebody counted does not do anything."""
    for entity in tree.analysis.entities or ():
        if entity.label not in ("datetime", "number"):
            continue
        start, end = entity.start, entity.end
        while start < end and tree.lowered[start] in ARTICLES:
            start += 1
        if start == end or all(word in NOT_QUANTITIES for word in tree.lowered[start:end]):
            continue
        head = tree.head_of(range(start, end))
        if head is None:
            continue
        counted = tree.heads[head]
        if entity.label == "number" and tree.base[head] == "nummod" and counted is not None and counted >= end:
            between = tree.base[end:counted]
            if counted in subjects or not all(label in ("amod", "compound", "punct", "nmod") for label in between):
                continue
            head, end = counted, counted + 1
        elif entity.label == "number" and counted == start - 1 and tree.upos(counted) == "SYM":
            # "$9.27bn"
            head, start = counted, counted
        elif entity.label == "number":
            # "the top 10"
            while start - 1 in tree.children(head, "amod", "compound"):
                start -= 1
        yield Anchor(start, end, head, "value", entity.label, tree.analysis.written(start, end))


def _pronouns(tree: DependencyTree, taken: set[int]) -> Iterator[Anchor]:
    labels = _labels(tree.analysis)
    for index in range(tree.size):
        personal = tree.words[index].feature("Person") is not None or tree.lowered[index] in POSSESSIVES
        if tree.upos(index) == "PRON" and personal and index not in taken and tree.base[index] != "expl":
            yield Anchor(index, index + 1, index, "pronoun", labels.get(index, "abstract"), tree.text(index))


def _phrases(tree: DependencyTree, head: int, argument: Argument, taken: Collection[int]) -> Iterator[Anchor]:
    """The anchors of an argument without a name or a value at its head."""
    tokens = sorted(argument.tokens or ())
    if _is_clause(tree, head, tokens) or _is_quotation(tree, tokens):
        tokens = tree.trim(tokens)
        while tokens and (tree.text(tokens[0]) in _QUOTES or tree.lowered[tokens[0]] == "that"):
            tokens = tokens[1:]
        while tokens and (tree.text(tokens[-1]) in _QUOTES or tree.base[tokens[-1]] == "punct"):
            tokens = tokens[:-1]
        if head in tokens:
            start, end = tokens[0], tokens[-1] + 1
            yield Anchor(start, end, head, "statement", "", tree.analysis.written(start, end))
            return
    for one in meant_nouns(tree, head, tokens):
        if tree.upos(one) == "PRON" and tree.words[one].feature("PronType") not in _INDEFINITE:
            label = _labels(tree.analysis).get(one, "abstract")
            yield Anchor(one, one + 1, one, "pronoun", label, tree.text(one))
        elif one not in taken:
            yield concept(tree, one) or _words(tree, one, tokens)


def meant_nouns(tree: DependencyTree, head: int, inside: Collection[int]) -> list[int]:
    """The nouns that a phrase is about: its head, or after a light noun *towns* in *a number of towns*."""
    first = head
    while tree.lowered[head] in MEASURES or tree.lowered[head] in HOLLOW_NOUNS:
        below = [child for child in tree.children(head, "nmod") if child in inside and child > head]
        nouns = [child for child in below if tree.upos(child) in _NOMINAL]
        if not nouns:
            break
        head = nouns[0]
    others = [] if head == first else tree.children(head, "conj")
    return [head, *(other for other in others if other in inside)]


def examples_of(tree: DependencyTree, noun: int) -> list[int]:
    """The kinds that a phrase names as examples: *bees* and *moths* in *insects such as bees and moths*."""
    named = [
        child
        for child in tree.children(noun, "nmod")
        if child > noun and any(tree.lowered[case] in _EXAMPLES for case in tree.children(child, "case"))
    ]
    return [one for first in named for one in (first, *tree.children(first, "conj")) if tree.upos(one) == "NOUN"]


def concept(tree: DependencyTree, head: int) -> Anchor | None:
    """The core of a noun phrase, `None` where its head says nothing by itself."""
    if tree.upos(head) not in ("NOUN", "PROPN", "NUM") or tree.base[head] in ("amod", "case"):
        return None
    start, end = _core(tree, head)
    measure = tree.lowered[head] in MEASURES or tree.upos(head) == "NUM"
    hollow = end == head + 1 if measure else tree.lowered[head] in HOLLOW_NOUNS
    if hollow or tree.lemmas[head] in TIME_NOUNS or tree.has_word(tree.children(head, "det"), _UNNAMING):
        return None
    label = _labels(tree.analysis).get(head, "abstract")
    return Anchor(start, end, head, "concept", label, tree.analysis.written(start, end))


def _words(tree: DependencyTree, head: int, tokens: Sequence[int]) -> Anchor:
    """A value of the words of an argument around its head, without what leads to it: *very old* in *is very old*."""
    start = end = head
    while start - 1 in tokens and not (
        tree.base[start - 1] in ("case", "mark", "punct") or tree.lowered[start - 1] in ARTICLES
    ):
        start -= 1
    while end + 1 in tokens and end + 1 - start < _MOST_WORDS_OF_A_QUALITY:
        end += 1
    while end > head and tree.base[end] in ("punct", "case", "det", "mark", "cc"):
        end -= 1
    label = "datetime" if tree.lemmas[head] in TIME_NOUNS else "quality"
    return Anchor(start, end + 1, head, "value", label, tree.analysis.written(start, end + 1))


def _core(tree: DependencyTree, head: int) -> tuple[int, int]:
    """Words `[start, end)`: what stands before the head, and short phrases with a preposition after it."""
    outside = [child for child in tree.below[head] if tree.base[child] in _OUTSIDE and child > head]
    outside += [child for child in tree.below[head] if tree.base[child] in ("nsubj", "cop", "aux", "advcl", "mark")]
    inside = set(tree.subtree(head, outside))
    start = head
    while start - 1 in inside:
        start -= 1
    while start < head and (_is_loose(tree, start) or head - start > _MOST_BEFORE):
        start += 1
    end = head + 1
    while end in inside and tree.base[end] in ("compound", "flat") and tree.heads[end] == head:
        end += 1
    if tree.child(head, "cop") is not None or tree.labels[head] == "appos":
        # "is a biologist from Bergen": what it is, without what the link to Bergen says.
        return start, end
    for child in tree.children(head, "nmod"):
        if child < head or tree.child(child, "case") is None:
            continue
        further = [below for below in tree.subtree(child) if tree.base[below] in ("acl", "appos", "parataxis")]
        phrase = tree.trim(tree.subtree(child, further))
        is_next = phrase == list(range(end, end + len(phrase))) and tree.lowered[end] not in _EXAMPLES
        plain = all(tree.upos(token) != "PRON" and tree.entity[token] != "datetime" for token in phrase)
        if not phrase or not is_next or not plain or phrase[-1] + 1 - start > _MOST_WORDS:
            break
        end = phrase[-1] + 1
    return start, end


def _is_loose(tree: DependencyTree, index: int) -> bool:
    """Whether a word at the start of a noun phrase is no part of what it stands for."""
    if tree.text(index + 1) in _HYPHENS and tree.upos(index) != "PUNCT":
        # "all - time record"
        return False
    is_small = tree.lowered[index] in _LOOSE and (index == 0 or tree.text(index).islower())
    return is_small or tree.upos(index) in _BEFORE_CONCEPTS or tree.base[index] == "case"


def _labels(analysis: Analysis) -> dict[int, str]:
    return {mention.head: mention.label for mention in analysis.mentions or ()}


def _is_clause(tree: DependencyTree, head: int, tokens: Sequence[int]) -> bool:
    if tree.upos(head) in ("VERB", "AUX"):
        return tree.base[head] not in ("amod", "compound", "nmod", "obl", "obj", "nsubj")
    return any(child in tokens for child in tree.children(head, "nsubj", "cop", "mark"))


def _is_quotation(tree: DependencyTree, tokens: Sequence[int]) -> bool:
    quotes = [token for token in tokens if tree.text(token) in _QUOTES]
    return len(tokens) > 4 and len(quotes) > 1 and quotes[0] == tokens[0]
