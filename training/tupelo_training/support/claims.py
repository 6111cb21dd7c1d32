"""Claims that a text supports, and claims that it does not, made from its parsed sentences.

A claim is a list of words, each with a label: supported (1), not (0), or unknown (2). True ones are sentences
shortened, rewritten, joined or told with a synonym; false ones have a name, number, noun or verb of another
sentence, a denial, swapped roles, a phrase that belongs elsewhere, or the subject of one sentence with the predicate
of another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tupelo.core.coreference import NAMES
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.support.table import NO, OPEN, YES

Words = list[tuple[str, int]]
# Kinds of claims that one sentence of the text settles.
ONE_SENTENCE = frozenset(("short", "synonym", "rewrite", "name", "digit", "word", "denied", "roles", "added"))

_DROPPED = frozenset(
    ["advmod", "obl", "acl", "appos", "parataxis", "advcl", "amod", "nmod", "discourse", "vocative", "conj", "det"]
)
_VALUES = frozenset(["number", "datetime"])
_SWAPPED = {
    "NN": "noun",
    "NNS": "noun",
    "VBD": "verb",
    "VBN": "verb",
    "VBZ": "verb",
    "VBG": "verb",
    "VB": "verb",
    "JJ": "adj",
}
_COMMON = frozenset(
    (
        "be",
        "have",
        "do",
        "say",
        "get",
        "make",
        "take",
        "go",
        "come",
        "see",
        "know",
        "think",
        "use",
        "find",
        "give",
        "tell",
        "new",
        "other",
        "many",
        "such",
        "more",
    )
)


@dataclass(slots=True)
class Store:
    """Words and phrases of all texts, to take false ones from."""

    names: dict[str, list[str]] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    sentences: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, tree: DependencyTree) -> None:
        for entity in tree.analysis.entities or ():
            self.names.setdefault(entity.label, []).append(tree.analysis.phrase(entity))
        for place in range(tree.size):
            if tree.tag(place) in _SWAPPED and tree.lemmas[place] not in _COMMON and tree.words[place].text.isalpha():
                self.words.setdefault(tree.tag(place), []).append(tree.words[place].text)
        if 6 <= tree.size <= 40:
            self.sentences.append(tuple(word.text for word in tree.words))


@dataclass(frozen=True, slots=True)
class Claim:
    """`label` of the whole; `kind` says how it was made; `at` is the sentence of the text it was made from."""

    words: tuple[tuple[str, int], ...]
    label: float
    kind: str
    at: int


def _plain(tree: DependencyTree, places: Sequence[int], label: int = YES) -> Words:
    return [(tree.words[place].text, label) for place in places]


def _ended(words: Words) -> Words:
    while words and words[-1][0] in (",", ";", ":", "-", "--", "–", ".", '"', "'"):
        words.pop()
    while words and words[0][0] in (",", ";", ":", "-", "--", "–", "."):
        words.pop(0)
    return [*words, (".", OPEN)] if words else []


def shortened(tree: DependencyTree, chance: random.Random, share: float) -> list[int] | None:
    """The sentence without some modifiers; never without a denial."""
    gone: set[int] = set()
    for place in range(tree.size):
        base = tree.base[place]
        if (
            place in gone
            or base not in _DROPPED
            or tree.tag(place) in ("DT", "WDT", "WP", "WRB")
            or chance.random() > share
        ):
            continue
        below = tree.subtree(place)
        head = tree.heads[place]
        # Only the last of two: "A and B" becomes "A"; the rest keeps its commas.
        if base == "conj" and head is not None and (len(tree.children(head, "conj")) != 1 or place < head):
            continue
        if any(tree.base[item] in ("nsubj",) and item not in below for item in below):
            continue
        if any(
            tree.lowered[item] in ("not", "n't", "no", "never", "without", "only", "nearly", "almost", "if", "unless")
            for item in below
        ):
            continue
        if (
            head is not None
            and base == "obl"
            and tree.words[head].upos == "VERB"
            and tree.child(head, "obj") is None
            and tree.child(head, "cop") is None
            and len(tree.children(head, "obl")) == 1
        ):
            continue
        if len(below) > 0.6 * tree.size:
            continue
        gone.update(below)
    kept = [place for place in range(tree.size) if place not in gone]
    kept = _without_loose_commas(tree, kept)
    return kept if gone and len(kept) >= 4 else None


def _without_loose_commas(tree: DependencyTree, kept: list[int]) -> list[int]:
    result: list[int] = []
    for place in kept:
        mark = tree.words[place].text in (",", "-", "--", "–", "(", ")")
        if mark and (not result or place - 1 not in kept or place + 1 not in kept or result[-1] != place - 1):
            if tree.words[place].text == "," and result and place + 1 in kept and tree.words[result[-1]].text != ",":
                result.append(place)
            continue
        result.append(place)
    return result


def clause(tree: DependencyTree, chance: random.Random) -> list[int] | None:
    """A clause with a subject of its own that is stated as a fact: not under *if* or *whether*."""
    found = []
    for place in range(tree.size):
        head = tree.heads[place]
        if (
            tree.base[place] not in ("ccomp", "parataxis", "conj", "advcl")
            or tree.child(place, "nsubj") is None
            or head is None
        ):
            continue
        mark = tree.child(place, "mark")
        if mark is not None and tree.lowered[mark] not in (
            "that",
            "after",
            "because",
            "as",
            "while",
            "when",
            "since",
            "although",
        ):
            continue
        if tree.base[place] == "ccomp" and tree.lemmas[head] not in (
            "say",
            "add",
            "show",
            "report",
            "confirm",
            "announce",
            "find",
            "reveal",
            "know",
        ):
            continue
        below = tree.subtree(place)
        skipped = {item for item in below if item == mark or (tree.heads[item] == place and tree.base[item] == "cc")}
        below = tree.trim([item for item in below if item not in skipped])
        if 4 <= len(below) < tree.size - 2:
            found.append(below)
    return chance.choice(found) if found else None


def _parts(tree: DependencyTree) -> tuple[list[int], list[int], int] | None:
    """Subject and predicate of the main clause."""
    root = tree.analysis.root
    if root is None:
        return None
    subject = tree.child(root, "nsubj")
    if subject is None or subject > root or tree.labels[subject].startswith("nsubj:outer"):
        return None
    own = tree.subtree(subject)
    rest = [place for place in tree.subtree(root) if place not in set(own) and place > own[-1]]
    return (own, rest, root) if rest and len(own) <= 8 else None


def _replaced(words: Words, start: int, end: int, new: Sequence[str]) -> Words:
    return [*words[:start], *((word, NO) for word in new), *words[end:]]


def _other(chance: random.Random, options: Sequence[str], old: str) -> str | None:
    own = set(old.lower().split())
    for _ in range(6):
        new = chance.choice(options) if options else ""
        if new and not own & set(new.lower().split()):
            return new
    return None


def name_swapped(
    tree: DependencyTree, kept: Sequence[int], chance: random.Random, near: Mapping[str, list[str]], store: Store
) -> Words | None:
    inside = set(kept)
    entities = [
        e
        for e in tree.analysis.entities or ()
        if inside.issuperset(range(e.start, e.end)) and e.label in NAMES | _VALUES
    ]
    if not entities:
        return None
    entity = chance.choice(entities)
    options = near.get(entity.label, ()) if chance.random() < 0.6 else store.names.get(entity.label, ())
    new = _other(chance, options, tree.analysis.phrase(entity))
    if new is None:
        return None
    place = list(kept).index(entity.start)
    return _replaced(_plain(tree, kept), place, place + entity.end - entity.start, new.split())


def digit_changed(tree: DependencyTree, kept: Sequence[int], chance: random.Random) -> Words | None:
    numbers = [index for index, place in enumerate(kept) if any(c.isdigit() for c in tree.words[place].text)]
    if not numbers:
        return None
    index = chance.choice(numbers)
    old = tree.words[kept[index]].text
    digits = [place for place, c in enumerate(old) if c.isdigit()]
    place = chance.choice(digits)
    new = chance.choice([c for c in ("123456789" if place == digits[0] else "0123456789") if c != old[place]])
    return _replaced(_plain(tree, kept), index, index + 1, [old[:place] + new + old[place + 1 :]])


def word_swapped(
    tree: DependencyTree, kept: Sequence[int], chance: random.Random, near: Mapping[str, list[str]], store: Store
) -> Words | None:
    """Another noun, verb or adjective of the same form."""
    places = [
        index
        for index, place in enumerate(kept)
        if tree.tag(place) in _SWAPPED
        and tree.lemmas[place] not in _COMMON
        and tree.words[place].text.isalpha()
        and tree.base[place] not in ("aux", "cop")
    ]
    if not places:
        return None
    index = chance.choice(places)
    tag = tree.tag(kept[index])
    options = near.get(tag, ()) if chance.random() < 0.6 else store.words.get(tag, ())
    new = _other(chance, options, tree.words[kept[index]].text)
    if new is None or new.lower()[:4] == tree.lowered[kept[index]][:4]:
        return None
    return _replaced(_plain(tree, kept), index, index + 1, [new])


def denied(tree: DependencyTree, kept: Sequence[int], chance: random.Random) -> Words | None:
    """With a *not* that was not there, or without the one that was."""
    words = _plain(tree, kept)
    for index, place in enumerate(kept):
        if tree.lowered[place] in ("not", "n't") and tree.heads[place] == tree.analysis.root:
            made = [*words[:index], *words[index + 1 :]]
            return [(word, NO if abs(spot - index) <= 1 else label) for spot, (word, label) in enumerate(made)]
    root = tree.analysis.root
    for index, place in enumerate(kept):
        if tree.base[place] in ("aux", "cop") and tree.heads[place] == root:
            made = [*words[: index + 1], ("not", NO), *words[index + 1 :]]
            return [
                (w, NO if kept_root(tree, kept, root) == spot - 1 else label) for spot, (w, label) in enumerate(made)
            ]
    if root is not None and root in kept and tree.tag(root) == "VBD" and tree.child(root, "nsubj") is not None:
        index = list(kept).index(root)
        verb = tree.words[root].lemma or tree.words[root].text
        return [*words[:index], ("did", NO), ("not", NO), (verb, NO), *words[index + 1 :]]
    return None


def kept_root(tree: DependencyTree, kept: Sequence[int], root: int | None) -> int:
    return list(kept).index(root) if root is not None and root in kept else -5


def roles_swapped(tree: DependencyTree, chance: random.Random) -> Words | None:
    parts = _parts(tree)
    if parts is None:
        return None
    subject, rest, root = parts
    below = tree.children(root, "obj", "obl", "nmod")
    options = []
    for item in below:
        marker = tree.child(item, "case")
        phrase = [place for place in tree.subtree(item) if place != marker]
        if (
            item > root
            and len(phrase) <= 8
            and phrase == list(range(phrase[0], phrase[-1] + 1))
            and tree.words[item].upos in ("PROPN", "NOUN")
        ):
            options.append(phrase)
    if not options or tree.words[subject[-1]].upos == "PRON":
        return None
    phrase = chance.choice(options)
    made: Words = [(tree.words[place].text, NO) for place in phrase]
    for place in rest:
        if place == phrase[0]:
            made += [(tree.words[item].text, NO) for item in subject]
        if place not in phrase:
            made.append((tree.words[place].text, OPEN))
    return made


def crossed(one: DependencyTree, other: DependencyTree) -> Words | None:
    """The subject of one sentence with the predicate of another."""
    first, second = _parts(one), _parts(other)
    if first is None or second is None:
        return None
    own, its = {one.lowered[place] for place in first[0]}, {other.lowered[place] for place in second[0]}
    if (
        own & its
        or any(one.words[place].upos == "PRON" for place in first[0])
        or any(other.words[place].upos == "PRON" for place in second[0])
    ):
        return None
    return [*_plain(one, first[0], OPEN), *_plain(other, second[1], OPEN)]


def same_subject(one: DependencyTree, other: DependencyTree) -> Words | None:
    """Two sentences about the same, merged into one."""
    first, second = _parts(one), _parts(other)
    if first is None or second is None:
        return None
    own = {one.lowered[place] for place in first[0] if one.words[place].upos == "PROPN"}
    its = {other.lowered[place] for place in second[0] if other.words[place].upos == "PROPN"}
    if not own & its:
        return None
    return [*_plain(one, first[0]), *_plain(other, second[1])]


def phrase_added(
    tree: DependencyTree, kept: Sequence[int], other: DependencyTree, chance: random.Random
) -> Words | None:
    """A time, place or manner that belongs to another sentence, put at the end or the start."""
    phrases = []
    for place in range(other.size):
        if other.base[place] in ("obl", "advcl", "nmod") and other.child(place, "case", "mark") is not None:
            below = other.subtree(place)
            if (
                2 <= len(below) <= 9
                and below == list(range(below[0], below[-1] + 1))
                and any(other.words[b].upos in ("PROPN", "NUM", "NOUN") for b in below)
            ):
                phrases.append(below)
    own = {tree.lowered[place] for place in range(tree.size)}
    phrases = [
        p
        for p in phrases
        if not {other.lowered[i] for i in p if other.words[i].upos in ("NOUN", "PROPN", "NUM")} & own
    ]
    if not phrases:
        return None
    phrase = [(other.words[place].text, NO) for place in chance.choice(phrases)]
    words = _ended(_plain(tree, kept))[:-1]
    return [*words, *phrase] if chance.random() < 0.75 else [*phrase, (",", OPEN), *words]


def synonym(
    tree: DependencyTree, kept: Sequence[int], chance: random.Random, table: Mapping[str, Sequence[str]]
) -> Words | None:
    places = [
        i
        for i, p in enumerate(kept)
        if tree.words[p].upos in ("NOUN", "VERB", "ADJ", "ADV") and tree.lowered[p] in table
    ]
    if not places:
        return None
    words = _plain(tree, kept)
    for index in chance.sample(places, min(len(places), chance.choice((1, 1, 2)))):
        words[index] = (chance.choice(table[tree.lowered[kept[index]]]), YES)
    return words


def claims_of(
    trees: Sequence[DependencyTree],
    store: Store,
    table: Mapping[str, Sequence[str]],
    rewritten: Mapping[int, Sequence[str]],
    chance: random.Random,
    count: int,
) -> Iterator[Claim]:
    """About `count` claims of one text, half of them false."""
    near: dict[str, list[str]] = {}
    for tree in trees:
        for entity in tree.analysis.entities or ():
            near.setdefault(entity.label, []).append(tree.analysis.phrase(entity))
        for place in range(tree.size):
            if tree.tag(place) in _SWAPPED and tree.lemmas[place] not in _COMMON and tree.words[place].text.isalpha():
                near.setdefault(tree.tag(place), []).append(tree.words[place].text)
    usable = [number for number, tree in enumerate(trees) if 5 <= tree.size <= 45 and tree.analysis.root is not None]
    if len(usable) < 2:
        return
    for _ in range(count):
        at = chance.choice(usable)
        tree = trees[at]
        kept = _base(tree, chance)
        other = trees[chance.choice(usable)]
        made: Words | None
        if chance.random() < 0.5:
            kind = chance.choices(["short", "synonym", "rewrite", "joined", "same-subject"], [34, 22, 20, 8, 16])[0]
            if kind == "synonym":
                made = synonym(tree, kept, chance, table)
            elif kind == "rewrite":
                options = rewritten.get(at)
                made = [(word, YES) for word in chance.choice(options).split()] if options else None
            elif kind == "joined" and other is not tree:
                second = _base(other, chance)
                made = [*_ended(_plain(tree, kept))[:-1], ("and", OPEN), *_plain(other, second)]
            elif kind == "same-subject":
                made = next(
                    (
                        w
                        for o in chance.sample(usable, min(12, len(usable)))
                        if trees[o] is not tree and (w := same_subject(tree, trees[o]))
                    ),
                    None,
                )
            else:
                kind, made = "short", _plain(tree, kept)
            label = 1.0
            if made is None:
                kind, made = "short", _plain(tree, kept)
        else:
            label = 0.0
            kind = chance.choices(
                ["name", "digit", "word", "denied", "roles", "crossed", "added", "stranger"],
                [20, 9, 15, 6, 14, 22, 10, 4],
            )[0]
            made = _false(kind, tree, kept, other, chance, near, store, trees, usable)
            if made is None:
                kind, made = "name", name_swapped(tree, kept, chance, near, store)
            if made is None:
                kind, made = "word", word_swapped(tree, kept, chance, near, store)
            if made is None:
                continue
        finished = _ended(made)
        if 4 <= len(finished) <= 50:
            yield Claim(tuple(finished), label, kind, at)


def _base(tree: DependencyTree, chance: random.Random) -> list[int]:
    draw = chance.random()
    if draw < 0.45:
        found = shortened(tree, chance, chance.choice((0.3, 0.5, 0.8)))
    elif draw < 0.6:
        found = clause(tree, chance)
    else:
        found = None
    return found or list(range(tree.size))


def _false(
    kind: str,
    tree: DependencyTree,
    kept: list[int],
    other: DependencyTree,
    chance: random.Random,
    near: Mapping[str, list[str]],
    store: Store,
    trees: Sequence[DependencyTree],
    usable: Sequence[int],
) -> Words | None:
    if kind == "name":
        return name_swapped(tree, kept, chance, near, store)
    if kind == "digit":
        return digit_changed(tree, kept, chance)
    if kind == "word":
        return word_swapped(tree, kept, chance, near, store)
    if kind == "denied":
        return denied(tree, kept, chance)
    if kind == "roles":
        return roles_swapped(tree, chance)
    if kind == "crossed":
        for _ in range(10):
            found = crossed(tree, trees[chance.choice(usable)])
            if found:
                return found
        return None
    if kind == "added":
        return phrase_added(tree, kept, other, chance) if other is not tree else None
    return [(word, OPEN) for word in chance.choice(store.sentences)] if store.sentences else None
