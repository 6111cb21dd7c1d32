"""The things in a sentence that a graph can speak of: names, values, and what the arguments of its tuples stand for.

Names come from the recogniser, without titles, articles and genitives, and completed by proper nouns that it missed.
Every other argument is a concept (a short noun phrase), a pronoun, a statement (a clause or a quotation), or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Analysis, Argument, Extraction
from tupelo.core.coreference import GENITIVES, NAMES
from tupelo.core.statement import Anchor
from tupelo.nlp.languages.en.calendar import TIME_NOUNS
from tupelo.nlp.languages.en.demonyms import DEMONYMS, PLACES_OF
from tupelo.nlp.languages.en.nouns import HOLLOW_NOUNS, MEASURES
from tupelo.nlp.languages.en.numbers import NOT_QUANTITIES
from tupelo.nlp.languages.en.pronouns import POSSESSIVES
from tupelo.nlp.languages.en.stop_words import ARTICLES
from tupelo.nlp.languages.en.titles import is_role, title_words
from tupelo.nlp.syntax import DependencyTree

_COUNTRIES = frozenset(tuple(place.lower().split()) for place in DEMONYMS.values())
_MOST_WORDS = 6
# Tags of words that cannot begin or end a name.
_LOOSE = frozenset(["DET", "ADP", "PUNCT", "CCONJ", "SCONJ", "PART", "AUX", "PRON"])
# Types of names whose first words the recogniser may have missed, as in "United [States]".
_EXTENDED = frozenset(["place", "organization", "event", "work"])
_OUTSIDE = frozenset(["acl", "appos", "advcl", "parataxis", "conj", "cc", "nsubj", "cop", "aux", "discourse", "list"])
_FUNCTION = frozenset(["punct", "mark", "cc", "det", "case", "aux", "cop"])
_BEFORE_CONCEPTS = frozenset(["DET", "ADP", "PUNCT", "CCONJ", "PRON", "ADV", "PART"])
_SMALL = POSSESSIVES | {"other", "such", "same", "own", "certain", "several", "many", "various", "numerous", "few"}
_MOST_BEFORE = 4
# "any man", "no loan": nobody in particular.
_UNNAMING = frozenset(["no", "any", "whose", "which", "what", "whatever", "every", "each", "neither", "either"])
_QUOTES = frozenset(["``", "“", '"', "''", "”", "‘", "’", "'"])


def find_anchors(analysis: Analysis, extractions: Sequence[Extraction]) -> list[Anchor]:
    """The anchors of a sentence in reading order, longer ones first; names and values do not overlap each other."""
    if not any(word.deprel for word in analysis.words):
        return []
    tree = DependencyTree(analysis)
    names = list(_names(tree))
    taken = {token for name in names for token in range(name.start, name.end)}
    subjects = {head for item in extractions if item.arg1 is not None for head in heads_of(tree, item.arg1)}
    values = [value for value in _values(tree, subjects) if taken.isdisjoint(range(value.start, value.end))]
    taken |= {token for value in values for token in range(value.start, value.end)}
    found = {(anchor.start, anchor.end, anchor.kind): anchor for anchor in (*names, *values, *_pronouns(tree, taken))}
    for argument in (argument for item in extractions for argument in item.arguments):
        for head in heads_of(tree, argument):
            if head not in taken and (anchor := _phrase(tree, head, argument)) is not None:
                found.setdefault((anchor.start, anchor.end, anchor.kind), anchor)
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
            if child in inside and child not in found and tree.upos(child) in ("NOUN", "PROPN", "PRON", "NUM"):
                found.append(child)
                pending.append(child)
    return sorted(found)


def _names(tree: DependencyTree) -> Iterator[Anchor]:
    """Recognised names, adjectives of places, and proper nouns that nobody recognised."""
    taken: set[int] = set()
    found: list[Anchor] = []
    entities = sorted(tree.analysis.entities or (), key=lambda entity: entity.start)
    others = {token for entity in entities for token in range(entity.start, entity.end)}
    for entity in entities:
        if entity.label not in NAMES:
            continue
        for start, end, label in _parted(tree, entity.start, entity.end, entity.label):
            start, end = _trimmed(tree, start, end, label)
            while (
                label in _EXTENDED
                and 0 < start < end
                and start - 1 not in others
                and _belongs(tree, start - 1, start, end)
            ):
                start -= 1
            if start < end and any(
                word.text[:1].isupper() or word.text[:1].isdigit() for word in tree.words[start:end]
            ):
                found.append(_name(tree, start, end, label))
                taken.update(range(start, end))
    taken |= others
    found += _demonyms(tree, taken)
    found += _overlooked(tree, taken)
    yield from found


def _name(tree: DependencyTree, start: int, end: int, label: str) -> Anchor:
    head = tree.head_of(range(start, end))
    if is_demonym(tree, start, end) and (end - start > 1 or tree.upos(start) == "ADJ"):
        label = "place"
    return Anchor(start, end, start if head is None else head, "name", label, tree.analysis.written(start, end))


def is_demonym(tree: DependencyTree, start: int, end: int) -> bool:
    """Whether words are an adjective or a noun made from the name of a place."""
    return " ".join(tree.lowered[start:end]) in PLACES_OF


def _parted(tree: DependencyTree, start: int, end: int, label: str) -> Iterator[tuple[int, int, str]]:
    """Two names that were taken for one: *South Africa('s) Tokyo Sexwale*."""
    if label == "person":
        for place in range(start + 1, end - 1):
            owner = tuple(tree.lowered[start:place])
            if tree.text(place) in GENITIVES or owner in _COUNTRIES:
                yield start, place, "place" if owner in _COUNTRIES else "other"
                yield place, end, label
                return
    yield start, end, label


def _trimmed(tree: DependencyTree, start: int, end: int, label: str) -> tuple[int, int]:
    """A name without titles, articles, genitives and loose words at its ends."""
    if label == "person":
        start += title_words([word.text for word in tree.words[start:end]])
    while start < end and (tree.lowered[start] in ARTICLES or tree.upos(start) in _LOOSE):
        start += 1
    while start < end and (tree.text(end - 1) in GENITIVES or tree.upos(end - 1) in _LOOSE):
        end -= 1
    return start, end


def _is_office(tree: DependencyTree, start: int, end: int) -> bool:
    """*45th President of the United States*."""
    return is_role([word.text for word in tree.words[start:end] if word.upos not in ("NUM", "ADJ")])


def _belongs(tree: DependencyTree, place: int, start: int, end: int) -> bool:
    """Whether the word before a name is part of it: capitalized, and a modifier of a word of the name."""
    head = tree.heads[place]
    return (
        tree.text(place)[:1].isupper()
        and tree.upos(place) in ("PROPN", "ADJ", "VERB")
        and tree.lowered[place] not in PLACES_OF
        and not is_role([tree.text(place)])
        and head is not None
        and start <= head < end
    )


def _demonyms(tree: DependencyTree, taken: set[int]) -> Iterator[Anchor]:
    """*Kenyan*, *South African*, *an American*; not the language in *they spoke Dutch*."""
    place = 0
    while place < tree.size:
        size = next((size for size in (2, 1) if is_demonym(tree, place, min(place + size, tree.size))), 0)
        last = place + size - 1
        if size and tree.text(place)[:1].isupper() and taken.isdisjoint(range(place, place + size)):
            modifies = tree.base[last] in ("amod", "compound", "nmod", "conj") and tree.labels[last] != "nmod:poss"
            if tree.upos(last) == "ADJ" or (modifies and tree.child(last, "case") is None):
                taken.update(range(place, place + size))
                yield _name(tree, place, place + size, "place")
        place += size or 1


def _overlooked(tree: DependencyTree, taken: set[int]) -> Iterator[Anchor]:
    """Runs of proper nouns outside all entities; not a title alone, and nothing in a line of capitals."""
    if sum(word.text.isupper() for word in tree.words) * 2 > tree.size:
        return
    place = 0
    while place < tree.size:
        end = place
        while end < tree.size and end not in taken and tree.upos(end) == "PROPN" and tree.text(end)[:1].isupper():
            end += 1
        if end == place:
            place += 1
            continue
        words = [word.text for word in tree.words[place:end]]
        heads_name = end < tree.size and end in taken
        alone = end - place == 1 and (words[0].lower() in TIME_NOUNS or len(words[0]) < 2 or heads_name)
        if not (is_role(words) or alone):
            taken.update(range(place, end))
            yield _name(tree, place, end, "other")
        place = end


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


def _phrase(tree: DependencyTree, head: int, argument: Argument) -> Anchor | None:
    """What an argument without a name or a value at its head stands for."""
    tokens = sorted(argument.tokens or ())
    if _is_clause(tree, head, tokens) or _is_quotation(tree, tokens):
        tokens = tree.trim(tokens)
        while tokens and (tree.text(tokens[0]) in _QUOTES or tree.lowered[tokens[0]] == "that"):
            tokens = tokens[1:]
        while tokens and (tree.text(tokens[-1]) in _QUOTES or tree.base[tokens[-1]] == "punct"):
            tokens = tokens[:-1]
        if len(tokens) < 2:
            return None
        start, end = tokens[0], tokens[-1] + 1
        return Anchor(start, end, head, "statement", "", tree.analysis.written(start, end))
    if tree.upos(head) == "PRON":
        label = _labels(tree.analysis).get(head, "abstract")
        return Anchor(head, head + 1, head, "pronoun", label, tree.text(head))
    return concept(tree, head)


def concept(tree: DependencyTree, head: int) -> Anchor | None:
    """The core of a noun phrase, `None` where its head says nothing by itself."""
    if tree.upos(head) not in ("NOUN", "PROPN", "NUM") or tree.base[head] in ("amod", "case"):
        return None
    start, end = _core(tree, head)
    hollow = tree.lowered[head] in HOLLOW_NOUNS or tree.lowered[head] in MEASURES or tree.upos(head) == "NUM"
    if end - start > _MOST_WORDS or (hollow and end - start < 2) or tree.lemmas[head] in TIME_NOUNS:
        return None
    if any(tree.lowered[index] in _UNNAMING for index in tree.children(head, "det")):
        return None
    label = _labels(tree.analysis).get(head, "abstract")
    return Anchor(start, end, head, "concept", label, tree.analysis.written(start, end))


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
        is_next = phrase and phrase == list(range(end, end + len(phrase)))
        plain = all(tree.upos(token) != "PRON" and tree.entity[token] != "datetime" for token in phrase)
        if not is_next or not plain or phrase[-1] + 1 - start > _MOST_WORDS:
            break
        end = phrase[-1] + 1
    return start, end


def _is_loose(tree: DependencyTree, index: int) -> bool:
    """Whether a word at the start of a noun phrase is no part of what it stands for."""
    if tree.text(index + 1) in ("-", "–") and tree.upos(index) != "PUNCT":
        # "all - time record"
        return False
    return tree.upos(index) in _BEFORE_CONCEPTS or tree.lowered[index] in _SMALL


def _labels(analysis: Analysis) -> dict[int, str]:
    return {mention.head: mention.label for mention in analysis.mentions or ()}


def _is_clause(tree: DependencyTree, head: int, tokens: Sequence[int]) -> bool:
    if tree.upos(head) in ("VERB", "AUX"):
        return tree.base[head] not in ("amod", "compound", "nmod", "obl", "obj", "nsubj")
    return any(child in tokens for child in tree.children(head, "nsubj", "cop", "mark"))


def _is_quotation(tree: DependencyTree, tokens: Sequence[int]) -> bool:
    return (
        len(tokens) > 4
        and tree.text(tokens[0]) in _QUOTES
        and any(tree.text(token) in _QUOTES for token in tokens[1:])
    )
