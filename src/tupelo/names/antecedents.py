"""Antecedents: the name or the cluster of the parser that each pronoun of a passage stands for, and each description.

A learned scorer compares what was mentioned shortly before, or in the same cluster, by distance, role, type, gender
and the parser's confidence. Without clusters of the parser, the same scorer has other weights. Constraints
(`constraints.py`) rule antecedents out first. A description (*the company*) stands for the name of its cluster where
the parser is sure, and where the cluster has no other names.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tupelo.core import Analysis, Mention
from tupelo.core.coreference import GENITIVES
from tupelo.core.statement import Anchor
from tupelo.names.constraints import (
    AGREEING,
    DEFINITE,
    FEMALE,
    MALE,
    PRONOUNS,
    SURER,
    barred_antecedents,
    introduction,
    kind_of_pronoun,
    may_mean,
)
from tupelo.names.data import numbers, probabilities
from tupelo.names.namesakes import PassageName, Place, find_names, mentions_of_anchors
from tupelo.names.proper_names import proper_names
from tupelo.nlp.kinds import kinds_of, own_nouns
from tupelo.nlp.languages.en.naming import FEMALE_TITLES, MALE_TITLES, PERSON_NOUNS
from tupelo.nlp.syntax import DependencyTree, tree_of

_NUMBERS = numbers("antecedents")
# An antecedent is at most the first number of sentences before, or in the pronoun's cluster.
# From the second on, it is far.
_REACH, _FAR = 5, 4
_SUBJECTS = frozenset(["nsubj", "nsubj:pass"])
_OBJECTS = frozenset(["obj", "iobj"])
_DESCRIBING = frozenset(["appos", "compound", "flat", "xcomp", "amod", "nummod", "det"])
THINGS = frozenset(["object", "abstract", "animal", "plant", "substance"])

# Nouns for the organization that a text is about, and further ones for that whose text it is.
_COMPANIES = frozenset(
    ["company", "firm", "corporation", "enterprise", "business", "group", "airline", "carrier", "insurer"]
)
_MAKERS = frozenset(["maker", "manufacturer", "producer", "brewery", "publisher", "retailer"])
_MARKS = frozenset(["“", "”", "``", "''", '"', "«", "»"])

# A word: the numbers of its sentence and of itself in it.
Word = tuple[int, int]


@dataclass(slots=True, eq=False)
class Antecedent:
    """Something that pronouns may stand for: a name, or an unnamed cluster of the parser.

    `places` are its words in order, `named` those of names, `clusters` the parser's confidences in each of its
    clusters, `genders` what its titles, its given name and pronouns say.
    """

    label: str
    name: PassageName | None = None
    cluster: int | None = None
    is_plural: bool = False
    places: list[Word] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    named: list[Word] = field(default_factory=list)
    clusters: dict[int, list[float]] = field(default_factory=dict)
    genders: set[str] = field(default_factory=set)

    def add(self, place: Word, role: str) -> None:
        number = bisect_left(self.places, place)
        self.places.insert(number, place)
        self.roles.insert(number, role)


class Antecedents:
    """The antecedents of a passage with its anchors and names, and what its pronouns stand for.

    `house` is the organization whose text it is.
    """

    def __init__(
        self,
        trees: Sequence[DependencyTree],
        anchors: Sequence[Sequence[Anchor]],
        names: Mapping[Place, PassageName],
        mentions: Mapping[Place, Mention],
        house: str | None = None,
    ) -> None:
        self.trees, self.anchors, self.names, self._house = trees, anchors, names, house
        # The mentions of anchors.
        self.parsed = mentions
        self.has_clusters = all(tree.analysis.mentions is not None for tree in trees)
        # The mentions of pronouns, and the antecedent at each word.
        self.mentions: dict[Word, Mention] = {}
        self.at: dict[Word, Antecedent] = {}
        self.all: list[Antecedent] = []
        self._add_names(anchors, names, mentions)
        self._named = _by(self.all, lambda one: one.clusters)
        self._clear: dict[int, tuple[Antecedent, float] | None] = {}
        self._add_unnamed()
        self._clusters = _by(self.all, lambda one: one.clusters)
        self._sentences = _by(self.all, lambda one: dict.fromkeys(number for number, _ in one.places))
        self._described: dict[Word, tuple[Antecedent, float]] = {}
        for number, mention in list(self.descriptions()):
            known = self.names_for(number, mention)
            chances = probabilities("descriptions", [features for _, features in known])
            best = max(range(len(known)), key=chances.__getitem__, default=-1)
            if best >= 0 and chances[best] >= _NUMBERS["described"]:
                self._described[number, mention.head] = known[best][0], round(chances[best], 4)
                self.describe(number, mention, known[best][0])
            elif (topic := self._topic(number, mention, [one for one, _ in known])) is not None:
                self._described[number, mention.head] = topic, _NUMBERS["topic"]
                self.describe(number, mention, topic)

    def _add_names(
        self,
        anchors: Sequence[Sequence[Anchor]],
        names: Mapping[Place, PassageName],
        mentions: Mapping[Place, Mention],
    ) -> None:
        introduced = [introduction(tree)[0] for tree in self.trees]
        known: dict[PassageName, Antecedent] = {}
        for (number, index), name in sorted(names.items(), key=lambda item: item[0]):
            anchor, tree, root = anchors[number][index], self.trees[number], name.root()
            if anchor.end <= introduced[number] or name.reason == "demonym":
                continue
            one = known.setdefault(root, Antecedent(root.label, root))
            one.add((number, anchor.head), tree.base[anchor.head])
            one.named.append((number, anchor.head))
            one.genders |= _genders(root, name)
            self.at |= dict.fromkeys(((number, word) for word in range(anchor.start, anchor.end)), one)
            if (mention := mentions.get((number, index))) is not None:
                one.clusters.setdefault(mention.entity, []).append(mention.confidence)
        self.all += known.values()

    def _add_unnamed(self) -> None:
        """Clusters without a clear name, and words for people where there are no clusters."""
        of_cluster: dict[int, Antecedent] = {}
        for number, tree in enumerate(self.trees):
            for head, mention in _nouns(tree) if tree.analysis.mentions is None else _heads(tree):
                place = number, head
                is_pronoun = tree.upos(head) == "PRON" or tree.lowered[head] in PRONOUNS
                if mention is not None and is_pronoun:
                    self.mentions[place] = mention
                if is_pronoun or place in self.at:
                    continue
                if mention is None:
                    one = Antecedent("person")
                elif (known := of_cluster.get(mention.entity)) is not None:
                    one = known
                else:
                    named = self.name_of(mention.entity)
                    one = Antecedent(mention.label, cluster=mention.entity) if named is None else named[0]
                    of_cluster[mention.entity] = one
                one.add(place, tree.base[head])
                if one.name is None:
                    one.is_plural |= tree.tag(head) in ("NNS", "NNPS") or tree.child(head, "conj") is not None
                    if mention is not None:
                        one.clusters.setdefault(mention.entity, []).append(mention.confidence)
                self.at[place] = one
        self.all += dict.fromkeys(one for one in self.at.values() if one.name is None)

    def name_of(self, cluster: int, word: str = "") -> tuple[Antecedent, float] | None:
        """The name of a cluster and the parser's confidence in it, if most of the cluster's names are its own.

        With a pronoun, names that do not agree with it are not counted.
        """
        if word:
            return self._elected(cluster, [one for one in self._named.get(cluster, ()) if self._may_mean(word, one)])
        if cluster not in self._clear:
            self._clear[cluster] = self._elected(cluster, self._named.get(cluster, ()))
        return self._clear[cluster]

    def _elected(self, cluster: int, named: Sequence[Antecedent]) -> tuple[Antecedent, float] | None:
        votes = sorted(((len(one.clusters[cluster]), one) for one in named), key=lambda vote: -vote[0])
        if not votes or votes[0][0] < AGREEING * sum(count for count, _ in votes):
            return None
        return votes[0][1], max(votes[0][1].clusters[cluster])

    def described(self, number: int, mention: Mention) -> tuple[Antecedent, float] | None:
        """The name that a description (*the company*) stands for, with the confidence.

        That of an organization is scored; otherwise it is the name of its cluster. Not for one that says what
        something is (*a company*, *The mayor is Ann Lee*), has another name beside it (*the engineer, Jonas Lie*), or
        is an office (*the Governor of the Bank of England*).
        """
        if (number, mention.head) in self._described:
            return self._described[number, mention.head]
        tree, head, found = self.trees[number], mention.head, self.name_of(mention.entity)
        if found is None or found[0].name is None or mention.start == head or is_predicate(tree, head):
            return None
        sure, label = min(mention.confidence, found[1]), found[0].name.label
        is_alike = label == mention.label or (label in ("work", "other") and mention.label in THINGS)
        is_office = mention.label == "person" and tree.text(head)[:1].isupper()
        governor = tree.heads[head]
        if sure < SURER or not is_alike or is_office or tree.lowered[mention.start] not in DEFINITE:
            return None
        if any(other.head == governor and other.entity == mention.entity for other in tree.analysis.mentions or ()):
            return None
        beside = [
            *tree.children(head, "appos"),
            *([governor] if tree.base[head] == "appos" and governor is not None else []),
        ]
        others = (self.at.get((number, word)) for word in beside)
        return (
            None
            if any(other is not None and other.name and other is not found[0] for other in others)
            else (found[0], sure)
        )

    def descriptions(self) -> Iterator[tuple[int, Mention]]:
        """The definite descriptions of organizations, but for those that say what something is, in order."""
        for number, tree in enumerate(self.trees):
            for mention in tree.analysis.mentions or ():
                is_definite = mention.start < mention.head and tree.lowered[mention.start] in DEFINITE
                is_noun = tree.upos(mention.head) == "NOUN" and not is_predicate(tree, mention.head)
                known = self.at.get((number, mention.head))
                if mention.label == "organization" and is_definite and is_noun and known is not None:
                    yield number, mention

    def names_for(self, number: int, mention: Mention) -> list[tuple[Antecedent, dict[str, float]]]:
        """The names that a description may stand for with their features, the latest first."""
        tree, head = self.trees[number], mention.head
        place, near = (number, head), self._clusters.get(mention.entity, [])
        beside = {*barred_antecedents(tree, head), *tree.children(head, "appos"), tree.heads[head]}
        barred = {self.at.get((number, other)) for other in beside if other is not None}
        found = [one for one in self.all if one.name and one.label == mention.label and one.places[0] < place]
        found = sorted(
            (one for one in found if one not in barred), key=lambda one: self._last(one, place), reverse=True
        )
        most = max((len(one.named) for one in found), default=0)
        own, *others = (tree.lowered[word] for word in (head, *range(mention.start + 1, head)))
        shared = {
            f"head: {own}": 1.0,
            f"opens with {tree.lowered[mention.start]}": 1.0,
            "words": math.log1p(len(others)),
            "more after it": float(mention.end > head + 1),
            "only one": float(len(found) == 1),
        }
        features = []
        for rank, one in enumerate(found):
            words = {*one.name.wording.text.casefold().split()} if one.name is not None else set[str]()
            said = {self.trees[at].lowered[noun] for at, word in one.named for noun in said_of(self.trees[at], word)}
            features.append(
                self._features(place, one, mention, rank, near)
                | shared
                | {
                    "head in the name": float(own in words),
                    "head is said of it": float(own in said),
                    "words in the name": float(not words.isdisjoint(others)),
                    "words are said of it": float(not said.isdisjoint(others)),
                    "most named": float(len(one.named) == most),
                    "named first": float(one.places[0][0] == 0),
                }
            )
        return list(zip(found, features, strict=True))

    def _topic(self, number: int, mention: Mention, known: Sequence[Antecedent]) -> Antecedent | None:
        """The organization that a text is of, or begins with and names most, for *the company*.

        It is not where another one has done anything before, nor, with an adjective, where another one was named.
        """
        tree, head = self.trees[number], mention.head
        after = tree.text(mention.head + 1) if mention.head + 1 < tree.size else ""
        is_bare = mention.end <= head + 1 or after == "," or after in GENITIVES
        is_singular = tree.lowered[mention.start] == "the" and tree.tag(head) == "NN"
        if not (known and is_singular and is_bare) or tree.child(head, "appos", "flat", "nmod:desc") is not None:
            return None
        topic, *others = sorted(known, key=lambda one: (not self._is_house(one), one.places[0]))
        has_others = any(role in _SUBJECTS for one in others for role in one.roles)
        if tree.lowered[head] not in _COMPANIES:
            has_others |= tree.lowered[head] not in _MAKERS or not self._is_house(topic)
        has_others |= bool(others) and head - mention.start > 1
        named = self.name_of(mention.entity)
        if (
            has_others
            or not _MARKS.isdisjoint(word.text for word in tree.words)
            or (named is not None and named[0] in others)
        ):
            return None
        nouns = own_nouns(topic.name.text) if topic.name is not None else []
        if any(kind.root == "organization" and kind.name != "company" for noun in nouns for kind in kinds_of(noun)):
            return None
        is_topic = topic.places[0][0] <= 1 and len(topic.named) > max([1, *(len(one.named) for one in others)])
        return topic if is_topic or self._is_house(topic) else None

    def _is_house(self, one: Antecedent) -> bool:
        return (
            self._house is not None
            and one.name is not None
            and one.name.text.casefold().startswith(self._house.casefold())
        )

    def describe(self, number: int, mention: Mention, one: Antecedent) -> None:
        """Let a description stand for a name, which is in its cluster from here on."""
        place, old = (number, mention.head), self.at[number, mention.head]
        near, listed = self._clusters.setdefault(mention.entity, []), self._sentences.setdefault(number, [])
        for known in (near, listed):
            known[:] = [other for other in known if other is not old or old.name is not None or known is listed]
            if one not in known:
                known.append(one)
        one.clusters.setdefault(mention.entity, []).append(mention.confidence)
        one.add(place, self.trees[number].base[mention.head])
        self.at[place] = one

    def pronouns(self) -> Iterator[Word]:
        """The pronouns of the third person, in order."""
        for number, tree in enumerate(self.trees):
            for index in range(tree.size):
                if tree.lowered[index] in PRONOUNS:
                    yield number, index

    def resolve(self) -> dict[Word, tuple[Antecedent, float]]:
        """The antecedent of each pronoun that has a probable one, with its probability."""
        found: dict[Word, tuple[Antecedent, float]] = {}
        for place in self.pronouns():
            candidates = self.candidates(place)
            chances = probabilities("pronouns", [features for _, features in candidates])
            best = max(range(len(candidates)), key=lambda number: chances[number], default=None)
            if best is not None and chances[best] >= _NUMBERS["least"]:
                self.assign(place, candidates[best][0])
                found[place] = candidates[best][0], round(chances[best], 4)
        return found

    def assign(self, place: Word, one: Antecedent) -> None:
        """Add a pronoun to its antecedent."""
        number, index = place
        one.add(place, self.trees[number].base[index])
        if one not in self._sentences.setdefault(number, []):
            self._sentences[number].append(one)
        kind = kind_of_pronoun(self.trees[number].lowered[index])
        if kind in ("he", "she"):
            one.genders.add(kind)
        self.at[place] = one

    def candidates(self, place: Word) -> list[tuple[Antecedent, dict[str, float]]]:
        """The possible antecedents of a pronoun with their features, the latest first."""
        number, index = place
        tree = self.trees[number]
        word = tree.lowered[index]
        barred: set[Antecedent | None] = {self.at.get((number, other)) for other in barred_antecedents(tree, index)}
        mention = self.mentions.get(place)
        same = self._clusters.get(mention.entity, []) if mention is not None else []
        if mention is not None and (named := [one for one in same if one.name is not None]):
            # A cluster is about one of its names, where this is clear.
            clear = self.name_of(mention.entity, word)
            barred.update(one for one in named if clear is not None and one is not clear[0])
        near = [one for earlier in range(number - _REACH, number + 1) for one in self._sentences.get(earlier, ())]
        near = [one for one in near if one.places[0] < place]
        allowed = [one for one in dict.fromkeys([*near, *same]) if one not in barred and self._may_mean(word, one)]
        allowed.sort(key=lambda one: (self._last(one, place), one.places[0]), reverse=True)
        return [(one, self._features(place, one, mention, rank, same)) for rank, one in enumerate(allowed)]

    def _last(self, one: Antecedent, place: Word) -> Word:
        at = bisect_left(one.places, place)
        return one.places[at - 1] if at else (-1, -1)

    def _may_mean(self, word: str, one: Antecedent) -> bool:
        kind = kind_of_pronoun(word)
        if {"he": "she", "she": "he"}.get(kind) in one.genders:
            return False
        return may_mean(word, one.label, "" if one.name is None else one.name.wording.text)

    def _features(
        self, place: Word, one: Antecedent, mention: Mention | None, rank: int, same: Sequence[Antecedent]
    ) -> dict[str, float]:
        number, index = place
        tree = self.trees[number]
        kind, role = kind_of_pronoun(tree.lowered[index]), tree.base[index]
        at = bisect_left(one.places, place)
        last = one.places[at - 1] if at else (-1, -1)
        last_role = one.roles[at - 1] if at else ""
        last_kind = kind_of_pronoun(self.trees[last[0]].lowered[last[1]]) if at else ""
        is_near = last[0] == number
        above = {(number, child) for step in tree.path(index) for child in tree.children(step, *_SUBJECTS)}
        distance = str(min(number - last[0], _FAR)) if at else "later"
        label = "plural" if one.is_plural else one.label if one.name is not None else f"unnamed {one.label}"
        sure = min(mention.confidence, max(one.clusters.get(mention.entity, [0.0]))) if mention is not None else 0.0
        found = {
            f"{kind} for {label}": 1.0,
            f"sentences: {distance}": 1.0,
            f"rank: {min(rank, 4)}": 1.0,
            "subject before": float(last_role in _SUBJECTS),
            "same role": float(role == last_role or {role, last_role} <= _SUBJECTS or {role, last_role} <= _OBJECTS),
            "subject for subject": float(role in _SUBJECTS and last_role in _SUBJECTS),
            "subject above": float(last in above),
            "opens, after a subject": float(index < 2 and last_role in _SUBJECTS),
            "opened its sentence": float(at > 0 and not is_near and last[1] < 3),
            "words between": math.log1p(index - last[1]) if is_near else 0.0,
            "last is the same pronoun": float(bool(last_kind) and last_kind == kind),
            "last is another pronoun": float(bool(last_kind) and last_kind != kind),
            "possessive": float(role == "nmod" and is_near),
            "gender": float(kind in one.genders),
            "mentions": math.log1p(at),
            "named": float(len(one.named) > 1),
        }
        if self.has_clusters:
            others = [other for other in same if other is not one]
            found |= {
                "in its cluster": float(one in same),
                "confidence": sure,
                "another in its cluster": float(bool(others) and one not in same),
                "several in its cluster": float(bool(others) and one in same),
                "no mention": float(mention is None),
            }
        else:
            found = {f"{name}, no clusters": value for name, value in found.items()}
        # Every feature says something else of people, things and groups.
        who = "person" if kind in ("he", "she") else kind
        return found | {f"{who}: {name}": value for name, value in found.items() if value}


def antecedents_of(analyses: Sequence[Analysis]) -> Antecedents:
    """The antecedents of the sentences of a passage."""
    trees = list(map(tree_of, analyses))
    anchors = list(map(proper_names, trees))
    mentions = mentions_of_anchors(trees, anchors)
    return Antecedents(trees, anchors, find_names(trees, anchors, mentions), mentions)


def _genders(root: PassageName, name: PassageName) -> set[str]:
    """`he` or `she`, by titles and given name."""
    titles = {title.removesuffix(".") for title in name.titles | root.titles}
    found = {"he"} if titles & MALE_TITLES else {"she"} if titles & FEMALE_TITLES else set()
    words = root.wording.words
    if not found and root.label == "person":
        found = {"he"} if words[0] in MALE else {"she"} if words[0] in FEMALE else set()
    return found


def _by(items: Iterable[Antecedent], keys: Callable[[Antecedent], Iterable[int]]) -> dict[int, list[Antecedent]]:
    found: dict[int, list[Antecedent]] = {}
    for one in items:
        for key in keys(one):
            found.setdefault(key, []).append(one)
    return found


def _heads(tree: DependencyTree) -> Iterator[tuple[int, Mention | None]]:
    """The heads of mentions."""
    return ((mention.head, mention) for mention in tree.analysis.mentions or ())


def _nouns(tree: DependencyTree) -> Iterator[tuple[int, Mention | None]]:
    """The nouns that introduce people without a name; not those that describe a name or modify another noun."""
    for index in range(tree.size):
        describes = tree.base[index] in _DESCRIBING or tree.labels[index] == "nmod:desc"
        if tree.lemmas[index] in PERSON_NOUNS and not describes and tree.child(index, "cop", "appos") is None:
            yield index, None


def is_predicate(tree: DependencyTree, head: int) -> bool:
    """Whether a phrase says what something is: *a boat* in *A ferry is a boat*."""
    return tree.child(head, "cop") is not None or tree.base[head] in ("appos", "xcomp")


def said_of(tree: DependencyTree, head: int) -> list[int]:
    """The nouns that say what a name is: *singer* in *the singer Rihanna* and *Rihanna is a singer*."""
    found, governor = tree.children(head, "appos", "compound", "nmod:desc"), tree.heads[head]
    is_subject = governor is not None and tree.base[head] == "nsubj" and tree.child(governor, "cop") is not None
    if governor is not None and (is_subject or tree.labels[head] in ("appos", "nmod:desc", "flat")):
        found = [*found, governor]
    return found
