"""The referents of a passage: its anchors, numbered by referent, and what the passage says of each referent.

Names come first (`names.namesakes`), then descriptions and pronouns (`names.antecedents`).

Every other noun phrase is a thing or a concept. A concept is a kind: *caterpillars*, *a caterpillar* and, where the
passage speaks of the kind, *the caterpillar* are the same. A thing is an individual without a name: *her team*, *the
lab in Nairobi*, *a man was arrested*; the same phrase is the same thing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tupelo.core import Analysis
from tupelo.core.statement import Anchor, Naming, Referent
from tupelo.names.antecedents import Antecedents, is_predicate, said_of
from tupelo.names.data import numbers
from tupelo.names.namesakes import PassageName, Place, find_names, mentions_of_anchors
from tupelo.names.proper_names import name_of_line
from tupelo.names.wordings import NameWording, is_acronym, keys_of_forms, make_wording, stands_for
from tupelo.nlp.languages.en.grammar import RELATIVE_PRONOUNS
from tupelo.nlp.languages.en.naming import DEMONYMS
from tupelo.nlp.syntax import DependencyTree

_NUMBERS = numbers("referents")
_MOST_CONTEXT, _MOST_DESCRIPTIONS = 12, 8
_HYPHENS = frozenset("-–‐")
_AROUND_HYPHENS = re.compile(r" ([-–‐]) ")
_BEFORE_GENITIVES = re.compile(r" (?=['’](?:s\b|\s|$))")
_PEOPLE = {"he": "man", "she": "woman"}
_PERSONAL = frozenset(["my", "our", "your", "his", "her"])
# Longer names outside sentences are no fuller forms of others.
_LONGEST_NAME = 4
# Names per sentence, below which a passage is about kinds.
_FEW_NAMES = 0.5
# Determiners with which a noun may stand for its kind.
_KINDS_OF = frozenset(["a", "an", "any", "every", "each", "all", "some", "many", "most", "both", "another", "such"])


@dataclass(slots=True, eq=False)
class _Thing:
    """A referent in the making: its anchors by place, each with a reason and a probability."""

    kind: str
    anchors: dict[Place, tuple[Anchor, str, float]] = field(default_factory=dict)
    name: PassageName | None = None


def find_referents(
    analyses: Sequence[Analysis],
    anchors: Sequence[Sequence[Anchor]],
    trees: Sequence[DependencyTree] | None = None,
    house: str | None = None,
) -> tuple[list[list[Anchor]], list[Referent]]:
    """The anchors of the sentences of a passage, numbered, and its referents in the order of their first anchors.

    `house` is the organization whose text it is.
    """
    passage = _Passage(analyses, anchors, trees or [DependencyTree(analysis) for analysis in analyses], house)
    things = sorted(passage.things(), key=lambda thing: min(thing.anchors))
    numbers = {place: number for number, thing in enumerate(things) for place in thing.anchors}
    numbered = [
        [replace(anchor, referent=numbers.get((sentence, index))) for index, anchor in enumerate(own)]
        for sentence, own in enumerate(anchors)
    ]
    return numbered, passage.describe(things, numbers)


class PassageReferents:
    """The referents of a passage, to which names outside its sentences are added: of headers, tables and speakers.

    The same words have the same referent, and so has a name that is a form of exactly one other: *Grace*, in a mail
    to *Grace Oyelaran*.
    """

    def __init__(self, referents: Sequence[Referent]) -> None:
        self.all = list(referents)
        self._numbers: dict[str, int] = {}
        # The numbers of entities by the keys of their forms.
        self._near: dict[tuple[object, ...], list[int]] = {}
        for one in self.all:
            self._find_by_forms(one)
        for is_entity in (False, True):
            self._numbers |= {
                naming.text.casefold(): one.number
                for one in reversed(self.all)
                for naming in one.names
                if naming.reason != "coreference" and (one.kind == "entity") == is_entity
            }

    def number(self, text: str, label: str, kind: str = "entity") -> int:
        """The number of the referent with a name, perhaps a new one."""
        if kind == "entity":
            text, label = name_of_line(text, label)
        key = text.casefold()
        found = self._numbers.get(key)
        if found is None and kind == "entity":
            found = self._form(text, label)
        if found is None:
            found = len(self.all)
            form = "" if kind == "entity" else key
            self.all.append(Referent(found, kind, text, label, (Naming(text, 0, "same name"),), key=form))
            self._find_by_forms(self.all[found])
        self._numbers[key] = found
        return found

    def count(self, number: int, text: str = "", reason: str = "same name") -> None:
        """Count a mention, of this name or by a pronoun."""
        one = self.all[number]
        names = {naming.text: naming for naming in one.names}
        if text:
            text = name_of_line(text, one.label)[0] if one.kind == "entity" else text
            earlier = names.get(text) or Naming(text, 0, reason)
            names[text] = replace(earlier, mentions=earlier.mentions + 1)
        self.all[number] = replace(one, names=tuple(names.values()), mentions=one.mentions + 1)

    def _form(self, text: str, label: str) -> int | None:
        """The only referent whose name is a shorter or fuller form of a name; it gets the fuller one."""
        if len(text.split()) > _LONGEST_NAME:
            # A heading.
            return None
        own = {kind: make_wording(text, kind) for kind in ("person", "organization", "other")}
        found = []
        for one in self._alike(own, label):
            known = own.get(one.label) if label in ("other", one.label) else own.get(label)
            if known is None:
                continue
            other = make_wording(one.name, known.label)
            why = stands_for(other, known) or stands_for(known, other)
            if why and (known.label == "person" or why[0] == "acronym" or why[1] == "company"):
                found.append((one, known, len(known.words) > len(other.words), why[0]))
        if len(found) != 1:
            return None
        one, known, is_fuller, reason = found[0]
        if is_fuller:
            names = (Naming(text, 0, "same name"), *(replace(name, reason=reason) for name in one.names))
            self.all[one.number] = replace(one, name=text, label=known.label, names=names)
            self._find_by_forms(self.all[one.number])
        else:
            self.all[one.number] = replace(one, names=(*one.names, Naming(text, 0, reason)))
        return one.number

    def _find_by_forms(self, one: Referent) -> None:
        """Let a new or renamed entity be found by the forms of its name, taken for a person's and for another's."""
        for kind in ("person", "other") if one.kind == "entity" else ():
            for side, keys in enumerate(keys_of_forms(make_wording(one.name, kind))):
                for key in keys:
                    self._near.setdefault((kind, one.label == "person", side, key), []).append(one.number)

    def _alike(self, own: dict[str, NameWording], label: str) -> list[Referent]:
        """The entities that may be a shorter or fuller form of a name of this type, in their order."""
        ways = {"person": [("person", True), ("person", False)], "organization": [("other", True), ("other", False)]}
        found = {
            number
            for kind, is_person in ways.get(label, [("person", True), ("other", False)])
            for side, keys in enumerate(keys_of_forms(own[kind]))
            for key in keys
            for number in self._near.get((kind, is_person, 1 - side, key), ())
        }
        return [self.all[number] for number in sorted(found)]


class _Passage:
    """Sentences with their trees, anchors, and the mentions that are anchors."""

    def __init__(
        self,
        analyses: Sequence[Analysis],
        anchors: Sequence[Sequence[Anchor]],
        trees: Sequence[DependencyTree],
        house: str | None,
    ) -> None:
        self.house = house
        self.analyses = analyses
        self.anchors = anchors
        self.trees = trees
        self.mentions = mentions_of_anchors(trees, anchors)
        # Clusters of names; and whether the passage is about kinds rather than about anybody.
        self.named: set[int] = set()
        names = sum(anchor.kind == "name" for own in anchors for anchor in own)
        self.is_general = names < _FEW_NAMES * len(analyses)
        self.genders: dict[PassageName | None, set[str]] = {}
        # The clusters of mentions, by sentence and head.
        self.at: dict[tuple[int, int], int] = {}
        for number, analysis in enumerate(analyses):
            self.at |= {(number, mention.head): mention.entity for mention in analysis.mentions or ()}

    def of_kind(self, kind: str) -> list[tuple[Place, Anchor]]:
        return [
            ((number, index), anchor)
            for number, own in enumerate(self.anchors)
            for index, anchor in enumerate(own)
            if anchor.kind == kind
        ]

    def things(self) -> list[_Thing]:
        """The things that the anchors refer to."""
        names = find_names(self.trees, self.anchors, self.mentions)
        found: dict[PassageName, _Thing] = {}
        for (number, index), name in names.items():
            thing = found.setdefault(name.root(), _Thing("entity", name=name.root()))
            thing.anchors[number, index] = self.anchors[number][index], name.reason, name.certainty()
        antecedents = Antecedents(self.trees, self.anchors, names, self.mentions, self.house)
        self.named = {cluster for one in antecedents.all if one.name is not None for cluster in one.clusters}
        things = [*found.values(), *self._concepts(antecedents, found)]
        self._resolve_pronouns(antecedents, found, things)
        self.genders = {one.name: one.genders for one in antecedents.all}
        return things

    def _concepts(self, antecedents: Antecedents, found: dict[PassageName, _Thing]) -> list[_Thing]:
        """The concepts; descriptions of things with a name are added to these."""
        groups: dict[tuple[object, ...], _Thing] = {}
        by_cluster: dict[int, _Thing] = {}
        spelled_out = self._spelled_out({place: thing for thing in found.values() for place in thing.anchors})
        for place, anchor in self.of_kind("concept"):
            mention = self.mentions.get(place)
            described = antecedents.described(place[0], mention) if mention is not None else None
            if described is not None and described[0].name is not None:
                found[described[0].name].anchors[place] = anchor, "coreference", described[1]
                continue
            key = self._phrase_key(place, anchor)
            if (acronym := spelled_out.get(key)) is not None:
                acronym.anchors[place] = anchor, "stated", _NUMBERS["stated"]
                continue
            reason, probability = "same name", 1.0
            if key not in groups:
                groups[key] = _Thing("concept" if key[1] else "thing")
                says_what = is_predicate(self.trees[place[0]], anchor.head)
                is_sure = mention is not None and mention.confidence >= _NUMBERS["same_concept"] and not says_what
                if mention is not None and mention.entity in by_cluster and is_sure and not key[1]:
                    groups[key] = by_cluster[mention.entity]
                    reason, probability = "coreference", mention.confidence
            groups[key].anchors[place] = anchor, reason, probability
            if mention is not None and not key[1]:
                by_cluster.setdefault(mention.entity, groups[key])
        for key, thing in list(groups.items()):
            # *The larva* is the kind where the passage speaks of *larvae*, too, unless it did something once.
            of_kind = groups.get((key[0], True, key[2]))
            if not key[1] and of_kind is not None and key[3] is None and self._all(_may_be_generic, thing):
                of_kind.anchors |= thing.anchors
                thing.anchors.clear()
        return [thing for thing in dict.fromkeys(groups.values()) if thing.anchors]

    def _all(self, holds: Callable[[DependencyTree, Anchor], bool], thing: _Thing) -> bool:
        return all(holds(self.trees[place[0]], anchor) for place, (anchor, _, _) in thing.anchors.items())

    def _spelled_out(self, named: dict[Place, _Thing]) -> dict[tuple[object, ...], _Thing]:
        """Things by the phrases before their acronym in brackets: *metropolitan statistical area (MSA)*."""
        found: dict[tuple[object, ...], _Thing] = {}
        for number, (tree, own) in enumerate(zip(self.trees, self.anchors, strict=True)):
            starts = {anchor.start: (number, index) for index, anchor in enumerate(own) if anchor.kind == "name"}
            for index, anchor in enumerate(own):
                place = starts.get(anchor.end + 1)
                if anchor.kind != "concept" or place is None or tree.text(anchor.end) not in ("(", "-LRB-"):
                    continue
                if not starts.keys().isdisjoint(range(anchor.start, anchor.end)):
                    continue
                short = make_wording(own[place[1]].text, "other")
                thing = named[place]
                if thing.name is not None and is_acronym(short, make_wording(anchor.text, "other")):
                    thing.name.usual = anchor.text
                    found[self._phrase_key((number, index), anchor)] = thing
        return found

    def _phrase_key(self, place: Place, anchor: Anchor) -> tuple[object, ...]:
        """The key of equal phrases: the base form of the head, whether it is a kind, its other words in any order.

        Things also have their owner and their number.
        """
        tree = self.trees[place[0]]
        words = frozenset(
            tree.lemmas[index]
            for index in range(anchor.start, anchor.end)
            if index != anchor.head and tree.upos(index) not in ("DET", "PUNCT")
        )
        if self._is_kind(place, anchor):
            return tree.lemmas[anchor.head], True, words
        owner: object = tree.child(anchor.head, "nmod:poss")
        if isinstance(owner, int):
            is_pronoun = tree.upos(owner) == "PRON"
            owner = self.at.get((place[0], owner), place) if is_pronoun else tree.lowered[owner]
        return tree.lemmas[anchor.head], False, words, owner, tree.tag(anchor.head) in ("NNS", "NNPS")

    def _is_kind(self, place: Place, anchor: Anchor) -> bool:
        """Whether a phrase stands for a kind: *ferries*, *a ferry is a boat*; not *the ferry*, *a ferry sank*.

        In a text with few names, *the ferry* is the kind too, unless it did something, and so is *its crew*.
        """
        tree = self.trees[place[0]]
        if self._has_name(place, anchor) or tree.child(anchor.head, "nummod") is not None:
            return False
        episode = _is_episode(tree, anchor.head)
        owner = tree.child(anchor.head, "nmod:poss")
        if owner is not None:
            named = {self.at.get((place[0], owner)), owner} & {*self.named, *self._names_at(place[0])}
            return self.is_general and not episode and not named and tree.lowered[owner] not in _PERSONAL
        if not _is_generic(tree, anchor):
            return self.is_general and not episode and _may_be_generic(tree, anchor)
        return tree.child(anchor.head, "det") is None or is_predicate(tree, anchor.head) or not episode

    def _names_at(self, sentence: int) -> Iterable[int]:
        return (index for one in self.anchors[sentence] if one.kind == "name" for index in range(one.start, one.end))

    def _has_name(self, place: Place, anchor: Anchor) -> bool:
        """Whether a name in a phrase says which one: *government of Kenya*, not *Kenyan coffee*."""
        tree = self.trees[place[0]]
        after = range(anchor.head + 1, anchor.end)
        return any(
            other.kind == "name" and other.head in after and tree.base[other.head] == "nmod"
            for other in self.anchors[place[0]]
        )

    def _resolve_pronouns(
        self, antecedents: Antecedents, named: dict[PassageName, _Thing], things: Sequence[_Thing]
    ) -> None:
        at = {(place[0], anchor.head): thing for thing in things for place, (anchor, _, _) in thing.anchors.items()}
        votes: dict[int, Counter[_Thing]] = {}
        for thing in things:
            for place, (anchor, _, _) in thing.anchors.items():
                if anchor.kind == "concept" and (mention := self.mentions.get(place)) is not None:
                    votes.setdefault(mention.entity, Counter())[thing] += 1
        resolved = antecedents.resolve()
        for place, anchor in self.of_kind("pronoun"):
            tree, meant, probability = self.trees[place[0]], None, _NUMBERS["relative"]
            if tree.lowered[anchor.head] in RELATIVE_PRONOUNS:
                head = _antecedent(tree, anchor.head)
                meant = None if head is None else at.get((place[0], head))
            elif (place[0], anchor.head) in resolved:
                one, probability = resolved[place[0], anchor.head]
                if one.name is not None:
                    meant = named[one.name]
                elif one.cluster in votes:
                    meant = votes[one.cluster].most_common(1)[0][0]
            if meant is not None:
                meant.anchors[place] = anchor, "coreference", probability

    def describe(self, things: Sequence[_Thing], numbers: dict[Place, int]) -> list[Referent]:
        names = {number: thing.name for number, thing in enumerate(things) if thing.name is not None}
        beside: list[Counter[int]] = [Counter() for _ in things]
        for number, own in enumerate(self.anchors):
            present = {numbers[number, index] for index in range(len(own)) if (number, index) in numbers}
            for one in present:
                beside[one].update(other for other in present if other in names and other != one)
        context = [[names[other].text for other, _ in one.most_common(_MOST_CONTEXT)] for one in beside]
        return [self._referent(number, *pair) for number, pair in enumerate(zip(things, context, strict=True))]

    def _referent(self, number: int, thing: _Thing, context: Sequence[str]) -> Referent:
        namings: dict[str, list[tuple[str, float]]] = {}
        for anchor, reason, probability in thing.anchors.values():
            if anchor.kind != "pronoun":
                # An adjective refers to its place, and is no name of it.
                text = thing.name.text if thing.name is not None and reason == "demonym" else anchor.text
                namings.setdefault(text, []).append((reason, probability))
        names = []
        for text, found in namings.items():
            reason, probability = max(found, key=lambda naming: naming[1])
            names.append(Naming(text, len(found), reason, round(probability, 4)))
        names.sort(key=lambda naming: (-naming.mentions, naming.text))
        if thing.name is not None:
            label = thing.name.label
            name, key = thing.name.text, ""
        else:
            own = [(place, anchor) for place, (anchor, _, _) in thing.anchors.items() if anchor.kind == "concept"]
            label = Counter(anchor.label for _, anchor in own).most_common(1)[0][0]
            forms = Counter(_base_form(self.trees[place[0]], anchor) for place, anchor in own)
            name = key = forms.most_common(1)[0][0]
            if thing.kind == "thing":
                name = Counter(anchor.text for _, anchor in own).most_common(1)[0][0]
        descriptions = Counter(
            word
            for place, (anchor, _, _) in thing.anchors.items()
            for word in _descriptions(self.trees[place[0]], anchor, thing.kind)
        )
        commonest = [word for word, _ in descriptions.most_common(_MOST_DESCRIPTIONS)]
        genders = self.genders.get(thing.name, set()) if thing.name is not None and label == "person" else ()
        return Referent(
            number,
            thing.kind,
            name,
            label,
            tuple(names),
            len(thing.anchors),
            tuple(dict.fromkeys([*commonest, *(_PEOPLE[one] for one in genders if len(genders) == 1)])),
            thing.name.place if thing.name is not None else None,
            tuple(context),
            key,
        )


def _antecedent(tree: DependencyTree, index: int) -> int | None:
    """The noun that the relative clause of a relative pronoun belongs to."""
    for step in tree.path(index):
        if tree.labels[step] == "acl:relcl":
            return tree.heads[step]
    return None


def _descriptions(tree: DependencyTree, anchor: Anchor, kind: str) -> list[str]:
    """Nouns that say what a thing is, in base form: *singer* in *the singer Rihanna* and *Rihanna is a singer*."""
    if anchor.kind == "concept":
        return [tree.lemmas[anchor.head]] if kind == "entity" else []
    if anchor.kind != "name":
        return []
    found = (index for index in said_of(tree, anchor.head) if not anchor.start <= index < anchor.end)
    return [tree.lemmas[index] for index in found if tree.upos(index) == "NOUN"]


def _base_form(tree: DependencyTree, anchor: Anchor) -> str:
    """A phrase with its head in the base form: *host plant* for *Host plants*; capitals that mean something stay."""
    words = []
    for index in range(anchor.start, anchor.end):
        text = tree.text(index)
        if tree.upos(index) == "PUNCT" and text not in _HYPHENS:
            continue
        means_name = tree.upos(index) == "PROPN" or (text[:1].isupper() and (text.lower(),) in DEMONYMS)
        is_capital = means_name or any(map(str.isupper, text[1:]))
        words.append(text if is_capital else tree.lemmas[index] if index == anchor.head else text.lower())
    return _BEFORE_GENITIVES.sub("", _AROUND_HYPHENS.sub(r"\1", " ".join(words))) or anchor.text


def _is_generic(tree: DependencyTree, anchor: Anchor) -> bool:
    """*ferries*, *a ferry*; not *the ferry*, *her ferry*, *two ferries*."""
    if anchor.kind != "concept":
        return False
    words = [tree.lowered[child] for child in tree.children(anchor.head, "det")]
    owned = tree.child(anchor.head, "nmod:poss", "nummod") is not None
    return not owned and all(word in _KINDS_OF for word in words)


def _may_be_generic(tree: DependencyTree, anchor: Anchor) -> bool:
    """*the ferry* in *The ferry is a boat*; not in *The ferry sank*, nor *this ferry*."""
    if anchor.kind == "pronoun":
        return True
    words = [tree.lowered[child] for child in tree.children(anchor.head, "det")]
    return all(word == "the" or word in _KINDS_OF for word in words) and not _is_episode(tree, anchor.head)


def _is_episode(tree: DependencyTree, index: int) -> bool:
    """Whether the nearest clause above speaks of what happened, happens now or has happened, not of what is so."""
    for step in (index, *tree.path(index)):
        carriers = [step, *tree.children(step, "aux", "cop")]
        tags = {tree.tag(carrier) for carrier in carriers}
        if tags & {"VBD", "VBZ", "VBP", "MD"}:
            is_now = tree.tag(step) == "VBG" and tree.base[step] not in ("acl", "amod")
            return "VBD" in tags or is_now or any(tree.lemmas[one] == "have" and one != step for one in carriers)
    return False
