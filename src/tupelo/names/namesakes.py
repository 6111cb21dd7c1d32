"""The names of a passage: which of them are forms of one name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from tupelo.core import Mention
from tupelo.core.coreference import GENITIVES
from tupelo.core.statement import Anchor
from tupelo.names.aliases import is_known_place
from tupelo.names.constraints import FEMALE, MALE, SURER, introduction
from tupelo.names.data import numbers, probabilities
from tupelo.names.forms import GENERATIONS, PARTICLES
from tupelo.names.same import reason_apart
from tupelo.names.stated import named_subjects, stated_names
from tupelo.names.wordings import (
    NameWording,
    folded,
    initials,
    is_demonym,
    is_spelling,
    make_wording,
    places_of,
    skeleton,
    stands_for,
    usual_place,
    words_of_fuller_names,
)
from tupelo.nlp.kinds import kinds_of, own_nouns
from tupelo.nlp.languages.en.naming import (
    DETACHABLE_TITLES,
    FEMALE_NAMES,
    FEMALE_TITLES,
    KIN,
    MALE_NAMES,
    MALE_TITLES,
    NICKNAMES,
    PLACES_OF,
    ROLES,
)
from tupelo.nlp.syntax import DependencyTree

_NUMBERS = numbers("namesakes")
# Relations of an adjective, and of a noun that serves as one.
_MODIFIERS = frozenset(["amod", "compound", "nmod", "conj", "flat", ""])
GIVEN = MALE_NAMES | FEMALE_NAMES
# Titles, and given names of people who do not have them.
_NOT_FOR = (FEMALE_TITLES, MALE), (MALE_TITLES, FEMALE)
_PLACING = frozenset(["in", "near", "at", "from", "to"])
_PREPOSITIONS = _PLACING | {"of", "between", "outside", "around", "through", "into", "across"}
# Relations of a name that does something: a place rarely does.
_AGENTS = frozenset(["nsubj", "obj", "iobj", "compound"])
_ENDS = frozenset(["nsubj", "obj", "iobj"])
# Longer words of capitals in a dateline are no acronyms.
_LONGEST_ACRONYM = 3
# Reasons that keep names apart unless one is a shorter form of the other with its type: *Wigan* and *Wigan Warriors*.
_OVERRULED = frozenset(["part", "kind", "given name"])
_SAME_CLUSTER: float = _NUMBERS["same_cluster"]
# A word that more names have says little about which of them is meant; names of a cluster beyond these are rare.
_MOST_WITH_A_WORD, _MOST_IN_A_CLUSTER = 200, 30

Place = tuple[int, int]  # the number of a sentence and of an anchor in it


@dataclass(slots=True, eq=False)
class PassageName:
    """A name of a passage: its types and spellings, the parser's clusters that it is in, what it is a form of.

    `places` are where it stands, `owns` those where it is an owner (*Lee's*), and `titles` the words before it. It
    `opens` a text in a dateline. `clauses` are the verbs whose subject or object it is: of one it is not both. It is
    `loose` unless it stands in a sentence with a verb, and `of_kin` in *the son of Lee*.
    """

    wording: NameWording
    labels: Counter[str] = field(default_factory=Counter)
    spellings: Counter[str] = field(default_factory=Counter)
    clusters: dict[int, float] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    owns: list[Place] = field(default_factory=list)
    titles: set[str] = field(default_factory=set)
    clauses: set[Place] = field(default_factory=set)
    opens: bool = False
    loose: bool = True
    of_kin: bool = False
    place: str | None = None
    # The place of an adjective: *Kenya* for *Kenyan*.
    usual: str | None = None
    full: PassageName | None = None
    reason: str = "same name"
    probability: float = 1.0

    @property
    def text(self) -> str:
        """The name in full, in its commonest spelling."""
        return self.usual or min(self.spellings, key=lambda text: (-self.spellings[text], text.isupper(), text))

    @property
    def label(self) -> str:
        """Its commonest type."""
        return max(self.labels, key=self.labels.__getitem__)

    def root(self) -> PassageName:
        name = self
        while name.full is not None:
            name = name.full
        return name

    def certainty(self) -> float:
        """The probability that it is a name of its root."""
        certainty, name = self.probability, self
        while name.full is not None:
            name = name.full
            certainty *= name.probability
        return certainty

    def join(self, full: PassageName, reason: str, probability: float) -> None:
        """Make this a form of another name, unless that is a form of this one."""
        if self.full is None and full.root() is not self:
            self.full, self.reason, self.probability = full, reason, probability

    def together(self, other: PassageName) -> float:
        """The confidence of the parser that both are coreferent."""
        return max((min(sure, other.clusters.get(key, 0.0)) for key, sure in self.clusters.items()), default=0.0)


def mentions_of_anchors(trees: Sequence[DependencyTree], anchors: Sequence[Sequence[Anchor]]) -> dict[Place, Mention]:
    """The parser's mention of every anchor that has one; that of a name may be headed by any word of it."""
    found: dict[Place, Mention] = {}
    for number, (tree, own) in enumerate(zip(trees, anchors, strict=True)):
        by_head = {mention.head: mention for mention in tree.analysis.mentions or ()}
        for index, anchor in enumerate(own):
            heads = (anchor.head, *range(anchor.start, anchor.end)) if anchor.kind == "name" else (anchor.head,)
            mention = next((by_head[head] for head in heads if head in by_head), None)
            if mention is not None:
                found[number, index] = mention
    return found


def find_names(
    trees: Sequence[DependencyTree],
    anchors: Sequence[Sequence[Anchor]],
    mentions: Mapping[Place, Mention],
) -> dict[Place, PassageName]:
    """The name of every anchor that is one, given the mentions that are anchors."""
    names, pairs = gathered(trees, anchors, mentions)
    _join(pairs)
    _join_demonyms(list(pairs.places))
    return names


def gathered(
    trees: Sequence[DependencyTree],
    anchors: Sequence[Sequence[Anchor]],
    mentions: Mapping[Place, Mention],
) -> tuple[dict[Place, PassageName], NamePairs]:
    """The names of a passage, equal ones put together, and their pairs."""
    names = _gather(trees, anchors, mentions)
    by_wording = list(dict.fromkeys(names.values()))
    return names, NamePairs(by_wording, _stated(trees, anchors, mentions, names))


def _gather(
    trees: Sequence[DependencyTree],
    anchors: Sequence[Sequence[Anchor]],
    mentions: Mapping[Place, Mention],
) -> dict[Place, PassageName]:
    """Equal names are one, unless only one is a person or an adjective, or they lie in different places."""
    found: dict[Place, PassageName] = {}
    known: dict[tuple[tuple[str, ...], str, str | None], PassageName] = {}
    # Last words of people's names, and those of one word with a particle: *al odah*.
    families = {
        " ".join(make_wording(anchor.text, "person").words[-1 if " " in anchor.text else 0 :])
        for own in anchors
        for anchor in own
        if anchor.kind == "name" and anchor.label == "person" and not {" ", "-"}.isdisjoint(anchor.text)
        if " of " not in anchor.text
    }
    types = _types_of_words(trees, anchors)
    places: dict[tuple[str, ...], str | None] = {}
    for number, (tree, own) in enumerate(zip(trees, anchors, strict=True)):
        names = [(index, anchor) for index, anchor in enumerate(own) if anchor.kind == "name"]
        is_loose = all(word.upos not in ("VERB", "AUX") for word in tree.words)
        for (index, anchor), following in zip_longest(names, names[1:]):
            mention = mentions.get((number, index))
            label = types.get(folded(anchor.text)) or _sense(tree, anchor, mention, families)
            wording = make_wording(anchor.text, label)
            lies_in = None if following is None else _lies_in(tree, anchor, following[1])
            if lies_in is not None:
                places[wording.words] = lies_in
            else:
                lies_in = places.get(wording.words)
            sense = label if label == "person" or is_demonym(wording) else ""
            key = (wording.words, sense, None if lies_in is None else folded(lies_in))
            if key not in known and lies_in is not None and (bare := known.pop((*key[:2], None), None)) is not None:
                known[key] = bare
            name = known.setdefault(key, PassageName(wording))
            name.place = name.place or lies_in
            name.labels[label] += 1
            length, of_introduction = introduction(tree)
            in_dateline = anchor.end <= length and len(wording.text) > _LONGEST_ACRONYM
            name.opens |= anchor.start == 0 < length and of_introduction == "place"
            name.spellings[wording.text.title() if in_dateline else wording.text] += 1
            name.places.append((number, index))
            if anchor.end < tree.size and tree.text(anchor.end) in GENITIVES:
                name.owns.append((number, index))
            name.titles.add(_word_before(tree, anchor.start))
            name.loose &= is_loose
            name.of_kin |= _is_of_kin(tree, anchor.head)
            verb = tree.heads[anchor.head]
            if verb is not None and tree.base[anchor.head] in _ENDS:
                name.clauses.add((number, verb))
            if mention is not None:
                name.clusters[mention.entity] = max(name.clusters.get(mention.entity, 0.0), mention.confidence)
            found[number, index] = name
    return found


def _types_of_words(trees: Sequence[DependencyTree], anchors: Sequence[Sequence[Anchor]]) -> dict[str, str]:
    """The types of names of one word, where the whole document is better evidence than each sentence.

    The recogniser guesses from a sentence: *Halden* may be a person in one and a place in the next. Where the
    document has *Halden Robotics*, and neither *Jon Halden* nor *in Halden*, it is the organization. Where it has a
    dateline or *in Halden*, and no person of this name, it is the place.
    """
    organizations: set[str] = set()
    people: set[str] = set()
    alone: dict[str, list[tuple[DependencyTree, Anchor]]] = {}
    for tree, own in zip(trees, anchors, strict=True):
        for anchor in own:
            words = make_wording(anchor.text, anchor.label).words if anchor.kind == "name" else ()
            if len(words) == 1:
                alone.setdefault(words[0], []).append((tree, anchor))
            elif anchor.label == "person":
                people.update(words)
            elif anchor.label == "organization":
                organizations.update(words[:1])
    found = {}
    for word, uses in alone.items():
        if word in people or word in GIVEN or word in PLACES_OF or any(_is_titled(*use) for use in uses):
            continue
        if any(_is_place(*use) for use in uses) or is_known_place(word):
            found[word] = "place" if any(anchor.label == "place" for _, anchor in uses) else ""
        elif word in organizations and any(_is_noun(*use) for use in uses):
            found[word] = "organization"
    return {word: label for word, label in found.items() if label}


def _is_titled(tree: DependencyTree, anchor: Anchor) -> bool:
    return _word_before(tree, anchor.start).removesuffix(".") in DETACHABLE_TITLES


def _is_place(tree: DependencyTree, anchor: Anchor) -> bool:
    """Whether a name stands in a dateline, or was recognised as a place and does nothing in its clause."""
    length, label = introduction(tree)
    if label == "place" and anchor.start == 0 < length:
        return True
    is_agent = tree.base[anchor.head] in _AGENTS or tree.labels[anchor.head] == "nmod:poss"
    return anchor.label == "place" and not is_agent


def _is_noun(tree: DependencyTree, anchor: Anchor) -> bool:
    """Whether a name is a phrase by itself, and neither an adjective nor an acronym."""
    return tree.base[anchor.head] not in ("amod", "compound", "flat") and not anchor.text.isupper()


def _is_of_kin(tree: DependencyTree, index: int) -> bool:
    """Whether somebody is related to another one: *the son of Lee*, *a brother of the actor Lee*."""
    for step in (index, *tree.path(index)):
        governor = tree.heads[step]
        if tree.base[step] == "nmod" and governor is not None:
            return tree.lemmas[governor] in KIN
        if tree.base[step] not in ("appos", "flat", "compound"):
            return False
    return False


def _word_before(tree: DependencyTree, start: int) -> str:
    """The word before a name, or before the comma before it."""
    place = start - 1 - (start > 1 and tree.text(start - 1) == ",")
    return tree.lowered[place] if place >= 0 else ""


def _sense(tree: DependencyTree, anchor: Anchor, mention: Mention | None, families: set[str]) -> str:
    """The type of a name; *Jordan* is a person after a title, *Fawzi al-Odah* beside *Al-Odah*."""
    modifies = tree.upos(anchor.head) == "ADJ" or tree.base[anchor.head] in _MODIFIERS
    if anchor.label == "place" and not modifies and is_demonym(make_wording(anchor.text, "place")):
        return "other"
    if anchor.label == "person":
        is_place = mention is not None and mention.label == "place" and " " not in anchor.text
        return "place" if is_place and folded(anchor.text) in families else anchor.label
    before = tree.lowered[anchor.start - 1].removesuffix(".") if anchor.start else ""
    is_family = folded(anchor.text) in families
    if is_family and (before in DETACHABLE_TITLES or (mention is not None and mention.label == "person")):
        return "person"
    rest = make_wording(anchor.text, "person").words[1:] if anchor.label == "work" else ()
    if " ".join(rest) in families and rest[0] in PARTICLES:
        return "person"
    return anchor.label


def _lies_in(tree: DependencyTree, anchor: Anchor, other: Anchor) -> str | None:
    """*Texas* for *Paris, Texas*."""
    is_next = other.start == anchor.end + 1 and tree.text(anchor.end) == ","
    ends = other.end == tree.size or tree.upos(other.end) == "PUNCT"
    belongs = tree.heads[other.head] == anchor.head or ends
    is_listed = tree.base[other.head] == "conj" or tree.child(anchor.head, "conj") == other.head
    is_place = anchor.label == other.label == "place" and not is_demonym(make_wording(other.text, "place"))
    return other.text if is_next and belongs and is_place and not is_listed else None


@dataclass(frozen=True, slots=True)
class Pair:
    """A name that another one may be a form of, why, and the features of both."""

    other: PassageName
    reason: str
    features: Mapping[str, float]


class NamePairs:
    """The names of a passage, and for each those that it may be a form of."""

    def __init__(self, names: Sequence[PassageName], stated: Mapping[tuple[PassageName, PassageName], str]) -> None:
        self.places = {name: place for place, name in enumerate(names)}
        self.names = sorted(names, key=lambda one: (len(one.wording.words), len(one.wording.text), one.wording.words))
        self.members = _by_cluster(names)
        self._stated: dict[PassageName, dict[PassageName, str]] = {}
        for (one, other), how in stated.items():
            self._stated.setdefault(one, {})[other] = how
            self._stated.setdefault(other, {})[one] = how
        # The names with each word, and with each acronym.
        self._holding: dict[str, dict[PassageName, int]] = {}
        for place, name in enumerate(names):
            keys = {*name.wording.words, f"@{usual_place(name.wording)}", name.wording.words[0].removesuffix("s")}
            keys.add(f"≈{skeleton(name.wording.words[-1])}")
            for key in keys | {f"={letters}" for letters in initials(name.wording)}:
                self._holding.setdefault(key, {})[name] = place

    def of(self, name: PassageName) -> list[Pair]:
        """The names that a name may be a form of, with the features of each pair."""
        near = self._near(name)
        forms = {other: stands_for(name.wording, other.wording) for other in near}
        found = []
        for other, why in forms.items():
            how, together = self._stated.get(name, {}).get(other), name.together(other)
            is_fuller = _comes_first(other, name) if why else self._rank(other) < self._rank(name)
            if (
                (why or how or together >= _SAME_CLUSTER or _are_spelled_alike(name.wording, other.wording))
                and is_fuller
                and not self._are_barred(name, other, why, how)
            ):
                found.append((other, why, how))
        pairs = []
        for other, why, how in found:
            rivals = sum(one.root() is not other.root() and not _agree(one, other) for one, form, _ in found if form)
            reason = why[0] if why else "stated" if how else "coreference"
            pairs.append(Pair(other, reason, self._features(name, other, why, how) | {"rivals": math.log1p(rivals)}))
        return pairs

    def _near(self, name: PassageName) -> list[PassageName]:
        """The names that share a word, a statement or a cluster of the parser with a name."""
        words = name.wording.words
        letters = "".join(words)
        keys = [words[0], words[-1], words[0].removesuffix("s"), f"={letters}", f"={letters.removesuffix('s')}"]
        keys.append(f"≈{skeleton(words[-1])}")
        if len(words) == 1:
            keys += sorted(NICKNAMES.get(words[0], ()))
        holding = self._holding
        alike = [holding[key] for key in keys if key in holding and len(holding[key]) <= _MOST_WITH_A_WORD]
        if (place := usual_place(name.wording)) is not None:
            alike.append(holding.get(f"@{place}", {}))
        # Many people share a given name: of these, only those are compared that have the rarest word too.
        needed = [[holding[word] for word in some if word in holding] for some in words_of_fuller_names(name.wording)]
        rarest = min(needed, key=lambda some: sum(map(len, some)), default=None)
        if rarest is not None and sum(map(len, rarest)) < sum(map(len, alike)):
            few = {other: place for some in rarest for other, place in some.items()}
            alike = [{other: few[other] for other in few if other in some} for some in alike]
        found = dict.fromkeys(other for some in alike for other in some)
        found |= dict.fromkeys(self._stated.get(name, ()))
        for cluster in name.clusters:
            found |= dict.fromkeys(self.members[cluster][:_MOST_IN_A_CLUSTER])
        return sorted((one for one in found if one is not name), key=self.places.__getitem__)

    def _rank(self, name: PassageName) -> tuple[int, int, int]:
        return -name.labels.total(), -len(name.wording.text), self.places[name]

    def _are_barred(
        self, name: PassageName, other: PassageName, why: tuple[str, str] | None, how: str | None
    ) -> bool:
        """Whether two names cannot be one: one says where the other lies, or a name of the other contradicts it."""
        if other.root() is name or name.place == other.text or other.place == name.text:
            return True
        if _are_relatives(name, other) or not name.clauses.isdisjoint(other.clauses):
            return True
        if other.wording.text.startswith(f"{name.wording.text}-"):
            return True
        apart = {reason_apart(name.text, one.text) for one in (other, other.root())} - {None}
        if why and name.label == other.label:
            apart -= _OVERRULED
        if apart and how != "in words":
            return True
        if how or why:
            is_first_word = why is not None and why[1].startswith("first word") and how is None
            is_titled = other.wording.label != "person" and not DETACHABLE_TITLES.isdisjoint(name.titles)
            # *Acme bought Acme Shipping*, *Mr Acme*.
            return is_titled or (is_first_word and _share_a_sentence(name, other))
        words, others, label = name.wording.words, other.wording.words, name.wording.label
        if words != others and is_spelling(name.wording, other.wording):
            # *Robert* and *Roberta Lee* are two, *Zakhary* and *Zachary Lee* one.
            return words[0] != others[0] and (words[0] in GIVEN or others[0] in GIVEN)
        if label != other.wording.label or words == others or not set(words) & set(others):
            return True
        if label == "person" and words[-1] != others[-1]:
            # *Ryan Mason* and *Ryan Bertrand*, *Pope Pius X* and *Pope John XXIII* are two, whatever the parser says.
            sizes = {sum(len(word) > 1 for word in given) for given in (words, others)}
            are_plain = sizes == {2} or words[0] in ROLES
            return are_plain or words[0] != others[0] or not GENERATIONS.isdisjoint((*words, *others))
        return False

    def _features(
        self, name: PassageName, other: PassageName, why: tuple[str, str] | None, how: str | None
    ) -> dict[str, float]:
        one, two = name.wording, other.wording
        together = name.together(other)
        kind = why[1] if why else _kind_without_form(one, two) if how is None else "none"
        first = name.places[0][0]
        before = [sentence for sentence, _ in other.places if sentence <= first]
        is_noun = len(one.words) == 1 and any(map(kinds_of, own_nouns(one.text)))
        types = "same" if one.label == two.label else f"{one.label} for {two.label}"
        found = {
            f"kind: {kind}{', in a cluster' if together >= _SAME_CLUSTER else ''}": 1.0,
            f"stated: {how}{f' of {two.label}' if how else ''}": 1.0,
            "outside clauses": float(name.loose),
            f"{kind}: outside clauses": float(name.loose),
            "noun without an article": float(is_noun and "the" not in name.titles),
            f"{kind} in one sentence": float(_share_a_sentence(name, other)),
            f"type: {types}": 1.0,
            f"{kind}: {one.label}": 1.0,
            "in a dateline": float(name.opens),
            "only after prepositions": float(name.titles <= _PREPOSITIONS),
            "together": together if why else 0.0,
            "together alone": 0.0 if why else together,
            "in other clusters": float(not together and bool(name.clusters) and bool(other.clusters)),
            "comes later": float(not before),
            "distance": math.log1p(first - max(before)) if before else 0.0,
            "mentions": math.log(other.labels.total()),
            "given name": float(len(one.words) == 1 and one.words[0] in GIVEN),
            "known place": float(one.label != "person" and is_known_place(" ".join(one.words))),
            "article": float("the" in other.titles and "the" not in name.titles),
            "after a preposition of place": float(two.label != "place" and not _PLACING.isdisjoint(name.titles)),
            "capitals": float(one.text.isupper() and kind != "plain"),
            "words left out": max(0, len(two.words) - len(one.words) - 1),
        }
        if (apart := reason_apart(name.text, other.text)) is not None:
            found[f"apart by {apart}"] = 1.0
        return found


def _are_spelled_alike(one: NameWording, other: NameWording) -> bool:
    """Whether only vowels differ in the last word of two names: *Seyhun* and *Hooshang Seyhoun*."""
    words, others = one.words, other.words
    is_one = one.label == other.label and words[:-1] == others[:-1] and min(len(words[-1]), len(others[-1])) > 5
    return is_one and skeleton(words[-1]) == skeleton(others[-1]) and is_spelling(one, other)


def _kind_without_form(one: NameWording, other: NameWording) -> str:
    """The kind of likeness of two names that are no forms of each other."""
    if is_spelling(one, other):
        return "spelling"
    if one.label == "person":
        return "given name only" if one.words[0] == other.words[0] else "family name only"
    return f"words in common of {one.label}"


def _join(pairs: NamePairs) -> None:
    """Join each name with the most probable of those that it may be a form of, shorter names first.

    Candidates that are one name already, or forms of each other, count together.
    """
    for name in pairs.names:
        found = pairs.of(name) if name.full is None else []
        if not found:
            continue
        chances = probabilities("within", [pair.features for pair in found])
        best = max(range(len(found)), key=lambda place: (chances[place], -place))
        other = found[best].other
        certainty = sum(
            chance
            for chance, pair in zip(chances, found, strict=True)
            if pair.other.root() is other.root() or _agree(pair.other, other)
        )
        if certainty >= _NUMBERS["least"]:
            name.join(other, found[best].reason, round(certainty, 4))


def _stated(
    trees: Sequence[DependencyTree],
    anchors: Sequence[Sequence[Anchor]],
    mentions: Mapping[Place, Mention],
    names: Mapping[Place, PassageName],
) -> dict[tuple[PassageName, PassageName], str]:
    """Pairs of names that a sentence equates, and how: by words, in brackets, or by a verb."""
    found: dict[tuple[PassageName, PassageName], str] = {}
    members = _by_cluster(dict.fromkeys(names.values()))
    for number, (tree, own) in enumerate(zip(trees, anchors, strict=True)):
        places = {anchor: names[number, index] for index, anchor in enumerate(own) if anchor.kind == "name"}
        for first, second, is_sure in stated_names(tree, list(places)):
            if places[first] is not places[second]:
                found[places[first], places[second]] = "in words" if is_sure else "in brackets"
        subjects = {anchor.head: (number, index) for index, anchor in enumerate(own)}
        for subject, named in named_subjects(tree, list(places)):
            place = subjects.get(subject)
            if place is None:
                continue
            known = [names[place]] if place in names else _meant(mentions.get(place), members)
            known = [one for one in known if one.wording.label in (named.label, "other") or named.label == "other"]
            # *It was called Camp Caves* says nothing new of a name that the passage has used; people have more names.
            is_new = named.label == "person" or places[named].places[0][0] >= number
            known = [one for one in known if one is not places[named]]
            if known and is_new:
                found[max(known, key=lambda one: one.labels.total()), places[named]] = "by a verb"
    return found


def _meant(mention: Mention | None, members: Mapping[int, Sequence[PassageName]]) -> Sequence[PassageName]:
    """The names that a description or pronoun stands for, where the parser is sure of it and of them."""
    if mention is None or mention.confidence < SURER:
        return []
    return [name for name in members.get(mention.entity, ()) if name.clusters[mention.entity] >= SURER]


def _by_cluster(names: Iterable[PassageName]) -> dict[int, list[PassageName]]:
    """The names of each cluster, the most frequent first."""
    members: dict[int, list[PassageName]] = {}
    for name in sorted(names, key=lambda one: (-one.labels.total(), -len(one.wording.text), one.wording.text)):
        for cluster in name.clusters:
            members.setdefault(cluster, []).append(name)
    return members


def _share_a_sentence(one: PassageName, other: PassageName) -> bool:
    return not {sentence for sentence, _ in one.places}.isdisjoint(sentence for sentence, _ in other.places)


def _are_relatives(short: PassageName, full: PassageName) -> bool:
    """Whether a family name is somebody else's: *Mr Lee* and *Ann Lee*, *Lee's son Tom Lee*."""
    if len(short.wording.words) > 1 or not short.wording.label == full.wording.label == "person":
        return False
    given = full.wording.words[0]
    if short.of_kin and not full.of_kin and short.labels.total() == 1:
        return True
    if any(short.titles & titles and given in names for titles, names in _NOT_FOR):
        return True
    if full.titles & KIN and short.together(full) < _SAME_CLUSTER:
        return True
    return any(sentence == other and place < later for sentence, place in short.owns for other, later in full.places)


def _join_demonyms(names: Sequence[PassageName]) -> None:
    """Join an adjective with the only place that it may name; where the passage names none, it has its usual name."""
    known = {usual_place(name.wording) or " ".join(name.wording.words): name for name in reversed(names)}
    for name in names:
        places = places_of(name.wording)
        if name.full is not None or not is_demonym(name.wording):
            continue
        usual = [usual_place(make_wording(place, "place")) or folded(place) for place in places]
        found = {known[key].root() for key in usual if key in known} - {name}
        if len(found) == 1:
            name.join(found.pop(), "demonym", _NUMBERS["demonym"])
        elif not found:
            name.usual, name.reason, name.probability = places[0], "demonym", _NUMBERS["demonym"]
            known[usual[0]] = name


def _comes_first(full: PassageName, short: PassageName) -> bool:
    """Whether one of two forms is longer than the other, or the usual name of a place."""
    sizes = [(len(one.wording.words), len("".join(one.wording.words))) for one in (full, short)]
    return sizes[0] > sizes[1] or usual_place(full.wording) == full.wording.text


def _agree(one: PassageName, other: PassageName) -> bool:
    return stands_for(one.wording, other.wording) is not None or stands_for(other.wording, one.wording) is not None
