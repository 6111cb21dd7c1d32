"""The names of a passage: which of them are forms of one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import inf

from tupelo.core import Mention
from tupelo.core.coreference import GENITIVES
from tupelo.core.statement import Anchor
from tupelo.names.aliases import is_known_place
from tupelo.names.constraints import ONLY_FEMALE, ONLY_MALE, SURER, introduction
from tupelo.names.data import numbers
from tupelo.names.forms import GENERATIONS
from tupelo.names.stated import named_subjects, stated_names
from tupelo.names.wordings import (
    NameWording,
    folded,
    initials,
    is_demonym,
    is_spelling,
    make_wording,
    places_of,
    stands_for,
    usual_place,
    words_of_fuller_names,
)
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
_NOT_FOR = (FEMALE_TITLES, ONLY_MALE), (MALE_TITLES, ONLY_FEMALE)
# Relations of a name that does something: a place rarely does.
_AGENTS = frozenset(["nsubj", "obj", "iobj", "compound"])
# Longer words of capitals in a dateline are no acronyms.
_LONGEST_ACRONYM = 3
_SAME_CLUSTER: float = _NUMBERS["same_cluster"]
# A word that more names have says little about which of them is meant; names of a cluster beyond these are rare.
_MOST_WITH_A_WORD, _MOST_IN_A_CLUSTER = 200, 30

Place = tuple[int, int]  # the number of a sentence and of an anchor in it


@dataclass(slots=True, eq=False)
class PassageName:
    """A name of a passage: its types and spellings, the parser's clusters that it is in, what it is a form of.

    `places` are where it stands, `owns` those where it is an owner (*Lee's*), and `titles` the words before it.
    """

    wording: NameWording
    labels: Counter[str] = field(default_factory=Counter)
    spellings: Counter[str] = field(default_factory=Counter)
    clusters: dict[int, float] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    owns: list[Place] = field(default_factory=list)
    titles: set[str] = field(default_factory=set)
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
        return self.labels.most_common(1)[0][0]

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
            if mention is not None and (anchor.kind != "name" or not _is_several(tree, mention)):
                found[number, index] = mention
    return found


def _is_several(tree: DependencyTree, mention: Mention) -> bool:
    """*Ann and Bob* are several, though *Ann* is the head."""
    return any(mention.start <= child < mention.end for child in tree.children(mention.head, "conj"))


def find_names(
    trees: Sequence[DependencyTree],
    anchors: Sequence[Sequence[Anchor]],
    mentions: Mapping[Place, Mention],
) -> dict[Place, PassageName]:
    """The name of every anchor that is one, given the mentions that are anchors."""
    names = _gather(trees, anchors, mentions)
    by_wording = list(dict.fromkeys(names.values()))
    _join_stated(trees, anchors, mentions, names)
    _join_forms(by_wording)
    _join_clusters(by_wording)
    _join_demonyms(by_wording)
    return names


def _gather(
    trees: Sequence[DependencyTree],
    anchors: Sequence[Sequence[Anchor]],
    mentions: Mapping[Place, Mention],
) -> dict[Place, PassageName]:
    """Equal names are one, unless only one is a person or an adjective, or they lie in different places."""
    found: dict[Place, PassageName] = {}
    known: dict[tuple[tuple[str, ...], str, str | None], PassageName] = {}
    families = {
        make_wording(anchor.text, "person").words[-1]
        for own in anchors
        for anchor in own
        if anchor.kind == "name" and anchor.label == "person" and " " in anchor.text and " of " not in anchor.text
    }
    types = _types_of_words(trees, anchors)
    places: dict[tuple[str, ...], str | None] = {}
    for number, (tree, own) in enumerate(zip(trees, anchors, strict=True)):
        names = [(index, anchor) for index, anchor in enumerate(own) if anchor.kind == "name"]
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
            in_dateline = anchor.end <= introduction(tree)[0] and len(wording.text) > _LONGEST_ACRONYM
            name.spellings[wording.text.title() if in_dateline else wording.text] += 1
            name.places.append((number, index))
            if anchor.end < tree.size and tree.text(anchor.end) in GENITIVES:
                name.owns.append((number, index))
            name.titles.add(_word_before(tree, anchor.start))
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


def _word_before(tree: DependencyTree, start: int) -> str:
    """The word before a name, or before the comma before it."""
    place = start - 1 - (start > 1 and tree.text(start - 1) == ",")
    return tree.lowered[place] if place >= 0 else ""


def _sense(tree: DependencyTree, anchor: Anchor, mention: Mention | None, families: set[str]) -> str:
    """The type of a name; *Jordan* is a person after a title, and a place where the parser takes it for one."""
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
    return anchor.label


def _lies_in(tree: DependencyTree, anchor: Anchor, other: Anchor) -> str | None:
    """*Texas* for *Paris, Texas*."""
    is_next = other.start == anchor.end + 1 and tree.text(anchor.end) == ","
    ends = other.end == tree.size or tree.upos(other.end) == "PUNCT"
    belongs = tree.heads[other.head] == anchor.head or ends
    is_listed = tree.base[other.head] == "conj" or tree.child(anchor.head, "conj") == other.head
    is_place = anchor.label == other.label == "place" and not is_demonym(make_wording(other.text, "place"))
    return other.text if is_next and belongs and is_place and not is_listed else None


def _join_stated(
    trees: Sequence[DependencyTree],
    anchors: Sequence[Sequence[Anchor]],
    mentions: Mapping[Place, Mention],
    names: Mapping[Place, PassageName],
) -> None:
    members = _by_cluster(dict.fromkeys(names.values()))
    for number, (tree, own) in enumerate(zip(trees, anchors, strict=True)):
        places = {anchor: names[number, index] for index, anchor in enumerate(own) if anchor.kind == "name"}
        for first, second, is_sure in stated_names(tree, list(places)):
            full, short = places[first], places[second]
            if is_sure or "work" in (full.wording.label, short.wording.label) or _are_together(full, short):
                _join_two(full, short, _NUMBERS["stated"])
        subjects = {anchor.head: (number, index) for index, anchor in enumerate(own)}
        for subject, named in named_subjects(tree, list(places)):
            place = subjects.get(subject)
            if place is None:
                continue
            mention = mentions.get(place)
            known = [names[place]] if place in names else _meant(mention, members)
            known = [one for one in known if one.wording.label in (named.label, "other") or named.label == "other"]
            # *It was called Camp Caves* says nothing new of a name that the passage has used; people have more names.
            is_new = named.label == "person" or places[named].places[0][0] >= number
            known = [one for one in known if one is not places[named]]
            if known and is_new:
                _join_two(max(known, key=lambda one: one.labels.total()), places[named], _NUMBERS["stated_by_verb"])


def _meant(mention: Mention | None, members: Mapping[int, Sequence[PassageName]]) -> Sequence[PassageName]:
    """The names that a description or pronoun stands for, where the parser is sure of it and of them."""
    if mention is None or mention.confidence < SURER:
        return []
    return [name for name in members.get(mention.entity, ()) if name.clusters[mention.entity] >= SURER]


def _by_cluster(names: Iterable[PassageName]) -> dict[int, list[PassageName]]:
    members: dict[int, list[PassageName]] = {}
    for name in names:
        for cluster in name.clusters:
            members.setdefault(cluster, []).append(name)
    return members


def _are_together(one: PassageName, other: PassageName) -> bool:
    return one.together(other) >= _SAME_CLUSTER


def _join_two(full: PassageName, short: PassageName, probability: float) -> None:
    if stands_for(full.wording, short.wording) is not None:
        full, short = short, full
    short.join(full, "stated", probability)


def _join_forms(names: Sequence[PassageName]) -> None:
    """Join each name with the fuller one that it stands for, shorter ones first."""
    holding: dict[str, dict[PassageName, int]] = {}
    for place, name in enumerate(names):
        keys = {*name.wording.words, f"@{usual_place(name.wording)}", name.wording.words[0].removesuffix("s")}
        for key in keys | {f"={letters}" for letters in initials(name.wording)}:
            holding.setdefault(key, {})[name] = place
    for name in sorted(names, key=lambda one: (len(one.wording.words), len(one.wording.text), one.wording.words)):
        if name.full is None:
            _join_form(name, _candidates(name, holding))


def _candidates(name: PassageName, holding: Mapping[str, Mapping[PassageName, int]]) -> list[PassageName]:
    """The names that a name may stand for, given the names with each word and their places in the passage."""
    words = name.wording.words
    letters = "".join(words)
    keys = [words[0], words[-1], words[0].removesuffix("s"), f"={letters}", f"={letters.removesuffix('s')}"]
    if len(words) == 1:
        keys += sorted(NICKNAMES.get(words[0], ()))
    alike = [holding[key] for key in keys if key in holding and len(holding[key]) <= _MOST_WITH_A_WORD]
    if (place := usual_place(name.wording)) is not None:
        alike.append(holding.get(f"@{place}", {}))
    # Many people share a given name: of these, only those are compared that have the rarest word too.
    needed = [[holding[word] for word in some if word in holding] for some in words_of_fuller_names(name.wording)]
    rarest = min(needed, key=lambda some: sum(map(len, some)), default=None)
    if rarest is not None and sum(map(len, rarest)) < sum(map(len, alike)):
        places = {other: place for some in rarest for other, place in some.items()}
        few = sorted(places, key=places.__getitem__)
        alike = [{other: places[other] for other in few if other in some} for some in alike]
    return [other for other in dict.fromkeys(other for some in alike for other in some) if other is not name]


def _join_form(name: PassageName, candidates: Iterable[PassageName]) -> None:
    """Join a name with the most probable of the names that it may stand for, if these are all one."""
    found: list[tuple[float, float, PassageName, str]] = []
    relatives = []
    for other in candidates:
        sure = name.together(other)
        why = stands_for(name.wording, other.wording)
        if why is None and sure >= _SAME_CLUSTER and other.wording.label in ("work", "other"):
            # These types are the least reliable ones: *Fawzi al-Odah* may be taken for a work.
            why = stands_for(name.wording, replace(other.wording, label=name.wording.label))
        if why is None or other.root() is name:
            continue
        reason, kind = why
        probability = _NUMBERS["together" if sure >= _SAME_CLUSTER else "apart"].get(kind)
        if _are_relatives(name, other):
            relatives.append(other)
        elif kind == "first word" and _share_a_sentence(name, other):
            # *Acme bought Acme Shipping*.
            continue
        elif probability is not None and _comes_first(other, name):
            found.append((sure if sure >= _SAME_CLUSTER else 0.0, probability, other, reason))
    if not found:
        return
    found.sort(key=lambda one: (-one[0], -one[1], -len(one[2].wording.words)))
    sure, probability, best, reason = found[0]
    others = [*(other for _, _, other, _ in found[1:]), *relatives]
    rivals = [other for other in others if other.root() is not best.root() and not _agree(other, best)]
    if rivals and not sure:
        return
    name.join(best, reason, probability)


def _share_a_sentence(one: PassageName, other: PassageName) -> bool:
    return not {sentence for sentence, _ in one.places}.isdisjoint(sentence for sentence, _ in other.places)


def _are_relatives(short: PassageName, full: PassageName) -> bool:
    """Whether a family name is somebody else's: *Mr Lee* and *Ann Lee*, *Lee's son Tom Lee*."""
    if len(short.wording.words) > 1 or not short.wording.label == full.wording.label == "person":
        return False
    given = full.wording.words[0]
    if any(short.titles & titles and given in names for titles, names in _NOT_FOR):
        return True
    if full.titles & KIN and not _are_together(short, full):
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


def _join_clusters(names: Sequence[PassageName]) -> None:
    """Join names that are no forms of each other where the parser is sure that they are one."""
    for members in _by_cluster(names).values():
        members.sort(key=lambda one: (-one.labels.total(), -len(one.wording.text), one.wording.text))
        for place, name in enumerate(members[:_MOST_IN_A_CLUSTER]):
            for other in members[:place]:
                sure = name.together(other)
                if name.root() is other.root() or name.full is not None or sure < _least(name, other):
                    continue
                root = other.root()
                # *FCW Divas* is not *Florida Championship Wrestling* if *FCW* is; people have names of all shapes.
                forms = {root, *(one for one in members if one.root() is root and name.wording.label != "person")}
                if all(_least(name, one) < inf or _agree(name, one) for one in forms - {other}):
                    name.join(other, "coreference", sure)


def _least(one: PassageName, other: PassageName) -> float:
    """The least confidence of the parser with which two names are one; infinite where they cannot be."""
    label = one.wording.label
    if label != other.wording.label or one.wording.words == other.wording.words or _lie_in_each_other(one, other):
        return inf
    if is_spelling(one.wording, other.wording):
        return _SAME_CLUSTER
    words, others = one.wording.words, other.wording.words
    if label != "person":
        # The parser takes songs for their album, a county for its country.
        return inf
    if words[-1] == others[-1] and words[0][0] == others[0][0]:
        return float(_NUMBERS["similar_people"])
    # *Ryan Mason* and *Ryan Bertrand*, *Pope Pius X* and *Pope John XXIII* are two, whatever the parser says.
    are_plain = len(words) == len(others) == 2 or words[0] in ROLES or not GENERATIONS.isdisjoint((*words, *others))
    return float(_NUMBERS["same_given_name"]) if words[0] == others[0] and not are_plain else inf


def _lie_in_each_other(one: PassageName, other: PassageName) -> bool:
    return one.place == other.text or other.place == one.text


def _comes_first(full: PassageName, short: PassageName) -> bool:
    """Whether one of two forms is longer than the other, or the usual name of a place."""
    sizes = [(len(one.wording.words), len("".join(one.wording.words))) for one in (full, short)]
    return sizes[0] > sizes[1] or usual_place(full.wording) == full.wording.text


def _agree(one: PassageName, other: PassageName) -> bool:
    return stands_for(one.wording, other.wording) is not None or stands_for(other.wording, one.wording) is not None
